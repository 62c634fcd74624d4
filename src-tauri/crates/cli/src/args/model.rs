//! Arguments of `nexi model`.

use clap::{Args, Subcommand};

/// `nexi model`
#[derive(Debug, Args)]
pub struct Model {
    #[command(subcommand)]
    pub command: ModelCommand,
}

/// What `nexi model` can do.
#[derive(Debug, Subcommand)]
pub enum ModelCommand {
    /// Connect a model: choose the service, store its key, test it, and put it first
    Add(AddModel),
    /// List the models of all connected services, with context window and price
    List {
        /// Only models whose name holds these words
        words: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Let a connected model answer from now on
    Use {
        /// Its name in the list, such as openai/gpt-4.1
        #[arg(add = crate::complete::model())]
        name: String,
    },
}

#[derive(Debug, Default, Args)]
pub struct AddModel {
    /// The service, such as openai, anthropic, gemini, openrouter, groq or ollama (default: the one the key looks like)
    #[arg(add = crate::complete::service())]
    pub service: Option<String>,
    /// The address of another OpenAI-compatible API, or of this service where it has one of its own
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The model (default: a usual one of the service, or you are asked)
    #[arg(long, value_name = "ID")]
    pub model: Option<String>,
    /// Its name in the settings (default: the service's)
    #[arg(long)]
    pub name: Option<String>,
    /// The environment variable its key is in; no key is stored then
    #[arg(long, value_name = "NAME")]
    pub key_env: Option<String>,
    /// Keep it without asking it anything
    #[arg(long)]
    pub no_test: bool,
}

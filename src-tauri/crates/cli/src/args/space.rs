//! Arguments of `nexi space`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::complete;

#[derive(Debug, Args)]
pub struct SpaceArgs {
    #[command(subcommand)]
    pub command: Option<SpaceCommand>,
}

#[derive(Debug, Subcommand)]
pub enum SpaceCommand {
    /// List the spaces
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a space: its instructions, documents, model and newest threads
    Show {
        /// Its name
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Create a space
    Add {
        /// Its name
        name: String,
        #[command(flatten)]
        what: SpaceValues,
    },
    /// Change a space; whatever you leave out stays as it is
    Set {
        /// Its name
        name: String,
        /// Another name for it
        #[arg(long, value_name = "NAME")]
        rename: Option<String>,
        #[command(flatten)]
        what: SpaceValues,
        /// Search the documents of the settings again
        #[arg(long, conflicts_with = "docs")]
        no_docs: bool,
        /// Ask the model of the settings again
        #[arg(long, conflicts_with = "model")]
        no_model: bool,
    },
    /// Move threads into a space
    Move {
        /// The ids of threads or of their turns, or parts of them
        #[arg(required = true, value_name = "ID", add = complete::turn())]
        ids: Vec<String>,
        /// The space; without it, the threads belong to none
        #[arg(long = "to", value_name = "NAME")]
        space: Option<String>,
    },
    /// Remove a space with its memories; its threads stay in the library
    Remove {
        /// Its name
        name: String,
        /// Skip confirmation
        #[arg(short, long)]
        yes: bool,
    },
}

/// What belongs to a space.
#[derive(Debug, Args)]
pub struct SpaceValues {
    /// Instructions for models, sent with every question in this space; `-` reads standard input
    #[arg(long, value_name = "TEXT")]
    pub instructions: Option<String>,
    /// A folder or file to search in this space instead of those in the settings; can be repeated
    #[arg(long, value_name = "PATH")]
    pub docs: Vec<PathBuf>,
    /// Model to ask in this space: a provider, `provider/model`, or `builtin` for none
    #[arg(short, long, value_name = "NAME", add = complete::model())]
    pub model: Option<String>,
}

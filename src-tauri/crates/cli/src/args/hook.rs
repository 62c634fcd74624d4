//! Arguments of `nexi hook`.

use std::ffi::OsString;

use clap::{Args, Subcommand};
use nexi_engine::core::protocol::HookEvent;

use super::whole;

/// `nexi hook`
#[derive(Debug, Args)]
pub struct HookArgs {
    #[command(subcommand)]
    pub command: Option<HookCommand>,
}

/// What `nexi hook` can do.
#[derive(Debug, Subcommand)]
pub enum HookCommand {
    /// Add a webhook or a command that runs after research
    Add(AddHook),
    /// List the hooks and their last deliveries
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Send a test and print the outcome
    Test {
        /// The hook
        name: String,
    },
    /// Print the signing secret of a webhook, or replace it
    Secret {
        /// The hook
        name: String,
        /// Replace it with a new secret
        #[arg(long)]
        new: bool,
        /// Replace it with the secret that the receiver gave you; it is asked for, or read from standard input
        #[arg(long, conflicts_with = "new")]
        set: bool,
    },
    /// List the newest deliveries
    Log {
        /// Only of this hook
        name: Option<String>,
        /// How many
        #[arg(short = 'n', long, default_value_t = 20, value_name = "COUNT", allow_negative_numbers = true, value_parser = whole::<u32>(1..=u32::MAX))]
        count: u32,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Turn a hook on again
    On {
        /// The hook
        name: String,
    },
    /// Turn a hook off without removing it
    Off {
        /// The hook
        name: String,
    },
    /// Deliver everything that is due; for cron and timers where Nexi's window is not open
    Run,
    /// Remove hooks, with their secrets and waiting deliveries
    Remove {
        /// The hooks
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub struct AddHook {
    /// A name for it, in lowercase letters, digits and hyphens
    pub name: String,
    /// The address of a webhook
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// When to call it; can be repeated (default: answered, changed)
    #[arg(long, value_name = "answered|failed|changed")]
    pub on: Vec<HookEvent>,
    /// Send requests without a signature
    #[arg(long, requires = "url")]
    pub unsigned: bool,
    /// Time limit of a delivery in seconds (default: 30)
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = whole::<u32>(1..=600))]
    pub timeout: Option<u32>,
    /// The program to run, with its arguments, behind --; it reads the answer as JSON from its standard input
    #[arg(last = true, value_name = "PROGRAM", conflicts_with = "url")]
    pub command: Vec<OsString>,
}

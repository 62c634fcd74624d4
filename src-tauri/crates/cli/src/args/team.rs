//! Arguments of `nexi team`.

use clap::{Args, Subcommand};

use super::{CorpusPlace, whole};
use crate::complete;

#[derive(Debug, Args)]
pub struct TeamArgs {
    #[command(subcommand)]
    pub command: Option<TeamCommand>,
}

#[derive(Debug, Subcommand)]
pub enum TeamCommand {
    /// Show what you share, what is held back, and what the team library is still to be told
    Status {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Create the tables of a team library in a database
    Create {
        #[command(flatten)]
        place: CorpusPlace,
    },
    /// Use the team library of a database: adds it to the settings, with its password
    Join {
        /// The database, as postgres://USER@HOST/DATABASE; its password is asked for, or taken from PGPASSWORD
        #[arg(value_name = "DATABASE")]
        address: String,
        /// What the settings call it
        #[arg(long = "as", value_name = "NAME", default_value = "team")]
        name: String,
    },
    /// Share a thread, or the threads of a space, also those that come
    Share {
        /// The id of the thread or of one of its turns, or a part of it; the newest thread without it
        #[arg(add = complete::turn())]
        id: Option<String>,
        /// The space whose threads are shared
        #[arg(long, value_name = "NAME", conflicts_with = "id")]
        space: Option<String>,
        /// Let only members of this role see it
        #[arg(long, value_name = "ROLE")]
        group: Option<String>,
        /// Share answers that rest on your documents, too, with the passages that they cite
        #[arg(long, conflicts_with = "space")]
        with_documents: bool,
    },
    /// Take a thread back, or the threads of a space
    Withdraw {
        /// The id of the thread, of one of its turns, or its id in the team library
        #[arg(required_unless_present = "space", add = complete::turn())]
        id: Option<String>,
        /// The space whose threads are shared no longer
        #[arg(long, value_name = "NAME", conflicts_with = "id")]
        space: Option<String>,
    },
    /// List the threads of the team library, newest first
    List {
        /// Threads to print
        #[arg(long, value_name = "NUMBER", default_value_t = 20, allow_negative_numbers = true, value_parser = whole::<u8>(1..=200))]
        limit: u8,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Search the threads of the team library
    Search {
        /// Words that must occur in a question and its answer
        words: String,
        /// Threads to print
        #[arg(long, value_name = "NUMBER", default_value_t = 20, allow_negative_numbers = true, value_parser = whole::<u8>(1..=200))]
        limit: u8,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a thread of the team library
    Show {
        /// Its id in the team library, or a part of it
        id: String,
        /// Print JSON: an object for each turn
        #[arg(long)]
        json: bool,
    },
    /// Copy a thread of the team library into your own, to ask more
    Continue {
        /// Its id in the team library, or a part of it
        id: String,
    },
    /// Tell the team library what waits, where it could not be reached before
    Send,
}

//! Arguments of `nexi corpus`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::whole;

#[derive(Debug, Args)]
pub struct CorpusArgs {
    #[command(subcommand)]
    pub command: CorpusCommand,
}

#[derive(Debug, Args)]
pub struct Place {
    /// The database, as postgres://USER@HOST/DATABASE with a password from PGPASSWORD, or a corpus of the settings by its name
    #[arg(long = "to", value_name = "DATABASE", env = "NEXI_CORPUS", hide_env_values = true)]
    pub address: String,
}

#[derive(Debug, Subcommand)]
pub enum CorpusCommand {
    /// Create the tables of a corpus in a database
    Create {
        #[command(flatten)]
        place: Place,
        /// A role whose members may see what is put into its group; can be given several times
        #[arg(long = "group", value_name = "ROLE")]
        groups: Vec<String>,
        /// Find what means the same in other words, too: with vectors of the embedding model of the settings, by pgvector
        #[arg(long)]
        vectors: bool,
    },
    /// Put files, folders and pages of the web into the queue, and read what waits there until nothing does
    Index {
        /// Files, folders whose documents are read, and addresses of pages; without any, this only helps with what waits
        #[arg(value_hint = ValueHint::AnyPath)]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        place: Place,
        /// Let only members of this role see them
        #[arg(long, value_name = "ROLE", requires = "paths")]
        group: Option<String>,
        /// Files that are read at the same time (default: one for each core)
        #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = whole::<u8>(1..=64))]
        workers: Option<u8>,
        /// Leave the reading to others
        #[arg(long, requires = "paths", conflicts_with = "workers")]
        only_queue: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove documents from a corpus, or a group with all of its documents; the files stay
    Remove {
        /// Files, folders and addresses of pages as they were indexed
        #[arg(value_hint = ValueHint::AnyPath, required_unless_present = "group")]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        place: Place,
        /// Only what was indexed for this role; without paths, the group itself
        #[arg(long, value_name = "ROLE")]
        group: Option<String>,
        /// Skip confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Show how many documents there are, what waits, and what could not be read
    Status {
        #[command(flatten)]
        place: Place,
        /// Files that could not be read which are named
        #[arg(long, value_name = "NUMBER", default_value_t = 10)]
        failures: u32,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Search what you may see of a corpus
    Search {
        /// What to look for
        question: String,
        #[command(flatten)]
        place: Place,
        /// Passages to print
        #[arg(long, value_name = "NUMBER", default_value_t = 10, allow_negative_numbers = true, value_parser = whole::<u8>(1..=50))]
        limit: u8,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Place {
    /// Whether it names a corpus of the settings. What libpq takes besides an address has an equals sign.
    pub fn is_name(&self) -> bool {
        !self.address.contains("://") && !self.address.contains('=')
    }
}

impl CorpusCommand {
    /// Which corpus is meant.
    pub fn place(&self) -> &Place {
        match self {
            Self::Create { place, .. }
            | Self::Index { place, .. }
            | Self::Remove { place, .. }
            | Self::Status { place, .. }
            | Self::Search { place, .. } => place,
        }
    }
}

//! Arguments of `nexi history`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{ExportFormat, Style, whole};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct History {
    #[command(subcommand)]
    pub command: Option<HistoryCommand>,
    /// List the newest turns
    #[arg(long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = whole::<u32>(1..=1_000_000))]
    pub last: u32,
    /// Show the newest turn in full
    #[arg(long, conflicts_with_all = ["last", "show"])]
    pub prev: bool,
    /// Show a turn in full; four or more digits from the start or end of its id are enough
    #[arg(long, value_name = "ID", conflicts_with = "last", add = crate::complete::turn())]
    pub show: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Find turns by words in their question, answer or sources
    Search(Find),
    /// Show a turn in full, the newest by default
    Show {
        /// Four or more digits from the start or end of its id are enough
        #[arg(add = crate::complete::turn())]
        id: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Export a turn, a thread or the whole library
    Export(Export),
    /// Import threads from Nexi's JSON, or from the history.jsonl of NEXI, the older Python program
    Import(Import),
    /// Summarise a long thread, so that its next questions have more room
    Summarise(Summarise),
    /// Permanently delete threads, or single turns
    Delete(Delete),
    /// List what was deleted in windows in the last 30 days
    Deleted {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Bring back something that was deleted in the last 30 days
    Restore {
        /// An id that nexi history deleted lists, or part of it
        id: String,
    },
    /// Permanently delete all threads, and the lines typed in sessions
    Clear(Clear),
}

#[derive(Debug, Args)]
pub struct Find {
    /// The words
    #[arg(required = true, value_name = "TEXT")]
    pub text: Vec<String>,
    /// Maximum results
    #[arg(short, long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = whole::<u32>(1..=200))]
    pub limit: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").args(["id", "last"]))]
pub struct Export {
    /// The id of a turn or thread, or part of it (default: everything, one thread per line)
    #[arg(add = crate::complete::turn())]
    pub id: Option<String>,
    /// Export the newest turn
    #[arg(long, conflicts_with = "id")]
    pub last: bool,
    /// Export the whole thread of the turn
    #[arg(long, requires = "what")]
    pub thread: bool,
    /// File format (default: markdown; json for everything)
    #[arg(long, value_enum)]
    pub format: Option<ExportFormat>,
    /// Citation style
    #[arg(long, value_enum, requires = "what")]
    pub style: Option<Style>,
    /// Write to this new file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Import {
    /// The file; `-` reads standard input
    pub file: PathBuf,
    /// Import the other lines of a file in which some cannot be read; without this, nothing of it is imported
    #[arg(long)]
    pub skip_broken: bool,
}

#[derive(Debug, Args)]
pub struct Summarise {
    /// The id of the thread or of one of its turns, or part of it (default: the newest thread)
    #[arg(add = crate::complete::turn())]
    pub id: Option<String>,
    /// Summarise even if the monthly cost limit is reached
    #[arg(long)]
    pub over_month: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Delete {
    /// The id of the thread or of one of its turns, or part of it
    #[arg(required_unless_present = "last", value_name = "ID", add = crate::complete::turn())]
    pub ids: Vec<String>,
    /// Delete the newest thread; with --turn, the newest turn
    #[arg(long, conflicts_with = "ids")]
    pub last: bool,
    /// Delete only these turns and keep the rest of their threads
    #[arg(long)]
    pub turn: bool,
    /// Skip confirmation
    #[arg(short, long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
pub struct Clear {
    /// Skip confirmation
    #[arg(short, long)]
    pub yes: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MemoryArgs {
    #[command(subcommand)]
    pub command: Option<MemoryCommand>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum MemoryCommand {
    /// Remember something: from now on it goes to the model with every question, except in private threads
    Add {
        /// What to remember (default: standard input, one memory a line)
        #[arg(value_name = "TEXT")]
        text: Vec<String>,
        /// Only in this space
        #[arg(long, value_name = "NAME")]
        space: Option<String>,
    },
    /// Change what a memory says
    Edit {
        /// The id of the memory, or part of it
        id: String,
        /// What it says from now on
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
    },
    /// Forget memories for good
    Remove {
        /// The ids of the memories, or parts of them
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub struct TemplateArgs {
    #[command(subcommand)]
    pub command: Option<TemplateCommand>,
}

#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// List the templates
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Make a template, or change the one of this name
    Set {
        /// What is typed after /
        name: String,
        /// The question, with words in braces for what changes each time: "Compare {product} with {other}."
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
    },
    /// Remove templates
    Remove {
        /// Their names
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub struct UsageArgs {
    /// Group by
    #[arg(long, value_enum, default_value_t)]
    pub by: SumBy,
    /// From this day, month or year on, such as 2026-11 (default: this month)
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Up to the end of this day, month or year
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// Everything since the first question
    #[arg(long, conflicts_with = "since")]
    pub all: bool,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What usage is summed up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SumBy {
    #[default]
    Day,
    Month,
    Model,
    Service,
    Space,
}

#[derive(Debug, Args)]
pub struct Audit {
    /// Which turn, by its id or part of it (default: the newest)
    pub id: Option<String>,
    /// The file to write (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// A file written by nexi audit
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

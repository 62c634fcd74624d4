//! Arguments of `nexi history`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Format, Style};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct History {
    #[command(subcommand)]
    pub command: Option<HistoryCommand>,
    /// List the newest turns
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub last: u32,
    /// Show the newest turn in full
    #[arg(long, conflicts_with_all = ["last", "show"])]
    pub prev: bool,
    /// Show a turn in full; four digits or more of the beginning or the end of its id are enough
    #[arg(long, value_name = "ID", conflicts_with = "last")]
    pub show: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Find turns by the words of their question, answer or sources
    Search(Find),
    /// Write a turn, a thread or everything into a file
    Export(Export),
    /// Take threads in: Nexi's JSON, or NEXI's history.jsonl
    Import(Import),
    /// Delete all threads for good, and the lines typed in sessions
    Clear(Clear),
}

#[derive(Debug, Args)]
pub struct Find {
    /// The words
    #[arg(required = true, value_name = "TEXT")]
    pub text: Vec<String>,
    /// Results at most
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub limit: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Export {
    /// A turn's or thread's id, or a part of it; without one, everything, a thread a line
    pub id: Option<String>,
    /// The whole thread that the turn belongs to
    #[arg(long, requires = "id")]
    pub thread: bool,
    /// The kind of file
    #[arg(long, value_enum, default_value = "markdown", requires = "id")]
    pub format: Format,
    /// How sources are named
    #[arg(long, value_enum, default_value_t, requires = "id")]
    pub style: Style,
    /// The file to write, which must not be there yet; without one, standard output
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Import {
    /// The file; `-` reads standard input
    pub file: PathBuf,
}

#[derive(Debug, Args)]
pub struct Clear {
    /// Do not ask whether it is meant
    #[arg(short, long)]
    pub yes: bool,
}

//! The arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use nexi_engine::core::protocol::Effort;

/// Answers questions by researching them: the web, your documents, and citations you can check.
#[derive(Debug, Parser)]
#[command(name = "nexi", version, propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// The settings file to use instead of the usual one
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The folder for history and index, instead of the usual one
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Show every decision, call and wait on standard error
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask a question and wait for the answer
    Ask(Ask),
    /// Finish a run that was interrupted
    Resume(Resume),
    /// Show how many pages are kept from earlier runs, or forget them
    Cache(Cache),
}

#[derive(Debug, Args)]
pub struct Cache {
    /// Forget them; sources of earlier answers keep their texts
    #[arg(long)]
    pub clear: bool,
}

/// How to print.
#[derive(Debug, Clone, Copy, Args)]
pub struct Output {
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// No colours and no moving progress line
    #[arg(long)]
    pub plain: bool,
}

#[derive(Debug, Args)]
pub struct Ask {
    /// The question; `-`, or nothing with a pipe, reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub question: Vec<String>,
    /// How thorough: s (8 steps), m (16 steps) or l (32 steps)
    #[arg(short, long, value_name = "s|m|l")]
    pub effort: Option<Effort>,
    /// At most this many steps, instead of the effort's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub max_steps: Option<u32>,
    /// Ask for the answer after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub time_target: Option<u32>,
    /// Spend at most this many US dollars on the question, where the model's price is known
    #[arg(long, value_name = "DOLLARS")]
    pub max_cost: Option<f64>,
    /// Ask within this thread, as a follow-up
    #[arg(long, value_name = "ID", conflicts_with = "continue_newest")]
    pub thread: Option<String>,
    /// Ask within the newest thread, as a follow-up
    #[arg(short, long = "continue")]
    pub continue_newest: bool,
    /// A folder of documents to search, too; can be given several times
    #[arg(long, value_name = "DIR")]
    pub docs: Vec<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Resume {
    /// The run's id or the beginning of it; without one, the newest interrupted run
    pub id: Option<String>,
    #[command(flatten)]
    pub output: Output,
}

/// A mistake in how the program was called.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

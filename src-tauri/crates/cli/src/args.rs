//! The arguments.

mod library;
mod web;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use nexi_engine::core::model::Thinking;
use nexi_engine::core::protocol::{Effort, Focus};
use nexi_engine::core::settings::AnswerCheck;
use nexi_engine::export;

pub use library::{Clear, Export, Find, History, HistoryCommand, Import};
pub use web::{Http, Mcp, Read, Search};

/// Answers questions by researching them: the web, your documents, and citations you can check.
///
/// Without a command, on a terminal, it opens a session in which one question follows the other.
#[derive(Debug, Parser)]
#[command(name = "nexi", version, propagate_version = true, after_help = EXITS)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXITS: &str =
    "Exit codes: 0 there is an answer, 1 it failed or found nothing, 2 the call or the settings have a mistake, 130 it was stopped.";

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
    /// No colours, no moving progress line, and the answer in one piece
    #[arg(long, global = true)]
    pub plain: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask a question and wait for the answer
    Ask(Ask),
    /// Finish a run that was interrupted
    Resume(Resume),
    /// Search with the search backends of the settings; no model is asked
    Search(Search),
    /// Read pages with the readers of the settings; no model is asked
    Read(Read),
    /// Ask a set of questions of several models, searches and checks, and compare what comes of it
    Eval(Eval),
    /// Show, search, export, import or clear past research
    History(History),
    /// Show or change the settings
    Config(Config),
    /// Keep, list or remove the keys of providers
    Key(Key),
    /// List the backups of the library, or go back to one of them
    Restore(Restore),
    /// Check providers, keys, database and documents, and say what to do
    Doctor(Doctor),
    /// Serve Nexi's tools to other programs over the Model Context Protocol
    Mcp(Mcp),
    /// Show how many pages are kept from earlier runs, or forget them
    Cache(Cache),
    /// Print the completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in roff
    Man,
}

#[derive(Debug, Args)]
pub struct Restore {
    /// The backup, such as 2026-03-01; without one they are listed
    #[arg(value_name = "BACKUP")]
    pub backup: Option<String>,
    /// Do not ask whether that is meant
    #[arg(long)]
    pub yes: bool,
    /// List them as JSON
    #[arg(long, conflicts_with = "backup")]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Cache {
    /// Forget them; sources of earlier answers keep their texts
    #[arg(long)]
    pub clear: bool,
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// The answer and its sources, for reading
    #[default]
    Text,
    /// Markdown with question, answer and sources
    Markdown,
    /// One JSON object with everything
    Json,
    /// A page of HTML that needs nothing else
    Html,
}

/// How sources are named in Markdown and HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Style {
    /// [1], and a numbered list
    #[default]
    Numbered,
    /// Notes at the end of each answer
    Footnotes,
    /// (Miller 2024), and a list in order of the alphabet
    AuthorDate,
}

impl From<Style> for export::CitationStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::Numbered => Self::Numbered,
            Style::Footnotes => Self::Footnotes,
            Style::AuthorDate => Self::AuthorDate,
        }
    }
}

/// How to print.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Output {
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Say nothing of the progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl Output {
    /// What was asked for by either option.
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

#[derive(Debug, Args)]
pub struct Ask {
    /// The question; `-`, or nothing with a pipe, reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub question: Vec<String>,
    #[command(flatten)]
    pub how: How,
    /// Ask within this thread, as a follow-up; the id of one of its turns, or a part of it, is enough
    #[arg(long, value_name = "ID", conflicts_with = "continue_newest")]
    pub thread: Option<String>,
    /// Ask within the newest thread, as a follow-up
    #[arg(short, long = "continue")]
    pub continue_newest: bool,
    /// Show the thread in Nexi's window afterwards
    #[arg(long, conflicts_with = "private")]
    pub open: bool,
    /// Ask this model for a second opinion from the same sources, and compare the two statement by statement
    #[arg(long, value_name = "MODEL")]
    pub second: Option<String>,
    /// Write the report into a new file of this folder; without one, of the one you are in
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    pub save_report: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

/// Nothing of it is kept in the library.
#[derive(Debug, Args)]
pub struct Eval {
    /// Questions as JSON lines: {"question": "…", "answers": ["…"]}, the answers that count where they are known; `-`
    /// reads standard input
    pub file: PathBuf,
    /// A model to ask; several are compared
    #[arg(short, long, value_name = "NAME")]
    pub model: Vec<String>,
    /// A search backend to use alone, such as `documents`; several are compared
    #[arg(long, value_name = "NAME")]
    pub search: Vec<String>,
    /// Who looks at doubtful statements; both are compared when both are given
    #[arg(long, value_name = "local|model")]
    pub check: Vec<AnswerCheck>,
    /// How many steps each question may take: s (8), m (16) or l (32)
    #[arg(short, long, value_name = "s|m|l")]
    pub effort: Option<Effort>,
    /// Where to look
    #[arg(short, long, value_name = "web|documents|both", default_value = "both")]
    pub focus: Focus,
    /// Search this folder, too
    #[arg(long, value_name = "DIR")]
    pub docs: Vec<PathBuf>,
    /// Ask only the first so many questions
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Cost limit of each question in US dollars
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true, value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// Ask without a cost limit, whatever the settings say
    #[arg(long, conflicts_with = "max_cost")]
    pub any_cost: bool,
    /// Print JSON with every answer
    #[arg(long)]
    pub json: bool,
    /// Say nothing of the progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// An amount of money, with or without its sign.
fn dollars(typed: &str) -> Result<f64, String> {
    let amount = typed.trim().trim_start_matches('$').parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount > 0.0);
    amount.ok_or_else(|| "write US dollars above 0, such as 0.25".into())
}

/// How a question is to be answered.
#[derive(Debug, Clone, Default, Args)]
pub struct How {
    /// How thorough: s (8 steps), m (16 steps) or l (32 steps); with --deep up to 2, 3 or 5 researchers
    #[arg(short, long, value_name = "s|m|l")]
    pub effort: Option<Effort>,
    /// Research deeply: a plan, several researchers at the same time, an evaluation, one report
    #[arg(short, long)]
    pub deep: bool,
    /// Where to look
    #[arg(short, long, value_name = "web|documents|both", default_value = "both")]
    pub focus: Focus,
    /// Model to ask first: a provider, `provider/model` such as openai/gpt-6-luna, or `builtin` for none
    #[arg(short, long, value_name = "NAME")]
    pub model: Option<String>,
    /// Keep nothing of the question and its answer on the disk
    #[arg(long)]
    pub private: bool,
    /// At most this many steps, instead of the effort's
    #[arg(long, value_name = "N", conflicts_with = "deep", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub max_steps: Option<u32>,
    /// Ask for the answer after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub time_target: Option<u32>,
    /// Who looks at statements that their sources do not seem to support: this machine alone, or the model once more
    #[arg(long, value_name = "local|model")]
    pub check: Option<AnswerCheck>,
    /// How much the model reasons first; `--think` alone means high
    #[arg(long, value_name = "auto|off|low|medium|high", num_args = 0..=1, default_missing_value = "high", require_equals = true)]
    pub think: Option<Thinking>,
    /// Cost limit in US dollars; a model whose price is not known is not asked then
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true, value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// Ask without a cost limit, whatever the settings say
    #[arg(long, conflicts_with = "max_cost")]
    pub any_cost: bool,
    /// Token limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1000..))]
    pub max_tokens: Option<u32>,
    /// A folder of documents to search, too; can be given several times
    #[arg(long, value_name = "DIR")]
    pub docs: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Resume {
    /// The run's id, or its beginning or end; without one, the newest interrupted run
    pub id: Option<String>,
    /// Write the report into a new file of this folder; without one, of the one you are in
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    pub save_report: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Config {
    #[command(subcommand)]
    pub command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print where the settings file is
    Path,
    /// Print one setting, or all of them, as JSON
    Get {
        /// Such as default_effort or providers.work.model
        field: Option<String>,
    },
    /// Change one setting; the file keeps its comments
    Set {
        /// Such as default_effort or providers.work.model
        field: String,
        /// A word, a number, or JSON such as '["work", "builtin"]'; a whole provider is
        /// '{"type": "ollama", "model": "qwen3:8b"}'
        value: String,
    },
    /// Put one setting back to what it is by itself
    Unset {
        /// Such as default_effort or providers.work
        field: String,
    },
    /// Open the settings file in $VISUAL or $EDITOR, and check it afterwards
    Edit,
    /// Take over settings and keys from NEXI's config.json or config.toml
    Import {
        /// The file; `-` reads standard input
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct Key {
    #[command(subcommand)]
    pub command: KeyCommand,
}

#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Keep a key; it is asked for, or read from a pipe, and never an argument
    Set {
        /// The provider's name in the settings, such as openai or brave
        provider: String,
    },
    /// List the providers and where their keys come from
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Forget a key
    Remove {
        /// The provider's name in the settings
        provider: String,
    },
}

#[derive(Debug, Args)]
pub struct Doctor {
    /// Save what can be read of a damaged library, with what only the newest backup has; the damaged file is kept
    #[arg(long, conflicts_with_all = ["offline", "json"])]
    pub repair: bool,
    /// Do not ask any service whether it works
    #[arg(long)]
    pub offline: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Somebody pressed Ctrl+C where something was asked for.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// A mistake in how the program was called.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

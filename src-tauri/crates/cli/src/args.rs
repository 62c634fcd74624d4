//! The arguments.

mod commands;
mod corpus;
mod examples;
mod history;
mod hook;
mod model;
mod output;
mod space;
mod team;
mod tools;
mod translated;
mod watch;
mod web;
mod wrong;

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueHint};
use nexi_engine::core::model::Thinking;
use nexi_engine::core::protocol::{Effort, Focus, Schedule};
use nexi_engine::core::settings::AnswerCheck;
use nexi_engine::sentences;
use nexi_messages::say;

use crate::complete;

pub use commands::{Command, Described, all_examples};
pub use corpus::{CorpusArgs, CorpusCommand, Place as CorpusPlace};
pub use history::{
    Audit, Clear, Delete, Export, Find, History, HistoryCommand, Import, MemoryArgs, MemoryCommand, ReplayArgs, SumBy, Summarise,
    TemplateArgs, TemplateCommand, UsageArgs,
};
pub use hook::{AddHook, HookArgs, HookCommand};
pub use model::{AddModel, Model, ModelCommand};
pub use output::{ExportFormat, Format, Output, Style};
pub use space::{SpaceArgs, SpaceCommand, SpaceValues};
pub use team::{TeamArgs, TeamCommand};
pub use tools::{AddServer, Tools, ToolsCommand};
pub use translated::{arguments, example, translated};
pub use watch::{AddWatch, Watch, WatchCommand};
pub use web::{Client, Http, Install, Mcp, McpCommand, Read, Search};
pub use wrong::wrong;

/// Answers questions by researching them: the web, your documents, and citations you can check.
///
/// Without a command, on a terminal, it opens a session in which one question follows the other.
#[derive(Debug, Parser)]
#[command(name = "nexi", version, propagate_version = true, after_help = say!("nexi-terminal-exits"))]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The program with its commands and their examples.
pub fn command() -> clap::Command {
    commands::with_examples(translated::translated(Cli::command()))
}

/// The heading of [`Common`].
const EVERYWHERE: &str = "Options of every command";

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Use this settings file
    #[arg(long, global = true, value_name = "FILE", help_heading = EVERYWHERE)]
    pub config: Option<PathBuf>,
    /// Use this folder for the library and the index
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub data_dir: Option<PathBuf>,
    /// Log every decision, request and wait to standard error
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    pub verbose: bool,
    /// No colours, no progress line, and the answer all at once
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub plain: bool,
}

#[derive(Debug, Args)]
pub struct Restore {
    /// The backup to restore, for example 2026-03-01; without it, backups are listed
    #[arg(value_name = "BACKUP")]
    pub backup: Option<String>,
    /// Skip confirmation
    #[arg(long)]
    pub yes: bool,
    /// Print the list as JSON
    #[arg(long, conflicts_with = "backup")]
    pub json: bool,
}

/// `nexi docs`
#[derive(Debug, Args)]
pub struct Docs {
    #[command(subcommand)]
    pub command: DocsCommand,
}

/// What `nexi docs` can do.
#[derive(Debug, Subcommand)]
pub enum DocsCommand {
    /// Add a folder to those that are searched
    Add {
        /// The folder
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
    /// Stop searching a folder; its files stay where they are
    Remove {
        /// The folder
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
    /// List the folders, without looking into them
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Bring the index up to date and show it
    Status {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Download an embedding model, so that documents are also found by meaning, and turn it on
    Fetch {
        /// local/multilingual-e5-small for any language, or local/all-MiniLM-L6-v2, smaller and for English
        #[arg(default_value = "local/multilingual-e5-small")]
        model: String,
    },
    /// Prepare your documents for being found by meaning, with the model of embeddings.model
    Embed {
        /// Send the text of all folders to the embedding service without asking
        #[arg(short, long)]
        yes: bool,
    },
    /// Read scanned pages and pictures with Tesseract (OCR), and turn that on
    Ocr {
        /// Languages as Tesseract names them, such as eng and deu; those of ocr.languages if none
        #[arg(value_name = "LANGUAGE")]
        languages: Vec<String>,
    },
}

/// `nexi cache`
#[derive(Debug, Args)]
pub struct Cache {
    /// Clear it; sources of earlier answers keep their texts
    #[arg(long)]
    pub clear: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Ask {
    /// The question; `-` reads it from standard input
    #[arg(value_name = "QUESTION")]
    pub question: Vec<String>,
    /// Ask the question of this template; what is written besides are its fields, as "field=value" or in their order
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    #[command(flatten)]
    pub how: How,
    /// Ask a follow-up in this thread; any part of the id of one of its turns works
    #[arg(long, value_name = "ID", conflicts_with = "continue_newest", add = complete::turn())]
    pub thread: Option<String>,
    /// Ask a follow-up in the newest thread
    #[arg(short, long = "continue", visible_alias = "last")]
    pub continue_newest: bool,
    /// Open the thread in Nexi's window when done
    #[arg(long, conflicts_with = "private")]
    pub open: bool,
    /// Ask this model for a second opinion from the same sources and compare both, statement by statement
    #[arg(long, value_name = "MODEL", add = complete::model())]
    pub second: Option<String>,
    /// Save the report as a new file in this folder (default: the current one)
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = ".")]
    pub save_report: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

/// Nothing of it is kept in the library.
#[derive(Debug, Args)]
pub struct Eval {
    /// Questions as JSON lines: {"question": "…", "answers": ["…"]}, where answers lists accepted ones; `-` reads
    /// standard input
    pub file: PathBuf,
    /// A model to use; repeat to compare several
    #[arg(short, long, value_name = "NAME", add = complete::model())]
    pub model: Vec<String>,
    /// A search backend to use on its own, for example `documents`; repeat to compare several
    #[arg(long, value_name = "NAME")]
    pub search: Vec<String>,
    /// Who checks doubtful statements; give both to compare them
    #[arg(long, value_name = "local|model", value_parser = one_of::<AnswerCheck>(CHECKS))]
    pub check: Vec<AnswerCheck>,
    /// Steps per question: s (8), m (16) or l (32)
    #[arg(short, long, value_name = "s|m|l", value_parser = one_of::<Effort>(EFFORTS))]
    pub effort: Option<Effort>,
    /// Where to look
    #[arg(short, long, value_name = "web|documents|both", default_value = "both", value_parser = one_of::<Focus>(FOCUSES))]
    pub focus: Focus,
    /// Also search this folder or file; can be repeated
    #[arg(long, value_name = "PATH")]
    pub docs: Vec<PathBuf>,
    /// Only the first N questions
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(1..=u32::MAX))]
    pub limit: Option<usize>,
    /// Cost limit per question in US dollars
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true, value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// Ignore the cost limits of the settings
    #[arg(long, conflicts_with = "max_cost")]
    pub any_cost: bool,
    /// Print JSON with all answers
    #[arg(long)]
    pub json: bool,
    /// Hide progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// What may be written for efforts, places to look, checks, and thinking.
pub const EFFORTS: &[&str] = &["s", "m", "l"];
pub const FOCUSES: &[&str] = &["web", "documents", "both"];

/// What the session knows besides questions, with a line about each.
pub const SESSION_COMMANDS: &[&str] = &[
    "/effort",
    "/deep",
    "/model",
    "/focus",
    "/docs",
    "/space",
    "/private",
    "/attach",
    "/sources",
    "/open",
    "/save",
    "/memory",
    "/retry",
    "/history",
    "/continue",
    "/summarise",
    "/new",
    "/help",
    "/quit",
];
const CHECKS: &[&str] = &["local", "model"];
const LEVELS: &[&str] = &["auto", "off", "low", "medium", "high"];

/// An amount of money, with or without its sign.
fn dollars(typed: &str) -> Result<f64, String> {
    let amount = typed.trim().trim_start_matches('$').parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount > 0.0);
    amount.ok_or_else(|| say!("nexi-terminal-dollars"))
}

/// One of a few words, refused in words.
pub fn one_of<T: FromStr>(words: &'static [&'static str]) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |typed| {
        let (last, others) = words.split_last().map_or(("", &[][..]), |(last, others)| (*last, others));
        typed.parse().map_err(|_| say!("nexi-terminal-one-of", others = others.join(", "), last = last, typed = typed.trim()))
    }
}

/// When a question is checked, refused in words.
fn schedule(typed: &str) -> Result<Schedule, String> {
    typed.parse().map_err(|problem| sentences::schedule(&problem))
}

/// A whole number within these limits, refused in words.
fn whole<T: TryFrom<u32>>(range: std::ops::RangeInclusive<u32>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |typed| {
        let number = typed.trim().parse::<u32>().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match *range.end() {
            u32::MAX => say!("nexi-terminal-whole-from", least = range.start().to_string()),
            end => say!("nexi-terminal-whole-between", least = range.start().to_string(), most = end.to_string()),
        })
    }
}

/// How a question is to be answered.
#[derive(Debug, Clone, Default, Args)]
pub struct How {
    /// How thorough: s (8 steps), m (16 steps) or l (32 steps); with --deep up to 2, 3 or 5 researchers
    #[arg(short, long, value_name = "s|m|l", value_parser = one_of::<Effort>(EFFORTS), add = complete::words(EFFORTS))]
    pub effort: Option<Effort>,
    /// Deep research: a plan, several researchers at once, an evaluation, one report
    #[arg(short, long)]
    pub deep: bool,
    /// Where to look
    #[arg(short, long, value_name = "web|documents|both", default_value = "both", value_parser = one_of::<Focus>(FOCUSES), add = complete::words(FOCUSES))]
    pub focus: Focus,
    /// Model to use: a provider, `provider/model` such as openai/gpt-6-luna, or `builtin` for none
    #[arg(short, long, value_name = "NAME", add = complete::model())]
    pub model: Option<String>,
    /// Ask in this space: its documents, instructions, memories and model apply
    #[arg(long, value_name = "NAME", conflicts_with = "private")]
    pub space: Option<String>,
    /// Do not store the question or its answer on disk
    #[arg(long)]
    pub private: bool,
    /// Maximum number of steps, overriding --effort
    #[arg(long, value_name = "N", conflicts_with = "deep", allow_negative_numbers = true, value_parser = whole::<u32>(1..=200))]
    pub max_steps: Option<u32>,
    /// Wrap up after this many seconds
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = whole::<u32>(1..=u32::MAX))]
    pub time_target: Option<u32>,
    /// Who checks statements that their sources do not seem to support: this computer only, or the model again
    #[arg(long, value_name = "local|model", value_parser = one_of::<AnswerCheck>(CHECKS), add = complete::words(CHECKS))]
    pub check: Option<AnswerCheck>,
    /// How much the model reasons first; `--think` alone means high
    #[arg(
        long,
        value_name = "auto|off|low|medium|high",
        num_args = 0..=1,
        default_missing_value = "high",
        require_equals = true,
        value_parser = one_of::<Thinking>(LEVELS),
        add = complete::words(LEVELS)
    )]
    pub think: Option<Thinking>,
    /// Cost limit in US dollars; models without a known price are not used
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true, value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// Ignore the cost limits of the settings
    #[arg(long, conflicts_with = "max_cost")]
    pub any_cost: bool,
    /// Ask even if the monthly cost limit is reached
    #[arg(long)]
    pub over_month: bool,
    /// Token limit
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1000..=u32::MAX))]
    pub max_tokens: Option<u32>,
    /// Also search this folder or file; can be repeated
    #[arg(long, value_name = "PATH")]
    pub docs: Vec<PathBuf>,
    /// Give this file, web page or earlier thread (thread:ID) to the question; a folder is then searched alone
    #[arg(short, long, value_name = "PATH|URL|thread:ID", value_hint = ValueHint::AnyPath)]
    pub attach: Vec<String>,
}

#[derive(Debug, Args)]
pub struct Resume {
    /// The run's id or any part of it (default: the newest interrupted run)
    #[arg(add = complete::turn())]
    pub id: Option<String>,
    /// Save the report as a new file in this folder (default: the current one)
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
    /// Print the path of the settings file
    Path,
    /// Print one setting, or all of them, as JSON
    Get {
        /// For example default_effort or providers.work.model
        #[arg(add = complete::setting())]
        field: Option<String>,
        /// Print JSON also where the setting is text
        #[arg(long)]
        json: bool,
    },
    /// Change a setting; comments in the file are kept
    Set {
        /// For example default_effort or providers.work.model
        #[arg(add = complete::setting())]
        field: String,
        /// Text, a number, or JSON such as '["work", "builtin"]'; for a whole provider,
        /// '{"type": "ollama", "model": "qwen3:8b"}'
        #[arg(allow_negative_numbers = true)]
        value: String,
    },
    /// Reset a setting to its default
    Unset {
        /// For example default_effort or providers.work
        #[arg(add = complete::setting())]
        field: String,
    },
    /// Say what a setting does, what it may be and what it is now; without a name, list all settings
    Explain {
        /// A setting, for example search.count, or a table, for example search
        #[arg(add = complete::setting())]
        field: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Edit the settings file in $VISUAL or $EDITOR, then check it
    Edit,
    /// Import settings and keys from the config.json or config.toml of NEXI, the older Python program
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
    /// Store an API key (prompted for, or read from stdin)
    Set {
        /// The provider's name in the settings, for example openai or brave
        #[arg(add = complete::provider())]
        provider: String,
    },
    /// List providers and where their keys come from
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove an API key
    Remove {
        /// The provider's name in the settings
        #[arg(add = complete::provider())]
        provider: String,
    },
}

#[derive(Debug, Args)]
pub struct Doctor {
    /// Recover what can be read of a damaged library and what only the newest backup has; the damaged file is kept
    #[arg(long, conflicts_with_all = ["offline", "json"])]
    pub repair: bool,
    /// Do not contact any service
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

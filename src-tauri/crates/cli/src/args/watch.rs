//! Arguments of `nexi watch`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use nexi_engine::core::protocol::{Effort, Focus, Schedule};

use super::{EFFORTS, FOCUSES, How, dollars, one_of, schedule};
use crate::complete;

#[derive(Debug, Args)]
pub struct Watch {
    #[command(subcommand)]
    pub command: Option<WatchCommand>,
}

#[derive(Debug, Subcommand)]
pub enum WatchCommand {
    /// Ask a question now and keep asking it automatically
    Add(AddWatch),
    /// List the watched questions
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show what has changed in the answers to a question
    Show {
        /// Its id, or part of it (default: every question)
        id: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check the questions that are due, or one now; for cron and timers where Nexi's window is not open
    Run {
        /// Check this question now, whether or not it is due
        id: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Change when a question is checked
    Every {
        /// Its id, or part of it
        id: String,
        /// For example 6h, 1d, 2w or "1d at 08:00"
        #[arg(value_parser = schedule)]
        schedule: Schedule,
    },
    /// Pause the checks of a question
    Pause {
        /// Its id, or part of it
        id: String,
    },
    /// Resume the checks of a question
    Resume {
        /// Its id, or part of it
        id: String,
    },
    /// Stop watching questions; their answers stay
    Remove {
        /// Their ids, or parts of them
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
    },
    /// Print the changes as an Atom feed
    Feed {
        /// Write this file, which may be there only as an earlier feed (default: standard output)
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub struct AddWatch {
    /// The question
    #[arg(required_unless_present = "turn", value_name = "QUESTION")]
    pub question: Vec<String>,
    /// How often: hours, days or weeks, such as 6h, 1d, 2w or "1d at 08:00"
    #[arg(long, value_name = "SCHEDULE", default_value = "1d", value_parser = schedule)]
    pub every: Schedule,
    /// Watch the question of this turn, by its id or part of it, without asking it now; words given besides take its place
    #[arg(long, value_name = "ID", add = complete::turn(), conflicts_with_all = ["effort", "deep", "focus", "model", "docs"])]
    pub turn: Option<String>,
    /// How thorough: s (8 steps), m (16 steps) or l (32 steps)
    #[arg(short, long, value_name = "s|m|l", value_parser = one_of::<Effort>(EFFORTS))]
    pub effort: Option<Effort>,
    /// Deep research each time
    #[arg(short, long)]
    pub deep: bool,
    /// Where to look
    #[arg(short, long, value_name = "web|documents|both", default_value = "both", value_parser = one_of::<Focus>(FOCUSES))]
    pub focus: Focus,
    /// Model to use: a provider, `provider/model`, or `builtin` for none
    #[arg(short, long, value_name = "NAME", add = complete::model())]
    pub model: Option<String>,
    /// Also search this folder or file; can be repeated
    #[arg(long, value_name = "PATH")]
    pub docs: Vec<PathBuf>,
    /// Cost limit of each check in US dollars
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true, value_parser = dollars)]
    pub max_cost: Option<f64>,
    /// No cost limit, for models whose price is not known
    #[arg(long, conflicts_with = "max_cost")]
    pub any_cost: bool,
    /// The question stands alone, whatever words such as "it" or "there" are in it
    #[arg(long)]
    pub as_is: bool,
    /// Hide progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl AddWatch {
    /// How the question is asked the first time.
    pub fn how(&self) -> How {
        How {
            effort: self.effort,
            deep: self.deep,
            focus: self.focus,
            model: self.model.clone(),
            docs: self.docs.clone(),
            max_cost: self.max_cost,
            any_cost: self.any_cost,
            ..How::default()
        }
    }
}

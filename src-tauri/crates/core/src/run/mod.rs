//! A run as a pure state machine: inputs are what happened, effects are what to do next.
//!
//! ```text
//! Asked ──▶ Thinking ──Replied──▶ Acting ──all results──▶ Thinking ── … ──▶ Ended
//!              │                                 │
//!              └──────── Compacting ◀────────────┘   (the window is nearly full)
//! ```
//!
//! While it acts, pages that were asked for with instructions or in chunks are given to the model
//! one by one, beside the conversation.
//!
//! Folding a run's journaled inputs over a fresh [`Run`] gives its state at that moment, and
//! [`Run::outstanding`] gives the effects whose results had not come back.

mod acting;
mod ahead;
mod budget;
mod compact;
mod conversation;
mod digest;
mod ending;
mod finish;
mod machine;
mod results;
mod sources;
mod thinking;

use serde::{Deserialize, Serialize};

use crate::{
    model::{Delta, ModelError, ModelRequest, Reply},
    ports::{Failure, Found, Page, Query},
    pricing::Price,
    prompts::Prompts,
    protocol::{Effort, Ending, Event, Focus},
};

pub use machine::Run;
pub use results::{PageResult, QueryResult, ReadPage, Shown, ToolResult, excerpt};
pub use sources::KnownSource;

/// The part of a tool call that an effect performs: step, call within the step, part of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    pub step: u32,
    pub call: u32,
    pub part: u32,
}

/// What the model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The next step.
    Step,
    /// The answer, because a limit was reached.
    FinalAnswer,
    /// A summary of the conversation.
    Compaction,
    /// What one page says about the question.
    Extraction,
    /// Which chunks of one page matter.
    Selection,
}

/// The sizes a run keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// In steps.
    pub max_steps: u32,
    /// In tokens.
    pub max_context: u32,
    /// Share of the window at which compaction begins.
    pub compact_at: f64,
    /// In words.
    pub compact_target_words: u32,
    /// In assistant messages.
    pub preserve_last: u32,
    /// In tokens.
    pub max_output_tokens: u32,
    /// Tokens that the whole run may use.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_tokens: Option<u64>,
    /// Millionths of a US dollar that the whole run may cost.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_cost: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: Effort::M.max_steps(),
            max_context: 128_000,
            compact_at: 0.9,
            compact_target_words: 5000,
            preserve_last: 3,
            max_output_tokens: 8192,
            max_tokens: None,
            max_cost: None,
        }
    }
}

/// An earlier turn of the thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    pub question: String,
    pub answer: String,
}

/// The question and all that a run needs to know at its beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub question: String,
    pub effort: Effort,
    pub limits: Limits,
    /// What faces show as the model.
    pub model: String,
    /// The day it was asked, as `YYYY-MM-DD`.
    pub today: String,
    /// By which tokens are counted: an encoding, or empty for an approximation.
    #[serde(default)]
    pub encoding: String,
    /// In seconds, counted over the whole run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time_target: Option<u32>,
    /// Prompts that are not ours.
    #[serde(skip_serializing_if = "no_prompts", default)]
    pub prompts: Prompts,
    /// What the model costs, where it is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub price: Option<Price>,
    /// Whether the model understands text, so that it can extract, choose and summarise; the
    /// built-in researcher does not.
    pub assisted: bool,
    /// Pages that may be fetched before the model asks for them, in the whole run.
    #[serde(default)]
    pub ahead: u32,
    /// Which of the settings' providers is asked first, if the person chose one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub provider: Option<String>,
    #[serde(skip_serializing_if = "is_default", default)]
    pub focus: Focus,
    /// Hosts whose results stand behind all others.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub demoted: Vec<String>,
    pub earlier: Vec<Earlier>,
    /// Sources of earlier turns, which keep their numbers.
    pub known: Vec<KnownSource>,
    /// Folders that this run may search besides those of the settings.
    pub folders: Vec<String>,
}

fn is_default(focus: &Focus) -> bool {
    *focus == Focus::default()
}

fn no_prompts(prompts: &Prompts) -> bool {
    prompts.0.is_empty()
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Input {
    Asked {
        asked: Box<Asked>,
    },
    /// Never journaled: the whole reply is.
    #[serde(skip)]
    Delta {
        request: u32,
        delta: Delta,
    },
    /// What had been streamed when something else happened that depends on it. Deltas are not in
    /// the journal, so without it a replay would decide otherwise.
    Wrote {
        request: u32,
        text: String,
    },
    Replied {
        request: u32,
        reply: Reply,
    },
    ModelFailed {
        request: u32,
        error: ModelError,
    },
    Searched {
        key: Key,
        found: Result<Found, Failure>,
    },
    PageRead {
        key: Key,
        page: Result<Box<Page>, Failure>,
    },
    /// The time target has passed; `hard` means that patience has, too.
    TimeUp {
        hard: bool,
    },
    Cancelled,
}

impl Input {
    /// Whether what it leads to depends on what has been streamed.
    pub fn depends_on_partial(&self) -> bool {
        matches!(self, Input::TimeUp { .. } | Input::Cancelled | Input::ModelFailed { .. })
    }

    /// Whether the journal keeps it.
    pub fn is_journaled(&self) -> bool {
        !matches!(self, Input::Delta { .. })
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the model; answer with `Replied` or `ModelFailed` for the same request.
    AskModel { request: u32, purpose: Purpose, body: ModelRequest },
    /// Search; answer with `Searched` for the same key.
    Search { key: Key, query: Query },
    /// Read; answer with `PageRead` for the same key.
    Read { key: Key, url: String },
    /// Fetch pages that will probably be asked for. There is no answer to this: whoever performs
    /// it keeps the pages at hand for a later `Read`, and may leave it out.
    Anticipate { urls: Vec<String> },
    /// Stop whatever is still going on; its results would be ignored.
    Abandon,
    /// Tell the faces.
    Emit(Event),
    /// The run is over.
    Finish(Box<Ending>),
}

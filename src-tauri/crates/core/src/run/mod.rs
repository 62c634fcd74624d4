//! A run as a pure state machine: inputs are what happened, effects are what to do next.
//!
//! ```text
//! Asked ──▶ Thinking ──Replied──▶ Acting ──all results──▶ Thinking ── … ──▶ Ended
//!              │                                 │
//!              └──────── Compacting ◀────────────┘   (the window is nearly full)
//! ```
//!
//! Folding a run's journaled inputs over a fresh [`Run`] gives its state at that moment, and
//! [`Run::outstanding`] gives the effects whose results had not come back.

mod acting;
mod compact;
mod finish;
mod machine;
mod results;
mod sources;

use serde::{Deserialize, Serialize};

use crate::{
    model::{Delta, ModelError, ModelRequest, Reply},
    ports::{Failure, Found, Page},
    protocol::{Effort, Ending, Event},
};

pub use machine::Run;
pub use results::{PageResult, QueryResult, ReadPage, ToolResult};
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
    /// The system prompt, rendered.
    pub system: String,
    pub earlier: Vec<Earlier>,
    /// Sources of earlier turns, which keep their numbers.
    pub known: Vec<KnownSource>,
    /// Folders that this run may search besides those of the settings.
    pub folders: Vec<String>,
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
    Search { key: Key, query: String },
    /// Read; answer with `PageRead` for the same key.
    Read { key: Key, url: String },
    /// Stop whatever is still going on; its results would be ignored.
    Abandon,
    /// Tell the faces.
    Emit(Event),
    /// The run is over.
    Finish(Box<Ending>),
}

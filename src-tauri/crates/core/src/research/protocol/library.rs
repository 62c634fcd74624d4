//! What frontends are told about the library.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Effort, Mode, TurnState};
use crate::ids::{ThreadId, TurnId};

/// Which threads to show. All conditions have to hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct LibraryQuery {
    /// Words that must occur in one turn's question, answer or sources; empty for all threads.
    pub text: String,
    /// Changed at this time or later, in Unix milliseconds.
    #[ts(type = "number | null")]
    pub since_ms: Option<i64>,
    /// Changed before this time, in Unix milliseconds.
    #[ts(type = "number | null")]
    pub until_ms: Option<i64>,
    pub effort: Option<Effort>,
    /// Threads with at least one run of this kind.
    pub mode: Option<Mode>,
    /// A host that one of its sources has.
    pub site: Option<String>,
    /// Only what is pinned.
    pub pinned: bool,
    pub tag: Option<String>,
    /// The id of the space that they belong to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub space: Option<String>,
    /// Rows to leave out at the beginning.
    pub offset: u32,
    /// Rows to return at most, from 1 to 200.
    pub limit: u32,
}

/// Something the person wants Nexi to remember, such as what they work with or how they like answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Memory {
    pub id: String,
    pub text: String,
    /// The id of the space in which it is told; none is everywhere.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub space: Option<String>,
    /// Unix time in milliseconds.
    #[ts(type = "number")]
    pub created_ms: i64,
}

/// A question that was asked before, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AskedBefore {
    pub thread: ThreadId,
    pub turn: TurnId,
    pub question: String,
    /// Unix time in milliseconds.
    #[ts(type = "number")]
    pub asked_ms: i64,
    /// Whether it asks the same, and not only something like it.
    pub is_same: bool,
}

/// A search of the library that is kept under a name. Its time is counted from the day on which it is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SavedSearch {
    pub name: String,
    pub text: String,
    /// Changed within so many days; 0 for any time.
    pub days: u32,
    pub effort: Option<Effort>,
    pub mode: Option<Mode>,
    pub site: Option<String>,
    pub pinned: bool,
    pub tag: Option<String>,
    /// The id of a space.
    pub space: Option<String>,
}

/// Something that was deleted and can still be brought back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeletedItem {
    /// By which it is brought back, or deleted for good: that of the thread, or of the turn where that was deleted alone.
    pub id: String,
    /// Whether a turn was deleted alone, and not a thread.
    pub is_turn: bool,
    /// Of the thread, or the question.
    pub title: String,
    pub turns: u32,
    /// Unix time in milliseconds.
    #[ts(type = "number")]
    pub deleted_ms: i64,
    /// From then on it is gone for good.
    #[ts(type = "number")]
    pub gone_ms: i64,
}

/// Some rows of the library: newest first, or best first if there are words to look for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LibraryPage {
    pub rows: Vec<LibraryRow>,
    /// Whether there are rows behind these.
    pub more: bool,
}

/// A thread in the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LibraryRow {
    pub id: ThreadId,
    pub title: String,
    /// Unix time in milliseconds of the last change.
    #[ts(type = "number")]
    pub updated_ms: i64,
    /// Of its last turn.
    pub state: TurnState,
    pub pinned: bool,
    pub tags: Vec<String>,
    pub turns: u32,
    pub sources: u32,
    /// Of its last turn.
    pub effort: Effort,
    /// Deep where any run of the thread was.
    #[serde(default)]
    pub mode: Mode,
    /// Of all runs together.
    #[ts(type = "number")]
    pub duration_ms: u64,
    /// Of all runs together, in millionths of a US dollar.
    #[ts(type = "number")]
    pub cost: u64,
    /// Where the words were found.
    pub hit: Option<LibraryHit>,
    /// One line about it, as the model wrote it; empty where there is none.
    #[serde(default)]
    pub description: String,
    /// How the answer of its last turn begins, as text without marks.
    #[serde(default)]
    pub beginning: String,
    /// The name of the space that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub space: Option<String>,
}

/// What is noticed of a question while it is typed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct TypedHints {
    /// An earlier question that is much like it.
    #[ts(optional)]
    pub before: Option<AskedBefore>,
    /// It is about something else than the thread that it is typed into.
    pub new_topic: bool,
}

/// A turn in which the words of a search were found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LibraryHit {
    pub turn: TurnId,
    /// A stretch of its text.
    pub pieces: Vec<Piece>,
}

/// A piece of a text, marked if it is what was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Piece {
    pub text: String,
    pub hit: bool,
}

/// A turn before its answer is shown: long threads are opened so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TurnOutline {
    pub id: TurnId,
    pub question: String,
    pub state: TurnState,
    /// Bytes of its answer, by which its height can be guessed.
    pub length: u32,
}

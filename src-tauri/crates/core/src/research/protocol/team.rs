//! Threads that people share with each other.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Piece;
use crate::ids::ThreadId;

/// Which shared threads to show. All conditions have to hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct TeamSearch {
    /// Words that must occur in one turn's question or answer, or in the title; empty for all threads.
    pub text: String,
    /// With a turn at this time or later, in Unix milliseconds.
    #[ts(type = "number | null")]
    pub since_ms: Option<i64>,
    pub tag: Option<String>,
    /// Rows to leave out at the beginning.
    pub offset: u32,
    /// Rows to return at most, from 1 to 200.
    pub limit: u32,
}

/// Some shared threads: newest first, or best first if there are words to look for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TeamPage {
    pub rows: Vec<TeamRow>,
    /// Whether there are rows behind these.
    pub more: bool,
}

/// A shared thread in the team library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TeamRow {
    /// Its name among those that are shared, by which it is opened.
    pub id: ThreadId,
    pub title: String,
    /// One line about it; empty where there is none.
    pub description: String,
    pub tags: Vec<String>,
    /// The name of the author's space that it belongs to.
    pub space: Option<String>,
    /// Who shared it: a user of the database.
    pub author: String,
    /// Whether that is the person themselves.
    pub own: bool,
    /// The role whose members may see it; none is everybody.
    pub role: Option<String>,
    /// Whose thread it goes on from.
    pub origin: Option<String>,
    pub turns: u32,
    /// Unix time in milliseconds of its last turn.
    #[ts(type = "number")]
    pub updated_ms: i64,
    /// Where the words were found.
    pub pieces: Vec<Piece>,
}

/// How a thread of one's own is shared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SharedFacts {
    /// The role whose members may see it; none is everybody.
    pub role: Option<String>,
    /// Because its space is.
    pub by_space: bool,
    /// Whether answers that rest on private text go along.
    pub private: bool,
    /// How many answers do not.
    pub held: u32,
    /// What the team library is still to be told of it.
    pub waiting: u32,
}

/// Whose a shared thread is that is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TeamFacts {
    pub author: String,
    /// Whether that is the person themselves, who no longer has it here.
    pub own: bool,
}

/// How sharing stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct TeamStatus {
    /// The database of the team library, by its name in the settings; none where there is none.
    pub library: Option<String>,
    /// Threads of one's own that are shared.
    pub shared: u32,
    /// Answers of these that are held back, because they rest on private text.
    pub held: u32,
    /// What the team library is still to be told.
    pub waiting: u32,
    /// Why it could not be told the last time; a sentence.
    pub trouble: Option<String>,
    /// The ids of the spaces whose threads are shared.
    pub spaces: Vec<String>,
}

//! Spaces: threads that belong together.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A space: what the person wants for all threads in it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Space {
    pub id: String,
    pub name: String,
    /// Instructions for models, sent with every question in it; empty if there are none.
    pub instructions: String,
    /// Folders and files that are searched in it in place of those of the settings; empty where those are.
    pub folders: Vec<String>,
    /// Who is asked in it; none as by the settings.
    pub model: Option<String>,
    /// Unix time in milliseconds.
    #[ts(type = "number")]
    pub created_ms: i64,
    /// How many threads belong to it.
    pub threads: u32,
}

/// What a person sets of a space.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct SpaceDraft {
    pub name: String,
    pub instructions: String,
    pub folders: Vec<String>,
    pub model: Option<String>,
}

impl From<Space> for SpaceDraft {
    fn from(space: Space) -> Self {
        Self { name: space.name, instructions: space.instructions, folders: space.folders, model: space.model }
    }
}

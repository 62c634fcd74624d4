//! What a run itself writes into an answer, around what others wrote.

use serde::{Deserialize, Serialize};

use crate::quotes;

/// The sentences of an answer or a report that no model has written, in the person's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnWords {
    /// Above further quotations.
    pub also: String,
    /// Above the titles of what was read, where no passage fits.
    pub no_source: String,
    /// The heading of what each researcher found first.
    pub key_findings: String,
    /// The heading of tasks that came to nothing.
    pub not_established: String,
}

impl Default for OwnWords {
    fn default() -> Self {
        Self {
            also: quotes::ALSO.into(),
            no_source: "No source answers the question. These were read:".into(),
            key_findings: "Key findings".into(),
            not_established: "What could not be established".into(),
        }
    }
}

impl OwnWords {
    pub(super) fn are_usual(&self) -> bool {
        *self == Self::default()
    }
}

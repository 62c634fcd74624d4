//! What a run itself writes into an answer, around what others wrote.

use serde::{Deserialize, Serialize};

use crate::quotes;

/// The sentences of an answer or a report that no model has written, in the person's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnWords {
    /// Above further quotations.
    pub also: String,
    /// Above the titles of what was read, where no passage fits.
    pub no_source: String,
    /// The heading of what each researcher found first.
    pub key_findings: String,
    /// The heading of tasks that came to nothing.
    pub not_established: String,
    /// Whether each of them says why, in English. The method tells it in the person's language.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub with_reasons: bool,
}

/// Those of journals that name none.
impl Default for OwnWords {
    fn default() -> Self {
        Self {
            also: quotes::ALSO.into(),
            no_source: "No passage answers the question. These sources were read:".into(),
            key_findings: "Key findings".into(),
            not_established: "What could not be established".into(),
            with_reasons: true,
        }
    }
}

impl OwnWords {
    pub(super) fn are_usual(&self) -> bool {
        *self == Self::default()
    }
}

//! Requests beside the conversation, which a cheaper model can do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::model::Purpose;

/// A kind of request that `side_model` may be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideTask {
    /// The plan of a deep run.
    Planning,
    /// What one page says about the question.
    Extraction,
    /// Which chunks of a page matter.
    Selection,
    /// Summaries that make room in the context window.
    Compaction,
    /// The second look at statements that are not supported.
    Check,
    /// Whether a round of a deep run found enough. Whoever decides that writes the report, too, when it did.
    Evaluation,
}

impl SideTask {
    /// Those that a cheaper model does as well as any.
    pub const DEFAULT: [Self; 3] = [Self::Extraction, Self::Selection, Self::Compaction];

    /// The task that a request belongs to; none for those of the conversation itself.
    pub fn of(purpose: Purpose) -> Option<Self> {
        match purpose {
            Purpose::Planning => Some(Self::Planning),
            Purpose::Extraction => Some(Self::Extraction),
            Purpose::Selection => Some(Self::Selection),
            Purpose::Compaction | Purpose::ThreadSummary => Some(Self::Compaction),
            Purpose::Check => Some(Self::Check),
            Purpose::Evaluation => Some(Self::Evaluation),
            Purpose::Step | Purpose::FinalAnswer | Purpose::Synthesis => None,
        }
    }
}

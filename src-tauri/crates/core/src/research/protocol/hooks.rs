//! The events that hooks are called for, and the outcomes of deliveries.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ids::TurnId;

/// An event that a hook can be called for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HookEvent {
    /// A question was answered, in full or in part.
    Answered,
    /// A question has no answer, because something failed or nothing was found.
    Failed,
    /// The answer to a watched question changed.
    Changed,
}

impl HookEvent {
    pub const ALL: [HookEvent; 3] = [HookEvent::Answered, HookEvent::Failed, HookEvent::Changed];
    /// The events of a hook that names none.
    pub const DEFAULT: [HookEvent; 2] = [HookEvent::Answered, HookEvent::Changed];

    pub fn as_str(self) -> &'static str {
        match self {
            HookEvent::Answered => "answered",
            HookEvent::Failed => "failed",
            HookEvent::Changed => "changed",
        }
    }
}

impl std::str::FromStr for HookEvent {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = HookEvent::ALL.into_iter().find(|event| event.as_str() == word.trim());
        found.ok_or_else(|| format!("must be answered, failed or changed, not {word:?}"))
    }
}

/// What came of one try to deliver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DeliveryOutcome {
    Delivered,
    /// It could not be delivered; none as the next try means that there is none.
    Failed {
        /// A sentence or the end of one.
        message: String,
        /// In Unix milliseconds.
        #[ts(type = "number | null")]
        again_ms: Option<i64>,
    },
    /// The address says that it is no longer there, and the hook was turned off.
    Gone,
}

/// A delivery as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Delivery {
    pub id: String,
    pub hook: String,
    /// None is a test.
    pub event: Option<HookEvent>,
    pub turn: Option<TurnId>,
    /// Its question.
    pub question: Option<String>,
    /// When it came up, in Unix milliseconds, like all moments here.
    #[ts(type = "number")]
    pub created_ms: i64,
    /// None while it was not tried.
    #[ts(type = "number | null")]
    pub tried_ms: Option<i64>,
    pub attempts: u32,
    /// None while it was not tried.
    pub outcome: Option<DeliveryOutcome>,
}

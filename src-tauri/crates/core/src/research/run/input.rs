//! What happens to a run.

use serde::{Deserialize, Serialize};

use super::{Asked, Key};
use crate::{
    model::{Delta, ModelError, Reply},
    ports::{Failure, Found, Page},
    protocol::{Plan, ResearcherId},
    user_tools::{Called, GrantScope},
};

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Input {
    /// The first one of every journal, with which a run begins. It has no effect on one that has begun.
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
    #[serde(rename = "wrote")]
    PartialOutput {
        request: u32,
        text: String,
        /// It stood beside the calls of a step and is no answer.
        #[serde(rename = "talk", skip_serializing_if = "std::ops::Not::not", default)]
        preamble: bool,
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
    /// A call of a tool of the person's own came back.
    Called {
        key: Key,
        result: Result<Box<Called>, Failure>,
    },
    /// The person let through what was held back, or did not.
    Permitted {
        key: Key,
        allowed: bool,
        /// How far it reaches, where it is about a call of a tool.
        #[serde(skip_serializing_if = "GrantScope::is_once", default)]
        scope: GrantScope,
    },
    /// The time target has passed; `hard` says that the grace period after it has, too, so the run ends now.
    TimeUp {
        hard: bool,
    },
    Cancelled,
    /// The person wants the answer now, from what there is.
    FinishNow,
    /// The plan of a deep run may be carried out, with the tasks that it has here.
    PlanApproved {
        plan: Plan,
    },
    /// The person stops one researcher of a deep run.
    StopResearcher {
        researcher: ResearcherId,
    },
    /// What happened to one researcher of a deep run.
    Of {
        researcher: ResearcherId,
        input: Box<Input>,
    },
}

impl Input {
    /// Whether what it leads to depends on what has been streamed.
    pub fn depends_on_partial(&self) -> bool {
        match self {
            Input::TimeUp { .. } | Input::Cancelled | Input::FinishNow | Input::StopResearcher { .. } | Input::ModelFailed { .. } => true,
            Input::Of { input, .. } => input.depends_on_partial(),
            _ => false,
        }
    }

    /// Whether the journal keeps it.
    pub fn is_journaled(&self) -> bool {
        match self {
            Input::Delta { .. } => false,
            Input::Of { input, .. } => input.is_journaled(),
            _ => true,
        }
    }
}

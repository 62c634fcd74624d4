//! What goes wrong in a run while it goes on, as facts: what happened, at which service, and what
//! is done about it. Frontends make sentences and countdowns of it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::cause::Cause;

/// Something that went wrong, or has to be waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Incident {
    pub kind: IncidentKind,
    /// The service as people know it, such as `OpenAI` or `Wikipedia`; empty where it concerns no single service.
    pub service: String,
    /// The HTTP status, where there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub status: Option<u16>,
    /// A number that belongs to the kind: tokens of a window or an output limit, turns left out, requests a minute.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub amount: Option<u32>,
    pub action: IncidentAction,
    /// The service's own words, shortened.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub said: Option<String>,
    /// Why a search service failed, as facts.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "super::lenient::if_known")]
    #[ts(optional)]
    pub cause: Option<Box<Cause>>,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IncidentKind {
    /// Asked too often.
    RateLimited,
    /// The person's own limit of requests a minute, `amount`, is reached.
    OwnLimit,
    /// A status from 500.
    ServerError,
    Unreachable,
    /// Nothing came within the time limit.
    TimedOut,
    /// The reply broke off or could not be read.
    BrokenReply,
    /// The key was refused, or there is none.
    KeyRefused,
    NoBalance,
    UnknownModel,
    /// The address answers with something else than the API.
    WrongAddress,
    /// The service did not accept the request.
    Rejected,
    /// The conversation was longer than the context window, of `amount` tokens where that is known.
    ContextFull,
    /// The model used all of its output, `amount` tokens, for thinking.
    CutOffThinking,
    /// The model works with tools that are described in words.
    ToolsInText,
    /// The `amount` oldest turns of the thread do not fit the context window.
    TurnsLeftOut,
    /// A search service failed for another reason.
    SearchFailed,
}

/// What is done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum IncidentAction {
    /// It is asked again after this many milliseconds, counted from the event.
    Retry {
        #[ts(type = "number")]
        wait_ms: u64,
    },
    /// Another model takes over.
    NextModel { model: String },
    /// The run goes on with the other services.
    Others,
    /// The conversation was shortened. Trying again.
    Shorten,
    /// The model is asked again with more room for its reply.
    MoreOutput,
    /// The answer is put together from the sources without the model.
    WithoutModel,
    /// Nothing; the run goes on as it is.
    None,
}

impl Incident {
    /// An incident without further facts.
    pub fn new(kind: IncidentKind, service: impl Into<String>, action: IncidentAction) -> Self {
        Self { kind, service: service.into(), status: None, amount: None, action, said: None, cause: None }
    }

    /// The pause until the service is asked again.
    pub fn wait(&self) -> Option<Duration> {
        match self.action {
            IncidentAction::Retry { wait_ms } => Some(Duration::from_millis(wait_ms)),
            _ => None,
        }
    }

    /// Whether the other one tells the same, so that it need not be told twice in a run.
    pub fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind && self.service == other.service && self.wait().is_none() && other.wait().is_none()
    }
}

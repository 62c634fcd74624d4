//! What is held back because it could carry private text away.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Event, ResearcherId};
use crate::user_tools::ShownArgument;

/// Something that would leave this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Outgoing {
    /// A page that would be fetched.
    Address { url: String },
    /// A search that would be sent to services.
    Query { text: String },
    /// A call of a tool of the person's own.
    Call {
        server: String,
        tool: String,
        arguments: Vec<ShownArgument>,
        /// Whether it says that it changes nothing, so that more than this call can be granted.
        reads: bool,
        /// Whether all calls from now on can be granted.
        lasting: bool,
        /// Whether the arguments hold what is found only in private text.
        private: bool,
        /// What the tool says of itself, in the words that were approved.
        about: String,
    },
}

impl Outgoing {
    /// The address, the words, or the tool.
    pub fn text(&self) -> &str {
        match self {
            Outgoing::Address { url } => url,
            Outgoing::Query { text } => text,
            Outgoing::Call { tool, .. } => tool,
        }
    }
}

/// Which call of a turn is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS, JsonSchema)]
pub struct HeldId {
    /// Whose call it is in a deep run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub researcher: Option<ResearcherId>,
    pub step: u32,
    /// The call within its step, from 0.
    pub call: u32,
    /// The address or query within its call, from 0.
    pub part: u32,
}

impl Event {
    /// What is held back by this, and which call that is.
    pub fn held(&self) -> Option<(HeldId, &Outgoing)> {
        match self {
            Event::Held { step, call, part, what, .. } => Some((HeldId { researcher: None, step: *step, call: *call, part: *part }, what)),
            Event::Researcher { researcher, event } => {
                event.held().map(|(id, what)| (HeldId { researcher: Some(*researcher), ..id }, what))
            }
            _ => None,
        }
    }

    /// Which call the person has let through by this.
    pub fn let_through(&self) -> Option<HeldId> {
        self.released().filter(|(_, allowed)| *allowed).map(|(id, _)| id)
    }

    /// Which call no longer waits for the person, and whether it was let through.
    pub fn released(&self) -> Option<(HeldId, bool)> {
        match self {
            Event::Released { step, call, part, allowed } => {
                Some((HeldId { researcher: None, step: *step, call: *call, part: *part }, *allowed))
            }
            Event::Researcher { researcher, event } => {
                event.released().map(|(id, allowed)| (HeldId { researcher: Some(*researcher), ..id }, allowed))
            }
            _ => None,
        }
    }
}

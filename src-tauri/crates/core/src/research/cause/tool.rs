//! Why a tool of the person's own could not be called: its server, its program, its approval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Fault;
use crate::text;

/// What went wrong with a server or a command. Sentences follow the name of what they are of, and a colon.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ToolCause {
    #[error("it gave no sign of life for {}; the call was stopped", text::count(*seconds, "second"))]
    SilentCall { seconds: u64 },
    #[error("it sent a reply that Nexi cannot read")]
    UnreadableReply,
    #[error("it did not answer within {}", text::count(*seconds, "second"))]
    NotAnswered { seconds: u64 },
    #[error("it could not be reached: {message}")]
    Unreached { message: String },
    #[error("{program} stopped while starting, or does not speak MCP ({message})")]
    StoppedStarting { program: String, message: String },
    #[error("{program} stopped while starting. Its last message: {said}")]
    StoppedSaying { program: String, said: String },
    #[error("{program} was not found. Install it, or give its full path")]
    NotFound { program: String },
    #[error("{program} could not be started: {message}")]
    NotStarted { program: String, message: String },
    #[error("its pipes could not be opened")]
    NoPipes,
    #[error("it answered: {said}")]
    Answered { said: String },
    #[error("it closed the connection")]
    Closed,
    #[error("a request could not be sent: {message}")]
    NotSent { message: String },
    #[error("it did not end within {} and was stopped", text::count(*seconds, "second"))]
    DidNotEnd { seconds: u64 },
    #[error("its server was stopped")]
    Stopped,
    #[error("this tool has changed since it was approved. The user has to approve it again in Settings, Tools, or with nexi tools approve")]
    Changed,
    #[error("its server no longer offers it")]
    Gone,
    #[error("it is no longer among the tools that the user has approved")]
    NotApproved,
    #[error("its keys could not be looked up")]
    NoKeys,
    #[error("the value of {variable} is missing; store it with: nexi tools secret {server} {variable}")]
    MissingSecret { variable: String, server: String },
    #[error("the settings of the network hold a mistake, so nothing is sent")]
    NetworkSettings,
    #[error("it needs a key or a sign-in. Use Settings, Tools, or run nexi tools sign-in {server} (for a key: nexi tools secret {server})")]
    NeedsSignIn { server: String },
    #[error("it ended: {said}")]
    Ended { said: String },
    #[error("it ended with code {exit}: {said}")]
    EndedWith { exit: i32, said: String },
    #[error("it ended and gave no reason")]
    EndedSilently,
    #[error("it ended with code {exit} and gave no reason")]
    EndedSilentlyWith { exit: i32 },
    #[error("the argument `{name}` is missing")]
    MissingArgument { name: String },
    #[error("the argument `{name}` must not begin with a hyphen")]
    HyphenArgument { name: String },
    #[error("the argument `{name}` holds a character that no program takes")]
    OddArgument { name: String },
    #[error("it failed without giving a reason")]
    NoReason,
    /// What the tool itself says of its failure.
    #[error("{said}")]
    Said { said: String },
    #[error("the user did not allow this call")]
    NotAllowed,
    #[error("the user has not allowed this tool, and nobody can be asked")]
    NobodyAsked,
    #[error("its arguments contain private text or an address from it, and nobody can be asked; use other words")]
    HoldsPrivate,
}

impl ToolCause {
    /// What it means for those who decide what to do next.
    pub(super) fn fault(&self) -> Fault {
        match self {
            Self::SilentCall { .. }
            | Self::NotAnswered { .. }
            | Self::Unreached { .. }
            | Self::StoppedStarting { .. }
            | Self::StoppedSaying { .. }
            | Self::NotFound { .. }
            | Self::NotStarted { .. }
            | Self::NoPipes
            | Self::Closed
            | Self::NotSent { .. } => Fault::Transient,
            Self::NotApproved => Fault::Forbidden,
            Self::MissingSecret { .. } | Self::NeedsSignIn { .. } => Fault::Key,
            _ => Fault::Other,
        }
    }
}

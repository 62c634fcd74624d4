//! What goes wrong with a model.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Instead;
use crate::{
    reading::text,
    research::incident::{Incident, IncidentAction, IncidentKind},
};

/// What went wrong with a model, in terms a caller can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModelError {
    /// Of this and the next ones `said` holds the service's own words; empty where it has none.
    #[error("{provider} refused the API key ({status}). Check the key in Settings, or the environment variable it comes from.{}", words(.said))]
    Unauthorized {
        provider: String,
        status: u16,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        said: String,
    },
    /// It was asked without one.
    #[error("{provider} needs an API key. Enter it in Settings, or store it with `nexi key set {provider}`.{}", words(.said))]
    KeyWanted {
        provider: String,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        said: String,
    },
    /// A header cannot carry it, so it was not sent.
    #[error(
        "The API key of {provider} contains a space, a line break or another character that keys never have. Enter it again in Settings, or correct the environment variable it comes from."
    )]
    UnusableKey { provider: String },
    #[error("The account at {provider} has no balance left. Add credit at the service, or use another model.{}", words(.said))]
    NoBalance {
        provider: String,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        said: String,
    },
    /// Kept for journals that were written before an unknown model and a wrong address were told apart.
    #[error("{provider} does not know {what}. Check the model ID and the base URL in Settings.")]
    NotFound { provider: String, what: String },
    #[error("{provider} has no model {model:?}. Choose another model ID in Settings.")]
    UnknownModel { provider: String, model: String },
    #[error("{provider} has nothing at {address}. Check the base URL in Settings; most end in /v1.")]
    WrongAddress { provider: String, address: String },
    #[error("{provider} answered with a web page, not with an API reply. Check the base URL in Settings.")]
    WebPage { provider: String },
    #[error("{provider} did not accept the request ({status}): {}", text::ended(.message))]
    Rejected { provider: String, status: u16, message: String },
    /// The conversation is longer than the model's context window; sizes in tokens, where the service named them.
    #[error("The conversation no longer fits the context window of {provider}{}. Ask a shorter question in a new thread, or choose a model with a larger window.", window_text(*.window))]
    ContextFull { provider: String, window: Option<u32>, prompt: Option<u32> },
    #[error("{provider} is rate limiting requests{}.{}", wait_text(*.retry_after), words(.said))]
    RateLimited {
        provider: String,
        #[ts(type = "{ secs: number, nanos: number } | null")]
        retry_after: Option<Duration>,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        said: String,
    },
    #[error("{provider} had a server error ({status}). Try again in a moment, or use another model.{}", words(.said))]
    Server {
        provider: String,
        status: u16,
        #[ts(type = "{ secs: number, nanos: number } | null")]
        retry_after: Option<Duration>,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        said: String,
    },
    #[error("{provider} could not be reached: {message}. Is it running, and is this computer online?")]
    Unreachable { provider: String, message: String },
    #[error("The secure connection to {provider} failed: {message}")]
    Tls { provider: String, message: String },
    #[error("{provider} sent nothing for {}. Allow more time with model_timeout in Settings.", seconds(*.after))]
    Silent {
        provider: String,
        #[ts(type = "{ secs: number, nanos: number }")]
        after: Duration,
    },
    #[error("{provider} was still writing after {}. Allow more time with model_total_timeout in Settings.", seconds(*.after))]
    Endless {
        provider: String,
        #[ts(type = "{ secs: number, nanos: number }")]
        after: Duration,
    },
    #[error("The connection to {provider} broke in the middle of a reply.")]
    Broken { provider: String },
    /// Of this and the next one `why` says what is wrong; `message` holds the service's own words where it has none, and
    /// what journals said before there were reasons.
    #[error("{provider} sent a reply that cannot be read: {}", spoilt(*.why, .message))]
    Malformed {
        provider: String,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        why: Option<BadReply>,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        message: String,
    },
    #[error("{provider} sent far more than an answer needs, so the request was stopped: {}", spoilt(*.why, .message))]
    Runaway {
        provider: String,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        why: Option<BadReply>,
        #[serde(skip_serializing_if = "String::is_empty", default)]
        message: String,
    },
    #[error("No API key for {provider}. Set {variable}, or store a key with `nexi key set {provider}` or in Settings.")]
    NoKey { provider: String, variable: String },
    #[error("Stopped.")]
    Cancelled,
}

/// What is wrong with a reply that no use can be made of. It follows a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BadReply {
    #[error("it is empty.")]
    Empty,
    #[error("it is not valid JSON.")]
    NotJson,
    #[error("an event is not valid JSON.")]
    EventNotJson,
    #[error("it is not a chat completion.")]
    NotACompletion,
    /// Our own code failed on it.
    #[error("Nexi failed to read it.")]
    BrokeReader,
    #[error("it never ends.")]
    NeverEnds,
    #[error("an event is larger than 1 MiB.")]
    LargeEvent,
}

impl ModelError {
    /// A reply that cannot be read, for this reason.
    pub fn malformed(provider: impl Into<String>, why: BadReply) -> Self {
        Self::Malformed { provider: provider.into(), why: Some(why), message: String::new() }
    }

    /// A reply that was cut off, for this reason.
    pub fn runaway(provider: impl Into<String>, why: BadReply) -> Self {
        Self::Runaway { provider: provider.into(), why: Some(why), message: String::new() }
    }

    /// Whether asking again can help.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            ModelError::RateLimited { .. }
                | ModelError::Server { .. }
                | ModelError::Unreachable { .. }
                | ModelError::Silent { .. }
                | ModelError::Broken { .. }
                | ModelError::Malformed { .. }
        )
    }

    /// Whether the service may come back in a while.
    pub fn is_passing(&self) -> bool {
        self.is_retryable() || matches!(self, ModelError::Endless { .. })
    }

    /// The service it is about; none where a run was stopped.
    pub fn provider(&self) -> Option<&str> {
        match self {
            ModelError::Unauthorized { provider, .. }
            | ModelError::UnusableKey { provider }
            | ModelError::KeyWanted { provider, .. }
            | ModelError::NoBalance { provider, .. }
            | ModelError::NotFound { provider, .. }
            | ModelError::UnknownModel { provider, .. }
            | ModelError::WrongAddress { provider, .. }
            | ModelError::WebPage { provider }
            | ModelError::Rejected { provider, .. }
            | ModelError::ContextFull { provider, .. }
            | ModelError::RateLimited { provider, .. }
            | ModelError::Server { provider, .. }
            | ModelError::Unreachable { provider, .. }
            | ModelError::Tls { provider, .. }
            | ModelError::Silent { provider, .. }
            | ModelError::Endless { provider, .. }
            | ModelError::Broken { provider }
            | ModelError::Malformed { provider, .. }
            | ModelError::Runaway { provider, .. }
            | ModelError::NoKey { provider, .. } => Some(provider),
            ModelError::Cancelled => None,
        }
    }

    /// The service's own words, or what the system says of a connection.
    pub fn said(&self) -> Option<&str> {
        let words = match self {
            ModelError::Rejected { message, .. }
            | ModelError::Unreachable { message, .. }
            | ModelError::Tls { message, .. }
            | ModelError::Malformed { message, .. }
            | ModelError::Runaway { message, .. } => message,
            ModelError::Unauthorized { said, .. }
            | ModelError::KeyWanted { said, .. }
            | ModelError::NoBalance { said, .. }
            | ModelError::RateLimited { said, .. }
            | ModelError::Server { said, .. } => said,
            _ => return None,
        };
        (!words.is_empty()).then_some(words)
    }

    /// The same failure with these words in place of the service's; see [`Self::said`].
    #[must_use]
    pub fn with_words(mut self, words: String) -> Self {
        match &mut self {
            ModelError::Rejected { message, .. }
            | ModelError::Unreachable { message, .. }
            | ModelError::Tls { message, .. }
            | ModelError::Malformed { message, .. }
            | ModelError::Runaway { message, .. } => *message = words,
            ModelError::Unauthorized { said, .. }
            | ModelError::KeyWanted { said, .. }
            | ModelError::NoBalance { said, .. }
            | ModelError::RateLimited { said, .. }
            | ModelError::Server { said, .. } => *said = words,
            _ => {}
        }
        self
    }

    /// How long the provider asked us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            ModelError::RateLimited { retry_after, .. } | ModelError::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

fn window_text(window: Option<u32>) -> String {
    window.map(|tokens| format!(" ({tokens} tokens)")).unwrap_or_default()
}

fn words(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(" It said: {}", text::ended(said)) }
}

fn spoilt(why: Option<BadReply>, message: &str) -> String {
    why.map_or_else(|| message.to_owned(), |why| why.to_string())
}

fn wait_text(after: Option<Duration>) -> String {
    after.map(|after| format!("; try again in {}", seconds(after))).unwrap_or_default()
}

fn seconds(time: Duration) -> String {
    match time.as_secs().max(1) {
        seconds @ ..=180 => format!("{seconds} s"),
        seconds @ ..=7200 => format!("{} minutes", seconds.div_ceil(60)),
        seconds @ ..=172_800 => format!("{} hours", seconds.div_ceil(3600)),
        _ => "more than two days".into(),
    }
}

impl Incident {
    /// What a failing model means, and what is done about it.
    pub fn of_model(error: &ModelError, action: IncidentAction) -> Self {
        let kind = match error {
            ModelError::Unauthorized { .. } | ModelError::NoKey { .. } | ModelError::KeyWanted { .. } | ModelError::UnusableKey { .. } => {
                IncidentKind::KeyRefused
            }
            ModelError::NoBalance { .. } => IncidentKind::NoBalance,
            ModelError::NotFound { .. } | ModelError::UnknownModel { .. } => IncidentKind::UnknownModel,
            ModelError::WrongAddress { .. } | ModelError::WebPage { .. } => IncidentKind::WrongAddress,
            ModelError::Rejected { .. } => IncidentKind::Rejected,
            ModelError::ContextFull { .. } => IncidentKind::ContextFull,
            ModelError::RateLimited { .. } => IncidentKind::RateLimited,
            ModelError::Server { .. } => IncidentKind::ServerError,
            ModelError::Unreachable { .. } | ModelError::Tls { .. } => IncidentKind::Unreachable,
            ModelError::Silent { .. } | ModelError::Endless { .. } => IncidentKind::TimedOut,
            ModelError::Broken { .. } | ModelError::Malformed { .. } | ModelError::Runaway { .. } | ModelError::Cancelled => {
                IncidentKind::BrokenReply
            }
        };
        let status = match error {
            ModelError::Rejected { status, .. } | ModelError::Unauthorized { status, .. } | ModelError::Server { status, .. } => {
                Some(*status)
            }
            _ => None,
        };
        let said = error.said().map(str::to_owned);
        let amount = match error {
            ModelError::ContextFull { window, .. } => *window,
            _ => None,
        };
        Self { kind, service: error.provider().unwrap_or_default().to_owned(), status, amount, action, said, cause: None }
    }

    /// Who writes in place of another model, and why; none in journals that do not hold the failure.
    pub fn of_instead(instead: &Instead) -> Option<Self> {
        let action = IncidentAction::NextModel { model: instead.model.clone() };
        instead.error.as_ref().map(|error| Self::of_model(error, action))
    }
}

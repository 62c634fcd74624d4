//! What a model is asked and what it replies, whoever made it.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{protocol::Usage, run::ToolResult};

/// One message of the conversation that a model sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    System {
        text: String,
    },
    User {
        text: String,
    },
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    /// The one result of the call with the same id.
    Tool {
        call_id: String,
        result: ToolResult,
    },
}

/// A tool call as the model wrote it. Ids are unique within a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// JSON as the model wrote it, which may be broken.
    pub arguments: String,
    /// What the provider wants to have back with the call, unread.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<String>,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    Stop,
    ToolCalls,
    /// The output limit was reached: tool calls may be cut off and are not executed.
    Length,
    /// The provider refused.
    ContentFilter,
}

/// A whole reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub finish: FinishReason,
    /// None when the provider did not say.
    pub usage: Option<Usage>,
    /// Who replied and why, when it was not the first model of the chain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instead: Option<Instead>,
}

/// A model that took over from another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instead {
    /// What faces show as the model.
    pub model: String,
    /// What was wrong with the one before it, as a sentence.
    pub why: String,
}

/// A part of a reply as it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    Text(String),
    Reasoning(String),
    /// A piece of the arguments of the call at `index`; `name` comes with the first piece.
    Arguments {
        index: usize,
        name: String,
        piece: String,
    },
    /// What came so far is void: the request is made again.
    Restart,
}

/// Which tools a reply may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolSet {
    /// `web_search`, `web_get` and `final_answer`.
    Research,
    /// What a researcher of a deep run may still use, and `final_answer`.
    Researcher(Offer),
    /// `final_answer` alone.
    AnswerOnly,
    /// No tool: plain text is wanted.
    None,
}

/// The tools that a researcher may still use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offer {
    pub web: bool,
    pub stackexchange: bool,
    pub security: bool,
    pub grep: bool,
    /// `web_get`.
    pub read: bool,
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    pub messages: Vec<Message>,
    pub tools: ToolSet,
    /// In tokens.
    pub max_output_tokens: u32,
}

/// What went wrong with a model, in terms a caller can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ModelError {
    #[error("{provider} refused the key ({status}). Check it in Settings, or the variable it comes from.")]
    Unauthorized { provider: String, status: u16 },
    #[error("{provider} says that the account has no balance left.")]
    NoBalance { provider: String },
    #[error("{provider} does not know {what}. Check the model's name and the base URL in Settings.")]
    NotFound { provider: String, what: String },
    #[error("{provider} did not accept the request ({status}): {message}")]
    Rejected { provider: String, status: u16, message: String },
    #[error("{provider} asks to slow down{}.", wait_text(*.retry_after))]
    RateLimited { provider: String, retry_after: Option<Duration> },
    #[error("{provider} is in trouble ({status}).")]
    Server { provider: String, status: u16, retry_after: Option<Duration> },
    #[error("{provider} could not be reached: {message}. Is it running, and is this computer online?")]
    Unreachable { provider: String, message: String },
    #[error("The secure connection to {provider} failed: {message}")]
    Tls { provider: String, message: String },
    #[error("{provider} was silent for {}.", seconds(*.after))]
    Silent { provider: String, after: Duration },
    #[error("The connection to {provider} broke in the middle of a reply.")]
    Broken { provider: String },
    #[error("{provider} sent something that is not a model's reply: {message}")]
    Malformed { provider: String, message: String },
    #[error("{provider} sent more than any answer needs, and was stopped: {message}")]
    Runaway { provider: String, message: String },
    #[error("No key for {provider}. Set {variable}, or store one in the keyring.")]
    NoKey { provider: String, variable: String },
    #[error("Stopped.")]
    Cancelled,
}

impl ModelError {
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

    /// How long the provider asked us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            ModelError::RateLimited { retry_after, .. } | ModelError::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

fn wait_text(after: Option<Duration>) -> String {
    after.map(|after| format!(" and come back in {}", seconds(after))).unwrap_or_default()
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs().max(1))
}

/// Where the parts of a reply go while it is made.
pub type DeltaSink<'a> = &'a (dyn Fn(Delta) + Send + Sync);

/// A model. Adapters live in `nexi-llm`.
#[async_trait]
pub trait Model: Send + Sync {
    /// What faces show, such as `gpt-4.1-mini · work`.
    fn label(&self) -> String;

    /// The context window that the service itself tells, in tokens; none where it does not tell.
    async fn window(&self, _: &CancellationToken) -> Option<u32> {
        None
    }

    /// Asks once. Retries and failover are the adapter's business; an error is final.
    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError>;
}

//! What a model is asked and what it replies, whoever made it.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

mod error;
mod results;

pub use error::{BadReply, ModelError};
pub use results::{PageResult, QueryResult, ReadBefore, ReadPage, Shown, ToolResult};

use crate::{
    ports::TokenCounter,
    pricing::Price,
    research::{incident::Incident, usage::Usage},
    user_tools::UserTool,
};

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
        /// What the service sent with it and wants back.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        state: Option<Box<ProviderState>>,
    },
    /// The one result of the call with the same id.
    Tool {
        call_id: String,
        result: ToolResult,
    },
}

impl Message {
    /// Something that a model said, without anything that its service would want back.
    pub fn said(text: impl Into<String>, calls: Vec<ToolCall>) -> Self {
        Self::Assistant { text: text.into(), calls, state: None }
    }
}

/// What a service sent with a message besides its text and calls (reasoning, signatures, thinking
/// blocks, fields that Nexi does not know) and expects to get back with it, verbatim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderState {
    /// Wire format, address and model it came from. It is sent back to these only.
    pub origin: String,
    /// In the form of the wire format: content blocks, parts, output items, or one object with the
    /// extra fields of a message and its calls.
    pub items: Vec<Value>,
}

/// Names of fields that hold encrypted or signed data: many characters, few tokens.
const OPAQUE: [&str; 6] = ["signature", "thoughtSignature", "thought_signature", "encrypted_content", "data", "id"];

impl ProviderState {
    /// About as many tokens as the service counts when it gets this back. Encrypted data has a
    /// quarter as many tokens as bytes at most; text is counted.
    pub fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        fn of(name: &str, value: &Value, counter: &dyn TokenCounter) -> usize {
            match value {
                Value::String(text) if OPAQUE.contains(&name) => text.len().div_ceil(4),
                Value::String(text) => counter.count(text),
                Value::Array(items) => items.iter().map(|item| of(name, item, counter)).sum(),
                Value::Object(fields) => fields.iter().map(|(name, value)| of(name, value, counter)).sum(),
                Value::Null | Value::Bool(_) | Value::Number(_) => 1,
            }
        }
        self.items.iter().map(|item| of("", item, counter)).sum()
    }
}

/// How much a model reasons before it answers; every family of models has its own words for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// Whatever the service does when it is not told.
    #[default]
    Auto,
    /// Not at all, or as little as the model can.
    Off,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// As much as the model can.
    High,
}

impl Thinking {
    /// Every level, from the least to the most.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Off, Self::Low, Self::Medium, Self::High];

    /// `auto`, `off`, `low`, `medium` or `high`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Off => "off",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Whether it is left to the service.
    pub fn is_auto(&self) -> bool {
        *self == Self::Auto
    }
}

impl std::str::FromStr for Thinking {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim().to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|level| level.as_str() == text)
            .ok_or_else(|| format!("must be auto, off, low, medium or high, not {text:?}"))
    }
}

/// A tool call as the model wrote it. Ids are unique within a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// JSON as the model wrote it, which may be broken.
    pub arguments: String,
    /// A signature of Gemini's, in journals that were written before [`ProviderState`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signature: Option<String>,
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    #[default]
    Stop,
    ToolCalls,
    /// The output limit was reached: tool calls may be cut off and are not executed.
    Length,
    /// The provider refused.
    ContentFilter,
}

/// A whole reply.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub finish: FinishReason,
    /// None when the provider did not say.
    pub usage: Option<Usage>,
    /// Who replied and why, when it was not the first model of the chain.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instead: Option<Instead>,
    /// What the service wants back with this message.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<Box<ProviderState>>,
    /// The model works with tools that are described in words, because its service offers none.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub tools_in_text: bool,
    /// Nothing was found that answers the question; only the built-in researcher says so itself.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub nothing_found: bool,
}

/// A model that took over from another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instead {
    /// What frontends show as the model.
    pub model: String,
    /// What was wrong with the one before it, as a sentence.
    pub why: String,
    /// What was wrong with it; none in journals that were written before there was this field.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<Box<ModelError>>,
    /// It is the built-in researcher, which is no AI.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub builtin: bool,
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
    /// The service asked for a pause, or is asked again after a failure.
    Waiting(Incident),
}

impl Delta {
    /// Whether nothing came with it.
    pub fn is_empty(&self) -> bool {
        match self {
            Delta::Text(text) | Delta::Reasoning(text) => text.is_empty(),
            // Repeating the name without new arguments is no progress.
            Delta::Arguments { piece, .. } => piece.is_empty(),
            Delta::Restart | Delta::Waiting(_) => true,
        }
    }
}

/// Which tools a reply may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolSet {
    /// What a quick run may use, and `final_answer`.
    Research(Places),
    /// What a researcher of a deep run may still use, and `final_answer`.
    Researcher(Offer),
    /// `final_answer` alone.
    AnswerOnly,
    /// No tool: plain text is wanted.
    None,
}

/// Where a quick run looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Places {
    /// `web_search` and `web_get`.
    pub web: bool,
    /// `document_search` and `document_read`, with filters and ranges, and `grep`.
    pub documents: bool,
    /// `library_search` and `library_read`.
    pub library: bool,
}

impl Places {
    /// The web alone.
    pub const WEB: Self = Self { web: true, documents: false, library: false };
    /// Documents alone.
    pub const DOCUMENTS: Self = Self { web: false, documents: true, library: false };
}

/// The tools that a researcher may still use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Offer {
    pub web: bool,
    pub stackexchange: bool,
    pub security: bool,
    pub grep: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub library: bool,
    /// `web_get`.
    pub read: bool,
    /// Of documents alone: searching and reading have the names they have there.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub documents: bool,
}

/// What the model is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The next step.
    Step,
    /// The answer, because a limit was reached.
    FinalAnswer,
    /// A summary of the conversation.
    Compaction,
    /// A summary of the oldest turns of a thread.
    ThreadSummary,
    /// What one page says about the question.
    Extraction,
    /// Which chunks of one page matter.
    Selection,
    /// A second look at statements that are not supported.
    Check,
    /// The plan of a deep run.
    Planning,
    /// Whether a round found enough; if so, most often the report itself.
    Evaluation,
    /// The report of a deep run.
    Synthesis,
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    pub messages: Vec<Message>,
    pub tools: ToolSet,
    /// Tools of the person's own, offered besides.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub user_tools: Vec<UserTool>,
    /// In tokens; reasoning counts as output.
    pub max_output_tokens: u32,
    #[serde(skip_serializing_if = "Thinking::is_auto", default)]
    pub thinking: Thinking,
}

impl ModelRequest {
    /// A request for plain text.
    pub fn for_text(messages: Vec<Message>, max_output_tokens: u32) -> Self {
        Self { messages, tools: ToolSet::None, user_tools: Vec::new(), max_output_tokens, thinking: Thinking::Auto }
    }
}

/// Where the parts of a reply go while it is made.
pub type DeltaSink<'a> = &'a (dyn Fn(Delta) + Send + Sync);

/// What is known of a model, or of a chain of them, before it is asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelInfo {
    /// The smallest context window, in tokens, that services tell themselves.
    pub window: Option<u32>,
    /// The most that a token of a prompt and one of a reply can cost.
    pub price: Option<Price>,
    /// The models that cost money and whose price is unknown.
    pub unpriced: Vec<String>,
}

impl ModelInfo {
    /// What holds for both: whichever of them answers in the end.
    pub fn and(mut self, other: Self) -> Self {
        self.window = [self.window, other.window].into_iter().flatten().min();
        self.price = match (self.price, other.price) {
            (Some(a), Some(b)) => {
                let (a, b) = (a.at_most(), b.at_most());
                Some(Price::new(a.input.max(b.input), a.output.max(b.output)))
            }
            (a, b) => a.or(b),
        };
        self.unpriced.extend(other.unpriced);
        self
    }
}

/// A model. Adapters live in `nexi-llm`.
#[async_trait]
pub trait Model: Send + Sync {
    /// What frontends show, such as `gpt-4.1-mini · work`.
    fn label(&self) -> String;

    /// Whether it can be asked at all.
    fn is_usable(&self) -> bool {
        true
    }

    /// What is known of it before it is asked; may ask the service for what no table says.
    async fn told(&self, _: &CancellationToken) -> ModelInfo {
        ModelInfo::default()
    }

    /// Asks once. Retries and failover are the adapter's business; an error is final.
    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError>;
}

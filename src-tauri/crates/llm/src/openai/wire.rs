//! The JSON of `/chat/completions`: strict in what is sent, lenient in what is taken.

use nexi_core::{
    model::{FinishReason, Message, ModelRequest},
    tools,
};
use std::sync::atomic::Ordering;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::shared::Quirks;

/// The request. OpenAI itself has another name for the limit than everybody who copied it.
pub(super) fn body(model: &str, base_url: &str, request: &ModelRequest, quirks: &Quirks) -> Value {
    let messages: Vec<Value> = request.messages.iter().map(message).collect();
    let mut body = json!({
        "model": model,
        "messages": messages,
        "stream": true,
    });
    if !quirks.without_stream_options.load(Ordering::Relaxed) {
        body["stream_options"] = json!({"include_usage": true});
    }
    let new_name = base_url.contains("://api.openai.com") || quirks.completion_tokens.load(Ordering::Relaxed);
    let limit = if new_name { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = json!(request.max_output_tokens);
    let specs = tools::specs(request.tools);
    if !specs.is_empty() {
        let list: Vec<Value> = specs
            .into_iter()
            .map(|spec| json!({"type": "function", "function": {"name": spec.name, "description": spec.description, "parameters": spec.parameters}}))
            .collect();
        body["tools"] = Value::Array(list);
    }
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::System { text } => json!({"role": "system", "content": text}),
        Message::User { text } => json!({"role": "user", "content": text}),
        Message::Tool { call_id, result } => json!({"role": "tool", "tool_call_id": call_id, "content": result.render()}),
        Message::Assistant { text, calls } if calls.is_empty() => json!({"role": "assistant", "content": text}),
        Message::Assistant { text, calls } => {
            let calls: Vec<Value> = calls
                .iter()
                .map(|call| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": well_formed(&call.arguments)}}))
                .collect();
            let content = if text.is_empty() { Value::Null } else { Value::String(text.clone()) };
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
    }
}

/// Providers refuse a conversation that holds broken JSON, even their own.
pub(crate) fn well_formed(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Object(_)) => arguments.to_owned(),
        _ => json!({"malformed": arguments}).to_string(),
    }
}

/// One event of the stream.
#[derive(Debug, Deserialize)]
pub(super) struct Chunk {
    #[serde(default, deserialize_with = "null_as_default")]
    pub choices: Vec<Choice>,
    #[serde(default)]
    pub usage: Option<WireUsage>,
    #[serde(default)]
    pub error: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct WireUsage {
    #[serde(default)]
    pub prompt_tokens: u64,
    #[serde(default)]
    pub completion_tokens: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    #[serde(default)]
    pub delta: Option<Piece>,
    /// In replies that are not streamed.
    #[serde(default)]
    pub message: Option<Piece>,
    #[serde(default)]
    pub finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Piece {
    #[serde(default)]
    pub content: Option<String>,
    #[serde(default)]
    pub reasoning_content: Option<String>,
    #[serde(default)]
    pub reasoning: Option<String>,
    #[serde(default)]
    pub tool_calls: Option<Vec<CallPiece>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CallPiece {
    #[serde(default)]
    pub index: Option<usize>,
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    pub function: Option<FunctionPiece>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionPiece {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub arguments: Option<Value>,
}

/// What a provider's word for the end means.
pub(super) fn finish_reason(word: &str) -> FinishReason {
    match word {
        "length" | "max_tokens" => FinishReason::Length,
        "content_filter" | "refusal" | "safety" => FinishReason::ContentFilter,
        "tool_calls" | "function_call" => FinishReason::ToolCalls,
        _ => FinishReason::Stop,
    }
}

fn null_as_default<'de, D: serde::Deserializer<'de>, T: Default + Deserialize<'de>>(input: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(input)?.unwrap_or_default())
}

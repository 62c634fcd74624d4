//! The JSON of `/chat/completions`: strict in what is sent, lenient in what is taken.

use nexi_core::{
    model::{FinishReason, Message, Thinking},
    protocol::Usage,
    settings::{
        Vendor,
        vendors::{Quirks, ReasoningField, WantsReasoning},
    },
    tools,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{endpoint::Call, quirks::Quirk};

/// The request.
pub(super) fn body(model: &str, vendor: Option<&Vendor>, call: &Call<'_>) -> Value {
    let quirks = vendor.map(|vendor| vendor.quirks).unwrap_or_default();
    let mut messages: Vec<Value> = Vec::new();
    for message in &call.request.messages {
        let last_is_tool = messages.last().is_some_and(|last| last["role"] == "tool");
        if quirks.no_user_after_tool && last_is_tool && matches!(message, Message::User { .. }) {
            messages.push(json!({"role": "assistant", "content": "I have read the results."}));
        }
        messages.push(self::message(message, &quirks, call));
    }
    let stream = !call.has(Quirk::NoStreaming);
    let mut body = json!({"model": model, "messages": messages, "stream": stream});
    if stream && !call.has(Quirk::NoStreamOptions) {
        body["stream_options"] = json!({"include_usage": true});
    }
    let limit = if call.has(Quirk::CompletionTokens) { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = json!(call.max_output);
    if vendor.is_some_and(|vendor| vendor.id == "openrouter") {
        // It tells what a request really cost.
        body["usage"] = json!({"include": true});
    }
    if call.says_thinking() {
        think(&mut body, quirks.reasoning, call);
    }
    let specs = tools::offered(call.request);
    if !specs.is_empty() {
        let list: Vec<Value> = specs
            .into_iter()
            .map(|spec| json!({"type": "function", "function": {"name": spec.name, "description": spec.description, "parameters": spec.parameters}}))
            .collect();
        body["tools"] = Value::Array(list);
    }
    body
}

/// How much to think, in the service's own field.
fn think(body: &mut Value, field: ReasoningField, call: &Call<'_>) {
    let effort = effort(call);
    let is_off = call.thinking == Thinking::Off;
    match field {
        ReasoningField::Effort => body["reasoning_effort"] = json!(effort),
        ReasoningField::Object if is_off => body["reasoning"] = json!({"enabled": false}),
        ReasoningField::Object => body["reasoning"] = json!({"effort": effort}),
        ReasoningField::Toggle => body["thinking"] = json!({"type": if is_off { "disabled" } else { "enabled" }}),
        ReasoningField::NoneOrHigh => body["reasoning_effort"] = json!(if is_off { "none" } else { "high" }),
        ReasoningField::Template => body["chat_template_kwargs"] = json!({"enable_thinking": !is_off}),
        ReasoningField::Nothing => {}
    }
}

/// The word for a level; "off" is the least that the model takes.
pub(crate) fn effort(call: &Call<'_>) -> &'static str {
    let lowest = call.known.and_then(|known| known.lowest);
    match call.thinking {
        Thinking::Off => lowest.map_or("low", |lowest| lowest.as_str()),
        // Some take nothing below "medium".
        Thinking::Low if lowest.is_some_and(|lowest| lowest.as_str() == "medium") => "medium",
        Thinking::Low => "low",
        Thinking::Auto | Thinking::Medium => "medium",
        Thinking::High => "high",
    }
}

fn message(message: &Message, quirks: &Quirks, call: &Call<'_>) -> Value {
    let id = |id: &str| if quirks.short_call_ids { short_id(id) } else { id.to_owned() };
    match message {
        Message::System { text } => json!({"role": "system", "content": text}),
        Message::User { text } => json!({"role": "user", "content": text}),
        Message::Tool { call_id, result } => json!({"role": "tool", "tool_call_id": id(call_id), "content": result.render()}),
        Message::Assistant { text, calls, state } => {
            let extras = call.echo(state).and_then(|items| items.first());
            let mut out = json!({"role": "assistant"});
            out["content"] = if text.is_empty() && !calls.is_empty() { Value::Null } else { json!(text) };
            if !calls.is_empty() {
                let list = calls.iter().enumerate().map(|(place, known)| {
                    let function = json!({"name": known.name, "arguments": well_formed(&known.arguments)});
                    let mut out = json!({"id": id(&known.id), "type": "function", "function": function});
                    extend(&mut out, extras.and_then(|extras| extras["calls"].get(place)));
                    out
                });
                out["tool_calls"] = list.collect();
            }
            if let Some(fields) = extras.and_then(|extras| extras["message"].as_object()) {
                for (name, value) in fields {
                    // The chunks of a text that was shortened since say too much.
                    if name != "content" || chunked_text(value).trim() == text.trim() {
                        out[name] = value.clone();
                    }
                }
            }
            let wants = match quirks.wants_reasoning {
                WantsReasoning::Never => false,
                WantsReasoning::WithCalls => !calls.is_empty(),
                WantsReasoning::Always => true,
            };
            // Messages of other models, and of runs that were recorded before, have none.
            if wants && out.get("reasoning_content").is_none() && call.thinking != Thinking::Off && !call.has(Quirk::NoEcho) {
                out["reasoning_content"] = json!(" ");
            }
            out
        }
    }
}

fn extend(out: &mut Value, fields: Option<&Value>) {
    for (name, value) in fields.and_then(Value::as_object).into_iter().flatten() {
        if out.get(name).is_none() {
            out[name] = value.clone();
        }
    }
}

/// Nine letters or digits, the same for the same id.
fn short_id(id: &str) -> String {
    if id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return id.to_owned();
    }
    let name = uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, id.as_bytes());
    name.simple().to_string()[..9].to_owned()
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
    pub usage: Option<Value>,
    #[serde(default)]
    pub error: Option<Value>,
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
    /// Where Moonshot puts it.
    #[serde(default)]
    pub usage: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Piece {
    /// A text, or a list of chunks.
    #[serde(default)]
    pub content: Option<Value>,
    #[serde(default)]
    pub tool_calls: Option<Vec<CallPiece>>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CallPiece {
    #[serde(default)]
    pub index: Option<usize>,
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    pub function: Option<FunctionPiece>,
    /// Everything else.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionPiece {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub arguments: Option<Value>,
}

/// The words of a piece's reasoning, wherever they stand.
pub(super) fn reasoning(piece: &Piece) -> String {
    let field = |name: &str| piece.rest.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let details = || {
        let items = piece.rest.get("reasoning_details").and_then(Value::as_array)?;
        let words = items.iter().filter_map(|item| item.get("text").or_else(|| item.get("summary"))?.as_str());
        Some(words.collect::<String>())
    };
    let chunks = || {
        let items = piece.content.as_ref().and_then(Value::as_array)?;
        Some(items.iter().filter(|item| item["type"] == "thinking").map(|item| chunked_text(&item["thinking"])).collect::<String>())
    };
    field("reasoning_content").or_else(|| field("reasoning")).or_else(details).or_else(chunks).unwrap_or_default()
}

/// The text of a piece's content, and the content itself where it is a list of chunks.
pub(super) fn content(content: Option<Value>) -> (String, Option<Value>) {
    match content {
        Some(Value::String(text)) => (text, None),
        Some(chunks @ Value::Array(_)) => (chunked_text(&chunks), Some(chunks)),
        _ => (String::new(), None),
    }
}

/// The text of a list of chunks, without the thinking among them.
fn chunked_text(chunks: &Value) -> String {
    let of = |chunk: &Value| match chunk {
        Value::String(text) => text.clone(),
        chunk if chunk["type"] == "text" => chunk["text"].as_str().unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    match chunks {
        Value::Array(items) => items.iter().map(of).collect(),
        other => of(other),
    }
}

/// Tokens in whichever of the known shapes; none where there is no count that makes sense.
pub(crate) fn usage(value: &Value) -> Option<Usage> {
    let count = |places: &[&str]| places.iter().find_map(|place| value.pointer(place)?.as_u64());
    let prompt = count(&["/prompt_tokens", "/input_tokens"]);
    let completion = count(&["/completion_tokens", "/output_tokens"]);
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    let (prompt, mut completion) = (prompt.unwrap_or(0), completion.unwrap_or(0));
    let reasoning = count(&["/completion_tokens_details/reasoning_tokens"]).unwrap_or(0);
    // xAI leaves the reasoning out of the completion, but not out of the total.
    if reasoning > 0 && count(&["/total_tokens"]) == Some(prompt.saturating_add(completion).saturating_add(reasoning)) {
        completion = completion.saturating_add(reasoning);
    }
    let cached = count(&[
        "/prompt_tokens_details/cached_tokens",
        "/input_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
        "/cached_tokens",
    ]);
    let written = count(&["/prompt_tokens_details/cache_write_tokens", "/input_tokens_details/cache_write_tokens"]);
    let dollars = value.get("cost").and_then(Value::as_f64).or_else(|| Some(value.get("cost_in_usd_ticks")?.as_f64()? / 1e10));
    Some(Usage {
        cached: cached.unwrap_or(0).min(prompt),
        cache_written: written.unwrap_or(0).min(prompt),
        cost: dollars.filter(|dollars| dollars.is_finite() && *dollars > 0.0).map_or(0, |dollars| (dollars * 1e6).ceil() as u64),
        ..Usage::tokens(prompt, completion)
    })
}

/// Whether a provider's word for the end says that it failed on the way.
pub(super) fn has_failed(word: &str) -> bool {
    matches!(word, "error" | "network_error")
}

/// What a provider's word for the end means.
pub(super) fn finish_reason(word: &str) -> FinishReason {
    match word {
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" | "content_filtered" | "refusal" | "safety" | "sensitive" => FinishReason::ContentFilter,
        "tool_calls" | "function_call" => FinishReason::ToolCalls,
        _ => FinishReason::Stop,
    }
}

fn null_as_default<'de, D: serde::Deserializer<'de>, T: Default + Deserialize<'de>>(input: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(input)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_read_in_the_shapes_of_all_services() {
        let of = |value: Value| usage(&value);
        let plain = Usage::tokens(100, 20);
        assert_eq!(of(json!({"prompt_tokens": 100, "completion_tokens": 20})), Some(plain));
        let cached = Some(Usage { cached: 60, ..plain });
        assert_eq!(of(json!({"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 60}})), cached);
        assert_eq!(of(json!({"prompt_tokens": 100, "completion_tokens": 20, "prompt_cache_hit_tokens": 60})), cached, "DeepSeek");
        let xai = json!({"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 120, "completion_tokens_details": {"reasoning_tokens": 15}});
        assert_eq!(of(xai), Some(plain), "xAI");
        assert_eq!(
            of(json!({"prompt_tokens": 100, "completion_tokens": 20, "cost": 0.00125})).map(|usage| usage.cost),
            Some(1250),
            "OpenRouter"
        );
        for odd in [json!({}), json!(null), json!({"prompt_tokens": -5, "completion_tokens": "x"}), json!([])] {
            assert_eq!(of(odd), None);
        }
    }

    #[test]
    fn ids_are_short_and_stay_the_same() {
        assert_eq!(short_id("abcDEF123"), "abcDEF123");
        let short = short_id("call_0123456789");
        assert!(short.len() == 9 && short.bytes().all(|byte| byte.is_ascii_alphanumeric()) && short == short_id("call_0123456789"));
        assert_ne!(short, short_id("call_0123456788"));
    }
}

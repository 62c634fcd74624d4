//! Anthropic's messages API.

use async_trait::async_trait;
use nexi_core::{
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply, ToolCall},
    protocol::Usage,
    tools,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{
    endpoint::{Api, Call, Endpoint, EndpointConfig},
    http,
    openai::MAX_REPLY,
    shared::Registry,
    stream::{self, Framing},
};

const VERSION: &str = "2023-06-01";

struct Anthropic {
    config: EndpointConfig,
    http: reqwest::Client,
}

/// A model of Anthropic's, or of a service that speaks its API. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry, or TLS cannot be set up.
pub fn anthropic(config: EndpointConfig, registry: &Registry) -> Result<Endpoint, ModelError> {
    Endpoint::open(config, registry, |config, http| Box::new(Anthropic { config, http }))
}

#[async_trait]
impl Api for Anthropic {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let request = self.http.get(format!("{base}/v1/models")).query(&[("limit", "1000")]).header("anthropic-version", VERSION);
        match key {
            Some(key) => request.header("x-api-key", key.expose_secret().trim()),
            None => request,
        }
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let mut request = self
            .http
            .post(format!("{base}/v1/messages"))
            .header("anthropic-version", VERSION)
            .json(&body(&self.config.model, call.request));
        if let Some(key) = call.key {
            request = request.header("x-api-key", key.expose_secret().trim());
        }
        let mut building = Building::default();
        stream::events(request, Framing::Sse, call.provider, self.config.timeout, self.config.timeout, call.cancel, |event| {
            building.take(&event, call)
        })
        .await?;
        building.finish().ok_or(ModelError::Broken { provider: call.provider.to_owned() })
    }
}

/// The request: the system prompt apart, roles in turn, results as blocks of the user.
fn body(model: &str, request: &ModelRequest) -> Value {
    let mut system = Vec::new();
    let mut messages: Vec<Value> = Vec::new();
    for message in &request.messages {
        let (role, blocks) = match message {
            Message::System { text } => {
                system.push(text.as_str());
                continue;
            }
            Message::User { text } => ("user", vec![json!({"type": "text", "text": text})]),
            Message::Tool { call_id, result } => {
                let mut block = json!({"type": "tool_result", "tool_use_id": safe_id(call_id), "content": result.render()});
                if matches!(result, nexi_core::run::ToolResult::Error { .. }) {
                    block["is_error"] = json!(true);
                }
                ("user", vec![block])
            }
            Message::Assistant { text, calls } => {
                let mut blocks = Vec::new();
                // Empty and blank text blocks are refused.
                if !text.trim().is_empty() {
                    blocks.push(json!({"type": "text", "text": text.trim_end()}));
                }
                for call in calls {
                    let input: Value = serde_json::from_str(&call.arguments)
                        .ok()
                        .filter(Value::is_object)
                        .unwrap_or_else(|| json!({"malformed": call.arguments}));
                    blocks.push(json!({"type": "tool_use", "id": safe_id(&call.id), "name": call.name, "input": input}));
                }
                ("assistant", blocks)
            }
        };
        if blocks.is_empty() {
            continue;
        }
        match messages.last_mut().filter(|last| last["role"] == role).and_then(|last| last["content"].as_array_mut()) {
            Some(content) => content.extend(blocks),
            None => messages.push(json!({"role": role, "content": blocks})),
        }
    }
    let mut body = json!({"model": model, "max_tokens": request.max_output_tokens, "stream": true, "messages": messages});
    if !system.is_empty() {
        body["system"] = Value::String(system.join("\n\n"));
    }
    let specs = tools::specs(request.tools);
    if !specs.is_empty() {
        body["tools"] = specs
            .into_iter()
            .map(|spec| json!({"name": spec.name, "description": spec.description, "input_schema": spec.parameters}))
            .collect();
    }
    body
}

/// Ids that other services made may hold signs that are refused here.
fn safe_id(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect()
}

#[derive(Default)]
struct Building {
    text: String,
    /// Calls with the index of their block.
    calls: Vec<(u64, ToolCall)>,
    usage: Usage,
    finish: Option<FinishReason>,
    is_over: bool,
    bytes: usize,
}

impl Building {
    /// Takes an event; true when it was the last.
    fn take(&mut self, event: &Value, call: &Call<'_>) -> Result<bool, ModelError> {
        let index = event["index"].as_u64().unwrap_or_default();
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => self.usage = usage(&event["message"]["usage"], self.usage),
            "content_block_start" => self.begin_block(index, &event["content_block"], call),
            "content_block_delta" => self.delta(index, &event["delta"], call),
            "message_delta" => {
                self.usage = usage(&event["usage"], self.usage);
                if let Some(reason) = event["delta"]["stop_reason"].as_str() {
                    self.finish = Some(finish_reason(reason));
                }
            }
            "message_stop" => {
                self.is_over = true;
                return Ok(true);
            }
            "error" => return Err(http::classify_body(call.provider, &event["error"])),
            // A whole message where a stream was asked for.
            "message" => {
                for (index, block) in event["content"].as_array().into_iter().flatten().enumerate() {
                    self.begin_block(index as u64, block, call);
                }
                self.usage = usage(&event["usage"], self.usage);
                self.finish = event["stop_reason"].as_str().map(finish_reason);
                self.is_over = true;
            }
            // `ping`, `content_block_stop`, and whatever comes to be added.
            _ => {}
        }
        if self.bytes > MAX_REPLY {
            return Err(ModelError::Runaway { provider: call.provider.to_owned(), message: "it never ends".into() });
        }
        Ok(false)
    }

    fn begin_block(&mut self, index: u64, block: &Value, call: &Call<'_>) {
        match block["type"].as_str().unwrap_or_default() {
            "tool_use" => {
                let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
                let whole = block["input"].as_object().filter(|input| !input.is_empty()).map(|_| block["input"].to_string());
                self.calls.push((index, ToolCall { id: text("id"), name: text("name"), arguments: String::new(), signature: None }));
                if let Some(arguments) = whole {
                    self.arguments(index, &arguments, call);
                }
            }
            "text" => self.say(block["text"].as_str().unwrap_or_default(), call),
            _ => {}
        }
    }

    fn delta(&mut self, index: u64, delta: &Value, call: &Call<'_>) {
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => self.say(delta["text"].as_str().unwrap_or_default(), call),
            "thinking_delta" => {
                let text = delta["thinking"].as_str().unwrap_or_default();
                self.bytes += text.len();
                (call.deltas)(Delta::Reasoning(text.to_owned()));
            }
            "input_json_delta" => self.arguments(index, delta["partial_json"].as_str().unwrap_or_default(), call),
            _ => {}
        }
    }

    fn say(&mut self, text: &str, call: &Call<'_>) {
        if !text.is_empty() {
            self.bytes += text.len();
            self.text.push_str(text);
            (call.deltas)(Delta::Text(text.to_owned()));
        }
    }

    fn arguments(&mut self, block: u64, piece: &str, call: &Call<'_>) {
        let Some((place, (_, known))) = self.calls.iter_mut().enumerate().find(|(_, (index, _))| *index == block) else { return };
        self.bytes += piece.len();
        known.arguments.push_str(piece);
        (call.deltas)(Delta::Arguments { index: place, name: known.name.clone(), piece: piece.to_owned() });
    }

    /// The whole reply; none when the stream ended before it was whole.
    fn finish(self) -> Option<Reply> {
        let finish = self.finish.filter(|_| self.is_over)?;
        let calls = self
            .calls
            .into_iter()
            .map(|(_, call)| call)
            .map(|call| if call.arguments.is_empty() { ToolCall { arguments: "{}".into(), ..call } } else { call });
        Some(Reply { text: self.text, calls: calls.collect(), finish, usage: Some(self.usage), instead: None })
    }
}

/// What is read from a cache is read all the same.
fn usage(value: &Value, before: Usage) -> Usage {
    let count = |key: &str| value[key].as_u64();
    let prompt = count("input_tokens").map(|tokens| {
        tokens
            .saturating_add(count("cache_read_input_tokens").unwrap_or(0))
            .saturating_add(count("cache_creation_input_tokens").unwrap_or(0))
    });
    Usage::tokens(prompt.filter(|tokens| *tokens > 0).unwrap_or(before.prompt), count("output_tokens").unwrap_or(before.completion))
}

fn finish_reason(word: &str) -> FinishReason {
    match word {
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::ContentFilter,
        _ => FinishReason::Stop,
    }
}

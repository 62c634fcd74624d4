//! Ollama's own API. Unlike its OpenAI-compatible one it can be told how large the context window
//! is to be, which it otherwise cuts without a word, and asked what a model knows.

use std::collections::BTreeSet;

use async_trait::async_trait;
use nexi_core::{
    model::{BadReply, Delta, FinishReason, Message, ModelError, ProviderState, Reply, Thinking, ToolCall},
    protocol::Usage,
    tools,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{
    endpoint::{Api, Call, Endpoint, EndpointConfig},
    facts::Facts,
    failure,
    openai::MAX_REPLY,
    quirks::Quirk,
    shared::Registry,
    stream::{self, Framing},
};

struct Ollama {
    config: EndpointConfig,
}

/// A model that Ollama serves. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry.
pub fn ollama(config: EndpointConfig, registry: &std::sync::Arc<Registry>) -> Result<Endpoint, ModelError> {
    Endpoint::open(config, registry, |config| Box::new(Ollama { config }))
}

impl Ollama {
    fn url(&self, path: &str) -> String {
        let base = self.config.base_url.trim_end_matches('/');
        format!("{}{path}", base.strip_suffix("/v1").unwrap_or(base))
    }
}

#[async_trait]
impl Api for Ollama {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let request = self.config.http.get(self.url("/api/tags"));
        match key {
            Some(key) => request.bearer_auth(key.expose_secret().trim()),
            None => request,
        }
    }

    fn wire(&self, _: &BTreeSet<Quirk>) -> &'static str {
        "ollama"
    }

    /// What Ollama shows of the model.
    async fn facts(&self, key: Option<&SecretString>) -> Option<Facts> {
        let mut request = self.config.http.post(self.url("/api/show")).json(&json!({"model": self.config.model}));
        if let Some(key) = key {
            request = request.bearer_auth(key.expose_secret().trim());
        }
        let reply: Value =
            request.timeout(std::time::Duration::from_secs(4)).send().await.ok()?.error_for_status().ok()?.json().await.ok()?;
        Some(read_facts(&reply))
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let context = call.made_for.map_or(self.config.context, |most| most.min(self.config.context));
        let mut request = self.config.http.post(self.url("/api/chat")).json(&body(&self.config.model, context, call));
        if let Some(key) = call.key {
            request = request.bearer_auth(key.expose_secret().trim());
        }
        let mut building = Building::default();
        stream::events(request, Framing::Lines, call.about, &call.bounds, |event| building.take(&event, call)).await?;
        building.finish().ok_or(ModelError::Broken { provider: call.provider().to_owned() })
    }
}

/// The window is what the model was made for, or what its own parameters say.
fn read_facts(reply: &Value) -> Facts {
    let tools = reply["capabilities"].as_array().map(|list| list.iter().any(|item| item == "tools"));
    let window = reply["model_info"].as_object().and_then(|info| {
        let (_, value) = info.iter().find(|(key, _)| key.ends_with(".context_length"))?;
        u32::try_from(value.as_u64()?).ok()
    });
    Facts { window, tools, ..Facts::default() }
}

fn body(model: &str, context: u32, call: &Call<'_>) -> Value {
    let request = call.request;
    let mut names: Vec<(&str, &str)> = Vec::new();
    let mut messages: Vec<Value> = Vec::new();
    for message in &request.messages {
        messages.push(match message {
            Message::System { text } => json!({"role": "system", "content": text}),
            Message::User { text } => json!({"role": "user", "content": text}),
            Message::Tool { call_id, result } => {
                let name = names.iter().rev().find(|(id, _)| id == call_id).map_or("tool", |(_, name)| name);
                json!({"role": "tool", "tool_name": name, "content": result.render()})
            }
            Message::Assistant { text, calls, state } => {
                let mut out = json!({"role": "assistant", "content": text});
                if let Some(thoughts) = call.echo(state).and_then(|items| items.first()?.get("thinking")) {
                    out["thinking"] = thoughts.clone();
                }
                if !calls.is_empty() {
                    names.extend(calls.iter().map(|call| (call.id.as_str(), call.name.as_str())));
                    out["tool_calls"] = calls
                        .iter()
                        .map(|call| {
                            let arguments: Value = serde_json::from_str(&call.arguments)
                                .ok()
                                .filter(Value::is_object)
                                .unwrap_or_else(|| json!({"malformed": call.arguments}));
                            json!({"function": {"name": call.name, "arguments": arguments}})
                        })
                        .collect();
                }
                out
            }
        });
    }
    let mut body = json!({
        "model": model,
        "messages": messages,
        "stream": !call.has(Quirk::NoStreaming),
        "options": {"num_ctx": context, "num_predict": call.max_output},
    });
    if call.says_thinking() {
        // gpt-oss knows levels and cannot be told not to; the others are switched.
        body["think"] = match call.thinking {
            Thinking::Off if model.contains("gpt-oss") => json!("low"),
            level if model.contains("gpt-oss") => json!(level.as_str()),
            level => json!(level != Thinking::Off),
        };
    }
    let specs = tools::offered(request);
    if !specs.is_empty() {
        body["tools"] = specs
            .into_iter()
            .map(|spec| json!({"type": "function", "function": {"name": spec.name, "description": spec.description, "parameters": spec.parameters}}))
            .collect();
    }
    body
}

#[derive(Default)]
struct Building {
    text: String,
    calls: Vec<ToolCall>,
    thoughts: String,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    bytes: usize,
}

impl Building {
    fn take(&mut self, event: &Value, call: &Call<'_>) -> Result<bool, ModelError> {
        if event.get("error").is_some() {
            return Err(failure::of_stream(call.about, &event["error"]));
        }
        let message = &event["message"];
        for key in ["thinking", "reasoning"] {
            if let Some(text) = message[key].as_str().filter(|text| !text.is_empty()) {
                self.bytes += text.len();
                self.thoughts.push_str(text);
                (call.deltas)(Delta::Reasoning(text.to_owned()));
            }
        }
        if let Some(text) = message["content"].as_str().filter(|text| !text.is_empty()) {
            self.bytes += text.len();
            self.text.push_str(text);
            (call.deltas)(Delta::Text(text.to_owned()));
        }
        for item in message["tool_calls"].as_array().into_iter().flatten() {
            let name = item["function"]["name"].as_str().unwrap_or_default().to_owned();
            let arguments = match &item["function"]["arguments"] {
                Value::String(text) => text.clone(),
                Value::Null => "{}".into(),
                object => object.to_string(),
            };
            self.bytes += arguments.len();
            (call.deltas)(Delta::Arguments { index: self.calls.len(), name: name.clone(), piece: arguments.clone() });
            let id = item["id"].as_str().unwrap_or_default().to_owned();
            self.calls.push(ToolCall { id, name, arguments, signature: None });
        }
        if event["done"] == true {
            let count = |key: &str| event[key].as_u64();
            if count("prompt_eval_count").is_some() || count("eval_count").is_some() {
                self.usage = Some(Usage::tokens(count("prompt_eval_count").unwrap_or(0), count("eval_count").unwrap_or(0)));
            }
            self.finish = Some(match event["done_reason"].as_str() {
                Some("length") => FinishReason::Length,
                _ => FinishReason::Stop,
            });
            return Ok(true);
        }
        if self.bytes > MAX_REPLY {
            return Err(ModelError::runaway(call.provider(), BadReply::NeverEnds));
        }
        Ok(false)
    }

    /// The whole reply; none when the stream ended before it was whole.
    fn finish(self) -> Option<Reply> {
        let items = vec![json!({"thinking": self.thoughts})];
        let state = (!self.thoughts.is_empty()).then(|| Box::new(ProviderState { origin: String::new(), items }));
        Some(Reply { text: self.text, calls: self.calls, finish: self.finish?, usage: self.usage, state, ..Reply::default() })
    }
}

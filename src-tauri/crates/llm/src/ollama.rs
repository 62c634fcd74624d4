//! Ollama's own API. Unlike its OpenAI-compatible one it can be told how large the context window
//! is to be, which it otherwise cuts without a word, and asked what a model knows.

use std::time::Duration;

use async_trait::async_trait;
use nexi_core::{
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply, ToolCall},
    protocol::Usage,
    tools,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use crate::{
    endpoint::{Api, Call, Endpoint, EndpointConfig},
    http,
    openai::MAX_REPLY,
    shared::Registry,
    stream::{self, Framing},
};

/// A model that has to be loaded first says nothing for minutes.
const LOADING: Duration = Duration::from_secs(300);

struct Ollama {
    config: EndpointConfig,
    http: reqwest::Client,
    facts: OnceCell<Facts>,
}

/// What Ollama says about a model.
#[derive(Debug, Clone, Copy, Default)]
struct Facts {
    tools: Option<bool>,
    /// In tokens.
    context: Option<u32>,
}

/// A model that Ollama serves. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry, or TLS cannot be set up.
pub fn ollama(config: EndpointConfig, registry: &Registry) -> Result<Endpoint, ModelError> {
    Endpoint::open(config, registry, |config, http| Box::new(Ollama { config, http, facts: OnceCell::new() }))
}

impl Ollama {
    fn url(&self, path: &str) -> String {
        let base = self.config.base_url.trim_end_matches('/');
        format!("{}{path}", base.strip_suffix("/v1").unwrap_or(base))
    }

    /// Asks once what the model knows; nothing is known of it when there is no reply.
    async fn facts(&self, cancel: &CancellationToken) -> Facts {
        let ask = async {
            let request = self.http.post(self.url("/api/show")).json(&json!({"model": self.config.model})).timeout(self.config.timeout);
            let reply: Value = request.send().await.ok()?.error_for_status().ok()?.json().await.ok()?;
            let tools = reply["capabilities"].as_array().map(|list| list.iter().any(|item| item == "tools"));
            let context = reply["model_info"].as_object().and_then(|info| {
                info.iter()
                    .find(|(key, _)| key.ends_with(".context_length"))
                    .and_then(|(_, value)| value.as_u64())
                    .and_then(|value| u32::try_from(value).ok())
            });
            Some(Facts { tools, context })
        };
        let get = self.facts.get_or_init(|| async { ask.await.unwrap_or_default() });
        tokio::select! {
            () = cancel.cancelled() => Facts::default(),
            facts = get => *facts,
        }
    }
}

#[async_trait]
impl Api for Ollama {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let request = self.http.get(self.url("/api/tags"));
        match key {
            Some(key) => request.bearer_auth(key.expose_secret().trim()),
            None => request,
        }
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let facts = self.facts(call.cancel).await;
        let context = facts.context.map_or(self.config.context, |most| most.min(self.config.context));
        let mut request = self.http.post(self.url("/api/chat")).json(&body(&self.config.model, context, call.request));
        if let Some(key) = call.key {
            request = request.bearer_auth(key.expose_secret().trim());
        }
        let mut building = Building::default();
        stream::events(
            request,
            Framing::Lines,
            call.provider,
            self.config.timeout,
            LOADING.max(self.config.timeout),
            call.cancel,
            |event| building.take(&event, call),
        )
        .await?;
        building.finish().ok_or(ModelError::Broken { provider: call.provider.to_owned() })
    }

    async fn window(&self, cancel: &CancellationToken) -> Option<u32> {
        self.facts(cancel).await.context
    }

    async fn knows_tools(&self, cancel: &CancellationToken) -> Option<bool> {
        self.facts(cancel).await.tools
    }
}

fn body(model: &str, context: u32, request: &ModelRequest) -> Value {
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
            Message::Assistant { text, calls } => {
                let mut out = json!({"role": "assistant", "content": text});
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
        "stream": true,
        "options": {"num_ctx": context, "num_predict": request.max_output_tokens},
    });
    let specs = tools::specs(request.tools);
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
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    bytes: usize,
}

impl Building {
    fn take(&mut self, event: &Value, call: &Call<'_>) -> Result<bool, ModelError> {
        if event.get("error").is_some() {
            return Err(http::classify_body(call.provider, &event["error"]));
        }
        let message = &event["message"];
        for key in ["thinking", "reasoning"] {
            if let Some(text) = message[key].as_str().filter(|text| !text.is_empty()) {
                self.bytes += text.len();
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
            return Err(ModelError::Runaway { provider: call.provider.to_owned(), message: "it never ends".into() });
        }
        Ok(false)
    }

    /// The whole reply; none when the stream ended before it was whole.
    fn finish(self) -> Option<Reply> {
        Some(Reply { text: self.text, calls: self.calls, finish: self.finish?, usage: self.usage, instead: None })
    }
}

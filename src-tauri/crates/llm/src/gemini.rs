//! Google's Gemini API.

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

struct Gemini {
    config: EndpointConfig,
    http: reqwest::Client,
}

/// A Gemini model. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry, or TLS cannot be set up.
pub fn gemini(config: EndpointConfig, registry: &Registry) -> Result<Endpoint, ModelError> {
    Endpoint::open(config, registry, |config, http| Box::new(Gemini { config, http }))
}

#[async_trait]
impl Api for Gemini {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1beta").unwrap_or(base);
        let request = self.http.get(format!("{base}/v1beta/models")).query(&[("pageSize", "1000")]);
        match key {
            Some(key) => request.header("x-goog-api-key", key.expose_secret().trim()),
            None => request,
        }
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1beta").unwrap_or(base);
        let model = self.config.model.trim_start_matches("models/");
        let url = format!("{base}/v1beta/models/{model}:streamGenerateContent");
        let mut request = self.http.post(url).query(&[("alt", "sse")]).json(&body(call.request));
        if let Some(key) = call.key {
            request = request.header("x-goog-api-key", key.expose_secret().trim());
        }
        let mut building = Building::default();
        stream::events(request, Framing::Sse, call.provider, self.config.timeout, self.config.timeout, call.cancel, |event| {
            building.take(&event, call)
        })
        .await?;
        building.finish().ok_or(ModelError::Broken { provider: call.provider.to_owned() })
    }
}

/// The request: the system prompt apart, roles in turn, results by the names of their tools.
fn body(request: &ModelRequest) -> Value {
    let mut system = Vec::new();
    let mut names: Vec<(&str, &str)> = Vec::new();
    let mut contents: Vec<Value> = Vec::new();
    for message in &request.messages {
        let (role, parts) = match message {
            Message::System { text } => {
                system.push(json!({"text": text}));
                continue;
            }
            Message::User { text } => ("user", vec![json!({"text": text})]),
            Message::Tool { call_id, result } => {
                let name = names.iter().rev().find(|(id, _)| id == call_id).map_or("tool", |(_, name)| name);
                ("user", vec![json!({"functionResponse": {"name": name, "response": {"result": result.render()}}})])
            }
            Message::Assistant { text, calls } => {
                let mut parts = Vec::new();
                if !text.trim().is_empty() {
                    parts.push(json!({"text": text}));
                }
                for call in calls {
                    names.push((&call.id, &call.name));
                    let args: Value = serde_json::from_str(&call.arguments)
                        .ok()
                        .filter(Value::is_object)
                        .unwrap_or_else(|| json!({"malformed": call.arguments}));
                    let mut part = json!({"functionCall": {"name": call.name, "args": args}});
                    // Newer models refuse a call that comes back without it.
                    if let Some(signature) = &call.signature {
                        part["thoughtSignature"] = json!(signature);
                    }
                    parts.push(part);
                }
                ("model", parts)
            }
        };
        if parts.is_empty() {
            continue;
        }
        match contents.last_mut().filter(|last| last["role"] == role).and_then(|last| last["parts"].as_array_mut()) {
            Some(known) => known.extend(parts),
            None => contents.push(json!({"role": role, "parts": parts})),
        }
    }
    let mut body = json!({"contents": contents, "generationConfig": {"maxOutputTokens": request.max_output_tokens}});
    if !system.is_empty() {
        body["systemInstruction"] = json!({"parts": system});
    }
    let specs = tools::specs(request.tools);
    if !specs.is_empty() {
        let functions: Vec<Value> = specs
            .into_iter()
            .map(|spec| json!({"name": spec.name, "description": spec.description, "parameters": plain_schema(spec.parameters)}))
            .collect();
        body["tools"] = json!([{"functionDeclarations": functions}]);
    }
    body
}

/// Gemini refuses parts of JSON Schema that it does not know.
fn plain_schema(mut schema: Value) -> Value {
    if let Some(map) = schema.as_object_mut() {
        map.remove("additionalProperties");
    }
    schema
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
        if event.pointer("/promptFeedback/blockReason").is_some() {
            self.finish = Some(FinishReason::ContentFilter);
        }
        if let Some(counts) = event.get("usageMetadata") {
            let count = |key: &str| counts[key].as_u64().unwrap_or(0);
            self.usage =
                Some(Usage::tokens(count("promptTokenCount"), count("candidatesTokenCount").saturating_add(count("thoughtsTokenCount"))));
        }
        let candidate = &event["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            self.part(part, call);
        }
        if let Some(reason) = candidate["finishReason"].as_str() {
            self.finish = Some(finish_reason(reason));
        }
        if self.bytes > MAX_REPLY {
            return Err(ModelError::Runaway { provider: call.provider.to_owned(), message: "it never ends".into() });
        }
        Ok(false)
    }

    fn part(&mut self, part: &Value, call: &Call<'_>) {
        if let Some(text) = part["text"].as_str().filter(|text| !text.is_empty()) {
            self.bytes += text.len();
            if part["thought"] == true {
                (call.deltas)(Delta::Reasoning(text.to_owned()));
            } else {
                self.text.push_str(text);
                (call.deltas)(Delta::Text(text.to_owned()));
            }
        }
        if let Some(function) = part.get("functionCall") {
            let name = function["name"].as_str().unwrap_or_default().to_owned();
            let arguments = if function["args"].is_object() { function["args"].to_string() } else { "{}".into() };
            self.bytes += arguments.len();
            let id = function["id"].as_str().unwrap_or_default().to_owned();
            let signature = part["thoughtSignature"].as_str().map(str::to_owned);
            (call.deltas)(Delta::Arguments { index: self.calls.len(), name: name.clone(), piece: arguments.clone() });
            self.calls.push(ToolCall { id, name, arguments, signature });
        }
    }

    /// The whole reply; none when the stream ended before it was whole.
    fn finish(self) -> Option<Reply> {
        Some(Reply { text: self.text, calls: self.calls, finish: self.finish?, usage: self.usage, instead: None })
    }
}

fn finish_reason(word: &str) -> FinishReason {
    match word {
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => FinishReason::ContentFilter,
        _ => FinishReason::Stop,
    }
}

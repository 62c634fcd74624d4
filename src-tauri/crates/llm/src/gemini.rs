//! Google's Gemini API.

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

/// Stands in for a signature that another model could not give: newer models refuse a call without
/// one. It is the text `skip_thought_signature_validator`.
const NO_SIGNATURE: &str = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=";

struct Gemini {
    config: EndpointConfig,
}

/// A Gemini model. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry.
pub fn gemini(config: EndpointConfig, registry: &std::sync::Arc<Registry>) -> Result<Endpoint, ModelError> {
    Endpoint::open(config, registry, |config| Box::new(Gemini { config }))
}

#[async_trait]
impl Api for Gemini {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1beta").unwrap_or(base);
        let request = self.config.http.get(format!("{base}/v1beta/models")).query(&[("pageSize", "1000")]);
        match key {
            Some(key) => request.header("x-goog-api-key", key.expose_secret().trim()),
            None => request,
        }
    }

    fn wire(&self, _: &BTreeSet<Quirk>) -> &'static str {
        "gemini"
    }

    async fn facts(&self, key: Option<&SecretString>) -> Option<Facts> {
        let list: Value =
            self.list(key).timeout(std::time::Duration::from_secs(4)).send().await.ok()?.error_for_status().ok()?.json().await.ok()?;
        let name = format!("models/{}", self.config.model.trim_start_matches("models/"));
        let entry = list["models"].as_array()?.iter().find(|entry| entry["name"] == name.as_str())?;
        let count = |field: &str| entry[field].as_u64().and_then(|count| u32::try_from(count).ok());
        Some(Facts { window: count("inputTokenLimit"), max_output: count("outputTokenLimit"), ..Facts::default() })
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1beta").unwrap_or(base);
        let model = self.config.model.trim_start_matches("models/");
        let post = |method: &str| self.config.http.post(format!("{base}/v1beta/models/{model}:{method}"));
        let request = match call.has(Quirk::NoStreaming) {
            true => post("generateContent"),
            false => post("streamGenerateContent").query(&[("alt", "sse")]),
        };
        let mut request = request.json(&body(model, call));
        if let Some(key) = call.key {
            request = request.header("x-goog-api-key", key.expose_secret().trim());
        }
        let mut building = Building::default();
        stream::events(request, Framing::Sse, call.about, &call.bounds, |event| building.take(&event, call)).await?;
        building.finish().ok_or(ModelError::Broken { provider: call.provider().to_owned() })
    }
}

/// The request: the system prompt apart, roles in turn, results by the names of their tools.
fn body(model: &str, call: &Call<'_>) -> Value {
    let mut system = Vec::new();
    // Names of calls, and whether the service itself had given them their id.
    let mut names: Vec<(&str, &str, bool)> = Vec::new();
    let mut contents: Vec<Value> = Vec::new();
    for message in &call.request.messages {
        let (role, parts) = match message {
            Message::System { text } => {
                system.push(json!({"text": text}));
                continue;
            }
            Message::User { text } => ("user", vec![json!({"text": text})]),
            Message::Tool { call_id, result } => {
                let known = names.iter().rev().find(|(id, ..)| id == call_id);
                let key = if matches!(result, nexi_core::run::ToolResult::Error { .. }) { "error" } else { "output" };
                let name = known.map_or("tool", |(_, name, _)| name);
                let mut response = json!({"name": name, "response": {key: result.render()}});
                if known.is_some_and(|(_, _, given)| *given) {
                    response["id"] = json!(call_id);
                }
                ("user", vec![json!({"functionResponse": response})])
            }
            Message::Assistant { text, calls, state } => {
                let items = call.echo(state);
                let ids = given_ids(items.unwrap_or_default());
                for (place, known) in calls.iter().enumerate() {
                    names.push((&known.id, &known.name, ids.get(place).is_some_and(|given| *given)));
                }
                ("model", said(text, calls, items, is_three(model)))
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
    let mut body = json!({"contents": contents, "generationConfig": {"maxOutputTokens": call.max_output}});
    if call.says_thinking() {
        body["generationConfig"]["thinkingConfig"] = thinking(model, call.thinking);
    }
    if !system.is_empty() {
        body["systemInstruction"] = json!({"parts": system});
    }
    let specs = tools::offered(call.request);
    if !specs.is_empty() {
        let functions: Vec<Value> = specs
            .into_iter()
            .map(|spec| json!({"name": spec.name, "description": spec.description, "parameters": plain_schema(spec.parameters)}))
            .collect();
        body["tools"] = json!([{"functionDeclarations": functions}]);
    }
    body
}

/// For each call among the parts whether the service gave it an id.
fn given_ids(items: &[Value]) -> Vec<bool> {
    items.iter().filter_map(|item| item.get("functionCall")).map(|function| function["id"].is_string()).collect()
}

/// What the model said: the parts that came, text and calls as they are now.
fn said(text: &str, calls: &[ToolCall], items: Option<&[Value]>, is_three: bool) -> Vec<Value> {
    let function = |known: &ToolCall| {
        let args: Value =
            serde_json::from_str(&known.arguments).ok().filter(Value::is_object).unwrap_or_else(|| json!({"malformed": known.arguments}));
        json!({"name": known.name, "args": args})
    };
    let words = |text: &str| (!text.trim().is_empty()).then(|| json!({"text": text}));
    let Some(items) = items else {
        let mut parts: Vec<Value> = words(text).into_iter().collect();
        for (place, known) in calls.iter().enumerate() {
            let mut part = json!({"functionCall": function(known)});
            match &known.signature {
                Some(signature) => part["thoughtSignature"] = json!(signature),
                None if is_three && place == 0 => part["thoughtSignature"] = json!(NO_SIGNATURE),
                None => {}
            }
            parts.push(part);
        }
        return parts;
    };
    let is_text = |item: &Value| item["text"].is_string() && item["thought"] != true;
    let came: String = items.iter().filter(|item| is_text(item)).filter_map(|item| item["text"].as_str()).collect();
    let same_text = came.trim() == text.trim();
    let mut fresh = words(text).filter(|_| !same_text);
    // The first call of a turn is the one that must be signed.
    let mut is_first = is_three;
    let mut sign = move |part: &mut Value| {
        if std::mem::take(&mut is_first) && !part["thoughtSignature"].is_string() {
            part["thoughtSignature"] = json!(NO_SIGNATURE);
        }
    };
    let mut calls = calls.iter();
    let mut parts = Vec::new();
    for item in items {
        if item.get("functionCall").is_some() {
            parts.extend(fresh.take());
            if let Some(known) = calls.next() {
                let mut part = item.clone();
                sign(&mut part);
                part["functionCall"]["args"] = function(known)["args"].clone();
                if part["functionCall"]["id"].is_string() {
                    part["functionCall"]["id"] = json!(known.id);
                }
                parts.push(part);
            }
        } else if is_text(item) && !same_text {
            parts.extend(fresh.take());
        } else {
            parts.push(item.clone());
        }
    }
    parts.extend(fresh);
    parts.extend(calls.map(|known| {
        let mut part = json!({"functionCall": function(known)});
        sign(&mut part);
        part
    }));
    parts
}

/// Whether a model is of the third generation or later.
fn is_three(model: &str) -> bool {
    let rest = model.strip_prefix("gemini-").unwrap_or_default();
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    match number.parse::<u32>() {
        Ok(major) => major >= 3,
        // gemini-flash-latest and its like are always of the newest one.
        Err(_) => rest.ends_with("-latest"),
    }
}

/// How much to think: a level from the third generation on, a number of tokens before.
fn thinking(model: &str, level: Thinking) -> Value {
    if is_three(model) {
        let word = match level {
            Thinking::Off if model.contains("flash-lite") => "minimal",
            Thinking::Off | Thinking::Low => "low",
            Thinking::Auto | Thinking::Medium => "medium",
            Thinking::High => "high",
        };
        return json!({"thinkingLevel": word, "includeThoughts": level != Thinking::Off});
    }
    let tokens = match level {
        // The large ones cannot be told not to.
        Thinking::Off if model.contains("pro") => 128,
        Thinking::Off => 0,
        Thinking::Low => 2048,
        Thinking::Auto | Thinking::Medium => 8192,
        Thinking::High => 24_576,
    };
    json!({"thinkingBudget": tokens, "includeThoughts": level != Thinking::Off})
}

/// What Gemini knows of JSON Schema; it refuses a request that holds anything else.
const KNOWN: &[&str] = &[
    "type",
    "title",
    "description",
    "enum",
    "items",
    "properties",
    "required",
    "nullable",
    "anyOf",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "pattern",
];
/// Levels of a schema that are kept; what lies deeper may be anything.
const LEVELS: usize = 12;

/// A schema as Gemini takes it: references are put in place, constants become lists of one, and the rest is left out.
fn plain_schema(schema: Value) -> Value {
    let whole = schema.clone();
    plain_part(schema, &whole, LEVELS)
}

fn plain_part(schema: Value, whole: &Value, levels: usize) -> Value {
    let Value::Object(mut map) = schema else { return json!({"type": "object"}) };
    if levels == 0 {
        return json!({"type": "object"});
    }
    if let Some(target) = map.get("$ref").and_then(Value::as_str) {
        let found = target.strip_prefix('#').and_then(|place| whole.pointer(place)).cloned();
        return plain_part(found.unwrap_or_else(|| json!({"type": "object"})), whole, levels - 1);
    }
    if let Some(only) = map.remove("const").filter(Value::is_string) {
        map.insert("enum".into(), json!([only]));
    }
    if let Some(either) = map.remove("oneOf") {
        map.entry("anyOf").or_insert(either);
    }
    // Several types are one and nothing.
    if let Some(Value::Array(types)) = map.get("type").cloned() {
        let one = types.iter().find(|one| *one != "null").cloned().unwrap_or_else(|| json!("string"));
        if types.iter().any(|one| one == "null") {
            map.insert("nullable".into(), json!(true));
        }
        map.insert("type".into(), one);
    }
    map.retain(|name, value| {
        KNOWN.contains(&name.as_str()) && !(name == "enum" && value.as_array().is_none_or(|list| !list.iter().all(Value::is_string)))
    });
    for (name, value) in &mut map {
        match (name.as_str(), value) {
            ("properties", Value::Object(fields)) => {
                for field in fields.values_mut() {
                    *field = plain_part(field.take(), whole, levels - 1);
                }
            }
            ("items", items) => *items = plain_part(items.take(), whole, levels - 1),
            ("anyOf", Value::Array(list)) => {
                for one in list {
                    *one = plain_part(one.take(), whole, levels - 1);
                }
            }
            _ => {}
        }
    }
    Value::Object(map)
}

#[derive(Default)]
struct Building {
    text: String,
    calls: Vec<ToolCall>,
    /// Everything that came, as it is to be sent back.
    parts: Vec<Value>,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    bytes: usize,
}

impl Building {
    fn take(&mut self, event: &Value, call: &Call<'_>) -> Result<bool, ModelError> {
        if event.get("error").is_some() {
            return Err(failure::of_stream(call.about, &event["error"]));
        }
        if event.pointer("/promptFeedback/blockReason").is_some() {
            self.finish = Some(FinishReason::ContentFilter);
        }
        if let Some(counts) = event.get("usageMetadata") {
            let count = |key: &str| counts[key].as_u64().unwrap_or(0);
            let (prompt, candidates, thoughts) = (count("promptTokenCount"), count("candidatesTokenCount"), count("thoughtsTokenCount"));
            // The thoughts stand beside the candidates, unless the total says otherwise.
            let within = thoughts > 0 && prompt.saturating_add(candidates) == count("totalTokenCount");
            let completion = if within { candidates } else { candidates.saturating_add(thoughts) };
            let cached = count("cachedContentTokenCount").min(prompt);
            self.usage = Some(Usage { cached, ..Usage::tokens(prompt, completion) });
        }
        let candidate = &event["candidates"][0];
        for part in candidate["content"]["parts"].as_array().into_iter().flatten() {
            self.part(part, call);
        }
        if let Some(reason) = candidate["finishReason"].as_str() {
            if is_odd(reason) && self.calls.is_empty() {
                let message = candidate["finishMessage"].as_str().unwrap_or(reason).to_owned();
                return Err(ModelError::Malformed { provider: call.provider().to_owned(), why: None, message });
            }
            self.finish = Some(finish_reason(reason));
        }
        if self.bytes > MAX_REPLY {
            return Err(ModelError::runaway(call.provider(), BadReply::NeverEnds));
        }
        Ok(false)
    }

    fn part(&mut self, part: &Value, call: &Call<'_>) {
        self.keep(part);
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
            (call.deltas)(Delta::Arguments { index: self.calls.len(), name: name.clone(), piece: arguments.clone() });
            self.calls.push(ToolCall { id, name, arguments, signature: None });
        }
    }

    /// Keeps a part; pieces of one text without a signature become one part. Thoughts themselves are
    /// not wanted back, their signatures are.
    fn keep(&mut self, part: &Value) {
        let signed = part.get("thoughtSignature").is_some();
        self.bytes += part["thoughtSignature"].as_str().map_or(0, str::len);
        if part["thought"] == true && !signed {
            return;
        }
        let is_plain = |part: &Value| part["text"].is_string() && part.as_object().is_some_and(|fields| fields.len() == 1);
        if is_plain(part)
            && let Some(last) = self.parts.last_mut().filter(|last| is_plain(last))
        {
            let text = format!("{}{}", last["text"].as_str().unwrap_or_default(), part["text"].as_str().unwrap_or_default());
            last["text"] = json!(text);
            return;
        }
        self.parts.push(part.clone());
    }

    /// The whole reply; none when the stream ended before it was whole.
    fn finish(self) -> Option<Reply> {
        let is_known = |part: &Value| part.as_object().is_some_and(|fields| fields.keys().all(|name| name == "text"));
        let worth = self.parts.iter().any(|part| !is_known(part));
        let state = worth.then(|| Box::new(ProviderState { origin: String::new(), items: self.parts }));
        Some(Reply { text: self.text, calls: self.calls, finish: self.finish?, usage: self.usage, state, ..Reply::default() })
    }
}

/// Ends that say that the model made a mistake, after which asking again helps.
fn is_odd(word: &str) -> bool {
    matches!(
        word,
        "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "TOO_MANY_TOOL_CALLS" | "MALFORMED_RESPONSE" | "MISSING_THOUGHT_SIGNATURE"
    )
}

fn finish_reason(word: &str) -> FinishReason {
    match word {
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => FinishReason::ContentFilter,
        _ => FinishReason::Stop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_of_others_become_what_gemini_knows() {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": false,
            "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "name": {"type": ["string", "null"], "minLength": 1}}}},
            "properties": {
                "node": {"$ref": "#/$defs/Node"},
                "kind": {"oneOf": [{"const": "a"}, {"type": "integer", "exclusiveMinimum": 0}]},
                "list": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}, "uniqueItems": true}
            },
            "required": ["node"]
        });
        let plain = plain_schema(schema);
        assert_eq!(plain["properties"]["kind"], json!({"anyOf": [{"enum": ["a"]}, {"type": "integer"}]}));
        assert_eq!(plain["properties"]["list"], json!({"type": "array", "items": {"type": "object"}}));
        assert_eq!(plain["properties"]["node"]["properties"]["name"], json!({"type": "string", "nullable": true, "minLength": 1}));
        let text = plain.to_string();
        assert!(!text.contains('$') && !text.contains("additionalProperties") && plain["required"] == json!(["node"]), "{text}");
    }
}

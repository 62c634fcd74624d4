//! Anthropic's messages API.

use std::collections::{BTreeSet, HashMap};

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

const VERSION: &str = "2023-06-01";

/// Tokens of thinking for models that have to be given a number, by level.
const BUDGETS: [(Thinking, u32); 3] = [(Thinking::Low, 2048), (Thinking::Medium, 8192), (Thinking::High, 24_000)];
/// The smallest such number.
const LEAST_BUDGET: u32 = 1024;

struct Anthropic {
    config: EndpointConfig,
}

/// A model of Anthropic's, or of a service that speaks its API. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry.
pub fn anthropic(config: EndpointConfig, registry: &std::sync::Arc<Registry>) -> Result<Endpoint, ModelError> {
    Endpoint::open(config, registry, |config| Box::new(Anthropic { config }))
}

#[async_trait]
impl Api for Anthropic {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let request = self.config.http.get(format!("{base}/v1/models")).query(&[("limit", "1000")]).header("anthropic-version", VERSION);
        match key {
            Some(key) => request.header("x-api-key", key.expose_secret().trim()),
            None => request,
        }
    }

    fn wire(&self, _: &BTreeSet<Quirk>) -> &'static str {
        "anthropic"
    }

    /// The list of models tells windows, too.
    async fn facts(&self, key: Option<&SecretString>) -> Option<Facts> {
        let list: Value =
            self.list(key).timeout(std::time::Duration::from_secs(4)).send().await.ok()?.error_for_status().ok()?.json().await.ok()?;
        let entry = list["data"].as_array()?.iter().find(|entry| entry["id"] == self.config.model.as_str())?;
        let count = |name: &str| entry[name].as_u64().and_then(|count| u32::try_from(count).ok());
        Some(Facts { window: count("max_input_tokens"), max_output: count("max_tokens"), ..Facts::default() })
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let base = self.config.base_url.trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let mut request =
            self.config.http.post(format!("{base}/v1/messages")).header("anthropic-version", VERSION).json(&body(&self.config.model, call));
        if let Some(key) = call.key {
            request = request.header("x-api-key", key.expose_secret().trim());
        }
        let mut building = Building::default();
        stream::events(request, Framing::Sse, call.about, &call.bounds, |event| building.take(&event, call)).await?;
        building.finish().ok_or(ModelError::Broken { provider: call.provider().to_owned() })
    }
}

/// The request: the system prompt apart, roles in turn, results as blocks of the user.
fn body(model: &str, call: &Call<'_>) -> Value {
    let thinking = thinking(model, call);
    let is_off = thinking.as_ref().is_some_and(|(thinking, _)| thinking["type"] == "disabled");
    let mut system = Vec::new();
    let mut messages: Vec<Value> = Vec::new();
    for message in &call.request.messages {
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
            // A conversation with thoughts is refused where thinking is off.
            Message::Assistant { text, calls, state } => ("assistant", said(text, calls, call.echo(state).filter(|_| !is_off))),
        };
        if blocks.is_empty() {
            continue;
        }
        match messages.last_mut().filter(|last| last["role"] == role).and_then(|last| last["content"].as_array_mut()) {
            Some(content) => content.extend(blocks),
            None => messages.push(json!({"role": role, "content": blocks})),
        }
    }
    let stream = !call.has(Quirk::NoStreaming);
    let mut body = json!({"model": model, "max_tokens": call.max_output, "stream": stream, "messages": messages});
    if !call.has(Quirk::NoCache) {
        // Everything up to here is likely to be sent again with the next step.
        body["cache_control"] = json!({"type": "ephemeral"});
    }
    if let Some((thinking, effort)) = thinking {
        body["thinking"] = thinking;
        if let Some(effort) = effort {
            body["output_config"] = json!({"effort": effort});
        }
    }
    if !system.is_empty() {
        body["system"] = Value::String(system.join("\n\n"));
    }
    let specs = tools::offered(call.request);
    if !specs.is_empty() {
        body["tools"] = specs
            .into_iter()
            .map(|spec| json!({"name": spec.name, "description": spec.description, "input_schema": spec.parameters}))
            .collect();
    }
    body
}

/// What the model said: the blocks that came, thoughts as they were, text and calls as they are now.
fn said(text: &str, calls: &[ToolCall], items: Option<&[Value]>) -> Vec<Value> {
    let tool_use = |known: &ToolCall| {
        let input: Value =
            serde_json::from_str(&known.arguments).ok().filter(Value::is_object).unwrap_or_else(|| json!({"malformed": known.arguments}));
        json!({"type": "tool_use", "id": safe_id(&known.id), "name": known.name, "input": input})
    };
    // Empty and blank text blocks are refused.
    let words = (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text.trim_end()}));
    let items = items.unwrap_or_default();
    let came: String = items.iter().filter_map(|item| item["text"].as_str()).collect();
    let same_text = came.trim() == text.trim();
    let mut words = words.filter(|_| items.is_empty() || !same_text);
    let mut calls = calls.iter();
    let mut blocks = Vec::new();
    for item in items {
        match item["type"].as_str().unwrap_or_default() {
            "tool_use" => {
                blocks.extend(words.take());
                blocks.extend(calls.next().map(tool_use));
            }
            "text" if same_text => blocks.extend((!item["text"].as_str().unwrap_or_default().trim().is_empty()).then(|| item.clone())),
            "text" => blocks.extend(words.take()),
            _ => blocks.push(item.clone()),
        }
    }
    blocks.extend(words);
    blocks.extend(calls.map(tool_use));
    blocks
}

/// The fields that say how much to think; none where nothing is said.
fn thinking(model: &str, call: &Call<'_>) -> Option<(Value, Option<&'static str>)> {
    if !call.says_thinking() {
        return None;
    }
    let (adaptive, always) = match call.known {
        Some(known) => (known.adaptive, known.always_thinks),
        None => (is_adaptive(model), false),
    };
    let effort = match call.thinking {
        Thinking::Low => "low",
        Thinking::High => "high",
        _ => "medium",
    };
    match call.thinking {
        Thinking::Auto => None,
        Thinking::Off if always => Some((json!({"type": "adaptive"}), Some("low"))),
        Thinking::Off => Some((json!({"type": "disabled"}), None)),
        _ if adaptive => Some((json!({"type": "adaptive", "display": "summarized"}), Some(effort))),
        level => {
            let wanted = BUDGETS.iter().find(|(of, _)| *of == level).map_or(LEAST_BUDGET, |(_, tokens)| *tokens);
            // The thoughts have to leave room for the reply.
            let budget = wanted.min(call.max_output / 2);
            (budget >= LEAST_BUDGET).then(|| (json!({"type": "enabled", "budget_tokens": budget}), None))
        }
    }
}

/// Whether a model that no table knows decides itself how much to think: those from 4.6 on do.
fn is_adaptive(model: &str) -> bool {
    let mut numbers = model.split(['-', '.', '@']).filter_map(|part| part.parse::<u32>().ok().filter(|number| *number < 100));
    match (numbers.next(), numbers.next()) {
        (Some(major), _) if major >= 5 => true,
        (Some(4), Some(minor)) => minor >= 6,
        _ => false,
    }
}

/// Ids that other services made may hold signs that are refused here.
fn safe_id(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect()
}

/// Blocks of a reply that count as progress by their beginning alone.
const MAX_EMPTY_BLOCKS: usize = 1000;
/// Bytes that a block takes at least.
const BLOCK_BYTES: usize = 64;

#[derive(Default)]
struct Building {
    text: String,
    /// Calls with the index of their block.
    calls: Vec<(u64, ToolCall)>,
    /// Where the call of a block stands among them.
    places: HashMap<u64, usize>,
    /// All blocks, as they are to be sent back.
    blocks: Vec<(u64, Value)>,
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
            "error" => return Err(failure::of_stream(call.about, &event["error"])),
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
            return Err(ModelError::runaway(call.provider(), BadReply::NeverEnds));
        }
        Ok(false)
    }

    fn begin_block(&mut self, index: u64, block: &Value, call: &Call<'_>) {
        // Empty blocks without end are no progress, and no reply has that many.
        if self.blocks.len() < MAX_EMPTY_BLOCKS {
            call.bounds.progress.touch();
        }
        self.bytes += BLOCK_BYTES;
        self.places.insert(index, self.calls.len());
        self.blocks.push((index, block.clone()));
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
            "thinking" => (call.deltas)(Delta::Reasoning(block["thinking"].as_str().unwrap_or_default().to_owned())),
            _ => {}
        }
    }

    /// Lets a text field of a block grow.
    fn grow(&mut self, index: u64, field: &str, piece: &str) {
        if let Some((_, block)) = self.blocks.iter_mut().rfind(|(of, _)| *of == index) {
            match &mut block[field] {
                Value::String(known) => known.push_str(piece),
                other => *other = json!(piece),
            }
        }
    }

    fn delta(&mut self, index: u64, delta: &Value, call: &Call<'_>) {
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => {
                let text = delta["text"].as_str().unwrap_or_default();
                self.grow(index, "text", text);
                self.say(text, call);
            }
            "signature_delta" => {
                let signature = delta["signature"].as_str().unwrap_or_default();
                self.bytes += signature.len();
                self.grow(index, "signature", signature);
            }
            "thinking_delta" => {
                let text = delta["thinking"].as_str().unwrap_or_default();
                self.grow(index, "thinking", text);
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
        let Some(place) = self.places.get(&block).copied() else { return };
        let Some((_, known)) = self.calls.get_mut(place).filter(|(of, _)| *of == block) else { return };
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
        // Only thoughts have to come back as they were; a message without any is made from its text and calls.
        let thinks = self.blocks.iter().any(|(_, block)| !matches!(block["type"].as_str(), Some("text" | "tool_use")));
        let whole = |block: &Value| match block["type"].as_str() {
            // Thoughts that are shown to nobody have a signature alone; those with neither are refused.
            Some("thinking") => block["signature"].as_str().is_some_and(|signature| !signature.is_empty()),
            _ => true,
        };
        let items: Vec<Value> = self.blocks.into_iter().map(|(_, block)| block).filter(whole).collect();
        let state = thinks.then(|| Box::new(ProviderState { origin: String::new(), items }));
        Some(Reply { text: self.text, calls: calls.collect(), finish, usage: Some(self.usage), state, ..Reply::default() })
    }
}

/// What is read from a cache is read all the same, at another price.
fn usage(value: &Value, before: Usage) -> Usage {
    let count = |key: &str| value[key].as_u64();
    let (cached, written) = (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
    let prompt = count("input_tokens").map(|tokens| tokens.saturating_add(cached.unwrap_or(0)).saturating_add(written.unwrap_or(0)));
    let Some(prompt) = prompt.filter(|tokens| *tokens > 0) else {
        return Usage { completion: count("output_tokens").unwrap_or(before.completion), ..before };
    };
    Usage {
        cached: cached.unwrap_or(0),
        cache_written: written.unwrap_or(0),
        ..Usage::tokens(prompt, count("output_tokens").unwrap_or(before.completion))
    }
}

fn finish_reason(word: &str) -> FinishReason {
    match word {
        "tool_use" => FinishReason::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::ContentFilter,
        _ => FinishReason::Stop,
    }
}

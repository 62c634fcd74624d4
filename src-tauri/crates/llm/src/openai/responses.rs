//! OpenAI's `/responses`, without anything being stored there: reasoning travels along, encrypted.

use std::collections::HashMap;

use nexi_core::{
    model::{BadReply, Delta, FinishReason, Message, ModelError, ProviderState, Reply, ToolCall},
    protocol::Usage,
    tools,
};
use serde_json::{Value, json};

use super::{MAX_REPLY, effort, usage, well_formed};
use crate::{endpoint::Call, failure, quirks::Quirk};

/// The service refuses a smaller limit.
const LEAST_OUTPUT: u32 = 16;

/// The request: the system prompt apart, everything else as items.
pub(crate) fn body(model: &str, call: &Call<'_>) -> Value {
    let mut instructions = Vec::new();
    let mut input: Vec<Value> = Vec::new();
    for message in &call.request.messages {
        match message {
            Message::System { text } => instructions.push(text.as_str()),
            Message::User { text } => input.push(json!({"type": "message", "role": "user", "content": text})),
            Message::Tool { call_id, result } => {
                input.push(json!({"type": "function_call_output", "call_id": call_id, "output": result.render()}));
            }
            Message::Assistant { text, calls, state } => assistant(text, calls, call.echo(state), &mut input),
        }
    }
    let mut body = json!({
        "model": model,
        "input": input,
        "stream": !call.has(Quirk::NoStreaming),
        "store": false,
        "max_output_tokens": call.max_output.max(LEAST_OUTPUT),
    });
    if !instructions.is_empty() {
        body["instructions"] = Value::String(instructions.join("\n\n"));
    }
    if call.known.is_none_or(|known| known.reasons) {
        if !call.has(Quirk::NoEncrypted) {
            body["include"] = json!(["reasoning.encrypted_content"]);
        }
        let mut reasoning = json!({});
        if call.says_thinking() {
            reasoning["effort"] = json!(effort(call));
        }
        if !call.has(Quirk::NoSummary) && !call.has(Quirk::NoThinking) {
            reasoning["summary"] = json!("auto");
        }
        if reasoning.as_object().is_some_and(|fields| !fields.is_empty()) {
            body["reasoning"] = reasoning;
        }
    }
    let specs = tools::offered(call.request);
    if !specs.is_empty() {
        body["tools"] = specs
            .into_iter()
            .map(|spec| {
                json!({"type": "function", "name": spec.name, "description": spec.description, "parameters": spec.parameters, "strict": false})
            })
            .collect();
    }
    body
}

/// What the model said: the items that came, or as good as can be made of text and calls.
fn assistant(text: &str, calls: &[ToolCall], items: Option<&[Value]>, input: &mut Vec<Value>) {
    let function_call = |known: &ToolCall| json!({"type": "function_call", "call_id": known.id, "name": known.name, "arguments": well_formed(&known.arguments)});
    let message = |text: &str| json!({"type": "message", "role": "assistant", "content": text});
    let Some(items) = items else {
        if !text.trim().is_empty() {
            input.push(message(text));
        }
        input.extend(calls.iter().map(function_call));
        return;
    };
    let same_text = said(items).trim() == text.trim();
    let mut calls = calls.iter();
    let mut has_text = false;
    for item in items {
        match item["type"].as_str().unwrap_or_default() {
            "function_call" => input.extend(calls.next().map(function_call)),
            "message" if same_text => {
                has_text = true;
                input.push(item.clone());
            }
            "message" => {
                if !has_text && !text.trim().is_empty() {
                    input.push(message(text));
                }
                has_text = true;
            }
            // The service keeps nothing: without its content it would not know the item.
            "reasoning" if item["encrypted_content"].as_str().is_none_or(str::is_empty) => {}
            "reasoning" => {
                let mut item = item.clone();
                if let Some(fields) = item.as_object_mut() {
                    // It is refused with any state of its own.
                    fields.remove("status");
                }
                input.push(item);
            }
            _ => input.push(item.clone()),
        }
    }
    if !has_text && !text.trim().is_empty() {
        input.push(message(text));
    }
    input.extend(calls.map(function_call));
}

/// The text of all messages among the items.
fn said(items: &[Value]) -> String {
    let messages = items.iter().filter(|item| item["type"] == "message");
    let parts = messages.flat_map(|item| item["content"].as_array().into_iter().flatten());
    parts.filter_map(|part| part["text"].as_str()).collect()
}

/// Items of a reply that count as progress by their beginning alone.
const MAX_EMPTY_ITEMS: usize = 1000;
/// Bytes that an item takes at least.
const ITEM_BYTES: usize = 64;

/// A reply that is still arriving.
#[derive(Debug, Default)]
pub(crate) struct Building {
    text: String,
    /// Calls with the index of their item, and where that of an item stands among them.
    calls: Vec<(u64, ToolCall)>,
    places: HashMap<u64, usize>,
    items: Vec<Value>,
    /// Items that have begun.
    begun: usize,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
    bytes: usize,
}

impl Building {
    /// Takes an event; true when it was the last.
    pub(crate) fn take(&mut self, event: Value, call: &Call<'_>) -> Result<bool, ModelError> {
        let index = event["output_index"].as_u64().unwrap_or_default();
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        match event["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" => self.say(text("delta"), call),
            "response.refusal.delta" => {
                self.finish = Some(FinishReason::ContentFilter);
                self.say(text("delta"), call);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                let piece = text("delta");
                self.bytes += piece.len();
                (call.deltas)(Delta::Reasoning(piece));
            }
            // A paragraph of the summary ends.
            "response.reasoning_summary_part.done" => (call.deltas)(Delta::Reasoning("\n\n".into())),
            "response.output_item.added" => {
                // Hidden reasoning says nothing else for minutes. Empty items without end are no progress.
                self.begun += 1;
                self.bytes += ITEM_BYTES;
                if self.begun < MAX_EMPTY_ITEMS {
                    call.bounds.progress.touch();
                }
                if event["item"]["type"] == "function_call" {
                    self.begin_call(index, &event["item"], call);
                }
            }
            "response.function_call_arguments.delta" => self.arguments(index, &text("delta"), call),
            "response.output_item.done" => self.done(index, event["item"].clone(), call),
            "response.completed" | "response.incomplete" => {
                self.end(&event["response"], call);
                return Ok(true);
            }
            "response.failed" => return Err(failure::of_stream(call.about, &event["response"]["error"])),
            "error" => {
                let error = if event["error"].is_object() { &event["error"] } else { &event };
                return Err(failure::of_stream(call.about, error));
            }
            // A whole response where a stream was asked for.
            "" if event["object"] == "response" => {
                if event["error"].is_object() {
                    return Err(failure::of_stream(call.about, &event["error"]));
                }
                for (index, item) in event["output"].as_array().into_iter().flatten().enumerate() {
                    self.whole(index as u64, item.clone(), call);
                }
                self.end(&event, call);
                return Ok(true);
            }
            "" if event["error"].is_object() => return Err(failure::of_stream(call.about, &event["error"])),
            _ => {}
        }
        if self.bytes > MAX_REPLY {
            return Err(ModelError::runaway(call.provider(), BadReply::NeverEnds));
        }
        Ok(false)
    }

    fn say(&mut self, text: String, call: &Call<'_>) {
        self.bytes += text.len();
        self.text.push_str(&text);
        (call.deltas)(Delta::Text(text));
    }

    fn begin_call(&mut self, index: u64, item: &Value, _: &Call<'_>) {
        let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
        let id = if text("call_id").is_empty() { text("id") } else { text("call_id") };
        self.places.insert(index, self.calls.len());
        self.calls.push((index, ToolCall { id, name: text("name"), arguments: String::new(), signature: None }));
    }

    fn arguments(&mut self, index: u64, piece: &str, call: &Call<'_>) {
        let Some(place) = self.places.get(&index).copied() else { return };
        let Some((_, known)) = self.calls.get_mut(place) else { return };
        self.bytes += piece.len();
        known.arguments.push_str(piece);
        (call.deltas)(Delta::Arguments { index: place, name: known.name.clone(), piece: piece.to_owned() });
    }

    /// An item is whole: what came of it in pieces is replaced by it.
    fn done(&mut self, index: u64, item: Value, call: &Call<'_>) {
        if item["type"] == "function_call" {
            if !self.places.contains_key(&index) {
                self.begin_call(index, &item, call);
            }
            let whole = item["arguments"].as_str().unwrap_or_default().to_owned();
            if let Some((_, known)) = self.places.get(&index).and_then(|place| self.calls.get(*place))
                && known.arguments.is_empty()
                && !whole.is_empty()
            {
                self.arguments(index, &whole, call);
            }
        }
        self.bytes += item["encrypted_content"].as_str().map_or(0, str::len);
        self.items.push(item);
    }

    /// An item of a reply that came whole.
    fn whole(&mut self, index: u64, item: Value, call: &Call<'_>) {
        if item["type"] == "message" {
            let text: String = item["content"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect();
            self.say(text, call);
        }
        self.done(index, item, call);
    }

    fn end(&mut self, response: &Value, call: &Call<'_>) {
        if self.items.is_empty() {
            for (index, item) in response["output"].as_array().into_iter().flatten().enumerate() {
                let known = item["type"] == "message" && !self.text.is_empty();
                if known { self.items.push(item.clone()) } else { self.whole(index as u64, item.clone(), call) }
            }
        }
        self.usage = usage(&response["usage"]).or(self.usage);
        let reason = response.pointer("/incomplete_details/reason").and_then(Value::as_str);
        self.finish = Some(match (self.finish, reason) {
            (_, Some("content_filter")) | (Some(FinishReason::ContentFilter), _) => FinishReason::ContentFilter,
            (_, Some(_)) => FinishReason::Length,
            _ if !self.calls.is_empty() => FinishReason::ToolCalls,
            _ => FinishReason::Stop,
        });
    }

    /// The whole reply; none when the stream ended before it was whole.
    pub(crate) fn finish(self) -> Option<Reply> {
        let finish = self.finish?;
        let calls: Vec<ToolCall> = self.calls.into_iter().map(|(_, call)| call).filter(|call| !call.name.is_empty()).collect();
        let state = (!self.items.is_empty()).then(|| Box::new(ProviderState { origin: String::new(), items: self.items }));
        Some(Reply { text: self.text, calls, finish, usage: self.usage, state, ..Reply::default() })
    }
}

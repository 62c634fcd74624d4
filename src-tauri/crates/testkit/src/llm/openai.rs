//! `/v1/chat/completions`.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{Wire, sse};

pub(super) const WIRE: Wire = Wire {
    content_type: "text/event-stream",
    text: |text| piece_by_piece(text, "content"),
    thinking: |text| piece_by_piece(text, "reasoning_content"),
    calls: |calls| call_events(calls).iter().map(sse).collect(),
    end: |calls| {
        let finish = if calls { "tool_calls" } else { "stop" };
        vec![
            sse(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})),
            sse(&json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}})),
            "data: [DONE]\n\n".into(),
        ]
    },
    check,
    key: ("authorization", "Bearer "),
};

fn piece_by_piece(text: &str, field: &str) -> Vec<String> {
    text.split_inclusive(' ').map(|word| sse(&json!({"choices": [{"index": 0, "delta": {field: word}, "finish_reason": null}]}))).collect()
}

fn call_events(calls: &[(&str, Value)]) -> Vec<Value> {
    let mut out = Vec::new();
    let mut piece = |delta: Value| out.push(json!({"choices": [{"index": 0, "delta": {"tool_calls": [delta]}, "finish_reason": null}]}));
    for (index, (name, arguments)) in calls.iter().enumerate() {
        piece(json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": {"name": name, "arguments": ""}}));
        let text: Vec<char> = arguments.to_string().chars().collect();
        for part in text.chunks(7) {
            piece(json!({"index": index, "function": {"arguments": part.iter().collect::<String>()}}));
        }
    }
    out
}

/// What an OpenAI-compatible service would refuse.
fn check(request: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wrong = |what: String| problems.push(what);
    if request.get("model").and_then(Value::as_str).is_none_or(str::is_empty) {
        wrong("no model".into());
    }
    if request.get("stream") != Some(&Value::Bool(true)) {
        wrong("no stream is asked for".into());
    }
    let empty = Vec::new();
    let messages = request.get("messages").and_then(Value::as_array).unwrap_or(&empty);
    if messages.is_empty() {
        wrong("no messages".into());
    }
    let mut open: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for (place, message) in messages.iter().enumerate() {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        if role != "tool" && !open.is_empty() {
            wrong(format!("message {place}: calls without a result: {open:?}"));
            open.clear();
        }
        match role {
            "system" if place == 0 => {}
            "user" | "assistant" | "tool" => {}
            _ => wrong(format!("message {place}: unexpected role {role:?}")),
        }
        if role == "tool" {
            let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
            match open.iter().position(|known| known == id) {
                Some(index) => drop(open.remove(index)),
                None => wrong(format!("message {place}: a result for no call ({id:?})")),
            }
            if message.get("content").and_then(Value::as_str).is_none_or(str::is_empty) {
                wrong(format!("message {place}: an empty result"));
            }
        }
        for call in message.get("tool_calls").and_then(Value::as_array).unwrap_or(&empty) {
            let id = call.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            if id.is_empty() || !seen.insert(id.clone()) {
                wrong(format!("message {place}: call id {id:?} is empty or used twice"));
            }
            let arguments = call.pointer("/function/arguments").and_then(Value::as_str).unwrap_or_default();
            if !serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()) {
                wrong(format!("message {place}: arguments are not a JSON object"));
            }
            open.push(id);
        }
    }
    if !open.is_empty() {
        wrong(format!("calls without a result at the end: {open:?}"));
    }
    problems
}

//! `/v1/messages`.

use serde_json::{Value, json};

use super::Wire;

pub(super) const WIRE: Wire = Wire {
    content_type: "text/event-stream",
    text: |text| {
        block(0, &json!({"type": "text", "text": ""}), text.split_inclusive(' ').map(|word| json!({"type": "text_delta", "text": word})))
    },
    thinking: |text| {
        block(
            9,
            &json!({"type": "thinking", "thinking": ""}),
            text.split_inclusive(' ').map(|word| json!({"type": "thinking_delta", "thinking": word})),
        )
    },
    calls: |calls| {
        let mut out = Vec::new();
        for (index, (name, arguments)) in calls.iter().enumerate() {
            let start = json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {}});
            let text: Vec<char> = arguments.to_string().chars().collect();
            let pieces: Vec<Value> =
                text.chunks(7).map(|part| json!({"type": "input_json_delta", "partial_json": part.iter().collect::<String>()})).collect();
            out.extend(block(index, &start, pieces.into_iter()));
        }
        out
    },
    end: |calls| {
        let reason = if calls { "tool_use" } else { "end_turn" };
        vec![
            event(&json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 20}})),
            event(&json!({"type": "message_stop"})),
        ]
    },
    check,
    key: ("x-api-key", ""),
};

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default())
}

fn block(index: usize, start: &Value, deltas: impl Iterator<Item = Value>) -> Vec<String> {
    let mut out = Vec::new();
    if index == 0 {
        out.push(event(&json!({"type": "message_start", "message": {"role": "assistant", "usage": {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 1}}})));
        out.push(event(&json!({"type": "ping"})));
    }
    out.push(event(&json!({"type": "content_block_start", "index": index, "content_block": start})));
    out.extend(deltas.map(|delta| event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))));
    out.push(event(&json!({"type": "content_block_stop", "index": index})));
    out
}

/// What Anthropic would refuse.
fn check(request: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wrong = |what: String| problems.push(what);
    for key in ["model", "max_tokens", "messages"] {
        if request.get(key).is_none() {
            wrong(format!("no {key}"));
        }
    }
    if request["stream"] != true {
        wrong("no stream is asked for".into());
    }
    if request.get("system").is_some_and(|system| !system.is_string() || system == "") {
        wrong("the system prompt is no text".into());
    }
    let mut expected = "user";
    let mut open: Vec<String> = Vec::new();
    let empty = Vec::new();
    for (place, message) in request["messages"].as_array().unwrap_or(&empty).iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        if role != expected {
            wrong(format!("message {place}: {role:?} where {expected:?} is due"));
        }
        expected = if role == "user" { "assistant" } else { "user" };
        let blocks = message["content"].as_array().unwrap_or(&empty);
        if blocks.is_empty() {
            wrong(format!("message {place}: no content"));
        }
        for block in blocks {
            match block["type"].as_str().unwrap_or_default() {
                "text" if block["text"].as_str().is_none_or(|text| text.trim().is_empty()) => {
                    wrong(format!("message {place}: an empty text"));
                }
                "text" => {}
                "tool_result" => {
                    let id = block["tool_use_id"].as_str().unwrap_or_default();
                    match open.iter().position(|known| known == id) {
                        Some(index) => drop(open.remove(index)),
                        None => wrong(format!("message {place}: a result for no call ({id:?})")),
                    }
                }
                "tool_use" => {
                    if !block["input"].is_object() {
                        wrong(format!("message {place}: input is no object"));
                    }
                    open.push(block["id"].as_str().unwrap_or_default().to_owned());
                }
                other => wrong(format!("message {place}: unknown block {other:?}")),
            }
        }
        if role == "user" && !open.is_empty() {
            wrong(format!("message {place}: calls without a result: {open:?}"));
            open.clear();
        }
    }
    for tool in request["tools"].as_array().unwrap_or(&empty) {
        if !tool["input_schema"].is_object() {
            wrong("a tool without input_schema".into());
        }
    }
    problems
}

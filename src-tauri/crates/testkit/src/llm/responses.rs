//! `/v1/responses`.

use serde_json::{Value, json};

use super::{Wire, sse};

/// What a real service would have encrypted; it must come back as it is.
pub const ENCRYPTED: &str = "c2VhbGVkLXRob3VnaHRz";

pub(super) const WIRE: Wire = Wire {
    content_type: "text/event-stream",
    text: |text| {
        let deltas =
            text.split_inclusive(' ').map(|word| sse(&json!({"type": "response.output_text.delta", "output_index": 1, "delta": word})));
        let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
        deltas
            .chain([done(1, &json!({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}))])
            .collect()
    },
    thinking: |text| {
        let item = json!({"id": "rs_0", "type": "reasoning", "summary": [{"type": "summary_text", "text": text}], "encrypted_content": ENCRYPTED, "status": null});
        vec![
            sse(
                &json!({"type": "response.output_item.added", "output_index": 0, "item": {"id": "rs_0", "type": "reasoning", "summary": []}}),
            ),
            sse(&json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": text})),
            done(0, &item),
        ]
    },
    calls: |calls| {
        let mut out = (WIRE.thinking)("I should look that up.");
        for (index, (name, arguments)) in (1..).zip(calls) {
            let item = |arguments: &str| json!({"id": format!("fc_{index}"), "type": "function_call", "call_id": format!("call_{index}"), "name": name, "arguments": arguments, "status": "completed"});
            out.push(sse(&json!({"type": "response.output_item.added", "output_index": index, "item": item("")})));
            let text: Vec<char> = arguments.to_string().chars().collect();
            for part in text.chunks(7) {
                let delta = part.iter().collect::<String>();
                out.push(sse(&json!({"type": "response.function_call_arguments.delta", "output_index": index, "delta": delta})));
            }
            out.push(done(index, &item(&arguments.to_string())));
        }
        out
    },
    end: |_| {
        let usage = json!({"input_tokens": 100, "output_tokens": 20, "total_tokens": 120, "input_tokens_details": {"cached_tokens": 40}, "output_tokens_details": {"reasoning_tokens": 10}});
        vec![sse(&json!({"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": [], "usage": usage}}))]
    },
    check,
    key: ("authorization", "Bearer "),
};

fn done(index: usize, item: &Value) -> String {
    sse(&json!({"type": "response.output_item.done", "output_index": index, "item": item}))
}

/// What the service would refuse, and what would leave a person's words with it.
fn check(request: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    if request["store"] != false {
        problems.push("something would be stored at the service".into());
    }
    if !request["include"].as_array().is_some_and(|list| list.contains(&json!("reasoning.encrypted_content"))) {
        problems.push("the reasoning is not asked for".into());
    }
    if request.get("messages").is_some() || request.get("max_tokens").is_some() {
        problems.push("fields of Chat Completions".into());
    }
    let mut open = Vec::new();
    for (place, item) in request["input"].as_array().into_iter().flatten().enumerate() {
        match item["type"].as_str() {
            Some("function_call") => open.push(item["call_id"].clone()),
            Some("function_call_output") => match open.iter().position(|known| *known == item["call_id"]) {
                Some(known) => drop(open.remove(known)),
                None => problems.push(format!("item {place}: a result for no call")),
            },
            Some("reasoning") if item.get("status").is_some() => problems.push(format!("item {place}: reasoning with a status")),
            Some("reasoning") if item["encrypted_content"] != ENCRYPTED => {
                problems.push(format!("item {place}: reasoning that was changed"));
            }
            Some("reasoning") => {}
            _ if item["role"].is_string() => {}
            other => problems.push(format!("item {place}: {other:?}")),
        }
    }
    if !open.is_empty() {
        problems.push(format!("calls without a result: {open:?}"));
    }
    problems
}

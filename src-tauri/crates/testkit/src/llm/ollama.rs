//! Ollama's `/api/chat` and `/api/show`.

use serde_json::{Value, json};

use super::Wire;

pub(super) const WIRE: Wire = Wire {
    content_type: "application/x-ndjson",
    text: |text| text.split_inclusive(' ').map(|word| line(&json!({"role": "assistant", "content": word}))).collect(),
    thinking: |text| text.split_inclusive(' ').map(|word| line(&json!({"role": "assistant", "content": "", "thinking": word}))).collect(),
    calls: |calls| {
        calls
            .iter()
            .map(|(name, arguments)| {
                line(&json!({"role": "assistant", "content": "", "tool_calls": [{"function": {"name": name, "arguments": arguments}}]}))
            })
            .collect()
    },
    end: |_| {
        let last = json!({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 100, "eval_count": 20});
        vec![format!("{last}\n")]
    },
    check,
    key: ("authorization", "Bearer "),
};

fn line(message: &Value) -> String {
    format!("{}\n", json!({"model": "test", "message": message, "done": false}))
}

/// What `/api/show` says.
pub(super) fn show(capabilities: &[&str]) -> Value {
    json!({"capabilities": capabilities, "model_info": {"general.architecture": "test", "test.context_length": 40960}})
}

/// What would go wrong with Ollama, which refuses little and forgets much.
fn check(request: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wrong = |what: String| problems.push(what);
    if request.pointer("/options/num_ctx").and_then(Value::as_u64).is_none_or(|size| size > 40960) {
        wrong("num_ctx is not set, or larger than the model's window".into());
    }
    let empty = Vec::new();
    let mut open = 0_usize;
    for (place, message) in request["messages"].as_array().unwrap_or(&empty).iter().enumerate() {
        match message["role"].as_str().unwrap_or_default() {
            "tool" if open == 0 => wrong(format!("message {place}: a result for no call")),
            "tool" => open -= 1,
            "assistant" | "user" | "system" if open > 0 => {
                wrong(format!("message {place}: calls without a result"));
                open = 0;
            }
            "assistant" | "user" | "system" => {}
            other => wrong(format!("message {place}: unexpected role {other:?}")),
        }
        for call in message["tool_calls"].as_array().unwrap_or(&empty) {
            if !call["function"]["arguments"].is_object() {
                wrong(format!("message {place}: arguments are no object"));
            }
            open += 1;
        }
    }
    problems
}

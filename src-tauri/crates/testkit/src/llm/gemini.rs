//! `/v1beta/models/<model>:streamGenerateContent`.

use serde_json::{Value, json};

use super::{Wire, sse};

pub(super) const WIRE: Wire = Wire {
    content_type: "text/event-stream",
    text: |text| text.split_inclusive(' ').map(|word| part(&json!({"text": word}))).collect(),
    thinking: |text| text.split_inclusive(' ').map(|word| part(&json!({"text": word, "thought": true}))).collect(),
    calls: |calls| {
        calls
            .iter()
            .map(|(name, arguments)| {
                part(&json!({"functionCall": {"name": name, "args": arguments}, "thoughtSignature": format!("signed-{name}")}))
            })
            .collect()
    },
    end: |_| {
        vec![sse(&json!({
            "candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 15, "thoughtsTokenCount": 5},
        }))]
    },
    check,
    key: ("x-goog-api-key", ""),
};

fn part(part: &Value) -> String {
    sse(&json!({"candidates": [{"content": {"role": "model", "parts": [part]}}]}))
}

/// What Gemini would refuse.
fn check(request: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wrong = |what: String| problems.push(what);
    let empty = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut before = "model";
    for (place, content) in request["contents"].as_array().unwrap_or(&empty).iter().enumerate() {
        let role = content["role"].as_str().unwrap_or_default();
        if !matches!(role, "user" | "model") || role == before {
            wrong(format!("content {place}: unexpected role {role:?}"));
        }
        before = if role == "user" { "user" } else { "model" };
        for part in content["parts"].as_array().unwrap_or(&empty) {
            if let Some(call) = part.get("functionCall") {
                let name = call["name"].as_str().unwrap_or_default();
                if part["thoughtSignature"] != format!("signed-{name}") {
                    wrong(format!("content {place}: the signature of {name} is missing"));
                }
                open.push(name.to_owned());
            }
            if let Some(result) = part.get("functionResponse") {
                let name = result["name"].as_str().unwrap_or_default();
                match open.iter().position(|known| known == name) {
                    Some(index) => drop(open.remove(index)),
                    None => wrong(format!("content {place}: a result for no call ({name:?})")),
                }
                if !result["response"].is_object() {
                    wrong(format!("content {place}: the result is no object"));
                }
            }
        }
        if role == "user" && !open.is_empty() {
            wrong(format!("content {place}: calls without a result: {open:?}"));
            open.clear();
        }
    }
    if request["contents"].as_array().is_none_or(Vec::is_empty) {
        wrong("no contents".into());
    }
    if request.pointer("/generationConfig/maxOutputTokens").is_none() {
        wrong("no maxOutputTokens".into());
    }
    if request.to_string().contains("additionalProperties") {
        wrong("additionalProperties is not known".into());
    }
    problems
}

//! What hooks are told: the event, and the turn as `nexi ask --json` prints it.

use jiff::Timestamp;
use nexi_core::{
    protocol::{HookEvent, Turn},
    template,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::report::Report;

/// By the Standard Webhooks: a type, when it happened, and what it is about.
#[derive(Serialize)]
struct Message<T> {
    #[serde(rename = "type")]
    kind: String,
    timestamp: String,
    data: T,
}

/// What is said of a turn.
pub(super) fn of_turn(turn: Turn, event: HookEvent, now_ms: i64) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Message { kind: format!("research.{}", event.as_str()), timestamp: moment(now_ms), data: Report::from(turn) })
}

/// What a test says.
pub(super) fn test(now_ms: i64) -> String {
    let message =
        Message { kind: "test".to_owned(), timestamp: moment(now_ms), data: json!({"question": "A test from Nexi", "state": "answered"}) };
    serde_json::to_string(&message).unwrap_or_default()
}

fn moment(ms: i64) -> String {
    Timestamp::from_millisecond(ms).unwrap_or_default().to_string()
}

/// The arguments of a program with what they ask for filled in.
pub(super) fn fill(args: &[String], body: &str) -> Vec<String> {
    let message: Value = serde_json::from_str(body).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().replace('\0', "");
    let data = &message["data"];
    let value = |field: &str| match field {
        "event" => Some(text(&message["type"])),
        "question" => Some(text(&data["question"])),
        "state" => Some(text(&data["state"])),
        "thread" => Some(text(&data["thread"])),
        "turn" => Some(text(&data["id"])),
        _ => None,
    };
    let filled = |word: &String| {
        let filled = template::fill(word, value);
        // A value at the beginning of a word must not become an option of the program.
        if filled.starts_with('-') && !word.starts_with('-') { format!(" {filled}") } else { filled }
    };
    args.iter().map(filled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_filled_in_once_and_become_no_options() {
        let body = json!({"type": "research.answered", "data": {"question": "-rf {state}", "state": "answered", "id": "t1"}}).to_string();
        let args = ["{question}", "--about={question}", "{event} of {turn}", "{other}"].map(str::to_owned);
        assert_eq!(fill(&args, &body), [" -rf {state}", "--about=-rf {state}", "research.answered of t1", "{other}"]);
    }
}

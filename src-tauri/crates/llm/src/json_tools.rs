//! Models without tool calling: tools are explained in the system prompt, calls are JSON in the
//! text, and results come back as messages.

use nexi_core::{
    model::{Delta, Message, ModelRequest, ToolCall, ToolSet},
    prompts::Prompts,
    tools,
};
use serde_json::{Map, Value};

const NAMES: [&str; 5] = ["web_search", "web_get", "document_search", "document_read", "final_answer"];
/// Calls of one reply that are read.
const MOST_CALLS: usize = 16;
/// Bytes that are held back while it is not clear what they will be.
const MOST_HELD: usize = 64 * 1024;

/// The request as plain text messages.
pub(crate) fn rewrite(request: &ModelRequest, prompts: &Prompts) -> ModelRequest {
    let mut names: Vec<(String, String)> = Vec::new();
    let mut messages: Vec<Message> = Vec::new();
    for message in &request.messages {
        let plain = match message {
            Message::System { text } if request.tools != ToolSet::None => {
                Message::System { text: format!("{text}\n\n{}", prompts.json_tools(&tools::offered(request))) }
            }
            Message::Assistant { text, calls, .. } if !calls.is_empty() => {
                names.extend(calls.iter().map(|call| (call.id.clone(), call.name.clone())));
                let written: Vec<String> =
                    std::iter::once(text.clone()).filter(|text| !text.is_empty()).chain(calls.iter().map(write)).collect();
                Message::said(written.join("\n"), Vec::new())
            }
            Message::Tool { call_id, result } => {
                let name = names.iter().rev().find(|(id, _)| id == call_id).map_or("the tool", |(_, name)| name.as_str());
                Message::User { text: format!("Result of {name}:\n\n{}", result.render()) }
            }
            other => other.clone(),
        };
        // Services of this kind want the roles to alternate.
        match (messages.last_mut(), plain) {
            (Some(Message::User { text: before }), Message::User { text }) => {
                before.push_str("\n\n");
                before.push_str(&text);
            }
            (_, plain) => messages.push(plain),
        }
    }
    ModelRequest { thinking: request.thinking, ..ModelRequest::for_text(messages, request.max_output_tokens) }
}

/// A call as the model would have written it.
fn write(call: &ToolCall) -> String {
    let mut object = Map::from_iter([("tool".to_owned(), Value::String(call.name.clone()))]);
    if let Ok(Value::Object(arguments)) = serde_json::from_str::<Value>(&call.arguments) {
        object.extend(arguments);
    }
    Value::Object(object).to_string()
}

/// The calls in a text; none when it is something else, such as an answer.
pub(crate) fn parse(text: &str) -> Option<Vec<ToolCall>> {
    let mut rest = text.trim();
    let mut calls = Vec::new();
    while let Some(open) = rest.find(['{', '[']) {
        let mut values = serde_json::Deserializer::from_str(&rest[open..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                collect(&value, &mut calls);
                rest = &rest[open + values.byte_offset()..];
            }
            _ => rest = &rest[open + 1..],
        }
        if calls.len() >= MOST_CALLS {
            break;
        }
    }
    if calls.is_empty() {
        calls.extend(broken(text));
    }
    // An answer that was written before the results were there is imagined.
    if calls.len() > 1 && calls[0].name != "final_answer" {
        calls.retain(|call| call.name != "final_answer");
    }
    (!calls.is_empty()).then_some(calls)
}

fn collect(value: &Value, calls: &mut Vec<ToolCall>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, calls)),
        Value::Object(map) => {
            let Some((key, name)) = ["tool", "name", "tool_name", "function", "action"]
                .iter()
                // Under `tool` any name is meant as a call; the run says which tools there are.
                .find_map(|key| Some((*key, map.get(*key)?.as_str().filter(|name| *key == "tool" || NAMES.contains(name))?.to_owned())))
            else {
                // `{"tool_calls": [...]}` and `{"function": {"name": ...}}`
                return map.values().filter(|inner| inner.is_object() || inner.is_array()).for_each(|inner| collect(inner, calls));
            };
            // Beside other fields it is an argument of this name.
            let alone = map.len() == 2 || NAMES.contains(&name.as_str());
            let nested =
                ["arguments", "parameters", "args", "input", "action_input"].iter().find_map(|key| map.get(*key)).filter(|_| alone);
            let arguments = match nested {
                Some(Value::String(text)) => text.clone(),
                Some(inner) => inner.to_string(),
                None => {
                    Value::Object(map.iter().filter(|(other, _)| *other != key).map(|(key, value)| (key.clone(), value.clone())).collect())
                        .to_string()
                }
            };
            calls.push(ToolCall { id: String::new(), name, arguments, signature: None });
        }
        _ => {}
    }
}

/// A call that is plainly meant but is not JSON: the run tells the model what is wrong with it.
fn broken(text: &str) -> Option<ToolCall> {
    let name = NAMES
        .iter()
        .find(|name| [format!("\"{name}\""), format!("'{name}'"), format!("{name}({{")].iter().any(|sign| text.contains(sign.as_str())))?;
    let open = text.find('{')?;
    Some(ToolCall { id: String::new(), name: (*name).to_owned(), arguments: text[open..].to_owned(), signature: None })
}

/// Tells, while text is still arriving, an answer in plain words from a call.
#[derive(Debug, Default)]
pub(crate) struct JsonStream {
    held: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    #[default]
    Unknown,
    Plain,
    /// A call of another tool than `final_answer`, or not known yet.
    Call,
    Answer,
}

impl JsonStream {
    /// Whether text was passed on as it came.
    pub(crate) fn is_plain(&self) -> bool {
        self.kind == Kind::Plain
    }

    pub(crate) fn push(&mut self, piece: &str) -> Vec<Delta> {
        let arguments = |piece: String| vec![Delta::Arguments { index: 0, name: "final_answer".into(), piece }];
        match self.kind {
            Kind::Plain => return vec![Delta::Text(piece.to_owned())],
            Kind::Answer => return arguments(piece.to_owned()),
            Kind::Unknown | Kind::Call => {}
        }
        if self.held.len() < MOST_HELD {
            self.held.push_str(piece);
        }
        if self.kind == Kind::Unknown {
            match self.held.trim_start().chars().next() {
                None => return Vec::new(),
                Some('{' | '[' | '`' | '<') => self.kind = Kind::Call,
                Some(_) => {
                    self.kind = Kind::Plain;
                    return vec![Delta::Text(std::mem::take(&mut self.held))];
                }
            }
        }
        let folded: String = self.held.chars().take(400).filter(|c| !c.is_whitespace()).collect();
        if ["tool", "name"].iter().any(|key| folded.contains(&format!("\"{key}\":\"final_answer\""))) {
            self.kind = Kind::Answer;
            let held = std::mem::take(&mut self.held);
            let open = held.find('{').unwrap_or(0);
            return arguments(held[open..].to_owned());
        }
        Vec::new()
    }
}

/// Whether a service says, and means nothing else, that a model has no tool calling.
pub(crate) fn is_about_tools(status: u16, message: &str) -> bool {
    const SAID: [&str; 17] = [
        "does not support tools",
        "does not support tool",
        "do not support tools",
        "does not support function",
        "support tool use",
        "tools are not supported",
        "tools is not supported",
        "tool use is not supported",
        "tool calling is not supported",
        "tool_choice is not supported",
        "function calling is not supported",
        "function calling is not enabled",
        "functions are not supported",
        "unknown parameter: tools",
        "unsupported parameter: tools",
        "--enable-auto-tool-choice",
        "--jinja",
    ];
    let lower = message.to_lowercase();
    // Some put the field into quotation marks or backticks.
    let bare = lower.replace(['`', '\'', '"'], "");
    let forbidden = (lower.contains("body.tools:") || lower.contains("\"tools\"]")) && lower.contains("not permitted");
    matches!(status, 400 | 404 | 422 | 500 | 501) && (forbidden || SAID.iter().any(|words| bare.contains(words)))
}

#[cfg(test)]
mod tests {
    use nexi_core::run::ToolResult;

    use super::*;

    fn parsed(text: &str) -> Vec<(String, String)> {
        parse(text).unwrap_or_default().into_iter().map(|call| (call.name, call.arguments)).collect()
    }

    #[test]
    fn calls_are_read_in_every_common_form() {
        let search = vec![("web_search".to_owned(), r#"{"queries":["a"]}"#.to_owned())];
        for text in [
            r#"{"tool": "web_search", "queries": ["a"]}"#,
            "```json\n{\"tool\": \"web_search\", \"queries\": [\"a\"]}\n```",
            r#"<tool_call>{"name": "web_search", "arguments": {"queries": ["a"]}}</tool_call>"#,
            r#"{"action": "web_search", "action_input": {"queries": ["a"]}}"#,
            r#"{"tool_calls": [{"function": {"name": "web_search", "arguments": "{\"queries\":[\"a\"]}"}}]}"#,
            r#"[{"name": "web_search", "parameters": {"queries": ["a"]}}]"#,
        ] {
            assert_eq!(parsed(text), search, "{text}");
        }
        assert_eq!(parsed(&r#"{"tool": "web_search", "queries": ["a"]} "#.repeat(2)).len(), 2);
        assert_eq!(parse("The answer is {x} [1]."), None);
        assert_eq!(parse("{\"a\": 1}"), None);
        assert_eq!(parsed("I will search first.\n\n{\"tool\": \"web_search\", \"queries\": [\"a\"]}\nDone."), search);
        assert_eq!(parsed("{'tool': 'web_search', 'queries': ['a']}")[0].0, "web_search");
        assert_eq!(parsed("{\"tool\": \"delete_all\"}")[0].0, "delete_all");
        let both = "{\"tool\": \"web_search\", \"queries\": [\"a\"]}\n{\"tool\": \"final_answer\", \"answer\": \"x\"}";
        assert_eq!(parsed(both), search, "an imagined answer is dropped");
        assert_eq!(parsed("{\"tool\": \"web_search\", \"queries\": [")[0].0, "web_search");
    }

    #[test]
    fn answers_stream_and_calls_do_not() {
        let run = |text: &str| {
            let mut stream = JsonStream::default();
            let chars: Vec<char> = text.chars().collect();
            chars.chunks(3).flat_map(|piece| stream.push(&piece.iter().collect::<String>())).collect::<Vec<_>>()
        };
        assert!(run(r#"{"tool": "web_search", "queries": ["a"]}"#).is_empty());
        let plain: String =
            run("It is so [1].").into_iter().map(|delta| if let Delta::Text(text) = delta { text } else { panic!() }).collect();
        assert_eq!(plain, "It is so [1].");
        let mut answer = nexi_core::answer_stream::AnswerStream::default();
        let mut said = String::new();
        for delta in run("```json\n{\"tool\": \"final_answer\", \"answer\": \"It is so [1].\"}\n```") {
            let Delta::Arguments { piece, .. } = delta else { panic!() };
            said.push_str(&answer.push(&piece));
        }
        assert_eq!(said, "It is so [1].");
    }

    #[test]
    fn conversations_become_plain_and_alternate() {
        let call =
            |id: &str, name: &str| ToolCall { id: id.into(), name: name.into(), arguments: r#"{"urls":["u"]}"#.into(), signature: None };
        let result = |id: &str| Message::Tool { call_id: id.into(), result: ToolResult::Error { message: id.into() } };
        let request = ModelRequest {
            messages: vec![
                Message::System { text: "s".into() },
                Message::User { text: "q".into() },
                Message::said("", vec![call("a", "web_get"), call("b", "web_search")]),
                result("a"),
                result("b"),
            ],
            tools: ToolSet::AnswerOnly,
            user_tools: Vec::new(),
            max_output_tokens: 10,
            thinking: Default::default(),
        };
        let plain = rewrite(&request, &Prompts::default());
        assert_eq!((plain.tools, plain.messages.len()), (ToolSet::None, 4));
        let Message::System { text } = &plain.messages[0] else { panic!() };
        assert!(text.contains("final_answer") && !text.contains("\"web_search\""), "{text}");
        let Message::Assistant { text, calls, .. } = &plain.messages[2] else { panic!() };
        assert!(calls.is_empty() && text.contains(r#"{"tool":"web_get","urls":["u"]}"#), "{text}");
        let Message::User { text } = &plain.messages[3] else { panic!() };
        assert!(text.contains("Result of web_get:") && text.contains("Result of web_search:"), "{text}");
    }
}

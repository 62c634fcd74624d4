//! Tools of the person's own: those of MCP servers, and commands of the settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::{ports::Page, urls, visible::is_invisible};

/// Stands between the name of a server and that of its tool. No tool of Nexi's own has it in its name.
const BETWEEN: &str = "__";
/// Characters of a name that every service takes.
const MAX_NAME: usize = 64;

/// A tool that a run may offer to its model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserTool {
    /// What models call it; see [`offered_name`].
    pub name: String,
    /// The server's name in the settings.
    pub server: String,
    /// What the server calls it.
    pub tool: String,
    /// In the server's words, which the person has seen and approved.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
    /// Whether it says that it changes nothing. It is believed only so far that such a tool can be granted for more than
    /// one call.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub reads: bool,
    /// Whether the person has granted all its calls.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub granted: bool,
    /// Whether the person says that its arguments stay on this computer.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub local: bool,
    /// Whether what it returns is nobody's private text.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub public: bool,
    /// Whether no lasting grant can be given, because nothing is to be kept.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub fleeting: bool,
    /// What is started or reached for it, on one line.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub launch: String,
}

impl UserTool {
    /// The address of a result as a source: the same text of the same tool is the same source. `public` says that it is
    /// nobody's private text.
    pub fn address(&self, text: &str, public: bool) -> String {
        urls::tool_address(&self.server, &self.tool, text, public)
    }

    /// Whether a run that began with `before` may still call it without asking anew: nothing about it has changed, and no
    /// grant was taken back.
    pub fn is_still(&self, before: &Self) -> bool {
        let granted = Self { granted: before.granted && self.granted, ..self.clone() };
        granted == *before
    }

    /// The arguments that a model wrote for it: an object, without a wrapper that its schema does not know.
    ///
    /// # Errors
    /// A sentence for the model that says what is wrong.
    pub fn arguments(&self, text: &str) -> Result<Value, String> {
        let known = self.parameters.get("properties").and_then(Value::as_object);
        if text.is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        let mut value: Value = serde_json::from_str(text)
            .map_err(|error| format!("The arguments of {} are not valid JSON ({error}). Send one JSON object.", self.name))?;
        if let Value::String(inner) = &value
            && let Ok(parsed @ Value::Object(_)) = serde_json::from_str::<Value>(inner)
        {
            value = parsed;
        }
        let is_known = |name: &str| known.is_some_and(|known| known.contains_key(name));
        let only = known.filter(|known| known.len() == 1).and_then(|known| known.keys().next());
        let missing = |fields: &Map<String, Value>| {
            let required = self.parameters.get("required").and_then(Value::as_array);
            required.into_iter().flatten().filter_map(Value::as_str).find(|name| !fields.contains_key(*name)).map(str::to_owned)
        };
        let fields = match value {
            Value::Object(fields) => {
                let is_wrapper = |name: &&str| fields.len() == 1 && fields.contains_key(*name) && !is_known(name);
                let wrapper = ["arguments", "parameters", "input"].into_iter().find(is_wrapper);
                match wrapper.and_then(|wrapper| fields.get(wrapper)?.as_object()) {
                    Some(inner) => inner.clone(),
                    None => fields,
                }
            }
            Value::Null => Map::new(),
            // The only argument there is.
            other => match only {
                Some(name) => Map::from_iter([(name.clone(), other)]),
                None => return Err(format!("The arguments of {} must be one JSON object.", self.name)),
            },
        };
        match missing(&fields) {
            Some(name) => Err(format!("{} needs the argument `{name}`.", self.name)),
            None => Ok(Value::Object(fields)),
        }
    }
}

/// A tool as its server describes it. Approval is of these words: whatever differs has to be approved again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
pub struct ToolDefinition {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub title: Option<String>,
    pub description: String,
    /// JSON Schema of the arguments.
    #[ts(type = "unknown")]
    pub parameters: Value,
    /// Whether it says that it changes nothing.
    pub reads: bool,
}

/// A tool that the person has approved.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovedTool {
    pub definition: ToolDefinition,
    /// Whether all its calls are granted.
    pub granted: bool,
}

/// How far a decision about a call reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantScope {
    /// This call alone.
    #[default]
    Once,
    /// Every call of this tool in this research.
    Research,
    /// Every call of this tool, from now on.
    Always,
}

impl GrantScope {
    /// Whether it is about one call.
    pub fn is_once(&self) -> bool {
        *self == Self::Once
    }
}

/// What a call of such a tool came back with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Called {
    /// What can be read of it: its own text first, then the documents that came with it. Addresses of documents are
    /// the server's; the text has none.
    pub pages: Vec<Page>,
    /// What cannot be read, such as `an image (image/png)`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_out: Vec<String>,
    /// The tool says that it failed; its text says why.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub failed: bool,
}

/// The arguments of a call as a person reads them: each with its name, texts without quotation marks, and with signs for
/// characters that nobody would see.
pub fn shown_arguments(arguments: &Value) -> Vec<ShownArgument> {
    let text = |value: &Value| with_signs(&value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    match arguments {
        Value::Object(fields) => fields.iter().map(|(name, value)| ShownArgument { name: with_signs(name), value: text(value) }).collect(),
        other => vec![ShownArgument { name: String::new(), value: text(other) }],
    }
}

/// One argument of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct ShownArgument {
    pub name: String,
    pub value: String,
}

/// A text with signs for the characters in it that nobody would see.
pub(crate) fn with_signs(text: &str) -> String {
    let sign = |c: char| {
        if is_invisible(c) || (c.is_control() && !matches!(c, '\n' | '\t')) { format!("\\u{{{:x}}}", u32::from(c)) } else { c.to_string() }
    };
    text.chars().map(sign).collect()
}

/// The name under which a tool is offered to models: that of its server and its own, in characters that every service
/// takes. Where it has to be shortened or changed, a fingerprint keeps it apart from others.
pub fn offered_name(server: &str, tool: &str) -> String {
    let plain =
        |text: &str| text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' }).collect::<String>();
    let whole = format!("{server}{BETWEEN}{tool}");
    let name = format!("{}{BETWEEN}{}", plain(server), plain(tool));
    if name == whole && name.len() <= MAX_NAME {
        return name;
    }
    let print = urls::fingerprint(&whole);
    format!("{}_{print:08x}", &name[..name.len().min(MAX_NAME - 9)])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(parameters: Value) -> UserTool {
        UserTool {
            name: "a__b".into(),
            server: "a".into(),
            tool: "b".into(),
            description: String::new(),
            parameters,
            reads: true,
            granted: false,
            local: false,
            public: false,
            fleeting: false,
            launch: String::new(),
        }
    }

    #[test]
    fn arguments_are_healed_by_the_schema() {
        let path = tool(json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}));
        for text in
            [r#"{"path": "/a"}"#, r#"{"arguments": {"path": "/a"}}"#, r#"{"input": {"path": "/a"}}"#, r#""/a""#, r#""{\"path\": \"/a\"}""#]
        {
            assert_eq!(path.arguments(text), Ok(json!({"path": "/a"})), "{text}");
        }
        assert!(path.arguments("{}").unwrap_err().contains("needs the argument `path`"));
        assert!(path.arguments("{").unwrap_err().contains("not valid JSON"));
        // A tool may have an argument of this name.
        let input = tool(json!({"properties": {"input": {"type": "object"}}}));
        assert_eq!(input.arguments(r#"{"input": {"a": 1}}"#), Ok(json!({"input": {"a": 1}})));
        assert_eq!(tool(json!({})).arguments(""), Ok(json!({})));
    }

    #[test]
    fn people_see_what_is_sent() {
        let shown = shown_arguments(&json!({"id": 9_007_199_254_740_993_u64, "words": "a\u{202e}b\u{7}"}));
        let values: Vec<&str> = shown.iter().map(|argument| argument.value.as_str()).collect();
        assert_eq!(values, ["9007199254740993", "a\\u{202e}b\\u{7}"]);
    }

    #[test]
    fn names_are_taken_by_every_service_and_stay_apart() {
        assert_eq!(offered_name("files", "read_file"), "files__read_file");
        let names = [
            offered_name("a", "x.y"),
            offered_name("a", "x_y"),
            offered_name("a", "x/y"),
            offered_name("a", "ü"),
            offered_name("a", &"x".repeat(90)),
            offered_name("a", &"x".repeat(91)),
        ];
        for (index, name) in names.iter().enumerate() {
            assert!(
                name.len() <= MAX_NAME && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')),
                "{name}"
            );
            assert!(!names[..index].contains(name), "{name}");
        }
    }
}

//! Tools as servers describe them.

use nexi_core::{user_tools::ToolDefinition, visible::visible};
use rmcp::model::Tool;
use serde_json::Value;

/// Bytes that the description of one tool may have with its schema.
const MAX_SIZE: usize = 64 * 1024;

/// What a person approves and a model is told: without characters that only one of them would see. None where it is
/// larger than anything anybody would read.
pub(crate) fn of(tool: Tool) -> Option<ToolDefinition> {
    let hints = tool.annotations.unwrap_or_default();
    let title = tool.title.or(hints.title).map(|title| visible(&title)).filter(|title| !title.trim().is_empty());
    let definition = ToolDefinition {
        name: tool.name.into_owned(),
        title,
        description: visible(tool.description.as_deref().unwrap_or_default()),
        parameters: shown(Value::Object((*tool.input_schema).clone())),
        reads: hints.read_only_hint == Some(true) && hints.destructive_hint != Some(true),
    };
    let size = serde_json::to_string(&definition).map_or(usize::MAX, |text| text.len());
    (size <= MAX_SIZE && !definition.name.trim().is_empty() && visible(&definition.name) == definition.name).then_some(definition)
}

fn shown(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(visible(&text)),
        Value::Array(items) => items.into_iter().map(shown).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (visible(&name), shown(value))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(value: Value) -> Tool {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn people_and_models_read_the_same() {
        let hidden = "Adds.\u{e0049}\u{e0067}\u{e006e}\u{202e}";
        let schema = json!({"type": "object", "properties": {"a": {"description": "One\u{200b}\u{200b}two"}}});
        let found = of(tool(json!({"name": "add", "description": hidden, "inputSchema": schema, "annotations": {"readOnlyHint": true}})));
        let found = found.unwrap();
        assert_eq!((found.description.as_str(), found.reads), ("Adds.", true));
        assert_eq!(found.parameters["properties"]["a"]["description"], "Onetwo");
        let writes = tool(json!({"name": "a", "inputSchema": {}, "annotations": {"readOnlyHint": true, "destructiveHint": true}}));
        assert!(!of(writes).unwrap().reads);
        assert!(of(tool(json!({"name": "a\u{200b}b", "inputSchema": {}}))).is_none());
        assert!(of(tool(json!({"name": "a", "inputSchema": {}, "description": "x".repeat(MAX_SIZE)}))).is_none());
    }
}

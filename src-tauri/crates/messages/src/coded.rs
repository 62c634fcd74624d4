//! Sentences of enums with data.

use serde::Serialize;

use crate::{Messages, Value};

/// The message of an enum that is tagged with `code`, filled in with its fields: numbers and texts.
///
/// `coded("reasons-why", &reason)` is the message `reasons-why.` and the code.
pub fn coded(message: &str, what: &impl Serialize) -> String {
    let fields = serde_json::to_value(what).unwrap_or_default();
    let code = fields["code"].as_str().unwrap_or_default();
    let of = |value: &serde_json::Value| match value {
        serde_json::Value::Number(number) => Value::from(number.as_i64().unwrap_or_default()),
        other => Value::from(other.as_str().unwrap_or_default()),
    };
    let values: Vec<(&str, Value)> = fields.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), of(value))).collect();
    Messages::current().text(&format!("{message}.{code}"), &values)
}

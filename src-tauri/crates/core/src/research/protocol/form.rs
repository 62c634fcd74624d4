//! Forms: what a tool of the person's own wants to know of them during a call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// Fields that a form may have.
const MAX_FIELDS: usize = 20;
/// Bytes of each of its texts.
const MAX_TEXT: usize = 500;

/// A small form, in the words of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Form {
    /// Which server asks.
    pub server: String,
    pub message: String,
    pub fields: Vec<FormField>,
}

/// One of its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
pub struct FormField {
    /// What the server calls it.
    pub name: String,
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    #[ts(as = "Option<String>", optional)]
    pub description: String,
    pub required: bool,
    pub kind: FieldKind,
    /// What it holds at first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, type = "unknown")]
    pub default: Option<Value>,
}

/// What can be entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FieldKind {
    Text,
    Number {
        whole: bool,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        least: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        most: Option<f64>,
    },
    YesNo,
    Choice {
        options: Vec<FormOption>,
        several: bool,
    },
}

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct FormOption {
    pub value: String,
    pub label: String,
}

impl Form {
    /// The form that a JSON Schema of flat fields describes. None where it has fields of another kind.
    pub fn of_schema(server: &str, message: &str, schema: &Value) -> Option<Self> {
        let properties = schema.get("properties").and_then(Value::as_object)?;
        if properties.len() > MAX_FIELDS {
            return None;
        }
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let field = |(name, schema): (&String, &Value)| {
            Some(FormField {
                name: name.clone(),
                title: text(schema, "title").unwrap_or_else(|| crate::text::truncate(name, MAX_TEXT)),
                description: text(schema, "description").unwrap_or_default(),
                required: required.contains(&name.as_str()),
                kind: kind(schema)?,
                default: schema.get("default").filter(|value| !value.is_null()).cloned(),
            })
        };
        let mut fields = properties.iter().map(field).collect::<Option<Vec<FormField>>>()?;
        // The order of the schema is lost on the way; what is needed comes first.
        fields.sort_by_key(|field| !field.required);
        Some(Self { server: server.to_owned(), message: shown(message), fields })
    }

    /// The values as the server wants them.
    ///
    /// # Errors
    /// Which field is wrong and what would be right.
    pub fn filled(&self, values: &Map<String, Value>) -> Result<Value, FormProblem> {
        let mut out = Map::new();
        for field in &self.fields {
            let value = values.get(&field.name).filter(|value| !value.is_null() && value.as_str() != Some(""));
            match value {
                Some(value) => {
                    out.insert(
                        field.name.clone(),
                        field.checked(value).map_err(|wrong| FormProblem { title: field.title.clone(), wrong })?,
                    );
                }
                None if field.required => return Err(FormProblem { title: field.title.clone(), wrong: FieldProblem::Required }),
                None => {}
            }
        }
        Ok(Value::Object(out))
    }
}

/// Which field of a form is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormProblem {
    /// What people call the field.
    pub title: String,
    pub wrong: FieldProblem,
}

/// What would be right in a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum FieldProblem {
    Required,
    Text,
    YesNo,
    Number,
    WholeNumber,
    AtLeast { least: String },
    AtMost { most: String },
    NotListed,
}

impl FormField {
    /// The value as the server wants it.
    ///
    /// # Errors
    /// A sentence that says what would be right.
    pub fn checked(&self, value: &Value) -> Result<Value, FieldProblem> {
        match &self.kind {
            FieldKind::Text => value.as_str().map(|text| Value::String(text.to_owned())).ok_or(FieldProblem::Text),
            FieldKind::YesNo => value.as_bool().map(Value::Bool).ok_or(FieldProblem::YesNo),
            FieldKind::Number { whole, least, most } => {
                let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|number: &f64| number.is_finite());
                let number = number.filter(|number| !whole || number.fract() == 0.0);
                let number = number.ok_or(if *whole { FieldProblem::WholeNumber } else { FieldProblem::Number })?;
                if let Some(least) = least.filter(|least| number < *least) {
                    return Err(FieldProblem::AtLeast { least: least.to_string() });
                }
                if let Some(most) = most.filter(|most| number > *most) {
                    return Err(FieldProblem::AtMost { most: most.to_string() });
                }
                Ok(if *whole { Value::from(number as i64) } else { Value::from(number) })
            }
            FieldKind::Choice { options, several } => {
                let fits = |value: &Value| value.as_str().is_some_and(|value| options.iter().any(|option| option.value == value));
                let is_right = if *several { value.as_array().is_some_and(|list| list.iter().all(fits)) } else { fits(value) };
                is_right.then(|| value.clone()).ok_or(FieldProblem::NotListed)
            }
        }
    }
}

fn kind(schema: &Value) -> Option<FieldKind> {
    if let Some(options) = options(schema) {
        return Some(FieldKind::Choice { options, several: false });
    }
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    match schema.get("type").and_then(Value::as_str)? {
        "string" => Some(FieldKind::Text),
        "boolean" => Some(FieldKind::YesNo),
        "number" => Some(FieldKind::Number { whole: false, least: number("minimum"), most: number("maximum") }),
        "integer" => Some(FieldKind::Number { whole: true, least: number("minimum"), most: number("maximum") }),
        "array" => Some(FieldKind::Choice { options: options(schema.get("items")?)?, several: true }),
        _ => None,
    }
}

/// What can be chosen by `enum`, with its labels in `enumNames`, or by `oneOf` or `anyOf` of constants.
fn options(schema: &Value) -> Option<Vec<FormOption>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let labels = schema.get("enumNames").and_then(Value::as_array);
        let label = |index: usize| labels.and_then(|labels| labels.get(index)?.as_str());
        return values
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let value = value.as_str()?;
                Some(FormOption { value: value.to_owned(), label: shown(label(index).unwrap_or(value)) })
            })
            .collect();
    }
    let constants = ["oneOf", "anyOf"].into_iter().find_map(|name| schema.get(name)?.as_array())?;
    constants
        .iter()
        .map(|constant| {
            let value = constant.get("const")?.as_str()?;
            Some(FormOption { value: value.to_owned(), label: text(constant, "title").unwrap_or_else(|| shown(value)) })
        })
        .collect()
}

fn text(schema: &Value, name: &str) -> Option<String> {
    schema.get(name).and_then(Value::as_str).map(shown).filter(|text| !text.is_empty())
}

fn shown(said: &str) -> String {
    crate::text::truncate(crate::visible::visible(said).trim(), MAX_TEXT)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn form() -> Form {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "title": "Name"},
                "age": {"type": "integer", "minimum": 1, "maximum": 150},
                "sure": {"type": "boolean", "default": true},
                "colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
                "pets": {"type": "array", "items": {"anyOf": [{"const": "c", "title": "Cat"}, {"const": "d"}]}}
            },
            "required": ["name"]
        });
        Form::of_schema("everything", "Who are you?", &schema).unwrap()
    }

    #[test]
    fn schemas_become_forms() {
        let form = form();
        let field = |name: &str| form.fields.iter().find(|field| field.name == name).unwrap();
        assert!(field("name").required && field("name").title == "Name" && field("age").title == "age");
        assert_eq!(field("sure").default, Some(json!(true)));
        let FieldKind::Choice { options, several: false } = &field("colour").kind else { panic!() };
        assert_eq!((options[1].value.as_str(), options[1].label.as_str()), ("g", "Green"));
        assert!(matches!(&field("pets").kind, FieldKind::Choice { options, several: true } if options[0].label == "Cat"));
        assert!(Form::of_schema("s", "m", &json!({"properties": {"a": {"type": "object"}}})).is_none());
    }

    #[test]
    fn what_is_entered_is_checked() {
        let filled = |value: Value| form().filled(value.as_object().unwrap());
        let whole = json!({"name": "Ada", "age": "36", "sure": false, "colour": "r", "pets": ["c", "d"]});
        assert_eq!(filled(whole).unwrap(), json!({"name": "Ada", "age": 36, "sure": false, "colour": "r", "pets": ["c", "d"]}));
        assert_eq!(filled(json!({"name": "Ada", "age": ""})).unwrap(), json!({"name": "Ada"}));
        for (entered, title, wrong) in [
            (json!({}), "Name", FieldProblem::Required),
            (json!({"name": "a", "age": 0}), "age", FieldProblem::AtLeast { least: "1".into() }),
            (json!({"name": "a", "age": 1.5}), "age", FieldProblem::WholeNumber),
            (json!({"name": "a", "colour": "b"}), "colour", FieldProblem::NotListed),
        ] {
            assert_eq!(filled(entered).unwrap_err(), FormProblem { title: title.into(), wrong });
        }
    }
}

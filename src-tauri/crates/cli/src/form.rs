//! A field of a form on a terminal.

use nexi_engine::core::protocol::{FieldKind, FieldProblem, FormField};
use nexi_engine::sentences;
use nexi_messages::say;
use serde_json::Value;

use crate::line::one_line;
use crate::start::{is_no, is_yes};

/// What stands before the place where it is typed.
pub fn prompt(field: &FormField) -> String {
    let mut out = format!("  {}", one_line(&field.title));
    if !field.description.is_empty() {
        out.push_str(&format!(" - {}", one_line(&field.description)));
    }
    match &field.kind {
        FieldKind::YesNo => out.push_str(&format!(" {}", say!("nexi-ask-field-yes-no"))),
        FieldKind::Choice { options, several } => {
            for (number, option) in options.iter().enumerate() {
                out.push_str(&format!("\n    {} {}", number + 1, one_line(&option.label)));
            }
            let asked = if *several { say!("nexi-ask-field-numbers") } else { say!("nexi-ask-field-number") };
            out.push_str(&format!("\n    {asked}"));
        }
        FieldKind::Text | FieldKind::Number { .. } => {}
    }
    if let Some(default) = &field.default {
        out.push_str(&format!(" ({})", one_line(&default.as_str().map_or_else(|| default.to_string(), str::to_owned))));
    }
    out.push_str(if field.required { " *: " } else { ": " });
    out
}

/// What was typed as a value; none leaves the field out.
///
/// # Errors
/// What would be right.
pub fn value(field: &FormField, typed: &str) -> Result<Option<Value>, String> {
    if typed.is_empty() {
        return match &field.default {
            Some(default) => Ok(Some(default.clone())),
            None if field.required => Err(told(FieldProblem::Required)),
            None => Ok(None),
        };
    }
    let value = match &field.kind {
        FieldKind::Text => Value::from(typed),
        FieldKind::Number { whole, .. } => {
            let number: f64 = typed.parse().map_err(|_| told(if *whole { FieldProblem::WholeNumber } else { FieldProblem::Number }))?;
            if *whole && number.fract() == 0.0 { Value::from(number as i64) } else { Value::from(number) }
        }
        FieldKind::YesNo => {
            let typed = typed.to_lowercase();
            match is_yes(&typed) || typed == "true" {
                true => Value::Bool(true),
                false if is_no(&typed) || typed == "false" => Value::Bool(false),
                false => return Err(say!("nexi-ask-enter-yes-no")),
            }
        }
        FieldKind::Choice { options, several } => {
            let chosen = |word: &str| {
                let by_number = word.parse::<usize>().ok().and_then(|number| options.get(number.checked_sub(1)?));
                let option = by_number.or_else(|| options.iter().find(|option| option.value == word));
                option.map(|option| Value::from(option.value.clone())).ok_or_else(|| told(FieldProblem::NotListed))
            };
            if *several {
                Value::Array(typed.split([' ', ',']).filter(|word| !word.is_empty()).map(chosen).collect::<Result<_, _>>()?)
            } else {
                chosen(typed)?
            }
        }
    };
    field.checked(&value).map(Some).map_err(told)
}

fn told(problem: FieldProblem) -> String {
    sentences::form_field(&problem)
}

#[cfg(test)]
mod tests {
    use nexi_engine::core::protocol::FormOption;

    use super::*;

    #[test]
    fn what_is_typed_becomes_values() {
        let field =
            |kind| FormField { name: "a".into(), title: "A".into(), description: String::new(), required: true, kind, default: None };
        let option = |value: &str| FormOption { value: value.into(), label: value.to_uppercase() };
        let pets = field(FieldKind::Choice { options: vec![option("cat"), option("dog")], several: true });
        assert_eq!(value(&pets, "2, cat").unwrap(), Some(serde_json::json!(["dog", "cat"])));
        assert!(value(&pets, "3").is_err() && prompt(&pets).contains("1 CAT"));
        let age = field(FieldKind::Number { whole: true, least: None, most: None });
        assert_eq!(value(&age, "36").unwrap(), Some(Value::from(36)));
        assert!(value(&age, "").unwrap_err().contains("required") && value(&field(FieldKind::YesNo), "maybe").is_err());
    }
}

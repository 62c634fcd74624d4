//! Saved questions with `{fields}` that are filled in each time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Letters of the name of a field.
const MAX_FIELD: usize = 40;

/// A question that is asked often, under a name that is typed after `/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Template {
    pub id: String,
    /// Lowercase letters, digits and hyphens.
    pub name: String,
    pub text: String,
    /// The names of its fields, in the order of the text, each once.
    pub fields: Vec<String>,
}

/// Whether something can be called so: what is typed after `/` ends with a blank.
pub fn is_name(name: &str) -> bool {
    let letters = |c: char| c.is_lowercase() || c.is_numeric() || (c.is_alphabetic() && !c.is_uppercase()) || c == '-';
    !name.is_empty() && name.chars().count() <= MAX_FIELD && name.chars().all(letters) && !name.starts_with('-') && !name.ends_with('-')
}

/// The fields of a text.
pub fn fields(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (_, name) in places(text) {
        if !out.iter().any(|known| known == name) {
            out.push(name.to_owned());
        }
    }
    out
}

/// The text with its fields filled in; one without a value stays as it is.
pub fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, name) in places(text) {
        let Some(value) = value(name) else { continue };
        out.push_str(&text[at..range.start]);
        out.push_str(&value);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Where fields stand, braces included, and their names.
fn places(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &str)> {
    text.match_indices('{').filter_map(|(start, _)| {
        let name = text[start + 1..].split_once('}')?.0;
        let is_field = name.chars().next().is_some_and(char::is_alphabetic)
            && name.chars().count() <= MAX_FIELD
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        is_field.then(|| (start..start + name.len() + 2, name.trim_end()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_and_filled_in() {
        let text = "Compare {product} with {other product} for {product} users. {\"json\": 1} {} {{x}} { y }";
        assert_eq!(fields(text), ["product", "other product", "x"]);
        let filled = fill(text, |name| (name == "product").then(|| "{Wren}".to_owned()));
        assert_eq!(filled, "Compare {Wren} with {other product} for {Wren} users. {\"json\": 1} {} {{x}} { y }");
        assert_eq!(fill("{a}{b}", |name| Some(name.to_uppercase())), "AB");
        assert_eq!(fields("no field, {one\ntwo}, {unclosed"), Vec::<String>::new());
    }

    #[test]
    fn names_can_be_typed() {
        for name in ["compare", "q3-report", "über", "比較"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "Two", "a b", "-a", "a-", "a/b", "a{b}"] {
            assert!(!is_name(name), "{name}");
        }
    }
}

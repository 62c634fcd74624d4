//! Kinds of values that settings have.

use serde_json::Value;

/// What a setting may be.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Text,
    Switch,
    /// From the first to the second number, where there are such limits.
    Whole(Option<u64>, Option<u64>),
    Decimal,
    /// One of these.
    Word(Vec<Word>),
    /// A list of texts.
    Texts,
    /// A list of these.
    Words(Vec<Word>),
    /// A table of texts by their names.
    NamedTexts,
    /// A table of lists by their names.
    NamedLists,
    /// A table of settings, each of which is described by itself.
    Table,
}

/// A value that a setting may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub word: String,
    /// What it means; empty where it says so itself.
    pub about: String,
}

/// What stands where something else is wanted. Texts may hold keys and are not shown; words are.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    Word(String),
    Whole(String),
    Large,
    Fraction,
    NoNumber,
    Text,
    Switch,
    Date,
    List,
    OddList,
    Table,
    Nothing,
}

impl Found {
    /// What a value is.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Number(number) if number.as_f64().is_some_and(|number| number.abs() > f64::from(u32::MAX)) => Self::Large,
            Value::Number(number) if number.is_f64() => Self::Fraction,
            Value::Number(number) => Self::Whole(number.to_string()),
            Value::String(_) => Self::Text,
            Value::Bool(_) => Self::Switch,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Table,
            Value::Null => Self::Nothing,
        }
    }
}

//! What a thread is called, and what stands in the place of its oldest turns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::TurnState;
use crate::{
    ids::{ThreadId, TurnId},
    text,
    visible::visible,
};

/// Letters of a title and of a description at most.
const MAX_TITLE: usize = 80;
const MAX_DESCRIPTION: usize = 200;

/// What stands in the place of the oldest turns of a thread, once they no longer fit into the context window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct EarlierSummary {
    /// With the numbers of the sources in brackets.
    pub text: String,
    /// The newest turn that it covers; all before it are covered, too.
    pub through: TurnId,
    /// How many turns that are.
    pub turns: u32,
    /// Whether one of them rests on private text.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(as = "Option<bool>", optional)]
    pub private: bool,
}

/// What the model calls a thread after its first answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct ThreadTitle {
    /// A few words.
    pub title: String,
    /// One line about what it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub description: Option<String>,
}

impl ThreadTitle {
    /// A title of what a model wrote: one line without marks of its own; none where nothing is left of it.
    pub fn new(title: &str, description: &str) -> Option<Self> {
        let title = line(title, MAX_TITLE)?;
        Some(Self { title, description: line(description, MAX_DESCRIPTION) })
    }
}

fn line(written: &str, most: usize) -> Option<String> {
    let plain = text::fold_space(&text::plain(&visible(written)));
    let marks = ['"', '“', '”', '„', '«', '»', '\'', '*', '#', '`', ' '];
    let plain = plain.trim_start_matches(marks).trim_end_matches(|c| c == '.' || marks.contains(&c));
    (!plain.is_empty()).then(|| text::truncate_chars(plain, most - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_one_plain_line() {
        let made = ThreadTitle::new("**\"The Aldermoor bridge\"**.\n", " When it was\nbuilt. ").unwrap();
        assert_eq!((made.title.as_str(), made.description.as_deref()), ("The Aldermoor bridge", Some("When it was built")));
        assert_eq!(ThreadTitle::new(" \n", "x"), None);
        assert!(ThreadTitle::new(&"word ".repeat(80), "").unwrap().title.chars().count() <= MAX_TITLE);
    }
}

/// A thread in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct ThreadSummary {
    pub id: ThreadId,
    pub title: String,
    /// Unix time in milliseconds of the last change.
    #[ts(type = "number")]
    pub updated_ms: i64,
    pub state: TurnState,
    pub pinned: bool,
    /// Kept in memory only.
    #[serde(default)]
    pub private: bool,
    /// Its question is asked again by itself.
    #[serde(default)]
    pub watched: bool,
    /// The id of the space that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub space: Option<String>,
}

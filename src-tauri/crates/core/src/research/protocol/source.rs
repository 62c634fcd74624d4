//! Sources, as frontends show them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::place::Place;

/// A stretch of a source's stored text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Passage {
    /// Byte offset into the stored text where the passage begins.
    #[ts(type = "number")]
    pub start: usize,
    /// Byte offset just behind the passage.
    #[ts(type = "number")]
    pub end: usize,
    /// The passage with white space folded to single blanks.
    pub quote: String,
    /// Line of the file where the passage begins, from 1. Only for documents.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub start_line: Option<u32>,
    /// Line of the file where the passage ends, from 1. Only for documents.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub end_line: Option<u32>,
    /// Page of the printed document that the passage begins on, from 1. Only for documents with pages.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub page: Option<u32>,
    /// Where it begins in a document with other places, such as slides or the rows of a table.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub place: Option<Place>,
}

/// A page or document that was really read, without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Source {
    /// Its number, which never changes within its thread. From 1.
    pub number: u32,
    /// `https:`, `http:` or `file:`.
    pub url: String,
    pub title: String,
    /// What a reader recognises it by: the host, or the file's name.
    pub site: String,
    /// The day it was published or last changed, as `YYYY-MM-DD`, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub date: Option<String>,
    /// When it was fetched, in Unix milliseconds, if it came out of the page cache.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, type = "number")]
    pub cached_ms: Option<i64>,
    /// Whether the answer cites it.
    pub cited: bool,
    /// The passages that support the answer, in the order of the answer.
    pub passages: Vec<Passage>,
}

/// One search result, as frontends show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct ResultLine {
    pub title: String,
    pub url: String,
}

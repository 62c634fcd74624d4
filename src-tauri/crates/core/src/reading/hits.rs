//! What a search found, and what an index knows of its collection.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::place::PassagePlace;

/// One search result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    pub title: String,
    pub url: String,
    /// Plain text, without markup.
    pub snippet: String,
    /// `YYYY-MM-DD`, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
    /// Where in a document the snippet stands; none for pages of the web.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<PassagePlace>,
    /// Further passages of the same document, best first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub more: Vec<FoundPassage>,
}

/// A passage of a document that stands behind a better one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundPassage {
    pub snippet: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<PassagePlace>,
}

/// What an index that is at hand tells about a query besides its results. Shares are in thousandths.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Collection {
    /// How rare each topic of the query is in the whole collection, by its stem: its inverse document frequency.
    pub rarity: BTreeMap<String, u32>,
    /// The index's own score of its best passage, as a share of the sum of those.
    pub best: u32,
    /// The same of its second passage.
    pub second: u32,
    /// Passages whose authors list a question like this one, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answering: Vec<Answering>,
}

/// A share as it is kept.
pub fn thousandths(share: f64) -> u32 {
    (share.max(0.0) * 1000.0).round() as u32
}

/// A passage that stands under a question much like the one that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answering {
    /// Address of the page.
    pub url: String,
    /// The passage as it stands in the page's text.
    pub passage: String,
    /// How much alike the two questions are, in thousandths.
    pub fit: u32,
}

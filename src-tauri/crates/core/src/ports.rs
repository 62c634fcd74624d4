//! What the engine needs from outside, other than a model.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

/// How new results should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TimeRange {
    Day,
    Week,
    Month,
    Year,
}

impl TimeRange {
    /// `day`, `week`, `month` or `year`.
    pub fn as_str(self) -> &'static str {
        match self {
            TimeRange::Day => "day",
            TimeRange::Week => "week",
            TimeRange::Month => "month",
            TimeRange::Year => "year",
        }
    }
}

/// What a search backend is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    pub text: String,
    /// Backends that have no such filter ignore it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub range: Option<TimeRange>,
}

impl Query {
    /// A query for results of any age.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), range: None }
    }
}

/// One search result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    pub title: String,
    pub url: String,
    /// Plain text, without markup.
    pub snippet: String,
    /// `YYYY-MM-DD`, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
}

/// What a query came back with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// Which backend found them; empty when none did.
    pub backend: String,
    /// What other backends of the chain said on the way.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failures: Vec<String>,
}

/// A page or document with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Where it really came from, behind redirects.
    pub url: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub byline: Option<String>,
    /// `YYYY-MM-DD`, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
    /// Markdown, or the file's own text.
    pub text: String,
    /// For every line of `text` the line of the file it was made from, from 1.
    /// Empty means that the lines are the same.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<u32>,
}

/// Why a search or a page failed, in words for the model and the person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Failure {
    pub message: String,
}

impl Failure {
    /// A failure with this sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

/// Finds pages or documents.
#[async_trait]
pub trait SearchBackend: Send + Sync {
    /// The name in the settings, such as `documents` or `searx`.
    fn name(&self) -> &str;

    /// The best results for one query, best first. No result is an empty list, not a failure.
    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure>;
}

/// Fetches a page and cleans it.
#[async_trait]
pub trait Reader: Send + Sync {
    /// The name in the settings, such as `builtin` or `jina`.
    fn name(&self) -> &str;

    /// Whether this reader can read such a URL at all.
    fn accepts(&self, url: &url::Url) -> bool;

    /// The page. Text that is empty counts as a failure.
    async fn read(&self, url: &url::Url, cancel: &CancellationToken) -> Result<Page, Failure>;
}

/// Counts tokens the way the configured model does.
pub trait TokenCounter: Send + Sync {
    /// Tokens in `text`; 0 for empty text.
    fn count(&self, text: &str) -> usize;
}

/// A counter for runs that pay no tokens: four bytes are one token.
#[derive(Debug, Clone, Copy, Default)]
pub struct ApproximateTokens;

impl TokenCounter for ApproximateTokens {
    fn count(&self, text: &str) -> usize {
        text.len().div_ceil(4)
    }
}

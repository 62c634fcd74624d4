//! What the engine needs from outside, other than a model.

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

pub use crate::reading::{
    hits::{Answering, Collection, FoundPassage, Hit, thousandths},
    place::Place,
    temporal::TimeRange,
};
pub use crate::research::{
    cause::{Cause, ContainerCause, DatabaseCause, Fault, OwnCause, SignInCause, ToolCause},
    failure::Failure,
};
use crate::research::{
    document_filter::{DocumentFilter, MAX_RESULTS},
    incident::Incident,
};

/// Where a query goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchTool {
    /// The search backends of the settings.
    #[default]
    Web,
    /// Questions and answers of the Stack Exchange network.
    Stackexchange,
    /// Databases of vulnerabilities.
    Security,
    /// The exact words, in the user's documents.
    Grep,
    /// Earlier questions and answers.
    Library,
}

impl SearchTool {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Web, Self::Stackexchange, Self::Security, Self::Grep, Self::Library];

    /// The name by which a model calls it.
    pub fn call(self) -> &'static str {
        match self {
            SearchTool::Web => "web_search",
            SearchTool::Stackexchange => "stackexchange",
            SearchTool::Security => "security_search",
            SearchTool::Grep => "grep",
            SearchTool::Library => "library_search",
        }
    }

    /// Whether it looks at what lies on this computer, so that no query leaves.
    pub fn is_local(self) -> bool {
        matches!(self, SearchTool::Grep | SearchTool::Library)
    }

    /// Whether it is the default, which is left out of JSON.
    pub fn is_web(&self) -> bool {
        *self == SearchTool::Web
    }
}

/// What a search backend is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    pub text: String,
    /// Backends that have no such filter ignore it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub range: Option<TimeRange>,
    /// Where it is to be looked for.
    #[serde(skip_serializing_if = "SearchTool::is_web", default)]
    pub tool: SearchTool,
    /// Which site of a network such as Stack Exchange.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub site: Option<String>,
    /// The web may not be asked it, and nothing else outside of this computer but a corpus.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub documents_only: bool,
    /// Names of corpora that may not be asked it, either.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub withheld: Vec<String>,
    /// Which of the documents it looks at; the web knows nothing of it.
    #[serde(skip_serializing_if = "DocumentFilter::is_all", default)]
    pub filter: Box<DocumentFilter>,
}

impl Query {
    /// A query for results of any age, put to the search backends.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            range: None,
            tool: SearchTool::Web,
            site: None,
            documents_only: false,
            withheld: Vec::new(),
            filter: Box::default(),
        }
    }
}

impl Query {
    /// How many results are wanted, where the settings say `usual`.
    pub fn most_hits(&self, usual: u32) -> u32 {
        match self.filter.max_results {
            Some(most) => most,
            None if self.filter.list => MAX_RESULTS,
            None => usual,
        }
    }
}

/// What a query came back with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Found {
    pub hits: Vec<Hit>,
    /// Which backend found them; empty when none did.
    pub backend: String,
    /// What other backends of the chain said on the way.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub failures: Vec<String>,
    /// The same as facts.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub incidents: Vec<Incident>,
    /// What is known of the user's documents, where they were searched.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub collection: Option<Box<Collection>>,
}

impl Found {
    /// What each service that failed had, as facts.
    pub fn causes(&self) -> impl Iterator<Item = &Cause> {
        self.incidents.iter().filter_map(|incident| incident.cause.as_deref())
    }

    /// The same as one; none where no service failed.
    pub fn cause(&self) -> Option<Box<Cause>> {
        let mut causes: Vec<Cause> = self.causes().cloned().collect();
        match causes.len() {
            0 => None,
            1 => causes.pop().map(Box::new),
            _ => Some(Box::new(Cause::All { causes })),
        }
    }
}

/// A link of a page's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The words that are linked.
    pub text: String,
    /// Absolute, http or https.
    pub url: String,
}

/// A page or document with its text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Page {
    /// Where it really came from, behind redirects.
    pub url: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub byline: Option<String>,
    /// `YYYY-MM-DD`, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
    /// The day it was last changed, `YYYY-MM-DD`, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub modified: Option<String>,
    /// Where known, such as `10.1000/182`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub doi: Option<String>,
    /// The name of the publication, where it differs from the host.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub site: Option<String>,
    /// Such as `en` or `pt-BR`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub language: Option<String>,
    /// Markdown, or the file's own text.
    pub text: String,
    /// The links of the text, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub links: Vec<Link>,
    /// For every line of `text` the line of the file it was made from, from 1.
    /// Empty means that the lines are the same.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<u32>,
    /// Whether `lines` counts the pages of a printed document and not lines of a file.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub paged: bool,
    /// For documents that have places other than lines: `lines` then counts these, from 1; 0 is none of them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub places: Vec<Place>,
    /// When it was fetched, in Unix milliseconds, if that was earlier than it was asked for: it
    /// came out of the cache.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cached_ms: Option<i64>,
}

/// Finds pages or documents.
#[async_trait]
pub trait SearchBackend: Send + Sync {
    /// The name in the settings, such as `documents` or `searx`.
    fn name(&self) -> &str;

    /// Whether it searches what lies on this computer, and nothing leaves it.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether it is a corpus that several people share: no web, and asked together with the person's documents.
    fn is_shared(&self) -> bool {
        false
    }

    /// Whether asking it costs nothing.
    fn is_free(&self) -> bool {
        false
    }

    /// The best results for one query, best first. No result is an empty list, not a failure.
    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure>;

    /// The same, and what is known of the whole collection that was searched; only what lies on this computer can tell.
    async fn search_collection(&self, query: &Query, cancel: &CancellationToken) -> Result<(Vec<Hit>, Option<Collection>), Failure> {
        Ok((self.search(query, cancel).await?, None))
    }
}

/// What a text is embedded for; some models want to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedPurpose {
    /// To be found.
    Passage,
    /// To find others.
    Query,
}

/// Turns texts into vectors: those of texts that mean nearly the same point nearly the same way.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// What tells its vectors from those of others, such as `ollama/nomic-embed-text`. Vectors are compared only where it
    /// is the same.
    fn id(&self) -> &str;

    /// Whether the texts stay on this computer.
    fn is_local(&self) -> bool;

    /// A vector for each text, in their order, all of the same length.
    async fn embed(&self, texts: &[String], purpose: EmbedPurpose, cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure>;
}

/// Fetches a page and cleans it.
#[async_trait]
pub trait Reader: Send + Sync {
    /// The name in the settings, such as `builtin` or `jina`.
    fn name(&self) -> &str;

    /// Whether this reader can read such a URL at all.
    fn accepts(&self, url: &url::Url) -> bool;

    /// The page. Text that is empty counts as a failure.
    async fn read(&self, request: &ReadRequest, cancel: &CancellationToken) -> Result<ReadOutcome, Failure>;
}

/// What a reader is asked for.
#[derive(Debug, Clone)]
pub struct ReadRequest {
    pub url: url::Url,
    /// Given where nobody has asked for the page yet, which sites may forbid to robots; cancelled
    /// as soon as somebody does.
    pub ahead: Option<CancellationToken>,
    /// What an earlier copy was marked with, so that an unchanged page need not be sent again.
    pub validators: Validators,
}

/// The marks by which a server tells whether a page has changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Validators {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub etag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_modified: Option<String>,
}

/// What a reader brings.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadOutcome {
    Page(Box<Page>, Caching),
    /// The copy that the validators belong to is still right.
    Unchanged(Caching),
}

/// Whether and how long a page may be kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caching {
    /// False where the server forbids it, or where there is nothing to gain.
    pub keep: bool,
    /// Seconds, where the server says so.
    pub max_age: Option<u64>,
    pub validators: Validators,
}

/// A page as it lies in the cache.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedPage {
    pub page: Page,
    /// Unix milliseconds.
    pub fetched_ms: i64,
    /// Unix milliseconds; after that the server is asked whether it has changed.
    pub fresh_until_ms: i64,
    pub validators: Validators,
}

/// Pages that were read before. A cache that fails is an empty one. Both calls may block.
pub trait PageCache: Send + Sync {
    /// The page kept under this key, fresh or not.
    fn get(&self, key: &str) -> Option<CachedPage>;

    /// Keeps a page, in place of an older copy.
    fn put(&self, key: &str, page: &CachedPage);
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

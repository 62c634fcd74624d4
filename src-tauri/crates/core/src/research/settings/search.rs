//! What is looked for, and how results are ordered; what is kept of pages.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Wrong};

/// Options of all search backends; those that have no such option do without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct SearchOptions {
    /// Results taken of one query.
    #[schemars(range(min = 1, max = 50))]
    pub count: u32,
    /// The language of results, such as `en`; a provider's own language comes first.
    pub language: Option<String>,
    /// The country of results, in two letters such as `us`.
    pub country: Option<String>,
    /// Whether results that are not for children are left out.
    pub safe_search: SafeSearch,
    /// Hosts whose results alone are taken; all where none is named.
    pub include_sites: Vec<String>,
    /// Hosts whose results are left out.
    pub exclude_sites: Vec<String>,
    /// Hosts whose results stand behind all others.
    pub demote_sites: Vec<String>,
    /// Hosts whose results stand in front of all others.
    pub prefer_sites: Vec<String>,
    /// Web backends that are asked at the same time and whose results are merged; the next ones are
    /// asked when these found nothing. With 0, those that cost nothing are asked together and each of
    /// the others by itself. Documents are always asked beside them.
    #[schemars(range(max = 5))]
    pub at_once: u32,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            count: 10,
            language: None,
            country: None,
            safe_search: SafeSearch::default(),
            include_sites: Vec::new(),
            exclude_sites: Vec::new(),
            demote_sites: Vec::new(),
            prefer_sites: Vec::new(),
            at_once: 0,
        }
    }
}

/// Whether results that are not for children are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SafeSearch {
    /// Nothing is left out.
    Off,
    /// What is plainly not for children is left out.
    #[default]
    Moderate,
    /// What may not be for children is left out, too.
    Strict,
}

impl SearchOptions {
    pub(super) fn check(&self, out: &mut Vec<Problem>) {
        if self.language.as_ref().is_some_and(|code| !is_code(code)) {
            out.push(Problem::new("search.language", Wrong::LanguageCode));
        }
        if self.country.as_ref().is_some_and(|code| code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_alphabetic())) {
            out.push(Problem::new("search.country", Wrong::CountryCode));
        }
        for (field, sites) in [
            ("include_sites", &self.include_sites),
            ("exclude_sites", &self.exclude_sites),
            ("demote_sites", &self.demote_sites),
            ("prefer_sites", &self.prefer_sites),
        ] {
            for (index, site) in sites.iter().enumerate() {
                if !is_site(site) {
                    out.push(Problem::new(format!("search.{field}[{index}]"), Wrong::Site { site: site.clone() }));
                }
            }
        }
    }
}

/// Whether this looks like `en` or `zh-Hans`; some services know `all` and `auto`, too, and Wikipedia `simple`.
pub(super) fn is_code(code: &str) -> bool {
    let mut parts = code.split('-');
    let first = parts.next().unwrap_or_default();
    let is_language = (2..=4).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    code == "simple"
        || is_language && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn is_site(site: &str) -> bool {
    !site.is_empty()
        && !site.contains(['/', ' ', ':', '@', '"'])
        && url::Url::parse(&format!("http://{site}/")).is_ok_and(|url| url.host_str().is_some())
        && !site.contains('*')
}

/// What is kept of pages that were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct PageCacheSettings {
    /// Whether pages are kept at all.
    pub enabled: bool,
    /// How much room they may take up, in MiB; the pages that were not used for longest make room.
    #[schemars(range(min = 1, max = 100_000))]
    pub max_mib: u32,
}

impl Default for PageCacheSettings {
    fn default() -> Self {
        Self { enabled: true, max_mib: 200 }
    }
}

/// A search service that is described wholly in the settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct JsonBackend {
    /// The address, with `{query}`, and if wanted `{count}`, `{language}`, `{country}` and `{key}`, such as
    /// `https://search.example.org/api?q={query}&n={count}`.
    pub url: String,
    /// JSON that is sent with POST, with the same placeholders; a GET request is sent without it.
    pub body: Option<String>,
    /// Headers of the request; values may hold `{key}`.
    pub headers: BTreeMap<String, String>,
    /// Where the list of results is, such as `data.items`; empty when the reply itself is the list.
    pub results: String,
    /// Where a result's title is, such as `title` or `page.name`.
    pub title: String,
    /// Where its address is.
    pub link: String,
    /// Where its text is.
    pub snippet: String,
    /// Where its date is; left out where there is none.
    pub date: Option<String>,
}

impl JsonBackend {
    pub(super) fn check(&self, place: &str, out: &mut Vec<Problem>) {
        let mut wrong = |field: &str, wrong: Wrong| out.push(Problem::new(format!("{place}.{field}"), wrong));
        let sample = self.url.replace(['{', '}'], "");
        if !url::Url::parse(&sample).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
            wrong("url", Wrong::JsonAddress);
        } else if !self.url.contains("{query}") && !self.body.as_deref().is_some_and(|body| body.contains("{query}")) {
            wrong("url", Wrong::JsonQuery);
        }
        if let Some(body) = &self.body {
            let filled = ["query", "language", "country", "key"]
                .iter()
                .fold(body.replace("{count}", "1"), |text, name| text.replace(&format!("{{{name}}}"), "x"));
            if serde_json::from_str::<serde_json::Value>(&filled).is_err() {
                wrong("body", Wrong::JsonBody);
            }
        }
        for (field, value) in [("title", &self.title), ("link", &self.link)] {
            if value.trim().is_empty() {
                wrong(field, Wrong::JsonField);
            }
        }
        for name in self.headers.keys() {
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
                wrong(&format!("headers.{name}"), Wrong::HeaderName);
            }
        }
        for (name, value) in &self.headers {
            let secret = ["authorization", "key", "token", "secret", "cookie"].iter().any(|word| name.to_ascii_lowercase().contains(word));
            if super::looks_like_key(value) || (secret && !value.contains("{key}")) {
                wrong(&format!("headers.{name}"), Wrong::KeyInHeader);
            }
        }
    }
}

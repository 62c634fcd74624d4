//! `nexi search` and `nexi read`: the chains of the settings without a model.

use std::iter;
use std::path::PathBuf;

use anyhow::Result;
use nexi_engine::core::document_filter::DocumentKind;
use nexi_engine::core::place::PassagePlace;
use nexi_engine::core::ports::Hit;
use nexi_engine::core::rank::terms;
use nexi_engine::core::text::{self, floor_char, truncate};
use nexi_engine::documents::SkipReason;
use nexi_engine::{Fetched, Searched, Wanted, sentences};
use nexi_messages::say;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::args::{Common, Read, Search, Usage};
use crate::line::{one_line, sanitized};
use crate::output::{note, print, print_json};
use crate::{exit, start};

/// Bytes of a description that people are shown.
const MAX_DESCRIPTION: usize = 400;

/// What searches came to, as NEXI wrote it down.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Searches {
    pub searches: Vec<QueryResults>,
    /// What backends said that failed, although others may have answered.
    pub provider_failures: Vec<String>,
}

/// One query.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct QueryResults {
    pub query: String,
    pub results: Vec<SearchResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One result.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct SearchResult {
    pub title: String,
    pub url: String,
    pub description: String,
    /// As YYYY-MM-DD, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_time: Option<String>,
    /// Where in a document the description stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Further passages of the same document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub more: Vec<MorePassage>,
}

/// A further passage of a document.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct MorePassage {
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// What pages came to, as NEXI wrote it down.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Pages {
    pub pages: Vec<PageText>,
    /// What readers said that failed, although others may have read the page.
    pub provider_failures: Vec<String>,
}

/// One page.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct PageText {
    /// Where it really came from; as it was asked for where it could not be read.
    pub url: String,
    pub title: String,
    /// Markdown; empty where the page could not be read.
    pub content: String,
    /// As YYYY-MM-DD, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_time: Option<String>,
    /// There is more of the text than `content` shows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<Vec<Searched>> for Searches {
    fn from(all: Vec<Searched>) -> Self {
        let mut provider_failures: Vec<String> = Vec::new();
        let searches = all
            .into_iter()
            .map(|Searched { query, found }| {
                let (results, said, error) = match found {
                    Ok(found) => {
                        let said = found.causes().map(sentences::cause).collect();
                        (found.hits.into_iter().map(SearchResult::from).collect(), said, None)
                    }
                    Err(failure) => {
                        let said = sentences::failure(&failure);
                        (Vec::new(), vec![said.clone()], Some(said))
                    }
                };
                add(&mut provider_failures, said);
                QueryResults { query, results, error }
            })
            .collect();
        Self { searches, provider_failures }
    }
}

impl From<Hit> for SearchResult {
    fn from(hit: Hit) -> Self {
        let label = |place: Option<PassagePlace>| place.map(|place| sentences::passage_place(&place));
        let more = hit.more.into_iter().map(|passage| MorePassage { description: passage.snippet, place: label(passage.place) });
        Self {
            title: hit.title,
            url: hit.url,
            description: hit.snippet,
            published_time: hit.date,
            place: label(hit.place),
            more: more.collect(),
        }
    }
}

impl From<Vec<Fetched>> for Pages {
    fn from(all: Vec<Fetched>) -> Self {
        let mut provider_failures: Vec<String> = Vec::new();
        let pages = all
            .into_iter()
            .map(|Fetched { url, page, failures }| {
                add(&mut provider_failures, failures.iter().map(sentences::cause).collect());
                match page {
                    Ok(page) => PageText {
                        url: page.url,
                        title: page.title,
                        content: page.content,
                        published_time: page.date,
                        partial: page.partial,
                        error: None,
                    },
                    Err(failure) => PageText {
                        url,
                        title: String::new(),
                        content: String::new(),
                        published_time: None,
                        partial: false,
                        error: Some(sentences::failure(&failure)),
                    },
                }
            })
            .collect();
        Self { pages, provider_failures }
    }
}

fn add(known: &mut Vec<String>, said: Vec<String>) {
    for message in said {
        if !known.contains(&message) {
            known.push(message);
        }
    }
}

/// Queries of a search at most.
const MAX_QUERIES: usize = 5;

/// The queries that a person means: words without quotation marks are one query.
fn queries(words: &[String]) -> Result<Vec<String>> {
    let is_quoted = words.iter().any(|word| word.trim().contains(char::is_whitespace));
    let queries = if is_quoted { words.to_vec() } else { vec![words.join(" ")] };
    if queries.len() > MAX_QUERIES {
        return Err(Usage(say!("nexi-web-too-many-queries", most = MAX_QUERIES)).into());
    }
    Ok(queries)
}

/// Searches and prints what was found.
pub async fn search(search: Search, common: Common) -> Result<u8> {
    let engine = start::open_with_keys(&common).await?;
    let found: Searches = engine.search(&queries(&search.queries)?, search.backend.as_deref(), &CancellationToken::new()).await?.into();
    let something = found.searches.iter().any(|query| !query.results.is_empty());
    if search.json {
        print_json(&found)?;
    } else {
        let (searches, empty): (Vec<_>, Vec<_>) = found.searches.into_iter().partition(|query| !query.results.is_empty());
        if something {
            let heads = !empty.is_empty() || searches.len() > 1;
            print(&sanitized(&results_text(&searches, heads)))?;
        }
        for query in &empty {
            match &query.error {
                Some(error) => note(&say!("nexi-web-not-searched", query = one_line(&query.query), why = one_line(error))),
                None => note(&say!("nexi-web-nothing-found", query = one_line(&query.query))),
            }
        }
        tell(empty.iter().filter_map(|query| query.error.as_ref()), &found.provider_failures);
    }
    Ok(if something { exit::ANSWERED } else { exit::FAILED })
}

/// Reads pages and prints their texts.
pub async fn read(read: Read, common: Common) -> Result<u8> {
    let engine = start::open_with_keys(&common).await?;
    let wanted = wanted(read.full, read.chunks, read.instructions.clone());
    let near = engine.settings().network.allowed_private_hosts;
    read.urls.iter().try_for_each(|typed| can_be_read(typed, &near))?;
    let files: Vec<PathBuf> = read.urls.iter().filter_map(|typed| file(typed)).collect();
    let urls: Vec<String> = read.urls.iter().map(|typed| address(typed)).collect();
    let pages: Pages = engine.read(&urls, &wanted, read.backend.as_deref(), &files, &CancellationToken::new()).await?.into();
    let something = pages.pages.iter().any(|page| page.error.is_none());
    if read.json {
        print_json(&pages)?;
    } else {
        let Pages { pages, provider_failures } = pages;
        let (whole, failed): (Vec<_>, Vec<_>) = pages.into_iter().partition(|page| page.error.is_none());
        if something {
            print(&sanitized(&pages_text(&Pages { pages: whole, provider_failures: Vec::new() })))?;
        }
        for page in &failed {
            let why = one_line(page.error.as_deref().unwrap_or_default());
            note(&say!("nexi-web-not-read", url = one_line(&page.url), why = why));
        }
        tell(failed.iter().filter_map(|page| page.error.as_ref()), &provider_failures);
    }
    Ok(if something { exit::ANSWERED } else { exit::FAILED })
}

/// The file that a person means by its path. Addresses of files are what others write, and lead into the folders of the
/// settings alone.
fn file(typed: &str) -> Option<PathBuf> {
    let is_address = typed.contains("://") || typed.starts_with("file:");
    Some(typed).filter(|_| !is_address).and_then(|typed| dunce::canonicalize(typed).ok()).filter(|path| path.is_file())
}

/// Kinds of documents none of whose endings is that of a host, so that a file is meant.
const FILES: [DocumentKind; 8] = [
    DocumentKind::Pdf,
    DocumentKind::Word,
    DocumentKind::Slides,
    DocumentKind::Spreadsheet,
    DocumentKind::Book,
    DocumentKind::Mail,
    DocumentKind::Notebook,
    DocumentKind::Subtitles,
];
/// Further ones.
const MORE_FILES: [&str; 2] = ["doc", "txt"];

/// Refuses what is meant for a file and is none: its name must not go to the web.
fn can_be_read(typed: &str, near: &[String]) -> Result<()> {
    let path = PathBuf::from(typed);
    if typed.contains("://") || typed.starts_with("file:") || path.is_file() {
        return Ok(());
    }
    if path.is_dir() {
        let message = say!("nexi-web-is-folder", path = typed, command = format!("nexi ask --docs {typed} \"…\""));
        return Err(Usage(sanitized(&message)).into());
    }
    if std::fs::symlink_metadata(&path).is_ok_and(|found| !found.is_symlink()) {
        let message = say!("nexi-web-not-read", url = typed, why = SkipReason::NoFile.to_string());
        return Err(Usage(sanitized(&message)).into());
    }
    let has_end = path
        .extension()
        .is_some_and(|end| FILES.iter().flat_map(|kind| kind.endings()).chain(&MORE_FILES).any(|known| end.eq_ignore_ascii_case(known)));
    // The first part of an address is a host, and hosts have a dot.
    let first = typed.split('/').next().unwrap_or_default();
    let is_path = typed.starts_with(['/', '~', '.']) || (has_end && (first == typed || !first.contains('.'))) || typed.contains('\\');
    if is_path {
        return Err(Usage(sanitized(&say!("nexi-web-no-file", path = typed))).into());
    }
    // A single word is a name of the local network at most, and who means that says so, here or in the settings.
    let is_named = |host: &String| host.split(':').next().is_some_and(|host| host.eq_ignore_ascii_case(first));
    if !first.contains(['.', ':']) && !first.eq_ignore_ascii_case("localhost") && !near.iter().any(is_named) {
        return Err(Usage(sanitized(&say!("nexi-web-no-address", word = typed))).into());
    }
    Ok(())
}

/// What a person types for an address.
fn address(typed: &str) -> String {
    if let Some(url) = file(typed).and_then(|path| Url::from_file_path(path).ok()) {
        return url.into();
    }
    let typed = typed.trim();
    if typed.contains("://") || typed.starts_with("file:") { typed.to_owned() } else { format!("https://{typed}") }
}

/// What the options of a reading mean.
pub fn wanted(full: bool, chunks: bool, instructions: Option<String>) -> Wanted {
    match instructions.filter(|text| !text.trim().is_empty()) {
        _ if full => Wanted::Full,
        Some(text) if chunks => Wanted::Chunks(text),
        Some(text) => Wanted::Passages(text),
        None => Wanted::Beginning,
    }
}

/// Results as lines for reading.
pub fn search_text(found: &Searches) -> String {
    results_text(&found.searches, found.searches.len() > 1)
}

/// The same, with each query above its results where `heads` says so.
fn results_text(searches: &[QueryResults], heads: bool) -> String {
    let mut out = String::new();
    for query in searches {
        if heads {
            out.push_str(&format!("## {}\n\n", one_line(&query.query)));
        }
        if query.results.is_empty() {
            let said = match &query.error {
                Some(error) => say!("nexi-web-failed", why = one_line(error)),
                None => say!("nexi-web-no-results"),
            };
            out.push_str(&format!("{said}\n\n"));
        }
        for (index, result) in query.results.iter().enumerate() {
            let date = result.published_time.as_deref().map(|date| format!(" ({date})")).unwrap_or_default();
            out.push_str(&format!("{}. {}{date}\n   {}\n", index + 1, one_line(&result.title), one_line(&result.url)));
            let more = result.more.iter().map(|passage| (&passage.description, &passage.place));
            for (description, place) in iter::once((&result.description, &result.place)).chain(more) {
                let place = place.as_deref().map(|place| format!("{}: ", one_line(place))).unwrap_or_default();
                if !description.is_empty() {
                    out.push_str(&format!("   {place}{}\n", excerpt(&one_line(description), &query.query)));
                }
            }
            out.push('\n');
        }
    }
    format!("{}\n", out.trim_end())
}

/// Of a long description the part that has most words of the query, from the beginning of a sentence.
fn excerpt(description: &str, query: &str) -> String {
    if description.len() <= MAX_DESCRIPTION {
        return description.to_owned();
    }
    let topics = terms::topics(query);
    let held = |sentence: &std::ops::Range<usize>| {
        let words = terms::terms(&description[sentence.clone()]);
        topics.iter().filter(|topic| words.iter().any(|word| word.stem == **topic)).count()
    };
    // The first one of equals.
    let best = text::sentences(description).into_iter().rev().max_by_key(held).map_or(0, |sentence| sentence.start);
    // As much as there is room for.
    let start = best.min(floor_char(description, description.len() - MAX_DESCRIPTION));
    let before = if start > 0 { "… " } else { "" };
    format!("{before}{}", truncate(description[start..].trim_start(), MAX_DESCRIPTION))
}

/// Pages as Markdown for reading.
pub fn pages_text(pages: &Pages) -> String {
    let mut out = String::new();
    for page in &pages.pages {
        let title = if page.title.is_empty() { &page.url } else { &page.title };
        let heading = format!("# {}", one_line(title));
        // Most pages begin with their title themselves.
        let content = page.content.trim();
        let content = content.strip_prefix(&heading).filter(|rest| rest.is_empty() || rest.starts_with('\n')).unwrap_or(content).trim();
        out.push_str(&format!("{heading}\n\n{}\n\n", one_line(&page.url)));
        match &page.error {
            Some(error) => out.push_str(&format!("{}\n\n", say!("nexi-web-unreadable", why = one_line(error)))),
            None => out.push_str(&format!("{content}\n\n")),
        }
        if page.partial {
            out.push_str(&format!("{}\n\n", say!("nexi-web-more")));
        }
    }
    format!("{}\n", out.trim_end())
}

/// Failures that the results do not show, on standard error.
fn tell<'a>(shown: impl Iterator<Item = &'a String>, failures: &[String]) {
    let shown: Vec<&String> = shown.collect();
    for failure in failures.iter().filter(|failure| !shown.iter().any(|shown| failure.ends_with(shown.as_str()))) {
        note(&one_line(failure));
    }
}

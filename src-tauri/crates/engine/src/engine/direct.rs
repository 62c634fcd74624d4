//! Searching and reading without a run and without a model.

use std::path::PathBuf;

use nexi_core::{
    ports::{Cause, Failure, Found, Page, Query},
    run::{Shown, excerpt},
    settings::{DOCUMENTS, Problem},
    text,
    tools::{MAX_QUERIES, MAX_URLS, PageMode},
};
use nexi_messages::say;
use tokio_util::sync::CancellationToken;

use super::{Engine, blocking};
use crate::{EngineError, wiring};

/// Bytes of a page that are given where nobody said what is wanted of it.
const BEGINNING: usize = 24 * 1024;
/// Bytes of one query.
const MAX_QUERY: usize = 2000;

/// What of a page is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Wanted {
    /// The text, cut where it is long.
    #[default]
    Beginning,
    /// The text, however long.
    Full,
    /// The passages that match these words best.
    Passages(String),
    /// The few short pieces that match these words best.
    Chunks(String),
}

/// What came of one query.
#[derive(Debug, Clone)]
pub struct Searched {
    pub query: String,
    pub found: Result<Found, Failure>,
}

/// What came of one address.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// As it was asked for.
    pub url: String,
    pub page: Result<FetchedPage, Failure>,
    /// What readers said that failed before another one got the page.
    pub failures: Vec<Cause>,
}

/// A page that was read.
#[derive(Debug, Clone)]
pub struct FetchedPage {
    /// Where it really came from.
    pub url: String,
    pub title: String,
    /// `YYYY-MM-DD`, where known.
    pub date: Option<String>,
    /// What was wanted of its text, in Markdown.
    pub content: String,
    /// Whether there is more of it.
    pub partial: bool,
}

impl Engine {
    /// Searches with the backends of the settings, or with this one alone; one result for each query.
    ///
    /// # Errors
    /// When a query is empty or too long, there are too many, or a backend cannot be set up.
    pub async fn search(
        &self,
        queries: &[String],
        backend: Option<&str>,
        cancel: &CancellationToken,
    ) -> Result<Vec<Searched>, EngineError> {
        check("queries", queries, MAX_QUERIES)?;
        self.refresh_settings();
        let mut settings = self.settings();
        if let Some(name) = backend {
            settings.search_backends = vec![name.to_owned()];
        }
        if settings.search_backends.iter().any(|name| name != DOCUMENTS) {
            self.check_mistakes()?;
        }
        let roots = self.roots(&settings, &[]);
        if settings.search_backends.iter().any(|name| name == DOCUMENTS) {
            self.look_through(&roots, cancel).await?;
        }
        let (index, shared_state) = (self.inner.index.clone(), self.inner.shared_state.clone());
        let chain = blocking(move || wiring::search(&settings, &index, &roots, &shared_state)).await?;
        let chain = chain.map_err(|error| about(error, backend))?;
        let asked = queries.iter().map(|text| {
            let (chain, query) = (&chain, text.trim().to_owned());
            async move { Searched { found: chain.search(&Query::new(query.clone()), cancel).await, query } }
        });
        Ok(futures::future::join_all(asked).await)
    }

    /// Reads pages with the readers of the settings, or with this one alone; one result for each address. Of files, those
    /// in the folders of the settings are read, and `files`, which the person named.
    ///
    /// # Errors
    /// When there are no addresses or too many, or a reader cannot be set up.
    pub async fn read(
        &self,
        urls: &[String],
        wanted: &Wanted,
        backend: Option<&str>,
        files: &[PathBuf],
        cancel: &CancellationToken,
    ) -> Result<Vec<Fetched>, EngineError> {
        check("urls", urls, MAX_URLS)?;
        self.refresh_settings();
        let mut settings = self.settings();
        if let Some(name) = backend {
            settings.fetch_backends = vec![name.to_owned()];
            // It alone is asked, and not our copy of what another one read.
            settings.cache.enabled = false;
        }
        if urls.iter().any(|url| !url.starts_with("file:")) {
            self.check_mistakes()?;
        }
        let roots = self.roots(&settings, files);
        if urls.iter().any(|url| url.starts_with("file:")) {
            self.look_through(&roots, cancel).await?;
        }
        let (index, shared_state, pages) = (self.inner.index.clone(), self.inner.shared_state.clone(), self.inner.paths.pages());
        let chain = blocking(move || wiring::readers(&settings, &index, &roots, &shared_state, &pages)).await?;
        let chain = chain.map_err(|error| about(error, backend))?;
        let asked = urls.iter().map(|url| {
            let chain = &chain;
            async move {
                let (page, failures) = chain.read_and_tell(url.trim(), cancel).await;
                Fetched { url: url.clone(), page: page.map(|page| fetched(page, wanted)), failures }
            }
        });
        Ok(futures::future::join_all(asked).await)
    }

    /// Brings the index up to date, unless nobody waits for it any more.
    async fn look_through(&self, roots: &[PathBuf], cancel: &CancellationToken) -> Result<(), EngineError> {
        tokio::select! {
            synced = self.sync_for_question(roots.to_vec(), |_, _| {}) => synced.map(drop),
            () = cancel.cancelled() => Err(Failure::cancelled().into()),
        }
    }
}

/// What is wrong with a name that was given for this call is no mistake in the settings.
fn about(error: EngineError, backend: Option<&str>) -> EngineError {
    match error {
        EngineError::Invalid(problem) if backend.is_some() => EngineError::Invalid(Problem::new("backend", problem.wrong)),
        other => other,
    }
}

fn fetched(page: Page, wanted: &Wanted) -> FetchedPage {
    let (content, partial) = match wanted {
        Wanted::Full => (page.text.clone(), false),
        Wanted::Beginning => (text::truncate(&page.text, BEGINNING), page.text.len() > BEGINNING),
        Wanted::Passages(words) => part(&page, words, PageMode::Passages),
        Wanted::Chunks(words) => part(&page, words, PageMode::Chunks),
    };
    FetchedPage { url: page.url, title: page.title, date: page.date, content, partial }
}

fn part(page: &Page, words: &str, mode: PageMode) -> (String, bool) {
    let (content, shown) = excerpt(page, words, mode);
    (content, shown != Shown::Whole)
}

fn check(field: &str, list: &[String], most: usize) -> Result<(), EngineError> {
    let problem = |message: String| Err(EngineError::invalid(field, message));
    if list.is_empty() || list.len() > most {
        return problem(say!("arguments-list.length", most = most, length = list.len()));
    }
    if list.iter().any(|text| text.trim().is_empty()) {
        return problem(say!("arguments-list.empty_entry"));
    }
    match list.iter().find(|text| text.len() > MAX_QUERY) {
        Some(_) => problem(say!("arguments-list.long_entry", most = MAX_QUERY)),
        None => Ok(()),
    }
}

//! A corpus as a search backend and a reader of questions.

use std::future::Future;

use async_trait::async_trait;
use nexi_core::ports::{Caching, Cause, DatabaseCause, Failure, Hit, Page, Query, ReadOutcome, ReadRequest, Reader, SearchBackend};
use nexi_core::{place::Place, urls};
use nexi_postgres::{Listed, StoredDocument};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::Corpus;
use crate::documents;

/// Results of one query.
const MAX_HITS: usize = 20;
/// Documents that are listed where nothing else is wanted.
const MAX_LISTED: u32 = 20;

/// A corpus under its name in the settings. Its documents have addresses of Nexi's own, for the files they were made from
/// lie on other computers, and a file at the same path here may be another one.
#[derive(Clone)]
pub struct SharedCorpus {
    name: String,
    corpus: Corpus,
}

impl SharedCorpus {
    pub fn new(name: &str, corpus: Corpus) -> Self {
        Self { name: name.to_owned(), corpus }
    }

    fn address(&self, document: i64, original: &str) -> String {
        urls::corpus_address(&self.name, document, &file_name(original))
    }

    async fn find(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, DatabaseCause> {
        if query.filter.list {
            let most = query.most_hits(MAX_LISTED);
            let listed = self.corpus.database.asked(|database| async move { database.list(most.into(), &query.filter).await }).await?;
            return Ok(listed.into_iter().map(|document| self.listed(document)).collect());
        }
        let found = self.corpus.find(query, MAX_HITS, cancel).await?;
        Ok(found.into_iter().map(|(document, hit)| Hit { url: self.address(document, &hit.url), ..hit }).collect())
    }

    fn listed(&self, document: Listed) -> Hit {
        let url = self.address(document.document, &document.address);
        documents::listed_hit(document.title, url, &document.day, &document.begins)
    }

    async fn page(&self, url: &str) -> Result<Page, DatabaseCause> {
        let (_, number) = urls::corpus_of(url).ok_or(DatabaseCause::NoDocument)?;
        let document = self.corpus.document(number).await?;
        // The number alone chooses: what stands behind it may be anything.
        let url = self.address(number, &document.address);
        Ok(page(url, document))
    }
}

/// What a document is called: its file's name, or one made of the address of a page of the web, which is text with marks.
fn file_name(original: &str) -> String {
    if urls::file_path(original).is_some() {
        return urls::site(original);
    }
    let last = Url::parse(original).ok().and_then(|url| url.path_segments()?.rfind(|part| !part.is_empty()).map(str::to_owned));
    match last {
        Some(name) if name.contains('.') => name,
        Some(name) => format!("{name}.html"),
        None => format!("{}.html", urls::site(original)),
    }
}

fn page(url: String, document: StoredDocument) -> Page {
    Page {
        url,
        title: document.title,
        byline: Some(document.authors.join("; ")).filter(|names| !names.is_empty()),
        date: document.date,
        modified: document.modified,
        doi: document.doi,
        text: document.text,
        lines: document.lines,
        paged: document.paged,
        places: serde_json::from_value::<Vec<Place>>(document.places).unwrap_or_default(),
        ..Page::default()
    }
}

async fn unless<T>(cancel: &CancellationToken, work: impl Future<Output = Result<T, DatabaseCause>>) -> Result<T, Failure> {
    tokio::select! {
        () = cancel.cancelled() => Err(Failure::because(Cause::Cancelled)),
        done = work => done.map_err(Failure::because),
    }
}

#[async_trait]
impl SearchBackend for SharedCorpus {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn is_free(&self) -> bool {
        true
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        unless(cancel, self.find(query, cancel)).await
    }
}

#[async_trait]
impl Reader for SharedCorpus {
    fn name(&self) -> &str {
        &self.name
    }

    fn accepts(&self, url: &Url) -> bool {
        urls::corpus_of(url.as_str()).is_some_and(|(name, _)| name == self.name)
    }

    async fn read(&self, request: &ReadRequest, cancel: &CancellationToken) -> Result<ReadOutcome, Failure> {
        let page = unless(cancel, self.page(request.url.as_str())).await?;
        // Documents change, and are read in no time.
        Ok(ReadOutcome::Page(Box::new(page), Caching::default()))
    }
}

//! The built-in reader: guarded fetch, main text, Markdown. Nobody else learns what is read.

use async_trait::async_trait;
use nexi_core::ports::{Caching, Cause, Failure, Page, ReadOutcome, ReadRequest, Reader, Validators};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::format;
use crate::client::{Fetched, Got, PageClient};

/// Fetches pages itself.
pub struct BuiltinReader {
    client: PageClient,
    respect_robots: bool,
}

impl BuiltinReader {
    /// A reader that fetches through this client. `respect_robots` says whether sites may forbid
    /// what nobody has asked for yet.
    pub fn new(client: PageClient, respect_robots: bool) -> Self {
        Self { client, respect_robots }
    }

    /// The frames of a page that has no text besides.
    async fn frames(&self, frames: &[String], request: &ReadRequest, cancel: &CancellationToken) -> Vec<Page> {
        let mut out = Vec::new();
        for url in frames.iter().filter_map(|frame| Url::parse(frame).ok()) {
            let request = ReadRequest { url, ahead: request.ahead.clone(), validators: Validators::default() };
            if let Ok(Got::Page(fetched)) = self.client.get(&request, cancel).await
                && let Ok((page, _, _)) = understand(fetched).await
            {
                out.push(page);
            }
        }
        out
    }
}

#[async_trait]
impl Reader for BuiltinReader {
    fn name(&self) -> &str {
        "builtin"
    }

    fn accepts(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https")
    }

    async fn read(&self, request: &ReadRequest, cancel: &CancellationToken) -> Result<ReadOutcome, Failure> {
        let request = &ReadRequest { ahead: request.ahead.clone().filter(|_| self.respect_robots), ..request.clone() };
        let fetched = match self.client.get(request, cancel).await? {
            Got::Unchanged(caching) => return Ok(ReadOutcome::Unchanged(caching)),
            Got::Page(fetched) => fetched,
        };
        let (mut page, frames, caching) = understand(fetched).await?;
        if page.text.trim().is_empty() && !frames.is_empty() {
            let mut inner = self.frames(&frames, request, cancel).await;
            if inner.len() == 1 {
                return Ok(ReadOutcome::Page(Box::new(inner.remove(0)), caching));
            }
            page.text = inner.iter().map(|page| page.text.as_str()).collect::<Vec<_>>().join("\n\n");
            page.links = inner.into_iter().flat_map(|page| page.links).collect();
        }
        Ok(ReadOutcome::Page(Box::new(page), caching))
    }
}

/// The page, its frames where it has nothing else, and how long it keeps. On a thread of its own:
/// a large page takes tens of milliseconds.
async fn understand(fetched: Fetched) -> Result<(Page, Vec<String>, Caching), Failure> {
    let work = tokio::task::spawn_blocking(move || {
        let caching = fetched.caching.clone();
        format::page(&fetched.url, &fetched.content_type, fetched.body).map(|(page, frames)| (page, frames, caching))
    });
    work.await.map_err(|_| Failure::because(Cause::NotUnderstood))?
}

//! Pages fetched while the model still thinks, at hand when it asks for them.

use std::collections::HashMap;

use nexi_core::{
    ports::{Failure, Page},
    urls::page_key,
};
use nexi_web::ReaderChain;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A page that is being fetched.
pub(super) type Reading = JoinHandle<Result<Page, Failure>>;

/// Fetches that were begun ahead, by the page they are for.
#[derive(Default)]
pub(super) struct Prefetches {
    /// With the token that tells a fetch that it is wanted now.
    begun: HashMap<String, (Reading, CancellationToken)>,
    stop: CancellationToken,
    fetched: usize,
    used: usize,
}

impl Prefetches {
    /// Begins to fetch pages.
    pub(super) fn fetch(&mut self, urls: Vec<String>, readers: &ReaderChain) {
        for url in urls {
            let key = page_key(&url);
            if self.begun.contains_key(&key) {
                continue;
            }
            tracing::info!(url, "fetching ahead");
            self.fetched += 1;
            let (readers, stop, asked) = (readers.clone(), self.stop.clone(), CancellationToken::new());
            let told = asked.clone();
            let reading = crate::log::spawn(async move { readers.read(&url, Some(&told), &stop).await });
            self.begun.insert(key, (reading, asked));
        }
    }

    /// The fetch of a page, if it was begun; it is handed out once.
    pub(super) fn take(&mut self, url: &str) -> Option<Reading> {
        let (begun, asked) = self.begun.remove(&page_key(url))?;
        asked.cancel();
        self.used += 1;
        Some(begun)
    }

    /// The run is over: what nobody asked for was fetched in vain.
    pub(super) fn close(&mut self) {
        self.stop.cancel();
        for (_, (reading, _)) in self.begun.drain() {
            reading.abort();
        }
        if self.fetched > 0 {
            tracing::info!(fetched = self.fetched, used = self.used, wasted = self.fetched - self.used, "pages fetched ahead");
        }
    }
}

impl Drop for Prefetches {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

//! Ordered chains: the next backend is asked when one fails or finds nothing.

use std::sync::Arc;

use nexi_core::ports::{Failure, Found, Page, Query, Reader, SearchBackend};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Search backends in order.
#[derive(Clone, Default)]
pub struct SearchChain {
    backends: Vec<Arc<dyn SearchBackend>>,
}

impl SearchChain {
    /// A chain that asks these backends in this order.
    pub fn new(backends: Vec<Arc<dyn SearchBackend>>) -> Self {
        Self { backends }
    }

    /// The results of the first backend that has any. A query for new results that finds none is
    /// asked again for results of any age.
    ///
    /// # Errors
    /// When every backend failed; the message joins what they said.
    pub async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Found, Failure> {
        let found = self.search_once(query, cancel).await?;
        if found.hits.is_empty() && query.range.is_some() && !cancel.is_cancelled() {
            tracing::info!(query = query.text, "nothing new was found; asking for results of any age");
            return self.search_once(&Query::new(query.text.clone()), cancel).await;
        }
        Ok(found)
    }

    async fn search_once(&self, query: &Query, cancel: &CancellationToken) -> Result<Found, Failure> {
        let mut failures = Vec::new();
        let mut anyone_answered = false;
        for backend in &self.backends {
            match backend.search(query, cancel).await {
                Ok(hits) if !hits.is_empty() => return Ok(Found { hits, backend: backend.name().to_owned(), failures }),
                Ok(_) => anyone_answered = true,
                Err(failure) => {
                    tracing::info!(backend = backend.name(), %failure, "search backend failed");
                    failures.push(failure.message);
                }
            }
            if cancel.is_cancelled() {
                break;
            }
        }
        if anyone_answered || failures.is_empty() {
            Ok(Found { hits: Vec::new(), backend: String::new(), failures })
        } else {
            Err(Failure::new(failures.join(" ")))
        }
    }
}

/// Readers in order.
#[derive(Clone, Default)]
pub struct ReaderChain {
    readers: Vec<Arc<dyn Reader>>,
}

impl ReaderChain {
    /// A chain that asks these readers in this order.
    pub fn new(readers: Vec<Arc<dyn Reader>>) -> Self {
        Self { readers }
    }

    /// The page, from the first reader that gets it.
    ///
    /// # Errors
    /// When no reader accepts the address or all failed; the message is the first one's.
    pub async fn read(&self, url: &str, cancel: &CancellationToken) -> Result<Page, Failure> {
        let parsed = Url::parse(url.trim()).map_err(|error| Failure::new(format!("this is not an address ({error})")))?;
        let mut first: Option<Failure> = None;
        for reader in self.readers.iter().filter(|reader| reader.accepts(&parsed)) {
            match reader.read(&parsed, cancel).await {
                Ok(page) if page.text.trim().is_empty() => {
                    first.get_or_insert(Failure::new("the page has no readable text"));
                }
                Ok(page) => return Ok(page),
                Err(failure) => {
                    tracing::info!(reader = reader.name(), url, %failure, "reader failed");
                    first.get_or_insert(failure);
                }
            }
            if cancel.is_cancelled() {
                break;
            }
        }
        Err(first.unwrap_or_else(|| Failure::new(format!("no reader takes {}: addresses", parsed.scheme()))))
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;
    use nexi_core::ports::Hit;

    use super::*;

    struct Fixed(&'static str, Result<usize, &'static str>);

    #[async_trait]
    impl SearchBackend for Fixed {
        fn name(&self) -> &str {
            self.0
        }

        async fn search(&self, _: &Query, _: &CancellationToken) -> Result<Vec<Hit>, Failure> {
            let hit = Hit { title: "t".into(), url: "https://e.org".into(), snippet: String::new(), date: None };
            self.1.map(|count| vec![hit; count]).map_err(Failure::new)
        }
    }

    async fn ask(backends: &[(&'static str, Result<usize, &'static str>)]) -> Result<Found, Failure> {
        let list = backends.iter().map(|(name, result)| Arc::new(Fixed(name, *result)) as Arc<dyn SearchBackend>).collect();
        SearchChain::new(list).search(&Query::new("q"), &CancellationToken::new()).await
    }

    #[tokio::test]
    async fn the_chain_goes_on_after_failures_and_emptiness() {
        let found = ask(&[("a", Err("a is down.")), ("b", Ok(0)), ("c", Ok(2)), ("d", Ok(9))]).await.unwrap();
        assert_eq!((found.backend.as_str(), found.hits.len(), found.failures.as_slice()), ("c", 2, &["a is down.".to_owned()][..]));
        assert_eq!(ask(&[("a", Err("a is down.")), ("b", Err("b too."))]).await, Err(Failure::new("a is down. b too.")));
        assert!(ask(&[("a", Err("a is down.")), ("b", Ok(0))]).await.unwrap().hits.is_empty());
    }
}

//! Results that are kept for a while.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use nexi_core::{
    ports::{Failure, Hit, Query, SearchBackend, TimeRange},
    temporal,
};
use tokio_util::sync::CancellationToken;

use crate::registry::{REMEMBERED, Shared};

/// For news of the day.
const BREAKING: Duration = Duration::from_secs(2 * 60);
/// For what does not age.
const STABLE: Duration = Duration::from_secs(4 * 3600);

/// A backend that is not asked the same thing twice for as long as the answer is good.
pub struct CachingBackend {
    inner: Arc<dyn SearchBackend>,
    shared: Arc<Shared>,
    /// What besides the query decides about the results.
    scope: String,
}

impl CachingBackend {
    /// What is found is kept with the state of this service; `scope` says how it is asked, as by its settings.
    pub fn new(inner: Arc<dyn SearchBackend>, shared: Arc<Shared>, scope: String) -> Self {
        Self { inner, shared, scope }
    }
}

/// How long results are good, by the kind of the question: breaking, recent, or stable.
fn good_for(query: &Query) -> Duration {
    match query.range {
        Some(TimeRange::Day) => BREAKING,
        Some(TimeRange::Week | TimeRange::Month | TimeRange::Year) => REMEMBERED,
        // Which year it is makes no difference to that.
        None => temporal::freshness(&query.text, "").map_or(STABLE, |fresh| match fresh.range {
            Some(TimeRange::Day) => BREAKING,
            _ => REMEMBERED,
        }),
    }
}

#[async_trait]
impl SearchBackend for CachingBackend {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn is_free(&self) -> bool {
        self.inner.is_free()
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let key = format!("{} {query:?}", self.scope);
        if let Some(known) = self.shared.remembered(&key) {
            return Ok(known);
        }
        let hits = self.inner.search(query, cancel).await?;
        // A service that has found nothing may have been in trouble.
        if !hits.is_empty() {
            self.shared.remember(key, hits.clone(), good_for(query));
        }
        Ok(hits)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[derive(Default)]
    struct Counting(AtomicUsize);

    #[async_trait]
    impl SearchBackend for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        async fn search(&self, query: &Query, _: &CancellationToken) -> Result<Vec<Hit>, Failure> {
            self.0.fetch_add(1, Ordering::SeqCst);
            let hit = Hit { url: "https://e.org/".into(), title: query.text.clone(), snippet: String::new(), date: None, ..Hit::default() };
            Ok(if query.text == "nothing" { Vec::new() } else { vec![hit] })
        }
    }

    #[tokio::test]
    async fn a_service_is_asked_once_and_again_where_it_is_asked_otherwise() {
        let (inner, shared, cancel) = (Arc::new(Counting::default()), Arc::new(Shared::default()), CancellationToken::new());
        let of = |scope: &str| CachingBackend::new(inner.clone(), shared.clone(), scope.to_owned());
        let (first, other) = (of("en"), of("de"));
        let words = Query::new("harbour wall");
        for _ in 0..3 {
            assert_eq!(first.search(&words, &cancel).await.unwrap()[0].title, "harbour wall");
        }
        assert_eq!(inner.0.load(Ordering::SeqCst), 1);
        other.search(&words, &cancel).await.unwrap();
        first.search(&Query { range: Some(TimeRange::Day), ..words }, &cancel).await.unwrap();
        assert_eq!(inner.0.load(Ordering::SeqCst), 3);
        for _ in 0..2 {
            first.search(&Query::new("nothing"), &cancel).await.unwrap();
        }
        assert_eq!(inner.0.load(Ordering::SeqCst), 5, "nothing is not remembered");
    }

    #[test]
    fn results_are_good_by_the_kind_of_the_question() {
        let of = |text: &str, range| good_for(&Query { range, ..Query::new(text) });
        assert_eq!(of("who built the harbour wall", None), STABLE);
        assert_eq!(of("latest version of postgresql", None), REMEMBERED);
        assert_eq!(of("ferry strike today", None), BREAKING);
        assert_eq!((of("ferry strike", Some(TimeRange::Day)), of("ferry", Some(TimeRange::Month))), (BREAKING, REMEMBERED));
    }
}

//! Results that are kept for a while.

use std::sync::Arc;

use async_trait::async_trait;
use nexi_core::ports::{Failure, Hit, Query, SearchBackend};
use tokio_util::sync::CancellationToken;

use crate::registry::{REMEMBERED, Shared};

/// A backend that is not asked the same thing twice within minutes.
pub struct Remembering {
    inner: Arc<dyn SearchBackend>,
    shared: Arc<Shared>,
}

impl Remembering {
    /// What is found is kept with the state of this service.
    pub fn new(inner: Arc<dyn SearchBackend>, shared: Arc<Shared>) -> Self {
        Self { inner, shared }
    }
}

#[async_trait]
impl SearchBackend for Remembering {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let key = format!("{query:?}");
        if let Some(known) = self.shared.remembered(&key) {
            return Ok(known);
        }
        let hits = self.inner.search(query, cancel).await?;
        self.shared.remember(key, hits.clone(), REMEMBERED);
        Ok(hits)
    }
}

//! Finding passages by what they mean: vectors for the passages of the index, made in the background, and one for the
//! query of a search.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nexi_core::ports::{EmbedPurpose, Embedder, Failure, Fault, OwnCause};
use nexi_store::{DocumentIndex, StoreError};
use tokio_util::sync::CancellationToken;

/// Passages that are embedded with one request and kept in one transaction.
pub(crate) const BATCH: usize = 32;
/// How long a search waits for the vector of its query. Words alone find most of it, too.
const VECTOR_WAIT: Duration = Duration::from_secs(5);

/// Who makes vectors, and of which folders.
#[derive(Clone)]
pub struct Meaning {
    embedder: Arc<dyn Embedder>,
    /// Folders whose passages have vectors.
    roots: Vec<String>,
}

/// The vector of a query.
pub(crate) struct QueryVector {
    /// Which set of the index it belongs to.
    pub model: String,
    pub numbers: Vec<f32>,
}

/// Why vectors are not made to the end.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("{0}")]
    Embedder(Failure),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a build did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Built {
    /// Passages that got a vector.
    pub passages: usize,
    /// It ended early, because it was told to.
    pub paused: bool,
}

impl Meaning {
    /// Vectors of what lies below `roots`, which have been through [`super::resolve`].
    pub fn new(embedder: Arc<dyn Embedder>, roots: &[PathBuf]) -> Self {
        Self { embedder, roots: roots.iter().map(|root| root.to_string_lossy().into_owned()).collect() }
    }

    /// The id of the model, under which the index keeps its vectors.
    pub fn model(&self) -> &str {
        self.embedder.id()
    }

    /// Whether queries stay on this computer.
    pub(crate) fn is_local(&self) -> bool {
        self.embedder.is_local()
    }

    /// The vector of a query; none where it cannot be had soon, so that words have to do.
    pub(crate) async fn of(&self, query: &str, cancel: &CancellationToken) -> Option<QueryVector> {
        let texts = [query.to_owned()];
        let vectors = tokio::time::timeout(VECTOR_WAIT, self.embedder.embed(&texts, EmbedPurpose::Query, cancel)).await;
        match vectors {
            Ok(Ok(mut vectors)) => vectors.pop().map(|numbers| QueryVector { model: self.embedder.id().to_owned(), numbers }),
            Ok(Err(failure)) => {
                if failure.fault != Fault::Cancelled {
                    tracing::warn!(%failure, "the documents are searched by words alone");
                }
                None
            }
            Err(_) => {
                tracing::warn!("the embedding model is slow; the documents are searched by words alone");
                None
            }
        }
    }

    /// Makes the vectors that are missing, a batch at a time, so that what was made stays where it ends early. `progress`
    /// is told passages done and passages to do; `goes_on` is asked before each batch.
    ///
    /// # Errors
    /// When the model or the index refuses.
    pub async fn build(
        &self,
        index: &Arc<DocumentIndex>,
        progress: &(dyn Fn(usize, usize) + Send + Sync),
        goes_on: &(dyn Fn() -> bool + Send + Sync),
        cancel: &CancellationToken,
    ) -> Result<Built, BuildError> {
        let mut out = Built::default();
        let mut left = self.count(index, None).await?.1;
        loop {
            if !goes_on() || cancel.is_cancelled() {
                out.paused = left > 0;
                return Ok(out);
            }
            let (reading, model, roots) = (index.clone(), self.model().to_owned(), self.roots.clone());
            let batch = on_pool(move || reading.pending(&model, &roots, BATCH)).await?;
            if batch.is_empty() {
                return Ok(out);
            }
            let (ids, texts): (Vec<i64>, Vec<String>) = batch.into_iter().map(|passage| (passage.id, passage.text)).unzip();
            let vectors = embedded(&*self.embedder, &texts, cancel).await.map_err(BuildError::Embedder)?;
            out.passages += ids.len();
            left = left.saturating_sub(ids.len());
            let (writing, model) = (index.clone(), self.model().to_owned());
            let rows: Vec<(i64, Vec<f32>)> = ids.into_iter().zip(vectors).collect();
            on_pool(move || writing.put_vectors(&model, &rows)).await?;
            progress(out.passages, out.passages + left);
        }
    }

    /// Passages of the folders, those of one of them left out, and how many of them have no vector yet.
    ///
    /// # Errors
    /// When the index refuses.
    pub async fn count(&self, index: &Arc<DocumentIndex>, without: Option<&Path>) -> Result<(usize, usize), StoreError> {
        let (index, model) = (index.clone(), self.model().to_owned());
        let roots: Vec<String> = self.roots.iter().filter(|root| without.is_none_or(|folder| Path::new(root) != folder)).cloned().collect();
        on_pool(move || {
            let (mut passages, mut missing) = (0, 0);
            for root in &roots {
                let all = index.size(root)?.1;
                passages += all;
                missing += all.saturating_sub(index.vectors(&model, root)?);
            }
            Ok((passages, missing))
        })
        .await
    }
}

/// A vector for each of these passages, all of the same length.
///
/// # Errors
/// When the model refuses, or sends something else.
pub(crate) async fn embedded(embedder: &dyn Embedder, texts: &[String], cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure> {
    let vectors = embedder.embed(texts, EmbedPurpose::Passage, cancel).await?;
    if vectors.len() != texts.len() || vectors.iter().any(|vector| vector.is_empty() || vector.len() != vectors[0].len()) {
        let (service, vectors, texts) = (embedder.id().to_owned(), vectors.len(), texts.len());
        return Err(Failure::because(OwnCause::VectorCount { service, vectors, texts }));
    }
    Ok(vectors)
}

async fn on_pool<T: Send + 'static>(work: impl FnOnce() -> Result<T, StoreError> + Send + 'static) -> Result<T, StoreError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(failed) => std::panic::resume_unwind(failed.into_panic()),
    }
}

#[cfg(all(test, unix))]
mod tests;

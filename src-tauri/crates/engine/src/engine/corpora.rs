//! Corpora, by their names in the settings or by their addresses.

use std::sync::Arc;

use nexi_messages::say;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::{Engine, blocking};
use crate::{
    EngineError,
    corpus::{Corpus, Progress, WorkTools, Worked},
    database::DatabaseKind,
    wiring,
};

impl Engine {
    /// The corpus that has this name in the settings, without connecting yet.
    ///
    /// # Errors
    /// When there is none.
    pub async fn corpus(&self, name: &str) -> Result<Corpus, EngineError> {
        let (settings, shared_state, name) = (self.settings(), self.inner.shared_state.clone(), name.to_owned());
        let corpus = move || {
            let database = wiring::database(&settings, "to", &name, None, DatabaseKind::Corpus)?;
            Ok(Corpus::new(database).with_meaning(wiring::corpus_meaning(&settings, &shared_state)))
        };
        blocking(corpus).await?
    }

    /// The corpus at an address, without connecting yet; certificates of the settings are trusted.
    ///
    /// # Errors
    /// When it is no address, holds a password, or a certificate cannot be read.
    pub async fn corpus_at(&self, address: &str, password: Option<SecretString>) -> Result<Corpus, EngineError> {
        let (settings, shared_state, address) = (self.settings(), self.inner.shared_state.clone(), address.to_owned());
        let corpus = move || {
            let database = wiring::database_at(&settings, &address, password, DatabaseKind::Corpus)?;
            Ok(Corpus::new(database).with_meaning(wiring::corpus_meaning(&settings, &shared_state)))
        };
        blocking(corpus).await?
    }

    /// Makes the tables of a corpus, with groups of those who are members of these roles, and with vectors of the embedding
    /// model of the settings where they are wanted. False where there is a corpus: it gets the groups, and is brought up to
    /// date.
    ///
    /// # Errors
    /// When the user may not make any, or vectors are wanted and cannot be had.
    pub async fn create_corpus(&self, corpus: &Corpus, groups: &[String], vectors: bool) -> Result<bool, EngineError> {
        if !vectors {
            return corpus.create(groups, None).await;
        }
        let (settings, shared_state) = (self.settings(), self.inner.shared_state.clone());
        let embedder = blocking(move || wiring::embedder(&settings, &shared_state)).await??;
        let embedder = embedder.ok_or_else(|| EngineError::invalid("vectors", say!("arguments-no-embedding-model")))?;
        corpus.create(groups, Some(&*embedder)).await
    }

    /// Reads what waits in the queue of a corpus with so many workers, until nothing does, or until `cancel`: what is not read
    /// then is given back.
    ///
    /// # Errors
    /// When a reader of the settings cannot be set up, or the database refuses or stays away.
    pub async fn fill(
        &self,
        corpus: &Corpus,
        workers: usize,
        progress: &Arc<Progress>,
        cancel: &CancellationToken,
    ) -> Result<Worked, EngineError> {
        let (index, shared_state, pages) = (self.inner.index.clone(), self.inner.shared_state.clone(), self.inner.paths.pages());
        // Pages are read as they are now.
        let mut settings = self.settings();
        settings.cache.enabled = false;
        // No corpus is read from while another one is filled.
        settings.search_backends.clear();
        let tools = move || {
            let pages = wiring::readers(&settings, &index, &[], &shared_state, &pages)?;
            Ok::<_, EngineError>(WorkTools { pages, embedder: wiring::embedder(&settings, &shared_state)? })
        };
        corpus.work(workers, blocking(tools).await??, progress, cancel).await
    }
}

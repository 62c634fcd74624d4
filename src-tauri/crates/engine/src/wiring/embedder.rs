//! The model that makes vectors of documents, and of which folders it may be given the text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nexi_core::{
    ports::Embedder,
    settings::{EmbeddingModel, Provider, ProviderKind, Settings},
};
use nexi_embed::{KnownModel, LocalEmbedder};
use nexi_messages::say;
use nexi_store::paths::expand_home;
use nexi_web::embedding::{EmbeddingApi, EmbeddingService};

use super::{DepsBuilder, SharedState};
use crate::{
    EngineError,
    documents::{Meaning, resolve},
};

/// Where a local model lies: a known one in the data folder, any other where its path says.
pub(crate) fn model_folder(name: &str, data: &Path) -> PathBuf {
    match KnownModel::find(name) {
        Some(known) => data.join("models").join(known.name),
        None => expand_home(name),
    }
}

/// Those of `roots` whose text the model may be given: all where it runs on this computer, and otherwise those that the
/// person allowed; with any of them Nexi's own handbook, too.
pub(crate) fn allowed(settings: &Settings, model: &EmbeddingModel, roots: &[PathBuf], data: &Path) -> Vec<PathBuf> {
    if model.is_local() {
        return roots.to_vec();
    }
    let mut allowed: Vec<PathBuf> = settings.embeddings.remote_folders.iter().map(|folder| expand_home(folder)).collect();
    if allowed.is_empty() {
        return Vec::new();
    }
    allowed.push(data.join("handbook"));
    let allowed = resolve(&allowed);
    roots.iter().filter(|root| allowed.iter().any(|folder| root.starts_with(folder))).cloned().collect()
}

/// Searching by meaning; none where it is off, or the model cannot be used.
pub(super) fn meaning(builder: &DepsBuilder<'_>, roots: &[PathBuf]) -> Option<Meaning> {
    let model = builder.settings.embedding_model()?;
    // The question goes to the same service as the text. It must not carry there what other folders hold.
    if allowed(builder.settings, &model, roots, &builder.shared_state.data).len() < roots.len() {
        return None;
    }
    match builder.embedder(model) {
        Ok(embedder) => Some(Meaning::new(embedder, roots)),
        Err(error) => {
            tracing::warn!(%error, "documents are searched by words alone");
            None
        }
    }
}

/// Making vectors for what may be given to the model of the settings; none where there is no such model.
pub(crate) fn building(settings: &Settings, roots: &[PathBuf], shared_state: &SharedState) -> Result<Option<Meaning>, EngineError> {
    let Some(model) = settings.embedding_model() else { return Ok(None) };
    let roots = allowed(settings, &model, roots, &shared_state.data);
    let embedder = DepsBuilder::new(settings, shared_state, None)?.embedder(model)?;
    Ok(Some(Meaning::new(embedder, &roots)))
}

/// Searching a corpus by meaning, for what the person asks themselves; none where it is off, or the model cannot be used.
pub(crate) fn corpus_meaning(settings: &Settings, shared_state: &SharedState) -> Option<Meaning> {
    meaning(&DepsBuilder::new(settings, shared_state, None).ok()?, &[])
}

/// The model of the settings; none where they have none.
pub(crate) fn model(settings: &Settings, shared_state: &SharedState) -> Result<Option<Arc<dyn Embedder>>, EngineError> {
    let builder = DepsBuilder::new(settings, shared_state, None)?;
    settings.embedding_model().map(|model| builder.embedder(model)).transpose()
}

/// The model of this computer that compares questions.
pub(crate) fn local_embedder(
    settings: &Settings,
    shared_state: &SharedState,
    model: EmbeddingModel,
) -> Result<Arc<dyn Embedder>, EngineError> {
    DepsBuilder::new(settings, shared_state, None)?.embedder(model)
}

impl DepsBuilder<'_> {
    fn embedder(&self, model: EmbeddingModel) -> Result<Arc<dyn Embedder>, EngineError> {
        match model {
            EmbeddingModel::Local(name) => self.shared_state.local_embedder(&model_folder(&name, &self.shared_state.data)),
            EmbeddingModel::Service(provider) => self.embedding_service(&provider),
        }
    }

    fn embedding_service(&self, provider: &Provider) -> Result<Arc<dyn Embedder>, EngineError> {
        let id = self.settings.embeddings.model.as_deref().unwrap_or_default();
        let api = match provider.kind {
            ProviderKind::Ollama => EmbeddingApi::Ollama,
            ProviderKind::OpenaiCompatible => EmbeddingApi::OpenAi,
            _ => return Err(EngineError::invalid("embeddings.model", say!("arguments-backend.no_vectors", name = id))),
        };
        let service = self.service(self.settings.key_name(id), provider, provider.address())?;
        let model = provider.model.as_deref().unwrap_or_default();
        Ok(Arc::new(EmbeddingService::new(id, api, model, service, provider.is_local())))
    }
}

impl SharedState {
    /// A model in a folder, loaded once for all runs.
    fn local_embedder(&self, folder: &Path) -> Result<Arc<dyn Embedder>, EngineError> {
        let mut kept = self.embedder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((_, embedder)) = kept.as_ref().filter(|(known, _)| known == folder) {
            return Ok(embedder.clone());
        }
        let embedder: Arc<dyn Embedder> = Arc::new(LocalEmbedder::open(folder).map_err(|fault| EngineError::Web(fault.into()))?);
        *kept = Some((folder.to_owned(), embedder.clone()));
        Ok(embedder)
    }
}

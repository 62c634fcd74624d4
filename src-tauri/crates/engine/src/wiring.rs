//! From settings to working parts: the one place that knows which adapter stands behind a name.

mod models;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nexi_core::{
    model::Model,
    ports::{ApproximateTokens, Failure, Reader, SearchBackend, TokenCounter},
    pricing::Price,
    settings::{Problem, Provider, ProviderKind, Settings},
};
use nexi_llm::{Registry, tokens::Encoding};
use nexi_store::{DocumentIndex, keys};
use nexi_web::{
    Guard, ReaderChain, SearchChain,
    client::{ApiClient, PageClient},
    read::{BuiltinReader, JinaReader},
    search::{DuckDuckGo, JinaSearch, Searxng, Wikipedia},
};
use url::Url;

use crate::{
    EngineError,
    documents::{DocumentReader, DocumentSearch},
};

/// Jina waits up to 40 s for a page, so its client waits longer.
const JINA_READER_TIMEOUT: Duration = Duration::from_secs(45);

/// What a run works with.
pub(crate) struct Parts {
    pub model: Arc<dyn Model>,
    pub search: SearchChain,
    pub readers: ReaderChain,
    pub counter: Arc<dyn TokenCounter>,
    /// Its name; empty for an approximation.
    pub encoding: String,
    /// Whether the first model that can be used is an AI.
    pub assisted: bool,
    /// Its price, where it is known.
    pub price: Option<Price>,
    /// The smaller of the settings' context window and its own, in tokens.
    pub context: u32,
}

/// Builds everything a run needs. Blocks while keys are looked up.
pub(crate) fn build(settings: &Settings, index: &Arc<DocumentIndex>, roots: &[PathBuf], registry: &Registry) -> Result<Parts, EngineError> {
    let guard = Guard::new(&settings.network.allowed_private_hosts);
    let api = ApiClient::new(Duration::from_secs(settings.provider_timeout.into()))?;
    let mut backends: Vec<Arc<dyn SearchBackend>> = Vec::new();
    for name in &settings.search_backends {
        backends.push(match name.as_str() {
            "documents" => Arc::new(DocumentSearch::new(index.clone(), roots)),
            _ => search_backend(name, settings, &api)?,
        });
    }
    let mut readers: Vec<Arc<dyn Reader>> = vec![Arc::new(DocumentReader::new(index.clone(), roots.to_vec()))];
    for name in &settings.fetch_backends {
        readers.push(match name.as_str() {
            "builtin" => Arc::new(BuiltinReader::new(PageClient::new(guard.clone())?)),
            _ => {
                let provider = provider(name, settings, "fetch_backends")?;
                let base = provider.reader_url.clone().or(provider.base_url.clone()).unwrap_or_else(|| "https://r.jina.ai".into());
                let key = key(name, &provider, &base)?;
                Arc::new(JinaReader::new(name.clone(), base, key, ApiClient::new(JINA_READER_TIMEOUT)?, guard.clone()))
            }
        });
    }
    let models = models::build(settings, registry)?;
    let encoding = if models.any_ai { settings.tokenizer_encoding.clone() } else { String::new() };
    Ok(Parts {
        model: models.chain,
        search: SearchChain::new(backends),
        readers: ReaderChain::new(readers),
        counter: counter(&encoding),
        encoding,
        assisted: models.assisted,
        price: models.price,
        context: models.context,
    })
}

/// The counter of this name.
pub(crate) fn counter(encoding: &str) -> Arc<dyn TokenCounter> {
    match Encoding::parse(encoding) {
        Some(encoding) => Arc::new(encoding),
        None => Arc::new(ApproximateTokens),
    }
}

/// The name of the model that would answer, without looking up any key.
pub(crate) fn model_label(settings: &Settings) -> String {
    match settings.llm_backends.first().map(String::as_str) {
        None | Some("builtin") => nexi_llm::builtin::LABEL.into(),
        Some(name) => {
            let model = settings.provider(name).and_then(|provider| provider.model).unwrap_or_default();
            format!("{model} · {name}")
        }
    }
}

fn search_backend(name: &str, settings: &Settings, api: &ApiClient) -> Result<Arc<dyn SearchBackend>, EngineError> {
    let provider = provider(name, settings, "search_backends")?;
    let base = |standard: &str| provider.base_url.clone().unwrap_or_else(|| standard.to_owned());
    let (owned, api) = (name.to_owned(), api.clone());
    Ok(match provider.kind {
        ProviderKind::Searxng => Arc::new(Searxng::new(owned, base(""), provider.language.clone(), api)),
        ProviderKind::Wikipedia => {
            let language = provider.language.as_deref().unwrap_or("en");
            Arc::new(Wikipedia::new(owned, base(&format!("https://{language}.wikipedia.org")), api))
        }
        ProviderKind::Duckduckgo => Arc::new(DuckDuckGo::new(owned, base("https://html.duckduckgo.com"), api)),
        ProviderKind::Jina => {
            let base = provider.search_url.clone().unwrap_or_else(|| base("https://s.jina.ai"));
            let key = key(name, &provider, &base)?;
            let variable = provider.api_key_env.clone().unwrap_or_else(|| "JINA_API_KEY".into());
            Arc::new(JinaSearch::new(owned, base, key, variable, api))
        }
        ProviderKind::OpenaiCompatible | ProviderKind::Anthropic | ProviderKind::Gemini | ProviderKind::Ollama => {
            return Err(EngineError::Invalid(Problem::new("search_backends", format!("{name:?} answers questions and cannot search"))));
        }
    })
}

fn provider(name: &str, settings: &Settings, field: &str) -> Result<Provider, EngineError> {
    settings
        .provider(name)
        .ok_or_else(|| EngineError::Invalid(Problem::new(field, format!("{name:?} is not known; add a table [providers.{name}]"))))
}

/// The provider's key. A variable that nobody named is read only for the service it belongs to:
/// a key must not go to another host because the variable happens to be set.
fn key(name: &str, provider: &Provider, base_url: &str) -> Result<Option<secrecy::SecretString>, EngineError> {
    let is_own =
        provider.kind.own_host().is_some_and(|own| host(base_url).is_some_and(|host| host == own || host.ends_with(&format!(".{own}"))));
    let variable = provider.api_key_env.as_deref().or_else(|| provider.kind.default_key_env().filter(|_| is_own));
    match keys::find(name, variable) {
        Ok(key) => Ok(key),
        // Services that need no key go on without one.
        Err(error) if variable.is_none() => {
            tracing::warn!(provider = name, %error, "the keyring could not be read");
            Ok(None)
        }
        Err(error) => {
            tracing::warn!(provider = name, %error, "the keyring could not be read");
            Err(EngineError::Web(Failure::new(format!("The key for {name} could not be read. {error}"))))
        }
    }
}

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

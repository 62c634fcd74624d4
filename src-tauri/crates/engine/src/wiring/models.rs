//! The chain of models.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use nexi_core::{
    model::{DeltaSink, Model, ModelError, ModelRequest, Reply},
    pricing,
    settings::{ProviderKind, Route, Settings},
};
use nexi_llm::{
    BuiltinResearcher, Endpoint, EndpointConfig, Enveloped, Keys, ModelChain, Registry, anthropic, envelope::Tag, gemini, ollama,
    open_ai_compatible,
};
use nexi_messages::say;
use nexi_web::client;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::{all_keys, provider, variable};
use crate::{EngineError, sentences};

/// Tokens of context window that a model on this computer gets, unless the settings say more.
const LOCAL_CONTEXT: u32 = 32_768;

/// The models of the settings, ready to be asked.
pub(super) struct Models {
    pub chain: Arc<dyn Model>,
    /// What their envelopes are tagged with, once the run is known.
    pub tag: Tag,
    /// A cheaper one for requests beside the conversation.
    pub side: Option<Arc<dyn Model>>,
    /// Whether the first one is an AI.
    pub assisted: bool,
    /// Whether any is.
    pub any_ai: bool,
    /// The smallest context window of all of them and of the settings.
    pub context: u32,
}

/// One model with what is known of it.
struct Built {
    model: Arc<dyn Model>,
    is_ai: bool,
    context: u32,
}

pub(super) fn build(settings: &Settings, route: &Route, registry: &Arc<Registry>) -> Result<Models, EngineError> {
    let tag = Tag::default();
    let mut built: Vec<Built> = Vec::new();
    let mut first_failure = None;
    for name in &settings.llm_backends {
        if name == "builtin" {
            built.push(Built {
                model: Arc::new(BuiltinResearcher::speaking(sentences::built_in_words())),
                is_ai: false,
                context: settings.max_context,
            });
            continue;
        }
        match endpoint(name, settings, route, registry, &tag) {
            Ok(model) => built.push(model),
            // A provider that cannot be asked is one that failed: whoever answers in its place says so.
            Err(EngineError::Model(error)) if settings.llm_backends.len() > 1 => {
                tracing::warn!(provider = name, %error, "provider cannot be used");
                built.push(Built {
                    model: Arc::new(Unusable { name: name.clone(), error: error.clone() }),
                    is_ai: true,
                    context: settings.max_context,
                });
                first_failure.get_or_insert(EngineError::Model(error));
            }
            Err(error) => {
                tracing::warn!(provider = name, %error, "provider cannot be used");
                first_failure.get_or_insert(error);
            }
        }
    }
    let usable = built.iter().any(|model| model.model.is_usable());
    if !usable {
        return Err(first_failure.unwrap_or_else(|| EngineError::invalid("llm_backends", say!("arguments-empty"))));
    }
    let side = match settings.side_model.as_deref().filter(|name| *name != "builtin") {
        Some(name) => match endpoint(name, settings, route, registry, &tag) {
            Ok(side) => Some(side),
            Err(error) => {
                tracing::warn!(provider = name, %error, "the side model cannot be used");
                None
            }
        },
        None => None,
    };
    let any_ai = built.iter().any(|model| model.is_ai && model.model.is_usable());
    // A conversation must fit whichever model takes it over.
    let context = built.iter().map(|model| model.context).min().unwrap_or(settings.max_context);
    let assisted = built.iter().find(|model| model.model.is_usable()).is_some_and(|model| model.is_ai);
    let mut models = built.into_iter();
    let Some(first) = models.next() else {
        return Err(EngineError::invalid("llm_backends", say!("arguments-empty")));
    };
    let chain = Arc::new(ModelChain::new(first.model, models.map(|model| model.model).collect()));
    Ok(Models { chain, tag, side: side.map(|side| side.model), assisted, any_ai, context })
}

/// Stands in the chain for a model that has no key, so that who takes over can say why.
struct Unusable {
    name: String,
    error: ModelError,
}

#[async_trait]
impl Model for Unusable {
    fn label(&self) -> String {
        self.name.clone()
    }

    fn is_usable(&self) -> bool {
        false
    }

    async fn reply(&self, _: &ModelRequest, _: DeltaSink<'_>, _: &CancellationToken) -> Result<Reply, ModelError> {
        Err(self.error.clone())
    }
}

/// One model by itself, with this key in place of the one that is kept.
pub(super) fn draft(
    name: &str,
    settings: &Settings,
    route: &Route,
    registry: &Arc<Registry>,
    key: Option<SecretString>,
) -> Result<Endpoint, EngineError> {
    Ok(open(name, settings, route, registry, key)?.0)
}

fn endpoint(name: &str, settings: &Settings, route: &Route, registry: &Arc<Registry>, tag: &Tag) -> Result<Built, EngineError> {
    let (endpoint, context) = open(name, settings, route, registry, None)?;
    Ok(Built { model: Arc::new(Enveloped::new(Arc::new(endpoint), tag.clone())), is_ai: true, context })
}

/// A model with its context window.
fn open(
    name: &str,
    settings: &Settings,
    route: &Route,
    registry: &Arc<Registry>,
    key: Option<SecretString>,
) -> Result<(Endpoint, u32), EngineError> {
    let provider = provider(name, settings, "llm_backends")?;
    let base_url = provider.address().to_owned();
    let owner = settings.key_name(name);
    let keys = match key {
        Some(key) => vec![key],
        None => all_keys(owner, &provider)?,
    };
    let all = Keys { keys, strategy: provider.key_strategy };
    if all.keys.is_empty()
        && let Some(variable) = variable(&provider)
    {
        return Err(ModelError::NoKey { provider: owner.to_owned(), variable: variable.to_owned() }.into());
    }
    let model = provider.model.clone().unwrap_or_default();
    let vendor = provider.vendor();
    let is_local = provider.is_local();
    let own = pricing::own(&model, &settings.models);
    let known = provider.known(&model);
    // A window costs memory on one's own computer; a larger one is a matter for the table of models.
    let most = if provider.kind == ProviderKind::Ollama { settings.max_context.min(LOCAL_CONTEXT) } else { settings.max_context };
    let context = own.context.or(known.and_then(|known| known.context)).map_or(most, |window| window.min(settings.max_context));
    let price = provider.price(&model, &settings.models);
    let config = EndpointConfig {
        name: name.to_owned(),
        http: client::service_client(&route.to(&base_url))?,
        base_url,
        model,
        keys: all,
        timeout: Duration::from_secs(settings.model_timeout.into()),
        total: Duration::from_secs(settings.model_total_timeout.into()),
        retries: settings.llm_max_retries,
        requests_per_minute: provider.requests_per_minute,
        tools: provider.tools,
        context,
        price,
        known,
        // Some services speak other wires at the same host, too.
        vendor: vendor.filter(|vendor| vendor.kind == provider.kind),
        is_local,
        api: provider.api,
        thinking: provider.thinking,
        prompts: settings.prompts.clone(),
    };
    let endpoint = match provider.kind {
        ProviderKind::OpenaiCompatible => open_ai_compatible(config, registry)?,
        ProviderKind::Anthropic => anthropic(config, registry)?,
        ProviderKind::Gemini => gemini(config, registry)?,
        ProviderKind::Ollama => ollama(config, registry)?,
        _ => {
            return Err(EngineError::invalid("llm_backends", say!("arguments-backend.finds", name = name)));
        }
    };
    Ok((endpoint, context))
}

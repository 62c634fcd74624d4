//! The chain of models.

use std::sync::Arc;
use std::time::Duration;

use nexi_core::{
    model::{Model, ModelError},
    pricing::{self, Price},
    settings::{Problem, ProviderKind, Route, Settings},
};
use nexi_llm::{BuiltinResearcher, Endpoint, EndpointConfig, Keys, ModelChain, Registry, anthropic, gemini, ollama, open_ai_compatible};
use secrecy::SecretString;

use super::{all_keys, host, provider};
use crate::EngineError;

/// Tokens of context window that a model on this computer gets, unless the settings say more.
const LOCAL_CONTEXT: u32 = 32_768;

/// The models of the settings, ready to be asked.
pub(super) struct Models {
    pub chain: Arc<dyn Model>,
    /// Whether the first one is an AI.
    pub assisted: bool,
    /// Whether any is.
    pub any_ai: bool,
    /// The dearest of them.
    pub price: Option<Price>,
    /// The smallest context window of all of them and of the settings.
    pub context: u32,
}

/// One model with what is known of it.
struct Built {
    model: Arc<dyn Model>,
    is_ai: bool,
    price: Option<Price>,
    context: u32,
}

pub(super) fn build(settings: &Settings, route: &Route, registry: &Registry) -> Result<Models, EngineError> {
    let mut built: Vec<Built> = Vec::new();
    let mut first_failure = None;
    for name in &settings.llm_backends {
        if name == "builtin" {
            built.push(Built { model: Arc::new(BuiltinResearcher), is_ai: false, price: None, context: settings.max_context });
            continue;
        }
        match endpoint(name, settings, route, registry, None) {
            Ok(model) => built.push(model),
            // A provider without a key is passed over when another one can answer.
            Err(error) => {
                tracing::warn!(provider = name, %error, "provider cannot be used");
                first_failure.get_or_insert(error);
            }
        }
    }
    let any_ai = built.iter().any(|model| model.is_ai);
    // A conversation must fit whichever model takes it over.
    let context = built.iter().map(|model| model.context).min().unwrap_or(settings.max_context);
    // Whoever answers in the end, the ceiling has to hold: the dearest price counts.
    let price =
        built.iter().filter_map(|model| model.price).max_by(|a, b| (a.input + 4.0 * a.output).total_cmp(&(b.input + 4.0 * b.output)));
    let mut models = built.into_iter();
    let Some(first) = models.next() else {
        return Err(first_failure.unwrap_or_else(|| EngineError::Invalid(Problem::new("llm_backends", "is empty"))));
    };
    let chain = Arc::new(ModelChain::new(first.model, models.map(|model| model.model).collect()));
    Ok(Models { chain, assisted: first.is_ai, any_ai, price, context })
}

/// One model by itself, with this key in place of the one that is kept.
pub(super) fn draft(
    name: &str,
    settings: &Settings,
    route: &Route,
    registry: &Registry,
    key: Option<SecretString>,
) -> Result<Endpoint, EngineError> {
    Ok(open(name, settings, route, registry, key)?.0)
}

fn endpoint(name: &str, settings: &Settings, route: &Route, registry: &Registry, key: Option<SecretString>) -> Result<Built, EngineError> {
    let (endpoint, price, context) = open(name, settings, route, registry, key)?;
    Ok(Built { model: Arc::new(endpoint), is_ai: true, price, context })
}

/// A model with its price and its context window.
fn open(
    name: &str,
    settings: &Settings,
    route: &Route,
    registry: &Registry,
    key: Option<SecretString>,
) -> Result<(Endpoint, Option<Price>, u32), EngineError> {
    let provider = provider(name, settings, "llm_backends")?;
    let base_url = provider.address().to_owned();
    let is_own = host(&base_url).as_deref() == provider.kind.own_host();
    let keys = match key {
        Some(key) => vec![key],
        None => all_keys(name, &provider, &base_url)?,
    };
    let all = Keys { keys, strategy: provider.key_strategy };
    if all.keys.is_empty()
        && let Some(variable) =
            provider.api_key_env.clone().or_else(|| provider.kind.default_key_env().filter(|_| is_own).map(str::to_owned))
    {
        return Err(ModelError::NoKey { provider: name.to_owned(), variable }.into());
    }
    let model = provider.model.clone().unwrap_or_default();
    let facts = pricing::facts(&model, &settings.models);
    let is_local = provider.kind == ProviderKind::Ollama;
    // A window costs memory here; a larger one is a matter for the table of models.
    let most = if is_local { settings.max_context.min(LOCAL_CONTEXT) } else { settings.max_context };
    let context = facts.context.map_or(most, |own| own.min(settings.max_context));
    // What runs on this computer costs nothing, whatever it is called.
    let price = facts.price().filter(|_| !is_local);
    let route = route.to(&base_url);
    let config = EndpointConfig {
        name: name.to_owned(),
        base_url,
        model,
        keys: all,
        timeout: Duration::from_secs(settings.provider_timeout.into()),
        retries: settings.llm_max_retries,
        requests_per_minute: provider.requests_per_minute,
        tools: provider.tools,
        context,
        price,
        prompts: settings.prompts.clone(),
        route,
    };
    let endpoint = match provider.kind {
        ProviderKind::OpenaiCompatible => open_ai_compatible(config, registry)?,
        ProviderKind::Anthropic => anthropic(config, registry)?,
        ProviderKind::Gemini => gemini(config, registry)?,
        ProviderKind::Ollama => ollama(config, registry)?,
        _ => {
            return Err(EngineError::Invalid(Problem::new("llm_backends", format!("{name:?} finds pages and cannot answer questions"))));
        }
    };
    Ok((endpoint, price, context))
}

//! The models that connected services offer, with what is known of each: for choosing one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::{
    pricing,
    settings::{Provider, Settings, VENDORS},
};
use nexi_store::settings_file::Change;
use secrecy::SecretString;
use serde::Serialize;
use ts_rs::TS;

use super::Engine;
use crate::EngineError;

/// How long a program on this computer may take to say that it is there.
const LOCAL: Duration = Duration::from_millis(1500);
/// How long one service may take to list its models.
const LIMIT: Duration = Duration::from_secs(6);
/// How long a list stays good.
const FRESH: Duration = Duration::from_secs(600);
/// Parts of ids of models that do something else than answer.
const OTHERS: [&str; 24] = [
    "embed",
    "tts",
    "whisper",
    "dall-e",
    "image",
    "moderation",
    "realtime",
    "audio",
    "transcribe",
    "sora",
    "rerank",
    "ocr",
    "guard",
    "veo",
    "imagen",
    "lyria",
    "davinci",
    "babbage",
    "video",
    "speech",
    "voxtral",
    "stable-diffusion",
    "flux",
    "clip",
];

/// A connected service with its models.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct CatalogService {
    /// The name in the settings.
    pub provider: String,
    /// As people know it.
    pub label: String,
    pub models: Vec<CatalogModel>,
    /// Why its models could not be listed.
    pub error: Option<String>,
}

/// One model of a service.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct CatalogModel {
    /// What it is called in a chain: the provider's name, or `provider/model`.
    pub name: String,
    /// The service's own id.
    pub id: String,
    /// The context window, in tokens.
    pub window: Option<u32>,
    /// US dollars for a million tokens read; 0 on one's own computer.
    pub input: Option<f64>,
    /// US dollars for a million tokens written.
    pub output: Option<f64>,
    pub favourite: bool,
}

/// A program on this computer that models answer in.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct LocalService {
    /// The id of its vendor.
    pub vendor: String,
    /// Its name in the settings: the one it has there already, or its vendor's.
    pub provider: String,
    /// As people know it.
    pub label: String,
    pub models: Vec<CatalogModel>,
}

/// Lists that were fetched, by provider and address.
#[derive(Default)]
pub(super) struct Catalog(Mutex<HashMap<String, (Instant, Vec<String>)>>);

impl Engine {
    /// The models of all connected services, asked at the same time. Nothing is sent to a service
    /// that the settings do not name and that has no key in its variable.
    pub async fn model_catalog(&self) -> Vec<CatalogService> {
        let settings = self.settings();
        let listed = connected(&settings).into_iter().map(|(name, provider)| {
            let settings = settings.clone();
            async move {
                let found = self.listed(&name, provider.clone()).await;
                let label = provider.vendor().map_or_else(|| name.clone(), |vendor| vendor.label.to_owned());
                let (ids, error) = match found {
                    Ok(ids) => (ids, None),
                    Err(error) => (provider.model.iter().cloned().collect(), Some(error)),
                };
                CatalogService { models: models(&settings, &name, &provider, ids), provider: name, label, error }
            }
        });
        futures::future::join_all(listed).await
    }

    /// The models of one service, which need not be in the settings yet.
    ///
    /// # Errors
    /// When the service does not list them.
    pub async fn catalog_of(
        &self,
        settings: &Settings,
        name: &str,
        provider: Provider,
        key: Option<SecretString>,
    ) -> Result<Vec<CatalogModel>, EngineError> {
        let ids = self.models_of(name, provider.clone(), key).await?;
        // What the settings would name is no news: what the service has is asked for.
        Ok(models(settings, name, &Provider { model: None, ..provider }, ids))
    }

    /// The programs on this computer that say which models they have, of those that are known: each is asked where the
    /// settings say that it listens, or else at its usual address.
    pub async fn local_services(&self) -> Vec<LocalService> {
        let settings = self.settings();
        let asked = VENDORS.iter().filter(|vendor| vendor.local).map(|vendor| {
            let settings = &settings;
            // What has the name of such a program may be on another computer, or something else.
            let known = settings.providers.iter().find(|(name, provider)| {
                let is_it = name.as_str() == vendor.id || provider.vendor().is_some_and(|known| known.id == vendor.id);
                is_it && provider.kind == vendor.kind && provider.is_local()
            });
            let (name, provider) =
                known.map_or_else(|| (vendor.id.to_owned(), vendor.provider()), |(name, provider)| (name.clone(), provider.clone()));
            async move {
                // With an empty key none is looked for: a keyring that has to be unlocked must not be in the way.
                let none = Some(SecretString::from(String::new()));
                let models = tokio::time::timeout(LOCAL, self.catalog_of(settings, &name, provider, none)).await.ok()?.ok()?;
                Some(LocalService { vendor: vendor.id.to_owned(), provider: name, label: vendor.label.to_owned(), models })
            }
        });
        futures::future::join_all(asked).await.into_iter().flatten().collect()
    }

    async fn listed(&self, name: &str, provider: Provider) -> Result<Vec<String>, String> {
        let key = format!("{name} {}", provider.address());
        let known = self.inner.catalog.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some((_, ids)) = known.filter(|(at, _)| at.elapsed() < FRESH) {
            return Ok(ids);
        }
        let ids = match tokio::time::timeout(LIMIT, self.models_of(name, provider, None)).await {
            Ok(ids) => ids.map_err(|error| error.to_string())?,
            Err(_) => return Err(format!("{name} did not list its models in time.")),
        };
        let mut lists = self.inner.catalog.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.insert(key, (Instant::now(), ids.clone()));
        Ok(ids)
    }

    /// Marks a model as one that is offered first, or no longer.
    ///
    /// # Errors
    /// When the settings cannot be written.
    pub fn favour(&self, name: &str, is_favourite: bool) -> Result<(), EngineError> {
        let mut favourites = self.settings().favourite_models;
        favourites.retain(|known| known != name);
        if is_favourite {
            favourites.push(name.to_owned());
        }
        self.change_settings(&[Change { path: vec!["favourite_models".into()], value: favourites.into() }])?;
        Ok(())
    }
}

/// The services that can be asked: those of the settings, and those whose key is in its variable.
fn connected(settings: &Settings) -> Vec<(String, Provider)> {
    let mut out: Vec<(String, Provider)> = Vec::new();
    let chain = settings.llm_backends.iter().map(|name| settings.key_name(name).to_owned());
    let presets = VENDORS.iter().filter(|vendor| !vendor.key_env.is_empty() && std::env::var_os(vendor.key_env).is_some());
    // Two accounts of one service are two; a preset whose service the settings name already is not another.
    let named = chain.chain(settings.providers.keys().cloned()).map(|name| (name, false));
    for (name, preset) in named.chain(presets.map(|vendor| (vendor.id.to_owned(), true))) {
        if let Some(provider) = settings.provider(&name).filter(|provider| provider.kind.answers())
            && !out.iter().any(|(known, other)| *known == name || (preset && other.address() == provider.address()))
        {
            out.push((name, provider));
        }
    }
    out
}

/// What is known of each model, favourites first, then those of the price table, then the others.
fn models(settings: &Settings, name: &str, provider: &Provider, mut ids: Vec<String>) -> Vec<CatalogModel> {
    if let Some(own) = provider.model.as_ref().filter(|own| !ids.contains(own)) {
        ids.push(own.clone());
    }
    let mut out: Vec<(bool, CatalogModel)> = ids
        .into_iter()
        .filter(|id| Some(id) == provider.model.as_ref() || !OTHERS.iter().any(|part| id.to_ascii_lowercase().contains(part)))
        .map(|id| {
            let known = provider.known(&id);
            let own = pricing::own(&id, &settings.models);
            let price = provider.price(&id, &settings.models);
            let called = if provider.model.as_ref() == Some(&id) { name.to_owned() } else { format!("{name}/{id}") };
            let model = CatalogModel {
                favourite: settings.favourite_models.contains(&called),
                name: called,
                id,
                window: own.context.or(known.and_then(|known| known.context)),
                input: price.map(|price| price.input),
                output: price.map(|price| price.output),
            };
            (known.is_some(), model)
        })
        .collect();
    out.sort_by(|(known, a), (other, b)| b.favourite.cmp(&a.favourite).then(other.cmp(known)).then(a.id.cmp(&b.id)));
    out.into_iter().map(|(_, model)| model).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_come_with_price_and_window_and_favourites_first() {
        let mut settings = Settings { favourite_models: vec!["openai/gpt-4.1".into()], ..Settings::default() };
        settings.llm_backends = vec!["openai/gpt-4.1-mini".into(), "builtin".into()];
        let provider = settings.provider("openai").unwrap();
        let ids = ["text-embedding-3-small", "new-model", "gpt-4.1", "gpt-4.1-mini"].map(str::to_owned).to_vec();
        let list = models(&settings, "openai", &provider, ids);
        let names: Vec<&str> = list.iter().map(|model| model.name.as_str()).collect();
        assert_eq!(names, ["openai/gpt-4.1", "openai/gpt-4.1-mini", "openai", "openai/new-model"]);
        assert_eq!((list[1].input, list[1].window), (Some(0.4), Some(1_047_576)));
        assert_eq!(list[3].input, None);
        assert_eq!(connected(&settings)[0].0, "openai");
    }
}

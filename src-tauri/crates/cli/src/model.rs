//! `nexi model`: connecting a model in one step, and choosing among those that are connected.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::settings::{Provider, ProviderKind, Settings, VENDORS, Vendor, nearest};
use nexi_engine::settings_file::{Change, told};
use nexi_engine::{CatalogModel, CatalogService, Engine, EngineError, KeyOrigin, Verdict};
use nexi_messages::say;
use serde_json::{Value, json};

use crate::args::{AddModel, Common, Model, ModelCommand, Stopped, Usage};
use crate::line::{one_line, sanitized};
use crate::output::{note, print, print_json, print_line, tell};
use crate::{exit, key, start};

/// How many models somebody is offered to choose from.
const OFFERED: usize = 20;

/// Carries the command out.
pub async fn run(model: Model, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match model.command {
        ModelCommand::Add(wanted) => add(&engine, wanted).await,
        ModelCommand::List { words, json } => list(&engine, &words, json).await,
        ModelCommand::Use { name } => prefer(&engine, &name).await,
    }
}

/// Connects a model. Nothing changes before it has answered, unless that is not wanted.
pub async fn add(engine: &Engine, wanted: AddModel) -> Result<u8> {
    let named = wanted.service.as_deref().map(service).transpose()?;
    if let Some(Vendor { id, base_url: "", .. }) =
        named.filter(|vendor| vendor.kind == ProviderKind::OpenaiCompatible && wanted.base_url.is_none())
    {
        return Err(Usage(say!("nexi-model-needs-address", service = *id)).into());
    }
    // Report wrong arguments before asking for a key.
    sound(&wanted)?;
    if wanted
        .base_url
        .as_ref()
        .is_some_and(|base_url| Provider { base_url: Some(base_url.clone()), ..Provider::new(ProviderKind::OpenaiCompatible) }.is_open())
    {
        crate::key::warn_unencrypted(&say!("nexi-model-this-model"));
    }
    let wants_key = wanted.key_env.is_none() && named.is_none_or(Vendor::needs_key);
    let secret = if wants_key { read_key(engine, named, named.is_none() && wanted.base_url.is_some()).await? } else { String::new() };
    let vendor = match (named, &wanted.base_url) {
        (Some(vendor), _) => Some(vendor),
        (None, Some(_)) => None,
        (None, None) => Some(service_of(&secret).await?),
    };
    let mut provider = match vendor {
        Some(vendor) => Provider { base_url: wanted.base_url.clone().or(vendor.provider().base_url), ..vendor.provider() },
        None => Provider { base_url: wanted.base_url.clone(), ..Provider::new(ProviderKind::OpenaiCompatible) },
    };
    let name = match (&wanted.name, vendor) {
        (Some(name), _) => name.clone(),
        (None, Some(vendor)) => free(engine, vendor.id, &provider),
        (None, None) => free(engine, "custom", &provider),
    };
    free_to_take(engine, &name, &provider)?;
    provider.api_key_env = wanted.key_env.clone();
    let label = vendor.map_or(name.as_str(), |vendor| vendor.label).to_owned();
    let key = (!secret.is_empty()).then(|| secret.clone().into());
    if let Some(model) = &wanted.model {
        provider.model = Some(model.clone());
    } else if wanted.no_test && provider.model.is_some() {
        // Nothing is asked, not even for a list.
    } else {
        let settings = engine.settings();
        let models = engine.catalog_of(&settings, &name, provider.clone(), key.clone()).await;
        provider.model = chosen(&label, models, provider.model.take()).await?;
    }
    let Some(model) = provider.model.clone() else {
        return Err(Usage(say!("nexi-model-no-model", label = label)).into());
    };
    if !wanted.no_test {
        tell(&format!("{}\n", say!("nexi-model-asking", model = &model, label = &label)));
        let check = engine.check_provider(&name, provider.clone(), key).await?;
        if check.verdict != Verdict::Works {
            keep_untested(&check.message).await?;
        }
    }
    let changes = changes(engine, &name, &provider, vendor)?;
    let (_, problems) = engine.preview_settings(&changes)?;
    if let Some(problem) = problems.first() {
        return Err(Usage(told::problem(problem)).into());
    }
    // The key first: a model in the chain without its key would fail at the next question.
    if !secret.is_empty() {
        engine.set_key(&name, secret.into()).await?;
    }
    engine.change_settings(&changes)?;
    // With several accounts at one provider, the label alone would not say which one this is.
    let label = if vendor.is_some_and(|vendor| vendor.id != name) { format!("{label} ({name})") } else { label };
    print_line(&say!("nexi-model-added", label = label, model = model))?;
    Ok(exit::ANSWERED)
}

/// Fails unless a model that did not answer is to be kept: asks at a terminal; a script passes an option instead.
async fn keep_untested(why: &str) -> Result<()> {
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        anyhow::bail!(say!("nexi-model-not-kept", why = why));
    }
    note(&sanitized(why));
    if start::agreed(&say!("nexi-model-keep-anyway")).await? { Ok(()) } else { anyhow::bail!(say!("nexi-model-unchanged")) }
}

/// Finds what is wrong with the arguments alone.
fn sound(wanted: &AddModel) -> Result<()> {
    if let Some(address) = &wanted.base_url {
        let parsed = url::Url::parse(address);
        if parsed == Err(url::ParseError::InvalidPort) {
            return Err(Usage(say!("nexi-model-no-port", address = address)).into());
        }
        let known = parsed.is_ok_and(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
        if !known {
            return Err(Usage(say!("nexi-model-no-address", address = address)).into());
        }
    }
    if let Some(name) = &wanted.name {
        let plain = !name.is_empty() && name.len() <= 40 && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        if !plain {
            return Err(Usage(say!("nexi-model-bad-name", name = name)).into());
        }
        if name == "builtin" || ProviderKind::parse(name).is_some_and(|kind| !kind.answers()) || name == "documents" {
            return Err(Usage(say!("nexi-model-reserved-name", name = name)).into());
        }
    }
    Ok(())
}

/// A name that is taken keeps its address: its key is for that one and goes nowhere else.
fn free_to_take(engine: &Engine, name: &str, provider: &Provider) -> Result<()> {
    match engine.settings().providers.get(name) {
        Some(known) if !is_same_service(known, provider) => {
            Err(Usage(say!("nexi-model-name-taken", name = name, address = known.address())).into())
        }
        _ => Ok(()),
    }
}

/// Whether a key for one of them is a key for the other.
fn is_same_service(one: &Provider, other: &Provider) -> bool {
    one.kind == other.kind && one.address() == other.address()
}

/// The key, from standard input or a hidden prompt. May be empty if `optional`, for servers that need none.
async fn read_key(engine: &Engine, vendor: Option<&'static Vendor>, optional: bool) -> Result<String> {
    let typed = std::io::stdin().is_terminal();
    let variable = vendor.map(|vendor| vendor.key_env).filter(|variable| !variable.is_empty() && std::env::var_os(variable).is_some());
    if let Some(variable) = variable.filter(|_| typed) {
        note(&say!("nexi-model-variable-used", variable = variable));
        return Ok(String::new());
    }
    // Checked first: a key that cannot be stored should not have to be typed.
    if typed && !optional {
        key::place(engine).await?;
    }
    let secret = if typed {
        if let Some(vendor) = vendor {
            note(&say!("nexi-model-key-page", address = vendor.key_page));
        }
        let question = match vendor {
            _ if optional => say!("nexi-model-type-key-or-none"),
            Some(vendor) => say!("nexi-model-type-key-for", label = vendor.label),
            None => say!("nexi-model-type-key"),
        };
        start::hidden(&question).await?
    } else {
        start::input(&say!("nexi-key-the-key"), key::MAX_KEY)?
    };
    let secret = secret.trim().to_owned();
    // One that is sent counts before one in the environment.
    if secret.is_empty() && !optional && variable.is_none() {
        return Err(Usage(say!("nexi-model-empty-key")).into());
    }
    if (optional || !typed) && !secret.is_empty() {
        key::place(engine).await.map_err(|error| match error.is::<Stopped>() {
            true => error,
            false => anyhow::anyhow!(say!("nexi-model-or-variable", why = error.to_string())),
        })?;
    }
    Ok(secret)
}

/// The service of this name.
fn service(id: &str) -> Result<&'static Vendor> {
    let id = id.to_ascii_lowercase();
    Vendor::by_id(&id).ok_or_else(|| {
        Usage(match nearest(&id, VENDORS.iter().map(|vendor| vendor.id)) {
            Some(meant) => say!("nexi-model-meant-service", name = &id, meant = meant),
            None => say!("nexi-model-unknown-service", name = &id, known = names()),
        })
        .into()
    })
}

/// The service that a key belongs to. Asks on the terminal where the key itself does not tell.
async fn service_of(secret: &str) -> Result<&'static Vendor> {
    let needs = |vendor: &&Vendor| vendor.needs_key() && (vendor.kind != ProviderKind::OpenaiCompatible || !vendor.base_url.is_empty());
    let known = VENDORS.iter().filter(needs).map(|vendor| vendor.id).collect::<Vec<_>>().join(", ");
    if let Some(vendor) = Vendor::by_key(secret) {
        return Ok(vendor);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Usage(say!("nexi-model-which-service", known = known)).into());
    }
    tell(&format!("{}\n", say!("nexi-model-whose-key", known = &known)));
    loop {
        let typed = start::line(&say!("nexi-model-type-service")).await?;
        match service(typed.trim()) {
            _ if typed.trim().is_empty() => return Err(Usage(say!("nexi-model-which-service", known = known)).into()),
            Ok(vendor) if needs(&vendor) => return Ok(vendor),
            Ok(vendor) => note(&say!("nexi-model-needs-address", service = vendor.id)),
            Err(error) => note(&error.to_string()),
        }
    }
}

fn names() -> String {
    VENDORS.iter().map(|vendor| vendor.id).collect::<Vec<_>>().join(", ")
}

/// Which model answers: the usual one, or the one that somebody at the terminal chooses.
async fn chosen(label: &str, models: Result<Vec<CatalogModel>, EngineError>, usual: Option<String>) -> Result<Option<String>> {
    let models = match models {
        Ok(models) => models,
        Err(error) => {
            note(&say!("nexi-model-not-listed", label = label, why = error.to_string()));
            return Ok(usual);
        }
    };
    let usual = usual.filter(|usual| models.iter().any(|model| model.id == *usual)).or_else(|| Some(models.first()?.id.clone()));
    if !std::io::stdin().is_terminal() || models.len() < 2 {
        return Ok(usual);
    }
    let lines: Vec<String> = models
        .iter()
        .take(OFFERED)
        .enumerate()
        .map(|(index, model)| format!("{:>3}  {}  {}", index + 1, one_line(&model.id), facts(model)))
        .collect();
    let more =
        if models.len() > OFFERED { format!("\n     {}", say!("nexi-model-more", count = models.len() - OFFERED)) } else { String::new() };
    let default = usual.clone().unwrap_or_default();
    tell(&format!("{}{more}\n", lines.join("\n")));
    loop {
        let line = start::line(&say!("nexi-model-choose", usual = &default)).await?;
        let typed = line.trim();
        let Ok(number) = typed.parse::<usize>() else {
            return Ok(if typed.is_empty() { usual } else { Some(typed.to_owned()) });
        };
        if let Some(model) = models.get(number.wrapping_sub(1)) {
            return Ok(Some(model.id.clone()));
        }
        note(&say!("nexi-model-no-number", number = number));
    }
}

/// A name that no other provider has; the service that is there already keeps its own.
fn free(engine: &Engine, wanted: &str, provider: &Provider) -> String {
    let providers = engine.settings().providers;
    if let Some((name, _)) = providers.iter().find(|(_, known)| is_same_service(known, provider)) {
        return name.clone();
    }
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !providers.contains_key(name)).unwrap_or_default()
}

fn changes(engine: &Engine, name: &str, provider: &Provider, vendor: Option<&Vendor>) -> Result<Vec<Change>> {
    let field = |field: &str, value: Value| Change { path: vec!["providers".into(), name.into(), field.into()], value };
    let mut out = vec![field("type", json!(provider.kind))];
    // What is the service's own needs no line, but for services that have nothing but an address.
    if let Some(address) = provider
        .base_url
        .as_ref()
        .filter(|address| vendor.is_none_or(|vendor| vendor.kind == ProviderKind::OpenaiCompatible || vendor.base_url != address.as_str()))
    {
        out.push(field("base_url", json!(address)));
    }
    out.push(field("model", json!(provider.model)));
    if let Some(variable) = &provider.api_key_env {
        out.push(field("api_key_env", json!(variable)));
    }
    out.push(engine.first_in_chain(name)?);
    Ok(out)
}

async fn list(engine: &Engine, words: &[String], json: bool) -> Result<u8> {
    start::unlock_if_possible(engine).await?;
    let mut services = engine.model_catalog().await;
    let holds = |service: &CatalogService, model: &CatalogModel| {
        let text = format!("{} {} {}", service.label, model.name, model.id).to_lowercase();
        words.iter().all(|word| text.contains(&word.to_lowercase()))
    };
    for service in &mut services {
        let kept = service.models.iter().filter(|model| holds(service, model)).cloned().collect();
        service.models = kept;
    }
    if json {
        print_json(&services)?;
        return Ok(exit::ANSWERED);
    }
    if services.is_empty() {
        print_line(&say!("nexi-model-none"))?;
        return Ok(exit::ANSWERED);
    }
    let current = engine.settings().llm_backends.first().cloned().unwrap_or_default();
    let mut out = String::new();
    for service in services.iter().filter(|service| !service.models.is_empty() || service.error.is_some()) {
        out.push_str(&format!("{}\n", one_line(&service.label)));
        if let Some(error) = &service.error {
            out.push_str(&format!("  {}\n", one_line(error)));
        }
        for model in &service.models {
            let mark = if model.name == current { '*' } else { ' ' };
            // A service that is named by its own name has a model all the same.
            let id = if model.name.ends_with(&model.id) { String::new() } else { format!(" ({})", one_line(&model.id)) };
            out.push_str(&format!("{mark} {}{id}  {}\n", one_line(&model.name), facts(model)));
        }
    }
    print(&out)?;
    if current == "builtin" {
        print_line(&say!("nexi-model-built-in-first"))?;
    }
    if services.iter().all(|service| service.models.is_empty()) {
        note(&say!("nexi-model-not-found"));
        return Ok(exit::FAILED);
    }
    Ok(exit::ANSWERED)
}

/// Window and price of a model, as far as they are known.
fn facts(model: &CatalogModel) -> String {
    let window = model.window.map(|window| format!("{}k", window / 1000));
    let price = match (model.input, model.output) {
        (Some(0.0), Some(0.0)) => Some(say!("nexi-model-free")),
        (Some(input), Some(output)) => Some(say!("nexi-model-price", input = format!("${input:.2}"), output = format!("${output:.2}"))),
        _ => None,
    };
    window.into_iter().chain(price).collect::<Vec<_>>().join(" · ")
}

/// The model of `provider/model`, where the service has a list and it does not stand there.
async fn unlisted(engine: &Engine, settings: &Settings, name: &str) -> Option<String> {
    let (service, model) = name.split_once('/')?;
    let models = engine.catalog_of(settings, service, settings.provider(service)?, None).await.ok()?;
    (!models.is_empty() && models.iter().all(|known| known.id != model)).then(|| one_line(model))
}

/// Puts a model of the settings in front of the others.
async fn prefer(engine: &Engine, name: &str) -> Result<u8> {
    let settings = engine.settings();
    let known = name == "builtin" || settings.provider(name).is_some_and(|provider| provider.kind.answers());
    if !known {
        return Err(Usage(say!("nexi-model-not-connected", name = name)).into());
    }
    engine.change_settings(&[engine.first_in_chain(name)?])?;
    print_line(&say!("nexi-model-used", name = name))?;
    if let Some(model) = unlisted(engine, &settings, name).await {
        note(&say!("nexi-model-unlisted", model = model));
    }
    // The key may be added later, so this is a note and not an error.
    let wants_key = |provider: &Provider| !provider.is_local() && (provider.own_key_env().is_some() || provider.api_key_env.is_some());
    if settings.provider(name).is_some_and(|provider| wants_key(&provider)) {
        let provider = settings.key_name(name).to_owned();
        let statuses = engine.key_statuses(vec![provider.clone()]).await?;
        // A place that is locked may well hold it.
        if statuses.iter().any(|status| status.origin == KeyOrigin::None && status.trouble.is_none()) {
            note(&say!("nexi-model-without-key", name = provider));
        }
    }
    Ok(exit::ANSWERED)
}

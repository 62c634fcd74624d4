//! `nexi key`: where keys are kept.

use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::settings::{KeyPlace, Settings, VENDORS};
use nexi_engine::{Engine, KeyOrigin, KeyStatus, KeyringView};

use crate::args::{Common, Key, KeyCommand, Usage};
use crate::output::{note, print_json, print_line};
use crate::{exit, start};

/// Bytes of a key that is read from a pipe.
pub const MAX_KEY: u64 = 8 * 1024;

/// Says that what is sent to this provider can be read on its way.
pub fn warn_of_open(provider: &str) {
    note(&format!(
        "warning: the address of {provider} is not encrypted, so this key and everything you ask can be read on the way; use an address with https"
    ));
}

/// Carries `nexi key` out.
pub async fn run(key: Key, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match key.command {
        KeyCommand::Set { provider } => {
            known(&engine.settings(), &provider)?;
            if engine.settings().provider(&provider).is_some_and(|provider| provider.is_open()) {
                warn_of_open(&provider);
            }
            // Checked first: a key that cannot be stored should not have to be typed.
            place(&engine).await?;
            let secret = if std::io::stdin().is_terminal() {
                start::hidden(&format!("API key for {provider} (hidden): ")).await?
            } else {
                start::input("the key", MAX_KEY)?
            };
            engine.set_key(&provider, secret.trim().to_owned().into()).await?;
            let unasked = crate::config::advice_if_unasked(&engine.settings(), &provider);
            print_statuses(&engine.key_statuses(vec![provider]).await?)?;
            unasked.iter().for_each(|advice| note(advice));
        }
        KeyCommand::List { json } => {
            start::unlock_if_possible(&engine).await?;
            let settings = engine.settings();
            let wanting = wanting(&settings);
            let others = settings.providers.keys().filter(|name| !wanting.contains(name)).cloned();
            let mut statuses = engine.key_statuses(wanting.iter().cloned().chain(others).collect()).await?;
            // One that needs no key may have one.
            statuses.retain(|status| wanting.contains(&status.provider) || status.origin != KeyOrigin::None);
            if json {
                print_json(&statuses)?;
            } else if statuses.is_empty() {
                print_line("No configured provider needs an API key.")?;
            } else {
                print_statuses(&statuses)?;
            }
        }
        KeyCommand::Remove { provider } => {
            known(&engine.settings(), &provider)?;
            if engine.keys_are_locked() {
                start::unlock(&engine).await?;
            }
            engine.remove_key(&provider).await?;
            print_statuses(&engine.key_statuses(vec![provider]).await?)?;
        }
    }
    Ok(exit::ANSWERED)
}

/// Makes sure that a key can be kept where the settings want it.
///
/// # Errors
/// When there is no such place, with the ways out.
pub async fn place(engine: &Engine) -> Result<()> {
    match engine.settings().keys {
        KeyPlace::Session => {
            let way = "keep them in the keyring (nexi config unset keys), or put this one into an environment variable";
            Err(Usage(format!("keys: the settings keep keys for one session only, which ends with this command; {way}")).into())
        }
        KeyPlace::File if !engine.paths().keys().exists() || engine.keys_are_locked() => start::unlock(engine).await,
        KeyPlace::File => Ok(()),
        KeyPlace::Keyring => {
            let keys = engine.keys().await?;
            let way = "Or keep keys in a file with a passphrase: nexi config set keys file";
            if keys.keyring == KeyringView::Works { Ok(()) } else { Err(anyhow::anyhow!("{} {way}", keys.message)) }
        }
    }
}

/// The providers of the settings that want a key or may have one.
pub fn wanting(settings: &Settings) -> Vec<String> {
    let chains = [&settings.llm_backends, &settings.search_backends, &settings.fetch_backends];
    let names = settings.providers.keys().chain(chains.into_iter().flatten());
    let mut out: Vec<String> = Vec::new();
    for name in names {
        let wants = settings.provider(name).is_some_and(|provider| provider.api_key_env.is_some() || provider.own_key_env().is_some());
        let owner = settings.key_name(name).to_owned();
        if wants && !out.contains(&owner) {
            out.push(owner);
        }
    }
    out
}

fn known(settings: &Settings, provider: &str) -> Result<()> {
    if settings.provider(provider).is_some() {
        return Ok(());
    }
    let mut all: Vec<&str> = settings.providers.keys().map(String::as_str).collect();
    let presets = VENDORS.iter().filter(|vendor| vendor.needs_key()).map(|vendor| vendor.id);
    all.extend(presets.chain(SEARCHES).filter(|name| !settings.providers.contains_key(*name)).collect::<Vec<_>>());
    Err(Usage(format!("provider: {provider:?} is not known. There are {}", all.join(", "))).into())
}

/// Search services that want a key.
const SEARCHES: [&str; 8] = ["brave", "exa", "firecrawl", "jina", "linkup", "perplexity", "serper", "tavily"];

fn print_statuses(statuses: &[KeyStatus]) -> Result<()> {
    print_line(&statuses.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// One provider and where its key comes from.
pub fn line(status: &KeyStatus) -> String {
    let place = match status.origin {
        KeyOrigin::None => match &status.variable {
            Some(variable) => format!("no key; run nexi key set {}, or set {variable}", status.provider),
            None => format!("no key; run nexi key set {}", status.provider),
        },
        KeyOrigin::Variable => format!("in the environment variable {}", status.variable.as_deref().unwrap_or_default()),
        KeyOrigin::Keyring => "in the keyring".into(),
        KeyOrigin::File => "in the file with the keys".into(),
        KeyOrigin::Session => "in this session".into(),
    };
    match &status.trouble {
        Some(trouble) => format!("{}: {trouble}", status.provider),
        None => format!("{}: {place}", status.provider),
    }
}

//! `nexi key`: where keys are kept.

use std::collections::BTreeSet;
use std::io::IsTerminal;

use anyhow::Result;
use nexi_engine::core::settings::{KeyPlace, ProviderKind, Settings, VENDORS};
use nexi_engine::{Engine, KeyOrigin, KeyStatus, KeyringView};
use nexi_messages::say;

use crate::args::{Common, Key, KeyCommand, Usage};
use crate::output::{note, print_json, print_line};
use crate::{exit, start};

/// Bytes of a key that is read from a pipe.
pub const MAX_KEY: u64 = 8 * 1024;

/// Says that what is sent to this provider can be read on its way.
pub fn warn_unencrypted(provider: &str) {
    start::warn(&say!("nexi-key-open-address", provider = provider));
}

/// Carries `nexi key` out.
pub async fn run(key: Key, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match key.command {
        KeyCommand::Set { provider } => {
            known(&engine.settings(), &provider)?;
            if engine.settings().provider(&provider).is_some_and(|provider| provider.is_open()) {
                warn_unencrypted(&provider);
            }
            // Checked first: a key that cannot be stored should not have to be typed.
            place(&engine).await?;
            let secret = if std::io::stdin().is_terminal() {
                start::hidden(&say!("nexi-key-type", provider = &provider)).await?
            } else {
                start::input(&say!("nexi-key-the-key"), MAX_KEY)?
            };
            // People may have put blanks into a password.
            let secret = if engine.settings().is_corpus(&provider) { secret.trim_end_matches(['\r', '\n']) } else { secret.trim() };
            engine.set_key(&provider, secret.to_owned().into()).await?;
            let unasked = crate::config::advice_if_unasked(&engine.settings(), &provider);
            print_statuses(&engine.key_statuses(vec![provider]).await?)?;
            unasked.iter().for_each(|advice| note(advice));
        }
        KeyCommand::List { json } => {
            start::unlock_if_possible(&engine).await?;
            let settings = engine.settings();
            let wanting = wanting(&settings);
            let own = settings.providers.keys().cloned();
            let others: BTreeSet<String> = own.chain(presets().map(str::to_owned)).filter(|name| !wanting.contains(name)).collect();
            let mut statuses = engine.key_statuses(wanting.iter().cloned().chain(others).collect()).await?;
            // One that needs no key may have one, and so may a service that no question asks yet.
            statuses.retain(|status| wanting.contains(&status.provider) || is_kept(status));
            if json {
                print_json(&statuses)?;
            } else if statuses.is_empty() {
                print_line(&say!("nexi-key-none-needed"))?;
            } else {
                print_statuses(&statuses)?;
            }
        }
        KeyCommand::Remove { provider } => {
            known(&engine.settings(), &provider)?;
            if engine.keys_are_locked() {
                start::unlock(&engine).await?;
            }
            let before = engine.key_statuses(vec![provider.clone()]).await?;
            engine.remove_key(&provider).await?;
            let after = engine.key_statuses(vec![provider.clone()]).await?;
            print_line(&match before.iter().any(is_kept) {
                true => say!("nexi-key-removed", provider = &provider),
                false => say!("nexi-key-none-there", provider = &provider),
            })?;
            // Another place may have one all the same.
            print_statuses(&after.into_iter().filter(|status| status.origin != KeyOrigin::None).collect::<Vec<_>>())?;
        }
    }
    Ok(exit::ANSWERED)
}

/// Makes sure that a key can be kept where the settings want it. Where that is a keyring and there is none, a person at a
/// terminal can have a file with a passphrase instead.
///
/// # Errors
/// When there is no such place, with the ways out.
pub async fn place(engine: &Engine) -> Result<()> {
    match engine.settings().keys {
        KeyPlace::Session => Err(Usage(say!("nexi-key-session-only")).into()),
        KeyPlace::File if !engine.paths().keys().exists() || engine.keys_are_locked() => start::unlock(engine).await,
        KeyPlace::File => Ok(()),
        KeyPlace::Keyring => {
            let keys = engine.keys().await?;
            if keys.keyring == KeyringView::Works {
                return Ok(());
            }
            if !std::io::stdin().is_terminal() {
                return Err(anyhow::anyhow!(say!("nexi-key-or-file", why = keys.message)));
            }
            note(&keys.message);
            if !start::agreed(&say!("nexi-key-in-file-instead")).await? {
                return Err(anyhow::anyhow!(say!("nexi-key-no-place")));
            }
            // The file first: without it, the setting would lead nowhere.
            start::unlock(engine).await?;
            crate::config::change(engine, "keys", "file".into())?;
            Ok(())
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
    all.extend(presets().filter(|name| !settings.providers.contains_key(*name)).collect::<Vec<_>>());
    Err(Usage(say!("nexi-key-unknown", name = provider, known = all.join(", "))).into())
}

/// Whether Nexi keeps the key itself, and can remove it.
fn is_kept(status: &KeyStatus) -> bool {
    matches!(status.origin, KeyOrigin::Keyring | KeyOrigin::File | KeyOrigin::Session)
}

/// The services that Nexi knows by name and that want a key.
fn presets() -> impl Iterator<Item = &'static str> {
    let vendors = VENDORS.iter().filter(|vendor| vendor.needs_key()).map(|vendor| vendor.id);
    let is_search = |kind: &ProviderKind| kind.finds() && kind.needs_no_table() && kind.default_key_env().is_some();
    vendors.chain(ProviderKind::ALL.into_iter().filter(is_search).map(ProviderKind::as_str))
}

fn print_statuses(statuses: &[KeyStatus]) -> Result<()> {
    if statuses.is_empty() {
        return Ok(());
    }
    print_line(&statuses.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// One provider and where its key comes from.
pub fn line(status: &KeyStatus) -> String {
    let place = match status.origin {
        KeyOrigin::None => match &status.variable {
            Some(variable) => say!("nexi-key-none-or-variable", provider = &status.provider, variable = variable),
            None => say!("nexi-key-none", provider = &status.provider),
        },
        KeyOrigin::Variable => say!("nexi-key-in.variable", variable = status.variable.as_deref().unwrap_or_default()),
        KeyOrigin::Keyring => say!("nexi-key-in.keyring"),
        KeyOrigin::File => say!("nexi-key-in.file"),
        KeyOrigin::Session => say!("nexi-key-in.session"),
    };
    let state = status.trouble.as_ref().map_or(place, ToString::to_string);
    say!("nexi-key-line", provider = &status.provider, state = state)
}

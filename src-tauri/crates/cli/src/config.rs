//! `nexi config` and `nexi key`.

use std::io::IsTerminal;
use std::process::Command;

use anyhow::{Context, Result};
use nexi_engine::core::settings::{KeyPlace, Settings};
use nexi_engine::settings_file::Change;
use nexi_engine::{Engine, EngineError, KeyOrigin, KeyStatus};
use serde_json::Value;

use crate::args::{Common, Config, ConfigCommand, Key, KeyCommand, Usage};
use crate::output::{print_json, print_line};
use crate::{exit, start};

/// Bytes of a key that is read from a pipe.
const MAX_KEY: u64 = 8 * 1024;
/// Bytes of a settings file that is taken over.
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// Carries `nexi config` out.
pub async fn config(config: Config, common: Common) -> Result<u8> {
    match config.command {
        ConfigCommand::Path => {
            let settings = nexi_engine::paths(start::places(&common))?.settings;
            print_line(&settings.display().to_string())?;
        }
        ConfigCommand::Edit => return edit(&common),
        ConfigCommand::Get { field } => get(&start::open(&common).await?.settings(), field.as_deref())?,
        ConfigCommand::Set { field, value } => {
            let engine = start::open(&common).await?;
            let changed = change(&engine, &field, serde_json::from_str(&value).unwrap_or(Value::String(value)))?;
            get(&changed, Some(&field))?;
        }
        ConfigCommand::Unset { field } => {
            let engine = start::open(&common).await?;
            change(&engine, &field, Value::Null)?;
        }
        ConfigCommand::Import { file } => {
            let text = start::file(&file, MAX_FILE)?;
            let engine = start::open_with_keys(&common).await?;
            let fields = engine.import_settings(&text).await?;
            print_line(&format!("{} settings were taken over: {}", fields.len(), fields.join(", ")))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// The names in a field such as `providers.work.model`.
fn path(field: &str) -> Result<Vec<String>> {
    let names: Vec<String> = field.split('.').map(|name| name.trim().to_owned()).collect();
    if names.iter().any(String::is_empty) {
        return Err(Usage(format!("{field:?} is no field; write it like providers.work.model")).into());
    }
    Ok(names)
}

fn change(engine: &Engine, field: &str, value: Value) -> Result<Settings> {
    let names = path(field)?;
    // A name that no setting has would be written and have no effect.
    let known = serde_json::to_value(Settings::default())?;
    if let Some(map) = known.as_object().filter(|map| !map.contains_key(&names[0])) {
        let all: Vec<&str> = map.keys().map(String::as_str).collect();
        return Err(Usage(format!("{field}: there is no such setting; there are {}", all.join(", "))).into());
    }
    let settings = engine.change_settings(&[Change { path: names, value }])?;
    if let Some(problem) = engine.warnings().iter().find(|problem| problem.field == field) {
        eprintln!("nexi: warning: {problem}");
    }
    Ok(settings)
}

fn get(settings: &Settings, field: Option<&str>) -> Result<()> {
    let all = serde_json::to_value(settings)?;
    let Some(field) = field else { return print_json(&all) };
    let mut value = &all;
    for name in path(field)? {
        let inner = match value {
            Value::Array(list) => name.parse::<usize>().ok().and_then(|index| list.get(index)),
            other => other.get(&name),
        };
        value = inner.ok_or_else(|| Usage(format!("{field}: there is no such setting; nexi config get lists all")))?;
    }
    match value {
        Value::String(text) => print_line(text),
        other => print_json(other),
    }
}

/// Opens the file in an editor, and says what is wrong with it afterwards.
fn edit(common: &Common) -> Result<u8> {
    let paths = nexi_engine::paths(start::places(common))?;
    let file = &paths.settings;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Usage(format!("{} cannot be made ({error})", folder.display())))?;
    }
    let standard = if cfg!(windows) { "notepad" } else { "vi" };
    let wanted = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let editor = wanted("VISUAL").or_else(|| wanted("EDITOR")).unwrap_or_else(|| standard.into());
    // Editors are set with their options, such as `code --wait`.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or(standard);
    let status = Command::new(program).args(words).arg(file).status();
    let status = status.map_err(|error| Usage(format!("the editor {program:?} could not be started ({error}); set EDITOR")))?;
    if !status.success() {
        return Err(Usage(format!("the editor {program:?} ended with a failure; the file is as it left it")).into());
    }
    let loaded = nexi_engine::settings_file::read(file, false).map_err(EngineError::from)?;
    for problem in loaded.unknown {
        eprintln!("nexi: warning: {problem}");
    }
    Ok(exit::ANSWERED)
}

/// Carries `nexi key` out.
pub async fn key(key: Key, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match key.command {
        KeyCommand::Set { provider } => {
            known(&engine.settings(), &provider)?;
            match engine.settings().keys {
                KeyPlace::Session => {
                    let way = "keep them in the keyring (nexi config unset keys), or put this one into an environment variable";
                    return Err(
                        Usage(format!("keys: the settings keep keys for one session only, which ends with this command; {way}")).into()
                    );
                }
                KeyPlace::File if !engine.paths().keys().exists() || engine.keys_are_locked() => start::unlock(&engine).await?,
                KeyPlace::File | KeyPlace::Keyring => {}
            }
            let secret = if std::io::stdin().is_terminal() {
                start::hidden(&format!("The key for {provider} (it is not shown): ")).await?
            } else {
                start::input("the key", MAX_KEY)?
            };
            engine.set_key(&provider, secret.trim().to_owned().into()).await?;
            let statuses = engine.key_statuses(vec![provider]).await?;
            print_line(&statuses.iter().map(line).collect::<Vec<_>>().join("\n"))?;
        }
        KeyCommand::List { json } => {
            let statuses = engine.key_statuses(wanting(&engine.settings())).await?;
            if json {
                print_json(&statuses)?;
            } else if statuses.is_empty() {
                print_line("No provider of the settings needs a key.")?;
            } else {
                print_line(&statuses.iter().map(line).collect::<Vec<_>>().join("\n"))?;
            }
        }
        KeyCommand::Remove { provider } => {
            known(&engine.settings(), &provider)?;
            if engine.keys_are_locked() {
                start::unlock(&engine).await?;
            }
            engine.remove_key(&provider).await.context("the key could not be removed")?;
            let statuses = engine.key_statuses(vec![provider]).await?;
            print_line(&statuses.iter().map(line).collect::<Vec<_>>().join("\n"))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// The providers of the settings that want a key or may have one.
pub fn wanting(settings: &Settings) -> Vec<String> {
    let chains = [&settings.llm_backends, &settings.search_backends, &settings.fetch_backends];
    let names = settings.providers.keys().chain(chains.into_iter().flatten());
    let mut out: Vec<String> = Vec::new();
    for name in names {
        let wants =
            settings.provider(name).is_some_and(|provider| provider.api_key_env.is_some() || provider.kind.default_key_env().is_some());
        if wants && !out.contains(name) {
            out.push(name.clone());
        }
    }
    out
}

fn known(settings: &Settings, provider: &str) -> Result<()> {
    if settings.provider(provider).is_some() {
        return Ok(());
    }
    let all: Vec<&str> = settings.providers.keys().map(String::as_str).collect();
    let there = if all.is_empty() { "there is none of your own yet".to_owned() } else { format!("there are {}", all.join(", ")) };
    Err(Usage(format!("provider: {provider:?} is not in the settings; {there}, and those with a name Nexi knows, such as brave")).into())
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

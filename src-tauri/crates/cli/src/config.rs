//! `nexi config`: settings, shown and changed.

mod explain;

use std::process::Command;

use anyhow::Result;
use nexi_engine::core::settings::{Settings, nearest};
use nexi_engine::settings_file::{Change, SettingsError, told};
use nexi_engine::{Engine, EngineError};
use nexi_messages::say;
use serde_json::Value;

use crate::args::{Common, Config, ConfigCommand, Usage};
use crate::output::{note, print_json, print_line};
use crate::{exit, start};

/// Bytes of a settings file that is taken over.
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// Carries `nexi config` out.
pub async fn run(config: Config, common: Common) -> Result<u8> {
    match config.command {
        ConfigCommand::Path => {
            let settings = nexi_engine::paths(start::places(&common))?.settings;
            print_line(&settings.display().to_string())?;
        }
        ConfigCommand::Edit => return edit(&common),
        ConfigCommand::Get { field, json } => get(&start::open(&common).await?.settings(), field.as_deref(), json)?,
        ConfigCommand::Set { field, value } => {
            let engine = start::open(&common).await?;
            let value = value_of(&field, value)?;
            let changed = change(&engine, &field, value.clone())?;
            // Of an entry that another mistake leaves without effect, what was written is all there is to show.
            get(&changed, Some(&field), false).or_else(|_| print_json(&value))?;
            unasked(&changed, &field);
        }
        ConfigCommand::Unset { field } => {
            let engine = start::open(&common).await?;
            remove(&engine, &field)?;
        }
        ConfigCommand::Explain { field, json } => explain::explain(&start::open(&common).await?.settings(), field.as_deref(), json)?,
        ConfigCommand::Import { file } => {
            let text = start::file(&file, MAX_FILE)?;
            let engine = start::open_with_keys(&common).await?;
            let fields = engine.import_settings(&text).await?;
            print_line(&say!("nexi-config-imported", count = fields.len(), fields = fields.join(", ")))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// The names in a field such as `providers.work.model`.
fn path(field: &str) -> Result<Vec<String>> {
    let wrong = || Usage(say!("nexi-config-no-name", field = field)).into();
    nexi_engine::settings_file::path_of(field).ok_or_else(wrong)
}

/// What a person typed: JSON where it is some, else a word.
fn value_of(field: &str, typed: String) -> Result<Value> {
    match serde_json::from_str(&typed) {
        Ok(Value::Null) => Err(Usage(say!("nexi-config-to-reset", field = field)).into()),
        Ok(value) => Ok(value),
        Err(error) if typed.trim_start().starts_with(['[', '{', '"']) => {
            Err(Usage(say!("nexi-config-not-json", field = field, why = error.to_string())).into())
        }
        Err(_) => Ok(Value::String(typed)),
    }
}

pub fn change(engine: &Engine, field: &str, value: Value) -> Result<Settings> {
    let names = path(field)?;
    // A name that no setting has would be written and have no effect.
    let known = serde_json::to_value(Settings::default())?;
    if let Some(map) = known.as_object().filter(|map| !map.contains_key(&names[0])) {
        let all: Vec<&str> = map.keys().map(String::as_str).collect();
        // People know a setting by its own name, and not by the table that it is in.
        let within = map.iter().find(|(_, table)| names.len() == 1 && table.as_object().is_some_and(|table| table.contains_key(&names[0])));
        return Err(Usage(match (within, nearest(&names[0], all.iter().copied())) {
            (Some((table, _)), _) => {
                say!("nexi-config-unknown.meant", field = field, meant = format!("{table}.{}", names[0]))
            }
            (None, Some(meant)) => say!("nexi-config-unknown.meant", field = field, meant = meant),
            (None, None) => say!("nexi-config-unknown.known", field = field, known = all.join(", ")),
        })
        .into());
    }
    Ok(match engine.change_settings(&[Change { path: names, value }]) {
        // What was typed is wrong, and not the file.
        Err(EngineError::Settings(SettingsError::Invalid { problems, .. })) => {
            let all: Vec<String> = problems.iter().map(told::problem).collect();
            return Err(Usage(say!("nexi-config-unchanged", problems = all.join("; "))).into());
        }
        changed => changed?,
    })
}

/// Takes a setting out of the file; also one that nothing is known by.
fn remove(engine: &Engine, field: &str) -> Result<()> {
    let known = serde_json::to_value(Settings::default())?;
    let names = path(field)?;
    if known.get(&names[0]).is_some() {
        change(engine, field, Value::Null)?;
    } else if engine.warnings().iter().any(|problem| problem.field == names.join(".")) {
        engine.change_settings(&[Change { path: names, value: Value::Null }])?;
    } else {
        return Err(Usage(say!("nexi-config-unknown.not_there", field = field)).into());
    }
    Ok(())
}

fn get(settings: &Settings, field: Option<&str>, as_json: bool) -> Result<()> {
    let all = serde_json::to_value(settings)?;
    let Some(field) = field else { return print_json(&all) };
    let mut value = &all;
    for name in path(field)? {
        let inner = match value {
            Value::Array(list) => name.parse::<usize>().ok().and_then(|index| list.get(index)),
            other => other.get(&name),
        };
        value = inner.ok_or_else(|| Usage(say!("nexi-config-unknown.listed", field = field)))?;
    }
    match value {
        Value::String(text) if !as_json => print_line(text),
        other => print_json(other),
    }
}

/// Says that a provider which was just connected is not asked, and how it is.
fn unasked(settings: &Settings, field: &str) {
    let name = path(field).ok().and_then(|names| (names.first()? == "providers").then(|| names.get(1).cloned()).flatten());
    if let Some(advice) = name.and_then(|name| advice_if_unasked(settings, &name)) {
        note(&advice);
    }
}

/// What to do about a provider that is connected and that nothing is put to; none where it is asked.
pub fn advice_if_unasked(settings: &Settings, name: &str) -> Option<String> {
    let provider = settings.provider(name)?;
    let is_asked =
        [&settings.llm_backends, &settings.search_backends, &settings.fetch_backends].into_iter().flatten().any(|known| known == name);
    if is_asked || settings.side_model.as_deref() == Some(name) || settings.deep.tools.iter().any(|tool| tool == name) {
        return None;
    }
    if provider.kind.answers() {
        return Some(say!("nexi-config-model-unused", name = name));
    }
    let chain: Vec<&str> = settings.search_backends.iter().map(String::as_str).chain([name]).collect();
    let chain = serde_json::to_string(&chain).unwrap_or_default();
    let command = format!("nexi config set search_backends '{chain}'");
    Some(say!("nexi-config-search-unused", name = name, command = command))
}

/// Opens the file in an editor, and says what is wrong with it afterwards.
fn edit(common: &Common) -> Result<u8> {
    let paths = nexi_engine::paths(start::places(common))?;
    let file = &paths.settings;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| Usage(say!("nexi-terminal-cannot-be-made", path = folder.display().to_string(), why = error.to_string())))?;
    }
    let standard = if cfg!(windows) { "notepad" } else { "vi" };
    let wanted = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let editor = wanted("VISUAL").or_else(|| wanted("EDITOR")).unwrap_or_else(|| standard.into());
    // Editors are set with their options, such as `code --wait`.
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or(standard);
    let status = Command::new(program).args(words).arg(file).status();
    let status = status.map_err(|error| Usage(say!("nexi-config-editor-not-started", program = program, why = error.to_string())))?;
    if !status.success() {
        return Err(Usage(say!("nexi-config-editor-failed", program = program)).into());
    }
    let (loaded, _) = nexi_engine::settings_file::read_tolerantly(file, false).map_err(EngineError::from)?;
    for problem in loaded.unknown {
        start::warn(&told::problem(&problem));
    }
    nexi_engine::settings_file::read(file, false).map_err(EngineError::from)?;
    Ok(exit::ANSWERED)
}

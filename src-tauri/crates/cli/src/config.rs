//! `nexi config`: settings, shown and changed.

mod explain;

use std::process::Command;

use anyhow::Result;
use nexi_engine::core::settings::{Settings, nearest};
use nexi_engine::settings_file::{Change, SettingsError};
use nexi_engine::{Engine, EngineError};
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
            print_line(&format!("{} settings imported: {}", fields.len(), fields.join(", ")))?;
        }
    }
    Ok(exit::ANSWERED)
}

/// The names in a field such as `providers.work.model`.
fn path(field: &str) -> Result<Vec<String>> {
    let wrong = || Usage(format!("{field:?} is not a setting; use a form such as providers.work.model or models.\"gpt-4.1\".input")).into();
    nexi_engine::settings_file::path_of(field).ok_or_else(wrong)
}

/// What a person typed: JSON where it is some, else a word.
fn value_of(field: &str, typed: String) -> Result<Value> {
    match serde_json::from_str(&typed) {
        Ok(Value::Null) => Err(Usage(format!("{field}: to reset it to its default, run nexi config unset {field}")).into()),
        Ok(value) => Ok(value),
        Err(error) if typed.trim_start().starts_with(['[', '{', '"']) => {
            Err(Usage(format!("{field}: this is not valid JSON ({error})")).into())
        }
        Err(_) => Ok(Value::String(typed)),
    }
}

fn change(engine: &Engine, field: &str, value: Value) -> Result<Settings> {
    let names = path(field)?;
    // A name that no setting has would be written and have no effect.
    let known = serde_json::to_value(Settings::default())?;
    if let Some(map) = known.as_object().filter(|map| !map.contains_key(&names[0])) {
        let all: Vec<&str> = map.keys().map(String::as_str).collect();
        // People know a setting by its own name, and not by the table that it is in.
        let within = map.iter().find(|(_, table)| names.len() == 1 && table.as_object().is_some_and(|table| table.contains_key(&names[0])));
        let advice = match (within, nearest(&names[0], all.iter().copied())) {
            (Some((table, _)), _) => format!("did you mean {table}.{}?", names[0]),
            (None, Some(meant)) => format!("did you mean {meant}?"),
            (None, None) => format!("there are {}", all.join(", ")),
        };
        return Err(Usage(format!("{field}: there is no such setting; {advice}")).into());
    }
    Ok(match engine.change_settings(&[Change { path: names, value }]) {
        // What was typed is wrong, and not the file.
        Err(EngineError::Settings(SettingsError::Invalid { problems, .. })) => {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            return Err(Usage(format!("{}; nothing was changed", all.join("; "))).into());
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
        return Err(Usage(format!("{field}: there is no such setting, and the file has none")).into());
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
        value = inner.ok_or_else(|| Usage(format!("{field}: there is no such setting; nexi config get lists all")))?;
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
        return Some(format!("{name} is connected, but no question is put to it yet: nexi model use {name}"));
    }
    let chain: Vec<&str> = settings.search_backends.iter().map(String::as_str).chain([name]).collect();
    let chain = serde_json::to_string(&chain).unwrap_or_default();
    Some(format!("{name} is connected, but nothing is searched with it yet: nexi config set search_backends '{chain}'"))
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
    let (loaded, _) = nexi_engine::settings_file::read_tolerantly(file, false).map_err(EngineError::from)?;
    for problem in loaded.unknown {
        note(&format!("warning: {problem}"));
    }
    nexi_engine::settings_file::read(file, false).map_err(EngineError::from)?;
    Ok(exit::ANSWERED)
}

//! Values that shells complete: models, services, settings, earlier questions.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap_complete::CompleteEnv;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::Shells;
use nexi_engine::core::settings::{VENDORS, schema};
use nexi_engine::views::models;
use nexi_engine::{Engine, EngineOptions};
use nexi_messages::say;

use crate::described::about;
use crate::line::{one_line, short};

/// The variable by which a shell asks.
const ASKED_BY: &str = "COMPLETE";

/// Questions that are offered.
const OFFERED: u32 = 30;

/// Answers a shell and ends the program, where it was a shell that started it.
pub fn answer_shell(command: fn() -> clap::Command) {
    CompleteEnv::with_factory(command).var(ASKED_BY).bin("nexi").completer("nexi").complete();
}

/// The lines that make a shell ask.
///
/// # Errors
/// When the shell is not known.
pub fn registration(shell: &str) -> Result<String> {
    let shells = Shells::builtins();
    let shell = shells.completer(shell).with_context(|| say!("nexi-terminal-no-shell"))?;
    let mut text = Vec::new();
    shell.write_registration(ASKED_BY, "nexi", "nexi", "nexi", &mut text)?;
    Ok(String::from_utf8(text)?)
}

/// The places that the command line names, before it is understood.
pub fn options() -> EngineOptions {
    let words: Vec<OsString> = std::env::args_os().collect();
    let given = |option: &str| {
        let behind = words.iter().position(|word| word == option).and_then(|place| words.get(place + 1)).map(PathBuf::from);
        let within = |word: &OsString| Some(PathBuf::from(word.to_str()?.strip_prefix(option)?.strip_prefix('=')?));
        behind.or_else(|| words.iter().find_map(within))
    };
    EngineOptions { settings: given("--config"), data: given("--data-dir"), verbose: false }
}

/// The engine as it is, without a word about what is wrong with it.
fn engine() -> Option<Engine> {
    Engine::open(options()).ok()
}

/// Candidates that begin like what is typed.
fn completer(all: impl Fn() -> Vec<CompletionCandidate> + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let typed = typed.to_string_lossy();
        all().into_iter().filter(|candidate| candidate.get_value().to_string_lossy().starts_with(&*typed)).collect()
    })
}

fn named(value: impl Into<OsString>, about: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help(Some(one_line(about).into()))
}

/// Models that can be asked.
pub fn model() -> ArgValueCompleter {
    completer(|| {
        let Some(engine) = engine() else { return Vec::new() };
        models(&engine.settings()).into_iter().map(|model| named(model.name, &model.label)).collect()
    })
}

/// Words that an option takes.
pub fn words(all: &'static [&'static str]) -> ArgValueCompleter {
    completer(|| all.iter().map(CompletionCandidate::new).collect())
}

/// Backends that can be searched with.
pub fn search_backend() -> ArgValueCompleter {
    completer(|| {
        let Some(engine) = engine() else { return Vec::new() };
        engine.settings().search_backends.iter().map(CompletionCandidate::new).collect()
    })
}

/// Providers of the settings.
pub fn provider() -> ArgValueCompleter {
    completer(|| {
        let Some(engine) = engine() else { return Vec::new() };
        engine.settings().providers.iter().map(|(name, provider)| named(name, provider.address())).collect()
    })
}

/// Services that a model can be connected from.
pub fn service() -> ArgValueCompleter {
    completer(|| VENDORS.iter().map(|vendor| named(vendor.id, vendor.label)).collect())
}

/// Names of settings.
pub fn setting() -> ArgValueCompleter {
    completer(|| {
        let Some(settings) = engine().and_then(|engine| serde_json::to_value(engine.settings()).ok()) else { return Vec::new() };
        let mut out = Vec::new();
        fields(&[], &settings, &mut out);
        out.into_iter()
            .map(|path| named(path.join("."), &schema::at(&path).map(|setting| about(&setting).replace('`', "")).unwrap_or_default()))
            .collect()
    })
}

/// The fields of an object with what they do, those within it by their whole names.
fn fields(before: &[String], value: &serde_json::Value, out: &mut Vec<Vec<String>>) {
    let Some(object) = value.as_object() else { return };
    for (name, value) in object {
        let whole = [before, std::slice::from_ref(name)].concat();
        match value {
            serde_json::Value::Object(inner) if !inner.is_empty() => fields(&whole, value, out),
            _ => out.push(whole),
        }
    }
}

/// Ids of the newest questions.
pub fn turn() -> ArgValueCompleter {
    completer(|| {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return Vec::new() };
        let Some(engine) = engine() else { return Vec::new() };
        let turns = runtime.block_on(engine.turn_lines(OFFERED, 0)).unwrap_or_default();
        turns.iter().map(|turn| named(short(turn.id.as_str()), &turn.question)).collect()
    })
}

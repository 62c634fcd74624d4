//! Opening the engine, and what every command needs of it.

use std::io::{IsTerminal, Read};
use std::path::Path;

use anyhow::{Context, Result};
use nexi_engine::core::settings::Settings;
use nexi_engine::{Engine, EngineError, EngineOptions};

use crate::args::{Common, Usage};

/// How often a passphrase may be mistyped.
const TRIES: u32 = 3;

/// Where the engine is to find its files.
pub fn places(common: &Common) -> EngineOptions {
    EngineOptions { settings: common.config.clone(), data: common.data_dir.clone(), verbose: common.verbose }
}

/// Opens settings, history and index, and says what in the settings has no effect.
pub async fn open(common: &Common) -> Result<Engine> {
    let options = places(common);
    let engine = tokio::task::spawn_blocking(move || Engine::open(options)).await??;
    for problem in engine.warnings() {
        eprintln!("nexi: warning: {problem}");
    }
    Ok(engine)
}

/// The same, with the file of keys opened where there is one: its passphrase is asked for.
pub async fn open_with_keys(common: &Common) -> Result<Engine> {
    let engine = open(common).await?;
    if engine.keys_are_locked() && std::io::stdin().is_terminal() {
        unlock(&engine).await?;
    }
    Ok(engine)
}

/// Asks for the passphrase of the file with the keys and opens it; a new one where there is none yet.
pub async fn unlock(engine: &Engine) -> Result<()> {
    let exists = engine.paths().keys().exists();
    for _ in 0..TRIES {
        let question = if exists { "Passphrase of the file with the keys: " } else { "A passphrase for the new file with the keys: " };
        let passphrase = hidden(question).await?;
        if !exists && hidden("The same once more: ").await? != passphrase {
            eprintln!("nexi: these are not the same");
            continue;
        }
        match engine.unlock_keys(passphrase.into()).await {
            Ok(()) => return Ok(()),
            Err(EngineError::Keys(error)) => eprintln!("nexi: {error}"),
            Err(error) => return Err(error.into()),
        }
    }
    Err(Usage("the file with the keys was not opened".into()).into())
}

/// Something that is typed and not shown.
pub async fn hidden(question: &str) -> Result<String> {
    let question = question.to_owned();
    let typed = tokio::task::spawn_blocking(move || rpassword::prompt_password(question)).await?;
    typed.context("nothing could be read from the terminal")
}

/// Everything on standard input, as text.
pub fn input(what: &str, most: u64) -> Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().take(most + 1).read_to_end(&mut bytes).with_context(|| format!("{what} could not be read from standard input"))?;
    text(bytes, &format!("{what} on standard input"), most)
}

/// A file as text; `-` is standard input.
pub fn file(path: &Path, most: u64) -> Result<String> {
    if path == Path::new("-") {
        return input("the file", most);
    }
    let name = path.display().to_string();
    let open = std::fs::File::open(path).map_err(|error| Usage(format!("{name} cannot be read ({error})")))?;
    let mut bytes = Vec::new();
    open.take(most + 1).read_to_end(&mut bytes).map_err(|error| Usage(format!("{name} cannot be read ({error})")))?;
    text(bytes, &name, most)
}

fn text(bytes: Vec<u8>, what: &str, most: u64) -> Result<String> {
    if bytes.len() as u64 > most {
        return Err(Usage(format!("{what} is larger than {} KiB", most / 1024)).into());
    }
    String::from_utf8(bytes).map_err(|_| Usage(format!("{what} is not UTF-8 text")).into())
}

/// The provider that a person means: by its name, or by the name of its model.
///
/// # Errors
/// Names the models there are.
pub fn model_named(settings: &Settings, name: &str) -> Result<String> {
    let name = name.trim();
    if name == "builtin" || settings.provider(name).is_some_and(|provider| provider.kind.answers()) {
        return Ok(name.to_owned());
    }
    let mut models: Vec<(&String, &str)> = settings
        .providers
        .iter()
        .filter(|(_, provider)| provider.kind.answers())
        .map(|(provider, facts)| (provider, facts.model.as_deref().unwrap_or_default()))
        .collect();
    // Where two providers have it, the one that is asked first.
    models.sort_by_key(|(provider, _)| settings.llm_backends.iter().position(|known| known == *provider).unwrap_or(usize::MAX));
    if let Some((provider, _)) = models.iter().find(|(_, model)| *model == name) {
        return Ok((*provider).clone());
    }
    let known: Vec<String> = models.iter().map(|(provider, model)| format!("{provider} ({model})")).chain(["builtin".into()]).collect();
    Err(Usage(format!("model: {name:?} is not in the settings; there are {}", known.join(", "))).into())
}

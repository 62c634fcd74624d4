//! Opening the engine, and what every command needs of it.

use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, Result};
use nexi_engine::core::protocol::DeliveryOutcome;
use nexi_engine::core::settings::Settings;
use nexi_engine::settings_file::told;
use nexi_engine::{Engine, EngineError, EngineOptions, Upkeep, keys};
use nexi_messages::say;

use crate::args::{Common, Stopped, Usage};
use crate::output::{not_delivered, note, tell};
use crate::typed;

/// How often a passphrase may be mistyped.
const TRIES: u32 = 3;

/// Where the engine is to find its files.
pub fn places(common: &Common) -> EngineOptions {
    EngineOptions { settings: common.config.clone(), data: common.data_dir.clone(), verbose: common.verbose }
}

/// The same places for another program of ours, wherever that is started.
pub fn same_places(common: &Common) -> Vec<OsString> {
    let named = [("--config", &common.config), ("--data-dir", &common.data_dir)];
    let given = named.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    given.flat_map(|(name, value)| [name.into(), std::path::absolute(value).unwrap_or_else(|_| value.clone()).into_os_string()]).collect()
}

/// Opens settings, history and index, and says what in the settings has no effect.
pub async fn open(common: &Common) -> Result<Engine> {
    let options = places(common);
    let engine = tokio::task::spawn_blocking(move || Engine::open(options)).await??;
    let file = common.config.as_ref().map(|file| format!(" --config {}", file.display())).unwrap_or_default();
    let edit = format!("nexi config edit{file}");
    for problem in engine.mistakes() {
        warn(&say!("nexi-terminal-correct-settings", problem = told::problem(&problem), command = &edit));
    }
    for problem in engine.warnings() {
        warn(&told::problem(&problem));
    }
    let _ = OPENED.set(engine.clone());
    Ok(engine)
}

/// The upkeep of the library that this program has begun.
static UPKEEP: OnceLock<Upkeep> = OnceLock::new();
/// How long a copy of the library is waited for in silence, and in all.
const SOON: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(120);
/// How long the team library is waited for.
const TEAM: Duration = Duration::from_secs(5);

/// The engine of any command.
static OPENED: OnceLock<Engine> = OnceLock::new();

/// The engine of a command that asks questions.
static ASKING: OnceLock<Engine> = OnceLock::new();

/// Tells the team library what is shared, and calls the hooks that are due; how long that takes depends on the other side.
pub async fn finish_hooks() {
    // What cannot be told now waits.
    if let Some(engine) = OPENED.get() {
        let _ = tokio::time::timeout(TEAM, engine.send_outbox()).await;
    }
    let Some(engine) = ASKING.get() else { return };
    if !engine.has_deliveries().await {
        return;
    }
    // An address that does not respond must not hold up the command for longer than one delivery can take.
    let time_limit = Some(engine.longest_delivery());
    let mut work = std::pin::pin!(engine.deliver_due(time_limit, |hook, outcome| {
        if *outcome != DeliveryOutcome::Delivered {
            note(&say!("nexi-terminal-hook", name = hook, what = not_delivered(outcome)));
        }
    }));
    if let Ok(done) = tokio::time::timeout(SOON, &mut work).await {
        if let Err(error) = done {
            warn(&say!("nexi-terminal-hooks-failed", why = error.to_string()));
        }
        return;
    }
    let Ok(mut interrupts) = Interrupts::new() else { return };
    note(&say!("nexi-terminal-calling-hooks"));
    tokio::select! {
        done = work => if let Err(error) = done {
            warn(&say!("nexi-terminal-hooks-failed", why = error.to_string()));
        },
        () = interrupts.next() => {}
    }
}

/// Waits for a copy of the library that is under way: once a day, and said where it takes longer.
pub async fn finish_upkeep() {
    let Some(upkeep) = UPKEEP.get() else { return };
    let finished = |most| {
        let upkeep = upkeep.clone();
        async move { tokio::task::spawn_blocking(move || upkeep.finish(most)).await.unwrap_or(true) }
    };
    if finished(SOON).await {
        return;
    }
    let Ok(mut interrupts) = Interrupts::new() else { return };
    note(&say!("nexi-terminal-backing-up"));
    tokio::select! {
        _ = finished(LONG) => {}
        () = interrupts.next() => {}
    }
}

/// Closes the library, where the command opened it.
pub async fn close() {
    if let Some(engine) = OPENED.get() {
        engine.close().await;
    }
}

/// The same, with the file of keys opened where there is one: its passphrase is asked for.
pub async fn open_with_keys(common: &Common) -> Result<Engine> {
    let engine = open(common).await?;
    UPKEEP.get_or_init(|| engine.keep_backups());
    let _ = ASKING.set(engine.clone());
    if let Err(error) = unlock_if_possible(&engine).await {
        // Who stops at the question means the command.
        if error.is::<Stopped>() {
            return Err(error);
        }
        warn(&error.to_string());
    }
    if engine.keys_are_locked() {
        warn(&say!("nexi-terminal-keys-locked"));
    }
    Ok(engine)
}

/// Opens the file with the keys if it is locked and its passphrase stands in a file, or somebody is there to type it.
pub async fn unlock_if_possible(engine: &Engine) -> Result<()> {
    engine.unlock_keys_from_file().await?;
    if engine.keys_are_locked() && std::io::stdin().is_terminal() { unlock(engine).await } else { Ok(()) }
}

/// Asks for the passphrase of the key file and opens it; a new one where there is none yet.
pub async fn unlock(engine: &Engine) -> Result<()> {
    let exists = engine.paths().keys().exists();
    if let Some(passphrase) = keys::passphrase_from_file().map_err(EngineError::from)? {
        return Ok(engine.unlock_keys(passphrase).await?);
    }
    for _ in 0..TRIES {
        let question = if exists { say!("nexi-terminal-passphrase") } else { say!("nexi-terminal-new-passphrase") };
        let passphrase = hidden(&question).await?;
        if !exists && hidden(&say!("nexi-terminal-once-more")).await? != passphrase {
            note(&say!("nexi-terminal-not-the-same"));
            continue;
        }
        match engine.unlock_keys(passphrase.into()).await {
            Ok(()) => return Ok(()),
            Err(EngineError::Keys(error)) => note(&error.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    Err(Usage(say!("nexi-terminal-not-opened")).into())
}

/// Something that is typed and not shown.
pub async fn hidden(question: &str) -> Result<String> {
    let what = question.trim_end_matches([' ', ':']).to_owned();
    let question = format!("{question} ");
    let mut interrupts = Interrupts::new()?;
    #[cfg(unix)]
    let before = rustix::termios::tcgetattr(std::io::stdin());
    let typing = tokio::task::spawn_blocking(move || rpassword::prompt_password(question));
    tokio::select! {
        typed = typing => match typed? {
            // Ctrl+C comes as a letter while nothing is shown, and as a signal just before.
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Err(Stopped.into()),
            typed => typed.with_context(|| say!("nexi-terminal-needs-terminal", what = what)),
        },
        () = interrupts.next() => {
            // Nobody else gives the terminal its echo back.
            #[cfg(unix)]
            if let Ok(before) = before {
                let _ = rustix::termios::tcsetattr(std::io::stdin(), rustix::termios::OptionalActions::Now, &before);
            }
            tell("\n");
            Err(Stopped.into())
        }
    }
}

/// A line that is typed after a question.
///
/// # Errors
/// [`Stopped`] at Ctrl+C and at the end of the input.
pub async fn line(question: &str) -> Result<String> {
    let mut interrupts = Interrupts::new()?;
    tell(&format!("{question} "));
    tokio::select! {
        typed = typed::line() => match typed? {
            Some(line) => Ok(line),
            None => {
                tell("\n");
                Err(Stopped.into())
            }
        },
        () = interrupts.next() => {
            tell("\n");
            Err(Stopped.into())
        }
    }
}

/// Asks a question on the terminal that is answered with yes or no; nothing at all is a no.
pub async fn agreed(question: &str) -> Result<bool> {
    loop {
        let typed = line(&say!("nexi-terminal-agree", question = question)).await?;
        if is_yes(&typed) {
            return Ok(true);
        }
        if typed.trim().is_empty() || is_no(&typed) {
            return Ok(false);
        }
        note(&say!("nexi-terminal-yes-or-no"));
    }
}

/// Whether what was typed is a yes: in the language of the program, or in English.
pub fn is_yes(typed: &str) -> bool {
    is_one_of(typed, ["y", "yes"], &say!("nexi-terminal-yes"))
}

/// Whether what was typed is a no: in the language of the program, or in English.
pub fn is_no(typed: &str) -> bool {
    is_one_of(typed, ["n", "no"], &say!("nexi-terminal-no"))
}

fn is_one_of(typed: &str, english: [&str; 2], others: &str) -> bool {
    let typed = typed.trim().to_lowercase();
    english.contains(&typed.as_str()) || others.split(' ').any(|word| word == typed)
}

/// A note about something that is not as it should be, and stops nothing.
pub fn warn(text: &str) {
    note(&say!("nexi-terminal-warning", text = text));
}

/// Every Ctrl+C from the moment this is made, also those pressed while nobody was waiting. Being
/// asked to end by another program means the same.
pub struct Interrupts {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
    #[cfg(windows)]
    signals: tokio::signal::windows::CtrlC,
}

impl Interrupts {
    pub fn new() -> Result<Self> {
        let failed = || say!("nexi-terminal-no-interrupts");
        #[cfg(unix)]
        let signals = {
            use tokio::signal::unix::{SignalKind, signal};
            [signal(SignalKind::interrupt()).with_context(failed)?, signal(SignalKind::terminate()).with_context(failed)?]
        };
        #[cfg(windows)]
        let signals = tokio::signal::windows::ctrl_c().with_context(failed)?;
        Ok(Self { signals })
    }

    /// The next one.
    pub async fn next(&mut self) {
        #[cfg(unix)]
        {
            let [interrupt, terminate] = &mut self.signals;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        #[cfg(windows)]
        self.signals.recv().await;
    }
}

/// Everything on standard input, as text.
pub fn input(what: &str, most: u64) -> Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().take(most + 1).read_to_end(&mut bytes).with_context(|| say!("nexi-terminal-no-input", what = what))?;
    text(bytes, &say!("nexi-terminal-on-input", what = what), most)
}

/// A file as text; `-` is standard input.
pub fn file(path: &Path, most: u64) -> Result<String> {
    if path == Path::new("-") {
        return input(&say!("nexi-terminal-the-file"), most);
    }
    let name = path.display().to_string();
    let open = std::fs::File::open(path).map_err(|error| Usage(say!("nexi-terminal-unreadable", what = &name, why = error.to_string())))?;
    let mut bytes = Vec::new();
    open.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Usage(say!("nexi-terminal-unreadable", what = &name, why = error.to_string())))?;
    text(bytes, &name, most)
}

fn text(bytes: Vec<u8>, what: &str, most: u64) -> Result<String> {
    if bytes.len() as u64 > most {
        return Err(Usage(say!("nexi-terminal-too-large", what = what, kib = most / 1024)).into());
    }
    String::from_utf8(bytes).map_err(|_| Usage(say!("nexi-terminal-not-utf8", what = what)).into())
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
    let first = models.first().filter(|_| !name.contains('/'));
    let known = known.join(", ");
    Err(Usage(match first {
        Some((provider, _)) => say!("nexi-terminal-unknown-model-of", name = name, known = known, provider = *provider),
        None => say!("nexi-terminal-unknown-model", name = name, known = known),
    })
    .into())
}

/// Where the lines of sessions are remembered.
pub fn remembered(engine: &Engine) -> PathBuf {
    engine.paths().data.join("session-history.txt")
}

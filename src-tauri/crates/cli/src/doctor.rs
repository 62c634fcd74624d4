//! `nexi doctor`: what works, what does not, and what to do about it.

use anyhow::Result;
use futures::StreamExt;
use nexi_engine::core::protocol::TeamSearch;
use nexi_engine::core::settings::{KeyPlace, ProviderKind, service_title};
use nexi_engine::searxng::detect_usual;
use nexi_engine::settings_file::told;
use nexi_engine::{Engine, EngineError, KeyOrigin, KeyringView, MeaningState, OcrState, StoreError, Verdict, Wanted, model_id, sentences};
use nexi_messages::say;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::args::{Common, Doctor};
use crate::line::one_line;
use crate::output::{TerminalStyle, of_this_library, print, print_json};
use crate::{desktop, docs, exit, key, restore, start};

/// Services that are asked at the same time.
const MOST_CHECKS: usize = 6;
/// A page for being tried, reserved for that.
const EXAMPLE: &str = "https://example.com/";

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Good,
    /// It can be lived with.
    Note,
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    #[serde(serialize_with = "code")]
    what: Subject,
    state: State,
    message: String,
    /// What to do, where there is something.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

/// What was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Settings,
    SettingsAndData,
    Keys,
    Keyring,
    Key,
    Database,
    Documents,
    Meaning,
    Scans,
    Searxng,
    Team,
    Search,
    Price,
    Network,
    Window,
    Hotkey,
    /// A provider, by its name in the settings.
    Service(String),
    Model(String),
    /// A reader, by its name in the settings.
    Reader(String),
}

impl Subject {
    /// As it stands in JSON.
    fn code(&self) -> String {
        match self {
            Self::SettingsAndData => "settings and data".into(),
            Self::Service(name) => name.clone(),
            Self::Model(name) => format!("model {name}"),
            Self::Reader(name) => format!("reader {name}"),
            plain => format!("{plain:?}").to_lowercase(),
        }
    }

    /// As a person reads it.
    fn label(&self) -> String {
        match self {
            Self::SettingsAndData => say!("nexi-doctor-what.settings_and_data"),
            Self::Service(name) => name.clone(),
            Self::Model(name) => say!("nexi-doctor-model", name = name),
            Self::Reader(name) => say!("nexi-doctor-reader", name = name),
            plain => say!(&format!("nexi-doctor-what.{}", plain.code())),
        }
    }
}

fn code<S: serde::Serializer>(what: &Subject, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&what.code())
}

fn finding(what: Subject, state: State, message: impl Into<String>, advice: impl Into<Option<String>>) -> Finding {
    Finding { what, state, message: message.into(), advice: advice.into() }
}

/// Documents that could not be read which are named.
const MOST_NAMED: usize = 20;

/// Looks at everything and prints what it found. Fails when something is wrong.
pub async fn run(doctor: Doctor, common: Common) -> Result<u8> {
    if doctor.repair {
        return restore::repair(&common).await;
    }
    let options = start::places(&common);
    let opened = tokio::task::spawn_blocking(move || Engine::open(options)).await?;
    // Advice is for the settings that were looked at.
    let options = common.config.as_ref().map(|file| format!("nexi --config {} ", file.display()));
    let mut out = Findings { looks: (!doctor.json).then(|| TerminalStyle::of(&common)), options, all: Vec::new() };
    match opened {
        Err(error) => {
            let advice = if error.is_usage() { say!("nexi-doctor-fix-settings") } else { say!("nexi-doctor-other-folder") };
            let message = error.to_string();
            // Every mistake of a settings file stands on a line of its own.
            let lines: Vec<&str> = message.lines().filter(|line| !line.trim().is_empty()).collect();
            for (index, line) in lines.iter().enumerate() {
                let advice = (index + 1 == lines.len()).then(|| advice.clone());
                out.push(finding(Subject::SettingsAndData, State::Bad, *line, advice))?;
            }
        }
        Ok(engine) => {
            if let Err(error) = start::unlock_if_possible(&engine).await {
                out.push(finding(Subject::Keys, State::Bad, error.to_string(), None))?;
            }
            let looked = look(&engine, doctor.offline, &mut out).await;
            engine.close().await;
            looked?;
        }
    }
    if doctor.json {
        print_json(&out.all)?;
    }
    let bad = out.all.iter().any(|finding| finding.state == State::Bad);
    Ok(if bad { exit::FAILED } else { exit::ANSWERED })
}

/// What was found so far; shown as it is found, where a person reads it.
struct Findings {
    looks: Option<TerminalStyle>,
    /// How a command begins that is for other settings than the usual ones.
    options: Option<String>,
    all: Vec<Finding>,
}

impl Findings {
    fn push(&mut self, mut finding: Finding) -> Result<()> {
        finding.message = of_this_library(&finding.message);
        if let Some(options) = &self.options {
            finding.advice = finding.advice.map(|advice| advice.replace("nexi config ", &format!("{options}config ")));
        }
        if let Some(looks) = self.looks {
            print(&text(&finding, looks))?;
        }
        self.all.push(finding);
        Ok(())
    }

    fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) -> Result<()> {
        findings.into_iter().try_for_each(|finding| self.push(finding))
    }
}

fn text(finding: &Finding, looks: TerminalStyle) -> String {
    let (mark, colour) = match finding.state {
        State::Good => (say!("nexi-doctor-state.good"), "\x1b[32m"),
        State::Note => (say!("nexi-doctor-state.note"), "\x1b[33m"),
        State::Bad => (say!("nexi-doctor-state.bad"), "\x1b[31m"),
    };
    let mark = format!("{mark:4}");
    let mark = if looks.colour { format!("{colour}{mark}\x1b[0m") } else { mark };
    // Messages of a service begin with its name already; the label here is the name that commands take.
    let message = one_line(&finding.message);
    let what = finding.what.label();
    let message = message.strip_prefix(&format!("{}: ", service_title(&what))).unwrap_or(&message);
    let advice = finding.advice.as_ref().map(|advice| format!("      {advice}\n")).unwrap_or_default();
    format!("{mark}  {what}: {message}\n{advice}")
}

async fn look(engine: &Engine, offline: bool, out: &mut Findings) -> Result<()> {
    let paths = engine.paths();
    let path = paths.settings.display().to_string();
    // A file with mistakes has lines of its own.
    out.extend(match paths.settings.exists() {
        true => engine.mistakes().is_empty().then(|| finding(Subject::Settings, State::Good, path, None)),
        false => Some(finding(Subject::Settings, State::Good, say!("nexi-doctor-no-settings", path = path), None)),
    })?;
    let edit = || Some(say!("nexi-doctor-edit"));
    out.extend(engine.mistakes().iter().map(|problem| {
        let message = say!("nexi-doctor-default-used", problem = told::problem(problem));
        finding(Subject::Settings, State::Bad, message, edit())
    }))?;
    out.extend(engine.warnings().iter().map(|problem| finding(Subject::Settings, State::Note, told::problem(problem), edit())))?;
    // Everything else is looked at even where the library cannot be read.
    let looked = match engine.damage().await? {
        Some(problem) => Err(EngineError::Store(StoreError::Corrupt(problem))),
        None => engine.threads(u32::MAX).await,
    };
    out.push(match looked {
        Ok(threads) => {
            let message = say!("nexi-doctor-threads", count = threads.len(), path = paths.database().display().to_string());
            finding(Subject::Database, State::Good, message, None)
        }
        Err(error) => finding(Subject::Database, State::Bad, error.to_string(), None),
    })?;
    out.push(documents(engine).await)?;
    out.extend(meaning(engine).await)?;
    out.extend(scans(engine).await)?;
    out.extend(keys(engine).await?)?;
    providers(engine, offline, out).await?;
    out.extend(team(engine, offline).await)?;
    if !offline {
        out.extend(searxng(engine).await)?;
    }
    out.push(hotkey())
}

/// The team library, where the settings name one.
async fn team(engine: &Engine, offline: bool) -> Option<Finding> {
    if !engine.has_team() {
        return None;
    }
    if !offline {
        let wanted = TeamSearch { limit: 1, ..TeamSearch::default() };
        if let Err(error) = engine.team_threads(&wanted).await {
            return Some(finding(Subject::Team, State::Bad, error.to_string(), None));
        }
    }
    let status = match engine.team_status().await {
        Ok(status) => status,
        Err(error) => return Some(finding(Subject::Team, State::Bad, error.to_string(), None)),
    };
    let message = say!("nexi-doctor-team", shared = status.shared, waiting = status.waiting);
    let state = if status.waiting > 0 { State::Note } else { State::Good };
    Some(finding(Subject::Team, state, message, (status.waiting > 0).then(|| say!("nexi-doctor-send"))))
}

/// A SearXNG on this computer that nobody uses.
async fn searxng(engine: &Engine) -> Option<Finding> {
    let settings = engine.settings();
    let uses = |name: &String| settings.provider(name).is_some_and(|provider| provider.kind == ProviderKind::Searxng);
    if settings.search_backends.iter().any(uses) {
        return None;
    }
    let found = detect_usual().await.into_iter().next()?;
    let command = "nexi config set providers.searx '{\"type\": \"searxng\", \"base_url\": \"…\"}'";
    let message = say!("nexi-doctor-searxng", address = found.address);
    Some(finding(Subject::Searxng, State::Note, message, say!("nexi-doctor-use-searxng", command = command)))
}

async fn documents(engine: &Engine) -> Finding {
    let folders = engine.settings().documents.folders.len();
    let looked = match engine.sync_documents(|_, _| {}).await {
        Ok(synced) => engine.folders().await.map(|status| (synced, status)),
        Err(error) => Err(error),
    };
    match looked {
        Ok((_, status)) if status.iter().any(|folder| !folder.exists) => {
            let gone: Vec<&str> = status.iter().filter(|folder| !folder.exists).map(|folder| folder.folder.as_str()).collect();
            let message = say!("nexi-doctor-folders-gone", folders = gone.join(", "));
            finding(Subject::Documents, State::Bad, message, say!("nexi-doctor-correct-folders"))
        }
        Ok((_, status)) if status.iter().any(|folder| !folder.skipped.is_empty() || !folder.partly.is_empty()) => {
            let skipped: Vec<_> = status.iter().flat_map(|folder| &folder.skipped).collect();
            let partly: Vec<_> = status.iter().flat_map(|folder| &folder.partly).collect();
            let named = skipped.iter().chain(&partly).take(MOST_NAMED);
            let named: String = named.map(|file| format!("\n  {}: {}", file.path, file.message)).collect();
            let advice = (skipped.len() + partly.len() > MOST_NAMED).then(|| say!("nexi-doctor-all-unread"));
            let unread = (!skipped.is_empty()).then(|| say!("nexi-doctor-unread", count = skipped.len()));
            let in_part = (!partly.is_empty()).then(|| say!("nexi-doctor-partly-read", count = partly.len()));
            let said: Vec<String> = unread.into_iter().chain(in_part).collect();
            finding(Subject::Documents, State::Note, format!("{}:{named}", said.join(", ")), advice)
        }
        Ok((synced, _)) => {
            let advice = (folders == 0).then(|| say!("nexi-doctor-add-folder"));
            let message = match folders {
                0 => say!("nexi-doctor-only-handbook"),
                _ => say!("nexi-doctor-indexed", files = synced.files, folders = folders),
            };
            finding(Subject::Documents, State::Good, message, advice)
        }
        Err(error) => finding(Subject::Documents, State::Bad, error.to_string(), say!("nexi-doctor-index-rebuilt")),
    }
}

/// Finding documents by meaning, where somebody wants it.
async fn meaning(engine: &Engine) -> Option<Finding> {
    let status = match engine.meaning().await {
        Ok(status) => status,
        Err(error) => return Some(finding(Subject::Meaning, State::Bad, error.to_string(), None)),
    };
    let state = match status.state {
        MeaningState::Off => return None,
        MeaningState::Failed { .. } => State::Bad,
        MeaningState::NotFetched | MeaningState::NotAllowed => State::Note,
        _ => State::Good,
    };
    Some(finding(Subject::Meaning, state, docs::meaning(&status), None))
}

/// Reading scanned pages, where somebody wants it or has some.
async fn scans(engine: &Engine) -> Option<Finding> {
    let status = match engine.ocr().await {
        Ok(status) => status,
        Err(error) => return Some(finding(Subject::Scans, State::Bad, error.to_string(), None)),
    };
    let state = match status.state {
        OcrState::NotInstalled { .. } | OcrState::NoLanguage { .. } | OcrState::Failed { .. } => State::Bad,
        OcrState::Off => State::Note,
        _ => State::Good,
    };
    Some(finding(Subject::Scans, state, docs::scans(&status)?, None))
}

async fn keys(engine: &Engine) -> Result<Vec<Finding>> {
    let view = engine.keys().await?;
    let mut out = vec![match view.place {
        KeyPlace::Keyring if view.keyring == KeyringView::Works => finding(Subject::Keyring, State::Good, view.message, None),
        KeyPlace::Keyring => finding(Subject::Keyring, State::Note, view.message, say!("nexi-doctor-without-keyring")),
        KeyPlace::File if view.file_exists && !view.file_open => {
            finding(Subject::Keys, State::Note, say!("nexi-doctor-locked"), say!("nexi-doctor-type-passphrase"))
        }
        KeyPlace::File if view.file_exists => finding(Subject::Keys, State::Good, say!("nexi-doctor-key-file"), None),
        KeyPlace::File => finding(Subject::Keys, State::Note, say!("nexi-doctor-no-key-file"), say!("nexi-doctor-make-key-file")),
        KeyPlace::Session => finding(Subject::Keys, State::Note, say!("nexi-doctor-keys-in-memory"), None),
    }];
    let statuses = engine.key_statuses(key::wanting(&engine.settings())).await?;
    for status in statuses {
        let state = if status.origin == KeyOrigin::None || status.trouble.is_some() { State::Note } else { State::Good };
        // Services of one's own seldom want a key.
        let own = engine.settings().provider(&status.provider).is_some_and(|provider| provider.base_url.is_some());
        if status.origin == KeyOrigin::None && status.variable.is_none() && own {
            continue;
        }
        out.push(finding(Subject::Key, state, key::line(&status), None));
    }
    Ok(out)
}

/// Whether every model and service of the chains works, asked live and at the same time.
async fn providers(engine: &Engine, offline: bool, out: &mut Findings) -> Result<()> {
    let settings = engine.settings();
    let mut names: Vec<&String> = Vec::new();
    for name in settings.llm_backends.iter().chain(&settings.side_model).chain(&settings.search_backends) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in settings.providers.keys() {
        if let Some(advice) = crate::config::advice_if_unasked(&settings, name) {
            out.push(finding(Subject::Service(name.clone()), State::Note, advice, None))?;
        }
    }
    let checks = names.iter().map(|name| {
        let provider = settings.provider(name).filter(|_| !offline);
        async move { Some(engine.check_provider(name, provider?, None).await) }
    });
    let mut checks = std::pin::pin!(futures::stream::iter(checks.collect::<Vec<_>>()).buffered(MOST_CHECKS));
    let (mut tried, mut reached, mut found) = (0_u32, 0_u32, 0_u32);
    for name in &names {
        let Some(check) = checks.next().await.flatten() else {
            let (state, message) = match settings.provider(name) {
                Some(_) => (State::Note, say!("nexi-doctor-not-asked")),
                None => (State::Good, say!("nexi-doctor-needs-nothing")),
            };
            out.push(finding(Subject::Service((*name).clone()), state, message, None))?;
            continue;
        };
        let (verdict, message) = match check {
            Ok(check) => (check.verdict, check.message),
            Err(error) => (Verdict::Other, error.to_string()),
        };
        tried += 1;
        reached += u32::from(verdict != Verdict::Offline);
        found += u32::from(verdict == Verdict::Works && settings.search_backends.contains(name));
        // A search that fails is followed by the next one, and side tasks fall to the model itself;
        // an answer needs its model.
        let state = match verdict {
            Verdict::Works => State::Good,
            _ if settings.llm_backends.contains(name) => State::Bad,
            _ => State::Note,
        };
        // The address of a service that is not in the settings cannot be wrong there; the finding about the network says the rest.
        let is_away = verdict == Verdict::Offline && !settings.providers.contains_key(*name);
        let advice = if is_away { None } else { advice(engine, verdict, settings.key_name(name)).await };
        out.push(Finding { advice, ..finding(Subject::Service((*name).clone()), state, message, None) })?;
    }
    if offline {
        return Ok(());
    }
    let searched = settings.search_backends.iter().filter(|name| settings.provider(name).is_some()).count();
    if searched > 0 && found == 0 {
        let advice = settings.search_backends.iter().any(|name| settings.providers.contains_key(name)).then(|| {
            let command = "nexi config set search_backends '[\"documents\", \"wikipedia\", \"duckduckgo\"]'";
            say!("nexi-doctor-other-searches", command = command)
        });
        out.push(finding(Subject::Search, State::Bad, say!("nexi-doctor-no-search"), advice))?;
    }
    out.extend(price(engine).await)?;
    out.extend(engine.learned().into_iter().map(|lesson| {
        let message = say!("nexi-doctor-learned", quirk = sentences::quirk(lesson.quirk), address = lesson.address, said = lesson.said);
        finding(Subject::Model(lesson.model), State::Note, message, say!("nexi-doctor-how-learned"))
    }))?;
    for name in settings.fetch_backends.iter().filter(|name| *name != "builtin") {
        out.push(reader(engine, name).await)?;
    }
    if tried > 0 {
        out.push(match reached {
            0 => finding(Subject::Network, State::Bad, say!("nexi-doctor-nothing-reached"), say!("nexi-doctor-check-network")),
            _ => finding(Subject::Network, State::Good, say!("nexi-doctor-reached", reached = reached, all = tried), None),
        })?;
    }
    Ok(())
}

/// What to do about a provider that does not work.
async fn advice(engine: &Engine, verdict: Verdict, name: &str) -> Option<String> {
    Some(match verdict {
        Verdict::Works => return None,
        Verdict::Refused => {
            let status = engine.key_statuses(vec![name.to_owned()]).await.ok().and_then(|statuses| statuses.into_iter().next());
            match status.map(|status| (status.origin, status.variable)) {
                // What is stored is not looked at while the variable is set.
                Some((KeyOrigin::Variable, Some(variable))) => {
                    say!("nexi-doctor-advice.variable_or_key", variable = variable, name = name)
                }
                Some((KeyOrigin::None, Some(variable))) => {
                    say!("nexi-doctor-advice.key_or_variable", variable = variable, name = name)
                }
                Some((KeyOrigin::None, None)) => say!("nexi-doctor-advice.key", name = name),
                _ => say!("nexi-doctor-advice.key_again", name = name),
            }
        }
        Verdict::NoBalance => say!("nexi-doctor-advice.no_balance"),
        Verdict::Offline => say!("nexi-doctor-advice.offline", name = name),
        Verdict::Slow => say!("nexi-doctor-advice.slow"),
        Verdict::Limited => say!("nexi-doctor-advice.limited"),
        Verdict::UnknownModel => say!("nexi-doctor-advice.unknown_model", name = name),
        Verdict::WrongAddress => say!("nexi-doctor-advice.wrong_address", name = name),
        Verdict::Other => say!("nexi-doctor-advice.other", name = name),
    })
}

/// A limit in dollars that keeps every question from being asked, because a model has no price.
async fn price(engine: &Engine) -> Option<Finding> {
    let model = engine.unpriced().await.ok()??;
    let command = format!("nexi config set 'models.\"{}\"' '{{\"input\": 1, \"output\": 4}}'", model_id(&model));
    let message = say!("nexi-doctor-unpriced", model = model);
    Some(finding(Subject::Price, State::Bad, message, say!("nexi-doctor-give-price", command = command)))
}

/// Whether a reader reads a page that is made for being tried.
async fn reader(engine: &Engine, name: &str) -> Finding {
    let what = Subject::Reader(name.to_owned());
    let read = engine.read(&[EXAMPLE.to_owned()], &Wanted::Beginning, Some(name), &[], &CancellationToken::new()).await;
    let failed = match read {
        Ok(pages) => pages.into_iter().find_map(|fetched| fetched.page.err()).map(|failure| sentences::failure(&failure)),
        Err(error) => Some(error.to_string()),
    };
    match failed {
        None => finding(what, State::Good, say!("nexi-doctor-read", address = EXAMPLE), None),
        Some(message) => finding(what, State::Note, message, say!("nexi-doctor-next-reader")),
    }
}

/// Whether the popup can have a key here, as far as a terminal can tell.
fn hotkey() -> Finding {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if desktop::program().is_none() {
        return finding(Subject::Window, State::Note, say!("nexi-doctor-no-window"), say!("nexi-doctor-install-window"));
    }
    match () {
        () if !cfg!(target_os = "linux") => finding(Subject::Hotkey, State::Good, say!("nexi-doctor-system-hotkey"), None),
        () if set("WAYLAND_DISPLAY") => {
            finding(Subject::Hotkey, State::Note, say!("nexi-doctor-wayland-hotkey"), say!("nexi-doctor-bind-key"))
        }
        () if set("DISPLAY") => finding(Subject::Hotkey, State::Good, say!("nexi-doctor-x11-hotkey"), None),
        () => finding(Subject::Hotkey, State::Note, say!("nexi-doctor-no-display"), None),
    }
}

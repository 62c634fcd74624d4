//! `nexi doctor`: what works, what does not, and what to do about it.

use anyhow::Result;
use futures::StreamExt;
use nexi_engine::core::settings::{KeyPlace, ProviderKind};
use nexi_engine::core::text::count;
use nexi_engine::searxng::detect_usual;
use nexi_engine::{Engine, KeyOrigin, KeyringView, MeaningState, OcrState, Verdict, Wanted, model_id};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::args::{Common, Doctor};
use crate::line::one_line;
use crate::output::{Looks, print, print_json};
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
    what: String,
    state: State,
    message: String,
    /// What to do, where there is something.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

fn finding(what: &str, state: State, message: impl Into<String>, advice: impl Into<Option<&'static str>>) -> Finding {
    Finding { what: what.to_owned(), state, message: message.into(), advice: advice.into().map(str::to_owned) }
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
    let mut out = Findings { looks: (!doctor.json).then(|| Looks::of(&common)), options, all: Vec::new() };
    match opened {
        Err(error) => {
            let advice = if error.is_usage() {
                "Fix the settings file: nexi config edit"
            } else {
                "Choose another folder with --data-dir, or see the message"
            };
            let message = error.to_string();
            // Every mistake of a settings file stands on a line of its own.
            let lines: Vec<&str> = message.lines().filter(|line| !line.trim().is_empty()).collect();
            for (index, line) in lines.iter().enumerate() {
                out.push(finding("settings and data", State::Bad, *line, (index + 1 == lines.len()).then_some(advice)))?;
            }
        }
        Ok(engine) => {
            if let Err(error) = start::unlock_if_possible(&engine).await {
                out.push(finding("keys", State::Bad, error.to_string(), None))?;
            }
            look(&engine, doctor.offline, &mut out).await?;
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
    looks: Option<Looks>,
    /// How a command begins that is for other settings than the usual ones.
    options: Option<String>,
    all: Vec<Finding>,
}

impl Findings {
    fn push(&mut self, mut finding: Finding) -> Result<()> {
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

fn text(finding: &Finding, looks: Looks) -> String {
    let (mark, colour) = match finding.state {
        State::Good => ("ok  ", "\x1b[32m"),
        State::Note => ("note", "\x1b[33m"),
        State::Bad => ("bad ", "\x1b[31m"),
    };
    let mark = if looks.colour { format!("{colour}{mark}\x1b[0m") } else { mark.to_owned() };
    // Messages of a service begin with its name already.
    let message = one_line(&finding.message);
    let message = message.strip_prefix(&format!("{}: ", finding.what)).unwrap_or(&message);
    let advice = finding.advice.as_ref().map(|advice| format!("      {advice}\n")).unwrap_or_default();
    format!("{mark}  {}: {message}\n{advice}", finding.what)
}

async fn look(engine: &Engine, offline: bool, out: &mut Findings) -> Result<()> {
    let paths = engine.paths();
    out.push(match paths.settings.exists() {
        true => finding("settings", State::Good, paths.settings.display().to_string(), None),
        false => finding("settings", State::Good, format!("no file yet, so all defaults apply ({})", paths.settings.display()), None),
    })?;
    let mistakes = engine.mistakes();
    out.extend(
        mistakes
            .iter()
            .map(|problem| finding("settings", State::Bad, format!("{problem}; the default is used"), "nexi config edit opens the file")),
    )?;
    out.extend(
        engine.warnings().iter().map(|problem| finding("settings", State::Note, problem.to_string(), "nexi config edit opens the file")),
    )?;
    let threads = count(engine.threads(u32::MAX).await?.len() as u64, "thread");
    // Opening has checked its pages already.
    out.push(finding("database", State::Good, format!("{threads} in {}", paths.database().display()), None))?;
    out.push(documents(engine).await)?;
    out.extend(meaning(engine).await)?;
    out.extend(scans(engine).await)?;
    out.extend(keys(engine).await?)?;
    providers(engine, offline, out).await?;
    if !offline {
        out.extend(searxng(engine).await)?;
    }
    out.push(hotkey())
}

/// A SearXNG on this computer that nobody uses.
async fn searxng(engine: &Engine) -> Option<Finding> {
    let settings = engine.settings();
    let uses = |name: &String| settings.provider(name).is_some_and(|provider| provider.kind == ProviderKind::Searxng);
    if settings.search_backends.iter().any(uses) {
        return None;
    }
    let found = detect_usual().await.into_iter().next()?;
    let advice = "nexi config set providers.searx '{type = \"searxng\", base_url = \"…\"}' and put searx into search_backends";
    Some(finding("searxng", State::Note, format!("one is running at {} and is not used", found.address), advice))
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
            let advice = "Correct documents.folders in the settings, or connect the drive";
            finding("documents", State::Bad, format!("{} cannot be opened", gone.join(", ")), advice)
        }
        Ok((_, status)) if status.iter().any(|folder| !folder.skipped.is_empty() || !folder.partly.is_empty()) => {
            let skipped: Vec<_> = status.iter().flat_map(|folder| &folder.skipped).collect();
            let partly: Vec<_> = status.iter().flat_map(|folder| &folder.partly).collect();
            let named = skipped.iter().chain(&partly).take(MOST_NAMED);
            let named: String = named.map(|file| format!("\n  {}: {}", file.path, file.message)).collect();
            let advice = (skipped.len() + partly.len() > MOST_NAMED).then_some("nexi docs status names all of them");
            let counts = [(skipped.len(), "could not be read"), (partly.len(), "read in part")];
            let said =
                counts.iter().filter(|(files, _)| *files > 0).map(|(files, what)| format!("{} {what}", count(*files as u64, "file")));
            finding("documents", State::Note, format!("{}:{named}", said.collect::<Vec<_>>().join(", ")), advice)
        }
        Ok((synced, _)) => {
            let advice = (folders == 0).then_some("Add a folder of your own: nexi docs add ~/Documents");
            finding(
                "documents",
                State::Good,
                match folders {
                    0 => "only the handbook is indexed; you have added no folders".to_owned(),
                    _ => format!("{} indexed, of {} and the handbook", count(synced.files as u64, "file"), count(folders as u64, "folder")),
                },
                advice,
            )
        }
        Err(error) => {
            finding("documents", State::Bad, error.to_string(), "The index can be deleted at any time; it is rebuilt automatically")
        }
    }
}

/// Finding documents by meaning, where somebody wants it.
async fn meaning(engine: &Engine) -> Option<Finding> {
    let status = match engine.meaning().await {
        Ok(status) => status,
        Err(error) => return Some(finding("meaning", State::Bad, error.to_string(), None)),
    };
    let state = match status.state {
        MeaningState::Off => return None,
        MeaningState::Failed { .. } => State::Bad,
        MeaningState::NotFetched | MeaningState::NotAllowed => State::Note,
        _ => State::Good,
    };
    Some(finding("meaning", state, docs::meaning(&status), None))
}

/// Reading scanned pages, where somebody wants it or has some.
async fn scans(engine: &Engine) -> Option<Finding> {
    let status = match engine.ocr().await {
        Ok(status) => status,
        Err(error) => return Some(finding("scans", State::Bad, error.to_string(), None)),
    };
    let state = match status.state {
        OcrState::NotInstalled { .. } | OcrState::NoLanguage { .. } | OcrState::Failed { .. } => State::Bad,
        OcrState::Off => State::Note,
        _ => State::Good,
    };
    Some(finding("scans", state, docs::scans(&status)?, None))
}

async fn keys(engine: &Engine) -> Result<Vec<Finding>> {
    let view = engine.keys().await?;
    let mut out = vec![match view.place {
        KeyPlace::Keyring if view.keyring == KeyringView::Works => finding("keyring", State::Good, view.message, None),
        KeyPlace::Keyring => {
            let advice = "Until then keys can come from environment variables, or from a file with a passphrase: nexi config set keys file";
            finding("keyring", State::Note, view.message, advice)
        }
        KeyPlace::File if view.file_exists && !view.file_open => {
            let advice = "Run nexi doctor on a terminal, where the passphrase can be typed";
            finding("keys", State::Note, "The key file is locked, so its keys could not be tested.", advice)
        }
        KeyPlace::File if view.file_exists => finding("keys", State::Good, "API keys are stored in a file with a passphrase.", None),
        KeyPlace::File => finding("keys", State::Note, "There is no key file yet.", "nexi key set PROVIDER makes it"),
        KeyPlace::Session => finding("keys", State::Note, "API keys are kept in memory only, until the window is closed.", None),
    }];
    let statuses = engine.key_statuses(key::wanting(&engine.settings())).await?;
    for status in statuses {
        let state = if status.origin == KeyOrigin::None || status.trouble.is_some() { State::Note } else { State::Good };
        // Services of one's own seldom want a key.
        let own = engine.settings().provider(&status.provider).is_some_and(|provider| provider.base_url.is_some());
        if status.origin == KeyOrigin::None && status.variable.is_none() && own {
            continue;
        }
        out.push(finding("key", state, key::line(&status), None));
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
            out.push(finding(name, State::Note, advice, None))?;
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
                Some(_) => (State::Note, "was not asked, because of --offline"),
                None => (State::Good, "works without key and network"),
            };
            out.push(finding(name, state, message, None))?;
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
        let advice = advice(engine, verdict, settings.key_name(name)).await;
        out.push(Finding { advice, ..finding(name, state, message, None) })?;
    }
    if offline {
        return Ok(());
    }
    let searched = settings.search_backends.iter().filter(|name| settings.provider(name).is_some()).count();
    if searched > 0 && found == 0 {
        let advice = "Fix one of them, or use services that need no key: nexi config set search_backends '[\"documents\", \"wikipedia\", \"duckduckgo\"]'";
        out.push(finding("search", State::Bad, "no search service works, so only documents can be searched", advice))?;
    }
    out.extend(price(engine).await)?;
    out.extend(engine.learned().into_iter().map(|lesson| {
        let what = format!("model {}", lesson.model);
        let message = format!("{} ({}). It said: {}", lesson.quirk.describe(), lesson.address, lesson.said);
        finding(&what, State::Note, message, "Learned from the service's own reply; tried again after some days")
    }))?;
    for name in settings.fetch_backends.iter().filter(|name| *name != "builtin") {
        out.push(reader(engine, name).await)?;
    }
    if tried > 0 {
        out.push(match reached {
            0 => finding(
                "network",
                State::Bad,
                "no service could be reached",
                "Check your network and the proxy in the settings; documents can still be asked",
            ),
            _ => finding("network", State::Good, format!("{reached} of {} reached", count(u64::from(tried), "service")), None),
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
                    format!("Set {variable} to a valid key, or unset it and run nexi key set {name}")
                }
                Some((KeyOrigin::None, Some(variable))) => format!("Enter a key: nexi key set {name}; or set {variable}"),
                Some((KeyOrigin::None, None)) => format!("Enter a key: nexi key set {name}"),
                _ => format!("Enter its key again: nexi key set {name}"),
            }
        }
        Verdict::NoBalance => "Add credit at the service, or put another provider first".into(),
        Verdict::Offline => format!("Check your network, the proxy in the settings, and its address: nexi config get providers.{name}"),
        Verdict::Slow => "Wait until it is loaded and try again, or choose a smaller model".into(),
        Verdict::Limited => "Wait a while, or set requests_per_minute of this provider".into(),
        Verdict::UnknownModel => format!("Choose a model that it has: nexi config set providers.{name}.model MODEL"),
        Verdict::WrongAddress => format!("Correct its address: nexi config set providers.{name}.base_url ADDRESS"),
        Verdict::Other => format!("See the message and its settings: nexi config get providers.{name}"),
    })
}

/// A limit in dollars that keeps every question from being asked, because a model has no price.
async fn price(engine: &Engine) -> Option<Finding> {
    let model = engine.unpriced().await.ok()??;
    let message = format!("max_cost is set and the price of {model} is not known, so no question starts");
    let id = model_id(&model);
    let advice = format!(
        "Give its price (nexi config set 'models.\"{id}\"' '{{\"input\": 1, \"output\": 4}}', in dollars for a million tokens), \
         limit tokens instead (max_tokens), or unset max_cost; --any-cost lifts it for one question"
    );
    Some(Finding { advice: Some(advice), ..finding("price", State::Bad, message, None) })
}

/// Whether a reader reads a page that is made for being tried.
async fn reader(engine: &Engine, name: &str) -> Finding {
    let what = format!("reader {name}");
    let read = engine.read(&[EXAMPLE.to_owned()], &Wanted::Beginning, Some(name), &[], &CancellationToken::new()).await;
    let failed = match read {
        Ok(pages) => pages.into_iter().find_map(|fetched| fetched.page.err()).map(|failure| failure.message),
        Err(error) => Some(error.to_string()),
    };
    match failed {
        None => finding(&what, State::Good, format!("read {EXAMPLE}"), None),
        Some(message) => finding(&what, State::Note, message, "The next reader takes over; see its key and address in the settings"),
    }
}

/// Whether the popup can have a key here, as far as a terminal can tell.
fn hotkey() -> Finding {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if desktop::program().is_none() {
        return finding(
            "window",
            State::Note,
            "nexi-desktop is not beside nexi and not in PATH",
            "Install the desktop package to have the window and the popup",
        );
    }
    match () {
        () if !cfg!(target_os = "linux") => finding("hotkey", State::Good, "this system lets programs have one", None),
        () if set("WAYLAND_DISPLAY") => {
            let advice = "Where it cannot, bind nexi-desktop --popup to a key in the settings of your desktop";
            finding("hotkey", State::Note, "under Wayland the desktop decides; Settings, App in the window says whether it works", advice)
        }
        () if set("DISPLAY") => finding("hotkey", State::Good, "X11 lets programs have one", None),
        () => finding("hotkey", State::Note, "there is no display here", None),
    }
}

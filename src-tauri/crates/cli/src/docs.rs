//! `nexi docs`: what is indexed of the user's folders, and finding it by meaning.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use nexi_engine::core::pricing::dollars;
use nexi_engine::core::settings::Ocr;
use nexi_engine::core::text;
use nexi_engine::documents::{FileKind, FolderStatus, SkippedFile};
use nexi_engine::settings_file::Change;
use nexi_engine::{Engine, MeaningState, MeaningStatus, OcrState, OcrStatus, RemoteFolder, expand_home, is_same_folder};
use nexi_messages::say;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::args::{Common, Docs, DocsCommand, Stopped, Usage};
use crate::line::listed;
use crate::output::{print, print_json, print_line, tell};
use crate::{exit, start};

/// What there is to say where nothing is searched.
fn no_folders() -> String {
    format!("{}\n", say!("nexi-docs-no-folders"))
}

/// Between two states of a moving line.
const BETWEEN: Duration = Duration::from_millis(100);

fn megabytes(done: u64, all: u64) -> String {
    let rounded = |bytes: u64| (bytes + 500_000) / 1_000_000;
    say!("nexi-docs-megabytes-of", done = rounded(done), all = rounded(all))
}

/// What `nexi docs status --json` prints.
#[derive(Serialize)]
struct Status {
    folders: Vec<FolderStatus>,
    meaning: MeaningStatus,
    ocr: OcrStatus,
}

/// Carries out the command.
pub async fn run(docs: Docs, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match docs.command {
        DocsCommand::Add { folder } => add(&engine, &folder).await,
        DocsCommand::Remove { folder } => remove(&engine, &folder).await,
        DocsCommand::List { json } => list(&engine, json),
        DocsCommand::Status { json } => status(&engine, json).await,
        DocsCommand::Fetch { model } => fetch(&engine, &model).await,
        DocsCommand::Embed { yes } => embed(&engine, yes).await,
        DocsCommand::Ocr { languages } => read_scans(&engine, languages).await,
    }
}

/// Adds a folder, reads it, and tells what was found.
pub async fn add(engine: &Engine, folder: &Path) -> Result<u8> {
    let given = expand_home(&folder.to_string_lossy());
    let path = dunce::canonicalize(&given)
        .map_err(|error| Usage(say!("nexi-docs-unreadable", path = given.display().to_string(), why = error.to_string())))?;
    if !path.is_dir() {
        return Err(Usage(say!("nexi-docs-is-file", path = path.display().to_string(), given = given.display().to_string())).into());
    }
    // Nothing is wrong with the settings yet.
    if path.parent().is_none() {
        return Err(Usage(say!("arguments-folder.whole_disk", path = path.display().to_string())).into());
    }
    std::fs::read_dir(&path)
        .map_err(|error| Usage(say!("nexi-docs-unreadable", path = path.display().to_string(), why = text::innermost(&error))))?;
    if !engine.add_folder(&path)? {
        print_line(&say!("nexi-docs-searched-already", path = path.display().to_string()))?;
    }
    tell(&format!("{}\n", say!("nexi-docs-reading")));
    let all = engine.folders().await?;
    if let Some(status) = all.iter().find(|status| is_same_folder(&status.folder, &path)) {
        print(&format!("{}\n", described(status).trim_end()))?;
    }
    Ok(exit::ANSWERED)
}

async fn remove(engine: &Engine, folder: &Path) -> Result<u8> {
    let given = expand_home(&folder.to_string_lossy());
    // One that is gone can be named as it stands in the settings.
    let path = dunce::canonicalize(&given).or_else(|_| std::path::absolute(&given)).unwrap_or_else(|_| given.clone());
    if !engine.remove_folder(&path)? && !engine.remove_folder(folder)? {
        let folders = engine.settings().documents.folders;
        let path = given.display().to_string();
        return Err(Usage(match folders.is_empty() {
            true => say!("nexi-docs-unknown-none", path = path),
            false => say!("nexi-docs-unknown", path = path, folders = folders.join(", ")),
        })
        .into());
    }
    engine.forget_unnamed(true).await?;
    print_line(&say!("nexi-docs-removed", path = given.display().to_string()))?;
    Ok(exit::ANSWERED)
}

fn list(engine: &Engine, json: bool) -> Result<u8> {
    let folders = engine.settings().documents.folders.clone();
    if json {
        print_json(&folders)?;
    } else if folders.is_empty() {
        print(&no_folders())?;
    } else {
        print(&folders.iter().map(|folder| format!("{folder}\n")).collect::<String>())?;
    }
    Ok(exit::ANSWERED)
}

async fn status(engine: &Engine, json: bool) -> Result<u8> {
    let status = Status { folders: engine.folders().await?, meaning: engine.meaning().await?, ocr: engine.ocr().await? };
    let all_exist = status.folders.iter().all(|folder| folder.exists);
    if json {
        print_json(&status)?;
    } else if status.folders.is_empty() {
        print(&no_folders())?;
    } else {
        print(&status.folders.iter().map(described).collect::<Vec<_>>().join("\n"))?;
        print_line(&format!("\n{}", meaning(&status.meaning)))?;
        if let Some(scans) = scans(&status.ocr) {
            print_line(&scans)?;
        }
    }
    Ok(if all_exist { exit::ANSWERED } else { exit::FAILED })
}

/// How searching by meaning stands, in a sentence or two.
pub fn meaning(status: &MeaningStatus) -> String {
    let model = status.model.as_deref().unwrap_or_default();
    let far = say!("nexi-docs-passages-of", done = status.vectors, all = status.passages);
    let left_out = status.remote.iter().filter(|folder| !folder.allowed).count();
    let state = match &status.state {
        MeaningState::Off => return say!("nexi-docs-meaning.off"),
        MeaningState::NotFetched => return say!("nexi-docs-meaning.not_fetched", model = model),
        MeaningState::Fetching { done, total } => {
            return say!("nexi-docs-meaning.fetching", model = model, far = megabytes(*done, *total));
        }
        MeaningState::Failed { message } => return say!("nexi-docs-meaning.failed", model = model, why = message),
        MeaningState::NotAllowed => return say!("nexi-docs-meaning.not_allowed", model = model),
        MeaningState::Ready => say!("nexi-docs-meaning.ready", model = model, far = far),
        MeaningState::Incomplete => say!("nexi-docs-meaning.incomplete", model = model, far = far),
        MeaningState::Building { .. } => say!("nexi-docs-meaning.building", model = model, far = far),
        MeaningState::OnBattery => say!("nexi-docs-meaning.on_battery", model = model, far = far),
    };
    match left_out {
        0 => state,
        _ => format!("{state} {}", say!("nexi-docs-not-sent", count = left_out)),
    }
}

/// How the reading of scanned pages stands, in a sentence or two; none where there is nothing to read.
pub fn scans(status: &OcrStatus) -> Option<String> {
    let far = say!("nexi-docs-pages-of", done = status.read, all = status.pages);
    let waiting = status.pages - status.read;
    Some(match &status.state {
        OcrState::Off if status.pages == 0 => return None,
        OcrState::Off => say!("nexi-docs-scans.off", pages = status.pages),
        OcrState::Ready if status.pages == 0 => say!("nexi-docs-scans.none"),
        OcrState::Ready => say!("nexi-docs-scans.ready", far = far),
        OcrState::Incomplete => say!("nexi-docs-scans.incomplete", far = far),
        OcrState::Running => say!("nexi-docs-scans.running", far = far),
        OcrState::OnBattery => say!("nexi-docs-scans.on_battery", far = far),
        OcrState::NotInstalled { programs } => {
            say!("nexi-docs-scans.not_installed", pages = waiting, programs = listed(programs))
        }
        OcrState::NoLanguage { languages } => {
            say!("nexi-docs-scans.no_language", pages = waiting, languages = languages.join(", "), installed = status.installed.join(", "))
        }
        OcrState::Failed { message } => say!("nexi-docs-scans.failed", pages = waiting, why = message),
    })
}

async fn read_scans(engine: &Engine, languages: Vec<String>) -> Result<u8> {
    let known = engine.settings().ocr;
    let ocr = Ocr { enabled: true, languages: if languages.is_empty() { known.languages } else { languages }, ..known };
    engine.check_ocr(&ocr).await?;
    let change = |key: &str, value| Change { path: vec!["ocr".into(), key.into()], value };
    // Where another process reads, nothing is changed.
    engine.forget_unread_scans().await?;
    engine.change_settings(&[change("enabled", true.into()), change("languages", ocr.languages.into())])?;
    let line = Line::new();
    let progress = |done: usize, total: usize| line.show(&say!("nexi-docs-pages-of", done = done, all = total));
    let read = stoppable(async |cancel| Ok(engine.read_scans(progress, cancel).await?)).await?;
    line.end();
    // Another process may have turned it off meanwhile.
    engine.refresh_settings();
    let now = scans(&engine.ocr().await?).unwrap_or_default();
    let done = match read.failed {
        0 => say!("nexi-docs-recognised", count = read.pages),
        failed => say!("nexi-docs-recognised-but", count = read.pages, failed = failed),
    };
    print_line(&format!("{done} {now}"))?;
    Ok(exit::ANSWERED)
}

async fn fetch(engine: &Engine, model: &str) -> Result<u8> {
    let line = Line::new();
    let progress = |done: u64, total: u64| line.show(&megabytes(done, total));
    stoppable(async |cancel| Ok(engine.fetch_model(model, progress, cancel).await?)).await?;
    line.end();
    engine.change_settings(&[Change { path: vec!["embeddings".into(), "model".into()], value: model.into() }])?;
    print_line(&say!("nexi-docs-fetched", model = model))?;
    Ok(exit::ANSWERED)
}

async fn embed(engine: &Engine, yes: bool) -> Result<u8> {
    // The folders are counted first: what is asked about has a size.
    engine.sync_documents(|_, _| {}).await?;
    let status = engine.meaning().await?;
    let open: Vec<&RemoteFolder> = status.remote.iter().filter(|folder| !folder.allowed).collect();
    if !open.is_empty() {
        allow(engine, status.model.as_deref().unwrap_or_default(), &open, yes).await?;
    }
    let line = Line::new();
    let progress = |done: usize, total: usize| line.show(&say!("nexi-docs-passages-of", done = done, all = total));
    let built = stoppable(async |cancel| Ok(engine.build_vectors(progress, cancel).await?)).await?;
    line.end();
    print_line(&format!("{} {}", say!("nexi-docs-prepared", count = built.passages), meaning(&engine.meaning().await?)))?;
    Ok(exit::ANSWERED)
}

/// Asks for each folder whether its text may be sent to the service, and remembers it.
async fn allow(engine: &Engine, model: &str, open: &[&RemoteFolder], yes: bool) -> Result<()> {
    if !yes && !std::io::stdin().is_terminal() {
        let names: Vec<&str> = open.iter().map(|folder| folder.folder.as_str()).collect();
        return Err(Usage(say!("nexi-docs-allow-first", model = model, folders = names.join(", "))).into());
    }
    let mut allowed = engine.settings().embeddings.remote_folders;
    for folder in open {
        let cost = match folder.cost {
            Some(cost) => say!("nexi-docs-cost", cost = dollars((cost * 1e6) as u64)),
            None => say!("nexi-docs-cost-unknown"),
        };
        let size = say!("nexi-docs-size", passages = folder.passages, tokens = folder.tokens);
        let question = say!("nexi-docs-send", folder = &folder.folder, model = model, size = size, cost = cost);
        if yes || start::agreed(&question).await? {
            allowed.push(folder.folder.clone());
        }
    }
    engine.change_settings(&[Change { path: vec!["embeddings".into(), "remote_folders".into()], value: allowed.into() }])?;
    Ok(())
}

/// Does something that Ctrl+C ends.
async fn stoppable<T>(work: impl AsyncFnOnce(&CancellationToken) -> Result<T>) -> Result<T> {
    let cancel = CancellationToken::new();
    let mut interrupts = start::Interrupts::new()?;
    tokio::select! {
        done = work(&cancel) => done,
        () = interrupts.next() => {
            tell("\n");
            Err(Stopped.into())
        }
    }
}

/// A line on a terminal that is written again and again.
struct Line {
    shown: Mutex<Option<Instant>>,
    moves: bool,
}

impl Line {
    fn new() -> Self {
        Self { shown: Mutex::default(), moves: std::io::stderr().is_terminal() }
    }

    fn show(&self, text: &str) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if self.moves && shown.is_none_or(|at| at.elapsed() > BETWEEN) {
            tell(&format!("\r{text}    "));
            *shown = Some(Instant::now());
        }
    }

    fn end(&self) {
        if self.shown.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            tell("\r\x1b[K");
        }
    }
}

fn described(folder: &FolderStatus) -> String {
    if !folder.exists {
        return format!("{}\n  {}\n", folder.folder, say!("nexi-docs-gone"));
    }
    let indexed = say!("nexi-docs-indexed", files = folder.files, passages = folder.passages);
    let mut out = format!("{}\n  {indexed}\n", folder.folder);
    let mut list = |files: &[SkippedFile], said: String| {
        if !files.is_empty() {
            out.push_str(&format!("  {said}\n"));
            files.iter().for_each(|file| out.push_str(&format!("    {}: {}\n", file.path, file.message)));
        }
    };
    list(&folder.skipped, say!("nexi-docs-unread", count = folder.skipped.len()));
    list(&folder.partly, say!("nexi-docs-partly-read", count = folder.partly.len()));
    if !folder.other.is_empty() {
        let all: usize = folder.other.iter().map(|kind| kind.files).sum();
        let kinds: Vec<String> = folder.other.iter().map(of_kind).collect();
        out.push_str(&format!("  {}\n", say!("nexi-docs-other-kinds", count = all, kinds = kinds.join(", "))));
    }
    if let Some(left_out) = left_out(folder) {
        out.push_str(&format!("  {}\n", say!("nexi-docs-left-out", files = left_out)));
    }
    out
}

/// What is hidden or ignored; none where nothing is.
fn left_out(folder: &FolderStatus) -> Option<String> {
    let hidden = (folder.hidden > 0).then(|| say!("nexi-docs-hidden", count = folder.hidden));
    let ignored = (folder.ignored > 0).then(|| say!("nexi-docs-ignored", count = folder.ignored));
    let said: Vec<String> = hidden.into_iter().chain(ignored).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

fn of_kind(kind: &FileKind) -> String {
    let ending = if kind.ending.is_empty() { say!("nexi-docs-others") } else { format!(".{}", kind.ending) };
    format!("{ending} ({})", kind.files)
}

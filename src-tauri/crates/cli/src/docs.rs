//! `nexi docs`: what is indexed of the user's folders, and finding it by meaning.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use nexi_engine::core::pricing::dollars;
use nexi_engine::core::settings::Ocr;
use nexi_engine::core::text::count;
use nexi_engine::documents::{FileKind, FolderStatus, SkippedFile};
use nexi_engine::settings_file::Change;
use nexi_engine::{Engine, MeaningState, MeaningStatus, OcrState, OcrStatus, RemoteFolder, expand_home, is_same_folder};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::args::{Common, Docs, DocsCommand, Stopped, Usage};
use crate::output::{print, print_json, print_line, tell};
use crate::{exit, start};

/// What there is to say where nothing is searched.
const NO_FOLDERS: &str = "No folders are set. Add one: nexi docs add ~/Documents\n";

/// Between two states of a moving line.
const BETWEEN: Duration = Duration::from_millis(100);

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
        DocsCommand::Remove { folder } => remove(&engine, &folder),
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
    let path = std::fs::canonicalize(&given).map_err(|error| Usage(format!("folder: {} cannot be read ({error})", given.display())))?;
    if !path.is_dir() {
        return Err(Usage(format!(
            "folder: {} is a file; give the folder it is in, or attach it to a question: nexi ask --attach {}",
            path.display(),
            given.display()
        ))
        .into());
    }
    if !engine.add_folder(&path)? {
        print_line(&format!("{} is searched already.", path.display()))?;
    }
    tell("Reading the folder…\n");
    let all = engine.folders().await?;
    if let Some(status) = all.iter().find(|status| is_same_folder(&status.folder, &path)) {
        print(&format!("{}\n", described(status).trim_end()))?;
    }
    Ok(exit::ANSWERED)
}

fn remove(engine: &Engine, folder: &Path) -> Result<u8> {
    let given = expand_home(&folder.to_string_lossy());
    // One that is gone can be named as it stands in the settings.
    let path = std::fs::canonicalize(&given).or_else(|_| std::path::absolute(&given)).unwrap_or_else(|_| given.clone());
    if !engine.remove_folder(&path)? && !engine.remove_folder(folder)? {
        let folders = engine.settings().documents.folders;
        let known = if folders.is_empty() { "no folders are set".to_owned() } else { format!("there are {}", folders.join(", ")) };
        return Err(Usage(format!("folder: {} is not among those that are searched; {known}", given.display())).into());
    }
    print_line(&format!("{} is no longer searched. Its files were not touched.", given.display()))?;
    Ok(exit::ANSWERED)
}

fn list(engine: &Engine, json: bool) -> Result<u8> {
    let folders = engine.settings().documents.folders.clone();
    if json {
        print_json(&folders)?;
    } else if folders.is_empty() {
        print(NO_FOLDERS)?;
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
        print(NO_FOLDERS)?;
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
    let far = format!("{} of {}", status.vectors, count(status.passages as u64, "passage"));
    let left_out = status.remote.iter().filter(|folder| !folder.allowed).count();
    let state = match &status.state {
        MeaningState::Off => return "Documents are found by their words. To find them by meaning too: nexi docs fetch".into(),
        MeaningState::NotFetched => return format!("The embedding model {model} is not there yet. Download it: nexi docs fetch {model}"),
        MeaningState::Fetching { done, total } => {
            return format!("The embedding model {model} is being downloaded: {:.0} of {:.0} MB.", *done as f64 / 1e6, *total as f64 / 1e6);
        }
        MeaningState::Failed { message } => return format!("Documents are found by their words alone, because {model} failed: {message}"),
        MeaningState::NotAllowed => {
            return format!(
                "Documents are found by their words alone: none of your folders may be sent to {model} yet. Decide: nexi docs embed"
            );
        }
        MeaningState::Ready => format!("Documents are also found by meaning, with {model}: {far} prepared."),
        MeaningState::Incomplete => {
            format!("Documents are also found by meaning, with {model}: {far} prepared. Prepare the rest: nexi docs embed")
        }
        MeaningState::Building { .. } => format!("Documents are being prepared for {model}: {far}."),
        MeaningState::OnBattery => format!("Preparing documents for {model} waits for mains power: {far}."),
    };
    match left_out {
        0 => state,
        _ => format!("{state} The text of {} is not sent to the service.", count(left_out as u64, "folder")),
    }
}

/// How the reading of scanned pages stands, in a sentence or two; none where there is nothing to read.
pub fn scans(status: &OcrStatus) -> Option<String> {
    let far = format!("{} of {}", status.read, count(status.pages as u64, "scanned page"));
    let waiting = count((status.pages - status.read) as u64, "scanned page");
    Some(match &status.state {
        OcrState::Off if status.pages == 0 => return None,
        OcrState::Off => {
            format!(
                "Your documents have {} that can't be searched. To read them: nexi docs ocr",
                count(status.pages as u64, "scanned page")
            )
        }
        OcrState::Ready if status.pages == 0 => "Text recognition is on; there are no scanned pages.".into(),
        OcrState::Ready => format!("Scanned pages are read with Tesseract: {far} read."),
        OcrState::Incomplete => format!("Scanned pages are read with Tesseract: {far} read. Read the rest: nexi docs ocr"),
        OcrState::Running => format!("Scanned pages are being read with Tesseract: {far} read."),
        OcrState::OnBattery => format!("Reading scanned pages waits for mains power: {far} read."),
        OcrState::NotInstalled { programs } => {
            format!(
                "{waiting} can't be read: {} is not installed. On Debian and Ubuntu: sudo apt install tesseract-ocr poppler-utils",
                programs.join(" and ")
            )
        }
        OcrState::NoLanguage { languages } => {
            format!(
                "{waiting} can't be read: Tesseract has no model for {}. Installed are {}",
                languages.join(", "),
                status.installed.join(", ")
            )
        }
        OcrState::Failed { message } => format!("{waiting} can't be read: {message}"),
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
    let progress = |done: usize, total: usize| line.show(&format!("{done} of {}", count(total as u64, "scanned page")));
    let read = stoppable(async |cancel| Ok(engine.read_scans(progress, cancel).await?)).await?;
    line.end();
    // Another process may have turned it off meanwhile.
    engine.refresh_settings();
    let now = scans(&engine.ocr().await?).unwrap_or_default();
    let failed = if read.failed > 0 { format!(", {} could not be", count(read.failed as u64, "page")) } else { String::new() };
    print_line(&format!("{} read{failed}. {now}", count(read.pages as u64, "page")))?;
    Ok(exit::ANSWERED)
}

async fn fetch(engine: &Engine, model: &str) -> Result<u8> {
    let line = Line::new();
    let progress = |done: u64, total: u64| line.show(&format!("{:.0} of {:.0} MB", done as f64 / 1e6, total as f64 / 1e6));
    stoppable(async |cancel| Ok(engine.fetch_model(model, progress, cancel).await?)).await?;
    line.end();
    engine.change_settings(&[Change { path: vec!["embeddings".into(), "model".into()], value: model.into() }])?;
    print_line(&format!("{model} is there. Prepare your documents now with nexi docs embed, or leave it to the app."))?;
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
    let progress = |done: usize, total: usize| line.show(&format!("{done} of {}", count(total as u64, "passage")));
    let built = stoppable(async |cancel| Ok(engine.build_vectors(progress, cancel).await?)).await?;
    line.end();
    print_line(&format!("{} prepared. {}", count(built.passages as u64, "passage"), meaning(&engine.meaning().await?)))?;
    Ok(exit::ANSWERED)
}

/// Asks for each folder whether its text may be sent to the service, and remembers it.
async fn allow(engine: &Engine, model: &str, open: &[&RemoteFolder], yes: bool) -> Result<()> {
    if !yes && !std::io::stdin().is_terminal() {
        let names: Vec<&str> = open.iter().map(|folder| folder.folder.as_str()).collect();
        let message = format!(
            "embeddings.remote_folders: {model} is not on this computer, and the text of {} would be sent to it. Say --yes to allow that",
            names.join(", ")
        );
        return Err(Usage(message).into());
    }
    let mut allowed = engine.settings().embeddings.remote_folders;
    for folder in open {
        let cost =
            folder.cost.map_or("at a price that Nexi does not know".into(), |cost| format!("for about {}", dollars((cost * 1e6) as u64)));
        let size = format!("{}, about {} tokens", count(folder.passages as u64, "passage"), folder.tokens);
        let question = format!(
            "Send the text of {} to {model} ({size}, {cost})? What you ask about your documents is sent there too. [y/N] ",
            folder.folder
        );
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
        return format!("{}\n  This folder does not exist, or may not be opened.\n", folder.folder);
    }
    let mut out =
        format!("{}\n  {} indexed, {}\n", folder.folder, count(folder.files as u64, "file"), count(folder.passages as u64, "passage"));
    let mut list = |files: &[SkippedFile], what: &str| {
        if !files.is_empty() {
            out.push_str(&format!("  {} {what}:\n", count(files.len() as u64, "file")));
            files.iter().for_each(|file| out.push_str(&format!("    {}: {}\n", file.path, file.message)));
        }
    };
    list(&folder.skipped, "could not be read");
    list(&folder.partly, "read in part");
    if !folder.other.is_empty() {
        let all: usize = folder.other.iter().map(|kind| kind.files).sum();
        let kinds: Vec<String> = folder.other.iter().map(of_kind).collect();
        out.push_str(&format!("  {} of kinds that Nexi does not read: {}\n", count(all as u64, "file"), kinds.join(", ")));
    }
    if let Some(left_out) = left_out(folder) {
        out.push_str(&format!("  Left out: {left_out}\n"));
    }
    out
}

/// What is hidden or ignored; none where nothing is.
fn left_out(folder: &FolderStatus) -> Option<String> {
    let parts = [(folder.hidden, "hidden"), (folder.ignored, "ignored by .gitignore, .ignore or your patterns")];
    let said: Vec<String> = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

fn of_kind(kind: &FileKind) -> String {
    let ending = if kind.ending.is_empty() { "others".to_owned() } else { format!(".{}", kind.ending) };
    format!("{ending} ({})", kind.files)
}

//! `nexi history`: past research.

mod deleted;

use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::pricing::dollars;
use nexi_engine::core::protocol::{LibraryQuery, Turn, TurnState};
use nexi_engine::core::text::count;
use nexi_engine::export::Content;
use nexi_engine::import::{BrokenLines, ImportOutcome, OnBroken};
use nexi_engine::report::Report;
use nexi_engine::{Engine, EngineError, OpinionLimits, StoreError, ThreadFile, export};
use serde_json::json;

use crate::args::{Clear, Common, Delete, Export, ExportFormat, Find, Format, History, HistoryCommand, Import, Summarise, Usage};
use crate::line::{age, harmless, now_ms, one_line, short};
use crate::output::{Looks, json_text, note, print, print_json, print_line, print_turn};
use crate::{exit, start};

/// Carries the command out.
pub async fn run(history: History, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match history.command {
        None => show(&engine, &history, &common).await,
        Some(HistoryCommand::Search(find)) => search(&engine, find, Looks::of(&common)).await,
        Some(HistoryCommand::Export(wanted)) => export(&engine, wanted).await,
        Some(HistoryCommand::Import(file)) => import(&engine, file).await,
        Some(HistoryCommand::Summarise(wanted)) => summarise(&engine, &wanted).await,
        Some(HistoryCommand::Delete(wanted)) => delete(&engine, wanted).await,
        Some(HistoryCommand::Deleted { json }) => deleted::list(&engine, json).await,
        Some(HistoryCommand::Restore { id }) => deleted::restore(&engine, &id).await,
        Some(HistoryCommand::Clear(clear)) => self::clear(&engine, clear).await,
    }
}

async fn show(engine: &Engine, history: &History, common: &Common) -> Result<u8> {
    if !history.prev && history.show.is_none() {
        return list(&engine.newest_turns(history.last).await?, history.json);
    }
    let turn = match &history.show {
        Some(id) => engine.turn(&engine.find_turn(id).await?).await?,
        None => engine.newest_turns(1).await?.into_iter().next().context("nothing has been asked yet")?,
    };
    if history.json {
        print_json(&Report::from(turn))?;
        return Ok(exit::ANSWERED);
    }
    let facts = facts(&turn);
    print_line(&format!("{}\n{} · {}\n", one_line(&turn.question), age(turn.asked_ms, now_ms()), facts))?;
    print_turn(engine, turn, Format::Text, Looks::of(common), None, None).await?;
    Ok(exit::ANSWERED)
}

/// Has the oldest turns of a thread summarised, and prints the summary.
async fn summarise(engine: &Engine, wanted: &Summarise) -> Result<u8> {
    let thread = match &wanted.id {
        Some(id) => engine.find_thread(id).await?,
        None => engine.newest_turns(1).await?.into_iter().next().context("nothing has been asked yet")?.thread,
    };
    let allowed = OpinionLimits { over_month: wanted.over_month, ..OpinionLimits::default() };
    let summary = engine.summarise(&thread, allowed).await?;
    if wanted.json {
        print_json(&summary)?;
    } else {
        print_line(&harmless(&summary.text))?;
        note(&format!("{} summarised; they stay as they are", count(summary.turns.into(), "earlier question")));
    }
    Ok(exit::ANSWERED)
}

/// State, effort, model, steps, time, tokens and cost of a turn.
fn facts(turn: &Turn) -> String {
    let ending = &turn.ending;
    let mut parts = vec![
        format!("turn {}", short(turn.id.as_str())),
        in_words(ending.state).to_owned(),
        format!("{} · effort {}", turn.mode.as_str(), turn.effort.as_str()),
        one_line(&turn.model),
        count(ending.steps.into(), "step"),
        format!("{:.1} s", turn.duration_ms as f64 / 1000.0),
    ];
    if ending.usage.total() > 0 {
        parts.push(format!("{} tokens", ending.usage.total()));
    }
    if ending.usage.cost > 0 {
        parts.push(dollars(ending.usage.cost));
    }
    parts.join(" · ")
}

/// How a turn stands, as people say it.
fn in_words(state: TurnState) -> &'static str {
    match state {
        TurnState::NothingFound => "nothing found",
        other => other.as_str(),
    }
}

/// Lists turns, newest first.
pub fn list(turns: &[Turn], as_json: bool) -> Result<u8> {
    if as_json {
        let reports: Vec<Report> = turns.iter().cloned().map(Report::from).collect();
        print_json(&reports)?;
        return Ok(exit::ANSWERED);
    }
    if turns.is_empty() {
        print_line("Nothing has been asked yet. Ask something: nexi ask \"Where are keys kept?\"")?;
    }
    let now = now_ms();
    let mut out = String::new();
    for turn in turns {
        let beginning = nexi_engine::core::text::truncate(&one_line(&export::answer_text(turn, export::CopyForm::Plain)), 100);
        out.push_str(&format!(
            "{}  {}  ({}, {}, {})\n",
            short(turn.id.as_str()),
            one_line(&turn.question),
            age(turn.asked_ms, now),
            count(turn.ending.sources.len() as u64, "source"),
            in_words(turn.ending.state)
        ));
        if !beginning.is_empty() {
            out.push_str(&format!("          {beginning}\n"));
        }
    }
    print(&out)?;
    Ok(exit::ANSWERED)
}

/// Lists the threads that have these words.
pub async fn search(engine: &Engine, find: Find, looks: Looks) -> Result<u8> {
    if find.text.iter().all(|word| word.trim().is_empty()) {
        return Err(Usage("text: is empty; write a few words that occur in what is looked for".into()).into());
    }
    let query = LibraryQuery { text: find.text.join(" "), limit: find.limit, ..LibraryQuery::default() };
    let page = engine.library(query).await?;
    if find.json {
        let rows = page.rows.iter().filter_map(|row| {
            let hit = row.hit.as_ref()?;
            let snippet: String = hit.pieces.iter().map(|piece| piece.text.as_str()).collect();
            Some(json!({"id": hit.turn, "turn": hit.turn, "thread": row.id, "title": row.title, "snippet": snippet, "updated_ms": row.updated_ms, "sources": row.sources}))
        });
        print_json(&json!({"results": rows.collect::<Vec<_>>(), "more": page.more}))?;
        return Ok(if page.rows.is_empty() { exit::FAILED } else { exit::ANSWERED });
    }
    let (bold, normal) = if looks.colour { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let now = now_ms();
    let mut out = String::new();
    for row in &page.rows {
        let Some(hit) = &row.hit else { continue };
        let snippet: String = hit
            .pieces
            .iter()
            .map(|piece| {
                let text = piece.text.replace('\n', " ");
                if piece.hit { format!("{bold}{}{normal}", harmless(&text)) } else { harmless(&text) }
            })
            .collect();
        out.push_str(&format!(
            "{}  {}  ({})\n          {snippet}\n",
            short(hit.turn.as_str()),
            one_line(&row.title),
            age(row.updated_ms, now)
        ));
    }
    if page.rows.is_empty() {
        note("nothing was found");
        return Ok(exit::FAILED);
    }
    print(&out)?;
    Ok(exit::ANSWERED)
}

async fn export(engine: &Engine, wanted: Export) -> Result<u8> {
    if wanted.format == Some(ExportFormat::Pdf) {
        let message = "format: PDF files are made in the window, under Export; on a terminal, choose html or docx and print that";
        return Err(Usage(message.into()).into());
    }
    // As everywhere, `-` is standard output.
    let out = wanted.out.as_ref().filter(|path| *path != Path::new("-"));
    let id = if wanted.last { Some(newest(engine).await?.to_string()) } else { wanted.id };
    let Some(id) = &id else {
        // Markdown is what a name without an ending means, and an unknown ending means nothing.
        let named = out.and_then(|path| format_of(Some(path)).ok()).filter(|named| *named != ExportFormat::Markdown);
        if !matches!(wanted.format.or(named), None | Some(ExportFormat::Json)) {
            return Err(Usage(
                "format: the whole library is written as JSON, one thread a line; give the id of a thread for another format".into(),
            )
            .into());
        }
        let (place, written) = match out {
            None => ("standard output".to_owned(), engine.write_threads(JsonLines::default()).await?),
            Some(path) => (path.display().to_string(), engine.write_threads(BufWriter::new(create(path)?)).await?),
        };
        match written {
            Ok(number) => note(&format!("{} written to {place}", count(number.into(), "thread"))),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            Err(error) => return Err(error).with_context(|| format!("{place} could not be written")),
        }
        return Ok(exit::ANSWERED);
    };
    let (thread, turn) = meant(engine, id).await?;
    let file = engine.thread_file(&thread, turn.filter(|_| !wanted.thread).as_ref()).await?;
    let format = match wanted.format {
        Some(format) => format,
        None => format_of(out.map(PathBuf::as_path))?,
    };
    let bytes = written(&file, format, wanted.style.into());
    match out {
        Some(path) => create(path)?.write_all(&bytes).with_context(|| format!("{} could not be written", path.display()))?,
        None if format != ExportFormat::Docx => print(&String::from_utf8_lossy(&bytes))?,
        None if std::io::stdout().is_terminal() => {
            return Err(Usage("out: a Word document is no text; name a file with --out".into()).into());
        }
        None => std::io::stdout().write_all(&bytes).context("standard output could not be written")?,
    }
    Ok(exit::ANSWERED)
}

/// A thread in a format, as it is written into a file or shown: text has nothing in it that steers a terminal.
pub fn written(file: &ThreadFile, format: ExportFormat, style: export::CitationStyle) -> Vec<u8> {
    let text = match format.as_file() {
        Some(format) => match export::content(file, format, style) {
            Content::Text(text) if matches!(format, export::Format::Json | export::Format::CslJson) => json_text(&text),
            Content::Text(text) => text,
            Content::Bytes(bytes) => return bytes,
        },
        None => export::plain_text(file),
    };
    format!("{}\n", harmless(text.trim_end())).into_bytes()
}

/// The thread that is meant by the id of one of its turns, with that turn, or by its own, or by a part of either.
async fn meant(engine: &Engine, id: &str) -> Result<(ThreadId, Option<TurnId>)> {
    match engine.find_turn(id).await {
        Ok(turn) => Ok((engine.turn(&turn).await?.thread, Some(turn))),
        Err(EngineError::Store(StoreError::Missing { .. })) => Ok((engine.find_thread(id).await?, None)),
        Err(error) => Err(error.into()),
    }
}

/// Lines of JSON for standard output, with nothing in them that steers a terminal.
#[derive(Default)]
struct JsonLines {
    line: Vec<u8>,
}

impl Write for JsonLines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if bytes.ends_with(b"\n") {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let line = std::mem::take(&mut self.line);
        std::io::stdout().write_all(json_text(&String::from_utf8_lossy(&line)).as_bytes())
    }
}

/// The format that a file is given by its name.
///
/// # Errors
/// When there is no format of this ending.
pub fn format_of(out: Option<&Path>) -> Result<ExportFormat> {
    let end = out.and_then(|path| path.extension()).map(|end| end.to_string_lossy().to_lowercase());
    let name = out.map(|path| path.to_string_lossy().to_lowercase()).unwrap_or_default();
    Ok(match end.as_deref() {
        None | Some("md" | "markdown") => ExportFormat::Markdown,
        Some("txt" | "text") => ExportFormat::Text,
        Some("json") if name.ends_with(".csl.json") => ExportFormat::CslJson,
        Some("json") => ExportFormat::Json,
        Some("html" | "htm") => ExportFormat::Html,
        Some("docx") => ExportFormat::Docx,
        Some("bib") => ExportFormat::Bibtex,
        Some("ris") => ExportFormat::Ris,
        Some(other) => {
            return Err(
                Usage(format!("out: no format is named .{other}; use md, txt, html, docx, json, bib or ris, or say --format")).into()
            );
        }
    })
}

/// The turn that was asked last.
pub async fn newest(engine: &Engine) -> Result<TurnId> {
    let turn = engine.newest_turns(1).await?.into_iter().next();
    Ok(turn.ok_or_else(|| Usage("last: nothing has been asked yet".into()))?.id)
}

/// A file that was not there before: nothing is ever written over.
pub fn create(path: &Path) -> Result<std::fs::File> {
    let made = nexi_engine::export::create_new(path);
    made.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Usage(format!("out: {} is there already; choose another name", path.display())).into(),
        _ => Usage(format!("out: {} cannot be written ({error})", path.display())).into(),
    })
}

async fn import(engine: &Engine, import: Import) -> Result<u8> {
    let on_broken = if import.skip_broken { OnBroken::Skip } else { OnBroken::Refuse };
    let outcome = if import.file == Path::new("-") {
        engine.import_threads(std::io::BufReader::new(std::io::stdin()), on_broken).await?
    } else {
        let name = import.file.display().to_string();
        let file = std::fs::File::open(&import.file).map_err(|error| Usage(format!("{name} cannot be read ({error})")))?;
        engine.import_threads(std::io::BufReader::new(file), on_broken).await?
    };
    let taken = match outcome {
        ImportOutcome::Imported(taken) => taken,
        ImportOutcome::Refused(BrokenLines { line, why, broken, others }) => {
            let more = if broken > 1 { format!(" ({} are broken in all)", count(broken.into(), "line")) } else { String::new() };
            let others = count(others.into(), "thread");
            let message = format!(
                "file: line {line} {why}{more}. Nothing was imported. Correct the file, or import the rest of it ({others}) with --skip-broken"
            );
            return Err(Usage(message).into());
        }
    };
    let mut said = format!("{} imported", count(taken.threads.into(), "thread"));
    if taken.items > 0 {
        said.push_str(&format!(", {}", others(taken.items)));
    }
    if taken.known > 0 {
        said.push_str(&format!(", {} already present", taken.known));
    }
    if taken.broken > 0 {
        said.push_str(&format!(", {} skipped", count(taken.broken.into(), "line")));
    }
    print_line(&said)?;
    Ok(exit::ANSWERED)
}

/// What an import brought besides threads.
fn others(items: u32) -> String {
    format!("{} (spaces, memories, templates, saved searches, watched questions)", count(items.into(), "other item"))
}

/// Asks before something is deleted; `titles` are named one a line.
async fn may_delete<'a>(yes: bool, titles: impl Iterator<Item = &'a str>, what: &str) -> Result<bool> {
    if yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Usage("yes: without a terminal, say --yes to delete".into()).into());
    }
    let titles: String = titles.map(|title| format!("  {}\n", one_line(title))).collect();
    let agreed = start::agreed(&format!("{titles}Delete {what} for good, out of backups, too? [y/N] ")).await?;
    if !agreed {
        note("nothing was deleted");
    }
    Ok(agreed)
}

/// Deletes single turns. Nothing is deleted unless all of them are found.
async fn delete_turns(engine: &Engine, wanted: Delete) -> Result<u8> {
    let mut turns: Vec<Turn> = Vec::new();
    for id in &wanted.ids {
        let turn = engine.turn(&engine.find_turn(id).await?).await?;
        if !turns.iter().any(|known| known.id == turn.id) {
            turns.push(turn);
        }
    }
    let said = count(turns.len() as u64, "turn");
    if !may_delete(wanted.yes, turns.iter().map(|turn| turn.question.as_str()), &said).await? {
        return Ok(exit::CANCELLED);
    }
    for turn in &turns {
        engine.forget_turn(&turn.id).await?;
    }
    print_line(&format!("{said} deleted"))?;
    Ok(exit::ANSWERED)
}

/// Deletes threads. Nothing is deleted unless all of them are found.
async fn delete(engine: &Engine, mut wanted: Delete) -> Result<u8> {
    if wanted.last {
        wanted.ids.push(newest(engine).await?.to_string());
    }
    if wanted.turn {
        return delete_turns(engine, wanted).await;
    }
    let mut threads = Vec::new();
    for id in &wanted.ids {
        let (thread, _) = meant(engine, id).await?;
        if engine.turns(&thread).await?.iter().any(|turn| turn.ending.state == TurnState::Running) {
            let message = format!("id: a question of thread {id} is being answered; stop it, or wait until it is");
            return Err(Usage(message).into());
        }
        let facts = engine.thread_facts(&thread).await?;
        if !threads.iter().any(|(known, _)| *known == thread) {
            threads.push((thread, facts.title));
        }
    }
    if !may_delete(wanted.yes, threads.iter().map(|(_, title)| title.as_str()), &count(threads.len() as u64, "thread")).await? {
        return Ok(exit::CANCELLED);
    }
    for (thread, _) in &threads {
        engine.forget(thread).await?;
    }
    print_line(&format!("{} deleted", count(threads.len() as u64, "thread")))?;
    Ok(exit::ANSWERED)
}

async fn clear(engine: &Engine, clear: Clear) -> Result<u8> {
    if !clear.yes {
        if !std::io::stdin().is_terminal() {
            return Err(Usage("clearing deletes all threads for good; say --yes if that is meant".into()).into());
        }
        let typed = start::line("This permanently deletes all threads. Type yes to continue: ").await?;
        if typed.trim() != "yes" {
            note("nothing was deleted");
            return Ok(exit::FAILED);
        }
    }
    let (gone, stayed) = engine.clear_history().await?;
    // What was typed in sessions is history, too.
    let _ = std::fs::remove_file(start::remembered(engine));
    print_line(&format!("{} deleted", count(gone, "thread")))?;
    if stayed > 0 {
        note(&format!("{stayed} kept, because questions in them are still being answered"));
    }
    Ok(exit::ANSWERED)
}

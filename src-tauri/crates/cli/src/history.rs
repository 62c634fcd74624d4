//! `nexi history`: past research.

mod deleted;

use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::pricing::dollars;
use nexi_engine::core::protocol::{LibraryQuery, Mode, Turn, TurnState};
use nexi_engine::export::Content;
use nexi_engine::import::{BrokenLines, ImportOutcome, OnBroken};
use nexi_engine::now_ms;
use nexi_engine::report::{FoundTurn, FoundTurns, Report};
use nexi_engine::{Engine, EngineError, OpinionLimits, StoreError, ThreadFile, export, sentences};
use nexi_messages::{decimal, say};

use crate::args::{Clear, Common, Delete, Export, ExportFormat, Find, Format, History, HistoryCommand, Import, Summarise, Usage};
use crate::line::{age, one_line, sanitized, short};
use crate::output::{Shown, TerminalStyle, json_text, note, print, print_json, print_line, print_turn};
use crate::{exit, start};

/// Carries the command out.
pub async fn run(history: History, common: Common) -> Result<u8> {
    let engine = start::open(&common).await?;
    match history.command {
        None if history.prev || history.show.is_some() => show(&engine, history.show.as_deref(), history.json, &common).await,
        None => list(&engine.newest_turns(history.last).await?, history.json),
        Some(HistoryCommand::Show { id, json }) => show(&engine, id.as_deref(), json, &common).await,
        Some(HistoryCommand::Search(find)) => search(&engine, find, TerminalStyle::of(&common)).await,
        Some(HistoryCommand::Export(wanted)) => export(&engine, wanted).await,
        Some(HistoryCommand::Import(file)) => import(&engine, file).await,
        Some(HistoryCommand::Summarise(wanted)) => summarise(&engine, &wanted).await,
        Some(HistoryCommand::Delete(wanted)) => delete(&engine, wanted).await,
        Some(HistoryCommand::Deleted { json }) => deleted::list(&engine, json).await,
        Some(HistoryCommand::Restore { id }) => deleted::restore(&engine, &id).await,
        Some(HistoryCommand::Clear(clear)) => self::clear(&engine, clear).await,
    }
}

/// Shows a turn, the newest where none is named.
async fn show(engine: &Engine, id: Option<&str>, as_json: bool, common: &Common) -> Result<u8> {
    let turn = match id {
        Some(id) => engine.turn(&engine.find_turn(id).await?).await?,
        None => engine.newest_turns(1).await?.into_iter().next().context(say!("nexi-history-nothing-yet"))?,
    };
    if as_json {
        print_json(&Report::from(turn))?;
        return Ok(exit::ANSWERED);
    }
    let facts = facts(&turn);
    print_line(&format!("{}\n{} · {}\n", one_line(&turn.question), age(turn.asked_ms, now_ms()), facts))?;
    print_turn(engine, turn, Format::Text, TerminalStyle::of(common), Shown::Nothing, None).await?;
    Ok(exit::ANSWERED)
}

/// Has the oldest turns of a thread summarised, and prints the summary.
async fn summarise(engine: &Engine, wanted: &Summarise) -> Result<u8> {
    let thread = match &wanted.id {
        Some(id) => engine.find_thread(id).await?,
        None => engine.newest_turns(1).await?.into_iter().next().context(say!("nexi-history-nothing-yet"))?.thread,
    };
    let allowed = OpinionLimits { over_month: wanted.over_month, ..OpinionLimits::default() };
    let summary = engine.summarise(&thread, allowed).await?;
    if wanted.json {
        print_json(&summary)?;
    } else {
        print_line(&sanitized(&summary.text))?;
        note(&say!("nexi-history-summarised", count = summary.turns));
    }
    Ok(exit::ANSWERED)
}

/// State, effort, model, steps, time, tokens and cost of a turn.
fn facts(turn: &Turn) -> String {
    let ending = &turn.ending;
    let mut parts = vec![
        say!("nexi-history-turn", id = short(turn.id.as_str())),
        in_words(ending.state),
        say!("nexi-history-how", mode = mode(turn.mode), effort = say!("answers-effort", effort = turn.effort.as_str())),
        one_line(&sentences::model_name(&turn.model)),
        say!("nexi-history-steps", count = ending.steps),
        say!("nexi-history-seconds", seconds = decimal(turn.duration_ms as f64 / 1000.0, 1)),
    ];
    if ending.usage.total() > 0 {
        parts.push(say!("nexi-history-tokens", count = ending.usage.total()));
    }
    if ending.usage.cost > 0 {
        parts.push(dollars(ending.usage.cost));
    }
    parts.join(" · ")
}

/// How a turn stands, as people say it.
pub fn in_words(state: TurnState) -> String {
    say!(&format!("nexi-history-states.{}", state.as_str()))
}

fn mode(mode: Mode) -> String {
    say!(&format!("nexi-history-modes.{}", mode.as_str()))
}

/// Lists turns, newest first.
pub fn list(turns: &[Turn], as_json: bool) -> Result<u8> {
    if as_json {
        let reports: Vec<Report> = turns.iter().cloned().map(Report::from).collect();
        print_json(&reports)?;
        return Ok(exit::ANSWERED);
    }
    if turns.is_empty() {
        print_line(&say!("nexi-history-first-question"))?;
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
            say!("nexi-history-sources", count = turn.ending.sources.len()),
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
pub async fn search(engine: &Engine, find: Find, looks: TerminalStyle) -> Result<u8> {
    if find.text.iter().all(|word| word.trim().is_empty()) {
        return Err(Usage(say!("nexi-history-no-words")).into());
    }
    let query = LibraryQuery { text: find.text.join(" "), limit: find.limit, ..LibraryQuery::default() };
    let page = engine.library(query).await?;
    if find.json {
        let rows = page.rows.iter().filter_map(|row| {
            let hit = row.hit.as_ref()?;
            let snippet: String = hit.pieces.iter().map(|piece| piece.text.as_str()).collect();
            Some(FoundTurn {
                id: hit.turn.0.clone(),
                turn: hit.turn.0.clone(),
                thread: row.id.0.clone(),
                title: row.title.clone(),
                snippet,
                updated_ms: row.updated_ms,
                sources: row.sources,
            })
        });
        print_json(&FoundTurns { results: rows.collect(), more: page.more })?;
        return Ok(if page.rows.is_empty() { exit::FAILED } else { exit::ANSWERED });
    }
    let (bold, normal) = if looks.colour { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let now = now_ms();
    let mut out = String::new();
    for row in &page.rows {
        let Some(hit) = &row.hit else { continue };
        // What stands beside the id of a turn is its own question, and not its thread's title.
        let question = engine.turn(&hit.turn).await.map_or_else(|_| row.title.clone(), |turn| turn.question);
        let snippet: String = hit
            .pieces
            .iter()
            .map(|piece| {
                let text = piece.text.replace('\n', " ");
                if piece.hit { format!("{bold}{}{normal}", sanitized(&text)) } else { sanitized(&text) }
            })
            .collect();
        out.push_str(&format!(
            "{}  {}  ({})\n          {snippet}\n",
            short(hit.turn.as_str()),
            one_line(&question),
            age(row.updated_ms, now)
        ));
    }
    if page.rows.is_empty() {
        note(&say!("nexi-history-not-found"));
        return Ok(exit::FAILED);
    }
    print(&out)?;
    Ok(exit::ANSWERED)
}

async fn export(engine: &Engine, wanted: Export) -> Result<u8> {
    if wanted.format == Some(ExportFormat::File(export::Format::Pdf)) {
        return Err(Usage(say!("nexi-history-no-pdf")).into());
    }
    // As everywhere, `-` is standard output.
    let out = wanted.out.as_ref().filter(|path| *path != Path::new("-"));
    let id = if wanted.last { Some(newest(engine).await?.to_string()) } else { wanted.id };
    let Some(id) = &id else {
        // Markdown is what a name without an ending means, and an unknown ending means nothing.
        let named = out.and_then(|path| format_of(Some(path)).ok()).filter(|named| *named != ExportFormat::default());
        if !matches!(wanted.format.or(named), None | Some(ExportFormat::File(export::Format::Json))) {
            return Err(Usage(say!("nexi-history-library-is-json")).into());
        }
        let (place, written) = match out {
            None => (say!("nexi-history-standard-output"), engine.write_threads(JsonLines::default()).await?),
            Some(path) => (path.display().to_string(), engine.write_threads(BufWriter::new(create(path)?)).await?),
        };
        match written {
            Ok(number) => note(&say!("nexi-history-written", count = number, place = place)),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            Err(error) => return Err(error).with_context(|| say!("nexi-history-not-written", place = place)),
        }
        return Ok(exit::ANSWERED);
    };
    let (thread, turn) = meant(engine, id).await?;
    let file = engine.thread_file(&thread, turn.filter(|_| !wanted.thread).as_ref()).await?;
    let format = match wanted.format {
        Some(format) => format,
        None => format_of(out.map(PathBuf::as_path))?,
    };
    if wanted.style.is_some() && !format.as_file().is_some_and(export::Format::is_styled) {
        return Err(Usage(say!("nexi-history-no-style")).into());
    }
    let bytes = written(&file, format, wanted.style.unwrap_or_default().into());
    let is_list = matches!(format, ExportFormat::File(export::Format::Bibtex | export::Format::Ris | export::Format::CslJson));
    if is_list && file.sources.is_empty() {
        note(&say!("nexi-history-no-sources"));
    }
    match out {
        Some(path) => {
            create(path)?.write_all(&bytes).with_context(|| say!("nexi-history-not-written", place = path.display().to_string()))?;
        }
        None if format != ExportFormat::File(export::Format::Docx) => print(&String::from_utf8_lossy(&bytes))?,
        None if std::io::stdout().is_terminal() => {
            return Err(Usage(say!("nexi-history-word-file")).into());
        }
        None => std::io::stdout()
            .write_all(&bytes)
            .with_context(|| say!("nexi-history-not-written", place = say!("nexi-history-standard-output")))?,
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
    format!("{}\n", sanitized(text.trim_end())).into_bytes()
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
    let Some(end) = out.and_then(|path| path.extension()).map(|end| end.to_string_lossy().to_lowercase()) else {
        return Ok(ExportFormat::default());
    };
    if ["txt", "text"].contains(&end.as_str()) {
        return Ok(ExportFormat::Text);
    }
    let name = out.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    match export::Format::of_name(&name).filter(|format| *format != export::Format::Pdf) {
        Some(format) => Ok(ExportFormat::File(format)),
        None => {
            let known = export::Format::ALL.into_iter().filter(|format| *format != export::Format::Pdf).map(export::Format::ending);
            let known: Vec<&str> = known.chain(["txt"]).collect();
            Err(Usage(say!("nexi-history-unknown-ending", ending = end, known = known.join(", "))).into())
        }
    }
}

/// The turn that was asked last.
pub async fn newest(engine: &Engine) -> Result<TurnId> {
    let turn = engine.newest_turns(1).await?.into_iter().next();
    Ok(turn.ok_or_else(|| Usage(say!("nexi-history-no-newest")))?.id)
}

/// A file that was not there before: nothing is ever written over.
pub fn create(path: &Path) -> Result<std::fs::File> {
    let made = nexi_engine::create_new(path);
    made.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Usage(say!("nexi-history-out-taken", path = path.display().to_string())).into(),
        _ => Usage(say!("nexi-history-out-unwritable", path = path.display().to_string(), why = error.to_string())).into(),
    })
}

async fn import(engine: &Engine, import: Import) -> Result<u8> {
    let on_broken = if import.skip_broken { OnBroken::Skip } else { OnBroken::Refuse };
    let outcome = if import.file == Path::new("-") {
        engine.import_threads(std::io::BufReader::new(std::io::stdin()), on_broken).await?
    } else {
        let name = import.file.display().to_string();
        let file = std::fs::File::open(&import.file)
            .map_err(|error| Usage(say!("nexi-terminal-unreadable", what = name, why = error.to_string())))?;
        engine.import_threads(std::io::BufReader::new(file), on_broken).await?
    };
    let taken = match outcome {
        ImportOutcome::Imported(taken) => taken,
        ImportOutcome::Refused(BrokenLines { line, why, broken, others }) => {
            let others = say!("nexi-history-threads", count = others);
            return Err(Usage(say!("nexi-history-broken", line = line, why = why, broken = broken, others = others)).into());
        }
    };
    let mut said = vec![say!("nexi-history-imported", count = taken.threads)];
    if taken.items > 0 {
        said.push(say!("nexi-history-imported-items", count = taken.items));
    }
    if taken.known > 0 {
        said.push(say!("nexi-history-imported-known", count = taken.known));
    }
    if taken.broken > 0 {
        said.push(say!("nexi-history-imported-broken", count = taken.broken));
    }
    print_line(&said.join(", "))?;
    Ok(exit::ANSWERED)
}

/// Asks before something is deleted; `titles` are named one a line.
async fn may_delete<'a>(yes: bool, titles: impl Iterator<Item = &'a str>, what: &str) -> Result<bool> {
    if yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Usage(say!("nexi-history-say-yes")).into());
    }
    let titles: String = titles.map(|title| format!("  {}\n", one_line(title))).collect();
    let agreed = start::agreed(&format!("{titles}{}", say!("nexi-history-delete", what = what))).await?;
    if !agreed {
        note(&say!("nexi-history-not-deleted"));
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
    let said = say!("nexi-history-turns", count = turns.len());
    if !may_delete(wanted.yes, turns.iter().map(|turn| turn.question.as_str()), &said).await? {
        return Ok(exit::CANCELLED);
    }
    for turn in &turns {
        engine.forget_turn(&turn.id).await?;
    }
    engine.forget_in_backups().await;
    print_line(&say!("nexi-history-deleted-turns", count = turns.len()))?;
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
            return Err(Usage(say!("nexi-history-being-answered", id = id)).into());
        }
        let facts = engine.thread_facts(&thread).await?;
        if !threads.iter().any(|(known, _)| *known == thread) {
            threads.push((thread, facts.title));
        }
    }
    if !may_delete(wanted.yes, threads.iter().map(|(_, title)| title.as_str()), &say!("nexi-history-threads", count = threads.len()))
        .await?
    {
        return Ok(exit::CANCELLED);
    }
    for (thread, _) in &threads {
        engine.forget(thread).await?;
    }
    engine.forget_in_backups().await;
    print_line(&say!("nexi-history-deleted", count = threads.len()))?;
    Ok(exit::ANSWERED)
}

async fn clear(engine: &Engine, clear: Clear) -> Result<u8> {
    if !clear.yes {
        if !std::io::stdin().is_terminal() {
            return Err(Usage(say!("nexi-history-clear-say-yes")).into());
        }
        let word = say!("nexi-history-clear-word");
        let typed = start::line(&say!("nexi-history-clear", word = &word)).await?;
        if typed.trim() != word {
            note(&say!("nexi-history-not-deleted"));
            return Ok(exit::FAILED);
        }
    }
    let (gone, stayed) = engine.clear_history().await?;
    // What was typed in sessions is history, too.
    let _ = std::fs::remove_file(start::remembered(engine));
    print_line(&say!("nexi-history-deleted", count = gone))?;
    if stayed > 0 {
        note(&say!("nexi-history-kept", count = stayed));
    }
    Ok(exit::ANSWERED)
}

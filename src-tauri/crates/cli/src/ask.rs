//! `nexi ask` and `nexi resume`.

use std::io::{IsTerminal, Read, Write};

use anyhow::{Context, Result};
use nexi_engine::core::ids::ThreadId;
use nexi_engine::core::protocol::{Event, Support, Turn, TurnState};
use nexi_engine::report::{Report, newest_source, sources_text};
use nexi_engine::{AskOptions, Engine, EngineOptions, Subscription};

use crate::args::{Ask, Cache, Common, Output, Resume, Usage};
use crate::exit;
use crate::progress::Progress;

/// Largest question taken from standard input, in bytes.
const MAX_INPUT: u64 = 1024 * 1024;

/// Asks, waits, prints.
pub async fn ask(ask: Ask, common: Common) -> Result<u8> {
    let question = question(&ask.question)?;
    let engine = open(&common).await?;
    let thread = match (&ask.thread, ask.continue_newest) {
        (Some(id), _) => Some(ThreadId(id.trim().to_ascii_lowercase())),
        (None, true) => Some(engine.thread_of(None).await?),
        (None, false) => None,
    };
    let options = AskOptions {
        question,
        thread,
        effort: ask.effort,
        max_steps: ask.max_steps,
        time_target: ask.time_target,
        max_cost: ask.max_cost,
        folders: ask.docs,
        ..AskOptions::default()
    };
    let run = engine.ask(options).await?;
    finish(&engine, run, ask.output).await
}

/// Finishes an interrupted run.
pub async fn resume(resume: Resume, common: Common) -> Result<u8> {
    let engine = open(&common).await?;
    let run = engine.resume(resume.id.as_deref()).await?;
    finish(&engine, run, resume.output).await
}

/// Tells what is kept of pages, or forgets it.
pub async fn cache(cache: Cache, common: Common) -> Result<u8> {
    let engine = open(&common).await?;
    if cache.clear {
        engine.clear_pages().await?;
    }
    let (pages, bytes) = engine.kept_pages().await?.unwrap_or_default();
    let words = if pages == 1 { "page is" } else { "pages are" };
    writeln!(std::io::stdout(), "{pages} {words} kept, {:.1} MB on disk", bytes as f64 / 1e6)?;
    Ok(exit::ANSWERED)
}

async fn open(common: &Common) -> Result<Engine> {
    let options = EngineOptions { settings: common.config.clone(), data: common.data_dir.clone(), verbose: common.verbose };
    let engine = tokio::task::spawn_blocking(move || Engine::open(options)).await??;
    for problem in engine.warnings() {
        eprintln!("nexi: warning: {problem}");
    }
    Ok(engine)
}

fn question(words: &[String]) -> Result<String> {
    let from_input = words.is_empty() || words == ["-"];
    if !from_input {
        return Ok(words.join(" "));
    }
    if words.is_empty() && std::io::stdin().is_terminal() {
        return Err(Usage("no question was given. Write one: nexi ask \"Where are keys kept?\"".into()).into());
    }
    let mut bytes = Vec::new();
    std::io::stdin().take(MAX_INPUT).read_to_end(&mut bytes).context("the question could not be read from standard input")?;
    let text = String::from_utf8(bytes).map_err(|_| Usage("the question on standard input is not UTF-8 text".into()))?;
    if text.trim().is_empty() {
        return Err(Usage("the question on standard input is empty".into()).into());
    }
    Ok(text)
}

async fn finish(engine: &Engine, mut run: Subscription, output: Output) -> Result<u8> {
    let mut progress = Progress::new(output);
    let mut turn = None;
    let mut stops = 0;
    let state = loop {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {
                stops += 1;
                if stops > 1 {
                    return Ok(exit::CANCELLED);
                }
                progress.note("stopping…");
                if let Some(turn) = &turn {
                    engine.cancel(turn);
                }
            }
            events = run.next() => {
                let Some(events) = events else { break TurnState::Failed };
                let mut ended = None;
                for envelope in events {
                    turn.get_or_insert(envelope.turn.clone());
                    progress.show(&envelope);
                    if let Event::Ended { ending } = envelope.event {
                        ended = Some(ending.state);
                    }
                }
                if let Some(state) = ended {
                    break state;
                }
            }
        }
    };
    progress.clear();
    let id = turn.context("the run said nothing")?;
    let turn = engine.turn(&id).await?;
    // Quoting nothing, the built-in researcher has only said that it found nothing.
    let found_nothing = turn.model == nexi_engine::BUILT_IN && turn.ending.citations.is_empty();
    let has_answer = !turn.ending.answer.trim().is_empty() && !found_nothing;
    print(turn, output)?;
    Ok(match state {
        // An exit code of 0 promises an answer.
        TurnState::Answered | TurnState::Partial if has_answer => exit::ANSWERED,
        TurnState::Answered | TurnState::Partial => exit::FAILED,
        TurnState::Cancelled => exit::CANCELLED,
        TurnState::Running | TurnState::Failed | TurnState::Interrupted => exit::FAILED,
    })
}

fn print(turn: Turn, output: Output) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let reason = turn.ending.reason.clone();
    let result = if output.json {
        let report = Report::from(turn);
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)
    } else {
        let sources = sources_text(&turn.ending.sources);
        let newest = newest_source(&turn);
        let unsupported = turn.ending.citations.iter().filter(|citation| citation.known && citation.support != Support::Supported).count();
        if unsupported > 0 {
            let all = turn.ending.citations.len();
            eprintln!(
                "nexi: for {unsupported} of {all} citations no passage was found that says the same; check them before you rely on them"
            );
        }
        let unknown: Vec<String> =
            turn.ending.citations.iter().filter(|citation| !citation.known).map(|citation| format!("[{}]", citation.number)).collect();
        if !unknown.is_empty() {
            eprintln!("nexi: no source has the number {}; treat those sentences with suspicion", unknown.join(", "));
        }
        let mut text = without_escapes(&turn.ending.answer);
        if !sources.is_empty() {
            text = format!("{}\n\nSources:\n{sources}", text.trim_end());
        }
        if let Some(line) = newest {
            text.push_str(&format!("\n\n{line}"));
        }
        for notice in turn.events.iter().filter_map(|envelope| if let Event::Notice { text } = &envelope.event { Some(text) } else { None })
        {
            eprintln!("nexi: {}", harmless(notice));
        }
        if let Some(reason) = reason {
            eprintln!("nexi: {}", harmless(&reason));
        }
        if text.is_empty() { Ok(()) } else { writeln!(out, "{}", harmless(&text)) }
    };
    // A reader that has seen enough, such as `head`, is no failure.
    match result.and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("the answer could not be printed"),
    }
}

/// Markdown's backslashes before punctuation mean nothing on a terminal.
fn without_escapes(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut chars = markdown.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(char::is_ascii_punctuation) {
            out.push(c);
        } else if let Some(next) = chars.next() {
            out.push(next);
        }
    }
    out
}

/// Answers hold text from anywhere; none of it may steer the terminal.
pub fn harmless(text: &str) -> String {
    // Controls, and the marks that turn the direction of what follows.
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().filter(|c| (!c.is_control() && !turns(*c)) || matches!(c, '\n' | '\t')).collect()
}

//! Printing: answers in four formats, and text that can steer no terminal.

use nexi_engine::sentences;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use nexi_engine::core::protocol::{
    Citation, Correction, CorrectionKind, DeliveryOutcome, Ending, Event, Incident, Passage, Source, Statement, Support, Turn, TurnState,
};
use nexi_engine::core::text::{plain, truncate_chars};
use nexi_engine::core::urls::with_text_fragment;
use nexi_engine::export;
use nexi_engine::report::{Report, StreamLine, change_lines, newest_source, opinion_lines, source_text, statements_line, support_words};
use nexi_engine::{Engine, local_time};
use nexi_messages::say;

use crate::args::{Common, Format};
use crate::line::{is_printable, one_line, sanitized};
use crate::markup::{Markup, linked, without_marks};
use crate::tables::Tables;
use crate::wrap::Wrap;

/// Writes to standard output. A reader that has seen enough, such as `head`, is no failure.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.with_context(|| say!("nexi-terminal-unwritable")),
    }
}

/// The same with a line break behind it.
pub fn print_line(text: &str) -> Result<()> {
    print(&format!("{text}\n"))
}

/// Sentences for a person, with their words kept whole at the edge of a terminal.
///
/// # Errors
/// When they cannot be printed.
pub fn print_words(text: &str) -> Result<()> {
    print_line(&hanging(text.to_owned(), columns(), 0))
}

/// Why something was not delivered, and what becomes of it.
pub fn not_delivered(outcome: &DeliveryOutcome) -> String {
    match outcome {
        DeliveryOutcome::Delivered => say!("nexi-terminal-delivered"),
        DeliveryOutcome::Failed { message, again_ms: Some(again) } => {
            say!("nexi-terminal-delivered-later", why = one_line(message), time = local_time(*again))
        }
        DeliveryOutcome::Failed { message, again_ms: None } => say!("nexi-terminal-not-delivered", why = one_line(message)),
        DeliveryOutcome::Gone => say!("nexi-terminal-address-gone"),
    }
}

/// JSON for scripts.
pub fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print_line(&json_text(&serde_json::to_string_pretty(value)?))
}

/// A line of a stream for scripts.
pub fn print_stream(line: &StreamLine) -> Result<()> {
    print_line(&json_text(&serde_json::to_string(line)?))
}

/// JSON that steers no terminal, either: what would is written as `\u…`, which means the same.
pub fn json_text(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_printable(c) { out.push(c) } else { out.push_str(&format!("\\u{:04x}", u32::from(c))) }
    }
    out
}

/// A line for the person, on standard error. Where that is closed, nobody reads it.
pub fn note(text: &str) {
    let line = format!("nexi: {}", sanitized(text));
    tell(&format!("{}\n", hanging(line, error_columns(), "nexi: ".len())));
}

/// A line with its words kept whole at the edge of a terminal, where there is one.
pub fn hanging(line: String, columns: Option<usize>, hang: usize) -> String {
    match columns {
        Some(columns) => Wrap::hanging(&line, columns, hang),
        None => line,
    }
}

/// How many columns standard output has; none where it is no terminal.
pub fn columns() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// How many rows it has.
pub fn rows() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(_, height)| usize::from(height.0))
}

/// The same of standard error.
pub fn error_columns() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0))
}

/// Text for the person, on standard error, as it is.
pub fn tell(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// What a terminal is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalStyle {
    /// Standard output is a terminal that may be written to as words arrive.
    pub live: bool,
    /// It may be given colours.
    pub colour: bool,
    /// It makes links of addresses behind text.
    pub links: bool,
    /// How many columns it has, where words are to be kept whole.
    pub columns: Option<usize>,
}

impl TerminalStyle {
    /// Follows the terminal, `--plain`, `NO_COLOR` and `TERM=dumb`.
    pub fn of(common: &Common) -> Self {
        let live = std::io::stdout().is_terminal() && !common.plain && !is_dumb();
        Self {
            live,
            colour: live && colours_wanted(),
            links: live && !is_dumb() && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
            columns: columns().filter(|_| live),
        }
    }
}

/// Makes Markdown, however it arrives, what the terminal shows.
pub struct Typesetter {
    looks: TerminalStyle,
    tables: Option<Tables>,
    markup: Option<Markup>,
    wrap: Option<Wrap>,
}

impl Typesetter {
    pub fn new(looks: TerminalStyle) -> Self {
        let wrap = looks.columns.map(Wrap::new);
        let tables = wrap.as_ref().map(|wrap| Tables::new(wrap.width(), looks.colour));
        Self { looks, tables, markup: looks.colour.then(Markup::default), wrap }
    }

    /// The next piece.
    pub fn push(&mut self, text: &str) -> String {
        let text = sanitized(text);
        let text = match &mut self.tables {
            Some(tables) => tables.push(&text),
            None => text,
        };
        self.marked(text)
    }

    /// What was held back.
    pub fn finish(&mut self) -> String {
        let rest = self.tables.as_mut().map(Tables::finish).unwrap_or_default();
        let shown = self.marked(rest);
        let rest = self.markup.as_mut().map(Markup::finish).unwrap_or_default();
        shown + &self.wrapped(rest) + &self.wrap.as_mut().map(Wrap::finish).unwrap_or_default()
    }

    /// Citations lead to these sources from now on.
    pub fn lead_to(&mut self, sources: &[Source]) {
        if let Some(markup) = self.markup.as_mut().filter(|_| self.looks.links) {
            markup.lead_to(sources.iter().map(|source| (source.number, address(&source.url, &source.passages))).collect());
        }
    }

    fn marked(&mut self, text: String) -> String {
        let text = match &mut self.markup {
            Some(markup) => markup.push(&text),
            None => text,
        };
        self.wrapped(text)
    }

    fn wrapped(&mut self, text: String) -> String {
        match &mut self.wrap {
            Some(wrap) => wrap.push(&text),
            None => text,
        }
    }
}

/// Where a source leads: to the passage that is cited of it.
pub fn address(url: &str, passages: &[Passage]) -> String {
    passages.first().map_or_else(|| url.to_owned(), |passage| with_text_fragment(url, &plain(&passage.quote)))
}

/// Whether the environment lets programs use colours.
pub fn colours_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
}

/// Whether the terminal understands nothing but text.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Prints a turn. `shown` is what of its answer already stands on the terminal.
pub async fn print_turn(
    engine: &Engine,
    turn: Turn,
    format: Format,
    looks: TerminalStyle,
    shown: Shown<'_>,
    report_file: Option<&PathBuf>,
) -> Result<()> {
    let report = |turn: Turn| Report { report_file: report_file.map(|path| path.display().to_string()), ..Report::from(turn) };
    match format {
        Format::Json => print_json(&report(turn)),
        Format::Jsonl => print_stream(&StreamLine::Report { report: Box::new(report(turn)) }),
        Format::Markdown | Format::Html => {
            let file = engine.thread_file(&turn.thread, Some(&turn.id)).await?;
            warn(&turn);
            let text = if format == Format::Html { export::html(&file) } else { export::markdown(&file) };
            print_line(sanitized(&text).trim_end())
        }
        Format::Text => {
            warn(&turn);
            let text = text(&turn, looks, shown);
            if text.is_empty() { Ok(()) } else { print(&text) }
        }
    }
}

/// Whether an answer reads differently with marks of how it is supported than as it was sent.
pub fn has_marks(turn: &Turn) -> bool {
    export::labelled_answer(turn).0.trim_end() != turn.ending.answer.trim_end() || turn.ending.check.is_some()
}

/// What of an answer a person has seen before it is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown<'a> {
    Nothing,
    /// It stands on the terminal.
    Text(&'a str),
    /// It stood there, and makes room for the same with marks.
    TakenBack,
}

impl<'a> Shown<'a> {
    /// The words that stand there; none where there are none.
    fn text(self) -> Option<&'a str> {
        match self {
            Shown::Text(text) => Some(text.trim_end()).filter(|text| !text.is_empty()),
            Shown::Nothing | Shown::TakenBack => None,
        }
    }
}

/// The answer, unless it is shown already, its sources, and how well its statements are supported.
fn text(turn: &Turn, looks: TerminalStyle, shown: Shown<'_>) -> String {
    let answer = turn.ending.answer.trim_end();
    let (labelled, legend) = export::labelled_answer(turn);
    let mut parts = Vec::new();
    let mut is_labelled = false;
    match shown.text() {
        Some(shown) if shown == answer => {}
        // What had been shown stays; what reads differently now is listed.
        Some(_) if turn.ending.check.is_some() => parts.extend(corrected(turn).map(|text| sanitized(&text))),
        // Numbers that the model forgot are put in when everything is there.
        Some(_) => {
            parts.push(format!("{}\n\n{}", say!("nexi-terminal-with-sources"), styled(answer, &turn.ending.sources, looks)));
        }
        _ if answer.is_empty() => {}
        _ => {
            is_labelled = true;
            parts.push(styled(labelled.trim_end(), &turn.ending.sources, looks));
            // The reader has already seen the answer stream by, so say what was corrected afterwards.
            if shown == Shown::TakenBack {
                parts.extend(corrected(turn).map(|text| sanitized(&text)));
            }
        }
    }
    let sources = source_lines(&turn.ending, looks);
    let (bold, normal) = if looks.colour { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    if !sources.is_empty() {
        parts.push(format!("{bold}{}{normal}\n{sources}", say!("nexi-terminal-sources")));
    }
    // Of a run that was stopped, what it had read is all there is.
    if turn.ending.state == TurnState::Cancelled && sources.is_empty() && !turn.ending.sources.is_empty() {
        let read = listed(&turn.ending, turn.ending.sources.iter(), looks);
        parts.push(format!("{bold}{}{normal}\n{read}", say!("nexi-terminal-read-so-far")));
    }
    let checked = statements_line(turn).into_iter().chain(legend.filter(|_| is_labelled));
    // What is printed elsewhere is read in peace, with its marks; on a terminal they are explained one by one, too.
    let doubtful = if is_labelled && !looks.live { Vec::new() } else { doubtful(turn, is_labelled) };
    let below = [
        checked.chain(doubtful).collect(),
        newest_source(turn).into_iter().collect(),
        turn.change.as_deref().map(change_lines).unwrap_or_default(),
        opinion_lines(turn),
        export::method_lines(turn),
    ];
    let below = below.iter().filter(|lines: &&Vec<String>| !lines.is_empty());
    parts.extend(below.map(|lines| hanging(sanitized(&lines.join("\n")), looks.columns, 2)));
    if parts.is_empty() {
        return String::new();
    }
    let gap = if shown.text().is_some() { "\n" } else { "" };
    format!("{gap}{}\n", parts.join("\n\n"))
}

/// The statements that a second look changed, as they were and as they are; none where there are none.
fn corrected(turn: &Turn) -> Option<String> {
    let ending = &turn.ending;
    let line = |correction: &Correction| {
        let now = ending.answer.get(correction.start..correction.end).unwrap_or_default();
        let before = plain(&correction.before);
        match correction.kind {
            CorrectionKind::Struck => format!("  {}", say!("nexi-terminal-struck-out", before = before)),
            CorrectionKind::Corrected | CorrectionKind::Recited => {
                format!("  {}\n  {}", say!("nexi-terminal-was", before = before), say!("nexi-terminal-is", after = plain(now)))
            }
        }
    };
    let lines: Vec<String> = ending.check.as_deref()?.corrections.iter().map(line).collect();
    (!lines.is_empty()).then(|| format!("{}\n{}", say!("nexi-terminal-changed"), lines.join("\n")))
}

/// Doubtful statements that are listed below an answer.
const MOST_DOUBTFUL: usize = 8;

/// The statements that are not supported, worst first, with what is wrong with each. Of one without a citation its mark says
/// everything, where it has one.
fn doubtful(turn: &Turn, is_labelled: bool) -> Vec<String> {
    let ending = &turn.ending;
    let is_listed = |statement: &&Statement| match statement.support {
        Support::Supported => false,
        Support::Uncited => !is_labelled,
        _ => true,
    };
    let mut found: Vec<_> = ending.statements.iter().filter(is_listed).collect();
    found.sort_by_key(|statement| std::cmp::Reverse(statement.support));
    let more = found.len().saturating_sub(MOST_DOUBTFUL);
    let line = |statement: &&Statement| {
        let label = support_words(statement.support);
        let words = ending.answer.get(statement.start..statement.end).unwrap_or_default();
        let within = |citation: &&Citation| (statement.start..statement.end).contains(&citation.start);
        let missing: Vec<&str> =
            ending.citations.iter().filter(within).flat_map(|citation| &citation.missing).map(String::as_str).collect();
        let words = truncate_chars(&plain(words), 100);
        let said = match missing.is_empty() {
            true => words,
            false => say!("nexi-terminal-not-in-source", statement = words, missing = missing.join(", ")),
        };
        format!("  {label}: {said}")
    };
    let mut lines: Vec<String> = found.iter().take(MOST_DOUBTFUL).map(line).collect();
    if more > 0 {
        lines.push(format!("  {}", say!("nexi-terminal-more-doubtful", count = more, id = turn.id.as_str())));
    }
    lines
}

/// The cited sources, one on a line, each a link to its passage where the terminal knows links.
pub fn source_lines(ending: &Ending, looks: TerminalStyle) -> String {
    listed(ending, ending.sources.iter().filter(|source| source.cited), looks)
}

/// Sources, one on a line.
fn listed<'a>(ending: &Ending, sources: impl Iterator<Item = &'a Source>, looks: TerminalStyle) -> String {
    let (dim, normal) = if looks.colour { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
    let lines: Vec<String> = sources
        .map(|source| {
            let line = sanitized(&source_text(ending, source));
            let line = linked(&line, looks.links.then(|| address(&source.url, &source.passages)).as_deref());
            format!("{dim}{line}{normal}")
        })
        .collect();
    lines.join("\n")
}

/// Markdown as a terminal shows it, or as plain text.
fn styled(markdown: &str, sources: &[Source], looks: TerminalStyle) -> String {
    let mut typesetter = Typesetter::new(looks);
    typesetter.lead_to(sources);
    let text = if looks.colour { typesetter.push(markdown) } else { typesetter.push(&without_marks(markdown)) };
    text + &typesetter.finish()
}

/// What a person should know before relying on an answer, on standard error.
fn warn(turn: &Turn) {
    cautions(turn).iter().for_each(|line| note(line));
    let ending = &turn.ending;
    // The reason says the same of the incident that decided how the run ended.
    let is_reason =
        |incident: &Incident| !ending.reason.is_empty() && ending.incident.as_ref().is_some_and(|deciding| deciding.is_like(incident));
    let notices = turn.events.iter().filter_map(|envelope| match &envelope.event {
        Event::Notice { notice } => Some(sentences::notice(notice)),
        Event::Incident { incident } if incident.wait().is_none() && !is_reason(incident) => Some(sentences::incident(incident)),
        _ => None,
    });
    let mut told: Vec<String> = Vec::new();
    for line in notices.chain(sentences::reason_told(&ending.reason)) {
        if !told.contains(&line) {
            note(&line);
            told.push(line);
        }
    }
}

/// What is to be said of an answer's citations besides the line of its statements; nothing where all numbers are known.
pub fn cautions(turn: &Turn) -> Vec<String> {
    let citations = &turn.ending.citations;
    let mut out = Vec::new();
    let unknown: BTreeSet<u32> = citations.iter().filter(|citation| !citation.known).map(|citation| citation.number).collect();
    if !unknown.is_empty() {
        let numbers: Vec<String> = unknown.iter().map(|number| format!("[{number}]")).collect();
        out.push(say!("nexi-terminal-no-such-source", numbers = numbers.join(", ")));
    }
    out
}

/// A failure in words that steer no terminal.
pub fn failure(error: &anyhow::Error) -> String {
    // The engine's sentences name their causes themselves.
    let whole = error.is::<nexi_engine::EngineError>() || error.is::<crate::args::Usage>();
    sanitized(&of_this_library(&if whole { error.to_string() } else { format!("{error:#}") }))
}

/// The option that names other data than the usual, as it was given.
static DATA: OnceLock<String> = OnceLock::new();

/// From now on, advice about the library is about the one of this program.
pub fn remember_data(common: &Common) {
    if let Some(path) = &common.data_dir {
        let path = path.display().to_string();
        let is_plain = path.chars().all(|c| c.is_alphanumeric() || "/._-~".contains(c));
        let word = if is_plain { path } else { format!("'{}'", path.replace('\'', "'\\''")) };
        let _ = DATA.set(format!("--data-dir {word}"));
    }
}

/// Advice about the library whose commands can be carried out as they stand there.
pub fn of_this_library(advice: &str) -> String {
    let Some(option) = DATA.get() else { return advice.to_owned() };
    ["doctor --repair", "restore"]
        .iter()
        .fold(advice.to_owned(), |said, command| said.replace(&format!("nexi {command}"), &format!("nexi {option} {command}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_does_not_steer_the_terminal() {
        let json = json_text(&serde_json::to_string("\x1b\u{9b}\u{202e}\u{7f}ä").unwrap());
        assert_eq!(json, "\"\\u001b\\u009b\\u202e\\u007fä\"");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "\x1b\u{9b}\u{202e}\u{7f}ä");
    }
}

//! Printing: answers in four formats, and text that can steer no terminal.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};

use anyhow::{Context, Result};
use nexi_engine::Engine;
use nexi_engine::core::protocol::{Citation, Correction, CorrectionKind, Event, Incident, Statement, Support, Turn};
use nexi_engine::core::text::{plain, truncate_chars};
use nexi_engine::export::{self, CitationStyle};
use nexi_engine::report::{Report, newest_source, opinion_lines, sources_text, statements_line};

use crate::args::{Common, Format};
use crate::markup::{Markup, without_escapes};

/// Writes to standard output. A reader that has seen enough, such as `head`, is no failure.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("the output could not be written"),
    }
}

/// The same with a line break behind it.
pub fn print_line(text: &str) -> Result<()> {
    print(&format!("{text}\n"))
}

/// JSON for scripts.
pub fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print_line(&json_text(&serde_json::to_string_pretty(value)?))
}

/// JSON that steers no terminal, either: what would is written as `\u…`, which means the same.
pub fn json_text(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_harmless(c) { out.push(c) } else { out.push_str(&format!("\\u{:04x}", u32::from(c))) }
    }
    out
}

/// A line for the person, on standard error. Where that is closed, nobody reads it.
pub fn note(text: &str) {
    tell(&format!("nexi: {}\n", harmless(text)));
}

/// Text for the person, on standard error, as it is.
pub fn tell(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// What a terminal is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looks {
    /// Standard output is a terminal that may be written to as words arrive.
    pub live: bool,
    /// It may be given colours.
    pub colour: bool,
}

impl Looks {
    /// Follows the terminal, `--plain`, `NO_COLOR` and `TERM=dumb`.
    pub fn of(common: &Common) -> Self {
        let live = std::io::stdout().is_terminal() && !common.plain;
        Self { live, colour: live && colours_wanted() }
    }
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
pub async fn print_turn(engine: &Engine, turn: Turn, format: Format, looks: Looks, shown: Option<&str>) -> Result<()> {
    match format {
        Format::Json => print_json(&Report::from(turn)),
        Format::Markdown | Format::Html => {
            let file = engine.thread_file(&turn.thread, Some(&turn.id)).await?;
            warn(&turn);
            let format = if format == Format::Html { export::Format::Html } else { export::Format::Markdown };
            print_line(harmless(&export::text(&file, format, CitationStyle::default())).trim_end())
        }
        Format::Text => {
            warn(&turn);
            let text = text(&turn, looks, shown);
            if text.is_empty() { Ok(()) } else { print(&text) }
        }
    }
}

/// The answer, unless it is shown already, its sources, and how well its statements are supported.
fn text(turn: &Turn, looks: Looks, shown: Option<&str>) -> String {
    let answer = turn.ending.answer.trim_end();
    let (labelled, legend) = export::labelled_answer(turn);
    let mut parts = Vec::new();
    let mut is_labelled = false;
    match shown.map(str::trim_end) {
        Some(shown) if shown == answer => {}
        // What had been shown stays; what reads differently now is listed.
        Some(shown) if !shown.is_empty() && turn.ending.check.is_some() => parts.extend(corrected(turn).map(|text| harmless(&text))),
        // Numbers that the model forgot are put in when everything is there.
        Some(shown) if !shown.is_empty() => parts.push(format!("The answer with its sources:\n\n{}", styled(answer, looks))),
        _ if answer.is_empty() => {}
        _ => {
            is_labelled = true;
            parts.push(styled(labelled.trim_end(), looks));
        }
    }
    let sources = sources_text(&turn.ending.sources);
    if !sources.is_empty() {
        let (dim, bold, normal) = if looks.colour { ("\x1b[2m", "\x1b[1m", "\x1b[0m") } else { ("", "", "") };
        let lines: Vec<String> = harmless(&sources).lines().map(|line| format!("{dim}{line}{normal}")).collect();
        parts.push(format!("{bold}Sources:{normal}\n{}", lines.join("\n")));
    }
    let checked = statements_line(turn).into_iter().chain(legend.filter(|_| is_labelled));
    let doubtful = if is_labelled { Vec::new() } else { doubtful(turn) };
    let checked: Vec<String> = checked.chain(doubtful).map(|line| harmless(&line)).collect();
    if !checked.is_empty() {
        parts.push(checked.join("\n"));
    }
    parts.extend(newest_source(turn).map(|line| harmless(&line)));
    let opinion = opinion_lines(turn);
    if !opinion.is_empty() {
        parts.push(harmless(&opinion.join("\n")));
    }
    let method = export::method_lines(turn);
    if !method.is_empty() {
        parts.push(harmless(&method.join("\n")));
    }
    if parts.is_empty() {
        return String::new();
    }
    let gap = if shown.is_some_and(|shown| !shown.trim().is_empty()) { "\n" } else { "" };
    format!("{gap}{}\n", parts.join("\n\n"))
}

/// The statements that a second look changed, as they were and as they are; none where there are none.
fn corrected(turn: &Turn) -> Option<String> {
    let ending = &turn.ending;
    let line = |correction: &Correction| {
        let now = ending.answer.get(correction.start..correction.end).unwrap_or_default();
        let before = plain(&correction.before);
        match correction.kind {
            CorrectionKind::Struck => format!("  struck out: {before}"),
            CorrectionKind::Corrected | CorrectionKind::Recited => format!("  was: {before}\n  now: {}", plain(now)),
        }
    };
    let lines: Vec<String> = ending.check.as_deref()?.corrections.iter().map(line).collect();
    (!lines.is_empty()).then(|| format!("Changed after a second look:\n{}", lines.join("\n")))
}

/// Doubtful statements that are listed below an answer.
const MOST_DOUBTFUL: usize = 8;

/// The statements that are not supported, worst first, with what is wrong with each.
fn doubtful(turn: &Turn) -> Vec<String> {
    let ending = &turn.ending;
    let mut found: Vec<_> = ending.statements.iter().filter(|statement| statement.support != Support::Supported).collect();
    found.sort_by_key(|statement| std::cmp::Reverse(statement.support));
    let more = found.len().saturating_sub(MOST_DOUBTFUL);
    let line = |statement: &&Statement| {
        let label = match statement.support {
            Support::Contradicted => "contradicted",
            Support::NotSupported => "not supported",
            Support::Uncited => "no citation",
            Support::PartlySupported | Support::Supported => "partly supported",
        };
        let words = ending.answer.get(statement.start..statement.end).unwrap_or_default();
        let within = |citation: &&Citation| (statement.start..statement.end).contains(&citation.start);
        let missing: Vec<&str> =
            ending.citations.iter().filter(within).flat_map(|citation| &citation.missing).map(String::as_str).collect();
        let missing = if missing.is_empty() { String::new() } else { format!(" (not in the source: {})", missing.join(", ")) };
        format!("  {label}: {}{missing}", truncate_chars(&plain(words), 100))
    };
    let mut lines: Vec<String> = found.iter().take(MOST_DOUBTFUL).map(line).collect();
    if more > 0 {
        lines.push(format!("  and {more} more: nexi history --show {}", turn.id.as_str()));
    }
    lines
}

/// Markdown as a terminal shows it, or as plain text.
fn styled(markdown: &str, looks: Looks) -> String {
    if looks.colour {
        let mut markup = Markup::default();
        let mut out = markup.push(&harmless(markdown));
        out.push_str(&markup.finish());
        out
    } else {
        harmless(&without_escapes(markdown))
    }
}

/// What a person should know before relying on an answer, on standard error.
fn warn(turn: &Turn) {
    cautions(turn).iter().for_each(|line| note(line));
    let ending = &turn.ending;
    // The reason says the same of the incident that decided how the run ended.
    let is_reason =
        |incident: &Incident| ending.reason.is_some() && ending.incident.as_ref().is_some_and(|deciding| deciding.is_like(incident));
    let notices = turn.events.iter().filter_map(|envelope| match &envelope.event {
        Event::Notice { text } => Some(text.clone()),
        Event::Incident { incident } if incident.wait().is_none() && !is_reason(incident) => Some(incident.to_string()),
        _ => None,
    });
    let mut told: Vec<String> = Vec::new();
    for line in notices.chain(ending.reason.clone()) {
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
        out.push(format!("no source numbered {}; treat that sentence with caution", numbers.join(", ")));
    }
    out
}

/// A failure in words that steer no terminal.
pub fn failure(error: &anyhow::Error) -> String {
    // The engine's sentences name their causes themselves.
    let whole = error.is::<nexi_engine::EngineError>() || error.is::<crate::args::Usage>();
    harmless(&if whole { error.to_string() } else { format!("{error:#}") })
}

/// Answers hold text from anywhere; none of it may steer the terminal.
pub fn harmless(text: &str) -> String {
    text.chars().filter(|c| is_harmless(*c)).collect()
}

/// Not a control, and not a mark that turns the direction of what follows.
fn is_harmless(c: char) -> bool {
    matches!(c, '\n' | '\t') || !(c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

/// The same as one line.
pub fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How long ago something was, as people say it.
pub fn age(then_ms: i64, now_ms: i64) -> String {
    let minutes = now_ms.saturating_sub(then_ms).max(0) / 60_000;
    let ago = |count: i64, unit: &str| format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" });
    match minutes {
        0 => "just now".into(),
        1..60 => ago(minutes, "minute"),
        60..1440 => ago(minutes / 60, "hour"),
        1440..43_200 => ago(minutes / 1440, "day"),
        43_200..525_600 => ago(minutes / 43_200, "month"),
        _ => ago(minutes / 525_600, "year"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_said_as_people_say_them() {
        let minute = 60_000;
        for (minutes, wanted) in [
            (0, "just now"),
            (1, "1 minute ago"),
            (59, "59 minutes ago"),
            (60, "1 hour ago"),
            (2900, "2 days ago"),
            (100_000, "2 months ago"),
            (1_100_000, "2 years ago"),
        ] {
            assert_eq!(age(1_000, 1_000 + minutes * minute), wanted);
        }
        assert_eq!(age(5_000, 1_000), "just now", "clocks are set back");
        assert!(age(i64::MIN, i64::MAX).ends_with("years ago"));
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("a\x1b[2Jb\u{202e}c\r\n\td\u{9b}31m"), "a[2Jbc\n\td31m");
        let json = json_text(&serde_json::to_string("\x1b\u{9b}\u{202e}\u{7f}ä").unwrap());
        assert_eq!(json, "\"\\u001b\\u009b\\u202e\\u007fä\"");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "\x1b\u{9b}\u{202e}\u{7f}ä");
        assert_eq!(one_line(" a\n b\x07 "), "a b");
    }
}

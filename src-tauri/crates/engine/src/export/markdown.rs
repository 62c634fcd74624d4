//! A thread as Markdown.

use crate::clock::local_day;
use crate::sentences;
use nexi_core::markdown::without_html;
use nexi_core::pricing::dollars;
use nexi_core::protocol::{Mode, Source, Turn};
use nexi_core::urls;
use nexi_messages::{decimal, say};
use nexi_store::history::ThreadFile;

use super::csl::{Piece, Token, tokens};
use super::markers::replace;
use super::references::{References, cited};
use super::signs;
use super::{CitationStyle, change, line, method, opinion};
use crate::report;

pub(super) fn text(file: &ThreadFile, style: CitationStyle) -> String {
    let references = References::new(file, style);
    let single = file.turns.len() == 1;
    let mut out = String::new();
    if !single {
        out.push_str(&format!("# {}\n\n", line(&file.title)));
    }
    for (index, turn) in file.turns.iter().enumerate() {
        let mark = if single { "#" } else { "##" };
        out.push_str(&format!("{mark} {}\n\n", line(&turn.question)));
        out.push_str(&answer(turn, index, style, &references));
        out.push_str("\n\n");
        if let Some(reason) = sentences::reason_told(&turn.ending.reason) {
            out.push_str(&format!("> {}\n\n", line(&reason)));
        }
        let checked: Vec<String> =
            report::statements_line(turn).into_iter().chain(signs::legend(&turn.ending, signs::Signs::Doubts)).collect();
        if !checked.is_empty() {
            out.push_str(&format!("{}\n\n", checked.join("  \n")));
        }
        out.push_str(&list(turn, index, style, &references));
        let below = if single { "##" } else { "###" };
        for section in [change::change(turn, below), method::method(turn, below), opinion::opinion(turn, below)]
            .iter()
            .filter(|section| !section.is_empty())
        {
            out.push_str(&format!("{}\n\n", section.trim_end()));
        }
        out.push_str(&format!("*{}*\n\n", facts(turn)));
    }
    out.trim_end().to_owned() + "\n"
}

fn answer(turn: &Turn, index: usize, style: CitationStyle, references: &References) -> String {
    let answer = &without_html(signs::labelled(&turn.ending, signs::Signs::Doubts).trim());
    let known = |number: &u32| turn.ending.sources.iter().any(|source| source.number == *number);
    match style {
        CitationStyle::Numbered => answer.to_owned(),
        CitationStyle::Footnotes => replace(answer, |numbers| {
            numbers.iter().all(known).then(|| numbers.iter().map(|number| format!("[^{}]", label(index, *number))).collect())
        }),
        CitationStyle::AuthorDate | CitationStyle::Apa | CitationStyle::Mla | CitationStyle::Chicago => {
            replace(answer, |numbers| references.in_text(numbers).map(|text| prose(&text)))
        }
    }
}

/// Notes of several answers must not have the same name: sources are numbered by thread.
fn label(index: usize, number: u32) -> String {
    if index == 0 { number.to_string() } else { format!("{}-{number}", index + 1) }
}

fn list(turn: &Turn, index: usize, style: CitationStyle, references: &References) -> String {
    let cited = cited(&turn.ending.sources, style, references);
    if cited.is_empty() {
        return String::new();
    }
    let address = |source: &Source| match urls::opens_nothing(&source.url) {
        true => String::new(),
        false => format!(" <{}>", source.url.replace(['<', '>'], "")),
    };
    let entry = |source: &&Source| {
        if let Some(pieces) = references.entry(source.number) {
            return format!("- {}", styled(pieces, &source.url));
        }
        let long = line(&references.long(source));
        match style {
            CitationStyle::Numbered => format!("- [{}] {long}.{}", source.number, address(source)),
            CitationStyle::Footnotes => format!("[^{}]: {long}.{}", label(index, source.number), address(source)),
            _ => format!("- {}: {long}.{}", line(references.short(source.number)), address(source)),
        }
    };
    let lines: Vec<String> = cited.iter().map(entry).collect();
    let heading = if style == CitationStyle::Footnotes { String::new() } else { format!("**{}**\n\n", say!("answers-sources")) };
    format!("{heading}{}\n\n", lines.join("\n"))
}

/// Words on one line, in which an ampersand between names stays one.
fn prose(text: &str) -> String {
    line(text).replace("\\& ", "& ")
}

/// An entry of a published style.
fn styled(pieces: &[Piece], url: &str) -> String {
    let mut out = String::new();
    for token in tokens(pieces, url) {
        let (text, mark) = match token {
            Token::Address(address) => {
                out.push_str(&format!("<{}>", address.replace(['<', '>'], "")));
                continue;
            }
            Token::Words(text) => (text, ""),
            Token::Italic(text) => (text, "*"),
        };
        let core = text.trim();
        if core.is_empty() {
            out.push_str(text);
            continue;
        }
        // Space inside the marks would keep them from being marks.
        let at = text.find(core).unwrap_or_default();
        out.push_str(&format!("{}{mark}{}{mark}{}", &text[..at], prose(core), &text[at + core.len()..]));
    }
    out
}

/// When, by whom and at what price an answer was made.
pub(super) fn facts(turn: &Turn) -> String {
    let mut parts =
        vec![local_day(turn.asked_ms), sentences::model_name(&turn.model), say!("answers-effort", effort = turn.effort.as_str())];
    if turn.mode == Mode::Deep {
        parts.push(say!("answers-deep"));
    }
    parts.push(say!("answers-seconds", count = decimal(turn.duration_ms as f64 / 1000.0, 1)));
    if turn.ending.usage.cost > 0 {
        parts.push(dollars(turn.ending.usage.cost));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" · ")
}

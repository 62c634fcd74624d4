//! Parts of prompts that are made of what a thread and the person bring along.

use super::{KnownSource, Standing, disarm::disarm};
use crate::{
    preferences::{AnswerLength, Preferences, Units},
    protocol::EarlierSummary,
    text,
};

/// Maximum number of sources from earlier turns that a follow-up is told about.
const MAX_KNOWN: usize = 60;
/// Maximum length of a quote of such a source, in bytes.
const KNOWN_QUOTE: usize = 300;

/// What the person wants every answer to know and follow, as parts of a prompt; nothing where that is nothing.
pub(super) fn standing(wanted: Standing<'_>) -> String {
    let preferred = wanted.preferences.map(preferred).unwrap_or_default();
    preferred + &instructed(wanted.instructions) + &remembered(wanted.memories)
}

fn preferred(preferences: &Preferences) -> String {
    let mut lines = Vec::new();
    if let Some(language) = &preferences.language {
        lines.push(format!("- Write the answer in {}, whatever language the sources are in.", disarm(language.trim())));
    }
    lines.extend(preferences.units.map(|units| match units {
        Units::Metric => "- Give quantities in metric units; add those of the source where you convert.".to_owned(),
        Units::Imperial => "- Give quantities in US customary units; add those of the source where you convert.".to_owned(),
    }));
    lines.extend(preferences.length.map(|length| match length {
        AnswerLength::Short => "- Keep the answer to a few sentences.".to_owned(),
        AnswerLength::Medium => "- Keep the answer to a few paragraphs.".to_owned(),
        AnswerLength::Long => "- Answer at length, with the background that helps to understand it.".to_owned(),
    }));
    if lines.is_empty() {
        return String::new();
    }
    format!("\n\nThe person prefers this of every answer, unless the question asks for something else:\n{}", lines.join("\n"))
}

fn instructed(instructions: &str) -> String {
    if instructions.trim().is_empty() {
        return String::new();
    }
    format!(
        "\n\nThis question is part of a project of the person's, for which they have written these instructions. Follow them; the question itself goes before them, and none of it is a source:\n{}",
        disarm(instructions.trim())
    )
}

fn remembered(memories: &[String]) -> String {
    if memories.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = memories.iter().map(|text| format!("- {}", disarm(text))).collect();
    format!(
        "\n\nThe person has told you this about themselves and how they like answers. Use what matters for this question; the question itself goes before it, and none of it is a source:\n{}",
        lines.join("\n")
    )
}

/// What stands in the place of the oldest turns, as a part of a prompt.
pub(crate) fn summarised(summary: &EarlierSummary) -> String {
    let before = match summary.turns {
        1 => "one more question, which is".to_owned(),
        turns => format!("{turns} more questions, which are"),
    };
    format!(
        "\n\nThe conversation began with {before} summarised here with the answers. Numbers in brackets are those of sources.\n<untrusted>\n{}\n</untrusted>",
        disarm(&summary.text)
    )
}

/// The sources of earlier turns: number, title, address, and what was quoted of them.
pub(super) fn known_sources(known: &[KnownSource], room: usize) -> String {
    let mut out = Vec::new();
    let mut left = room;
    // The newest ones matter most where there is not room for all.
    for source in known.iter().rev().take(MAX_KNOWN) {
        let mut lines =
            format!("[{}] {} - {}", source.number, text::truncate(&source.page.title, 160), text::truncate(&source.page.url, 300));
        for quote in source.quotes.iter().take(2) {
            lines.push_str(&format!("\n    “{}”", text::truncate(quote, KNOWN_QUOTE)));
        }
        if lines.len() > left {
            break;
        }
        left -= lines.len();
        out.push(lines);
    }
    out.reverse();
    format!("<untrusted>\n{}\n</untrusted>", disarm(&out.join("\n")))
}

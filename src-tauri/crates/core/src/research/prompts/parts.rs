//! Parts of prompts that are made of what a thread and the person bring along.

use super::{KnownSource, disarm::disarm};
use crate::{protocol::EarlierSummary, text};

/// How many sources of earlier turns a follow-up is told about, at most.
const MAX_KNOWN: usize = 60;
/// Maximum length of a quote of such a source, in bytes.
const KNOWN_QUOTE: usize = 300;

/// What the person wants remembered, as a part of a prompt; nothing where that is nothing.
pub(super) fn remembered(memories: &[String]) -> String {
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

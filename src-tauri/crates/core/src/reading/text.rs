//! Text as blocks and sentences, always as byte ranges of the text they come from.

use std::ops::Range;
use std::time::Duration;

mod plain;
mod sentences;

pub use plain::{SENTENCE_ENDS, plain, without_struck};
pub use sentences::{block_sentences, is_lines, names_value, sentences};

/// What a block of Markdown or plain text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    Heading,
    Paragraph,
    ListItem,
    TableRow,
    Code,
}

/// A run of lines that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Bytes of the text, without the line break at the end.
    pub range: Range<usize>,
}

/// What led to an error, without the words of those who only pass it on, and without the numbers of the system.
pub fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut at = error;
    while let Some(inner) = at.source() {
        at = inner;
    }
    let said = at.to_string();
    // What a resolver says differs from system to system.
    if said.starts_with("failed to lookup address information") {
        let is_away = said.contains("Temporary failure");
        return if is_away { "no name server could be asked" } else { "its address was not found" }.to_owned();
    }
    said.split(" (os error ").next().unwrap_or(&said).to_owned()
}

/// How many bytes the YAML between lines of dashes takes at the beginning of a note; 0 where there is none.
pub fn front_matter(text: &str) -> usize {
    /// Lines that it may have.
    const MAX_LINES: usize = 200;
    let mut length = 0;
    for (index, line) in text.split_inclusive('\n').take(MAX_LINES).enumerate() {
        length += line.len();
        match (index, line.trim_end()) {
            (0, "---") => {}
            (0, _) => return 0,
            (_, "---" | "...") => return length,
            // A rule and a paragraph below it.
            (_, line) if !line.is_empty() && !line.contains(':') && !line.starts_with([' ', '-', '#']) => return 0,
            _ => {}
        }
    }
    0
}

/// Splits Markdown or plain text into blocks. Linear in the length of the text.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut fence: Option<&str> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let bare = line.trim_end();
        let end = start + bare.len();
        let trimmed = bare.trim_start();
        if let Some(mark) = fence {
            let done = trimmed.starts_with(mark);
            extend(&mut open, BlockKind::Code, start, end);
            if done {
                fence = None;
                out.extend(open.take());
            }
            continue;
        }
        if trimmed.is_empty() {
            out.extend(open.take());
            continue;
        }
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            out.extend(open.take());
            fence = Some(&trimmed[..3]);
            open = Some(Block { kind: BlockKind::Code, range: start..end });
            continue;
        }
        let kind = line_kind(trimmed);
        match kind {
            BlockKind::Heading | BlockKind::TableRow => {
                out.extend(open.take());
                out.push(Block { kind, range: start..end });
            }
            BlockKind::ListItem => {
                out.extend(open.take());
                open = Some(Block { kind, range: start..end });
            }
            _ => extend(&mut open, BlockKind::Paragraph, start, end),
        }
    }
    out.extend(open);
    out
}

/// The block that byte `at` stands in, found by the blank lines around it: fences of code that are farther away are not seen.
pub fn block_around(text: &str, at: usize) -> Option<Block> {
    let start = text[..at].rfind("\n\n").map_or(0, |end| end + 2);
    let end = text[at..].find("\n\n").map_or(text.len(), |length| at + length);
    let here = blocks(&text[start..end]).into_iter().find(|block| block.range.end > at - start)?;
    Some(Block { range: here.range.start + start..here.range.end + start, ..here })
}

fn extend(open: &mut Option<Block>, kind: BlockKind, start: usize, end: usize) {
    match open {
        Some(block) => block.range.end = end.max(block.range.end),
        None => *open = Some(Block { kind, range: start..end }),
    }
}

fn line_kind(trimmed: &str) -> BlockKind {
    let hashes = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes) && trimmed[hashes..].starts_with(' ') {
        return BlockKind::Heading;
    }
    if trimmed.starts_with('|') {
        return BlockKind::TableRow;
    }
    let mut chars = trimmed.chars();
    if matches!(chars.next(), Some('-' | '*' | '+' | '•')) && chars.next() == Some(' ') {
        return BlockKind::ListItem;
    }
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) && (trimmed[digits..].starts_with(". ") || trimmed[digits..].starts_with(") ")) {
        return BlockKind::ListItem;
    }
    BlockKind::Paragraph
}

/// White space folded to single blanks, ends trimmed.
pub fn fold_space(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// The largest index not above `at` that is a character boundary.
pub fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// `1 thread`, `2 threads`, `2 deliveries`.
pub fn count(number: u64, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if number == 1 => format!("{number} {what}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ => format!("{number} {what}s"),
    }
}

/// Somebody's words as a sentence: with a full stop where they have no end of their own.
pub fn ended(words: &str) -> String {
    let words = words.trim_end();
    let has_end = words.ends_with(['.', '!', '?', '…', ':', '"', '”']);
    if has_end || words.is_empty() { words.to_owned() } else { format!("{words}.") }
}

/// The pause that a sentence asks for, such as "Please try again in 1m20.5s"; seconds where it names no unit.
pub fn pause_in(text: &str) -> Option<Duration> {
    const BEFORE: [&str; 5] = ["try again in ", "retry in ", "retry after ", "available in ", "retry_after_seconds "];
    let lower = text.to_ascii_lowercase();
    BEFORE.iter().find_map(|words| leading_pause(&lower[lower.find(words)? + words.len()..]))
}

/// The times that a text begins with, added up.
fn leading_pause(mut rest: &str) -> Option<Duration> {
    let mut pause = None;
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let Ok(number) = rest[..digits].trim_end_matches('.').parse::<f64>() else { return pause };
        rest = rest[digits..].trim_start();
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let seconds = match &rest[..letters] {
            "ms" | "milliseconds" => 0.001,
            "" | "s" | "sec" | "second" | "seconds" => 1.0,
            "m" | "min" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            _ => return pause,
        };
        let more = Duration::try_from_secs_f64(number * seconds).ok()?;
        pause = Some(pause.unwrap_or(Duration::ZERO).saturating_add(more));
        if letters == 0 {
            return pause;
        }
        rest = rest[letters..].trim_start();
    }
}

/// The day of a moment in Unix milliseconds, as `YYYY-MM-DD`, by the usual arithmetic of civil days.
pub fn day_of_ms(ms: i64) -> String {
    let days = ms.div_euclid(86_400_000) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The beginning of a text, of at most so many bytes, cut between characters.
pub fn truncate_bytes(text: &str, most: usize) -> &str {
    &text[..floor_char(text, most.min(text.len()))]
}

/// At most `max` bytes, cut at a character boundary and marked with an ellipsis where cut.
pub fn truncate(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    format!("{}…", text[..floor_char(text, max)].trim_end())
}

/// A text without the reasoning in `<think>` that some models put in front even of their answer.
pub fn without_thinking(text: &str) -> &str {
    for tag in ["think", "thinking", "reasoning"] {
        if text.starts_with(&format!("<{tag}>"))
            && let Some((_, rest)) = text.split_once(&format!("</{tag}>"))
        {
            return rest.trim();
        }
    }
    text
}

/// At most `max` characters, marked with an ellipsis where cut.
pub fn truncate_chars(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// What stands between these pairs of quotation marks, pair by pair.
pub fn quoted<'a>(text: &'a str, marks: &[(char, char)]) -> Vec<&'a str> {
    let mut out = Vec::new();
    for (open, close) in marks {
        let mut rest = text;
        while let Some(start) = rest.find(*open) {
            let inner = &rest[start + open.len_utf8()..];
            let Some(end) = inner.find(*close) else { break };
            out.push(&inner[..end]);
            rest = &inner[end + close.len_utf8()..];
        }
    }
    out
}

/// The words of a text without what separates them, one blank between two and one at both ends, so
/// that a phrase between blanks is found as whole words.
pub fn spaced_words(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

/// Whether a word begins with a capital.
pub fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// How many words a text has.
pub fn word_count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The line of `text` (from 1) that byte `at` stands in, mapped by `lines` where it is not empty.
pub fn line_of(text: &str, lines: &[u32], at: usize) -> u32 {
    let index = text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count();
    let plain = u32::try_from(index).unwrap_or(u32::MAX - 1) + 1;
    lines.get(index).or(lines.last()).copied().unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_yaml_between_lines_of_dashes() {
        let yaml = "---\ntitle: Organ\ntags:\n  - repair\n---\n";
        assert_eq!(front_matter(&format!("{yaml}The organ plays.")), yaml.len());
        assert_eq!(front_matter("---\n\nA rule, and a sentence below it.\n\n---\n"), 0);
        assert_eq!((front_matter("The organ.\n---\n"), front_matter("---\ntitle: x\n"), front_matter("")), (0, 0, 0));
    }

    #[test]
    fn pauses_are_read_from_sentences() {
        for (text, wanted) in [
            ("Please try again in 20s.", Some(20.0)),
            ("Please try again in 1m20.5s. Visit", Some(80.5)),
            ("please retry in 250ms", Some(0.25)),
            ("Rate limited: retry after 53, resets at noon", Some(53.0)),
            ("Available in 2 hours", Some(7200.0)),
            ("try again in a while, or retry after 5 seconds", Some(5.0)),
            ("available in 30 regions", None),
            ("try again in a while", None),
            ("nothing of the kind", None),
        ] {
            assert_eq!(pause_in(text).map(|pause| pause.as_secs_f64()), wanted, "{text}");
        }
    }

    #[test]
    fn moments_have_days() {
        for (ms, day) in [
            (0, "1970-01-01"),
            (951_782_400_000, "2000-02-29"),
            (1_715_904_000_000, "2024-05-17"),
            (-1, "1969-12-31"),
            (4_102_444_799_999, "2099-12-31"),
        ] {
            assert_eq!(day_of_ms(ms), day);
        }
    }

    #[test]
    fn lines_are_mapped() {
        let text = "a\nbb\nccc";
        assert_eq!(line_of(text, &[], 5), 3);
        assert_eq!(line_of(text, &[10, 20, 30], 2), 20);
    }

    #[test]
    fn truncation_keeps_characters_whole() {
        assert_eq!(truncate("äöü", 3), "ä…");
        assert_eq!(truncate("abc", 3), "abc");
        assert_eq!(without_thinking("<think>\nhm\n</think>\n\nYes [1]."), "Yes [1].");
        assert_eq!(without_thinking("Use `<think>`."), "Use `<think>`.");
    }
}

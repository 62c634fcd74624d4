//! `[n]` in an answer: where they stand and which sentence they belong to.

pub mod detect;
mod find;
mod number;
pub mod statements;

use std::ops::Range;

pub use find::{Piece, citations, marks, surviving, with_marks};
pub use number::{Arriving, Numbered, order, renumber};

use crate::{
    rank::terms,
    text::{self, Block},
};

/// Numbers in one pair of brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Bytes of the text, brackets included.
    pub range: Range<usize>,
    pub numbers: Vec<u32>,
}

/// A number above this is a year or a footnote of somebody else, not one of our sources.
const MAX_NUMBER: u32 = 999;

/// The markers in plain text, wherever they stand: `[1]`, `[1,2]`, `[1, 2]`, `[1-3]`, `[1–3]`. A bracket that is
/// followed by `(` is a link, not a marker.
pub fn markers(text: &str) -> Vec<Marker> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find(['[', '【', '［']).map(|at| at + from) {
        let bracket = text[open..].chars().next().unwrap_or('[');
        from = open + bracket.len_utf8();
        let closing = match bracket {
            '【' => '】',
            '［' => '］',
            _ => ']',
        };
        // Longer brackets hold no numbers of ours.
        let window = &text[from..text::floor_char(text, from + 61)];
        let Some(close) = window.find(closing).map(|at| at + from) else { continue };
        let end = close + closing.len_utf8();
        if text[end..].starts_with('(') || close - from > 60 {
            continue;
        }
        // What stands behind a dagger tells the place in the source.
        let inside = text[from..close].split('†').next().unwrap_or_default();
        if let Some(numbers) = numbers(inside) {
            out.push(Marker { range: open..end, numbers });
            from = end;
        }
    }
    out
}

/// The numbers of one bracket's inside, or none if it holds anything else.
fn numbers(inside: &str) -> Option<Vec<u32>> {
    let mut out = Vec::new();
    for part in inside.split([',', ';']) {
        let part = part.trim().trim_start_matches('^');
        if let Some((first, last)) = part.split_once(['-', '–']) {
            let (first, last) = (number(first)?, number(last)?);
            if first > last || last - first > 30 {
                return None;
            }
            out.extend(first..=last);
        } else {
            out.push(number(part)?);
        }
    }
    (!out.is_empty()).then_some(out)
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    let plain = !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().filter(|number| (1..=MAX_NUMBER).contains(number))
}

/// Content words that a clause needs to stand for itself.
const CLAUSE: usize = 3;

/// For each marker what it is a citation of, as plain text without markers: the sentence before it;
/// in a sentence with several markers the clause since the one before; the sentence around it where
/// nothing is said before it. A quotation in “ ” right before the marker is taken whole, however
/// many sentences it has.
pub fn sentences_of(answer: &str, markers: &[Marker]) -> Vec<String> {
    let found = raw_sentences_of(answer, markers);
    found.iter().map(|sentence| without_marks(sentence)).collect()
}

/// Without the number of a list item and without addresses, whose numbers are no claims.
fn without_marks(sentence: &str) -> String {
    let digits = sentence.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &sentence[digits..];
    let body =
        if (1..=3).contains(&digits) && (rest.starts_with(") ") || rest.starts_with(". ")) { rest[2..].trim_start() } else { sentence };
    if !body.contains("://") {
        return body.to_owned();
    }
    body.split_whitespace().filter(|word| !word.contains("://")).collect::<Vec<_>>().join(" ")
}

fn raw_sentences_of(answer: &str, markers: &[Marker]) -> Vec<String> {
    let blocks = text::blocks(answer);
    let mut out: Vec<String> = Vec::with_capacity(markers.len());
    for (index, marker) in markers.iter().enumerate() {
        let place = blocks.partition_point(|block| block.range.end <= marker.range.start);
        let Some(block) = blocks.get(place).filter(|block| block.range.contains(&marker.range.start)) else {
            out.push(String::new());
            continue;
        };
        let before = index.checked_sub(1).map(|index| &markers[index]).filter(|before| before.range.start >= block.range.start);
        let sentence = match before {
            // Markers side by side are citations of the same.
            Some(before) if are_beside(answer, before, marker) => out[index - 1].clone(),
            _ => sentence_before(answer, block, marker, before),
        };
        out.push(sentence);
    }
    out
}

/// Whether no word stands between two markers.
fn are_beside(answer: &str, before: &Marker, marker: &Marker) -> bool {
    !answer[before.range.end..marker.range.start].contains(char::is_alphanumeric)
}

fn sentence_before(answer: &str, block: &Block, marker: &Marker, before: Option<&Marker>) -> String {
    let bare = without_markers(&answer[block.range.start..marker.range.start]);
    // A quotation of several sentences is one claim.
    if bare.trim_end().ends_with('”')
        && let Some(open) = bare.rfind('“')
    {
        let from = text::sentences(&bare).into_iter().rfind(|range| range.start <= open).map_or(open, |range| range.start);
        return text::plain(&bare[from..]);
    }
    let Some(last) = text::sentences(&bare).pop() else { return sentence_around(answer, block, marker) };
    let sentence = text::plain(&bare[last.clone()]);
    if let Some(before) = before {
        let place = without_markers(&answer[block.range.start..before.range.start]).trim_end().len();
        let clause = text::plain(&answer[before.range.end..marker.range.start]);
        let clause = clause.trim_start_matches([',', ';', ':', '.', ' ']);
        if last.start < place && terms::content_words(clause).len() >= CLAUSE {
            return clause.to_owned();
        }
        // "in 1900 [1] and in 1907 [2]": what is said stands in front, but the first year is not
        // what the second source has to hold.
        if last.start < place && clause.contains(char::is_alphanumeric) {
            return format!("{} {clause}", without_facts(&text::plain(&bare[last.start..place.min(bare.len())])));
        }
    }
    if terms::content_words(&sentence).len() < 2 { sentence_around(answer, block, marker) } else { sentence }
}

/// A text without its numbers and names.
fn without_facts(text: &str) -> String {
    let kept = text.split_whitespace().enumerate().filter(|(index, word)| {
        let is_name = *index > 0 && word.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(char::is_uppercase);
        !is_name && !word.contains(|c: char| c.is_ascii_digit())
    });
    kept.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// The whole sentence that a marker stands in.
fn sentence_around(answer: &str, block: &Block, marker: &Marker) -> String {
    let place = without_markers(&answer[block.range.start..marker.range.start]).trim_end().len();
    let bare = without_markers(&answer[block.range.clone()]);
    let found = text::sentences(&bare).into_iter().find(|range| range.end >= place);
    found.map(|range| text::plain(&bare[range])).unwrap_or_default()
}

fn without_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for marker in markers(text) {
        out.push_str(&text[at..marker.range.start]);
        at = marker.range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// A text without these citations and the blanks in front of them.
pub fn without(text: &str, markers: &[Marker]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for marker in markers {
        out.push_str(text[at..marker.range.start].trim_end_matches(' '));
        at = marker.range.end;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn found(text: &str) -> Vec<u32> {
        citations(text).into_iter().flat_map(|marker| marker.numbers).collect()
    }

    #[test]
    fn all_forms_are_understood() {
        assert_eq!(found("A 【1】 and ［2］ and [3†L3-L5]."), [1, 2, 3]);
        assert_eq!(found("A [1]. B [2, 3]; C [4][5] and D [6-8] or E [9–10]."), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }

    #[test]
    fn links_code_and_years_are_no_citations() {
        assert_eq!(found("[1](https://e.org) `a[1]` [2024] [x] [] [1-900]\n\n```\nb[2]\n```\n[3]: https://e.org\n"), [] as [u32; 0]);
    }

    #[test]
    fn a_marker_belongs_to_the_sentence_before_it() {
        let answer = "First claim.[1] Second **claim** here [2][3].\n\n- A point. [4]";
        let of = |answer: &str| sentences_of(answer, &citations(answer));
        assert_eq!(of(answer), ["First claim.", "Second claim here", "Second claim here", "A point."]);
        let answer = "They say: “One is here. Two is there.” [1]";
        assert_eq!(of(answer), ["They say: “One is here. Two is there.”"]);
        // Several claims in one sentence, and a marker in front of its claim.
        let answer = "The bridge was opened in 1931 [1], and the museum beside it followed in 1950 [2][3].";
        assert_eq!(of(answer)[0], "The bridge was opened in 1931");
        assert_eq!(of(answer)[1..], ["and the museum beside it followed in 1950", "and the museum beside it followed in 1950"]);
        assert_eq!(of("1) The wall was built in 1832 (https://e.org/12345) [1]."), ["The wall was built in 1832"]);
        assert_eq!(of("The lamp was changed in 1900 [1] and in 1907 [2].")[1], "The lamp was changed in and in 1907");
        assert_eq!(of("According to [1], the bridge was opened in 1931."), ["According to , the bridge was opened in 1931."]);
    }
}

//! The statements of an answer: sentences that say something which can be true or false.

use std::ops::Range;

use super::{Marker, are_beside};
use crate::{
    rank::terms,
    reading::{Citation, Statement, Support},
    text::{self, Block, BlockKind},
};

/// Statements of one answer that are looked at.
pub(crate) const MAX_STATEMENTS: usize = 2000;
/// Content words that a statement has at least.
const CONTENT: usize = 3;

/// Beginnings of sentences about the search instead of the world.
const ABOUT_THE_SEARCH: &[&str] = &[
    "no source",
    "none of the sources",
    "the sources do not",
    "the sources don't",
    "the sources give no",
    "i found no",
    "i could not",
    "i couldn't",
    "nothing was found",
    "here is",
    "here are",
    "also in the sources",
    "the closest passages",
    "also found",
    "none of the searches",
    "the searches had no",
    "there were results, but",
    "keine quelle",
    "keine der quellen",
    "die quellen nennen kein",
    "die quellen geben kein",
    "ich habe nichts",
    "ich habe keine",
    "ich habe zu dieser frage nichts",
    "ich konnte",
    "es wurde nichts gefunden",
    "hier ist",
    "hier sind",
    "außerdem in den quellen",
    "keine der suchen",
    "die suchen hatten keine",
    "es gab ergebnisse, aber",
];

/// A statement before its citations have been looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementDraft {
    /// Bytes of the answer, its citations included.
    pub range: Range<usize>,
    /// As plain text without citations.
    pub text: String,
    /// Indices of the markers that belong to it.
    pub markers: Vec<usize>,
    /// Indices of the markers that follow it in its paragraph.
    pub later: Vec<usize>,
}

/// The statements of an answer with the markers that belong to each.
pub fn statements(answer: &str, markers: &[Marker]) -> Vec<StatementDraft> {
    let bare = blanked(answer, markers);
    // Of the answer as it is: without its last citation, a block would end before it.
    let blocks = text::blocks(answer);
    let mut out: Vec<StatementDraft> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        if matches!(block.kind, BlockKind::Code | BlockKind::Heading) || is_header(&bare, &blocks, index) {
            continue;
        }
        let first = markers.partition_point(|marker| marker.range.start < block.range.start);
        let inside: Vec<usize> = (first..markers.partition_point(|marker| marker.range.start < block.range.end)).collect();
        let sentences: Vec<Range<usize>> = match block.kind {
            // Cells have no full stops; a row says one thing.
            BlockKind::TableRow => vec![row(&bare, block)],
            _ => whole_quotations(&bare, text::block_sentences(&bare, block)).into_iter().map(|range| without_lead(&bare, range)).collect(),
        };
        for (place, sentence) in sentences.iter().enumerate() {
            let next = sentences.get(place + 1).map_or(block.range.end, |next| next.start);
            let from = if place == 0 { block.range.start } else { sentence.start };
            // What stands between two sentences belongs to the one before it.
            let own: Vec<usize> = inside.iter().copied().filter(|at| (from..next).contains(&markers[*at].range.start)).collect();
            let later: Vec<usize> = inside.iter().copied().filter(|at| markers[*at].range.start >= next).collect();
            let text = text::plain(&bare[sentence.clone()]);
            if own.is_empty() && (!says_something(&text) || is_struck(&bare[sentence.clone()])) {
                continue;
            }
            let end = own.iter().map(|at| markers[*at].range.end).max().unwrap_or(0).max(sentence.end);
            out.push(StatementDraft { range: sentence.start..end, text, markers: own, later });
            if out.len() >= MAX_STATEMENTS {
                return out;
            }
        }
    }
    out
}

/// The statements of an answer from what was found for its citations; `covers` tells whether one of these markers'
/// sources supports a text, for sentences whose citation stands at the end of their paragraph.
pub fn judged(answer: &str, markers: &[Marker], citations: &[Citation], mut covers: impl FnMut(&str, &[usize]) -> bool) -> Vec<Statement> {
    let of = |marker: usize| citations.iter().filter(move |citation| citation.start == markers[marker].range.start);
    statements(answer, markers)
        .into_iter()
        .filter_map(|said| {
            let support = if said.markers.is_empty() {
                let is_covered = !said.later.is_empty() && covers(&said.text, &said.later);
                if is_covered { Support::Supported } else { Support::Uncited }
            } else {
                let groups = grouped(answer, markers, &said.markers);
                let best =
                    groups.iter().filter_map(|group| group.iter().flat_map(|marker| of(*marker)).map(|citation| citation.support).min());
                best.max()?
            };
            Some(Statement { start: said.range.start, end: said.range.end, support })
        })
        .collect()
}

/// The sentences of one quotation are one statement: its source says all of them. What is never closed is none.
fn whole_quotations(text: &str, sentences: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let last_close = sentences.last().map_or(0, |last| text[..last.end].rfind('”').unwrap_or(0));
    let mut out: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
    let mut opened_by: Option<char> = None;
    for sentence in sentences {
        let joins = opened_by == Some('“') && sentence.start <= last_close;
        for c in text[sentence.clone()].chars() {
            opened_by = match (c, opened_by) {
                // German quotations end with the mark that English ones begin with.
                ('“', Some('„')) | ('”', _) => None,
                ('“' | '„', _) => Some(c),
                (_, open) => open,
            };
        }
        match out.last_mut().filter(|_| joins) {
            Some(last) => last.end = sentence.end,
            None => out.push(sentence),
        }
    }
    out
}

/// Markers that stand side by side are citations of the same words.
fn grouped(answer: &str, markers: &[Marker], of: &[usize]) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    for &marker in of {
        let before = out.last().and_then(|group| group.last());
        let is_beside = before.is_some_and(|before| are_beside(answer, &markers[*before], &markers[marker]));
        match out.last_mut().filter(|_| is_beside) {
            Some(group) => group.push(marker),
            None => out.push(vec![marker]),
        }
    }
    out
}

/// The answer with blanks in place of its citations, so that places stay the same.
fn blanked(answer: &str, markers: &[Marker]) -> String {
    let mut out = String::with_capacity(answer.len());
    let mut at = 0;
    for marker in markers {
        out.push_str(&answer[at..marker.range.start]);
        out.extend(std::iter::repeat_n(' ', marker.range.len()));
        at = marker.range.end;
    }
    out.push_str(&answer[at..]);
    out
}

/// Whether a row is the head of its table.
fn is_header(text: &str, blocks: &[Block], index: usize) -> bool {
    let is_rule = |block: &Block| block.kind == BlockKind::TableRow && !text[block.range.clone()].contains(char::is_alphanumeric);
    blocks[index].kind == BlockKind::TableRow && (is_rule(&blocks[index]) || blocks.get(index + 1).is_some_and(is_rule))
}

/// A row without the bars around it.
fn row(text: &str, block: &Block) -> Range<usize> {
    let body = &text[block.range.clone()];
    let start = block.range.start + (body.len() - body.trim_start_matches(['|', ' ']).len());
    let end = block.range.start + body.trim_end_matches(['|', ' ']).len();
    start.min(end)..end
}

/// A sentence without the mark of its list item or quotation.
fn without_lead(text: &str, range: Range<usize>) -> Range<usize> {
    let mut rest = &text[range.clone()];
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let shorter = ["- ", "* ", "+ ", "• ", "> ", ">", "[ ] ", "[x] "].iter().find_map(|mark| rest.strip_prefix(mark)).or_else(|| {
            let behind = &rest[digits..];
            (1..=3).contains(&digits).then(|| behind.strip_prefix(". ").or_else(|| behind.strip_prefix(") "))).flatten()
        });
        match shorter {
            Some(shorter) => rest = shorter.trim_start(),
            None => return range.end - rest.len()..range.end,
        }
    }
}

/// Whether a sentence was struck out.
fn is_struck(sentence: &str) -> bool {
    sentence.trim().strip_prefix("~~").is_some_and(|rest| rest.trim_end_matches(['.', '!', '?', '。', ' ']).ends_with("~~"))
}

/// Whether a sentence without any citation says something that should have one.
fn says_something(sentence: &str) -> bool {
    let trimmed = sentence.trim_end_matches(['*', '_', ' ']);
    let lower = trimmed.to_lowercase();
    let is_statement = !trimmed.ends_with(['?', ':', '？', '：']);
    is_statement && !ABOUT_THE_SEARCH.iter().any(|words| lower.starts_with(words)) && terms::content_words(sentence).len() >= CONTENT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citations::citations;

    fn said(answer: &str) -> Vec<(String, Vec<usize>)> {
        statements(answer, &citations(answer)).into_iter().map(|said| (answer[said.range].to_owned(), said.markers)).collect()
    }

    #[test]
    fn statements_keep_their_citations() {
        let answer = "The bridge opened in 1931. [1] It is painted green all over [2][3].\n\n# A heading with many words\n\n- Ida Lindqvist designed the old bridge.\n- Who designed the old bridge?\n- ~~It was painted yellow by Nils Holm~~.\n- “It is a bridge. It is old.” [5]\n- Sie heißt „Alte Brücke“ seit langem [6]. Sie ist sehr alt geworden [7].\n\nHere is what the sources say about it:\n\n| Bridge | Year opened |\n|---|---|\n| Aldermoor | 1931 [1] |\n\nAs [4] says, ships pass below it.";
        assert_eq!(
            said(answer),
            [
                ("The bridge opened in 1931. [1]".to_owned(), vec![0]),
                ("It is painted green all over [2][3].".to_owned(), vec![1, 2]),
                ("Ida Lindqvist designed the old bridge.".to_owned(), vec![]),
                ("“It is a bridge. It is old.” [5]".to_owned(), vec![3]),
                ("Sie heißt „Alte Brücke“ seit langem [6].".to_owned(), vec![4]),
                ("Sie ist sehr alt geworden [7].".to_owned(), vec![5]),
                ("Aldermoor | 1931 [1]".to_owned(), vec![6]),
                ("As [4] says, ships pass below it.".to_owned(), vec![7]),
            ]
        );
    }

    #[test]
    fn the_best_source_of_a_claim_and_the_worst_claim_of_a_sentence_count() {
        let answer = "It opened in 1931 [1][2], and the tower fell in 1950 [3]. Nobody was hurt on that day. Ships pass below it [1].";
        let markers = citations(answer);
        let supports = [Support::NotSupported, Support::Supported, Support::PartlySupported, Support::Supported];
        let judge = |marker: &Marker, support| Citation {
            number: marker.numbers[0],
            ordinal: 0,
            start: marker.range.start,
            end: marker.range.end,
            passage: None,
            known: true,
            support,
            missing: Vec::new(),
            detected: None,
        };
        let found: Vec<Citation> = markers.iter().zip(supports).map(|(marker, support)| judge(marker, support)).collect();
        let supports = |covered: bool| -> Vec<Support> {
            judged(answer, &markers, &found, |_, _| covered).into_iter().map(|statement| statement.support).collect()
        };
        assert_eq!(supports(false), [Support::PartlySupported, Support::Uncited, Support::Supported]);
        assert_eq!(supports(true)[1], Support::Supported);
    }
}

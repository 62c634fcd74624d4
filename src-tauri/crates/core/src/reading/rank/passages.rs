//! A page cut into passages.

use std::ops::Range;

use crate::text::{BlockKind, block_sentences, blocks, word_count};

/// A passage and the headings above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageSpan {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The headings above, outermost first, joined by ` › `; empty where there are none.
    pub heading: String,
}

/// Cuts a text into passages of about `target` words: whole paragraphs, list items and rows are
/// joined until the target is reached; a paragraph of over twice the target is cut between
/// sentences; a heading always begins a new passage.
pub fn split(text: &str, target: usize) -> Vec<PassageSpan> {
    let mut out: Vec<PassageSpan> = Vec::new();
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    let close = |open: &mut Option<(Range<usize>, usize)>, headings: &[(usize, String)], out: &mut Vec<PassageSpan>| {
        if let Some((range, _)) = open.take() {
            let heading = headings.iter().map(|(_, title)| title.as_str()).collect::<Vec<_>>().join(" › ");
            out.push(PassageSpan { range, heading });
        }
    };
    for block in blocks(text) {
        let body = &text[block.range.clone()];
        if block.kind == BlockKind::Heading {
            close(&mut open, &headings, &mut out);
            let level = body.trim_start().bytes().take_while(|byte| *byte == b'#').count();
            headings.retain(|(above, _)| *above < level);
            headings.push((level, crate::text::truncate(&crate::text::plain(&body[..crate::text::floor_char(body, 1000)]), 200)));
            // The heading itself belongs to the passage it opens.
            open = Some((block.range, 0));
            continue;
        }
        let words = word_count(body);
        if words > target * 2 {
            let parts = block_sentences(text, &block);
            for part in parts.into_iter().flat_map(|part| cut_lines(text, part, target)) {
                let count = word_count(&text[part.clone()]);
                if open.as_ref().is_some_and(|(_, have)| *have > 0 && have + count > target) {
                    close(&mut open, &headings, &mut out);
                }
                grow(&mut open, part, count);
            }
            continue;
        }
        if open.as_ref().is_some_and(|(_, have)| *have > 0 && have + words > target + target / 2) {
            close(&mut open, &headings, &mut out);
        }
        grow(&mut open, block.range, words);
        if open.as_ref().is_some_and(|(_, have)| *have >= target) {
            close(&mut open, &headings, &mut out);
        }
    }
    // A heading at the very end has no text of its own but is still something to find.
    close(&mut open, &headings, &mut out);
    out
}

/// A sentence of over twice the target, such as a page of code or a table in plain text, is cut
/// between lines; one endless line is cut between words.
pub(super) fn cut_lines(text: &str, part: Range<usize>, target: usize) -> Vec<Range<usize>> {
    if word_count(&text[part.clone()]) <= target * 2 {
        return vec![part];
    }
    let mut out: Vec<Range<usize>> = Vec::new();
    let (mut start, mut words) = (part.start, 0);
    let mut at = part.start;
    for piece in text[part.clone()].split_inclusive(char::is_whitespace) {
        at += piece.len();
        words += usize::from(!piece.trim().is_empty());
        if words >= target * 2 || (words >= target && piece.ends_with('\n')) {
            out.push(start..at);
            (start, words) = (at, 0);
        }
    }
    out.push(start..part.end);
    out.retain(|range| !text[range.clone()].trim().is_empty());
    out
}

fn grow(open: &mut Option<(Range<usize>, usize)>, range: Range<usize>, words: usize) {
    match open {
        Some((have, count)) => {
            have.end = range.end;
            *count += words;
        }
        None => *open = Some((range, words)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_open_passages_and_are_remembered() {
        let text = "# One\n\nIntro text here.\n\n## Two\n\nBody of two.\n\n## Three\n\nBody of three.";
        let parts = split(text, 50);
        let seen: Vec<(&str, &str)> = parts.iter().map(|part| (part.heading.as_str(), &text[part.range.clone()])).collect();
        assert_eq!(
            seen,
            [("One", "# One\n\nIntro text here."), ("One › Two", "## Two\n\nBody of two."), ("One › Three", "## Three\n\nBody of three."),]
        );
    }

    #[test]
    fn long_paragraphs_are_cut_between_sentences_and_nothing_is_lost() {
        let text = "Five words are in here. ".repeat(60);
        let parts = split(&text, 40);
        assert!(parts.len() > 5);
        for part in &parts {
            assert!(word_count(&text[part.range.clone()]) <= 40);
            assert!(text[part.range.clone()].ends_with('.'));
        }
        let total: usize = parts.iter().map(|part| word_count(&text[part.range.clone()])).sum();
        assert_eq!(total, 300);
    }
}

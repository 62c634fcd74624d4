//! Where an answer cites: the one place that decides which brackets are citations.

use std::collections::BTreeSet;
use std::ops::Range;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, parse_document};

use super::{Marker, markers};
use crate::{markdown, text};

/// Bytes of an answer that are looked at. What lies behind is shown without marks, too.
const MOST_BYTES: usize = 512 * 1024;
/// Brackets of an answer that are looked at.
const MOST_BRACKETS: usize = 5000;
/// Passes until what is marked and what survives the parser are the same.
const PASSES: usize = 3;

/// A mark that stands for something of ours while Markdown is parsed. It begins and ends with punctuation, as
/// the bracket does that it stands for, so that emphasis beside it means the same, and it holds a noncharacter,
/// which no text may have.
const OPEN: &str = "⟦\u{fdd0}";
const CLOSE: &str = "\u{fdd0}⟧";

/// The citations of a Markdown answer, in order: brackets with numbers in running text. Those in code, formulas,
/// links, images, tags and definitions are none.
pub fn citations(answer: &str) -> Vec<Marker> {
    let answer = text::truncate_bytes(answer, MOST_BYTES);
    if !answer.contains(['[', '【', '［']) {
        return Vec::new();
    }
    let defined = definitions(answer);
    let notes: BTreeSet<&str> =
        defined.iter().map(|marker| &answer[marker.range.clone()]).filter(|bracket| bracket.starts_with("[^")).collect();
    // A `[^1]` that is explained elsewhere is a footnote.
    let is_citation = |marker: &Marker| !defined.contains(marker) && !notes.contains(&answer[marker.range.clone()]);
    let mut found: Vec<Marker> = markers(answer).into_iter().take(MOST_BRACKETS).filter(is_citation).collect();
    for _ in 0..PASSES {
        if found.is_empty() {
            break;
        }
        let places: Vec<Range<usize>> = found.iter().map(|marker| marker.range.clone()).collect();
        let arena = Arena::new();
        let kept = surviving(parse_document(&arena, &with_marks(answer, &places), &markdown::options()));
        if kept.len() == found.len() {
            break;
        }
        let mut index = 0;
        found.retain(|_| {
            index += 1;
            kept.binary_search(&(index - 1)).is_ok()
        });
    }
    found
}

/// A text with marks in the place of these ranges, which are in order and do not overlap. An empty range puts a
/// mark between two characters. The mark of the range with this index is found again by [`marks`].
pub fn with_marks(answer: &str, places: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(answer.len() + places.len() * 16);
    let mut at = 0;
    for (index, place) in places.iter().enumerate() {
        let piece = &answer[at..place.start];
        push_without_noncharacters(&mut out, piece);
        // An address would take the mark for its end. A mark ends the word before it.
        let word = piece.rsplit(char::is_whitespace).next().unwrap_or_default();
        if word.contains("://") || word.contains("www.") || word.contains('@') {
            out.push(' ');
        }
        out.push_str(&format!("{OPEN}{index}{CLOSE}"));
        at = place.end;
    }
    push_without_noncharacters(&mut out, &answer[at..]);
    out
}

/// Adds a text in which nothing can be taken for a mark.
fn push_without_noncharacters(out: &mut String, text: &str) {
    for piece in text.split('\u{fdd0}') {
        out.push_str(piece);
    }
}

/// A piece of a text that may hold marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a str),
    /// The index of a range of [`with_marks`].
    Mark(usize),
}

/// A text cut at its marks.
pub fn marks(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(OPEN) {
        let behind = &rest[open + OPEN.len()..];
        let Some((index, after)) = behind.split_once(CLOSE).and_then(|(index, after)| Some((index.parse().ok()?, after))) else { break };
        if open > 0 {
            out.push(Piece::Text(&rest[..open]));
        }
        out.push(Piece::Mark(index));
        rest = after;
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest));
    }
    out
}

/// The marks of a parsed text that end up in running text, in order.
pub fn surviving<'a>(root: &'a AstNode<'a>) -> Vec<usize> {
    let mut out = Vec::new();
    for node in root.descendants() {
        if let NodeValue::Text(content) = &node.data().value
            && content.contains(OPEN)
            && is_running_text(node)
        {
            out.extend(marks(content).into_iter().filter_map(|piece| if let Piece::Mark(index) = piece { Some(index) } else { None }));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Whether a text stands in no link, image or footnote.
fn is_running_text<'a>(node: &'a AstNode<'a>) -> bool {
    !node.ancestors().skip(1).any(|above| {
        matches!(above.data().value, NodeValue::Link(_) | NodeValue::Image(_) | NodeValue::WikiLink(_) | NodeValue::FootnoteDefinition(_))
    })
}

/// The brackets that define a link or a note: `[1]: https://…` at the start of a line outside of code.
pub fn definitions(answer: &str) -> Vec<Marker> {
    let mut out = Vec::new();
    for block in text::blocks(answer).into_iter().filter(|block| block.kind != text::BlockKind::Code) {
        let mut at = block.range.start;
        for line in answer[block.range.clone()].split_inclusive('\n') {
            let start = at + (line.len() - line.trim_start().len());
            at += line.len();
            let bracket = line.trim_start();
            let end = bracket.find(']').map_or(0, |end| end + 1);
            if bracket.starts_with('[')
                && bracket[end..].starts_with(':')
                && let Some(marker) = markers(&bracket[..end]).pop()
            {
                out.push(Marker { range: start + marker.range.start..start + marker.range.end, numbers: marker.numbers });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::citations::tests::found;

    #[test]
    fn only_running_text_cites() {
        assert_eq!(found("A [1]. **B.**[2] C https://e.org[3]\n\n- d [4, 5]\n\n| e [6] |\n|---|\n| f [7] |"), [1, 2, 3, 4, 5, 6, 7]);
        for none in [
            "    a[1] = b[2]\n",
            "x\n\n\tindented [1]\n",
            "```\nb[2]\n```",
            "``a ` [1]``",
            "[1](https://e.org)",
            "[see [1]](https://e.org)",
            "![a [1]](https://e.org/x.png)",
            "[1]: https://e.org",
            "$a[1]$ and $$b[2]$$",
            "<b title=\"[1]\">",
            "<!-- [1] -->",
            "[2024] [x] [] [1-900]",
        ] {
            assert_eq!(found(none), [] as [u32; 0], "{none}");
        }
    }

    #[test]
    fn definitions_and_footnotes_take_no_citation_away() {
        assert_eq!(found("It fell [1].\n\n[1]: https://e.org\n"), [1]);
        assert_eq!(found("It fell [^1] and rose [^2].\n\n[^1]: A note.\n"), [2]);
    }

    #[test]
    fn marks_come_back() {
        let marked = with_marks("a [1] b[2]", &[2..5, 7..10]);
        assert_eq!(marks(&marked), [Piece::Text("a "), Piece::Mark(0), Piece::Text(" b"), Piece::Mark(1)]);
        assert_eq!(
            marks(&with_marks(&with_marks("a", std::slice::from_ref(&(1..1))), &[])),
            [Piece::Text("a⟦0⟧")],
            "nothing else makes them"
        );
    }
}

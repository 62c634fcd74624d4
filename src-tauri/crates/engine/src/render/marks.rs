//! Citations and doubtful statements in the tree of an answer.

use std::ops::Range;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use nexi_core::{
    citations::{self, Piece},
    protocol::{Correction, NewStatement, Statement, Support},
};

/// What is marked in an answer besides its Markdown.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    /// Places of the answer, in order, none within another, and what stands there.
    pub(super) places: Vec<(Range<usize>, String)>,
}

impl Marks {
    /// Each number becomes `<sup class="cite" data-number data-ordinal>` in the place of its bracket. A statement that
    /// is not supported gets `<span class="said">` in front of it and `<span class="said-end">` behind it.
    pub(super) fn new(citations: impl IntoIterator<Item = (Range<usize>, u32, u32)>, statements: &[Statement]) -> Self {
        let mut places: Vec<(Range<usize>, String)> = Vec::new();
        for (range, number, ordinal) in citations {
            let html = format!("<sup class=\"cite\" data-number=\"{number}\" data-ordinal=\"{ordinal}\">{number}</sup>");
            match places.last_mut().filter(|(last, _)| *last == range) {
                Some((_, marks)) => marks.push_str(&html),
                None => places.push((range, html)),
            }
        }
        for (index, statement) in statements.iter().enumerate().filter(|(_, statement)| statement.support != Support::Supported) {
            let word = serde_json::to_value(statement.support).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
            places.push((statement.start..statement.start, format!("<span class=\"said\" data-statement=\"{index}\"></span>")));
            let end = format!("<span class=\"said-end\" data-statement=\"{index}\" data-support=\"{word}\"></span>");
            places.push((statement.end..statement.end, end));
        }
        places.sort_by_key(|(range, _)| (range.start, range.end));
        Self { places }
    }

    /// Every statement that a second look changed gets `<span class="second-look" data-correction>` behind it.
    pub(super) fn with(mut self, corrections: &[Correction]) -> Self {
        for (index, correction) in corrections.iter().enumerate() {
            let html = format!("<span class=\"second-look\" data-correction=\"{index}\"></span>");
            self.places.push((correction.end..correction.end, html));
        }
        self.places.sort_by_key(|(range, _)| (range.start, range.end));
        self
    }

    /// A statement that an earlier answer did not make gets `<span class="said-new">` in front of it and `<span class="said-new-end">`
    /// behind it.
    pub(super) fn with_new(mut self, statements: &[NewStatement]) -> Self {
        for (index, new) in statements.iter().enumerate() {
            self.places.push((new.start..new.start, format!("<span class=\"said-new\" data-new=\"{index}\"></span>")));
            self.places.push((new.end..new.end, format!("<span class=\"said-new-end\" data-new=\"{index}\"></span>")));
        }
        self.places.sort_by_key(|(range, _)| (range.start, range.end));
        self
    }

    /// Without what lies outside the text, across characters, or within something else.
    pub(super) fn fitting(mut self, markdown: &str) -> Self {
        let mut at = 0;
        self.places.retain(|(range, _)| {
            let fits = range.start >= at && range.end <= markdown.len();
            let fits = fits && range.start <= range.end && markdown.is_char_boundary(range.start) && markdown.is_char_boundary(range.end);
            if fits {
                at = range.end;
            }
            fits
        });
        self
    }
}

/// The tree of a text with marks in it.
pub(super) fn parse<'a>(arena: &'a Arena<'a>, markdown: &str, marks: &Marks, options: &Options<'_>) -> &'a AstNode<'a> {
    let places: Vec<Range<usize>> = marks.places.iter().map(|(range, _)| range.clone()).collect();
    parse_document(arena, &citations::with_marks(markdown, &places), options)
}

/// Puts the HTML of each mark in its place.
pub(super) fn put_marks<'a>(arena: &'a Arena<'a>, root: &'a AstNode<'a>, marks: &Marks) {
    let nodes: Vec<&AstNode<'_>> = root.descendants().collect();
    for node in nodes {
        // The borrow must end before the tree is changed.
        let content = match &node.data().value {
            NodeValue::Text(content) => content.to_string(),
            _ => continue,
        };
        let pieces = citations::marks(&content);
        if !pieces.iter().any(|piece| matches!(piece, Piece::Mark(_))) {
            continue;
        }
        for piece in pieces {
            let value = match piece {
                Piece::Text(text) => NodeValue::Text(text.to_owned().into()),
                Piece::Mark(index) => NodeValue::Raw(marks.places.get(index).map(|(_, html)| html.clone()).unwrap_or_default()),
            };
            node.insert_before(arena.alloc(value.into()));
        }
        node.data_mut().value = NodeValue::Text("".into());
    }
}

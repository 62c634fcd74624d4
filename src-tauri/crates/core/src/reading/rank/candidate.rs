//! What may hold the answer.

use std::ops::Range;

/// A text that may hold the answer. Earlier candidates were ranked higher by the search.
#[derive(Debug, Clone)]
pub struct Candidate<'a> {
    pub title: &'a str,
    pub text: &'a str,
    /// Best place in the search results, from 0.
    pub rank: usize,
    /// The stretches of the text that the search itself pointed at, each with its place in the
    /// search results.
    pub hot: Vec<(Range<usize>, usize)>,
}

/// Of a longer text, only what lies around the found passages is looked at, or its beginning.
const LONG: usize = 512 * 1024;
/// Bytes around a passage that are.
const AROUND: usize = 16 * 1024;

impl Candidate<'_> {
    /// Whether these bytes of the text may be quoted.
    pub(super) fn may_be_quoted(&self, range: &Range<usize>) -> bool {
        if self.text.len() <= LONG {
            return true;
        }
        let is_near = |(hot, _): &(Range<usize>, usize)| range.start < hot.end + AROUND && hot.start < range.end + AROUND;
        if self.hot.is_empty() { range.start < LONG } else { self.hot.iter().any(is_near) }
    }

    /// The place in the search results that counts for a sentence at this byte.
    pub(super) fn rank_at(&self, at: usize) -> usize {
        let hot = self.hot.iter().filter(|(range, _)| range.contains(&at)).map(|(_, rank)| *rank).min();
        hot.unwrap_or(if self.hot.is_empty() { self.rank } else { self.rank + 3 })
    }
}

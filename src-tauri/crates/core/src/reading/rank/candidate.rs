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

impl Candidate<'_> {
    /// The place in the search results that counts for a sentence at this byte.
    pub(super) fn rank_at(&self, at: usize) -> usize {
        let hot = self.hot.iter().filter(|(range, _)| range.contains(&at)).map(|(_, rank)| *rank).min();
        hot.unwrap_or(if self.hot.is_empty() { self.rank } else { self.rank + 3 })
    }
}

//! A text as its letters and digits alone: what was quoted is found however white space, markup
//! and punctuation differ.

use std::ops::Range;

/// Letters that a quote needs at least.
const SHORTEST: usize = 12;

/// The letters and digits of a text, lower case, with the way back to its bytes.
#[derive(Debug)]
pub(crate) struct Letters {
    letters: String,
    /// For every byte of `letters` the byte of the text it came from.
    origin: Vec<u32>,
    /// For every byte of `letters` whether a word begins there.
    starts: Vec<bool>,
}

impl Letters {
    pub(crate) fn new(text: &str) -> Self {
        let mut letters = String::with_capacity(text.len());
        let mut origin = Vec::with_capacity(text.len());
        let mut starts = Vec::with_capacity(text.len());
        let mut inside = false;
        let mut before = ' ';
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            // The point in 3.5 belongs to the number: 35 is another one.
            let point = c == '.' && before.is_ascii_digit() && chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
            // The separator in 40,000 does not end it.
            let separator = c == ',' && before.is_ascii_digit() && chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
            if c.is_alphanumeric() || point {
                for lower in c.to_lowercase() {
                    letters.push(lower);
                    origin.resize(letters.len(), u32::try_from(at).unwrap_or(u32::MAX));
                    starts.resize(letters.len(), !inside);
                    inside = true;
                }
            } else if !separator && !matches!(c, '\'' | '’') {
                inside = false;
            }
            before = c;
        }
        Self { letters, origin, starts }
    }

    /// The bytes from the first letter of the quote to the beginning of its last.
    pub(crate) fn find(&self, quote: &str) -> Option<Range<usize>> {
        let wanted = Letters::new(quote).letters;
        if wanted.len() < SHORTEST {
            return None;
        }
        // Whole words only: 112 people are not 12, and unhappy ones not happy.
        let whole = |at: usize| self.starts[at] && self.starts.get(at + wanted.len()).copied().unwrap_or(true);
        let at = self.letters.match_indices(&wanted).map(|(at, _)| at).find(|at| whole(*at))?;
        let last = at + wanted.len() - wanted.chars().next_back().map_or(1, char::len_utf8);
        let start = self.origin[at] as usize;
        let end = self.origin[last] as usize;
        Some(start..end)
    }
}

/// Widens a range that ends on its last letter to the end of that character and the closing
/// punctuation behind it.
pub(super) fn close_range(text: &str, range: Range<usize>) -> Range<usize> {
    let mut end = range.end;
    let mut chars = text[range.end..].chars();
    if let Some(first) = chars.next()
        && first.is_alphanumeric()
    {
        end += first.len_utf8();
        for c in chars {
            if !matches!(c, '.' | '!' | '?' | '"' | '”' | '’' | ')' | '。' | '！' | '？') {
                break;
            }
            end += c.len_utf8();
        }
    }
    range.start..end
}

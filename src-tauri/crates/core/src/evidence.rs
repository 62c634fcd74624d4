//! The passage of a source that supports a sentence.

use std::collections::HashMap;
use std::ops::Range;

use crate::{
    rank::terms::{self, Term},
    text,
};

/// Below this share of the sentence's words (rare ones count more) a passage does not support it.
const SUPPORTS: f64 = 0.45;

/// A source's text, prepared once for many sentences.
#[derive(Debug)]
pub struct Evidence<'a> {
    text: &'a str,
    sentences: Vec<(Range<usize>, Vec<Term>)>,
    frequency: HashMap<String, usize>,
    letters: Letters,
}

impl<'a> Evidence<'a> {
    /// Cuts and counts the text of a source.
    pub fn new(text: &'a str) -> Self {
        let sentences: Vec<(Range<usize>, Vec<Term>)> =
            text::sentences(text).into_iter().map(|range| (range.clone(), terms::terms(&text[range]))).collect();
        let mut frequency = HashMap::new();
        for (_, words) in &sentences {
            let mut seen: Vec<&str> = words.iter().map(|term| term.stem.as_str()).collect();
            seen.sort_unstable();
            seen.dedup();
            for word in seen {
                *frequency.entry(word.to_owned()).or_insert(0) += 1;
            }
        }
        Self { text, sentences, frequency, letters: Letters::new(text) }
    }

    /// The bytes of the source that support a plain-text sentence: the sentence itself or what it
    /// quotes where that stands there word for word, else the one or two sentences that share most
    /// of its words. None when nothing does.
    pub fn find(&self, sentence: &str) -> Option<Range<usize>> {
        for quote in quotations(sentence).into_iter().chain([sentence]) {
            if let Some(range) = self.letters.find(quote) {
                return Some(close_range(self.text, range));
            }
        }
        let wanted: Vec<String> = terms::content_words(sentence).iter().map(|word| terms::stem(word)).collect();
        if wanted.is_empty() {
            return None;
        }
        let weight = |word: &String| {
            let count = self.frequency.get(word).copied().unwrap_or(0) as f64;
            (1.0 + self.sentences.len() as f64 / (1.0 + count)).ln()
        };
        let total: f64 = wanted.iter().map(weight).sum();
        let share = |from: usize, to: usize| {
            let held =
                wanted.iter().filter(|word| self.sentences[from..to].iter().any(|(_, words)| words.iter().any(|term| term.stem == **word)));
            held.map(weight).sum::<f64>() / total
        };
        let mut best: Option<(f64, usize, usize)> = None;
        for from in 0..self.sentences.len() {
            for to in [from + 1, from + 2] {
                if to > self.sentences.len() {
                    continue;
                }
                // A second sentence has to earn its place.
                let score = share(from, to) - if to - from == 2 { 0.12 } else { 0.0 };
                if best.is_none_or(|(known, _, _)| score > known) {
                    best = Some((score, from, to));
                }
            }
        }
        let (score, from, to) = best?;
        (score >= SUPPORTS).then(|| self.sentences[from].0.start..self.sentences[to - 1].0.end)
    }
}

/// Where a quote stands in a text, however white space, markup and punctuation differ.
pub fn locate(text: &str, quote: &str) -> Option<Range<usize>> {
    Letters::new(text).find(quote).map(|range| close_range(text, range))
}

/// What a sentence holds in quotation marks, of at least four words.
fn quotations(sentence: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for (open, close) in [('“', '”'), ('"', '"'), ('«', '»')] {
        let mut rest = sentence;
        while let Some(start) = rest.find(open) {
            let inner = &rest[start + open.len_utf8()..];
            let Some(end) = inner.find(close) else { break };
            if text::word_count(&inner[..end]) >= 4 {
                out.push(&inner[..end]);
            }
            rest = &inner[end + close.len_utf8()..];
        }
    }
    out
}

/// A text as its letters and digits alone, with the way back to its bytes: what was quoted is
/// found however white space, markup and punctuation differ.
#[derive(Debug)]
struct Letters {
    letters: String,
    /// For every byte of `letters` the byte of the text it came from.
    origin: Vec<u32>,
}

impl Letters {
    fn new(text: &str) -> Self {
        let mut letters = String::with_capacity(text.len());
        let mut origin = Vec::with_capacity(text.len());
        for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            for lower in c.to_lowercase() {
                letters.push(lower);
                origin.resize(letters.len(), u32::try_from(at).unwrap_or(u32::MAX));
            }
        }
        Self { letters, origin }
    }

    fn find(&self, quote: &str) -> Option<Range<usize>> {
        let wanted: String = quote.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        if wanted.len() < 12 {
            return None;
        }
        let at = self.letters.find(&wanted)?;
        let last = at + wanted.len() - wanted.chars().next_back().map_or(1, char::len_utf8);
        let start = self.origin[at] as usize;
        let end = self.origin[last] as usize;
        Some(start..end)
    }
}

/// Widens a range that ends on its last letter to the end of that character and the closing
/// punctuation behind it.
fn close_range(text: &str, range: Range<usize>) -> Range<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Bridge\nThe **Aldermoor** bridge was\nopened in May 1931. It is painted green.\nIts length is 312 metres, and 40,000 cars cross it each day.";

    fn found(sentence: &str) -> Option<&'static str> {
        Evidence::new(TEXT).find(sentence).map(|range| &TEXT[range])
    }

    #[test]
    fn quotes_are_found_whatever_the_markup() {
        assert_eq!(found("The Aldermoor bridge was opened in May 1931."), Some("The **Aldermoor** bridge was\nopened in May 1931."));
        assert_eq!(found("One page says “bridge was opened in may 1931”."), Some("bridge was\nopened in May 1931."));
    }

    #[test]
    fn paraphrases_are_found_and_inventions_are_not() {
        assert_eq!(found("The bridge has a length of 312 metres"), Some("Its length is 312 metres, and 40,000 cars cross it each day."));
        assert_eq!(found("Penguins eat mostly krill and small fish"), None);
    }
}

//! Words as the database keeps and looks for them: our own stems, so that both sides mean the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use nexi_core::rank::terms;

/// The farthest position that the database counts.
const FARTHEST: usize = 16_000;
/// Positions of one word that are kept.
const POSITIONS: usize = 50;
/// Bytes of a word.
const LONGEST: usize = 200;
/// Words of titles that a passage is found by.
const TITLE_WORDS: usize = 100;
/// Bytes of all words of a text, with their places.
const MAX_VECTOR_BYTES: usize = 900_000;

/// What stands before a word that stands in a title, so that the index finds it there; no stem begins like this.
const TITLED: char = '=';

/// The same as [`vector`], with what finds a passage by the words of its titles alone.
pub(crate) fn titled_vector(titles: &[&str], body: &str) -> String {
    let mut out = vector(titles, body);
    let titled: BTreeSet<String> = titles.iter().flat_map(|title| stems(&without_overlong_words(title))).collect();
    for stem in titled.iter().take(TITLE_WORDS) {
        let _ = write!(out, "'{TITLED}{}' ", quoted(stem));
    }
    out
}

/// The words of a passage as a `tsvector`: those of its titles weigh more than its own.
pub(crate) fn vector(titles: &[&str], body: &str) -> String {
    let mut words: BTreeMap<String, Vec<(usize, char)>> = BTreeMap::new();
    let mut at = 0;
    let mut size = 0;
    for (text, weight) in titles.iter().map(|title| (*title, 'A')).chain([(body, 'D')]) {
        for stem in stems(&without_overlong_words(text)) {
            // The database takes no more of one text.
            size += stem.len() + 8;
            if size > MAX_VECTOR_BYTES {
                break;
            }
            at = (at + 1).min(FARTHEST);
            let places = words.entry(stem).or_default();
            if places.len() < POSITIONS {
                places.push((at, weight));
            }
        }
    }
    let mut out = String::new();
    for (stem, places) in words {
        let _ = write!(out, "'{}':", quoted(&stem));
        let places: Vec<String> =
            places.into_iter().map(|(at, weight)| if weight == 'D' { at.to_string() } else { format!("{at}{weight}") }).collect();
        let _ = write!(out, "{} ", places.join(","));
    }
    out
}

/// The stems that a question asks for: those of its content words, each once; function words where it has no others.
pub(crate) fn asked(question: &str) -> Vec<String> {
    let mut words: Vec<String> = terms::topic_words(question).iter().flat_map(|word| stems(word)).collect();
    if words.is_empty() {
        words = stems(question);
    }
    let mut seen = Vec::new();
    words.retain(|word| {
        !seen.contains(word) && {
            seen.push(word.clone());
            true
        }
    });
    words
}

/// What all of these words are found by, as a `tsquery`: the last one may be but begun. None where there are no words.
pub(crate) fn all_of(text: &str) -> Option<String> {
    let stems = stems(text);
    let is_open = text.ends_with(char::is_alphanumeric);
    let last = stems.len().checked_sub(1)?;
    let word = |(at, stem): (usize, &String)| {
        let quoted = format!("'{}'", quoted(stem));
        if at == last && is_open { format!("{quoted}:*") } else { quoted }
    };
    Some(stems.iter().enumerate().map(word).collect::<Vec<_>>().join(" & "))
}

/// A word as it stands between quotation marks.
fn quoted(stem: &str) -> String {
    stem.replace('\\', "").replace('\'', "''")
}

/// A text without words that are too long to be any, such as data that is written as letters.
fn without_overlong_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for stretch in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let word = stretch.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        out.push_str(if word.len() > LONGEST { &stretch[word.len()..] } else { stretch });
    }
    out
}

fn stems(text: &str) -> Vec<String> {
    terms::terms(text)
        .into_iter()
        .map(|term| term.stem)
        .filter(|stem| !stem.is_empty() && stem.len() <= LONGEST && !stem.contains('\0'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stems_with_places_and_weights() {
        let vector = vector(&["Old Bridges"], "The bridge o'er the river\\");
        assert!(vector.contains("'bridg':2A,4 "), "{vector}");
        assert!(!vector.contains('\\'), "{vector}");
        let titled = titled_vector(&["Old Bridges"], "The bridge o'er the river\\");
        assert_eq!(titled.strip_prefix(&vector), Some("'=bridg' '=old' "));
        assert_eq!(
            super::vector(&[], &format!("old {} bridge", "x".repeat(3_000_000))).split(' ').filter(|word| !word.is_empty()).count(),
            2
        );
        assert_eq!(asked("Where is the old bridge, the bridge?"), ["old", "bridg"]);
        assert_eq!(all_of("old bridg").as_deref(), Some("'old' & 'bridg':*"));
        assert_eq!(all_of("bridges o'er ").as_deref().map(|query| query.ends_with(":*")), Some(false));
        assert_eq!(all_of(" -:* "), None);
    }
}

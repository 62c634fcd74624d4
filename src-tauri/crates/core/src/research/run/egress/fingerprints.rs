//! Fingerprints of texts: of tokens with digits, and of wordings of a few words.

use std::collections::{HashSet, VecDeque};

use super::super::tokens::{each_token, is_unspaced};

/// Words in a row that make a wording one's own.
const WORDS: usize = 4;
/// A character of a script without blanks counts as half a word.
const HALVES: usize = 2 * WORDS;
/// Characters of the shortest token with a digit that tells anything.
const TOKEN: usize = 2;
/// Characters from which on a token with digits may be a text in another writing, such as base64.
const CODED: usize = 16;
/// The same for a token of letters alone; few languages have such words.
const CODED_LETTERS: usize = 30;
/// Pieces of a number that are put together again.
const PIECES: usize = 8;

/// Adds the fingerprints of all wordings of a text, and of its tokens with digits where those are wanted.
pub(super) fn fingerprints(text: &str, out: &mut HashSet<u64>, with_numbers: bool) {
    let mut wording: VecDeque<String> = VecDeque::new();
    let halves_of = |token: &str| if is_unspaced(token) { 1 } else { 2 };
    let mut halves = 0;
    each_token(text, |token| {
        if (with_numbers && has_number(&token)) || is_coded(&token) {
            out.insert(fingerprint([token.as_str()]));
        }
        halves += halves_of(&token);
        wording.push_back(token);
        // From each of its words on, a wording is as long as it has to be.
        while halves >= HALVES {
            out.insert(fingerprint(wording.iter().map(String::as_str)));
            halves -= wording.pop_front().map_or(0, |first| halves_of(&first));
        }
    });
}

pub(super) fn has_number(token: &str) -> bool {
    token.chars().count() >= TOKEN && token.chars().any(char::is_numeric)
}

/// Whether a token is longer than words are.
pub(super) fn is_coded(token: &str) -> bool {
    let long = token.chars().count();
    long >= CODED_LETTERS || (long >= CODED && token.chars().any(char::is_numeric) && token.chars().any(char::is_alphabetic))
}

/// Numbers of a query that are written backwards, or in pieces.
pub(super) fn rewritten(tokens: &[String]) -> Vec<u64> {
    let mut out = Vec::new();
    for start in 0..tokens.len() {
        let mut whole = String::new();
        for (count, token) in tokens[start..].iter().take(PIECES).enumerate() {
            // Pieces of a number are numbers, or single letters.
            if count > 0 && !token.chars().any(char::is_numeric) && token.chars().count() > 1 {
                break;
            }
            whole.push_str(token);
            if has_number(&whole) {
                out.push(fingerprint([whole.as_str()]));
                out.push(fingerprint([whole.chars().rev().collect::<String>().as_str()]));
            }
        }
    }
    out
}

/// FNV-1a over the words: the same on every machine, as runs are replayed elsewhere.
pub(super) fn fingerprint<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for word in words {
        for byte in word.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

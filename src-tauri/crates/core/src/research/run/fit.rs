//! Cutting a text to a number of tokens.

use crate::{ports::TokenCounter, text};

/// As much of a text as fits into this many tokens.
pub(super) fn fit(text: &str, room: usize, counter: &dyn TokenCounter) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let count = counter.count(text);
    if count <= room {
        return text.to_owned();
    }
    // Twice, because tokens are not spread evenly.
    let first = text::floor_char(text, (text.len() as f64 / count as f64 * room as f64) as usize);
    let again = counter.count(&text[..first]);
    let end = if again <= room { first } else { text::floor_char(text, (first as f64 / again as f64 * room as f64 * 0.97) as usize) };
    text[..end].to_owned()
}

//! Token counts with the tables of `tiktoken`.

use nexi_core::ports::TokenCounter;
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

/// Text is counted in pieces of about this many bytes: one endless run of blanks would overflow
/// the stack of the tokenizer's regular expression.
const PIECE: usize = 16 * 1024;

/// A run of one kind of character is counted in pieces of at most this many bytes.
const RUN: usize = 512;

/// An encoding that a model's provider counts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Cl100kBase,
    O200kBase,
}

impl Encoding {
    /// By the name used in the settings.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "cl100k_base" => Some(Encoding::Cl100kBase),
            "o200k_base" => Some(Encoding::O200kBase),
            _ => None,
        }
    }

    /// Builds the tables now instead of at the first count. Takes a tenth of a second or two, so
    /// call it on a thread of its own.
    pub fn warm_up(self) {
        let _ = self.tables();
    }

    fn tables(self) -> &'static CoreBPE {
        match self {
            Encoding::Cl100kBase => cl100k_base_singleton(),
            Encoding::O200kBase => o200k_base_singleton(),
        }
    }
}

impl TokenCounter for Encoding {
    fn count(&self, text: &str) -> usize {
        if text.is_empty() {
            return 0;
        }
        let tables = self.tables();
        pieces(text).map(|piece| tables.count_ordinary(piece)).sum()
    }
}

/// Cuts a text before white space where it can, and anywhere within a run that is too long.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = piece_end(rest);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}

fn piece_end(text: &str) -> usize {
    let mut run = 0;
    let mut kind = None;
    let mut word_start = 0;
    for (at, c) in text.char_indices() {
        let now = (c.is_whitespace(), c.is_alphanumeric());
        if kind == Some(now) {
            run += c.len_utf8();
        } else {
            run = c.len_utf8();
            kind = Some(now);
        }
        if c.is_whitespace() && run == c.len_utf8() {
            word_start = at;
        }
        if run > RUN {
            return at;
        }
        if at >= PIECE {
            return if word_start > 0 { word_start } else { at };
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_tiktoken() {
        for (text, cl100k, o200k) in [("hello world", 2, 2), ("", 0, 0), ("tiktoken is great!", 6, 6)] {
            assert_eq!((Encoding::Cl100kBase.count(text), Encoding::O200kBase.count(text)), (cl100k, o200k), "{text}");
        }
    }

    #[test]
    fn endless_runs_do_no_harm() {
        for encoding in [Encoding::Cl100kBase, Encoding::O200kBase] {
            for c in [" ", "a", "\n", "!", "界"] {
                assert!(encoding.count(&c.repeat(300_000)) > 0);
            }
        }
    }

    #[test]
    fn cutting_hardly_changes_the_count() {
        let text = "Nothing is lost when a long text is counted in pieces, however long it is. ".repeat(3000);
        let whole = cl100k_base_singleton().count_ordinary(&text);
        let pieces = Encoding::Cl100kBase.count(&text);
        assert!(whole.abs_diff(pieces) <= 20, "{whole} {pieces}");
    }
}

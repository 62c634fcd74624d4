//! What stands in elements whose inside is no text of the page, where it may be of use.

/// Bytes that are kept of one page.
const MAX_PAGE_BYTES: usize = 4 << 20;
/// Elements that are kept of one page.
const MOST_ELEMENTS: usize = 1000;

/// What an element's raw text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Keeps {
    #[default]
    Nothing,
    LinkedData,
    Unscripted,
}

/// Raw text of a page.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// The insides of `<script type="application/ld+json">`.
    pub linked_data: Vec<String>,
    /// What a page holds for browsers without scripts, and what its scripts fill it with, as HTML.
    pub unscripted: Vec<String>,
    keeps: Keeps,
    bytes: usize,
}

impl Raw {
    /// An element of this kind begins.
    pub(super) fn begin(&mut self, keeps: Keeps) {
        self.keeps = keeps;
        match self.kept() {
            Some(kept) if kept.len() < MOST_ELEMENTS => kept.push(String::new()),
            _ => self.keeps = Keeps::Nothing,
        }
    }

    /// More of its text.
    pub(super) fn push(&mut self, text: &str) {
        self.bytes += text.len();
        if self.bytes <= MAX_PAGE_BYTES
            && let Some(last) = self.kept().and_then(|kept| kept.last_mut())
        {
            last.push_str(text);
        }
    }

    fn kept(&mut self) -> Option<&mut Vec<String>> {
        match self.keeps {
            Keeps::LinkedData => Some(&mut self.linked_data),
            Keeps::Unscripted => Some(&mut self.unscripted),
            Keeps::Nothing => None,
        }
    }
}

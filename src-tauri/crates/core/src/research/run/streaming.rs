//! What people see of an answer while it arrives.

use std::collections::BTreeMap;

use super::{Effect, finish::Cited, sources::SourceBook};
use crate::{answer_stream::AnswerStream, citations::Arriving, protocol::Event};

/// What a model has written so far of the reply that is awaited.
#[derive(Default)]
pub(super) struct Streaming {
    /// Of the answer, or of the talk beside its calls; with handles.
    text: String,
    /// The same as people see it, with numbers in place of handles.
    arriving: Arriving,
    /// Whether it is an answer, and not talk beside the calls of a step.
    is_answer: bool,
    /// Answers that arrive as arguments of `final_answer`, by the index of the call.
    calls: BTreeMap<usize, AnswerStream>,
}

impl Streaming {
    /// With handles.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// As people see it.
    pub(super) fn shown(&self) -> &str {
        self.arriving.shown()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn is_answer(&self) -> bool {
        self.is_answer
    }

    /// From here on it is the answer.
    pub(super) fn becomes_answer(&mut self) {
        self.is_answer = true;
    }

    /// What a journal knows of it; people saw it before.
    pub(super) fn restore(&mut self, text: String, is_answer: bool) {
        self.text = text;
        self.is_answer = is_answer;
    }

    /// It is no longer the answer, though it stays in sight until something else is shown.
    pub(super) fn drop_text(&mut self) {
        self.text.clear();
    }

    /// A new reply begins.
    pub(super) fn restart(&mut self, book: &SourceBook, out: &mut Vec<Effect>) {
        self.calls.clear();
        self.reset(book, out);
    }

    /// Takes back what was shown, with the numbers that it gave to sources.
    pub(super) fn reset(&mut self, book: &SourceBook, out: &mut Vec<Effect>) {
        self.is_answer = false;
        if self.text.is_empty() {
            return;
        }
        self.text.clear();
        let before = std::mem::take(&mut self.arriving);
        if !before.shown().is_empty() {
            out.push(Effect::Emit(Event::AnswerReset));
        }
        if !before.order().is_empty() {
            out.push(sources(book, &[]));
        }
    }

    /// The text of a piece of a call of `final_answer`. A model that also chats beside its call answers with
    /// the call alone, so the first piece takes the talk back.
    pub(super) fn of_call(&mut self, index: usize, piece: &str, book: &SourceBook, out: &mut Vec<Effect>) -> String {
        if self.calls.is_empty() {
            self.reset(book, out);
        }
        self.is_answer = true;
        self.calls.entry(index).or_default().push(piece)
    }

    /// Adds what has arrived without showing it.
    pub(super) fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Shows what has been added. Where a source is cited for the first time, the sources are sent before the text, so
    /// that its number can be shown as a link at once.
    pub(super) fn show(&mut self, book: &SourceBook, keeps_handles: bool, out: &mut Vec<Effect>) {
        let before = self.arriving.order().len();
        let text =
            self.arriving.grow(&self.text, |handle, order| if keeps_handles { Some(handle) } else { book.number_now(handle, order) });
        if self.arriving.order().len() > before {
            out.push(sources(book, self.arriving.order()));
        }
        if !text.is_empty() {
            out.push(Effect::Emit(Event::AnswerDelta { text }));
        }
    }

    /// Shows what was held back while the answer arrived.
    pub(super) fn show_rest(&self, cited: &Cited, out: &mut Vec<Effect>) {
        let shown = self.shown();
        let rest = cited.answer.strip_prefix(shown).filter(|rest| !rest.is_empty() && !shown.is_empty());
        if let Some(rest) = rest {
            show_all_of(rest, cited, out);
        }
    }

    /// Shows an answer to its end, or all of it where none of it had been shown.
    pub(super) fn show_whole(&self, cited: &Cited, out: &mut Vec<Effect>) {
        if self.shown().is_empty() && !cited.answer.is_empty() {
            show_all_of(&cited.answer, cited, out);
        } else {
            self.show_rest(cited, out);
        }
    }
}

fn show_all_of(text: &str, cited: &Cited, out: &mut Vec<Effect>) {
    if !cited.citations.is_empty() {
        out.push(Effect::Emit(Event::Sources { sources: cited.sources.clone() }));
    }
    out.push(Effect::Emit(Event::AnswerDelta { text: text.to_owned() }));
}

/// The sources with the numbers they have where an answer cites these first.
pub(super) fn sources(book: &SourceBook, order: &[u32]) -> Effect {
    Effect::Emit(Event::Sources { sources: book.list(&[], &book.numbers(order)) })
}

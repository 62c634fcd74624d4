//! What people see of an answer while it arrives.

use super::{Effect, finish::Cited, sources::SourceBook};
use crate::{citations::Arriving, protocol::Event};

/// Shows what has been added to the answer, of which the model has written `whole` so far. Where a source is cited for
/// the first time, the sources are sent before the text, so that its number can be shown as a link at once.
pub(super) fn show(arriving: &mut Arriving, whole: &str, book: &SourceBook, keeps_handles: bool, out: &mut Vec<Effect>) {
    let before = arriving.order().len();
    let text = arriving.grow(whole, |handle, order| if keeps_handles { Some(handle) } else { book.number_now(handle, order) });
    if arriving.order().len() > before {
        out.push(sources(book, arriving.order()));
    }
    if !text.is_empty() {
        out.push(Effect::Emit(Event::AnswerDelta { text }));
    }
}

/// Takes back what was shown, with the numbers that it gave to sources.
pub(super) fn reset(arriving: &mut Arriving, book: &SourceBook, out: &mut Vec<Effect>) {
    let before = std::mem::take(arriving);
    if !before.shown().is_empty() {
        out.push(Effect::Emit(Event::AnswerReset));
    }
    if !before.order().is_empty() {
        out.push(sources(book, &[]));
    }
}

/// Shows what was held back while the answer arrived.
pub(super) fn show_rest(arriving: &Arriving, cited: &Cited, out: &mut Vec<Effect>) {
    let rest = cited.answer.strip_prefix(arriving.shown()).filter(|rest| !rest.is_empty() && !arriving.shown().is_empty());
    if let Some(rest) = rest {
        show_all_of(rest, cited, out);
    }
}

fn show_all_of(text: &str, cited: &Cited, out: &mut Vec<Effect>) {
    if !cited.citations.is_empty() {
        out.push(Effect::Emit(Event::Sources { sources: cited.sources.clone() }));
    }
    out.push(Effect::Emit(Event::AnswerDelta { text: text.to_owned() }));
}

/// Shows an answer to its end, or all of it where none of it had been shown.
pub(super) fn show_whole(arriving: &Arriving, cited: &Cited, out: &mut Vec<Effect>) {
    if arriving.shown().is_empty() && !cited.answer.is_empty() {
        show_all_of(&cited.answer, cited, out);
    } else {
        show_rest(arriving, cited, out);
    }
}

/// The sources with the numbers they have where an answer cites these first.
pub(super) fn sources(book: &SourceBook, order: &[u32]) -> Effect {
    Effect::Emit(Event::Sources { sources: book.list(&[], &book.numbers(order)) })
}

//! What people see of an answer while it arrives.

use super::{Effect, sources::SourceBook};
use crate::{citations::Arriving, protocol::Event};

/// Shows what has been added to the answer, of which the model has written `whole` so far, and the sources again where
/// one of them is cited for the first time.
pub(super) fn show(arriving: &mut Arriving, whole: &str, book: &SourceBook, keeps_handles: bool, out: &mut Vec<Effect>) {
    let before = arriving.order().len();
    let text = arriving.grow(whole, |handle, order| if keeps_handles { Some(handle) } else { book.number_now(handle, order) });
    if !text.is_empty() {
        out.push(Effect::Emit(Event::AnswerDelta { text }));
    }
    if arriving.order().len() > before {
        out.push(sources(book, arriving.order()));
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
pub(super) fn show_rest(arriving: &Arriving, answer: &str, out: &mut Vec<Effect>) {
    let rest = answer.strip_prefix(arriving.shown()).filter(|rest| !rest.is_empty() && !arriving.shown().is_empty());
    if let Some(rest) = rest {
        out.push(Effect::Emit(Event::AnswerDelta { text: rest.to_owned() }));
    }
}

/// Shows an answer to its end, or all of it where none of it had been shown.
pub(super) fn show_whole(arriving: &Arriving, answer: &str, out: &mut Vec<Effect>) {
    if arriving.shown().is_empty() && !answer.is_empty() {
        out.push(Effect::Emit(Event::AnswerDelta { text: answer.to_owned() }));
    } else {
        show_rest(arriving, answer, out);
    }
}

/// The sources with the numbers they have where an answer cites these first.
pub(super) fn sources(book: &SourceBook, order: &[u32]) -> Effect {
    Effect::Emit(Event::Sources { sources: book.list(&[], &book.numbers(order)) })
}

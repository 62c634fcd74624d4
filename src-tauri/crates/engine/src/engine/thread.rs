//! What a follow-up takes over from its thread, and what of that its journal leaves to the thread.

use std::collections::HashMap;

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{EarlierSummary, TurnState},
    run::{Asked, Earlier, Input, KnownSource, rests_on_private},
};
use nexi_store::{
    History, StoreError,
    history::{Journaled, StoredSource},
};

/// What a follow-up knows of its thread.
#[derive(Debug, Default)]
pub(super) struct EarlierTurns {
    /// What stands in the place of the oldest of them.
    pub summary: Option<EarlierSummary>,
    /// Questions and answers.
    pub earlier: Vec<Earlier>,
    /// Sources with their numbers.
    pub known: Vec<KnownSource>,
    /// The last turn.
    pub last: Option<TurnId>,
}

/// Reads it.
pub(super) fn earlier(history: &History, thread: &ThreadId, handbook: &str) -> Result<EarlierTurns, StoreError> {
    let turns = history.turns(thread)?;
    let last = turns.last().map(|turn| turn.id.clone());
    if turns.iter().any(|turn| turn.ending.state == TurnState::Running) {
        return Err(StoreError::Busy);
    }
    let mut quotes: HashMap<u32, Vec<String>> = HashMap::new();
    for source in turns.iter().flat_map(|turn| &turn.ending.sources) {
        quotes.entry(source.number).or_default().extend(source.passages.iter().map(|passage| passage.quote.clone()));
    }
    let summary = turns.iter().rev().find_map(|turn| turn.ending.summary.as_deref().cloned());
    let answered = turns.iter().filter(|turn| !turn.ending.answer.is_empty());
    let through = summary.as_ref().and_then(|summary| answered.clone().position(|turn| turn.id == summary.through));
    let (summary, covered) = (summary.filter(|_| through.is_some()), through.map_or(0, |at| at + 1));
    // An answer rests on what its own run was shown, and on every answer before it.
    let mut private = history.held_private(thread)?;
    let earlier = turns
        .into_iter()
        .map(|turn| {
            private |= rests_on_private(&turn, handbook);
            Earlier { turn: Some(turn.id), question: turn.question, answer: turn.ending.answer, private }
        })
        .filter(|earlier| !earlier.answer.is_empty())
        .skip(covered)
        .collect();
    let known = history
        .sources(thread)?
        .into_iter()
        .map(|stored| KnownSource { number: stored.number, page: stored.page, quotes: quotes.remove(&stored.number).unwrap_or_default() })
        .collect();
    Ok(EarlierTurns { summary, earlier, known, last })
}

/// The same for a question that is asked as if nothing had been said, and the highest number that a source has.
pub(super) fn unknown(history: &History, thread: &ThreadId) -> Result<(EarlierTurns, Option<u32>), StoreError> {
    let outlines = history.outlines(thread)?;
    if outlines.iter().any(|turn| turn.state == TurnState::Running) {
        return Err(StoreError::Busy);
    }
    let last = outlines.into_iter().next_back().map(|turn| turn.id);
    let (_, number) = history.state_of_thread(thread)?;
    Ok((EarlierTurns { last, ..EarlierTurns::default() }, Some(number)))
}

/// For the journal: the texts of earlier sources stand in the thread already.
pub(super) fn without_texts(asked: &Asked) -> Asked {
    let mut thin = asked.clone();
    for known in &mut thin.known {
        known.page.text = String::new();
        known.page.lines = Vec::new();
        known.page.links = Vec::new();
    }
    thin
}

/// How a turn was asked; none where its journal does not tell.
pub(super) fn asked_of(history: &History, turn: &TurnId) -> Result<Option<Asked>, StoreError> {
    Ok(match history.read_journal(turn)?.into_iter().next().map(|entry| entry.input) {
        Some(Input::Asked { asked }) => Some(*asked),
        _ => None,
    })
}

/// The journal of a turn, with the texts that its thread keeps.
pub(super) fn whole_journal(history: &History, thread: &ThreadId, turn: &TurnId) -> Result<Vec<Journaled>, StoreError> {
    let mut journal = history.read_journal(turn)?;
    if let Some(Input::Asked { asked }) = journal.first_mut().map(|entry| &mut entry.input) {
        with_texts(asked, history.sources(thread)?);
    }
    Ok(journal)
}

/// The texts of earlier sources, put back from the thread.
fn with_texts(asked: &mut Asked, stored: Vec<StoredSource>) {
    let mut pages: HashMap<u32, _> = stored.into_iter().map(|source| (source.number, source.page)).collect();
    for known in &mut asked.known {
        if let Some(page) = pages.remove(&known.number) {
            known.page = page;
        }
    }
}

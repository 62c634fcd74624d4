//! Endings that could not be written, because the disk was full or another process did not let go of the library: they
//! are shown as they are, and written as soon as that is possible.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use nexi_core::ids::TurnId;
use nexi_core::protocol::{Ending, EventEnvelope, Turn, TurnOutline};

use super::History;
use crate::StoreError;

/// All that [`History::finish_turn`] was to write.
#[derive(Debug, Clone)]
pub(super) struct Unkept {
    pub ending: Ending,
    pub numbers: BTreeMap<u32, u32>,
    pub duration_ms: u64,
    pub events: Vec<EventEnvelope>,
    /// Why the last try failed, for the person.
    pub why: String,
}

impl History {
    /// Tries again to write the endings that could not be written before. Returns how many still can't.
    pub fn keep_the_unkept(&self) -> usize {
        let waiting: Vec<(TurnId, Unkept)> = self.unkept().iter().map(|(id, unkept)| (id.clone(), unkept.clone())).collect();
        for (turn, unkept) in waiting {
            match self.write_ending(&turn, &unkept) {
                Ok(()) => drop(self.unkept().remove(&turn)),
                Err(error) => tracing::debug!(%error, turn = turn.as_str(), "the ending of a run still cannot be kept"),
            }
        }
        self.unkept().len()
    }

    /// Writes an ending, or remembers it where that fails.
    pub(super) fn keep_ending(&self, turn: &TurnId, unkept: Unkept) -> Result<(), StoreError> {
        let written = self.write_ending(turn, &unkept);
        match written {
            Ok(()) => drop(self.unkept().remove(turn)),
            Err(ref error) => drop(self.unkept().insert(turn.clone(), Unkept { why: error.not_kept(), ..unkept })),
        }
        written
    }

    /// Gives a turn that was read the ending that the database does not have.
    pub(super) fn with_unkept(&self, turn: &mut Turn) {
        if let Some(unkept) = self.unkept().get(&turn.id) {
            turn.ending = unkept.ending.clone();
            turn.ending.reason.get_or_insert_with(|| unkept.why.clone());
            turn.duration_ms = unkept.duration_ms;
            turn.events = unkept.events.clone();
        }
    }

    /// The same for an outline.
    pub(super) fn outline_with_unkept(&self, outline: &mut TurnOutline) {
        if let Some(unkept) = self.unkept().get(&outline.id) {
            outline.state = unkept.ending.state;
            outline.length = u32::try_from(unkept.ending.answer.chars().count()).unwrap_or(u32::MAX);
        }
    }

    fn unkept(&self) -> MutexGuard<'_, BTreeMap<TurnId, Unkept>> {
        self.unkept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

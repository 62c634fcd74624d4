//! How runs ended that could not be written down, because the disk was full or another process did not let go of the
//! library: it is shown as it is, and written as soon as that is possible.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{MutexGuard, PoisonError};

use nexi_core::ids::TurnId;
use nexi_core::protocol::{EndReason, Ending, EventEnvelope, Reasons, Turn, TurnOutline, TurnState};
use rusqlite::params;

use super::History;
use crate::{StoreError, lock::is_alive};

/// Runs that go on, and whose they are.
pub(super) const RUNNING: &str = "SELECT id, runner FROM turns WHERE state = 'running'";

/// All that [`History::finish_turn`] was to write.
#[derive(Debug, Clone)]
pub(super) struct UnsavedEnding {
    pub ending: Ending,
    pub numbers: BTreeMap<u32, u32>,
    pub duration_ms: u64,
    pub events: Vec<EventEnvelope>,
    /// Why the last try failed, for the person.
    pub why: String,
}

impl History {
    /// Tries again to write the endings that could not be written before. Returns how many still can't.
    pub fn retry_unsaved(&self) -> usize {
        let waiting: Vec<(TurnId, UnsavedEnding)> = self.unkept().iter().map(|(id, unkept)| (id.clone(), unkept.clone())).collect();
        for (turn, unkept) in waiting {
            match self.write_ending(&turn, &unkept) {
                Ok(()) => drop(self.unkept().remove(&turn)),
                Err(error) => tracing::debug!(%error, turn = turn.as_str(), "the ending of a run still cannot be kept"),
            }
        }
        self.unkept().len()
    }

    /// Runs whose process is gone become `interrupted`.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn mark_interrupted(&self) -> Result<(), StoreError> {
        let running: Vec<(String, String)> = {
            let connection = self.connection();
            let mut statement = connection.prepare_cached(RUNNING)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<_, _>>()?
        };
        for (id, runner) in running {
            if runner != self.lifeline.id() && !is_alive(&self.data, &runner) {
                // The runner is compared again: another process may have taken the run over.
                let marked = self.write(|transaction| {
                    transaction.execute(
                        "UPDATE turns SET state = 'interrupted', reason = ?3 WHERE id = ?1 AND runner = ?2 AND state = 'running'",
                        params![id, runner, Reasons::from(EndReason::Interrupted).to_column()],
                    )?;
                    Ok(())
                });
                match marked {
                    // What can be read is read all the same.
                    Err(error @ (StoreError::DiskFull | StoreError::ReadOnly | StoreError::Occupied | StoreError::Suspended { .. })) => {
                        tracing::warn!(%error, "an interrupted run could not be marked");
                        self.unmarked().insert(TurnId(id));
                    }
                    marked => {
                        marked?;
                        self.unmarked().remove(&TurnId(id));
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes an ending, or remembers it where that fails.
    pub(super) fn keep_ending(&self, turn: &TurnId, unkept: UnsavedEnding) -> Result<(), StoreError> {
        let written = self.write_ending(turn, &unkept);
        match written {
            Ok(()) => drop(self.unkept().remove(turn)),
            Err(ref error) => drop(self.unkept().insert(turn.clone(), UnsavedEnding { why: error.not_kept(), ..unkept })),
        }
        written
    }

    /// Gives a turn that was read the ending that the database does not have.
    pub(super) fn with_unsaved_ending(&self, turn: &mut Turn) {
        if let Some(unkept) = self.unkept().get(&turn.id) {
            turn.ending = unkept.ending.clone();
            if turn.ending.reason.is_empty() {
                turn.ending.reason = unkept.why.as_str().into();
            }
            turn.duration_ms = unkept.duration_ms;
            turn.events = unkept.events.clone();
        } else if turn.ending.state == TurnState::Running && self.unmarked().contains(&turn.id) {
            turn.ending.state = TurnState::Interrupted;
            turn.ending.reason = EndReason::Interrupted.into();
        }
    }

    /// The same for an outline.
    pub(super) fn outline_with_unsaved_ending(&self, outline: &mut TurnOutline) {
        if let Some(unkept) = self.unkept().get(&outline.id) {
            outline.state = unkept.ending.state;
            outline.length = u32::try_from(unkept.ending.answer.chars().count()).unwrap_or(u32::MAX);
        } else if outline.state == TurnState::Running && self.unmarked().contains(&outline.id) {
            outline.state = TurnState::Interrupted;
        }
    }

    fn unmarked(&self) -> MutexGuard<'_, BTreeSet<TurnId>> {
        self.unmarked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unkept(&self) -> MutexGuard<'_, BTreeMap<TurnId, UnsavedEnding>> {
        self.unkept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! The journal: what happened in a run, written down before it is acted on.

use nexi_core::{ids::TurnId, run::Input};
use rusqlite::{Transaction, params};

use super::History;
use crate::StoreError;

/// An input with the time since the run began, in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Journaled {
    pub elapsed_ms: u64,
    pub input: Input,
}

impl History {
    /// Adds inputs to a run's journal, the first at place `seq`, in one transaction. When this
    /// returns, they are on the disk.
    ///
    /// # Errors
    /// When the database refuses; the inputs must not be acted on then.
    pub fn journal(&self, turn: &TurnId, seq: u64, elapsed_ms: u64, inputs: &[Input]) -> Result<(), StoreError> {
        self.write(|transaction| add(transaction, turn, seq, elapsed_ms, inputs))
    }

    /// A run's journal, in order.
    ///
    /// # Errors
    /// When the database refuses, or an entry was written by a newer program.
    pub fn read_journal(&self, turn: &TurnId) -> Result<Vec<Journaled>, StoreError> {
        match self.unpack_journal(turn)? {
            Some(journal) => Ok(journal),
            None => self.read_lines(turn),
        }
    }

    /// What stands in lines of its own.
    pub(super) fn read_lines(&self, turn: &TurnId) -> Result<Vec<Journaled>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT elapsed_ms, input FROM journal WHERE turn_id = ?1 ORDER BY seq")?;
        let mut rows = statement.query([turn.as_str()])?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            let elapsed: i64 = row.get(0)?;
            let json: String = row.get(1)?;
            out.push(Journaled { elapsed_ms: u64::try_from(elapsed).unwrap_or_default(), input: serde_json::from_str(&json)? });
        }
        Ok(out)
    }
}

pub(super) fn add(transaction: &Transaction<'_>, turn: &TurnId, seq: u64, elapsed_ms: u64, inputs: &[Input]) -> Result<(), StoreError> {
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let mut statement = transaction.prepare_cached("INSERT INTO journal (turn_id, seq, elapsed_ms, input) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, input) in inputs.iter().enumerate() {
        statement.execute(params![turn.as_str(), number(seq + place as u64), number(elapsed_ms), serde_json::to_string(input)?])?;
    }
    Ok(())
}

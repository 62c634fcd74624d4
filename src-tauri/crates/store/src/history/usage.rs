//! What questions have used: tokens, money and time.

use nexi_core::{ids::TurnId, protocol::Usage};
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::History;
use crate::StoreError;

/// What one question, or a second opinion, has used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// Unix milliseconds.
    pub asked_ms: i64,
    /// As turns call it: the model and its service.
    pub model: String,
    pub duration_ms: u64,
    pub usage: Usage,
    /// It is a second opinion on a turn.
    pub is_second: bool,
    /// The name of the space that its thread belonged to.
    pub space: Option<String>,
}

impl History {
    /// What was used from one moment to another (Unix milliseconds, the second one is not included), oldest first.
    /// Looked up beside the connection that runs write to.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn used(&self, since_ms: i64, until_ms: i64) -> Result<Vec<Used>, StoreError> {
        // What a process has spent that went away in the middle counts, too.
        self.mark_interrupted()?;
        self.reading_on(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM usage WHERE asked_ms >= ?1 AND asked_ms < ?2 ORDER BY asked_ms, id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([since_ms, until_ms], used)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// What was spent since a moment (Unix milliseconds), in millionths of a US dollar.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn spent_since(&self, since_ms: i64) -> Result<u64, StoreError> {
        self.mark_interrupted()?;
        self.reading_on(|connection| {
            let mut statement = connection.prepare_cached("SELECT CAST(total(cost) AS INTEGER) FROM usage WHERE asked_ms >= ?1")?;
            Ok(statement.query_row([since_ms], |row| count(row, 0))?)
        })
    }

    /// Notes what a second opinion on a turn has used.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn add_second_usage(&self, turn: &TurnId, used: &Used) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "SELECT s.name FROM turns u JOIN threads t ON t.id = u.thread_id JOIN spaces s ON s.id = t.space_id WHERE u.id = ?1";
            let space = transaction.query_row(sql, [turn.as_str()], |row| row.get(0)).optional()?;
            add(transaction, &format!("{turn}#second#{}", used.asked_ms), &Used { space, ..used.clone() })
        })
    }

    /// Takes over what was used in a thread of another history.
    ///
    /// # Errors
    /// When one of the databases refuses.
    pub fn take_usage(&self, other: &History, turns: &[TurnId]) -> Result<(), StoreError> {
        let all: Vec<(String, Used)> = other.reading_on(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM usage WHERE id = ?1 OR id LIKE ?1 || '#second#%'");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut out = Vec::new();
            for turn in turns {
                let rows = statement.query_map([turn.as_str()], |row| Ok((row.get(8)?, used(row)?)))?;
                out.extend(rows.collect::<Result<Vec<_>, _>>()?);
            }
            Ok(out)
        })?;
        self.write(|transaction| all.iter().try_for_each(|(id, used)| add(transaction, id, used)))?;
        other.write(|transaction| {
            for (id, _) in &all {
                transaction.execute("DELETE FROM usage WHERE id = ?1", [id])?;
            }
            Ok(())
        })
    }
}

const COLUMNS: &str =
    "asked_ms, model, duration_ms, prompt_tokens, cached_tokens, completion_tokens, cost, id LIKE '%#second#%', id, space";

fn used(row: &Row<'_>) -> rusqlite::Result<Used> {
    let usage =
        Usage { prompt: count(row, 3)?, cached: count(row, 4)?, completion: count(row, 5)?, cost: count(row, 6)?, ..Usage::default() };
    Ok(Used { asked_ms: row.get(0)?, model: row.get(1)?, duration_ms: count(row, 2)?, usage, is_second: row.get(7)?, space: row.get(9)? })
}

fn add(transaction: &Transaction<'_>, id: &str, used: &Used) -> Result<(), StoreError> {
    let Usage { prompt, cached, completion, cost, .. } = used.usage;
    let [duration, prompt, cached, completion, cost] =
        [used.duration_ms, prompt, cached, completion, cost].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    transaction.execute(
        "INSERT OR REPLACE INTO usage (id, asked_ms, model, duration_ms, prompt_tokens, cached_tokens, completion_tokens, cost, space)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![id, used.asked_ms, used.model, duration, prompt, cached, completion, cost, used.space],
    )?;
    Ok(())
}

/// A column that is never below zero.
fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_stays_when_its_thread_goes() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (thread, turn) = super::super::tests::one_turn(&history);
        let all = |from: i64| history.used(from, i64::MAX).unwrap();
        let used = all(i64::MIN);
        assert_eq!((used.len(), used[0].is_second), (1, false));
        let second = Used {
            asked_ms: 100,
            model: "b · work".into(),
            duration_ms: 7,
            usage: Usage { cost: 5, ..Usage::tokens(3, 2) },
            is_second: true,
            space: None,
        };
        history.add_second_usage(&turn, &second).unwrap();
        let later = Used { asked_ms: 200, model: "c · work".into(), ..second.clone() };
        history.add_second_usage(&turn, &later).unwrap();
        assert_eq!((history.spent_since(100).unwrap(), all(100)), (10, vec![second, later]));
        // A private thread that is kept takes what it used along.
        let kept = History::open(&folder.path().join("kept.db")).unwrap();
        kept.take_usage(&history, std::slice::from_ref(&turn)).unwrap();
        assert_eq!((kept.used(i64::MIN, i64::MAX).unwrap().len(), all(i64::MIN).len()), (3, 0));
        history.take_usage(&kept, &[turn]).unwrap();
        history.delete(&thread, 1).unwrap();
        history.purge(2).unwrap();
        assert_eq!(all(i64::MIN).len(), 3);
    }
}

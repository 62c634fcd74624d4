//! What questions have used: tokens, money and time.

use nexi_core::{ids::TurnId, protocol::Usage};
use rusqlite::{Row, params};

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
}

impl History {
    /// What was used from one moment to another (Unix milliseconds, the second one is not included), oldest first.
    /// Looked up beside the connection that runs write to.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn used(&self, since_ms: i64, until_ms: i64) -> Result<Vec<Used>, StoreError> {
        self.reading_on(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT asked_ms, model, duration_ms, prompt_tokens, cached_tokens, completion_tokens, cost, id LIKE '%#second' FROM usage
                 WHERE asked_ms >= ?1 AND asked_ms < ?2 ORDER BY asked_ms, id",
            )?;
            let rows = statement.query_map([since_ms, until_ms], |row| {
                let usage = Usage {
                    prompt: count(row, 3)?,
                    cached: count(row, 4)?,
                    completion: count(row, 5)?,
                    cost: count(row, 6)?,
                    ..Usage::default()
                };
                Ok(Used { asked_ms: row.get(0)?, model: row.get(1)?, duration_ms: count(row, 2)?, usage, is_second: row.get(7)? })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// What was spent since a moment (Unix milliseconds), in millionths of a US dollar.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn spent_since(&self, since_ms: i64) -> Result<u64, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT coalesce(sum(cost), 0) FROM usage WHERE asked_ms >= ?1")?;
        Ok(statement.query_row([since_ms], |row| count(row, 0))?)
    }

    /// Notes what a second opinion on a turn has used. Later ones on the same turn add to it.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn add_second_usage(&self, turn: &TurnId, used: &Used) -> Result<(), StoreError> {
        let Usage { prompt, cached, completion, cost, .. } = used.usage;
        let [duration, prompt, cached, completion, cost] =
            [used.duration_ms, prompt, cached, completion, cost].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO usage (id, asked_ms, model, duration_ms, prompt_tokens, cached_tokens, completion_tokens, cost)
                 VALUES (?1 || '#second', ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                 ON CONFLICT (id) DO UPDATE SET prompt_tokens = prompt_tokens + excluded.prompt_tokens,
                     cached_tokens = cached_tokens + excluded.cached_tokens, cost = cost + excluded.cost,
                     completion_tokens = completion_tokens + excluded.completion_tokens, model = excluded.model,
                     asked_ms = excluded.asked_ms, duration_ms = duration_ms + excluded.duration_ms",
                params![turn.as_str(), used.asked_ms, used.model, duration, prompt, cached, completion, cost],
            )?;
            Ok(())
        })
    }
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
        };
        history.add_second_usage(&turn, &second).unwrap();
        history.add_second_usage(&turn, &second).unwrap();
        assert_eq!(history.spent_since(100).unwrap(), 10);
        let both = Used { duration_ms: 14, usage: Usage { cost: 10, ..Usage::tokens(6, 4) }, ..second };
        assert_eq!(all(100), [both]);
        history.delete(&thread, 1).unwrap();
        history.purge(2).unwrap();
        assert_eq!(all(i64::MIN).len(), 2);
    }
}

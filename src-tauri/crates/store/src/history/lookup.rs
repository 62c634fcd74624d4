//! The newest turns, and turns and threads found by what a person types.

use nexi_core::ids::{ThreadId, TurnId};
use nexi_core::protocol::TurnState;
use rusqlite::{Connection, OptionalExtension};

use super::History;
use crate::StoreError;

/// A part of an id that is shorter fits too many by chance.
const SHORTEST: usize = 4;

/// Lists show so much of the end of an id; it may be typed from its front.
const SHOWN: usize = 8;

const NEWEST: &str = "SELECT u.id, u.question, u.state, (SELECT count(*) FROM turn_sources s WHERE s.turn_id = u.id)
     FROM turns u JOIN threads t ON t.id = u.thread_id WHERE t.deleted_ms IS NULL
     ORDER BY u.asked_ms DESC, u.id DESC LIMIT ?1 OFFSET ?2";

/// A turn in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnLine {
    pub id: TurnId,
    pub question: String,
    pub state: TurnState,
    pub sources: u32,
}

impl History {
    /// The newest turns of all threads, newest first, without those in front of `offset`. Looked up
    /// beside the connection that runs write to.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn newest_turns(&self, limit: u32, offset: u32) -> Result<Vec<TurnLine>, StoreError> {
        self.mark_interrupted()?;
        self.reading_on(|connection| lines(connection, limit, offset))
    }

    /// The turn with this id, or the only one whose id, or what lists show of it, begins or ends so. Ids begin with the time,
    /// so that turns of the same minute differ at their end.
    ///
    /// # Errors
    /// When there is none, or it fits several.
    pub fn find_turn(&self, id: &str) -> Result<TurnId, StoreError> {
        self.find("turn", "SELECT u.id FROM turns u JOIN threads t ON t.id = u.thread_id WHERE t.deleted_ms IS NULL AND", "u.id", id)
            .map(TurnId)
    }

    /// The thread with this id, or the only one whose id begins or ends so.
    ///
    /// # Errors
    /// When there is none, or it fits several.
    pub fn find_thread(&self, id: &str) -> Result<ThreadId, StoreError> {
        self.find("thread", "SELECT t.id FROM threads t WHERE t.deleted_ms IS NULL AND", "t.id", id).map(ThreadId)
    }

    /// The watched question with this id, or the only one whose id begins or ends so.
    ///
    /// # Errors
    /// When there is none, or it fits several.
    pub fn find_watched(&self, id: &str) -> Result<String, StoreError> {
        let select = "SELECT w.id FROM watched w JOIN threads t ON t.id = w.thread_id WHERE t.deleted_ms IS NULL AND";
        self.find("watched question", select, "w.id", id)
    }

    fn find(&self, what: &'static str, select: &str, column: &str, id: &str) -> Result<String, StoreError> {
        let typed = id.trim();
        let wanted = typed.to_ascii_lowercase();
        let missing = || StoreError::Missing { what, id: id.trim().to_owned() };
        let connection = self.connection();
        // Ids of other programs may look otherwise.
        let whole = connection.prepare_cached(&format!("{select} {column} = ?1"))?.query_row([typed], |row| row.get(0)).optional()?;
        if let Some(whole) = whole {
            return Ok(whole);
        }
        if wanted.len() < SHORTEST {
            return Err(StoreError::Short { id: wanted });
        }
        let mut statement = connection
            .prepare_cached(&format!(
                "{select} (substr({column}, 1, length(?1)) = ?1 OR substr({column}, -length(?1)) = ?1 OR substr({column}, -{SHOWN}, length(?1)) = ?1) LIMIT 3"
            ))?;
        let found: Vec<String> = statement.query_map([&wanted], |row| row.get(0))?.collect::<Result<_, _>>()?;
        match found.as_slice() {
            [] => Err(missing()),
            [one] => Ok(one.clone()),
            _ => Err(StoreError::Ambiguous { id: wanted }),
        }
    }
}

fn lines(connection: &Connection, limit: u32, offset: u32) -> Result<Vec<TurnLine>, StoreError> {
    let mut statement = connection.prepare_cached(NEWEST)?;
    let lines = statement.query_map([limit, offset], |row| {
        let state: String = row.get(2)?;
        Ok(TurnLine {
            id: TurnId(row.get(0)?),
            question: row.get(1)?,
            state: TurnState::parse(&state).unwrap_or(TurnState::Failed),
            sources: row.get(3)?,
        })
    })?;
    Ok(lines.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::super::{self as history, unkept};
    use super::*;

    /// How SQLite goes about a query, in its own words.
    fn plan(history: &History, sql: &str) -> String {
        let connection = history.connection();
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        for index in 1..=statement.parameter_count() {
            statement.raw_bind_parameter(index, 1).unwrap();
        }
        let mut rows = statement.raw_query();
        let mut out = String::new();
        while let Some(row) = rows.next().unwrap() {
            out.push_str(&row.get::<_, String>(3).unwrap());
            out.push('\n');
        }
        out
    }

    #[test]
    fn what_every_command_asks_for_looks_at_few_turns() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let newest = plan(&history, NEWEST);
        assert!(newest.contains("turns_by_time") && !newest.contains("TEMP B-TREE"), "{newest}");
        let running = plan(&history, unkept::RUNNING);
        assert!(running.contains("turns_running"), "{running}");
        let interrupted = plan(&history, history::INTERRUPTED);
        assert!(interrupted.contains("turns_interrupted"), "{interrupted}");
    }
}

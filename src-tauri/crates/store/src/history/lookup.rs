//! Finding turns and threads by what a person types, and deleting everything.

use nexi_core::ids::{ThreadId, TurnId};

use super::History;
use crate::StoreError;

/// A part of an id that is shorter fits too many by chance.
const SHORTEST: usize = 4;

impl History {
    /// The newest turns of all threads, newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn newest_turns(&self, limit: u32) -> Result<Vec<TurnId>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT u.id FROM turns u JOIN threads t ON t.id = u.thread_id WHERE t.deleted_ms IS NULL
             ORDER BY u.asked_ms DESC, u.id DESC LIMIT ?1",
        )?;
        let ids = statement.query_map([limit], |row| Ok(TurnId(row.get(0)?)))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The turn with this id, or the only one whose id begins or ends so. Ids begin with the time,
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

    fn find(&self, what: &'static str, select: &str, column: &str, id: &str) -> Result<String, StoreError> {
        let wanted = id.trim().to_ascii_lowercase();
        let missing = || StoreError::Missing { what, id: id.trim().to_owned() };
        if wanted.len() < SHORTEST {
            return Err(missing());
        }
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached(&format!("{select} (substr({column}, 1, length(?1)) = ?1 OR substr({column}, -length(?1)) = ?1) LIMIT 3"))?;
        let found: Vec<String> = statement.query_map([&wanted], |row| row.get(0))?.collect::<Result<_, _>>()?;
        match found.as_slice() {
            [] => Err(missing()),
            [one] => Ok(one.clone()),
            _ => found.iter().find(|id| **id == wanted).cloned().ok_or(StoreError::Ambiguous { id: wanted }),
        }
    }

    /// Deletes every thread in which no run is going on, for good, and gives their space back.
    /// Returns how many went and how many stayed.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn clear(&self) -> Result<(u64, u64), StoreError> {
        self.mark_interrupted()?;
        let (gone, stayed) = self.write(|transaction| {
            let gone =
                transaction.execute("DELETE FROM threads WHERE id NOT IN (SELECT thread_id FROM turns WHERE state = 'running')", [])?;
            let stayed: i64 = transaction.query_row("SELECT count(*) FROM threads", [], |row| row.get(0))?;
            Ok((gone as u64, u64::try_from(stayed).unwrap_or_default()))
        })?;
        // What is deleted must not lie about in free pages. Another program that reads just now only delays that.
        let connection = self.connection();
        if let Err(error) = connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);") {
            tracing::info!(%error, "the space of deleted threads is given back later");
        }
        Ok((gone, stayed))
    }
}

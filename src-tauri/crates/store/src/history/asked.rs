//! Questions that were asked before.

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::AskedBefore,
};
use rusqlite::params;

use super::History;
use crate::StoreError;

impl History {
    /// Answered questions that hold some of these words, not compared yet, those that hold most of the rare ones first; how many questions
    /// there are, and how many of them hold each word.
    ///
    /// A later search makes an earlier one give up with [`StoreError::Superseded`].
    ///
    /// # Errors
    /// When the database refuses.
    pub fn asked_with(&self, words: &[String], limit: u32) -> Result<(Vec<AskedBefore>, usize, Vec<usize>), StoreError> {
        if words.is_empty() {
            return Ok((Vec::new(), 0, Vec::new()));
        }
        let quoted = |word: &String| format!("\"{}\"", word.replace('"', "\"\""));
        self.searching(|connection| {
            let total: i64 = connection.query_row("SELECT count(*) FROM turn_rows", [], |row| row.get(0))?;
            let mut count = connection.prepare_cached("SELECT count(*) FROM turns_fts WHERE turns_fts MATCH ?1")?;
            let counts = words
                .iter()
                .map(|word| count.query_row([format!("{{question}} : {}", quoted(word))], |row| row.get::<_, i64>(0)))
                .map(|count| Ok(usize::try_from(count?).unwrap_or_default()))
                .collect::<Result<Vec<usize>, rusqlite::Error>>()?;
            let matched = format!("{{question}} : ({})", words.iter().map(quoted).collect::<Vec<_>>().join(" OR "));
            let mut statement = connection.prepare_cached(
                "SELECT t.thread_id, t.id, t.question, t.asked_ms FROM turns_fts f JOIN turn_rows r ON r.row = f.rowid
                 JOIN turns t ON t.id = r.turn_id JOIN threads h ON h.id = t.thread_id
                 WHERE f.turns_fts MATCH ?1 AND h.deleted_ms IS NULL AND t.answer != ''
                 ORDER BY bm25(turns_fts, 1.0, 0.0, 0.0, 0.0), t.asked_ms DESC LIMIT ?2",
            )?;
            let rows = statement.query_map(params![matched, limit], |row| {
                Ok(AskedBefore {
                    thread: ThreadId(row.get(0)?),
                    turn: TurnId(row.get(1)?),
                    question: row.get(2)?,
                    asked_ms: row.get(3)?,
                    is_same: false,
                })
            })?;
            Ok((rows.collect::<Result<_, _>>()?, usize::try_from(total).unwrap_or_default(), counts))
        })
    }
}

//! Branching: another thread that shares the beginning of one.

use nexi_core::ids::{ThreadId, TurnId};
use rusqlite::{OptionalExtension, params};

use super::{History, new_id};
use crate::StoreError;

impl History {
    /// A new thread with copies of all turns before this one, and of this one too if `including`.
    /// Sources keep their numbers and passages. None when there would be no turn in it.
    ///
    /// # Errors
    /// When there is no such turn.
    pub fn branch(&self, turn: &TurnId, including: bool, now_ms: i64) -> Result<Option<ThreadId>, StoreError> {
        self.write(|transaction| {
            let found: Option<(String, i64)> = transaction
                .query_row("SELECT thread_id, position FROM turns WHERE id = ?1", [turn.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let (thread, position) = found.ok_or_else(|| StoreError::Missing { what: "turn", id: turn.to_string() })?;
            let last = if including { position } else { position - 1 };
            let copied: Vec<String> = {
                let mut statement = transaction
                    .prepare("SELECT id FROM turns WHERE thread_id = ?1 AND position <= ?2 AND state != 'running' ORDER BY position")?;
                let rows = statement.query_map(params![thread, last], |row| row.get(0))?;
                rows.collect::<Result<_, _>>()?
            };
            if copied.is_empty() {
                return Ok(None);
            }
            let branch = new_id();
            transaction.execute(
                "INSERT INTO threads (id, title, created_ms, updated_ms, branched_from, held_private, description, titled, space_id, origin, origin_author)
                 SELECT ?1, title, ?3, ?3, ?4, held_private, description, titled, space_id, origin, origin_author FROM threads WHERE id = ?2",
                params![branch, thread, now_ms, turn.as_str()],
            )?;
            // A run that was interrupted has no list of sources yet; its events tell which it had read.
            transaction.execute(
                "INSERT INTO sources (thread_id, number, url, title, byline, date, text, lines, read_ms, more, site, packed)
                 SELECT ?1, number, url, title, byline, date, text, lines, read_ms, more, site, packed FROM sources WHERE thread_id = ?2 AND number IN
                     (SELECT s.number FROM turn_sources s JOIN turns t ON t.id = s.turn_id WHERE t.thread_id = ?2 AND t.position <= ?3
                      UNION SELECT coalesce(json_extract(e.value, '$.event.event.number'), json_extract(e.value, '$.event.number'))
                      FROM turns t, json_each(t.events) e WHERE t.thread_id = ?2 AND t.position <= ?3
                      AND 'page_read' IN (json_extract(e.value, '$.event.type'), json_extract(e.value, '$.event.event.type')))",
                params![branch, thread, last],
            )?;
            let mut ids = Vec::with_capacity(copied.len());
            for old in copied {
                let new = new_id();
                // A copy of an interrupted run cannot be resumed: its journal stays where it is.
                transaction.execute(
                    "INSERT INTO turns (id, thread_id, position, question, effort, model, asked_ms, duration_ms, state, reason, answer, steps,
                                        prompt_tokens, completion_tokens, citations, events, runner, cost, estimated, found, letters, follow_ups, mode, method, incident, cached_tokens, statements, checked, second, summary, change)
                     SELECT ?1, ?2, position, question, effort, model, asked_ms, duration_ms,
                            CASE state WHEN 'interrupted' THEN 'cancelled' ELSE state END, reason, answer, steps,
                            prompt_tokens, completion_tokens, citations, replace(events, ?3, ?1), runner, cost, estimated,
                            found, letters, follow_ups, mode, method, incident, cached_tokens, statements, checked, second, summary, change
                     FROM turns WHERE id = ?3",
                    params![new, branch, old],
                )?;
                transaction.execute(
                    "INSERT INTO turn_sources (turn_id, number, cited) SELECT ?1, number, cited FROM turn_sources WHERE turn_id = ?2",
                    params![new, old],
                )?;
                transaction.execute(
                    "INSERT INTO passages (turn_id, number, ordinal, start, end, quote, start_line, end_line, page, place)
                     SELECT ?1, number, ordinal, start, end, quote, start_line, end_line, page, place FROM passages WHERE turn_id = ?2",
                    params![new, old],
                )?;
                ids.push((old, new));
            }
            // A summary names the turn up to which it goes, a change the one since which it is.
            for (old, new) in ids {
                transaction.execute(
                    "UPDATE turns SET summary = replace(summary, ?2, ?3), change = replace(change, ?2, ?3)
                     WHERE thread_id = ?1 AND (summary IS NOT NULL OR change IS NOT NULL)",
                    params![branch, old, new],
                )?;
            }
            Ok(Some(ThreadId(branch)))
        })
    }
}

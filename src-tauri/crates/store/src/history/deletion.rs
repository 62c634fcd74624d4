//! Deleting threads and single turns, and taking that back.

use nexi_core::ids::{ThreadId, TurnId};
use nexi_core::protocol::DeletedItem;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{History, new_id};
use crate::StoreError;

/// Deleted things that are listed.
const MOST_LISTED: u32 = 1000;

/// What the deletion of a turn took away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeletedTurn {
    /// The turn alone.
    Turn,
    /// It was the only one of this thread, so that the thread went.
    Thread(ThreadId),
}

impl History {
    /// Marks a thread as deleted: it is in no list any more, and can be taken back until it is purged.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn delete(&self, thread: &ThreadId, now_ms: i64) -> Result<(), StoreError> {
        self.change_thread("UPDATE threads SET deleted_ms = ?2 WHERE id = ?1", params![thread.as_str(), now_ms], thread)
    }

    /// Takes the deletion of a thread back.
    ///
    /// # Errors
    /// When the thread is gone for good.
    pub fn restore(&self, thread: &ThreadId) -> Result<(), StoreError> {
        self.change_thread("UPDATE threads SET deleted_ms = NULL WHERE id = ?1", params![thread.as_str()], thread)
    }

    /// Takes a turn out of its thread; until it is purged that can be taken back. The only turn of a thread takes the
    /// thread along. `private` says whether the turn rested on private text, which the thread then remembers.
    ///
    /// # Errors
    /// When there is no such turn, or its run is going on.
    pub fn delete_turn(&self, turn: &TurnId, private: bool, now_ms: i64) -> Result<DeletedTurn, StoreError> {
        self.mark_interrupted()?;
        self.write(|transaction| {
            let thread = take_out(transaction, turn, private, now_ms)?;
            Ok(thread.map_or(DeletedTurn::Turn, DeletedTurn::Thread))
        })
    }

    /// Puts a turn that was deleted back into its thread, where it stood.
    ///
    /// # Errors
    /// When it is gone for good.
    pub fn restore_turn(&self, turn: &TurnId) -> Result<(), StoreError> {
        self.write(|transaction| {
            let missing = || StoreError::Missing { what: "turn", id: turn.to_string() };
            let (bin, thread, position): (String, String, i64) = transaction
                .query_row(
                    "SELECT b.id, b.deleted_from, u.position FROM turns u JOIN threads b ON b.id = u.thread_id
                     JOIN threads t ON t.id = b.deleted_from WHERE u.id = ?1",
                    [turn.as_str()],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
                )
                .optional()?
                .ok_or_else(missing)?;
            make_room(transaction, &thread, position)?;
            transaction.execute("UPDATE turns SET thread_id = ?2 WHERE id = ?1", params![turn.as_str(), thread])?;
            transaction.execute("DELETE FROM threads WHERE id = ?1", [bin])?;
            // Its thread may have been deleted since.
            transaction.execute("UPDATE threads SET deleted_ms = NULL WHERE id = ?1", [thread])?;
            Ok(())
        })
    }

    /// What was deleted and can be brought back, the newest first. It is gone for good `kept_ms` after it was deleted.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn deleted(&self, kept_ms: i64) -> Result<Vec<DeletedItem>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT t.id, t.title, t.deleted_ms, t.deleted_from IS NOT NULL, count(u.id), min(u.id),
                    (SELECT question FROM turns WHERE thread_id = t.id ORDER BY position LIMIT 1)
             FROM threads t JOIN turns u ON u.thread_id = t.id WHERE t.deleted_ms IS NOT NULL
             GROUP BY t.id ORDER BY t.deleted_ms DESC, t.id LIMIT ?1",
        )?;
        let rows = statement.query_map([MOST_LISTED], |row| {
            let (title, question): (String, String) = (row.get(1)?, row.get(6)?);
            let (is_turn, deleted_ms): (bool, i64) = (row.get(3)?, row.get(2)?);
            Ok(DeletedItem {
                id: row.get(if is_turn { 5 } else { 0 })?,
                is_turn,
                title: if title.is_empty() { question } else { title },
                turns: row.get(4)?,
                deleted_ms,
                gone_ms: deleted_ms.saturating_add(kept_ms),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Removes one thing for good that was deleted before, by the id that [`deleted`](Self::deleted) gave it.
    ///
    /// # Errors
    /// When it is gone already, or has been brought back; or it is a turn, and another one of its thread is being answered.
    pub fn forget_deleted(&self, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "SELECT b.id FROM turns u JOIN threads b ON b.id = u.thread_id WHERE u.id = ?1 AND b.deleted_from IS NOT NULL";
            if let Some(bin) = transaction.query_row(sql, [id], |row| row.get::<_, String>(0)).optional()? {
                // A run that is going on may just be reading a source of the turn again.
                let sql = "SELECT EXISTS (SELECT 1 FROM turns u JOIN threads b ON b.deleted_from = u.thread_id WHERE b.id = ?1 AND u.state = 'running')";
                if transaction.query_row(sql, [&bin], |row| row.get(0))? {
                    return Err(StoreError::Running);
                }
                return empty(transaction, &bin);
            }
            empty_all_of(transaction, id)?;
            match transaction.execute("DELETE FROM threads WHERE id = ?1 AND deleted_ms IS NOT NULL AND deleted_from IS NULL", [id])? {
                0 => Err(StoreError::Missing { what: "thread", id: id.to_owned() }),
                _ => Ok(()),
            }
        })
    }

    /// Deletes a turn for good, at once.
    ///
    /// # Errors
    /// As [`delete_turn`](Self::delete_turn).
    pub fn forget_turn(&self, turn: &TurnId, private: bool, now_ms: i64) -> Result<DeletedTurn, StoreError> {
        self.mark_interrupted()?;
        self.write(|transaction| {
            if let Some(thread) = take_out(transaction, turn, private, now_ms)? {
                transaction.execute("DELETE FROM threads WHERE id = ?1", [thread.as_str()])?;
                return Ok(DeletedTurn::Thread(thread));
            }
            let bin: String = transaction.query_row("SELECT thread_id FROM turns WHERE id = ?1", [turn.as_str()], |row| row.get(0))?;
            empty(transaction, &bin)?;
            Ok(DeletedTurn::Turn)
        })
    }

    /// Removes for good what was deleted before this time. Returns how many threads and turns went.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn purge(&self, before_ms: i64) -> Result<usize, StoreError> {
        self.write(|transaction| {
            // A run that is going on may just be reading a source of the turn again; the next purge takes it.
            let bins: Vec<String> = transaction
                .prepare_cached(
                    "SELECT id FROM threads WHERE deleted_from IS NOT NULL
                     AND (deleted_ms <= ?1 OR deleted_from IN (SELECT id FROM threads WHERE deleted_ms <= ?1 AND deleted_from IS NULL))
                     AND deleted_from NOT IN (SELECT thread_id FROM turns WHERE state = 'running')",
                )?
                .query_map([before_ms], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            for bin in &bins {
                empty(transaction, bin)?;
            }
            let threads = transaction.execute("DELETE FROM threads WHERE deleted_ms <= ?1 AND deleted_from IS NULL", [before_ms])?;
            Ok(bins.len() + threads)
        })
    }

    /// Whether the thread held a turn that rested on private text and was deleted.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn held_private(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT held_private FROM threads WHERE id = ?1")?;
        Ok(statement.query_row([thread.as_str()], |row| row.get(0)).optional()?.unwrap_or_default())
    }
}

/// Removes a turn that nobody asked for and nobody has seen, within a transaction; the thread that it was in. It stays where it is the only one of
/// its thread, is being answered, or was gone on from.
pub(super) fn forget(transaction: &Transaction<'_>, turn: &TurnId) -> Result<Option<String>, StoreError> {
    let sql = "SELECT u.thread_id FROM turns u WHERE u.id = ?1 AND u.state != 'running'
               AND EXISTS (SELECT 1 FROM turns WHERE thread_id = u.thread_id AND position < u.position)
               AND NOT EXISTS (SELECT 1 FROM turns WHERE thread_id = u.thread_id AND position > u.position)";
    let found: Option<String> = transaction.query_row(sql, [turn.as_str()], |row| row.get(0)).optional()?;
    let Some(thread) = found else { return Ok(None) };
    drop_sources(transaction, turn.as_str(), &thread)?;
    transaction.execute("DELETE FROM turns WHERE id = ?1", [turn.as_str()])?;
    Ok(Some(thread))
}

/// Moves a turn into a thread of its own that is deleted, or, where it is the only one, marks its thread as deleted and
/// returns that.
fn take_out(transaction: &Transaction<'_>, turn: &TurnId, private: bool, now_ms: i64) -> Result<Option<ThreadId>, StoreError> {
    let found: Option<(String, String, u32)> = transaction
        .query_row(
            "SELECT u.thread_id, u.state, (SELECT count(*) FROM turns WHERE thread_id = u.thread_id) FROM turns u
             JOIN threads t ON t.id = u.thread_id WHERE u.id = ?1 AND t.deleted_ms IS NULL",
            [turn.as_str()],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let (thread, state, turns) = found.ok_or_else(|| StoreError::Missing { what: "turn", id: turn.to_string() })?;
    if state == "running" {
        return Err(StoreError::Running);
    }
    if turns == 1 {
        transaction.execute("UPDATE threads SET deleted_ms = ?2 WHERE id = ?1", params![thread, now_ms])?;
        return Ok(Some(ThreadId(thread)));
    }
    let bin = new_id();
    transaction.execute(
        "INSERT INTO threads (id, title, created_ms, updated_ms, deleted_ms, deleted_from) VALUES (?1, '', ?2, ?2, ?2, ?3)",
        params![bin, now_ms, thread],
    )?;
    transaction.execute("UPDATE turns SET thread_id = ?2 WHERE id = ?1", params![turn.as_str(), bin])?;
    transaction.execute("UPDATE threads SET held_private = held_private OR ?2 WHERE id = ?1", params![thread, private])?;
    Ok(None)
}

/// Makes a position of a thread free, where another turn has it: that turn and those behind it move on by one.
fn make_room(transaction: &Transaction<'_>, thread: &str, position: i64) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM turns WHERE thread_id = ?1 AND position = ?2)";
    if transaction.query_row(sql, params![thread, position], |row| row.get(0))? {
        // By way of negative numbers: each row must have a number of its own at any time.
        transaction
            .execute("UPDATE turns SET position = -position - 1 WHERE thread_id = ?1 AND position >= ?2", params![thread, position])?;
        transaction.execute("UPDATE turns SET position = -position WHERE thread_id = ?1 AND position < 0", [thread])?;
    }
    Ok(())
}

/// Removes a turn that waits in this thread for good, with what no other turn of the thread it came from rests on.
fn empty(transaction: &Transaction<'_>, bin: &str) -> Result<(), StoreError> {
    let sql = "SELECT u.id, b.deleted_from FROM turns u JOIN threads b ON b.id = u.thread_id WHERE b.id = ?1";
    let (turn, thread): (String, String) = transaction.query_row(sql, [bin], |row| Ok((row.get(0)?, row.get(1)?)))?;
    drop_sources(transaction, &turn, &thread)?;
    transaction.execute("DELETE FROM threads WHERE id = ?1", [bin])?;
    transaction.execute("INSERT OR IGNORE INTO forgotten (thread_id) VALUES (?1)", [turn])?;
    Ok(())
}

/// Removes for good the turns that were deleted from this thread before.
pub(super) fn empty_all_of(transaction: &Transaction<'_>, thread: &str) -> Result<(), StoreError> {
    let bins: Vec<String> = transaction
        .prepare_cached("SELECT id FROM threads WHERE deleted_from = ?1")?
        .query_map([thread], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    bins.iter().try_for_each(|bin| empty(transaction, bin))
}

/// Removes turns that were deleted for good from another copy of the library.
pub(super) fn forget_turns(copy: &Connection, ids: &[String]) -> Result<(), StoreError> {
    for id in ids {
        let thread: Option<String> = copy.query_row("SELECT thread_id FROM turns WHERE id = ?1", [id], |row| row.get(0)).optional()?;
        if let Some(thread) = thread {
            drop_sources(copy, id, &thread)?;
            copy.execute("DELETE FROM turns WHERE id = ?1", [id])?;
        }
    }
    Ok(())
}

/// Removes the sources of a thread that this turn alone rests on.
fn drop_sources(connection: &Connection, turn: &str, thread: &str) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM sources WHERE thread_id = ?2 AND number IN (SELECT number FROM turn_sources WHERE turn_id = ?1)
         AND number NOT IN (SELECT s.number FROM turn_sources s JOIN turns t ON t.id = s.turn_id WHERE t.thread_id = ?2 AND t.id != ?1)",
        params![turn, thread],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use nexi_core::{
        ports::Page,
        protocol::{Ending, LibraryQuery, Source, TurnState},
    };

    use super::super::{StoredSource, tests::question};
    use super::*;

    fn open(folder: &Path) -> History {
        History::open(&folder.join("nexi.db")).unwrap()
    }

    /// A turn that rests on these sources of its thread.
    fn turn(history: &History, thread: Option<&ThreadId>, answer: &str, numbers: &[u32]) -> (ThreadId, TurnId) {
        let (thread, turn) = history.begin_turn(&question(thread)).unwrap();
        let source = |number: u32| {
            let (url, text) = (format!("https://e.org/{number}"), format!("The text of source {number}."));
            StoredSource { number, page: Page { url, title: "T".into(), text, ..Page::default() }, read_ms: 1 }
        };
        let sources: Vec<StoredSource> = numbers.iter().map(|number| source(*number)).collect();
        history.add_sources(&thread, &sources).unwrap();
        let cited = |number: &u32| Source {
            number: *number,
            url: format!("https://e.org/{number}"),
            title: "T".into(),
            site: "e.org".into(),
            date: None,
            cached_ms: None,
            cited: true,
            passages: Vec::new(),
        };
        let sources = numbers.iter().map(cited).collect();
        let ending = Ending { state: TurnState::Answered, sources, ..Ending::failed("", answer) };
        history.finish_turn(&turn, &ending, &BTreeMap::new(), 1, &[]).unwrap();
        (thread, turn)
    }

    fn ids(history: &History, thread: &ThreadId) -> Vec<TurnId> {
        history.turns(thread).unwrap().into_iter().map(|turn| turn.id).collect()
    }

    fn finds(history: &History, text: &str) -> usize {
        history.library(&LibraryQuery { text: text.into(), limit: 10, ..LibraryQuery::default() }).unwrap().rows.len()
    }

    #[test]
    fn a_turn_goes_alone_comes_back_to_its_place_and_takes_its_own_sources_along() {
        let folder = tempfile::tempdir().unwrap();
        let history = open(folder.path());
        let (thread, first) = turn(&history, None, "Ptarmigans are white in winter.", &[1, 2]);
        let (_, second) = turn(&history, Some(&thread), "They moult.", &[2, 3]);
        let (_, third) = turn(&history, Some(&thread), "They nest on the ground.", &[3]);
        assert_eq!(history.delete_turn(&first, false, 10).unwrap(), DeletedTurn::Turn);
        assert_eq!(ids(&history, &thread), [second.clone(), third.clone()]);
        assert_eq!((finds(&history, "ptarmigans"), history.threads(9).unwrap().len()), (0, 1), "it is found nowhere");
        assert!(history.newest_turns(9, 0).unwrap().iter().all(|line| line.id != first));
        assert!(matches!(history.delete_turn(&first, false, 10), Err(StoreError::Missing { .. })));
        history.restore_turn(&first).unwrap();
        assert_eq!((ids(&history, &thread), finds(&history, "ptarmigans")), (vec![first.clone(), second.clone(), third.clone()], 1));
        assert_eq!(history.turn(&first).unwrap().ending.sources.len(), 2);
        // The last one, in whose place another question was asked meanwhile.
        history.delete_turn(&third, false, 10).unwrap();
        let (_, fourth) = turn(&history, Some(&thread), "They live in the north.", &[]);
        history.restore_turn(&third).unwrap();
        assert_eq!(ids(&history, &thread), [first.clone(), second.clone(), third.clone(), fourth]);
        // For good: the text that it alone rested on goes, too.
        history.delete_turn(&first, true, 10).unwrap();
        assert!(!history.held_private(&ThreadId("none".into())).unwrap() && history.held_private(&thread).unwrap());
        assert_eq!(history.purge(9).unwrap(), 0);
        assert_eq!(history.purge(10).unwrap(), 1);
        let numbers: Vec<u32> = history.sources(&thread).unwrap().iter().map(|source| source.number).collect();
        assert_eq!(numbers, [2, 3]);
        assert!(history.turn(&first).is_err() && history.restore_turn(&first).is_err());
        history.forget_turn(&second, false, 11).unwrap();
        assert_eq!(history.sources(&thread).unwrap().len(), 1);
    }

    #[test]
    fn the_only_turn_takes_its_thread_along_and_one_that_runs_stays() {
        let folder = tempfile::tempdir().unwrap();
        let history = open(folder.path());
        let (thread, only) = turn(&history, None, "Yes.", &[1]);
        assert_eq!(history.delete_turn(&only, false, 10).unwrap(), DeletedTurn::Thread(thread.clone()));
        assert_eq!(history.threads(9).unwrap().len(), 0);
        history.restore(&thread).unwrap();
        assert_eq!(ids(&history, &thread), std::slice::from_ref(&only));
        let (_, running) = history.begin_turn(&question(Some(&thread))).unwrap();
        assert!(matches!(history.delete_turn(&running, false, 10), Err(StoreError::Running)));
        history.delete_turn(&only, false, 10).unwrap();
        assert_eq!(history.purge(20).unwrap(), 0, "the run may be citing its source again");
        history.finish_turn(&running, &Ending::failed("x", ""), &BTreeMap::new(), 1, &[]).unwrap();
        assert_eq!(history.purge(20).unwrap(), 1);
        assert_eq!(history.forget_turn(&running, false, 21).unwrap(), DeletedTurn::Thread(thread.clone()));
        assert!(history.turns(&thread).is_err());
    }

    #[test]
    fn a_turn_that_is_gone_for_good_leaves_the_backups_too() {
        let folder = tempfile::tempdir().unwrap();
        let history = open(folder.path());
        let (thread, first) = turn(&history, None, "Ptarmigans are white in winter.", &[1]);
        let (_, second) = turn(&history, Some(&thread), "They moult.", &[2]);
        let copy = history.back_up("2026-01-02").unwrap().unwrap();
        history.forget_turn(&first, false, 10).unwrap();
        history.back_up("2026-01-02").unwrap();
        let name = copy.file_stem().unwrap().to_str().unwrap().trim_start_matches("nexi-").to_owned();
        history.restore_backup(&name).unwrap();
        assert_eq!(ids(&history, &thread), [second]);
        assert_eq!(history.sources(&thread).unwrap().len(), 1);
        drop(history);
        let bytes = std::fs::read(copy).unwrap();
        assert!(!bytes.windows(10).any(|window| window == b"Ptarmigans"), "not even in free pages");
    }

    #[test]
    fn what_was_deleted_is_listed_brought_back_and_gone_for_good() {
        let folder = tempfile::tempdir().unwrap();
        let history = open(folder.path());
        let (thread, first) = turn(&history, None, "Ptarmigans are white in winter.", &[1]);
        turn(&history, Some(&thread), "They moult.", &[2]);
        let (other, _) = turn(&history, None, "Yes.", &[1]);
        assert_eq!(history.deleted(100).unwrap(), []);
        history.delete_turn(&first, false, 10).unwrap();
        history.delete(&other, 20).unwrap();
        let listed = history.deleted(100).unwrap();
        let ids: Vec<(&str, bool, u32, i64)> =
            listed.iter().map(|item| (item.id.as_str(), item.is_turn, item.turns, item.gone_ms)).collect();
        assert_eq!(ids, [(other.as_str(), false, 1, 120), (first.as_str(), true, 1, 110)]);
        // A turn comes back with its thread, if that was deleted after it.
        history.delete(&thread, 30).unwrap();
        assert!(history.turns(&thread).is_err() && history.outlines(&thread).is_err(), "who has its address does not see it");
        history.restore_turn(&first).unwrap();
        assert_eq!((history.turns(&thread).unwrap().len(), history.deleted(100).unwrap().len()), (2, 1));
        history.delete_turn(&first, false, 40).unwrap();
        history.forget_deleted(first.as_str()).unwrap();
        history.forget_deleted(other.as_str()).unwrap();
        assert_eq!(history.deleted(100).unwrap(), []);
        assert!(history.restore_turn(&first).is_err() && history.restore(&other).is_err());
        assert_eq!(history.turns(&thread).unwrap().len(), 1);
        assert!(history.forget_deleted(thread.as_str()).is_err(), "what was not deleted stays");
        // What was deleted of a thread goes with it for good.
        let (_, third) = turn(&history, Some(&thread), "They nest on the ground.", &[]);
        history.delete_turn(&third, false, 50).unwrap();
        let (_, running) = history.begin_turn(&question(Some(&thread))).unwrap();
        assert!(matches!(history.forget_deleted(third.as_str()), Err(StoreError::Running)));
        history.finish_turn(&running, &Ending::failed("x", ""), &BTreeMap::new(), 1, &[]).unwrap();
        history.delete(&thread, 60).unwrap();
        history.forget_deleted(thread.as_str()).unwrap();
        assert_eq!(history.deleted(100).unwrap(), []);
    }
}

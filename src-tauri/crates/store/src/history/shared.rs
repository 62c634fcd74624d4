//! Threads that are shared with a team, and what its library is still to be told of them. What has to be told is noted by
//! triggers, so that nothing that changes a thread can forget it.

use std::collections::HashSet;

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::SharedFacts,
};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use uuid::Uuid;

use super::History;
use crate::StoreError;

/// A thread that is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedThread {
    /// Its name in the team library.
    pub share: Uuid,
    /// How it is shared.
    pub facts: SharedFacts,
}

/// Something to be told to a team library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxItem {
    /// Its place in the order.
    pub position: i64,
    /// Under which it is sent, however often.
    pub id: Uuid,
    pub share: Uuid,
    pub what: OutboxKind,
    /// The thread, while it is shared.
    pub thread: Option<ThreadId>,
    pub role: Option<String>,
}

/// What has happened to a shared thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutboxKind {
    Head,
    Turn(TurnId),
    TurnWithdrawn(TurnId),
    Withdrawn,
}

impl History {
    /// Shares a thread: from now on the team library is told of it. `private` says that answers that rest on private text go
    /// along; where it is shared already, they do from now on.
    ///
    /// # Errors
    /// When there is no such thread, or the database refuses.
    pub fn share(&self, thread: &ThreadId, role: Option<&str>, private: bool) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "SELECT EXISTS (SELECT 1 FROM threads WHERE id = ?1 AND deleted_ms IS NULL)";
            if !transaction.query_row(sql, [thread.as_str()], |row| row.get::<_, bool>(0))? {
                return Err(StoreError::Missing { what: "thread", id: thread.to_string() });
            }
            transaction.execute(
                "INSERT INTO shared (thread_id, share, role, private) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (thread_id) DO UPDATE SET by_space = iif(excluded.private > private, by_space, 0),
                     private = max(private, excluded.private)",
                params![thread.as_str(), Uuid::new_v4().simple().to_string(), role, private],
            )?;
            Ok(())
        })
    }

    /// Takes a thread back. Whether it was shared.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn withdraw(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        self.write(|transaction| Ok(transaction.execute("DELETE FROM shared WHERE thread_id = ?1", [thread.as_str()])? > 0))
    }

    /// Takes a thread back by its name in the team library, whether it is still here or not.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn withdraw_share(&self, share: Uuid) -> Result<(), StoreError> {
        let share = share.simple().to_string();
        self.write(|transaction| {
            if transaction.execute("DELETE FROM shared WHERE share = ?1", [&share])? == 0 {
                transaction.execute("INSERT OR IGNORE INTO outbox (share, kind) VALUES (?1, 'withdrawn')", [&share])?;
            }
            Ok(())
        })
    }

    /// Shares all threads of a space, those that it has and those that come; or takes those back that are shared for it.
    ///
    /// # Errors
    /// When there is no such space, or the database refuses.
    pub fn share_space(&self, space: &str, role: Option<&str>, on: bool) -> Result<(), StoreError> {
        let space = self.find_space(space)?.id;
        self.write(|transaction| {
            match on {
                true => transaction
                    .execute("INSERT INTO shared_spaces (space_id, role) VALUES (?1, ?2) ON CONFLICT DO NOTHING", params![space, role])?,
                false => transaction.execute("DELETE FROM shared_spaces WHERE space_id = ?1", [&space])?,
            };
            Ok(())
        })
    }

    /// The ids of the spaces whose threads are shared, and the roles that these are shared with.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn shared_spaces(&self) -> Result<Vec<(String, Option<String>)>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT space_id, role FROM shared_spaces ORDER BY space_id")?;
        Ok(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }

    /// The ids of the turns of a shared thread that were sent, or may have been.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn sent_turns(&self, share: Uuid) -> Result<HashSet<String>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT turn_id FROM shared_turns WHERE share = ?1")?;
        Ok(statement.query_map([share.simple().to_string()], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Notes that a turn is about to be sent, and which others have to be told again because of what is sent now.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn note_sent(&self, share: Uuid, turn: Option<&TurnId>, again: &[TurnId]) -> Result<(), StoreError> {
        let share = share.simple().to_string();
        self.write(|transaction| {
            if let Some(turn) = turn {
                let sql = "INSERT OR IGNORE INTO shared_turns (share, turn_id) VALUES (?1, ?2)";
                transaction.execute(sql, params![share, turn.as_str()])?;
            }
            for turn in again {
                let sql = "INSERT OR IGNORE INTO outbox (share, kind, turn_id) VALUES (?1, 'turn', ?2)";
                transaction.execute(sql, params![share, turn.as_str()])?;
            }
            Ok(())
        })
    }

    /// How a thread is shared, if it is.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn shared(&self, thread: &ThreadId) -> Result<Option<SharedThread>, StoreError> {
        let connection = self.connection();
        let sql = "SELECT share, role, by_space, private, held, (SELECT count(*) FROM outbox o WHERE o.share = s.share)
             FROM shared s WHERE thread_id = ?1";
        let read = |row: &Row<'_>| {
            let (role, by_space, private) = (row.get(1)?, row.get(2)?, row.get(3)?);
            let facts = SharedFacts { role, by_space, private, held: row.get(4)?, waiting: row.get(5)? };
            Ok(SharedThread { share: uuid(row, 0)?, facts })
        };
        Ok(connection.prepare_cached(sql)?.query_row([thread.as_str()], read).optional()?)
    }

    /// The thread that is shared under this name, if it is one of this library.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn thread_of_share(&self, share: Uuid) -> Result<Option<ThreadId>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT thread_id FROM shared WHERE share = ?1")?;
        Ok(statement.query_row([share.simple().to_string()], |row| row.get(0)).optional()?.map(ThreadId))
    }

    /// How many threads are shared, how many answers are held back, and what waits to be told.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn sharing(&self) -> Result<(u32, u32, u32), StoreError> {
        let sql = "SELECT (SELECT count(*) FROM shared), (SELECT coalesce(sum(held), 0) FROM shared), (SELECT count(*) FROM outbox)";
        Ok(self.connection().prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?)
    }

    /// Takes what this team library is to be told first, behind what was taken last. What changes from now on is told another
    /// time. Only one process at a time may do so.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn take_from_outbox(&self, library: Uuid, behind: Option<&OutboxItem>) -> Result<Option<OutboxItem>, StoreError> {
        let library = library.simple().to_string();
        self.write(|transaction| {
            let sql = "SELECT o.position, o.id, o.share, o.kind, o.turn_id, s.thread_id, s.role
                 FROM outbox o LEFT JOIN shared s ON s.share = o.share
                 WHERE o.position > ?1 AND coalesce(o.library, s.library, ?2) = ?2 ORDER BY o.position LIMIT 1";
            let read = |row: &Row<'_>| {
                let (kind, turn): (String, String) = (row.get(3)?, row.get(4)?);
                let what = match kind.as_str() {
                    "head" => OutboxKind::Head,
                    "turn" => OutboxKind::Turn(TurnId(turn)),
                    "turn_withdrawn" => OutboxKind::TurnWithdrawn(TurnId(turn)),
                    _ => OutboxKind::Withdrawn,
                };
                Ok(OutboxItem {
                    position: row.get(0)?,
                    id: uuid(row, 1)?,
                    share: uuid(row, 2)?,
                    what,
                    thread: row.get::<_, Option<String>>(5)?.map(ThreadId),
                    role: row.get(6)?,
                })
            };
            let behind = behind.map_or(-1, |last| last.position);
            let found = transaction.prepare_cached(sql)?.query_row(params![behind, library], read).optional()?;
            if let Some(found) = &found {
                transaction.execute("UPDATE outbox SET taken = 1, library = ?2 WHERE position = ?1", params![found.position, library])?;
                // It is the one that has the thread from now on.
                let sql = "UPDATE shared SET library = ?2 WHERE share = ?1 AND library IS NULL";
                transaction.execute(sql, params![found.share.simple().to_string(), library])?;
            }
            Ok(found)
        })
    }

    /// The team library was told.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn told(&self, item: &OutboxItem) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM outbox WHERE position = ?1", [item.position])?;
            if let OutboxKind::TurnWithdrawn(turn) = &item.what {
                let values = params![item.share.simple().to_string(), turn.as_str()];
                transaction.execute("DELETE FROM shared_turns WHERE share = ?1 AND turn_id = ?2", values)?;
            }
            Ok(())
        })
    }

    /// A thread is shared no longer, and the team library need not be told: it knows.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn share_is_over(&self, share: Uuid) -> Result<(), StoreError> {
        let share = share.simple().to_string();
        self.write(|transaction| {
            transaction.execute("DELETE FROM shared WHERE share = ?1", [&share])?;
            // Nor of what was noted when that ended.
            transaction.execute("DELETE FROM outbox WHERE share = ?1", [&share])?;
            Ok(())
        })
    }

    /// Notes how many answers of a shared thread are held back.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn note_held(&self, share: Uuid, held: u32) -> Result<(), StoreError> {
        let sql = "UPDATE shared SET held = ?2 WHERE share = ?1 AND held != ?2";
        self.write(|transaction| Ok(transaction.execute(sql, params![share.simple().to_string(), held]).map(drop)?))
    }

    /// The shared thread that a thread goes on from, and whose that was.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn origin(&self, thread: &ThreadId) -> Result<Option<(Uuid, String)>, StoreError> {
        let connection = self.connection();
        let sql = "SELECT origin, coalesce(origin_author, '') FROM threads WHERE id = ?1 AND origin IS NOT NULL";
        Ok(connection.prepare_cached(sql)?.query_row([thread.as_str()], |row| Ok((uuid(row, 0)?, row.get(1)?))).optional()?)
    }
}

/// What is shared of a library, while another copy takes its place.
#[derive(Default)]
pub(super) struct Sharing {
    shared: Vec<Vec<Value>>,
    withdrawn: Vec<Vec<Value>>,
}

impl Sharing {
    /// As far as that can still be read.
    pub(super) fn of(library: &Connection) -> Self {
        let rows = |sql: &str| -> rusqlite::Result<Vec<Vec<Value>>> {
            let mut statement = library.prepare(sql)?;
            let columns = statement.column_count();
            let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect())?;
            rows.collect()
        };
        Self {
            shared: rows("SELECT thread_id, share, role, private, library FROM shared").unwrap_or_default(),
            withdrawn: rows("SELECT share, library FROM outbox WHERE kind = 'withdrawn'").unwrap_or_default(),
        }
    }

    /// Shares what was shared last, and not what was when the copy was made: its threads are told anew, what was taken back is
    /// still to be, and of spaces only the threads that they have are shared.
    ///
    /// # Errors
    /// When the database refuses.
    pub(super) fn carry_over(&self, library: &Connection) -> Result<(), StoreError> {
        library.execute_batch("DELETE FROM shared_spaces; DELETE FROM shared; DELETE FROM shared_turns; DELETE FROM outbox;")?;
        for row in &self.withdrawn {
            let sql = "INSERT OR IGNORE INTO outbox (share, kind, library) VALUES (?1, 'withdrawn', ?2)";
            library.execute(sql, params_from_iter(row))?;
        }
        for row in &self.shared {
            library.execute(
                "INSERT OR IGNORE INTO shared (thread_id, share, role, private, library)
                 SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM threads WHERE id = ?1 AND deleted_ms IS NULL)",
                params_from_iter(row),
            )?;
        }
        // Whatever was sent before can be taken back.
        library.execute(
            "INSERT OR IGNORE INTO shared_turns SELECT s.share, t.id FROM shared s JOIN turns t ON t.thread_id = s.thread_id WHERE s.library IS NOT NULL",
            [],
        )?;
        Ok(())
    }
}

fn uuid(row: &Row<'_>, column: usize) -> rusqlite::Result<Uuid> {
    let text: String = row.get(column)?;
    Uuid::parse_str(&text).map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{one_turn, question};
    use super::*;
    use nexi_core::protocol::{Ending, SpaceDraft};

    fn kinds(history: &History) -> Vec<OutboxKind> {
        let (mut out, mut last): (Vec<OutboxKind>, Option<OutboxItem>) = (Vec::new(), None);
        while let Some(next) = history.take_from_outbox(Uuid::nil(), last.as_ref()).unwrap() {
            if let OutboxKind::Turn(turn) = &next.what {
                history.note_sent(next.share, Some(turn), &[]).unwrap();
            }
            history.told(&next).unwrap();
            out.push(next.what.clone());
            last = Some(next);
        }
        out
    }

    fn finish(history: &History, thread: &ThreadId) -> TurnId {
        let (_, turn) = history.begin_turn(&question(Some(thread))).unwrap();
        history.finish_turn(&turn, &Ending::failed("", "Because."), &std::collections::BTreeMap::new(), 1, &[]).unwrap();
        turn
    }

    #[test]
    fn whatever_changes_a_shared_thread_is_told() {
        use OutboxKind::{Head, Turn, TurnWithdrawn, Withdrawn};
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (thread, first) = one_turn(&history);
        history.rename(&thread, "Not shared").unwrap();
        assert_eq!(kinds(&history), []);
        history.share(&thread, None, false).unwrap();
        assert_eq!(kinds(&history), [Head, Turn(first.clone())]);
        let second = finish(&history, &thread);
        history.rename(&thread, "Another name").unwrap();
        history.rename(&thread, "A third name").unwrap();
        history.set_tags(&thread, &["a".into(), "b".into()]).unwrap();
        assert_eq!(kinds(&history), [Turn(second.clone()), Head], "each thing once");
        // What is being sent is told again when it changes meanwhile.
        history.rename(&thread, "A").unwrap();
        let taken = history.take_from_outbox(Uuid::nil(), None).unwrap().unwrap();
        history.rename(&thread, "B").unwrap();
        history.told(&taken).unwrap();
        assert_eq!(kinds(&history), [Head]);
        history.delete_turn(&second, false, 9).unwrap();
        assert_eq!(kinds(&history), [TurnWithdrawn(second.clone())]);
        history.restore_turn(&second).unwrap();
        assert_eq!(kinds(&history), [Turn(second.clone())]);
        history.share(&thread, None, true).unwrap();
        assert_eq!(kinds(&history), [Turn(first), Turn(second)], "all of it is told anew");
        // Another team library is not told of what this one has.
        history.rename(&thread, "C").unwrap();
        assert!(history.take_from_outbox(Uuid::max(), None).unwrap().is_none());
        history.delete(&thread, 10).unwrap();
        assert_eq!(kinds(&history), [Withdrawn]);
        history.restore(&thread).unwrap();
        assert_eq!((kinds(&history), history.shared(&thread).unwrap()), (vec![], None));
    }

    #[test]
    fn threads_of_a_shared_space_are_shared_as_long_as_they_are_in_it() {
        use OutboxKind::{Head, Turn, Withdrawn};
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (before, turn) = one_turn(&history);
        let space = history.keep_space(None, &SpaceDraft { name: "House".into(), ..SpaceDraft::default() }, 1).unwrap();
        history.move_to_space(&before, Some(&space.id)).unwrap();
        history.share_space("House", None, true).unwrap();
        assert_eq!(kinds(&history), [Head, Turn(turn)]);
        let (new, turn) = history.begin_turn(&super::super::NewTurn { space: Some(&space.id), ..question(None) }).unwrap();
        history.finish_turn(&turn, &Ending::failed("", "x"), &std::collections::BTreeMap::new(), 1, &[]).unwrap();
        assert_eq!(kinds(&history), [Head, Turn(turn)]);
        history.move_to_space(&before, None).unwrap();
        assert_eq!(kinds(&history), [Withdrawn]);
        // One that is shared by itself stays so.
        history.share(&new, None, false).unwrap();
        history.remove_space(&space.id).unwrap();
        assert_eq!(kinds(&history), [Head]);
        assert!(history.shared(&new).unwrap().is_some_and(|shared| !shared.facts.by_space));
        history.withdraw(&new).unwrap();
        assert_eq!(kinds(&history), [Withdrawn]);
    }

    #[test]
    fn copies_of_threads_are_told_whole_and_checks_that_come_to_nothing_are_not() {
        use OutboxKind::{Head, Turn};
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let space = history.keep_space(None, &SpaceDraft { name: "House".into(), ..SpaceDraft::default() }, 1).unwrap();
        history.share_space("House", None, true).unwrap();
        let (thread, first) = history.begin_turn(&super::super::NewTurn { space: Some(&space.id), ..question(None) }).unwrap();
        history.finish_turn(&first, &Ending::failed("", "x"), &std::collections::BTreeMap::new(), 1, &[]).unwrap();
        kinds(&history);
        let branch = history.branch(&first, true, 9).unwrap().unwrap();
        let copy = history.turns(&branch).unwrap().remove(0).id;
        assert_eq!(kinds(&history), [Head, Turn(copy)]);
        // A turn that was never sent need not be taken back.
        let (_, unsent) = history.begin_turn(&question(Some(&thread))).unwrap();
        history.finish_turn(&unsent, &Ending::failed("", "y"), &std::collections::BTreeMap::new(), 1, &[]).unwrap();
        history.forget_turn(&unsent, false, 9).unwrap();
        assert_eq!(kinds(&history), []);
    }

    #[test]
    fn what_was_withdrawn_stays_so_when_a_backup_takes_the_place_of_the_library() {
        use OutboxKind::{Head, Turn, Withdrawn};
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (kept, turn) = one_turn(&history);
        let (gone, _) = one_turn(&history);
        history.share(&kept, None, false).unwrap();
        history.share(&gone, None, false).unwrap();
        kinds(&history);
        history.back_up("2026-01-01").unwrap().unwrap();
        history.withdraw(&gone).unwrap();
        let copy = super::super::backups(&folder.path().join("nexi.db")).remove(0);
        history.restore_backup(&copy.name).unwrap();
        assert_eq!(kinds(&history), [Withdrawn, Head, Turn(turn)]);
        assert!(history.shared(&gone).unwrap().is_none() && history.shared(&kept).unwrap().is_some());
    }
}

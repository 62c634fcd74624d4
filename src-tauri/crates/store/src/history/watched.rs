//! Questions that are asked again by themselves.

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{AnswerChange, CheckOutcome, Schedule, ScheduleProblem, WatchedHow, WatchedQuestion},
};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{History, deletion, new_id, turns};
use crate::StoreError;

/// Questions that are watched at most.
const MAX_WATCHED: u32 = 100;
/// Costs of checks are kept for so long, in milliseconds: a month has to be summed up.
const COSTS: i64 = 70 * 24 * 3600 * 1000;

const COLUMNS: &str = "w.id, w.thread_id, w.question, w.how, w.schedule, w.paused, w.created_ms, w.next_ms, w.checked_ms, w.outcome, \
     w.compared_with, w.failures, w.checks, w.changes, w.spent";
/// A thread that is deleted, and may come back, is not looked at.
const TABLE: &str = "watched w JOIN threads t ON t.id = w.thread_id AND t.deleted_ms IS NULL";

/// A question about to be watched.
#[derive(Debug, Clone)]
pub struct NewWatched<'a> {
    pub thread: &'a ThreadId,
    pub question: &'a str,
    pub how: &'a WatchedHow,
    pub schedule: Schedule,
    /// In Unix milliseconds, like all moments here.
    pub now_ms: i64,
    pub next_ms: i64,
    /// The answer that the first check is compared with.
    pub compared_with: Option<&'a TurnId>,
}

/// What came of a check.
#[derive(Debug, Clone)]
pub struct Checked {
    pub outcome: CheckOutcome,
    pub checked_ms: i64,
    pub next_ms: i64,
    /// In millionths of a US dollar.
    pub cost: u64,
    /// Its turn, if it began one. It stays where the answer is the first one or says something new.
    pub turn: Option<TurnId>,
    pub change: Option<AnswerChange>,
    /// When its thread was changed last before the check, and the highest number that a source of it had.
    pub before: Option<(i64, u32)>,
}

/// An answer that says something new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedChange {
    pub turn: TurnId,
    pub thread: ThreadId,
    pub question: String,
    pub changed_ms: i64,
    pub change: AnswerChange,
}

impl History {
    /// Watches a question.
    ///
    /// # Errors
    /// When there are too many, or the database refuses.
    pub fn watch(&self, new: &NewWatched<'_>) -> Result<WatchedQuestion, StoreError> {
        self.write(|transaction| {
            let id = insert(transaction, new)?;
            one(transaction, &id)
        })
    }

    /// All watched questions, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn watched(&self) -> Result<Vec<WatchedQuestion>, StoreError> {
        let connection = self.connection();
        let sql = format!("SELECT {COLUMNS} FROM {TABLE} ORDER BY w.created_ms DESC, w.rowid DESC");
        let mut statement = connection.prepare_cached(&sql)?;
        statement.query_map([], |row| Ok(read(row)))?.collect::<Result<Result<_, _>, _>>()?
    }

    /// Whether a question of a thread is watched.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn is_watched(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM watched WHERE thread_id = ?1)";
        Ok(self.connection().prepare_cached(sql)?.query_row([thread.as_str()], |row| row.get(0))?)
    }

    /// A watched question.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn watched_question(&self, id: &str) -> Result<WatchedQuestion, StoreError> {
        one(&self.connection(), id)
    }

    /// Checks a question at other times.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn schedule_watched(&self, id: &str, schedule: Schedule, next_ms: i64) -> Result<(), StoreError> {
        self.change_watched("UPDATE watched SET schedule = ?2, next_ms = ?3 WHERE id = ?1", params![id, schedule.to_string(), next_ms], id)
    }

    /// Checks a question no longer for a while, or again from a moment on.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn pause_watched(&self, id: &str, paused: bool, next_ms: i64) -> Result<(), StoreError> {
        self.change_watched("UPDATE watched SET paused = ?2, next_ms = ?3 WHERE id = ?1", params![id, paused, next_ms], id)
    }

    /// Watches a question no longer; its answers stay.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn stop_watching(&self, id: &str) -> Result<(), StoreError> {
        self.change_watched("DELETE FROM watched WHERE id = ?1", [id], id)
    }

    /// Notes the turn of a check that begins, so that it can be cleared away if it breaks off, and when to try again then.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn begin_check(&self, id: &str, turn: &TurnId, retry_ms: i64) -> Result<(), StoreError> {
        let sql = "UPDATE watched SET running = ?2, next_ms = ?3 WHERE id = ?1";
        self.change_watched(sql, params![id, turn.as_str(), retry_ms], id)
    }

    /// Removes the turn of a check that broke off, with the process that carried it out or stopped by hand, and counts
    /// what it has cost.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn clear_broken_check(&self, id: &str, now_ms: i64) -> Result<(), StoreError> {
        self.mark_interrupted()?;
        self.write(|transaction| {
            let sql = "SELECT u.id, u.cost FROM watched w JOIN turns u ON u.id = w.running WHERE w.id = ?1 AND u.state != 'running'";
            let broken: Option<(String, i64)> = transaction.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            let Some((turn, cost)) = broken else { return Ok(()) };
            deletion::forget(transaction, &TurnId(turn))?;
            note_cost(transaction, cost, now_ms)?;
            let sql = "UPDATE watched SET running = NULL, failures = failures + 1, checks = checks + 1, spent = spent + ?2 WHERE id = ?1";
            transaction.execute(sql, params![id, cost])?;
            Ok(())
        })
    }

    /// Notes what came of a check. The turn of one that found nothing new is removed, as if it had not been. False where
    /// the question is watched no longer.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn settle_check(&self, id: &str, checked: &Checked) -> Result<bool, StoreError> {
        let outcome = serde_json::to_string(&checked.outcome)?;
        let (failed, changed) =
            (matches!(checked.outcome, CheckOutcome::NotChecked { .. }), matches!(checked.outcome, CheckOutcome::Changed { .. }));
        let stays = changed || checked.outcome == CheckOutcome::First;
        let cost = i64::try_from(checked.cost).unwrap_or(i64::MAX);
        self.write(|transaction| {
            note_cost(transaction, cost, checked.checked_ms)?;
            let compared_with = checked.turn.as_ref().filter(|_| stays).map(TurnId::as_str);
            let settled = transaction.execute(
                "UPDATE watched SET running = NULL, checked_ms = ?2, next_ms = ?3, outcome = ?4, spent = spent + ?5,
                     compared_with = coalesce(?6, compared_with), failures = iif(?7, failures + 1, 0), checks = checks + 1,
                     changes = changes + ?8 WHERE id = ?1",
                params![id, checked.checked_ms, checked.next_ms, outcome, cost, compared_with, failed, changed],
            )?;
            let Some(turn) = &checked.turn else { return Ok(settled > 0) };
            if !stays || settled == 0 {
                if let Some((thread, (updated, number))) = deletion::forget(transaction, turn)?.zip(checked.before) {
                    // What it read and did not list.
                    transaction.execute("DELETE FROM sources WHERE thread_id = ?1 AND number > ?2", params![thread, number])?;
                    transaction.execute("UPDATE threads SET updated_ms = ?2 WHERE id = ?1", params![thread, updated])?;
                }
            } else if let Some(change) = &checked.change {
                turns::note_change(transaction, turn, change)?;
                let sql = "INSERT OR REPLACE INTO watched_changes (turn_id, watched_id) VALUES (?1, ?2)";
                transaction.execute(sql, params![turn.as_str(), id])?;
            }
            Ok(settled > 0)
        })
    }

    /// What checks have cost since a moment, in millionths of a US dollar.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn spent_on_watched(&self, since_ms: i64) -> Result<u64, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT CAST(total(cost) AS INTEGER) FROM watched_costs WHERE checked_ms >= ?1")?;
        let spent: i64 = statement.query_row([since_ms], |row| row.get(0))?;
        Ok(u64::try_from(spent).unwrap_or_default())
    }

    /// When a thread was changed last, in Unix milliseconds, and the highest number that a source of it has.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn state_of_thread(&self, thread: &ThreadId) -> Result<(i64, u32), StoreError> {
        let connection = self.connection();
        let sql = "SELECT updated_ms, (SELECT coalesce(max(number), 0) FROM sources WHERE thread_id = ?1) FROM threads WHERE id = ?1";
        let found = connection.prepare_cached(sql)?.query_row([thread.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        found.ok_or_else(|| StoreError::Missing { what: "thread", id: thread.to_string() })
    }

    /// The newest answers that say something new, of one question or of all.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn watched_changes(&self, id: Option<&str>, limit: u32) -> Result<Vec<WatchedChange>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT u.id, u.thread_id, u.question, u.asked_ms, u.change FROM watched_changes c JOIN turns u ON u.id = c.turn_id
             JOIN threads t ON t.id = u.thread_id WHERE u.change IS NOT NULL AND t.deleted_ms IS NULL AND (?1 IS NULL OR c.watched_id = ?1)
             ORDER BY u.asked_ms DESC, u.rowid DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![id, limit], |row| {
            let change: String = row.get(4)?;
            let (turn, thread, question, changed_ms) = (TurnId(row.get(0)?), ThreadId(row.get(1)?), row.get(2)?, row.get(3)?);
            Ok(serde_json::from_str(&change).map(|change| WatchedChange { turn, thread, question, changed_ms, change }))
        })?;
        Ok(rows.collect::<Result<Result<_, _>, _>>()??)
    }

    fn change_watched(&self, sql: &str, values: impl rusqlite::Params, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| if transaction.execute(sql, values)? == 0 { Err(missing(id)) } else { Ok(()) })
    }
}

/// Notes what a check has cost, within a transaction, and lets go of what no month counts any more.
fn note_cost(transaction: &Transaction<'_>, cost: i64, now_ms: i64) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM watched_costs WHERE checked_ms < ?1", [now_ms - COSTS])?;
    if cost > 0 {
        transaction.execute("INSERT INTO watched_costs (checked_ms, cost) VALUES (?1, ?2)", params![now_ms, cost])?;
    }
    Ok(())
}

fn missing(id: &str) -> StoreError {
    StoreError::Missing { what: "watched question", id: id.to_owned() }
}

fn one(connection: &Connection, id: &str) -> Result<WatchedQuestion, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLE} WHERE w.id = ?1");
    connection.prepare_cached(&sql)?.query_row([id], |row| Ok(read(row))).optional()?.ok_or_else(|| missing(id))?
}

/// Watches a question that comes from another library, paused, unless it is watched already; tells whether it is new.
pub(super) fn add_paused(transaction: &Transaction<'_>, new: &NewWatched<'_>) -> Result<bool, StoreError> {
    match insert(transaction, new) {
        Ok(id) => {
            transaction.execute("UPDATE watched SET paused = 1 WHERE id = ?1", [id])?;
            Ok(true)
        }
        Err(StoreError::AlreadyWatched { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Watches a question, and returns its id.
fn insert(transaction: &Transaction<'_>, new: &NewWatched<'_>) -> Result<String, StoreError> {
    let (id, how) = (new_id(), serde_json::to_string(new.how)?);
    let sql = format!("SELECT w.id FROM {TABLE} WHERE w.question = ?1 AND w.how = ?2");
    let known: Option<String> = transaction.query_row(&sql, params![new.question, how], |row| row.get(0)).optional()?;
    if let Some(id) = known {
        return Err(StoreError::AlreadyWatched { id });
    }
    let count: u32 = transaction.query_row("SELECT count(*) FROM watched", [], |row| row.get(0))?;
    if count >= MAX_WATCHED {
        return Err(StoreError::TooManyWatched { most: MAX_WATCHED });
    }
    transaction.execute(
        "INSERT INTO watched (id, thread_id, question, how, schedule, created_ms, next_ms, compared_with)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            id,
            new.thread.as_str(),
            new.question,
            how,
            new.schedule.to_string(),
            new.now_ms,
            new.next_ms,
            new.compared_with.map(TurnId::as_str)
        ],
    )?;
    Ok(id)
}

fn read(row: &Row<'_>) -> Result<WatchedQuestion, StoreError> {
    let (how, schedule, outcome): (String, String, Option<String>) = (row.get(3)?, row.get(4)?, row.get(9)?);
    Ok(WatchedQuestion {
        id: row.get(0)?,
        thread: ThreadId(row.get(1)?),
        question: row.get(2)?,
        how: serde_json::from_str(&how)?,
        schedule: schedule.parse().map_err(|problem: ScheduleProblem| StoreError::Corrupt(problem.to_string()))?,
        paused: row.get(5)?,
        created_ms: row.get(6)?,
        next_ms: row.get(7)?,
        checked_ms: row.get(8)?,
        outcome: outcome.as_deref().map(serde_json::from_str).transpose()?,
        compared_with: row.get::<_, Option<String>>(10)?.map(TurnId),
        failures: row.get(11)?,
        checks: row.get(12)?,
        changes: row.get(13)?,
        spent: u64::try_from(row.get::<_, i64>(14)?).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use nexi_core::protocol::{Ending, NewStatement, NotChecked, TurnState};

    use super::super::tests::{one_turn, question};
    use super::*;

    fn watch(history: &History, thread: &ThreadId, turn: &TurnId) -> WatchedQuestion {
        let (how, schedule) = (WatchedHow::default(), "1d at 08:00".parse().unwrap());
        let new = NewWatched { thread, question: "What is new?", how: &how, schedule, now_ms: 5, next_ms: 10, compared_with: Some(turn) };
        history.watch(&new).unwrap()
    }

    fn check(history: &History, watched: &WatchedQuestion) -> TurnId {
        let turn = check_in(history, &watched.thread);
        history.begin_check(&watched.id, &turn, 50).unwrap();
        turn
    }

    fn check_in(history: &History, thread: &ThreadId) -> TurnId {
        let (_, turn) = history.begin_turn(&question(Some(thread))).unwrap();
        let ending = Ending { state: TurnState::Answered, ..Ending::failed("", "An answer.") };
        history.finish_turn(&turn, &ending, &std::collections::BTreeMap::new(), 1, &[]).unwrap();
        turn
    }

    #[test]
    fn checks_that_find_nothing_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (thread, first) = one_turn(&history);
        let watched = watch(&history, &thread, &first);
        assert!(history.threads(1).unwrap()[0].watched);
        let (updated, _) = history.state_of_thread(&thread).unwrap();
        let turn = check(&history, &watched);
        let mut checked = Checked {
            outcome: CheckOutcome::Unchanged,
            checked_ms: 20,
            next_ms: 30,
            cost: 7,
            turn: Some(turn.clone()),
            change: None,
            before: Some((updated, 0)),
        };
        assert!(history.settle_check(&watched.id, &checked).unwrap());
        assert!(!history.has_turn(&turn).unwrap());
        assert_eq!(history.state_of_thread(&thread).unwrap().0, updated);
        // A failure counts in a row.
        let turn = check(&history, &watched);
        let why = CheckOutcome::NotChecked { why: NotChecked::Failed, message: "No network.".into() };
        (checked.outcome, checked.turn) = (why, Some(turn));
        assert!(history.settle_check(&watched.id, &checked).unwrap());
        assert_eq!((history.watched().unwrap()[0].failures, history.turns(&thread).unwrap().len()), (1, 1));
        // A change stays, and is what the next answer is compared with.
        let turn = check(&history, &watched);
        let statements = vec![NewStatement { text: "An answer.".into(), start: 0, end: 10, before: None }];
        let change = AnswerChange { since: first, since_ms: 1, statements };
        (checked.outcome, checked.turn) = (CheckOutcome::Changed { turn: turn.clone(), statements: 1 }, Some(turn.clone()));
        checked.change = Some(change.clone());
        assert!(history.settle_check(&watched.id, &checked).unwrap());
        let now = history.watched_question(&watched.id).unwrap();
        assert_eq!((now.failures, now.checks, now.changes, now.spent, now.next_ms), (0, 3, 1, 21, 30));
        assert_eq!(now.compared_with.as_ref(), Some(&turn));
        assert_eq!(history.turn(&turn).unwrap().change.as_deref(), Some(&change));
        assert_eq!(history.watched_changes(None, 5).unwrap()[0].change, change);
        assert_eq!((history.spent_on_watched(20).unwrap(), history.spent_on_watched(21).unwrap()), (21, 0));
        // What is deleted is not watched, unless it comes back.
        history.delete(&thread, 50).unwrap();
        assert_eq!((history.watched().unwrap().len(), history.watched_changes(None, 5).unwrap().len()), (0, 0));
        history.restore(&thread).unwrap();
        history.pause_watched(&watched.id, true, 99).unwrap();
        history.schedule_watched(&watched.id, "6h".parse().unwrap(), 100).unwrap();
        let now = history.watched().unwrap().remove(0);
        assert_eq!((now.paused, now.next_ms, now.schedule.to_string().as_str()), (true, 100, "6h"));
        // A check that broke off is cleared away and counted.
        let broken = check(&history, &watched);
        history.clear_broken_check(&watched.id, 60).unwrap();
        assert!(!history.has_turn(&broken).unwrap());
        assert_eq!((history.watched().unwrap()[0].failures, history.watched().unwrap()[0].next_ms), (1, 50));
        // One whose question is watched no longer leaves nothing, either, unless somebody has gone on from it.
        let late = check(&history, &watched);
        assert_eq!(history.watched_changes(Some(&watched.id), 5).unwrap().len(), 1);
        history.stop_watching(&watched.id).unwrap();
        checked.turn = Some(late.clone());
        assert!(!history.settle_check(&watched.id, &checked).unwrap());
        assert!(!history.has_turn(&late).unwrap());
        let kept = check_in(&history, &watched.thread);
        check_in(&history, &watched.thread);
        checked.turn = Some(kept.clone());
        history.settle_check(&watched.id, &checked).unwrap();
        assert!(history.has_turn(&kept).unwrap());
        assert!(matches!(history.stop_watching(&watched.id), Err(StoreError::Missing { .. })));
        assert!(history.has_turn(&turn).unwrap());
    }
}

//! Deliveries to hooks: those that wait, in order, and the outcomes of the last ones.

use nexi_core::{
    ids::TurnId,
    protocol::{Delivery, DeliveryOutcome, HookEvent},
};
use rusqlite::{OptionalExtension, Row, params};

use super::{History, new_id};
use crate::StoreError;

/// Settled deliveries of a hook that stay listed.
const LISTED: u32 = 50;
/// Deliveries of a hook that wait at most; of more, the oldest are given up.
const WAITING: u32 = 200;
/// For how long deliveries wait for a hook that is turned off or not in the settings, in milliseconds.
const LONGEST: i64 = 7 * 24 * 3600 * 1000;

/// Deliveries of deleted threads, which may come back, wait.
const DUE: &str = "deliveries d LEFT JOIN turns u ON u.id = d.turn_id LEFT JOIN threads t ON t.id = u.thread_id
     WHERE d.next_ms IS NOT NULL AND t.deleted_ms IS NULL";

/// A delivery to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    pub id: String,
    pub hook: String,
    /// None is a test.
    pub event: Option<HookEvent>,
    pub body: String,
    /// This one included.
    pub attempts: u32,
}

impl History {
    /// Puts a delivery to a hook into the queue. `event` is none for a test; all moments are in Unix milliseconds.
    ///
    /// # Errors
    /// When there is no such turn, or the database refuses.
    pub fn queue_delivery(
        &self,
        hook: &str,
        event: Option<HookEvent>,
        turn: Option<&TurnId>,
        body: &str,
        now_ms: i64,
    ) -> Result<String, StoreError> {
        let id = new_id();
        self.write(|transaction| {
            transaction.execute(
                "INSERT INTO deliveries (id, hook, event, turn_id, body, created_ms, next_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
                params![id, hook, event.map_or("test", HookEvent::as_str), turn.map(TurnId::as_str), body, now_ms],
            )?;
            transaction.execute(
                "DELETE FROM deliveries WHERE hook = ?1 AND next_ms IS NOT NULL AND id NOT IN
                     (SELECT id FROM deliveries WHERE hook = ?1 AND next_ms IS NOT NULL ORDER BY created_ms DESC, rowid DESC LIMIT ?2)",
                params![hook, WAITING],
            )?;
            transaction.execute("DELETE FROM deliveries WHERE next_ms IS NOT NULL AND created_ms < ?1", [now_ms - LONGEST])?;
            Ok(id.clone())
        })
    }

    /// Takes the oldest delivery to one of these hooks that is due. Nobody else takes it before `time_limit_ms` have passed,
    /// so that it is tried again if this process goes away. What other hooks are to be told of waits.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn take_delivery(&self, hooks: &[String], now_ms: i64, time_limit_ms: i64) -> Result<Option<DueDelivery>, StoreError> {
        // Nobody has to wait in line to see that there is nothing.
        if self.next_delivery(hooks)?.is_none_or(|next| next > now_ms) {
            return Ok(None);
        }
        self.take(None, &serde_json::to_string(hooks)?, now_ms, time_limit_ms)
    }

    /// Takes this delivery if it waits.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn take_this_delivery(&self, id: &str, now_ms: i64, time_limit_ms: i64) -> Result<Option<DueDelivery>, StoreError> {
        self.take(Some(id), "[]", now_ms, time_limit_ms)
    }

    fn take(&self, id: Option<&str>, hooks: &str, now_ms: i64, time_limit_ms: i64) -> Result<Option<DueDelivery>, StoreError> {
        self.write(|transaction| {
            let sql = format!(
                "SELECT d.id, d.hook, d.event, d.body, d.attempts FROM {DUE} AND (d.id = ?1 OR ?1 IS NULL AND d.next_ms <= ?2 AND d.hook IN (SELECT value FROM json_each(?3)))
                 ORDER BY d.next_ms, d.rowid LIMIT 1"
            );
            let read = |row: &Row<'_>| {
                let (event, before): (String, u32) = (row.get(2)?, row.get(4)?);
                Ok(DueDelivery { id: row.get(0)?, hook: row.get(1)?, event: event.parse().ok(), body: row.get(3)?, attempts: before + 1 })
            };
            let due = transaction.query_row(&sql, params![id, now_ms, hooks], read).optional()?;
            if let Some(due) = &due {
                let sql = "UPDATE deliveries SET attempts = ?2, tried_ms = ?3, next_ms = ?4 WHERE id = ?1";
                transaction.execute(sql, params![due.id, due.attempts, now_ms, now_ms.saturating_add(time_limit_ms)])?;
            }
            Ok(due)
        })
    }

    /// Notes what came of a try; where there is no next one, the text is no longer kept. Where somebody else has taken the
    /// delivery meanwhile, what comes of that counts.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn settle_delivery(&self, due: &DueDelivery, outcome: &DeliveryOutcome) -> Result<(), StoreError> {
        let next = match outcome {
            DeliveryOutcome::Failed { again_ms, .. } => *again_ms,
            DeliveryOutcome::Delivered | DeliveryOutcome::Gone => None,
        };
        let outcome = serde_json::to_string(outcome)?;
        self.write(|transaction| {
            let sql = "UPDATE deliveries SET outcome = ?2, next_ms = ?3, body = iif(?3 IS NULL, '', body) WHERE id = ?1 AND attempts = ?4";
            transaction.execute(sql, params![due.id, outcome, next, due.attempts])?;
            transaction.execute(
                "DELETE FROM deliveries WHERE hook = ?1 AND next_ms IS NULL AND id NOT IN
                     (SELECT id FROM deliveries WHERE hook = ?1 AND next_ms IS NULL ORDER BY tried_ms DESC, rowid DESC LIMIT ?2)",
                params![due.hook, LISTED],
            )?;
            Ok(())
        })
    }

    /// Puts a delivery off that could not even be tried; it does not count as a try.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn put_delivery_off(&self, due: &DueDelivery, message: &str, again_ms: i64) -> Result<(), StoreError> {
        let outcome = serde_json::to_string(&DeliveryOutcome::Failed { message: message.to_owned(), again_ms: Some(again_ms) })?;
        self.write(|transaction| {
            let sql = "UPDATE deliveries SET outcome = ?2, next_ms = ?3, attempts = attempts - 1 WHERE id = ?1 AND attempts = ?4";
            transaction.execute(sql, params![due.id, outcome, again_ms, due.attempts])?;
            Ok(())
        })
    }

    /// Removes the deliveries of a hook.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn drop_deliveries(&self, hook: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM deliveries WHERE hook = ?1", [hook])?;
            Ok(())
        })
    }

    /// When the next delivery to one of these hooks is due, in Unix milliseconds.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn next_delivery(&self, hooks: &[String]) -> Result<Option<i64>, StoreError> {
        let (connection, hooks) = (self.connection(), serde_json::to_string(hooks)?);
        let sql = format!("SELECT min(d.next_ms) FROM {DUE} AND d.hook IN (SELECT value FROM json_each(?1))");
        Ok(connection.prepare_cached(&sql)?.query_row([hooks], |row| row.get(0))?)
    }

    /// The deliveries of a hook, or of all, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn deliveries(&self, hook: Option<&str>, limit: u32) -> Result<Vec<Delivery>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT d.id, d.hook, d.event, d.created_ms, d.tried_ms, d.attempts, d.outcome, d.turn_id, u.question
             FROM deliveries d LEFT JOIN turns u ON u.id = d.turn_id WHERE ?1 IS NULL OR d.hook = ?1
             ORDER BY d.created_ms DESC, d.rowid DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![hook, limit], |row| {
            let (event, outcome): (String, Option<String>) = (row.get(2)?, row.get(6)?);
            let delivery = Delivery {
                id: row.get(0)?,
                hook: row.get(1)?,
                event: event.parse().ok(),
                turn: row.get::<_, Option<String>>(7)?.map(TurnId),
                question: row.get(8)?,
                created_ms: row.get(3)?,
                tried_ms: row.get(4)?,
                attempts: row.get(5)?,
                outcome: None,
            };
            Ok(outcome.as_deref().map(serde_json::from_str).transpose().map(|outcome| Delivery { outcome, ..delivery }))
        })?;
        Ok(rows.collect::<Result<Result<_, _>, _>>()??)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::one_turn;
    use super::*;

    #[test]
    fn deliveries_are_taken_once_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nexi.db");
        let (history, other) = (History::open(&path).unwrap(), History::open(&path).unwrap());
        let (_, turn) = one_turn(&history);
        history.queue_delivery("notes", Some(HookEvent::Answered), Some(&turn), "{}", 10).unwrap();
        let hooks = ["notes".to_owned()];
        assert_eq!(history.take_delivery(&hooks, 5, 100).unwrap(), None);
        assert_eq!(history.take_delivery(&["other".to_owned()], 10, 100).unwrap(), None, "who does not know a hook leaves it alone");
        let off = history.take_delivery(&hooks, 10, 100).unwrap().unwrap();
        history.put_delivery_off(&off, "the keys are locked", 10).unwrap();
        let due = history.take_delivery(&hooks, 10, 100).unwrap().unwrap();
        assert_eq!((due.hook.as_str(), due.event, due.attempts), ("notes", Some(HookEvent::Answered), 1));
        assert_eq!(other.take_delivery(&hooks, 109, 100).unwrap(), None);
        // Whoever took it is gone.
        let again = other.take_delivery(&hooks, 110, 100).unwrap().unwrap();
        assert_eq!((again.id.as_str(), again.attempts), (due.id.as_str(), 2));
        let failed = DeliveryOutcome::Failed { message: "it answered with 500".into(), again_ms: Some(400) };
        other.settle_delivery(&again, &failed).unwrap();
        // The first one comes back late: it no longer counts.
        history.settle_delivery(&due, &DeliveryOutcome::Failed { message: "late".into(), again_ms: None }).unwrap();
        assert_eq!(history.next_delivery(&hooks).unwrap(), Some(400));
        let last = history.take_this_delivery(&due.id, 120, 100).unwrap().unwrap();
        history.settle_delivery(&last, &DeliveryOutcome::Delivered).unwrap();
        assert_eq!(history.next_delivery(&hooks).unwrap(), None);
        let listed = history.deliveries(Some("notes"), 10).unwrap();
        assert_eq!((listed.len(), listed[0].attempts, listed[0].outcome.clone()), (1, 3, Some(DeliveryOutcome::Delivered)));
        assert!(history.deliveries(Some("other"), 10).unwrap().is_empty());
    }

    #[test]
    fn nothing_is_told_of_what_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (thread, turn) = one_turn(&history);
        let hooks = ["notes".to_owned()];
        history.queue_delivery("notes", Some(HookEvent::Answered), Some(&turn), "{}", 10).unwrap();
        history.delete(&thread, 20).unwrap();
        assert_eq!((history.take_delivery(&hooks, 30, 1).unwrap(), history.next_delivery(&hooks).unwrap()), (None, None));
        history.restore(&thread).unwrap();
        assert!(history.take_delivery(&hooks, 30, 1).unwrap().is_some());
        history.delete(&thread, 40).unwrap();
        history.purge(50).unwrap();
        assert!(history.deliveries(None, 10).unwrap().is_empty());
    }
}

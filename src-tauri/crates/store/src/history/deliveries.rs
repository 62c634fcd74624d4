//! What hooks are to be told of, in the order in which it came up.

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
            Ok(id.clone())
        })
    }

    /// Takes the oldest delivery that is due, or the one that is named if it waits. Nobody else takes it before
    /// `patience_ms` have passed, so that it is tried again if this process goes away.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn take_delivery(&self, id: Option<&str>, now_ms: i64, patience_ms: i64) -> Result<Option<DueDelivery>, StoreError> {
        // Nobody has to wait in line to see that there is nothing.
        if id.is_none() && self.next_delivery()?.is_none_or(|next| next > now_ms) {
            return Ok(None);
        }
        self.write(|transaction| {
            let sql = format!(
                "SELECT d.id, d.hook, d.event, d.body, d.attempts FROM {DUE} AND (d.id = ?1 OR ?1 IS NULL AND d.next_ms <= ?2)
                 ORDER BY d.next_ms, d.rowid LIMIT 1"
            );
            let read = |row: &Row<'_>| {
                let (event, before): (String, u32) = (row.get(2)?, row.get(4)?);
                Ok(DueDelivery { id: row.get(0)?, hook: row.get(1)?, event: event.parse().ok(), body: row.get(3)?, attempts: before + 1 })
            };
            let due = transaction.query_row(&sql, params![id, now_ms], read).optional()?;
            if let Some(due) = &due {
                let sql = "UPDATE deliveries SET attempts = ?2, tried_ms = ?3, next_ms = ?4 WHERE id = ?1";
                transaction.execute(sql, params![due.id, due.attempts, now_ms, now_ms.saturating_add(patience_ms)])?;
            }
            Ok(due)
        })
    }

    /// Notes what came of a try; where there is no next one, the text is no longer kept.
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
            let sql = "UPDATE deliveries SET outcome = ?2, next_ms = ?3, body = iif(?3 IS NULL, '', body) WHERE id = ?1";
            transaction.execute(sql, params![due.id, outcome, next])?;
            transaction.execute(
                "DELETE FROM deliveries WHERE hook = ?1 AND next_ms IS NULL AND id NOT IN
                     (SELECT id FROM deliveries WHERE hook = ?1 AND next_ms IS NULL ORDER BY tried_ms DESC, rowid DESC LIMIT ?2)",
                params![due.hook, LISTED],
            )?;
            Ok(())
        })
    }

    /// Removes the deliveries of a hook: all of them, or only those that wait.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn drop_deliveries(&self, hook: &str, only_waiting: bool) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "DELETE FROM deliveries WHERE hook = ?1 AND (next_ms IS NOT NULL OR NOT ?2)";
            transaction.execute(sql, params![hook, only_waiting])?;
            Ok(())
        })
    }

    /// When the next delivery is due, in Unix milliseconds.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn next_delivery(&self) -> Result<Option<i64>, StoreError> {
        let connection = self.connection();
        let sql = format!("SELECT min(d.next_ms) FROM {DUE}");
        Ok(connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?)
    }

    /// The deliveries of a hook, or of all, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn deliveries(&self, hook: Option<&str>, limit: u32) -> Result<Vec<Delivery>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT id, hook, event, created_ms, tried_ms, attempts, outcome FROM deliveries WHERE ?1 IS NULL OR hook = ?1
             ORDER BY created_ms DESC, rowid DESC LIMIT ?2",
        )?;
        let rows = statement.query_map(params![hook, limit], |row| {
            let (event, outcome): (String, Option<String>) = (row.get(2)?, row.get(6)?);
            let delivery = Delivery {
                id: row.get(0)?,
                hook: row.get(1)?,
                event: event.parse().ok(),
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
        assert_eq!(history.take_delivery(None, 5, 100).unwrap(), None);
        let due = history.take_delivery(None, 10, 100).unwrap().unwrap();
        assert_eq!((due.hook.as_str(), due.event, due.attempts), ("notes", Some(HookEvent::Answered), 1));
        assert_eq!(other.take_delivery(None, 109, 100).unwrap(), None);
        // Whoever took it is gone.
        let again = other.take_delivery(None, 110, 100).unwrap().unwrap();
        assert_eq!((again.id.as_str(), again.attempts), (due.id.as_str(), 2));
        let failed = DeliveryOutcome::Failed { message: "it answered with 500".into(), again_ms: Some(400) };
        other.settle_delivery(&again, &failed).unwrap();
        assert_eq!(history.next_delivery().unwrap(), Some(400));
        let last = history.take_delivery(Some(&due.id), 120, 100).unwrap().unwrap();
        history.settle_delivery(&last, &DeliveryOutcome::Delivered).unwrap();
        assert_eq!(history.next_delivery().unwrap(), None);
        let listed = history.deliveries(Some("notes"), 10).unwrap();
        assert_eq!((listed.len(), listed[0].attempts, listed[0].outcome.clone()), (1, 3, Some(DeliveryOutcome::Delivered)));
        assert!(history.deliveries(Some("other"), 10).unwrap().is_empty());
    }

    #[test]
    fn nothing_is_told_of_what_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (thread, turn) = one_turn(&history);
        history.queue_delivery("notes", Some(HookEvent::Answered), Some(&turn), "{}", 10).unwrap();
        history.delete(&thread, 20).unwrap();
        assert_eq!((history.take_delivery(None, 30, 1).unwrap(), history.next_delivery().unwrap()), (None, None));
        history.restore(&thread).unwrap();
        assert!(history.take_delivery(None, 30, 1).unwrap().is_some());
        history.delete(&thread, 40).unwrap();
        history.purge(50).unwrap();
        assert!(history.deliveries(None, 10).unwrap().is_empty());
    }
}

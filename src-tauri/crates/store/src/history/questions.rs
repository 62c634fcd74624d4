//! What questions mean: vectors of those of the library, and the search for the nearest ones.

use std::cmp::Ordering;

use nexi_core::{ids::ThreadId, protocol::AskedBefore};
use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::{History, asked::before};
use crate::{
    StoreError,
    quantized::{Quantized, dot},
};

/// Questions that are compared, the newest ones.
const MOST_COMPARED: u32 = 200_000;

/// A question that has no vector yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingQuestion {
    pub row: i64,
    pub question: String,
}

impl History {
    /// Questions of finished turns that have no vector of this model, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn pending_questions(&self, model: &str, most: usize) -> Result<Vec<PendingQuestion>, StoreError> {
        self.reading_on(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT r.row, t.question FROM turn_rows r JOIN turns t ON t.id = r.turn_id
                 WHERE t.state IN ('answered', 'partial') AND NOT EXISTS (SELECT 1 FROM question_vectors v WHERE v.row = r.row AND v.model = ?1)
                 ORDER BY r.row DESC LIMIT ?2",
            )?;
            let rows = statement.query_map(params![model, most as i64], |row| Ok(PendingQuestion { row: row.get(0)?, question: row.get(1)? }))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Keeps vectors of questions in place of those of other models. Questions that are gone by now are passed over.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn keep_question_vectors(&self, model: &str, vectors: &[(i64, Vec<f32>)]) -> Result<(), StoreError> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT OR REPLACE INTO question_vectors (row, model, scale, vector) SELECT row, ?2, ?3, ?4 FROM turn_rows WHERE row = ?1",
            )?;
            for (row, vector) in vectors {
                // What has no direction is kept, too, so that it is not asked for again.
                let kept = Quantized::kept(vector);
                insert.execute(params![row, model, f64::from(kept.scale), kept.bytes()])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// The questions that mean most nearly this, with the cosine of the angle between both, the nearest first; only those
    /// that are `least` near. None of `besides`, of deleted threads, or whose vectors are of another model.
    ///
    /// # Errors
    /// When the database refuses, or a later search of the library took its place ([`StoreError::Superseded`]).
    pub fn nearest_questions(
        &self,
        model: &str,
        vector: &[f32],
        least: f32,
        besides: Option<&ThreadId>,
        most: usize,
    ) -> Result<Vec<(AskedBefore, f32)>, StoreError> {
        let Some(wanted) = Quantized::new(vector) else { return Ok(Vec::new()) };
        self.reading(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT row, scale, vector FROM question_vectors WHERE model = ?1 ORDER BY row DESC LIMIT ?2")?;
            let mut rows = statement.query(params![model, MOST_COMPARED])?;
            let mut near: Vec<(i64, f32)> = Vec::new();
            while let Some(row) = rows.next()? {
                let Ok(bytes) = row.get_ref(2)?.as_blob() else { continue };
                if bytes.len() != wanted.numbers.len() {
                    continue;
                }
                let cosine = dot(bytes, &wanted.numbers) as f32 * row.get::<_, f64>(1)? as f32 * wanted.scale;
                if cosine >= least {
                    near.push((row.get(0)?, cosine));
                }
            }
            // Of those that are as near, the newest.
            near.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal).then(b.0.cmp(&a.0)));
            let mut statement = connection.prepare_cached(
                "SELECT t.thread_id, t.id, t.question, t.asked_ms FROM turn_rows r JOIN turns t ON t.id = r.turn_id
                 JOIN threads h ON h.id = t.thread_id
                 WHERE r.row = ?1 AND h.deleted_ms IS NULL AND t.thread_id IS NOT ?2 AND t.state IN ('answered', 'partial')",
            )?;
            let mut out = Vec::new();
            for (row, cosine) in near {
                let found = statement.query_row(params![row, besides.map(ThreadId::as_str)], before).optional()?;
                out.extend(found.map(|before| (before, cosine)));
                if out.len() == most {
                    break;
                }
            }
            Ok(out)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_found_by_what_they_mean() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (thread, turn) = super::super::tests::one_turn(&history);
        let pending = history.pending_questions("m", 5).unwrap();
        assert_eq!(pending.len(), 1);
        history.keep_question_vectors("m", &[(pending[0].row, vec![0.6, 0.8]), (99, vec![1.0, 0.0])]).unwrap();
        assert_eq!(history.pending_questions("m", 5).unwrap(), []);
        assert_eq!(history.pending_questions("other", 5).unwrap(), pending);
        let near = |model: &str, vector: &[f32], least: f32, besides| history.nearest_questions(model, vector, least, besides, 5).unwrap();
        let found = near("m", &[1.2, 1.6], 0.9, None);
        assert!(found.len() == 1 && found[0].0.turn == turn && found[0].1 > 0.99, "{found:?}");
        assert_eq!(near("m", &[0.8, -0.6], 0.5, None), []);
        assert_eq!(near("other", &[0.6, 0.8], 0.5, None), []);
        assert_eq!(near("m", &[0.6, 0.8, 0.0], 0.5, None), []);
        assert_eq!(near("m", &[0.0, 0.0], 0.5, None), []);
        assert_eq!(near("m", &[0.6, 0.8], 0.5, Some(&thread)), []);
        // Nothing is left of what is deleted for good.
        history.delete(&thread, 1).unwrap();
        assert_eq!(near("m", &[0.6, 0.8], 0.5, None), []);
        history.purge(i64::MAX).unwrap();
        let left: i64 = history.connection().query_row("SELECT count(*) FROM question_vectors", [], |row| row.get(0)).unwrap();
        assert_eq!(left, 0);
    }
}

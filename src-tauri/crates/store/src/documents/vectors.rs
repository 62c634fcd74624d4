//! Vectors of passages, one set for each model, and the search for the nearest ones.
//!
//! A search compares the query with every vector of the set: for the collections of one person that is fast enough, and
//! never misses.

use std::cmp::Ordering;
use std::sync::{Arc, PoisonError};

use rusqlite::{Connection, OptionalExtension, ToSql, TransactionBehavior, params, params_from_iter};

use super::{DocumentIndex, IndexedPassage, Scope, range};
use crate::{
    StoreError,
    quantized::{Quantized, dot},
};

/// Bytes of vectors that are kept in memory between searches; a larger set is read from the file each time.
const MAX_RESIDENT: usize = 256 * 1024 * 1024;
/// Nearest vectors that are looked up at first; four times as many each time that too few of them lie in the folders.
const FIRST_LOOK: usize = 256;

/// A passage that has no vector yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingPassage {
    pub id: i64,
    /// Title, heading and text.
    pub text: String,
}

/// A passage near to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct NearPassage {
    pub passage: IndexedPassage,
    /// The cosine of the angle between both, from -1 to 1.
    pub similarity: f32,
    /// How many standard deviations it lies above the mean of the whole set.
    pub deviation: f32,
}

/// The vectors of a set, in memory.
pub(super) struct VectorMatrix {
    set: i64,
    changes: i64,
    dimensions: usize,
    passages: Vec<i64>,
    scales: Vec<f32>,
    /// Row after row, as the database keeps them.
    numbers: Vec<u8>,
}

impl DocumentIndex {
    /// Passages below `roots` that have no vector of this model yet, at most `limit`.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn pending(&self, model: &str, roots: &[String], limit: usize) -> Result<Vec<PendingPassage>, StoreError> {
        if roots.is_empty() {
            return Ok(Vec::new());
        }
        let (within, mut values) = Scope::all(roots).condition();
        let sql = format!(
            "SELECT p.id, p.title, p.heading, p.body FROM passages p JOIN documents d ON d.id = p.document_id
             WHERE ({within}) AND NOT EXISTS (SELECT 1 FROM vectors v JOIN vector_sets s ON s.id = v.set_id WHERE v.passage_id = p.id AND s.model = ?)
             ORDER BY p.id LIMIT ?"
        );
        values.extend([model.to_owned(), limit.to_string()]);
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            let parts: [String; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
            let text = parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n");
            Ok(PendingPassage { id: row.get(0)?, text })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Puts vectors of passages into the set of a model, in one transaction. Passages that are gone by now are passed
    /// over, and so are vectors without a direction. Where the model's vectors have another length than those of its set,
    /// the set begins anew.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn put_vectors(&self, model: &str, vectors: &[(i64, Vec<f32>)]) -> Result<(), StoreError> {
        let Some(dimensions) = vectors.first().map(|(_, vector)| vector.len()) else { return Ok(()) };
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("DELETE FROM vector_sets WHERE model = ?1 AND dimensions <> ?2", params![model, dimensions as i64])?;
        transaction.execute(
            "INSERT INTO vector_sets (model, dimensions) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![model, dimensions as i64],
        )?;
        let set: i64 = transaction.query_row("SELECT id FROM vector_sets WHERE model = ?1", [model], |row| row.get(0))?;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT OR REPLACE INTO vectors (set_id, passage_id, scale, vector) SELECT ?1, id, ?3, ?4 FROM passages WHERE id = ?2",
            )?;
            for (passage, vector) in vectors.iter().filter(|(_, vector)| vector.len() == dimensions) {
                // What has no direction is kept, too, so that it is not asked for again.
                let kept = Quantized::kept(vector);
                insert.execute(params![set, passage, f64::from(kept.scale), kept.bytes()])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Passages below a folder that have a vector of this model.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn vectors(&self, model: &str, root: &str) -> Result<usize, StoreError> {
        let [from, to, own] = range(root);
        let count: i64 = self.connection().query_row(
            "SELECT count(*) FROM vectors v JOIN vector_sets s ON s.id = v.set_id JOIN passages p ON p.id = v.passage_id
             JOIN documents d ON d.id = p.document_id WHERE s.model = ?4 AND (d.path >= ?1 AND d.path < ?2 OR d.path = ?3)",
            [&from, &to, &own, model],
            |row| row.get(0),
        )?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Forgets the vectors of all other models.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn keep_vectors_of(&self, model: Option<&str>) -> Result<(), StoreError> {
        *self.matrix.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let connection = self.connection();
        // Without the rows first, every one of them would be counted as a change of its set.
        connection.execute("DELETE FROM vectors WHERE set_id IN (SELECT id FROM vector_sets WHERE model IS NOT ?1)", [model])?;
        connection.execute("DELETE FROM vector_sets WHERE model IS NOT ?1", [model])?;
        Ok(())
    }

    /// The passages of the documents of `scope` whose vectors are nearest to a query's, best first; none where the model has no set, or
    /// one with vectors of another length.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn nearest(&self, model: &str, scope: &Scope<'_>, query: &[f32], limit: usize) -> Result<Vec<NearPassage>, StoreError> {
        let Some(query) = Quantized::new(query).filter(|_| !scope.roots.is_empty() && limit > 0) else { return Ok(Vec::new()) };
        let Some(matrix) = self.matrix(model)?.filter(|matrix| matrix.dimensions == query.numbers.len()) else { return Ok(Vec::new()) };
        let mut scores: Vec<(f32, i64)> = matrix
            .numbers
            .chunks_exact(matrix.dimensions)
            .zip(&matrix.scales)
            .zip(&matrix.passages)
            .map(|((row, scale), passage)| (dot(row, &query.numbers) as f32 * scale * query.scale, *passage))
            .collect();
        let (mean, spread) = spread(&scores);
        let better = |a: &(f32, i64), b: &(f32, i64)| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal).then(a.1.cmp(&b.1));
        let (mut looked, mut out) = (0, Vec::new());
        let mut until = FIRST_LOOK.max(limit);
        let (condition, values) = scope.condition();
        let sql = format!(
            "SELECT p.id, d.path, p.title, p.heading, p.body, p.start_line, p.end_line, p.place FROM passages p JOIN documents d ON d.id = p.document_id
             WHERE p.id = ? AND {condition}"
        );
        let connection = self.connection();
        while looked < scores.len() && out.len() < limit {
            until = until.min(scores.len());
            let rest = &mut scores[looked..];
            if until - looked < rest.len() {
                rest.select_nth_unstable_by(until - looked - 1, better);
            }
            rest[..until - looked].sort_by(better);
            for (similarity, id) in &scores[looked..until] {
                if let Some(passage) = passage(&connection, *id, &sql, &values)? {
                    out.push(NearPassage { passage, similarity: *similarity, deviation: (similarity - mean) / spread });
                }
                if out.len() == limit {
                    break;
                }
            }
            looked = until;
            until *= 4;
        }
        Ok(out)
    }

    /// The set of a model; from memory where it has not changed.
    fn matrix(&self, model: &str) -> Result<Option<Arc<VectorMatrix>>, StoreError> {
        let mut kept = self.matrix.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = self.connection();
        let set: Option<(i64, i64, i64)> = connection
            .prepare_cached("SELECT id, dimensions, changes FROM vector_sets WHERE model = ?1")?
            .query_row([model], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        let Some((set, dimensions, changes)) = set else {
            *kept = None;
            return Ok(None);
        };
        if let Some(matrix) = kept.as_ref().filter(|matrix| (matrix.set, matrix.changes) == (set, changes)) {
            return Ok(Some(matrix.clone()));
        }
        // The old one goes before the new one comes: together they could be too much.
        *kept = None;
        let matrix = Arc::new(read(&connection, set, usize::try_from(dimensions).unwrap_or_default().max(1), changes)?);
        if matrix.numbers.len() <= MAX_RESIDENT {
            *kept = Some(matrix.clone());
        }
        Ok(Some(matrix))
    }
}

fn read(connection: &Connection, set: i64, dimensions: usize, changes: i64) -> Result<VectorMatrix, StoreError> {
    let mut out = VectorMatrix { set, changes, dimensions, passages: Vec::new(), scales: Vec::new(), numbers: Vec::new() };
    let mut statement = connection.prepare_cached("SELECT passage_id, scale, vector FROM vectors WHERE set_id = ?1")?;
    let mut rows = statement.query([set])?;
    while let Some(row) = rows.next()? {
        let Ok(bytes) = row.get_ref(2)?.as_blob() else { continue };
        if bytes.len() != dimensions {
            continue;
        }
        out.passages.push(row.get(0)?);
        out.scales.push(row.get::<_, f64>(1)? as f32);
        out.numbers.extend_from_slice(bytes);
    }
    Ok(out)
}

/// A passage, if its document is one that is looked at.
fn passage(connection: &Connection, id: i64, sql: &str, condition: &[String]) -> Result<Option<IndexedPassage>, StoreError> {
    let values = std::iter::once(&id as &dyn ToSql).chain(condition.iter().map(|value| value as &dyn ToSql));
    Ok(connection.prepare_cached(sql)?.query_row(params_from_iter(values), |row| IndexedPassage::read(row, 0.0)).optional()?)
}

/// Mean and standard deviation; the latter is never 0.
fn spread(scores: &[(f32, i64)]) -> (f32, f32) {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().map(|(score, _)| f64::from(*score)).sum::<f64>() / count;
    let variance = scores.iter().map(|(score, _)| (f64::from(*score) - mean).powi(2)).sum::<f64>() / count;
    (mean as f32, (variance.sqrt() as f32).max(1e-6))
}

#[cfg(all(test, unix))]
mod tests {
    use nexi_core::place::PassagePlace;

    use super::super::{NewDocument, NewPassage, Stamp};
    use super::*;

    fn document(path: &str, bodies: &[&str]) -> NewDocument {
        let passage = |body: &&str| NewPassage {
            heading: "H".into(),
            body: (*body).to_owned(),
            extra: String::new(),
            place: PassagePlace { from: 1, to: 2, place: None },
        };
        NewDocument {
            path: path.into(),
            stamp: Stamp { modified_ns: 1, size: 2, hash: 3, reference: 0, recognised: 0 },
            title: "T".into(),
            date: None,
            passages: bodies.iter().map(passage).collect(),
            scanned: Vec::new(),
            partly: None,
            skipped: None,
        }
    }

    fn own(roots: &[&str]) -> Vec<String> {
        roots.iter().map(|root| (*root).to_owned()).collect()
    }

    fn bodies(found: &[NearPassage]) -> Vec<&str> {
        found.iter().map(|near| near.passage.body.as_str()).collect()
    }

    #[test]
    fn the_nearest_passages_of_the_folders_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let index = DocumentIndex::open(&folder.path().join("d.db")).unwrap();
        index.put(&[document("/a/x.md", &["north", "east"]), document("/b/y.md", &["north-east"])]).unwrap();
        let pending = index.pending("m", &own(&["/a", "/b"]), 10).unwrap();
        assert_eq!(pending[0].text, "T\nH\nnorth");
        assert_eq!(index.pending("m", &own(&["/b"]), 10).unwrap().len(), 1);
        let vectors = [vec![0.0, 1.0], vec![1.0, 0.0], vec![0.7, 0.7]];
        index.put_vectors("m", &pending.iter().map(|passage| passage.id).zip(vectors).collect::<Vec<_>>()).unwrap();
        assert_eq!(index.pending("m", &own(&["/a", "/b"]), 10).unwrap(), []);
        assert_eq!((index.vectors("m", "/a").unwrap(), index.vectors("m", "/b").unwrap()), (2, 1));
        let found = index.nearest("m", &Scope::all(&own(&["/a", "/b"])), &[0.1, 2.0], 3).unwrap();
        assert_eq!(bodies(&found), ["north", "north-east", "east"]);
        assert!((found[0].similarity - 0.9988).abs() < 0.01 && found[0].deviation > 0.5, "{found:?}");
        assert_eq!(bodies(&index.nearest("m", &Scope::all(&own(&["/b"])), &[0.1, 2.0], 3).unwrap()), ["north-east"]);
        // Another model, another length, and nothing at all.
        assert_eq!(index.nearest("other", &Scope::all(&own(&["/a"])), &[0.1, 2.0], 3).unwrap(), []);
        assert_eq!(index.nearest("m", &Scope::all(&own(&["/a"])), &[0.1, 2.0, 3.0], 3).unwrap(), []);
        assert_eq!(index.nearest("m", &Scope::all(&own(&["/a"])), &[0.0, f32::NAN], 3).unwrap(), []);
    }

    #[test]
    fn vectors_go_with_their_passages_and_their_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.db");
        let index = DocumentIndex::open(&path).unwrap();
        index.put(&[document("/a/x.md", &["one"]), document("/a/y.md", &["two"])]).unwrap();
        let all = own(&["/a"]);
        let ids: Vec<i64> = index.pending("m", &all, 10).unwrap().iter().map(|passage| passage.id).collect();
        index.put_vectors("m", &[(ids[0], vec![1.0, 0.0]), (ids[1], vec![0.9, 0.1]), (99, vec![1.0, 1.0])]).unwrap();
        assert_eq!(index.nearest("m", &Scope::all(&all), &[1.0, 0.0], 9).unwrap().len(), 2);
        // The copy in memory is not asked for what is gone, nor what another process adds.
        let other = DocumentIndex::open(&path).unwrap();
        other.put(&[document("/a/x.md", &["three"])]).unwrap();
        assert_eq!(bodies(&index.nearest("m", &Scope::all(&all), &[1.0, 0.0], 9).unwrap()), ["two"]);
        let new = other.pending("m", &all, 10).unwrap();
        other.put_vectors("m", &[(new[0].id, vec![1.0, 0.0])]).unwrap();
        assert_eq!(bodies(&index.nearest("m", &Scope::all(&all), &[1.0, 0.0], 9).unwrap()), ["three", "two"]);
        // A model that changed the length of its vectors begins anew.
        index.put_vectors("m", &[(new[0].id, vec![1.0, 0.0, 0.0])]).unwrap();
        assert_eq!((index.vectors("m", "/a").unwrap(), index.pending("m", &all, 10).unwrap().len()), (1, 1));
        index.put_vectors("n", &[(new[0].id, vec![1.0])]).unwrap();
        index.keep_vectors_of(Some("n")).unwrap();
        assert_eq!((index.vectors("m", "/a").unwrap(), index.vectors("n", "/a").unwrap()), (0, 1));
        index.keep_vectors_of(None).unwrap();
        assert_eq!(index.vectors("n", "/a").unwrap(), 0);
    }

    #[test]
    fn bytes_keep_the_order_of_cosines() {
        let mut seed = 7_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f32 / 16_777_216.0 - 0.5
        };
        let mut vector = |length: usize| (0..length).map(|_| number()).collect::<Vec<f32>>();
        for length in [1, 15, 16, 17, 384] {
            let (a, b) = (vector(length), vector(length));
            let norm = |v: &[f32]| v.iter().map(|n| n * n).sum::<f32>().sqrt();
            let real = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f32>() / norm(&a) / norm(&b);
            let (x, y) = (Quantized::new(&a).unwrap(), Quantized::new(&b).unwrap());
            let ours = dot(&x.bytes(), &y.numbers) as f32 * x.scale * y.scale;
            assert!((real - ours).abs() < 0.02, "{length}: {real} {ours}");
        }
        assert_eq!(Quantized::new(&[0.0, 0.0]), None);
    }
}

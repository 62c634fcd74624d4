//! Documents and their passages, written in one piece.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use tokio_postgres::types::{Json, ToSql};
use tokio_postgres::{Error, Row, Statement, Transaction};

use crate::words;

/// A file that a worker has for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub(crate) id: i64,
    pub(crate) group: Option<i32>,
    /// Where the file is.
    pub address: String,
    /// The hash of what is in the corpus from an earlier time.
    pub known_hash: Option<Vec<u8>>,
}

/// A document that was read.
#[derive(Debug, Clone, Default)]
pub struct NewDocument {
    /// SHA-256 of its bytes.
    pub hash: Vec<u8>,
    pub title: String,
    pub authors: Vec<String>,
    /// The day that it is of, as `2024`, `2024-06` or `2024-06-01`.
    pub date: Option<String>,
    /// The day on which its file was last changed.
    pub modified: Option<String>,
    pub doi: Option<String>,
    /// Where its file lies, as people write it.
    pub path: String,
    /// All of it, as Markdown.
    pub text: String,
    /// Places of its lines, as [`nexi_core::ports::Page`] has them.
    pub lines: Vec<u32>,
    pub paged: bool,
    /// As JSON.
    pub places: Value,
    pub passages: Vec<NewPassage>,
}

/// A part of a document.
#[derive(Debug, Clone)]
pub struct NewPassage {
    heading: String,
    body: String,
    /// Where in the document it stands, as JSON.
    place: Value,
    /// As a `tsvector`.
    words: String,
    /// By the model of the corpus, where it has one.
    vector: Option<Vec<f32>>,
}

impl NewPassage {
    /// A passage of a document with this title, which is found by the words of `extra` besides: those of the file's name and
    /// its folders. Takes a while: its words are counted.
    pub fn new(title: &str, heading: &str, body: &str, extra: &str, place: &Value) -> Self {
        let words = words::titled_vector(&[&clean(title), &clean(heading), &clean(extra)], &clean(body));
        Self { heading: clean(heading), body: clean(body), place: clean_json(place), words, vector: None }
    }

    /// What it is embedded by, in a document with this title.
    pub fn text(&self, title: &str) -> String {
        [title, &self.heading, &self.body].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// Its vector by the model of the corpus. One without a direction is left out.
    pub fn set_vector(&mut self, vector: Vec<f32>) {
        self.vector = Some(vector).filter(|vector| vector.iter().any(|number| *number != 0.0));
    }
}

/// PostgreSQL has no place for this character.
pub(crate) fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// The same for every text of a value.
pub(crate) fn clean_json(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(text)),
        Value::Array(all) => all.iter().map(clean_json).collect(),
        Value::Object(all) => all.iter().map(|(name, value)| (clean(name), clean_json(value))).collect(),
        plain => plain.clone(),
    }
}

/// Statements that a connection knows, so that none has to be understood twice.
#[derive(Default)]
pub(crate) struct Statements(Mutex<HashMap<&'static str, Statement>>);

/// A transaction that writes with these statements.
pub(crate) struct Writing<'a> {
    transaction: Transaction<'a>,
    statements: &'a Statements,
}

impl<'a> Writing<'a> {
    pub(crate) fn new(transaction: Transaction<'a>, statements: &'a Statements) -> Self {
        Self { transaction, statements }
    }

    async fn statement(&self, sql: &'static str) -> Result<Statement, Error> {
        let known = self.statements.0.lock().unwrap_or_else(PoisonError::into_inner).get(sql).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let statement = self.transaction.prepare(sql).await?;
        self.statements.0.lock().unwrap_or_else(PoisonError::into_inner).insert(sql, statement.clone());
        Ok(statement)
    }

    pub(crate) async fn execute(&self, sql: &'static str, values: &[&(dyn ToSql + Sync)]) -> Result<u64, Error> {
        self.transaction.execute(&self.statement(sql).await?, values).await
    }

    pub(crate) async fn row_if_any(&self, sql: &'static str, values: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, Error> {
        self.transaction.query_opt(&self.statement(sql).await?, values).await
    }

    pub(crate) async fn commit(self) -> Result<(), Error> {
        self.transaction.commit().await
    }

    /// Removes what the corpus has of a file.
    pub(crate) async fn remove(&self, job: &Job) -> Result<(), Error> {
        let sql = "WITH gone AS (DELETE FROM nexi.documents WHERE address = $1 AND group_id IS NOT DISTINCT FROM $2 RETURNING id)
             DELETE FROM nexi.passages WHERE document_id IN (SELECT id FROM gone)";
        self.execute(sql, &[&job.address, &job.group]).await.map(drop)
    }

    /// Puts a document in the place of what the corpus has of the file. It keeps its number, by which it is cited.
    pub(crate) async fn put(&self, job: &Job, document: &NewDocument) -> Result<(), Error> {
        let sql =
            "INSERT INTO nexi.documents (address, group_id, hash, title, authors, dated, modified, doi, path, text, lines, paged, places)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             ON CONFLICT (address, group_id) DO UPDATE SET hash = excluded.hash, title = excluded.title, authors = excluded.authors,
                 dated = excluded.dated, modified = excluded.modified, doi = excluded.doi, path = excluded.path, text = excluded.text,
                 lines = excluded.lines, paged = excluded.paged, places = excluded.places, indexed = now()
             RETURNING id";
        let authors: Vec<String> = document.authors.iter().map(|author| clean(author)).collect();
        let (title, text, path) = (clean(&document.title), clean(&document.text), clean(&document.path));
        let [date, modified, doi] = [&document.date, &document.modified, &document.doi].map(|text| text.as_deref().map(clean));
        let lines: Vec<i32> = document.lines.iter().map(|line| i32::try_from(*line).unwrap_or(i32::MAX)).collect();
        let values: [&(dyn ToSql + Sync); 13] = [
            &job.address,
            &job.group,
            &document.hash,
            &title,
            &authors,
            &date,
            &modified,
            &doi,
            &path,
            &text,
            &lines,
            &document.paged,
            &Json(clean_json(&document.places)),
        ];
        let id: i64 = self.transaction.query_one(&self.statement(sql).await?, &values).await?.get(0);
        self.execute("DELETE FROM nexi.passages WHERE document_id = $1", &[&id]).await?;
        let all = &document.passages;
        let headings: Vec<&str> = all.iter().map(|passage| passage.heading.as_str()).collect();
        let bodies: Vec<&str> = all.iter().map(|passage| passage.body.as_str()).collect();
        let places: Vec<Json<&Value>> = all.iter().map(|passage| Json(&passage.place)).collect();
        let words: Vec<&str> = all.iter().map(|passage| passage.words.as_str()).collect();
        let sql = "INSERT INTO nexi.passages (document_id, ordinal, group_id, heading, body, place, words)
             SELECT $1, ordinality, $2, heading, body, place, words::tsvector
             FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::text[]) WITH ORDINALITY AS t (heading, body, place, words, ordinality)";
        self.execute(sql, &[&id, &job.group, &headings, &bodies, &places, &words]).await?;
        if all.iter().any(|passage| passage.vector.is_some()) {
            self.put_vectors(id, job, all).await?;
        }
        Ok(())
    }

    async fn put_vectors(&self, document: i64, job: &Job, passages: &[NewPassage]) -> Result<(), Error> {
        // As arrays are written, since arrays of arrays cannot be taken apart.
        let numbers = |vector: &[f32]| format!("{{{}}}", vector.iter().map(f32::to_string).collect::<Vec<_>>().join(","));
        let vectors: Vec<Option<String>> = passages.iter().map(|passage| passage.vector.as_deref().map(numbers)).collect();
        let sql = "INSERT INTO nexi.vectors (document_id, ordinal, group_id, vector)
             SELECT $1, ordinality, $2, numbers::real[] FROM unnest($3::text[]) WITH ORDINALITY AS t (numbers, ordinality) WHERE numbers IS NOT NULL";
        self.execute(sql, &[&document, &job.group, &vectors]).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_text_of_a_value_keeps_what_postgresql_has_no_place_for() {
        let given = json!({"a\0b": ["c\0", 1, null, {"d": "e\0f"}]});
        assert!(!clean_json(&given).to_string().contains("\\u0000"), "{}", clean_json(&given));
        assert_eq!(clean_json(&json!({"plain": [true, 2.5, "text"]})), json!({"plain": [true, 2.5, "text"]}));
    }
}

//! Searching a corpus, and how it is.

use serde_json::Value;
use tokio_postgres::types::Json;

use crate::{Database, DatabaseProblem, words};

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub document: i64,
    pub ordinal: i32,
    pub heading: String,
    pub body: String,
    pub place: Value,
    /// How well it fits by the words it holds; compares with others of the same search alone.
    pub score: f64,
    pub title: String,
    pub address: String,
    pub date: Option<String>,
}

/// How a corpus is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CorpusStatus {
    pub documents: i64,
    pub passages: i64,
    /// Bytes on the disk of the database.
    pub bytes: i64,
    pub waiting: i64,
    /// Being read now.
    pub taken: i64,
    pub done: i64,
    pub failed: i64,
    pub groups: Vec<GroupStatus>,
    /// The last ones that failed.
    pub failures: Vec<FailedJob>,
}

/// What belongs to a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupStatus {
    /// None is everybody who may read.
    pub role: Option<String>,
    pub documents: i64,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedJob {
    pub address: String,
    pub why: Value,
}

impl Database {
    /// Passages that hold rare words of a question, best first, of what this user may see.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn candidates(&self, question: &str, most: i32) -> Result<Vec<Found>, DatabaseProblem> {
        let asked = words::asked(question);
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let sql = "SELECT document_id, ordinal, heading, body, place, score, title, address, dated FROM nexi.candidates($1, $2)";
        let rows = self.rows(sql, &[&asked, &most]).await?;
        let found = |row: &tokio_postgres::Row| Found {
            document: row.get(0),
            ordinal: row.get(1),
            heading: row.get(2),
            body: row.get(3),
            place: row.get::<_, Json<Value>>(4).0,
            score: row.get(5),
            title: row.get(6),
            address: row.get(7),
            date: row.get(8),
        };
        Ok(rows.iter().map(found).collect())
    }

    /// How many documents there are that this user may see, and how far the queue is. `failures` that failed last are named.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn status(&self, failures: i64) -> Result<CorpusStatus, DatabaseProblem> {
        let sql = "SELECT (SELECT count(*) FROM nexi.documents), (SELECT count(*) FROM nexi.passages),
             (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 FROM pg_class c
              WHERE c.relnamespace = 'nexi'::regnamespace AND c.relkind = 'r')";
        let row = self.row(sql, &[]).await?;
        let mut status = CorpusStatus { documents: row.get(0), passages: row.get(1), bytes: row.get(2), ..CorpusStatus::default() };
        let sql = "SELECT g.role::text, count(*) FROM nexi.documents d LEFT JOIN nexi.groups g ON g.id = d.group_id GROUP BY 1 ORDER BY 1 NULLS FIRST";
        let rows = self.rows(sql, &[]).await?;
        status.groups = rows.iter().map(|row| GroupStatus { role: row.get(0), documents: row.get(1) }).collect();
        // Readers see no queue.
        let may = self.row("SELECT has_table_privilege('nexi.jobs', 'SELECT')", &[]).await?;
        if !may.get::<_, bool>(0) {
            return Ok(status);
        }
        for row in self.rows("SELECT state, count(*) FROM nexi.jobs GROUP BY 1", &[]).await? {
            let count = row.get(1);
            match row.get::<_, &str>(0) {
                "waiting" => status.waiting = count,
                "taken" => status.taken = count,
                "done" => status.done = count,
                _ => status.failed = count,
            }
        }
        let sql = "SELECT address, why FROM nexi.jobs WHERE state = 'failed' ORDER BY changed DESC, id LIMIT $1";
        let rows = self.rows(sql, &[&failures]).await?;
        let failed = |row: &tokio_postgres::Row| FailedJob {
            address: row.get(0),
            why: row.get::<_, Option<Json<Value>>>(1).map(|why| why.0).unwrap_or_default(),
        };
        status.failures = rows.iter().map(failed).collect();
        Ok(status)
    }
}

//! Searching a corpus, reading its documents, and how it is.

use nexi_core::{document_filter::DocumentFilter, ports::DatabaseCause};
use serde_json::{Value, json};
use tokio_postgres::types::Json;

use crate::{Database, words};

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

/// A document of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub document: i64,
    pub title: String,
    pub address: String,
    /// That of its text, or that of its file.
    pub day: String,
    /// The beginning of its text.
    pub begins: String,
}

/// A document with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDocument {
    pub address: String,
    pub title: String,
    pub authors: Vec<String>,
    pub date: Option<String>,
    pub modified: Option<String>,
    pub doi: Option<String>,
    pub text: String,
    /// As [`nexi_core::ports::Page`] has them.
    pub lines: Vec<u32>,
    pub paged: bool,
    /// As JSON.
    pub places: Value,
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
    /// The last ones that failed, for good or for now.
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
    pub async fn candidates(&self, question: &str, most: i32, filter: &DocumentFilter) -> Result<Vec<Found>, DatabaseCause> {
        let asked = words::asked(question);
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let sql = "SELECT document_id, ordinal, heading, body, place, score, title, address, dated FROM nexi.candidates($1, $2, $3)";
        let rows = self.rows(sql, &[&asked, &most, &chosen(filter)]).await?;
        Ok(rows.iter().map(found).collect())
    }

    /// In what share of passages each of these stems stands, from 0.001 on: rarer ones are told alike.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn rarity(&self, stems: &[String]) -> Result<Vec<f64>, DatabaseCause> {
        let row = self.row("SELECT nexi.rarity($1)", &[&stems]).await?;
        Ok(row.get::<_, Option<Vec<f64>>>(0).unwrap_or_default())
    }

    /// Documents that this user may see, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn list(&self, most: i64, filter: &DocumentFilter) -> Result<Vec<Listed>, DatabaseCause> {
        let sql = "SELECT id, title, address, coalesce(dated, modified, ''), left(text, 1000) FROM nexi.documents d
             WHERE $2::jsonb IS NULL OR nexi.fits(path, coalesce(dated, modified), $2) ORDER BY coalesce(dated, modified) DESC NULLS LAST, id LIMIT $1";
        let rows = self.rows(sql, &[&most, &chosen(filter)]).await?;
        let listed = |row: &tokio_postgres::Row| Listed {
            document: row.get(0),
            title: row.get(1),
            address: row.get(2),
            day: row.get(3),
            begins: row.get(4),
        };
        Ok(rows.iter().map(listed).collect())
    }

    /// The document of this number; none where there is none that this user may see.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn document(&self, id: i64) -> Result<Option<StoredDocument>, DatabaseCause> {
        let sql = "SELECT address, title, authors, dated, modified, doi, text, lines, paged, places FROM nexi.documents WHERE id = $1";
        let document = |row: tokio_postgres::Row| StoredDocument {
            address: row.get(0),
            title: row.get(1),
            authors: row.get(2),
            date: row.get(3),
            modified: row.get(4),
            doi: row.get(5),
            text: row.get(6),
            lines: row.get::<_, Vec<i32>>(7).into_iter().map(|line| line.try_into().unwrap_or_default()).collect(),
            paged: row.get(8),
            places: row.get::<_, Json<Value>>(9).0,
        };
        Ok(self.row_if_any(sql, &[&id]).await?.map(document))
    }

    /// Where the document of this number comes from, and the SHA-256 of its file; none where there is none that this user may
    /// see.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn original(&self, id: i64) -> Result<Option<(String, Vec<u8>)>, DatabaseCause> {
        let row = self.row_if_any("SELECT address, hash FROM nexi.documents WHERE id = $1", &[&id]).await?;
        Ok(row.map(|row| (row.get(0), row.get(1))))
    }

    /// How many documents there are that this user may see, and how far the queue is. `failures` that failed last are named.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn status(&self, failures: i64) -> Result<CorpusStatus, DatabaseCause> {
        let sql = "SELECT (SELECT count(*) FROM nexi.documents), (SELECT count(*) FROM nexi.passages),
             (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 FROM pg_class c
              WHERE c.relnamespace = 'nexi'::regnamespace AND c.relkind = 'r')";
        let row = self.row(sql, &[]).await?;
        let mut status = CorpusStatus { documents: row.get(0), passages: row.get(1), bytes: row.get(2), ..CorpusStatus::default() };
        let sql = "SELECT coalesce(r.rolname, g.role)::text, count(*) FROM nexi.documents d LEFT JOIN nexi.groups g ON g.id = d.group_id
             LEFT JOIN pg_roles r ON r.oid = g.role_id GROUP BY 1 ORDER BY 1 NULLS FIRST";
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
        let sql = "SELECT address, why FROM nexi.jobs WHERE state = 'failed' OR (state = 'waiting' AND why IS NOT NULL) ORDER BY changed DESC, id LIMIT $1";
        let rows = self.rows(sql, &[&failures]).await?;
        let failed = |row: &tokio_postgres::Row| FailedJob {
            address: row.get(0),
            why: row.get::<_, Option<Json<Value>>>(1).map(|why| why.0).unwrap_or_default(),
        };
        status.failures = rows.iter().map(failed).collect();
        Ok(status)
    }
}

/// A row of what was found.
pub(crate) fn found(row: &tokio_postgres::Row) -> Found {
    Found {
        document: row.get(0),
        ordinal: row.get(1),
        heading: row.get(2),
        body: row.get(3),
        place: row.get::<_, Json<Value>>(4).0,
        score: row.get(5),
        title: row.get(6),
        address: row.get(7),
        date: row.get(8),
    }
}

/// What a filter chooses, as the database understands it; none where it lets everything through.
pub(crate) fn chosen(filter: &DocumentFilter) -> Option<Json<Value>> {
    let mut out = serde_json::Map::new();
    if let Some(kind) = filter.kind {
        let (endings, has_one) = kind.told_by();
        out.insert("endings".into(), json!(endings));
        out.insert("others".into(), (!has_one).into());
    }
    if !filter.path.is_empty() {
        out.insert("path".into(), json!(filter.path));
    }
    for (name, period) in [("after", &filter.after), ("before", &filter.before)] {
        out.extend(period.as_ref().map(|period| (name.to_owned(), json!(period))));
    }
    (!out.is_empty()).then_some(Json(Value::Object(out)))
}

#[cfg(test)]
mod tests {
    use nexi_core::document_filter::DocumentKind;

    use super::*;

    #[test]
    fn a_filter_that_lets_everything_through_is_none() {
        let most = DocumentFilter { max_results: Some(3), list: true, ..DocumentFilter::default() };
        assert!(chosen(&most).is_none());
        let code = DocumentFilter { kind: Some(DocumentKind::Code), after: Some("2024".into()), ..most };
        let Json(told) = chosen(&code).unwrap();
        assert_eq!((&told["others"], &told["after"], &told["path"]), (&json!(true), &json!("2024"), &Value::Null));
        assert!(told["endings"].as_array().unwrap().contains(&json!("pdf")));
    }
}

//! Vectors of passages, where the database has pgvector.

use std::fmt::Write as _;

use nexi_core::{document_filter::DocumentFilter, ports::DatabaseCause};
use tokio_postgres::error::SqlState;

use crate::{
    Database, Found,
    schema::{PARTITIONS, owner},
    search::{chosen, found},
};

const TABLES: &str = include_str!("vectors.sql");
const FUNCTIONS: &str = include_str!("vector_functions.sql");
/// The oldest version of pgvector that has HNSW, the index for what is near.
const OLDEST: (u32, u32) = (0, 5);
/// The first one whose searches go on where a condition leaves too little.
const ITERATIVE: (u32, u32) = (0, 8);
/// The longest vectors that HNSW takes.
const MOST_DIMENSIONS: i32 = 2000;

/// The model that a corpus has vectors of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusEmbedder {
    /// As [`nexi_core::ports::Embedder::id`] has it.
    pub id: String,
    /// The length of its vectors.
    pub dimensions: i32,
}

impl Database {
    /// The model that this corpus has vectors of; none where it has none.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn embedder(&self) -> Result<Option<CorpusEmbedder>, DatabaseCause> {
        let row = self.row("SELECT embedder, dimensions FROM nexi.meta", &[]).await?;
        let id: Option<String> = row.get(0);
        Ok(id.map(|id| CorpusEmbedder { id, dimensions: row.get::<_, Option<i32>>(1).unwrap_or_default() }))
    }

    /// Makes the tables for vectors of this model, in a corpus that has no documents yet.
    ///
    /// # Errors
    /// When pgvector is missing or too old, or there are documents or other vectors already.
    pub async fn add_vectors(&self, embedder: &CorpusEmbedder) -> Result<(), DatabaseCause> {
        if embedder.dimensions > MOST_DIMENSIONS {
            return Err(DatabaseCause::LongVectors { dimensions: embedder.dimensions.to_string() });
        }
        match self.embedder().await? {
            Some(known) if known == *embedder => return Ok(()),
            Some(known) => return Err(DatabaseCause::OtherEmbedder { corpus: known.id, own: embedder.id.clone() }),
            None => {}
        }
        if self.row_if_any("SELECT 1 FROM nexi.documents LIMIT 1", &[]).await?.is_some() {
            return Err(DatabaseCause::HasDocuments);
        }
        if let Err(error) = self.client.batch_execute("CREATE EXTENSION IF NOT EXISTS vector").await {
            return Err(match error.code() {
                Some(&SqlState::UNDEFINED_FILE | &SqlState::FEATURE_NOT_SUPPORTED | &SqlState::INSUFFICIENT_PRIVILEGE) => {
                    DatabaseCause::NoVectors { message: error.as_db_error().map_or_else(String::new, |said| said.message().to_owned()) }
                }
                _ => self.problem(&error),
            });
        }
        let filled = self.filled(embedder).await?;
        let mut all = format!("BEGIN;\n{}", filled(TABLES));
        for part in 0..PARTITIONS {
            let _ = writeln!(
                all,
                "CREATE TABLE nexi.vectors_{part} PARTITION OF nexi.vectors FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {part});"
            );
        }
        all.push_str(&filled(FUNCTIONS));
        all.push_str(&owner("nexi"));
        all.push_str(&filled("CREATE INDEX vectors_near ON nexi.vectors USING hnsw (vector {schema}.vector_cosine_ops);\nCOMMIT;"));
        self.run_script(&all).await
    }

    /// The functions of this program for vectors; none where the corpus has none.
    pub(crate) async fn vector_functions(&self) -> Result<Option<String>, DatabaseCause> {
        let Some(embedder) = self.embedder().await? else { return Ok(None) };
        Ok(Some(self.filled(&embedder).await?(FUNCTIONS)))
    }

    /// Puts into statements where pgvector is, what it can do, and the model.
    async fn filled(&self, embedder: &CorpusEmbedder) -> Result<impl Fn(&str) -> String + use<>, DatabaseCause> {
        let sql = "SELECT quote_ident(n.nspname), e.extversion, quote_literal($1::text)
             FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'";
        let gone = || DatabaseCause::NoVectors { message: "the extension vector is not there".into() };
        let row = self.row_if_any(sql, &[&embedder.id]).await?.ok_or_else(gone)?;
        let (schema, version, id): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        if numbers(&version) < OLDEST {
            return Err(DatabaseCause::OldVectors { found: version });
        }
        let dimensions = embedder.dimensions.to_string();
        let iterative = if numbers(&version) >= ITERATIVE { "true" } else { "false" };
        Ok(move |sql: &str| {
            let sql = sql.replace("{schema}", &schema).replace("{dimensions}", &dimensions).replace("{iterative}", iterative);
            sql.replace("{embedder}", &id)
        })
    }

    /// Passages whose vectors lie nearest to this one, of what this user may see, nearest first; the score of each is how many
    /// standard deviations it lies above the mean of all.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn nearest(&self, vector: &[f32], most: i32, filter: &DocumentFilter) -> Result<Vec<Found>, DatabaseCause> {
        let sql = "SELECT document_id, ordinal, heading, body, place, score, title, address, dated FROM nexi.nearest($1, $2, $3)";
        let rows = self.rows(sql, &[&vector, &most, &chosen(filter)]).await?;
        Ok(rows.iter().map(found).collect())
    }
}

/// The first two numbers of a version.
fn numbers(version: &str) -> (u32, u32) {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or_default());
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("0.4.4") < OLDEST && numbers("0.10.0") >= OLDEST && numbers("1.0") >= OLDEST);
    }
}

//! The full-text index of the user's documents, in `documents.db`. It can be built again at any
//! time, so losing it costs nothing but the time to do so.

mod frequent;
mod roots;
mod scans;
mod scope;
mod vectors;
mod vocabulary;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nexi_core::place::PassagePlace;
use rusqlite::{Connection, Row, TransactionBehavior, params, params_from_iter};
use rusqlite_migration::{M, Migrations};

use crate::{StoreError, sqlite, sqlite::quoted};
pub use roots::{IndexedRoot, KeepRoots};
pub use scans::{FileContent, PagesRead, PendingPage, RecognisedPage, RecognisedWord};
pub use scope::{ListedDocument, Scope};
pub use vectors::{NearPassage, PendingPassage};

const STEPS: &[M<'static>] = &[
    M::up(include_str!("migrations/documents_1.sql")),
    M::up(include_str!("migrations/documents_2.sql")),
    M::up(include_str!("migrations/documents_3.sql")),
    M::up(include_str!("migrations/documents_4.sql")),
    M::up(include_str!("migrations/documents_5.sql")),
    M::up(include_str!("migrations/documents_6.sql")),
    M::up(include_str!("migrations/documents_7.sql")),
    M::up(include_str!("migrations/documents_8.sql")),
    M::up(include_str!("migrations/documents_9.sql")),
    M::up(include_str!("migrations/documents_10.sql")),
    M::up(include_str!("migrations/documents_11.sql")),
    M::up(include_str!("migrations/documents_12.sql")),
    M::up(include_str!("migrations/documents_13.sql")),
];
/// What a word counts in the title, in the headings, in the text, and among what a passage is found by besides.
const COLUMNS: &str = "1.0, 1.0, 1.0, 0.5";
const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// Memory for pages of the file, in KiB: a batch of new documents is not written twice.
const CACHE_KIB: i64 = 16 * 1024;

/// The index.
pub struct DocumentIndex {
    connection: Mutex<Connection>,
    /// The vectors that were searched last. Locked before the connection.
    matrix: Mutex<Option<Arc<vectors::VectorMatrix>>>,
}

/// What tells whether a file has changed since it was indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub modified_ns: i64,
    /// In bytes.
    pub size: i64,
    pub hash: i64,
    /// What a bibliography says of it, as a number; 0 is nothing.
    pub reference: i64,
    /// Which recognised pages are among its passages, as a number; 0 is none.
    pub recognised: i64,
}

impl Stamp {
    /// What was read.
    pub fn content(&self) -> FileContent {
        FileContent { hash: self.hash, size: self.size }
    }
}

/// A file to be indexed.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// Absolute, with symbolic links resolved.
    pub path: String,
    pub stamp: Stamp,
    pub title: String,
    /// The day of its text, `YYYY-MM-DD`, where it tells one.
    pub date: Option<String>,
    pub passages: Vec<NewPassage>,
    /// Pages that show something and hold no letters, from 1.
    pub scanned: Vec<u32>,
    /// Why it could not be read as a whole, as JSON.
    pub partly: Option<String>,
    /// Why it could not be read, as JSON; it is remembered so that it is not tried again until it changes.
    pub skipped: Option<String>,
}

/// A file that could not be read, or not as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedDocument {
    pub path: String,
    /// As [`NewDocument::skipped`] or [`NewDocument::partly`] gave it.
    pub reason: String,
}

/// A passage of a file to be indexed.
#[derive(Debug, Clone)]
pub struct NewPassage {
    pub heading: String,
    pub body: String,
    /// What it is found by besides: words of the file's name, and letters that are words of their own, with blanks between
    /// them.
    pub extra: String,
    pub place: PassagePlace,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedPassage {
    pub id: i64,
    pub path: String,
    /// Of the document.
    pub title: String,
    pub heading: String,
    pub body: String,
    pub place: PassagePlace,
    /// How well the index itself thinks that it fits (BM25): larger is better.
    pub score: f64,
}

impl IndexedPassage {
    fn read(row: &Row<'_>, score: f64) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            path: row.get(1)?,
            title: row.get(2)?,
            heading: row.get(3)?,
            body: row.get(4)?,
            place: PassagePlace {
                from: row.get(5)?,
                to: row.get(6)?,
                place: row.get_ref(7)?.as_str_or_null()?.and_then(|place| serde_json::from_str(place).ok()),
            },
            score,
        })
    }
}

impl DocumentIndex {
    /// Opens or creates the index. A damaged one is replaced by an empty one.
    ///
    /// # Errors
    /// When the folder cannot be written, or the index was made by a newer program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        sqlite::forget_marked(path, &damage_mark(path))?;
        let connection = sqlite::open_rebuildable(path, &MIGRATIONS)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        Ok(Self { connection: Mutex::new(connection), matrix: Mutex::default() })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a failure means. Damage that shows only when a page is read leaves a mark, by which the next one who opens the
    /// index makes a new one.
    pub fn understood(&self, error: StoreError) -> StoreError {
        if !matches!(error, StoreError::Corrupt(_) | StoreError::Damaged { .. }) {
            return error;
        }
        let path = self.connection().path().map(|path| damage_mark(Path::new(path)));
        tracing::warn!(%error, "the index of documents is damaged");
        match path.map(|mark| std::fs::write(mark, "")) {
            Some(Ok(())) => StoreError::DamagedIndex,
            _ => error,
        }
    }

    /// The stamps of all indexed files below a folder, by path.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn stamps(&self, root: &str) -> Result<HashMap<String, Stamp>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT path, modified_ns, size, hash, reference, recognised FROM documents WHERE path >= ?1 AND path < ?2 OR path = ?3",
        )?;
        let rows = statement.query_map(range(root), |row| {
            let stamp =
                Stamp { modified_ns: row.get(1)?, size: row.get(2)?, hash: row.get(3)?, reference: row.get(4)?, recognised: row.get(5)? };
            Ok((row.get(0)?, stamp))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether a file is in the index.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn contains(&self, path: &str) -> Result<bool, StoreError> {
        Ok(self
            .connection()
            .query_row("SELECT EXISTS (SELECT 1 FROM documents WHERE path = ?1 AND skipped IS NULL)", [path], |row| row.get(0))?)
    }

    /// Puts files into the index, in one transaction; what was known of them is replaced.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn put(&self, documents: &[NewDocument]) -> Result<(), StoreError> {
        if documents.is_empty() {
            return Ok(());
        }
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        forget(&transaction, documents.iter().map(|document| document.path.as_str()))?;
        let mut insert_document = transaction.prepare_cached(
            "INSERT INTO documents (path, modified_ns, size, hash, title, skipped, date, reference, recognised, incomplete) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?;
        let mut insert_page = transaction.prepare_cached("INSERT INTO scanned_pages (document_id, page) VALUES (?1, ?2)")?;
        let mut insert_passage = transaction.prepare_cached(
            "INSERT INTO passages (document_id, title, heading, body, extra, start_line, end_line, place) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        let mut insert_words =
            transaction.prepare_cached("INSERT INTO passages_fts (rowid, title, heading, body, extra) VALUES (?1, ?2, ?3, ?4, ?5)")?;
        for document in documents {
            insert_document.execute(params![
                document.path,
                document.stamp.modified_ns,
                document.stamp.size,
                document.stamp.hash,
                document.title,
                document.skipped,
                document.date,
                document.stamp.reference,
                document.stamp.recognised,
                document.partly
            ])?;
            let id = transaction.last_insert_rowid();
            for page in &document.scanned {
                insert_page.execute(params![id, page])?;
            }
            for passage in &document.passages {
                insert_passage.execute(params![
                    id,
                    document.title,
                    passage.heading,
                    passage.body,
                    passage.extra,
                    passage.place.from,
                    passage.place.to,
                    passage.place.place.as_ref().and_then(|place| serde_json::to_string(place).ok())
                ])?;
                insert_words.execute(params![
                    transaction.last_insert_rowid(),
                    document.title,
                    passage.heading,
                    passage.body,
                    passage.extra
                ])?;
            }
        }
        drop((insert_document, insert_page, insert_passage, insert_words));
        transaction.commit()?;
        Ok(())
    }

    /// Notes that files were touched without being changed.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn touch(&self, files: &[(String, i64)]) -> Result<(), StoreError> {
        if files.is_empty() {
            return Ok(());
        }
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut update = transaction.prepare_cached("UPDATE documents SET modified_ns = ?2 WHERE path = ?1")?;
        for file in files {
            update.execute(params![file.0, file.1])?;
        }
        drop(update);
        transaction.commit()?;
        Ok(())
    }

    /// Forgets files.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn remove(&self, paths: &[String]) -> Result<(), StoreError> {
        forget(&self.connection(), paths.iter().map(String::as_str))
    }

    /// The passages whose titles or headings hold one of the phrases, best first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn titled(&self, scope: &Scope<'_>, phrases: &[String], limit: usize) -> Result<Vec<IndexedPassage>, StoreError> {
        self.matching(scope, phrases, &format!("{{title heading}} : ({})", expression(phrases)), limit)
    }

    /// The passages whose documents have all these words in what they are found by besides their text: the names of their
    /// authors, of the file and of its folders. Best first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn by_name(&self, scope: &Scope<'_>, words: &[String], limit: usize) -> Result<Vec<IndexedPassage>, StoreError> {
        let all = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" AND ");
        self.matching(scope, words, &format!("{{extra}} : ({all})"), limit)
    }

    /// The passages that hold these letters, in the order of the index. Looks at every one of them.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn containing(&self, scope: &Scope<'_>, letters: &str, limit: usize) -> Result<Vec<IndexedPassage>, StoreError> {
        if scope.roots.is_empty() {
            return Ok(Vec::new());
        }
        let (within, mut values) = scope.condition();
        values.push(letters.to_owned());
        values.push(limit.to_string());
        let sql = format!(
            "SELECT p.id, d.path, p.title, p.heading, p.body, p.start_line, p.end_line, p.place
             FROM passages p JOIN documents d ON d.id = p.document_id
             WHERE ({within}) AND instr(p.body, ?) > 0 ORDER BY p.id LIMIT ?"
        );
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| IndexedPassage::read(row, 0.0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Passages that match an expression of these words, best first.
    fn matching(&self, scope: &Scope<'_>, words: &[String], expression: &str, limit: usize) -> Result<Vec<IndexedPassage>, StoreError> {
        if scope.roots.is_empty() || words.is_empty() {
            return Ok(Vec::new());
        }
        let (within, more) = scope.condition();
        let sql = format!(
            "SELECT p.id, d.path, p.title, p.heading, p.body, p.start_line, p.end_line, p.place, -bm25(passages_fts, {COLUMNS})
             FROM passages_fts f JOIN passages p ON p.id = f.rowid JOIN documents d ON d.id = p.document_id
             WHERE passages_fts MATCH ? AND ({within})
             ORDER BY bm25(passages_fts, {COLUMNS}), p.id LIMIT ?"
        );
        let mut values: Vec<String> = vec![expression.to_owned()];
        values.extend(more);
        values.push(limit.to_string());
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| IndexedPassage::read(row, row.get(8)?))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Paths of documents whose names or titles hold all these words, those whose names do first, then the newest.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn named(&self, roots: &[String], words: &[String], limit: usize) -> Result<Vec<String>, StoreError> {
        if roots.is_empty() {
            return Ok(Vec::new());
        }
        let (within, mut values) = Scope::all(roots).condition();
        let mut has = vec!["1".to_owned()];
        for spellings in words.iter().map(|word| scope::spellings(word)) {
            has.push(format!("({})", vec!["instr(lower(d.path), ?) > 0 OR instr(lower(d.title), ?) > 0"; spellings.len()].join(" OR ")));
            values.extend(spellings.into_iter().flat_map(|spelling| [spelling.clone(), spelling]));
        }
        let has = has.join(" AND ");
        let sql = format!(
            "SELECT d.path FROM documents d WHERE ({within}) AND d.skipped IS NULL AND {has} ORDER BY d.modified_ns DESC, d.path LIMIT {limit}"
        );
        let mut paths: Vec<String> = {
            let connection = self.connection();
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_map(params_from_iter(values), |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        let in_name = |path: &String| {
            let name = Path::new(path).file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
            words.iter().all(|word| name.contains(&word.to_lowercase()))
        };
        // Stable, so that the newest stay first.
        paths.sort_by_key(|path| !in_name(path));
        Ok(paths)
    }

    /// Files below a folder that could not be read, by path.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn skipped(&self, root: &str) -> Result<Vec<SkippedDocument>, StoreError> {
        self.with_reason(root, "skipped")
    }

    /// Documents below a folder that were read in part, by path.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn partly(&self, root: &str) -> Result<Vec<SkippedDocument>, StoreError> {
        self.with_reason(root, "incomplete")
    }

    fn with_reason(&self, root: &str, column: &str) -> Result<Vec<SkippedDocument>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT path, {column} FROM documents WHERE (path >= ?1 AND path < ?2 OR path = ?3) AND {column} IS NOT NULL ORDER BY path"
        ))?;
        let rows = statement.query_map(range(root), |row| Ok(SkippedDocument { path: row.get(0)?, reason: row.get(1)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All passages of a document, in their order.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn passages_of(&self, path: &str) -> Result<Vec<IndexedPassage>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT p.id, d.path, p.title, p.heading, p.body, p.start_line, p.end_line, p.place
             FROM passages p JOIN documents d ON d.id = p.document_id WHERE d.path = ?1 ORDER BY p.id",
        )?;
        let rows = statement.query_map([path], |row| IndexedPassage::read(row, 0.0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Characters of all passages below a folder.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn characters(&self, root: &str) -> Result<usize, StoreError> {
        let count: i64 = self.connection().query_row(
            "SELECT coalesce(sum(length(p.title) + length(p.heading) + length(p.body)), 0) FROM passages p JOIN documents d ON d.id = p.document_id
             WHERE d.path >= ?1 AND d.path < ?2 OR d.path = ?3",
            range(root),
            |row| row.get(0),
        )?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Files and passages below a folder.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn size(&self, root: &str) -> Result<(usize, usize), StoreError> {
        let (files, passages): (i64, i64) = self.connection().query_row(
            "SELECT count(DISTINCT d.id), count(p.id) FROM documents d LEFT JOIN passages p ON p.document_id = d.id WHERE (d.path >= ?1 AND d.path < ?2 OR d.path = ?3) AND d.skipped IS NULL",
            range(root),
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        Ok((usize::try_from(files).unwrap_or_default(), usize::try_from(passages).unwrap_or_default()))
    }
}

/// Deletes documents with their passages, in one statement: at each one, SQLite writes what it has of the full-text index.
fn forget<'a>(connection: &Connection, paths: impl Iterator<Item = &'a str>) -> Result<(), StoreError> {
    let paths = serde_json::Value::from_iter(paths).to_string();
    connection.prepare_cached("DELETE FROM documents WHERE path IN (SELECT value FROM json_each(?1))")?.execute([paths])?;
    Ok(())
}

/// The file that says that an index is damaged.
fn damage_mark(index: &Path) -> std::path::PathBuf {
    index.with_extension("damaged")
}

/// All words as a full-text expression.
fn expression(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" OR ")
}

/// The paths below a folder as a range of text, and the root itself, which may be a file.
fn range(root: &str) -> [String; 3] {
    let root = root.trim_end_matches(['/', '\\']);
    let separator = std::path::MAIN_SEPARATOR;
    let after = char::from_u32(separator as u32 + 1).unwrap_or(separator);
    [format!("{root}{separator}"), format!("{root}{after}"), root.to_owned()]
}

#[cfg(all(test, unix))]
pub(super) mod tests;

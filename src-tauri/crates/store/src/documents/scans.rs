//! Scanned pages of the documents, and what was recognised on them.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::{OptionalExtension, TransactionBehavior, params, params_from_iter};
use serde::{Deserialize, Serialize};

use super::{DocumentIndex, Scope, range};
use crate::StoreError;

/// The content of a file: what was recognised in it stays known when the file is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileContent {
    pub hash: i64,
    /// In bytes.
    pub size: i64,
}

/// A scanned page that nobody has read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingPage {
    pub path: String,
    pub content: FileContent,
    /// From 1.
    pub page: u32,
}

/// How many pages of a document were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PagesRead {
    /// In any languages.
    pub all: i64,
    /// In those that were asked for.
    pub in_languages: i64,
}

/// A page that was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecognisedPage {
    /// Empty where there is nothing to read.
    pub text: String,
    pub words: Vec<RecognisedWord>,
}

/// A word of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecognisedWord {
    pub text: String,
    /// Left, top, right and bottom, as shares of the page's width and height.
    pub sides: [f32; 4],
}

impl DocumentIndex {
    /// What was recognised in a file of this content, by page, and on how many pages. Where a page was read in other
    /// languages only, that is better than nothing.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn recognised(&self, content: FileContent, languages: &str) -> Result<(BTreeMap<u32, String>, PagesRead), StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT page, text, languages = ?3 FROM recognised_pages WHERE hash = ?1 AND size = ?2 AND NOT failed ORDER BY languages = ?3",
        )?;
        let rows = statement.query_map(params![content.hash, content.size, languages], |row| {
            Ok((row.get::<_, u32>(0)?, row.get::<_, String>(1)?, row.get::<_, bool>(2)?))
        })?;
        let (mut pages, mut count) = (BTreeMap::new(), PagesRead::default());
        for row in rows {
            let (page, text, is_own) = row?;
            count.all += 1;
            count.in_languages += i64::from(is_own);
            pages.insert(page, text);
        }
        Ok((pages, count))
    }

    /// The content of a document when it was indexed, where this page of it is scanned.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn scanned_content(&self, path: &str, page: u32) -> Result<Option<FileContent>, StoreError> {
        Ok(self
            .connection()
            .query_row(
                "SELECT d.hash, d.size FROM documents d JOIN scanned_pages s ON s.document_id = d.id WHERE d.path = ?1 AND s.page = ?2",
                params![path, page],
                |row| Ok(FileContent { hash: row.get(0)?, size: row.get(1)? }),
            )
            .optional()?)
    }

    /// The words of a page and where they stand; none where it was not read.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn recognised_words(&self, content: FileContent, page: u32, languages: &str) -> Result<Vec<RecognisedWord>, StoreError> {
        let words: Option<String> = self
            .connection()
            .query_row(
                "SELECT words FROM recognised_pages WHERE hash = ?1 AND size = ?2 AND page = ?3 ORDER BY languages = ?4 DESC LIMIT 1",
                params![content.hash, content.size, page, languages],
                |row| row.get(0),
            )
            .optional()?;
        Ok(words.and_then(|words| serde_json::from_str(&words).ok()).unwrap_or_default())
    }

    /// Keeps what was recognised on a page, in place of what was in other languages; none where it could not be read.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn put_recognised(
        &self,
        content: FileContent,
        page: u32,
        languages: &str,
        read: Option<&RecognisedPage>,
    ) -> Result<(), StoreError> {
        let words = read.map(|read| serde_json::to_string(&read.words).unwrap_or_default()).unwrap_or_default();
        let text = read.map(|read| read.text.as_str()).unwrap_or_default();
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if read.is_some() {
            transaction.execute(
                "DELETE FROM recognised_pages WHERE hash = ?1 AND size = ?2 AND page = ?3",
                params![content.hash, content.size, page],
            )?;
        }
        transaction.execute(
            "INSERT OR REPLACE INTO recognised_pages (hash, size, page, languages, text, words, failed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![content.hash, content.size, page, languages, text, words, read.is_none()],
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// Forgets which pages could not be read, so that they are tried again.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn forget_unread(&self) -> Result<(), StoreError> {
        self.connection().execute("DELETE FROM recognised_pages WHERE failed", [])?;
        Ok(())
    }

    /// Scanned pages below `roots` that were not read in these languages yet, those of the newest files first, at most `limit`.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn pending_pages(&self, roots: &[String], languages: &str, limit: usize) -> Result<Vec<PendingPage>, StoreError> {
        if roots.is_empty() {
            return Ok(Vec::new());
        }
        let (within, mut values) = Scope::all(roots).condition();
        let sql = format!(
            "SELECT d.path, d.hash, d.size, s.page FROM scanned_pages s JOIN documents d ON d.id = s.document_id
             WHERE ({within}) AND NOT EXISTS (
                 SELECT 1 FROM recognised_pages r WHERE r.hash = d.hash AND r.size = d.size AND r.page = s.page AND r.languages = ?)
             ORDER BY d.modified_ns DESC, d.id, s.page LIMIT ?"
        );
        values.extend([languages.to_owned(), limit.to_string()]);
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            Ok(PendingPage { path: row.get(0)?, content: FileContent { hash: row.get(1)?, size: row.get(2)? }, page: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Documents below a folder with scanned pages that were not tried in these languages yet.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn paths_with_pending_pages(&self, root: &str, languages: &str) -> Result<HashSet<String>, StoreError> {
        let [from, to, own] = range(root);
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT DISTINCT d.path FROM scanned_pages s JOIN documents d ON d.id = s.document_id
             WHERE (d.path >= ?1 AND d.path < ?2 OR d.path = ?3) AND NOT EXISTS (
                 SELECT 1 FROM recognised_pages r WHERE r.hash = d.hash AND r.size = d.size AND r.page = s.page AND r.languages = ?4)",
        )?;
        let rows = statement.query_map([&from, &to, &own, languages], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Scanned pages below a folder, and how many of them were read in these languages.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn scanned_pages(&self, root: &str, languages: &str) -> Result<(usize, usize), StoreError> {
        let [from, to, own] = range(root);
        let (all, read): (i64, i64) = self.connection().query_row(
            "SELECT count(*), count(r.page) FROM scanned_pages s JOIN documents d ON d.id = s.document_id
             LEFT JOIN recognised_pages r ON r.hash = d.hash AND r.size = d.size AND r.page = s.page AND r.languages = ?4
             WHERE d.path >= ?1 AND d.path < ?2 OR d.path = ?3",
            [&from, &to, &own, languages],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        Ok((usize::try_from(all).unwrap_or_default(), usize::try_from(read).unwrap_or_default()))
    }

    /// How many pages of each document below a folder were read, by path; documents without any are left out.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn recognised_counts(&self, root: &str, languages: &str) -> Result<HashMap<String, PagesRead>, StoreError> {
        let [from, to, own] = range(root);
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT d.path, count(*), sum(r.languages = ?4) FROM scanned_pages s JOIN documents d ON d.id = s.document_id
             JOIN recognised_pages r ON r.hash = d.hash AND r.size = d.size AND r.page = s.page AND NOT r.failed
             WHERE d.path >= ?1 AND d.path < ?2 OR d.path = ?3 GROUP BY d.id",
        )?;
        let rows = statement
            .query_map([&from, &to, &own, languages], |row| Ok((row.get(0)?, PagesRead { all: row.get(1)?, in_languages: row.get(2)? })))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Forgets what was recognised in files that are gone.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn forget_lost_scans(&self) -> Result<(), StoreError> {
        self.connection().execute(
            "DELETE FROM recognised_pages
             WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.hash = recognised_pages.hash AND d.size = recognised_pages.size)",
            [],
        )?;
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::{NewDocument, Stamp};
    use super::*;

    #[test]
    fn pages_are_read_once_for_a_content() {
        let folder = tempfile::tempdir().unwrap();
        let index = DocumentIndex::open(&folder.path().join("d.db")).unwrap();
        let document = |path: &str, modified_ns: i64, hash: i64, scanned: Vec<u32>| NewDocument {
            path: path.into(),
            stamp: Stamp { modified_ns, size: 2, hash, reference: 0, recognised: 0 },
            title: "T".into(),
            date: None,
            passages: Vec::new(),
            scanned,
            partly: None,
            skipped: None,
        };
        index
            .put(&[document("/a/old.pdf", 1, 3, vec![1, 2]), document("/a/new.pdf", 2, 4, vec![7]), document("/b/c.pdf", 3, 5, vec![1])])
            .unwrap();
        let roots = ["/a".to_owned()];
        let pending = |languages: &str| {
            let pages = index.pending_pages(&roots, languages, 10).unwrap();
            pages.into_iter().map(|page| (page.path, page.page)).collect::<Vec<_>>()
        };
        let row = |path: &str, page: u32| (path.to_owned(), page);
        assert_eq!(pending("eng"), [row("/a/new.pdf", 7), row("/a/old.pdf", 1), row("/a/old.pdf", 2)]);
        let content = FileContent { hash: 3, size: 2 };
        let word = RecognisedWord { text: "Harbour".into(), sides: [0.1, 0.2, 0.3, 0.4] };
        let read = RecognisedPage { text: "Harbour".into(), words: vec![word.clone()] };
        index.put_recognised(content, 2, "eng", Some(&read)).unwrap();
        assert_eq!((pending("eng").len(), pending("deu").len()), (2, 3));
        assert_eq!(index.scanned_pages("/a", "eng").unwrap(), (3, 1));
        assert_eq!(
            index.recognised_counts("/a", "eng").unwrap(),
            HashMap::from([("/a/old.pdf".to_owned(), PagesRead { all: 1, in_languages: 1 })])
        );
        assert_eq!(index.recognised_words(content, 2, "eng").unwrap(), [word]);
        assert_eq!(index.recognised_words(content, 1, "eng").unwrap(), []);
        // The same content elsewhere is known already.
        index.remove(&["/a/old.pdf".into()]).unwrap();
        index.put(&[document("/a/moved.pdf", 1, 3, vec![1, 2])]).unwrap();
        assert_eq!(pending("eng"), [row("/a/new.pdf", 7), row("/a/moved.pdf", 1)]);
        assert_eq!(index.scanned_content("/a/moved.pdf", 2).unwrap(), Some(content));
        assert_eq!(index.scanned_content("/a/moved.pdf", 3).unwrap(), None);
        let known = |languages: &str| index.recognised(content, languages).unwrap();
        assert_eq!(known("eng"), (BTreeMap::from([(2, "Harbour".to_owned())]), PagesRead { all: 1, in_languages: 1 }));
        // Until it is read in other languages, what is known is better than nothing.
        assert_eq!(known("deu").1, PagesRead { all: 1, in_languages: 0 });
        index.put_recognised(content, 2, "deu", Some(&RecognisedPage { text: "Hafen".into(), ..RecognisedPage::default() })).unwrap();
        assert_eq!((known("eng").0[&2].as_str(), known("eng").1.in_languages, known("deu").1.in_languages), ("Hafen", 0, 1));
        // What could not be read is not asked for again, and says nothing, until that is forgotten.
        index.put_recognised(content, 1, "deu", None).unwrap();
        assert_eq!((pending("deu"), known("deu").1.all), (vec![row("/a/new.pdf", 7)], 1));
        index.forget_unread().unwrap();
        assert_eq!(pending("deu").len(), 2);
        index.forget_lost_scans().unwrap();
        assert_eq!(known("deu").0.len(), 1);
        index.remove(&["/a/moved.pdf".into()]).unwrap();
        index.forget_lost_scans().unwrap();
        assert_eq!(known("deu").0.len(), 0);
    }
}

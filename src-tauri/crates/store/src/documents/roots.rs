//! Which folders the index holds documents of, and forgetting those that nobody names any more.

use rusqlite::{Transaction, TransactionBehavior, params};

use super::{DocumentIndex, range};
use crate::StoreError;

/// That a folder is searched is noted this often, in milliseconds.
const NOTED_EVERY: i64 = 24 * 3600 * 1000;
/// Pages of the full-text index that are put together at once.
const MERGED_AT_ONCE: i64 = 200;

/// A folder or file whose documents are in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedRoot {
    /// Absolute, with symbolic links resolved.
    pub path: String,
    /// As settings, a space or a watched question name it.
    pub name: String,
}

/// What [`DocumentIndex::keep_only`] keeps.
#[derive(Debug, Clone, Default)]
pub struct KeepRoots {
    /// The settings file that names them.
    pub named_by: String,
    /// Those that are named and can be reached.
    pub named: Vec<IndexedRoot>,
    /// Names of which the folder cannot be reached just now: a drive that is not there.
    pub unreachable: Vec<String>,
    /// Folders that were only given with a question are kept where that was after this; Unix time in milliseconds.
    pub used_after_ms: i64,
    /// Whether documents below no folder that was ever noted are kept.
    pub keep_unknown: bool,
}

impl DocumentIndex {
    /// Notes that folders are searched.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn note_used(&self, roots: &[String], now_ms: i64) -> Result<(), StoreError> {
        let connection = self.connection();
        for root in roots {
            let mut noted = connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM roots WHERE path = ?1 AND used_ms > ?2)")?;
            if !noted.query_row(params![root, now_ms - NOTED_EVERY], |row| row.get::<_, bool>(0))? {
                connection
                    .prepare_cached(
                        "INSERT INTO roots (path, named_by, name, used_ms) VALUES (?1, '', '', ?2)
                         ON CONFLICT (path, named_by) DO UPDATE SET used_ms = excluded.used_ms",
                    )?
                    .execute(params![root, now_ms])?;
            }
        }
        Ok(())
    }

    /// Forgets the documents of folders that are named no longer, with what was recognised in them. Returns how many went.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn keep_only(&self, keep: &KeepRoots, now_ms: i64) -> Result<usize, StoreError> {
        let gone = {
            let mut connection = self.connection();
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let gone = forget_roots(&transaction, keep, now_ms)?;
            transaction.commit()?;
            gone
        };
        // What is forgotten is: that words of it lie about a while longer is no failure.
        if gone > 0
            && let Err(error) = self.merge_words()
        {
            tracing::info!(%error, "words of forgotten documents leave the index later");
        }
        Ok(gone)
    }

    /// Puts the parts of the full-text index together: until then it holds the words of what was deleted. A little at a time,
    /// so that searches get through in between.
    fn merge_words(&self) -> Result<(), StoreError> {
        // The first one, by its sign, begins to merge all of it.
        let mut pages = -MERGED_AT_ONCE;
        loop {
            let connection = self.connection();
            let before: i64 = connection.query_row("SELECT total_changes()", [], |row| row.get(0))?;
            connection.execute("INSERT INTO passages_fts (passages_fts, rank) VALUES ('merge', ?1)", [pages])?;
            let after: i64 = connection.query_row("SELECT total_changes()", [], |row| row.get(0))?;
            // The statement itself is one change.
            if after - before < 2 {
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
                return Ok(());
            }
            pages = MERGED_AT_ONCE;
        }
    }
}

fn forget_roots(transaction: &Transaction<'_>, keep: &KeepRoots, now_ms: i64) -> Result<usize, StoreError> {
    let known: Vec<IndexedRoot> = transaction
        .prepare_cached("SELECT path, name FROM roots WHERE named_by = ?1")?
        .query_map([&keep.named_by], |row| Ok(IndexedRoot { path: row.get(0)?, name: row.get(1)? }))?
        .collect::<Result<_, _>>()?;
    for root in keep.named.iter().filter(|root| !known.contains(root)) {
        transaction.execute(
            "INSERT INTO roots (path, named_by, name, used_ms) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (path, named_by) DO UPDATE SET name = excluded.name",
            params![root.path, keep.named_by, root.name, now_ms],
        )?;
    }
    // A folder that was named goes at once: whoever takes it out of the settings means that.
    let removed: Vec<String> = transaction
        .prepare_cached(
            "DELETE FROM roots WHERE CASE named_by WHEN '' THEN used_ms <= ?4 WHEN ?1 THEN
                 path NOT IN (SELECT value FROM json_each(?2)) AND name NOT IN (SELECT value FROM json_each(?3)) ELSE 0 END
             RETURNING path",
        )?
        .query_map(
            params![
                keep.named_by,
                serde_json::to_string(&keep.named.iter().map(|root| &root.path).collect::<Vec<_>>())?,
                serde_json::to_string(&keep.unreachable)?,
                keep.used_after_ms
            ],
            |row| row.get(0),
        )?
        .collect::<Result<_, _>>()?;
    // Being named is more than being used: what was named and is no longer goes, even if a question searched it yesterday.
    for path in &removed {
        transaction.execute("DELETE FROM roots WHERE path = ?1 AND named_by = ''", [path])?;
    }
    // What a drive holds that was never seen cannot be told from what nobody names.
    let is_unseen = |name: &String| !known.iter().any(|root| root.name == *name);
    let keep_unknown = keep.keep_unknown || keep.unreachable.iter().any(is_unseen);
    if removed.is_empty() && keep_unknown {
        return Ok(0);
    }
    let kept: Vec<String> =
        transaction.prepare_cached("SELECT path FROM roots")?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let (kept, removed) = (Ranges::of(&kept), Ranges::of(&removed));
    let mut gone: Vec<i64> = Vec::new();
    {
        let mut all = transaction.prepare_cached("SELECT id, path FROM documents")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            let path: String = row.get(1)?;
            if !kept.hold(&path) && (!keep_unknown || removed.hold(&path)) {
                gone.push(row.get(0)?);
            }
        }
    }
    if gone.is_empty() {
        return Ok(0);
    }
    let ids = serde_json::to_string(&gone)?;
    transaction.execute(
        "DELETE FROM recognised_pages
         WHERE EXISTS (SELECT 1 FROM documents d WHERE d.hash = recognised_pages.hash AND d.size = recognised_pages.size
                       AND d.id IN (SELECT value FROM json_each(?1)))
         AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.hash = recognised_pages.hash AND d.size = recognised_pages.size
                         AND d.id NOT IN (SELECT value FROM json_each(?1)))",
        [&ids],
    )?;
    transaction.execute("DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?1))", [&ids])?;
    Ok(gone.len())
}

/// Folders, as stretches of paths in their order.
struct Ranges(Vec<[String; 3]>);

impl Ranges {
    fn of(roots: &[String]) -> Self {
        Self(roots.iter().map(|root| range(root)).collect())
    }

    /// Whether a path is one of them or below one.
    fn hold(&self, path: &str) -> bool {
        self.0.iter().any(|[from, to, itself]| (path >= from.as_str() && path < to.as_str()) || path == itself)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use nexi_core::place::PassagePlace;

    use super::super::{NewDocument, NewPassage, Stamp};
    use super::*;

    const DAY: i64 = NOTED_EVERY;

    fn index(paths: &[&str]) -> (tempfile::TempDir, DocumentIndex) {
        let folder = tempfile::tempdir().unwrap();
        let index = DocumentIndex::open(&folder.path().join("documents.db")).unwrap();
        let document = |path: &&str| NewDocument {
            path: (*path).to_owned(),
            stamp: Stamp { modified_ns: 1, size: 2, hash: 3, reference: 0, recognised: 0 },
            title: "T".into(),
            date: None,
            passages: vec![NewPassage {
                heading: String::new(),
                body: format!("zanzibarine text of {path}"),
                extra: String::new(),
                place: PassagePlace { from: 1, to: 1, place: None },
            }],
            scanned: Vec::new(),
            partly: None,
            skipped: None,
        };
        index.put(&paths.iter().map(document).collect::<Vec<_>>()).unwrap();
        (folder, index)
    }

    /// What the settings file `config.toml` names.
    fn named(roots: &[(&str, &str)]) -> KeepRoots {
        let named = roots.iter().map(|(path, name)| IndexedRoot { path: (*path).into(), name: (*name).into() }).collect();
        KeepRoots { named_by: "config.toml".into(), named, ..KeepRoots::default() }
    }

    fn has(index: &DocumentIndex, path: &str) -> bool {
        index.contains(path).unwrap()
    }

    #[test]
    fn what_nobody_names_any_more_is_gone_from_the_file_too() {
        let (folder, index) = index(&["/a/one.md", "/ab/two.md", "/b/three.md", "/lone.md"]);
        let all = named(&[("/a", "~/a"), ("/b", "~/b"), ("/lone.md", "/lone.md")]);
        assert_eq!(index.keep_only(&KeepRoots { keep_unknown: true, ..all.clone() }, 0).unwrap(), 0);
        assert_eq!(index.keep_only(&all, 0).unwrap(), 1, "left by an earlier version, and below nothing that is named");
        assert!(has(&index, "/a/one.md") && has(&index, "/b/three.md") && has(&index, "/lone.md") && !has(&index, "/ab/two.md"));
        // The name leads somewhere else now.
        assert_eq!(index.keep_only(&named(&[("/c", "~/a"), ("/b", "~/b"), ("/lone.md", "/lone.md")]), 0).unwrap(), 1);
        // A question searched it yesterday; that it was taken out of the settings says more.
        index.note_used(&["/b".into()], 2 * DAY).unwrap();
        assert_eq!(index.keep_only(&KeepRoots { keep_unknown: true, ..named(&[]) }, 0).unwrap(), 2);
        drop(index);
        let left = std::fs::read(folder.path().join("documents.db")).unwrap();
        let words = [b"zanzibarin".as_slice(), b"zanzibarine text"];
        assert!(words.iter().all(|word| !left.windows(word.len()).any(|window| window == *word)), "words are left in the file");
    }

    #[test]
    fn another_settings_file_forgets_nothing_of_this_one() {
        let (_folder, index) = index(&["/a/one.md", "/b/two.md"]);
        index.keep_only(&named(&[("/a", "~/a"), ("/b", "~/b")]), 0).unwrap();
        let other = |roots| KeepRoots { named_by: "other.toml".into(), keep_unknown: true, ..named(roots) };
        assert_eq!(index.keep_only(&other(&[("/b", "/b")]), 0).unwrap(), 0);
        assert_eq!(index.keep_only(&other(&[]), 0).unwrap(), 0, "this one names it, too");
        assert_eq!(index.keep_only(&named(&[("/a", "~/a")]), 0).unwrap(), 1);
        assert!(has(&index, "/a/one.md") && !has(&index, "/b/two.md"));
    }

    #[test]
    fn a_folder_given_with_a_question_stays_for_a_while() {
        let (_folder, index) = index(&["/given/one.md"]);
        index.note_used(&["/given".into()], 10 * DAY).unwrap();
        let after = |used_after_ms| KeepRoots { used_after_ms, ..named(&[]) };
        assert_eq!(index.keep_only(&after(9 * DAY), 0).unwrap(), 0);
        // It was searched again.
        index.note_used(&["/given".into()], 12 * DAY).unwrap();
        assert_eq!(index.keep_only(&after(11 * DAY), 0).unwrap(), 0);
        assert_eq!(index.keep_only(&after(12 * DAY), 0).unwrap(), 1);
        assert!(!has(&index, "/given/one.md"));
    }

    #[test]
    fn a_drive_that_is_not_there_loses_nothing() {
        let (_folder, index) = index(&["/media/stick/one.md", "/other/two.md"]);
        let away = KeepRoots { unreachable: vec!["~/stick".into()], ..named(&[]) };
        assert_eq!(index.keep_only(&away, 0).unwrap(), 0, "where it lies was never noted");
        assert_eq!(index.keep_only(&named(&[("/media/stick", "~/stick"), ("/other", "/other")]), 0).unwrap(), 0);
        assert_eq!(index.keep_only(&away, 0).unwrap(), 1, "the other one is named no longer");
        assert!(has(&index, "/media/stick/one.md") && !has(&index, "/other/two.md"));
    }
}

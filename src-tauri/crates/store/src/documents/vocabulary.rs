//! The words that the index has.

use rusqlite::{Connection, params};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::DocumentIndex;
use crate::{StoreError, sqlite::quoted};

/// Letters that the beginning of a word needs, so that few words begin with them.
const MIN_BEGINNING: usize = 3;
/// Passages with a word that are counted one by one.
const MAX_COUNTED: i64 = 50_000;
/// The newest passages are one in so many.
const SHARE: i64 = 16;

impl DocumentIndex {
    /// How many passages there are, and how many of them hold each word: counted up to [`MAX_COUNTED`], and judged by the newest
    /// ones beyond.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn frequencies(&self, words: &[String]) -> Result<(usize, Vec<usize>), StoreError> {
        let connection = self.connection();
        let total: i64 = connection.query_row("SELECT count(*) FROM passages", [], |row| row.get(0))?;
        let total = usize::try_from(total).unwrap_or_default();
        let mut statement =
            connection.prepare_cached("SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH ?1 LIMIT ?2)")?;
        let mut counts = Vec::new();
        for word in words {
            let count: i64 = statement.query_row(params![quoted(word), MAX_COUNTED], |row| row.get(0))?;
            let count = usize::try_from(count).unwrap_or_default();
            let is_all = count < MAX_COUNTED as usize;
            counts.push(if is_all { count } else { count.max(judged(&connection, word)?.min(total)) });
        }
        Ok((total, counts))
    }

    /// Words of the index that are written nearly like this one: one letter different, or two in a long word. Best
    /// first, at most two.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn similar(&self, word: &str) -> Result<Vec<String>, StoreError> {
        let length = word.chars().count();
        // Short words have too many neighbours, and numbers mean what they say.
        if length < 5 || word.chars().any(|c| !c.is_alphabetic()) {
            return Ok(Vec::new());
        }
        let most = if length < 8 { 1 } else { 2 };
        let first: String = word.chars().take(1).collect();
        let mut found: Vec<(usize, i64, String)> = Vec::new();
        for (term, count) in self.terms(&first)? {
            // The index keeps stems, which are shorter by an ending.
            let stem = nexi_core::rank::terms::stem(word);
            let distance = strsim::osa_distance(&stem, &term).min(strsim::osa_distance(word, &term));
            if distance > 0 && distance <= most && term.chars().count() + 2 >= stem.chars().count() {
                found.push((distance, -count, term));
            }
        }
        found.sort();
        Ok(found.into_iter().take(2).map(|(_, _, term)| term).collect())
    }

    /// The most frequent words that begin with these letters, as the index keeps them: without endings and marks.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn beginning_with(&self, letters: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let letters: String = letters.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase).collect();
        if letters.chars().count() < MIN_BEGINNING {
            return Ok(Vec::new());
        }
        let mut found = self.terms(&letters)?;
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(found.into_iter().take(limit).map(|(term, _)| term).collect())
    }

    /// All words with this beginning, and how many passages hold each.
    fn terms(&self, beginning: &str) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = self.connection();
        connection.execute_batch("CREATE VIRTUAL TABLE IF NOT EXISTS temp.passages_words USING fts5vocab(main, passages_fts, row)")?;
        // Comes behind every word that begins so.
        let last = format!("{beginning}{}", char::MAX);
        let mut statement = connection.prepare_cached("SELECT term, doc FROM temp.passages_words WHERE term >= ?1 AND term < ?2")?;
        let rows = statement.query_map([beginning, &last], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// How many passages hold a word, by the newest ones.
fn judged(connection: &Connection, word: &str) -> Result<usize, StoreError> {
    let (first, last): (i64, i64) =
        connection.query_row("SELECT min(id), max(id) FROM passages", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let count: i64 = connection.query_row(
        "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?1 AND rowid > ?2",
        params![quoted(word), last - (last - first) / SHARE],
        |row| row.get(0),
    )?;
    Ok(usize::try_from(count * SHARE).unwrap_or_default())
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::tests::document;
    use super::*;

    #[test]
    fn beginnings_of_words_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        let index = DocumentIndex::open(&folder.path().join("d.db")).unwrap();
        let text = "Die Heizungsanlage der Halle. Größe der Räume. Heizungsanlage und Heizöl.";
        index.put(&[document("/a/x.md", text), document("/a/y.md", "Heizungsanlage")]).unwrap();
        let begun = |letters: &str| index.beginning_with(letters, 2).unwrap();
        assert_eq!(begun("Heizungsanl").len(), 1);
        assert_eq!(begun("heiz").len(), 2);
        assert!(begun("heiz")[0].starts_with("heizungsanlag"), "the most frequent first");
        assert_eq!((begun("RÄU"), begun("he"), begun("xyz")), (vec!["raum".to_owned()], vec![], vec![]));
    }
}

//! Searches of the library that are kept under names.

use nexi_core::protocol::SavedSearch;
use rusqlite::{Transaction, params};

use super::History;
use crate::StoreError;

/// Searches that are kept at most, and letters of a name.
const MAX_SEARCHES: u32 = 100;
const MAX_NAME: usize = 60;

impl History {
    /// The saved searches, in order of the alphabet.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn saved_searches(&self) -> Result<Vec<SavedSearch>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT name, search FROM saved_searches ORDER BY name COLLATE NOCASE, name")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
        rows.into_iter().map(|(name, search)| Ok(SavedSearch { name, ..serde_json::from_str(&search)? })).collect()
    }

    /// Keeps a search under its name, in the place of an earlier one of this name.
    ///
    /// # Errors
    /// When the name is empty, there are too many, or the database refuses.
    pub fn save_search(&self, search: &SavedSearch) -> Result<(), StoreError> {
        let name = checked(&search.name)?;
        self.write(|transaction| put(transaction, &name, search))
    }

    /// Forgets a saved search; nothing happens where there is none of this name.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn forget_search(&self, name: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM saved_searches WHERE name = ?1", [name])?;
            Ok(())
        })
    }
}

/// Takes a search in, unless one has its name, and tells whether it is new.
pub(super) fn add(transaction: &Transaction<'_>, search: &SavedSearch) -> Result<bool, StoreError> {
    let name = checked(&search.name)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM saved_searches WHERE name = ?1 COLLATE NOCASE)";
    if transaction.query_row(sql, [&name], |row| row.get(0))? {
        return Ok(false);
    }
    put(transaction, &name, search).map(|()| true)
}

fn checked(name: &str) -> Result<String, StoreError> {
    let name = nexi_core::text::truncate_chars(&nexi_core::text::fold_space(name), MAX_NAME);
    if name.is_empty() { Err(StoreError::SearchName) } else { Ok(name) }
}

fn put(transaction: &Transaction<'_>, name: &str, search: &SavedSearch) -> Result<(), StoreError> {
    let json = serde_json::to_string(search)?;
    transaction.execute("INSERT OR REPLACE INTO saved_searches (name, search) VALUES (?1, ?2)", params![name, json])?;
    let count: u32 = transaction.query_row("SELECT count(*) FROM saved_searches", [], |row| row.get(0))?;
    if count > MAX_SEARCHES { Err(StoreError::TooManySearches { most: MAX_SEARCHES }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_kept_under_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let named = |name: &str, text: &str| SavedSearch { name: name.into(), text: text.into(), days: 7, ..SavedSearch::default() };
        history.save_search(&named(" zinc  batteries ", "zinc")).unwrap();
        history.save_search(&named("Bridges", "span")).unwrap();
        history.save_search(&named("Bridges", "arch")).unwrap();
        let kept = history.saved_searches().unwrap();
        assert_eq!(kept, [named("Bridges", "arch"), named("zinc batteries", "zinc")]);
        assert!(matches!(history.save_search(&named(" ", "x")), Err(StoreError::SearchName)));
        history.forget_search("Bridges").unwrap();
        history.forget_search("none").unwrap();
        for number in 1..MAX_SEARCHES {
            history.save_search(&named(&number.to_string(), "x")).unwrap();
        }
        assert!(matches!(history.save_search(&named("one more", "x")), Err(StoreError::TooManySearches { .. })));
        assert_eq!(history.saved_searches().unwrap().len(), MAX_SEARCHES as usize);
    }
}

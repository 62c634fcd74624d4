//! What the person wants Nexi to remember: a few sentences about themselves and how they like answers.

use nexi_core::protocol::Memory;
use rusqlite::{OptionalExtension, Transaction, params};

use super::{History, new_id};
use crate::StoreError;

/// Memories that are kept at most; more than these would crowd questions out of small windows.
pub const MAX_MEMORIES: u32 = 200;
/// Letters of one memory.
const MAX_MEMORY: usize = 1000;

impl History {
    /// All memories, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn memories(&self) -> Result<Vec<Memory>, StoreError> {
        let connection = self.connection();
        let mut statement =
            connection.prepare_cached("SELECT id, text, created_ms, space_id FROM memories ORDER BY created_ms DESC, rowid DESC")?;
        let rows = statement
            .query_map([], |row| Ok(Memory { id: row.get(0)?, text: row.get(1)?, created_ms: row.get(2)?, space: row.get(3)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps a memory of everywhere or of a space, and whether it is new: one that says the same already becomes the newest.
    ///
    /// # Errors
    /// When it is empty or too long, there are too many, there is no such space, or the database refuses.
    pub fn remember(&self, text: &str, space: Option<&str>, now_ms: i64) -> Result<(Memory, bool), StoreError> {
        let text = checked(text)?;
        self.write(|transaction| {
            if let Some(id) = same(transaction, &text, space)? {
                transaction.execute("UPDATE memories SET text = ?2, created_ms = ?3 WHERE id = ?1", params![id, text, now_ms])?;
                return Ok((Memory { id, text: text.clone(), created_ms: now_ms, space: space.map(str::to_owned) }, false));
            }
            Ok((insert(transaction, &text, space, now_ms)?, true))
        })
    }

    /// Changes what a memory says.
    ///
    /// # Errors
    /// When there is no such memory, the text is empty or too long, or the database refuses.
    pub fn change_memory(&self, id: &str, text: &str) -> Result<(), StoreError> {
        let text = checked(text)?;
        self.write(|transaction| match transaction.execute("UPDATE memories SET text = ?2 WHERE id = ?1", params![id, text])? {
            0 => Err(StoreError::Missing { what: "memory", id: id.to_owned() }),
            _ => Ok(()),
        })
    }

    /// Forgets memories for good, out of backups, too. All are found, or nothing is forgotten.
    ///
    /// # Errors
    /// When there is no such memory, or the database refuses.
    pub fn forget_memories(&self, ids: &[String]) -> Result<(), StoreError> {
        self.write(|transaction| {
            for id in ids {
                if transaction.execute("DELETE FROM memories WHERE id = ?1", [id])? == 0 {
                    return Err(StoreError::Missing { what: "memory", id: id.clone() });
                }
                // Copies are cleaned of it like of threads.
                transaction.execute("INSERT OR IGNORE INTO forgotten (thread_id) VALUES (?1)", [id])?;
            }
            Ok(())
        })
    }
}

/// Takes a memory in, unless one says the same, and tells whether it is new.
pub(super) fn add(transaction: &Transaction<'_>, text: &str, space: Option<&str>, created_ms: i64) -> Result<bool, StoreError> {
    let text = checked(text)?;
    if same(transaction, &text, space)?.is_some() {
        return Ok(false);
    }
    insert(transaction, &text, space, created_ms).map(|_| true)
}

/// The memory that says the same in the same place.
fn same(transaction: &Transaction<'_>, text: &str, space: Option<&str>) -> Result<Option<String>, StoreError> {
    let sql = "SELECT id FROM memories WHERE text = ?1 COLLATE NOCASE AND space_id IS ?2";
    Ok(transaction.query_row(sql, params![text, space], |row| row.get(0)).optional()?)
}

fn insert(transaction: &Transaction<'_>, text: &str, space: Option<&str>, created_ms: i64) -> Result<Memory, StoreError> {
    let count: u32 = transaction.query_row("SELECT count(*) FROM memories", [], |row| row.get(0))?;
    if count >= MAX_MEMORIES {
        return Err(StoreError::TooManyMemories { most: MAX_MEMORIES });
    }
    let memory = Memory { id: new_id(), text: text.to_owned(), created_ms, space: space.map(str::to_owned) };
    transaction.execute(
        "INSERT INTO memories (id, text, created_ms, space_id) VALUES (?1, ?2, ?3, ?4)",
        params![memory.id, memory.text, created_ms, space],
    )?;
    Ok(memory)
}

fn checked(text: &str) -> Result<String, StoreError> {
    let text = nexi_core::text::fold_space(text);
    if text.is_empty() || text.chars().count() > MAX_MEMORY {
        return Err(StoreError::MemoryText { most: MAX_MEMORY });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_are_kept_changed_and_forgotten_in_copies_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nexi.db");
        let history = History::open(&path).unwrap();
        super::super::tests::one_turn(&history);
        let (first, is_new) = history.remember(" I work with \n PostgreSQL 16. ", None, 5).unwrap();
        assert!(is_new);
        assert_eq!(first.text, "I work with PostgreSQL 16.");
        let (second, _) = history.remember("Answer in metric units.", None, 6).unwrap();
        let (again, is_new) = history.remember("i work with postgresql 16.", None, 7).unwrap();
        assert!(!is_new && again.id == first.id);
        assert_eq!(history.memories().unwrap(), [again.clone(), second.clone()], "the same is not kept twice");
        history.change_memory(&second.id, "Answer in miles.").unwrap();
        assert_eq!(history.memories().unwrap()[1].text, "Answer in miles.");
        for wrong in ["", " \n ", &"x".repeat(MAX_MEMORY + 1)] {
            assert!(matches!(history.remember(wrong, None, 8), Err(StoreError::MemoryText { .. })), "{}", wrong.len());
        }
        assert!(matches!(history.change_memory("none", "x"), Err(StoreError::Missing { .. })));
        let copy = history.back_up("2026-01-01").unwrap().unwrap();
        let holds = || std::fs::read(&copy).unwrap().windows(8).any(|window| window == b"in miles");
        assert!(holds());
        assert!(history.forget_memories(&[again.id.clone(), "none".into()]).is_err());
        assert_eq!(history.memories().unwrap().len(), 2, "all or none");
        history.forget_memories(&[second.id]).unwrap();
        history.back_up("2026-01-01").unwrap();
        assert!(!holds(), "it is in no copy any more");
        // It does not come back with a copy, and the other one does.
        history.restore_backup("2026-01-01").unwrap();
        assert_eq!(history.memories().unwrap(), [again]);
        for number in 1..MAX_MEMORIES {
            history.remember(&number.to_string(), None, 9).unwrap();
        }
        assert!(matches!(history.remember("one more", None, 9), Err(StoreError::TooManyMemories { .. })));
    }
}

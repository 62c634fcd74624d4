//! Spaces: threads that belong together, with what the person wants for all of them.

use nexi_core::{
    ids::ThreadId,
    protocol::{Space, SpaceDraft},
    text,
    visible::visible,
};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use unicode_normalization::UnicodeNormalization;

use super::{History, new_id};
use crate::StoreError;

/// Spaces that are kept at most.
const MAX_SPACES: u32 = 200;
/// Letters of a name.
const MAX_NAME: usize = 60;
/// Bytes of instructions: small models lose the thread of longer ones.
const MAX_INSTRUCTIONS: usize = 8 * 1024;
/// Folders and files of one space.
const MAX_FOLDERS: usize = 50;

const COLUMNS: &str = "s.id, s.name, s.instructions, s.folders, s.model, s.created_ms,
     (SELECT count(*) FROM threads t WHERE t.space_id = s.id AND t.deleted_ms IS NULL)";

impl History {
    /// All spaces, by name.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn spaces(&self) -> Result<Vec<Space>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM spaces s ORDER BY s.name COLLATE NOCASE"))?;
        statement.query_map([], |row| Ok(read(row)))?.collect::<Result<Result<_, _>, _>>()?
    }

    /// The space with this name or id.
    ///
    /// # Errors
    /// When there is none.
    pub fn find_space(&self, wanted: &str) -> Result<Space, StoreError> {
        one(&self.connection(), wanted)
    }

    /// The space that a thread belongs to, if any.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn space_of(&self, thread: &ThreadId) -> Result<Option<Space>, StoreError> {
        let connection = self.connection();
        let sql = "SELECT space_id FROM threads WHERE id = ?1";
        let found: Option<Option<String>> = connection.prepare_cached(sql)?.query_row([thread.as_str()], |row| row.get(0)).optional()?;
        match found.ok_or_else(|| StoreError::Missing { what: "thread", id: thread.to_string() })? {
            Some(id) => one(&connection, &id).map(Some),
            None => Ok(None),
        }
    }

    /// Makes a space, or changes the one with this id.
    ///
    /// # Errors
    /// When something of it cannot be, another one has the name, there are too many, or there is none of this id.
    pub fn keep_space(&self, id: Option<&str>, draft: &SpaceDraft, now_ms: i64) -> Result<Space, StoreError> {
        let name = plain(&draft.name);
        if name.is_empty() || name.eq_ignore_ascii_case("off") || name.chars().count() > MAX_NAME {
            return Err(StoreError::SpaceName { most: MAX_NAME });
        }
        let instructions = draft.instructions.trim();
        if instructions.len() > MAX_INSTRUCTIONS {
            return Err(StoreError::SpaceInstructions { most: MAX_INSTRUCTIONS });
        }
        if draft.folders.len() > MAX_FOLDERS {
            return Err(StoreError::SpaceFolders { most: MAX_FOLDERS });
        }
        let folders = serde_json::to_string(&draft.folders)?;
        self.write(|transaction| {
            if let Some((known, name)) = id_of(transaction, &name)?
                && Some(known.as_str()) != id
            {
                return Err(StoreError::SpaceTaken { name });
            }
            let id = match id {
                Some(id) => {
                    // What was used in it is still used in it.
                    let sql = "UPDATE usage SET space = ?2 WHERE space = (SELECT name FROM spaces WHERE id = ?1)";
                    transaction.execute(sql, params![id, name])?;
                    let sql = "UPDATE spaces SET name = ?2, instructions = ?3, folders = ?4, model = ?5 WHERE id = ?1";
                    if transaction.execute(sql, params![id, name, instructions, folders, draft.model])? == 0 {
                        return Err(missing(id));
                    }
                    id.to_owned()
                }
                None => {
                    let count: u32 = transaction.query_row("SELECT count(*) FROM spaces", [], |row| row.get(0))?;
                    if count >= MAX_SPACES {
                        return Err(StoreError::TooManySpaces { most: MAX_SPACES });
                    }
                    let id = new_id();
                    transaction.execute(
                        "INSERT INTO spaces (id, name, instructions, folders, model, created_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                        params![id, name, instructions, folders, draft.model, now_ms],
                    )?;
                    id
                }
            };
            one(transaction, &id)
        })
    }

    /// Removes a space with its memories, out of copies, too. Its threads stay and belong to none.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn remove_space(&self, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction
                .execute("INSERT OR IGNORE INTO forgotten (thread_id) SELECT id FROM memories WHERE space_id = ?1 UNION SELECT ?1", [id])?;
            match transaction.execute("DELETE FROM spaces WHERE id = ?1", [id])? {
                0 => Err(missing(id)),
                _ => Ok(()),
            }
        })
    }

    /// Puts a thread into a space, or takes it out of all.
    ///
    /// # Errors
    /// When there is no such thread or space.
    pub fn move_to_space(&self, thread: &ThreadId, space: Option<&str>) -> Result<(), StoreError> {
        self.write(|transaction| {
            if let Some(space) = space {
                one(transaction, space)?;
            }
            match transaction.execute("UPDATE threads SET space_id = ?2 WHERE id = ?1", params![thread.as_str(), space])? {
                0 => Err(StoreError::Missing { what: "thread", id: thread.to_string() }),
                _ => Ok(()),
            }
        })
    }
}

fn missing(wanted: &str) -> StoreError {
    StoreError::Missing { what: "space", id: wanted.to_owned() }
}

/// A name as it is kept: without what nobody sees, in one way of writing.
fn plain(name: &str) -> String {
    // Marks between letters of some scripts, and in signs that are drawn together, have a meaning.
    let is_seen = |c: &char| !c.is_control() && !matches!(c, '\u{200b}' | '\u{feff}' | '\u{2060}');
    text::fold_space(&visible(name)).chars().filter(is_seen).nfc().collect()
}

/// The space of this name, however its letters are written, with its name.
fn id_of(connection: &Connection, name: &str) -> Result<Option<(String, String)>, StoreError> {
    let wanted = plain(name).to_lowercase();
    let mut statement = connection.prepare_cached("SELECT id, name FROM spaces")?;
    let all = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<Vec<(String, String)>, _>>()?;
    Ok(all.into_iter().find(|(_, known)| plain(known).to_lowercase() == wanted))
}

fn one(connection: &Connection, wanted: &str) -> Result<Space, StoreError> {
    let by_id = |id: &str| -> Result<Option<Space>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM spaces s WHERE s.id = ?1");
        connection.prepare_cached(&sql)?.query_row([id], |row| Ok(read(row))).optional()?.transpose()
    };
    if let Some(space) = by_id(wanted)? {
        return Ok(space);
    }
    let (id, _) = id_of(connection, wanted)?.ok_or_else(|| missing(wanted))?;
    by_id(&id)?.ok_or_else(|| missing(wanted))
}

/// The id of the space of this name, which is made where there is none.
pub(super) fn named(connection: &Connection, name: &str, now_ms: i64) -> Result<Option<String>, StoreError> {
    let name = plain(name);
    if name.is_empty() || name.chars().count() > MAX_NAME {
        return Ok(None);
    }
    if let Some((id, _)) = id_of(connection, &name)? {
        return Ok(Some(id));
    }
    let count: u32 = connection.query_row("SELECT count(*) FROM spaces", [], |row| row.get(0))?;
    if count >= MAX_SPACES {
        return Ok(None);
    }
    let id = new_id();
    connection.execute("INSERT INTO spaces (id, name, created_ms) VALUES (?1, ?2, ?3)", params![id, name, now_ms])?;
    Ok(Some(id))
}

/// Takes a space in: makes it, or fills one in that has nothing of its own. Tells whether anything is new.
pub(super) fn fill(
    transaction: &Transaction<'_>,
    name: &str,
    instructions: &str,
    model: Option<&str>,
    now_ms: i64,
) -> Result<bool, StoreError> {
    if instructions.len() > MAX_INSTRUCTIONS {
        return Err(StoreError::SpaceInstructions { most: MAX_INSTRUCTIONS });
    }
    let known = id_of(transaction, &plain(name))?.is_some();
    let Some(id) = named(transaction, name, now_ms)? else { return Err(StoreError::SpaceName { most: MAX_NAME }) };
    let sql = "UPDATE spaces SET instructions = ?2, model = ?3
         WHERE id = ?1 AND instructions = '' AND folders = '[]' AND model IS NULL AND (?2 != '' OR ?3 IS NOT NULL)";
    let filled = transaction.execute(sql, params![id, instructions.trim(), model])? > 0;
    Ok(filled || !known)
}

fn read(row: &Row<'_>) -> Result<Space, StoreError> {
    let folders: String = row.get(3)?;
    Ok(Space {
        id: row.get(0)?,
        name: row.get(1)?,
        instructions: row.get(2)?,
        folders: serde_json::from_str(&folders)?,
        model: row.get(4)?,
        created_ms: row.get(5)?,
        threads: row.get(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{one_turn, question};
    use super::*;

    fn draft(name: &str) -> SpaceDraft {
        SpaceDraft { name: name.into(), instructions: " Be brief. ".into(), folders: vec!["/notes".into()], model: None }
    }

    #[test]
    fn threads_belong_to_spaces_and_outlive_them() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (thread, _) = one_turn(&history);
        let space = history.keep_space(None, &draft(" My  house "), 5).unwrap();
        assert_eq!((space.name.as_str(), space.instructions.as_str(), space.threads), ("My house", "Be brief.", 0));
        assert!(matches!(history.keep_space(None, &draft("MY HOUSE"), 6), Err(StoreError::SpaceTaken { .. })));
        let cafe = SpaceDraft { name: "Café\u{200b}".into(), ..SpaceDraft::default() };
        history.keep_space(None, &cafe, 6).unwrap();
        assert_eq!(history.find_space("CAFE\u{301}").unwrap().name, "Café", "however its letters are written");
        assert!(matches!(history.keep_space(None, &draft("off"), 6), Err(StoreError::SpaceName { .. })));
        assert!(matches!(history.keep_space(None, &draft(" "), 6), Err(StoreError::SpaceName { .. })));
        assert_eq!(history.space_of(&thread).unwrap(), None);
        history.move_to_space(&thread, Some(&space.id)).unwrap();
        assert_eq!(history.space_of(&thread).unwrap().map(|space| space.threads), Some(1));
        assert_eq!(history.find_space("my house").unwrap().id, space.id);
        // A new thread begins in it; what it uses counts for it.
        let (own, turn) = history.begin_turn(&super::super::NewTurn { space: Some(&space.id), ..question(None) }).unwrap();
        let ending = nexi_core::protocol::Ending::failed("", "x");
        history.finish_turn(&turn, &ending, &std::collections::BTreeMap::new(), 1, &[]).unwrap();
        assert_eq!(history.space_of(&own).unwrap().map(|space| space.threads), Some(2));
        let used = history.used(i64::MIN, i64::MAX).unwrap();
        assert_eq!(used.iter().filter(|used| used.space.as_deref() == Some("My house")).count(), 1);
        let changed = history.keep_space(Some(&space.id), &draft("House"), 7).unwrap();
        assert_eq!((changed.name.as_str(), changed.created_ms), ("House", 5));
        assert_eq!(history.used(i64::MIN, i64::MAX).unwrap().iter().filter(|used| used.space.as_deref() == Some("House")).count(), 1);
        // Its memories go with it; those of everywhere stay.
        history.remember("Everywhere.", None, 8).unwrap();
        history.remember("The roof is of slate.", Some(&space.id), 9).unwrap();
        assert!(history.remember("x", Some("none"), 9).is_err());
        assert_eq!(history.memories().unwrap().len(), 2);
        let copy = history.back_up("2026-01-01").unwrap().unwrap();
        let holds = |text: &str| std::fs::read(&copy).unwrap().windows(text.len()).any(|window| window == text.as_bytes());
        assert!(holds("roof is of slate") && holds("Be brief."));
        history.remove_space(&space.id).unwrap();
        history.back_up("2026-01-01").unwrap();
        assert!(!holds("roof is of slate") && !holds("Be brief."), "nothing of it is left in copies");
        assert_eq!(history.memories().unwrap().len(), 1);
        assert_eq!(history.space_of(&thread).unwrap(), None);
        assert!(matches!(history.remove_space(&space.id), Err(StoreError::Missing { .. })));
        assert!(history.move_to_space(&thread, Some(&space.id)).is_err());
    }
}

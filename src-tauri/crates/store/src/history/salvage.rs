//! What can still be read of a damaged library, in a new one.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, types::Value};
use serde::Serialize;

use super::{MIGRATIONS, backup, shared::Sharing};
use crate::{
    StoreError,
    sqlite::{self, Durability},
};

/// The tables that hold what cannot be made again, parents first, and by what their rows are ordered.
const TABLES: [(&str, &str); 18] = [
    ("spaces", "rowid"),
    ("threads", "rowid"),
    ("turns", "rowid"),
    ("sources", "rowid"),
    ("turn_sources", "turn_id, number"),
    ("passages", "turn_id, number, ordinal"),
    ("tags", "thread_id, tag"),
    ("journal", "turn_id, seq"),
    ("journals", "turn_id"),
    ("saved_searches", "name"),
    ("memories", "rowid"),
    ("usage", "id"),
    ("tool_servers", "name"),
    ("approved_tools", "server, tool"),
    ("watched", "rowid"),
    ("watched_costs", "rowid"),
    ("watched_changes", "turn_id"),
    ("templates", "name"),
];

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Salvaged {
    /// Threads and turns of the new library.
    pub threads: u32,
    pub turns: u32,
    /// Of these, how many threads came out of a backup.
    pub from_backup: u32,
    /// Whether everything could be read.
    pub whole: bool,
    /// Where the damaged file is now.
    pub kept: PathBuf,
}

/// Reads what can be read of a damaged library into a new one, adds what only the newest backup has, and puts it into
/// the library's place. The damaged file is kept beside it.
///
/// # Errors
/// When nothing can be read, or the new file cannot be written; the library is left as it was then.
pub fn salvage(database: &Path) -> Result<Salvaged, StoreError> {
    let draft = database.with_extension("salvaged");
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", draft.display()));
    }
    let mut target = sqlite::open_unlocked(&draft, &MIGRATIONS)?;
    target.pragma_update(None, "foreign_keys", false)?;
    let mut out = Salvaged { whole: true, ..Salvaged::default() };
    let damaged = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .and_then(|connection| connection.pragma_update(None, "ignore_check_constraints", true).map(|()| connection));
    match &damaged {
        Ok(source) => {
            for (table, order) in TABLES {
                out.whole &= copy_table(source, &mut target, table, order)?;
            }
        }
        Err(_) => out.whole = false,
    }
    mend(&target)?;
    let count = |connection: &Connection, table: &str| connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
    let own: u32 = count(&target, "threads")?;
    if !out.whole
        && let Some(newest) = backup::newest(database)
    {
        let source = sqlite::connect(&newest.path, Durability::Precious)?;
        for (table, order) in TABLES {
            // What is there already stays.
            copy_table(&source, &mut target, table, order)?;
        }
        mend(&target)?;
    }
    // What was deleted since is not taken back, and copies are still to be cleaned of it.
    if let Ok(damaged) = &damaged {
        let gone = forgotten(damaged);
        for id in &gone {
            target.execute("DELETE FROM turns WHERE thread_id = ?1", [id])?;
        }
        backup::forget(&target, &gone)?;
        mend(&target)?;
    }
    if let Ok(damaged) = &damaged {
        Sharing::of(damaged).carry_over(&target)?;
    }
    // Spaces may have come out of the backup; what belongs to one that is lost belongs to none.
    target.execute_batch(
        "UPDATE threads SET space_id = NULL WHERE space_id NOT IN (SELECT id FROM spaces);
         UPDATE memories SET space_id = NULL WHERE space_id NOT IN (SELECT id FROM spaces);",
    )?;
    (out.threads, out.turns) = (count(&target, "threads")?, count(&target, "turns")?);
    out.from_backup = out.threads - own;
    sqlite::check(&target, &draft)?;
    if out.turns == 0 && !out.whole {
        drop(target);
        let _ = std::fs::remove_file(&draft);
        return Err(StoreError::Damaged {
            path: database.to_path_buf(),
            message: "nothing in it can be read, and there is no backup".into(),
        });
    }
    target.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
    target.close().map_err(|(_, error)| error)?;
    drop(damaged);
    out.kept = backup::replace(&draft, database)?;
    Ok(out)
}

/// What was deleted for good since copies were last cleaned, as far as that can be read.
fn forgotten(source: &Connection) -> Vec<String> {
    let mut out = Vec::new();
    let Ok(mut select) = source.prepare("SELECT thread_id FROM forgotten") else { return out };
    let Ok(mut rows) = select.query([]) else { return out };
    while let Ok(Some(row)) = rows.next() {
        out.extend(row.get::<_, String>(0).ok());
    }
    out
}

/// Copies the rows that can be read, from both ends: a page that cannot be read has those before and behind it. Whether
/// all could be.
fn copy_table(source: &Connection, target: &mut Connection, table: &str, order: &str) -> Result<bool, StoreError> {
    let columns = |connection: &Connection| -> rusqlite::Result<Vec<String>> {
        connection.prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))?.query_map([], |row| row.get(0))?.collect()
    };
    let known = columns(target)?;
    let Ok(there) = columns(source) else { return Ok(false) };
    // Older formats have fewer tables, but every library has this one.
    let is_there = |table: &str| sqlite::has_table(source, table);
    if there.is_empty() && is_there("turns") == Ok(true) && is_there(table) == Ok(false) {
        return Ok(true);
    }
    let both: Vec<String> = known.into_iter().filter(|name| there.contains(name)).collect();
    if both.is_empty() {
        return Ok(false);
    }
    let names = both.join(", ");
    let marks = vec!["?"; both.len()].join(", ");
    let transaction = target.transaction()?;
    let mut whole = true;
    {
        let mut insert = transaction.prepare(&format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"))?;
        let down: String = order.split(", ").map(|name| format!("{name} DESC")).collect::<Vec<_>>().join(", ");
        for order in [order, &down] {
            let Ok(mut select) = source.prepare(&format!("SELECT {names} FROM {table} ORDER BY {order}")) else {
                whole = false;
                continue;
            };
            let mut rows = select.query([])?;
            loop {
                let row = match rows.next() {
                    Ok(Some(row)) => row,
                    Ok(None) => break,
                    Err(_) => {
                        whole = false;
                        break;
                    }
                };
                let values: Result<Vec<Value>, _> = (0..both.len()).map(|at| row.get(at)).collect();
                // A row that does not fit the table is not one of ours.
                match values {
                    Ok(values) => drop(insert.execute(rusqlite::params_from_iter(values))),
                    Err(_) => whole = false,
                }
            }
            if whole {
                break;
            }
        }
    }
    transaction.commit()?;
    Ok(whole)
}

/// Rows whose thread or turn is lost: a turn gets a thread of its own, what belongs to no turn goes.
fn mend(target: &Connection) -> Result<(), StoreError> {
    target.execute_batch(
        "INSERT INTO threads (id, title, created_ms, updated_ms)
             SELECT thread_id, substr(question, 1, 120), min(asked_ms), max(asked_ms) FROM turns
             WHERE thread_id NOT IN (SELECT id FROM threads) GROUP BY thread_id;
         UPDATE turns SET state = 'interrupted' WHERE state = 'running';
         DELETE FROM sources WHERE thread_id NOT IN (SELECT id FROM threads);
         DELETE FROM tags WHERE thread_id NOT IN (SELECT id FROM threads);
         DELETE FROM turn_sources WHERE turn_id NOT IN (SELECT id FROM turns);
         DELETE FROM passages WHERE turn_id NOT IN (SELECT id FROM turns);
         DELETE FROM journals WHERE turn_id NOT IN (SELECT id FROM turns);
         DELETE FROM journal WHERE turn_id NOT IN (SELECT id FROM turns);",
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::one_turn;
    use super::*;
    use crate::History;

    /// A library of many threads, of which some pages in the middle are overwritten.
    fn damaged(pages: std::ops::Range<usize>) -> (tempfile::TempDir, PathBuf, usize) {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("nexi.db");
        let history = History::open(&database).unwrap();
        for _ in 0..60 {
            one_turn(&history);
        }
        history.back_up("2026-01-01").unwrap().unwrap();
        for _ in 0..20 {
            one_turn(&history);
        }
        drop(history);
        let mut bytes = std::fs::read(&database).unwrap();
        let size = 16384;
        let end = (pages.end * size).min(bytes.len());
        bytes[pages.start * size..end].fill(0x5A);
        let count = bytes.len() / size;
        std::fs::write(&database, bytes).unwrap();
        (place, database, count)
    }

    #[test]
    fn what_can_be_read_is_there_again() {
        let count = damaged(0..0).2;
        for page in 1..count {
            let (_place, database, _) = damaged(page..page + 1);
            let salvaged = salvage(&database).unwrap_or_else(|error| panic!("page {page}: {error}"));
            assert!(salvaged.kept.exists(), "page {page}");
            let history = History::open(&database).unwrap_or_else(|error| panic!("page {page}: {error}"));
            assert!(salvaged.threads >= 60, "page {page}: {salvaged:?}");
            assert_eq!(history.threads(200).unwrap().len(), salvaged.threads as usize);
            // It can be searched and written to.
            one_turn(&history);
            assert!(
                !history
                    .library(&nexi_core::protocol::LibraryQuery { text: "bridge".into(), limit: 5, ..Default::default() })
                    .unwrap()
                    .rows
                    .is_empty()
            );
        }
    }

    #[test]
    fn an_older_format_is_whole_and_an_empty_file_is_not() {
        let (_place, database, _) = damaged(0..0);
        let older = Connection::open(&database).unwrap();
        older.execute_batch("DROP TABLE memories").unwrap();
        drop(older);
        assert!(salvage(&database).unwrap().whole);
        std::fs::write(&database, "").unwrap();
        let salvaged = salvage(&database).unwrap();
        assert_eq!((salvaged.whole, salvaged.from_backup), (false, 60));
    }

    #[test]
    fn without_anything_to_read_the_backup_is_all_there_is() {
        let (_place, database, _) = damaged(0..usize::MAX / 16384 - 1);
        let salvaged = salvage(&database).unwrap();
        assert_eq!((salvaged.threads, salvaged.from_backup, salvaged.whole), (60, 60, false));
        let place = tempfile::tempdir().unwrap();
        let lost = place.path().join("nexi.db");
        std::fs::write(&lost, [0x5A; 65536]).unwrap();
        assert!(matches!(salvage(&lost), Err(StoreError::Damaged { .. })));
        assert_eq!(std::fs::read(&lost).unwrap(), [0x5A; 65536], "it is left as it was");
    }
}

//! Copies of the library: one a day, looked through before it counts, seven days and four weeks back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rusqlite::{
    Connection,
    backup::{Backup as Copying, StepResult},
    params_from_iter,
};
use serde::Serialize;
use ts_rs::TS;

use super::{History, MIGRATIONS, deletion, shared::Sharing};
use crate::{
    StoreError, files,
    sqlite::{self, Durability},
};

/// Daily copies that are kept.
const DAYS: usize = 7;
/// Weekly copies that are kept besides, one of each week.
const WEEKS: usize = 4;

/// How the names of copies end that were made before a restoration.
const BEFORE_RESTORING: &str = "-before-restoring";
/// The same of those that were made before an update of Nexi, and before it went back to an older version.
const BEFORE_UPDATING: &str = "-before-updating";
const BEFORE_GOING_BACK: &str = "-before-going-back";
const REASONS: [&str; 3] = [BEFORE_RESTORING, BEFORE_UPDATING, BEFORE_GOING_BACK];

/// A copy of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Backup {
    /// What it is restored by: its day, `YYYY-MM-DD`, or the name of a copy that was made for a reason.
    pub name: String,
    #[serde(skip)]
    pub path: PathBuf,
    #[ts(type = "number")]
    pub bytes: u64,
    pub threads: u32,
    pub turns: u32,
}

/// Where the copies of this library are.
pub fn folder(database: &Path) -> PathBuf {
    database.with_file_name("backups")
}

/// All copies, newest first; what cannot be read is no copy.
pub fn backups(database: &Path) -> Vec<Backup> {
    let mut all: Vec<Backup> = names(&folder(database)).into_iter().filter_map(|(name, path)| look(&path, name).ok()).collect();
    all.sort_by(|a, b| b.name.cmp(&a.name));
    all
}

/// The copy with the newest turn, whatever day its name says: a clock may have been wrong.
pub(super) fn newest(database: &Path) -> Option<Backup> {
    wanted(database).max_by_key(|backup| (last_turn(&backup.path), backup.name.clone()))
}

/// The copies but for those that somebody went away from.
fn wanted(database: &Path) -> impl Iterator<Item = Backup> {
    let left = |name: &str| name.ends_with(BEFORE_RESTORING) || name.ends_with(BEFORE_GOING_BACK);
    backups(database).into_iter().filter(move |backup| !left(&backup.name))
}

/// The number of the newest turn of a copy: turns are numbered in the order in which they were written, and keep their numbers.
fn last_turn(path: &Path) -> i64 {
    let last = |path: &Path| -> rusqlite::Result<i64> {
        let copy = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        copy.query_row("SELECT ifnull(max(row), 0) FROM turn_rows", [], |row| row.get(0))
    };
    last(path).unwrap_or_default()
}

/// The copy with the newest turn that this version can read, of those that a later version has made before it changed the
/// library, too.
pub fn newest_readable(database: &Path) -> Option<PathBuf> {
    let all = wanted(database).map(|backup| backup.path).chain(sqlite::backups(database));
    all.filter(|path| check(path).is_ok())
        .max_by_key(|path| (last_turn(path), std::fs::metadata(path).and_then(|facts| facts.modified()).ok()))
}

fn names(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let file = entry.file_name().to_string_lossy().into_owned();
        Some((file.strip_prefix("nexi-")?.strip_suffix(".db")?.to_owned(), entry.path()))
    });
    named.collect()
}

/// Opens a copy, looks at every page of it, and counts what it holds.
fn look(path: &Path, name: String) -> Result<Backup, StoreError> {
    let bytes = std::fs::metadata(path).map_err(|source| StoreError::Folder { path: path.to_path_buf(), source })?.len();
    let connection = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let count = |table: &str| connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
    Ok(Backup { name, path: path.to_path_buf(), bytes, threads: count("threads")?, turns: count("turns")? })
}

/// Copies a database that others may be writing to, and keeps the copy only if it is whole.
fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let draft = to.with_extension("new");
    let _ = std::fs::remove_file(&draft);
    let copied = (|| {
        // A connection of its own: whoever writes meanwhile does not wait for this.
        let source = sqlite::connect(from, Durability::Precious)?;
        let mut target = Connection::open(&draft)?;
        sqlite::restrict(&draft)?;
        // A copy that others keep from being finished is none, though what there is of it may be whole.
        if Copying::new(&source, &mut target)?.step(-1)? != StepResult::Done {
            return Err(StoreError::InUse(from.to_path_buf()));
        }
        // One file, and nothing beside it.
        target.pragma_update_and_check(None, "journal_mode", "DELETE", |_| Ok(()))?;
        sqlite::check(&target, &draft)?;
        target.close().map_err(|(_, error)| error)?;
        let failed = |source| StoreError::Folder { path: to.to_path_buf(), source };
        files::sync_file(&draft).map_err(failed)?;
        std::fs::rename(&draft, to).map_err(failed)?;
        files::sync_folder(to).map_err(failed)
    })();
    if copied.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    copied
}

impl History {
    /// Makes today's copy where there is none yet, drops old ones, and takes out of all of them what was deleted for
    /// good. Returns the copy that was made. `today` is `YYYY-MM-DD`.
    ///
    /// # Errors
    /// When the copy cannot be written or is not whole; older ones are kept then.
    pub fn back_up(&self, today: &str) -> Result<Option<PathBuf>, StoreError> {
        let Some(database) = self.path() else { return Ok(None) };
        let folder = folder(&database);
        crate::paths::make_private(&folder)?;
        let path = folder.join(format!("nexi-{today}.db"));
        let failed = |source| StoreError::Folder { path: path.clone(), source };
        let _turn = files::lock_for_change(&path, files::LOCK_TIMEOUT).map_err(failed)?;
        let is_empty: bool = self.connection().query_row("SELECT NOT EXISTS (SELECT 1 FROM turns)", [], |row| row.get(0))?;
        let made = !is_empty && !path.exists();
        if made {
            copy(&database, &path)?;
            prune(&folder);
        }
        self.forget_in_backups(&folder)?;
        Ok(made.then_some(path))
    }

    /// Makes a copy before Nexi is updated, whatever copies there are; one that was made before is kept besides. Returns its
    /// name; none where there is nothing to be kept.
    ///
    /// # Errors
    /// When the copy cannot be written or is not whole.
    pub fn back_up_before_updating(&self) -> Result<Option<String>, StoreError> {
        let Some(database) = self.path() else { return Ok(None) };
        let folder = folder(&database);
        crate::paths::make_private(&folder)?;
        let is_empty: bool = self.connection().query_row("SELECT NOT EXISTS (SELECT 1 FROM turns)", [], |row| row.get(0))?;
        if is_empty {
            return Ok(None);
        }
        let path = stamped(&database, BEFORE_UPDATING);
        copy(&database, &path)?;
        prune(&folder);
        self.forget_in_backups(&folder)?;
        Ok(Some(backup_name(&path)))
    }

    /// Looks at every page; what is wrong, if anything is.
    pub fn look_through(&self) -> Option<String> {
        let database = self.path().unwrap_or_default();
        sqlite::check(&self.connection(), &database).err().map(|error| match error {
            StoreError::Damaged { message, .. } | StoreError::Corrupt(message) => message,
            other => other.to_string(),
        })
    }

    /// Where the database is; none for one in memory, and for one that no second connection can be made to.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.reader.as_ref()?;
        self.connection().path().map(PathBuf::from)
    }

    /// What was deleted for good goes out of the copies, too. Blocks for as long as reading and writing them takes.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn forget_in_all_backups(&self) -> Result<(), StoreError> {
        self.path().map_or(Ok(()), |database| self.forget_in_backups(&folder(&database)))
    }

    fn forget_in_backups(&self, folder: &Path) -> Result<(), StoreError> {
        let gone = forgotten(&self.connection())?;
        if gone.is_empty() {
            return Ok(());
        }
        // Copies that were made before a change of the format lie beside the library.
        let beside = self.path().into_iter().flat_map(|database| sqlite::backups(&database));
        let mut all = true;
        for path in names(folder).into_iter().map(|(_, path)| path).chain(beside) {
            // One that cannot be read keeps no other one from being cleaned; it is tried again the next time.
            if let Err(error) = forget_in(&path, &gone) {
                tracing::warn!(%error, path = %path.display(), "deleted research could not be taken out of a backup");
                all = false;
            }
        }
        if !all {
            return Ok(());
        }
        self.write(|transaction| {
            for id in &gone {
                transaction.execute("DELETE FROM forgotten WHERE thread_id = ?1", [id])?;
            }
            Ok(())
        })
    }

    /// Puts a copy in the place of the library, while Nexi runs. What was there is kept as a copy of its own, whose name
    /// is returned.
    ///
    /// # Errors
    /// When there is no such copy, it is damaged or newer than the program, a run is going on, or another program holds
    /// the library. Nothing has changed then.
    pub fn restore_backup(&self, name: &str) -> Result<String, StoreError> {
        let missing = || StoreError::Missing { what: "backup", id: name.to_owned() };
        let database = self.path().ok_or_else(missing)?;
        self.mark_interrupted()?;
        let running: bool =
            self.connection().query_row("SELECT EXISTS (SELECT 1 FROM turns WHERE state = 'running')", [], |row| row.get(0))?;
        if running {
            return Err(StoreError::AtWork);
        }
        let backup = backups(&database).into_iter().find(|backup| backup.name == name).ok_or_else(missing)?;
        check(&backup.path)?;
        // What was deleted for good does not come back.
        self.forget_in_backups(&folder(&database))?;
        let gone = forgotten(&self.connection())?;
        let kept = stamped(&database, BEFORE_RESTORING);
        copy(&database, &kept)?;
        let mut connection = self.connection();
        let sharing = Sharing::of(&connection);
        let source = Connection::open_with_flags(&backup.path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let done = Copying::new(&source, &mut connection)?.step(-1)?;
        if done != StepResult::Done {
            return Err(StoreError::InUse(database));
        }
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        MIGRATIONS.to_latest(&mut connection).map_err(|error| StoreError::Damaged { path: database, message: error.to_string() })?;
        forget(&connection, &gone)?;
        clear_queues(&connection, &sharing)?;
        Ok(backup_name(&kept))
    }
}

/// What was deleted for good and may still stand in copies: threads, and turns that were deleted alone.
pub(super) fn forgotten(library: &Connection) -> Result<Vec<String>, StoreError> {
    let mut statement = library.prepare("SELECT thread_id FROM forgotten")?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// Takes this out of a library that may hold it, and lets it go on knowing that copies may.
pub(super) fn forget(library: &Connection, gone: &[String]) -> Result<(), StoreError> {
    take_out(library, gone)?;
    for id in gone {
        library.execute("INSERT OR IGNORE INTO forgotten (thread_id) VALUES (?1)", [id])?;
    }
    Ok(())
}

/// Takes this out of a copy.
fn forget_in(path: &Path, gone: &[String]) -> Result<(), StoreError> {
    let copy = sqlite::connect(path, Durability::Precious)?;
    take_out(&copy, gone)?;
    // The oldest formats have no such index.
    if let Err(error) = copy.execute_batch("INSERT INTO turns_fts(turns_fts) VALUES ('optimize')") {
        tracing::info!(%error, path = %path.display(), "the index of a backup was left as it is");
    }
    Ok(())
}

/// Removes threads, turns, memories and spaces from a library of any format.
fn take_out(library: &Connection, gone: &[String]) -> Result<(), StoreError> {
    let marks = vec!["?"; gone.len()].join(",");
    library.execute(&format!("DELETE FROM threads WHERE id IN ({marks})"), params_from_iter(gone))?;
    deletion::forget_turns(library, gone)?;
    for table in ["memories", "spaces"] {
        if sqlite::has_table(library, table)? {
            library.execute(&format!("DELETE FROM {table} WHERE id IN ({marks})"), params_from_iter(gone))?;
        }
    }
    Ok(())
}

/// What was waiting when a copy was made has been delivered since, or given up.
fn clear_queues(library: &Connection, sharing: &Sharing) -> Result<(), StoreError> {
    library.execute("DELETE FROM deliveries WHERE next_ms IS NOT NULL", [])?;
    sharing.carry_over(library)
}

/// Where a copy goes that is made now for a reason, by which its name ends.
fn stamped(database: &Path, reason: &str) -> PathBuf {
    let stamp = jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S").to_string();
    // Higher than all of the same second: their names are in the order in which they were made.
    let of_now = |(name, _): (String, PathBuf)| name.strip_prefix(&stamp)?.strip_prefix('-')?.split('-').next()?.parse::<u32>().ok();
    let count = names(&folder(database)).into_iter().filter_map(of_now).max().unwrap_or_default() + 1;
    folder(database).join(format!("nexi-{stamp}-{count}{reason}.db"))
}

/// Puts a copy in the place of a library that cannot be opened; that one is moved aside, and where to is returned.
///
/// # Errors
/// When there is no such copy, it is damaged, or Nexi runs.
pub fn restore_unopened(database: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let backup = backups(database).into_iter().find(|backup| backup.name == name);
    let backup = backup.ok_or_else(|| StoreError::Missing { what: "backup", id: name.to_owned() })?;
    replace(&draft_of(database, &backup.path)?, database)
}

/// Puts a copy in the place of a library that a later version has changed. That one is kept as a backup, for whoever comes
/// back to the later version; its name is returned.
///
/// # Errors
/// When the copy is damaged or newer than the program, or a folder cannot be written. Nothing has changed then.
pub fn go_back(database: &Path, older: &Path) -> Result<String, StoreError> {
    let failed = |source| StoreError::Folder { path: database.to_path_buf(), source };
    let draft = draft_of(database, older)?;
    crate::paths::make_private(&folder(database))?;
    let kept = stamped(database, BEFORE_GOING_BACK);
    copy(database, &kept)?;
    files::sync_file(&draft).map_err(failed)?;
    // A log that stays would be applied to whatever comes in the place of its database.
    for end in ["-wal", "-shm"].into_iter().filter(|end| beside(database, end).exists()) {
        std::fs::remove_file(beside(database, end)).map_err(failed)?;
    }
    std::fs::rename(&draft, database).map_err(failed)?;
    files::sync_folder(database).map_err(failed)?;
    prune(&folder(database));
    Ok(backup_name(&kept))
}

/// A library of this version's format, made from a copy, that can take the place of one.
fn draft_of(database: &Path, from: &Path) -> Result<PathBuf, StoreError> {
    check(from)?;
    let draft = database.with_extension("restored");
    copy(from, &draft)?;
    // What was deleted for good does not come back, as far as the library can still tell.
    let library = Connection::open_with_flags(database, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).ok();
    {
        let sharing = library.as_ref().map(Sharing::of).unwrap_or_default();
        let gone = library.and_then(|library| forgotten(&library).ok()).unwrap_or_default();
        let mut connection = sqlite::connect(&draft, Durability::Precious)?;
        // Of an older format it may not know yet what was forgotten.
        MIGRATIONS.to_latest(&mut connection).map_err(|error| StoreError::Damaged { path: draft.clone(), message: error.to_string() })?;
        forget(&connection, &gone)?;
        clear_queues(&connection, &sharing)?;
        connection.close().map_err(|(_, error)| error)?;
    }
    Ok(draft)
}

/// Puts a file in the place of a library, which is kept aside; where is returned. Where there is room for both, at no
/// moment is there no library: the next start would begin an empty one.
pub(super) fn replace(draft: &Path, database: &Path) -> Result<PathBuf, StoreError> {
    let failed = |source| StoreError::Folder { path: database.to_path_buf(), source };
    files::sync_file(draft).map_err(failed)?;
    let aside = set_aside(database)?;
    std::fs::rename(draft, database).map_err(failed)?;
    files::sync_folder(database).map_err(failed)?;
    Ok(aside)
}

/// Keeps a library under another name, which is returned, and its log with it. What is kept is a copy where there is room
/// for one, so that a crash leaves both whole.
fn set_aside(database: &Path) -> Result<PathBuf, StoreError> {
    let failed = |source| StoreError::Folder { path: database.to_path_buf(), source };
    let stamp = jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S").to_string();
    let aside = database.with_extension(format!("{stamp}.damaged.db"));
    let ends = || ["-wal", "-shm"].into_iter().filter(|end| beside(database, end).exists());
    let copied = std::fs::copy(database, &aside)
        .and_then(|_| ends().try_for_each(|end| std::fs::copy(beside(database, end), beside(&aside, end)).map(drop)))
        .and_then(|()| files::sync_file(&aside));
    if copied.is_ok() {
        // A log that stays would be applied to whatever comes in the place of its database.
        return ends().try_for_each(|end| std::fs::remove_file(beside(database, end))).map(|()| aside).map_err(failed);
    }
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(&aside, end));
    }
    for end in ends() {
        std::fs::rename(beside(database, end), beside(&aside, end)).map_err(failed)?;
    }
    if let Err(error) = std::fs::rename(database, &aside) {
        // Nothing has changed then.
        for end in ["-wal", "-shm"] {
            let _ = std::fs::rename(beside(&aside, end), beside(database, end));
        }
        return Err(failed(error));
    }
    Ok(aside)
}

/// A file that SQLite keeps beside a database.
fn beside(database: &Path, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{end}", database.display()))
}

/// The name of a backup by its file.
fn backup_name(path: &Path) -> String {
    let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    file.trim_start_matches("nexi-").to_owned()
}

/// Whether a copy is whole, and not of a later version.
fn check(path: &Path) -> Result<(), StoreError> {
    let connection = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    sqlite::check(&connection, path)?;
    match MIGRATIONS.current_version(&connection) {
        Ok(rusqlite_migration::SchemaVersion::Outside(_)) => Err(StoreError::TooNew(path.to_path_buf())),
        _ => Ok(()),
    }
}

/// Keeps the newest days, and of the days before them the newest one of each week.
fn prune(folder: &Path) {
    let is_day = |name: &str| name.parse::<jiff::civil::Date>().ok();
    let mut days: Vec<(jiff::civil::Date, PathBuf)> =
        names(folder).into_iter().filter_map(|(name, path)| Some((is_day(&name)?, path))).collect();
    days.sort_by_key(|day| std::cmp::Reverse(day.0));
    // Of those that were made for a reason as many are kept as there are weekly ones.
    for reason in REASONS {
        let mut before: Vec<PathBuf> = names(folder).into_iter().filter(|(name, _)| name.ends_with(reason)).map(|(_, path)| path).collect();
        before.sort();
        let many = before.len().saturating_sub(WEEKS);
        for path in before.into_iter().take(many) {
            if let Err(error) = std::fs::remove_file(&path) {
                tracing::warn!(%error, path = %path.display(), "an old backup could not be removed");
            }
        }
    }
    let mut weeks = BTreeSet::new();
    for (day, path) in days.into_iter().skip(DAYS) {
        let week = (day.iso_week_date().year(), day.iso_week_date().week());
        if weeks.contains(&week) || weeks.len() == WEEKS {
            if let Err(error) = std::fs::remove_file(&path) {
                tracing::warn!(%error, path = %path.display(), "an old backup could not be removed");
            }
        } else {
            weeks.insert(week);
        }
    }
}

#[cfg(test)]
mod tests;

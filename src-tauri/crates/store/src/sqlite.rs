//! Opening a database file the same careful way everywhere.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, MAIN_DB};
use rusqlite_migration::{Migrations, SchemaVersion};

use crate::{StoreError, lock::take_within, suspended};

/// Backups kept beside the database.
const BACKUPS: usize = 3;

/// How long another process may take to open the same file, migration and backup included.
const OPENING_WAIT: Duration = Duration::from_secs(60);

/// How much a file matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Cannot be made again: every commit reaches the disk, and a backup is made before migrating.
    Precious,
    /// Can be built again.
    Rebuildable,
}

/// Opens or creates what is precious and brings it up to date, one process at a time.
pub(crate) fn open(path: &Path, migrations: &Migrations<'_>) -> Result<Connection, StoreError> {
    let _only = opening(path)?;
    open_with_room(path, migrations, Durability::Precious)
}

/// Makes a file that no other process knows of.
pub(crate) fn open_unlocked(path: &Path, migrations: &Migrations<'_>) -> Result<Connection, StoreError> {
    open_alone(path, migrations, Durability::Precious, Index::Shared)
}

/// Opens a file, even where the disk has no room for the index of its write-ahead log. The index is then
/// held in memory, which shuts other processes out; without such a file there are none yet.
fn open_with_room(path: &Path, migrations: &Migrations<'_>, durability: Durability) -> Result<Connection, StoreError> {
    match open_alone(path, migrations, durability, Index::Shared) {
        Err(StoreError::DiskFull) if path.exists() => {
            tracing::warn!(file = %path.display(), "the disk is full; the file is opened for this process alone");
            open_alone(path, migrations, durability, Index::InMemory)
        }
        other => other,
    }
}

/// Where the index of the write-ahead log is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Index {
    /// In a file of its own, for all processes.
    Shared,
    InMemory,
}

/// Whether this connection shuts out all others.
pub(crate) fn is_exclusive(connection: &Connection) -> bool {
    connection.pragma_query_value(None, "locking_mode", |row| row.get::<_, String>(0)).is_ok_and(|mode| mode == "exclusive")
}

/// The right to open this file, until it is dropped. Several processes that make, migrate or replace the
/// same file at once would take each other's halves for damage.
fn opening(path: &Path) -> Result<File, StoreError> {
    let data = path.parent().unwrap_or_else(|| Path::new("."));
    let folder = data.join("locks");
    crate::paths::make_private(data)?;
    crate::paths::make_private(&folder)?;
    let lock = folder.join(path.file_name().unwrap_or_default());
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&lock);
    let file = file.map_err(|source| StoreError::Folder { path: lock.clone(), source })?;
    let begun = Instant::now();
    loop {
        match take_within(&file, suspended::LOOK) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if begun.elapsed() > OPENING_WAIT => return Err(StoreError::InUse(path.to_path_buf())),
            Err(TryLockError::WouldBlock) => suspended::holder(&lock).map_or(Ok(()), |pid| Err(StoreError::Suspended { pid }))?,
            // Some file systems have no locks; SQLite's own remain.
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, path = %path.display(), "opened without a lock");
                return Ok(file);
            }
        }
    }
}

fn open_alone(path: &Path, migrations: &Migrations<'_>, durability: Durability, index: Index) -> Result<Connection, StoreError> {
    let is_new = !path.exists();
    let mut connection = connect_with(path, durability, index)?;
    if is_new {
        restrict(path)?;
        // A larger page makes the file with its full-text index a third smaller.
        connection.pragma_update(None, "page_size", 16384)?;
    }
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(|error| failed(path, error))?;
    tracing::debug!(path = %path.display(), mode, "database opened");
    match migrations.current_version(&connection) {
        Ok(SchemaVersion::Outside(_)) => return Err(StoreError::TooNew(path.to_path_buf())),
        Ok(_) => {}
        Err(error) => return Err(not_migrated(path, error)),
    }
    let pending = migrations.pending_migrations(&connection).unwrap_or(1);
    if pending > 0 {
        if !is_new && durability == Durability::Precious {
            check(&connection, path)?;
            back_up(&connection, path)?;
        }
        migrations.to_latest(&mut connection).map_err(|error| not_migrated(path, error))?;
    }
    Ok(connection)
}

/// Opens what can be built again: a damaged file is replaced by an empty one.
pub(crate) fn open_rebuildable(path: &Path, migrations: &Migrations<'_>) -> Result<Connection, StoreError> {
    let _only = opening(path)?;
    match open_with_room(path, migrations, Durability::Rebuildable) {
        Err(error @ (StoreError::Damaged { .. } | StoreError::TooNew(_))) => {
            tracing::warn!(%error, file = %path.display(), "the file is built again");
            remove(path);
            open_alone(path, migrations, Durability::Rebuildable, Index::Shared)
        }
        other => other,
    }
}

/// Removes a database whose contents can be made again where a mark beside it says that it is damaged, and then the mark.
pub(crate) fn forget_marked(path: &Path, mark: &Path) -> Result<(), StoreError> {
    if !mark.exists() {
        return Ok(());
    }
    let _only = opening(path)?;
    // Somebody else may have done so meanwhile.
    if mark.exists() {
        remove(path);
        // Where another program has it open, it may still be there.
        if !path.exists() {
            let _ = std::fs::remove_file(mark);
        }
    }
    Ok(())
}

fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}

/// A database that is nowhere but in memory.
pub(crate) fn open_in_memory(migrations: &Migrations<'_>) -> Result<Connection, StoreError> {
    let mut connection = Connection::open_in_memory()?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // What does not fit into memory must not reach the disk, either.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    let failed = |error: rusqlite_migration::Error| StoreError::Damaged { path: PathBuf::from(":memory:"), message: error.to_string() };
    migrations.to_latest(&mut connection).map_err(failed)?;
    Ok(connection)
}

/// A further connection to a database that [`open`] has prepared.
pub(crate) fn connect(path: &Path, durability: Durability) -> Result<Connection, StoreError> {
    connect_with(path, durability, Index::Shared)
}

fn connect_with(path: &Path, durability: Durability, index: Index) -> Result<Connection, StoreError> {
    suspended::watch(path);
    let ready = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(path)?;
        connection.busy_handler(Some(suspended::waits))?;
        if index == Index::InMemory {
            // Before anything that reads the file, which would make the index.
            connection.pragma_update_and_check(None, "locking_mode", "EXCLUSIVE", |_| Ok(()))?;
        }
        connection.pragma_update(None, "synchronous", if durability == Durability::Precious { "FULL" } else { "NORMAL" })?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        // What is deleted is gone, and not just out of sight.
        connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
        Ok(connection)
    };
    ready().map_err(|error| failed(path, error))
}

/// SQLite's quick check, for a file that was closed in an unknown state.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let result: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0)).map_err(|error| failed(path, error))?;
    if result == "ok" { Ok(()) } else { Err(StoreError::Damaged { path: path.to_path_buf(), message: result }) }
}

/// What a failure to open means. Only a file that is wrong in itself counts as damaged: one that
/// somebody uses, or that a full disk keeps from being written, is whole.
fn failed(path: &Path, error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode as Code;
    match error.sqlite_error_code() {
        Some(Code::NotADatabase | Code::DatabaseCorrupt | Code::Unknown) => {
            StoreError::Damaged { path: path.to_path_buf(), message: error.to_string() }
        }
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            suspended::writer().map_or_else(|| StoreError::InUse(path.to_path_buf()), |pid| StoreError::Suspended { pid })
        }
        _ => error.into(),
    }
}

/// The same for a schema that could not be brought up to date, which nothing but the file can be at fault
/// for where the machine is not.
fn not_migrated(path: &Path, error: rusqlite_migration::Error) -> StoreError {
    use rusqlite::ErrorCode as Code;
    let damaged = |message| StoreError::Damaged { path: path.to_path_buf(), message };
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => match err.sqlite_error_code() {
            None | Some(Code::ConstraintViolation | Code::TypeMismatch) => damaged(err.to_string()),
            _ => failed(path, err),
        },
        other => damaged(other.to_string()),
    }
}

fn back_up(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let stamp = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map(|time| time.as_secs()).unwrap_or_default();
    let target = path.with_extension(format!("{stamp}.backup"));
    connection.backup(MAIN_DB, &target, None)?;
    restrict(&target)?;
    for path in backups(path).iter().rev().skip(BACKUPS) {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Whether a database has a table: older formats have fewer.
pub(crate) fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ?1)", [name], |row| row.get(0))
}

/// A word of a full-text expression, which nothing in it can be taken for.
pub(crate) fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

/// The copies of a database that were made before migrations, oldest first.
pub(crate) fn backups(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "backup") && path.to_string_lossy().contains(&format!("{stem}.")))
        .collect();
    all.sort();
    all
}

pub(crate) fn restrict(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
            .map_err(|source| StoreError::Folder { path: path.to_path_buf(), source })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CachedPages, DocumentIndex, History};

    #[test]
    fn many_may_open_a_new_folder_at_once() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            std::thread::scope(|scope| {
                for _ in 0..6 {
                    scope.spawn(|| {
                        let history = History::open(&path("nexi.db")).unwrap();
                        let pages = CachedPages::open(&path("pages.db"), 1).unwrap();
                        let index = DocumentIndex::open(&path("documents.db")).unwrap();
                        drop((history, pages, index));
                    });
                }
            });
            assert_eq!(backups(&path("nexi.db")), Vec::<PathBuf>::new(), "nothing was there to be backed up");
        }
    }

    #[test]
    fn a_file_in_use_is_whole_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.db");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE kept (x); BEGIN EXCLUSIVE; INSERT INTO kept VALUES (1)").unwrap();
        let error = CachedPages::open(&path, 1).err().unwrap();
        assert!(matches!(error, StoreError::InUse(_)), "{error}");
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(other.query_row("SELECT count(*) FROM kept", [], |row| row.get(0)), Ok(1));
        assert_eq!(Connection::open(&path).unwrap().query_row("SELECT count(*) FROM kept", [], |row| row.get(0)), Ok(1));
    }
}

//! Opening a database file the same careful way everywhere.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, MAIN_DB};
use rusqlite_migration::{Migrations, SchemaVersion};

use crate::StoreError;

/// Backups kept beside the database.
const BACKUPS: usize = 3;

/// How much a file matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    /// Cannot be made again: every commit reaches the disk, and a backup is made before migrating.
    Precious,
    /// Can be built again.
    Rebuildable,
}

/// Opens or creates a database and brings it up to date.
pub(crate) fn open(path: &Path, migrations: &Migrations<'_>, worth: Worth) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent() {
        crate::paths::make_private(folder)?;
    }
    let is_new = !path.exists();
    let mut connection = connect(path, worth).map_err(|error| match error {
        StoreError::Sqlite(error) if is_damage(&error) => damaged(path, &error),
        other => other,
    })?;
    if is_new {
        restrict(path)?;
        // A larger page makes the file with its full-text index a third smaller.
        connection.pragma_update(None, "page_size", 16384)?;
    }
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0)).map_err(|error| damaged(path, &error))?;
    tracing::debug!(path = %path.display(), mode, "database opened");
    match migrations.current_version(&connection) {
        Ok(SchemaVersion::Outside(_)) => return Err(StoreError::TooNew(path.to_path_buf())),
        Ok(_) => {}
        Err(error) => return Err(StoreError::Damaged { path: path.to_path_buf(), message: error.to_string() }),
    }
    let pending = migrations.pending_migrations(&connection).unwrap_or(1);
    if pending > 0 {
        if !is_new && worth == Worth::Precious {
            check(&connection, path)?;
            back_up(&connection, path)?;
        }
        migrate(&mut connection, migrations, path)?;
    }
    Ok(connection)
}

/// Opens what can be built again: a damaged file is replaced by an empty one.
pub(crate) fn open_rebuildable(path: &Path, migrations: &Migrations<'_>) -> Result<Connection, StoreError> {
    match open(path, migrations, Worth::Rebuildable) {
        Err(StoreError::Damaged { message, .. }) => {
            tracing::warn!(message, file = %path.display(), "the file is damaged and is built again");
            for end in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{end}", path.display()));
            }
            open(path, migrations, Worth::Rebuildable)
        }
        other => other,
    }
}

/// Another process may be migrating the same new file; then there is nothing left to do.
fn migrate(connection: &mut Connection, migrations: &Migrations<'_>, path: &Path) -> Result<(), StoreError> {
    let mut last = None;
    for _ in 0..50 {
        match migrations.to_latest(connection) {
            Ok(()) => return Ok(()),
            Err(error) => last = Some(error),
        }
        if migrations.pending_migrations(connection).is_ok_and(|pending| pending <= 0) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let message = last.map(|error| error.to_string()).unwrap_or_default();
    Err(StoreError::Damaged { path: path.to_path_buf(), message })
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
pub(crate) fn connect(path: &Path, worth: Worth) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "synchronous", if worth == Worth::Precious { "FULL" } else { "NORMAL" })?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // What is deleted is gone, and not just out of sight.
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    Ok(connection)
}

/// SQLite's quick check, for a file that was closed in an unknown state.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let result: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0)).map_err(|error| damaged(path, &error))?;
    if result == "ok" { Ok(()) } else { Err(StoreError::Damaged { path: path.to_path_buf(), message: result }) }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt))
}

fn damaged(path: &Path, error: &rusqlite::Error) -> StoreError {
    StoreError::Damaged { path: path.to_path_buf(), message: error.to_string() }
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

fn restrict(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
            .map_err(|source| StoreError::Folder { path: path.to_path_buf(), source })?;
    }
    Ok(())
}

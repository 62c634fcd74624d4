//! Which process carries out a run: each holds a lock on a file of its own, and a lock that can be
//! taken belongs to a process that is gone.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::StoreError;

/// A locked file that says that this process runs; given up when dropped, or when the process dies.
#[derive(Debug)]
pub struct ProcessLease {
    id: String,
    path: PathBuf,
    _file: File,
}

impl ProcessLease {
    /// Takes a new lock in `data`, and clears away those of processes that are gone.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn take(data: &Path) -> Result<Self, StoreError> {
        let folder = data.join("locks");
        crate::paths::make_private(&folder)?;
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let id = entry.file_name().to_string_lossy().into_owned();
            if is_lease_id(&id) && !is_alive(data, &id) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        let id = uuid::Uuid::now_v7().simple().to_string();
        let path = folder.join(&id);
        let failed = |source| StoreError::Folder { path: path.clone(), source };
        // Made under another name, so that nobody takes it for dead before it is locked.
        let draft = data.join(format!("lock-{id}"));
        let file = OpenOptions::new().create_new(true).write(true).open(&draft).map_err(failed)?;
        file.try_lock().map_err(|error| failed(std::io::Error::other(error.to_string())))?;
        std::fs::rename(&draft, &path).map_err(failed)?;
        Ok(Self { id, path: path.clone(), _file: file })
    }

    /// What stands in the database beside the runs of this process.
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl Drop for ProcessLease {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Between two looks at whether a lock is free.
const PAUSE: Duration = Duration::from_millis(5);

/// Locks a file, and blocks for as long as others hold it, but not longer than this.
///
/// # Errors
/// When others hold it longer, or the file system has no locks.
pub fn take_within(file: &File, time_limit: Duration) -> Result<(), TryLockError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < time_limit => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
}

/// Locks a file of this name, for as long as what is returned is kept; none where another process has it, or there are no
/// locks.
pub fn try_exclusive(path: &Path) -> Option<File> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Whether the process that holds this lease still runs; true where that cannot be found out.
pub fn is_alive(data: &Path, id: &str) -> bool {
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    match File::open(data.join("locks").join(id)) {
        Ok(file) => file.try_lock_shared().is_err(),
        // Any other trouble says nothing about the process; taking a living one for dead would be worse.
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// Whether any process has this data folder open.
pub fn anybody_lives(data: &Path) -> bool {
    let ids = std::fs::read_dir(data.join("locks")).into_iter().flatten().flatten().map(|entry| entry.file_name());
    ids.map(|id| id.to_string_lossy().into_owned()).any(|id| is_lease_id(&id) && is_alive(data, &id))
}

fn is_lease_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_living_and_the_dead_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let one = ProcessLease::take(folder.path()).unwrap();
        let two = ProcessLease::take(folder.path()).unwrap();
        assert!(is_alive(folder.path(), one.id()) && is_alive(folder.path(), two.id()));
        let id = one.id().to_owned();
        drop(one);
        assert!(!is_alive(folder.path(), &id));
        assert!(!is_alive(folder.path(), "../nexi"));
    }
}

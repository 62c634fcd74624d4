//! Files that are replaced as a whole, by one process at a time.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::suspended;

/// Writes a file beside itself and moves it into place: a crash or a loss of power leaves the old
/// one or the new one. A link is followed, and a file keeps its permissions; what is no file is
/// left alone. `private` lets only the owner read it, from the first byte on.
///
/// # Errors
/// When the file or its draft cannot be written; there is no draft left then.
pub fn write_atomically(path: &Path, bytes: &[u8], private: bool) -> std::io::Result<()> {
    let path = target(path);
    let known = std::fs::metadata(&path).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "this is not a file"));
    }
    // Of its own for each writer: two that share one would move each other's halves into place.
    let draft = beside(&path, &format!("{}.new", uuid::Uuid::now_v7().simple()));
    let written: std::io::Result<()> = (|| {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let mut file = options.open(&draft)?;
        if let Some(known) = known.filter(|_| !private) {
            file.set_permissions(known.permissions())?;
        }
        std::io::Write::write_all(&mut file, bytes)?;
        file.sync_all()?;
        std::fs::rename(&draft, &path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written?;
    sync_folder(&path)
}

/// Writes a file through to the disk. Windows does so only for who may write.
///
/// # Errors
/// When it cannot be opened for writing.
pub fn sync_file(path: &Path) -> std::io::Result<()> {
    std::fs::OpenOptions::new().read(true).write(true).open(path)?.sync_all()
}

/// Writes the parent folder through to the disk, so that a rename in it survives a power loss. Does nothing outside of Unix.
///
/// # Errors
/// When the folder cannot be opened.
pub fn sync_folder(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        std::fs::File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?.sync_all()?;
    }
    Ok(())
}

/// How long a writer of a small file waits for others.
pub const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The right to change a file that several processes change; given back when dropped.
#[derive(Debug)]
pub struct FileLock(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] std::fs::File);

/// Waits until no other process changes this file. Who has the turn reads the file again before it writes.
///
/// # Errors
/// When the folder cannot be written, others change the file for longer than this, or one that does is suspended.
pub fn lock_for_change(path: &Path, time_limit: Duration) -> std::io::Result<FileLock> {
    let path = target(path);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let lock = beside(&path, "lock");
    let file = std::fs::OpenOptions::new().create(true).truncate(false).write(true).open(&lock)?;
    match file.try_lock() {
        Ok(()) => {
            remove_drafts(&path);
            return Ok(FileLock(file));
        }
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // The system lets those who wait in one after the other; whoever only tries again and again may never come in.
    let (sender, locked) = mpsc::channel();
    std::thread::Builder::new().name("waiting for a file".into()).spawn(move || {
        let result = file.lock().map(|()| FileLock(file));
        let _ = sender.send(result);
    })?;
    let refused = |words: String| Err(std::io::Error::new(std::io::ErrorKind::WouldBlock, words));
    let begun = Instant::now();
    loop {
        match locked.recv_timeout(suspended::LOOK.min(time_limit.saturating_sub(begun.elapsed()))) {
            Ok(result) => return result,
            Err(_) if begun.elapsed() >= time_limit => {
                return refused("another program is changing this file; try again in a moment".into());
            }
            Err(_) => {}
        }
        if let Some(pid) = suspended::holder(&lock) {
            return refused(suspended::words(pid));
        }
    }
}

/// Removes drafts of writers that went away in the middle. Only for who has the turn: drafts are written by nobody else.
fn remove_drafts(path: &Path) {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_draft = |file: &str| {
        let id = file.strip_prefix(&format!(".{name}.")).and_then(|rest| rest.strip_suffix(".new"));
        id.is_some_and(|id| uuid::Uuid::try_parse(id).is_ok())
    };
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_draft(&entry.file_name().to_string_lossy())) {
        if let Err(error) = std::fs::remove_file(entry.path()) {
            tracing::debug!(%error, "an old draft could not be removed");
        }
    }
}

/// Where a path leads, behind links.
fn target(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A hidden file beside another one.
fn beside(path: &Path, end: &str) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.{end}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn drafts_that_were_left_behind_go() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        write_atomically(&path, b"x", false).unwrap();
        let left = beside(&path, &format!("{}.new", uuid::Uuid::now_v7().simple()));
        let own = beside(&path, "mine.new");
        std::fs::write(&left, "half").unwrap();
        std::fs::write(&own, "kept").unwrap();
        let _turn = lock_for_change(&path, LOCK_TIMEOUT).unwrap();
        assert!(!left.exists() && own.exists());
    }

    #[test]
    fn links_are_followed_permissions_kept_and_devices_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.toml"), folder.path().join("link.toml"));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        write_atomically(&link, b"new", false).unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(
            (std::fs::read(&real).unwrap(), std::fs::metadata(&real).unwrap().permissions().mode() & 0o777),
            (b"new".to_vec(), 0o640)
        );
        write_atomically(&real, b"own", true).unwrap();
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        symlink("/dev/null", folder.path().join("device")).unwrap();
        assert!(write_atomically(&folder.path().join("device"), b"x", false).is_err());
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }
}

//! Who keeps a file from others without doing anything: a process that was suspended (Ctrl+Z, a debugger) in the
//! middle of a change. Waiting for it could take for ever.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a lock is waited for before somebody looks at who has it.
pub(crate) const LOOK: Duration = Duration::from_millis(300);
/// How long a database is waited for whose writer is at work.
const BUSY: Duration = Duration::from_secs(5);

/// The databases that this process has opened.
static DATABASES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Lets [`waits`] know of a database.
pub(crate) fn watch(database: &Path) {
    DATABASES.lock().unwrap_or_else(PoisonError::into_inner).insert(database.to_path_buf());
}

/// A busy handler for SQLite: waits for a writer that is at work, and no longer than a moment for one that is suspended.
pub(crate) fn waits(tries: i32) -> bool {
    const PAUSES: [u64; 8] = [1, 2, 5, 10, 20, 25, 25, 50];
    let tries = usize::try_from(tries).unwrap_or_default();
    let waited: u64 = PAUSES.iter().take(tries).sum::<u64>() + 50 * tries.saturating_sub(PAUSES.len()) as u64;
    let waited = Duration::from_millis(waited);
    if waited > BUSY {
        return false;
    }
    let looks = LOOK.as_millis() as u64;
    if waited >= LOOK && (waited.as_millis() as u64 / 50).is_multiple_of(looks / 50) && writer().is_some() {
        return false;
    }
    std::thread::sleep(Duration::from_millis(*PAUSES.get(tries).unwrap_or(&50)));
    true
}

/// A suspended process that keeps one of this process's databases from being written.
pub(crate) fn writer() -> Option<u32> {
    let mut databases = DATABASES.lock().unwrap_or_else(PoisonError::into_inner);
    databases.retain(|path| path.exists());
    let databases: Vec<PathBuf> = databases.iter().cloned().collect();
    // With a write-ahead log the locks are on the index of the log.
    databases.iter().find_map(|path| holder(&with_end(path, "-shm")).or_else(|| holder(path)))
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// The suspended process that holds a lock on this file, where the system tells.
#[cfg(target_os = "linux")]
pub(crate) fn holder(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path).ok()?;
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let holders = locks.lines().filter_map(|line| {
        // 1: POSIX  ADVISORY  WRITE 1234 fd:01:5678 120 120
        let fields: Vec<&str> = line.split_whitespace().collect();
        // Whoever has a database open holds a lock for reading, which keeps nobody from writing.
        let [_, "POSIX" | "FLOCK" | "OFDLCK", _, "WRITE", pid, place, ..] = fields.as_slice() else { return None };
        let inode: u64 = place.rsplit(':').next()?.parse().ok()?;
        (inode == file.ino()).then(|| pid.parse::<u32>().ok())?
    });
    // Files of other devices have the same numbers.
    let has_it_open = |pid: u32| {
        let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        open.filter_map(|entry| std::fs::metadata(entry.path()).ok()).any(|other| (other.dev(), other.ino()) == (file.dev(), file.ino()))
    };
    holders.filter(|pid| is_suspended(*pid)).find(|pid| has_it_open(*pid))
}

/// Elsewhere nobody is found; the usual limits of waiting remain.
#[cfg(not(target_os = "linux"))]
pub(crate) fn holder(_path: &Path) -> Option<u32> {
    None
}

#[cfg(target_os = "linux")]
fn is_suspended(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name before it may hold anything.
    stat.rsplit(')').next().is_some_and(|rest| matches!(rest.trim_start().chars().next(), Some('T' | 't')))
}

/// What a person is told about it.
pub(crate) fn words(pid: u32) -> String {
    nexi_messages::say!("errors-suspended", pid = pid.to_string())
}

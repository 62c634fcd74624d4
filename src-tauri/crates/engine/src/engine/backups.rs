//! Copies of the library, and what becomes of a damaged one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use nexi_store::{
    History, Paths, StoreError,
    history::{self, Backup, Salvaged},
    lock,
};

use super::{Engine, blocking, library::RETENTION_MS};
use crate::{EngineError, clock::local_time, driver::now_ms};

/// How often it is looked whether a new day has begun.
const AGAIN: Duration = Duration::from_secs(3600);

/// How long closing may take.
const CLOSING: Duration = Duration::from_secs(2);

/// The upkeep of the library that goes on beside everything else.
#[derive(Debug, Clone, Default)]
pub struct Upkeep(Arc<UpkeepState>);

#[derive(Debug, Default)]
struct UpkeepState {
    /// Whether the library is being copied or packed just now.
    busy: Mutex<bool>,
    done: Condvar,
    /// The program is about to end: what can wait waits.
    ending: AtomicBool,
}

impl Upkeep {
    fn set_busy(&self, busy: bool) {
        *self.0.busy.lock().unwrap_or_else(PoisonError::into_inner) = busy;
        self.0.done.notify_all();
    }

    /// Waits until a copy that is under way is finished, at most so long, and lets nothing new begin. Whether it is.
    pub fn finish(&self, most: Duration) -> bool {
        self.0.ending.store(true, Ordering::Relaxed);
        let busy = self.0.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.0.done.wait_timeout_while(busy, most, |busy| *busy);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Engine {
    /// Makes a copy of the library every day, beside everything else, for as long as the engine is there. A program that
    /// ends soon waits for it with [`Upkeep::finish`]; a copy that is not finished is made the next time.
    pub fn keep_backups(&self) -> Upkeep {
        let upkeep = Upkeep::default();
        let own = upkeep.clone();
        upkeep.set_busy(true);
        let history = Arc::downgrade(&self.inner.history);
        let spawned = std::thread::Builder::new().name("backup".into()).spawn(move || {
            while let Some(history) = history.upgrade() {
                own.set_busy(true);
                if let Err(error) = history.purge(now_ms() - RETENTION_MS) {
                    tracing::warn!(%error, "what was deleted long ago could not be removed");
                }
                let today = jiff::Zoned::now().strftime("%Y-%m-%d").to_string();
                match history.back_up(&today) {
                    Ok(Some(path)) => tracing::info!(path = %path.display(), "the library was backed up"),
                    Ok(None) => {}
                    Err(error) => tracing::warn!(%error, "the library could not be backed up"),
                }
                // What earlier versions and runs that broke off left unpacked.
                let packed = (|| {
                    let ending = || own.0.ending.load(Ordering::Relaxed);
                    while !ending() && history.pack_old_journals()? > 0 {}
                    if ending() { Ok(()) } else { history.shrink() }
                })();
                if let Err(error) = packed {
                    tracing::warn!(%error, "journals could not be packed");
                }
                drop(history);
                own.set_busy(false);
                std::thread::sleep(AGAIN);
            }
            own.set_busy(false);
        });
        if let Err(error) = spawned {
            upkeep.set_busy(false);
            tracing::warn!(%error, "the library could not be backed up");
        }
        upkeep
    }

    /// Leaves the library so that the next start need not look through it. Comes last, and takes no longer than a moment:
    /// what is not done then, that start does.
    pub async fn close(&self) {
        let history = self.inner.history.clone();
        if tokio::time::timeout(CLOSING, blocking(move || history.close())).await.is_err() {
            tracing::info!("the library was busy and could not be closed");
        }
    }

    /// All copies of the library, newest first.
    ///
    /// # Errors
    /// When the engine ends.
    pub async fn backups(&self) -> Result<Vec<Backup>, EngineError> {
        let database = self.paths().database();
        blocking(move || history::backups(&database)).await
    }

    /// Whether a question is being answered in this process.
    pub fn is_at_work(&self) -> bool {
        self.live().values().any(|live| !live.is_over())
    }

    /// Makes a copy of the library before Nexi is updated. Returns its name; none where there is nothing to be kept.
    ///
    /// # Errors
    /// When the copy cannot be written or is not whole.
    pub async fn back_up_before_updating(&self) -> Result<Option<String>, EngineError> {
        self.in_library(History::back_up_before_updating).await
    }

    /// Looks at every page of the library; what is wrong with it, if anything is.
    ///
    /// # Errors
    /// When the engine ends.
    pub async fn damage(&self) -> Result<Option<String>, EngineError> {
        let history = self.inner.history.clone();
        blocking(move || history.look_through()).await
    }

    /// Puts a copy in the place of the library. What was there is kept as a copy of its own, whose name is returned.
    ///
    /// # Errors
    /// When there is no such copy or it is damaged, or a run is going on. Nothing has changed then.
    pub async fn restore_backup(&self, name: &str) -> Result<String, EngineError> {
        if self.is_at_work() {
            return Err(EngineError::AtWork);
        }
        let (history, name) = (self.inner.history.clone(), name.to_owned());
        Ok(blocking(move || history.restore_backup(&name)).await??)
    }
}

/// Puts a copy in the place of a library that cannot be opened. Returns where that one is kept. Blocks.
///
/// # Errors
/// When Nexi runs, or the copy cannot be used.
pub fn restore_unopened(paths: &Paths, name: &str) -> Result<std::path::PathBuf, EngineError> {
    alone(paths)?;
    Ok(history::restore_unopened(&paths.database(), name)?)
}

/// A copy of the library that this version can read although it cannot read the library.
#[derive(Debug, Clone)]
pub struct OlderCopy {
    path: std::path::PathBuf,
    /// When it was made, in local time, such as `2026-05-01 17:30`, or the name of the backup.
    pub made: String,
}

impl From<&Backup> for OlderCopy {
    fn from(backup: &Backup) -> Self {
        Self { path: backup.path.clone(), made: backup.name.clone() }
    }
}

/// The newest copy that this version can read of a library that a later version has changed. Blocks.
#[must_use]
pub fn older_copy(paths: &Paths) -> Option<OlderCopy> {
    let path = history::newest_readable(&paths.database())?;
    let made = std::fs::metadata(&path).and_then(|facts| facts.modified()).ok().and_then(|time| jiff::Timestamp::try_from(time).ok())?;
    Some(OlderCopy { path, made: local_time(made.as_millisecond()) })
}

/// Puts such a copy in the place of the library, which is kept as a backup for the later version. Returns the name of that
/// backup. Blocks.
///
/// # Errors
/// When Nexi runs, or the copy cannot be used. Nothing has changed then.
pub fn go_back(paths: &Paths, older: &OlderCopy) -> Result<String, EngineError> {
    alone(paths)?;
    Ok(history::go_back(&paths.database(), &older.path)?)
}

/// Reads what can be read of a damaged library into a new one, which takes its place. Blocks.
///
/// # Errors
/// When Nexi runs, or nothing can be read.
pub fn salvage(paths: &Paths) -> Result<Salvaged, EngineError> {
    alone(paths)?;
    Ok(history::salvage(&paths.database())?)
}

/// Nobody else may be at work on a file that is replaced.
fn alone(paths: &Paths) -> Result<(), EngineError> {
    if lock::anybody_lives(&paths.data) { Err(StoreError::InUse(paths.database()).into()) } else { Ok(()) }
}

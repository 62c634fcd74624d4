//! Folders that are watched: what changes in them is in the index soon after.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;

/// Watches folders until it is dropped.
pub struct FolderWatch {
    /// None where the system cannot watch them; they are looked at now and then all the same.
    watcher: Mutex<Option<RecommendedWatcher>>,
    watched: Mutex<Vec<PathBuf>>,
    changed: Arc<Notify>,
}

impl Default for FolderWatch {
    fn default() -> Self {
        Self::new()
    }
}

impl FolderWatch {
    /// Watches nothing yet.
    pub fn new() -> Self {
        let changed = Arc::new(Notify::new());
        let told = changed.clone();
        let heard = move |event: notify::Result<Event>| {
            // Reading a file changes nothing.
            if event.is_ok_and(|event| !matches!(event.kind, EventKind::Access(_))) {
                told.notify_one();
            }
        };
        let watcher = notify::recommended_watcher(heard).inspect_err(|error| tracing::info!(%error, "folders cannot be watched")).ok();
        Self { watcher: Mutex::new(watcher), watched: Mutex::default(), changed }
    }

    /// Watches these folders and no others. Blocks.
    pub fn watch(&self, roots: &[PathBuf]) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(watcher) = watcher.as_mut() else { return };
        for gone in watched.iter().filter(|folder| !roots.contains(folder)) {
            let _ = watcher.unwatch(gone);
        }
        let mut now = Vec::new();
        for root in roots {
            if watched.contains(root) {
                now.push(root.clone());
                continue;
            }
            match watcher.watch(root, RecursiveMode::Recursive) {
                Ok(()) => now.push(root.clone()),
                // The system has a limit for how many folders may be watched.
                Err(error) => tracing::info!(%error, folder = %root.display(), "a folder is not watched"),
            }
        }
        *watched = now;
    }

    /// Lets who waits for a change look at once.
    pub fn look_again(&self) {
        self.changed.notify_one();
    }

    /// Waits until something has changed in one of the folders.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    // Other systems report changes late, and some from before the watching began.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn changes_are_heard_and_reading_is_none() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(folder.path().join("deep")).unwrap();
        let watch = FolderWatch::new();
        watch.watch(&[folder.path().to_path_buf()]);
        let heard = async || tokio::time::timeout(Duration::from_secs(10), watch.changed()).await.is_ok();
        std::fs::write(folder.path().join("deep/a.md"), "x").unwrap();
        assert!(heard().await);
        // Several changes may be told one after the other.
        while tokio::time::timeout(Duration::from_millis(50), watch.changed()).await.is_ok() {}
        std::fs::read(folder.path().join("deep/a.md")).unwrap();
        watch.watch(&[other.path().to_path_buf()]);
        std::fs::write(folder.path().join("b.md"), "x").unwrap();
        assert!(tokio::time::timeout(Duration::from_millis(50), watch.changed()).await.is_err(), "it is watched no longer");
        std::fs::write(other.path().join("c.md"), "x").unwrap();
        assert!(heard().await);
    }
}

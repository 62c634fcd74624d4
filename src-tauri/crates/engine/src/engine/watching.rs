//! Keeping the index up to date while documents change.

use std::time::Duration;

use super::{Engine, blocking};
use crate::documents::FolderWatch;

/// Changes come in bursts; so long nothing must have changed.
const DEBOUNCE: Duration = Duration::from_millis(1200);
/// A burst that does not end is not waited for any longer than this.
const MAX_DEBOUNCE: Duration = Duration::from_secs(15);
/// Where the system tells of no changes, folders are looked at this often.
const POLL_INTERVAL: Duration = Duration::from_secs(600);

impl Engine {
    /// Brings the index up to date, and again whenever something has changed in the folders of the settings.
    /// `changed` is called when other documents can be found. Never ends.
    pub async fn keep_documents(&self, changed: impl Fn() + Send + Sync) {
        let watch = self.inner.watch.get_or_init(FolderWatch::new);
        loop {
            let roots = self.roots(&self.settings(), &[]);
            let (engine, watched) = (self.clone(), roots.clone());
            let _ = blocking(move || engine.inner.watch.get_or_init(FolderWatch::new).watch(&watched)).await;
            // What was looked at a moment ago has changed since.
            self.inner.synced.lock().await.clear();
            match self.sync_folders(roots, |_, _| {}).await {
                Ok(synced) => {
                    let forgotten = self.forget_unnamed(false).await.unwrap_or_else(|error| {
                        tracing::error!(%error, "documents of folders that are named no longer could not be forgotten");
                        0
                    });
                    if synced.indexed > 0 || synced.removed + forgotten > 0 {
                        self.build_vectors_in_background();
                        changed();
                    }
                    self.read_scans_in_background();
                }
                Err(error) => tracing::error!(%error, "the documents could not be indexed"),
            }
            let _ = tokio::time::timeout(POLL_INTERVAL, watch.changed()).await;
            let _ =
                tokio::time::timeout(MAX_DEBOUNCE, async { while tokio::time::timeout(DEBOUNCE, watch.changed()).await.is_ok() {} }).await;
        }
    }

    /// The folders of the settings may be other ones now.
    pub(super) fn watch_anew(&self) {
        if let Some(watch) = self.inner.watch.get() {
            watch.look_again();
        }
    }
}

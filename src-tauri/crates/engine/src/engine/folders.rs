//! The folders of documents: which they are, and their index.

use nexi_core::protocol::Notice;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nexi_core::{protocol::Event, settings::Settings};
use nexi_store::documents::{IndexedRoot, KeepRoots};
use nexi_store::paths::expand_home;
use nexi_store::settings_file::Change;
use nexi_store::{History, Paths};
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Engine, EngineError, blocking};
use crate::{
    documents::{self, FolderStatus, Synced},
    driver::now_ms,
    live::Live,
    log,
};

/// Folders that were looked at this recently are not looked at again.
const FRESH: Duration = Duration::from_secs(2);

/// Where no file has become ready for so long, a question goes on with those that are.
const STALLED: Duration = Duration::from_secs(8);
/// So long the index holds what was only given with a question.
const KEPT_UNNAMED_MS: i64 = 7 * 24 * 3600 * 1000;
/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Files that are being read into the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct IndexingProgress {
    #[ts(type = "number")]
    pub done: usize,
    #[ts(type = "number")]
    pub total: usize,
}

/// Whether a folder of the settings is this one.
pub fn is_same_folder(known: &str, folder: &Path) -> bool {
    let real = |path: PathBuf| dunce::canonicalize(&path).unwrap_or(path);
    real(expand_home(known)) == real(folder.to_path_buf())
}

/// Whether this is a folder or a file that may be opened.
pub(super) fn can_be_read(root: &Path) -> bool {
    if root.is_file() { std::fs::File::open(root).is_ok() } else { std::fs::read_dir(root).is_ok() }
}

impl Engine {
    /// Adds a folder to those that are searched; false where it is among them already, by whatever name.
    ///
    /// # Errors
    /// When the folder cannot be used, or what stands in the file cannot: it would be lost.
    pub fn add_folder(&self, folder: &Path) -> Result<bool, EngineError> {
        self.check_intact("documents.folders")?;
        let mut folders = self.settings().documents.folders;
        if folders.iter().any(|known| is_same_folder(known, folder)) {
            return Ok(false);
        }
        folders.push(folder.display().to_string());
        self.set_folders(folders)?;
        Ok(true)
    }

    /// Takes a folder out of those that are searched; false where it is not among them.
    ///
    /// # Errors
    /// As for [`Engine::add_folder`].
    pub fn remove_folder(&self, folder: &Path) -> Result<bool, EngineError> {
        self.check_intact("documents.folders")?;
        let folders = self.settings().documents.folders;
        let rest: Vec<String> = folders.iter().filter(|known| !is_same_folder(known, folder)).cloned().collect();
        if rest.len() == folders.len() {
            return Ok(false);
        }
        self.set_folders(rest)?;
        Ok(true)
    }

    fn set_folders(&self, folders: Vec<String>) -> Result<(), EngineError> {
        self.change_settings(&[Change { path: vec!["documents".into(), "folders".into()], value: folders.into() }])?;
        Ok(())
    }

    /// Brings the index of the settings' folders and the handbook up to date.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub async fn sync_documents(&self, progress: impl Fn(usize, usize) + Send + Sync + 'static) -> Result<Synced, EngineError> {
        let roots = self.roots(&self.settings(), &[]);
        let mut synced = self.sync_folders(roots, progress).await?;
        synced.removed += self.forget_unnamed(false).await?;
        Ok(synced)
    }

    /// Forgets the documents of folders that nobody names any more: no setting, no space, no watched question, and no question
    /// of the last days. Returns how many went. `quickly` looks at folders alone: documents that an earlier version left stay.
    ///
    /// # Errors
    /// When the index or the library refuses.
    pub async fn forget_unnamed(&self, quickly: bool) -> Result<usize, EngineError> {
        // A file that cannot be understood names folders all the same.
        if !self.mistakes().is_empty() {
            return Ok(0);
        }
        let mut names: Vec<String> = self.settings().documents.folders;
        names.push(self.inner.paths.handbook().to_string_lossy().into_owned());
        names.extend(self.spaces().await?.into_iter().flat_map(|space| space.folders));
        names.extend(self.in_library(History::watched).await?.into_iter().flat_map(|watched| watched.how.folders));
        let (index, settings) = (self.inner.index.clone(), &self.inner.paths.settings);
        let named_by = std::path::absolute(settings).unwrap_or_else(|_| settings.clone()).to_string_lossy().into_owned();
        // Another settings file may have named what was never noted.
        let keep_unknown = quickly || !Paths::new(None, None).is_ok_and(|usual| usual.settings == *settings);
        // Nothing is forgotten while it is being read.
        let _synced = self.inner.synced.lock().await;
        blocking(move || {
            let used_after_ms = now_ms() - KEPT_UNNAMED_MS;
            let mut keep = KeepRoots { named_by, used_after_ms, keep_unknown, ..KeepRoots::default() };
            let mut named = BTreeMap::new();
            for name in names {
                match dunce::canonicalize(expand_home(&name)) {
                    Ok(path) => drop(named.entry(path.to_string_lossy().into_owned()).or_insert(name)),
                    Err(_) => keep.unreachable.push(name),
                }
            }
            keep.named = named.into_iter().map(|(path, name)| IndexedRoot { path, name }).collect();
            let gone = index.keep_only(&keep, now_ms())?;
            if gone > 0 {
                tracing::info!(gone, "documents of folders that are named no longer were forgotten");
            }
            Ok(gone)
        })
        .await?
    }

    pub(super) async fn sync_folders(
        &self,
        roots: Vec<PathBuf>,
        progress: impl Fn(usize, usize) + Send + Sync + 'static,
    ) -> Result<Synced, EngineError> {
        let waiting = CancellationToken::new();
        // No progress is reported once the caller has stopped waiting.
        let _told_until_here = waiting.clone().drop_guard();
        let told = move |done: usize, total: usize| {
            if !waiting.is_cancelled() {
                progress(done, total);
            }
        };
        // A task of its own, so that it keeps the lock until it is done even if the caller stops waiting.
        let engine = self.clone();
        log::spawn(async move { engine.sync_whole(roots, told).await }).await.map_err(|_| EngineError::Gone)?
    }

    async fn sync_whole(
        &self,
        roots: Vec<PathBuf>,
        progress: impl Fn(usize, usize) + Send + Sync + 'static,
    ) -> Result<Synced, EngineError> {
        let mut synced = self.inner.synced.lock().await;
        let version = self.inner.rules_version.load(Ordering::Relaxed);
        let is_fresh = |root: &PathBuf| synced.get(root).is_some_and(|(at, known)| at.elapsed() <= FRESH && *known == version);
        let due: Vec<PathBuf> = roots.into_iter().filter(|root| !is_fresh(root)).collect();
        let engine = self.clone();
        let work = due.clone();
        let result = blocking(move || {
            let told = |done: usize, total: usize| {
                engine.note_indexing(Some(IndexingProgress { done, total }));
                progress(done, total);
            };
            // First, so that no other process takes for forgotten what is being read.
            let searched: Vec<String> = work.iter().map(|root| root.to_string_lossy().into_owned()).collect();
            engine.inner.index.note_used(&searched, now_ms())?;
            let synced = documents::sync(&engine.inner.index, &work, &engine.rules(), &told);
            engine.note_indexing(None);
            synced
        })
        .await??;
        synced.extend(due.into_iter().map(|root| (root, (Instant::now(), version))));
        Ok(result)
    }

    /// Brings the index up to date for a question, and tells whether it is. Where the index is kept up to date anyway, a
    /// question does not wait for a document that takes long: it goes on once nothing has become ready for a while.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub(super) async fn sync_for_question(
        &self,
        roots: Vec<PathBuf>,
        progress: impl Fn(usize, usize) + Send + Sync + 'static,
    ) -> Result<bool, EngineError> {
        let handbook = self.handbook_folder();
        let is_kept = self.inner.watch.get().is_some() && roots.iter().any(|root| *root != handbook);
        let stalled = async {
            while !(is_kept && self.indexing_stalls()) {
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::select! {
            synced = self.sync_folders(roots, progress) => synced.map(|_| true),
            () = stalled => Ok(false),
        }
    }

    /// Says of single files that were given with a question which of them could not be read, and why.
    pub(super) async fn tell_unread(&self, files: Vec<PathBuf>, live: &Live) {
        let (index, rules) = (self.inner.index.clone(), self.rules());
        let unread = blocking(move || {
            let of = |file: &PathBuf| documents::status(&index, "", Some(file), &rules).map(|status| status.skipped).unwrap_or_default();
            files.iter().flat_map(of).collect::<Vec<_>>()
        });
        for file in unread.await.unwrap_or_default() {
            let name = Path::new(&file.path).file_name().unwrap_or_default().to_string_lossy().into_owned();
            live.push(Event::Notice { notice: Notice::FileUnread { name, why: file.message } });
        }
    }

    fn note_indexing(&self, progress: Option<IndexingProgress>) {
        *self.inner.indexing.lock().unwrap_or_else(PoisonError::into_inner) = progress.map(|progress| (progress, Instant::now()));
    }

    fn indexing_stalls(&self) -> bool {
        let indexing = self.inner.indexing.lock().unwrap_or_else(PoisonError::into_inner);
        indexing.as_ref().is_some_and(|(_, since)| since.elapsed() >= STALLED)
    }

    /// How far the files are that are being read into the index; none while nothing has to be read.
    pub fn indexing(&self) -> Option<IndexingProgress> {
        self.inner.indexing.lock().unwrap_or_else(PoisonError::into_inner).map(|(progress, _)| progress)
    }

    /// What is indexed of each folder of the settings, and what is left out, after bringing the index up to date.
    ///
    /// # Errors
    /// When the index refuses.
    pub async fn folders(&self) -> Result<Vec<FolderStatus>, EngineError> {
        self.sync_documents(|_, _| {}).await?;
        let (index, folders, rules) = (self.inner.index.clone(), self.settings().documents.folders, self.rules());
        blocking(move || {
            let one = |folder: &String| documents::status(&index, folder, documents::real(&expand_home(folder)).as_deref(), &rules);
            Ok(folders.iter().map(one).collect::<Result<_, _>>()?)
        })
        .await?
    }

    /// What was recognised on scanned pages.
    pub(super) fn scans(&self) -> documents::Scans {
        documents::Scans::new(self.inner.index.clone(), &self.rules())
    }

    /// The patterns of the settings.
    pub(super) fn rules(&self) -> documents::Rules {
        documents::Rules::of(&self.settings()).0
    }

    /// The folders that a run may search and read: those of the settings, the handbook and some more, or `only` these.
    pub(super) fn roots_of(&self, settings: &Settings, more: &[PathBuf], only: bool) -> Vec<PathBuf> {
        if only { documents::resolve(more) } else { self.roots(settings, more) }
    }

    /// The folders that may be searched and read, the handbook among them.
    pub(super) fn roots(&self, settings: &Settings, more: &[PathBuf]) -> Vec<PathBuf> {
        let mut folders = vec![self.inner.paths.handbook()];
        folders.extend(settings.documents.folders.iter().map(|folder| expand_home(folder)));
        folders.extend(more.iter().cloned());
        documents::resolve(&folders)
    }

    /// The same without the handbook: what a person counts as their documents.
    pub(super) fn own_roots(&self, settings: &Settings) -> Vec<PathBuf> {
        let handbook = self.handbook_folder();
        self.roots(settings, &[]).into_iter().filter(|root| *root != handbook).collect()
    }

    /// Where the handbook lies, as [`documents::resolve`] has it.
    pub(super) fn handbook_folder(&self) -> PathBuf {
        let folder = self.inner.paths.handbook();
        dunce::canonicalize(&folder).unwrap_or(folder)
    }
}

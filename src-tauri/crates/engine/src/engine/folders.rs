//! The folders of documents: which they are, and their index.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nexi_core::settings::Settings;
use nexi_store::paths::expand_home;
use nexi_store::settings_file::Change;
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Engine, EngineError, blocking};
use crate::{
    documents::{self, FolderStatus, Synced},
    log,
};

/// Folders that were looked at this recently are not looked at again.
const FRESH: Duration = Duration::from_secs(2);

/// Where no file has become ready for so long, a question goes on with those that are.
const STALLED: Duration = Duration::from_secs(8);
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
    let real = |path: PathBuf| std::fs::canonicalize(&path).unwrap_or(path);
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
        self.sync_folders(roots, progress).await
    }

    pub(super) async fn sync_folders(
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
                *engine.inner.indexing.lock().unwrap_or_else(PoisonError::into_inner) = Some(IndexingProgress { done, total });
                progress(done, total);
            };
            let synced = documents::sync(&engine.inner.index, &work, &engine.rules(), &told);
            *engine.inner.indexing.lock().unwrap_or_else(PoisonError::into_inner) = None;
            synced
        })
        .await??;
        synced.extend(due.into_iter().map(|root| (root, (Instant::now(), version))));
        Ok(result)
    }

    /// Brings the index up to date for a question, which does not wait for a file that takes long: whether nothing was
    /// left to do, or nothing has become ready for a while and the rest goes on by itself.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub(super) async fn sync_for_question(
        &self,
        roots: Vec<PathBuf>,
        progress: impl Fn(usize, usize) + Send + Sync + 'static,
    ) -> Result<bool, EngineError> {
        let waiting = CancellationToken::new();
        // Whoever stops waiting, however that comes, is told nothing more.
        let _told_until_here = waiting.clone().drop_guard();
        let engine = self.clone();
        // A task of its own: it holds the lock until it is through, although nobody may wait for it.
        let mut syncing = log::spawn(async move {
            let told = move |done: usize, total: usize| {
                if !waiting.is_cancelled() {
                    progress(done, total);
                }
            };
            engine.sync_folders(roots, told).await
        });
        let (mut seen, mut since) = (self.indexing(), Instant::now());
        loop {
            tokio::select! {
                synced = &mut syncing => return synced.map_err(|_| EngineError::Gone)?.map(|_| true),
                () = tokio::time::sleep(LOOK) => {}
            }
            let now = self.indexing();
            if now != seen {
                (seen, since) = (now, Instant::now());
            } else if since.elapsed() >= STALLED {
                return Ok(false);
            }
        }
    }

    /// How far the files are that are being read into the index; none while nothing has to be read.
    pub fn indexing(&self) -> Option<IndexingProgress> {
        *self.inner.indexing.lock().unwrap_or_else(PoisonError::into_inner)
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
        folder.canonicalize().unwrap_or(folder)
    }
}

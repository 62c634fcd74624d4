//! Scanned pages and pictures: reading them behind everything else, one page at a time, and how that stands.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use nexi_core::settings::Ocr;
use nexi_messages::say;
use nexi_store::{documents::PendingPage, lock, settings_file};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Engine, Inner, blocking};
use crate::{
    EngineError,
    documents::{self, OCR_PROGRAMS, OcrError, Refresh},
    power, sentences,
};

/// Between two looks at whether the computer is back on mains.
const BATTERY_PAUSE: Duration = Duration::from_secs(60);
/// Pages after which a long document is indexed as far as it was read.
const BATCH: usize = 16;

/// What is under way in this process.
#[derive(Default)]
pub(super) struct OcrWork {
    /// Pages are read by one task at a time, the way the settings were then.
    turn: tokio::sync::Mutex<()>,
    /// The settings of what was begun last, and what ends it.
    current: Mutex<Option<(Ocr, CancellationToken)>>,
    /// Something may have changed since it began.
    again: AtomicBool,
    /// Pages were tried since the program started.
    tried: AtomicBool,
    running: AtomicBool,
    paused: AtomicBool,
    failed: Mutex<Option<String>>,
}

/// How the reading of scanned pages stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OcrStatus {
    pub state: OcrState,
    /// Scanned pages of the folders, and pictures where they are looked at, and how many of them were read.
    #[ts(type = "number")]
    pub pages: usize,
    #[ts(type = "number")]
    pub read: usize,
    /// Languages that Tesseract has models for here.
    pub installed: Vec<String>,
}

/// What keeps scanned pages from being read, or does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OcrState {
    Off,
    /// Every page was read.
    Ready,
    /// Some were not, and none is being read.
    Incomplete,
    Running,
    /// It goes on when the computer is back on mains.
    OnBattery,
    /// Programs that are not installed.
    NotInstalled {
        programs: Vec<String>,
    },
    /// Languages of the settings that Tesseract has no models for.
    NoLanguage {
        languages: Vec<String>,
    },
    Failed {
        message: String,
    },
}

/// What reading did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadScans {
    pub pages: usize,
    /// Pages, not among these, that could not be read.
    pub failed: usize,
}

impl Engine {
    /// How the reading of scanned pages stands.
    ///
    /// # Errors
    /// When the index refuses.
    pub async fn ocr(&self) -> Result<OcrStatus, EngineError> {
        let settings = self.settings();
        let (pages, read) = self.count_scans(&settings.ocr).await?;
        let (missing, installed) = blocking(|| (missing_programs(), languages())).await?;
        let work = &self.inner.ocr;
        let failed = work.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let unknown = unknown(&settings.ocr, &installed);
        let state = match failed {
            _ if !settings.ocr.enabled => OcrState::Off,
            _ if !missing.is_empty() => OcrState::NotInstalled { programs: missing },
            _ if !unknown.is_empty() => OcrState::NoLanguage { languages: unknown },
            _ if read == pages => OcrState::Ready,
            _ if work.paused.load(Ordering::Relaxed) => OcrState::OnBattery,
            _ if work.running.load(Ordering::Relaxed) => OcrState::Running,
            Some(message) => OcrState::Failed { message },
            None => OcrState::Incomplete,
        };
        Ok(OcrStatus { state, pages, read, installed })
    }

    async fn count_scans(&self, ocr: &Ocr) -> Result<(usize, usize), EngineError> {
        let (index, roots, languages) = (self.inner.index.clone(), self.own_roots(&self.settings()), ocr.code());
        blocking(move || {
            let mut sum = (0, 0);
            for root in roots {
                let (pages, read) = index.scanned_pages(&root.to_string_lossy(), &languages)?;
                sum = (sum.0 + pages, sum.1 + read);
            }
            Ok(sum)
        })
        .await?
    }

    /// Reads the scanned pages of the settings' folders that were not read yet, and puts their text into the index. Waits
    /// while the computer runs on its battery, unless the settings say otherwise. `progress` is given the pages
    /// done and the pages in total.
    ///
    /// # Errors
    /// When text recognition is off or cannot work here, another process reads, or the index refuses.
    pub async fn read_scans(
        &self,
        progress: impl Fn(usize, usize) + Send + Sync,
        cancel: &CancellationToken,
    ) -> Result<ReadScans, EngineError> {
        // One process at a time: two would read every page twice.
        let Some(_held) = self.hold_ocr().await? else { return Err(someone_else_reads()) };
        let ocr = self.settings().ocr;
        if !ocr.enabled {
            return Err(EngineError::invalid("ocr.enabled", say!("arguments-ocr.off")));
        }
        self.check_ocr(&ocr).await?;
        self.sync_documents(|_, _| {}).await?;
        let mut reading = Reading { engine: self, code: ocr.code(), refresh: HashMap::new(), document: None, done: ReadScans::default() };
        let (all, read) = self.count_scans(&ocr).await?;
        progress(read, all);
        let work = &self.inner.ocr;
        loop {
            if cancel.is_cancelled() || !self.is_saved(&ocr).await? {
                break;
            }
            if !ocr.on_battery && power::on_battery() {
                work.paused.store(true, Ordering::Relaxed);
                tokio::select! {
                    () = cancel.cancelled() => {}
                    () = tokio::time::sleep(BATTERY_PAUSE) => {}
                }
                work.paused.store(false, Ordering::Relaxed);
                continue;
            }
            let pending = reading.pending().await?;
            if pending.is_empty() {
                break;
            }
            for page in pending {
                if cancel.is_cancelled() || !self.is_saved(&ocr).await? {
                    break;
                }
                reading.page(page, &ocr).await?;
                let done = read + reading.done.pages + reading.done.failed;
                progress(done, all.max(done));
            }
        }
        reading.end_document().await?;
        Ok(reading.done)
    }

    /// Whether the settings file still says the same: another process may have turned text recognition off. One that cannot
    /// be read right now says nothing else.
    async fn is_saved(&self, ocr: &Ocr) -> Result<bool, EngineError> {
        let path = self.paths().settings.clone();
        let saved = blocking(move || settings_file::read(&path, false).map(|loaded| loaded.settings.ocr)).await?;
        Ok(saved.map_or(true, |saved| saved == *ocr))
    }

    async fn hold_ocr(&self) -> Result<Option<std::fs::File>, EngineError> {
        let lock = self.inner.paths.data.join("ocr.lock");
        blocking(move || lock::try_exclusive(&lock)).await
    }

    /// Has pages that could not be read tried again.
    ///
    /// # Errors
    /// When the index refuses, or another process reads scanned pages.
    pub async fn forget_unread_scans(&self) -> Result<(), EngineError> {
        let Some(_held) = self.hold_ocr().await? else { return Err(someone_else_reads()) };
        let index = self.inner.index.clone();
        Ok(blocking(move || index.forget_unread()).await??)
    }

    /// Whether scanned pages can be read here in these languages.
    ///
    /// # Errors
    /// What is missing, and how it is installed.
    pub async fn check_ocr(&self, ocr: &Ocr) -> Result<(), EngineError> {
        let (missing, installed) = blocking(|| (missing_programs(), languages())).await?;
        if !missing.is_empty() {
            return Err(EngineError::invalid("ocr.enabled", say!("arguments-ocr.programs", programs = sentences::listed(&missing))));
        }
        match unknown(ocr, &installed).as_slice() {
            [] => Ok(()),
            [first, ..] => {
                let message = say!("arguments-ocr.language", name = first, installed = installed.join(", "));
                Err(EngineError::invalid("ocr.languages", message))
            }
        }
    }

    /// The text of a picture that was pasted, as red, green, blue and opacity of each of its pixels, row by row.
    ///
    /// # Errors
    /// When Tesseract is not installed, or there is nothing to read.
    pub async fn text_of_pixels(&self, width: usize, height: usize, pixels: &[u8]) -> Result<String, EngineError> {
        let ocr = Ocr { enabled: true, ..self.settings().ocr };
        self.check_ocr(&ocr).await?;
        let pixels = pixels.to_vec();
        let read = blocking(move || {
            let picture = documents::portable_pixmap(width, height, &pixels);
            documents::recognise_pixmap(&picture, &ocr.code())
        });
        match read.await? {
            Ok(page) if !page.text.is_empty() => Ok(page.text),
            Err(OcrError::NoRoom(source)) => Err(EngineError::File { path: std::env::temp_dir(), source }),
            _ => Err(EngineError::invalid("picture", say!("arguments-ocr.no_text"))),
        }
    }

    /// Reads scanned pages behind everything else, with the settings as they are now. What is under way with the same
    /// settings goes on and finds what is new; with earlier ones it ends.
    pub fn read_scans_in_background(&self) {
        let ocr = self.settings().ocr;
        let work = &self.inner.ocr;
        let mut current = work.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, stop)) = &*current {
            if *known == ocr && !stop.is_cancelled() {
                work.again.store(true, Ordering::Relaxed);
                return;
            }
            stop.cancel();
        }
        work.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        *current = ocr.enabled.then(|| {
            let stop = CancellationToken::new();
            tokio::spawn(read_in_background(Arc::downgrade(&self.inner), stop.clone()));
            (ocr, stop)
        });
    }

    /// Ends the reading of scanned pages that is under way with other settings than these.
    pub(super) fn stop_reading_scans(&self) {
        let current = self.inner.ocr.current.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((_, stop)) = current {
            stop.cancel();
        }
    }
}

/// Reading one page after the other.
struct Reading<'a> {
    engine: &'a Engine,
    /// The languages, as Tesseract takes them.
    code: String,
    /// What indexes the files of a folder anew.
    refresh: HashMap<PathBuf, Arc<Refresh>>,
    /// The document whose pages are being read, and how many were since it was indexed, and before that.
    document: Option<(String, usize, usize)>,
    done: ReadScans,
}

impl Reading<'_> {
    async fn pending(&self) -> Result<Vec<PendingPage>, EngineError> {
        let roots = self.engine.own_roots(&self.engine.settings());
        let roots: Vec<String> = roots.iter().map(|root| root.to_string_lossy().into_owned()).collect();
        let (index, code) = (self.engine.inner.index.clone(), self.code.clone());
        Ok(blocking(move || index.pending_pages(&roots, &code, BATCH)).await??)
    }

    async fn page(&mut self, page: PendingPage, ocr: &Ocr) -> Result<(), EngineError> {
        if self.document.as_ref().is_some_and(|(path, ..)| *path != page.path) {
            self.end_document().await?;
        }
        let (path, number, languages) = (page.path.clone(), page.page, self.code.clone());
        let read = blocking(move || documents::recognise(Path::new(&path), number, &languages)).await?;
        if let Err(OcrError::NoRoom(source)) = read {
            return Err(EngineError::File { path: std::env::temp_dir(), source });
        }
        let read = match read {
            Ok(read) => Some(read),
            Err(error) => {
                tracing::warn!(path = page.path, page = page.page, %error, "a scanned page could not be read");
                // Without Tesseract no page can; else it is this one.
                self.engine.check_ocr(ocr).await?;
                None
            }
        };
        self.done.pages += usize::from(read.is_some());
        self.done.failed += usize::from(read.is_none());
        let (since, before) = self.document.take().map_or((0, 0), |(_, since, before)| (since, before));
        self.document = Some((page.path.clone(), since + usize::from(read.is_some()), before));
        let (index, code) = (self.engine.inner.index.clone(), self.code.clone());
        blocking(move || index.put_recognised(page.content, page.page, &code, read.as_ref())).await??;
        // A long document is found before its last page was read, but not indexed anew for each of them.
        if since + 1 >= BATCH.max(before) {
            self.index().await?;
        }
        Ok(())
    }

    /// Indexes the document as far as its pages were read.
    async fn index(&mut self) -> Result<(), EngineError> {
        let Some((path, since, before)) = self.document.as_mut().filter(|(_, since, _)| *since > 0) else { return Ok(()) };
        (*before, *since) = (*before + *since, 0);
        let path = PathBuf::from(path.as_str());
        let roots = self.engine.own_roots(&self.engine.settings());
        // It may be none of the documents any more.
        let Some(root) = roots.into_iter().find(|root| path.starts_with(root)) else { return Ok(()) };
        let (known, index, rules) = (self.refresh.get(&root).cloned(), self.engine.inner.index.clone(), self.engine.rules());
        let below = root.clone();
        let refresh = blocking(move || {
            let refresh = known.unwrap_or_else(|| Arc::new(Refresh::new(&index, &below, &rules)));
            refresh.file(&path).map(|()| refresh)
        });
        self.refresh.insert(root, refresh.await??);
        Ok(())
    }

    async fn end_document(&mut self) -> Result<(), EngineError> {
        self.index().await?;
        self.document = None;
        Ok(())
    }
}

async fn read_in_background(engine: Weak<Inner>, stop: CancellationToken) {
    let Some(inner) = engine.upgrade() else { return };
    let engine = Engine { inner };
    let work = &engine.inner.ocr;
    // What was under way with other settings ends first.
    let _turn = work.turn.lock().await;
    if !work.tried.swap(true, Ordering::Relaxed) {
        // What failed before may work now.
        let _ = engine.forget_unread_scans().await;
    }
    loop {
        work.again.store(false, Ordering::Relaxed);
        if stop.is_cancelled() {
            return;
        }
        work.running.store(true, Ordering::Relaxed);
        let read = engine.read_scans(|_, _| {}, &stop).await;
        work.running.store(false, Ordering::Relaxed);
        match read {
            Ok(read) if read.pages > 0 => engine.build_vectors_in_background(),
            Ok(_) => {}
            // What is missing is told by the state itself.
            Err(EngineError::Invalid(problem)) => {
                tracing::info!(problem = settings_file::told::problem(&problem), "scanned pages are not read");
            }
            Err(error) => {
                tracing::warn!(%error, "scanned pages are not read");
                *work.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
            }
        }
        let mut current = work.current.lock().unwrap_or_else(PoisonError::into_inner);
        if !work.again.load(Ordering::Relaxed) {
            // The next call begins anew.
            if !stop.is_cancelled() {
                *current = None;
            }
            return;
        }
    }
}

fn someone_else_reads() -> EngineError {
    EngineError::invalid("ocr", say!("arguments-ocr.at_work"))
}

fn missing_programs() -> Vec<String> {
    OCR_PROGRAMS.iter().filter(|program| !nexi_formats::is_installed(program)).map(|program| (*program).to_owned()).collect()
}

/// The languages that a person can choose.
fn languages() -> Vec<String> {
    documents::installed_languages().into_iter().filter(|name| name != documents::ORIENTATION).collect()
}

/// Languages of the settings that are not installed.
fn unknown(ocr: &Ocr, installed: &[String]) -> Vec<String> {
    ocr.languages.iter().filter(|name| !installed.contains(name)).cloned().collect()
}

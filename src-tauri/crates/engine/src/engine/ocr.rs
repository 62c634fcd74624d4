//! Scanned pages and pictures: reading them behind everything else, one page at a time, and how that stands.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use nexi_core::settings::{Ocr, Problem};
use nexi_store::{
    documents::{PendingPage, RecognisedPage},
    lock,
};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Engine, Inner, blocking};
use crate::{
    EngineError,
    documents::{self, OCR_PROGRAMS, OcrError},
    power,
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
    /// Ends what was begun last.
    stop: Mutex<Option<CancellationToken>>,
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
    /// Some were not, and nobody reads them at the moment.
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
    /// It ended early, because it was told to.
    pub stopped: bool,
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
    /// while the computer runs on its battery, unless the settings say otherwise. `progress` is told pages done and pages
    /// to do.
    ///
    /// # Errors
    /// When text recognition is off or cannot work here, or the index refuses.
    pub async fn read_scans(
        &self,
        progress: impl Fn(usize, usize) + Send + Sync,
        cancel: &CancellationToken,
    ) -> Result<ReadScans, EngineError> {
        let ocr = self.settings().ocr;
        self.check_ocr(&ocr).await?;
        self.sync_documents(|_, _| {}).await?;
        let code = ocr.code();
        let (all, read) = self.count_scans(&ocr).await?;
        let mut out = ReadScans::default();
        progress(read, all);
        loop {
            if cancel.is_cancelled() {
                out.stopped = true;
                return Ok(out);
            }
            if !ocr.on_battery && power::on_battery() {
                self.inner.ocr.paused.store(true, Ordering::Relaxed);
                tokio::select! {
                    () = cancel.cancelled() => {}
                    () = tokio::time::sleep(BATTERY_PAUSE) => {}
                }
                self.inner.ocr.paused.store(false, Ordering::Relaxed);
                continue;
            }
            let (index, roots, languages) = (self.inner.index.clone(), self.own_roots(&self.settings()), code.clone());
            let text = roots.iter().map(|root| root.to_string_lossy().into_owned()).collect::<Vec<_>>();
            let pending = blocking(move || index.pending_pages(&text, &languages, BATCH)).await??;
            if pending.is_empty() {
                let (index, languages) = (self.inner.index.clone(), code);
                blocking(move || index.keep_recognised_in(&languages)).await??;
                return Ok(out);
            }
            for document in pending.chunk_by(|a, b| a.path == b.path) {
                for page in document {
                    if cancel.is_cancelled() {
                        break;
                    }
                    self.read_page(page.clone(), &code).await?;
                    out.pages += 1;
                    progress(read + out.pages, all.max(read + out.pages));
                }
                self.refresh(&roots, Path::new(&document[0].path)).await?;
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
        let picture = documents::portable_pixmap(width, height, pixels);
        let read = blocking(move || documents::recognise_pixmap(&picture, &ocr.code())).await?;
        match read {
            Ok(page) if !page.text.is_empty() => Ok(page.text),
            _ => Err(EngineError::Invalid(Problem::new(
                "picture",
                "holds no text that can be recognized; attach it as a file to look at it",
            ))),
        }
    }

    async fn check_ocr(&self, ocr: &Ocr) -> Result<(), EngineError> {
        let invalid = |field: &str, message: String| Err(EngineError::Invalid(Problem::new(field, message)));
        if !ocr.enabled {
            return invalid("ocr.enabled", "is off; turn it on with nexi config set ocr.enabled true".into());
        }
        let (missing, installed) = blocking(|| (missing_programs(), languages())).await?;
        if !missing.is_empty() {
            let message = format!("needs {}; on Debian and Ubuntu: sudo apt install tesseract-ocr poppler-utils", missing.join(" and "));
            return invalid("ocr.enabled", message);
        }
        match unknown(ocr, &installed).as_slice() {
            [] => Ok(()),
            [first, ..] => invalid(
                "ocr.languages",
                format!("{first:?} is not installed; on Debian and Ubuntu: sudo apt install tesseract-ocr-{}", package(first)),
            ),
        }
    }

    async fn read_page(&self, page: PendingPage, languages: &str) -> Result<(), EngineError> {
        let (index, languages) = (self.inner.index.clone(), languages.to_owned());
        blocking(move || {
            let read = match documents::recognise(Path::new(&page.path), page.page, &languages) {
                Ok(read) => read,
                Err(OcrError::NoRoom(source)) => return Err(EngineError::File { path: std::env::temp_dir(), source }),
                // It would fail again; the file is looked at once more when it changes.
                Err(error) => {
                    tracing::warn!(path = page.path, page = page.page, %error, "a scanned page could not be read");
                    RecognisedPage::default()
                }
            };
            Ok(index.put_recognised(page.content, page.page, &languages, &read)?)
        })
        .await?
    }

    async fn refresh(&self, roots: &[PathBuf], path: &Path) -> Result<(), EngineError> {
        let Some(root) = roots.iter().find(|root| path.starts_with(root)).cloned() else { return Ok(()) };
        let (index, rules, path) = (self.inner.index.clone(), self.rules(), path.to_owned());
        Ok(blocking(move || documents::refresh(&index, &root, &rules, &path)).await??)
    }

    /// Reads scanned pages behind everything else, with the settings as they are now; what is under way with earlier ones
    /// ends.
    pub fn read_scans_behind(&self) {
        let work = &self.inner.ocr;
        let stop = CancellationToken::new();
        let before = work.stop.lock().unwrap_or_else(PoisonError::into_inner).replace(stop.clone());
        if let Some(before) = before {
            before.cancel();
        }
        work.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        if self.settings().ocr.enabled {
            tokio::spawn(read_behind(Arc::downgrade(&self.inner), stop));
        }
    }
}

async fn read_behind(engine: Weak<Inner>, stop: CancellationToken) {
    let Some(inner) = engine.upgrade() else { return };
    let engine = Engine { inner };
    let work = &engine.inner.ocr;
    // What was under way with other settings ends first.
    let _turn = work.turn.lock().await;
    let path = engine.inner.paths.data.join("ocr.lock");
    // One process at a time: two would read every page twice.
    let Ok(Some(_held)) = blocking(move || lock::try_exclusive(&path)).await else { return };
    if stop.is_cancelled() {
        return;
    }
    work.running.store(true, Ordering::Relaxed);
    let read = engine.read_scans(|_, _| {}, &stop).await;
    work.running.store(false, Ordering::Relaxed);
    match read {
        Ok(read) if read.pages > 0 => engine.build_vectors_behind(),
        Ok(_) => {}
        Err(error) if stop.is_cancelled() => tracing::info!(%error, "reading scanned pages was stopped"),
        Err(error) => {
            tracing::warn!(%error, "scanned pages are not read");
            *work.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
    }
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

/// What Debian calls the package of a language.
fn package(language: &str) -> String {
    language.to_lowercase().replace(['_', '/'], "-")
}

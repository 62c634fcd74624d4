//! Vectors of the documents: fetching the model, making them in the background, and how that stands.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use nexi_core::{
    pricing,
    settings::{EmbeddingModel, Settings},
};
use nexi_embed::{FILES, KNOWN, KnownModel};
use nexi_messages::say;
use nexi_store::lock;
use nexi_web::client::Download;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use super::{Engine, Inner, blocking};
use crate::{EngineError, documents::Built, power, sentences, wiring};

/// Between two looks at whether the computer is back on mains.
const BATTERY_PAUSE: Duration = Duration::from_secs(60);
/// How long a service rests that failed in passing.
const AFTER_FAILURE: Duration = Duration::from_secs(300);
/// Characters of a token, near enough for an estimate.
const CHARS_PER_TOKEN: usize = 4;

/// What is under way in this process.
#[derive(Default)]
pub(super) struct MeaningWork {
    /// Vectors are made one time after the other, the way the settings were then.
    turn: tokio::sync::Mutex<()>,
    /// Ends what was begun last.
    stop: Mutex<Option<CancellationToken>>,
    running: AtomicBool,
    paused: AtomicBool,
    done: AtomicUsize,
    total: AtomicUsize,
    failed: Mutex<Option<String>>,
    /// The download that is under way.
    fetching: Mutex<Option<Fetching>>,
}

/// A download that can be stopped.
#[derive(Clone)]
struct Fetching {
    model: String,
    stop: CancellationToken,
    done: Arc<AtomicU64>,
    total: u64,
}

/// How searching by meaning stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MeaningStatus {
    /// As the settings name it; none where documents are searched by words alone.
    pub model: Option<String>,
    /// Whether the texts stay on this computer.
    pub is_local: bool,
    pub state: MeaningState,
    /// Passages of the folders, and how many of them have a vector.
    #[ts(type = "number")]
    pub passages: usize,
    #[ts(type = "number")]
    pub vectors: usize,
    /// What a service on another computer would be sent, folder by folder.
    pub remote: Vec<RemoteFolder>,
    /// Models that can be fetched.
    pub known: Vec<LocalModel>,
}

/// What keeps vectors from being made, or does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MeaningState {
    Off,
    /// Every passage that may have a vector has one.
    Ready,
    /// Some are missing, and nobody makes them at the moment.
    Incomplete,
    Building {
        #[ts(type = "number")]
        done: usize,
        #[ts(type = "number")]
        total: usize,
    },
    /// The model is a service on another computer, and no folder may be sent to it yet.
    NotAllowed,
    /// It goes on when the computer is back on mains.
    OnBattery,
    /// The model's files are not there.
    NotFetched,
    /// They are on their way, in bytes.
    Fetching {
        #[ts(type = "number")]
        done: u64,
        #[ts(type = "number")]
        total: u64,
    },
    Failed {
        message: String,
    },
}

/// A folder and what sending its text to a service means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RemoteFolder {
    /// As it is in the settings.
    pub folder: String,
    pub allowed: bool,
    #[ts(type = "number")]
    pub passages: usize,
    /// About as many.
    #[ts(type = "number")]
    pub tokens: usize,
    /// In US dollars, where the price is known.
    pub cost: Option<f64>,
}

/// A model that can run inside Nexi.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LocalModel {
    /// As the settings name it.
    pub name: String,
    /// Bytes of its files.
    #[ts(type = "number")]
    pub size: u64,
    pub multilingual: bool,
    pub fetched: bool,
}

impl Engine {
    /// How searching by meaning stands.
    ///
    /// # Errors
    /// When the index refuses.
    pub async fn meaning(&self) -> Result<MeaningStatus, EngineError> {
        let settings = self.settings();
        let known = KNOWN.iter().map(|model| LocalModel {
            name: format!("local/{}", model.name),
            size: model.size(),
            multilingual: model.multilingual,
            fetched: self.is_fetched(model.name),
        });
        let mut out = MeaningStatus {
            model: settings.embeddings.model.clone(),
            is_local: true,
            state: MeaningState::Off,
            passages: 0,
            vectors: 0,
            remote: Vec::new(),
            known: known.collect(),
        };
        let Some(model) = settings.embedding_model() else { return Ok(out) };
        out.is_local = model.is_local();
        if let EmbeddingModel::Local(name) = &model
            && !self.is_fetched(name)
        {
            out.state = self.fetching_state(settings.embeddings.model.as_deref().unwrap_or_default());
            return Ok(out);
        }
        if let EmbeddingModel::Service(provider) = &model
            && !out.is_local
        {
            let price = provider.price(provider.model.as_deref().unwrap_or_default(), &settings.models);
            out.remote = self.remote_folders(&settings, price).await?;
            if !out.remote.iter().any(|folder| folder.allowed) {
                out.state = MeaningState::NotAllowed;
                return Ok(out);
            }
        }
        let engine = self.clone();
        let building = blocking(move || {
            let roots = engine.roots(&settings, &[]);
            wiring::building(&settings, &roots, &engine.inner.shared_state)
        })
        .await?;
        let meaning = match building {
            Ok(Some(meaning)) => meaning,
            Ok(None) => return Ok(out),
            Err(error) => {
                out.state = MeaningState::Failed { message: error.to_string() };
                return Ok(out);
            }
        };
        // A person counts their own documents and not the handbook.
        let handbook = dunce::canonicalize(self.inner.paths.handbook()).ok();
        let (passages, missing) = meaning.count(&self.inner.index, handbook.as_deref()).await?;
        (out.passages, out.vectors) = (passages, passages - missing);
        let work = &self.inner.meaning;
        let failed = work.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        out.state = match failed {
            _ if missing == 0 => MeaningState::Ready,
            _ if work.paused.load(Ordering::Relaxed) => MeaningState::OnBattery,
            _ if work.running.load(Ordering::Relaxed) => {
                MeaningState::Building { done: work.done.load(Ordering::Relaxed), total: work.total.load(Ordering::Relaxed) }
            }
            Some(message) => MeaningState::Failed { message },
            None => MeaningState::Incomplete,
        };
        Ok(out)
    }

    async fn remote_folders(&self, settings: &Settings, price: Option<pricing::Price>) -> Result<Vec<RemoteFolder>, EngineError> {
        let (index, settings) = (self.inner.index.clone(), settings.clone());
        blocking(move || {
            let mut out = Vec::new();
            for folder in &settings.documents.folders {
                let Some(real) = crate::documents::real(&nexi_store::paths::expand_home(folder)) else { continue };
                let root = real.to_string_lossy();
                let (passages, tokens) = (index.size(&root)?.1, index.characters(&root)? / CHARS_PER_TOKEN);
                out.push(RemoteFolder {
                    folder: folder.clone(),
                    allowed: settings.embeddings.remote_folders.contains(folder),
                    passages,
                    tokens,
                    cost: price.map(|price| price.input * tokens as f64 / 1e6),
                });
            }
            Ok(out)
        })
        .await?
    }

    fn fetching_state(&self, model: &str) -> MeaningState {
        let fetching = self.fetching().clone().filter(|fetching| fetching.model == model);
        let failed = self.inner.meaning.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match (fetching, failed) {
            (Some(fetching), _) => MeaningState::Fetching { done: fetching.done.load(Ordering::Relaxed), total: fetching.total },
            (None, Some(message)) => MeaningState::Failed { message },
            (None, None) => MeaningState::NotFetched,
        }
    }

    fn fetching(&self) -> MutexGuard<'_, Option<Fetching>> {
        self.inner.meaning.fetching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches a model behind everything else, and makes the vectors when it is there. What another call fetches is
    /// stopped.
    pub fn fetch_model_in_background(&self, name: &str) {
        let size = name.strip_prefix("local/").and_then(KnownModel::find).map_or(0, KnownModel::size);
        let fetching = Fetching { model: name.to_owned(), stop: CancellationToken::new(), done: Arc::default(), total: size };
        let before = self.fetching().replace(fetching.clone());
        if let Some(before) = before {
            before.stop.cancel();
        }
        self.inner.meaning.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        let engine = self.clone();
        tokio::spawn(async move {
            let progress = |done: u64, _: u64| fetching.done.store(done, Ordering::Relaxed);
            let fetched = engine.fetch_model(&fetching.model, progress, &fetching.stop).await;
            let stopped = fetching.stop.is_cancelled();
            engine.fetching().take_if(|current| current.model == fetching.model && !stopped);
            match fetched {
                Ok(()) => engine.build_vectors_in_background(),
                Err(_) if stopped => {}
                Err(error) => {
                    tracing::warn!(%error, "the embedding model could not be fetched");
                    *engine.inner.meaning.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
                }
            }
        });
    }

    /// Stops the download that is under way; what has come is kept.
    pub fn stop_fetching(&self) {
        let fetching = self.fetching().take();
        if let Some(fetching) = fetching {
            fetching.stop.cancel();
        }
    }

    /// Whether the files of a model are there, where it needs any.
    pub(super) fn is_usable(&self, model: &EmbeddingModel) -> bool {
        match model {
            EmbeddingModel::Local(name) => self.is_fetched(name),
            EmbeddingModel::Service(_) => true,
        }
    }

    fn is_fetched(&self, name: &str) -> bool {
        let folder = wiring::model_folder(name, &self.inner.paths.data);
        FILES.iter().all(|file| folder.join(file).is_file())
    }

    /// Fetches the files of a model that Nexi knows, `local/` and its name, from where it is published; the variable
    /// `HF_ENDPOINT` names a mirror. `progress` is told bytes done and bytes to do.
    ///
    /// # Errors
    /// When there is no such model, or a file cannot be fetched; what has come is kept for the next time.
    pub async fn fetch_model(
        &self,
        name: &str,
        progress: impl Fn(u64, u64) + Send + Sync,
        cancel: &CancellationToken,
    ) -> Result<(), EngineError> {
        let Some(model) = name.strip_prefix("local/").and_then(KnownModel::find) else {
            let known: Vec<String> = KNOWN.iter().map(|model| format!("local/{}", model.name)).collect();
            return Err(EngineError::invalid("model", say!("arguments-model.not_fetched", name = name, known = sentences::listed(&known))));
        };
        let route = wiring::route(&self.settings())?;
        let folder = wiring::model_folder(model.name, &self.inner.paths.data);
        let mirror = std::env::var("HF_ENDPOINT").ok().filter(|address| !address.trim().is_empty());
        let (mut before, total) = (0, model.size());
        for file in &model.files {
            let url = model.address(mirror.as_deref(), file);
            let download = Download { url: &url, size: file.size, sha256: file.sha256 };
            let route = route.to(&url);
            download.fetch(&folder.join(file.name), &route, &|done| progress(before + done, total), cancel).await?;
            before += file.size;
        }
        Ok(())
    }

    /// Makes the vectors that are missing, of the folders of the settings and the handbook. Waits while the computer runs
    /// on its battery, unless the settings say otherwise. `progress` is told passages done and passages to do.
    ///
    /// # Errors
    /// When there is no model to make them, or it or the index refuses.
    pub async fn build_vectors(
        &self,
        progress: impl Fn(usize, usize) + Send + Sync,
        cancel: &CancellationToken,
    ) -> Result<Built, EngineError> {
        self.sync_documents(|_, _| {}).await?;
        let settings = self.settings();
        let engine = self.clone();
        let on_battery = settings.embeddings.on_battery;
        let building = blocking(move || {
            let roots = engine.roots(&settings, &[]);
            wiring::building(&settings, &roots, &engine.inner.shared_state)
        })
        .await??;
        let Some(meaning) = building else {
            return Err(EngineError::invalid("embeddings.model", say!("arguments-model.no_embedder")));
        };
        let mut all = Built::default();
        loop {
            let goes_on = || on_battery || !power::on_battery();
            let built = meaning.build(&self.inner.index, &progress, &goes_on, cancel).await?;
            all.passages += built.passages;
            all.paused = built.paused;
            if !built.paused || cancel.is_cancelled() {
                break;
            }
            self.inner.meaning.paused.store(true, Ordering::Relaxed);
            tokio::select! {
                () = cancel.cancelled() => {}
                () = tokio::time::sleep(BATTERY_PAUSE) => {}
            }
            self.inner.meaning.paused.store(false, Ordering::Relaxed);
        }
        if !all.paused {
            self.build_question_vectors(cancel).await;
            // What another model made is of no use any more.
            let (index, model) = (self.inner.index.clone(), meaning.model().to_owned());
            blocking(move || index.keep_vectors_of(Some(&model))).await??;
        }
        Ok(all)
    }

    /// Makes the missing vectors behind everything else, with the settings as they are now; what is under way with earlier
    /// ones ends.
    pub fn build_vectors_in_background(&self) {
        let stop = CancellationToken::new();
        let before = self.inner.meaning.stop.lock().unwrap_or_else(PoisonError::into_inner).replace(stop.clone());
        if let Some(before) = before {
            before.cancel();
        }
        if self.settings().embedding_model().is_some_and(|model| self.is_usable(&model)) {
            tokio::spawn(build_in_background(Arc::downgrade(&self.inner), stop));
        }
    }

    /// One process at a time: two would do everything twice, and pay for it twice.
    async fn build_as_the_only_one(&self, stop: &CancellationToken) -> Result<(), EngineError> {
        let path = self.inner.paths.data.join("vectors.lock");
        let Some(_held) = blocking(move || lock::try_exclusive(&path)).await? else { return Ok(()) };
        let work = &self.inner.meaning;
        let progress = |done: usize, total: usize| {
            work.done.store(done, Ordering::Relaxed);
            work.total.store(total, Ordering::Relaxed);
        };
        self.build_vectors(progress, stop).await?;
        Ok(())
    }
}

/// Makes vectors until all are there or somebody begins anew; after a failure again, but not at once.
async fn build_in_background(engine: Weak<Inner>, stop: CancellationToken) {
    loop {
        let Some(inner) = engine.upgrade() else { return };
        let engine_now = Engine { inner };
        let work = &engine_now.inner.meaning;
        // What was under way with other settings ends first.
        let turn = work.turn.lock().await;
        if stop.is_cancelled() {
            return;
        }
        work.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.running.store(true, Ordering::Relaxed);
        let built = engine_now.build_as_the_only_one(&stop).await;
        work.running.store(false, Ordering::Relaxed);
        drop(turn);
        match built {
            Err(error) if !stop.is_cancelled() => {
                tracing::warn!(%error, "the documents are searched by words alone, in part or as a whole");
                *work.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
            }
            _ => return,
        }
        drop(engine_now);
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(AFTER_FAILURE) => {}
        }
    }
}

//! The engine as faces see it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use nexi_core::{
    ids::{ThreadId, TurnId},
    prompts,
    protocol::{Effort, Ending, Event, Passage, ThreadSummary, Turn, TurnState},
    run::{Asked, Earlier, Input, KnownSource, Limits, Run},
    settings::{Problem, Settings},
};
use nexi_store::{
    DocumentIndex, History, Paths, StoreError,
    history::{NewTurn, StoredSource},
    paths::expand_home,
    settings_file,
};
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    EngineError,
    documents::{self, Synced},
    driver::{Driver, now_ms, replay},
    handbook,
    live::{Live, Subscription},
    wiring,
};

/// Questions longer than this are refused, in bytes.
const MAX_QUESTION: usize = 32 * 1024;
/// Folders that were looked at this recently are not looked at again.
const FRESH: Duration = Duration::from_secs(2);

/// Where an engine finds its files.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    /// The settings file; the platform's own place if none. One that is named must exist.
    pub settings: Option<PathBuf>,
    /// The data folder; the platform's own place if none.
    pub data: Option<PathBuf>,
}

/// A question and how to answer it.
#[derive(Debug, Clone, Default)]
pub struct AskOptions {
    pub question: String,
    /// None begins a thread.
    pub thread: Option<ThreadId>,
    /// None takes the settings'.
    pub effort: Option<Effort>,
    /// None takes the effort's.
    pub max_steps: Option<u32>,
    /// In seconds; none takes the settings'.
    pub time_target: Option<u32>,
    /// Folders to search besides those of the settings.
    pub folders: Vec<PathBuf>,
}

/// A source's text with the passages a turn rests on.
#[derive(Debug, Clone, PartialEq, serde::Serialize, ts_rs::TS)]
pub struct SourceText {
    pub number: u32,
    pub url: String,
    pub title: String,
    pub date: Option<String>,
    pub text: String,
    pub passages: Vec<Passage>,
    /// For every line of `text` the line of the file; empty where they are the same.
    pub lines: Vec<u32>,
}

/// One installation, opened by one process. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    paths: Paths,
    settings: RwLock<Settings>,
    warnings: Vec<Problem>,
    history: Arc<History>,
    index: Arc<DocumentIndex>,
    live: Mutex<HashMap<TurnId, Arc<Live>>>,
    /// When which folders were last looked at.
    synced: AsyncMutex<HashMap<PathBuf, Instant>>,
}

impl Engine {
    /// Opens settings, history and index. Blocks.
    ///
    /// # Errors
    /// When the settings have mistakes or the data folder cannot be used.
    pub fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let must_exist = options.settings.is_some();
        let paths = Paths::new(options.settings, options.data)?;
        let loaded = settings_file::read(&paths.settings, must_exist)?;
        for problem in &loaded.unknown {
            tracing::warn!(%problem, "unknown setting");
        }
        let mut warnings = loaded.unknown;
        for (index, folder) in loaded.settings.documents.folders.iter().enumerate() {
            if std::fs::read_dir(expand_home(folder)).is_err() {
                warnings.push(Problem::new(format!("documents.folders[{index}]"), format!("{folder:?} is not a folder that can be read")));
            }
        }
        paths.prepare()?;
        let history = Arc::new(History::open(&paths.database())?);
        let index = Arc::new(DocumentIndex::open(&paths.documents())?);
        handbook::write_out(&paths.handbook()).map_err(|source| StoreError::Folder { path: paths.handbook(), source })?;
        let inner = Inner {
            paths,
            settings: RwLock::new(loaded.settings),
            warnings,
            history,
            index,
            live: Mutex::default(),
            synced: AsyncMutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Settings {
        self.inner.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Settings that have no effect, most likely misspelt.
    pub fn warnings(&self) -> &[Problem] {
        &self.inner.warnings
    }

    /// Where things are kept.
    pub fn paths(&self) -> &Paths {
        &self.inner.paths
    }

    /// What faces show as the model.
    pub fn model_label(&self) -> String {
        wiring::model_label(&self.settings())
    }

    fn live(&self) -> MutexGuard<'_, HashMap<TurnId, Arc<Live>>> {
        self.inner.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a run; it goes on in the background, whether or not anybody watches.
    ///
    /// # Errors
    /// When the question or an option is not valid, a key is missing, or the thread is busy.
    pub async fn ask(&self, options: AskOptions) -> Result<Subscription, EngineError> {
        let question = options.question.trim().to_owned();
        check_question(&question)?;
        let settings = self.settings();
        let effort = options.effort.unwrap_or(settings.default_effort);
        let max_steps = options.max_steps.unwrap_or(effort.max_steps());
        if max_steps == 0 || max_steps > 200 {
            return Err(EngineError::Invalid(Problem::new("max_steps", "must be between 1 and 200")));
        }
        let time_target = options.time_target.or(settings.time_target);
        if time_target == Some(0) {
            return Err(EngineError::Invalid(Problem::new("time_target", "must be at least 1 second")));
        }
        if let Some(missing) = options.folders.iter().find(|folder| std::fs::read_dir(folder).is_err()) {
            let message = format!("{} is not a folder that can be read", missing.display());
            return Err(EngineError::Invalid(Problem::new("docs", message)));
        }
        if let Some(thread) = &options.thread
            && self.live().values().any(|live| live.thread == *thread)
        {
            return Err(EngineError::Busy);
        }
        let roots = self.roots(&settings, &options.folders);
        let index = self.inner.index.clone();
        let (for_parts, for_roots) = (settings.clone(), roots.clone());
        let parts = blocking(move || wiring::build(&for_parts, &index, &for_roots)).await??;
        let model = parts.model.label();
        let history = self.inner.history.clone();
        let (thread, asked_question, label) = (options.thread.clone(), question.clone(), model.clone());
        let (earlier, known, thread, turn) = blocking(move || {
            let (earlier, known) = match &thread {
                Some(thread) => earlier(&history, thread)?,
                None => (Vec::new(), Vec::new()),
            };
            let new = NewTurn { thread: thread.as_ref(), question: &asked_question, effort, model: &label, asked_ms: now_ms() };
            let (thread, turn) = history.begin_turn(&new)?;
            Ok::<_, StoreError>((earlier, known, thread, turn))
        })
        .await??;
        let today = jiff::Zoned::now().strftime("%Y-%m-%d").to_string();
        let asked = Asked {
            question,
            effort,
            limits: limits(&settings, max_steps),
            model,
            system: prompts::system(&today, effort, max_steps),
            earlier,
            known,
            folders: options.folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
        };
        let input = Input::Asked { asked: Box::new(asked) };
        let history = self.inner.history.clone();
        let (first, journal_turn) = (input.clone(), turn.clone());
        if let Err(error) = blocking(move || history.journal(&journal_turn, 0, 0, &first)).await? {
            fail(&self.inner.history, &Arc::new(Live::new(turn, thread, 0)), "This question could not be kept. Is the disk full?").await;
            return Err(error.into());
        }
        let mut run = Run::new(parts.counter.clone());
        let effects = run.step(input);
        let live = Arc::new(Live::new(turn, thread, 0));
        let target = time_target.map(|seconds| Duration::from_secs(seconds.into()));
        let driver = Driver { history: self.inner.history.clone(), parts, live, run, seq: 1, time_target: target };
        Ok(self.start(driver, effects, roots))
    }

    /// Picks an interrupted run up where it was: nothing that had been received is asked for again.
    ///
    /// # Errors
    /// When there is no such run, or a key is missing.
    pub async fn resume(&self, id: Option<&str>) -> Result<Subscription, EngineError> {
        let settings = self.settings();
        let history = self.inner.history.clone();
        let wanted = id.map(str::to_owned);
        let (turn, journal) = blocking(move || {
            let turn = history.find_interrupted(wanted.as_deref())?;
            let journal = history.read_journal(&turn)?;
            Ok::<_, StoreError>((turn, journal))
        })
        .await??;
        let folders: Vec<PathBuf> = match journal.first().map(|entry| &entry.input) {
            Some(Input::Asked { asked }) => asked.folders.iter().map(PathBuf::from).collect(),
            _ => Vec::new(),
        };
        let roots = self.roots(&settings, &folders);
        let index = self.inner.index.clone();
        let (for_parts, for_roots) = (settings.clone(), roots.clone());
        let parts = blocking(move || wiring::build(&for_parts, &index, &for_roots)).await??;
        let history = self.inner.history.clone();
        let owned = turn.clone();
        // Read again once it is ours: until then another process could have gone on with it.
        let (thread, journal) = blocking(move || {
            let thread = history.take_over(&owned)?;
            Ok::<_, StoreError>((thread, history.read_journal(&owned)?))
        })
        .await??;
        let before = journal.last().map_or(0, |entry| entry.elapsed_ms);
        let live = Arc::new(Live::new(turn, thread, before));
        let mut run = Run::new(parts.counter.clone());
        let mut read = Vec::new();
        let replayed = replay(&mut run, journal, |event, at| {
            if let Event::PageRead { number, .. } = &event {
                read.push(*number);
            }
            live.push_at(event, at);
        });
        let (seq, end) = match replayed {
            Ok(replayed) => replayed,
            Err(failure) => {
                fail(&self.inner.history, &live, &failure.message).await;
                return Err(failure.into());
            }
        };
        self.keep_sources(&run, &live, read).await?;
        let effects = match end {
            Some(end) => vec![end],
            None => {
                live.push(Event::Notice { text: "Resumed after an interruption.".into() });
                run.outstanding()
            }
        };
        let target = settings.time_target.map(|seconds| Duration::from_secs(seconds.into()));
        let driver = Driver { history: self.inner.history.clone(), parts, live, run, seq, time_target: target };
        Ok(self.start(driver, effects, roots))
    }

    /// Keeps pages whose text had not been kept when the process went away; those that had are left as they are.
    async fn keep_sources(&self, run: &Run, live: &Live, numbers: Vec<u32>) -> Result<(), EngineError> {
        let sources: Vec<StoredSource> = numbers
            .into_iter()
            .filter_map(|number| Some(StoredSource { number, page: run.source(number)?.clone(), read_ms: now_ms() }))
            .collect();
        let (history, thread) = (self.inner.history.clone(), live.thread.clone());
        Ok(blocking(move || sources.iter().try_for_each(|source| history.add_source(&thread, source))).await??)
    }

    fn start(&self, driver: Driver, effects: Vec<nexi_core::run::Effect>, roots: Vec<PathBuf>) -> Subscription {
        let live = driver.live.clone();
        self.live().insert(live.turn.clone(), live.clone());
        let subscription = live.subscribe();
        let engine = self.clone();
        tokio::spawn(async move {
            let turn = live.turn.clone();
            // What is said first is shown while the documents are brought up to date.
            let (said, to_do): (Vec<_>, Vec<_>) = effects.into_iter().partition(|effect| matches!(effect, nexi_core::run::Effect::Emit(_)));
            for effect in said {
                if let nexi_core::run::Effect::Emit(event) = effect {
                    live.push(event);
                }
            }
            let progress = live.clone();
            let syncing = engine.sync_folders(roots, move |done, total| {
                progress.push(Event::Indexing {
                    done: u32::try_from(done).unwrap_or(u32::MAX),
                    total: u32::try_from(total).unwrap_or(u32::MAX),
                });
            });
            // A person who stops the run, or whose time is up, does not wait for the index.
            let patience = driver.time_target.unwrap_or(Duration::from_secs(86400));
            tokio::select! {
                () = live.cancel.cancelled() => {}
                () = tokio::time::sleep(patience) => {}
                synced = syncing => if let Err(error) = synced {
                    live.push(Event::Notice { text: format!("The documents could not be indexed: {error}") });
                },
            }
            let history = driver.history.clone();
            // A task of its own: even a panic ends the run with a label.
            let ending = match tokio::spawn(driver.drive(to_do)).await {
                Ok(ending) => ending,
                Err(_) => fail(&history, &live, "This run broke down. Please report it; what it had read is kept.").await,
            };
            tracing::info!(turn = turn.as_str(), state = ending.state.as_str(), steps = ending.steps, "run ended");
            engine.live().remove(&turn);
        });
        subscription
    }

    /// Stops a run; what it has is kept. A run that is not going on is left as it is.
    pub fn cancel(&self, turn: &TurnId) {
        if let Some(live) = self.live().get(turn) {
            live.cancel.cancel();
        }
    }

    /// The events of a run that is going on, from its first on; none if it is not.
    pub fn attach(&self, turn: &TurnId) -> Option<Subscription> {
        self.live().get(turn).map(Live::subscribe)
    }

    /// The newest threads.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn threads(&self, limit: u32) -> Result<Vec<ThreadSummary>, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.threads(limit)).await??)
    }

    /// The turns of a thread, oldest first.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn turns(&self, thread: &ThreadId) -> Result<Vec<Turn>, EngineError> {
        let (history, thread) = (self.inner.history.clone(), thread.clone());
        Ok(blocking(move || history.turns(&thread)).await??)
    }

    /// A turn.
    ///
    /// # Errors
    /// When there is no such turn.
    pub async fn turn(&self, turn: &TurnId) -> Result<Turn, EngineError> {
        let (history, turn) = (self.inner.history.clone(), turn.clone());
        Ok(blocking(move || history.turn(&turn)).await??)
    }

    /// A source as it was read, with the passages that the turn rests on.
    ///
    /// # Errors
    /// When the turn has no such source.
    pub async fn source(&self, turn: &TurnId, number: u32) -> Result<SourceText, EngineError> {
        let (history, turn) = (self.inner.history.clone(), turn.clone());
        Ok(blocking(move || {
            let turn = history.turn(&turn)?;
            let stored = history.source(&turn.thread, number)?;
            let passages =
                turn.ending.sources.into_iter().find(|source| source.number == number).map(|source| source.passages).unwrap_or_default();
            let page = stored.page;
            Ok::<_, StoreError>(SourceText {
                number,
                url: page.url,
                title: page.title,
                date: page.date,
                text: page.text,
                passages,
                lines: page.lines,
            })
        })
        .await??)
    }

    /// Brings the index of the settings' folders and the handbook up to date.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub async fn sync_documents(&self, progress: impl Fn(usize, usize) + Send + Sync + 'static) -> Result<Synced, EngineError> {
        let roots = self.roots(&self.settings(), &[]);
        self.sync_folders(roots, progress).await
    }

    async fn sync_folders(
        &self,
        roots: Vec<PathBuf>,
        progress: impl Fn(usize, usize) + Send + Sync + 'static,
    ) -> Result<Synced, EngineError> {
        let mut synced = self.inner.synced.lock().await;
        let due: Vec<PathBuf> = roots.into_iter().filter(|root| synced.get(root).is_none_or(|at| at.elapsed() > FRESH)).collect();
        let index = self.inner.index.clone();
        let work = due.clone();
        let result = blocking(move || documents::sync(&index, &work, &progress)).await??;
        synced.extend(due.into_iter().map(|root| (root, Instant::now())));
        Ok(result)
    }

    /// The folders that may be searched and read, the handbook among them.
    fn roots(&self, settings: &Settings, more: &[PathBuf]) -> Vec<PathBuf> {
        let mut folders = vec![self.inner.paths.handbook()];
        folders.extend(settings.documents.folders.iter().map(|folder| expand_home(folder)));
        folders.extend(more.iter().cloned());
        documents::resolve(&folders)
    }
}

/// Ends a run that cannot end by itself.
async fn fail(history: &Arc<History>, live: &Arc<Live>, reason: &str) -> Ending {
    let ending = Ending::failed(reason, "");
    let (history, turn, kept, events, elapsed) =
        (history.clone(), live.turn.clone(), ending.clone(), live.kept_events(), live.elapsed_ms());
    let _ = blocking(move || history.finish_turn(&turn, &kept, elapsed, &events)).await;
    live.push(Event::Ended { ending: ending.clone() });
    ending
}

fn check_question(question: &str) -> Result<(), EngineError> {
    if question.is_empty() {
        return Err(EngineError::Invalid(Problem::new("question", "is empty; write what you want to know")));
    }
    if question.len() > MAX_QUESTION {
        return Err(EngineError::Invalid(Problem::new(
            "question",
            format!("is longer than {} KiB; put long material into a document instead", MAX_QUESTION / 1024),
        )));
    }
    Ok(())
}

/// What a follow-up knows of its thread: questions and answers, and the sources with their numbers.
fn earlier(history: &History, thread: &ThreadId) -> Result<(Vec<Earlier>, Vec<KnownSource>), StoreError> {
    let turns = history.turns(thread)?;
    if turns.iter().any(|turn| turn.ending.state == TurnState::Running) {
        return Err(StoreError::Busy);
    }
    let earlier = turns
        .into_iter()
        .filter(|turn| !turn.ending.answer.is_empty())
        .map(|turn| Earlier { question: turn.question, answer: turn.ending.answer })
        .collect();
    let known = history.sources(thread)?.into_iter().map(|stored| KnownSource { number: stored.number, page: stored.page }).collect();
    Ok((earlier, known))
}

fn limits(settings: &Settings, max_steps: u32) -> Limits {
    Limits {
        max_steps,
        max_context: settings.max_context,
        compact_at: settings.auto_compact_thresh,
        compact_target_words: settings.compact_target_words,
        preserve_last: settings.preserve_last_n_messages,
        max_output_tokens: settings.max_output_tokens.min(settings.max_context / 2),
    }
}

/// Runs blocking work on the pool made for it.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, EngineError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| EngineError::Gone)
}

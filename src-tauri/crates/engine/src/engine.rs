//! The engine as frontends see it.

mod ask;
mod asked;
mod attach;
mod audit;
mod backups;
mod beside;
mod catalog;
mod checks;
mod corpora;
mod direct;
mod folders;
mod foreign_tools;
mod hooks;
mod keys;
mod library;
mod meaning;
mod memory;
mod ocr;
mod opinion;
mod reading;
mod resume;
mod running;
mod settings;
mod sign_in;
mod spaces;
mod suggest;
mod summary;
mod team;
mod templates;
mod thread;
mod tools;
mod usage;
mod watched;
mod watching;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Instant, SystemTime};

use nexi_core::{
    ids::{ThreadId, TurnId},
    model::Thinking,
    protocol::{Effort, Focus, Mode, Passage, ThreadSummary, Turn, TurnOutline},
    settings::{AnswerCheck, Problem, Settings},
};
use nexi_messages::{Language, Messages};
use nexi_store::{CachedPages, DocumentIndex, History, Paths, StoreError, history::StoredSource, keys as store_keys, settings_file};
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    EngineError,
    aside::blocking,
    documents,
    driver::now_ms,
    handbook,
    live::{Live, Subscription},
    log,
    wiring::{self, SharedState},
};

pub use attach::{Attach, MAX_ATTACHED, MAX_ATTACHED_TEXT};
pub use audit::{Replay, replay};
pub use backups::{OlderCopy, Upkeep, go_back, older_copy, restore_unopened, salvage};
pub use catalog::{CatalogModel, CatalogService, LocalService};
pub use checks::{Check, Verdict};
pub use direct::{Fetched, FetchedPage, Searched, Wanted};
pub use folders::{IndexingProgress, is_same_folder};
pub use foreign_tools::FoundServer;
pub use hooks::{HookView, NewHook};
pub use keys::{KeyOrigin, KeyStatus, KeyringView, KeysView};
pub use library::ThreadFacts;
pub use meaning::{LocalModel, MeaningState, MeaningStatus, RemoteFolder};
pub use ocr::{OcrState, OcrStatus, ReadScans};
pub use opinion::OpinionLimits;
pub use reading::{DocumentHit, DocumentHits, DocumentText};
pub use suggest::{AttachKind, Suggestion};
pub use tools::{MAX_TOOLS, NewToolServer, ToolDifference, ToolServerView, ToolState, ToolView, tool_difference};
pub use usage::{MonthUsage, UsageBy, UsageRow, UsageTable, this_month};
pub use watched::{CheckAttempt, CheckReport, NewWatch, PauseReason};

/// Where an engine finds its files.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    /// The settings file; the platform's own place if none. One that is named must exist.
    pub settings: Option<PathBuf>,
    /// The data folder; the platform's own place if none.
    pub data: Option<PathBuf>,
    /// Show on standard error what otherwise only the log tells, and more.
    pub verbose: bool,
}

/// A question and how to answer it.
#[derive(Debug, Clone, Default)]
pub struct AskOptions {
    pub question: String,
    /// None begins a thread.
    pub thread: Option<ThreadId>,
    /// The name or id of the space in which a new thread begins; a thread that is there has its own.
    pub space: Option<String>,
    /// None takes the settings'.
    pub effort: Option<Effort>,
    /// None takes the effort's.
    pub max_steps: Option<u32>,
    /// In seconds; none takes the settings'.
    pub time_target: Option<u32>,
    /// In US dollars; none takes the settings'.
    pub max_cost: Option<f64>,
    /// No cost limit counts, whatever the settings say.
    pub any_cost: bool,
    /// Ask even if the monthly cost limit is reached.
    pub over_month: bool,
    /// Tokens that the question may use; none takes the settings'.
    pub max_tokens: Option<u32>,
    /// Who looks at statements that are not supported; none takes the settings'.
    pub check: Option<AnswerCheck>,
    /// How much the model thinks; none takes the settings'.
    pub thinking: Option<Thinking>,
    /// Folders to search besides those of the settings.
    pub folders: Vec<PathBuf>,
    /// What is given along with the question.
    pub attachments: Vec<Attach>,
    /// What was given along with the question of this turn is given again.
    pub attachments_of: Option<TurnId>,
    /// The name of a provider, or `builtin`, to be asked first; none takes the settings' order.
    pub provider: Option<String>,
    /// Search backends to use instead of the settings'; empty takes those.
    pub search: Vec<String>,
    pub focus: Focus,
    pub mode: Mode,
    /// Whether the plan of a deep run waits for [`Engine::approve`]; none takes the settings'.
    pub approve_plan: Option<bool>,
    /// Whether a new thread is to be nowhere but in memory.
    pub private: bool,
    /// Whether somebody watches who can let through what is held back; see [`Engine::permit`].
    pub may_ask: bool,
    /// Whether another program asks: the person's memories are kept from it.
    pub for_others: bool,
    /// Whether it is asked as if nothing had been said in its thread and no page had been read before.
    pub anew: bool,
}

/// A source's text with the passages a turn rests on.
#[derive(Debug, Clone, PartialEq, serde::Serialize, ts_rs::TS)]
pub struct SourceText {
    pub number: u32,
    pub url: String,
    pub title: String,
    /// Who wrote it, where that is known.
    pub byline: Option<String>,
    pub date: Option<String>,
    /// When it was fetched, in Unix milliseconds.
    #[ts(type = "number")]
    pub fetched_ms: i64,
    pub text: String,
    pub passages: Vec<Passage>,
    /// For every line of `text` the line of the file; empty where they are the same.
    pub lines: Vec<u32>,
    /// The text as cleaned HTML, where it is Markdown and not too long.
    pub html: Option<String>,
    /// Whether its pages can be shown as pictures.
    pub pictures: bool,
}

/// One installation, opened by one process. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    paths: Paths,
    settings: RwLock<Settings>,
    /// What the settings file holds besides settings, and when it was read last.
    warnings: RwLock<Vec<Problem>>,
    read: Mutex<Option<SystemTime>>,
    history: Arc<History>,
    /// Private threads; made when the first one begins.
    private: OnceLock<Arc<History>>,
    /// Shared threads of others that were looked at, in memory alone.
    at_hand: OnceLock<Arc<History>>,
    /// What is known of the team library.
    team: team::TeamWork,
    index: Arc<DocumentIndex>,
    /// What outlives single runs.
    shared_state: Arc<SharedState>,
    /// Lists of models, as services gave them.
    catalog: catalog::Catalog,
    live: Mutex<HashMap<TurnId, Arc<Live>>>,
    /// When which folders were last looked at.
    synced: AsyncMutex<HashMap<PathBuf, (Instant, u64)>>,
    /// Grows when the settings change what is looked at in the folders.
    rules_version: AtomicU64,
    /// What is wrong in the settings file and counts as if it were not there.
    mistakes: RwLock<Vec<Problem>>,
    /// Settings are changed one after the other.
    changing: Mutex<()>,
    /// Vectors of the documents that are made.
    meaning: meaning::MeaningWork,
    ocr: ocr::OcrWork,
    /// How far the index is, and since when.
    indexing: Mutex<Option<(folders::IndexingProgress, Instant)>>,
    /// The folders that are watched, where somebody wants that.
    watch: OnceLock<documents::FolderWatch>,
    /// Servers of the person's own tools, while they run.
    servers: nexi_tools::Servers,
    /// What is to be told of research that has ended.
    deliveries: hooks::Deliveries,
    /// What each of them listed when it was last looked at, and the line it was started or reached by.
    tool_looks: Mutex<HashMap<String, (String, Vec<nexi_core::user_tools::ToolDefinition>)>>,
    /// Sign-ins to them that wait for the browser.
    sign_ins: Mutex<sign_in::SignIns>,
    /// How questions are compared by meaning.
    question_meaning: asked::QuestionMeaning,
}

impl Engine {
    /// What was learned about how models want to be asked, and still holds.
    pub fn learned(&self) -> Vec<nexi_llm::LearnedQuirk> {
        self.inner.shared_state.models.lessons()
    }

    /// Opens settings, history and index. Blocks.
    ///
    /// # Errors
    /// When the settings cannot be read or the data folder cannot be used. Mistakes in the settings are told by
    /// [`Engine::mistakes`].
    pub fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let must_exist = options.settings.is_some();
        let paths = Paths::new(options.settings, options.data)?;
        let (mut loaded, mistakes) = settings_file::read_tolerantly(&paths.settings, must_exist)?;
        loaded.settings.network.is_unclear = settings::network_is_unclear(&mistakes);
        let warnings = settings::warnings(&loaded);
        paths.prepare()?;
        log::init(&paths.logs(), options.verbose);
        for problem in &warnings {
            tracing::warn!(problem = settings_file::told::problem(problem), "setting");
        }
        let history = Arc::new(History::open(&paths.database())?);
        let index = Arc::new(DocumentIndex::open(&paths.documents())?);
        handbook::write_out(&paths.handbook()).map_err(|source| StoreError::Folder { path: paths.handbook(), source })?;
        history.purge(now_ms() - library::RETENTION_MS)?;
        store_keys::choose(keys::place(loaded.settings.keys, &paths));
        let inner = Inner {
            settings: RwLock::new(loaded.settings),
            warnings: RwLock::new(warnings),
            mistakes: RwLock::new(mistakes),
            read: Mutex::new(settings::modified(&paths.settings)),
            history,
            private: OnceLock::new(),
            at_hand: OnceLock::new(),
            team: team::TeamWork::default(),
            index,
            shared_state: Arc::new(SharedState::new(paths.data.clone())),
            catalog: catalog::Catalog::default(),
            live: Mutex::default(),
            synced: AsyncMutex::default(),
            rules_version: AtomicU64::default(),
            changing: Mutex::default(),
            meaning: meaning::MeaningWork::default(),
            ocr: ocr::OcrWork::default(),
            indexing: Mutex::default(),
            watch: OnceLock::new(),
            servers: nexi_tools::Servers::default(),
            tool_looks: Mutex::default(),
            sign_ins: Mutex::default(),
            question_meaning: asked::QuestionMeaning::default(),
            deliveries: hooks::Deliveries::default(),
            paths,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The settings as they are now.
    pub fn settings(&self) -> Settings {
        self.inner.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is wrong in the settings file, where the defaults count.
    pub fn mistakes(&self) -> Vec<Problem> {
        self.inner.mistakes.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Settings that have no effect, most likely misspelt.
    pub fn warnings(&self) -> Vec<Problem> {
        self.inner.warnings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where things are kept.
    pub fn paths(&self) -> &Paths {
        &self.inner.paths
    }

    /// What frontends show as the model.
    pub fn model_label(&self) -> String {
        wiring::model_label(&self.settings())
    }

    /// Pages kept in the cache and their bytes; none where there is no cache.
    ///
    /// # Errors
    /// When the cache cannot be read.
    pub async fn kept_pages(&self) -> Result<Option<(u64, u64)>, EngineError> {
        let engine = self.clone();
        Ok(blocking(move || engine.page_cache().map(|pages| pages.size()).transpose()).await??)
    }

    /// Forgets the pages of the cache. Sources of threads keep their texts.
    ///
    /// # Errors
    /// When the cache cannot be written.
    pub async fn clear_pages(&self) -> Result<(), EngineError> {
        let engine = self.clone();
        Ok(blocking(move || engine.page_cache().map_or(Ok(()), |pages| pages.clear())).await??)
    }

    fn page_cache(&self) -> Option<Arc<CachedPages>> {
        // What was kept before the cache was turned off can still be looked at and forgotten.
        let mut settings = self.settings();
        settings.cache.enabled = true;
        self.inner.shared_state.pages(&settings, &self.inner.paths.pages())
    }

    fn live(&self) -> MutexGuard<'_, HashMap<TurnId, Arc<Live>>> {
        self.inner.live.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.threads_in(None, limit).await
    }

    /// The turns of a thread without their answers, oldest first.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn outlines(&self, thread: &ThreadId) -> Result<Vec<TurnOutline>, EngineError> {
        self.in_thread(thread, History::outlines).await
    }

    /// The turns of a thread, oldest first.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn turns(&self, thread: &ThreadId) -> Result<Vec<Turn>, EngineError> {
        self.in_thread(thread, History::turns).await
    }

    /// A turn.
    ///
    /// # Errors
    /// When there is no such turn.
    pub async fn turn(&self, turn: &TurnId) -> Result<Turn, EngineError> {
        self.with_turn(turn, History::turn).await
    }

    /// A new thread with the turns before this one, and this one too if `including`; none where
    /// there would be none in it. Asking there leaves the first thread as it is.
    ///
    /// # Errors
    /// When there is no such turn.
    pub async fn branch(&self, turn: &TurnId, including: bool) -> Result<Option<ThreadId>, EngineError> {
        if self.is_opened_share(&self.history_with(turn)?) {
            return self.continue_opened_share(turn, including).await;
        }
        self.with_turn(turn, move |history, turn| history.branch(turn, including, now_ms())).await
    }

    /// The thread that a turn belongs to, by the turn's id; of the newest turn where none is given.
    ///
    /// # Errors
    /// When there is no such turn, or no thread at all.
    pub async fn thread_of(&self, turn: Option<&TurnId>) -> Result<ThreadId, EngineError> {
        match turn {
            Some(turn) => Ok(self.turn(turn).await?.thread),
            None => {
                // What was asked last, in whatever order threads are listed.
                let newest = self.newest_turns(1).await?.into_iter().next();
                newest.map(|turn| turn.thread).ok_or_else(|| StoreError::Missing { what: "thread", id: String::new() }.into())
            }
        }
    }

    /// A source as it was read, with the passages that the turn rests on.
    ///
    /// # Errors
    /// When the turn has no such source.
    pub async fn source(&self, turn: &TurnId, number: u32) -> Result<SourceText, EngineError> {
        let (stored, passages) = self.stored_source(turn, number).await?;
        blocking(move || {
            let page = stored.page;
            SourceText {
                html: reading::html(&page),
                pictures: reading::has_pictures(&page.url),
                number,
                url: page.url,
                title: page.title,
                byline: page.byline,
                date: page.date,
                fetched_ms: page.cached_ms.unwrap_or(stored.read_ms),
                text: page.text,
                passages,
                lines: page.lines,
            }
        })
        .await
    }

    async fn stored_source(&self, turn: &TurnId, number: u32) -> Result<(StoredSource, Vec<Passage>), EngineError> {
        // While a run goes on, texts are kept under other numbers than are shown.
        let shown = self.live().get(turn).and_then(|live| live.source_url(number));
        self.with_turn(turn, move |history, turn| {
            let turn = history.turn(turn)?;
            let by_address = match shown {
                Some(url) => history.sources(&turn.thread)?.into_iter().find(|stored| stored.page.url == url),
                None => None,
            };
            let stored = by_address.map_or_else(|| history.source(&turn.thread, number), Ok)?;
            let passages =
                turn.ending.sources.into_iter().find(|source| source.number == number).map(|source| source.passages).unwrap_or_default();
            Ok((stored, passages))
        })
        .await
    }
}

/// Where things would be kept with these options, without opening anything.
///
/// # Errors
/// When the platform has no place for them.
pub fn paths(options: EngineOptions) -> Result<Paths, EngineError> {
    Ok(Paths::new(options.settings, options.data)?)
}

/// Chooses the language of the program: that of `NEXI_LANGUAGE`, of the settings, or of the system. Comes first in every
/// program, because messages of everything after it are in that language.
pub fn speak(options: &EngineOptions) {
    let paths = paths(options.clone()).ok();
    let chosen = paths.and_then(|paths| nexi_store::settings_file::language(&paths.settings));
    Messages::choose(Language::wanted(chosen.as_deref()));
}

//! Asking: from a question to a run that goes on by itself.

use nexi_core::protocol::Notice;
use nexi_messages::say;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use nexi_core::{
    ids::ThreadId,
    model::ModelInfo,
    ports::SearchTool,
    protocol::{EndReason, Ending, Event, Focus, HookEvent, Mode},
    run::{AnyRun, Asked, DeepOptions, Effect, Input, Limits, OfSpace},
    settings::{AnswerCheck, DOCUMENTS, MAX_STEPS, PlanApproval, Preferences, Settings},
    user_tools::UserTool,
};
use nexi_store::{History, history::NewTurn};

use tokio_util::sync::CancellationToken;

use super::{
    AskOptions, Engine, attach, blocking,
    folders::can_be_read,
    spaces::{self, folders_of},
    thread::{EarlierTurns, earlier, unknown, without_texts},
};
use crate::{
    EngineError,
    driver::{self, Driver, End, now_ms},
    earlier::PastResearch,
    live::{Live, Subscription},
    log, sentences,
    wiring::{self, RunDeps},
};

/// Tokens around the description of a tool.
const TOOL_FRAME: usize = 12;
/// Questions longer than this are refused, in bytes.
const MAX_QUESTION: usize = 32 * 1024;

/// How long services may take to tell what their models can hold and what they cost.
const WINDOW: Duration = Duration::from_secs(5);
/// The smallest context window that is believed, in tokens.
const MIN_WINDOW: u32 = 1500;

impl Engine {
    /// Begins a run; it goes on in the background, whether or not anybody watches.
    ///
    /// # Errors
    /// When the question or an option is not valid, a key is missing, or the thread is busy.
    pub async fn ask(&self, options: AskOptions) -> Result<Subscription, EngineError> {
        let question = options.question.trim().to_owned();
        check_question(&question)?;
        self.refresh_settings();
        self.check_mistakes()?;
        let mut settings = self.settings();
        if !options.search.is_empty() {
            search_with(&mut settings, &options.search)?;
        }
        let history = match &options.thread {
            Some(thread) => self.history_of(thread)?,
            None if options.private => self.private()?,
            None => self.inner.history.clone(),
        };
        self.refuse_opened_share(&history)?;
        let private = self.is_private(&history);
        let space = self.space_for(&options, private).await?;
        let space_model = space.as_ref().filter(|_| options.provider.is_none()).and_then(|space| space.model.clone());
        let mut from_space = OfSpace { model: space_model.is_some(), folders: 0 };
        let provider = options.provider.clone().or(space_model);
        choose(&mut settings, provider.as_deref(), options.focus).map_err(|error| match (&space, from_space.model) {
            (Some(space), true) => spaces::model_is_gone(space),
            _ => error,
        })?;
        let effort = options.effort.unwrap_or(settings.default_effort);
        let mode = options.mode;
        let usual = settings.max_steps.map_or(effort.max_steps(), |most| most.min(effort.max_steps()));
        let max_steps = options.max_steps.unwrap_or(usual);
        if max_steps == 0 || max_steps > MAX_STEPS {
            return Err(EngineError::invalid("max_steps", say!("arguments-limit.steps", most = MAX_STEPS)));
        }
        let time_target = options.time_target.or(settings.time_target);
        if time_target == Some(0) {
            return Err(EngineError::invalid("time_target", say!("arguments-limit.seconds")));
        }
        if options.max_cost.or(settings.max_cost).is_some_and(|dollars| !dollars.is_finite() || dollars <= 0.0) {
            return Err(EngineError::invalid("max_cost", say!("arguments-limit.dollars")));
        }
        if let Some(missing) = options.folders.iter().find(|root| !can_be_read(root)) {
            return Err(EngineError::invalid("docs", say!("arguments-folder.unreadable", path = missing.display().to_string())));
        }
        if let Some(thread) = &options.thread
            && self.is_answering(thread)
        {
            return Err(EngineError::Busy);
        }
        if private {
            settings.cache.enabled = false;
        }
        let mut attachments = match &options.attachments_of {
            Some(turn) => self.given_with(turn).await?,
            None => Vec::new(),
        };
        attachments.extend(options.attachments.iter().cloned());
        let given = self.attached(&attachments, options.focus).await?;
        if !given.sites.is_empty() {
            settings.search.include_sites.clone_from(&given.sites);
        }
        // What is given along goes before the documents of the space, and those before the documents of the settings.
        let (space_folders, missing) = match &space {
            Some(space) if given.folders.is_empty() && options.focus != Focus::Web => folders_of(space)?,
            _ => Default::default(),
        };
        from_space.folders = u32::try_from(space_folders.len()).unwrap_or_default();
        let only_folders = !given.folders.is_empty() || !space_folders.is_empty();
        let folders: Vec<PathBuf> = options.folders.iter().cloned().chain(given.folders).chain(space_folders).collect();
        let single: Vec<PathBuf> =
            folders.iter().filter(|folder| folder.is_file()).filter_map(|file| dunce::canonicalize(file).ok()).collect();
        let roots = if options.focus == Focus::Web { Vec::new() } else { self.roots_of(&settings, &folders, only_folders) };
        // Whoever gives something along asks about that, and not about Nexi.
        let handbook = self.handbook_folder();
        let roots: Vec<PathBuf> = roots.into_iter().filter(|root| given.attachments.is_empty() || *root != handbook).collect();
        let files = attach::files(&given.attachments);
        if options.anew {
            // What was read a while ago is what it is compared with.
            settings.cache.enabled = false;
        }
        let may_look_back = settings.past_research && !private && !options.anew && !options.for_others && options.focus != Focus::Web;
        let past = if may_look_back { self.past_research(options.thread.clone()).await? } else { None };
        let library = past.is_some();
        let mut parts = self.parts(&settings, &roots, &files, past).await?;
        // Other programs get none of the person's tools, and a researcher that understands nothing can use none.
        let tools = if options.for_others || !parts.assisted {
            Vec::new()
        } else {
            let (tools, toolbox) = self.user_tools(&settings, options.focus, private).await?;
            parts.toolbox = toolbox.asking(options.may_ask);
            tools
        };
        let model = parts.model.label();
        // A service on this computer tells it at once; nobody waits for one that does not.
        let told = self.told(&parts).await;
        let context = context(&parts, &told);
        let max_cost = if options.any_cost { None } else { options.max_cost.or(settings.max_cost) };
        let max_tokens = options.max_tokens.or(settings.max_tokens);
        self.check_costs(&parts, &told, max_cost, max_tokens, options.any_cost || options.over_month).await?;
        let (asking, handbook, wanted) = (history.clone(), self.handbook_address(), options.thread.clone());
        let anew = options.anew;
        let (EarlierTurns { summary, earlier, known, last: after }, numbers_above) = match wanted {
            Some(thread) if anew => blocking(move || unknown(&asking, &thread)).await??,
            Some(thread) => (blocking(move || earlier(&asking, &thread, &handbook)).await??, None),
            None => (EarlierTurns::default(), None),
        };
        let now = jiff::Zoned::now();
        let deep = (mode == Mode::Deep).then(|| deep_options(&settings, &options, library));
        // Not in a private thread, not to a researcher that writes nothing, and not to other programs.
        let may_know = !private && parts.assisted && !options.for_others;
        let memories = if may_know { self.told_memories(space.as_ref().map(|space| space.id.as_str())).await? } else { Vec::new() };
        let asked = Asked {
            question,
            memories,
            of_space: from_space,
            preferences: if may_know { settings.preferences.clone() } else { Preferences::default() },
            instructions: space.as_ref().filter(|_| may_know).map(|space| space.instructions.clone()).unwrap_or_default(),
            effort,
            limits: Limits { user_tools: tokens_of_tools(&tools, &parts), ..limits(&settings, max_steps, context, max_cost, max_tokens) },
            model,
            own_words: sentences::own_words(),
            today: now.strftime("%Y-%m-%d").to_string(),
            moment: moment(&now),
            encoding: parts.encoding.clone(),
            time_target,
            prompts: settings.prompts.clone(),
            price: told.price,
            assisted: parts.assisted,
            ahead: if parts.assisted { settings.pages_ahead } else { 0 },
            check: parts.assisted && options.check.unwrap_or(settings.check) == AnswerCheck::Model,
            thinking: options.thinking.unwrap_or(settings.thinking),
            provider,
            focus: options.focus,
            guarded: settings.documents.keep_private,
            may_ask: options.may_ask,
            searches_here: settings.search_backends.iter().all(|name| settings.is_for_documents(name)),
            corpora: settings.search_backends.iter().filter(|name| settings.is_corpus(name)).cloned().collect(),
            handbook: self.handbook_address(),
            demoted: settings.search.demote_sites.clone(),
            preferred: settings.search.prefer_sites.clone(),
            earlier,
            summary,
            known,
            numbers_above,
            folders: folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
            only_folders,
            sites: given.sites,
            attached: given.attachments,
            documents: self.has_documents(&settings, &roots),
            library: library && parts.assisted,
            tools,
            mode,
            deep,
            assignment: None,
        };
        // The turn and the first line of its journal come into being together: what is there can be resumed.
        let (asking, thread) = (history.clone(), options.thread.clone());
        let (label, first) = (asked.model.clone(), Input::Asked { asked: Box::new(without_texts(&asked)) });
        let question = asked.question.clone();
        let (thread, turn) = blocking(move || {
            let new = NewTurn {
                thread: thread.as_ref(),
                question: &question,
                effort,
                mode,
                model: &label,
                asked_ms: now_ms(),
                after: after.as_ref(),
                space: space.as_ref().map(|space| space.id.as_str()),
                first: Some(&first),
            };
            asking.begin_turn(&new)
        })
        .await??;
        let counter = parts.counter.clone();
        let (run, effects) = blocking(move || AnyRun::begin(asked, counter)).await?;
        let live = Arc::new(Live::new(turn, thread, 0));
        let target = time_target.map(|seconds| Duration::from_secs(seconds.into()));
        // Checks of watched questions are told of only when something changed.
        let afterwards = (!private && !anew).then(|| self.tell_afterwards(live.turn.clone()));
        for folder in missing {
            live.push(Event::Notice { notice: Notice::FolderUnread { folder: folder.display().to_string() } });
        }
        let driver = Driver { seq: 1, time_target: target, afterwards, ..Driver::new(history, parts, live, run) };
        Ok(self.start(driver, effects, roots, single))
    }

    /// What the models of a run tell of themselves; nobody waits long for it.
    pub(super) async fn told(&self, parts: &RunDeps) -> ModelInfo {
        let stop = CancellationToken::new();
        let all = async {
            let side = async {
                match &parts.side {
                    // What does not fit its window is given to the model itself.
                    Some(side) => ModelInfo { window: None, ..side.model.told(&stop).await },
                    None => ModelInfo::default(),
                }
            };
            let (main, side) = tokio::join!(parts.model.told(&stop), side);
            main.and(side)
        };
        let nothing = || ModelInfo { unpriced: vec![parts.model.label()], ..ModelInfo::default() };
        tokio::time::timeout(WINDOW, all).await.unwrap_or_else(|_| if parts.assisted { nothing() } else { ModelInfo::default() })
    }

    /// How addresses of the handbook begin.
    pub(super) fn handbook_address(&self) -> String {
        url::Url::from_directory_path(self.handbook_folder()).map(String::from).unwrap_or_default()
    }

    /// Whether anything but the handbook is searched as documents.
    fn has_documents(&self, settings: &Settings, roots: &[PathBuf]) -> bool {
        let handbook = self.handbook_folder();
        let own = settings.search_backends.iter().any(|name| name == DOCUMENTS) && roots.iter().any(|root| *root != handbook);
        own || settings.search_backends.iter().any(|name| settings.is_corpus(name))
    }

    /// The library, unless it holds nothing besides this thread.
    pub(super) async fn past_research(&self, besides: Option<ThreadId>) -> Result<Option<PastResearch>, EngineError> {
        let past = PastResearch { history: self.inner.history.clone(), besides };
        blocking(move || Ok(past.history.has_past_answers(past.besides.as_ref())?.then_some(past))).await?
    }

    /// What a run works with; `past` where it may look into past research.
    pub(super) async fn parts(
        &self,
        settings: &Settings,
        roots: &[PathBuf],
        files: &[PathBuf],
        past: Option<PastResearch>,
    ) -> Result<RunDeps, EngineError> {
        let (settings, roots, files) = (settings.clone(), roots.to_vec(), files.to_vec());
        let (index, shared_state, pages) = (self.inner.index.clone(), self.inner.shared_state.clone(), self.inner.paths.pages());
        blocking(move || wiring::build(&settings, &index, &roots, &files, past, &shared_state, &pages)).await?
    }

    /// Goes on with a run by itself, once the index is up to date. `single` files among the documents are named where they
    /// cannot be read.
    pub(super) fn start(&self, mut driver: Driver, effects: Vec<Effect>, roots: Vec<PathBuf>, single: Vec<PathBuf>) -> Subscription {
        let live = driver.live.clone();
        nexi_llm::envelope::set(&driver.parts.tag, live.turn.as_str());
        self.live().insert(live.turn.clone(), live.clone());
        let subscription = live.subscribe();
        let engine = self.clone();
        let private = self.is_private(&driver.history);
        let work = async move {
            let turn = live.turn.clone();
            // What is said first is shown while the documents are brought up to date.
            let to_do = driver.effects.take(effects, live.elapsed_ms());
            let progress = live.clone();
            let syncing = engine.sync_for_question(roots, move |done, total| {
                progress.push(Event::Indexing {
                    done: u32::try_from(done).unwrap_or(u32::MAX),
                    total: u32::try_from(total).unwrap_or(u32::MAX),
                });
            });
            // A person who stops the run, or whose time is up, does not wait for the index.
            let time_limit = driver.time_target.unwrap_or(Duration::from_secs(86400));
            tokio::select! {
                () = live.cancel.cancelled() => {}
                () = tokio::time::sleep(time_limit) => {}
                synced = syncing => match synced {
                    Ok(true) => engine.tell_unread(single, &live).await,
                    Ok(false) => live.push(Event::Notice { notice: Notice::DocumentsStillRead }),
                    Err(error) => live.push(Event::Notice { notice: Notice::NotIndexed { why: error.to_string() } }),
                },
            }
            let history = driver.history.clone();
            let is_told = driver.afterwards.is_some();
            // A task of its own: even a panic ends the run with a label.
            if log::spawn(driver.drive(to_do)).await.is_err() {
                fail(&history, &live, EndReason::BrokeDown).await;
                if is_told {
                    engine.queue_deliveries(&turn, HookEvent::Failed).await;
                }
            }
            engine.live().remove(&turn);
        };
        if private {
            tokio::spawn(log::silenced(work));
        } else {
            tokio::spawn(work);
        }
        subscription
    }
}

/// The context window that is used, in tokens: the service's where it tells, and never more than the settings'.
pub(super) fn context(parts: &RunDeps, told: &ModelInfo) -> u32 {
    told.window.map_or(parts.context, |window| window.max(MIN_WINDOW).min(parts.context))
}

/// Tokens that the descriptions of these tools take in each request.
fn tokens_of_tools(tools: &[UserTool], parts: &RunDeps) -> u32 {
    let count = |tool: &UserTool| parts.counter.count(&format!("{} {} {}", tool.name, tool.description, tool.parameters)) + TOOL_FRAME;
    u32::try_from(tools.iter().map(count).sum::<usize>()).unwrap_or(u32::MAX)
}

/// The day, the time and its zone, in words for a model.
fn moment(now: &jiff::Zoned) -> String {
    let zone = now.time_zone().iana_name().map(|name| format!("{name}, ")).unwrap_or_default();
    format!("{} ({zone}UTC{})", now.strftime("%Y-%m-%d, %H:%M"), now.strftime("%:z"))
}

/// How a deep run goes about it, by the settings and by what the question wants.
fn deep_options(settings: &Settings, options: &AskOptions, library: bool) -> DeepOptions {
    let mut tools = settings.deep.search_tools();
    tools.retain(|tool| library || *tool != SearchTool::Library);
    // Nobody looks where the person does not want to look: who searches documents alone, by the focus
    // or by the settings, sends nothing to services.
    let web: Vec<&String> = settings.search_backends.iter().filter(|name| !settings.is_for_documents(name)).collect();
    if web.is_empty() {
        tools.retain(|tool| tool.is_web() || tool.is_local());
    }
    // Who chose their search services meant those; the tools that they did not name are left alone.
    let is_default = settings.search_backends == Settings::default().search_backends;
    if settings.deep.tools == Settings::default().deep.tools && !is_default && !web.iter().any(|name| *name == "stackexchange") {
        tools.retain(|tool| *tool != SearchTool::Stackexchange);
    }
    if options.focus == Focus::Web {
        tools.retain(|tool| *tool != SearchTool::Grep);
    }
    let approve = options.approve_plan.unwrap_or(settings.deep.plan == PlanApproval::Ask);
    DeepOptions { parallel: settings.deep.parallel, approve, tools }
}

/// Ends a run that cannot end by itself.
pub(super) async fn fail(history: &Arc<History>, live: &Arc<Live>, reason: EndReason) {
    let ending = Ending { usage: live.used(), ..Ending::failed(reason, "") };
    driver::finish(history, live, End { ending, numbers: BTreeMap::new() }, None).await;
}

/// Puts the chosen model first, and leaves out where the person does not want to look.
pub(super) fn choose(settings: &mut Settings, provider: Option<&str>, focus: Focus) -> Result<(), EngineError> {
    if let Some(name) = provider {
        let answers = name == "builtin" || settings.provider(name).is_some_and(|provider| provider.kind.answers());
        if !answers {
            return Err(EngineError::invalid("model", say!("arguments-model.none", name = name)));
        }
        settings.llm_backends.retain(|known| known != name);
        settings.llm_backends.insert(0, name.to_owned());
    }
    match focus {
        Focus::Both => {}
        Focus::Documents => {
            let corpora = settings.search_backends.iter().filter(|name| settings.is_corpus(name)).cloned();
            settings.search_backends = std::iter::once(DOCUMENTS.to_owned()).chain(corpora).collect();
            // Nobody is there who could read the web.
            settings.fetch_backends.clear();
        }
        Focus::Web => {
            let web = settings.search_backends.iter().filter(|name| !settings.is_for_documents(name)).cloned().collect();
            settings.search_backends = web;
            if settings.search_backends.is_empty() {
                return Err(EngineError::invalid("focus", say!("arguments-backend.no_web_search")));
            }
        }
    }
    Ok(())
}

/// These search backends and no others.
fn search_with(settings: &mut Settings, names: &[String]) -> Result<(), EngineError> {
    let finds = |name: &String| name == DOCUMENTS || settings.provider(name).is_some_and(|provider| provider.kind.finds());
    if let Some(wrong) = names.iter().find(|name| !finds(name)) {
        return Err(EngineError::invalid("search", say!("arguments-backend.no_search", name = wrong)));
    }
    settings.search_backends = names.to_vec();
    Ok(())
}

pub(super) fn check_question(question: &str) -> Result<(), EngineError> {
    if question.is_empty() {
        return Err(EngineError::invalid("question", say!("arguments-question.empty")));
    }
    if question.len() > MAX_QUESTION {
        return Err(EngineError::invalid("question", say!("arguments-question.long", kib = MAX_QUESTION / 1024)));
    }
    Ok(())
}

/// `context` is the model's own window, `max_cost` in US dollars.
pub(super) fn limits(settings: &Settings, max_steps: u32, context: u32, max_cost: Option<f64>, max_tokens: Option<u32>) -> Limits {
    Limits {
        user_tools: 0,
        max_steps,
        max_context: context,
        compact_at: settings.auto_compact_thresh,
        compact_target_words: settings.compact_target_words,
        preserve_last: settings.preserve_last_n_messages,
        // With a small window, most of it is for what was read.
        max_output_tokens: settings.max_output_tokens.min(if context > 64_000 { context / 2 } else { context / 4 }),
        max_tokens: max_tokens.map(u64::from),
        max_cost: max_cost.map(|dollars| (dollars * 1e6) as u64),
    }
}

//! Asking and reading answers, in the research window and the popup.

use crate::refusal::Refusal;
use std::time::Duration;

use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::model::Thinking;
use nexi_engine::core::protocol::{Effort, Event, Focus, HeldId, Mode, Plan, ResearcherId, ThreadSummary};
use nexi_engine::core::urls::with_text_fragment;
use nexi_engine::core::user_tools::GrantScope;
use nexi_engine::export::{self, CopyForm};
use nexi_engine::views::{AnswerText, AppEvent, Begun, Chapter, Taken, ThreadView, TurnView, WatchMessage, chapters};
use nexi_engine::{AskOptions, CatalogService, EngineError, OpinionLimits, SourceText, Subscription, ThreadFacts, aside, render};
use serde::Deserialize;
use tauri::ipc::Channel;
use tauri::{AppHandle, State};

use super::library::remember;
use super::{CommandResult, open_in_browser, sentence};
use crate::app::{App, downloads};
use crate::{clipboard, notify, windows};

/// The window is told of news at most this often; what arrives in between is sent together.
const FRAME: Duration = Duration::from_millis(40);
/// Threads in the list.
const THREADS: u32 = 500;
/// Turns that are sent in full when a thread is opened.
const NEWEST: usize = 3;
/// Turns that are read in one go as they come into sight.
const TOGETHER: usize = 12;

/// A question and how to answer it.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    question: String,
    thread: Option<ThreadId>,
    /// The space in which a new thread begins.
    #[serde(default)]
    space: Option<String>,
    effort: Option<Effort>,
    /// The name of a provider, or `builtin`.
    provider: Option<String>,
    #[serde(default)]
    focus: Focus,
    #[serde(default)]
    private: bool,
    #[serde(default)]
    mode: Mode,
    /// Whether the plan of a deep run waits; none takes the settings'.
    #[serde(default)]
    approve: Option<bool>,
    /// How much the model thinks; none takes the settings'.
    #[serde(default)]
    thinking: Option<Thinking>,
    /// Without a cost limit, whatever the settings say.
    #[serde(default)]
    any_cost: bool,
    /// Even if the monthly cost limit is reached.
    #[serde(default)]
    over_month: bool,
    /// What is given along, by the numbers of its chips.
    #[serde(default)]
    attached: Vec<u32>,
    /// The turn that this question repeats: what was given along with that one is given again.
    #[serde(default)]
    instead_of: Option<TurnId>,
}

/// The newest threads and those that are pinned, of a space or of all.
#[tauri::command]
pub(crate) async fn threads(app: State<'_, App>, space: Option<String>) -> CommandResult<Vec<ThreadSummary>> {
    app.engine.threads_in(space.as_deref(), THREADS).await.map_err(sentence)
}

/// A thread: outlines of all turns, and the newest ones with their answers rendered.
#[tauri::command]
pub(crate) async fn open_thread(app: State<'_, App>, thread: ThreadId) -> CommandResult<ThreadView> {
    let outlines = app.engine.outlines(&thread).await.map_err(sentence)?;
    let facts = app.engine.thread_facts(&thread).await.map_err(sentence)?;
    let mut turns = Vec::new();
    for outline in outlines.iter().rev().take(NEWEST).rev() {
        turns.push(app.engine.turn_view(&outline.id).await.map_err(sentence)?);
    }
    Ok(ThreadView { thread: facts, outlines, turns })
}

/// What is known of a thread besides its turns.
#[tauri::command]
pub(crate) async fn thread_facts(app: State<'_, App>, thread: ThreadId) -> CommandResult<ThreadFacts> {
    app.engine.thread_facts(&thread).await.map_err(sentence)
}

/// Turns with their answers rendered, as they come into sight.
#[tauri::command]
pub(crate) async fn turn_views(app: State<'_, App>, turns: Vec<TurnId>) -> CommandResult<Vec<TurnView>> {
    let mut views = Vec::new();
    for id in turns.iter().take(TOGETHER) {
        views.push(app.engine.turn_view(id).await.map_err(sentence)?);
    }
    Ok(views)
}

/// Begins a run; `watch` shows it.
#[tauri::command]
pub(crate) async fn ask(handle: AppHandle, app: State<'_, App>, asked: Question) -> CommandResult<Taken> {
    nexi_engine::start_without_account(&app.engine).map_err(sentence)?;
    let options = AskOptions {
        question: asked.question.clone(),
        thread: asked.thread,
        space: asked.space,
        effort: asked.effort,
        provider: asked.provider,
        focus: asked.focus,
        private: asked.private,
        mode: asked.mode,
        approve_plan: asked.approve,
        thinking: asked.thinking,
        any_cost: asked.any_cost,
        over_month: asked.over_month,
        attachments: app.offered(&asked.attached)?,
        attachments_of: asked.instead_of,
        may_ask: true,
        ..AskOptions::default()
    };
    let run = match app.engine.ask(options).await {
        Ok(run) => run,
        Err(error) => {
            let message = error.to_string();
            return match error {
                EngineError::PriceUnknown { model } => Ok(Taken::PriceUnknown { model, message }),
                EngineError::MonthIsSpent { spent, limit } => Ok(Taken::MonthIsSpent { spent, limit, message }),
                _ => Err(Refusal::Said { text: message }),
            };
        }
    };
    let begun = Begun { thread: run.thread().clone(), turn: run.turn().clone() };
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    notify::when_ended(&handle, run, asked.question);
    Ok(Taken::Begun(begun))
}

/// The models of all connected services.
#[tauri::command]
pub(crate) async fn model_catalog(app: State<'_, App>) -> CommandResult<Vec<CatalogService>> {
    Ok(app.engine.model_catalog().await)
}

/// Marks a model as one that is offered first, or no longer.
#[tauri::command]
pub(crate) async fn favour_model(app: State<'_, App>, name: String, favourite: bool) -> CommandResult<()> {
    app.engine.favour(&name, favourite).map_err(sentence)?;
    app.send_to_all(&AppEvent::SettingsChanged);
    Ok(())
}

/// Sends a run's events, from the first on, until it ends or the window is gone. A run that is over
/// sends nothing.
#[tauri::command]
pub(crate) async fn watch(app: State<'_, App>, turn: TurnId, channel: Channel<WatchMessage>) -> CommandResult<bool> {
    let Some(run) = app.engine.attach(&turn) else { return Ok(false) };
    tauri::async_runtime::spawn(forward(run, channel));
    Ok(true)
}

async fn forward(mut run: Subscription, channel: Channel<WatchMessage>) {
    let mut answer = AnswerText::default();
    while let Some(events) = run.next().await {
        let ended = events.iter().any(|envelope| matches!(envelope.event, Event::Ended { .. }));
        let message = aside(|| answer.message(events));
        if channel.send(message).is_err() {
            return;
        }
        if !ended {
            tokio::time::sleep(FRAME).await;
        }
    }
}

/// Stops a run; what it has is kept.
#[tauri::command]
pub(crate) async fn stop(app: State<'_, App>, turn: TurnId) -> CommandResult<()> {
    app.engine.cancel(&turn);
    Ok(())
}

/// Asks a run for its answer now, from what there is.
#[tauri::command]
pub(crate) async fn finish_now(app: State<'_, App>, turn: TurnId) -> CommandResult<()> {
    app.engine.finish_now(&turn);
    Ok(())
}

/// Stops one researcher of a deep run.
#[tauri::command]
pub(crate) async fn stop_researcher(app: State<'_, App>, turn: TurnId, researcher: ResearcherId) -> CommandResult<()> {
    app.engine.stop_researcher(&turn, researcher);
    Ok(())
}

/// Lets a deep run carry out its plan, as it is here.
#[tauri::command]
pub(crate) async fn approve_plan(app: State<'_, App>, turn: TurnId, plan: Plan) -> CommandResult<()> {
    app.engine.approve(&turn, plan).map_err(sentence)
}

/// Lets through what a run holds back, or does not; for calls of tools `scope` says how far that reaches.
#[tauri::command]
pub(crate) async fn permit(app: State<'_, App>, turn: TurnId, held: HeldId, allowed: bool, scope: Option<GrantScope>) -> CommandResult<()> {
    app.engine.permit_as(&turn, held, allowed, scope.unwrap_or_default());
    Ok(())
}

/// Asks another model the question of a turn with the same sources; the turn with what came of it.
#[tauri::command]
pub(crate) async fn second_opinion(app: State<'_, App>, turn: TurnId, model: String) -> CommandResult<TurnView> {
    app.engine.second_opinion(&turn, &model, OpinionLimits::default()).await.map_err(sentence)?;
    app.engine.turn_view(&turn).await.map_err(sentence)
}

/// Summarises the earlier turns of a thread; the view of its last turn, which the summary is kept with.
#[tauri::command]
pub(crate) async fn summarise_thread(app: State<'_, App>, thread: ThreadId) -> CommandResult<TurnView> {
    app.engine.summarise(&thread, OpinionLimits::default()).await.map_err(sentence)?;
    let outlines = app.engine.outlines(&thread).await.map_err(sentence)?;
    let last = outlines.last().ok_or(Refusal::NoAnswerYet)?;
    app.engine.turn_view(&last.id).await.map_err(sentence)
}

/// What a researcher reported, as safe HTML.
#[tauri::command]
pub(crate) async fn researcher_report(app: State<'_, App>, turn: TurnId, researcher: ResearcherId) -> CommandResult<String> {
    let findings = app.engine.findings(&turn, researcher).await.map_err(sentence)?;
    Ok(aside(|| render::answer(&findings.report)))
}

/// Writes the report of a turn into a new file of the settings' folder, or of the one for
/// downloads. Returns the file.
#[tauri::command]
pub(crate) async fn save_report(handle: AppHandle, app: State<'_, App>, turn: TurnId) -> CommandResult<String> {
    let path = app.engine.save_report(&turn, None, &downloads(&handle)).await.map_err(sentence)?;
    Ok(remember(&app, path))
}

/// Writes down what happened in a run, into a new file of the folder for downloads. Returns the file.
#[tauri::command]
pub(crate) async fn save_audit(handle: AppHandle, app: State<'_, App>, turn: TurnId) -> CommandResult<String> {
    let path = app.engine.save_audit(&turn, &downloads(&handle)).await.map_err(sentence)?;
    Ok(remember(&app, path))
}

/// Picks an interrupted run up.
#[tauri::command]
pub(crate) async fn resume(handle: AppHandle, app: State<'_, App>, turn: TurnId) -> CommandResult<Begun> {
    let question = app.engine.turn(&turn).await.map_err(sentence)?.question;
    let run = app.engine.resume(Some(turn.as_str())).await.map_err(sentence)?;
    let begun = Begun { thread: run.thread().clone(), turn: run.turn().clone() };
    notify::when_ended(&handle, run, question);
    Ok(begun)
}

/// A new thread with the turns before this one, and this one too if `including`; none where there
/// would be none in it.
#[tauri::command]
pub(crate) async fn branch(app: State<'_, App>, turn: TurnId, including: bool) -> CommandResult<Option<ThreadId>> {
    app.engine.branch(&turn, including).await.map_err(sentence)
}

/// A source's text with the passages that the turn rests on.
#[tauri::command]
pub(crate) async fn source(app: State<'_, App>, turn: TurnId, number: u32) -> CommandResult<SourceText> {
    app.engine.source(&turn, number).await.map_err(sentence)
}

/// Opens a source in the system's browser, at the passage.
#[tauri::command]
pub(crate) async fn open_source(app: State<'_, App>, turn: TurnId, number: u32, passage: Option<u32>) -> CommandResult<()> {
    let source = app.engine.source(&turn, number).await.map_err(sentence)?;
    let quote = passage.and_then(|index| source.passages.get(index as usize)).map(|passage| nexi_engine::core::text::plain(&passage.quote));
    open_in_browser(&match quote {
        Some(quote) => with_text_fragment(&source.url, &quote),
        None => source.url,
    })
}

/// Opens the link with this place, counted from 0, in a turn's answer.
#[tauri::command]
pub(crate) async fn open_answer_link(app: State<'_, App>, turn: TurnId, place: usize) -> CommandResult<()> {
    let answer = app.engine.turn(&turn).await.map_err(sentence)?.ending;
    let links = aside(|| render::links(&render::ending(&answer)));
    match links.get(place) {
        Some(link) => open_in_browser(link),
        None => Err(Refusal::NoSuchLink),
    }
}

/// Puts an answer on the clipboard: as text, and for programs that take it as formatted text, too.
#[tauri::command]
pub(crate) async fn copy_answer(handle: AppHandle, app: State<'_, App>, turn: TurnId, form: CopyForm) -> CommandResult<()> {
    let turn = app.engine.turn(&turn).await.map_err(sentence)?;
    let (text, html) = aside(|| {
        let text = export::answer_text(&turn, form);
        let html = (form == CopyForm::WithSources).then(|| render::for_clipboard(&text));
        (text, html)
    });
    clipboard::write(handle, text, html).await
}

/// Bytes of a text that a page may put on the clipboard.
const MAX_COPIED: usize = 4 * 1024 * 1024;

/// Puts a text on the clipboard: code of an answer, or the link of a thread.
#[tauri::command]
pub(crate) async fn copy_text(handle: AppHandle, text: String) -> CommandResult<()> {
    if text.len() > MAX_COPIED {
        return Err(Refusal::ClipboardTooLong);
    }
    clipboard::write(handle, text, None).await
}

/// The handbook.
#[tauri::command]
pub(crate) async fn handbook() -> CommandResult<Vec<Chapter>> {
    Ok(aside(chapters))
}

/// Opens the link with this place, counted from 0, in a page of the handbook.
#[tauri::command]
pub(crate) async fn open_handbook_link(chapter: String, place: usize) -> CommandResult<()> {
    let page = aside(chapters).into_iter().find(|page| page.name == chapter).ok_or(Refusal::NoSuchPage)?;
    let links = render::links(&page.html);
    links.get(place).map_or(Err(Refusal::NoSuchLink), |link| open_in_browser(link))
}

//! The commands that the window may call. Errors are sentences for the person.

use std::time::Duration;

use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::protocol::{Effort, Event, ThreadSummary};
use nexi_engine::core::urls::with_text_fragment;
use nexi_engine::views::{AnswerText, Begun, Overview, TurnView, WatchMessage, first_run, start_without_account};
use nexi_engine::{AskOptions, SourceText, Subscription, render};
use tauri::State;
use tauri::ipc::Channel;

use crate::App;

/// The window is told of news at most this often; what arrives in between is sent together.
const FRAME: Duration = Duration::from_millis(40);
/// Threads in the list.
const THREADS: u32 = 500;

type Answer<T> = Result<T, String>;

fn sentence(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What the window shows before anything is asked.
#[tauri::command]
pub(crate) async fn overview(app: State<'_, App>) -> Answer<Overview> {
    let settings = app.engine.settings();
    Ok(Overview {
        first_run: first_run(&app.engine),
        model: app.engine.model_label(),
        effort: settings.default_effort,
        warnings: app.engine.warnings().iter().map(ToString::to_string).collect(),
        version: env!("CARGO_PKG_VERSION").into(),
        settings_file: app.engine.paths().settings.display().to_string(),
    })
}

/// Ends the first run with the built-in researcher.
#[tauri::command]
pub(crate) async fn begin_without_account(app: State<'_, App>) -> Answer<()> {
    start_without_account(&app.engine).map_err(sentence)
}

/// The newest threads.
#[tauri::command]
pub(crate) async fn threads(app: State<'_, App>) -> Answer<Vec<ThreadSummary>> {
    app.engine.threads(THREADS).await.map_err(sentence)
}

/// A thread's turns, answers rendered.
#[tauri::command]
pub(crate) async fn open_thread(app: State<'_, App>, thread: ThreadId) -> Answer<Vec<TurnView>> {
    let turns = app.engine.turns(&thread).await.map_err(sentence)?;
    Ok(turns.into_iter().map(|turn| TurnView { html: render::answer(&turn.ending.answer), turn }).collect())
}

/// Begins a run; `watch` shows it.
#[tauri::command]
pub(crate) async fn ask(app: State<'_, App>, question: String, thread: Option<ThreadId>, effort: Option<Effort>) -> Answer<Begun> {
    let options = AskOptions { question, thread, effort, ..AskOptions::default() };
    let run = app.engine.ask(options).await.map_err(sentence)?;
    Ok(Begun { thread: run.thread().clone(), turn: run.turn().clone() })
}

/// Sends a run's events, from the first on, until it ends or the window is gone. A run that is over
/// sends nothing.
#[tauri::command]
pub(crate) async fn watch(app: State<'_, App>, turn: TurnId, channel: Channel<WatchMessage>) -> Answer<bool> {
    let Some(run) = app.engine.attach(&turn) else { return Ok(false) };
    tauri::async_runtime::spawn(forward(run, channel));
    Ok(true)
}

async fn forward(mut run: Subscription, channel: Channel<WatchMessage>) {
    let mut answer = AnswerText::default();
    while let Some(events) = run.next().await {
        let ended = events.iter().any(|envelope| matches!(envelope.event, Event::Ended { .. }));
        let message = answer.message(events);
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
pub(crate) async fn stop(app: State<'_, App>, turn: TurnId) -> Answer<()> {
    app.engine.cancel(&turn);
    Ok(())
}

/// Picks an interrupted run up.
#[tauri::command]
pub(crate) async fn resume(app: State<'_, App>, turn: TurnId) -> Answer<Begun> {
    let run = app.engine.resume(Some(turn.as_str())).await.map_err(sentence)?;
    Ok(Begun { thread: run.thread().clone(), turn: run.turn().clone() })
}

/// A new thread with the turns before this one, and this one too if `including`; none where there
/// would be none in it.
#[tauri::command]
pub(crate) async fn branch(app: State<'_, App>, turn: TurnId, including: bool) -> Answer<Option<ThreadId>> {
    app.engine.branch(&turn, including).await.map_err(sentence)
}

/// A source's text with the passages that the turn rests on.
#[tauri::command]
pub(crate) async fn source(app: State<'_, App>, turn: TurnId, number: u32) -> Answer<SourceText> {
    app.engine.source(&turn, number).await.map_err(sentence)
}

/// Opens a source in the system's browser, at the passage.
#[tauri::command]
pub(crate) async fn open_source(app: State<'_, App>, turn: TurnId, number: u32, passage: Option<u32>) -> Answer<()> {
    let source = app.engine.source(&turn, number).await.map_err(sentence)?;
    let quote = passage.and_then(|index| source.passages.get(index as usize)).map(|passage| nexi_engine::core::text::plain(&passage.quote));
    open_in_browser(&match quote {
        Some(quote) => with_text_fragment(&source.url, &quote),
        None => source.url,
    })
}

/// Opens the link with this place, counted from 0, in a turn's answer.
#[tauri::command]
pub(crate) async fn open_answer_link(app: State<'_, App>, turn: TurnId, place: usize) -> Answer<()> {
    let answer = match app.engine.turn(&turn).await {
        Ok(turn) => turn.ending.answer,
        Err(error) => return Err(sentence(error)),
    };
    let links = render::links(&render::answer(&answer));
    match links.get(place) {
        Some(link) => open_in_browser(link),
        None => Err("The answer has no such link.".into()),
    }
}

/// The one place from which an address reaches the system.
fn open_in_browser(url: &str) -> Answer<()> {
    let parsed = url::Url::parse(url).map_err(|_| "This is not an address.".to_owned())?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err("Only web pages are opened in the browser.".into());
    }
    tauri_plugin_opener::open_url(url, None::<&str>).map_err(|error| format!("The browser could not be opened: {error}"))
}

//! Questions that are asked again by themselves.

use crate::refusal::Refusal;
use nexi_engine::NewWatch;
use nexi_engine::core::ids::TurnId;
use nexi_engine::core::protocol::{Schedule, WatchedQuestion};
use nexi_engine::views::{AppEvent, WatchTaken};
use nexi_engine::{CheckAttempt, EngineError, sentences};
use serde::Deserialize;
use tauri::{AppHandle, State};

use super::library::remember;
use super::{CommandResult, sentence};
use crate::app::{App, downloads};
use crate::{watched, windows};

/// A turn whose question is to be watched.
#[derive(Debug, Deserialize)]
pub(crate) struct ToWatch {
    turn: TurnId,
    question: String,
    /// Such as `1d at 08:00`.
    schedule: String,
    #[serde(default)]
    any_cost: bool,
    #[serde(default)]
    stands_alone: bool,
}

#[tauri::command]
pub(crate) async fn watched_questions(app: State<'_, App>) -> CommandResult<Vec<WatchedQuestion>> {
    app.engine.watched().await.map_err(sentence)
}

/// Watches the question of a turn.
#[tauri::command]
pub(crate) async fn watch_question(app: State<'_, App>, asked: ToWatch) -> CommandResult<WatchTaken> {
    let schedule: Schedule = asked.schedule.parse().map_err(|why| Refusal::BadSchedule { why: sentences::schedule(&why) })?;
    let new = NewWatch {
        turn: asked.turn,
        question: Some(asked.question),
        schedule,
        max_cost: None,
        any_cost: asked.any_cost,
        stands_alone: asked.stands_alone,
    };
    match app.engine.watch(new).await {
        Ok(_) => {
            app.post(windows::MAIN, AppEvent::ThreadsChanged);
            Ok(WatchTaken::Watched)
        }
        Err(error @ EngineError::PriceUnknown { .. }) => Ok(WatchTaken::PriceUnknown { message: error.to_string() }),
        Err(error @ EngineError::LeansOnContext) => Ok(WatchTaken::LeansOnContext { message: error.to_string() }),
        Err(error) => Err(sentence(error)),
    }
}

#[tauri::command]
pub(crate) async fn schedule_watched(app: State<'_, App>, id: String, schedule: String) -> CommandResult<()> {
    let schedule: Schedule = schedule.parse().map_err(|why| Refusal::BadSchedule { why: sentences::schedule(&why) })?;
    app.engine.schedule_watched(&id, schedule).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn pause_watched(app: State<'_, App>, id: String, paused: bool) -> CommandResult<()> {
    app.engine.pause_watched(&id, paused).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn stop_watching(app: State<'_, App>, id: String) -> CommandResult<()> {
    app.engine.stop_watching(&id).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Checks a question now; its outcome is told like that of any other check.
#[tauri::command]
pub(crate) async fn check_watched(handle: AppHandle, app: State<'_, App>, id: String) -> CommandResult<()> {
    match app.engine.check_watched(&id, true).await.map_err(sentence)? {
        CheckAttempt::Checked(report) => watched::tell(&handle, &report),
        CheckAttempt::NotDue => {}
        CheckAttempt::Busy => return Err(Refusal::CheckBusy),
    }
    Ok(())
}

/// Writes what changed as a feed; its path.
#[tauri::command]
pub(crate) async fn save_watch_feed(handle: AppHandle, app: State<'_, App>) -> CommandResult<String> {
    let path = app.engine.save_watch_feed(&downloads(&handle)).await.map_err(sentence)?;
    Ok(remember(&app, path))
}

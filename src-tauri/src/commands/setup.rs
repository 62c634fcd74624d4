//! What only the setup wizard does.

use crate::refusal::Refusal;
use nexi_engine::core::protocol::Focus;
use nexi_engine::{AskOptions, LocalService};
use nexi_engine::{start_without_account, views::AppEvent};
use tauri::{AppHandle, Manager, State};

use super::{CommandResult, sentence};
use crate::app::App;
use crate::{notify, windows};

/// Bytes of what the wizard may have remembered.
const MAX_PROGRESS: usize = 64 * 1024;

/// The programs on this computer that models answer in, with their models.
#[tauri::command]
pub(crate) async fn local_services(app: State<'_, App>) -> CommandResult<Vec<LocalService>> {
    Ok(app.engine.local_services().await)
}

/// What the wizard remembered, for its next start.
#[tauri::command]
pub(crate) async fn setup_progress(app: State<'_, App>) -> CommandResult<serde_json::Value> {
    Ok(app.memory.get().setup)
}

/// Remembers how far the wizard went. Keys are not among it.
#[tauri::command]
pub(crate) async fn remember_setup(app: State<'_, App>, progress: serde_json::Value) -> CommandResult<()> {
    if progress.to_string().len() > MAX_PROGRESS {
        return Err(Refusal::TooMuchToRemember);
    }
    app.memory.change(|memory| memory.setup = progress);
    Ok(())
}

/// Ends the wizard and opens the research window, with a first question if there is one. Where
/// nothing was chosen, the built-in researcher answers.
#[tauri::command]
pub(crate) async fn finish_setup(handle: AppHandle, app: State<'_, App>, question: Option<String>) -> CommandResult<()> {
    start_without_account(&app.engine).map_err(sentence)?;
    let question = question.filter(|question| !question.trim().is_empty());
    if let Some(question) = question {
        let run = app.engine.ask(AskOptions { question: question.clone(), focus: Focus::Both, ..AskOptions::default() }).await;
        let run = run.map_err(sentence)?;
        let thread = run.thread().clone();
        notify::when_ended(&handle, run, question);
        app.post(windows::MAIN, AppEvent::OpenThread { thread, turn: None });
    }
    app.memory.change(|memory| memory.setup = serde_json::Value::Null);
    windows::show_main(&handle).map_err(sentence)?;
    app.send_to_all(&AppEvent::SettingsChanged);
    if let Some(window) = handle.get_webview_window(windows::SETUP) {
        let _ = window.close();
    }
    Ok(())
}

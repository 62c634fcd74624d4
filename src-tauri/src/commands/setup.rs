//! What only the setup wizard does.

use nexi_engine::core::protocol::Focus;
use nexi_engine::views::{News, first_run, start_without_account};
use nexi_engine::{AskOptions, settings_file::Change};
use tauri::{AppHandle, Manager, State};

use super::{Answer, sentence};
use crate::app::App;
use crate::{notify, windows};

/// Bytes of what the wizard may have remembered.
const MAX_PROGRESS: usize = 64 * 1024;

/// Ends the first run with the built-in researcher and opens the research window.
#[tauri::command]
pub(crate) async fn begin_without_account(handle: AppHandle, app: State<'_, App>) -> Answer<()> {
    start_without_account(&app.engine).map_err(sentence)?;
    leave(&handle, &app)
}

/// The models of an Ollama on this computer; none where it does not run.
#[tauri::command]
pub(crate) async fn local_models(app: State<'_, App>) -> Answer<Option<Vec<String>>> {
    Ok(app.engine.local_models().await)
}

/// What the wizard remembered, for its next start.
#[tauri::command]
pub(crate) async fn setup_progress(app: State<'_, App>) -> Answer<serde_json::Value> {
    Ok(app.memory.get().setup)
}

/// Remembers how far the wizard went. Keys are not among it.
#[tauri::command]
pub(crate) async fn remember_setup(app: State<'_, App>, progress: serde_json::Value) -> Answer<()> {
    if progress.to_string().len() > MAX_PROGRESS {
        return Err("This is more than the wizard remembers.".into());
    }
    app.memory.change(|memory| memory.setup = progress);
    Ok(())
}

/// Ends the wizard and opens the research window, with a first question if there is one.
#[tauri::command]
pub(crate) async fn finish_setup(handle: AppHandle, app: State<'_, App>, question: Option<String>) -> Answer<()> {
    if first_run(&app.engine) {
        start_without_account(&app.engine).map_err(sentence)?;
    }
    let question = question.filter(|question| !question.trim().is_empty());
    if let Some(question) = question {
        let run = app.engine.ask(AskOptions { question: question.clone(), focus: Focus::Both, ..AskOptions::default() }).await;
        let run = run.map_err(sentence)?;
        let thread = run.thread().clone();
        notify::when_ended(&handle, run, question);
        app.post(windows::MAIN, News::OpenThread { thread, turn: None });
    }
    leave(&handle, &app)
}

/// Chooses another hotkey and says how that went.
#[tauri::command]
pub(crate) async fn set_hotkey(handle: AppHandle, app: State<'_, App>, hotkey: String) -> Answer<nexi_engine::views::HotkeyView> {
    let change = Change { path: vec!["desktop".into(), "hotkey".into()], value: hotkey.into() };
    app.engine.change_settings(&[change]).map_err(sentence)?;
    crate::apply_desktop(&handle);
    app.post_all(&News::SettingsChanged);
    Ok(app.hotkey.view())
}

fn leave(handle: &AppHandle, app: &App) -> Answer<()> {
    app.memory.change(|memory| memory.setup = serde_json::Value::Null);
    app.hotkey.set_trying(false);
    windows::show_main(handle).map_err(sentence)?;
    app.post_all(&News::SettingsChanged);
    if let Some(window) = handle.get_webview_window(windows::SETUP) {
        let _ = window.close();
    }
    Ok(())
}

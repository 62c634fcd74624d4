//! What only the popup does.

use crate::refusal::Refusal;
use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::views::AppEvent;
use tauri::{AppHandle, State, WebviewWindow};

use super::{CommandResult, sentence};
use crate::app::App;
use crate::popup::{self, Popup};
use crate::windows;

/// Makes the popup as tall as its page, in CSS pixels. Returns the largest height it may have.
#[tauri::command]
pub(crate) async fn popup_size(app: AppHandle, height: f64) -> CommandResult<f64> {
    if !height.is_finite() {
        return Err(Refusal::BadHeight);
    }
    Ok(popup::resize(&app, height))
}

/// Its page has painted after it was shown. Returns the milliseconds that took.
#[tauri::command]
pub(crate) async fn popup_painted(popup: State<'_, Popup>) -> CommandResult<Option<u32>> {
    Ok(popup.painted().map(|took| u32::try_from(took.as_millis()).unwrap_or(u32::MAX)))
}

#[tauri::command]
pub(crate) async fn popup_hide(app: AppHandle) -> CommandResult<()> {
    popup::hide(&app);
    Ok(())
}

/// Whether it stays when it loses the focus; without a value only asks. Returns how it is.
#[tauri::command]
pub(crate) async fn popup_pin(handle: AppHandle, app: State<'_, App>, pinned: Option<bool>) -> CommandResult<bool> {
    if let Some(pinned) = pinned {
        popup::pin(&handle, pinned);
    }
    Ok(app.memory.get().pinned)
}

/// Moves it with the mouse.
#[tauri::command]
pub(crate) async fn popup_drag(window: WebviewWindow) -> CommandResult<()> {
    window.start_dragging().map_err(sentence)
}

/// Goes on with its thread in the research window.
#[tauri::command]
pub(crate) async fn popup_expand(
    handle: AppHandle,
    app: State<'_, App>,
    thread: Option<ThreadId>,
    turn: Option<TurnId>,
) -> CommandResult<()> {
    windows::show_main(&handle).map_err(sentence)?;
    if let Some(thread) = thread {
        app.post(windows::MAIN, AppEvent::OpenThread { thread, turn });
    }
    popup::hide(&handle);
    Ok(())
}

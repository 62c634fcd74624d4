//! Spaces: threads that belong together.

use nexi_engine::core::ids::ThreadId;
use nexi_engine::core::protocol::{Space, SpaceDraft};
use nexi_engine::views::AppEvent;
use tauri::State;

use super::{CommandResult, sentence};
use crate::app::App;
use crate::windows;

#[tauri::command]
pub(crate) async fn spaces(app: State<'_, App>) -> CommandResult<Vec<Space>> {
    app.engine.spaces().await.map_err(sentence)
}

/// Makes a space, or changes the one with this id.
#[tauri::command]
pub(crate) async fn keep_space(app: State<'_, App>, id: Option<String>, draft: SpaceDraft) -> CommandResult<Space> {
    let space = app.engine.keep_space(id, draft).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(space)
}

#[tauri::command]
pub(crate) async fn remove_space(app: State<'_, App>, id: String) -> CommandResult<()> {
    app.engine.remove_space(&id).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Puts a thread into a space, or takes it out of all.
#[tauri::command]
pub(crate) async fn move_to_space(app: State<'_, App>, thread: ThreadId, space: Option<String>) -> CommandResult<()> {
    app.engine.move_to_space(&thread, space).await.map_err(sentence)
}

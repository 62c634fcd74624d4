//! What the person wants remembered.

use nexi_engine::core::protocol::Memory;
use tauri::State;

use super::{CommandResult, sentence};
use crate::app::App;

#[tauri::command]
pub(crate) async fn memories(app: State<'_, App>) -> CommandResult<Vec<Memory>> {
    app.engine.memories().await.map_err(sentence)
}

/// Keeps a memory everywhere or in a space, and whether it is new.
#[tauri::command]
pub(crate) async fn add_memory(app: State<'_, App>, text: String, space: Option<String>) -> CommandResult<(Memory, bool)> {
    app.engine.remember(text, space).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn change_memory(app: State<'_, App>, id: String, text: String) -> CommandResult<()> {
    app.engine.change_memory(id, text).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn forget_memories(app: State<'_, App>, ids: Vec<String>) -> CommandResult<()> {
    app.engine.forget_memories(ids).await.map_err(sentence)
}

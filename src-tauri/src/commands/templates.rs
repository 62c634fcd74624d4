//! Questions that are asked often.

use nexi_engine::core::template::Template;
use tauri::State;

use super::{CommandResult, sentence};
use crate::app::App;

/// All of them, those used last first.
#[tauri::command]
pub(crate) async fn templates(app: State<'_, App>) -> CommandResult<Vec<Template>> {
    app.engine.templates().await.map_err(sentence)
}

/// Keeps one, in the place of that with this id.
#[tauri::command]
pub(crate) async fn keep_template(app: State<'_, App>, id: Option<String>, name: String, text: String) -> CommandResult<Template> {
    app.engine.keep_template(id, name, text).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn use_template(app: State<'_, App>, id: String) -> CommandResult<()> {
    app.engine.use_template(id).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn remove_template(app: State<'_, App>, id: String) -> CommandResult<()> {
    app.engine.remove_template(id).await.map_err(sentence)
}

//! Webhooks and commands that run after research.

use nexi_engine::core::protocol::Delivery;
use nexi_engine::{HookView, NewHook};
use secrecy::ExposeSecret;
use tauri::{AppHandle, State};

use super::{CommandResult, sentence};
use crate::app::App;
use crate::clipboard;

#[tauri::command]
pub(crate) async fn hooks(app: State<'_, App>) -> CommandResult<Vec<HookView>> {
    app.engine.hooks().await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn add_hook(app: State<'_, App>, hook: NewHook) -> CommandResult<()> {
    let (name, hook) = hook.parsed().map_err(sentence)?;
    app.engine.add_hook(&name, &hook).await.map(drop).map_err(sentence)
}

#[tauri::command]
pub(crate) async fn remove_hook(app: State<'_, App>, name: String) -> CommandResult<()> {
    app.engine.remove_hook(&name).await.map_err(sentence)
}

/// Sends a test and waits for what comes of it.
#[tauri::command]
pub(crate) async fn test_hook(app: State<'_, App>, name: String) -> CommandResult<Delivery> {
    app.engine.test_hook(&name).await.map_err(sentence)
}

/// Puts the signing secret of a hook into the clipboard; no window sees it.
#[tauri::command]
pub(crate) async fn copy_hook_secret(handle: AppHandle, app: State<'_, App>, name: String) -> CommandResult<()> {
    let secret = app.engine.hook_secret(&name).await.map_err(sentence)?;
    clipboard::write(handle, secret.expose_secret().to_owned(), None).await
}

/// Makes another signing secret.
#[tauri::command]
pub(crate) async fn renew_hook_secret(app: State<'_, App>, name: String) -> CommandResult<()> {
    app.engine.set_hook_secret(&name, None).await.map(drop).map_err(sentence)
}

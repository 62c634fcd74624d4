//! Taking threads in: a file that the window reads piece by piece, and one that was dropped on it.

use crate::refusal::Refusal;
use std::sync::PoisonError;

use nexi_engine::import::{ImportOutcome, OnBroken};
use nexi_engine::views::AppEvent;
use tauri::{Manager, State, WebviewWindow};

use super::{CommandResult, of_file};
use crate::app::App;
use crate::importing::Importing;
use crate::{dropped, windows};

/// Begins to take a file in, whose text comes in pieces. One that another window had begun is given up.
#[tauri::command]
pub(crate) async fn import_begin(app: State<'_, App>, skip_broken: bool) -> CommandResult<()> {
    let on_broken = if skip_broken { OnBroken::Skip } else { OnBroken::Refuse };
    *app.importing.lock().unwrap_or_else(PoisonError::into_inner) = Some(Importing::begin(app.engine.clone(), on_broken));
    Ok(())
}

/// The next piece of the text.
#[tauri::command]
pub(crate) async fn import_piece(app: State<'_, App>, text: String) -> CommandResult<()> {
    let pieces = app.importing.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Importing::pieces);
    // A job that has failed tells why at the end.
    let _ = pieces.ok_or(Refusal::NoImport)?.send(Some(text)).await;
    Ok(())
}

/// The end of the text, or, where it is not `whole`, the end of trying; nothing of it is taken in then.
#[tauri::command]
pub(crate) async fn import_end(app: State<'_, App>, whole: bool) -> CommandResult<ImportOutcome> {
    let importing = app.importing.lock().unwrap_or_else(PoisonError::into_inner).take();
    let outcome = importing.ok_or(Refusal::NoImport)?.end(whole).await.map_err(of_file)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(outcome)
}

/// Takes the file in that was dropped last and refused for its broken lines, without those lines.
#[tauri::command]
pub(crate) async fn import_refused(window: WebviewWindow, app: State<'_, App>) -> CommandResult<()> {
    let path = app.refused.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or(Refusal::NoImport)?;
    dropped::take_in(window.app_handle().clone(), window.label().to_owned(), path, OnBroken::Skip);
    Ok(())
}

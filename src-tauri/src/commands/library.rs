//! Finding threads again, keeping them in order, and taking them out and in.

use crate::refusal::Refusal;
use std::path::PathBuf;
use std::sync::PoisonError;

use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::protocol::{DeletedItem, LibraryPage, LibraryQuery, SavedSearch, TypedHints};
use nexi_engine::export::{CitationStyle, Exported, Format, finish_pdf};
use nexi_engine::views::AppEvent;
use nexi_engine::{DeletedTurn, EngineError};
use tauri::{AppHandle, State};

use super::{CommandResult, sentence};
use crate::app::{App, downloads};
use crate::{print, windows};

/// What a search of the library found; none where a later one took its place.
fn unless_superseded<T>(found: Result<T, EngineError>) -> CommandResult<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.is_superseded() => Ok(None),
        Err(error) => Err(sentence(error)),
    }
}

/// What is worth telling while a question is typed into a thread, or into a new one. None when a search of the library
/// came first.
#[tauri::command]
pub(crate) async fn typed_hints(app: State<'_, App>, typed: String, thread: Option<ThreadId>) -> CommandResult<Option<TypedHints>> {
    unless_superseded(app.engine.typed_hints(&typed, thread.as_ref()).await)
}

/// One page of the library. None when a later question came first.
#[tauri::command]
pub(crate) async fn library(app: State<'_, App>, query: LibraryQuery) -> CommandResult<Option<LibraryPage>> {
    unless_superseded(app.engine.library(query).await)
}

/// The searches that are kept under names.
#[tauri::command]
pub(crate) async fn saved_searches(app: State<'_, App>) -> CommandResult<Vec<SavedSearch>> {
    app.engine.saved_searches().await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn save_search(app: State<'_, App>, search: SavedSearch) -> CommandResult<()> {
    app.engine.save_search(search).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn forget_search(app: State<'_, App>, name: String) -> CommandResult<()> {
    app.engine.forget_search(name).await.map_err(sentence)
}

/// Every tag in use with the number of its threads.
#[tauri::command]
pub(crate) async fn tags(app: State<'_, App>) -> CommandResult<Vec<(String, u32)>> {
    app.engine.tags().await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn rename_thread(app: State<'_, App>, thread: ThreadId, title: String) -> CommandResult<()> {
    if title.trim().is_empty() {
        return Err(Refusal::NameNeeded);
    }
    app.engine.rename(&thread, title).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn pin_thread(app: State<'_, App>, thread: ThreadId, pinned: bool) -> CommandResult<()> {
    app.engine.pin(&thread, pinned).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn tag_thread(app: State<'_, App>, thread: ThreadId, tags: Vec<String>) -> CommandResult<()> {
    app.engine.set_tags(&thread, tags).await.map_err(sentence)
}

/// What was deleted and can be brought back.
#[tauri::command]
pub(crate) async fn deleted(app: State<'_, App>) -> CommandResult<Vec<DeletedItem>> {
    app.engine.deleted().await.map_err(sentence)
}

/// Removes for good what was deleted: one item by its id, or everything.
#[tauri::command]
pub(crate) async fn forget_deleted(app: State<'_, App>, id: Option<String>) -> CommandResult<()> {
    app.engine.forget_deleted(id).await.map_err(sentence)
}

/// Deletes a thread; `restore_thread` takes that back for 30 days.
#[tauri::command]
pub(crate) async fn delete_thread(app: State<'_, App>, thread: ThreadId) -> CommandResult<()> {
    app.engine.delete(&thread).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn restore_thread(app: State<'_, App>, thread: ThreadId) -> CommandResult<()> {
    app.engine.restore(&thread).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Deletes a turn. Returns its thread where it was the only turn, so that the thread went; `restore_turn` or
/// `restore_thread` take that back for 30 days.
#[tauri::command]
pub(crate) async fn delete_turn(app: State<'_, App>, turn: TurnId) -> CommandResult<Option<ThreadId>> {
    let deleted = app.engine.delete_turn(&turn).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(match deleted {
        DeletedTurn::Turn => None,
        DeletedTurn::Thread(thread) => Some(thread),
    })
}

#[tauri::command]
pub(crate) async fn restore_turn(app: State<'_, App>, turn: TurnId) -> CommandResult<()> {
    app.engine.restore_turn(&turn).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Keeps a private thread from now on.
#[tauri::command]
pub(crate) async fn keep_thread(app: State<'_, App>, thread: ThreadId) -> CommandResult<()> {
    app.engine.keep(&thread).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Writes a thread, or one turn of it, into the folder for downloads. Returns the file.
#[tauri::command]
pub(crate) async fn export(
    handle: AppHandle,
    app: State<'_, App>,
    thread: ThreadId,
    turn: Option<TurnId>,
    format: Format,
    style: CitationStyle,
) -> CommandResult<String> {
    let folder = downloads(&handle);
    let Exported { mut path, page } = app.engine.export(&thread, turn.as_ref(), format, style, &folder).await.map_err(sentence)?;
    if let Some(page) = page {
        match print::to_pdf(&handle, page, &path).await {
            Ok(printed) => path = printed,
            Err(error) => {
                let _ = std::fs::remove_file(&path);
                return Err(error);
            }
        }
    }
    if path.extension().is_some_and(|ending| ending == "pdf") {
        let printed = path.clone();
        // As it was printed it is a good file, too.
        match tauri::async_runtime::spawn_blocking(move || finish_pdf(&printed)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "a PDF could not be finished"),
            Err(error) => tracing::warn!(%error, "a PDF could not be finished"),
        }
    }
    Ok(remember(&app, path))
}

/// Shows the file that was written last in its folder.
#[tauri::command]
pub(crate) async fn show_written(app: State<'_, App>) -> CommandResult<()> {
    let written = app.written.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let path = written.ok_or(Refusal::NoFileWritten)?;
    tauri_plugin_opener::reveal_item_in_dir(&path).or_else(|_| {
        // Without a file manager that can point at files, its folder has to do.
        let folder = path.parent().unwrap_or(&path);
        tauri_plugin_opener::open_path(folder, None::<&str>).map_err(|error| Refusal::cannot_open(folder, &error))
    })
}

/// Notes the file that was written last.
pub(super) fn remember(app: &App, path: PathBuf) -> String {
    let name = path.display().to_string();
    *app.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
    name
}

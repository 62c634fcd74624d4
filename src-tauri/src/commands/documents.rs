//! The place for documents, and the reader beside an answer.

use crate::refusal::Refusal;
use std::path::Path;
use std::sync::PoisonError;

use nexi_engine::core::ids::TurnId;
use nexi_engine::views::{AppEvent, PageView};
use nexi_engine::{DocumentHits, DocumentText, IndexingProgress, Original};
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;

use super::{CommandResult, open_in_browser, sentence};
use crate::app::App;

/// Passages of the documents, as somebody types.
#[tauri::command]
pub(crate) async fn search_documents(app: State<'_, App>, typed: String) -> CommandResult<DocumentHits> {
    app.engine.search_documents(&typed).await.map_err(sentence)
}

/// How far the files are that are being read into the index; none while nothing has to be read.
#[tauri::command]
pub(crate) async fn indexing(app: State<'_, App>) -> CommandResult<Option<IndexingProgress>> {
    Ok(app.engine.indexing())
}

/// A document of the person's folders, as it is now.
#[tauri::command]
pub(crate) async fn document(app: State<'_, App>, url: String) -> CommandResult<DocumentText> {
    app.engine.document(&url).await.map_err(sentence)
}

/// A page of a source as a picture with a passage marked; none where it cannot be drawn.
#[tauri::command]
pub(crate) async fn source_page(
    app: State<'_, App>,
    turn: TurnId,
    number: u32,
    page: u32,
    quote: String,
) -> CommandResult<Option<PageView>> {
    let picture = app.engine.source_picture(&turn, number, page, &quote).await.map_err(sentence)?;
    Ok(picture.map(PageView::from))
}

/// The same for a document of the person's folders.
#[tauri::command]
pub(crate) async fn document_page(app: State<'_, App>, url: String, page: u32, quote: String) -> CommandResult<Option<PageView>> {
    let picture = app.engine.document_picture(&url, page, &quote).await.map_err(sentence)?;
    Ok(picture.map(PageView::from))
}

/// Opens what a source was made from with the program that the system has for it, or shows a file in its folder.
#[tauri::command]
pub(crate) async fn open_file(app: State<'_, App>, turn: TurnId, number: u32, folder: bool) -> CommandResult<()> {
    match app.engine.original(&turn, number).await.map_err(sentence)? {
        Original::File(path) => show(&path, folder),
        Original::Page(address) => open_in_browser(&address),
        Original::Elsewhere(path) => Err(Refusal::FileElsewhere { path: path.display().to_string() }),
        Original::Gone => Err(Refusal::FileGone),
    }
}

/// The same for a document of the person's folders.
#[tauri::command]
pub(crate) async fn open_document_file(app: State<'_, App>, url: String, folder: bool) -> CommandResult<()> {
    let path = tauri::Url::parse(&url).ok().and_then(|url| url.to_file_path().ok()).ok_or(Refusal::NotYourDocument)?;
    if !app.engine.has_document(&path).await.map_err(sentence)? {
        return Err(Refusal::NotYourDocument);
    }
    show(&path, folder)
}

fn show(path: &Path, folder: bool) -> CommandResult<()> {
    if folder {
        tauri_plugin_opener::reveal_item_in_dir(path).map_err(sentence)
    } else {
        tauri_plugin_opener::open_path(path, None::<&str>).map_err(sentence)
    }
}

/// Lets the person choose a folder and adds it to those that are searched; whether one was added.
#[tauri::command]
pub(crate) async fn add_folder(handle: AppHandle, app: State<'_, App>) -> CommandResult<bool> {
    let (send, receive) = tokio::sync::oneshot::channel();
    handle.dialog().file().pick_folder(move |folder| drop(send.send(folder)));
    let Some(folder) = receive.await.ok().flatten().and_then(|folder| folder.into_path().ok()) else { return Ok(false) };
    if !app.engine.add_folder(&folder).map_err(sentence)? {
        return Ok(false);
    }
    folders_changed(&app);
    Ok(true)
}

/// Takes a folder out of those that are searched; its files stay where they are. False where it is not among them.
#[tauri::command]
pub(crate) async fn remove_folder(app: State<'_, App>, folder: String) -> CommandResult<bool> {
    if !app.engine.remove_folder(Path::new(&folder)).map_err(sentence)? {
        return Ok(false);
    }
    app.removed_folders.lock().unwrap_or_else(PoisonError::into_inner).push(folder);
    folders_changed(&app);
    Ok(true)
}

/// Searches a folder again that was taken out since the app was started. False for any other one.
#[tauri::command]
pub(crate) async fn put_folder_back(app: State<'_, App>, folder: String) -> CommandResult<bool> {
    let was_removed = {
        let mut removed = app.removed_folders.lock().unwrap_or_else(PoisonError::into_inner);
        let place = removed.iter().position(|known| *known == folder);
        place.map(|place| removed.remove(place)).is_some()
    };
    if !was_removed || !app.engine.add_folder(Path::new(&folder)).map_err(sentence)? {
        return Ok(false);
    }
    folders_changed(&app);
    Ok(true)
}

/// Opens a folder that is searched, where the system shows files.
#[tauri::command]
pub(crate) async fn open_folder(app: State<'_, App>, folder: String) -> CommandResult<()> {
    if !app.engine.settings().documents.folders.contains(&folder) {
        return Ok(());
    }
    let path = nexi_engine::expand_home(&folder);
    tauri_plugin_opener::open_path(&path, None::<&str>).map_err(|error| Refusal::cannot_open(&path, &error))
}

/// Reads what has come, forgets what has gone, and tells all windows.
fn folders_changed(app: &App) {
    super::settings::index_in_background(app);
    app.send_to_all(&AppEvent::SettingsChanged);
}

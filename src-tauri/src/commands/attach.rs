//! Giving something along with a question.

use crate::refusal::Refusal;
use std::path::PathBuf;

use nexi_engine::views::Chip;
use nexi_engine::{MAX_ATTACHED_TEXT, Suggestion};
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;

use super::{CommandResult, sentence};
use crate::app::App;

/// What a person may mean by what they typed behind `@`.
#[tauri::command]
pub(crate) async fn attach_suggest(app: State<'_, App>, typed: String) -> CommandResult<Vec<Chip>> {
    let found = app.engine.suggest(&typed).await.map_err(sentence)?;
    Ok(app.offer(found))
}

/// Lets the person choose files, or a folder.
#[tauri::command]
pub(crate) async fn attach_choose(handle: AppHandle, app: State<'_, App>, folder: bool) -> CommandResult<Vec<Chip>> {
    let (send, receive) = tokio::sync::oneshot::channel();
    let dialog = handle.dialog().file();
    if folder {
        dialog.pick_folders(move |chosen| drop(send.send(chosen)));
    } else {
        dialog.pick_files(move |chosen| drop(send.send(chosen)));
    }
    let chosen = receive.await.ok().flatten().unwrap_or_default();
    let paths: Vec<PathBuf> = chosen.into_iter().filter_map(|path| path.into_path().ok()).collect();
    Ok(app.offer(paths.iter().map(|path| Suggestion::path(path)).collect()))
}

/// A text that was pasted.
#[tauri::command]
pub(crate) async fn attach_text(app: State<'_, App>, text: String) -> CommandResult<Vec<Chip>> {
    if text.len() > MAX_ATTACHED_TEXT {
        return Err(Refusal::TextTooLarge { most_mib: MAX_ATTACHED_TEXT >> 20 });
    }
    Ok(app.offer(vec![Suggestion::text(&text)]))
}

/// The address of a web page that was pasted or dropped.
#[tauri::command]
pub(crate) async fn attach_address(app: State<'_, App>, address: String) -> CommandResult<Vec<Chip>> {
    let url = tauri::Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let url = url.ok_or(Refusal::NotWebAddress)?;
    Ok(app.offer(vec![Suggestion::address(&url)]))
}

/// What is in the clipboard: files, or the text of a picture. None where there is something else.
#[tauri::command]
pub(crate) async fn attach_clipboard(app: State<'_, App>) -> CommandResult<Vec<Chip>> {
    let read = || {
        let mut clipboard = arboard::Clipboard::new().ok()?;
        match clipboard.get().file_list() {
            Ok(files) if !files.is_empty() => Some(Pasted::Files(files)),
            _ => clipboard.get_image().ok().map(Pasted::Picture),
        }
    };
    let suggestions = match tokio::task::spawn_blocking(read).await.map_err(sentence)? {
        Some(Pasted::Files(files)) => files.iter().filter(|path| path.exists()).map(|path| Suggestion::path(path)).collect(),
        Some(Pasted::Picture(picture)) => {
            let text = app.engine.text_of_pixels(picture.width, picture.height, &picture.bytes).await.map_err(sentence)?;
            vec![Suggestion::text(&text)]
        }
        None => Vec::new(),
    };
    Ok(app.offer(suggestions))
}

/// What somebody may paste besides text.
enum Pasted {
    Files(Vec<PathBuf>),
    Picture(arboard::ImageData<'static>),
}

/// A document of the person's folders, or one of these folders, by its path.
#[tauri::command]
pub(crate) async fn attach_document(app: State<'_, App>, path: String) -> CommandResult<Vec<Chip>> {
    let path = nexi_engine::expand_home(&path);
    if !app.engine.has_document(&path).await.map_err(sentence)? {
        return Err(Refusal::NotYourDocument);
    }
    Ok(app.offer(vec![Suggestion::path(&path)]))
}

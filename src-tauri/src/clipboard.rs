//! What Nexi puts on the clipboard.

use crate::refusal::Refusal;
use std::sync::PoisonError;

use tauri::{AppHandle, Runtime};

use crate::app::state;

/// Puts a text on the clipboard, and the same as HTML for programs that take formatted text.
///
/// # Errors
/// Where the system has no clipboard or it is in use.
pub(crate) async fn write<R: Runtime>(app: AppHandle<R>, text: String, html: Option<String>) -> Result<(), Refusal> {
    let put = move || {
        let shared = state(&app);
        let mut clipboard = shared.clipboard.lock().unwrap_or_else(PoisonError::into_inner);
        // It is kept: on X11 what was copied is gone with it.
        let clipboard = match clipboard.as_mut() {
            Some(clipboard) => clipboard,
            None => clipboard.insert(arboard::Clipboard::new()?),
        };
        match html {
            Some(html) => clipboard.set().html(html, Some(text)),
            None => clipboard.set().text(text),
        }
    };
    let done = tokio::task::spawn_blocking(put).await.map_err(|error| Refusal::ClipboardFailed { why: error.to_string() })?;
    done.map_err(|error| Refusal::ClipboardFailed { why: error.to_string() })
}

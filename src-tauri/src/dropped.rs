//! Files that are dropped on a window: they are given along with the next question, but exported threads are taken in.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use nexi_engine::Suggestion;
use nexi_engine::import::{ImportOutcome, OnBroken};
use nexi_engine::views::AppEvent;
use nexi_messages::say;
use tauri::{AppHandle, DragDropEvent, Runtime};

use crate::app::state;

/// Bytes of a file that tell whether it holds threads.
const BEGINNING: u64 = 4096;

/// Tells a window what is dragged over it and dropped on it.
pub(crate) fn on_drag<R: Runtime>(app: &AppHandle<R>, window: &str, event: &DragDropEvent) {
    match event {
        DragDropEvent::Enter { .. } => state(app).post(window, AppEvent::Dragging { over: true }),
        DragDropEvent::Leave => state(app).post(window, AppEvent::Dragging { over: false }),
        DragDropEvent::Drop { paths, .. } => {
            state(app).post(window, AppEvent::Dragging { over: false });
            let (threads, others): (Vec<PathBuf>, Vec<PathBuf>) = paths.iter().cloned().partition(|path| holds_threads(path));
            if !others.is_empty() {
                // A link that is dragged out of a browser arrives like a file.
                let given = |path: &PathBuf| match path.to_str().and_then(|text| tauri::Url::parse(text).ok()) {
                    Some(url) if matches!(url.scheme(), "http" | "https") => Suggestion::address(&url),
                    _ => Suggestion::path(path),
                };
                let chips = state(app).offer(others.iter().map(given).collect());
                state(app).post(window, AppEvent::Dropped { chips });
            }
            for path in threads {
                take_in(app.clone(), window.to_owned(), path, OnBroken::Refuse);
            }
        }
        _ => {}
    }
}

/// Imports a file that was dropped on a window, which is told how that ended.
pub(crate) fn take_in<R: Runtime>(app: AppHandle<R>, window: String, path: PathBuf, on_broken: OnBroken) {
    tauri::async_runtime::spawn(async move {
        let shared = state(&app);
        let outcome = match File::open(&path) {
            Ok(file) => shared.engine.import_threads(BufReader::new(file), on_broken).await.map_err(|error| error.to_string()),
            Err(error) => Err(say!("refusals-why.cannot_open", path = path.display().to_string(), why = error.to_string())),
        };
        match outcome {
            Ok(outcome) => {
                if matches!(outcome, ImportOutcome::Refused(_)) {
                    *shared.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
                } else {
                    shared.send_to_all(&AppEvent::ThreadsChanged);
                }
                shared.post(&window, AppEvent::Import { outcome });
            }
            Err(message) => shared.post(&window, AppEvent::Failed { message }),
        }
    });
}

/// Whether a file is an export of Nexi's, or NEXI's history, by its beginning.
fn holds_threads(path: &Path) -> bool {
    let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json") || end.eq_ignore_ascii_case("jsonl"));
    let mut bytes = Vec::new();
    if !is_json || File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes)).is_err() {
        return false;
    }
    let text = String::from_utf8_lossy(&bytes);
    let begins = text.trim_start();
    begins.starts_with('{') && (begins.contains("\"nexi_thread\"") || (begins.contains("\"query\"") && begins.contains("\"answer\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_told_from_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name)
        };
        assert!(holds_threads(&write("a.json", "\n{\n  \"nexi_thread\": 1")));
        assert!(holds_threads(&write("b.JSONL", r#"{"ts": "x", "query": "q", "answer": "a"}"#)));
        assert!(!holds_threads(&write("c.json", r#"{"data": [1]}"#)) && !holds_threads(&write("d.md", "\"nexi_thread\"")));
        assert!(!holds_threads(folder.path()) && !holds_threads(&folder.path().join("none.json")));
    }
}

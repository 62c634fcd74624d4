//! A page printed into a PDF file.

use crate::refusal::Refusal;
use std::path::{Path, PathBuf};

use tauri::{AppHandle, Runtime};

/// What is left free on every side of a page.
#[cfg(target_os = "linux")]
const MARGIN_MM: f64 = 19.0;

/// How long printing may take.
const PRINT_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);

/// Prints a page that needs nothing else into `path`, and returns the file. Nothing in the page runs.
///
/// # Errors
/// What kept it from being printed.
#[cfg(target_os = "linux")]
pub(crate) async fn to_pdf<R: Runtime>(app: &AppHandle<R>, html: String, path: &Path) -> Result<PathBuf, Refusal> {
    use gtk::prelude::*;
    use webkit2gtk::{LoadEvent, PrintOperation, PrintOperationExt, SettingsExt, WebView, WebViewExt};

    let target = url::Url::from_file_path(path).map_err(|()| Refusal::FolderUnusable)?;
    let (send, receive) = tokio::sync::oneshot::channel::<Result<(), Refusal>>();
    let finished = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let given_up = finished.clone();
    app.run_on_main_thread(move || {
        let view = WebView::new();
        if let Some(settings) = WebViewExt::settings(&view) {
            settings.set_enable_javascript(false);
        }
        let room = gtk::OffscreenWindow::new();
        room.set_default_size(900, 1200);
        room.add(&view);
        room.show_all();
        let send = std::rc::Rc::new(std::cell::RefCell::new(Some(send)));
        let room = std::cell::RefCell::new(Some(room));
        let room = std::rc::Rc::new(room);
        let kept = room.clone();
        view.connect_load_changed(move |view, event| {
            if event != LoadEvent::Finished {
                return;
            }
            let settings = gtk::PrintSettings::new();
            // The printer that writes files is called by its name in the language of the system.
            let printer = gtk::glib::dgettext(Some("gtk30"), "Print to File");
            settings.set_printer(&printer);
            settings.set(gtk::PRINT_SETTINGS_OUTPUT_FILE_FORMAT.as_str(), Some("pdf"));
            settings.set(gtk::PRINT_SETTINGS_OUTPUT_URI.as_str(), Some(target.as_str()));
            let setup = gtk::PageSetup::new();
            setup.set_paper_size(&gtk::PaperSize::new(Some("iso_a4")));
            setup.set_top_margin(MARGIN_MM, gtk::Unit::Mm);
            setup.set_bottom_margin(MARGIN_MM, gtk::Unit::Mm);
            setup.set_left_margin(MARGIN_MM, gtk::Unit::Mm);
            setup.set_right_margin(MARGIN_MM, gtk::Unit::Mm);
            let operation = PrintOperation::new(view);
            operation.set_print_settings(&settings);
            operation.set_page_setup(&setup);
            let (failed, finished, keep) = (send.clone(), send.clone(), room.clone());
            operation.connect_failed(move |_, error| {
                if let Some(send) = failed.borrow_mut().take() {
                    let _ = send.send(Err(Refusal::PrintFailed { why: error.to_string() }));
                }
            });
            let held = std::cell::RefCell::new(Some(operation.clone()));
            operation.connect_finished(move |_| {
                if let Some(send) = finished.borrow_mut().take() {
                    let _ = send.send(Ok(()));
                }
                held.borrow_mut().take();
                // Freed when this is over, not within it.
                if let Some(room) = keep.borrow_mut().take() {
                    gtk::glib::idle_add_local_once(move || room.close());
                }
            });
            operation.print();
        });
        let (keep, over) = (kept, std::time::Instant::now() + PRINT_TIMEOUT);
        // Whatever happens, nothing of the thread stays behind.
        gtk::glib::timeout_add_seconds_local(5, move || {
            let done = given_up.load(std::sync::atomic::Ordering::Relaxed) || std::time::Instant::now() > over;
            if !done {
                return gtk::glib::ControlFlow::Continue;
            }
            if let Some(room) = keep.borrow_mut().take() {
                room.close();
            }
            gtk::glib::ControlFlow::Break
        });
        view.load_html(&html, None);
    })
    .map_err(|error| Refusal::PrintFailed { why: error.to_string() })?;
    let outcome = tokio::time::timeout(PRINT_TIMEOUT, receive).await;
    finished.store(true, std::sync::atomic::Ordering::Relaxed);
    match outcome {
        Ok(Ok(result)) => result.map(|()| path.to_path_buf()),
        _ => Err(Refusal::PrintTooSlow),
    }
}

/// Elsewhere the system's browser prints it: the file is a page beside that path.
#[cfg(not(target_os = "linux"))]
pub(crate) async fn to_pdf<R: Runtime>(_: &AppHandle<R>, html: String, path: &Path) -> Result<PathBuf, Refusal> {
    let failed = |error: &dyn std::fmt::Display| Refusal::PrintFailed { why: error.to_string() };
    let _ = (PRINT_TIMEOUT, std::fs::remove_file(path));
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.with_extension("html").file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (page, mut file) = nexi_engine::new_file(folder, &name).map_err(|error| failed(&error))?;
    std::io::Write::write_all(&mut file, html.as_bytes()).map_err(|error| failed(&error))?;
    tauri_plugin_opener::open_path(&page, None::<&str>).map_err(|error| failed(&error))?;
    Ok(page)
}

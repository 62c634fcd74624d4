//! An empty Tauri window of the same versions, for `make bench` to compare with.

use tauri::http::Response;
use tauri::{WebviewUrl, WebviewWindowBuilder};

const PAGE: &str = "<!doctype html><title>Empty</title><script>document.title = 'Empty ready'</script><p>Nothing.";

fn main() {
    let mut context = tauri::generate_context!();
    // Only the window is wanted: none of the app's pages, policies or capabilities.
    context.config_mut().app.security = Default::default();
    let result = tauri::Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            Response::builder().header("content-type", "text/html").body(PAGE.as_bytes().to_vec()).unwrap_or_default()
        })
        .setup(|app| {
            let url = "empty://localhost/".parse()?;
            WebviewWindowBuilder::new(app, "empty", WebviewUrl::CustomProtocol(url))
                .title("Empty")
                .on_document_title_changed(|window, title| {
                    let _ = window.set_title(&title);
                })
                .build()?;
            Ok(())
        })
        .run(context);
    if let Err(error) = result {
        eprintln!("{error}");
    }
}

//! How windows are drawn: directly where there is no graphics device, and not through an imitation of one.

use std::fs::OpenOptions;
use std::path::Path;

use tauri::Runtime;
use tauri::plugin::TauriPlugin;
use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebView, WebViewExt};

/// Prepares every web view that is made.
pub(crate) fn without_imitation<R: Runtime>() -> TauriPlugin<R> {
    tauri::plugin::Builder::new("drawing")
        .on_webview_ready(|webview| {
            if let Err(error) = webview.with_webview(|view| prepare(&view.inner())) {
                tracing::debug!(%error, "how a window is drawn is left to WebKit");
            }
        })
        .build()
}

/// Where the processor imitates a graphics device, a window takes some eighty megabytes more, and every blink of a caret puts
/// all of it together anew.
fn prepare(view: &WebView) {
    // WebKit's own variable overrides this.
    let is_forced = std::env::var_os("WEBKIT_FORCE_COMPOSITING_MODE").is_some_and(|value| value != "0");
    if let Some(settings) = WebViewExt::settings(view).filter(|_| !is_forced && !has_graphics(Path::new("/dev"))) {
        settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
    }
}

/// Whether there is a graphics device below this folder that this person may use.
fn has_graphics(devices: &Path) -> bool {
    let opens = |path: &Path| OpenOptions::new().read(true).write(true).open(path).is_ok();
    let cards = std::fs::read_dir(devices.join("dri")).into_iter().flatten().flatten();
    // What draws has a render node; a mere `card0` shows pictures and draws none.
    let draws = cards.filter(|card| card.file_name().to_string_lossy().starts_with("renderD")).any(|card| opens(&card.path()));
    // NVIDIA's own driver, WSL, and what phones and small boards have.
    draws || ["nvidiactl", "dxg", "mali0", "kgsl-3d0"].iter().any(|name| devices.join(name).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_draws_is_told_from_what_only_shows() {
        let devices = tempfile::tempdir().unwrap();
        let at = |name: &str| devices.path().join(name);
        assert!(!has_graphics(devices.path()));
        std::fs::create_dir(at("dri")).unwrap();
        std::fs::write(at("dri/card0"), "").unwrap();
        assert!(!has_graphics(devices.path()), "a card without a render node");
        std::fs::create_dir(at("dri/renderD128")).unwrap();
        assert!(!has_graphics(devices.path()), "one that cannot be opened");
        std::fs::write(at("dri/renderD129"), "").unwrap();
        assert!(has_graphics(devices.path()));
        std::fs::remove_file(at("dri/renderD129")).unwrap();
        std::fs::write(at("dxg"), "").unwrap();
        assert!(has_graphics(devices.path()), "Windows' subsystem for Linux");
    }
}

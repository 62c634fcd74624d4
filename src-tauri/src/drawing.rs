//! How windows are drawn: directly where there is no graphics device, and not through an imitation of one.

use std::fs::OpenOptions;
use std::path::Path;

use gtk::glib;

/// Has WebKit draw directly where the processor would imitate a graphics device: a window would take some eighty megabytes more,
/// and every blink of a caret would put all of it together anew.
///
/// By its environment and before there is any other thread: set for a web view that is there already, WebKitGTK 2.50 crashes
/// when the window is resized meanwhile.
pub(crate) fn without_imitation() {
    let is_forced = std::env::var_os("WEBKIT_FORCE_COMPOSITING_MODE").is_some_and(|value| value != "0");
    if !is_forced && !has_graphics(Path::new("/dev")) {
        // What the person has set holds.
        let _ = glib::setenv("WEBKIT_DISABLE_COMPOSITING_MODE", "1", false);
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

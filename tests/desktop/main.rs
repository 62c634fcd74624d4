//! The real window: WebKit under Xvfb, driven over WebDriver.
//!
//! Needs a display, a session bus, `tauri-driver` and `WebKitWebDriver`; `make test` provides them.
//! With `NEXI_SCREENSHOTS=FOLDER` the pictures are written there, too.

mod access;
mod attach;
mod backups;
mod bare;
mod check;
mod deep;
mod desk;
mod documents;
mod drag_source;
mod held;
mod hooks;
mod kept;
mod language;
mod library;
mod long;
mod looks;
mod meaning;
mod memory;
mod models;
mod pace;
mod palette;
mod pictures;
mod popup;
mod popup_pixels;
mod portal;
mod processes;
mod reading;
mod research;
mod safety;
mod scans;
mod screen;
mod settings;
mod setup;
mod spaces;
mod starts;
mod still;
mod support;
mod team;
mod templates;
mod terminal;
mod tools;
mod trust;
mod updates;
mod waits;
mod watched;

//! The windows: how they are made, where they stand, and what they may not do, which is to leave
//! the app's own pages or to open others.

use nexi_messages::{Messages, say};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nexi_engine::core::settings::Theme;
use nexi_engine::views::{AppEvent, Part};
use tauri::plugin::TauriPlugin;
use tauri::webview::{Color, NewWindowResponse, PageLoadEvent, PageLoadPayload};
use tauri::{AppHandle, LogicalPosition, LogicalSize, Manager, Runtime, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent};

use crate::app::state;
use crate::memory::Bounds;

/// The research window, which holds the library and the handbook, too.
pub(crate) const MAIN: &str = "main";
pub(crate) const POPUP: &str = "popup";
pub(crate) const SETTINGS: &str = "settings";
pub(crate) const SETUP: &str = "setup";

/// The title of a page until its script has run; the window has a better one.
const UNNAMED: &str = "…";

const SIZE: (f64, f64) = (1280.0, 880.0);
/// How long a window waits for its page before it is shown without.
const LATEST: Duration = Duration::from_secs(2);
/// A window counts as visible if this much of its upper edge is on a display, in logical pixels.
const VISIBLE: f64 = 80.0;

/// A window of ours that may show nothing but our own pages.
pub(crate) fn builder<'a, R: Runtime>(app: &'a AppHandle<R>, label: &str, page: &str) -> WebviewWindowBuilder<'a, R, AppHandle<R>> {
    WebviewWindowBuilder::new(app, label, WebviewUrl::App(page.into()))
        .initialization_script(known_before())
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        // The page names the window.
        .on_document_title_changed(|window, title| {
            if title != UNNAMED {
                let _ = window.set_title(&title);
            }
        })
}

/// What a page knows before its script runs: the language, and the home folder, which paths are shown without.
fn known_before() -> String {
    let home = serde_json::Value::from(nexi_engine::expand_home("~").display().to_string());
    format!("globalThis.nexiLanguage = \"{}\"; globalThis.nexiHome = {home};", Messages::language().tag())
}

/// Shows the research window, making it where it is not there.
pub(crate) fn show_main<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    if let Some(window) = app.get_webview_window(MAIN) {
        raise(&window);
        return Ok(());
    }
    let bounds = state(app).memory.get().main.filter(|bounds| is_on_a_display(app, bounds));
    let (width, height) = bounds.map_or(SIZE, |bounds| (bounds.width, bounds.height));
    let mut builder = builder(app, MAIN, "index.html").title(say!("window-opening")).inner_size(width, height).min_inner_size(400.0, 480.0);
    if let Some(bounds) = bounds {
        builder = builder.position(bounds.x, bounds.y).maximized(bounds.maximized);
    }
    let window = build_shown_with_page(builder)?;
    apply_theme(app, &window);
    window.on_window_event({
        let app = app.clone();
        move |event| on_main_event(&app, event)
    });
    Ok(())
}

/// Makes a window that is shown when its page is loaded. Before, WebKitGTK's process for the page does not draw yet, and whatever has
/// the window drawn, such as a window manager that gives it another size, holds up the whole program for half a second.
fn build_shown_with_page<R: Runtime>(builder: WebviewWindowBuilder<'_, R, AppHandle<R>>) -> tauri::Result<WebviewWindow<R>> {
    let is_shown = Arc::new(AtomicBool::new(false));
    // Once: a page that is loaded again leaves a window hidden that was hidden.
    let show = move |window: &WebviewWindow<R>| {
        if !is_shown.swap(true, Ordering::Relaxed) {
            raise(window);
        }
    };
    let show_late = show.clone();
    let shows = move |window: WebviewWindow<R>, page: PageLoadPayload<'_>| {
        if page.event() == PageLoadEvent::Finished {
            show(&window);
        }
    };
    let window = builder.visible(false).on_page_load(shows).build()?;
    let late = window.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(LATEST).await;
        show_late(&late);
    });
    Ok(window)
}

/// Shows the settings.
pub(crate) fn show_settings<R: Runtime>(app: &AppHandle<R>, part: Option<Part>) -> tauri::Result<()> {
    show_small(app, SETTINGS, "settings.html", &say!("settings-window-title"), (940.0, 720.0))?;
    if let Some(view) = part {
        state(app).post(SETTINGS, AppEvent::OpenView { view });
    }
    Ok(())
}

/// Shows the setup wizard.
pub(crate) fn show_setup<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    show_small(app, SETUP, "setup.html", &say!("setup-window-title"), (760.0, 680.0))
}

/// Windows that are made when they are wanted and gone when they are closed.
fn show_small<R: Runtime>(app: &AppHandle<R>, label: &str, page: &str, title: &str, (width, height): (f64, f64)) -> tauri::Result<()> {
    if let Some(window) = app.get_webview_window(label) {
        raise(&window);
        return Ok(());
    }
    let builder = builder(app, label, page).title(title).inner_size(width, height).min_inner_size(380.0, 420.0).center();
    let window = build_shown_with_page(builder)?;
    apply_theme(app, &window);
    window.on_window_event({
        let (app, label) = (app.clone(), label.to_owned());
        move |event| {
            if matches!(event, WindowEvent::Destroyed) {
                state(&app).unsubscribe(&label);
                // The wizard closed and nothing else open: there must be a way on.
                if label == SETUP {
                    if app.webview_windows().contains_key(MAIN) {
                        // Looked at again by somebody who has Nexi already: no start has to come back to it.
                        state(&app).memory.change(|memory| memory.setup = serde_json::Value::Null);
                    } else {
                        let _ = show_main(&app);
                    }
                }
            }
        }
    });
    Ok(())
}

fn raise<R: Runtime>(window: &WebviewWindow<R>) {
    let _ = window.unminimize();
    let _ = window.show();
    let _ = window.set_focus();
}

/// What stands behind the pages in light and dark, as `ui/css/tokens.css` has it: `--bg`, and `--surface` for the popup.
const GROUNDS: [(Color, Color); 2] =
    [(Color(0xfa, 0xf9, 0xf6, 0xff), Color(0x16, 0x17, 0x1a, 0xff)), (Color(0xff, 0xff, 0xff, 0xff), Color(0x1d, 0x1f, 0x23, 0xff))];

/// Colours and text size of the settings.
pub(crate) fn apply_theme<R: Runtime>(app: &AppHandle<R>, window: &WebviewWindow<R>) {
    let desktop = state(app).engine.settings().desktop;
    let _ = window.set_zoom(f64::from(desktop.text_size) / 100.0);
    let is_popup = window.label() == POPUP;
    // Until a page is painted its ground is all that is seen, and the window system's own would be grey.
    if !(is_popup && state(app).popup_is_clear.load(Ordering::Relaxed)) {
        let (light, dark) = GROUNDS[usize::from(is_popup)];
        let is_dark = match desktop.theme {
            Theme::System => window.theme().is_ok_and(|theme| theme == tauri::Theme::Dark),
            chosen => chosen == Theme::Dark,
        };
        let _ = window.set_background_color(Some(if is_dark { dark } else { light }));
    }
}

/// Takes over what the settings say about colours and text size.
pub(crate) fn apply_theme_to_all<R: Runtime>(app: &AppHandle<R>) {
    let theme = match state(app).engine.settings().desktop.theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    };
    app.set_theme(theme);
    for window in app.webview_windows().values() {
        apply_theme(app, window);
    }
}

fn on_main_event<R: Runtime>(app: &AppHandle<R>, event: &WindowEvent) {
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            remember_main(app);
            let shared = state(app);
            if shared.engine.settings().desktop.close_to_tray && shared.has_tray() {
                api.prevent_close();
                if let Some(window) = app.get_webview_window(MAIN) {
                    let _ = window.hide();
                }
            } else {
                app.exit(0);
            }
        }
        WindowEvent::Focused(false) => remember_main(app),
        WindowEvent::DragDrop(event) => crate::dropped::on_drag(app, MAIN, event),
        WindowEvent::Destroyed => state(app).unsubscribe(MAIN),
        _ => {}
    }
}

/// Notes where the research window stands.
pub(crate) fn remember_main<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    let maximized = window.is_maximized().unwrap_or(false);
    let scale = window.scale_factor().unwrap_or(1.0);
    let (Ok(position), Ok(size)) = (window.outer_position(), window.inner_size()) else { return };
    let (position, size): (LogicalPosition<f64>, LogicalSize<f64>) = (position.to_logical(scale), size.to_logical(scale));
    state(app).memory.change(|memory| match &mut memory.main {
        // The size to go back to stays known.
        Some(bounds) if maximized => bounds.maximized = true,
        main => *main = Some(Bounds { x: position.x, y: position.y, width: size.width, height: size.height, maximized }),
    });
}

/// Whether the upper edge of a window can be seen and taken hold of.
fn is_on_a_display<R: Runtime>(app: &AppHandle<R>, bounds: &Bounds) -> bool {
    app.available_monitors().unwrap_or_default().iter().any(|monitor| {
        let scale = monitor.scale_factor();
        let position: LogicalPosition<f64> = monitor.position().to_logical(scale);
        let size: LogicalSize<f64> = monitor.size().to_logical(scale);
        let across = (bounds.x + bounds.width).min(position.x + size.width) - bounds.x.max(position.x);
        across >= VISIBLE && bounds.y >= position.y - 1.0 && bounds.y + VISIBLE / 2.0 <= position.y + size.height
    })
}

/// Refuses every navigation of every window that leaves the app, whoever built the window.
pub(crate) fn external_navigation_guard<R: Runtime>() -> TauriPlugin<R> {
    tauri::plugin::Builder::new("navigation-guard").on_navigation(|_, url| is_own_page(url)).build()
}

fn is_own_page(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // Windows and Android serve the app's pages so.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grounds_are_those_of_the_pages() {
        let css = include_str!("../../ui/css/tokens.css");
        let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").unwrap();
        let hex = |value: &str| {
            let digits: Vec<u8> = value.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
            match digits[..] {
                [r, g, b] => Color(r * 17, g * 17, b * 17, 0xff),
                [a, b, c, d, e, f] => Color(a * 16 + b, c * 16 + d, e * 16 + f, 0xff),
                _ => panic!("{value} is no colour"),
            }
        };
        let of = |css: &str, name: &str| hex(css.split(&format!("--{name}: #")).nth(1).unwrap().split(';').next().unwrap());
        for (name, grounds) in ["bg", "surface"].into_iter().zip(GROUNDS) {
            assert_eq!((of(light, name), of(dark, name)), grounds, "{name}");
        }
    }

    #[test]
    fn only_the_apps_own_pages_are_visited() {
        for (url, own) in [
            ("tauri://localhost/index.html", true),
            ("http://tauri.localhost/", true),
            ("https://example.org/", false),
            ("file:///etc/passwd", false),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("about:blank", false),
            ("tauri://elsewhere/", false),
        ] {
            assert_eq!(is_own_page(&url.parse().unwrap()), own, "{url}");
        }
    }
}

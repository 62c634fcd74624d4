//! The popup: made once, hidden, and shown where the cursor is.

use nexi_messages::say;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nexi_engine::views::AppEvent;
use tauri::{AppHandle, LogicalPosition, LogicalSize, Manager, Monitor, Runtime, WebviewWindow, WindowEvent};

use crate::app::state;
use crate::memory::Spot;
use crate::windows::{self, POPUP};

const WIDTH: f64 = 680.0;
/// What is seen of it before anything is asked.
const HEIGHT: f64 = 118.0;
/// As low as it may become. GTK never makes it smaller than its page was when the window was made.
const LEAST: f64 = 48.0;
/// Of the width with text of the usual size: with the smallest text of the settings.
const NARROWEST: f64 = 0.75;
/// Of the free room of the display, at most.
const TALLEST: f64 = 0.75;
/// Where it stands at first, as a share of the free room.
const SPOT: Spot = Spot { x: 0.5, y: 0.22 };
/// Losing the focus this soon after gaining it is a matter of the window manager, not of the person.
const ARMED: Duration = Duration::from_millis(200);
/// When the focus is asked for after it was shown, until it is there.
const FOCUS_AFTER: [Duration; 6] = [
    Duration::from_millis(5),
    Duration::from_millis(45),
    Duration::from_millis(120),
    // On a busy machine it is on the screen only later.
    Duration::from_millis(330),
    Duration::from_millis(700),
    Duration::from_millis(1300),
];
/// A focus that comes back within this was not lost: the window system takes it while a hotkey is pressed.
const BLINK: Duration = Duration::from_millis(250);
/// After this long it begins anew.
const STALE: Duration = Duration::from_secs(5 * 60);

/// What is known of the popup.
#[derive(Default)]
pub(crate) struct Popup {
    now: Mutex<Now>,
}

#[derive(Default)]
struct Now {
    /// When it gained the focus, and when it lost it.
    focused: Option<Instant>,
    unfocused: Option<Instant>,
    hidden: Option<Instant>,
    /// Height that its page asks for, in pixels of the page: larger text makes them larger.
    height: Option<f64>,
    /// When a key or a menu wanted it, until its page says that it is there.
    wanted: Option<Instant>,
    /// How long that took the last time.
    took: Option<Duration>,
}

impl Popup {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its page has painted. Returns the time since it was wanted.
    pub(crate) fn painted(&self) -> Option<Duration> {
        let mut now = self.now();
        if let Some(wanted) = now.wanted.take() {
            let took = wanted.elapsed();
            tracing::debug!(took_ms = took.as_secs_f64() * 1000.0, "the popup was painted");
            now.took = Some(took);
        }
        now.took
    }
}

fn own<R: Runtime>(app: &AppHandle<R>) -> &Popup {
    app.state::<Popup>().inner()
}

/// Makes the popup; it stays hidden.
pub(crate) fn prepare<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    if app.get_webview_window(POPUP).is_some() {
        return Ok(());
    }
    let clear = can_be_transparent();
    state(app).popup_is_clear.store(clear, Ordering::Relaxed);
    let page = if clear { "popup.html" } else { "popup.html#flat" };
    let window = windows::builder(app, POPUP, page)
        .title(say!("popup-name"))
        .inner_size(WIDTH * NARROWEST, LEAST)
        .visible(false)
        .decorations(false)
        .resizable(false)
        .always_on_top(true)
        .skip_taskbar(true)
        .transparent(clear)
        .build()?;
    windows::apply_theme(app, &window);
    window.on_window_event({
        let app = app.clone();
        move |event| match event {
            WindowEvent::Focused(true) => {
                let mut now = own(&app).now();
                // A hotkey takes the focus for a moment and gives it back: nothing has changed then.
                let blink = now.unfocused.take().is_some_and(|lost| lost.elapsed() < BLINK);
                if !blink || now.focused.is_none() {
                    now.focused = Some(Instant::now());
                }
            }
            WindowEvent::Focused(false) => lost_focus(&app),
            WindowEvent::ThemeChanged(_) => {
                if let Some(window) = app.get_webview_window(POPUP) {
                    windows::apply_theme(&app, &window);
                }
            }
            WindowEvent::CloseRequested { api, .. } => {
                api.prevent_close();
                hide(&app);
            }
            WindowEvent::DragDrop(event) => crate::dropped::on_drag(&app, POPUP, event),
            WindowEvent::Destroyed => state(&app).unsubscribe(POPUP),
            _ => {}
        }
    });
    Ok(())
}

/// Shows it if it is hidden or behind something, and hides it otherwise. `wanted` is when the key was pressed.
pub(crate) fn toggle<R: Runtime>(app: &AppHandle<R>, wanted: Instant) {
    let Some(window) = app.get_webview_window(POPUP) else {
        show(app, wanted);
        return;
    };
    let behind = own(app).now().unfocused.is_some_and(|lost| lost.elapsed() >= BLINK);
    if window.is_visible().unwrap_or(false) && !behind { hide(app) } else { show(app, wanted) }
}

/// Shows it on the display where the cursor is. `wanted` is when the person asked for it.
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>, wanted: Instant) {
    if let Err(error) = prepare(app) {
        tracing::error!(%error, "the popup cannot be made");
        return;
    }
    let Some(window) = app.get_webview_window(POPUP) else { return };
    let shared = state(app);
    let fresh = {
        let mut now = own(app).now();
        now.wanted = Some(wanted);
        now.hidden.take().is_some_and(|hidden| hidden.elapsed() > STALE)
    };
    if !window.is_visible().unwrap_or(false) {
        place(app, &window);
    }
    let _ = window.show();
    // A window manager gives the focus to what is on the screen already: asked for in a turn of its own.
    let (focusing, handle) = (window.clone(), app.clone());
    tauri::async_runtime::spawn(async move {
        for pause in FOCUS_AFTER {
            tokio::time::sleep(pause).await;
            // Once it had the focus, whoever takes it may keep it.
            if own(&handle).now().focused.is_some_and(|focused| focused >= wanted) {
                break;
            }
            if !focusing.is_focused().unwrap_or(false) && focusing.is_visible().unwrap_or(false) {
                let _ = focusing.set_focus();
            }
        }
    });
    shared.post(POPUP, AppEvent::Shown { fresh });
    if shared.engine.settings().desktop.offer_clipboard {
        // Whoever owns the clipboard may take its time, and may be this very thread.
        let app = app.clone();
        std::thread::spawn(move || {
            if let Some(text) = clipboard_text() {
                state(&app).post(POPUP, AppEvent::Clipboard { text });
            }
        });
    }
}

/// Hides it; the program used before has the focus again.
pub(crate) fn hide<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(POPUP) else { return };
    remember(app, &window);
    {
        let mut now = own(app).now();
        now.hidden = Some(Instant::now());
        (now.focused, now.unfocused) = (None, None);
    }
    let _ = window.hide();
}

/// Whether it stays when it loses the focus.
pub(crate) fn pin<R: Runtime>(app: &AppHandle<R>, pinned: bool) {
    state(app).memory.change(|memory| memory.pinned = pinned);
}

/// Makes it as tall as its page, up to a limit. Returns that limit, in pixels of the page.
pub(crate) fn resize<R: Runtime>(app: &AppHandle<R>, height: f64) -> f64 {
    let Some(window) = app.get_webview_window(POPUP) else { return height };
    own(app).now().height = Some(height);
    fit(app, &window) / zoom(app)
}

/// Gives it another size once text has one.
pub(crate) fn refit<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(POPUP) {
        fit(app, &window);
    }
}

/// Gives it the size that its page wants with text of today's size, as far as the display has room. Returns how tall it may
/// become, in logical pixels.
fn fit<R: Runtime>(app: &AppHandle<R>, window: &WebviewWindow<R>) -> f64 {
    let monitor = window.current_monitor().ok().flatten();
    let (width, limit) = monitor.map_or((f64::MAX, 600.0), |monitor| {
        let (origin, size) = room(&monitor);
        let top = window.outer_position().map_or(0.0, |position| position.to_logical::<f64>(monitor.scale_factor()).y - origin.y);
        (size.width, tallest(size.height, top))
    });
    let _ = window.set_size(LogicalSize::new(wide(app, width), tall(app).clamp(LEAST, limit)));
    limit
}

/// How wide it is where there is this much room, in logical pixels.
fn wide<R: Runtime>(app: &AppHandle<R>, room: f64) -> f64 {
    (WIDTH * zoom(app)).min(room)
}

/// How tall its page wants it, in logical pixels.
fn tall<R: Runtime>(app: &AppHandle<R>) -> f64 {
    own(app).now().height.unwrap_or(HEIGHT) * zoom(app)
}

/// How tall it may become from here on, where there is this much room: it grows downwards, and stays on its display.
fn tallest(room: f64, top: f64) -> f64 {
    (room * TALLEST).min(room - top).max(HEIGHT)
}

/// By how much text is larger than usual.
fn zoom<R: Runtime>(app: &AppHandle<R>) -> f64 {
    f64::from(state(app).engine.settings().desktop.text_size) / 100.0
}

fn lost_focus<R: Runtime>(app: &AppHandle<R>) {
    let lost = Instant::now();
    let armed = {
        let mut now = own(app).now();
        now.unfocused = Some(lost);
        now.focused.is_some_and(|focused| focused.elapsed() >= ARMED)
    };
    if !armed || state(app).memory.get().pinned {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(BLINK).await;
        let handle = app.clone();
        let _ = app.run_on_main_thread(move || {
            let still = own(&handle).now().unfocused == Some(lost);
            if still {
                hide(&handle);
            }
        });
    });
}

/// The free room of a display: where it begins and how large it is, in logical pixels.
fn room(monitor: &Monitor) -> (LogicalPosition<f64>, LogicalSize<f64>) {
    let area = monitor.work_area();
    (area.position.to_logical(monitor.scale_factor()), area.size.to_logical(monitor.scale_factor()))
}

/// Puts it on the display of the cursor, where it stood on the last one. A display that has gone
/// does not matter, since only shares are remembered.
fn place<R: Runtime>(app: &AppHandle<R>, window: &WebviewWindow<R>) {
    let shared = state(app);
    let cursor = app.cursor_position().ok();
    let monitor = cursor.and_then(|cursor| app.monitor_from_point(cursor.x, cursor.y).ok().flatten());
    let Some(monitor) = monitor.or_else(|| window.primary_monitor().ok().flatten()) else { return };
    let (origin, size) = room(&monitor);
    let spot = shared.memory.get().popup.unwrap_or(SPOT);
    let (width, height) = (wide(app, size.width), tall(app));
    let (x, y) = corner(spot, width, (size.width, size.height), height);
    let _ = window.set_position(LogicalPosition::new(origin.x + x, origin.y + y));
    let _ = window.set_size(LogicalSize::new(width, height.clamp(LEAST, tallest(size.height, y))));
}

/// The upper left corner within a room of this size, so that at least the question can be seen.
fn corner(spot: Spot, width: f64, room: (f64, f64), height: f64) -> (f64, f64) {
    let x = (spot.x.clamp(0.0, 1.0) * (room.0 - width)).max(0.0);
    let y = (spot.y.clamp(0.0, 1.0) * room.1).min(room.1 - height.min(HEIGHT)).max(0.0);
    (x, y)
}

fn remember<R: Runtime>(app: &AppHandle<R>, window: &WebviewWindow<R>) {
    let Some(monitor) = window.current_monitor().ok().flatten() else { return };
    let (origin, size) = room(&monitor);
    let Ok(position) = window.outer_position() else { return };
    let position: LogicalPosition<f64> = position.to_logical(monitor.scale_factor());
    let free = size.width - wide(app, size.width);
    let x = if free > 1.0 { ((position.x - origin.x) / free).clamp(0.0, 1.0) } else { 0.5 };
    let y = ((position.y - origin.y) / size.height.max(1.0)).clamp(0.0, 1.0);
    state(app).memory.change(|memory| memory.popup = Some(Spot { x, y }));
}

/// What is in the clipboard, if it is text that fits into a question.
fn clipboard_text() -> Option<String> {
    let text = arboard::Clipboard::new().ok()?.get_text().ok()?;
    let text = text.trim();
    (!text.is_empty() && text.len() <= 8000).then(|| text.to_owned())
}

/// Whether shadows and round corners can be drawn: without a compositor they would be black.
fn can_be_transparent() -> bool {
    #[cfg(target_os = "linux")]
    return gtk::gdk::Screen::default().is_some_and(|screen| screen.is_composited());
    #[cfg(not(target_os = "linux"))]
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_always_stands_within_the_display() {
        assert_eq!(corner(SPOT, WIDTH, (1280.0, 800.0), HEIGHT), (300.0, 176.0));
        assert_eq!(corner(Spot { x: 1.0, y: 1.0 }, WIDTH, (1280.0, 800.0), 600.0), (600.0, 800.0 - HEIGHT));
        assert_eq!(corner(Spot { x: 0.9, y: -4.0 }, 800.0, (800.0, 600.0), HEIGHT), (0.0, 0.0));
    }
}

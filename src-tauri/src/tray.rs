//! The tray: there where the desktop has one, and missed by nobody where it has not.

use nexi_messages::say;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use tauri::menu::{CheckMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Runtime};

use crate::app::state;
use crate::{hotkey, popup, windows};

/// How long a tray is waited for, and how often it is looked for: a panel may start after us.
const TRAY_WAIT: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_secs(2);

/// Puts Nexi into the tray as soon as there is one.
pub(crate) async fn open_when_there<R: Runtime>(app: AppHandle<R>) {
    let started = Instant::now();
    while !tauri::async_runtime::spawn_blocking(desktop_has_tray).await.unwrap_or(false) {
        if started.elapsed() > TRAY_WAIT {
            tracing::info!("there is no tray");
            return;
        }
        tokio::time::sleep(LOOK).await;
    }
    let on_main = app.clone();
    let _ = app.run_on_main_thread(move || open(&on_main));
}

fn open<R: Runtime>(app: &AppHandle<R>) {
    // The library behind it panics where it is not installed.
    let built = catch_unwind(AssertUnwindSafe(|| build(app)));
    match built {
        Ok(Ok(())) => *state(app).tray.lock().unwrap_or_else(PoisonError::into_inner) = true,
        Ok(Err(error)) => tracing::warn!(%error, "there is no tray"),
        Err(_) => tracing::warn!("there is no library for the tray"),
    }
}

fn build<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let item = |id: &str, text: &str| MenuItem::with_id(app, id, text, true, None::<&str>);
    let pause = CheckMenuItem::with_id(app, "pause", say!("desktop-tray.pause"), true, false, None::<&str>)?;
    let menu = Menu::with_items(
        app,
        &[
            &item("ask", &say!("desktop-tray.ask"))?,
            &item("open", &say!("desktop-tray.open"))?,
            &item("settings", &say!("desktop-tray.settings"))?,
            &PredefinedMenuItem::separator(app)?,
            &pause,
            &PredefinedMenuItem::separator(app)?,
            &item("quit", &say!("desktop-tray.quit"))?,
        ],
    )?;
    let mut builder = TrayIconBuilder::with_id("nexi").tooltip("Nexi").menu(&menu).show_menu_on_left_click(false);
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    builder
        .on_menu_event(move |app, event| chosen(app, event.id().as_ref(), &pause))
        .on_tray_icon_event(|tray, event| {
            if let TrayIconEvent::Click { button: MouseButton::Left, button_state: MouseButtonState::Up, .. } = event {
                popup::toggle(tray.app_handle(), Instant::now());
            }
        })
        .build(app)?;
    Ok(())
}

fn chosen<R: Runtime>(app: &AppHandle<R>, id: &str, pause: &CheckMenuItem<R>) {
    let shown = match id {
        "ask" => {
            popup::show(app, Instant::now());
            Ok(())
        }
        "open" => windows::show_main(app),
        "settings" => windows::show_settings(app, None),
        "pause" => {
            hotkey::set_paused(app, pause.is_checked().unwrap_or(false));
            Ok(())
        }
        "quit" => {
            windows::remember_main(app);
            app.exit(0);
            Ok(())
        }
        _ => Ok(()),
    };
    if let Err(error) = shown {
        tracing::error!(%error, "a window cannot be opened");
    }
}

/// Whether anything shows icons of the tray. Without it the window must not be hidden: nobody
/// would find it again.
#[cfg(target_os = "linux")]
fn desktop_has_tray() -> bool {
    let ask = || -> zbus::Result<bool> {
        let connection = zbus::blocking::Connection::session()?;
        let bus = zbus::blocking::fdo::DBusProxy::new(&connection)?;
        let name = "org.kde.StatusNotifierWatcher".try_into().map_err(zbus::Error::from)?;
        Ok(bus.name_has_owner(name)?)
    };
    ask().unwrap_or(false)
}

#[cfg(not(target_os = "linux"))]
fn desktop_has_tray() -> bool {
    true
}

//! The hotkey that opens the popup: by the system where it lets programs have one, by the desktop
//! portal under Wayland.

#[cfg(target_os = "linux")]
mod portal;

use nexi_messages::say;
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nexi_engine::views::{AppEvent, HotkeyState, HotkeyView};
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, Shortcut, ShortcutState};

use crate::app::state;
use crate::popup;

/// Others that are offered when the wanted one cannot be had.
const OFFERS: [&str; 5] = ["Ctrl+Alt+Space", "Ctrl+Shift+K", "Alt+Shift+Space", "Super+Shift+Space", "Ctrl+Alt+N"];

/// How often, and after which pause, one that was refused at the start is tried again.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_secs(1);

/// How the hotkey stands.
#[derive(Default)]
pub(crate) struct Hotkey {
    now: Mutex<Now>,
    /// Held while it is registered. Never by the main thread, which registering waits for.
    registering: Mutex<()>,
}

#[derive(Default)]
struct Now {
    wanted: String,
    state: HotkeyState,
    message: String,
    offers: Vec<String>,
    paused: bool,
    registered: Option<Shortcut>,
    #[cfg(target_os = "linux")]
    portal: Option<portal::Bound>,
}

impl Hotkey {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn view(&self) -> HotkeyView {
        let now = self.now();
        HotkeyView { wanted: now.wanted.clone(), state: now.state, message: now.message.clone(), offers: now.offers.clone() }
    }

    fn set(&self, state: HotkeyState, message: impl Into<String>, offers: Vec<String>) {
        let mut now = self.now();
        now.state = state;
        now.message = message.into();
        now.offers = offers;
    }
}

fn own<R: Runtime>(app: &AppHandle<R>) -> &Hotkey {
    app.state::<Hotkey>().inner()
}

/// Registers the hotkey of the settings in place of the one before. Not for the main thread.
pub(crate) fn apply<R: Runtime>(app: &AppHandle<R>) {
    let shared = state(app);
    let _alone = own(app).registering.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = shared.engine.settings().desktop.hotkey;
    let paused = {
        let mut now = own(app).now();
        now.wanted.clone_from(&wanted);
        now.state = HotkeyState::Registering;
        now.message.clear();
        now.offers.clear();
        now.paused
    };
    // Nothing is held meanwhile: giving a shortcut back waits for the main thread, which may be waiting for the state.
    let before = own(app).now().registered.take();
    if let Some(before) = before {
        let _ = app.global_shortcut().unregister(before);
    }
    #[cfg(target_os = "linux")]
    {
        let portal = own(app).now().portal.take();
        if let Some(portal) = portal {
            portal.close();
        }
    }
    if wanted.trim().is_empty() {
        own(app).set(HotkeyState::Off, "", Vec::new());
    } else if paused {
        own(app).set(HotkeyState::Paused, say!("desktop-hotkey.paused"), Vec::new());
    } else if is_wayland() {
        #[cfg(target_os = "linux")]
        {
            let bound = portal::bind(app, &wanted);
            own(app).now().portal = Some(bound);
        }
    } else {
        match register(app, &wanted) {
            Ok(()) => own(app).set(HotkeyState::Works, "", Vec::new()),
            Err(reason) => {
                let offers = offers(app, &wanted);
                let message = say!("desktop-hotkey.refused", keys = &wanted, why = reason);
                own(app).set(HotkeyState::Refused, message, offers);
            }
        }
    }
}

/// Registers the hotkey at the start, and goes on to try one that could not be had for some seconds: a
/// Nexi that is just ending, or something that starts with the session, may let go of it.
pub(crate) fn register_with_retry<R: Runtime>(app: &AppHandle<R>) {
    apply(app);
    for _ in 0..TRIES {
        std::thread::sleep(PAUSE);
        if !try_again(app) {
            return;
        }
    }
}

/// Whether it is still refused.
fn try_again<R: Runtime>(app: &AppHandle<R>) -> bool {
    let shared = state(app);
    let _alone = own(app).registering.lock().unwrap_or_else(PoisonError::into_inner);
    let view = own(app).view();
    if view.state != HotkeyState::Refused || is_wayland() {
        return false;
    }
    let refused = register(app, &view.wanted).is_err();
    if !refused {
        own(app).set(HotkeyState::Works, "", Vec::new());
        shared.send_to_all(&AppEvent::SettingsChanged);
    }
    refused
}

/// Pauses the hotkey, or takes it up again.
pub(crate) fn set_paused<R: Runtime>(app: &AppHandle<R>, paused: bool) {
    own(app).now().paused = paused;
    let app = app.clone();
    tauri::async_runtime::spawn_blocking(move || {
        apply(&app);
        state(&app).send_to_all(&AppEvent::SettingsChanged);
    });
}

/// What a press of the hotkey does; `at` is when it was heard.
pub(crate) fn pressed<R: Runtime>(app: &AppHandle<R>, at: Instant) {
    popup::toggle(app, at);
}

fn register<R: Runtime>(app: &AppHandle<R>, wanted: &str) -> Result<(), String> {
    let shortcut = Shortcut::from_str(wanted).map_err(|error| error.to_string())?;
    let handler = |app: &AppHandle<R>, _: &Shortcut, event: tauri_plugin_global_shortcut::ShortcutEvent| {
        if event.state == ShortcutState::Pressed {
            // Keys are heard on a thread of their own, which must not wait for windows.
            let (handle, heard) = (app.clone(), Instant::now());
            let _ = app.run_on_main_thread(move || pressed(&handle, heard));
        }
    };
    let registered = app.global_shortcut().on_shortcut(shortcut, handler);
    if registered.is_ok() {
        own(app).now().registered = Some(shortcut);
    }
    registered.map_err(|error| match error.to_string() {
        taken if taken.to_lowercase().contains("already registered") => say!("desktop-hotkey.taken"),
        other => other,
    })
}

/// Up to two hotkeys that could be had instead.
fn offers<R: Runtime>(app: &AppHandle<R>, wanted: &str) -> Vec<String> {
    let can_be_had = |candidate: &&str| {
        let Ok(shortcut) = Shortcut::from_str(candidate) else { return false };
        let shortcuts = app.global_shortcut();
        shortcuts.register(shortcut).is_ok_and(|()| shortcuts.unregister(shortcut).is_ok())
    };
    OFFERS.into_iter().filter(|candidate| !candidate.eq_ignore_ascii_case(wanted)).filter(can_be_had).take(2).map(str::to_owned).collect()
}

/// Whether windows are shown by a Wayland compositor, which lets no program listen to keys.
pub(crate) fn is_wayland() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "linux") && set("WAYLAND_DISPLAY") && std::env::var("GDK_BACKEND").as_deref() != Ok("x11")
}

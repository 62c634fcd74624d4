//! The hotkey by way of the desktop portal, which asks the person.

use std::time::Instant;

use ashpd::desktop::CreateSessionOptions;
use ashpd::desktop::global_shortcuts::{BindShortcutsOptions, GlobalShortcuts, NewShortcut};
use futures::StreamExt;
use nexi_engine::views::{AppEvent, HotkeyState};
use nexi_messages::say;
use tauri::{AppHandle, Runtime};
use tokio::sync::oneshot;

use super::pressed;
use crate::app::state;

const ID: &str = "popup";

/// A hotkey that the portal was asked for.
pub(super) struct Bound {
    close: oneshot::Sender<()>,
}

impl Bound {
    /// Gives it back.
    pub(super) fn close(self) {
        let _ = self.close.send(());
    }
}

/// Binds the hotkey until it is closed; how that went is told when it is known.
pub(super) fn bind<R: Runtime>(app: &AppHandle<R>, wanted: &str) -> Bound {
    let (app, trigger) = (app.clone(), trigger(wanted));
    let (close, closed) = oneshot::channel();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = listen(&app, &trigger, closed).await {
            tracing::info!(%error, "there is no portal for hotkeys");
            super::own(&app).set(HotkeyState::Unavailable, say!("desktop-hotkey.unavailable"), Vec::new());
            state(&app).send_to_all(&AppEvent::SettingsChanged);
        }
    });
    Bound { close }
}

async fn listen<R: Runtime>(app: &AppHandle<R>, trigger: &str, mut closed: oneshot::Receiver<()>) -> Result<(), ashpd::Error> {
    let portal = GlobalShortcuts::new().await?;
    let session = portal.create_session(CreateSessionOptions::default()).await?;
    let mut presses = portal.receive_activated().await?;
    let shortcut = NewShortcut::new(ID, say!("popup-name")).preferred_trigger(trigger);
    let bound = portal.bind_shortcuts(&session, &[shortcut], None, BindShortcutsOptions::default()).await?.response()?;
    // Another shortcut may be wanted by now, or none: what it says must not be overwritten.
    if !matches!(closed.try_recv(), Err(oneshot::error::TryRecvError::Empty)) {
        return session.close().await;
    }
    match bound.shortcuts().iter().find(|shortcut| shortcut.id() == ID) {
        Some(shortcut) => {
            let message = say!("desktop-hotkey.assigned", keys = shortcut.trigger_description());
            super::own(app).set(HotkeyState::Works, message, Vec::new());
        }
        None => super::own(app).set(HotkeyState::Refused, say!("desktop-hotkey.unassigned"), Vec::new()),
    }
    state(app).send_to_all(&AppEvent::SettingsChanged);
    loop {
        let press = tokio::select! {
            _ = &mut closed => break,
            press = presses.next() => press,
        };
        let Some(press) = press else { break };
        if press.shortcut_id() == ID {
            let (app, heard) = (app.clone(), Instant::now());
            let _ = app.clone().run_on_main_thread(move || pressed(&app, heard));
        }
    }
    session.close().await
}

/// A hotkey as the portal writes it: `CTRL+SHIFT+space`.
fn trigger(hotkey: &str) -> String {
    let parts: Vec<&str> = hotkey.split('+').map(str::trim).collect();
    let (key, modifiers) = parts.split_last().map_or(("", &[][..]), |(key, modifiers)| (*key, modifiers));
    let name = |modifier: &&str| match modifier.to_ascii_lowercase().as_str() {
        "alt" | "option" => "ALT",
        "shift" => "SHIFT",
        "super" | "meta" | "cmd" | "command" => "LOGO",
        _ => "CTRL",
    };
    let mut out: Vec<&str> = modifiers.iter().map(name).collect();
    let key = key.to_lowercase();
    out.push(&key);
    out.join("+")
}

#[cfg(test)]
mod tests {
    #[test]
    fn hotkeys_are_written_as_the_portal_wants_them() {
        assert_eq!(super::trigger("Ctrl+Shift+Space"), "CTRL+SHIFT+space");
        assert_eq!(super::trigger("Super + K"), "LOGO+k");
    }
}

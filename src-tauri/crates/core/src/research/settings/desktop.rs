//! What the desktop app does besides answering, and where keys are kept.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Problem;

/// Names of modifier keys in shortcuts.
const MODIFIERS: [&str; 10] = ["ctrl", "control", "shift", "alt", "option", "super", "meta", "cmd", "command", "cmdorctrl"];

/// The desktop app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Desktop {
    /// Opens and closes the popup, such as `Ctrl+Shift+Space`; empty for none.
    pub hotkey: String,
    /// Whether the app starts with the session, without a window.
    pub autostart: bool,
    /// Whether it goes on in the tray when its window is closed.
    pub close_to_tray: bool,
    /// Whether a long run that ends behind other windows is announced.
    pub notify: bool,
    pub theme: Theme,
    /// Of all text, in percent, from 75 to 200.
    pub text_size: u32,
    /// Whether the popup offers what is in the clipboard; it is not read otherwise.
    pub offer_clipboard: bool,
}

impl Default for Desktop {
    fn default() -> Self {
        Self {
            hotkey: "Ctrl+Shift+Space".into(),
            autostart: false,
            close_to_tray: true,
            notify: true,
            theme: Theme::default(),
            text_size: 100,
            offer_clipboard: false,
        }
    }
}

/// Colours of the windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// `system`, `light` or `dark`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "system" => Some(Theme::System),
            "light" => Some(Theme::Light),
            "dark" => Some(Theme::Dark),
            _ => None,
        }
    }
}

/// Where keys are kept that were entered. Environment variables come before all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlace {
    /// In the keyring of the operating system.
    #[default]
    Keyring,
    /// In a file that a passphrase opens.
    File,
    /// Nowhere: they are gone when the program ends.
    Session,
}

impl KeyPlace {
    /// `keyring`, `file` or `session`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "keyring" => Some(KeyPlace::Keyring),
            "file" => Some(KeyPlace::File),
            "session" => Some(KeyPlace::Session),
            _ => None,
        }
    }
}

impl Desktop {
    pub(super) fn check(&self, out: &mut Vec<Problem>) {
        if let Err(message) = check_hotkey(&self.hotkey) {
            out.push(Problem::new("desktop.hotkey", message));
        }
        if !(75..=200).contains(&self.text_size) {
            out.push(Problem::new("desktop.text_size", format!("must be a whole number from 75 to 200, not {}", self.text_size)));
        }
    }
}

fn check_hotkey(hotkey: &str) -> Result<(), String> {
    if hotkey.trim().is_empty() {
        return Ok(());
    }
    let parts: Vec<String> = hotkey.split('+').map(|part| part.trim().to_ascii_lowercase()).collect();
    let (key, modifiers) = parts.split_last().map_or(("", &[][..]), |(key, modifiers)| (key.as_str(), modifiers));
    if key.is_empty() || MODIFIERS.contains(&key) {
        return Err("must end with a key, such as Space in Ctrl+Shift+Space".into());
    }
    if let Some(unknown) = modifiers.iter().find(|part| !MODIFIERS.contains(&part.as_str())) {
        return Err(format!("{unknown:?} is not a modifier; write Ctrl, Shift, Alt or Super"));
    }
    let is_function_key = key.strip_prefix('f').is_some_and(|number| number.parse::<u8>().is_ok());
    if !is_function_key && modifiers.iter().all(|part| part == "shift") {
        return Err("must hold Ctrl, Alt or Super, or every other program would lose this key".into());
    }
    let mut held: Vec<&str> = modifiers.iter().map(String::as_str).map(usual_name).collect();
    held.sort_unstable();
    held.dedup();
    if let Some((_, what)) = NEEDED.iter().find(|(keys, _)| keys.iter().copied().eq(held.iter().copied().chain([key]))) {
        return Err(format!("is what other programs need to {what}; choose other keys"));
    }
    Ok(())
}

/// A modifier under the one name that [`NEEDED`] uses.
fn usual_name(modifier: &str) -> &str {
    match modifier {
        "control" | "cmdorctrl" | "commandorcontrol" => "ctrl",
        "option" => "alt",
        "meta" | "cmd" | "command" => "super",
        other => other,
    }
}

/// Keys that every program or desktop gives a meaning, modifiers in order of the alphabet, and what for.
const NEEDED: [(&[&str], &str); 30] = [
    (&["ctrl", "a"], "select everything"),
    (&["ctrl", "c"], "copy"),
    (&["ctrl", "v"], "paste"),
    (&["ctrl", "x"], "cut"),
    (&["ctrl", "z"], "undo"),
    (&["ctrl", "y"], "redo"),
    (&["ctrl", "shift", "z"], "redo"),
    (&["ctrl", "shift", "c"], "copy in a terminal"),
    (&["ctrl", "shift", "v"], "paste"),
    (&["ctrl", "s"], "save"),
    (&["ctrl", "o"], "open a file"),
    (&["ctrl", "p"], "print"),
    (&["ctrl", "f"], "search"),
    (&["ctrl", "n"], "open something new"),
    (&["ctrl", "t"], "open a tab"),
    (&["ctrl", "shift", "t"], "bring back a tab"),
    (&["ctrl", "w"], "close a tab"),
    (&["ctrl", "q"], "quit"),
    (&["ctrl", "tab"], "change tabs"),
    (&["ctrl", "shift", "tab"], "change tabs"),
    (&["ctrl", "enter"], "send"),
    (&["alt", "tab"], "change windows"),
    (&["alt", "shift", "tab"], "change windows"),
    (&["alt", "f4"], "close a window"),
    (&["alt", "ctrl", "delete"], "leave the session"),
    (&["super", "l"], "lock the screen"),
    (&["super", "tab"], "change windows"),
    (&["f1"], "show help"),
    (&["f5"], "load a page again"),
    (&["f11"], "fill the screen"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hotkeys_that_would_get_in_the_way_are_refused() {
        for good in ["Ctrl+Shift+Space", "Alt+Space", "F9", "Super+K", "", "ctrl + alt + n"] {
            assert_eq!(check_hotkey(good), Ok(()), "{good}");
        }
        for bad in [
            "Space",
            "Shift+A",
            "Ctrl",
            "Ctrl+",
            "Hyper+A",
            "Ctrl+Shift",
            "Super",
            "Ctrl+C",
            "Shift+Control+V",
            "alt + F4",
            "Super+L",
            "F1",
        ] {
            assert!(check_hotkey(bad).is_err(), "{bad}");
        }
    }
}

//! What the desktop app does besides answering, and where keys are kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Problem;

/// Names of modifier keys in shortcuts.
const MODIFIERS: [&str; 10] = ["ctrl", "control", "shift", "alt", "option", "super", "meta", "cmd", "command", "cmdorctrl"];

/// The desktop app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Desktop {
    /// Opens and closes the popup, such as `Ctrl+Shift+Space`; empty for none.
    pub hotkey: String,
    /// Whether the app starts with the session, without a window.
    pub autostart: bool,
    /// Whether it goes on in the tray when its window is closed.
    pub close_to_tray: bool,
    /// Whether a long run that ends behind other windows is announced.
    pub notify: bool,
    /// Colours of the windows.
    pub theme: Theme,
    /// Size of all text, in percent.
    #[schemars(range(min = 75, max = 200))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    #[default]
    /// Those of the desktop.
    System,
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

/// The language of windows, terminal and exports. Answers are in the language of the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    #[default]
    /// That of the system, where Nexi speaks it.
    System,
    En,
    De,
}

/// Where keys are kept that were entered. Environment variables come before all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
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

impl Desktop {
    pub(super) fn check(&self, out: &mut Vec<Problem>) {
        if let Err(message) = check_hotkey(&self.hotkey) {
            out.push(Problem::new("desktop.hotkey", message));
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
    let (held, _) = split_hotkey(hotkey);
    match needed(&held.iter().map(String::as_str).collect::<Vec<_>>(), key, NEEDED) {
        Some(what) => Err(format!("is what other programs need to {what}; choose other keys")),
        None => Ok(()),
    }
}

/// What keys are needed for elsewhere, of a list; modifiers in order of the alphabet.
fn needed(held: &[&str], key: &str, list: &'static [(&[&str], &str)]) -> Option<&'static str> {
    list.iter().find(|(keys, _)| keys.iter().copied().eq(held.iter().copied().chain([key]))).map(|(_, what)| *what)
}

/// What speaks against a hotkey that is being chosen. One that somebody chose earlier stays, whatever is learned later.
pub fn hotkey_problem(hotkey: &str) -> Option<Problem> {
    let refused = |what: &str| Problem::new("desktop.hotkey", format!("is what other programs need to {what}; choose other keys"));
    let (held, key) = split_hotkey(hotkey);
    if !key.is_empty() && !is_key(&key) {
        let message = format!("ends with {key:?}, which is no key; use a letter, a digit, F1 to F24, Space, Enter, an arrow or the like");
        return Some(Problem::new("desktop.hotkey", message));
    }
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    needed(&held, &key, NEEDED).or_else(|| needed(&held, &key, OFTEN_NEEDED)).map(refused)
}

/// Whether a key of this name is on keyboards.
fn is_key(name: &str) -> bool {
    const NAMED: [&str; 34] = [
        "space",
        "enter",
        "tab",
        "escape",
        "backspace",
        "delete",
        "insert",
        "home",
        "end",
        "pageup",
        "pagedown",
        "up",
        "down",
        "left",
        "right",
        "arrowup",
        "arrowdown",
        "pause",
        "printscreen",
        "scrolllock",
        "numlock",
        "capslock",
        "comma",
        "period",
        "slash",
        "backslash",
        "semicolon",
        "quote",
        "backquote",
        "minus",
        "equal",
        "bracketleft",
        "bracketright",
        "menu",
    ];
    let is_function_key =
        name.strip_prefix('f').and_then(|number| number.parse::<u8>().ok()).is_some_and(|number| (1..=24).contains(&number));
    let is_of_a_block = name.strip_prefix("numpad").or_else(|| name.strip_prefix("num")).is_some_and(|rest| {
        rest.parse::<u8>().is_ok_and(|digit| digit <= 9)
            || ["add", "subtract", "multiply", "divide", "decimal", "enter", "equal"].contains(&rest)
    }) || [
        "audiovolumeup",
        "audiovolumedown",
        "audiovolumemute",
        "volumeup",
        "volumedown",
        "volumemute",
        "mediaplaypause",
        "mediastop",
        "mediatracknext",
        "mediatrackprevious",
    ]
    .contains(&name);
    name.chars().count() == 1 || is_function_key || is_of_a_block || NAMED.contains(&name)
}

/// Modifiers in order of the alphabet, and the key, by their usual names.
fn split_hotkey(hotkey: &str) -> (Vec<String>, String) {
    let parts: Vec<String> = hotkey.split('+').map(|part| part.trim().to_ascii_lowercase()).collect();
    let (key, modifiers) = parts.split_last().map_or(("", &[][..]), |(key, modifiers)| (usual_key(key), modifiers));
    let mut held: Vec<String> = modifiers.iter().map(|part| usual_name(part).to_owned()).collect();
    held.sort_unstable();
    held.dedup();
    (held, key.to_owned())
}

/// A key under the one name that [`NEEDED`] uses: `KeyC` and `Digit1` are the names of browsers.
fn usual_key(key: &str) -> &str {
    let plain = key.strip_prefix("key").or_else(|| key.strip_prefix("digit")).filter(|rest| rest.chars().count() == 1);
    match plain.unwrap_or(key) {
        "arrowleft" => "left",
        "arrowright" => "right",
        "arrowup" => "up",
        "arrowdown" => "down",
        "return" => "enter",
        "esc" => "escape",
        "del" => "delete",
        other => other,
    }
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
const NEEDED: &[(&[&str], &str)] = &[
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

/// More keys that most programs or desktops give a meaning, and what for.
const OFTEN_NEEDED: &[(&[&str], &str)] = &[
    (&["ctrl", "d"], "keep a page or close a terminal"),
    (&["ctrl", "h"], "show what was visited or replace text"),
    (&["ctrl", "l"], "go to the address or clear a terminal"),
    (&["ctrl", "r"], "load a page again or search in a terminal"),
    (&["ctrl", "b"], "write in bold"),
    (&["ctrl", "i"], "write in italics"),
    (&["ctrl", "u"], "underline"),
    (&["ctrl", "space"], "change how letters are entered"),
    (&["ctrl", "shift", "n"], "open a private window"),
    (&["ctrl", "shift", "w"], "close a window"),
    (&["ctrl", "shift", "s"], "save under another name"),
    (&["ctrl", "shift", "escape"], "show what is running"),
    (&["alt", "left"], "go back"),
    (&["alt", "right"], "go on"),
    (&["alt", "enter"], "show the properties of a file or break a line"),
    (&["alt", "f1"], "open the menu of the desktop"),
    (&["alt", "f2"], "run a command"),
    (&["alt", "home"], "go to the first page"),
    (&["alt", "ctrl", "t"], "open a terminal"),
    (&["alt", "ctrl", "l"], "lock the screen"),
    (&["alt", "ctrl", "left"], "go to the workspace on the left"),
    (&["alt", "ctrl", "right"], "go to the workspace on the right"),
    (&["alt", "ctrl", "up"], "go to the workspace above"),
    (&["alt", "ctrl", "down"], "go to the workspace below"),
    (&["super", "left"], "put a window on the left"),
    (&["super", "right"], "put a window on the right"),
    (&["super", "up"], "fill the screen with a window"),
    (&["super", "down"], "make a window smaller"),
    (&["super", "tab"], "change the window"),
    (&["shift", "super", "s"], "take a picture of the screen"),
    (&["super", "v"], "show what was copied or told"),
    (&["super", "a"], "show the programs"),
    (&["super", "d"], "show the desktop"),
    (&["super", "e"], "open files"),
    (&["super", "r"], "run a program"),
    (&["super", "space"], "change how letters are entered"),
    (&["f2"], "rename"),
    (&["f3"], "find the next place"),
    (&["f10"], "open the menu"),
    (&["f12"], "open developer tools"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hotkeys_that_would_get_in_the_way_are_refused() {
        for good in ["Ctrl+Shift+Space", "Ctrl+Alt+Space", "F9", "Super+K", "", "ctrl + alt + n", "Alt+Space"] {
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
        for newly_refused in
            ["Ctrl+KeyC", "Super+Space", "Ctrl+Alt+T", "F12", "Control+Space", "ctrl+keyl", "Ctrl+Alt+ArrowLeft", "Super+Up", "Alt+F2"]
        {
            assert!(check_hotkey(newly_refused).is_ok(), "one that was chosen earlier stays: {newly_refused}");
            assert!(hotkey_problem(newly_refused).is_some(), "{newly_refused}");
        }
        for no_key in ["Ctrl+Shift+Nope", "Ctrl+F25", "Alt+banana"] {
            assert!(hotkey_problem(no_key).is_some_and(|problem| problem.message.contains("no key")), "{no_key}");
        }
        for good in ["Ctrl+Alt+PageUp", "Ctrl+Alt+F13", "Ctrl+Alt+Numpad1", "Super+ö", "Ctrl+Alt+Comma"] {
            assert_eq!(hotkey_problem(good), None, "{good}");
        }
        assert_eq!((hotkey_problem("Ctrl+Shift+Space"), hotkey_problem("Alt+Space"), hotkey_problem("")), (None, None, None));
    }
}

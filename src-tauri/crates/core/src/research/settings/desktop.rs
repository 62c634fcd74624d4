//! What the desktop app does besides answering, and where keys are kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Wrong};

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
    /// Whether Nexi looks once a day for a new version of itself.
    pub updates: bool,
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
            updates: false,
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
        if let Err(wrong) = check_hotkey(&self.hotkey) {
            out.push(Problem::new("desktop.hotkey", wrong));
        }
    }
}

fn check_hotkey(hotkey: &str) -> Result<(), Wrong> {
    if hotkey.trim().is_empty() {
        return Ok(());
    }
    let parts: Vec<String> = hotkey.split('+').map(|part| part.trim().to_ascii_lowercase()).collect();
    let (key, modifiers) = parts.split_last().map_or(("", &[][..]), |(key, modifiers)| (key.as_str(), modifiers));
    if key.is_empty() || MODIFIERS.contains(&key) {
        return Err(Wrong::NoKey);
    }
    if let Some(unknown) = modifiers.iter().find(|part| !MODIFIERS.contains(&part.as_str())) {
        return Err(Wrong::UnknownModifier { name: unknown.clone() });
    }
    let is_function_key = key.strip_prefix('f').is_some_and(|number| number.parse::<u8>().is_ok());
    if !is_function_key && modifiers.iter().all(|part| part == "shift") {
        return Err(Wrong::NoModifier);
    }
    let (held, _) = split_hotkey(hotkey);
    match needed(&held.iter().map(String::as_str).collect::<Vec<_>>(), key, NEEDED) {
        Some(need) => Err(Wrong::Needed { need }),
        None => Ok(()),
    }
}

/// What keys are needed for elsewhere, of a list, as the catalogue names it; modifiers in order of the alphabet.
fn needed(held: &[&str], key: &str, list: &'static [(&[&str], &str)]) -> Option<&'static str> {
    list.iter().find(|(keys, _)| keys.iter().copied().eq(held.iter().copied().chain([key]))).map(|(_, what)| *what)
}

/// What speaks against a hotkey that is being chosen. One that somebody chose earlier stays, whatever is learned later.
pub fn hotkey_problem(hotkey: &str) -> Option<Problem> {
    let (held, key) = split_hotkey(hotkey);
    if !key.is_empty() && !is_key(&key) {
        return Some(Problem::new("desktop.hotkey", Wrong::UnknownKey { key }));
    }
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    let need = needed(&held, &key, NEEDED).or_else(|| needed(&held, &key, OFTEN_NEEDED))?;
    Some(Problem::new("desktop.hotkey", Wrong::Needed { need }))
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

/// Keys that every program or desktop gives a meaning, modifiers in order of the alphabet, and what for: the part of that name
/// of `problems-need` in the catalogue.
const NEEDED: &[(&[&str], &str)] = &[
    (&["ctrl", "a"], "select_everything"),
    (&["ctrl", "c"], "copy"),
    (&["ctrl", "v"], "paste"),
    (&["ctrl", "x"], "cut"),
    (&["ctrl", "z"], "undo"),
    (&["ctrl", "y"], "redo"),
    (&["ctrl", "shift", "z"], "redo"),
    (&["ctrl", "shift", "c"], "copy_in_a_terminal"),
    (&["ctrl", "shift", "v"], "paste"),
    (&["ctrl", "s"], "save"),
    (&["ctrl", "o"], "open_a_file"),
    (&["ctrl", "p"], "print"),
    (&["ctrl", "f"], "search"),
    (&["ctrl", "n"], "open_something_new"),
    (&["ctrl", "t"], "open_a_tab"),
    (&["ctrl", "shift", "t"], "bring_back_a_tab"),
    (&["ctrl", "w"], "close_a_tab"),
    (&["ctrl", "q"], "quit"),
    (&["ctrl", "tab"], "change_tabs"),
    (&["ctrl", "shift", "tab"], "change_tabs"),
    (&["ctrl", "enter"], "send"),
    (&["alt", "tab"], "change_windows"),
    (&["alt", "shift", "tab"], "change_windows"),
    (&["alt", "f4"], "close_a_window"),
    (&["alt", "ctrl", "delete"], "leave_the_session"),
    (&["super", "l"], "lock_the_screen"),
    (&["super", "tab"], "change_windows"),
    (&["f1"], "show_help"),
    (&["f5"], "load_a_page_again"),
    (&["f11"], "fill_the_screen"),
];

/// More keys that most programs or desktops give a meaning, and what for.
const OFTEN_NEEDED: &[(&[&str], &str)] = &[
    (&["ctrl", "d"], "keep_a_page_or_close_a_terminal"),
    (&["ctrl", "h"], "show_what_was_visited_or_replace_text"),
    (&["ctrl", "l"], "go_to_the_address_or_clear_a_terminal"),
    (&["ctrl", "r"], "load_a_page_again_or_search_in_a_terminal"),
    (&["ctrl", "b"], "write_in_bold"),
    (&["ctrl", "i"], "write_in_italics"),
    (&["ctrl", "u"], "underline"),
    (&["ctrl", "space"], "change_how_letters_are_entered"),
    (&["ctrl", "shift", "n"], "open_a_private_window"),
    (&["ctrl", "shift", "w"], "close_a_window"),
    (&["ctrl", "shift", "s"], "save_under_another_name"),
    (&["ctrl", "shift", "escape"], "show_what_is_running"),
    (&["alt", "left"], "go_back"),
    (&["alt", "right"], "go_on"),
    (&["alt", "enter"], "show_the_properties_of_a_file_or_break_a_line"),
    (&["alt", "f1"], "open_the_menu_of_the_desktop"),
    (&["alt", "f2"], "run_a_command"),
    (&["alt", "home"], "go_to_the_first_page"),
    (&["alt", "ctrl", "t"], "open_a_terminal"),
    (&["alt", "ctrl", "l"], "lock_the_screen"),
    (&["alt", "ctrl", "left"], "go_to_the_workspace_on_the_left"),
    (&["alt", "ctrl", "right"], "go_to_the_workspace_on_the_right"),
    (&["alt", "ctrl", "up"], "go_to_the_workspace_above"),
    (&["alt", "ctrl", "down"], "go_to_the_workspace_below"),
    (&["super", "left"], "put_a_window_on_the_left"),
    (&["super", "right"], "put_a_window_on_the_right"),
    (&["super", "up"], "fill_the_screen_with_a_window"),
    (&["super", "down"], "make_a_window_smaller"),
    (&["shift", "super", "s"], "take_a_picture_of_the_screen"),
    (&["super", "v"], "show_what_was_copied_or_told"),
    (&["super", "a"], "show_the_programs"),
    (&["super", "d"], "show_the_desktop"),
    (&["super", "e"], "open_files"),
    (&["super", "r"], "run_a_program"),
    (&["super", "space"], "change_how_letters_are_entered"),
    (&["f2"], "rename"),
    (&["f3"], "find_the_next_place"),
    (&["f10"], "open_the_menu"),
    (&["f12"], "open_developer_tools"),
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
            assert!(hotkey_problem(no_key).is_some_and(|problem| matches!(problem.wrong, Wrong::UnknownKey { .. })), "{no_key}");
        }
        for good in ["Ctrl+Alt+PageUp", "Ctrl+Alt+F13", "Ctrl+Alt+Numpad1", "Super+ö", "Ctrl+Alt+Comma"] {
            assert_eq!(hotkey_problem(good), None, "{good}");
        }
        assert_eq!((hotkey_problem("Ctrl+Shift+Space"), hotkey_problem("Alt+Space"), hotkey_problem("")), (None, None, None));
    }
}

//! The screen as the window manager knows it, and keys of the whole desktop.

use std::process::Command;

/// Keys of the whole desktop, as a person presses them.
pub fn press(keys: &str) {
    let status = Command::new("xdotool").args(["key", "--clearmodifiers", keys]).status();
    assert!(status.is_ok_and(|status| status.success()), "xdotool presses {keys}");
}

/// The name of the window that has the focus.
pub fn focused() -> String {
    let output = Command::new("xdotool").args(["getactivewindow", "getwindowname"]).output().expect("xdotool runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Whether the popup can be seen, whatever the page in it says.
pub fn popup_is_shown() -> bool {
    is_shown("Ask Nexi")
}

/// Whether a window with this title can be seen.
pub fn is_shown(title: &str) -> bool {
    let output = Command::new("xdotool").args(["search", "--onlyvisible", "--name", &format!("^{title}$")]).output();
    output.is_ok_and(|output| !output.stdout.is_empty())
}

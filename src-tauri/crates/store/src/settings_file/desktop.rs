//! The table `desktop`, and where keys are kept.

use nexi_core::settings::{KeyPlace, Problem, Settings, Theme};
use toml_edit::TableLike;

use super::Reading;

const DESKTOP: &[&str] = &["hotkey", "autostart", "close_to_tray", "notify", "theme", "text_size", "offer_clipboard"];

impl Reading {
    pub(super) fn desktop(&mut self, table: &dyn TableLike, out: &mut Settings) {
        if let Some(desktop) = self.table(table, "desktop") {
            self.unknown_keys("desktop.", desktop, DESKTOP);
            if let Some(hotkey) = self.text("desktop.", desktop, "hotkey") {
                out.desktop.hotkey = hotkey;
            }
            for (key, field) in [
                ("autostart", &mut out.desktop.autostart),
                ("close_to_tray", &mut out.desktop.close_to_tray),
                ("notify", &mut out.desktop.notify),
                ("offer_clipboard", &mut out.desktop.offer_clipboard),
            ] {
                self.switch("desktop.", desktop, key, field);
            }
            if let Some(word) = self.text("desktop.", desktop, "theme") {
                match Theme::parse(&word) {
                    Some(theme) => out.desktop.theme = theme,
                    None => self.problems.push(Problem::new("desktop.theme", format!("must be system, light or dark, not {word:?}"))),
                }
            }
            if let Some(size) = self.whole("desktop.", desktop, "text_size") {
                out.desktop.text_size = size;
            }
        }
        if let Some(word) = self.text("", table, "keys") {
            match KeyPlace::parse(&word) {
                Some(place) => out.keys = place,
                None => self.problems.push(Problem::new("keys", format!("must be keyring, file or session, not {word:?}"))),
            }
        }
    }
}

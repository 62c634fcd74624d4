//! The tables `hooks`.

use nexi_core::settings::{Hook, Problem, Settings};
use toml_edit::TableLike;

use super::Reading;

const HOOK: &[&str] = &["enabled", "url", "command", "args", "signed", "on", "timeout"];

impl Reading {
    pub(super) fn hooks(&mut self, table: &dyn TableLike, out: &mut Settings) {
        out.hooks = self.named_tables(table, "hooks", Self::hook);
    }

    fn hook(&mut self, place: &str, table: &dyn TableLike) -> Hook {
        let mut out = Hook::default();
        self.unknown_keys(place, table, HOOK);
        self.switch(place, table, "enabled", &mut out.enabled);
        out.url = self.text(place, table, "url");
        out.command = self.text(place, table, "command");
        self.texts(place, table, "args", &mut out.args);
        self.switch(place, table, "signed", &mut out.signed);
        if table.contains_key("on") {
            let mut words = Vec::new();
            self.texts(place, table, "on", &mut words);
            out.on.clear();
            for (index, word) in words.iter().enumerate() {
                match word.parse() {
                    Ok(event) => out.on.push(event),
                    Err(message) => self.problems.push(Problem::new(format!("{place}on[{index}]"), message)),
                }
            }
        }
        if let Some(seconds) = self.whole(place, table, "timeout") {
            out.timeout = seconds;
        }
        out
    }
}

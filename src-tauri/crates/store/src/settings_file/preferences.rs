//! The table `preferences`.

use nexi_core::settings::{AnswerLength, Problem, Settings, Units};
use toml_edit::TableLike;

use super::Reading;

const PLACE: &str = "preferences.";

impl Reading {
    pub(super) fn preferences(&mut self, table: &dyn TableLike, out: &mut Settings) {
        let Some(preferences) = self.table(table, "preferences") else { return };
        self.unknown_keys(PLACE, preferences, &["language", "units", "length"]);
        let filled = |text: &String| !text.trim().is_empty();
        out.preferences.language = self.text(PLACE, preferences, "language").filter(filled);
        if let Some(word) = self.text(PLACE, preferences, "units").filter(filled) {
            out.preferences.units = Units::parse(&word);
            if out.preferences.units.is_none() {
                self.problems.push(Problem::new("preferences.units", format!("must be metric or imperial, not {word:?}")));
            }
        }
        if let Some(word) = self.text(PLACE, preferences, "length").filter(filled) {
            out.preferences.length = AnswerLength::parse(&word);
            if out.preferences.length.is_none() {
                self.problems.push(Problem::new("preferences.length", format!("must be short, medium or long, not {word:?}")));
            }
        }
    }
}

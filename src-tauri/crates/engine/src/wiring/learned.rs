//! What was learned about models, in a file of the data folder: it can be deleted at any time.

use std::path::{Path, PathBuf};

use nexi_llm::{LearnedQuirk, QuirkStore};
use nexi_store::files::write_atomically;

/// Lessons that are kept at most.
const MAX_LESSONS: usize = 500;

pub(super) struct LearnedFile(PathBuf);

impl LearnedFile {
    pub(super) fn in_folder(data: &Path) -> Self {
        Self(data.join("learned.json"))
    }
}

impl QuirkStore for LearnedFile {
    fn load(&self) -> Vec<LearnedQuirk> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        // One that cannot be read is one that was not there: everything in it can be learned again.
        let values: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap_or_default();
        values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect()
    }

    fn save(&self, lesson: &LearnedQuirk) {
        let mut lessons = self.load();
        let is_older = |known: &LearnedQuirk| {
            (&known.address, &known.model) == (&lesson.address, &lesson.model)
                && std::mem::discriminant(&known.quirk) == std::mem::discriminant(&lesson.quirk)
        };
        lessons.retain(|known| !is_older(known));
        lessons.push(lesson.clone());
        let from = lessons.len().saturating_sub(MAX_LESSONS);
        let text = serde_json::to_string_pretty(&lessons[from..]).unwrap_or_default();
        if let Err(error) = write_atomically(&self.0, text.as_bytes(), false) {
            tracing::warn!(%error, "what was learned about a model could not be kept");
        }
    }
}

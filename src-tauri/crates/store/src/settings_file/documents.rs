//! The tables about documents, `documents`, `embeddings` and `ocr`, and about questions that are watched, `watched`.

use nexi_core::settings::Settings;
use toml_edit::TableLike;

use super::Reading;

impl Reading {
    pub(super) fn documents(&mut self, table: &dyn TableLike, out: &mut Settings) {
        if let Some(documents) = self.table(table, "documents") {
            self.unknown_keys("documents.", documents, &["folders", "include", "exclude", "keep_private"]);
            self.switch("documents.", documents, "keep_private", &mut out.documents.keep_private);
            self.texts("documents.", documents, "folders", &mut out.documents.folders);
            for (key, lists) in [("include", &mut out.documents.include), ("exclude", &mut out.documents.exclude)] {
                let Some(item) = documents.get(key) else { continue };
                let Some(by_folder) = item.as_table_like() else {
                    self.wrong(&format!("documents.{key}"), "a table of lists by folder", item);
                    continue;
                };
                for (folder, _) in by_folder.iter() {
                    let mut patterns = Vec::new();
                    self.texts(&format!("documents.{key}."), by_folder, folder, &mut patterns);
                    lists.insert(folder.to_owned(), patterns);
                }
            }
        }
        if let Some(embeddings) = self.table(table, "embeddings") {
            self.unknown_keys("embeddings.", embeddings, &["model", "remote_folders", "on_battery"]);
            out.embeddings.model = self.text("embeddings.", embeddings, "model");
            self.texts("embeddings.", embeddings, "remote_folders", &mut out.embeddings.remote_folders);
            self.switch("embeddings.", embeddings, "on_battery", &mut out.embeddings.on_battery);
        }
        if let Some(ocr) = self.table(table, "ocr") {
            self.unknown_keys("ocr.", ocr, &["enabled", "languages", "on_battery"]);
            self.switch("ocr.", ocr, "enabled", &mut out.ocr.enabled);
            self.texts("ocr.", ocr, "languages", &mut out.ocr.languages);
            self.switch("ocr.", ocr, "on_battery", &mut out.ocr.on_battery);
        }
        if let Some(watched) = self.table(table, "watched") {
            self.unknown_keys("watched.", watched, &["max_cost_month", "on_battery", "on_metered"]);
            if let Some(dollars) = self.decimal("watched.", watched, "max_cost_month") {
                out.watched.max_cost_month = dollars;
            }
            self.switch("watched.", watched, "on_battery", &mut out.watched.on_battery);
            self.switch("watched.", watched, "on_metered", &mut out.watched.on_metered);
        }
    }
}

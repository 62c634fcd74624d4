//! Single settings, changed by the path of their field.

use std::path::Path;

use nexi_core::settings::{Problem, Settings};
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};
use ts_rs::TS;

use super::{Loaded, SettingsError, edit, tolerant};

/// One setting and its new value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Change {
    /// Names of the tables and the field, such as `["providers", "work", "model"]`.
    pub path: Vec<String>,
    /// Null takes the setting out of the file, so that its default counts again.
    #[ts(type = "unknown")]
    pub value: serde_json::Value,
}

/// Writes changes into the file; all or none, and only if the result is valid.
///
/// # Errors
/// As for [`edit`].
pub fn change(path: &Path, changes: &[Change]) -> Result<Loaded, SettingsError> {
    edit(path, |document| changes.iter().for_each(|change| apply(document, change)))
}

/// What these changes would make wrong, and the settings as they would be then.
///
/// # Errors
/// When the file cannot be read or is not TOML.
pub fn preview(path: &Path, changes: &[Change]) -> Result<(Settings, Vec<Problem>), SettingsError> {
    let mut document = super::document(path)?;
    let (_, known) = tolerant(&document);
    changes.iter().for_each(|change| apply(&mut document, change));
    let (loaded, problems) = tolerant(&document);
    Ok((loaded.settings, problems.into_iter().filter(|problem| !known.contains(problem)).collect()))
}

/// TOML as JSON, for files of other programs; none where it is not TOML.
pub fn to_json(text: &str) -> Option<serde_json::Value> {
    toml_edit::de::from_str(text).ok()
}

fn apply(document: &mut DocumentMut, change: &Change) {
    let Some((field, tables)) = change.path.split_last() else { return };
    let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
    for name in tables {
        if change.value.is_null() && !table.contains_key(name) {
            return;
        }
        let item = table.entry(name).or_insert_with(|| {
            let mut new = Table::new();
            new.set_implicit(true);
            Item::Table(new)
        });
        match item.as_table_like_mut() {
            Some(inner) => table = inner,
            // Something else stands there; what is wrong with it is said when the file is read.
            None => return,
        }
    }
    match value(&change.value) {
        None => {
            table.remove(field);
        }
        Some(new) => match table.get_mut(field).and_then(Item::as_value_mut) {
            // Comments beside a value stay.
            Some(old) => {
                let decor = old.decor().clone();
                *old = new;
                *old.decor_mut() = decor;
            }
            None => {
                let item = if let Value::InlineTable(inner) = new { Item::Table(inner.into_table()) } else { Item::Value(new) };
                table.insert(field, item);
            }
        },
    }
}

fn value(json: &serde_json::Value) -> Option<Value> {
    match json {
        serde_json::Value::Null => None,
        serde_json::Value::Bool(value) => Some((*value).into()),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Some(whole.into()),
            None => number.as_f64().map(Value::from),
        },
        serde_json::Value::String(text) => Some(text.as_str().into()),
        serde_json::Value::Array(items) => Some(Value::Array(items.iter().filter_map(value).collect::<Array>())),
        serde_json::Value::Object(map) => {
            let inner = map.iter().filter_map(|(key, item)| Some((key.as_str(), value(item)?))).collect::<InlineTable>();
            Some(Value::InlineTable(inner))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn to(path: &[&str], value: serde_json::Value) -> Change {
        Change { path: path.iter().map(|name| (*name).to_owned()).collect(), value }
    }

    #[test]
    fn single_settings_change_and_everything_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, "# mine\nmax_context = 64000 # enough\n[search]\ncount = 5\n").unwrap();
        let provider = json!({"type": "ollama", "model": "qwen3:8b", "language": null});
        let changes = [
            to(&["max_context"], json!(32000)),
            to(&["search", "count"], json!(null)),
            to(&["providers", "my.local", "x"], json!(null)),
            to(&["providers", "my.local"], provider),
            to(&["llm_backends"], json!(["my.local", "builtin"])),
            to(&["max_cost"], json!(0.5)),
        ];
        let loaded = change(&file, &changes).unwrap();
        assert_eq!((loaded.settings.max_context, loaded.settings.search.count, loaded.settings.max_cost), (32000, 10, Some(0.5)));
        assert_eq!(loaded.settings.providers["my.local"].model.as_deref(), Some("qwen3:8b"));
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("# mine\nmax_context = 32000 # enough"), "{text}");
        assert!(text.contains("[providers.\"my.local\"]"), "{text}");
        for bad in
            [to(&["max_context"], json!(3)), to(&["search", "cuont"], json!(3)), to(&["providers", "my.local", "base_ulr"], json!("x"))]
        {
            assert!(matches!(change(&file, &[bad]), Err(SettingsError::Invalid { .. })));
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "what is wrong or unknown is not written");
        }
        let (_, problems) = preview(&file, &[to(&["search", "count"], json!("many"))]).unwrap();
        assert_eq!(problems[0].field, "search.count");
    }
}

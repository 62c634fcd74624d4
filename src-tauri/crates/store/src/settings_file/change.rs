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
            // Comments beside a value stay, and those in a list.
            Some(Value::Array(old)) if matches!(new, Value::Array(_)) => {
                if let Value::Array(new) = new {
                    change_list(old, new);
                }
            }
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

/// An item of a list with its comments: those above it, and the one behind it on its line.
struct ListItem {
    value: Value,
    above: String,
    behind: String,
}

/// Gives a list other items; those that it had keep their comments and their place in the text.
fn change_list(list: &mut Array, new: Array) {
    let text = |raw: Option<&toml_edit::RawString>| raw.and_then(|raw| raw.as_str()).unwrap_or_default().to_owned();
    // What stands before an item begins with the rest of the line of the one before it.
    let split = |before: &str| {
        before.split_once('\n').map_or((before.to_owned(), String::new()), |(rest, above)| (rest.to_owned(), format!("\n{above}")))
    };
    let mut old: Vec<ListItem> = Vec::new();
    let mut lead = String::new();
    for value in list.iter() {
        let (rest, above) = split(&text(value.decor().prefix()));
        match old.last_mut() {
            Some(last) => last.behind = rest,
            None => lead = rest,
        }
        old.push(ListItem { value: value.clone(), above, behind: String::new() });
    }
    let (rest, end) = split(&text(Some(list.trailing())));
    if let Some(last) = old.last_mut() {
        last.behind = rest;
    }
    let is_long = old.iter().any(|item| item.above.contains('\n'));
    let indent = old.last().map_or("  ", |item| item.above.rsplit('\n').next().unwrap_or("  ")).to_owned();
    let mut items: Vec<ListItem> = Vec::new();
    for value in new {
        let same =
            old.iter().position(|item| item.value.clone().decorated("", "").to_string() == value.clone().decorated("", "").to_string());
        items.push(match same {
            Some(at) => old.remove(at),
            None => {
                let above = if is_long { format!("\n{indent}") } else { String::new() };
                ListItem { value, above, behind: String::new() }
            }
        });
    }
    let mut out = Array::new();
    let mut rest = lead;
    for (index, item) in items.into_iter().enumerate() {
        let is_tight = index > 0 && rest.is_empty() && item.above.is_empty();
        let above = if is_tight { " ".into() } else { item.above };
        let suffix = text(item.value.decor().suffix());
        out.push_formatted(item.value.decorated(format!("{rest}{above}"), suffix));
        rest = item.behind;
    }
    out.set_trailing(format!("{rest}{end}"));
    out.set_trailing_comma(is_long);
    *out.decor_mut() = list.decor().clone();
    *list = out;
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
    fn lists_keep_the_comments_of_what_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        let after = |before: &str, list: &[&str]| {
            std::fs::write(&file, before).unwrap();
            change(&file, &[to(&["documents", "folders"], json!(list))]).unwrap();
            std::fs::read_to_string(&file).unwrap()
        };
        let long = "[documents]\nfolders = [ # mine\n  # work\n  \"/a\", # first\n  \"/b\", # second\n] # all\n";
        assert_eq!(after(long, &["/a", "/b"]), long);
        assert_eq!(
            after(long, &["/a", "/b", "/c"]),
            "[documents]\nfolders = [ # mine\n  # work\n  \"/a\", # first\n  \"/b\", # second\n  \"/c\",\n] # all\n"
        );
        assert_eq!(after(long, &["/b"]), "[documents]\nfolders = [ # mine\n  \"/b\", # second\n] # all\n");
        assert_eq!(after("[documents]\nfolders = [\"/a\"] # all\n", &["/a", "/b"]), "[documents]\nfolders = [\"/a\", \"/b\"] # all\n");
        assert_eq!(after("[documents]\nfolders = [\"/a\", \"/b\"]\n", &["/b", "/c"]), "[documents]\nfolders = [\"/b\", \"/c\"]\n");
        assert_eq!(after("[documents]\nfolders = []\n", &["/b"]), "[documents]\nfolders = [\"/b\"]\n");
        assert_eq!(after("[documents]\nfolders = [\n  \"/a\" # last\n]\n", &["/a", "/b"]).matches("# last").count(), 1);
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

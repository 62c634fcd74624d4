//! From the text of the settings file to the settings, by serde. What does not fit is named and left out, and everything
//! else counts; what nothing is known by is named, too.

use nexi_core::settings::{
    Problem, ProviderKind, Settings, Vendor, nearest,
    schema::{self, Kind},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use serde_path_to_error::{Segment, Track};
use toml_edit::{Item, TableLike};

/// Mistakes of one file that are named.
const MOST: usize = 200;
/// Parts of names under which people put keys.
const SECRETS: [&str; 7] = ["api_key", "apikey", "token", "secret", "password", "authorization", "headers"];
const KEYS: &str = "keys do not belong in this file. Put the key into an environment variable and name it with api_key_env, or store it in the keyring, and remove this line";

/// What a file says.
#[derive(Default)]
pub(super) struct Read {
    pub settings: Settings,
    pub problems: Vec<Problem>,
    /// Names that mean nothing, most likely misspelt.
    pub unknown: Vec<Problem>,
}

/// Reads the settings of a document.
pub(super) fn settings(table: &dyn TableLike) -> Read {
    let mut out = Read::default();
    let mut values = object(table);
    providers(&mut values, &mut out.problems);
    let mut values = Value::Object(values);
    for _ in 0..MOST {
        let mut unknown = Vec::new();
        let mut track = Track::new();
        let read = {
            let mut ignored = |path: serde_ignored::Path<'_>| unknown.push(names_of(&path));
            let ignoring = serde_ignored::Deserializer::new(&values, &mut ignored);
            Settings::deserialize(serde_path_to_error::Deserializer::new(ignoring, &mut track))
        };
        match read {
            Ok(settings) => {
                out.settings = settings;
                unknown.iter().for_each(|path| out.unknown(path));
                return out;
            }
            Err(_) => {
                let path: Vec<String> = track.path().iter().filter_map(name_of).collect();
                out.left_out(&mut values, &path);
            }
        }
    }
    out
}

impl Read {
    /// A value does not fit: it is named, and taken out.
    fn left_out(&mut self, values: &mut Value, path: &[String]) {
        let Some(found) = at_mut(values, path) else { return };
        if let (Some(Kind::Word(words)), Value::String(text)) = (schema::at(path).map(|setting| setting.kind), &*found) {
            // Nobody is asked to write it smaller.
            let plain = text.trim().to_lowercase();
            if plain != *text && words.iter().any(|known| known.word == plain) {
                *found = plain.into();
                return;
            }
        }
        self.problems.push(schema::mismatch(path, found));
        // What is wrong in a list makes all of it uncertain, and a provider of no kind is none.
        let list = path.iter().position(|name| name.parse::<usize>().is_ok());
        let is_kind = matches!(path, [table, _, field] if table == "providers" && field == "type");
        let path = &path[..list.unwrap_or(path.len() - usize::from(is_kind))];
        if let Some((name, around)) = path.split_last()
            && let Some(Value::Object(around)) = at_mut(values, around)
        {
            around.remove(name);
        }
    }

    /// A name that nothing is known by.
    fn unknown(&mut self, path: &[String]) {
        let Some((name, around)) = path.split_last() else { return };
        let known = schema::names_in(around);
        let field = schema::field_of(path);
        let meant = nearest(name, known.iter().copied());
        // Headers of a described backend hold a placeholder, which is checked.
        let is_described = around.last().is_some_and(|table| table == "json");
        let lower = name.to_ascii_lowercase();
        let is_secret = lower == "key" || SECRETS.iter().any(|word| lower.contains(word));
        if is_secret && !is_described && !meant.is_some_and(|meant| meant.ends_with("env") && name.ends_with("env")) {
            self.problems.push(Problem::new(field, KEYS));
            return;
        }
        let meant = meant.map(|known| format!("; did you mean {known}?")).unwrap_or_default();
        self.unknown.push(Problem::new(field, format!("is not a setting{meant}")));
    }
}

/// Fills in what the name of a provider says: a table with the name of a service needs no type and no address.
fn providers(values: &mut Map<String, Value>, problems: &mut Vec<Problem>) {
    let Some(Value::Object(providers)) = values.get_mut("providers") else { return };
    providers.retain(|name, provider| {
        let Value::Object(provider) = provider else { return true };
        let preset = Vendor::by_id(name);
        if let Some(preset) = preset {
            provider.entry("type").or_insert_with(|| preset.kind.as_str().into());
        }
        let kind = provider.get("type").cloned();
        let Some(kind) = kind else {
            let kinds = ProviderKind::ALL.map(ProviderKind::as_str).join(", ");
            problems.push(Problem::new(format!("providers.{name}.type"), format!("is missing; write one of {kinds}")));
            return false;
        };
        let own = preset.filter(|preset| kind == preset.kind.as_str() && preset.kind == ProviderKind::OpenaiCompatible);
        if let Some(preset) = own.filter(|preset| !preset.base_url.is_empty()) {
            provider.entry("base_url").or_insert_with(|| preset.base_url.into());
        }
        true
    });
}

/// The value at this path.
fn at_mut<'a>(values: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(values, |value, name| match value {
        Value::Object(fields) => fields.get_mut(name),
        Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    })
}

fn name_of(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        // A variant is the value itself.
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

fn names_of(path: &serde_ignored::Path<'_>) -> Vec<String> {
    use serde_ignored::Path;
    let (parent, own) = match path {
        Path::Root => return Vec::new(),
        Path::Seq { parent, index } => (parent, Some(index.to_string())),
        Path::Map { parent, key } => (parent, Some(key.clone())),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => (parent, None),
    };
    let mut names = names_of(parent);
    names.extend(own);
    names
}

fn object(table: &dyn TableLike) -> Map<String, Value> {
    table.iter().map(|(name, item)| (name.to_owned(), value(item))).collect()
}

/// A value of TOML as one of JSON. Dates and what is no number stay what they are written as.
fn value(item: &Item) -> Value {
    use toml_edit::Value as Toml;
    if let Some(table) = item.as_table_like() {
        return Value::Object(object(table));
    }
    if let Some(tables) = item.as_array_of_tables() {
        return tables.iter().map(|table| Value::Object(object(table))).collect();
    }
    match item.as_value() {
        Some(Toml::String(text)) => text.value().as_str().into(),
        Some(Toml::Integer(number)) => (*number.value()).into(),
        Some(Toml::Float(number)) => serde_json::Number::from_f64(*number.value()).map_or_else(|| number.to_string().into(), Value::Number),
        Some(Toml::Boolean(value)) => (*value.value()).into(),
        Some(Toml::Datetime(date)) => date.to_string().into(),
        Some(Toml::Array(items)) => items.iter().map(|item| value(&Item::Value(item.clone()))).collect(),
        Some(Toml::InlineTable(_)) | None => Value::Null,
    }
}

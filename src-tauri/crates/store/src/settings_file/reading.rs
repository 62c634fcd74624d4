//! From the text of the settings file to the settings, by serde. What does not fit is named and left out, and everything
//! else counts; what nothing is known by is named, too.

use nexi_core::settings::{
    Problem, ProviderKind, Settings, Vendor, Wrong, nearest,
    schema::{self, Found, Kind, Word},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use serde_path_to_error::{Segment, Track};
use toml_edit::{Item, TableLike};

/// Parts of names under which people put keys.
const SECRETS: [&str; 7] = ["api_key", "apikey", "token", "secret", "password", "authorization", "headers"];

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
    let mut values = Value::Object(object(table, &mut Vec::new(), &mut out.problems));
    fit(&mut values, &mut Vec::new(), &mut out.problems);
    out.name_providers(&mut values);
    // Each round takes out something that does not fit, so that there are no more rounds than values.
    loop {
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
            Err(error) => {
                let path: Vec<String> = track.path().iter().filter_map(name_of).collect();
                if !out.leave_out(&mut values, &path) {
                    out.problems.push(Problem::new(schema::field_of(&path), Wrong::Unreadable { message: error.to_string() }));
                    return out;
                }
            }
        }
    }
}

impl Read {
    /// A value does not fit: it is named, and taken out. Whether there was something to be taken out.
    fn leave_out(&mut self, values: &mut Value, path: &[String]) -> bool {
        let Some(found) = at_mut(values, path) else { return false };
        self.problems.push(schema::mismatch(path, found));
        // What is wrong in a list makes all of it uncertain, and a provider of no kind is none.
        let list = path.iter().position(|name| schema::index_of(name).is_some());
        if let Some(list) = list {
            self.other_words(values, path, list);
        }
        let is_kind = matches!(path, [table, _, field] if table == "providers" && field == "type");
        let path = &path[..list.unwrap_or(path.len() - usize::from(is_kind))];
        let around = path.split_last().and_then(|(name, around)| Some((name, at_mut(values, around)?.as_object_mut()?)));
        around.is_some_and(|(name, around)| around.remove(name).is_some())
    }

    /// Names the other words of a list that are not known, too.
    fn other_words(&mut self, values: &mut Value, path: &[String], list: usize) {
        let (Some(Kind::Words(words)), Some(Value::Array(items))) =
            (schema::at(&path[..list]).map(|setting| setting.kind), at_mut(values, &path[..list]))
        else {
            return;
        };
        for (index, item) in items.iter().enumerate() {
            let place = [&path[..list], &[schema::item(index)]].concat();
            let is_known = item.as_str().is_some_and(|text| words.iter().any(|known| known.word == text));
            if !is_known && place != path {
                self.problems.push(schema::mismatch(&place, item));
            }
        }
    }

    /// A name that nothing is known by.
    fn unknown(&mut self, path: &[String]) {
        let Some((name, around)) = path.split_last() else { return };
        let known = schema::names_in(around);
        let field = schema::field_of(path);
        let meant = nearest(name, known.iter().copied());
        // Headers of a described backend hold a placeholder, which is checked.
        let is_described = matches!(around, [table, _, inner] if table == "providers" && inner == "json");
        let is_of_provider = matches!(around, [table, _] if table == "providers");
        let lower = name.to_ascii_lowercase();
        let is_secret = (is_of_provider && name == "key") || SECRETS.iter().any(|word| lower.contains(word));
        if is_secret && !is_described && !meant.is_some_and(|meant| meant.ends_with("env") && name.ends_with("env")) {
            self.problems.push(Problem::new(field, Wrong::KeyInSettings));
            return;
        }
        let wrong = meant.map_or(Wrong::Unknown, |meant| Wrong::MisspeltName { meant: meant.to_owned() });
        self.unknown.push(Problem::new(field, wrong));
    }

    /// Fills in what the name of a provider says: a table with the name of a service needs no type and no address. One
    /// that is of no type is none.
    fn name_providers(&mut self, values: &mut Value) {
        let Some(Value::Object(providers)) = values.get_mut("providers") else { return };
        let mut nameless = Vec::new();
        for (name, provider) in providers.iter_mut() {
            let Value::Object(provider) = provider else { continue };
            let preset = Vendor::by_id(name);
            let of_its_name = || ProviderKind::ALL.into_iter().find(|kind| kind.as_str() == name);
            if let Some(kind) = preset.map(|preset| preset.kind).or_else(of_its_name) {
                provider.entry("type").or_insert_with(|| kind.as_str().into());
            }
            let Some(kind) = provider.get("type").cloned() else {
                nameless.push((name.clone(), provider.keys().cloned().collect::<Vec<_>>()));
                continue;
            };
            let own = preset.filter(|preset| kind == preset.kind.as_str() && preset.kind == ProviderKind::OpenaiCompatible);
            if let Some(preset) = own.filter(|preset| !preset.base_url.is_empty()) {
                provider.entry("base_url").or_insert_with(|| preset.base_url.into());
            }
        }
        for (name, fields) in nameless {
            providers.remove(&name);
            let kinds = ProviderKind::ALL.map(ProviderKind::as_str).join(", ");
            self.problems.push(Problem::new(format!("providers.{name}.type"), Wrong::NoProviderKind { kinds }));
            // Nobody else looks at what is not there any more.
            let table = ["providers".to_owned(), name];
            let known = schema::names_in(&table);
            for field in fields.iter().filter(|field| !known.contains(&field.as_str())) {
                self.unknown(&[&table[..], std::slice::from_ref(field)].concat());
            }
        }
    }
}

/// Takes out lists where tables are wanted, which serde would read by the order of fields, and writes words as settings
/// know them: nobody is asked to write one smaller.
fn fit(value: &mut Value, path: &mut Vec<String>, problems: &mut Vec<Problem>) -> bool {
    let Some(kind) = schema::at(path).map(|setting| setting.kind) else { return true };
    match (&kind, &mut *value) {
        (Kind::Table | Kind::NamedTexts | Kind::NamedLists, Value::Array(_)) => {
            problems.push(schema::mismatch(path, value));
            return false;
        }
        (Kind::Word(words), Value::String(text)) => write_plainly(text, words),
        (Kind::Words(words), Value::Array(items)) => {
            for item in items {
                if let Value::String(text) = item {
                    write_plainly(text, words);
                }
            }
        }
        (_, Value::Object(fields)) => fields.retain(|name, value| {
            path.push(name.clone());
            let stays = fit(value, path, problems);
            path.pop();
            stays
        }),
        _ => {}
    }
    true
}

fn write_plainly(text: &mut String, words: &[Word]) {
    let plain = text.trim().to_lowercase();
    if words.iter().any(|known| known.word == plain) {
        *text = plain;
    }
}

/// The value at this path.
fn at_mut<'a>(values: &'a mut Value, path: &[String]) -> Option<&'a mut Value> {
    path.iter().try_fold(values, |value, name| match value {
        Value::Object(fields) => fields.get_mut(name),
        Value::Array(items) => items.get_mut(schema::index_of(name)?),
        _ => None,
    })
}

fn name_of(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(schema::item(*index)),
        Segment::Map { key } => Some(key.clone()),
        // A variant is the value itself.
        Segment::Enum { .. } | Segment::Unknown => None,
    }
}

fn names_of(path: &serde_ignored::Path<'_>) -> Vec<String> {
    use serde_ignored::Path;
    let (parent, own) = match path {
        Path::Root => return Vec::new(),
        Path::Seq { parent, index } => (parent, Some(schema::item(*index))),
        Path::Map { parent, key } => (parent, Some(key.clone())),
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => (parent, None),
    };
    let mut names = names_of(parent);
    names.extend(own);
    names
}

/// A table of TOML as one of JSON. What JSON has no value for, dates and what is no number, is named and left out.
fn object(table: &dyn TableLike, path: &mut Vec<String>, problems: &mut Vec<Problem>) -> Map<String, Value> {
    let mut out = Map::new();
    for (name, item) in table.iter() {
        path.push(name.to_owned());
        match value(item, path, problems) {
            Ok(value) => drop(out.insert(name.to_owned(), value)),
            // What nothing is known by is named for that.
            Err(_) if schema::at(path).is_none() => drop(out.insert(name.to_owned(), Value::Null)),
            Err(found) => problems.push(schema::refused(path, found)),
        }
        path.pop();
    }
    out
}

/// A value of TOML as one of JSON, or what it is where JSON has none.
fn value(item: &Item, path: &mut Vec<String>, problems: &mut Vec<Problem>) -> Result<Value, Found> {
    use toml_edit::Value as Toml;
    if let Some(table) = item.as_table_like() {
        return Ok(Value::Object(object(table, path, problems)));
    }
    if let Some(tables) = item.as_array_of_tables() {
        return Ok(tables.iter().map(|table| Value::Object(object(table, path, problems))).collect());
    }
    Ok(match item.as_value() {
        Some(Toml::String(text)) => text.value().as_str().into(),
        Some(Toml::Integer(number)) => (*number.value()).into(),
        Some(Toml::Float(number)) => Value::Number(serde_json::Number::from_f64(*number.value()).ok_or(Found::NoNumber)?),
        Some(Toml::Boolean(value)) => (*value.value()).into(),
        Some(Toml::Datetime(_)) => return Err(Found::Date),
        Some(Toml::Array(items)) => {
            let items = items.iter().map(|item| value(&Item::Value(item.clone()), path, problems));
            items.collect::<Result<Value, _>>().map_err(|_| Found::OddList)?
        }
        Some(Toml::InlineTable(_)) | None => Value::Null,
    })
}

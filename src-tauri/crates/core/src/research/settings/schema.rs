//! What can be set, read off the types themselves: names, meanings, values, ranges and defaults. The file, the command
//! line, the window and the handbook all go by it.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::{Problem, Settings, Wrong, hide_keys, nearest};
pub use crate::research::values::{Found, Kind, Word};

/// Values that a message lists; of longer lists it names the nearest.
const LISTED: usize = 6;
/// What stands for the name of an entry in the path of a setting that every entry of a table has.
pub const NAME: &str = "NAME";

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Settings>().to_value();
    let provider = schema.pointer_mut("/properties/providers/additionalProperties").and_then(Value::as_object_mut);
    // The name of the table can say it.
    provider.and_then(|provider| provider.remove("required"));
    close(&mut schema);
    schema
});

/// Lets tables hold what they know and nothing else, so that editors mark names that are misspelt.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("properties").is_some_and(Value::is_object) && fields.get("type") == Some(&Value::from("object")) {
                fields.entry("additionalProperties").or_insert(Value::Bool(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// The JSON Schema of the settings file.
pub fn json_schema() -> &'static Value {
    &SCHEMA
}

/// One thing that can be set.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The names of the tables and the setting itself. The name of an entry is [`NAME`] where it can be any.
    pub path: Vec<String>,
    /// What it does, in Markdown; one or more sentences.
    pub about: String,
    pub kind: Kind,
    /// Whether it may be left out without anything in its place.
    pub optional: bool,
    /// What counts where it is not set; null where nothing does.
    pub standard: Value,
}

impl Setting {
    /// The path as it is written, such as `search.count`.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

/// All settings, table by table; tables themselves only where they have no settings of their own.
pub fn all() -> Vec<Setting> {
    let mut out = Vec::new();
    collect(&SCHEMA, &mut Vec::new(), &Value::Null, &mut out);
    out.sort_by(|a, b| {
        let table = |setting: &Setting| setting.path[..setting.path.len() - 1].to_vec();
        table(a).cmp(&table(b)).then_with(|| a.path.cmp(&b.path))
    });
    out
}

fn collect(schema: &Value, path: &mut Vec<String>, standard: &Value, out: &mut Vec<Setting>) {
    let inner = without_null(schema);
    let entries = inner.get("additionalProperties").filter(|entry| entry.get("properties").is_some());
    if let Some(properties) = inner.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            path.push(name.clone());
            let default = property.get("default").or_else(|| standard.get(name)).cloned().unwrap_or(Value::Null);
            collect(property, path, &default, out);
            path.pop();
        }
    } else if let Some(entry) = entries {
        path.push(NAME.to_owned());
        collect(entry, path, &Value::Null, out);
        path.pop();
    } else {
        out.push(setting(schema, path.clone(), standard.clone()));
    }
}

/// The setting at this path; the names of entries may be any, and `[3]` is a place in a list. None where nothing is
/// known by it.
pub fn at(path: &[String]) -> Option<Setting> {
    let (mut schema, mut standard, mut table) = (&*SCHEMA, Value::Null, "");
    for name in path {
        let (inner, default) = step(schema, name)?;
        standard = default.or_else(|| standard.get(name).cloned()).unwrap_or(Value::Null);
        table = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        schema = inner;
    }
    let mut found = setting(schema, path.to_vec(), standard);
    if found.about.is_empty() {
        found.about = table.replace('\n', " ");
    }
    Some(found)
}

/// A place in a list, as paths write it.
pub fn item(index: usize) -> String {
    format!("[{index}]")
}

/// The index that a name of a path stands for; none where it is the name of a field.
pub fn index_of(name: &str) -> Option<usize> {
    name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// What is known by a name in a table, or by a place in a list.
fn step<'a>(schema: &'a Value, name: &str) -> Option<(&'a Value, Option<Value>)> {
    let schema = without_null(schema);
    let property = schema.get("properties").and_then(|properties| properties.get(name));
    let item = || schema.get("items").filter(|_| index_of(name).is_some());
    let inner = property.or_else(|| schema.get("additionalProperties").filter(|entry| entry.is_object())).or_else(item)?;
    Some((inner, inner.get("default").cloned()))
}

/// The names that the table at this path knows; empty where they can be any.
pub fn names_in(path: &[String]) -> Vec<&'static str> {
    let mut schema: &'static Value = &SCHEMA;
    for name in path {
        match step(schema, name) {
            Some((inner, _)) => schema = inner,
            None => return Vec::new(),
        }
    }
    let properties = without_null(schema).get("properties").and_then(Value::as_object);
    properties.map(|properties| properties.keys().map(String::as_str).collect()).unwrap_or_default()
}

fn setting(schema: &Value, path: Vec<String>, standard: Value) -> Setting {
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
    Setting { path, about, kind: kind(without_null(schema)), optional: is_nullable(schema), standard }
}

fn kind(schema: &Value) -> Kind {
    let words = words(schema);
    if !words.is_empty() {
        return Kind::Word(words);
    }
    let is_of = |schema: &Value, kind: &str| match schema.get("type") {
        Some(Value::String(name)) => name == kind,
        Some(Value::Array(names)) => names.iter().any(|name| name == kind),
        _ => false,
    };
    let limit = |name: &str| schema.get(name).and_then(Value::as_u64);
    if is_of(schema, "boolean") {
        Kind::Switch
    } else if is_of(schema, "integer") {
        Kind::Whole(limit("minimum"), limit("maximum"))
    } else if is_of(schema, "number") {
        Kind::Decimal
    } else if is_of(schema, "array") {
        match schema.get("items").map(self::words) {
            Some(words) if !words.is_empty() => Kind::Words(words),
            _ => Kind::Texts,
        }
    } else if is_of(schema, "object") {
        match schema.get("additionalProperties") {
            Some(entry) if is_of(entry, "string") => Kind::NamedTexts,
            Some(entry) if is_of(entry, "array") => Kind::NamedLists,
            _ => Kind::Table,
        }
    } else {
        Kind::Text
    }
}

/// The words that a value may be; empty where it may be any.
fn words(schema: &Value) -> Vec<Word> {
    let plain = |schema: &Value| -> Vec<Word> {
        let list = schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const"));
        let about = schema.get("description").and_then(Value::as_str).filter(|_| schema.get("const").is_some()).unwrap_or_default();
        list.filter_map(Value::as_str).map(|word| Word { word: word.to_owned(), about: about.replace('\n', " ") }).collect()
    };
    match schema.get("oneOf").and_then(Value::as_array) {
        Some(variants) => variants.iter().flat_map(plain).collect(),
        None => plain(schema),
    }
}

/// What a value has to be if it is there.
fn without_null(schema: &Value) -> &Value {
    let variants = schema.get("anyOf").and_then(Value::as_array);
    variants.and_then(|variants| variants.iter().find(|variant| variant.get("type") != Some(&Value::from("null")))).unwrap_or(schema)
}

fn is_nullable(schema: &Value) -> bool {
    let is_null = |schema: &Value| match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
        Some(name) => name == "null",
        None => false,
    };
    is_null(schema) || schema.get("anyOf").and_then(Value::as_array).is_some_and(|variants| variants.iter().any(is_null))
}

/// What is wrong where something stands that is no value of the kind that is wanted.
pub fn refused(path: &[String], found: Found) -> Problem {
    let wanted = at(path).map_or(Kind::Table, |setting| setting.kind);
    Problem::new(field_of(path), Wrong::Unfit { wanted, found })
}

/// What is wrong with a value that does not fit its place.
pub fn mismatch(path: &[String], found: &Value) -> Problem {
    match (at(path).map_or(Kind::Table, |setting| setting.kind), found) {
        (Kind::Word(words), Value::String(word)) if words.len() > LISTED => {
            let known = || words.iter().map(|word| word.word.as_str());
            let wrong = match nearest(word, known()) {
                Some(meant) => Wrong::Misspelt { word: word.clone(), meant: meant.to_owned() },
                None => Wrong::NoWord { word: word.clone(), known: known().collect::<Vec<_>>().join(", ") },
            };
            Problem::new(field_of(path), wrong)
        }
        (Kind::Word(_), Value::String(word)) => refused(path, Found::Word(word.clone())),
        _ => refused(path, Found::of(found)),
    }
}

/// A path as problems name it, such as `llm_backends[1]` and `providers.work.model`.
pub fn field_of(path: &[String]) -> String {
    let mut out = String::new();
    for name in path {
        out.push_str(if out.is_empty() || index_of(name).is_some() { "" } else { "." });
        out.push_str(name);
    }
    out
}

/// Tables that hold what services, tools and programs are given.
const WITH_KEYS: [&str; 4] = ["providers", "tools", "commands", "hooks"];

/// Texts in which somebody put a key, among those that would be sent or shown.
pub(super) fn with_keys(values: &Value) -> Vec<Problem> {
    fn look(value: &Value, path: &mut Vec<String>, out: &mut Vec<Problem>) {
        let mut inner = |name: String, value: &Value| {
            path.push(name);
            look(value, path, out);
            path.pop();
        };
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| inner(name.clone(), value)),
            Value::Array(items) => items.iter().enumerate().for_each(|(index, value)| inner(item(index), value)),
            Value::String(text) if hide_keys(text) != *text => {
                out.push(Problem::new(field_of(path), Wrong::KeyInFile));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    for table in WITH_KEYS {
        look(&values[table], &mut vec![table.to_owned()], &mut out);
    }
    out
}

/// Whole numbers that are outside of their limits, and words that are none of those that a setting knows.
pub(super) fn unfit(values: &Value) -> Vec<Problem> {
    let mut out = Vec::new();
    compare(&SCHEMA, values, &mut Vec::new(), &mut out);
    out
}

fn compare(schema: &Value, value: &Value, path: &mut Vec<String>, out: &mut Vec<Problem>) {
    match value {
        Value::Object(fields) => compare_table(schema, fields, path, out),
        Value::Number(number) => {
            let kind = kind(without_null(schema));
            if let (Kind::Whole(from, to), Some(number)) = (&kind, number.as_u64())
                && (from.is_some_and(|from| number < from) || to.is_some_and(|to| number > to))
            {
                out.push(Problem::new(field_of(path), Wrong::Unfit { wanted: kind, found: Found::Whole(number.to_string()) }));
            }
        }
        Value::String(word) => {
            let known = words(without_null(schema));
            if !known.is_empty() && !known.iter().any(|known| known.word == *word) {
                out.push(mismatch(path, value));
            }
        }
        _ => {}
    }
}

fn compare_table(schema: &Value, fields: &Map<String, Value>, path: &mut Vec<String>, out: &mut Vec<Problem>) {
    for (name, value) in fields {
        if let Some((inner, _)) = step(schema, name) {
            path.push(name.clone());
            compare(inner, value, path, out);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str) -> Vec<String> {
        path.split('.').map(str::to_owned).collect()
    }

    #[test]
    fn every_setting_says_what_it_does() {
        let all = all();
        assert!(all.len() > 90, "{}", all.len());
        for setting in &all {
            assert!(setting.about.ends_with('.'), "{}: {:?}", setting.name(), setting.about);
        }
        // What has a name in the settings' own type is there, and nothing twice.
        let mut paths: Vec<String> = all.iter().map(Setting::name).collect();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), all.len());
        for name in ["search.count", "providers.NAME.json.url", "preferences.units", "documents.include", "prompts", "hooks.NAME.on"] {
            assert!(paths.iter().any(|path| path == name), "{name}: {paths:?}");
        }
    }

    #[test]
    fn kinds_limits_and_defaults_come_from_the_types() {
        let of = |path: &str| at(&names(path)).unwrap_or_else(|| panic!("{path} is not known"));
        assert_eq!(of("search.count").kind, Kind::Whole(Some(1), Some(50)));
        assert_eq!((of("search.count").standard, of("search.count").optional), (10.into(), false));
        assert_eq!((of("max_steps").kind, of("max_steps").optional), (Kind::Whole(Some(1), Some(200)), true));
        assert!(matches!(of("desktop.theme").kind, Kind::Word(words) if words.len() == 3));
        assert!(matches!(of("preferences.units").kind, Kind::Word(words) if words.len() == 2) && of("preferences.units").optional);
        assert_eq!(of("providers.work.managed").kind, Kind::Switch);
        assert!(matches!(of("side_tasks").kind, Kind::Words(words) if words.len() == 6));
        assert_eq!(of("auto_compact_thresh").kind, Kind::Decimal);
        assert_eq!((of("documents.exclude").kind, of("prompts").kind), (Kind::NamedLists, Kind::NamedTexts));
        assert_eq!((of("providers.work.json.headers").kind, of("desktop").kind), (Kind::NamedTexts, Kind::Table));
        assert!(at(&names("search.cuont")).is_none() && names_in(&names("search")).contains(&"count"));
    }

    #[test]
    fn what_does_not_fit_is_said_by_its_place() {
        let wrong = |path: &str, found: Value| mismatch(&names(path), &found);
        let unfit =
            |field: &str, path: &str, found: Found| Problem::new(field, Wrong::Unfit { wanted: at(&names(path)).unwrap().kind, found });
        assert_eq!(wrong("search.count", "many".into()), unfit("search.count", "search.count", Found::Text));
        assert_eq!(wrong("llm_backends.[1]", 7.into()), unfit("llm_backends[1]", "llm_backends.[1]", Found::Whole("7".into())));
        assert_eq!(wrong("deep.plan", "maybe".into()), unfit("deep.plan", "deep.plan", Found::Word("maybe".into())));
        let misspelt = Wrong::Misspelt { word: "wikipdia".into(), meant: "wikipedia".into() };
        assert_eq!(wrong("providers.a.type", "wikipdia".into()), Problem::new("providers.a.type", misspelt));
        assert_eq!(wrong("documents", 3.into()), unfit("documents", "documents", Found::Whole("3".into())));
        assert_eq!(field_of(&names("providers.2.model")), "providers.2.model", "a name of digits is no place in a list");
    }

    #[test]
    fn numbers_outside_of_their_limits_are_found_in_every_table() {
        let values = |settings: &Settings| serde_json::to_value(settings).unwrap();
        let mut settings = Settings::default();
        assert_eq!(unfit(&values(&settings)), []);
        settings.search.count = 51;
        settings.max_steps = Some(0);
        settings.tools.insert("files".into(), super::super::ToolServer { timeout: 0, ..super::super::ToolServer::default() });
        let wrong = |field: &str, to: u64, found: &str| {
            let wanted = Kind::Whole(Some(1), Some(to));
            Problem::new(field, Wrong::Unfit { wanted, found: Found::Whole(found.to_owned()) })
        };
        assert_eq!(
            unfit(&values(&settings)),
            [wrong("max_steps", 200, "0"), wrong("search.count", 50, "51"), wrong("tools.files.timeout", 1800, "0")]
        );
    }
}

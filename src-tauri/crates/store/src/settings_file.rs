//! The settings file: read with every problem named, changed without losing comments.

mod change;
mod deep;
mod desktop;
mod documents;
mod hooks;
mod preferences;
mod provider;
mod tolerant;
mod tools;
mod web;

use nexi_messages::say;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use change::{Change, change, preview, to_json};
use nexi_core::{
    pricing::ModelFacts,
    settings::{Problem, Settings, SideTask, nearest},
};
pub use tolerant::read_tolerantly;
use tolerant::tolerant;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// Settings as they were read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded {
    pub settings: Settings,
    /// Keys that mean nothing, most likely misspelt; they are kept.
    pub unknown: Vec<Problem>,
}

/// Why settings could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    File { path: PathBuf, source: std::io::Error },
    Syntax { path: PathBuf, message: String },
    Invalid { path: PathBuf, problems: Vec<Problem> },
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Self::File { path, source } => say!("errors-settings.file", path = path.display().to_string(), source = source.to_string()),
            Self::Syntax { path, message } => say!("errors-settings.syntax", path = path.display().to_string(), message = message),
            Self::Invalid { path, problems } => {
                say!("errors-settings.invalid", path = path.display().to_string(), problems = list(problems))
            }
        })
    }
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("\n  {problem}")).collect()
}

/// Reads the settings. A file that does not exist has the defaults, unless `must_exist`.
///
/// # Errors
/// When the file cannot be read, is not TOML, or holds values that are not valid; every problem
/// is named.
pub fn read(path: &Path, must_exist: bool) -> Result<Loaded, SettingsError> {
    let text = match content(path) {
        Err(SettingsError::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound && !must_exist => String::new(),
        other => other?,
    };
    let (loaded, problems) = parse(&text).map_err(|message| SettingsError::Syntax { path: path.to_path_buf(), message })?;
    if problems.is_empty() { Ok(loaded) } else { Err(SettingsError::Invalid { path: path.to_path_buf(), problems }) }
}

/// Changes the file: `change` edits the document, the rest of which stays as it is, and the result
/// is written only if it is valid.
///
/// # Errors
/// As for [`read`]; the file is left as it was then.
pub fn edit(path: &Path, change: impl FnOnce(&mut DocumentMut)) -> Result<Loaded, SettingsError> {
    let failed = |source| SettingsError::File { path: path.to_path_buf(), source };
    // Read again in one's turn: what another process has written since is changed, and not written over.
    let _turn = crate::files::turn_to_change(path, crate::files::PATIENCE).map_err(failed)?;
    let mut document = document(path)?;
    let unknown = |document: &DocumentMut| parse(&document.to_string()).map(|(loaded, _)| loaded.unknown).unwrap_or_default();
    let (before, (_, known)) = (unknown(&document), tolerant(&document));
    change(&mut document);
    let (loaded, now) = tolerant(&document);
    // What has no effect is not written; what stood there already is not this change's fault.
    let mut problems: Vec<Problem> = now.into_iter().filter(|problem| !known.contains(problem)).collect();
    problems.extend(unknown(&document).into_iter().filter(|problem| !before.contains(problem)));
    if !problems.is_empty() {
        return Err(SettingsError::Invalid { path: path.to_path_buf(), problems });
    }
    crate::files::write_whole(path, document.to_string().as_bytes(), false).map_err(failed)?;
    Ok(loaded)
}

/// The text of the file.
fn content(path: &Path) -> Result<String, SettingsError> {
    let bytes = std::fs::read(path).map_err(|source| SettingsError::File { path: path.to_path_buf(), source })?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = format!("line {line}: holds a character that is not UTF-8; save the file as UTF-8");
        SettingsError::Syntax { path: path.to_path_buf(), message }
    })
}

/// The file as a document that can be edited; an empty one where there is none.
fn document(path: &Path) -> Result<DocumentMut, SettingsError> {
    let text = match content(path) {
        Err(SettingsError::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => String::new(),
        other => other?,
    };
    text.parse().map_err(|error: toml_edit::TomlError| SettingsError::Syntax { path: path.to_path_buf(), message: syntax(&error, &text) })
}

/// A list of texts as a value for [`edit`].
pub fn texts(list: &[&str]) -> Item {
    Item::Value(Value::Array(list.iter().copied().collect()))
}

/// Reads settings from text; returns what was understood and everything that is wrong.
///
/// # Errors
/// When the text is not TOML.
pub fn parse(text: &str) -> Result<(Loaded, Vec<Problem>), String> {
    let document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| syntax(&error, text))?;
    let mut reading = Reading::default();
    let settings = reading.settings(document.as_table());
    if reading.problems.is_empty() {
        reading.problems = settings.problems();
    }
    Ok((Loaded { settings, unknown: reading.unknown }, reading.problems))
}

/// The names in a field such as `providers.work.model` or `models."gpt-4.1".input`, as TOML writes them;
/// none where it is no field.
pub fn path_of(field: &str) -> Option<Vec<String>> {
    let names: Vec<String> = match toml_edit::Key::parse(field) {
        Ok(keys) => keys.iter().map(|key| key.get().to_owned()).collect(),
        Err(_) if field.contains(['"', '\'']) => return None,
        // Names that TOML wants in quotation marks need none here.
        Err(_) => field.split('.').map(|name| name.trim().to_owned()).collect(),
    };
    (!names.iter().any(String::is_empty)).then_some(names)
}

/// Where and why a file is not TOML, without the line itself, which may hold a key.
fn syntax(error: &toml_edit::TomlError, text: &str) -> String {
    let at = error.span().map_or(0, |span| span.start).min(text.len());
    let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    let reason = error.message();
    format!("line {line}: {}", nexi_core::settings::hide_keys(reason))
}

#[derive(Default)]
struct Reading {
    problems: Vec<Problem>,
    unknown: Vec<Problem>,
}

const TOP: &[&str] = &[
    "default_effort",
    "llm_backends",
    "side_model",
    "side_tasks",
    "check",
    "past_research",
    "thinking",
    "favourite_models",
    "search_backends",
    "fetch_backends",
    "max_context",
    "auto_compact_thresh",
    "compact_target_words",
    "preserve_last_n_messages",
    "max_output_tokens",
    "tokenizer_encoding",
    "provider_timeout",
    "model_timeout",
    "model_total_timeout",
    "llm_max_retries",
    "time_target",
    "max_steps",
    "max_tokens",
    "max_cost",
    "max_cost_month",
    "pages_ahead",
    "preferences",
    "deep",
    "documents",
    "embeddings",
    "ocr",
    "watched",
    "network",
    "search",
    "cache",
    "providers",
    "models",
    "prompts",
    "tools",
    "commands",
    "hooks",
    "desktop",
    "keys",
];

/// What is said of a key that means nothing here.
fn not_a_setting(place: &str, key: &str, known: &[&str]) -> Problem {
    let meant = nearest(key, known.iter().copied()).map(|known| format!("; did you mean {known}?")).unwrap_or_default();
    Problem::new(format!("{place}{key}"), format!("is not a setting{meant}"))
}

impl Reading {
    fn settings(&mut self, table: &Table) -> Settings {
        let mut out = Settings::default();
        self.unknown_keys("", table, TOP);
        if let Some(effort) = self.text("", table, "default_effort") {
            match effort.parse() {
                Ok(effort) => out.default_effort = effort,
                Err(message) => self.problems.push(Problem::new("default_effort", message)),
            }
        }
        for (key, field) in [
            ("llm_backends", &mut out.llm_backends),
            ("search_backends", &mut out.search_backends),
            ("fetch_backends", &mut out.fetch_backends),
            ("favourite_models", &mut out.favourite_models),
        ] {
            self.texts("", table, key, field);
        }
        for (key, field) in [
            ("max_context", &mut out.max_context),
            ("compact_target_words", &mut out.compact_target_words),
            ("preserve_last_n_messages", &mut out.preserve_last_n_messages),
            ("max_output_tokens", &mut out.max_output_tokens),
            ("provider_timeout", &mut out.provider_timeout),
            ("model_timeout", &mut out.model_timeout),
            ("model_total_timeout", &mut out.model_total_timeout),
            ("llm_max_retries", &mut out.llm_max_retries),
            ("pages_ahead", &mut out.pages_ahead),
        ] {
            if let Some(value) = self.whole("", table, key) {
                *field = value;
            }
        }
        out.side_model = self.text("", table, "side_model").filter(|name| !name.trim().is_empty());
        self.switch("", table, "past_research", &mut out.past_research);
        if let Some(word) = self.text("", table, "check") {
            match word.parse() {
                Ok(check) => out.check = check,
                Err(message) => self.problems.push(Problem::new("check", message)),
            }
        }
        if let Some(level) = self.text("", table, "thinking") {
            match level.parse() {
                Ok(level) => out.thinking = level,
                Err(message) => self.problems.push(Problem::new("thinking", message)),
            }
        }
        if table.contains_key("side_tasks") {
            let mut words = Vec::new();
            self.texts("", table, "side_tasks", &mut words);
            out.side_tasks.clear();
            for (index, word) in words.iter().enumerate() {
                match SideTask::parse(word) {
                    Some(task) => out.side_tasks.push(task),
                    None => {
                        let all = SideTask::ALL.map(SideTask::as_str).join(", ");
                        self.problems
                            .push(Problem::new(format!("side_tasks[{index}]"), format!("{word:?} is not known; write any of {all}")));
                    }
                }
            }
        }
        out.time_target = self.whole("", table, "time_target");
        out.max_steps = self.whole("", table, "max_steps");
        out.max_tokens = self.whole("", table, "max_tokens");
        out.max_cost = self.decimal("", table, "max_cost");
        out.max_cost_month = self.decimal("", table, "max_cost_month");
        if let Some(share) = self.decimal("", table, "auto_compact_thresh") {
            out.auto_compact_thresh = share;
        }
        if let Some(encoding) = self.text("", table, "tokenizer_encoding") {
            out.tokenizer_encoding = encoding;
        }
        self.documents(table, &mut out);
        self.deep(table, &mut out);
        self.web(table, &mut out);
        self.tools(table, &mut out);
        self.hooks(table, &mut out);
        self.preferences(table, &mut out);
        self.desktop(table, &mut out);
        if let Some(providers) = self.table(table, "providers") {
            for (name, item) in providers.iter() {
                match item.as_table_like() {
                    Some(provider) => {
                        if let Some(provider) = self.provider(name, provider) {
                            out.providers.insert(name.to_owned(), provider);
                        }
                    }
                    None => self.wrong(&format!("providers.{name}"), "a table", item),
                }
            }
        }
        if let Some(models) = self.table(table, "models") {
            for (name, item) in models.iter() {
                let place = format!("models.{name}.");
                match item.as_table_like() {
                    Some(facts) => {
                        self.unknown_keys(&place, facts, &["context", "input", "output", "cached"]);
                        let facts = ModelFacts {
                            context: self.whole(&place, facts, "context"),
                            input: self.decimal(&place, facts, "input"),
                            output: self.decimal(&place, facts, "output"),
                            cached: self.decimal(&place, facts, "cached"),
                        };
                        out.models.insert(name.to_owned(), facts);
                    }
                    None => self.wrong(&format!("models.{name}"), "a table", item),
                }
            }
        }
        if let Some(prompts) = self.table(table, "prompts") {
            for (name, _) in prompts.iter() {
                if let Some(text) = self.text("prompts.", prompts, name) {
                    out.prompts.0.insert(name.to_owned(), text);
                }
            }
        }
        out
    }

    fn unknown_keys(&mut self, place: &str, table: &dyn TableLike, known: &[&str]) {
        for (key, _) in table.iter().filter(|(key, _)| !known.contains(key)) {
            let lower = key.to_ascii_lowercase();
            if ["api_key", "apikey", "token", "secret", "password", "authorization", "headers"].iter().any(|word| lower.contains(word)) {
                let message = "keys do not belong in this file. Put the key into an environment variable and name it with api_key_env, or store it in the keyring, and remove this line";
                let problem = match nearest(key, known.iter().copied()).filter(|known| known.ends_with("env") && key.ends_with("env")) {
                    Some(_) => not_a_setting(place, key, known),
                    None => Problem::new(format!("{place}{key}"), message),
                };
                self.problems.push(problem);
                continue;
            }
            self.unknown.push(not_a_setting(place, key, known));
        }
    }

    fn text(&mut self, place: &str, table: &dyn TableLike, key: &str) -> Option<String> {
        let item = table.get(key)?;
        if item.as_str().is_none() {
            self.wrong(&format!("{place}{key}"), "text in quotation marks", item);
        }
        item.as_str().map(str::to_owned)
    }

    fn texts(&mut self, place: &str, table: &dyn TableLike, key: &str, field: &mut Vec<String>) {
        let Some(item) = table.get(key) else { return };
        let texts = item.as_array().map(|array| array.iter().map(|value| value.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>());
        match texts {
            Some(Some(texts)) => *field = texts,
            _ => self.wrong(&format!("{place}{key}"), "a list of strings, such as [\"a\", \"b\"]", item),
        }
    }

    fn whole(&mut self, place: &str, table: &dyn TableLike, key: &str) -> Option<u32> {
        let item = table.get(key)?;
        let value = item.as_integer().and_then(|value| u32::try_from(value).ok());
        if value.is_none() {
            self.wrong(&format!("{place}{key}"), "a whole number, 0 or more", item);
        }
        value
    }

    fn decimal(&mut self, place: &str, table: &dyn TableLike, key: &str) -> Option<f64> {
        let item = table.get(key)?;
        let value = item.as_float().or(item.as_integer().map(|value| value as f64));
        if value.is_none() {
            self.wrong(&format!("{place}{key}"), "a number, such as 0.5", item);
        }
        value
    }

    fn table<'a>(&mut self, table: &'a dyn TableLike, key: &str) -> Option<&'a dyn TableLike> {
        let item = table.get(key)?;
        if item.as_table_like().is_none() {
            self.wrong(key, "a table", item);
        }
        item.as_table_like()
    }

    /// The tables of a table by their names; `read` gets the place that their fields begin with.
    fn named_tables<T>(
        &mut self,
        table: &dyn TableLike,
        key: &str,
        read: impl Fn(&mut Self, &str, &dyn TableLike) -> T,
    ) -> BTreeMap<String, T> {
        let Some(tables) = self.table(table, key) else { return BTreeMap::new() };
        let mut out = BTreeMap::new();
        for (name, item) in tables.iter() {
            match item.as_table_like() {
                Some(inner) => drop(out.insert(name.to_owned(), read(self, &format!("{key}.{name}."), inner))),
                None => self.wrong(&format!("{key}.{name}"), "a table", item),
            }
        }
        out
    }

    fn wrong(&mut self, field: &str, wanted: &str, item: &Item) {
        if let Some(number) = item.as_integer() {
            self.problems.push(Problem::new(field, format!("must be {wanted}, not {number}")));
            return;
        }
        let found = match item.as_value() {
            Some(Value::String(_)) => "text",
            Some(Value::Integer(_)) => "a number",
            Some(Value::Float(_)) => "a number with a fraction",
            Some(Value::Boolean(_)) => "true or false",
            Some(Value::Array(_)) => "a list",
            Some(Value::Datetime(_)) => "a date",
            Some(Value::InlineTable(_)) | None => "a table",
        };
        self.problems.push(Problem::new(field, format!("must be {wanted}, not {found}")));
    }
}

#[cfg(test)]
mod tests;

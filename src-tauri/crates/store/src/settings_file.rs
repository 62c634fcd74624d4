//! The settings file: read with every problem named, changed without losing comments.

mod change;
mod reading;
pub mod told;
mod tolerant;

use nexi_messages::say;
use std::path::{Path, PathBuf};

pub use change::{Change, change, preview, to_json};
use nexi_core::settings::{Problem, Settings};
pub use tolerant::read_tolerantly;
use tolerant::tolerant;
use toml_edit::{DocumentMut, Item, Value};

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
            Self::File { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
                say!("errors-settings.missing", path = path.display().to_string())
            }
            Self::File { path, source } => say!("errors-settings.file", path = path.display().to_string(), source = source.to_string()),
            Self::Syntax { path, message } => say!("errors-settings.syntax", path = path.display().to_string(), message = message),
            Self::Invalid { path, problems } => {
                say!("errors-settings.invalid", path = path.display().to_string(), problems = list(problems))
            }
        })
    }
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("\n  {}", told::problem(problem))).collect()
}

/// The language that a settings file chooses, before anything else of it is read: what is wrong with the rest is told in
/// it. `None` where it chooses none.
pub fn language(path: &Path) -> Option<String> {
    let document: DocumentMut = content(path).ok()?.parse().ok()?;
    let language = document.get("language")?.as_str()?;
    (language != "system").then(|| language.to_owned())
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
    let _turn = crate::files::lock_for_change(path, crate::files::LOCK_TIMEOUT).map_err(failed)?;
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
    crate::files::write_atomically(path, document.to_string().as_bytes(), false).map_err(failed)?;
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
    let reading::Read { settings, mut problems, unknown } = reading::settings(document.as_table());
    if problems.is_empty() {
        problems = settings.problems();
    }
    Ok((Loaded { settings, unknown }, problems))
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

#[cfg(test)]
mod tests;

//! Changing settings while the engine runs.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, atomic::Ordering};
use std::time::SystemTime;

use nexi_core::{
    settings::{Problem, Settings, hotkey_problem},
    text,
};
use nexi_messages::say;
use nexi_store::{
    keys as store_keys,
    paths::expand_home,
    settings_file::{self, Change, Loaded, SettingsError},
};
use nexi_web::client;
use serde::Serialize;

use super::{Engine, keys};
use crate::{EngineError, documents::Rules, wiring};

/// Settings whose defaults harm nobody.
const HARMLESS: &[&str] = &[
    "auto_compact_thresh",
    "cache",
    "compact_target_words",
    "default_effort",
    "desktop",
    "favourite_models",
    "hooks",
    "max_context",
    "max_output_tokens",
    "pages_ahead",
    "preserve_last_n_messages",
    "side_model",
    "side_tasks",
    "thinking",
    "tokenizer_encoding",
];

/// How the built-in researcher is called in chains.
const BUILT_IN: &str = "builtin";

/// When a file was last changed; none where there is no file.
pub(super) fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|facts| facts.modified()).ok()
}

/// What is wrong with a folder that is being added. One that was there before may be on a disk that
/// is not plugged in.
fn folder_problem(index: usize, folder: &str) -> Option<Problem> {
    let path = expand_home(folder);
    let message = if path.parent().is_none() {
        say!("arguments-folder.whole_disk_here", folder = folder)
    } else {
        match std::fs::read_dir(&path) {
            Ok(_) => return None,
            Err(error) if path.is_absolute() && path.is_dir() => {
                say!("arguments-folder.unread", folder = folder, why = text::innermost(&error))
            }
            Err(_) => say!("arguments-folder.no_folder", folder = folder),
        }
    };
    Some(Problem::told(format!("documents.folders[{index}]"), message))
}

/// What has no effect in the settings, and what is not as safe as it looks.
pub(super) fn warnings(loaded: &Loaded) -> Vec<Problem> {
    let mut out = loaded.unknown.clone();
    for (index, folder) in loaded.settings.documents.folders.iter().enumerate() {
        if std::fs::read_dir(expand_home(folder)).is_err() {
            out.push(Problem::told(format!("documents.folders[{index}]"), say!("arguments-folder.not_there", folder = folder)));
        }
    }
    out.extend(Rules::of(&loaded.settings).1);
    let documents = &loaded.settings.documents;
    let real = |folder: &str| {
        let place = expand_home(folder);
        dunce::canonicalize(&place).unwrap_or(place)
    };
    let folders: Vec<PathBuf> = documents.folders.iter().map(|folder| real(folder)).collect();
    for folder in documents.include.keys().chain(documents.exclude.keys()) {
        let place = real(folder);
        if !folders.iter().any(|known| place.starts_with(known) || known.starts_with(&place)) {
            out.push(Problem::told(format!("documents.{folder:?}"), say!("arguments-folder.patterns_elsewhere")));
        }
    }
    let open = loaded.settings.providers.iter().filter(|(_, provider)| provider.is_open());
    out.extend(open.map(|(name, _)| Problem::told(format!("providers.{name}"), say!("arguments-not-encrypted"))));
    out
}

/// Whether it cannot be told what the file says about the network: it is wrong there, or no settings file at all.
pub(super) fn network_is_unclear(mistakes: &[Problem]) -> bool {
    let is_all = |field: &str| Path::new(field).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    mistakes.iter().any(|problem| problem.field.starts_with("network") || is_all(&problem.field))
}

/// The change that adds an entry to a table, with what differs from the defaults.
pub(super) fn entry_change<T: Serialize + Default>(table: &str, name: &str, entry: &T) -> Change {
    let mut value = serde_json::to_value(entry).unwrap_or_default();
    let usual = serde_json::to_value(T::default()).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|field, value| !value.is_null() && usual.get(field) != Some(value));
    }
    Change { path: vec![table.to_owned(), name.to_owned()], value }
}

impl Engine {
    /// Has clients of somebody else take the way out that the settings name now, with their certificates.
    ///
    /// # Errors
    /// When the settings of the network cannot be understood, or the proxy or a certificate cannot be used.
    pub fn way_out(&self) -> Result<impl Fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + Sync + use<>, EngineError> {
        Ok(client::way_out(wiring::route(&self.settings())?)?)
    }

    /// Writes changes into the settings file and works with them from now on; all or none. Runs
    /// that are going on keep what they began with.
    ///
    /// # Errors
    /// When a value is not valid, each named by its field, or the file cannot be written. Nothing
    /// has changed then.
    pub fn change_settings(&self, changes: &[Change]) -> Result<Settings, EngineError> {
        let _one_at_a_time = self.inner.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let (after, _) = settings_file::preview(&self.paths().settings, changes)?;
        let known = self.settings().documents.folders;
        let new = after.documents.folders.iter().enumerate().filter(|(_, folder)| !known.contains(folder));
        let mut problems: Vec<Problem> = new.filter_map(|(index, folder)| folder_problem(index, folder)).collect();
        problems.extend(Rules::of(&after).1);
        problems.extend(self.new_hotkey_problem(&after));
        if !problems.is_empty() {
            return Err(SettingsError::Invalid { path: self.paths().settings.clone(), problems }.into());
        }
        let loaded = settings_file::change(&self.paths().settings, changes)?;
        Ok(self.adopt(loaded))
    }

    /// Whether these changes can be made; the first thing that is wrong with them is the caller's and not the file's.
    ///
    /// # Errors
    /// When they would make something wrong, or the file cannot be read.
    pub(super) fn check_changes(&self, changes: &[Change]) -> Result<(), EngineError> {
        let (_, problems) = self.preview_settings(changes)?;
        problems.into_iter().next().map_or(Ok(()), |problem| Err(EngineError::Invalid(problem)))
    }

    /// The change that lets a model answer first; the others keep their order behind it.
    ///
    /// # Errors
    /// When the chain in the file has a mistake: it would be lost.
    pub fn first_in_chain(&self, name: &str) -> Result<Change, EngineError> {
        self.check_intact("llm_backends")?;
        let mut chain = vec![name.to_owned()];
        chain.extend(self.settings().llm_backends.into_iter().filter(|known| known != name));
        // The built-in researcher always answers: nobody behind it would ever be asked.
        if let Some(at) = chain.iter().skip(1).position(|known| known == BUILT_IN) {
            let last = chain.remove(at + 1);
            chain.push(last);
        }
        Ok(Change { path: vec!["llm_backends".into()], value: chain.into() })
    }

    /// Refuses to add to a field whose value in the file cannot be used: the default stands in for it, and what is written
    /// would take the place of what the person wrote.
    pub(super) fn check_intact(&self, field: &str) -> Result<(), EngineError> {
        match self.settings_problems().into_iter().find(|problem| problem.field.starts_with(field)) {
            Some(problem) => {
                let (wrong, path) = (settings_file::told::wrong(&problem.wrong), self.paths().settings.display().to_string());
                Err(EngineError::invalid(problem.field, say!("arguments-correct-first", wrong = wrong, path = path)))
            }
            None => Ok(()),
        }
    }

    /// What would be wrong after these changes; nothing is written.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn preview_settings(&self, changes: &[Change]) -> Result<(Settings, Vec<Problem>), EngineError> {
        let (after, mut problems) = settings_file::preview(&self.paths().settings, changes)?;
        problems.extend(self.new_hotkey_problem(&after));
        Ok((after, problems))
    }

    /// What speaks against the hotkey, where it is another one now.
    fn new_hotkey_problem(&self, after: &Settings) -> Option<Problem> {
        let hotkey = &after.desktop.hotkey;
        if *hotkey == self.settings().desktop.hotkey { None } else { hotkey_problem(hotkey) }
    }

    /// Takes in what another program or an editor has written. A file with mistakes is left aside
    /// until they are mended.
    pub fn refresh_settings(&self) {
        let _one_at_a_time = self.inner.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let now = modified(&self.paths().settings);
        let known = *self.inner.read.lock().unwrap_or_else(PoisonError::into_inner);
        if now == known {
            return;
        }
        match settings_file::read(&self.paths().settings, false) {
            Ok(loaded) => {
                self.adopt(loaded);
            }
            Err(error) => tracing::warn!(%error, "the settings file is left aside"),
        }
    }

    /// What is wrong with the settings file as it is now.
    pub fn settings_problems(&self) -> Vec<Problem> {
        match settings_file::read(&self.paths().settings, false) {
            Ok(_) => Vec::new(),
            Err(SettingsError::Invalid { problems, .. }) => problems,
            Err(other) => vec![Problem::told(self.paths().settings.display().to_string(), other.to_string())],
        }
    }

    /// Nothing is asked while a mistake stands where money, keys or privacy are decided: a default might spend or tell
    /// more than was meant.
    pub(super) fn check_mistakes(&self) -> Result<(), EngineError> {
        let harmless = |field: &str| HARMLESS.contains(&field.split(['.', '[']).next().unwrap_or_default());
        let problems: Vec<Problem> = self.mistakes().into_iter().filter(|problem| !harmless(&problem.field)).collect();
        if problems.is_empty() {
            return Ok(());
        }
        Err(SettingsError::Invalid { path: self.paths().settings.clone(), problems }.into())
    }

    fn adopt(&self, mut loaded: Loaded) -> Settings {
        let mistakes = self.settings_problems();
        loaded.settings.network.is_unclear = network_is_unclear(&mistakes);
        store_keys::choose(keys::place(loaded.settings.keys, self.paths()));
        *self.inner.read.lock().unwrap_or_else(PoisonError::into_inner) = modified(&self.paths().settings);
        *self.inner.warnings.write().unwrap_or_else(PoisonError::into_inner) = warnings(&loaded);
        *self.inner.mistakes.write().unwrap_or_else(PoisonError::into_inner) = mistakes;
        let before = std::mem::replace(&mut *self.inner.settings.write().unwrap_or_else(PoisonError::into_inner), loaded.settings.clone());
        if before.documents != loaded.settings.documents || before.ocr != loaded.settings.ocr {
            self.inner.rules_version.fetch_add(1, Ordering::Relaxed);
            self.stop_reading_scans();
            self.watch_anew();
        }
        loaded.settings
    }
}

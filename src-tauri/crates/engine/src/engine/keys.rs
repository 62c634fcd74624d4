//! Keys, as the windows for settings and setup deal with them. No key ever comes back out.

use nexi_core::settings::{KeyPlace, Provider};
use nexi_store::{
    Paths,
    keys::{self, KeyError, KeyringState, Origin, Place},
};
use secrecy::SecretString;
use serde::Serialize;
use ts_rs::TS;

use super::{Engine, blocking};
use crate::{EngineError, wiring};

/// Where a provider's key comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct KeyStatus {
    pub provider: String,
    pub origin: KeyOrigin,
    /// The variable that is looked at first, if any.
    pub variable: Option<String>,
    /// Why it could not be told, as a sentence.
    pub trouble: Option<String>,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyOrigin {
    None,
    Variable,
    Keyring,
    File,
    Session,
}

/// How the place of keys stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct KeysView {
    pub place: KeyPlace,
    pub keyring: KeyringView,
    /// A sentence about the keyring.
    pub message: String,
    /// Whether there is a file with keys.
    pub file_exists: bool,
    /// Whether it has been opened with its passphrase.
    pub file_open: bool,
}

/// How the system's keyring stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyringView {
    Works,
    Locked,
    NoCollection,
    Missing,
    /// It did not answer.
    Silent,
}

/// What the settings say, as the store understands it.
pub(super) fn place(place: KeyPlace, paths: &Paths) -> Place {
    match place {
        KeyPlace::Keyring => Place::Keyring,
        KeyPlace::File => Place::File(paths.keys()),
        KeyPlace::Session => Place::Session,
    }
}

impl Engine {
    /// How the place of keys stands. Takes up to 30 seconds when the keyring asks to be unlocked.
    ///
    /// # Errors
    /// When the engine ends.
    pub async fn keys(&self) -> Result<KeysView, EngineError> {
        let (place, path) = (self.settings().keys, self.paths().keys());
        blocking(move || {
            // A keyring that nobody has chosen is not asked: it might want to be unlocked.
            let probed = if place == KeyPlace::Keyring { keys::probe() } else { Ok(KeyringState::Works) };
            let (keyring, message) = match probed {
                Ok(state) => (view(state), state.message()),
                Err(error) => (KeyringView::Silent, error.to_string()),
            };
            KeysView { place, keyring, message, file_exists: path.exists(), file_open: keys::is_open(&path) }
        })
        .await
    }

    /// Whether keys are in a file that has not been opened yet.
    pub fn keys_are_locked(&self) -> bool {
        let path = self.paths().keys();
        self.settings().keys == KeyPlace::File && path.exists() && !keys::is_open(&path)
    }

    /// Opens the file with the keys, if it is locked, with the passphrase that `NEXI_KEYS_PASSPHRASE_FILE` leads to.
    ///
    /// # Errors
    /// When there is such a passphrase and it does not open the file.
    pub async fn unlock_keys_from_file(&self) -> Result<(), EngineError> {
        if !self.keys_are_locked() {
            return Ok(());
        }
        let path = self.paths().keys();
        let opened = blocking(move || match keys::passphrase_from_file()? {
            Some(passphrase) => keys::unlock(&path, passphrase),
            None => Ok(()),
        });
        Ok(opened.await??)
    }

    /// Where the keys of these providers come from.
    ///
    /// # Errors
    /// When the engine ends.
    pub async fn key_statuses(&self, names: Vec<String>) -> Result<Vec<KeyStatus>, EngineError> {
        let settings = self.settings();
        blocking(move || {
            let status = |name: String| {
                let variable = settings.provider(&name).and_then(|provider| variable(&provider));
                let (origin, trouble) = match keys::origin(settings.key_name(&name), variable.as_deref()) {
                    Ok(origin) => (origin.map_or(KeyOrigin::None, Into::into), None),
                    Err(error) => (KeyOrigin::None, Some(error.to_string())),
                };
                KeyStatus { provider: name, origin, variable, trouble }
            };
            names.into_iter().map(status).collect()
        })
        .await
    }

    /// Keeps a key in the chosen place.
    ///
    /// # Errors
    /// When the key cannot be one, or its place does not take it.
    pub async fn set_key(&self, provider: &str, key: SecretString) -> Result<(), EngineError> {
        let settings = self.settings();
        let name = settings.key_name(provider).to_owned();
        // People think up passwords; services do not put blanks into keys.
        if settings.is_corpus(provider) {
            wiring::check_password(&key)?;
            self.forget_team();
        } else {
            wiring::check_key(&key)?;
        }
        Ok(blocking(move || keys::store(&name, &key)).await??)
    }

    /// Forgets a key. One in an environment variable stays there.
    ///
    /// # Errors
    /// When its place cannot be reached.
    pub async fn remove_key(&self, provider: &str) -> Result<(), EngineError> {
        let name = self.settings().key_name(provider).to_owned();
        Ok(blocking(move || keys::remove(&name)).await??)
    }

    /// Opens the file with the keys, or begins one.
    ///
    /// # Errors
    /// When the passphrase is another one.
    pub async fn unlock_keys(&self, passphrase: SecretString) -> Result<(), EngineError> {
        let path = self.paths().keys();
        Ok(blocking(move || keys::unlock(&path, passphrase)).await??)
    }
}

/// The variable whose key a provider uses.
fn variable(provider: &Provider) -> Option<String> {
    wiring::variable(provider).map(str::to_owned)
}

fn view(state: KeyringState) -> KeyringView {
    match state {
        KeyringState::Works => KeyringView::Works,
        KeyringState::Locked => KeyringView::Locked,
        KeyringState::NoCollection => KeyringView::NoCollection,
        KeyringState::Missing => KeyringView::Missing,
    }
}

impl From<Origin> for KeyOrigin {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Variable => KeyOrigin::Variable,
            Origin::Keyring => KeyOrigin::Keyring,
            Origin::File => KeyOrigin::File,
            Origin::Session => KeyOrigin::Session,
        }
    }
}

impl From<KeyError> for EngineError {
    fn from(error: KeyError) -> Self {
        EngineError::Keys(error)
    }
}

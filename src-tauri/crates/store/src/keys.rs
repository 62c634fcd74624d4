//! Keys: environment variable first, then the system's keyring, or what the person chose in its
//! place. Never in a plain file, a log or a URL.

mod file;

use nexi_messages::say;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

pub use file::{is_open, passphrase_from_file, unlock};

use keyring::{Entry, Error};
use secrecy::{ExposeSecret, SecretString};

/// The name under which keys stand in the keyring.
const SERVICE: &str = "nexi";
/// Unlocking may ask the user, which blocks; the program waits no longer than this.
const KEYRING_TIMEOUT: Duration = Duration::from_secs(30);
/// An entry that is written and removed to see whether the keyring works.
const PROBE: &str = "nexi-probe";

/// How the system's keyring stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyringState {
    /// Keys can be stored.
    Works,
    /// It is there but locked.
    Locked,
    /// It is there but has no collection to put keys in.
    NoCollection,
    /// There is none.
    Missing,
}

impl KeyringState {
    /// What to tell the person.
    pub fn message(self) -> String {
        match self {
            KeyringState::Works => say!("settings-keyring-help.works"),
            KeyringState::Locked => say!("settings-keyring-help.locked"),
            KeyringState::NoCollection => say!("settings-keyring-help.no_collection"),
            KeyringState::Missing => say!("settings-keyring-help.missing"),
        }
    }
}

/// Why a key could not be had or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    Keyring(KeyringState),
    TimedOut,
    FileLocked,
    WrongPassphrase,
    ShortPassphrase { length: usize, shortest: usize },
    DearFile { required: u8 },
    DamagedFile(String),
    LostFile { path: String },
    File(String),
    PassphraseFile { path: String, problem: String },
    NotText(String),
    Other(String),
}

impl std::fmt::Display for KeyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Self::Keyring(state) => state.message(),
            Self::TimedOut => say!("errors-keys.timed_out"),
            Self::FileLocked => say!("errors-keys.file_locked"),
            Self::WrongPassphrase => say!("errors-keys.wrong_passphrase"),
            Self::ShortPassphrase { length, shortest } => say!("errors-keys.short_passphrase", shortest = shortest, length = length),
            Self::DearFile { required } => say!("errors-keys.dear_file", required = *required),
            Self::DamagedFile(what) => say!("errors-keys.damaged_file", what = what),
            Self::LostFile { path } => say!("errors-keys.lost_file", path = path),
            Self::File(what) => say!("errors-keys.file", what = what),
            Self::PassphraseFile { path, problem } => say!("errors-keys.passphrase_file", path = path, problem = problem),
            Self::NotText(what) => say!("errors-keys.not_text", what = what),
            Self::Other(what) => say!("errors-keys.other", what = what),
        })
    }
}

/// Where keys are kept that were entered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Place {
    #[default]
    Keyring,
    /// This file, once it has been opened with [`unlock`].
    File(PathBuf),
    /// Nowhere but in this process.
    Session,
}

/// Where the key of a provider comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Variable,
    Keyring,
    File,
    Session,
}

static PLACE: Mutex<Place> = Mutex::new(Place::Keyring);
static SESSION: Mutex<BTreeMap<String, SecretString>> = Mutex::new(BTreeMap::new());

/// Chooses where keys are kept from now on. What is kept elsewhere stays there.
pub fn choose(place: Place) {
    *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
}

fn place() -> Place {
    PLACE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn session() -> std::sync::MutexGuard<'static, BTreeMap<String, SecretString>> {
    SESSION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keys that are kept out of the log at most, the newest ones.
const MOST_SEEN: usize = 500;
/// Keys that this process has seen, so that they can be kept out of the log.
static SEEN: Mutex<Vec<SecretString>> = Mutex::new(Vec::new());

/// A text without any key that this process has seen.
pub fn without_known(text: &str) -> String {
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = text.to_owned();
    for key in seen.iter().map(|key| key.expose_secret().trim()).filter(|key| key.len() >= 6 && text.contains(key)) {
        out = out.replace(key, "[key]");
    }
    out
}

/// Keeps a secret out of the log from now on.
pub fn keep_out_of_logs(key: &SecretString) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !seen.iter().any(|known| known.expose_secret() == key.expose_secret()) {
        // Tokens are renewed all the time; what was replaced long ago is in no message any more.
        if seen.len() == MOST_SEEN {
            seen.remove(0);
        }
        seen.push(key.clone());
    }
}

/// The key of a provider: from `variable` if it is set, else from the keyring. None when neither
/// has one. Blocks for up to 30 seconds.
///
/// # Errors
/// When the keyring is there but cannot be read. A system without a keyring has no key, which is
/// not an error here.
pub fn find(provider: &str, variable: Option<&str>) -> Result<Option<SecretString>, KeyError> {
    Ok(look_up(provider, variable)?.map(|(key, _)| key).inspect(keep_out_of_logs))
}

/// Where the key of a provider comes from; none if there is none. Blocks for up to 30 seconds.
///
/// # Errors
/// As for [`find`].
pub fn origin(provider: &str, variable: Option<&str>) -> Result<Option<Origin>, KeyError> {
    Ok(look_up(provider, variable)?.map(|(_, origin)| origin))
}

fn look_up(provider: &str, variable: Option<&str>) -> Result<Option<(SecretString, Origin)>, KeyError> {
    match variable.map(|name| (name, std::env::var(name))) {
        Some((_, Ok(key))) if !key.trim().is_empty() => return Ok(Some((key.into(), Origin::Variable))),
        Some((name, Err(std::env::VarError::NotUnicode(_)))) => return Err(KeyError::NotText(name.to_owned())),
        _ => {}
    }
    if let Some(key) = session().get(provider) {
        return Ok(Some((key.clone(), Origin::Session)));
    }
    match place() {
        Place::Keyring => {}
        Place::File(path) => return Ok(file::find(&path, provider)?.map(|key| (key, Origin::File))),
        Place::Session => return Ok(None),
    }
    let account = provider.to_owned();
    match on_own_thread(move || Entry::new(SERVICE, &account)?.get_password()) {
        Ok(key) => Ok(Some((key.into(), Origin::Keyring))),
        Err(Outcome::Keyring(Error::NoEntry | Error::NoDefaultStore)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Keeps a key in the chosen place. Blocks for up to 30 seconds.
///
/// # Errors
/// When that place does not take it.
pub fn store(provider: &str, key: &SecretString) -> Result<(), KeyError> {
    keep_out_of_logs(key);
    match place() {
        Place::Keyring => {}
        Place::File(path) => {
            file::change(&path, provider, Some(key))?;
            session().remove(provider);
            return Ok(());
        }
        Place::Session => {
            session().insert(provider.to_owned(), key.clone());
            return Ok(());
        }
    };
    let (account, secret) = (provider.to_owned(), key.expose_secret().to_owned());
    on_own_thread(move || Entry::new(SERVICE, &account)?.set_password(&secret))?;
    // Only now: what was kept for the session must not be lost when the keyring refuses.
    session().remove(provider);
    Ok(())
}

/// Removes a key; one that is not there is no error. Blocks for up to 30 seconds.
///
/// # Errors
/// When the place of keys cannot be reached.
pub fn remove(provider: &str) -> Result<(), KeyError> {
    session().remove(provider);
    match place() {
        Place::Keyring => {}
        Place::File(path) => return file::change(&path, provider, None),
        Place::Session => return Ok(()),
    }
    let account = provider.to_owned();
    match on_own_thread(move || Entry::new(SERVICE, &account)?.delete_credential()) {
        Err(Outcome::Keyring(Error::NoEntry)) => Ok(()),
        other => Ok(other?),
    }
}

/// Tries the keyring by writing an entry and removing it. Blocks for up to 30 seconds.
///
/// # Errors
/// When it does not answer.
pub fn probe() -> Result<KeyringState, KeyError> {
    let tried = on_own_thread(|| {
        let entry = Entry::new(SERVICE, PROBE)?;
        entry.set_password("probe")?;
        entry.delete_credential()
    });
    match tried {
        Ok(()) => Ok(KeyringState::Works),
        Err(Outcome::Keyring(Error::NoDefaultStore)) => Ok(KeyringState::Missing),
        Err(Outcome::Keyring(Error::NoStorageAccess(_))) => Ok(KeyringState::Locked),
        Err(Outcome::Keyring(Error::PlatformFailure(_))) => Ok(KeyringState::NoCollection),
        Err(other) => Err(other.into()),
    }
}

enum Outcome {
    Keyring(Error),
    TimedOut,
}

impl From<Outcome> for KeyError {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::TimedOut => KeyError::TimedOut,
            Outcome::Keyring(Error::NoDefaultStore) => KeyError::Keyring(KeyringState::Missing),
            Outcome::Keyring(Error::NoStorageAccess(_)) => KeyError::Keyring(KeyringState::Locked),
            Outcome::Keyring(Error::PlatformFailure(_)) => KeyError::Keyring(KeyringState::NoCollection),
            // These two carry the key itself.
            Outcome::Keyring(Error::BadEncoding(_) | Error::BadDataFormat(..)) => KeyError::Other(say!("errors-keyring-no-text")),
            Outcome::Keyring(other) => KeyError::Other(other.to_string()),
        }
    }
}

fn on_own_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Outcome> {
    let (send, receive) = mpsc::channel();
    let spawned = std::thread::Builder::new().name("keyring".into()).spawn(move || {
        let _ = send.send(work());
    });
    if spawned.is_err() {
        return Err(Outcome::TimedOut);
    }
    receive.recv_timeout(KEYRING_TIMEOUT).map_err(|_| Outcome::TimedOut)?.map_err(Outcome::Keyring)
}

//! Keys: environment variable first, then the system's keyring. Never in a file, a log or a URL.

use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use keyring::{Entry, Error};
use secrecy::{ExposeSecret, SecretString};

/// The name under which keys stand in the keyring.
const SERVICE: &str = "nexi";
/// Unlocking may ask the user, which blocks; the program waits no longer than this.
const PATIENCE: Duration = Duration::from_secs(30);
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
    pub fn message(self) -> &'static str {
        match self {
            KeyringState::Works => "Keys are kept in this system's keyring.",
            KeyringState::Locked => "The keyring is locked. Unlock it and try again.",
            KeyringState::NoCollection => {
                "The keyring has no default collection. Open your password manager once and create one, then try again."
            }
            KeyringState::Missing => {
                "This system has no keyring service. Install gnome-keyring or KWallet, or put the key into an environment variable."
            }
        }
    }
}

/// Why a key could not be had or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("{}", .0.message())]
    Keyring(KeyringState),
    #[error("The keyring did not answer within 30 seconds. A question to unlock it may be waiting behind another window.")]
    TimedOut,
    #[error("The keyring refused: {0}")]
    Other(String),
}

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

fn remember(key: &SecretString) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !seen.iter().any(|known| known.expose_secret() == key.expose_secret()) {
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
    let found = look_up(provider, variable)?;
    found.iter().for_each(remember);
    Ok(found)
}

fn look_up(provider: &str, variable: Option<&str>) -> Result<Option<SecretString>, KeyError> {
    if let Some(key) = variable.and_then(|name| std::env::var(name).ok()).filter(|key| !key.trim().is_empty()) {
        return Ok(Some(key.into()));
    }
    let account = provider.to_owned();
    match on_own_thread(move || Entry::new(SERVICE, &account)?.get_password()) {
        Ok(key) => Ok(Some(key.into())),
        Err(Outcome::Keyring(Error::NoEntry | Error::NoDefaultStore)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Keeps a key in the keyring. Blocks for up to 30 seconds.
///
/// # Errors
/// When the keyring does not take it.
pub fn store(provider: &str, key: &SecretString) -> Result<(), KeyError> {
    let (account, secret) = (provider.to_owned(), key.expose_secret().to_owned());
    Ok(on_own_thread(move || Entry::new(SERVICE, &account)?.set_password(&secret))?)
}

/// Removes a key; one that is not there is no error. Blocks for up to 30 seconds.
///
/// # Errors
/// When the keyring cannot be reached.
pub fn remove(provider: &str) -> Result<(), KeyError> {
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
            Outcome::Keyring(Error::BadEncoding(_) | Error::BadDataFormat(..)) => KeyError::Other("what it holds is not text".into()),
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
    receive.recv_timeout(PATIENCE).map_err(|_| Outcome::TimedOut)?.map_err(Outcome::Keyring)
}

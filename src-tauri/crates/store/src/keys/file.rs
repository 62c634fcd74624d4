//! Keys in a file that a passphrase opens, for systems without a keyring. Only a person can choose it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use age::scrypt::{Identity, Recipient};
use secrecy::{ExposeSecret, SecretString};

use super::KeyError;

/// The file as it was opened with its passphrase.
struct Open {
    path: PathBuf,
    passphrase: SecretString,
    keys: BTreeMap<String, SecretString>,
}

static OPEN: Mutex<Option<Open>> = Mutex::new(None);

/// Opens the file, or begins one with this passphrase. Takes about a second: that is what makes
/// guessing slow.
///
/// # Errors
/// When the passphrase is another one, or the file cannot be read or written.
pub fn unlock(path: &Path, passphrase: SecretString) -> Result<(), KeyError> {
    if passphrase.expose_secret().trim().is_empty() {
        return Err(KeyError::Other("the passphrase is empty".into()));
    }
    let keys = match std::fs::read(path) {
        Ok(sealed) => {
            let plain = age::decrypt(&Identity::new(passphrase.clone()), &sealed).map_err(|_| KeyError::WrongPassphrase)?;
            let map: BTreeMap<String, String> =
                serde_json::from_slice(&plain).map_err(|error| KeyError::Other(format!("the file holds something else ({error})")))?;
            map.into_iter().map(|(name, key)| (name, SecretString::from(key))).collect()
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
        Err(error) => return Err(KeyError::Other(error.to_string())),
    };
    let open = Open { path: path.to_path_buf(), passphrase, keys };
    if !path.exists() {
        save(&open.path, &open.passphrase, &open.keys)?;
    }
    *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
    Ok(())
}

/// Whether it has been opened.
pub fn is_open(path: &Path) -> bool {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|open| open.path == path)
}

pub(super) fn find(path: &Path, account: &str) -> Result<Option<SecretString>, KeyError> {
    let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    match open.as_ref().filter(|open| open.path == path) {
        Some(open) => Ok(open.keys.get(account).cloned()),
        None if path.exists() => Err(KeyError::FileLocked),
        None => Ok(None),
    }
}

pub(super) fn change(path: &Path, account: &str, key: Option<&SecretString>) -> Result<(), KeyError> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = open.as_mut().filter(|open| open.path == path).ok_or(KeyError::FileLocked)?;
    let mut keys = open.keys.clone();
    match key {
        Some(key) => keys.insert(account.to_owned(), key.clone()),
        None => keys.remove(account),
    };
    save(&open.path, &open.passphrase, &keys)?;
    open.keys = keys;
    Ok(())
}

fn save(path: &Path, passphrase: &SecretString, keys: &BTreeMap<String, SecretString>) -> Result<(), KeyError> {
    let other = |error: &dyn std::fmt::Display| KeyError::Other(error.to_string());
    let plain: BTreeMap<&str, &str> = keys.iter().map(|(name, key)| (name.as_str(), key.expose_secret())).collect();
    let plain = serde_json::to_vec(&plain).map_err(|error| other(&error))?;
    let sealed = age::encrypt(&Recipient::new(passphrase.clone()), &plain).map_err(|error| other(&error))?;
    crate::paths::write_whole(path, &sealed, true).map_err(|error| other(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_passphrase_opens_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.age");
        assert!(matches!(find(&path, "work"), Ok(None)));
        unlock(&path, "right".to_owned().into()).unwrap();
        change(&path, "work", Some(&"sk-canary-0123456789".to_owned().into())).unwrap();
        assert_eq!(find(&path, "work").unwrap().unwrap().expose_secret(), "sk-canary-0123456789");
        let sealed = std::fs::read(&path).unwrap();
        assert!(!sealed.windows(9).any(|window| window == b"sk-canary"));
        *OPEN.lock().unwrap() = None;
        assert!(matches!(find(&path, "work"), Err(KeyError::FileLocked)));
        assert!(matches!(change(&path, "work", None), Err(KeyError::FileLocked)));
        assert!(matches!(unlock(&path, "wrong".to_owned().into()), Err(KeyError::WrongPassphrase)));
        assert!(unlock(&path, " ".to_owned().into()).is_err());
        unlock(&path, "right".to_owned().into()).unwrap();
        assert_eq!(find(&path, "work").unwrap().unwrap().expose_secret(), "sk-canary-0123456789");
    }
}

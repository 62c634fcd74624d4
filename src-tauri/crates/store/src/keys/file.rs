//! Keys in a file that a passphrase opens, for systems without a keyring. Only a person can choose it.
//!
//! Several processes may have it open: each change reads it again first, and a process that finds it changed since
//! opens it again with the passphrase that it was given.

use nexi_messages::say;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use age::{
    DecryptError,
    scrypt::{Identity, Recipient},
};
use secrecy::{ExposeSecret, SecretString};

use super::KeyError;

/// What guessing one passphrase costs, as a power of two: 128 MiB and some tenths of a second. Fixed, as a busy
/// machine would measure a cheaper one.
const WORK: u8 = 17;
/// The dearest file that is opened: one that was made elsewhere, at most.
const MOST_WORK: u8 = 22;
/// Characters of a new passphrase. Older files may have shorter ones.
const SHORTEST: usize = 8;

/// How long a change waits for others, each of which takes about as long as guessing one passphrase twice.
const LOCK_TIMEOUT: Duration = Duration::from_secs(60);

type Keys = BTreeMap<String, SecretString>;

/// The file as it was opened with its passphrase.
struct Open {
    path: PathBuf,
    passphrase: SecretString,
    /// As it was on the disk.
    sealed: Vec<u8>,
    keys: Keys,
}

static OPEN: Mutex<Option<Open>> = Mutex::new(None);

/// Opens the file, or begins one with this passphrase. Takes a good part of a second: that is what makes
/// guessing slow.
///
/// # Errors
/// When the passphrase is another one or too short for a new file, or the file is damaged or cannot be read or
/// written.
pub fn unlock(path: &Path, passphrase: SecretString) -> Result<(), KeyError> {
    let _turn = crate::files::lock_for_change(path, LOCK_TIMEOUT).map_err(file_error)?;
    let (sealed, keys) = match read(path)? {
        Some(sealed) => {
            let keys = unseal(&sealed, &passphrase)?;
            (sealed, keys)
        }
        None => {
            let length = passphrase.expose_secret().trim().chars().count();
            if length < SHORTEST {
                return Err(KeyError::ShortPassphrase { length, shortest: SHORTEST });
            }
            (save(path, &passphrase, &Keys::new())?, Keys::new())
        }
    };
    *OPEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Open { path: path.to_path_buf(), passphrase, sealed, keys });
    Ok(())
}

/// The passphrase in the file that the variable `NEXI_KEYS_PASSPHRASE_FILE` names, for programs that nobody sits in
/// front of; none where it is not set. The first line counts.
///
/// # Errors
/// When the file cannot be read, is empty, or others than its owner may read it.
pub fn passphrase_from_file() -> Result<Option<SecretString>, KeyError> {
    let Some(path) = std::env::var_os("NEXI_KEYS_PASSPHRASE_FILE").filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(None);
    };
    let wrong = |problem: String| KeyError::PassphraseFile { path: path.display().to_string(), problem };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open_to_others = std::fs::metadata(&path).is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o077 != 0);
        if open_to_others {
            return Err(wrong(say!("errors-passphrase.open", path = path.display().to_string())));
        }
    }
    let text = beginning(path.clone()).ok_or_else(|| wrong(say!("errors-passphrase.nothing")))?;
    let text = text.map_err(|error| wrong(say!("errors-passphrase.unreadable", why = error.to_string())))?;
    match text.lines().next().map(str::trim).filter(|line| !line.is_empty()) {
        Some(line) => Ok(Some(SecretString::from(line.to_owned()))),
        None => Err(wrong(say!("errors-passphrase.empty"))),
    }
}

/// Bytes of a file that a passphrase may take.
const MAX_PASSPHRASE: u64 = 4096;
/// How long a pipe may take to be written into.
const PIPE: Duration = Duration::from_secs(5);

/// The beginning of a file; none where it is a pipe that nobody writes into. A file may be without end.
fn beginning(path: PathBuf) -> Option<std::io::Result<String>> {
    let (told, answer) = std::sync::mpsc::channel();
    let read = move || {
        let mut text = String::new();
        let result = std::fs::File::open(&path).and_then(|file| file.take(MAX_PASSPHRASE).read_to_string(&mut text));
        let _ = told.send(result.map(|_| text));
    };
    std::thread::spawn(read);
    answer.recv_timeout(PIPE).ok()
}

/// Whether it has been opened.
pub fn is_open(path: &Path) -> bool {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|open| open.path == path)
}

pub(super) fn find(path: &Path, account: &str) -> Result<Option<SecretString>, KeyError> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    match open.as_mut().filter(|open| open.path == path) {
        Some(open) => {
            open.refresh()?;
            Ok(open.keys.get(account).cloned())
        }
        None if path.exists() => Err(KeyError::FileLocked),
        None => Ok(None),
    }
}

pub(super) fn change(path: &Path, account: &str, key: Option<&SecretString>) -> Result<(), KeyError> {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let open = open.as_mut().filter(|open| open.path == path).ok_or(KeyError::FileLocked)?;
    let _turn = crate::files::lock_for_change(path, LOCK_TIMEOUT).map_err(file_error)?;
    open.refresh()?;
    let mut keys = open.keys.clone();
    match key {
        Some(key) => keys.insert(account.to_owned(), key.clone()),
        None => keys.remove(account),
    };
    open.sealed = save(&open.path, &open.passphrase, &keys)?;
    open.keys = keys;
    Ok(())
}

impl Open {
    /// Takes in what another process has written since. Nothing of ours ever takes the file away or empties it: where that
    /// happened the keys are somewhere else, and a new file would seal their loss.
    fn refresh(&mut self) -> Result<(), KeyError> {
        let sealed = read(&self.path)?.unwrap_or_default();
        if sealed.is_empty() && !self.keys.is_empty() {
            return Err(KeyError::LostFile { path: self.path.display().to_string() });
        }
        if sealed != self.sealed {
            self.keys = if sealed.is_empty() { Keys::new() } else { unseal(&sealed, &self.passphrase)? };
            self.sealed = sealed;
        }
        Ok(())
    }
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, KeyError> {
    match std::fs::read(path) {
        Ok(sealed) => Ok(Some(sealed)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(error)),
    }
}

fn unseal(sealed: &[u8], passphrase: &SecretString) -> Result<Keys, KeyError> {
    let mut identity = Identity::new(passphrase.clone());
    identity.set_max_work_factor(MOST_WORK);
    let plain = age::decrypt(&identity, sealed).map_err(|error| match error {
        DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed | DecryptError::NoMatchingKeys => KeyError::WrongPassphrase,
        DecryptError::ExcessiveWork { required, .. } => KeyError::DearFile { required },
        other => KeyError::DamagedFile(other.to_string()),
    })?;
    let map: BTreeMap<String, String> =
        serde_json::from_slice(&plain).map_err(|_| KeyError::DamagedFile(say!("errors-no-keys-in-file")))?;
    Ok(map.into_iter().map(|(name, key)| (name, SecretString::from(key))).collect())
}

/// Writes the file; what stands on the disk then.
fn save(path: &Path, passphrase: &SecretString, keys: &Keys) -> Result<Vec<u8>, KeyError> {
    let other = |error: &dyn std::fmt::Display| KeyError::Other(error.to_string());
    let plain: BTreeMap<&str, &str> = keys.iter().map(|(name, key)| (name.as_str(), key.expose_secret())).collect();
    let plain = serde_json::to_vec(&plain).map_err(|error| other(&error))?;
    let mut recipient = Recipient::new(passphrase.clone());
    recipient.set_work_factor(WORK);
    let sealed = age::encrypt(&recipient, &plain).map_err(|error| other(&error))?;
    crate::files::write_atomically(path, &sealed, true).map_err(file_error)?;
    Ok(sealed)
}

fn file_error(error: std::io::Error) -> KeyError {
    KeyError::File(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opened file is one for the whole process.
    static ALONE: Mutex<()> = Mutex::new(());

    #[test]
    fn each_failure_has_words_of_its_own() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.age");
        let short = unlock(&path, "seven 7".to_owned().into());
        assert_eq!(short, Err(KeyError::ShortPassphrase { length: 7, shortest: 8 }));
        assert!(!path.exists());
        unlock(&path, "long enough".to_owned().into()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let header = String::from_utf8_lossy(&whole[..120]).into_owned();
        assert!(header.contains(" 17\n"), "the cost is fixed: {header}");
        for damage in [&whole[..whole.len() / 2], b"something else"] {
            std::fs::write(&path, damage).unwrap();
            assert!(matches!(unlock(&path, "long enough".to_owned().into()), Err(KeyError::DamagedFile(_))));
        }
        // A short passphrase of an earlier version still opens its file.
        let mut cheap = Recipient::new("abc".to_owned().into());
        cheap.set_work_factor(4);
        std::fs::write(&path, age::encrypt(&cheap, b"{\"work\":\"sk-canary-9876543210\"}").unwrap()).unwrap();
        unlock(&path, "abc".to_owned().into()).unwrap();
        assert_eq!(find(&path, "work").unwrap().unwrap().expose_secret(), "sk-canary-9876543210");
        let mut dear = Recipient::new("long enough".to_owned().into());
        dear.set_work_factor(WORK);
        std::fs::write(&path, String::from_utf8_lossy(&whole).replace(" 17\n", " 30\n").as_bytes()).unwrap();
        let refused = unlock(&path, "long enough".to_owned().into());
        assert!(matches!(refused, Err(KeyError::DearFile { .. } | KeyError::DamagedFile(_))), "{refused:?}");
        #[cfg(unix)]
        {
            std::fs::remove_file(&path).unwrap();
            std::fs::create_dir(&path).unwrap();
            assert!(matches!(unlock(&path, "long enough".to_owned().into()), Err(KeyError::File(_))));
        }
    }

    #[test]
    fn what_another_process_has_stored_is_not_lost() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.age");
        let passphrase = || SecretString::from("the right one".to_owned());
        unlock(&path, passphrase()).unwrap();
        change(&path, "mine", Some(&"sk-canary-1".to_owned().into())).unwrap();
        let other: Keys =
            [("mine", "sk-canary-1"), ("theirs", "sk-canary-2")].map(|(name, key)| (name.to_owned(), key.to_owned().into())).into();
        save(&path, &passphrase(), &other).unwrap();
        assert_eq!(find(&path, "theirs").unwrap().unwrap().expose_secret(), "sk-canary-2");
        save(&path, &passphrase(), &other.into_iter().chain([("last".to_owned(), "sk-canary-3".to_owned().into())]).collect()).unwrap();
        change(&path, "mine", None).unwrap();
        assert!(find(&path, "mine").unwrap().is_none());
        assert_eq!(find(&path, "last").unwrap().unwrap().expose_secret(), "sk-canary-3");
    }

    #[test]
    fn a_file_that_is_gone_is_not_begun_anew() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.age");
        unlock(&path, "the right one".to_owned().into()).unwrap();
        change(&path, "work", Some(&"sk-canary-1".to_owned().into())).unwrap();
        let sealed = std::fs::read(&path).unwrap();
        for lost in [|path: &Path| std::fs::remove_file(path).unwrap(), |path: &Path| std::fs::write(path, "").unwrap()] {
            lost(&path);
            let refused = change(&path, "other", Some(&"sk-canary-2".to_owned().into()));
            assert!(matches!(refused, Err(KeyError::LostFile { .. })), "{refused:?}");
            std::fs::write(&path, &sealed).unwrap();
        }
        change(&path, "other", Some(&"sk-canary-2".to_owned().into())).unwrap();
        assert_eq!(find(&path, "work").unwrap().unwrap().expose_secret(), "sk-canary-1");
    }

    #[test]
    fn only_the_passphrase_opens_it() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.age");
        assert!(matches!(find(&path, "work"), Ok(None)));
        unlock(&path, "the right one".to_owned().into()).unwrap();
        change(&path, "work", Some(&"sk-canary-0123456789".to_owned().into())).unwrap();
        assert_eq!(find(&path, "work").unwrap().unwrap().expose_secret(), "sk-canary-0123456789");
        let sealed = std::fs::read(&path).unwrap();
        assert!(!sealed.windows(9).any(|window| window == b"sk-canary"));
        *OPEN.lock().unwrap() = None;
        assert!(matches!(find(&path, "work"), Err(KeyError::FileLocked)));
        assert!(matches!(change(&path, "work", None), Err(KeyError::FileLocked)));
        assert!(matches!(unlock(&path, "the wrong one".to_owned().into()), Err(KeyError::WrongPassphrase)));
        unlock(&path, "the right one".to_owned().into()).unwrap();
        assert_eq!(find(&path, "work").unwrap().unwrap().expose_secret(), "sk-canary-0123456789");
    }
}

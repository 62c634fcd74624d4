//! Settings and keys that several processes change at the same time: what was acknowledged is there.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nexi_store::keys::{self, Place};
use nexi_store::settings_file::{Change, SettingsError, change, read};
use secrecy::ExposeSecret;

const PROCESSES: usize = 8;
const CHANGES: usize = 125;
/// Each of them costs what guessing a passphrase costs, twice.
const KEYS: usize = 2;
const PASSPHRASE: &str = "correct horse";

/// The settings file, and the number of the process, in the processes that the tests start.
fn task() -> Option<(PathBuf, usize)> {
    let folder = std::env::var_os("NEXI_WRITER_FOLDER")?;
    let number = std::env::var("NEXI_WRITER").ok()?.parse().ok()?;
    Some((folder.into(), number))
}

fn start(inner: &str, folder: &Path) -> Vec<Child> {
    let start = |number: usize| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", inner, "--ignored"])
            .env("NEXI_WRITER_FOLDER", folder)
            .env("NEXI_WRITER", number.to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    (0..PROCESSES).map(start).collect()
}

#[test]
fn eight_processes_lose_no_setting() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, "# mine\nmax_context = 64000 # enough\n").unwrap();
    let mut children = start("inner_settings", folder.path());
    // Whoever reads meanwhile finds it whole and valid.
    let mut looks = 0;
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        read(&file, true).unwrap_or_else(|error| panic!("after {looks} looks: {error}"));
        looks += 1;
    }
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let settings = read(&file, true).unwrap().settings;
    assert_eq!(settings.models.len(), PROCESSES * CHANGES);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# mine\nmax_context = 64000 # enough\n"));
    let mut left: Vec<String> =
        std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    left.sort();
    assert_eq!(left, [".config.toml.lock", "config.toml"], "no draft is left");
}

#[test]
#[ignore = "run by the test above in processes of their own"]
fn inner_settings() {
    let Some((folder, number)) = task() else { return };
    for index in 0..CHANGES {
        let path = ["models".to_owned(), format!("model-{number}-{index}"), "context".to_owned()].to_vec();
        let change = || change(&folder.join("config.toml"), &[Change { path: path.clone(), value: 32000.into() }]);
        let is_refused =
            |error: &SettingsError| matches!(error, SettingsError::File { source, .. } if source.kind() == ErrorKind::WouldBlock);
        // A change that was refused because others were writing was not acknowledged, and is made again.
        let mut done = change();
        while done.as_ref().is_err_and(is_refused) {
            done = change();
        }
        done.unwrap();
    }
}

#[test]
fn eight_processes_lose_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.age");
    keys::unlock(&file, PASSPHRASE.into()).unwrap();
    keys::choose(Place::File(file));
    for mut child in start("inner_keys", folder.path()) {
        assert!(child.wait().unwrap().success());
    }
    for number in 0..PROCESSES {
        for index in 0..KEYS {
            let key = keys::find(&format!("service-{number}-{index}"), None).unwrap().expect("a key that was stored");
            assert_eq!(key.expose_secret(), format!("sk-canary-{number}-{index}"));
        }
    }
}

#[test]
#[ignore = "run by the test above in processes of their own"]
fn inner_keys() {
    let Some((folder, number)) = task() else { return };
    let file = folder.join("keys.age");
    keys::unlock(&file, PASSPHRASE.into()).unwrap();
    keys::choose(Place::File(file));
    for index in 0..KEYS {
        keys::store(&format!("service-{number}-{index}"), &format!("sk-canary-{number}-{index}").into()).unwrap();
    }
}

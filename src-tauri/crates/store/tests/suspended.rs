//! A process that is suspended (Ctrl+Z) in the middle of a change: others learn of it at once and lose nothing.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::protocol::{Effort, Mode};
use nexi_store::history::NewTurn;
use nexi_store::settings_file::{Change, change};
use nexi_store::{History, StoreError, files};

/// Without a look at who is suspended it would be five seconds at least.
const SOON: Duration = Duration::from_secs(3);

const QUESTION: NewTurn<'static> = NewTurn {
    thread: None,
    question: "Where is the ferry?",
    effort: Effort::S,
    mode: Mode::Quick,
    model: "m",
    asked_ms: 5,
    after: None,
    space: None,
    first: None,
};

/// A process that has begun a change of this kind and was suspended; ended when dropped.
struct Suspended(Child, PathBuf);

/// In this folder a file of this name says that the suspended process may go on.
const GO_ON: &str = "go-on";

impl Suspended {
    fn in_the_middle_of(kind: &str, folder: &Path) -> Self {
        let go_on = folder.join(GO_ON);
        let _ = std::fs::remove_file(&go_on);
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "inner", "--ignored"])
            .envs([("NEXI_SUSPENDED_FOLDER", folder.as_os_str()), ("NEXI_SUSPENDED_KIND", kind.as_ref())])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        while !state().rsplit(')').next().unwrap().trim_start().starts_with('T') {
            std::thread::sleep(Duration::from_millis(10));
        }
        Self(child, go_on)
    }

    fn goes_on(mut self) {
        std::fs::write(&self.1, "").unwrap();
        Command::new("kill").args(["-CONT", &self.0.id().to_string()]).status().unwrap();
        assert!(self.0.wait().unwrap().success());
    }
}

impl Drop for Suspended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A process looks at all databases that it has open, so that these tests would see each other's.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn others_are_told_at_once_and_go_on_when_it_does() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let (database, config) = (folder.path().join("nexi.db"), folder.path().join("config.toml"));
    let history = History::open(&database).unwrap();
    let set = || change(&config, &[Change { path: vec!["max_context".into()], value: 64000.into() }]);

    let other = Suspended::in_the_middle_of("library", folder.path());
    let begun = Instant::now();
    let refused = history.begin_turn(&QUESTION).unwrap_err();
    assert!(matches!(&refused, StoreError::Suspended { pid } if *pid == other.0.id()), "{refused}");
    assert!(refused.to_string().contains("kill -CONT") && begun.elapsed() < SOON, "{refused} after {:?}", begun.elapsed());
    assert!(history.threads(9).unwrap().is_empty(), "reading goes on all the same");
    other.goes_on();
    history.begin_turn(&QUESTION).unwrap();

    let other = Suspended::in_the_middle_of("settings", folder.path());
    let begun = Instant::now();
    let refused = set().unwrap_err().to_string();
    assert!(refused.contains("was suspended") && begun.elapsed() < SOON, "{refused} after {:?}", begun.elapsed());
    other.goes_on();
    set().unwrap();

    let other = Suspended::in_the_middle_of("opening", folder.path());
    let begun = Instant::now();
    let refused = History::open(&database).map(|_| ()).unwrap_err();
    assert!(matches!(refused, StoreError::Suspended { .. }) && begun.elapsed() < SOON, "{refused} after {:?}", begun.elapsed());
    other.goes_on();
    assert_eq!(History::open(&database).unwrap().threads(9).unwrap().len(), 1);
}

#[test]
fn one_that_only_reads_is_in_nobodys_way() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("nexi.db");
    let history = History::open(&database).unwrap();
    let idle = Suspended::in_the_middle_of("reading", folder.path());
    // Somebody else is at work for longer than it takes to look at who is in the way.
    let writer = rusqlite::Connection::open(&database).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    let working = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        writer.execute_batch("COMMIT").unwrap();
    });
    history.begin_turn(&QUESTION).unwrap();
    working.join().unwrap();
    idle.goes_on();
}

#[test]
#[ignore = "run by the test above in processes of their own"]
fn inner() {
    let Some(folder) = std::env::var_os("NEXI_SUSPENDED_FOLDER") else { return };
    let folder = Path::new(&folder);
    let suspend = || {
        Command::new("kill").args(["-STOP", &std::process::id().to_string()]).status().unwrap();
        // The signal stops the first thread, and this one may be a few steps ahead of it.
        while !folder.join(GO_ON).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    match std::env::var("NEXI_SUSPENDED_KIND").unwrap().as_str() {
        "library" => {
            let connection = rusqlite::Connection::open(folder.join("nexi.db")).unwrap();
            connection.execute_batch("BEGIN IMMEDIATE").unwrap();
            suspend();
            connection.execute_batch("COMMIT").unwrap();
        }
        "reading" => {
            let history = History::open(&folder.join("nexi.db")).unwrap();
            history.threads(9).unwrap();
            suspend();
        }
        "settings" => {
            let _turn = files::lock_for_change(&folder.join("config.toml"), files::LOCK_TIMEOUT).unwrap();
            suspend();
        }
        _ => {
            let lock = std::fs::File::options().create(true).truncate(false).write(true).open(folder.join("locks/nexi.db")).unwrap();
            lock.lock().unwrap();
            suspend();
        }
    }
}

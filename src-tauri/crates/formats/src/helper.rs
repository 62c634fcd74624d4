//! The program that is started to read documents, and to limit the programs of others.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// What this build reads documents with: only programs with the same may stand in for each other.
const FINGERPRINT: &str = env!("NEXI_FORMATS_FINGERPRINT");
/// The argument that has a program say its fingerprint.
const ARGUMENT: &str = "--nexi-reader-of";
/// The command line, which lies beside the window where a package of a system put both.
const COMMAND_LINE: &str = "nexi";
/// How long another program may take to answer.
const ANSWERING: Duration = Duration::from_secs(2);

static OWN: OnceLock<PathBuf> = OnceLock::new();
/// The command line beside this program, as it was when it was asked, and whether it reads documents in the same way.
static ASKED: Mutex<Option<(SystemTime, bool)>> = Mutex::new(None);

/// Remembers that this program can be started as a reader; says so and ends where it was started to be asked.
pub(crate) fn offer() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|argument| argument == ARGUMENT) {
        std::process::exit(i32::from(arguments.next().is_none_or(|asked| asked != FINGERPRINT)));
    }
    if let Ok(program) = std::env::current_exe() {
        let _ = OWN.set(program);
    }
}

/// The program to start, where this one offers to be one. A window takes a tenth of a second for all that it is linked
/// with, so its documents are read by the command line where that is beside it and reads them in the same way.
pub(crate) fn program() -> Option<PathBuf> {
    let own = OWN.get()?;
    Some(quicker(own, &ASKED).unwrap_or_else(|| own.clone()))
}

fn quicker(own: &Path, asked: &Mutex<Option<(SystemTime, bool)>>) -> Option<PathBuf> {
    let beside = own.with_file_name(format!("{COMMAND_LINE}{}", std::env::consts::EXE_SUFFIX));
    if beside == own {
        return None;
    }
    let modified = std::fs::metadata(&beside).ok().filter(Metadata::is_file)?.modified().ok()?;
    let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, reads_the_same) = match *asked {
        Some(known) if known.0 == modified => known,
        // An update has put another one there.
        _ => *asked.insert((modified, reads_the_same(&beside))),
    };
    reads_the_same.then_some(beside)
}

/// A program of the console, started by a window, opens none of its own.
pub(crate) fn hide_console(command: &mut Command) {
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x0800_0000);
    #[cfg(not(windows))]
    let _ = command;
}

/// Whether a program says that it reads documents as this one does.
fn reads_the_same(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.args([ARGUMENT, FINGERPRINT]).env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    hide_console(&mut command);
    let Ok(mut child) = command.spawn() else { return false };
    let started = Instant::now();
    while started.elapsed() < ANSWERING {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(_) => return false,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A folder with a window's program, and a command line that does this.
    fn beside(script: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let command_line = folder.path().join(COMMAND_LINE);
        std::fs::write(&command_line, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&command_line, std::fs::Permissions::from_mode(0o755)).unwrap();
        let window = folder.path().join("nexi-desktop");
        (folder, window)
    }

    /// A program that is being written cannot be started, also where only a process that another test has just forked
    /// still holds the file.
    static ALONE: Mutex<()> = Mutex::new(());

    #[test]
    fn only_a_command_line_that_reads_the_same_stands_in() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let quicker = |own: &Path| super::quicker(own, &Mutex::default());
        let right = format!("[ \"$1\" = {ARGUMENT} ] && [ \"$2\" = {FINGERPRINT} ]");
        let (_folder, window) = beside(&right);
        let command_line = window.with_file_name(COMMAND_LINE);
        assert_eq!(quicker(&window), Some(command_line.clone()));
        assert_eq!(quicker(&command_line), None, "itself");
        for other in ["exit 1", "kill -9 $$", "sleep 60"] {
            let (_folder, window) = beside(other);
            assert_eq!(quicker(&window), None, "{other}");
        }
        let alone = tempfile::tempdir().unwrap();
        assert_eq!(quicker(&alone.path().join("nexi-desktop")), None);
    }

    #[test]
    fn one_that_was_replaced_is_asked_again() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = Mutex::default();
        let (folder, window) = beside("exit 1");
        assert_eq!(quicker(&window, &asked), None);
        let command_line = folder.path().join(COMMAND_LINE);
        std::fs::write(&command_line, "#!/bin/sh\nexit 0\n").unwrap();
        let later = SystemTime::now() + Duration::from_secs(5);
        std::fs::File::options().write(true).open(&command_line).unwrap().set_modified(later).unwrap();
        assert_eq!(quicker(&window, &asked), Some(command_line.clone()));
        std::fs::remove_file(&command_line).unwrap();
        assert_eq!(quicker(&window, &asked), None, "it is gone");
    }
}

//! Programs of others that read documents, such as those of Poppler and Tesseract, run with limits.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::helper;

/// The argument that turns a program into one that limits itself and becomes another; see [`crate::serve`].
pub(crate) const ARGUMENT: &str = "--nexi-run-limited";
/// Memory that such a program may have, in bytes.
const MEMORY: u64 = 1024 * 1024 * 1024;
/// Bytes of a file that it may write; caches of fonts are among them.
const WRITTEN: u64 = 256 * 1024 * 1024;
/// Processor time that it may use, in seconds.
const SECONDS: u64 = 30;
/// How long it is waited for.
const TOOL_WAIT: Duration = Duration::from_secs(SECONDS + 5);

/// A program with its arguments.
#[derive(Debug, Clone)]
pub struct Limited {
    program: OsString,
    arguments: Vec<OsString>,
    /// Bytes of output that are taken.
    most: u64,
}

impl Limited {
    /// A program of this name, of whose output so many bytes are taken.
    pub fn new(program: &str, most: u64) -> Self {
        Self { program: program.into(), arguments: Vec::new(), most }
    }

    /// Adds arguments.
    pub fn arguments<A: AsRef<OsStr>>(&mut self, arguments: impl IntoIterator<Item = A>) {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
    }
}

/// Whether a program is on the path.
pub fn is_installed(program: &str) -> bool {
    find(program).is_some()
}

fn find(program: &str) -> Option<PathBuf> {
    let names = [program.to_owned(), format!("{program}{}", std::env::consts::EXE_SUFFIX)];
    std::env::split_paths(&std::env::var_os("PATH")?)
        .flat_map(|folder| names.clone().map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

/// Runs a program and returns what it wrote; none where it is not there, failed, took too long or wrote too much. Blocks.
pub fn limited(command: &Limited) -> Option<Vec<u8>> {
    let program = find(command.program.to_str()?)?;
    let mut started = match helper::program() {
        // It limits itself first.
        Some(helper) if cfg!(unix) => {
            let mut started = Command::new(helper);
            started.arg(ARGUMENT).arg(program);
            started
        }
        _ => Command::new(program),
    };
    // It needs no keys, and nothing of the settings of anybody.
    started.env_clear();
    for name in ["PATH", "LANG", "LC_ALL", "TESSDATA_PREFIX"] {
        if let Some(value) = std::env::var_os(name) {
            started.env(name, value);
        }
    }
    // Threads of Tesseract wait for each other more than they gain.
    started.env("OMP_THREAD_LIMIT", "1");
    started.args(&command.arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    helper::hide_console(&mut started);
    let mut child = started.spawn().ok()?;
    let output = child.stdout.take()?;
    let most = command.most;
    let reading = std::thread::spawn(move || {
        let mut out = Vec::new();
        output.take(most + 1).read_to_end(&mut out).ok().filter(|_| out.len() as u64 <= most).map(|_| out)
    });
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if begun.elapsed() < TOOL_WAIT && !(reading.is_finished() && begun.elapsed() > TOOL_WAIT / 2) => {
                std::thread::sleep(Duration::from_millis(5));
            }
            _ => break None,
        }
    };
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let out = reading.join().ok().flatten();
    out.filter(|_| status.is_some_and(|status| status.success()))
}

/// Limits this process and becomes the program of the arguments.
#[cfg(unix)]
pub(crate) fn become_limited(mut arguments: impl Iterator<Item = OsString>) -> ! {
    use std::os::unix::process::CommandExt;
    let Some(program) = arguments.next() else { std::process::exit(1) };
    let _ = rlimit::setrlimit(rlimit::Resource::DATA, MEMORY, MEMORY);
    let _ = rlimit::setrlimit(rlimit::Resource::CPU, SECONDS, SECONDS);
    let _ = rlimit::setrlimit(rlimit::Resource::FSIZE, WRITTEN, WRITTEN);
    let _ = Command::new(program).args(arguments).exec();
    std::process::exit(1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn output_is_taken_up_to_a_limit() {
        let run = |arguments: &[&str], most: u64| {
            let mut command = Limited::new("echo", most);
            command.arguments(arguments);
            limited(&command)
        };
        assert_eq!(run(&["hello"], 100).as_deref(), Some(&b"hello\n"[..]));
        assert_eq!(run(&["hello"], 3), None);
        assert!(limited(&Limited::new("no-such-program-at-all", 10)).is_none() && !is_installed("no-such-program-at-all"));
        assert!(limited(&Limited::new("false", 10)).is_none());
    }
}

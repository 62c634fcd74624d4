//! The process between Nexi and what it starts.
//!
//! It holds the pipe from Nexi. When that closes, because the work is done or because Nexi was killed, it ends whatever
//! it started and all that came of it: on Linux orphans become its own children, elsewhere they share its group or job.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use nexi_core::ports::ToolCause;

/// The argument that turns a program into a supervisor; see [`serve`].
const ARGUMENT: &str = "--nexi-supervise";
/// How long a program has to end by itself once its input is closed.
const GRACE: Duration = Duration::from_secs(2);
/// How long it has after it was told to end.
const TERM: Duration = Duration::from_millis(300);
/// The code that shells use for a program that is not there.
pub(crate) const NOT_FOUND: i32 = 127;

static SELF: OnceLock<PathBuf> = OnceLock::new();

/// How the input of the program comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputMode {
    /// Everything that Nexi writes.
    All,
    /// As many bytes as the first line says; the pipe stays open behind them.
    Counted,
}

impl InputMode {
    fn as_str(self) -> &'static str {
        match self {
            InputMode::All => "all",
            InputMode::Counted => "counted",
        }
    }
}

/// Call this early in `main`: it makes the program a supervisor when it was started as one, and else remembers that it
/// can be.
pub fn serve() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|argument| argument == ARGUMENT) {
        let mode = if arguments.next().is_some_and(|mode| mode == "counted") { InputMode::Counted } else { InputMode::All };
        let Some(program) = arguments.next() else { std::process::exit(NOT_FOUND) };
        std::process::exit(supervise(mode, &program, arguments.collect()));
    }
    if let Ok(program) = std::env::current_exe() {
        let _ = SELF.set(program);
    }
}

/// The program to start in place of this one, and what comes before its own name; none where there is no supervisor.
pub(crate) fn program(mode: InputMode) -> Option<(&'static Path, [&'static str; 2])> {
    SELF.get().map(|program| (program.as_path(), [ARGUMENT, mode.as_str()]))
}

/// What the supervisor writes before its own words on the standard error of what it could not start.
const TOLD: &str = "nexi-supervisor:";

/// Why a program did not start.
pub(crate) fn not_started(program: &str, error: &std::io::Error) -> ToolCause {
    let program = program.to_owned();
    match error.kind() {
        std::io::ErrorKind::NotFound => ToolCause::NotFound { program },
        _ => ToolCause::NotStarted { program, message: error.to_string() },
    }
}

/// What a supervisor has told of a program that did not start; none where `said` is of somebody else.
pub(crate) fn told(said: &str) -> Option<ToolCause> {
    serde_json::from_str(said.strip_prefix(TOLD)?).ok()
}

enum Happened {
    /// Nexi has closed its end, or is gone.
    Closed,
    /// The program ended with this code.
    Ended(i32),
}

fn supervise(mode: InputMode, program: &OsString, arguments: Vec<OsString>) -> i32 {
    #[cfg(windows)]
    let program = &platform::found(program);
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    platform::prepare(&mut command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            let why = not_started(&program.to_string_lossy(), &error);
            eprintln!("{TOLD}{}", serde_json::to_string(&why).unwrap_or_default());
            return NOT_FOUND;
        }
    };
    // Unbounded: at most two things happen, and what is written must be taken from Nexi even while the program reads nothing,
    // or the end of the pipe would not be seen.
    let (happened, events) = channel();
    if let Some(input) = child.stdin.take() {
        let closed = happened.clone();
        let (pieces, written) = channel();
        // A program that reads no more must not keep the end of the pipe from being seen.
        std::thread::spawn(move || write_all(&written, input));
        std::thread::spawn(move || {
            pass_on(mode, &pieces);
            let _ = closed.send(Happened::Closed);
        });
    }
    let id = child.id();
    platform::watch(child, happened);
    let code = wait(&events);
    platform::end_all(id);
    code
}

fn wait(events: &Receiver<Happened>) -> i32 {
    match events.recv() {
        Ok(Happened::Ended(code)) => code,
        Ok(Happened::Closed) => match events.recv_timeout(GRACE) {
            Ok(Happened::Ended(code)) => code,
            Ok(Happened::Closed) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => 0,
        },
        Err(_) => 0,
    }
}

/// Writes what comes, until nothing more can.
fn write_all(pieces: &Receiver<Vec<u8>>, mut input: ChildStdin) {
    for piece in pieces {
        if piece.is_empty() || input.write_all(&piece).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Passes on what Nexi writes; returns when the pipe from Nexi is closed.
fn pass_on(mode: InputMode, pieces: &Sender<Vec<u8>>) {
    let mut from = std::io::stdin().lock();
    let mut left = match mode {
        InputMode::All => u64::MAX,
        InputMode::Counted => {
            let mut line = String::new();
            let _ = std::io::BufRead::read_line(&mut from, &mut line);
            line.trim().parse().unwrap_or(0)
        }
    };
    let mut buffer = [0; 64 * 1024];
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        match from.read(&mut buffer[..most]) {
            Ok(count @ 1..) => {
                left -= count as u64;
                let _ = pieces.send(buffer[..count].to_vec());
            }
            Ok(0) | Err(_) => return,
        }
    }
    // An empty piece ends the input of the program, while the pipe from Nexi stays open.
    let _ = pieces.send(Vec::new());
    let _ = std::io::copy(&mut from, &mut std::io::sink());
}

#[cfg(target_os = "linux")]
mod platform {
    use std::process::Child;

    use rustix::process::{Pid, Signal, WaitOptions, kill_process, set_child_subreaper, wait};

    use super::*;

    /// Rounds of ending what is left; each one finds what the one before had still started.
    const ROUNDS: usize = 200;

    pub(super) fn prepare(_: &mut Command) {
        // Orphans of what is started become children of this process, and not of the system's first one.
        let _ = set_child_subreaper(Some(rustix::process::getpid()));
    }

    /// Takes note of every child that ends, orphans among them.
    pub(super) fn watch(child: Child, happened: Sender<Happened>) {
        let id = i32::try_from(child.id()).unwrap_or_default();
        std::thread::spawn(move || {
            while let Ok(ended) = wait(WaitOptions::empty()) {
                let Some((pid, status)) = ended else { continue };
                if pid.as_raw_nonzero().get() == id {
                    let code = status.exit_status().or(status.terminating_signal().map(|signal| 128 + signal)).unwrap_or_default();
                    let _ = happened.send(Happened::Ended(code));
                }
            }
        });
    }

    pub(super) fn end_all(_: u32) {
        let all = descendants();
        if all.is_empty() {
            return;
        }
        tell(&all, Signal::TERM);
        let began = std::time::Instant::now();
        while began.elapsed() < TERM && !descendants().is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
        for _ in 0..ROUNDS {
            let all = descendants();
            if all.is_empty() {
                return;
            }
            // What is stopped starts nothing new while the others are found.
            tell(&all, Signal::STOP);
            tell(&descendants(), Signal::KILL);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn tell(all: &[i32], signal: Signal) {
        for pid in all.iter().filter_map(|pid| Pid::from_raw(*pid)) {
            let _ = kill_process(pid, signal);
        }
    }

    /// Every process that came of this one and has not ended.
    fn descendants() -> Vec<i32> {
        let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
        let known: Vec<(i32, i32)> = folder
            .flatten()
            .filter_map(|entry| {
                let pid = entry.file_name().to_str()?.parse().ok()?;
                let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
                // The name stands in brackets and may hold anything.
                let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
                let state = fields.next()?;
                let parent = fields.next()?.parse().ok()?;
                (state != "Z" && state != "X").then_some((pid, parent))
            })
            .collect();
        let mut out = vec![i32::try_from(std::process::id()).unwrap_or_default()];
        let mut at = 0;
        while at < out.len() {
            let parent = out[at];
            out.extend(known.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
            at += 1;
        }
        out.split_off(1)
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod platform {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Child;

    use rustix::process::{Pid, Signal, kill_process_group};

    use super::*;

    pub(super) fn prepare(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) fn watch(mut child: Child, happened: Sender<Happened>) {
        std::thread::spawn(move || {
            let code = child.wait().map_or(0, |status| status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or_default());
            let _ = happened.send(Happened::Ended(code));
        });
    }

    pub(super) fn end_all(id: u32) {
        let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return };
        let _ = kill_process_group(group, Signal::TERM);
        std::thread::sleep(TERM);
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(windows)]
mod platform {
    use std::os::windows::process::CommandExt as _;
    use std::process::Child;

    use super::*;

    /// Everything below this process ends with it, and opens no window of its own (`CREATE_NO_WINDOW`).
    pub(super) fn prepare(command: &mut Command) {
        command.creation_flags(0x0800_0000);
        let mut limits = win32job::ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let Ok(job) = win32job::Job::create_with_limit_info(&limits) else { return };
        if job.assign_current_process().is_ok() {
            // The end of this process closes it: closed before, it would end this one, and its exit code be lost.
            std::mem::forget(job);
        }
    }

    /// The file of a program, such as `npx.cmd` for `npx`: the system looks for `.exe` alone.
    pub(super) fn found(program: &OsString) -> OsString {
        let path = Path::new(program);
        if path.extension().is_some() || path.components().count() > 1 {
            return program.clone();
        }
        // Scripts of other kinds cannot be started as they are.
        let endings = [".exe", ".com", ".cmd", ".bat"];
        let named = |folder: PathBuf| {
            let files = endings.map(|ending| folder.join(format!("{}{ending}", path.display())));
            files.into_iter().find(|file| file.is_file())
        };
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).find_map(named).map_or_else(|| program.clone(), PathBuf::into_os_string)
    }

    pub(super) fn watch(mut child: Child, happened: Sender<Happened>) {
        std::thread::spawn(move || {
            let code = child.wait().map_or(0, |status| status.code().unwrap_or_default());
            let _ = happened.send(Happened::Ended(code));
        });
    }

    /// The job does it when this process ends.
    pub(super) fn end_all(_: u32) {}
}

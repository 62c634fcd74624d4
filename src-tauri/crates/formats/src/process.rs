//! The process that parses documents.
//!
//! Formats of documents are programs with loops in them, and their parsers run out of stack or memory where somebody
//! wants them to. A process of its own with limits does the work, where the program offers itself as one ([`serve`]);
//! elsewhere a thread with a large stack.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::{Extracted, FormatError, Kind, extract, guarded, helper, mail::Attached};

/// The argument that turns a program into a reader of documents; see [`serve`].
const ARGUMENT: &str = "--nexi-read-document";
/// The argument after the file's size that has only those attachments read that are plain text.
const TEXTS: &str = "texts";
/// How long a file may take, and how much longer for each MiB of it and each of its pages.
const FILE_TIMEOUT: Duration = Duration::from_secs(20);
const PER_MIB: Duration = Duration::from_secs(2);
const PER_PAGE: Duration = Duration::from_millis(200);
/// No number of pages buys more than this: a file can claim any.
const LONGEST: Duration = Duration::from_secs(600);
/// A large PDF is mostly pictures, which nobody reads; its pages are what takes time.
const PER_MIB_OF_PDF: Duration = Duration::from_millis(200);
/// Bytes in front of a reply, or of the work on its pages: how many there are.
const HEADER: usize = size_of::<u32>();
/// Memory that the process may have, in bytes, besides twice what the file has.
const MEMORY: u64 = 128 * 1024 * 1024;
const STACK: usize = 64 * 1024 * 1024;
/// Bytes of a reply: the text with its places.
const MAX_REPLY: u64 = 8 * crate::MAX_TEXT as u64;

/// Call this first in `main`: it keeps crashes from leaving dumps, and makes the program do the work when it was started
/// for it, and else remembers that it can be.
pub fn serve() {
    // A dump of a crash would hold keys and private text.
    #[cfg(unix)]
    let _ = rlimit::setrlimit(rlimit::Resource::CORE, 0, 0);
    #[cfg(unix)]
    if std::env::args_os().nth(1).is_some_and(|argument| argument == crate::tool::ARGUMENT) {
        crate::tool::become_limited(std::env::args_os().skip(2));
    }
    let mut arguments = std::env::args().skip(1);
    if arguments.next().is_some_and(|argument| argument == ARGUMENT) {
        let kind = arguments.next().and_then(|kind| serde_json::from_str(&kind).ok());
        let size = arguments.next().and_then(|size| size.parse().ok());
        let attached = if arguments.next().is_some_and(|argument| argument == TEXTS) { Attached::Texts } else { Attached::All };
        let (Some(kind), Some(size)) = (kind, size) else { std::process::exit(1) };
        #[cfg(unix)]
        {
            let memory = in_use() + MEMORY + 2 * size;
            let _ = rlimit::setrlimit(rlimit::Resource::DATA, memory, memory);
            // It is raised when the pages were counted, and never above that.
            let (seconds, most) = (time_limit(kind, size, 0).as_secs(), time_limit(kind, size, u32::MAX).as_secs());
            let _ = rlimit::setrlimit(rlimit::Resource::CPU, seconds, most);
        }
        // When the program ends, its reader ends too.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        // What the parser prints or how it panics interests nobody.
        std::panic::set_hook(Box::new(|_| {}));
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        let found = match std::io::stdin().take(size).read_to_end(&mut bytes) {
            Ok(_) => guarded(kind, &bytes, attached, &|pages| {
                let _ = tell_pages(pages);
                #[cfg(unix)]
                if let Ok((_, most)) = rlimit::getrlimit(rlimit::Resource::CPU) {
                    let _ = rlimit::setrlimit(rlimit::Resource::CPU, time_limit(kind, size, pages).as_secs(), most);
                }
            }),
            Err(_) => Err(FormatError::Unreadable),
        };
        let told = TOLD.get().is_some() || tell_pages(0).is_ok();
        let sent = told && serde_json::to_vec(&found).is_ok_and(|reply| std::io::stdout().write_all(&reply).is_ok());
        std::process::exit(i32::from(!sent));
    }
    helper::offer();
}

/// Bytes that count against the limit before anything was read: what libraries take that the program is linked with,
/// which for a window is more than all documents do.
#[cfg(unix)]
fn in_use() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}

/// Whether the header was sent.
static TOLD: OnceLock<()> = OnceLock::new();

fn tell_pages(pages: u32) -> std::io::Result<()> {
    let _ = TOLD.set(());
    let mut output = std::io::stdout();
    output.write_all(&pages.to_le_bytes())?;
    output.flush()
}

fn time_limit(kind: Kind, size: u64, pages: u32) -> Duration {
    let per_mib = if kind == Kind::Pdf { PER_MIB_OF_PDF } else { PER_MIB };
    let mib = u32::try_from(size / (1024 * 1024)).unwrap_or(u32::MAX).min(1024);
    (FILE_TIMEOUT + per_mib * mib + PER_PAGE * pages.min(crate::pdf::MAX_PAGES)).min(LONGEST.max(FILE_TIMEOUT + per_mib * mib))
}

/// What a file says; one that holds nothing but scanned pages says nothing. Blocks: a PDF for 20 seconds at most and a
/// fifth of a second more for each of its pages and MiB, other files for 20 seconds and two more for each MiB; mail for twice
/// that, where something that is attached takes too long.
///
/// # Errors
/// Why it could not be read.
pub fn read(kind: Kind, path: &Path) -> Result<Extracted, FormatError> {
    if kind == Kind::Picture {
        // There is nothing to parse, and a folder may hold thousands.
        return extract(kind, &[], Attached::Texts, &|_| {});
    }
    let open = || {
        let file = File::open(path).map_err(|_| FormatError::Unreadable)?;
        let size = file.metadata().map_err(|_| FormatError::Unreadable)?.len();
        Ok((file, size))
    };
    let (mut file, size) = open()?;
    match helper::program() {
        // The process reads the file itself, so that this one never holds it.
        Some(program) => match run(&program, kind, size, None, Stdio::from(file), None) {
            // Something that is attached asked too much.
            Err(FormatError::TooSlow | FormatError::TooComplex) if matches!(kind, Kind::Mail | Kind::Mailbox) => {
                let (file, size) = open()?;
                run(&program, kind, size, Some(TEXTS), Stdio::from(file), None)
            }
            found => found,
        },
        None => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(|_| FormatError::Unreadable)?;
            in_thread(kind, bytes)
        }
    }
}

/// The same for bytes that are at hand.
///
/// # Errors
/// Why they could not be read.
pub fn read_bytes(kind: Kind, bytes: Vec<u8>) -> Result<Extracted, FormatError> {
    match helper::program() {
        Some(program) => run(&program, kind, bytes.len() as u64, None, Stdio::piped(), Some(bytes)),
        None => in_thread(kind, bytes),
    }
}

fn run(
    program: &Path,
    kind: Kind,
    size: u64,
    attachments: Option<&str>,
    input: Stdio,
    bytes: Option<Vec<u8>>,
) -> Result<Extracted, FormatError> {
    let name = serde_json::to_string(&kind).map_err(|_| FormatError::Broken)?;
    let mut command = Command::new(program);
    command.args([ARGUMENT, &name, &size.to_string()]).args(attachments).env_clear();
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::null());
    helper::hide_console(&mut command);
    let mut child = command.spawn().map_err(|_| FormatError::Unreadable)?;
    if let (Some(bytes), Some(mut stdin)) = (bytes, child.stdin.take()) {
        std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    }
    let mut output = child.stdout.take().ok_or(FormatError::Unreadable)?;
    let pages = Arc::new(AtomicU32::new(0));
    let told = pages.clone();
    let reader = std::thread::spawn(move || {
        let mut header = [0; HEADER];
        output.read_exact(&mut header)?;
        told.store(u32::from_le_bytes(header), Ordering::Relaxed);
        let mut reply = Vec::new();
        output.by_ref().take(MAX_REPLY).read_to_end(&mut reply).map(|_| reply)
    });
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if began.elapsed() < time_limit(kind, size, pages.load(Ordering::Relaxed)) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let reply = reader.join().ok().and_then(Result::ok).unwrap_or_default();
    let Some(status) = status else { return Err(FormatError::TooSlow) };
    if !status.success() {
        return Err(why_it_ended(status));
    }
    serde_json::from_slice(&reply).unwrap_or(Err(FormatError::TooComplex))
}

/// Without a reply it ran into one of its limits, or into a fault of the parser.
fn why_it_ended(status: std::process::ExitStatus) -> FormatError {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        // SIGXCPU, or SIGKILL at the hard limit.
        if matches!(status.signal(), Some(24 | 9)) {
            return FormatError::TooSlow;
        }
    }
    let _ = status;
    FormatError::TooComplex
}

fn in_thread(kind: Kind, bytes: Vec<u8>) -> Result<Extracted, FormatError> {
    let (send, receive) = std::sync::mpsc::channel();
    let time_limit = time_limit(kind, bytes.len() as u64, 0);
    let work = move || drop(send.send(guarded(kind, &bytes, Attached::All, &|_| {})));
    std::thread::Builder::new().name("documents".into()).stack_size(STACK).spawn(work).map_err(|_| FormatError::Unreadable)?;
    receive.recv_timeout(time_limit).unwrap_or(Err(FormatError::TooSlow))
}

//! Reads lines from standard input in a way that can be cancelled: a reader that was dropped does not swallow a line typed later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use nexi_messages::say;

/// The next line, or none at the end of the input. A future dropped before a line arrives consumes nothing from a terminal.
///
/// # Errors
/// When standard input cannot be read.
pub async fn line() -> Result<Option<String>> {
    use anyhow::Context;
    let given_up = Arc::new(AtomicBool::new(false));
    let _guard = GivesUp(given_up.clone());
    let read = tokio::task::spawn_blocking(move || next(&given_up)).await?;
    read.with_context(|| say!("nexi-terminal-nothing-read"))
}

/// Sets the flag when the waiting future is dropped.
struct GivesUp(Arc<AtomicBool>);

impl Drop for GivesUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Blocks until a line arrives. None at the end of the input, or once `given_up` is set.
pub fn next(given_up: &AtomicBool) -> std::io::Result<Option<String>> {
    if !waited_for(given_up) {
        return Ok(None);
    }
    let mut line = String::new();
    Ok((std::io::stdin().read_line(&mut line)? > 0).then_some(line))
}

/// Waits until a terminal has input. False once `given_up` is set.
#[cfg(unix)]
fn waited_for(given_up: &AtomicBool) -> bool {
    use std::io::IsTerminal;
    // A pipe or file may already be in the buffer of `stdin`, which polling does not see.
    if !std::io::stdin().is_terminal() {
        return true;
    }
    while !given_up.load(Ordering::Relaxed) {
        match is_there(100_000_000) {
            Ok(false) | Err(rustix::io::Errno::INTR) => {}
            Ok(true) => return !given_up.load(Ordering::Relaxed),
            Err(_) => return false,
        }
    }
    false
}

#[cfg(not(unix))]
fn waited_for(_given_up: &AtomicBool) -> bool {
    true
}

/// Whether standard input can be read within these nanoseconds.
#[cfg(unix)]
fn is_there(nanoseconds: i64) -> rustix::io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = std::io::stdin();
    let mut waited = [PollFd::new(&input, PollFlags::IN)];
    Ok(poll(&mut waited, Some(&Timespec { tv_sec: 0, tv_nsec: nanoseconds }))? > 0)
}

/// A complete line that was typed ahead of the prompt, joined with its continuation lines (those after a trailing backslash). Read
/// here because the line editor would consume all pending input and return only its first line.
///
/// # Errors
/// When standard input cannot be read, or is not UTF-8.
#[cfg(unix)]
pub fn ahead() -> std::io::Result<Option<String>> {
    let mut line = String::new();
    while is_there(0).unwrap_or_default() && std::io::stdin().read_line(&mut line)? > 0 {
        let end = line.trim_end_matches(['\n', '\r']).len();
        line.truncate(end);
        if !line.ends_with('\\') {
            return Ok(Some(line));
        }
        line.push('\n');
    }
    Ok(Some(line.trim_end().to_owned()).filter(|line| !line.is_empty()))
}

/// Always none: this platform offers no way to look ahead.
#[cfg(not(unix))]
pub fn ahead() -> std::io::Result<Option<String>> {
    Ok(None)
}

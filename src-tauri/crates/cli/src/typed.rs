//! Lines of standard input, read so that nobody who has given up waiting takes what is typed later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use nexi_messages::say;

/// The next line; none at the end of the input. Dropped before a line has come, it reads none.
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

/// Says that nobody waits any more.
struct GivesUp(Arc<AtomicBool>);

impl Drop for GivesUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A line; none at the end of the input, or where nobody wanted it any more before one came.
pub fn next(given_up: &AtomicBool) -> std::io::Result<Option<String>> {
    if !waited_for(given_up) {
        return Ok(None);
    }
    let mut line = String::new();
    Ok((std::io::stdin().read_line(&mut line)? > 0).then_some(line))
}

/// Whether there is something to read, for which a terminal is waited for.
#[cfg(unix)]
fn waited_for(given_up: &AtomicBool) -> bool {
    use std::io::IsTerminal;
    // What is no terminal may have been read ahead.
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

/// A line that was typed to its end while nobody read, with those that it goes on in behind a backslash: an editor of lines would
/// take all there are and give back the first.
///
/// # Errors
/// When it cannot be read, or is no text.
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

/// The same where nothing is known of what was typed.
#[cfg(not(unix))]
pub fn ahead() -> std::io::Result<Option<String>> {
    Ok(None)
}

//! What a run holds back because it could carry private text away, put to the person at the terminal.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use nexi_engine::core::protocol::{Event, HeldId, Outgoing};
use tokio::sync::oneshot;

use crate::line::{harmless, one_line};
use crate::output::tell;

/// Characters of an address or a query that are shown.
const SHOWN: usize = 300;

/// Whether there is somebody at the terminal who can be asked.
pub fn can_be_asked() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// The questions that wait for the person, one at a time.
#[derive(Default)]
pub struct Permits {
    waiting: VecDeque<(HeldId, Outgoing)>,
    asked: Option<Asked>,
}

struct Asked {
    id: HeldId,
    said: oneshot::Receiver<bool>,
    stop: Arc<AtomicBool>,
}

impl Permits {
    /// Notes what was held back, and what no longer waits.
    pub fn note(&mut self, event: &Event) {
        if let (Some((id, what)), Event::Held { waits: true, .. }) = (event.held(), event.own()) {
            self.waiting.push_back((id, what.clone()));
        } else if let Some((id, _)) = event.released() {
            self.waiting.retain(|(waiting, _)| *waiting != id);
            if self.asked.as_ref().is_some_and(|asked| asked.id == id) {
                self.withdraw();
                tell("\nNo answer came; the run goes on without it.\n");
            }
        } else if matches!(event, Event::Ended { .. }) {
            self.waiting.clear();
            self.withdraw();
        }
    }

    /// Whether a question stands on the terminal, so that nothing else may be written there.
    pub fn is_asking(&self) -> bool {
        self.asked.is_some()
    }

    /// Puts the next question; true where there is one to be put.
    pub fn ask_next(&mut self, clear: impl FnOnce()) {
        if self.asked.is_some() {
            return;
        }
        let Some((id, what)) = self.waiting.pop_front() else { return };
        clear();
        tell(&question(&what));
        let (answer, said) = oneshot::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        std::thread::spawn(move || {
            if let Some(line) = line(&stopped) {
                let _ = answer.send(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"));
            }
        });
        self.asked = Some(Asked { id, said, stop });
    }

    /// What the person says; pending while nothing is asked.
    pub async fn said(&mut self) -> (HeldId, bool) {
        let Some(asked) = &mut self.asked else { return std::future::pending().await };
        let allowed = (&mut asked.said).await.unwrap_or(false);
        let id = asked.id;
        self.asked = None;
        (id, allowed)
    }

    fn withdraw(&mut self) {
        if let Some(asked) = self.asked.take() {
            asked.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Permits {
    fn drop(&mut self) {
        self.withdraw();
    }
}

fn question(what: &Outgoing) -> String {
    let text = nexi_engine::core::text::truncate(&one_line(what.text()), SHOWN);
    let asked = match what {
        Outgoing::Address { .. } => format!(
            "\nPrivate text (your documents or earlier answers) is part of this conversation, and the model wants to open an address that is not among the results:\n  {text}\nIt may carry some of that text. Open it? [y/N] "
        ),
        Outgoing::Query { .. } => {
            format!(
                "\nThe model wants to search the web for words found only in your documents or earlier answers:\n  {text}\nSend this search? [y/N] "
            )
        }
    };
    harmless(&asked)
}

/// A line of standard input; none where the question was withdrawn before one came.
#[cfg(unix)]
fn line(stopped: &AtomicBool) -> Option<String> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = std::io::stdin();
    let wait = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    while !stopped.load(Ordering::Relaxed) {
        let mut waited = [PollFd::new(&input, PollFlags::IN)];
        match poll(&mut waited, Some(&wait)) {
            Ok(0) => {}
            Ok(_) => return read_line(),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
    None
}

#[cfg(not(unix))]
fn line(_stopped: &AtomicBool) -> Option<String> {
    read_line()
}

fn read_line() -> Option<String> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).ok().map(|_| line)
}

//! What all parts of the desktop app share.

use crate::refusal::Refusal;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nexi_engine::views::{AppEvent, Chip};
use nexi_engine::{Attach, Engine, Suggestion};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, Runtime};

use crate::importing::Importing;
use crate::memory::Memory;
use nexi_engine::core::settings::Desktop;

/// Events that wait for a window whose page is not there yet.
const WAITING: usize = 16;

/// How long work that can wait does so for a page that never comes.
const LONGEST_START: Duration = Duration::from_secs(5);

/// Attachments that are remembered.
const OFFERED: usize = 4000;

/// The state of the app.
pub(crate) struct App {
    pub(crate) engine: Engine,
    pub(crate) memory: Memory,
    /// Whether there is a tray to go to.
    pub(crate) tray: Mutex<bool>,
    /// What of the settings has been carried out: hotkey, colours, start with the session.
    pub(crate) applied: Mutex<Desktop>,
    /// The file that was written last, to be shown in its folder.
    pub(crate) written: Mutex<Option<PathBuf>>,
    /// The file that a window is reading for an import.
    pub(crate) importing: Mutex<Option<Importing>>,
    /// The file of threads that was dropped last and refused for its broken lines.
    pub(crate) refused: Mutex<Option<PathBuf>>,
    /// Folders of documents that were taken out of the settings here, and can be put back.
    pub(crate) removed_folders: Mutex<Vec<String>>,
    queues: Mutex<HashMap<String, EventQueue>>,
    /// Whether a page of any window was there once.
    is_ready: tokio::sync::watch::Sender<bool>,
    /// What was offered to be given along with a question, by number. A window passes numbers and not paths: it can
    /// give only what a person chose, dropped, typed, or has among their documents.
    offered: Mutex<Offered>,
    /// What was copied last lives as long as this.
    pub(crate) clipboard: Mutex<Option<arboard::Clipboard>>,
    /// Whether what is behind the popup shows around its corners; it is made so or not at all.
    pub(crate) popup_is_clear: AtomicBool,
}

/// What can be attached.
#[derive(Default)]
struct Offered {
    next: u32,
    by_id: BTreeMap<u32, Attach>,
}

/// Events of one window.
#[derive(Default)]
struct EventQueue {
    channel: Option<Channel<AppEvent>>,
    waiting: Vec<AppEvent>,
}

impl App {
    pub(crate) fn new(engine: Engine, memory: Memory) -> Self {
        let applied = Mutex::new(engine.settings().desktop);
        Self {
            engine,
            memory,
            applied,
            tray: Mutex::new(false),
            written: Mutex::default(),
            importing: Mutex::default(),
            refused: Mutex::default(),
            removed_folders: Mutex::default(),
            queues: Mutex::default(),
            is_ready: tokio::sync::watch::Sender::default(),
            offered: Mutex::default(),
            clipboard: Mutex::default(),
            popup_is_clear: AtomicBool::default(),
        }
    }

    /// Numbers for attachments, and the words that a window shows for them.
    pub(crate) fn offer(&self, found: Vec<Suggestion>) -> Vec<Chip> {
        let mut offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        let chips = found.into_iter().map(|Suggestion { attach, kind, label, note }| {
            offered.next += 1;
            let id = offered.next;
            offered.by_id.insert(id, attach);
            Chip { id, kind, label, note }
        });
        let chips = chips.collect();
        while offered.by_id.len() > OFFERED {
            offered.by_id.pop_first();
        }
        chips
    }

    /// What was offered under these numbers.
    pub(crate) fn offered(&self, ids: &[u32]) -> Result<Vec<Attach>, Refusal> {
        let offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        let one = |id: &u32| offered.by_id.get(id).cloned().ok_or(Refusal::AttachmentGone);
        ids.iter().map(one).collect()
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<String, EventQueue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a window something; it is told later where its page is not there yet.
    pub(crate) fn post(&self, window: &str, news: AppEvent) {
        let mut queues = self.queues();
        let mailbox = queues.entry(window.to_owned()).or_default();
        let sent = mailbox.channel.as_ref().is_some_and(|channel| channel.send(news.clone()).is_ok());
        if !sent && !mailbox.waiting.contains(&news) && mailbox.waiting.len() < WAITING {
            mailbox.waiting.push(news);
        }
    }

    /// Tells every window that listens; the others learn of it when they load.
    pub(crate) fn send_to_all(&self, news: &AppEvent) {
        self.send_to_others(None, news);
    }

    /// Tells every window that listens, and this one once it does.
    pub(crate) fn send_to_all_and(&self, window: &str, news: AppEvent) {
        self.send_to_others(Some(window), &news);
        self.post(window, news);
    }

    /// Tells every window that listens but this one.
    fn send_to_others(&self, window: Option<&str>, news: &AppEvent) {
        for (name, mailbox) in self.queues().iter() {
            if let Some(channel) = mailbox.channel.as_ref().filter(|_| window != Some(name.as_str())) {
                let _ = channel.send(news.clone());
            }
        }
    }

    /// A window's page is there and listens.
    pub(crate) fn listen(&self, window: &str, channel: Channel<AppEvent>) {
        let mut queues = self.queues();
        let mailbox = queues.entry(window.to_owned()).or_default();
        for news in mailbox.waiting.drain(..) {
            let _ = channel.send(news);
        }
        mailbox.channel = Some(channel);
        self.is_ready.send_replace(true);
    }

    /// Waits until the first page is there: before, everything else would only take time from it.
    pub(crate) async fn first_page(&self) {
        let mut ready = self.is_ready.subscribe();
        let _ = tokio::time::timeout(LONGEST_START, ready.wait_for(|is_ready| *is_ready)).await;
    }

    /// A window is gone; what comes for its successor waits.
    pub(crate) fn unsubscribe(&self, window: &str) {
        self.queues().remove(window);
    }

    pub(crate) fn has_tray(&self) -> bool {
        *self.tray.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of the app, from anywhere in it.
pub(crate) fn state<R: Runtime>(app: &AppHandle<R>) -> tauri::State<'_, App> {
    app.state::<App>()
}

/// Where files go: the folder for downloads, else the home folder.
pub(crate) fn downloads<R: Runtime>(app: &AppHandle<R>) -> PathBuf {
    app.path().download_dir().or_else(|_| app.path().home_dir()).unwrap_or_else(|_| std::env::temp_dir())
}

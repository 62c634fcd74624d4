//! Threads, turns, the journal and the sources, in `nexi.db`.

mod asked;
mod backup;
mod branch;
mod closing;
mod deletion;
mod deliveries;
mod finding;
mod items;
mod journal;
mod lookup;
mod memories;
mod packed;
mod questions;
mod salvage;
mod searches;
mod shared;
mod source_extras;
mod spaces;
mod templates;
mod tools;
mod transfer;
mod turns;
mod unkept;
mod usage;
mod watched;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nexi_core::{
    ids::{ThreadId, TurnId},
    ports::Page,
    protocol::{Effort, Mode},
    run::Input,
};
use rusqlite::{Connection, InterruptHandle, OptionalExtension, Transaction, TransactionBehavior, params};
use rusqlite_migration::{M, Migrations};

use crate::{
    StoreError,
    lock::ProcessLease,
    packing::{pack, unpack},
    sqlite::{self, Durability},
};

pub use asked::{AskedCandidates, PastAnswer};
pub use backup::{Backup, backups, go_back, newest_readable, restore_unopened};
pub use deletion::DeletedTurn;
pub use deliveries::DueDelivery;
pub use items::LibraryItem;
pub use journal::Journaled;
pub use lookup::TurnLine;
pub use salvage::{Salvaged, salvage};
pub use shared::{OutboxItem, OutboxKind, SharedThread};
use source_extras::SourceExtras;
pub use transfer::ThreadFile;
pub use usage::Used;
pub use watched::{Checked, NewWatched, WatchedChange};

const STEPS: &[M<'static>] = &[
    M::up(include_str!("migrations/history_1.sql")),
    M::up(include_str!("migrations/history_2.sql")),
    M::up(include_str!("migrations/history_3.sql")),
    M::up(include_str!("migrations/history_4.sql")),
    M::up(include_str!("migrations/history_5.sql")),
    M::up(include_str!("migrations/history_6.sql")),
    M::up(include_str!("migrations/history_7.sql")),
    M::up(include_str!("migrations/history_8.sql")),
    M::up(include_str!("migrations/history_9.sql")),
    M::up(include_str!("migrations/history_10.sql")),
    M::up(include_str!("migrations/history_11.sql")),
    M::up(include_str!("migrations/history_12.sql")),
    M::up(include_str!("migrations/history_13.sql")),
    M::up(include_str!("migrations/history_14.sql")),
    M::up(include_str!("migrations/history_15.sql")),
    M::up(include_str!("migrations/history_16.sql")),
    M::up(include_str!("migrations/history_17.sql")),
    M::up(include_str!("migrations/history_18.sql")),
    M::up(include_str!("migrations/history_19.sql")),
    M::up(include_str!("migrations/history_20.sql")),
    M::up(include_str!("migrations/history_21.sql")),
    M::up(include_str!("migrations/history_22.sql")),
    M::up(include_str!("migrations/history_23.sql")),
    M::up(include_str!("migrations/history_24.sql")),
    M::up(include_str!("migrations/history_25.sql")),
];
const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// Runs that were interrupted and have this part in their ids, newest first.
const INTERRUPTED: &str =
    "SELECT id FROM turns WHERE state = 'interrupted' AND id NOT IN (SELECT running FROM watched WHERE running IS NOT NULL)
     AND (substr(id, 1, length(?1)) = ?1 OR substr(id, -length(?1)) = ?1)
     AND thread_id NOT IN (SELECT id FROM threads WHERE deleted_ms IS NOT NULL) ORDER BY asked_ms DESC, id DESC";

/// Bytes of a text from which on it is packed.
const WORTH_PACKING: usize = 1024;

/// The history of one installation. Several processes may have it open at once.
pub struct History {
    connection: Mutex<Connection>,
    /// For searching the library; none where there can be but one connection.
    reader: Option<Reader>,
    /// In memory only.
    private: bool,
    data: PathBuf,
    lifeline: ProcessLease,
    unkept: Mutex<BTreeMap<TurnId, unkept::UnsavedEnding>>,
    /// Turns whose process is gone and that could not be marked so.
    unmarked: Mutex<BTreeSet<TurnId>>,
}

/// A second connection, so that no search stands in the way of a run.
struct Reader {
    connection: Mutex<Connection>,
    interrupt: InterruptHandle,
}

/// A question about to be asked.
#[derive(Debug, Clone)]
pub struct NewTurn<'a> {
    /// None begins a thread.
    pub thread: Option<&'a ThreadId>,
    pub question: &'a str,
    pub effort: Effort,
    pub mode: Mode,
    pub model: &'a str,
    /// Unix time in milliseconds.
    pub asked_ms: i64,
    /// The last turn of the thread when it was read for this question; none where nothing of it was read.
    pub after: Option<&'a TurnId>,
    /// The id of the space in which a new thread begins.
    pub space: Option<&'a str>,
    /// The first input of its journal, written down with it, so that no run is there without one.
    pub first: Option<&'a Input>,
}

/// A source with its text, as it was read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StoredSource {
    pub number: u32,
    pub page: Page,
    /// Unix time in milliseconds.
    pub read_ms: i64,
}

impl History {
    /// Opens or creates `nexi.db`.
    ///
    /// # Errors
    /// When the folder cannot be written, or the file is damaged or newer than the program; it is
    /// left untouched then.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let data = path.parent().unwrap_or_else(|| Path::new(".")).to_path_buf();
        let unclean = closing::ended_uncleanly(path, &data);
        // A new library is no file yet; one without a byte, of which there are copies, was one.
        if std::fs::metadata(path).is_ok_and(|facts| facts.len() == 0) && backup::backups(path).iter().any(|copy| copy.turns > 0) {
            return Err(StoreError::Damaged { path: path.to_path_buf(), message: "the file is empty".into() });
        }
        let connection = sqlite::open(path, &MIGRATIONS)?;
        // Looking at every page takes seconds in a large library; each daily backup does it, too.
        if unclean {
            tracing::info!("the library was not closed the last time, and is looked through");
            sqlite::check(&connection, path)?;
        }
        let lifeline = ProcessLease::take(&data)?;
        let reader = if sqlite::is_exclusive(&connection) {
            None
        } else {
            let reader = sqlite::connect(path, Durability::Precious)?;
            Some(Reader { interrupt: reader.get_interrupt_handle(), connection: Mutex::new(reader) })
        };
        let history = Self {
            connection: Mutex::new(connection),
            reader,
            private: false,
            data,
            lifeline,
            unkept: Mutex::default(),
            unmarked: Mutex::default(),
        };
        // What cannot be written now can be another time.
        if let Err(error) = history.undo_imports() {
            tracing::warn!(%error, "threads of an import that broke off could not be taken out");
        }
        Ok(history)
    }

    /// A history that is nowhere but in memory, for private threads. `data` is where processes
    /// tell each other that they live; nothing of a thread is written there.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn in_memory(data: &Path) -> Result<Self, StoreError> {
        let connection = sqlite::open_in_memory(&MIGRATIONS)?;
        let (data, lifeline) = (data.to_path_buf(), ProcessLease::take(data)?);
        Ok(Self {
            connection: Mutex::new(connection),
            reader: None,
            private: true,
            data,
            lifeline,
            unkept: Mutex::default(),
            unmarked: Mutex::default(),
        })
    }

    /// Whether this thread is kept here.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn has_thread(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        self.has("threads", thread.as_str())
    }

    /// Whether this turn is kept here.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn has_turn(&self, turn: &TurnId) -> Result<bool, StoreError> {
        self.has("turns", turn.as_str())
    }

    fn has(&self, table: &str, id: &str) -> Result<bool, StoreError> {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?1)");
        Ok(self.connection().prepare_cached(&sql)?.query_row([id], |row| row.get(0))?)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` in one immediate transaction.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }

    /// Notes a question before its run begins; the turn belongs to this process.
    ///
    /// # Errors
    /// When the thread does not exist.
    pub fn begin_turn(&self, turn: &NewTurn<'_>) -> Result<(ThreadId, TurnId), StoreError> {
        let id = TurnId(new_id());
        self.write(|transaction| {
            let thread = match turn.thread {
                Some(thread) => {
                    // Two runs in one thread would give the same number to different sources.
                    let (running, last): (bool, Option<String>) = transaction.query_row(
                        "SELECT EXISTS (SELECT 1 FROM turns WHERE thread_id = ?1 AND state = 'running'),
                                (SELECT id FROM turns WHERE thread_id = ?1 ORDER BY position DESC LIMIT 1)",
                        [thread.as_str()],
                        |row| Ok((row.get(0)?, row.get(1)?)),
                    )?;
                    // So would one that another process has begun and ended since the thread was read.
                    if running || turn.after.is_some_and(|after| last.as_deref() != Some(after.as_str())) {
                        return Err(StoreError::Busy);
                    }
                    let changed = transaction.execute(
                        "UPDATE threads SET updated_ms = ?2 WHERE id = ?1 AND deleted_ms IS NULL",
                        params![thread.as_str(), turn.asked_ms],
                    )?;
                    if changed == 0 {
                        return Err(StoreError::Missing { what: "thread", id: thread.to_string() });
                    }
                    thread.clone()
                }
                None => {
                    let thread = ThreadId(new_id());
                    transaction.execute(
                        "INSERT INTO threads (id, title, created_ms, updated_ms, space_id) VALUES (?1, ?2, ?3, ?3, ?4)",
                        params![thread.as_str(), title(turn.question), turn.asked_ms, turn.space],
                    )?;
                    thread
                }
            };
            transaction.execute(
                "INSERT INTO turns (id, thread_id, position, question, effort, model, asked_ms, state, runner, mode)
                 VALUES (?1, ?2, (SELECT coalesce(max(position), 0) + 1 FROM turns WHERE thread_id = ?2), ?3, ?4, ?5, ?6, 'running', ?7, ?8)",
                params![
                    id.as_str(),
                    thread.as_str(),
                    turn.question,
                    turn.effort.as_str(),
                    turn.model,
                    turn.asked_ms,
                    self.lifeline.id(),
                    turn.mode.as_str()
                ],
            )?;
            if let Some(first) = turn.first {
                journal::add(transaction, &id, 0, 0, std::slice::from_ref(first))?;
            }
            Ok((thread, id.clone()))
        })
    }

    /// Keeps the texts of pages that were read. A number that is there already is left as it was.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn add_sources(&self, thread: &ThreadId, sources: &[StoredSource]) -> Result<(), StoreError> {
        self.write(|transaction| add_sources(transaction, thread, sources))
    }

    /// A source with its text.
    ///
    /// # Errors
    /// When there is none of this number.
    pub fn source(&self, thread: &ThreadId, number: u32) -> Result<StoredSource, StoreError> {
        let missing = || StoreError::Missing { what: "source", id: number.to_string() };
        self.sources_where(thread, "AND number = ?2", Some(number))?.pop().ok_or_else(missing)
    }

    /// All sources of a thread with their texts, in order of their numbers.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn sources(&self, thread: &ThreadId) -> Result<Vec<StoredSource>, StoreError> {
        self.sources_where(thread, "AND ?2 IS NULL", None)
    }

    fn sources_where(&self, thread: &ThreadId, filter: &str, number: Option<u32>) -> Result<Vec<StoredSource>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT number, url, title, byline, date, text, lines, read_ms, more, packed FROM sources WHERE thread_id = ?1 {filter} ORDER BY number"
        ))?;
        let mut rows = statement.query(params![thread.as_str(), number])?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            let (lines, more): (String, String) = (row.get(6)?, row.get(8)?);
            let more: SourceExtras = serde_json::from_str(&more)?;
            let packed: Option<Vec<u8>> = row.get(9)?;
            out.push(StoredSource {
                number: row.get(0)?,
                page: Page {
                    url: row.get(1)?,
                    title: row.get(2)?,
                    byline: row.get(3)?,
                    date: row.get(4)?,
                    text: packed.map_or_else(|| Ok(row.get(5)?), |packed| Ok::<_, StoreError>(unpack(&packed)?))?,
                    lines: serde_json::from_str(&lines)?,
                    modified: more.modified,
                    doi: more.doi,
                    site: more.site,
                    language: more.language,
                    links: more.links,
                    paged: more.paged,
                    places: more.places,
                    cached_ms: more.cached_ms,
                },
                read_ms: row.get(7)?,
            });
        }
        Ok(out)
    }

    /// The interrupted turn with this id or the only one whose id begins or ends so; without an id the newest.
    ///
    /// # Errors
    /// When there is none, or the part fits several.
    pub fn find_interrupted(&self, id: Option<&str>) -> Result<TurnId, StoreError> {
        self.mark_interrupted()?;
        let connection = self.connection();
        let mut statement = connection.prepare_cached(INTERRUPTED)?;
        let wanted = id.unwrap_or_default().trim().to_ascii_lowercase();
        let found: Vec<String> = statement.query_map([&wanted], |row| row.get(0))?.collect::<Result<_, _>>()?;
        match found.as_slice() {
            [] => Err(StoreError::Missing { what: "interrupted run", id: id.unwrap_or_default().to_owned() }),
            [_, _, ..] if id.is_some() => Err(StoreError::Ambiguous { id: wanted }),
            [first, ..] => Ok(TurnId(first.clone())),
        }
    }

    /// Takes an interrupted run over: from now on it belongs to this process.
    ///
    /// # Errors
    /// When another process was quicker.
    pub fn take_over(&self, turn: &TurnId) -> Result<ThreadId, StoreError> {
        self.write(|transaction| {
            let overtaken: bool = transaction.query_row(
                "SELECT EXISTS (SELECT 1 FROM turns t JOIN turns later ON later.thread_id = t.thread_id AND later.position > t.position WHERE t.id = ?1)",
                [turn.as_str()],
                |row| row.get(0),
            )?;
            if overtaken {
                return Err(StoreError::Busy);
            }
            let changed = transaction.execute(
                "UPDATE turns SET state = 'running', reason = NULL, runner = ?2 WHERE id = ?1 AND state = 'interrupted'
                 AND thread_id NOT IN (SELECT id FROM threads WHERE deleted_ms IS NOT NULL)",
                params![turn.as_str(), self.lifeline.id()],
            )?;
            let thread: Option<String> =
                transaction.query_row("SELECT thread_id FROM turns WHERE id = ?1", [turn.as_str()], |row| row.get(0)).optional()?;
            match thread {
                Some(thread) if changed == 1 => Ok(ThreadId(thread)),
                _ => Err(StoreError::Missing { what: "interrupted run", id: turn.to_string() }),
            }
        })
    }

    /// Gives a run that was taken over back: it is interrupted again.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn hand_back(&self, turn: &TurnId) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute(
                "UPDATE turns SET state = 'interrupted' WHERE id = ?1 AND state = 'running' AND runner = ?2",
                params![turn.as_str(), self.lifeline.id()],
            )?;
            Ok(())
        })
    }

    /// Removes a thread and all that belongs to it.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn delete_thread(&self, thread: &ThreadId) -> Result<(), StoreError> {
        self.write(|transaction| {
            deletion::empty_all_of(transaction, thread.as_str())?;
            match transaction.execute("DELETE FROM threads WHERE id = ?1", [thread.as_str()])? {
                0 => Err(StoreError::Missing { what: "thread", id: thread.to_string() }),
                _ => Ok(()),
            }
        })
    }
}

fn add_sources(transaction: &Transaction<'_>, thread: &ThreadId, sources: &[StoredSource]) -> Result<(), StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO sources (thread_id, number, url, title, byline, date, text, lines, read_ms, more, site, packed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    for StoredSource { number, page, read_ms } in sources {
        let (lines, more) = (serde_json::to_string(&page.lines)?, serde_json::to_string(&SourceExtras::of(page))?);
        let site = host(&page.url);
        let packed = if page.text.len() >= WORTH_PACKING { Some(pack(&page.text)?) } else { None };
        let text = if packed.is_some() { "" } else { page.text.as_str() };
        statement.execute(params![
            thread.as_str(),
            number,
            page.url,
            page.title,
            page.byline,
            page.date,
            text,
            lines,
            read_ms,
            more,
            site,
            packed
        ])?;
    }
    Ok(())
}

/// The first words of a question, as the name of its thread.
fn title(question: &str) -> String {
    nexi_core::text::truncate(&nexi_core::text::fold_space(question), 120)
}

/// What the library filters by: the host of a web page, without www.; empty for documents.
fn host(url: &str) -> String {
    if url.starts_with("file:") { String::new() } else { nexi_core::urls::site(url) }
}

/// 32 hex digits that sort by time.
fn new_id() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

#[cfg(test)]
mod tests;

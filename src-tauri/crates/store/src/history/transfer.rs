//! Threads as files: out of one history and into another, without loss.

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{Turn, TurnState},
    text, urls,
};
use nexi_messages::say;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{History, LibraryItem, StoredSource, deletion, finding, items, spaces, turns};
use crate::{StoreError, lock::is_alive};

/// The version of the format; files of a later one are refused.
const VERSION: u32 = 1;
/// Turns of one file at most, and bytes of one id.
const MAX_TURNS: usize = 20_000;
const MAX_ID: usize = 64;
/// Letters of a description.
const MAX_DESCRIPTION: usize = 200;

/// A thread with everything that belongs to it, but for the journals of its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadFile {
    /// The version of this format.
    pub nexi_thread: u32,
    pub id: ThreadId,
    pub title: String,
    /// Unix time in milliseconds.
    pub created_ms: i64,
    /// Unix time in milliseconds.
    pub updated_ms: i64,
    /// One line about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether the title is more than the first question.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub titled: bool,
    #[serde(default)]
    pub pinned: bool,
    #[serde(default)]
    pub tags: Vec<String>,
    /// The name of the space that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
    /// A turn was deleted that rested on private text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held_private: bool,
    pub turns: Vec<Turn>,
    /// With the texts that were read.
    pub sources: Vec<StoredSource>,
}

impl ThreadFile {
    /// A thread of one question that another program had answered.
    pub fn of_turn(title: &str, turn: Turn, sources: Vec<StoredSource>) -> Self {
        Self {
            nexi_thread: VERSION,
            id: turn.thread.clone(),
            title: title.to_owned(),
            created_ms: turn.asked_ms,
            updated_ms: turn.asked_ms,
            description: String::new(),
            titled: false,
            pinned: false,
            tags: Vec::new(),
            space: None,
            held_private: false,
            turns: vec![turn],
            sources,
        }
    }

    /// The same thread with this turn alone, and only the sources it rests on. `is_private` tells of a turn whether it
    /// rests on private text: those before this one may have told it what they know.
    pub fn only(mut self, turn: &TurnId, is_private: impl Fn(&Turn) -> bool) -> Self {
        self.held_private |= self.turns.iter().take_while(|before| before.id != *turn).any(is_private);
        self.turns.retain(|candidate| candidate.id == *turn);
        // It tells of the turns that stay behind.
        self.turns.iter_mut().for_each(|turn| turn.ending.summary = None);
        let numbers: Vec<u32> = self.turns.iter().flat_map(|turn| &turn.ending.sources).map(|source| source.number).collect();
        self.sources.retain(|source| numbers.contains(&source.number));
        self
    }

    /// Whether its values can be: version, ids, addresses, and numbers that occur once.
    ///
    /// # Errors
    /// A sentence that names the field.
    pub fn check(&self) -> Result<(), StoreError> {
        let wrong = |message: String| Err(StoreError::Import(message));
        if self.nexi_thread > VERSION {
            return wrong(say!("errors-import.version", version = self.nexi_thread, most = VERSION));
        }
        if self.turns.is_empty() || self.turns.len() > MAX_TURNS {
            return wrong(say!("errors-import.turns", most = MAX_TURNS, count = self.turns.len()));
        }
        let ids = self.turns.iter().map(|turn| turn.id.as_str()).chain([self.id.as_str()]);
        for id in ids {
            if id.is_empty() || id.len() > MAX_ID || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                return wrong(say!("errors-import.id", id = format!("{:?}", nexi_core::text::truncate(id, MAX_ID))));
            }
        }
        for turn in &self.turns {
            let mut numbers: Vec<u32> = turn.ending.sources.iter().map(|source| source.number).collect();
            numbers.sort_unstable();
            if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
                return wrong(say!("errors-import.twice"));
            }
        }
        for source in &self.sources {
            let url = &source.page.url;
            let scheme = url.split(':').next().unwrap_or_default();
            // Texts and threads that were given along with a question have addresses of Nexi's own.
            if !matches!(scheme, "http" | "https" | "file") && !urls::is_attached(url) && !urls::opens_nothing(url) {
                return wrong(say!("errors-import.address", number = source.number.to_string()));
            }
        }
        Ok(())
    }
}

impl History {
    /// A thread as a file.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn export(&self, thread: &ThreadId) -> Result<ThreadFile, StoreError> {
        let turns = self.turns(thread)?;
        let sources = self.sources(thread)?;
        let connection = self.connection();
        let missing = || StoreError::Missing { what: "thread", id: thread.to_string() };
        let (title, created_ms, updated_ms, pinned, held_private, description, titled, space) = connection
            .query_row(
                "SELECT t.title, t.created_ms, t.updated_ms, t.pinned, t.held_private, t.description, t.titled, s.name
                 FROM threads t LEFT JOIN spaces s ON s.id = t.space_id WHERE t.id = ?1",
                [thread.as_str()],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?, row.get(7)?)),
            )
            .optional()?
            .ok_or_else(missing)?;
        let mut statement = connection.prepare_cached("SELECT tag FROM tags WHERE thread_id = ?1 ORDER BY tag")?;
        let tags = statement.query_map([thread.as_str()], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(ThreadFile {
            nexi_thread: VERSION,
            id: thread.clone(),
            title,
            created_ms,
            updated_ms,
            description,
            titled,
            pinned,
            tags,
            space,
            held_private,
            turns,
            sources,
        })
    }

    /// Takes threads in, under the ids of their files; all or none. Returns for each whether it is
    /// new: where a thread or turn of such an id is there already, nothing is changed. Runs that
    /// had not ended count as stopped.
    ///
    /// # Errors
    /// When the values of a file cannot be, or the database refuses.
    pub fn import(&self, files: &[ThreadFile]) -> Result<Vec<bool>, StoreError> {
        files.iter().try_for_each(ThreadFile::check)?;
        self.write(|transaction| files.iter().map(|file| add(transaction, file)).collect())
    }

    /// Takes in a shared thread that is gone on from, and remembers whose it was.
    ///
    /// # Errors
    /// As [`import`](Self::import).
    pub fn import_branch(&self, file: &ThreadFile, origin: Uuid, author: &str) -> Result<(), StoreError> {
        file.check()?;
        self.write(|transaction| {
            add(transaction, file)?;
            let sql = "UPDATE threads SET origin = ?2, origin_author = ?3 WHERE id = ?1";
            transaction.execute(sql, params![file.id.as_str(), origin.simple().to_string(), author])?;
            Ok(())
        })
    }

    /// The same for a part of an import: until [`History::import_is_whole`] these threads are taken out again where this
    /// process goes away.
    ///
    /// # Errors
    /// As there.
    pub fn import_part(&self, files: &[ThreadFile]) -> Result<Vec<bool>, StoreError> {
        files.iter().try_for_each(ThreadFile::check)?;
        self.write(|transaction| {
            let mut all = Vec::new();
            for file in files {
                let is_new = add(transaction, file)?;
                if is_new {
                    let values = params![file.id.as_str(), self.lifeline.id()];
                    transaction.execute("INSERT INTO importing (thread_id, runner) VALUES (?1, ?2)", values)?;
                }
                all.push(is_new);
            }
            Ok(all)
        })
    }

    /// All threads of an import are there: they stay, and what else it brings comes with them. Returns how much of that is
    /// new.
    ///
    /// # Errors
    /// When something besides threads cannot be, or the database refuses; nothing of the import stays then.
    pub fn import_is_whole(&self, threads: &[ThreadId], items: &[LibraryItem], now_ms: i64) -> Result<u32, StoreError> {
        self.write(|transaction| {
            let mut new = 0;
            for item in items {
                new += u32::from(items::add(transaction, item, now_ms)?);
            }
            for thread in threads {
                transaction.execute("DELETE FROM importing WHERE thread_id = ?1", [thread.as_str()])?;
            }
            Ok(new)
        })
    }

    /// Takes out what imports had brought whose processes went away in the middle.
    pub(super) fn undo_imports(&self) -> Result<(), StoreError> {
        let open: Vec<(String, String)> = {
            let connection = self.connection();
            let mut statement = connection.prepare_cached("SELECT thread_id, runner FROM importing")?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?
        };
        let gone = open.iter().filter(|(_, runner)| runner != self.lifeline.id() && !is_alive(&self.data, runner));
        let gone: Vec<ThreadId> = gone.map(|(thread, _)| ThreadId(thread.clone())).collect();
        if gone.is_empty() {
            return Ok(());
        }
        tracing::info!(threads = gone.len(), "an import broke off; what it had brought is taken out");
        self.give_up_import(&gone)
    }

    /// Takes out again what an import had brought, but for threads in which something was asked since: that is nobody's to
    /// take back.
    ///
    /// # Errors
    /// When the database refuses; they are taken out the next time the library is opened.
    pub fn give_up_import(&self, threads: &[ThreadId]) -> Result<(), StoreError> {
        self.write(|transaction| {
            for thread in threads {
                // Imported turns were run by nobody here.
                let sql = "DELETE FROM threads WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM turns WHERE thread_id = ?1 AND runner != '')";
                transaction.execute(sql, [thread.as_str()])?;
                transaction.execute("DELETE FROM importing WHERE thread_id = ?1", [thread.as_str()])?;
            }
            Ok(())
        })
    }
}

fn add(transaction: &Transaction<'_>, file: &ThreadFile) -> Result<bool, StoreError> {
    let there = |table: &str, id: &str| -> Result<bool, StoreError> {
        let mut statement = transaction.prepare_cached(&format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?1)"))?;
        Ok(statement.query_row([id], |row| row.get(0))?)
    };
    // An imported thread replaces its recently deleted copy.
    if transaction.execute("DELETE FROM threads WHERE id = ?1 AND deleted_ms IS NOT NULL", [file.id.as_str()])? > 0 {
        deletion::empty_all_of(transaction, file.id.as_str())?;
    }
    let mut known = there("threads", file.id.as_str())?;
    for turn in &file.turns {
        known = known || there("turns", turn.id.as_str())?;
    }
    if known {
        return Ok(false);
    }
    // A library that comes from elsewhere keeps its order.
    let space = match &file.space {
        Some(name) => spaces::named(transaction, name, file.created_ms)?,
        None => None,
    };
    transaction.execute(
        "INSERT INTO threads (id, title, created_ms, updated_ms, pinned, held_private, description, titled, space_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            file.id.as_str(),
            super::title(&file.title),
            file.created_ms,
            file.updated_ms,
            file.pinned,
            file.held_private,
            text::truncate_chars(&text::fold_space(&file.description), MAX_DESCRIPTION),
            file.titled,
            space,
        ],
    )?;
    super::add_sources(transaction, &file.id, &file.sources)?;
    for (position, turn) in (1_i64..).zip(&file.turns) {
        add_turn(transaction, &file.id, position, turn)?;
        turns::finish(transaction, &turn.id, &ended(turn), turn.duration_ms, &turn.events)?;
        if let Some(opinion) = &turn.second {
            turns::note_opinion(transaction, &turn.id, opinion)?;
        }
        if let Some(change) = &turn.change {
            turns::note_change(transaction, &turn.id, change)?;
        }
    }
    finding::set_tags(transaction, &file.id, &file.tags)?;
    Ok(true)
}

fn add_turn(transaction: &Transaction<'_>, thread: &ThreadId, position: i64, turn: &Turn) -> Result<(), StoreError> {
    // Running until it is finished in the same transaction, so that it is put into the index once.
    transaction.execute(
        "INSERT INTO turns (id, thread_id, position, question, effort, model, asked_ms, state, runner, mode)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'running', '', ?8)",
        params![
            turn.id.as_str(),
            thread.as_str(),
            position,
            turn.question,
            turn.effort.as_str(),
            turn.model,
            turn.asked_ms,
            turn.mode.as_str()
        ],
    )?;
    Ok(())
}

/// How the turn stands elsewhere: no process carries its run out.
fn ended(turn: &Turn) -> nexi_core::protocol::Ending {
    let mut ending = turn.ending.clone();
    if matches!(ending.state, TurnState::Running | TurnState::Interrupted) {
        ending.state = TurnState::Cancelled;
    }
    ending
}

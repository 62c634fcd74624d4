//! A team library, in PostgreSQL: what it is told, and what it has.

mod sending;

use std::time::Duration;

use nexi_core::{
    citations,
    ids::{ThreadId, TurnId},
    ports::DatabaseCause,
    protocol::{Piece, TeamPage, TeamRow, TeamSearch, Turn},
    rank::terms,
    text,
};
use nexi_postgres::{Appended, TeamEvent, TeamEventKind, TeamHit};
use nexi_store::{
    StoreError,
    history::{StoredSource, ThreadFile},
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub(crate) use sending::{Prepared, Sharing, prepared};

use crate::{EngineError, database::SharedDatabase};

/// Rows of one page at most.
const MAX_ROWS: u32 = 200;
/// Letters of an excerpt in front of the first word that was found, and behind it.
const BEFORE: usize = 60;
const BEHIND: usize = 140;
/// Bytes a second that a connection carries at least.
const SLOWEST: u64 = 20_000;

/// Where a team library is, and who asks.
#[derive(Clone)]
pub struct Team {
    database: SharedDatabase,
}

/// What the team library keeps of a turn.
#[derive(Serialize, Deserialize)]
pub(crate) struct SharedTurn {
    turn: Turn,
    sources: Vec<StoredSource>,
    /// Whether it rests on private text of its author, or follows one that does.
    #[serde(default)]
    private: bool,
}

/// A shared thread as it is now.
pub(crate) struct SharedThreadFile {
    pub file: ThreadFile,
    pub author: String,
    pub own: bool,
}

impl Team {
    /// In this database.
    pub(crate) fn new(database: SharedDatabase) -> Self {
        Self { database }
    }

    /// The same with a password.
    #[must_use]
    pub fn with_password(self, password: SecretString) -> Self {
        Self { database: self.database.with_password(password) }
    }

    /// Makes the tables; false where there are some already, which are brought up to date.
    ///
    /// # Errors
    /// When the user may not make any.
    pub async fn create(&self) -> Result<bool, EngineError> {
        Ok(self.database.connect().await?.create_team().await?)
    }

    /// What tells this team library from others.
    pub(crate) async fn id(&self) -> Result<Uuid, DatabaseCause> {
        self.database.asked(|database| async move { database.team_id().await }).await
    }

    /// Fails unless who asks is a member of a role that threads are to be shared with.
    pub(crate) async fn check_member(&self, role: &str) -> Result<(), DatabaseCause> {
        self.database.asked(|database| async move { database.check_member(role).await }).await
    }

    /// Appends an event to a thread of one's own.
    pub(crate) async fn append(&self, event: &TeamEvent) -> Result<Appended, DatabaseCause> {
        // A report may be long, and the way to the database slow.
        let size = if let TeamEventKind::Turn { body, .. } = &event.what { body.len() as u64 } else { 0 };
        let more = Duration::from_secs(size / SLOWEST);
        self.database.asked_for(more, |database| async move { database.append(event).await }).await
    }

    /// Whether a shared thread is there, and who asks its author.
    pub(crate) async fn is_own(&self, share: Uuid) -> Result<bool, DatabaseCause> {
        self.database.asked(|database| async move { database.is_own(share).await }).await
    }

    /// Shared threads that who asks may see.
    ///
    /// # Errors
    /// When the database refuses, or cannot be reached.
    pub async fn threads(&self, wanted: &TeamSearch) -> Result<TeamPage, EngineError> {
        let limit = wanted.limit.clamp(1, MAX_ROWS);
        // One more tells whether there are more.
        let query = &TeamSearch { limit: limit + 1, ..wanted.clone() };
        let mut hits = self.database.asked(|database| async move { database.team_threads(query).await }).await?;
        let more = hits.len() > limit as usize;
        hits.truncate(limit as usize);
        Ok(TeamPage { rows: hits.into_iter().map(|hit| row(hit, &wanted.text)).collect(), more })
    }

    /// The only shared thread whose name begins or ends with these digits.
    pub(crate) async fn find(&self, id: &str) -> Result<ThreadId, EngineError> {
        let found = self.database.asked(|database| async move { database.find_team_threads(id).await }).await?;
        match found.as_slice() {
            [] => Err(DatabaseCause::NoSharedThread.into()),
            [one] => Ok(name(*one)),
            _ => Err(StoreError::Ambiguous { id: id.to_owned() }.into()),
        }
    }

    /// A shared thread with its turns, under ids that no other thread has: the thread's is its name among those that are
    /// shared.
    pub(crate) async fn thread(&self, share: Uuid) -> Result<SharedThreadFile, EngineError> {
        let found = self.database.asked(|database| async move { database.team_thread(share).await }).await?;
        let (thread, bodies) = found.ok_or(DatabaseCause::NoSharedThread)?;
        let mut turns = Vec::with_capacity(bodies.len());
        let mut told: Vec<(i64, Vec<StoredSource>)> = Vec::new();
        let mut held_private = false;
        for (seq, body) in bodies {
            let shared: SharedTurn = match serde_json::from_str(&body) {
                Ok(shared) => shared,
                // It is of a newer version, or of somebody who writes what they want.
                Err(error) => {
                    tracing::warn!(%error, %share, "a shared answer cannot be read");
                    continue;
                }
            };
            held_private |= shared.private;
            turns.push(Turn { id: new_turn(), thread: name(share), ..shared.turn });
            told.push((seq, shared.sources));
        }
        // Of a document that several turns cite, what was told last has the passages of all.
        told.sort_by_key(|(seq, _)| std::cmp::Reverse(*seq));
        let mut sources: Vec<StoredSource> = Vec::new();
        for (_, mut shared) in told {
            shared.retain(|new| sources.iter().all(|known| known.number != new.number));
            sources.extend(shared);
        }
        make_harmless(&mut turns, &mut sources);
        sources.sort_by_key(|source| source.number);
        let first = turns.first().ok_or(DatabaseCause::NoSharedThread)?.clone();
        let file = ThreadFile::of_turn(&thread.title, first, sources);
        let file = ThreadFile {
            description: thread.description,
            titled: true,
            held_private,
            tags: thread.tags,
            updated_ms: thread.updated_ms,
            turns,
            ..file
        };
        file.check()?;
        Ok(SharedThreadFile { file, author: thread.author, own: thread.is_own })
    }
}

/// Takes care that what others have written opens no file here, and that passages are places of their texts.
fn make_harmless(turns: &mut [Turn], sources: &mut [StoredSource]) {
    for source in sources.iter_mut() {
        source.page.url = sending::address_for_others(&source.page.url, false);
    }
    for source in turns.iter_mut().flat_map(|turn| &mut turn.ending.sources) {
        source.url = sending::address_for_others(&source.url, false);
        let text = sources.iter().find(|stored| stored.number == source.number).map_or("", |stored| stored.page.text.as_str());
        for passage in &mut source.passages {
            if text.get(passage.start..passage.end).is_none() {
                (passage.start, passage.end) = (0, 0);
            }
        }
    }
}

/// A shared thread's name as windows and the command line know it.
pub(crate) fn name(share: Uuid) -> ThreadId {
    ThreadId(share.simple().to_string())
}

/// An id for a copy of a turn.
pub(crate) fn new_turn() -> TurnId {
    TurnId(Uuid::now_v7().simple().to_string())
}

fn row(hit: TeamHit, wanted: &str) -> TeamRow {
    let TeamHit { thread, turn } = hit;
    TeamRow {
        id: name(thread.id),
        title: thread.title,
        description: thread.description,
        tags: thread.tags,
        space: thread.space,
        author: thread.author,
        own: thread.is_own,
        role: thread.role,
        origin: thread.origin.map(|(_, author)| author),
        turns: u32::try_from(thread.turns).unwrap_or_default(),
        updated_ms: thread.updated_ms,
        pieces: turn.map(|(question, answer)| excerpt(&question, &answer, wanted)).unwrap_or_default(),
    }
}

/// The stretch of a turn in which words stand: of its answer, or else of its question.
fn excerpt(question: &str, answer: &str, wanted: &str) -> Vec<Piece> {
    let stems: Vec<String> = terms::terms(wanted).into_iter().map(|term| term.stem).collect();
    let begun = stems.last().filter(|_| wanted.ends_with(char::is_alphanumeric)).cloned();
    let is_wanted = |stem: &str| stems.iter().any(|known| known == stem) || begun.as_ref().is_some_and(|begun| stem.starts_with(begun));
    let answer = text::plain(&citations::without(answer, &citations::citations(answer)));
    for whole in [answer.as_str(), question] {
        let found: Vec<terms::Term> = terms::terms(whole).into_iter().filter(|term| is_wanted(&term.stem)).collect();
        let Some(first) = found.first() else { continue };
        let start = whole[..first.start].char_indices().rev().take(BEFORE).last().map_or(first.start, |(at, _)| at);
        let end = whole[first.start..].char_indices().nth(BEHIND).map_or(whole.len(), |(at, _)| first.start + at);
        let mut out: Vec<Piece> = Vec::new();
        let mut push = |text: &str, hit: bool| {
            if !text.is_empty() {
                out.push(Piece { text: text.to_owned(), hit });
            }
        };
        push(if start > 0 { "…" } else { "" }, false);
        let mut at = start;
        for term in found.iter().filter(|term| term.end <= end) {
            push(&whole[at..term.start], false);
            push(&whole[term.start..term.end], true);
            at = term.end;
        }
        push(&whole[at..end], false);
        push(if end < whole.len() { "…" } else { "" }, false);
        return out;
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_marks_the_words_that_were_looked_for() {
        let pieces = excerpt("Who built it?", "It is **old**. The bridges of Aldermoor were built in 1847 [1].", "bridge buil");
        let marked: Vec<&str> = pieces.iter().filter(|piece| piece.hit).map(|piece| piece.text.as_str()).collect();
        assert_eq!(marked, ["bridges", "built"]);
        assert_eq!(excerpt("Who built it?", "A mason.", "built ").iter().filter(|piece| piece.hit).count(), 1);
        assert!(excerpt("a", "b", "c").is_empty());
    }
}

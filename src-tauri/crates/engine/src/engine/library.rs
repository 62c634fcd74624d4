//! The library, and threads that are nowhere but in memory.

use std::sync::{Arc, OnceLock};

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{DeletedItem, LibraryPage, LibraryQuery, SavedSearch, SharedFacts, TeamFacts, Turn},
    run,
};
use nexi_store::{
    History, StoreError,
    history::{DeletedTurn, ThreadFile, TurnLine},
};
use serde::Serialize;
use ts_rs::TS;

use super::{Engine, blocking};
use crate::{EngineError, driver::now_ms};

/// Milliseconds for which what was deleted can be brought back.
pub(super) const RETENTION_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// What is known of a thread besides its turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ThreadFacts {
    pub id: ThreadId,
    pub title: String,
    pub pinned: bool,
    /// It is nowhere but in memory.
    pub private: bool,
    pub tags: Vec<String>,
    /// One line about it; empty where there is none.
    pub description: String,
    /// The name of the space that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub space: Option<String>,
    /// Its question is asked again by itself.
    pub watched: bool,
    /// How it is shared, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shared: Option<SharedFacts>,
    /// Whose it is, where it is but looked at in the team library.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub team: Option<TeamFacts>,
    /// Whose shared thread it goes on from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub origin: Option<String>,
}

impl Engine {
    /// Does something with the library, away from the threads that answer.
    ///
    /// # Errors
    /// What `work` fails with.
    pub(super) async fn in_library<T: Send + 'static>(
        &self,
        work: impl FnOnce(&History) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || work(&history)).await??)
    }

    /// One page of the library. Private threads are not in it.
    ///
    /// # Errors
    /// When the database refuses, or a later call came first ([`StoreError::Superseded`]).
    pub async fn library(&self, query: LibraryQuery) -> Result<LibraryPage, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.library(&query)).await??)
    }

    /// The saved searches, in order of the alphabet.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn saved_searches(&self) -> Result<Vec<SavedSearch>, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.saved_searches()).await??)
    }

    /// Keeps a search under its name, in the place of an earlier one of this name.
    ///
    /// # Errors
    /// When the name is empty, there are too many, or the database refuses.
    pub async fn save_search(&self, search: SavedSearch) -> Result<(), EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.save_search(&search)).await??)
    }

    /// Forgets a saved search.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn forget_search(&self, name: String) -> Result<(), EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.forget_search(&name)).await??)
    }

    /// The newest turns of the library, newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn newest_turns(&self, limit: u32) -> Result<Vec<Turn>, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || {
            let mut turns = Vec::new();
            for line in history.newest_turns(limit, 0)? {
                match history.turn(&line.id) {
                    Ok(turn) => turns.push(turn),
                    // Deleted meanwhile.
                    Err(StoreError::Missing { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(turns)
        })
        .await??)
    }

    /// The newest turns of the library as a list, newest first, without those in front of `offset`.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn turn_lines(&self, limit: u32, offset: u32) -> Result<Vec<TurnLine>, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.newest_turns(limit, offset)).await??)
    }

    /// The turn with this id, or the only one whose id begins or ends so.
    ///
    /// # Errors
    /// When there is none, or it fits several.
    pub async fn find_turn(&self, id: &str) -> Result<TurnId, EngineError> {
        let (history, id) = (self.inner.history.clone(), id.to_owned());
        Ok(blocking(move || history.find_turn(&id)).await??)
    }

    /// The thread with this id, or the only one whose id begins or ends so; the id of one of its
    /// turns will do, too.
    ///
    /// # Errors
    /// When there is none, or it fits several.
    pub async fn find_thread(&self, id: &str) -> Result<ThreadId, EngineError> {
        let (history, id) = (self.inner.history.clone(), id.to_owned());
        Ok(blocking(move || match history.find_thread(&id) {
            Err(missing @ StoreError::Missing { .. }) => match history.find_turn(&id) {
                Ok(turn) => Ok(history.turn(&turn)?.thread),
                Err(StoreError::Missing { .. }) => Err(missing),
                Err(other) => Err(other),
            },
            found => found,
        })
        .await??)
    }

    /// Deletes every thread of the library for good, but those in which a run is going on. Returns
    /// how many went and how many stayed.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn clear_history(&self) -> Result<(u64, u64), EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.clear()).await??)
    }

    /// Every tag in use with the number of its threads.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn tags(&self) -> Result<Vec<(String, u32)>, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.tags()).await??)
    }

    /// What is known of a thread besides its turns.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn thread_facts(&self, thread: &ThreadId) -> Result<ThreadFacts, EngineError> {
        let private = self.is_private(&self.history_of(thread)?);
        let (shared, team) = (self.shared_facts(thread).await?, self.team_facts(thread));
        self.in_thread(thread, move |history, thread| {
            let (title, description, pinned) = history.title(thread)?;
            let space = history.space_of(thread)?.map(|space| space.name);
            Ok(ThreadFacts {
                id: thread.clone(),
                title,
                description,
                pinned,
                private,
                tags: history.tags_of(thread)?,
                space,
                watched: history.is_watched(thread)?,
                shared,
                team,
                origin: history.origin(thread)?.map(|(_, author)| author),
            })
        })
        .await
    }

    /// Gives a thread another name.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn rename(&self, thread: &ThreadId, title: String) -> Result<(), EngineError> {
        self.refuse_opened_share(&self.history_of(thread)?)?;
        self.in_thread(thread, move |history, thread| history.rename(thread, &title)).await
    }

    /// Keeps a thread at hand, or no longer.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn pin(&self, thread: &ThreadId, pinned: bool) -> Result<(), EngineError> {
        self.refuse_opened_share(&self.history_of(thread)?)?;
        self.in_thread(thread, move |history, thread| history.pin(thread, pinned)).await
    }

    /// Replaces the tags of a thread.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn set_tags(&self, thread: &ThreadId, tags: Vec<String>) -> Result<(), EngineError> {
        self.refuse_opened_share(&self.history_of(thread)?)?;
        self.in_thread(thread, move |history, thread| history.set_tags(thread, &tags)).await
    }

    /// Deletes a thread and stops what runs in it. For 30 days this can be taken back; then it is
    /// gone for good. A private thread is gone at once.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn delete(&self, thread: &ThreadId) -> Result<(), EngineError> {
        self.stop_runs_of(thread);
        let history = self.history_of(thread)?;
        self.refuse_opened_share(&history)?;
        let (thread, private) = (thread.clone(), self.is_private(&history));
        Ok(blocking(move || if private { history.delete_thread(&thread) } else { history.delete(&thread, now_ms()) }).await??)
    }

    /// Whether a question is being answered in this thread, here.
    pub(super) fn is_answering(&self, thread: &ThreadId) -> bool {
        self.live().values().any(|live| live.thread == *thread && !live.is_over())
    }

    fn stop_runs_of(&self, thread: &ThreadId) {
        for live in self.live().values().filter(|live| live.thread == *thread) {
            live.cancel.cancel();
        }
    }

    /// What was deleted and can be brought back, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn deleted(&self) -> Result<Vec<DeletedItem>, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.deleted(RETENTION_MS)).await??)
    }

    /// Removes for good what was deleted: one item by its id, or everything.
    ///
    /// # Errors
    /// When there is no such item.
    pub async fn forget_deleted(&self, id: Option<String>) -> Result<(), EngineError> {
        let history = self.inner.history.clone();
        let forget = move || match id {
            Some(id) => history.forget_deleted(&id),
            None => history.purge(i64::MAX).map(drop),
        };
        blocking(forget).await??;
        self.forget_in_backups().await;
        Ok(())
    }

    /// Deletes a turn. For 30 days this can be taken back with [`restore_turn`](Self::restore_turn), or, where it was
    /// the only turn of its thread, with [`restore`](Self::restore). A private turn is gone at once.
    ///
    /// # Errors
    /// When there is no such turn, or it is being answered.
    pub async fn delete_turn(&self, turn: &TurnId) -> Result<DeletedTurn, EngineError> {
        let (history, handbook) = (self.history_with(turn)?, self.handbook_address());
        self.refuse_opened_share(&history)?;
        let (turn, is_private) = (turn.clone(), self.is_private(&history));
        let delete = move || {
            if is_private {
                return history.forget_turn(&turn, true, now_ms());
            }
            let rests_on_private = run::rests_on_private(&history.turn(&turn)?, &handbook);
            history.delete_turn(&turn, rests_on_private, now_ms())
        };
        Ok(blocking(delete).await??)
    }

    /// Takes the deletion of a turn back.
    ///
    /// # Errors
    /// When the turn is gone for good.
    pub async fn restore_turn(&self, turn: &TurnId) -> Result<(), EngineError> {
        self.with_turn(turn, History::restore_turn).await
    }

    /// Deletes a turn for good, at once; the backups lose it by [`forget_in_backups`](Self::forget_in_backups).
    ///
    /// # Errors
    /// As [`delete_turn`](Self::delete_turn).
    pub async fn forget_turn(&self, turn: &TurnId) -> Result<DeletedTurn, EngineError> {
        self.refuse_opened_share(&self.history_with(turn)?)?;
        let handbook = self.handbook_address();
        self.with_turn(turn, move |history, turn| {
            let rests_on_private = run::rests_on_private(&history.turn(turn)?, &handbook);
            history.forget_turn(turn, rests_on_private, now_ms())
        })
        .await
    }

    /// Takes what was deleted for good out of the backups, too. What cannot be written just now is tried again every day.
    pub async fn forget_in_backups(&self) {
        let history = self.inner.history.clone();
        let forgotten = blocking(move || history.forget_in_all_backups()).await;
        if let Err(error) = forgotten.and_then(|done| Ok(done?)) {
            tracing::warn!(%error, "deleted research could not be taken out of the backups");
        }
    }

    /// Deletes a thread for good, at once; the backups lose it by [`forget_in_backups`](Self::forget_in_backups).
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn forget(&self, thread: &ThreadId) -> Result<(), EngineError> {
        self.stop_runs_of(thread);
        let (history, thread) = (self.history_of(thread)?, thread.clone());
        Ok(blocking(move || history.delete_thread(&thread)).await??)
    }

    /// Takes a deletion back.
    ///
    /// # Errors
    /// When the thread is gone for good.
    pub async fn restore(&self, thread: &ThreadId) -> Result<(), EngineError> {
        let (history, thread) = (self.inner.history.clone(), thread.clone());
        Ok(blocking(move || history.restore(&thread)).await??)
    }

    /// A thread as a file, with this turn alone if one is named.
    ///
    /// # Errors
    /// When there is no such thread.
    pub async fn thread_file(&self, thread: &ThreadId, turn: Option<&TurnId>) -> Result<ThreadFile, EngineError> {
        let file = self.in_thread(thread, History::export).await?;
        Ok(match turn {
            Some(turn) => {
                let handbook = self.handbook_address();
                file.only(turn, |before| run::rests_on_private(before, &handbook))
            }
            None => file,
        })
    }

    /// Writes every thread of the library, one a line, and behind them what else it holds. Returns how many threads there
    /// were, or what the place they were written to said.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn write_threads<W: std::io::Write + Send + 'static>(&self, mut out: W) -> Result<std::io::Result<u32>, EngineError> {
        let history = self.inner.history.clone();
        blocking(move || {
            let mut count = 0;
            let items = history.items()?;
            for thread in history.all()? {
                // One that was deleted meanwhile is left out.
                let file = match history.export(&thread) {
                    Ok(file) => file,
                    Err(StoreError::Missing { .. }) => continue,
                    Err(error) => return Err(error.into()),
                };
                if let Err(error) = write_line(&mut out, &file)? {
                    return Ok(Err(error));
                }
                count += 1;
            }
            for item in &items {
                if let Err(error) = write_line(&mut out, item)? {
                    return Ok(Err(error));
                }
            }
            Ok(out.flush().map(|()| count))
        })
        .await?
    }

    /// Keeps a private thread on the disk from now on.
    ///
    /// # Errors
    /// When a run is going on in it, or the database refuses; it stays private then.
    pub async fn keep(&self, thread: &ThreadId) -> Result<(), EngineError> {
        if self.is_answering(thread) {
            return Err(EngineError::Busy);
        }
        let (private, kept, thread) = (self.private()?, self.inner.history.clone(), thread.clone());
        Ok(blocking(move || {
            let turns: Vec<TurnId> = private.outlines(&thread)?.into_iter().map(|turn| turn.id).collect();
            kept.import(&[private.export(&thread)?])?;
            kept.take_usage(&private, &turns)?;
            private.delete_thread(&thread)
        })
        .await??)
    }

    /// The history that is kept.
    pub(crate) fn history(&self) -> Arc<History> {
        self.inner.history.clone()
    }

    /// The history of private threads.
    pub(super) fn private(&self) -> Result<Arc<History>, EngineError> {
        self.made_in_memory(&self.inner.private)
    }

    /// The history of private threads, where there have been any.
    pub(super) fn private_history(&self) -> Option<Arc<History>> {
        self.inner.private.get().cloned()
    }

    pub(super) fn is_private(&self, history: &Arc<History>) -> bool {
        self.inner.private.get().is_some_and(|private| Arc::ptr_eq(private, history))
    }

    /// Does blocking work on the history that a thread is kept in.
    pub(super) async fn in_thread<T: Send + 'static>(
        &self,
        thread: &ThreadId,
        work: impl FnOnce(&History, &ThreadId) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let (history, thread) = (self.history_of(thread)?, thread.clone());
        Ok(blocking(move || work(&history, &thread)).await??)
    }

    /// Does blocking work on the history that a turn is kept in.
    pub(super) async fn with_turn<T: Send + 'static>(
        &self,
        turn: &TurnId,
        work: impl FnOnce(&History, &TurnId) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let (history, turn) = (self.history_with(turn)?, turn.clone());
        Ok(blocking(move || work(&history, &turn)).await??)
    }

    /// The history that a thread is kept in.
    pub(super) fn history_of(&self, thread: &ThreadId) -> Result<Arc<History>, EngineError> {
        for history in self.in_memory() {
            if history.has_thread(thread)? {
                return Ok(history.clone());
            }
        }
        Ok(self.inner.history.clone())
    }

    /// The history that a turn is kept in.
    pub(super) fn history_with(&self, turn: &TurnId) -> Result<Arc<History>, EngineError> {
        for history in self.in_memory() {
            if history.has_turn(turn)? {
                return Ok(history.clone());
            }
        }
        Ok(self.inner.history.clone())
    }

    /// The histories that are kept in memory alone: private threads, and shared threads of others that were opened.
    fn in_memory(&self) -> impl Iterator<Item = &Arc<History>> {
        [&self.inner.private, &self.inner.at_hand].into_iter().filter_map(OnceLock::get)
    }

    /// One of these, made when it is needed first.
    pub(super) fn made_in_memory(&self, place: &OnceLock<Arc<History>>) -> Result<Arc<History>, EngineError> {
        if let Some(known) = place.get() {
            return Ok(known.clone());
        }
        let made = Arc::new(History::in_memory(&self.inner.paths.data)?);
        Ok(place.get_or_init(|| made).clone())
    }
}

/// Writes something as a line of JSON, and returns what the place it is written to says.
fn write_line(out: &mut impl std::io::Write, value: &impl serde::Serialize) -> Result<std::io::Result<()>, StoreError> {
    let line = serde_json::to_string(value)? + "\n";
    Ok(out.write_all(line.as_bytes()))
}

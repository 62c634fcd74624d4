//! Telling the team library of what has changed in threads that are shared.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::Duration;

use nexi_core::{
    ids::ThreadId,
    ports::{DatabaseCause, Fault},
};
use nexi_postgres::Appended;
use nexi_store::{
    History, StoreError,
    history::{OutboxItem, OutboxKind, ThreadFile},
    lock::try_exclusive,
};
use uuid::Uuid;

use super::Trouble;
use crate::{
    Engine, EngineError,
    aside::blocking,
    team::{self, Prepared, Sharing},
};

/// Between two looks for what another process has put into the queue, or the library could not be told.
const PAUSE: Duration = Duration::from_secs(20);
/// The longest pause while the team library is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// How long somebody waits who shares something.
const SOON: Duration = Duration::from_secs(4);

impl Engine {
    /// Tells the team library what waits, as far as that is done soon; the rest, and what goes wrong, is for later.
    pub(super) async fn tell_now(&self) {
        match tokio::time::timeout(SOON, self.send_outbox()).await {
            Ok(Err(error)) => tracing::info!(%error, "the team library could not be told"),
            Ok(Ok(_)) => {}
            Err(_) => self.inner.team.changed.notify_one(),
        }
    }

    /// Tells the team library of the settings whatever waits. Returns how much that was. Does nothing where another process is
    /// at it.
    ///
    /// # Errors
    /// When the team library cannot be reached or refuses; what waits stays.
    pub async fn send_outbox(&self) -> Result<u32, EngineError> {
        // Most people have no team.
        if !self.has_team() {
            return Ok(0);
        }
        let _round = self.inner.team.round.lock().await;
        if self.in_library(|history| Ok(history.sharing()?.2)).await? == 0 {
            return Ok(0);
        }
        let mut refused = None;
        let told = self.known_by(self.tell_all(&mut refused).await);
        let mut trouble = self.inner.team.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        *trouble = match &told {
            Err(EngineError::Database(cause)) => Some(Trouble { cause: cause.clone(), thread: refused }),
            _ => None,
        };
        told
    }

    /// The same; where it fails because threads were refused, `first` becomes the first of them.
    async fn tell_all(&self, first: &mut Option<ThreadId>) -> Result<u32, EngineError> {
        let Some(team) = self.team().await? else { return Ok(0) };
        let path = self.inner.paths.data.join("team.lock");
        let Some(_turn) = blocking(move || try_exclusive(&path)).await? else { return Ok(0) };
        let (library, handbook) = (team.id().await?, self.handbook_address());
        let (mut last, mut count): (Option<OutboxItem>, u32) = (None, 0);
        // What is refused stands in the way of nothing but its own thread, whose events keep their order.
        let (mut refused, mut why) = (HashSet::new(), None::<(DatabaseCause, Option<ThreadId>)>);
        loop {
            let behind = last.take();
            let next = self.in_library(move |history| history.take_from_outbox(library, behind.as_ref())).await?;
            let Some(next) = next else {
                let Some((cause, thread)) = why else { return Ok(count) };
                *first = thread;
                return Err(cause.into());
            };
            if refused.contains(&next.share) {
                last = Some(next);
                continue;
            }
            let (item, handbook) = (next.clone(), handbook.clone());
            let prepared = self.in_library(move |history| prepare(history, &item, &handbook)).await?;
            let became = match &prepared {
                Prepared::Send(event) => team.append(event).await,
                // Nothing is to be told of it.
                Prepared::Nothing => Ok(Appended::Known),
            };
            let became = match became {
                // It stays where it is, and so does the wish: nobody is told that it is done.
                Ok(Appended::Foreign) if matches!(next.what, OutboxKind::Withdrawn | OutboxKind::TurnWithdrawn(_)) => {
                    Err(DatabaseCause::EarlierLogin)
                }
                became => became,
            };
            let became = match became {
                Ok(became) => became,
                Err(cause) if cause.fault() == Fault::Other => {
                    tracing::warn!(%cause, share = %next.share, "the team library refused something");
                    refused.insert(next.share);
                    why.get_or_insert((cause, next.thread.clone()));
                    last = Some(next);
                    continue;
                }
                Err(cause) => return Err(cause.into()),
            };
            let done = next.clone();
            self.in_library(move |history| match became {
                Appended::Kept | Appended::Known => history.told(&done),
                Appended::Withdrawn | Appended::Foreign => history.share_is_over(done.share),
            })
            .await?;
            count += u32::from(matches!(prepared, Prepared::Send(_)));
            last = Some(next);
        }
    }

    /// Tells the team library as it comes up, for as long as this process lives. Never ends.
    pub async fn run_outbox_sender(&self) {
        let mut pause = PAUSE;
        loop {
            match self.send_outbox().await {
                Ok(_) => pause = PAUSE,
                Err(error) => {
                    tracing::info!(%error, "the team library could not be told");
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
            tokio::select! {
                () = self.inner.team.changed.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Something may have changed that the team library is to be told.
    pub(in crate::engine) fn notify_outbox(&self) {
        self.inner.team.changed.notify_one();
    }
}

/// What the team library is told, by the thread as it is now; notes how much of it is held back.
fn prepare(history: &History, next: &OutboxItem, handbook: &str) -> Result<Prepared, StoreError> {
    let sharing = match (&next.what, &next.thread) {
        (OutboxKind::Withdrawn, _) | (_, None) => None,
        (_, Some(thread)) => Known::of(history, thread)?,
    };
    let Some(known) = sharing else { return Ok(team::prepared(next, None)?.0) };
    let sharing = known.sharing(handbook);
    history.note_held(next.share, sharing.held())?;
    let (prepared, again) = team::prepared(next, Some(&sharing))?;
    if matches!(prepared, Prepared::Send(_)) {
        let turn = if let OutboxKind::Turn(turn) = &next.what { Some(turn) } else { None };
        history.note_sent(next.share, turn, &again)?;
    }
    Ok(prepared)
}

/// Notes how many answers of a shared thread are held back.
pub(super) fn note_held(history: &History, thread: &ThreadId, handbook: &str) -> Result<(), StoreError> {
    match Known::of(history, thread)? {
        Some(known) => history.note_held(known.share, known.sharing(handbook).held()),
        None => Ok(()),
    }
}

/// A shared thread as it is now.
struct Known {
    share: Uuid,
    file: ThreadFile,
    private: bool,
    sent: HashSet<String>,
    origin: Option<(Uuid, String)>,
}

impl Known {
    /// None where it is gone, or not shared.
    fn of(history: &History, thread: &ThreadId) -> Result<Option<Self>, StoreError> {
        let Some(shared) = history.shared(thread)? else { return Ok(None) };
        let file = match history.export(thread) {
            Ok(file) => file,
            Err(StoreError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let (sent, origin) = (history.sent_turns(shared.share)?, history.origin(thread)?);
        Ok(Some(Self { share: shared.share, file, private: shared.facts.private, sent, origin }))
    }

    fn sharing<'a>(&'a self, handbook: &'a str) -> Sharing<'a> {
        Sharing::new(&self.file, self.private, &self.sent, self.origin.as_ref(), handbook)
    }
}

//! The team library: sharing threads, and looking at those of others.

mod telling;

use std::sync::{Arc, Mutex, PoisonError};

use nexi_core::{
    ids::{ThreadId, TurnId},
    ports::{DatabaseCause, Fault},
    protocol::{SharedFacts, TeamFacts, TeamPage, TeamSearch, TeamStatus},
};
use nexi_messages::say;
use nexi_store::{History, StoreError, history::ThreadFile};
use secrecy::SecretString;
use tokio::sync::{Mutex as AsyncMutex, Notify};
use uuid::Uuid;

use super::{Engine, blocking};
use crate::{
    EngineError,
    database::DatabaseKind,
    driver::now_ms,
    sentences,
    team::{self, Team},
    wiring,
};

/// Shared threads that are kept at hand once they were looked at.
const MAX_OPENED_SHARES: usize = 20;
/// Digits by which one of them can be named.
const SHORTEST: usize = 4;

/// What this process knows of the team library.
#[derive(Default)]
pub(super) struct TeamWork {
    /// The connection, and the settings that it was made by.
    team: Mutex<Option<(String, Team)>>,
    /// One round of telling after the other.
    round: AsyncMutex<()>,
    /// There is something to tell.
    changed: Notify,
    /// Why it could not be told the last time.
    trouble: Mutex<Option<Trouble>>,
    /// Shared threads that were looked at, in memory alone: the oldest first.
    opened: Mutex<Vec<Opened>>,
}

/// Why the team library could not be told.
#[derive(Clone)]
struct Trouble {
    cause: DatabaseCause,
    /// The thread that it refused, where it did.
    thread: Option<ThreadId>,
}

/// A shared thread that was looked at.
#[derive(Clone)]
struct Opened {
    thread: ThreadId,
    facts: TeamFacts,
}

impl Engine {
    /// The team library at an address, or of a provider of the settings, without connecting yet.
    ///
    /// # Errors
    /// When it is no address, holds a password, or there is no such provider.
    pub async fn team_at(&self, to: &str, is_name: bool, password: Option<SecretString>) -> Result<Team, EngineError> {
        let (settings, to) = (self.settings(), to.to_owned());
        let database = move || match is_name {
            true => wiring::database(&settings, "to", &to, password, DatabaseKind::Team),
            false => wiring::database_at(&settings, &to, password, DatabaseKind::Team),
        };
        Ok(Team::new(blocking(database).await??))
    }

    /// The team library of the settings; none where they name none.
    async fn team(&self) -> Result<Option<Team>, EngineError> {
        let settings = self.settings();
        let Some(name) = settings.team_library.clone() else { return Ok(None) };
        let provider = settings.provider(&name).map(|provider| format!("{provider:?}")).unwrap_or_default();
        let by = format!("{name} {provider} {:?}", settings.network.root_certificates);
        let known = self.inner.team.team.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Some((made_by, team)) if made_by == by => Ok(Some(team)),
            _ => {
                let database = move || wiring::database(&settings, "team_library", &name, None, DatabaseKind::Team);
                let team = Team::new(blocking(database).await??);
                *self.inner.team.team.lock().unwrap_or_else(PoisonError::into_inner) = Some((by, team.clone()));
                Ok(Some(team))
            }
        }
    }

    async fn needed_team(&self) -> Result<Team, EngineError> {
        self.refresh_settings();
        self.team().await?.ok_or_else(|| EngineError::invalid("team_library", say!("arguments-team.none")))
    }

    /// What came of asking the team library. A password that was refused is looked up anew the next time.
    fn known_by<T>(&self, done: Result<T, EngineError>) -> Result<T, EngineError> {
        if matches!(&done, Err(EngineError::Database(cause)) if cause.fault() == Fault::Key) {
            self.forget_team();
        }
        done
    }

    /// Forgets the connection: a password may be another one.
    pub(super) fn forget_team(&self) {
        *self.inner.team.team.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the settings name a team library.
    pub fn has_team(&self) -> bool {
        self.settings().team_library.is_some()
    }

    /// Shares a thread with the members of a role, or with everybody; `private` says that answers that rest on private text go
    /// along. It is told when the library can be reached.
    ///
    /// # Errors
    /// When there is no team library or no such thread, the thread is private, or who asks is not a member of the role.
    pub async fn share(&self, thread: &ThreadId, role: Option<String>, private: bool) -> Result<SharedFacts, EngineError> {
        let team = self.needed_team().await?;
        let history = self.history_of(thread)?;
        if self.is_private(&history) {
            return Err(EngineError::invalid("thread", say!("arguments-team.private")));
        }
        self.refuse_opened_share(&history)?;
        let known = self.shared_facts(thread).await?;
        // Whoever shares what was held back shares it with the same people.
        let role = role.or_else(|| known.as_ref().filter(|_| private)?.role.clone());
        if let Some(known) = known.filter(|known| known.role != role) {
            return Err(shared_otherwise(known.role.as_deref()));
        }
        self.check_role(&team, role.as_deref()).await?;
        let (shared, handbook) = (thread.clone(), self.handbook_address());
        self.in_library(move |history| {
            history.share(&shared, role.as_deref(), private)?;
            telling::note_held(history, &shared, &handbook)
        })
        .await?;
        self.tell_now().await;
        self.shared_facts(thread).await?.ok_or(EngineError::Gone)
    }

    /// Whether threads can be shared with this role, as far as that can be found out now.
    async fn check_role(&self, team: &Team, role: Option<&str>) -> Result<(), EngineError> {
        match role {
            Some(role) => match team.check_member(role).await {
                // It is told later, and checked then.
                Err(cause) if cause.is_transient() => Ok(()),
                checked => Ok(checked?),
            },
            None => Ok(()),
        }
    }

    /// Takes a thread back from the team library. Whether it was shared.
    ///
    /// # Errors
    /// When the database of the library refuses.
    pub async fn withdraw(&self, thread: &ThreadId) -> Result<bool, EngineError> {
        let taken = thread.clone();
        let was = self.in_library(move |history| history.withdraw(&taken)).await?;
        self.tell_now().await;
        Ok(was)
    }

    /// Takes a thread of one's own back by its name in the team library.
    ///
    /// # Errors
    /// When there is no team library, or it cannot be read whose the thread is.
    pub async fn withdraw_share(&self, share: &ThreadId) -> Result<(), EngineError> {
        let (team, id) = (self.needed_team().await?, uuid(share)?);
        if self.in_library(move |history| history.thread_of_share(id)).await?.is_none() && !team.is_own(id).await? {
            return Err(EngineError::invalid("thread", say!("arguments-team.foreign")));
        }
        self.in_library(move |history| history.withdraw_share(id)).await?;
        self.tell_now().await;
        Ok(())
    }

    /// Shares the threads of a space, also those that come, or takes back those that are shared for it.
    ///
    /// # Errors
    /// When there is no team library or no such space, or who asks is not a member of the role.
    pub async fn share_space(&self, space: &str, role: Option<String>, on: bool) -> Result<(), EngineError> {
        if on {
            let (team, id) = (self.needed_team().await?, self.space(space).await?.id);
            let known = self.in_library(History::shared_spaces).await?.into_iter().find(|(shared, _)| *shared == id);
            if let Some((_, other)) = known.filter(|(_, known)| *known != role) {
                return Err(shared_otherwise(other.as_deref()));
            }
            self.check_role(&team, role.as_deref()).await?;
        }
        let space = space.to_owned();
        self.in_library(move |history| history.share_space(&space, role.as_deref(), on)).await?;
        self.tell_now().await;
        Ok(())
    }

    /// How sharing stands.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn team_status(&self) -> Result<TeamStatus, EngineError> {
        let trouble = self.inner.team.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let library = self.settings().team_library;
        self.in_library(move |history| {
            let (shared, held, waiting) = history.sharing()?;
            let trouble = trouble.filter(|_| waiting > 0).map(|Trouble { cause, thread }| {
                let why = sentences::database(&cause);
                match thread.and_then(|thread| history.title(&thread).ok()) {
                    Some((title, ..)) => say!("errors-team-refused", title = title, why = why),
                    None => why,
                }
            });
            let spaces = history.shared_spaces()?.into_iter().map(|(space, _)| space).collect();
            Ok(TeamStatus { library, shared, held, waiting, trouble, spaces })
        })
        .await
    }

    /// How a thread is shared, if it is.
    pub(super) async fn shared_facts(&self, thread: &ThreadId) -> Result<Option<SharedFacts>, EngineError> {
        let thread = thread.clone();
        Ok(self.in_library(move |history| history.shared(&thread)).await?.map(|shared| shared.facts))
    }

    /// Threads of the team library.
    ///
    /// # Errors
    /// When there is none, it cannot be reached, or it refuses.
    pub async fn team_threads(&self, wanted: &TeamSearch) -> Result<TeamPage, EngineError> {
        self.known_by(self.needed_team().await?.threads(wanted).await)
    }

    /// The shared thread with this name, or the only one whose name begins or ends so.
    ///
    /// # Errors
    /// When there is none, or it fits several.
    pub async fn find_shared(&self, id: &str) -> Result<ThreadId, EngineError> {
        let team = self.needed_team().await?;
        let digits = id.trim().replace('-', "").to_ascii_lowercase();
        if digits.len() < SHORTEST || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(EngineError::invalid("id", say!("arguments-team.id", id = id)));
        }
        self.known_by(team.find(&digits).await)
    }

    /// Brings a shared thread here to be looked at, in memory alone, and returns the id under which it can be. One of one's own
    /// that is in the library is that one.
    ///
    /// # Errors
    /// When it is no longer shared, or the team library cannot be reached.
    pub async fn open_shared(&self, share: &ThreadId) -> Result<ThreadId, EngineError> {
        let id = uuid(share)?;
        if let Some(own) = self.in_library(move |history| history.thread_of_share(id)).await? {
            return Ok(own);
        }
        let shared = self.known_by(self.needed_team().await?.thread(id).await)?;
        let (history, thread) = (self.at_hand()?, shared.file.id.clone());
        let opened = Opened { thread: thread.clone(), facts: TeamFacts { author: shared.author, own: shared.own } };
        let gone = {
            let mut all = self.inner.team.opened.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|known| known.thread != thread);
            all.push(opened);
            let too_many = all.len().saturating_sub(MAX_OPENED_SHARES);
            all.drain(..too_many).map(|old| old.thread).collect::<Vec<_>>()
        };
        let file = shared.file;
        blocking(move || {
            for old in gone.iter().chain([&file.id]) {
                if history.has_thread(old)? {
                    history.delete_thread(old)?;
                }
            }
            history.import(&[file]).map(drop)
        })
        .await??;
        Ok(thread)
    }

    /// Goes on from a shared thread: a thread of one's own with copies of its turns, of those up to one of them where it is
    /// named.
    ///
    /// # Errors
    /// When it is no longer shared, or the team library cannot be reached.
    pub async fn continue_shared(&self, share: &ThreadId) -> Result<ThreadId, EngineError> {
        let shared = self.known_by(self.needed_team().await?.thread(uuid(share)?).await)?;
        self.take_over(shared.file, shared.author).await
    }

    /// The same of what is at hand, up to this turn.
    pub(super) async fn continue_opened_share(&self, turn: &TurnId, including: bool) -> Result<Option<ThreadId>, EngineError> {
        let (history, turn) = (self.at_hand()?, turn.clone());
        let (mut file, last) = blocking(move || {
            let thread = history.turn(&turn)?.thread;
            Ok::<_, StoreError>((history.export(&thread)?, turn))
        })
        .await??;
        let author = self.team_facts(&file.id).map(|facts| facts.author).unwrap_or_default();
        let at = file.turns.iter().position(|turn| turn.id == last).unwrap_or_default();
        file.turns.truncate(if including { at + 1 } else { at });
        if file.turns.is_empty() {
            return Ok(None);
        }
        self.take_over(file, author).await.map(Some)
    }

    /// Takes copies of turns into the library, under ids of their own.
    async fn take_over(&self, mut file: ThreadFile, author: String) -> Result<ThreadId, EngineError> {
        let (origin, thread) = (uuid(&file.id)?, ThreadId(Uuid::now_v7().simple().to_string()));
        for turn in &mut file.turns {
            (turn.id, turn.thread) = (team::new_turn(), thread.clone());
        }
        let now = now_ms();
        let file = ThreadFile { id: thread.clone(), created_ms: now, updated_ms: now, pinned: false, space: None, ..file };
        self.in_library(move |history| history.import_branch(&file, origin, &author)).await?;
        Ok(thread)
    }

    /// Whose a shared thread is that is at hand.
    pub(super) fn team_facts(&self, thread: &ThreadId) -> Option<TeamFacts> {
        let opened = self.inner.team.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.iter().find(|known| known.thread == *thread).map(|known| known.facts.clone())
    }

    /// Where shared threads of others are that were looked at.
    fn at_hand(&self) -> Result<Arc<History>, EngineError> {
        self.made_in_memory(&self.inner.at_hand)
    }

    /// Whether this is where shared threads of others are.
    pub(super) fn is_opened_share(&self, history: &Arc<History>) -> bool {
        self.inner.at_hand.get().is_some_and(|known| Arc::ptr_eq(known, history))
    }

    /// Fails where a shared thread of somebody else is but looked at.
    pub(super) fn refuse_opened_share(&self, history: &Arc<History>) -> Result<(), EngineError> {
        match self.is_opened_share(history) {
            true => Err(EngineError::invalid("thread", say!("arguments-team.continue_first"))),
            false => Ok(()),
        }
    }
}

/// With whom it is shared cannot be changed.
fn shared_otherwise(role: Option<&str>) -> EngineError {
    EngineError::invalid(
        "group",
        match role {
            Some(role) => say!("arguments-team.other_role", role = role),
            None => say!("arguments-team.with_everybody"),
        },
    )
}

fn uuid(share: &ThreadId) -> Result<Uuid, EngineError> {
    Uuid::parse_str(share.as_str()).map_err(|_| DatabaseCause::NoSharedThread.into())
}

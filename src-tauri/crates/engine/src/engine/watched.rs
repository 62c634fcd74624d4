//! Watched questions: asked again by themselves, and told of only when something changed.

mod check;
mod feed;
mod schedule;

use std::path::PathBuf;

use jiff::Zoned;
use nexi_core::{
    ids::TurnId,
    protocol::{AnswerChange, CheckOutcome, Ending, Focus, HookEvent, Schedule, TurnState, WatchedHow, WatchedQuestion},
    run::Asked,
};
use nexi_messages::say;
use nexi_store::{
    History, StoreError,
    history::{NewWatched, WatchedChange},
    lock,
};
use schedule::next;

use super::{Engine, blocking, thread::asked_of};
use crate::{EngineError, driver::now_ms, new_file::write_new, power};

/// A question to be watched.
#[derive(Debug, Clone)]
pub struct NewWatch {
    /// The turn that asked it; later answers are compared with its answer.
    pub turn: TurnId,
    /// In other words than those of the turn; none takes those.
    pub question: Option<String>,
    pub schedule: Schedule,
    /// What one check may cost, in US dollars; none takes the settings'.
    pub max_cost: Option<f64>,
    /// No cost limit counts as long as the price of the model is not known.
    pub any_cost: bool,
    /// The person says that the question stands alone.
    pub stands_alone: bool,
}

/// A question that was checked, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// As it is now.
    pub watched: WatchedQuestion,
    pub outcome: CheckOutcome,
    /// What changed, if anything did.
    pub change: Option<AnswerChange>,
    /// The turn of the check, where it was removed: nothing was new.
    pub removed: Option<TurnId>,
}

/// What became of a question that was to be checked.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckAttempt {
    Checked(Box<CheckReport>),
    /// It is not due, or somebody else has just checked it.
    NotDue,
    /// A question is being checked, or one is being answered in its thread.
    Busy,
}

/// Why nothing is checked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseReason {
    Battery,
    Metered,
    /// Another process checks questions, or their threads are being answered in.
    Busy,
}

impl Engine {
    /// Watches the question of a turn.
    ///
    /// # Errors
    /// When there is no such turn, it is private, has no answer, was asked with attachments that a check could not read
    /// again, or is understood only with what was said before it.
    pub async fn watch(&self, new: NewWatch) -> Result<WatchedQuestion, EngineError> {
        let history = self.history_with(&new.turn)?;
        self.refuse_opened_share(&history)?;
        if self.is_private(&history) {
            return Err(EngineError::invalid("turn", say!("arguments-turn.private")));
        }
        if new.max_cost.is_some_and(|dollars| !dollars.is_finite() || dollars <= 0.0) {
            return Err(EngineError::invalid("max_cost", say!("arguments-limit.dollars")));
        }
        let id = new.turn.clone();
        let (turn, is_first, asked) = blocking({
            let history = history.clone();
            move || {
                let turn = history.turn(&id)?;
                let is_first = history.outlines(&turn.thread)?.first().is_some_and(|first| first.id == id);
                let asked = asked_of(&history, &id)?;
                Ok::<_, StoreError>((turn, is_first, asked))
            }
        })
        .await??;
        match turn.ending.state {
            TurnState::Running => return Err(EngineError::Busy),
            TurnState::Answered | TurnState::Partial => {}
            _ => return Err(EngineError::invalid("turn", say!("arguments-turn.not_comparable"))),
        }
        let own = new.question.as_deref().map(str::trim).filter(|text| !text.is_empty() && *text != turn.question);
        let question = own.unwrap_or(&turn.question).to_owned();
        super::ask::check_question(&question)?;
        if !is_first && !new.stands_alone && nexi_core::rank::alike::is_context_dependent(&question) {
            return Err(EngineError::LeansOnContext);
        }
        let how =
            how(&turn.ending, asked.as_ref(), &new).ok_or_else(|| EngineError::invalid("turn", say!("arguments-turn.with_attachments")))?;
        let how = WatchedHow { effort: Some(turn.effort), mode: turn.mode, ..how };
        if !how.any_cost {
            let model = self.model_in(&turn.thread, how.provider.clone()).await?;
            self.check_watchable(model.as_deref()).await?;
        }
        let (now, schedule) = (Zoned::now(), new.schedule);
        // An answer to other words is nothing to compare with; then the first check is.
        let compared_with = own.is_none().then_some(turn.id);
        let next_ms = if compared_with.is_some() { next(schedule, None, &now) } else { now.timestamp().as_millisecond() };
        Ok(blocking(move || {
            history.watch(&NewWatched {
                thread: &turn.thread,
                question: &question,
                how: &how,
                schedule,
                now_ms: now.timestamp().as_millisecond(),
                next_ms,
                compared_with: compared_with.as_ref(),
            })
        })
        .await??)
    }

    /// Whether the costs of checks by this model can be held to a limit: they always have one.
    ///
    /// # Errors
    /// [`EngineError::PriceUnknown`] where not.
    pub async fn check_watchable(&self, provider: Option<&str>) -> Result<(), EngineError> {
        self.refresh_settings();
        let mut settings = self.settings();
        super::ask::choose(&mut settings, provider, Focus::Both)?;
        let parts = self.parts(&settings, &[], &[], None).await?;
        let told = self.told(&parts).await;
        self.check_costs(&parts, &told, Some(settings.watched.max_cost_month), settings.max_tokens, true).await
    }

    /// All watched questions, the newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn watched(&self) -> Result<Vec<WatchedQuestion>, EngineError> {
        self.in_library(History::watched).await
    }

    /// The watched question with this id, or the only one whose id begins or ends so.
    ///
    /// # Errors
    /// When there is none, or there are several.
    pub async fn watched_question(&self, id: &str) -> Result<WatchedQuestion, EngineError> {
        let id = id.to_owned();
        self.in_library(move |history| history.watched_question(&history.find_watched(&id)?)).await
    }

    /// Checks a question at other times.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn schedule_watched(&self, id: &str, schedule: Schedule) -> Result<(), EngineError> {
        let (id, next_ms) = (id.to_owned(), next(schedule, None, &Zoned::now()));
        self.in_library(move |history| history.schedule_watched(&id, schedule, next_ms)).await
    }

    /// Checks a question no longer for a while, or again.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn pause_watched(&self, id: &str, paused: bool) -> Result<(), EngineError> {
        let id = id.to_owned();
        self.in_library(move |history| {
            history.clear_broken_check(&id, now_ms())?;
            let schedule = history.watched_question(&id)?.schedule;
            history.pause_watched(&id, paused, next(schedule, None, &Zoned::now()))
        })
        .await
    }

    /// Watches a question no longer; its answers stay.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn stop_watching(&self, id: &str) -> Result<(), EngineError> {
        let id = id.to_owned();
        self.in_library(move |history| {
            history.clear_broken_check(&id, now_ms())?;
            history.stop_watching(&id)
        })
        .await
    }

    /// The newest answers that said something new, to one question or to all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn watched_changes(&self, id: Option<&str>, limit: u32) -> Result<Vec<WatchedChange>, EngineError> {
        let id = id.map(str::to_owned);
        self.in_library(move |history| history.watched_changes(id.as_deref(), limit)).await
    }

    /// The same as an Atom feed.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn watch_feed(&self) -> Result<String, EngineError> {
        Ok(feed::atom(&self.watched_changes(None, feed::MAX_ENTRIES).await?))
    }

    /// Writes the feed into a new file in `folder`; the file.
    ///
    /// # Errors
    /// When the library cannot be read or the folder cannot be written.
    pub async fn save_watch_feed(&self, folder: &std::path::Path) -> Result<PathBuf, EngineError> {
        let (folder, feed) = (folder.to_path_buf(), self.watch_feed().await?);
        blocking(move || write_new(&folder, "nexi-changes.xml", &feed)).await?
    }

    /// Checks every question that is due, one after the other, and tells each report as it comes. Several processes may
    /// do this at once: each question is checked by one of them. Returns why something that is due was left.
    ///
    /// # Errors
    /// When the library cannot be read or written; the other questions are checked all the same. What goes wrong with a
    /// check is part of its report.
    pub async fn check_due(&self, mut told: impl FnMut(CheckReport) + Send) -> Result<Option<PauseReason>, EngineError> {
        let due: Vec<WatchedQuestion> = self.watched().await?.into_iter().filter(|one| is_due(one, now_ms())).collect();
        if due.is_empty() {
            return Ok(None);
        }
        if let Some(rest) = self.rest().await {
            return Ok(Some(rest));
        }
        let (mut left, mut failed) = (None, None);
        for watched in due {
            match self.check_watched(&watched.id, false).await {
                Ok(CheckAttempt::Checked(report)) => told(*report),
                Ok(CheckAttempt::Busy) => left = Some(PauseReason::Busy),
                Ok(CheckAttempt::NotDue) => {}
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(left), Err)
    }

    /// Checks a question; `now` whether or not it is due.
    ///
    /// # Errors
    /// When there is no such question, or the library cannot be read or written.
    pub async fn check_watched(&self, id: &str, now: bool) -> Result<CheckAttempt, EngineError> {
        // Held until the end, and given up by the system if this process dies.
        let path = self.inner.paths.data.join("locks").join("watched");
        let Some(_lock) = blocking(move || lock::try_exclusive(&path)).await? else { return Ok(CheckAttempt::Busy) };
        let wanted = id.to_owned();
        let watched = self
            .in_library(move |history| {
                history.clear_broken_check(&wanted, now_ms())?;
                history.watched_question(&wanted)
            })
            .await?;
        if !now && !is_due(&watched, now_ms()) {
            return Ok(CheckAttempt::NotDue);
        }
        let Some(checked) = self.check(&watched).await? else { return Ok(CheckAttempt::Busy) };
        let (outcome, change, settled) = (checked.outcome.clone(), checked.change.clone(), id.to_owned());
        let turn = checked.turn.clone();
        let report = self
            .in_library(move |history| {
                if !history.settle_check(&settled, &checked)? {
                    return Ok(None);
                }
                let removed = turn.map(|turn| Ok::<_, StoreError>((!history.has_turn(&turn)?).then_some(turn))).transpose()?.flatten();
                Ok(Some((history.watched_question(&settled)?, removed)))
            })
            .await?;
        // The question is no longer watched, so there is nothing to report.
        let Some((watched, removed)) = report else { return Ok(CheckAttempt::NotDue) };
        if let CheckOutcome::Changed { turn, .. } = &outcome {
            self.queue_deliveries(turn, HookEvent::Changed).await;
        }
        Ok(CheckAttempt::Checked(Box::new(CheckReport { watched, outcome, change, removed })))
    }

    /// Why nothing is to be checked now, by the settings and the state of this computer.
    async fn rest(&self) -> Option<PauseReason> {
        let settings = self.settings().watched;
        if !settings.on_battery && blocking(power::on_battery).await.unwrap_or_default() {
            return Some(PauseReason::Battery);
        }
        (!settings.on_metered && power::is_metered().await).then_some(PauseReason::Metered)
    }
}

/// How a turn was asked, as far as a check can do the same; none where it had attachments.
fn how(ending: &Ending, asked: Option<&Asked>, new: &NewWatch) -> Option<WatchedHow> {
    let limits = WatchedHow { max_cost: new.max_cost, any_cost: new.any_cost, ..WatchedHow::default() };
    let Some(asked) = asked else {
        // Nobody knows where it was asked: what has read no page of the web sends nothing there.
        let is_web = ending.sources.iter().any(|source| source.url.starts_with("http"));
        return Some(WatchedHow { focus: if is_web { Focus::Both } else { Focus::Documents }, ..limits });
    };
    // What its space gave is what the space gives then.
    let own = asked.folders.len().saturating_sub(asked.of_space.folders as usize);
    asked.attached.is_empty().then(|| WatchedHow {
        focus: asked.focus,
        provider: asked.provider.clone().filter(|_| !asked.of_space.model),
        // A check may run in another folder.
        folders: asked.folders[..own].iter().map(|folder| absolute(folder)).collect(),
        only_folders: asked.only_folders && asked.of_space.folders == 0,
        sites: asked.sites.clone(),
        ..limits
    })
}

fn absolute(folder: &str) -> String {
    std::path::absolute(folder).map_or_else(|_| folder.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// Whether a question is to be checked; one that lies too far ahead was planned by a clock that was wrong.
fn is_due(watched: &WatchedQuestion, now_ms: i64) -> bool {
    let longest = i64::from(watched.schedule.minutes) * 60_000 + 24 * 3_600_000;
    !watched.paused && (watched.next_ms <= now_ms || watched.next_ms > now_ms.saturating_add(longest))
}

//! Watched questions: asked again by themselves, and told of only when something changed.

mod feed;
mod schedule;

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Zoned;
use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{AnswerChange, CheckOutcome, Ending, Event, Focus, NotChecked, Schedule, TurnState, WatchedHow, WatchedQuestion},
    run::{Asked, Input, change},
    settings::Problem,
};
use nexi_store::{
    History, StoreError,
    history::{Checked, NewWatched, WatchedChange},
    lock,
};
use schedule::{next, next_after_failure};

use super::{AskOptions, Attach, Engine, blocking, usage::start_of_month};
use crate::{EngineError, driver::now_ms, export::write_new, power};

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
    /// No cost limit counts.
    pub any_cost: bool,
}

/// A question that was checked, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckReport {
    /// As it is now.
    pub watched: WatchedQuestion,
    pub outcome: CheckOutcome,
    /// What changed, if anything did.
    pub change: Option<AnswerChange>,
}

/// Why a question is not checked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Battery,
    Metered,
}

impl Engine {
    /// Watches the question of a turn.
    ///
    /// # Errors
    /// When there is no such turn, it is private, has no answer, was asked with attachments that a check could not read
    /// again, or is understood only with what was said before it.
    pub async fn watch(&self, new: NewWatch) -> Result<WatchedQuestion, EngineError> {
        let wrong = |field: &str, message: &str| EngineError::Invalid(Problem::new(field, message));
        let history = self.history_with(&new.turn)?;
        if self.is_private(&history) {
            return Err(wrong("turn", "a private question leaves nothing behind, and so cannot be watched"));
        }
        if new.max_cost.is_some_and(|dollars| !dollars.is_finite() || dollars <= 0.0) {
            return Err(wrong("max_cost", "must be US dollars above 0, such as 0.25"));
        }
        let id = new.turn.clone();
        let (turn, is_first, asked) = blocking({
            let history = history.clone();
            move || {
                let turn = history.turn(&id)?;
                let is_first = history.outlines(&turn.thread)?.first().is_some_and(|first| first.id == id);
                let asked = match history.read_journal(&id)?.into_iter().next().map(|entry| entry.input) {
                    Some(Input::Asked { asked }) => Some(*asked),
                    _ => None,
                };
                Ok::<_, StoreError>((turn, is_first, asked))
            }
        })
        .await??;
        match turn.ending.state {
            TurnState::Running => return Err(EngineError::Busy),
            TurnState::Answered | TurnState::Partial => {}
            _ => return Err(wrong("turn", "has no answer that later ones could be compared with; ask it again first")),
        }
        let own = new.question.as_deref().map(str::trim).filter(|text| !text.is_empty() && *text != turn.question);
        let question = own.unwrap_or(&turn.question).to_owned();
        super::ask::check_question(&question)?;
        if !is_first && nexi_core::rank::alike::leans_on_another(&question) {
            return Err(wrong("question", "is understood only with what was asked before it; write it so that it stands alone"));
        }
        let how = how(&turn.ending, asked.as_ref(), &new)
            .ok_or_else(|| wrong("turn", "was asked with attachments, which a check would not have; ask it without them and watch that"))?;
        let how = WatchedHow { effort: Some(turn.effort), mode: turn.mode, ..how };
        if !how.any_cost {
            self.check_watchable(how.provider.as_deref()).await?;
        }
        let (now, schedule) = (Zoned::now(), new.schedule);
        // An answer to other words is nothing to compare with; then the first check is.
        let compared_with = own.is_none().then_some(turn.id);
        let next_ms = if compared_with.is_some() { next(schedule, &now) } else { now.timestamp().as_millisecond() };
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
        let mut fits = self.watched().await?;
        fits.retain(|one| one.id == id || (id.len() >= 4 && (one.id.starts_with(id) || one.id.ends_with(id))));
        match fits.len() {
            1 => Ok(fits.remove(0)),
            0 => Err(StoreError::Missing { what: "watched question", id: id.to_owned() }.into()),
            _ => Err(StoreError::Ambiguous { id: id.to_owned() }.into()),
        }
    }

    /// Checks a question at other times.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn schedule_watched(&self, id: &str, schedule: Schedule) -> Result<(), EngineError> {
        let (id, next_ms) = (id.to_owned(), next(schedule, &Zoned::now()));
        self.in_library(move |history| history.schedule_watched(&id, schedule, next_ms)).await
    }

    /// Checks a question no longer for a while, or again.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn pause_watched(&self, id: &str, paused: bool) -> Result<(), EngineError> {
        let id = id.to_owned();
        self.in_library(move |history| {
            let schedule = history.watched_question(&id)?.schedule;
            history.pause_watched(&id, paused, next(schedule, &Zoned::now()))
        })
        .await
    }

    /// Watches a question no longer; its answers stay.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn stop_watching(&self, id: &str) -> Result<(), EngineError> {
        let id = id.to_owned();
        self.in_library(move |history| history.stop_watching(&id)).await
    }

    /// The newest answers that said something new.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn watched_changes(&self, limit: u32) -> Result<Vec<WatchedChange>, EngineError> {
        self.in_library(move |history| history.watched_changes(limit)).await
    }

    /// The same as an Atom feed.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn watch_feed(&self) -> Result<String, EngineError> {
        Ok(feed::atom(&self.watched_changes(feed::MOST).await?))
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
    /// do this at once: each question is checked by one of them.
    ///
    /// # Errors
    /// When the library cannot be read or written; what goes wrong with a check is part of its report.
    pub async fn check_due(&self, mut told: impl FnMut(CheckReport) + Send) -> Result<(), EngineError> {
        let now = now_ms();
        let due: Vec<WatchedQuestion> = self.watched().await?.into_iter().filter(|one| !one.paused && one.next_ms <= now).collect();
        if due.is_empty() || self.rest().await.is_some() {
            return Ok(());
        }
        for watched in due {
            if let Some(report) = self.check_watched(&watched.id, false).await? {
                told(report);
            }
        }
        Ok(())
    }

    /// Checks a question; `now` whether or not it is due. None where another process is at it or it is not due any more.
    ///
    /// # Errors
    /// When there is no such question, or the library cannot be read or written.
    pub async fn check_watched(&self, id: &str, now: bool) -> Result<Option<CheckReport>, EngineError> {
        // Held until the end, and given up by the system if this process dies.
        let path = self.inner.paths.data.join("locks").join("watched");
        let Some(_lock) = blocking(move || lock::try_exclusive(&path)).await? else { return Ok(None) };
        let wanted = id.to_owned();
        let watched = self
            .in_library(move |history| {
                history.clear_broken_check(&wanted, now_ms())?;
                history.watched_question(&wanted)
            })
            .await?;
        if !now && (watched.paused || watched.next_ms > now_ms()) {
            return Ok(None);
        }
        let Some((checked, change)) = self.check(&watched).await? else { return Ok(None) };
        let (outcome, settled) = (checked.outcome.clone(), id.to_owned());
        let watched = self
            .in_library(move |history| {
                history.settle_check(&settled, &checked)?;
                history.watched_question(&settled)
            })
            .await?;
        Ok(Some(CheckReport { watched, outcome, change }))
    }

    /// Asks again and compares. None where the thread is being answered in: another time will do.
    async fn check(&self, watched: &WatchedQuestion) -> Result<Option<(Checked, Option<AnswerChange>)>, EngineError> {
        let thread = watched.thread.clone();
        let (updated_ms, _) = self.in_library(move |history| history.state_of_thread(&thread)).await?;
        let mut checked = Checked {
            outcome: CheckOutcome::Unchanged,
            checked_ms: now_ms(),
            next_ms: 0,
            cost: 0,
            turn: None,
            change: None,
            updated_ms: Some(updated_ms),
        };
        let failed = |checked: &mut Checked, why, message: String| {
            checked.outcome = CheckOutcome::NotChecked { why, message };
            let is_passing = why == NotChecked::Failed;
            let now = Zoned::now();
            checked.next_ms = if is_passing { next_after_failure(watched, &now) } else { next(watched.schedule, &now) };
        };
        let limit = (self.settings().watched.max_cost_month * 1e6) as u64;
        let start = start_of_month(&Zoned::now());
        let spent = self.in_library(move |history| history.spent_on_watched(start)).await?;
        // A check that would break off for what is left is not begun.
        let usual = watched.spent / u64::from(watched.checks.max(1));
        if spent.saturating_add(usual) >= limit && !watched.how.any_cost {
            let message = format!(
                "Watched questions have cost ${:.2} this month, and the limit (watched.max_cost_month) is ${:.2}.",
                spent as f64 / 1e6,
                limit as f64 / 1e6
            );
            failed(&mut checked, NotChecked::MonthIsSpent, message);
            return Ok(Some((checked, None)));
        }
        let left = limit.saturating_sub(spent) as f64 / 1e6;
        let mut run = match self.ask(options(watched, left)).await {
            Ok(run) => run,
            Err(EngineError::Busy | EngineError::Store(StoreError::Busy)) => return Ok(None),
            Err(error) => {
                let why = match error {
                    EngineError::PriceUnknown { .. } => NotChecked::PriceUnknown,
                    EngineError::MonthIsSpent { .. } => NotChecked::MonthIsSpent,
                    _ => NotChecked::Failed,
                };
                failed(&mut checked, why, error.to_string());
                return Ok(Some((checked, None)));
            }
        };
        let (id, turn) = (watched.id.clone(), run.turn().clone());
        let begun = turn.clone();
        self.in_library(move |history| history.begin_check(&id, &begun)).await?;
        let mut ending = None;
        while let Some(events) = run.next().await {
            ending = events.into_iter().find_map(|envelope| match envelope.event {
                Event::Ended { ending } => Some(ending),
                _ => None,
            });
        }
        checked.turn = Some(turn.clone());
        let Some(ending) = ending else {
            failed(&mut checked, NotChecked::Failed, "The check ended without an answer.".into());
            return Ok(Some((checked, None)));
        };
        checked.cost = ending.usage.cost;
        if !matches!(ending.state, TurnState::Answered | TurnState::Partial) || ending.answer.trim().is_empty() {
            // No service failed, and what the month had left was the limit.
            let was_short =
                ending.incident.is_none() && spent > 0 && !watched.how.any_cost && watched.how.max_cost.is_none_or(|own| own > left);
            let why = if was_short { NotChecked::MonthIsSpent } else { NotChecked::Failed };
            let message = ending.reason.unwrap_or_else(|| "The check ended without an answer.".into());
            failed(&mut checked, why, message);
            return Ok(Some((checked, None)));
        }
        checked.next_ms = next(watched.schedule, &Zoned::now());
        let (before, thread) = (watched.compared_with.clone(), watched.thread.clone());
        let found = self.in_library(move |history| Ok(before.and_then(|before| compared(history, &thread, &before, &ending)))).await?;
        (checked.outcome, checked.change) = match found {
            None => (CheckOutcome::First, None),
            Some(change) if change.statements.is_empty() => (CheckOutcome::Unchanged, None),
            Some(change) => {
                let statements = u32::try_from(change.statements.len()).unwrap_or(u32::MAX);
                (CheckOutcome::Changed { turn, statements }, Some(change))
            }
        };
        let change = checked.change.clone();
        Ok(Some((checked, change)))
    }

    /// Why nothing is to be checked now, by the settings and the state of this computer.
    async fn rest(&self) -> Option<Rest> {
        let settings = self.settings().watched;
        if !settings.on_battery && blocking(power::on_battery).await.unwrap_or_default() {
            return Some(Rest::Battery);
        }
        (!settings.on_metered && power::is_metered().await).then_some(Rest::Metered)
    }

    async fn in_library<T: Send + 'static>(
        &self,
        work: impl FnOnce(&History) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let history: Arc<History> = self.inner.history.clone();
        Ok(blocking(move || work(&history)).await??)
    }
}

/// How a turn was asked, as far as a check can do the same; none where it had attachments.
fn how(ending: &Ending, asked: Option<&Asked>, new: &NewWatch) -> Option<WatchedHow> {
    let limits = WatchedHow { max_cost: new.max_cost, any_cost: new.any_cost, ..WatchedHow::default() };
    let Some(asked) = asked else { return Some(limits).filter(|_| !ending.answer.is_empty()) };
    asked.attached.is_empty().then(|| WatchedHow {
        focus: asked.focus,
        provider: asked.provider.clone(),
        folders: asked.folders.clone(),
        only_folders: asked.only_folders,
        sites: asked.sites.clone(),
        ..limits
    })
}

/// How a check is asked; `left` is what the month leaves, in US dollars.
fn options(watched: &WatchedQuestion, left: f64) -> AskOptions {
    let how = &watched.how;
    let folders: Vec<PathBuf> = how.folders.iter().map(PathBuf::from).collect();
    let (given, besides) = if how.only_folders { (folders, Vec::new()) } else { (Vec::new(), folders) };
    let sites = how.sites.iter().cloned().map(Attach::Site);
    AskOptions {
        question: watched.question.clone(),
        thread: Some(watched.thread.clone()),
        effort: how.effort,
        mode: how.mode,
        focus: how.focus,
        provider: how.provider.clone(),
        max_cost: (!how.any_cost).then(|| how.max_cost.unwrap_or(left).min(left)),
        any_cost: how.any_cost,
        attachments: given.into_iter().map(Attach::Path).chain(sites).collect(),
        folders: besides,
        // Nobody is there who could answer.
        approve_plan: Some(false),
        may_ask: false,
        anew: true,
        ..AskOptions::default()
    }
}

/// What an answer says that an earlier turn of the thread does not; none where that is gone.
fn compared(history: &History, thread: &ThreadId, before: &TurnId, after: &Ending) -> Option<AnswerChange> {
    let earlier = history.turn(before).ok().filter(|turn| turn.thread == *thread)?;
    let numbers: Vec<u32> = earlier.ending.sources.iter().map(|source| source.number).collect();
    let read = history.sources(thread).ok()?.into_iter().filter(|stored| numbers.contains(&stored.number)).map(|stored| stored.page);
    let statements = change::compare(&earlier.ending, &read.collect::<Vec<_>>(), after);
    Some(AnswerChange { since: earlier.id, since_ms: earlier.asked_ms, statements })
}

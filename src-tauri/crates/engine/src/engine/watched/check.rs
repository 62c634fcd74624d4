//! One check: the question is asked again, and the answer compared with the one before it.

use crate::sentences;
use nexi_messages::say;
use std::path::PathBuf;

use jiff::Zoned;
use nexi_core::{
    ids::TurnId,
    protocol::{AnswerChange, CheckOutcome, Event, NotChecked, Turn, TurnState, WatchedQuestion},
    run::change,
};
use nexi_store::{History, StoreError, history::Checked};

use super::schedule::{next, next_after_failure};
use crate::{
    BUILT_IN, EngineError,
    driver::now_ms,
    engine::{AskOptions, Attach, Engine, usage::start_of_month},
};

impl Engine {
    /// Asks again and compares. None where the thread is being answered in: another time will do.
    pub(super) async fn check(&self, watched: &WatchedQuestion) -> Result<Option<Checked>, EngineError> {
        let thread = watched.thread.clone();
        let (updated_ms, last_source) = self.in_library(move |history| history.state_of_thread(&thread)).await?;
        let mut checked = Checked {
            outcome: CheckOutcome::Unchanged,
            checked_ms: now_ms(),
            next_ms: 0,
            cost: 0,
            turn: None,
            change: None,
            before: Some((updated_ms, last_source)),
        };
        let failed = |checked: &mut Checked, why, message: String| {
            checked.outcome = CheckOutcome::NotChecked { why, message };
            let is_passing = why == NotChecked::Failed;
            let now = Zoned::now();
            checked.next_ms =
                if is_passing { next_after_failure(watched, &now) } else { next(watched.schedule, Some(watched.next_ms), &now) };
        };
        self.refresh_settings();
        let settings = self.settings();
        let limit = (settings.watched.max_cost_month * 1e6) as u64;
        // The model may be another one by now, whose price is known.
        let model = self.model_in(&watched.thread, watched.how.provider.clone()).await?;
        let any_cost =
            watched.how.any_cost && matches!(self.check_watchable(model.as_deref()).await, Err(EngineError::PriceUnknown { .. }));
        let start = start_of_month(&Zoned::now());
        let spent = self.in_library(move |history| history.spent_on_watched(start)).await?;
        // A check that would break off for what is left is not begun.
        let usual = watched.spent / u64::from(watched.checks.max(1));
        if spent.saturating_add(usual) >= limit && !any_cost {
            let dollars = |millionths: u64| format!("${:.2}", millionths as f64 / 1e6);
            let message = say!("watched-failed.month", spent = dollars(spent), limit = dollars(limit));
            failed(&mut checked, NotChecked::MonthIsSpent, message);
            return Ok(Some(checked));
        }
        let left = limit.saturating_sub(spent) as f64 / 1e6;
        let own = watched.how.max_cost.or(settings.max_cost);
        let max_cost = (!any_cost).then(|| own.unwrap_or(left).min(left));
        let mut run = match self.ask(options(watched, max_cost)).await {
            Ok(run) => run,
            Err(EngineError::Busy | EngineError::Store(StoreError::Busy)) => return Ok(None),
            Err(error) => {
                let why = match error {
                    EngineError::PriceUnknown { .. } => NotChecked::PriceUnknown,
                    EngineError::MonthIsSpent { .. } => NotChecked::MonthIsSpent,
                    _ => NotChecked::Failed,
                };
                failed(&mut checked, why, error.to_string());
                return Ok(Some(checked));
            }
        };
        let (id, turn) = (watched.id.clone(), run.turn().clone());
        let begun = turn.clone();
        // Should this process go away, that is when somebody tries again.
        let retry_ms = next_after_failure(watched, &Zoned::now());
        self.in_library(move |history| history.begin_check(&id, &begun, retry_ms)).await?;
        let mut ending = None;
        while let Some(events) = run.next().await {
            ending = events.into_iter().find_map(|envelope| match envelope.event {
                Event::Ended { ending } => Some(ending),
                _ => None,
            });
        }
        checked.turn = Some(turn.clone());
        let Some(ending) = ending else {
            failed(&mut checked, NotChecked::Failed, say!("watched-failed.no-answer"));
            return Ok(Some(checked));
        };
        checked.cost = ending.usage.cost;
        if !matches!(ending.state, TurnState::Answered | TurnState::Partial) || ending.answer.trim().is_empty() {
            // No service failed, and what the month had left was the limit.
            let was_short = ending.incident.is_none() && spent > 0 && !any_cost && own.is_none_or(|own| own > left);
            let why = if was_short { NotChecked::MonthIsSpent } else { NotChecked::Failed };
            let message = sentences::reason_told(&ending.reason).unwrap_or_else(|| say!("watched-failed.no-answer"));
            failed(&mut checked, why, message);
            return Ok(Some(checked));
        }
        let (question, asked) = (watched.clone(), turn.clone());
        let found = self.in_library(move |history| compared(history, &question, &asked)).await?;
        let found = match found {
            Compared::With(change) => Some(change),
            Compared::Nothing => None,
            Compared::Elsewhere => {
                failed(&mut checked, NotChecked::Failed, say!("watched-failed.no-model"));
                return Ok(Some(checked));
            }
        };
        checked.next_ms = next(watched.schedule, Some(watched.next_ms), &Zoned::now());
        checked.outcome = match &found {
            None => CheckOutcome::First,
            Some(change) if change.statements.is_empty() => CheckOutcome::Unchanged,
            Some(change) => CheckOutcome::Changed { turn, statements: u32::try_from(change.statements.len()).unwrap_or(u32::MAX) },
        };
        checked.change = found.filter(|change| !change.statements.is_empty());
        Ok(Some(checked))
    }
}

/// How a check is asked; without a limit of costs, none counts.
fn options(watched: &WatchedQuestion, max_cost: Option<f64>) -> AskOptions {
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
        max_cost,
        any_cost: max_cost.is_none(),
        attachments: given.into_iter().map(Attach::Path).chain(sites).collect(),
        folders: besides,
        // Nobody is there who could answer.
        approve_plan: Some(false),
        may_ask: false,
        anew: true,
        ..AskOptions::default()
    }
}

/// What the answer of a check is compared with.
#[derive(Debug, Clone, PartialEq)]
enum Compared {
    /// There is no earlier answer any more.
    Nothing,
    With(AnswerChange),
    /// The built-in researcher stood in for a model that had answered before.
    Elsewhere,
}

/// What an answer says that the one before it does not.
fn compared(history: &History, watched: &WatchedQuestion, after: &TurnId) -> Result<Compared, StoreError> {
    let after = history.turn(after)?;
    // The one that it was to be compared with may have been deleted.
    let base = watched.compared_with.as_ref().and_then(|base| history.turn(base).ok()).filter(|base| base.thread == watched.thread);
    let is_earlier = |turn: &Turn| turn.id != after.id && turn.question == watched.question && !turn.ending.answer.is_empty();
    let base = match base {
        Some(base) => Some(base),
        None => history.turns(&watched.thread)?.into_iter().rev().find(is_earlier),
    };
    let Some(base) = base else { return Ok(Compared::Nothing) };
    let is_built_in = after.model == BUILT_IN;
    if is_built_in && base.model != BUILT_IN {
        return Ok(Compared::Elsewhere);
    }
    let of = |turn: &Turn| turn.ending.sources.iter().map(|source| source.number).collect::<Vec<_>>();
    let (before, now) = (of(&base), of(&after));
    let (mut read, mut other, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for stored in history.sources(&watched.thread)? {
        let place = if before.contains(&stored.number) {
            &mut read
        } else if now.contains(&stored.number) {
            &mut new
        } else {
            &mut other
        };
        place.push(stored.page);
    }
    let read = change::Read { before: &read, earlier: &other, after: &new };
    let extent = if is_built_in { change::Extent::First } else { change::Extent::Whole };
    let statements = change::compare(&base.ending, &after.ending, read, extent);
    Ok(Compared::With(AnswerChange { since: base.id.clone(), since_ms: base.asked_ms, statements }))
}

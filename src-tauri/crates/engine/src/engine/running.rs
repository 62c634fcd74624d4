//! What the person wants of a run that is going on.

use std::time::{Duration, Instant};

use nexi_core::{
    ids::TurnId,
    protocol::{Event, Findings, HeldId, Plan, ResearcherId},
    run::{Input, Key},
    user_tools::GrantScope,
};
use nexi_messages::say;
use nexi_store::StoreError;

use super::Engine;
use crate::{EngineError, sentences};

impl Engine {
    /// Stops a run; what it has is kept. A run that is not going on is left as it is.
    pub fn cancel(&self, turn: &TurnId) {
        if let Some(live) = self.live().get(turn) {
            live.cancel.cancel();
        }
    }

    /// Asks a run for its answer now, from what there is.
    pub fn finish_now(&self, turn: &TurnId) {
        self.command(turn, Input::FinishNow);
    }

    /// Stops one researcher of a deep run; what it has read is kept.
    pub fn stop_researcher(&self, turn: &TurnId, researcher: ResearcherId) {
        self.command(turn, Input::StopResearcher { researcher });
    }

    /// How a researcher of a deep run ended, while the run goes on or after it.
    ///
    /// # Errors
    /// When there is no such turn, or the researcher has not ended.
    pub async fn findings(&self, turn: &TurnId, researcher: ResearcherId) -> Result<Findings, EngineError> {
        let live = self.live().get(turn).and_then(|live| live.findings(researcher));
        if let Some(findings) = live {
            return Ok(findings);
        }
        let events = self.turn(turn).await?.events;
        let found = events.into_iter().find_map(|envelope| match envelope.event {
            Event::ResearcherEnded { researcher: ended, findings } if ended == researcher => Some(findings),
            _ => None,
        });
        found.ok_or_else(|| StoreError::Missing { what: "report of researcher", id: researcher.to_string() }.into())
    }

    /// Lets a deep run carry out its plan, as it is here.
    ///
    /// # Errors
    /// When the plan has no task, or none is waited for.
    pub fn approve(&self, turn: &TurnId, plan: Plan) -> Result<(), EngineError> {
        if plan.tasks.iter().all(|task| task.title.trim().is_empty() && task.goal.trim().is_empty()) {
            return Err(EngineError::invalid("tasks", say!("arguments-plan.no_task")));
        }
        if self.live().get(turn).is_none_or(|live| live.proposed().is_none()) {
            return Err(EngineError::invalid("plan", say!("arguments-plan.not_waited_for")));
        }
        self.command(turn, Input::PlanApproved { plan });
        Ok(())
    }

    /// Lets through what a run holds back because it could carry private text away, or does not. What is no longer
    /// waited for is left as it is.
    pub fn permit(&self, turn: &TurnId, held: HeldId, allowed: bool) {
        self.permit_as(turn, held, allowed, GrantScope::Once);
    }

    /// The same for a call of a tool, which can be granted for more than once. A grant from now on is kept besides.
    pub fn permit_as(&self, turn: &TurnId, held: HeldId, allowed: bool, scope: GrantScope) {
        if let Some(live) = self.live().get(turn)
            && allowed
            && scope == GrantScope::Always
            && let Some((server, tool)) = live.held_call(held)
        {
            let engine = self.clone();
            tokio::spawn(async move {
                if let Err(error) = engine.grant_tool(&server, &tool, true).await {
                    tracing::warn!(%error, server, tool, "a grant could not be kept");
                }
            });
        }
        let HeldId { researcher, step, call, part } = held;
        let input = Input::Permitted { key: Key { step, call, part }, allowed, scope };
        let input = match researcher {
            Some(researcher) => Input::Of { researcher, input: Box::new(input) },
            None => input,
        };
        self.command(turn, input);
    }

    /// Fills in a form that a call wants to have filled in, or declines to. False where it is no longer wanted.
    ///
    /// # Errors
    /// Which field is wrong; the form stays open.
    pub fn fill_form(
        &self,
        turn: &TurnId,
        form: u32,
        values: Option<serde_json::Map<String, serde_json::Value>>,
    ) -> Result<bool, EngineError> {
        let Some(live) = self.live().get(turn).cloned() else { return Ok(false) };
        live.fill(form, values).map_err(|problem| EngineError::invalid("form", sentences::form(&problem)))
    }

    fn command(&self, turn: &TurnId, input: Input) {
        if let Some(live) = self.live().get(turn) {
            live.command(input);
        }
    }

    /// Stops every run and waits, so long at most, until their endings are kept.
    pub async fn stop_all(&self, time_limit: Duration) {
        let begun = Instant::now();
        while !self.live().is_empty() && begun.elapsed() < time_limit {
            // Some may have begun since.
            for live in self.live().values() {
                live.cancel.cancel();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

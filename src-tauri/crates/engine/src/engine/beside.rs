//! A single request to a model besides any run: what it may cost, and that what it has used is counted.

use nexi_core::{
    ids::TurnId,
    model::{ModelInfo, Reply},
    protocol::Usage,
    run::Limits,
    settings::Settings,
};
use nexi_store::{History, history::Used};

use super::{Engine, OpinionLimits, ask, blocking};
use crate::{EngineError, driver::now_ms, wiring::RunDeps};

/// What such a request works with.
pub(super) struct SideRequest {
    pub parts: RunDeps,
    pub told: ModelInfo,
    pub limits: Limits,
    /// When it began, in Unix milliseconds.
    pub asked_ms: i64,
}

impl Engine {
    /// Sets up the models of these settings for one request, and checks that it may cost what it may.
    ///
    /// # Errors
    /// When a key is missing, the price of the model is not known where the cost is limited, or the month is spent.
    pub(super) async fn beside(&self, settings: &Settings, allowed: OpinionLimits) -> Result<SideRequest, EngineError> {
        let parts = self.parts(settings, &[], &[], None).await?;
        let told = self.told(&parts).await;
        let max_cost = if allowed.any_cost { None } else { allowed.max_cost.or(settings.max_cost) };
        self.check_costs(&parts, &told, max_cost, settings.max_tokens, allowed.any_cost || allowed.over_month).await?;
        let limits = ask::limits(settings, 1, ask::context(&parts, &told), max_cost, settings.max_tokens);
        Ok(SideRequest { parts, told, limits, asked_ms: now_ms() })
    }
}

impl SideRequest {
    /// What a reply has used, with its price where that is known.
    pub(super) fn priced(&self, reply: &Reply) -> Usage {
        let usage = reply.usage.unwrap_or_default();
        self.told.price.map_or(usage, |price| price.priced(usage))
    }

    /// Counts what was used for a turn by this model.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub(super) async fn count(
        &self,
        history: &std::sync::Arc<History>,
        turn: &TurnId,
        model: String,
        usage: Usage,
    ) -> Result<(), EngineError> {
        let (history, turn, asked_ms) = (history.clone(), turn.clone(), self.asked_ms);
        let duration_ms = u64::try_from(now_ms() - asked_ms).unwrap_or_default();
        Ok(blocking(move || history.add_second_usage(&turn, &Used { asked_ms, model, duration_ms, usage, is_second: true, space: None }))
            .await??)
    }
}

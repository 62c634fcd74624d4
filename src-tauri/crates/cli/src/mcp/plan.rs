//! The plan of a deep run, shown to the person at a client that can ask.

use nexi_engine::Engine;
use nexi_engine::core::ids::TurnId;
use nexi_engine::core::protocol::Plan;
use nexi_messages::say;
use rmcp::service::{ElicitationError, ElicitationMode};
use rmcp::{Peer, RoleServer};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::plan::{PlanReply, shown, understood};

/// What a person says to a plan.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Changes {
    /// Numbers of tasks to leave out, such as 2, 3
    #[serde(default)]
    leave_out: String,
    /// One more task
    #[serde(default)]
    add: String,
}

rmcp::elicit_safe!(Changes);

/// Whether the client shows forms.
pub(super) fn can_ask(peer: &Peer<RoleServer>) -> bool {
    peer.supported_elicitation_modes().contains(&ElicitationMode::Form)
}

/// Shows the plan of a run that waits for it and carries out what the person says: the run begins, or is cancelled.
/// If the client turns out to be unable to show the plan, the run begins with the plan as it is.
pub(super) async fn ask(engine: Engine, peer: Peer<RoleServer>, turn: TurnId, plan: Plan) {
    let approved = match changed(&peer, plan.clone()).await {
        Ok(approved) => approved,
        Err(error) => {
            tracing::warn!(%error, "the plan could not be shown by the client");
            Some(plan)
        }
    };
    match approved {
        // A run that has ended meanwhile needs no plan.
        Some(plan) => drop(engine.approve(&turn, plan)),
        None => engine.cancel(&turn),
    }
}

/// The plan as the person wants it; none where they do not want it.
async fn changed(peer: &Peer<RoleServer>, mut plan: Plan) -> Result<Option<Plan>, ElicitationError> {
    let mut wrong = String::new();
    loop {
        let changes = match peer.elicit::<Changes>(format!("{wrong}{}", shown(&plan).trim())).await {
            Ok(changes) => changes.unwrap_or_default(),
            // Accepted as it is.
            Err(ElicitationError::NoContent) => Changes::default(),
            Err(ElicitationError::UserDeclined | ElicitationError::UserCancelled) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut next = plan.clone();
        let dropped = match changes.leave_out.trim() {
            "" => PlanReply::Changed,
            numbers => understood(&mut next, numbers),
        };
        match dropped {
            PlanReply::Wrong(message) => wrong = format!("{message}\n\n"),
            PlanReply::Begin | PlanReply::Stop => wrong = format!("{}\n\n", say!("nexi-mcp-leave-out")),
            PlanReply::Changed => {
                if !changes.add.trim().is_empty() {
                    understood(&mut next, &format!("+{}", changes.add));
                }
                plan = next;
                return Ok(Some(plan));
            }
        }
    }
}

//! Hooks are told of research while the app is open.

use nexi_engine::core::protocol::DeliveryOutcome;
use nexi_engine::views::AppEvent;
use nexi_messages::say;
use tauri::{AppHandle, Runtime};

use crate::app::state;

/// Delivers what comes up. Never ends.
pub(crate) async fn keep_delivering<R: Runtime>(app: AppHandle<R>) {
    let teller = app.clone();
    let tell = move |hook: &str, outcome: &DeliveryOutcome| {
        let trouble = match outcome {
            DeliveryOutcome::Failed { message, again_ms: None } => Some(message.clone()),
            DeliveryOutcome::Gone => Some(say!("desktop-hook-gone")),
            // It is tried again, and the settings say how it stands.
            DeliveryOutcome::Delivered | DeliveryOutcome::Failed { .. } => None,
        };
        state(&teller).send_to_all(&AppEvent::Delivered { hook: hook.to_owned(), trouble });
    };
    state(&app).engine.keep_delivering(tell).await;
}

//! Watched questions are checked while the app is open.

use nexi_messages::say;
use std::time::Duration;

use nexi_engine::CheckReport;
use nexi_engine::core::protocol::CheckOutcome;
use nexi_engine::views::AppEvent;
use tauri::{AppHandle, Runtime};

use crate::app::state;
use crate::notify::{announce, is_unwatched};
use crate::windows::MAIN;

/// The start of the app is not the moment for it.
const FIRST: Duration = Duration::from_secs(5);
/// Between two looks at what is due.
const PAUSE: Duration = Duration::from_secs(60);
/// Failures in a row that are worth a word; a night without a network is not.
const TOLD: u32 = 3;

/// Checks what is due, now and then. Never ends.
pub(crate) async fn keep_watching<R: Runtime>(app: AppHandle<R>) {
    tokio::time::sleep(FIRST).await;
    loop {
        let teller = app.clone();
        if let Err(error) = state(&app).engine.check_due(|report| tell(&teller, &report)).await {
            tracing::warn!(%error, "watched questions could not be checked");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Tells what came of a check, where it is worth telling.
pub(crate) fn tell<R: Runtime>(app: &AppHandle<R>, report: &CheckReport) {
    let shared = state(app);
    let watched = &report.watched;
    let first = report.change.as_ref().and_then(|change| change.statements.first()).map(|new| new.text.clone());
    let (turn, heading) = match &report.outcome {
        CheckOutcome::Changed { turn, .. } => (Some(turn.clone()), say!("desktop-notification.changed", question = &watched.question)),
        CheckOutcome::NotChecked { .. } if watched.failures == TOLD => {
            (None, say!("desktop-notification.not-checked", question = &watched.question))
        }
        _ => (None, String::new()),
    };
    let (thread, removed, question) = (watched.thread.clone(), report.removed.clone(), watched.question.clone());
    // Right after the start the window may not be there yet.
    shared.send_to_all_and(MAIN, AppEvent::Checked { thread, turn: turn.clone(), removed, question });
    shared.post(MAIN, AppEvent::ThreadsChanged);
    // Who looks at a window is told there.
    if !heading.is_empty() && is_unwatched(app) {
        let body = match &report.outcome {
            CheckOutcome::NotChecked { message, .. } => message.clone(),
            _ => first.unwrap_or_default(),
        };
        announce(app, &heading, &body, watched.thread.clone(), turn);
    }
}

//! Word of runs that end, or wait for the person, while nobody looks.

use nexi_messages::say;
use std::time::{Duration, Instant};

use nexi_engine::Subscription;
use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::protocol::{Event, TurnState};
use nexi_engine::core::text;
use nexi_engine::views::AppEvent;
use tauri::{AppHandle, Manager, Runtime};

use crate::app::{downloads, state};
use crate::windows::{self, MAIN};

/// Runs shorter than this were waited for.
const LONG: Duration = Duration::from_secs(20);

/// Between two calls to the person.
const PAUSE: Duration = Duration::from_secs(60);

/// Announces the end of a run if it took long and no window of ours has the focus, and that it waits for the person.
pub(crate) fn when_ended<R: Runtime>(app: &AppHandle<R>, mut run: Subscription, question: String) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let started = Instant::now();
        let mut ended = None;
        let mut called: Option<Instant> = None;
        while let Some(events) = run.next().await {
            if events.iter().any(|envelope| waits(envelope.event.own()))
                && called.is_none_or(|called| called.elapsed() > PAUSE)
                && is_unwatched(&app)
            {
                called = Some(Instant::now());
                tell(&app, &say!("desktop-notification.waiting"), &question, run.thread()).await;
            }
            ended = events.into_iter().rev().find_map(|envelope| match envelope.event {
                Event::Ended { ending } => Some(ending.state),
                _ => None,
            });
        }
        // Whatever asked: the main window lists it as running, and a first answer gives it its name.
        state(&app).post(MAIN, AppEvent::ThreadsChanged);
        save_report(&app, &run).await;
        let Some(ending) = ended.filter(|ending| *ending != TurnState::Cancelled) else { return };
        if started.elapsed() >= LONG && is_unwatched(&app) {
            let summary = match ending {
                TurnState::Answered => say!("desktop-notification.answered"),
                TurnState::Partial => say!("desktop-notification.partial"),
                _ => say!("desktop-notification.failed"),
            };
            tell(&app, &summary, &question, run.thread()).await;
        }
    });
}

/// Whether the run cannot go on without the person.
fn waits(event: &Event) -> bool {
    matches!(event, Event::Held { waits: true, .. } | Event::PlanMade { waits: true, .. } | Event::FormAsked { .. })
}

/// Whether notifications are wanted and no window of ours has the focus.
pub(crate) fn is_unwatched<R: Runtime>(app: &AppHandle<R>) -> bool {
    let watched = app.webview_windows().values().any(|window| window.is_focused().unwrap_or(false));
    !watched && state(app).engine.settings().desktop.notify
}

async fn tell<R: Runtime>(app: &AppHandle<R>, summary: &str, question: &str, thread: &ThreadId) {
    // What is private is not told to whatever keeps notifications.
    let private = state(app).engine.thread_facts(thread).await.is_ok_and(|facts| facts.private);
    let hidden = say!("desktop-notification.private");
    announce(app, summary, if private { &hidden } else { question }, thread.clone(), None);
}

/// Writes the report of a deep run into a file, where the settings want every one there.
async fn save_report<R: Runtime>(app: &AppHandle<R>, run: &Subscription) {
    let engine = &state(app).engine;
    let has_report = engine.report_wanted(run.turn()).await.is_some_and(|turn| !turn.ending.answer.trim().is_empty());
    if has_report && let Err(error) = engine.save_report(run.turn(), None, &downloads(app)).await {
        tracing::warn!(%error, "the report could not be saved");
    }
}

/// Shows a notification; a click on it opens the thread, at this turn if one is named.
pub(crate) fn announce<R: Runtime>(app: &AppHandle<R>, summary: &str, body: &str, thread: ThreadId, turn: Option<TurnId>) {
    let mut notification = notify_rust::Notification::new();
    notification.appname("Nexi").summary(&text::truncate(summary, 120)).body(&text::truncate(body, 200)).icon("nexi");
    #[cfg(target_os = "linux")]
    notification.action("default", &say!("desktop-notification.open"));
    let app = app.clone();
    // Waiting for a click takes a thread of its own.
    std::thread::spawn(move || match notification.show() {
        Ok(shown) => wait(shown, &app, thread, turn),
        Err(error) => tracing::info!(%error, "nothing shows notifications"),
    });
}

#[cfg(target_os = "linux")]
fn wait<R: Runtime>(shown: notify_rust::NotificationHandle, app: &AppHandle<R>, thread: ThreadId, turn: Option<TurnId>) {
    shown.wait_for_action(|action| {
        if action == "default" {
            let opening = app.clone();
            let _ = app.run_on_main_thread(move || {
                if windows::show_main(&opening).is_ok() {
                    state(&opening).post(MAIN, AppEvent::OpenThread { thread, turn });
                }
            });
        }
    });
}

#[cfg(not(target_os = "linux"))]
fn wait<R: Runtime>(_: notify_rust::NotificationHandle, _: &AppHandle<R>, _: ThreadId, _: Option<TurnId>) {
    // There is no way of hearing of a click here.
}

//! The team library: sharing threads, and looking at those of others.

use nexi_engine::core::ids::ThreadId;
use nexi_engine::core::protocol::{SharedFacts, TeamPage, TeamSearch, TeamStatus};
use nexi_engine::views::AppEvent;
use tauri::State;

use super::{CommandResult, sentence};
use crate::app::App;
use crate::windows;

/// How sharing stands.
#[tauri::command]
pub(crate) async fn team_status(app: State<'_, App>) -> CommandResult<TeamStatus> {
    app.engine.team_status().await.map_err(sentence)
}

/// Shares a thread with the members of a role, or with everybody.
#[tauri::command]
pub(crate) async fn share_thread(app: State<'_, App>, thread: ThreadId, role: Option<String>, private: bool) -> CommandResult<SharedFacts> {
    let role = role.map(|role| role.trim().to_owned()).filter(|role| !role.is_empty());
    let facts = app.engine.share(&thread, role, private).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(facts)
}

/// Takes a thread of the library back.
#[tauri::command]
pub(crate) async fn withdraw_thread(app: State<'_, App>, thread: ThreadId) -> CommandResult<()> {
    app.engine.withdraw(&thread).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Takes a thread of one's own back by its name in the team library.
#[tauri::command]
pub(crate) async fn withdraw_shared(app: State<'_, App>, share: ThreadId) -> CommandResult<()> {
    app.engine.withdraw_share(&share).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Shares the threads of a space, or takes them back.
#[tauri::command]
pub(crate) async fn share_space(app: State<'_, App>, space: String, on: bool) -> CommandResult<()> {
    app.engine.share_space(&space, None, on).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(())
}

/// Threads of the team library.
#[tauri::command]
pub(crate) async fn team_threads(app: State<'_, App>, wanted: TeamSearch) -> CommandResult<TeamPage> {
    app.engine.team_threads(&wanted).await.map_err(sentence)
}

/// Brings a shared thread here to be looked at; the id by which it is opened.
#[tauri::command]
pub(crate) async fn open_shared(app: State<'_, App>, share: ThreadId) -> CommandResult<ThreadId> {
    app.engine.open_shared(&share).await.map_err(sentence)
}

/// Goes on from a shared thread in one of one's own.
#[tauri::command]
pub(crate) async fn continue_shared(app: State<'_, App>, share: ThreadId) -> CommandResult<ThreadId> {
    let thread = app.engine.continue_shared(&share).await.map_err(sentence)?;
    app.post(windows::MAIN, AppEvent::ThreadsChanged);
    Ok(thread)
}

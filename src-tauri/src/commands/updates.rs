//! New versions of Nexi.

use nexi_engine::views::UpdateView;
use tauri::{AppHandle, State};

use super::{CommandResult, open_in_browser, sentence};
use crate::app::App;
use crate::refusal::Refusal;
use crate::updates;

/// How it stands with new versions.
#[tauri::command]
pub(crate) async fn updates(app: AppHandle) -> CommandResult<UpdateView> {
    tokio::task::spawn_blocking(move || updates::view(&app)).await.map_err(sentence)
}

/// Looks whether there is a new version.
#[tauri::command]
pub(crate) async fn check_for_updates(app: AppHandle) -> CommandResult<()> {
    updates::check(&app).await;
    Ok(())
}

/// Begins to install the version that was found; [`updates`] tells how far it is.
#[tauri::command]
pub(crate) async fn install_update(app: AppHandle, shared: State<'_, App>) -> CommandResult<()> {
    // There Nexi ends while it is replaced.
    if cfg!(windows) {
        refuse_at_work(&shared)?;
    }
    updates::install(&app);
    Ok(())
}

/// Puts the version before back in its place.
#[tauri::command]
pub(crate) async fn go_back(app: AppHandle) -> CommandResult<()> {
    updates::go_back(&app).await;
    Ok(())
}

/// Opens the page of the version that was found.
#[tauri::command]
pub(crate) async fn open_release_page(app: AppHandle) -> CommandResult<()> {
    open_in_browser(&updates::page(&app).ok_or(Refusal::NoSuchPage)?)
}

/// Ends Nexi and starts it again.
#[tauri::command]
pub(crate) async fn restart(app: AppHandle, shared: State<'_, App>) -> CommandResult<()> {
    refuse_at_work(&shared)?;
    updates::restart(&app);
    Ok(())
}

/// Refuses to end Nexi while a question is being answered.
fn refuse_at_work(shared: &App) -> CommandResult<()> {
    if shared.engine.is_at_work() { Err(Refusal::AnswerPending) } else { Ok(()) }
}

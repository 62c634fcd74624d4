//! The person's own tools: servers and commands.

use crate::refusal::Refusal;
use nexi_engine::{FoundServer, NewToolServer, ToolServerView, ToolView, core::ids::TurnId};
use secrecy::SecretString;
use serde_json::{Map, Value};
use tauri::State;

use super::{CommandResult, open_in_browser, sentence};
use crate::app::App;

/// Servers with their approved tools; nothing is started for it.
#[tauri::command]
pub(crate) async fn tool_servers(app: State<'_, App>) -> CommandResult<Vec<ToolServerView>> {
    app.engine.tool_servers().await.map_err(sentence)
}

/// The commands of the settings.
#[tauri::command]
pub(crate) async fn tool_commands(app: State<'_, App>) -> CommandResult<Vec<ToolView>> {
    app.engine.tool_commands().await.map_err(sentence)
}

/// What a server offers now; it is started or reached for that, by the line that was shown.
#[tauri::command]
pub(crate) async fn look_at_tools(app: State<'_, App>, name: String, launch: String) -> CommandResult<ToolServerView> {
    app.engine.look_at_tools(&name, &launch).await.map_err(sentence)
}

/// Approves tools word for word as they were listed when they were looked at.
#[tauri::command]
pub(crate) async fn approve_tools(app: State<'_, App>, name: String, launch: String, tools: Vec<String>) -> CommandResult<()> {
    app.engine.approve_tools(&name, &launch, &tools).await.map_err(sentence)
}

/// Grants all calls of a tool, or takes that back.
#[tauri::command]
pub(crate) async fn grant_tool(app: State<'_, App>, server: String, tool: String, granted: bool) -> CommandResult<()> {
    app.engine.grant_tool(&server, &tool, granted).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn withdraw_tool(app: State<'_, App>, server: String, tool: String) -> CommandResult<()> {
    app.engine.disapprove_tools(&server, Some(&tool)).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn add_tool_server(app: State<'_, App>, server: NewToolServer) -> CommandResult<()> {
    app.engine.new_tool_server(&server).map_err(sentence)
}

#[tauri::command]
pub(crate) async fn remove_tool_server(app: State<'_, App>, name: String) -> CommandResult<()> {
    app.engine.remove_tool_server(&name).await.map_err(sentence)
}

/// Keeps a secret of a server; none removes it.
#[tauri::command]
pub(crate) async fn set_tool_secret(
    app: State<'_, App>,
    server: String,
    variable: Option<String>,
    value: Option<String>,
) -> CommandResult<()> {
    let value = value.map(SecretString::from);
    app.engine.set_tool_secret(&server, variable.as_deref(), value).await.map_err(sentence)
}

/// Begins a sign-in to a server, and says where the person will sign in.
#[tauri::command]
pub(crate) async fn begin_sign_in(app: State<'_, App>, name: String, launch: String) -> CommandResult<String> {
    app.engine.begin_sign_in(&name, &launch).await.map_err(sentence)
}

/// Opens the browser for a sign-in that has begun, and waits until it comes back.
#[tauri::command]
pub(crate) async fn finish_sign_in(app: State<'_, App>, name: String) -> CommandResult<()> {
    let opened = app.engine.sign_in_address(&name).map(|address| open_in_browser(&address));
    if let Some(Err(problem)) = opened {
        app.engine.cancel_sign_in(&name);
        return Err(problem);
    }
    // The browser is on this computer, so nobody has to paste an address.
    let (_, pasted) = tokio::sync::mpsc::channel(1);
    app.engine.finish_sign_in(&name, pasted, |_| {}).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn cancel_sign_in(app: State<'_, App>, name: String) -> CommandResult<()> {
    app.engine.cancel_sign_in(&name);
    Ok(())
}

#[tauri::command]
pub(crate) async fn sign_out(app: State<'_, App>, name: String) -> CommandResult<()> {
    app.engine.sign_out(&name).await.map(drop).map_err(sentence)
}

#[tauri::command]
pub(crate) async fn is_signed_in(app: State<'_, App>, name: String) -> CommandResult<bool> {
    app.engine.is_signed_in(&name).await.map_err(sentence)
}

/// Servers that other programs know.
#[tauri::command]
pub(crate) async fn foreign_tool_servers(app: State<'_, App>) -> CommandResult<Vec<FoundServer>> {
    app.engine.foreign_tool_servers().await.map_err(sentence)
}

/// Takes one of them over, looked up anew by its name and what it starts.
#[tauri::command]
pub(crate) async fn take_over_tool_server(app: State<'_, App>, name: String, launch: String) -> CommandResult<()> {
    let found = app.engine.foreign_tool_servers().await.map_err(sentence)?;
    match found.iter().find(|server| server.name == name && server.launch == launch) {
        Some(server) => app.engine.take_over_tool_server(server).await.map_err(sentence),
        None => Err(Refusal::OtherProgramChanged),
    }
}

/// Fills in a form that a call wants to have filled in; none declines. False where it is no longer wanted.
#[tauri::command]
pub(crate) async fn fill_form(app: State<'_, App>, turn: TurnId, form: u32, values: Option<Map<String, Value>>) -> CommandResult<bool> {
    app.engine.fill_form(&turn, form, values).map_err(sentence)
}

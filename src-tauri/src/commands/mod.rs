//! The commands that windows may call, by the window they were made for. Errors are sentences for
//! the person. Which window may call which is said in `tauri.conf.json`.

mod attach;
mod documents;
mod hooks;
mod import;
mod library;
mod memory;
mod popup;
mod research;
mod settings;
mod setup;
mod spaces;
mod team;
mod templates;
mod tools;
mod updates;
mod watched;

use crate::refusal::Refusal;
use nexi_engine::EngineError;
use nexi_engine::settings_file::told;
use nexi_engine::views::{AppEvent, DesktopView, Overview, Part, models};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State, WebviewWindow};

use crate::app::App;
use crate::hotkey::{self, Hotkey};
use crate::windows;

pub(crate) use attach::*;
pub(crate) use documents::*;
pub(crate) use hooks::*;
pub(crate) use import::*;
pub(crate) use library::*;
pub(crate) use memory::*;
pub(crate) use popup::*;
pub(crate) use research::*;
pub(crate) use settings::*;
pub(crate) use setup::*;
pub(crate) use spaces::*;
pub(crate) use team::*;
pub(crate) use templates::*;
pub(crate) use tools::*;
pub(crate) use updates::*;
pub(crate) use watched::*;

pub(crate) type CommandResult<T> = Result<T, Refusal>;

/// What the engine says, as it says it.
pub(crate) fn sentence(error: impl std::fmt::Display) -> Refusal {
    Refusal::Said { text: error.to_string() }
}

/// The same of a file that somebody has chosen, which needs no name then.
pub(crate) fn of_file(error: EngineError) -> Refusal {
    match error {
        EngineError::Invalid(problem) if problem.field == "file" => Refusal::ThisFile { what: told::wrong(&problem.wrong) },
        other => sentence(other),
    }
}

/// What every window shows before anything is asked.
#[tauri::command]
pub(crate) async fn overview(handle: AppHandle, app: State<'_, App>) -> CommandResult<Overview> {
    // Whoever edits the file by hand sees the same as in the window.
    app.engine.refresh_settings();
    crate::apply_desktop(&handle);
    let settings = app.engine.settings();
    Ok(Overview {
        first_run: nexi_engine::first_run(&app.engine),
        model: app.engine.model_label(),
        effort: settings.default_effort,
        models: models(&settings),
        has_web: settings.search_backends.iter().any(|name| !settings.is_for_documents(name)),
        has_folders: !settings.documents.folders.is_empty(),
        mistakes: app.engine.mistakes().iter().map(told::problem).collect(),
        warnings: app.engine.warnings().iter().map(told::problem).collect(),
        version: env!("CARGO_PKG_VERSION").into(),
        settings_file: app.engine.paths().settings.display().to_string(),
        hotkey: settings.desktop.hotkey.clone(),
        offer_clipboard: settings.desktop.offer_clipboard,
        keys_locked: app.engine.keys_are_locked(),
        has_team: settings.team_library.is_some(),
    })
}

/// From now on the calling window is told of news.
#[tauri::command]
pub(crate) async fn listen(app: State<'_, App>, window: WebviewWindow, channel: Channel<AppEvent>) -> CommandResult<()> {
    app.listen(window.label(), channel);
    Ok(())
}

/// Closes the window that asks for it, as its own button would.
#[tauri::command]
pub(crate) async fn close_window(window: WebviewWindow) -> CommandResult<()> {
    window.close().map_err(|error| sentence(&error))
}

/// Opens one of the other windows. `find` is looked for among the settings.
#[tauri::command]
pub(crate) async fn open_window(app: AppHandle, which: String, part: Option<Part>, find: Option<String>) -> CommandResult<()> {
    match which.as_str() {
        windows::SETTINGS => windows::show_settings(&app, part).inspect(|()| {
            if let Some(text) = find {
                app.state::<App>().post(windows::SETTINGS, AppEvent::FindSetting { text });
            }
        }),
        windows::SETUP => windows::show_setup(&app),
        windows::MAIN => windows::show_main(&app).inspect(|()| {
            if let Some(view) = part {
                app.state::<App>().post(windows::MAIN, AppEvent::OpenView { view });
            }
        }),
        _ => return Err(Refusal::NoSuchWindow),
    }
    .map_err(sentence)
}

/// What the desktop can do here.
#[tauri::command]
pub(crate) async fn desktop(app: State<'_, App>, hotkey: State<'_, Hotkey>) -> CommandResult<DesktopView> {
    let program = std::env::current_exe().map_or_else(|_| "nexi-desktop".into(), |path| path.display().to_string());
    Ok(DesktopView {
        hotkey: hotkey.view(),
        tray: app.has_tray(),
        wayland: hotkey::is_wayland(),
        popup_command: format!("{program} --popup"),
    })
}

/// The one place from which an address reaches the system.
pub(crate) fn open_in_browser(url: &str) -> CommandResult<()> {
    let parsed = url::Url::parse(url).map_err(|_| Refusal::NotWebAddress)?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(Refusal::NotAWebPage);
    }
    tauri_plugin_opener::open_url(url, None::<&str>).map_err(|error| Refusal::BrowserFailed { why: error.to_string() })
}

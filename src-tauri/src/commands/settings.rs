//! Settings, keys and live tests. Only the windows for settings and setup may call what writes a
//! key, and no command ever returns one.

use crate::refusal::Refusal;
use nexi_engine::Backup;
use nexi_engine::core::settings::{ProviderKind, Vendor};
use nexi_engine::documents::FolderStatus;
use nexi_engine::searxng::{Found, detect_usual};
use nexi_engine::settings_file::{Change, SettingsError};
use nexi_engine::views::{self, AppEvent, ProblemView, SettingsView};
use nexi_engine::{CatalogModel, Check, EngineError, KeyStatus, KeysView, MeaningStatus, OcrStatus, UsageBy, UsageTable};
use nexi_messages::say;
use secrecy::SecretString;
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt;

use super::library::remember;
use super::{CommandResult, of_file, open_in_browser, sentence};
use crate::app::{App, downloads};

/// What is indexed of each folder of documents, and what is left out. Brings the index up to date first.
#[tauri::command]
pub(crate) async fn folders(app: State<'_, App>) -> CommandResult<Vec<FolderStatus>> {
    app.engine.folders().await.map_err(sentence)
}

/// How finding documents by meaning stands.
#[tauri::command]
pub(crate) async fn meaning(app: State<'_, App>) -> CommandResult<MeaningStatus> {
    app.engine.meaning().await.map_err(sentence)
}

/// Begins to fetch an embedding model; [`meaning`] tells how far it is.
#[tauri::command]
pub(crate) async fn fetch_model(app: State<'_, App>, model: String) -> CommandResult<()> {
    app.engine.fetch_model_in_background(&model);
    Ok(())
}

/// How the reading of scanned pages and pictures stands.
#[tauri::command]
pub(crate) async fn ocr(app: State<'_, App>) -> CommandResult<OcrStatus> {
    app.engine.ocr().await.map_err(sentence)
}

/// Stops fetching; what has come is kept.
#[tauri::command]
pub(crate) async fn stop_fetching(app: State<'_, App>) -> CommandResult<()> {
    app.engine.stop_fetching();
    Ok(())
}

/// Everything the settings window shows.
#[tauri::command]
pub(crate) async fn settings(app: State<'_, App>) -> CommandResult<SettingsView> {
    Ok(views::settings(&app.engine))
}

/// What would be wrong after these changes; nothing is written.
#[tauri::command]
pub(crate) async fn check_settings(app: State<'_, App>, changes: Vec<Change>) -> CommandResult<Vec<ProblemView>> {
    let (_, problems) = app.engine.preview_settings(&changes).map_err(sentence)?;
    Ok(problems.iter().map(ProblemView::of).collect())
}

/// Writes changes and works with them from now on. Returns what is wrong; nothing has changed then.
#[tauri::command]
pub(crate) async fn change_settings(handle: AppHandle, app: State<'_, App>, changes: Vec<Change>) -> CommandResult<Vec<ProblemView>> {
    let before = app.engine.settings();
    let after = match app.engine.change_settings(&changes) {
        Ok(after) => after,
        Err(EngineError::Settings(SettingsError::Invalid { problems, .. })) => return Ok(problems.iter().map(ProblemView::of).collect()),
        Err(error) => return Err(sentence(error)),
    };
    if after.documents != before.documents || after.ocr != before.ocr {
        index_in_background(&app);
    } else if after.embeddings != before.embeddings {
        app.engine.build_vectors_in_background();
    }
    let mut problems = Vec::new();
    if let Some(error) = crate::apply_desktop(&handle) {
        problems.push(ProblemView { field: "desktop.autostart".into(), message: say!("desktop-no-autostart", why = error) });
        let back = Change { path: vec!["desktop".into(), "autostart".into()], value: before.desktop.autostart.into() };
        app.engine.change_settings(&[back]).map_err(sentence)?;
    }
    app.send_to_all(&AppEvent::SettingsChanged);
    Ok(problems)
}

/// Brings the index up to date with the folders of the settings; nobody waits for it.
pub(super) fn index_in_background(app: &App) {
    let engine = app.engine.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = engine.sync_documents(|_, _| {}).await {
            tracing::error!(%error, "the documents could not be indexed");
        }
        engine.build_vectors_in_background();
        engine.read_scans_in_background();
    });
}

/// How the place of keys stands.
#[tauri::command]
pub(crate) async fn keys(app: State<'_, App>) -> CommandResult<KeysView> {
    app.engine.keys().await.map_err(sentence)
}

/// Where the keys of these providers come from.
#[tauri::command]
pub(crate) async fn key_statuses(app: State<'_, App>, providers: Vec<String>) -> CommandResult<Vec<KeyStatus>> {
    app.engine.key_statuses(providers).await.map_err(sentence)
}

/// Keeps a key in the chosen place.
#[tauri::command]
pub(crate) async fn set_key(app: State<'_, App>, provider: String, key: String) -> CommandResult<()> {
    app.engine.set_key(&provider, SecretString::from(key)).await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn remove_key(app: State<'_, App>, provider: String) -> CommandResult<()> {
    app.engine.remove_key(&provider).await.map_err(sentence)
}

/// Opens the settings file in the program that the system has for such files.
#[tauri::command]
pub(crate) async fn open_settings_file(app: State<'_, App>) -> CommandResult<()> {
    let file = app.engine.paths().settings.clone();
    tauri_plugin_opener::open_path(&file, None::<&str>).map_err(|error| Refusal::cannot_open(&file, &error))
}

/// Opens the file with the keys, or begins one.
#[tauri::command]
pub(crate) async fn unlock_keys(app: State<'_, App>, passphrase: String) -> CommandResult<()> {
    app.engine.unlock_keys(SecretString::from(passphrase)).await.map_err(sentence)?;
    app.send_to_all(&AppEvent::SettingsChanged);
    Ok(())
}

/// Tries a provider as it would be after these changes, with a key that is not kept.
#[tauri::command]
pub(crate) async fn check_provider(app: State<'_, App>, name: String, changes: Vec<Change>, key: Option<String>) -> CommandResult<Check> {
    let provider = app.engine.draft_provider(&name, &changes).map_err(sentence)?;
    let key = key.filter(|key| !key.trim().is_empty()).map(SecretString::from);
    app.engine.check_provider(&name, provider, key).await.map_err(sentence)
}

/// The models that a provider offers, with what is known of them.
#[tauri::command]
pub(crate) async fn list_models(
    app: State<'_, App>,
    name: String,
    changes: Vec<Change>,
    key: Option<String>,
) -> CommandResult<Vec<CatalogModel>> {
    let (settings, _) = app.engine.preview_settings(&changes).map_err(sentence)?;
    let provider = settings.provider(&name).ok_or(Refusal::NoSuchProvider)?;
    let key = key.filter(|key| !key.trim().is_empty()).map(SecretString::from);
    app.engine.catalog_of(&settings, &name, provider, key).await.map_err(sentence)
}

/// Opens the page on which keys of a service are made: a preset's by its id, else that of the kind.
#[tauri::command]
pub(crate) async fn open_key_page(kind: ProviderKind, vendor: Option<String>) -> CommandResult<()> {
    let preset = vendor.as_deref().and_then(Vendor::by_id).map(|vendor| vendor.key_page).filter(|page| !page.is_empty());
    open_in_browser(preset.or(kind.key_page()).ok_or(Refusal::NoKeyNeeded)?)
}

/// Settings of NEXI, from the text of its `config.json` or `config.toml`. Returns what was set.
#[tauri::command]
pub(crate) async fn import_settings(app: State<'_, App>, text: String) -> CommandResult<Vec<String>> {
    let fields = app.engine.import_settings(&text).await.map_err(of_file)?;
    app.send_to_all(&AppEvent::SettingsChanged);
    Ok(fields)
}

/// Writes the whole library into the folder for downloads. Returns the file and the number of threads.
#[tauri::command]
pub(crate) async fn back_up(handle: AppHandle, app: State<'_, App>) -> CommandResult<(String, u32)> {
    let (path, threads) = app.engine.back_up(&downloads(&handle)).await.map_err(sentence)?;
    Ok((remember(&app, path), threads))
}

/// What questions have used since a day; none is all that was ever asked.
#[tauri::command]
pub(crate) async fn usage(app: State<'_, App>, since: Option<String>, by: UsageBy) -> CommandResult<UsageTable> {
    app.engine.usage(since.as_deref(), None, by).await.map_err(sentence)
}

/// Writes the same as CSV into the folder for downloads. Returns the file.
#[tauri::command]
pub(crate) async fn save_usage(handle: AppHandle, app: State<'_, App>, since: Option<String>, by: UsageBy) -> CommandResult<String> {
    let table = app.engine.usage(since.as_deref(), None, by).await.map_err(sentence)?;
    let path = app.engine.save_usage(&downloads(&handle), &table).await.map_err(sentence)?;
    Ok(remember(&app, path))
}

/// The backups of the library, newest first.
#[tauri::command]
pub(crate) async fn backups(app: State<'_, App>) -> CommandResult<Vec<Backup>> {
    app.engine.backups().await.map_err(sentence)
}

/// Puts a backup in the place of the library. Returns the name under which that one is kept.
#[tauri::command]
pub(crate) async fn restore_backup(app: State<'_, App>, name: String) -> CommandResult<String> {
    let kept = app.engine.restore_backup(&name).await.map_err(sentence)?;
    app.send_to_all(&AppEvent::LibraryReplaced);
    Ok(kept)
}

/// Opens the folder with the data.
#[tauri::command]
pub(crate) async fn open_data_folder(app: State<'_, App>) -> CommandResult<()> {
    let folder = &app.engine.paths().data;
    tauri_plugin_opener::open_path(folder, None::<&str>).map_err(|error| Refusal::cannot_open(folder, &error))
}

/// Lets the person choose a folder; none if they did not.
#[tauri::command]
pub(crate) async fn choose_folder(handle: AppHandle) -> CommandResult<Option<String>> {
    let (send, receive) = tokio::sync::oneshot::channel();
    handle.dialog().file().pick_folder(move |folder| drop(send.send(folder)));
    let folder = receive.await.ok().flatten().and_then(|folder| folder.into_path().ok());
    Ok(folder.map(|path| path.display().to_string()))
}

/// Pages in the cache and their bytes.
#[tauri::command]
pub(crate) async fn kept_pages(app: State<'_, App>) -> CommandResult<Option<(u64, u64)>> {
    app.engine.kept_pages().await.map_err(sentence)
}

#[tauri::command]
pub(crate) async fn clear_pages(app: State<'_, App>) -> CommandResult<()> {
    app.engine.clear_pages().await.map_err(sentence)
}

/// Instances of SearXNG that answer on this computer.
#[tauri::command]
pub(crate) async fn find_searxng() -> CommandResult<Vec<Found>> {
    Ok(detect_usual().await)
}

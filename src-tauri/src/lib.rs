//! The desktop frontend of Nexi, the only package that names tauri. Commands are thin: they translate
//! between the windows and the engine, and hold no research state.

mod app;
mod clipboard;
mod commands;
#[cfg(target_os = "linux")]
mod drawing;
mod dropped;
mod hooks;
mod hotkey;
mod importing;
mod link;
mod memory;
mod notify;
mod options;
mod popup;
mod print;
mod refusal;
mod signals;
mod tray;
mod updates;
mod watched;
mod windows;

use nexi_messages::say;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use nexi_engine::views::AppEvent;
use nexi_engine::{Engine, EngineError, first_run};
use tauri::{AppHandle, Manager, RunEvent, Runtime};
use tauri_plugin_autostart::ManagerExt;

use app::App;
use memory::Memory;
use options::{Options, Start};

/// How often a start is begun anew.
const MOST_STARTS: u32 = 20;

/// Opens the windows and runs until the app is left.
pub fn run() {
    #[cfg(target_os = "linux")]
    drawing::without_imitation();
    nexi_engine::speak(&Options::engine_of(std::env::args().skip(1)));
    let options = match Options::from_args(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(told) => told.exit(),
    };
    let (start, link, attempt, places) = (options.start, options.led_to(), options.attempt, options.places());
    // In front of everything else: what is wrong with settings or data has to be told.
    let engine = match Engine::open(options.engine.clone()) {
        Ok(engine) => engine,
        Err(error) if error.is_damage() && wants_repair(&error) => repaired(&options),
        Err(error) if error.is_too_new() => with_older_copy(&options, &error),
        Err(error) => give_up(&error),
    };
    // A copy that is under way when the app is left is made at the next start.
    let _ = engine.keep_backups();
    let single = tauri_plugin_single_instance::Builder::new()
        .callback(|app, args, _| {
            // The second program has refused arguments that are none.
            let Ok(wanted) = Options::from_args(args.into_iter().skip(1)) else { return };
            let (handle, heard) = (app.clone(), Instant::now());
            let _ = app.run_on_main_thread(move || match (wanted.led_to(), wanted.start) {
                (Some(link), _) => link.open(&handle),
                (None, Start::Popup) => hotkey::pressed(&handle, heard),
                (None, Start::Window) => show_first(&handle),
                (None, Start::Hidden) => {}
            });
        })
        .dbus_id(options.instance())
        .build();
    let builder = tauri::Builder::default();
    // Elsewhere programs with another data folder could not be told apart, and would only show the first one's.
    let builder = if cfg!(target_os = "linux") || options.engine.data.is_none() { builder.plugin(single) } else { builder };
    let built = builder
        .plugin(tauri_plugin_global_shortcut::Builder::new().build())
        .plugin(tauri_plugin_autostart::Builder::new().arg("--hidden").app_name("Nexi").build())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_updater::Builder::new().build())
        .plugin(windows::external_navigation_guard())
        .invoke_handler(tauri::generate_handler![
            commands::overview,
            commands::listen,
            commands::close_window,
            commands::open_window,
            commands::desktop,
            commands::threads,
            commands::open_thread,
            commands::thread_facts,
            commands::turn_views,
            commands::model_catalog,
            commands::favour_model,
            commands::ask,
            commands::watch,
            commands::typed_hints,
            commands::attach_suggest,
            commands::attach_choose,
            commands::attach_text,
            commands::attach_clipboard,
            commands::attach_address,
            commands::attach_document,
            commands::search_documents,
            commands::document,
            commands::source_page,
            commands::document_page,
            commands::open_file,
            commands::open_document_file,
            commands::add_folder,
            commands::remove_folder,
            commands::put_folder_back,
            commands::open_folder,
            commands::stop,
            commands::finish_now,
            commands::stop_researcher,
            commands::approve_plan,
            commands::permit,
            commands::second_opinion,
            commands::templates,
            commands::keep_template,
            commands::use_template,
            commands::remove_template,
            commands::watched_questions,
            commands::watch_question,
            commands::schedule_watched,
            commands::pause_watched,
            commands::stop_watching,
            commands::check_watched,
            commands::save_watch_feed,
            commands::summarise_thread,
            commands::researcher_report,
            commands::save_report,
            commands::save_audit,
            commands::resume,
            commands::branch,
            commands::source,
            commands::open_source,
            commands::open_answer_link,
            commands::copy_answer,
            commands::copy_text,
            commands::memories,
            commands::add_memory,
            commands::change_memory,
            commands::forget_memories,
            commands::handbook,
            commands::open_handbook_link,
            commands::library,
            commands::tags,
            commands::saved_searches,
            commands::save_search,
            commands::forget_search,
            commands::rename_thread,
            commands::pin_thread,
            commands::tag_thread,
            commands::delete_thread,
            commands::deleted,
            commands::forget_deleted,
            commands::delete_turn,
            commands::restore_thread,
            commands::restore_turn,
            commands::keep_thread,
            commands::export,
            commands::show_written,
            commands::import_refused,
            commands::import_begin,
            commands::import_piece,
            commands::import_end,
            commands::popup_size,
            commands::popup_painted,
            commands::popup_hide,
            commands::popup_pin,
            commands::popup_drag,
            commands::popup_expand,
            commands::settings,
            commands::check_settings,
            commands::change_settings,
            commands::keys,
            commands::key_statuses,
            commands::set_key,
            commands::remove_key,
            commands::unlock_keys,
            commands::open_settings_file,
            commands::check_provider,
            commands::list_models,
            commands::open_key_page,
            commands::import_settings,
            commands::back_up,
            commands::fill_form,
            commands::tool_servers,
            commands::tool_commands,
            commands::look_at_tools,
            commands::approve_tools,
            commands::grant_tool,
            commands::withdraw_tool,
            commands::add_tool_server,
            commands::remove_tool_server,
            commands::set_tool_secret,
            commands::begin_sign_in,
            commands::finish_sign_in,
            commands::cancel_sign_in,
            commands::sign_out,
            commands::is_signed_in,
            commands::foreign_tool_servers,
            commands::take_over_tool_server,
            commands::spaces,
            commands::keep_space,
            commands::remove_space,
            commands::move_to_space,
            commands::team_status,
            commands::share_thread,
            commands::withdraw_thread,
            commands::withdraw_shared,
            commands::share_space,
            commands::team_threads,
            commands::open_shared,
            commands::continue_shared,
            commands::hooks,
            commands::add_hook,
            commands::remove_hook,
            commands::test_hook,
            commands::copy_hook_secret,
            commands::renew_hook_secret,
            commands::usage,
            commands::save_usage,
            commands::backups,
            commands::folders,
            commands::meaning,
            commands::ocr,
            commands::indexing,
            commands::fetch_model,
            commands::stop_fetching,
            commands::restore_backup,
            commands::updates,
            commands::check_for_updates,
            commands::install_update,
            commands::go_back,
            commands::open_release_page,
            commands::restart,
            commands::open_data_folder,
            commands::choose_folder,
            commands::kept_pages,
            commands::clear_pages,
            commands::find_searxng,
            commands::local_services,
            commands::setup_progress,
            commands::remember_setup,
            commands::finish_setup,
        ])
        .setup(move |app| {
            let memory = Memory::open(engine.paths().data.join("desktop.json"));
            let indexing = engine.clone();
            app.manage(hotkey::Hotkey::default());
            app.manage(popup::Popup::default());
            app.manage(updates::Updates::new(places));
            app.manage(App::new(engine, memory));
            let handle = app.handle();
            windows::apply_theme_to_all(handle);
            match (link, start) {
                (Some(link), _) => link.open(handle),
                (None, Start::Window) => show_first(handle),
                (None, Start::Popup) => popup::show(handle, Instant::now()),
                (None, Start::Hidden) => {}
            }
            later(handle.clone(), start);
            tauri::async_runtime::spawn(signals::end_when_asked(handle.clone()));
            tauri::async_runtime::spawn(watched::keep_watching(handle.clone()));
            tauri::async_runtime::spawn(hooks::keep_delivering(handle.clone()));
            tauri::async_runtime::spawn(updates::keep_looking(handle.clone()));
            let telling = handle.state::<App>().engine.clone();
            tauri::async_runtime::spawn(async move { telling.run_outbox_sender().await });
            // The window is there first; the documents are brought up to date behind it.
            let changed = handle.clone();
            tauri::async_runtime::spawn(async move {
                app::state(&changed).first_page().await;
                indexing.build_vectors_in_background();
                indexing.keep_documents(|| app::state(&changed).send_to_all(&AppEvent::DocumentsChanged)).await;
            });
            Ok(())
        })
        .build(tauri::generate_context!());
    match built {
        Ok(app) => app.run(|app, event| match event {
            RunEvent::Exit => end(app),
            // Elsewhere links come as arguments.
            #[cfg(target_os = "macos")]
            RunEvent::Opened { urls } => {
                for link in urls.iter().filter_map(|url| link::Link::parse(url.as_str()).ok()) {
                    link.open(app);
                }
            }
            _ => {}
        }),
        Err(error) => {
            // Another Nexi was there and went away while it was being asked to show itself.
            let gone = |plugin: &str, reason: &str| plugin == "single-instance" && reason.contains("failed to forward");
            if matches!(&error, tauri::Error::PluginInitialization(plugin, reason) if gone(plugin, reason)) && attempt < MOST_STARTS {
                start_again(attempt + 1);
            }
            give_up(&error)
        }
    }
}

/// Says what is wrong where it will be seen, and ends.
fn give_up(error: &dyn std::fmt::Display) -> ! {
    eprintln!("nexi-desktop: {error}");
    rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title(say!("desktop-cannot-start"))
        .set_description(error.to_string())
        .show();
    std::process::exit(1);
}

/// Asks whether what can be read of a damaged library is to be saved.
fn wants_repair(error: &dyn std::fmt::Display) -> bool {
    eprintln!("nexi-desktop: {error}");
    let question = say!("desktop-damaged");
    let asked = rfd::MessageDialog::new().set_level(rfd::MessageLevel::Error).set_title("Nexi").set_description(question);
    asked.set_buttons(rfd::MessageButtons::YesNo).show() == rfd::MessageDialogResult::Yes
}

/// The engine with what could be saved of its library.
fn repaired(options: &Options) -> Engine {
    let saved = nexi_engine::paths(options.engine.clone()).and_then(|paths| nexi_engine::salvage(&paths));
    match saved.and_then(|_| Engine::open(options.engine.clone())) {
        Ok(engine) => engine,
        Err(error) => give_up(&error),
    }
}

/// The engine with the newest copy of the library that this version can read, where there is one and it is wanted: a later
/// version has changed the library.
fn with_older_copy(options: &Options, error: &EngineError) -> Engine {
    let paths = nexi_engine::paths(options.engine.clone());
    let (Ok(paths), Some(older)) = (&paths, paths.as_ref().ok().and_then(nexi_engine::older_copy)) else { give_up(error) };
    eprintln!("nexi-desktop: {error}");
    let question = say!("desktop-too-new", made = &older.made);
    let asked = rfd::MessageDialog::new().set_level(rfd::MessageLevel::Warning).set_title("Nexi").set_description(question);
    if asked.set_buttons(rfd::MessageButtons::YesNo).show() != rfd::MessageDialogResult::Yes {
        std::process::exit(1);
    }
    match nexi_engine::go_back(paths, &older).and_then(|_| Engine::open(options.engine.clone())) {
        Ok(engine) => engine,
        Err(error) => give_up(&error),
    }
}

/// Begins anew, on Unix in the same process; comes back only where that is impossible.
fn start_again(attempt: u32) {
    let Ok(program) = std::env::current_exe() else { return };
    std::thread::sleep(Duration::from_millis(200));
    let mut command = std::process::Command::new(program);
    // Of several attempts the last one counts.
    command.args(std::env::args_os().skip(1)).args(["--attempt", &attempt.to_string()]);
    #[cfg(unix)]
    eprintln!("nexi-desktop: {}", std::os::unix::process::CommandExt::exec(&mut command));
    #[cfg(not(unix))]
    if command.spawn().is_ok() {
        std::process::exit(0);
    }
}

/// The last things. Whoever starts Nexi from here on gets a new one and not a dying one.
fn end<R: Runtime>(app: &AppHandle<R>) {
    windows::remember_main(app);
    tauri_plugin_single_instance::destroy(app);
    nexi_engine::searxng::leave();
    tauri::async_runtime::block_on(app::state(app).engine.close());
    updates::begin_again(app);
}

/// The window that a person sees first: the wizard until it was left, then the research window.
fn show_first<R: Runtime>(app: &AppHandle<R>) {
    let shared = app::state(app);
    // One that was closed early comes back where it was.
    let is_unfinished = first_run(&shared.engine) || !shared.memory.get().setup.is_null();
    let shown =
        if is_unfinished && app.get_webview_window(windows::MAIN).is_none() { windows::show_setup(app) } else { windows::show_main(app) };
    if let Err(error) = shown {
        eprintln!("nexi-desktop: the window cannot be opened: {error}");
    }
}

/// What nobody waits for: hotkey, tray, and the hidden popup.
fn later<R: Runtime>(app: AppHandle<R>, start: Start) {
    tauri::async_runtime::spawn(async move {
        // The hotkey is hardly ever pressed this early.
        if start == Start::Window {
            app::state(&app).first_page().await;
        }
        let patient = app.clone();
        tauri::async_runtime::spawn_blocking(move || hotkey::register_with_retry(&patient));
        let on_main = app.clone();
        let _ = app.run_on_main_thread(move || {
            if let Err(error) = popup::prepare(&on_main) {
                tracing::error!(%error, "the popup cannot be made");
            }
        });
        if let Err(error) = set_autostart(&app, app::state(&app).engine.settings().desktop.autostart) {
            tracing::warn!(error, "starting with the session could not be set");
        }
        tray::open_when_there(app).await;
    });
}

/// Carries out what the settings of the desktop say now and did not say before: hotkey, colours,
/// start with the session. Returns what could not be done, as a sentence.
pub(crate) fn apply_desktop<R: Runtime>(app: &AppHandle<R>) -> Option<String> {
    let shared = app::state(app);
    let now = shared.engine.settings().desktop;
    let before = std::mem::replace(&mut *shared.applied.lock().unwrap_or_else(PoisonError::into_inner), now.clone());
    if now.hotkey != before.hotkey {
        hotkey::apply(app);
    }
    if now.theme != before.theme || now.text_size != before.text_size {
        windows::apply_theme_to_all(app);
        popup::refit(app);
    }
    if now.autostart != before.autostart {
        return set_autostart(app, now.autostart).err();
    }
    None
}

/// Starts the app with the session, or no longer.
pub(crate) fn set_autostart<R: Runtime>(app: &AppHandle<R>, on: bool) -> Result<(), String> {
    let autostart = app.autolaunch();
    let known = autostart.is_enabled().unwrap_or(false);
    if known == on {
        return Ok(());
    }
    if on { autostart.enable() } else { autostart.disable() }.map_err(|error| error.to_string())
}

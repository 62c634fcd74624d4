//! The desktop face of Nexi, the only package that names tauri. Commands are thin: they translate
//! between the window and the engine, and hold no research state.

mod commands;
mod options;
mod window;

use nexi_engine::Engine;
use tauri::Manager;

use options::Options;

/// What commands share.
pub(crate) struct App {
    engine: Engine,
}

/// Opens the window and runs until it is closed.
pub fn run() {
    let options = match Options::from_args(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("nexi-desktop: {message}");
            std::process::exit(2);
        }
    };
    let result = tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::Builder::new().callback(|app, _, _| window::show(app)).dbus_id(options.instance()).build())
        .plugin(window::external_navigation_guard())
        .invoke_handler(tauri::generate_handler![
            commands::overview,
            commands::begin_without_account,
            commands::threads,
            commands::open_thread,
            commands::ask,
            commands::watch,
            commands::stop,
            commands::resume,
            commands::branch,
            commands::source,
            commands::open_source,
            commands::open_answer_link,
        ])
        .setup(move |app| {
            let engine = Engine::open(options.engine.clone())?;
            let indexing = engine.clone();
            app.manage(App { engine });
            window::open(app.handle())?;
            // The window is there first; the documents are brought up to date behind it.
            tauri::async_runtime::spawn(async move {
                if let Err(error) = indexing.sync_documents(|_, _| {}).await {
                    eprintln!("nexi-desktop: the documents could not be indexed: {error}");
                }
            });
            Ok(())
        })
        .run(tauri::generate_context!());
    if let Err(error) = result {
        eprintln!("nexi-desktop: {error}");
        std::process::exit(1);
    }
}

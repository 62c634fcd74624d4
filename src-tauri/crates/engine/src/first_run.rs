//! The first run, before any settings were made.

use nexi_store::settings_file;

use crate::{Engine, EngineError};

/// Whether no settings have been made yet.
pub fn first_run(engine: &Engine) -> bool {
    !engine.paths().settings.exists()
}

/// Ends the first run: from now on the built-in researcher answers.
///
/// # Errors
/// When the settings file cannot be written.
pub fn start_without_account(engine: &Engine) -> Result<(), EngineError> {
    if first_run(engine) {
        settings_file::edit(&engine.paths().settings, |document| {
            document["llm_backends"] = settings_file::texts(&["builtin"]);
        })?;
    }
    Ok(())
}

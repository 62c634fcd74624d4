//! The window beside the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;
use nexi_engine::core::ids::ThreadId;
use nexi_messages::say;

use crate::args::{Common, Usage};
use crate::start;

const NAME: &str = "nexi-desktop";

/// The window's program: beside this one, or where programs are looked for.
pub fn program() -> Option<PathBuf> {
    let name = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&name)));
    let path = std::env::var_os("PATH").unwrap_or_default();
    beside.into_iter().chain(std::env::split_paths(&path).map(|folder| folder.join(&name))).find(|file| file.is_file())
}

/// Refuses where there is no window or no display, before anything is paid for.
pub fn can_be_shown() -> Result<()> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if program().is_none() {
        return Err(Usage(say!("nexi-terminal-no-window", program = NAME)).into());
    }
    if cfg!(target_os = "linux") && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return Err(Usage(say!("nexi-terminal-no-display")).into());
    }
    Ok(())
}

/// Shows a thread in the window, which goes on when this program ends.
pub fn show(common: &Common, thread: &ThreadId) -> Result<()> {
    let Some(program) = program() else {
        return Err(Usage(say!("nexi-terminal-no-window-now", program = NAME)).into());
    };
    let mut args: Vec<OsString> = vec!["--thread".into(), thread.as_str().into()];
    args.extend(start::same_places(common));
    let mut command = Command::new(&program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl+C on this terminal is not meant for the window.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
        .spawn()
        .map_err(|error| Usage(say!("nexi-terminal-not-started", program = program.display().to_string(), why = error.to_string())))?;
    Ok(())
}

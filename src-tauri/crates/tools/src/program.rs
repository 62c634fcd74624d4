//! Starting programs: below the supervisor, with little of Nexi's own environment.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;

use nexi_core::{ports::Failure, text};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};

use crate::supervisor::{self, InputMode};

/// What programs may know of the environment; keys of models are not among it.
const PASSED_ON: &[&str] = &[
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "USER",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
    "PATHEXT",
    "COMSPEC",
];
/// Bytes of what a program says on its standard error that are kept: the last ones.
const MAX_SAID: usize = 2048;

/// Starts a program with its arguments; its pipes are open.
pub(crate) fn start(mode: InputMode, program: &str, args: &[String], env: &BTreeMap<String, String>) -> Result<Child, Failure> {
    let mut command = match supervisor::program(mode) {
        Some((own, before)) => {
            let mut command = Command::new(own);
            command.args(before).arg(program);
            command
        }
        None => Command::new(program),
    };
    command.args(args).env_clear();
    command.envs(PASSED_ON.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
    command.envs(env);
    if let Some(home) = home() {
        command.current_dir(home);
    }
    // What is typed at the terminal to end Nexi must not end what cleans up behind it.
    #[cfg(unix)]
    command.process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A supervisor ends by itself, and what it watches over with it.
    command.kill_on_drop(supervisor::program(mode).is_none());
    #[cfg(windows)]
    command.creation_flags(0x0800_0000);
    command.spawn().map_err(|error| Failure::because(supervisor::not_started(program, &error)))
}

fn home() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?;
    Some(PathBuf::from(home)).filter(|home| home.is_dir())
}

/// Reads what a program says on its standard error to the end; the last of it is kept.
pub(crate) async fn stderr_tail(mut from: ChildStderr) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        kept.extend_from_slice(&buffer[..count]);
        if kept.len() > 2 * MAX_SAID {
            kept.drain(..kept.len() - MAX_SAID);
        }
    }
    let said = String::from_utf8_lossy(&kept).into_owned();
    let said = text::fold_space(&nexi_core::visible::visible(&said));
    let start = said.len().saturating_sub(400);
    said[text::floor_char(&said, start)..].to_owned()
}

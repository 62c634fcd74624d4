//! Docker and Podman: the commands that Nexi gives them.

use std::fs::File;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use nexi_core::ports::{ContainerCause, Failure, Fault};
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use super::{COMMAND_TIMEOUT, PAUSE, REMOVAL};

/// A program for the terminal opens no window of its own (`CREATE_NO_WINDOW`).
#[cfg(windows)]
const NO_CONSOLE: u32 = 0x0800_0000;
/// How long a program that has to wait for a removal does so.
const STOPPING: Duration = Duration::from_secs(15);

/// What carries containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Runtime {
    Docker,
    Podman,
}

impl Runtime {
    pub(super) fn program(self) -> &'static str {
        match self {
            Runtime::Docker => "docker",
            Runtime::Podman => "podman",
        }
    }

    /// The runtime that is here and answers.
    ///
    /// # Errors
    /// A sentence with the way out.
    pub(super) async fn find() -> Result<Self, Failure> {
        let mut silent = None;
        for runtime in [Self::Docker, Self::Podman] {
            match runtime.run(&["info"], COMMAND_TIMEOUT).await {
                Ok(_) => return Ok(runtime),
                Err(failure) if failure.fault == Fault::Transient => silent = Some((runtime, failure)),
                Err(_) => {}
            }
        }
        Err(match silent {
            Some((runtime, failure)) => Failure::because(ContainerCause::UnusableRuntime {
                runtime: runtime.program().to_owned(),
                message: failure.message.trim_end_matches(['.', '?', '!', ' ']).to_owned(),
            }),
            None => Failure::because(ContainerCause::NoRuntime),
        })
    }

    /// What a command of the runtime says. A fault that passes means that the program is there.
    pub(super) async fn run(self, args: &[&str], time_limit: Duration) -> Result<String, Failure> {
        let output = self.output(args, time_limit).await?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = last_line(&String::from_utf8_lossy(&output.stderr));
        Err(Failure::because(said.map_or(ContainerCause::GaveNoReason, |said| ContainerCause::RuntimeSaid { said })))
    }

    async fn output(self, args: &[&str], time_limit: Duration) -> Result<Output, Failure> {
        let mut command = Command::new(self.program());
        command.args(args).stdin(Stdio::null()).kill_on_drop(true);
        #[cfg(windows)]
        command.creation_flags(NO_CONSOLE);
        let output = tokio::time::timeout(time_limit, command.output()).await;
        let output = output.map_err(|_| Failure::because(ContainerCause::RuntimeSilent { runtime: self.program().to_owned() }))?;
        output.map_err(|error| Failure::because(ContainerCause::RuntimeNotStarted { message: error.to_string() }))
    }

    /// What a container that is not there any more said last.
    pub(super) async fn last_words(self, name: &str) -> Failure {
        let output = self.output(&["logs", "--tail", "20", name], COMMAND_TIMEOUT).await.ok();
        let (told, said) = output.map(|output| (output.stdout, output.stderr)).unwrap_or_default();
        let last = [said, told].iter().find_map(|text| last_line(&String::from_utf8_lossy(text)));
        let runtime = self.program().to_owned();
        Failure::because(match last {
            Some(said) => ContainerCause::Ended { runtime, said },
            None => ContainerCause::EndedSilently { runtime },
        })
    }

    /// Has a container removed. On Unix nobody waits: the lock is held until that is done by the command
    /// itself, as its standard input, and so outlives this program.
    pub(super) fn remove(self, name: &str, lock: File) {
        let mut command = std::process::Command::new(self.program());
        command.args(["rm", "-f", "-v", name]).stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(unix)]
        {
            // A Ctrl+C or the end of the terminal is not meant for it.
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command.stdin(lock);
        }
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, NO_CONSOLE);
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => return tracing::warn!(%error, name, "the container could not be removed"),
        };
        let (name, begun) = (name.to_owned(), Instant::now());
        let time_limit = if cfg!(unix) { REMOVAL } else { STOPPING };
        let wait = move || loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => break,
                Ok(None) if begun.elapsed() < time_limit => std::thread::sleep(PAUSE),
                other => break tracing::warn!(name, "the container could not be removed: {other:?}"),
            }
        };
        #[cfg(unix)]
        std::thread::spawn(wait);
        // Elsewhere locks belong to the process that took them.
        #[cfg(not(unix))]
        {
            let mut wait = wait;
            wait();
            drop(lock);
        }
    }
}

/// The last thing that a program said, on one line.
fn last_line(said: &str) -> Option<String> {
    let line = said.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(nexi_core::text::truncate(&nexi_core::text::fold_space(line), 300).clone())
}

//! Why the SearXNG that Nexi runs in a container is not there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Fault;

/// What went wrong with the container. Sentences follow the name of the service, and a colon.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ContainerCause {
    #[error(
        "neither Docker nor Podman is installed. Install one of them, for example with: apt install podman. Or give the address of a SearXNG in Settings."
    )]
    NoRuntime,
    #[error(
        "{runtime} is installed and cannot be used: {message}. Is its service running, and may you use it? Or give the address of a SearXNG in Settings."
    )]
    UnusableRuntime { runtime: String, message: String },
    /// What a command of the runtime said when it failed.
    #[error("{said}")]
    RuntimeSaid { said: String },
    #[error("it gives no reason")]
    GaveNoReason,
    #[error("{runtime} does not answer")]
    RuntimeSilent { runtime: String },
    /// The runtime could not be started.
    #[error("{message}")]
    RuntimeNotStarted { message: String },
    #[error("SearXNG ended in its container of {runtime}: {said}")]
    Ended { runtime: String, said: String },
    #[error("SearXNG ended in its container of {runtime} and gave no reason")]
    EndedSilently { runtime: String },
    /// The folder of the data cannot be written.
    #[error("{message}")]
    NoFolder { message: String },
    #[error("the settings of SearXNG could not be written ({message})")]
    SettingsUnwritten { message: String },
    #[error("{runtime} does not say at which port SearXNG is")]
    NoPort { runtime: String },
    #[error("the SearXNG in its container does not offer JSON; close Nexi everywhere and try again")]
    NoJson,
    #[error("SearXNG was started in its container and does not answer")]
    NotAnswering,
    #[error("the state of SearXNG could not be kept ({message})")]
    StateUnwritten { message: String },
    #[error("the container of SearXNG cannot be looked after ({message})")]
    Unattended { message: String },
    #[error("{runtime} could not remove the old container of SearXNG; inspect it with: {runtime} ps")]
    NotRemoved { runtime: String },
    #[error("another Nexi has been busy with the container of SearXNG for minutes")]
    BusyElsewhere,
    #[error("settings_file: {path} cannot be used: {message}")]
    SettingsFile { path: String, message: String },
    #[error("settings_file: {path} is not YAML ({message})")]
    SettingsNoYaml { path: String, message: String },
    #[error("settings_file: {path} holds no settings")]
    SettingsEmpty { path: String },
    #[error("its container could not be looked after")]
    Broke,
}

impl ContainerCause {
    /// What it means for those who decide what to do next.
    pub(super) fn fault(&self) -> Fault {
        match self {
            Self::RuntimeSaid { .. }
            | Self::GaveNoReason
            | Self::RuntimeSilent { .. }
            | Self::Ended { .. }
            | Self::EndedSilently { .. }
            | Self::NotAnswering
            | Self::NotRemoved { .. }
            | Self::BusyElsewhere => Fault::Transient,
            _ => Fault::Other,
        }
    }
}

//! What the settings show of new versions of Nexi.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How this copy of Nexi comes to a new version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum UpdateMeans {
    /// It replaces itself.
    Itself,
    /// It was installed as a package, and a newer package is installed over it.
    Package { manager: PackageManager },
    /// The person puts the new one in its place.
    ByHand,
}

/// What keeps the packages of a Linux system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PackageManager {
    Dpkg,
    Rpm,
}

/// A version that can be had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Release {
    pub version: String,
    /// What is new in it, as cleaned HTML; empty where nobody said.
    pub notes: String,
    /// Where it can be had by hand.
    pub page: Option<String>,
}

/// How far an update is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum UpdateState {
    /// Nobody has looked since the start.
    #[default]
    Idle,
    Checking,
    /// There is nothing newer.
    Current,
    Available {
        release: Release,
    },
    /// In bytes; how many there are where the server says so.
    Downloading {
        version: String,
        #[ts(type = "number")]
        done: u64,
        #[ts(type = "number | null")]
        total: Option<u64>,
    },
    Installing {
        version: String,
    },
    /// This version begins with the next start.
    Ready {
        version: String,
    },
    Failed {
        failure: UpdateFailure,
        /// Where it can be tried again at once.
        release: Option<Release>,
    },
}

/// Why there is no new version to be had. But for the last, nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "code", content = "params", rename_all = "snake_case")]
pub enum UpdateFailure {
    /// Where releases are listed could not be reached.
    Unreachable { why: String },
    /// What is listed there is no release.
    NoRelease,
    /// The release has nothing for this system.
    NotForThisSystem,
    /// The download broke off.
    DownloadBroke { why: String },
    /// What was downloaded does not bear the signature of those who make Nexi.
    BadSignature,
    /// It bears the signature of another version than the one that was offered.
    OtherVersion { signed: String },
    /// The library could not be copied first.
    NoBackup { why: String },
    /// The program could not be kept or replaced.
    NotReplaced { why: String },
    /// It could not be replaced, and what was there before could not be put back.
    NotRestored { path: String },
}

/// Everything that is shown of new versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct UpdateView {
    /// The one that runs.
    pub version: String,
    pub means: UpdateMeans,
    /// Whether this copy was told where releases are: one that somebody built was not.
    pub can_look: bool,
    /// Whether Nexi ends while it is replaced.
    pub ends: bool,
    pub state: UpdateState,
    /// The version before, where it was kept.
    pub previous: Option<String>,
}

//! What the windows remember from one start to the next: their places, how far the setup went, and when a new version was
//! looked for.
//! Nothing in it is precious; a broken file is begun anew.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// What is remembered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Remembered {
    /// Of the research window.
    pub(crate) main: Option<Bounds>,
    /// Of the popup, as a share of the free room of whichever display it is shown on.
    pub(crate) popup: Option<Spot>,
    pub(crate) pinned: bool,
    /// Fields and step of the setup wizard; keys are never among them.
    pub(crate) setup: serde_json::Value,
    pub(crate) updates: Looked,
}

/// The last look at whether there is a new version of Nexi.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Looked {
    /// Unix time.
    pub(crate) looked_ms: i64,
    /// The version that was told of then, or before.
    pub(crate) told: Option<String>,
}

/// The place of a window, in logical pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bounds {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) maximized: bool,
}

/// Where in the free room of a display a window stands, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spot {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The file with what is remembered.
pub(crate) struct Memory {
    path: PathBuf,
    now: Mutex<Remembered>,
}

impl Memory {
    /// Reads the file; one that is broken or missing counts as empty.
    pub(crate) fn open(path: PathBuf) -> Self {
        let now = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Self { path, now: Mutex::new(now) }
    }

    fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self) -> Remembered {
        self.lock().clone()
    }

    /// Changes what is remembered and writes it down if that made a difference.
    pub(crate) fn change(&self, by: impl FnOnce(&mut Remembered)) {
        let mut now = self.lock();
        let before = now.clone();
        by(&mut now);
        if *now == before {
            return;
        }
        let draft = self.path.with_extension("new");
        let written = serde_json::to_vec(&*now)
            .map_err(std::io::Error::other)
            .and_then(|text| std::fs::write(&draft, text))
            .and_then(|()| std::fs::rename(&draft, &self.path));
        if let Err(error) = written {
            tracing::warn!(%error, "the places of windows are not remembered");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_comes_back_and_a_broken_file_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desktop.json");
        let spot = Spot { x: 0.5, y: 0.2 };
        Memory::open(path.clone()).change(|memory| memory.popup = Some(spot));
        assert_eq!(Memory::open(path.clone()).get().popup, Some(spot));
        std::fs::write(&path, "{").unwrap();
        assert_eq!(Memory::open(path).get(), Remembered::default());
    }
}

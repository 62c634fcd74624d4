//! The version before, kept beside the library until the next update.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The file that says what is kept.
const FACTS: &str = "previous.json";

/// What is kept of the version before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Previous {
    pub(super) version: String,
    /// The name of its file, in the same folder.
    file: String,
}

impl Previous {
    /// What is kept in a folder.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let facts = fs::read(folder.join(FACTS)).ok()?;
        let known: Self = serde_json::from_slice(&facts).ok()?;
        Some(known).filter(|known| known.path(folder).is_file())
    }

    fn path(&self, folder: &Path) -> PathBuf {
        // A name, whatever the file says.
        folder.join(Path::new(&self.file).file_name().unwrap_or_default())
    }

    /// Puts the version before in the place of `program`, in one step. Blocks.
    ///
    /// # Errors
    /// When a folder cannot be written, or the disk is full. Nothing has changed then.
    pub(super) fn put_back(&self, folder: &Path, program: &Path) -> io::Result<()> {
        copy(&self.path(folder), program)?;
        // What is in its place now is not the version before any more; where it stays, it is not offered.
        let _ = fs::remove_dir_all(folder);
        Ok(())
    }
}

/// A version that is kept for the case that its update succeeds. What was kept before stays until then.
pub(super) struct Draft<'a> {
    folder: &'a Path,
}

impl<'a> Draft<'a> {
    /// Copies `program` beside a folder. Blocks.
    ///
    /// # Errors
    /// When a folder cannot be written, or the disk is full.
    pub(super) fn of(folder: &'a Path, program: &Path, version: &str) -> io::Result<Self> {
        let draft = Self { folder };
        let place = draft.place();
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::create_dir_all(&place)?;
        let facts = Previous { version: version.to_owned(), file: format!("Nexi-{version}.AppImage") };
        copy(program, &facts.path(&place))?;
        fs::write(place.join(FACTS), serde_json::to_vec(&facts)?)?;
        Ok(draft)
    }

    fn place(&self) -> PathBuf {
        self.folder.with_extension("draft")
    }

    /// Puts it in the place of what was kept before. Blocks.
    ///
    /// # Errors
    /// When a folder cannot be written.
    pub(super) fn keep(self) -> io::Result<()> {
        if self.folder.exists() {
            fs::remove_dir_all(self.folder)?;
        }
        fs::rename(self.place(), self.folder)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.place());
    }
}

/// Copies a program, so that at every moment there is a whole one at `to`, or what was there before.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let draft = to.with_extension("new");
    let copied = fs::copy(from, &draft).and_then(|_| fs::File::open(&draft)?.sync_all()).and_then(|()| fs::rename(&draft, to));
    if copied.is_err() {
        let _ = fs::remove_file(&draft);
    }
    copied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_before_is_kept_and_comes_back() {
        let place = tempfile::tempdir().unwrap();
        let (kept, program) = (place.path().join("previous"), place.path().join("Nexi.AppImage"));
        assert_eq!(Previous::read(&kept), None);
        for version in ["0.1.0", "0.2.0"] {
            fs::write(&program, version).unwrap();
            Draft::of(&kept, &program, version).unwrap().keep().unwrap();
        }
        fs::write(&program, "0.3.0").unwrap();
        let known = Previous::read(&kept).unwrap();
        assert_eq!(known.version, "0.2.0");
        assert_eq!(fs::read_dir(&kept).unwrap().count(), 2, "one version and what is known of it");
        known.put_back(&kept, &program).unwrap();
        assert_eq!(fs::read_to_string(&program).unwrap(), "0.2.0");
        assert_eq!(Previous::read(&kept), None);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn an_update_that_fails_leaves_what_was_kept_before() {
        let place = tempfile::tempdir().unwrap();
        let (kept, program) = (place.path().join("previous"), place.path().join("Nexi.AppImage"));
        fs::write(&program, "0.1.0").unwrap();
        Draft::of(&kept, &program, "0.1.0").unwrap().keep().unwrap();
        fs::write(&program, "0.2.0").unwrap();
        drop(Draft::of(&kept, &program, "0.2.0").unwrap());
        assert_eq!(Previous::read(&kept).unwrap().version, "0.1.0");
        assert!(Draft::of(&kept, &place.path().join("none"), "0.3.0").is_err(), "there is no program");
        assert_eq!(Previous::read(&kept).unwrap().version, "0.1.0");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2, "the program and what is kept");
        fs::remove_file(kept.join("Nexi-0.1.0.AppImage")).unwrap();
        assert_eq!(Previous::read(&kept), None, "somebody has tidied up");
    }
}

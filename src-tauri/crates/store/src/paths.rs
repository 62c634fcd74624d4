//! Where things are kept.

use std::path::{Path, PathBuf};

use directories::{BaseDirs, ProjectDirs};

use crate::StoreError;

/// The places of one installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// `config.toml`, which need not exist.
    pub settings: PathBuf,
    /// Holds `nexi.db`, `documents.db`, the handbook and locks.
    pub data: PathBuf,
}

impl Paths {
    /// The platform's own folders, or those that are given.
    ///
    /// # Errors
    /// When there is no home folder and a place was not given.
    pub fn new(settings: Option<PathBuf>, data: Option<PathBuf>) -> Result<Self, StoreError> {
        let standard = || {
            ProjectDirs::from("", "", "nexi").ok_or_else(|| StoreError::Folder {
                path: PathBuf::from("~"),
                source: std::io::Error::new(std::io::ErrorKind::NotFound, "there is no home folder"),
            })
        };
        let settings = match settings {
            Some(path) => path,
            None => standard()?.config_dir().join("config.toml"),
        };
        let data = match data {
            Some(path) => path,
            None => standard()?.data_dir().to_path_buf(),
        };
        Ok(Self { settings, data })
    }

    /// The folder of the log.
    pub fn logs(&self) -> PathBuf {
        self.data.join("logs")
    }

    /// The history.
    pub fn database(&self) -> PathBuf {
        self.data.join("nexi.db")
    }

    /// The index of documents; it can be built again at any time.
    pub fn documents(&self) -> PathBuf {
        self.data.join("documents.db")
    }

    /// The cache of pages; it can be thrown away at any time.
    pub fn pages(&self) -> PathBuf {
        self.data.join("pages.db")
    }

    /// The file with keys, where the person chose one.
    pub fn keys(&self) -> PathBuf {
        self.data.join("keys.age")
    }

    /// The user handbook, written out at start so that it can be read like any document.
    pub fn handbook(&self) -> PathBuf {
        self.data.join("handbook")
    }

    /// Makes the data folder, for the user alone.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn prepare(&self) -> Result<(), StoreError> {
        make_private(&self.data)
    }
}

/// Makes a folder that only its owner can enter.
pub(crate) fn make_private(path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::Folder { path: path.to_path_buf(), source };
    let is_new = !path.exists();
    std::fs::create_dir_all(path).map_err(failed)?;
    // A folder that somebody made for other things, too, keeps the permissions it was given.
    #[cfg(unix)]
    if is_new {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(failed)?;
    }
    Ok(())
}

/// A path from the settings, with a leading `~` for the home folder.
pub fn expand_home(path: &str) -> PathBuf {
    if let Some(rest) = path.strip_prefix('~')
        && (rest.is_empty() || rest.starts_with(['/', '\\']))
        && let Some(base) = BaseDirs::new()
    {
        return base.home_dir().join(rest.trim_start_matches(['/', '\\']));
    }
    PathBuf::from(path)
}

/// A path as people write it: with `~` for their home folder.
pub fn with_tilde(path: &Path) -> String {
    let home = expand_home("~");
    match path.strip_prefix(&home) {
        Ok(rest) if home.is_absolute() && rest.as_os_str().is_empty() => "~".into(),
        Ok(rest) if home.is_absolute() => Path::new("~").join(rest).display().to_string(),
        _ => path.display().to_string(),
    }
}

/// Where a person looks for what they wrote: their documents, else what they downloaded, else their home.
pub fn documents_folder() -> PathBuf {
    let home = expand_home("~");
    let Some(user) = directories::UserDirs::new() else { return home };
    let known = [user.document_dir(), user.download_dir()].into_iter().flatten().find(|folder| folder.is_dir());
    known.map_or(home, Path::to_path_buf)
}

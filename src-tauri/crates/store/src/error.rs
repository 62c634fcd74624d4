//! What can go wrong with keeping things.

use std::path::PathBuf;

use nexi_messages::{Messages, say};
use rusqlite::ffi;

/// Failures of the store. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    TooNew(PathBuf),
    Damaged {
        path: PathBuf,
        message: String,
    },
    InUse(PathBuf),
    Suspended {
        pid: u32,
    },
    Occupied,
    DiskFull,
    ReadOnly,
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Damage that shows only where it is read.
    Corrupt(String),
    /// The same of the index of documents, which is built anew.
    DamagedIndex,
    Sqlite(rusqlite::Error),
    Json(#[from] serde_json::Error),
    Packed(#[from] std::io::Error),
    Missing {
        what: &'static str,
        id: String,
    },
    Busy,
    SearchName,
    TooManySearches {
        most: u32,
    },
    MemoryText {
        most: usize,
    },
    TooManyMemories {
        most: u32,
    },
    TemplateName,
    TemplateText {
        most: usize,
    },
    TemplateTaken {
        name: String,
    },
    TooManyTemplates {
        most: u32,
    },
    SpaceName {
        most: usize,
    },
    SpaceTaken {
        name: String,
    },
    SpaceInstructions {
        most: usize,
    },
    SpaceFolders {
        most: usize,
    },
    TooManySpaces {
        most: u32,
    },
    TooManyWatched {
        most: u32,
    },
    AlreadyWatched {
        id: String,
    },
    Running,
    AtWork,
    Superseded,
    Import(String),
    Ambiguous {
        id: String,
    },
    Short {
        id: String,
    },
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Self::TooNew(path) => say!("errors-store.too_new", path = path.display().to_string()),
            Self::Damaged { path, message } => say!("errors-store.damaged", path = path.display().to_string(), message = message),
            Self::InUse(path) => say!("errors-store.in_use", path = path.display().to_string()),
            Self::Suspended { pid } => crate::suspended::words(*pid),
            Self::Occupied => say!("errors-store.occupied"),
            Self::DiskFull => say!("errors-store.disk_full"),
            Self::ReadOnly => say!("errors-store.read_only"),
            Self::Folder { path, source } => say!("errors-store.folder", path = path.display().to_string(), source = source.to_string()),
            Self::DamagedIndex => say!("errors-store.damaged_index"),
            Self::Corrupt(what) => say!("errors-store.corrupt", what = what),
            Self::Sqlite(what) => say!("errors-store.sqlite", what = what.to_string()),
            Self::Json(what) => say!("errors-store.json", what = what.to_string()),
            Self::Packed(what) => say!("errors-store.packed", what = what.to_string()),
            Self::Missing { what, id } => missing(what, id),
            Self::Busy => say!("errors-store.busy"),
            Self::SearchName => say!("errors-store.search_name"),
            Self::TooManySearches { most } => say!("errors-store.too_many_searches", most = most),
            Self::MemoryText { most } => say!("errors-store.memory_text", most = most),
            Self::TooManyMemories { most } => say!("errors-store.too_many_memories", most = most),
            Self::TemplateName => say!("errors-store.template_name"),
            Self::TemplateText { most } => say!("errors-store.template_text", most = most),
            Self::TemplateTaken { name } => say!("errors-store.template_taken", name = name),
            Self::TooManyTemplates { most } => say!("errors-store.too_many_templates", most = most),
            Self::SpaceName { most } => say!("errors-store.space_name", most = most),
            Self::SpaceTaken { name } => say!("errors-store.space_taken", name = name),
            Self::SpaceInstructions { most } => say!("errors-store.space_instructions", most = most),
            Self::SpaceFolders { most } => say!("errors-store.space_folders", most = most),
            Self::TooManySpaces { most } => say!("errors-store.too_many_spaces", most = most),
            Self::TooManyWatched { most } => say!("errors-store.too_many_watched", most = most),
            Self::AlreadyWatched { id } => say!("errors-store.already_watched", id = id.get(id.len().saturating_sub(8)..).unwrap_or(id)),
            Self::Running => say!("errors-store.running"),
            Self::AtWork => say!("errors-store.at_work"),
            Self::Superseded => say!("errors-store.superseded"),
            Self::Import(text) => text.clone(),
            Self::Ambiguous { id } => say!("errors-store.ambiguous", id = id),
            Self::Short { id } => say!("errors-store.short", id = id),
        })
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        let message = error.to_string();
        match error.sqlite_error_code() {
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
                crate::suspended::writer().map_or(StoreError::Occupied, |pid| StoreError::Suspended { pid })
            }
            // The index of the log could not grow, or a file not be written to its end.
            Some(Code::SystemIoFailure) if is_without_room(&error) => StoreError::DiskFull,
            Some(Code::DiskFull) => StoreError::DiskFull,
            Some(Code::ReadOnly) => StoreError::ReadOnly,
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => StoreError::Corrupt(message),
            // A full-text index whose tables cannot be read has no code of its own.
            Some(Code::Unknown) if message.contains("vtable constructor failed") => StoreError::Corrupt(message),
            _ => StoreError::Sqlite(error),
        }
    }
}

/// Whether an I/O error is what SQLite makes of a file that could not grow.
fn is_without_room(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map_or(0, |error| error.extended_code);
    [ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_SHMMAP, ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_TRUNCATE].contains(&code)
}

impl StoreError {
    /// What a person is told whose answer this kept from being saved.
    pub fn not_kept(&self) -> String {
        say!("errors-store-not-kept", why = self.to_string())
    }
}

/// That there is no such thing, or none at all yet.
fn missing(what: &str, id: &str) -> String {
    Messages::current()
        .text(&format!("errors-missing.{}", what.replace(' ', "-")), &[("named", (!id.is_empty()).into()), ("id", id.into())])
}

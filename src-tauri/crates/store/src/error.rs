//! What can go wrong with keeping things.

use std::path::PathBuf;

use rusqlite::ffi;

/// Failures of the store. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("The database {} was written by a newer Nexi. Install that version; nothing was changed.", .0.display())]
    TooNew(PathBuf),
    #[error("The database {} is damaged: {message}. Nothing was changed. Run nexi doctor --repair to save what can be read, or nexi restore to go back to a backup.", .path.display())]
    Damaged { path: PathBuf, message: String },
    #[error("The database {} is locked by another program. Close that program (perhaps a backup or another Nexi) and try again.", .0.display())]
    InUse(PathBuf),
    #[error("{}", crate::suspended::words(*.pid))]
    Suspended { pid: u32 },
    #[error("Another program has been writing to the library for more than five seconds. Try again in a moment.")]
    Occupied,
    #[error("The disk is full. Nothing was changed; make room and try again.")]
    DiskFull,
    #[error(
        "The library cannot be written: its folder or file is read-only. Nothing was changed. Change its permissions, or choose another folder with --data-dir."
    )]
    ReadOnly,
    #[error("{} cannot be used: {source}. Choose another folder with --data-dir.", .path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    /// Damage that shows only where it is read.
    #[error(
        "The library is damaged: {0}. Nothing was changed. Run nexi doctor --repair to save what can be read, or nexi restore to go back to a backup."
    )]
    Corrupt(String),
    #[error("The database refused: {0}")]
    Sqlite(rusqlite::Error),
    #[error("A stored value could not be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("A stored page could not be unpacked: {0}")]
    Packed(#[from] std::io::Error),
    #[error("There is no {what}{}.", named(.id))]
    Missing { what: &'static str, id: String },
    #[error("A question is still being answered in this thread, or a later one was asked. Ask in a new thread.")]
    Busy,
    #[error("name: is empty; give the search a name")]
    SearchName,
    #[error("There are {most} saved searches already. Remove one first.")]
    TooManySearches { most: u32 },
    #[error("text: write what to remember, in at most {most} letters")]
    MemoryText { most: usize },
    #[error("There are {most} memories already. Remove one first.")]
    TooManyMemories { most: u32 },
    #[error("name: write lowercase letters, digits and hyphens, such as compare")]
    TemplateName,
    #[error("text: write the question, in at most {most} bytes")]
    TemplateText { most: usize },
    #[error("name: another template is called {name:?}; choose another name, or change that one")]
    TemplateTaken { name: String },
    #[error("There are {most} templates already. Remove one first.")]
    TooManyTemplates { most: u32 },
    #[error("name: write a name of up to {most} letters")]
    SpaceName { most: usize },
    #[error("name: another space is called {name:?}; choose another name, or change that one")]
    SpaceTaken { name: String },
    #[error("instructions: must be at most {most} bytes; put long material into a document of the space")]
    SpaceInstructions { most: usize },
    #[error("folders: a space can have {most} folders and files at most")]
    SpaceFolders { most: usize },
    #[error("There are {most} spaces already. Remove one first.")]
    TooManySpaces { most: u32 },
    #[error("{most} questions are watched already. Stop watching one first.")]
    TooManyWatched { most: u32 },
    #[error("question: is watched already, as {}", .id.get(.id.len().saturating_sub(8)..).unwrap_or(.id))]
    AlreadyWatched { id: String },
    #[error("This question is still being answered. Stop it before you delete it.")]
    Running,
    #[error("A question is still being answered, here or in another window or terminal. Wait until it is done, then restore the backup.")]
    AtWork,
    #[error("Another search came first.")]
    Superseded,
    #[error("{0}")]
    Import(String),
    #[error("{id:?} matches more than one turn; give more of it.")]
    Ambiguous { id: String },
    #[error("{id:?} is too short for an id; give at least four digits from its start or end.")]
    Short { id: String },
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
        format!(
            "This answer is not in the library yet: {self} Copy it if you cannot wait. Nexi saves it as soon as that is possible; if Nexi is closed before, resume the question."
        )
    }
}

fn named(id: &str) -> String {
    if id.is_empty() { " yet".into() } else { format!(" {id:?}") }
}

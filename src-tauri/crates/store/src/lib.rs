//! What Nexi keeps: threads, turns, journal and sources in SQLite, the index of the user's
//! documents, the settings file, and keys in the system's keyring.

pub mod documents;
mod error;
pub mod files;
pub mod history;
pub mod keys;
pub mod lock;
mod packing;
mod pages;
pub mod paths;
mod quantized;
pub mod settings_file;
mod sqlite;
mod suspended;
pub mod zotero;

pub use documents::{DocumentIndex, IndexedPassage, NearPassage};
pub use error::StoreError;
pub use history::History;
pub use pages::CachedPages;
pub use paths::Paths;

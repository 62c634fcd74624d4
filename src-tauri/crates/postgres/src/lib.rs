//! What is too large for one computer, or belongs to several people, in PostgreSQL 15 or later: a corpus, and a team library.
//!
//! Workers on any number of machines take files from one queue and write their passages; readers search them. Nothing here
//! reads a file or decides what is relevant: workers bring text that is cut into passages, and readers rank what they get.

mod address;
mod database;
mod failure;
mod queue;
mod schema;
mod search;
mod team;
mod vectors;
mod words;
mod write;

pub use address::Address;
pub use database::Database;
pub use failure::DatabaseKind;
pub use queue::{MAX_ATTEMPTS, Outcome, Removal, WorkerId};
pub use schema::VERSION;
pub use search::{CorpusStatus, FailedJob, Found, GroupStatus, Listed, StoredDocument};
pub use team::{Appended, TeamEvent, TeamEventKind, TeamHead, TeamHit, TeamThread};
pub use vectors::CorpusEmbedder;
pub use write::{Job, NewDocument, NewPassage};

//! What is too large for one computer: a corpus that several people search, in PostgreSQL 15 or later.
//!
//! Workers on any number of machines take files from one queue and write their passages; readers search them. Nothing here
//! reads a file or decides what is relevant: workers bring text that is cut into passages, and readers rank what they get.

mod address;
mod database;
mod problem;
mod queue;
mod schema;
mod search;
mod words;

pub use address::Address;
pub use database::Database;
pub use problem::DatabaseProblem;
pub use queue::{Job, MAX_ATTEMPTS, NewDocument, NewPassage, Outcome, WorkerId};
pub use schema::VERSION;
pub use search::{CorpusStatus, FailedJob, Found, GroupStatus};

//! What an error of the database means.

use nexi_core::{ports::DatabaseCause, text::innermost};
use tokio_postgres::error::SqlState;

/// What is looked for in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    Corpus,
    Team,
}

/// What an error means, for whom and where it happened.
pub(crate) fn cause(error: &tokio_postgres::Error, host: &str, user: &str, kind: DatabaseKind) -> DatabaseCause {
    let message = error.as_db_error().map_or_else(|| innermost(error), |said| said.message().to_owned());
    let (host, user) = (host.to_owned(), user.to_owned());
    match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => DatabaseCause::NotAllowed { user, message },
        Some(&SqlState::INVALID_SCHEMA_NAME | &SqlState::UNDEFINED_TABLE) => match kind {
            DatabaseKind::Corpus => DatabaseCause::NoCorpus,
            DatabaseKind::Team => DatabaseCause::NoTeam,
        },
        Some(&SqlState::UNDEFINED_COLUMN | &SqlState::UNDEFINED_FUNCTION) => match kind {
            DatabaseKind::Corpus => DatabaseCause::OlderTables,
            DatabaseKind::Team => DatabaseCause::OlderTeam,
        },
        Some(&SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW) => {
            DatabaseCause::Gone { host, message }
        }
        // Later there may be room, or nobody in the way.
        Some(&SqlState::TOO_MANY_CONNECTIONS | &SqlState::T_R_DEADLOCK_DETECTED | &SqlState::T_R_SERIALIZATION_FAILURE) => {
            DatabaseCause::Busy { host, message }
        }
        Some(&SqlState::QUERY_CANCELED) => DatabaseCause::Silent { host },
        // By class, data exceptions and limits: what was sent is what is wrong.
        Some(code) if ["22", "54"].iter().any(|class| code.code().starts_with(class)) => DatabaseCause::Unstorable { message },
        // Memory, or the disk.
        Some(code) if code.code().starts_with("53") => DatabaseCause::Busy { host, message },
        Some(_) => DatabaseCause::Refused { message },
        None => DatabaseCause::Gone { host, message },
    }
}

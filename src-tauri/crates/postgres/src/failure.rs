//! What an error of the database means.

use nexi_core::{ports::DatabaseCause, text::innermost};
use tokio_postgres::error::SqlState;

/// What an error means, for whom and where it happened.
pub(crate) fn cause(error: &tokio_postgres::Error, host: &str, user: &str) -> DatabaseCause {
    let message = error.as_db_error().map_or_else(|| innermost(error), |said| said.message().to_owned());
    let (host, user) = (host.to_owned(), user.to_owned());
    match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => DatabaseCause::NotAllowed { user, message },
        Some(&SqlState::INVALID_SCHEMA_NAME | &SqlState::UNDEFINED_TABLE | &SqlState::UNDEFINED_FUNCTION) => DatabaseCause::NoCorpus,
        Some(&SqlState::UNDEFINED_COLUMN) => DatabaseCause::OlderTables,
        Some(&SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW) => {
            DatabaseCause::Gone { host, message }
        }
        // Later there may be room, or nobody in the way.
        Some(&SqlState::TOO_MANY_CONNECTIONS | &SqlState::T_R_DEADLOCK_DETECTED | &SqlState::T_R_SERIALIZATION_FAILURE) => {
            DatabaseCause::Busy { host, message }
        }
        Some(&SqlState::QUERY_CANCELED) => DatabaseCause::Silent { host },
        Some(_) => DatabaseCause::Refused { message },
        None => DatabaseCause::Gone { host, message },
    }
}

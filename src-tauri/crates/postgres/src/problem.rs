//! What can go wrong with a database, as data.

use nexi_core::text::innermost;
use serde::Serialize;
use tokio_postgres::error::SqlState;

/// Why something was not done. The sentence of each is English, for logs; people read the one of the catalogue by its code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum DatabaseProblem {
    #[error("this is not an address of a PostgreSQL database: {message}")]
    BadAddress { message: String },
    /// Other programs can read arguments and settings.
    #[error("the address holds a password")]
    PasswordInAddress,
    /// Text and password would be sent as they are.
    #[error("{host} is not this computer, and sslmode=disable would send everything unencrypted")]
    Unencrypted { host: String },
    #[error("{host} could not be reached ({message})")]
    Unreached { host: String, message: String },
    #[error("{host} offers no encrypted connection, or its certificate is not trusted ({message})")]
    NoTls { host: String, message: String },
    #[error("the password of {user} is missing")]
    PasswordMissing { user: String },
    #[error("{host} does not accept {user} with this password")]
    WrongPassword { host: String, user: String },
    #[error("there is no database {name}")]
    NoDatabase { name: String },
    #[error("PostgreSQL {found} is too old; version 15 or later is needed")]
    OldServer { found: String },
    #[error("there is no corpus in this database")]
    NoCorpus,
    #[error("there is a corpus in this database already")]
    CorpusExists,
    #[error("the corpus has version {found}, and this Nexi knows version {known}")]
    OtherVersion { found: i32, known: i32 },
    #[error("there is no group {role} in this corpus")]
    NoGroup { role: String },
    #[error("there is no role {role} in this database")]
    NoRole { role: String },
    #[error("{user} may not do this ({message})")]
    NotAllowed { user: String, message: String },
    #[error("the connection to {host} broke ({message})")]
    Gone { host: String, message: String },
    #[error("the database refused: {message}")]
    Refused { message: String },
}

impl DatabaseProblem {
    /// What an error of the database means, for whom and where it happened.
    pub(crate) fn of(error: &tokio_postgres::Error, host: &str, user: &str) -> Self {
        let message = error.as_db_error().map_or_else(|| innermost(error), |said| said.message().to_owned());
        let (host, user) = (host.to_owned(), user.to_owned());
        match error.code() {
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => Self::NotAllowed { user, message },
            Some(&SqlState::INVALID_SCHEMA_NAME | &SqlState::UNDEFINED_TABLE | &SqlState::UNDEFINED_FUNCTION) => Self::NoCorpus,
            Some(&SqlState::ADMIN_SHUTDOWN | &SqlState::CRASH_SHUTDOWN | &SqlState::CANNOT_CONNECT_NOW) => Self::Gone { host, message },
            Some(_) => Self::Refused { message },
            None => Self::Gone { host, message },
        }
    }

    /// Whether trying again later may help.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreached { .. } | Self::Gone { .. })
    }
}

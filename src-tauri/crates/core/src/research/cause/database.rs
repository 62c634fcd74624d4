//! Why a database that several people share could not be used.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Fault;

/// What went wrong with a database. Sentences are whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum DatabaseCause {
    #[error("this is not the address of a PostgreSQL database, such as postgres://USER@HOST/DATABASE ({message})")]
    BadAddress { message: String },
    /// Other programs can read arguments and settings.
    #[error("leave the password out of the address, where other programs can read it")]
    PasswordInAddress,
    /// Text and password would be sent as they are.
    #[error("{host} is another computer, and sslmode=disable would send everything unencrypted; leave it out")]
    Unencrypted { host: String },
    #[error("The database at {host} could not be reached ({message}). Is it running, and does the address have the right port?")]
    Unreached { host: String, message: String },
    #[error(
        "{host} offers no encrypted connection, or its certificate is not trusted ({message}). Have TLS set up there, or name its authority in network.root_certificates."
    )]
    NoTls { host: String, message: String },
    #[error("{user} needs a password at {host}. Store it in Settings or with nexi key set, or set PGPASSWORD.")]
    PasswordMissing { host: String, user: String },
    #[error("{host} did not let {user} in. Check the user and the password.")]
    WrongPassword { host: String, user: String },
    #[error("There is no database \"{name}\". Create it first, for example with createdb {name}.")]
    NoDatabase { name: String },
    #[error("This is PostgreSQL {found}; Nexi needs version 15 or later.")]
    OldServer { found: String },
    #[error(
        "This database keeps text as {found}, which has no place for many letters. Create one with UTF8, for example with createdb --encoding UTF8 --template template0."
    )]
    OtherEncoding { found: String },
    #[error(
        "There is no corpus in this database, or you may not see it. Create one with nexi corpus create, or have yourself made a member of nexi_reader."
    )]
    NoCorpus,
    #[error("This corpus has version {found}, and this Nexi knows version {known}. Use the Nexi that belongs to it.")]
    OtherVersion { found: i32, known: i32 },
    /// Of the same version, from before it got all that it has now.
    #[error("This corpus was created by an older version of Nexi. Ask whoever manages it to run nexi corpus create again.")]
    OlderTables,
    #[error("this corpus has no group for the role \"{role}\"; nexi corpus create --group makes groups")]
    NoGroup { role: String },
    #[error("there is no role \"{role}\" in this database; create it first, for example with createuser --no-login {role}")]
    NoRole { role: String },
    #[error(
        "The database does not allow {user} to do this ({message}). Members of nexi_reader may search a corpus, those of nexi_writer may fill it, and those of nexi_team use a team library."
    )]
    NotAllowed { user: String, message: String },
    #[error(
        "This database has no pgvector, or does not let you use it ({message}). Have the extension vector installed, or create the corpus without vectors."
    )]
    NoVectors { message: String },
    #[error("This database has pgvector {found}; vectors of a corpus need version 0.5 or later.")]
    OldVectors { found: String },
    #[error(
        "Vectors of {dimensions} numbers are too long: pgvector finds what is near among 2000 at most. Choose another embedding model."
    )]
    LongVectors { dimensions: String },
    #[error("This corpus has vectors of {dimensions} numbers, and the embedding model made others. Is it still the same model?")]
    OtherLength { dimensions: String },
    #[error("There are documents in this corpus already, and vectors can only be added while there are none.")]
    HasDocuments,
    #[error("This corpus has vectors of {corpus}, and your settings use {own}. Choose {corpus} as embeddings.model to fill it.")]
    OtherEmbedder { corpus: String, own: String },
    #[error(
        "This corpus has vectors of {corpus}, and your settings use no embedding model. Choose {corpus} as embeddings.model to fill it."
    )]
    NoEmbedder { corpus: String },
    #[error("The connection to {host} broke ({message}).")]
    Gone { host: String, message: String },
    #[error("The database at {host} cannot do this now ({message}).")]
    Busy { host: String, message: String },
    #[error("The database at {host} did not answer in time.")]
    Silent { host: String },
    #[error("The database refused: {message}")]
    Refused { message: String },
    /// What was to be written; anything else may be written all the same.
    #[error("The database cannot store this ({message}).")]
    Unstorable { message: String },
    #[error(
        "There is no team library in this database, or you may not see it. Create one with nexi team create, or have yourself made a member of nexi_team."
    )]
    NoTeam,
    /// Of the same version, from before it got all that it has now.
    #[error("This team library was created by an older version of Nexi. Ask whoever manages it to run nexi team create again.")]
    OlderTeam,
    #[error("This team library has version {found}, and this Nexi knows version {known}. Use the Nexi that belongs to it.")]
    OtherTeamVersion { found: i32, known: i32 },
    #[error("you are not a member of the role \"{role}\", and could not see the thread yourself; have yourself made a member")]
    NotMember { role: String },
    /// The login that shared it was removed, and somebody else has its name now.
    #[error("this thread was shared by an earlier login of your name, and only whoever administers the database can withdraw it")]
    EarlierLogin,
    /// No shared thread of this name, for this person.
    #[error("this thread is no longer shared, or you may no longer see it")]
    NoSharedThread,
    /// No document of this number, for this person.
    #[error("this document is no longer in the corpus, or you may no longer see it")]
    NoDocument,
}

impl DatabaseCause {
    /// What it means for those who decide what to do next.
    pub fn fault(&self) -> Fault {
        match self {
            Self::Unreached { .. } | Self::Gone { .. } | Self::Busy { .. } | Self::Silent { .. } => Fault::Transient,
            Self::PasswordMissing { .. } | Self::WrongPassword { .. } => Fault::Key,
            _ => Fault::Other,
        }
    }

    /// Whether trying again later may help.
    pub fn is_transient(&self) -> bool {
        self.fault() == Fault::Transient
    }

    /// What was said wrong, where it is that: the address, or the group. The sentence follows its name.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::BadAddress { .. } | Self::PasswordInAddress | Self::Unencrypted { .. } => Some("address"),
            Self::NoGroup { .. } | Self::NoRole { .. } | Self::NotMember { .. } => Some("group"),
            _ => None,
        }
    }
}

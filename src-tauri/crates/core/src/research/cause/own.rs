//! Why something of Nexi's own failed: documents, the library, a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Fault;

/// What went wrong here, on this computer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum OwnCause {
    #[error("the search broke down")]
    SearchBroke,
    #[error("reading it broke down")]
    ReadingBroke,
    #[error("the call broke down")]
    CallBroke,
    #[error("{tool} was not asked: the query holds text of private documents")]
    HoldsPrivate { tool: String },
    #[error("{tool} is not set up here")]
    NotSetUp { tool: String },
    #[error("Nexi was interrupted during this call, and whether it was carried out is not known")]
    UnknownCall,
    #[error("the documents could not be searched")]
    DocumentsUnsearched,
    #[error("the documents could not be searched ({message})")]
    DocumentsUnsearchedFor { message: String },
    #[error("{pattern} cannot be looked for ({message})")]
    BadPattern { pattern: String, message: String },
    #[error("the pattern is empty")]
    EmptyPattern,
    #[error("the file could not be read")]
    FileUnread,
    #[error("{name} cannot be read: {why}")]
    FileNotRead { name: String, why: String },
    #[error("{name} cannot be read: {why}")]
    FileLeftOut { name: String, why: String },
    #[error("{name} is not among the documents: it is hidden, left out by a pattern or a .gitignore file, or of a kind that is not read")]
    FileNotListed { name: String },
    #[error("the library has no other thread with an answer at this address; use one that library_search returned")]
    NoEarlierAnswer,
    #[error("the library could not be read")]
    LibraryUnread,
    #[error("The key for {service} could not be read. {message}")]
    KeyUnread { service: String, message: String },
    #[error("its secret cannot be used ({message})")]
    HookSecret { message: String },
    #[error("no secret could be made ({message})")]
    NoHookSecret { message: String },
    #[error("{service} sent {vectors} vectors for {texts} texts")]
    VectorCount { service: String, vectors: usize, texts: usize },
    #[error(
        "private text is part of this conversation, and this address comes neither from search results or web pages nor from the question"
    )]
    HeldBack,
    #[error("This run's journal cannot be read. Ask the question again.")]
    JournalUnreadable,
}

impl OwnCause {
    /// What it means for those who decide what to do next.
    pub(super) fn fault(&self) -> Fault {
        match self {
            Self::FileLeftOut { .. } | Self::FileNotListed { .. } | Self::NoEarlierAnswer => Fault::Forbidden,
            Self::HookSecret { .. } => Fault::Key,
            _ => Fault::Other,
        }
    }
}

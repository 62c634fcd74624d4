//! What a person should know although a run goes on, as facts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Something to know that changes nothing in how the run goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Notice {
    /// The model's plan could not be read, so one researcher takes the question as it is.
    PlanUnreadable,
    /// Another model writes from here on; what was wrong with the one before it, as a sentence.
    NextModel { why: String, model: String },
    /// The run was taken up again after an interruption.
    Resumed,
    /// A file that was given with the question; why, as a part of a sentence.
    FileUnread { name: String, why: String },
    /// A folder of the space that is not searched.
    FolderUnread { folder: String },
    /// The question did not wait for all documents.
    DocumentsStillRead,
    /// The documents could not be indexed; what went wrong.
    NotIndexed { why: String },
}

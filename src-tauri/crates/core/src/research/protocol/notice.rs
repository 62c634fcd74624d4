//! What a person should know although a run goes on, as facts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Something to know that changes nothing in how the run goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS, JsonSchema)]
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
    /// A sentence that an earlier version kept.
    Told { text: String },
    /// A notice that only a newer version knows.
    Unknown,
}

/// A notice, or the sentence that earlier versions wrote.
impl<'de> Deserialize<'de> for Notice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Kept {
            Sentence(String),
            #[serde(with = "Coded")]
            Notice(Notice),
        }
        Ok(match Kept::deserialize(deserializer)? {
            Kept::Sentence(text) => Self::Told { text },
            Kept::Notice(notice) => notice,
        })
    }
}

/// How a notice is written down.
#[derive(Deserialize)]
#[serde(remote = "Notice", tag = "code", rename_all = "snake_case")]
enum Coded {
    PlanUnreadable,
    NextModel {
        why: String,
        model: String,
    },
    Resumed,
    FileUnread {
        name: String,
        why: String,
    },
    FolderUnread {
        folder: String,
    },
    DocumentsStillRead,
    NotIndexed {
        why: String,
    },
    Told {
        text: String,
    },
    #[serde(other)]
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_earlier_versions_are_read() {
        assert_eq!(serde_json::from_str::<Notice>("\"It goes on.\"").unwrap(), Notice::Told { text: "It goes on.".into() });
        let notice = Notice::FileUnread { name: "a.pdf".into(), why: "it is damaged".into() };
        assert_eq!(serde_json::from_str::<Notice>(&serde_json::to_string(&notice).unwrap()).unwrap(), notice);
    }
}

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
    /// A sentence that an earlier version kept.
    Told { text: String },
    /// A notice that only a newer version knows.
    #[serde(other)]
    Unknown,
}

/// Reads a notice. A sentence that an earlier version kept is [`Notice::Told`], and what only a later version
/// understands is [`Notice::Unknown`].
pub(super) fn kept<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Notice, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Notice::Told { text },
        coded => serde_json::from_value(coded).unwrap_or(Notice::Unknown),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_earlier_versions_are_read() {
        let read = |json: &str| kept(&mut serde_json::Deserializer::from_str(json)).unwrap();
        assert_eq!(read("\"It goes on.\""), Notice::Told { text: "It goes on.".into() });
        let notice = Notice::FileUnread { name: "a.pdf".into(), why: "it is damaged".into() };
        assert_eq!(read(&serde_json::to_string(&notice).unwrap()), notice);
        assert_eq!(read(r#"{"code":"moon_full","phase":3}"#), Notice::Unknown);
    }
}

//! Why a command of a window did nothing.

use std::path::Path;

use serde::Serialize;

/// A reason as a code and what belongs to it. The window says it with the message `refusals-why` of the code.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "code", content = "params", rename_all = "snake_case")]
pub(crate) enum Refusal {
    /// The engine says it, in the language of the program.
    Said {
        text: String,
    },
    AttachmentGone,
    /// A text to attach is larger than this.
    TextTooLarge {
        most_mib: usize,
    },
    NotYourDocument,
    FileGone,
    /// The file of a document of a corpus.
    FileElsewhere {
        path: String,
    },
    NoFileWritten,
    NotWebAddress,
    NotAWebPage,
    BrowserFailed {
        why: String,
    },
    CannotOpen {
        path: String,
        why: String,
    },
    ClipboardFailed {
        why: String,
    },
    ClipboardTooLong,
    FolderUnusable,
    PrintFailed {
        why: String,
    },
    PrintTooSlow,
    /// What is wrong with the file that was chosen.
    ThisFile {
        what: String,
    },
    NoImport,
    NameNeeded,
    NoAnswerYet,
    NoSuchLink,
    NoSuchPage,
    NoSuchProvider,
    NoSuchWindow,
    NoKeyNeeded,
    BadSchedule {
        why: String,
    },
    BadHeight,
    TooMuchToRemember,
    /// The settings of another program have changed since they were read.
    OtherProgramChanged,
    CheckBusy,
    /// Nexi would end.
    AnswerPending,
}

impl Refusal {
    pub(crate) fn cannot_open(path: &Path, why: &impl std::fmt::Display) -> Self {
        Self::CannotOpen { path: path.display().to_string(), why: why.to_string() }
    }
}

/// What a library says goes into the log only.
impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

#[cfg(test)]
mod tests {
    use nexi_messages::{Language, Messages, Value};

    use super::*;

    #[test]
    fn every_refusal_can_be_said() {
        let text = String::from("x");
        let all = [
            Refusal::AttachmentGone,
            Refusal::TextTooLarge { most_mib: 4 },
            Refusal::NotYourDocument,
            Refusal::FileGone,
            Refusal::FileElsewhere { path: text.clone() },
            Refusal::NoFileWritten,
            Refusal::NotWebAddress,
            Refusal::NotAWebPage,
            Refusal::BrowserFailed { why: text.clone() },
            Refusal::CannotOpen { path: text.clone(), why: text.clone() },
            Refusal::ClipboardFailed { why: text.clone() },
            Refusal::ClipboardTooLong,
            Refusal::FolderUnusable,
            Refusal::PrintFailed { why: text.clone() },
            Refusal::PrintTooSlow,
            Refusal::ThisFile { what: text.clone() },
            Refusal::NoImport,
            Refusal::NameNeeded,
            Refusal::NoAnswerYet,
            Refusal::NoSuchLink,
            Refusal::NoSuchPage,
            Refusal::NoSuchProvider,
            Refusal::NoSuchWindow,
            Refusal::NoKeyNeeded,
            Refusal::BadSchedule { why: text.clone() },
            Refusal::BadHeight,
            Refusal::TooMuchToRemember,
            Refusal::OtherProgramChanged,
            Refusal::CheckBusy,
            Refusal::AnswerPending,
            Refusal::Said { text },
        ];
        for refusal in all {
            let sent = serde_json::to_value(&refusal).expect("JSON");
            let values: Vec<_> = sent["params"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| {
                    (name.as_str(), value.as_u64().map_or_else(|| Value::from(value.as_str().expect("a text")), Value::from))
                })
                .collect();
            let (messages, id) = (Messages::of(Language::English), format!("refusals-why.{}", sent["code"].as_str().expect("a code")));
            assert!(messages.has(&id), "{id}");
            // Panics in tests where something that it needs is missing.
            let said = messages.text(&id, &values);
            assert!(!said.contains('{'), "{said}");
        }
    }
}

//! Who checks an answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Who looks at statements that their sources do not seem to support. Every statement is compared with its sources
/// on this machine in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerCheck {
    /// The model, in one more request. Without a model this is the same as `local`.
    #[default]
    Model,
    /// The comparison alone.
    Local,
}

impl AnswerCheck {
    /// `local` or `model`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Model => "model",
        }
    }
}

impl std::str::FromStr for AnswerCheck {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_ascii_lowercase().as_str() {
            "local" => Ok(Self::Local),
            "model" => Ok(Self::Model),
            other => Err(format!("check must be local or model, not {other:?}")),
        }
    }
}

//! What is wrong with a setting.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::redaction::hide_keys;

/// Something wrong with a setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Problem {
    /// Such as `providers.work.base_url`.
    pub field: String,
    /// A sentence that says what would be right.
    pub message: String,
}

impl Problem {
    /// A problem with this field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        // A key that was put into the wrong line must not be shown.
        Self { field: field.into(), message: hide_keys(&message.into()) }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Somebody may have taken a key for a name.
        write!(f, "{}: {}", hide_keys(&self.field), self.message)
    }
}

//! Attachments that could not be read.

use nexi_core::{ports::Cause, text};
use nexi_messages::say;

/// That an answer does not rest on them, and why where that is known of all.
pub(super) fn unread(names: &[String], causes: &[Cause]) -> String {
    if causes.is_empty() {
        return say!("reasons-why.unread_attachments", count = names.len(), names = names.join(", "));
    }
    let why: Vec<String> = causes.iter().map(|one| text::ended(&super::cause(one))).collect();
    format!("{} {}", why.join(" "), say!("reasons-not-resting-on", count = causes.len()))
}

//! What an answer says that an earlier one to the same question did not.

use nexi_core::protocol::Turn;

use super::line;
use crate::report::{before, change_head};

/// The new statements as a section in Markdown. Empty if the question was not watched, or nothing changed.
pub(super) fn change(turn: &Turn, mark: &str) -> String {
    let Some(change) = turn.change.as_deref() else { return String::new() };
    let lines = change.statements.iter().map(|new| {
        let before = new.before.as_deref().map(before).map(|before| format!(" ({})", line(&before))).unwrap_or_default();
        format!("- {}{before}", line(&new.text))
    });
    format!("{mark} {}\n\n{}\n", line(&change_head(change)), lines.collect::<Vec<_>>().join("\n"))
}

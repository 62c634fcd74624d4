//! What another model said of an answer.

use nexi_core::protocol::{Agreement, Turn};
use nexi_messages::say;

use super::line;
use crate::report::opinion_counts;

/// How another model's answer compares, as a section in Markdown: how many statements agree, then those that do not.
/// Empty if no other model was asked.
pub(super) fn opinion(turn: &Turn, mark: &str) -> String {
    let Some(opinion) = turn.second.as_deref() else { return String::new() };
    let mut out = format!("{mark} {}\n\n{}\n\n", say!("answers-opinion"), line(&opinion_counts(opinion)));
    for compared in &opinion.compared {
        let first = compared.first.as_deref().map(line).unwrap_or_default();
        let second = compared.second.as_deref().map(line).unwrap_or_default();
        match compared.agreement {
            Agreement::Agrees | Agreement::Similar => {}
            Agreement::Differs => out.push_str(&format!("- {}\n", say!("answers-they-differ", first = first, second = second))),
            Agreement::OnlyFirst => out.push_str(&format!("- {}\n", say!("answers-only-this", statement = first))),
            Agreement::OnlySecond => out.push_str(&format!("- {}\n", say!("answers-only-other", statement = second))),
        }
    }
    out.trim_end().to_owned() + "\n"
}

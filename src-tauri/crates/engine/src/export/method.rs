//! How a deep run came to its report.

use nexi_core::{
    pricing::dollars,
    protocol::{EndReason, Method, Turn, Unfinished},
};
use nexi_messages::{decimal, say};

use super::line;
use crate::sentences;

/// How a deep run came to its report, as a section in Markdown; empty for quick runs.
pub(super) fn method(turn: &Turn, mark: &str) -> String {
    let Some(method) = &turn.ending.method else { return String::new() };
    let mut out = format!("{mark} {}\n\n{}\n", say!("answers-method"), method_line(method, turn));
    let open = open(method);
    if !open.is_empty() {
        out.push_str(&format!("\n{}\n\n", say!("answers-not-established")));
        for open in &open {
            out.push_str(&format!("- {}\n", line(open)));
        }
    }
    out
}

/// How a deep run came to its report, as lines of plain text; none for quick runs.
pub fn method_lines(turn: &Turn) -> Vec<String> {
    let Some(method) = &turn.ending.method else { return Vec::new() };
    let mut out = vec![say!("answers-method-line", facts = method_line(method, turn))];
    out.extend(open(method).iter().map(|open| say!("answers-not-established-line", what = open)));
    out
}

/// What was to be found out and was not, with the reason.
fn open(method: &Method) -> Vec<String> {
    match method.unfinished.as_slice() {
        [] => method.open.clone(),
        tasks => {
            let unknown = || sentences::reasons(&EndReason::NotFinished.into());
            let why = |task: &Unfinished| sentences::reason_told(&task.reason).unwrap_or_else(unknown);
            tasks.iter().map(|task| format!("{}: {}", task.title, why(task))).collect()
        }
    }
}

/// Rounds, searches, pages, time, tokens and cost as one sentence.
fn method_line(method: &Method, turn: &Turn) -> String {
    let usage = turn.ending.usage;
    let pages = say!("answers-pages", count = method.pages);
    let mut parts = vec![
        say!("answers-rounds", count = method.rounds),
        say!("answers-researchers", count = method.researchers),
        say!("answers-searches", count = method.searches),
        if method.unread > 0 { say!("answers-pages-but", pages = pages, count = method.unread) } else { pages },
    ];
    let seconds = turn.duration_ms / 1000;
    parts.push(if seconds < 60 {
        say!("answers-seconds", count = decimal(turn.duration_ms as f64 / 1000.0, 1))
    } else {
        say!("answers-minutes", minutes = seconds / 60, seconds = seconds % 60)
    });
    if usage.total() > 0 {
        parts.push(say!("answers-tokens", count = usage.total()));
    }
    if usage.cost > 0 {
        parts.push(dollars(usage.cost));
    }
    format!("{}.", parts.join(", "))
}

//! How a deep run came to its report.

use nexi_core::{
    pricing::dollars,
    protocol::{Method, Turn},
    text,
};

use super::line;

/// How a deep run came to its report, as a section in Markdown; empty for quick runs.
pub(super) fn method(turn: &Turn, mark: &str) -> String {
    let Some(method) = &turn.ending.method else { return String::new() };
    let mut out = format!("{mark} How this was researched\n\n{}\n", method_line(method, turn));
    if !method.open.is_empty() {
        out.push_str("\nNot established:\n\n");
        for open in &method.open {
            out.push_str(&format!("- {}\n", line(open)));
        }
    }
    out
}

/// How a deep run came to its report, as lines of plain text; none for quick runs.
pub fn method_lines(turn: &Turn) -> Vec<String> {
    let Some(method) = &turn.ending.method else { return Vec::new() };
    let mut out = vec![format!("How this was researched: {}", method_line(method, turn))];
    out.extend(method.open.iter().map(|open| format!("Not established: {open}")));
    out
}

/// Rounds, searches, pages, time, tokens and cost as one sentence.
fn method_line(method: &Method, turn: &Turn) -> String {
    let count = |number: u32, what: &str| text::count(number.into(), what);
    let usage = turn.ending.usage;
    let searches = if method.searches == 1 { "1 search".to_owned() } else { format!("{} searches", method.searches) };
    let mut parts = vec![count(method.rounds, "round"), count(method.researchers, "researcher"), searches];
    let unread = if method.unread > 0 { format!(" ({} could not be read)", method.unread) } else { String::new() };
    parts.push(format!("{} read{unread}", count(method.pages, "page")));
    let seconds = turn.duration_ms / 1000;
    parts.push(if seconds < 60 {
        format!("{:.1} s", turn.duration_ms as f64 / 1000.0)
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    });
    if usage.total() > 0 {
        parts.push(format!("{} tokens", usage.total()));
    }
    if usage.cost > 0 {
        parts.push(dollars(usage.cost));
    }
    format!("{}.", parts.join(", "))
}

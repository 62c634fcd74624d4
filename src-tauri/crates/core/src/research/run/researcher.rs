//! A researcher of a deep run: it gathers within a budget, reads in batches, and hands in a report.

use super::{Assignment, sources::SourceBook};
use crate::{model::Offer, prompts::disarm, text};

/// Calls of all searching tools together.
pub(super) const GATHERING: u32 = 4;
/// Pages of the batches that follow the handshake.
pub(super) const BATCHES: [u32; 3] = [3, 2, 3];
/// Percent of the context window behind which no further batch is read.
pub(super) const FULL: usize = 55;
/// Pages that a handshake names.
pub(super) const NAMED: usize = 40;
/// Steps that the budgets leave room for, with some that go wrong.
pub(super) const STEPS: u32 = 14;
/// Units of work of one researcher: its calls, and two for the report.
pub(super) const UNITS: u32 = GATHERING + 1 + BATCHES.len() as u32 + 2;

/// What a researcher may still use: its calls to search and to read, and the notes that it has not seen.
pub(super) struct ResearcherBudget {
    pub(super) assignment: Assignment,
    /// Calls of searching tools so far.
    pub(super) gathered: u32,
    /// Calls of `web_get` so far, the handshake among them.
    pub(super) readings: u32,
    /// The step of the last one.
    pub(super) last_reading: u32,
    /// What others have found since the last step.
    pub(super) notes: Vec<String>,
}

impl ResearcherBudget {
    pub(super) fn new(assignment: Assignment) -> Self {
        Self { assignment, gathered: 0, readings: 0, last_reading: 0, notes: Vec::new() }
    }

    /// What the budgets still allow.
    pub(super) fn offer(&self) -> Offer {
        let may_read = self.readings as usize <= BATCHES.len();
        if self.gathered < GATHERING { Offer::of(&self.assignment.tools, may_read) } else { Offer { read: may_read, ..Offer::default() } }
    }

    /// The message that the work begins with.
    pub(super) fn opening(&self) -> String {
        let Assignment { task, question, notes, .. } = &self.assignment;
        let mut out = format!("The question that all of us work on: {question}\n\nYour task: {}\n\n{}", task.title, task.goal);
        if !task.queries.is_empty() {
            out.push_str("\n\nSearches to begin with:");
            for query in &task.queries {
                out.push_str("\n- ");
                out.push_str(query);
            }
        }
        for note in notes {
            out.push_str("\n\n");
            out.push_str(note);
        }
        out
    }
}

/// What others are told when a researcher has handed in its report.
pub(super) fn note(title: &str, report: &str) -> String {
    format!(
        "Another researcher has reported on “{}”. Do not look for this again; its numbers are yours to cite.\n<untrusted>\n{}\n</untrusted>",
        disarm(title),
        disarm(report)
    )
}

/// What a researcher found that wrote no report: the best passages of the pages it read.
pub(super) fn unwritten(book: &SourceBook, pages: &[u32], task: &str) -> String {
    let mut out = String::new();
    for number in pages {
        let Some(known) = book.get(*number) else { continue };
        let passages = super::results::best_passages(&known.page.text, task, "", 60, 120, 3);
        if !passages.trim().is_empty() {
            out.push_str(&format!("From [{number}] {}:\n{}\n\n", text::truncate(&known.page.title, 160), passages.trim()));
        }
    }
    out.trim_end().to_owned()
}

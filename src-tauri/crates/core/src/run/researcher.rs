//! A researcher of a deep run: it gathers within a budget, reads in batches, and hands in a report.

use super::{
    Assignment, ToolResult,
    egress::Egress,
    machine::{Phase, Run},
    results::ReadBefore,
    sources::SourceBook,
};
use crate::{
    model::{Message, Offer},
    ports::SearchTool,
    prompts::disarm,
    protocol::Usage,
    text,
    urls::page_key,
};

/// Calls of all searching tools together.
const GATHERING: u32 = 4;
/// Pages of the batches that follow the handshake.
const BATCHES: [u32; 3] = [3, 2, 3];
/// Percent of the context window behind which no further batch is read.
const FULL: usize = 55;
/// Pages that a handshake names.
const NAMED: usize = 40;
/// Steps that the budgets leave room for, with some that go wrong.
pub(super) const STEPS: u32 = 14;
/// Units of work of one researcher: its calls, and two for the report.
pub(super) const UNITS: u32 = GATHERING + 1 + BATCHES.len() as u32 + 2;

/// What a researcher has on its desk.
pub(super) struct Desk {
    assignment: Assignment,
    /// Calls of searching tools so far.
    gathered: u32,
    /// Calls of `web_get` so far, the handshake among them.
    readings: u32,
    /// The step of the last one.
    last_reading: u32,
    /// What others have found since the last step.
    notes: Vec<String>,
}

impl Desk {
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

impl Run {
    /// Counts a call of a searching tool.
    ///
    /// # Errors
    /// A sentence for the model where there is no such call any more.
    pub(super) fn may_search(&mut self, tool: SearchTool) -> Result<(), String> {
        let Some(desk) = &mut self.desk else {
            let no_such = || format!("There is no tool {:?}. The tools are web_search, web_get and final_answer.", tool.call());
            return if tool.is_web() { Ok(()) } else { Err(no_such()) };
        };
        if !desk.assignment.tools.contains(&tool) {
            return Err(format!("{} cannot be used here. Use another tool.", tool.call()));
        }
        if desk.gathered >= GATHERING {
            return Err(format!("Your {GATHERING} searches are used up. Read what you have found, or hand in your report."));
        }
        desk.gathered += 1;
        Ok(())
    }

    /// How many new pages a call of `web_get` may fetch.
    ///
    /// # Errors
    /// The result of the call, where it fetches nothing.
    pub(super) fn batch(&mut self, urls: &[String]) -> Result<u32, ToolResult> {
        let step = self.step;
        let Some(desk) = &mut self.desk else { return Ok(u32::MAX) };
        // Two at once would both be measured against the same conversation.
        if desk.last_reading == step {
            let message = "Only one call of web_get at a time. Ask again when you have seen the result of the other one.";
            return Err(ToolResult::Error { message: message.into() });
        }
        let call = desk.readings as usize;
        if call > BATCHES.len() {
            let message = "Your three batches of pages are used up. Hand in your report with final_answer.";
            return Err(ToolResult::Error { message: message.into() });
        }
        desk.readings += 1;
        desk.last_reading = step;
        if call == 0 {
            return Err(ToolResult::Handshake { read: self.read_before(urls), batch: BATCHES[0] });
        }
        let counter = self.counter.clone();
        let limit = self.asked().limits.max_context as usize * FULL / 100;
        if self.conversation.exceeds(limit, counter.as_ref()) {
            let message = format!(
                "Your context window is more than {FULL}% full, so this batch was left out. Hand in your report with final_answer."
            );
            return Err(ToolResult::Error { message });
        }
        Ok(BATCHES[call - 1])
    }

    /// What has been read in this run: first of all the pages that were asked for.
    fn read_before(&self, urls: &[String]) -> Vec<ReadBefore> {
        let wanted: Vec<String> = urls.iter().map(|url| page_key(url)).collect();
        let mut read: Vec<(bool, ReadBefore)> = self
            .book
            .links()
            .into_iter()
            .filter_map(|(number, url)| {
                let title = self.book.get(number)?.page.title.clone();
                Some((!wanted.contains(&page_key(url)), ReadBefore { number, title, url: url.to_owned() }))
            })
            .collect();
        read.sort_by_key(|(other, page)| (*other, page.number));
        read.truncate(NAMED);
        read.into_iter().map(|(_, page)| page).collect()
    }

    /// Tells a researcher what another one found; it hears of it before its next step.
    pub(super) fn hear(&mut self, note: String) {
        if let Some(desk) = &mut self.desk {
            desk.notes.push(note);
        }
    }

    /// Puts what others found into the conversation.
    pub(super) fn take_notes(&mut self) {
        let Some(desk) = &mut self.desk else { return };
        for note in std::mem::take(&mut desk.notes) {
            self.conversation.push(Message::User { text: note });
        }
    }

    /// Lends a researcher what all of them share, and takes it back.
    pub(super) fn swap_shared(&mut self, book: &mut SourceBook, egress: &mut Egress) {
        std::mem::swap(&mut self.book, book);
        std::mem::swap(&mut self.egress, egress);
    }

    /// What the others have used of the purse that all share.
    pub(super) fn set_others(&mut self, others: Usage) {
        self.others = others;
    }

    /// What this run has used so far.
    pub(super) fn spent(&self) -> Usage {
        self.usage
    }

    /// Steps taken.
    pub(super) fn steps(&self) -> u32 {
        self.step
    }

    /// Queries asked.
    pub(super) fn searches(&self) -> u32 {
        self.queries.len() as u32
    }

    /// Who answered in place of the model that was asked first.
    pub(super) fn stand_in(&self) -> Option<&String> {
        self.answered_by.as_ref()
    }

    /// Units of work done, of [`UNITS`].
    pub(super) fn units(&self) -> u32 {
        let called = self.desk.as_ref().map_or(0, |desk| desk.gathered + desk.readings);
        match self.phase {
            Phase::Ended => UNITS,
            // What is being carried out is not done yet.
            Phase::Acting(_) => called.saturating_sub(1),
            _ => called,
        }
    }

    /// What its last answer would use at most, as far as can be told now.
    pub(super) fn last_words(&mut self) -> Usage {
        let counter = self.counter.clone();
        let prompt = self.conversation.tokens(counter.as_ref()) as u64;
        self.purse().at_most(prompt, 1000.min(self.asked().limits.max_output_tokens))
    }
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

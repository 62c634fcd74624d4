//! What a run does as a researcher of a deep run.

use super::{
    author::Author,
    egress::Egress,
    machine::{Phase, Run},
    researcher::{BATCHES, FULL, GATHERING, NAMED, UNITS},
    sources::SourceBook,
};
use crate::{
    model::{Message, ReadBefore, ToolResult},
    ports::SearchTool,
    protocol::{Focus, Usage},
    urls::page_key,
};

impl Run {
    /// Counts a call of a searching tool.
    ///
    /// # Errors
    /// A sentence for the model where there is no such call any more.
    pub(super) fn may_search(&mut self, tool: SearchTool) -> Result<(), String> {
        let Some(researcher) = &mut self.researcher else {
            let asked = &self.asked;
            let is_offered = match tool {
                SearchTool::Web => true,
                SearchTool::Grep => asked.documents || asked.focus == Focus::Documents,
                SearchTool::Library => asked.library,
                SearchTool::Stackexchange | SearchTool::Security => false,
            };
            let no_such = || format!("There is no tool {:?}. Use one of those that were offered.", tool.call());
            return if is_offered { Ok(()) } else { Err(no_such()) };
        };
        if !researcher.assignment.tools.contains(&tool) {
            return Err(format!("{} cannot be used here. Use another tool.", tool.call()));
        }
        if researcher.gathered >= GATHERING {
            return Err(format!("Your {GATHERING} searches are used up. Read what you have found, or hand in your report."));
        }
        researcher.gathered += 1;
        Ok(())
    }

    /// How many new pages a call of `web_get` may fetch.
    ///
    /// # Errors
    /// The result of the call, where it fetches nothing.
    pub(super) fn batch(&mut self, urls: &[String]) -> Result<u32, ToolResult> {
        let step = self.step;
        let Some(researcher) = &mut self.researcher else { return Ok(u32::MAX) };
        // Two at once would both be measured against the same conversation.
        if researcher.last_reading == step {
            let message = "Only one call of web_get at a time. Ask again when you have seen the result of the other one.";
            return Err(ToolResult::Error { message: message.into() });
        }
        let call = researcher.readings as usize;
        if call > BATCHES.len() {
            let message = "Your three batches of pages are used up. Hand in your report with final_answer.";
            return Err(ToolResult::Error { message: message.into() });
        }
        researcher.readings += 1;
        researcher.last_reading = step;
        if call == 0 {
            return Err(ToolResult::Handshake { read: self.read_before(urls), batch: BATCHES[0] });
        }
        let counter = self.counter.clone();
        let limit = self.asked.limits.max_context as usize * FULL / 100;
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
    pub(super) fn add_note(&mut self, note: String) {
        if let Some(researcher) = &mut self.researcher {
            researcher.notes.push(note);
        }
    }

    /// Puts what others found into the conversation.
    pub(super) fn take_notes(&mut self) {
        let Some(researcher) = &mut self.researcher else { return };
        for note in std::mem::take(&mut researcher.notes) {
            self.conversation.push(Message::User { text: note });
        }
    }

    /// Lends a researcher what all of them share, and takes it back.
    pub(super) fn swap_shared(&mut self, book: &mut SourceBook, egress: &mut Egress) {
        std::mem::swap(&mut self.book, book);
        std::mem::swap(&mut self.egress, egress);
    }

    /// What the others have used of the budget that all share.
    pub(super) fn set_others(&mut self, others: Usage) {
        self.spending.set_others(others);
    }

    /// What this run has used so far.
    pub(super) fn spent(&self) -> Usage {
        self.spending.used()
    }

    /// Steps taken.
    pub(super) fn steps(&self) -> u32 {
        self.step
    }

    /// Queries asked.
    pub(super) fn searches(&self) -> u32 {
        self.trail.queries().len() as u32
    }

    /// Who writes its report.
    pub(super) fn author(&self) -> &Author {
        &self.author
    }

    /// Units of work done, of [`UNITS`].
    pub(super) fn units(&self) -> u32 {
        let called = self.researcher.as_ref().map_or(0, |researcher| researcher.gathered + researcher.readings);
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
        self.budget().at_most(prompt, 1000.min(self.asked.limits.max_output_tokens))
    }
}

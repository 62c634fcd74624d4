//! The end of a run whose model failed for good: an answer put together from what was read.

use super::{Effect, KnownSource, machine::Run};
use crate::protocol::{EndReason, Reasons};
use crate::{
    protocol::{Incident, TurnState},
    quotes,
    rank::{Candidate, Question, select},
};

/// Bytes of a streamed answer from which on it is worth more than quotations.
const WORTH_KEEPING: usize = 300;
/// Titles that are named where no passage fits.
const MAX_TITLES: usize = 12;

impl Run {
    /// Ends the run without the model, for this reason. Researchers of deep runs hand in what they
    /// have; whoever reads it puts it together.
    pub(super) fn end_without_model(&mut self, reason: Reasons, incident: Option<Incident>, out: &mut Vec<Effect>) {
        if let Some(incident) = incident {
            self.author.decided_by(incident);
        }
        if self.researcher.is_some() || self.book.is_empty() {
            self.author.is_without_remedy();
            self.end(TurnState::Failed, reason, None, out);
            return;
        }
        if self.streaming.is_answer() && self.streaming.text().len() >= WORTH_KEEPING {
            self.end(TurnState::Partial, reason.and(EndReason::BreaksOff), None, out);
            return;
        }
        let answer = self.quoted();
        self.streaming.drop_text();
        self.end(TurnState::Partial, reason.and(EndReason::WithoutModel), Some(answer), out);
    }

    /// The passages of the sources that come closest to the question; their titles where none does.
    pub(super) fn quoted(&self) -> String {
        let question = Question::new(&self.asked.question);
        let sources: Vec<_> = self.book.fresh_first().collect();
        let candidates: Vec<Candidate<'_>> = sources
            .iter()
            .enumerate()
            .map(|(rank, known)| Candidate { title: &known.page.title, text: &known.page.text, rank, hot: Vec::new() })
            .collect();
        let found = select(&question, &candidates, quotes::MAX_WORDS, quotes::MAX_QUOTES);
        if found.is_empty() {
            let titles: Vec<String> = sources
                .iter()
                .take(MAX_TITLES)
                .map(|known| format!("- {} [{}]", quotes::clean(&known.page.title, false), known.number))
                .collect();
            return format!("{}\n\n{}", self.asked.own_words.no_source, titles.join("\n"));
        }
        let lines: Vec<quotes::Line<'_>> = found
            .iter()
            .zip(quotes::with_context(&found, &candidates))
            .map(|(quote, around)| {
                let KnownSource { number, page, .. } = sources[quote.candidate];
                quotes::Line::new(&page.text, &around, &quote.range, &page.url, *number)
            })
            .collect();
        quotes::listed(&lines, &self.asked.own_words.also)
    }
}

//! Pages that the model itself takes in, one request for each: a summary made for instructions, or
//! the choice of chunks. Whatever goes wrong there has a local way out.

use std::ops::Range;

use super::{
    Effect, Key, Purpose, Shown,
    conversation::size,
    machine::{Phase, Run, Urgency},
    results::{join_chunks, rank_chunks, show},
    round::PageExtraction,
};
use crate::{
    model::{Message, ModelRequest},
    ports::Page,
    protocol::{Event, Usage},
    rank::chunks,
    tools::PageMode,
};

/// Tokens that a summary of 400 to 600 words may take.
const EXTRACT_OUTPUT: u32 = 1500;
/// Tokens that models which reason first may take besides, where there is no ceiling.
const REASONING: u32 = 4000;
/// Tokens that a list of numbers may take.
const SELECT_OUTPUT: u32 = 300;
/// Chunks that the model may choose.
const MOST_CHUNKS: usize = 12;
/// Tokens that the words of a request take besides the page.
const AROUND: usize = 600;

impl Run {
    /// Asks the model about a page that was read. False when it is not to be asked: the page is
    /// short, nothing was wanted of it, or there is no money left for it.
    pub(super) fn extract(&mut self, key: Key, number: u32, instructions: &str, mode: PageMode, out: &mut Vec<Effect>) -> bool {
        let asked = &self.asked;
        if !asked.assisted || self.urgency != Urgency::None || !matches!(mode, PageMode::Extract | PageMode::Chunks) {
            return false;
        }
        let Some(page) = self.book.get(number).map(|known| known.page.clone()) else { return false };
        if super::results::is_short(&page) {
            return false;
        }
        let limits = asked.limits;
        let room = limits.compaction_threshold().saturating_sub(EXTRACT_OUTPUT as usize + AROUND).max(500);
        let (text, offered, purpose, most) = match mode {
            PageMode::Extract => {
                let material = format!("{}\n{}\n\n{}", page.title, page.url, self.fit(&page.text, room));
                let material = crate::prompts::disarm(&material);
                let asked = &self.asked;
                (asked.prompts.extractor(&asked.question, instructions, &material), Vec::new(), Purpose::Extraction, EXTRACT_OUTPUT)
            }
            _ => {
                let (offered, list) = self.offer(&page, instructions, room);
                let asked = &self.asked;
                let text = asked.prompts.chunk_selector(&asked.question, instructions, &list, MOST_CHUNKS);
                (text, offered, Purpose::Selection, SELECT_OUTPUT)
            }
        };
        let message = Message::User { text };
        let counter = self.counter.clone();
        let budget = self.budget();
        let (grant, reserved) = if budget.is_limited() {
            let prompt = size(&message, counter.as_ref()) as u64;
            let conversation = self.conversation.tokens(counter.as_ref()) as u64;
            match budget.side(prompt, conversation, most) {
                Some(output) => (output, budget.at_most(prompt, output)),
                None => return false,
            }
        } else {
            ((most + REASONING).min(limits.max_output_tokens), Usage::default())
        };
        let url = page.url.clone();
        out.push(Effect::Emit(Event::Extracting { step: self.step, url, number }));
        let request = self.awaited.ask(purpose, ModelRequest::for_text(vec![message], grant), out);
        self.spending.reserved.add(request, reserved);
        let extraction = PageExtraction { key, number, mode, instructions: instructions.to_owned(), offered };
        if let Phase::Acting(round) = &mut self.phase {
            round.extract(request, extraction);
        }
        true
    }

    /// The numbered list of chunks, as many as fit; of a very long page those that rank best.
    fn offer(&self, page: &Page, instructions: &str, room: usize) -> (Vec<Range<usize>>, String) {
        let mut offered = chunks::chunks(&page.text, chunks::TARGET, chunks::MAX_CHARS);
        let list = |offered: &[Range<usize>]| {
            let lines: Vec<String> =
                offered.iter().enumerate().map(|(index, range)| format!("{}. {}", index + 1, page.text[range.clone()].trim())).collect();
            crate::prompts::disarm(&lines.join("\n\n"))
        };
        let text = list(&offered);
        if text.len() <= room || self.counter.count(&text) <= room {
            return (offered, text);
        }
        let count = self.counter.count(&text);
        let fits = offered.len() * room / count.max(1) * 9 / 10;
        let mut best = rank_chunks(&page.text, &offered, &self.asked.question, instructions);
        best.truncate(fits.max(5));
        best.sort_unstable();
        offered = best.into_iter().map(|index| offered[index].clone()).collect();
        let text = list(&offered);
        (offered, text)
    }

    /// What is shown of the page: what the model made of it, or the way out when it made nothing.
    pub(super) fn extracted(&self, extraction: &PageExtraction, reply: Option<&str>) -> (String, Shown) {
        let Some(known) = self.book.get(extraction.number) else { return (String::new(), Shown::Beginning) };
        let page = &known.page;
        let fallback = || show(page, &self.asked.question, &extraction.instructions, extraction.mode);
        let Some(reply) = reply.map(str::trim).filter(|text| !text.is_empty()) else { return fallback() };
        if extraction.mode == PageMode::Extract {
            return (reply.to_owned(), Shown::Extract);
        }
        match chosen(reply, extraction.offered.len()) {
            None => fallback(),
            Some(none) if none.is_empty() => ("No part of this page helps with that.".into(), Shown::Chunks),
            Some(numbers) => (join_chunks(&page.text, &extraction.offered, &numbers), Shown::Chunks),
        }
    }
}

/// The indices that a reply names, in the order of the page; none at all for a plain 0, and `None`
/// when the reply is something else than numbers.
fn chosen(reply: &str, count: usize) -> Option<Vec<usize>> {
    // Models like to explain; what is in front of the first number does not matter, a text without any does.
    let numbers: Vec<usize> = reply
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty() && digits.len() < 7)
        .filter_map(|digits| digits.parse().ok())
        .collect();
    if numbers == [0] {
        return Some(Vec::new());
    }
    let mut out: Vec<usize> = Vec::new();
    for number in numbers {
        if (1..=count).contains(&number) && !out.contains(&(number - 1)) && out.len() < MOST_CHUNKS {
            out.push(number - 1);
        }
    }
    out.sort_unstable();
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_however_they_are_written() {
        assert_eq!(chosen("4, 2, 9", 9), Some(vec![1, 3, 8]));
        assert_eq!(chosen("Chunks: [2] and [2], also 77.", 9), Some(vec![1]));
        assert_eq!(chosen("0", 9), Some(Vec::new()));
        assert_eq!(chosen("None of them.", 9), None);
        assert_eq!(chosen("12", 9), None);
        assert_eq!(chosen(&(1..=40).map(|n| n.to_string()).collect::<Vec<_>>().join(","), 40).map(|list| list.len()), Some(MOST_CHUNKS));
    }
}

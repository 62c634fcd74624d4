//! From the model's answer to the ending: citations checked against the sources.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{
    citations::{self, detect},
    evidence::{Evidence, Finding},
    ports::Page,
    protocol::{Citation, Detection, Ending, Event, Passage, Source, Support},
    run::{Effect, sources::SourceBook},
    text,
};

/// Brackets of one answer that are looked at.
const MAX_MARKERS: usize = 1000;
/// Numbers of one answer that are looked at.
const MAX_CITATIONS: usize = 2000;

/// An answer whose citations have been looked up.
pub(super) struct Cited {
    /// With the numbers that the model forgot.
    pub answer: String,
    pub sources: Vec<Source>,
    pub citations: Vec<Citation>,
}

/// Tells the faces of the end, and whoever carries the run out.
pub(super) fn tell(ending: Ending, out: &mut Vec<Effect>) {
    out.push(Effect::Emit(Event::Ended { ending: ending.clone() }));
    out.push(Effect::Finish(Box::new(ending)));
}

/// Whether [`cite`] would find a citation in this text, without judging any.
pub(super) fn names_sources(text: &str, book: &SourceBook) -> bool {
    !citations::in_markdown(&add_forgotten(text.to_owned(), book).0).is_empty()
}

/// Finds for every `[n]` of the answer the passage that supports its sentence. An answer without
/// any known number is searched for signs of its sources first.
pub(super) fn cite(answer: String, book: &SourceBook) -> Cited {
    let (answer, detected) = add_forgotten(answer, book);
    let mut markers = citations::in_markdown(&answer);
    markers.truncate(MAX_MARKERS);
    let numbers: Vec<u32> = markers.iter().flat_map(|marker| marker.numbers.iter().copied()).collect();
    let mut cited = Cited { sources: book.list(&numbers), citations: Vec::new(), answer };
    let mut evidence: BTreeMap<u32, Evidence<'_>> = BTreeMap::new();
    let mut known_findings: BTreeMap<(u32, String), Option<Finding>> = BTreeMap::new();
    let sentences = citations::sentences_of(&cited.answer, &markers);
    let mut ordinal = 0;
    for (marker, sentence) in markers.iter().zip(&sentences) {
        for &number in &marker.numbers {
            let mut citation = Citation {
                number,
                ordinal,
                passage: None,
                known: false,
                support: Support::NotFound,
                detected: detected.get(&marker.range.start).copied(),
            };
            ordinal += 1;
            if cited.citations.len() >= MAX_CITATIONS {
                return cited;
            }
            if let (Some(known), Some(source)) = (book.get(number), cited.sources.iter_mut().find(|source| source.number == number)) {
                citation.known = true;
                source.cited = true;
                let page = &known.page;
                let prepared = evidence.entry(number).or_insert_with(|| Evidence::new(&page.title, &page.text));
                let found = known_findings.entry((number, sentence.clone())).or_insert_with(|| prepared.judge(sentence));
                if let Some(finding) = found.clone() {
                    citation.support = finding.support;
                    citation.passage = Some(note_passage(source, page, finding.range));
                }
            }
            cited.citations.push(citation);
        }
    }
    cited
}

/// Puts numbers where the answer names or quotes a source without citing it. Returns by the place
/// of each new bracket how it was recognised.
fn add_forgotten(answer: String, book: &SourceBook) -> (String, BTreeMap<usize, Detection>) {
    let mut places = BTreeMap::new();
    let has_known = citations::in_markdown(&answer).iter().flat_map(|marker| &marker.numbers).any(|number| book.get(*number).is_some());
    if has_known || answer.trim().is_empty() {
        return (answer, places);
    }
    let known: Vec<detect::Candidate<'_>> =
        book.all().map(|known| detect::Candidate { number: known.number, url: &known.page.url, text: &known.page.text }).collect();
    let found = detect::detect(&answer, &known);
    if found.is_empty() {
        return (answer, places);
    }
    let mut out = String::with_capacity(answer.len() + found.len() * 5);
    let mut at = 0;
    for mention in found {
        out.push_str(&answer[at..mention.at]);
        at = mention.at;
        out.push(' ');
        places.insert(out.len(), mention.by);
        out.push_str(&format!("[{}]", mention.number));
    }
    out.push_str(&answer[at..]);
    (out, places)
}

/// The index of the passage in the source's list, where it is put unless it stands there already.
fn note_passage(source: &mut Source, page: &Page, range: Range<usize>) -> u32 {
    let (full, lines) = (page.text.as_str(), page.lines.as_slice());
    let place = source.passages.iter().position(|passage| passage.start == range.start && passage.end == range.end);
    let index = place.unwrap_or_else(|| {
        let is_file = source.url.starts_with("file:") && !page.paged;
        source.passages.push(Passage {
            start: range.start,
            end: range.end,
            quote: text::fold_space(&full[range.clone()]),
            start_line: is_file.then(|| text::line_of(full, lines, range.start)),
            end_line: is_file.then(|| text::line_of(full, lines, range.end.saturating_sub(1))),
            page: page.paged.then(|| text::line_of(full, lines, range.start)),
        });
        source.passages.len() - 1
    });
    u32::try_from(index).unwrap_or(u32::MAX)
}

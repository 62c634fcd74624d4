//! From the model's answer to the ending: citations checked against the sources.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::{
    citations::{self, Numbered, detect, statements},
    evidence::{Evidence, Finding},
    ports::Page,
    protocol::{Citation, Correction, CorrectionKind, Detection, Passage, SecondLook, Source, Statement, Support},
    run::sources::SourceBook,
    text,
};

/// Numbers of one answer that are looked at.
const MAX_CITATIONS: usize = 2000;

/// An answer whose citations have been looked up.
pub(super) struct Cited {
    /// With the numbers that the model forgot, and those that people read in place of handles.
    pub answer: String,
    pub sources: Vec<Source>,
    pub citations: Vec<Citation>,
    pub statements: Vec<Statement>,
    /// What a second look came to.
    pub check: Option<SecondLook>,
    /// Which number every page that was read in this run has now, by its handle.
    pub numbers: BTreeMap<u32, u32>,
}

/// What a second look came to.
#[derive(Debug, Clone, Default)]
pub(super) struct CheckedAnswer {
    /// With handles.
    pub answer: String,
    /// Handles in the order in which the answer cited them before, by which people have seen them numbered.
    pub order: Vec<u32>,
    pub looked_at: u32,
    /// The look was asked for and did not come.
    pub failed: bool,
    pub confirmed: Vec<Confirmed>,
    pub changes: Vec<Change>,
}

/// A citation whose source was shown to say it.
#[derive(Debug, Clone)]
pub(super) struct Confirmed {
    /// Bytes of the statement in the answer with handles.
    pub range: Range<usize>,
    pub handle: u32,
    /// Bytes of the source's text.
    pub passage: Range<usize>,
}

/// A statement that reads or cites differently.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub kind: CorrectionKind,
    /// Bytes of the statement in the answer with handles.
    pub range: Range<usize>,
    /// With handles.
    pub before: String,
}
/// Whether [`cite`] would find a citation in this text, without judging any.
pub(super) fn names_sources(text: &str, book: &SourceBook) -> bool {
    !citations::citations(&add_forgotten(text.to_owned(), book).0).is_empty()
}

/// Finds for every `[n]` of the answer the passage that supports its sentence, and gives the sources their numbers
/// in the order of the text. An answer without any known number is searched for signs of its sources first.
///
/// The report of a researcher is read by other models, which know handles alone: it `keeps_handles`.
pub(super) fn cite(answer: String, book: &SourceBook, keeps_handles: bool) -> Cited {
    let (answer, detected) = add_forgotten(answer, book);
    judge(&CheckedAnswer { answer, ..CheckedAnswer::default() }, &detected, book, keeps_handles)
}

/// The same for an answer that was looked at once more. Sources keep the numbers that people have seen, and what was
/// shown to be in a source counts as supported by it.
pub(super) fn cite_looked(looked: &CheckedAnswer, book: &SourceBook, keeps_handles: bool) -> Cited {
    judge(looked, &BTreeMap::new(), book, keeps_handles)
}

fn judge(looked: &CheckedAnswer, detected: &BTreeMap<usize, Detection>, book: &SourceBook, keeps_handles: bool) -> Cited {
    let by_handle = citations::citations(&looked.answer);
    let mut order = looked.order.clone();
    order.retain(|handle| book.get(*handle).is_some());
    for handle in citations::order(&by_handle, |handle| book.get(handle).is_some()) {
        if !order.contains(&handle) {
            order.push(handle);
        }
    }
    let numbers = if keeps_handles { book.all().map(|known| (known.number, known.number)).collect() } else { book.numbers(&order) };
    let numbered = citations::renumber(&looked.answer, &by_handle, &numbers);
    let check = (looked.looked_at > 0 || looked.failed).then(|| told(looked, &numbered, &numbers));
    let Numbered { answer, mut markers, .. } = numbered;
    markers.truncate(MAX_CITATIONS);
    // Handles with the places of their brackets in the answer with handles.
    let handles: Vec<(u32, usize)> =
        by_handle.iter().flat_map(|marker| marker.numbers.iter().map(|handle| (*handle, marker.range.start))).take(MAX_CITATIONS).collect();
    let mut sources = book.list(&order, &numbers);
    let mut judge = Judge { book, evidence: BTreeMap::new(), findings: BTreeMap::new() };
    let sentences = citations::sentences_of(&answer, &markers);
    let mut found: Vec<Citation> = Vec::with_capacity(markers.len());
    for (ordinal, ((marker, sentence), (handle, place))) in markers.iter().zip(&sentences).zip(&handles).enumerate() {
        let number = marker.numbers.first().copied().unwrap_or_default();
        let mut citation = Citation {
            number,
            ordinal: u32::try_from(ordinal).unwrap_or(u32::MAX),
            start: marker.range.start,
            end: marker.range.end,
            passage: None,
            known: false,
            support: Support::NotSupported,
            missing: Vec::new(),
            detected: detected.get(place).copied(),
        };
        if let (Some(known), Some(source)) = (book.get(*handle), sources.iter_mut().find(|source| source.number == number)) {
            citation.known = true;
            source.cited = true;
            let confirmed = looked.confirmed.iter().find(|known| known.handle == *handle && known.range.contains(place));
            let finding = match confirmed {
                Some(known) => Some(Finding { range: known.passage.clone(), support: Support::Supported, missing: Vec::new() }),
                None => judge.find(*handle, sentence),
            };
            if let Some(finding) = finding {
                citation.support = finding.support;
                citation.missing = finding.missing;
                citation.passage = Some(note_passage(source, &known.page, finding.range));
            }
        }
        found.push(citation);
    }
    let covers = |text: &str, later: &[usize]| {
        let mut tried: Vec<u32> = later.iter().filter_map(|at| handles.get(*at)).map(|(handle, _)| *handle).collect();
        tried.sort_unstable();
        tried.dedup();
        tried.into_iter().any(|handle| judge.find(handle, text).is_some_and(|finding| finding.support == Support::Supported))
    };
    let statements = statements::judged(&answer, &markers, &found, covers);
    Cited { answer, sources, citations: found, statements, check, numbers }
}

/// What a second look came to, in the words and numbers that people read.
fn told(looked: &CheckedAnswer, numbered: &Numbered, numbers: &BTreeMap<u32, u32>) -> SecondLook {
    let corrections = looked.changes.iter().map(|change| Correction {
        kind: change.kind,
        start: numbered.moved(change.range.start),
        end: numbered.moved(change.range.end),
        before: citations::renumber(&change.before, &citations::citations(&change.before), numbers).answer,
    });
    let changed =
        |range: &Range<usize>| looked.changes.iter().any(|change| change.kind != CorrectionKind::Struck && change.range == *range);
    let confirmed = looked.confirmed.iter().filter(|known| !changed(&known.range)).count();
    SecondLook {
        looked_at: looked.looked_at,
        confirmed: u32::try_from(confirmed).unwrap_or(u32::MAX),
        corrections: corrections.collect(),
        failed: looked.failed,
    }
}

/// The sources of a run, each prepared when it is first asked for.
struct Judge<'a> {
    book: &'a SourceBook,
    evidence: BTreeMap<u32, Evidence<'a>>,
    findings: BTreeMap<(u32, String), Option<Finding>>,
}

impl Judge<'_> {
    fn find(&mut self, handle: u32, sentence: &str) -> Option<Finding> {
        let page = &self.book.get(handle)?.page;
        let prepared = self.evidence.entry(handle).or_insert_with(|| Evidence::new(&page.title, &page.text));
        self.findings.entry((handle, sentence.to_owned())).or_insert_with(|| prepared.judge(sentence)).clone()
    }
}

/// Puts numbers where the answer names or quotes a source without citing it. Returns by the place
/// of each new bracket how it was recognised.
fn add_forgotten(answer: String, book: &SourceBook) -> (String, BTreeMap<usize, Detection>) {
    let mut places = BTreeMap::new();
    let has_known = citations::citations(&answer).iter().flat_map(|marker| &marker.numbers).any(|number| book.get(*number).is_some());
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
        let is_file = crate::urls::is_document(&source.url) && !page.paged && page.places.is_empty();
        let place = || page.places.get((text::line_of(full, lines, range.start) as usize).checked_sub(1)?).cloned();
        source.passages.push(Passage {
            start: range.start,
            end: range.end,
            quote: text::fold_space(&full[range.clone()]),
            start_line: is_file.then(|| text::line_of(full, lines, range.start)).filter(|line| *line > 0),
            end_line: is_file.then(|| text::line_of(full, lines, range.end.saturating_sub(1))).filter(|line| *line > 0),
            page: page.paged.then(|| text::line_of(full, lines, range.start)),
            place: place(),
        });
        source.passages.len() - 1
    });
    u32::try_from(index).unwrap_or(u32::MAX)
}

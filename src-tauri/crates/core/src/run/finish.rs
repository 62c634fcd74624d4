//! From the model's answer to the ending: citations checked against the sources.

use std::collections::BTreeMap;

use crate::{
    citations,
    evidence::Evidence,
    protocol::{Citation, Passage, Source},
    run::sources::SourceBook,
    text,
};

/// Brackets of one answer that are looked at.
const MAX_MARKERS: usize = 1000;
/// Numbers of one answer that are looked at.
const MAX_CITATIONS: usize = 2000;

/// Finds for every `[n]` of the answer the passage that supports its sentence.
pub(super) fn cite(answer: &str, book: &SourceBook) -> (Vec<Source>, Vec<Citation>) {
    let mut markers = citations::in_markdown(answer);
    markers.truncate(MAX_MARKERS);
    let numbers: Vec<u32> = markers.iter().flat_map(|marker| marker.numbers.iter().copied()).collect();
    let mut sources = book.list(&numbers);
    let mut evidence: BTreeMap<u32, Evidence<'_>> = BTreeMap::new();
    let mut known_ranges = BTreeMap::new();
    let mut out = Vec::new();
    let mut ordinal = 0;
    for marker in &markers {
        let sentence = citations::sentence_before(answer, marker);
        for &number in &marker.numbers {
            let mut citation = Citation { number, ordinal, passage: None, known: false };
            ordinal += 1;
            if out.len() >= MAX_CITATIONS {
                return (sources, out);
            }
            if let (Some(known), Some(source)) = (book.get(number), sources.iter_mut().find(|source| source.number == number)) {
                citation.known = true;
                source.cited = true;
                let prepared = evidence.entry(number).or_insert_with(|| Evidence::new(&known.page.text));
                let found = known_ranges.entry((number, sentence.clone())).or_insert_with(|| prepared.find(&sentence));
                if let Some(range) = found.clone() {
                    citation.passage = Some(note_passage(source, &known.page.text, &known.page.lines, range));
                }
            }
            out.push(citation);
        }
    }
    (sources, out)
}

/// The index of the passage in the source's list, where it is put unless it stands there already.
fn note_passage(source: &mut Source, full: &str, lines: &[u32], range: std::ops::Range<usize>) -> u32 {
    let place = source.passages.iter().position(|passage| passage.start == range.start && passage.end == range.end);
    let index = place.unwrap_or_else(|| {
        let is_file = source.url.starts_with("file:");
        source.passages.push(Passage {
            start: range.start,
            end: range.end,
            quote: text::fold_space(&full[range.clone()]),
            start_line: is_file.then(|| text::line_of(full, lines, range.start)),
            end_line: is_file.then(|| text::line_of(full, lines, range.end.saturating_sub(1))),
        });
        source.passages.len() - 1
    });
    u32::try_from(index).unwrap_or(u32::MAX)
}

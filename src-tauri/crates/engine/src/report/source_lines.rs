//! The list of an answer's sources as plain lines.

use std::collections::BTreeSet;

use nexi_core::place::Place;
use nexi_core::protocol::{Ending, Source, Support};
use nexi_messages::say;

use super::support_words;
use crate::clock::local_day;
use crate::sentences;

/// The list of cited sources as plain lines, each as [`source_text`] makes it.
pub fn sources_text(ending: &Ending) -> String {
    let cited = ending.sources.iter().filter(|source| source.cited);
    cited.map(|source| source_text(ending, source)).collect::<Vec<_>>().join("\n")
}

/// Where the cited passages of a document stand, in brackets: their lines, pages or other places; empty where it has none.
fn passage_places(source: &Source) -> String {
    let lines = source.passages.iter().filter_map(|passage| {
        let from = passage.start_line?;
        Some((from, passage.end_line.unwrap_or(from).max(from)))
    });
    let lines: Vec<String> = BTreeSet::from_iter(lines)
        .into_iter()
        .map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") })
        .collect();
    match lines.as_slice() {
        [] => {}
        [one] if !one.contains('-') => return say!("answers-line", number = one),
        _ => return say!("answers-lines", range = lines.join(", ")),
    }
    let pages = BTreeSet::from_iter(source.passages.iter().filter_map(|passage| passage.page));
    match Vec::from_iter(pages).as_slice() {
        [] => {}
        [number] => return format!("({})", sentences::place(&Place::Page { number: *number })),
        pages => {
            let range: Vec<String> = pages.iter().map(u32::to_string).collect();
            return format!("({})", say!("places-where.pages", range = range.join(", ")));
        }
    }
    let mut places: Vec<String> = Vec::new();
    for place in source.passages.iter().filter_map(|passage| passage.place.as_ref()).map(sentences::place) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    if places.is_empty() { String::new() } else { format!("({})", places.join("; ")) }
}

/// A source as a line: `[n] Title - URL`, with the lines of a document, and with how many of its citations are supported
/// where not all of them are.
pub fn source_text(ending: &Ending, source: &Source) -> String {
    let line = Some(passage_places(source)).filter(|places| !places.is_empty()).map(|places| format!(" {places}")).unwrap_or_default();
    let kept = source.cached_ms.map(local_day).map(|day| format!(" {}", say!("answers-fetched", day = day))).unwrap_or_default();
    let place = if nexi_core::urls::opens_nothing(&source.url) { sentences::site(source) } else { source.url.clone() };
    let name = if source.title.is_empty() { place.clone() } else { format!("{} - {place}", source.title) };
    format!("[{}] {name}{line}{kept}{}", source.number, doubts(ending, source.number))
}

/// How many citations of a source are supported, where not all of them are.
fn doubts(ending: &Ending, number: u32) -> String {
    let of: Vec<Support> = ending.citations.iter().filter(|citation| citation.number == number).map(|citation| citation.support).collect();
    let supported = of.iter().filter(|support| **support == Support::Supported).count();
    match (supported, of.len()) {
        (supported, all) if supported == all => String::new(),
        (0, 1) => format!(" ({})", support_words(of[0])),
        (supported, all) => format!(" {}", say!("answers-citations-supported", supported = supported, all = all)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: u32, title: &str, url: &str, cited: bool) -> Source {
        Source {
            number,
            url: url.into(),
            title: title.into(),
            site: "e.org".into(),
            date: None,
            cached_ms: None,
            cited,
            passages: Vec::new(),
        }
    }

    #[test]
    fn the_list_of_sources_names_what_is_cited() {
        let sources = [
            source(2, "A [bridge] <b>", "https://e.org/a", true),
            source(3, "", "https://e.org/b", true),
            source(4, "Unused", "https://e.org/c", false),
        ];
        let mut ending = Ending::failed("", "");
        assert_eq!(sources_text(&ending), "");
        ending.sources = sources.into();
        assert_eq!(sources_text(&ending), "[2] A [bridge] <b> - https://e.org/a\n[3] https://e.org/b");
    }

    #[test]
    fn sources_that_do_not_support_everything_say_so() {
        let mut ending = Ending::failed("", "");
        ending.sources = vec![source(1, "One", "https://e.org/1", true), source(2, "Two", "https://e.org/2", true)];
        ending.citations = [(1, Support::Supported), (1, Support::Contradicted), (2, Support::PartlySupported)]
            .map(|(number, support)| {
                serde_json::from_value(
                    serde_json::json!({"number": number, "ordinal": 0, "start": 0, "end": 3, "support": support, "known": true}),
                )
                .unwrap()
            })
            .into();
        assert_eq!(
            sources_text(&ending),
            "[1] One - https://e.org/1 (1 of 2 citations supported)\n[2] Two - https://e.org/2 (partly supported)"
        );
        ending.citations.retain(|citation| citation.support == Support::Supported);
        assert!(!sources_text(&ending).contains("(1"));
    }

    #[test]
    fn every_place_of_a_document_is_named_once() {
        let passage = |place: serde_json::Value| {
            let mut passage = serde_json::json!({"start": 0, "end": 3, "quote": "One"});
            passage.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
            serde_json::from_value::<nexi_core::protocol::Passage>(passage).unwrap()
        };
        let told = |places: &[serde_json::Value]| {
            let passages = places.iter().cloned().map(passage).collect();
            passage_places(&Source { passages, ..source(1, "A", "file:///a", true) })
        };
        let page = |number: u32| serde_json::json!({"page": number});
        assert_eq!(told(&[]), "");
        assert_eq!(told(&[page(3), page(1), page(3)]), "(pp. 1, 3)");
        assert_eq!(told(&[page(1), page(1)]), "(p. 1)");
        assert_eq!(told(&[serde_json::json!({"start_line": 12})]), "(line 12)");
        assert_eq!(
            told(&[serde_json::json!({"start_line": 20, "end_line": 22}), serde_json::json!({"start_line": 3, "end_line": 3})]),
            "(lines 3, 20-22)"
        );
        let slide = |number: u32| serde_json::json!({"place": {"type": "slide", "number": number}});
        assert_eq!(told(&[slide(2), slide(7), slide(2)]), "(slide 2; slide 7)");
    }
}

//! What changed between two answers to the same question, statement by statement.
//!
//! Two runs seldom choose the same words or the same facts, although nothing has changed in the world. So a statement is
//! news only where a source of the new answer bears it out and neither the old answer nor any of its sources says it.

use crate::{
    citations,
    evidence::Evidence,
    ports::Page,
    protocol::{Ending, NewStatement, Statement, Support},
    text,
};

/// How the day of an answer begins, which is another one each time: "As of 3 March 2026, …", "… (Stand: 3.3.2026)".
const AS_OF: &[&str] = &["as of ", "as at ", "stand: ", "stand ", "a fecha de "];

/// The statements of `after` that neither `before` nor its sources (`read`) make, in their order. An answer without
/// sources is compared by its numbers and names alone: there is nothing that could bear its other words out.
pub fn compare(before: &Ending, read: &[Page], after: &Ending) -> Vec<NewStatement> {
    let old = joined(before);
    let said = Said::new("", &old);
    let sources: Vec<Said<'_>> = read.iter().map(|page| Said::new(&page.title, &page.text)).collect();
    let new = |statement: &Statement| {
        let own = undated(&plain(&after.answer, statement)?);
        let is_borne_out = matches!(statement.support, Support::Supported | Support::PartlySupported);
        if own.is_empty() || !(is_borne_out || after.sources.is_empty()) {
            return None;
        }
        // A quotation of several sentences is news where one of them is.
        let is_known = |sentence: &str| said.states(sentence) || sources.iter().any(|source| source.states(sentence));
        let own = text::sentences(&own).into_iter().map(|range| &own[range]).filter(|sentence| !is_known(sentence));
        let own = own.collect::<Vec<_>>().join(" ");
        if own.is_empty() {
            return None;
        }
        let found = said.evidence.judge(&own);
        let differs = found.filter(|found| found.support == Support::Contradicted || lacks_facts(&found.missing));
        if differs.is_none() && after.sources.is_empty() && !old.is_empty() {
            return None;
        }
        let earlier = differs.and_then(|found| old.get(paragraph(&old, found.range.start)).map(str::to_owned));
        Some(NewStatement { text: plain(&after.answer, statement)?, start: statement.start, end: statement.end, before: earlier })
    };
    after.statements.iter().filter_map(new).collect()
}

/// A text that may say it already.
struct Said<'a> {
    text: &'a str,
    evidence: Evidence<'a>,
}

impl<'a> Said<'a> {
    fn new(title: &str, text: &'a str) -> Self {
        Self { text, evidence: Evidence::new(title, text) }
    }

    /// Whether it says this, as a whole or in one of the sentences that come nearest: beside each other these may seem to
    /// speak of somebody else.
    fn states(&self, sentence: &str) -> bool {
        let Some(found) = self.evidence.judge(sentence) else { return false };
        let near = &self.text[found.range];
        found.support == Support::Supported
            || text::sentences(near)
                .into_iter()
                .any(|range| Evidence::new("", &near[range]).judge(sentence).is_some_and(|found| found.support == Support::Supported))
    }
}

/// A number or a name: what cannot be said in other words.
pub(super) fn lacks_facts(missing: &[String]) -> bool {
    missing.iter().any(|word| word.chars().any(|c| c.is_ascii_digit()) || text::is_capitalised(word))
}

/// A statement as plain text without citations.
pub(super) fn plain(answer: &str, statement: &Statement) -> Option<String> {
    let own = answer.get(statement.start..statement.end)?;
    Some(text::plain(&citations::without(own, &citations::citations(own)))).filter(|text| !text.is_empty())
}

/// A statement without the day that it was made on.
fn undated(statement: &str) -> String {
    let lower = statement.to_lowercase();
    // Letters whose small form is longer would shift what is found.
    let leads = AS_OF.iter().filter(|_| lower.len() == statement.len());
    for (start, lead) in leads.filter_map(|lead| lower.find(lead).map(|start| (start, lead))) {
        let before = statement[..start].trim_end();
        if !(before.is_empty() || before.ends_with([',', '('])) {
            continue;
        }
        let from = start + lead.len();
        let comma = |at: usize| before.is_empty() && statement[at..].starts_with(", ") && !is_year(&statement[at + 2..]);
        let end = statement[from..].char_indices().map(|(at, _)| from + at).find(|at| statement[*at..].starts_with(')') || comma(*at));
        let end = end.unwrap_or(if before.is_empty() { from } else { statement.trim_end_matches('.').len().max(from) });
        if statement[from..end].chars().any(|c| c.is_ascii_digit()) {
            let rest = statement[end..].trim_start_matches([')', ',']);
            return format!("{} {}", before.trim_end_matches(['(', ',']).trim_end(), rest.trim_start()).trim().to_owned();
        }
    }
    statement.to_owned()
}

/// Whether a text begins with a year, which follows the comma of "March 3, 2026".
fn is_year(text: &str) -> bool {
    text.len() >= 4 && text.bytes().take(4).all(|byte| byte.is_ascii_digit())
}

/// The statements of an answer as one text with a paragraph for each.
fn joined(ending: &Ending) -> String {
    ending.statements.iter().filter_map(|statement| plain(&ending.answer, statement)).collect::<Vec<_>>().join("\n\n")
}

/// The paragraph of a text in which this byte stands.
fn paragraph(text: &str, at: usize) -> std::ops::Range<usize> {
    let start = text[..at].rfind("\n\n").map_or(0, |start| start + 2);
    start..text[at..].find("\n\n").map_or(text.len(), |end| at + end)
}

#[cfg(test)]
mod tests {
    use super::super::{KnownSource, finish, sources::SourceBook};
    use super::*;

    fn page(number: u32, text: &str) -> KnownSource {
        let page = Page { url: format!("https://e.org/{number}"), title: "Kestrel".into(), text: text.into(), ..Page::default() };
        KnownSource { number, page, quotes: Vec::new() }
    }

    fn ending(answer: &str, known: &[KnownSource]) -> Ending {
        let cited = finish::cite(answer.into(), &SourceBook::new(known.to_vec()), true);
        let (answer, sources, citations, statements) = (cited.answer, cited.sources, cited.citations, cited.statements);
        Ending { answer, sources, citations, statements, ..Ending::failed("", "") }
    }

    fn changes(before: (&str, &str), after: (&str, &str)) -> Vec<(String, Option<String>)> {
        let (old, new) = ([page(1, before.1)], [page(2, after.1)]);
        let pages: Vec<Page> = old.iter().map(|known| known.page.clone()).collect();
        let found = compare(&ending(before.0, &old), &pages, &ending(after.0, &new));
        found.into_iter().map(|new| (new.text, new.before)).collect()
    }

    const OLD: &str = "The latest version of Kestrel is 3.1. It was released in March 2026 by the Wrenfield foundation. Kestrel is written in Rust and runs on Linux and macOS.";
    const NEW: &str = "The latest version of Kestrel is 3.2. It was released in June 2026 by the Wrenfield foundation. Kestrel is written in Rust and runs on Linux and macOS.";

    #[test]
    fn another_number_is_a_change_and_says_what_stood_there_before() {
        let found = changes(
            ("The latest version of Kestrel is 3.1 [1]. Kestrel is written in Rust [1].", OLD),
            ("The latest version of Kestrel is 3.2 [2]. Kestrel runs on Linux and macOS [2].", NEW),
        );
        assert_eq!(found, [("The latest version of Kestrel is 3.2.".into(), Some("The latest version of Kestrel is 3.1.".into()))]);
    }

    #[test]
    fn other_words_and_another_choice_of_facts_are_none() {
        let found = changes(
            ("The latest version of Kestrel is 3.1 [1].", OLD),
            (
                "As of 24 November 2026, the latest version of Kestrel is 3.1 [2]. The Wrenfield foundation released it in March 2026 [2].",
                OLD,
            ),
        );
        assert_eq!(found, []);
    }

    #[test]
    fn the_day_of_an_answer_is_no_part_of_it() {
        for (statement, own) in [
            ("As of 24 November 2026, the version is 3.1.", "the version is 3.1."),
            ("As of November 24, 2026, the version is 3.1.", "the version is 3.1."),
            ("The version is 3.1 (as of 2026-11-24).", "The version is 3.1 ."),
            ("The version is 3.1, as of 24 November 2026.", "The version is 3.1 ."),
            ("Die Version ist 3.1 (Stand: 24.11.2026).", "Die Version ist 3.1 ."),
            ("As of this writing, the version is 3.1.", "As of this writing, the version is 3.1."),
            ("The stand 12 in the market is closed.", "The stand 12 in the market is closed."),
        ] {
            assert_eq!(undated(statement), own);
        }
    }

    #[test]
    fn what_no_source_bears_out_is_none() {
        let found = changes(
            ("The latest version of Kestrel is 3.1 [1].", OLD),
            ("The latest version of Kestrel is 3.1 [2]. Its mascot is a purple falcon called Bertram [2].", OLD),
        );
        assert_eq!(found, []);
    }

    #[test]
    fn without_sources_only_numbers_and_names_count() {
        let compared = |before: &str, after: &str| compare(&ending(before, &[]), &[], &ending(after, &[])).len();
        assert_eq!(compared("The tower is 84 metres high.", "The tower is 86 metres high."), 1);
        assert_eq!(compared("The tower is 84 metres high.", "The tower of the town is 84 metres high and much visited."), 0);
        assert_eq!(compared("", "The tower is 84 metres high."), 1);
    }
}

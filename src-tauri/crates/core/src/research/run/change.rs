//! What changed between two answers to the same question, statement by statement.
//!
//! Two runs seldom choose the same words or the same facts, although nothing has changed in the world. So a statement is
//! news only where its sources bear it out, and it either says something else in the place of what the old answer said, or
//! something that neither the old answer nor its sources say.

use std::cell::LazyCell;

use crate::{
    citations,
    evidence::{Claim, Evidence, Finding, locate},
    ports::Page,
    protocol::{Ending, NewStatement, Statement, Support},
    text,
};

/// What was read for the answers that are compared.
#[derive(Debug, Clone, Copy)]
pub struct Read<'a> {
    /// For the old answer.
    pub before: &'a [Page],
    /// For other earlier answers to the question: what only they hold is no news, unless the old answer says otherwise.
    pub earlier: &'a [Page],
    /// For the new answer.
    pub after: &'a [Page],
}

/// Which statements of the new answer are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of them.
    Whole,
    /// Those before the first blank line: behind it the built-in researcher lists what else it found.
    First,
}

/// A text that may say it already.
struct EarlierText<'a> {
    text: &'a str,
    evidence: Evidence<'a>,
}

impl<'a> EarlierText<'a> {
    fn new(title: &str, text: &'a str) -> Self {
        Self { text, evidence: Evidence::new(title, text) }
    }

    fn all(pages: &'a [Page]) -> Vec<Self> {
        pages.iter().map(|page| Self::new(&page.title, &page.text)).collect()
    }

    /// Whether it says this, as a whole or in one of the sentences that come nearest: beside each other these may seem to
    /// speak of somebody else. Words may differ; numbers and names may not.
    fn says(&self, sentence: &str) -> bool {
        let Some(found) = self.evidence.judge(sentence) else { return false };
        let near = &self.text[found.range.clone()];
        is_said(&found)
            || text::sentences(near)
                .into_iter()
                .any(|range| Evidence::new("", &near[range]).judge(sentence).is_some_and(|found| is_said(&found)))
    }
}

fn is_said(found: &Finding) -> bool {
    match found.support {
        Support::Supported => true,
        Support::PartlySupported => !lacks_facts(&found.missing),
        _ => false,
    }
}

/// The statements of `after` that say something new, in their order: another number or name, or the opposite, in the place
/// of what `before` said, or what neither `before` nor its sources say. An answer without sources is compared with the old
/// answer alone: there is nothing that could bear its other words out.
pub fn compare(before: &Ending, after: &Ending, read: Read<'_>, extent: Extent) -> Vec<NewStatement> {
    let old = joined(before);
    let said = EarlierText::new("", &old);
    let old_claims: Vec<Claim<'_>> = text::sentences(&old).into_iter().map(|range| Claim::new(&old[range])).collect();
    let (sources, earlier) = (EarlierText::all(read.before), EarlierText::all(read.earlier));
    // Looked into only where the checker was not sure.
    let new_sources = LazyCell::new(|| EarlierText::all(read.after));
    let end = match extent {
        Extent::Whole => after.answer.len(),
        Extent::First => after.answer.find("\n\n").unwrap_or(after.answer.len()),
    };
    // Where in the old answer something else stood in the place of a sentence.
    let stood = |sentence: &&str| {
        let new = Claim::new(sentence);
        if old_claims.iter().any(|old| old.is_repeated_by(&new)) {
            return None;
        }
        let others = old_claims.iter().filter_map(|old| old.replaced_by(&new).map(|alike| (alike, old.text)));
        others.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, old)| old.to_owned())
    };
    let new = |statement: &Statement| {
        let whole = plain(&after.answer, statement)?;
        let has_sources = !after.sources.is_empty();
        let is_borne_out = match statement.support {
            Support::Supported => true,
            Support::PartlySupported => new_sources.iter().any(|source| source.says(&whole)),
            _ => false,
        };
        if has_sources && !is_borne_out {
            return None;
        }
        let own = undated(&whole);
        let sentences: Vec<&str> = text::sentences(&own).into_iter().map(|range| &own[range]).collect();
        if let Some(before) = sentences.iter().find_map(stood) {
            return Some(NewStatement { text: whole, start: statement.start, end: statement.end, before: Some(before) });
        }
        // A quotation of several sentences is news where one of them is. Without sources nothing bears new words out.
        let is_known = |sentence: &&str| said.says(sentence) || sources.iter().chain(&earlier).any(|source| source.says(sentence));
        let is_new = if has_sources { !rests_on(after, statement, read.before) && !sentences.iter().all(is_known) } else { old.is_empty() };
        is_new.then_some(NewStatement { text: whole, start: statement.start, end: statement.end, before: None })
    };
    after.statements.iter().filter(|statement| statement.start < end).filter_map(new).collect()
}

/// Whether every passage that a statement cites stood in one of these pages already.
fn rests_on(ending: &Ending, statement: &Statement, pages: &[Page]) -> bool {
    let cited = ending.citations.iter().filter(|citation| (statement.start..statement.end).contains(&citation.start));
    let quotes: Vec<&str> = cited
        .filter_map(|citation| {
            let source = ending.sources.iter().find(|source| source.number == citation.number)?;
            let passage = source.passages.get(usize::try_from(citation.passage?).ok()?)?;
            Some(passage.quote.as_str())
        })
        .collect();
    let stood = |quote: &&str| pages.iter().any(|page| locate(&page.text, quote).is_some_and(|range| same(&page.text[range], quote)));
    !quotes.is_empty() && quotes.iter().all(stood)
}

fn same(one: &str, other: &str) -> bool {
    text::fold_space(one) == text::fold_space(other)
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

/// How the day of an answer begins, which is another one each time: "As of 3 March 2026, …", "… (Stand: 3.3.2026)".
const AS_OF: &[&str] = &["as of ", "as at ", "stand: ", "stand ", "a fecha de "];
/// How the names of months begin.
const MONTHS: &[&str] = &[
    "jan", "feb", "fév", "mar", "mär", "apr", "avr", "abr", "may", "mai", "jun", "juin", "jul", "juil", "aug", "ago", "aoû", "sep", "oct",
    "okt", "nov", "dec", "dez", "dic", "déc", "ene",
];

/// A statement without the day that it was made on.
fn undated(statement: &str) -> String {
    // Of ASCII letters alone, so that every place stays what it is.
    let lower = statement.to_ascii_lowercase();
    for (start, lead) in AS_OF.iter().filter_map(|lead| lower.find(lead).map(|start| (start, lead))) {
        let before = statement[..start].trim_end();
        let from = start + lead.len();
        let end = from + date_length(&statement[from..]);
        if end == from || !(before.is_empty() || before.ends_with([',', '(', '.', ';'])) {
            continue;
        }
        let rest = statement[end..].trim_start_matches([',', ')']).trim_start();
        let before = before.trim_end_matches(['(', ',']).trim_end();
        let gap = if before.is_empty() || rest.starts_with(['.', ',', ';', ':']) { "" } else { " " };
        return format!("{before}{gap}{rest}");
    }
    statement.to_owned()
}

/// Bytes of the date that a text begins with; 0 where it begins with none.
fn date_length(text: &str) -> usize {
    let mut end = 0;
    let mut is_date = false;
    for word in text.split_inclusive(' ').take(4) {
        let bare = word.trim().trim_end_matches([',', ')', '.', ';']);
        let is_year = bare.len() == 4 && bare.bytes().all(|byte| byte.is_ascii_digit());
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let is_day = (1..=2).contains(&digits) && matches!(&bare[digits..], "" | "st" | "nd" | "rd" | "th");
        let small = bare.to_lowercase();
        let is_month =
            bare.chars().count() >= 3 && bare.chars().all(char::is_alphabetic) && MONTHS.iter().any(|month| small.starts_with(month));
        let is_numeric = bare.len() >= 6 && bare.bytes().all(|byte| byte.is_ascii_digit() || b"-./".contains(&byte)) && !is_year;
        let is_word = matches!(small.as_str(), "today" | "now" | "de" | "of");
        if !(is_year || is_day || is_month || is_numeric || is_word) {
            break;
        }
        is_date |= is_year || is_month || is_numeric || matches!(small.as_str(), "today" | "now");
        // What closes the date stays to be looked at by the caller.
        if is_year || is_numeric || word.trim_end().ends_with([')', ';']) {
            end += word.trim_end().trim_end_matches([')', '.', ';']).trim_end_matches(',').len();
            break;
        }
        end += word.len();
    }
    if is_date { end } else { 0 }
}

/// The statements of an answer as one text with a paragraph for each.
fn joined(ending: &Ending) -> String {
    ending.statements.iter().filter_map(|statement| plain(&ending.answer, statement)).collect::<Vec<_>>().join("\n\n")
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
        let after_pages: Vec<Page> = new.iter().map(|known| known.page.clone()).collect();
        let read = Read { before: &pages, earlier: &[], after: &after_pages };
        let found = compare(&ending(before.0, &old), &ending(after.0, &new), read, Extent::Whole);
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
            ("As of 24 November 2026 the version is 3.1.", "the version is 3.1."),
            ("As of November 24, 2026, the version is 3.1.", "the version is 3.1."),
            ("As of November 2026, the version is 3.1.", "the version is 3.1."),
            ("The rate, as of 24 November 2026, is 3.75 percent.", "The rate is 3.75 percent."),
            ("The version is 3.1, as of 24 November 2026. The next one is 4.0.", "The version is 3.1. The next one is 4.0."),
            ("The version is 3.1 (as of 2026-11-24).", "The version is 3.1."),
            ("Die Version ist 3.1 (Stand: 24.11.2026).", "Die Version ist 3.1."),
            ("As of this writing, the version is 3.1.", "As of this writing, the version is 3.1."),
            ("As of version 3.2, it runs on ARM.", "As of version 3.2, it runs on ARM."),
            ("As of PostgreSQL 18, it is faster.", "As of PostgreSQL 18, it is faster."),
            ("The stand 12 in the market is closed.", "The stand 12 in the market is closed."),
            ("İst das, as of 24 November 2026, die ẞtraße?", "İst das die ẞtraße?"),
        ] {
            assert_eq!(undated(statement), own);
        }
    }

    #[test]
    fn what_is_borne_out_no_better_than_before_is_none() {
        let page = "Kestrel was presented by the foundation at a fair in Lund, where many people saw it for the first time.";
        let found = changes(
            ("The latest version of Kestrel is 3.1 [1].", &format!("{OLD} {page}")),
            ("Kestrel was first shown at a fair in Lund and then praised by the whole trade [2].", &format!("{NEW} {page}")),
        );
        assert_eq!(found, []);
    }

    #[test]
    fn what_the_old_source_mentioned_elsewhere_is_a_change_all_the_same() {
        for (old_page, old, new_page, new) in [
            (
                "Quillbase 4.1 was released on 3 March 2026. The next version, 4.2, is planned for autumn.",
                "The latest version of Quillbase is 4.1 [1].",
                "Quillbase 4.2 was released on 9 October 2026. The latest version of Quillbase is 4.2. Quillbase 4.1 was released on 3 March 2026.",
                "The latest version of Quillbase is 4.2 [2].",
            ),
            (
                "Alice Moor is the CEO of Brimstone. Bob Tarn is the CFO of Brimstone.",
                "The CEO of Brimstone is Alice Moor [1].",
                "Bob Tarn is the CEO of Brimstone. Alice Moor left.",
                "The CEO of Brimstone is Bob Tarn [2].",
            ),
            (
                "The Orm ferry costs 7 euros for children and 9 euros for adults.",
                "An adult ticket for the Orm ferry costs 9 euros [1].",
                "The Orm ferry costs 5 euros for children and 7 euros for adults.",
                "An adult ticket for the Orm ferry costs 7 euros [2].",
            ),
        ] {
            let found = changes((old, old_page), (new, new_page));
            assert_eq!(found.len(), 1, "{new}");
            assert!(found[0].1.is_some());
        }
    }

    #[test]
    fn what_other_earlier_pages_held_is_none_unless_it_differs() {
        let pages = |text: &str| vec![page(1, text).page];
        let told = |before: &str, read: &str, earlier: &str, after: &str, now: &str| {
            let read = Read { before: &pages(read), earlier: &pages(earlier), after: &pages(now) };
            compare(&ending(before, &[page(1, read.before[0].text.as_str())]), &ending(after, &[page(2, now)]), read, Extent::Whole).len()
        };
        let lives = "Kestrel is written in Rust and runs on Linux and macOS.";
        assert_eq!(
            told(
                "The latest version of Kestrel is 3.1 [1].",
                "The latest version of Kestrel is 3.1.",
                lives,
                &format!("{lives} [2]"),
                lives
            ),
            0
        );
        // Back to what it was once is a change again.
        let (old, new) = ("The latest version of Kestrel is 3.2.", "The latest version of Kestrel is 3.1.");
        assert_eq!(told("The latest version of Kestrel is 3.2 [1].", old, new, "The latest version of Kestrel is 3.1 [2].", new), 1);
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
        let compared = |before: &str, after: &str| {
            compare(&ending(before, &[]), &ending(after, &[]), Read { before: &[], earlier: &[], after: &[] }, Extent::Whole).len()
        };
        assert_eq!(compared("The tower is 84 metres high.", "The tower is 86 metres high."), 1);
        assert_eq!(compared("The tower is 84 metres high.", "The tower of the town is 84 metres high and much visited."), 0);
        assert_eq!(compared("", "The tower is 84 metres high."), 1);
    }
}

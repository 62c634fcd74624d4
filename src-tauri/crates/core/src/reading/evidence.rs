//! The passage of a source that supports a sentence, and how well it does.
//!
//! Local and fast: a sentence is compared with every stretch of one to three sentences of the
//! source. Most of its words have to be there, rare ones counting more, and what cannot be said in
//! other words has to agree: numbers, names, and what stands in quotation marks.

mod facts;
mod letters;
mod opposites;
mod qualities;
mod replaced;
mod second;
mod slots;
mod verdict;
mod words;

use std::collections::HashMap;
use std::ops::Range;

use crate::{rank::terms, reading::Support, text};

pub(crate) use letters::Letters;
pub use replaced::Claim;
pub use verdict::{Measured, Measures, Thresholds};
use words::base;

/// Missing words that are named at most.
const MOST_MISSING: usize = 6;
/// What each further sentence of a stretch has to earn.
const FURTHER: f64 = 0.08;
/// How much a word counts that only the title holds.
const TITLE: f64 = 0.8;
/// How much agreeing numbers and names help a stretch to be chosen.
const AGREEMENT: f64 = 0.35;
/// Weight of a word that the source does not have at all, against one that it has once.
const ABSENT: f64 = 0.75;
/// Bytes from which on a text is looked through for a quotation before its letters are.
const LONG: usize = 256 * 1024;
/// Sentences that a stretch has at most.
const LONGEST: usize = 3;
/// Words of a sentence that are looked at; a bit each.
const MOST_WORDS: usize = 64;

/// What was found in a source for a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Bytes of the source's text.
    pub range: Range<usize>,
    /// `Supported`, `PartlySupported` or `Contradicted`.
    pub support: Support,
    /// The numbers, names and words of the sentence that are not there, as the sentence writes them; numbers and
    /// names first. Empty where it is supported.
    pub missing: Vec<String>,
}

/// A source's text, prepared once for many sentences.
#[derive(Debug)]
pub struct Evidence<'a> {
    text: &'a str,
    sentences: Vec<Range<usize>>,
    /// For every stem the sentences that hold it.
    places: HashMap<String, Vec<u32>>,
    /// For every number the sentences that hold it.
    numbers: HashMap<String, Vec<u32>>,
    /// What stands above everything: the stems and numbers of the title and the first heading.
    title: Vec<String>,
    letters: Letters,
}

/// A word of the sentence that is to be supported.
struct Wanted {
    stem: String,
    weight: f64,
    /// Sentences of the source that hold it.
    places: Vec<u32>,
    in_title: bool,
}

impl<'a> Evidence<'a> {
    /// Cuts and counts the text of a source.
    pub fn new(title: &str, text: &'a str) -> Self {
        let sentences = text::sentences(text);
        let mut places: HashMap<String, Vec<u32>> = HashMap::new();
        let mut numbers: HashMap<String, Vec<u32>> = HashMap::new();
        for (index, range) in sentences.iter().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            let body = &text[range.clone()];
            for term in terms::terms(body) {
                note(&mut places, base(&term.stem), index);
            }
            for number in facts::numbers(body) {
                note(&mut numbers, number, index);
            }
        }
        let mut above: Vec<String> = terms::terms(title).into_iter().map(|term| base(&term.stem)).collect();
        above.extend(facts::numbers(title));
        Self { text, sentences, places, numbers, title: above, letters: Letters::new(text) }
    }

    /// The passage that comes nearest to a plain-text sentence. None when nothing does.
    pub fn judge(&self, sentence: &str) -> Option<Finding> {
        self.measure(sentence)?.verdict(&Thresholds::default())
    }

    /// What is decided about a plain-text sentence, or what there is to decide it by.
    pub fn measure(&self, sentence: &str) -> Option<Measured> {
        let certain = |range: Range<usize>, support: Support| Some(Measured::Certain(Finding { range, support, missing: Vec::new() }));
        if let Some(range) = self.letters.find(sentence) {
            let range = letters::close_range(self.text, range);
            // "It is not true that …" holds the sentence, too.
            let first = self.sentences.partition_point(|known| known.end <= range.start);
            let before = self.sentences.get(first).map_or("", |known| &self.text[known.start.min(range.start)..range.start]);
            return certain(range, if facts::has_negation(before) { Support::PartlySupported } else { Support::Supported });
        }
        let quotes = quotations(sentence);
        let found: Vec<Option<Range<usize>>> = quotes.iter().map(|quote| self.letters.find(quote)).collect();
        if let Some(range) = found.iter().flatten().next() {
            let range = letters::close_range(self.text, range.clone());
            // Beside a quotation, what introduces it still has to agree.
            let rest = quotes.iter().fold(sentence.to_owned(), |rest, quote| rest.replacen(quote, " ", 1));
            let agrees = found.iter().all(Option::is_some) && self.around(&range, &rest);
            return certain(range, if agrees { Support::Supported } else { Support::PartlySupported });
        }
        let measures = self.nearest(sentence)?;
        // Words in quotation marks that the source does not have are not its words.
        Some(Measured::Compared { measures, misquotes: !quotes.is_empty() })
    }

    /// Whether the numbers and names of what stands beside a quotation occur near it.
    fn around(&self, range: &Range<usize>, rest: &str) -> bool {
        let first = self.sentences.partition_point(|sentence| sentence.end <= range.start);
        let last = self.sentences.partition_point(|sentence| sentence.start < range.end);
        let numbers = facts::numbers(rest);
        let names = facts::names(rest, &terms::terms(rest));
        let near = first.saturating_sub(3)..(last + 3).min(self.sentences.len());
        numbers.iter().all(|number| self.holds_number(number, &near)) && names.iter().all(|name| self.holds_name(name, &near))
    }

    fn nearest(&self, sentence: &str) -> Option<Measures> {
        let all = terms::terms(sentence);
        let wanted = self.wanted(sentence);
        let total: f64 = wanted.iter().map(|word| word.weight).sum();
        if wanted.is_empty() || total <= 0.0 {
            return None;
        }
        let numbers = facts::numbers(sentence);
        let names = self.names(sentence, &all);
        let facts = (numbers.len() + names.len()) as f64;
        let mut masks = self.masks(&wanted);
        // A question says nothing.
        if !sentence.trim_end().ends_with('?') {
            for (mask, range) in masks.iter_mut().zip(&self.sentences) {
                if self.text[range.clone()].trim_end().ends_with('?') {
                    *mask = 0;
                }
            }
        }
        let title_mask = wanted.iter().enumerate().filter(|(_, word)| word.in_title).fold(0_u64, |mask, (bit, _)| mask | 1 << bit);
        let weigh =
            |mask: u64| -> f64 { wanted.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, word)| word.weight).sum() };
        let mut best: Option<(f64, f64, Range<usize>)> = None;
        for from in 0..self.sentences.len() {
            let mut mask = 0;
            for to in from + 1..=(from + LONGEST).min(self.sentences.len()) {
                mask |= masks[to - 1];
                if mask == 0 {
                    break;
                }
                let share = weigh(mask) / total;
                // What the title says needs no saying in every sentence.
                let with_title = weigh(mask | title_mask) / total;
                let coverage = share + TITLE * (with_title - share) - FURTHER * (to - from - 1) as f64;
                if best.as_ref().is_some_and(|(score, ..)| coverage + AGREEMENT <= *score) {
                    continue;
                }
                let stretch = from..to;
                let near = from.saturating_sub(1)..(to + 1).min(self.sentences.len());
                let agreeing = numbers.iter().filter(|number| self.holds_number(number, &stretch)).count()
                    + names.iter().filter(|name| self.holds_name(name, &near)).count();
                let agreement = if facts > 0.0 { agreeing as f64 / facts } else { 1.0 };
                let score = coverage + AGREEMENT * agreement;
                if best.as_ref().is_none_or(|(known, ..)| score > *known) {
                    best = Some((score, coverage, stretch));
                }
            }
        }
        let (_, coverage, stretch) = best?;
        let range = self.sentences[stretch.start].start..self.sentences[stretch.end - 1].end;
        let held = &self.text[range.clone()];
        // One sentence has to say most of it, and no weighty word may be missing.
        let fullest = stretch.clone().max_by(|a, b| weigh(masks[*a]).total_cmp(&weigh(masks[*b]))).unwrap_or(stretch.start);
        let said = stretch.clone().fold(title_mask, |mask, index| mask | masks[index]);
        let unsaid: Vec<&Wanted> = wanted.iter().enumerate().filter(|(bit, _)| said >> bit & 1 == 0).map(|(_, word)| word).collect();
        let whole = 0..self.sentences.len();
        let missing_numbers: Vec<&String> = numbers.iter().filter(|number| !self.holds_number(number, &stretch)).collect();
        let missing_names: Vec<&Vec<String>> = names.iter().filter(|name| !self.holds_name(name, &whole)).collect();
        // A denial is supported by a denial only.
        let denied =
            if facts::has_negation(sentence) { !facts::has_negation(held) } else { stretch.len() == 1 && facts::negates_verb(held) };
        let contradicts = qualities::contradict(&qualities::qualities(sentence), &qualities::qualities(held));
        let in_fullest = fullest..fullest + 1;
        let slots = slots::slots(sentence, &self.text[self.sentences[fullest].clone()]);
        let clashes = stretch.len() == 1 && facts::clash(&missing_numbers, &facts::numbers(sentence), &facts::numbers(held));
        let words: Vec<&str> = unsaid.iter().map(|word| word.stem.as_str()).collect();
        let mut missing = missing_words(sentence, &missing_numbers, &missing_names, &words);
        for name in &slots.exchanged {
            if !missing.contains(name) && missing.len() < MOST_MISSING {
                missing.insert(0, name.clone());
            }
        }
        Some(Measures {
            range,
            coverage,
            fullest: weigh(masks[fullest]) / total,
            heaviest: unsaid.iter().map(|word| word.weight).fold(0.0, f64::max) / total,
            // What is new in a claim mostly stands at its end.
            ends: said >> (wanted.len() - 1) & 1 == 1,
            words: wanted.len(),
            unsaid: unsaid.len(),
            lacks_facts: !missing_numbers.is_empty() || !missing_names.is_empty(),
            apart: numbers.iter().any(|number| !self.holds_number(number, &in_fullest)),
            unranked: opposites::unranked(sentence, held, &self.title),
            otherwise: denied || contradicts || opposites::opposed(sentence, held),
            clashes,
            exchanged: if slots.exchanged.is_empty() { 0.0 } else { slots.aligned },
            missing,
        })
    }

    /// The names of a sentence, as stems. A name of one word that begins the sentence looks like any other
    /// word that does; one that the source never uses and that is formed like no common word counts as a name.
    fn names(&self, sentence: &str, terms: &[terms::Term]) -> Vec<Vec<String>> {
        let mut names = facts::names(sentence, terms);
        let first = facts::lone_first(sentence, terms).filter(|stem| !self.places.contains_key(&base(stem)));
        names.extend(first.map(|first| vec![first]));
        names
    }

    /// The content words of a sentence, each once, with what they weigh in this source.
    fn wanted(&self, sentence: &str) -> Vec<Wanted> {
        let mut seen: Vec<String> = Vec::new();
        let mut out = Vec::new();
        for term in terms::terms(sentence) {
            // Those of other languages say something, too: what is decided was learned with them.
            let is_function = terms::is_stop(terms::base(&sentence[term.start..term.end].to_lowercase()));
            let stem = base(&term.stem);
            if is_function || seen.contains(&stem) || out.len() >= MOST_WORDS {
                continue;
            }
            let places = self.places.get(&stem).cloned().unwrap_or_default();
            let count = self.sentences.len() as f64;
            let rarity = |held: f64| (1.0 + count / (1.0 + held)).ln();
            let weight = if places.is_empty() { rarity(1.0) * ABSENT } else { rarity(places.len() as f64) };
            let in_title = self.title.contains(&stem);
            out.push(Wanted { stem: stem.clone(), weight, places, in_title });
            seen.push(stem);
        }
        out
    }

    /// For every sentence of the source the wanted words that it holds.
    fn masks(&self, wanted: &[Wanted]) -> Vec<u64> {
        let mut masks = vec![0_u64; self.sentences.len()];
        for (bit, word) in wanted.iter().enumerate() {
            for place in &word.places {
                masks[*place as usize] |= 1 << bit;
            }
        }
        masks
    }

    fn holds_number(&self, number: &str, within: &Range<usize>) -> bool {
        let held = self.numbers.get(number).is_some_and(|places| any_within(places, within));
        held || self.title.iter().any(|word| word == number)
    }

    /// One word of the name stands near, and the others at least somewhere in the source.
    fn holds_name(&self, name: &[String], near: &Range<usize>) -> bool {
        let here = |word: &String| {
            let stem = base(word);
            self.title.contains(&stem) || self.places.get(&stem).is_some_and(|places| any_within(places, near))
        };
        let anywhere = |word: &String| {
            let stem = base(word);
            self.title.contains(&stem) || self.places.contains_key(&stem)
        };
        name.iter().any(here) && name.iter().all(anywhere)
    }
}

/// The words of a sentence that are not held, as it writes them: numbers, then names, then the other words.
fn missing_words(sentence: &str, numbers: &[&String], names: &[&Vec<String>], words: &[&str]) -> Vec<String> {
    let all = terms::terms(sentence);
    let written = |from: &terms::Term, to: &terms::Term| sentence[from.start..to.end].to_owned();
    let mut out: Vec<String> = Vec::new();
    let mut add = |word: String| {
        if !out.iter().any(|known| known.contains(&word)) && out.len() < MOST_MISSING {
            out.push(word);
        }
    };
    for (token, _) in facts::tokens(sentence) {
        if facts::numbers(token).iter().any(|number| numbers.contains(&number)) {
            add(token.to_owned());
        }
    }
    for name in names {
        let stems = |at: usize| all.get(at..at + name.len()).is_some_and(|part| part.iter().map(|term| &term.stem).eq(name.iter()));
        if let Some(at) = (0..all.len()).find(|at| stems(*at)) {
            add(written(&all[at], &all[at + name.len() - 1]));
        }
    }
    for term in &all {
        if words.contains(&base(&term.stem).as_str())
            && !facts::numbers(&sentence[term.start..term.end]).iter().any(|number| !number.is_empty())
        {
            add(written(term, term));
        }
    }
    out
}

/// Whether one of the places, which are sorted, lies within the range.
fn any_within(places: &[u32], range: &Range<usize>) -> bool {
    places.get(places.partition_point(|place| (*place as usize) < range.start)).is_some_and(|place| (*place as usize) < range.end)
}

fn note(index: &mut HashMap<String, Vec<u32>>, key: String, place: u32) {
    let places = index.entry(key).or_default();
    if places.last() != Some(&place) {
        places.push(place);
    }
}

/// Where a quote stands in a text, however white space, markup and punctuation differ.
pub fn locate(text: &str, quote: &str) -> Option<Range<usize>> {
    // As it stands, without the room that the letters of a whole book take.
    if text.len() > LONG
        && let Some(start) = text.find(quote)
    {
        return Some(start..start + quote.len());
    }
    Letters::new(text).find(quote).map(|range| letters::close_range(text, range))
}

/// What a sentence holds in quotation marks, of at least four words.
fn quotations(sentence: &str) -> Vec<&str> {
    let marks = [('“', '”'), ('"', '"'), ('«', '»')];
    text::quoted(sentence, &marks).into_iter().filter(|quote| text::word_count(quote) >= 4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Bridge\nThe **Aldermoor** bridge was\nopened in May 1931. It is painted green.\nIts length is 312 metres, and 40,000 cars cross it each day. Ida Lindqvist of Orvik designed it.";

    fn judged(sentence: &str) -> (Option<&'static str>, Option<Support>) {
        let finding = Evidence::new("The Aldermoor Bridge", TEXT).judge(sentence);
        (finding.clone().map(|finding| &TEXT[finding.range]), finding.map(|finding| finding.support))
    }

    #[test]
    fn quotes_are_found_whatever_the_markup() {
        let opened = "The **Aldermoor** bridge was\nopened in May 1931.";
        assert_eq!(judged("The Aldermoor bridge was opened in May 1931."), (Some(opened), Some(Support::Supported)));
        assert_eq!(judged("One page says “bridge was opened in may 1931”.").0, Some("bridge was\nopened in May 1931."));
        assert_eq!(judged("In 1947 it was said: “bridge was opened in May 1931”.").1, Some(Support::PartlySupported));
    }

    #[test]
    fn paraphrases_are_supported_and_inventions_are_not_found() {
        let (passage, support) = judged("The bridge has a length of 312 metres");
        assert_eq!(passage, Some("Its length is 312 metres, and 40,000 cars cross it each day."));
        assert_eq!(support, Some(Support::Supported));
        assert_eq!(judged("About forty thousand cars cross the bridge every day").1, Some(Support::Supported));
        assert_eq!(judged("The Aldermoor bridge was designed by Ida Lindqvist").1, Some(Support::Supported));
        assert_eq!(judged("Penguins eat mostly krill and small fish"), (None, None));
    }

    #[test]
    fn the_same_letters_are_not_the_same_words() {
        let text = "It cost $35 million to build the bridge. In all 112 people were killed in the fire. It is not true that penguins live on the northern island.";
        let evidence = Evidence::new("Bridge", text);
        for sentence in
            ["It cost $3.5 million to build the bridge.", "12 people were killed in the fire", "Penguins live on the northern island."]
        {
            assert!(evidence.judge(sentence).is_some_and(|finding| finding.support > Support::Supported), "{sentence}");
        }
        assert_eq!(evidence.judge("It cost $35 million to build the bridge.").map(|finding| finding.support), Some(Support::Supported));
    }

    #[test]
    fn other_numbers_and_names_are_weak() {
        for sentence in [
            "The Aldermoor bridge was opened in May 1932.",
            "The bridge has a length of 321 metres",
            "About 14,000 cars cross the bridge each day",
            "The Aldermoor bridge was designed by Nils Holgersson",
            "The Aldermoor bridge was not opened in May 1931",
            "The bridge was never painted green",
            "The bridge is 312 feet long",
            "The Aldermoor bridge was opened in June 1931",
            "The page says “the bridge was closed for ever in the war”, opened in May 1931",
        ] {
            assert_ne!(judged(sentence).1, Some(Support::Supported), "{sentence}");
        }
    }
}

//! What a question asks for, and which sentences look like such an answer.

use super::terms::{self, Term};
use crate::text::is_capitalised;

/// The kind of thing that answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A date or a time.
    When,
    /// A person or another name.
    Who,
    /// A place.
    Where,
    /// A number with or without a unit.
    Quantity,
    /// A reason or a purpose.
    Why,
    /// A way to do something.
    How,
    /// Anything else.
    What,
}

/// A question, prepared for ranking.
#[derive(Debug, Clone)]
pub struct Question {
    pub kind: Kind,
    /// The stems of its topic words, each once, in order.
    pub topics: Vec<String>,
    /// The stems of all its words, in order, function words included.
    pub words: Vec<String>,
}

/// Words that make a question.
const ENOUGH: usize = 3;

impl Question {
    /// Prepares a question. One made of function words alone keeps all of them as topics.
    pub fn new(question: &str) -> Self {
        let words: Vec<String> = terms::terms(question).into_iter().map(|term| term.stem).collect();
        let mut topics = terms::topics(question);
        if topics.is_empty() {
            topics.clone_from(&words);
            topics.dedup();
        }
        Self { kind: kind(question), topics, words }
    }

    /// Whether a text asks this very question. `terms` are its words.
    pub fn is_asked_in(&self, text: &str, terms: &[Term]) -> bool {
        let is_same = |window: &[Term]| window.iter().zip(&self.words).all(|(term, word)| term.stem == *word);
        self.words.len() >= ENOUGH && text.contains(['?', '？']) && terms.windows(self.words.len()).any(is_same)
    }

    /// How much a sentence looks like an answer of the wanted kind, from 0 to 1. `terms` are the
    /// sentence's own words; words of the question do not count as its answer.
    pub fn cue(&self, text: &str, terms: &[Term]) -> f64 {
        match self.kind {
            Kind::When => self.date_cue(text, terms),
            Kind::Who => self.name_cue(text, terms),
            Kind::Where => self.place_cue(text, terms),
            Kind::Quantity => self.number_cue(text, terms),
            Kind::Why => phrase_cue(text, WHY),
            Kind::How => phrase_cue(text, HOW),
            Kind::What => 0.5 * self.name_cue(text, terms),
        }
    }

    /// How much of the wanted kind a whole passage holds, from 0 to 1: three names, numbers or places are all that
    /// counts, and of dates two years and a day. A kind that is not told by single words says nothing.
    pub fn richness(&self, text: &str, terms: &[Term]) -> f64 {
        let word = |term: &Term| &text[term.start..term.end];
        let up_to = |count: usize, enough: usize| count.min(enough) as f64 / enough as f64;
        match self.kind {
            Kind::When => {
                let years = terms.iter().filter(|term| is_year(word(term))).count();
                let has_day = |pair: &&[Term]| {
                    let number = |term: &Term| word(term).len() <= 2 && word(term).bytes().all(|byte| byte.is_ascii_digit());
                    is_month(word(&pair[0])) && number(&pair[1]) || number(&pair[0]) && is_month(word(&pair[1]))
                };
                0.6 * up_to(years, 2) + 0.4 * up_to(terms.windows(2).filter(has_day).count(), 1)
            }
            Kind::Who => up_to(names_inside(text, terms), 3),
            Kind::Quantity => up_to(terms.iter().filter(|term| word(term).bytes().any(|byte| byte.is_ascii_digit())).count(), 3),
            Kind::Where => {
                let is_place = |pair: &&[Term]| NEAR_PLACES.contains(&word(&pair[0])) && is_capitalised(word(&pair[1]));
                up_to(terms.windows(2).filter(is_place).count(), 3)
            }
            Kind::Why | Kind::How | Kind::What => 0.5,
        }
    }

    fn is_new(&self, term: &Term) -> bool {
        !self.words.contains(&term.stem)
    }

    fn date_cue(&self, text: &str, terms: &[Term]) -> f64 {
        let mut best: f64 = 0.0;
        for term in terms.iter().filter(|term| self.is_new(term)) {
            let word = &text[term.start..term.end];
            if is_year(word) {
                best = best.max(0.8);
            } else if is_month(word) {
                best = best.max(0.7);
            } else if word.bytes().any(|byte| byte.is_ascii_digit()) {
                best = best.max(0.4);
            } else if TIMES.contains(&word.to_lowercase().as_str()) {
                best = best.max(0.3);
            }
        }
        let month_and_year = terms.iter().any(|term| is_month(&text[term.start..term.end]))
            && terms.iter().any(|term| is_year(&text[term.start..term.end]) && self.is_new(term));
        if month_and_year { 1.0 } else { best }
    }

    fn number_cue(&self, text: &str, terms: &[Term]) -> f64 {
        terms
            .iter()
            .filter(|term| self.is_new(term))
            .map(|term| {
                let word = &text[term.start..term.end];
                if is_year(word) {
                    0.4
                } else if word.bytes().any(|byte| byte.is_ascii_digit()) {
                    1.0
                } else if NUMBERS.contains(&word.to_lowercase().as_str()) {
                    0.8
                } else {
                    0.0
                }
            })
            .fold(0.0, f64::max)
    }

    /// Names of one or more capitalised words that the question does not hold itself.
    fn name_cue(&self, text: &str, terms: &[Term]) -> f64 {
        let mut best: f64 = 0.0;
        let mut run = 0;
        for (index, term) in terms.iter().enumerate() {
            let word = &text[term.start..term.end];
            // "Cook: Mirela" are two things.
            let before = index.checked_sub(1).map_or("", |last| &text[terms[last].end..term.start]);
            if before.contains([':', ';', '|', '=']) {
                run = 0;
            }
            let name = is_capitalised(word) && self.is_new(term) && !(index == 0 && terms::is_stop(&word.to_lowercase()));
            if name && !is_month(word) {
                run += 1;
                // The first word of a sentence is capitalised anyway.
                best = best.max(if run >= 2 {
                    1.0
                } else if index > 0 {
                    0.6
                } else {
                    0.2
                });
            } else {
                run = 0;
            }
        }
        best
    }

    fn place_cue(&self, text: &str, terms: &[Term]) -> f64 {
        let mut best: f64 = 0.0;
        for pair in terms.windows(3) {
            let first = text[pair[0].start..pair[0].end].to_lowercase();
            if !PLACE_WORDS.contains(&first.as_str()) {
                continue;
            }
            let named = pair[1..].iter().any(|term| is_capitalised(&text[term.start..term.end]) && self.is_new(term));
            best = best.max(if named { 1.0 } else { 0.2 });
        }
        best.max(0.4 * self.name_cue(text, terms))
    }
}

/// Names of at least two capitalised words that stand inside a sentence and not at its beginning.
fn names_inside(text: &str, terms: &[Term]) -> usize {
    let is_capital = |term: &Term| is_capitalised(&text[term.start..term.end]);
    let (mut count, mut run) = (0, 0);
    for (before, term) in terms.iter().zip(terms.iter().skip(1)) {
        let between = &text[before.end..term.start];
        run = match (is_capital(term), between.trim()) {
            (false, _) => 0,
            // A name begins behind a word or a comma.
            (true, "" | ",") if !is_capital(before) => 1,
            (true, "") if run > 0 => run + 1,
            _ => 0,
        };
        count += usize::from(run == 2);
    }
    count
}

/// The kind of answer a question wants.
fn kind(question: &str) -> Kind {
    let lower = format!(" {} ", question.to_lowercase().replace(|c: char| !c.is_alphanumeric(), " "));
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    if has(&[
        " how many ",
        " how much ",
        " how old ",
        " how tall ",
        " how long is ",
        " how long was ",
        " how far ",
        " how big ",
        " how high ",
        " how deep ",
        " how fast ",
        " how heavy ",
        " percentage ",
        " population ",
        " number of ",
        " how long does ",
        " how long do ",
        " how long did ",
        " average ",
    ]) {
        Kind::Quantity
    } else if has(&[
        " when ",
        " what year ",
        " which year ",
        " what date ",
        " what day ",
        " what month ",
        " what time ",
        " which day ",
        " how long ago ",
        " since what ",
    ]) {
        Kind::When
    } else if has(&[
        " where ",
        " what city ",
        " which city ",
        " what country ",
        " which country ",
        " what state ",
        " which state ",
        " what place ",
        " location of ",
        " capital of ",
    ]) {
        Kind::Where
    } else if has(&[" who ", " whom ", " whose ", " name of ", " what was the name ", " named after "]) {
        Kind::Who
    } else if has(&[" why ", " purpose ", " reason ", " what causes ", " what caused "]) {
        Kind::Why
    } else if has(&[" how "]) {
        Kind::How
    } else {
        Kind::What
    }
}

const WHY: &[&str] = &[
    "because",
    "due to",
    "in order to",
    "so that",
    "purpose",
    "reason",
    "caused by",
    "as a result",
    "leads to",
    "led to",
    "to ensure",
    "therefore",
    "since ",
];
const HOW: &[&str] = &["by ", "using", "press", "click", "choose", "open ", "set ", "run ", "through", "step", "first", "then", "with "];
const TIMES: &[&str] = &[
    "today",
    "yesterday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "spring",
    "summer",
    "autumn",
    "winter",
    "century",
    "decade",
    "annually",
    "midnight",
    "noon",
];
const NUMBERS: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "billion",
    "half",
    "dozen",
    "twice",
    "once",
    "single",
];
const PLACE_WORDS: &[&str] =
    &["in", "at", "near", "from", "on", "off", "to", "of", "between", "along", "across", "throughout", "within", "around"];
/// Words before most names of places.
const NEAR_PLACES: &[&str] = &["in", "at", "near", "of", "from"];
const MONTHS: &[&str] =
    &["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

fn is_year(word: &str) -> bool {
    let digits = word.strip_suffix('s').unwrap_or(word);
    digits.len() == 4 && digits.parse::<u32>().is_ok_and(|year| (1000..2200).contains(&year))
}

fn is_month(word: &str) -> bool {
    is_capitalised(word) && MONTHS.contains(&word.to_lowercase().as_str())
}

fn phrase_cue(text: &str, phrases: &[&str]) -> f64 {
    let lower = text.to_lowercase();
    let found = phrases.iter().filter(|phrase| lower.contains(**phrase)).count();
    match found {
        0 => 0.0,
        1 => 0.7,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cue(question: &str, sentence: &str) -> f64 {
        Question::new(question).cue(sentence, &terms::terms(sentence))
    }

    #[test]
    fn questions_have_kinds() {
        for (question, wanted) in [
            ("when was the death penalty reinstated", Kind::When),
            ("What year did it begin?", Kind::When),
            ("who played Cory's brother", Kind::Who),
            ("Where are the Spanish Steps", Kind::Where),
            ("how many seasons are there", Kind::Quantity),
            ("why is the sky blue", Kind::Why),
            ("How do I change the hotkey?", Kind::How),
            ("what is on a sandwich", Kind::What),
        ] {
            assert_eq!(kind(question), wanted, "{question}");
        }
    }

    #[test]
    fn answers_look_like_what_was_asked() {
        assert!(cue("when was it built", "It was built in March 1984.") > cue("when was it built", "It was built slowly."));
        assert!(cue("who built it", "It was built by Jane Doe.") > cue("who built it", "It was built by masons."));
        assert!(cue("where is it", "It stands in Rome.") > cue("where is it", "It stands still."));
        assert!(cue("how many are there", "There are 12 of them.") > cue("how many are there", "There are some."));
        assert_eq!(cue("when did 1984 come out", "1984 is a book."), 0.0);
    }
}

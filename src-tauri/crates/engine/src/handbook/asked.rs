//! The handbook in the words of people who have not read it: for its passages, the questions that they answer.
//!
//! Searching finds words and not meanings, and newcomers do not know the words of a handbook. Whoever writes a passage
//! writes down beside it how somebody might ask for it: `handbook/asked` has a file for each chapter, in which a line
//! that begins with `>` holds the first words of a passage and the lines below it hold questions.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use nexi_core::{rank::terms, text};

use super::{CHAPTERS, Chapter};

/// The share of a line's fit that does not depend on how much of the line the question says.
const OPEN: f64 = 0.6;
/// What counts beside the line that fits best: the share of the question's words that stand in any of them, and how
/// often they do.
const ANYWHERE: f64 = 0.5;
const OFTEN: f64 = 1.0;
/// BM25's saturation, and how much of the number of lines it takes off.
const K1: f64 = 1.5;
const B: f64 = 0.7;
/// What a word counts that stands only in the passage and in none of its questions.
const TEXT: f64 = 0.75;
/// Letters from which a word may be misspelt.
const MISSPELT: usize = 7;

/// A passage of the handbook that answers a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answering {
    /// File name of the chapter.
    pub page: &'static str,
    /// The passage as it stands there.
    pub passage: &'static str,
    /// How well it fits, from 0 to 1.
    pub fit: f64,
}

/// The passages whose questions are most like this one, best first.
pub fn answering(question: &str, most: usize) -> Vec<Answering> {
    BOOK.answering(question, most)
}

static BOOK: LazyLock<Book> = LazyLock::new(Book::new);

struct Passage {
    page: &'static str,
    text: &'static str,
    /// The stems of each question that it answers.
    lines: Vec<BTreeSet<String>>,
    /// The stems of all of them and of what stands above the passage.
    all: BTreeSet<String>,
    /// Those of the passage.
    body: BTreeSet<String>,
}

struct Book {
    passages: Vec<Passage>,
    /// Inverse document frequency of every stem.
    rarity: HashMap<String, f64>,
    /// The words of all questions.
    words: BTreeSet<String>,
    /// That of a word that occurs nowhere.
    unknown: f64,
    /// Lines of a passage.
    mean_lines: f64,
}

impl Book {
    fn new() -> Self {
        let passages: Vec<Passage> = CHAPTERS.iter().flat_map(passages).collect();
        let mut counts: HashMap<String, usize> = HashMap::new();
        for stem in passages.iter().flat_map(|passage| passage.all.union(&passage.body)) {
            *counts.entry(stem.clone()).or_default() += 1;
        }
        let total = passages.len() as f64;
        let rarity = |count: f64| (1.0 + (total - count + 0.5) / (count + 0.5)).ln();
        let words = CHAPTERS.iter().flat_map(|chapter| terms::content_words(chapter.asked)).filter(|word| word.len() >= MISSPELT).collect();
        Self {
            words,
            unknown: rarity(0.0),
            mean_lines: passages.iter().map(|passage| passage.lines.len()).sum::<usize>() as f64 / total,
            rarity: counts.into_iter().map(|(stem, count)| (stem, rarity(count as f64))).collect(),
            passages,
        }
    }

    fn answering(&self, question: &str, most: usize) -> Vec<Answering> {
        let wanted: BTreeSet<String> = topics(&self.spelt(question)).into_iter().collect();
        let weight = |stem: &String| self.rarity.get(stem).copied().unwrap_or(self.unknown);
        let sum = |stems: &mut dyn Iterator<Item = &String>| stems.map(weight).sum::<f64>();
        let asked = sum(&mut wanted.iter());
        if asked <= 0.0 {
            return Vec::new();
        }
        let mut out: Vec<Answering> = Vec::new();
        for passage in &self.passages {
            let share = |stem: &String| match passage.all.contains(stem) {
                true => 1.0,
                false if passage.body.contains(stem) => TEXT,
                false => 0.0,
            };
            let whole = wanted.iter().map(|stem| weight(stem) * share(stem)).sum::<f64>() / asked;
            let line = |line: &BTreeSet<String>| {
                let shared = sum(&mut wanted.intersection(line));
                let said = shared / sum(&mut line.iter()).max(0.01);
                shared / asked * (OPEN + (1.0 - OPEN) * said)
            };
            let best = passage.lines.iter().map(line).fold(0.0, f64::max);
            let length = K1 * (1.0 - B + B * passage.lines.len() as f64 / self.mean_lines);
            let often = |stem: &String| {
                let written = if passage.body.contains(stem) { TEXT } else { 0.0 };
                let count = passage.lines.iter().filter(|line| line.contains(stem)).count() as f64 + written;
                count / (count + length)
            };
            let often = wanted.iter().map(|stem| weight(stem) * often(stem)).sum::<f64>() / asked;
            let fit = (best + ANYWHERE * whole + OFTEN * often) / (1.0 + ANYWHERE + OFTEN);
            if best > 0.0 {
                out.push(Answering { page: passage.page, passage: passage.text, fit });
            }
        }
        out.sort_by(|a, b| b.fit.total_cmp(&a.fit));
        out.truncate(most);
        out
    }

    /// The question with words that the handbook does not have in the way in which it writes them.
    fn spelt(&self, question: &str) -> String {
        let spelt = |word: &String| {
            let length = word.chars().count();
            if length < MISSPELT || self.rarity.contains_key(&terms::stem(word)) {
                return word.clone();
            }
            let most = if length < 9 { 1 } else { 2 };
            let distance = |known: &&String| (strsim::osa_distance(known, word), (*known).clone());
            let near = |known: &&String| strsim::osa_distance(known, word) <= most;
            self.words.iter().filter(near).min_by_key(distance).unwrap_or(word).clone()
        };
        let words = terms::content_words(question);
        if words.is_empty() { question.to_owned() } else { words.iter().map(spelt).collect::<Vec<_>>().join(" ") }
    }
}

/// The stems of what a question is about; of one that is made of function words, all of them.
fn topics(question: &str) -> Vec<String> {
    let words = terms::content_words(question);
    let stems: Vec<String> = words.iter().flat_map(|word| terms::terms(word)).map(|term| term.stem).filter(|stem| stem != "nexi").collect();
    if stems.is_empty() { terms::terms(question).into_iter().map(|term| term.stem).collect() } else { stems }
}

/// The passages of a chapter that somebody asks for.
fn passages(&Chapter { name: page, text: chapter, asked }: &Chapter) -> Vec<Passage> {
    let blocks = text::blocks(chapter);
    let mut out = Vec::new();
    for entry in asked.split("\n\n") {
        let mut lines = entry.lines().map(str::trim).filter(|line| !line.is_empty());
        let Some(begins) = lines.next().and_then(|line| line.strip_prefix("> ")) else { continue };
        let Some(at) = chapter.find(begins) else { continue };
        let Some(place) = blocks.iter().position(|block| block.range.contains(&at)) else { continue };
        let text = chapter[blocks[place].range.clone()].trim();
        let above = blocks[..place].iter().rfind(|block| block.kind == text::BlockKind::Heading);
        let above = above.map(|block| &chapter[block.range.clone()]).unwrap_or_default();
        let is_first = place > 0 && blocks[place - 1].kind == text::BlockKind::Heading;
        // What stands right above a passage says what it answers, too.
        let lines = lines.chain(is_first.then_some(above));
        let lines: Vec<BTreeSet<String>> = lines.map(|line| topics(line).into_iter().collect()).collect();
        let all = topics(above).into_iter().chain(lines.iter().flatten().cloned()).collect();
        let body = topics(text).into_iter().collect();
        out.push(Passage { page, text, lines, all, body });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_belongs_to_one_passage() {
        for chapter in CHAPTERS {
            let entries: Vec<&str> = chapter.asked.split("\n\n").map(str::trim).filter(|entry| !entry.is_empty()).collect();
            for entry in &entries {
                let (first, questions) = entry.split_once('\n').unwrap_or((entry, ""));
                let begins = first.strip_prefix("> ").unwrap_or_else(|| panic!("{}: {first:?} should begin with >", chapter.name));
                assert_eq!(chapter.text.matches(begins).count(), 1, "{}: {begins:?}", chapter.name);
                assert!(
                    !questions.is_empty() && !questions.lines().any(|line| line.starts_with('>')),
                    "{}: who asks for {begins:?}?",
                    chapter.name
                );
            }
            assert_eq!(passages(chapter).len(), entries.len(), "{}", chapter.name);
        }
    }

    #[test]
    fn passages_are_found_in_other_words() {
        for (question, begins) in [
            ("where are the preferences", "The settings window opens"),
            ("how can i get rid of an old converstaion", "Open the menu with the three dots"),
        ] {
            let found = answering(question, 1);
            assert!(found[0].passage.starts_with(begins), "{question}: {found:?}");
        }
        assert!(answering("What do penguins eat?", 3).iter().all(|found| found.fit < 0.3));
    }
}

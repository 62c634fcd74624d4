//! The handbook in the words of people who have not read it: for its passages, the questions that they answer.
//!
//! Searching finds words and not meanings, and newcomers do not know the words of a handbook. Whoever writes a passage
//! writes down beside it how somebody might ask for it: `handbook/asked` has a file for each chapter, in which a line
//! that begins with `>` holds the first words of a passage and the lines below it hold questions.

use std::collections::{BTreeMap, BTreeSet};
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

/// The words of all questions that are long enough to be misspelt; looked at only where a word is not known.
static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let lines = CHAPTERS.iter().flat_map(|chapter| chapter.asked.lines());
    lines.flat_map(terms::content_words).filter(|word| word.len() >= MISSPELT).collect()
});

/// Stems by their places in the vocabulary, in order, each once.
type Stems = Vec<u32>;

struct Passage {
    page: &'static str,
    text: &'static str,
    lines: Vec<Line>,
    /// The stems of all lines and of what stands above the passage.
    all: Stems,
    /// Those of the passage.
    body: Stems,
}

/// A question that a passage answers.
struct Line {
    stems: Stems,
    /// How rare they are together.
    rarity: f64,
}

struct Book {
    passages: Vec<Passage>,
    /// Every stem, in order, with its inverse document frequency.
    vocabulary: Vec<(String, f64)>,
    /// The inverse document frequency of a word that occurs nowhere.
    unknown: f64,
    /// Lines of a passage.
    mean_lines: f64,
}

impl Book {
    fn new() -> Self {
        let written: Vec<Written> = CHAPTERS.iter().flat_map(passages).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for passage in &written {
            let stems: BTreeSet<&str> = passage.lines.iter().chain([&passage.above, &passage.body]).flatten().map(String::as_str).collect();
            for stem in stems {
                *counts.entry(stem).or_default() += 1;
            }
        }
        let total = written.len() as f64;
        let rarity = |count: usize| (1.0 + (total - count as f64 + 0.5) / (count as f64 + 0.5)).ln();
        let vocabulary: Vec<(String, f64)> = counts.into_iter().map(|(stem, count)| (stem.to_owned(), rarity(count))).collect();
        let mean_lines = written.iter().map(|passage| passage.lines.len()).sum::<usize>() as f64 / total;
        let mut book = Self { passages: Vec::new(), vocabulary, unknown: rarity(0), mean_lines };
        book.passages = written.into_iter().map(|passage| book.known(passage)).collect();
        book
    }

    /// A passage with its stems by their places.
    fn known(&self, passage: Written) -> Passage {
        let line = |stems: &Vec<String>| {
            let stems = self.places(stems);
            Line { rarity: stems.iter().map(|stem| self.rarity(*stem)).sum(), stems }
        };
        let lines = passage.lines.iter().map(line).collect();
        let all = self.places(passage.lines.iter().flatten().chain(&passage.above));
        Passage { page: passage.page, text: passage.text, lines, all, body: self.places(&passage.body) }
    }

    /// The places of those stems that the vocabulary has.
    fn places<'a>(&self, stems: impl IntoIterator<Item = &'a String>) -> Stems {
        let place = |stem: &String| self.vocabulary.binary_search_by(|(known, _)| known.cmp(stem)).ok();
        let places: BTreeSet<u32> = stems.into_iter().filter_map(place).filter_map(|place| u32::try_from(place).ok()).collect();
        places.into_iter().collect()
    }

    fn rarity(&self, stem: u32) -> f64 {
        self.vocabulary[stem as usize].1
    }

    fn answering(&self, question: &str, most: usize) -> Vec<Answering> {
        let stems = topics(&self.spelt(question));
        let wanted: Vec<(u32, f64)> = self.places(&stems).into_iter().map(|stem| (stem, self.rarity(stem))).collect();
        let asked = wanted.iter().map(|(_, rarity)| rarity).sum::<f64>() + self.unknown * (stems.len() - wanted.len()) as f64;
        // What the words of the question weigh of which a set holds some, as a share.
        let share = |holds: &dyn Fn(u32) -> f64| wanted.iter().map(|(stem, rarity)| rarity * holds(*stem)).sum::<f64>() / asked;
        let held = |stems: &Stems, stem: u32| f64::from(u8::from(stems.binary_search(&stem).is_ok()));
        let mut out: Vec<Answering> = Vec::new();
        for passage in &self.passages {
            let line = |line: &Line| {
                let shared = share(&|stem| held(&line.stems, stem));
                shared * (OPEN + (1.0 - OPEN) * shared * asked / line.rarity.max(0.01))
            };
            let best = passage.lines.iter().map(line).fold(0.0, f64::max);
            if best <= 0.0 {
                continue;
            }
            let written = |stem: u32| TEXT * held(&passage.body, stem);
            let whole = share(&|stem| held(&passage.all, stem).max(written(stem)));
            let length = K1 * (1.0 - B + B * passage.lines.len() as f64 / self.mean_lines);
            let often = share(&|stem| {
                let count = passage.lines.iter().filter(|line| line.stems.binary_search(&stem).is_ok()).count() as f64 + written(stem);
                count / (count + length)
            });
            let fit = (best + ANYWHERE * whole + OFTEN * often) / (1.0 + ANYWHERE + OFTEN);
            out.push(Answering { page: passage.page, passage: passage.text, fit });
        }
        out.sort_by(|a, b| b.fit.total_cmp(&a.fit));
        out.truncate(most);
        out
    }

    /// The question with words that the handbook does not have in the way in which it writes them.
    fn spelt(&self, question: &str) -> String {
        let spelt = |word: &String| {
            let length = word.chars().count();
            if length < MISSPELT || !self.places([&terms::stem(word)]).is_empty() {
                return word.clone();
            }
            let most = if length < 9 { 1 } else { 2 };
            let distance = |known: &&String| (strsim::osa_distance(known, word), (*known).clone());
            let near = |known: &&String| strsim::osa_distance(known, word) <= most;
            WORDS.iter().filter(near).min_by_key(distance).unwrap_or(word).clone()
        };
        let words = terms::content_words(question);
        if words.is_empty() { question.to_owned() } else { words.iter().map(spelt).collect::<Vec<_>>().join(" ") }
    }
}

/// The stems of what a question is about, each once; of one that is about Nexi or made of function words, all of them.
fn topics(question: &str) -> Vec<String> {
    let stems: Vec<String> = terms::topics(question).into_iter().filter(|stem| stem != "nexi").collect();
    if !stems.is_empty() {
        return stems;
    }
    let all: BTreeSet<String> = terms::terms(question).into_iter().map(|term| term.stem).collect();
    all.into_iter().collect()
}

/// A passage as it stands in the files, in stems.
struct Written {
    page: &'static str,
    text: &'static str,
    above: Vec<String>,
    body: Vec<String>,
    lines: Vec<Vec<String>>,
}

/// The passages of a chapter that somebody asks for.
fn passages(&Chapter { name: page, text: chapter, asked }: &Chapter) -> Vec<Written> {
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
        let lines = lines.chain(is_first.then_some(above)).map(topics).collect();
        out.push(Written { page, text, above: topics(above), body: topics(text), lines });
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

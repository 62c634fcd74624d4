//! Passages that come with the questions they answer.
//!
//! A search finds words, not meanings, and newcomers do not know the words of a handbook. So each passage comes with a list of
//! ways to ask for it, written by its author, and questions are compared with that list.

use std::collections::{BTreeSet, HashMap};

use super::terms;
use crate::text;

/// The share of a line's fit that does not depend on how much of the line the question says.
const OPEN: f64 = 0.6;
/// What counts beside the line that fits best: the share of the question's words that stand in any of them, and how
/// often they do.
const ANYWHERE: f64 = 0.5;
const OFTEN: f64 = 2.0;
/// BM25's saturation, and how much of the number of lines it takes off.
const K1: f64 = 1.5;
const B: f64 = 0.7;
/// What a word counts that stands only in the passage and in none of its questions.
const TEXT: f64 = 0.75;
/// Letters from which a word may be misspelt.
const MISSPELT: usize = 6;

/// A page whose passages answer questions.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub name: &'static str,
    /// Markdown.
    pub text: &'static str,
    /// A line that begins with `>` holds the first words of a passage, and the lines below it hold questions. Empty lines
    /// stand between passages.
    pub asked: &'static str,
}

/// A passage that answers a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The name of its page.
    pub page: &'static str,
    /// The passage as it stands there.
    pub passage: &'static str,
    /// How well it fits, from 0 to 1.
    pub fit: f64,
}

/// Stems by their numbers in the vocabulary, in order, each once.
type Stems = Vec<u32>;

struct Passage {
    page: &'static str,
    text: &'static str,
    /// By what its questions are about: how sure it is that it answers.
    topics: Asked,
    /// By all of their words, for "where" and "how" tell passages about one thing apart.
    words: Asked,
}

/// The questions of a passage in stems.
struct Asked {
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

/// A question that somebody asks.
struct Question {
    /// The stems of it that stand in pages, with how rare they are.
    known: Vec<(u32, f64)>,
    /// How rare all of them are together.
    rarity: f64,
}

/// Pages that were read.
pub struct Guide {
    passages: Vec<Passage>,
    /// The words of all questions that are long enough to be misspelt.
    long_words: BTreeSet<String>,
    /// Every stem by its number.
    vocabulary: HashMap<String, u32>,
    /// The inverse document frequency of each.
    rarities: Vec<f64>,
    /// The inverse document frequency of a word that occurs nowhere.
    unknown: f64,
    /// Lines of a passage.
    mean_lines: f64,
}

impl Guide {
    pub fn new(pages: &[Page]) -> Self {
        let mut reader = Reader::default();
        let written: Vec<Written> = pages.iter().flat_map(|page| passages(page, &mut reader)).collect();
        let mut counts = vec![0; reader.vocabulary.len()];
        for passage in &written {
            let parts = passage.lines.iter().chain([&passage.above, &passage.body]);
            let stems: BTreeSet<u32> = parts.flat_map(|part| part.words.iter().chain(&part.topics)).copied().collect();
            for stem in stems {
                counts[stem as usize] += 1;
            }
        }
        let total = written.len() as f64;
        let rarity = |count: usize| (1.0 + (total - count as f64 + 0.5) / (count as f64 + 0.5)).ln();
        let rarities: Vec<f64> = counts.into_iter().map(rarity).collect();
        let mean_lines = written.iter().map(|passage| passage.lines.len()).sum::<usize>() as f64 / total;
        let known = |passage: &Written| Passage {
            page: passage.page,
            text: passage.text,
            topics: passage.asked(&rarities, |stems| &stems.topics),
            words: passage.asked(&rarities, |stems| &stems.words),
        };
        let passages = written.iter().map(known).collect();
        Self { passages, long_words: reader.long_words, vocabulary: reader.vocabulary, rarities, unknown: rarity(0), mean_lines }
    }

    /// How many passages come with questions.
    pub fn passages(&self) -> usize {
        self.passages.len()
    }

    /// A question of these stems, none of them twice.
    fn question(&self, stems: &[&str]) -> Question {
        let places = stems.iter().filter_map(|stem| self.vocabulary.get(*stem));
        let known: Vec<(u32, f64)> = places.map(|stem| (*stem, self.rarities[*stem as usize])).collect();
        let rarity = known.iter().map(|(_, rarity)| rarity).sum::<f64>() + self.unknown * (stems.len() - known.len()) as f64;
        Question { known, rarity }
    }

    /// The passages whose questions are most like this one by all of its words, best first. Their `fit` goes by topics; the
    /// highest is the first one's.
    pub fn answering(&self, question: &str, most: usize) -> Vec<Found> {
        let words = read(&self.spelt(question));
        let all = || words.iter().map(|word| (word, word.stem.as_str()));
        let (topics, words) = (self.question(&chosen(all(), Word::is_topic)), self.question(&chosen(all(), Word::is_no_name)));
        let fits = |passage: &Passage| (self.fit(&words, &passage.words), self.fit(&topics, &passage.topics));
        let mut found: Vec<((f64, f64), &Passage)> = self.passages.iter().map(|passage| (fits(passage), passage)).collect();
        found.retain(|((_, fit), _)| *fit > 0.0);
        found.sort_by(|((a, _), _), ((b, _), _)| b.total_cmp(a));
        found.truncate(most);
        let mut sure: Vec<f64> = found.iter().map(|((_, fit), _)| *fit).collect();
        sure.sort_by(|a, b| b.total_cmp(a));
        found.iter().zip(sure).map(|((_, passage), fit)| Found { page: passage.page, passage: passage.text, fit }).collect()
    }

    /// How well a passage fits, from 0 to 1.
    fn fit(&self, question: &Question, asked: &Asked) -> f64 {
        // What the words of the question weigh of which a set holds some, as a share.
        let share =
            |holds: &dyn Fn(u32) -> f64| question.known.iter().map(|(stem, rarity)| rarity * holds(*stem)).sum::<f64>() / question.rarity;
        let held = |stems: &Stems, stem: u32| f64::from(u8::from(stems.binary_search(&stem).is_ok()));
        let line = |line: &Line| {
            let shared = share(&|stem| held(&line.stems, stem));
            shared * (OPEN + (1.0 - OPEN) * shared * question.rarity / line.rarity.max(0.01))
        };
        let best = asked.lines.iter().map(line).fold(0.0, f64::max);
        if best <= 0.0 {
            return 0.0;
        }
        let written = |stem: u32| TEXT * held(&asked.body, stem);
        let whole = share(&|stem| held(&asked.all, stem).max(written(stem)));
        let length = K1 * (1.0 - B + B * asked.lines.len() as f64 / self.mean_lines);
        let often = share(&|stem| {
            let count = asked.lines.iter().filter(|line| line.stems.binary_search(&stem).is_ok()).count() as f64 + written(stem);
            count / (count + length)
        });
        (best + ANYWHERE * whole + OFTEN * often) / (1.0 + ANYWHERE + OFTEN)
    }

    /// The question, with words that no page has replaced by the nearest word that one has.
    fn spelt(&self, question: &str) -> String {
        let spelt = |word: &String| {
            let length = word.chars().count();
            if length < MISSPELT || self.vocabulary.contains_key(&terms::stem(word)) {
                return word.clone();
            }
            let most = if length < 9 { 1 } else { 2 };
            let distance = |known: &&String| (strsim::osa_distance(known, word), (*known).clone());
            let near = |known: &&String| strsim::osa_distance(known, word) <= most;
            self.long_words.iter().filter(near).min_by_key(distance).unwrap_or(word).clone()
        };
        let words = terms::terms(question).into_iter().map(|term| question[term.start..term.end].to_lowercase());
        words.map(|word| spelt(&word)).collect::<Vec<_>>().join(" ")
    }
}

/// A word of a text.
struct Word {
    stem: String,
    /// As it stands there, in lower case and without a possessive ending.
    form: String,
    /// It says nothing about what the text is about.
    is_function: bool,
}

impl Word {
    fn is_no_name(&self) -> bool {
        self.stem != "nexi"
    }

    fn is_topic(&self) -> bool {
        !self.is_function && self.is_no_name()
    }
}

/// The words of a text.
fn read(text: &str) -> Vec<Word> {
    let word = |term: terms::Term| {
        let word = text[term.start..term.end].to_lowercase();
        let form = terms::base(&word).to_owned();
        Word { is_function: terms::is_stop(&form), stem: term.stem, form }
    };
    terms::terms(text).into_iter().map(word).collect()
}

/// What stands for the words that are wanted, in order and each once; where there are none, what stands for all of them.
fn chosen<'a, T: Ord + Copy>(words: impl Iterator<Item = (&'a Word, T)> + Clone, is_wanted: impl Fn(&Word) -> bool) -> Vec<T> {
    let mut some: Vec<T> = words.clone().filter(|(word, _)| is_wanted(word)).map(|(_, stem)| stem).collect();
    if some.is_empty() {
        some = words.map(|(_, stem)| stem).collect();
    }
    some.sort_unstable();
    some.dedup();
    some
}

/// Reads pages, the same word only once: most questions are made of the same ones.
#[derive(Default)]
struct Reader {
    vocabulary: HashMap<String, u32>,
    known: HashMap<&'static str, Vec<(u32, Word)>>,
    long_words: BTreeSet<String>,
}

impl Reader {
    /// The words of a text with the numbers of their stems.
    fn words(&mut self, text: &'static str) -> impl Iterator<Item = (&Word, u32)> + Clone {
        for part in text.split_whitespace() {
            if !self.known.contains_key(part) {
                let numbered = |word: Word| (self.number(&word.stem), word);
                let words = read(part).into_iter().map(numbered).collect();
                self.known.insert(part, words);
            }
        }
        text.split_whitespace().flat_map(|part| &self.known[part]).map(|(number, word)| (word, *number))
    }

    fn stemmed(&mut self, text: &'static str) -> Stemmed {
        let words = self.words(text);
        Stemmed { topics: chosen(words.clone(), Word::is_topic), words: chosen(words, Word::is_no_name) }
    }

    /// Remembers how the words of a text are spelt.
    fn learn_spelling(&mut self, text: &'static str) {
        let long = |(word, _): &(&Word, u32)| !word.is_function && word.form.len() >= MISSPELT;
        let forms: Vec<String> = self.words(text).filter(long).map(|(word, _)| word.form.clone()).collect();
        self.long_words.extend(forms);
    }

    fn number(&mut self, stem: &str) -> u32 {
        if let Some(known) = self.vocabulary.get(stem) {
            return *known;
        }
        let next = u32::try_from(self.vocabulary.len()).unwrap_or(u32::MAX);
        self.vocabulary.insert(stem.to_owned(), next);
        next
    }
}

/// What a text is made of.
struct Stemmed {
    /// What it is about; of one that is about Nexi or made of function words, all of its words.
    topics: Stems,
    /// All of its words but Nexi's name.
    words: Stems,
}

/// A passage as it stands in the files, in stems.
struct Written {
    page: &'static str,
    text: &'static str,
    above: Stemmed,
    body: Stemmed,
    lines: Vec<Stemmed>,
}

impl Written {
    /// Its questions with these of their stems.
    fn asked(&self, rarities: &[f64], of: impl Fn(&Stemmed) -> &Stems) -> Asked {
        let line = |stems: &Stemmed| {
            let stems = of(stems).clone();
            Line { rarity: stems.iter().map(|stem| rarities[*stem as usize]).sum(), stems }
        };
        let all: BTreeSet<u32> = self.lines.iter().chain([&self.above]).flat_map(&of).copied().collect();
        Asked { lines: self.lines.iter().map(line).collect(), all: all.into_iter().collect(), body: of(&self.body).clone() }
    }
}

/// The passages of a page that somebody asks for.
fn passages(&Page { name: page, text: chapter, asked }: &Page, reader: &mut Reader) -> Vec<Written> {
    let blocks = text::blocks(chapter);
    let mut out = Vec::new();
    for entry in asked.split("\n\n") {
        reader.learn_spelling(entry);
        let mut lines = entry.lines().map(str::trim).filter(|line| !line.is_empty());
        let Some(begins) = lines.next().and_then(|line| line.strip_prefix("> ")) else { continue };
        let Some(at) = chapter.find(begins) else { continue };
        let Some(place) = blocks.iter().position(|block| block.range.contains(&at)) else { continue };
        let text = chapter[blocks[place].range.clone()].trim();
        let above = blocks[..place].iter().rfind(|block| block.kind == text::BlockKind::Heading);
        let above = above.map(|block| &chapter[block.range.clone()]).unwrap_or_default();
        let is_first = place > 0 && blocks[place - 1].kind == text::BlockKind::Heading;
        // What stands right above a passage says what it answers, too.
        let lines = lines.chain(is_first.then_some(above)).map(|line| reader.stemmed(line)).collect();
        out.push(Written { page, text, above: reader.stemmed(above), body: reader.stemmed(text), lines });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAKERY: Page = Page {
        name: "bakery.md",
        text: "# The bakery\n\nRye loaves leave the oven at six.\n\n## Paying\n\nCoins and cards are taken.\n",
        asked: "> Rye loaves\nwhen is the bread ready\nhow early can I buy something\n\n> Coins and\ndo you accept banknotes\n",
    };

    #[test]
    fn a_passage_is_found_by_how_it_is_asked_for() {
        let guide = Guide::new(&[BAKERY]);
        for (question, passage) in [
            ("Is the bread ready yet?", "Rye loaves leave the oven at six."),
            ("Would they accept banknotes?", "Coins and cards are taken."),
            ("Do they accpet banknots?", "Coins and cards are taken."),
            // What stands right above a passage says what it answers, too.
            ("Paying?", "Coins and cards are taken."),
        ] {
            let found = guide.answering(question, 5);
            assert_eq!((found[0].page, found[0].passage), ("bakery.md", passage), "{question}");
        }
        assert_eq!(guide.answering("Whose penguins swim?", 5), []);
        assert_eq!(guide.answering("When is the bread ready, and are banknotes accepted?", 1).len(), 1);
    }
}

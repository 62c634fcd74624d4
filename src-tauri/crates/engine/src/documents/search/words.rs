//! Passages that are found by the words of a question.

use std::collections::BTreeMap;
use std::iter;
use std::path::Path;

use nexi_core::{
    ports::{Collection, thousandths},
    rank::{
        Question, TermStats,
        indexed::{Indexed, order_indexed},
        terms::{self, Term},
    },
};
use nexi_store::{DocumentIndex, IndexedPassage, StoreError, documents::Scope};

use super::{BEHIND, is_below};
use crate::documents::sync::{folder_words, name_words};

/// Passages taken from the index before they are ranked again.
const CANDIDATES: usize = 100;
/// More of them, whose titles are made of the question's function words.
const TITLED: usize = 5;
/// Passages of documents whose authors or files are asked for by name, and words of such a name at most.
const BY_NAME: usize = 20;
const NAME_WORDS: usize = 3;
/// The share of a question's topics that a passage must hold, by their rarity. Sentences are judged more strictly before
/// they are quoted.
pub(crate) const RELEVANT: f64 = 0.15;
/// Words of a question that are looked for.
const MAX_WORDS: usize = 32;
/// Words that the index does not have and for which similar ones are looked up.
const MAX_CORRECTED: usize = 3;
/// Function words in a row that may be a name ("How Do You Do It?").
const NAME: usize = 3;
/// Such names that are looked for.
const MAX_NAMES: usize = 3;

/// What an index has found for the words of a question.
pub(super) struct ByWords {
    question: Question,
    words: Words,
    /// In the index's own order.
    pub(super) passages: Vec<IndexedPassage>,
    /// For each of them the words that stand above it, and its own.
    units: Vec<(Vec<Term>, Vec<Term>)>,
    corpus: TermStats,
    /// The index's own scores of the best two passages for what was asked.
    best: [f64; 2],
    /// What each passage counts beside others of the same worth.
    shares: Vec<f64>,
    /// The ids of those that stand under a name made of the question's function words, or of whose document the question
    /// names the author.
    named: Vec<i64>,
}

impl ByWords {
    /// Asks the index. What lies below the folder `behind` counts less than everything else.
    pub(super) fn new(index: &DocumentIndex, scope: &Scope<'_>, query: &str, behind: Option<&str>) -> Result<Self, StoreError> {
        let question = Question::new(query);
        let words = Words::new(index, &question, query)?;
        let mut passages = index.search(scope, &words.words, &words.counts, CANDIDATES)?;
        // What was probably meant says nothing about what was asked.
        let asked = match words.words.len() == words.counts.len() {
            true => None,
            false => Some(index.search(scope, &words.words[..words.counts.len()], &words.counts, 2)?),
        };
        let asked = asked.as_ref().unwrap_or(&passages);
        let best = [0, 1].map(|place| asked.get(place).map_or(0.0, |passage| passage.score));
        let least = passages.last().map_or(1.0, |passage| passage.score);
        let mut named = index.titled(scope, &names(query), TITLED)?;
        if (1..=NAME_WORDS).contains(&words.counts.len()) {
            named.extend(index.by_name(scope, &words.words[..words.counts.len()], BY_NAME)?);
        }
        if passages.is_empty() && named.is_empty() {
            // Where words stand without blanks, those of a text may have been told apart otherwise.
            for run in terms::unspaced_runs(query) {
                named.extend(index.containing(scope, run, TITLED)?);
            }
        }
        let named_ids: Vec<i64> = named.iter().map(|titled| titled.id).collect();
        for titled in named {
            if !passages.iter().any(|known| known.id == titled.id) {
                passages.push(IndexedPassage { score: least, ..titled });
            }
        }
        let shares = passages.iter().map(|passage| if is_below(passage, behind) { BEHIND } else { 1.0 }).collect();
        let units: Vec<_> =
            passages.iter().map(|passage| (terms::terms(&above(passage, scope.roots)), terms::terms(&passage.body))).collect();
        let corpus = if words.counts.len() == words.words.len() && words.counts.len() == question.topics.len() {
            let mean = units.iter().map(|(_, body)| body.len()).sum::<usize>() as f64 / units.len().max(1) as f64;
            TermStats::from_counts(words.total, &words.counts, mean)
        } else {
            TermStats::from_units(&question, units.iter().map(|(_, body)| body.as_slice()))
        };
        Ok(Self { question, words, passages, units, corpus, best, shares, named: named_ids })
    }

    /// The places of passages that hold some of what the question is about, best first.
    pub(super) fn order(&self) -> Vec<usize> {
        // A name made of function words holds none of the topics, and what an author wrote not their name.
        let is_relevant = |(place, coverage): &(usize, f64)| *coverage >= RELEVANT || self.named.contains(&self.passages[*place].id);
        let order = self.with_indexed(|found| order_indexed(&self.question, &self.corpus, found));
        order.into_iter().filter(is_relevant).map(|(place, _)| place).collect()
    }

    fn with_indexed<T>(&self, look: impl FnOnce(&[Indexed<'_>]) -> T) -> T {
        let titles: Vec<Vec<&str>> = self.passages.iter().map(|passage| titles(&passage.title, &passage.heading)).collect();
        let indexed: Vec<Indexed<'_>> = self
            .passages
            .iter()
            .zip(&self.units)
            .zip(&titles)
            .zip(&self.shares)
            .map(|(((passage, (above, terms)), titles), share)| Indexed {
                score: passage.score,
                share: *share,
                titles,
                body: &passage.body,
                terms,
                above,
            })
            .collect();
        look(&indexed)
    }

    /// What the index tells about the question besides its results: how rare its words are, and how well the best two
    /// passages fit.
    pub(super) fn collection(&self) -> Collection {
        let Words { words, total, counts } = &self.words;
        let mut rarity: BTreeMap<String, u32> = BTreeMap::new();
        for (word, count) in words.iter().zip(counts) {
            let stem = terms::stem(word);
            let corpus = TermStats::from_counts(*total, &[*count], 1.0);
            // How common function words are says nothing.
            if self.question.topics.contains(&stem) && !terms::is_stop(word) {
                rarity.insert(stem, thousandths(corpus.idf[0]));
            }
        }
        let sum: f64 = rarity.values().map(|value| f64::from(*value) / 1000.0).sum();
        let [best, second] = self.best.map(|score| thousandths(score / sum.max(0.01)));
        Collection { rarity, best, second, answering: Vec::new() }
    }
}

/// What the index is asked for.
struct Words {
    /// The question's content words, each stem once, and behind them what was probably meant by those that the index
    /// does not have.
    words: Vec<String>,
    /// Passages of the index.
    total: usize,
    /// How many of them hold each of the question's own words.
    counts: Vec<usize>,
}

impl Words {
    fn new(index: &DocumentIndex, question: &Question, query: &str) -> Result<Self, StoreError> {
        let mut words = terms::topic_words(query);
        if words.is_empty() {
            words.clone_from(&question.words);
        }
        words.truncate(MAX_WORDS);
        let (total, counts) = index.frequencies(&words)?;
        let unknown: Vec<String> = words.iter().zip(&counts).filter(|(_, count)| **count == 0).map(|(word, _)| word.clone()).collect();
        // "Pace maker" is written as one word, and "pacemakr" is meant to be.
        let said: Vec<String> = query
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
            .filter(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric))
            .collect();
        let joined: Vec<String> =
            said.windows(2).filter(|pair| !pair.iter().any(|word| terms::is_stop(word))).map(<[std::string::String]>::concat).collect();
        let (_, joined_counts) = index.frequencies(&joined)?;
        words.extend(joined.into_iter().zip(joined_counts).filter(|(_, count)| *count > 0).map(|(word, _)| word));
        for word in unknown.iter().take(MAX_CORRECTED) {
            words.extend(index.similar(word)?);
        }
        Ok(Self { words, total, counts })
    }
}

/// Function words in a row that may be a name. Those that a question begins with are none.
fn names(query: &str) -> Vec<String> {
    let lower = query.to_lowercase();
    let words: Vec<&str> = terms::terms(&lower).iter().map(|term| &lower[term.start..term.end]).collect();
    let begins = words.iter().take_while(|word| terms::is_stop(word)).count();
    let runs = words[begins..].windows(NAME).filter(|run| run.iter().all(|word| terms::is_stop(word)));
    let mut out: Vec<String> = Vec::new();
    for run in runs.map(|run| run.join(" ")) {
        // Such words are everywhere, and looking for them takes its time.
        if out.len() < MAX_NAMES && !out.contains(&run) {
            out.push(run);
        }
    }
    out
}

/// What a passage stands under: the title of its document, and its headings.
pub(crate) fn titles<'a>(title: &'a str, heading: &'a str) -> Vec<&'a str> {
    iter::once(title).chain(heading.split(" › ")).collect()
}

/// The words that stand above a passage, and those of the file's name and of its folders below `roots`.
fn above(passage: &IndexedPassage, roots: &[String]) -> String {
    let name = name_words(&passage.path);
    let root = roots.iter().find(|root| Path::new(&passage.path).starts_with(root));
    let folders = root.map(|root| folder_words(&passage.path, Path::new(root))).unwrap_or_default();
    if passage.title.contains(&name) {
        format!("{} {} {folders}", passage.title, passage.heading)
    } else {
        format!("{} {} {name} {folders}", passage.title, passage.heading)
    }
}

#[cfg(test)]
#[path = "fitting.rs"]
mod fitting;

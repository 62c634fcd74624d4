//! Scores of passages and sentences: BM25 with coverage, neighbouring words, titles and cues.

use std::collections::HashMap;

use super::{question::Question, terms::Term};

/// Units that are counted at least: a page of three sentences is no collection.
const FEWEST_UNITS: usize = 8;

/// How often each topic of a question occurs in a collection, which tells rare words from common ones.
#[derive(Debug, Clone)]
pub struct TermStats {
    /// Inverse document frequency of each topic, in the order of [`Question::topics`].
    pub idf: Vec<f64>,
    /// Mean length of a unit, in words.
    pub mean_words: f64,
}

impl TermStats {
    /// From the number of units, in how many each topic occurs, and the mean length of a unit.
    pub fn from_counts(units: usize, with_topic: &[usize], mean_words: f64) -> Self {
        let total = units as f64;
        let idf = with_topic.iter().map(|count| (1.0 + (total - *count as f64 + 0.5) / (*count as f64 + 0.5)).ln()).collect();
        Self { idf, mean_words: mean_words.max(1.0) }
    }

    /// Counted over the units themselves. Of a few units it cannot be said that a word which all of them have is common, and
    /// one that none has is rare.
    pub fn from_units<'a>(question: &Question, units: impl IntoIterator<Item = &'a [Term]>) -> Self {
        let mut with_topic = vec![0; question.topics.len()];
        let (mut count, mut words) = (0, 0);
        for unit in units {
            count += 1;
            words += unit.len();
            for (topic, seen) in question.topics.iter().zip(&mut with_topic) {
                *seen += usize::from(unit.iter().any(|term| term.stem == *topic));
            }
        }
        let mean = if count == 0 { 1.0 } else { words as f64 / count as f64 };
        Self::from_counts(count.max(FEWEST_UNITS), &with_topic, mean)
    }
}

/// How much each sign of relevance counts for a passage.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    pub bm25: f64,
    pub coverage: f64,
    pub pairs: f64,
    pub title: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { bm25: 1.0, coverage: 1.0, pairs: 0.6, title: 0.5 }
    }
}

/// The signs of relevance of one unit of text, each about 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
pub struct Features {
    /// BM25, divided by the best that any text could reach.
    pub bm25: f64,
    /// Share of the question's topics that occur, weighted by rarity.
    pub coverage: f64,
    /// How many topics occur.
    pub matched: usize,
    /// Share of the question's neighbouring words that stand close together here, too.
    pub pairs: f64,
}

impl Features {
    /// Whether the text is about the question at all: it holds a third of what the question is about,
    /// or at least two of its topics and not just the most common ones.
    pub fn is_relevant(&self) -> bool {
        self.coverage >= 0.34 || (self.matched >= 2 && self.coverage >= 0.18)
    }
}

/// The signs of a unit made of `terms`.
pub fn signs(question: &Question, corpus: &TermStats, terms: &[Term]) -> Features {
    features_of(question, corpus, terms.iter(), terms.len())
}

pub(super) fn features_of<'a>(question: &Question, corpus: &TermStats, terms: impl Iterator<Item = &'a Term>, count: usize) -> Features {
    const K1: f64 = 1.2;
    const B: f64 = 0.6;
    let total: f64 = corpus.idf.iter().sum();
    if total <= 0.0 || count == 0 {
        return Features::default();
    }
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, term) in terms.enumerate() {
        if question.topics.contains(&term.stem) {
            places.entry(term.stem.as_str()).or_default().push(index);
        }
    }
    let norm = K1 * (1.0 - B + B * count as f64 / corpus.mean_words);
    let (mut bm25, mut coverage) = (0.0, 0.0);
    for (topic, idf) in question.topics.iter().zip(&corpus.idf) {
        if let Some(found) = places.get(topic.as_str()) {
            let count = found.len() as f64;
            bm25 += idf * count * (K1 + 1.0) / (count + norm);
            coverage += idf;
        }
    }
    Features {
        bm25: bm25 / (total * (K1 + 1.0)),
        coverage: coverage / total,
        matched: places.len(),
        pairs: pairs(question, corpus, &places),
    }
}

/// Two topics that follow each other in the question and stand within three words of each other here.
fn pairs(question: &Question, corpus: &TermStats, places: &HashMap<&str, Vec<usize>>) -> f64 {
    let (mut have, mut all) = (0.0, 0.0);
    for (index, pair) in question.topics.windows(2).enumerate() {
        let weight = corpus.idf[index].min(corpus.idf[index + 1]);
        all += weight;
        let (Some(left), Some(right)) = (places.get(pair[0].as_str()), places.get(pair[1].as_str())) else {
            continue;
        };
        let nearest = left.iter().flat_map(|l| right.iter().map(move |r| l.abs_diff(*r))).min().unwrap_or(usize::MAX);
        have += match nearest {
            0 => 0.0,
            1 => weight,
            2..=3 => weight * 0.6,
            4..=8 => weight * 0.2,
            _ => 0.0,
        };
    }
    if all > 0.0 { have / all } else { 0.0 }
}

/// The sum of signs under weights.
pub fn weighted_sum<const N: usize>(signs: &[f64; N], weights: &[f64; N]) -> f64 {
    signs.iter().zip(weights).map(|(sign, weight)| sign * weight).sum()
}

/// Ranks passages for a question; returns indices with scores, best first.
/// `title` is the heading or title that stands above a passage and counts for part of it.
pub fn rank_passages(question: &Question, corpus: &TermStats, weights: &Weights, units: &[(Vec<Term>, Vec<Term>)]) -> Vec<(usize, f64)> {
    let mut scored: Vec<(usize, f64)> = units
        .iter()
        .enumerate()
        .map(|(index, (title, body))| {
            let own = signs(question, corpus, body);
            let all = features_of(question, corpus, title.iter().chain(body), title.len() + body.len());
            let above = signs(question, corpus, title);
            let score = weights.bm25 * own.bm25
                + weights.coverage * all.coverage
                + weights.pairs * all.pairs.max(own.pairs)
                + weights.title * above.coverage;
            (index, score)
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::terms::terms;

    #[test]
    fn rare_words_close_together_win() {
        let question = Question::new("who designed the brass observatory clock");
        let texts = [
            "The clock in the hall is old. The clock is also slow, and a clock costs money.",
            "The brass observatory clock was designed by Ida Lindqvist.",
            "An observatory far away has brass doors; in another town there is a clock.",
        ];
        let units: Vec<_> = texts.iter().map(|text| (Vec::new(), terms(text))).collect();
        let corpus = TermStats::from_units(&question, units.iter().map(|unit| unit.1.as_slice()));
        let order: Vec<usize> =
            rank_passages(&question, &corpus, &Weights::default(), &units).into_iter().map(|(index, _)| index).collect();
        assert_eq!(order, [1, 2, 0]);
    }

    #[test]
    fn titles_lend_their_words_to_the_passage() {
        let question = Question::new("when was the Aldermoor bridge opened");
        let units = vec![
            (terms("Aldermoor bridge"), terms("It was opened in 1931 by the mayor.")),
            (terms("Quiet harbour"), terms("It was opened in 1931 by the mayor.")),
        ];
        let corpus = TermStats::from_units(&question, units.iter().map(|unit| unit.1.as_slice()));
        assert_eq!(rank_passages(&question, &corpus, &Weights::default(), &units)[0].0, 0);
    }
}

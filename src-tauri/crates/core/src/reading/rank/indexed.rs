//! The order of passages that a full-text index has found.

use std::collections::{HashMap, HashSet};

use super::{
    question::Question,
    related,
    score::{TermStats, features_of, weighted_sum},
    terms::{self, Term},
};

/// A passage that a full-text index has found.
#[derive(Debug, Clone, Copy)]
pub struct Indexed<'a> {
    /// The index's own score; larger is better.
    pub score: f64,
    /// What its signs count: less than 1 for a passage that stands behind others of the same worth.
    pub share: f64,
    /// What the passage stands under: the title of its document and its headings.
    pub titles: &'a [&'a str],
    pub body: &'a str,
    /// The words of the body, and those that stand above it.
    pub terms: &'a [Term],
    pub above: &'a [Term],
}

/// Signs that count for the order of passages, in the order of [`passage_features`].
pub const FEATURE_COUNT: usize = 6;
/// The place of the share of topics among them.
const COVERAGE: usize = 1;

/// How much each sign counts: a softmax regression on real questions. The test that fits it judges each fifth of the
/// questions by what the others teach (`documents/search/fitting.rs` of the engine).
pub const WEIGHTS: [f64; FEATURE_COUNT] = [6.1, 3.5, 2.8, 2.4, 0.8, 2.4];

/// What speaks for each of the passages that were found for a question:
///
/// 0. the index's own score, as a share of the best one;
/// 1. the share of the question's topics that it holds, by their rarity;
/// 2. the share of the question's neighbouring words, function words included, that are neighbours here, too;
/// 3. topics that it does not hold, but words that belong to them;
/// 4. how much it holds of the kind of answer that is wanted;
/// 5. the share of a title's words that the question has.
pub fn passage_features(question: &Question, corpus: &TermStats, found: &[Indexed<'_>]) -> Vec<[f64; FEATURE_COUNT]> {
    let best = found.iter().map(|passage| passage.score).fold(f64::MIN_POSITIVE, f64::max);
    let neighbours: Vec<HashSet<(&str, &str)>> = found.iter().map(neighbours).collect();
    let asked: Vec<(&str, &str)> = pairs(question.words.iter().map(String::as_str)).collect();
    // How rare a pair is can only be told from what was found.
    let counts = asked.iter().map(|pair| neighbours.iter().filter(|known| known.contains(pair)).count());
    let total = found.len() as f64;
    let weights: Vec<f64> = counts.map(|count| (1.0 + (total - count as f64 + 0.5) / (count as f64 + 0.5)).ln()).collect();
    let all_pairs = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    found
        .iter()
        .zip(&neighbours)
        .map(|(passage, known)| {
            let all = || passage.above.iter().chain(passage.terms);
            let coverage = features_of(question, corpus, all(), passage.above.len() + passage.terms.len()).coverage;
            let together: f64 = asked.iter().zip(&weights).filter(|(pair, _)| known.contains(*pair)).map(|(_, weight)| weight).sum();
            [
                passage.score / best,
                coverage,
                together / all_pairs,
                akin(question, corpus, all()),
                question.richness(passage.body, passage.terms),
                named(question, passage.titles),
            ]
        })
        .collect()
}

/// Puts what an index has found in order, best first: the places, each with the share of the topics that the passage
/// holds, by their rarity.
pub fn order_indexed(question: &Question, corpus: &TermStats, found: &[Indexed<'_>]) -> Vec<(usize, f64)> {
    let signs = passage_features(question, corpus, found);
    let score = |(signs, passage): (&[f64; FEATURE_COUNT], &Indexed<'_>)| passage.share * weighted_sum(signs, &WEIGHTS);
    let mut scored: Vec<(f64, usize)> = signs.iter().zip(found).map(score).zip(0..).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().map(|(_, place)| (place, signs[place][COVERAGE])).collect()
}

/// Words that stand beside each other, in the body or above it.
fn neighbours<'a>(passage: &Indexed<'a>) -> HashSet<(&'a str, &'a str)> {
    let stems = |terms: &'a [Term]| pairs(terms.iter().map(|term| term.stem.as_str()));
    stems(passage.above).chain(stems(passage.terms)).collect()
}

/// Each word with the one behind it.
fn pairs<'a>(words: impl Iterator<Item = &'a str> + Clone) -> impl Iterator<Item = (&'a str, &'a str)> {
    words.clone().zip(words.skip(1))
}

/// The share of topics, by their rarity, that a text does not hold but has words that belong to them.
fn akin<'a>(question: &Question, corpus: &TermStats, terms: impl IntoIterator<Item = &'a Term>) -> f64 {
    let mut stems: HashMap<&str, &[u8]> = HashMap::new();
    for term in terms {
        stems.entry(&term.stem).or_insert_with(|| related::groups(&term.stem));
    }
    let belongs = |topic: &String| {
        let wanted = related::groups(topic);
        !wanted.is_empty() && !stems.contains_key(topic.as_str()) && stems.values().any(|groups| related::share_one(wanted, groups))
    };
    let found: f64 = question.topics.iter().zip(&corpus.idf).filter(|(topic, _)| belongs(topic)).map(|(_, idf)| idf).sum();
    found / corpus.idf.iter().sum::<f64>().max(f64::MIN_POSITIVE)
}

/// The best share of a title's words that the question has.
fn named(question: &Question, titles: &[&str]) -> f64 {
    // "Mercury (planet)" is said without what tells it from others.
    titles.iter().map(|title| named_by(question, &terms::terms(title.split(" (").next().unwrap_or(title)))).fold(0.0, f64::max)
}

/// The share of these words that the question has.
pub(super) fn named_by(question: &Question, words: &[Term]) -> f64 {
    let known = words.iter().filter(|term| question.words.contains(&term.stem)).count();
    known as f64 / words.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(question: &str, passages: &[(f64, &str, &str)]) -> Vec<usize> {
        let question = Question::new(question);
        let units: Vec<_> = passages.iter().map(|(_, title, body)| (terms::terms(title), terms::terms(body))).collect();
        let corpus = TermStats::from_units(&question, units.iter().map(|unit| unit.1.as_slice()));
        let titles: Vec<[&str; 1]> = passages.iter().map(|(_, title, _)| [*title]).collect();
        let found: Vec<Indexed<'_>> = passages
            .iter()
            .zip(&units)
            .zip(&titles)
            .map(|(((score, _, body), (above, terms)), titles)| Indexed { score: *score, share: 1.0, titles, body, terms, above })
            .collect();
        order_indexed(&question, &corpus, &found).into_iter().map(|(place, _)| place).collect()
    }

    #[test]
    fn a_title_that_is_said_and_words_that_belong_together_count() {
        let found = order(
            "who is the actor that plays the harbour master",
            &[
                (1.0, "Works of the town", "A harbour has a master. The town has a harbour, too, and plays."),
                (0.9, "The Harbour Master", "Starring Ida Lindqvist in the title role, the series is set in Aldermoor."),
            ],
        );
        assert_eq!(found, [1, 0]);
    }

    #[test]
    fn names_made_of_function_words_are_names() {
        let found = order("who wrote you and me", &[(0.5, "Letters", "Who wrote it? Ida wrote it."), (0.5, "You and Me", "Ida wrote it.")]);
        assert_eq!(found, [1, 0]);
    }
}

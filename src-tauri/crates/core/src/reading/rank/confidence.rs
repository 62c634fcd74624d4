//! Whether the passages that were found answer the question at all.

use super::{
    Corpus, Question, Quote,
    score::signs,
    terms::{Term, terms},
};
use crate::reading::hits::Collection;

/// Below this it is more likely that nothing answers the question. Five-fold cross-validated on 263 real questions,
/// 15 % of those that are answered lie below it, and 80 % of those whose page was taken away.
const ANSWERED: f64 = -0.62;
/// Below this hardly any question is answered: 3 % of those that are.
const NOTHING: f64 = -2.0;

/// How likely it is that a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confidence {
    Answered,
    /// Passages are about it, but probably do not answer it.
    Doubtful,
    Nothing,
}

/// The best passage of a search and the best quotation, for a question about a collection.
#[derive(Debug, Clone, Copy)]
pub struct Best<'a> {
    /// Of the passage that the search put first, with what stands above it.
    pub passage: &'a str,
    /// Of the page that is quoted.
    pub title: &'a str,
    pub quoted: &'a str,
    pub quote: &'a Quote,
}

/// Judges by a logistic regression over what of the question the best passage and the best quotation hold, how well the
/// passage fits, and how far it is ahead of the next one. Fitted on real questions with and without the page that
/// answers them.
pub fn confidence(question: &Question, collection: &Collection, best: &Best<'_>) -> Confidence {
    let rarity = |topic: &String| collection.rarity.get(topic).map_or(0.0, |value| f64::from(*value) / 1000.0);
    let corpus = Corpus { idf: question.topics.iter().map(rarity).collect(), mean_words: 100.0 };
    let total: f64 = corpus.idf.iter().sum();
    if total <= 0.0 {
        return Confidence::Doubtful;
    }
    let passage = terms(best.passage);
    let own = terms(best.quoted);
    let with_title: Vec<Term> = own.iter().cloned().chain(terms(best.title)).collect();
    let missing = question.topics.iter().zip(&corpus.idf).filter(|(topic, _)| !passage.iter().any(|term| term.stem == **topic));
    let heaviest = missing.map(|(_, idf)| idf / total).fold(0.0, f64::max);
    let top = f64::from(collection.best) / 1000.0;
    let gap = top - f64::from(collection.second) / 1000.0;
    let value = -2.053 + 0.789 * signs(question, &corpus, &passage).coverage + 0.802 * signs(question, &corpus, &with_title).coverage
        - 0.301 * question.cue(best.quoted, &own)
        - 0.094 * top
        + 3.771 * gap
        - 3.032 * heaviest
        + 0.21 * question.topics.len() as f64 / 5.0
        + 0.397 * best.quote.score;
    match value {
        value if value < NOTHING => Confidence::Nothing,
        value if value < ANSWERED => Confidence::Doubtful,
        _ => Confidence::Answered,
    }
}

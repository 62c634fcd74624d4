//! Whether the passages that were found answer the question at all.

use super::{
    Question, Quote, TermStats,
    score::{signs, weighted_sum},
    terms::terms,
};
use crate::reading::hits::Collection;

/// Signs that count, in the order of [`confidence_features`].
pub const FEATURE_COUNT: usize = 6;
/// How much each of them counts: a logistic regression on real questions with and without the page that answers them.
/// The test that fits it judges each fifth of the questions by what the others teach (`documents/search/fitting.rs` of
/// the engine).
pub const WEIGHTS: [f64; FEATURE_COUNT] = [-3.43, -0.77, 3.73, 3.98, -3.05, 0.82];
/// Added to the sum of the weighted signs.
pub const OFFSET: f64 = -2.95;
/// Below this it is more likely that nothing answers the question: 13 % of those that are answered lie there.
pub const ANSWERED: f64 = -0.57;
/// Below this hardly any question is answered: 3 % of those that are lie there.
pub const NOTHING: f64 = -1.77;

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
    pub quoted: &'a str,
    pub quote: &'a Quote,
}

/// What speaks for an answer in what was found; none where nothing is known of the question's words.
///
/// 0. the share of the topics, by their rarity, that the best passage holds; how well it fits says the same and more,
///    so that this counts against it;
/// 1. whether the best quotation looks like the kind of answer that is wanted;
/// 2. how well the best passage fits;
/// 3. how far it is ahead of the next one;
/// 4. the share of the rarest topic that it does not hold;
/// 5. the score of the quotation.
pub fn confidence_features(question: &Question, collection: &Collection, best: &Best<'_>) -> Option<[f64; FEATURE_COUNT]> {
    let rarity = |topic: &String| collection.rarity.get(topic).map_or(0.0, |value| f64::from(*value) / 1000.0);
    let corpus = TermStats { idf: question.topics.iter().map(rarity).collect(), mean_words: 100.0 };
    let total: f64 = corpus.idf.iter().sum();
    if total <= 0.0 {
        return None;
    }
    let passage = terms(best.passage);
    let own = terms(best.quoted);
    let missing = question.topics.iter().zip(&corpus.idf).filter(|(topic, _)| !passage.iter().any(|term| term.stem == **topic));
    let heaviest = missing.map(|(_, idf)| idf / total).fold(0.0, f64::max);
    let top = f64::from(collection.best) / 1000.0;
    Some([
        signs(question, &corpus, &passage).coverage,
        question.cue(best.quoted, &own),
        top,
        top - f64::from(collection.second) / 1000.0,
        heaviest,
        best.quote.score,
    ])
}

/// Judges by what of the question the best passage and the best quotation hold, how well the passage fits, and how far it
/// is ahead of the next one.
pub fn confidence(question: &Question, collection: &Collection, best: &Best<'_>) -> Confidence {
    let Some(signs) = confidence_features(question, collection, best) else { return Confidence::Doubtful };
    let value = OFFSET + weighted_sum(&signs, &WEIGHTS);
    match value {
        value if value < NOTHING => Confidence::Nothing,
        value if value < ANSWERED => Confidence::Doubtful,
        _ => Confidence::Answered,
    }
}

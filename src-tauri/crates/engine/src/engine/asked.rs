//! Whether a question was asked before.

use nexi_core::{
    ids::ThreadId,
    protocol::AskedBefore,
    rank::{Corpus, Kind, Question, alike::alike, terms},
};

use super::{Engine, EngineError, blocking};

/// Questions that are compared.
const CANDIDATES: usize = 50;
/// Words of a question that are looked for.
const MAX_WORDS: usize = 16;
/// Topics that a question must have: one word is not yet a question.
const LEAST: usize = 2;
/// How much alike two questions must be to be similar, and how many words they must have in common. Chosen on thirty
/// pairs of questions and judged on others (`tests/e2e/asked.rs`).
const SIMILAR: f64 = 0.3;
const COMMON: f64 = 1.5;
/// How much alike they must be to be the same.
const SAME: f64 = 0.75;

impl Engine {
    /// The turn of the library whose question is most like this one, if it is like it: the newest where several are.
    /// Turns of `besides` are left out, and private threads are never looked at.
    ///
    /// # Errors
    /// When the library cannot be read, or a later search took the place of this one.
    pub async fn asked_before(&self, question: &str, besides: Option<&ThreadId>) -> Result<Option<AskedBefore>, EngineError> {
        let mut asked = Question::new(question);
        let mut words = terms::topic_words(question);
        words.truncate(MAX_WORDS);
        asked.topics.truncate(MAX_WORDS);
        if words.len() < LEAST {
            return Ok(None);
        }
        let (history, besides) = (self.inner.history.clone(), besides.cloned());
        blocking(move || {
            let found = history.asked_with(&words, CANDIDATES)?;
            let stems: Vec<String> = words.iter().map(|word| terms::stem(word)).collect();
            let rarity = Corpus::from_counts(found.total, &found.counts, 1.0).idf;
            let mean = rarity.iter().sum::<f64>() / rarity.len() as f64;
            let weigh = |topic: &str| stems.iter().position(|stem| stem == topic).map_or(mean, |place| rarity[place]);
            let mut best: Option<(f64, AskedBefore)> = None;
            for before in found.questions.into_iter().filter(|before| besides.as_ref() != Some(&before.thread)) {
                let other = Question::new(&before.question);
                let likeness = alike(&asked, &other, weigh);
                let is_better = best.as_ref().is_none_or(|(most, known)| {
                    likeness.share > *most || (likeness.share.total_cmp(most).is_eq() && before.asked_ms > known.asked_ms)
                });
                if likeness.share >= SIMILAR && likeness.common >= COMMON && is_better {
                    // "Who built it?" has the words of "When was it built?".
                    let wants_same = asked.kind == other.kind || [asked.kind, other.kind].contains(&Kind::What);
                    best = Some((likeness.share, AskedBefore { is_same: likeness.share >= SAME && wants_same, ..before }));
                }
            }
            Ok(best.map(|(_, before)| before))
        })
        .await?
    }
}

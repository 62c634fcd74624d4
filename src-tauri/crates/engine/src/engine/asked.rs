//! Whether a question was asked before.

use nexi_core::{
    ids::ThreadId,
    protocol::AskedBefore,
    rank::{Corpus, Question, alike::alike, terms},
};

use super::{Engine, EngineError, blocking};

/// Questions that are compared.
const CANDIDATES: u32 = 50;
/// Words of a question that are looked for.
const MAX_WORDS: usize = 16;
/// Topics that a question must have: one word is not yet a question.
const LEAST: usize = 2;
/// How much alike two questions must be to be similar, and how many words they must have in common. Chosen on thirty
/// pairs of questions and judged on others (`tests/e2e/asked.rs`).
const SIMILAR: f64 = 0.3;
const COMMON: f64 = 1.5;
/// How much alike they must be to be the same.
const SAME: f64 = 0.55;

impl Engine {
    /// The turn of the library whose question is most like this one, if it is like it: the newest where several are.
    /// Turns of `besides` are left out, and private threads are never looked at.
    ///
    /// # Errors
    /// When the library cannot be read, or a later search took the place of this one.
    pub async fn asked_before(&self, question: &str, besides: Option<&ThreadId>) -> Result<Option<AskedBefore>, EngineError> {
        let asked = Question::new(question);
        let mut words: Vec<String> = Vec::new();
        for word in terms::content_words(question) {
            if !words.iter().any(|known| terms::stem(known) == terms::stem(&word)) {
                words.push(word);
            }
        }
        words.truncate(MAX_WORDS);
        if words.len() < LEAST {
            return Ok(None);
        }
        let (history, besides) = (self.inner.history.clone(), besides.cloned());
        blocking(move || {
            let (found, total, counts) = history.asked_with(&words, CANDIDATES)?;
            let stems: Vec<String> = words.iter().map(|word| terms::stem(word)).collect();
            let rarity = Corpus::from_counts(total, &counts, 1.0).idf;
            let weigh = |topic: &str| stems.iter().position(|stem| stem == topic).map_or(1.0, |place| rarity[place]);
            let mut best: Option<(f64, AskedBefore)> = None;
            for before in found.into_iter().filter(|before| besides.as_ref() != Some(&before.thread)) {
                let likeness = alike(&asked, &Question::new(&before.question), weigh);
                let is_better = best.as_ref().is_none_or(|(most, known)| {
                    likeness.share > *most || (likeness.share.total_cmp(most).is_eq() && before.asked_ms > known.asked_ms)
                });
                if likeness.share >= SIMILAR && likeness.common >= COMMON && is_better {
                    best = Some((likeness.share, before));
                }
            }
            Ok(best.map(|(share, before)| AskedBefore { is_same: share >= SAME, ..before }))
        })
        .await?
    }
}

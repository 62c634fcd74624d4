//! Whether a question was asked before.

mod meaning;

use std::collections::BTreeSet;

use nexi_core::{
    ids::ThreadId,
    protocol::{AskedBefore, TypedHints},
    rank::{
        Kind, Question, TermStats,
        alike::{alike, changes_topic},
        terms,
    },
};

use super::{Engine, EngineError, blocking};
use meaning::Near;
pub(super) use meaning::QuestionMeaning;

/// Questions that are compared.
const CANDIDATES: usize = 50;
/// Words of a question that are looked for.
const MAX_WORDS: usize = 16;
/// Topics that a question must have: one word is not yet a question.
const LEAST: usize = 2;
/// How much alike two questions must be to be similar. Chosen on thirty pairs of questions and judged on others
/// (`tests/e2e/asked.rs`).
const SIMILAR: f64 = 0.2;
/// Kinds of answers that exclude each other.
const DEFINITE: &[Kind] = &[Kind::When, Kind::Who, Kind::Where, Kind::Quantity, Kind::Why];
/// The last turns of a thread that a question is compared with.
const LAST_TURNS: usize = 6;

impl Engine {
    /// What is worth telling while a question is typed into `thread`, or into a new one.
    ///
    /// # Errors
    /// As [`asked_before`](Self::asked_before).
    pub async fn typed_hints(&self, question: &str, thread: Option<&ThreadId>) -> Result<TypedHints, EngineError> {
        let before = self.asked_before(question, thread).await?;
        let new_topic = match thread.filter(|_| before.is_none()) {
            Some(thread) => self.leaves_topic(question, thread).await?,
            None => false,
        };
        Ok(TypedHints { before, new_topic })
    }

    /// Whether a question is about something else than a thread.
    async fn leaves_topic(&self, question: &str, thread: &ThreadId) -> Result<bool, EngineError> {
        let (history, thread, question) = (self.history_of(thread)?, thread.clone(), question.to_owned());
        blocking(move || {
            let said = history.last_said(&thread, LAST_TURNS)?;
            Ok(changes_topic(&question, said.iter().map(String::as_str)))
        })
        .await?
    }

    /// The turn of the library whose question is most like this one, if it is like it, by its words and, where a model of
    /// this computer compares documents, by its meaning: the newest where several are. Turns of `besides` are left out,
    /// and private threads are never looked at.
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
        let kind = asked.kind;
        let by_words = self.asked_in_words(question, asked, words, besides).await?;
        // The same words mean the same; otherwise meaning knows more than words do.
        if by_words.as_ref().is_some_and(|before| before.is_same) {
            return Ok(by_words);
        }
        let Some(Near { found, all_compared }) = self.near_questions(question, besides).await else { return Ok(by_words) };
        let near = found.into_iter().find(|before| !want_other(kind, Question::new(&before.question).kind));
        // Models of meaning take one year for the other.
        let near = near.map(|before| AskedBefore { is_same: before.is_same && numbers(&before.question) == numbers(question), ..before });
        Ok(match (near, by_words) {
            // What has no vector yet may be nearer than what has one.
            (near, Some(before)) if !all_compared => near.filter(|near| near.is_same).or(Some(before)),
            (near, _) => near,
        })
    }

    async fn asked_in_words(
        &self,
        question: &str,
        asked: Question,
        words: Vec<String>,
        besides: Option<&ThreadId>,
    ) -> Result<Option<AskedBefore>, EngineError> {
        let (history, besides, question) = (self.inner.history.clone(), besides.cloned(), question.to_owned());
        blocking(move || {
            let found = history.asked_with(&words, CANDIDATES)?;
            let stems: Vec<String> = words.iter().map(|word| terms::stem(word)).collect();
            let rarity = TermStats::from_counts(found.total, &found.counts, 1.0).idf;
            let mean = rarity.iter().sum::<f64>() / rarity.len() as f64;
            let weigh = |topic: &str| stems.iter().position(|stem| stem == topic).map_or(mean, |place| rarity[place]);
            let mut best: Option<(f64, AskedBefore)> = None;
            for before in found.questions.into_iter().filter(|before| besides.as_ref() != Some(&before.thread)) {
                let other = Question::new(&before.question);
                let likeness = alike(&asked, &other, weigh);
                let is_better = best.as_ref().is_none_or(|(most, known)| {
                    likeness.share > *most || (likeness.share.total_cmp(most).is_eq() && before.asked_ms > known.asked_ms)
                });
                // "Who built it?" has the words of "When was it built?".
                if likeness.share >= SIMILAR && likeness.specific > 0 && is_better && !want_other(asked.kind, other.kind) {
                    let is_same =
                        asked.kind == other.kind && have_same_topics(&asked, &other) && numbers(&before.question) == numbers(&question);
                    best = Some((likeness.share, AskedBefore { is_same, ..before }));
                }
            }
            Ok(best.map(|(_, before)| before))
        })
        .await?
    }
}

/// Whether two questions are about the same, word for word but for their endings.
fn have_same_topics(one: &Question, other: &Question) -> bool {
    one.topics.iter().all(|topic| other.topics.contains(topic)) && other.topics.iter().all(|topic| one.topics.contains(topic))
}

/// Whether two questions ask for things that exclude each other: a time and a person, say.
fn want_other(one: Kind, other: Kind) -> bool {
    one != other && DEFINITE.contains(&one) && DEFINITE.contains(&other)
}

/// The numbers that a question names.
fn numbers(question: &str) -> BTreeSet<&str> {
    let parts = question.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    parts.map(|part| part.trim_matches(['.', ','])).filter(|part| !part.is_empty()).collect()
}

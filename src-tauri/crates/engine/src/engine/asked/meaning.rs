//! Questions that mean the same, by an embedding model of this computer.
//!
//! How near two questions lie that ask the same differs from model to model. Each is measured on pairs of questions that
//! are known to ask the same: what is typed has to lie nearly as near as those do.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nexi_core::{
    ids::ThreadId,
    ports::{EmbedPurpose, Embedder, Failure, OwnCause},
    protocol::AskedBefore,
    settings::EmbeddingModel,
};
use nexi_store::lock;
use tokio::sync::Mutex as AsyncMutex;
use tokio_util::sync::CancellationToken;

use super::super::{Engine, blocking};
use crate::{EngineError, power, wiring};

/// How long what is typed waits for a model; words alone find most of it, too.
const VECTOR_WAIT: Duration = Duration::from_millis(800);
/// How long the library is taken to be complete before it is checked again for questions without vectors.
const FRESH: Duration = Duration::from_secs(30);
/// How long a model rests that failed.
const AFTER_FAILURE: Duration = Duration::from_secs(300);
/// Questions that get a vector with one request.
const BATCH: usize = 32;
/// Questions that are looked at.
const CANDIDATES: usize = 20;
/// Where the line lies between questions that have nothing in common (0) and those that ask the same (1). Chosen on thirty
/// pairs of questions and judged on others (`tests/e2e/asked.rs`).
const SIMILAR: f32 = 0.75;
const SAME: f32 = 1.0;

/// Pairs of questions that ask the same; any two of different pairs have nothing in common.
const PAIRS: &[[&str; 2]] = &[
    ["How do I get a coffee stain out of a carpet?", "removing spilled coffee from a rug"],
    ["Is it cheaper to lease or to buy a car?", "should I buy my next car or lease it"],
    ["Why does bread need to rest before baking?", "what is the point of letting dough rise"],
    ["How does a heat pump heat a house in winter?", "how can a heat pump work when it is freezing outside"],
    ["When do swallows leave for the south?", "what month do swallows migrate"],
    ["Can I keep a lemon tree indoors?", "growing a lemon tree inside the flat"],
    ["Who invented the zip fastener?", "inventor of the zipper"],
    ["How many hours should a newborn sleep?", "normal sleep per day for a baby"],
    ["What does a borrow checker do?", "explain the borrow checker"],
    ["Which countries need no visa for Japan?", "visa free entry to Japan, which nationalities"],
    ["How do I back up my phone before a reset?", "saving everything from my mobile before resetting it"],
    ["What is a good first telescope?", "telescope recommendations for a beginner"],
    ["Wie bekomme ich einen neuen Reisepass?", "Pass abgelaufen, wo beantragen"],
    ["Warum schnurren Katzen?", "Grund für das Schnurren einer Katze"],
    ["Comment réparer un robinet qui fuit ?", "mon robinet goutte, que faire"],
    ["¿Cuándo se plantan los tomates?", "mejor época para sembrar tomates"],
];

/// What is known between two looks.
#[derive(Default)]
pub(in crate::engine) struct QuestionMeaning {
    /// The model that was measured last.
    scale: Mutex<Option<(String, Scale)>>,
    /// The model by which all questions had a vector, and when.
    complete: Mutex<Option<(String, Instant)>>,
    /// When making them failed last.
    failed: Mutex<Option<Instant>>,
    /// Vectors of questions are made one time after the other.
    building: AsyncMutex<()>,
}

/// What meaning says of a question.
pub(super) struct Near {
    /// The questions that ask nearly this, the nearest first, and whether they ask the same.
    pub(super) found: Vec<AskedBefore>,
    /// Whether every question of the library has a vector.
    pub(super) all_compared: bool,
}

/// How near questions lie, as a model sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    /// Those that have nothing in common.
    apart: f32,
    /// Those that ask the same.
    same: f32,
}

impl Scale {
    /// Of vectors of the pairs, one after the other; none of a model that does not tell them apart.
    fn of(vectors: &[Vec<f32>]) -> Option<Self> {
        let (mut same, mut apart) = ((0.0, 0), (0.0, 0));
        for (left, a) in vectors.iter().enumerate().step_by(2) {
            for (right, b) in vectors.iter().enumerate().skip(1).step_by(2) {
                let sum = if left + 1 == right { &mut same } else { &mut apart };
                *sum = (sum.0 + cosine(a, b), sum.1 + 1);
            }
        }
        let mean = |(sum, count): (f32, usize)| sum / count.max(1) as f32;
        let scale = Self { apart: mean(apart), same: mean(same) };
        (scale.same > scale.apart).then_some(scale)
    }

    /// The cosine at this place between both.
    fn at(self, place: f32) -> f32 {
        self.apart + place * (self.same - self.apart)
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let sum = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    sum(a, b) / (sum(a, a) * sum(b, b)).sqrt().max(f32::MIN_POSITIVE)
}

impl Engine {
    /// What meaning says of what is typed; none where it cannot tell: the model is not ready, documents are found by words
    /// alone, or by a service, since what somebody types goes nowhere.
    pub(super) async fn near_questions(&self, question: &str, besides: Option<&ThreadId>) -> Option<Near> {
        let model = self.question_model()?;
        let begun = CancellationToken::new();
        // Once nobody is waiting for the result, the work stops.
        let _end = begun.clone().drop_guard();
        let found = tokio::time::timeout(VECTOR_WAIT, async {
            let embedder = self.local_embedder(model).await?;
            self.make_question_vectors_in_background(&embedder);
            self.nearest(&embedder, question, besides, &begun).await
        })
        .await;
        match found {
            Ok(Ok(near)) => near,
            Ok(Err(error)) => {
                if !error.is_superseded() {
                    tracing::debug!(%error, "questions are compared by words alone");
                }
                None
            }
            Err(_) => None,
        }
    }

    async fn nearest(
        &self,
        embedder: &Arc<dyn Embedder>,
        question: &str,
        besides: Option<&ThreadId>,
        cancel: &CancellationToken,
    ) -> Result<Option<Near>, EngineError> {
        let work = &self.inner.question_meaning;
        // It is measured behind everything else.
        let Some(scale) = held(&work.scale).as_ref().filter(|(model, _)| model == embedder.id()).map(|(_, scale)| *scale) else {
            return Ok(None);
        };
        let Some(vector) = embed(embedder, &[question.to_owned()], cancel).await?.pop() else { return Ok(None) };
        let (history, besides, model) = (self.inner.history.clone(), besides.cloned(), embedder.id().to_owned());
        let near = blocking(move || history.nearest_questions(&model, &vector, scale.at(SIMILAR), besides.as_ref(), CANDIDATES)).await??;
        let found = near.into_iter().map(|(before, cosine)| AskedBefore { is_same: cosine >= scale.at(SAME), ..before });
        let all_compared = held(&work.complete).as_ref().is_some_and(|(model, _)| model == embedder.id());
        Ok(Some(Near { found: found.collect(), all_compared }))
    }

    /// Whether the settings still name the model of this id, which may say which files it was read from.
    fn compares_with(&self, id: &str) -> bool {
        let named = self.settings().embeddings.model;
        named.and_then(|named| id.strip_prefix(named.as_str())).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
    }

    /// The model of this computer that compares questions, by the settings as they are now.
    fn question_model(&self) -> Option<EmbeddingModel> {
        self.settings().embedding_model().filter(|model| model.is_local() && self.is_usable(model))
    }

    async fn local_embedder(&self, model: EmbeddingModel) -> Result<Arc<dyn Embedder>, EngineError> {
        let (settings, shared_state) = (self.settings(), self.inner.shared_state.clone());
        blocking(move || wiring::local_embedder(&settings, &shared_state, model)).await?
    }

    /// Measures the model and makes the vectors that are missing, behind everything else, unless that was done a moment
    /// ago or failed.
    fn make_question_vectors_in_background(&self, embedder: &Arc<dyn Embedder>) {
        let work = &self.inner.question_meaning;
        let is_measured = held(&work.scale).as_ref().is_some_and(|(model, _)| model == embedder.id());
        let is_complete = held(&work.complete).as_ref().is_some_and(|(model, at)| model == embedder.id() && at.elapsed() < FRESH);
        let rests = held(&work.failed).is_some_and(|at| at.elapsed() < AFTER_FAILURE);
        if (is_measured && is_complete) || rests || work.building.try_lock().is_err() {
            return;
        }
        let (engine, embedder) = (self.clone(), embedder.clone());
        tokio::spawn(async move {
            let never = CancellationToken::new();
            let made = match engine.measure(&embedder, &never).await {
                Ok(()) => engine.make_question_vectors(&embedder, &never).await,
                Err(error) => Err(error),
            };
            let failed = made.is_err().then(Instant::now);
            if let Err(error) = made {
                tracing::warn!(%error, "questions are compared by words alone");
            }
            *held(&engine.inner.question_meaning.failed) = failed;
        });
    }

    /// Makes the vectors of questions that are missing, and waits for it. Nothing is done where no model of this computer is
    /// set; where it fails, questions are compared by words.
    pub(in crate::engine) async fn build_question_vectors(&self, cancel: &CancellationToken) {
        let Some(model) = self.question_model() else { return };
        let made = match self.local_embedder(model).await {
            Ok(embedder) => self.make_question_vectors(&embedder, cancel).await,
            Err(error) => Err(error),
        };
        if let Err(error) = made {
            tracing::warn!(%error, "questions are compared by words alone");
        }
    }

    /// Measures how near questions lie that ask the same, once for each model.
    async fn measure(&self, embedder: &Arc<dyn Embedder>, cancel: &CancellationToken) -> Result<(), EngineError> {
        let scale = &self.inner.question_meaning.scale;
        if held(scale).as_ref().is_some_and(|(model, _)| model == embedder.id()) {
            return Ok(());
        }
        let texts: Vec<String> = PAIRS.iter().flatten().map(|text| (*text).to_owned()).collect();
        let measured = Scale::of(&embed(embedder, &texts, cancel).await?);
        *held(scale) = measured.map(|measured| (embedder.id().to_owned(), measured));
        Ok(())
    }

    async fn make_question_vectors(&self, embedder: &Arc<dyn Embedder>, cancel: &CancellationToken) -> Result<(), EngineError> {
        let work = &self.inner.question_meaning;
        let _turn = work.building.lock().await;
        let path = self.inner.paths.data.join("questions.lock");
        // Another process makes them.
        let Some(_held) = blocking(move || lock::try_exclusive(&path)).await? else { return Ok(()) };
        // Other settings end it, and on battery the next look goes on.
        let on_battery = self.settings().embeddings.on_battery;
        let goes_on = || self.compares_with(embedder.id()) && (on_battery || !power::on_battery());
        while !cancel.is_cancelled() && goes_on() {
            let (history, model) = (self.inner.history.clone(), embedder.id().to_owned());
            let pending = blocking(move || history.pending_questions(&model, BATCH)).await??;
            if pending.is_empty() {
                *held(&work.complete) = Some((embedder.id().to_owned(), Instant::now()));
                return Ok(());
            }
            let (rows, texts): (Vec<i64>, Vec<String>) = pending.into_iter().map(|pending| (pending.row, pending.question)).unzip();
            let vectors = embed(embedder, &texts, cancel).await?;
            let (history, model) = (self.inner.history.clone(), embedder.id().to_owned());
            let made: Vec<(i64, Vec<f32>)> = rows.into_iter().zip(vectors).collect();
            blocking(move || history.keep_question_vectors(&model, &made)).await??;
        }
        Ok(())
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn embed(embedder: &Arc<dyn Embedder>, texts: &[String], cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, EngineError> {
    // Both sides are questions.
    let vectors = embedder.embed(texts, EmbedPurpose::Query, cancel).await?;
    if vectors.len() != texts.len() {
        return Err(Failure::because(OwnCause::VectorCount {
            service: embedder.id().to_owned(),
            vectors: vectors.len(),
            texts: texts.len(),
        })
        .into());
    }
    Ok(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_measured_on_pairs_that_ask_the_same() {
        let pairs = [vec![1.0, 0.0], vec![0.9, 0.1], vec![0.0, 1.0], vec![0.1, 0.9]];
        let scale = Scale::of(&pairs).unwrap();
        assert!(scale.same > 0.99 && scale.apart < 0.2 && scale.at(0.5) > scale.apart && scale.at(0.5) < scale.same, "{scale:?}");
        // One to which everything is the same tells nothing.
        assert_eq!(Scale::of(&[vec![1.0], vec![1.0], vec![1.0], vec![1.0]]), None);
    }
}

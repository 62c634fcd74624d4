//! Questions that mean the same, by an embedding model of this computer.
//!
//! How near two questions lie that ask the same differs from model to model. Each is measured on pairs of questions that
//! are known to ask the same: what is typed has to lie nearly as near as those do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nexi_core::{
    ids::ThreadId,
    ports::{EmbedPurpose, Embedder, Failure},
    protocol::AskedBefore,
};
use nexi_store::StoreError;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::super::{Engine, blocking};
use crate::{EngineError, power, wiring};

/// How long what is typed waits for a model; words alone find most of it, too.
const PATIENCE: Duration = Duration::from_secs(2);
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

/// What is kept of a model between two looks.
#[derive(Default)]
pub(in crate::engine) struct QuestionMeaning {
    /// The model that was measured last.
    scale: Mutex<Option<(String, Scale)>>,
    /// Whether vectors of questions are being made.
    building: AtomicBool,
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
    /// The questions of the library that ask nearly what is typed, the nearest first, and whether they ask the same. None
    /// where meaning cannot tell: some questions have no vector yet, documents are found by words alone, or by a service,
    /// since what somebody types goes nowhere.
    pub(super) async fn near_questions(&self, question: &str, besides: Option<&ThreadId>) -> Option<Vec<AskedBefore>> {
        let settings = self.settings();
        let model = settings.embedding_model().filter(|model| model.is_local() && self.is_usable(model))?;
        let engine = self.clone();
        let found = tokio::time::timeout(PATIENCE, async {
            let lasting = engine.inner.lasting.clone();
            let embedder = blocking(move || wiring::local_embedder(&settings, &lasting, model)).await??;
            self.make_question_vectors_behind(&embedder);
            self.nearest(&embedder, question, besides).await
        })
        .await;
        match found {
            Ok(Ok(found)) => found,
            Ok(Err(error)) if error.is_superseded() => None,
            Ok(Err(error)) => {
                tracing::warn!(%error, "questions are compared by words alone");
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
    ) -> Result<Option<Vec<AskedBefore>>, EngineError> {
        let Some(scale) = self.scale(embedder).await? else { return Ok(None) };
        let Some(vector) = embed(embedder, &[question.to_owned()]).await?.pop() else { return Ok(None) };
        let (history, besides, model) = (self.inner.history.clone(), besides.cloned(), embedder.id().to_owned());
        let (near, all_compared) = blocking(move || {
            let near = history.nearest_questions(&model, &vector, scale.at(SIMILAR), besides.as_ref(), CANDIDATES)?;
            let all_compared = !near.is_empty() || history.pending_questions(&model, 1)?.is_empty();
            Ok::<_, StoreError>((near, all_compared))
        })
        .await??;
        let found = near.into_iter().map(|(before, cosine)| AskedBefore { is_same: cosine >= scale.at(SAME), ..before });
        Ok(all_compared.then(|| found.collect()))
    }

    /// How near questions lie, as this model sees it; measured once.
    async fn scale(&self, embedder: &Arc<dyn Embedder>) -> Result<Option<Scale>, EngineError> {
        let mut kept = self.inner.question_meaning.scale.lock().await;
        if let Some((_, scale)) = kept.as_ref().filter(|(model, _)| model == embedder.id()) {
            return Ok(Some(*scale));
        }
        let texts: Vec<String> = PAIRS.iter().flatten().map(|text| (*text).to_owned()).collect();
        let scale = Scale::of(&embed(embedder, &texts).await?);
        if let Some(scale) = scale {
            *kept = Some((embedder.id().to_owned(), scale));
        }
        Ok(scale)
    }

    /// Makes the vectors that are missing, behind everything else.
    fn make_question_vectors_behind(&self, embedder: &Arc<dyn Embedder>) {
        if self.inner.question_meaning.building.swap(true, Ordering::AcqRel) {
            return;
        }
        let (engine, embedder) = (self.clone(), embedder.clone());
        tokio::spawn(async move {
            let made = engine.make_question_vectors(&embedder).await;
            engine.inner.question_meaning.building.store(false, Ordering::Release);
            if let Err(error) = made {
                tracing::warn!(%error, "questions could not be given vectors");
            }
        });
    }

    async fn make_question_vectors(&self, embedder: &Arc<dyn Embedder>) -> Result<(), EngineError> {
        let on_battery = self.settings().embeddings.on_battery;
        // On battery the next look goes on.
        while on_battery || !power::on_battery() {
            let (history, model) = (self.inner.history.clone(), embedder.id().to_owned());
            let pending = blocking(move || history.pending_questions(&model, BATCH)).await??;
            if pending.is_empty() {
                return Ok(());
            }
            let (rows, texts): (Vec<i64>, Vec<String>) = pending.into_iter().map(|pending| (pending.row, pending.question)).unzip();
            let vectors = embed(embedder, &texts).await?;
            let (history, model) = (self.inner.history.clone(), embedder.id().to_owned());
            let made: Vec<(i64, Vec<f32>)> = rows.into_iter().zip(vectors).collect();
            blocking(move || history.keep_question_vectors(&model, &made)).await??;
        }
        Ok(())
    }

    /// Makes the vectors of questions that are missing, and waits for it. Nothing is done where no model of this computer is
    /// set.
    pub(in crate::engine) async fn build_question_vectors(&self) -> Result<(), EngineError> {
        let settings = self.settings();
        let Some(model) = settings.embedding_model().filter(|model| model.is_local() && self.is_usable(model)) else { return Ok(()) };
        let lasting = self.inner.lasting.clone();
        let embedder = blocking(move || wiring::local_embedder(&settings, &lasting, model)).await??;
        self.make_question_vectors(&embedder).await
    }
}

async fn embed(embedder: &Arc<dyn Embedder>, texts: &[String]) -> Result<Vec<Vec<f32>>, EngineError> {
    // Both sides are questions.
    let vectors = embedder.embed(texts, EmbedPurpose::Query, &CancellationToken::new()).await?;
    if vectors.len() != texts.len() {
        return Err(Failure::new(format!("{} sent {} vectors for {} texts", embedder.id(), vectors.len(), texts.len())).into());
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

//! A second opinion: another model answers from the sources of an answer.

use nexi_core::{
    ids::TurnId,
    protocol::{SecondOpinion, TurnState},
    run::{KnownSource, opinion},
};
use nexi_messages::say;
use tokio_util::sync::CancellationToken;

use super::{Engine, blocking};
use crate::{EngineError, log};

/// What a second opinion may cost; none takes the settings'.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpinionLimits {
    /// In US dollars.
    pub max_cost: Option<f64>,
    /// No cost limit counts, whatever the settings say.
    pub any_cost: bool,
    /// Ask even if the monthly cost limit is reached.
    pub over_month: bool,
}

impl Engine {
    /// Asks this model the question of a turn, with the sources that the turn's answer rests on, and lays the two
    /// answers side by side. What comes of it is kept with the turn. Dropping the future stops it.
    ///
    /// # Errors
    /// When there is no such model or turn, the answer has no sources, the model fails, or its price is not known
    /// where the cost is limited.
    pub async fn second_opinion(&self, turn: &TurnId, model: &str, allowed: OpinionLimits) -> Result<SecondOpinion, EngineError> {
        self.refresh_settings();
        self.check_mistakes()?;
        let history = self.history_with(turn)?;
        self.refuse_opened_share(&history)?;
        let work = self.ask_second(turn, model, allowed);
        if self.is_private(&history) { log::silenced(work).await } else { work.await }
    }

    async fn ask_second(&self, turn: &TurnId, model: &str, allowed: OpinionLimits) -> Result<SecondOpinion, EngineError> {
        let wrong = |message: String| EngineError::invalid("second", message);
        let mut settings = self.settings();
        if !settings.provider(model).is_some_and(|provider| provider.kind.answers()) {
            return Err(wrong(say!("arguments-model.none", name = model)));
        }
        settings.llm_backends = vec![model.to_owned()];
        settings.side_model = None;
        let history = self.history_with(turn)?;
        let (id, reading) = (turn.clone(), history.clone());
        let (asked, stored) = blocking(move || {
            let asked = reading.turn(&id)?;
            let stored = reading.sources(&asked.thread)?;
            Ok::<_, EngineError>((asked, stored))
        })
        .await??;
        if asked.ending.state == TurnState::Running {
            return Err(EngineError::Busy);
        }
        let known: Vec<KnownSource> = stored
            .into_iter()
            .filter(|stored| asked.ending.sources.iter().any(|source| source.number == stored.number))
            .map(|stored| KnownSource { number: stored.number, page: stored.page, quotes: Vec::new() })
            .collect();
        if known.is_empty() || asked.ending.answer.trim().is_empty() {
            return Err(wrong(say!("arguments-beside.no_sources")));
        }
        let beside = self.beside(&settings, allowed).await?;
        let (limits, counter) = (&beside.limits, beside.parts.counter.as_ref());
        let request = opinion::request(&asked.question, &asked.ending, &known, &settings.prompts, limits, beside.told.price, counter);
        let request = request.ok_or_else(|| wrong(say!("arguments-beside.no_room")))?;
        let model = &beside.parts.model;
        let reply = model.reply(&request, &|_| {}, &CancellationToken::new()).await?;
        if reply.text.trim().is_empty() {
            return Err(wrong(say!("arguments-beside.no_answer", model = model.label())));
        }
        let (usage, label, id, keeping) = (beside.priced(&reply), model.label(), turn.clone(), history.clone());
        let opinion = blocking(move || {
            let opinion = opinion::compare(&asked.ending, &reply.text, known, label, usage);
            keeping.keep_opinion(&id, &opinion)?;
            Ok::<_, EngineError>(opinion)
        })
        .await??;
        beside.count(&history, turn, opinion.model.clone(), opinion.usage).await?;
        Ok(opinion)
    }
}

//! Several models in order: the next is asked when one fails; what the first had said is void then.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use nexi_core::model::{Delta, DeltaSink, Instead, Model, ModelError, ModelInfo, ModelRequest, Reply};
use nexi_core::protocol::{Incident, IncidentAction};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How long a model that failed is left alone, where the next one can answer: its service may come back.
const REST: Duration = Duration::from_secs(300);

/// Why a model is left alone, and until when; for good where there is no time.
type Cooldown = (ModelError, Option<Instant>);

/// An ordered chain of models; never empty.
pub struct ModelChain {
    first: Arc<dyn Model>,
    rest: Vec<Arc<dyn Model>>,
    /// For every model, where it is left alone.
    cooldown: Mutex<Vec<Option<Cooldown>>>,
}

impl ModelChain {
    /// A chain that begins with `first`.
    pub fn new(first: Arc<dyn Model>, rest: Vec<Arc<dyn Model>>) -> Self {
        let cooldown = Mutex::new(vec![None; rest.len() + 1]);
        Self { first, rest, cooldown }
    }

    fn all(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    /// Why a model is left alone now; none where it can be asked.
    fn cooldown(&self, place: usize) -> Option<ModelError> {
        let mut cooldown = self.cooldown.lock().unwrap_or_else(PoisonError::into_inner);
        let over = |(_, until): &mut Cooldown| until.is_some_and(|until| until <= Instant::now());
        let _ = cooldown[place].take_if(over);
        cooldown[place].as_ref().map(|(error, _)| error.clone())
    }

    /// A refused key is not tried again in this run; a service that is down, not for a while.
    fn start_cooldown(&self, place: usize, error: &ModelError) {
        let until = error.is_passing().then(|| Instant::now() + error.retry_after().unwrap_or(REST).max(REST));
        self.cooldown.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some((error.clone(), until));
    }
}

#[async_trait]
impl Model for ModelChain {
    fn label(&self) -> String {
        self.first.label()
    }

    /// Of all of them: a conversation must fit whichever model takes it over, and be paid for.
    async fn told(&self, cancel: &CancellationToken) -> ModelInfo {
        futures::future::join_all(self.all().map(|model| model.told(cancel))).await.into_iter().fold(ModelInfo::default(), ModelInfo::and)
    }

    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        let mut failures: Vec<ModelError> = Vec::new();
        let count = self.rest.len() + 1;
        for (place, model) in self.all().enumerate() {
            let is_last = place + 1 == count;
            if !is_last && let Some(error) = self.cooldown(place) {
                failures.push(error);
                continue;
            }
            let said_something = AtomicBool::new(false);
            let watched = |delta: Delta| {
                if !matches!(delta, Delta::Waiting(_)) {
                    said_something.store(!matches!(delta, Delta::Restart), Ordering::Relaxed);
                }
                deltas(delta);
            };
            match model.reply(request, &watched, cancel).await {
                Ok(mut reply) => {
                    if let Some(error) = failures.into_iter().next() {
                        let builtin = model.label() == crate::builtin::LABEL;
                        reply.instead =
                            Some(Instead { model: model.label(), why: error.to_string(), error: Some(Box::new(error)), builtin });
                    }
                    return Ok(reply);
                }
                Err(ModelError::Cancelled) => return Err(ModelError::Cancelled),
                Err(error) => {
                    tracing::warn!(model = model.label(), %error, "model failed");
                    // Making room helps this model; another one would have to be told all again.
                    if matches!(error, ModelError::ContextFull { .. }) && failures.is_empty() {
                        return Err(error);
                    }
                    if !is_last {
                        self.start_cooldown(place, &error);
                    }
                    // What became of the first one is told with who takes over, or as what ended the run.
                    if !failures.is_empty() {
                        deltas(Delta::Waiting(Incident::of_model(&error, IncidentAction::None)));
                    }
                    // What the last one said is all there will be.
                    if said_something.load(Ordering::Relaxed) && !is_last {
                        deltas(Delta::Restart);
                    }
                    failures.push(error);
                }
            }
        }
        // The first model is the one the person chose; its failure is the one to mend.
        Err(failures.swap_remove(0))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use nexi_core::model::FinishReason;

    use super::*;

    struct Fixed(&'static str, Result<&'static str, ModelError>);

    #[async_trait]
    impl Model for Fixed {
        fn label(&self) -> String {
            self.0.into()
        }

        async fn reply(&self, _: &ModelRequest, deltas: DeltaSink<'_>, _: &CancellationToken) -> Result<Reply, ModelError> {
            deltas(Delta::Text(format!("{} says", self.0)));
            let text = self.1.clone()?;
            Ok(Reply { text: text.into(), calls: Vec::new(), finish: FinishReason::Stop, usage: None, ..Reply::default() })
        }
    }

    #[tokio::test]
    async fn the_next_model_answers_and_nothing_is_said_twice() {
        let error = ModelError::Broken { provider: "a".into() };
        let chain = ModelChain::new(Arc::new(Fixed("a", Err(error.clone()))), vec![Arc::new(Fixed("b", Ok("hi")))]);
        let seen = Mutex::new(Vec::new());
        let request = ModelRequest::for_text(Vec::new(), 100);
        let sink = |delta| seen.lock().unwrap().push(delta);
        let reply = chain.reply(&request, &sink, &CancellationToken::new()).await.unwrap();
        assert_eq!(reply.text, "hi");
        assert_eq!(*seen.lock().unwrap(), [Delta::Text("a says".into()), Delta::Restart, Delta::Text("b says".into())]);
        seen.lock().unwrap().clear();
        chain.reply(&request, &sink, &CancellationToken::new()).await.unwrap();
        assert_eq!(*seen.lock().unwrap(), [Delta::Text("b says".into())], "what has just failed is left alone");
        let chain = ModelChain::new(Arc::new(Fixed("a", Err(error.clone()))), Vec::new());
        assert_eq!(chain.reply(&request, &|_| {}, &CancellationToken::new()).await, Err(error));
    }
}

//! Several models in order: the next is asked when one fails; what the first had said is void then.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use nexi_core::model::{Delta, DeltaSink, Instead, Model, ModelError, ModelRequest, Reply, Told};
use tokio_util::sync::CancellationToken;

/// An ordered chain of models; never empty.
pub struct ModelChain {
    first: Arc<dyn Model>,
    rest: Vec<Arc<dyn Model>>,
    /// Models in front of this place failed for good: a refused key is not tried again in this run.
    from: AtomicUsize,
    /// Why the first of those failed.
    failed: Mutex<Option<ModelError>>,
}

impl ModelChain {
    /// A chain that begins with `first`.
    pub fn new(first: Arc<dyn Model>, rest: Vec<Arc<dyn Model>>) -> Self {
        Self { first, rest, from: AtomicUsize::new(0), failed: Mutex::new(None) }
    }

    fn first_failure(&self) -> Option<ModelError> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Model for ModelChain {
    fn label(&self) -> String {
        self.first.label()
    }

    /// Of all of them: a conversation must fit whichever model takes it over, and be paid for.
    async fn told(&self, cancel: &CancellationToken) -> Told {
        let all = std::iter::once(&self.first).chain(&self.rest).map(|model| model.told(cancel));
        futures::future::join_all(all).await.into_iter().fold(Told::default(), Told::and)
    }

    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        let mut failures: Vec<ModelError> = Vec::new();
        let all: Vec<&Arc<dyn Model>> = std::iter::once(&self.first).chain(&self.rest).collect();
        let from = self.from.load(Ordering::Relaxed).min(all.len() - 1);
        for (place, model) in all.iter().enumerate().skip(from) {
            let said_something = AtomicBool::new(false);
            let watched = |delta: Delta| {
                if !matches!(delta, Delta::Waiting(_)) {
                    said_something.store(!matches!(delta, Delta::Restart), Ordering::Relaxed);
                }
                deltas(delta);
            };
            match model.reply(request, &watched, cancel).await {
                Ok(mut reply) => {
                    let first = failures.into_iter().next().or_else(|| self.first_failure());
                    if let Some(error) = first {
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
                    if !error.is_retryable() && place == self.from.load(Ordering::Relaxed) && place + 1 < all.len() {
                        self.from.store(place + 1, Ordering::Relaxed);
                        self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.clone());
                    }
                    // What the last one said is all there will be.
                    if said_something.load(Ordering::Relaxed) && place + 1 < all.len() {
                        deltas(Delta::Restart);
                    }
                    failures.push(error);
                }
            }
        }
        // The first model is the one the person chose; its failure is the one to mend.
        Err(self.first_failure().unwrap_or_else(|| failures.swap_remove(0)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use nexi_core::model::{FinishReason, ToolSet};

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
        let request = ModelRequest { messages: Vec::new(), tools: ToolSet::None, max_output_tokens: 100, thinking: Default::default() };
        let sink = |delta| seen.lock().unwrap().push(delta);
        let reply = chain.reply(&request, &sink, &CancellationToken::new()).await.unwrap();
        assert_eq!(reply.text, "hi");
        assert_eq!(*seen.lock().unwrap(), [Delta::Text("a says".into()), Delta::Restart, Delta::Text("b says".into())]);
        let chain = ModelChain::new(Arc::new(Fixed("a", Err(error.clone()))), Vec::new());
        assert_eq!(chain.reply(&request, &|_| {}, &CancellationToken::new()).await, Err(error));
    }
}

//! Several models in order: the next is asked when one fails; what the first had said is void then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use nexi_core::model::{Delta, DeltaSink, Instead, Model, ModelError, ModelRequest, Reply};
use tokio_util::sync::CancellationToken;

/// An ordered chain of models; never empty.
pub struct ModelChain {
    first: Arc<dyn Model>,
    rest: Vec<Arc<dyn Model>>,
    /// Models in front of this place failed for good: a refused key is not tried again in this run.
    from: AtomicUsize,
}

impl ModelChain {
    /// A chain that begins with `first`.
    pub fn new(first: Arc<dyn Model>, rest: Vec<Arc<dyn Model>>) -> Self {
        Self { first, rest, from: AtomicUsize::new(0) }
    }
}

#[async_trait]
impl Model for ModelChain {
    fn label(&self) -> String {
        self.first.label()
    }

    /// The smallest of all: a conversation must fit whichever model takes it over.
    async fn window(&self, cancel: &CancellationToken) -> Option<u32> {
        let mut smallest = self.first.window(cancel).await;
        for model in &self.rest {
            smallest = [smallest, model.window(cancel).await].into_iter().flatten().min();
        }
        smallest
    }

    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        let mut failures: Vec<ModelError> = Vec::new();
        let all: Vec<&Arc<dyn Model>> = std::iter::once(&self.first).chain(&self.rest).collect();
        let from = self.from.load(Ordering::Relaxed).min(all.len() - 1);
        for (place, model) in all.iter().enumerate().skip(from) {
            let said_something = AtomicBool::new(false);
            let watched = |delta: Delta| {
                said_something.store(!matches!(delta, Delta::Restart), Ordering::Relaxed);
                deltas(delta);
            };
            match model.reply(request, &watched, cancel).await {
                Ok(mut reply) => {
                    if let Some(error) = failures.first() {
                        reply.instead = Some(Instead { model: model.label(), why: error.to_string() });
                    }
                    return Ok(reply);
                }
                Err(ModelError::Cancelled) => return Err(ModelError::Cancelled),
                Err(error) => {
                    tracing::warn!(model = model.label(), %error, "model failed");
                    if !error.is_retryable() && place == self.from.load(Ordering::Relaxed) && place + 1 < all.len() {
                        self.from.store(place + 1, Ordering::Relaxed);
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
        Err(failures.swap_remove(0))
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
            Ok(Reply { text: text.into(), calls: Vec::new(), finish: FinishReason::Stop, usage: None, instead: None })
        }
    }

    #[tokio::test]
    async fn the_next_model_answers_and_nothing_is_said_twice() {
        let error = ModelError::Broken { provider: "a".into() };
        let chain = ModelChain::new(Arc::new(Fixed("a", Err(error.clone()))), vec![Arc::new(Fixed("b", Ok("hi")))]);
        let seen = Mutex::new(Vec::new());
        let request = ModelRequest { messages: Vec::new(), tools: ToolSet::None, max_output_tokens: 100 };
        let sink = |delta| seen.lock().unwrap().push(delta);
        let reply = chain.reply(&request, &sink, &CancellationToken::new()).await.unwrap();
        assert_eq!(reply.text, "hi");
        assert_eq!(*seen.lock().unwrap(), [Delta::Text("a says".into()), Delta::Restart, Delta::Text("b says".into())]);
        let chain = ModelChain::new(Arc::new(Fixed("a", Err(error.clone()))), Vec::new());
        assert_eq!(chain.reply(&request, &|_| {}, &CancellationToken::new()).await, Err(error));
    }
}

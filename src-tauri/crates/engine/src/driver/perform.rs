//! Performing effects: each in a task of its own, whose result comes back as an input.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::FutureExt;
use nexi_core::{
    model::{BadReply, Delta, ModelError},
    ports::{Failure, Found, OwnCause, Query, SearchTool},
    protocol::{Incident, IncidentAction, Outgoing, ResearcherId},
    run::{Effect, Input},
    settings::SideTask,
    user_tools::GrantScope,
};
use nexi_tools::Observer;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{calls::CallObserver, prefetch::Prefetches};
use crate::{
    live::Live,
    log,
    wiring::{RunDeps, Side},
};

/// How long a run waits for a person to let something through. A run that somebody left alone goes on without it.
const PERMISSION_WAIT: Duration = Duration::from_secs(60);

/// The same for a call of a tool: there is no other way to what it would return.
const CALL_PERMISSION_WAIT: Duration = Duration::from_secs(5 * 60);

/// What effects are performed with and where their results go.
pub(super) struct Work {
    inputs: mpsc::UnboundedSender<Input>,
    /// Cancelled when the run is over.
    all: CancellationToken,
    /// Cancelled when the results are no longer wanted: of one researcher, or of the run itself.
    wanted: HashMap<Option<ResearcherId>, CancellationToken>,
    /// Pages fetched before they were asked for.
    ahead: Prefetches,
    live: Arc<Live>,
}

/// Where the results of one effect go.
#[derive(Clone)]
struct InputSender {
    inputs: mpsc::UnboundedSender<Input>,
    of: Option<ResearcherId>,
}

impl InputSender {
    fn send(&self, input: Input) {
        let input = match self.of {
            Some(researcher) => Input::Of { researcher, input: Box::new(input) },
            None => input,
        };
        // A run that is over listens no more.
        let _ = self.inputs.send(input);
    }
}

impl Work {
    pub(super) fn new(inputs: mpsc::UnboundedSender<Input>, live: Arc<Live>) -> Self {
        Self { inputs, all: CancellationToken::new(), wanted: HashMap::new(), ahead: Prefetches::default(), live }
    }

    /// Nothing is wanted any more.
    pub(super) fn close(&mut self) {
        self.all.cancel();
        self.ahead.close();
    }

    fn wanted(&mut self, of: Option<ResearcherId>) -> CancellationToken {
        let all = &self.all;
        self.wanted.entry(of).or_insert_with(|| all.child_token()).clone()
    }

    /// Performs an effect that asks the world for something; `of` says for which researcher.
    pub(super) fn perform(&mut self, of: Option<ResearcherId>, effect: Effect, parts: &RunDeps) {
        let outlet = InputSender { inputs: self.inputs.clone(), of };
        match effect {
            Effect::Of { researcher, effect } => self.perform(Some(researcher), *effect, parts),
            Effect::Abandon => {
                if let Some(wanted) = self.wanted.remove(&of) {
                    wanted.cancel();
                }
            }
            Effect::AskModel { request, purpose, body } => {
                tracing::info!(
                    researcher = of.map(|id| id.to_string()),
                    request,
                    ?purpose,
                    max_output = body.max_output_tokens,
                    messages = body.messages.len(),
                    "asking the model"
                );
                let (model, wanted) = (parts.model.clone(), self.wanted(of));
                let wants = |side: &&Side| SideTask::of(purpose).is_some_and(|task| side.tasks.contains(&task));
                let side = parts.side.as_ref().filter(wants).filter(|side| !side.failed.load(Ordering::Relaxed)).cloned();
                log::spawn(async move {
                    // What the side model cannot do the main one does.
                    if let Some(side) = side {
                        let deltas = |delta: Delta| outlet.send(Input::Delta { request, delta });
                        match AssertUnwindSafe(side.model.reply(&body, &deltas, &wanted)).catch_unwind().await {
                            Ok(Ok(reply)) => return outlet.send(Input::Replied { request, reply }),
                            Ok(Err(ModelError::Cancelled)) => return,
                            Ok(Err(error)) => {
                                tracing::warn!(model = side.model.label(), %error, "the side model failed");
                                // What does not fit its window says nothing of its other tasks.
                                if !matches!(error, ModelError::ContextFull { .. }) && !side.failed.swap(true, Ordering::Relaxed) {
                                    let incident = Incident::of_model(&error, IncidentAction::NextModel { model: model.label() });
                                    outlet.send(Input::Delta { request, delta: Delta::Waiting(incident) });
                                }
                            }
                            Err(_) => tracing::warn!(model = side.model.label(), "the side model broke down"),
                        }
                        outlet.send(Input::Delta { request, delta: Delta::Restart });
                    }
                    let deltas = |delta: Delta| outlet.send(Input::Delta { request, delta });
                    // A panic becomes a failure, and not a reply that never comes.
                    let reply = AssertUnwindSafe(model.reply(&body, &deltas, &wanted)).catch_unwind().await;
                    let reply = reply.unwrap_or_else(|_| Err(ModelError::malformed(model.label(), BadReply::BrokeReader)));
                    outlet.send(match reply {
                        Ok(reply) => Input::Replied { request, reply },
                        Err(ModelError::Cancelled) => return,
                        Err(error) => Input::ModelFailed { request, error },
                    });
                });
            }
            Effect::Search { key, query } => {
                tracing::debug!(query = query.text, tool = query.tool.call(), range = ?query.range, "searching");
                let (parts, wanted) = (parts.clone(), self.wanted(of));
                log::spawn(async move {
                    let stop = wanted.clone();
                    // A task of its own: a panic becomes a failure, and not a result that never comes.
                    let found = log::spawn(async move { search(&parts, query, &stop).await })
                        .await
                        .unwrap_or_else(|_| Err(Failure::because(OwnCause::SearchBroke)));
                    if !wanted.is_cancelled() {
                        outlet.send(Input::Searched { key, found });
                    }
                });
            }
            Effect::Prefetch { urls } => self.ahead.fetch(urls, &parts.readers),
            Effect::Read { key, url } => {
                let started = self.ahead.take(&url);
                tracing::debug!(url, ahead = started.is_some(), "reading");
                let (chain, wanted) = (parts.readers.clone(), self.wanted(of));
                log::spawn(async move {
                    let stop = wanted.clone();
                    // A task of its own: a panic becomes a failure, and not a result that never comes.
                    let reading = log::spawn(async move {
                        // What failed ahead may have been forbidden to robots, or asked too early.
                        match started {
                            Some(started) => match started.await {
                                Ok(Ok(page)) => Ok(page),
                                _ => chain.read(&url, None, &stop).await,
                            },
                            None => chain.read(&url, None, &stop).await,
                        }
                    });
                    let page = tokio::select! {
                        () = wanted.cancelled() => return,
                        page = reading => page.unwrap_or_else(|_| Err(Failure::because(OwnCause::ReadingBroke))).map(Box::new),
                    };
                    outlet.send(Input::PageRead { key, page });
                });
            }
            Effect::Call { key, tool, arguments } => {
                tracing::info!(step = key.step, tool, "calling a tool");
                let (toolbox, wanted) = (parts.toolbox.clone(), self.wanted(of));
                let observer: Arc<dyn Observer> = Arc::new(CallObserver::new(self.live.clone(), of, key, toolbox.may_ask));
                log::spawn(async move {
                    let stop = wanted.clone();
                    // A task of its own: a panic becomes a failure, and not a result that never comes.
                    let result = log::spawn(async move { toolbox.call(&tool, &arguments, observer, &stop).await })
                        .await
                        .unwrap_or_else(|_| Err(Failure::because(OwnCause::CallBroke)));
                    if !wanted.is_cancelled() {
                        outlet.send(Input::Called { key, result: result.map(Box::new) });
                    }
                });
            }
            Effect::Permit { key, what } => {
                // What a call would carry is no matter for a log; `text` is its tool.
                tracing::info!(step = key.step, what = what.text(), "held back; the person is asked");
                let time_limit = if matches!(what, Outgoing::Call { .. }) { CALL_PERMISSION_WAIT } else { PERMISSION_WAIT };
                let wanted = self.wanted(of);
                log::spawn(async move {
                    tokio::select! {
                        () = wanted.cancelled() => {}
                        // A decision that came before makes this one too late, which runs ignore.
                        () = tokio::time::sleep(time_limit) => outlet.send(Input::Permitted { key, allowed: false, scope: GrantScope::Once }),
                    }
                });
            }
            Effect::Emit(_) | Effect::Finish { .. } => {}
        }
    }
}

async fn search(parts: &RunDeps, query: Query, stop: &CancellationToken) -> Result<Found, Failure> {
    if query.documents_only && query.tool != SearchTool::Web {
        return Err(Failure::because(OwnCause::HoldsPrivate { tool: query.tool.call().to_owned() }));
    }
    if query.tool == SearchTool::Web {
        return parts.search.search(&query, stop).await;
    }
    let Some(tool) = parts.tools.get(&query.tool) else {
        return Err(Failure::because(OwnCause::NotSetUp { tool: query.tool.call().to_owned() }));
    };
    let hits = tool.search(&query, stop).await?;
    Ok(Found { hits, backend: tool.name().to_owned(), ..Found::default() })
}

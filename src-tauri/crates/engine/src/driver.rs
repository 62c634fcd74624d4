//! Carries a run out: performs its effects at the same time, writes every input into the journal
//! before the run acts on it, and tells the frontends.

mod calls;
mod effects;
mod perform;
mod prefetch;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use nexi_core::{
    protocol::{EndReason, Ending, Event, EventEnvelope},
    run::{AnyRun, Effect, Input},
};
use nexi_store::{History, history::StoredSource};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::{aside, live::Live, wiring::RunDeps};

pub(crate) use effects::{Effects, End, Folded, fold};

use perform::Work;

/// Inputs that are written down at once.
const MAX_BATCH: usize = 64;
/// Between two tries to write an ending that could not be written.
const AGAIN: Duration = Duration::from_secs(5);
/// How often what has been streamed of an answer is noted.
const CHECKPOINT: Duration = Duration::from_secs(1);

/// How long a run has for its answer once the time target has passed: half of the target, between 10 and 60 seconds.
fn grace(target: Duration) -> Duration {
    (target / 2).clamp(Duration::from_secs(10), Duration::from_secs(60))
}

/// What is done once the ending of a run is kept, before anybody is told of it.
pub(crate) type Afterwards = Box<dyn FnOnce(Ending) -> BoxFuture<'static, ()> + Send + Sync>;

pub(crate) struct Driver {
    pub history: Arc<History>,
    pub parts: RunDeps,
    pub live: Arc<Live>,
    pub run: AnyRun,
    /// The next place in the journal.
    pub seq: u64,
    /// Counted over the whole run, interruptions included.
    pub time_target: Option<Duration>,
    /// What a person took to look at a plan before an interruption, which does not count.
    pub waited: Duration,
    /// What the run has wanted so far.
    pub effects: Effects,
    /// Texts that are being kept.
    pub keeping: JoinSet<()>,
    pub afterwards: Option<Afterwards>,
}

impl Driver {
    /// For a run that has done nothing yet and has no time target.
    pub(crate) fn new(history: Arc<History>, parts: RunDeps, live: Arc<Live>, run: AnyRun) -> Self {
        let effects = Effects::new(live.clone());
        Self {
            history,
            parts,
            live,
            run,
            seq: 0,
            time_target: None,
            waited: Duration::ZERO,
            effects,
            keeping: JoinSet::new(),
            afterwards: None,
        }
    }

    /// Carries the run out to its end, beginning with these effects. The ending has been kept when
    /// this returns.
    pub(crate) async fn drive(mut self, first: Vec<Effect>) -> Ending {
        // Unbounded: results come one for each effect that the run has asked for, and the pieces of a reply, which is limited,
        // as fast as a connection brings them. Whoever sends must not wait for a run that waits for something else.
        let (inputs, mut received) = mpsc::unbounded_channel();
        let mut work = Work::new(inputs, self.live.clone());
        let mut commands = self.live.commands();
        self.perform(first, &mut work);
        let far = Instant::now() + Duration::from_secs(86400 * 365);
        let spent = Duration::from_millis(self.live.elapsed_ms()).saturating_sub(self.waited);
        let mut soft = self.time_target.map_or(far, |target| Instant::now() + target.saturating_sub(spent));
        let mut hard = self.time_target.map_or(far, |target| Instant::now() + (target + grace(target)).saturating_sub(spent));
        let mut checkpoints = tokio::time::interval(CHECKPOINT);
        let mut noted = (0, 0, 0);
        let mut cancelled = false;
        // A person who looks at a plan has as long as they like.
        let mut asked_since: Option<Instant> = None;
        // A delta that came behind something that is journaled has to wait for that.
        let mut held: Option<Input> = None;
        let mut failed = None;
        while !self.effects.has_ended() {
            let is_asked = self.run.proposed().is_some();
            if is_asked {
                asked_since.get_or_insert_with(Instant::now);
            } else if let Some(since) = asked_since.take() {
                soft += since.elapsed();
                hard += since.elapsed();
            }
            let first = tokio::select! {
                biased;
                Some(delta) = std::future::ready(held.take()) => delta,
                () = self.live.cancel.cancelled(), if !cancelled => {
                    cancelled = true;
                    Input::Cancelled
                }
                () = tokio::time::sleep_until(soft), if !is_asked => {
                    soft = far;
                    Input::TimeUp { hard: false }
                }
                () = tokio::time::sleep_until(hard), if !is_asked => {
                    hard = far;
                    Input::TimeUp { hard: true }
                }
                Some(command) = commands.recv() => command,
                Some(input) = received.recv() => input,
                _ = checkpoints.tick() => {
                    let now = (self.run.partial_answer().len(), self.effects.milestones(), self.live.used().total());
                    if now != noted {
                        noted = now;
                        self.checkpoint().await;
                    }
                    continue;
                }
            };
            // Whatever else has arrived meanwhile is written down with it, in one transaction. Deltas
            // are not written down and need not wait.
            let mut batch = Vec::new();
            let mut next = Some(first);
            // Answers are judged in it, and texts counted.
            aside(|| {
                while let Some(input) = next {
                    if input.is_journaled() {
                        batch.extend(self.run.wrote(&input));
                        batch.push(input);
                    } else if !batch.is_empty() {
                        held = Some(input);
                        break;
                    } else {
                        let effects = self.run.step(input);
                        self.perform(effects, &mut work);
                    }
                    next = if batch.len() < MAX_BATCH { received.try_recv().ok() } else { None };
                }
            });
            batch.iter().for_each(told);
            if let Err(error) = self.journal(&batch).await {
                failed = Some(error);
                break;
            }
            aside(|| {
                for input in batch {
                    let effects = self.run.step(input);
                    self.perform(effects, &mut work);
                }
            });
            self.keep_sources();
        }
        work.close();
        let end = match (failed, self.effects.take_end()) {
            (None, Some(end)) => end,
            (failed, _) => self.give_up(failed.map_or(EndReason::BrokeDown, |why| EndReason::NotSaved { why })),
        };
        self.finish(end).await
    }

    /// Tells what there is to tell of these effects, and begins what is to be done.
    fn perform(&mut self, effects: Vec<Effect>, work: &mut Work) {
        for effect in &effects {
            if let Effect::Emit(Event::Usage { usage, context, max_context }) = effect {
                tracing::info!(tokens = usage.total(), cost_micro = usage.cost, context, max_context, "usage");
            }
        }
        for effect in self.effects.take(effects, self.live.elapsed_ms()) {
            work.perform(None, effect, &self.parts);
        }
    }

    async fn journal(&mut self, batch: &[Input]) -> Result<(), String> {
        if batch.is_empty() {
            return Ok(());
        }
        let inputs = batch.to_vec();
        let (history, turn) = (self.history.clone(), self.live.turn.clone());
        let (seq, elapsed) = (self.seq, self.live.elapsed_ms());
        self.seq += inputs.len() as u64;
        tokio::task::spawn_blocking(move || history.journal(&turn, seq, elapsed, &inputs))
            .await
            .map_err(|error| error.to_string())?
            .map_err(|error| error.to_string())
    }

    /// Keeps the texts of pages that were just read, beside the run: the journal holds them already.
    fn keep_sources(&mut self) {
        let numbers = self.effects.take_read();
        if numbers.is_empty() {
            return;
        }
        let sources: Vec<StoredSource> = numbers
            .into_iter()
            .filter_map(|number| Some(StoredSource { number, page: self.run.source(number)?.clone(), read_ms: now_ms() }))
            .collect();
        let (history, thread) = (self.history.clone(), self.live.thread.clone());
        self.keeping.spawn_blocking(move || {
            if let Err(error) = history.add_sources(&thread, &sources) {
                tracing::warn!(%error, "sources could not be kept");
            }
        });
    }

    async fn checkpoint(&self) {
        let (history, turn) = (self.history.clone(), self.live.turn.clone());
        let (partial, elapsed, events) = (self.run.partial_by_handle().to_owned(), self.live.elapsed_ms(), self.live.kept_events());
        let used = self.live.used();
        let _ = tokio::task::spawn_blocking(move || history.checkpoint(&turn, &partial, elapsed, &events, &used)).await;
    }

    /// The journal cannot be written: going on would mean acting on what is not kept.
    fn give_up(&self, why: EndReason) -> End {
        let ending = Ending { usage: self.live.used(), ..Ending::failed(why, self.run.partial_by_handle()) };
        End { ending, numbers: BTreeMap::new() }
    }

    async fn finish(mut self, end: End) -> Ending {
        self.keep_sources();
        while self.keeping.join_next().await.is_some() {}
        finish(&self.history, &self.live, end, self.afterwards).await
    }
}

/// Keeps how a run ended, and tells it: the one place that does.
pub(crate) async fn finish(
    history: &Arc<History>,
    live: &Arc<Live>,
    End { mut ending, numbers }: End,
    afterwards: Option<Afterwards>,
) -> Ending {
    let elapsed = live.elapsed_ms();
    tracing::info!(
        turn = live.turn.as_str(),
        state = ending.state.as_str(),
        steps = ending.steps,
        elapsed,
        reason = ?ending.reason,
        "run ended"
    );
    let (keeping, turn, kept) = (history.clone(), live.turn.clone(), ending.clone());
    let renumbered = |envelope: EventEnvelope| EventEnvelope { event: envelope.event.renumbered(&numbers), ..envelope };
    let events: Vec<EventEnvelope> = live.kept_events().into_iter().map(renumbered).collect();
    let result = tokio::task::spawn_blocking(move || {
        keeping.finish_turn(&turn, &kept, &numbers, elapsed, &events)?;
        // The ending is kept, whatever becomes of this.
        if let Err(error) = keeping.pack_journal(&turn) {
            tracing::warn!(%error, "the journal of a run could not be packed");
        }
        Ok::<_, nexi_store::StoreError>(())
    })
    .await;
    if let Ok(Err(error)) = result {
        tracing::warn!(%error, "the ending of a run could not be kept");
        if ending.reason.is_empty() {
            ending.reason = error.not_kept().into();
        }
        keep_trying(history.clone());
    }
    if let Some(afterwards) = afterwards {
        afterwards(ending.clone()).await;
    }
    live.push_at(Event::Ended { ending: ending.clone() }, elapsed);
    ending
}

/// Writes endings as soon as that is possible again.
fn keep_trying(history: Arc<History>) {
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(AGAIN).await;
            let history = history.clone();
            if !matches!(tokio::task::spawn_blocking(move || history.retry_unsaved()).await, Ok(1..)) {
                break;
            }
        }
    });
}

/// Every input of a run, as `--verbose` and the log show it.
fn told(input: &Input) {
    match input {
        Input::Replied { request, reply } => {
            // Queries help to find out what went wrong; the answer itself does not belong in a log.
            let told = |call: &nexi_core::model::ToolCall| match call.name.as_str() {
                "final_answer" => format!("final_answer of {} bytes", call.arguments.len()),
                // Arguments of the person's own tools may be anything.
                name if name.contains("__") => format!("{name} with {} bytes", call.arguments.len()),
                name => format!("{name} {}", nexi_core::text::truncate(&call.arguments, 300)),
            };
            let calls: Vec<String> = reply.calls.iter().map(told).collect();
            tracing::info!(request, finish = ?reply.finish, ?calls, text_bytes = reply.text.len(), usage = ?reply.usage, "reply");
        }
        Input::ModelFailed { request, error } => tracing::warn!(request, %error, "no reply"),
        Input::Searched { key, found: Ok(found) } => {
            tracing::info!(step = key.step, backend = found.backend, hits = found.hits.len(), failures = ?found.failures, "search result");
        }
        Input::Searched { key, found: Err(failure) } => tracing::warn!(step = key.step, %failure, "search failed"),
        Input::PageRead { key, page: Ok(page) } => {
            tracing::info!(step = key.step, url = page.url, bytes = page.text.len(), title = page.title, "page read");
        }
        Input::PageRead { key, page: Err(failure) } => tracing::warn!(step = key.step, %failure, "page failed"),
        Input::Called { key, result: Ok(called) } => {
            tracing::info!(step = key.step, pages = called.pages.len(), failed = called.failed, "a tool returned");
        }
        Input::Called { key, result: Err(failure) } => tracing::warn!(step = key.step, %failure, "a tool failed"),
        Input::TimeUp { hard } => tracing::info!(hard, "time is up"),
        Input::Cancelled => tracing::info!("cancelled"),
        Input::FinishNow => tracing::info!("the answer is wanted now"),
        Input::Permitted { key, allowed, scope } => tracing::info!(step = key.step, allowed, ?scope, "a decision about what was held back"),
        Input::PlanApproved { plan } => tracing::info!(tasks = plan.tasks.len(), "the plan was approved"),
        Input::StopResearcher { researcher } => tracing::info!(%researcher, "a researcher was stopped"),
        Input::Of { researcher, input } => tracing::info_span!("researcher", id = %researcher).in_scope(|| told(input)),
        Input::Delta { .. } | Input::PartialOutput { .. } | Input::Asked { .. } => {}
    }
}

/// Unix time in milliseconds.
pub fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

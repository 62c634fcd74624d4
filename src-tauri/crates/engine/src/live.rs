//! Runs as they happen: every frontend that attaches sees all events from the first on.

use std::collections::BTreeMap;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU32, Ordering},
};
use std::time::Instant;

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{Event, EventEnvelope, Findings, Form, FormProblem, HeldId, Outgoing, Plan, ResearcherId, Usage},
    run::Input,
};
use nexi_tools::Filled;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

/// Bytes of reasoning that are kept of one step.
const MAX_REASONING: usize = 16 * 1024;

/// A run in progress.
pub struct Live {
    pub turn: TurnId,
    pub thread: ThreadId,
    pub(crate) cancel: CancellationToken,
    /// What the person wants of the run besides stopping it.
    command: mpsc::UnboundedSender<Input>,
    commands: Mutex<Option<mpsc::UnboundedReceiver<Input>>>,
    events: Mutex<Vec<EventEnvelope>>,
    count: watch::Sender<usize>,
    started: Instant,
    /// Milliseconds that the run had taken before it was interrupted.
    before_ms: u64,
    /// Forms that calls wait for.
    forms: Mutex<BTreeMap<u32, (Form, oneshot::Sender<Filled>)>>,
    form_ids: AtomicU32,
}

impl Live {
    pub(crate) fn new(turn: TurnId, thread: ThreadId, before_ms: u64) -> Self {
        // Unbounded: one for each thing that a person presses.
        let (command, commands) = mpsc::unbounded_channel();
        Self {
            command,
            commands: Mutex::new(Some(commands)),
            turn,
            thread,
            cancel: CancellationToken::new(),
            events: Mutex::default(),
            count: watch::Sender::new(0),
            started: Instant::now(),
            before_ms,
            forms: Mutex::default(),
            form_ids: AtomicU32::new(0),
        }
    }

    /// Milliseconds since the run began, not counting time in which no process carried it out.
    pub fn elapsed_ms(&self) -> u64 {
        self.before_ms + u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Tells whoever carries the run out what the person wants.
    pub(crate) fn command(&self, input: Input) {
        let _ = self.command.send(input);
    }

    /// What the person wants, for the one who carries the run out; nothing for anybody after that.
    pub(crate) fn commands(&self) -> mpsc::UnboundedReceiver<Input> {
        let taken = self.commands.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.unwrap_or_else(|| mpsc::unbounded_channel().1)
    }

    /// The plan that the person is asked about now.
    pub(crate) fn proposed(&self) -> Option<Plan> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let last = events.iter().rposition(|envelope| matches!(envelope.event, Event::PlanMade { waits: true, .. }))?;
        let begun = events[last..].iter().any(|envelope| matches!(envelope.event, Event::ResearcherStarted { .. } | Event::Ended { .. }));
        match &events[last].event {
            Event::PlanMade { plan, .. } if !begun => Some(plan.clone()),
            _ => None,
        }
    }

    /// How a researcher ended; none while it is at work.
    pub(crate) fn findings(&self, wanted: ResearcherId) -> Option<Findings> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.iter().find_map(|envelope| match &envelope.event {
            Event::ResearcherEnded { researcher, findings } if *researcher == wanted => Some(findings.clone()),
            _ => None,
        })
    }

    /// The address of the source that is shown under this number now.
    pub(crate) fn source_url(&self, number: u32) -> Option<String> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let sources = events.iter().rev().find_map(|envelope| match &envelope.event {
            Event::Sources { sources } => Some(sources),
            _ => None,
        });
        sources?.iter().find(|source| source.number == number).map(|source| source.url.clone())
    }

    pub(crate) fn push(&self, event: Event) {
        self.push_at(event, self.elapsed_ms());
    }

    pub(crate) fn push_at(&self, event: Event, elapsed_ms: u64) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        // The end is the last of it, whatever is still being put away.
        if events.last().is_some_and(|last| matches!(last.event, Event::Ended { .. })) {
            return;
        }
        let seq = events.len() as u64;
        events.push(EventEnvelope { turn: self.turn.clone(), seq, elapsed_ms, event });
        self.count.send_replace(events.len());
    }

    /// Whether it has ended, although it may still be being put away: whoever saw its end can go on in its thread.
    pub(crate) fn is_over(&self) -> bool {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.last().is_some_and(|envelope| matches!(envelope.event, Event::Ended { .. }))
    }

    /// The server and tool of a call that waits for the person.
    pub(crate) fn held_call(&self, wanted: HeldId) -> Option<(String, String)> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.iter().find_map(|envelope| match envelope.event.held()? {
            (id, Outgoing::Call { server, tool, .. }) if id == wanted => Some((server.clone(), tool.clone())),
            _ => None,
        })
    }

    /// Shows a form to the person and waits for what they make of it.
    pub(crate) async fn ask_form(&self, form: Form) -> Filled {
        let (send, filled) = oneshot::channel();
        let id = {
            let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
            let id = self.form_ids.fetch_add(1, Ordering::Relaxed);
            forms.insert(id, (form.clone(), send));
            id
        };
        let closed = CloseForm { live: self, id };
        self.push(Event::FormAsked { id, form });
        let filled = filled.await.unwrap_or(Filled::Cancelled);
        drop(closed);
        filled
    }

    /// What the person made of a form; none declines.
    pub(crate) fn fill(&self, id: u32, values: Option<Map<String, Value>>) -> Result<bool, FormProblem> {
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((form, _)) = forms.get(&id) else { return Ok(false) };
        let filled = match values {
            Some(values) => Filled::With(form.filled(&values)?),
            None => Filled::Declined,
        };
        let send = forms.remove(&id).map(|(_, send)| send);
        Ok(send.is_some_and(|send| send.send(filled).is_ok()))
    }

    /// What the run has used so far.
    pub(crate) fn used(&self) -> Usage {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let used = |envelope: &EventEnvelope| match &envelope.event {
            Event::Usage { usage, .. } => Some(*usage),
            _ => None,
        };
        events.iter().rev().find_map(used).unwrap_or_default()
    }

    /// The events that are kept with the turn: without what its ending says again.
    pub(crate) fn kept_events(&self) -> Vec<EventEnvelope> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        // Reasoning comes word by word; it is kept as one event a step, and not without end.
        let mut thoughts: BTreeMap<(Option<ResearcherId>, u32), String> = BTreeMap::new();
        for envelope in events.iter() {
            if let Some((whose, step, text)) = reasoning(&envelope.event) {
                let known = thoughts.entry((whose, step)).or_default();
                if known.len() < MAX_REASONING {
                    known.push_str(text);
                }
            }
        }
        events
            .iter()
            .filter_map(|envelope| {
                let Some((whose, step, _)) = reasoning(&envelope.event) else { return Some(envelope.clone()) };
                let thought = Event::Reasoning { step, text: thoughts.remove(&(whose, step))? };
                let event = match whose {
                    Some(researcher) => Event::Researcher { researcher, event: Box::new(thought) },
                    None => thought,
                };
                Some(EventEnvelope { event, ..envelope.clone() })
            })
            .filter(|envelope| {
                !matches!(
                    envelope.event,
                    Event::AnswerDelta { .. }
                        | Event::AnswerReset
                        | Event::Sources { .. }
                        | Event::Progress { .. }
                        | Event::Ended { .. }
                        | Event::Indexing { .. }
                ) && !matches!(envelope.event.own(), Event::CallProgress { .. } | Event::FormAsked { .. } | Event::FormClosed { .. })
            })
            .collect()
    }

    /// All events so far and all to come.
    pub fn subscribe(self: &Arc<Self>) -> Subscription {
        Subscription { live: self.clone(), next: 0, count: self.count.subscribe() }
    }
}

/// Takes a form away when nobody waits for it any longer.
struct CloseForm<'a> {
    live: &'a Live,
    id: u32,
}

impl Drop for CloseForm<'_> {
    fn drop(&mut self) {
        self.live.forms.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        self.live.push(Event::FormClosed { id: self.id });
    }
}

/// One frontend's view of a run.
pub struct Subscription {
    live: Arc<Live>,
    next: usize,
    count: watch::Receiver<usize>,
}

impl Subscription {
    /// The turn that is watched.
    pub fn turn(&self) -> &TurnId {
        &self.live.turn
    }

    /// Its thread.
    pub fn thread(&self) -> &ThreadId {
        &self.live.thread
    }

    /// The next events, at least one, in order; none after the run's last.
    pub async fn next(&mut self) -> Option<Vec<EventEnvelope>> {
        loop {
            let fresh: Vec<EventEnvelope> = {
                let events = self.live.events.lock().unwrap_or_else(PoisonError::into_inner);
                let ended = self.next > 0 && events.get(self.next - 1).is_some_and(|last| matches!(last.event, Event::Ended { .. }));
                if ended {
                    return None;
                }
                events[self.next..].to_vec()
            };
            if !fresh.is_empty() {
                self.next += fresh.len();
                return Some(fresh);
            }
            // The sender lives in `live`, which we hold.
            self.count.changed().await.ok()?;
        }
    }
}

/// Whose reasoning an event is, in which step, and what was thought.
fn reasoning(event: &Event) -> Option<(Option<ResearcherId>, u32, &str)> {
    match event {
        Event::Reasoning { step, text } => Some((None, *step, text)),
        Event::Researcher { researcher, event } => {
            let (_, step, text) = reasoning(event)?;
            Some((Some(*researcher), step, text))
        }
        _ => None,
    }
}

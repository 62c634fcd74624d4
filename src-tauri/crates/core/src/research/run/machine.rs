//! A run's state and its first transitions.

use std::sync::Arc;

use super::{
    Asked, Effect, Input, Purpose, author::Author, awaited::Awaited, budget::TokenBudget, check::Draft, conversation::Conversation,
    egress::Egress, researcher::ResearcherBudget, round::Round, setbacks::Setbacks, sources::SourceBook, spending::Spending,
    streaming::Streaming, trail::Trail, unread_attachments::Unread,
};
use crate::{
    model::Delta,
    ports::{Page, TimeRange, TokenCounter},
    protocol::{EarlierSummary, EndReason, Event, ThreadTitle, TurnState},
};

/// One execution of the agent for a turn.
pub struct Run {
    pub(super) counter: Arc<dyn TokenCounter>,
    pub(super) asked: Asked,
    pub(super) phase: Phase,
    pub(super) step: u32,
    pub(super) conversation: Conversation,
    pub(super) awaited: Awaited,
    pub(super) book: SourceBook,
    /// What may leave this computer.
    pub(super) egress: Egress,
    pub(super) trail: Trail,
    pub(super) spending: Spending,
    pub(super) streaming: Streaming,
    pub(super) setbacks: Setbacks,
    pub(super) author: Author,
    pub(super) urgency: Urgency,
    /// How new results should be.
    pub(super) range: Option<TimeRange>,
    /// Later turns cite its pages by their handles already.
    pub(super) keeps_handles: bool,
    /// The built-in researcher said that nothing answers the question.
    pub(super) nothing_found: bool,
    pub(super) told_tools_in_text: bool,
    /// What the person gave along and could not be read, by their names.
    pub(super) unread_attachments: Vec<Unread>,
    /// Questions that the model proposes.
    pub(super) follow_ups: Vec<String>,
    /// What the model calls the thread.
    pub(super) title: Option<ThreadTitle>,
    /// What this run made of the oldest turns.
    pub(super) summary: Option<EarlierSummary>,
    pub(super) compactions: u32,
    /// Only for researchers of deep runs.
    pub(super) researcher: Option<ResearcherBudget>,
}

/// What the run waits for.
pub(super) enum Phase {
    /// Nothing: one of the others follows within the same step of the machine.
    Between,
    /// The reply to a request that the conversation needs.
    Thinking {
        request: u32,
        about: Request,
    },
    /// What tools return.
    Acting(Round),
    /// The verdicts about doubtful statements of an answer that is there.
    Checking {
        request: u32,
        draft: Box<Draft>,
    },
    Ended,
}

/// What the model is asked for the conversation's sake. Pages and checks are asked about beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// What to do next.
    Step,
    /// The answer alone.
    FinalAnswer,
    /// A summary of older messages.
    Compaction,
    /// A summary of so many of the thread's oldest turns, before the conversation is set up.
    ThreadSummary { turns: usize },
}

impl Request {
    pub(super) fn purpose(self) -> Purpose {
        match self {
            Self::Step => Purpose::Step,
            Self::FinalAnswer => Purpose::FinalAnswer,
            Self::Compaction => Purpose::Compaction,
            Self::ThreadSummary { .. } => Purpose::ThreadSummary,
        }
    }

    /// Whether the reply is a summary, and no part of the conversation.
    pub(super) fn is_summary(self) -> bool {
        matches!(self, Self::Compaction | Self::ThreadSummary { .. })
    }
}

/// Whether the answer is wanted before the model gives it by itself, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Urgency {
    None,
    /// Once what arrives just now is complete.
    Soon(EndReason),
    /// It has been asked for.
    Now(EndReason),
}

impl Urgency {
    /// Why the answer was asked for.
    pub(super) fn limit(&self) -> Option<&EndReason> {
        match self {
            Self::Now(why) => Some(why),
            Self::None | Self::Soon(_) => None,
        }
    }

    /// The reason for which it was asked for already, or this one.
    pub(super) fn now_or(&mut self, why: EndReason) -> EndReason {
        let why = self.limit().cloned().unwrap_or(why);
        *self = Self::Now(why.clone());
        why
    }
}

impl Run {
    /// Begins a run: the run, and what it wants done first.
    pub fn begin(asked: Asked, counter: Arc<dyn TokenCounter>) -> (Self, Vec<Effect>) {
        Self::begin_as(asked, counter, false)
    }

    pub(super) fn begin_as(asked: Asked, counter: Arc<dyn TokenCounter>, keeps_handles: bool) -> (Self, Vec<Effect>) {
        let mut run = Self { keeps_handles, ..Self::new(asked, counter) };
        run.egress = Egress::new(&run.asked);
        let mut out = Vec::new();
        run.set_out(&mut out);
        (run, out)
    }

    pub(super) fn new(asked: Asked, counter: Arc<dyn TokenCounter>) -> Self {
        Self {
            counter,
            asked,
            phase: Phase::Between,
            step: 0,
            conversation: Conversation::default(),
            awaited: Awaited::default(),
            book: SourceBook::default(),
            egress: Egress::default(),
            trail: Trail::default(),
            spending: Spending::default(),
            streaming: Streaming::default(),
            setbacks: Setbacks::default(),
            author: Author::default(),
            urgency: Urgency::None,
            range: None,
            keeps_handles: false,
            nothing_found: false,
            told_tools_in_text: false,
            unread_attachments: Vec::new(),
            follow_ups: Vec::new(),
            title: None,
            summary: None,
            compactions: 0,
            researcher: None,
        }
    }

    /// Takes what happened and says what to do next. Inputs that come too late are ignored.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        match input {
            _ if self.is_over() => {}
            // A side request that has to wait, or goes to another model, is none of the conversation's.
            Input::Delta { delta: Delta::Waiting(incident), .. } => out.push(Effect::Emit(Event::Incident { incident })),
            Input::Delta { request, delta } if self.is_current(request) => self.delta(delta, &mut out),
            Input::PartialOutput { request, text, preamble } if self.is_current(request) => {
                self.streaming.restore(text, !preamble);
            }
            Input::Replied { request, reply } if self.is_current(request) => self.replied(reply, &mut out),
            Input::ModelFailed { request, error } if self.is_current(request) => self.model_failed(&error, &mut out),
            Input::Replied { request, reply } if self.checks(request) => self.looked(&reply, &mut out),
            Input::ModelFailed { request, .. } if self.checks(request) => {
                self.awaited.take_request(request);
                self.end_unchecked(true, &mut out);
            }
            Input::Replied { request, reply } if self.extracts(request) => self.page_extracted(request, Some(reply), &mut out),
            Input::ModelFailed { request, .. } if self.extracts(request) => self.page_extracted(request, None, &mut out),
            Input::Searched { key, found } if self.awaited.take(key, |effect| matches!(effect, Effect::Search { .. })).is_some() => {
                self.searched(key, found, &mut out);
            }
            Input::PageRead { key, page } if self.awaited.take(key, |effect| matches!(effect, Effect::Read { .. })).is_some() => {
                self.page_read(key, page.map(|page| *page), &mut out);
            }
            Input::Called { key, result } if self.awaited.take(key, |effect| matches!(effect, Effect::Call { .. })).is_some() => {
                self.called(key, result.map(|called| *called), &mut out);
            }
            Input::Permitted { key, allowed, scope }
                if self.awaited.take(key, |effect| matches!(effect, Effect::Permit { .. })).is_some() =>
            {
                self.permitted(key, allowed, scope, &mut out);
            }
            Input::TimeUp { .. } | Input::FinishNow | Input::Cancelled if matches!(self.phase, Phase::Checking { .. }) => {
                self.end_unchecked(false, &mut out);
            }
            Input::TimeUp { hard } => self.time_up(hard, &mut out),
            Input::FinishNow => self.wrap_up(EndReason::AnswerWanted, &mut out),
            Input::Cancelled => self.end(TurnState::Cancelled, EndReason::Cancelled.into(), None, &mut out),
            _ => {}
        }
        out
    }

    /// The effects whose results have not come back, for a run that is picked up again.
    pub fn outstanding(&self) -> Vec<Effect> {
        self.awaited.effects()
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// What has been streamed of the answer so far, as an input for the journal; none when that is
    /// nothing.
    pub fn wrote(&self) -> Option<Input> {
        let Phase::Thinking { request, .. } = self.phase else { return None };
        let preamble = !self.is_worth_keeping();
        (!self.streaming.is_empty()).then(|| Input::PartialOutput { request, text: self.streaming.text().to_owned(), preamble })
    }

    /// Talk of a researcher is no report; what others say is all there is.
    pub(super) fn is_worth_keeping(&self) -> bool {
        self.streaming.is_answer() || self.researcher.is_none()
    }

    /// What the model has written of the answer so far.
    pub fn partial_by_handle(&self) -> &str {
        self.streaming.text()
    }

    /// What has been shown of the answer so far.
    pub fn partial_answer(&self) -> &str {
        self.streaming.shown()
    }

    /// The page that has this handle.
    pub fn source(&self, number: u32) -> Option<&Page> {
        self.book.get(number).map(|known| &known.page)
    }

    fn is_current(&self, request: u32) -> bool {
        matches!(self.phase, Phase::Thinking { request: current, .. } if current == request)
    }

    fn checks(&self, request: u32) -> bool {
        matches!(self.phase, Phase::Checking { request: current, .. } if current == request)
    }

    fn extracts(&self, request: u32) -> bool {
        matches!(&self.phase, Phase::Acting(round) if round.extracts(request))
    }

    /// What may still be spent.
    pub(super) fn budget(&self) -> TokenBudget {
        self.spending.budget(&self.asked)
    }

    pub(super) fn next_step(&mut self, out: &mut Vec<Effect>) {
        if let Urgency::Soon(why) = &self.urgency {
            self.ask_for_answer(why.clone(), out);
            return;
        }
        let steps = self.asked.limits.max_steps;
        if self.step >= steps {
            self.ask_for_answer(EndReason::StepLimit { steps }, out);
            return;
        }
        self.step += 1;
        out.push(Effect::Emit(Event::StepStarted { step: self.step }));
        self.ask_model(Request::Step, out);
    }
}

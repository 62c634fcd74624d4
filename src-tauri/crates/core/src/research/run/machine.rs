//! A run's state and its first transitions.

use crate::protocol::EndReason;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

use crate::{
    model::ToolCall,
    ports::{Failure, Found, Page, Query, TimeRange, TokenCounter},
    protocol::{EarlierSummary, Event, Incident, ThreadTitle, TurnState, Usage},
    run::{
        Asked, Effect, Input, Key, Limits, Purpose, Shown, ToolResult, check::Draft, conversation::Conversation, egress::Egress,
        researcher::ResearcherBudget, setbacks::Setbacks, sources::SourceBook, streaming::Streaming,
    },
    tools::PageMode,
    user_tools::UserTool,
};

/// A request about one page.
#[derive(Debug, Clone)]
pub(super) struct PageExtraction {
    pub key: Key,
    pub number: u32,
    pub mode: PageMode,
    pub instructions: String,
    /// The chunks that were offered, in the order of their numbers.
    pub offered: Vec<Range<usize>>,
    /// What the request uses at most.
    pub reserved: Usage,
}

/// One execution of the agent for a turn.
pub struct Run {
    pub(super) counter: Arc<dyn TokenCounter>,
    pub(super) asked: Option<Asked>,
    pub(super) conversation: Conversation,
    pub(super) phase: Phase,
    pub(super) step: u32,
    /// Requests made so far, of which `current` is the one that the phase waits for.
    requests: u32,
    pub(super) current: u32,
    pub(super) book: SourceBook,
    /// What may leave this computer.
    pub(super) egress: Egress,
    /// Queries that the person is asked about.
    pub(super) held: BTreeMap<Key, Query>,
    /// Queries that were put to the documents alone.
    pub(super) kept_back: BTreeSet<Key>,
    pub(super) titles: BTreeMap<String, String>,
    pub(super) queries: Vec<String>,
    /// How new results should be.
    pub(super) range: Option<TimeRange>,
    pub(super) usage: Usage,
    pub(super) streaming: Streaming,
    pub(super) setbacks: Setbacks,
    /// Later turns cite its pages by their handles already.
    pub(super) keeps_handles: bool,
    pub(super) recent_calls: Vec<Vec<(String, String)>>,
    /// Why the answer was asked for before the model gave it.
    pub(super) limit: Option<EndReason>,
    /// The model that took over from the one that was asked first.
    pub(super) answered_by: Option<String>,
    /// Why another model took over, as a sentence.
    pub(super) taken_over: Option<String>,
    /// What went wrong and decided who answers.
    pub(super) incident: Option<Incident>,
    /// The built-in researcher said that nothing answers the question.
    pub(super) nothing_found: bool,
    pub(super) told_tools_in_text: bool,
    /// What was told of services that failed.
    pub(super) told: Vec<Incident>,
    /// What the person gave along and could not be read, by their names.
    pub(super) unread_attachments: Vec<String>,
    /// Questions that the model proposes.
    pub(super) follow_ups: Vec<String>,
    /// What the model calls the thread.
    pub(super) title: Option<ThreadTitle>,
    /// What this run made of the oldest turns.
    pub(super) summary: Option<EarlierSummary>,
    /// How many of the oldest turns it is being made of.
    pub(super) folding: usize,
    /// Why the answer was wanted while text was arriving already.
    pub(super) hurry: Option<EndReason>,
    pub(super) compactions: u32,
    /// Requests about single pages.
    pub(super) extractions: BTreeMap<u32, PageExtraction>,
    /// Keys of pages that were asked for ahead.
    pub(super) anticipated: BTreeSet<String>,
    pub(super) outstanding: BTreeMap<Waiting, Effect>,
    /// Only for researchers of deep runs.
    pub(super) desk: Option<ResearcherBudget>,
    /// What others have used of the same purse.
    pub(super) others: Usage,
}

/// Whose result is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Waiting {
    Model(u32),
    Tool(Key),
}

pub(super) enum Phase {
    Idle,
    Thinking(Purpose),
    Acting(Vec<Pending>),
    /// The answer is there, and its doubtful statements are looked at once more.
    Checking(Box<Draft>),
    Ended,
}

pub(super) struct Pending {
    pub(super) call: ToolCall,
    pub(super) work: Work,
}

pub(super) enum Work {
    Ready(ToolResult),
    Searching { queries: Vec<String>, found: Vec<Option<Result<Found, Failure>>> },
    Reading { urls: Vec<String>, instructions: String, mode: PageMode, pages: Vec<PageWork> },
    Using(Using),
}

/// One page of a `web_get`.
pub(super) enum PageWork {
    Fetching,
    /// The person is asked whether it may be fetched.
    Held,
    /// The model is asked about the source of this number.
    Digesting(u32),
    /// The source of this number; where there is text, the model made it.
    Ready(u32, Option<(String, Shown)>),
    Failed(Failure),
}

/// A call of a tool of the person's own, while it is carried out.
pub(super) struct Using {
    pub(super) tool: Box<UserTool>,
    pub(super) arguments: Value,
    /// Whether what it returns is nobody's private text.
    pub(super) public: bool,
    pub(super) state: CallState,
}

pub(super) enum CallState {
    /// The person is asked.
    Held,
    Running,
    Done(Result<Done, Failure>),
}

/// The handles of the pages that came back, and what could not be read.
pub(super) struct Done {
    pub(super) numbers: Vec<u32>,
    pub(super) left_out: Vec<String>,
}

impl Run {
    /// A run that has not begun; the first input is `Asked`.
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self {
            counter,
            asked: None,
            conversation: Conversation::default(),
            phase: Phase::Idle,
            step: 0,
            requests: 0,
            current: 0,
            book: SourceBook::default(),
            egress: Egress::default(),
            held: BTreeMap::new(),
            kept_back: BTreeSet::new(),
            titles: BTreeMap::new(),
            queries: Vec::new(),
            range: None,
            usage: Usage::default(),
            streaming: Streaming::default(),
            setbacks: Setbacks::default(),
            keeps_handles: false,
            recent_calls: Vec::new(),
            limit: None,
            answered_by: None,
            taken_over: None,
            incident: None,
            nothing_found: false,
            told_tools_in_text: false,
            told: Vec::new(),
            unread_attachments: Vec::new(),
            follow_ups: Vec::new(),
            title: None,
            summary: None,
            folding: 0,
            hurry: None,
            compactions: 0,
            extractions: BTreeMap::new(),
            anticipated: BTreeSet::new(),
            outstanding: BTreeMap::new(),
            desk: None,
            others: Usage::default(),
        }
    }

    /// Takes what happened and says what to do next. Inputs that come too late are ignored.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        match input {
            Input::Asked { asked } if matches!(self.phase, Phase::Idle) => self.begin(*asked, &mut out),
            // A side request that has to wait, or goes to another model, is none of the conversation's.
            Input::Delta { delta: crate::model::Delta::Waiting(incident), .. } => out.push(Effect::Emit(Event::Incident { incident })),
            // What arrives of a check is read when it is complete.
            Input::Replied { request, reply } if self.checks(request) => {
                let asked = self.outstanding.remove(&Waiting::Model(request));
                self.looked(&reply, asked.as_ref(), &mut out);
            }
            Input::ModelFailed { request, .. } if self.checks(request) => {
                self.outstanding.remove(&Waiting::Model(request));
                self.end_unlooked(&mut out);
            }
            Input::Cancelled if matches!(self.phase, Phase::Checking(_)) => self.end_unlooked(&mut out),
            Input::Delta { request, delta } if self.is_current(request) => self.delta(delta, &mut out),
            Input::PartialOutput { request, text, preamble } if self.is_current(request) => {
                self.streaming.restore(text, !preamble);
            }
            Input::Replied { request, reply } if self.is_current(request) => self.replied(reply, &mut out),
            Input::ModelFailed { request, error } if self.is_current(request) => self.model_failed(&error, &mut out),
            Input::Replied { request, reply } if self.extractions.contains_key(&request) => {
                self.page_digested(request, Some(reply), &mut out);
            }
            Input::ModelFailed { request, .. } if self.extractions.contains_key(&request) => self.page_digested(request, None, &mut out),
            Input::Searched { key, found } if self.outstanding.remove(&Waiting::Tool(key)).is_some() => {
                self.searched(key, found, &mut out);
            }
            Input::PageRead { key, page } if self.outstanding.remove(&Waiting::Tool(key)).is_some() => {
                self.page_read(key, page.map(|page| *page), &mut out);
            }
            Input::Called { key, result } if matches!(self.outstanding.get(&Waiting::Tool(key)), Some(Effect::Call { .. })) => {
                self.outstanding.remove(&Waiting::Tool(key));
                self.called(key, result.map(|called| *called), &mut out);
            }
            Input::Permitted { key, allowed, scope }
                if matches!(self.outstanding.get(&Waiting::Tool(key)), Some(Effect::Permit { .. })) =>
            {
                self.outstanding.remove(&Waiting::Tool(key));
                self.permitted(key, allowed, scope, &mut out);
            }
            Input::TimeUp { hard } => self.time_up(hard, &mut out),
            Input::FinishNow => self.wrap_up(EndReason::AnswerWanted, &mut out),
            Input::Cancelled if !self.is_over() && self.asked.is_some() => {
                self.end(TurnState::Cancelled, EndReason::Cancelled.into(), None, &mut out);
            }
            _ => {}
        }
        for effect in &out {
            match effect {
                Effect::AskModel { request, .. } => {
                    self.outstanding.insert(Waiting::Model(*request), effect.clone());
                }
                Effect::Search { key, .. } | Effect::Read { key, .. } | Effect::Call { key, .. } | Effect::Permit { key, .. } => {
                    self.outstanding.insert(Waiting::Tool(*key), effect.clone());
                }
                // Everything before it is no longer waited for; what follows it is new.
                Effect::Abandon | Effect::Anticipate { .. } | Effect::Emit(_) | Effect::Of { .. } | Effect::Finish { .. } => {}
            }
        }
        if self.is_over() {
            self.outstanding.clear();
        }
        out
    }

    /// The effects whose results have not come back, for a run that is picked up again.
    pub fn outstanding(&self) -> Vec<Effect> {
        self.outstanding.values().cloned().collect()
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// What has been streamed of the answer so far, as an input for the journal; none when that is
    /// nothing.
    pub fn wrote(&self) -> Option<Input> {
        let any = !self.streaming.is_empty() && self.is_current(self.current);
        let preamble = !self.is_worth_keeping();
        any.then(|| Input::PartialOutput { request: self.current, text: self.streaming.text().to_owned(), preamble })
    }

    /// Talk of a researcher is no report; what others say is all there is.
    pub(super) fn is_worth_keeping(&self) -> bool {
        self.streaming.is_answer() || self.desk.is_none()
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

    /// The number of the next request.
    pub(super) fn new_request(&mut self) -> u32 {
        self.requests += 1;
        self.requests
    }

    fn is_current(&self, request: u32) -> bool {
        self.current == request && matches!(self.phase, Phase::Thinking(_)) && self.outstanding.contains_key(&Waiting::Model(request))
    }

    fn checks(&self, request: u32) -> bool {
        self.current == request && matches!(self.phase, Phase::Checking(_))
    }

    pub(super) fn asked(&self) -> &Asked {
        self.asked.as_ref().expect("no input but `Asked` is taken before `Asked`")
    }

    pub(super) fn asked_mut(&mut self) -> &mut Asked {
        self.asked.as_mut().expect("no input but `Asked` is taken before `Asked`")
    }

    pub(super) fn limits_mut(&mut self) -> &mut Limits {
        &mut self.asked_mut().limits
    }

    pub(super) fn next_step(&mut self, out: &mut Vec<Effect>) {
        if let Some(why) = self.hurry.take() {
            self.ask_for_answer(why, out);
            return;
        }
        if self.step >= self.asked().limits.max_steps {
            let steps = self.asked().limits.max_steps;
            self.ask_for_answer(EndReason::StepLimit { steps }, out);
            return;
        }
        self.step += 1;
        out.push(Effect::Emit(Event::StepStarted { step: self.step }));
        self.ask_model(Purpose::Step, out);
    }
}

//! A deep run: a plan, researchers that work at the same time, an evaluation of what they found,
//! and one report.
//!
//! ```text
//! Asked ──▶ Planning ──plan──▶ (Approving) ──▶ Researching ──all ended──▶ Evaluating ──▶ Ended
//!                                                   ▲                       │   │
//!                                                   └──────── delegate ─────┘   ▼
//!                                                                          Synthesizing ──▶ Ended
//! ```
//!
//! Every researcher is a [`Run`] of its own; what happens to it arrives as [`Input::Of`], and what
//! it wants leaves as [`Effect::Of`]. They share one book of sources, so that a page is fetched
//! once and has one number, and one purse.

mod ending;
mod evaluation;
mod json;
mod plan;
mod researchers;
mod writing;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{Asked, DeepOptions, Effect, Input, Purpose, budget::Purse, conversation::size, sources::SourceBook};
use crate::{
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply, ToolSet},
    ports::{Page, TokenCounter},
    pricing::Price,
    protocol::{DeepPhase, Event, Plan, Progress, ResearcherId, Task, TurnState, Usage},
};

use researchers::{Flight, Researcher};

/// Rounds that may be added to those that were planned.
const EXTRA_ROUNDS: u32 = 2;
/// Plans that are asked for before the question itself is the plan.
const PLANS: u32 = 3;

/// One execution of the agents for a turn.
pub struct DeepRun {
    counter: Arc<dyn TokenCounter>,
    asked: Option<Asked>,
    phase: Phase,
    plan: Plan,
    /// From 1; 0 while planning.
    round: u32,
    /// Tasks of this round that nobody works on yet.
    queue: VecDeque<Task>,
    /// Everybody who has begun, in the order in which they did.
    researchers: Vec<Researcher>,
    /// Pages that are being fetched, by the key of the page.
    flights: BTreeMap<String, Flight>,
    book: SourceBook,
    /// What the run's own requests used.
    usage: Usage,
    requests: u32,
    /// The run's own request that has no reply yet, and its number.
    waiting: Option<(u32, Effect)>,
    /// Plans asked for, or evaluations, in this phase.
    attempts: u32,
    /// What has been streamed of the report.
    partial: String,
    /// What has come of a reply of which nobody knows yet whether it is the report.
    unclear: String,
    /// Why the report is written before the research was done.
    limit: Option<String>,
    /// Why it was wanted while an evaluation was arriving already.
    hurry: Option<String>,
    answered_by: Option<String>,
    progress: Progress,
    /// The run is ending: nobody begins anything.
    closing: bool,
}

/// Where the run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    Planning,
    Approving,
    Researching,
    Evaluating,
    Synthesizing,
    Ended,
}

impl DeepRun {
    /// A run that has not begun; the first input is `Asked`.
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self {
            counter,
            asked: None,
            phase: Phase::Idle,
            plan: Plan::default(),
            round: 0,
            queue: VecDeque::new(),
            researchers: Vec::new(),
            flights: BTreeMap::new(),
            book: SourceBook::default(),
            usage: Usage::default(),
            requests: 0,
            waiting: None,
            attempts: 0,
            partial: String::new(),
            unclear: String::new(),
            limit: None,
            hurry: None,
            answered_by: None,
            progress: Progress::default(),
            closing: false,
        }
    }

    /// Takes what happened and says what to do next. Inputs that come too late are ignored.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        match input {
            Input::Asked { asked } if self.phase == Phase::Idle => self.begin(*asked, &mut out),
            _ if matches!(self.phase, Phase::Idle | Phase::Ended) => {}
            Input::Delta { request, delta } if self.waits_for(request) => self.delta(delta, &mut out),
            Input::Wrote { request, text, .. } if self.waits_for(request) => self.partial = text,
            Input::Replied { request, reply } if self.waits_for(request) => self.replied(reply, &mut out),
            Input::ModelFailed { request, error } if self.waits_for(request) => self.model_failed(&error, &mut out),
            Input::PlanApproved { plan } if self.phase == Phase::Approving => {
                self.plan.tasks = plan::tidy(plan.tasks, &self.asked().question);
                self.research(&mut out);
            }
            Input::Of { researcher, input } => self.of(researcher, *input, &mut out),
            Input::StopResearcher { researcher } => self.of(researcher, Input::Cancelled, &mut out),
            Input::FinishNow => self.wrap_up("You asked for the report now.", &mut out),
            Input::TimeUp { hard: false } => self.wrap_up("The time target is reached.", &mut out),
            Input::TimeUp { hard: true } => {
                let why = self.limit.take().unwrap_or_else(|| "The time target was reached.".into());
                self.give_up(&why, &mut out);
            }
            Input::Cancelled => {
                let reason = "You stopped this run. What it had found is kept.";
                self.end(TurnState::Cancelled, Some(reason.into()), None, &mut out);
            }
            _ => {}
        }
        self.tell_progress(&mut out);
        out
    }

    /// The effects whose results have not come back, for a run that is picked up again.
    pub fn outstanding(&self) -> Vec<Effect> {
        let mut out: Vec<Effect> = self.waiting.iter().map(|(_, effect)| effect.clone()).collect();
        for researcher in &self.researchers {
            out.extend(self.outstanding_of(researcher));
        }
        out
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// Where the run stands; none before it has begun and after it has ended.
    pub fn phase(&self) -> Option<DeepPhase> {
        match self.phase {
            Phase::Idle | Phase::Ended => None,
            Phase::Planning => Some(DeepPhase::Planning),
            Phase::Approving => Some(DeepPhase::Approving),
            Phase::Researching => Some(DeepPhase::Researching),
            Phase::Evaluating => Some(DeepPhase::Evaluating),
            Phase::Synthesizing => Some(DeepPhase::Synthesizing),
        }
    }

    /// The plan that the person is asked about; none while nothing is asked.
    pub fn proposed(&self) -> Option<&Plan> {
        (self.phase == Phase::Approving).then_some(&self.plan)
    }

    /// What has to be journaled in front of this input, because it depends on what was streamed.
    pub fn wrote(&self, before: &Input) -> Vec<Input> {
        let of = |researcher: &Researcher| {
            let input = Box::new(researcher.run.wrote()?);
            Some(Input::Of { researcher: researcher.id, input })
        };
        match before {
            Input::Of { researcher, .. } | Input::StopResearcher { researcher } => {
                self.researcher(*researcher).and_then(of).into_iter().collect()
            }
            _ => {
                let own = self.waiting.as_ref().filter(|_| !self.partial.is_empty());
                let own = own.map(|(request, _)| Input::Wrote { request: *request, text: self.partial.clone(), talk: false });
                own.into_iter().chain(self.researchers.iter().filter_map(of)).collect()
            }
        }
    }

    /// What has been streamed of the report so far.
    pub fn partial_answer(&self) -> &str {
        &self.partial
    }

    /// The page that has this number.
    pub fn source(&self, number: u32) -> Option<&Page> {
        self.book.get(number).map(|known| &known.page)
    }

    fn asked(&self) -> &Asked {
        self.asked.as_ref().expect("no input but `Asked` is taken before `Asked`")
    }

    fn options(&self) -> DeepOptions {
        self.asked().deep.clone().unwrap_or_default()
    }

    fn waits_for(&self, request: u32) -> bool {
        self.waiting.as_ref().is_some_and(|(waiting, _)| *waiting == request)
    }

    fn enter(&mut self, phase: Phase, out: &mut Vec<Effect>) {
        self.phase = phase;
        if let Some(phase) = self.phase() {
            out.push(Effect::Emit(Event::Phase { phase, round: self.round }));
        }
    }

    fn begin(&mut self, mut asked: Asked, out: &mut Vec<Effect>) {
        self.book = SourceBook::new(std::mem::take(&mut asked.known));
        out.push(Effect::Emit(Event::Started {
            question: asked.question.clone(),
            effort: asked.effort,
            max_steps: asked.limits.max_steps,
            model: asked.model.clone(),
            mode: asked.mode,
        }));
        let assisted = asked.assisted;
        self.asked = Some(asked);
        self.enter(Phase::Planning, out);
        if assisted {
            self.ask_for_plan(None, out);
        } else {
            let plan = plan::local(&self.asked().question);
            self.planned(plan, out);
        }
    }

    /// Asks for a plan; `wrong` says what was wrong with the one before.
    fn ask_for_plan(&mut self, wrong: Option<&str>, out: &mut Vec<Effect>) {
        self.attempts += 1;
        let messages = self.planning_request(wrong);
        if !self.ask_model(Purpose::Planning, messages, out) {
            self.planned(plan::single(&self.asked().question), out);
        }
    }

    fn planned(&mut self, plan: Plan, out: &mut Vec<Effect>) {
        self.attempts = 0;
        self.plan = plan;
        let waits = self.options().approve;
        out.push(Effect::Emit(Event::PlanMade { plan: self.plan.clone(), waits }));
        if waits {
            self.enter(Phase::Approving, out);
        } else {
            self.research(out);
        }
    }

    /// Begins the first round.
    fn research(&mut self, out: &mut Vec<Effect>) {
        let tasks = self.plan.tasks.clone();
        self.next_round(tasks, out);
    }

    fn next_round(&mut self, tasks: Vec<Task>, out: &mut Vec<Effect>) {
        self.round += 1;
        self.queue = tasks.into();
        self.enter(Phase::Researching, out);
        self.employ(out);
    }

    /// A round is complete: is it enough?
    fn round_complete(&mut self, out: &mut Vec<Effect>) {
        let of_round = || self.researchers.iter().filter(|researcher| researcher.id.round == self.round);
        let all_failed = of_round().all(Researcher::has_failed);
        if all_failed {
            let reason =
                of_round().find_map(|researcher| researcher.reason()).unwrap_or_else(|| "None of the researchers found anything.".into());
            let stopped = of_round().all(Researcher::was_stopped);
            if self.researchers.iter().all(Researcher::has_failed) {
                let (state, reason) = match stopped {
                    true => (TurnState::Cancelled, "You stopped every researcher before any had found something.".into()),
                    false => (TurnState::Failed, reason),
                };
                self.end(state, Some(reason), None, out);
                return;
            }
            let why = match stopped {
                true => format!("You stopped the researchers of round {}.", self.round),
                false => format!("All researchers of round {} failed: {reason}", self.round),
            };
            self.limit.get_or_insert(why);
        }
        if !self.asked().assisted {
            self.end_with_findings(out);
        } else if self.limit.is_some() || self.round >= self.last_round() {
            self.synthesize(out);
        } else {
            self.evaluate(out);
        }
    }

    /// No round after this one.
    fn last_round(&self) -> u32 {
        self.plan.target_rounds + EXTRA_ROUNDS
    }

    fn evaluate(&mut self, out: &mut Vec<Effect>) {
        self.enter(Phase::Evaluating, out);
        self.attempts = 1;
        let messages = self.evaluation_request(None);
        if !self.ask_model(Purpose::Evaluation, messages, out) {
            self.report_at_the_ceiling(out);
        }
    }

    /// There is not enough left for anything but the report.
    fn report_at_the_ceiling(&mut self, out: &mut Vec<Effect>) {
        let why = self.purse().reason();
        self.limit.get_or_insert(why);
        self.synthesize(out);
    }

    fn synthesize(&mut self, out: &mut Vec<Effect>) {
        self.enter(Phase::Synthesizing, out);
        let messages = self.synthesis_request();
        if !self.ask_model(Purpose::Synthesis, messages, out) {
            let why = self.limit.take().unwrap_or_else(|| self.purse().reason());
            self.give_up(&why, out);
        }
    }

    /// A limit was reached, or the person has enough: what there is becomes the report.
    fn wrap_up(&mut self, why: &str, out: &mut Vec<Effect>) {
        match self.phase {
            // What is being written may be finished.
            Phase::Synthesizing => {}
            Phase::Evaluating if !self.partial.is_empty() => self.hurry = Some(why.into()),
            _ => {
                self.limit.get_or_insert_with(|| why.into());
                self.abandon_own(out);
                self.dismiss(out);
                if self.researchers.is_empty() {
                    let reason = format!("{why} Nothing had been found until then.");
                    self.end(TurnState::Partial, Some(reason), None, out);
                } else if self.asked().assisted {
                    self.synthesize(out);
                } else {
                    self.end_with_findings(out);
                }
            }
        }
    }

    /// Asks the model; false when there is not enough left for it.
    fn ask_model(&mut self, purpose: Purpose, messages: Vec<Message>, out: &mut Vec<Effect>) -> bool {
        self.unclear.clear();
        self.reset_partial(out);
        let most = self.asked().limits.max_output_tokens;
        let purse = self.purse();
        let grant = if purse.is_limited() {
            let counter = self.counter.clone();
            let prompt = messages.iter().map(|message| size(message, counter.as_ref()) as u64).sum();
            match purpose {
                Purpose::Synthesis => purse.answer(prompt),
                _ => purse.step(prompt),
            }
        } else {
            Some(most)
        };
        let Some(max_output_tokens) = grant else { return false };
        self.requests += 1;
        let body = ModelRequest { messages, tools: ToolSet::None, max_output_tokens };
        let effect = Effect::AskModel { request: self.requests, purpose, body };
        self.waiting = Some((self.requests, effect.clone()));
        out.push(effect);
        true
    }

    /// What the run's own requests may still use.
    fn purse(&self) -> Purse {
        let asked = self.asked();
        Purse::new(&asked.limits, asked.price, self.committed())
    }

    fn reset_partial(&mut self, out: &mut Vec<Effect>) {
        if !self.partial.is_empty() {
            self.partial.clear();
            out.push(Effect::Emit(Event::AnswerReset));
        }
    }

    fn delta(&mut self, delta: Delta, out: &mut Vec<Effect>) {
        let text = match delta {
            Delta::Text(text) => text,
            Delta::Restart => {
                self.unclear.clear();
                self.reset_partial(out);
                return;
            }
            Delta::Reasoning(_) | Delta::Arguments { .. } => return,
        };
        let text = match self.phase {
            Phase::Synthesizing => text,
            Phase::Evaluating if !self.partial.is_empty() => text,
            Phase::Evaluating => {
                self.unclear.push_str(&text);
                if !evaluation::begins_like_a_report(&self.unclear) {
                    return;
                }
                std::mem::take(&mut self.unclear)
            }
            _ => return,
        };
        if !text.is_empty() {
            self.partial.push_str(&text);
            out.push(Effect::Emit(Event::AnswerDelta { text }));
        }
    }

    fn replied(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let Some((_, effect)) = self.waiting.take() else { return };
        // What was streamed and is not in the reply is void: the journal knows the reply alone.
        if reply.text.trim().is_empty() {
            self.reset_partial(out);
        }
        self.usage += self.usage_of(&reply, &effect);
        self.tell_usage(out);
        if let Some(instead) = &reply.instead
            && self.answered_by.as_ref() != Some(&instead.model)
        {
            out.push(Effect::Emit(Event::Notice { text: format!("{} {} takes over.", instead.why, instead.model) }));
            self.answered_by = Some(instead.model.clone());
        }
        match self.phase {
            Phase::Planning => self.plan_came(&reply.text, out),
            Phase::Evaluating => self.evaluated(reply, out),
            Phase::Synthesizing => self.written(reply, out),
            _ => {}
        }
    }

    fn plan_came(&mut self, text: &str, out: &mut Vec<Effect>) {
        let (question, effort) = (self.asked().question.clone(), self.asked().effort);
        // Whoever says nothing is no AI, or has none to spare.
        if text.trim().is_empty() {
            self.planned(plan::local(&question), out);
            return;
        }
        match plan::read(text, &question, effort) {
            Ok(plan) => self.planned(plan, out),
            Err(wrong) if self.attempts < PLANS => self.ask_for_plan(Some(&wrong), out),
            Err(_) => {
                let text = "The model made no plan that can be read; one researcher takes the question as it is.";
                out.push(Effect::Emit(Event::Notice { text: text.into() }));
                self.planned(plan::single(&question), out);
            }
        }
    }

    fn written(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let text = reply.text.trim();
        if reply.finish == FinishReason::ContentFilter {
            // What was streamed is not in the journal, the reply is.
            self.partial.clone_from(&reply.text);
        }
        if text.is_empty() || reply.finish == FinishReason::ContentFilter {
            let why = match reply.finish {
                FinishReason::ContentFilter => "The model's provider refused to write the report.",
                _ => "The model wrote no report.",
            };
            self.give_up(why, out);
            return;
        }
        let is_cut = reply.finish == FinishReason::Length;
        let cut = is_cut.then(|| match self.purse().is_limited() {
            true => "It is cut off there; what the researchers had handed in stands below it.".to_owned(),
            false => "The report is cut off: the model reached its output limit. Raise max_output_tokens in Settings.".to_owned(),
        });
        let limit = self.limit.take().map(|why| format!("{why} This report rests on what was found until then."));
        let reason = match (limit, cut) {
            (Some(limit), Some(cut)) => Some(format!("{limit} {cut}")),
            (limit, cut) => limit.or(cut),
        };
        let state = if reason.is_some() { TurnState::Partial } else { TurnState::Answered };
        // A beginning is worth less than what it was made from.
        let together = if is_cut { self.put_together() } else { String::new() };
        let text = if together.len() > text.len() { format!("{text} …\n\n---\n\n{together}") } else { text.to_owned() };
        self.end(state, reason, Some(text), out);
    }

    fn model_failed(&mut self, error: &ModelError, out: &mut Vec<Effect>) {
        self.waiting = None;
        match self.phase {
            Phase::Planning => self.end(TurnState::Failed, Some(error.to_string()), None, out),
            _ => self.give_up(&error.to_string(), out),
        }
    }

    /// A price of nothing where none is known.
    fn price(&self) -> Price {
        self.asked().price.unwrap_or_default()
    }

    fn researcher(&self, id: ResearcherId) -> Option<&Researcher> {
        self.researchers.iter().find(|researcher| researcher.id == id)
    }
}

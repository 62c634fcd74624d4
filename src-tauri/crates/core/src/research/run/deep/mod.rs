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
//! once and has one number, and one budget.

mod asking;
mod attaching;
mod checking;
mod ending;
mod evaluation;
mod plan;
mod researchers;
mod writing;

use crate::protocol::{EndReason, Reasons};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{
    Asked, DeepOptions, Effect, Input, Purpose, author::Author, awaited::Awaited, check::Draft, egress::Egress, sources::SourceBook,
    streaming::Streaming, unread_attachments::Unread,
};
use crate::{
    ports::{Page, TokenCounter},
    pricing::Price,
    protocol::{DeepPhase, Event, Plan, PlannedTool, Progress, ResearcherId, Task, TurnState, Usage},
    user_tools::UserTool,
};

use researchers::{InFlightFetch, Researcher};

/// How often all researchers together may call one tool of the person's own.
const TOOL_CALLS: u32 = 12;
/// Rounds that may be added to those that were planned.
const EXTRA_ROUNDS: u32 = 2;

/// One execution of the agents for a turn.
pub struct DeepRun {
    counter: Arc<dyn TokenCounter>,
    asked: Asked,
    phase: Phase,
    /// Addresses of what the person gave along with the question.
    attached: Vec<String>,
    /// What could not be read of it, by its names.
    unread_attachments: Vec<Unread>,
    plan: Plan,
    /// From 1; 0 while planning.
    round: u32,
    /// Tasks of this round that nobody works on yet.
    queue: VecDeque<Task>,
    /// Everybody who has begun, in the order in which they did.
    researchers: Vec<Researcher>,
    /// Pages that are being fetched, by the key of the page.
    fetches: BTreeMap<String, InFlightFetch>,
    book: SourceBook,
    /// What may leave this computer, for all researchers: what one of them reads, others are told.
    egress: Egress,
    /// What the run's own requests used.
    usage: Usage,
    /// The run's own effects that have no result yet.
    awaited: Awaited,
    /// The report.
    streaming: Streaming,
    /// Later turns cite its pages by their handles already.
    keeps_handles: bool,
    /// Why the report is written before the research was done.
    limit: Option<Reasons>,
    /// Why it was wanted while an evaluation was arriving already.
    hurry: Option<EndReason>,
    author: Author,
    /// Requests that did not fit the context window.
    overflows: u32,
    progress: Progress,
    /// The run is ending: nobody begins anything.
    closing: bool,
}

/// Where the run stands.
enum Phase {
    /// What the person gave along is read.
    Attaching,
    /// `attempts` plans have been requested.
    Planning {
        attempts: u32,
    },
    Approving,
    Researching,
    /// `attempts` evaluations have been requested. `unclear` holds the beginning of a reply that may turn out to be the
    /// report or a decision.
    Evaluating {
        attempts: u32,
        unclear: String,
    },
    Synthesizing,
    /// The report is there, and its doubtful statements are looked at once more.
    Checking(Box<Draft>),
    Ended,
}

impl DeepRun {
    /// Begins a run: the run, and what it wants done first.
    pub fn begin(asked: Asked, counter: Arc<dyn TokenCounter>) -> (Self, Vec<Effect>) {
        Self::begin_as(asked, counter, false)
    }

    pub(super) fn begin_as(mut asked: Asked, counter: Arc<dyn TokenCounter>, keeps_handles: bool) -> (Self, Vec<Effect>) {
        let egress = Egress::new(&asked);
        let book = SourceBook::new(std::mem::take(&mut asked.known)).above(asked.numbers_above.unwrap_or_default());
        let mut run = Self {
            counter,
            asked,
            phase: Phase::Attaching,
            attached: Vec::new(),
            unread_attachments: Vec::new(),
            plan: Plan::default(),
            round: 0,
            queue: VecDeque::new(),
            researchers: Vec::new(),
            fetches: BTreeMap::new(),
            book,
            egress,
            usage: Usage::default(),
            awaited: Awaited::default(),
            streaming: Streaming::default(),
            keeps_handles,
            limit: None,
            hurry: None,
            author: Author::default(),
            overflows: 0,
            progress: Progress::default(),
            closing: false,
        };
        let mut out = vec![Effect::Emit(run.asked.started())];
        run.read_attached(&mut out);
        run.tell_progress(&mut out);
        (run, out)
    }

    /// Takes what happened and says what to do next. Inputs that come too late are ignored.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        match (&self.phase, input) {
            (Phase::Ended, _) => {}
            (Phase::Checking(_), input) => self.step_of_check(input, &mut out),
            (_, Input::Delta { request, delta }) if self.waits_for(request) => self.delta(delta, &mut out),
            (_, Input::PartialOutput { request, text, .. }) if self.waits_for(request) => self.streaming.restore(text, true),
            (_, Input::Replied { request, reply }) if self.waits_for(request) => self.replied(request, reply, &mut out),
            (_, Input::ModelFailed { request, error }) if self.waits_for(request) => self.model_failed(request, &error, &mut out),
            (Phase::Attaching, Input::PageRead { key, page }) => self.attached(key, page.map(|page| *page), &mut out),
            (Phase::Approving, Input::PlanApproved { plan }) => self.approved(plan, &mut out),
            (_, Input::Of { researcher, input }) => self.of(researcher, *input, &mut out),
            (_, Input::StopResearcher { researcher }) => self.of(researcher, Input::Cancelled, &mut out),
            (_, Input::FinishNow) => self.wrap_up(EndReason::ReportWanted, &mut out),
            (_, Input::TimeUp { hard: false }) => self.wrap_up(EndReason::TimeTarget, &mut out),
            (_, Input::TimeUp { hard: true }) => {
                let why = self.limit.take().unwrap_or_else(|| EndReason::TimeTarget.into());
                self.give_up(why, &mut out);
            }
            (_, Input::Cancelled) => self.end(TurnState::Cancelled, EndReason::Cancelled.into(), None, &mut out),
            _ => {}
        }
        self.tell_progress(&mut out);
        out
    }

    /// The person lets the plan be carried out, perhaps changed.
    fn approved(&mut self, plan: Plan, out: &mut Vec<Effect>) {
        // What the person wrote into the plan may leave, like their question.
        let proposed = std::mem::take(&mut self.plan.tasks);
        let proposed = proposed.iter().map(|task| task.goal.as_str()).collect::<Vec<_>>().join("\n");
        for task in &plan.tasks {
            self.egress.typed_into(&proposed, &task.goal);
        }
        self.plan.tasks = plan::tidy(plan.tasks, &self.asked.question);
        // A plan can leave tools out and add none.
        self.plan.tools.retain(|tool| plan.tools.iter().any(|kept| kept.name == tool.name));
        self.research(out);
    }

    /// The effects whose results have not come back, for a run that is picked up again.
    pub fn outstanding(&self) -> Vec<Effect> {
        let mut out = self.awaited.effects();
        for researcher in &self.researchers {
            out.extend(self.outstanding_of(researcher));
        }
        out
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// Where the run stands; none once the report is there.
    pub fn phase(&self) -> Option<DeepPhase> {
        match self.phase {
            Phase::Checking(_) | Phase::Ended => None,
            Phase::Attaching | Phase::Planning { .. } => Some(DeepPhase::Planning),
            Phase::Approving => Some(DeepPhase::Approving),
            Phase::Researching => Some(DeepPhase::Researching),
            Phase::Evaluating { .. } => Some(DeepPhase::Evaluating),
            Phase::Synthesizing => Some(DeepPhase::Synthesizing),
        }
    }

    /// The plan that the person is asked about; none while nothing is asked.
    pub fn proposed(&self) -> Option<&Plan> {
        matches!(self.phase, Phase::Approving).then_some(&self.plan)
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
                let is_written = !self.streaming.is_empty() && !matches!(self.phase, Phase::Checking(_));
                let request = self.awaited.requests();
                let own = (is_written && self.waits_for(request)).then(|| Input::PartialOutput {
                    request,
                    text: self.streaming.text().to_owned(),
                    preamble: false,
                });
                own.into_iter().chain(self.researchers.iter().filter_map(of)).collect()
            }
        }
    }

    /// What the model has written of the report so far.
    pub fn partial_by_handle(&self) -> &str {
        self.streaming.text()
    }

    /// What has been streamed of the report so far.
    pub fn partial_answer(&self) -> &str {
        self.streaming.shown()
    }

    /// The page that has this number.
    pub fn source(&self, number: u32) -> Option<&Page> {
        self.book.get(number).map(|known| &known.page)
    }

    fn options(&self) -> DeepOptions {
        self.asked.deep.clone().unwrap_or_default()
    }

    fn waits_for(&self, request: u32) -> bool {
        self.awaited.has_request(request)
    }

    fn enter(&mut self, phase: Phase, out: &mut Vec<Effect>) {
        self.phase = phase;
        if let Some(phase) = self.phase() {
            out.push(Effect::Emit(Event::Phase { phase, round: self.round }));
        }
    }

    fn begin_plan(&mut self, out: &mut Vec<Effect>) {
        self.enter(Phase::Planning { attempts: 0 }, out);
        if self.asked.assisted {
            self.ask_for_plan(None, out);
        } else {
            let plan = plan::local(&self.asked.question);
            self.planned(plan, out);
        }
    }

    /// Asks for a plan; `wrong` says what was wrong with the one before.
    fn ask_for_plan(&mut self, wrong: Option<&str>, out: &mut Vec<Effect>) {
        if let Phase::Planning { attempts } = &mut self.phase {
            *attempts += 1;
        }
        let messages = self.planning_request(wrong);
        if !self.ask_model(Purpose::Planning, messages, out) {
            self.planned(plan::single(&self.asked.question), out);
        }
    }

    fn planned(&mut self, plan: Plan, out: &mut Vec<Effect>) {
        self.plan = plan;
        self.plan.tools = self.planned_tools();
        let asked = &self.asked;
        let is_granted = |planned: &PlannedTool| asked.tools.iter().any(|tool| tool.name == planned.name && tool.granted);
        let waits = self.options().approve || !self.plan.tools.iter().all(is_granted);
        out.push(Effect::Emit(Event::PlanMade { plan: self.plan.clone(), waits }));
        if waits {
            self.enter(Phase::Approving, out);
        } else {
            self.research(out);
        }
    }

    /// What researchers may call of the person's own. What changes things would have to be asked about each time, by
    /// several of them at once, and so would everything in a private thread.
    pub(super) fn planned_tools(&self) -> Vec<PlannedTool> {
        let asked = &self.asked;
        let fits = |tool: &&UserTool| tool.reads && !tool.fleeting && (tool.granted || asked.may_ask);
        let planned = |tool: &UserTool| PlannedTool {
            name: tool.name.clone(),
            server: tool.server.clone(),
            tool: tool.tool.clone(),
            calls: TOOL_CALLS,
        };
        asked.tools.iter().filter(fits).map(planned).collect()
    }

    /// Begins the first round.
    fn research(&mut self, out: &mut Vec<Effect>) {
        for tool in &self.plan.tools {
            self.egress.grants.give_calls(&tool.name, tool.calls);
        }
        let tasks = self.plan.tasks.clone();
        self.next_round(tasks, out);
    }

    fn next_round(&mut self, tasks: Vec<Task>, out: &mut Vec<Effect>) {
        self.round += 1;
        self.queue = tasks.into();
        self.enter(Phase::Researching, out);
        self.spawn_researchers(out);
    }

    /// A round is complete: is it enough?
    fn round_complete(&mut self, out: &mut Vec<Effect>) {
        let of_round = || self.researchers.iter().filter(|researcher| researcher.id.round == self.round);
        let all_failed = of_round().all(Researcher::has_failed);
        if all_failed {
            let reason = of_round().map(researchers::Researcher::reason).find(|reason| !reason.is_empty());
            let reason = reason.unwrap_or_else(|| EndReason::NoResearcherFoundAnything.into());
            let stopped = of_round().all(Researcher::was_stopped);
            if self.researchers.iter().all(Researcher::has_failed) {
                let (state, reason) = match stopped {
                    true => (TurnState::Cancelled, EndReason::AllResearchersStopped.into()),
                    false if self.put_together().is_empty() => (TurnState::Failed, reason),
                    false => (TurnState::Partial, reason.and(EndReason::PutTogether)),
                };
                self.end(state, reason, None, out);
                return;
            }
            let why = match stopped {
                true => EndReason::ResearchersStopped { round: self.round }.into(),
                false => [EndReason::ResearchersFailed { round: self.round }].into_iter().chain(reason).collect(),
            };
            self.limit.get_or_insert(why);
        }
        if !self.asked.assisted {
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
        self.enter(Phase::Evaluating { attempts: 1, unclear: String::new() }, out);
        let messages = self.evaluation_request(None);
        if !self.ask_model(Purpose::Evaluation, messages, out) {
            self.report_at_the_ceiling(out);
        }
    }

    /// There is not enough left for anything but the report.
    fn report_at_the_ceiling(&mut self, out: &mut Vec<Effect>) {
        let why = self.token_budget().reason();
        self.limit.get_or_insert(why.into());
        self.synthesize(out);
    }

    fn synthesize(&mut self, out: &mut Vec<Effect>) {
        self.enter(Phase::Synthesizing, out);
        let messages = self.synthesis_request();
        if !self.ask_model(Purpose::Synthesis, messages, out) {
            let why = self.limit.take().unwrap_or_else(|| self.token_budget().reason().into());
            self.give_up(why, out);
        }
    }

    /// A limit was reached, or the person has enough: what there is becomes the report.
    fn wrap_up(&mut self, why: EndReason, out: &mut Vec<Effect>) {
        match self.phase {
            // What is being written may be finished.
            Phase::Synthesizing => {}
            Phase::Evaluating { .. } if !self.streaming.is_empty() => self.hurry = Some(why),
            _ => {
                self.limit.get_or_insert_with(|| why.clone().into());
                self.abandon_own(self.arrived(), out);
                self.cancel_all(out);
                if self.researchers.is_empty() {
                    self.end(TurnState::Partial, Reasons::from(why).and(EndReason::NothingFoundYet), None, out);
                } else if self.asked.assisted {
                    self.synthesize(out);
                } else {
                    self.end_with_findings(out);
                }
            }
        }
    }

    /// A price of nothing where none is known.
    fn price(&self) -> Price {
        self.asked.price.unwrap_or_default()
    }

    fn researcher(&self, id: ResearcherId) -> Option<&Researcher> {
        self.researchers.iter().find(|researcher| researcher.id == id)
    }
}

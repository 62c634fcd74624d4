//! What every frontend (window, command line, MCP server) is told about a run, and what it may show.
//!
//! The TypeScript twin of these types is `ui/js/protocol.d.ts`; a test keeps the two the same.

mod deep;
mod ending;
mod form;
mod hooks;
mod library;
mod notice;
mod opinion;
mod outgoing;
mod reason;
mod source;
mod space;
mod team;
mod thread;
mod upgrade;
mod watched;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{cause::Cause, failure::Failure};

pub use crate::{
    reading::{Citation, Correction, CorrectionKind, Detection, SecondLook, Statement, StatementCounts, Support},
    research::{
        incident::{Incident, IncidentAction, IncidentKind},
        usage::Usage,
    },
};
pub use deep::{Decision, DeepPhase, Findings, Method, Mode, Plan, PlannedTool, Progress, ResearcherId, Task, Unfinished};
pub use ending::Ending;
pub use form::{FieldKind, FieldProblem, Form, FormField, FormOption, FormProblem};
pub use hooks::{Delivery, DeliveryOutcome, HookEvent};
pub use library::{
    AskedBefore, DeletedItem, LibraryHit, LibraryPage, LibraryQuery, LibraryRow, Memory, Piece, SavedSearch, TurnOutline, TypedHints,
};
pub use notice::Notice;
pub use opinion::{Agreement, Compared, SecondOpinion};
pub use outgoing::{HeldId, Outgoing};
pub use reason::{EndReason, Reasons};
pub use source::{Passage, ResultLine, Source};
pub use space::{Space, SpaceDraft};
pub use team::{SharedFacts, TeamFacts, TeamPage, TeamRow, TeamSearch, TeamStatus};
pub use thread::{EarlierSummary, ThreadSummary, ThreadTitle};
pub use watched::{AnswerChange, CheckOutcome, NewStatement, NotChecked, Schedule, ScheduleProblem, WatchedHow, WatchedQuestion};

use crate::{
    citations,
    ids::{ThreadId, TurnId},
    ports::{SearchTool, TimeRange},
    urls,
};

/// How many steps a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// At most 8 steps.
    S,
    /// At most 16 steps.
    #[default]
    M,
    /// At most 32 steps.
    L,
}

impl Effort {
    /// The largest number of steps a run of this effort takes.
    pub fn max_steps(self) -> u32 {
        match self {
            Effort::S => 8,
            Effort::M => 16,
            Effort::L => 32,
        }
    }

    /// `s`, `m` or `l`.
    pub fn as_str(self) -> &'static str {
        match self {
            Effort::S => "s",
            Effort::M => "m",
            Effort::L => "l",
        }
    }
}

impl std::str::FromStr for Effort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_ascii_lowercase().as_str() {
            "s" => Ok(Effort::S),
            "m" => Ok(Effort::M),
            "l" => Ok(Effort::L),
            other => Err(format!("effort must be s, m or l, not {other:?}")),
        }
    }
}

/// Where a run looks for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Focus {
    Web,
    Documents,
    #[default]
    Both,
}

impl Focus {
    /// `web`, `documents` or `both`.
    pub fn as_str(self) -> &'static str {
        match self {
            Focus::Web => "web",
            Focus::Documents => "documents",
            Focus::Both => "both",
        }
    }
}

impl std::str::FromStr for Focus {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_ascii_lowercase().as_str() {
            "web" => Ok(Self::Web),
            "documents" => Ok(Self::Documents),
            "both" => Ok(Self::Both),
            other => Err(format!("focus must be web, documents or both, not {other:?}")),
        }
    }
}

/// How a run stands. Every run ends in one of the last six.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    Running,
    /// The model gave its answer.
    Answered,
    /// There is an answer, but a limit was reached or the model failed first; the reason says which.
    Partial,
    /// The search came to its end, and nothing answers the question.
    NothingFound,
    /// The person stopped it; what was there is kept.
    Cancelled,
    /// It could not go on; the reason says why.
    Failed,
    /// The program went away in the middle; the run can be resumed.
    Interrupted,
}

impl TurnState {
    /// The word used in the database, in JSON and in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            TurnState::Running => "running",
            TurnState::Answered => "answered",
            TurnState::Partial => "partial",
            TurnState::NothingFound => "nothing_found",
            TurnState::Cancelled => "cancelled",
            TurnState::Failed => "failed",
            TurnState::Interrupted => "interrupted",
        }
    }

    /// Reads what [`TurnState::as_str`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let all = [
            TurnState::Running,
            TurnState::Answered,
            TurnState::Partial,
            TurnState::NothingFound,
            TurnState::Cancelled,
            TurnState::Failed,
            TurnState::Interrupted,
        ];
        all.into_iter().find(|state| state.as_str() == text)
    }
}

/// What happened in a run. Faces fold these in order; they hold no other knowledge of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The first event of every run.
    Started {
        question: String,
        effort: Effort,
        max_steps: u32,
        model: String,
        #[serde(skip_serializing_if = "Mode::is_quick", default)]
        #[ts(as = "Option<Mode>", optional)]
        mode: Mode,
        /// What the model was told of what the person wants remembered.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        #[ts(as = "Option<Vec<String>>", optional)]
        memories: Vec<String>,
    },
    /// The user's documents are being indexed; counted in files.
    Indexing { done: u32, total: u32 },
    /// The model is asked what to do next.
    StepStarted { step: u32 },
    /// Text that the model reasons with; never part of the answer.
    Reasoning { step: u32, text: String },
    /// The model asked for searches.
    Searching {
        step: u32,
        queries: Vec<String>,
        /// How new the results are wanted.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        range: Option<TimeRange>,
        /// Where it is searched.
        #[serde(skip_serializing_if = "SearchTool::is_web", default)]
        #[ts(as = "Option<SearchTool>", optional)]
        tool: SearchTool,
    },
    /// One query came back.
    SearchDone {
        step: u32,
        query: String,
        /// Which search backend answered; empty when none did.
        backend: String,
        count: u32,
        results: Vec<ResultLine>,
        /// Why it came back with nothing, in English, as the model reads it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        error: Option<String>,
        /// The same as facts.
        #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "super::lenient::if_known")]
        #[ts(optional)]
        cause: Option<Box<Cause>>,
    },
    /// A page is being fetched.
    Reading { step: u32, url: String, title: String },
    /// A page was read and is now a source. Its number is a handle while the run goes on.
    PageRead { step: u32, url: String, title: String, number: u32, words: u32 },
    /// The model takes what matters out of a page that was read.
    Extracting { step: u32, url: String, number: u32 },
    /// A page could not be read; it gets no number.
    PageFailed {
        step: u32,
        url: String,
        /// In English, as the model reads it.
        reason: String,
        /// The same as facts.
        #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "super::lenient::if_known")]
        #[ts(optional)]
        cause: Option<Box<Cause>>,
    },
    /// The model calls a tool of the person's own.
    Calling {
        step: u32,
        call: u32,
        server: String,
        tool: String,
        /// As JSON.
        arguments: String,
    },
    /// Such a call came back, or was not made.
    Called {
        step: u32,
        call: u32,
        /// What it returned, by its numbers; handles while the run goes on.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        #[ts(as = "Option<Vec<u32>>", optional)]
        numbers: Vec<u32>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        error: Option<String>,
        /// The same as facts; none in journals of earlier versions.
        #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "super::lenient::if_known")]
        #[ts(optional)]
        cause: Option<Box<Cause>>,
        /// The person did not allow it, or nobody was there to do so.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        #[ts(as = "Option<bool>", optional)]
        refused: bool,
    },
    /// A call says how far it is. Not kept.
    CallProgress {
        step: u32,
        call: u32,
        done: f64,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        total: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[ts(optional)]
        message: Option<String>,
    },
    /// A call wants the person to fill in a form. Not kept.
    FormAsked { id: u32, form: Form },
    /// The form is filled in, or no longer wanted. Not kept.
    FormClosed { id: u32 },
    /// Something is held back because it could carry private text away, or is a call that nobody has granted; `waits` says that the person is asked.
    Held { step: u32, call: u32, part: u32, what: Outgoing, waits: bool },
    /// What was held back may go, or may not.
    Released { step: u32, call: u32, part: u32, allowed: bool },
    /// More of the answer.
    AnswerDelta { text: String },
    /// What was streamed of the answer is void, because the model is asked again.
    AnswerReset,
    /// The answer is there, and the model looks once more at so many of its statements.
    Checking { statements: u32 },
    /// The conversation was summarised to fit the model's context window.
    Compacted { step: u32, before: u32, after: u32 },
    /// The oldest turns of the thread are being summarised, because they no longer fit into the context window.
    Summarising { turns: u32 },
    /// They are. The ending holds the summary.
    Summarised { turns: u32 },
    /// The earlier turns fill this share of the room that the context window has for them.
    ThreadFilling { percent: u32 },
    /// Something the person should know although the run goes on.
    Notice {
        // Earlier versions kept a sentence.
        #[serde(alias = "text", deserialize_with = "notice::kept")]
        notice: Notice,
    },
    /// Something went wrong, or has to be waited for.
    Incident { incident: Incident },
    /// The sources so far.
    Sources { sources: Vec<Source> },
    /// Tokens and money so far, and how full the context window is.
    Usage { usage: Usage, context: u32, max_context: u32 },
    /// A deep run has come to another phase; the round is 0 before the first one.
    Phase { phase: DeepPhase, round: u32 },
    /// A deep run has a plan; `waits` says that the person is asked about it.
    PlanMade { plan: Plan, waits: bool },
    /// A researcher begins.
    ResearcherStarted { researcher: ResearcherId, task: Task },
    /// Something happened in a researcher's own run.
    Researcher { researcher: ResearcherId, event: Box<Event> },
    /// A researcher has ended.
    ResearcherEnded { researcher: ResearcherId, findings: Findings },
    /// A researcher is told what another one found.
    ReportInjected { from: ResearcherId, to: ResearcherId },
    /// A round was evaluated; the tasks are those of the next one.
    Decided { round: u32, decision: Decision, tasks: Vec<Task> },
    /// How far a deep run is.
    Progress { progress: Progress },
    /// The last event of every run.
    Ended { ending: Ending },
}

impl Event {
    /// A page could not be read for this reason.
    pub fn page_failed(step: u32, url: String, failure: &Failure) -> Self {
        Self::PageFailed { step, url, reason: failure.message.clone(), cause: failure.cause.clone() }
    }

    /// The event itself, whichever researcher of a deep run it belongs to.
    pub fn own(&self) -> &Event {
        match self {
            Event::Researcher { event, .. } => event.own(),
            event => event,
        }
    }

    /// The same with the numbers of `numbers` in place of handles, as it is kept when the run has ended.
    pub fn renumbered(self, numbers: &BTreeMap<u32, u32>) -> Self {
        let new = |handle: u32| numbers.get(&handle).copied().unwrap_or(handle);
        match self {
            Event::PageRead { step, url, title, number, words } => Event::PageRead { step, url, title, number: new(number), words },
            Event::Called { step, call, numbers, error, cause, refused } => {
                Event::Called { step, call, numbers: numbers.into_iter().map(new).collect(), error, cause, refused }
            }
            Event::Extracting { step, url, number } => Event::Extracting { step, url, number: new(number) },
            Event::Researcher { researcher, event } => Event::Researcher { researcher, event: Box::new(event.renumbered(numbers)) },
            Event::ResearcherEnded { researcher, mut findings } => {
                let markers = citations::citations(&findings.report);
                findings.report = citations::renumber(&findings.report, &markers, numbers).answer;
                Event::ResearcherEnded { researcher, findings }
            }
            other => other,
        }
    }
}

/// An event with its place in the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
pub struct EventEnvelope {
    pub turn: TurnId,
    /// From 0, without gaps.
    #[ts(type = "number")]
    pub seq: u64,
    /// Milliseconds since the run began.
    #[ts(type = "number")]
    pub elapsed_ms: u64,
    pub event: Event,
}

/// A turn as it is kept: all that a frontend needs to show it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Turn {
    pub id: TurnId,
    pub thread: ThreadId,
    pub question: String,
    pub effort: Effort,
    #[serde(default)]
    pub mode: Mode,
    pub model: String,
    /// Unix time in milliseconds when it was asked.
    #[ts(type = "number")]
    pub asked_ms: i64,
    #[ts(type = "number")]
    pub duration_ms: u64,
    /// The ending, or what is known of it so far while the state is `running` or `interrupted`.
    pub ending: Ending,
    /// What another model was asked about it afterwards.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub second: Option<Box<SecondOpinion>>,
    /// What it says that an earlier answer to the same question did not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub change: Option<Box<AnswerChange>>,
    /// The run's events without answer deltas.
    pub events: Vec<EventEnvelope>,
}

impl Turn {
    /// Whether its model was shown anything, as a search result or as a page, at an address of this kind.
    pub fn was_shown(&self, kind: impl Fn(&str) -> bool) -> bool {
        let shown = |event: &Event| match event.own() {
            Event::SearchDone { results, .. } => results.iter().any(|result| kind(&result.url)),
            Event::PageRead { url, .. } => kind(url),
            // What a server says of a failure has no source of its own.
            Event::Called { error: Some(_), refused: false, .. } => kind(&urls::tool_address("", "", "", false)),
            _ => false,
        };
        self.events.iter().any(|envelope| shown(&envelope.event)) || self.ending.sources.iter().any(|source| kind(&source.url))
    }
}

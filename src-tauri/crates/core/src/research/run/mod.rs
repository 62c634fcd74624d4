//! A run as a pure state machine: inputs are what happened, effects are what to do next.
//!
//! ```text
//! Asked ──▶ Thinking ──reply──▶ Acting ──all results──▶ Thinking ── … ──▶ (Checking) ──▶ Ended
//! ```
//!
//! Thinking is about the next step, the answer alone, or a summary that makes room in the window. Before the run ends,
//! statements that their sources do not support are looked at once more.
//!
//! While it acts, pages that were asked for with instructions or in chunks are given to the model
//! one by one, beside the conversation.
//!
//! A [`DeepRun`] makes a plan, carries out such a run for each of its researchers, and writes one
//! report from theirs; see there. [`AnyRun`] is either.
//!
//! A journal begins with [`Input::Asked`]. [`AnyRun::begin`] with that and a step for each input after it give the run
//! as it was at that moment, and [`AnyRun::outstanding`] the effects whose results had not come back.

mod acting;
mod attached;
mod author;
mod awaited;
mod budget;
pub mod change;
mod check;
mod compact;
mod conversation;
mod deep;
mod egress;
mod ending;
mod extraction;
mod finish;
mod fit;
mod gathering;
mod input;
mod json;
mod machine;
mod numbers;
mod opening;
pub mod opinion;
mod own_words;
mod permit;
mod prefetch;
mod range;
mod researcher;
mod results;
mod round;
mod setbacks;
mod sources;
mod spending;
mod streaming;
mod thinking;
pub mod thread_summary;
mod tokens;
mod trail;
mod unread_attachments;
mod using;
mod without_model;
mod writings;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ids::TurnId,
    model::{ModelRequest, Thinking},
    ports::{Page, Query, SearchTool, TokenCounter},
    preferences::Preferences,
    pricing::Price,
    prompts::{Prompts, Standing},
    protocol::{EarlierSummary, Effort, Ending, Event, Focus, Mode, Outgoing, Plan, ResearcherId, Task},
    settings::COMPACT_AT,
    user_tools::UserTool,
};

pub use crate::{
    model::{PageResult, Purpose, QueryResult, ReadPage, Shown, ToolResult},
    prompts::KnownSource,
};
pub use attached::{Attachment, CALL as ATTACHED_CALL, is_attached};
pub use deep::DeepRun;
pub use egress::{is_private, rests_on_private};
pub use input::Input;
pub use machine::Run;
pub use own_words::OwnWords;
pub use results::excerpt;

/// The part of a tool call that an effect performs: step, call within the step, part of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    pub step: u32,
    pub call: u32,
    pub part: u32,
}

/// Tokens that the description of the tools takes, which no message shows.
const TOOLS: u32 = 600;

/// The sizes a run keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// In steps.
    pub max_steps: u32,
    /// In tokens.
    pub max_context: u32,
    /// Share of the window at which compaction begins.
    pub compact_at: f64,
    /// In words.
    pub compact_target_words: u32,
    /// In assistant messages.
    pub preserve_last: u32,
    /// In tokens.
    pub max_output_tokens: u32,
    /// Tokens that the descriptions of the person's own tools take.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub user_tools: u32,
    /// Tokens that the whole run may use.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_tokens: Option<u64>,
    /// Millionths of a US dollar that the whole run may cost.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_cost: Option<u64>,
}

impl Limits {
    /// The largest number of tokens a conversation may have before it is compacted: a share of the
    /// window, which has to leave room for the reply and the tools.
    fn compaction_threshold(&self) -> usize {
        let share = (f64::from(self.max_context) * self.compact_at) as usize;
        let room =
            self.max_context.saturating_sub(self.max_output_tokens).saturating_sub(TOOLS + self.user_tools).max(self.max_context / 4);
        share.min(room as usize)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: Effort::M.max_steps(),
            max_context: 128_000,
            compact_at: COMPACT_AT,
            compact_target_words: 5000,
            preserve_last: 3,
            max_output_tokens: 8192,
            user_tools: 0,
            max_tokens: None,
            max_cost: None,
        }
    }
}

/// An earlier turn of the thread.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Earlier {
    /// Which one it is; none in journals of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub turn: Option<TurnId>,
    pub question: String,
    pub answer: String,
    /// The answer rests on private text.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub private: bool,
}

/// How a deep run goes about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeepOptions {
    /// Researchers that work at the same time.
    pub parallel: u32,
    /// Whether the person is shown the plan first.
    pub approve: bool,
    /// What researchers may search with.
    pub tools: Vec<SearchTool>,
}

impl Default for DeepOptions {
    fn default() -> Self {
        Self { parallel: 3, approve: false, tools: vec![SearchTool::Web] }
    }
}

/// What a researcher of a deep run is told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Assignment {
    pub task: Task,
    /// What the person asked.
    pub question: String,
    pub tools: Vec<SearchTool>,
    /// What others have found already.
    pub notes: Vec<String>,
}

/// The question and all that a run needs to know at its beginning.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Asked {
    pub question: String,
    pub effort: Effort,
    pub limits: Limits,
    /// What frontends show as the model.
    pub model: String,
    /// What the run itself writes into an answer.
    #[serde(skip_serializing_if = "OwnWords::are_usual", default)]
    pub own_words: OwnWords,
    /// The day it was asked, as `YYYY-MM-DD`.
    pub today: String,
    /// The day with the time and its zone, as in prompts: `2026-11-26, 14:05 (Europe/Berlin, UTC+01:00)`. Empty in
    /// journals of earlier versions.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub moment: String,
    /// By which tokens are counted: an encoding, or empty for an approximation.
    #[serde(default)]
    pub encoding: String,
    /// In seconds, counted over the whole run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time_target: Option<u32>,
    /// Prompts that are not ours.
    #[serde(skip_serializing_if = "no_prompts", default)]
    pub prompts: Prompts,
    /// What the model costs, where it is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub price: Option<Price>,
    /// Whether the model understands text, so that it can extract, choose and summarise; the
    /// built-in researcher does not.
    pub assisted: bool,
    /// Pages that may be fetched before the model asks for them, in the whole run.
    #[serde(default)]
    pub ahead: u32,
    /// Whether the model looks once more at statements that are not supported.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub check: bool,
    /// How much the model is to think.
    #[serde(skip_serializing_if = "Thinking::is_auto", default)]
    pub thinking: Thinking,
    /// Which of the settings' providers is asked first, if the person chose one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub provider: Option<String>,
    #[serde(skip_serializing_if = "is_default", default)]
    pub focus: Focus,
    /// Whether private text keeps the model from addresses and queries that could carry it away.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub guarded: bool,
    /// Whether there is somebody who can be asked to let one of them through.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub may_ask: bool,
    /// Corpora that are searched beside the person's documents, by their names in the settings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub corpora: Vec<String>,
    /// Whether nothing but documents is searched, so that no query goes to the web.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub searches_here: bool,
    /// Whether there are documents of the person's to be searched beside the web.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub documents: bool,
    /// Whether past research may be searched.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub library: bool,
    /// Tools of the person's own that the model may call.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tools: Vec<UserTool>,
    /// How addresses of the handbook begin, which is not private; empty where there is none.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub handbook: String,
    /// Hosts whose results stand behind all others.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub demoted: Vec<String>,
    /// Hosts whose results stand in front of all others.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub preferred: Vec<String>,
    /// The turns of the thread before this one, behind those that the summary covers.
    pub earlier: Vec<Earlier>,
    /// What stands in the place of the oldest turns.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub summary: Option<EarlierSummary>,
    /// Sources of earlier turns, which keep their numbers.
    pub known: Vec<KnownSource>,
    /// For a question that is asked as if nothing had been said in its thread: the highest number of a source there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub numbers_above: Option<u32>,
    /// Folders that this run may search besides those of the settings.
    pub folders: Vec<String>,
    /// Whether those alone are searched, and not the folders of the settings.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub only_folders: bool,
    /// Hosts that the person named: the web is searched there alone.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sites: Vec<String>,
    /// What the person wants Nexi to remember, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub memories: Vec<String>,
    /// How the person likes answers.
    #[serde(skip_serializing_if = "Preferences::is_empty", default)]
    pub preferences: Preferences,
    /// What the person wants followed in the space of this thread; empty where nothing is.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub instructions: String,
    /// What of this is the space's and not the question's.
    #[serde(skip_serializing_if = "OfSpace::is_nothing", default)]
    pub of_space: OfSpace,
    /// What the person gave along with the question, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub attached: Vec<Attachment>,
    #[serde(skip_serializing_if = "Mode::is_quick", default)]
    pub mode: Mode,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub deep: Option<DeepOptions>,
    /// Only for researchers of deep runs, which are told by the deep run and not by the journal.
    #[serde(skip)]
    pub assignment: Option<Assignment>,
}

/// What of a question is that of its space, which may be another one the next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OfSpace {
    /// How many of the folders: the last ones.
    pub folders: u32,
    /// Whether the model is.
    pub model: bool,
}

impl OfSpace {
    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Asked {
    /// The day of the question, with the time where that is known.
    fn now(&self) -> &str {
        if self.moment.is_empty() { &self.today } else { &self.moment }
    }

    /// What the person wants every answer to know and follow.
    fn standing(&self) -> Standing<'_> {
        Standing { preferences: Some(&self.preferences), instructions: &self.instructions, memories: &self.memories }
    }

    /// Whether it is the first question of its thread.
    fn is_first(&self) -> bool {
        self.earlier.is_empty() && self.summary.is_none() && self.assignment.is_none() && self.numbers_above.is_none()
    }

    /// What is told first of a run.
    fn started(&self) -> Event {
        Event::Started {
            question: self.question.clone(),
            effort: self.effort,
            max_steps: self.limits.max_steps,
            model: self.model.clone(),
            mode: self.mode,
            memories: self.memories.clone(),
        }
    }
}

fn is_zero(tokens: &u32) -> bool {
    *tokens == 0
}

fn is_default(focus: &Focus) -> bool {
    *focus == Focus::default()
}

fn no_prompts(prompts: &Prompts) -> bool {
    prompts.0.is_empty()
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the model; answer with `Replied` or `ModelFailed` for the same request.
    AskModel { request: u32, purpose: Purpose, body: ModelRequest },
    /// Search; answer with `Searched` for the same key.
    Search { key: Key, query: Query },
    /// Read; answer with `PageRead` for the same key.
    Read { key: Key, url: String },
    /// Call this tool of the person's own; answer with `Called` for the same key.
    Call { key: Key, tool: String, arguments: Value },
    /// Wait for the person to let this through; answer with `Permitted` for the same key, which is no after a while.
    Permit { key: Key, what: Outgoing },
    /// Fetch pages that will probably be asked for. There is no answer to this: whoever performs
    /// it keeps the pages at hand for a later `Read`, and may leave it out.
    Prefetch { urls: Vec<String> },
    /// Stop whatever is still going on; its results would be ignored.
    Abandon,
    /// Tell the frontends.
    Emit(Event),
    /// An effect for one researcher of a deep run; its result comes back as `Input::Of`.
    Of { researcher: ResearcherId, effect: Box<Effect> },
    /// The run is over; frontends hear of it once the ending is saved. `numbers` gives the final number of every page that
    /// was read, by its handle.
    Finish { ending: Box<Ending>, numbers: BTreeMap<u32, u32> },
}

/// A run of either kind.
pub enum AnyRun {
    Quick(Box<Run>),
    Deep(Box<DeepRun>),
}

impl AnyRun {
    /// Begins a run of the kind that `asked` wants: the run, and what it wants done first.
    pub fn begin(asked: Asked, counter: Arc<dyn TokenCounter>) -> (Self, Vec<Effect>) {
        Self::begin_as(asked, counter, false)
    }

    /// The same; a run that `keeps_handles` leaves every page the handle it has as its number. For runs that are resumed
    /// after somebody asked on in their thread: what was asked then may cite pages by their handles.
    pub fn begin_as(asked: Asked, counter: Arc<dyn TokenCounter>, keeps_handles: bool) -> (Self, Vec<Effect>) {
        match asked.mode {
            Mode::Quick => {
                let (run, effects) = Run::begin_as(asked, counter, keeps_handles);
                (Self::Quick(Box::new(run)), effects)
            }
            Mode::Deep => {
                let (run, effects) = DeepRun::begin_as(asked, counter, keeps_handles);
                (Self::Deep(Box::new(run)), effects)
            }
        }
    }

    /// Takes what happened and says what to do next. Inputs that come too late are ignored.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        match self {
            Self::Quick(run) => run.step(input),
            Self::Deep(run) => run.step(input),
        }
    }

    /// The effects whose results have not come back, for a run that is picked up again.
    pub fn outstanding(&self) -> Vec<Effect> {
        match self {
            Self::Quick(run) => run.outstanding(),
            Self::Deep(run) => run.outstanding(),
        }
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        match self {
            Self::Quick(run) => run.is_over(),
            Self::Deep(run) => run.is_over(),
        }
    }

    /// The inputs to journal before this one, because it depends on what was streamed; none where it does not.
    pub fn wrote(&self, before: &Input) -> Vec<Input> {
        match self {
            _ if !before.depends_on_partial() => Vec::new(),
            Self::Quick(run) => run.wrote().into_iter().collect(),
            Self::Deep(run) => run.wrote(before),
        }
    }

    /// What the model has written of the answer so far, with handles: as it is kept while the run goes on, beside
    /// sources that are kept by their handles.
    pub fn partial_by_handle(&self) -> &str {
        match self {
            Self::Quick(run) => run.partial_by_handle(),
            Self::Deep(run) => run.partial_by_handle(),
        }
    }

    /// What has been shown of the answer so far.
    pub fn partial_answer(&self) -> &str {
        match self {
            Self::Quick(run) => run.partial_answer(),
            Self::Deep(run) => run.partial_answer(),
        }
    }

    /// The page that has this handle.
    pub fn source(&self, number: u32) -> Option<&Page> {
        match self {
            Self::Quick(run) => run.source(number),
            Self::Deep(run) => run.source(number),
        }
    }

    /// The plan that the person is asked about; none while nothing is asked.
    pub fn proposed(&self) -> Option<&Plan> {
        match self {
            Self::Quick(_) => None,
            Self::Deep(run) => run.proposed(),
        }
    }
}

//! What frontends are told about deep runs: the plan, the researchers, and how far it is.

use super::Reasons;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::TurnState;

/// Which kind of run answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One researcher.
    #[default]
    Quick,
    /// A plan, several researchers, an evaluation and one report.
    Deep,
}

impl Mode {
    /// `quick` or `deep`.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Quick => "quick",
            Mode::Deep => "deep",
        }
    }

    /// Whether it is the one that is meant where none is named.
    pub fn is_quick(&self) -> bool {
        *self == Mode::Quick
    }
}

impl std::str::FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().to_ascii_lowercase().as_str() {
            "quick" => Ok(Mode::Quick),
            "deep" => Ok(Mode::Deep),
            other => Err(format!("mode must be quick or deep, not {other:?}")),
        }
    }
}

/// A researcher of a deep run: its round and its number there, both from 1. Written as `1.2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, TS, JsonSchema)]
#[ts(type = "string")]
#[schemars(with = "String")]
pub struct ResearcherId {
    pub round: u32,
    pub number: u32,
}

impl std::fmt::Display for ResearcherId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.round, self.number)
    }
}

impl Serialize for ResearcherId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ResearcherId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl std::str::FromStr for ResearcherId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("a researcher is named by round and number, such as 1.2, not {text:?}");
        let (round, number) = text.split_once('.').ok_or_else(wrong)?;
        let id = Self { round: round.parse().map_err(|_| wrong())?, number: number.parse().map_err(|_| wrong())? };
        if id.round == 0 || id.number == 0 { Err(wrong()) } else { Ok(id) }
    }
}

/// What one researcher is to find out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct Task {
    /// A few words.
    pub title: String,
    /// What is to be found out, as a sentence or two.
    pub goal: String,
    /// What to search for first; may be empty.
    #[serde(default)]
    pub queries: Vec<String>,
}

/// How a deep run is meant to go.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct Plan {
    /// What the report may be called.
    pub title: String,
    /// From 1 to 3.
    pub complexity: u8,
    /// Rounds after which the report should be written.
    pub target_rounds: u32,
    /// One for each researcher of the first round.
    pub tasks: Vec<Task>,
    /// Tools of the person's own that researchers may call once the plan is approved.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(as = "Option<Vec<PlannedTool>>", optional)]
    pub tools: Vec<PlannedTool>,
}

/// A tool of the person's own in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct PlannedTool {
    /// What models call it.
    pub name: String,
    pub server: String,
    pub tool: String,
    /// How often all researchers together may call it.
    pub calls: u32,
}

/// Where a deep run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeepPhase {
    Planning,
    /// The person looks at the plan.
    Approving,
    Researching,
    Evaluating,
    Synthesizing,
}

/// What the evaluation of a round came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// What there is, is enough: the report is written.
    Synthesize,
    /// Something is missing: there is another round.
    Delegate,
}

/// How a researcher ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Findings {
    pub state: TurnState,
    /// Never empty unless the state is `answered`.
    #[serde(skip_serializing_if = "Reasons::is_empty", default)]
    #[ts(as = "Option<Reasons>", optional)]
    pub reason: Reasons,
    /// Its report in Markdown; empty where it wrote none.
    pub report: String,
    /// Pages that it read.
    pub pages: u32,
}

/// How far a deep run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct Progress {
    /// Units of work that are done: calls of tools, reports, and the final one.
    pub done: u32,
    /// Units that are planned; more when rounds are added.
    pub planned: u32,
    /// More rounds than planned: nobody knows how far it is.
    pub exploring: bool,
}

impl Progress {
    /// From 0 to 100; none while exploring.
    pub fn percent(self) -> Option<u32> {
        (!self.exploring && self.planned > 0).then(|| (self.done * 100 / self.planned).min(100))
    }
}

/// How a deep run came to its report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
pub struct Method {
    pub title: String,
    pub rounds: u32,
    pub researchers: u32,
    /// Queries that were asked.
    pub searches: u32,
    /// Pages that were read.
    pub pages: u32,
    /// Pages that could not be read.
    pub unread: u32,
    /// What was to be found out and was not, in English: a task's title and why.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub open: Vec<String>,
    /// The same as facts; empty in reports of earlier versions.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(as = "Option<Vec<Unfinished>>", optional)]
    pub unfinished: Vec<Unfinished>,
}

/// A task that came to no report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Unfinished {
    pub title: String,
    pub reason: Reasons,
}

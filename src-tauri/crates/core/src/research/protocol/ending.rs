//! How a turn ended: the answer and everything that has to be known of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::*;

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct Ending {
    pub state: TurnState,
    /// Why it ended so: never empty unless the state is `answered`; there, too, when something about the answer
    /// has to be known.
    #[serde(skip_serializing_if = "Reasons::is_empty", default)]
    #[ts(as = "Option<Reasons>", optional)]
    pub reason: Reasons,
    /// Markdown with `[n]`.
    pub answer: String,
    pub sources: Vec<Source>,
    pub citations: Vec<Citation>,
    /// Its statements, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub statements: Vec<Statement>,
    pub steps: u32,
    pub usage: Usage,
    /// Who answered, when it was not the model that was asked first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub model: Option<String>,
    /// What went wrong and decided who answered, or how: a model that failed, most often.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub incident: Option<Box<Incident>>,
    /// Questions that may come next, as the model proposes them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub follow_ups: Vec<String>,
    /// What a second look by the model came to; none where there was none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub check: Option<Box<SecondLook>>,
    /// How a deep run came to its report; none for quick runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub method: Option<Box<Method>>,
    /// What this run made of the oldest turns of its thread, because they no longer fitted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub summary: Option<Box<EarlierSummary>>,
    /// What the model calls the thread; only in first answers, and not kept with the turn.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub title: Option<Box<ThreadTitle>>,
}

impl Ending {
    /// The day of the newest source that the answer cites, as `YYYY-MM-DD`; none where no day is known.
    pub fn newest_source(&self) -> Option<&str> {
        self.sources.iter().filter(|source| source.cited).filter_map(|source| source.date.as_deref()).max()
    }

    /// How many statements it makes, by their support, and how many citations have no source.
    pub fn counts(&self) -> StatementCounts {
        let mut out = StatementCounts::default();
        for statement in &self.statements {
            out.all += 1;
            *match statement.support {
                Support::Supported => &mut out.supported,
                Support::PartlySupported => &mut out.partly_supported,
                Support::NotSupported => &mut out.not_supported,
                Support::Contradicted => &mut out.contradicted,
                Support::Uncited => &mut out.uncited,
            } += 1;
        }
        let unknown = self.citations.iter().filter(|citation| !citation.known).count();
        StatementCounts { unknown: u32::try_from(unknown).unwrap_or(u32::MAX), ..out }
    }

    /// The ending of a run that could not end by itself; `answer` is what had been streamed.
    pub fn failed(reason: impl Into<Reasons>, answer: impl Into<String>) -> Self {
        Self {
            state: TurnState::Failed,
            reason: reason.into(),
            answer: answer.into(),
            sources: Vec::new(),
            citations: Vec::new(),
            statements: Vec::new(),
            steps: 0,
            usage: Usage::default(),
            model: None,
            incident: None,
            follow_ups: Vec::new(),
            check: None,
            method: None,
            summary: None,
            title: None,
        }
    }
}

//! A finished turn as the one JSON object that scripts read, and as plain text.

use nexi_core::protocol::{Effort, Passage, Source, Turn, TurnState};
use serde::Serialize;

/// What `nexi ask --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub id: String,
    pub thread: String,
    pub question: String,
    pub answer: String,
    pub state: TurnState,
    /// Why, unless the state is `answered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub sources: Vec<ReportSource>,
    pub steps: u32,
    pub effort: Effort,
    pub duration_s: f64,
    pub tokens: ReportTokens,
    pub model: String,
}

/// A source in a [`Report`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportSource {
    pub number: u32,
    pub url: String,
    pub title: String,
    pub cited: bool,
    pub passages: Vec<ReportPassage>,
}

/// A passage in a [`Report`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportPassage {
    pub quote: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
}

/// Tokens in a [`Report`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ReportTokens {
    pub prompt: u64,
    pub completion: u64,
    pub total: u64,
}

impl From<Turn> for Report {
    fn from(turn: Turn) -> Self {
        let ending = turn.ending;
        Self {
            id: turn.id.0,
            thread: turn.thread.0,
            question: turn.question,
            answer: ending.answer,
            state: ending.state,
            reason: ending.reason,
            sources: ending.sources.into_iter().map(ReportSource::from).collect(),
            steps: ending.steps,
            effort: turn.effort,
            duration_s: turn.duration_ms as f64 / 1000.0,
            tokens: ReportTokens { prompt: ending.usage.prompt, completion: ending.usage.completion, total: ending.usage.total() },
            model: turn.model,
        }
    }
}

impl From<Source> for ReportSource {
    fn from(source: Source) -> Self {
        Self {
            number: source.number,
            url: source.url,
            title: source.title,
            cited: source.cited,
            passages: source.passages.into_iter().map(ReportPassage::from).collect(),
        }
    }
}

impl From<Passage> for ReportPassage {
    fn from(passage: Passage) -> Self {
        Self { quote: passage.quote, start_line: passage.start_line, end_line: passage.end_line }
    }
}

/// The list of cited sources as plain lines: `[n] Title - URL`, with the line of a document.
pub fn sources_text(sources: &[Source]) -> String {
    let cited = sources.iter().filter(|source| source.cited);
    let lines: Vec<String> = cited
        .map(|source| {
            let line =
                source.passages.first().and_then(|passage| passage.start_line).map(|line| format!(" (line {line})")).unwrap_or_default();
            if source.title.is_empty() {
                format!("[{}] {}{line}", source.number, source.url)
            } else {
                format!("[{}] {} - {}{line}", source.number, source.title, source.url)
            }
        })
        .collect();
    lines.join("\n")
}

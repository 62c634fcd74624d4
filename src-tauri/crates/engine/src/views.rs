//! What the desktop window is sent besides the protocol of [`nexi_core::protocol`].

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{Effort, Event, EventEnvelope, Turn},
};
use nexi_store::settings_file;
use serde::Serialize;
use ts_rs::TS;

use crate::{Engine, EngineError, render};

/// What the window shows before anything is asked.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Overview {
    /// No settings have been made yet.
    pub first_run: bool,
    pub model: String,
    pub effort: Effort,
    pub warnings: Vec<String>,
    pub version: String,
    pub settings_file: String,
}

/// A run that has begun.
#[derive(Debug, Clone, Serialize, TS)]
pub struct Begun {
    pub thread: ThreadId,
    pub turn: TurnId,
}

/// A turn with its answer as safe HTML.
#[derive(Debug, Clone, Serialize, TS)]
pub struct TurnView {
    pub turn: Turn,
    pub html: String,
}

/// News of a run.
#[derive(Debug, Clone, Serialize, TS)]
pub struct WatchMessage {
    /// Without the deltas of the answer, which are in `html`.
    pub events: Vec<EventEnvelope>,
    /// The answer so far as safe HTML, when it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub html: Option<String>,
}

/// The answer of a run as it grows, for one watcher.
#[derive(Debug, Default)]
pub struct AnswerText {
    markdown: String,
}

impl AnswerText {
    /// Takes events in and makes the message about them.
    pub fn message(&mut self, events: Vec<EventEnvelope>) -> WatchMessage {
        let mut changed = false;
        let mut kept = Vec::with_capacity(events.len());
        for envelope in events {
            match &envelope.event {
                Event::AnswerDelta { text } => {
                    self.markdown.push_str(text);
                    changed = true;
                    continue;
                }
                Event::AnswerReset => {
                    self.markdown.clear();
                    changed = true;
                    continue;
                }
                Event::Ended { ending } => {
                    self.markdown.clone_from(&ending.answer);
                    changed = true;
                }
                _ => {}
            }
            kept.push(envelope);
        }
        WatchMessage { events: kept, html: changed.then(|| render::answer(&self.markdown)) }
    }
}

/// Whether no settings have been made yet.
pub fn first_run(engine: &Engine) -> bool {
    !engine.paths().settings.exists()
}

/// Ends the first run: from now on the built-in researcher answers.
///
/// # Errors
/// When the settings file cannot be written.
pub fn start_without_account(engine: &Engine) -> Result<(), EngineError> {
    if first_run(engine) {
        settings_file::edit(&engine.paths().settings, |document| {
            document["llm_backends"] = settings_file::texts(&["builtin"]);
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nexi_core::ids::TurnId;

    use super::*;

    #[test]
    fn deltas_become_html_and_resets_start_over() {
        let mut answer = AnswerText::default();
        let envelope = |event| EventEnvelope { turn: TurnId("t".into()), seq: 0, elapsed_ms: 0, event };
        let delta = |text: &str| envelope(Event::AnswerDelta { text: text.into() });
        let first = answer.message(vec![envelope(Event::StepStarted { step: 1 }), delta("a *b")]);
        assert_eq!((first.events.len(), first.html.as_deref()), (1, Some("<p>a *b</p>\n")));
        assert_eq!(answer.message(vec![delta("*")]).html.as_deref(), Some("<p>a <em>b</em></p>\n"));
        assert_eq!(answer.message(vec![envelope(Event::AnswerReset), delta("c")]).html.as_deref(), Some("<p>c</p>\n"));
        assert_eq!(answer.message(vec![envelope(Event::StepStarted { step: 2 })]).html, None);
    }
}

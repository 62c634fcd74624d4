//! The answer of a run as it grows, for the windows: what is settled is rendered and sent once.

use nexi_core::{
    open_marks::close_marks,
    protocol::{Ending, Event, EventEnvelope},
};
use serde::Serialize;
use ts_rs::TS;

use crate::render;

/// Events of a run.
#[derive(Debug, Clone, Serialize, TS)]
pub struct WatchMessage {
    /// Milliseconds since the run began.
    #[ts(type = "number")]
    pub elapsed_ms: u64,
    /// Without the deltas of the answer, which are in `answer`.
    pub events: Vec<EventEnvelope>,
    /// The answer so far, when it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub answer: Option<AnswerBlocks>,
}

/// What has changed of an answer: its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct AnswerBlocks {
    /// How many of the blocks that were sent before stay as they are.
    pub keep: u32,
    /// Those behind them, each of them safe HTML.
    pub blocks: Vec<String>,
}

/// The answer of a run as it grows, for one watcher.
#[derive(Debug, Default)]
pub struct AnswerText {
    markdown: String,
    /// Bytes of it that were sent in blocks which nothing changes any more.
    settled: usize,
    /// How many blocks those are.
    blocks: u32,
    /// How many citations stand in them.
    citations: u32,
    ending: Option<Ending>,
}

impl AnswerText {
    /// Takes events in and makes the message about them.
    pub fn message(&mut self, events: Vec<EventEnvelope>) -> WatchMessage {
        let mut changed = false;
        let elapsed_ms = events.last().map_or(0, |envelope| envelope.elapsed_ms);
        let mut kept = Vec::with_capacity(events.len());
        for envelope in events {
            match &envelope.event {
                Event::AnswerDelta { text } => {
                    self.markdown.push_str(text);
                    changed = true;
                    continue;
                }
                Event::AnswerReset => {
                    *self = Self::default();
                    changed = true;
                    continue;
                }
                Event::Ended { ending } => {
                    self.ending = Some(ending.clone());
                    changed = true;
                }
                _ => {}
            }
            kept.push(envelope);
        }
        WatchMessage { elapsed_ms, events: kept, answer: changed.then(|| self.blocks()) }
    }

    fn blocks(&mut self) -> AnswerBlocks {
        if let Some(ending) = &self.ending {
            return AnswerBlocks { keep: 0, blocks: filled(render::ending(ending)).into_iter().collect() };
        }
        let keep = self.blocks;
        let mut blocks = Vec::new();
        let settled = render::settled(&self.markdown[self.settled..]);
        if settled > 0 {
            let (html, citations) = render::part(&self.markdown[self.settled..self.settled + settled], self.citations);
            self.settled += settled;
            self.citations = citations;
            self.blocks += 1;
            // It has its place even where nothing of it is shown.
            blocks.push(html);
        }
        let (open, _) = render::part(&close_marks(&self.markdown[self.settled..]), self.citations);
        blocks.extend(filled(open));
        AnswerBlocks { keep, blocks }
    }
}

fn filled(html: String) -> Option<String> {
    (!html.is_empty()).then_some(html)
}

#[cfg(test)]
mod tests {
    use nexi_core::ids::TurnId;

    use super::*;

    fn envelope(event: Event) -> EventEnvelope {
        EventEnvelope { turn: TurnId("t".into()), seq: 0, elapsed_ms: 0, event }
    }

    fn delta(text: &str) -> EventEnvelope {
        envelope(Event::AnswerDelta { text: text.into() })
    }

    fn blocks(keep: u32, blocks: &[&str]) -> Option<AnswerBlocks> {
        Some(AnswerBlocks { keep, blocks: blocks.iter().map(|block| (*block).to_owned()).collect() })
    }

    #[test]
    fn deltas_become_html_and_resets_start_over() {
        let mut answer = AnswerText::default();
        let first = answer.message(vec![envelope(Event::StepStarted { step: 1 }), delta("a *b")]);
        assert_eq!((first.events.len(), first.answer), (1, blocks(0, &["<p>a <em>b</em></p>\n"])));
        assert_eq!(answer.message(vec![delta("*")]).answer, blocks(0, &["<p>a <em>b</em></p>\n"]));
        assert_eq!(answer.message(vec![envelope(Event::AnswerReset), delta("c")]).answer, blocks(0, &["<p>c</p>\n"]));
        assert_eq!(answer.message(vec![envelope(Event::StepStarted { step: 2 })]).answer, None);
        assert_eq!(answer.message(vec![envelope(Event::AnswerReset)]).answer, blocks(0, &[]));
    }

    #[test]
    fn what_is_settled_is_sent_once_and_its_citations_go_on_counting() {
        let mut answer = AnswerText::default();
        assert_eq!(answer.message(vec![delta("One [1].\n\n")]).answer.map(|answer| answer.blocks.len()), Some(1));
        let second = answer.message(vec![delta("Two [2].")]).answer.unwrap();
        assert_eq!((second.keep, second.blocks.len()), (0, 2));
        assert!(second.blocks[0].contains("One") && second.blocks[0].contains("data-ordinal=\"0\""), "{second:?}");
        assert!(second.blocks[1].contains("Two") && second.blocks[1].contains("data-ordinal=\"1\""), "{second:?}");
        let third = answer.message(vec![delta(" More.")]).answer.unwrap();
        assert_eq!((third.keep, third.blocks.len()), (1, 1), "the first one is not sent again");
    }

    #[test]
    fn a_long_answer_costs_as_much_at_its_end_as_at_its_beginning() {
        let paragraph = "A sentence of a report that goes on for a while [1], and another one [2].\n\n";
        let mut answer = AnswerText::default();
        let sent: Vec<usize> =
            (0..2_000).map(|_| answer.message(vec![delta(paragraph)]).answer.map_or(0, |answer| answer.blocks.concat().len())).collect();
        let most = sent.iter().skip(1).max().copied().unwrap_or_default();
        assert!(most < 4 * sent[0], "{most} bytes of HTML for one paragraph, of which the first one took {}", sent[0]);
    }
}

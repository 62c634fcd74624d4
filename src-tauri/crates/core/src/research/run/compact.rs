//! Making room when the model's context window is nearly full: by the model's own summary, and
//! where that fails or is not enough, without it.

use super::{
    Effect, fit,
    machine::{Request, Run},
};
use crate::protocol::EndReason;
use crate::{
    model::Message,
    protocol::{Event, Incident, IncidentAction, IncidentKind},
    text,
};

/// Compactions of one run; one that fills the window again and again goes round in circles.
const MAX_COMPACTIONS: u32 = 8;
/// The smallest window that a run still works in.
const SMALLEST_WINDOW: u32 = 1500;
/// Tokens that the words of the request take besides the material.
const AROUND: usize = 600;

impl Run {
    /// The request for a summary, made of everything that tools returned and the model said.
    pub(super) fn compaction_request(&mut self) -> Vec<Message> {
        let mut material = String::new();
        for message in self.conversation.tail() {
            let part = match message {
                Message::Assistant { text, .. } => text.clone(),
                Message::Tool { result, .. } => result.render(),
                // An earlier summary.
                Message::User { text } => text.clone(),
                Message::System { .. } => String::new(),
            };
            if !part.trim().is_empty() {
                material.push_str(&part);
                material.push_str("\n\n");
            }
        }
        let asked = &self.asked;
        let limits = asked.limits;
        // The request itself has to fit, with room for its answer.
        let room = limits.compaction_threshold().saturating_sub(AROUND).max(500);
        let material = crate::prompts::disarm(&self.fit(&material, room));
        let asked = &self.asked;
        // A summary that is cut off is worth little: it is asked for in a size that fits.
        let words = limits.compact_target_words.min((limits.max_output_tokens / 2).max(50));
        vec![Message::User { text: asked.prompts.compaction(&asked.question, words, &material) }]
    }

    /// As much of a text as fits into this many tokens.
    pub(super) fn fit(&self, text: &str, room: usize) -> String {
        fit::fit(text, room, self.counter.as_ref())
    }

    /// The summary has come, or could not be had.
    pub(super) fn compacted(&mut self, summary: Option<String>, out: &mut Vec<Effect>) {
        self.compactions += 1;
        let counter = self.counter.clone();
        let limits = self.asked.limits;
        let limit = limits.compaction_threshold();
        let before = self.conversation.tokens(counter.as_ref());
        if let Some(findings) = summary.filter(|text| !text.trim().is_empty()) {
            let summary = self.summary(&findings);
            self.conversation.rebuild(summary, limits.preserve_last as usize);
        }
        let question = self.asked.question.clone();
        let fits = self.conversation.shorten(limit, &question, counter.as_ref());
        let after = self.conversation.tokens(counter.as_ref());
        out.push(Effect::Emit(Event::Compacted { step: self.step, before: before as u32, after: after as u32 }));
        if !fits || self.compactions > MAX_COMPACTIONS {
            self.ask_for_answer(EndReason::ContextFull, out);
        } else {
            self.next_step(out);
        }
    }

    /// How large a request is now.
    fn request_size(&mut self) -> (usize, u32) {
        let counter = self.counter.clone();
        (self.conversation.tokens(counter.as_ref()), self.asked.limits.max_output_tokens)
    }

    /// Whether room may be made and the model asked again.
    pub(super) fn may_shorten(&mut self) -> bool {
        let size = self.request_size();
        self.setbacks.allows(size)
    }

    /// The service says that the conversation does not fit: its window is learned, room is made, and
    /// the model is asked again. `window` and `prompt` are in the service's own tokens.
    pub(super) fn overflowed(&mut self, window: Option<u32>, prompt: Option<u32>, about: Request, out: &mut Vec<Effect>) {
        let size = self.request_size();
        self.setbacks.overflowed(size);
        let counter = self.counter.clone();
        let counted = u32::try_from(size.0).unwrap_or(u32::MAX).max(1);
        let limits = &mut self.asked.limits;
        let told = window.map(|window| match prompt {
            // Services count in other tokens than we do.
            Some(prompt) if prompt > counted => (u64::from(window) * u64::from(counted) / u64::from(prompt)) as u32,
            _ => window,
        });
        let smaller = counted.min(limits.max_context) / 4 * 3;
        // A window that the conversation should fit by our count teaches less than that it did not.
        let room =
            told.filter(|window| *window < counted.saturating_add(limits.max_output_tokens).min(limits.max_context)).unwrap_or(smaller);
        limits.max_context = room.max(SMALLEST_WINDOW);
        limits.max_output_tokens = limits.max_output_tokens.min((limits.max_context / 4).max(256));
        let limit = limits.compaction_threshold();
        let left_out = self.conversation.forget_earlier(limit, counter.as_ref());
        if left_out > 0 {
            let incident = Incident::new(IncidentKind::TurnsLeftOut, "", IncidentAction::None);
            out.push(Effect::Emit(Event::Incident { incident: Incident { amount: Some(left_out), ..incident } }));
        }
        if about == Request::Step {
            // The step is made again when there is room.
            self.step -= 1;
            self.grown(out);
        } else {
            let question = self.asked.question.clone();
            self.conversation.shorten(limit, &question, counter.as_ref());
            self.ask_model(about, out);
        }
    }

    fn summary(&self, findings: &str) -> String {
        let queries = self.trail.queries().iter().map(|query| format!("- {query}")).collect::<Vec<_>>().join("\n");
        let links = self
            .book
            .links()
            .iter()
            .map(|(number, url)| format!("- [{number}] {}", crate::prompts::disarm(&text::truncate(url, 300))))
            .collect::<Vec<_>>()
            .join("\n");
        let question = &self.asked.question;
        let findings = crate::prompts::disarm(findings);
        format!(
            "The research so far, summarised to save room.\n\nQuestion: {question}\n\nSearches made:\n{queries}\n\nFindings, and the pages read with the numbers to cite:\n<untrusted>\n{links}\n\n{findings}\n</untrusted>"
        )
    }

    /// The conversation has grown: either it still fits, or room is made before the next step.
    pub(super) fn grown(&mut self, out: &mut Vec<Effect>) {
        self.take_notes();
        let limits = self.asked.limits;
        let counter = self.counter.clone();
        if self.conversation.exceeds(limits.compaction_threshold(), counter.as_ref()) {
            if self.asked.assisted {
                self.ask_model(Request::Compaction, out);
            } else {
                self.compacted(None, out);
            }
        } else {
            self.next_step(out);
        }
    }
}

//! How a quick run begins: the oldest turns of a long thread are summarised, then the conversation is set up.

use super::{
    Effect,
    machine::{Phase, Request, Run},
    researcher::ResearcherBudget,
    sources::SourceBook,
    thread_summary::{self, SOFT},
};
use crate::{
    model::Message,
    prompts::{self, Beginning},
    protocol::{Event, Focus, Incident, IncidentAction, IncidentKind},
    temporal,
};

impl Run {
    /// The first step of the machine.
    pub(super) fn set_out(&mut self, out: &mut Vec<Effect>) {
        out.push(Effect::Emit(self.asked.started()));
        if !self.summarise_first(out) {
            self.open(out);
            self.go_on(out);
        }
    }

    /// Sets up the conversation, with as many of the earlier turns as there is room for.
    pub(super) fn open(&mut self, out: &mut Vec<Effect>) {
        let asked = &mut self.asked;
        let known = std::mem::take(&mut asked.known);
        let freshness = temporal::freshness(&asked.question, &asked.today);
        self.range = freshness.and_then(|freshness| freshness.range);
        let left_out = thread_summary::leave_out(asked, self.counter.as_ref());
        let begin = Beginning {
            today: asked.now(),
            effort: asked.effort,
            max_steps: asked.limits.max_steps,
            freshness,
            standing: asked.standing(),
            known: &known,
            summary: asked.summary.as_ref(),
            room: asked.limits.max_context as usize,
        };
        let system = if asked.assignment.is_some() {
            asked.prompts.researcher(asked.now(), asked.standing().for_work())
        } else {
            asked.prompts.system(&begin)
        };
        let system = match asked.focus {
            Focus::Documents => prompts::of_documents(&system),
            _ if asked.documents && asked.assignment.is_none() => prompts::of_both(&system),
            _ => system,
        };
        let may_look_back = asked.library && asked.assignment.is_none();
        let system = if may_look_back { prompts::of_library(&system) } else { system };
        let system = if asked.tools.is_empty() { system } else { prompts::of_user_tools(&system) };
        self.conversation.push(Message::System { text: system });
        if asked.assignment.is_none() {
            self.book = SourceBook::new(known).above(asked.numbers_above.unwrap_or_default());
        }
        for earlier in &asked.earlier {
            self.conversation.push(Message::User { text: earlier.question.clone() });
            self.conversation.push(Message::said(earlier.answer.clone(), Vec::new()));
        }
        self.researcher = asked.assignment.take().map(ResearcherBudget::new);
        let opening = self.researcher.as_ref().filter(|_| asked.assisted).map_or_else(|| asked.question.clone(), ResearcherBudget::opening);
        self.conversation.push(Message::User { text: opening });
        self.conversation.close_head();
        if left_out > 0 {
            let incident = Incident::new(IncidentKind::TurnsLeftOut, "", IncidentAction::None);
            out.push(Effect::Emit(Event::Incident { incident: Incident { amount: Some(left_out), ..incident } }));
        }
    }

    /// From the question to the first step.
    pub(super) fn go_on(&mut self, out: &mut Vec<Effect>) {
        if !self.read_attached(out) {
            self.next_step(out);
        }
    }

    /// Asks for a summary of the oldest turns, where they have to give way; whether it does.
    pub(super) fn summarise_first(&mut self, out: &mut Vec<Effect>) -> bool {
        let asked = &self.asked;
        // Who understands no text has the newest turns; researchers know of none.
        if !asked.assisted || asked.assignment.is_some() || asked.earlier.is_empty() {
            return false;
        }
        let (percent, turns) = thread_summary::filling(asked, self.counter.as_ref());
        let is_known = asked.earlier[..turns].last().is_some_and(|last| last.turn.is_some());
        if turns == 0 && percent >= (SOFT * 100.0) as u32 {
            out.push(Effect::Emit(Event::ThreadFilling { percent }));
        }
        if !is_known {
            return false;
        }
        out.push(Effect::Emit(Event::Summarising { turns: u32::try_from(turns).unwrap_or(u32::MAX) }));
        self.ask_model(Request::ThreadSummary { turns }, out);
        true
    }

    /// Whether the conversation has not been set up yet.
    pub(super) fn is_opening(&self) -> bool {
        matches!(self.phase, Phase::Thinking { about: Request::ThreadSummary { .. }, .. })
    }

    pub(super) fn summary_request(&self, turns: usize) -> Vec<Message> {
        let asked = &self.asked;
        thread_summary::messages(asked.summary.as_ref(), &asked.earlier[..turns], &asked.prompts, &asked.limits, self.counter.as_ref())
    }

    /// The summary has come, or could not be had: then the oldest turns are left out.
    pub(super) fn summarised(&mut self, turns: usize, written: Option<String>, out: &mut Vec<Effect>) {
        let counter = self.counter.clone();
        let asked = &mut self.asked;
        let summary = written
            .and_then(|text| thread_summary::made(&text, asked.summary.as_ref(), &asked.earlier[..turns], &asked.limits, counter.as_ref()));
        if let Some(summary) = summary {
            asked.earlier.drain(..turns);
            asked.summary = Some(summary.clone());
            out.push(Effect::Emit(Event::Summarised { turns: summary.turns }));
            self.summary = Some(summary);
        }
        self.open(out);
        self.go_on(out);
    }
}

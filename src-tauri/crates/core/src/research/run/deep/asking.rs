//! What the coordinator of a deep run asks the model, and what it makes of the replies.

use super::{DeepRun, Phase, ending::closed, evaluation, plan};
use crate::protocol::{EndReason, Notice, Reasons};
use crate::{
    citations,
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply},
    protocol::{Event, Incident, IncidentAction, TurnState},
    run::{Effect, Purpose, budget::TokenBudget, conversation::tokens_of, finish, thinking::took_over},
};

/// Overflows of the context window that are answered with a shorter request.
const MAX_OVERFLOWS: u32 = 3;
/// Plans that are asked for before the question itself is the plan.
const PLANS: u32 = 3;

impl DeepRun {
    /// Asks the model; false when there is not enough left for it.
    pub(super) fn ask_model(&mut self, purpose: Purpose, messages: Vec<Message>, out: &mut Vec<Effect>) -> bool {
        self.unclear.clear();
        self.streaming.reset(&self.book, out);
        let most = self.asked().limits.max_output_tokens;
        let purse = self.purse();
        let grant = if purse.is_limited() {
            let prompt = tokens_of(&messages, self.counter.as_ref());
            match purpose {
                Purpose::Synthesis => purse.answer(prompt),
                _ => purse.step(prompt),
            }
        } else {
            Some(most)
        };
        let Some(max_output_tokens) = grant else { return false };
        let body = ModelRequest { thinking: self.asked().thinking, ..ModelRequest::for_text(messages, max_output_tokens) };
        self.send(purpose, body, out);
        true
    }

    pub(super) fn send(&mut self, purpose: Purpose, body: ModelRequest, out: &mut Vec<Effect>) {
        self.requests += 1;
        let effect = Effect::AskModel { request: self.requests, purpose, body };
        self.waiting = Some((self.requests, effect.clone()));
        out.push(effect);
    }

    /// What the run's own requests may still use.
    pub(super) fn purse(&self) -> TokenBudget {
        let asked = self.asked();
        TokenBudget::new(&asked.limits, asked.price, self.committed())
    }

    pub(super) fn delta(&mut self, delta: Delta, out: &mut Vec<Effect>) {
        let text = match delta {
            Delta::Text(text) => text,
            Delta::Restart => {
                self.unclear.clear();
                self.streaming.reset(&self.book, out);
                return;
            }
            Delta::Waiting(incident) => {
                out.push(Effect::Emit(Event::Incident { incident }));
                return;
            }
            Delta::Reasoning(_) | Delta::Arguments { .. } => return,
        };
        let text = match self.phase {
            Phase::Synthesizing => text,
            Phase::Evaluating if !self.streaming.is_empty() => text,
            Phase::Evaluating => {
                self.unclear.push_str(&text);
                if !evaluation::begins_like_a_report(&self.unclear) {
                    return;
                }
                std::mem::take(&mut self.unclear)
            }
            _ => return,
        };
        if !text.is_empty() {
            self.streaming.add(&text);
            self.streaming.show(&self.book, self.keeps_handles, out);
        }
    }

    pub(super) fn replied(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let Some((_, effect)) = self.waiting.take() else { return };
        // What was streamed and is not in the reply is void: the journal knows the reply alone.
        if reply.text.trim().is_empty() {
            self.streaming.reset(&self.book, out);
        }
        self.usage += self.usage_of(&reply, &effect);
        self.tell_usage(out);
        if let Some(instead) = &reply.instead
            && self.answered_by.as_ref() != Some(&instead.model)
        {
            self.answered_by = Some(instead.model.clone());
            out.push(Effect::Emit(took_over(instead, &mut self.incident)));
        }
        match self.phase {
            Phase::Planning => self.plan_came(&reply.text, out),
            Phase::Evaluating => self.evaluated(reply, out),
            Phase::Synthesizing => self.written(reply, out),
            _ => {}
        }
    }

    fn plan_came(&mut self, text: &str, out: &mut Vec<Effect>) {
        let (question, effort) = (self.asked().question.clone(), self.asked().effort);
        // Whoever says nothing is no AI, or has none to spare.
        if text.trim().is_empty() {
            self.planned(plan::local(&question), out);
            return;
        }
        match plan::read(text, &question, effort) {
            Ok(plan) => self.planned(plan, out),
            Err(wrong) if self.attempts < PLANS => self.ask_for_plan(Some(&wrong), out),
            Err(_) => {
                out.push(Effect::Emit(Event::Notice { notice: Notice::PlanUnreadable }));
                self.planned(plan::single(&question), out);
            }
        }
    }

    pub(super) fn written(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let text = evaluation::report_of(&reply.text);
        let text = text.as_str();
        if text.is_empty() {
            // A decision is no report, whoever asked for one, and what was streamed of it is none.
            self.streaming.reset(&self.book, out);
        }
        if reply.finish == FinishReason::ContentFilter {
            // What was streamed is not in the journal, the reply is.
            self.streaming.restore(reply.text.clone(), true);
        }
        if text.is_empty() || reply.finish == FinishReason::ContentFilter {
            let why = match reply.finish {
                FinishReason::ContentFilter => EndReason::ReportRefused,
                _ => EndReason::NoReport,
            };
            self.give_up(why.into(), out);
            return;
        }
        let is_cut = reply.finish == FinishReason::Length;
        // A report may name its sources by their addresses; numbers are put in for those. One that
        // names none is worth little where researchers had named theirs.
        let has_cited = self.researchers.iter().any(|researcher| !citations::citations(researcher.report()).is_empty());
        let is_bare = has_cited && !finish::names_sources(text, &self.book);
        // A beginning is worth less than what it was made from.
        let together = if is_bare || is_cut { self.put_together() } else { String::new() };
        let is_added = is_bare || (is_cut && together.len() > text.len());
        let cut = is_cut.then_some(match is_added {
            true => EndReason::ReportCutWithFindings,
            false => EndReason::ReportCutOff,
        });
        let limit = self.limit.take().map(|why| why.and(EndReason::ReportUsesWhatWasFound)).unwrap_or_default();
        let mut reason: Reasons = limit.into_iter().chain(cut).collect();
        if is_bare && reason.is_empty() {
            reason = EndReason::ReportWithoutSources.into();
        }
        let state = if reason.is_empty() { TurnState::Answered } else { TurnState::Partial };
        let more = if is_cut { " …" } else { "" };
        let text = if is_added { format!("{}{more}\n\n---\n\n{together}", closed(text)) } else { text.to_owned() };
        match self.draft(state, &reason, &text) {
            Some(draft) => self.ask_for_check(draft, out),
            None => self.end(state, reason, Some(text), out),
        }
    }

    pub(super) fn model_failed(&mut self, error: &ModelError, out: &mut Vec<Effect>) {
        self.waiting = None;
        if let ModelError::ContextFull { window, .. } = error
            && self.overflows < MAX_OVERFLOWS
        {
            self.overflows += 1;
            out.push(Effect::Emit(Event::Incident { incident: Incident::of_model(error, IncidentAction::Shorten) }));
            let limits = self.limits_mut();
            let smaller = limits.max_context / 4 * 3;
            limits.max_context = window.map_or(smaller, |window| window.min(smaller)).max(1500);
            limits.max_output_tokens = limits.max_output_tokens.min(limits.max_context / 4);
            self.ask_again(out);
            return;
        }
        let action = if matches!(self.phase, Phase::Planning) { IncidentAction::None } else { IncidentAction::WithoutModel };
        self.incident = Some(Incident::of_model(error, action));
        match self.phase {
            Phase::Planning => self.end(TurnState::Failed, EndReason::ModelFailed { message: error.to_string() }.into(), None, out),
            _ => self.give_up(EndReason::ModelFailed { message: error.to_string() }.into(), out),
        }
    }

    /// Makes the request of the phase again, which is written to fit the window.
    fn ask_again(&mut self, out: &mut Vec<Effect>) {
        match self.phase {
            Phase::Planning => self.ask_for_plan(None, out),
            Phase::Evaluating => self.evaluate(out),
            Phase::Synthesizing => self.synthesize(out),
            _ => {}
        }
    }
}

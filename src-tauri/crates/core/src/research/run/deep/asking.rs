//! What the coordinator of a deep run asks the model, and what it makes of the replies.

use super::{DeepRun, Phase, ending::closed, evaluation, plan};
use crate::protocol::{EndReason, Notice, Reasons};
use crate::{
    citations,
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply},
    protocol::{Event, Incident, IncidentAction, TurnState},
    run::{Effect, Purpose, budget::TokenBudget, conversation::tokens_of, finish, spending::usage_of},
};

/// Overflows of the context window that are answered with a shorter request.
const MAX_OVERFLOWS: u32 = 3;
/// Plans that are asked for before the question itself is the plan.
const PLANS: u32 = 3;

impl DeepRun {
    /// Asks the model; false when there is not enough left for it.
    pub(super) fn ask_model(&mut self, purpose: Purpose, messages: Vec<Message>, out: &mut Vec<Effect>) -> bool {
        self.forget_unclear();
        self.streaming.reset(&self.book, out);
        let most = self.asked.limits.max_output_tokens;
        let budget = self.token_budget();
        let grant = if budget.is_limited() {
            let prompt = tokens_of(&messages, self.counter.as_ref());
            match purpose {
                Purpose::Synthesis => budget.answer(prompt),
                _ => budget.step(prompt),
            }
        } else {
            Some(most)
        };
        let Some(max_output_tokens) = grant else { return false };
        let body = ModelRequest { thinking: self.asked.thinking, ..ModelRequest::for_text(messages, max_output_tokens) };
        self.awaited.ask(purpose, body, out);
        true
    }

    /// What has come of an evaluation is void.
    fn forget_unclear(&mut self) {
        if let Phase::Evaluating { unclear, .. } = &mut self.phase {
            unclear.clear();
        }
    }

    /// What the run's own requests may still use.
    pub(super) fn token_budget(&self) -> TokenBudget {
        let asked = &self.asked;
        TokenBudget::new(&asked.limits, asked.price, self.committed())
    }

    pub(super) fn delta(&mut self, delta: Delta, out: &mut Vec<Effect>) {
        let text = match delta {
            Delta::Text(text) => text,
            Delta::Restart => {
                self.forget_unclear();
                self.streaming.reset(&self.book, out);
                return;
            }
            Delta::Waiting(incident) => {
                out.push(Effect::Emit(Event::Incident { incident }));
                return;
            }
            Delta::Reasoning(_) | Delta::Arguments { .. } => return,
        };
        let text = match &mut self.phase {
            Phase::Synthesizing => text,
            Phase::Evaluating { .. } if !self.streaming.is_empty() => text,
            Phase::Evaluating { unclear, .. } => {
                unclear.push_str(&text);
                if !evaluation::begins_like_a_report(unclear) {
                    return;
                }
                std::mem::take(unclear)
            }
            _ => return,
        };
        if !text.is_empty() {
            self.streaming.add(&text);
            self.streaming.show(&self.book, self.keeps_handles, out);
        }
    }

    pub(super) fn replied(&mut self, request: u32, reply: Reply, out: &mut Vec<Effect>) {
        let body = self.awaited.take_request(request);
        // What was streamed and is not in the reply is void: the journal knows the reply alone.
        if reply.text.trim().is_empty() {
            self.streaming.reset(&self.book, out);
        }
        self.usage += usage_of(&reply, &[], body.as_ref(), &self.asked, self.counter.as_ref());
        self.tell_usage(out);
        if let Some(instead) = &reply.instead {
            out.extend(self.author.fell_back_to(instead).map(Effect::Emit));
        }
        match self.phase {
            Phase::Planning { attempts } => self.plan_came(&reply.text, attempts, out),
            Phase::Evaluating { .. } => self.evaluated(reply, out),
            Phase::Synthesizing => self.written(reply, out),
            _ => {}
        }
    }

    fn plan_came(&mut self, text: &str, attempts: u32, out: &mut Vec<Effect>) {
        let (question, effort) = (self.asked.question.clone(), self.asked.effort);
        // Whoever says nothing is no AI, or has none to spare.
        if text.trim().is_empty() {
            self.planned(plan::local(&question), out);
            return;
        }
        match plan::read(text, &question, effort) {
            Ok(plan) => self.planned(plan, out),
            Err(wrong) if attempts < PLANS => self.ask_for_plan(Some(&wrong), out),
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

    pub(super) fn model_failed(&mut self, request: u32, error: &ModelError, out: &mut Vec<Effect>) {
        self.awaited.take_request(request);
        if let ModelError::ContextFull { window, .. } = error
            && self.overflows < MAX_OVERFLOWS
        {
            self.overflows += 1;
            out.push(Effect::Emit(Event::Incident { incident: Incident::of_model(error, IncidentAction::Shorten) }));
            let limits = &mut self.asked.limits;
            let smaller = limits.max_context / 4 * 3;
            limits.max_context = window.map_or(smaller, |window| window.min(smaller)).max(1500);
            limits.max_output_tokens = limits.max_output_tokens.min(limits.max_context / 4);
            self.ask_again(out);
            return;
        }
        let is_planning = matches!(self.phase, Phase::Planning { .. });
        let action = if is_planning { IncidentAction::None } else { IncidentAction::WithoutModel };
        self.author.decided_by(Incident::of_model(error, action));
        let why = EndReason::model_failed(error).into();
        match is_planning {
            true => self.end(TurnState::Failed, why, None, out),
            false => self.give_up(why, out),
        }
    }

    /// Makes the request of the phase again, which is written to fit the window.
    fn ask_again(&mut self, out: &mut Vec<Effect>) {
        match self.phase {
            Phase::Planning { .. } => self.ask_for_plan(None, out),
            Phase::Evaluating { .. } => self.evaluate(out),
            Phase::Synthesizing => self.synthesize(out),
            _ => {}
        }
    }
}

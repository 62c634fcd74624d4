//! How runs end: with an answer, at a limit, or because somebody or something stopped them.

use super::{
    Effect, Purpose,
    check::Draft,
    finish::CheckedAnswer,
    finish::{self, Cited},
    machine::{Phase, Run, Urgency},
    spending::{usage_of, usage_of_abandoned},
    unread_attachments::unread,
};
use crate::protocol::{EndReason, Reasons};
use crate::{
    markdown,
    model::Reply,
    protocol::{Ending, Event, TurnState},
    text,
};

/// Bytes of an answer that are kept at most.
const MAX_ANSWER: usize = 256 * 1024;

impl Run {
    pub(super) fn time_up(&mut self, hard: bool, out: &mut Vec<Effect>) {
        if hard {
            self.urgency.now_or(EndReason::TimeTarget);
            self.give_up(out);
            return;
        }
        self.wrap_up(EndReason::TimeTarget, out);
    }

    /// The answer is wanted now, for this reason.
    pub(super) fn wrap_up(&mut self, why: EndReason, out: &mut Vec<Effect>) {
        // An answer that is already being written may be finished.
        if self.urgency.limit().is_some() {
            return;
        }
        if !self.streaming.is_empty() && !matches!(self.phase, Phase::Acting(_)) {
            self.urgency = Urgency::Soon(why);
            return;
        }
        out.push(Effect::Abandon);
        self.charge_what_is_abandoned();
        self.awaited.clear();
        if matches!(self.phase, Phase::Acting(_)) {
            self.record_results();
        }
        if self.is_opening() {
            self.open(out);
        }
        self.ask_for_answer(why, out);
    }

    pub(super) fn give_up(&mut self, out: &mut Vec<Effect>) {
        let why: Reasons = self.urgency.limit().cloned().into_iter().collect();
        if self.streaming.is_empty() && !self.book.is_empty() && self.researcher.is_none() {
            self.end_without_model(why.and(EndReason::NoAnswerWritten), None, out);
            return;
        }
        if self.book.is_empty() && self.streaming.is_empty() && self.researcher.is_none() {
            self.end(TurnState::Failed, why.and(EndReason::NoAnswerAndNoPage), None, out);
            return;
        }
        self.end(TurnState::Partial, why.and(EndReason::NoCompleteAnswer), None, out);
    }

    pub(super) fn answer(&mut self, answer: String, out: &mut Vec<Effect>) {
        let (state, reason) = match self.urgency.limit() {
            Some(why) => {
                // Pages that were not read are no evidence.
                let caveat = self.caveat();
                let found = caveat.is_empty().then_some(EndReason::AnswerUsesWhatWasFound);
                (TurnState::Partial, [why.clone()].into_iter().chain(caveat).chain(found).collect())
            }
            None if self.nothing_found => {
                let why = self.author.reason().into_iter().chain([EndReason::NothingAnswers]);
                (TurnState::NothingFound, why.chain(unread(&self.unread_attachments)).collect())
            }
            None => (TurnState::Answered, self.caveat()),
        };
        match self.draft(state, &reason, &answer) {
            Some(draft) => self.ask_for_check(draft, out),
            None => self.end(state, reason, Some(answer), out),
        }
    }

    /// The answer with what needs a second look. None where nothing does, there is no model to ask, or no
    /// time left.
    fn draft(&self, state: TurnState, reason: &Reasons, answer: &str) -> Option<Draft> {
        let asked = &self.asked;
        let wanted = asked.check && asked.assisted && self.researcher.is_none() && !self.book.is_empty();
        if !wanted || state != TurnState::Answered || self.urgency != Urgency::None {
            return None;
        }
        Draft::new(state, reason.clone(), &whole(answer), &self.book)
    }

    fn ask_for_check(&mut self, draft: Draft, out: &mut Vec<Effect>) {
        let request = draft.request(&self.asked, &self.book, &self.budget(), self.counter.as_ref());
        let shown = finish::cite_looked(&draft.unchecked(), &self.book, self.keeps_handles);
        // People read while it is looked at.
        self.streaming.show_whole(&shown, out);
        let Some(body) = request else {
            self.end_with(&draft, &draft.unchecked(), out);
            return;
        };
        out.push(Effect::Emit(Event::Checking { statements: draft.len() }));
        let request = self.awaited.ask(Purpose::Check, body, out);
        self.phase = Phase::Checking { request, draft: Box::new(draft) };
    }

    /// The model's verdicts came.
    pub(super) fn looked(&mut self, reply: &Reply, out: &mut Vec<Effect>) {
        let Phase::Checking { request, draft } = std::mem::replace(&mut self.phase, Phase::Between) else { return };
        let body = self.awaited.take_request(request);
        let usage = usage_of(reply, &reply.calls, body.as_ref(), &self.asked, self.counter.as_ref());
        self.spend(usage, false, out);
        let looked = draft.look(&reply.text, &self.book);
        self.end_with(&draft, &looked, out);
    }

    /// Ends with the answer as the model wrote it: nobody waits for its check any more, or it `failed`.
    pub(super) fn end_unchecked(&mut self, failed: bool, out: &mut Vec<Effect>) {
        self.charge_what_is_abandoned();
        let Phase::Checking { draft, .. } = std::mem::replace(&mut self.phase, Phase::Between) else { return };
        let answer = if failed { draft.failed() } else { draft.unchecked() };
        self.end_with(&draft, &answer, out);
    }

    fn end_with(&mut self, draft: &Draft, looked: &CheckedAnswer, out: &mut Vec<Effect>) {
        let cited = finish::cite_looked(looked, &self.book, self.keeps_handles);
        self.close(draft.state, draft.reason.clone(), cited, out);
    }

    /// What has to be known of an answer that came as it should: who wrote it, and that it rests on nothing.
    fn caveat(&self) -> Reasons {
        let bare = (self.book.is_empty() && self.asked.assisted && self.researcher.is_none()).then_some(EndReason::OwnKnowledge);
        self.author.reason().into_iter().chain(unread(&self.unread_attachments)).chain(bare).collect()
    }

    /// Requests that were made are paid for, whether or not anybody reads the reply.
    fn charge_what_is_abandoned(&mut self) {
        self.spending.reserved.clear();
        if self.awaited.bodies().next().is_none() || !self.asked.assisted {
            return;
        }
        // What was written of the answer is paid for when only its check is abandoned.
        let written = match self.phase {
            Phase::Checking { .. } => 0,
            _ => self.counter.count(self.streaming.text()) as u64,
        };
        let is_limited = self.budget().is_limited();
        self.spending.add(usage_of_abandoned(self.awaited.bodies(), written, is_limited, &self.asked, self.counter.as_ref()));
    }

    pub(super) fn end(&mut self, state: TurnState, reason: Reasons, answer: Option<String>, out: &mut Vec<Effect>) {
        self.charge_what_is_abandoned();
        let answer = answer
            .filter(|text| !text.trim().is_empty())
            .unwrap_or_else(|| if self.is_worth_keeping() { self.streaming.text().to_owned() } else { String::new() });
        let cited = finish::cite(whole(&answer), &self.book, self.keeps_handles || self.researcher.is_some());
        self.streaming.show_rest(&cited, out);
        self.close(state, reason, cited, out);
    }

    fn close(&mut self, state: TurnState, reason: Reasons, cited: Cited, out: &mut Vec<Effect>) {
        // That nothing was found, and what to do about it, needs no source.
        let is_bare = state == TurnState::NothingFound && cited.citations.is_empty();
        let statements = if is_bare { Vec::new() } else { cited.statements };
        let ending = Ending {
            state,
            reason,
            answer: cited.answer,
            sources: cited.sources,
            citations: cited.citations,
            statements,
            steps: self.step,
            usage: self.spending.used(),
            model: self.author.stand_in().map(str::to_owned),
            incident: self.author.take_incident().or_else(|| self.trail.missing_corpus()).map(Box::new),
            follow_ups: std::mem::take(&mut self.follow_ups),
            check: cited.check.map(Box::new),
            method: None,
            summary: self.summary.take().map(Box::new),
            title: self.title.take().map(Box::new),
        };
        if !self.awaited.is_empty() {
            out.push(Effect::Abandon);
        }
        self.awaited.clear();
        self.phase = Phase::Ended;
        out.push(Effect::Finish { ending: Box::new(ending), numbers: cited.numbers });
    }
}

/// An answer as it is kept: without what the model thought aloud, without pictures, and not endless.
fn whole(answer: &str) -> String {
    let answer = text::without_thinking(answer.trim());
    markdown::without_images(&answer[..text::floor_char(answer, MAX_ANSWER)])
}

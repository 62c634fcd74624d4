//! How runs end: with an answer, at a limit, or because somebody or something stopped them.

use super::{
    Effect, Purpose,
    check::Draft,
    conversation::tokens_of,
    finish::Looked,
    finish::{self, Cited},
    machine::{Phase, Run},
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
        if self.is_over() || self.asked.is_none() {
            return;
        }
        if matches!(self.phase, Phase::Checking(_)) {
            self.end_unlooked(out);
            return;
        }
        if hard {
            self.limit.get_or_insert(EndReason::TimeTarget);
            self.give_up(out);
            return;
        }
        self.wrap_up(EndReason::TimeTarget, out);
    }

    /// The answer is wanted now, for this reason.
    pub(super) fn wrap_up(&mut self, why: EndReason, out: &mut Vec<Effect>) {
        if self.is_over() || self.asked.is_none() {
            return;
        }
        if matches!(self.phase, Phase::Checking(_)) {
            self.end_unlooked(out);
            return;
        }
        // An answer that is already being written may be finished.
        if self.limit.is_some() {
            return;
        }
        if !self.streaming.is_empty() && !matches!(self.phase, Phase::Acting(_)) {
            self.hurry = Some(why);
            return;
        }
        out.push(Effect::Abandon);
        self.charge_what_is_abandoned();
        self.outstanding.clear();
        self.extractions.clear();
        if matches!(self.phase, Phase::Acting(_)) {
            self.record_results();
        }
        if self.is_opening() {
            self.open(out);
        }
        self.ask_for_answer(why, out);
    }

    pub(super) fn give_up(&mut self, out: &mut Vec<Effect>) {
        let why: Reasons = self.limit.clone().into_iter().collect();
        if self.streaming.is_empty() && !self.book.is_empty() && self.desk.is_none() {
            self.end_without_model(why.and(EndReason::NoAnswerWritten), None, out);
            return;
        }
        if self.book.is_empty() && self.streaming.is_empty() && self.desk.is_none() {
            self.end(TurnState::Failed, why.and(EndReason::NoAnswerAndNoPage), None, out);
            return;
        }
        self.end(TurnState::Partial, why.and(EndReason::NoCompleteAnswer), None, out);
    }

    pub(super) fn answer(&mut self, answer: String, out: &mut Vec<Effect>) {
        let (state, reason) = match &self.limit {
            Some(why) => {
                // Pages that were not read are no evidence.
                let caveat = self.caveat();
                let found = caveat.is_empty().then_some(EndReason::AnswerUsesWhatWasFound);
                (TurnState::Partial, [why.clone()].into_iter().chain(caveat).chain(found).collect())
            }
            None if self.nothing_found => {
                let why = self.taken_over().into_iter().chain([EndReason::NothingAnswers]);
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
        let asked = self.asked();
        let wanted = asked.check && asked.assisted && self.desk.is_none() && !self.book.is_empty();
        if !wanted || state != TurnState::Answered || self.hurry.is_some() {
            return None;
        }
        Draft::new(state, reason.clone(), &whole(answer), &self.book)
    }

    fn ask_for_check(&mut self, draft: Draft, out: &mut Vec<Effect>) {
        let request = draft.request(self.asked(), &self.book, &self.purse(), self.counter.as_ref());
        let shown = finish::cite_looked(&draft.unlooked(), &self.book, self.keeps_handles);
        let statements = draft.len();
        self.phase = Phase::Checking(Box::new(draft));
        // People read while it is looked at.
        self.streaming.show_whole(&shown, out);
        let Some(body) = request else {
            self.end_unlooked(out);
            return;
        };
        out.push(Effect::Emit(Event::Checking { statements }));
        self.current = self.new_request();
        out.push(Effect::AskModel { request: self.current, purpose: Purpose::Check, body });
    }

    /// The model's verdicts came.
    pub(super) fn looked(&mut self, reply: &Reply, request: Option<&Effect>, out: &mut Vec<Effect>) {
        let usage = self.usage_of(reply, request);
        self.spend(usage, Purpose::Check, out);
        let Phase::Checking(draft) = std::mem::replace(&mut self.phase, Phase::Ended) else { return };
        let looked = draft.look(&reply.text, &self.book).unwrap_or_else(|| draft.unlooked());
        self.end_with(draft.state, draft.reason, &looked, out);
    }

    /// Ends with the answer as the model wrote it.
    pub(super) fn end_unlooked(&mut self, out: &mut Vec<Effect>) {
        self.charge_what_is_abandoned();
        let Phase::Checking(draft) = std::mem::replace(&mut self.phase, Phase::Ended) else { return };
        self.end_with(draft.state, draft.reason.clone(), &draft.unlooked(), out);
    }

    fn end_with(&mut self, state: TurnState, reason: Reasons, looked: &Looked, out: &mut Vec<Effect>) {
        let cited = finish::cite_looked(looked, &self.book, self.keeps_handles);
        self.close(state, reason, cited, out);
    }

    /// What has to be known of an answer that came as it should: who wrote it, and that it rests on nothing.
    fn caveat(&self) -> Reasons {
        let bare = (self.book.is_empty() && self.asked().assisted && self.desk.is_none()).then_some(EndReason::OwnKnowledge);
        self.taken_over().into_iter().chain(unread(&self.unread_attachments)).chain(bare).collect()
    }

    /// Who answered in place of whom, and why.
    fn taken_over(&self) -> Option<EndReason> {
        let (why, model) = self.taken_over.as_ref().zip(self.answered_by.as_ref())?;
        Some(EndReason::TakenOver { why: why.clone(), model: model.clone() })
    }

    /// Requests that were made are paid for, whether or not anybody reads the reply.
    fn charge_what_is_abandoned(&mut self) {
        if !self.asked().assisted {
            return;
        }
        let mut prompt = 0;
        let mut any = false;
        for effect in self.outstanding.values() {
            if let Effect::AskModel { body, .. } = effect {
                any = true;
                prompt += tokens_of(&body.messages, self.counter.as_ref());
            }
        }
        if any {
            // What was written of the answer is paid for when only its check is abandoned.
            let mut completion = match self.phase {
                Phase::Checking(_) => 0,
                _ => self.counter.count(self.streaming.text()) as u64,
            };
            let limited = self.purse().is_limited();
            for effect in self.outstanding.values() {
                // Nobody knows what they would have written; a ceiling has to hold at the worst.
                if let Effect::AskModel { body, .. } = effect
                    && limited
                {
                    completion += u64::from(body.max_output_tokens);
                }
            }
            self.extractions.clear();
            self.usage += self.estimate(prompt, completion);
        }
    }

    pub(super) fn end(&mut self, state: TurnState, reason: Reasons, answer: Option<String>, out: &mut Vec<Effect>) {
        self.charge_what_is_abandoned();
        let answer = answer
            .filter(|text| !text.trim().is_empty())
            .unwrap_or_else(|| if self.is_worth_keeping() { self.streaming.text().to_owned() } else { String::new() });
        let cited = finish::cite(whole(&answer), &self.book, self.keeps_handles || self.desk.is_some());
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
            usage: self.usage,
            model: self.answered_by.clone(),
            incident: self.incident.take().map(Box::new),
            follow_ups: std::mem::take(&mut self.follow_ups),
            check: cited.check.map(Box::new),
            method: None,
            summary: self.summary.take().map(Box::new),
            title: self.title.take().map(Box::new),
        };
        if !self.outstanding.is_empty() {
            out.push(Effect::Abandon);
        }
        self.outstanding.clear();
        self.extractions.clear();
        self.phase = Phase::Ended;
        finish::tell(ending, cited.numbers, out);
    }
}

/// An answer as it is kept: without what the model thought aloud, without pictures, and not endless.
fn whole(answer: &str) -> String {
    let answer = text::without_thinking(answer.trim());
    markdown::without_images(&answer[..text::floor_char(answer, MAX_ANSWER)])
}

//! How runs end: with an answer, at a limit, or because somebody or something stopped them.

use super::{
    Effect,
    conversation::tokens_of,
    finish,
    machine::{Phase, Run},
};
use crate::{
    protocol::{Ending, TurnState},
    text,
};

/// Bytes of an answer that are kept at most.
const MAX_ANSWER: usize = 256 * 1024;

impl Run {
    pub(super) fn time_up(&mut self, hard: bool, out: &mut Vec<Effect>) {
        if self.is_over() || self.asked.is_none() {
            return;
        }
        if hard {
            self.limit.get_or_insert_with(|| "The time target was reached.".into());
            self.give_up(out);
            return;
        }
        self.wrap_up("The time target is reached.".into(), out);
    }

    /// The answer is wanted now, for this reason.
    pub(super) fn wrap_up(&mut self, why: String, out: &mut Vec<Effect>) {
        if self.is_over() || self.asked.is_none() {
            return;
        }
        // An answer that is already being written may be finished.
        if self.limit.is_some() {
            return;
        }
        if !self.partial.is_empty() && !matches!(self.phase, Phase::Acting(_)) {
            self.hurry = Some(why);
            return;
        }
        out.push(Effect::Abandon);
        self.charge_what_is_abandoned();
        self.outstanding.clear();
        self.digests.clear();
        if matches!(self.phase, Phase::Acting(_)) {
            self.record_results();
        }
        self.ask_for_answer(why, out);
    }

    pub(super) fn give_up(&mut self, out: &mut Vec<Effect>) {
        let why = self.limit.clone().unwrap_or_default();
        let reason = format!("{why} The model wrote no complete answer in time; the sources it read are kept.");
        self.end(TurnState::Partial, Some(reason), None, out);
    }

    pub(super) fn answer(&mut self, answer: String, out: &mut Vec<Effect>) {
        let (state, reason) = match &self.limit {
            Some(why) => (TurnState::Partial, Some(format!("{why} This answer rests on what was found until then."))),
            None => (TurnState::Answered, None),
        };
        self.end(state, reason, Some(answer), out);
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
            let mut completion = self.counter.count(&self.partial) as u64;
            let limited = self.purse().is_limited();
            for effect in self.outstanding.values() {
                // Nobody knows what they would have written; a ceiling has to hold at the worst.
                if let Effect::AskModel { body, .. } = effect
                    && limited
                {
                    completion += u64::from(body.max_output_tokens);
                }
            }
            self.digests.clear();
            self.usage += self.estimate(prompt, completion);
        }
    }

    pub(super) fn end(&mut self, state: TurnState, reason: Option<String>, answer: Option<String>, out: &mut Vec<Effect>) {
        self.charge_what_is_abandoned();
        let answer = answer
            .filter(|text| !text.trim().is_empty())
            .unwrap_or_else(|| if self.is_worth_keeping() { self.partial.clone() } else { String::new() });
        let answer = text::without_thinking(answer.trim());
        let answer = answer[..text::floor_char(answer, MAX_ANSWER)].to_owned();
        let cited = finish::cite(answer, &self.book);
        let ending = Ending {
            state,
            reason,
            answer: cited.answer,
            sources: cited.sources,
            citations: cited.citations,
            steps: self.step,
            usage: self.usage,
            model: self.answered_by.clone(),
            follow_ups: std::mem::take(&mut self.follow_ups),
            method: None,
        };
        if !self.outstanding.is_empty() {
            out.push(Effect::Abandon);
        }
        self.outstanding.clear();
        self.digests.clear();
        self.phase = Phase::Ended;
        finish::tell(ending, out);
    }
}

//! A second look at the statements of a report that their sources do not seem to support.

use super::{DeepRun, Phase};
use crate::protocol::Reasons;
use crate::{
    model::{Delta, Reply},
    protocol::{Event, TurnState},
    run::{Effect, Input, Purpose, check::Draft, finish, finish::CheckedAnswer, spending::usage_of},
};

impl DeepRun {
    /// The report with what needs a second look. None where nothing does, or no check is wanted.
    pub(super) fn draft(&self, state: TurnState, reason: &Reasons, report: &str) -> Option<Draft> {
        let wanted = self.asked.check && state == TurnState::Answered && self.hurry.is_none();
        wanted.then(|| Draft::new(state, reason.clone(), &super::ending::whole(report), &self.book)).flatten()
    }

    pub(super) fn ask_for_check(&mut self, draft: Draft, out: &mut Vec<Effect>) {
        let request = draft.request(&self.asked, &self.book, &self.token_budget(), self.counter.as_ref());
        let shown = finish::cite_looked(&draft.unchecked(), &self.book, self.keeps_handles);
        // People read while it is looked at.
        self.streaming.show_whole(&shown, out);
        let Some(body) = request else {
            self.end_with(&draft, &draft.unchecked(), out);
            return;
        };
        out.push(Effect::Emit(Event::Checking { statements: draft.len() }));
        self.phase = Phase::Checking(Box::new(draft));
        self.awaited.ask(Purpose::Check, body, out);
    }

    /// What happens while it is looked at: the report is there, whatever comes of it.
    pub(super) fn step_of_check(&mut self, input: Input, out: &mut Vec<Effect>) {
        match input {
            Input::Replied { request, reply } if self.waits_for(request) => self.looked(request, &reply, out),
            Input::ModelFailed { request, .. } if self.waits_for(request) => {
                self.awaited.take_request(request);
                self.end_unchecked(true, out);
            }
            Input::FinishNow | Input::TimeUp { .. } | Input::Cancelled => self.end_unchecked(false, out),
            // Of verdicts nothing is shown before they are complete.
            Input::Delta { request, delta: Delta::Waiting(incident) } if self.waits_for(request) => {
                out.push(Effect::Emit(Event::Incident { incident }));
            }
            _ => {}
        }
    }

    /// The model's verdicts came.
    fn looked(&mut self, request: u32, reply: &Reply, out: &mut Vec<Effect>) {
        let body = self.awaited.take_request(request);
        self.usage += usage_of(reply, &[], body.as_ref(), &self.asked, self.counter.as_ref());
        self.tell_usage(out);
        let Phase::Checking(draft) = std::mem::replace(&mut self.phase, Phase::Ended) else { return };
        let looked = draft.look(&reply.text, &self.book);
        self.end_with(&draft, &looked, out);
    }

    /// Ends with the report as the model wrote it. It is paid for; only its check is abandoned.
    fn end_unchecked(&mut self, failed: bool, out: &mut Vec<Effect>) {
        self.abandon_own(0, out);
        let Phase::Checking(draft) = std::mem::replace(&mut self.phase, Phase::Ended) else { return };
        let report = if failed { draft.failed() } else { draft.unchecked() };
        self.end_with(&draft, &report, out);
    }

    fn end_with(&mut self, draft: &Draft, looked: &CheckedAnswer, out: &mut Vec<Effect>) {
        let cited = finish::cite_looked(looked, &self.book, self.keeps_handles);
        self.close(draft.state, draft.reason.clone(), cited, out);
    }
}

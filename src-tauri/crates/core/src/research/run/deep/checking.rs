//! A second look at the statements of a report that their sources do not seem to support.

use super::{DeepRun, Phase};
use crate::protocol::Reasons;
use crate::{
    model::Reply,
    protocol::{Event, TurnState},
    run::{Effect, Purpose, check::Draft, finish, finish::Looked},
};

impl DeepRun {
    /// The report with what needs a second look. None where nothing does, or no check is wanted.
    pub(super) fn draft(&self, state: TurnState, reason: &Reasons, report: &str) -> Option<Draft> {
        let wanted = self.asked().check && state == TurnState::Answered && self.hurry.is_none();
        wanted.then(|| Draft::new(state, reason.clone(), &super::ending::whole(report), &self.book)).flatten()
    }

    pub(super) fn ask_for_check(&mut self, draft: Draft, out: &mut Vec<Effect>) {
        let request = draft.request(self.asked(), &self.book, &self.purse(), self.counter.as_ref());
        let shown = finish::cite_looked(&draft.unlooked(), &self.book, self.keeps_handles);
        let statements = draft.len();
        self.draft = Some(Box::new(draft));
        // People read while it is looked at.
        self.streaming.show_whole(&shown, out);
        let Some(body) = request else {
            self.end_unlooked(out);
            return;
        };
        out.push(Effect::Emit(Event::Checking { statements }));
        self.phase = Phase::Checking;
        self.send(Purpose::Check, body, out);
    }

    /// The model's verdicts came.
    pub(super) fn looked(&mut self, reply: &Reply, out: &mut Vec<Effect>) {
        let (Some((_, effect)), Some(draft)) = (self.waiting.take(), self.draft.take()) else { return };
        self.usage += self.usage_of(reply, &effect);
        self.tell_usage(out);
        let looked = draft.look(&reply.text, &self.book).unwrap_or_else(|| draft.unlooked());
        self.end_with(&draft, &looked, out);
    }

    /// Ends with the report as the model wrote it.
    pub(super) fn end_unlooked(&mut self, out: &mut Vec<Effect>) {
        let Some(draft) = self.draft.take() else { return };
        // The report is paid for; only its check is abandoned.
        let report = self.streaming.text().to_owned();
        self.streaming.drop_text();
        self.abandon_own(out);
        self.streaming.restore(report, true);
        self.end_with(&draft, &draft.unlooked(), out);
    }

    fn end_with(&mut self, draft: &Draft, looked: &Looked, out: &mut Vec<Effect>) {
        let cited = finish::cite_looked(looked, &self.book, self.keeps_handles);
        self.close(draft.state, draft.reason.clone(), cited, out);
    }
}

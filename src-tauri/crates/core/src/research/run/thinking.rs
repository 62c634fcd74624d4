//! Asking the model and taking what it says.

use super::{
    Effect, ToolResult,
    conversation::tokens_of,
    machine::{Phase, Request, Run, Urgency},
    round::{Round, Work},
    spending::usage_of,
};
use crate::prompts::stopped_by;
use crate::protocol::{EndReason, Reasons};
use crate::{
    answer_stream::AnswerStream,
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Offer, Places, Reply, Thinking, ToolSet},
    protocol::{Event, Focus, Incident, IncidentAction, IncidentKind, TurnState, Usage},
    tools,
};

/// Calls of one reply that are carried out; the rest get an error result.
const MAX_CALLS: usize = 16;
/// Calls of one reply that are looked at.
const KEPT_CALLS: usize = 4 * MAX_CALLS;
/// Tokens below which what a service counts is not taken for all that a model can write.
const FEW: u32 = 1024;
/// The same for `final_answer` alone.
const ANSWER_TOOL: u64 = 150;

impl Run {
    /// A limit was reached: the model is asked to answer from what there is.
    pub(super) fn ask_for_answer(&mut self, why: EndReason, out: &mut Vec<Effect>) {
        let text = self.asked.prompts.final_answer(&stopped_by(&why));
        self.conversation.push(Message::User { text });
        self.urgency = Urgency::Now(why);
        let counter = self.counter.clone();
        let limits = self.asked.limits;
        let mut room = limits.compaction_threshold();
        let budget = self.budget();
        if budget.is_limited() {
            room = room.min(usize::try_from(budget.longest_prompt().saturating_sub(ANSWER_TOOL)).unwrap_or(usize::MAX));
        }
        if self.conversation.exceeds(room, counter.as_ref()) {
            let question = self.asked.question.clone();
            self.conversation.shorten(room, &question, counter.as_ref());
        }
        self.ask_model(Request::FinalAnswer, out);
    }

    pub(super) fn ask_model(&mut self, about: Request, out: &mut Vec<Effect>) {
        self.streaming.restart(&self.book, out);
        let mut user_tools = Vec::new();
        let (messages, tools) = match about {
            Request::Step => {
                user_tools.clone_from(&self.asked.tools);
                let asked = &self.asked;
                let documents = asked.focus == Focus::Documents;
                let own = Places { web: !documents, documents: documents || asked.documents, library: asked.library };
                let tools = self
                    .researcher
                    .as_ref()
                    .map_or(ToolSet::Research(own), |researcher| ToolSet::Researcher(Offer { documents, ..researcher.offer() }));
                (self.conversation.messages(), tools)
            }
            Request::FinalAnswer => (self.conversation.messages(), ToolSet::AnswerOnly),
            Request::ThreadSummary { turns } => (self.summary_request(turns), ToolSet::None),
            Request::Compaction => (self.compaction_request(), ToolSet::None),
        };
        let Some(max_output_tokens) = self.grant(about, &messages) else {
            self.too_dear(about, out);
            return;
        };
        // A summary needs no deep thought.
        let thinking = if about.is_summary() { Thinking::Auto } else { self.asked.thinking };
        let body = ModelRequest { messages, tools, user_tools, max_output_tokens, thinking };
        let request = self.awaited.ask(about.purpose(), body, out);
        self.phase = Phase::Thinking { request, about };
    }

    /// Tokens of output that the request may have; none when there is not enough left for it.
    fn grant(&mut self, about: Request, messages: &[Message]) -> Option<u32> {
        let budget = self.budget();
        let most = self.asked.limits.max_output_tokens;
        if !budget.is_limited() || !self.asked.assisted {
            return Some(most);
        }
        let counter = self.counter.clone();
        let conversation = self.conversation.tokens(counter.as_ref()) as u64;
        match about {
            Request::Step => budget.step(conversation + u64::from(super::TOOLS + self.asked.limits.user_tools)),
            Request::FinalAnswer => budget.answer(conversation + ANSWER_TOOL),
            Request::Compaction | Request::ThreadSummary { .. } => budget.side(tokens_of(messages, counter.as_ref()), conversation, most),
        }
    }

    fn too_dear(&mut self, about: Request, out: &mut Vec<Effect>) {
        let why = self.budget().reason();
        match about {
            Request::FinalAnswer => {
                let why = self.urgency.now_or(why);
                self.end(TurnState::Partial, Reasons::from(why).and(EndReason::NothingLeftForAnswer), None, out);
            }
            Request::Step => {
                // The step that was announced does not take place.
                self.step -= 1;
                self.ask_for_answer(why, out);
            }
            Request::ThreadSummary { turns } => self.summarised(turns, None, out),
            Request::Compaction => self.compacted(None, out),
        }
    }

    /// Shows what has been added to the answer.
    fn show_more(&mut self, text: &str, out: &mut Vec<Effect>) {
        self.streaming.add(text);
        // What a researcher writes is shown when it is done.
        if self.researcher.is_none() {
            self.streaming.show(&self.book, self.keeps_handles, out);
        }
    }

    pub(super) fn delta(&mut self, delta: Delta, out: &mut Vec<Effect>) {
        let Phase::Thinking { about, .. } = self.phase else { return };
        if about.is_summary() {
            return;
        }
        if about == Request::FinalAnswer {
            self.streaming.becomes_answer();
        }
        let text = match delta {
            Delta::Text(text) => text,
            Delta::Reasoning(text) => {
                out.push(Effect::Emit(Event::Reasoning { step: self.step, text }));
                return;
            }
            Delta::Arguments { index, name, piece } if name == "final_answer" => self.streaming.of_call(index, &piece, &self.book, out),
            Delta::Arguments { .. } => return,
            Delta::Waiting(incident) => {
                out.push(Effect::Emit(Event::Incident { incident }));
                return;
            }
            Delta::Restart => {
                self.streaming.restart(&self.book, out);
                return;
            }
        };
        if !text.is_empty() {
            self.show_more(&text, out);
        }
    }

    pub(super) fn replied(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let Phase::Thinking { request, about } = self.phase else { return };
        let body = self.awaited.take_request(request);
        // What was streamed and is not in the reply is void: the journal knows the reply alone.
        if reply.text.trim().is_empty() && !reply.calls.iter().any(|call| call.name == "final_answer") {
            self.streaming.reset(&self.book, out);
        }
        let usage = usage_of(&reply, &reply.calls, body.as_ref(), &self.asked, self.counter.as_ref());
        self.spend(usage, !about.is_summary(), out);
        self.take_note_of(&reply, about, out);
        match (about, reply.finish) {
            (Request::ThreadSummary { turns }, _) => self.summarised(turns, Some(reply.text), out),
            (Request::Compaction, _) => self.compacted(Some(reply.text), out),
            (_, FinishReason::ContentFilter) => {
                if reply.text.trim().is_empty() {
                    self.end_without_model(EndReason::Refused.into(), None, out);
                } else {
                    self.end(TurnState::Failed, EndReason::Refused.into(), Some(reply.text), out);
                }
            }
            (_, FinishReason::Length) => self.cut_off(reply, out),
            _ => self.act(reply, out),
        }
    }

    /// Counts what a request used: one `of_conversation`, or beside it.
    pub(super) fn spend(&mut self, usage: Usage, of_conversation: bool, out: &mut Vec<Effect>) {
        if usage == Usage::default() {
            return;
        }
        self.spending.add(usage);
        let context = if of_conversation { u32::try_from(usage.total()).unwrap_or(u32::MAX) } else { 0 };
        out.push(Effect::Emit(Event::Usage { usage: self.spending.used(), context, max_context: self.asked.limits.max_context }));
    }

    /// The output limit cut the reply: its calls may be halves and are dropped.
    fn cut_off(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let streamed = reply
            .calls
            .iter()
            .find(|call| call.name == "final_answer")
            .map(|call| AnswerStream::default().push(&call.arguments))
            .filter(|text| !text.trim().is_empty());
        let called = reply.calls.iter().any(|call| call.name != "final_answer");
        if called && streamed.is_none() && self.urgency.limit().is_none() {
            // What stands beside a call that was cut off is talk.
            self.streaming.reset(&self.book, out);
            self.ask_for_answer(EndReason::ReplyCutOff, out);
            return;
        }
        let kept = streamed.unwrap_or(reply.text);
        if kept.trim().is_empty() {
            self.more_output(reply.usage.unwrap_or_default(), out);
        } else {
            let reason = match (self.urgency.limit(), self.budget().is_limited()) {
                (Some(why), true) => Reasons::from(why.clone()).and(EndReason::AnswerCutThere),
                _ => EndReason::AnswerCutOff.into(),
            };
            self.end(TurnState::Partial, reason, Some(kept), out);
        }
    }

    /// The output limit was reached before anything but thoughts had been written: it is asked again
    /// with more room.
    fn more_output(&mut self, used: Usage, out: &mut Vec<Effect>) {
        let Phase::Thinking { about, .. } = self.phase else { return };
        let limits = self.asked.limits;
        let before = limits.max_output_tokens;
        let prompt = u32::try_from(used.prompt).unwrap_or(u32::MAX);
        let most = (limits.max_context / 2).min(limits.max_context.saturating_sub(prompt));
        // Less than was allowed is all that the model can write; more room would change nothing.
        let written = u32::try_from(used.completion).unwrap_or(u32::MAX);
        let is_all = written >= FEW && written < before / 4 * 3;
        let before = if is_all { written } else { before };
        if !self.setbacks.cut_thoughts() || before >= most || is_all {
            let incident =
                Incident { amount: Some(before), ..Incident::new(IncidentKind::CutOffThinking, "", IncidentAction::WithoutModel) };
            self.end_without_model(EndReason::ThoughtsCutOff { tokens: before }.into(), Some(incident), out);
            return;
        }
        self.asked.limits.max_output_tokens = before.saturating_mul(2).min(most);
        let incident = Incident { amount: Some(before), ..Incident::new(IncidentKind::CutOffThinking, "", IncidentAction::MoreOutput) };
        out.push(Effect::Emit(Event::Incident { incident }));
        self.ask_model(about, out);
    }

    fn empty_reply(&mut self, out: &mut Vec<Effect>) {
        if !self.setbacks.empty_reply() {
            self.end_without_model(EndReason::NothingSent.into(), None, out);
        } else if let Phase::Thinking { about, .. } = self.phase {
            self.ask_model(about, out);
        }
    }

    fn act(&mut self, mut reply: Reply, out: &mut Vec<Effect>) {
        if reply.calls.is_empty() {
            if reply.text.trim().is_empty() {
                self.empty_reply(out);
            } else {
                self.answer(reply.text, out);
            }
            return;
        }
        self.setbacks.reply();
        // A model that calls without end is not kept in the conversation with all of it.
        reply.calls.truncate(KEPT_CALLS);
        self.unique_ids(&mut reply.calls);
        let requests: Vec<Result<tools::Request, String>> =
            reply.calls.iter().map(|call| tools::understand(call, &self.asked.tools)).collect();
        if let Some((answer, follow_ups, title)) = requests.iter().find_map(|request| match request {
            Ok(tools::Request::Answer { answer, follow_ups, title }) => Some((answer.clone(), follow_ups.clone(), title.clone())),
            _ => None,
        }) {
            self.follow_ups = follow_ups;
            self.title = title.filter(|_| self.asked.is_first());
            self.egress.keep_suggestions(&mut self.follow_ups);
            self.answer(answer, out);
            return;
        }
        if self.urgency.limit().is_some() {
            // Asked for the answer alone, it still wants tools: what it said besides is the answer.
            if reply.text.trim().is_empty() {
                self.give_up(out);
            } else {
                self.answer(reply.text, out);
            }
            return;
        }
        // What was streamed was talk beside the calls.
        self.streaming.reset(&self.book, out);
        self.trail.called(&reply.calls);
        self.conversation.push(Message::Assistant { text: reply.text, calls: reply.calls.clone(), state: reply.state });
        self.phase = Phase::Acting(Round::default());
        for (index, (call, request)) in reply.calls.into_iter().zip(requests).enumerate() {
            let work = if index >= MAX_CALLS {
                Work::Ready(ToolResult::Error { message: format!("Only {MAX_CALLS} calls are carried out at a time. Ask again.") })
            } else {
                self.start(index, request, out)
            };
            if let Phase::Acting(round) = &mut self.phase {
                round.push(call, work);
            }
        }
        self.settle(out);
    }

    /// What a reply says besides its text and calls: who wrote it in place of whom, and how.
    fn take_note_of(&mut self, reply: &Reply, about: Request, out: &mut Vec<Effect>) {
        self.nothing_found |= reply.nothing_found;
        match &reply.instead {
            None if !about.is_summary() => self.author.primary_replied(),
            None => {}
            Some(instead) => out.extend(self.author.fell_back_to(instead).map(Effect::Emit)),
        }
        if reply.tools_in_text && !self.told_tools_in_text {
            self.told_tools_in_text = true;
            let incident = Incident::new(IncidentKind::ToolsInText, self.asked.model.clone(), IncidentAction::None);
            out.push(Effect::Emit(Event::Incident { incident }));
        }
    }

    pub(super) fn model_failed(&mut self, error: &ModelError, out: &mut Vec<Effect>) {
        let Phase::Thinking { request, about } = self.phase else { return };
        self.awaited.take_request(request);
        match about {
            Request::Compaction => return self.compacted(None, out),
            Request::ThreadSummary { turns } => return self.summarised(turns, None, out),
            Request::Step | Request::FinalAnswer => {}
        }
        match error {
            ModelError::ContextFull { window, prompt, .. } if self.may_shorten() => {
                let incident = Incident::of_model(error, IncidentAction::Shorten);
                out.push(Effect::Emit(Event::Incident { incident }));
                self.overflowed(*window, *prompt, about, out);
            }
            _ => {
                let incident = Incident::of_model(error, IncidentAction::WithoutModel);
                self.end_without_model(EndReason::model_failed(error).into(), Some(incident), out);
            }
        }
    }
}

//! Asking the model and taking what it says.

use super::{
    Effect, Purpose, ToolResult,
    conversation::{size, tokens_of},
    machine::{Pending, Phase, Run, Waiting, Work},
};
use crate::prompts::stopped_by;
use crate::protocol::{EndReason, Notice, Reasons};
use crate::{
    answer_stream::AnswerStream,
    model::{Delta, FinishReason, Instead, Message, ModelError, ModelRequest, Offer, Places, Reply, Thinking, ToolSet},
    protocol::{Event, Focus, Incident, IncidentAction, IncidentKind, TurnState, Usage},
    tools::{self, Request},
};

/// Calls of one reply that are carried out; the rest get an error result.
const MAX_CALLS: usize = 16;
/// Calls of one reply that are looked at.
const KEPT_CALLS: usize = 4 * MAX_CALLS;
/// Tokens below which what a service counts is not taken for all that a model can write.
const FEW: u32 = 1024;
/// The same for `final_answer` alone.
const ANSWER_TOOL: u64 = 150;

/// What is told when another model writes; the incident that decided it becomes `latest`.
pub(super) fn took_over(instead: &Instead, latest: &mut Option<Incident>) -> Event {
    match Incident::of_instead(instead) {
        Some(incident) => {
            *latest = Some(incident.clone());
            Event::Incident { incident }
        }
        None => Event::Notice { notice: Notice::NextModel { why: instead.why.clone(), model: instead.model.clone() } },
    }
}

impl Run {
    /// A limit was reached: the model is asked to answer from what there is.
    pub(super) fn ask_for_answer(&mut self, why: EndReason, out: &mut Vec<Effect>) {
        let text = self.asked().prompts.final_answer(&stopped_by(&why));
        self.conversation.push(Message::User { text });
        self.limit = Some(why);
        let counter = self.counter.clone();
        let limits = self.asked().limits;
        let mut room = limits.compaction_threshold();
        let purse = self.purse();
        if purse.is_limited() {
            room = room.min(usize::try_from(purse.longest_prompt().saturating_sub(ANSWER_TOOL)).unwrap_or(usize::MAX));
        }
        if self.conversation.exceeds(room, counter.as_ref()) {
            let question = self.asked().question.clone();
            self.conversation.shorten(room, &question, counter.as_ref());
        }
        self.ask_model(Purpose::FinalAnswer, out);
    }

    pub(super) fn ask_model(&mut self, purpose: Purpose, out: &mut Vec<Effect>) {
        self.streaming.restart(&self.book, out);
        let mut user_tools = Vec::new();
        let (messages, tools) = match purpose {
            Purpose::Step => {
                user_tools.clone_from(&self.asked().tools);
                let asked = self.asked();
                let documents = asked.focus == Focus::Documents;
                let own = Places { web: !documents, documents: documents || asked.documents, library: asked.library };
                let tools =
                    self.desk.as_ref().map_or(ToolSet::Research(own), |desk| ToolSet::Researcher(Offer { documents, ..desk.offer() }));
                (self.conversation.messages(), tools)
            }
            Purpose::FinalAnswer => (self.conversation.messages(), ToolSet::AnswerOnly),
            Purpose::ThreadSummary => (self.summary_request(), ToolSet::None),
            _ => (self.compaction_request(), ToolSet::None),
        };
        let Some(max_output_tokens) = self.grant(purpose, &messages) else {
            self.too_dear(purpose, out);
            return;
        };
        self.current = self.new_request();
        self.phase = Phase::Thinking(purpose);
        // A summary needs no deep thought.
        let thinking = if matches!(purpose, Purpose::Compaction | Purpose::ThreadSummary) { Thinking::Auto } else { self.asked().thinking };
        let body = ModelRequest { messages, tools, user_tools, max_output_tokens, thinking };
        out.push(Effect::AskModel { request: self.current, purpose, body });
    }

    /// Tokens of output that the request may have; none when there is not enough left for it.
    fn grant(&mut self, purpose: Purpose, messages: &[Message]) -> Option<u32> {
        let purse = self.purse();
        let most = self.asked().limits.max_output_tokens;
        if !purse.is_limited() || !self.asked().assisted {
            return Some(most);
        }
        let counter = self.counter.clone();
        let conversation = self.conversation.tokens(counter.as_ref()) as u64;
        match purpose {
            Purpose::Step => purse.step(conversation + u64::from(super::TOOLS + self.asked().limits.user_tools)),
            Purpose::FinalAnswer => purse.answer(conversation + ANSWER_TOOL),
            _ => purse.side(tokens_of(messages, counter.as_ref()), conversation, most),
        }
    }

    fn too_dear(&mut self, purpose: Purpose, out: &mut Vec<Effect>) {
        let why = self.purse().reason();
        match purpose {
            Purpose::FinalAnswer => {
                let why = self.limit.get_or_insert(why).clone();
                self.end(TurnState::Partial, Reasons::from(why).and(EndReason::NothingLeftForAnswer), None, out);
            }
            Purpose::Step => {
                // The step that was announced does not take place.
                self.step -= 1;
                self.ask_for_answer(why, out);
            }
            Purpose::ThreadSummary => self.summarised(None, out),
            _ => self.compacted(None, out),
        }
    }

    /// Shows what has been added to the answer.
    fn show_more(&mut self, text: &str, out: &mut Vec<Effect>) {
        self.streaming.add(text);
        // What a researcher writes is shown when it is done.
        if self.desk.is_none() {
            self.streaming.show(&self.book, self.keeps_handles, out);
        }
    }

    pub(super) fn delta(&mut self, delta: Delta, out: &mut Vec<Effect>) {
        if matches!(self.phase, Phase::Thinking(Purpose::Compaction | Purpose::ThreadSummary)) && !matches!(delta, Delta::Waiting(_)) {
            return;
        }
        if matches!(self.phase, Phase::Thinking(Purpose::FinalAnswer)) {
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
        let request = self.outstanding.remove(&Waiting::Model(self.current));
        let Phase::Thinking(purpose) = self.phase else { return };
        // What was streamed and is not in the reply is void: the journal knows the reply alone.
        if reply.text.trim().is_empty() && !reply.calls.iter().any(|call| call.name == "final_answer") {
            self.streaming.reset(&self.book, out);
        }
        let usage = self.usage_of(&reply, request.as_ref());
        self.spend(usage, purpose, out);
        self.take_note_of(&reply, purpose, out);
        match (purpose, reply.finish) {
            (Purpose::ThreadSummary, _) => self.summarised(Some(reply.text), out),
            (Purpose::Compaction | Purpose::Extraction | Purpose::Selection, _) => self.compacted(Some(reply.text), out),
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

    /// What a reply used, counted here where the provider did not say.
    pub(super) fn usage_of(&self, reply: &Reply, request: Option<&Effect>) -> Usage {
        if let Some(usage) = reply.usage {
            return usage;
        }
        if !self.asked().assisted {
            return Usage::default();
        }
        let counter = self.counter.as_ref();
        let prompt = match request {
            Some(Effect::AskModel { body, .. }) => tokens_of(&body.messages, counter),
            _ => 0,
        };
        let said = Message::said(reply.text.clone(), reply.calls.clone());
        self.estimate(prompt, size(&said, counter) as u64)
    }

    /// Tokens that were counted here, with their price.
    pub(super) fn estimate(&self, prompt: u64, completion: u64) -> Usage {
        self.asked().price.unwrap_or_default().estimated(prompt, completion)
    }

    pub(super) fn spend(&mut self, usage: Usage, purpose: Purpose, out: &mut Vec<Effect>) {
        if usage == Usage::default() {
            return;
        }
        self.usage += usage;
        let is_conversation = matches!(purpose, Purpose::Step | Purpose::FinalAnswer);
        let context = if is_conversation { u32::try_from(usage.total()).unwrap_or(u32::MAX) } else { 0 };
        out.push(Effect::Emit(Event::Usage { usage: self.usage, context, max_context: self.asked().limits.max_context }));
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
        if called && streamed.is_none() && self.limit.is_none() {
            // What stands beside a call that was cut off is talk.
            self.streaming.reset(&self.book, out);
            self.ask_for_answer(EndReason::ReplyCutOff, out);
            return;
        }
        let kept = streamed.unwrap_or(reply.text);
        if kept.trim().is_empty() {
            self.more_output(reply.usage.unwrap_or_default(), out);
        } else {
            let reason = match (&self.limit, self.purse().is_limited()) {
                (Some(why), true) => Reasons::from(why.clone()).and(EndReason::AnswerCutThere),
                _ => EndReason::AnswerCutOff.into(),
            };
            self.end(TurnState::Partial, reason, Some(kept), out);
        }
    }

    /// The output limit was reached before anything but thoughts had been written: it is asked again
    /// with more room.
    fn more_output(&mut self, used: Usage, out: &mut Vec<Effect>) {
        let Phase::Thinking(purpose) = self.phase else { return };
        let limits = self.asked().limits;
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
        self.limits_mut().max_output_tokens = before.saturating_mul(2).min(most);
        let incident = Incident { amount: Some(before), ..Incident::new(IncidentKind::CutOffThinking, "", IncidentAction::MoreOutput) };
        out.push(Effect::Emit(Event::Incident { incident }));
        self.ask_model(purpose, out);
    }

    fn empty_reply(&mut self, out: &mut Vec<Effect>) {
        if !self.setbacks.empty_reply() {
            self.end_without_model(EndReason::NothingSent.into(), None, out);
        } else if let Phase::Thinking(purpose) = self.phase {
            self.ask_model(purpose, out);
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
        let requests: Vec<Result<Request, String>> = reply.calls.iter().map(|call| tools::understand(call, &self.asked().tools)).collect();
        if let Some((answer, follow_ups, title)) = requests.iter().find_map(|request| match request {
            Ok(Request::Answer { answer, follow_ups, title }) => Some((answer.clone(), follow_ups.clone(), title.clone())),
            _ => None,
        }) {
            self.follow_ups = follow_ups;
            self.title = title.filter(|_| self.asked().is_first());
            self.egress.keep_suggestions(&mut self.follow_ups);
            self.answer(answer, out);
            return;
        }
        if self.limit.is_some() {
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
        let signature: Vec<(String, String)> = reply.calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect();
        self.recent_calls.push(signature);
        self.conversation.push(Message::Assistant { text: reply.text, calls: reply.calls.clone(), state: reply.state });
        let mut pending = Vec::new();
        for (index, (call, request)) in reply.calls.into_iter().zip(requests).enumerate() {
            let work = if index >= MAX_CALLS {
                Work::Ready(ToolResult::Error { message: format!("Only {MAX_CALLS} calls are carried out at a time. Ask again.") })
            } else {
                self.start(index, request, out)
            };
            pending.push(Pending { call, work });
        }
        self.phase = Phase::Acting(pending);
        self.settle(out);
    }

    /// What a reply says besides its text and calls: who wrote it in place of whom, and how.
    fn take_note_of(&mut self, reply: &Reply, purpose: Purpose, out: &mut Vec<Effect>) {
        self.nothing_found |= reply.nothing_found;
        if matches!(purpose, Purpose::Step | Purpose::FinalAnswer) && reply.instead.is_none() && self.answered_by.take().is_some() {
            // The one that was chosen is back.
            self.taken_over = None;
            self.incident.take_if(|incident| matches!(incident.action, IncidentAction::NextModel { .. }));
        }
        if let Some(instead) = &reply.instead
            && self.answered_by.as_ref() != Some(&instead.model)
        {
            self.answered_by = Some(instead.model.clone());
            if let Some(error) = &instead.error {
                self.taken_over = Some(error.to_string());
            }
            out.push(Effect::Emit(took_over(instead, &mut self.incident)));
        }
        if reply.tools_in_text && !self.told_tools_in_text {
            self.told_tools_in_text = true;
            let incident = Incident::new(IncidentKind::ToolsInText, self.asked().model.clone(), IncidentAction::None);
            out.push(Effect::Emit(Event::Incident { incident }));
        }
    }

    pub(super) fn model_failed(&mut self, error: &ModelError, out: &mut Vec<Effect>) {
        self.outstanding.remove(&Waiting::Model(self.current));
        let Phase::Thinking(purpose) = self.phase else { return };
        match purpose {
            Purpose::Compaction => return self.compacted(None, out),
            Purpose::ThreadSummary => return self.summarised(None, out),
            _ => {}
        }
        match error {
            ModelError::ContextFull { window, prompt, .. } if self.may_shorten() => {
                let incident = Incident::of_model(error, IncidentAction::Shorten);
                out.push(Effect::Emit(Event::Incident { incident }));
                self.overflowed(*window, *prompt, purpose, out);
            }
            _ => {
                let incident = Incident::of_model(error, IncidentAction::WithoutModel);
                self.end_without_model(EndReason::ModelFailed { message: error.to_string() }.into(), Some(incident), out);
            }
        }
    }
}

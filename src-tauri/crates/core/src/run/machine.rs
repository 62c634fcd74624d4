//! The transitions of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    answer_stream::AnswerStream,
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply, ToolCall, ToolSet},
    ports::{Failure, Found, Page, TokenCounter},
    prompts,
    protocol::{Ending, Event, TurnState, Usage},
    run::{Asked, Effect, Input, Key, Purpose, ToolResult, compact, finish, sources::SourceBook},
    text,
    tools::{self, PageMode, Request},
};

/// Bytes of an answer that are kept at most.
const MAX_ANSWER: usize = 256 * 1024;
/// Calls of one reply that are carried out; the rest get an error result.
const MAX_CALLS: usize = 16;

/// One execution of the agent for a turn.
pub struct Run {
    counter: Arc<dyn TokenCounter>,
    asked: Option<Asked>,
    pub(super) messages: Vec<Message>,
    /// Messages up to and including the question.
    head: usize,
    pub(super) phase: Phase,
    pub(super) step: u32,
    request: u32,
    pub(super) book: SourceBook,
    pub(super) titles: BTreeMap<String, String>,
    pub(super) queries: Vec<String>,
    usage: Usage,
    /// What has been streamed of the answer.
    partial: String,
    streams: BTreeMap<usize, AnswerStream>,
    pub(super) recent_calls: Vec<Vec<(String, String)>>,
    /// Why the answer was asked for before the model gave it.
    limit: Option<String>,
    empty_replies: u32,
    /// The time target passed while text was arriving.
    time_is_up: bool,
    compactions: u32,
    outstanding: BTreeMap<OutstandingKey, Effect>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OutstandingKey {
    Model(u32),
    Tool(Key),
}

pub(super) enum Phase {
    Idle,
    Thinking(Purpose),
    Acting(Vec<Pending>),
    Ended,
}

pub(super) struct Pending {
    pub(super) call: ToolCall,
    pub(super) work: Work,
}

pub(super) enum Work {
    Ready(ToolResult),
    Searching { queries: Vec<String>, found: Vec<Option<Result<Found, Failure>>> },
    Reading { urls: Vec<String>, instructions: String, mode: PageMode, pages: Vec<Option<Result<u32, Failure>>> },
}

impl Run {
    /// A run that has not begun; the first input is `Asked`.
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self {
            counter,
            asked: None,
            messages: Vec::new(),
            head: 0,
            phase: Phase::Idle,
            step: 0,
            request: 0,
            book: SourceBook::default(),
            titles: BTreeMap::new(),
            queries: Vec::new(),
            usage: Usage::default(),
            partial: String::new(),
            streams: BTreeMap::new(),
            recent_calls: Vec::new(),
            limit: None,
            empty_replies: 0,
            time_is_up: false,
            compactions: 0,
            outstanding: BTreeMap::new(),
        }
    }

    /// Takes what happened and says what to do next. Inputs that come too late are ignored.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        match input {
            Input::Asked { asked } if matches!(self.phase, Phase::Idle) => self.begin(*asked, &mut out),
            Input::Delta { request, delta } if self.is_current(request) => self.delta(delta, &mut out),
            Input::Replied { request, reply } if self.is_current(request) => self.replied(reply, &mut out),
            Input::ModelFailed { request, error } if self.is_current(request) => self.model_failed(&error, &mut out),
            Input::Searched { key, found } if self.outstanding.remove(&OutstandingKey::Tool(key)).is_some() => {
                self.searched(key, found, &mut out);
            }
            Input::PageRead { key, page } if self.outstanding.remove(&OutstandingKey::Tool(key)).is_some() => {
                self.page_read(key, page.map(|page| *page), &mut out);
            }
            Input::TimeUp { hard } => self.time_up(hard, &mut out),
            Input::Cancelled if !self.is_over() => {
                let reason = "You stopped this run. What it had found is kept.";
                self.end(TurnState::Cancelled, Some(reason.into()), None, &mut out);
            }
            _ => {}
        }
        for effect in &out {
            match effect {
                Effect::AskModel { request, .. } => {
                    self.outstanding.insert(OutstandingKey::Model(*request), effect.clone());
                }
                Effect::Search { key, .. } | Effect::Read { key, .. } => {
                    self.outstanding.insert(OutstandingKey::Tool(*key), effect.clone());
                }
                Effect::Abandon | Effect::Emit(_) | Effect::Finish(_) => {}
            }
        }
        out
    }

    /// The effects whose results have not come back, for a run that is picked up again.
    pub fn outstanding(&self) -> Vec<Effect> {
        self.outstanding.values().cloned().collect()
    }

    /// Whether the run has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    /// What has been streamed of the answer so far.
    pub fn partial_answer(&self) -> &str {
        &self.partial
    }

    /// The page that has this number.
    pub fn source(&self, number: u32) -> Option<&Page> {
        self.book.get(number).map(|known| &known.page)
    }

    fn is_current(&self, request: u32) -> bool {
        self.request == request && self.outstanding.contains_key(&OutstandingKey::Model(request))
    }

    pub(super) fn asked(&self) -> &Asked {
        self.asked.as_ref().expect("no input but `Asked` is taken before `Asked`")
    }

    fn begin(&mut self, mut asked: Asked, out: &mut Vec<Effect>) {
        self.book = SourceBook::new(std::mem::take(&mut asked.known));
        self.messages.push(Message::System { text: asked.system.clone() });
        // A long thread gives way to the new question: its oldest turns are left out first.
        let room = compact::threshold(&asked.limits) / 2;
        let size = |earlier: &super::Earlier| self.counter.count(&earlier.question) + self.counter.count(&earlier.answer);
        let mut total: usize = asked.earlier.iter().map(size).sum();
        while total > room && !asked.earlier.is_empty() {
            total -= size(&asked.earlier.remove(0));
        }
        for earlier in &asked.earlier {
            self.messages.push(Message::User { text: earlier.question.clone() });
            self.messages.push(Message::Assistant { text: earlier.answer.clone(), calls: Vec::new() });
        }
        self.messages.push(Message::User { text: asked.question.clone() });
        self.head = self.messages.len();
        out.push(Effect::Emit(Event::Started {
            question: asked.question.clone(),
            effort: asked.effort,
            max_steps: asked.limits.max_steps,
            model: asked.model.clone(),
        }));
        self.asked = Some(asked);
        self.next_step(out);
    }

    pub(super) fn next_step(&mut self, out: &mut Vec<Effect>) {
        if self.time_is_up {
            self.ask_for_answer("The time target is reached.".into(), out);
            return;
        }
        if self.step >= self.asked().limits.max_steps {
            let why = match self.asked().limits.max_steps {
                1 => "The limit of 1 step is reached.".to_owned(),
                steps => format!("The limit of {steps} steps is reached."),
            };
            self.ask_for_answer(why, out);
            return;
        }
        self.step += 1;
        out.push(Effect::Emit(Event::StepStarted { step: self.step }));
        self.ask_model(Purpose::Step, out);
    }

    /// A limit was reached: the model is asked to answer from what there is.
    pub(super) fn ask_for_answer(&mut self, why: String, out: &mut Vec<Effect>) {
        self.messages.push(Message::User { text: prompts::final_answer(&why) });
        self.limit = Some(why);
        let threshold = compact::threshold(&self.asked().limits);
        if self.may_exceed(threshold) {
            compact::shorten(&mut self.messages, threshold, self.counter.as_ref());
        }
        self.ask_model(Purpose::FinalAnswer, out);
    }

    pub(super) fn ask_model(&mut self, purpose: Purpose, out: &mut Vec<Effect>) {
        self.request += 1;
        self.streams.clear();
        if !self.partial.is_empty() {
            self.partial.clear();
            out.push(Effect::Emit(Event::AnswerReset));
        }
        let (messages, tools) = match purpose {
            Purpose::Step => (self.messages.clone(), ToolSet::Research),
            Purpose::FinalAnswer => (self.messages.clone(), ToolSet::AnswerOnly),
            Purpose::Compaction => {
                let asked = self.asked();
                (compact::request(&self.messages, &asked.question, &asked.limits, self.counter.as_ref()), ToolSet::None)
            }
        };
        let body = ModelRequest { messages, tools, max_output_tokens: self.asked().limits.max_output_tokens };
        self.phase = Phase::Thinking(purpose);
        out.push(Effect::AskModel { request: self.request, purpose, body });
    }

    fn delta(&mut self, delta: Delta, out: &mut Vec<Effect>) {
        if matches!(self.phase, Phase::Thinking(Purpose::Compaction)) {
            return;
        }
        let text = match delta {
            Delta::Text(text) => text,
            Delta::Reasoning(text) => {
                out.push(Effect::Emit(Event::Reasoning { step: self.step, text }));
                return;
            }
            Delta::Arguments { index, name, piece } if name == "final_answer" => {
                // A model that also chats beside its call answers with the call alone.
                if self.streams.is_empty() && !self.partial.is_empty() {
                    self.partial.clear();
                    out.push(Effect::Emit(Event::AnswerReset));
                }
                self.streams.entry(index).or_default().push(&piece)
            }
            Delta::Arguments { .. } => return,
            Delta::Restart => {
                self.streams.clear();
                if !self.partial.is_empty() {
                    self.partial.clear();
                    out.push(Effect::Emit(Event::AnswerReset));
                }
                return;
            }
        };
        if !text.is_empty() {
            self.partial.push_str(&text);
            out.push(Effect::Emit(Event::AnswerDelta { text }));
        }
    }

    fn replied(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        self.outstanding.remove(&OutstandingKey::Model(self.request));
        let Phase::Thinking(purpose) = self.phase else { return };
        if let Some(usage) = reply.usage {
            self.usage += usage;
            let context = u32::try_from(usage.total()).unwrap_or(u32::MAX);
            out.push(Effect::Emit(Event::Usage { usage: self.usage, context, max_context: self.asked().limits.max_context }));
        }
        match (purpose, reply.finish) {
            (Purpose::Compaction, _) => self.compacted(Some(reply.text), out),
            (_, FinishReason::ContentFilter) => {
                let reason = "The model's provider refused to answer this question.";
                self.end(TurnState::Failed, Some(reason.into()), Some(reply.text), out);
            }
            (_, FinishReason::Length) => self.cut_off(reply, out),
            _ => self.act(reply, out),
        }
    }

    /// The output limit cut the reply: its calls may be halves and are dropped.
    fn cut_off(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        let streamed = reply
            .calls
            .iter()
            .find(|call| call.name == "final_answer")
            .map(|call| AnswerStream::default().push(&call.arguments))
            .filter(|text| !text.trim().is_empty());
        let kept = streamed.unwrap_or(reply.text);
        if kept.trim().is_empty() {
            self.empty_reply(out);
        } else {
            let reason = "The answer is cut off: the model reached its output limit. Raise max_output_tokens in Settings.";
            self.end(TurnState::Partial, Some(reason.into()), Some(kept), out);
        }
    }

    fn empty_reply(&mut self, out: &mut Vec<Effect>) {
        self.empty_replies += 1;
        if self.empty_replies > 1 {
            let reason = "The model sent nothing, twice. Try again, or choose another model in Settings.";
            self.end(TurnState::Failed, Some(reason.into()), None, out);
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
        self.empty_replies = 0;
        self.unique_ids(&mut reply.calls);
        let requests: Vec<Result<Request, String>> = reply.calls.iter().map(tools::understand).collect();
        if let Some(answer) = requests.iter().find_map(|request| match request {
            Ok(Request::Answer { answer }) => Some(answer.clone()),
            _ => None,
        }) {
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
        if !self.partial.is_empty() {
            // What was streamed was talk beside the calls.
            self.partial.clear();
            out.push(Effect::Emit(Event::AnswerReset));
        }
        let signature: Vec<(String, String)> = reply.calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect();
        self.recent_calls.push(signature);
        self.messages.push(Message::Assistant { text: reply.text, calls: reply.calls.clone() });
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

    /// Whether the conversation may be longer than this. A token is at least a byte, so most
    /// conversations need no counting at all.
    pub(super) fn may_exceed(&self, tokens: usize) -> bool {
        let bytes: usize = self.messages.iter().map(|message| compact::tokens(message, &Bytes)).sum();
        bytes > tokens && compact::total(&self.messages, self.counter.as_ref()) > tokens
    }

    fn compacted(&mut self, summary: Option<String>, out: &mut Vec<Effect>) {
        self.compactions += 1;
        let counter = self.counter.clone();
        let limits = self.asked().limits;
        let threshold = compact::threshold(&limits);
        let before = compact::total(&self.messages, counter.as_ref());
        if let Some(findings) = summary.filter(|text| !text.trim().is_empty()) {
            let summary = self.summary(&findings);
            self.messages = compact::rebuild(&self.messages, self.head, summary, limits.preserve_last as usize);
        }
        if compact::total(&self.messages, counter.as_ref()) > threshold {
            compact::shorten(&mut self.messages, threshold, counter.as_ref());
        }
        let after = compact::total(&self.messages, counter.as_ref());
        out.push(Effect::Emit(Event::Compacted { step: self.step, before: before as u32, after: after as u32 }));
        // A run that fills the window again and again is going round in circles.
        if after > threshold || self.compactions > 8 {
            self.ask_for_answer("The model's context window is full.".into(), out);
        } else {
            self.next_step(out);
        }
    }

    fn summary(&self, findings: &str) -> String {
        let queries = self.queries.iter().map(|query| format!("- {query}")).collect::<Vec<_>>().join("\n");
        let links = self.book.links().iter().map(|(number, url)| format!("- [{number}] {url}")).collect::<Vec<_>>().join("\n");
        let question = &self.asked().question;
        format!(
            "The research so far, summarised to save room.\n\nQuestion: {question}\n\nSearches made:\n{queries}\n\nPages read, with the numbers to cite:\n{links}\n\nFindings:\n<untrusted>\n{findings}\n</untrusted>"
        )
    }

    fn model_failed(&mut self, error: &ModelError, out: &mut Vec<Effect>) {
        self.outstanding.remove(&OutstandingKey::Model(self.request));
        if matches!(self.phase, Phase::Thinking(Purpose::Compaction)) {
            self.compacted(None, out);
            return;
        }
        self.end(TurnState::Failed, Some(error.to_string()), None, out);
    }

    fn time_up(&mut self, hard: bool, out: &mut Vec<Effect>) {
        if self.is_over() || self.asked.is_none() {
            return;
        }
        if hard {
            self.limit.get_or_insert_with(|| "The time target was reached.".into());
            self.give_up(out);
            return;
        }
        // An answer that is already being written may be finished.
        if self.limit.is_some() {
            return;
        }
        if !self.partial.is_empty() && !matches!(self.phase, Phase::Acting(_)) {
            self.time_is_up = true;
            return;
        }
        out.push(Effect::Abandon);
        self.outstanding.clear();
        if matches!(self.phase, Phase::Acting(_)) {
            self.record_results();
        }
        self.ask_for_answer("The time target is reached.".into(), out);
    }

    fn give_up(&mut self, out: &mut Vec<Effect>) {
        let why = self.limit.clone().unwrap_or_default();
        let reason = format!("{why} The model wrote no complete answer in time; the sources it read are kept.");
        self.end(TurnState::Partial, Some(reason), None, out);
    }

    fn answer(&mut self, answer: String, out: &mut Vec<Effect>) {
        let (state, reason) = match &self.limit {
            Some(why) => (TurnState::Partial, Some(format!("{why} This answer rests on what was found until then."))),
            None => (TurnState::Answered, None),
        };
        self.end(state, reason, Some(answer), out);
    }

    fn end(&mut self, state: TurnState, reason: Option<String>, answer: Option<String>, out: &mut Vec<Effect>) {
        let answer = answer.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| self.partial.clone());
        let answer = answer.trim();
        let answer = answer[..text::floor_char(answer, MAX_ANSWER)].to_owned();
        let (sources, citations) = finish::cite(&answer, &self.book);
        let ending = Ending { state, reason, answer, sources, citations, steps: self.step, usage: self.usage };
        if !self.outstanding.is_empty() {
            out.push(Effect::Abandon);
        }
        self.outstanding.clear();
        self.phase = Phase::Ended;
        out.push(Effect::Emit(Event::Ended { ending: ending.clone() }));
        out.push(Effect::Finish(Box::new(ending)));
    }
}

/// An upper bound of every tokenizer: one token a byte.
struct Bytes;

impl TokenCounter for Bytes {
    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

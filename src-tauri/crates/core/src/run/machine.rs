//! The transitions of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    answer_stream::AnswerStream,
    model::{Delta, FinishReason, Message, ModelError, ModelRequest, Reply, ToolCall, ToolSet},
    ports::{Failure, Found, Page, TokenCounter},
    prompts,
    protocol::{Ending, Event, ResultLine, TurnState, Usage},
    run::{
        Asked, Effect, Input, Key, PageResult, Purpose, QueryResult, ToolResult, compact, finish,
        results,
        sources::SourceBook,
    },
    text,
    tools::{self, PageMode, Request},
    urls::{page_key, site},
};

/// Calls of one reply that are carried out; the rest get an error result.
const MAX_CALLS: usize = 16;
/// Replies with the same calls in a row before the answer is asked for.
const SAME_CALLS: usize = 3;

/// One execution of the agent for a turn.
pub struct Run {
    counter: Arc<dyn TokenCounter>,
    asked: Option<Asked>,
    messages: Vec<Message>,
    /// Messages up to and including the question.
    head: usize,
    phase: Phase,
    step: u32,
    request: u32,
    book: SourceBook,
    titles: BTreeMap<String, String>,
    queries: Vec<String>,
    usage: Usage,
    /// What has been streamed of the answer.
    partial: String,
    streams: BTreeMap<usize, AnswerStream>,
    recent_calls: Vec<Vec<(String, String)>>,
    /// Why the answer was asked for before the model gave it.
    limit: Option<String>,
    empty_replies: u32,
    compactions: u32,
    outstanding: BTreeMap<OutstandingKey, Effect>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OutstandingKey {
    Model(u32),
    Tool(Key),
}

enum Phase {
    Idle,
    Thinking(Purpose),
    Acting(Vec<Pending>),
    Ended,
}

struct Pending {
    call: ToolCall,
    work: Work,
}

enum Work {
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

    fn asked(&self) -> &Asked {
        self.asked.as_ref().expect("no input but `Asked` is taken before `Asked`")
    }

    fn begin(&mut self, mut asked: Asked, out: &mut Vec<Effect>) {
        self.book = SourceBook::new(std::mem::take(&mut asked.known));
        self.messages.push(Message::System { text: asked.system.clone() });
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

    fn next_step(&mut self, out: &mut Vec<Effect>) {
        if self.step >= self.asked().limits.max_steps {
            let why = format!("The limit of {} steps is reached.", self.asked().limits.max_steps);
            self.ask_for_answer(why, out);
            return;
        }
        self.step += 1;
        out.push(Effect::Emit(Event::StepStarted { step: self.step }));
        self.ask_model(Purpose::Step, out);
    }

    /// A limit was reached: the model is asked to answer from what there is.
    fn ask_for_answer(&mut self, why: String, out: &mut Vec<Effect>) {
        self.messages.push(Message::User { text: prompts::final_answer(&why) });
        self.limit = Some(why);
        let threshold = compact::threshold(&self.asked().limits);
        if self.may_exceed(threshold) {
            compact::shorten(&mut self.messages, threshold, self.counter.as_ref());
        }
        self.ask_model(Purpose::FinalAnswer, out);
    }

    fn ask_model(&mut self, purpose: Purpose, out: &mut Vec<Effect>) {
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
            let context = u32::try_from(usage.prompt + usage.completion).unwrap_or(u32::MAX);
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

    /// Every call has an id that no other call of the run has.
    fn unique_ids(&self, calls: &mut [ToolCall]) {
        let mut seen: Vec<String> = self
            .messages
            .iter()
            .filter_map(|message| if let Message::Assistant { calls, .. } = message { Some(calls) } else { None })
            .flatten()
            .map(|call| call.id.clone())
            .collect();
        for (index, call) in calls.iter_mut().enumerate() {
            if call.id.is_empty() || seen.contains(&call.id) {
                call.id = format!("call{}x{index}", self.step);
            }
            seen.push(call.id.clone());
        }
    }

    fn start(&mut self, call: usize, request: Result<Request, String>, out: &mut Vec<Effect>) -> Work {
        let key = |part: usize| Key { step: self.step, call: call as u32, part: part as u32 };
        match request {
            Err(message) => Work::Ready(ToolResult::Error { message }),
            Ok(Request::Answer { .. }) => Work::Ready(ToolResult::Error { message: "The answer was empty.".into() }),
            Ok(Request::Search { queries }) => {
                out.push(Effect::Emit(Event::Searching { step: self.step, queries: queries.clone() }));
                for (part, query) in queries.iter().enumerate() {
                    self.queries.push(query.clone());
                    out.push(Effect::Search { key: key(part), query: query.clone() });
                }
                Work::Searching { found: vec![None; queries.len()], queries }
            }
            Ok(Request::Get { urls, instructions, mode }) => {
                let mut pages = Vec::new();
                for (part, url) in urls.iter().enumerate() {
                    let repeated = urls[..part].iter().any(|other| page_key(other) == page_key(url));
                    if let Some(known) = self.book.find(url) {
                        pages.push(Some(Ok(known.number)));
                    } else if repeated {
                        pages.push(Some(Err(Failure::new("it is asked for twice in this call"))));
                    } else {
                        let title = self.titles.get(&page_key(url)).cloned().unwrap_or_else(|| site(url));
                        out.push(Effect::Emit(Event::Reading { step: self.step, url: url.clone(), title }));
                        out.push(Effect::Read { key: key(part), url: url.clone() });
                        pages.push(None);
                    }
                }
                Work::Reading { urls, instructions, mode, pages }
            }
        }
    }

    fn searched(&mut self, key: Key, result: Result<Found, Failure>, out: &mut Vec<Effect>) {
        let Phase::Acting(pending) = &mut self.phase else { return };
        let Some(Work::Searching { queries, found }) = pending.get_mut(key.call as usize).map(|pending| &mut pending.work) else { return };
        let (backend, results, error) = match &result {
            Ok(found) => (
                found.backend.clone(),
                found.hits.iter().map(|hit| ResultLine { title: hit.title.clone(), url: hit.url.clone() }).collect(),
                (found.hits.is_empty() && !found.failures.is_empty()).then(|| found.failures.join(" ")),
            ),
            Err(failure) => (String::new(), Vec::new(), Some(failure.message.clone())),
        };
        let results: Vec<ResultLine> = results;
        for line in &results {
            self.titles.entry(page_key(&line.url)).or_insert_with(|| line.title.clone());
        }
        let query = queries[key.part as usize].clone();
        found[key.part as usize] = Some(result);
        out.push(Effect::Emit(Event::SearchDone { step: key.step, query, backend, count: results.len() as u32, results, error }));
        self.settle(out);
    }

    fn page_read(&mut self, key: Key, result: Result<Page, Failure>, out: &mut Vec<Effect>) {
        let Phase::Acting(pending) = &mut self.phase else { return };
        let Some(Work::Reading { urls, pages, .. }) = pending.get_mut(key.call as usize).map(|pending| &mut pending.work) else { return };
        let url = urls[key.part as usize].clone();
        let outcome = match result {
            Ok(mut page) => {
                if page.title.is_empty() {
                    page.title = self.titles.get(&page_key(&url)).cloned().unwrap_or_else(|| site(&url));
                }
                let (title, words) = (page.title.clone(), text::word_count(&page.text) as u32);
                let number = self.book.add(&url, page);
                out.push(Effect::Emit(Event::PageRead { step: key.step, url, title, number, words }));
                Ok(number)
            }
            Err(failure) => {
                out.push(Effect::Emit(Event::PageFailed { step: key.step, url, reason: failure.message.clone() }));
                Err(failure)
            }
        };
        pages[key.part as usize] = Some(outcome);
        out.push(Effect::Emit(Event::Sources { sources: self.book.list(&[]) }));
        self.settle(out);
    }

    /// When every call has its result, the conversation grows by them, in order.
    fn settle(&mut self, out: &mut Vec<Effect>) {
        let Phase::Acting(pending) = &self.phase else { return };
        let open = pending.iter().any(|pending| match &pending.work {
            Work::Ready(_) => false,
            Work::Searching { found, .. } => found.iter().any(Option::is_none),
            Work::Reading { pages, .. } => pages.iter().any(Option::is_none),
        });
        if open {
            return;
        }
        self.record_results();
        if self.asked_the_same() {
            self.ask_for_answer("You made the same calls three times in a row.".into(), out);
        } else if self.may_exceed(compact::threshold(&self.asked().limits)) {
            self.ask_model(Purpose::Compaction, out);
        } else {
            self.next_step(out);
        }
    }

    fn record_results(&mut self) {
        let Phase::Acting(pending) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        let question = self.asked().question.clone();
        for Pending { call, work } in pending {
            let unanswered = || Failure::new("there was no time left for it");
            let result = match work {
                Work::Ready(result) => result,
                Work::Searching { queries, found } => ToolResult::Searches {
                    searches: queries
                        .into_iter()
                        .zip(found)
                        .map(|(query, found)| QueryResult { query, found: found.unwrap_or_else(|| Err(unanswered())) })
                        .collect(),
                },
                Work::Reading { urls, instructions, mode, pages } => ToolResult::Pages {
                    pages: urls
                        .into_iter()
                        .zip(pages)
                        .map(|(url, page)| {
                            let number = page.unwrap_or_else(|| Err(unanswered()));
                            let page = number.and_then(|number| {
                                let known = self.book.get(number).ok_or_else(unanswered)?;
                                Ok(results::show(&known.page, number, &question, &instructions, mode))
                            });
                            PageResult { url, page }
                        })
                        .collect(),
                },
            };
            self.messages.push(Message::Tool { call_id: call.id, result });
        }
    }

    fn asked_the_same(&self) -> bool {
        let calls = &self.recent_calls;
        calls.len() >= SAME_CALLS && calls[calls.len() - SAME_CALLS..].windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Whether the conversation may be longer than this. A token is at least a byte, so most
    /// conversations need no counting at all.
    fn may_exceed(&self, tokens: usize) -> bool {
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
        if self.limit.is_some() || (!self.partial.is_empty() && !matches!(self.phase, Phase::Acting(_))) {
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
        let answer = answer.trim().to_owned();
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

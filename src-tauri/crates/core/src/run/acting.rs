//! Carrying out the calls of a reply, and putting their results into the conversation.

use super::{
    Effect, Key, PageResult, Purpose, QueryResult, ToolResult, compact,
    machine::{Pending, Phase, Run, Work},
    results,
};
use crate::{
    model::{Message, ToolCall},
    ports::{Failure, Found, Page},
    protocol::{Event, ResultLine},
    text,
    tools::Request,
    urls::{page_key, site},
};

/// Bytes of a title that are kept at most.
const MAX_TITLE: usize = 300;
/// Replies with the same calls in a row before the answer is asked for.
const SAME_CALLS: usize = 3;

impl Run {
    /// Every call has an id that no other call of the run has.
    pub(super) fn unique_ids(&self, calls: &mut [ToolCall]) {
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

    pub(super) fn start(&mut self, call: usize, request: Result<Request, String>, out: &mut Vec<Effect>) -> Work {
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

    pub(super) fn searched(&mut self, key: Key, result: Result<Found, Failure>, out: &mut Vec<Effect>) {
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

    pub(super) fn page_read(&mut self, key: Key, result: Result<Page, Failure>, out: &mut Vec<Effect>) {
        let Phase::Acting(pending) = &mut self.phase else { return };
        let Some(Work::Reading { urls, pages, .. }) = pending.get_mut(key.call as usize).map(|pending| &mut pending.work) else { return };
        let url = urls[key.part as usize].clone();
        let outcome = match result {
            Ok(mut page) => {
                page.title = text::truncate(&text::fold_space(&page.title), MAX_TITLE);
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
    pub(super) fn settle(&mut self, out: &mut Vec<Effect>) {
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

    pub(super) fn record_results(&mut self) {
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

    pub(super) fn asked_the_same(&self) -> bool {
        let calls = &self.recent_calls;
        calls.len() >= SAME_CALLS && calls[calls.len() - SAME_CALLS..].windows(2).all(|pair| pair[0] == pair[1])
    }
}

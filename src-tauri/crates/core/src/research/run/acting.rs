//! Carrying out the calls of a reply, and putting their results into the conversation.

use crate::protocol::EndReason;
use std::collections::BTreeSet;

use super::{
    Effect, Key, PageResult, QueryResult, ReadPage, ToolResult,
    machine::{Phase, Run},
    results,
    round::{PageWork, Pending, Work, no_time},
    spending::usage_of,
    streaming,
    unread_attachments::{self, Unread},
};
use crate::{
    model::{FinishReason, Message, Reply, ToolCall},
    ports::{Cause, Failure, Found, Page, Query, SearchTool},
    protocol::{Event, Focus, Incident, ResultLine},
    text,
    tools::{PageMode, Request},
    urls::{is_document, page_key, site, thread_of},
};

/// Bytes of a title that are kept at most.
const MAX_TITLE: usize = 300;

impl Run {
    /// Every call has an id that no other call of the run has.
    pub(super) fn unique_ids(&self, calls: &mut [ToolCall]) {
        let mut seen: BTreeSet<String> = self.conversation.call_ids().into_iter().collect();
        for (index, call) in calls.iter_mut().enumerate() {
            if call.id.is_empty() || seen.contains(&call.id) {
                call.id = format!("call{}x{index}", self.step);
            }
            seen.insert(call.id.clone());
        }
    }

    pub(super) fn start(&mut self, call: usize, request: Result<Request, String>, out: &mut Vec<Effect>) -> Work {
        let step = self.step;
        let key = |part: usize| Key { step, call: call as u32, part: part as u32 };
        match request {
            Err(message) => Work::Ready(ToolResult::Error { message }),
            Ok(Request::Answer { .. }) => Work::Ready(ToolResult::Error { message: "The answer was empty.".into() }),
            Ok(Request::Search { tool, queries, site, filter, documents }) => {
                if let Err(message) = self.may_search(tool) {
                    return Work::Ready(ToolResult::Error { message });
                }
                let range = self.range.filter(|_| tool.is_web() || tool == SearchTool::Library);
                // Of the library the newest come first then, but older ones are found, too.
                let told = range.filter(|_| tool.is_web());
                out.push(Effect::Emit(Event::Searching { step: self.step, queries: queries.clone(), range: told, tool }));
                for (part, text) in queries.iter().enumerate() {
                    self.trail.asked(text.clone());
                    let query = Query { range, tool, site: site.clone(), filter: filter.clone(), ..Query::new(text.clone()) };
                    // Other places have nothing to list, and are not meant.
                    if filter.list || documents {
                        self.search_documents(key(part), query, out);
                    } else {
                        self.search(key(part), query, out);
                    }
                }
                Work::Searching { found: vec![None; queries.len()], queries }
            }
            Ok(Request::Use { tool, arguments }) => self.call(key(0), &tool, arguments, out),
            Ok(Request::Get { urls, instructions, mode }) => {
                let room = match self.batch(&urls) {
                    Ok(room) => room,
                    Err(result) => return Work::Ready(result),
                };
                let mut pages = Vec::new();
                let mut fetched = 0;
                for (part, url) in urls.iter().enumerate() {
                    let repeated = urls[..part].iter().any(|other| page_key(other) == page_key(url));
                    if let Some(known) = self.book.find(url) {
                        let (number, title, words) = (known.number, known.page.title.clone(), text::word_count(&known.page.text) as u32);
                        if self.researcher.is_some() {
                            // Somebody else has fetched it; this researcher reads it all the same.
                            let step = self.step;
                            out.push(Effect::Emit(Event::Reading { step, url: url.clone(), title: title.clone() }));
                            out.push(Effect::Emit(Event::PageRead { step, url: url.clone(), title, number, words }));
                        }
                        let asked = self.extract(key(part), number, &instructions, mode, out);
                        pages.push(if asked { PageWork::Extracting(number) } else { PageWork::Ready(number, None) });
                    } else if repeated {
                        pages.push(PageWork::Failed(Failure::because(Cause::AskedTwice)));
                    } else if self.asked.focus == Focus::Documents && !stays_here(url) {
                        // Nothing leaves this computer, whatever a document tells the model to do.
                        let failure = Failure::because(Cause::DocumentsAlone);
                        out.push(Effect::Emit(Event::Reading { step: self.step, url: url.clone(), title: site(url) }));
                        out.push(Effect::Emit(Event::page_failed(self.step, url.clone(), &failure)));
                        pages.push(PageWork::Failed(failure));
                    } else if fetched >= room {
                        pages.push(PageWork::Failed(Failure::because(Cause::BatchFull { room })));
                    } else {
                        fetched += 1;
                        pages.push(self.fetch(key(part), url, out));
                    }
                }
                Work::Reading { urls, instructions, mode, pages }
            }
        }
    }

    pub(super) fn searched(&mut self, key: Key, result: Result<Found, Failure>, out: &mut Vec<Effect>) {
        let Phase::Acting(round) = &mut self.phase else { return };
        let Some(query) = round.set_found(key, result.clone()).map(str::to_owned) else { return };
        let (backend, results, error, cause, incidents) = match &result {
            Ok(found) => {
                let failed = Some(found).filter(|found| found.hits.is_empty() && !found.failures.is_empty());
                (
                    found.backend.clone(),
                    found.hits.iter().map(|hit| ResultLine { title: hit.title.clone(), url: hit.url.clone() }).collect(),
                    failed.map(|found| found.failures.join(" ")),
                    failed.and_then(Found::cause),
                    found.incidents.clone(),
                )
            }
            Err(failure) => (String::new(), Vec::new(), Some(failure.message.clone()), failure.cause.clone(), failure.incidents.clone()),
        };
        let results: Vec<ResultLine> = results;
        self.trail.found(&results);
        if let Ok(found) = &result {
            self.egress.found(found);
        }
        self.tell(incidents, out);
        out.push(Effect::Emit(Event::SearchDone { step: key.step, query, backend, count: results.len() as u32, results, error, cause }));
        self.settle(out);
    }

    /// Tells of services that failed, each of them once.
    fn tell(&mut self, incidents: Vec<Incident>, out: &mut Vec<Effect>) {
        let news = incidents.into_iter().filter(|incident| self.trail.is_news(incident));
        out.extend(news.map(|incident| Effect::Emit(Event::Incident { incident })));
    }

    pub(super) fn page_read(&mut self, key: Key, result: Result<Page, Failure>, out: &mut Vec<Effect>) {
        let Phase::Acting(round) = &self.phase else { return };
        let Some((url, instructions, mode)) = round.wanted(key) else { return };
        let work = match result {
            Ok(mut page) => {
                page.title = text::truncate(&text::fold_space(&page.title), MAX_TITLE);
                if page.title.is_empty() {
                    page.title = self.trail.title_of(&url);
                }
                let (title, words) = (page.title.clone(), text::word_count(&page.text) as u32);
                self.egress.page(&page);
                let number = self.book.add(&url, page);
                out.push(Effect::Emit(Event::PageRead { step: key.step, url, title, number, words }));
                out.push(streaming::sources(&self.book, &[]));
                if self.extract(key, number, &instructions, mode, out) {
                    PageWork::Extracting(number)
                } else {
                    PageWork::Ready(number, None)
                }
            }
            Err(failure) => {
                if key.step == unread_attachments::STEP {
                    self.unread_attachments.push(Unread::new(&url, &failure));
                }
                out.push(Effect::Emit(Event::page_failed(key.step, url, &failure)));
                PageWork::Failed(failure)
            }
        };
        self.set_page(key, work);
        self.settle(out);
    }

    /// The model has taken a page in, or could not.
    pub(super) fn page_extracted(&mut self, request: u32, reply: Option<Reply>, out: &mut Vec<Effect>) {
        let body = self.awaited.take_request(request);
        self.spending.reserved.release(request);
        let Phase::Acting(round) = &mut self.phase else { return };
        let Some(extraction) = round.take_extraction(request) else { return };
        if let Some(reply) = &reply {
            let usage = usage_of(reply, &reply.calls, body.as_ref(), &self.asked, self.counter.as_ref());
            self.spend(usage, false, out);
        }
        // A list of numbers that is cut off may end in the middle of one.
        let whole = reply.filter(|reply| reply.finish != FinishReason::Length || extraction.mode == PageMode::Extract);
        let shown = self.extracted(&extraction, whole.as_ref().map(|reply| reply.text.as_str()));
        self.set_page(extraction.key, PageWork::Ready(extraction.number, Some(shown)));
        self.settle(out);
    }

    pub(super) fn set_page(&mut self, key: Key, work: PageWork) {
        if let Phase::Acting(round) = &mut self.phase {
            round.set_page(key, work);
        }
    }

    /// When every call has its result, the conversation grows by them, in order.
    pub(super) fn settle(&mut self, out: &mut Vec<Effect>) {
        if !matches!(&self.phase, Phase::Acting(round) if !round.is_open()) {
            return;
        }
        let searches = self.record_results();
        if self.trail.goes_in_circles() {
            self.ask_for_answer(EndReason::SameCalls, out);
            return;
        }
        self.grown(out);
        if self.urgency.limit().is_none() {
            self.prefetch(&searches, out);
        }
    }

    /// Puts the results into the conversation; what has not come back has failed for want of time.
    /// Returns the searches among them.
    pub(super) fn record_results(&mut self) -> Vec<QueryResult> {
        let Phase::Acting(round) = std::mem::replace(&mut self.phase, Phase::Between) else { return Vec::new() };
        let (calls, kept_back) = round.into_calls();
        let mut done = Vec::new();
        let step = self.step;
        for (at, Pending { call, work }) in calls.into_iter().enumerate() {
            let kept_back = |part: usize| kept_back.contains(&Key { step, call: at as u32, part: part as u32 });
            let result = match work {
                Work::Ready(result) => result,
                Work::UserCall(using) => self.call_result(using),
                Work::Searching { queries, found } => ToolResult::Searches {
                    searches: queries
                        .into_iter()
                        .zip(found)
                        .enumerate()
                        .map(|(part, (query, found))| {
                            let found = found.unwrap_or_else(|| Err(no_time()));
                            QueryResult { query, found, documents_only: kept_back(part) }
                        })
                        .collect(),
                    demoted: self.asked.demoted.clone(),
                    preferred: self.asked.preferred.clone(),
                },
                Work::Reading { urls, pages, .. } if self.is_attaching() => self.attached_result(urls, pages),
                Work::Reading { urls, instructions, mode, pages } => ToolResult::Pages {
                    pages: urls
                        .into_iter()
                        .zip(pages)
                        .map(|(url, page)| PageResult { url, page: self.shown(page, &instructions, mode) })
                        .collect(),
                },
            };
            if let ToolResult::Searches { searches, .. } = &result {
                done.extend(searches.iter().cloned());
            }
            self.conversation.push(Message::Tool { call_id: call.id, result });
        }
        done
    }

    fn shown(&self, page: PageWork, instructions: &str, mode: PageMode) -> Result<ReadPage, Failure> {
        let (number, made) = match page {
            PageWork::Failed(failure) => return Err(failure),
            PageWork::Fetching | PageWork::Held => return Err(no_time()),
            PageWork::Extracting(number) => (number, None),
            PageWork::Ready(number, made) => (number, made),
        };
        let known = self.book.get(number).ok_or_else(no_time)?;
        // Where the model was not asked for want of money or time, ranking does what it can.
        let local = if made.is_none() && mode == PageMode::Extract { PageMode::Passages } else { mode };
        let shown = made.unwrap_or_else(|| results::show(&known.page, &self.asked.question, instructions, local));
        Ok(results::read_page(&known.page, number, shown))
    }
}

/// Whether a document or an earlier answer stands at this address, and no page of the web.
fn stays_here(url: &str) -> bool {
    is_document(url) || thread_of(url).is_some()
}

//! The round of tools that follows a reply: its calls while they are carried out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;

use super::{Key, Shown, ToolResult};
use crate::{
    model::ToolCall,
    ports::{Cause, Failure, Found, Query},
    tools::PageMode,
    user_tools::UserTool,
};

/// The calls of one reply, in its order, with what has come of them.
#[derive(Default)]
pub(super) struct Round {
    calls: Vec<Pending>,
    /// Queries that the person is asked about.
    held: BTreeMap<Key, Query>,
    /// Queries that were put to the documents alone.
    kept_back: BTreeSet<Key>,
    /// Requests about single pages, by their numbers.
    extractions: BTreeMap<u32, PageExtraction>,
}

/// One call.
pub(super) struct Pending {
    pub(super) call: ToolCall,
    pub(super) work: Work,
}

/// How far a call is.
pub(super) enum Work {
    Ready(ToolResult),
    Searching { queries: Vec<String>, found: Vec<Option<Result<Found, Failure>>> },
    Reading { urls: Vec<String>, instructions: String, mode: PageMode, pages: Vec<PageWork> },
    UserCall(UserCall),
}

/// One page of a `web_get`.
pub(super) enum PageWork {
    Fetching,
    /// The person is asked whether it may be fetched.
    Held,
    /// The model is asked about the source of this number.
    Extracting(u32),
    /// The source of this number; where there is text, the model made it.
    Ready(u32, Option<(String, Shown)>),
    Failed(Failure),
}

/// A call of a tool of the person's own, while it is carried out.
pub(super) struct UserCall {
    pub(super) tool: Box<UserTool>,
    pub(super) arguments: Value,
    /// Whether its result counts as public, not as the person's private text.
    pub(super) public: bool,
    pub(super) state: CallState,
}

pub(super) enum CallState {
    /// The person is asked.
    Held,
    Running,
    Done(Result<Done, Failure>),
}

/// The handles of the pages that came back, and what could not be read.
pub(super) struct Done {
    pub(super) numbers: Vec<u32>,
    pub(super) left_out: Vec<String>,
}

/// A request about one page.
#[derive(Debug, Clone)]
pub(super) struct PageExtraction {
    pub(super) key: Key,
    pub(super) number: u32,
    pub(super) mode: PageMode,
    pub(super) instructions: String,
    /// The chunks that were offered, in the order of their numbers.
    pub(super) offered: Vec<Range<usize>>,
}

impl Work {
    /// Whether something of it has not come back.
    fn is_open(&self) -> bool {
        match self {
            Self::Ready(_) => false,
            Self::Searching { found, .. } => found.iter().any(Option::is_none),
            Self::UserCall(using) => using.is_open(),
            Self::Reading { pages, .. } => {
                pages.iter().any(|page| matches!(page, PageWork::Fetching | PageWork::Held | PageWork::Extracting(_)))
            }
        }
    }
}

impl UserCall {
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.state, CallState::Done(_))
    }
}

impl Round {
    pub(super) fn push(&mut self, call: ToolCall, work: Work) {
        self.calls.push(Pending { call, work });
    }

    /// Whether a call still waits for something.
    pub(super) fn is_open(&self) -> bool {
        self.calls.iter().any(|pending| pending.work.is_open())
    }

    /// The person is asked about a query.
    pub(super) fn hold(&mut self, key: Key, query: Query) {
        self.held.insert(key, query);
    }

    /// The query that the person was asked about.
    pub(super) fn take_held(&mut self, key: Key) -> Option<Query> {
        self.held.remove(&key)
    }

    /// The query is put to the documents alone.
    pub(super) fn keep_back(&mut self, key: Key) {
        self.kept_back.insert(key);
    }

    /// What a search came to; the query.
    pub(super) fn set_found(&mut self, key: Key, result: Result<Found, Failure>) -> Option<&str> {
        let Some(Work::Searching { queries, found }) = self.work(key) else { return None };
        let part = key.part as usize;
        *found.get_mut(part)? = Some(result);
        queries.get(part).map(String::as_str)
    }

    /// The page that was asked for under this key: its address, and how it is to be shown.
    pub(super) fn wanted(&self, key: Key) -> Option<(String, String, PageMode)> {
        match &self.calls.get(key.call as usize)?.work {
            Work::Reading { urls, instructions, mode, .. } => Some((urls.get(key.part as usize)?.clone(), instructions.clone(), *mode)),
            Work::Ready(_) | Work::Searching { .. } | Work::UserCall(_) => None,
        }
    }

    pub(super) fn set_page(&mut self, key: Key, work: PageWork) {
        if let Some(Work::Reading { pages, .. }) = self.work(key)
            && let Some(page) = pages.get_mut(key.part as usize)
        {
            *page = work;
        }
    }

    /// The model is asked about a page.
    pub(super) fn extract(&mut self, request: u32, extraction: PageExtraction) {
        self.extractions.insert(request, extraction);
    }

    /// Whether this is a request about a page of this round.
    pub(super) fn extracts(&self, request: u32) -> bool {
        self.extractions.contains_key(&request)
    }

    pub(super) fn take_extraction(&mut self, request: u32) -> Option<PageExtraction> {
        self.extractions.remove(&request)
    }

    /// A call of a tool of the person's own that has not come back; [`Self::put_user_call`] gives it its place again.
    pub(super) fn take_user_call(&mut self, key: Key) -> Option<UserCall> {
        let work = self.work(key)?;
        match std::mem::replace(work, Work::Ready(ToolResult::Error { message: no_time().message })) {
            Work::UserCall(using) if using.is_open() => Some(using),
            other => {
                *work = other;
                None
            }
        }
    }

    pub(super) fn put_user_call(&mut self, key: Key, using: UserCall) {
        if let Some(work) = self.work(key) {
            *work = Work::UserCall(using);
        }
    }

    /// The calls, and which of their queries were put to the documents alone.
    pub(super) fn into_calls(self) -> (Vec<Pending>, BTreeSet<Key>) {
        (self.calls, self.kept_back)
    }

    fn work(&mut self, key: Key) -> Option<&mut Work> {
        self.calls.get_mut(key.call as usize).map(|pending| &mut pending.work)
    }
}

/// Why something has not come back.
pub(super) fn no_time() -> Failure {
    Failure::because(Cause::NoTime)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> ToolCall {
        ToolCall { id: id.into(), name: "web_get".into(), arguments: "{}".into(), signature: None }
    }

    fn key(call: u32, part: u32) -> Key {
        Key { step: 1, call, part }
    }

    #[test]
    fn a_round_is_open_until_every_part_has_come_back() {
        let mut round = Round::default();
        assert!(!round.is_open());
        round.push(call("a"), Work::Searching { queries: vec!["tides".into()], found: vec![None] });
        let pages = vec![PageWork::Fetching, PageWork::Held];
        let urls = vec!["https://example.org/1".into(), "https://example.org/2".into()];
        round.push(call("b"), Work::Reading { urls, instructions: String::new(), mode: PageMode::Full, pages });
        assert_eq!(round.set_found(key(0, 0), Ok(Found::default())), Some("tides"));
        assert!(round.is_open());
        round.set_page(key(1, 0), PageWork::Ready(1, None));
        round.set_page(key(1, 1), PageWork::Failed(no_time()));
        assert!(!round.is_open());
    }

    #[test]
    fn keys_of_other_calls_and_parts_change_nothing() {
        let mut round = Round::default();
        round.push(call("a"), Work::Searching { queries: vec!["tides".into()], found: vec![None] });
        assert!(round.set_found(key(0, 1), Ok(Found::default())).is_none());
        assert!(round.set_found(key(3, 0), Ok(Found::default())).is_none());
        assert!(round.wanted(key(0, 0)).is_none() && round.take_user_call(key(0, 0)).is_none());
        round.set_page(key(0, 0), PageWork::Fetching);
        assert!(round.is_open());
    }
}

//! Past research as a source: threads of the library, found and read like pages.

use std::sync::Arc;

use async_trait::async_trait;
use nexi_core::{
    citations,
    ids::ThreadId,
    ports::{Caching, Failure, Hit, Link, OwnCause, Page, Query, ReadOutcome, ReadRequest, Reader, SearchBackend, SearchTool},
    protocol::{Turn, TurnState},
    rank::{Question, TermStats, Weights, score, split, terms},
    text, urls,
};
use nexi_store::{History, StoreError, history::PastAnswer};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::clock::local_day;

/// Answers that are compared.
const CANDIDATES: usize = 40;
/// Words of a query that are looked for.
const MAX_WORDS: usize = 16;
/// Threads that a query returns, where nothing else is wanted.
const THREADS: u32 = 8;
/// Bytes of a thread that are read.
const MAX_TEXT: usize = 400_000;
/// Words of a passage.
const PASSAGE: usize = 60;
/// Bytes of one that are shown.
const SNIPPET: usize = 600;

/// The library as a run may see it.
#[derive(Clone)]
pub(crate) struct PastResearch {
    pub history: Arc<History>,
    /// The thread that is being asked in, which is none of its own sources.
    pub besides: Option<ThreadId>,
}

/// A thread as a page: its questions, their days and answers, without the numbers of its own sources, and these by their
/// names. None where nothing has been answered.
pub(crate) fn page(url: &str, title: &str, turns: &[Turn]) -> Option<Page> {
    let has_ended = |turn: &Turn| !matches!(turn.ending.state, TurnState::Running | TurnState::Interrupted);
    let answered: Vec<&Turn> = turns.iter().filter(|turn| has_ended(turn) && !turn.ending.answer.trim().is_empty()).collect();
    let last = answered.last()?;
    let mut out = String::new();
    let mut links: Vec<Link> = Vec::new();
    for turn in &answered {
        let answer = &turn.ending.answer;
        out.push_str(&format!(
            "# {}\n\nAnswered on {}.\n\n{}\n\n",
            text::fold_space(&turn.question),
            local_day(turn.asked_ms),
            citations::without(answer, &citations::citations(answer)).trim()
        ));
        let cited: Vec<_> = turn.ending.sources.iter().filter(|source| source.cited).collect();
        if !cited.is_empty() {
            let lines: Vec<String> = cited.iter().map(|source| format!("- {} ({})", source.title, source.url)).collect();
            out.push_str(&format!("Sources of this answer:\n\n{}\n\n", lines.join("\n")));
        }
        for source in cited.iter().filter(|source| source.url.starts_with("http")) {
            if !links.iter().any(|link| link.url == source.url) {
                links.push(Link { text: source.title.clone(), url: source.url.clone() });
            }
        }
    }
    Some(Page {
        url: url.to_owned(),
        title: title.to_owned(),
        date: Some(local_day(last.asked_ms)),
        text: text::truncate(out.trim_end(), MAX_TEXT),
        links,
        ..Page::default()
    })
}

#[async_trait]
impl SearchBackend for PastResearch {
    fn name(&self) -> &str {
        SearchTool::Library.call()
    }

    fn is_local(&self) -> bool {
        true
    }

    fn is_free(&self) -> bool {
        true
    }

    async fn search(&self, query: &Query, _: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let (past, query) = (self.clone(), query.clone());
        let found = tokio::task::spawn_blocking(move || past.find(&query)).await;
        found.map_err(|_| unreadable())?.map_err(|error| {
            tracing::warn!(%error, "the library could not be searched");
            unreadable()
        })
    }
}

impl PastResearch {
    /// The best passage of each thread that has one; the newest thread first where a question is about the present.
    fn find(&self, query: &Query) -> Result<Vec<Hit>, StoreError> {
        let wanted = Question::new(&query.text);
        let mut words = terms::topic_words(&query.text);
        words.truncate(MAX_WORDS);
        let mut best = ranked(&wanted, &self.history.past_answers(&words, self.besides.as_ref(), CANDIDATES)?);
        best.truncate(query.most_hits(THREADS) as usize);
        if query.range.is_some() {
            best.sort_by_key(|(answer, _)| std::cmp::Reverse(answer.asked_ms));
        }
        Ok(best
            .into_iter()
            .map(|(answer, passage)| Hit {
                title: text::fold_space(&answer.question),
                url: urls::thread_address(answer.thread.as_str(), true),
                snippet: text::truncate(&text::fold_space(&text::plain(&passage)), SNIPPET),
                date: Some(local_day(answer.asked_ms)),
                ..Hit::default()
            })
            .collect())
    }

    /// The thread with this id, or a part of it; what is deleted, or is being asked in, is no source.
    fn thread(&self, id: &str) -> Result<Option<Page>, StoreError> {
        let thread = self.history.find_thread(id)?;
        if self.besides.as_ref() == Some(&thread) {
            return Ok(None);
        }
        let title = self.history.title(&thread)?.0;
        // Whatever the address said: what a model looks up by itself counts as private.
        let url = urls::thread_address(thread.as_str(), true);
        Ok(page(&url, &title, &self.history.turns(&thread)?))
    }
}

/// The best passage of the best answer of each thread, best first.
fn ranked(wanted: &Question, answers: &[PastAnswer]) -> Vec<(PastAnswer, String)> {
    let (mut passages, mut units) = (Vec::new(), Vec::new());
    for answer in answers {
        let plain = citations::without(&answer.answer, &citations::citations(&answer.answer));
        let above = terms::terms(&answer.question);
        for span in split(&plain, PASSAGE) {
            let passage = plain[span.range].trim().to_owned();
            units.push((above.clone(), terms::terms(&passage)));
            passages.push((answer, passage));
        }
    }
    let corpus = TermStats::from_units(wanted, units.iter().map(|(_, body)| body.as_slice()));
    let mut out: Vec<(PastAnswer, String)> = Vec::new();
    for (place, score) in score::rank_passages(wanted, &corpus, &Weights::default(), &units) {
        let (answer, passage) = &passages[place];
        if score > 0.0 && !out.iter().any(|(known, _)| known.thread == answer.thread) {
            out.push(((*answer).clone(), passage.clone()));
        }
    }
    out
}

#[async_trait]
impl Reader for PastResearch {
    fn name(&self) -> &str {
        "library"
    }

    fn accepts(&self, url: &Url) -> bool {
        urls::thread_of(url.as_str()).is_some()
    }

    async fn read(&self, request: &ReadRequest, _: &CancellationToken) -> Result<ReadOutcome, Failure> {
        let Some(id) = urls::thread_of(request.url.as_str()) else { return Err(missing()) };
        let (past, id) = (self.clone(), id.to_owned());
        let page = tokio::task::spawn_blocking(move || past.thread(&id)).await;
        match page.map_err(|_| unreadable())? {
            Ok(Some(page)) => Ok(ReadOutcome::Page(Box::new(page), Caching::default())),
            Ok(None) | Err(StoreError::Missing { .. } | StoreError::Ambiguous { .. } | StoreError::Short { .. }) => Err(missing()),
            Err(error) => {
                tracing::warn!(%error, "a thread could not be read");
                Err(unreadable())
            }
        }
    }
}

fn missing() -> Failure {
    Failure::because(OwnCause::NoEarlierAnswer)
}

fn unreadable() -> Failure {
    Failure::because(OwnCause::LibraryUnread)
}

//! What a run has done already, so that it says and does nothing twice.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    model::ToolCall,
    ports::Cause,
    protocol::{Incident, ResultLine},
    urls::{page_key, site},
};

/// Replies with the same calls in a row before the answer is asked for.
const SAME_CALLS: usize = 3;

/// Queries, results, calls and incidents so far.
#[derive(Debug, Default)]
pub(super) struct Trail {
    queries: Vec<String>,
    /// What results called their pages, by the key of the page.
    titles: BTreeMap<String, String>,
    /// Name and arguments of the calls of the last replies, which are compared.
    calls: Vec<Vec<(String, String)>>,
    /// Keys of pages that were asked for ahead.
    prefetched: BTreeSet<String>,
    /// What was told of services that failed.
    told: Vec<Incident>,
}

impl Trail {
    pub(super) fn asked(&mut self, query: String) {
        self.queries.push(query);
    }

    /// All queries, in the order in which they were asked.
    pub(super) fn queries(&self) -> &[String] {
        &self.queries
    }

    /// Results were shown.
    pub(super) fn found(&mut self, results: &[ResultLine]) {
        for line in results {
            self.titles.entry(page_key(&line.url)).or_insert_with(|| line.title.clone());
        }
    }

    /// What the first result that led to it called this page, or its site.
    pub(super) fn title_of(&self, url: &str) -> String {
        self.titles.get(&page_key(url)).cloned().unwrap_or_else(|| site(url))
    }

    /// A reply wanted these calls.
    pub(super) fn called(&mut self, calls: &[ToolCall]) {
        if self.calls.len() == SAME_CALLS {
            self.calls.remove(0);
        }
        self.calls.push(calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect());
    }

    /// Whether the last replies all wanted the same calls: the model goes round in circles.
    pub(super) fn goes_in_circles(&self) -> bool {
        self.calls.len() == SAME_CALLS && self.calls.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Whether this page had not been asked for ahead; now it has.
    pub(super) fn note_prefetch(&mut self, url: &str) -> bool {
        self.prefetched.insert(page_key(url))
    }

    /// Pages that were asked for ahead.
    pub(super) fn prefetched(&self) -> usize {
        self.prefetched.len()
    }

    /// Whether nothing like this was told before; now it is.
    pub(super) fn is_news(&mut self, incident: &Incident) -> bool {
        let is_news = !self.told.iter().any(|known| known.is_like(incident));
        if is_news {
            self.told.push(incident.clone());
        }
        is_news
    }

    /// Why a corpus could not be searched, if one could not: no other source has what it holds.
    pub(super) fn missing_corpus(&self) -> Option<Incident> {
        let is_of_corpus = |incident: &&Incident| matches!(incident.cause.as_deref(), Some(Cause::Database { .. }));
        self.told.iter().find(is_of_corpus).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(query: &str) -> [ToolCall; 1] {
        [ToolCall { id: String::new(), name: "web_search".into(), arguments: query.into(), signature: None }]
    }

    #[test]
    fn three_replies_with_the_same_calls_go_in_circles() {
        let mut trail = Trail::default();
        for query in ["a", "b", "b"] {
            trail.called(&call(query));
            assert!(!trail.goes_in_circles());
        }
        trail.called(&call("b"));
        assert!(trail.goes_in_circles());
        trail.called(&call("a"));
        assert!(!trail.goes_in_circles());
    }

    #[test]
    fn a_page_has_the_title_that_its_first_result_gave_it() {
        let mut trail = Trail::default();
        let line = |title: &str| ResultLine { title: title.into(), url: "https://example.org/tides".into() };
        trail.found(&[line("Tides"), line("Tides again")]);
        assert_eq!(trail.title_of("https://example.org/tides#neap"), "Tides");
        assert_eq!(trail.title_of("https://example.org/moon"), "example.org");
    }
}

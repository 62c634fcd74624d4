//! What could carry private text away is held back, and the person is asked where somebody is there.

use super::{
    Effect, Key,
    machine::{Phase, Run},
    round::PageWork,
};
use crate::{
    ports::{Failure, OwnCause, Query},
    protocol::{Event, Outgoing},
    user_tools::GrantScope,
};

/// What a search service is told: the words, and the name of a site.
fn leaving(query: &Query) -> String {
    format!("{} {}", query.text, query.site.as_deref().unwrap_or_default())
}

impl Run {
    /// Begins a query, or holds it back.
    pub(super) fn search(&mut self, key: Key, mut query: Query, out: &mut Vec<Effect>) {
        let leaves = leaving(&query);
        let stays = query.tool.is_local() || (query.tool.is_web() && self.asked.searches_here);
        if stays || !self.egress.holds_back(&leaves) {
            if !stays {
                self.egress.sends(&leaves);
            }
            self.withhold(&mut query);
            self.awaited.expect(Effect::Search { key, query }, out);
            return;
        }
        self.hold(key, Outgoing::Query { text: leaves.trim().to_owned() }, out);
        if self.asked.may_ask {
            if let Phase::Acting(round) = &mut self.phase {
                round.hold(key, query);
            }
        } else {
            self.keep_back(key);
            self.search_documents(key, query, out);
        }
    }

    /// Begins to fetch a page, or holds it back.
    pub(super) fn fetch(&mut self, key: Key, url: &str, out: &mut Vec<Effect>) -> PageWork {
        let title = self.trail.title_of(url);
        out.push(Effect::Emit(Event::Reading { step: key.step, url: url.to_owned(), title }));
        if let Some(known) = self.egress.address(url) {
            self.awaited.expect(Effect::Read { key, url: known }, out);
            return PageWork::Fetching;
        }
        let what = Outgoing::Address { url: url.to_owned() };
        let failure = Failure::because(OwnCause::HeldBack);
        self.hold(key, what, out);
        if self.asked.may_ask {
            return PageWork::Held;
        }
        out.push(Effect::Emit(Event::page_failed(key.step, url.to_owned(), &failure)));
        PageWork::Failed(failure)
    }

    pub(super) fn hold(&mut self, key: Key, what: Outgoing, out: &mut Vec<Effect>) {
        let waits = self.asked.may_ask;
        out.push(Effect::Emit(Event::Held { step: key.step, call: key.call, part: key.part, what: what.clone(), waits }));
        if waits {
            self.awaited.expect(Effect::Permit { key, what }, out);
        }
    }

    /// The person has decided, or nobody did in time.
    pub(super) fn permitted(&mut self, key: Key, allowed: bool, scope: GrantScope, out: &mut Vec<Effect>) {
        out.push(Effect::Emit(Event::Released { step: key.step, call: key.call, part: key.part, allowed }));
        let Phase::Acting(round) = &mut self.phase else { return };
        if let Some(query) = round.take_held(key) {
            if allowed {
                // What follows is looked at together with it.
                self.egress.sends(&leaving(&query));
                let mut query = query;
                // The person was asked about the web.
                self.withhold(&mut query);
                self.awaited.expect(Effect::Search { key, query }, out);
            } else {
                self.keep_back(key);
                self.search_documents(key, query, out);
            }
            self.settle(out);
            return;
        }
        if self.call_permitted(key, allowed, scope, out) {
            self.settle(out);
            return;
        }
        let Phase::Acting(round) = &self.phase else { return };
        let Some((url, ..)) = round.wanted(key) else { return };
        if allowed {
            self.egress.allow(&url);
            self.awaited.expect(Effect::Read { key, url }, out);
            self.set_page(key, PageWork::Fetching);
        } else {
            let failure = Failure::because(OwnCause::HeldBack);
            out.push(Effect::Emit(Event::page_failed(key.step, url, &failure)));
            self.set_page(key, PageWork::Failed(failure));
        }
        self.settle(out);
    }

    /// The model is told that the web was not asked.
    fn keep_back(&mut self, key: Key) {
        if let Phase::Acting(round) = &mut self.phase {
            round.keep_back(key);
        }
    }

    /// Searches documents, and no other services.
    pub(super) fn search_documents(&mut self, key: Key, mut query: Query, out: &mut Vec<Effect>) {
        query.documents_only = true;
        self.withhold(&mut query);
        self.awaited.expect(Effect::Search { key, query }, out);
    }

    /// Names the corpora that may not be asked this; the others are about to be told it.
    fn withhold(&mut self, query: &mut Query) {
        if query.tool.is_web() {
            query.withheld = self.egress.withheld(&self.asked.corpora, &leaving(query));
        }
    }
}

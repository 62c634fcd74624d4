//! What could carry private text away is held back, and the person is asked where somebody is there.

use super::{
    Effect, Key,
    egress::reason,
    machine::{PageWork, Run},
};
use crate::{
    ports::{Failure, Query},
    protocol::{Event, Outgoing},
    urls::{page_key, site},
    user_tools::GrantScope,
};

/// What a search service is told: the words, and the name of a site.
fn leaving(query: &Query) -> String {
    format!("{} {}", query.text, query.site.as_deref().unwrap_or_default())
}

impl Run {
    /// Begins a query, or holds it back.
    pub(super) fn search(&mut self, key: Key, query: Query, out: &mut Vec<Effect>) {
        let leaves = leaving(&query);
        let stays = query.tool.is_local() || (query.tool.is_web() && self.asked().searches_here);
        if stays || !self.egress.holds_back(&leaves) {
            if !stays {
                self.egress.sends(&leaves);
            }
            out.push(Effect::Search { key, query });
            return;
        }
        self.hold(key, Outgoing::Query { text: leaves.trim().to_owned() }, out);
        if self.asked().may_ask {
            self.held.insert(key, query);
        } else {
            self.search_documents(key, query, out);
        }
    }

    /// Begins to fetch a page, or holds it back.
    pub(super) fn fetch(&mut self, key: Key, url: &str, out: &mut Vec<Effect>) -> PageWork {
        let title = self.titles.get(&page_key(url)).cloned().unwrap_or_else(|| site(url));
        out.push(Effect::Emit(Event::Reading { step: key.step, url: url.to_owned(), title }));
        if let Some(known) = self.egress.address(url) {
            out.push(Effect::Read { key, url: known });
            return PageWork::Fetching;
        }
        let what = Outgoing::Address { url: url.to_owned() };
        let failure = Failure::new(reason(&what));
        self.hold(key, what, out);
        if self.asked().may_ask {
            return PageWork::Held;
        }
        out.push(Effect::Emit(Event::PageFailed { step: key.step, url: url.to_owned(), reason: failure.message.clone() }));
        PageWork::Failed(failure)
    }

    pub(super) fn hold(&mut self, key: Key, what: Outgoing, out: &mut Vec<Effect>) {
        let waits = self.asked().may_ask;
        out.push(Effect::Emit(Event::Held { step: key.step, call: key.call, part: key.part, what: what.clone(), waits }));
        if waits {
            out.push(Effect::Permit { key, what });
        }
    }

    /// The person has decided, or nobody did in time.
    pub(super) fn permitted(&mut self, key: Key, allowed: bool, scope: GrantScope, out: &mut Vec<Effect>) {
        out.push(Effect::Emit(Event::Released { step: key.step, call: key.call, part: key.part, allowed }));
        if let Some(query) = self.held.remove(&key) {
            if allowed {
                // What follows is looked at together with it.
                self.egress.sends(&leaving(&query));
                out.push(Effect::Search { key, query });
            } else {
                self.search_documents(key, query, out);
            }
            self.settle(out);
            return;
        }
        if self.call_permitted(key, allowed, scope, out) {
            self.settle(out);
            return;
        }
        let Some((url, ..)) = self.wanted(key) else { return };
        if allowed {
            self.egress.allow(&url);
            out.push(Effect::Read { key, url });
            self.set_page(key, PageWork::Fetching);
        } else {
            let failure = Failure::new(reason(&Outgoing::Address { url: url.clone() }));
            out.push(Effect::Emit(Event::PageFailed { step: key.step, url, reason: failure.message.clone() }));
            self.set_page(key, PageWork::Failed(failure));
        }
        self.settle(out);
    }

    /// The documents are searched all the same; other services are not.
    fn search_documents(&mut self, key: Key, query: Query, out: &mut Vec<Effect>) {
        self.kept_back.insert(key);
        out.push(Effect::Search { key, query: Query { documents_only: true, ..query } });
    }
}

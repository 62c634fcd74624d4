//! The effects of a run whose results have not come back.

use std::collections::BTreeMap;

use super::{Effect, Key, Purpose};
use crate::model::ModelRequest;

/// Whose result is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waiting {
    Model(u32),
    Tool(Key),
}

/// Requests to the model have numbers, everything else has keys.
#[derive(Debug, Default)]
pub(super) struct Awaited {
    /// Requests to the model so far; the number of the last one.
    requests: u32,
    effects: BTreeMap<Waiting, Effect>,
}

impl Awaited {
    /// Asks the model; the number of the request.
    pub(super) fn ask(&mut self, purpose: Purpose, body: ModelRequest, out: &mut Vec<Effect>) -> u32 {
        self.requests += 1;
        self.expect(Effect::AskModel { request: self.requests, purpose, body }, out);
        self.requests
    }

    /// Wants this done. Of an effect that has no result nothing is awaited.
    pub(super) fn expect(&mut self, effect: Effect, out: &mut Vec<Effect>) {
        let waiting = match &effect {
            Effect::AskModel { request, .. } => Some(Waiting::Model(*request)),
            Effect::Search { key, .. } | Effect::Read { key, .. } | Effect::Call { key, .. } | Effect::Permit { key, .. } => {
                Some(Waiting::Tool(*key))
            }
            Effect::Abandon | Effect::Prefetch { .. } | Effect::Emit(_) | Effect::Of { .. } | Effect::Finish { .. } => None,
        };
        if let Some(waiting) = waiting {
            self.effects.insert(waiting, effect.clone());
        }
        out.push(effect);
    }

    /// Requests to the model so far.
    pub(super) fn requests(&self) -> u32 {
        self.requests
    }

    pub(super) fn is_empty(&self) -> bool {
        self.effects.is_empty()
    }

    pub(super) fn has_request(&self, request: u32) -> bool {
        self.effects.contains_key(&Waiting::Model(request))
    }

    /// The reply to this request has come, or never will; what was asked.
    pub(super) fn take_request(&mut self, request: u32) -> Option<ModelRequest> {
        match self.effects.remove(&Waiting::Model(request))? {
            Effect::AskModel { body, .. } => Some(body),
            _ => None,
        }
    }

    /// The result that has this key has come, of an effect for which `is_meant` holds; the effect, if it was awaited.
    pub(super) fn take(&mut self, key: Key, is_meant: impl Fn(&Effect) -> bool) -> Option<Effect> {
        let waiting = Waiting::Tool(key);
        self.effects.get(&waiting).is_some_and(is_meant).then(|| self.effects.remove(&waiting))?
    }

    /// What the model is being asked.
    pub(super) fn bodies(&self) -> impl Iterator<Item = &ModelRequest> {
        self.effects.values().filter_map(|effect| match effect {
            Effect::AskModel { body, .. } => Some(body),
            _ => None,
        })
    }

    /// Nothing is awaited any more.
    pub(super) fn clear(&mut self) {
        self.effects.clear();
    }

    /// All of them, requests first.
    pub(super) fn effects(&self) -> Vec<Effect> {
        self.effects.values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::Query;

    const KEY: Key = Key { step: 1, call: 0, part: 0 };

    #[test]
    fn a_result_is_taken_once_and_only_by_what_it_is_of() {
        let mut awaited = Awaited::default();
        let mut out = Vec::new();
        awaited.expect(Effect::Search { key: KEY, query: Query::new("tides") }, &mut out);
        awaited.expect(Effect::Prefetch { urls: Vec::new() }, &mut out);
        assert_eq!(out.len(), 2);
        assert_eq!(awaited.effects().len(), 1, "nothing comes back of what is read ahead");
        assert!(awaited.take(KEY, |effect| matches!(effect, Effect::Call { .. })).is_none());
        assert!(awaited.take(KEY, |effect| matches!(effect, Effect::Search { .. })).is_some());
        assert!(awaited.take(KEY, |_| true).is_none());
    }

    #[test]
    fn requests_are_numbered_from_one_and_never_twice() {
        let mut awaited = Awaited::default();
        let mut out = Vec::new();
        let body = || ModelRequest::for_text(Vec::new(), 10);
        assert_eq!(awaited.ask(Purpose::Step, body(), &mut out), 1);
        assert!(awaited.take_request(1).is_some() && awaited.take_request(1).is_none());
        assert_eq!(awaited.ask(Purpose::Step, body(), &mut out), 2);
        assert_eq!(awaited.bodies().count(), 1);
        awaited.clear();
        assert!(awaited.is_empty());
        assert_eq!(awaited.ask(Purpose::Check, body(), &mut out), 3);
    }
}

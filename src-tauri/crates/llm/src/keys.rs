//! Several keys of one service: which is used next, and by what name a failure calls it.

use std::sync::atomic::{AtomicUsize, Ordering};

use nexi_core::{
    model::ModelError,
    settings::{KeyStrategy, hide_keys, service_title},
};
use secrecy::{ExposeSecret, SecretString};

/// The keys of a provider, in the order of the settings. None at all for services that want none.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    pub keys: Vec<SecretString>,
    pub strategy: KeyStrategy,
}

impl Keys {
    /// One key or none.
    pub fn one(key: Option<SecretString>) -> Self {
        Self { keys: key.into_iter().collect(), strategy: KeyStrategy::Fallback }
    }

    /// The order in which one request tries the keys; a single `None` where there are none.
    pub(crate) fn order(&self, next: &AtomicUsize) -> Vec<Option<usize>> {
        if self.keys.is_empty() {
            return vec![None];
        }
        self.strategy.order(self.keys.len(), next.fetch_add(1, Ordering::Relaxed)).into_iter().map(Some).collect()
    }

    /// A text without these keys, and without what looks like one.
    pub(crate) fn hidden(&self, text: &str) -> String {
        let mut out = hide_keys(text);
        for key in self.keys.iter().map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty()) {
            out = out.replace(key, "[key]");
            // What was cut may end in half of it.
            let kept = out.trim_end_matches('…');
            let half = (6..key.len()).rev().find(|end| key.is_char_boundary(*end) && kept.ends_with(&key[..*end]));
            if let Some(end) = half {
                out = format!("{}[key]…", &kept[..kept.len() - end]);
            }
        }
        out
    }

    /// The service's name in failures: with the key's place where there are several, never its value.
    pub(crate) fn name(&self, provider: &str, index: Option<usize>) -> String {
        let provider = service_title(provider);
        match index {
            Some(index) if self.keys.len() > 1 => format!("{provider} (key_{})", index + 1),
            _ => provider.to_owned(),
        }
    }
}

/// Whether another key of the same service may do better.
pub(crate) fn is_about_the_key(error: &ModelError) -> bool {
    matches!(error, ModelError::Unauthorized { .. } | ModelError::NoBalance { .. } | ModelError::RateLimited { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_take_turns_or_wait_for_their_turn() {
        let keys = |strategy| Keys { keys: vec!["a".to_owned().into(), "b".to_owned().into()], strategy };
        let next = AtomicUsize::new(0);
        let fallback = keys(KeyStrategy::Fallback);
        assert_eq!((fallback.order(&next), fallback.order(&next)), (vec![Some(0), Some(1)], vec![Some(0), Some(1)]));
        let round = keys(KeyStrategy::RoundRobin);
        assert_eq!((round.order(&next), round.order(&next)), (vec![Some(0), Some(1)], vec![Some(1), Some(0)]));
        assert_eq!((round.name("work", Some(1)), Keys::default().name("work", None)), ("work (key_2)".into(), "work".into()));
        assert!(!format!("{round:?}").contains('"'), "keys are never printed");
    }
}

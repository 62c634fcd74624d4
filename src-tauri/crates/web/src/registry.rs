//! What outlives a single run: how long a service wants to be left alone, and whose turn a key has.

use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Pauses grow no longer than this.
const LONGEST: Duration = Duration::from_secs(3600);

/// The state of all services that this process asks, by the provider's name.
#[derive(Debug, Default)]
pub struct Registry {
    services: Mutex<HashMap<String, Arc<Shared>>>,
}

/// The state of one service.
#[derive(Debug, Default)]
pub struct Shared {
    pub(crate) next_key: AtomicUsize,
    cooling: Mutex<Cooling>,
}

#[derive(Debug, Default)]
struct Cooling {
    until: Option<Instant>,
    /// The last pause that nobody told us; the next one is twice as long.
    grown: Duration,
}

impl Registry {
    /// The state of this service.
    pub fn of(&self, provider: &str) -> Arc<Shared> {
        let mut services = self.services.lock().unwrap_or_else(PoisonError::into_inner);
        services.entry(provider.to_owned()).or_default().clone()
    }
}

impl Shared {
    fn cooling(&self) -> MutexGuard<'_, Cooling> {
        self.cooling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long the service is still to be left alone.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let left = self.cooling().until?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// The service asked to be left alone: for as long as it says, or longer each time.
    pub(crate) fn cool(&self, said: Option<u64>, first: Duration) -> Duration {
        let mut cooling = self.cooling();
        let pause = match said {
            Some(seconds) => Duration::from_secs(seconds).min(LONGEST),
            None => {
                cooling.grown = (cooling.grown * 2).clamp(first, LONGEST);
                cooling.grown
            }
        };
        cooling.until = Some(Instant::now() + pause);
        pause
    }

    /// The service answered.
    pub(crate) fn answered(&self) {
        *self.cooling() = Cooling::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_until_an_answer() {
        let registry = Registry::default();
        let shared = registry.of("x");
        let first = Duration::from_secs(30);
        assert_eq!(shared.pause(), None);
        assert_eq!(shared.cool(None, first), first);
        assert_eq!(registry.of("x").cool(None, first), 2 * first);
        assert!(shared.pause().is_some() && registry.of("y").pause().is_none());
        assert_eq!(shared.cool(Some(7), first), Duration::from_secs(7), "what the service says counts");
        assert_eq!(shared.cool(Some(1_000_000), first), LONGEST);
        shared.answered();
        assert_eq!((shared.pause(), shared.cool(None, first)), (None, first));
        for _ in 0..20 {
            shared.cool(None, first);
        }
        assert_eq!(shared.cool(None, first), LONGEST);
    }
}

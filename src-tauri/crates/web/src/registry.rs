//! What outlives a single run: how long a service wants to be left alone, and whose turn a key has.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use nexi_core::pace::Pace;
use nexi_core::ports::{Failure, Hit};
use tokio_util::sync::CancellationToken;

/// Pauses grow no longer than this.
const LONGEST: Duration = Duration::from_secs(3600);
/// What a service says is believed up to this.
const LONGEST_SAID: Duration = Duration::from_secs(24 * 3600);
/// How long the results of a query are good.
pub(crate) const REMEMBERED: Duration = Duration::from_secs(15 * 60);
/// Queries of one service whose results are kept.
const MOST_FOUND: usize = 200;
/// The state of all services that this process asks, by the provider's name.
#[derive(Default)]
pub struct Registry {
    services: Mutex<HashMap<String, Arc<Shared>>>,
}

/// The state of one service.
#[derive(Default)]
pub struct Shared {
    pub(crate) next_key: AtomicUsize,
    backoff: Mutex<Backoff>,
    /// By requests a minute: the setting may change.
    limiters: Mutex<HashMap<u32, Arc<DefaultDirectRateLimiter>>>,
    /// When the last request began, of services that want one after the other.
    turn: tokio::sync::Mutex<Option<Instant>>,
    /// As the service says in its headers; 0 while it has said nothing.
    per_second: AtomicU32,
    /// What was found lately, and until when that is good.
    found: Mutex<HashMap<String, (Instant, Vec<Hit>)>>,
}

#[derive(Debug, Default)]
struct Backoff {
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

    /// Begins anew with this service, because the person has changed something about it.
    pub fn forget(&self, provider: &str) {
        self.services.lock().unwrap_or_else(PoisonError::into_inner).remove(provider);
    }
}

impl Shared {
    fn backoff(&self) -> MutexGuard<'_, Backoff> {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was found for this key, as long as it is good.
    pub(crate) fn remembered(&self, key: &str) -> Option<Vec<Hit>> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.get(key).filter(|(until, _)| *until > Instant::now()).map(|(_, hits)| hits.clone())
    }

    /// Keeps what was found.
    pub(crate) fn remember(&self, key: String, hits: Vec<Hit>, good_for: Duration) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        found.retain(|_, (until, _)| *until > now);
        if found.len() >= MOST_FOUND
            && let Some(first) = found.iter().min_by_key(|(_, (until, _))| *until).map(|(key, _)| key.clone())
        {
            found.remove(&first);
        }
        found.insert(key, (now + good_for, hits));
    }

    /// How long the service is still to be left alone.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let left = self.backoff().until?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// The service asked to be left alone: for as long as it says, or longer each time.
    pub(crate) fn back_off(&self, said: Option<u64>, first: Duration) -> Duration {
        let mut backoff = self.backoff();
        let now = Instant::now();
        let running = backoff.until.is_some_and(|until| until > now);
        let pause = match said {
            Some(seconds) => Duration::from_secs(seconds).min(LONGEST_SAID),
            // Several requests that were refused at once are one refusal.
            None if running => backoff.grown,
            None => {
                backoff.grown = (backoff.grown * 2).clamp(first, LONGEST);
                backoff.grown
            }
        };
        backoff.until = backoff.until.max(Some(now + pause));
        pause
    }

    /// The service answered. A pause that it has asked for meanwhile stays.
    pub(crate) fn answered(&self) {
        let mut backoff = self.backoff();
        if backoff.until.is_none_or(|until| until <= Instant::now()) {
            *backoff = Backoff::default();
        }
    }

    /// Waits until another request may be made, where there is a limit of requests a minute: a few at
    /// once, the others spread over the minute.
    pub(crate) async fn pace(&self, per_minute: Option<u32>, cancel: &CancellationToken) -> Result<(), Failure> {
        let Some(limit) = per_minute.and_then(NonZeroU32::new) else { return Ok(()) };
        let limiter = {
            let mut limiters = self.limiters.lock().unwrap_or_else(PoisonError::into_inner);
            let pace = Pace::of(limit);
            let quota = Quota::per_minute(pace.rate).allow_burst(pace.burst);
            limiters.entry(limit.get()).or_insert_with(|| Arc::new(RateLimiter::direct(quota))).clone()
        };
        tokio::select! {
            () = cancel.cancelled() => Err(Failure::cancelled()),
            () = limiter.until_ready() => Ok(()),
        }
    }

    /// The turn of a request at a service that wants them one after the other, with a pause between
    /// their beginnings. The turn ends when what is returned is dropped.
    pub(crate) async fn turn(
        &self,
        pause: Duration,
        cancel: &CancellationToken,
    ) -> Result<tokio::sync::MutexGuard<'_, Option<Instant>>, Failure> {
        let wait = async {
            let mut last = self.turn.lock().await;
            if let Some(left) = last.and_then(|last| pause.checked_sub(last.elapsed())) {
                tokio::time::sleep(left).await;
            }
            *last = Some(Instant::now());
            last
        };
        tokio::select! {
            () = cancel.cancelled() => Err(Failure::cancelled()),
            turn = wait => Ok(turn),
        }
    }

    /// Requests a second that the service allows, as it said last.
    pub(crate) fn per_second(&self) -> Option<u32> {
        Some(self.per_second.load(Ordering::Relaxed)).filter(|count| *count > 0)
    }

    pub(crate) fn allows(&self, per_second: u32) {
        self.per_second.store(per_second, Ordering::Relaxed);
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
        assert_eq!(shared.back_off(None, first), first);
        assert_eq!(registry.of("x").back_off(None, first), first, "refused at once with the first");
        assert!(shared.pause().is_some() && registry.of("y").pause().is_none());
        shared.answered();
        assert!(shared.pause().is_some(), "an earlier request's answer ends no pause");
        assert_eq!(shared.back_off(Some(7), first), Duration::from_secs(7));
        assert!(shared.pause().unwrap() > Duration::from_secs(20), "the longer pause counts");
        let past = |shared: &Shared| shared.backoff().until = Instant::now().checked_sub(Duration::from_millis(1));
        past(&shared);
        assert_eq!(shared.back_off(None, first), 2 * first);
        for _ in 0..20 {
            past(&shared);
            shared.back_off(None, first);
        }
        past(&shared);
        assert_eq!(shared.back_off(None, first), LONGEST);
        past(&shared);
        shared.answered();
        assert_eq!((shared.pause(), shared.back_off(None, first)), (None, first));
        assert_eq!(registry.of("z").back_off(Some(7200), first), Duration::from_secs(7200), "what the service says counts");
    }

    #[tokio::test]
    async fn requests_keep_to_the_limit() {
        let shared = Shared::default();
        let cancel = CancellationToken::new();
        for _ in 0..3 {
            shared.pace(Some(3), &cancel).await.unwrap();
        }
        cancel.cancel();
        assert!(shared.pace(Some(3), &cancel).await.is_err(), "the fourth has to wait");
        assert!(shared.pace(None, &cancel).await.is_ok());
    }
}

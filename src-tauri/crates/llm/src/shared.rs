//! What outlives a single run: how fast a service may be asked, whose turn a key has, and what was
//! learned about a model.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::Clock;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use nexi_core::model::{Delta, DeltaSink, ModelError};
use nexi_core::pace::Pace;
use nexi_core::protocol::{Incident, IncidentAction, IncidentKind};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use crate::{
    facts::Facts,
    quirks::{LearnedQuirk, LearnedQuirks, Quirk, QuirkStore},
};

/// Pauses that people are told of; shorter ones are over before they could be read.
pub(crate) const TELLING: Duration = Duration::from_millis(1500);

/// The state of all services that this process asks, by address and model.
#[derive(Default)]
pub struct Registry {
    services: Mutex<HashMap<(String, String), Arc<Shared>>>,
    store: OnceLock<Box<dyn QuirkStore>>,
    /// By address and requests a minute: the setting may change, and models of one account share it.
    limiters: Mutex<HashMap<(String, u32), Arc<DefaultDirectRateLimiter>>>,
}

/// The state of one model at one address.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) next_key: AtomicUsize,
    lessons: Mutex<LearnedQuirks>,
    /// What the service tells of the model, once it has told it.
    pub(crate) facts: OnceCell<Facts>,
    /// When it last did not tell.
    pub(crate) untold: Mutex<Option<Instant>>,
}

impl Registry {
    /// Keeps lessons here, and takes over those that were kept. Only the first call counts.
    pub fn keep_in(&self, store: Box<dyn QuirkStore>) {
        let lessons = store.load();
        if self.store.set(store).is_ok() {
            for lesson in lessons {
                self.of(&lesson.address, &lesson.model).lessons().add(lesson);
            }
        }
    }

    pub(crate) fn of(&self, address: &str, model: &str) -> Arc<Shared> {
        let mut services = self.services.lock().unwrap_or_else(PoisonError::into_inner);
        services.entry((address.trim_end_matches('/').to_owned(), model.to_owned())).or_default().clone()
    }

    /// Everything that was learned and still holds, for people who want to see it.
    pub fn lessons(&self) -> Vec<LearnedQuirk> {
        let services = self.services.lock().unwrap_or_else(PoisonError::into_inner);
        let mut out: Vec<LearnedQuirk> =
            services.values().flat_map(|shared| shared.lessons().all(now()).cloned().collect::<Vec<_>>()).collect();
        out.sort_by(|a, b| (&a.address, &a.model, a.quirk).cmp(&(&b.address, &b.model, b.quirk)));
        out
    }

    /// Waits until another request may be made by the person's own limit, and says so where it takes a while.
    pub(crate) async fn pace(
        &self,
        address: &str,
        per_minute: Option<u32>,
        provider: &str,
        deltas: DeltaSink<'_>,
        cancel: &CancellationToken,
    ) -> Result<(), ModelError> {
        let Some(limit) = per_minute.and_then(NonZeroU32::new) else { return Ok(()) };
        let pace = Pace::of(limit);
        let limiter = {
            let mut limiters = self.limiters.lock().unwrap_or_else(PoisonError::into_inner);
            let quota = Quota::per_minute(pace.rate).allow_burst(pace.burst);
            let key = (address.trim_end_matches('/').to_owned(), limit.get());
            limiters.entry(key).or_insert_with(|| Arc::new(RateLimiter::direct(quota))).clone()
        };
        let Err(not_yet) = limiter.check() else { return Ok(()) };
        let wait = not_yet.wait_time_from(limiter.clock().now());
        tracing::info!(provider, wait_ms = wait.as_millis() as u64, "waiting for the limit of requests a minute");
        if wait >= TELLING {
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            let amount = Some(limit.get());
            let incident = Incident::new(IncidentKind::OwnLimit, provider, IncidentAction::Retry { wait_ms });
            deltas(Delta::Waiting(Incident { amount, ..incident }));
        }
        tokio::select! {
            () = cancel.cancelled() => Err(ModelError::Cancelled),
            () = limiter.until_ready() => Ok(()),
        }
    }

    /// The request worked in this way: it is kept.
    pub(crate) fn confirm(&self, address: &str, model: &str, quirk: Quirk, said: &str) {
        let lesson = LearnedQuirk {
            address: address.trim_end_matches('/').to_owned(),
            model: model.to_owned(),
            quirk,
            said: nexi_core::text::truncate(said, 200),
            learned: now(),
        };
        self.of(address, model).lessons().add(lesson.clone());
        if let Some(store) = self.store.get() {
            store.save(&lesson);
        }
    }
}

impl Shared {
    fn lessons(&self) -> std::sync::MutexGuard<'_, LearnedQuirks> {
        self.lessons.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was learned and still holds.
    pub(crate) fn ways(&self) -> BTreeSet<Quirk> {
        self.lessons().ways(now())
    }
}

/// Unix time in seconds.
fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_keep_to_the_limit() {
        let registry = Registry::default();
        let cancel = CancellationToken::new();
        let told = Mutex::new(Vec::new());
        let deltas = |delta: Delta| told.lock().unwrap().push(delta);
        registry.pace("a/", Some(3), "work", &deltas, &cancel).await.unwrap();
        assert!(told.lock().unwrap().is_empty());
        cancel.cancel();
        assert_eq!(registry.pace("a", Some(3), "work", &deltas, &cancel).await, Err(ModelError::Cancelled), "the second waits");
        let told = std::mem::take(&mut *told.lock().unwrap());
        let [Delta::Waiting(incident)] = &told[..] else { panic!("{told:?}") };
        assert!(incident.wait().is_some_and(|wait| wait > Duration::from_secs(15)), "{incident:?}");
        assert_eq!(registry.pace("a", None, "work", &deltas, &cancel).await, Ok(()));
    }

    #[test]
    fn lessons_outlive_the_process() {
        #[derive(Clone, Default)]
        struct Memory(Arc<Mutex<Vec<LearnedQuirk>>>);
        impl QuirkStore for Memory {
            fn load(&self) -> Vec<LearnedQuirk> {
                self.0.lock().unwrap().clone()
            }
            fn save(&self, lesson: &LearnedQuirk) {
                self.0.lock().unwrap().push(lesson.clone());
            }
        }
        let memory = Memory::default();
        let first = Registry::default();
        first.keep_in(Box::new(memory.clone()));
        first.confirm("https://e.org/v1/", "m", Quirk::NoStreamOptions, "no such field");
        let second = Registry::default();
        second.keep_in(Box::new(memory));
        assert_eq!(second.of("https://e.org/v1", "m").ways(), BTreeSet::from([Quirk::NoStreamOptions]));
        assert!(second.of("https://e.org/v1", "other").ways().is_empty(), "another model is another matter");
        assert_eq!(second.lessons().len(), 1);
    }
}

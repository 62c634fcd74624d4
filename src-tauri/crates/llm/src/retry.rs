//! When to ask again after a passing failure, and after which pause.

use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use nexi_core::model::ModelError;

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// A provider that wants a longer pause than this has its wish shown to the person instead.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// How often a reply that broke off in the middle is asked for again.
const RERUNS: u32 = 2;
/// How often one that says nothing at all is waited for again: each time costs minutes, and money.
const SILENCES: u32 = 1;
/// Pauses where a service limits how often it is asked and does not say for how long: most such
/// limits are of a minute.
const LIMITED: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(15), Duration::from_secs(40)];

/// The attempts at one request.
#[derive(Debug)]
pub(crate) struct Retries {
    reruns_left: u32,
    silences_left: u32,
    limited: usize,
    /// One for each attempt that is left.
    pauses: ExponentialBackoff,
}

impl Retries {
    /// At most `retries` further attempts.
    pub(crate) fn new(retries: u32) -> Self {
        let pauses = ExponentialBuilder::default().with_min_delay(FIRST_PAUSE).with_max_delay(LONGEST_PAUSE).with_jitter();
        Self { reruns_left: RERUNS, silences_left: SILENCES, limited: 0, pauses: pauses.with_max_times(retries as usize).build() }
    }

    /// How long to wait before asking again; `had_begun` says that part of a reply had arrived.
    ///
    /// # Errors
    /// The failure itself, when asking again is of no use.
    pub(crate) fn after(&mut self, error: ModelError, had_begun: bool) -> Result<Duration, ModelError> {
        let too_long = error.retry_after().is_some_and(|wait| wait > LONGEST_WAIT);
        let is_silent = matches!(error, ModelError::Silent { .. });
        if !error.is_retryable() || too_long || (had_begun && self.reruns_left == 0) || (is_silent && self.silences_left == 0) {
            return Err(error);
        }
        let Some(pause) = self.pauses.next() else { return Err(error) };
        self.reruns_left -= u32::from(had_begun);
        self.silences_left -= u32::from(is_silent);
        let wait = match (&error, error.retry_after()) {
            (_, Some(wait)) => wait,
            (ModelError::RateLimited { .. }, None) => {
                self.limited += 1;
                LIMITED[(self.limited - 1).min(LIMITED.len() - 1)]
            }
            _ => pause,
        };
        tracing::info!(%error, wait_ms = wait.as_millis() as u64, "asking the model again");
        Ok(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let error = || ModelError::Server { provider: "p".into(), status: 500, retry_after: None, said: String::new() };
        let mut retries = Retries::new(6);
        let pauses: Vec<u128> = std::iter::from_fn(|| retries.after(error(), false).ok()).map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses.len(), 6);
        assert!(pauses[0] >= 500 && pauses[3] > pauses[0] && pauses.iter().all(|pause| *pause <= 16_000), "{pauses:?}");
        let mut retries = Retries::new(6);
        assert_eq!(std::iter::from_fn(|| retries.after(error(), true).ok()).count(), 2);
    }

    #[test]
    fn the_providers_wish_counts_up_to_two_minutes() {
        let limited = |seconds| ModelError::RateLimited {
            provider: "p".into(),
            retry_after: Some(Duration::from_secs(seconds)),
            said: String::new(),
        };
        assert_eq!(Retries::new(1).after(limited(60), false), Ok(Duration::from_secs(60)));
        assert!(Retries::new(1).after(limited(121), false).is_err());
        assert!(Retries::new(1).after(ModelError::Unauthorized { provider: "p".into(), status: 401, said: String::new() }, false).is_err());
    }
}

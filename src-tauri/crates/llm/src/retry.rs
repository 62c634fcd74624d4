//! When to ask again after a passing failure, and after which pause.

use std::time::Duration;

use nexi_core::model::ModelError;

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// A provider that wants a longer pause than this has its wish shown to the person instead.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// How often a reply that broke off in the middle is asked for again.
const RERUNS: u32 = 2;

/// The attempts at one request.
#[derive(Debug)]
pub(crate) struct Retries {
    left: u32,
    reruns_left: u32,
    pause: Duration,
}

impl Retries {
    /// At most `retries` further attempts.
    pub(crate) fn new(retries: u32) -> Self {
        Self { left: retries, reruns_left: RERUNS, pause: FIRST_PAUSE }
    }

    /// How long to wait before asking again; `had_begun` says that part of a reply had arrived.
    ///
    /// # Errors
    /// The failure itself, when asking again is of no use.
    pub(crate) fn after(&mut self, error: ModelError, had_begun: bool) -> Result<Duration, ModelError> {
        let too_long = error.retry_after().is_some_and(|wait| wait > LONGEST_WAIT);
        if !error.is_retryable() || too_long || self.left == 0 || (had_begun && self.reruns_left == 0) {
            return Err(error);
        }
        self.left -= 1;
        self.reruns_left -= u32::from(had_begun);
        let wait = error.retry_after().unwrap_or_else(|| jitter(self.pause));
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        tracing::info!(%error, wait_ms = wait.as_millis() as u64, "asking the model again");
        Ok(wait)
    }
}

/// Between three quarters and all of the pause, so that many clients do not come back at once.
fn jitter(pause: Duration) -> Duration {
    pause.mul_f64(0.75 + 0.25 * fastrand::f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let error = || ModelError::Server { provider: "p".into(), status: 500, retry_after: None };
        let mut retries = Retries::new(6);
        let pauses: Vec<u128> = std::iter::from_fn(|| retries.after(error(), false).ok()).map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses.len(), 6);
        assert!(pauses[0] <= 500 && pauses[3] > pauses[0] && pauses.iter().all(|pause| *pause <= 8000));
        let mut retries = Retries::new(6);
        assert_eq!(std::iter::from_fn(|| retries.after(error(), true).ok()).count(), 2);
    }

    #[test]
    fn the_providers_wish_counts_up_to_two_minutes() {
        let limited = |seconds| ModelError::RateLimited { provider: "p".into(), retry_after: Some(Duration::from_secs(seconds)) };
        assert_eq!(Retries::new(1).after(limited(60), false), Ok(Duration::from_secs(60)));
        assert!(Retries::new(1).after(limited(121), false).is_err());
        assert!(Retries::new(1).after(ModelError::Unauthorized { provider: "p".into(), status: 401 }, false).is_err());
    }
}

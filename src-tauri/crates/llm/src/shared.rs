//! What outlives a single run: how fast a service may be asked, whose turn a key has, and what was
//! learned about a model.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nexi_core::model::ModelError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

const MINUTE: Duration = Duration::from_secs(60);

/// The state of all services that this process asks, by provider and model.
#[derive(Debug, Default)]
pub struct Registry {
    services: Mutex<HashMap<String, Arc<Shared>>>,
}

/// The state of one service.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) next_key: AtomicUsize,
    pub(crate) quirks: Quirks,
    /// When requests of the last minute were made.
    stamps: tokio::sync::Mutex<VecDeque<Instant>>,
}

/// What a service was found to refuse.
#[derive(Debug, Default)]
pub(crate) struct Quirks {
    /// It knows no tools: it is driven by JSON in its text from now on.
    pub(crate) without_tools: AtomicBool,
    /// It does not know `stream_options`.
    pub(crate) without_stream_options: AtomicBool,
    /// It wants `max_completion_tokens`.
    pub(crate) completion_tokens: AtomicBool,
}

impl Quirks {
    /// Learns from what a service refused; whether asking again in another way can help.
    pub(crate) fn learn(&self, status: u16, message: &str) -> bool {
        if !matches!(status, 400 | 422) {
            return false;
        }
        let first = |flag: &AtomicBool| !flag.swap(true, Ordering::Relaxed);
        if message.contains("stream_options") {
            first(&self.without_stream_options)
        } else if message.contains("max_completion_tokens") {
            first(&self.completion_tokens)
        } else {
            false
        }
    }
}

impl Registry {
    pub(crate) fn of(&self, provider: &str, model: &str) -> Arc<Shared> {
        let mut services = self.services.lock().unwrap_or_else(PoisonError::into_inner);
        services.entry(format!("{provider}\n{model}")).or_default().clone()
    }
}

impl Shared {
    /// Waits until another request may be made.
    pub(crate) async fn pace(&self, per_minute: Option<u32>, provider: &str, cancel: &CancellationToken) -> Result<(), ModelError> {
        let Some(limit) = per_minute else { return Ok(()) };
        loop {
            let wait = {
                let mut stamps = self.stamps.lock().await;
                let now = Instant::now();
                while stamps.front().is_some_and(|at| now - *at >= MINUTE) {
                    stamps.pop_front();
                }
                match stamps.front() {
                    Some(first) if stamps.len() >= limit as usize => MINUTE - (now - *first),
                    _ => {
                        stamps.push_back(now);
                        return Ok(());
                    }
                }
            };
            tracing::info!(provider, wait_ms = wait.as_millis() as u64, "waiting for the limit of requests a minute");
            tokio::select! {
                () = cancel.cancelled() => return Err(ModelError::Cancelled),
                () = tokio::time::sleep(wait) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_keep_to_the_limit() {
        let registry = Registry::default();
        let began = Instant::now();
        let cancel = CancellationToken::new();
        for _ in 0..7 {
            registry.of("work", "m").pace(Some(3), "work", &cancel).await.unwrap();
        }
        let took = began.elapsed();
        assert!(took >= MINUTE * 2 && took < MINUTE * 3, "{took:?}");
        let stopped = CancellationToken::new();
        stopped.cancel();
        let shared = registry.of("work", "m");
        shared.pace(Some(1), "work", &cancel).await.unwrap();
        assert_eq!(shared.pace(Some(1), "work", &stopped).await, Err(ModelError::Cancelled));
    }
}

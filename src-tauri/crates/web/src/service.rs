//! What all services have in common, finders and readers: keys in turn, retries, pauses, and
//! failures that say what happened.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use nexi_core::ports::{Cause, Failure, Fault};
use nexi_core::settings::KeyStrategy;
use secrecy::{ExposeSecret, SecretString};
use tokio_util::sync::CancellationToken;

use crate::client::{ApiClient, ApiReply};
use crate::registry::Shared;

/// How often a request is made again after a passing failure.
const RETRIES: usize = 2;
const SECOND: Duration = Duration::from_millis(1050);
/// The first pause after "too often", when the service does not say how long.
const FIRST_PAUSE: Duration = Duration::from_secs(30);

/// A service of the settings.
pub struct Service {
    /// The name in the settings.
    pub name: String,
    /// The address, without a trailing slash.
    pub base: String,
    /// In the order of the settings; none for services that want none.
    pub keys: Vec<SecretString>,
    pub strategy: KeyStrategy,
    /// The variable a key would come from, for the message that one is missing.
    pub variable: String,
    pub client: ApiClient,
    pub shared: Arc<Shared>,
    /// The first pause, where the service is known to be touchy.
    pub first_pause: Duration,
    pub requests_per_minute: Option<u32>,
    /// How the service wants to be asked.
    pub pacing: Pacing,
    /// Who we say we are, where the service wants to know more than others.
    pub user_agent: Option<String>,
}

/// Whether requests may overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pacing {
    #[default]
    Free,
    /// One after the other, with this pause between their beginnings.
    InTurn(Duration),
    /// As many a second as the service says in its headers; one until it has said so.
    Told,
}

impl Service {
    /// A service without keys.
    pub fn new(name: String, base: &str, client: ApiClient, shared: Arc<Shared>) -> Self {
        Self {
            name,
            base: base.trim_end_matches('/').to_owned(),
            keys: Vec::new(),
            strategy: KeyStrategy::default(),
            variable: String::new(),
            client,
            shared,
            first_pause: FIRST_PAUSE,
            requests_per_minute: None,
            pacing: Pacing::Free,
            user_agent: None,
        }
    }

    /// What a service says that cannot work without a key and has none.
    pub(crate) fn no_key(&self) -> Failure {
        Failure::because(Cause::NeedsKey { service: self.name.clone(), variable: self.variable.clone() })
    }

    /// Makes a request, with each key in turn until one is good, again after passing failures, and
    /// not at all while the service wants to be left alone. `request` builds it with a key;
    /// `understand` reads the reply.
    pub(crate) async fn ask<T>(
        &self,
        needs_key: bool,
        cancel: &CancellationToken,
        request: impl Fn(Option<&str>) -> Result<reqwest::RequestBuilder, Failure>,
        understand: impl Fn(&ApiReply) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if needs_key && self.keys.is_empty() {
            return Err(self.no_key());
        }
        if let Some(left) = self.shared.pause() {
            return Err(self.left_alone(left));
        }
        let order = self.strategy.order(self.keys.len(), self.shared.next_key.fetch_add(1, Ordering::Relaxed));
        let order: Vec<Option<usize>> = if order.is_empty() { vec![None] } else { order.into_iter().map(Some).collect() };
        let mut last = None;
        for index in order {
            let key = index.and_then(|index| self.keys.get(index)).map(|key| key.expose_secret().trim());
            match self.ask_with(needs_key, key, cancel, &request, &understand).await {
                Ok(value) => {
                    self.shared.answered();
                    return Ok(value);
                }
                // Another key may do better.
                Err(failure) if matches!(failure.fault, Fault::Key | Fault::Balance | Fault::Limited { .. }) => {
                    // A key that has to wait is more hopeful than one that was refused.
                    let waits = matches!(last, Some(Failure { fault: Fault::Limited { .. }, .. }));
                    last = if waits { last } else { Some(failure) };
                }
                Err(failure) => return Err(failure),
            }
        }
        let failure = last.unwrap_or_else(|| self.no_key());
        if let Fault::Limited { seconds } = failure.fault {
            let pause = self.shared.back_off(seconds, self.first_pause);
            // The service's own words, and when it is asked again.
            return Err(Failure { said: failure.said.clone(), ..again_in(failure.cause(), pause) });
        }
        Err(failure)
    }

    async fn ask_with<T>(
        &self,
        needs_key: bool,
        key: Option<&str>,
        cancel: &CancellationToken,
        request: &impl Fn(Option<&str>) -> Result<reqwest::RequestBuilder, Failure>,
        understand: &impl Fn(&ApiReply) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // Not all at the same moment, if many had to wait.
        let mut pauses = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(200))
            .with_max_delay(Duration::from_secs(2))
            .with_max_times(RETRIES)
            .with_jitter()
            .build();
        loop {
            self.shared.pace(self.requests_per_minute, cancel).await?;
            let turn = match self.pacing {
                Pacing::Free => None,
                Pacing::InTurn(pause) => Some(self.shared.turn(pause, cancel).await?),
                Pacing::Told => {
                    let pause = SECOND / self.shared.per_second().unwrap_or(1);
                    drop(self.shared.turn(pause, cancel).await?);
                    None
                }
            };
            // Whoever was in front may have been refused for all of us.
            if let Some(left) = self.shared.pause() {
                return Err(self.left_alone(left));
            }
            let mut built = request(key)?;
            if let Some(agent) = &self.user_agent {
                built = built.header("user-agent", agent);
            }
            let reply = self.client.send(&self.name, built, cancel).await;
            drop(turn);
            if let Some(limit) = reply.as_ref().ok().and_then(|reply| reply.rate.limit).filter(|_| self.pacing == Pacing::Told) {
                self.shared.allows(limit);
            }
            let result = reply.and_then(|reply| understand(&ApiReply { keyed: needs_key || key.is_some(), ..reply }));
            match result {
                Err(failure) if failure.fault == Fault::Transient => {
                    let Some(wait) = pauses.next() else { return Err(failure) };
                    tokio::select! {
                        () = cancel.cancelled() => return Err(Failure::cancelled()),
                        () = tokio::time::sleep(wait) => {}
                    }
                }
                result => return result,
            }
        }
    }

    fn left_alone(&self, left: Duration) -> Failure {
        again_in(Cause::Limited { service: self.name.clone(), seconds: None }, left)
    }
}

/// A limit, with what told of it and when the service is asked again.
fn again_in(cause: Cause, left: Duration) -> Failure {
    Failure::because(Cause::AgainIn { cause: Box::new(cause), seconds: left.as_secs().max(1) })
}

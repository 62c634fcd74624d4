//! What frontends see of a call of a tool while it goes on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use nexi_core::{
    protocol::{Event, Form, ResearcherId},
    run::Key,
};
use nexi_tools::{Filled, Observer, Progress};

use crate::live::Live;

/// Between two signs of progress that are shown.
const PAUSE: Duration = Duration::from_millis(250);

/// Tells the frontends of one call.
pub(super) struct CallObserver {
    live: Arc<Live>,
    of: Option<ResearcherId>,
    key: Key,
    /// Whether somebody is there who could fill in a form.
    may_ask: bool,
    last: Mutex<Option<Instant>>,
}

impl CallObserver {
    pub(super) fn new(live: Arc<Live>, of: Option<ResearcherId>, key: Key, may_ask: bool) -> Self {
        Self { live, of, key, may_ask, last: Mutex::default() }
    }
}

#[async_trait]
impl Observer for CallObserver {
    fn progress(&self, progress: Progress) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // A server may say so as often as it likes.
        if last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        *last = Some(Instant::now());
        drop(last);
        let Progress { done, total, message } = progress;
        let event = Event::CallProgress { step: self.key.step, call: self.key.call, done, total, message };
        self.live.push(match self.of {
            Some(researcher) => Event::Researcher { researcher, event: Box::new(event) },
            None => event,
        });
    }

    async fn fill(&self, form: Form) -> Filled {
        if self.may_ask { self.live.ask_form(form).await } else { Filled::Declined }
    }
}

//! Reading the events of a stream: bounded, with a limit for silence and an eye on sleep.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use eventsource_stream::Eventsource;
use futures::{Stream, StreamExt, TryStreamExt};
use nexi_core::model::{BadReply, ModelError};
use serde_json::Value;
use tokio_util::{
    codec::{FramedRead, LinesCodec},
    io::StreamReader,
    sync::CancellationToken,
};

use crate::{
    failure::{self, About},
    http::{Answer, Watch},
};

/// How often the clock is looked at while nothing arrives.
const LOOK: Duration = Duration::from_secs(2);
/// A wall clock that went this much further than the computer's own has slept through it.
const SLEPT: Duration = Duration::from_secs(15);
/// Bytes of one line.
const MAX_LINE: usize = 1024 * 1024;

/// When a reply last came further: by text, reasoning or a piece of a call. Comments and empty
/// events that keep a connection alive are none of these.
#[derive(Debug)]
pub(crate) struct Progress(Mutex<Instant>);

impl Progress {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Instant::now()))
    }

    /// It came further just now.
    pub(crate) fn touch(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn idle(&self) -> Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

/// What bounds a request.
pub(crate) struct Bounds<'a> {
    /// How long nothing may come.
    pub limit: Duration,
    pub progress: &'a Progress,
    pub cancel: &'a CancellationToken,
}

/// How events are set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Sse,
    /// One JSON object a line.
    Lines,
}

/// Tells when the computer has slept: connections that were open then are stale.
#[derive(Debug)]
pub(crate) struct SleepDetector {
    steady: Instant,
    wall: SystemTime,
}

impl SleepDetector {
    pub(crate) fn new() -> Self {
        Self { steady: Instant::now(), wall: SystemTime::now() }
    }

    /// Whether it has slept since the last look.
    pub(crate) fn has_slept(&mut self) -> bool {
        let (steady, wall) = (Instant::now(), SystemTime::now());
        let slept = slept(steady - self.steady, wall.duration_since(self.wall).unwrap_or_default());
        (self.steady, self.wall) = (steady, wall);
        slept
    }
}

fn slept(steady: Duration, wall: Duration) -> bool {
    wall > steady + SLEPT
}

/// The next item of a stream, within the time that silence may last.
pub(crate) async fn next<S: Stream + Unpin>(
    stream: &mut S,
    provider: &str,
    bounds: &Bounds<'_>,
    wake: &mut SleepDetector,
) -> Result<Option<S::Item>, ModelError> {
    loop {
        let left = bounds.limit.saturating_sub(bounds.progress.idle());
        if left.is_zero() {
            return Err(ModelError::Silent { provider: provider.to_owned(), after: bounds.limit });
        }
        tokio::select! {
            biased;
            () = bounds.cancel.cancelled() => return Err(ModelError::Cancelled),
            item = stream.next() => return Ok(item),
            () = tokio::time::sleep(left.min(LOOK)) => {
                if wake.has_slept() {
                    tracing::info!(provider, "the computer has slept; the connection is given up");
                    return Err(ModelError::Broken { provider: provider.to_owned() });
                }
            }
        }
    }
}

/// Sends a request and gives each event of its reply to `take`, until it says that the reply is
/// whole or the stream ends.
pub(crate) async fn events(
    request: reqwest::RequestBuilder,
    framing: Framing,
    about: About<'_>,
    bounds: &Bounds<'_>,
    mut take: impl FnMut(Value) -> Result<bool, ModelError> + Send,
) -> Result<(), ModelError> {
    let provider = about.provider;
    let watch = Watch::default();
    let opening = async {
        let response = request.send().await.map_err(|error| failure::of_transport(provider, &error))?;
        Answer::of(response, &watch).await.map_err(|failure| failure.classify(about))
    };
    let answer = tokio::select! {
        () = bounds.cancel.cancelled() => return Err(ModelError::Cancelled),
        opened = tokio::time::timeout(bounds.limit, opening) => {
            opened.map_err(|_| ModelError::Silent { provider: provider.to_owned(), after: bounds.limit })??
        }
    };
    let response = match answer {
        Answer::Json(body) => {
            let value: Value = serde_json::from_str(&body)
                .map_err(|_| ModelError::malformed(provider, if body.trim().is_empty() { BadReply::Empty } else { BadReply::NotJson }))?;
            let items = if let Value::Array(items) = value { items } else { vec![value] };
            for item in items {
                take(item)?;
            }
            return Ok(());
        }
        Answer::Stream(response) => response,
    };
    let mut wake = SleepDetector::new();
    let bytes = response.bytes_stream();
    let broken = || match watch.cut() {
        Some(why) => ModelError::runaway(provider, why),
        None => ModelError::Broken { provider: provider.to_owned() },
    };
    let mut texts: std::pin::Pin<Box<dyn Stream<Item = Result<String, ModelError>> + Send + '_>> = match framing {
        Framing::Sse => Box::pin(bytes.eventsource().map(|event| event.map(|event| event.data).map_err(|_| broken()))),
        Framing::Lines => {
            let reader = StreamReader::new(bytes.map_err(std::io::Error::other));
            Box::pin(FramedRead::new(reader, LinesCodec::new_with_max_length(MAX_LINE)).map(|line| line.map_err(|_| broken())))
        }
    };
    while let Some(text) = next(&mut texts, provider, bounds, &mut wake).await? {
        let text = text?;
        let text = text.trim();
        if text.is_empty() || text == "[DONE]" {
            continue;
        }
        let value: Value = serde_json::from_str(text).map_err(|_| ModelError::malformed(provider, BadReply::EventNotJson))?;
        if take(value)? {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_told_from_waiting() {
        let seconds = Duration::from_secs;
        assert!(!slept(seconds(2), seconds(2)));
        assert!(!slept(seconds(30), seconds(31)));
        assert!(slept(seconds(2), seconds(3600)));
        assert!(!slept(seconds(2), seconds(0)), "a clock that was set back says nothing");
        assert!(!SleepDetector::new().has_slept());
    }

    #[tokio::test(start_paused = true)]
    async fn cancelling_does_not_wait_for_the_stream() {
        let cancel = CancellationToken::new();
        cancel.cancel();
        let mut silent = futures::stream::pending::<u8>();
        let progress = Progress::new();
        let bounds = Bounds { limit: Duration::from_secs(60), progress: &progress, cancel: &cancel };
        let result = next(&mut silent, "p", &bounds, &mut SleepDetector::new()).await;
        assert_eq!(result, Err(ModelError::Cancelled));
    }
}

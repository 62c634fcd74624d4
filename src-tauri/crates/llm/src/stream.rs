//! Reading the events of a stream: bounded, with patience for silence and an eye on sleep.

use std::time::{Duration, Instant, SystemTime};

use eventsource_stream::Eventsource;
use futures::{Stream, StreamExt, TryStreamExt};
use nexi_core::model::ModelError;
use serde_json::Value;
use tokio_util::{
    codec::{FramedRead, LinesCodec},
    io::StreamReader,
    sync::CancellationToken,
};

use crate::http::{self, Answer, Watch};

/// How often the clock is looked at while nothing arrives.
const LOOK: Duration = Duration::from_secs(2);
/// A wall clock that went this much further than the computer's own has slept through it.
const SLEPT: Duration = Duration::from_secs(15);
/// Bytes of one line.
const MAX_LINE: usize = 1024 * 1024;

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
pub(crate) struct Wake {
    steady: Instant,
    wall: SystemTime,
}

impl Wake {
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
    patience: Duration,
    watch: &Watch,
    wake: &mut Wake,
    cancel: &CancellationToken,
) -> Result<Option<S::Item>, ModelError> {
    let mut began = Instant::now();
    let mut seen = watch.bytes();
    loop {
        let left = patience.saturating_sub(began.elapsed());
        tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(ModelError::Cancelled),
            item = stream.next() => return Ok(item),
            () = tokio::time::sleep(left.min(LOOK)) => {
                if wake.has_slept() {
                    tracing::info!(provider, "the computer has slept; the connection is given up");
                    return Err(ModelError::Broken { provider: provider.to_owned() });
                }
                if watch.bytes() != seen {
                    seen = watch.bytes();
                    began = Instant::now();
                }
                if began.elapsed() >= patience {
                    return Err(ModelError::Silent { provider: provider.to_owned(), after: patience });
                }
            }
        }
    }
}

/// Sends a request and gives each event of its reply to `take`, until it says that the reply is
/// whole or the stream ends. Silence may last for `first` before the reply begins and for `patience`
/// within it.
pub(crate) async fn events(
    request: reqwest::RequestBuilder,
    framing: Framing,
    provider: &str,
    patience: Duration,
    first: Duration,
    cancel: &CancellationToken,
    mut take: impl FnMut(Value) -> Result<bool, ModelError> + Send,
) -> Result<(), ModelError> {
    let watch = Watch::default();
    let opening = async {
        let response = request.send().await.map_err(|error| http::classify_transport(provider, &error))?;
        Answer::of(response, &watch).await.map_err(|failure| failure.classify(provider))
    };
    let answer = tokio::select! {
        () = cancel.cancelled() => return Err(ModelError::Cancelled),
        opened = tokio::time::timeout(first, opening) => opened.map_err(|_| ModelError::Silent { provider: provider.to_owned(), after: first })??,
    };
    let malformed = |message: String| ModelError::Malformed { provider: provider.to_owned(), message };
    let response = match answer {
        Answer::Json(body) => {
            let value: Value = serde_json::from_str(&body).map_err(|error| malformed(format!("it is not valid JSON ({error})")))?;
            let items = if let Value::Array(items) = value { items } else { vec![value] };
            for item in items {
                take(item)?;
            }
            return Ok(());
        }
        Answer::Stream(response) => response,
    };
    let mut wake = Wake::new();
    let bytes = response.bytes_stream();
    let broken = || match watch.cut() {
        Some(message) => ModelError::Runaway { provider: provider.to_owned(), message: message.into() },
        None => ModelError::Broken { provider: provider.to_owned() },
    };
    let mut texts: std::pin::Pin<Box<dyn Stream<Item = Result<String, ModelError>> + Send + '_>> = match framing {
        Framing::Sse => Box::pin(bytes.eventsource().map(|event| event.map(|event| event.data).map_err(|_| broken()))),
        Framing::Lines => {
            let reader = StreamReader::new(bytes.map_err(std::io::Error::other));
            Box::pin(FramedRead::new(reader, LinesCodec::new_with_max_length(MAX_LINE)).map(|line| line.map_err(|_| broken())))
        }
    };
    while let Some(text) = next(&mut texts, provider, patience, &watch, &mut wake, cancel).await? {
        let text = text?;
        let text = text.trim();
        if text.is_empty() || text == "[DONE]" {
            continue;
        }
        let value: Value = serde_json::from_str(text).map_err(|error| malformed(format!("an event is not valid JSON ({error})")))?;
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
        assert!(!Wake::new().has_slept());
    }

    #[tokio::test(start_paused = true)]
    async fn cancelling_does_not_wait_for_the_stream() {
        let cancel = CancellationToken::new();
        cancel.cancel();
        let mut silent = futures::stream::pending::<u8>();
        let result = next(&mut silent, "p", Duration::from_secs(60), &Watch::default(), &mut Wake::new(), &cancel).await;
        assert_eq!(result, Err(ModelError::Cancelled));
    }
}

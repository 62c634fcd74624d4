//! HTTP for models: sizes counted as they arrive, and failures that keep their status, headers and
//! message. The client itself is handed in; it follows no redirect, which would carry the key elsewhere.

use std::sync::{Arc, OnceLock};

use async_openai::{error::OpenAIError, middleware::HttpRequestFactory};
use futures::StreamExt;
use nexi_core::model::BadReply;
use nexi_core::text;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;

use crate::failure::HttpFailure;

/// Bytes of an error body that are read at most.
const MAX_ERROR_BODY: usize = 64 * 1024;
/// Bytes of a reply that came as one JSON object.
const MAX_JSON_BODY: usize = 16 * 1024 * 1024;
/// Bytes of a stream with all that frames its words, which can be fifty times as much as the words.
const MAX_STREAM: usize = 64 * 1024 * 1024;
/// Bytes of one line of a stream.
const MAX_LINE: usize = 1024 * 1024;

/// The service that performs requests for `async-openai`.
pub(crate) fn service(
    http: reqwest::Client,
    watch: Watch,
) -> impl tower::Service<HttpRequestFactory, Response = reqwest::Response, Error = OpenAIError, Future: Send> + Clone + Send + Sync + 'static
{
    tower::service_fn(move |factory: HttpRequestFactory| {
        let (http, watch) = (http.clone(), watch.clone());
        async move {
            let mut request = factory.build().await?;
            // Without a key, the library sends one of no letters, which some servers refuse.
            let is_empty = |value: &HeaderValue| value.as_bytes().trim_ascii() == b"Bearer";
            if request.headers().get(AUTHORIZATION).is_some_and(is_empty) {
                request.headers_mut().remove(AUTHORIZATION);
            }
            let response = http.execute(request).await.map_err(OpenAIError::Reqwest)?;
            let failed = |failure| OpenAIError::Boxed(Box::new(failure));
            let reply = Answer::of(response, &watch).await.map_err(failed)?;
            Ok(match reply {
                Answer::Stream(response) => response,
                Answer::Json(body) => as_stream(&body),
            })
        }
    })
}

/// A reply that was a success.
pub(crate) enum Answer {
    /// Cut off where it grows beyond all measure.
    Stream(reqwest::Response),
    /// A whole reply where a stream was asked for.
    Json(String),
}

impl Answer {
    /// Tells streams and JSON from everything else by status and type.
    pub(crate) async fn of(response: reqwest::Response, watch: &Watch) -> Result<Self, HttpFailure> {
        if !response.status().is_success() {
            return Err(HttpFailure::read(response).await);
        }
        match kind(response.headers()) {
            BodyKind::Stream => Ok(Answer::Stream(limited(response, watch))),
            BodyKind::Json => Ok(Answer::Json(read_some(response, MAX_JSON_BODY).await)),
            BodyKind::Other(found) => {
                let body = if found.contains("html") {
                    "<html>".to_owned()
                } else {
                    format!("it has the type {found:?} instead of an event stream")
                };
                Err(HttpFailure { status: 200, headers: HeaderMap::new(), body })
            }
        }
    }
}

/// What is noted of a body on its way, because the libraries there do not pass it on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    /// Why it was cut off.
    cut: Arc<OnceLock<BadReply>>,
}

impl Watch {
    pub(crate) fn cut(&self) -> Option<BadReply> {
        self.cut.get().copied()
    }
}

/// Ends a body with an error when it or one of its lines is too long. A byte order mark is dropped.
fn limited(response: reqwest::Response, watch: &Watch) -> reqwest::Response {
    let (status, headers, watch) = (response.status(), response.headers().clone(), watch.clone());
    let (mut total, mut line) = (0, 0);
    let body = response.bytes_stream().map(move |piece| {
        let mut piece = piece.map_err(std::io::Error::other)?;
        if total == 0 && piece.starts_with(b"\xef\xbb\xbf") {
            piece = piece.slice(3..);
        }
        total += piece.len();
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            line += part.len();
            if line > MAX_LINE {
                return Err(std::io::Error::other(*watch.cut.get_or_init(|| BadReply::LargeEvent)));
            }
            if part.ends_with(b"\n") {
                line = 0;
            }
        }
        if total > MAX_STREAM { Err(std::io::Error::other(*watch.cut.get_or_init(|| BadReply::NeverEnds))) } else { Ok(piece) }
    });
    let mut out = http::Response::new(reqwest::Body::wrap_stream(body));
    *out.status_mut() = status;
    *out.headers_mut() = headers;
    out.into()
}

enum BodyKind {
    Stream,
    Json,
    Other(String),
}

fn kind(headers: &HeaderMap) -> BodyKind {
    let found = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    if found.is_empty()
        || found.starts_with("text/event-stream")
        || found.starts_with("text/plain")
        || found.starts_with("application/x-ndjson")
    {
        BodyKind::Stream
    } else if found.starts_with("application/json") {
        BodyKind::Json
    } else {
        BodyKind::Other(text::truncate(&found, 60))
    }
}

/// A whole JSON reply where a stream was asked for, as the one event of a stream.
fn as_stream(body: &str) -> reqwest::Response {
    let one_line = serde_json::from_str::<Value>(body).map_or_else(|_| text::fold_space(body), |value| value.to_string());
    let mut response = http::Response::new(format!("data: {one_line}\n\ndata: [DONE]\n\n"));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response.into()
}

impl HttpFailure {
    async fn read(response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        Self { status, headers, body: read_some(response, MAX_ERROR_BODY).await }
    }
}

async fn read_some(mut response: reqwest::Response, limit: usize) -> String {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend_from_slice(&chunk);
        if bytes.len() >= limit {
            bytes.truncate(limit);
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

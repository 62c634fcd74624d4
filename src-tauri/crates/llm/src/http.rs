//! HTTP for models: no redirects, no retries of its own, sizes counted as they arrive, and failures
//! that keep their status, headers and message.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_openai::{error::OpenAIError, middleware::HttpRequestFactory};
use futures::StreamExt;
use nexi_core::{
    model::ModelError,
    settings::{Proxy, Route},
    text,
};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use serde_json::Value;

/// Bytes of an error body that are read at most.
const MAX_ERROR_BODY: usize = 64 * 1024;
/// Bytes of a reply that came as one JSON object.
const MAX_JSON_BODY: usize = 16 * 1024 * 1024;
/// Bytes of a stream with all that frames its words, which can be fifty times as much as the words.
const MAX_STREAM: usize = 64 * 1024 * 1024;
/// Bytes of one line of a stream.
const MAX_LINE: usize = 1024 * 1024;

/// A client for services the user configured: local addresses are fine, redirects are not, because
/// they would carry the key elsewhere.
///
/// Made once a route: setting up TLS reads all certificates of the system, and connections are worth
/// keeping.
pub(crate) fn client(route: &Route) -> reqwest::Result<reqwest::Client> {
    static LAST: Mutex<Option<(Route, reqwest::Client)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, client)) = last.as_ref().filter(|(known, _)| known == route) {
        return Ok(client.clone());
    }
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(Duration::from_secs(10))
        .user_agent(concat!("Nexi/", env!("CARGO_PKG_VERSION")));
    match &route.proxy {
        Proxy::System => {}
        Proxy::None => builder = builder.no_proxy(),
        Proxy::Url(url) => {
            let direct = reqwest::NoProxy::from_string("localhost,127.0.0.0/8,::1");
            builder = builder.proxy(reqwest::Proxy::all(url)?.no_proxy(direct));
        }
    }
    let mut roots = Vec::new();
    for pem in &route.roots {
        roots.extend(reqwest::Certificate::from_pem_bundle(pem)?);
    }
    if !roots.is_empty() {
        builder = builder.tls_certs_merge(roots);
    }
    let client = builder.build()?;
    *last = Some((route.clone(), client.clone()));
    Ok(client)
}

/// The service that performs requests for `async-openai`.
pub(crate) fn service(
    http: reqwest::Client,
    watch: Watch,
) -> impl tower::Service<HttpRequestFactory, Response = reqwest::Response, Error = OpenAIError, Future: Send> + Clone + Send + Sync + 'static
{
    tower::service_fn(move |factory: HttpRequestFactory| {
        let (http, watch) = (http.clone(), watch.clone());
        async move {
            let response = http.execute(factory.build().await?).await.map_err(OpenAIError::Reqwest)?;
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
                let message = format!("it has the type {found:?} instead of an event stream");
                Err(HttpFailure { status: 200, headers: HeaderMap::new(), body: message })
            }
        }
    }
}

/// What is noted of a body on its way, because the libraries there do not pass it on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    /// Why it was cut off.
    cut: Arc<OnceLock<&'static str>>,
    /// Bytes so far: comments that keep a connection alive are no events, but a sign of life.
    bytes: Arc<AtomicUsize>,
}

impl Watch {
    pub(crate) fn cut(&self) -> Option<&'static str> {
        self.cut.get().copied()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
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
        watch.bytes.store(total, Ordering::Relaxed);
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            line += part.len();
            if line > MAX_LINE {
                return Err(std::io::Error::other(*watch.cut.get_or_init(|| "an event is larger than 1 MiB")));
            }
            if part.ends_with(b"\n") {
                line = 0;
            }
        }
        if total > MAX_STREAM { Err(std::io::Error::other(*watch.cut.get_or_init(|| "it never ends"))) } else { Ok(piece) }
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
    let one_line = serde_json::from_str::<Value>(body).map(|value| value.to_string()).unwrap_or_else(|_| text::fold_space(body));
    let mut response = http::Response::new(format!("data: {one_line}\n\ndata: [DONE]\n\n"));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response.into()
}

/// A reply that was not a success.
#[derive(Debug, thiserror::Error)]
#[error("HTTP {status}")]
pub(crate) struct HttpFailure {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl HttpFailure {
    async fn read(response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        Self { status, headers, body: read_some(response, MAX_ERROR_BODY).await }
    }

    /// What it means for the person and for retrying.
    pub(crate) fn classify(&self, provider: &str) -> ModelError {
        let provider = provider.to_owned();
        let (message, code) = message_and_code(&self.body);
        if crate::json_tools::is_about_tools(self.status, &message) {
            return ModelError::Rejected { provider, status: self.status, message };
        }
        match self.status {
            200 => ModelError::Malformed { provider, message },
            400 if message.contains("API key not valid") || code == "API_KEY_INVALID" => ModelError::Unauthorized { provider, status: 400 },
            401 | 403 => ModelError::Unauthorized { provider, status: self.status },
            402 => ModelError::NoBalance { provider },
            404 => ModelError::NotFound { provider, what: "this model or address".into() },
            429 if code == "insufficient_quota" => ModelError::NoBalance { provider },
            429 => ModelError::RateLimited { provider, retry_after: retry_after(&self.headers) },
            408 | 409 | 500.. => ModelError::Server { provider, status: self.status, retry_after: retry_after(&self.headers) },
            status => ModelError::Rejected { provider, status, message },
        }
    }
}

/// An `error` object inside a stream.
pub(crate) fn classify_body(provider: &str, error: &Value) -> ModelError {
    let (message, code) = message_and_code(&serde_json::json!({"error": error}).to_string());
    let provider = provider.to_owned();
    match code.as_str() {
        "insufficient_quota" | "billing_error" => ModelError::NoBalance { provider },
        "rate_limit_exceeded" | "rate_limit_error" | "429" => ModelError::RateLimited { provider, retry_after: None },
        "overloaded_error" | "api_error" | "500" | "503" => ModelError::Server { provider, status: 503, retry_after: None },
        "invalid_api_key" | "authentication_error" | "permission_error" | "401" | "403" => {
            ModelError::Unauthorized { provider, status: 401 }
        }
        "invalid_request_error" | "not_found_error" | "400" => ModelError::Rejected { provider, status: 400, message },
        _ => ModelError::Malformed { provider, message },
    }
}

/// Words of failures that are about the secure connection, not about the network.
const TLS: [&str; 7] = ["certificate", "tls", "handshake", "corrupt message", "unknownissuer", "fatal alert", "notvalidforname"];

/// What a failed connection means.
pub(crate) fn classify_transport(provider: &str, error: &reqwest::Error) -> ModelError {
    let provider = provider.to_owned();
    // The innermost cause says most, and unlike the outer ones it does not hold the address.
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let message = text::truncate(&cause.to_string(), 160);
    let lower = message.to_ascii_lowercase();
    if TLS.iter().any(|word| lower.contains(word)) {
        ModelError::Tls { provider, message }
    } else if error.is_connect() || error.is_timeout() {
        ModelError::Unreachable { provider, message }
    } else {
        ModelError::Broken { provider }
    }
}

/// The sentence and the code of an error body, whatever shape it has; never raw HTML.
fn message_and_code(body: &str) -> (String, String) {
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        let message = if body.trim_start().starts_with('<') {
            "it sent a web page instead of a reply".into()
        } else {
            text::truncate(&text::fold_space(body), 200)
        };
        return (message, String::new());
    };
    let error = value.get("error").unwrap_or(&value);
    let message = [
        Some(error).filter(|error| error.is_string()),
        error.get("message"),
        error.get("detail"),
        value.get("message"),
        value.get("detail"),
        Some(error),
    ]
    .into_iter()
    .flatten()
    .find_map(Value::as_str)
    .unwrap_or("it gave no reason");
    let code = ["code", "type", "status"]
        .iter()
        .find_map(|key| match error.get(*key) {
            Some(Value::String(code)) => Some(code.clone()),
            Some(Value::Number(code)) => Some(code.to_string()),
            _ => None,
        })
        .unwrap_or_default();
    (text::truncate(&text::fold_space(message), 300), code)
}

/// The pause a provider asks for: milliseconds, seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|value| value.parse::<u64>().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let value = text(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    let when = httpdate::parse_http_date(value).ok()?;
    Some(when.duration_since(std::time::SystemTime::now()).unwrap_or_default())
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

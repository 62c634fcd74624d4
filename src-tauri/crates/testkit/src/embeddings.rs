//! An embedding service that knows a few synonyms, and a server of one file that may break off.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::site::serve;

/// Words that count as the same thing.
const SAME: [&[&str]; 5] = [
    &["car", "automobile", "vehicle"],
    &["cheap", "inexpensive"],
    &["doctor", "physician"],
    &["sea", "ocean"],
    &["salary", "wages", "pay"],
];

/// Speaks OpenAI's format below `/v1`, and Ollama's.
pub struct EmbeddingServer {
    pub base_url: String,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    texts: Mutex<Vec<String>>,
    keys: Mutex<Vec<Option<String>>>,
    fails: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl EmbeddingServer {
    /// Starts on a free port.
    pub async fn start() -> Self {
        let inner = Arc::new(Inner::default());
        let app = Router::new().route("/v1/embeddings", post(open_ai)).route("/api/embed", post(ollama)).with_state(inner.clone());
        Self { base_url: format!("http://{}", serve(app).await), inner }
    }

    /// All texts that were sent so far.
    pub fn texts(&self) -> Vec<String> {
        lock(&self.inner.texts).clone()
    }

    /// The bearer tokens of all requests so far.
    pub fn keys(&self) -> Vec<Option<String>> {
        lock(&self.inner.keys).clone()
    }

    /// Refuses everything from now on, or no longer.
    pub fn set_failing(&self, fails: bool) {
        self.inner.fails.store(fails, Ordering::Relaxed);
    }
}

fn vector(text: &str) -> Vec<f32> {
    let words: Vec<String> = text.to_lowercase().split(|c: char| !c.is_alphabetic()).map(str::to_owned).collect();
    let count = |names: &[&str]| words.iter().filter(|word| names.contains(&word.as_str())).count() as f32;
    SAME.iter().map(|names| count(names)).chain([0.1]).collect()
}

struct Refusal(StatusCode, &'static str);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": { "message": self.1 } }))).into_response()
    }
}

fn vectors(server: &Inner, headers: &HeaderMap, body: &Value) -> Result<Vec<Vec<f32>>, Refusal> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    lock(&server.keys).push(bearer.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned));
    if server.fails.load(Ordering::Relaxed) {
        return Err(Refusal(StatusCode::BAD_REQUEST, "this model is not loaded"));
    }
    let texts: Option<Vec<String>> =
        body["input"].as_array().and_then(|input| input.iter().map(|text| text.as_str().map(str::to_owned)).collect());
    match texts {
        Some(texts) if !texts.is_empty() && body["model"].is_string() => {
            lock(&server.texts).extend(texts.iter().cloned());
            Ok(texts.iter().map(|text| vector(text)).collect())
        }
        _ => Err(Refusal(StatusCode::UNPROCESSABLE_ENTITY, "model and input are needed")),
    }
}

async fn open_ai(State(server): State<Arc<Inner>>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    match vectors(&server, &headers, &body) {
        Ok(vectors) => {
            let one = |(index, vector)| json!({ "object": "embedding", "index": index, "embedding": vector });
            // Clients may not rely on the order.
            let data: Vec<Value> = vectors.iter().enumerate().rev().map(one).collect();
            Json(json!({ "object": "list", "data": data, "model": body["model"], "usage": { "prompt_tokens": 1, "total_tokens": 1 } }))
                .into_response()
        }
        Err(refused) => refused.into_response(),
    }
}

async fn ollama(State(server): State<Arc<Inner>>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    match vectors(&server, &headers, &body) {
        Ok(vectors) => Json(json!({ "model": body["model"], "embeddings": vectors })).into_response(),
        Err(refused) => refused.into_response(),
    }
}

/// Serves the same bytes under every path, with ranges, and breaks off as often as it is told.
pub struct FileServer {
    pub base_url: String,
    inner: Arc<Served>,
}

struct Served {
    bytes: Vec<u8>,
    breaks: AtomicUsize,
    ranges: Mutex<Vec<Option<String>>>,
    knows_ranges: bool,
}

impl FileServer {
    /// Starts with these bytes; the first `breaks` replies end after half of what was asked for.
    pub async fn start(bytes: Vec<u8>, breaks: usize, knows_ranges: bool) -> Self {
        let inner = Arc::new(Served { bytes, breaks: AtomicUsize::new(breaks), ranges: Mutex::default(), knows_ranges });
        let app = Router::new().route("/{*path}", get(file)).with_state(inner.clone());
        Self { base_url: format!("http://{}", serve(app).await), inner }
    }

    /// What was asked for of the file, request by request; none where it was all of it.
    pub fn ranges(&self) -> Vec<Option<String>> {
        lock(&self.inner.ranges).clone()
    }
}

async fn file(State(server): State<Arc<Served>>, headers: HeaderMap) -> Response {
    let range = headers.get(header::RANGE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    lock(&server.ranges).push(range.clone());
    let from: usize = range.as_deref().and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()).unwrap_or(0);
    let (status, from) = if server.knows_ranges && range.is_some() { (StatusCode::PARTIAL_CONTENT, from) } else { (StatusCode::OK, 0) };
    let rest = server.bytes[from.min(server.bytes.len())..].to_vec();
    let breaks = server.breaks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
    let body = if breaks { rest[..rest.len() / 2].to_vec() } else { rest };
    (status, Bytes::from(body)).into_response()
}

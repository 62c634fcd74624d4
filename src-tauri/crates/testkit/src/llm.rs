//! A model behind `/v1/chat/completions` that replies by script.

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::post};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

/// One reply of the script.
#[derive(Debug, Clone)]
pub enum Scripted {
    /// Tool calls by name and arguments, streamed in small pieces.
    Calls(Vec<(&'static str, Value)>),
    /// Plain text, streamed word by word.
    Text(&'static str),
    /// An error status with headers and body.
    Status(u16, Vec<(&'static str, &'static str)>, &'static str),
    /// Some text, then the connection breaks.
    Broken(&'static str),
    /// Nothing, for as long as the client waits.
    Silence,
    /// The text of a stream as it is, with its content type.
    Raw(&'static str, &'static str),
}

/// The server.
#[derive(Clone)]
pub struct LlmServer {
    /// Ends in `/v1`.
    pub base_url: String,
    inner: Arc<Inner>,
}

struct Inner {
    script: Mutex<VecDeque<Scripted>>,
    requests: Mutex<Vec<Value>>,
    problems: Mutex<Vec<String>>,
    key: String,
    pause: Duration,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LlmServer {
    /// Starts a server that wants this key and pauses this long between the pieces of a stream.
    pub async fn start(key: &str, pause: Duration, script: Vec<Scripted>) -> Self {
        let inner = Arc::new(Inner {
            script: Mutex::new(script.into()),
            requests: Mutex::default(),
            problems: Mutex::default(),
            key: key.to_owned(),
            pause,
        });
        let app = Router::new().route("/v1/chat/completions", post(complete)).with_state(inner.clone());
        let address = crate::site::serve(app).await;
        Self { base_url: format!("http://{address}/v1"), inner }
    }

    /// The bodies of all requests so far.
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.inner.requests).clone()
    }

    /// Everything that was wrong with the requests; empty when the client keeps to the protocol.
    pub fn problems(&self) -> Vec<String> {
        lock(&self.inner.problems).clone()
    }
}

async fn complete(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: Bytes) -> Response {
    let request: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let mut problems = check(&request);
    if headers.get("authorization").and_then(|value| value.to_str().ok()) != Some(&format!("Bearer {}", inner.key)) {
        problems.push("the key is wrong".into());
    }
    lock(&inner.requests).push(request);
    let next = lock(&inner.script).pop_front();
    if next.is_none() {
        problems.push("a request that the script does not expect".into());
    }
    lock(&inner.problems).extend(problems);
    match next {
        None => (StatusCode::INTERNAL_SERVER_ERROR, "{}").into_response(),
        Some(Scripted::Status(status, extra, body)) => {
            let mut response = (StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY), body).into_response();
            for (name, value) in extra {
                if let Ok(value) = value.parse() {
                    response.headers_mut().insert(name, value);
                }
            }
            response
        }
        Some(Scripted::Raw(kind, text)) => ([("content-type", kind)], text).into_response(),
        Some(Scripted::Silence) => std::future::pending().await,
        Some(Scripted::Broken(text)) => {
            let mut events = text_events(text);
            events.truncate(events.len() / 2);
            let pieces = stream::iter(events.into_iter().map(|event| Ok(sse(&event))))
                .chain(stream::once(async { Err(std::io::Error::other("broken")) }));
            ([("content-type", "text/event-stream")], Body::from_stream(pieces)).into_response()
        }
        Some(Scripted::Text(text)) => streamed(text_events(text), "stop", inner.pause),
        Some(Scripted::Calls(calls)) => streamed(call_events(&calls), "tool_calls", inner.pause),
    }
}

fn streamed(mut events: Vec<Value>, finish: &str, pause: Duration) -> Response {
    events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}));
    events.push(json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}));
    let mut pieces: Vec<String> = events.iter().map(sse).collect();
    pieces.push("data: [DONE]\n\n".into());
    let body = stream::iter(pieces).then(move |piece| async move {
        tokio::time::sleep(pause).await;
        Ok::<_, Infallible>(piece)
    });
    ([("content-type", "text/event-stream")], Body::from_stream(body)).into_response()
}

fn sse(event: &Value) -> String {
    format!("data: {event}\n\n")
}

fn text_events(text: &str) -> Vec<Value> {
    text.split_inclusive(' ').map(|word| json!({"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": null}]})).collect()
}

fn call_events(calls: &[(&str, Value)]) -> Vec<Value> {
    let mut out = Vec::new();
    let mut piece = |delta: Value| out.push(json!({"choices": [{"index": 0, "delta": {"tool_calls": [delta]}, "finish_reason": null}]}));
    for (index, (name, arguments)) in calls.iter().enumerate() {
        piece(json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": {"name": name, "arguments": ""}}));
        let text: Vec<char> = arguments.to_string().chars().collect();
        for part in text.chunks(7) {
            piece(json!({"index": index, "function": {"arguments": part.iter().collect::<String>()}}));
        }
    }
    out
}

/// What an OpenAI-compatible service would refuse.
fn check(request: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wrong = |what: String| problems.push(what);
    if request.get("model").and_then(Value::as_str).is_none_or(str::is_empty) {
        wrong("no model".into());
    }
    if request.get("stream") != Some(&Value::Bool(true)) {
        wrong("no stream is asked for".into());
    }
    let empty = Vec::new();
    let messages = request.get("messages").and_then(Value::as_array).unwrap_or(&empty);
    if messages.is_empty() {
        wrong("no messages".into());
    }
    let mut open: Vec<String> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for (place, message) in messages.iter().enumerate() {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        if role != "tool" && !open.is_empty() {
            wrong(format!("message {place}: calls without a result: {open:?}"));
            open.clear();
        }
        match role {
            "system" if place == 0 => {}
            "user" | "assistant" | "tool" => {}
            _ => wrong(format!("message {place}: unexpected role {role:?}")),
        }
        if role == "tool" {
            let id = message.get("tool_call_id").and_then(Value::as_str).unwrap_or_default();
            match open.iter().position(|known| known == id) {
                Some(index) => drop(open.remove(index)),
                None => wrong(format!("message {place}: a result for no call ({id:?})")),
            }
            if message.get("content").and_then(Value::as_str).is_none_or(str::is_empty) {
                wrong(format!("message {place}: an empty result"));
            }
        }
        for call in message.get("tool_calls").and_then(Value::as_array).unwrap_or(&empty) {
            let id = call.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
            if id.is_empty() || !seen.insert(id.clone()) {
                wrong(format!("message {place}: call id {id:?} is empty or used twice"));
            }
            let arguments = call.pointer("/function/arguments").and_then(Value::as_str).unwrap_or_default();
            if !serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()) {
                wrong(format!("message {place}: arguments are not a JSON object"));
            }
            open.push(id);
        }
    }
    if !open.is_empty() {
        wrong(format!("calls without a result at the end: {open:?}"));
    }
    problems
}

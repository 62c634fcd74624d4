//! Models that reply by script, in the wire formats of OpenAI (both of them), Anthropic, Gemini and Ollama, and that
//! check every request they get.

mod anthropic;
mod deep;
mod gemini;
mod ollama;
mod openai;
mod responses;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::any};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

pub use deep::{DeepModel, task};

/// Chooses the reply to a request.
type Answering = Box<dyn Fn(&Value) -> Scripted + Send + Sync>;

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
    /// Reasoning, then text, each where the wire format has its place for it.
    Thinking(&'static str, &'static str),
    /// Bytes as they are, with a pause in front of each piece, and an end.
    Wire(&'static str, Vec<(Duration, Vec<u8>)>, End),
}

/// How a stream of bytes ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Close,
    /// The connection breaks.
    Reset,
    /// It stays open and silent.
    Hang,
}

/// What a wire format is made of.
struct Wire {
    content_type: &'static str,
    text: fn(&str) -> Vec<String>,
    thinking: fn(&str) -> Vec<String>,
    calls: fn(&[(&str, Value)]) -> Vec<String>,
    /// What ends a reply; whether it asked for tools.
    end: fn(bool) -> Vec<String>,
    /// Everything that the real service would refuse.
    check: fn(&Value) -> Vec<String>,
    /// The header that carries the key, and what stands before it there.
    key: (&'static str, &'static str),
}

fn wire_of(path: &str) -> Option<Wire> {
    match path {
        "/v1/chat/completions" => Some(openai::WIRE),
        "/v1/responses" => Some(responses::WIRE),
        "/v1/messages" => Some(anthropic::WIRE),
        "/api/chat" => Some(ollama::WIRE),
        path if path.starts_with("/v1beta/models/") && path.ends_with(":streamGenerateContent") => Some(gemini::WIRE),
        _ => None,
    }
}

/// The list of models at this path, and the header that carries the key there.
fn models(path: &str) -> Option<(Value, &'static str, &'static str)> {
    match path {
        "/v1/models" => Some((json!({"object": "list", "data": [{"id": "small"}, {"id": "large"}]}), "authorization", "Bearer ")),
        "/api/tags" => Some((json!({"models": [{"name": "qwen3:8b"}, {"name": "gemma3:4b"}]}), "authorization", "Bearer ")),
        "/v1beta/models" => Some((
            json!({"models": [
                {"name": "models/gemini-x", "supportedGenerationMethods": ["generateContent"]},
                {"name": "models/embedding", "supportedGenerationMethods": ["embedContent"]}
            ]}),
            "x-goog-api-key",
            "",
        )),
        _ => None,
    }
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
    keys_used: Mutex<Vec<String>>,
    /// Replies to requests that hold a text, before the script; each is used as often as it fits.
    rules: Vec<(&'static str, Scripted)>,
    /// Replies to everything that no rule fits, in place of the script.
    answering: Option<Answering>,
    /// What Ollama says that the model can do.
    capabilities: Vec<&'static str>,
    keys: Vec<String>,
    pause: Duration,
    delay: Mutex<Duration>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LlmServer {
    /// Starts a server that wants this key and pauses this long between the pieces of a stream.
    pub async fn start(key: &str, pause: Duration, script: Vec<Scripted>) -> Self {
        Self::with_rules(&[key], pause, script, Vec::new(), vec!["completion", "tools"]).await
    }

    /// Starts a server that takes any of these keys, answers requests that hold a text by rule,
    /// and says this of its model when it is asked as Ollama.
    pub async fn with_rules(
        keys: &[&str],
        pause: Duration,
        script: Vec<Scripted>,
        rules: Vec<(&'static str, Scripted)>,
        capabilities: Vec<&'static str>,
    ) -> Self {
        Self::with(keys, pause, script, rules, capabilities, None).await
    }

    async fn with(
        keys: &[&str],
        pause: Duration,
        script: Vec<Scripted>,
        rules: Vec<(&'static str, Scripted)>,
        capabilities: Vec<&'static str>,
        answering: Option<Answering>,
    ) -> Self {
        let inner = Arc::new(Inner {
            script: Mutex::new(script.into()),
            requests: Mutex::default(),
            problems: Mutex::default(),
            keys_used: Mutex::default(),
            rules,
            answering,
            capabilities,
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            pause,
            delay: Mutex::default(),
        });
        let app = Router::new().fallback(any(answer)).with_state(inner.clone());
        let address = crate::site::serve(app).await;
        Self { base_url: format!("http://{address}/v1"), inner }
    }

    /// Starts a server that wants this key and asks `answering` for every reply.
    pub async fn answering(key: &str, pause: Duration, answering: impl Fn(&Value) -> Scripted + Send + Sync + 'static) -> Self {
        Self::with(&[key], pause, Vec::new(), Vec::new(), vec!["completion", "tools"], Some(Box::new(answering))).await
    }

    /// Waits so long before the first byte of every reply.
    pub fn set_delay(&self, delay: Duration) {
        *lock(&self.inner.delay) = delay;
    }

    /// Puts another script in the place of what is left of the first.
    pub fn set_script(&self, script: Vec<Scripted>) {
        *lock(&self.inner.script) = script.into();
    }

    /// The address without `/v1`, as Anthropic, Gemini and Ollama are configured.
    pub fn root(&self) -> String {
        self.base_url.trim_end_matches("/v1").to_owned()
    }

    /// The bodies of all requests so far.
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.inner.requests).clone()
    }

    /// The keys of all requests so far.
    pub fn keys_used(&self) -> Vec<String> {
        lock(&self.inner.keys_used).clone()
    }

    /// Everything that was wrong with the requests; empty when the client keeps to the protocol.
    pub fn problems(&self) -> Vec<String> {
        lock(&self.inner.problems).clone()
    }
}

async fn answer(State(inner): State<Arc<Inner>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let request: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    if uri.path() == "/api/show" {
        return axum::Json(ollama::show(&inner.capabilities)).into_response();
    }
    if let Some((list, header, before)) = models(uri.path()) {
        let key = headers.get(header).and_then(|value| value.to_str().ok()).and_then(|value| value.strip_prefix(before));
        if !inner.keys.iter().any(|known| Some(known.as_str()) == key || known.is_empty()) {
            return (StatusCode::UNAUTHORIZED, "{\"error\":{\"message\":\"Incorrect API key provided\"}}").into_response();
        }
        return axum::Json(list).into_response();
    }
    // Where other servers tell their window; this one is none of them.
    if matches!(uri.path(), "/props" | "/api/v0/models") {
        return (StatusCode::NOT_FOUND, "{}").into_response();
    }
    let Some(wire) = wire_of(uri.path()) else {
        lock(&inner.problems).push(format!("a request to {}", uri.path()));
        return (StatusCode::NOT_FOUND, "{\"error\":\"no such path\"}").into_response();
    };
    let mut problems = (wire.check)(&request);
    let (header, before) = wire.key;
    let key = headers.get(header).and_then(|value| value.to_str().ok()).and_then(|value| value.strip_prefix(before));
    if !inner.keys.iter().any(|known| Some(known.as_str()) == key || known.is_empty()) {
        problems.push(format!("the key in {header} is wrong"));
    }
    let delay = *lock(&inner.delay);
    tokio::time::sleep(delay).await;
    lock(&inner.keys_used).push(key.unwrap_or_default().to_owned());
    let text = request.to_string();
    let chosen = inner.answering.as_ref().map(|answering| answering(&request));
    lock(&inner.requests).push(request);
    let by_rule = inner.rules.iter().find(|(part, _)| text.contains(part)).map(|(_, reply)| reply.clone());
    let next = by_rule.or(chosen).or_else(|| lock(&inner.script).pop_front());
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
            let mut events = (wire.text)(text);
            events.truncate(events.len() / 2);
            let pieces = events.into_iter().map(|event| (Duration::ZERO, event.into_bytes())).collect();
            raw(wire.content_type, pieces, End::Reset)
        }
        Some(Scripted::Text(text)) => streamed(&wire, (wire.text)(text), false, inner.pause),
        Some(Scripted::Calls(calls)) => streamed(&wire, (wire.calls)(&calls), true, inner.pause),
        Some(Scripted::Thinking(thought, text)) => {
            let events = (wire.thinking)(thought).into_iter().chain((wire.text)(text)).collect();
            streamed(&wire, events, false, inner.pause)
        }
        Some(Scripted::Wire(kind, pieces, end)) => raw(kind, pieces, end),
    }
}

fn streamed(wire: &Wire, mut events: Vec<String>, calls: bool, pause: Duration) -> Response {
    events.extend((wire.end)(calls));
    raw(wire.content_type, events.into_iter().map(|event| (pause, event.into_bytes())).collect(), End::Close)
}

fn raw(kind: &'static str, pieces: Vec<(Duration, Vec<u8>)>, end: End) -> Response {
    let body = stream::iter(pieces).then(|(pause, piece)| async move {
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok::<_, std::io::Error>(piece)
    });
    let last = stream::once(async move {
        match end {
            End::Close => Ok(Vec::new()),
            End::Reset => {
                // What was sent must have left before the connection goes.
                tokio::time::sleep(Duration::from_millis(20)).await;
                Err(std::io::Error::other("broken"))
            }
            End::Hang => std::future::pending().await,
        }
    });
    ([("content-type", kind)], Body::from_stream(body.chain(last))).into_response()
}

/// One event of a stream of server-sent events.
fn sse(event: &Value) -> String {
    format!("data: {event}\n\n")
}

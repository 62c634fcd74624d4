//! Sessions over HTTP: how many there may be, and when one is over.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use futures::StreamExt;
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use super::{MAX_REQUEST, refuse};

/// Sessions at the same time.
const MAX_SESSIONS: usize = 16;
/// How long a client may take to send a request.
const BODY: Duration = Duration::from_secs(30);
const SESSION: &str = "mcp-session-id";

/// What goes on in which session.
pub struct SessionLimiter {
    sessions: Arc<LocalSessionManager>,
    known: Arc<Mutex<HashMap<String, SessionActivity>>>,
    /// Sessions begin one after the other, so that they can be counted.
    beginning: tokio::sync::Mutex<()>,
}

/// One session.
struct SessionActivity {
    open: u32,
    last: Instant,
}

impl SessionLimiter {
    pub fn new(sessions: Arc<LocalSessionManager>) -> Self {
        Self { sessions, known: Arc::default(), beginning: tokio::sync::Mutex::default() }
    }

    /// Passes a request on, unless it begins one session too many. The request is read first, within a time: nobody waits
    /// for one that does not come to its end.
    pub async fn admit(&self, request: Request, next: Next) -> Response {
        let session = name(request.headers());
        if request.method() != Method::POST {
            // The stream that a client leaves open for what the server has to say is no work.
            return next.run(request).await;
        }
        let (parts, body) = request.into_parts();
        let read = tokio::time::timeout(BODY, axum::body::to_bytes(body, MAX_REQUEST)).await;
        let body = match read {
            Ok(Ok(body)) => body,
            Ok(Err(_)) => return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The request is larger than 1 MiB or incomplete."),
            Err(_) => return refuse(StatusCode::REQUEST_TIMEOUT, "The request took too long."),
        };
        let begins = session.is_none() && is_initialize(&body);
        let request = Request::from_parts(parts, Body::from(body));
        if !begins {
            let open = session.map(|session| Open::new(&self.known, session));
            return hold(next.run(request).await, open);
        }
        let _one_at_a_time = self.beginning.lock().await;
        if !self.has_room().await {
            return refuse(StatusCode::SERVICE_UNAVAILABLE, "Too many sessions are busy. End one, or try again later.");
        }
        let response = next.run(request).await;
        let open = name(response.headers()).map(|session| Open::new(&self.known, session));
        hold(response, open)
    }

    /// Whether one more session may begin; where there are as many as may be, the one that was idle longest ends for it.
    async fn has_room(&self) -> bool {
        let all: Vec<_> = self.sessions.sessions.read().await.keys().cloned().collect();
        if all.len() < MAX_SESSIONS {
            return true;
        }
        let idle = {
            let mut known = lock(&self.known);
            known.retain(|name, _| all.iter().any(|id| **id == **name));
            // One that nothing is known of never asked for anything.
            let last = |id: &str| known.get(id).map_or((0, None), |visit| (visit.open, Some(visit.last)));
            all.iter().filter(|id| last(id).0 == 0).min_by_key(|id| last(id).1).cloned()
        };
        let Some(id) = idle else { return false };
        if let Err(error) = self.sessions.close_session(&id).await {
            tracing::info!(%error, "an idle session could not be ended");
        }
        true
    }
}

/// Whether a body asks for a new session: the one message that every session begins with.
fn is_initialize(body: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Method {
        method: String,
    }
    // Anything else without a session is refused by the protocol.
    serde_json::from_slice::<Method>(body).is_ok_and(|message| message.method == "initialize")
}

/// A request that is being answered, until the last piece of its answer was sent.
struct Open {
    known: Arc<Mutex<HashMap<String, SessionActivity>>>,
    session: String,
}

impl Open {
    fn new(known: &Arc<Mutex<HashMap<String, SessionActivity>>>, session: String) -> Self {
        let visit = SessionActivity { open: 0, last: Instant::now() };
        lock(known).entry(session.clone()).or_insert(visit).open += 1;
        Self { known: known.clone(), session }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(visit) = lock(&self.known).get_mut(&self.session) {
            visit.open -= 1;
            visit.last = Instant::now();
        }
    }
}

/// The answer, which keeps its session from being idle as long as it is sent.
fn hold(response: Response, open: Option<Open>) -> Response {
    let Some(open) = open else { return response };
    response.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |piece| {
            let _held = &open;
            piece
        }))
    })
}

fn name(headers: &HeaderMap) -> Option<String> {
    headers.get(SESSION)?.to_str().ok().map(str::to_owned)
}

fn lock(known: &Mutex<HashMap<String, SessionActivity>>) -> MutexGuard<'_, HashMap<String, SessionActivity>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

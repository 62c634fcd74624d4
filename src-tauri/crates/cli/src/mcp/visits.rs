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

use super::http::refuse;

/// Sessions at the same time.
const MAX_SESSIONS: usize = 16;
/// A session without any request for so long has to make room for a new one.
const IDLE: Duration = Duration::from_secs(300);
const SESSION: &str = "mcp-session-id";
/// Sent by those who have introduced themselves already, or who do so with every request.
const VERSION: &str = "mcp-protocol-version";

/// What goes on in which session.
pub struct Visits {
    sessions: Arc<LocalSessionManager>,
    known: Arc<Mutex<HashMap<String, Visit>>>,
    /// Sessions begin one after the other, so that they can be counted.
    beginning: tokio::sync::Mutex<()>,
}

/// One session.
struct Visit {
    open: u32,
    last: Instant,
}

impl Visits {
    pub fn new(sessions: Arc<LocalSessionManager>) -> Self {
        Self { sessions, known: Arc::default(), beginning: tokio::sync::Mutex::default() }
    }

    /// Passes a request on, unless it begins one session too many.
    pub async fn admit(&self, request: Request, next: Next) -> Response {
        let session = name(request.headers());
        let begins = request.method() == Method::POST && session.is_none() && !request.headers().contains_key(VERSION);
        if !begins {
            let open = session.map(|session| Open::new(&self.known, session));
            return hold(next.run(request).await, open);
        }
        let _one_at_a_time = self.beginning.lock().await;
        if !self.has_room().await {
            return refuse(StatusCode::SERVICE_UNAVAILABLE, "There are too many sessions. End one, or try again in five minutes.");
        }
        let response = next.run(request).await;
        let open = name(response.headers()).map(|session| Open::new(&self.known, session));
        hold(response, open)
    }

    /// Whether one more session may begin; those in which nothing goes on end for it.
    async fn has_room(&self) -> bool {
        let all: Vec<_> = self.sessions.sessions.read().await.keys().cloned().collect();
        if all.len() < MAX_SESSIONS {
            return true;
        }
        let idle: Vec<_> = {
            let mut known = lock(&self.known);
            known.retain(|name, _| all.iter().any(|id| **id == **name));
            let is_idle = |id: &str| known.get(id).is_none_or(|visit| visit.open == 0 && visit.last.elapsed() > IDLE);
            all.iter().filter(|id| is_idle(id)).cloned().collect()
        };
        for id in &idle {
            if let Err(error) = self.sessions.close_session(id).await {
                tracing::info!(%error, "an idle session could not be ended");
            }
        }
        !idle.is_empty()
    }
}

/// A request that is being answered, until the last piece of its answer was sent.
struct Open {
    known: Arc<Mutex<HashMap<String, Visit>>>,
    session: String,
}

impl Open {
    fn new(known: &Arc<Mutex<HashMap<String, Visit>>>, session: String) -> Self {
        let visit = Visit { open: 0, last: Instant::now() };
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

fn lock(known: &Mutex<HashMap<String, Visit>>) -> MutexGuard<'_, HashMap<String, Visit>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The receiving end of webhooks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use crate::site::serve;

/// A request that came in.
#[derive(Debug, Clone)]
pub struct Hooked {
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
}

/// A status with headers.
type Reply = (u16, Vec<(&'static str, String)>);

/// Takes every request, and answers with what it was told to.
pub struct HookServer {
    pub base_url: String,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    requests: Mutex<Vec<Hooked>>,
    replies: Mutex<VecDeque<Reply>>,
}

impl HookServer {
    /// Starts on a free port; it answers with 204.
    pub async fn start() -> Self {
        let inner = Arc::new(Inner::default());
        let app = Router::new().fallback(take).with_state(inner.clone());
        Self { base_url: format!("http://{}", serve(app).await), inner }
    }

    /// Answers one of the next requests like this.
    pub fn reply(&self, status: u16, headers: Vec<(&'static str, String)>) {
        self.inner.replies.lock().unwrap_or_else(PoisonError::into_inner).push_back((status, headers));
    }

    /// Everything that came in so far.
    pub fn requests(&self) -> Vec<Hooked> {
        self.inner.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn take(State(inner): State<Arc<Inner>>, uri: Uri, headers: HeaderMap, body: String) -> Response {
    inner.requests.lock().unwrap_or_else(PoisonError::into_inner).push(Hooked { path: uri.path().to_owned(), headers, body });
    let (status, headers) = inner.replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or((204, Vec::new()));
    let mut response = StatusCode::from_u16(status).unwrap_or(StatusCode::OK).into_response();
    for (name, value) in headers {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

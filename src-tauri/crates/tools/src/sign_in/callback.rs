//! Where the browser comes back to after a sign-in.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{OriginalUri, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use nexi_core::ports::{Failure, SignInCause};
use reqwest::Url;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{cause, short};

const PATH: &str = "/callback";
/// How long the browser may take to fetch its last page.
const LAST_PAGE: Duration = Duration::from_secs(3);

/// What the browser brings back.
pub(super) struct Returned {
    pub(super) code: String,
    pub(super) state: String,
    /// Who signed the person in, where that is said.
    pub(super) issuer: Option<String>,
}

/// A port of this computer that waits for the browser.
pub(super) struct Listener {
    socket: TcpListener,
    port: u16,
}

/// The address a browser came with, and where to tell what has become of it.
type CallbackRequest = (Result<Returned, Failure>, oneshot::Sender<Result<(), Failure>>);

/// What the last page of a sign-in says, in the person's language.
#[derive(Clone)]
pub struct CallbackWords {
    /// As HTML names languages.
    pub language: &'static str,
    /// Titles and the sentences below them.
    pub done: (String, String),
    pub unknown: (String, String),
    pub over: (String, String),
    pub failed: String,
    /// Why it failed.
    pub why: fn(&Failure) -> String,
}

#[derive(Clone)]
struct CallbackState {
    redirect: String,
    state: String,
    words: Arc<CallbackWords>,
    visits: mpsc::Sender<CallbackRequest>,
}

impl Listener {
    /// Listens on this port, or on any that is free.
    pub(super) async fn bind(port: Option<u16>) -> Result<Self, Failure> {
        let wanted = port.unwrap_or(0);
        let failed = |error: std::io::Error| Failure::because(SignInCause::PortTaken { port: wanted, message: cause(&error) });
        let socket = TcpListener::bind(("127.0.0.1", wanted)).await.map_err(failed)?;
        let port = socket.local_addr().map_err(failed)?.port();
        Ok(Self { socket, port })
    }

    /// The address that the browser is sent back to.
    pub(super) fn redirect(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for the browser from now on. Visits that do not belong to this sign-in change nothing.
    pub(super) fn listen(self, state: &str, words: CallbackWords) -> CallbackServer {
        let (visits, visited) = mpsc::channel(1);
        let door = CallbackState { redirect: self.redirect(), state: state.to_owned(), words: Arc::new(words), visits };
        let app = Router::new().route(PATH, get(visit)).with_state(door);
        let over = CancellationToken::new();
        let end = over.clone().cancelled_owned();
        let serving = tokio::spawn(async move { axum::serve(self.socket, app).with_graceful_shutdown(end).await });
        CallbackServer { visited, waiting: None, over, serving }
    }
}

/// The visits of a browser; the port is closed when they are dropped.
pub(super) struct CallbackServer {
    visited: mpsc::Receiver<CallbackRequest>,
    /// The browser that waits for its page.
    waiting: Option<oneshot::Sender<Result<(), Failure>>>,
    over: CancellationToken,
    serving: JoinHandle<std::io::Result<()>>,
}

impl CallbackServer {
    /// What the browser brings back.
    pub(super) async fn next(&mut self) -> Result<Returned, Failure> {
        let Some((returned, tell)) = self.visited.recv().await else { return Err(Failure::because(SignInCause::PortClosed)) };
        self.waiting = Some(tell);
        returned
    }

    /// Shows in the browser how the sign-in went, and closes the port when that is on its way.
    pub(super) async fn tell(mut self, done: &Result<(), Failure>) {
        if let Some(tell) = self.waiting.take() {
            let _ = tell.send(done.clone());
        }
        self.over.cancel();
        let _ = tokio::time::timeout(LAST_PAGE, &mut self.serving).await;
    }
}

impl Drop for CallbackServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn visit(State(door): State<CallbackState>, OriginalUri(uri): OriginalUri) -> Response {
    let words = &door.words;
    let page = |status, (title, body): &(String, String)| page(status, words.language, title, body);
    let Some(returned) = read(&door.redirect, &uri.to_string(), &door.state) else {
        return page(StatusCode::BAD_REQUEST, &words.unknown);
    };
    let (tell, told) = oneshot::channel();
    if door.visits.send((returned, tell)).await.is_err() {
        return page(StatusCode::GONE, &words.over);
    }
    match told.await {
        Ok(Ok(())) => page(StatusCode::OK, &words.done),
        Ok(Err(failure)) => page(StatusCode::OK, &(words.failed.clone(), (words.why)(&failure))),
        Err(_) => page(StatusCode::GONE, &words.over),
    }
}

/// What an address says that the browser came back with; none where it is not of this sign-in. Only the part behind `?`
/// counts of an address that was pasted.
pub(super) fn read(redirect: &str, address: &str, state: &str) -> Option<Result<Returned, Failure>> {
    // As terminals paste it, and as people quote it.
    let address = address.trim().trim_start_matches("\u{1b}[200~").trim_end_matches("\u{1b}[201~");
    let address = address.trim_matches(|c: char| c.is_whitespace() || "\"'<>".contains(c));
    let query = address.split_once('?').map_or(address, |(_, query)| query);
    let url = Url::parse(&format!("{redirect}?{query}")).ok()?;
    let value = |wanted: &str| url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned());
    if state.is_empty() || value("state").as_deref() != Some(state) {
        return None;
    }
    if let Some(error) = value("error") {
        let said = value("error_description").unwrap_or_default();
        return Some(Err(match error.as_str() {
            "access_denied" if said.trim().is_empty() => Failure::because(SignInCause::Declined),
            "access_denied" => Failure::because(SignInCause::DeclinedSaying { said: short(said.trim()) }),
            other => Failure::because(SignInCause::Refused { said: short(format!("{other} {said}").trim()) }),
        }));
    }
    let Some(code) = value("code") else { return Some(Err(Failure::because(SignInCause::NoCode))) };
    Some(Ok(Returned { code, state: state.to_owned(), issuer: value("iss") }))
}

fn page(status: StatusCode, language: &str, title: &str, body: &str) -> Response {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let html = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>Nexi</title><meta name=\"viewport\" content=\"width=device-width\">\
         <style>:root{{color-scheme:light dark}}body{{font:16px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em}}h1{{font-size:1.4em}}</style>\
         <h1>{}</h1><p>{}</p></html>",
        escaped(title),
        escaped(body)
    );
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    let headers =
        [(header::CONTENT_SECURITY_POLICY, policy), (header::CACHE_CONTROL, "no-store"), (header::REFERRER_POLICY, "no-referrer")];
    (status, headers, Html(html)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_belongs_to_the_sign_in_counts() {
        let redirect = "http://127.0.0.1:4000/callback";
        let found = read(redirect, "/callback?code=a%2Fb&state=s1&iss=https%3A%2F%2Fid.example.org", "s1").unwrap().unwrap();
        assert_eq!((found.code.as_str(), found.issuer.as_deref()), ("a/b", Some("https://id.example.org")));
        assert!(read(redirect, " http://127.0.0.1:4000/callback?state=s1&code=c ", "s1").unwrap().is_ok());
        for foreign in ["/callback?code=a", "/callback?code=a&state=s2", "/callback", "/callback?code=a&state=s12", ""] {
            assert!(read(redirect, foreign, "s1").is_none(), "{foreign}");
        }
        for pasted in [
            "\"http://127.0.0.1:4000/callback?state=s1&code=c\"",
            "<http://127.0.0.1:4000/callback?code=c&state=s1>",
            "\u{1b}[200~http://x/?code=c&state=s1\u{1b}[201~",
        ] {
            assert_eq!(read(redirect, pasted, "s1").unwrap().unwrap().code, "c", "{pasted}");
        }
        assert!(read(redirect, "/callback?code=a&state=", "").is_none());
        let refused = |query: &str| read(redirect, query, "s1").unwrap().map(drop).unwrap_err().message;
        assert_eq!(refused("?error=access_denied&state=s1"), "the sign-in was declined");
        assert!(refused("?error=access_denied&error_description=Ask%20your%20admin&state=s1").ends_with("declined: Ask your admin"));
        assert!(refused("/callback?state=s1").contains("without a code"));
        assert!(refused("?error=server_error&error_description=Try%20later&state=s1").contains("server_error Try later"));
    }
}

//! The server over HTTP: who may come in.

mod sessions;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::{conn::auto, graceful::GracefulShutdown};
use hyper_util::service::TowerToHyperService;
use nexi_messages::say;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::Server;
use crate::args::{Http, Usage};
use crate::output::note;
use crate::start::{self, Interrupts};
use sessions::SessionLimiter;

/// How long connections may take to end when the server does.
const CLOSING_WAIT: Duration = Duration::from_secs(3);
/// Letters that a token must have at least.
const SHORTEST: usize = 16;
/// Bytes of a file with a token.
const MAX_TOKEN: u64 = 4096;
/// Bytes of a request.
pub(super) const MAX_REQUEST: usize = 1024 * 1024;
/// How long a client may take to send its headers.
const HEADERS: Duration = Duration::from_secs(10);
/// Connections at the same time.
const CONNECTIONS: usize = 256;
const PATH: &str = "/mcp";
const VARIABLE: &str = "NEXI_MCP_TOKEN";

/// Who may come in.
struct AccessPolicy {
    token: String,
    /// Names in `Host` and `Origin`, without ports.
    hosts: Vec<String>,
    sessions: SessionLimiter,
}

/// Serves until Ctrl+C is pressed.
pub async fn serve(server: Server, wanted: &Http) -> Result<()> {
    let address = wanted.http.context("an address")?;
    let (token, is_new) = token(wanted)?;
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .map_err(|error| Usage(say!("nexi-mcp-cannot-listen", address = address.to_string(), why = error.to_string())))?;
    let address = listener.local_addr()?;
    let ending = CancellationToken::new();
    // A research may be silent for long; who is idle is told at the door, where requests are counted.
    let mut local = LocalSessionManager::default();
    local.session_config.keep_alive = None;
    let sessions = Arc::new(local);
    // Host and Origin are checked at the door, with the token.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MAX_REQUEST)
        .with_cancellation_token(ending.child_token());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions.clone(), config);
    let policy = AccessPolicy { token: token.clone(), hosts: hosts(address, &wanted.allow_host), sessions: SessionLimiter::new(sessions) };
    let app = Router::new().route_service(PATH, service).layer(from_fn_with_state(Arc::new(policy), authorize));
    // Before anybody knows that it runs: from then on it may be interrupted.
    let mut interrupts = Interrupts::new()?;
    note(&say!("nexi-mcp-serving", address = format!("http://{address}{PATH}")));
    if is_new {
        note(&say!("nexi-mcp-header", header = format!("Authorization: Bearer {token}")));
    }
    if !address.ip().is_loopback() {
        start::warn(&say!("nexi-mcp-open", address = address.to_string()));
    }
    let mut serving = std::pin::pin!(take_in(listener, app, ending.clone()));
    tokio::select! {
        () = &mut serving => return Ok(()),
        () = interrupts.next() => ending.cancel(),
    }
    // Connections that say nothing are not waited for.
    tokio::select! {
        _ = &mut serving => {}
        () = tokio::time::sleep(CLOSING_WAIT) => {}
        () = interrupts.next() => {}
    }
    Ok(())
}

/// Takes connections in until the server ends. Each has to say what it wants within [`HEADERS`], and only so many are
/// taken in at the same time.
async fn take_in(listener: tokio::net::TcpListener, app: Router, ending: CancellationToken) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    loop {
        let taken = tokio::select! {
            () = ending.cancelled() => break,
            taken = async { (places.clone().acquire_owned().await, listener.accept().await) } => taken,
        };
        let (Ok(place), Ok((stream, _))) = taken else {
            // Too many open files, most often: others have to end first.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        // HTTP/2 has no time limit for silent clients, and neither has the detection of the version.
        let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
        builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS);
        let service = TowerToHyperService::new(app.clone());
        let watcher = graceful.watcher();
        tokio::spawn(async move {
            let _place = place;
            // The limit for headers begins with their first byte.
            if !matches!(tokio::time::timeout(HEADERS, stream.peek(&mut [0])).await, Ok(Ok(1))) {
                return;
            }
            let connection = watcher.watch(builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned());
            if let Err(error) = connection.await {
                tracing::debug!(error, "a connection ended");
            }
        });
    }
    graceful.shutdown().await;
}

/// The token that clients have to send, and whether it was made just now.
fn token(wanted: &Http) -> Result<(String, bool)> {
    let given = match &wanted.token_file {
        Some(file) => Some((start::file(file, MAX_TOKEN)?, file.display().to_string())),
        None => std::env::var(VARIABLE).ok().map(|token| (token, VARIABLE.to_owned())),
    };
    let Some((token, place)) = given else {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).with_context(|| say!("nexi-mcp-no-random"))?;
        return Ok((bytes.iter().map(|byte| format!("{byte:02x}")).collect(), true));
    };
    let token = token.trim().to_owned();
    if token.len() < SHORTEST || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Usage(say!("nexi-mcp-bad-token", place = place, shortest = SHORTEST)).into());
    }
    Ok((token, false))
}

/// The names under which clients reach this address.
fn hosts(address: SocketAddr, more: &[String]) -> Vec<String> {
    let mut hosts: Vec<String> = more.iter().map(|host| host.trim().to_ascii_lowercase()).collect();
    match address.ip() {
        ip if ip.is_loopback() || ip.is_unspecified() => hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned)),
        IpAddr::V4(ip) => hosts.push(ip.to_string()),
        IpAddr::V6(ip) => hosts.push(format!("[{ip}]")),
    }
    hosts
}

/// A page in a browser must not reach us by another name, and nobody without the token.
async fn authorize(State(policy): State<Arc<AccessPolicy>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !policy.knows_host(request.uri().authority().map(axum::http::uri::Authority::as_str), headers) {
        return refuse(StatusCode::FORBIDDEN, "This host name is not allowed; see nexi mcp --allow-host.");
    }
    if !policy.knows_origin(headers) {
        return refuse(StatusCode::FORBIDDEN, "This origin is not allowed.");
    }
    if !policy.knows_token(headers) {
        let mut refused = refuse(StatusCode::UNAUTHORIZED, "The token is missing or wrong: Authorization: Bearer TOKEN.");
        refused.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer realm=\"nexi\""));
        return refused;
    }
    policy.sessions.admit(request, next).await
}

impl AccessPolicy {
    fn knows_host(&self, authority: Option<&str>, headers: &HeaderMap) -> bool {
        let mut named = headers.get_all(header::HOST).iter();
        let host = match (named.next(), named.next()) {
            (Some(host), None) => host.to_str().ok(),
            // HTTP/2 names the host elsewhere.
            (None, None) => authority,
            _ => None,
        };
        host.is_some_and(|host| self.hosts.iter().any(|known| *known == without_port(host)))
    }

    /// Programs send none; a browser always does.
    fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => true,
            (Some(origin), None) => {
                let host =
                    origin.to_str().ok().and_then(|origin| Url::parse(origin).ok()).and_then(|url| url.host_str().map(str::to_owned));
                host.is_some_and(|host| self.hosts.contains(&host))
            }
            _ => false,
        }
    }

    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
        });
        sent.is_some_and(|sent| sent.as_bytes().ct_eq(self.token.as_bytes()).into())
    }
}

fn without_port(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && (!name.contains(':') || name.ends_with(']')) => name,
        _ => host,
    };
    name.to_ascii_lowercase()
}

pub(super) fn refuse(status: StatusCode, why: &'static str) -> Response {
    (status, why).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart_from_ports() {
        let all = [("LOCALHOST:80", "localhost"), ("127.0.0.1", "127.0.0.1"), ("[::1]:9", "[::1]"), ("[::1]", "[::1]"), ("::1", "::1")];
        for (host, wanted) in all {
            assert_eq!(without_port(host), wanted);
        }
    }

    #[test]
    fn only_our_names_and_the_token_are_let_in() {
        let policy = AccessPolicy {
            token: "0123456789abcdef".into(),
            hosts: hosts("127.0.0.1:8".parse().unwrap(), &["Nexi.lan".into()]),
            sessions: SessionLimiter::new(Arc::default()),
        };
        let headers = |list: &[(header::HeaderName, &str)]| -> HeaderMap {
            list.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
        };
        for (host, known) in [("127.0.0.1:8", true), ("nexi.lan", true), ("evil.example", false), ("localhost.evil.example", false)] {
            assert_eq!(policy.knows_host(None, &headers(&[(header::HOST, host)])), known, "{host}");
            assert_eq!(policy.knows_origin(&headers(&[(header::ORIGIN, &format!("http://{host}"))])), known, "{host}");
        }
        assert!(!policy.knows_host(None, &HeaderMap::new()) && policy.knows_origin(&HeaderMap::new()));
        assert!(!policy.knows_origin(&headers(&[(header::ORIGIN, "null")])));
        for (sent, known) in
            [("Bearer 0123456789abcdef", true), ("bearer 0123456789abcdef", true), ("Bearer 0123", false), ("0123456789abcdef", false)]
        {
            assert_eq!(policy.knows_token(&headers(&[(header::AUTHORIZATION, sent)])), known, "{sent}");
        }
    }
}

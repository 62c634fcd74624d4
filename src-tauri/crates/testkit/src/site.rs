//! Web pages and search services on loopback.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::serve::ListenerExt;
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Serves an app on a free port of the loopback interface until the process ends.
pub(crate) async fn serve(app: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free loopback port");
    let address = listener.local_addr().expect("a bound port");
    tokio::spawn(async move {
        // Small pieces leave at once, as they do from every real server.
        let listener = listener.tap_io(|socket| drop(socket.set_nodelay(true)));
        let _ = axum::serve(listener, app).await;
    });
    address
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pages by path, counted as they are asked for. A page can be held back until it is released.
#[derive(Clone)]
pub struct Site {
    /// `127.0.0.1:port`, for `network.allowed_private_hosts`.
    pub host: String,
    inner: Arc<SiteInner>,
}

struct SiteInner {
    pages: BTreeMap<String, String>,
    asked: Mutex<BTreeMap<String, usize>>,
    held: Mutex<Vec<String>>,
    delay: Mutex<Duration>,
    released: Notify,
    busy: Mutex<(usize, usize)>,
    agents: Mutex<Vec<String>>,
    targets: Mutex<Vec<String>>,
}

impl Site {
    /// Starts a site with these pages: path and HTML.
    pub async fn start(pages: &[(&str, &str)]) -> Self {
        let inner = Arc::new(SiteInner {
            pages: pages.iter().map(|(path, html)| ((*path).to_owned(), (*html).to_owned())).collect(),
            asked: Mutex::default(),
            held: Mutex::default(),
            delay: Mutex::default(),
            released: Notify::new(),
            busy: Mutex::default(),
            agents: Mutex::default(),
            targets: Mutex::default(),
        });
        let app = Router::new().fallback(any(page)).with_state(inner.clone());
        Self { host: serve(app).await.to_string(), inner }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// How often a path was asked for.
    pub fn asked(&self, path: &str) -> usize {
        lock(&self.inner.asked).get(path).copied().unwrap_or(0)
    }

    /// How often anything at all was asked for.
    pub fn asked_in_all(&self) -> usize {
        lock(&self.inner.asked).values().sum()
    }

    /// Paths with their queries, in the order in which they were asked for.
    pub fn targets(&self) -> Vec<String> {
        lock(&self.inner.targets).clone()
    }

    /// The most pages that were being asked for at one moment.
    pub fn most_at_once(&self) -> usize {
        lock(&self.inner.busy).1
    }

    /// By what names it was asked, each once.
    pub fn agents(&self) -> Vec<String> {
        lock(&self.inner.agents).clone()
    }

    /// Waits so long before every page; what robots may do is said at once.
    pub fn set_delay(&self, delay: Duration) {
        *lock(&self.inner.delay) = delay;
    }

    /// Keeps whoever asks for this path waiting, too.
    pub fn hold(&self, path: &str) {
        lock(&self.inner.held).push(path.to_owned());
    }

    /// Lets all held pages go.
    pub fn release(&self) {
        lock(&self.inner.held).clear();
        self.inner.released.notify_waiters();
    }
}

async fn page(State(site): State<Arc<SiteInner>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    *lock(&site.asked).entry(path.clone()).or_default() += 1;
    lock(&site.targets).push(request.uri().to_string());
    let agent = request.headers().get("user-agent").and_then(|agent| agent.to_str().ok()).unwrap_or_default().to_owned();
    {
        let mut agents = lock(&site.agents);
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    let _busy = Busy::begin(&site);
    let delay = *lock(&site.delay);
    if path != "/robots.txt" {
        tokio::time::sleep(delay).await;
    }
    loop {
        let released = site.released.notified();
        if !lock(&site.held).contains(&path) {
            break;
        }
        released.await;
    }
    if let Some(target) = path.strip_prefix("/reader/") {
        return read_for(&site, target);
    }
    match site.pages.get(&path) {
        Some(html) => {
            let etag = format!("\"{:x}\"", html.bytes().fold(7u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())));
            if request.headers().get("if-none-match").and_then(|value| value.to_str().ok()) == Some(&etag) {
                return (StatusCode::NOT_MODIFIED, [("etag", etag)]).into_response();
            }
            ([("content-type", "text/html; charset=utf-8"), ("etag", &etag)], html.clone()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "no such page").into_response(),
    }
}

/// Counts a request for as long as it is being answered.
struct Busy<'a>(&'a SiteInner);

impl<'a> Busy<'a> {
    fn begin(site: &'a SiteInner) -> Self {
        let mut busy = lock(&site.busy);
        busy.0 += 1;
        busy.1 = busy.1.max(busy.0);
        Self(site)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        lock(&self.0.busy).0 -= 1;
    }
}

/// What Jina's reader replies for one of the site's own pages.
fn read_for(site: &SiteInner, target: &str) -> Response {
    let path = target.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| rest[at..].to_owned())).unwrap_or_default();
    let Some(html) = site.pages.get(&path) else {
        return (StatusCode::UNPROCESSABLE_ENTITY, axum::Json(json!({"code": 422, "message": "no such page"}))).into_response();
    };
    let text: Vec<&str> =
        html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).filter(|text| !text.is_empty()).collect();
    axum::Json(json!({"code": 200, "status": 20000, "data": {"title": path, "url": target, "content": text.join("\n\n")}})).into_response()
}

/// A SearXNG instance and a MediaWiki at once, that find the same results for every query.
#[derive(Clone)]
pub struct SearchServer {
    /// Of the instance, without a trailing slash.
    pub base_url: String,
    inner: Arc<SearchInner>,
}

struct SearchInner {
    results: Vec<(String, String, String)>,
    /// Only results that have words of the query, best first.
    ranking: bool,
    status: u16,
    queries: Mutex<Vec<String>>,
    ranges: Mutex<Vec<Option<String>>>,
    delay: Mutex<Duration>,
    problems: Mutex<Vec<String>>,
}

impl SearchServer {
    /// Starts a server with these results (title, address, snippet) and this HTTP status.
    pub async fn start(status: u16, results: &[(&str, &str, &str)]) -> Self {
        Self::with(status, results, false).await
    }

    /// Starts a server that finds those of these results that have words of the query, best first.
    pub async fn ranking(results: &[(&str, &str, &str)]) -> Self {
        Self::with(200, results, true).await
    }

    async fn with(status: u16, results: &[(&str, &str, &str)], ranking: bool) -> Self {
        let inner = Arc::new(SearchInner {
            results: results.iter().map(|(title, url, snippet)| ((*title).to_owned(), (*url).to_owned(), (*snippet).to_owned())).collect(),
            ranking,
            status,
            queries: Mutex::default(),
            ranges: Mutex::default(),
            delay: Mutex::default(),
            problems: Mutex::default(),
        });
        let app = Router::new()
            .route("/healthz", get(|| async { "OK" }))
            .route("/search", get(searxng))
            .route("/w/api.php", get(wikipedia))
            .with_state(inner.clone());
        Self { base_url: format!("http://{}", serve(app).await), inner }
    }

    /// All queries so far.
    pub fn queries(&self) -> Vec<String> {
        lock(&self.inner.queries).clone()
    }

    /// Waits so long before every reply.
    pub fn set_delay(&self, delay: Duration) {
        *lock(&self.inner.delay) = delay;
    }

    /// The time filters of all queries to the instance so far.
    pub fn ranges(&self) -> Vec<Option<String>> {
        lock(&self.inner.ranges).clone()
    }

    /// Everything that was wrong with the requests.
    pub fn problems(&self) -> Vec<String> {
        lock(&self.inner.problems).clone()
    }
}

type Parameters = Query<BTreeMap<String, String>>;

fn note(server: &SearchInner, parameters: &BTreeMap<String, String>, query: &str, fixed: &[(&str, &str)]) {
    match parameters.get(query) {
        Some(text) if !text.is_empty() => lock(&server.queries).push(text.clone()),
        _ => lock(&server.problems).push(format!("no {query}")),
    }
    for (name, value) in fixed {
        if parameters.get(*name).map(String::as_str) != Some(value) {
            lock(&server.problems).push(format!("{name} is not {value}"));
        }
    }
}

async fn searxng(State(server): State<Arc<SearchInner>>, Query(parameters): Parameters) -> Response {
    if !parameters.contains_key("q") {
        // No query: an instance says so, in the form that was asked for if it offers that.
        return (StatusCode::BAD_REQUEST, axum::Json(json!({"error": "No query"}))).into_response();
    }
    note(&server, &parameters, "q", &[("format", "json")]);
    lock(&server.ranges).push(parameters.get("time_range").cloned());
    let delay = *lock(&server.delay);
    tokio::time::sleep(delay).await;
    let results: Vec<Value> = chosen(&server, parameters.get("q").map_or("", String::as_str))
        .into_iter()
        .map(|(title, url, snippet)| json!({"title": title, "url": url, "content": snippet, "engine": "test", "publishedDate": "2026-03-14T00:00:00"}))
        .collect();
    let status = StatusCode::from_u16(server.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, axum::Json(json!({"query": parameters.get("q"), "results": results, "unresponsive_engines": []}))).into_response()
}

fn chosen<'a>(server: &'a SearchInner, query: &str) -> Vec<&'a (String, String, String)> {
    if !server.ranking {
        return server.results.iter().collect();
    }
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).filter(|word| word.len() > 2).collect();
    let score = |text: &str, weight: usize| {
        let text = text.to_lowercase();
        words.iter().filter(|word| text.contains(*word)).count() * weight
    };
    let mut scored: Vec<(usize, &(String, String, String))> =
        server.results.iter().map(|result| (score(&result.0, 3) + score(&result.2, 1), result)).filter(|(score, _)| *score > 0).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().take(10).map(|(_, result)| result).collect()
}

async fn wikipedia(State(server): State<Arc<SearchInner>>, Query(parameters): Parameters) -> Response {
    note(&server, &parameters, "srsearch", &[("action", "query"), ("list", "search"), ("format", "json")]);
    let results: Vec<Value> =
        server.results.iter().map(|(title, _, snippet)| json!({"title": title, "snippet": snippet, "pageid": 1})).collect();
    axum::Json(json!({"query": {"search": results}})).into_response()
}

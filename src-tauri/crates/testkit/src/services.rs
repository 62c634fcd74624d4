//! Search and reader services, each below a path of its own name, in their own wire formats. Every
//! request is checked for what the service would insist on.

mod feeds;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::{Value, json};

use crate::site::{lock, serve};

/// How a service behaves.
#[derive(Debug, Clone)]
pub enum Mood {
    Fine,
    /// It finds nothing.
    Empty,
    /// This status with these headers and this body, so many times, then it is fine.
    Status(u16, Vec<(&'static str, &'static str)>, &'static str, usize),
    /// Only this key is good.
    OnlyKey(&'static str),
}

/// What a service was asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Behind the service's name.
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub headers: BTreeMap<String, String>,
    /// Null where there was none.
    pub body: Value,
}

/// All services on one port.
#[derive(Clone)]
pub struct Services {
    origin: String,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    moods: Mutex<BTreeMap<String, Mood>>,
    asked: Mutex<Vec<(String, Asked)>>,
    problems: Mutex<Vec<String>>,
    /// Requests that are being answered, and the most of them at once, by service.
    busy: Mutex<BTreeMap<String, (usize, usize)>>,
}

impl Services {
    /// Starts them; all take `key` as their key.
    pub async fn start() -> Self {
        let inner = Arc::new(Inner::default());
        let app = Router::new().fallback(any(answer)).with_state(inner.clone());
        Self { origin: format!("http://{}", serve(app).await), inner }
    }

    /// The address of a service.
    pub fn base(&self, service: &str) -> String {
        format!("{}/{service}", self.origin)
    }

    /// From now on a service behaves so.
    pub fn set(&self, service: &str, mood: Mood) {
        lock(&self.inner.moods).insert(service.to_owned(), mood);
    }

    /// What a service was asked so far.
    pub fn asked(&self, service: &str) -> Vec<Asked> {
        lock(&self.inner.asked).iter().filter(|(name, _)| name == service).map(|(_, asked)| asked.clone()).collect()
    }

    /// Everything that was wrong with the requests.
    pub fn problems(&self) -> Vec<String> {
        lock(&self.inner.problems).clone()
    }

    /// The most requests that a service had to answer at the same time.
    pub fn most_at_once(&self, service: &str) -> usize {
        lock(&self.inner.busy).get(service).map_or(0, |(_, most)| *most)
    }
}

/// Counts who is being answered, long enough for those who do not wait their turn to be seen.
async fn answer(State(services): State<Arc<Inner>>, request: Request) -> Response {
    let service = request.uri().path().trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
    {
        let mut busy = lock(&services.busy);
        let (now, most) = busy.entry(service.clone()).or_default();
        *now += 1;
        *most = (*most).max(*now);
    }
    tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    let reply = reply(State(services.clone()), request).await;
    if let Some((now, _)) = lock(&services.busy).get_mut(&service) {
        *now -= 1;
    }
    reply
}

async fn reply(State(services): State<Arc<Inner>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap_or_default();
    let (service, path) = parts.uri.path().trim_start_matches('/').split_once('/').unwrap_or(("", ""));
    // A page's address in the path brings its own query.
    let more = parts.uri.query().filter(|_| path.starts_with("http")).map(|query| format!("?{query}")).unwrap_or_default();
    let (service, path) = (service.to_owned(), format!("/{path}{more}"));
    let query = form(parts.uri.query().unwrap_or_default());
    let sent = serde_json::from_slice(&body)
        .unwrap_or_else(|_| if body.is_empty() { Value::Null } else { json!(form(&String::from_utf8_lossy(&body))) });
    let headers = parts.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned())).collect();
    let asked = Asked { path, query, headers, body: sent };
    lock(&services.asked).push((service.clone(), asked.clone()));
    let mood = {
        let mut moods = lock(&services.moods);
        match moods.get_mut(&service) {
            Some(Mood::Status(_, _, _, 0)) | None => Mood::Fine,
            Some(mood) => {
                let now = mood.clone();
                if let Mood::Status(_, _, _, left) = mood {
                    *left -= 1;
                }
                now
            }
        }
    };
    if let Mood::Status(status, headers, body, _) = &mood {
        let mut response = (StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), *body).into_response();
        for (name, value) in headers {
            response.headers_mut().insert(*name, value.parse().expect("a header value"));
        }
        return response;
    }
    let good = if let Mood::OnlyKey(key) = &mood { key } else { "key" };
    if key(&service, &asked).is_some_and(|key| key != good) {
        return (StatusCode::UNAUTHORIZED, axum::Json(json!({"error": "invalid api key"}))).into_response();
    }
    let mut check = Check { service: &service, method: &parts.method, asked: &asked, problems: Vec::new() };
    let reply = check.reply(matches!(mood, Mood::Empty));
    lock(&services.problems).extend(check.problems);
    // Stack Exchange packs everything it sends.
    reply
}

fn form(text: &str) -> BTreeMap<String, String> {
    text.split('&')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            (decode(name), decode(value))
        })
        .collect()
}

fn decode(text: &str) -> String {
    let mut out = Vec::new();
    let bytes = text.replace('+', " ").into_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match hex.filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The key of a request, where the service wants it; none where it wants none.
fn key(service: &str, asked: &Asked) -> Option<String> {
    let header = |name: &str| asked.headers.get(name).cloned().unwrap_or_default();
    Some(match service {
        "brave" => header("x-subscription-token"),
        "serper" | "exa" => header("x-api-key"),
        "serpapi" => asked.query.get("api_key").cloned().unwrap_or_default(),
        "google" => asked.query.get("key").cloned().unwrap_or_default(),
        "jina" | "tavily" | "firecrawl" | "linkup" | "perplexity" | "json" => {
            header("authorization").trim_start_matches("Bearer ").to_owned()
        }
        _ => return None,
    })
}

struct Check<'a> {
    service: &'a str,
    method: &'a Method,
    asked: &'a Asked,
    problems: Vec<String>,
}

impl Check<'_> {
    fn must(&mut self, right: bool, what: &str) {
        if !right {
            self.problems.push(format!("{}: {what}: {:?}", self.service, self.asked));
        }
    }

    fn is(&mut self, method: Method, path: &str) {
        self.must(*self.method == method && self.asked.path == path, &format!("wants {method} {path}"));
    }

    fn text(&mut self, name: &str) {
        self.must(self.asked.body[name].as_str().is_some_and(|text| !text.is_empty()), &format!("wants {name}"));
    }

    fn number(&mut self, name: &str, most: u64) {
        self.must(self.asked.body[name].as_u64().is_some_and(|number| (1..=most).contains(&number)), &format!("wants {name} up to {most}"));
    }

    fn parameter(&mut self, name: &str) {
        self.must(self.asked.query.get(name).is_some_and(|text| !text.is_empty()), &format!("wants the parameter {name}"));
    }

    fn reply(&mut self, empty: bool) -> Response {
        let body = self.asked.body.clone();
        let path = self.asked.path.clone();
        let list = |items: Value| if empty { json!([]) } else { items };
        let value = match self.service {
            "brave" => {
                self.is(Method::GET, "/res/v1/web/search");
                self.parameter("q");
                self.parameter("count");
                json!({"type": "search", "web": {"results": list(json!([
                    {"title": "The <strong>Bridge</strong>", "url": "https://e.org/a", "description": "It opened in <strong>1931</strong>.", "age": "May 17, 2024", "page_age": "2024-05-17T10:00:00"}
                ]))}})
            }
            "tavily" if path == "/extract" => {
                self.is(Method::POST, "/extract");
                self.must(body["urls"][0].as_str().is_some_and(|url| url.starts_with("http")), "wants urls");
                if empty {
                    json!({"results": [], "failed_results": [{"url": body["urls"][0], "error": "Failed to fetch url"}]})
                } else {
                    json!({"results": [{"url": body["urls"][0], "raw_content": "# The bridge\n\nIt opened in 1931."}], "failed_results": []})
                }
            }
            "tavily" => {
                self.is(Method::POST, "/search");
                self.text("query");
                self.number("max_results", 20);
                json!({"query": body["query"], "results": list(json!([
                    {"title": "The Bridge", "url": "https://e.org/a", "content": "It opened in 1931.", "score": 0.9, "published_date": "2024-05-17"}
                ]))})
            }
            "serper" => {
                self.is(Method::POST, "/search");
                self.text("q");
                self.number("num", 100);
                json!({"searchParameters": {"q": body["q"]}, "organic": list(json!([
                    {"title": "The Bridge", "link": "https://e.org/a", "snippet": "It opened in 1931.", "date": "May 17, 2024", "position": 1}
                ]))})
            }
            "serpapi" => {
                self.is(Method::GET, "/search.json");
                self.must(self.asked.query.get("engine").is_some_and(|engine| engine == "google"), "wants engine=google");
                self.parameter("q");
                if empty {
                    json!({"error": "Google hasn't returned any results for this query."})
                } else {
                    json!({"organic_results": [{"position": 1, "title": "The Bridge", "link": "https://e.org/a", "snippet": "It opened in 1931.", "date": "May 17, 2024"}]})
                }
            }
            "exa" if path == "/contents" => {
                self.is(Method::POST, "/contents");
                self.must(body["urls"][0].is_string() && body["text"] == json!(true), "wants urls and text");
                json!({"results": list(json!([{"url": body["urls"][0], "title": "The bridge", "text": "It opened in 1931.", "publishedDate": "2024-05-17T00:00:00.000Z", "author": "Ann Lee"}]))})
            }
            "exa" => {
                self.is(Method::POST, "/search");
                self.text("query");
                self.number("numResults", 100);
                self.must(body["contents"].is_object(), "wants contents");
                json!({"results": list(json!([
                    {"title": "The Bridge", "url": "https://e.org/a", "publishedDate": "2024-05-17T00:00:00.000Z", "highlights": ["It opened", "in 1931."]}
                ]))})
            }
            "firecrawl" if path == "/v2/scrape" => {
                self.is(Method::POST, "/v2/scrape");
                self.text("url");
                self.must(body["formats"] == json!(["markdown"]) && body["onlyMainContent"] == json!(true), "wants formats");
                json!({"success": true, "data": {"markdown": if empty { "" } else { "# The bridge\n\nIt opened in 1931." }, "metadata": {"title": "The bridge", "url": body["url"]}}})
            }
            "firecrawl" => {
                self.is(Method::POST, "/v2/search");
                self.text("query");
                self.number("limit", 100);
                json!({"success": true, "data": {"web": list(json!([{"title": "The Bridge", "url": "https://e.org/a", "description": "It opened in 1931."}]))}})
            }
            "linkup" if path == "/v1/fetch" => {
                self.is(Method::POST, "/v1/fetch");
                self.text("url");
                json!({"markdown": if empty { "" } else { "# The bridge\n\nIt opened in 1931." }})
            }
            "linkup" => {
                self.is(Method::POST, "/v1/search");
                self.text("q");
                self.must(body["outputType"] == json!("searchResults") && body["depth"].is_string(), "wants outputType and depth");
                json!({"results": list(json!([{"type": "text", "name": "The Bridge", "url": "https://e.org/a", "content": "It opened in 1931."}]))})
            }
            "perplexity" => {
                self.is(Method::POST, "/search");
                self.text("query");
                self.number("max_results", 20);
                json!({"id": "x", "results": list(json!([{"title": "The Bridge", "url": "https://e.org/a", "snippet": "It opened in 1931.", "date": "2024-05-17"}]))})
            }
            "google" => {
                self.is(Method::GET, "/customsearch/v1");
                self.parameter("q");
                self.parameter("cx");
                let num = self.asked.query.get("num").and_then(|num| num.parse::<u32>().ok());
                self.must(num.is_some_and(|num| (1..=10).contains(&num)), "wants num up to 10");
                if empty {
                    json!({"searchInformation": {"totalResults": "0"}})
                } else {
                    json!({"items": [{"title": "The Bridge", "link": "https://e.org/a", "snippet": "It opened in 1931."}]})
                }
            }
            "stackexchange" => {
                self.is(Method::GET, "/2.3/search/advanced");
                self.parameter("q");
                self.parameter("site");
                self.must(self.asked.query.get("filter").is_some_and(|filter| filter == "withbody"), "wants filter=withbody");
                self.must(self.asked.headers.get("accept-encoding").is_some_and(|encoding| encoding.contains("gzip")), "packs everything");
                let items = list(
                    json!([{"title": "The &quot;Bridge&quot;", "link": "https://e.org/a", "body": "<p>It opened in 1931.</p>", "last_activity_date": 1715904000}]),
                );
                return packed(&json!({"items": items, "has_more": false, "quota_remaining": 290}));
            }
            "nvd" | "kev" | "github_advisories" | "osv" => return self.feed(path, empty),
            "jina" if path.starts_with("/http") => {
                self.must(self.asked.headers.get("accept").is_some_and(|accept| accept == "application/json"), "wants accept");
                self.must(self.asked.headers.get("x-timeout").is_some_and(|timeout| timeout == "18"), "wants x-timeout");
                json!({"code": 200, "status": 20000, "data": {"title": "The bridge", "url": path.trim_start_matches('/'), "content": if empty { "" } else { "It opened in 1931." }}})
            }
            "jina" => {
                self.is(Method::POST, "/");
                self.text("q");
                self.number("num", 20);
                if empty {
                    let body =
                        json!({"code": 422, "name": "AssertionFailureError", "status": 42206, "message": "No search results available"});
                    return (StatusCode::UNPROCESSABLE_ENTITY, axum::Json(body)).into_response();
                }
                json!({"code": 200, "status": 20000, "data": [{"title": "The Bridge", "url": "https://e.org/a", "description": "It opened in 1931.", "date": "2024-05-17", "usage": {"tokens": 1000}}]})
            }
            "duckduckgo" => {
                self.is(Method::POST, "/html/");
                self.must(body["q"].as_str().is_some_and(|q| !q.is_empty()), "wants the form field q");
                let found = "<div class=\"result results_links\"><h2 class=\"result__title\"><a rel=\"nofollow\" class=\"result__a\" href=\"//duckduckgo.com/l/?uddg=https%3A%2F%2Fe.org%2Fa&amp;rut=x\">The <b>Bridge</b></a></h2><a class=\"result__snippet\" href=\"x\">It opened in <b>1931</b>.</a></div>";
                return (
                    [("content-type", "text/html; charset=UTF-8")],
                    format!("<html><body>{}</body></html>", if empty { "<div class=\"no-results\">No results.</div>" } else { found }),
                )
                    .into_response();
            }
            "json" => {
                self.is(Method::POST, "/find");
                self.must(self.asked.query.get("n").is_some_and(|n| n == "10"), "wants n");
                self.must(body["what"].is_string(), "wants what");
                json!({"data": {"items": list(json!([{"page": {"name": "The Bridge", "links": ["https://e.org/a"]}, "text": "It opened in 1931.", "when": "2024-05-17"}]))}})
            }
            _ => {
                self.must(false, "there is no such service");
                return StatusCode::NOT_FOUND.into_response();
            }
        };
        axum::Json(value).into_response()
    }
}

/// The reply as gzip, whether that was asked for or not.
fn packed(value: &Value) -> Response {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let _ = encoder.write_all(value.to_string().as_bytes());
    let mut headers = HeaderMap::new();
    headers.insert("content-type", "application/json; charset=utf-8".parse().expect("a header value"));
    headers.insert("content-encoding", "gzip".parse().expect("a header value"));
    (headers, encoder.finish().unwrap_or_default()).into_response()
}

//! The guarded client: everything that a model, a page or a search result chose goes through it.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_compression::tokio::bufread::{BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder};
use futures::TryStreamExt;
use nexi_core::{
    ports::{Caching, Cause, Failure, ReadRequest, Validators},
    settings::{Proxy, Route},
    text,
};
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, LOCATION, RETRY_AFTER,
};
use tokio::io::{AsyncRead, AsyncReadExt, BufReader};
use tokio::sync::Semaphore;
use tokio_util::io::StreamReader;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::robots::Robots;
use super::{CONNECT, builder, transport_failure, unusable};
use crate::guard::Guard;

const IDLE: Duration = Duration::from_secs(10);
const TOTAL: Duration = Duration::from_secs(30);
const MAX_WIRE: usize = 2 * 1024 * 1024;
const MAX_DECODED: usize = 8 * 1024 * 1024;
const MAX_REDIRECTS: usize = 5;
/// Connections that one host has to bear at a time.
const PER_HOST: usize = 4;
/// Hosts whose limits are remembered.
const MAX_HOSTS: usize = 2000;

const TYPES: [&str; 15] = [
    "text/",
    "application/xhtml+xml",
    "application/xml",
    "application/json",
    "application/ld+json",
    "application/rss+xml",
    "application/atom+xml",
    "application/x-ndjson",
    "application/pdf",
    "application/javascript",
    "application/toml",
    "application/yaml",
    "application/x-yaml",
    // Servers that know no better; what is inside decides.
    "application/octet-stream",
    "binary/octet-stream",
];

/// Fetches pages, through the guard, politely and within limits. Cheap to clone.
#[derive(Clone)]
pub struct PageClient {
    inner: Arc<Inner>,
}

struct Inner {
    guard: Guard,
    route: Route,
    /// For everything but the next.
    outside: reqwest::Client,
    /// For hosts of the local network that the user trusts: no proxy leads there.
    inside: reqwest::Client,
    hosts: Mutex<HashMap<String, Arc<Semaphore>>>,
    robots: Robots,
}

/// What came back, decompressed but not decoded to text.
#[derive(Debug)]
pub struct Fetched {
    /// Behind redirects.
    pub url: Url,
    /// Lower case, with parameters; empty when the server did not say.
    pub content_type: String,
    pub body: Vec<u8>,
    pub caching: Caching,
}

/// The answer to a conditional request.
#[derive(Debug)]
pub enum Got {
    Page(Fetched),
    /// The copy that the validators belong to is still right.
    Unchanged(Caching),
}

impl PageClient {
    /// # Errors
    /// When TLS cannot be set up, or the proxy or a certificate cannot be used.
    pub fn new(guard: Guard, route: &Route) -> Result<Self, Failure> {
        // The guard is part of the client; one is kept for as long as nobody changes its settings.
        static LAST: Mutex<Option<PageClient>> = Mutex::new(None);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = guard.through(proxy_hosts(&route.proxy));
        if let Some(known) = last.as_ref().filter(|known| known.inner.guard == guard && known.inner.route == *route) {
            return Ok(known.clone());
        }
        let build = |builder: reqwest::ClientBuilder| {
            builder
                .dns_resolver(Arc::new(guard.clone()))
                .connect_timeout(CONNECT)
                .read_timeout(IDLE)
                .timeout(TOTAL)
                .pool_max_idle_per_host(PER_HOST)
                // Decompression happens here, where both sizes are counted.
                .no_gzip()
                .no_brotli()
                .build()
                .map_err(|error| unusable(&error))
        };
        let outside = build(builder(route)?)?;
        // Another one only where another way could be taken.
        let inside = if route.proxy == Proxy::None || !guard.trusts_any() { outside.clone() } else { build(builder(route)?.no_proxy())? };
        let (hosts, robots) = (Mutex::default(), Robots::default());
        let inner = Inner { guard: guard.clone(), route: route.clone(), outside, inside, hosts, robots };
        Ok(last.insert(Self { inner: Arc::new(inner) }).clone())
    }

    /// Fetches a page.
    ///
    /// # Errors
    /// A sentence that says why there is no page: refused by the guard, forbidden to robots where
    /// nobody has asked for it yet, unreachable, too large, of a type that is not text, an HTTP
    /// error, or cancelled.
    pub async fn get(&self, request: &ReadRequest, cancel: &CancellationToken) -> Result<Got, Failure> {
        let work = async { self.follow(request.url.as_str(), &request.validators, request.ahead.as_ref()).await };
        tokio::select! {
            () = cancel.cancelled() => Err(Failure::cancelled()),
            result = tokio::time::timeout(TOTAL, work) => {
                result.unwrap_or_else(|_| Err(Failure::because(Cause::TooSlow { seconds: TOTAL.as_secs() })))
            }
        }
    }

    /// Asks for a site's rules in a task of its own: whoever stops waiting for them leaves them to
    /// the next one.
    fn robots_allow(self, url: Url) -> Pin<Box<dyn Future<Output = Result<(), Failure>> + Send>> {
        Box::pin(async move {
            let asking = tokio::spawn(async move { self.ask_robots(&url).await });
            asking.await.unwrap_or_else(|_| Err(Failure::because(Cause::RobotRules)))
        })
    }

    async fn ask_robots(&self, url: &Url) -> Result<(), Failure> {
        let fetch = async |robots: String| match self.follow(&robots, &Validators::default(), None).await {
            Ok(Got::Page(page)) => Ok(page.body),
            Ok(Got::Unchanged(_)) => Ok(Vec::new()),
            Err(failure) => Err(failure),
        };
        if self.inner.robots.allow(url, fetch).await {
            return Ok(());
        }
        Err(Failure::because(Cause::RobotsForbidden))
    }

    async fn follow(&self, url: &str, validators: &Validators, ahead: Option<&CancellationToken>) -> Result<Got, Failure> {
        let mut url = self.inner.guard.check(url)?;
        for _ in 0..=MAX_REDIRECTS {
            if let Some(asked) = ahead.filter(|asked| !asked.is_cancelled()) {
                tokio::select! {
                    // Somebody asks for it now: what robots may do is no longer the question.
                    () = asked.cancelled() => {}
                    allowed = self.clone().robots_allow(url.clone()) => allowed?,
                }
            }
            let turn = self.host(&url).acquire_owned().await.map_err(|_| Failure::cancelled())?;
            let client = if self.inner.guard.trusts(&url) {
                &self.inner.inside
            } else {
                if self.inner.guard.has_proxies() {
                    self.inner.guard.check_for_others(url.as_str()).await?;
                }
                &self.inner.outside
            };
            let mut request = client
                .get(url.clone())
                .header(ACCEPT, "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.5")
                .header(ACCEPT_ENCODING, "gzip, br, deflate");
            if let Some(etag) = &validators.etag {
                request = request.header(IF_NONE_MATCH, etag);
            }
            if let Some(time) = &validators.last_modified {
                request = request.header(IF_MODIFIED_SINCE, time);
            }
            let response = request.send().await.map_err(|error| transport_failure(&error))?;
            let status = response.status();
            if status.as_u16() == 304 {
                return Ok(Got::Unchanged(caching(response.headers())));
            }
            if status.is_redirection()
                && let Some(target) = response.headers().get(LOCATION).and_then(|value| value.to_str().ok())
            {
                let next = url.join(target).map_err(|_| Failure::because(Cause::BadRedirect))?;
                url = self.inner.guard.check(next.as_str())?;
                continue;
            }
            if !status.is_success() {
                return Err(status_failure(status.as_u16(), response.headers()));
            }
            let fetched = read(url, response).await;
            drop(turn);
            return fetched.map(Got::Page);
        }
        Err(Failure::because(Cause::ManyRedirects))
    }

    /// The connections that may be open to a host at a time.
    fn host(&self, url: &Url) -> Arc<Semaphore> {
        let mut hosts = self.inner.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() > MAX_HOSTS {
            hosts.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        let name = format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default());
        hosts.entry(name).or_insert_with(|| Arc::new(Semaphore::new(PER_HOST))).clone()
    }
}

/// The hosts of the proxies that a route may lead through.
pub(super) fn proxy_hosts(proxy: &Proxy) -> Vec<String> {
    let named: Vec<String> = match proxy {
        Proxy::None => Vec::new(),
        Proxy::Url(url) => vec![url.clone()],
        Proxy::System => ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
            .iter()
            .filter_map(|name| std::env::var(name).ok())
            .collect(),
    };
    let host = |text: &String| {
        let url = Url::parse(text).ok().filter(Url::has_host).or_else(|| Url::parse(&format!("http://{text}")).ok())?;
        url.host_str().map(str::to_ascii_lowercase)
    };
    named.iter().filter_map(host).collect()
}

async fn read(url: Url, response: reqwest::Response) -> Result<Fetched, Failure> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    let content_type = header(CONTENT_TYPE);
    if !content_type.is_empty() && !is_readable(&content_type) {
        let kind = content_type.split(';').next().unwrap_or_default().to_owned();
        return Err(Failure::because(Cause::NotTextBut { kind: text::truncate(&kind, 60) }));
    }
    let too_large = || Failure::because(Cause::TooLarge);
    if response.content_length().is_some_and(|length| length > MAX_WIRE as u64) {
        return Err(too_large());
    }
    let (encoding, caching) = (header(CONTENT_ENCODING), caching(response.headers()));
    let wire = Arc::new(AtomicUsize::new(0));
    let counted = wire.clone();
    let stream = response.bytes_stream().map_err(io::Error::other).and_then(move |chunk| {
        let total = counted.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
        std::future::ready(if total > MAX_WIRE { Err(io::Error::other("too large")) } else { Ok(chunk) })
    });
    let raw = BufReader::new(StreamReader::new(Box::pin(stream)));
    let decoded: Box<dyn AsyncRead + Send + Unpin> = match encoding.trim() {
        "" | "identity" => Box::new(raw),
        "gzip" | "x-gzip" => Box::new(GzipDecoder::new(raw)),
        "br" => Box::new(BrotliDecoder::new(raw)),
        "deflate" => deflate(raw).await?,
        other => return Err(Failure::because(Cause::UnknownPacking { packing: text::truncate(other, 30) })),
    };
    let mut body = Vec::new();
    let read = decoded.take(MAX_DECODED as u64 + 1).read_to_end(&mut body).await;
    if body.len() > MAX_DECODED || wire.load(Ordering::Relaxed) > MAX_WIRE {
        return Err(too_large());
    }
    read.map_err(|_| Failure::because(Cause::BrokeOff))?;
    Ok(Fetched { url, content_type, body, caching })
}

/// Whether a type may hold text.
fn is_readable(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    TYPES.iter().any(|known| kind.starts_with(known))
        || (kind.starts_with("application/") && (kind.ends_with("+json") || kind.ends_with("+xml")))
}

/// `deflate` means zlib, but some servers send the bare stream.
async fn deflate<R>(mut raw: BufReader<R>) -> Result<Box<dyn AsyncRead + Send + Unpin>, Failure>
where
    R: AsyncRead + Send + Unpin + 'static,
{
    use tokio::io::AsyncBufReadExt;
    let broken = |_| Failure::because(Cause::BrokeOff);
    let first = raw.fill_buf().await.map_err(broken)?.first().copied();
    Ok(if first == Some(0x78) { Box::new(ZlibDecoder::new(raw)) } else { Box::new(DeflateDecoder::new(raw)) })
}

/// Whether and how long the server lets us keep a page.
fn caching(headers: &HeaderMap) -> Caching {
    let value = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let control = value(CACHE_CONTROL).unwrap_or_default().to_ascii_lowercase();
    let mut caching =
        Caching { keep: true, max_age: None, validators: Validators { etag: value(ETAG), last_modified: value(LAST_MODIFIED) } };
    for part in control.split(',').map(str::trim) {
        match part.split_once('=').unwrap_or((part, "")) {
            ("no-store", _) => caching.keep = false,
            ("no-cache", _) => caching.max_age = Some(0),
            ("max-age", seconds) if caching.max_age.is_none() => caching.max_age = seconds.trim_matches('"').parse().ok(),
            _ => {}
        }
    }
    caching
}

fn status_failure(status: u16, headers: &HeaderMap) -> Failure {
    let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).and_then(|value| value.trim().parse().ok());
    match status {
        401 | 403 => Failure::because(Cause::LockedOut { status }),
        407 => Failure::because(Cause::ProxySignIn),
        404 | 410 => Failure::because(Cause::NoPage { status }),
        429 => Failure::because(Cause::SlowDown { seconds }),
        500.. => Failure::because(Cause::SiteTrouble { status }),
        _ => Failure::because(Cause::SiteStatus { status }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_say_how_long_pages_keep() {
        let said = |control: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(CACHE_CONTROL, control.parse().unwrap());
            let caching = caching(&headers);
            (caching.keep, caching.max_age)
        };
        assert_eq!(said("public, max-age=600"), (true, Some(600)));
        assert_eq!(said("No-Store"), (false, None));
        assert_eq!(said("no-cache, max-age=600"), (true, Some(0)));
        assert_eq!(said("max-age=soon"), (true, None));
    }
}

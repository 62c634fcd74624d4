//! The two HTTP clients: one guarded, for pages, one for services the user configured. Nothing
//! else in this crate builds a client.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_compression::tokio::bufread::{BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder};
use futures::TryStreamExt;
use nexi_core::{ports::Failure, text};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, LOCATION};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, BufReader};
use tokio_util::io::StreamReader;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::guard::Guard;

/// Who we say we are.
pub const USER_AGENT: &str = concat!("Nexi/", env!("CARGO_PKG_VERSION"), " (desktop research app)");

const CONNECT: Duration = Duration::from_secs(5);
const IDLE: Duration = Duration::from_secs(10);
const TOTAL: Duration = Duration::from_secs(30);
const MAX_WIRE: usize = 2 * 1024 * 1024;
const MAX_DECODED: usize = 8 * 1024 * 1024;
const MAX_REDIRECTS: usize = 5;
const MAX_API_BODY: usize = 8 * 1024 * 1024;

const TYPES: [&str; 8] = [
    "text/",
    "application/xhtml+xml",
    "application/xml",
    "application/json",
    "application/ld+json",
    "application/rss+xml",
    "application/atom+xml",
    "application/x-ndjson",
];

/// Fetches pages, through the guard and within limits.
#[derive(Clone)]
pub struct PageClient {
    guard: Guard,
    http: reqwest::Client,
}

/// What came back, decompressed but not decoded to text.
#[derive(Debug)]
pub struct Fetched {
    /// Behind redirects.
    pub url: Url,
    /// Lower case, with parameters; empty when the server did not say.
    pub content_type: String,
    pub body: Vec<u8>,
}

impl PageClient {
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(guard: Guard) -> Result<Self, Failure> {
        // The guard is part of the client; one is kept for as long as nobody changes its hosts.
        static LAST: Mutex<Option<PageClient>> = Mutex::new(None);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = last.as_ref().filter(|known| known.guard == guard) {
            return Ok(known.clone());
        }
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .dns_resolver(Arc::new(guard.clone()))
            // Each hop of a redirect goes through the guard below.
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(IDLE)
            .timeout(TOTAL)
            // Decompression happens here, where both sizes are counted.
            .no_gzip()
            .no_brotli()
            // A proxy would resolve names instead of the guard.
            .no_proxy()
            .build()
            .map_err(|error| Failure::new(format!("no secure connection can be set up ({error})")))?;
        Ok(last.insert(Self { guard, http }).clone())
    }

    /// Fetches a page.
    ///
    /// # Errors
    /// A sentence that says why there is no page: refused by the guard, unreachable, too large, of
    /// a type that is not text, an HTTP error, or cancelled.
    pub async fn get(&self, url: &str, cancel: &CancellationToken) -> Result<Fetched, Failure> {
        tokio::select! {
            () = cancel.cancelled() => Err(Failure::new("the run was stopped")),
            result = tokio::time::timeout(TOTAL, self.follow(url)) => result.unwrap_or_else(|_| Err(Failure::new("it took longer than 30 s"))),
        }
    }

    async fn follow(&self, url: &str) -> Result<Fetched, Failure> {
        let mut url = self.guard.check(url)?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self
                .http
                .get(url.clone())
                .header(ACCEPT, "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.5")
                .header(ACCEPT_ENCODING, "gzip, br, deflate")
                .send()
                .await
                .map_err(|error| Failure::new(transport_message(&error)))?;
            let status = response.status();
            if status.is_redirection()
                && let Some(target) = response.headers().get(LOCATION).and_then(|value| value.to_str().ok())
            {
                let next = url.join(target).map_err(|_| Failure::new("it redirects to something that is not an address"))?;
                url = self.guard.check(next.as_str())?;
                continue;
            }
            if !status.is_success() {
                return Err(Failure::new(status_message(status.as_u16())));
            }
            return read(url, response).await;
        }
        Err(Failure::new("it redirects more than five times"))
    }
}

async fn read(url: Url, response: reqwest::Response) -> Result<Fetched, Failure> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    let content_type = header(CONTENT_TYPE);
    if !content_type.is_empty() && !TYPES.iter().any(|known| content_type.starts_with(known)) {
        let kind = content_type.split(';').next().unwrap_or_default().to_owned();
        return Err(Failure::new(format!("it is not text but {}", text::truncate(&kind, 60))));
    }
    let too_large = || Failure::new("it is larger than pages may be (2 MiB sent, 8 MiB unpacked)");
    if response.content_length().is_some_and(|length| length > MAX_WIRE as u64) {
        return Err(too_large());
    }
    let encoding = header(CONTENT_ENCODING);
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
        other => return Err(Failure::new(format!("it is packed in a way that is not known ({})", text::truncate(other, 30)))),
    };
    let mut body = Vec::new();
    let read = decoded.take(MAX_DECODED as u64 + 1).read_to_end(&mut body).await;
    if body.len() > MAX_DECODED || wire.load(Ordering::Relaxed) > MAX_WIRE {
        return Err(too_large());
    }
    read.map_err(|_| Failure::new("the connection broke before the page was complete"))?;
    Ok(Fetched { url, content_type, body })
}

/// `deflate` means zlib, but some servers send the bare stream.
async fn deflate<R>(mut raw: BufReader<R>) -> Result<Box<dyn AsyncRead + Send + Unpin>, Failure>
where
    R: AsyncRead + Send + Unpin + 'static,
{
    use tokio::io::AsyncBufReadExt;
    let first = raw.fill_buf().await.map_err(|_| Failure::new("the connection broke before the page was complete"))?.first().copied();
    Ok(if first == Some(0x78) { Box::new(ZlibDecoder::new(raw)) } else { Box::new(DeflateDecoder::new(raw)) })
}

/// Talks to search and reader services that the user configured: local addresses are allowed,
/// redirects are not, because they would carry keys to other hosts.
#[derive(Clone)]
pub struct ApiClient {
    http: reqwest::Client,
    timeout: Duration,
}

/// The reply of a service.
#[derive(Debug)]
pub struct ApiReply {
    pub status: u16,
    pub content_type: String,
    /// Seconds, where the service asked for a pause.
    pub retry_after: Option<u64>,
    pub body: String,
}

impl ApiClient {
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(timeout: Duration) -> Result<Self, Failure> {
        // Made once: setting up TLS reads all certificates of the system.
        static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
        let http = match CLIENT.get() {
            Some(client) => client.clone(),
            None => {
                let client = reqwest::Client::builder()
                    .user_agent(USER_AGENT)
                    .redirect(reqwest::redirect::Policy::none())
                    .connect_timeout(2 * CONNECT)
                    .build()
                    .map_err(|error| Failure::new(format!("no secure connection can be set up ({error})")))?;
                CLIENT.get_or_init(|| client).clone()
            }
        };
        Ok(Self { http, timeout })
    }

    /// A GET request to be completed and sent with [`ApiClient::send`].
    pub fn get(&self, url: &str) -> reqwest::RequestBuilder {
        self.http.get(url).timeout(self.timeout)
    }

    /// A POST request to be completed and sent with [`ApiClient::send`].
    pub fn post(&self, url: &str) -> reqwest::RequestBuilder {
        self.http.post(url).timeout(self.timeout)
    }

    /// Sends and reads the whole reply, whatever its status.
    ///
    /// # Errors
    /// When the service cannot be reached, is too slow, sends too much, or the run is stopped.
    pub async fn send(&self, service: &str, request: reqwest::RequestBuilder, cancel: &CancellationToken) -> Result<ApiReply, Failure> {
        let work = async {
            let mut response = request.send().await.map_err(|error| Failure::new(format!("{service}: {}", transport_message(&error))))?;
            let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
            let status = response.status().as_u16();
            let content_type = header("content-type").unwrap_or_default().to_ascii_lowercase();
            let retry_after = header("retry-after").and_then(|value| value.trim().parse().ok());
            let mut body = Vec::new();
            while let Some(chunk) =
                response.chunk().await.map_err(|error| Failure::new(format!("{service}: {}", transport_message(&error))))?
            {
                body.extend_from_slice(&chunk);
                if body.len() > MAX_API_BODY {
                    return Err(Failure::new(format!("{service} sent more than 8 MiB")));
                }
            }
            Ok(ApiReply { status, content_type, retry_after, body: String::from_utf8_lossy(&body).into_owned() })
        };
        tokio::select! {
            () = cancel.cancelled() => Err(Failure::new("the run was stopped")),
            reply = work => reply,
        }
    }
}

impl ApiReply {
    /// The body as JSON.
    ///
    /// # Errors
    /// A sentence naming the service, when the status is an error or the body is something else.
    pub fn json(&self, service: &str) -> Result<Value, Failure> {
        if !(200..300).contains(&self.status) {
            return Err(self.failure(service));
        }
        serde_json::from_str(&self.body).map_err(|_| {
            let kind = if self.body.trim_start().starts_with('<') { "a web page" } else { "something else" };
            Failure::new(format!("{service} sent {kind} instead of JSON. Check its address in Settings."))
        })
    }

    /// What an error status means.
    pub fn failure(&self, service: &str) -> Failure {
        Failure::new(match self.status {
            401 | 403 => format!("{service} refused the key or needs one ({}).", self.status),
            402 => format!("{service} says that the account has no balance left."),
            429 => match self.retry_after {
                Some(seconds) => format!("{service} asks to slow down and come back in {seconds} s."),
                None => format!("{service} asks to slow down (429)."),
            },
            404 => format!("{service} does not know this address (404). Check it in Settings."),
            status @ 500.. => format!("{service} is in trouble ({status})."),
            status => format!("{service} did not accept the request ({status})."),
        })
    }
}

fn transport_message(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let cause = text::truncate(&cause.to_string(), 160);
    if error.is_timeout() {
        "it did not answer in time".into()
    } else if error.is_connect() || cause.contains("private network") {
        format!("it could not be reached ({cause})")
    } else {
        format!("the connection broke ({cause})")
    }
}

fn status_message(status: u16) -> String {
    match status {
        401 | 403 => format!("the site does not let us in ({status})"),
        404 | 410 => format!("the page does not exist ({status})"),
        429 => "the site asks to slow down (429)".into(),
        500.. => format!("the site is in trouble ({status})"),
        _ => format!("the site answered with {status}"),
    }
}

//! The client for search and reader services that the user configured: local addresses are
//! allowed, redirects are not, because they would carry keys to other hosts.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nexi_core::{
    ports::{Failure, Fault},
    settings::Route,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{CONNECT, builder, transport_failure};

const MAX_BODY: usize = 8 * 1024 * 1024;

/// Talks to services. Cheap to clone.
#[derive(Clone)]
pub struct ApiClient {
    http: reqwest::Client,
    timeout: Duration,
}

/// The reply of a service.
#[derive(Debug)]
pub struct ApiReply {
    pub status: u16,
    /// Seconds, where the service asked for a pause.
    pub retry_after: Option<u64>,
    pub body: String,
    /// Whether the service could have been given a key.
    pub keyed: bool,
}

impl ApiClient {
    /// # Errors
    /// When TLS cannot be set up, or the proxy or a certificate cannot be used.
    pub fn new(timeout: Duration, route: &Route) -> Result<Self, Failure> {
        // Made once a route: setting up TLS reads all certificates of the system. There are two at
        // most, since the only other one leads to this computer.
        static CLIENTS: Mutex<Vec<(Route, reqwest::Client)>> = Mutex::new(Vec::new());
        let mut clients = CLIENTS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, http)) = clients.iter().find(|(known, _)| known == route) {
            return Ok(Self { http: http.clone(), timeout });
        }
        let http = builder(route)?
            .connect_timeout(2 * CONNECT)
            .retry(reqwest::retry::never())
            .build()
            .map_err(|error| Failure::new(format!("no secure connection can be set up ({error})")))?;
        // Settings change seldom; what they were before is not needed again.
        clients.retain(|(known, _)| known.roots == route.roots);
        clients.truncate(1);
        clients.push((route.clone(), http.clone()));
        Ok(Self { http, timeout })
    }

    /// The same client with another patience.
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self { timeout, ..self.clone() }
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
        // The address is left out of the message: some services want the key in it.
        let failed = |error: reqwest::Error| {
            let failure = transport_failure(&error.without_url());
            Failure::of(failure.fault, format!("{service}: {}", failure.message))
        };
        let work = async {
            let mut response = request.send().await.map_err(failed)?;
            let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
            let status = response.status().as_u16();
            let retry_after = header("retry-after").and_then(|value| seconds(&value));
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(failed)? {
                body.extend_from_slice(&chunk);
                if body.len() > MAX_BODY {
                    return Err(Failure::new(format!("{service} sent more than 8 MiB")));
                }
            }
            Ok(ApiReply { status, retry_after, body: String::from_utf8_lossy(&body).into_owned(), keyed: true })
        };
        tokio::select! {
            () = cancel.cancelled() => Err(Failure::cancelled()),
            reply = work => reply,
        }
    }
}

/// Seconds, or a date, of which the distance from now counts.
fn seconds(value: &str) -> Option<u64> {
    let value = value.trim();
    value.parse().ok().or_else(|| {
        let at = httpdate::parse_http_date(value).ok()?;
        Some(at.duration_since(std::time::SystemTime::now()).unwrap_or_default().as_secs())
    })
}

impl ApiReply {
    /// Whether the request was carried out.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// A sentence naming the service, when the status is an error or the body is something else.
    pub fn json(&self, service: &str) -> Result<Value, Failure> {
        if !self.is_success() {
            return Err(self.failure(service));
        }
        serde_json::from_str(&self.body).map_err(|_| {
            let kind = if self.body.trim_start().starts_with('<') { "a web page" } else { "something else" };
            Failure::new(format!("{service} sent {kind} instead of JSON. Check its address in Settings."))
        })
    }

    /// What an error status means.
    pub fn failure(&self, service: &str) -> Failure {
        // What the service says of itself, and not what it repeats of the request.
        let body: String = serde_json::from_str::<Value>(&self.body).map(|value| said(&value)).unwrap_or_default().to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| body.contains(word));
        let too_often = self.retry_after.is_some()
            || has(&["rate limit", "rate_limit", "ratelimit", "too many requests", "per second", "per minute", "concurren"]);
        let about_money = !too_often
            && has(&[
                "out of credits",
                "insufficient credit",
                "not enough credit",
                "no credits",
                "insufficient balance",
                "insufficient funds",
                "balance",
                "quota exceeded",
                "exceeded your current quota",
                "exceeds your plan",
                "usage limit",
                "billing",
                "payment",
            ]);
        match self.status {
            402 => no_balance(service),
            401 | 403 | 429 | 432 | 433 if about_money => no_balance(service),
            // GitHub says so, and so do some gateways.
            403 if too_often => limited(service, self.retry_after),
            401 | 403 if !self.keyed => Failure::new(format!("{service} does not let us in ({}).", self.status)),
            401 | 403 => {
                Failure::of(Fault::Key, format!("{service} refused the key or needs one ({}). Check it in Settings.", self.status))
            }
            400 | 422 if body.contains("api key") || body.contains("api_key") || body.contains("apikey") => {
                Failure::of(Fault::Key, format!("{service} refused the key ({}). Check it in Settings.", self.status))
            }
            429 => limited(service, self.retry_after),
            404 => Failure::new(format!("{service} does not know this address (404). Check it in Settings.")),
            408 | 409 => Failure::of(Fault::Passing, format!("{service} is busy ({}).", self.status)),
            503 if self.retry_after.is_some() => limited(service, self.retry_after),
            status @ 500.. => Failure::of(Fault::Passing, format!("{service} is in trouble ({status}).")),
            status => Failure::new(format!("{service} did not accept the request ({status}).")),
        }
    }
}

/// The messages and codes of an error's JSON.
fn said(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text} "),
        Value::Array(items) => items.iter().take(20).map(said).collect(),
        Value::Object(object) => object
            .iter()
            .filter(|(name, value)| {
                let name = name.to_ascii_lowercase();
                value.is_object()
                    || value.is_array()
                    || ["error", "message", "detail", "code", "reason", "status", "name", "type"].iter().any(|word| name.contains(word))
            })
            .filter(|(name, _)| *name != "meta")
            .map(|(_, value)| said(value))
            .collect(),
        _ => String::new(),
    }
}

fn no_balance(service: &str) -> Failure {
    Failure::of(Fault::Balance, format!("{service} says that the account has no balance left."))
}

/// What a service that was asked too often says.
pub(crate) fn limited(service: &str, seconds: Option<u64>) -> Failure {
    let message = match seconds {
        Some(seconds) => format!("{service} asks to slow down and come back in {seconds} s."),
        None => format!("{service} asks to slow down."),
    };
    Failure::of(Fault::Limited { seconds }, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_become_sentences_that_tell_what_to_do() {
        let failure = |status, body: &str, retry_after| ApiReply { status, retry_after, body: body.into(), keyed: true }.failure("X");
        assert_eq!(failure(401, "{}", None).fault, Fault::Key);
        assert_eq!(failure(400, "{\"message\":\"Invalid API key\"}", None).fault, Fault::Key);
        assert_eq!(failure(402, "", None).fault, Fault::Balance);
        assert_eq!(failure(429, "{\"error\":\"Quota exceeded for your plan\"}", None).fault, Fault::Balance);
        let brave = r#"{"error":{"code":"RATE_LIMITED","detail":"Request rate limit exceeded for plan","meta":{"rate_limit":1,"quota_limit":2000}}}"#;
        assert_eq!(failure(429, brave, None).fault, Fault::Limited { seconds: None });
        assert_eq!(
            failure(429, "{\"error\":{\"message\":\"Quota exceeded for Queries per minute\"}}", None).fault,
            Fault::Limited { seconds: None }
        );
        assert_eq!(failure(403, "{\"error\":\"Insufficient permissions\"}", None).fault, Fault::Key);
        assert_eq!(failure(400, "{\"error\":\"bad query\",\"query\":\"credit card balance\"}", None).fault, Fault::Other);
        assert_eq!(
            failure(429, "slow down", Some(7)),
            Failure::of(Fault::Limited { seconds: Some(7) }, "X asks to slow down and come back in 7 s.")
        );
        assert_eq!(failure(503, "", None).fault, Fault::Passing);
        assert_eq!(failure(418, "", None).fault, Fault::Other);
        assert_eq!(seconds("12"), Some(12));
        assert_eq!(seconds("Wed, 21 Oct 2015 07:28:00 GMT"), Some(0));
        assert_eq!(seconds("soon"), None);
    }
}

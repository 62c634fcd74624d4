//! The client for search and reader services that the user configured: local addresses are
//! allowed, redirects are not, because they would carry keys to other hosts.

use std::time::Duration;

use nexi_core::{
    ports::{Cause, Failure},
    settings::{Route, service_title},
    text::pause_in,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::transport_failure;

const MAX_BODY: usize = 8 * 1024 * 1024;
/// Bytes of what is said about a failure.
const MAX_SAID: usize = 4096;

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
    /// What Brave and its like say of their limits.
    pub rate: Rate,
}

/// Headers about limits: of several windows the shortest stands first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    /// Requests that the shortest window allows.
    pub limit: Option<u32>,
    /// Seconds until the shortest window begins anew.
    pub reset: Option<u64>,
    /// Requests that are left in the longest window.
    pub left: Option<u64>,
}

impl ApiClient {
    /// # Errors
    /// When TLS cannot be set up, or the proxy or a certificate cannot be used.
    pub fn new(timeout: Duration, route: &Route) -> Result<Self, Failure> {
        Ok(Self { http: super::service_client(route)?, timeout })
    }

    /// The same client with another time limit.
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

    /// Sends what somebody else is only to take: of a success nothing but its status counts, of anything else the beginning
    /// of what is said.
    ///
    /// # Errors
    /// When the address cannot be reached or is too slow.
    pub async fn hand_over(&self, request: reqwest::RequestBuilder) -> Result<ApiReply, Failure> {
        // An address of this kind can be a secret.
        let mut response = request.send().await.map_err(|error| transport_failure(&error.without_url()))?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get("retry-after").and_then(|value| seconds(value.to_str().ok()?));
        let mut body = Vec::new();
        if !response.status().is_success() {
            while body.len() < MAX_SAID
                && let Ok(Some(chunk)) = response.chunk().await
            {
                body.extend_from_slice(&chunk);
            }
            body.truncate(MAX_SAID);
        }
        Ok(ApiReply { status, retry_after, body: String::from_utf8_lossy(&body).into_owned(), keyed: false, rate: Rate::default() })
    }

    /// Sends and reads the whole reply, whatever its status.
    ///
    /// # Errors
    /// When the service cannot be reached, is too slow, sends too much, or the run is stopped.
    pub async fn send(&self, service: &str, request: reqwest::RequestBuilder, cancel: &CancellationToken) -> Result<ApiReply, Failure> {
        // The address is left out of the message: some services want the key in it.
        let failed = |error: reqwest::Error| transport_failure(&error.without_url()).of_service(service_title(service));
        let work = async {
            let mut response = request.send().await.map_err(failed)?;
            let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
            let status = response.status().as_u16();
            let retry_after = header("retry-after").and_then(|value| seconds(&value));
            let numbers = |name: &str| -> Vec<u64> {
                header(name).unwrap_or_default().split(',').filter_map(|part| part.trim().parse().ok()).collect()
            };
            let rate = Rate {
                limit: numbers("x-ratelimit-limit").first().and_then(|count| u32::try_from(*count).ok()),
                reset: numbers("x-ratelimit-reset").first().copied().map(until),
                left: numbers("x-ratelimit-remaining").get(1).copied(),
            };
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(failed)? {
                body.extend_from_slice(&chunk);
                if body.len() > MAX_BODY {
                    return Err(Failure::because(Cause::TooMuch { service: service.to_owned() }));
                }
            }
            Ok(ApiReply { status, retry_after, body: String::from_utf8_lossy(&body).into_owned(), keyed: true, rate })
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
            let service = service.to_owned();
            let is_page = self.body.trim_start().starts_with('<');
            Failure::because(if is_page { Cause::PageForJson { service } } else { Cause::NoJson { service } })
        })
    }

    /// What an error status means, with the service's own words.
    pub fn failure(&self, service: &str) -> Failure {
        let value = serde_json::from_str::<Value>(&self.body).ok();
        let said = value.as_ref().and_then(sentence).or_else(|| plain(&self.body));
        let status = Some(self.status).filter(|status| *status >= 500);
        Failure { status, said: said.clone(), ..self.meaning(service, value, said) }
    }

    fn meaning(&self, service: &str, value: Option<Value>, words: Option<String>) -> Failure {
        // What the service says of itself, and not what it repeats of the request.
        let body: String = value.as_ref().map(said).unwrap_or_default().to_ascii_lowercase();
        let (name, status) = (|| service.to_owned(), self.status);
        let telling = |cause: Cause| Failure::because(cause.saying(words.as_deref()));
        let has = |list: &[&str]| list.iter().any(|word| body.contains(word));
        let pause = self
            .retry_after
            .or_else(|| pause_in(&body).map(|pause| pause.as_secs_f64().ceil() as u64))
            .or(self.rate.reset.filter(|_| self.status == 429));
        let about_money = has(MONEY) || (self.status == 429 && self.rate.left == Some(0));
        let too_often = self.retry_after.is_some()
            || has(&[
                "rate limit",
                "rate_limit",
                "ratelimit",
                "too many requests",
                "excessive requests",
                "per second",
                "per minute",
                "concurren",
            ]);
        match self.status {
            402 | 433 => telling(Cause::NoBalance { service: name() }),
            400 | 401 | 403 | 429 | 432 if about_money && (!too_often || has(MONEY_FOR_SURE)) => {
                telling(Cause::NoBalance { service: name() })
            }
            // GitHub says so, and so do some gateways.
            403 if too_often => telling(Cause::Limited { service: name(), seconds: pause }),
            400 | 401 | 403 | 422 if has(KEY) => telling(Cause::KeyRefused { service: name(), status }),
            401 | 403 if !self.keyed => telling(Cause::Refused { service: name(), status }),
            // What may not be had, or not be read, is no fault of the key.
            403 if has(NOT_THE_KEY) => telling(Cause::Refused { service: name(), status }),
            401 | 403 => telling(Cause::KeyRefusedOrMissing { service: name(), status }),
            429 | 432 => telling(Cause::Limited { service: name(), seconds: pause }),
            404 => telling(Cause::NothingThere { service: name() }),
            // A page that took too long will do so again, unless the service goes on with it.
            408 if has(&["scrape_timeout", "scrape timed out"]) && !has(&["processing_continues"]) => {
                telling(Cause::GaveUp { service: name() })
            }
            408 | 409 => telling(Cause::Busy { service: name(), status }),
            503 if self.retry_after.is_some() => telling(Cause::Limited { service: name(), seconds: pause }),
            500 if has(&["scrape_ssl_error", "scrape_site_error", "scrape_all_engines_failed"]) => {
                telling(Cause::CouldNotRead { service: name() })
            }
            500.. => telling(Cause::ServerError { service: name(), status }),
            _ => telling(Cause::NotAccepted { service: name(), status }),
        }
    }
}

/// Words that say that there is nothing left to pay with.
const MONEY: &[&str] = &[
    "out of credits",
    "insufficient credit",
    "not enough credit",
    "no credits",
    "no_more_credits",
    "insufficient balance",
    "insufficient_balance",
    "insufficient funds",
    "insufficient_funds",
    "insufficient_quota",
    "exceed_budget",
    "budget_exceeded",
    "balance",
    "quota exceeded",
    "quota_limited",
    "request quota limit",
    "exceeded your current quota",
    "exceeds your plan",
    "run out of searches",
    "searches for the month",
    "usage limit",
    "pay-as-you-go limit",
    "billing",
    "payment",
];

/// Those of them that also stand in what services answer who were asked too often, and mean money there, too.
const MONEY_FOR_SURE: &[&str] =
    &["queries per day", "insufficient_funds", "exceed_budget", "quota_limited", "request quota limit", "run out of searches"];

/// Words that say that the key is wrong.
const KEY: &[&str] = &[
    "api key",
    "api_key",
    "apikey",
    "subscription_token_invalid",
    "subscription token",
    "x-subscription-token",
    "invalid token",
    "unauthorized",
];

/// Words of a 403 that is about what was asked for.
const NOT_THE_KEY: &[&str] = &[
    "feature_disabled",
    "prohibited_content",
    "insufficient_scope",
    "do not support this site",
    "third_party",
    "ip_not_whitelisted",
    "user-agent",
    "robot policy",
];

/// The sentence that a service has for people, wherever it stands.
pub(crate) fn sentence(value: &Value) -> Option<String> {
    const PLACES: [&str; 12] = [
        "/error/detail",
        "/error/message",
        "/detail/error",
        "/readableMessage",
        "/error_message",
        "/error/info",
        "/error",
        "/message",
        "/detail",
        "/errors/0/message",
        "/errors/0/detail",
        "/error/code",
    ];
    let list = |items: &Value| {
        let words: Vec<String> = items
            .as_array()?
            .iter()
            .take(5)
            .filter_map(|item| {
                let field = item.get("field").or_else(|| item.get("loc")?.as_array()?.last()).and_then(Value::as_str);
                let words = item.get("msg").or_else(|| item.get("message"))?.as_str()?;
                Some(field.map_or_else(|| words.to_owned(), |field| format!("{field}: {words}")))
            })
            .collect();
        (!words.is_empty()).then(|| words.join("; "))
    };
    let first = PLACES.iter().find_map(|place| {
        let found = value.pointer(place)?;
        found.as_str().map(str::to_owned).or_else(|| list(found)).filter(|words| !words.trim().is_empty())
    });
    // Which field of the request was wrong says most.
    let details = ["/error/meta/errors", "/error/details"].iter().find_map(|place| list(value.pointer(place)?));
    let words = match (first, details) {
        (Some(first), Some(details)) => format!("{first} ({details})"),
        (first, details) => first.or(details)?,
    };
    Some(nexi_core::text::truncate(&nexi_core::settings::hide_keys(&nexi_core::text::fold_space(&words)), MAX_WORDS))
}

/// Seconds from now: some services name a time, in seconds or milliseconds since 1970.
fn until(reset: u64) -> u64 {
    if reset < 1_000_000_000 {
        return reset;
    }
    let then = if reset > 1_000_000_000_000 { reset / 1000 } else { reset };
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    then.saturating_sub(now)
}

/// A short body that is no JSON and no page.
fn plain(body: &str) -> Option<String> {
    let body = body.trim();
    let is_text = !body.is_empty() && body.len() <= 4 * MAX_WORDS && !body.starts_with(['<', '{', '[']);
    is_text.then(|| nexi_core::text::truncate(&nexi_core::settings::hide_keys(&nexi_core::text::fold_space(body)), MAX_WORDS))
}

/// Bytes of a service's own words that are shown.
const MAX_WORDS: usize = 240;

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
                    || ["error", "message", "detail", "code", "reason", "status", "name", "type", "tag", "state", "msg", "loc"]
                        .iter()
                        .any(|word| name.contains(word))
            })
            .filter(|(name, _)| !matches!(name.as_str(), "query" | "q"))
            .map(|(_, value)| said(value))
            .collect(),
        _ => String::new(),
    }
}

/// What a service that was asked too often says.
pub(crate) fn limited(service: &str, seconds: Option<u64>) -> Failure {
    Failure::because(Cause::Limited { service: service.to_owned(), seconds })
}

#[cfg(test)]
mod tests {
    use nexi_core::ports::Fault;

    use super::*;

    #[test]
    fn statuses_become_sentences_that_tell_what_to_do() {
        let failure = |status, body: &str, retry_after| {
            ApiReply { status, retry_after, body: body.into(), keyed: true, rate: Rate::default() }.failure("X")
        };
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
        let cause = Cause::NotAccepted { service: "X".into(), status: 400 }.saying(Some("bad query"));
        assert_eq!(cause.to_string(), "X did not accept the request (400). It says: bad query.");
        assert_eq!(
            failure(400, "{\"error\":\"bad query\",\"query\":\"credit card balance\"}", None),
            Failure { said: Some("bad query".into()), ..Failure::because(cause) }
        );
        for (status, body, fault) in [
            // Brave (brave-search-mcp-server 2.1.4), Tavily, Linkup, Serper, SerpAPI, Exa, Firecrawl
            (
                422,
                r#"{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid.","status":422}}"#,
                Fault::Key,
            ),
            (429, r#"{"error":{"code":"QUOTA_LIMITED","detail":"Request quota limit exceeded for plan.","status":429}}"#, Fault::Balance),
            (433, r#"{"detail":{"error":"This request exceeds the pay-as-you-go limit."}}"#, Fault::Balance),
            (429, r#"{"statusCode":429,"error":{"code":"INSUFFICIENT_FUNDS_CREDITS","message":"x"}}"#, Fault::Balance),
            (400, r#"{"message":"Not enough credits","statusCode":400}"#, Fault::Balance),
            (429, r#"{"error":"Your account has run out of searches."}"#, Fault::Balance),
            (403, r#"{"error":"Blocked","tag":"PROHIBITED_CONTENT"}"#, Fault::Other),
            (403, r#"{"success":false,"error":"We apologize for the inconvenience but we do not support this site."}"#, Fault::Other),
            (408, r#"{"success":false,"code":"SCRAPE_TIMEOUT","error":"Scrape timed out"}"#, Fault::Other),
            (408, r#"{"success":false,"code":"SCRAPE_TIMEOUT","error":"x","details":{"state":"processing_continues"}}"#, Fault::Transient),
            (500, r#"{"success":false,"code":"SCRAPE_SSL_ERROR","error":"x"}"#, Fault::Other),
            (
                429,
                r#"{"success":false,"error":"Rate limit exceeded. Consumed (req/min): 11, please retry after 53s, resets at x"}"#,
                Fault::Limited { seconds: Some(53) },
            ),
        ] {
            assert_eq!(failure(status, body, None).fault, fault, "{body}");
        }
        assert_eq!(
            failure(400, r#"{"detail":{"error":"Query is too long. Max query length is 400 characters."}}"#, None).message,
            "X did not accept the request (400). It says: Query is too long. Max query length is 400 characters."
        );
        let brave = r#"{"error":{"code":"VALIDATION","detail":"Unable to validate request parameter(s)","meta":{"errors":[{"loc":["query","search_lang"],"msg":"Input should be 'ar'"}]}}}"#;
        assert!(failure(422, brave, None).message.ends_with("(search_lang: Input should be 'ar')."));
        assert_eq!(
            failure(429, "slow down", Some(7)),
            Failure {
                said: Some("slow down".into()),
                ..Failure::because(Cause::Limited { service: "X".into(), seconds: Some(7) }.saying(Some("slow down")))
            }
        );
        assert_eq!(failure(503, "", None).fault, Fault::Transient);
        assert_eq!(failure(418, "", None).fault, Fault::Other);
        assert_eq!(seconds("12"), Some(12));
        assert_eq!(seconds("Wed, 21 Oct 2015 07:28:00 GMT"), Some(0));
        assert_eq!(seconds("soon"), None);
    }
}

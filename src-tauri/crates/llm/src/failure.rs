//! What a service's refusal means, whatever shape it has: bodies of every family of services, and of
//! the gateways in front of them, become one [`ModelError`].

use std::time::Duration;

use nexi_core::{model::ModelError, text};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// Tokens of a reply that is worth paying for.
const SHORT_REPLY: u32 = 1000;

/// What stands for the words of a service that has none.
const NO_REASON: &str = "it gave no reason";
/// Bytes of a service's own words that are kept.
const MAX_WORDS: usize = 400;

/// A reply that was not a success.
#[derive(Debug, thiserror::Error)]
#[error("HTTP {status}")]
pub(crate) struct HttpFailure {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

/// Whom a failure is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub provider: &'a str,
    pub model: &'a str,
    pub address: &'a str,
}

impl HttpFailure {
    /// What it means for the person and for asking again.
    pub(crate) fn classify(&self, about: About<'_>) -> ModelError {
        let provider = about.provider.to_owned();
        let said = ErrorBody::read(&self.body);
        let status = self.status;
        if said.is_html {
            return match status {
                404 | 405 => ModelError::WrongAddress { provider, address: about.address.to_owned() },
                429 => ModelError::RateLimited { provider, retry_after: retry_after(&self.headers), said: String::new() },
                408 | 409 | 500.. => ModelError::Server { provider, status, retry_after: retry_after(&self.headers), said: String::new() },
                // What stands in front of a service says no in its own way.
                403 | 413 => ModelError::Rejected { provider, status, message: said.message },
                _ => ModelError::WebPage { provider },
            };
        }
        let wait = retry_after(&self.headers).or(said.retry_after).or_else(|| text::pause_in(&said.all));
        said.classify(status, wait, about)
    }
}

/// An `error` object inside a stream.
pub(crate) fn of_stream(about: About<'_>, error: &Value) -> ModelError {
    let said = ErrorBody::read(&serde_json::json!({"error": error}).to_string());
    let status = match said.code.as_str() {
        code if code.parse::<u16>().is_ok_and(|status| (400..600).contains(&status)) => code.parse().unwrap_or(500),
        "insufficient_quota" | "billing_error" => 402,
        "rate_limit_exceeded" | "rate_limit_error" | "resource_exhausted" => 429,
        "overloaded_error" | "api_error" | "server_error" | "unavailable" | "internal" | "timeout_error" => 503,
        "invalid_api_key" | "authentication_error" | "permission_error" | "unauthenticated" => 401,
        "not_found_error" | "model_not_found" => 404,
        "invalid_request_error" | "invalid_argument" | "context_length_exceeded" | "invalid_prompt" => 400,
        code if code.contains("policy") => 400,
        _ if said.is_overflow() => 400,
        // A server that stops in the middle seldom says more than a sentence.
        _ => 500,
    };
    let wait = said.retry_after.or_else(|| text::pause_in(&said.all));
    said.classify(status, wait, about)
}

/// What a service says in the body of an error.
#[derive(Debug, Default)]
struct ErrorBody {
    /// A sentence for the person.
    message: String,
    /// Lower case; empty where there is none.
    code: String,
    /// Everything it says, in lower case, for telling what is meant.
    all: String,
    /// Sizes in tokens, where they are fields of their own.
    window: Option<u32>,
    prompt: Option<u32>,
    retry_after: Option<Duration>,
    is_html: bool,
}

impl ErrorBody {
    /// Never raw HTML.
    fn read(body: &str) -> Self {
        let Ok(value) = serde_json::from_str::<Value>(body) else {
            let start = body.trim_start().to_ascii_lowercase();
            let is_html = start.starts_with("<!doctype") || start.starts_with("<html") || start.starts_with('<');
            let message = if is_html { page_words(body) } else { text::truncate(&text::fold_space(body), MAX_WORDS) };
            let message = if message.is_empty() { NO_REASON.to_owned() } else { message };
            return Self { all: if is_html { String::new() } else { message.to_lowercase() }, message, is_html, ..Self::default() };
        };
        // Google's OpenAI-compatible address wraps its errors in a list.
        let value = match &value {
            Value::Array(items) if items.len() == 1 => &items[0],
            other => other,
        };
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
        let mut words = Vec::new();
        // A gateway's own sentence says less than what the service behind it had said.
        if let Some(raw) = error.pointer("/metadata/raw").and_then(Value::as_str) {
            words.push(Self::read(raw).message);
        }
        for place in [
            Some(error),
            error.get("message"),
            error.get("detail"),
            error.get("msg"),
            value.get("message"),
            value.get("detail"),
            value.get("error_description"),
        ] {
            words.extend(place.and_then(sentence));
        }
        words.retain(|word| !word.trim().is_empty());
        let message = words.first().map_or_else(|| NO_REASON.to_owned(), |word| text::truncate(&text::fold_space(word), MAX_WORDS));
        let code = ["code", "type", "status"]
            .iter()
            .find_map(|key| match error.get(*key) {
                Some(Value::String(code)) if !code.is_empty() => Some(code.to_ascii_lowercase()),
                Some(Value::Number(code)) => Some(code.to_string()),
                _ => None,
            })
            .unwrap_or_default();
        let number = |names: &[&str]| names.iter().find_map(|name| error.get(*name)?.as_u64()).and_then(|count| u32::try_from(count).ok());
        let delay =
            error.get("details").and_then(Value::as_array).into_iter().flatten().find_map(|detail| detail.get("retryDelay")?.as_str());
        let retry_after = delay.and_then(|delay| delay.trim_end_matches('s').parse::<f64>().ok());
        Self {
            all: text::truncate(&value.to_string(), 8 * MAX_WORDS).to_lowercase(),
            code,
            window: number(&["n_ctx"]),
            prompt: number(&["n_prompt_tokens"]),
            retry_after: retry_after.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok()),
            message,
            is_html: false,
        }
    }

    fn has(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.all.contains(word))
    }

    fn classify(&self, status: u16, retry_after: Option<Duration>, about: About<'_>) -> ModelError {
        let (provider, model) = (about.provider.to_owned(), about.model.to_owned());
        let message = self.message.clone();
        let said = if message == NO_REASON { String::new() } else { message.clone() };
        let rejected = |status| ModelError::Rejected { provider: provider.clone(), status, message: message.clone() };
        if self.is_overflow() || self.is_larger_than_a_minute_allows() {
            return self.overflow(provider);
        }
        // Some services answer 4xx and 5xx alike for what a model cannot do or a call went wrong.
        if self.code == "tool_use_failed" || self.has(&["tool_use_failed", "malformed_function_call"]) {
            return ModelError::Malformed { provider, why: None, message };
        }
        if self.has(BALANCE) && matches!(status, 400 | 402 | 403 | 429) && self.code != "resource_exhausted" {
            return ModelError::NoBalance { provider, said };
        }
        if self.has(KEY) && matches!(status, 400 | 401 | 403) {
            return ModelError::Unauthorized { provider, status, said };
        }
        if matches!(status, 400 | 404 | 422) && self.is_about_the_model(&model) {
            return ModelError::UnknownModel { provider, model };
        }
        match status {
            200 => ModelError::Malformed { provider, why: None, message },
            // Some other reason than the key, in the service's own words.
            401 | 403 if self.is_about_something_else() => rejected(status),
            401 => ModelError::Unauthorized { provider, status, said },
            // A region that is not served, or a model that is not in the plan, is not the key's fault.
            403 if self.has(&["region", "country", "territory", "not allowed", "not have access", "moderation", "flagged"]) => {
                rejected(403)
            }
            403 => ModelError::Unauthorized { provider, status, said },
            // Enough for a shorter reply: the caller can ask for that.
            402 if self.after(&["can only afford"]).is_some_and(|tokens| tokens >= SHORT_REPLY) => rejected(402),
            402 => ModelError::NoBalance { provider, said },
            // The service knows the address and says what it minds: a model that is elsewhere or
            // gone, or a setting of the account.
            404 if !self.is_no_such_path() => rejected(404),
            404 | 405 => ModelError::WrongAddress { provider, address: about.address.to_owned() },
            429 => ModelError::RateLimited { provider, retry_after, said },
            // It has moved; requests with a key are never sent on.
            300..=399 => ModelError::WrongAddress { provider, address: about.address.to_owned() },
            // It will not get better by asking again.
            500 if self.has(&["system memory", "out of memory", "failed to load model"]) => rejected(500),
            // Servers of their own answer so where they were started without tools.
            500 | 501 if crate::json_tools::is_about_tools(status, &self.all) => rejected(status),
            408 | 409 | 500.. => ModelError::Server { provider, status, retry_after, said },
            status => rejected(status),
        }
    }

    /// Whether a sentence says why access was refused, and it is not for the key.
    fn is_about_something_else(&self) -> bool {
        const ABOUT_KEYS: [&str; 10] =
            ["key", "auth", "token", "credential", "login", "log in", "permission", "forbidden", "access denied", "bearer"];
        self.message.split_whitespace().count() >= 4 && self.message != NO_REASON && !ABOUT_KEYS.iter().any(|word| self.all.contains(word))
    }

    /// Whether it says no more than that nothing is there.
    fn is_no_such_path(&self) -> bool {
        const FOR_SURE: [&str; 4] = ["cannot post", "invalid url", "unexpected endpoint", "unrecognized request url"];
        // In a longer sentence these may be about something else.
        const ALONE: [&str; 8] = [NO_REASON, "not found", "404", "cannot get", "no such path", "no route", "invalid path", "unknown url"];
        let message = self.message.to_lowercase();
        let has = |list: &[&str]| list.iter().any(|words| message.contains(words));
        has(&FOR_SURE) || (message.len() <= 60 && has(&ALONE))
    }

    fn is_about_the_model(&self, model: &str) -> bool {
        const ABSENT: [&str; 9] = [
            "no model",
            "not found",
            "does not exist",
            "not exist",
            "not a valid model",
            "invalid model",
            "unknown model",
            "no such model",
            "not supported for generatecontent",
        ];
        if matches!(self.code.as_str(), "model_not_found" | "deploymentnotfound" | "invalid_model")
            || self.has(&["model_not_found", "deploymentnotfound"])
        {
            return true;
        }
        // Anthropic says no more than "model: claude-x".
        let lower = model.to_lowercase();
        let message = self.message.to_lowercase();
        message == format!("model: {lower}") || (message.contains("model") && ABSENT.iter().any(|words| message.contains(words)))
    }

    fn is_overflow(&self) -> bool {
        if self.has(&["string_above_max_length"]) || (self.has(&["string too long"]) && self.has(&["invalid 'user'"])) {
            return false;
        }
        self.has(OVERFLOW)
            || (self.has(&["current length is"]) && self.has(&["while limit is"]))
            || (self.has(&["maximum input length is"]) && self.has(&["tokens"]))
            || (self.code == "413" && self.has(&["token"]))
    }

    /// A request that is larger than what a whole minute allows will never do, however long one waits.
    fn is_larger_than_a_minute_allows(&self) -> bool {
        self.has(&["tokens per minute", "(tpm)"])
            && matches!((self.after(&["limit"]), self.after(&["requested"])), (Some(limit), Some(requested)) if limit > 0 && requested > limit)
    }

    fn overflow(&self, provider: String) -> ModelError {
        let window = self.window.or_else(|| {
            self.after(&[
                "maximum context length is",
                "maximum context length of",
                "maximum number of tokens allowed (",
                "while limit is",
                "maximum input length is",
                "exceed model maximum (",
                "context size (",
                "context window of",
                "limit of",
                "limit",
            ])
        });
        // "prompt is too long: 210000 tokens > 200000 maximum"
        let window = self.after(&["tokens >"]).or(window).filter(|tokens| *tokens >= 256);
        let prompt = self.prompt.or_else(|| {
            self.after(&[
                "input token count (",
                "prompt is too long:",
                "current length is",
                "messages resulted in",
                "prompt contains at least",
                "prompt tokens (",
                "request (",
            ])
        });
        ModelError::ContextFull { provider, window, prompt: prompt.filter(|tokens| window.is_none_or(|window| *tokens >= window / 2)) }
    }

    /// The whole number behind the first of these phrases that has one.
    fn after(&self, phrases: &[&str]) -> Option<u32> {
        let behind = |phrase: &&str| {
            self.all.match_indices(*phrase).find_map(|(at, phrase)| {
                let rest = self.all[at + phrase.len()..].trim_start_matches([' ', ':', '=', '(', '~']);
                let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(char::is_ascii_digit).collect();
                digits.parse().ok()
            })
        };
        phrases.iter().find_map(behind)
    }
}

/// The title of a web page in place of what it holds.
fn page_words(html: &str) -> String {
    let title = html.split_once("<title").and_then(|(_, rest)| rest.split_once('>')).and_then(|(_, rest)| rest.split('<').next());
    match title.map(text::fold_space).filter(|title| !title.is_empty()) {
        Some(title) => format!("it sent a web page, {:?}", text::truncate(&title, 100)),
        None => "it sent a web page".into(),
    }
}

/// The sentence at a place of an error's JSON: a text, an object with a message, or a list of what
/// is wrong with which field.
fn sentence(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let lines: Vec<String> = items
                .iter()
                .take(8)
                .filter_map(|item| {
                    let place: Vec<String> = item
                        .get("loc")
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten()
                        .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
                        .collect();
                    let words = item.get("msg").or_else(|| item.get("message")).and_then(Value::as_str).or_else(|| item.as_str())?;
                    Some(if place.is_empty() { words.to_owned() } else { format!("{}: {words}", place.join(".")) })
                })
                .collect();
            (!lines.is_empty()).then(|| lines.join("; "))
        }
        Value::Object(object) => ["message", "detail", "msg"].iter().find_map(|key| object.get(*key).and_then(sentence)),
        _ => None,
    }
}

/// Phrases of every family that mean "longer than the context window", LiteLLM's included.
const OVERFLOW: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size_error",
    "contextwindowexceedederror",
    "exceeds the context window",
    "exceed context limit",
    "maximum context length",
    "string too long. expected a string with maximum length",
    "model's maximum context limit",
    "is longer than the model's context length",
    "input tokens exceed the configured limit",
    "`inputs` tokens + `max_new_tokens` must be",
    "exceeds the available context size",
    "exceeds the maximum number of tokens allowed",
    "request payload size exceeds",
    "prompt is too long",
    "prompt: length",
    "too many input tokens",
    "exceed model maximum",
    "context length exceeded",
    "context window exceeded",
    "exceeded model token limit",
    "prompt exceeds max length",
    "greater than the context length",
    "model_context_window_exceeded",
    "trying to keep the first",
];

const BALANCE: &[&str] = &[
    "insufficient_quota",
    "billing_error",
    "insufficient balance",
    "insufficient credits",
    "insufficient funds",
    "credit balance is too low",
    "exceeded_current_quota",
    "no credits",
    "out of credits",
    "not have any credits",
    "doesn't have any credits",
    "spending limit",
    "spend_limit_reached",
    "arrears",
    "payment required",
    "api usage limits",
];

const KEY: &[&str] = &[
    "incorrect api key",
    "invalid api key",
    "invalid_api_key",
    "api key not valid",
    "api_key_invalid",
    "invalid x-api-key",
    "authentication_error",
    "no api key provided",
    "missing api key",
    "incorrect authentication token",
    "invalid token",
    "invalid authentication",
    "user not found",
    "wrong api key",
    // LiteLLM's proxy, for a key that it does not know.
    "no connected db",
];

/// Words of failures that are about the secure connection, not about the network.
const TLS: [&str; 7] = ["certificate", "tls", "handshake", "corrupt message", "unknownissuer", "fatal alert", "notvalidforname"];

/// What a failed connection means.
pub(crate) fn of_transport(provider: &str, error: &reqwest::Error) -> ModelError {
    let provider = provider.to_owned();
    // The innermost cause says most, and unlike the outer ones it does not hold the address.
    let message = text::truncate(&text::innermost(error), 160);
    let lower = message.to_ascii_lowercase();
    if TLS.iter().any(|word| lower.contains(word)) {
        ModelError::Tls { provider, message }
    } else if error.is_connect() || error.is_timeout() {
        ModelError::Unreachable { provider, message }
    } else {
        ModelError::Broken { provider }
    }
}

/// The pause a provider asks for: milliseconds, seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|value| value.parse::<u64>().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let value = text(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds.max(0.0)).ok();
    }
    let when = httpdate::parse_http_date(value).ok()?;
    Some(when.duration_since(std::time::SystemTime::now()).unwrap_or_default())
}

#[cfg(test)]
mod tests;

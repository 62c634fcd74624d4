//! A model at a service: what all services have in common. Keys and their turns, the limit of
//! requests, retries, reasoning in the text, models without tools, and prices.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use nexi_core::{
    model::{Delta, DeltaSink, FinishReason, Model, ModelError, ModelRequest, Reply},
    pricing::Price,
    prompts::Prompts,
    settings::Route,
};
use secrecy::{ExposeSecret, SecretString};
use tokio_util::sync::CancellationToken;

use crate::{
    http,
    json_tools::{self, JsonStream},
    keys::{Keys, is_about_the_key},
    retry::Retries,
    shared::{Quirks, Registry, Shared},
    stream::{self, Framing},
    think::{Part, ThinkFilter},
};

/// How to reach a model.
#[derive(Debug, Clone)]
pub struct EndpointConfig {
    /// The name in the settings.
    pub name: String,
    /// Without a trailing slash.
    pub base_url: String,
    pub model: String,
    pub keys: Keys,
    /// How long the service may be silent.
    pub timeout: Duration,
    /// How often a passing failure is retried.
    pub retries: u32,
    pub requests_per_minute: Option<u32>,
    /// Whether the model knows tools; none asks the service or tries it.
    pub tools: Option<bool>,
    /// The context window in tokens, for services that have to be told.
    pub context: u32,
    pub price: Option<Price>,
    pub prompts: Prompts,
    pub route: Route,
}

/// One request as an adapter performs it.
pub(crate) struct Call<'a> {
    /// What failures call the service.
    pub provider: &'a str,
    pub key: Option<&'a SecretString>,
    pub request: &'a ModelRequest,
    pub deltas: DeltaSink<'a>,
    pub cancel: &'a CancellationToken,
    pub quirks: &'a Quirks,
}

/// The wire format of a kind of service.
#[async_trait]
pub(crate) trait Api: Send + Sync {
    /// Asks once.
    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError>;

    /// The request that lists the service's models.
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder;

    /// The context window that the service tells, in tokens.
    async fn window(&self, _: &CancellationToken) -> Option<u32> {
        None
    }

    /// Whether the service says that the model knows tools; none when it does not say.
    async fn knows_tools(&self, _: &CancellationToken) -> Option<bool> {
        None
    }
}

/// A model at a service.
pub struct Endpoint {
    config: EndpointConfig,
    api: Box<dyn Api>,
    shared: Arc<Shared>,
}

impl Endpoint {
    /// Prepares a model that speaks the wire format that `api` makes. Nothing is sent yet.
    ///
    /// # Errors
    /// When a key holds characters that no header can carry, or TLS cannot be set up.
    pub(crate) fn open(
        config: EndpointConfig,
        registry: &Registry,
        api: impl FnOnce(EndpointConfig, reqwest::Client) -> Box<dyn Api>,
    ) -> Result<Self, ModelError> {
        for (index, key) in config.keys.keys.iter().enumerate() {
            if !key.expose_secret().trim().bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
                return Err(ModelError::Unauthorized { provider: config.keys.name(&config.name, Some(index)), status: 401 });
            }
        }
        let http =
            http::client(&config.route).map_err(|error| ModelError::Tls { provider: config.name.clone(), message: error.to_string() })?;
        let api = api(config.clone(), http);
        let shared = registry.of(&config.name, &config.model);
        Ok(Self { config, api, shared })
    }

    /// The names of the service's models, in order of the alphabet.
    ///
    /// # Errors
    /// When the service refuses or cannot be reached.
    pub async fn models(&self, cancel: &CancellationToken) -> Result<Vec<String>, ModelError> {
        let mut names = Vec::new();
        let timeout = self.config.timeout;
        let request = self.api.list(self.config.keys.keys.first());
        let take = |reply: serde_json::Value| {
            names.extend(model_names(&reply));
            Ok(false)
        };
        stream::events(request, Framing::Sse, &self.config.name, timeout, timeout, cancel, take)
            .await
            .map_err(|error| self.scrub(error))?;
        names.sort();
        names.dedup();
        Ok(names)
    }

    async fn without_tools(&self, cancel: &CancellationToken) -> bool {
        match self.config.tools {
            Some(tools) => !tools,
            None if self.shared.quirks.without_tools.load(Ordering::Relaxed) => true,
            None => {
                let unknown = self.api.knows_tools(cancel).await == Some(false);
                self.shared.quirks.without_tools.store(unknown, Ordering::Relaxed);
                unknown
            }
        }
    }

    /// Keys that a careless proxy may have sent back are taken out of what failures say.
    fn scrub(&self, mut error: ModelError) -> ModelError {
        if let ModelError::Rejected { message, .. } | ModelError::Malformed { message, .. } | ModelError::Unreachable { message, .. } =
            &mut error
        {
            for key in &self.config.keys.keys {
                let key = key.expose_secret().trim();
                if !key.is_empty() {
                    *message = message.replace(key, "[key]");
                }
            }
        }
        error
    }
}

#[async_trait]
impl Model for Endpoint {
    fn label(&self) -> String {
        format!("{} · {}", self.config.model, self.config.name)
    }

    async fn window(&self, cancel: &CancellationToken) -> Option<u32> {
        self.api.window(cancel).await
    }

    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        let mut retries = Retries::new(self.config.retries);
        let order = self.config.keys.order(&self.shared.next_key);
        let mut turn = 0;
        // The first key that was refused for a while only.
        let mut passing: Option<(usize, ModelError)> = None;
        let mut plain = self.without_tools(cancel).await;
        loop {
            self.shared.pace(self.config.requests_per_minute, &self.config.name, cancel).await?;
            let index = order[turn];
            let provider = self.config.keys.name(&self.config.name, index);
            let rewritten = plain.then(|| json_tools::rewrite(request, &self.config.prompts));
            let said_something = AtomicBool::new(false);
            let decoder = Mutex::new(Decoder::new(plain));
            let decoded = |delta: Delta| {
                said_something.store(true, Ordering::Relaxed);
                let parts = decoder.lock().unwrap_or_else(PoisonError::into_inner).push(delta);
                parts.into_iter().for_each(deltas);
            };
            let call = Call {
                provider: &provider,
                key: index.and_then(|index| self.config.keys.keys.get(index)),
                request: rewritten.as_ref().unwrap_or(request),
                deltas: &decoded,
                cancel,
                quirks: &self.shared.quirks,
            };
            let started = tokio::time::Instant::now();
            let error = match self.api.ask(&call).await {
                Ok(reply) => {
                    let decoder = decoder.into_inner().unwrap_or_else(PoisonError::into_inner);
                    let reply = self.finished(decoder, reply, deltas);
                    tracing::debug!(provider, ms = started.elapsed().as_millis() as u64, finish = ?reply.finish, calls = reply.calls.len(), usage = ?reply.usage, "the model replied");
                    return Ok(reply);
                }
                Err(ModelError::Cancelled) => return Err(ModelError::Cancelled),
                Err(error) => self.scrub(error),
            };
            let had_begun = said_something.load(Ordering::Relaxed);
            let refuses_tools =
                matches!(&error, ModelError::Rejected { status, message, .. } if json_tools::is_about_tools(*status, message));
            if refuses_tools && !plain && self.config.tools.is_none() {
                tracing::info!(provider, "the service knows no tools; they are explained in words from now on");
                self.shared.quirks.without_tools.store(true, Ordering::Relaxed);
                plain = true;
            } else if matches!(&error, ModelError::Rejected { status, message, .. } if self.shared.quirks.learn(*status, message)) {
                tracing::info!(provider, %error, "asking in another way");
            } else if is_about_the_key(&error) && turn + 1 < order.len() {
                tracing::warn!(%error, "trying the next key");
                if error.is_retryable() {
                    passing.get_or_insert((turn, error));
                }
                turn += 1;
            } else {
                // A key that was only limited will do again; one that was refused will not.
                let (again, error) = match passing.take() {
                    Some(earlier) if !error.is_retryable() => earlier,
                    _ => (turn, error),
                };
                turn = again;
                let wait = retries.after(error, had_begun)?;
                tokio::select! {
                    () = cancel.cancelled() => return Err(ModelError::Cancelled),
                    () = tokio::time::sleep(wait) => {}
                }
            }
            if had_begun {
                deltas(Delta::Restart);
            }
        }
    }
}

impl Endpoint {
    /// The reply without reasoning, with the calls that stand in its text, and with its price.
    fn finished(&self, mut decoder: Decoder, mut reply: Reply, deltas: DeltaSink<'_>) -> Reply {
        decoder.finish().into_iter().for_each(deltas);
        reply.text = decoder.text;
        let in_text = decoder.json.is_some() || reply.text.contains("<tool_call>");
        if reply.calls.is_empty()
            && in_text
            && let Some(calls) = json_tools::parse(&reply.text)
        {
            if decoder.json.as_ref().is_none_or(JsonStream::is_plain) && !reply.text.is_empty() {
                // What was streamed was talk around a call.
                deltas(Delta::Restart);
            }
            reply.calls = calls;
            reply.text = String::new();
            if reply.finish == FinishReason::Stop {
                reply.finish = FinishReason::ToolCalls;
            }
        }
        // Some services count nothing and say so.
        reply.usage =
            reply.usage.filter(|usage| usage.total() > 0).map(|usage| self.config.price.map_or(usage, |price| price.priced(usage)));
        reply
    }
}

/// The names in a service's list of models, whichever of the four shapes it has.
fn model_names(reply: &serde_json::Value) -> Vec<String> {
    let list = ["data", "models"].iter().find_map(|key| reply[*key].as_array()).map(Vec::as_slice).unwrap_or_default();
    let answers = |item: &&serde_json::Value| match item["supportedGenerationMethods"].as_array() {
        Some(methods) => methods.iter().any(|method| method == "generateContent"),
        None => true,
    };
    let name = |item: &serde_json::Value| ["id", "name", "model"].iter().find_map(|key| item[*key].as_str().map(str::to_owned));
    list.iter().filter(answers).filter_map(name).map(|name| name.trim_start_matches("models/").to_owned()).collect()
}

/// Takes reasoning out of text, and calls where they are written into it.
struct Decoder {
    think: ThinkFilter,
    json: Option<JsonStream>,
    /// All text that was no reasoning.
    text: String,
}

impl Decoder {
    fn new(plain: bool) -> Self {
        Self { think: ThinkFilter::default(), json: plain.then(JsonStream::default), text: String::new() }
    }

    fn push(&mut self, delta: Delta) -> Vec<Delta> {
        match delta {
            Delta::Text(text) => {
                let parts = self.think.push(&text);
                self.take(parts)
            }
            other => vec![other],
        }
    }

    fn finish(&mut self) -> Vec<Delta> {
        let parts = self.think.finish();
        self.take(parts)
    }

    fn take(&mut self, parts: Vec<Part>) -> Vec<Delta> {
        let mut out = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => {
                    self.text.push_str(&text);
                    match &mut self.json {
                        Some(json) => out.extend(json.push(&text)),
                        None => out.push(Delta::Text(text)),
                    }
                }
                Part::Reasoning(text) => out.push(Delta::Reasoning(text)),
                Part::AllWasReasoning(text) => {
                    self.text.clear();
                    self.json = self.json.is_some().then(JsonStream::default);
                    out.push(Delta::Restart);
                    out.push(Delta::Reasoning(text));
                }
            }
        }
        out
    }
}

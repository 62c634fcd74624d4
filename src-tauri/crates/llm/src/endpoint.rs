//! A model at a service: what all services have in common. Keys and their turns, the limit of
//! requests, retries, reasoning in the text, models without tools, and prices.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use nexi_core::{
    model::{Delta, DeltaSink, FinishReason, Model, ModelError, ModelInfo, ModelRequest, ProviderState, Reply, Thinking},
    pricing::{KnownModel, Price},
    prompts::Prompts,
    protocol::{Incident, IncidentAction},
    settings::{ChatWire, Vendor, service_title},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    facts::Facts,
    failure::About,
    json_tools::{self, JsonStream},
    keys::{Keys, is_about_the_key},
    quirks::{self, Quirk},
    retry::Retries,
    shared::{Registry, Shared, TELLING},
    stream::{self, Bounds, Framing, Progress},
    think::{Part, ThinkFilter},
};

/// Ways of asking that are tried for one request.
const MOST_WAYS: usize = 6;
/// Replies that broke off before one is asked for as a whole.
const STREAMS: u32 = 2;

/// How to reach a model.
#[derive(Clone)]
pub struct EndpointConfig {
    /// The name in the settings.
    pub name: String,
    /// Without a trailing slash.
    pub base_url: String,
    pub model: String,
    pub keys: Keys,
    /// Follows no redirects and retries nothing.
    pub http: reqwest::Client,
    /// How long nothing may come of a reply.
    pub timeout: Duration,
    /// How long one reply may take.
    pub total: Duration,
    /// How often a passing failure is retried.
    pub retries: u32,
    pub requests_per_minute: Option<u32>,
    /// Whether the model knows tools; none asks the service or tries it.
    pub tools: Option<bool>,
    /// The context window in tokens, for services that have to be told.
    pub context: u32,
    /// None where it is not known; nothing for services on this computer.
    pub price: Option<Price>,
    /// What the table says of the model.
    pub known: Option<KnownModel>,
    /// The preset of the service.
    pub vendor: Option<&'static Vendor>,
    pub is_local: bool,
    pub api: ChatWire,
    /// How much this model thinks, in place of what a request says.
    pub thinking: Option<Thinking>,
    pub prompts: Prompts,
}

/// One request as an adapter performs it.
pub(crate) struct Call<'a> {
    /// What failures call the service.
    pub about: About<'a>,
    pub key: Option<&'a SecretString>,
    pub request: &'a ModelRequest,
    pub deltas: DeltaSink<'a>,
    pub bounds: Bounds<'a>,
    /// How the service wants to be asked.
    pub ways: &'a BTreeSet<Quirk>,
    /// In tokens, as much as the model can and the request allows.
    pub max_output: u32,
    pub thinking: Thinking,
    pub known: Option<KnownModel>,
    /// The window that the service says the model has, once it was asked, in tokens.
    pub made_for: Option<u32>,
    /// Whose state is taken back: the origin of this adapter, address and model.
    pub origin: &'a str,
}

impl<'a> Call<'a> {
    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.ways.contains(&quirk)
    }

    /// What this very service sent with a message and wants back.
    pub(crate) fn echo<'m>(&self, state: &'m Option<Box<ProviderState>>) -> Option<&'m [Value]> {
        let state = state.as_ref().filter(|state| state.origin == self.origin && !self.has(Quirk::NoEcho))?;
        Some(&state.items)
    }

    /// Whether anything is to be said about how much to think.
    pub(crate) fn says_thinking(&self) -> bool {
        !self.thinking.is_auto() && !self.has(Quirk::NoThinking) && self.known.is_none_or(|known| known.reasons)
    }

    pub(crate) fn cancel(&self) -> &'a CancellationToken {
        self.bounds.cancel
    }

    pub(crate) fn provider(&self) -> &'a str {
        self.about.provider
    }
}

/// The wire format of a kind of service.
#[async_trait]
pub(crate) trait Api: Send + Sync {
    /// Asks once.
    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError>;

    /// The request that lists the service's models.
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder;

    /// The name of the wire format that a request with these quirks is made in.
    fn wire(&self, ways: &BTreeSet<Quirk>) -> &'static str;

    /// What the service tells of the model; none where it could not be asked.
    async fn facts(&self, _: Option<&SecretString>) -> Option<Facts> {
        Some(Facts::default())
    }
}

/// A model at a service.
pub struct Endpoint {
    config: EndpointConfig,
    api: Box<dyn Api>,
    shared: Arc<Shared>,
    registry: Arc<Registry>,
}

impl Endpoint {
    /// Prepares a model that speaks the wire format that `api` makes. Nothing is sent yet.
    ///
    /// # Errors
    /// When a key holds characters that no header can carry.
    pub(crate) fn open(
        config: EndpointConfig,
        registry: &Arc<Registry>,
        api: impl FnOnce(EndpointConfig) -> Box<dyn Api>,
    ) -> Result<Self, ModelError> {
        for (index, key) in config.keys.keys.iter().enumerate() {
            if !key.expose_secret().trim().bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
                return Err(ModelError::UnusableKey { provider: config.keys.name(&config.name, Some(index)) });
            }
        }
        let api = api(config.clone());
        let shared = registry.of(&config.base_url, &config.model);
        Ok(Self { config, api, shared, registry: registry.clone() })
    }

    /// The names of the service's models, alphabetically.
    ///
    /// # Errors
    /// When the service refuses or cannot be reached.
    pub async fn models(&self, cancel: &CancellationToken) -> Result<Vec<String>, ModelError> {
        let mut names = Vec::new();
        let request = self.api.list(self.config.keys.keys.first());
        let take = |reply: Value| {
            names.extend(model_names(&reply));
            Ok(false)
        };
        let progress = Progress::new();
        let limit = self.config.timeout.min(LISTING);
        let bounds = Bounds { limit, progress: &progress, cancel };
        stream::events(request, Framing::Sse, self.about(service_title(&self.config.name)), &bounds, take)
            .await
            .map_err(|error| self.scrub(error))?;
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn about<'a>(&'a self, provider: &'a str) -> About<'a> {
        About { provider, model: &self.config.model, address: &self.config.base_url }
    }

    /// What the service tells, asked once; nothing while it cannot be reached.
    async fn facts(&self, cancel: &CancellationToken) -> Facts {
        let untold = || self.shared.untold.lock().unwrap_or_else(PoisonError::into_inner);
        if self.shared.facts.get().is_none() && untold().is_some_and(|at| at.elapsed() < AGAIN) {
            return Facts::default();
        }
        let ask = self.shared.facts.get_or_try_init(|| async { self.api.facts(self.config.keys.keys.first()).await.ok_or(()) });
        tokio::select! {
            () = cancel.cancelled() => Facts::default(),
            // A service that does not tell soon is asked again later; what is known holds until then.
            () = tokio::time::sleep(FACTS_TIMEOUT) => {
                *untold() = Some(Instant::now());
                Facts::default()
            }
            facts = ask => facts.copied().unwrap_or_else(|()| {
                *untold() = Some(Instant::now());
                Facts::default()
            }),
        }
    }

    async fn without_tools(&self, ways: &BTreeSet<Quirk>, cancel: &CancellationToken) -> bool {
        match self.config.tools {
            Some(tools) => !tools,
            None if ways.contains(&Quirk::NoTools) => true,
            None if self.config.known.is_some_and(|known| known.tools == Some(true)) => false,
            None => self.config.is_local && self.facts(cancel).await.tools == Some(false),
        }
    }

    /// In tokens, as much as a reply can have.
    fn max_output(&self, wanted: u32, ways: &BTreeSet<Quirk>) -> u32 {
        let refused = ways.iter().find_map(|quirk| if let Quirk::MaxOutput(most) = quirk { Some(*most) } else { None });
        let told = self.shared.facts.get().and_then(|facts| facts.max_output);
        let known = self.config.known.and_then(|known| known.max_output);
        [refused, told, known].into_iter().flatten().fold(wanted, u32::min).max(1)
    }

    fn price(&self) -> Option<Price> {
        self.config.price.or_else(|| self.shared.facts.get()?.price)
    }

    /// Keys that a careless proxy may have sent back are taken out of what failures say.
    fn scrub(&self, error: ModelError) -> ModelError {
        let words = error.said().map(|said| self.config.keys.hidden(said));
        words.into_iter().fold(error, ModelError::with_words)
    }
}

/// How long a service may take to tell what it has.
const FACTS_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a service that did not tell is not asked again.
const AGAIN: Duration = Duration::from_secs(600);

/// How long listing models may take.
const LISTING: Duration = Duration::from_secs(30);

#[async_trait]
impl Model for Endpoint {
    fn label(&self) -> String {
        // `provider/model` names the model, too.
        let provider = self.config.name.strip_suffix(&format!("/{}", self.config.model)).unwrap_or(&self.config.name);
        format!("{} · {provider}", self.config.model)
    }

    async fn told(&self, cancel: &CancellationToken) -> ModelInfo {
        // Services whose models are in the table need not be asked.
        let is_known =
            self.config.known.is_some_and(|known| known.context.is_some()) && self.config.price.is_some() && !self.config.is_local;
        let facts = if is_known { Facts::default() } else { self.facts(cancel).await };
        let price = self.config.price.or(facts.price);
        let unpriced = if price.is_none() { vec![self.label()] } else { Vec::new() };
        ModelInfo { window: facts.window, price, unpriced }
    }

    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        let mut retries = Retries::new(self.config.retries);
        let order = self.config.keys.order(&self.shared.next_key);
        let mut turn = 0;
        // The first key that was refused for a while only.
        let mut passing: Option<(usize, ModelError)> = None;
        let mut ways = self.config.vendor.map(|vendor| quirks::known(vendor.quirks)).unwrap_or_default();
        ways.extend(self.shared.ways());
        // Ways that are tried for the first time, with what the service had said.
        let mut tried: Vec<(Quirk, bool, String)> = Vec::new();
        let mut broken = 0;
        let mut plain = self.without_tools(&ways, cancel).await;
        loop {
            let (address, limit) = (&self.config.base_url, self.config.requests_per_minute);
            self.registry.pace(address, limit, service_title(&self.config.name), deltas, cancel).await?;
            let index = order[turn];
            let provider = self.config.keys.name(&self.config.name, index);
            let rewritten = plain.then(|| json_tools::rewrite(request, &self.config.prompts));
            let said_something = AtomicBool::new(false);
            let decoder = Mutex::new(Decoder::new(plain));
            let progress = Progress::new();
            let decoded = |delta: Delta| {
                if !delta.is_empty() {
                    said_something.store(true, Ordering::Relaxed);
                    progress.touch();
                }
                let parts = decoder.lock().unwrap_or_else(PoisonError::into_inner).push(delta);
                parts.into_iter().for_each(deltas);
            };
            let origin = format!("{} {} {}", self.api.wire(&ways), self.config.base_url.trim_end_matches('/'), self.config.model);
            let call = Call {
                about: self.about(&provider),
                key: index.and_then(|index| self.config.keys.keys.get(index)),
                request: rewritten.as_ref().unwrap_or(request),
                deltas: &decoded,
                // A reply that comes whole is silent until it is there.
                bounds: Bounds {
                    limit: if ways.contains(&Quirk::NoStreaming) { self.config.total } else { self.config.timeout },
                    progress: &progress,
                    cancel,
                },
                ways: &ways,
                max_output: self.max_output(request.max_output_tokens, &ways),
                thinking: self.config.thinking.filter(|_| request.thinking.is_auto()).unwrap_or(request.thinking),
                known: self.config.known,
                made_for: self.shared.facts.get().and_then(|facts| facts.window),
                origin: &origin,
            };
            let started = tokio::time::Instant::now();
            let asked = tokio::time::timeout(self.config.total, self.api.ask(&call)).await;
            let asked = asked.unwrap_or_else(|_| Err(ModelError::Endless { provider: provider.clone(), after: self.config.total }));
            let error = match asked {
                Ok(reply) => {
                    for (quirk, lasts, said) in &tried {
                        tracing::info!(provider, ?quirk, "learned");
                        if *lasts {
                            self.registry.confirm(&self.config.base_url, &self.config.model, *quirk, said);
                        }
                    }
                    let decoder = decoder.into_inner().unwrap_or_else(PoisonError::into_inner);
                    let mut reply = self.finished(decoder, reply, deltas);
                    reply.tools_in_text = plain && request.tools != nexi_core::model::ToolSet::None;
                    if let Some(state) = &mut reply.state {
                        state.origin.clone_from(&origin);
                    }
                    tracing::debug!(provider, ms = started.elapsed().as_millis() as u64, finish = ?reply.finish, calls = reply.calls.len(), usage = ?reply.usage, "the model replied");
                    return Ok(reply);
                }
                Err(ModelError::Cancelled) => return Err(ModelError::Cancelled),
                Err(ModelError::Unauthorized { provider, said, .. }) if index.is_none() => {
                    self.scrub(ModelError::KeyWanted { provider, said })
                }
                Err(error) => self.scrub(error),
            };
            let had_begun = said_something.load(Ordering::Relaxed);
            let at_responses = self.config.api == ChatWire::Auto && self.api.wire(&ways) == "responses";
            let taught = lesson(&error).filter(|(quirk, ..)| !(at_responses && *quirk == Quirk::Responses));
            if let Some((quirk, lasts, said)) = taught.or_else(|| at_responses.then(|| not_there(&error)).flatten())
                && !(quirk == Quirk::NoTools && self.config.tools.is_some())
                && tried.len() < MOST_WAYS
                && ways.insert(quirk)
            {
                tracing::info!(provider, %error, ?quirk, "asking in another way");
                plain |= quirk == Quirk::NoTools;
                tried.push((quirk, lasts, said));
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
                broken += u32::from(matches!(error, ModelError::Broken { .. } | ModelError::Malformed { .. }));
                let incident = Incident::of_model(&error, IncidentAction::None);
                let wait = retries.after(error, had_begun)?;
                if broken >= STREAMS {
                    // A connection that breaks streams may well bring a whole reply.
                    ways.insert(Quirk::NoStreaming);
                }
                if wait >= TELLING {
                    let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
                    deltas(Delta::Waiting(Incident { action: IncidentAction::Retry { wait_ms }, ..incident }));
                }
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

/// What a failure teaches: another way of asking, whether that is worth keeping, and the service's words.
fn lesson(error: &ModelError) -> Option<(Quirk, bool, String)> {
    match error {
        ModelError::Rejected { status, message, .. } => {
            let (quirk, lasts) = Quirk::learn(*status, message)?;
            Some((quirk, lasts, message.clone()))
        }
        _ => None,
    }
}

/// What a service teaches that has nothing at `/responses`.
fn not_there(error: &ModelError) -> Option<(Quirk, bool, String)> {
    let is_absent = match error {
        ModelError::WrongAddress { .. } => true,
        ModelError::Rejected { status, .. } | ModelError::Server { status, .. } => matches!(status, 404 | 405 | 501),
        _ => false,
    };
    is_absent.then(|| (Quirk::NoResponses, true, error.to_string()))
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
        reply.usage = reply.usage.filter(|usage| usage.total() > 0).map(|usage| self.price().map_or(usage, |price| price.priced(usage)));
        reply
    }
}

/// The names in a service's list of models, whichever of the four shapes it has.
fn model_names(reply: &serde_json::Value) -> Vec<String> {
    let list = ["data", "models"].iter().find_map(|key| reply[*key].as_array()).or_else(|| reply.as_array());
    let list = list.map(Vec::as_slice).unwrap_or_default();
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

//! Any service that speaks OpenAI's `/chat/completions`, by way of `async-openai`; models that want
//! `/responses` are asked there.

mod extras;
mod responses;
mod wire;

use std::collections::{BTreeSet, HashMap};

use async_openai::{Client, config::OpenAIConfig, error::OpenAIError};
use async_trait::async_trait;
use nexi_core::{
    model::{BadReply, Delta, FinishReason, ModelError, Reply, ToolCall},
    protocol::Usage,
    settings::{ChatWire, ProviderKind, service_title},
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::{
    endpoint::{Api, Call, Endpoint, EndpointConfig},
    facts::{self, Facts},
    failure::{self, HttpFailure},
    http,
    quirks::Quirk,
    shared::Registry,
    stream::{self, SleepDetector},
};
use extras::Extras;
pub(crate) use wire::{effort, usage, well_formed};

/// Bytes of words in one reply.
pub(crate) const MAX_REPLY: usize = 16 * 1024 * 1024;

struct OpenAi {
    config: EndpointConfig,
}

/// A model behind an OpenAI-compatible service. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry.
pub fn open_ai_compatible(config: EndpointConfig, registry: &std::sync::Arc<Registry>) -> Result<Endpoint, ModelError> {
    debug_assert!(config.vendor.is_none_or(|vendor| vendor.kind == ProviderKind::OpenaiCompatible));
    Endpoint::open(config, registry, |config| Box::new(OpenAi { config }))
}

impl OpenAi {
    /// Whether the model is asked at `/responses`: because the settings or the service say so, or
    /// because it is known to be there only, or to call tools while thinking there only.
    fn at_responses(&self, ways: &BTreeSet<Quirk>) -> bool {
        match self.config.api {
            ChatWire::Chat => false,
            ChatWire::Responses => true,
            ChatWire::Auto if ways.contains(&Quirk::NoResponses) => false,
            ChatWire::Auto if ways.contains(&Quirk::Responses) => true,
            ChatWire::Auto => {
                let is_there = self.config.vendor.is_some_and(|vendor| vendor.quirks.responses);
                is_there && self.config.known.is_some_and(|known| known.responses || (known.reasons && is_openai(&self.config)))
            }
        }
    }

    fn has_key_header(&self) -> bool {
        self.config.vendor.is_some_and(|vendor| vendor.quirks.api_key_header)
    }
}

fn is_openai(config: &EndpointConfig) -> bool {
    config.vendor.is_some_and(|vendor| matches!(vendor.id, "openai" | "azure"))
}

/// The client of `async-openai` for one request.
fn client(
    config: &EndpointConfig,
    key: Option<&SecretString>,
    has_key_header: bool,
    watch: &http::Watch,
) -> Result<Client<OpenAIConfig>, ModelError> {
    let key = key.map(|key| key.expose_secret().trim().to_owned()).unwrap_or_default();
    let mut api = OpenAIConfig::new()
        .with_api_base(config.base_url.trim_end_matches('/'))
        .with_api_key(if has_key_header { "" } else { &key })
        // Left alone, these come from variables that were meant for another service.
        .with_org_id("")
        .with_project_id("");
    let header = |name: &'static str, value: &str, api: OpenAIConfig| {
        api.with_header(name, value).map_err(|_| ModelError::UnusableKey { provider: service_title(&config.name).to_owned() })
    };
    if has_key_header {
        api = header("api-key", &key, api)?;
    }
    if config.vendor.is_some_and(|vendor| vendor.id == "openrouter") {
        api = header("x-title", "Nexi", api)?;
    }
    Ok(Client::build(config.http.clone(), api).with_http_service(http::service(config.http.clone(), watch.clone())))
}

#[async_trait]
impl Api for OpenAi {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let request = self.config.http.get(format!("{}/models", self.config.base_url.trim_end_matches('/')));
        match key {
            Some(key) if self.has_key_header() => request.header("api-key", key.expose_secret().trim()),
            Some(key) => request.bearer_auth(key.expose_secret().trim()),
            None => request,
        }
    }

    fn wire(&self, ways: &BTreeSet<Quirk>) -> &'static str {
        if self.at_responses(ways) { "responses" } else { "chat" }
    }

    async fn facts(&self, key: Option<&SecretString>) -> Option<Facts> {
        facts::ask(&self.config.http, &self.config.base_url, &self.config.model, key, self.config.is_local).await
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let watch = http::Watch::default();
        let client = client(&self.config, call.key, self.has_key_header(), &watch)?;
        let meaning = |error| meaning(call, &watch, error);
        let silent = || ModelError::Silent { provider: call.provider().to_owned(), after: call.bounds.limit };
        let mut wake = SleepDetector::new();
        if self.at_responses(call.ways) {
            let body = responses::body(&self.config.model, call);
            let responses = client.responses();
            let opening = responses.create_stream_byot::<_, Value>(&body);
            let mut events = tokio::select! {
                () = call.cancel().cancelled() => return Err(ModelError::Cancelled),
                opened = tokio::time::timeout(call.bounds.limit, opening) => opened.map_err(|_| silent())?.map_err(meaning)?,
            };
            let mut building = responses::Building::default();
            while let Some(event) = stream::next(&mut events, call.provider(), &call.bounds, &mut wake).await? {
                if building.take(event.map_err(meaning)?, call)? {
                    break;
                }
            }
            return building.finish().ok_or(ModelError::Broken { provider: call.provider().to_owned() });
        }
        let body = wire::body(&self.config.model, self.config.vendor, call);
        let chat = client.chat();
        let opening = chat.create_stream_byot::<_, wire::Chunk>(&body);
        let mut chunks = tokio::select! {
            () = call.cancel().cancelled() => return Err(ModelError::Cancelled),
            opened = tokio::time::timeout(call.bounds.limit, opening) => opened.map_err(|_| silent())?.map_err(meaning)?,
        };
        let mut building = Building::default();
        while let Some(chunk) = stream::next(&mut chunks, call.provider(), &call.bounds, &mut wake).await? {
            let chunk = chunk.map_err(meaning)?;
            if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
                return Err(failure::of_stream(call.about, &error));
            }
            // Half an answer is none: some services tell of a failure behind them only here.
            if chunk.choices.first().and_then(|choice| choice.finish_reason.as_deref()).is_some_and(wire::has_failed) {
                return Err(ModelError::Broken { provider: call.provider().to_owned() });
            }
            building.take(wire::Chunk { error: None, ..chunk }, call);
            if building.bytes > MAX_REPLY {
                return Err(ModelError::runaway(call.provider(), BadReply::NeverEnds));
            }
        }
        building.finish().ok_or(ModelError::Broken { provider: call.provider().to_owned() })
    }
}

/// What a failure of `async-openai` means.
fn meaning(call: &Call<'_>, watch: &http::Watch, error: OpenAIError) -> ModelError {
    let provider = call.provider().to_owned();
    if let Some(why) = watch.cut() {
        return ModelError::runaway(provider, why);
    }
    match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<HttpFailure>() {
            Ok(failure) => failure.classify(call.about),
            Err(other) => ModelError::Unreachable { provider, message: other.to_string() },
        },
        OpenAIError::Reqwest(error) => failure::of_transport(&provider, &error),
        OpenAIError::StreamError(_) => ModelError::Broken { provider },
        OpenAIError::JSONDeserialize(error, _) => {
            tracing::info!(%error, "an event cannot be read");
            ModelError::malformed(provider, BadReply::NotACompletion)
        }
        OpenAIError::ApiError(error) => failure::of_stream(call.about, &serde_json::json!({"message": error.to_string()})),
        other => ModelError::Malformed { provider, why: None, message: nexi_core::text::truncate(&other.to_string(), 200) },
    }
}

/// A reply that is still arriving.
#[derive(Default)]
struct Building {
    text: String,
    calls: Vec<ToolCall>,
    /// The newest call of each number that the service gave.
    places: HashMap<usize, usize>,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    /// What it holds besides, which is sent back as it came.
    extras: Extras,
    /// The model refused, in a field of its own.
    refused: bool,
    bytes: usize,
}

impl Building {
    fn take(&mut self, chunk: wire::Chunk, call: &Call<'_>) {
        let deltas = call.deltas;
        if let Some(usage) = chunk.usage.as_ref().and_then(wire::usage) {
            self.usage = Some(usage);
        }
        let Some(choice) = chunk.choices.into_iter().next() else { return };
        if let Some(reason) = choice.finish_reason {
            self.finish = Some(wire::finish_reason(&reason));
        }
        if let Some(usage) = choice.usage.as_ref().and_then(wire::usage) {
            self.usage = Some(usage);
        }
        let Some(message) = choice.delta.or(choice.message) else { return };
        let thoughts = wire::reasoning(&message);
        if !thoughts.is_empty() {
            self.bytes += thoughts.len();
            deltas(Delta::Reasoning(thoughts));
        }
        let (mut text, chunks) = wire::content(message.content);
        if let Some(refusal) = message.rest.get("refusal").and_then(Value::as_str).filter(|words| !words.is_empty()) {
            text.push_str(refusal);
            self.refused = true;
        }
        if !text.is_empty() {
            self.bytes += text.len();
            self.text.push_str(&text);
            deltas(Delta::Text(text));
        }
        self.bytes += self.extras.message(message.rest, chunks);
        for (place, piece) in message.tool_calls.unwrap_or_default().into_iter().enumerate() {
            self.take_call(place, piece, call);
        }
    }

    fn take_call(&mut self, place: usize, call: wire::CallPiece, request: &Call<'_>) {
        let deltas = request.deltas;
        let id = call.id.filter(|id| !id.is_empty());
        // Servers that send whole calls leave the index out, or send 0 for each of them.
        // Some services count from 1, or leave numbers out.
        let known_place = call.index.and_then(|index| self.places.get(&index).copied());
        let index = match (call.index, known_place) {
            (Some(_), Some(place)) if id.is_some() && !self.calls[place].id.is_empty() && Some(&self.calls[place].id) != id.as_ref() => {
                self.calls.len()
            }
            (Some(_), Some(place)) => place,
            (Some(_), None) => self.calls.len(),
            (None, _) if id.is_some() || self.calls.is_empty() => self.calls.len(),
            (None, _) => place.max(self.calls.len() - 1),
        };
        if index >= self.calls.len() {
            if let Some(number) = call.index {
                self.places.insert(number, self.calls.len());
            }
            self.calls.push(ToolCall { id: String::new(), name: String::new(), arguments: String::new(), signature: None });
        }
        let index = index.min(self.calls.len() - 1);
        self.bytes += self.extras.call(index, call.rest);
        let known = &mut self.calls[index];
        if let Some(id) = id {
            known.id = id;
        }
        let Some(function) = call.function else { return };
        if let Some(name) = function.name.filter(|name| !name.is_empty() && known.name.is_empty()) {
            known.name = name;
        }
        let piece = match function.arguments {
            None | Some(serde_json::Value::Null) => return,
            Some(serde_json::Value::String(piece)) => piece,
            // Some servers send the arguments as an object instead of a string.
            Some(object) => object.to_string(),
        };
        self.bytes += piece.len();
        known.arguments.push_str(&piece);
        let name = known.name.clone();
        deltas(Delta::Arguments { index, name, piece });
    }

    /// The whole reply; none when the stream ended without saying that it was done.
    fn finish(self) -> Option<Reply> {
        let finish = self.finish?;
        let named: Vec<bool> = self.calls.iter().map(|call| !call.name.is_empty()).collect();
        let state = self.extras.finish(&named);
        let calls: Vec<ToolCall> = self.calls.into_iter().filter(|call| !call.name.is_empty()).collect();
        // Some services end with "stop" although they called tools.
        let finish = if self.refused { FinishReason::ContentFilter } else { finish };
        let finish = if finish == FinishReason::Stop && !calls.is_empty() { FinishReason::ToolCalls } else { finish };
        Some(Reply { text: self.text, calls, finish, usage: self.usage, state, ..Reply::default() })
    }
}

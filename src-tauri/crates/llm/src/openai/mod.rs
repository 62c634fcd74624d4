//! Any service that speaks OpenAI's `/chat/completions`, by way of `async-openai`.

mod wire;

use async_openai::{Client, config::OpenAIConfig, error::OpenAIError};
use async_trait::async_trait;
use nexi_core::model::{Delta, DeltaSink, FinishReason, ModelError, Reply, ToolCall};
use nexi_core::protocol::Usage;
use secrecy::{ExposeSecret, SecretString};

use crate::{
    endpoint::{Api, Call, Endpoint, EndpointConfig},
    http,
    shared::Registry,
    stream::{self, Wake},
};

/// Bytes of words in one reply.
pub(crate) const MAX_REPLY: usize = 16 * 1024 * 1024;

struct OpenAi {
    config: EndpointConfig,
    http: reqwest::Client,
}

/// A model behind an OpenAI-compatible service. Nothing is sent yet.
///
/// # Errors
/// When a key holds characters that no header can carry, or TLS cannot be set up.
pub fn open_ai_compatible(config: EndpointConfig, registry: &Registry) -> Result<Endpoint, ModelError> {
    Endpoint::open(config, registry, |config, http| Box::new(OpenAi { config, http }))
}

#[async_trait]
impl Api for OpenAi {
    fn list(&self, key: Option<&SecretString>) -> reqwest::RequestBuilder {
        let request = self.http.get(format!("{}/models", self.config.base_url.trim_end_matches('/')));
        match key {
            Some(key) => request.bearer_auth(key.expose_secret().trim()),
            None => request,
        }
    }

    async fn ask(&self, call: &Call<'_>) -> Result<Reply, ModelError> {
        let key = call.key.map(|key| key.expose_secret().trim().to_owned()).unwrap_or_default();
        let api = OpenAIConfig::new()
            .with_api_base(self.config.base_url.trim_end_matches('/'))
            .with_api_key(key)
            // Left alone, these come from variables that were meant for another service.
            .with_org_id("")
            .with_project_id("");
        let watch = http::Watch::default();
        let client = Client::build(self.http.clone(), api).with_http_service(http::service(self.http.clone(), watch.clone()));
        let body = wire::body(&self.config.model, &self.config.base_url, call.request, call.quirks);
        let silent = || ModelError::Silent { provider: call.provider.to_owned(), after: self.config.timeout };
        let chat = client.chat();
        let opening = chat.create_stream_byot::<_, wire::Chunk>(&body);
        let mut stream = tokio::select! {
            () = call.cancel.cancelled() => return Err(ModelError::Cancelled),
            opened = tokio::time::timeout(self.config.timeout, opening) => {
                opened.map_err(|_| silent())?.map_err(|error| meaning(call.provider, error))?
            }
        };
        let mut building = Building::default();
        let mut wake = Wake::new();
        while let Some(chunk) = stream::next(&mut stream, call.provider, self.config.timeout, &watch, &mut wake, call.cancel).await? {
            let chunk = chunk.map_err(|error| match watch.cut() {
                Some(message) => ModelError::Runaway { provider: call.provider.to_owned(), message: message.into() },
                None => meaning(call.provider, error),
            })?;
            if let Some(error) = chunk.error {
                return Err(http::classify_body(call.provider, &error));
            }
            building.take(chunk, call.deltas);
            if building.bytes > MAX_REPLY {
                return Err(ModelError::Runaway { provider: call.provider.to_owned(), message: "it never ends".into() });
            }
        }
        building.finish().ok_or(ModelError::Broken { provider: call.provider.to_owned() })
    }
}

/// What a failure of `async-openai` means.
fn meaning(provider: &str, error: OpenAIError) -> ModelError {
    let provider = provider.to_owned();
    match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<http::HttpFailure>() {
            Ok(failure) => failure.classify(&provider),
            Err(other) => ModelError::Unreachable { provider, message: other.to_string() },
        },
        OpenAIError::Reqwest(error) => http::classify_transport(&provider, &error),
        OpenAIError::StreamError(_) => ModelError::Broken { provider },
        OpenAIError::JSONDeserialize(error, _) => {
            ModelError::Malformed { provider, message: format!("an event is not valid JSON ({error})") }
        }
        other => ModelError::Malformed { provider, message: nexi_core::text::truncate(&other.to_string(), 200) },
    }
}

/// A reply that is still arriving.
#[derive(Default)]
struct Building {
    text: String,
    calls: Vec<ToolCall>,
    /// The number that the service gave each call, where it gave one.
    places: Vec<Option<usize>>,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    bytes: usize,
}

impl Building {
    fn take(&mut self, chunk: wire::Chunk, deltas: DeltaSink<'_>) {
        if let Some(usage) = chunk.usage {
            self.usage = Some(Usage::tokens(usage.prompt_tokens, usage.completion_tokens));
        }
        let Some(choice) = chunk.choices.into_iter().next() else { return };
        if let Some(reason) = choice.finish_reason {
            self.finish = Some(wire::finish_reason(&reason));
        }
        let Some(message) = choice.delta.or(choice.message) else { return };
        if let Some(text) = message.reasoning_content.or(message.reasoning).filter(|text| !text.is_empty()) {
            self.bytes += text.len();
            deltas(Delta::Reasoning(text));
        }
        if let Some(text) = message.content.filter(|text| !text.is_empty()) {
            self.bytes += text.len();
            self.text.push_str(&text);
            deltas(Delta::Text(text));
        }
        for (place, call) in message.tool_calls.unwrap_or_default().into_iter().enumerate() {
            self.take_call(place, call, deltas);
        }
    }

    fn take_call(&mut self, place: usize, call: wire::CallPiece, deltas: DeltaSink<'_>) {
        let id = call.id.filter(|id| !id.is_empty());
        // Servers that send whole calls leave the index out, or send 0 for each of them.
        // Some services count from 1, or leave numbers out.
        let known_place = call.index.and_then(|index| self.places.iter().rposition(|known| *known == Some(index)));
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
            self.places.push(call.index);
            self.calls.push(ToolCall { id: String::new(), name: String::new(), arguments: String::new(), signature: None });
        }
        let index = index.min(self.calls.len() - 1);
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
        let calls: Vec<ToolCall> = self.calls.into_iter().filter(|call| !call.name.is_empty()).collect();
        Some(Reply { text: self.text, calls, finish, usage: self.usage, instead: None })
    }
}

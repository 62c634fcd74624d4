//! Any service that speaks OpenAI's `/chat/completions`, by way of `async-openai`.

mod http;
mod wire;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_openai::{Client, config::OpenAIConfig, error::OpenAIError};
use async_trait::async_trait;
use futures::StreamExt;
use nexi_core::model::{Delta, DeltaSink, FinishReason, Model, ModelError, ModelRequest, Reply, ToolCall};
use nexi_core::protocol::Usage;
use secrecy::{ExposeSecret, SecretString};
use tokio_util::sync::CancellationToken;

use crate::retry::Retries;

/// Bytes of one reply that are taken at most.
const MAX_REPLY: usize = 16 * 1024 * 1024;

/// How to reach a service.
#[derive(Debug, Clone)]
pub struct OpenAiConfig {
    /// The name in the settings.
    pub name: String,
    /// Without a trailing slash, such as `https://api.openai.com/v1`.
    pub base_url: String,
    pub model: String,
    /// None for local servers that want no key.
    pub key: Option<SecretString>,
    /// How long the service may be silent.
    pub timeout: Duration,
    /// How often a passing failure is retried.
    pub retries: u32,
}

/// A model behind an OpenAI-compatible service.
pub struct OpenAiCompatible {
    config: OpenAiConfig,
    client: Client<OpenAIConfig>,
}

impl OpenAiCompatible {
    /// Prepares the connection; nothing is sent yet.
    ///
    /// # Errors
    /// When the key holds characters that no header can carry, or TLS cannot be set up.
    pub fn new(config: OpenAiConfig) -> Result<Self, ModelError> {
        let provider = config.name.clone();
        let key = config.key.as_ref().map(|key| key.expose_secret().trim().to_owned()).unwrap_or_default();
        if !key.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
            return Err(ModelError::Unauthorized { provider, status: 401 });
        }
        let api = OpenAIConfig::new()
            .with_api_base(config.base_url.trim_end_matches('/'))
            .with_api_key(key)
            // Left alone, these come from variables that were meant for another service.
            .with_org_id("")
            .with_project_id("");
        let http = http::client().map_err(|error| ModelError::Tls { provider, message: error.to_string() })?;
        let client = Client::build(http.clone(), api).with_http_service(http::service(http));
        Ok(Self { config, client })
    }

    async fn ask_once(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        let body = wire::body(&self.config.model, request);
        let silent = || ModelError::Silent { provider: self.config.name.clone(), after: self.config.timeout };
        let chat = self.client.chat();
        let opening = chat.create_stream_byot::<_, wire::Chunk>(&body);
        let mut stream = tokio::select! {
            () = cancel.cancelled() => return Err(ModelError::Cancelled),
            opened = tokio::time::timeout(self.config.timeout, opening) => {
                opened.map_err(|_| silent())?.map_err(|error| self.classify(error))?
            }
        };
        let mut building = Building::default();
        loop {
            let next = tokio::select! {
                () = cancel.cancelled() => return Err(ModelError::Cancelled),
                next = tokio::time::timeout(self.config.timeout, stream.next()) => next.map_err(|_| silent())?,
            };
            match next {
                None => break,
                Some(Ok(chunk)) => {
                    if let Some(error) = chunk.error {
                        return Err(http::classify_body(&self.config.name, &error));
                    }
                    building.take(chunk, deltas);
                    if building.bytes > MAX_REPLY {
                        return Err(self.malformed("it never ends"));
                    }
                }
                Some(Err(error)) => return Err(self.classify(error)),
            }
        }
        building.finish().ok_or(ModelError::Broken { provider: self.config.name.clone() })
    }

    fn malformed(&self, message: &str) -> ModelError {
        ModelError::Malformed { provider: self.config.name.clone(), message: message.into() }
    }

    /// What a failure means, without the key that a careless proxy may have sent back.
    fn classify(&self, error: OpenAIError) -> ModelError {
        let mut error = self.meaning(error);
        if let ModelError::Rejected { message, .. } | ModelError::Malformed { message, .. } = &mut error
            && let Some(key) = self.config.key.as_ref().map(|key| key.expose_secret().trim()).filter(|key| !key.is_empty())
        {
            *message = message.replace(key, "[key]");
        }
        error
    }

    fn meaning(&self, error: OpenAIError) -> ModelError {
        let provider = self.config.name.clone();
        match error {
            OpenAIError::Boxed(inner) => match inner.downcast::<http::HttpFailure>() {
                Ok(failure) => failure.classify(&provider),
                Err(other) => ModelError::Unreachable { provider, message: other.to_string() },
            },
            OpenAIError::Reqwest(error) => http::classify_transport(&provider, &error),
            OpenAIError::StreamError(_) => ModelError::Broken { provider },
            OpenAIError::JSONDeserialize(error, _) => self.malformed(&format!("an event is not valid JSON ({error})")),
            other => self.malformed(&nexi_core::text::truncate(&other.to_string(), 200)),
        }
    }
}

#[async_trait]
impl Model for OpenAiCompatible {
    fn label(&self) -> String {
        format!("{} · {}", self.config.model, self.config.name)
    }

    async fn reply(&self, request: &ModelRequest, deltas: DeltaSink<'_>, cancel: &CancellationToken) -> Result<Reply, ModelError> {
        let mut retries = Retries::new(self.config.retries);
        loop {
            let said_something = AtomicBool::new(false);
            let watched = |delta: Delta| {
                said_something.store(true, Ordering::Relaxed);
                deltas(delta);
            };
            let error = match self.ask_once(request, &watched, cancel).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            let had_begun = said_something.load(Ordering::Relaxed);
            let wait = retries.after(error, had_begun)?;
            tokio::select! {
                () = cancel.cancelled() => return Err(ModelError::Cancelled),
                () = tokio::time::sleep(wait) => {}
            }
            if had_begun {
                deltas(Delta::Restart);
            }
        }
    }
}

/// A reply that is still arriving.
#[derive(Default)]
struct Building {
    text: String,
    calls: Vec<ToolCall>,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    bytes: usize,
}

impl Building {
    fn take(&mut self, chunk: wire::Chunk, deltas: DeltaSink<'_>) {
        if let Some(usage) = chunk.usage {
            self.usage = Some(Usage { prompt: usage.prompt_tokens, completion: usage.completion_tokens });
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
        let index = match call.index {
            Some(index)
                if id.is_some() && self.calls.get(index).is_some_and(|known| !known.id.is_empty() && Some(&known.id) != id.as_ref()) =>
            {
                self.calls.len()
            }
            Some(index) => index.min(self.calls.len()),
            None if id.is_some() || self.calls.is_empty() => self.calls.len(),
            None => place.max(self.calls.len() - 1),
        };
        if index >= self.calls.len() {
            self.calls.push(ToolCall { id: String::new(), name: String::new(), arguments: String::new() });
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
        Some(Reply { text: self.text, calls, finish, usage: self.usage })
    }
}

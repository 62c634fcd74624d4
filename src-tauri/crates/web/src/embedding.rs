//! Services that turn texts into vectors: those that speak OpenAI's format, and Ollama.

use std::time::Duration;

use async_trait::async_trait;
use nexi_core::ports::{Cause, EmbedPurpose, Embedder, Failure};
use nexi_core::settings::EmbedPrompts;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::client::ApiReply;
use crate::service::Service;

/// How long a batch may take: a model on this computer may have to be loaded first.
pub const EMBEDDING_TIMEOUT: Duration = Duration::from_secs(120);
/// Characters of a text that are sent.
const MAX_CHARS: usize = 8000;
/// Texts in one request; services allow from 16 to some thousands.
const AT_ONCE: usize = 32;

/// The format of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddingApi {
    OpenAi,
    Ollama,
}

/// An embedding model at a service.
pub struct EmbeddingService {
    id: String,
    api: EmbeddingApi,
    model: String,
    service: Service,
    prompts: EmbedPrompts,
    is_local: bool,
}

impl EmbeddingService {
    /// The model `model` at a service, which is called `id` in the settings.
    pub fn new(id: &str, api: EmbeddingApi, model: &str, mut service: Service, is_local: bool) -> Self {
        service.client = service.client.with_timeout(EMBEDDING_TIMEOUT);
        if api == EmbeddingApi::Ollama
            && let Some(base) = service.base.strip_suffix("/v1")
        {
            service.base = base.to_owned();
        }
        Self { id: id.to_owned(), api, model: model.to_owned(), service, prompts: EmbedPrompts::of(model), is_local }
    }

    async fn request(&self, texts: &[String], cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure> {
        let body = json!({ "model": self.model, "input": texts });
        let path = match self.api {
            EmbeddingApi::OpenAi => "/embeddings",
            EmbeddingApi::Ollama => "/api/embed",
        };
        let request = |key: Option<&str>| {
            let request = self.service.client.post(&format!("{}{path}", self.service.base)).json(&body);
            Ok(match key {
                Some(key) => request.bearer_auth(key),
                None => request,
            })
        };
        let understand = |reply: &ApiReply| understood(&self.service.name, self.api, reply.json(&self.service.name)?, texts.len());
        self.service.ask(false, cancel, request, understand).await
    }
}

/// The vectors of a reply, in the order of the texts.
fn understood(service: &str, api: EmbeddingApi, reply: Value, texts: usize) -> Result<Vec<Vec<f32>>, Failure> {
    #[derive(Deserialize)]
    struct OpenAi {
        data: Vec<One>,
    }
    #[derive(Deserialize)]
    struct One {
        #[serde(default)]
        index: Option<usize>,
        embedding: Vec<f32>,
    }
    #[derive(Deserialize)]
    struct Ollama {
        embeddings: Vec<Vec<f32>>,
    }
    let vectors = match api {
        EmbeddingApi::OpenAi => serde_json::from_value::<OpenAi>(reply).ok().map(|reply| {
            let mut data = reply.data;
            // They may come in any order; without numbers it is that of the texts.
            data.sort_by_key(|one| one.index);
            data.into_iter().map(|one| one.embedding).collect::<Vec<_>>()
        }),
        EmbeddingApi::Ollama => serde_json::from_value::<Ollama>(reply).ok().map(|reply| reply.embeddings),
    };
    let usable = |vectors: &Vec<Vec<f32>>| {
        vectors.len() == texts && vectors.iter().all(|vector| !vector.is_empty() && vector.iter().all(|number| number.is_finite()))
    };
    vectors.filter(usable).ok_or_else(|| Failure::because(Cause::NoVectors { service: service.to_owned(), texts }))
}

#[async_trait]
impl Embedder for EmbeddingService {
    fn id(&self) -> &str {
        &self.id
    }

    fn is_local(&self) -> bool {
        self.is_local
    }

    async fn embed(&self, texts: &[String], purpose: EmbedPurpose, cancel: &CancellationToken) -> Result<Vec<Vec<f32>>, Failure> {
        let prompt = match purpose {
            EmbedPurpose::Query => self.prompts.query,
            EmbedPurpose::Passage => self.prompts.passage,
        };
        let texts: Vec<String> = texts.iter().map(|text| prompt.chars().chain(text.chars().take(MAX_CHARS)).collect()).collect();
        let mut out = Vec::with_capacity(texts.len());
        for part in texts.chunks(AT_ONCE) {
            out.extend(self.request(part, cancel).await?);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_stand_in_the_order_of_the_texts() {
        let read = |api, reply| understood("x", api, reply, 2);
        // The shapes of openai 3.57.0 (PyPI), types/create_embedding_response.py, and of ollama 0.6.3 (PyPI), EmbedResponse.
        let open = json!({ "object": "list", "model": "m", "usage": { "prompt_tokens": 1, "total_tokens": 1 }, "data": [
            { "object": "embedding", "index": 1, "embedding": [3.0, 4] }, { "object": "embedding", "index": 0, "embedding": [1, 2.5] },
        ] });
        assert_eq!(read(EmbeddingApi::OpenAi, open.clone()).unwrap(), [[1.0, 2.5], [3.0, 4.0]]);
        let ollama = json!({ "model": "m", "embeddings": [[1, 2], [3, 4]], "total_duration": 5, "prompt_eval_count": 2 });
        assert_eq!(read(EmbeddingApi::Ollama, ollama).unwrap(), [[1.0, 2.0], [3.0, 4.0]]);
        for broken in [json!({}), json!({ "data": [] }), json!({ "data": [{ "embedding": [] }, { "embedding": [1] }] }), json!([1])] {
            assert!(read(EmbeddingApi::OpenAi, broken).unwrap_err().message.contains("embedding model"));
        }
        assert!(understood("x", EmbeddingApi::OpenAi, open, 3).is_err());
    }
}

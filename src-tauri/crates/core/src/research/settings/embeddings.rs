//! Searching documents by meaning: which model makes vectors, and of which folders a service may be sent the text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Problem, Provider, ProviderKind, Settings, Wrong};

/// The beginning of the names of models that run inside Nexi.
const LOCAL: &str = "local/";

/// How passages are searched by meaning.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS, JsonSchema)]
#[serde(default)]
pub struct Embeddings {
    /// `local/` and the name of a model or the path of its folder, or `provider/model` such as
    /// `ollama/nomic-embed-text`; none searches by words alone.
    pub model: Option<String>,
    /// Folders of `documents.folders` whose text may be sent to the service, where the model is one on another computer.
    pub remote_folders: Vec<String>,
    /// Whether vectors are made while the computer runs on its battery.
    pub on_battery: bool,
}

/// Where vectors come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmbeddingModel {
    /// A model of this name, or in this folder.
    Local(String),
    /// A service, with the model it is asked for.
    Service(Box<Provider>),
}

impl EmbeddingModel {
    /// Whether the texts stay on this computer.
    pub fn is_local(&self) -> bool {
        match self {
            EmbeddingModel::Local(_) => true,
            EmbeddingModel::Service(provider) => provider.is_local(),
        }
    }
}

/// Whether services of this kind make vectors.
fn embeds(kind: ProviderKind) -> bool {
    matches!(kind, ProviderKind::OpenaiCompatible | ProviderKind::Ollama)
}

impl Settings {
    /// The model that makes vectors; none where documents are searched by words alone, or nothing is known by that name.
    pub fn embedding_model(&self) -> Option<EmbeddingModel> {
        let name = self.embeddings.model.as_deref()?;
        if let Some(local) = name.strip_prefix(LOCAL) {
            return Some(EmbeddingModel::Local(local.to_owned()));
        }
        self.provider(name).filter(|provider| embeds(provider.kind)).map(|provider| EmbeddingModel::Service(Box::new(provider)))
    }

    pub(super) fn check_embeddings(&self, out: &mut Vec<Problem>) {
        let mut problem = |wrong: Wrong| out.push(Problem::new("embeddings.model", wrong));
        let Some(name) = self.embeddings.model.as_deref() else { return };
        if let Some(local) = name.strip_prefix(LOCAL) {
            if local.trim().is_empty() {
                problem(Wrong::NoEmbeddingModel);
            }
            return;
        }
        match self.provider(name) {
            None => problem(Wrong::UnknownEmbedder { name: name.to_owned() }),
            Some(provider) if !embeds(provider.kind) => {
                problem(Wrong::NoVectors { name: name.to_owned(), kind: provider.kind.as_str().to_owned() });
            }
            // The model of the table answers questions.
            Some(_) if !name.contains('/') => problem(Wrong::NoModelOf { name: name.to_owned() }),
            Some(_) => {}
        }
    }
}

/// What a model wants before a text so that it knows what it is for, as published with the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EmbedPrompts {
    pub query: &'static str,
    pub passage: &'static str,
}

impl EmbedPrompts {
    /// Those of the family that a model's name belongs to; none for most.
    pub fn of(model: &str) -> Self {
        const BGE: &str = "Represent this sentence for searching relevant passages: ";
        let name = model.to_lowercase();
        let has = |word: &str| name.split(|c: char| !c.is_alphanumeric()).any(|part| part == word);
        let (query, passage) = if has("e5") {
            ("query: ", "passage: ")
        } else if name.contains("nomic-embed-text") {
            ("search_query: ", "search_document: ")
        } else if name.contains("embeddinggemma") {
            ("task: search result | query: ", "title: none | text: ")
        } else if name.contains("mxbai-embed") || (has("bge") && has("en")) {
            (BGE, "")
        } else if name.contains("snowflake-arctic-embed") {
            if has("v2") || name.contains("embed2") { ("query: ", "") } else { (BGE, "") }
        } else if name.contains("qwen3-embedding") {
            ("Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:", "")
        } else {
            ("", "")
        };
        Self { query, passage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(model: &str) -> Settings {
        let mut settings = Settings::default();
        settings.embeddings.model = Some(model.into());
        settings
    }

    #[test]
    fn models_are_local_or_at_a_service() {
        assert_eq!(Settings::default().embedding_model(), None);
        assert_eq!(with("local/multilingual-e5-small").embedding_model(), Some(EmbeddingModel::Local("multilingual-e5-small".into())));
        assert_eq!(with("local//models/x").embedding_model(), Some(EmbeddingModel::Local("/models/x".into())));
        let ollama = with("ollama/nomic-embed-text").embedding_model().unwrap();
        assert!(ollama.is_local());
        let EmbeddingModel::Service(provider) = ollama else { panic!("no service") };
        assert_eq!(provider.model.as_deref(), Some("nomic-embed-text"));
        assert!(!with("openai/text-embedding-3-small").embedding_model().unwrap().is_local());
        let claude = "anthropic/claude-haiku-4-5";
        for (model, wrong) in [
            ("local/", Wrong::NoEmbeddingModel),
            ("ollama", Wrong::NoModelOf { name: "ollama".into() }),
            ("elsewhere/m", Wrong::UnknownEmbedder { name: "elsewhere/m".into() }),
            (claude, Wrong::NoVectors { name: claude.into(), kind: "anthropic".into() }),
        ] {
            assert_eq!(with(model).problems(), [Problem::new("embeddings.model", wrong)]);
        }
        assert_eq!(with("ollama/nomic-embed-text").problems(), []);
    }

    #[test]
    fn families_of_models_are_told_by_their_names() {
        let query = |name: &str| EmbedPrompts::of(name).query;
        assert_eq!(query("intfloat/multilingual-e5-small"), "query: ");
        assert_eq!(query("nomic-embed-text:latest"), "search_query: ");
        assert_eq!(query("text-embedding-3-small"), "");
        assert!(query("BAAI/bge-small-en-v1.5").starts_with("Represent"));
        assert_eq!(query("bge-m3"), "");
    }
}

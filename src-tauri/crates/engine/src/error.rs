//! What can go wrong before a run begins; inside a run everything becomes part of its ending.

use nexi_core::{
    model::ModelError,
    ports::{DatabaseCause, Failure},
    settings::Problem,
};
use nexi_messages::say;
use nexi_store::{
    StoreError,
    keys::KeyError,
    settings_file::{SettingsError, told},
};

use crate::{documents::BuildError, sentences};

/// Failures that a frontend shows as they are.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    Settings(#[from] SettingsError),
    Store(#[from] StoreError),
    Model(#[from] ModelError),
    Web(#[from] Failure),
    Keys(KeyError),
    File {
        path: std::path::PathBuf,
        source: std::io::Error,
    },
    Vectors(#[from] BuildError),
    Database(#[from] DatabaseCause),
    Invalid(Problem),
    PriceUnknown {
        model: String,
    },
    MonthIsSpent {
        spent: u64,
        limit: u64,
    },
    /// A question to watch that seems to be understood only with what was asked before it.
    LeansOnContext,
    Busy,
    AtWork,
    Gone,
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Self::Settings(error) => error.to_string(),
            Self::Store(error) => error.to_string(),
            Self::Model(error) => sentences::model_error(error),
            Self::Web(failure) => sentences::failure(failure),
            Self::Keys(error) => error.to_string(),
            Self::File { path, source } => say!("errors-engine.file", path = path.display().to_string(), source = source.to_string()),
            Self::Vectors(BuildError::Embedder(failure)) => sentences::failure(failure),
            Self::Vectors(error) => error.to_string(),
            Self::Database(cause) => {
                let sentence = sentences::database(cause);
                cause.field().map_or_else(|| sentence.clone(), |field| told::problem(&Problem::told(field, sentence.clone())))
            }
            Self::Invalid(problem) => told::problem(problem),
            Self::PriceUnknown { model } => say!("errors-engine.price_unknown", model = model, id = model_id(model)),
            Self::MonthIsSpent { spent, limit } => say!(
                "errors-engine.month_is_spent",
                spent = format!("${:.2}", *spent as f64 / 1e6),
                limit = format!("${:.2}", *limit as f64 / 1e6)
            ),
            Self::LeansOnContext => told::problem(&Problem::told("question", say!("arguments-question.leans"))),
            Self::Busy => say!("errors-engine.busy"),
            Self::AtWork => say!("errors-engine.at_work"),
            Self::Gone => say!("errors-engine.gone"),
        })
    }
}

impl EngineError {
    /// Something wrong with what was asked for; the sentence is the catalogue's and follows the name of the field.
    pub fn invalid(field: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self::Invalid(Problem::told(field, sentence))
    }

    /// Whether a later search made this one give up, so that nobody waits for it any more.
    pub fn is_superseded(&self) -> bool {
        matches!(self, EngineError::Store(StoreError::Superseded))
    }

    /// Whether the library cannot be opened because it is damaged.
    pub fn is_damage(&self) -> bool {
        matches!(self, EngineError::Store(StoreError::Damaged { .. } | StoreError::Corrupt(_)))
    }

    /// Whether the library was written by a later version of Nexi.
    pub fn is_too_new(&self) -> bool {
        matches!(self, EngineError::Store(StoreError::TooNew(_)))
    }

    /// Whether the person's input or settings are to blame, rather than the world.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            EngineError::Settings(_)
                | EngineError::Invalid(_)
                | EngineError::PriceUnknown { .. }
                | EngineError::MonthIsSpent { .. }
                | EngineError::LeansOnContext
                | EngineError::Model(ModelError::NoKey { .. })
        ) || matches!(self, EngineError::Database(cause) if cause.field().is_some())
    }
}

/// The model's id in a label such as `gpt-x · work`.
pub fn model_id(label: &str) -> &str {
    label.split(" · ").next().unwrap_or(label)
}

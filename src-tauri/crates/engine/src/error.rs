//! What can go wrong before a run begins; inside a run everything becomes part of its ending.

use nexi_core::{model::ModelError, ports::Failure, settings::Problem};
use nexi_store::{StoreError, keys::KeyError, settings_file::SettingsError};

/// Failures that a face shows as they are.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("{0}")]
    Web(#[from] Failure),
    #[error(transparent)]
    Keys(KeyError),
    #[error("{} cannot be written: {source}", .path.display())]
    File { path: std::path::PathBuf, source: std::io::Error },
    #[error(transparent)]
    Vectors(#[from] crate::documents::BuildError),
    #[error("{0}")]
    Invalid(Problem),
    #[error(
        "max_cost: The price of {model} is not known, so a cost limit cannot be held. Give its price under [models.\"{}\"], set a token limit, or ask without a cost limit (--any-cost on the command line).",
        model_id(.model)
    )]
    PriceUnknown { model: String },
    #[error(
        "max_cost_month: This month's questions have cost ${:.2}, and the limit is ${:.2}. Raise the limit, choose a model that costs nothing, or on the command line add --over-month (nexi eval: --any-cost).",
        *.spent as f64 / 1e6,
        *.limit as f64 / 1e6
    )]
    MonthIsSpent { spent: u64, limit: u64 },
    #[error("A question is still being answered in this thread. Wait for it or stop it first.")]
    Busy,
    #[error("A question is still being answered. Wait for it or stop it, and restore the backup then.")]
    AtWork,
    #[error("The engine's work ended unexpectedly.")]
    Gone,
}

impl EngineError {
    /// Whether a later search made this one give up, so that nobody waits for it any more.
    pub fn is_superseded(&self) -> bool {
        matches!(self, EngineError::Store(StoreError::Superseded))
    }

    /// Whether the library cannot be opened because it is damaged.
    pub fn is_damage(&self) -> bool {
        matches!(self, EngineError::Store(StoreError::Damaged { .. } | StoreError::Corrupt(_)))
    }

    /// Whether the person's input or settings are to blame, rather than the world.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            EngineError::Settings(_)
                | EngineError::Invalid(_)
                | EngineError::PriceUnknown { .. }
                | EngineError::MonthIsSpent { .. }
                | EngineError::Model(ModelError::NoKey { .. })
        )
    }
}

/// The model's id in a label such as `gpt-x · work`.
pub fn model_id(label: &str) -> &str {
    label.split(" · ").next().unwrap_or(label)
}

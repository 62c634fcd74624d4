//! Embedding models that run on this computer: texts become vectors, and texts that mean nearly the same become vectors
//! that point nearly the same way. Nothing is sent anywhere.

mod bert;
mod catalog;
mod local;
mod tensors;

use std::path::{Path, PathBuf};

use nexi_core::ports::Failure;

pub use catalog::{KNOWN, KnownFile, KnownModel};
pub use local::{FILES, LocalEmbedder};

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelFault {
    #[error("{} cannot be read ({reason})", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("{} is damaged. Delete its folder and fetch the model again", .0.display())]
    Damaged(PathBuf),
    #[error("{} is not a model that Nexi can run: it must be of the type bert, roberta or xlm-roberta", .0.display())]
    Unsupported(PathBuf),
    #[error("the model has no usable {0}")]
    Missing(String),
    #[error("the model's file cannot be read ({0})")]
    Read(String),
    #[error("the model failed ({0})")]
    Failed(String),
}

impl ModelFault {
    fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: error.to_string() }
    }
}

impl From<candle_core::Error> for ModelFault {
    fn from(error: candle_core::Error) -> Self {
        // The first line is the reason; the stack may stand behind it.
        Self::Failed(error.to_string().lines().next().unwrap_or_default().to_owned())
    }
}

impl From<ModelFault> for Failure {
    fn from(fault: ModelFault) -> Self {
        Failure::new(format!("{fault}."))
    }
}

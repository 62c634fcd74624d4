//! Questions that are asked often.

use nexi_core::template::Template;
use nexi_store::History;

use super::Engine;
use crate::{EngineError, driver::now_ms};

impl Engine {
    /// All templates, those used last first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn templates(&self) -> Result<Vec<Template>, EngineError> {
        self.in_library(History::templates).await
    }

    /// Keeps a template in the place of the one with this id, or a new one.
    ///
    /// # Errors
    /// When the name or the text cannot be used, another one has the name, or there is none of this id.
    pub async fn keep_template(&self, id: Option<String>, name: String, text: String) -> Result<Template, EngineError> {
        self.in_library(move |history| history.keep_template(id.as_deref(), &name, &text, now_ms())).await
    }

    /// Notes that a template was used.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn use_template(&self, id: String) -> Result<(), EngineError> {
        self.in_library(move |history| history.use_template(&id, now_ms())).await
    }

    /// Removes a template.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn remove_template(&self, id: String) -> Result<(), EngineError> {
        self.in_library(move |history| history.remove_template(&id)).await
    }
}

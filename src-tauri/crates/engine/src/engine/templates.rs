//! Questions that are asked often.

use nexi_core::template::Template;

use super::{Engine, blocking};
use crate::{EngineError, driver::now_ms};

impl Engine {
    /// All templates, those used last first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn templates(&self) -> Result<Vec<Template>, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.templates()).await??)
    }

    /// Keeps a template in the place of the one with this id, or a new one.
    ///
    /// # Errors
    /// When the name or the text cannot be used, another one has the name, or there is none of this id.
    pub async fn keep_template(&self, id: Option<String>, name: String, text: String) -> Result<Template, EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.keep_template(id.as_deref(), &name, &text, now_ms())).await??)
    }

    /// Notes that a template was used.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn use_template(&self, id: String) -> Result<(), EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.use_template(&id, now_ms())).await??)
    }

    /// Removes a template.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn remove_template(&self, id: String) -> Result<(), EngineError> {
        let history = self.inner.history.clone();
        Ok(blocking(move || history.remove_template(&id)).await??)
    }
}

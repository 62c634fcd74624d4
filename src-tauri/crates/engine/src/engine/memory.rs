//! What the person wants remembered, and which questions are told of it.

use nexi_core::protocol::Memory;
use nexi_store::History;

use super::Engine;
use crate::{EngineError, driver::now_ms};

/// Bytes of memories that one question is told, the newest first; the windows of small models are small.
const TOLD: usize = 6000;

impl Engine {
    /// All memories, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn memories(&self) -> Result<Vec<Memory>, EngineError> {
        self.in_library(History::memories).await
    }

    /// Keeps a memory from now on, everywhere or in the space of this id, and whether it is new: the same text is kept once.
    ///
    /// # Errors
    /// When it is empty or too long, there are too many, there is no such space, or the database refuses.
    pub async fn remember(&self, text: String, space: Option<String>) -> Result<(Memory, bool), EngineError> {
        self.in_library(move |history| history.remember(&text, space.as_deref(), now_ms())).await
    }

    /// Changes what a memory says.
    ///
    /// # Errors
    /// When there is no such memory, its text is empty or too long, or the database refuses.
    pub async fn change_memory(&self, id: String, text: String) -> Result<(), EngineError> {
        self.in_library(move |history| history.change_memory(&id, &text)).await
    }

    /// Forgets memories for good; all of them or none.
    ///
    /// # Errors
    /// When there is no such memory, or the database refuses.
    pub async fn forget_memories(&self, ids: Vec<String>) -> Result<(), EngineError> {
        self.in_library(move |history| history.forget_memories(&ids)).await
    }

    /// The memories that go along with a question in this space or in none, as many as fit.
    ///
    /// # Errors
    /// When the database refuses.
    pub(super) async fn told_memories(&self, space: Option<&str>) -> Result<Vec<String>, EngineError> {
        let mut room = TOLD;
        let fits = |memory: &Memory| {
            room = room.saturating_sub(memory.text.len());
            room > 0
        };
        let is_told = |memory: &Memory| memory.space.is_none() || memory.space.as_deref() == space;
        Ok(self.memories().await?.into_iter().filter(is_told).take_while(fits).map(|memory| memory.text).collect())
    }
}

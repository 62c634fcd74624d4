//! Spaces: threads that belong together, with what the person wants for all of them.

use std::path::PathBuf;

use nexi_core::{
    ids::ThreadId,
    protocol::{Space, SpaceDraft, ThreadSummary},
};
use nexi_messages::say;
use nexi_store::{History, paths::expand_home};

use super::{AskOptions, Engine, folders::can_be_read};
use crate::{EngineError, driver::now_ms};

impl Engine {
    /// All spaces, by name.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn spaces(&self) -> Result<Vec<Space>, EngineError> {
        self.in_library(History::spaces).await
    }

    /// The space with this name or id.
    ///
    /// # Errors
    /// When there is none.
    pub async fn space(&self, wanted: &str) -> Result<Space, EngineError> {
        let wanted = wanted.to_owned();
        self.in_library(move |history| history.find_space(&wanted)).await
    }

    /// Makes a space, or changes the one with this id.
    ///
    /// # Errors
    /// When its name is taken or a value of it cannot be.
    pub async fn keep_space(&self, id: Option<String>, draft: SpaceDraft) -> Result<Space, EngineError> {
        let before = match id.clone() {
            Some(id) => Some(self.space(&id).await?),
            None => None,
        };
        let draft = self.checked_space(draft, before.as_ref())?;
        self.in_library(move |history| history.keep_space(id.as_deref(), &draft, now_ms())).await
    }

    /// Removes a space with its memories; its threads stay and belong to none.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn remove_space(&self, id: &str) -> Result<(), EngineError> {
        let id = id.to_owned();
        self.in_library(move |history| history.remove_space(&id)).await
    }

    /// Puts a thread into the space of this id, or takes it out of all.
    ///
    /// # Errors
    /// When there is no such thread or space, or the thread is private.
    pub async fn move_to_space(&self, thread: &ThreadId, space: Option<String>) -> Result<(), EngineError> {
        let history = self.history_of(thread)?;
        if self.is_private(&history) {
            return Err(EngineError::invalid("space", say!("arguments-space.keep_first")));
        }
        let thread = thread.clone();
        self.in_library(move |history| history.move_to_space(&thread, space.as_deref())).await
    }

    /// The newest threads of a space or of all, and the private ones, which would be found nowhere else.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn threads_in(&self, space: Option<&str>, limit: u32) -> Result<Vec<ThreadSummary>, EngineError> {
        let (space, private) = (space.map(str::to_owned), self.private_history());
        self.in_library(move |history| {
            let mut threads = history.threads_in(space.as_deref(), limit)?;
            if let Some(private) = private {
                threads.extend(private.threads(limit)?);
            }
            // The one place that decides on their order.
            threads.sort_by_key(|thread| std::cmp::Reverse(thread.updated_ms));
            Ok(threads)
        })
        .await
    }

    /// Who is asked in a thread, or in this space: the model that is named, or that of the space.
    ///
    /// # Errors
    /// When there is no such thread.
    pub(super) async fn model_in(&self, thread: &ThreadId, named: Option<String>) -> Result<Option<String>, EngineError> {
        if named.is_some() {
            return Ok(named);
        }
        let thread = thread.clone();
        Ok(self.in_library(move |history| history.space_of(&thread)).await?.and_then(|space| space.model))
    }

    /// The space in which a question is asked: that of its thread, or the one that is named for a new thread.
    ///
    /// # Errors
    /// When there is no such space, or the question is private.
    pub(super) async fn space_for(&self, options: &AskOptions, private: bool) -> Result<Option<Space>, EngineError> {
        if private || options.for_others {
            return match &options.space {
                Some(_) => Err(EngineError::invalid("space", say!("arguments-space.private"))),
                None => Ok(None),
            };
        }
        match (&options.thread, &options.space) {
            (Some(thread), _) => {
                let thread = thread.clone();
                self.in_library(move |history| history.space_of(&thread)).await
            }
            (None, Some(wanted)) => self.space(wanted).await.map(Some),
            (None, None) => Ok(None),
        }
    }

    /// What can be kept: folders that are there, by their whole paths, and a model of the settings. What it had before stays
    /// as it is.
    fn checked_space(&self, draft: SpaceDraft, before: Option<&Space>) -> Result<SpaceDraft, EngineError> {
        let had = |folder: &str| before.is_some_and(|space| space.folders.iter().any(|known| known == folder));
        let mut folders: Vec<String> = Vec::new();
        for (index, folder) in draft.folders.iter().enumerate() {
            let path = expand_home(folder.trim());
            let path = std::path::absolute(&path).unwrap_or(path);
            if path.parent().is_none() {
                let message = say!("arguments-folder.whole_disk", path = path.display().to_string());
                return Err(EngineError::invalid(format!("folders[{index}]"), message));
            }
            if !had(folder.trim()) && !can_be_read(&path) {
                let message = say!("arguments-folder.unreadable", path = path.display().to_string());
                return Err(EngineError::invalid(format!("folders[{index}]"), message));
            }
            let path = path.to_string_lossy().into_owned();
            if !folders.contains(&path) {
                folders.push(path);
            }
        }
        let model = draft.model.map(|model| model.trim().to_owned()).filter(|model| !model.is_empty());
        if let Some(model) = model.as_ref().filter(|model| before.is_none_or(|space| space.model.as_ref() != Some(model))) {
            let answers = model == "builtin" || self.settings().provider(model).is_some_and(|provider| provider.kind.answers());
            if !answers {
                return Err(EngineError::invalid("model", say!("arguments-model.none_such_as", name = model)));
            }
        }
        Ok(SpaceDraft { folders, model, ..draft })
    }
}

/// The model of a space is no longer among those of the settings.
pub(super) fn model_is_gone(space: &Space) -> EngineError {
    let model = space.model.as_deref().unwrap_or_default();
    EngineError::invalid("space", say!("arguments-space.model_gone", space = &space.name, model = model))
}

/// The folders of a space that can be read, and those that cannot.
///
/// # Errors
/// When it has some and none of them can be read.
pub(super) fn folders_of(space: &Space) -> Result<(Vec<PathBuf>, Vec<PathBuf>), EngineError> {
    let (there, missing): (Vec<PathBuf>, Vec<PathBuf>) = space.folders.iter().map(PathBuf::from).partition(|folder| can_be_read(folder));
    if there.is_empty() && !missing.is_empty() {
        let message = say!("arguments-space.no_folder", space = &space.name, folders = space.folders.join(", "));
        return Err(EngineError::invalid("space", message));
    }
    Ok((there, missing))
}

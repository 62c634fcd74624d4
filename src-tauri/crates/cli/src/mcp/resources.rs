//! Past research as resources.

use nexi_engine::core::ids::{ThreadId, TurnId};
use nexi_engine::core::text::count;
use nexi_engine::{EngineError, export};
use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::Server;
use crate::line::{one_line, sanitized};

/// Resources of one page of the list.
const PAGE: u32 = 100;
const SCHEME: &str = "nexi://turn/";
const TEAM: &str = "nexi://team/";
const MARKDOWN: &str = "text/markdown";

/// The address of a turn.
pub(super) fn address(turn: &TurnId) -> String {
    format!("{SCHEME}{turn}")
}

/// The address of a thread that somebody else shares.
pub(super) fn shared_address(share: &ThreadId) -> String {
    format!("{TEAM}{share}")
}

/// What addresses look like.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("nexi://turn/{id}", "turn")
            .with_title("An answer")
            .with_description("Question, answer and sources of one turn, in Markdown")
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new("nexi://turn/{id}/source/{number}", "source")
            .with_title("A source of an answer")
            .with_description("The text of a source as it was read, in Markdown")
            .with_mime_type(MARKDOWN),
        ResourceTemplate::new("nexi://team/{id}", "team")
            .with_title("A thread of the team")
            .with_description("Questions, answers and sources of a thread in the team library, in Markdown")
            .with_mime_type(MARKDOWN),
    ]
}

impl Server {
    /// The newest turns, a page at a time.
    pub(super) async fn resources(&self, cursor: Option<String>) -> Result<ListResourcesResult, ErrorData> {
        let start: u32 = match &cursor {
            None => 0,
            Some(cursor) => {
                cursor.parse().ok().ok_or_else(|| ErrorData::invalid_params(format!("The cursor {cursor:?} is unknown."), None))?
            }
        };
        let turns = self.engine.turn_lines(PAGE + 1, start).await.map_err(internal)?;
        let more = turns.len() > PAGE as usize;
        let resources: Vec<Resource> = turns
            .into_iter()
            .take(PAGE as usize)
            .map(|turn| {
                Resource::new(address(&turn.id), one_line(&turn.question))
                    .with_description(format!("{}, {}", turn.state.as_str(), count(turn.sources.into(), "source")))
                    .with_mime_type(MARKDOWN)
            })
            .collect();
        let mut list = ListResourcesResult::with_all_items(resources);
        list.next_cursor = more.then(|| (start + PAGE).to_string());
        Ok(list)
    }

    /// A turn or one of its sources.
    pub(super) async fn resource(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let missing = || ErrorData::resource_not_found(format!("There is no {uri:?}; addresses look like nexi://turn/ID."), None);
        if let Some(share) = uri.strip_prefix(TEAM) {
            let share = self.engine.find_shared(share).await.map_err(|_| missing())?;
            let thread = self.engine.open_shared(&share).await.map_err(internal)?;
            let file = self.engine.thread_file(&thread, None).await.map_err(internal)?;
            return Ok(contents(&export::markdown(&file), uri));
        }
        let rest = uri.strip_prefix(SCHEME).ok_or_else(missing)?;
        let (id, number) = match rest.split_once("/source/") {
            Some((id, number)) => (id, Some(number.parse::<u32>().map_err(|_| missing())?)),
            None => (rest, None),
        };
        let id = self.engine.find_turn(id).await.map_err(|_| missing())?;
        let turn = self.engine.turn(&id).await.map_err(internal)?;
        let text = match number {
            Some(number) => {
                let source = self.engine.source(&turn.id, number).await.map_err(|_| missing())?;
                format!("# {}\n\n{}\n\n{}", one_line(&source.title), source.url, source.text)
            }
            None => {
                let file = self.engine.thread_file(&turn.thread, Some(&turn.id)).await.map_err(internal)?;
                export::markdown(&file)
            }
        };
        Ok(contents(&text, uri))
    }
}

fn contents(markdown: &str, uri: &str) -> ReadResourceResult {
    ReadResourceResult::new(vec![ResourceContents::text(sanitized(markdown), uri).with_mime_type(MARKDOWN)])
}

fn internal(error: EngineError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

//! The engine: performs the effects of runs, and wires models, search, readers and the store
//! together. Faces talk to [`Engine`] and to nothing below it.

mod aside;
mod clock;
pub mod corpus;
mod database;
#[cfg(test)]
mod described;
pub mod documents;
mod driver;
mod earlier;
mod engine;
mod error;
pub mod export;
mod first_run;
pub mod handbook;
pub mod import;
mod live;
pub mod log;
mod new_file;
mod password_file;
mod power;
#[cfg(test)]
mod protocol_types;
pub mod render;
pub mod report;
pub mod searxng;
pub mod sentences;
pub mod team;
mod toolbox;
pub mod views;
mod wiring;

pub use aside::aside;
pub use clock::local_time;
pub use corpus::Original;
pub use driver::now_ms;
pub use engine::{
    AskOptions, Attach, AttachKind, CatalogModel, CatalogService, Check, CheckAttempt, CheckReport, DocumentHit, DocumentHits,
    DocumentText, Engine, EngineOptions, Fetched, FetchedPage, FoundServer, HookView, IndexingProgress, KeyOrigin, KeyStatus, KeyringView,
    KeysView, LocalModel, LocalService, MAX_ATTACHED, MAX_ATTACHED_TEXT, MAX_TOOLS, MeaningState, MeaningStatus, MonthUsage, NewHook,
    NewToolServer, NewWatch, OcrState, OcrStatus, OlderCopy, OpinionLimits, PauseReason, ReadScans, RemoteFolder, Replay, Searched,
    SourceText, Suggestion, ThreadFacts, ToolDifference, ToolServerView, ToolState, ToolView, Upkeep, UsageBy, UsageRow, UsageTable,
    Verdict, Wanted, go_back, is_same_folder, older_copy, paths, replay, restore_unopened, salvage, speak, this_month, tool_difference,
};
pub use error::{EngineError, model_id};
pub use first_run::{first_run, start_without_account};
pub use live::{Live, Subscription};
pub use new_file::{create_new, new_file};
pub use nexi_core as core;
/// To be called first in `main`: the program is also the process that reads documents, and the one that watches over
/// what tools start.
pub fn serve() {
    nexi_tools::supervisor::serve();
    nexi_formats::serve();
}
/// What turns call the built-in researcher.
pub use nexi_llm::builtin::LABEL as BUILT_IN;
pub use nexi_store::history::{Backup, DeletedTurn, ThreadFile, WatchedChange, backups};
pub use nexi_store::paths::expand_home;
pub use nexi_store::{StoreError, files::write_atomically, keys, settings_file};

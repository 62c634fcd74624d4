//! The TypeScript twin of everything that a window is sent, kept in `ui/js/protocol.d.ts`.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::{SourceText, views};

struct Collect<'a> {
    config: &'a Config,
    seen: HashSet<TypeId>,
    out: BTreeMap<String, String>,
}

impl Collect<'_> {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() || !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.out.insert(T::ident(self.config), format!("{docs}export {}\n", T::decl(self.config)));
        T::visit_dependencies(self);
    }
}

impl TypeVisitor for Collect<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

/// Fails when the file is not what the types say; `NEXI_UPDATE=1` writes it.
#[test]
fn the_typescript_twin_is_up_to_date() {
    let config = Config::new().with_large_int("number");
    let mut collect = Collect { config: &config, seen: HashSet::new(), out: BTreeMap::new() };
    collect.add::<views::Overview>();
    collect.add::<views::Taken>();
    collect.add::<crate::CatalogService>();
    collect.add::<crate::LocalService>();
    collect.add::<views::TurnView>();
    collect.add::<views::WatchMessage>();
    collect.add::<SourceText>();
    collect.add::<views::ThreadView>();
    collect.add::<views::AppEvent>();
    collect.add::<views::WatchTaken>();
    collect.add::<nexi_core::template::Template>();
    collect.add::<nexi_core::protocol::Space>();
    collect.add::<nexi_core::protocol::SpaceDraft>();
    collect.add::<nexi_core::protocol::TeamSearch>();
    collect.add::<nexi_core::protocol::TeamPage>();
    collect.add::<nexi_core::protocol::TeamStatus>();
    collect.add::<nexi_core::protocol::WatchedQuestion>();
    collect.add::<crate::documents::FolderStatus>();
    collect.add::<crate::DocumentHits>();
    collect.add::<crate::DocumentText>();
    collect.add::<crate::UsageTable>();
    collect.add::<crate::UsageBy>();
    collect.add::<views::PageView>();
    collect.add::<crate::engine::MeaningStatus>();
    collect.add::<crate::engine::OcrStatus>();
    collect.add::<crate::engine::IndexingProgress>();
    collect.add::<views::DesktopView>();
    collect.add::<views::UpdateView>();
    collect.add::<views::SettingsView>();
    collect.add::<views::Chapter>();
    collect.add::<crate::ToolServerView>();
    collect.add::<crate::FoundServer>();
    collect.add::<crate::HookView>();
    collect.add::<crate::NewHook>();
    collect.add::<crate::NewToolServer>();
    collect.add::<nexi_core::user_tools::GrantScope>();
    collect.add::<crate::Check>();
    collect.add::<crate::searxng::Found>();
    collect.add::<crate::KeyStatus>();
    collect.add::<crate::KeysView>();
    collect.add::<crate::export::Format>();
    collect.add::<crate::export::CitationStyle>();
    collect.add::<crate::export::CopyForm>();
    collect.add::<crate::import::ImportOutcome>();
    collect.add::<nexi_store::settings_file::Change>();
    collect.add::<nexi_core::protocol::Focus>();
    collect.add::<nexi_core::protocol::LibraryQuery>();
    collect.add::<nexi_core::protocol::HeldId>();
    collect.add::<crate::Backup>();
    collect.add::<nexi_core::protocol::LibraryPage>();
    collect.add::<nexi_core::protocol::SavedSearch>();
    collect.add::<nexi_core::protocol::DeletedItem>();
    collect.add::<nexi_core::protocol::Memory>();
    collect.add::<nexi_core::protocol::TypedHints>();
    collect.add::<nexi_core::protocol::ThreadSummary>();
    let body = collect.out.into_values().collect::<Vec<_>>().join("\n");
    let wanted = format!("// Made from the Rust types; NEXI_UPDATE=1 cargo test -p nexi-engine writes it anew.\n\n{body}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/js/protocol.d.ts");
    if std::env::var_os("NEXI_UPDATE").is_some() {
        std::fs::write(&path, &wanted).expect("ui/js can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "ui/js/protocol.d.ts is out of date: run NEXI_UPDATE=1 cargo test -p nexi-engine");
}

//! `nexi docs`: what is indexed of the user's folders.

use anyhow::Result;
use nexi_engine::core::text::count;
use nexi_engine::documents::{FolderStatus, OtherKind};

use crate::args::{Common, Docs, DocsCommand};
use crate::output::{print, print_json};
use crate::{exit, start};

/// Shows what is indexed, and what is not.
pub async fn run(docs: Docs, common: Common) -> Result<u8> {
    let DocsCommand::Status { json } = docs.command;
    let engine = start::open(&common).await?;
    let folders = engine.folders().await?;
    if json {
        print_json(&folders)?;
    } else if folders.is_empty() {
        print("No folders are set. Add one: nexi config set documents.folders '[\"~/Documents\"]'\n")?;
    } else {
        print(&folders.iter().map(described).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(if folders.iter().all(|folder| folder.exists) { exit::ANSWERED } else { exit::FAILED })
}

fn described(folder: &FolderStatus) -> String {
    if !folder.exists {
        return format!("{}\n  This folder does not exist, or may not be opened.\n", folder.folder);
    }
    let mut out =
        format!("{}\n  {} indexed, {}\n", folder.folder, count(folder.files as u64, "file"), count(folder.passages as u64, "passage"));
    if !folder.skipped.is_empty() {
        out.push_str(&format!("  {} could not be read:\n", count(folder.skipped.len() as u64, "file")));
        for file in &folder.skipped {
            out.push_str(&format!("    {}: {}\n", file.path, file.message));
        }
    }
    if !folder.other.is_empty() {
        let all: usize = folder.other.iter().map(|kind| kind.files).sum();
        let kinds: Vec<String> = folder.other.iter().map(of_kind).collect();
        out.push_str(&format!("  {} of kinds that Nexi does not read: {}\n", count(all as u64, "file"), kinds.join(", ")));
    }
    out
}

fn of_kind(kind: &OtherKind) -> String {
    let ending = if kind.ending.is_empty() { "others".to_owned() } else { format!(".{}", kind.ending) };
    format!("{ending} ({})", kind.files)
}

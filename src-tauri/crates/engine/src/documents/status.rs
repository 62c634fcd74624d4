//! What is known of the folders: what is indexed and what is not, and why.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nexi_store::{DocumentIndex, StoreError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Rules, SkipReason, is_document, walk};

/// Kinds of files that are named; the rest is counted with the last.
const MOST_KINDS: usize = 12;

/// A folder of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FolderStatus {
    /// As it is in the settings.
    pub folder: String,
    /// It is there and can be looked into.
    pub exists: bool,
    #[ts(type = "number")]
    pub files: usize,
    #[ts(type = "number")]
    pub passages: usize,
    /// Documents that could not be read, by path.
    pub skipped: Vec<SkippedFile>,
    /// Files of kinds that are not read, the most frequent first.
    pub other: Vec<OtherKind>,
}

/// A document that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SkippedFile {
    pub path: String,
    pub reason: SkipReason,
    /// The reason as a part of a sentence.
    pub message: String,
}

/// Files of one kind that is not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OtherKind {
    /// The end of their names without the dot; empty for names without one, and for all kinds that are not named.
    pub ending: String,
    #[ts(type = "number")]
    pub files: usize,
}

/// What is known of a folder that has been synchronised. Blocks: it walks through the folder.
///
/// # Errors
/// When the index refuses.
pub fn status(index: &DocumentIndex, folder: &str, real: Option<&Path>, rules: &Rules) -> Result<FolderStatus, StoreError> {
    let Some(real) = real else {
        let none = FolderStatus { folder: folder.to_owned(), exists: false, files: 0, passages: 0, skipped: Vec::new(), other: Vec::new() };
        return Ok(none);
    };
    let root = real.to_string_lossy();
    let (files, passages) = index.size(&root)?;
    let skipped = index.skipped(&root)?.into_iter().map(|skipped| {
        let reason = serde_json::from_str(&skipped.reason).unwrap_or(SkipReason::Damaged);
        SkippedFile { path: skipped.path, message: SkipReason::to_string(&reason), reason }
    });
    Ok(FolderStatus {
        folder: folder.to_owned(),
        exists: true,
        files,
        passages,
        skipped: skipped.collect(),
        other: other_kinds(real, rules),
    })
}

fn other_kinds(root: &Path, rules: &Rules) -> Vec<OtherKind> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in walk(root, rules).filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()) && !is_document(entry.path())) {
        let ending = entry.path().extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
        *counts.entry(ending).or_default() += 1;
    }
    let mut all: Vec<OtherKind> = counts.into_iter().map(|(ending, files)| OtherKind { ending, files }).collect();
    all.sort_by(|a, b| b.files.cmp(&a.files).then_with(|| a.ending.cmp(&b.ending)));
    if all.len() > MOST_KINDS {
        let rest = all.split_off(MOST_KINDS).iter().map(|kind| kind.files).sum();
        all.push(OtherKind { ending: String::new(), files: rest });
    }
    all
}

/// A folder of the settings where it really is; none where it is no folder.
pub fn real(folder: &Path) -> Option<PathBuf> {
    folder.canonicalize().ok().filter(|folder| folder.is_dir())
}

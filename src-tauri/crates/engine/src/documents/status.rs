//! What is known of the folders: what is indexed and what is not, and why.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use nexi_store::{DocumentIndex, StoreError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Rules, SkipReason, builder};

/// Kinds of files that are named; the rest is counted with the last.
const MOST_KINDS: usize = 12;
/// Endings of archives, which are named one by one.
const ARCHIVES: &[&str] = &["7z", "bz2", "gz", "rar", "tar", "tgz", "xz", "zip", "zst"];

/// A folder of documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FolderStatus {
    /// As it is in the settings.
    pub folder: String,
    /// It is there and can be looked into.
    pub exists: bool,
    #[ts(type = "number")]
    pub files: usize,
    #[ts(type = "number")]
    pub passages: usize,
    /// Documents by their kind, the most frequent first, those that could not be read among them.
    pub kinds: Vec<FileKind>,
    /// What could not be read, by path.
    pub skipped: Vec<SkippedFile>,
    /// Documents that were read in part.
    pub partly: Vec<SkippedFile>,
    /// Files of kinds that are not read, the most frequent first.
    pub other: Vec<FileKind>,
    /// Files and folders that are hidden: their names begin with a dot.
    #[ts(type = "number")]
    pub hidden: usize,
    /// Files and folders that an ignore file or the patterns of the settings leave out.
    #[ts(type = "number")]
    pub ignored: usize,
}

/// A document that could not be read, or not as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SkippedFile {
    pub path: String,
    pub reason: SkipReason,
    /// The reason as a part of a sentence.
    pub message: String,
}

impl SkippedFile {
    fn new(path: impl Into<String>, reason: SkipReason) -> Self {
        Self { path: path.into(), message: reason.to_string(), reason }
    }
}

/// Files of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileKind {
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
    let Some(real) = real else { return Ok(FolderStatus { folder: folder.to_owned(), ..FolderStatus::default() }) };
    let root = real.to_string_lossy();
    let (files, passages) = index.size(&root)?;
    let pending = match rules.languages() {
        Some(languages) => index.paths_with_pending_pages(&root, languages)?,
        None => HashSet::new(),
    };
    let mut seen = Seen::of(real, rules);
    seen.skipped.extend(index.skipped(&root)?.into_iter().map(|skipped| {
        let reason = match serde_json::from_str(&skipped.reason) {
            Ok(SkipReason::Scanned { .. }) if rules.languages().is_some() && !pending.contains(&skipped.path) => SkipReason::NotRecognised,
            Ok(SkipReason::Scanned { .. }) => SkipReason::Scanned { waits: rules.languages().is_some() },
            Ok(reason) => reason,
            Err(_) => SkipReason::Damaged,
        };
        SkippedFile::new(skipped.path, reason)
    }));
    seen.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    let reason = |kept: &str| serde_json::from_str(kept).unwrap_or(SkipReason::Cut);
    let partly = index.partly(&root)?.into_iter().map(|partly| SkippedFile::new(partly.path, reason(&partly.reason)));
    Ok(FolderStatus {
        folder: folder.to_owned(),
        exists: true,
        files,
        passages,
        kinds: most_frequent(seen.kinds),
        skipped: seen.skipped,
        partly: partly.collect(),
        other: most_frequent(seen.other),
        hidden: seen.hidden,
        ignored: seen.ignored,
    })
}

/// What a walk through a folder meets.
#[derive(Default)]
struct Seen {
    /// Documents and other files, by their endings.
    kinds: BTreeMap<String, usize>,
    other: BTreeMap<String, usize>,
    /// What never comes into the index, so that it knows nothing of it.
    skipped: Vec<SkippedFile>,
    hidden: usize,
    ignored: usize,
}

impl Seen {
    fn of(root: &Path, rules: &Rules) -> Self {
        let mut out = Self::default();
        let mut met: HashSet<u64> = HashSet::new();
        let mut folders: Vec<PathBuf> = Vec::new();
        for entry in builder(root, rules, None).build() {
            match entry {
                Ok(entry) => {
                    met.insert(mark(entry.path()));
                    if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                        folders.push(entry.path().to_owned());
                    }
                    out.add(&entry, rules);
                }
                Err(error) => out.add_error(error),
            }
        }
        out.count_unmet(&folders, &met);
        out
    }

    /// Counts what lies in these folders and was not met. What lies within a folder that was not met is not counted.
    fn count_unmet(&mut self, folders: &[PathBuf], met: &HashSet<u64>) {
        for entry in folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten() {
            if met.contains(&mark(&entry.path())) {
                continue;
            }
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            *(if is_hidden { &mut self.hidden } else { &mut self.ignored }) += 1;
        }
    }

    fn add(&mut self, entry: &ignore::DirEntry, rules: &Rules) {
        let path = entry.path();
        let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { return };
        let ending = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
        let takes = rules.takes(path);
        let reason = if kind.is_symlink() {
            // What a link leads to is a document by its own name, or a folder of them.
            (takes || path.is_dir()).then_some(SkipReason::Link)
        } else if !kind.is_file() {
            takes.then_some(SkipReason::NoFile)
        } else if takes && path.to_str().is_none() {
            Some(SkipReason::BadName)
        } else if takes {
            *self.kinds.entry(ending).or_default() += 1;
            return;
        } else if ARCHIVES.contains(&ending.as_str()) {
            Some(SkipReason::Archive)
        } else {
            *self.other.entry(ending).or_default() += 1;
            return;
        };
        self.skipped.extend(reason.map(|reason| SkippedFile::new(path.to_string_lossy(), reason)));
    }

    /// A folder that cannot be looked into.
    fn add_error(&mut self, error: ignore::Error) {
        if let ignore::Error::WithDepth { err, .. } = error {
            self.add_error(*err);
        } else if let ignore::Error::WithPath { path, err } = error {
            // The error of the walk names the path once more.
            let message = err.io_error().map_or_else(|| err.to_string(), |error| std::io::Error::from(error.kind()).to_string());
            self.skipped.push(SkippedFile::new(path.to_string_lossy(), SkipReason::Unreadable { message }));
        }
    }
}

/// A path as a number: those of a hundred thousand files take little room.
fn mark(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

fn most_frequent(counts: BTreeMap<String, usize>) -> Vec<FileKind> {
    let mut all: Vec<FileKind> = counts.into_iter().map(|(ending, files)| FileKind { ending, files }).collect();
    all.sort_by(|a, b| b.files.cmp(&a.files).then_with(|| a.ending.cmp(&b.ending)));
    if all.len() > MOST_KINDS {
        let rest = all.split_off(MOST_KINDS).iter().map(|kind| kind.files).sum();
        all.push(FileKind { ending: String::new(), files: rest });
    }
    all
}

/// A folder of the settings where it really is; none where it is no folder.
pub fn real(folder: &Path) -> Option<PathBuf> {
    dunce::canonicalize(folder).ok().filter(|folder| folder.is_dir())
}

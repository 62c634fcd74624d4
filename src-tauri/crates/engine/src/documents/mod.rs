//! The user's own documents: walking folders, reading files, keeping the index up to date,
//! searching it.

mod bibliography;
mod file;
mod front_matter;
mod grep;
mod handbook;
mod latex;
mod meaning;
mod ocr;
mod picture;
mod reader;
mod rules;
mod scans;
mod search;
mod status;
mod sync;
mod watch;

pub use bibliography::{Bibliography, Reference};
pub use file::{ReadFile, SkipReason, read_file};
pub use grep::Grep;
pub(crate) use meaning::{BATCH as EMBEDDED_AT_ONCE, embedded};
pub use meaning::{BuildError, Built, Meaning};
pub use ocr::{ORIENTATION, OcrError, PROGRAMS as OCR_PROGRAMS, installed_languages, portable_pixmap, recognise, recognise_pixmap};
pub use picture::{PagePicture, can_draw, can_show, draw};
pub use reader::DocumentReader;
pub use rules::Rules;
pub use scans::Scans;
pub use search::{DocumentSearch, completed};
pub(crate) use search::{MEANING, NEAR, RELEVANT, fused, listed_hit, spread, titles};
pub use status::{FileKind, FolderStatus, SkippedFile};
pub(crate) use status::{real, status};
pub use sync::{Refresh, Synced, sync};
pub(crate) use sync::{name_words, passages};
pub use watch::FolderWatch;

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use nexi_formats::Kind;

/// Endings of files that are plain text or source code; those of other documents are known to `nexi_formats`.
const ENDINGS: &[&str] = &[
    "adoc", "asciidoc", "bash", "bib", "c", "cc", "cfg", "clj", "conf", "cpp", "cs", "css", "dart", "el", "erl", "ex", "exs", "fish", "go",
    "gradle", "h", "hpp", "hs", "htm", "html", "ini", "java", "jl", "js", "json", "jsonl", "jsx", "kt", "kts", "less", "lisp", "log",
    "lua", "markdown", "md", "mdx", "mjs", "ml", "mli", "nim", "nix", "org", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "r", "rb",
    "rs", "rst", "sass", "scala", "scm", "scss", "sh", "sql", "svelte", "swift", "tcl", "tex", "text", "tf", "toml", "ts", "tsx", "txt",
    "vb", "vim", "vue", "xhtml", "xml", "yaml", "yml", "zig", "zsh",
];

/// Names of files without an ending that are documents.
const NAMES: &[&str] = &["README", "LICENSE", "CHANGELOG", "Makefile", "Dockerfile", "TODO", "NOTES"];

/// The documents below a folder. Blocks.
pub(crate) fn documents_below(root: &Path, rules: &Rules) -> impl Iterator<Item = ignore::DirEntry> {
    walk(root, rules).filter(|entry| is_entry(entry, rules))
}

/// All of them, and whether every folder could be looked into.
pub(crate) fn all_documents_below(root: &Path, rules: &Rules) -> (Vec<ignore::DirEntry>, bool) {
    let mut is_whole = true;
    let entries = builder(root, rules, None).build().filter_map(|entry| entry.inspect_err(|_| is_whole = false).ok());
    let found = entries.filter(|entry| is_entry(entry, rules)).collect();
    (found, is_whole)
}

/// Whether a file is a document, by its name. Pictures are none by themselves; see [`Rules`].
pub fn is_document(path: &Path) -> bool {
    match path.extension().and_then(|end| end.to_str()) {
        Some(end) => {
            ENDINGS.binary_search(&end.to_ascii_lowercase().as_str()).is_ok()
                || Kind::of_path(path).is_some_and(|kind| kind != Kind::Picture)
        }
        None => path.file_name().and_then(|name| name.to_str()).is_some_and(|name| NAMES.contains(&name)) || Kind::of_path(path).is_some(),
    }
}

/// What can be seen below a folder: hidden and ignored files, links, and what the person left out are none of it.
fn walk(root: &Path, rules: &Rules) -> impl Iterator<Item = ignore::DirEntry> + use<> {
    walk_to(root, rules, None)
}

/// The same down to a depth.
fn walk_to(root: &Path, rules: &Rules, depth: Option<usize>) -> impl Iterator<Item = ignore::DirEntry> + use<> {
    builder(root, rules, depth).build().flatten()
}

fn builder(root: &Path, rules: &Rules, depth: Option<usize>) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.require_git(false).follow_links(false).max_depth(depth);
    if rules.has_patterns() {
        let rules = rules.clone();
        builder.filter_entry(move |entry| !rules.leave_out(entry.path(), entry.file_type().is_some_and(|kind| kind.is_dir())));
    }
    builder
}

/// Whether an entry of a folder is a document; a file that was named itself is one, whatever its name is.
fn is_entry(entry: &ignore::DirEntry, rules: &Rules) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file()) && (entry.depth() == 0 || rules.takes(entry.path()))
}

/// Folders and single files as they are in the file system, without those that do not exist and those that lie in
/// another of them.
pub fn resolve(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> =
        folders.iter().filter_map(|folder| dunce::canonicalize(folder).ok()).filter(|root| root.is_dir() || root.is_file()).collect();
    roots.sort();
    roots.dedup();
    let all = roots.clone();
    // A file that a folder does not show, such as one without an ending, is looked at because it was named.
    let is_unseen = |root: &PathBuf| root.is_file() && !is_document(root);
    roots.retain(|root| is_unseen(root) || !all.iter().any(|other| other != root && root.starts_with(other)));
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_sorted_and_known() {
        assert!(ENDINGS.is_sorted());
        assert!(
            is_document(Path::new("a/B.MD"))
                && is_document(Path::new("README"))
                && is_document(Path::new("a.PDF"))
                && !is_document(Path::new("a.png"))
                && !is_document(Path::new("a"))
        );
    }
}

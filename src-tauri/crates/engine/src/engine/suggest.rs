//! What can be attached by a few letters of its name: documents, their folders, earlier threads, sites.

use std::collections::BTreeSet;
use std::path::Path;

use nexi_core::{protocol::ThreadSummary, text};
use nexi_messages::say;
use nexi_store::{StoreError, paths::with_tilde};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use url::Url;

use crate::clock::local_day;

use super::{Attach, Engine, EngineError, attach::web_url, blocking};

/// Suggestions of each kind.
const MAX_OF_EACH_KIND: usize = 5;
/// Documents whose folders are looked at.
const LOOKED_AT: usize = 400;
/// Threads whose titles are looked at.
const THREADS: u32 = 2000;

/// What an attachment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AttachKind {
    File,
    Folder,
    Text,
    Address,
    Thread,
    Site,
}

/// An attachment with the words for a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub attach: Attach,
    pub kind: AttachKind,
    pub label: String,
    /// Where it is, or what it does; empty where the label says it all.
    pub note: String,
}

impl Suggestion {
    /// A file or folder, by its path.
    pub fn path(path: &Path) -> Self {
        let kind = if path.is_dir() { AttachKind::Folder } else { AttachKind::File };
        let label = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        Self { attach: Attach::Path(path.to_owned()), kind, label, note: short(path) }
    }

    /// A text, by its beginning.
    pub fn text(full: &str) -> Self {
        let label = text::truncate_chars(&text::fold_space(full), 40);
        let note = say!("attach-note-words", count = text::word_count(full));
        Self { attach: Attach::Text { title: None, text: full.to_owned() }, kind: AttachKind::Text, label, note }
    }

    /// A page of the web, by its address.
    pub fn address(url: &Url) -> Self {
        let label = text::truncate_chars(url.as_str().trim_start_matches("https://").trim_end_matches('/'), 40);
        Self { attach: Attach::Address(url.as_str().to_owned()), kind: AttachKind::Address, label, note: String::new() }
    }

    fn thread(thread: &ThreadSummary) -> Self {
        let note = say!("attach-note.asked", day = local_day(thread.updated_ms));
        Self { attach: Attach::Thread(thread.id.clone()), kind: AttachKind::Thread, label: thread.title.clone(), note }
    }
}

/// The folder that something lies in, with `~` for the home folder.
fn short(path: &Path) -> String {
    path.parent().map(with_tilde).unwrap_or_default()
}

impl Engine {
    /// What a person may mean by these letters, best first.
    ///
    /// # Errors
    /// When the library or the index cannot be read.
    pub async fn suggest(&self, typed: &str) -> Result<Vec<Suggestion>, EngineError> {
        let typed = typed.trim().to_owned();
        let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let roots: Vec<String> = self.own_roots(&self.settings()).iter().map(|root| root.to_string_lossy().into_owned()).collect();
        let (index, wanted, below) = (self.inner.index.clone(), words.clone(), roots.clone());
        let paths = blocking(move || index.named(&below, &wanted, LOOKED_AT)).await??;
        let mut threads = self.threads(THREADS).await?;
        threads.sort_by_key(|thread| std::cmp::Reverse(thread.updated_ms));
        let mut out: Vec<Suggestion> = site(&typed);
        out.extend(folders(&roots, &paths, &words).into_iter().take(MAX_OF_EACH_KIND));
        out.extend(paths.iter().take(MAX_OF_EACH_KIND).map(|path| Suggestion::path(Path::new(path))));
        let fits = |thread: &&ThreadSummary| {
            let title = thread.title.to_lowercase();
            !thread.title.is_empty() && words.iter().all(|word| title.contains(word))
        };
        out.extend(threads.iter().filter(fits).take(MAX_OF_EACH_KIND).map(Suggestion::thread));
        Ok(out)
    }

    /// Whether a person's documents include this one: only those may be attached by their path alone.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub async fn has_document(&self, path: &Path) -> Result<bool, EngineError> {
        let roots = self.roots(&self.settings(), &[]);
        let (index, path) = (self.inner.index.clone(), path.to_owned());
        Ok(blocking(move || {
            let Ok(real) = dunce::canonicalize(&path) else { return Ok(false) };
            let inside = roots.iter().any(|root| real.starts_with(root));
            Ok::<_, StoreError>(inside && (real.is_dir() || index.contains(&real.to_string_lossy())?))
        })
        .await??)
    }
}

/// A host that is typed: to be searched alone, or to be read.
fn site(typed: &str) -> Vec<Suggestion> {
    let url = web_url(typed).filter(|_| !typed.contains(char::is_whitespace));
    let Some((url, host)) = url.and_then(|url| Some((url.clone(), url.host_str()?.to_owned()))) else { return Vec::new() };
    // A word with a dot in its middle, and no file's name.
    let ends_well = host.rsplit('.').next().is_some_and(|end| end.len() >= 2 && end.bytes().all(|byte| byte.is_ascii_alphabetic()));
    // `.org` is also the ending of Org files; they are still suggested by name.
    let is_name = crate::documents::is_document(Path::new(typed)) && !typed.ends_with(".org");
    if !host.contains('.') || !ends_well || is_name {
        return Vec::new();
    }
    let page = Suggestion {
        attach: Attach::Address(url.to_string()),
        kind: AttachKind::Address,
        label: typed.to_owned(),
        note: say!("attach-note.page"),
    };
    let mut out = vec![page];
    if url.path() == "/" && url.query().is_none() {
        out.push(Suggestion { attach: Attach::Site(host.clone()), kind: AttachKind::Site, label: host, note: say!("attach-note.site") });
    }
    out
}

/// The folders of the settings and those below them that hold documents, whose names fit.
fn folders(roots: &[String], paths: &[String], words: &[String]) -> Vec<Suggestion> {
    let fits = |folder: &Path| {
        let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        words.iter().all(|word| name.contains(word))
    };
    let mut found: BTreeSet<&Path> = roots.iter().map(Path::new).filter(|root| root.is_dir() && fits(root)).collect();
    for path in paths {
        let within = |folder: &&Path| roots.iter().any(|root| folder.starts_with(root));
        found.extend(Path::new(path).ancestors().skip(1).take_while(within).filter(|folder| fits(folder)));
    }
    found.into_iter().map(Suggestion::path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_offered_and_names_of_files_are_not() {
        let kinds = |typed: &str| site(typed).into_iter().map(|suggestion| suggestion.kind).collect::<Vec<_>>();
        assert_eq!(kinds("example.org"), [AttachKind::Address, AttachKind::Site]);
        assert_eq!(kinds("https://example.org/a/b"), [AttachKind::Address]);
        for none in ["", "wall", "wall.md", "minutes 1926.pdf", "file:///etc/passwd", "3.5", "javascript:x.y"] {
            assert_eq!(kinds(none), [], "{none}");
        }
    }

    #[test]
    fn folders_are_found_below_those_of_the_settings() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("Archive");
        std::fs::create_dir_all(root.join("Harbour/minutes")).unwrap();
        let path = root.join("Harbour/minutes/1926.md").to_string_lossy().into_owned();
        let roots = [root.to_string_lossy().into_owned()];
        let labels = |word: &str| {
            folders(&roots, std::slice::from_ref(&path), &[word.to_owned()]).into_iter().map(|found| found.label).collect::<Vec<_>>()
        };
        assert_eq!(labels("min"), ["minutes"]);
        assert_eq!(labels("arch"), ["Archive"]);
        assert!(labels("1926").is_empty());
    }
}

//! One file as text with a title.

use nexi_messages::say;
use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::path::Path;

use nexi_core::{place::Place, text};
use nexi_formats::{FormatError, Kind, MAX_TEXT, decode_wide};
use nexi_web::{html, page::metadata, read::decode};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{
    Reference,
    front_matter::{FrontMatter, day_in_name},
    latex,
};

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 1024 * 1024 * 1024;
/// Bytes that are read of a file at a time.
const CHUNK: usize = 64 * 1024;
/// Parts of a document that are named.
const MOST_PARTS: usize = 8;

/// A document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    pub title: String,
    /// Who wrote it, where it says so.
    pub authors: Vec<String>,
    /// When it was written, as `YYYY-MM-DD`, where it says so itself.
    pub date: Option<String>,
    pub doi: Option<String>,
    pub text: String,
    /// For every line of `text` the line of the file, its page or its place; empty where they are the same. See
    /// [`nexi_core::ports::Page`].
    pub lines: Vec<u32>,
    pub paged: bool,
    pub places: Vec<Place>,
    /// It goes on; what is longer than [`MAX_TEXT`] was left out.
    pub cut: bool,
    /// Pages and sheets that could not be read, or not to their end, as people call them.
    pub unread: Vec<String>,
}

impl ReadFile {
    /// Why it could not be read as a whole; none where it was.
    pub fn partly(&self) -> Option<SkipReason> {
        if self.cut {
            return Some(SkipReason::Cut);
        }
        (!self.unread.is_empty()).then(|| SkipReason::Parts { names: self.unread.clone() })
    }

    /// The same with what a bibliography says of it, which knows better than the file.
    pub fn with(mut self, reference: Option<&Reference>) -> Self {
        let Some(reference) = reference else { return self };
        if let Some(title) = &reference.title {
            self.title.clone_from(title);
        }
        if !reference.authors.is_empty() {
            self.authors.clone_from(&reference.authors);
        }
        self.date = reference.date.clone().or(self.date);
        self.doi = reference.doi.clone();
        self
    }
}

/// Why a document was left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SkipReason {
    TooLarge {
        max_mib: u32,
    },
    NotText,
    Unreadable {
        message: String,
    },
    Encrypted,
    NoText,
    /// `waits` where the text of its pages is being recognised, one after the other.
    Scanned {
        waits: bool,
    },
    NothingRecognised,
    NotRecognised,
    Damaged,
    TooComplex,
    TooSlow,
    Archive,
    Link,
    NoFile,
    BadName,
    /// Not left out as a whole.
    Cut,
    /// The same, for pages or sheets.
    Parts {
        names: Vec<String>,
    },
}

impl std::fmt::Display for SkipReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match self {
            Self::TooLarge { max_mib } => say!("errors-file.too_large", max_mib = max_mib.to_string()),
            Self::NotText => say!("errors-file.not_text"),
            Self::Unreadable { message } => say!("errors-file.unreadable", message = message),
            Self::Encrypted => say!("errors-file.encrypted"),
            Self::NoText => say!("errors-file.no_text"),
            Self::Scanned { waits } => say!("errors-file.scanned", waits = *waits),
            Self::NothingRecognised => say!("errors-file.nothing_recognised"),
            Self::NotRecognised => say!("errors-file.not_recognised"),
            Self::Damaged => say!("errors-file.damaged"),
            Self::TooComplex => say!("errors-file.too_complex"),
            Self::TooSlow => say!("errors-file.too_slow"),
            Self::Archive => say!("errors-file.archive"),
            Self::Link => say!("errors-file.link"),
            Self::NoFile => say!("errors-file.no_file"),
            Self::BadName => say!("errors-file.bad_name"),
            Self::Cut => say!("errors-file.cut"),
            Self::Parts { names } => parts(names),
        })
    }
}

/// Pages or sheets that could not be read; of many only the first are named.
fn parts(names: &[String]) -> String {
    let named = names.iter().take(MOST_PARTS).cloned().collect::<Vec<_>>().join(", ");
    let more = names.len().saturating_sub(MOST_PARTS);
    say!("errors-file-parts", more = more, names = named)
}

impl From<FormatError> for SkipReason {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::Encrypted => Self::Encrypted,
            FormatError::NoText => Self::NoText,
            FormatError::Broken => Self::Damaged,
            FormatError::TooComplex => Self::TooComplex,
            FormatError::TooSlow => Self::TooSlow,
            FormatError::Unreadable => Self::Unreadable { message: "it went away while it was read".into() },
        }
    }
}

impl From<std::io::Error> for SkipReason {
    fn from(error: std::io::Error) -> Self {
        Self::Unreadable { message: error.to_string() }
    }
}

/// A number that changes when the file's bytes do.
///
/// # Errors
/// When it cannot be read.
pub(super) fn fingerprint(path: &Path) -> std::io::Result<i64> {
    let mut hasher = DefaultHasher::new();
    let mut file = File::open(path)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hasher.finish().cast_signed()),
            length => hasher.write(&chunk[..length]),
        }
    }
}

/// Whether a file may be read at all.
///
/// # Errors
/// When it is too large, or no file that has an end.
pub(super) fn check_size(path: &Path) -> Result<(), SkipReason> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(SkipReason::NoFile);
    }
    if metadata.len() > MAX_FILE {
        return Err(SkipReason::TooLarge { max_mib: u32::try_from(MAX_FILE / 1024 / 1024).unwrap_or(u32::MAX) });
    }
    Ok(())
}

/// A file that was read, and which of its pages are scanned.
#[derive(Debug)]
pub(super) struct Opened {
    /// From 1.
    pub scanned: Vec<u32>,
    pub read: Result<ReadFile, SkipReason>,
}

/// Reads a document: HTML, office files, books, mail and PDF become Markdown, everything else stays as it is. Blocks.
///
/// # Errors
/// When the file cannot be read, is too large or is not text.
pub fn read_file(path: &Path) -> Result<ReadFile, SkipReason> {
    open(path, |_| BTreeMap::new()).read
}

/// The same. `recognised` tells what is known of the scanned pages, by page; it is asked where there are some.
pub(super) fn open(path: &Path, recognised: impl FnOnce(&[u32]) -> BTreeMap<u32, String>) -> Opened {
    if let Err(reason) = check_size(path) {
        return Opened { scanned: Vec::new(), read: Err(reason) };
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let day = day_in_name(&name);
    let Some(kind) = Kind::of_path(path) else { return Opened { scanned: Vec::new(), read: plain(path, name) } };
    // Why a file cannot be opened is known here best.
    if let Err(error) = File::open(path) {
        return Opened { scanned: Vec::new(), read: Err(error.into()) };
    }
    let mut found = match nexi_formats::read(kind, path) {
        Ok(found) => found,
        Err(error) => return Opened { scanned: Vec::new(), read: Err(error.into()) },
    };
    let scanned = std::mem::take(&mut found.scanned);
    if !scanned.is_empty() {
        let pages = recognised(&scanned);
        found.add_recognised(&scanned, &pages);
        if !found.has_text() {
            let all_read = scanned.iter().all(|page| pages.contains_key(page));
            let reason = if all_read { SkipReason::NothingRecognised } else { SkipReason::Scanned { waits: false } };
            return Opened { scanned, read: Err(reason) };
        }
    }
    let whole = found.assemble(|part| html::to_markdown(part).text);
    let title = if found.title.trim().is_empty() { name } else { found.title };
    let read = ReadFile {
        title,
        authors: found.authors,
        date: found.date.or(day),
        doi: None,
        text: whole.text,
        lines: whole.lines,
        paged: whole.paged,
        places: whole.places,
        cut: found.cut,
        unread: found.unread,
    };
    Opened { scanned, read: Ok(read) }
}

fn plain(path: &Path, name: String) -> Result<ReadFile, SkipReason> {
    let file = File::open(path)?;
    // Room for all of it at once, and one byte in which its end is found.
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(MAX_TEXT).min(MAX_TEXT);
    let mut bytes = Vec::with_capacity(length + 1);
    file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    let cut = bytes.len() > MAX_TEXT;
    if cut {
        // Neither a line nor a letter is divided, but for lines that are very long themselves.
        let near = MAX_TEXT - CHUNK;
        let line = bytes[near..MAX_TEXT].iter().rposition(|byte| *byte == b'\n').map(|at| near + at + 1);
        let letter = || (near..=MAX_TEXT).rev().find(|at| bytes[*at] & 0xc0 != 0x80).unwrap_or(MAX_TEXT);
        bytes.truncate(line.unwrap_or_else(letter));
    }
    let wide = decode_wide(&bytes);
    if wide.is_none() && bytes[..bytes.len().min(8192)].contains(&0) {
        return Err(SkipReason::NotText);
    }
    let day = day_in_name(&name);
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    let is_html = matches!(end.as_str(), "html" | "htm" | "xhtml");
    let full = wide.unwrap_or_else(|| decode(&bytes, if is_html { "text/html" } else { "" }));
    drop(bytes);
    let file = |title: String, text: String, lines: Vec<u32>| ReadFile {
        title,
        authors: Vec::new(),
        date: None,
        doi: None,
        text,
        lines,
        paged: false,
        places: Vec::new(),
        cut,
        unread: Vec::new(),
    };
    if is_html {
        let page = html::to_markdown(&full);
        let title = if page.title.is_empty() { name } else { page.title };
        let said = metadata(&full);
        return Ok(ReadFile {
            authors: said.byline.into_iter().collect(),
            date: said.published.or(day),
            ..file(title, page.text, page.lines)
        });
    }
    let full = with_line_feeds(full);
    let full = if end == "tex" { latex::with_letters(&full) } else { full };
    let is_markdown = matches!(end.as_str(), "md" | "markdown" | "mdx");
    let said = FrontMatter::of(&full, &end);
    let title = said.title.or_else(|| if is_markdown { heading(&full) } else { None });
    // The name may know the day of the year that the text tells.
    let date = match (said.date, day) {
        (Some(said), Some(day)) if day.starts_with(&said) => Some(day),
        (said, day) => said.or(day),
    };
    Ok(ReadFile { authors: said.authors, date, ..file(title.unwrap_or(name), full, Vec::new()) })
}

/// The text with its lines ended as Unix ends them; old Macs ended them with a return alone.
fn with_line_feeds(full: String) -> String {
    match (full.contains('\r'), full.contains('\n')) {
        (false, _) => full,
        (true, true) => full.replace("\r\n", "\n"),
        (true, false) => full.replace('\r', "\n"),
    }
}

/// The first heading of a Markdown file.
fn heading(full: &str) -> Option<String> {
    let line = full.lines().take(40).find(|line| line.starts_with("# "))?;
    Some(text::plain(line)).filter(|title| !title.is_empty())
}

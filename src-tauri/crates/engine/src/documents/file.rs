//! One file as text with a title.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::path::Path;

use nexi_core::{place::Place, text};
use nexi_formats::{FormatError, Kind};
use nexi_web::{html, read::decode};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Reference, front_matter::FrontMatter};

/// Largest file of text that is read, in bytes.
const MAX_TEXT_FILE: u64 = 4 * 1024 * 1024;
/// Largest file of another kind.
const MAX_FILE: u64 = 1024 * 1024 * 1024;
/// Bytes that are read of a file at a time.
const CHUNK: usize = 64 * 1024;

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
}

impl ReadFile {
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
    #[error("it is larger than {max_mib} MiB")]
    TooLarge { max_mib: u32 },
    #[error("it is not text")]
    NotText,
    #[error("it cannot be opened: {message}")]
    Unreadable { message: String },
    #[error("it is protected by a password; save a copy without one")]
    Encrypted,
    #[error("it holds no text; it is probably scanned")]
    NoText,
    #[error("it is damaged, or not what its name says")]
    Damaged,
    #[error("it is too complex")]
    TooComplex,
    #[error("reading it takes too long")]
    TooSlow,
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

/// Which kind a file is by its name, where it is not plain text.
fn kind(path: &Path) -> Option<Kind> {
    path.extension().and_then(|end| end.to_str()).and_then(Kind::of_ending)
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
    let max = if kind(path).is_some() { MAX_FILE } else { MAX_TEXT_FILE };
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(SkipReason::NotText);
    }
    if metadata.len() > max {
        return Err(SkipReason::TooLarge { max_mib: u32::try_from(max / 1024 / 1024).unwrap_or(u32::MAX) });
    }
    Ok(())
}

/// Reads a document: HTML, office files, books, mail and PDF become Markdown, everything else stays as it is. Blocks.
///
/// # Errors
/// When the file cannot be read, is too large or is not text.
pub fn read_file(path: &Path) -> Result<ReadFile, SkipReason> {
    check_size(path)?;
    let kind = kind(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match kind {
        Some(kind) => parsed(kind, path, name),
        None => plain(path, name),
    }
}

fn parsed(kind: Kind, path: &Path, name: String) -> Result<ReadFile, SkipReason> {
    let found = nexi_formats::read(kind, path)?;
    let whole = found.assemble(|part| html::to_markdown(part).text);
    let title = if found.title.trim().is_empty() { name } else { found.title };
    Ok(ReadFile {
        title,
        authors: found.authors,
        date: found.date,
        doi: None,
        text: whole.text,
        lines: whole.lines,
        paged: whole.paged,
        places: whole.places,
    })
}

fn plain(path: &Path, name: String) -> Result<ReadFile, SkipReason> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_TEXT_FILE + 1).read_to_end(&mut bytes)?;
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if !is_utf16 && bytes[..bytes.len().min(8192)].contains(&0) {
        return Err(SkipReason::NotText);
    }
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    let is_html = matches!(end.as_str(), "html" | "htm" | "xhtml");
    let full = decode(&bytes, if is_html { "text/html" } else { "" });
    let file = |title: String, text: String, lines: Vec<u32>| ReadFile {
        title,
        authors: Vec::new(),
        date: None,
        doi: None,
        text,
        lines,
        paged: false,
        places: Vec::new(),
    };
    if is_html {
        let page = html::to_markdown(&full);
        let title = if page.title.is_empty() { name } else { page.title };
        return Ok(file(title, page.text, page.lines));
    }
    let is_markdown = matches!(end.as_str(), "md" | "markdown" | "mdx");
    let said = if is_markdown || end == "org" { FrontMatter::of(&full, &end) } else { FrontMatter::default() };
    let title = said.title.or_else(|| if is_markdown { heading(&full) } else { None });
    let text = full.replace("\r\n", "\n");
    Ok(ReadFile { authors: said.authors, date: said.date, ..file(title.unwrap_or(name), text, Vec::new()) })
}

/// The first heading of a Markdown file.
fn heading(full: &str) -> Option<String> {
    let line = full.lines().take(40).find(|line| line.starts_with("# "))?;
    Some(text::plain(line)).filter(|title| !title.is_empty())
}

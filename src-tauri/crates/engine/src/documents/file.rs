//! One file as text with a title.

use std::io::Read;
use std::path::Path;

use nexi_core::{ports::Failure, text};
use nexi_web::{html, read::decode};

use super::MAX_FILE;

/// A document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    pub title: String,
    pub text: String,
    /// For every line of `text` the line of the file; empty where they are the same.
    pub lines: Vec<u32>,
    pub bytes: Vec<u8>,
}

/// Reads a document: HTML becomes Markdown, everything else stays as it is.
///
/// # Errors
/// A sentence, when the file cannot be read, is too large or is not text.
pub fn read_file(path: &Path) -> Result<ReadFile, Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("the file cannot be read ({error})"));
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(failed)?.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::new(format!("the file is larger than {} MiB", MAX_FILE / 1024 / 1024)));
    }
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if !is_utf16 && bytes[..bytes.len().min(8192)].contains(&0) {
        return Err(Failure::new("the file is not text"));
    }
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    let is_html = matches!(end.as_str(), "html" | "htm" | "xhtml");
    let full = decode(&bytes, if is_html { "text/html" } else { "" });
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if is_html {
        let page = html::to_markdown(&full);
        let title = if page.title.is_empty() { name } else { page.title };
        return Ok(ReadFile { title, text: page.text, lines: page.lines, bytes });
    }
    let title = if matches!(end.as_str(), "md" | "markdown" | "mdx") { heading(&full) } else { None };
    Ok(ReadFile { title: title.unwrap_or(name), text: full.replace("\r\n", "\n"), lines: Vec::new(), bytes })
}

/// The first heading of a Markdown file.
fn heading(full: &str) -> Option<String> {
    let line = full.lines().take(40).find(|line| line.starts_with("# "))?;
    Some(text::plain(line)).filter(|title| !title.is_empty())
}

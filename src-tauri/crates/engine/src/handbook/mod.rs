//! The user handbook: always among the documents, so that a fresh install has something true to
//! answer from.

mod asked;

use std::path::Path;

pub use asked::answering;

/// A chapter.
pub struct Chapter {
    /// File name.
    pub name: &'static str,
    /// Markdown.
    pub text: &'static str,
    /// The questions that its passages answer, see [`asked`].
    asked: &'static str,
}

macro_rules! chapters {
    ($($name:literal),* $(,)?) => {
        &[$(Chapter {
            name: concat!($name, ".md"),
            text: include_str!(concat!("../../../../handbook/", $name, ".md")),
            asked: include_str!(concat!("../../../../handbook/asked/", $name, ".txt")),
        }),*]
    };
}

/// Every chapter, in order.
pub const CHAPTERS: &[Chapter] = chapters![
    "01-welcome",
    "02-asking",
    "03-answers-and-citations",
    "04-built-in-researcher",
    "05-models",
    "06-search-and-readers",
    "07-documents",
    "08-settings",
    "09-keys",
    "10-privacy",
    "11-keyboard",
    "12-command-line",
    "13-troubleshooting",
    "14-popup-and-tray",
    "15-library",
    "16-other-programs",
    "17-deep-research",
    "18-common-questions",
    "19-tools",
    "20-watched-questions",
    "21-webhooks-and-commands",
    "22-spaces",
    "23-all-settings",
    "24-shared-corpus",
    "25-team-library",
];

/// The title of a chapter, by an address that ends with its file name.
pub fn title(address: &str) -> String {
    let chapter = CHAPTERS.iter().find(|chapter| address.ends_with(chapter.name));
    chapter.and_then(|chapter| chapter.text.lines().next()).unwrap_or_default().trim_start_matches('#').trim().to_owned()
}

/// Writes the handbook into `folder`, where it can be indexed and read like any document. Files
/// that are already right are left alone, so that their times do not change.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_out(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for Chapter { name, text, .. } in CHAPTERS {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(*text) {
            std::fs::write(path, text)?;
        }
    }
    for entry in std::fs::read_dir(folder)?.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        // Pages of an older handbook go; whatever else somebody keeps there stays.
        let is_page = file.ends_with(".md") && file.as_bytes().get(2) == Some(&b'-') && file.as_bytes()[..2].iter().all(u8::is_ascii_digit);
        if is_page && !CHAPTERS.iter().any(|chapter| file == chapter.name) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

//! The user handbook: always among the documents, so that a fresh install has something true to
//! answer from.

use std::path::Path;

/// Every page: file name and text.
pub const PAGES: &[(&str, &str)] = &[
    ("01-welcome.md", include_str!("../../../handbook/01-welcome.md")),
    ("02-asking.md", include_str!("../../../handbook/02-asking.md")),
    ("03-answers-and-citations.md", include_str!("../../../handbook/03-answers-and-citations.md")),
    ("04-built-in-researcher.md", include_str!("../../../handbook/04-built-in-researcher.md")),
    ("05-models.md", include_str!("../../../handbook/05-models.md")),
    ("06-search-and-readers.md", include_str!("../../../handbook/06-search-and-readers.md")),
    ("07-documents.md", include_str!("../../../handbook/07-documents.md")),
    ("08-settings.md", include_str!("../../../handbook/08-settings.md")),
    ("09-keys.md", include_str!("../../../handbook/09-keys.md")),
    ("10-privacy.md", include_str!("../../../handbook/10-privacy.md")),
    ("11-keyboard.md", include_str!("../../../handbook/11-keyboard.md")),
    ("12-command-line.md", include_str!("../../../handbook/12-command-line.md")),
    ("13-troubleshooting.md", include_str!("../../../handbook/13-troubleshooting.md")),
    ("14-popup-and-tray.md", include_str!("../../../handbook/14-popup-and-tray.md")),
    ("15-library.md", include_str!("../../../handbook/15-library.md")),
    ("16-other-programs.md", include_str!("../../../handbook/16-other-programs.md")),
    ("17-deep-research.md", include_str!("../../../handbook/17-deep-research.md")),
    ("18-common-questions.md", include_str!("../../../handbook/18-common-questions.md")),
];

/// Writes the handbook into `folder`, where it can be indexed and read like any document. Files
/// that are already right are left alone, so that their times do not change.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_out(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in PAGES {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(*text) {
            std::fs::write(path, text)?;
        }
    }
    for entry in std::fs::read_dir(folder)?.flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        // Pages of an older handbook go; whatever else somebody keeps there stays.
        let is_page = file.ends_with(".md") && file.as_bytes().get(2) == Some(&b'-') && file.as_bytes()[..2].iter().all(u8::is_ascii_digit);
        if is_page && !PAGES.iter().any(|(name, _)| file == *name) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(())
}

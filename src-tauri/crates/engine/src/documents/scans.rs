//! Looks up what was recognised on scanned pages, and reads pages while somebody waits.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nexi_store::{
    DocumentIndex,
    documents::{FileContent, PagesRead, RecognisedWord},
};
use tokio_util::sync::CancellationToken;

use super::{Rules, file::fingerprint, installed_languages, recognise};

/// How long pages of a file are read while somebody waits.
const OCR_WAIT: Duration = Duration::from_secs(60);
/// In which language they are read where the settings turn text recognition off.
const DEFAULT_LANGUAGE: &str = "eng";

/// The recognised pages of the index.
#[derive(Clone)]
pub struct Scans {
    index: Arc<DocumentIndex>,
    /// As Tesseract takes them; none where scanned pages are not read.
    languages: Option<Arc<str>>,
}

impl Scans {
    /// Those in the languages of the settings.
    pub fn new(index: Arc<DocumentIndex>, rules: &Rules) -> Self {
        Self { index, languages: rules.languages().map(Arc::from) }
    }

    /// What is known of a file, by page. Reads the file to see whether it is still the same.
    pub(super) fn of_file(&self, path: &Path) -> BTreeMap<u32, String> {
        content(path).map(|content| self.of(content).0).unwrap_or_default()
    }

    /// What is known of a file of this content, by page, and of how many pages.
    pub(super) fn of(&self, content: FileContent) -> (BTreeMap<u32, String>, PagesRead) {
        let Some(languages) = &self.languages else { return Default::default() };
        self.index.recognised(content, languages).unwrap_or_default()
    }

    /// The words of a page of an indexed document, and where they stand.
    pub fn words(&self, path: &Path, page: u32) -> Vec<RecognisedWord> {
        let Some((languages, name)) = self.languages.as_deref().zip(path.to_str()) else { return Vec::new() };
        let content = self.index.scanned_content(name, page).ok().flatten();
        let size = std::fs::metadata(path).ok().and_then(|metadata| i64::try_from(metadata.len()).ok());
        // Another file by now has other words.
        let Some(content) = content.filter(|content| size == Some(content.size)) else { return Vec::new() };
        self.index.recognised_words(content, page, languages).unwrap_or_default()
    }

    /// What is known of a file that a person gave along with a question. Pages that were not read before are read now, for
    /// up to a minute; the next one then says that the rest was not. None of it is kept. Blocks for some seconds a page.
    pub(super) fn read_now(&self, path: &Path, scanned: &[u32], cancel: &CancellationToken) -> BTreeMap<u32, String> {
        let mut pages = self.of_file(path);
        let languages = self.languages.as_deref().unwrap_or(DEFAULT_LANGUAGE);
        let known = installed_languages();
        if languages.split('+').any(|language| !known.iter().any(|known| known == language)) {
            return pages;
        }
        let missing: Vec<u32> = scanned.iter().filter(|page| !pages.contains_key(page)).copied().collect();
        let begun = Instant::now();
        for (index, page) in missing.iter().enumerate() {
            if cancel.is_cancelled() {
                return pages;
            }
            if begun.elapsed() > OCR_WAIT {
                let note = format!(
                    "[{} further scanned pages were not read, because that takes too long while somebody waits. Add the folder of this file to your documents to have all of them read.]",
                    missing.len() - index
                );
                pages.insert(*page, note);
                return pages;
            }
            pages.insert(*page, recognise(path, *page, languages).unwrap_or_default().text);
        }
        pages
    }
}

/// The content of a file as it is now; none where it cannot be read.
pub(super) fn content(path: &Path) -> Option<FileContent> {
    let size = i64::try_from(std::fs::metadata(path).ok()?.len()).ok()?;
    Some(FileContent { hash: fingerprint(path).ok()?, size })
}

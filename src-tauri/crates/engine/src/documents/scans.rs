//! What was recognised on scanned pages, for whoever reads a document.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nexi_store::{
    DocumentIndex,
    documents::{FileContent, RecognisedWord},
};

use super::{Rules, file::fingerprint, installed_languages, recognise};

/// Pages of a file that are read while somebody waits.
const MAX_PAGES_AT_ONCE: usize = 8;
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
        content(path).map(|content| self.of(content)).unwrap_or_default()
    }

    /// What is known of a file of this content, by page.
    pub(super) fn of(&self, content: FileContent) -> BTreeMap<u32, String> {
        let Some(languages) = &self.languages else { return BTreeMap::new() };
        self.index.recognised(content, languages).unwrap_or_default()
    }

    /// The words of a page and where they stand.
    pub fn words(&self, path: &Path, page: u32) -> Vec<RecognisedWord> {
        let Some((languages, content)) = self.languages.as_deref().zip(content(path)) else { return Vec::new() };
        self.index.recognised_words(content, page, languages).unwrap_or_default()
    }

    /// What is known of a file that a person gave along with a question; pages that nobody has read yet are read now, the
    /// first ones at least. None of it is kept. Blocks for some seconds a page.
    pub(super) fn read_now(&self, path: &Path, scanned: &[u32]) -> BTreeMap<u32, String> {
        let mut pages = self.of_file(path);
        let languages = self.languages.as_deref().unwrap_or(DEFAULT_LANGUAGE);
        let known = installed_languages();
        if languages.split('+').any(|language| !known.iter().any(|known| known == language)) {
            return pages;
        }
        let missing: Vec<u32> = scanned.iter().filter(|page| !pages.contains_key(page)).take(MAX_PAGES_AT_ONCE).copied().collect();
        for page in missing {
            let read = recognise(path, page, languages).unwrap_or_default();
            pages.insert(page, read.text);
        }
        pages
    }
}

/// The content of a file as it is now; none where it cannot be read.
pub(super) fn content(path: &Path) -> Option<FileContent> {
    let size = i64::try_from(std::fs::metadata(path).ok()?.len()).ok()?;
    Some(FileContent { hash: fingerprint(path).ok()?, size })
}

//! Documents as a search backend and as a reader.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use nexi_core::{
    ports::{Caching, Delivery, Failure, Fault, Hit, Page, Query, ReadRequest, Reader, SearchBackend},
    rank::{Corpus, Question, Weights, score, terms},
    text,
};
use nexi_store::{DocumentIndex, IndexedPassage};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::read_file;

/// Passages taken from the index before they are ranked again.
const CANDIDATES: usize = 100;
/// Results of one query.
const MAX_HITS: usize = 10;
/// Results of one query from the same document.
const MAX_PER_DOCUMENT: usize = 2;

/// Searches the index of the user's documents.
pub struct DocumentSearch {
    index: Arc<DocumentIndex>,
    roots: Vec<String>,
}

impl DocumentSearch {
    /// Searches below `roots`, which have been through [`super::resolve`].
    pub fn new(index: Arc<DocumentIndex>, roots: &[PathBuf]) -> Self {
        Self { index, roots: roots.iter().map(|root| root.to_string_lossy().into_owned()).collect() }
    }
}

#[async_trait]
impl SearchBackend for DocumentSearch {
    fn name(&self) -> &str {
        "documents"
    }

    fn is_local(&self) -> bool {
        true
    }

    fn is_free(&self) -> bool {
        true
    }

    async fn search(&self, query: &Query, _: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        let (index, roots, query) = (self.index.clone(), self.roots.clone(), query.text.clone());
        tokio::task::spawn_blocking(move || find(&index, &roots, &query))
            .await
            .map_err(|_| Failure::new("the documents could not be searched"))?
            .map_err(|error| Failure::new(format!("the documents could not be searched ({error})")))
    }
}

fn find(index: &DocumentIndex, roots: &[String], query: &str) -> Result<Vec<Hit>, nexi_store::StoreError> {
    let question = Question::new(query);
    let mut words: Vec<String> = Vec::new();
    let mut stems: Vec<String> = Vec::new();
    for word in terms::content_words(query) {
        let stem = terms::stem(&word);
        if !stems.contains(&stem) {
            stems.push(stem);
            words.push(word);
        }
    }
    if words.is_empty() {
        words.clone_from(&question.words);
    }
    words.truncate(32);
    let passages = index.search(roots, &words, CANDIDATES)?;
    let (total, counts) = index.frequencies(&words)?;
    let units: Vec<_> = passages.iter().map(|passage| (terms::terms(&above(passage)), terms::terms(&passage.body))).collect();
    let mean = units.iter().map(|(_, body)| body.len()).sum::<usize>() as f64 / units.len().max(1) as f64;
    let corpus = if counts.len() == question.topics.len() {
        Corpus::from_counts(total, &counts, mean)
    } else {
        Corpus::from_units(&question, units.iter().map(|(_, body)| body.as_slice()))
    };
    let mut per_document: HashMap<&str, usize> = HashMap::new();
    let mut hits = Vec::new();
    for (place, _) in score::rank_passages(&question, &corpus, &Weights::default(), &units) {
        let passage = &passages[place];
        let mut all = units[place].0.clone();
        all.extend(units[place].1.iter().cloned());
        if !score::signs(&question, &corpus, &all).is_relevant() {
            continue;
        }
        let taken = per_document.entry(&passage.path).or_default();
        *taken += 1;
        if *taken <= MAX_PER_DOCUMENT
            && let Ok(url) = Url::from_file_path(&passage.path)
        {
            hits.push(Hit { title: title(passage), url: url.into(), snippet: text::fold_space(&passage.body), date: None });
        }
        if hits.len() == MAX_HITS {
            break;
        }
    }
    Ok(hits)
}

/// The words that stand above a passage.
fn above(passage: &IndexedPassage) -> String {
    format!("{} {}", passage.title, passage.heading)
}

fn title(passage: &IndexedPassage) -> String {
    let innermost = passage.heading.rsplit(" › ").next().unwrap_or_default();
    if innermost.is_empty() || passage.title.contains(innermost) {
        passage.title.clone()
    } else {
        format!("{} › {innermost}", passage.title)
    }
}

/// Reads files, and nothing outside the folders that the user chose.
pub struct DocumentReader {
    index: Arc<DocumentIndex>,
    roots: Vec<PathBuf>,
}

impl DocumentReader {
    /// Reads below `roots`, which have been through [`super::resolve`].
    pub fn new(index: Arc<DocumentIndex>, roots: Vec<PathBuf>) -> Self {
        Self { index, roots }
    }
}

#[async_trait]
impl Reader for DocumentReader {
    fn name(&self) -> &str {
        "documents"
    }

    fn accepts(&self, url: &Url) -> bool {
        url.scheme() == "file"
    }

    async fn read(&self, request: &ReadRequest, _: &CancellationToken) -> Result<Delivery, Failure> {
        let url = &request.url;
        let refused = || Failure::of(Fault::Forbidden, "the file is not in one of the folders that may be read");
        let path = url.to_file_path().map_err(|()| refused())?;
        // Resolved before it is compared: neither `..` nor a link leads out.
        let real = path.canonicalize().map_err(|_| refused())?;
        let inside = self.roots.iter().any(|root| real.starts_with(root));
        // Only what was indexed: hidden and ignored files are not read, whoever asks for them.
        let known = inside && self.index.contains(&real.to_string_lossy()).unwrap_or(false);
        if !known || !real.is_file() {
            return Err(refused());
        }
        let target = real.clone();
        let file =
            tokio::task::spawn_blocking(move || read_file(&target)).await.map_err(|_| Failure::new("the file could not be read"))??;
        let date =
            std::fs::metadata(&real).and_then(|metadata| metadata.modified()).ok().and_then(|time| jiff::Timestamp::try_from(time).ok());
        let url = Url::from_file_path(&real).map_err(|()| refused())?;
        let page = Page {
            url: url.into(),
            title: file.title,
            date: date.map(|date| date.strftime("%Y-%m-%d").to_string()),
            text: file.text,
            lines: file.lines,
            ..Page::default()
        };
        // Files are read in no time, and may change at any time.
        Ok(Delivery::Page(Box::new(page), Caching::default()))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use nexi_core::ports::Validators;

    use super::*;

    #[tokio::test]
    async fn nothing_outside_the_folders_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("docs"), folder.path().join("secret.md"));
        std::fs::create_dir(&root).unwrap();
        std::fs::write(&outside, "secret").unwrap();
        std::fs::write(root.join("a b.md"), "# Fine\n\nText.").unwrap();
        std::os::unix::fs::symlink(&outside, root.join("link.md")).unwrap();
        std::fs::write(root.join(".secret.md"), "hidden").unwrap();
        std::fs::write(root.join("ignored.md"), "ignored").unwrap();
        std::fs::write(root.join(".gitignore"), "ignored.md").unwrap();
        let index = Arc::new(DocumentIndex::open(&folder.path().join("d.db")).unwrap());
        let roots = super::super::resolve(std::slice::from_ref(&root));
        super::super::sync(&index, &roots, &|_, _| {}).unwrap();
        let reader = DocumentReader::new(index, roots);
        let read = async |path: PathBuf| {
            let url = Url::from_file_path(path).unwrap();
            let request = ReadRequest { url, ahead: None, validators: Validators::default() };
            reader.read(&request, &CancellationToken::new()).await
        };
        let Delivery::Page(page, _) = read(root.join("a b.md")).await.unwrap() else { panic!("no page") };
        assert_eq!(page.title, "Fine");
        for path in [
            outside.clone(),
            root.join("link.md"),
            root.join(".secret.md"),
            root.join("ignored.md"),
            root.join("../secret.md"),
            "/etc/passwd".into(),
        ] {
            assert!(read(path.clone()).await.is_err(), "{}", path.display());
        }
        let sneaky: Url = format!("file://{}/%2e%2e/secret.md", root.display()).parse().unwrap();
        let request = ReadRequest { url: sneaky, ahead: None, validators: Validators::default() };
        assert!(reader.read(&request, &CancellationToken::new()).await.is_err());
    }
}

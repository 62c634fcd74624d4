//! Documents as a search backend and as a reader.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use nexi_core::{
    document_filter::DocumentFilter,
    ports::{Caching, Collection, Delivery, Failure, Fault, Hit, Page, Query, ReadRequest, Reader, SearchBackend, thousandths},
    rank::{
        Corpus, Question,
        score::{self, Indexed},
        terms,
    },
    text,
};
use nexi_store::{
    DocumentIndex, IndexedPassage, StoreError,
    documents::{ListedDocument, Scope},
};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    Bibliography, Rules, handbook,
    meaning::{Meaning, QueryVector},
    read_file,
};

/// Passages taken from the index before they are ranked again.
const CANDIDATES: usize = 100;
/// Results of one query.
const MAX_HITS: usize = 10;
/// Documents of a list.
const MAX_LISTED: usize = 30;
/// Characters of a listed document that are shown.
const BEGINNING: usize = 160;
/// Results of one query from the same document.
const MAX_PER_DOCUMENT: usize = 2;

/// What the index's score of the handbook counts beside other documents.
const BEHIND: f64 = 0.7;
/// Passages that mean something like the question, before they are put together with those that hold its words.
const NEAREST: usize = 50;
/// How many standard deviations above the mean of all passages one must lie that has too few of the question's words.
const NEAR: f32 = 3.0;
/// The larger it is, the less the first places of a list count beside the next ones.
const FUSION: f64 = 5.0;
/// How much a place among what means the same counts beside one among what holds the words.
const MEANING: f64 = 1.5;
/// Words of a question that are looked for.
const MAX_WORDS: usize = 32;
/// Words that the index does not have and for which similar ones are looked up.
const MAX_CORRECTED: usize = 3;

/// Searches the index of the user's documents.
pub struct DocumentSearch {
    index: Arc<DocumentIndex>,
    roots: Vec<String>,
    /// The folder of Nexi's own handbook, as a beginning of paths.
    handbook: Option<String>,
    meaning: Option<Meaning>,
}

impl DocumentSearch {
    /// Searches below `roots`, which have been through [`super::resolve`].
    pub fn new(index: Arc<DocumentIndex>, roots: &[PathBuf]) -> Self {
        Self { index, roots: roots.iter().map(|root| root.to_string_lossy().into_owned()).collect(), handbook: None, meaning: None }
    }

    /// Puts what this folder holds behind everything else that fits a question which does not name Nexi.
    pub fn with_handbook(mut self, folder: &Path) -> Self {
        self.handbook = folder.canonicalize().ok().map(|folder| folder.join("").to_string_lossy().into_owned());
        self
    }

    /// Finds what means the same in other words, too.
    pub fn with_meaning(mut self, meaning: Option<Meaning>) -> Self {
        self.meaning = meaning;
        self
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

    async fn search(&self, query: &Query, cancel: &CancellationToken) -> Result<Vec<Hit>, Failure> {
        Ok(self.search_collection(query, cancel).await?.0)
    }

    async fn search_collection(&self, query: &Query, cancel: &CancellationToken) -> Result<(Vec<Hit>, Option<Collection>), Failure> {
        // What was held back from the web is held back from a service, too.
        let wanted = |meaning: &&Meaning| !query.filter.list && (meaning.is_local() || !query.documents_only);
        let vector = match self.meaning.as_ref().filter(wanted) {
            Some(meaning) => meaning.of(&query.text, cancel).await,
            None => None,
        };
        let (index, roots, query) = (self.index.clone(), self.roots.clone(), query.clone());
        let handbook = self.handbook.clone();
        let work = move || {
            let scope = Scope { roots: &roots, filter: Some(&*query.filter) };
            let behind = handbook.as_deref().filter(|_| !query.text.to_lowercase().contains("nexi"));
            if query.filter.list {
                return Ok((listed(&index, &scope, behind)?, Collection::default()));
            }
            let (mut hits, mut collection) = find(&index, &scope, &query.text, behind, vector.as_ref())?;
            if let Some(folder) = handbook.as_deref().filter(|_| *query.filter == DocumentFilter::default()) {
                collection.answering = handbook::answering(&scope, folder, &query.text, behind.is_some());
                handbook::put_first(&mut hits, &collection.answering);
                hits.truncate(MAX_HITS);
            }
            Ok::<_, StoreError>((hits, collection))
        };
        let (hits, collection) = tokio::task::spawn_blocking(work)
            .await
            .map_err(|_| Failure::new("the documents could not be searched"))?
            .map_err(|error| Failure::new(format!("the documents could not be searched ({error})")))?;
        Ok((hits, Some(collection)))
    }
}

fn find(
    index: &DocumentIndex,
    scope: &Scope<'_>,
    query: &str,
    behind: Option<&str>,
    vector: Option<&QueryVector>,
) -> Result<(Vec<Hit>, Collection), StoreError> {
    let question = Question::new(query);
    let words = Words::new(index, &question, query)?;
    let mut passages = index.search(scope, &words.words, CANDIDATES)?;
    let collection = match words.words.len() == words.counts.len() {
        true => collection(&question, &words, &passages),
        // What was probably meant says nothing about what was asked.
        false => collection(&question, &words, &index.search(scope, &words.words[..words.counts.len()], 2)?),
    };
    let is_behind = |passage: &IndexedPassage| behind.is_some_and(|folder| passage.path.starts_with(folder));
    for passage in passages.iter_mut().filter(|passage| is_behind(passage)) {
        passage.score *= BEHIND;
    }
    let by_words = by_words(&question, &words, &passages);
    let found: Vec<&IndexedPassage> = match vector {
        None => by_words.into_iter().map(|place| &passages[place]).collect(),
        Some(vector) => {
            let mut near = index.nearest(&vector.model, scope, &vector.numbers, NEAREST)?;
            for passage in near.iter_mut().filter(|near| is_behind(&near.passage)) {
                passage.deviation *= BEHIND as f32;
            }
            near.sort_by(|a, b| b.deviation.total_cmp(&a.deviation));
            let by_words: Vec<i64> = by_words.into_iter().map(|place| passages[place].id).collect();
            let by_meaning: Vec<i64> = near
                .iter()
                .filter(|near| near.deviation >= NEAR || by_words.contains(&near.passage.id))
                .map(|near| near.passage.id)
                .collect();
            passages.extend(near.into_iter().map(|near| near.passage));
            let place = |id: &i64| passages.iter().find(|passage| passage.id == *id);
            fused(&[(by_words, 1.0), (by_meaning, MEANING)]).iter().filter_map(place).collect()
        }
    };
    let most = scope.filter.and_then(|filter| filter.max_results).map_or(MAX_HITS, |most| most as usize);
    Ok((hits(&found, most), collection))
}

/// The places of passages that hold enough of the question's words, best first.
fn by_words(question: &Question, words: &Words, passages: &[IndexedPassage]) -> Vec<usize> {
    let units: Vec<_> = passages.iter().map(|passage| (terms::terms(&above(passage)), terms::terms(&passage.body))).collect();
    let mean = units.iter().map(|(_, body)| body.len()).sum::<usize>() as f64 / units.len().max(1) as f64;
    let corpus = if words.counts.len() == words.words.len() && words.counts.len() == question.topics.len() {
        Corpus::from_counts(words.total, &words.counts, mean)
    } else {
        Corpus::from_units(question, units.iter().map(|(_, body)| body.as_slice()))
    };
    let indexed: Vec<Indexed<'_>> = passages
        .iter()
        .zip(&units)
        .map(|(passage, (above, terms))| Indexed { score: passage.score, title: &passage.title, body: &passage.body, terms, above })
        .collect();
    let relevant = |place: &usize| {
        let (above, body) = &units[*place];
        let all: Vec<_> = above.iter().chain(body).cloned().collect();
        score::signs(question, &corpus, &all).is_relevant()
    };
    score::order_indexed(question, &corpus, &indexed).into_iter().filter(relevant).collect()
}

/// Several lists as one, by reciprocal rank: what stands high in more than one of them comes first. Each list counts with
/// its weight.
fn fused(lists: &[(Vec<i64>, f64)]) -> Vec<i64> {
    let mut scores: Vec<(i64, f64)> = Vec::new();
    let places = lists.iter().flat_map(|(list, weight)| list.iter().enumerate().map(move |place| (place, weight)));
    for ((rank, id), weight) in places {
        let score = weight / (FUSION + rank as f64 + 1.0);
        match scores.iter_mut().find(|(known, _)| known == id) {
            Some((_, sum)) => *sum += score,
            None => scores.push((*id, score)),
        }
    }
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores.into_iter().map(|(id, _)| id).collect()
}

/// The documents of a scope, the newest first; the handbook is none of the person's documents.
fn listed(index: &DocumentIndex, scope: &Scope<'_>, behind: Option<&str>) -> Result<Vec<Hit>, StoreError> {
    let most = scope.filter.and_then(|filter| filter.max_results).map_or(MAX_LISTED, |most| most as usize);
    let roots: Vec<String> =
        scope.roots.iter().filter(|root| behind.is_none_or(|folder| !Path::new(root).starts_with(folder))).cloned().collect();
    let hit = |document: ListedDocument| {
        let url = Url::from_file_path(&document.path).ok()?;
        let begins = text::truncate(&text::fold_space(&document.begins), BEGINNING);
        Some(Hit { title: document.title, url: url.into(), snippet: format!("{}: {begins}", document.day), date: None })
    };
    Ok(index.list(&Scope { roots: &roots, ..*scope }, most)?.into_iter().filter_map(hit).collect())
}

/// The results of a query, from passages that stand best first.
fn hits(passages: &[&IndexedPassage], most: usize) -> Vec<Hit> {
    let mut per_document: HashMap<&str, usize> = HashMap::new();
    let mut hits = Vec::new();
    for passage in passages {
        let taken = per_document.entry(&passage.path).or_default();
        *taken += 1;
        if *taken <= MAX_PER_DOCUMENT
            && let Ok(url) = Url::from_file_path(&passage.path)
        {
            hits.push(Hit { title: title(passage), url: url.into(), snippet: text::fold_space(&passage.body), date: None });
        }
        if hits.len() == most {
            break;
        }
    }
    hits
}

/// What the index is asked for.
struct Words {
    /// The question's content words, each stem once, and behind them what was probably meant by those that the index
    /// does not have.
    words: Vec<String>,
    /// Passages of the index.
    total: usize,
    /// How many of them hold each of the question's own words.
    counts: Vec<usize>,
}

impl Words {
    fn new(index: &DocumentIndex, question: &Question, query: &str) -> Result<Self, StoreError> {
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
        words.truncate(MAX_WORDS);
        let (total, counts) = index.frequencies(&words)?;
        let unknown: Vec<String> = words.iter().zip(&counts).filter(|(_, count)| **count == 0).map(|(word, _)| word.clone()).collect();
        // "Pace maker" is written as one word, and "pacemakr" is meant to be.
        let said: Vec<String> = query
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
            .filter(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric))
            .collect();
        let joined: Vec<String> =
            said.windows(2).filter(|pair| !pair.iter().any(|word| terms::is_stop(word))).map(<[std::string::String]>::concat).collect();
        let (_, joined_counts) = index.frequencies(&joined)?;
        words.extend(joined.into_iter().zip(joined_counts).filter(|(_, count)| *count > 0).map(|(word, _)| word));
        for word in unknown.iter().take(MAX_CORRECTED) {
            words.extend(index.similar(word)?);
        }
        Ok(Self { words, total, counts })
    }
}

/// What the index tells about a question besides its results: how rare its words are, and how well the best two of
/// `found` fit.
fn collection(question: &Question, words: &Words, found: &[IndexedPassage]) -> Collection {
    let mut rarity: BTreeMap<String, u32> = BTreeMap::new();
    for (word, count) in words.words.iter().zip(&words.counts) {
        let stem = terms::stem(word);
        let corpus = Corpus::from_counts(words.total, &[*count], 1.0);
        // How common function words are says nothing.
        if question.topics.contains(&stem) && !terms::is_stop(word) {
            rarity.insert(stem, thousandths(corpus.idf[0]));
        }
    }
    let sum: f64 = rarity.values().map(|value| f64::from(*value) / 1000.0).sum();
    let share = |place: usize| found.get(place).map_or(0, |passage| thousandths(passage.score / sum.max(0.01)));
    Collection { rarity, best: share(0), second: share(1), answering: Vec::new() }
}

/// The words that stand above a passage, and those of the file's name.
fn above(passage: &IndexedPassage) -> String {
    let name = super::sync::name_words(&passage.path);
    if passage.title.contains(&name) {
        format!("{} {}", passage.title, passage.heading)
    } else {
        format!("{} {} {name}", passage.title, passage.heading)
    }
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
    /// Files that the person gave along with the question; they may lie anywhere.
    files: Vec<PathBuf>,
    rules: Rules,
}

impl DocumentReader {
    /// Reads below `roots`, which have been through [`super::resolve`].
    pub fn new(index: Arc<DocumentIndex>, roots: Vec<PathBuf>) -> Self {
        Self { index, roots, files: Vec::new(), rules: Rules::default() }
    }

    /// Looks for bibliographies where these patterns let it.
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Reads these files, too. They are as [`Path::canonicalize`] has them.
    pub fn with_files(self, files: &[PathBuf]) -> Self {
        Self { files: files.to_vec(), ..self }
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
        let given = self.files.contains(&real);
        let known = given || (inside && self.index.contains(&real.to_string_lossy()).unwrap_or(false));
        if !known || !real.is_file() {
            return Err(refused());
        }
        let (target, rules) = (real.clone(), self.rules.clone());
        let root = self.roots.iter().find(|root| real.starts_with(root)).cloned();
        let read = move || {
            let bibliography = root.map(|root| Bibliography::of(&root, &rules));
            read_file(&target).map(|file| file.with(bibliography.as_ref().and_then(|known| known.get(&target))))
        };
        let file = tokio::task::spawn_blocking(read).await.map_err(|_| Failure::new("the file could not be read"))?;
        let file = file.map_err(|reason| Failure::new(format!("the file cannot be read: {reason}")))?;
        let changed =
            std::fs::metadata(&real).and_then(|metadata| metadata.modified()).ok().and_then(|time| jiff::Timestamp::try_from(time).ok());
        let url = Url::from_file_path(&real).map_err(|()| refused())?;
        let page = Page {
            url: url.into(),
            title: file.title,
            byline: Some(file.authors.join("; ")).filter(|names| !names.is_empty()),
            // The day of the file says nothing about what it says.
            date: file.date,
            modified: changed.map(|time| time.strftime("%Y-%m-%d").to_string()),
            doi: file.doi,
            text: file.text,
            lines: file.lines,
            paged: file.paged,
            places: file.places,
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
        super::super::sync(&index, &roots, &Rules::default(), &|_, _| {}).unwrap();
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

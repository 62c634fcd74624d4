//! Documents as a search backend.

mod words;

use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use nexi_core::{
    document_filter::DocumentFilter,
    ports::{Collection, Failure, Hit, OwnCause, Query, SearchBackend},
    text,
};
use nexi_store::{
    DocumentIndex, IndexedPassage, StoreError,
    documents::{ListedDocument, Scope},
};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::{
    handbook,
    meaning::{Meaning, QueryVector},
};
use words::ByWords;
pub(crate) use words::{RELEVANT, titles};

/// Results of one query.
const MAX_HITS: usize = 10;
/// Documents of a list.
const MAX_LISTED: usize = 30;
/// Characters of a listed document that are shown.
const BEGINNING: usize = 160;
/// Results of one query from the same document.
const MAX_PER_DOCUMENT: usize = 2;

/// Words that the beginning of one may stand for.
const MAX_COMPLETIONS: usize = 4;

/// What passages of the handbook count beside those of other documents.
const BEHIND: f64 = 0.7;
/// Passages that mean something like the question, before they are put together with those that hold its words.
const NEAREST: usize = 50;
/// How many standard deviations above the mean of all passages one must lie that has too few of the question's words.
pub(crate) const NEAR: f32 = 3.0;
/// The larger it is, the less the first places of a list count beside the next ones.
const FUSION: f64 = 5.0;
/// How much a place among what means the same counts beside one among what holds the words.
pub(crate) const MEANING: f64 = 1.5;

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
        self.handbook = dunce::canonicalize(folder).ok().map(|folder| folder.join("").to_string_lossy().into_owned());
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
                if behind.is_some() {
                    handbook::yield_to_others(&mut hits, &mut collection.answering, &query.text, folder);
                }
                handbook::put_first(&mut hits, &collection.answering);
                hits.truncate(MAX_HITS);
            }
            Ok::<_, StoreError>((hits, collection))
        };
        let index = self.index.clone();
        let (hits, collection) = tokio::task::spawn_blocking(work)
            .await
            .map_err(|_| Failure::because(OwnCause::DocumentsUnsearched))?
            .map_err(|error| index.understood(error))
            .map_err(|error| Failure::because(OwnCause::DocumentsUnsearchedFor { message: error.to_string() }))?;
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
    let mut by_words = ByWords::new(index, scope, query, behind)?;
    let collection = by_words.collection();
    let order = by_words.order();
    let found: Vec<&IndexedPassage> = match vector {
        None => order.into_iter().map(|place| &by_words.passages[place]).collect(),
        Some(vector) => {
            let mut near = index.nearest(&vector.model, scope, &vector.numbers, NEAREST)?;
            for passage in near.iter_mut().filter(|near| is_below(&near.passage, behind)) {
                passage.deviation *= BEHIND as f32;
            }
            near.sort_by(|a, b| b.deviation.total_cmp(&a.deviation));
            let order: Vec<i64> = order.into_iter().map(|place| by_words.passages[place].id).collect();
            let by_meaning: Vec<i64> =
                near.iter().filter(|near| near.deviation >= NEAR || order.contains(&near.passage.id)).map(|near| near.passage.id).collect();
            by_words.passages.extend(near.into_iter().map(|near| near.passage));
            let place = |id: &i64| by_words.passages.iter().find(|passage| passage.id == *id);
            fused(&[(order, 1.0), (by_meaning, MEANING)]).iter().filter_map(place).collect()
        }
    };
    let most = scope.filter.and_then(|filter| filter.max_results).map_or(MAX_HITS, |most| most as usize);
    Ok((hits(&found, most), collection))
}

/// What was typed so far, with words of the index in place of the beginning of one that the index does not have.
///
/// # Errors
/// When the index cannot be searched.
pub fn completed(index: &DocumentIndex, typed: &str) -> Result<String, StoreError> {
    let (before, last) = typed.rsplit_once(char::is_whitespace).unwrap_or(("", typed));
    if last.is_empty() || !last.chars().all(char::is_alphanumeric) || index.frequencies(&[last.to_owned()])?.1 != [0] {
        return Ok(typed.to_owned());
    }
    let words = index.beginning_with(last, MAX_COMPLETIONS)?;
    Ok(if words.is_empty() { typed.to_owned() } else { format!("{before} {}", words.join(" ")) })
}

/// Whether a passage lies in this folder.
fn is_below(passage: &IndexedPassage, folder: Option<&str>) -> bool {
    folder.is_some_and(|folder| passage.path.starts_with(folder))
}

/// Several lists as one, by reciprocal rank: what stands high in more than one of them comes first. Each list counts with
/// its weight.
pub(crate) fn fused<K: Copy + PartialEq>(lists: &[(Vec<K>, f64)]) -> Vec<K> {
    let mut scores: Vec<(K, f64)> = Vec::new();
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
        Some(listed_hit(document.title, url.into(), &document.day, &document.begins))
    };
    Ok(index.list(&Scope { roots: &roots, ..*scope }, most)?.into_iter().filter_map(hit).collect())
}

/// A document of a list.
pub(crate) fn listed_hit(title: String, url: String, day: &str, begins: &str) -> Hit {
    let begins = text::truncate(&text::fold_space(begins), BEGINNING);
    Hit { title, url, snippet: format!("{day}: {begins}"), ..Hit::default() }
}

/// The results of a query, from passages that stand best first. Where few documents have any, more of each are shown.
fn hits(passages: &[&IndexedPassage], most: usize) -> Vec<Hit> {
    let hit = |passage: &IndexedPassage| {
        let url = Url::from_file_path(&passage.path).ok()?;
        Some(Hit {
            title: title(passage),
            url: url.into(),
            snippet: text::fold_space(&passage.body),
            place: Some(passage.place.clone()).filter(|place| place.from > 0),
            ..Hit::default()
        })
    };
    spread(passages.iter().copied(), |passage| &passage.path).filter_map(hit).take(most).collect()
}

/// The first passages of each document before further ones of the same.
pub(crate) fn spread<'a, T: 'a, D: Eq + Hash>(
    passages: impl Iterator<Item = &'a T>,
    document: impl Fn(&'a T) -> D,
) -> impl Iterator<Item = &'a T> {
    let mut per_document: HashMap<D, usize> = HashMap::new();
    let (first, more): (Vec<&'a T>, Vec<&'a T>) = passages.partition(|passage| {
        let taken = per_document.entry(document(passage)).or_default();
        *taken += 1;
        *taken <= MAX_PER_DOCUMENT
    });
    first.into_iter().chain(more)
}

fn title(passage: &IndexedPassage) -> String {
    let innermost = passage.heading.rsplit(" › ").next().unwrap_or_default();
    if innermost.is_empty() || passage.title.contains(innermost) {
        passage.title.clone()
    } else {
        format!("{} › {innermost}", passage.title)
    }
}

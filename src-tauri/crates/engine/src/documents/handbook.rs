//! Questions that the handbook answers.

use std::path::Path;

use nexi_core::{
    ports::{Answering, Hit, thousandths},
    rank::{guide::Found, terms},
    text,
};
use nexi_store::documents::Scope;
use url::Url;

use crate::handbook;

/// How much alike a question must be to one that the handbook answers, to be answered by that passage.
const ALIKE: f64 = 0.32;
/// The same where there are other documents and Nexi is not named.
const MUCH_ALIKE: f64 = 0.5;
/// The same where another document has all that the question is about.
const SAME: f64 = 0.8;
/// Topics that such a question has at least; a single word may mean anything.
const TOPICS: usize = 2;
/// Passages of the handbook that answer one question.
const MAX_ANSWERING: usize = 3;
/// What the fit of the others may be, as a share of the best one's.
const NEXT_BEST: f64 = 0.8;

/// The passages of the handbook that stand under questions like this one, where it is searched.
pub(super) fn answering(scope: &Scope<'_>, folder: &str, question: &str, is_behind: bool) -> Vec<Answering> {
    let is_handbook = |root: &&String| Path::new(root).starts_with(folder);
    let (own, others): (Vec<_>, Vec<_>) = scope.roots.iter().partition(is_handbook);
    let enough = if is_behind && !others.is_empty() { MUCH_ALIKE } else { ALIKE };
    let found = if own.is_empty() { Vec::new() } else { handbook::answering(question, MAX_ANSWERING) };
    let best = found.first().map_or(0.0, |found| found.fit);
    let wanted = |found: &Found| best >= enough && found.fit >= best * NEXT_BEST;
    let known = |found: Found| {
        let url = Url::from_file_path(Path::new(folder).join(found.page)).ok()?;
        Some(Answering { url: url.into(), passage: found.passage.to_owned(), fit: thousandths(found.fit) })
    };
    found.into_iter().filter(wanted).filter_map(known).collect()
}

/// Leaves the handbook out where another document has all that a question is about which does not name Nexi, unless the
/// handbook answers just this question.
pub(super) fn yield_to_others(hits: &mut Vec<Hit>, answering: &mut Vec<Answering>, question: &str, folder: &str) {
    let topics = terms::topics(question);
    let is_handbook = |url: &str| Url::parse(url).ok().and_then(|url| url.to_file_path().ok()).is_some_and(|path| path.starts_with(folder));
    let has_all = |hit: &Hit| {
        let words = terms::terms(&format!("{} {}", hit.title, hit.snippet));
        !is_handbook(&hit.url) && topics.iter().all(|topic| words.iter().any(|word| word.stem == *topic))
    };
    if topics.is_empty() || !hits.iter().any(has_all) {
        return;
    }
    answering.retain(|found| topics.len() >= TOPICS && found.fit >= thousandths(SAME));
    if answering.is_empty() {
        hits.retain(|hit| !is_handbook(&hit.url));
    }
}

/// Puts passages that answer the question before everything else that was found.
pub(super) fn put_first(hits: &mut Vec<Hit>, answering: &[Answering]) {
    for found in answering.iter().rev() {
        let snippet = text::plain(&found.passage);
        hits.retain(|hit| hit.url != found.url || hit.snippet != snippet);
        hits.insert(0, Hit { title: handbook::title(&found.url), url: found.url.clone(), snippet, date: None, ..Hit::default() });
    }
}

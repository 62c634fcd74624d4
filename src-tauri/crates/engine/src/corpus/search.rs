//! Searching a corpus: the database chooses candidates, which are ranked here as documents of this computer are.

use std::collections::HashSet;

use nexi_core::{
    document_filter::DocumentFilter,
    place::PassagePlace,
    ports::{DatabaseCause, Hit, Query},
    rank::{
        Question, TermStats,
        indexed::{Indexed, order_indexed},
        terms,
    },
    text, urls,
};
use nexi_postgres::Found;
use tokio_util::sync::CancellationToken;

use super::Corpus;
use crate::{EngineError, aside::aside, documents};

/// Passages that the database is asked for, before they are ranked here.
const CANDIDATES: i32 = 100;
/// The same by meaning.
const NEAREST: i32 = 50;
/// Shares of passages are counted in so many parts.
const PER: usize = 1000;

/// A passage: its document, and which one of it.
type Key = (i64, i32);

impl Corpus {
    /// Passages that answer a question, best first.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn search(&self, question: &str, most: usize) -> Result<Vec<Hit>, EngineError> {
        let found = self.find(&Query::new(question), most, &CancellationToken::new()).await?;
        Ok(found.into_iter().map(|(_, hit)| hit).collect())
    }

    /// The same among the documents of the query's filter, with the number of each document.
    pub(super) async fn find(&self, query: &Query, most: usize, cancel: &CancellationToken) -> Result<Vec<(i64, Hit)>, DatabaseCause> {
        let (question, filter) = (query.text.as_str(), &*query.filter);
        let by_words = self.database.asked(|database| async move { database.candidates(question, CANDIDATES, filter).await });
        let wanted = Question::new(question);
        let topics = wanted.topics.as_slice();
        let shares = self.database.asked(|database| async move { database.rarity(topics).await });
        let by_words = async { tokio::try_join!(by_words, shares) };
        let (by_words, near) = tokio::join!(by_words, self.near(query, filter, cancel));
        let (by_words, shares) = by_words?;
        let near = near.unwrap_or_else(|cause| {
            tracing::warn!(%cause, "the corpus is searched by words alone");
            Vec::new()
        });
        Ok(aside(|| {
            let order: Vec<Key> = ranked(&wanted, &shares, &by_words).iter().map(|found| key(found)).collect();
            let is_near = |found: &&Found| found.score >= f64::from(documents::NEAR) || order.contains(&key(found));
            let by_meaning: Vec<Key> = near.iter().filter(is_near).map(key).collect();
            let place = |wanted: &Key| by_words.iter().chain(&near).find(|found| key(found) == *wanted);
            let all = documents::fused(&[(order, 1.0), (by_meaning, documents::MEANING)]);
            // A file may be there for everybody and for a group.
            let mut seen = HashSet::new();
            let best = all.iter().filter_map(place).filter(|found| seen.insert((found.address.as_str(), found.body.as_str())));
            documents::spread(best, |found| found.document).take(most).map(|found| (found.document, hit(found))).collect()
        }))
    }

    /// Passages that mean the same; none where the corpus has no vectors of the model at hand. What was held back from the web
    /// is held back from a service that makes vectors, too.
    async fn near(&self, query: &Query, filter: &DocumentFilter, cancel: &CancellationToken) -> Result<Vec<Found>, DatabaseCause> {
        let Some(meaning) = self.meaning.as_ref().filter(|meaning| meaning.is_local() || !query.documents_only) else {
            return Ok(Vec::new());
        };
        let known = self.database.asked(|database| async move { database.embedder().await }).await?;
        if known.is_none_or(|known| known.id != meaning.model()) {
            return Ok(Vec::new());
        }
        let Some(vector) = meaning.of(&query.text, cancel).await else { return Ok(Vec::new()) };
        let numbers = &vector.numbers;
        self.database.asked(|database| async move { database.nearest(numbers, NEAREST, filter).await }).await
    }
}

fn key(found: &Found) -> Key {
    (found.document, found.ordinal)
}

/// What the database has found, in the order in which documents of this computer would stand.
fn ranked<'a>(question: &Question, shares: &[f64], found: &'a [Found]) -> Vec<&'a Found> {
    let above = |found: &Found| format!("{} {} {}", found.title, found.heading, documents::name_words(&urls::site(&found.address)));
    let units: Vec<_> = found.iter().map(|found| (terms::terms(&above(found)), terms::terms(&found.body))).collect();
    let titles: Vec<Vec<&str>> = found.iter().map(|found| documents::titles(&found.title, &found.heading)).collect();
    let mean = units.iter().map(|(_, body)| body.len()).sum::<usize>() as f64 / units.len().max(1) as f64;
    let counts: Vec<usize> = shares.iter().map(|share| (share * PER as f64) as usize).collect();
    let counts = TermStats::from_counts(PER, &counts, mean);
    let indexed: Vec<Indexed<'_>> = found
        .iter()
        .zip(&units)
        .zip(&titles)
        .map(|((found, (above, terms)), titles)| Indexed { score: found.score, share: 1.0, titles, body: &found.body, terms, above })
        .collect();
    let order = order_indexed(question, &counts, &indexed);
    order.into_iter().filter(|(_, coverage)| *coverage >= documents::RELEVANT).map(|(place, _)| &found[place]).collect()
}

fn hit(found: &Found) -> Hit {
    Hit {
        title: found.title.clone(),
        url: found.address.clone(),
        snippet: text::fold_space(&found.body),
        date: found.date.clone(),
        place: serde_json::from_value::<PassagePlace>(found.place.clone()).ok().filter(|place| place.from > 0),
        ..Hit::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn candidates_stand_in_the_order_of_documents() {
        let found = |document: i64, ordinal: i32, body: &str, score: f64| Found {
            document,
            ordinal,
            heading: String::new(),
            body: body.into(),
            place: json!({"from": 3, "to": 4}),
            score,
            title: format!("Report {document}"),
            address: format!("file:///srv/report{document}.md"),
            date: None,
        };
        let all = [
            found(1, 1, "The weather was fine in all of May.", 3.0),
            found(2, 1, "The lease of the old mill ends in March, and the mill is sold.", 2.0),
            found(2, 2, "The mill has two wheels.", 1.9),
            found(2, 3, "A mill of this kind is rare.", 1.8),
            found(3, 1, "A lease of land near the mill was refused.", 1.0),
        ];
        let question = Question::new("When does the lease of the mill end?");
        let best = ranked(&question, &vec![0.001; question.topics.len()], &all);
        let documents: Vec<i64> = best.iter().map(|found| found.document).collect();
        assert!(documents[0] == 2 && documents.contains(&3) && !documents.contains(&1), "{best:?}");
        assert_eq!(hit(best[0]).place.as_ref().map(|place| (place.from, place.to)), Some((3, 4)));
    }
}

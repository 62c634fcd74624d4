//! Finding passages by words, however frequent these are.
//!
//! The index scores every passage that holds one of the words, and for each of them counts where it stands in all: a second for
//! half a million passages. So it scores passages with a rare word alone; those that hold most of the frequent ones are scored
//! here, by the same formula, the newest of them if there are many.

use std::collections::HashSet;

use nexi_core::rank::terms;
use rusqlite::params_from_iter;

use super::{DocumentIndex, IndexedPassage, Scope, expression};
use crate::{StoreError, sqlite::quoted};

/// Passages that the index scores for one question: a tenth of a second.
const MAX_SCORED: usize = 60_000;
/// Passages with frequent words that are scored here.
const MAX_READ: usize = 500;
/// Sets of words that are looked for together.
const MAX_ROUNDS: usize = 4;
/// How soon a word that stands again and again counts no more, and how much the length of a passage does: as in the index.
const K1: f64 = 1.2;
const B: f64 = 0.75;

impl DocumentIndex {
    /// The passages of the documents of `scope` that hold most of the words, best first. Words that stand in so many
    /// passages that these cannot all be compared are looked for where rarer ones stand, and together; where even that is too
    /// much, in the newest passages. `counts` are the passages that hold the first words, as far as that is known.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn search(&self, scope: &Scope<'_>, words: &[String], counts: &[usize], limit: usize) -> Result<Vec<IndexedPassage>, StoreError> {
        self.search_among(scope, words, counts, limit, [MAX_SCORED, MAX_READ])
    }

    fn search_among(
        &self,
        scope: &Scope<'_>,
        words: &[String],
        counts: &[usize],
        limit: usize,
        [scored, read]: [usize; 2],
    ) -> Result<Vec<IndexedPassage>, StoreError> {
        if scope.roots.is_empty() || words.is_empty() {
            return Ok(Vec::new());
        }
        let known = counts.len().min(words.len());
        let (total, more) = self.frequencies(&words[known..])?;
        let counts: Vec<usize> = counts[..known].iter().copied().chain(more).collect();
        // No passage is scored twice, however many of the words it holds.
        if counts.iter().sum::<usize>().min(total) <= scored {
            return self.matching(scope, words, &expression(words), limit);
        }
        // A word that stands nowhere finds nothing, and with it no others would.
        let held = counts.into_iter().zip(words).filter(|(count, _)| *count > 0);
        let mut by_count: Vec<Counted<'_>> = held.map(|(count, word)| Counted::new(word, count, total)).collect();
        by_count.sort_by_key(|word| word.count);
        let mut sum = 0;
        let rare = by_count.iter().take_while(|word| {
            sum += word.count;
            sum <= scored
        });
        let rare: Vec<String> = rare.map(|word| word.word.to_owned()).collect();
        let mut found = if rare.is_empty() { Vec::new() } else { self.matching(scope, &rare, &expression(&rare), limit)? };
        // All of them; then the frequent ones alone, all but the most frequent one, and so on.
        let frequent = &by_count[rare.len()..];
        let all = (!rare.is_empty()).then_some(&by_count[..]);
        let mut together = Vec::new();
        for words in all.into_iter().chain((1..=frequent.len()).rev().map(|most| &frequent[..most])).take(MAX_ROUNDS) {
            together.extend(self.newest_with(scope, words, read)?);
            without_doubles(&mut together);
            if together.len() >= limit {
                break;
            }
        }
        found.extend(together);
        without_doubles(&mut found);
        // What is looked at may be a small part of the index, of which little was seen so far.
        if found.len() < limit {
            found.extend(self.matching(scope, words, &expression(words), limit)?);
            without_doubles(&mut found);
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        found.truncate(limit);
        Ok(found)
    }

    /// The newest passages that hold all of these words, with scores.
    fn newest_with(&self, scope: &Scope<'_>, words: &[Counted<'_>], most: usize) -> Result<Vec<IndexedPassage>, StoreError> {
        let all = words.iter().map(|word| quoted(word.word)).collect::<Vec<_>>().join(" AND ");
        let (within, more) = scope.condition();
        let sql = format!(
            "SELECT p.id, d.path, p.title, p.heading, p.body, p.start_line, p.end_line, p.place
             FROM passages_fts f JOIN passages p ON p.id = f.rowid JOIN documents d ON d.id = p.document_id
             WHERE passages_fts MATCH ? AND ({within})
             ORDER BY f.rowid DESC LIMIT ?"
        );
        let values = [all].into_iter().chain(more).chain([most.to_string()]);
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| IndexedPassage::read(row, 0.0))?;
        let mut found: Vec<IndexedPassage> = rows.collect::<Result<_, _>>()?;
        let texts: Vec<Vec<String>> = found.iter().map(stems).collect();
        let mean = texts.iter().map(Vec::len).sum::<usize>() as f64 / texts.len().max(1) as f64;
        for (passage, text) in found.iter_mut().zip(&texts) {
            let length = K1 * (1.0 - B + B * text.len() as f64 / mean.max(1.0));
            let score = |word: &Counted<'_>| {
                let times = text.iter().filter(|stem| **stem == word.stem).count() as f64;
                word.rarity * times * (K1 + 1.0) / (times + length)
            };
            passage.score = words.iter().map(score).sum();
        }
        Ok(found)
    }
}

/// Leaves the first of each.
fn without_doubles(found: &mut Vec<IndexedPassage>) {
    let mut seen = HashSet::new();
    found.retain(|passage| seen.insert(passage.id));
}

/// A word, and how many passages hold it.
struct Counted<'a> {
    word: &'a str,
    stem: String,
    count: usize,
    rarity: f64,
}

impl<'a> Counted<'a> {
    fn new(word: &'a str, count: usize, total: usize) -> Self {
        let (with, all) = (count as f64, total as f64);
        // As in the index, for which a word in more than half of all passages says next to nothing.
        let rarity = ((all - with + 0.5) / (with + 0.5)).ln().max(1e-6);
        Self { word, stem: terms::stem(word), count, rarity }
    }
}

/// The stems of everything that the index has of a passage but its names.
fn stems(passage: &IndexedPassage) -> Vec<String> {
    let text = format!("{} {} {}", passage.title, passage.heading, passage.body);
    terms::terms(&text).into_iter().map(|term| term.stem).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::tests::document;
    use super::*;

    #[test]
    fn frequent_words_are_found_together_and_beside_rare_ones() {
        let folder = tempfile::tempdir().unwrap();
        let index = DocumentIndex::open(&folder.path().join("d.db")).unwrap();
        let text = |at: usize| match (at, at % 3) {
            (7, _) => "bridge and tower and river and gate",
            (11, _) => "a heron on the bridge",
            (_, 0) => "bridge and tower in fog",
            (_, 1) => "river and gate in fog",
            _ => "bridge in fog",
        };
        let all: Vec<_> = (0..120).map(|at| document(&format!("/a/{at}.md"), text(at))).collect();
        index.put(&all).unwrap();
        let roots = ["/a".to_owned()];
        let found = |words: &[&str], limit: usize, most: [usize; 2]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let found = index.search_among(&Scope::all(&roots), &words, &[], limit, most).unwrap();
            found.into_iter().map(|passage| passage.path).collect::<Vec<_>>()
        };
        let four = ["bridge", "tower", "river", "gate"];
        for most in [[1000, 1000], [30, 40]] {
            assert_eq!(found(&four, 1, most), ["/a/7.md"], "the one that has all of them");
            assert_eq!(found(&["heron", "bridge"], 1, most), ["/a/11.md"]);
            // A misspelt word hides nothing.
            assert_eq!(found(&["brigde", "river", "gate"], 20, most).len(), 20);
            assert!(found(&["heron", "river", "gate"], 20, most).contains(&"/a/11.md".to_owned()));
            assert_eq!(found(&four, 25, most).len(), 25, "and others besides");
        }
        // A single frequent word: some of the newest.
        let newest = found(&["fog"], 10, [30, 30]);
        assert_eq!(newest.len(), 10);
        assert!(newest.iter().all(|path| path[3..path.len() - 3].parse::<usize>().unwrap() >= 80), "{newest:?}");
        // In a part that is too small for any of this, all is found.
        let filter = nexi_core::document_filter::DocumentFilter { path: vec!["13.md".into()], ..Default::default() };
        let part = Scope { filter: Some(&filter), ..Scope::all(&roots) };
        let words: Vec<String> = ["fog".to_owned()].into();
        assert_eq!(index.search_among(&part, &words, &[], 10, [30, 30]).unwrap().len(), 2, "13.md and 113.md");
    }
}

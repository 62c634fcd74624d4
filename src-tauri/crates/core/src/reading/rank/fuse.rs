//! One list out of many: results of several queries and backends, by reciprocal rank.

use std::collections::HashMap;

use crate::rank::terms;
use crate::reading::hits::{FoundPassage, Hit};
use crate::urls::{host_is, result_key, site};

/// Damps the difference between the first ranks, as is usual for this kind of fusion.
const DAMPING: f64 = 60.0;
/// Share of common words from which on two results of one site, or with one title, are the same text.
const SAME: f64 = 0.85;
/// Words that a snippet needs before it is compared.
const COMPARABLE: usize = 8;
/// Further passages of a document that are kept behind its best one.
const MAX_MORE: usize = 4;

/// A result of one or several lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused {
    pub hit: Hit,
    /// The lists it stands in, by their places, in order.
    pub lists: Vec<usize>,
    pub score: f64,
}

/// Merges lists, each best first. Results that lead to the same page are one, near-duplicates are
/// folded into the better one. Results of `preferred` hosts stand in front of all others, those of `demoted` hosts behind.
pub fn fuse(lists: &[&[Hit]], preferred: &[String], demoted: &[String]) -> Vec<Fused> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut out: Vec<Fused> = Vec::new();
    for (list, hits) in lists.iter().enumerate() {
        for (rank, hit) in hits.iter().enumerate() {
            let score = 1.0 / (DAMPING + rank as f64 + 1.0);
            let key = result_key(&hit.url);
            match places.get(&key) {
                Some(place) if out[*place].lists.contains(&list) => out[*place].add_passage(hit),
                Some(place) => out[*place].absorb(hit, list, score),
                None => {
                    places.insert(key, out.len());
                    out.push(Fused { hit: hit.clone(), lists: vec![list], score });
                }
            }
        }
    }
    let is_of = |fused: &Fused, hosts: &[String]| hosts.iter().any(|host| host_is(&fused.hit.url, host));
    let group = |fused: &Fused| (is_of(fused, demoted), !is_of(fused, preferred));
    let mut ranked: Vec<((bool, bool), Fused)> = out.into_iter().map(|fused| (group(&fused), fused)).collect();
    // Stable: of two equal ones the first that was found stands first.
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.score.total_cmp(&a.1.score)));
    fold(ranked.into_iter().map(|(_, fused)| fused).collect())
}

impl Fused {
    /// Another passage of the page, in the same list: the better one stands for it.
    fn add_passage(&mut self, hit: &Hit) {
        if self.hit.snippet.is_empty() {
            self.hit.snippet.clone_from(&hit.snippet);
        } else if hit.place.is_some() {
            self.keep(FoundPassage { snippet: hit.snippet.clone(), place: hit.place.clone() });
        }
        hit.more.iter().cloned().for_each(|passage| self.keep(passage));
    }

    /// Keeps a passage of a document, once.
    fn keep(&mut self, passage: FoundPassage) {
        let hit = &mut self.hit;
        let is_known = passage.snippet == hit.snippet || hit.more.iter().any(|known| known.snippet == passage.snippet);
        if !is_known && hit.more.len() < MAX_MORE {
            hit.more.push(passage);
        }
    }

    fn absorb(&mut self, hit: &Hit, list: usize, score: f64) {
        // The same list may hold a page twice; that is no second opinion.
        if !self.lists.contains(&list) {
            self.lists.push(list);
            self.score += score;
        }
        if hit.place.is_some() {
            // A twin of another name has other places.
            if result_key(&hit.url) == result_key(&self.hit.url) {
                self.add_passage(hit);
            }
        } else if hit.snippet.len() > self.hit.snippet.len() {
            self.hit.snippet.clone_from(&hit.snippet);
        }
        if self.hit.date.is_none() {
            self.hit.date = hit.date.clone();
        }
    }
}

/// Folds near-duplicates: the same words under the same title or on the same site.
fn fold(ranked: Vec<Fused>) -> Vec<Fused> {
    let mut kept: Vec<(Fused, Marks)> = Vec::new();
    for result in ranked {
        let marks = Marks::of(&result.hit);
        let twin = kept.iter_mut().find(|(_, known)| {
            (known.title == marks.title || known.site == marks.site)
                && marks.words.len() >= COMPARABLE
                && common(&known.words, &marks.words) >= SAME
        });
        match twin {
            Some((known, _)) => {
                for list in result.lists {
                    known.absorb(&result.hit, list, 0.0);
                }
            }
            None => kept.push((result, marks)),
        }
    }
    kept.into_iter().map(|(result, _)| result).collect()
}

/// What results are compared by.
struct Marks {
    title: String,
    site: String,
    /// Sorted, each once.
    words: Vec<String>,
}

impl Marks {
    fn of(hit: &Hit) -> Self {
        let mut words: Vec<String> = terms::terms(&hit.snippet).into_iter().map(|term| term.stem).collect();
        words.sort_unstable();
        words.dedup();
        Self { title: hit.title.to_lowercase(), site: site(&hit.url), words }
    }
}

/// Words in both by words in either; both are sorted.
fn common(a: &[String], b: &[String]) -> f64 {
    let both = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::PassagePlace;

    fn hit(url: &str, title: &str, snippet: &str) -> Hit {
        Hit { title: title.into(), url: url.into(), snippet: snippet.into(), date: None, ..Hit::default() }
    }

    #[test]
    fn the_better_passage_of_a_page_stands_before_the_longer_one() {
        let passage = |text: &str| Hit { snippet: text.into(), ..hit("file:///a.odt", "", "") };
        let list = [passage("Founded in 1887."), passage("The meeting takes place every year in the second week of February.")];
        let fused = fuse(&[&list], &[], &[]);
        assert_eq!(fused[0].hit.snippet, "Founded in 1887.");
        // Two services that describe the same page are one description.
        let fused = fuse(&[&list[..1], &list[1..]], &[], &[]);
        assert_eq!(fused[0].hit.snippet, list[1].snippet);
    }

    #[test]
    fn further_passages_of_a_document_stay_with_their_places() {
        let at = |from, text: &str| Hit {
            snippet: text.into(),
            place: Some(PassagePlace { from, to: from + 4, place: None }),
            ..hit("file:///a.md", "", "")
        };
        let (one, other) = ([at(1, "first"), at(9, "second"), at(20, "third and longer")], [at(9, "second"), at(40, "fourth")]);
        let fused = fuse(&[&one, &other], &[], &[]);
        assert_eq!((fused.len(), fused[0].hit.snippet.as_str()), (1, "first"));
        let places: Vec<String> = fused[0].hit.more.iter().map(|more| more.place.as_ref().unwrap().to_string()).collect();
        assert_eq!(places, ["lines 9-13", "lines 20-24", "lines 40-44"]);
    }

    #[test]
    fn what_several_lists_have_stands_first() {
        let a = [hit("https://a.org/1", "A", ""), hit("https://b.org/2?utm_source=x", "B", "short")];
        let b = [hit("https://c.org/3", "C", ""), hit("https://www.b.org/2/", "B", "a longer snippet")];
        let fused = fuse(&[&a, &b], &[], &[]);
        let urls: Vec<&str> = fused.iter().map(|result| result.hit.url.as_str()).collect();
        assert_eq!(urls, ["https://b.org/2?utm_source=x", "https://a.org/1", "https://c.org/3"]);
        assert_eq!((fused[0].lists.as_slice(), fused[0].hit.snippet.as_str()), (&[0, 1][..], "a longer snippet"));
        let demoted = fuse(&[&a, &b], &[], &["b.org".into()]);
        assert_eq!(demoted[2].hit.title, "B", "wherever it was found");
        let preferred = fuse(&[&a, &b], &["c.org".into(), "b.org".into()], &["b.org".into()]);
        let titles: Vec<&str> = preferred.iter().map(|result| result.hit.title.as_str()).collect();
        assert_eq!(titles, ["C", "A", "B"], "who is avoided stands last all the same");
    }

    #[test]
    fn near_duplicates_are_folded() {
        let words = "the bridge over the river opened in the year nineteen thirty one after four years of work by many people";
        let list = [
            hit("https://a.org/story", "The bridge", words),
            hit("https://mirror.org/story", "the Bridge", words),
            hit(
                "https://a.org/story?page=2",
                "The bridge, part two",
                "Other words entirely, about the towers, the cables and the toll that drivers pay.",
            ),
            hit("https://c.org/x", "Another title", words),
        ];
        let urls: Vec<String> = fuse(&[&list], &[], &[]).into_iter().map(|result| result.hit.url).collect();
        assert_eq!(urls, ["https://a.org/story", "https://a.org/story?page=2", "https://c.org/x"]);
    }
}

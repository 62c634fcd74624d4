//! Which sentences to quote: the best ones, from few pages, saying different things.

use std::ops::Range;

use super::{
    Candidate, Question,
    score::weighted_sum,
    sentences::{WEIGHTS, sentence_features},
    terms::terms,
};
use crate::text;

/// A stretch of a candidate worth quoting: one sentence or a few that follow each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// Index of the candidate.
    pub candidate: usize,
    /// Bytes of the candidate's text.
    pub range: Range<usize>,
    pub score: f64,
    /// Share of the question's topics that the sentence, its neighbours and its title hold.
    pub coverage: f64,
    /// Whether that is enough to be about the question.
    pub is_relevant: bool,
}

/// Lines of a list that are shown before the one that answers, and behind it.
pub(crate) const LINES_BEFORE: usize = 2;
pub(crate) const LINES_BEHIND: usize = 1;

/// Sentences chosen before those that follow each other are joined.
const MAX_SENTENCES: usize = 12;

/// Loss for saying what a better quote says, as a share of the best score.
const REPEAT: f64 = 0.1;
/// Sentences below this share of the best score are not quoted.
const CUTOFF: f64 = 0.28;

/// Chooses quotes of at most `max_words` words together and at most `max_quotes` pieces, best first.
/// Empty when nothing is about the question.
pub fn select(question: &Question, candidates: &[Candidate<'_>], max_words: usize, max_quotes: usize) -> Vec<Quote> {
    let mut scored: Vec<Quote> = sentence_features(question, candidates)
        .into_iter()
        // A sentence may look like an answer and still be about something else.
        .filter(|sentence| sentence.is_relevant)
        .map(|sentence| Quote {
            candidate: sentence.candidate,
            score: weighted_sum(&sentence.signs, &WEIGHTS),
            range: sentence.range,
            coverage: sentence.coverage,
            is_relevant: true,
        })
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.candidate.cmp(&b.candidate)).then(a.range.start.cmp(&b.range.start)));
    if scored.is_empty() {
        return Vec::new();
    }
    take(scored, candidates, max_words, max_quotes)
}

fn take(scored: Vec<Quote>, candidates: &[Candidate<'_>], max_words: usize, max_quotes: usize) -> Vec<Quote> {
    let best = scored[0].score;
    let mut pool = scored;
    // Far more than can be quoted, few enough for the loop below on any page.
    pool.truncate(400);
    let mut chosen: Vec<Quote> = Vec::new();
    let mut seen: Vec<Vec<String>> = Vec::new();
    let mut words = 0;
    while !pool.is_empty() && chosen.len() < MAX_SENTENCES {
        let (index, value) = pool
            .iter()
            .enumerate()
            .map(|(index, quote)| {
                let stems = stems(candidates, quote);
                let repeat = seen.iter().map(|other| overlap(&stems, other)).fold(0.0, f64::max);
                (index, quote.score - REPEAT * repeat * best)
            })
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            .unwrap_or((0, 0.0));
        if value < best * CUTOFF {
            break;
        }
        let quote = pool.swap_remove(index);
        let count = text::word_count(&candidates[quote.candidate].text[quote.range.clone()]);
        if words + count > max_words || seen.iter().any(|other| overlap(&stems(candidates, &quote), other) > 0.85) {
            continue;
        }
        words += count;
        seen.push(stems(candidates, &quote));
        chosen.push(quote);
    }
    let mut quotes = without_context(join_neighbours(chosen, candidates), candidates);
    quotes.truncate(max_quotes);
    quotes
}

fn stems(candidates: &[Candidate<'_>], quote: &Quote) -> Vec<String> {
    let mut out: Vec<String> = terms(&candidates[quote.candidate].text[quote.range.clone()]).into_iter().map(|term| term.stem).collect();
    out.sort();
    out.dedup();
    out
}

fn overlap(a: &[String], b: &[String]) -> f64 {
    let shared = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    shared as f64 / a.len().min(b.len()).max(1) as f64
}

/// Leaves out lines of a list that stand so near to a better one that they are shown with it.
fn without_context(quotes: Vec<Quote>, candidates: &[Candidate<'_>]) -> Vec<Quote> {
    let mut out: Vec<Quote> = Vec::new();
    for quote in quotes {
        let text = candidates[quote.candidate].text;
        let is_shown = |better: &Quote| {
            if better.candidate != quote.candidate {
                return false;
            }
            let (first, second) = if better.range.start < quote.range.start { (better, &quote) } else { (&quote, better) };
            let between = &text[first.range.end.min(second.range.start)..second.range.start];
            let lines = between.bytes().filter(|byte| *byte == b'\n').count();
            let near = if std::ptr::eq(first, better) { LINES_BEHIND } else { LINES_BEFORE };
            let is_list = || text::block_around(text, better.range.start).is_some_and(|block| text::is_lines(text, &block));
            (1..=near).contains(&lines) && !between.contains("\n\n") && is_list()
        };
        if !out.iter().any(is_shown) {
            out.push(quote);
        }
    }
    out
}

/// Sentences that follow each other in a paragraph are one quote; rows and items of a list are not.
fn join_neighbours(mut quotes: Vec<Quote>, candidates: &[Candidate<'_>]) -> Vec<Quote> {
    let blocks: Vec<Vec<text::Block>> = candidates
        .iter()
        .enumerate()
        .map(|(index, candidate)| {
            let is_quoted = quotes.iter().filter(|quote| quote.candidate == index).count() > 1;
            if is_quoted { text::blocks(candidate.text) } else { Vec::new() }
        })
        .collect();
    let block_of = |quote: &Quote| {
        let found = blocks[quote.candidate].iter().position(|block| block.range.contains(&quote.range.start))?;
        // Lines that stand for themselves are like rows.
        let is_lines = text::is_lines(candidates[quote.candidate].text, &blocks[quote.candidate][found]);
        (!is_lines).then_some(found)
    };
    let mut index = 0;
    while index < quotes.len() {
        let next = (0..quotes.len()).find(|other| {
            let (a, b) = (&quotes[index], &quotes[*other]);
            *other != index
                && a.candidate == b.candidate
                && a.range.end <= b.range.start
                && candidates[a.candidate].text[a.range.end..b.range.start].trim().is_empty()
                && block_of(a).is_some_and(|block| block_of(b) == Some(block))
        });
        match next {
            Some(other) => {
                let joined = quotes[index].range.start..quotes[other].range.end;
                let score = quotes[index].score.max(quotes[other].score);
                let coverage = quotes[index].coverage.max(quotes[other].coverage);
                let keep = index.min(other);
                let drop = index.max(other);
                let is_relevant = quotes[index].is_relevant || quotes[other].is_relevant;
                quotes[keep] = Quote { candidate: quotes[index].candidate, range: joined, score, coverage, is_relevant };
                quotes.remove(drop);
                index = 0;
            }
            None => index += 1,
        }
    }
    quotes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotes<'a>(question: &str, texts: &[(&'a str, &'a str)]) -> Vec<&'a str> {
        let candidates: Vec<Candidate<'a>> =
            texts.iter().enumerate().map(|(rank, (title, text))| Candidate { title, text, rank, hot: Vec::new() }).collect();
        select(&Question::new(question), &candidates, 60, 3)
            .into_iter()
            .map(|quote| &candidates[quote.candidate].text[quote.range])
            .collect()
    }

    #[test]
    fn the_answering_sentence_comes_first() {
        let found = quotes(
            "When did the Aldermoor bridge open?",
            &[
                ("Aldermoor bridge", "The Aldermoor bridge is a steel bridge. It was opened in May 1931. Painters like its colour."),
                ("Bridges", "Many a bridge is made of steel."),
            ],
        );
        assert!(found[0].contains("opened in May 1931"), "{found:?}");
    }

    #[test]
    fn nothing_relevant_is_nothing() {
        assert!(quotes("What do penguins eat?", &[("Clocks", "A clock shows the time. It has hands.")]).is_empty());
    }

    #[test]
    fn lines_without_full_stops_are_found() {
        let names = ["Abel", "Berta", "Carl", "Dora", "Emil", "Frida"];
        let list: Vec<String> = (0..60).map(|n| format!("{} Quisling{n}, phone 555-98{n:02}", names[n % 6])).collect();
        let found = quotes(
            "What is the phone of Dora Quisling33?",
            &[("phones.txt", &list.join("\n"))].map(|(a, b)| (a, Box::leak(b.to_owned().into_boxed_str()) as &str)),
        );
        assert!(found[0].contains("Dora Quisling33, phone 555-9833"), "{found:?}");
    }

    #[test]
    fn lines_that_are_shown_with_a_better_one_are_no_quotations_of_their_own() {
        let list = "Rack: R51\nOffice: harbour\nKey owner: Abel\nKey rack: R7\nHall size: 12\nHall owner: Dora";
        // One that is longer, so that places of the one are none of the other.
        let long = Box::leak(format!("{}\n\nCellar key owner: Berta", "Nothing. ".repeat(400)).into_boxed_str());
        let found = quotes("who is the key owner", &[("Short", list), ("Long", long)]);
        assert!(found[0] == "Key owner: Abel" && !found.contains(&"Key rack: R7"), "{found:?}");
    }

    #[test]
    fn the_same_sentence_is_not_quoted_twice() {
        let text = "The harbour froze in 1709 and ships could not leave.";
        let found = quotes("which harbour froze in 1709", &[("A", text), ("B", text)]);
        assert_eq!(found, [text]);
    }
}

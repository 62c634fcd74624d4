//! Which sentences to quote: the best ones, from few pages, saying different things.

use std::ops::Range;

use super::{
    Corpus, Question,
    passages::cut_lines,
    score::{Signs, signs},
    terms::{Term, terms},
};
use crate::text;

/// A text that may hold the answer. Earlier candidates were ranked higher by the search.
#[derive(Debug, Clone)]
pub struct Candidate<'a> {
    pub title: &'a str,
    pub text: &'a str,
    /// Best place in the search results, from 0.
    pub rank: usize,
    /// The stretches of the text that the search itself pointed at, each with its place in the
    /// search results.
    pub hot: Vec<(Range<usize>, usize)>,
}

impl Candidate<'_> {
    /// The place in the search results that counts for a sentence at this byte.
    fn rank_at(&self, at: usize) -> usize {
        let hot = self.hot.iter().filter(|(range, _)| range.contains(&at)).map(|(_, rank)| *rank).min();
        hot.unwrap_or(if self.hot.is_empty() { self.rank } else { self.rank + 3 })
    }
}

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

/// Sentences chosen before those that follow each other are joined.
const MAX_SENTENCES: usize = 12;

/// A longer sentence is cut into pieces.
const LONG_SENTENCE: usize = 70;
/// About this many words make a piece of a sentence that is too long.
const PIECE: usize = 12;

/// Shorter sentences are captions and fragments.
const MIN_WORDS: usize = 4;

struct Sentence {
    candidate: usize,
    range: Range<usize>,
    terms: Vec<Term>,
    heading: bool,
    /// Index of the sentence within its candidate.
    place: usize,
}

/// How much each sign of relevance counts for a sentence. The defaults were fitted on real questions.
#[derive(Debug, Clone, Copy)]
pub struct SentenceWeights {
    /// BM25 of the sentence alone.
    pub bm25: f64,
    /// Topics of the question in the sentence alone.
    pub coverage: f64,
    /// Neighbouring words of the question that stand close together.
    pub pairs: f64,
    /// Topics in the sentence with its title and neighbours.
    pub context: f64,
    /// Looks like the kind of answer that is wanted.
    pub cue: f64,
    /// Place in the search results.
    pub rank: f64,
    /// How fast that falls with the place.
    pub rank_decay: f64,
    /// Near the beginning of its candidate.
    pub early: f64,
    /// Loss for saying what a better quote says.
    pub repeat: f64,
    /// Sentences below this share of the best score are not quoted.
    pub cutoff: f64,
}

impl Default for SentenceWeights {
    fn default() -> Self {
        Self {
            bm25: 1.8,
            coverage: 0.2,
            pairs: 1.9,
            context: 0.7,
            cue: 1.6,
            rank: 1.8,
            rank_decay: 0.45,
            early: 0.2,
            repeat: 0.1,
            cutoff: 0.28,
        }
    }
}

/// Chooses quotes of at most `max_words` words together and at most `max_quotes` pieces, best first.
/// Empty when nothing is about the question.
pub fn select(
    question: &Question,
    candidates: &[Candidate<'_>],
    weights: &SentenceWeights,
    max_words: usize,
    max_quotes: usize,
) -> Vec<Quote> {
    let sentences = cut(candidates);
    let corpus = Corpus::from_units(question, sentences.iter().map(|sentence| sentence.terms.as_slice()));
    let titles: Vec<Vec<Term>> = candidates.iter().map(|candidate| terms(candidate.title)).collect();
    let mut scored: Vec<Quote> = sentences
        .iter()
        .enumerate()
        .filter(|(_, sentence)| !sentence.heading && sentence.terms.len() >= MIN_WORDS)
        .map(|(index, sentence)| score(question, &corpus, weights, candidates, &titles, &sentences, index, sentence))
        .collect();
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.candidate.cmp(&b.candidate)).then(a.range.start.cmp(&b.range.start)));
    // A sentence may look like an answer and still be about something else.
    scored.retain(|quote| quote.is_relevant);
    if scored.is_empty() {
        return Vec::new();
    }
    take(scored, candidates, weights, max_words, max_quotes)
}

fn cut(candidates: &[Candidate<'_>]) -> Vec<Sentence> {
    let mut out = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let mut place = 0;
        for block in text::blocks(candidate.text) {
            let heading = block.kind == text::BlockKind::Heading;
            // Lists and logs without full stops would be one endless sentence.
            let sentences = text::block_sentences(candidate.text, &block);
            let pieces = sentences.into_iter().flat_map(|range| {
                let long = text::word_count(&candidate.text[range.clone()]) > LONG_SENTENCE;
                if long { cut_lines(candidate.text, range, PIECE) } else { vec![range] }
            });
            for range in pieces {
                let words = terms(&candidate.text[range.clone()]);
                out.push(Sentence { candidate: index, range, terms: words, heading, place });
                place += 1;
            }
        }
    }
    out
}

#[expect(clippy::too_many_arguments, reason = "one formula over all that is known of a sentence")]
fn score(
    question: &Question,
    corpus: &Corpus,
    weights: &SentenceWeights,
    candidates: &[Candidate<'_>],
    titles: &[Vec<Term>],
    sentences: &[Sentence],
    index: usize,
    sentence: &Sentence,
) -> Quote {
    let own = signs(question, corpus, &sentence.terms);
    let around = context_signs(question, corpus, titles, sentences, index, sentence);
    let candidate = &candidates[sentence.candidate];
    let cue = question.cue(&candidate.text[sentence.range.clone()], &sentence.terms);
    let rank = 1.0 / (1.0 + weights.rank_decay * candidate.rank_at(sentence.range.start) as f64);
    let early = 1.0 / (1.0 + 0.08 * sentence.place as f64);
    // An answer of the right kind counts only where the topic is right, too.
    let score = weights.bm25 * own.bm25
        + weights.coverage * own.coverage
        + weights.pairs * own.pairs.max(0.7 * around.pairs)
        + weights.context * around.coverage
        + weights.cue * cue * (0.3 + 0.7 * around.coverage)
        + weights.rank * rank * (0.4 + 0.6 * around.coverage)
        + weights.early * early;
    Quote {
        candidate: sentence.candidate,
        range: sentence.range.clone(),
        score,
        coverage: around.coverage,
        is_relevant: around.is_relevant(),
    }
}

/// The signs of a sentence together with its title and the sentences beside it: "It opened in
/// 1931" is about whatever stands before it.
fn context_signs(
    question: &Question,
    corpus: &Corpus,
    titles: &[Vec<Term>],
    sentences: &[Sentence],
    index: usize,
    sentence: &Sentence,
) -> Signs {
    let mut all = titles[sentence.candidate].clone();
    let from = index.saturating_sub(2);
    let to = (index + 2).min(sentences.len());
    for other in &sentences[from..to] {
        if other.candidate == sentence.candidate {
            all.extend(other.terms.iter().cloned());
        }
    }
    signs(question, corpus, &all)
}

fn take(scored: Vec<Quote>, candidates: &[Candidate<'_>], weights: &SentenceWeights, max_words: usize, max_quotes: usize) -> Vec<Quote> {
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
                (index, quote.score - weights.repeat * repeat * best)
            })
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            .unwrap_or((0, 0.0));
        if value < best * weights.cutoff {
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
    let mut quotes = join_neighbours(chosen, candidates);
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

/// Sentences that follow each other are one quote.
fn join_neighbours(mut quotes: Vec<Quote>, candidates: &[Candidate<'_>]) -> Vec<Quote> {
    let mut index = 0;
    while index < quotes.len() {
        let next = (0..quotes.len()).find(|other| {
            let (a, b) = (&quotes[index], &quotes[*other]);
            *other != index
                && a.candidate == b.candidate
                && a.range.end <= b.range.start
                && candidates[a.candidate].text[a.range.end..b.range.start].trim().is_empty()
                && !candidates[a.candidate].text[a.range.end..b.range.start].contains("\n\n")
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
        select(&Question::new(question), &candidates, &SentenceWeights::default(), 60, 3)
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
    fn the_same_sentence_is_not_quoted_twice() {
        let text = "The harbour froze in 1709 and ships could not leave.";
        let found = quotes("which harbour froze in 1709", &[("A", text), ("B", text)]);
        assert_eq!(found, [text]);
    }
}

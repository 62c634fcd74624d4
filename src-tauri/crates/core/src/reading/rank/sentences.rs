//! What speaks for each sentence of the pages that were read.

use std::ops::Range;

use super::{
    Candidate, Question, TermStats,
    indexed::named_by,
    passages::cut_lines,
    score::signs,
    terms::{Term, terms},
};
use crate::text;

/// A longer sentence is cut into pieces.
const LONG_SENTENCE: usize = 70;
/// About this many words make a piece of a sentence that is too long.
const PIECE: usize = 12;
/// Shorter sentences are captions and fragments.
const MIN_WORDS: usize = 4;
/// Shorter rows, items and lines say nothing: "Captain: Olaf" has a value and its name.
const MIN_WORDS_OF_ROW: usize = 2;

/// Signs that count for a sentence, in the order of [`Sentence::signs`].
pub const FEATURE_COUNT: usize = 7;
/// How much each of them counts: a softmax regression on real questions, held near weights that had been chosen by hand,
/// because two kinds of documents are few. The test that fits it judges each fifth of the questions by what the others
/// teach (`documents/search/fitting.rs` of the engine). Only their ratios matter to the order; together they are 8, the
/// scale on which [`super::confidence`] was fitted.
pub const WEIGHTS: [f64; FEATURE_COUNT] = [1.64, 1.68, 1.56, 1.86, 0.39, 0.44, 0.42];
/// How fast a place in the search results loses its worth.
const RANK_DECAY: f64 = 0.45;
/// The same for a sentence's place below its heading.
const PLACE_DECAY: f64 = 0.08;
/// Farther from its heading than this a sentence loses no more: lists, tables and transcripts have none.
const FAR: usize = 8;
/// The place below their heading that all rows and items count as having.
const PLACE_OF_ROWS: usize = 4;

/// A sentence, and what speaks for it.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// Index of the candidate that it stands in.
    pub candidate: usize,
    /// Bytes of the candidate's text.
    pub range: Range<usize>,
    /// Each from 0 to 1:
    ///
    /// 0. BM25 of the sentence alone;
    /// 1. neighbouring topics of the question that stand close together;
    /// 2. whether it looks like the kind of answer that is wanted, where the topics are right;
    /// 3. the place of its passage in the search results, where the topics are right;
    /// 4. how near it stands to the heading above it;
    /// 5. the share of the words of its title or heading that the question has;
    /// 6. whether it is the first one below its heading.
    pub signs: [f64; FEATURE_COUNT],
    /// The share of the topics that it holds with its title, its heading and the sentences beside it.
    pub coverage: f64,
    /// Whether that is enough to be about the question.
    pub is_relevant: bool,
}

/// A sentence as it was cut from its page.
struct Piece {
    candidate: usize,
    range: Range<usize>,
    terms: Vec<Term>,
    is_heading: bool,
    /// Whether it is a row, an item or a line of its own, which says much in few words.
    is_row: bool,
    /// Which sentence below its heading it is, from 1.
    place: usize,
    /// Index of the heading that it stands below, among all pieces.
    below: Option<usize>,
}

/// All sentences of the candidates that could be quoted.
pub fn sentence_features(question: &Question, candidates: &[Candidate<'_>]) -> Vec<Sentence> {
    let pieces = cut(candidates);
    let corpus = TermStats::from_units(question, pieces.iter().map(|piece| piece.terms.as_slice()));
    let titles: Vec<Vec<Term>> = candidates.iter().map(|candidate| terms(candidate.title)).collect();
    // Where the question itself stands, it is asked and not answered.
    let asks = |piece: &Piece| question.is_asked_in(&candidates[piece.candidate].text[piece.range.clone()], &piece.terms);
    (0..pieces.len())
        .filter(|index| {
            let piece = &pieces[*index];
            let fewest = if piece.is_row { MIN_WORDS_OF_ROW } else { MIN_WORDS };
            !piece.is_heading && piece.terms.len() >= fewest && !asks(piece)
        })
        .map(|index| sentence(question, &corpus, candidates, &titles, &pieces, index))
        .collect()
}

fn cut(candidates: &[Candidate<'_>]) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let mut place = 0;
        let mut below = None;
        // What a note says of itself, in YAML, is no sentence.
        let front = text::front_matter(candidate.text);
        for block in
            text::blocks(candidate.text).into_iter().filter(|block| block.range.end > front && candidate.may_be_quoted(&block.range))
        {
            // The first row of a table says of the others what a heading says of sentences.
            let is_heading = block.kind == text::BlockKind::Heading || heads_table(candidate.text, &block);
            let is_row = is_row(candidate.text, &block);
            // Lists and logs without full stops would be one endless sentence.
            let sentences = if is_heading { vec![block.range.clone()] } else { text::block_sentences(candidate.text, &block) };
            let pieces = sentences.into_iter().flat_map(|range| {
                let long = text::word_count(&candidate.text[range.clone()]) > LONG_SENTENCE;
                if long { cut_lines(candidate.text, range, PIECE) } else { vec![range] }
            });
            for range in pieces {
                let words = terms(&candidate.text[range.clone()]);
                if is_heading {
                    (below, place) = (Some(out.len()), 0);
                } else {
                    place += 1;
                }
                out.push(Piece { candidate: index, range, terms: words, is_heading, is_row, place, below });
            }
        }
    }
    out
}

/// Whether each line of a block says something in few words: rows, items, values with their names.
fn is_row(text: &str, block: &text::Block) -> bool {
    let body = &text[block.range.clone()];
    matches!(block.kind, text::BlockKind::ListItem | text::BlockKind::TableRow)
        || text::is_lines(text, block)
        || (!body.contains('\n') && text::names_value(body))
}

/// Whether a block is a row with a rule below it, or names the columns of a sheet, whose rows repeat these names.
fn heads_table(text: &str, block: &text::Block) -> bool {
    let next = text[block.range.end..].trim_start_matches('\n').lines().next().unwrap_or_default().trim();
    if let Some((name, _)) = text[block.range.clone()].split_once(" | ")
        && block.kind == text::BlockKind::Paragraph
    {
        return next.strip_prefix(name).is_some_and(|rest| rest.starts_with(": "));
    }
    block.kind == text::BlockKind::TableRow
        && next.starts_with('|')
        && next.contains('-')
        && next.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn sentence(
    question: &Question,
    corpus: &TermStats,
    candidates: &[Candidate<'_>],
    titles: &[Vec<Term>],
    pieces: &[Piece],
    index: usize,
) -> Sentence {
    let piece = &pieces[index];
    let candidate = &candidates[piece.candidate];
    let title = &titles[piece.candidate];
    let heading: &[Term] = piece.below.map_or(&[], |heading| &pieces[heading].terms);
    let own = signs(question, corpus, &piece.terms);
    // "It opened in 1931" is about whatever stands before it.
    let beside = pieces[index.saturating_sub(2)..(index + 2).min(pieces.len())].iter().filter(|other| other.candidate == piece.candidate);
    let around: Vec<Term> = title.iter().chain(heading).chain(beside.flat_map(|other| &other.terms)).cloned().collect();
    let around = signs(question, corpus, &around);
    let cue = question.cue(&candidate.text[piece.range.clone()], &piece.terms);
    // Of rows, the first one says no more than the others.
    let place = if piece.is_row { PLACE_OF_ROWS } else { piece.place.min(FAR) };
    let rank = 1.0 / (1.0 + RANK_DECAY * candidate.rank_at(piece.range.start) as f64);
    Sentence {
        candidate: piece.candidate,
        range: piece.range.clone(),
        signs: [
            own.bm25,
            own.pairs.max(0.7 * around.pairs),
            cue * (0.3 + 0.7 * around.coverage),
            rank * (0.4 + 0.6 * around.coverage),
            1.0 / (1.0 + PLACE_DECAY * place as f64),
            named_by(question, title).max(named_by(question, heading)),
            f64::from(place <= 1),
        ],
        coverage: around.coverage,
        is_relevant: around.is_relevant(),
    }
}

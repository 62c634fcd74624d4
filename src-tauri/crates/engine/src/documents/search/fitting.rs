//! Fits the order of passages and of sentences, and doubts, on real questions, and judges all three by questions that it was not fitted on.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nexi_core::{
    evidence,
    ports::Hit,
    quotes,
    rank::{Candidate, confidence, indexed, score::weighted_sum, select, sentences},
};
use nexi_store::DocumentIndex;
use serde::Deserialize;

use super::*;
use crate::documents::{Rules, resolve, sync};

/// Questions are divided into as many parts; each is judged by what the others teach.
const FOLDS: usize = 5;
/// Ways to divide them; the figures are the means of all.
const SHUFFLES: u64 = 4;
/// Where weights are held, and how firmly.
struct Prior<const N: usize> {
    weights: [f64; N],
    ridge: f64,
}
/// Small weights; chosen once, as the value at which a prototype was least sensitive to it.
const SMALL: Prior<{ indexed::FEATURE_COUNT }> = Prior { weights: [0.0; indexed::FEATURE_COUNT], ridge: 3e-3 };
/// Weights that were chosen by hand, in the scale of the regression. Held less firmly, short encyclopaedic passages and a
/// handbook teach what makes the manuals of Debian and Python worse (`tests/e2e/corpus.rs`).
const BY_HAND: Prior<{ sentences::FEATURE_COUNT }> = Prior { weights: [3.6, 3.8, 3.2, 3.6, 0.4, 0.0, 0.0], ridge: 0.05 };
/// Keeps the weights of the logistic regression small.
const RIDGE: f64 = 3e-4;

/// Pages that the built-in researcher reads.
const PAGES: usize = 8;
/// Passages that are joined into one page.
const JOINED: usize = 10;

#[derive(Deserialize)]
struct Asked {
    question: String,
    answers: Vec<String>,
    page: String,
}

/// What was found for a question, in the order in which it was found, and which of it is right.
struct Case<const N: usize> {
    signs: Vec<[f64; N]>,
    right: Vec<bool>,
}

/// Mean reciprocal rank and recall among the first ten, and the share of first ones, by the ranks from 0.
fn figures(ranks: &[Option<usize>]) -> [f64; 3] {
    let among: Vec<usize> = ranks.iter().flatten().copied().filter(|rank| *rank < 10).collect();
    let first = among.iter().filter(|rank| **rank == 0).count();
    let reciprocal: f64 = among.iter().map(|rank| 1.0 / (*rank as f64 + 1.0)).sum();
    [reciprocal, among.len() as f64, first as f64].map(|sum| sum / ranks.len() as f64)
}

/// The rank of the best that is right.
fn rank<const N: usize>(case: &Case<N>, weights: &[f64; N]) -> Option<usize> {
    let mut order: Vec<(f64, usize)> = case.signs.iter().map(|signs| weighted_sum(signs, weights)).zip(0..).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.iter().position(|(_, place)| case.right[*place])
}

/// Weights under which what is right is most likely first: a softmax over what was found, by gradient ascent with Adam's
/// steps.
fn fit<const N: usize>(cases: &[&Case<N>], prior: &Prior<N>) -> [f64; N] {
    let mut weights = prior.weights;
    let (mut mean, mut square) = ([0.0; N], [0.0; N]);
    for step in 1..=600 {
        let mut gradient: [f64; N] = std::array::from_fn(|at| prior.ridge * (prior.weights[at] - weights[at]));
        for case in cases.iter().filter(|case| case.right.contains(&true)) {
            let scores: Vec<f64> = case.signs.iter().map(|signs| weighted_sum(signs, &weights)).collect();
            let most = scores.iter().copied().fold(f64::MIN, f64::max);
            let shares: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
            let all: f64 = shares.iter().sum();
            let right: f64 = shares.iter().zip(&case.right).filter(|(_, right)| **right).map(|(share, _)| share).sum();
            for ((signs, share), is_right) in case.signs.iter().zip(&shares).zip(&case.right) {
                let pull = (if *is_right { share / right.max(f64::MIN_POSITIVE) } else { 0.0 } - share / all) / cases.len() as f64;
                for at in 0..N {
                    gradient[at] += pull * signs[at];
                }
            }
        }
        let pace = if step < 400 { 0.1 } else { 0.01 };
        adam(&mut weights, &gradient, &mut mean, &mut square, step, pace);
    }
    weights
}

/// One step of Adam, uphill.
fn adam<const N: usize>(weights: &mut [f64; N], gradient: &[f64; N], mean: &mut [f64; N], square: &mut [f64; N], step: i32, pace: f64) {
    for at in 0..N {
        mean[at] = 0.9 * mean[at] + 0.1 * gradient[at];
        square[at] = 0.99 * square[at] + 0.01 * gradient[at] * gradient[at];
        let (first, second) = (mean[at] / (1.0 - 0.9_f64.powi(step)), square[at] / (1.0 - 0.99_f64.powi(step)));
        weights[at] += pace * first / (second.sqrt() + 1e-9);
    }
}

/// The ranks of what is right, in each part of the cases by weights that were fitted on the others.
fn cross_validated<const N: usize>(cases: &[Case<N>], prior: &Prior<N>, seed: u64) -> Vec<Option<usize>> {
    let shuffled = |at: &usize| (*at as u64 + 1).wrapping_mul(2 * seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let mut order: Vec<usize> = (0..cases.len()).collect();
    order.sort_by_key(shuffled);
    let mut ranks = Vec::new();
    for fold in 0..FOLDS {
        let is_judged = |place: &usize| place % FOLDS == fold;
        let others: Vec<&Case<N>> = order.iter().enumerate().filter(|(place, _)| !is_judged(place)).map(|(_, at)| &cases[*at]).collect();
        let weights = fit(&others, prior);
        ranks.extend(order.iter().enumerate().filter(|(place, _)| is_judged(place)).map(|(_, at)| rank(&cases[*at], &weights)));
    }
    ranks
}

/// Prints the figures of a baseline, those by weights that were fitted on other questions, and those of the shipped ones.
/// Returns the first two.
fn judged<const N: usize>(
    name: &str,
    cases: &[Case<N>],
    prior: &Prior<N>,
    baseline: (&str, &[Option<usize>]),
    shipped: &[f64; N],
) -> [[f64; 3]; 2] {
    let by_others: Vec<Option<usize>> = (0..SHUFFLES).flat_map(|seed| cross_validated(cases, prior, seed)).collect();
    let as_shipped: Vec<Option<usize>> = cases.iter().map(|case| rank(case, shipped)).collect();
    println!("order of {name}, {} questions: MRR@10, recall@10, first", cases.len());
    let rows = [(baseline.0, baseline.1), ("five-fold cross-validated", &by_others), ("as shipped, on the same", &as_shipped)];
    for (label, ranks) in rows {
        println!("  {label:<26} {:.3?}", figures(ranks));
    }
    println!("  weights fitted on all      {:.2?}", fit(&cases.iter().collect::<Vec<_>>(), prior));
    [figures(baseline.1), figures(&by_others)]
}

/// The questions and the folder of the pages, where they are.
fn questions() -> Option<(Vec<Asked>, PathBuf)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/nq-dev");
    if !corpus.exists() {
        eprintln!("SKIPPED: {} is not there", corpus.display());
        return None;
    }
    let asked = std::fs::read_to_string(corpus.join("questions.json")).unwrap();
    Some((serde_json::from_str(&asked).unwrap(), corpus.join("pages")))
}

fn indexed_folder(folder: &Path) -> (tempfile::TempDir, Arc<DocumentIndex>, Vec<String>) {
    let data = tempfile::tempdir().unwrap();
    let index = Arc::new(DocumentIndex::open(&data.path().join("d.db")).unwrap());
    let roots = resolve(&[folder.to_owned()]);
    sync(&index, &roots, &Rules::default(), &|_, _| {}).unwrap();
    (data, index, roots.iter().map(|root| root.to_string_lossy().into_owned()).collect())
}

#[test]
fn order_of_passages_helps_on_questions_it_was_not_fitted_on() {
    let Some((asked, pages)) = questions() else { return };
    let (_data, index, roots) = indexed_folder(&pages);
    let mut returned: Vec<Option<usize>> = Vec::new();
    let cases: Vec<Case<{ indexed::FEATURE_COUNT }>> = asked
        .iter()
        .map(|item| {
            let found = ByWords::new(&index, &Scope::all(&roots), &item.question, None).unwrap();
            let signs = found.with_indexed(|passages| indexed::passage_features(&found.question, &found.corpus, passages));
            let right: Vec<bool> = found.passages.iter().map(|passage| passage.path.ends_with(&format!("/{}", item.page))).collect();
            returned.push(found.order().into_iter().position(|place| right[place]));
            Case { signs, right }
        })
        .collect();
    let own: Vec<Option<usize>> = cases.iter().map(|case| case.right.iter().position(|right| *right)).collect();
    let [baseline, judged] = judged("passages", &cases, &SMALL, ("the index's own order", &own), &indexed::WEIGHTS);
    // What is not about the question at all is left out of the results.
    println!("  as a search returns it     {:.3?}", figures(&returned));
    assert!(judged[0] >= baseline[0] + 0.01 && judged[1] >= baseline[1], "{judged:?}");
}

/// Lower case, letters and digits only, without articles.
fn normal(text: &str) -> String {
    let plain: String = text.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the")).collect();
    format!(" {} ", words.join(" "))
}

/// Writes the passages by tens into pages, each under its title; returns the page of each.
fn joined(pages: &Path, into: &Path) -> BTreeMap<String, PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(pages).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut out = BTreeMap::new();
    for (index, group) in files.chunks(JOINED).enumerate() {
        let path = into.join(format!("{index:04}.html"));
        let part = |html: &str, from: &str, to: &str| html.split(from).nth(1).unwrap().split(to).next().unwrap().to_owned();
        let texts: Vec<String> = group.iter().map(|file| part(&std::fs::read_to_string(file).unwrap(), "<main>", "</main>")).collect();
        let title = part(&texts[0], "<h1>", "</h1>");
        let body = texts.concat().replace("h1>", "h2>");
        std::fs::write(&path, format!("<!doctype html><title>{title}</title><main><h1>{title}</h1>{body}</main>")).unwrap();
        out.extend(group.iter().map(|file| (file.file_name().unwrap().to_string_lossy().into_owned(), path.clone())));
    }
    out
}

/// What the built-in researcher would have read for a question.
struct Read {
    hits: Vec<Hit>,
    collection: Collection,
    paths: Vec<PathBuf>,
    files: Vec<crate::documents::file::ReadFile>,
}

impl Read {
    fn new(index: &DocumentIndex, roots: &[String], question: &str) -> Self {
        let (hits, collection) = super::super::find(index, &Scope::all(roots), question, None, None).unwrap();
        let path = |hit: &Hit| url::Url::parse(&hit.url).unwrap().to_file_path().unwrap();
        let mut paths: Vec<PathBuf> = Vec::new();
        for path in hits.iter().map(path) {
            if !paths.contains(&path) && paths.len() < PAGES {
                paths.push(path);
            }
        }
        let files = paths.iter().map(|path| crate::documents::read_file(path).unwrap()).collect();
        Self { hits, collection, paths, files }
    }

    fn candidates(&self) -> Vec<Candidate<'_>> {
        let shown = |path: &Path, text: &str| {
            let own = self.hits.iter().enumerate().filter(|(_, hit)| hit.url == url::Url::from_file_path(path).unwrap().as_str());
            own.filter_map(|(place, hit)| evidence::locate(text, &hit.snippet).map(|range| (range, place))).collect()
        };
        let read = self.paths.iter().zip(&self.files).enumerate();
        read.map(|(rank, (path, file))| Candidate { title: &file.title, text: &file.text, rank, hot: shown(path, &file.text) }).collect()
    }
}

impl Asked {
    /// Whether a text holds one of the accepted answers.
    fn is_in(&self, text: &str) -> bool {
        let text = normal(text);
        self.answers.iter().any(|answer| text.contains(&normal(answer)))
    }
}

/// A question with or without its page, by its number, and what speaks for an answer.
struct Doubt {
    question: usize,
    is_answered: bool,
    /// None where nothing could be quoted, which is said.
    signs: Option<[f64; confidence::FEATURE_COUNT]>,
}

/// Offset and weights of a logistic regression, by gradient ascent with Adam's steps.
fn logistic(rows: &[(bool, [f64; confidence::FEATURE_COUNT])]) -> [f64; confidence::FEATURE_COUNT + 1] {
    let mut weights = [0.0; confidence::FEATURE_COUNT + 1];
    let (mut mean, mut square) = (weights, weights);
    for step in 1..=1500 {
        let mut gradient = weights.map(|weight| -RIDGE * weight);
        for (is_answered, signs) in rows {
            let error = f64::from(*is_answered) - 1.0 / (1.0 + (-doubt_value(&weights, signs)).exp());
            for (at, part) in gradient.iter_mut().enumerate() {
                *part += error * if at == 0 { 1.0 } else { signs[at - 1] } / rows.len() as f64;
            }
        }
        adam(&mut weights, &gradient, &mut mean, &mut square, step, if step < 1000 { 0.1 } else { 0.01 });
    }
    weights
}

fn doubt_value(weights: &[f64; confidence::FEATURE_COUNT + 1], signs: &[f64; confidence::FEATURE_COUNT]) -> f64 {
    weights[0] + signs.iter().zip(&weights[1..]).map(|(sign, weight)| sign * weight).sum::<f64>()
}

/// How many questions are doubted that are answered, and how many that are not, each as a share.
fn doubted(doubts: &[&Doubt], is_doubted: impl Fn(&[f64; confidence::FEATURE_COUNT]) -> bool) -> [f64; 2] {
    [true, false].map(|is_answered| {
        let own: Vec<_> = doubts.iter().filter(|doubt| doubt.is_answered == is_answered).collect();
        own.iter().filter(|doubt| doubt.signs.as_ref().is_none_or(&is_doubted)).count() as f64 / own.len() as f64
    })
}

#[test]
fn answers_are_quoted_and_missing_ones_doubted() {
    let Some((asked, pages)) = questions() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page_of = joined(&pages, folder.path());
    let (_data, index, roots) = indexed_folder(folder.path());
    let (mut first, mut any) = (0, 0);
    let mut doubts: Vec<Doubt> = Vec::new();
    for (number, item) in asked.iter().enumerate() {
        let question = Question::new(&item.question);
        let page = page_of[&item.page].canonicalize().unwrap().to_string_lossy().into_owned();
        for is_answered in [true, false] {
            if !is_answered {
                index.remove(std::slice::from_ref(&page)).unwrap();
            }
            let read = Read::new(&index, &roots, &item.question);
            let candidates = read.candidates();
            let found = select(&question, &candidates, quotes::MAX_WORDS, quotes::MAX_QUOTES);
            if is_answered {
                let around = quotes::with_context(&found, &candidates);
                let holds: Vec<bool> =
                    found.iter().zip(around).map(|(quote, range)| item.is_in(&candidates[quote.candidate].text[range])).collect();
                first += usize::from(holds.first() == Some(&true));
                any += usize::from(holds.contains(&true));
            } else {
                sync(&index, &resolve(&[folder.path().to_owned()]), &Rules::default(), &|_, _| {}).unwrap();
            }
            let signs = found.first().zip(read.hits.first()).and_then(|(quote, hit)| {
                let passage = format!("{} {}", hit.title, hit.snippet);
                let quoted = &candidates[quote.candidate].text[quote.range.clone()];
                confidence::confidence_features(&question, &read.collection, &confidence::Best { passage: &passage, quoted, quote })
            });
            doubts.push(Doubt { question: number, is_answered, signs });
        }
    }
    let share = |count: usize| 100.0 * count as f64 / asked.len() as f64;
    println!("ten passages to a page, {} questions of nq-dev, before doubts:", asked.len());
    println!("  an answer stands in the first quotation of {:.1} %, in any of {:.1} %", share(first), share(any));

    // Each fifth by weights, and by a threshold at 13 % of the answered questions, that the others teach.
    let mut by_others = [0.0; 2];
    let rows = |doubts: &[&Doubt]| doubts.iter().filter_map(|doubt| Some((doubt.is_answered, doubt.signs?))).collect::<Vec<_>>();
    for fold in 0..FOLDS {
        let (judged, others): (Vec<&Doubt>, Vec<&Doubt>) = doubts.iter().partition(|doubt| doubt.question % FOLDS == fold);
        let weights = logistic(&rows(&others));
        let mut answered: Vec<f64> =
            rows(&others).iter().filter(|(is_answered, _)| *is_answered).map(|(_, signs)| doubt_value(&weights, signs)).collect();
        answered.sort_by(f64::total_cmp);
        let threshold = answered[answered.len() * 13 / 100];
        let shares = doubted(&judged, |signs| doubt_value(&weights, signs) < threshold);
        by_others = [0, 1].map(|at| by_others[at] + shares[at] / FOLDS as f64);
    }
    let mut shipped = [confidence::OFFSET; confidence::FEATURE_COUNT + 1];
    shipped[1..].copy_from_slice(&confidence::WEIGHTS);
    let all: Vec<&Doubt> = doubts.iter().collect();
    let as_shipped = doubted(&all, |signs| doubt_value(&shipped, signs) < confidence::ANSWERED);
    println!("  doubted although answered, doubted where the page is missing:");
    println!("    five-fold cross-validated {by_others:.3?}");
    println!("    as shipped, on the same   {as_shipped:.3?}");
    let mut answered: Vec<f64> =
        rows(&all).iter().filter(|(is_answered, _)| *is_answered).map(|(_, signs)| doubt_value(&shipped, signs)).collect();
    answered.sort_by(f64::total_cmp);
    println!("    offset and weights fitted on all {:.2?}", logistic(&rows(&all)));
    println!(
        "    3 and 13 % of the answered lie below {:.2} and {:.2}",
        answered[answered.len() * 3 / 100],
        answered[answered.len() * 13 / 100]
    );
    assert!(share(first) >= 78.0 && share(any) >= 84.0, "{first} {any}");
    assert!(by_others[0] <= 0.16 && by_others[1] >= 0.75, "{by_others:?}");
}

/// White space folded, without marks of Markdown.
fn folded(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !matches!(c, '*' | '`' | '|')).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A newcomer's question, and the passages of the handbook that answer it: the file of the chapter and words of each.
struct Newcomer {
    question: String,
    passages: Vec<(String, String)>,
}

impl Newcomer {
    /// Those of a file of the end-to-end tests that have an answer.
    fn all(file: &str) -> Vec<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/e2e").join(file);
        let read = |line: &str| {
            let item: serde_json::Value = serde_json::from_str(line).unwrap();
            let passage =
                |value: &serde_json::Value| (value["chapter"].as_str().unwrap().to_owned(), folded(value["excerpt"].as_str().unwrap()));
            let passages = item["passages"].as_array().unwrap().iter().map(passage).collect();
            Self { question: item["question"].as_str().unwrap().to_owned(), passages }
        };
        std::fs::read_to_string(path).unwrap().lines().map(read).filter(|item| !item.passages.is_empty()).collect()
    }

    /// Whether a text of a chapter holds words of a passage that answers.
    fn is_in(&self, path: &Path, text: &str) -> bool {
        let text = folded(text);
        self.passages.iter().any(|(chapter, words)| path.ends_with(chapter) && text.contains(words))
    }
}

fn handbook() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../handbook")
}

/// What speaks for each relevant sentence of what is read for a question; `is_right` is asked with its page and its
/// place there.
fn sentence_case(
    index: &DocumentIndex,
    roots: &[String],
    question: &str,
    is_right: impl Fn(&Path, &str, Range<usize>) -> bool,
) -> Case<{ sentences::FEATURE_COUNT }> {
    let read = Read::new(index, roots, question);
    let mut found = sentences::sentence_features(&Question::new(question), &read.candidates());
    found.retain(|sentence| sentence.is_relevant);
    let right = found
        .iter()
        .map(|sentence| is_right(&read.paths[sentence.candidate], &read.files[sentence.candidate].text, sentence.range.clone()))
        .collect();
    Case { right, signs: found.into_iter().map(|sentence| sentence.signs).collect() }
}

#[test]
fn order_of_passages_helps_on_documents_it_was_not_fitted_on() {
    let (_data, index, roots) = indexed_folder(&handbook());
    let mut ranks: [Vec<Option<usize>>; 2] = Default::default();
    for item in ["handbook-questions.jsonl", "handbook-questions-unseen.jsonl"].into_iter().flat_map(Newcomer::all) {
        let found = ByWords::new(&index, &Scope::all(&roots), &item.question, None).unwrap();
        let signs = found.with_indexed(|passages| indexed::passage_features(&found.question, &found.corpus, passages));
        let right: Vec<bool> = found.passages.iter().map(|passage| item.is_in(Path::new(&passage.path), &passage.body)).collect();
        ranks[0].push(right.iter().position(|right| *right));
        ranks[1].push(rank(&Case { signs, right }, &indexed::WEIGHTS));
    }
    let [own, ours] = ranks.map(|ranks| figures(&ranks));
    println!("passages of the handbook, newcomers' questions: MRR@10, recall@10, first");
    println!("  the index's own order {own:.3?}\n  ours                  {ours:.3?}");
    assert!(ours[0] >= own[0] && ours[1] >= own[1], "{ours:?}");
}

#[test]
fn order_of_sentences_helps_on_questions_it_was_not_fitted_on() {
    let Some((asked, pages)) = questions() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page_of = joined(&pages, folder.path());
    let (_data, index, roots) = indexed_folder(folder.path());
    let real = asked.iter().map(|item| {
        let is_right = |path: &Path, text: &str, range: Range<usize>| path == page_of[&item.page] && item.is_in(&text[range]);
        sentence_case(&index, &roots, &item.question, is_right)
    });
    let mut cases: Vec<Case<{ sentences::FEATURE_COUNT }>> = real.collect();
    let (_data, index, roots) = indexed_folder(&handbook());
    let newcomers = |file: &str| -> Vec<Case<{ sentences::FEATURE_COUNT }>> {
        let case = |item: Newcomer| {
            let is_right = |path: &Path, text: &str, range: Range<usize>| {
                let block = nexi_core::text::blocks(text).into_iter().find(|block| block.range.contains(&range.start));
                block.is_some_and(|block| item.is_in(path, &text[block.range]))
            };
            sentence_case(&index, &roots, &item.question, is_right)
        };
        Newcomer::all(file).into_iter().map(case).collect()
    };
    // Two kinds of documents, so that the weights are those of no one kind.
    cases.extend(newcomers("handbook-questions.jsonl"));
    let mut words_alone = [0.0; sentences::FEATURE_COUNT];
    words_alone[0] = 1.0;
    let by_words: Vec<Option<usize>> = cases.iter().map(|case| rank(case, &words_alone)).collect();
    let [baseline, judged] =
        judged("sentences (nq-dev and the handbook)", &cases, &BY_HAND, ("BM25 of the sentence", &by_words), &sentences::WEIGHTS);
    let unseen = newcomers("handbook-questions-unseen.jsonl");
    for (name, weights) in [("BM25 of the sentence", &words_alone), ("as shipped", &sentences::WEIGHTS)] {
        let ranks: Vec<_> = unseen.iter().map(|case| rank(case, weights)).collect();
        println!("  unseen, handbook: {name:<19} {:.3?}", figures(&ranks));
    }
    assert!(judged[2] >= baseline[2] + 0.1, "{judged:?}");
}

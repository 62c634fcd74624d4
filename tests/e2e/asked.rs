//! Questions that are asked twice in other words: the earlier one is found while the later one is typed.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::time::Duration;

use nexi_engine::import::OnBroken;
use nexi_engine::{Engine, EngineOptions};
use nexi_testkit::let_pass;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::corpus::{questions_of, shared};
use crate::figure::figure;

/// Sixty pairs, written by somebody who knew neither the rules nor the other questions of the library. The first half
/// chose the threshold, the second one judges it.
const PAIRS: &str = include_str!("asked-twice.jsonl");

#[derive(Deserialize)]
struct Pair {
    first: String,
    again: String,
}

fn thread(number: usize, question: &str) -> Value {
    let asked = 1_600_000_000_000_i64 + number as i64 * 3_600_000;
    let id = format!("0190{number:028x}");
    let ending = json!({"state": "answered", "answer": "An answer about something else entirely.", "citations": [], "sources": [], "steps": 1,
        "usage": {"prompt": 9, "completion": 9}});
    let turn = json!({"id": format!("0191{number:028x}"), "thread": id, "question": question, "effort": "s", "model": "m",
        "asked_ms": asked, "duration_ms": 9, "events": [], "ending": ending});
    json!({"nexi_thread": 1, "id": id, "title": question, "created_ms": asked, "updated_ms": asked, "turns": [turn], "sources": []})
}

/// How many pairs of each half are found first, and how often something is said to be similar that is not.
struct Found {
    halves: [usize; 2],
    wrong: usize,
    others: usize,
}

/// Asks every question of the pairs again, in a library that holds the first ones among half of the real questions; the
/// other half was never asked.
async fn ask_again(engine: &Engine, pairs: &[Pair]) -> Found {
    let others: Vec<Value> = shared("nq-dev").map(|folder| questions_of(&folder)).unwrap_or_default();
    let others: Vec<&str> = others.iter().filter_map(|item| item["question"].as_str()).collect();
    let (kept, asked) = others.split_at(others.len() / 2);
    let questions = pairs.iter().map(|pair| pair.first.as_str()).chain(kept.iter().copied());
    let lines: Vec<String> = questions.enumerate().map(|(number, question)| thread(number, question).to_string()).collect();
    engine.import_threads(Cursor::new(lines.join("\n")), OnBroken::Refuse).await.unwrap();
    // Where there is a model, the library gets its vectors first.
    if engine.build_vectors(|_, _| {}, &CancellationToken::new()).await.is_ok() {
        // The first look has the model measured behind it.
        let _ = engine.asked_before("measure the model first", None).await;
        let_pass(Duration::from_secs(5)).await;
    }
    let mut found = Found { halves: [0, 0], wrong: 0, others: asked.len() };
    for (number, pair) in pairs.iter().enumerate() {
        let before = engine.asked_before(&pair.again, None).await.unwrap();
        let is_right = before.as_ref().is_some_and(|before| before.question == pair.first);
        found.halves[usize::from(number * 2 >= pairs.len())] += usize::from(is_right);
    }
    for question in asked {
        found.wrong += usize::from(engine.asked_before(question, None).await.unwrap().is_some());
    }
    // The simplest thing: the question that shares the largest part of all its words, from a quarter on.
    let library: Vec<&str> = pairs.iter().map(|pair| pair.first.as_str()).chain(kept.iter().copied()).collect();
    let simplest = |question: &str| {
        let scored = library.iter().map(|other| (shared_words(question, other), *other));
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(share, _)| *share >= 0.25).map(|(_, other)| other.to_owned())
    };
    let judged = &pairs[pairs.len() / 2..];
    figure(&format!(
        "asked before, by the largest part of shared words: {} of {}; {} of {}",
        judged.iter().filter(|pair| simplest(&pair.again).as_deref() == Some(&pair.first)).count(),
        judged.len(),
        asked.iter().filter(|question| simplest(question).is_some()).count(),
        asked.len()
    ));
    figure(&format!(
        "asked before: found first {} and {} of {} pairs each (the second half judges); {} of {} others have something similar",
        found.halves[0],
        found.halves[1],
        pairs.len() / 2,
        found.wrong,
        found.others
    ));
    found
}

fn shared_words(one: &str, other: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (one, other) = (words(one), words(other));
    one.intersection(&other).count() as f64 / one.union(&other).count().max(1) as f64
}

fn pairs() -> Vec<Pair> {
    PAIRS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// With the weights of all-MiniLM-L6-v2, which `make conformance` fetches and names in `NEXI_MINILM`.
#[tokio::test(flavor = "multi_thread")]
async fn with_vectors_other_words_are_found_by_their_meaning() {
    let Some(weights) = std::env::var_os("NEXI_MINILM") else {
        println!("SKIPPED: NEXI_MINILM names no folder with all-MiniLM-L6-v2");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (data, settings) = (folder.path().join("data"), folder.path().join("config.toml"));
    std::fs::create_dir_all(data.join("models")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(weights, data.join("models/all-MiniLM-L6-v2")).unwrap();
    std::fs::write(&settings, "[embeddings]\nmodel = \"local/all-MiniLM-L6-v2\"\non_battery = true\n").unwrap();
    let engine = Engine::open(EngineOptions { data: Some(data), settings: Some(settings), ..EngineOptions::default() }).unwrap();
    let pairs = pairs();
    let found = ask_again(&engine, &pairs).await;
    assert!(found.halves[1] * 10 >= pairs.len() / 2 * 9 && found.wrong * 10 <= found.others, "{:?} {}", found.halves, found.wrong);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_was_asked_before_is_found_in_other_words() {
    let pairs = pairs();
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions { data: Some(folder.path().join("data")), ..EngineOptions::default() }).unwrap();
    let found = ask_again(&engine, &pairs).await;
    // The thread that is open, and what is no question yet.
    let own = engine.asked_before(&pairs[0].first, None).await.unwrap().unwrap();
    assert!(engine.asked_before(&pairs[0].first, Some(&own.thread)).await.unwrap().is_none());
    assert!(engine.asked_before("what is", None).await.unwrap().is_none() && engine.asked_before("", None).await.unwrap().is_none());
    assert!(engine.asked_before("\" OR qqqq: NEAR(", None).await.unwrap().is_none());
    assert!(
        own.is_same && found.halves[1] * 4 >= pairs.len() / 2 * 3 && found.wrong * 4 <= found.others,
        "{:?} {}",
        found.halves,
        found.wrong
    );
}

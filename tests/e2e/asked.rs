//! Questions that are asked twice in other words: the earlier one is found while the later one is typed.

use std::io::Cursor;

use nexi_engine::import::OnBroken;
use nexi_engine::{Engine, EngineOptions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::corpus::{questions_of, shared};

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

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_was_asked_before_is_found_in_other_words() {
    let pairs: Vec<Pair> = PAIRS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Real questions that nobody asks again, where they are there.
    let others: Vec<Value> = shared("nq-dev").map(|folder| questions_of(&folder)).unwrap_or_default();
    let others: Vec<&str> = others.iter().filter_map(|item| item["question"].as_str()).collect();
    let (kept, asked) = others.split_at(others.len() / 2);
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions { data: Some(folder.path().join("data")), ..EngineOptions::default() }).unwrap();
    let questions = pairs.iter().map(|pair| pair.first.as_str()).chain(kept.iter().copied());
    let lines: Vec<String> = questions.enumerate().map(|(number, question)| thread(number, question).to_string()).collect();
    engine.import_threads(Cursor::new(lines.join("\n")), OnBroken::Refuse).await.unwrap();
    let (half, mut found) = (pairs.len() / 2, [0, 0]);
    for (number, pair) in pairs.iter().enumerate() {
        let before = engine.asked_before(&pair.again, None).await.unwrap();
        let is_right = before.as_ref().is_some_and(|before| before.question == pair.first);
        found[usize::from(number >= half)] += usize::from(is_right);
    }
    let mut wrong = 0;
    for question in asked {
        let before = engine.asked_before(question, None).await.unwrap();
        wrong += usize::from(before.is_some());
    }
    println!(
        "asked before: found first {} and {} of {half} pairs each (the second half judges); {wrong} of {} others have something similar",
        found[0],
        found[1],
        asked.len()
    );
    // The thread that is open, and what is no question yet.
    let own = engine.asked_before(&pairs[0].first, None).await.unwrap().unwrap();
    assert!(engine.asked_before(&pairs[0].first, Some(&own.thread)).await.unwrap().is_none());
    assert!(engine.asked_before("what is", None).await.unwrap().is_none() && engine.asked_before("", None).await.unwrap().is_none());
    assert!(engine.asked_before("\" OR question: NEAR(", None).await.unwrap().is_none());
    assert!(own.is_same && found[1] * 2 >= half && wrong * 4 <= asked.len(), "{found:?} {wrong}");
}

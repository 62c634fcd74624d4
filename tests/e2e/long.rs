//! Long threads: summaries in the place of turns that no longer fit, and names of threads.

use std::time::Duration;

use nexi_engine::core::ids::ThreadId;
use nexi_engine::core::protocol::{Ending, Event, IncidentKind};
use nexi_engine::{AskOptions, Engine, EngineOptions};
use nexi_testkit::{LlmServer, Scripted};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{KEY, Place, json as parsed, stderr, stdout};

const NAME: &str = "My project is called Zephyr. Which database suits it?";
const LAST: &str = "What is my project called?";
const ASKS_FOR_SUMMARY: &str = "Summarise the beginning of this conversation";

fn said(request: &Value) -> String {
    request["messages"].as_array().into_iter().flatten().filter_map(|one| one["content"].as_str()).collect::<Vec<_>>().join("\n")
}

/// A model that knows of the project only what it is told; a summary of its own holds the name only if the model saw it.
async fn forgetful(key: &str) -> LlmServer {
    LlmServer::answering(key, Duration::ZERO, |request| {
        let said = said(request);
        let knows = said.contains("Zephyr");
        if said.contains(ASKS_FOR_SUMMARY) {
            return Scripted::Text(if knows {
                "The project of the person is called Zephyr. Databases were compared."
            } else {
                "Databases were compared."
            });
        }
        let asked = request["messages"].as_array().and_then(|all| all.last()).and_then(|last| last["content"].as_str()).unwrap_or_default();
        if asked.contains(LAST) {
            return Scripted::Text(if knows { "Your project is called Zephyr." } else { "I do not know." });
        }
        let filler = "A table holds rows, an index finds them, and a vacuum takes away what nobody can see any more. ".repeat(4);
        Scripted::Calls(vec![(
            "final_answer",
            json!({"answer": filler, "title": "Choosing a database", "description": "Which database suits the project."}),
        )])
    })
    .await
}

fn settings(base: &str, key: &str) -> String {
    format!(
        "llm_backends = [\"work\"]\ncheck = \"local\"\nsearch_backends = [\"documents\"]\nmax_context = 8000\n\
         [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{base}\"\nmodel = \"test-model\"\n{key}\n"
    )
}

fn engine(folder: &TempDir, settings: &str) -> Engine {
    let file = folder.path().join("config.toml");
    std::fs::write(&file, settings).expect("settings are written");
    Engine::open(EngineOptions { data: Some(folder.path().join("data")), settings: Some(file), ..EngineOptions::default() })
        .expect("an engine")
}

async fn ask(engine: &Engine, question: &str, thread: Option<ThreadId>) -> (ThreadId, Ending, Vec<Event>) {
    let mut run = engine.ask(AskOptions { question: question.into(), thread, ..AskOptions::default() }).await.expect("a run");
    let thread = run.thread().clone();
    let mut events = Vec::new();
    while let Some(more) = run.next().await {
        events.extend(more.into_iter().map(|envelope| envelope.event));
        if let Some(Event::Ended { ending }) = events.last() {
            return (thread, ending.clone(), events);
        }
    }
    panic!("the run has no end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_of_three_hundred_turns_still_knows_its_first() {
    let model = forgetful("").await;
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&folder, &settings(&model.base_url, ""));
    let (thread, ..) = ask(&engine, NAME, None).await;
    let mut told = 0;
    for number in 2..300 {
        let (_, ending, events) = ask(&engine, &format!("Question {number} about tables?"), Some(thread.clone())).await;
        assert!(!ending.answer.is_empty(), "{number}: {ending:?}");
        let made = events.iter().any(|event| matches!(event, Event::Summarised { .. }));
        assert_eq!(made, ending.summary.is_some(), "{number}");
        told += u32::from(events.iter().any(|event| matches!(event, Event::ThreadFilling { percent } if (75..=90).contains(percent))));
    }
    let (_, ending, _) = ask(&engine, LAST, Some(thread.clone())).await;
    assert_eq!(ending.answer, "Your project is called Zephyr.");
    let requests = model.requests();
    let summaries = requests.iter().filter(|request| said(request).contains(ASKS_FOR_SUMMARY)).count();
    println!("300 turns: {summaries} summaries, {told} times told that the thread fills up");
    assert!((3..60).contains(&summaries) && told > 0, "{summaries} {told}");
    // What is told in place of the turns stays small, and is more than the last summary's own turns.
    let last = requests.last().unwrap();
    assert!(last["messages"].as_array().unwrap().len() < 60 && said(last).len() < 24_000, "{}", said(last).len());
    assert!(said(last).contains("more questions, which are summarised here"), "{}", said(last));
    // The thread is called what its first answer says, and no later one changes that.
    let facts = engine.thread_facts(&thread).await.unwrap();
    assert_eq!((facts.title.as_str(), facts.description.as_str()), ("Choosing a database", "Which database suits the project"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_fails_costs_the_oldest_turns_and_nothing_else() {
    let model = LlmServer::answering("", Duration::ZERO, |request| {
        if said(request).contains(ASKS_FOR_SUMMARY) {
            return Scripted::Status(400, Vec::new(), "{\"error\":{\"message\":\"no\"}}");
        }
        Scripted::Calls(vec![("final_answer", json!({"answer": "Rows lie in tables. ".repeat(90)}))])
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let engine = engine(&folder, &settings(&model.base_url, ""));
    let (thread, ..) = ask(&engine, NAME, None).await;
    let mut left_out = false;
    for _ in 0..8 {
        let (_, ending, events) = ask(&engine, "And then?", Some(thread.clone())).await;
        assert!(ending.answer.starts_with("Rows lie") && ending.summary.is_none(), "{ending:?}");
        left_out |= events.iter().any(|event| matches!(event, Event::Incident { incident } if incident.kind == IncidentKind::TurnsLeftOut));
    }
    assert!(left_out);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_is_summarised_by_hand_and_replayed() {
    let model = forgetful(KEY).await;
    let place = Place::new(&settings(&model.base_url, "api_key_env = \"TEST_KEY\""));
    let refused = place.run(&["history", "summarise"]);
    assert!(stderr(&refused).contains("nothing has been asked yet"), "{}", stderr(&refused));
    let first = parsed(&place.run(&["ask", NAME, "--json"]));
    let refused = place.run(&["history", "summarise"]);
    assert!(stderr(&refused).contains("nothing to summarise before the last answer"), "{}", stderr(&refused));
    place.run(&["ask", "Why?", "--continue", "--json"]);
    place.run(&["ask", "And then?", "--continue", "--json"]);
    let made = parsed(&place.run(&["history", "summarise", "--json"]));
    assert_eq!(made["turns"], 2, "{made}");
    assert!(made["text"].as_str().unwrap().contains("Zephyr"), "{made}");
    let answer = parsed(&place.run(&["ask", LAST, "--continue", "--json"]));
    assert_eq!(answer["answer"], "Your project is called Zephyr.", "{answer}");
    let requests = model.requests();
    let last = said(requests.last().unwrap());
    assert!(!last.contains(NAME) && last.contains("2 more questions") && last.contains("And then?"), "{last}");
    // The run is replayed without network, with the summary that it was told.
    let file = place.path("run.json");
    let written = place.run(&["audit", "--out", file.to_str().unwrap()]);
    assert!(written.status.success(), "{}", stderr(&written));
    let replayed = place.run(&["replay", file.to_str().unwrap()]);
    assert!(replayed.status.success(), "{} {}", stdout(&replayed), stderr(&replayed));
    // It goes along with an export, and is gone when what it tells of is deleted.
    let thread = first["thread"].as_str().unwrap();
    let export = stdout(&place.run(&["history", "export", thread, "--thread", "--format", "json"]));
    assert!(export.contains("The project of the person is called Zephyr"), "{export}");
    let deleted = place.run(&["history", "delete", first["id"].as_str().unwrap(), "--turn", "--yes"]);
    assert!(deleted.status.success(), "{}", stderr(&deleted));
    let export = stdout(&place.run(&["history", "export", thread, "--thread", "--format", "json"]));
    assert!(!export.contains("The project of the person"), "{export}");
    // Nor does what the journals of later answers kept of it.
    for turn in parsed(&place.run(&["history", "--json"])).as_array().unwrap() {
        let record = stdout(&place.run(&["audit", turn["id"].as_str().unwrap()]));
        assert!(record.contains("nexi") && !record.contains("The project of the person"), "{record}");
    }
}

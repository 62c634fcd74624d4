//! What the person wants remembered: told to models with every question, and to nobody where a thread is private.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer};
use serde_json::{Value, json};

use crate::session::Terminal;
use crate::support::{KEY, Place, json as parsed, stderr, stdout, web_settings};

const WORK: &str = "I work with PostgreSQL 16.";
const UNITS: &str = "Answer in nautical miles.";

async fn place(script: Vec<Scripted>) -> (LlmServer, SearchServer, Place) {
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let search = SearchServer::start(200, &[]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    (model, search, place)
}

/// What the last request said of it.
fn told(model: &LlmServer) -> Vec<bool> {
    let request = model.requests().last().map(Value::to_string).unwrap_or_default();
    [WORK, UNITS].map(|text| request.contains(text)).to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn memories_are_told_to_models_and_not_in_private_threads() {
    let (model, _search, place) = place((0..6).map(|_| Scripted::Text("Fine.")).collect()).await;
    assert!(stdout(&place.run(&["memory"])).contains("nexi memory add"));
    assert!(place.run(&["memory", "add", WORK]).status.success());
    let mut child = place.nexi(&["memory", "add", "-"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{UNITS}\n\n{WORK}\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(stdout(&output), "1 memory was known already; it now has today's date\n1 memory kept\n", "{}", stderr(&output));
    let listed: Value = parsed(&place.run(&["memory", "--json"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(2), "the same is kept once: {listed}");
    let answered = place.run(&["ask", "How far is it?", "--json"]);
    assert!(answered.status.success(), "{}", stderr(&answered));
    assert_eq!(told(&model), [true, true]);
    place.run(&["ask", "How far is it?", "--private", "--json"]);
    assert_eq!(told(&model), [false, false]);
    // Changed and forgotten, by a part of its id.
    let id = |text: &str| {
        let list = parsed(&place.run(&["memory", "--json"]));
        let found = list.as_array().unwrap().iter().find(|one| one["text"] == text).cloned();
        found.unwrap_or_else(|| panic!("{list}"))["id"].as_str().unwrap().to_owned()
    };
    let work = id(WORK);
    assert!(place.run(&["memory", "remove", &work[work.len() - 8..]]).status.success());
    assert!(place.run(&["memory", "edit", &id(UNITS), "Answer", "in", "furlongs."]).status.success());
    place.run(&["ask", "How far is it now?", "--json"]);
    assert_eq!(told(&model), [false, false]);
    assert!(model.requests().last().unwrap().to_string().contains("Answer in furlongs."));
    assert_eq!(model.problems(), Vec::<String>::new());
    // What the run was told stays with it.
    let exported = stdout(&place.run(&["history", "export", "--last", "--format", "json"]));
    assert!(exported.contains("Answer in furlongs."), "{exported}");
    for (args, wanted) in [
        (&["memory", "remove", "ffffffff"][..], "id: no memory begins or ends with"),
        (&["memory", "edit", "abcd"], "TEXT"),
        (&["memory", "add", " "], "text: write what to remember"),
    ] {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_part_of_deep_research_knows_them_and_the_built_in_researcher_says_nothing_of_them() {
    let plan =
        json!({"title": "Distances", "complexity": 1, "tasks": [{"title": "Far", "goal": "Find out how far it is.", "queries": ["far"]}]});
    let model = LlmServer::answering(KEY, Duration::ZERO, move |request| {
        let has_tools = request["tools"].as_array().is_some_and(|tools| !tools.is_empty());
        if has_tools {
            Scripted::Calls(vec![("final_answer", json!({"answer": "It is far."}))])
        } else if request.to_string().contains("\\\"complexity\\\"") {
            Scripted::Text(Box::leak(plan.to_string().into_boxed_str()))
        } else {
            Scripted::Text("# Distances\n\nIt is far.")
        }
    })
    .await;
    let search = SearchServer::start(200, &[]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    place.run(&["memory", "add", UNITS]);
    let output = place.run(&["ask", "--deep", "--effort", "s", "How far is it?", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let requests = model.requests();
    assert!(requests.len() >= 3, "a plan, a researcher, an end: {}", requests.len());
    for request in &requests {
        assert!(request.to_string().contains(UNITS), "{request}");
    }
    place.run(&["ask", "Where does Nexi keep my keys?", "--model", "builtin", "--json"]);
    let quoted = stdout(&place.run(&["history", "export", "--last", "--format", "json"]));
    assert!(quoted.contains("keep my keys") && !quoted.contains(UNITS), "{quoted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_begins_with_a_hash_is_kept_in_the_session() {
    let (model, _search, place) = place(vec![Scripted::Text("Fine.")]).await;
    let mut terminal = Terminal::open(&place, &[]);
    terminal.expect("> ").await;
    terminal.send("# I work with PostgreSQL 16.\r");
    terminal.expect("Remembered: I work with PostgreSQL 16.").await;
    terminal.expect("> ").await;
    terminal.send("/memory\r");
    terminal.expect("I work with PostgreSQL 16.").await;
    terminal.expect("> ").await;
    terminal.send("/private on\r");
    terminal.expect("> ").await;
    terminal.send("# My secret\r");
    terminal.expect("a private thread keeps nothing").await;
    assert_eq!(model.requests().len(), 0, "nothing was asked");
    assert_eq!(parsed(&place.run(&["memory", "--json"])).as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn preferences_are_told_and_order_results() {
    let (model, _search, place) = place((0..3).map(|_| Scripted::Text("Fine.")).collect()).await;
    for (name, value) in [("preferences.language", "German"), ("preferences.units", "metric"), ("preferences.length", "short")] {
        assert!(place.run(&["config", "set", name, value]).status.success());
    }
    let wrong = place.run(&["config", "set", "preferences.units", "cubits"]);
    assert!(stderr(&wrong).contains("preferences.units: must be metric or imperial"), "{}", stderr(&wrong));
    let wrong = place.run(&["config", "set", "search.prefer_sites", "[\"not a host\"]"]);
    assert!(stderr(&wrong).contains("search.prefer_sites[0]"), "{}", stderr(&wrong));
    let told = |args: &[&str]| {
        place.run(args);
        let request = model.requests().last().map(Value::to_string).unwrap_or_default();
        ["in German", "metric units", "a few sentences"].map(|words| request.contains(words))
    };
    assert_eq!(told(&["ask", "How far is it?"]), [true; 3]);
    assert_eq!(told(&["ask", "--private", "How far is it?"]), [false; 3]);
    assert!(place.run(&["config", "unset", "preferences.units"]).status.success());
    assert_eq!(told(&["ask", "How far is it now?"]), [true, false, true]);
}

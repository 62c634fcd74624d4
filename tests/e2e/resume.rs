//! Runs that are killed, stopped, or out of time.

use std::process::Child;
use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use crate::support::{KEY, Place, journaled, json as parsed, stderr, wait_for, web_settings};

fn page(title: &str, text: &str) -> String {
    format!(
        "<html><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{text} {}</p></main></body></html>",
        "More is told about it in the town's archive, which is open on weekdays. ".repeat(6)
    )
}

fn kill(mut child: Child) {
    child.kill().expect("SIGKILL");
    child.wait().expect("it is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_received_is_asked_for_again_after_kill_9() {
    let site = Site::start(&[
        ("/a", &page("Mill", "The old mill burned down in 1822.")),
        ("/b", &page("Wall", "The harbour wall was built in 1840.")),
    ])
    .await;
    let (a, b) = (site.url("/a"), site.url("/b"));
    let search = SearchServer::start(200, &[("Mill", &a, "x"), ("Wall", &b, "y")]).await;
    let model = LlmServer::start(
        KEY,
        Duration::ZERO,
        vec![
            Scripted::Calls(vec![("web_search", json!({"queries": ["mill", "wall"]}))]),
            Scripted::Calls(vec![("web_get", json!({"urls": [a, b]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": "The mill burned down in 1822 [1]. The wall was built in 1840 [2]."}))]),
        ],
    )
    .await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    site.hold("/b");
    let child = place.nexi(&["ask", "What happened to mill and wall?"]).spawn().unwrap();
    wait_for("the first page is in the journal", || journaled(&place, "page_read") == 1 && site.asked("/b") == 1);
    kill(child);
    assert_eq!((model.requests().len(), search.queries().len(), site.asked("/a")), (2, 2, 1));
    site.release();
    let output = place.run(&["resume", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = parsed(&output);
    assert_eq!(report["state"], json!("answered"));
    assert_eq!(report["sources"].as_array().unwrap().len(), 2);
    assert!(report["sources"][0]["passages"][0]["quote"].as_str().unwrap().contains("1822"));
    assert_eq!((model.requests().len(), search.queries().len(), site.asked("/a"), site.asked("/b")), (3, 2, 1, 2));
    assert_eq!(model.problems(), Vec::<String>::new());
    let again = place.run(&["resume"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("no interrupted run"), "{}", stderr(&again));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_was_paid_for_is_not_asked_for_twice() {
    let site = Site::start(&[("/a", &page("Mill", "The old mill burned down in 1822."))]).await;
    let a = site.url("/a");
    let model = LlmServer::start(
        KEY,
        Duration::ZERO,
        vec![Scripted::Calls(vec![("web_get", json!({"urls": [a]}))]), Scripted::Silence, Scripted::Text("In 1822 [1].")],
    )
    .await;
    let place = Place::new(&web_settings(&model.base_url, "http://127.0.0.1:1", &site.host, ""));
    let child = place.nexi(&["ask", "When did the mill burn?"]).spawn().unwrap();
    wait_for("the second request is open", || model.requests().len() == 2);
    kill(child);
    let output = place.run(&["resume", "--json"]);
    let report = parsed(&output);
    assert_eq!((&report["answer"], &report["state"]), (&json!("In 1822 [1]."), &json!("answered")));
    assert_eq!((model.requests().len(), site.asked("/a")), (3, 1));
    assert_eq!(model.requests()[1], model.requests()[2], "the request without a reply is made again as it was");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_keeps_what_there_is() {
    let model =
        LlmServer::start(KEY, Duration::from_millis(60), vec![Scripted::Text(Box::leak("word ".repeat(400).into_boxed_str()))]).await;
    let place = Place::new(&web_settings(&model.base_url, "http://127.0.0.1:1", "wiki.lan", ""));
    let child = place.nexi(&["ask", "Tell me a lot", "--json"]).spawn().unwrap();
    let partial = || {
        let Ok(connection) = Connection::open_with_flags(place.path("data/nexi.db"), OpenFlags::SQLITE_OPEN_READ_ONLY) else { return 0 };
        connection.query_row("SELECT length(answer) FROM turns", [], |row| row.get::<_, i64>(0)).unwrap_or(0)
    };
    wait_for("part of the answer is noted", || partial() > 0);
    let started = Instant::now();
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(started.elapsed() < Duration::from_secs(3), "a stop takes effect at once: {:?}", started.elapsed());
    let report = parsed(&output);
    assert_eq!(report["state"], json!("cancelled"));
    assert!(report["answer"].as_str().unwrap().starts_with("word word"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_target_asks_for_the_answer() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Silence, Scripted::Text("What I have.")]).await;
    let place = Place::new(&web_settings(&model.base_url, "http://127.0.0.1:1", "wiki.lan", ""));
    let report = parsed(&place.run(&["ask", "x?", "--json", "--time-target", "1"]));
    assert_eq!((&report["state"], &report["answer"]), (&json!("partial"), &json!("What I have.")));
    assert!(report["reason"].as_str().unwrap().contains("time target"));
}

#[test]
fn what_has_ended_is_asked_again_and_not_resumed() {
    let place = Place::new("search_backends = [\"documents\"]");
    let asked = parsed(&place.run(&["ask", "Where does Nexi keep my keys?", "--json"]));
    let output = place.run(&["resume", asked["id"].as_str().unwrap()]);
    let said = stderr(&output);
    assert!(output.status.code() == Some(2) && said.contains("has been answered") && said.contains("nexi ask --thread"), "{said}");
    let none = place.run(&["resume", "zzzzzzzz"]);
    assert!(!none.status.success() && stderr(&none).contains("There is no interrupted run"), "{}", stderr(&none));
}

//! What happened in a run, written down and replayed.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, long_page, stderr, stdout, web_settings};

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_written_down_and_leads_to_the_same_answer_again() {
    let site = Site::start(&[("/a", &long_page("Orvik", 4, "The lighthouse of Orvik was lit in 1877."))]).await;
    let search = SearchServer::start(200, &[("Orvik", &site.url("/a"), "A lighthouse")]).await;
    let script = vec![
        Scripted::Calls(vec![("web_search", json!({"queries": ["Orvik lighthouse"]}))]),
        Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/a")]}))]),
        Scripted::Calls(vec![("final_answer", json!({"answer": "It was lit in 1877 [1]."}))]),
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    let asked = parsed(&place.run(&["ask", "When was the lighthouse lit?", "--json"]));
    let file = place.path("run.jsonl");
    let written = place.run(&["audit", "--out", file.to_str().unwrap()]);
    assert!(written.status.success(), "{}", stderr(&written));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(KEY), "no key is in it");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| lines.iter().filter(|line| line["line"] == kind).collect::<Vec<_>>();
    assert_eq!((lines[0]["question"].as_str(), of("request").len()), (Some("When was the lighthouse lit?"), 3));
    assert_eq!((&of("search")[0]["query"], &of("search")[0]["local"]), (&json!("Orvik lighthouse"), &json!(false)));
    assert_eq!(of("read")[0]["url"], json!(site.url("/a")));
    assert!(of("request")[0]["messages"].to_string().contains("You are Nexi") && of("request")[1]["kept"].as_u64() >= Some(2));
    assert!(of("request")[0]["tools"].to_string().contains("web_get"));
    assert_eq!(of("used").last().unwrap()["usage"]["completion"], 60);
    assert_eq!(lines.last().unwrap()["answer"], asked["answer"]);

    // Without a model, a network or a library.
    drop((model, search, site));
    let elsewhere = Place::new("");
    let again = elsewhere.run(&["replay", file.to_str().unwrap()]);
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(stdout(&again).contains("The same answer, by the same requests."), "{}", stdout(&again));
    let facts = parsed(&elsewhere.run(&["replay", file.to_str().unwrap(), "--json"]));
    assert_eq!((&facts["requests"], &facts["searches"], &facts["answer"]), (&json!(3), &json!(1), &asked["answer"]), "{facts}");

    // A file that was changed is noticed, and one that is no record is refused with the reason.
    let changed = place.path("changed.jsonl");
    std::fs::write(&changed, text.replace("It was lit in 1877", "It was lit in 1878").replacen("1878", "1877", 1)).unwrap();
    assert_eq!(elsewhere.run(&["replay", changed.to_str().unwrap()]).status.code(), Some(1));
    std::fs::write(&changed, text.replace("\"query\":\"Orvik lighthouse\"", "\"query\":\"Orvik harbour\"")).unwrap();
    let other = stdout(&elsewhere.run(&["replay", changed.to_str().unwrap()]));
    assert!(other.contains("would have made other requests"), "{other}");
    for (content, wanted) in
        [("", "does not begin"), ("{\"line\": \"run\"}", "line 1"), (text.lines().next().unwrap(), "its end is missing")]
    {
        std::fs::write(&changed, content).unwrap();
        let refused = elsewhere.run(&["replay", changed.to_str().unwrap()]);
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(wanted), "{content:?}: {}", stderr(&refused));
    }
    // What was imported has no record.
    let library = place.path("all.jsonl");
    std::fs::write(&library, place.run(&["history", "export"]).stdout).unwrap();
    assert!(elsewhere.run(&["history", "import", library.to_str().unwrap()]).status.success());
    let unknown = elsewhere.run(&["audit"]);
    assert!(unknown.status.code() == Some(2) && stderr(&unknown).contains("no record of this run"), "{}", stderr(&unknown));
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_research_and_follow_ups_can_be_replayed() {
    let place = Place::new("search_backends = [\"documents\"]");
    assert!(place.run(&["ask", "Where does Nexi keep my keys?", "--json"]).status.success());
    assert!(place.run(&["ask", "And the settings?", "--continue", "--json"]).status.code().is_some_and(|code| code < 2));
    assert!(
        place.run(&["ask", "What can Nexi read? How are backups made?", "--deep", "--json"]).status.code().is_some_and(|code| code < 2)
    );
    let turns = parsed(&place.run(&["history", "--json"]));
    let ids: Vec<&str> = turns.as_array().unwrap().iter().filter_map(|turn| turn["id"].as_str()).collect();
    assert_eq!(ids.len(), 3, "{turns}");
    for id in ids {
        let file = place.path("run.jsonl");
        std::fs::write(&file, place.run(&["audit", id]).stdout).unwrap();
        let again = place.run(&["replay", file.to_str().unwrap()]);
        assert!(stdout(&again).contains("The same answer, by the same requests."), "{} {}", stdout(&again), stderr(&again));
    }
}

//! Past research as a source: a model finds what was asked before, cites it, and is led to its sources.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, stderr, web_settings};

const FIRST: &str = "Who built the harbour wall of Orvik?";
const AGAIN: &str = "What did I find out about the harbour wall?";

/// The names of the tools that a request offers.
fn offered(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().into_iter().flatten();
    tools.filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

/// What the newest message of a tool says.
fn last_result(request: &Value) -> String {
    let mut messages = request["messages"].as_array().into_iter().flatten();
    messages.rfind(|one| one["role"] == "tool").map(|one| one["content"].to_string()).unwrap_or_default()
}

fn results(request: &Value) -> usize {
    request["messages"].as_array().into_iter().flatten().filter(|one| one["role"] == "tool").count()
}

/// The first address of the library in a text.
fn thread_address(text: &str) -> String {
    let start = text.find("nexi://").unwrap_or_else(|| panic!("no address: {text}"));
    text[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || ":/-".contains(*c)).collect()
}

/// Reads a page for the first question; looks into the library for the second one, reads what it finds, then the page
/// that the earlier answer cites, and one of its own making.
async fn historian(site: &Site) -> LlmServer {
    let (wall, other) = (site.url("/wall"), site.url("/other?told=1877"));
    LlmServer::answering(KEY, Duration::ZERO, move |request| {
        let asked_again = request["messages"].to_string().contains(AGAIN);
        let looks_back = asked_again && offered(request).contains(&"library_search");
        match (looks_back, results(request)) {
            (false, 0) => Scripted::Calls(vec![("web_get", json!({"urls": [wall]}))]),
            (false, _) => Scripted::Calls(vec![("final_answer", json!({"answer": "Ada Lund built the wall in 1877 [1]."}))]),
            (true, 0) => Scripted::Calls(vec![("library_search", json!({"queries": ["harbour wall builder"]}))]),
            (true, 1) => Scripted::Calls(vec![("library_read", json!({"urls": [thread_address(&last_result(request))]}))]),
            (true, 2) => Scripted::Calls(vec![("web_get", json!({"urls": [wall, other]}))]),
            (true, _) => Scripted::Calls(vec![("final_answer", json!({"answer": "Ada Lund built the wall in 1877 [1]."}))]),
        }
    })
    .await
}

async fn place(more: &str) -> (Site, LlmServer, Place) {
    let page = "<h1>The harbour wall</h1><p>Ada Lund built the wall in 1877, of granite from the islands.</p>";
    let site = Site::start(&[("/wall", page), ("/other", "<p>Other.</p>")]).await;
    let model = historian(&site).await;
    let place = Place::new(&web_settings(&model.base_url, &site.url(""), &site.host, more));
    (site, model, place)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_answer_is_a_source_that_leads_to_its_own() {
    let (site, model, place) = place("").await;
    let first = parsed(&place.run(&["ask", FIRST, "--json"]));
    assert_eq!(first["state"], "answered", "{first}");
    assert!(model.requests().iter().all(|request| !offered(request).contains(&"library_search")), "an empty library is not offered");
    // In its own thread, it is no source, and stands above anyway.
    place.run(&["ask", AGAIN, "--continue", "--json"]);
    assert!(model.requests().iter().all(|request| !offered(request).contains(&"library_search")));
    place.run(&["history", "delete", "--last", "--yes"]);

    let first = parsed(&place.run(&["ask", FIRST, "--json"]));
    let (thread, before) = (first["thread"].as_str().unwrap(), model.requests().len());
    // West of Greenwich, where the day may be another one.
    let again = parsed(&place.nexi(&["ask", AGAIN, "--json"]).env("TZ", "XYZ4").output().unwrap());
    assert_eq!(again["state"], "answered", "{again}");
    let cited: Vec<&Value> = again["sources"].as_array().unwrap().iter().filter(|source| source["cited"] == true).collect();
    assert_eq!(cited.len(), 1, "{again}");
    assert_eq!(cited[0]["url"], json!(format!("nexi://private-thread/{thread}")));
    assert_eq!(cited[0]["title"], FIRST);
    assert_eq!(again["citations"][0]["support"], "supported", "{again}");
    let requests = model.requests();
    let told = requests[before]["messages"][0]["content"].to_string();
    assert!(
        told.contains("Today is 20") && told.contains("UTC-04:00") && told.contains("library_search"),
        "the day, the time and its zone: {told}"
    );
    let (searched, read) = (last_result(&requests[before + 1]), last_result(&requests[before + 2]));
    assert!(searched.contains(FIRST) && searched.contains("Date: 20"), "with its day: {searched}");
    assert!(read.contains("Answered on 20") && read.contains("Ada Lund") && !read.contains("1877 [1]"), "{read}");
    // It leads to its own sources, and to no address beside them.
    assert!(read.contains(&site.url("/wall")), "{read}");
    let urls: Vec<&str> = again["sources"].as_array().unwrap().iter().filter_map(|source| source["url"].as_str()).collect();
    assert!(urls.contains(&site.url("/wall").as_str()), "{urls:?}");
    assert_eq!(site.asked("/other"), 0, "what stands in the library is private");
    assert!(again["unread"].to_string().contains("private"), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_looks_back_where_that_is_not_wanted() {
    let (_site, model, place) = place("").await;
    place.run(&["ask", FIRST, "--json"]);
    let looks_back = |args: &[&str]| {
        let before = model.requests().len();
        let output = place.run(args);
        assert!(output.status.code().is_some_and(|code| code < 2), "{args:?}: {}", stderr(&output));
        let requests = model.requests();
        assert!(requests.len() > before, "{args:?}");
        requests[before..].iter().any(|request| offered(request).contains(&"library_search"))
    };
    assert!(looks_back(&["ask", AGAIN, "--json"]));
    assert!(!looks_back(&["ask", AGAIN, "--private", "--json"]));
    assert!(!looks_back(&["ask", AGAIN, "--focus", "web", "--json"]));
    assert!(place.run(&["config", "set", "past_research", "false"]).status.success());
    assert!(!looks_back(&["ask", AGAIN, "--json"]));
    assert!(place.run(&["config", "set", "past_research", "true"]).status.success());
    // What is deleted is found no more.
    place.run(&["history", "clear", "--yes"]);
    assert!(!looks_back(&["ask", AGAIN, "--json"]));
}

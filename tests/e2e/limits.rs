//! Ceilings of tokens, money and time.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, long_page, record, web_settings};

const PRICE: &str = "[models.test-model]\ninput = 100\noutput = 400";

async fn run(settings: String, args: Vec<&'static str>, name: &'static str) -> Value {
    tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let report = parsed(&place.run(&args));
        if !name.is_empty() {
            record(&place, name);
        }
        report
    })
    .await
    .unwrap()
}

fn searches(count: usize) -> Vec<Scripted> {
    (0..count).map(|index| Scripted::Calls(vec![("web_search", json!({"queries": [format!("query {index}")]}))])).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_money_ceiling_is_reached_and_not_broken() {
    let site = Site::start(&[("/a", &long_page("Orvik", 4, "x"))]).await;
    let search = SearchServer::start(200, &[("Orvik", &site.url("/a"), "A lighthouse")]).await;
    let mut script = searches(6);
    script.push(Scripted::Text("All I know is little."));
    let rules = vec![("Do not search or read any more", Scripted::Text("Little is known."))];
    let model = LlmServer::with_rules(&[KEY], Duration::ZERO, script, rules, vec![]).await;
    // A request of the loopback model is said to cost 100 * 100 + 20 * 400 = 18,000 millionths.
    let settings = web_settings(&model.base_url, &search.base_url, &site.host, "max_output_tokens = 400")
        .replace("[network]", &format!("{PRICE}\n[network]"));
    let report = run(settings, vec!["ask", "What is it?", "--json", "--max-cost", "0.62"], "money-ceiling").await;
    assert_eq!((&report["state"], &report["answer"]), (&json!("partial"), &json!("Little is known.")), "{report}");
    assert!(report["reason"].as_str().unwrap().contains("$0.62"), "{report}");
    let cost = report["cost"].as_f64().unwrap();
    assert!(cost > 0.0 && cost <= 0.62, "{cost}");
    let last = model.requests().pop().unwrap();
    assert!(last["max_tokens"].as_u64().unwrap() <= 400 && last["tools"].as_array().unwrap().len() == 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_ceiling_leads_to_an_answer_or_keeps_what_there_is() {
    let search = SearchServer::start(200, &[]).await;
    let rules = vec![("Do not search or read any more", Scripted::Text("Little is known."))];
    let model = LlmServer::with_rules(&[KEY], Duration::ZERO, searches(9), rules, vec![]).await;
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "max_tokens = 3200\nmax_output_tokens = 400");
    let report = run(settings, vec!["ask", "What is it?", "--json"], "token-ceiling").await;
    assert_eq!((&report["state"], &report["answer"]), (&json!("partial"), &json!("Little is known.")), "{report}");
    assert!(
        report["tokens"]["total"].as_u64().unwrap() <= 3200 && report["reason"].as_str().unwrap().contains("token limit of 3,200"),
        "{report}"
    );
    // Not even enough for one request: nothing is asked, and the reason says so.
    let model = LlmServer::start(KEY, Duration::ZERO, vec![]).await;
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "max_cost = 0.000001")
        .replace("[network]", &format!("{PRICE}\n[network]"));
    let report = run(settings, vec!["ask", "What is it?", "--json"], "no-money").await;
    assert_eq!((&report["state"], model.requests().len()), (&json!("partial"), 0), "{report}");
    assert!(report["reason"].as_str().unwrap().contains("Raise the limit"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_target_asks_for_the_answer_and_then_stops() {
    let search = SearchServer::start(200, &[]).await;
    let slow = Site::start(&[("/slow", "<html><body><p>x</p></body></html>")]).await;
    slow.hold("/slow");
    let script = vec![Scripted::Calls(vec![("web_get", json!({"urls": [slow.url("/slow")]}))]), Scripted::Text("No time for more.")];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, &search.base_url, &slow.host, "");
    let report = run(settings, vec!["ask", "What is it?", "--json", "--time-target", "1"], "time-target").await;
    assert_eq!((&report["state"], &report["answer"]), (&json!("partial"), &json!("No time for more.")), "{report}");
    assert!(report["reason"].as_str().unwrap().contains("time target"), "{report}");
    assert!(model.requests()[1].to_string().contains("there was no time left for it"));
    assert_eq!(model.problems(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn three_identical_calls_lead_to_the_answer() {
    let search = SearchServer::start(200, &[]).await;
    let again = || Scripted::Calls(vec![("web_search", json!({"queries": ["the same"]}))]);
    let model =
        LlmServer::start(KEY, Duration::ZERO, vec![again(), again(), again(), Scripted::Text("I was going round in circles.")]).await;
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "");
    let report = run(settings, vec!["ask", "What is it?", "--json"], "round-in-circles").await;
    assert_eq!(
        (&report["state"], &report["answer"], model.requests().len()),
        (&json!("partial"), &json!("I was going round in circles."), 4)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_run_keeps_its_words_and_counts_their_price() {
    let search = SearchServer::start(200, &[]).await;
    let model = LlmServer::start(KEY, Duration::from_millis(40), vec![Scripted::Text("One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty and so on for a good while longer than anybody waits.")]).await;
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "").replace("[network]", &format!("{PRICE}\n[network]"));
    let report = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let mut child = place.nexi(&["ask", "What is it?", "--jsonl"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut written = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(written.by_ref().filter(|line| line.contains("answer_delta")).nth(4).is_some(), "words arrive");
        let stopped = std::time::Instant::now();
        assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let report = written.last().expect("a report");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(stopped.elapsed() < Duration::from_secs(5));
        record(&place, "cancelled");
        serde_json::from_str::<Value>(&report).unwrap()["report"].take()
    })
    .await
    .unwrap();
    assert_eq!(report["state"], json!("cancelled"));
    assert!(report["answer"].as_str().unwrap().starts_with("One two"), "{report}");
    assert!(
        report["tokens"]["prompt"].as_u64().unwrap() > 100
            && report["tokens"]["estimated"] == json!(true)
            && report["cost"].as_f64().unwrap() > 0.0,
        "{report}"
    );
}

//! What questions have used, and what a month may cost.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, stderr, stdout, web_settings};

/// A request of the loopback model reads 100 tokens and writes 20, for 18,000 millionths of a dollar then.
const PRICE: &str = "[models.test-model]\ninput = 100\noutput = 400\n[models.other-model]\ninput = 10\noutput = 40\n[network]";

async fn place(limit: &str) -> (LlmServer, Place) {
    let model = LlmServer::answering(KEY, Duration::ZERO, |_| Scripted::Text("The wall is old.")).await;
    let settings = web_settings(&model.base_url, "http://127.0.0.1:9", "wiki.lan", limit).replace("[network]", PRICE);
    (model, Place::new(&settings))
}

fn usage(place: &Place, args: &[&str]) -> Value {
    parsed(&place.run(&[&["usage", "--json"], args].concat()))
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_is_summed_up_and_stays_when_threads_go() {
    let (_model, place) = place("").await;
    assert!(stdout(&place.run(&["usage"])).contains("No questions in this period"));
    for question in ["How old is it?", "Who built it?"] {
        assert!(place.run(&["ask", question, "--json"]).status.success());
    }
    place.run(&["ask", "Where does Nexi keep my keys?", "--model", "builtin", "--json"]);
    let all = usage(&place, &[]);
    let total = &all["total"];
    assert_eq!((&total["questions"], &total["prompt_tokens"], &total["completion_tokens"]), (&json!(3), &json!(200), &json!(40)), "{all}");
    assert_eq!((&total["cost"], &all["month"]), (&json!(36_000), &json!({"spent": 36_000, "limit": null})));
    assert_eq!(all["rows"].as_array().map(Vec::len), Some(1), "one day: {all}");
    let models = usage(&place, &["--by", "model"]);
    assert_eq!((&models["rows"][0]["name"], &models["rows"][0]["questions"]), (&json!("test-model · work"), &json!(2)), "{models}");
    assert_eq!(usage(&place, &["--by", "service"])["rows"][0]["name"], "work");
    let csv = stdout(&place.run(&["usage", "--all", "--by", "month", "--csv"]));
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "name,questions,prompt_tokens,cached_tokens,completion_tokens,cost_usd,seconds");
    assert!(lines.len() == 2 && lines[1].contains(",3,200,0,40,0.036000,"), "{csv}");
    assert!(stdout(&place.run(&["usage"])).contains("This month: $0.04"));
    // A second opinion costs, too, and is no question.
    std::fs::write(place.path("wall.txt"), "The wall is old.").unwrap();
    let file = place.path("wall.txt").display().to_string();
    let second = parsed(&place.run(&["ask", "How old is the wall?", "--attach", &file, "--second", "work/other-model", "--json"]));
    assert!(second["second"].is_object(), "{second}");
    let before = usage(&place, &[]);
    assert_eq!((&before["total"]["questions"], &before["total"]["cost"]), (&json!(4), &json!(36_000 + 18_000 + 1_800)));
    // Other times, and what is no time.
    assert_eq!(usage(&place, &["--since", "2001", "--until", "2002-05"])["total"]["questions"], 0);
    let wrong = place.run(&["usage", "--since", "March"]);
    assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains("since: must be a day, a month or a year"), "{}", stderr(&wrong));
    // A thread that is deleted takes nothing away; what comes from a file was paid for elsewhere.
    let exported = place.path("all.jsonl");
    std::fs::write(&exported, place.run(&["history", "export"]).stdout).unwrap();
    assert!(place.run(&["history", "delete", "--last", "--yes"]).status.success());
    assert_eq!(usage(&place, &[])["total"], before["total"]);
    let elsewhere = Place::new("");
    for here in [&place, &elsewhere] {
        assert!(here.run(&["history", "import", exported.to_str().unwrap()]).status.success());
    }
    assert_eq!((&usage(&place, &[])["total"], &usage(&elsewhere, &["--all"])["total"]["questions"]), (&before["total"], &json!(0)));
    place.run(&["history", "clear", "--yes"]);
    assert_eq!(usage(&place, &["--all"])["total"]["questions"], 0, "all of it is gone then");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_month_that_is_spent_asks_first() {
    let (model, place) = place("max_cost_month = 0.02").await;
    let ask = |more: &[&str]| place.run(&[&["ask", "How old is it?", "--json"], more].concat());
    assert!(ask(&[]).status.success());
    assert!(ask(&[]).status.success(), "the limit is not reached yet");
    let refused = ask(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    for wanted in ["max_cost_month: This month's questions have cost $0.04, and the limit is $0.02", "--over-month"] {
        assert!(stderr(&refused).contains(wanted), "{}", stderr(&refused));
    }
    assert_eq!(model.requests().len(), 2, "nothing was spent");
    assert!(ask(&["--over-month"]).status.success() && ask(&["--any-cost"]).status.success());
    // What costs nothing is not held up, and a deleted thread was paid for all the same.
    assert!(ask(&["--model", "builtin"]).status.code().is_some_and(|code| code < 2));
    place.run(&["history", "delete", "--last", "--yes"]);
    assert_eq!(ask(&[]).status.code(), Some(2));
    assert!(stdout(&place.run(&["usage"])).contains("of $0.02"));
    let wrong = place.run(&["config", "set", "max_cost_month", "0"]);
    assert!(!wrong.status.success() && stderr(&wrong).contains("max_cost_month: must be US dollars above 0"), "{}", stderr(&wrong));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_spent_before_a_crash_counts() {
    let script = vec![Scripted::Calls(vec![("web_search", json!({"queries": ["wall"]}))]), Scripted::Silence];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, "http://127.0.0.1:9", "wiki.lan", "").replace("[network]", PRICE);
    // Going on meets a model that says nothing; that it gives up is not what is looked at.
    let place = Place::new(&format!("model_timeout = 20\n{settings}"));
    let mut run = place.nexi(&["ask", "How old is it?", "--json"]).spawn().unwrap();
    let noted = || {
        let database = rusqlite::Connection::open(place.path("data/nexi.db")).ok()?;
        database.query_row("SELECT cost FROM turns", [], |row| row.get::<_, i64>(0)).ok()
    };
    for _ in 0..600 {
        if noted() == Some(18_000) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(usage(&place, &[])["total"]["cost"], 18_000);
    // Going on counts it once.
    drop(model);
    place.run(&["resume"]);
    assert_eq!(usage(&place, &[])["total"]["cost"], 18_000);
}

//! Questions that are asked again by themselves.

use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, stderr, stdout};

pub const QUESTION: &str = "What is the latest version of Kestrel?";

pub fn note(version: &str, day: &str) -> String {
    format!(
        "# Kestrel\n\nThe latest version of Kestrel is {version}. It was released on {day} by the Wrenfield foundation.\n\n\
         Kestrel is written in Rust and runs on Linux and macOS.\n"
    )
}

/// A place whose documents are one note, answered by the built-in researcher.
pub fn notes(more: &str) -> Place {
    let place = Place::new(more);
    std::fs::create_dir(place.path("notes")).unwrap();
    std::fs::write(place.path("notes/kestrel.md"), note("3.1", "4 March 2026")).unwrap();
    let folders = format!("search_backends = [\"documents\"]\n{more}[documents]\nfolders = [{:?}]\n", place.path("notes"));
    std::fs::write(place.path("config.toml"), folders).unwrap();
    place
}

pub fn add(place: &Place, more: &[&str]) -> String {
    let mut args = vec!["watch", "add", QUESTION, "--every", "6h", "--quiet"];
    args.extend(more);
    let added = place.run(&args);
    assert!(added.status.success(), "{}", stderr(&added));
    assert!(stderr(&added).contains("checked every 6h"), "{}", stderr(&added));
    watched(place)[0]["id"].as_str().unwrap().to_owned()
}

fn watched(place: &Place) -> Vec<Value> {
    parsed(&place.run(&["watch", "list", "--json"])).as_array().unwrap().clone()
}

fn turns(place: &Place) -> usize {
    parsed(&place.run(&["history", "--last", "50", "--json"])).as_array().unwrap().len()
}

/// Makes every watched question due.
fn make_due(place: &Place) {
    let database = rusqlite::Connection::open(place.path("data/nexi.db")).unwrap();
    database.execute("UPDATE watched SET next_ms = 1000", []).unwrap();
}

#[test]
fn a_document_that_changes_is_told_and_one_that_does_not_leaves_nothing() {
    let place = notes("");
    let id = add(&place, &["--model", "builtin"]);
    assert_eq!(turns(&place), 1);
    let due = place.run(&["watch", "run"]);
    assert_eq!((due.status.code(), stdout(&due).trim()), (Some(0), "No question is due."));
    let before = parsed(&place.run(&["history", "--json"]));
    let checked = parsed(&place.run(&["watch", "run", &id, "--json"]));
    assert_eq!((&checked[0]["outcome"]["type"], turns(&place)), (&json!("unchanged"), 1), "{checked}");
    assert_eq!(parsed(&place.run(&["history", "--json"])), before, "as if it had not been");
    // Another order, other words, the same facts.
    let text = "# Kestrel\n\nKestrel is written in Rust and runs on Linux and macOS.\n\nThe Wrenfield foundation released it on 4 March 2026. \
                The latest version of Kestrel is 3.1.\n";
    std::fs::write(place.path("notes/kestrel.md"), text).unwrap();
    let checked = parsed(&place.run(&["watch", "run", &id, "--json"]));
    assert_eq!(checked[0]["outcome"]["type"], "unchanged", "{checked}");
    std::fs::write(place.path("notes/kestrel.md"), note("3.2", "9 June 2026")).unwrap();
    make_due(&place);
    let checked = parsed(&place.run(&["watch", "run", "--json"]));
    assert_eq!((&checked[0]["outcome"]["type"], turns(&place)), (&json!("changed"), 2), "{checked}");
    let statements = checked[0]["change"]["statements"].as_array().unwrap();
    let new = statements.iter().find(|new| new["text"].as_str().unwrap().contains("3.2")).expect("the version");
    assert!(new["before"].as_str().is_some_and(|before| before.contains("3.1")), "{new}");
    // It is due again in six hours, and the next answer is compared with this one.
    let now = &watched(&place)[0];
    assert!(now["next_ms"].as_i64() > now["checked_ms"].as_i64().map(|checked| checked + 5 * 3_600_000), "{now}");
    assert_eq!((&now["checks"], &now["changes"], &now["compared_with"]), (&json!(3), &json!(1), &checked[0]["outcome"]["turn"]));
    let checked = parsed(&place.run(&["watch", "run", &id, "--json"]));
    assert_eq!((&checked[0]["outcome"]["type"], turns(&place)), (&json!("unchanged"), 2), "{checked}");
    // Listed, shown, fed.
    let shown = stdout(&place.run(&["watch", "show", &id]));
    assert!(shown.contains("+ ") && shown.contains("3.2") && shown.contains("before: "), "{shown}");
    let listed = stdout(&place.run(&["watch"]));
    assert!(listed.contains(QUESTION) && listed.contains("every 6h") && listed.contains("1 of 4 checks changed something"), "{listed}");
    let feed = stdout(&place.run(&["watch", "feed"]));
    assert!(feed.contains("<entry>") && feed.contains("3.2") && feed.contains(QUESTION), "{feed}");
    let exported = parsed(&place.run(&["history", "--show", now["compared_with"].as_str().unwrap(), "--json"]));
    assert!(exported.to_string().contains("\"change\""), "{exported}");
    // Paused, at other times, no longer; a deleted thread is not watched.
    assert!(place.run(&["watch", "pause", &id]).status.success());
    make_due(&place);
    assert_eq!(stdout(&place.run(&["watch", "run"])).trim(), "No question is due.");
    assert!(place.run(&["watch", "resume", &id]).status.success());
    assert!(place.run(&["watch", "every", &id, "1d at 08:00"]).status.success());
    assert_eq!(watched(&place)[0]["schedule"], json!({"minutes": 1440, "at": 480}));
    let wrong = place.run(&["watch", "every", &id, "30m"]);
    assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains("6h, 1d"), "{}", stderr(&wrong));
    assert!(place.run(&["history", "delete", "--last", "--yes"]).status.success());
    assert_eq!(watched(&place).len(), 0);
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let place = notes("");
    let asked = |args: &[&str]| parsed(&place.run(&[&["ask", "--json", "--model", "builtin"], args].concat()));
    let first = asked(&[QUESTION]);
    let thread = first["thread"].as_str().unwrap();
    let second = asked(&["--thread", thread, "When was it released?"]);
    let refused = place.run(&["watch", "add", "--turn", second["id"].as_str().unwrap()]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("stands alone"), "{}", stderr(&refused));
    // In words of its own there is nothing to compare with yet.
    let id = second["id"].as_str().unwrap();
    assert!(place.run(&["watch", "add", "When was Kestrel released?", "--turn", id]).status.success());
    let checked = parsed(&place.run(&["watch", "run", "--json"]));
    assert_eq!(checked[0]["outcome"]["type"], "first", "{checked}");
    let path = place.path("notes/kestrel.md");
    let given = asked(&["--attach", path.to_str().unwrap(), QUESTION]);
    let refused = place.run(&["watch", "add", "--turn", given["id"].as_str().unwrap()]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("attachments"), "{}", stderr(&refused));
    let missing = place.run(&["watch", "run", "ffffffff"]);
    assert!(missing.status.code() == Some(1) && stderr(&missing).contains("no watched question"), "{}", stderr(&missing));
}

/// A model that answers at once the first time and slowly from then on.
async fn slow(delay: Duration) -> LlmServer {
    LlmServer::answering(KEY, delay, |_| Scripted::Text("The latest version of Kestrel is 3.1.")).await
}

fn with_model(base: &str, more: &str) -> Place {
    Place::new(&format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"documents\"]\n{more}[providers.work]\ntype = \"openai_compatible\"\n\
         base_url = \"{base}\"\nmodel = \"test-model\"\napi_key_env = \"TEST_KEY\"\n"
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_check_a_question_once() {
    let model = slow(Duration::from_millis(400)).await;
    let place = with_model(&model.base_url, "");
    add(&place, &[]);
    make_due(&place);
    let asked = model.requests().len();
    let both: Vec<_> = (0..2).map(|_| place.nexi(&["watch", "run", "--json"]).spawn().unwrap()).collect();
    let reports: Vec<Value> = both.into_iter().map(|child| parsed(&child.wait_with_output().unwrap())).collect();
    let counts: Vec<usize> = reports.iter().map(|reports| reports.as_array().unwrap().len()).collect();
    assert_eq!(counts.iter().sum::<usize>(), 1, "{reports:?}");
    assert_eq!((model.requests().len() - asked, turns(&place)), (asked, 1));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_is_killed_leaves_nothing_and_is_made_again() {
    let model = slow(Duration::from_secs(2)).await;
    let place = with_model(&model.base_url, "");
    add(&place, &[]);
    make_due(&place);
    let asked = model.requests().len();
    let mut child = place.nexi(&["watch", "run"]).spawn().unwrap();
    let begun = Instant::now();
    while model.requests().len() == asked {
        assert!(begun.elapsed() < Duration::from_secs(60), "no check was begun");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(turns(&place), 2, "its turn is there");
    // Not at once, so that a check that never ends is not begun each minute; `resume` leaves it alone.
    assert_eq!(stdout(&place.run(&["watch", "run"])).trim(), "No question is due.");
    assert_eq!(place.run(&["resume"]).status.code(), Some(1));
    make_due(&place);
    let checked = parsed(&place.run(&["watch", "run", "--json"]));
    assert_eq!((&checked[0]["outcome"]["type"], turns(&place)), (&json!("unchanged"), 1), "{checked}");
    // Stopped by hand, it leaves nothing either.
    let asked = model.requests().len();
    let id = watched(&place)[0]["id"].as_str().unwrap().to_owned();
    let child = place.nexi(&["watch", "run", &id]).spawn().unwrap();
    while model.requests().len() == asked {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let stopped = child.wait_with_output().unwrap();
    assert_eq!((stopped.status.code(), turns(&place)), (Some(130), 1), "{}", stderr(&stopped));
    assert_eq!(watched(&place)[0]["failures"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_of_questions_hold_for_checks_and_folders_stay_what_they_are() {
    let model = slow(Duration::ZERO).await;
    let place = with_model(&model.base_url, "[models.\"test-model\"]\ninput = 5.0\noutput = 25.0\n");
    std::fs::create_dir(place.path("here")).unwrap();
    let mut added = place.nexi(&["watch", "add", QUESTION, "--docs", "here", "--quiet"]);
    assert!(added.current_dir(place.path("")).status().unwrap().success());
    let id = watched(&place)[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(watched(&place)[0]["how"]["folders"][0], place.path("here").to_str().unwrap());
    // Something has been spent on checks, and the limit of questions is what holds, not that of the month.
    let checked = parsed(&place.run(&["watch", "run", &id, "--json"]));
    assert!(checked[0]["watched"]["spent"].as_u64() > Some(0), "{checked}");
    let limited = format!("max_cost = 0.00001\n{}", std::fs::read_to_string(place.path("config.toml")).unwrap());
    std::fs::write(place.path("config.toml"), limited).unwrap();
    let checked = parsed(&place.run(&["watch", "run", &id, "--json"]));
    assert_eq!(checked[0]["outcome"]["why"], "failed", "{checked}");
    assert!(checked[0]["outcome"]["message"].as_str().unwrap().contains("$0.00001"), "{checked}");
    // The same question is not paid for twice.
    let again = place.run(&["watch", "add", "--turn", watched(&place)[0]["compared_with"].as_str().unwrap()]);
    assert!(again.status.code() == Some(0) || stderr(&again).contains("is watched already"), "{}", stderr(&again));
    // A feed is written over a feed and over nothing else.
    std::fs::write(place.path("notes.txt"), "precious").unwrap();
    let (notes, feed) = (place.path("notes.txt"), place.path("feed.xml"));
    let refused = place.run(&["watch", "feed", "--out", notes.to_str().unwrap()]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("no feed of Nexi"), "{}", stderr(&refused));
    assert_eq!(std::fs::read_to_string(notes).unwrap(), "precious");
    for _ in 0..2 {
        assert!(place.run(&["watch", "feed", "--out", feed.to_str().unwrap()]).status.success());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn costs_have_limits_for_each_and_for_all() {
    let model = slow(Duration::ZERO).await;
    let priced = "[watched]\nmax_cost_month = 0.01\n[models.\"test-model\"]\ninput = 5.0\noutput = 25.0\n";
    let place = with_model(&model.base_url, priced);
    let id = add(&place, &[]);
    // What is asked by hand does not count as a check.
    let mut outcomes = Vec::new();
    for _ in 0..8 {
        let report = place.run(&["watch", "run", &id, "--json"]);
        outcomes.push((report.status.code(), parsed(&report)[0]["outcome"].clone()));
    }
    let (code, last) = outcomes.last().unwrap();
    assert_eq!((code, &last["why"]), (&Some(1), &json!("month_is_spent")), "{outcomes:?}");
    assert!(last["message"].as_str().unwrap().contains("limit"), "{last}");
    assert_eq!(outcomes[0].1["type"], "unchanged", "{outcomes:?}");
    // A limit that is used up lets nothing begin.
    std::fs::write(place.path("config.toml"), std::fs::read_to_string(place.path("config.toml")).unwrap().replace("0.01", "0.001"))
        .unwrap();
    let asked = model.requests().len();
    let refused = parsed(&place.run(&["watch", "run", &id, "--json"]));
    assert!(refused[0]["outcome"]["message"].as_str().unwrap().contains("watched.max_cost_month"), "{refused}");
    assert_eq!(model.requests().len(), asked);
    let usage = parsed(&place.run(&["usage", "--json"]));
    assert!(usage["total"]["questions"].as_u64() > Some(1), "what checks used is told there, too: {usage}");
}

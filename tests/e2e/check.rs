//! Second looks and second opinions through the program, and sets of questions.

use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, stderr, stdout, web_settings};

const BRIDGE: &str = "<!doctype html><html><head><title>Aldermoor Bridge</title></head><body><article><h1>Aldermoor Bridge</h1>\
<p>The Aldermoor Bridge is a steel arch bridge over the river Wend. It was opened on 12 May 1931 by the mayor of the town, after four years of work.</p>\
<p>The main span of the Aldermoor Bridge measures 312 metres, and about 40,000 vehicles cross it every day. It was repainted in green in 1978.</p></article></body></html>";

const DRAFT: &str = "The Aldermoor Bridge was opened on 12 May 1931 [1]. The main span of the Aldermoor Bridge measures 318 metres [1].";
const VERDICTS: &str =
    r#"{"verdicts": [{"statement": 1, "verdict": "correct", "text": "The main span of the Aldermoor Bridge measures 312 metres [1]."}]}"#;

struct World {
    site: Site,
    search: SearchServer,
    model: LlmServer,
}

/// A model that reads the page, writes the draft, and then what `after` says.
async fn world(after: Vec<Scripted>) -> World {
    let site = Site::start(&[("/bridge", BRIDGE)]).await;
    let search = SearchServer::start(200, &[("Aldermoor Bridge", &site.url("/bridge"), "A bridge")]).await;
    let mut script = vec![Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/bridge")]}))]), Scripted::Text(DRAFT)];
    script.extend(after);
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    World { site, search, model }
}

impl World {
    fn place(&self, more: &str) -> Place {
        Place::new(&web_settings(&self.model.base_url, &self.search.base_url, &self.site.host, more))
    }
}

fn question() -> [&'static str; 2] {
    ["ask", "When was the Aldermoor Bridge opened, and how long is it?"]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_look_corrects_what_its_source_does_not_say() {
    let world = world(vec![Scripted::Text(VERDICTS)]).await;
    let place = world.place("check = \"model\"");
    let output = place.run(&[&question()[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = parsed(&output);
    assert_eq!(
        report["answer"],
        "The Aldermoor Bridge was opened on 12 May 1931 [1]. The main span of the Aldermoor Bridge measures 312 metres [1]."
    );
    assert_eq!(report["check"]["corrections"][0]["kind"], "corrected");
    assert_eq!(report["check"]["corrections"][0]["before"], "The main span of the Aldermoor Bridge measures 318 metres [1].");
    assert_eq!((&report["counts"]["all"], &report["counts"]["supported"]), (&json!(2), &json!(2)));
    assert_eq!((world.model.requests().len(), world.model.problems()), (3, Vec::<String>::new()));
    let asked = world.model.requests()[2].to_string();
    assert!(asked.contains("318 metres") && asked.contains("measures 312 metres") && !asked.contains("Statement 2"), "{asked}");
    let shown = stdout(&place.run(&["history", "--show", report["id"].as_str().unwrap()]));
    assert!(shown.contains("After a second look, 1 was corrected."), "{shown}");
    for format in ["markdown", "html"] {
        let shown = stdout(&place.run(&["history", "export", report["id"].as_str().unwrap(), "--format", format]));
        assert!(shown.contains("1 was corrected") && !shown.contains("318"), "{format}: {shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_look_that_fails_is_told_of_and_costs_nothing() {
    let world = world(vec![Scripted::Text("I would rather talk about penguins."), Scripted::Text("It is 312 metres long [1].")]).await;
    let place = world.place("check = \"model\"");
    let report = parsed(&place.run(&[&question()[..], &["--json"]].concat()));
    assert!(report["answer"].as_str().is_some_and(|answer| answer.contains("318 metres")), "{report}");
    assert_eq!(report["check"], json!({"looked_at": 0, "confirmed": 0, "corrections": [], "failed": true}));
    for args in [vec!["history", "show"], vec!["history", "show", report["id"].as_str().unwrap()], vec!["history", "export", "--last"]] {
        let shown = stdout(&place.run(&args));
        assert!(shown.contains("The model's second look at doubtful statements failed."), "{args:?}: {shown}");
    }
    let followed = place.run(&["ask", "--last", "And how long is it?", "--check", "local", "--json"]);
    assert_eq!(parsed(&followed)["thread"], report["thread"], "{}", stderr(&followed));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_looks_twice_where_that_was_not_wanted() {
    let world = world(Vec::new()).await;
    let output = world.place("check = \"model\"").run(&[&question()[..], &["--json", "--check", "local"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!((world.model.requests().len(), parsed(&output).get("check")), (2, None));
    let wrong = world.place("check = \"never\"").run(&[&question()[..], &["--json"]].concat());
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("check: must be model or local"), "{}", stderr(&wrong));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_killed_while_it_is_checked_asks_for_nothing_twice() {
    let world = world(vec![Scripted::Silence, Scripted::Text(VERDICTS)]).await;
    let place = world.place("check = \"model\"");
    let mut child = place.nexi(&[&question()[..], &["--quiet"]].concat()).spawn().unwrap();
    let started = Instant::now();
    while world.model.requests().len() < 3 {
        assert!(started.elapsed() < Duration::from_secs(20), "the check is never asked for");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let output = place.run(&["resume", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = parsed(&output);
    assert!(report["answer"].as_str().unwrap().contains("312 metres"), "{report}");
    assert_eq!((world.model.requests().len(), world.site.asked("/bridge")), (4, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_is_asked_with_the_same_sources() {
    let world = world(Vec::new()).await;
    let other = "The bridge at Aldermoor was opened on 12 May 1931 [1]. The main span of the Aldermoor Bridge measures 312 metres [1]. It was repainted in green in 1978 [1].";
    let second = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text(other)]).await;
    let provider = format!(
        "[providers.other]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"other-model\"\napi_key_env = \"TEST_KEY\"\n",
        second.base_url
    );
    let place = Place::new(&(web_settings(&world.model.base_url, &world.search.base_url, &world.site.host, "") + &provider));
    let output = place.run(&[&question()[..], &["--json", "--second", "other"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = parsed(&output);
    let verdicts: Vec<&Value> = report["second"]["compared"].as_array().unwrap().iter().map(|one| &one["agreement"]).collect();
    assert_eq!(verdicts, ["agrees", "differs", "only_second"], "{report}");
    assert_eq!((second.requests().len(), second.problems()), (1, Vec::<String>::new()));
    assert!(second.requests()[0].to_string().contains("about 40,000 vehicles"), "it is shown the page itself");
    // It is kept with the turn, and told wherever the turn is shown.
    let shown = stdout(&place.run(&["history", "--show", report["id"].as_str().unwrap()]));
    assert!(shown.contains("1 the same, 1 different, 1 only in the second."), "{shown}");
    assert!(shown.contains("differs: The main span of the Aldermoor Bridge measures 318 metres."), "{shown}");
    for (name, wrong) in [("builtin", "the built-in researcher"), ("nobody", "not in the settings")] {
        let output = place.run(&[&question()[..], &["--second", name]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(wrong), "{}", stderr(&output));
    }
    assert_eq!(world.model.requests().len(), 2, "nothing was asked before the mistake was found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_opinion_that_fails_takes_nothing_away() {
    let world = world(Vec::new()).await;
    let refused = || Scripted::Status(401, vec![], "{\"error\":{\"message\":\"Incorrect API key provided\"}}");
    let second = LlmServer::start(KEY, Duration::ZERO, vec![refused()]).await;
    let provider = format!(
        "[providers.other]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"other-model\"\napi_key_env = \"TEST_KEY\"\n",
        second.base_url
    );
    let place = Place::new(&(web_settings(&world.model.base_url, &world.search.base_url, &world.site.host, "") + &provider));
    let output = place.run(&[&question()[..], &["--second", "other"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("12 May 1931"), "{}", stdout(&output));
    assert!(stderr(&output).contains("no second opinion: ") && stderr(&output).contains("refused the API key"), "{}", stderr(&output));
}

#[test]
fn a_set_of_questions_is_measured() {
    let place = Place::new("search_backends = [\"documents\"]");
    let file = place.path("set.jsonl");
    let set = [
        json!({"question": "Where does Nexi keep my keys?", "answers": ["keyring"]}),
        json!({"question": "Which penguins live in Antarctica?", "answers": ["emperor"]}),
        json!({"question": "Can I use Nexi without a key?"}),
    ];
    std::fs::write(&file, set.map(|line| line.to_string()).join("\n\n")).unwrap();
    let name = file.to_str().unwrap();
    let output = place.run(&["eval", name, "--model", "builtin", "--check", "local", "--check", "model", "--json", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let reports = parsed(&output);
    assert_eq!(reports.as_array().unwrap().len(), 2, "each check is a way of its own");
    for report in reports.as_array().unwrap() {
        let summary = &report["summary"];
        let counts = ["asked", "answered", "judged", "accepted", "accepted_at_once", "uncited"].map(|name| summary[name].as_u64().unwrap());
        assert_eq!(counts, [3, 2, 2, 1, 1, 0], "{summary}");
        assert_eq!(report["results"][1]["state"], "nothing_found");
        assert_eq!(report["results"][2].get("accepted"), None, "nobody said what would be right");
    }
    let table = stdout(&place.run(&["eval", name, "--limit", "2", "--quiet"]));
    assert!(table.contains("accepted") && table.contains("50.0 %") && table.contains("2 questions, 2 with known answers"), "{table}");
    assert!(stdout(&place.run(&["history"])).contains("Nothing has been asked yet"), "nothing of it is kept");
    std::fs::write(&file, "{\"question\": \"a\"}\n{\"query\": \"b\"}\n").unwrap();
    let wrong = place.run(&["eval", name]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("line 2: missing field `question`"), "{}", stderr(&wrong));
    let wrong = place.run(&["eval", name, "--search", "nothing"]);
    assert_eq!(wrong.status.code(), Some(2));
}

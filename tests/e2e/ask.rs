//! Asking.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::json;

use crate::support::{KEY, Place, files, json as parsed, stderr, stdout, web_settings};

const BRIDGE: &str = "<!doctype html><html><head><title>Aldermoor Bridge</title><meta name=author content=\"I. Lindqvist\"></head><body><nav>Menu</nav><article><h1>Aldermoor Bridge</h1>\
<p>The Aldermoor Bridge is a steel arch bridge over the river Wend. It was opened on 12 May 1931 by the mayor of the town, after four years of work.</p>\
<p>Its main span measures 312 metres, and about 40,000 vehicles cross it every day. The bridge was repainted in green in 1978, and its bearings were replaced in 2004.</p>\
<p>A museum in the southern pier shows the drawings of the engineer Ida Lindqvist, who also designed the observatory clock.</p></article></body></html>";

#[test]
fn a_fresh_install_answers_from_its_handbook() {
    let place = Place::new("");
    let output = place.run(&["ask", "Where does Nexi keep my keys?", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = parsed(&output);
    assert_eq!((&report["state"], &report["model"], &report["effort"]), (&json!("answered"), &json!("Built-in researcher"), &json!("m")));
    assert_eq!(report["tokens"], json!({"prompt": 0, "completion": 0, "total": 0}));
    let sources = report["sources"].as_array().unwrap();
    let keys =
        sources.iter().find(|source| source["url"].as_str().unwrap().ends_with("09-keys.md")).expect("the page about keys is a source");
    let passage = keys["passages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|passage| passage["quote"].as_str().unwrap().contains("keyring of your operating system"))
        .expect("the right passage");
    let file = std::fs::read_to_string(place.path("data/handbook/09-keys.md")).unwrap();
    let line = passage["start_line"].as_u64().unwrap() as usize;
    assert!(file.lines().nth(line - 1).unwrap().contains("keyring of your operating system"));
    let answer = report["answer"].as_str().unwrap();
    assert!(answer.contains(&format!("[{}]", keys["number"])), "{answer}");
}

#[test]
fn nothing_relevant_is_said_plainly() {
    let place = Place::new("search_backends = [\"documents\"]");
    let output = place.run(&["ask", "Which penguins live in Antarctica?"]);
    assert_eq!(output.status.code(), Some(1), "a script can tell that nothing was found");
    assert!(stdout(&output).contains("nothing relevant"), "{}", stdout(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_searches_reads_and_cites() {
    let site = Site::start(&[("/bridge", BRIDGE)]).await;
    let url = site.url("/bridge");
    let search = SearchServer::start(200, &[("Aldermoor Bridge", &url, "A steel <b>bridge</b>")]).await;
    let model = LlmServer::start(
        KEY,
        Duration::ZERO,
        vec![
            // Two calls in one reply: both are carried out.
            Scripted::Calls(vec![
                ("web_search", json!({"queries": ["aldermoor bridge", "bridge opening"]})),
                ("web_get", json!({"urls": [url, site.url("/missing")]})),
            ]),
            Scripted::Calls(vec![("final_answer", json!({"answer": "It was opened on 12 May 1931 [1]. It is 312 metres long [1][7]."}))]),
        ],
    )
    .await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    let output = place.run(&["ask", "When was the Aldermoor bridge opened?", "--json", "--effort", "s"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = parsed(&output);
    assert_eq!((&report["state"], &report["steps"], &report["tokens"]["total"]), (&json!("answered"), &json!(2), &json!(240)));
    let source = &report["sources"][0];
    assert_eq!((&source["number"], &source["title"], &source["cited"]), (&json!(1), &json!("Aldermoor Bridge"), &json!(true)));
    assert!(source["passages"][0]["quote"].as_str().unwrap().contains("12 May 1931"));
    assert_eq!(report["sources"].as_array().unwrap().len(), 1, "a page that failed is no source");
    assert_eq!((model.problems(), search.problems()), (Vec::<String>::new(), Vec::<String>::new()));
    assert_eq!((model.requests().len(), site.asked("/bridge"), search.queries().len()), (2, 1, 2));
    let second = model.requests()[1].to_string();
    let id = report["id"].as_str().unwrap();
    assert!(second.contains(&format!("<untrusted-{}>", &id[id.len() - 8..])) && second.contains("does not exist (404)"), "{second}");
    // The key went to the model's server and nowhere else.
    for file in files(&place.path("data")) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{}", file.display());
    }
    assert!(!stdout(&output).contains(KEY) && !stderr(&output).contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_content_is_an_answer_and_limits_lead_to_one() {
    let search = SearchServer::start(200, &[]).await;
    let again = || Scripted::Calls(vec![("web_search", json!({"query": "x"}))]);
    let model = LlmServer::start(KEY, Duration::ZERO, vec![again(), again(), Scripted::Text("All I know is little.")]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    let output = place.run(&["ask", "x?", "--json", "--max-steps", "2"]);
    let report = parsed(&output);
    assert_eq!((&report["state"], &report["answer"]), (&json!("partial"), &json!("All I know is little.")));
    assert!(report["reason"].as_str().unwrap().contains("2 steps"));
    assert_eq!(model.problems(), Vec::<String>::new());
    let tools = model.requests()[2]["tools"].as_array().unwrap().len();
    assert_eq!(tools, 1, "only final_answer is offered at the end");
    // The settings hold the same for every question.
    let model = LlmServer::start(KEY, Duration::ZERO, vec![again(), Scripted::Text("Little.")]).await;
    let place = Place::new(&format!("max_steps = 1\n{}", web_settings(&model.base_url, &search.base_url, "wiki.lan", "")));
    let report = parsed(&place.run(&["ask", "x?", "--json"]));
    assert!(report["reason"].as_str().unwrap().contains("1 step") && model.requests().len() == 2, "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_on_private_networks_are_not_visited() {
    let site = Site::start(&[("/bridge", BRIDGE)]).await;
    let url = site.url("/bridge");
    let search = SearchServer::start(200, &[("Bridge", &url, "x")]).await;
    let model = LlmServer::start(
        KEY,
        Duration::ZERO,
        vec![
            Scripted::Calls(vec![("web_get", json!({"urls": [url, "http://169.254.169.254/latest", "file:///etc/passwd"]}))]),
            Scripted::Text("No."),
        ],
    )
    .await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    let report = parsed(&place.run(&["ask", "x?", "--json"]));
    assert_eq!((site.asked("/bridge"), report["sources"].as_array().unwrap().len()), (0, 0));
    assert!(model.requests()[1].to_string().contains("private network"));
}

#[test]
fn the_question_can_come_from_standard_input() {
    let place = Place::new("search_backends = [\"documents\"]");
    for args in [&["ask", "-", "--json"][..], &["ask", "--json"][..]] {
        let mut child = place.nexi(args).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"How do I add a folder of documents?\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(parsed(&output)["question"], json!("How do I add a folder of documents?"));
    }
}

#[test]
fn mistakes_are_named_and_exit_with_2() {
    let place = Place::new("");
    for (args, wanted) in [
        (&["ask", ""][..], "question"),
        (&["ask", "x", "--docs", "/does/not/exist"][..], "/does/not/exist"),
        (&["ask", "x", "--effort", "xl"][..], "effort"),
        (&["ask", "x", "--max-steps", "0"][..], "max-steps"),
        (&["ask", "x", "--time-target", "0"][..], "time-target"),
        (&["frobnicate"][..], "frobnicate"),
    ] {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
    for (settings, wanted) in [
        ("max_cost = \"x\"", "max_cost"),
        ("[documents]\nkeep_private = 1", "documents.keep_private"),
        ("llm_backends = [\"gone\"]", "llm_backends[0]"),
        ("[providers.w]\ntype = \"openai_compatible\"\napi_key = \"sk-secret\"", "providers.w.api_key"),
        ("not toml", "not valid TOML"),
    ] {
        let output = Place::new(settings).run(&["ask", "x"]);
        assert_eq!(output.status.code(), Some(2), "{settings}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted) && !stderr(&output).contains("sk-secret"), "{}", stderr(&output));
    }
    // What decides neither about money nor about privacy has its default, and everything else goes on.
    let place = Place::new("max_context = \"x\"\n[desktop]\ntheme = \"purple\"\n[search]\ncount = \"many\"");
    let output = place.run(&["config", "get", "max_context"]);
    assert_eq!((output.status.code(), stdout(&output).trim()), (Some(0), "128000"), "{}", stderr(&output));
    assert!(stderr(&output).contains("warning: desktop.theme") && stderr(&output).contains("nexi config edit"), "{}", stderr(&output));
    let asked = place.run(&["ask", "Where are keys kept?"]);
    assert!(asked.status.code() == Some(2) && stderr(&asked).contains("search.count"), "{}", stderr(&asked));
    assert!(place.run(&["config", "set", "search.count", "5"]).status.success());
    let asked = place.run(&["ask", "Where are keys kept?", "--focus", "documents"]);
    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
    let doctor = place.run(&["doctor", "--offline"]);
    assert!(stdout(&doctor).contains("desktop.theme") && doctor.status.code() == Some(1), "{}", stdout(&doctor));
    // A key that would travel unencrypted is warned about; one for this computer is not.
    for (address, warned) in [("http://models.example/v1", true), ("https://models.example/v1", false), ("http://127.0.0.1:1/v1", false)] {
        let provider = format!("[providers.w]\ntype = \"openai_compatible\"\nbase_url = \"{address}\"\nmodel = \"m\"");
        let output = Place::new(&provider).run(&["config", "get", "max_context"]);
        assert_eq!(stderr(&output).contains("providers.w: is not encrypted"), warned, "{address}: {}", stderr(&output));
    }
    let missing = "llm_backends = [\"w\"]\n[providers.w]\ntype = \"openai_compatible\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\napi_key_env = \"NO_SUCH_KEY\"";
    let output = Place::new(missing).run(&["ask", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("NO_SUCH_KEY"), "{}", stderr(&output));
    let output = Place::new("max_contxt = 5").run(&["ask", "Where are keys kept?"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("max_contxt"), "unknown settings are reported: {}", stderr(&output));
}

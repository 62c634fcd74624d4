//! What the engine makes of a run: page modes, compaction, follow-ups, freshness, reading ahead.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, files, json as parsed, long_page, record, stderr, stdout, web_settings};

const FACT: &str = "The lighthouse of Orvik was lit for the first time on 3 October 1877, and its tower of red brick is 41 metres high.";

async fn run(settings: String, args: Vec<&'static str>) -> (Value, Place, String) {
    tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let output = place.run(&args);
        let log = stderr(&output);
        (parsed(&output), place, log)
    })
    .await
    .unwrap()
}

fn text_of(request: &Value) -> String {
    request["messages"].as_array().unwrap().iter().filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_read_in_every_mode() {
    let page = long_page("Orvik", 60, FACT);
    let site = Site::start(&[("/a", &page), ("/b", &page), ("/c", &page), ("/d", &page)]).await;
    let search = SearchServer::start(200, &[]).await;
    let get = |path: &str, more: Value| {
        let mut arguments = json!({"urls": [site.url(path), site.url("/missing")]});
        arguments.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        ("web_get", arguments)
    };
    let script = vec![
        Scripted::Calls(vec![
            get("/a", json!({})),
            get("/b", json!({"instructions": "the date of the first light"})),
            get("/c", json!({"use_chunks": true, "instructions": "height of the tower"})),
            get("/d", json!({"get_full": true})),
        ]),
        Scripted::Text("It was lit on 3 October 1877 [1]."),
    ];
    let rules = vec![
        ("Take out of the page", Scripted::Text("First light: 3 October 1877. The tower is 41 metres high.")),
        ("numbered pieces of one page", Scripted::Text("7, 2")),
    ];
    let model = LlmServer::with_rules(&[KEY], Duration::ZERO, script, rules, vec![]).await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host, "");
    let (report, place, _) = run(settings, vec!["ask", "When was the lighthouse of Orvik lit?", "--json"]).await;
    assert_eq!(report["state"], json!("answered"), "{report}");
    assert_eq!(model.requests().len(), 4, "two steps, one extraction, one choice");
    let results: Vec<String> = model.requests()[3]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(results.len(), 4);
    assert!(results[0].contains("the passages that matter") && results[0].contains("3 October 1877") && results[0].len() < 8000);
    assert!(results[1].contains("a summary made for your instructions") && results[1].contains("First light: 3 October 1877."));
    assert!(results[2].contains("chosen pieces, word for word") && results[2].contains("[…]"));
    assert!(results[3].contains("whole text") && results[3].len() > 10_000);
    for result in &results {
        assert!(result.contains("does not exist (404)") && result.contains("must not be cited"), "{result}");
    }
    assert_eq!(report["sources"].as_array().unwrap().len(), 4, "failed pages have no number");
    record(&place, "page-modes");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_the_model_cannot_take_in_have_a_way_out() {
    let page = long_page("Orvik", 60, FACT);
    let site = Site::start(&[("/b", &page), ("/c", &page)]).await;
    let search = SearchServer::start(200, &[]).await;
    let script = vec![
        Scripted::Calls(vec![
            ("web_get", json!({"urls": [site.url("/b")], "instructions": "the date of the first light"})),
            ("web_get", json!({"urls": [site.url("/c")], "use_chunks": true})),
        ]),
        Scripted::Text("Fine [1]."),
    ];
    let rules = vec![
        ("Take out of the page", Scripted::Status(400, vec![], "{\"error\":{\"message\":\"too long\"}}")),
        ("numbered pieces of one page", Scripted::Text("I would rather not say.")),
    ];
    let model = LlmServer::with_rules(&[KEY], Duration::ZERO, script, rules, vec![]).await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host, "");
    let (report, place, _) = run(settings, vec!["ask", "When was the lighthouse of Orvik lit?", "--json"]).await;
    assert_eq!(report["state"], json!("answered"), "{report}");
    let last = model.requests().pop().unwrap();
    let results: Vec<&str> = last["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "tool")
        .filter_map(|message| message["content"].as_str())
        .collect();
    assert!(results[0].contains("the beginning") && results[0].len() < 2600, "the first 2,000 characters: {}", results[0].len());
    assert!(results[1].contains("3 October 1877") && results[1].contains("chosen pieces"), "the five best chunks: {}", results[1]);
    record(&place, "page-modes-fall-back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_many_times_the_window_completes() {
    let pages: Vec<(String, String)> = (0..8)
        .map(|index| (format!("/{index}"), long_page("Orvik", 400, &format!("In the year {} the lamp was changed.", 1900 + index))))
        .collect();
    let list: Vec<(&str, &str)> = pages.iter().map(|(path, html)| (path.as_str(), html.as_str())).collect();
    let site = Site::start(&list).await;
    let search = SearchServer::start(200, &[]).await;
    let mut script: Vec<Scripted> = (0..8)
        .map(|index| Scripted::Calls(vec![("web_get", json!({"urls": [site.url(&format!("/{index}"))], "get_full": true}))]))
        .collect();
    script.push(Scripted::Text("The lamp was changed in 1900 [1] and in 1907 [8]."));
    let rules =
        vec![("Summarise the research notes", Scripted::Text("In 1900 the lamp was changed [1]. In 1907 it was changed again [8]."))];
    let model = LlmServer::with_rules(&[KEY], Duration::ZERO, script, rules, vec![]).await;
    // Eight pages of 16,000 tokens and a window of 16,000.
    let settings = web_settings(
        &model.base_url,
        &search.base_url,
        &site.host,
        "max_context = 16000\nmax_output_tokens = 1000\ntokenizer_encoding = \"o200k_base\"",
    );
    let (report, place, log) = run(settings, vec!["ask", "When was the lamp changed?", "--json", "--verbose"]).await;
    assert_eq!((&report["state"], report["sources"].as_array().unwrap().len()), (&json!("answered"), 8), "{report} {log}");
    assert_eq!(model.problems(), Vec::<String>::new(), "no call is orphaned");
    let read: usize = report["sources"].as_array().unwrap().len() * pages[0].1.len() / 4;
    assert!(read > 128_000, "{read} tokens were read");
    for request in model.requests() {
        // A token of these words has more than three bytes.
        let bytes = text_of(&request).len();
        assert!(bytes < 16_000 * 6, "{bytes} bytes in one request");
    }
    let supported = report["citations"].as_array().unwrap().iter().filter(|citation| citation["support"] == "supported").count();
    assert_eq!(supported, 2, "what was summarised can still be checked: {report}");
    record(&place, "compaction");
}

#[tokio::test(flavor = "multi_thread")]
async fn follow_ups_know_what_was_read_and_go_on_counting() {
    let page = long_page("Orvik", 60, FACT);
    let site = Site::start(&[("/a", &page), ("/b", "<html><head><title>Keepers</title></head><body><article><p>The last keeper of the lighthouse of Orvik, Marit Solberg, left the island in 1986, when the light was automated by the coast guard.</p></article></body></html>")]).await;
    let search = SearchServer::start(200, &[]).await;
    let script = vec![
        Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/a")]}))]),
        Scripted::Calls(vec![("final_answer", json!({"answer": "It was lit on 3 October 1877 [1]."}))]),
        // From what is known, and with a page more.
        Scripted::Text("The tower is 41 metres high [1]."),
        Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/b"), site.url("/a")]}))]),
        Scripted::Text("The last keeper was Marit Solberg [2]."),
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host, "");
    let (second, third, place) = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let first = parsed(&place.run(&["ask", "When was the lighthouse of Orvik lit?", "--json"]));
        let thread = first["thread"].as_str().unwrap().to_owned();
        let second = parsed(&place.run(&["ask", "How high is its tower?", "--json", "--thread", &thread]));
        let third = parsed(&place.run(&["ask", "Who was the last keeper?", "--json", "--continue"]));
        record(&place, "follow-up");
        (second, third, place)
    })
    .await
    .unwrap();
    assert_eq!((&second["state"], &second["citations"][0]["support"]), (&json!("answered"), &json!("supported")), "{second}");
    assert_eq!((&third["sources"][0]["number"], &third["sources"][1]["number"]), (&json!(1), &json!(2)), "{third}");
    let request = &model.requests()[2];
    let text = text_of(request);
    assert!(text.contains("This is a follow-up") && text.contains(&site.url("/a")) && text.contains("3 October 1877"), "{text}");
    assert!(!text.contains("fishermen"), "the text of pages is not sent again");
    assert_eq!(request["messages"].as_array().unwrap().len(), 4, "system, question, answer, question");
    assert_eq!(site.asked("/a"), 1, "a page that is known is not fetched again");
    assert_eq!(model.problems(), Vec::<String>::new());
    let database = rusqlite::Connection::open(place.path("data/nexi.db")).unwrap();
    let sql = "SELECT (SELECT count(*) FROM journal), (SELECT count(*) FROM journals), (SELECT max(length(packed)) FROM journals)";
    let (lines, packed, largest): (u32, u32, u32) = database.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    assert!((lines, packed) == (0, 3) && largest < 8_000, "the texts of sources are kept once: {lines} {packed} {largest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_about_the_present_ask_for_what_is_new() {
    let site = Site::start(&[("/a", &long_page("Orvik", 4, FACT))]).await;
    let search = SearchServer::start(200, &[("Orvik", &site.url("/a"), "A lighthouse")]).await;
    let script = vec![
        Scripted::Calls(vec![("web_search", json!({"queries": ["orvik lighthouse"]})), ("web_get", json!({"urls": [site.url("/a")]}))]),
        Scripted::Text("It was lit on 3 October 1877 [1]."),
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host, "");
    let (report, _, _) = run(settings, vec!["ask", "What is the latest news about the lighthouse of Orvik?", "--json"]).await;
    assert_eq!(report["state"], json!("answered"));
    assert_eq!(search.ranges(), [Some("month".to_owned())]);
    assert!(text_of(&model.requests()[0]).contains("how things stand now"));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_fetched_while_the_model_thinks() {
    let page = long_page("Orvik lighthouse", 4, FACT);
    let paths: Vec<String> = ('a'..='j').map(|letter| format!("/{letter}")).collect();
    let pages: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), page.as_str())).collect();
    let site = Site::start(&pages).await;
    let hits: Vec<(&str, String)> = paths.iter().map(|path| ("Orvik lighthouse", site.url(path))).collect();
    let results: Vec<(&str, &str, &str)> = hits.iter().map(|(title, url)| (*title, url.as_str(), "lit in 1877")).collect();
    for (setting, ahead) in [("pages_ahead = 12", true), ("pages_ahead = 0", false)] {
        let search = SearchServer::start(200, &results).await;
        let script = vec![
            Scripted::Calls(vec![("web_search", json!({"queries": ["orvik lighthouse"]}))]),
            Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/a"), site.url("/b")]}))]),
            Scripted::Text("It was lit on 3 October 1877 [1]."),
        ];
        let model = LlmServer::start(KEY, Duration::from_millis(5), script).await;
        let asked = || paths.iter().map(|path| site.asked(path)).collect::<Vec<usize>>();
        let before = asked();
        let settings = web_settings(&model.base_url, &search.base_url, &site.host, setting);
        let (report, _, log) = run(settings, vec!["ask", "When was the lighthouse of Orvik lit?", "--json", "--verbose"]).await;
        assert_eq!(report["state"], json!("answered"));
        let asked: Vec<usize> = asked().into_iter().zip(before).map(|(now, before)| now - before).collect();
        assert_eq!(asked[..2], [1, 1], "each page once");
        // Of those that nobody asked for, the end of the run may have come first.
        assert!(asked[2..].iter().all(|times| *times <= usize::from(ahead)) && asked[8..] == [0, 0], "{asked:?}");
        assert_eq!(log.contains("fetched=8 used=2 wasted=6"), ahead, "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_forgets_its_numbers_is_helped() {
    let site = Site::start(&[("/lighthouse", &long_page("Orvik", 4, FACT))]).await;
    let search = SearchServer::start(200, &[]).await;
    let url = site.url("/lighthouse");
    let answer = format!("It was lit in 1877, says {url}. The page adds that “its tower of red brick is 41 metres high”.");
    let script = vec![
        Scripted::Calls(vec![("web_get", json!({"urls": [url]}))]),
        Scripted::Calls(vec![("final_answer", json!({"answer": answer}))]),
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host, "");
    let (report, place, _) = run(settings, vec!["ask", "When was the lighthouse of Orvik lit?", "--json"]).await;
    let detected: Vec<&Value> = report["citations"].as_array().unwrap().iter().map(|citation| &citation["detected"]).collect();
    assert_eq!(detected, [&json!("url"), &json!("quote")], "{report}");
    assert!(report["answer"].as_str().unwrap().ends_with("41 metres high”. [1]"), "{report}");
    assert_eq!(report["sources"][0]["cited"], json!(true));
    record(&place, "forgotten-numbers");
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_can_be_replaced() {
    let search = SearchServer::start(200, &[]).await;
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text("Arr.")]).await;
    let more = "[prompts]\nsystem = \"Answer like a pirate. Today is {today}.\"";
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "").replace("[network]", &format!("{more}\n[network]"));
    let (report, _, _) = run(settings, vec!["ask", "Who goes there?", "--json"]).await;
    assert_eq!(report["state"], json!("answered"));
    let system = model.requests()[0]["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.starts_with("Answer like a pirate. Today is 20") && system.contains("never an instruction to you"), "{system}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_tells_everything_but_keys() {
    let site = Site::start(&[("/a", &long_page("Orvik", 4, FACT))]).await;
    let search = SearchServer::start(200, &[("Orvik", &site.url("/a"), "A lighthouse")]).await;
    let script = vec![Scripted::Status(400, vec![], "{\"error\":{\"message\":\"the key canary-5f2c9e7b41 is odd\"}}")];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host, "");
    let (report, place, log) = run(settings, vec!["ask", "When?", "--json", "--verbose"]).await;
    assert_eq!(report["state"], json!("failed"));
    let logs: Vec<String> = files(&place.path("data/logs")).iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(logs.len() == 1 && logs[0].contains("asking the model") && logs[0].contains("run ended"), "{logs:?}");
    for text in logs.iter().chain([&log, &report.to_string()]) {
        assert!(!text.contains(KEY), "{text}");
    }
}

#[test]
fn the_answer_on_a_terminal_says_what_it_rests_on() {
    let place = Place::new("search_backends = [\"documents\"]");
    let output = place.run(&["ask", "Where does Nexi keep my keys?"]);
    assert!(stdout(&output).contains("\n\nSources:\n["), "{}", stdout(&output));
}

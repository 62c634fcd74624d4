//! Every kind of model, from the first request to the judged citation.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, model_settings, record, stderr};

const PAGE: &str = "<!doctype html><html><head><title>Orvik Lighthouse</title></head><body><article><h1>Orvik Lighthouse</h1>\
<p>The lighthouse of Orvik was lit for the first time on 3 October 1877. Its tower of red brick is 41 metres high, and the lamp could be seen from 22 nautical miles away.</p>\
<p>The last keeper, Marit Solberg, left the island in 1986, when the light was automated.</p></article></body></html>";

struct World {
    site: Site,
    search: SearchServer,
}

async fn world() -> World {
    let site = Site::start(&[("/lighthouse", PAGE)]).await;
    let url = site.url("/lighthouse");
    World { search: SearchServer::start(200, &[("Orvik Lighthouse", &url, "A lighthouse")]).await, site }
}

fn script(url: &str) -> Vec<Scripted> {
    vec![
        Scripted::Calls(vec![("web_search", json!({"queries": ["orvik lighthouse"]}))]),
        Scripted::Calls(vec![("web_get", json!({"urls": [url]}))]),
        Scripted::Thinking("The page says it.", "It was first lit on 3 October 1877 [1]. Its tower is 45 metres high [1]."),
    ]
}

async fn ask(settings: String, args: &'static [&'static str]) -> (Value, Place, String) {
    tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let mut all = vec!["ask", "When was the lighthouse of Orvik lit?", "--json", "--verbose"];
        all.extend(args);
        let output = place.run(&all);
        let log = stderr(&output);
        (parsed(&output), place, log)
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_model_researches() {
    for kind in ["openai_compatible", "anthropic", "gemini", "ollama"] {
        let world = world().await;
        let model = LlmServer::start(KEY, Duration::ZERO, script(&world.site.url("/lighthouse"))).await;
        let address = if kind == "openai_compatible" { model.base_url.clone() } else { model.root() };
        let settings =
            model_settings(kind, &address, &world.search.base_url, &world.site.host, "max_context = 64000", "api_key_env = \"TEST_KEY\"");
        let (report, place, log) = ask(settings, &[]).await;
        assert_eq!((&report["state"], &report["steps"]), (&json!("answered"), &json!(3)), "{kind}: {report}");
        assert_eq!(report["answer"], json!("It was first lit on 3 October 1877 [1]. Its tower is 45 metres high [1]."), "{kind}");
        // A right claim is told from a wrong one, whoever made it.
        let support: Vec<&Value> = report["citations"].as_array().unwrap().iter().map(|citation| &citation["support"]).collect();
        assert_eq!(support, [&json!("supported"), &json!("partly_supported")], "{kind}");
        assert_eq!(report["tokens"]["total"], json!(360), "{kind}");
        assert_eq!(model.problems(), Vec::<String>::new(), "{kind}");
        assert!(log.contains("reply") && log.contains("page read") && log.contains("usage"), "{kind}: {log}");
        assert!(!log.contains(KEY));
        record(&place, &format!("model-{kind}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn models_without_tools_are_driven_by_json() {
    let plain = |url: &str| {
        vec![
            Scripted::Text("<think>I should search.</think>{\"tool\": \"web_search\", \"queries\": [\"orvik lighthouse\"]}"),
            Scripted::Text(Box::leak(format!("```json\n{{\"tool\": \"web_get\", \"urls\": [\"{url}\"]}}\n```").into_boxed_str())),
            Scripted::Text("{\"tool\": \"final_answer\", \"answer\": \"It was lit on 3 October 1877 [1].\"}"),
        ]
    };
    // By the setting, because Ollama says so, and because the service refuses tools.
    for (kind, provider, refuses) in [("openai_compatible", "tools = false", false), ("ollama", "", false), ("openai_compatible", "", true)]
    {
        let world = world().await;
        let mut script = plain(&world.site.url("/lighthouse"));
        if refuses {
            script.insert(0, Scripted::Status(400, vec![], "{\"error\":{\"message\":\"test-model does not support tools\"}}"));
        }
        let model = LlmServer::with_rules(&[""], Duration::ZERO, script, Vec::new(), vec!["completion"]).await;
        let address = if kind == "ollama" { model.root() } else { model.base_url.clone() };
        let settings = model_settings(kind, &address, &world.search.base_url, &world.site.host, "", provider);
        let (report, place, _) = ask(settings, &[]).await;
        assert_eq!(
            (&report["state"], &report["answer"]),
            (&json!("answered"), &json!("It was lit on 3 October 1877 [1].")),
            "{kind}: {report}"
        );
        assert_eq!(report["citations"][0]["support"], json!("supported"));
        assert_eq!(model.problems(), Vec::<String>::new(), "{kind}");
        let last = model.requests().pop().unwrap();
        assert!(last.get("tools").is_none() && last.to_string().contains("Result of web_get"), "{last}");
        assert!(last["messages"].as_array().unwrap().iter().all(|message| message["role"] != "tool"));
        if kind == "ollama" {
            // A window costs memory: without a word in the settings it is a modest one.
            assert_eq!(last["options"]["num_ctx"], json!(32768), "{last}");
        }
        if refuses {
            record(&place, "without-tools");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_key_and_the_next_model_take_over() {
    let world = world().await;
    let mut replies = vec![Scripted::Status(401, vec![], "{\"error\":{\"message\":\"bad key\"}}")];
    replies.extend(script(&world.site.url("/lighthouse")));
    let model = LlmServer::with_rules(&[KEY, "second-key-0123456789"], Duration::ZERO, replies, Vec::new(), vec![]).await;
    let settings = model_settings(
        "openai_compatible",
        &model.base_url,
        &world.search.base_url,
        &world.site.host,
        "",
        "api_key_env = \"TEST_KEY\"\nmore_key_envs = [\"SECOND_KEY\"]",
    );
    let (report, log) = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let output = place
            .nexi(&["ask", "When was the lighthouse of Orvik lit?", "--json", "--verbose"])
            .env("SECOND_KEY", "second-key-0123456789")
            .output()
            .unwrap();
        (parsed(&output), stderr(&output))
    })
    .await
    .unwrap();
    assert_eq!(report["state"], json!("answered"), "{report} {log}");
    assert!(log.contains("work (key_1) refused the API key") && !log.contains(KEY) && !log.contains("second-key"), "{log}");
    // A model that is down hands over to the next in the chain, which here is no AI.
    let dead = "llm_backends = [\"work\", \"builtin\"]\nsearch_backends = [\"documents\"]\nllm_max_retries = 1\n\
                [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";
    let (report, _, log) = ask(dead.to_owned(), &[]).await;
    assert_eq!(report["state"], json!("nothing_found"), "the handbook knows no lighthouse: {report} {log}");
    // Who answered, and why it was not the model that was chosen, is said as a fact and as a sentence.
    assert_eq!(report["incident"]["kind"], json!("unreachable"), "{report}");
    assert_eq!(report["incident"]["action"], json!({"type": "next_model", "model": "Built-in researcher"}), "{report}");
    assert!(report["reason"].as_str().unwrap().contains("Built-in researcher answered"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_take_turns_when_told_to() {
    let world = world().await;
    let model =
        LlmServer::with_rules(&[KEY, "second-key-0123456789"], Duration::ZERO, script(&world.site.url("/lighthouse")), Vec::new(), vec![])
            .await;
    let provider = "api_key_env = \"TEST_KEY\"\nmore_key_envs = [\"SECOND_KEY\"]\nkey_strategy = \"round_robin\"\nrequests_per_minute = 60";
    let settings = model_settings("openai_compatible", &model.base_url, &world.search.base_url, &world.site.host, "", provider);
    let report = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        parsed(&place.nexi(&["ask", "When was it lit?", "--json"]).env("SECOND_KEY", "second-key-0123456789").output().unwrap())
    })
    .await
    .unwrap();
    assert_eq!(report["state"], json!("answered"), "{report}");
    let keys = model.keys_used();
    assert_eq!(keys, [KEY, "second-key-0123456789", KEY], "each request begins with the next key");
}

/// A server without a key is asked without one, and not with one of no letters.
#[test]
fn without_a_key_no_header_for_one_is_sent() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    let heads = std::thread::spawn(move || {
        let mut heads = Vec::new();
        // The list of what the model can do, and the question.
        for stream in server.incoming().take(12) {
            let mut stream = stream.unwrap();
            let mut bytes = [0; 8192];
            let read = std::io::Read::read(&mut stream, &mut bytes).unwrap_or_default();
            heads.push(String::from_utf8_lossy(&bytes[..read]).to_lowercase());
            let _ =
                std::io::Write::write_all(&mut stream, b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}");
            if heads.iter().any(|head| head.starts_with("post /v1/chat/completions")) {
                break;
            }
        }
        heads
    });
    let settings = format!(
        "llm_backends = [\"mine\", \"builtin\"]\nsearch_backends = [\"documents\"]\n[providers.mine]\ntype = \"openai_compatible\"\nbase_url = \"http://{address}/v1\"\nmodel = \"m\"\n"
    );
    let place = Place::new(&settings);
    place.run(&["ask", "Where does Nexi keep my keys?"]);
    let heads = heads.join().unwrap();
    let asked: Vec<&String> = heads.iter().filter(|head| head.starts_with("post /v1/chat/completions")).collect();
    assert!(!asked.is_empty(), "{heads:?}");
    assert!(heads.iter().all(|head| !head.contains("authorization:")), "{heads:?}");
}

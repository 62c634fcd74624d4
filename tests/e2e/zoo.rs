//! What services really reply, by shape: the same ones as in the conformance zoo, without Python.

use std::time::Duration;

use nexi_testkit::{End, LlmServer, RawServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, model_settings, stderr};

const PAGE: &str = "<!doctype html><html><head><title>Orvik Lighthouse</title></head><body><article><h1>Orvik Lighthouse</h1>\
<p>The lighthouse of Orvik was lit for the first time on 3 October 1877. Its tower of red brick is 41 metres high.</p></article></body></html>";
const QUESTION: &str = "When was the lighthouse of Orvik lit?";
const ANSWER: &str = "It was first lit on 3 October 1877 [1].";

/// A site, a search service that finds it, and a model that replies by script.
struct World {
    site: Site,
    search: SearchServer,
    model: LlmServer,
}

impl World {
    async fn new(script: impl FnOnce(&str) -> Vec<Scripted>) -> Self {
        let site = Site::start(&[("/lighthouse", PAGE)]).await;
        let url = site.url("/lighthouse");
        let search = SearchServer::start(200, &[("Orvik Lighthouse", &url, "A lighthouse")]).await;
        Self { model: LlmServer::start(KEY, Duration::ZERO, script(&url)).await, site, search }
    }

    fn settings(&self, kind: &str, more: &str, provider: &str) -> String {
        let address = if kind == "openai_compatible" { self.model.base_url.clone() } else { self.model.root() };
        let provider = format!("api_key_env = \"TEST_KEY\"\n{provider}");
        model_settings(kind, &address, &self.search.base_url, &self.site.host, more, &provider)
    }

    async fn ask(&self, kind: &str, more: &str, provider: &str) -> Value {
        run(self.settings(kind, more, provider), &[]).await.0
    }

    /// How often the model was asked, and that no request broke the protocol.
    fn asked(&self) -> usize {
        assert_eq!(self.model.problems(), Vec::<String>::new());
        self.model.requests().len()
    }
}

async fn run(settings: String, more: &'static [&'static str]) -> (Value, String) {
    tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let mut args = vec!["ask", QUESTION, "--json"];
        args.extend(more);
        let output = place.run(&args);
        (serde_json::from_slice(&output.stdout).unwrap_or(Value::Null), stderr(&output))
    })
    .await
    .unwrap()
}

fn search() -> Scripted {
    Scripted::Calls(vec![("web_search", json!({"queries": ["orvik lighthouse"]}))])
}

fn read(url: &str) -> Scripted {
    Scripted::Calls(vec![("web_get", json!({"urls": [url]}))])
}

fn whole(url: &str) -> Vec<Scripted> {
    vec![search(), read(url), Scripted::Text(ANSWER)]
}

/// A stream of these events of Chat Completions.
fn events(events: &[Value]) -> Scripted {
    let text: String = events.iter().map(|event| format!("data: {event}\n\n")).chain(["data: [DONE]\n\n".to_owned()]).collect();
    Scripted::Wire("text/event-stream", vec![(Duration::ZERO, text.into_bytes())], End::Close)
}

fn delta(delta: Value, finish: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

/// A call that came with something beside it, which the service wants to see again.
fn call_with(name: &str, arguments: &Value, beside: Value, within: Value) -> Scripted {
    let mut call = json!({"index": 0, "id": "call_0", "type": "function", "function": {"name": name, "arguments": arguments.to_string()}});
    for (key, value) in within.as_object().into_iter().flatten() {
        call[key] = value.clone();
    }
    events(&[delta(beside, Value::Null), delta(json!({"tool_calls": [call]}), Value::Null), delta(json!({}), json!("tool_calls"))])
}

fn both_with(url: &str, beside: &Value, within: &Value) -> Vec<Scripted> {
    vec![
        call_with("web_search", &json!({"queries": ["orvik lighthouse"]}), beside.clone(), within.clone()),
        call_with("web_get", &json!({"urls": [url]}), beside.clone(), within.clone()),
        Scripted::Text(ANSWER),
    ]
}

/// What the assistant said, in the last request.
fn said(world: &World) -> Vec<Value> {
    let last = world.model.requests().pop().unwrap();
    last["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "assistant").cloned().collect()
}

fn answered(report: &Value) {
    assert_eq!((&report["state"], &report["answer"]), (&json!("answered"), &json!(ANSWER)), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_service_wants_back_comes_back() {
    let thought = json!({"reasoning_content": "I should look that up."});
    for (preset, beside, within, pointer) in [
        ("deepseek", thought.clone(), json!({}), "/reasoning_content"),
        ("moonshot", thought.clone(), json!({}), "/reasoning_content"),
        ("zai", thought, json!({}), "/reasoning_content"),
        ("gemini_openai", json!({}), json!({"extra_content": {"google": {"thought_signature": "c2ln"}}}), "/tool_calls/0/extra_content"),
    ] {
        let world = World::new(|url| both_with(url, &beside, &within)).await;
        let provider = if preset == "gemini_openai" { String::new() } else { format!("preset = \"{preset}\"") };
        answered(&world.ask("openai_compatible", "", &provider).await);
        let expected = beside.get("reasoning_content").or(within.get("extra_content")).unwrap();
        let said = said(&world);
        assert_eq!((said.len(), world.asked()), (2, 3), "{preset}");
        assert!(said.iter().all(|message| message.pointer(pointer) == Some(expected)), "{preset}: {said:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_service_said_is_not_shown_to_another() {
    // The first model thinks, searches and is gone; the second goes on without the first one's thoughts.
    let dead = || Scripted::Status(500, vec![("retry-after", "0")], "{\"error\":{\"message\":\"gone\"}}");
    let thought = json!({"reasoning_content": "A thought of the first."});
    let world = World::new(|_| {
        vec![call_with("web_search", &json!({"queries": ["orvik lighthouse"]}), thought, json!({})), dead(), dead(), dead(), dead()]
    })
    .await;
    let second = LlmServer::start(KEY, Duration::ZERO, vec![read(&world.site.url("/lighthouse")), Scripted::Text(ANSWER)]).await;
    let more = format!(
        "[providers.second]\ntype = \"openai_compatible\"\npreset = \"deepseek\"\nbase_url = \"{}\"\nmodel = \"other\"\napi_key_env = \"TEST_KEY\"\n",
        second.base_url
    );
    let settings =
        world.settings("openai_compatible", "llm_max_retries = 1", "preset = \"deepseek\"").replace("[\"work\"]", "[\"work\", \"second\"]");
    let report = run(format!("{settings}{more}"), &[]).await.0;
    answered(&report);
    assert_eq!(second.problems(), Vec::<String>::new());
    assert!(second.requests().iter().all(|request| !request.to_string().contains("A thought of the first")), "{:?}", second.requests());
    // Who wrote the answer, and why it was not the one that was chosen.
    assert_eq!(report["incident"]["action"]["type"], json!("next_model"), "{report}");
    assert!(report["reason"].as_str().unwrap().contains("other"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_keeps_its_reasoning_and_stores_nothing() {
    // Asked for, and chosen by itself where a model is nowhere else.
    let elsewhere = Scripted::Status(
        404,
        vec![],
        "{\"error\":{\"message\":\"This model is only supported in v1/responses and not in v1/chat/completions.\",\"type\":\"invalid_request_error\"}}",
    );
    for (provider, before) in [("api = \"responses\"", None), ("", Some(elsewhere))] {
        let world = World::new(|url| before.into_iter().chain(whole(url)).collect()).await;
        let report = world.ask("openai_compatible", "", provider).await;
        answered(&report);
        world.asked();
        let last = world.model.requests().pop().unwrap();
        let reasoning = last["input"].as_array().unwrap().iter().filter(|item| item["type"] == "reasoning").count();
        assert_eq!(reasoning, 2, "{last}");
        assert_eq!(report["tokens"]["cached"], json!(120), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_field_is_left_out_from_then_on_and_remembered() {
    let refusals = [
        (
            422,
            "{\"message\":{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"stream_options\"],\"msg\":\"Extra inputs are not permitted\"}]}}",
            "stream_options",
        ),
        (
            400,
            "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.\",\"param\":\"max_tokens\",\"code\":\"unsupported_parameter\"}}",
            "max_tokens",
        ),
    ];
    for (status, body, field) in refusals {
        let world = World::new(|url| {
            let mut script = vec![Scripted::Status(status, vec![], body)];
            script.extend(whole(url));
            script.extend(whole(url));
            script
        })
        .await;
        let settings = world.settings("openai_compatible", "", "");
        let reports = tokio::task::spawn_blocking(move || {
            let place = Place::new(&settings);
            [place.run(&["ask", QUESTION, "--json"]), place.run(&["ask", QUESTION, "--json"])].map(|output| parsed(&output))
        })
        .await
        .unwrap();
        reports.iter().for_each(answered);
        // The second process begins with what the first one learned.
        assert_eq!(world.asked(), 7, "{field}");
        let requests = world.model.requests();
        assert!(requests[0].get(field).is_some() && requests[1..].iter().all(|request| request.get(field).is_none()), "{field}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_is_full_is_learned_and_room_is_made() {
    for body in [
        "{\"error\":{\"message\":\"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.\",\"code\":\"context_length_exceeded\"}}",
        "{\"error\":{\"code\":400,\"message\":\"the request exceeds the available context size\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":9000,\"n_ctx\":8192}}",
        "{\"error\":{\"message\":\"litellm.ContextWindowExceededError: This model's maximum context length is 8192 tokens.\",\"code\":\"400\"}}",
    ] {
        let world = World::new(|url| {
            vec![search(), read(url), Scripted::Status(400, vec![], body), Scripted::Text(ANSWER), Scripted::Text(ANSWER)]
        })
        .await;
        let report = world.ask("openai_compatible", "", "").await;
        assert!(["answered", "partial"].contains(&report["state"].as_str().unwrap()), "{body}: {report}");
        assert!(report["answer"].as_str().unwrap().contains("1877"), "{body}: {report}");
        assert!(world.asked() <= 5, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_cut_off_while_thinking_gets_more_room() {
    let cut = || {
        events(&[
            delta(json!({"reasoning_content": "I think and think."}), Value::Null),
            delta(json!({}), json!("length")),
            json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}),
        ])
    };
    let world = World::new(|url| vec![cut(), search(), read(url), Scripted::Text(ANSWER)]).await;
    answered(&world.ask("openai_compatible", "max_output_tokens = 4000", "").await);
    let requests = world.model.requests();
    assert!(requests[1]["max_tokens"].as_u64() > requests[0]["max_tokens"].as_u64(), "{} {}", requests[0], requests[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_for_good_leaves_what_was_read() {
    let world = World::new(|url| {
        vec![search(), read(url), Scripted::Status(401, vec![], "{\"error\":{\"message\":\"Incorrect API key provided\"}}")]
    })
    .await;
    let report = world.ask("openai_compatible", "", "").await;
    assert_eq!((&report["state"], report["sources"].as_array().unwrap().len()), (&json!("partial"), 1), "{report}");
    let answer = report["answer"].as_str().unwrap();
    assert!(answer.contains("1877") && answer.contains("[1]"), "{answer}");
    let reason = report["reason"].as_str().unwrap();
    assert!(reason.starts_with("work refused the API key") && reason.contains("without the model"), "{reason}");
}

#[tokio::test(flavor = "multi_thread")]
async fn six_mistakes_are_six_sentences_with_a_way_out() {
    let mut seen = Vec::new();
    for (reply, says, way_out) in [
        (Some((401, "{\"error\":{\"message\":\"Incorrect API key provided\"}}")), "refused the API key", "Settings"),
        (Some((404, "{\"detail\":\"Not Found\"}")), "has nothing at", "base URL"),
        (
            Some((404, "{\"error\":{\"message\":\"The model `test-model` does not exist\",\"code\":\"model_not_found\"}}")),
            "no model \"test-model\"",
            "Choose another",
        ),
        (Some((200, "<!doctype html><html><body>Please log in</body></html>")), "web page", "base URL"),
        (Some((402, "{\"error\":{\"message\":\"Insufficient Balance\"}}")), "balance", "model"),
        (None, "not be reached", "online"),
    ] {
        let script: Vec<Scripted> = match reply {
            Some((200, body)) => vec![Scripted::Raw("text/html", body); 4],
            Some((status, body)) => vec![Scripted::Status(status, vec![], body); 4],
            None => Vec::new(),
        };
        let world = World::new(|_| script).await;
        let mut settings = world.settings("openai_compatible", "llm_max_retries = 1", "");
        if reply.is_none() {
            settings = settings.replace(&world.model.base_url, "http://127.0.0.1:1/v1");
        }
        let (report, log) = run(settings, &[]).await;
        let reason = report["reason"].as_str().unwrap_or(&log).to_owned();
        assert_eq!(report["state"], json!("failed"), "{says}: {report} {log}");
        assert!(reason.contains(says) && reason.contains(way_out), "{says}, {way_out}: {reason}");
        assert!(!reason.contains("<html") && !reason.contains(KEY), "{reason}");
        seen.push(reason);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 6, "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_and_the_web_are_asked_together() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("harbour.md"), "# Orvik\n\nThe lighthouse of Orvik was paid for by the fishermen's guild.\n")
        .unwrap();
    // Without a model: the built-in researcher quotes what both have.
    let world = World::new(|_| Vec::new()).await;
    let settings = world
        .settings("openai_compatible", "", "")
        .replace("[\"work\"]", "[\"builtin\"]")
        .replace("[\"searx\"]", "[\"documents\", \"searx\"]")
        .replace("[network]", &format!("[documents]\nfolders = [{:?}]\n[network]", folder.path().display().to_string()));
    let (report, log) = run(settings, &[]).await;
    let sources = report["sources"].to_string();
    assert!(sources.contains("harbour.md") && sources.contains("/lighthouse"), "{report} {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn services_that_all_fail_are_each_told_with_what_they_said() {
    let refusing = |status: &str, body: &str| {
        let reply = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        RawServer::start(reply.into_bytes(), End::Close)
    };
    let refused = refusing("401 Unauthorized", "{\"message\":\"This token has expired.\"}").await;
    let busy = refusing("429 Too Many Requests", "{\"error\":\"Nine requests a minute, please.\"}").await;
    let world = World::new(|_| vec![search(), Scripted::Text("Nothing could be searched.")]).await;
    let settings = world
        .settings("openai_compatible", "", "")
        .replace("[\"searx\"]", "[\"one\", \"two\"]")
        .replace("[network]", &format!(
            "[providers.one]\ntype = \"tavily\"\nbase_url = {:?}\napi_key_env = \"TEST_KEY\"\n[providers.two]\ntype = \"serper\"\nbase_url = {:?}\napi_key_env = \"TEST_KEY\"\n[network]",
            format!("http://{}", refused.host), format!("http://{}", busy.host)
        ));
    let (report, log) = run(settings, &["--verbose"]).await;
    let told: Vec<&str> = report["incidents"].as_array().unwrap().iter().filter_map(|incident| incident["service"].as_str()).collect();
    assert_eq!(told, ["one", "two"], "scripts learn of it, too: {report}");
    for (service, says) in [("one", "This token has expired."), ("two", "Nine requests a minute, please.")] {
        let line = log.lines().find(|line| line.contains(service) && line.contains(says));
        assert!(line.is_some(), "{service}: {report} {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_down_is_left_alone_and_every_failure_is_told() {
    let world = World::new(whole).await;
    let down =
        LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Status(503, vec![], "{\"error\":{\"message\":\"Moving house\"}}"); 9]).await;
    let empty = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Status(402, vec![], "{}"); 9]).await;
    let provider = |name: &str, model: &LlmServer| {
        format!(
            "[providers.{name}]\ntype = \"openai_compatible\"\nbase_url = {:?}\nmodel = \"m\"\napi_key_env = \"TEST_KEY\"\n",
            model.base_url
        )
    };
    let settings = world.settings("openai_compatible", "llm_max_retries = 1", "").replace("[\"work\"]", "[\"down\", \"empty\", \"work\"]")
        + &provider("down", &down)
        + &provider("empty", &empty);
    let (report, log) = run(settings, &[]).await;
    answered(&report);
    assert_eq!((down.requests().len(), empty.requests().len()), (2, 1), "once with its repetition, and never again in this run");
    let told = report["incidents"].to_string();
    assert!(told.contains("Moving house") && told.contains("\"no_balance\"") && log.contains("balance"), "{told} {log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_are_described_in_words_however_the_refusal_is_written() {
    for words in ["`tool calling` is not supported with this model", "'tools' is not supported with this model"] {
        let body: &'static str = Box::leak(format!("{{\"error\":{{\"message\":\"{words}\"}}}}").into_boxed_str());
        let world = World::new(|_| vec![Scripted::Status(400, vec![], body), Scripted::Text("I know it.")]).await;
        let report = world.ask("openai_compatible", "", "").await;
        assert_eq!(report["state"], json!("answered"), "{words}: {report}");
        assert_eq!(world.asked(), 2, "{words}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_of_money_without_a_price_asks_first() {
    // The address is of no service whose prices are known, and it is not of this machine.
    let world = World::new(whole).await;
    let settings = world.settings("openai_compatible", "max_cost = 0.5", "preset = \"together\"");
    let (report, log) = run(settings.clone(), &[]).await;
    assert!(report.is_null() && log.contains("price") && log.contains("--any-cost"), "{report} {log}");
    assert_eq!(world.asked(), 0, "nothing was spent");
    answered(&run(settings, &["--any-cost"]).await.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_names_a_provider_and_one_of_its_models() {
    let world = World::new(whole).await;
    let settings = world.settings("openai_compatible", "", "").replace("[\"work\"]", "[\"work/vendor/large-2\"]");
    answered(&run(settings, &[]).await.0);
    assert!(world.model.requests().iter().all(|request| request["model"] == "vendor/large-2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_model_does_side_tasks_and_is_left_out_once_it_has_failed() {
    for fails in [false, true] {
        let page = crate::support::long_page("Orvik", 60, "The lighthouse of Orvik was lit for the first time on 3 October 1877.");
        let site = Site::start(&[("/long", &page), ("/other", &page)]).await;
        let read = |path: &str| Scripted::Calls(vec![("web_get", json!({"urls": [site.url(path)], "instructions": "when it was lit"}))]);
        let notes = || Scripted::Text("It was first lit on 3 October 1877.");
        // What the side model cannot do, the main one does.
        let script = if fails {
            vec![read("/long"), notes(), read("/other"), notes(), Scripted::Text(ANSWER)]
        } else {
            vec![read("/long"), read("/other"), Scripted::Text(ANSWER)]
        };
        let model = LlmServer::start(KEY, Duration::ZERO, script).await;
        let refused = || Scripted::Status(401, vec![], "{\"error\":{\"message\":\"Incorrect API key provided\"}}");
        let side = LlmServer::start(KEY, Duration::ZERO, if fails { vec![refused()] } else { vec![notes(), notes()] }).await;
        let settings = model_settings(
            "openai_compatible",
            &model.base_url,
            "http://127.0.0.1:1",
            &site.host,
            "side_model = \"side/cheap\"\nside_tasks = [\"extraction\"]",
            "api_key_env = \"TEST_KEY\"",
        ) + &format!(
            "[providers.side]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"x\"\napi_key_env = \"TEST_KEY\"\n",
            side.base_url
        );
        let (report, log) = run(settings, &[]).await;
        answered(&report);
        assert_eq!((model.problems(), side.problems()), (Vec::new(), Vec::new()));
        let asked = (model.requests().len(), side.requests().len());
        assert_eq!(asked, if fails { (5, 1) } else { (3, 2) }, "{log}");
        assert!(side.requests().iter().all(|request| request["model"] == "cheap"));
        assert_eq!(log.contains("refused the API key"), fails, "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn half_an_answer_and_a_refusal_are_told_as_what_they_are() {
    let half = || events(&[delta(json!({"content": "It was first"}), Value::Null), delta(json!({}), json!("error"))]);
    let world = World::new(|url| vec![search(), read(url), half(), Scripted::Text(ANSWER)]).await;
    answered(&world.ask("openai_compatible", "", "").await);
    assert_eq!(world.asked(), 4);
    let refusal = events(&[delta(json!({"refusal": "I can't help with that."}), Value::Null), delta(json!({}), json!("stop"))]);
    let world = World::new(|_| vec![refusal]).await;
    let report = world.ask("openai_compatible", "", "").await;
    assert!(report.to_string().contains("I can't help with that."), "{report}");
}

//! Every fault of SAFETY's table, as bytes on the wire: what the endpoint does, what must happen.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use nexi_testkit::{End, LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, record, web_settings};

const SSE: &str = "text/event-stream";

fn event(delta: Value, finish: Option<&str>) -> Vec<u8> {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})).into_bytes()
}

fn words(text: &str) -> Vec<u8> {
    event(json!({"content": text}), None)
}

fn done() -> Vec<u8> {
    let mut out = event(json!({}), Some("stop"));
    out.extend(b"data: [DONE]\n\n");
    out
}

/// A stream of these pieces.
fn stream(pieces: Vec<Vec<u8>>, end: End) -> Scripted {
    Scripted::Wire(SSE, pieces.into_iter().map(|piece| (Duration::ZERO, piece)).collect(), end)
}

async fn ask_with(script: Vec<Scripted>, more: &'static str, name: &'static str) -> (Value, LlmServer) {
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, "http://127.0.0.1:1", "wiki.lan", more);
    let report = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let report = parsed(&place.run(&["ask", "x?", "--json"]));
        if !name.is_empty() {
            record(&place, name);
        }
        report
    })
    .await
    .unwrap();
    (report, model)
}

async fn ask(script: Vec<Scripted>) -> (Value, LlmServer) {
    ask_with(script, "model_timeout = 2\nllm_max_retries = 2", "").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_before_the_first_word_is_retried() {
    for end in [End::Reset, End::Close] {
        let (report, model) = ask(vec![stream(vec![], end), Scripted::Text("Fine.")]).await;
        assert_eq!((&report["state"], &report["answer"], model.requests().len()), (&json!("answered"), &json!("Fine."), 2), "{end:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reset_in_the_middle_is_rerun_at_most_twice_and_nothing_is_doubled() {
    let half = || stream(vec![words("This half "), words("is lost. ")], End::Reset);
    let (report, model) = ask(vec![half(), half(), Scripted::Text("This half is whole.")]).await;
    assert_eq!((&report["answer"], model.requests().len()), (&json!("This half is whole."), 3));
    // The third time it is over; what was visible is kept and the failure named.
    let (report, model) = ask_with(vec![half(), half(), half()], "model_timeout = 2\nllm_max_retries = 5", "broken-thrice").await;
    assert_eq!(
        (&report["state"], &report["answer"], model.requests().len()),
        (&json!("failed"), &json!("This half is lost."), 3),
        "{report}"
    );
    assert!(report["reason"].as_str().unwrap().contains("broke in the middle"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_tool_call_is_never_carried_out() {
    let site = Site::start(&[("/a", "<p>x</p>")]).await;
    let arguments = format!("{{\"urls\": [\"{}\"]", site.url("/a"));
    let call =
        |text: &str| event(json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "web_get", "arguments": text}}]}), None);
    let (report, model) = ask(vec![stream(vec![call(&arguments)], End::Close), Scripted::Text("Fine.")]).await;
    assert_eq!((&report["answer"], model.requests().len(), site.asked("/a")), (&json!("Fine."), 2, 0));
    // Cut by the output limit: dropped as well.
    let cut = stream(vec![call(&arguments), event(json!({}), Some("length"))], End::Close);
    let (report, _) = ask(vec![cut, Scripted::Text("Fine.")]).await;
    assert_eq!((&report["answer"], site.asked("/a")), (&json!("Fine."), 0));
    // Whole but broken: an error that the model sees.
    let broken = stream(vec![call("{\"urls\": [\"http"), event(json!({}), Some("tool_calls")), done()], End::Close);
    let (report, model) = ask_with(vec![broken, Scripted::Text("Fine.")], "model_timeout = 2", "broken-arguments").await;
    assert_eq!(report["answer"], json!("Fine."));
    assert!(model.requests()[1].to_string().contains("not valid JSON"));
    assert_eq!(model.problems(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_form_of_retry_after_is_honoured() {
    for (header, value, at_least) in [("retry-after-ms", "700", 700), ("retry-after", "1", 1000)] {
        let began = Instant::now();
        let (report, _) = ask(vec![Scripted::Status(429, vec![(header, value)], "{}"), Scripted::Text("Fine.")]).await;
        assert_eq!(report["answer"], json!("Fine."));
        assert!(began.elapsed() >= Duration::from_millis(at_least), "{header}");
    }
    // A date in the past means at once, one far off is shown.
    let (report, _) =
        ask(vec![Scripted::Status(503, vec![("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], "{}"), Scripted::Text("Fine.")]).await;
    assert_eq!(report["answer"], json!("Fine."));
    let (report, model) = ask(vec![Scripted::Status(503, vec![("retry-after", "Wed, 21 Oct 2099 07:28:00 GMT")], "{}")]).await;
    assert_eq!((&report["state"], model.requests().len()), (&json!("failed"), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn statuses_are_retried_or_not() {
    for status in [408, 409, 429, 500, 502, 503, 504, 529] {
        let (report, model) =
            ask(vec![Scripted::Status(status, vec![("retry-after-ms", "1")], "<html>oops</html>"), Scripted::Text("Fine.")]).await;
        assert_eq!((&report["answer"], model.requests().len()), (&json!("Fine."), 2), "{status}");
    }
    for status in [400, 401, 403, 404, 413, 422] {
        let (report, model) = ask(vec![Scripted::Status(status, vec![], "<html><h1>No</h1></html>")]).await;
        assert_eq!((&report["state"], model.requests().len()), (&json!("failed"), 1), "{status}");
        assert!(!report["reason"].as_str().unwrap().contains('<'), "no raw HTML: {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_is_told_at_the_beginning_and_in_the_middle() {
    let middle = || stream(vec![words("Half ")], End::Hang);
    for silent in [Scripted::Silence, stream(vec![], End::Hang), middle()] {
        let (report, model) = ask(vec![silent, Scripted::Text("Fine.")]).await;
        assert_eq!((&report["answer"], model.requests().len()), (&json!("Fine."), 2));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_stopped_while_its_model_is_silent() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![stream(vec![words("Half ")], End::Hang)]).await;
    let settings = web_settings(&model.base_url, "http://127.0.0.1:1", "wiki.lan", "");
    let (took, last) = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let mut child = place.nexi(&["ask", "x?", "--jsonl"]).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        // Stopped once something has come of the answer.
        assert!(lines.any(|line| line.contains("Half")));
        let stopped = Instant::now();
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let last = lines.last().unwrap();
        child.wait().unwrap();
        (stopped.elapsed(), serde_json::from_str::<Value>(&last).unwrap())
    })
    .await
    .unwrap();
    assert!(last.to_string().contains("cancelled") && last.to_string().contains("Half"), "{last}");
    // The model would be waited for a minute.
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_decoded_by_the_specification() {
    let text = "Grüße aus 大阪 [x].";
    let whole: Vec<u8> = [words(text), done()].concat();
    // Cut inside a character, with a byte order mark, comments, CRLF and CR.
    let cut: Vec<Vec<u8>> = whole.chunks(3).map(<[u8]>::to_vec).collect();
    let mut marked = b"\xef\xbb\xbf: welcome\n\n".to_vec();
    marked.extend(&whole);
    let string = String::from_utf8(whole.clone()).unwrap();
    let lines = |end: &str| vec![string.replace('\n', end).into_bytes()];
    for (name, pieces) in [("cut", cut), ("marked", vec![marked]), ("CRLF", lines("\r\n")), ("CR", lines("\r"))] {
        let (report, _) = ask(vec![stream(pieces, End::Close)]).await;
        assert_eq!(report["answer"], json!(text), "{name}: {report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_pieces_are_skipped_and_an_empty_reply_is_asked_for_once_more() {
    let noise = || {
        vec![
            b"data: {\"choices\":[]}\n\n".to_vec(),
            b"data: {\"choices\":[{\"index\":0,\"delta\":{}}]}\n\n".to_vec(),
            b"data: {\"choices\":null,\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":1}}\n\n".to_vec(),
        ]
    };
    let mut fine = noise();
    fine.extend([words("Fine."), done()]);
    assert_eq!(ask(vec![stream(fine, End::Close)]).await.0["answer"], json!("Fine."));
    let empty = || {
        let mut pieces = noise();
        pieces.push(done());
        stream(pieces, End::Close)
    };
    let (report, model) = ask(vec![empty(), Scripted::Text("Fine.")]).await;
    assert_eq!((&report["answer"], model.requests().len()), (&json!("Fine."), 2));
    let (report, model) = ask_with(vec![empty(), empty()], "model_timeout = 2", "empty-twice").await;
    assert_eq!((&report["state"], model.requests().len()), (&json!("failed"), 2));
    assert!(report["reason"].as_str().unwrap().contains("sent nothing, twice"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_get_unique_ids_and_unknown_tools_an_error() {
    let search = SearchServer::start(200, &[]).await;
    let call =
        |id: Value, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let twice = json!({"tool_calls": [
        call(json!("same"), "web_search", "{\"queries\":[\"a\"]}"),
        call(json!("same"), "web_search", "{\"queries\":[\"b\"]}"),
    ]});
    let odd = json!({"tool_calls": [call(json!(null), "run_shell", "{}"), call(json!(""), "web_search", "{\"queries\":[\"c\"]}")]});
    let reply = |delta: &Value| {
        // Whole calls, each with its place.
        let mut delta = delta.clone();
        for (index, call) in delta["tool_calls"].as_array_mut().unwrap().iter_mut().enumerate() {
            call["index"] = json!(index);
        }
        stream(vec![event(delta, None), event(json!({}), Some("tool_calls")), b"data: [DONE]\n\n".to_vec()], End::Close)
    };
    let model = LlmServer::start(KEY, Duration::ZERO, vec![reply(&twice), reply(&odd), Scripted::Text("Fine.")]).await;
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "");
    let report = tokio::task::spawn_blocking(move || {
        let place = Place::new(&settings);
        let report = parsed(&place.run(&["ask", "x?", "--json"]));
        record(&place, "odd-calls");
        report
    })
    .await
    .unwrap();
    assert_eq!((&report["answer"], model.problems()), (&json!("Fine."), Vec::<String>::new()));
    let mut queries = search.queries();
    queries.sort();
    assert_eq!(queries, ["a", "b", "c"], "every call is carried out");
    assert!(model.requests()[2].to_string().contains("There is no tool"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_without_end_is_ended() {
    // One event of two megabytes.
    let (report, _) =
        ask_with(vec![stream(vec![words(&"x".repeat(2 << 20)), done()], End::Close)], "model_timeout = 5\nllm_max_retries = 1", "").await;
    assert_eq!(report["state"], json!("failed"));
    assert!(report["reason"].as_str().unwrap().contains("larger than 1 MiB"), "{report}");
    // Words without end: over after 16 MiB of them.
    let piece = words(&"word ".repeat(100_000));
    let (report, _) = ask_with(vec![stream(vec![piece; 60], End::Hang)], "model_timeout = 20\nllm_max_retries = 1", "").await;
    assert_eq!(report["state"], json!("failed"));
    assert!(report["reason"].as_str().unwrap().contains("never ends"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_says_nothing_keeps_no_reply_alive() {
    let call = |name: &str, piece: &str| {
        event(json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": name, "arguments": piece}}]}), None)
    };
    let nothing: [(&str, Vec<u8>); 4] = [
        ("comments", b": still here\n\n".to_vec()),
        ("empty deltas", event(json!({}), None)),
        ("empty text", words("")),
        ("empty pieces of a call", call("", "")),
    ];
    for (what, piece) in nothing {
        // Several a second, for longer than anybody waits; the call had begun.
        let mut pieces = vec![(Duration::ZERO, call("final_answer", "{\"answer\": \"x"))];
        pieces.extend((0..60).map(|_| (Duration::from_millis(250), piece.clone())));
        let script = vec![Scripted::Wire(SSE, pieces, End::Hang)];
        let began = Instant::now();
        let (report, _) = ask_with(script, "model_timeout = 3\nllm_max_retries = 1", "").await;
        assert!(report["state"] == json!("failed") || report["state"] == json!("partial"), "{what}: {report}");
        assert!(began.elapsed() < Duration::from_secs(14), "{what}: it was waited for until the end");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_calls_and_too_large_arguments_are_refused() {
    let search = SearchServer::start(200, &[]).await;
    let many: Vec<(&'static str, Value)> = (0..20).map(|index| ("web_search", json!({"queries": [format!("query {index}")]}))).collect();
    let large = vec![("web_search", json!({"queries": ["x".repeat(70_000)]}))];
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Calls(many), Scripted::Calls(large), Scripted::Text("Fine.")]).await;
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "");
    let report = tokio::task::spawn_blocking(move || parsed(&Place::new(&settings).run(&["ask", "x?", "--json"]))).await.unwrap();
    assert_eq!((&report["answer"], search.queries().len(), model.problems()), (&json!("Fine."), 16, Vec::<String>::new()));
    let last = model.requests().pop().unwrap().to_string();
    assert!(last.contains("Only 16 calls are carried out at a time") && last.contains("larger than 65536 bytes"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_thousand_calls_cost_no_more_than_reading_them() {
    let search = SearchServer::start(200, &[]).await;
    let call =
        |index: usize| json!({"index": index, "id": "same", "function": {"name": "web_search", "arguments": "{\"queries\":[\"a\"]}"}});
    let piece = |piece: usize| event(json!({"tool_calls": (piece * 500..(piece + 1) * 500).map(call).collect::<Vec<_>>()}), None);
    let mut pieces: Vec<Vec<u8>> = (0..200).map(piece).collect();
    pieces.extend([event(json!({}), Some("tool_calls")), b"data: [DONE]\n\n".to_vec()]);
    let model = LlmServer::start(KEY, Duration::ZERO, vec![stream(pieces, End::Close), Scripted::Text("Fine.")]).await;
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "");
    let begun = Instant::now();
    let report = tokio::task::spawn_blocking(move || parsed(&Place::new(&settings).run(&["ask", "x?", "--json"]))).await.unwrap();
    assert_eq!((&report["answer"], model.problems()), (&json!("Fine."), Vec::<String>::new()));
    // Comparing each with each takes minutes.
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    let last = model.requests().pop().unwrap().to_string();
    assert!(last.contains("Only 16 calls are carried out at a time") && last.len() < 200_000, "{} bytes", last.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_cannot_be_made_are_named() {
    // Nobody listens; a name that does not exist; a server that does not speak TLS.
    let plain = LlmServer::start(KEY, Duration::ZERO, vec![]).await;
    for (address, retries, wanted) in [
        ("http://127.0.0.1:1/v1".to_owned(), 1, "could not be reached"),
        ("http://no-such-host.invalid/v1".to_owned(), 1, "could not be reached"),
        (plain.base_url.replace("http://", "https://"), 5, "secure connection"),
    ] {
        let began = Instant::now();
        let settings = web_settings(&address, "http://127.0.0.1:1", "wiki.lan", &format!("llm_max_retries = {retries}"));
        let report = tokio::task::spawn_blocking(move || parsed(&Place::new(&settings).run(&["ask", "x?", "--json"]))).await.unwrap();
        assert_eq!(report["state"], json!("failed"));
        assert!(report["reason"].as_str().unwrap().contains(wanted), "{address}: {report}");
        if retries == 5 {
            assert!(began.elapsed() < Duration::from_secs(2), "TLS failures are never retried");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_wire_formats_fail_as_well() {
    let world = [
        (
            "anthropic",
            "text/event-stream",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
        ),
        (
            "anthropic",
            "text/event-stream",
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5}}}\n\n",
        ),
        ("gemini", "text/event-stream", "data: {\"error\":{\"code\":503,\"message\":\"try again\",\"status\":\"UNAVAILABLE\"}}\n\n"),
        ("gemini", "text/event-stream", "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"half\"}]}}]}\n\n"),
        ("ollama", "application/x-ndjson", "{\"message\":{\"role\":\"assistant\",\"content\":\"half\"},\"done\":false}\n"),
        ("ollama", "application/x-ndjson", "{\"error\":\"llama runner process has terminated\"}\n"),
    ];
    for (kind, content_type, raw) in world {
        let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Raw(content_type, raw), Scripted::Text("Fine.")]).await;
        let settings = crate::support::model_settings(
            kind,
            &model.root(),
            "http://127.0.0.1:1",
            "wiki.lan",
            "llm_max_retries = 1",
            "api_key_env = \"TEST_KEY\"",
        );
        let report = tokio::task::spawn_blocking(move || parsed(&Place::new(&settings).run(&["ask", "x?", "--json"]))).await.unwrap();
        assert_eq!(
            (&report["state"], &report["answer"], model.requests().len()),
            (&json!("answered"), &json!("Fine."), 2),
            "{kind} {raw}: {report}"
        );
    }
}

//! Model endpoints and search backends that misbehave.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, web_settings};

async fn ask(script: Vec<Scripted>) -> (Value, LlmServer) {
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, "http://127.0.0.1:1", "wiki.lan", "model_timeout = 2");
    let output = tokio::task::spawn_blocking(move || Place::new(&settings).run(&["ask", "x?", "--json"])).await.unwrap();
    (parsed(&output), model)
}

#[tokio::test(flavor = "multi_thread")]
async fn passing_failures_are_retried_and_nothing_is_doubled() {
    for (name, fault) in [
        (
            "rate limit",
            Scripted::Status(
                429,
                vec![("retry-after-ms", "50")],
                "{\"error\":{\"message\":\"slow down\",\"code\":\"rate_limit_exceeded\"}}",
            ),
        ),
        ("trouble", Scripted::Status(503, vec![("retry-after", "0")], "<html>oops</html>")),
        ("broken stream", Scripted::Broken("This half is lost and must not be seen twice.")),
        (
            "no finish reason",
            Scripted::Raw("text/event-stream", "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\ndata: [DONE]\n\n"),
        ),
        ("silence", Scripted::Silence),
        ("wrong type", Scripted::Raw("image/png", "PNG")),
        ("error in the stream", Scripted::Raw("text/event-stream", "data: {\"error\":{\"message\":\"overloaded\"}}\n\n")),
        ("nothing at all", Scripted::Raw("text/event-stream", "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")),
    ] {
        let (report, model) = ask(vec![fault, Scripted::Text("Fine.")]).await;
        assert_eq!((&report["state"], &report["answer"]), (&json!("answered"), &json!("Fine.")), "{name}: {report}");
        assert_eq!(model.requests().len(), 2, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn final_failures_are_not_retried_and_say_what_to_do() {
    for (fault, wanted) in [
        (Scripted::Status(401, vec![], "{\"error\":{\"message\":\"bad key\",\"code\":401}}"), "refused the API key (401)"),
        (Scripted::Status(404, vec![], "{\"detail\":\"Not Found\"}"), "has nothing at"),
        (
            Scripted::Status(404, vec![], "{\"error\":{\"message\":\"The model does not exist\",\"code\":\"model_not_found\"}}"),
            "has no model",
        ),
        (Scripted::Raw("text/html", "<html>login</html>"), "answered with a web page"),
        (Scripted::Status(400, vec![], "{\"error\":{\"message\":\"too odd\"}}"), "too odd"),
        (Scripted::Status(429, vec![], "{\"error\":{\"message\":\"quota\",\"code\":\"insufficient_quota\"}}"), "no balance"),
        (Scripted::Status(429, vec![("retry-after", "500")], "{}"), "9 minutes"),
    ] {
        let (report, model) = ask(vec![fault]).await;
        assert_eq!(report["state"], json!("failed"));
        assert!(report["reason"].as_str().unwrap().contains(wanted), "{report}");
        assert_eq!(model.requests().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_but_understandable_replies_are_understood() {
    for raw in [
        // Whole JSON where a stream was asked for.
        Scripted::Raw(
            "application/json",
            r#"{"choices":[{"message":{"role":"assistant","content":"Fine."},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#,
        ),
        // Arguments as an object, no id, no index.
        Scripted::Raw(
            "text/event-stream",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"final_answer\",\"arguments\":{\"answer\":\"Fine.\"}}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        ),
        // CRLF, comments, fields of other vendors.
        Scripted::Raw(
            "text/event-stream",
            ": hello\r\n\r\ndata: {\"id\":1,\"x_vendor\":{},\"choices\":[{\"delta\":{\"content\":\"Fine.\",\"reasoning_content\":null},\"finish_reason\":\"stop\",\"logprobs\":null}],\"usage\":null}\r\n\r\ndata: [DONE]\r\n\r\n",
        ),
    ] {
        let (report, _) = ask(vec![raw]).await;
        assert_eq!((&report["state"], &report["answer"]), (&json!("answered"), &json!("Fine.")), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cut_and_refused_answers_are_labelled() {
    let cut = Scripted::Raw(
        "text/event-stream",
        "data: {\"choices\":[{\"delta\":{\"content\":\"Half an ans\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
    );
    let (report, _) = ask(vec![cut]).await;
    assert_eq!((&report["state"], &report["answer"]), (&json!("partial"), &json!("Half an ans")));
    let refused =
        Scripted::Raw("text/event-stream", "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"content_filter\"}]}\n\ndata: [DONE]\n\n");
    let (report, _) = ask(vec![refused]).await;
    assert_eq!(report["state"], json!("failed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_search_chain_goes_on_when_a_backend_fails() {
    let broken = SearchServer::start(403, &[]).await;
    let wiki = SearchServer::start(200, &[("Aldermoor Bridge", "", "A <span>bridge</span>")]).await;
    let settings = format!(
        "search_backends = [\"searx\", \"wiki\"]\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n[providers.wiki]\ntype = \"wikipedia\"\nbase_url = \"{}\"\n",
        broken.base_url, wiki.base_url
    );
    let output =
        tokio::task::spawn_blocking(move || Place::new(&settings).run(&["ask", "When was the Aldermoor bridge opened?", "--json"]))
            .await
            .unwrap();
    let report = parsed(&output);
    assert_eq!(wiki.queries(), ["When was the Aldermoor bridge opened"]);
    assert_eq!(wiki.problems(), Vec::<String>::new());
    // The result's page is on loopback, so the guard keeps us away from it.
    assert!(report["answer"].as_str().unwrap().contains("none of the pages could be read"), "{report}");
}

#[test]
fn a_data_folder_that_cannot_be_written_is_named() {
    let place = Place::new("");
    // A file where the folder should be: not even root can write there.
    std::fs::write(place.path("data"), "in the way").unwrap();
    let output = place.run(&["ask", "x?"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(crate::support::stderr(&output).contains("data"), "{}", crate::support::stderr(&output));
}

//! Search backends and pages that misbehave on the wire: each becomes a result that the model sees.

use std::time::{Duration, Instant};

use nexi_testkit::{End, LlmServer, RawServer, Scripted};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, stdout, web_settings};

fn head(more: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\n{more}\r\n").into_bytes()
}

/// What a server does with every connection, and what the model must be told.
fn faults(kind: &str) -> Vec<(&'static str, Vec<u8>, End)> {
    let json = kind == "search";
    let content = if json { "content-type: application/json\r\n" } else { "content-type: text/html\r\n" };
    let body: &[u8] = if json { b"{\"results\": []}" } else { b"<html><body><p>Half of a pa" };
    let with = |head: Vec<u8>, body: &[u8]| [head, body.to_vec()].concat();
    vec![
        ("silence", Vec::new(), End::Hang),
        ("reset", Vec::new(), End::Reset),
        ("no end of headers", b"HTTP/1.1 200 OK\r\ncontent-type: te".to_vec(), End::Hang),
        ("no HTTP at all", b"220 mail.example.org ESMTP\r\n".to_vec(), End::Close),
        ("a length that is too long", with(head(&format!("{content}content-length: 90000\r\n")), body), End::Close),
        ("a body that stops", with(head(&format!("{content}content-length: 90000\r\n")), body), End::Hang),
        ("a wrong type", with(head("content-type: image/png\r\ncontent-length: 4\r\n"), b"\x89PNG"), End::Close),
        ("trouble", b"HTTP/1.1 500 Oh\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(), End::Close),
        ("HTML for JSON", with(head("content-type: text/html\r\ncontent-length: 15\r\n"), b"<html></html>  "), End::Close),
        ("broken compression", with(head(&format!("{content}content-encoding: gzip\r\ncontent-length: 9\r\n")), b"not gzip!"), End::Close),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn search_backends_and_readers_that_misbehave_are_results() {
    let mut tasks = Vec::new();
    for kind in ["search", "page"] {
        for (name, bytes, end) in faults(kind) {
            tasks.push(tokio::spawn(async move {
                let server = RawServer::start(bytes, end).await;
                let call = match kind {
                    "search" => ("web_search", json!({"queries": ["bridge"]})),
                    _ => ("web_get", json!({"urls": [format!("http://{}/page", server.host)]})),
                };
                let model =
                    LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Calls(vec![call]), Scripted::Text("I could not find out.")]).await;
                let settings = web_settings(&model.base_url, &format!("http://{}", server.host), &server.host, "provider_timeout = 2");
                let began = Instant::now();
                let report =
                    tokio::task::spawn_blocking(move || parsed(&Place::new(&settings).run(&["ask", "x?", "--json"]))).await.unwrap();
                assert_eq!((&report["state"], &report["sources"]), (&json!("answered"), &json!([])), "{kind}, {name}: {report}");
                assert!(began.elapsed() < Duration::from_secs(25), "{kind}, {name}: {:?}", began.elapsed());
                let told = result(&model);
                let plain = told.contains("Error: ") || told.contains("Could not be read: ");
                assert!(plain && !told.contains("<html") && told.len() < 600, "{kind}, {name}: {told}");
            }));
        }
    }
    for task in tasks {
        task.await.unwrap();
    }
}

fn result(model: &LlmServer) -> String {
    let request: Value = model.requests().pop().unwrap();
    let tool = request["messages"].as_array().unwrap().iter().rfind(|message| message["role"] == "tool").unwrap();
    tool["content"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_end_is_cut_off() {
    // Headers, then more and more of the same for as long as anybody listens.
    let mut endless = head("content-type: text/html\r\n");
    endless.extend(b"<html><body><p>more and more of the same words </p>".repeat(20_000));
    let server = RawServer::endless(endless).await;
    let script =
        vec![Scripted::Calls(vec![("web_get", json!({"urls": [format!("http://{}/page", server.host)]}))]), Scripted::Text("Too much.")];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let settings = web_settings(&model.base_url, "http://127.0.0.1:1", &server.host, "");
    let began = Instant::now();
    let report = tokio::task::spawn_blocking(move || parsed(&Place::new(&settings).run(&["ask", "x?", "--json"]))).await.unwrap();
    assert_eq!(report["state"], json!("answered"));
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(result(&model).contains("Could not be read: "), "{}", result(&model));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_goes_out_by_another_way_than_the_one_that_was_chosen() {
    let site = nexi_testkit::Site::start(&[("/page", "<html><body><p>A page.</p></body></html>")]).await;
    let url = site.url("/page");
    // A slip of the hand in the one line that leads everything through a proxy, and a file that is no TOML any more.
    for (network, named) in [("proxy = \"scoks5://127.0.0.1:9050\"", "network.proxy"), ("proxy = \"socks5://127.0.0.1:9050", "TOML")] {
        let place = Place::new(&format!(
            "search_backends = [\"searx\"]\nfetch_backends = [\"builtin\"]\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"m\"\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n\
             [network]\nallowed_private_hosts = [\"{}\"]\n{network}\n",
            site.url("/v1"),
            site.url(""),
            site.host
        ));
        std::fs::write(place.path("note.md"), "The mill is old.").unwrap();
        let read = place.run(&["read", &place.path("note.md").display().to_string()]);
        assert!(crate::support::stdout(&read).contains("The mill is old"), "what sends nothing works: {}", crate::support::stderr(&read));
        for args in [vec!["read", &url], vec!["search", "bridge"], vec!["ask", "What does the page say?"], vec!["model", "list"]] {
            let output = place.run(&args);
            let said = format!("{}{}", crate::support::stdout(&output), crate::support::stderr(&output));
            assert!(args[0] == "model" || (!output.status.success() && said.contains(named)), "{args:?}: {said}");
        }
        assert_eq!(site.asked_in_all(), 0, "something went out directly");
    }
}

#[test]
fn a_service_that_cannot_be_set_up_does_not_keep_the_documents_from_answering() {
    let place = Place::new("");
    // A file of certificates without any: no secure connection can be set up with it.
    std::fs::write(place.path("empty.pem"), "").unwrap();
    let settings = format!(
        "llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\", \"wikipedia\"]\n[network]\nroot_certificates = [{:?}]\n",
        place.path("empty.pem")
    );
    std::fs::write(place.path("config.toml"), settings).unwrap();
    let asked = parsed(&place.run(&["ask", "Where does Nexi keep my keys?", "--json"]));
    assert_eq!(asked["state"], "answered", "{asked}");
    assert!(asked["answer"].as_str().unwrap().contains("keyring"), "{asked}");
    // It says why the other one was not asked.
    let told = place.run(&["ask", "Where does Nexi keep my keys?", "--jsonl"]);
    assert!(stdout(&told).contains("holds no certificate"), "{}", stdout(&told));
}

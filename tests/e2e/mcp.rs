//! The MCP server, spoken to line by line and over HTTP. Official clients try it in `make conformance`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, long_page, web_settings};

const FACT: &str = "The lighthouse of Orvik was lit for the first time on 3 October 1877.";
const PATIENCE: Duration = Duration::from_secs(20);

/// A client over standard input and output.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    next: u64,
    /// Notifications that came while a result was waited for.
    heard: Vec<Value>,
}

impl Client {
    fn start(place: &Place) -> Self {
        let mut child = place.nexi(&["mcp"]).stdin(Stdio::piped()).spawn().expect("nexi runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let mut client = Self { child, input, lines, next: 0, heard: Vec::new() };
        let hello = client.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}),
        );
        assert_eq!((&hello["serverInfo"]["name"], &hello["protocolVersion"]), (&json!("nexi"), &json!("2025-06-18")), "{hello}");
        assert!(hello["instructions"].as_str().unwrap().contains("untrusted"));
        client.tell("notifications/initialized", json!({}));
        client
    }

    fn write(&mut self, value: &Value) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{value}").and_then(|()| input.flush()).expect("it listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its number.
    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn reply(&mut self, id: u64) -> Value {
        // Replies come in any order.
        if let Some(at) = self.heard.iter().position(|heard| heard["id"] == json!(id)) {
            return self.heard.remove(at);
        }
        loop {
            let value = self.lines.recv_timeout(PATIENCE).expect("a message");
            if value["id"] == json!(id) {
                return value;
            }
            self.heard.push(value);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let reply = self.reply(id);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].clone()
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}}))
    }

    /// Hangs up and waits for the end.
    fn end(mut self) -> i32 {
        drop(self.input.take());
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("its state") {
                return status.code().unwrap_or(-1);
            }
            assert!(started.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_research_search_read_and_remember() {
    let site = Site::start(&[("/orvik", &long_page("Orvik", 60, FACT))]).await;
    let url = site.url("/orvik");
    let search = SearchServer::start(200, &[("Orvik", &url, "A tower")]).await;
    let script = vec![
        Scripted::Calls(vec![("web_search", json!({"queries": ["orvik"]}))]),
        Scripted::Calls(vec![("web_get", json!({"urls": [url]}))]),
        Scripted::Calls(vec![("final_answer", json!({"answer": "It was lit on 3 October 1877 [1]."}))]),
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    tokio::task::spawn_blocking(move || {
        let mut client = Client::start(&place);
        let tools = client.ask("tools/list", json!({}))["tools"].clone();
        let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["nexi_search", "nexi_web_search", "nexi_web_read", "nexi_library_search"]);
        assert_eq!(tools[0]["annotations"]["readOnlyHint"], json!(false));
        assert_eq!(tools[1]["annotations"]["readOnlyHint"], json!(true));
        assert_eq!(tools[0]["inputSchema"]["required"], json!(["query"]));

        let result = client.call("nexi_search", json!({"query": "When was the lighthouse lit?", "effort": "s", "verbose": true}));
        assert_eq!((&result["structuredContent"]["mode"], &result["structuredContent"]["method"]), (&json!("quick"), &Value::Null));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("It was lit on 3 October 1877 [1].\n\n## Sources\n\n- [1] Orvik - http"), "{text}");
        assert!(
            text.contains("## How it was researched\n\n- thinking\n- searching: orvik") && text.contains("answered; effort s, 3 steps"),
            "{text}"
        );
        let report = &result["structuredContent"];
        assert_eq!((&report["state"], &report["sources"][0]["url"]), (&json!("answered"), &json!(url)));
        let told: Vec<&Value> =
            client.heard.iter().filter(|heard| heard["method"] == "notifications/progress").map(|heard| &heard["params"]).collect();
        assert!(told.len() >= 5 && told.iter().all(|told| told["progressToken"] == "p"), "{told:?}");
        assert!(told.windows(2).all(|two| two[0]["progress"].as_f64() < two[1]["progress"].as_f64()), "progress grows: {told:?}");
        assert!(told.iter().any(|told| told["message"].as_str().unwrap().contains("step 1/8: searching: orvik")), "{told:?}");

        let found = client.call("nexi_web_search", json!({"queries": ["orvik", "tower"]}));
        assert_eq!(found["structuredContent"]["searches"][1]["results"][0]["description"], json!("A tower"));
        let read = client.call("nexi_web_read", json!({"urls": [url], "instructions": "when was it lit"}));
        assert!(read["structuredContent"]["pages"][0]["content"].as_str().unwrap().contains("3 October 1877"), "{read}");
        let full = client.call("nexi_web_read", json!({"urls": [url], "get_full": true}));
        assert!(full["content"][0]["text"].as_str().unwrap().len() > 10_000);

        let known = client.call("nexi_library_search", json!({"text": "lighthouse", "limit": 3}));
        let uri = known["structuredContent"]["results"][0]["uri"].as_str().unwrap().to_owned();
        assert_eq!(uri, format!("nexi://turn/{}", report["id"].as_str().unwrap()));
        let listed = client.ask("resources/list", json!({}));
        assert_eq!(
            (&listed["resources"][0]["uri"], &listed["resources"][0]["name"]),
            (&json!(uri), &json!("When was the lighthouse lit?"))
        );
        assert_eq!(client.ask("resources/templates/list", json!({}))["resourceTemplates"].as_array().map(Vec::len), Some(2));
        let answer = client.ask("resources/read", json!({"uri": uri}));
        assert!(answer["contents"][0]["text"].as_str().unwrap().contains("3 October 1877 [1]"), "{answer}");
        let source = client.ask("resources/read", json!({"uri": format!("{uri}/source/1")}));
        assert!(source["contents"][0]["text"].as_str().unwrap().contains(FACT));
        assert_eq!(source["contents"][0]["mimeType"], json!("text/markdown"));
        for uri in ["nexi://turn/none", "file:///etc/passwd", &format!("{uri}/source/9")] {
            let id = client.send("resources/read", json!({"uri": uri}));
            assert!(client.reply(id)["error"]["message"].as_str().unwrap().contains("nexi://turn/ID"), "{uri}");
        }
        for (tool, arguments, wanted) in [
            ("nexi_search", json!({}), "query"),
            ("nexi_search", json!({"query": "x", "effort": "xl"}), "xl"),
            ("nexi_search", json!({"query": " "}), "query:"),
            ("nexi_search", json!({"query": "x", "max_iter": 0}), "max_iter:"),
            ("nexi_web_search", json!({"queries": []}), "queries"),
            ("nexi_web_read", json!({"urls": ["http://169.254.169.254/"]}), "private network"),
            ("nexi_web_read", json!({"urls": [url], "use_chunks": true}), "instructions"),
            ("nexi_library_search", json!({"text": ""}), "text"),
            ("nexi_library_search", json!({"text": "x", "limit": 0}), "limit"),
        ] {
            let result = client.call(tool, arguments);
            assert_eq!(result["isError"], json!(true), "{result}");
            assert!(result["content"][0]["text"].as_str().unwrap().contains(wanted), "{result}");
        }
        let failed = client.call("nexi_web_read", json!({"urls": ["http://169.254.169.254/"]}));
        assert!(failed["structuredContent"]["pages"][0]["error"].is_string(), "the shape is kept: {failed}");
        // Searches of several clients do not disturb each other.
        let sent: Vec<u64> = (0..8)
            .map(|_| client.send("tools/call", json!({"name": "nexi_library_search", "arguments": {"text": "lighthouse"}})))
            .collect();
        for id in sent {
            let reply = client.reply(id);
            assert_eq!(reply["result"]["structuredContent"]["results"].as_array().map(Vec::len), Some(1), "{reply}");
        }
        // What is deleted cannot be read any more.
        assert!(place.run(&["history", "clear", "--yes"]).status.success());
        let id = client.send("resources/read", json!({"uri": uri}));
        assert!(client.reply(id)["error"].is_object());
        assert_eq!(client.ask("resources/list", json!({}))["resources"], json!([]));
        let id = client.send("tools/call", json!({"name": "nexi_destroy", "arguments": {}}));
        assert!(client.reply(id)["error"].is_object());
        // A client that makes a mistake does not wait for ever.
        for (line, code) in [("nonsense", -32700), ("{\"id\": 1}", -32600)] {
            writeln!(client.input.as_mut().unwrap(), "{line}").unwrap();
            let answer = client.lines.recv_timeout(PATIENCE).unwrap();
            assert_eq!(answer["error"]["code"], json!(code), "{answer}");
        }
        assert_eq!(client.ask("ping", json!({})), json!({}), "and goes on");
        assert_eq!(client.end(), 0, "it ends when the client hangs up");
    })
    .await
    .unwrap();
    assert_eq!((model.problems(), search.problems()), (Vec::<String>::new(), Vec::<String>::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_research_ends_when_nobody_wants_it() {
    let search = SearchServer::start(200, &[]).await;
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Silence, Scripted::Silence]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    let waiting = model.clone();
    tokio::task::spawn_blocking(move || {
        let mut client = Client::start(&place);
        let asked = |client: &mut Client, count: usize| {
            let id = client.send("tools/call", json!({"name": "nexi_search", "arguments": {"query": "What is slow?"}}));
            let started = Instant::now();
            while waiting.requests().len() < count {
                assert!(started.elapsed() < PATIENCE, "the model is not asked");
                std::thread::sleep(Duration::from_millis(20));
            }
            id
        };
        let state = |place: &Place| parsed(&place.run(&["history", "--json", "--last", "1"]))[0]["state"].clone();
        let id = asked(&mut client, 1);
        client.tell("notifications/cancelled", json!({"requestId": id, "reason": "changed my mind"}));
        let started = Instant::now();
        while state(&place) != json!("cancelled") {
            assert!(started.elapsed() < PATIENCE, "it goes on: {}", state(&place));
        }
        // Hanging up in the middle of the next one stops that, too.
        asked(&mut client, 2);
        assert_eq!(client.end(), 0);
        assert_eq!(state(&place), json!("cancelled"));
        assert_eq!(parsed(&place.run(&["history", "--json"])).as_array().map(Vec::len), Some(2));
    })
    .await
    .unwrap();
}

/// A server over HTTP.
struct Served {
    child: Child,
    url: String,
    token: String,
    /// What it said, but for the token.
    said: String,
}

impl Served {
    fn start(place: &Place, args: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = place.nexi(&[&["mcp", "--http", "127.0.0.1:0"], args].concat()).envs(variables.iter().copied()).spawn().unwrap();
        let mut output = BufReader::new(child.stderr.take().expect("its words"));
        let (mut url, mut token, mut said) = (String::new(), String::new(), String::new());
        while token.is_empty() {
            let mut line = String::new();
            assert!(output.read_line(&mut line).unwrap() > 0, "it ended: {said}");
            if let Some(address) = line.trim().strip_prefix("nexi: serving MCP at ") {
                url = address.to_owned();
                token =
                    variables.iter().find(|(name, _)| *name == "NEXI_MCP_TOKEN").map(|(_, value)| (*value).to_owned()).unwrap_or_default();
            }
            if let Some((_, given)) = line.trim().split_once("Bearer ") {
                token = given.to_owned();
            }
            said.push_str(&line);
        }
        Self { child, url, token, said }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_only_those_with_the_token_come_in() {
    let place = Place::new("search_backends = [\"documents\"]");
    let served = Served::start(&place, &["--allow-host", "nexi.lan"], &[]);
    assert_eq!(served.token.len(), 64, "{}", served.said);
    // A connection that was refused in the middle of a large request must not be used again.
    let client = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let post = |headers: &[(&'static str, String)], body: &Value| {
        let mut request = client.post(&served.url).header("accept", "application/json, text/event-stream").json(body);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        request.send()
    };
    let token = ("authorization", format!("Bearer {}", served.token));
    for (headers, status) in [
        (vec![], 401),
        (vec![("authorization", "Bearer nonsense-nonsense".to_owned())], 401),
        (vec![token.clone(), ("host", "evil.example".to_owned())], 403),
        (vec![("host", "evil.example".to_owned())], 403),
        (vec![token.clone(), ("origin", "https://evil.example".to_owned())], 403),
        (vec![token.clone(), ("origin", "null".to_owned())], 403),
        (vec![token.clone(), ("host", "nexi.lan".to_owned())], 200),
        (vec![token.clone(), ("origin", "http://localhost:3000".to_owned())], 200),
    ] {
        let reply = post(&headers, &hello).await.unwrap();
        assert_eq!(reply.status().as_u16(), status, "{headers:?}");
        if status == 401 {
            assert!(reply.headers().contains_key("www-authenticate"));
        }
    }
    let reply = post(std::slice::from_ref(&token), &hello).await.unwrap();
    let session = reply.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    assert!(reply.text().await.unwrap().contains("\"serverInfo\""));
    let in_session = [token.clone(), ("mcp-session-id", session)];
    let noted = post(&in_session, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await.unwrap();
    assert_eq!(noted.status().as_u16(), 202);
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "nexi_search", "arguments": {"query": "Where does Nexi keep my keys?"}}});
    let answer = post(&in_session, &call).await.unwrap().text().await.unwrap();
    assert!(answer.contains("keyring") && answer.contains("structuredContent"), "{answer}");
    // A large request, and one session too many.
    let large = json!({"jsonrpc": "2.0", "id": 3, "method": "ping", "params": {"x": "x".repeat(2 << 20)}});
    // It is refused while it is still being sent.
    assert!(post(&in_session, &large).await.map_or(true, |reply| reply.status().as_u16() == 413));
    // However a session is begun, there are sixteen at most, and those that were idle longest make room.
    let with_version = [token.clone(), ("mcp-protocol-version", "2025-06-18".to_owned())];
    let many = (0..40).map(|index| post(if index % 2 == 0 { &with_version[..] } else { &with_version[..1] }, &hello));
    let mut sessions = Vec::new();
    for reply in futures::future::join_all(many).await {
        let reply = reply.unwrap();
        assert_eq!(reply.status().as_u16(), 200, "nobody is locked out by sessions in which nothing goes on");
        sessions.push(reply.headers()["mcp-session-id"].to_str().unwrap().to_owned());
    }
    let mut living = 0;
    for session in &sessions {
        let headers = [token.clone(), ("mcp-session-id", session.clone())];
        living += u32::from(post(&headers, &json!({"jsonrpc": "2.0", "id": 4, "method": "ping"})).await.unwrap().status() == 200);
    }
    assert_eq!(living, 16);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_finishes_a_request_keeps_nobody_waiting() {
    use std::io::Read;
    let place = Place::new("search_backends = [\"documents\"]");
    let served = Served::start(&place, &[], &[]);
    let address = served.url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 500\r\n\r\n{{",
        served.token
    );
    let mut unfinished: Vec<std::net::TcpStream> = (0..20)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(&address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    // One that has begun its headers, and one that says nothing at all.
    let mut silent: Vec<std::net::TcpStream> = (0..2).map(|_| std::net::TcpStream::connect(&address).unwrap()).collect();
    silent[0].write_all(b"POST /mcp HTTP/1.1\r\nHost: 127.0").unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let asked = reqwest::Client::new()
        .post(&served.url)
        .bearer_auth(&served.token)
        .header("accept", "application/json, text/event-stream")
        .json(&hello);
    let reply = tokio::time::timeout(Duration::from_secs(5), asked.send()).await.expect("nobody waits for others").unwrap();
    assert_eq!(reply.status().as_u16(), 200);
    // Headers that do not come to their end are not waited for, either.
    for mut silent in silent {
        silent.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        assert!(silent.read_to_end(&mut Vec::new()).is_ok(), "the connection is closed");
    }
    drop(unfinished.drain(..));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_although_a_connection_says_nothing() {
    let place = Place::new("search_backends = [\"documents\"]");
    let mut served = Served::start(&place, &[], &[]);
    let address = served.url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let mut silent = std::net::TcpStream::connect(address).unwrap();
    silent.write_all(b"POST /mcp HTTP/1.1\r\nHost: 127.0").unwrap();
    let process = served.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let started = Instant::now();
    let status = loop {
        if let Some(status) = served.child.try_wait().unwrap() {
            break status;
        }
        assert!(started.elapsed() < PATIENCE, "it does not end");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_can_be_chosen_and_is_not_shown_then() {
    let place = Place::new("search_backends = [\"documents\"]");
    let served = Served::start(&place, &[], &[("NEXI_MCP_TOKEN", "a-token-of-my-own-0815")]);
    assert!(!served.said.contains("0815"), "{}", served.said);
    let status = |token: &str| {
        let request = reqwest::Client::new().post(&served.url).bearer_auth(token).body("{}");
        async move { request.send().await.unwrap().status().as_u16() }
    };
    assert_eq!(status("another-token-of-mine").await, 401);
    assert_ne!(status("a-token-of-my-own-0815").await, 401);
    std::fs::write(place.path("token"), "short\n").unwrap();
    let file = place.path("token").display().to_string();
    let output = place.run(&["mcp", "--http", "127.0.0.1:0", "--token-file", &file]);
    assert_eq!(output.status.code(), Some(2), "{}", crate::support::stderr(&output));
    assert!(crate::support::stderr(&output).contains("at least 16"));
    let taken = served.url.trim_start_matches("http://").trim_end_matches("/mcp");
    let output = place.run(&["mcp", "--http", taken]);
    assert!(output.status.code() == Some(2) && crate::support::stderr(&output).contains("a free port"));
}

#[test]
fn other_programs_are_told_how_to_use_it() {
    let place = Place::new("");
    let text = crate::support::stdout(&place.run(&["mcp", "--print-config"]));
    let start = text.find('{').unwrap();
    let config: Value = serde_json::Deserializer::from_str(&text[start..]).into_iter().next().unwrap().unwrap();
    let server = &config["mcpServers"]["nexi"];
    assert_eq!(server["command"].as_str().unwrap(), env!("CARGO_BIN_EXE_nexi"));
    assert_eq!(server["args"][0], json!("mcp"));
    for name in ["Claude Desktop", "VS Code", "Cursor", "Inspector"] {
        assert!(text.contains(name), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_research_deeply() {
    tokio::task::spawn_blocking(|| {
        // Nobody can be asked about the plan, whatever the settings say.
        let place = Place::new("search_backends = [\"documents\"]\n[deep]\nplan = \"ask\"");
        let mut client = Client::start(&place);
        let result =
            client.call("nexi_search", json!({"query": "Where are keys kept? Which key opens the popup?", "deep": true, "verbose": true}));
        let report = &result["structuredContent"];
        assert_eq!((&report["mode"], &report["method"]["researchers"], &report["state"]), (&json!("deep"), &json!(2), &json!("answered")));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("researcher 1.2 begins: Which key opens the popup?") && text.contains("answered; deep, effort m"), "{text}");
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_the_web_nothing_of_the_documents_leaves() {
    let site = Site::start(&[("/steal", "<p>Thank you.</p>")]).await;
    let search = SearchServer::start(200, &[]).await;
    let model = crate::egress::thief(&site.url("/steal")).await;
    let place = crate::egress::beside_the_web(&model, &search, &site, "");
    let result = tokio::task::spawn_blocking(move || {
        let mut client = Client::start(&place);
        client.call("nexi_search", json!({"query": "What is the password of the vault?"}))
    });
    assert!(result.await.unwrap().to_string().contains("vault"));
    assert_eq!(site.asked("/steal"), 0, "nobody can be asked over MCP, so it is refused");
    assert!(model.requests().iter().any(|request| request.to_string().contains("neither from search results")), "the model is told why");
    assert!(!search.queries().iter().any(|query| query.contains("4711")), "{:?}", search.queries());
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_alone_never_reach_the_web() {
    let site = Site::start(&[("/steal", "<p>Thank you.</p>")]).await;
    let model = crate::egress::obedient(&site.url("/steal")).await;
    let place = crate::egress::tempting(&model, &site);
    let result = tokio::task::spawn_blocking(move || {
        let mut client = Client::start(&place);
        client.call("nexi_search", json!({"query": "What is the password of the vault?", "focus": "documents"}))
    });
    assert!(result.await.unwrap().to_string().contains("vault"));
    crate::egress::nothing_left(&model, &site);
}

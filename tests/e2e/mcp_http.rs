//! The MCP server over HTTP: who may come in, and who keeps whom waiting.

use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted};
use serde_json::{Value, json};

use crate::support::{KEY, Place, hello, web_settings};

const REPLY_WAIT: Duration = Duration::from_secs(20);

/// A server over HTTP.
pub struct Served {
    child: Child,
    pub url: String,
    pub token: String,
    /// What it said, but for the token.
    said: String,
}

impl Served {
    pub fn start(place: &Place, args: &[&str], variables: &[(&str, &str)]) -> Self {
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
    let hello = hello();
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
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "research", "arguments": {"query": "Where does Nexi keep my keys?"}}});
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
    let hello = hello();
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
    // Neither are bodies.
    let mut unfinished = unfinished.swap_remove(0);
    unfinished.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut reply = String::new();
    let _ = unfinished.read_to_string(&mut reply);
    assert!(reply.starts_with("HTTP/1.1 408 "), "{reply}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_that_was_idle_longest_makes_room_and_one_that_works_never_does() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Silence]).await;
    let place = Place::new(&web_settings(&model.base_url, "http://127.0.0.1:9", "wiki.lan", ""));
    let served = Served::start(&place, &[], &[]);
    let client = reqwest::Client::new();
    let post = |session: Option<&str>, body: Value| {
        let mut request = client
            .post(&served.url)
            .bearer_auth(&served.token)
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2025-06-18")
            .json(&body);
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        request.send()
    };
    let begin = async || {
        let reply = post(None, hello()).await.unwrap();
        assert_eq!(reply.status(), 200);
        let session = reply.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        reply.text().await.unwrap();
        session
    };
    let mut sessions = Vec::new();
    for _ in 0..16 {
        sessions.push(begin().await);
    }
    let lives = async |session: &str| {
        let reply = post(Some(session), json!({"jsonrpc": "2.0", "id": 4, "method": "ping"})).await.unwrap();
        let lives = reply.status() == 200;
        reply.text().await.unwrap();
        lives
    };
    // The oldest one works and goes on working; the second one was used a moment ago.
    let noted = post(Some(&sessions[0]), json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await.unwrap();
    assert_eq!(noted.status(), 202);
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "research", "arguments": {"query": "How long does this take?"}}});
    let working = post(Some(&sessions[0]), call).await.unwrap();
    assert_eq!(working.status(), 200);
    assert!(lives(&sessions[1]).await);
    let newest = begin().await;
    assert!(!lives(&sessions[2]).await, "the one that was idle longest is over");
    for (index, session) in sessions.iter().enumerate().filter(|(index, _)| *index != 2) {
        assert!(lives(session).await, "{index}");
    }
    assert!(lives(&newest).await);
    drop(working);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_leaves_no_dump() {
    let place = Place::new("search_backends = [\"documents\"]");
    let served = Served::start(&place, &[], &[]);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", served.child.id())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().filter(|word| *word == "0").count(), 2, "{core}");
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
        assert!(started.elapsed() < REPLY_WAIT, "it does not end");
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

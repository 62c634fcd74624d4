//! The window beside a terminal and other programs: one library, written to by all at once.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{BUILT_IN, Window};

/// How long everybody writes; `NEXI_TOGETHER_SECONDS` shortens it.
const TOGETHER: u64 = 60;

/// The `nexi` program with the files of this window.
fn nexi(window: &Window, args: &[&str]) -> Command {
    let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_nexi-desktop")).with_file_name("nexi"));
    command
        .args(args)
        .arg("--data-dir")
        .arg(window.path("data"))
        .env("HOME", window.path(""))
        .env("XDG_CONFIG_HOME", window.path("config"))
        .env("XDG_DATA_HOME", window.path("share"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

async fn run(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().expect("nexi runs; cargo build --workspace --bins")).await.expect("it ran")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_from_the_terminal_is_shown_in_the_window() {
    let window = Window::open(Some(BUILT_IN)).await;
    let output = run(nexi(&window, &["ask", "How do I add a folder of documents?", "--open"])).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    window
        .wait_for(
            "its thread is shown",
            "return document.querySelector('.turn .question')?.innerText.includes('add a folder of documents')",
        )
        .await;
    window.wait_for("with its answer", "return document.querySelector('.answer')?.innerText.includes('folders')").await;
    // A follow-up from the terminal stands in the same thread.
    let output = run(nexi(&window, &["ask", "--continue", "Where are keys kept?", "--open"])).await;
    assert!(output.status.success());
    window.wait_for("both are there", "return document.querySelectorAll('.turn').length === 2").await;
    window.close().await;
}

/// What came of one question: its turn, or what was said instead.
type Asked = Result<String, String>;

/// Asks on the command line until time is up.
fn on_the_command_line(window: &Window, over: &Arc<AtomicBool>) -> tokio::task::JoinHandle<Vec<Asked>> {
    let make: Vec<Command> =
        (0..2000).map(|number| nexi(window, &["ask", &format!("Where are keys kept, question {number}?"), "--json"])).collect();
    let over = over.clone();
    tokio::task::spawn_blocking(move || {
        let mut all = Vec::new();
        for mut command in make {
            if over.load(Ordering::Relaxed) {
                break;
            }
            let output = command.output().expect("nexi runs");
            let id = serde_json::from_slice::<Value>(&output.stdout).ok().and_then(|report| report["id"].as_str().map(str::to_owned));
            all.push(id.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        all
    })
}

/// Asks over MCP until time is up.
fn over_mcp(window: &Window, over: &Arc<AtomicBool>) -> tokio::task::JoinHandle<Vec<Asked>> {
    let mut child = nexi(window, &["mcp"]).stdin(Stdio::piped()).spawn().expect("nexi runs");
    let over = over.clone();
    tokio::task::spawn_blocking(move || {
        let mut input = child.stdin.take().expect("its input");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut ask = |id: u32, method: &str, params: Value| -> Value {
            writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).expect("it listens");
            loop {
                let line: Value = serde_json::from_str(&lines.next().expect("a line").expect("text")).expect("JSON");
                if line["id"] == json!(id) {
                    return line["result"].clone();
                }
            }
        };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        ask(0, "initialize", hello);
        let mut all = Vec::new();
        for number in 1.. {
            if over.load(Ordering::Relaxed) {
                break;
            }
            let result = ask(
                number,
                "tools/call",
                json!({"name": "research", "arguments": {"query": format!("How do I resume a run, question {number}?")}}),
            );
            let id = result["structuredContent"]["id"].as_str().map(str::to_owned);
            all.push(id.ok_or_else(|| result.to_string()));
        }
        drop(input);
        let _ = child.wait();
        all
    })
}

/// Asks one question after the other in the window for so long. The page keeps what it was told: a
/// driver that stumbles over one of hundreds of replies would lose an answer that the window had.
async fn in_the_window(window: &Window, time: Duration) -> Vec<Asked> {
    let script = "const call = window.__TAURI__.core.invoke; window.asked = []; window.enough = false; window.finished = false;\
        (async () => {\
            while (!window.enough) {\
                const question = `What does the popup do, question ${window.asked.length}?`;\
                try {\
                    const begun = await call('ask', {asked: {question, thread: null, effort: null, provider: null, focus: 'both', private: false}});\
                    for (;;) {\
                        const [view] = await call('turn_views', {turns: [begun.turn]});\
                        if (view.turn.ending.state !== 'running') { window.asked.push({id: begun.turn}); break; }\
                        await new Promise((go) => setTimeout(go, 30));\
                    }\
                } catch (error) { window.asked.push({error: String(error)}); }\
            }\
            window.finished = true;\
        })(); return true";
    window.eval(script).await;
    nexi_testkit::let_pass(time).await;
    window.eval("window.enough = true; return true").await;
    window.wait_for("the last question of the window", "return window.finished").await;
    let asked = window.eval("return window.asked").await;
    asked.as_array().expect("a list").iter().map(|said| said["id"].as_str().map(str::to_owned).ok_or_else(|| said.to_string())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_the_command_line_and_a_server_write_at_once() {
    let seconds = std::env::var("NEXI_TOGETHER_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(TOGETHER);
    let window = Window::open(Some(BUILT_IN)).await;
    let over = Arc::new(AtomicBool::new(false));
    let (line, server) = (on_the_command_line(&window, &over), over_mcp(&window, &over));
    let here = in_the_window(&window, Duration::from_secs(seconds)).await;
    over.store(true, Ordering::Relaxed);
    let asked: Vec<(&str, Vec<Asked>)> =
        vec![("window", here), ("command line", line.await.expect("it ran")), ("server", server.await.expect("it ran"))];
    let output = run(nexi(&window, &["history", "--last", "100000", "--json"])).await;
    let history: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let states: std::collections::BTreeMap<&str, &str> =
        history.as_array().expect("turns").iter().filter_map(|turn| Some((turn["id"].as_str()?, turn["state"].as_str()?))).collect();
    let mut acknowledged = 0;
    for (who, all) in &asked {
        assert!(all.len() > 5, "the {who} asked only {} questions", all.len());
        for one in all {
            let id = one.as_ref().unwrap_or_else(|said| panic!("the {who} was told: {said}"));
            let state = states.get(id.as_str());
            assert!(matches!(state, Some(&("answered" | "nothing_found"))), "a question of the {who}: {state:?}");
            acknowledged += 1;
        }
    }
    assert_eq!(acknowledged, states.len(), "nothing is there twice or by itself");
    println!("{} questions in {seconds} s: {:?}", acknowledged, asked.iter().map(|(who, all)| (*who, all.len())).collect::<Vec<_>>());
    let logs: String = std::fs::read_dir(window.path("data/logs"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| std::fs::read_to_string(entry.path()).unwrap_or_default())
        .collect();
    assert!(!logs.contains("database is locked"), "nobody saw a locked database");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_on_the_command_line_is_listed_once_somebody_comes_back() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("the library is there", "return !!document.querySelector('.library .count')?.innerText").await;
    let output = run(nexi(&window, &["ask", "Where are keys kept?", "--json"])).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    window.eval("window.dispatchEvent(new Event('focus'))").await;
    window.wait_for("it is listed beside", "return document.querySelectorAll('.rail .row').length === 1").await;
    window.wait_for("and in the library", "return document.querySelectorAll('.entry').length === 1").await;
    window.close().await;
}

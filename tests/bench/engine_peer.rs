//! Python programs on the work of the engine bench, in the same run: NEXI for Python, from which Nexi grew, the client of
//! openai, and tiktoken. `NEXI_BENCH_PEER` names a Python that has them; without it their lines say that they were skipped.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::{World, median, ms, url};

const RUNS: usize = 15;
const STARTS: usize = 5;

/// What the peer needs for the same question.
pub struct Needed {
    /// Milliseconds in a program that is running.
    pub warm: f64,
    /// Milliseconds of a process.
    pub process: f64,
    /// Most memory of that process, in MB.
    pub memory: f64,
}

fn python() -> Option<PathBuf> {
    std::env::var_os("NEXI_BENCH_PEER").map(PathBuf::from)
}

fn command(task: &str, given: &str) -> Option<Command> {
    let mut command = Command::new(python()?);
    command.arg("tests/bench/python_peers.py").arg(task).arg(given).kill_on_drop(true);
    Some(command)
}

/// A whole reply, for a client that streams none.
fn reply(name: &str, arguments: &Value) -> Scripted {
    let call = json!({"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments.to_string()}});
    let body = json!({
        "id": "bench", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [call]}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    });
    Scripted::Raw("application/json", body.to_string().leak())
}

/// Asks the peer the question of the bench: the same searches and pages, by the same kind of reader.
pub async fn nexi_for_python(world: &World, folder: &Path, reader: &str) -> Option<Needed> {
    python()?;
    let model = LlmServer::start("key", Duration::ZERO, Vec::new()).await;
    let home = folder.join(format!("peer-{reader}"));
    std::fs::create_dir_all(home.join(".config/nexi")).expect("a folder");
    let page = if reader == "builtin" { "type = \"special_trafilatura\"" } else { "type = \"jina\"\napi_key = \"key\"" };
    let settings = format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\nfetch_backends = [\"page\"]\n\
         [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\napi_key = \"key\"\nmodel = \"m\"\n\
         [providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n[providers.page]\n{page}\n",
        model.base_url, world.search.base_url
    );
    std::fs::write(home.join(".config/nexi/config.toml"), settings).expect("settings");
    let address = |index| if reader == "builtin" { url(&world.sites, index) } else { format!("https://pages.example/{index}") };
    let script = |runs: usize| {
        let queries: Vec<String> = (0..5).map(|index| format!("lighthouse {index} orvik")).collect();
        let urls: Vec<String> = (0..8).map(address).collect();
        let answer = "The lighthouse number 1 of Orvik was lit in 1871 [2]. The lighthouse number 3 was lit in 1873 [4].";
        let replies = [
            reply("web_search", &json!({"queries": queries})),
            reply("web_get", &json!({"urls": urls, "get_full": true})),
            reply("final_answer", &json!({"answer": answer})),
        ];
        replies.iter().cycle().take(3 * runs).cloned().collect()
    };
    let with_home = |mut command: Command| {
        command.env("HOME", &home).env("NEXI_BENCH_READER", world.sites[0].url("/reader")).stdin(Stdio::null());
        command
    };
    let pages = world.sites[0].asked_in_all();
    model.set_script(script(RUNS));
    let out = with_home(command("warm", &RUNS.to_string())?).output().await.expect("a process");
    assert!(out.status.success(), "NEXI for Python failed: {}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(world.sites[0].asked_in_all() - pages, 8 * RUNS, "a run that reads nothing is no measure");
    let times: Vec<f64> = String::from_utf8_lossy(&out.stdout).lines().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(times.len(), RUNS);
    let mut starts = Vec::new();
    let mut memory: f64 = 0.0;
    for _ in 0..STARTS {
        model.set_script(script(1));
        let began = Instant::now();
        let mut once = with_home(command("once", "When were the lighthouses of Orvik lit?")?);
        let child = once.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process");
        let (ended, peak) = watched(child).await;
        assert!(ended.success(), "NEXI for Python failed");
        memory = memory.max(peak);
        starts.push(ms(began.elapsed()));
    }
    Some(Needed { warm: median(times), process: median(starts), memory })
}

/// Microseconds for each piece of a streamed reply, read by the client of openai.
pub async fn openai_client(server: &LlmServer) -> Option<f64> {
    let out = command("openai", &server.base_url)?.output().await.expect("a process");
    assert!(out.status.success(), "the client of openai failed: {}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8_lossy(&out.stdout).trim().parse().expect("a number"))
}

/// Tokens of a text and the seconds that tiktoken takes to count them; none where it lacks its table.
pub fn tiktoken(name: &str, text: &str) -> Option<(usize, f64)> {
    let mut command = std::process::Command::new(python()?);
    command.arg("tests/bench/python_peers.py").args(["tokens", name]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a process");
    // It has ended by then where it lacks its table.
    let _ = child.stdin.take().expect("its input").write_all(text.as_bytes());
    let out = child.wait_with_output().expect("its output");
    let text = String::from_utf8_lossy(&out.stdout);
    let (count, seconds) = text.trim().split_once(' ')?;
    Some((count.parse().ok()?, seconds.parse().ok()?))
}

/// Waits for a process. How it ended, and its most memory in MB.
pub async fn watched(mut child: tokio::process::Child) -> (std::process::ExitStatus, f64) {
    let status = format!("/proc/{}/status", child.id().expect("a running process"));
    let mut memory: f64 = 0.0;
    loop {
        if let Ok(text) = std::fs::read_to_string(&status)
            && let Some(peak) = text
                .lines()
                .find_map(|line| line.strip_prefix("VmHWM:"))
                .and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok())
        {
            memory = memory.max(peak / 1024.0);
        }
        if let Some(ended) = child.try_wait().expect("a child") {
            return (ended, memory);
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

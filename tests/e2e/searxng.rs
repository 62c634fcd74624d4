//! A SearXNG that Nexi runs itself: one container for all processes, gone with the last of them.
//! Docker is stood in for by a script that notes what it is asked.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted, SearchServer, let_pass};
use serde_json::{Value, json};

use crate::support::{KEY, Place, json as parsed, stderr};

struct Machine {
    place: Place,
    tools: PathBuf,
}

impl Machine {
    fn new(settings: &str, search: &SearchServer) -> Self {
        let place = Place::new(settings);
        let tools = place.path("tools");
        std::fs::create_dir_all(&tools).unwrap();
        let port = search.base_url.rsplit(':').next().unwrap();
        let (log, running) = (place.path("docker.log"), place.path("running"));
        let script = format!(
            "#!/bin/sh\necho \"$*\" >> '{log}'\ncase \"$1\" in\ninfo) exit 0;;\nps) [ -e '{running}' ] && cat '{running}'; exit 0;;\n\
             rm) rm -f '{running}';;\nrun) sleep 0.3; [ -e '{running}' ] && {{ echo 'the name is taken' >&2; exit 125; }}; echo \"$4\" > '{running}'; echo abc;;\nport) echo '127.0.0.1:{port}';;\n*) exit 64;;\nesac\n",
            log = log.display(),
            running = running.display()
        );
        let path = tools.join("docker");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { place, tools }
    }

    fn nexi(&self, args: &[&str]) -> std::process::Command {
        let mut command = self.place.nexi(args);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.tools.display()));
        command
    }

    fn calls(&self, name: &str) -> usize {
        let log = std::fs::read_to_string(self.place.path("docker.log")).unwrap_or_default();
        log.lines().filter(|line| line.split(' ').next() == Some(name)).count()
    }

    fn state(&self) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.place.path("data/searxng/state.json")).unwrap_or_default()).unwrap_or_default()
    }

    fn is_running(&self) -> bool {
        self.place.path("running").exists()
    }

    /// Nobody waits for it, so it may take a while.
    async fn is_stopped(&self) -> bool {
        let begun = Instant::now();
        while self.is_running() && begun.elapsed() < Duration::from_secs(10) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        !self.is_running()
    }
}

const SETTINGS: &str = "search_backends = [\"mine\"]\n[providers.mine]\ntype = \"searxng\"\nmanaged = true\n";

#[tokio::test(flavor = "multi_thread")]
async fn one_container_for_all_and_none_afterwards() {
    let search = SearchServer::start(200, &[("Mill", "https://e.org/mill", "The old mill")]).await;
    let machine = Machine::new(SETTINGS, &search);
    let children: Vec<_> = (0..3).map(|_| machine.nexi(&["search", "old mill", "--json"]).spawn().unwrap()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("e.org/mill"), "{}", stderr(&output));
    }
    assert!(machine.is_stopped().await);
    assert!(machine.calls("run") >= 1 && machine.calls("run") <= 3, "{} starts", machine.calls("run"));
    assert_eq!(machine.state()["users"], json!([]));
    let log = std::fs::read_to_string(machine.place.path("docker.log")).unwrap();
    let run = log.lines().find(|line| line.starts_with("run")).unwrap();
    for wanted in [
        "--name nexi-searxng-",
        "-p 127.0.0.1::8080",
        "/searxng/settings.yml:/etc/searxng/settings.yml:ro",
        "--cap-drop ALL",
        "docker.io/searxng/searxng:latest",
    ] {
        assert!(run.contains(wanted), "{wanted}: {run}");
    }
    let written = std::fs::read_to_string(machine.place.path("data/searxng/settings.yml")).unwrap();
    assert!(written.contains("\"json\"") && written.contains("secret_key"), "{written}");
    assert_eq!(search.problems(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_the_settings_becomes_an_option_of_the_container() {
    let search = SearchServer::start(200, &[("Mill", "https://e.org/mill", "The old mill")]).await;
    for image in ["--privileged", "-v/:/host", "searxng --privileged", "x;rm", "a\nb"] {
        let machine = Machine::new(&format!("{SETTINGS}image = {}\n", json!(image)), &search);
        let output = machine.nexi(&["search", "old mill"]).output().unwrap();
        assert!(stderr(&output).contains("providers.mine.image"), "{image}: {}", stderr(&output));
        let log = std::fs::read_to_string(machine.place.path("docker.log")).unwrap_or_default();
        assert!(!log.contains("run "), "{image}: {log}");
    }
    let machine = Machine::new(&format!("{SETTINGS}image = \"registry.example:5000/searxng/searxng@sha256:0a1b\"\n"), &search);
    let output = machine.nexi(&["search", "old mill", "--json"]).output().unwrap();
    assert!(parsed(&output).to_string().contains("e.org/mill"), "{}", stderr(&output));
    let log = std::fs::read_to_string(machine.place.path("docker.log")).unwrap();
    let run = log.lines().find(|line| line.starts_with("run ")).unwrap();
    assert!(run.ends_with(" registry.example:5000/searxng/searxng@sha256:0a1b"), "{run}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_was_killed_counts_no_more() {
    let search = SearchServer::start(200, &[("Mill", "https://e.org/mill", "The old mill")]).await;
    let model =
        LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Calls(vec![("web_search", json!({"queries": ["mill"]}))]), Scripted::Silence])
            .await;
    let settings = format!(
        "llm_backends = [\"work\"]\n{SETTINGS}[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"m\"\napi_key_env = \"TEST_KEY\"\n",
        model.base_url
    );
    let machine = Machine::new(&settings, &search);
    let mut child = machine.nexi(&["ask", "When did the mill burn?"]).spawn().unwrap();
    let begun = Instant::now();
    while model.requests().len() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!((machine.state()["users"].as_array().unwrap().len(), machine.is_running()), (1, true));
    assert_eq!(machine.state()["users"][0]["pid"], json!(child.id()));
    // Another one joins the container that is there, and leaves it to the first.
    let output = machine.nexi(&["search", "old mill", "--json"]).output().unwrap();
    assert!(parsed(&output).to_string().contains("e.org/mill"), "{}", stderr(&output));
    assert_eq!((machine.calls("run"), machine.is_running(), machine.state()["users"].as_array().unwrap().len()), (1, true, 1));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(machine.is_running(), "nobody was there to stop it");
    machine.nexi(&["search", "old mill"]).output().unwrap();
    assert!(machine.is_stopped().await, "the last one that lives has stopped it");
    assert_eq!(machine.calls("run"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_a_slow_stop_but_who_starts_anew() {
    let search = SearchServer::start(200, &[("Mill", "https://e.org/mill", "The old mill")]).await;
    let machine = Machine::new(SETTINGS, &search);
    let docker = machine.tools.join("docker");
    // Removing a container that runs takes until this is gone.
    let (slow, running) = (machine.place.path("slow"), machine.place.path("running"));
    std::fs::write(&slow, "").unwrap();
    let script = std::fs::read_to_string(&docker).unwrap();
    let waiting = format!("\nrm) while [ -e '{}' ] && [ -e '{}' ]; do sleep 0.05; done; ", slow.display(), running.display());
    std::fs::write(&docker, script.replace("\nrm) ", &waiting)).unwrap();
    let output = machine.nexi(&["search", "old mill"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!((machine.is_running(), machine.state()["users"].clone()), (true, json!([])), "it ends with its container still there");
    let calls = || (machine.calls("ps"), machine.calls("info"), machine.calls("rm"), machine.calls("run"));
    // The one before its start is quick; the other has been started when the program ends, and says so a moment later.
    let begun = Instant::now();
    while calls() != (0, 1, 2, 1) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", calls());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut second = machine.nexi(&["search", "old mill"]).spawn().unwrap();
    let sign_of_life = || std::fs::read_dir(machine.place.path("data/locks")).unwrap().flatten().any(|entry| entry.file_name().len() == 32);
    let begun = Instant::now();
    while !sign_of_life() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let_pass(Duration::from_secs(1)).await;
    assert_eq!((second.try_wait().unwrap(), calls()), (None, (0, 1, 2, 1)), "a new one waits until the old one is gone");
    std::fs::remove_file(&slow).unwrap();
    assert!(second.wait().unwrap().success());
    assert!(machine.is_stopped().await);
    assert_eq!(machine.calls("run"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_that_ends_by_itself_is_asked_why() {
    let search = SearchServer::start(200, &[]).await;
    let machine = Machine::new(SETTINGS, &search);
    let script = "#!/bin/sh\ncase \"$1\" in port) echo 'no public port' >&2; exit 1;; logs) echo started; echo 'settings.yml: permission denied' >&2;; esac\n";
    std::fs::write(machine.tools.join("docker"), script).unwrap();
    let output = machine.nexi(&["search", "old mill"]).output().unwrap();
    let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
    assert!(said.contains("SearXNG ended in its container of docker: settings.yml: permission denied"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_docker_and_podman_the_way_out_is_named() {
    let search = SearchServer::start(200, &[]).await;
    let machine = Machine::new(SETTINGS, &search);
    let empty = machine.place.path("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let output = machine.place.nexi(&["search", "old mill"]).env("PATH", &empty).output().unwrap();
    let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
    assert!(said.contains("neither Docker nor Podman is installed") && said.contains("apt install podman"), "{said}");
    // One that is there and refuses says why.
    std::fs::write(machine.tools.join("docker"), "#!/bin/sh\necho 'permission denied while trying to connect' >&2\nexit 1\n").unwrap();
    let output = machine.place.nexi(&["search", "old mill"]).env("PATH", &machine.tools).output().unwrap();
    let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
    assert!(said.contains("docker is installed and cannot be used: permission denied"), "{said}");
}

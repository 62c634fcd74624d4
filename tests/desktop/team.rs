//! Sharing threads with a team, in a real PostgreSQL where one is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use nexi_engine::core::protocol::TeamSearch;
use nexi_engine::import::OnBroken;
use nexi_engine::{Engine, EngineOptions};
use serde_json::json;

use crate::support::{BUILT_IN, Window};

/// A PostgreSQL of the test, ended when dropped.
struct Postgres {
    bin: PathBuf,
    place: tempfile::TempDir,
    port: u16,
}

impl Postgres {
    /// None where it is not installed.
    fn start() -> Option<Self> {
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path().join("bin"));
        let bin = versions.filter(|bin| bin.join("initdb").is_file()).max()?;
        let place = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Self { bin, place, port };
        std::fs::create_dir(server.folder()).unwrap();
        // The server does not run as root.
        assert!(Command::new("chmod").args(["755".as_ref(), server.place.path()]).status().unwrap().success());
        if is_root() {
            assert!(Command::new("chown").arg("postgres").arg(server.folder()).status().unwrap().success());
        }
        server.run("initdb", &["-D", &server.folder().display().to_string(), "-U", "admin", "-A", "trust"]);
        let options = format!("-p {port} -k {} -c listen_addresses=127.0.0.1", server.folder().display());
        let log = server.folder().join("log").display().to_string();
        server.run("pg_ctl", &["-D", &server.folder().display().to_string(), "-w", "-l", &log, "-o", &options, "start"]);
        Some(server)
    }

    fn folder(&self) -> PathBuf {
        self.place.path().join("db")
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = if is_root() { Command::new("runuser") } else { Command::new(self.bin.join(program)) };
        if is_root() {
            command.args(["-u", "postgres", "--"]).arg(self.bin.join(program));
        }
        let done = command.args(arguments).current_dir("/").stdout(std::process::Stdio::null()).status().unwrap();
        assert!(done.success(), "{program} {arguments:?}");
    }

    fn sql(&self, database: &str, text: &str) {
        let done = Command::new(self.bin.join("psql"))
            .args([
                "-h",
                "127.0.0.1",
                "-p",
                &self.port.to_string(),
                "-U",
                "admin",
                "-d",
                database,
                "-q",
                "-v",
                "ON_ERROR_STOP=1",
                "-c",
                text,
            ])
            .status()
            .unwrap();
        assert!(done.success(), "{text}");
    }

    fn address(&self, user: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/team", self.port)
    }

    fn settings(&self, user: &str) -> String {
        format!("{BUILT_IN}\nteam_library = \"team\"\n[providers.team]\ntype = \"postgres\"\nbase_url = \"{}\"\n", self.address(user))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.run("pg_ctl", &["-D", &self.folder().display().to_string(), "-m", "immediate", "stop"]);
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|facts| std::os::unix::fs::MetadataExt::uid(&facts) == 0)
}

fn thread() -> String {
    let (id, turn) = ("aaaa0000".repeat(4), "aaaa1111".repeat(4));
    let page = json!({"url": "https://example.org/ferries", "title": "Ferries of the sound", "text": "The ferry to Ostholm leaves at nine. It takes forty minutes."});
    json!({"nexi_thread": 1, "id": id, "title": "Ferries to Ostholm", "titled": true, "created_ms": 1_760_000_000_000_i64, "updated_ms": 1_760_000_000_000_i64,
        "turns": [{"id": turn, "thread": id, "question": "When does the ferry to Ostholm leave?", "effort": "m", "model": "m", "asked_ms": 1_760_000_000_000_i64,
            "duration_ms": 4000, "events": [],
            "ending": {"state": "answered", "answer": "The ferry to Ostholm leaves at nine [1].", "citations": [], "steps": 2, "usage": {"prompt": 9, "completion": 9},
                "sources": [{"number": 1, "url": page["url"], "title": page["title"], "site": "example.org", "cited": true,
                    "passages": [{"start": 0, "end": 36, "quote": "The ferry to Ostholm leaves at nine."}]}]}}],
        "sources": [{"number": 1, "read_ms": 1_760_000_000_000_i64, "page": page}]})
    .to_string()
}

/// Somebody else, with a library of their own.
fn engine(folder: &Path, settings: &str) -> Engine {
    let file = folder.join("settings.toml");
    std::fs::write(&file, settings).unwrap();
    Engine::open(EngineOptions { settings: Some(file), data: Some(folder.join("data")), ..EngineOptions::default() }).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn threads_of_the_team_are_found_read_gone_on_from_and_shared() {
    let Some(server) = Postgres::start() else {
        println!("SKIPPED: sharing with a team in the window; there is no PostgreSQL here");
        return;
    };
    server.sql("postgres", "CREATE DATABASE team");
    server.sql("postgres", "CREATE ROLE anna LOGIN; CREATE ROLE ben LOGIN");
    let home = tempfile::tempdir().unwrap();
    let anna = engine(home.path(), &server.settings("anna"));
    anna.team_at(&server.address("admin"), false, None).await.unwrap().create().await.unwrap();
    server.sql("team", "GRANT nexi_team TO anna, ben");
    anna.import_threads(std::io::Cursor::new(thread()), OnBroken::Refuse).await.unwrap();
    let shared = anna.threads(1).await.unwrap().remove(0).id;
    assert_eq!(anna.share(&shared, None, false).await.unwrap().waiting, 0);

    let window = Window::open(Some(&server.settings("ben"))).await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("the library", "return document.querySelector('[data-filter=team]') !== null").await;
    window.click("#library-search").await;
    window.keys("ferry osth").await;
    window.wait_for("it is found beside one's own", "return document.querySelector('.team-few .entry')?.innerText.includes('anna')").await;
    window.pictures("team-beside").await;
    window.click("#team-show-all").await;
    window.wait_for("all are listed", "return document.querySelector('.team-all .entry mark') !== null").await;
    window.pictures("team-library").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click(".team-all .entry .open").await;
    window.wait_for("it is read", "return document.querySelector('.answer')?.innerText.includes('leaves at nine')").await;
    window
        .wait_for(
            "the bar stands in the place of the question field",
            "return !document.querySelector('#shared-bar').hidden && document.querySelector('#composer').offsetParent === null",
        )
        .await;
    window.pictures("team-thread").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click("#continue-shared").await;
    window
        .wait_for(
            "it is one's own",
            "return document.querySelector('#shared-bar').hidden && document.querySelector('#head')?.innerText.includes('after anna')",
        )
        .await;

    let choose = async |label: &str| {
        window.click("#thread-menu").await;
        let item = format!("[...document.querySelectorAll('.menu-list button')].find((one) => one.innerText.includes('{label}'))");
        window.wait_for(label, &format!("return {item} !== undefined")).await;
        window.eval(&format!("{item}.click()")).await;
    };
    choose("Share with the team").await;
    window.wait_for("the dialog", "return document.querySelector('dialog.ask')?.open").await;
    window.pictures("team-share").await;
    window.click("#share-role").await;
    window.keys("nobody").await;
    window.click("dialog.ask .go").await;
    window
        .wait_for(
            "a role that is not there is named",
            "return document.querySelector('dialog.ask [role=alert]').innerText.includes('nobody')",
        )
        .await;
    window.eval("document.querySelector('#share-role').value = ''").await;
    window.click("dialog.ask .go").await;
    window.wait_for("it is shared", "return document.querySelector('.shared-badge') !== null").await;
    window.pictures("team-shared").await;
    let all = anna.team_threads(&TeamSearch { limit: 10, ..TeamSearch::default() }).await.unwrap().rows;
    let authors: Vec<(&str, Option<&str>)> = all.iter().map(|row| (row.author.as_str(), row.origin.as_deref())).collect();
    assert_eq!(authors, [("ben", Some("anna")), ("anna", None)]);
    choose("Stop sharing").await;
    window.wait_for("it is shared no longer", "return document.querySelector('.shared-badge') === null").await;
    assert_eq!(anna.team_threads(&TeamSearch { limit: 10, ..TeamSearch::default() }).await.unwrap().rows.len(), 1);

    // The database goes away: one's own threads are found, and it is said why the others are not.
    drop(server);
    window.eval("document.querySelector('#open-library').click()").await;
    window
        .wait_for("why nothing of the team is shown", "return document.querySelector('.team-all .count').innerText.includes('127.0.0.1')")
        .await;
    window.click("[data-filter=team]").await;
    window.wait_for("one's own", "return document.querySelector('.library > .entries .entry') !== null").await;
    window.wait_for("why there are no others", "return document.querySelector('.team-few').innerText.includes('127.0.0.1')").await;
    window.close().await;
}

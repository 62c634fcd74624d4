//! Nexi on a terminal: the session, passphrases, answers that stream.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use serde_json::json;

use crate::support::{KEY, Place, json as parsed, long_page, web_settings};

const FACT: &str = "The lighthouse of Orvik was lit for the first time on 3 October 1877.";

/// A terminal with the program on it.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    _pair: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    seen: Arc<Mutex<String>>,
    /// Ends with the last program that has the terminal.
    reading: JoinHandle<()>,
}

impl Terminal {
    pub fn open(place: &Place, args: &[&str]) -> Self {
        Self::sized(place, (160, 40), &[], args)
    }

    /// With so many columns and rows, and these variables.
    pub fn sized(place: &Place, (cols, rows): (u16, u16), variables: &[(&str, &str)], args: &[&str]) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_nexi"));
        command.args(args);
        command.args(["--config".into(), place.path("config.toml"), "--data-dir".into(), place.path("data")]);
        command.env_clear();
        command.env("HOME", place.path(""));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("TERM", "xterm-256color");
        command.env("TEST_KEY", KEY);
        variables.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).expect("nexi runs");
        let seen = Arc::new(Mutex::new(String::new()));
        let (mut reader, writer) = (pair.master.try_clone_reader().expect("a reader"), pair.master.take_writer().expect("a writer"));
        let collected = seen.clone();
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                collected.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        });
        Self { child, _pair: pair.master, writer, seen, reading }
    }

    /// Ends the program at once, as by `kill -9`.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        let _ = self.child.wait();
    }

    pub fn send(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush()).expect("the terminal takes it");
    }

    pub fn seen(&self) -> String {
        self.seen.lock().unwrap().clone()
    }

    /// Waits for a text that comes after everything that was waited for before.
    pub async fn expect(&mut self, wanted: &str) {
        let started = Instant::now();
        loop {
            let place = self.seen().find(wanted);
            if let Some(place) = place {
                self.seen.lock().unwrap().drain(..place + wanted.len());
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(20), "waited in vain for {wanted:?}: {}", self.seen());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Answers both questions about the passphrase of a new key file.
    pub async fn choose_passphrase(&mut self, passphrase: &str) {
        for question in ["Passphrase for the new key file", "The same once more"] {
            self.expect(question).await;
            self.send(&format!("{passphrase}\r"));
        }
    }

    /// The exit code, once everything it wrote was seen.
    pub async fn end(&mut self) -> u32 {
        let started = Instant::now();
        loop {
            // Nobody has the terminal any more.
            if self.reading.is_finished()
                && let Some(status) = self.child.try_wait().expect("its state")
            {
                return status.exit_code();
            }
            assert!(started.elapsed() < Duration::from_secs(20), "it does not end: {}", self.seen());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_question_follows_the_other() {
    let site = Site::start(&[("/orvik", &long_page("Orvik", 2, FACT))]).await;
    let search = SearchServer::start(200, &[]).await;
    let script = vec![
        Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/orvik")]}))]),
        Scripted::Text("It was lit on **3 October 1877** [1]."),
        Scripted::Text("The brick is red [1]."),
        Scripted::Silence,
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    let mut terminal = Terminal::open(&place, &[]);
    terminal.expect("/help lists the commands").await;
    terminal.expect("> ").await;
    terminal.send("/eff\t l\r");
    terminal.expect("effort l: at most 32 steps").await;
    terminal.send("/model test-model\r");
    terminal.expect("\r\nwork\r\n").await;
    terminal.send("/focus moon\r");
    terminal.expect("web, documents or both").await;
    terminal.send("/sources\r");
    terminal.expect("nothing has been asked yet").await;
    // A line that goes on in the next one.
    terminal.send("When was\\\r");
    terminal.send("it lit?\r");
    terminal.expect("\x1b[1m3 October 1877\x1b[0m").await;
    terminal.expect("[1] Orvik - http").await;
    terminal.expect("> ").await;
    terminal.send("What is red?\r");
    terminal.expect("The brick is red").await;
    terminal.expect("> ").await;
    terminal.send("/sources\r");
    terminal.expect("[1] Orvik - http").await;
    terminal.send(&format!("/save {}\r", place.path("orvik.md").display()));
    terminal.expect("Written to").await;
    // Ctrl+C stops the run and not the session.
    terminal.send("And now?\r");
    terminal.expect("thinking").await;
    terminal.send("\x03");
    terminal.expect("Stopped.").await;
    terminal.expect("> ").await;
    terminal.send("\x03");
    terminal.expect("once more leaves").await;
    // Bytes that are no text end nothing.
    terminal.writer.write_all(b"\xff\xfe bad\r").unwrap();
    terminal.expect("not UTF-8").await;
    terminal.send("/save /does/not/exist.md\r");
    terminal.expect("is not a folder").await;
    terminal.send("/quit\r");
    assert_eq!(terminal.end().await, 0);
    let saved = std::fs::read_to_string(place.path("orvik.md")).unwrap();
    assert!(saved.contains("When was\nit lit?") || saved.contains("When was it lit?"), "{saved}");
    let turns = parsed(&place.run(&["history", "--json"]));
    let states: Vec<&str> = turns.as_array().unwrap().iter().map(|turn| turn["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["cancelled", "answered", "answered"], "{turns}");
    assert!(turns.as_array().unwrap().iter().all(|turn| turn["thread"] == turns[0]["thread"] && turn["effort"] == "l"));
    let remembered = place.path("data/session-history.txt");
    assert!(std::fs::read_to_string(&remembered).unwrap().contains("What is red?"));
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&remembered).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(model.problems(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_stream_and_colours_can_be_refused() {
    let search = SearchServer::start(200, &[]).await;
    let words = "The first half of it. The second half of it, which comes much later.";
    let model = LlmServer::start(
        KEY,
        Duration::from_millis(150),
        vec![Scripted::Text(words), Scripted::Text(words), Scripted::Text(words), Scripted::Text(words)],
    )
    .await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    let mut terminal = Terminal::open(&place, &["ask", "x?"]);
    terminal.expect("The first half").await;
    assert!(!terminal.seen().contains("later"), "it is shown while it is written: {}", terminal.seen());
    terminal.expect("later.").await;
    assert_eq!(terminal.end().await, 0);
    // Then it is printed in its place with marks of how it is supported.
    let rest = terminal.seen();
    let (before, anew) = rest.split_once("\x1b[1F\x1b[J").unwrap_or_else(|| panic!("{rest:?}"));
    assert!(!before.contains("The first half"), "it is shown once: {before}");
    assert!(anew.contains(&format!("\n{words} ∅")), "{anew:?}");
    // What is typed while it comes stands nowhere in it.
    let mut terminal = Terminal::open(&place, &["ask", "x?"]);
    terminal.expect("The first half").await;
    terminal.send("typed ahead\r\r");
    assert_eq!(terminal.end().await, 0);
    let seen = terminal.seen();
    assert!(!seen.contains("typed ahead") && seen.contains("\x1b[1F\x1b[J") && seen.contains(&format!("\n{words} ∅")), "{seen:?}");
    // An answer that has begun to leave the screen stays as it was shown, with a list of what is doubtful.
    let mut terminal = Terminal::sized(&place, (160, 2), &[], &["ask", "x?"]);
    assert_eq!(terminal.end().await, 0);
    let seen = terminal.seen();
    assert_eq!(seen.matches("The first half of it. The second").count(), 1, "{seen:?}");
    assert!(!seen.contains("\x1b[1F") && seen.contains("no citation"), "{seen:?}");
    let mut terminal = Terminal::open(&place, &["ask", "x?", "--plain"]);
    assert_eq!(terminal.end().await, 0);
    assert!(terminal.seen().contains(words) && !terminal.seen().contains('\x1b'), "{:?}", terminal.seen());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_in_a_file_is_asked_for_and_never_shown() {
    let model = LlmServer::start("sk-canary-typed-in", Duration::ZERO, vec![Scripted::Text("Ready."), Scripted::Text("Ready.")]).await;
    let settings = format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"documents\"]\nkeys = \"file\"\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"m\"\napi_key_env = \"NOT_SET\"\n",
        model.base_url
    );
    let place = Place::new(&settings);
    let mut terminal = Terminal::open(&place, &["key", "set", "work"]);
    terminal.choose_passphrase("correct horse").await;
    terminal.expect("(hidden)").await;
    terminal.send("sk-canary-typed-in\r");
    terminal.expect("work: in the file with the keys").await;
    assert_eq!(terminal.end().await, 0);
    let mut terminal = Terminal::open(&place, &["ask", "Are you there?"]);
    terminal.expect("Passphrase of the key file").await;
    terminal.send("wrong\r");
    terminal.expect("not the passphrase").await;
    terminal.expect("Passphrase of the key file").await;
    terminal.send("correct horse\r");
    terminal.expect("Ready.").await;
    assert_eq!(terminal.end().await, 0);
    assert!(!terminal.seen().contains("canary") && !terminal.seen().contains("horse"), "{}", terminal.seen());
    // Programs that nobody sits in front of find the passphrase in a file of its own.
    let (secret, asked) = (place.path("passphrase"), || {
        let mut command = place.nexi(&["ask", "Are you there?"]);
        command.env("NEXI_KEYS_PASSPHRASE_FILE", place.path("passphrase"));
        command.output().unwrap()
    });
    let told = crate::support::stderr(&asked());
    assert!(told.contains("NEXI_KEYS_PASSPHRASE_FILE") && told.contains("cannot be read"), "{told}");
    // A pipe that nobody writes into, and a file without end.
    let pipe = place.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg("-m").arg("600").arg(&pipe).status().unwrap().success());
    let listed = |path: &std::path::Path| place.nexi(&["key", "list"]).env("NEXI_KEYS_PASSPHRASE_FILE", path).output().unwrap();
    for (path, wanted) in [(pipe.as_path(), "gives nothing"), (std::path::Path::new("/dev/zero"), "not the passphrase")] {
        let told = crate::support::stderr(&listed(path));
        assert!(told.contains(wanted), "{}: {told}", path.display());
    }
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, "correct horse\n")
    });
    assert!(crate::support::stdout(&listed(&pipe)).contains("work: in the file with the keys"));
    writer.join().unwrap().unwrap();
    std::fs::write(&secret, "correct horse\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o644)).unwrap();
        let told = crate::support::stderr(&asked());
        assert!(told.contains("can be read by others"), "{told}");
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    let output = asked();
    assert_eq!(crate::support::stdout(&output).trim(), "Ready.", "{}", crate::support::stderr(&output));
    for file in crate::support::files(&place.path("data")) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(9).any(|window| window == b"sk-canary"), "{}", file.display());
    }
    // Ctrl+C at a question gives the terminal its echo back.
    let mut terminal = Terminal::open(&place, &["ask", "x?"]);
    terminal.expect("Passphrase of the key file").await;
    terminal.send("\x03");
    assert_eq!(terminal.end().await, 130);
    let mut terminal = Terminal::open(&place, &["history", "clear"]);
    terminal.expect("Type yes to continue").await;
    terminal.send("no\r");
    terminal.expect("nothing was deleted").await;
    assert_eq!(terminal.end().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_shown_and_edited_before_it_is_carried_out() {
    let place = Place::new("search_backends = [\"documents\"]\n[deep]\nplan = \"ask\"");
    let mut terminal =
        Terminal::open(&place, &["ask", "--deep", "Where are keys kept? Which key opens the popup? What is a private thread?"]);
    terminal.expect("1. ").await;
    terminal.expect("3. ").await;
    terminal.expect("q to cancel:").await;
    terminal.send("2\r");
    terminal.expect("Where are keys kept?").await;
    terminal.expect("2. What is a private thread?").await;
    terminal.expect("q to cancel:").await;
    terminal.send("what\r");
    terminal.expect("Enter task numbers").await;
    terminal.expect("q to cancel:").await;
    terminal.send("\r");
    terminal.expect("Sources:").await;
    assert_eq!(terminal.end().await, 0);
    let newest = parsed(&place.run(&["history", "--json"]))[0].clone();
    assert_eq!((&newest["mode"], &newest["method"]["researchers"]), (&json!("deep"), &json!(2)), "{newest}");
    // Somebody who does not want it ends the run, and what is no terminal is not asked.
    let mut terminal = Terminal::open(&place, &["ask", "--deep", "Where are keys kept? What is a private thread?"]);
    terminal.expect("q to cancel:").await;
    terminal.send("q\r");
    assert_eq!(terminal.end().await, 130);
    assert_eq!(parsed(&place.run(&["ask", "--deep", "Where are keys kept?", "--json"]))["state"], json!("answered"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_researches_deeply() {
    let place = Place::new("search_backends = [\"documents\"]\n[deep]\nplan = \"go\"");
    let mut terminal = Terminal::open(&place, &[]);
    terminal.expect("/help lists").await;
    terminal.send("/deep on\r");
    terminal.expect("Deep research is on").await;
    terminal.send("Where are keys kept? Which key opens the popup?\r");
    terminal.expect("Sources:").await;
    terminal.send("/deep maybe\r");
    terminal.expect("on or off").await;
    terminal.send("/quit\r");
    terminal.end().await;
    assert_eq!(parsed(&place.run(&["history", "--json"]))[0]["mode"], json!("deep"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_back_is_asked_about_on_the_terminal() {
    for (said, fetched) in [("y\n", 1), ("\n", 0), ("what\n", 0)] {
        let site = Site::start(&[("/other", "<h1>Other</h1><p>Another page about vaults.</p>")]).await;
        let search = SearchServer::start(200, &[]).await;
        let model = crate::egress::thief(&site.url("/other")).await;
        let place = crate::egress::beside_the_web(&model, &search, &site, "");
        let mut terminal = Terminal::open(&place, &["ask", "What is the password of the vault?"]);
        terminal.expect("wants to open an address").await;
        terminal.expect("/other?said=marmalade-4711").await;
        terminal.expect("Open it? [y/N]").await;
        terminal.send(said);
        terminal.expect("search the web for words found only in your documents").await;
        terminal.expect("who knows marmalade-4711").await;
        terminal.expect("Send this search? [y/N]").await;
        assert!(!search.queries().iter().any(|query| query.contains("4711")));
        terminal.send("n\n");
        terminal.expect("The vault has a password.").await;
        assert_eq!(terminal.end().await, 0);
        assert_eq!(site.asked("/other"), fetched, "{said:?}");
        assert!(!search.queries().iter().any(|query| query.contains("4711")));
    }
}

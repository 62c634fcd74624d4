//! What a terminal and scripts get beyond the answer: whole words, links, a stream of events, completion, set-up.

use std::process::{Command, Stdio};
use std::time::Duration;

use jsonschema::Validator;
use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::commands::code;
use crate::session::Terminal;
use crate::support::{KEY, Place, json as parsed, long_page, stderr, stdout, web_settings};

const FACT: &str = "The lighthouse of Orvik was lit for the first time on 3 October 1877.";

/// The columns of a line without what takes no room.
fn plain_lines(seen: &str) -> Vec<String> {
    let mut out = String::new();
    let mut rest = seen.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\x1b' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('[') => while rest.next().is_some_and(|c| !c.is_ascii_alphabetic()) {},
            Some(']') => while rest.next().is_some_and(|c| c != '\\') {},
            _ => {}
        }
    }
    out.lines().map(|line| line.rsplit('\r').find(|part| !part.is_empty()).unwrap_or_default().to_owned()).collect()
}

/// What the numbers in a text lead to, in order.
fn links(seen: &str) -> Vec<(String, String)> {
    let parts = seen.split("\x1b]8;;").skip(1);
    parts
        .filter_map(|part| part.split_once("\x1b\\"))
        .filter(|(address, _)| !address.is_empty())
        .map(|(address, text)| (text.to_owned(), address.to_owned()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn words_stay_whole_and_numbers_lead_to_their_sources() {
    let other = "The harbour wall of Orvik was finished in the spring of 1902 by masons from Bergen.";
    let site = Site::start(&[("/b-orvik", &long_page("Orvik", 2, FACT)), ("/a-harbour", &long_page("Harbour", 2, other))]).await;
    let search = SearchServer::start(200, &[]).await;
    // The page that is cited first comes last by its address.
    let answer = format!("{FACT} [1] {other} [2]\n\n- {other} [2]");
    let read = |page: &str| Scripted::Calls(vec![("web_get", json!({"urls": [site.url(page)]}))]);
    let script = vec![read("/b-orvik"), read("/a-harbour"), Scripted::Text(answer.leak())];
    let model = LlmServer::start(KEY, Duration::from_millis(20), script).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    let mut terminal = Terminal::sized(&place, (60, 40), &[("FORCE_HYPERLINK", "1")], &["ask", "--quiet", "When was it lit?"]);
    assert_eq!(terminal.end().await, 0);
    let seen = terminal.seen();
    let lines = plain_lines(&seen);
    let (answer, sources) = lines.split_at(lines.iter().position(|line| line == "Sources:").unwrap());
    assert!(answer.iter().all(|line| line.chars().count() <= 60), "{answer:#?}");
    let words: Vec<&str> = answer.iter().flat_map(|line| line.split_whitespace()).collect();
    assert!(words.join(" ").starts_with(&format!("{FACT} [1] {other} [2] - {other} [2]")), "{answer:#?}");
    assert!(answer.iter().any(|line| line.starts_with("  ")), "an item goes on below its text: {answer:#?}");
    assert!(sources[1].contains("/b-orvik") && sources[2].contains("/a-harbour"), "{sources:#?}");
    let numbers: Vec<(String, String)> = links(&seen).into_iter().filter(|(text, _)| text.ends_with(']')).collect();
    assert_eq!(numbers.len(), 3, "{seen:?}");
    for (number, address) in numbers {
        let page = if number == "[1]" { "/b-orvik" } else { "/a-harbour" };
        assert!(address.starts_with(&site.url(page)), "{number} leads to {address}");
    }
    // The list leads to the passage.
    assert!(links(&seen).iter().any(|(text, address)| text.starts_with("[1] ") && address.contains("/b-orvik#:~:text=")), "{seen:?}");
    let mut terminal = Terminal::sized(&place, (60, 40), &[("FORCE_HYPERLINK", "0")], &["history", "--prev"]);
    assert_eq!(terminal.end().await, 0);
    assert!(!terminal.seen().contains("\x1b]8"), "a terminal that knows no links is given none: {:?}", terminal.seen());
}

/// The schema that the program publishes.
fn schema(place: &Place, of: &str) -> Validator {
    jsonschema::draft202012::new(&parsed(&place.run(&["schema", of]))).expect("a schema")
}

fn assert_follows(schema: &Validator, value: &Value) {
    let wrong: Vec<String> = schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{value:#}");
}

/// The lines of a run, each of which follows the schema; the report at the end as its own does.
fn streamed(place: &Place, args: &[&str]) -> (Vec<Value>, Value) {
    let output = place.run(args);
    let mut lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let line_schema = schema(place, "jsonl");
    lines.iter().for_each(|line| assert_follows(&line_schema, line));
    let report = lines.pop().expect("a last line")["report"].take();
    assert_follows(&schema(place, "json"), &report);
    (lines, report)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_events_follows_its_schema() {
    let site = Site::start(&[("/orvik", &long_page("Orvik", 2, FACT))]).await;
    let search = SearchServer::start(200, &[]).await;
    let script = vec![
        Scripted::Calls(vec![
            ("web_search", json!({"queries": ["orvik"]})),
            ("web_get", json!({"urls": [site.url("/orvik"), site.url("/gone")]})),
        ]),
        Scripted::Text("It was lit on 3 October 1877 [1]. It was torn down in 1999 [1]. Nobody knows why [7]."),
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, "check = \"local\""));
    let (events, report) = streamed(&place, &["ask", "--jsonl", "When was it lit?"]);
    let types: Vec<&str> = events.iter().map(|line| line["event"]["type"].as_str().unwrap()).collect();
    assert_eq!((types.first(), types.last()), (Some(&"started"), Some(&"ended")), "{types:?}");
    for wanted in ["searching", "page_read", "page_failed", "answer_delta", "sources", "usage"] {
        assert!(types.contains(&wanted), "{wanted}: {types:?}");
    }
    assert!(events.iter().enumerate().all(|(index, line)| line["seq"] == json!(index)), "no event is missing");
    assert_eq!(report["state"], "answered");
    assert_eq!(parsed(&place.run(&["history", "--prev", "--json"])), report);
    let asked = report["asked"].as_str().unwrap();
    assert!(asked.len() == 20 && asked.starts_with("20") && asked.ends_with('Z'), "{asked}");
    assert_follows(&schema(&place, "json"), &parsed(&place.run(&["history", "--json"]))[0]);
    let found = parsed(&place.run(&["history", "search", "lit", "--json"]));
    assert_eq!(found["results"][0]["turn"], report["id"]);
    let searched = parsed(&place.run(&["search", "orvik", "--json"]));
    let read = parsed(&place.run(&["read", &site.url("/orvik"), "--json"]));
    assert!(read["pages"][0]["content"].as_str().unwrap().contains("Orvik"), "{read}");
    for (of, printed) in [("found", found), ("search", searched), ("read", read)] {
        let schema = schema(&place, of);
        assert_follows(&schema, &printed);
        assert!(!schema.is_valid(&json!({})), "{of}");
    }
    // A schema that accepts anything would say nothing.
    let line_schema = schema(&place, "jsonl");
    let mut wrong = events[0].clone();
    wrong["event"]["max_steps"] = json!("many");
    assert!(!line_schema.is_valid(&wrong));
    assert!(!line_schema.is_valid(&json!({"turn": "x"})));
    // Deep runs, and answers without a model.
    let place = Place::new("search_backends = [\"documents\"]");
    let (events, report) = streamed(&place, &["ask", "--deep", "--format", "jsonl", "Where are keys kept? Which key opens the popup?"]);
    assert!(events.iter().any(|line| line["event"]["type"] == "researcher") && report["mode"] == "deep");
}

/// What a shell is told when this line is completed.
fn candidates(place: &Place, shell: &str, words: &[&str]) -> String {
    let mut command = place.nexi(&[]);
    let data = [
        "--data-dir".to_owned(),
        place.path("data").display().to_string(),
        "--config".into(),
        place.path("config.toml").display().to_string(),
    ];
    let asked: Vec<String> =
        ["--", "nexi"].map(str::to_owned).into_iter().chain(data).chain(words.iter().map(|word| (*word).to_owned())).collect();
    let mut bare = Command::new(command.get_program());
    command.get_envs().for_each(|(name, value)| {
        bare.env(name, value.unwrap_or_default());
    });
    let index = asked.len() - 2;
    bare.args(&asked).env("COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", index.to_string()).env("_CLAP_COMPLETE_COMP_TYPE", "9");
    command = bare;
    stdout(&command.stdin(Stdio::null()).output().unwrap())
}

#[test]
fn shells_complete_what_there_is() {
    let place = Place::new(
        "llm_backends = [\"work\", \"builtin\"]\nsearch_backends = [\"documents\"]\n[providers.work]\ntype = \"ollama\"\nmodel = \"qwen3:8b\"\n",
    );
    assert_eq!(code(&place.run(&["ask", "Where are keys kept?"])), 0);
    let turn = parsed(&place.run(&["history", "--json"]))[0]["id"].as_str().unwrap().to_owned();
    let short = &turn[turn.len() - 8..];
    for shell in ["bash", "zsh", "fish"] {
        for (words, wanted) in [
            (&["con"][..], "config"),
            (&["config", "get", "default_e"], "default_effort"),
            (&["config", "set", "providers.work.m"], "providers.work.model"),
            (&["ask", "--model", "w"], "work"),
            (&["ask", "--effort", ""], ""),
            (&["key", "set", ""], "work"),
            (&["model", "add", "anth"], "anthropic"),
            (&["history", "--show", &short[..3]], short),
            (&["history", "export", "--format", "bib"], "bibtex"),
        ] {
            let told = candidates(&place, shell, words);
            assert!(told.contains(wanted), "{shell} {words:?}: {told:?}");
            assert!(!told.contains("Cargo.toml"), "files are no values of {words:?}: {told}");
        }
    }
    // In a real shell, with the lines that it is given.
    let script = stdout(&place.run(&["completions", "bash"]));
    let asked = format!(
        "{script}\nCOMP_WORDS=(nexi config get default_e); COMP_CWORD=3; COMP_TYPE=9; COMP_LINE='nexi config get default_e'; COMP_POINT=25\nfunction_name=$(complete -p nexi | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n$function_name nexi default_e get\necho \"${{COMPREPLY[@]}}\"\n"
    );
    let program = place.nexi(&[]).get_program().to_owned();
    let folder = std::path::Path::new(&program).parent().unwrap().to_owned();
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap()))).unwrap();
    let output = Command::new("bash").args(["--norc", "-c", &asked]).env("PATH", path).env("HOME", place.path("")).output().unwrap();
    assert_eq!(stdout(&output).trim(), "default_effort", "{}", stderr(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_private_ask_again_and_go_on_with_what_is_kept() {
    let place = Place::new("search_backends = [\"documents\"]");
    std::fs::create_dir(place.path("notes")).unwrap();
    std::fs::write(place.path("notes/boat.md"), "# Boat\n\nThe dinghy Petrel is moored at berth 44 in Skagen.\n").unwrap();
    assert_eq!(code(&place.run(&["ask", "Where are keys kept?"])), 0);
    let mut terminal = Terminal::open(&place, &[]);
    terminal.expect("/help lists the commands").await;
    terminal.send("/retry\r");
    terminal.expect("nothing has been asked yet").await;
    terminal.send("/history\r");
    terminal.expect("Where are keys kept?").await;
    terminal.send("/history nobody-wrote-this\r");
    terminal.expect("nothing was found").await;
    // What is asked in private is kept nowhere, nor is the line.
    terminal.send("/private on\r");
    terminal.expect("Nothing of what follows is kept").await;
    terminal.send(&format!("/docs {}\r", place.path("notes").display()));
    terminal.expect("notes (in this session)").await;
    terminal.send("Where is the dinghy Petrel moored?\r");
    terminal.expect("berth 44").await;
    terminal.expect("Sources:").await;
    terminal.send("/retry\r");
    terminal.expect("Asking again: Where is the dinghy Petrel moored?").await;
    terminal.expect("berth 44").await;
    terminal.expect("Sources:").await;
    terminal.send("/continue 3f9a\r");
    terminal.expect("/private off ends it").await;
    terminal.send("/private off\r");
    terminal.expect("kept again").await;
    let turn = parsed(&place.run(&["history", "--json"]))[0].clone();
    let id = turn["id"].as_str().unwrap();
    terminal.send(&format!("/continue {}\r", &id[id.len() - 8..]));
    terminal.expect("The next question follows “Where are keys kept?”").await;
    terminal.send("/docs off\r");
    terminal.expect("No folder is searched").await;
    terminal.send("What is a private thread?\r");
    terminal.expect("Sources:").await;
    terminal.send("quit\r");
    assert_eq!(terminal.end().await, 0);
    let turns = parsed(&place.run(&["history", "--json"]));
    let questions: Vec<&str> = turns.as_array().unwrap().iter().map(|turn| turn["question"].as_str().unwrap()).collect();
    assert_eq!(questions, ["What is a private thread?", "Where are keys kept?"]);
    assert_eq!(turns[0]["thread"], turns[1]["thread"]);
    for file in crate::support::files(&place.path("data")) {
        let bytes = std::fs::read(&file).unwrap();
        let question = b"Where is the dinghy";
        assert!(!bytes.windows(question.len()).any(|window| window == question), "{}", file.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn setup_asks_step_by_step() {
    let place = Place::new("search_backends = [\"documents\"]");
    std::fs::create_dir(place.path("notes")).unwrap();
    std::fs::write(place.path("notes/boat.md"), "# Boat\n\nThe dinghy Petrel is moored at berth 44.\n").unwrap();
    let mut terminal = Terminal::open(&place, &["setup"]);
    terminal.expect("Who should answer?").await;
    terminal.expect("Number [3]: ").await;
    terminal.send("7\r");
    terminal.expect("none of 1, 2 and 3").await;
    terminal.send("\r");
    terminal.expect("A folder with documents").await;
    terminal.send("/does/not/exist\r");
    terminal.expect("cannot be read").await;
    terminal.expect("A folder with documents").await;
    terminal.send(&format!("{}\r", place.path("notes").display()));
    terminal.expect("1 file").await;
    terminal.expect("A folder with documents").await;
    terminal.send("\r");
    terminal.expect("Ready.").await;
    assert_eq!(terminal.end().await, 0);
    assert!(stdout(&place.run(&["ask", "Where is the dinghy Petrel moored?"])).contains("berth 44"));
    // Ctrl+C anywhere leaves, and nobody is asked without a terminal.
    let mut terminal = Terminal::open(&place, &["setup"]);
    terminal.expect("Number [3]: ").await;
    terminal.send("\x03");
    assert_eq!(terminal.end().await, 130);
    let output = place.run(&["setup"]);
    assert!(code(&output) == 2 && stderr(&output).contains("nexi model add"), "{}", stderr(&output));
}

/// Where there is no keyring, a key finds a place all the same, and is asked for once that is settled.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_keyring_setup_offers_a_file_with_a_passphrase() {
    let place = Place::new("search_backends = [\"documents\"]");
    let kept_in = || stdout(&place.run(&["config", "get", "keys"])).trim().to_owned();
    let ask = async |terminal: &mut Terminal| {
        terminal.expect("Number [3]: ").await;
        terminal.send("1\r");
        terminal.expect("Keep keys in a file with a passphrase instead? The key itself is asked for afterwards. [y/N]").await;
    };
    // Who leaves at the passphrase has changed nothing.
    let mut terminal = Terminal::open(&place, &["setup"]);
    ask(&mut terminal).await;
    terminal.send("y\r");
    terminal.expect("Passphrase for the new key file").await;
    terminal.send("\x03");
    assert_eq!(terminal.end().await, 130);
    assert!(kept_in().contains("keyring"), "{}", kept_in());
    // Who wants no file is told what else there is, and goes on.
    let mut terminal = Terminal::open(&place, &["setup"]);
    ask(&mut terminal).await;
    terminal.send("what?\r");
    terminal.expect("write y for yes or n for no").await;
    terminal.send("n\r");
    terminal.expect("nexi config set keys file").await;
    terminal.expect("A folder with documents").await;
    // A key that is pasted one question too late is not repeated.
    terminal.send("sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz0123456789\r");
    terminal.expect("looks like an API key of Anthropic").await;
    terminal.expect("A folder with documents").await;
    terminal.send("\r");
    assert_eq!(terminal.end().await, 0);
    let mut terminal = Terminal::open(&place, &["setup"]);
    ask(&mut terminal).await;
    terminal.send("y\r");
    for question in ["Passphrase for the new key file", "once more"] {
        terminal.expect(question).await;
        terminal.send("correct horse battery\r");
    }
    terminal.expect("API key").await;
    assert!(kept_in().contains("file"), "{}", kept_in());
    // A key that does not tell its service leads to a question, and a slip there to the same question.
    terminal.send("0123456789abcdef\r");
    terminal.expect("does not tell which service").await;
    terminal.expect("Service: ").await;
    terminal.send("opnai\r");
    terminal.expect("Did you mean openai?").await;
    terminal.expect("Service: ").await;
    terminal.send("\x03");
    assert_eq!(terminal.end().await, 130);
    assert!(place.path("data/keys.age").exists());
}

#[test]
fn slips_of_the_hand_are_answered_in_words() {
    let place = Place::new("search_backends = [\"documents\"]");
    for (args, wanted) in [
        (&["ask", "x?", "--max-steps", "3.5"][..], "write a whole number from 1 to 200"),
        (&["ask", "x?", "--max-tokens", "9"], "write a whole number of at least 1000"),
        (&["history", "--last", "3x"], "write a whole number from 1 to 1000000"),
        (&["model", "add", "opnai"], "Did you mean openai?"),
        (&["model", "add", "zzz"], "There are "),
        (&["history", "export", "--last", "--format", "pdf"], "in the window"),
        (&["history", "delete", "--last", "--yes"], "nothing has been asked yet"),
        (&["ask", "x?", "--time-target", "-5"], "write a whole number of at least 1"),
        (&["config", "set", "hotkey", "Ctrl+Alt+K"], "did you mean desktop.hotkey?"),
        (&["config", "set", "desktop.hotkey", "Ctrl+Shift+Nope"], "no key"),
        (&["config", "set", "desktop.hotkey", "Ctrl+Alt+T"], "open a terminal"),
        (&["read", "missing.pdf"], "there is no file missing.pdf"),
        (&["read", "/nope/x.md"], "there is no file /nope/x.md"),
        (&["read", "/"], "is a folder"),
        (&["read", "nonsense"], "\"nonsense\" is neither a file nor an address"),
        (&["config", "set", "search.language", "german"], "must be a language code such as en or de"),
    ] {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn what_is_missing_is_told_before_somebody_wonders() {
    let place = Place::new("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[providers.openai]\nmodel = \"m\"\n");
    let used = place.run(&["model", "use", "openai"]);
    assert!(used.status.success() && stderr(&used).contains("openai has no key yet: nexi key set openai"), "{}", stderr(&used));
    assert!(stderr(&place.run(&["model", "use", "builtin"])).is_empty());
    assert!(!place.run(&["ask", "xyzzy plugh frobozz?", "--quiet"]).stdout.is_empty());
    let sources = place.run(&["history", "export", "--last", "--format", "bibtex"]);
    assert!(stderr(&sources).contains("There are no sources to list."), "{} {}", stdout(&sources), stderr(&sources));
}

#[test]
fn the_newest_turn_needs_no_id() {
    let place = Place::new("search_backends = [\"documents\"]");
    for question in ["Where does Nexi keep my keys?", "How do I add a folder of documents?"] {
        assert!(place.run(&["ask", question, "--quiet"]).status.success());
    }
    let exported = stdout(&place.run(&["history", "export", "--last"]));
    assert!(exported.contains("add a folder") && !exported.contains("keep my keys"), "{exported}");
    assert!(place.run(&["history", "delete", "--last", "--yes"]).status.success());
    let left = stdout(&place.run(&["history"]));
    // What lists show of an id can be typed from its front, and the name of a file says its format.
    let shown = left.split_whitespace().next().unwrap();
    let word = place.path("answer.docx");
    let written = place.run(&["history", "export", &shown[..5], "--out", &word.display().to_string()]);
    assert!(written.status.success(), "{}", stderr(&written));
    assert!(std::fs::read(&word).unwrap().starts_with(b"PK"), "a Word document");
    let odd = place.run(&["history", "export", shown, "--out", &place.path("answer.xyz").display().to_string()]);
    assert!(odd.status.code() == Some(2) && stderr(&odd).contains("no format is named .xyz"), "{}", stderr(&odd));
    assert!(!place.path("answer.xyz").exists());
    assert!(left.contains("keep my keys") && !left.contains("add a folder"), "{left}");
}

//! The commands that use single parts: search, read, config, key, doctor, and what the shell needs.

use std::io::Write;
use std::process::{Output, Stdio};
use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{KEY, Place, files, json as parsed, long_page, stderr, stdout, web_settings};

const FACT: &str = "The lighthouse of Orvik was lit for the first time on 3 October 1877, and its tower of red brick is 41 metres high.";
/// What stands on every long page and says nothing.
const FILLER: &str = "The quiet harbour of Orvik";

/// Runs the program beside the servers of this test.
async fn run(place: &Place, args: &[&str]) -> Output {
    let mut command = place.nexi(args);
    tokio::task::spawn_blocking(move || command.output().expect("nexi runs")).await.expect("it ran")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

#[tokio::test(flavor = "multi_thread")]
async fn searching_and_reading_need_no_model() {
    let site = Site::start(&[("/orvik", &long_page("Orvik", 60, FACT)), ("/b", &long_page("B", 2, FACT))]).await;
    let (url, other) = (site.url("/orvik"), site.url("/b"));
    let good = SearchServer::start(200, &[("Orvik's <b>light</b>", &url, "A tower"), ("B", &other, "Another")]).await;
    let bad = SearchServer::start(500, &[]).await;
    let settings = format!(
        "llm_backends = [\"gone\"]\nsearch_backends = [\"bad\", \"good\"]\n[network]\nallowed_private_hosts = [\"{}\"]\n\
         [providers.gone]\ntype = \"openai_compatible\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\napi_key_env = \"NO_SUCH_KEY\"\n\
         [providers.good]\ntype = \"searxng\"\nbase_url = \"{}\"\n[providers.bad]\ntype = \"searxng\"\nbase_url = \"{}\"\n",
        site.host, good.base_url, bad.base_url
    );
    let place = Place::new(&settings);
    let output = run(&place, &["search", "orvik light", "orvik tower", "--json"]).await;
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found = parsed(&output);
    let queries: Vec<&Value> = found["searches"].as_array().unwrap().iter().map(|search| &search["query"]).collect();
    assert_eq!(queries, [&json!("orvik light"), &json!("orvik tower")]);
    let first = &found["searches"][0]["results"][0];
    assert_eq!(first, &json!({"title": "Orvik's light", "url": url, "description": "A tower", "published_time": "2026-03-14"}));
    assert!(found["searches"][0].get("error").is_none());
    assert!(found["provider_failures"].as_array().is_some_and(|all| all.len() == 1 && all[0].as_str().unwrap().contains("bad")), "{found}");
    // Words without quotation marks are one query.
    let found = parsed(&run(&place, &["search", "orvik", "harbour", "light", "--json"]).await);
    assert_eq!((found["searches"].as_array().unwrap().len(), &found["searches"][0]["query"]), (1, &json!("orvik harbour light")));
    let output = run(&place, &["search", "x", "--backend", "bad"]).await;
    assert!(code(&output) == 1 && stdout(&output).is_empty() && stderr(&output).contains("bad"), "{}", stdout(&output));
    let output = run(&place, &["search", "x", "--backend", "good"]).await;
    assert!(stdout(&output).starts_with(&format!("1. Orvik's light (2026-03-14)\n   {url}\n   A tower\n")), "{}", stdout(&output));
    let output = run(&place, &["search", "x", "--backend", "bad", "--json"]).await;
    assert_eq!((code(&output), parsed(&output)["searches"][0]["error"].is_string()), (1, true));
    let output = run(&place, &["search", "x", "--backend", "nobody"]).await;
    assert!(code(&output) == 2 && stderr(&output).contains("nobody"), "{}", stderr(&output));

    let output = run(&place, &["read", &url, &site.url("/missing"), "--json", "--instructions", "when was the lighthouse lit"]).await;
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let pages = parsed(&output);
    let (read, failed) = (&pages["pages"][0], &pages["pages"][1]);
    let content = read["content"].as_str().unwrap();
    assert!(content.contains("3 October 1877") && content.len() < 8000, "{} bytes", content.len());
    assert_eq!((&read["url"], &read["title"], &read["partial"]), (&json!(url), &json!("Orvik"), &json!(true)));
    assert!(failed["error"].as_str().unwrap().contains("404") && failed["content"] == "", "{failed}");
    assert_eq!(pages["provider_failures"].as_array().map(Vec::len), Some(1));
    let whole = parsed(&run(&place, &["read", &url, "--full", "--json"]).await);
    let chunks = parsed(&run(&place, &["read", &url, "--chunks", "-i", "height of the tower", "--json"]).await);
    let length = |pages: &Value| pages["pages"][0]["content"].as_str().unwrap().len();
    assert!(length(&whole) > 10_000 && length(&chunks) < length(&pages), "{} {}", length(&whole), length(&chunks));
    assert_eq!(whole["pages"][0]["content"].as_str().unwrap().matches(FILLER).count(), 60);
    assert!(chunks["pages"][0]["content"].as_str().unwrap().contains("41 metres"));
    let text = stdout(&run(&place, &["read", &other]).await);
    assert!(text.starts_with("# B\n\nhttp") && text.contains("41 metres"), "{text}");
    let output = run(&place, &["read", "file:///etc/passwd", "http://169.254.169.254/"]).await;
    assert!(code(&output) == 1 && !stdout(&output).contains("root:"), "{}", stdout(&output));
    assert_eq!(code(&run(&place, &["read", &url, "--full", "--chunks"]).await), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_printed_in_four_forms() {
    let site = Site::start(&[("/orvik", &long_page("Orvik", 2, FACT))]).await;
    let url = site.url("/orvik");
    let search = SearchServer::start(200, &[]).await;
    let answer = || {
        vec![
            Scripted::Calls(vec![("web_get", json!({"urls": [url]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": "It was lit on **3 October 1877** [1] \\*."}))]),
        ]
    };
    let model = LlmServer::start(KEY, Duration::ZERO, answer()).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    let ask = |more: &[&'static str]| [&["ask", "When was it lit?"][..], more].concat();
    let output = run(&place, &ask(&["--format", "markdown"])).await;
    assert!(stdout(&output).contains("**3 October 1877** [1]") && stdout(&output).contains(&url), "{}", stdout(&output));
    assert!(stderr(&output).contains("[step 1 2] 1 page read"), "a short account: {}", stderr(&output));
    model.set_script(answer());
    let output = run(&place, &ask(&["--format", "html", "--quiet"])).await;
    assert!(stdout(&output).starts_with("<!") && stdout(&output).contains("<strong>3 October 1877</strong>"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
    model.set_script(answer());
    let output = run(&place, &ask(&["--format=json", "--model", "test-model", "--focus", "web"])).await;
    assert_eq!(parsed(&output)["model"], json!("test-model · work"));
    model.set_script(answer());
    let text = stdout(&run(&place, &ask(&[])).await);
    assert!(text.starts_with("It was lit on 3 October 1877 [1] *.\n\nSources:\n[1] Orvik - http"), "{text}");
    assert!(!text.contains('\x1b'), "no colours where there is no terminal");
    assert_eq!(model.problems(), Vec::<String>::new());
    // A model that is not there is named, with those that are.
    let output = run(&place, &ask(&["--model", "gpt-9"])).await;
    assert!(code(&output) == 2 && stderr(&output).contains("work (test-model), builtin"), "{}", stderr(&output));
    let output = run(&place, &ask(&["--focus", "moon"])).await;
    assert!(code(&output) == 2 && stderr(&output).contains("web, documents or both"), "{}", stderr(&output));
    let only_documents = Place::new("search_backends = [\"documents\"]");
    let output = run(&only_documents, &ask(&["--focus", "web"])).await;
    assert!(code(&output) == 2 && stderr(&output).contains("no web search"), "{}", stderr(&output));
}

#[test]
fn what_is_unknown_is_not_written() {
    let place = Place::new("max_context = 64000\n");
    for (field, value, says) in [
        ("providers.work.base_ulr", "http://x", "did you mean base_url"),
        ("search.cuont", "3", "did you mean count"),
        ("serch_backends", "[]", "did you mean search_backends"),
        ("models.gpt-4.1.input", "1", "nothing was changed"),
    ] {
        let output = place.run(&["config", "set", field, value]);
        assert!(code(&output) == 2 && stderr(&output).contains(says), "{field}: {}", stderr(&output));
        assert_eq!(std::fs::read_to_string(place.path("config.toml")).unwrap(), "max_context = 64000\n", "{field}");
    }
    assert_eq!(code(&place.run(&["config", "set", "models.\"gpt-4.1\"", "{\"input\": 1, \"output\": 4}"])), 0);
    let text = std::fs::read_to_string(place.path("config.toml")).unwrap();
    assert!(text.contains("[models.\"gpt-4.1\"]") && text.contains("input = 1"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_finds_what_would_keep_questions_from_starting() {
    let no_model = "{\"error\":{\"message\":\"The model `small` does not exist\",\"code\":\"model_not_found\"}}";
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text("ready")]).await;
    let side = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Status(404, vec![], no_model)]).await;
    let search = SearchServer::start(200, &[("A", "https://e.org/", "x")]).await;
    // A service elsewhere, whose prices nobody knows.
    let settings = web_settings(&model.base_url, &search.base_url, "wiki.lan", "max_cost = 0.5\nside_model = \"side\"")
        .replace("api_key_env", "preset = \"together\"\napi_key_env")
        + &format!(
            "[providers.side]\ntype = \"openai_compatible\"\nbase_url = {:?}\nmodel = \"small\"\napi_key_env = \"TEST_KEY\"\n",
            side.base_url
        );
    let place = Place::new(&settings);
    let output = run(&place, &["doctor", "--json"]).await;
    let findings = parsed(&output);
    let of = |what: &str| {
        findings.as_array().unwrap().iter().find(|finding| finding["what"] == what).unwrap_or_else(|| panic!("{what} {findings}")).clone()
    };
    assert_eq!((code(&output), &of("work")["state"]), (1, &json!("good")), "{findings}");
    // The side model is no reason to fail; the missing price is.
    let side = of("side");
    assert_eq!(side["state"], json!("note"), "{findings}");
    let advice = side["advice"].as_str().unwrap();
    assert!(
        advice.contains("nexi --config ") && advice.ends_with(" config set providers.side.model MODEL"),
        "for these settings: {advice}"
    );
    let price = of("price");
    assert_eq!(price["state"], json!("bad"), "{findings}");
    assert!(price["message"].as_str().unwrap().contains("max_cost") && price["advice"].as_str().unwrap().contains("max_tokens"), "{price}");
    assert_eq!(code(&run(&place, &["ask", "x?"]).await), 2, "what the doctor says is so");
}

#[test]
fn a_private_question_leaves_nothing() {
    let place = Place::new("search_backends = [\"documents\"]");
    let output = place.run(&["ask", "Where does Nexi keep the quokka keys?", "--private"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(parsed(&place.run(&["history", "--json"])), json!([]));
    for file in files(&place.path("data")) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"quokka"), "{}", file.display());
    }
}

#[test]
fn settings_are_shown_changed_and_checked() {
    let place = Place::new("# Mine\nmax_context = 64000\n");
    let file = place.path("config.toml");
    assert_eq!(stdout(&place.run(&["config", "path"])).trim(), file.display().to_string());
    assert_eq!(stdout(&place.run(&["config", "get", "max_context"])), "64000\n");
    assert_eq!(parsed(&place.run(&["config", "get"]))["default_effort"], json!("m"));
    assert_eq!(stdout(&place.run(&["config", "set", "default_effort", "l"])), "l\n");
    assert_eq!(stdout(&place.run(&["config", "set", "search_backends", "[\"documents\"]"])), "[\n  \"documents\"\n]\n");
    assert_eq!(code(&place.run(&["config", "set", "providers.work.type", "openai_compatible"])), 2, "half a provider is none");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("# Mine") && text.contains("default_effort = \"l\"") && !text.contains("work"), "{text}");
    assert_eq!(code(&place.run(&["config", "unset", "default_effort"])), 0);
    assert_eq!(stdout(&place.run(&["config", "get", "default_effort"])), "m\n");
    for (args, wanted) in [
        (&["config", "set", "default_effort", "xl"][..], "s, m or l"),
        (&["config", "set", "efort", "l"], "efort"),
        (&["config", "set", "max_context", "lots"], "max_context"),
        (&["config", "get", "providers.work.model"], "providers.work.model"),
        (&["config", "get", ".."], "is not a setting"),
        (&["config", "set", "documents.folders", "[\"~/x\""], "not valid JSON"),
        (&["config", "set", "max_context", "null"], "nexi config unset"),
        (&["config", "import", "/does/not/exist"], "/does/not/exist"),
    ] {
        let output = place.run(args);
        assert!(code(&output) == 2 && stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
    let edit = |script: &str| place.nexi(&["config", "edit"]).env("EDITOR", format!("sh {script}")).output().unwrap();
    let script = place.path("edit.sh");
    std::fs::write(&script, "echo 'max_context = 32000' > \"$1\"\n").unwrap();
    assert_eq!(code(&edit(&script.display().to_string())), 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "max_context = 32000\n");
    std::fs::write(&script, "echo 'max_context = true' > \"$1\"\n").unwrap();
    let output = edit(&script.display().to_string());
    assert!(code(&output) == 2 && stderr(&output).contains("max_context"), "{}", stderr(&output));
    let output = place.nexi(&["config", "edit"]).env("EDITOR", "no-such-editor").output().unwrap();
    assert!(code(&output) == 2 && stderr(&output).contains("no-such-editor"), "{}", stderr(&output));
}

#[test]
fn settings_of_nexi_are_taken_over() {
    let place = Place::new("");
    let theirs = place.path("theirs.json");
    std::fs::write(&theirs, r#"{"base_url": "https://api.e.org/v1", "model": "m1", "default_effort": "s", "max_output_tokens": 4096}"#)
        .unwrap();
    let unasked = place.run(&["config", "set", "providers.spare", "{\"type\": \"ollama\", \"model\": \"qwen3:8b\"}"]);
    assert!(unasked.status.success() && stderr(&unasked).contains("nexi model use spare"), "{}", stderr(&unasked));
    let output = place.run(&["config", "import", &theirs.display().to_string()]);
    assert!(code(&output) == 0 && stdout(&output).contains("providers.nexi"), "{} {}", stdout(&output), stderr(&output));
    assert_eq!(stdout(&place.run(&["config", "get", "providers.nexi.model"])), "m1\n");
}

#[test]
fn keys_are_listed_and_never_arguments() {
    let place = Place::new(
        "search_backends = [\"brave\"]\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\napi_key_env = \"TEST_KEY\"\n",
    );
    let listed = parsed(&place.run(&["key", "list", "--json"]));
    let of = |name: &str| listed.as_array().unwrap().iter().find(|status| status["provider"] == name).unwrap().clone();
    assert_eq!((&of("work")["origin"], &of("brave")["origin"]), (&json!("variable"), &json!("none")), "{listed}");
    let text = stdout(&place.run(&["key", "list"]));
    assert!(
        text.contains("work: in the environment variable TEST_KEY") && text.contains("nexi key set brave") && !text.contains(KEY),
        "{text}"
    );
    assert_eq!(code(&place.run(&["key", "set", "brave", "BSA-secret"])), 2, "a key is no argument");
    let output = place.run(&["key", "set", "bravo"]);
    assert!(code(&output) == 2 && stderr(&output).contains("bravo"), "{}", stderr(&output));
    // Before it is asked for: a key for an address that is not encrypted.
    let open = Place::new("[providers.far]\ntype = \"openai_compatible\"\nbase_url = \"http://models.example/v1\"\nmodel = \"m\"\n");
    let warned = stderr(&open.run(&["key", "set", "far"]));
    assert!(warned.contains("the address of far is not encrypted"), "{warned}");
    assert!(!stderr(&place.run(&["key", "set", "work"])).contains("not encrypted"), "this computer is no way");
    // Without a keyring nothing is kept anywhere, and that is said.
    if cfg!(target_os = "linux") {
        let mut child = place.nexi(&["key", "set", "brave"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"BSA-canary-123\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(code(&output) == 1 && stderr(&output).contains("keyring"), "{}", stderr(&output));
        for file in files(&place.path("data")) {
            let bytes = std::fs::read(&file).unwrap();
            assert!(!bytes.windows(14).any(|window| window == b"BSA-canary-123"), "{}", file.display());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text("ready"), Scripted::Status(401, vec![], "{}")]).await;
    let search = SearchServer::start(200, &[("A", "https://e.org/", "x")]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    let output = run(&place, &["doctor", "--json"]).await;
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    let findings = parsed(&output);
    let of = |what: &str| {
        findings.as_array().unwrap().iter().find(|finding| finding["what"] == what).unwrap_or_else(|| panic!("{what} {findings}")).clone()
    };
    for what in ["settings", "database", "documents", "work", "searx", "network", "key"] {
        assert_eq!(of(what)["state"], json!("good"), "{what} {findings}");
    }
    if cfg!(target_os = "linux") {
        assert!(of("keyring")["advice"].is_string(), "there is none here: {findings}");
    }
    let output = run(&place, &["doctor"]).await;
    let text = stdout(&output);
    assert_eq!(code(&output), 1, "{text}");
    assert!(text.contains("bad   work:") && text.contains("nexi key set work"), "{text}");
    let text = stdout(&run(&place, &["doctor", "--offline"]).await);
    assert!(text.contains("work: was not asked"), "{text}");
    assert_eq!(model.requests().len(), 2);
    let broken = Place::new("max_context = true");
    let findings = parsed(&run(&broken, &["doctor", "--json"]).await);
    let settings: Vec<&Value> = findings.as_array().unwrap().iter().filter(|finding| finding["what"] == "settings").collect();
    assert!(!settings.is_empty() && settings.iter().all(|finding| finding["state"] != json!("good")), "{settings:?}");
    let output = run(&broken, &["doctor"]).await;
    assert!(
        code(&output) == 1 && stdout(&output).contains("max_context") && stdout(&output).contains("config edit"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn the_doctor_advises_once_where_there_is_no_network() {
    let place = Place::new("[network]\nproxy = \"http://127.0.0.1:9\"\n");
    let text = stdout(&place.run(&["doctor"]));
    assert!(text.contains("wikipedia: it could not be reached") && text.contains("no search service works"), "{text}");
    assert_eq!(text.matches("Check your network").count(), 1, "{text}");
    assert!(!text.contains("config get providers.") && !text.contains("config set search_backends"), "{text}");
}

#[test]
fn shells_and_readers_are_served() {
    let place = Place::new("");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = stdout(&place.run(&["completions", shell]));
        assert!(text.contains("COMPLETE") && text.contains("nexi"), "{shell}: {text}");
    }
    let man = stdout(&place.run(&["man"]));
    assert!(man.contains(".TH nexi 1"), "{man}");
    for heading in ["NEXI ASK", "NEXI HISTORY EXPORT", "NEXI KEY SET", "NEXI MCP"] {
        assert!(man.contains(&format!(".SH \"{heading}\"")), "{heading}");
    }
    for (heading, wanted) in [("EXAMPLES", "nexi ask"), ("FILES", "config.toml"), ("ENVIRONMENT", "NO_COLOR"), ("EXIT STATUS", "130")] {
        let section = man.split(&format!(".SH {heading}\n")).nth(1).or_else(|| man.split(&format!(".SH \"{heading}\"\n")).nth(1));
        let section = section.unwrap_or_else(|| panic!("{heading}: {man}")).split(".SH").next().unwrap();
        assert!(section.replace('\\', "").contains(wanted), "{heading}: {section}");
    }
    let output = place.run(&[]);
    assert!(code(&output) == 2 && stderr(&output).contains("needs a terminal"), "{}", stderr(&output));
    // A reader that has seen enough ends the program quietly.
    for args in [&["man"][..], &["config", "get"], &["completions", "zsh"]] {
        let mut child = place.nexi(args).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{args:?}");
    }
    // Where nobody hears what is wrong, the exit code still tells it.
    for (args, wanted) in
        [(&["config", "get", "nope"][..], 2), (&["history", "export"], 0), (&["history", "--show", "ffffffff"], 1), (&["ask", ""], 2)]
    {
        let mut child = place.nexi(args).spawn().unwrap();
        drop(child.stderr.take());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(wanted), "{args:?}");
    }
    let output = place.run(&["what is this"]);
    assert!(code(&output) == 2 && stderr(&output).contains("nexi ask"), "{}", stderr(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_was_read_steers_the_terminal() {
    let evil = "&#27;]0;title&#7;&#155;31m&#8238;";
    let page = format!(
        "<html><head><title>Orvik {evil}</title></head><body><main><h1>Orvik</h1><p>{FACT} {evil}</p><p>{}</p></main></body></html>",
        "More is told in the archive of the town, which is open on weekdays. ".repeat(6)
    );
    let site = Site::start(&[("/orvik", &page)]).await;
    let url = site.url("/orvik");
    let search = SearchServer::start(200, &[("Orvik \u{1b}[2J\u{9b}31m\u{202e}", &url, "A \u{7}tower")]).await;
    let script = vec![
        Scripted::Calls(vec![("web_get", json!({"urls": [url]}))]),
        Scripted::Calls(vec![("final_answer", json!({"answer": "Lit \u{1b}]0;pwned\u{7} on 3 October 1877 \u{9b}31m\u{202e} [1]."}))]),
    ];
    let model = LlmServer::start(KEY, Duration::ZERO, script).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    let output = run(&place, &["ask", "When was it lit?", "--json"]).await;
    let id = parsed(&output)["id"].as_str().unwrap().to_owned();
    let mut all = vec![output];
    for args in [
        &["search", "orvik"][..],
        &["search", "orvik", "--json"],
        &["read", &url],
        &["read", &url, "--json", "--full"],
        &["history"],
        &["history", "--prev"],
        &["history", "--json"],
        &["history", "search", "pwned"],
        &["history", "search", "pwned", "--json"],
        &["history", "export"],
        &["history", "export", &id],
        &["history", "export", &id, "--format", "html"],
        &["history", "export", &id, "--format", "json"],
        &["history", "export", &id, "--format", "text"],
        &["read", "https://\u{1b}[31m/"],
        &["search", "x", "--backend", "\u{1b}[31m"],
    ] {
        all.push(run(&place, args).await);
    }
    for output in all {
        let text = format!("{}{}", stdout(&output), stderr(&output));
        let steering = |c: char| (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(steering), "{text:?}");
        assert!(!text.contains('\u{fffd}'));
    }
}

#[test]
fn what_cannot_be_written_or_read_is_told() {
    let place = Place::new("");
    let exe = env!("CARGO_BIN_EXE_nexi");
    // Homes that cannot be written or are none, even for root.
    for (home, wanted) in [("/proc", "--data-dir"), ("/dev/null", "--config")] {
        for args in [&["ask", "x"][..], &["history"], &["mcp"]] {
            let output = std::process::Command::new(exe).args(args).env_clear().env("HOME", home).stdin(Stdio::null()).output().unwrap();
            assert!(code(&output) != 0 && stderr(&output).contains(wanted), "{home} {args:?}: {}", stderr(&output));
            assert_eq!(stderr(&output).lines().count(), 1, "one sentence: {}", stderr(&output));
        }
    }
    // A database of a later version.
    assert_eq!(code(&place.run(&["history"])), 0);
    let database = rusqlite::Connection::open(place.path("data/nexi.db")).unwrap();
    database.pragma_update(None, "user_version", 999).unwrap();
    drop(database);
    for args in [&["ask", "x"][..], &["history"], &["mcp"]] {
        let output = place.run(args);
        assert!(code(&output) == 1 && stderr(&output).contains("newer version of Nexi"), "{args:?}: {}", stderr(&output));
    }
    let output = place.run(&["doctor"]);
    assert!(code(&output) == 1 && stdout(&output).contains("newer version of Nexi"), "{}", stdout(&output));
}

#[test]
fn what_a_window_deleted_is_listed_and_restored() {
    let place = Place::new("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n");
    let report = parsed(&place.run(&["ask", "Where does Nexi keep my keys?", "--json"]));
    assert!(stdout(&place.run(&["history", "deleted"])).contains("Nothing that was deleted"));
    let thread = report["thread"].as_str().unwrap().to_owned();
    // As a window does it: the thread is marked, and stays for 30 days.
    let database = rusqlite::Connection::open(place.path("data/nexi.db")).unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    let mark = |ms: i64| database.execute("UPDATE threads SET deleted_ms = ?1", [ms]).unwrap();
    mark(now - 86_400_000);
    let listed = parsed(&place.run(&["history", "deleted", "--json"]));
    assert_eq!((&listed[0]["id"], &listed[0]["turns"]), (&json!(thread), &json!(1)), "{listed}");
    let shown = stdout(&place.run(&["history", "deleted"]));
    assert!(shown.contains("Where does Nexi keep my keys?") && shown.contains("29 days left"), "{shown}");
    assert!(!stdout(&place.run(&["history"])).contains("Where does Nexi"));
    let unknown = place.run(&["history", "restore", "ffffffff"]);
    assert!(code(&unknown) == 2 && stderr(&unknown).contains("nexi history deleted"), "{}", stderr(&unknown));
    assert!(stdout(&place.run(&["history", "restore", shown.split_whitespace().next().unwrap()])).starts_with("Restored: "));
    assert!(stdout(&place.run(&["history"])).contains("Where does Nexi"));
    mark(now - 31 * 86_400_000);
    assert!(stdout(&place.run(&["history", "deleted"])).contains("Nothing that was deleted"), "a month later it is gone");
    let left: u32 = database.query_row("SELECT count(*) FROM turns", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

/// A key is listed wherever it is kept, whether or not its service is asked yet, and taking it away says what happened.
#[test]
fn keys_of_services_that_are_not_asked_yet_are_listed_and_removed() {
    let place = Place::new("keys = \"file\"\nsearch_backends = [\"documents\"]\n");
    let run = |args: &[&str], input: &str| place.run_with_keys(args, input);
    assert!(run(&["key", "set", "openai"], "sk-something").status.success());
    let listed = stdout(&run(&["key", "list"], ""));
    assert!(listed.contains("openai: in the file"), "{listed}");
    assert!(!listed.contains("brave"), "{listed}");
    let removed = stdout(&run(&["key", "remove", "openai"], ""));
    assert!(removed.contains("openai: the key was removed"), "{removed}");
    let again = stdout(&run(&["key", "remove", "openai"], ""));
    assert!(again.contains("openai: there was no key to remove"), "{again}");
    assert!(stdout(&run(&["key", "list"], "")).contains("No configured provider needs an API key"));
}

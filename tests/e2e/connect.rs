//! Connecting a model, folders and other programs in one step each.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};
use serde_json::json;

use crate::session::Terminal;
use crate::support::{Place, greet, json as parsed, stderr, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_connected_in_one_step() {
    let model = LlmServer::start(
        "sk-canary-added",
        Duration::ZERO,
        vec![Scripted::Text("ready"), Scripted::Text("From the model that was added.")],
    )
    .await;
    let place = Place::new("search_backends = [\"documents\"]\nkeys = \"file\"\n");
    let mut terminal = Terminal::open(&place, &["model", "add", "--base-url", &model.base_url]);
    terminal.expect("empty for none").await;
    terminal.send("sk-canary-added\r");
    terminal.choose_passphrase("correct horse").await;
    terminal.expect("Model, by number or name [large]").await;
    terminal.send("2\r");
    terminal.expect("answers from now on, with small").await;
    assert_eq!(terminal.end().await, 0);
    let settings = std::fs::read_to_string(place.path("config.toml")).unwrap();
    assert!(
        settings.contains("[providers.custom]") && settings.contains("model = \"small\"") && !settings.contains("canary"),
        "{settings}"
    );
    assert!(settings.contains("llm_backends = [\"custom\", \"builtin\"]"), "{settings}");
    let mut terminal = Terminal::open(&place, &["ask", "Are you there?"]);
    terminal.expect("Passphrase of the key file").await;
    terminal.send("correct horse\r");
    terminal.expect("From the model that was added").await;
    assert_eq!(terminal.end().await, 0);
    assert_eq!(model.keys_used().last().map(String::as_str), Some("sk-canary-added"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_work_changes_nothing() {
    let model =
        LlmServer::start("right", Duration::ZERO, vec![Scripted::Status(401, vec![], "{\"error\":{\"message\":\"Incorrect API key\"}}")])
            .await;
    let place = Place::new("search_backends = [\"documents\"]\n");
    let before = std::fs::read_to_string(place.path("config.toml")).unwrap();
    let refused = place.run(&["model", "add", "--base-url", &model.base_url, "--model", "small"]);
    assert!(!refused.status.success() && stderr(&refused).contains("Nothing was changed"), "{}", stderr(&refused));
    for (args, said) in [
        (&["model", "add", "opnai"][..], "\"opnai\" is not known. Did you mean openai?"),
        (&["model", "add", "azure"], "--base-url URL"),
        (&["model", "use", "nobody"], "\"nobody\" is not connected"),
        (&["model", "add", "--base-url", "ftp://x", "--model", "m", "--no-test"], "base-url: \"ftp://x\" is no address"),
        (&["model", "add", "ollama", "--model", "m", "--no-test", "--name", "builtin"], "name: builtin means something else"),
        (&["model", "add", "ollama", "--model", "m", "--no-test", "--name", "a/b"], "name: \"a/b\" cannot be used"),
        (&["history", "export", "--format", "bibtex"], "give the id of a thread"),
    ] {
        let output = place.run(args);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(said), "{args:?}: {}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(place.path("config.toml")).unwrap(), before);
    // Without a test it is kept, listed and chosen.
    let kept = place.run(&["model", "add", "--base-url", &model.base_url, "--model", "small", "--no-test", "--name", "mine"]);
    assert!(kept.status.success(), "{}", stderr(&kept));
    // Its key goes nowhere else: the name stays with its address.
    let moved = place.run(&["model", "add", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--no-test", "--name", "mine"]);
    assert!(moved.status.code() == Some(2) && stderr(&moved).contains("is connected to"), "{}", stderr(&moved));
    let keyed = place.run(&["model", "add", "anthropic", "--model", "m", "--key-env", "MY_KEY", "--no-test"]);
    assert!(keyed.status.success(), "{}", stderr(&keyed));
    assert!(std::fs::read_to_string(place.path("config.toml")).unwrap().contains("api_key_env = \"MY_KEY\""));
    // Neither has an address in the settings, and still they are two services.
    let taken = place.run(&["model", "add", "gemini", "--model", "m", "--no-test", "--key-env", "OTHER", "--name", "anthropic"]);
    assert!(taken.status.code() == Some(2) && stderr(&taken).contains("is connected to"), "{}", stderr(&taken));
    // One's own is renewed.
    for _ in 0..2 {
        let again = place.run(&["model", "add", "groq", "--model", "m", "--no-test", "--key-env", "OTHER", "--name", "g"]);
        assert!(again.status.success(), "{}", stderr(&again));
    }
    assert!(place.run(&["config", "set", "llm_backends", "[\"anthropic\", \"mine\", \"builtin\"]"]).status.success());
    assert!(place.run(&["model", "use", "mine"]).status.success());
    let chain = || parsed(&place.run(&["config", "get", "llm_backends"]));
    assert_eq!(chain(), json!(["mine", "anthropic", "builtin"]));
    assert!(place.run(&["config", "set", "llm_backends", "[\"mine\", \"builtin\"]"]).status.success());
    assert!(place.run(&["model", "use", "builtin"]).status.success());
    assert_eq!(chain(), json!(["builtin", "mine"]));
    let listed = place.run(&["model", "list"]);
    assert!(stdout(&listed).contains("mine"), "{}", stdout(&listed));
}

#[test]
fn folders_are_added_listed_and_removed() {
    let place = Place::new("search_backends = [\"documents\"]\n");
    let notes = place.path("notes");
    std::fs::create_dir_all(&notes).unwrap();
    std::fs::write(notes.join("harbour.md"), "# Harbour\n\nThe wall was finished in 1877.\n").unwrap();
    let notes = notes.display().to_string();
    let added = place.run(&["docs", "add", &notes]);
    assert!(added.status.success() && stdout(&added).contains("1 file"), "{} {}", stdout(&added), stderr(&added));
    assert!(stdout(&place.run(&["docs", "add", &notes])).contains("searched already"));
    assert_eq!(parsed(&place.run(&["docs", "list", "--json"])), json!([notes]));
    assert!(stdout(&place.run(&["ask", "When was the wall of the harbour finished?"])).contains("1877"));
    for (args, said) in
        [(["docs", "add", "/nowhere/at/all"], "cannot be read"), (["docs", "remove", "/nowhere/at/all"], "is not among those")]
    {
        let output = place.run(&args);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(said), "{}", stderr(&output));
    }
    assert!(place.run(&["docs", "remove", &notes]).status.success());
    assert_eq!(stdout(&place.run(&["docs", "list", "--json"])).trim(), "[]");
    assert!(place.path("notes/harbour.md").exists());
    // A mistake in the file is not written over, and what was there stays.
    let broken = "[documents]\nfolders = \"~/notes\"\n";
    std::fs::write(place.path("config.toml"), broken).unwrap();
    let refused = place.run(&["docs", "add", &notes]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("documents.folders"), "{}", stderr(&refused));
    assert_eq!(std::fs::read_to_string(place.path("config.toml")).unwrap(), broken);
}

#[test]
fn threads_are_deleted_by_a_part_of_their_id() {
    let place = Place::new("search_backends = [\"documents\"]\n");
    for question in ["Where does Nexi keep my keys?", "How do I add a folder of documents?"] {
        assert!(place.run(&["ask", question]).status.success());
    }
    let turns = parsed(&place.run(&["history", "--json"]));
    let id = turns[0]["id"].as_str().unwrap().to_owned();
    let refused = place.run(&["history", "delete", &id]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--yes"), "{}", stderr(&refused));
    let refused = place.run(&["history", "delete", &id, "ffffffff", "--yes"]);
    assert!(!refused.status.success(), "one of them is not there");
    assert_eq!(parsed(&place.run(&["history", "--json"])).as_array().unwrap().len(), 2, "so none is deleted");
    assert_eq!(stdout(&place.run(&["history", "delete", &id[id.len() - 8..], "--yes"])), "1 thread deleted\n");
    let left = parsed(&place.run(&["history", "--json"]));
    assert_eq!((left.as_array().unwrap().len(), left[0]["id"] == turns[1]["id"]), (1, true));
}

// Elsewhere these files are in other folders.
#[cfg(target_os = "linux")]
#[test]
fn other_programs_are_told_of_the_server_in_their_own_files() {
    let place = Place::new("search_backends = [\"documents\"]\n");
    std::fs::create_dir_all(place.path(".config/zed")).unwrap();
    std::fs::write(place.path(".config/zed/settings.json"), "{\n  // mine\n  \"theme\": \"One Dark\"\n}\n").unwrap();
    let refused = place.run(&["mcp", "install", "zed"]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--yes"), "{}", stderr(&refused));
    for (client, file) in [
        ("claude-code", ".claude.json"),
        ("claude-desktop", ".config/Claude/claude_desktop_config.json"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".config/Code/User/mcp.json"),
        ("codex", ".codex/config.toml"),
        ("zed", ".config/zed/settings.json"),
        ("windsurf", ".codeium/windsurf/mcp_config.json"),
        ("gemini", ".gemini/settings.json"),
    ] {
        let installed = place.run(&["mcp", "install", client, "--yes"]);
        assert!(installed.status.success() && stderr(&installed).contains("+ "), "{client}: {}", stderr(&installed));
        let text = std::fs::read_to_string(place.path(file)).unwrap_or_else(|error| panic!("{client}: {error}"));
        assert!(text.contains("nexi") && text.contains("--data-dir"), "the same library is used: {text}");
        let again = place.run(&["mcp", "install", client, "--yes"]);
        assert!(stdout(&again).contains("has this entry already"), "{client}: {}", stdout(&again));
        if client == "cursor" {
            // What is written there starts a server.
            let written: serde_json::Value = serde_json::from_str(&text).unwrap();
            let server = &written["mcpServers"]["nexi"];
            let args: Vec<&str> = server["args"].as_array().unwrap().iter().filter_map(|arg| arg.as_str()).collect();
            let mut child = std::process::Command::new(server["command"].as_str().unwrap())
                .args(args)
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            greet(&mut child);
            drop(child.stdin.take());
            let _ = child.wait();
        }
        let removed = place.run(&["mcp", "install", client, "--remove", "--yes"]);
        assert!(removed.status.success() && !std::fs::read_to_string(place.path(file)).unwrap().contains("--data-dir"), "{client}");
    }
    let zed = std::fs::read_to_string(place.path(".config/zed/settings.json")).unwrap();
    assert!(zed.contains("// mine") && zed.contains("One Dark"), "{zed}");
}

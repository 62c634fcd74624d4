//! What is given along with a question on the command line: files, folders, piped text, addresses, earlier threads.

use std::io::Write;
use std::process::{Output, Stdio};
use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::json;

use crate::support::{KEY, Place, json as parsed, stderr, stdout, web_settings};

const HERE: &str = "llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n";

fn piped(place: &Place, args: &[&str], text: &str) -> Output {
    let mut child = place.nexi(args).stdin(Stdio::piped()).spawn().expect("nexi runs");
    child.stdin.take().expect("its input").write_all(text.as_bytes()).expect("it is read");
    child.wait_with_output().expect("it ends")
}

#[test]
fn files_and_piped_text_are_sources_and_stay_with_the_thread() {
    let place = Place::new(HERE);
    let wall = place.path("wall.md");
    std::fs::write(&wall, "# Harbour wall\n\nThe harbour wall was built in 1877 by Ada Brandt.\n").unwrap();
    let found = parsed(&place.run(&["ask", "Who built the harbour wall?", "--attach", wall.to_str().unwrap(), "--json"]));
    assert_eq!((&found["state"], &found["sources"][0]["url"]), (&json!("answered"), &json!(format!("file://{}", wall.display()))));
    assert!(found["answer"].as_str().unwrap().contains("Ada Brandt") && found["steps"] == json!(1), "{found}");
    // It is kept: the file can go.
    std::fs::remove_file(&wall).unwrap();
    let again = stdout(&place.run(&["history", "--show", found["id"].as_str().unwrap()]));
    assert!(again.contains("Ada Brandt") && again.contains("[1]"), "{again}");

    let output = piped(&place, &["ask", "When does the ferry leave?", "--json"], "The ferry leaves at 07:45 from pier nine.\n");
    let found = parsed(&output);
    assert!(found["answer"].as_str().unwrap().contains("07:45"), "{found}");
    assert!(found["sources"][0]["url"].as_str().unwrap().starts_with("nexi://text/"), "{found}");
    // Nothing was piped in.
    let empty = parsed(&piped(&place, &["ask", "When does the ferry leave?", "--json"], ""));
    assert_eq!(empty["state"], json!("nothing_found"), "{empty}");

    // An earlier thread is a source that leads to its own.
    let thread = found["thread"].as_str().unwrap();
    let from = parsed(&place.run(&["ask", "From which pier does the ferry leave?", "--attach", &format!("thread:{thread}"), "--json"]));
    assert_eq!(from["sources"][0]["url"], json!(format!("nexi://private-thread/{thread}")), "it rests on a text of the person's");
    assert!(from["answer"].as_str().unwrap().contains("pier nine"), "{from}");

    // What leaves comes in again, texts and threads that were given along, too.
    let file = place.path("all.jsonl");
    assert!(place.run(&["history", "export", "--out", file.to_str().unwrap()]).status.success());
    let elsewhere = Place::new(HERE);
    let taken = elsewhere.run(&["history", "import", file.to_str().unwrap()]);
    assert_eq!(stdout(&taken), "4 threads imported\n", "{}", stderr(&taken));

    // The thread rests on private text even when the answer that was shown it is gone.
    let follow = parsed(&place.run(&["ask", "Where does Nexi keep my keys?", "--thread", thread, "--json"]));
    assert_eq!(follow["thread"], json!(thread));
    assert!(place.run(&["history", "delete", "--turn", "--yes", found["id"].as_str().unwrap()]).status.success());
    let from = parsed(&place.run(&["ask", "Where are keys kept?", "--attach", &format!("thread:{thread}"), "--json"]));
    let urls: Vec<&str> = from["sources"].as_array().unwrap().iter().filter_map(|source| source["url"].as_str()).collect();
    assert!(urls.contains(&format!("nexi://private-thread/{thread}").as_str()), "{urls:?}");
}

#[test]
fn an_attached_folder_is_searched_alone() {
    let place = Place::new("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [\"~/notes\"]\n");
    for (folder, price) in [("notes", "four"), ("other", "seven")] {
        std::fs::create_dir_all(place.path(folder)).unwrap();
        std::fs::write(place.path(folder).join("rope.md"), format!("# Ropes\n\nA mooring rope costs {price} crowns.\n")).unwrap();
    }
    let ask = |more: &[&str]| parsed(&place.run(&[&["ask", "What does a mooring rope cost?", "--json"], more].concat()));
    let other = place.path("other");
    let found = ask(&["--attach", other.to_str().unwrap()]);
    assert!(found["answer"].as_str().unwrap().contains("seven") && !found["answer"].as_str().unwrap().contains("four"), "{found}");
    assert!(ask(&[])["answer"].as_str().unwrap().contains("four"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_reads_what_is_attached_before_its_first_step() {
    let site = Site::start(&[("/wall", "<title>Wall</title><p>The harbour wall was built in 1877 by Ada Brandt, of granite.</p>")]).await;
    let search = SearchServer::start(200, &[]).await;
    for deep in [false, true] {
        let model = LlmServer::answering(KEY, Duration::ZERO, |request| {
            let is_planner = request["messages"].to_string().contains("You plan a piece of research");
            let has_tools = request["tools"].as_array().is_some_and(|tools| !tools.is_empty());
            match (is_planner, has_tools) {
                (true, _) => Scripted::Text(
                    r#"{"title": "Wall", "complexity": 1, "tasks": [{"title": "Wall", "goal": "Who built it", "queries": ["wall"]}]}"#,
                ),
                (false, true) => Scripted::Calls(vec![(
                    "final_answer",
                    json!({"answer": "Ada Brandt built the harbour wall in 1877 [2]. The ferry leaves from pier nine [1]."}),
                )]),
                (false, false) => {
                    Scripted::Text("# Wall\n\nAda Brandt built the harbour wall in 1877 [2]. The ferry leaves from pier nine [1].")
                }
            }
        })
        .await;
        let settings = web_settings(&model.base_url, &search.base_url, &site.host, "");
        let page = site.url("/wall");
        let report = tokio::task::spawn_blocking(move || {
            let place = Place::new(&settings);
            let notes = place.path("ferry.txt");
            std::fs::write(&notes, "The ferry leaves from pier nine.").unwrap();
            let mut args = vec![
                "ask",
                "Who built the wall, and where does the ferry leave?",
                "--json",
                "--attach",
                notes.to_str().unwrap(),
                "--attach",
                &page,
            ];
            if deep {
                args.push("--deep");
            }
            parsed(&place.run(&args))
        })
        .await
        .unwrap();
        assert_eq!((&report["state"], model.problems()), (&json!("answered"), Vec::<String>::new()), "{report}");
        let first =
            model.requests().into_iter().find(|request| request["tools"].as_array().is_some_and(|tools| !tools.is_empty())).unwrap();
        let messages = first["messages"].as_array().unwrap();
        let result = messages.iter().find(|message| message["role"] == "tool").expect("the attachments are a result");
        assert!(
            result["content"].as_str().unwrap().contains("pier nine") && result["content"].as_str().unwrap().contains("Ada Brandt"),
            "{result}"
        );
        if deep {
            let plan = model.requests()[0].to_string();
            assert!(plan.contains("The person gave these along") && plan.contains("pier nine"), "{plan}");
        }
        let urls: Vec<&str> = report["sources"].as_array().unwrap().iter().filter_map(|source| source["url"].as_str()).collect();
        assert!(urls.len() == 2 && urls.iter().any(|url| url.ends_with("ferry.txt")), "{urls:?}");
        assert_eq!(report["statements"]["supported"].as_u64().or(report["counts"]["supported"].as_u64()).unwrap_or(2), 2, "{report}");
    }
}

#[test]
fn what_cannot_be_attached_is_named() {
    let place = Place::new(HERE);
    std::fs::write(place.path("a.bin"), [0, 1, 2, 255]).unwrap();
    let missing = stderr(&place.run(&["ask", "x?", "--attach", "nothere.pdf"]));
    assert!(missing.contains("attachment 1: nothere.pdf does not exist"), "{missing}");
    let web = stderr(&place.run(&["ask", "x?", "--focus", "documents", "--attach", "https://example.org/"]));
    assert!(web.contains("https://example.org/ is a web page") && web.contains("documents alone"), "{web}");
    // One that cannot be read is told, and nothing about Nexi stands in for it.
    let binary = parsed(&place.run(&["ask", "Where does Nexi keep my keys?", "--json", "--attach", place.path("a.bin").to_str().unwrap()]));
    assert!(binary["unread"].to_string().contains("it is not text") && binary["state"] == json!("nothing_found"), "{binary}");
    assert!(binary["reason"].as_str().is_some_and(|reason| reason.contains("a.bin cannot be read: it is not text, ")), "{binary}");
    let none = stderr(&place.run(&["ask", "x?", "--attach", "thread:ffffffff"]));
    assert!(none.contains("ffffffff"), "{none}");
}

#[test]
fn what_is_given_along_is_asked_about_and_not_nexi() {
    let place = Place::new("search_backends = [\"documents\"]");
    std::fs::write(place.path("z.md"), "# Zorblats\n\nThe zorblat is green. It lives in colour-blind lakes.\n").unwrap();
    let z = place.path("z.md").display().to_string();
    let asked = parsed(&place.run(&["ask", "What colour is the zorblat?", "--attach", &z, "--json"]));
    assert!(asked["answer"].as_str().unwrap().contains("The zorblat is green"), "{asked}");
    let sources = asked["sources"].to_string();
    assert!(sources.contains("z.md") && !sources.contains("handbook"), "{sources}");
    // What cannot be read is told with the answer, and nothing stands in for it.
    std::fs::write(place.path("bad.pdf"), [0x5A; 3000]).unwrap();
    let bad = place.path("bad.pdf").display().to_string();
    let asked = parsed(&place.run(&["ask", "What does the offer cost?", "--attach", &bad, "--json"]));
    assert!(asked["reason"].as_str().is_some_and(|reason| reason.contains("bad.pdf cannot be read: ")), "{asked}");
    assert!(!asked["sources"].to_string().contains("handbook"), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_answers_without_what_was_given_says_so() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text("It costs nothing.")]).await;
    let search = SearchServer::start(200, &[]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    std::fs::write(place.path("bad.pdf"), [0x5A; 3000]).unwrap();
    let bad = place.path("bad.pdf").display().to_string();
    let asked = parsed(&place.run(&["ask", "What does the offer cost?", "--attach", &bad, "--json"]));
    assert!(
        asked["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("bad.pdf cannot be read: ") && reason.contains("The answer does not rest on it.")),
        "{asked}"
    );
}

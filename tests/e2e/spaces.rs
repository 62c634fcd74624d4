//! Spaces: threads that belong together, with their documents, instructions, memories and model.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer};
use serde_json::{Value, json};

use crate::session::Terminal;
use crate::support::{KEY, Place, json as parsed, stderr, stdout, web_settings};
use crate::watched::{QUESTION, note};

async fn place(answers: usize) -> (LlmServer, SearchServer, Place) {
    let model = LlmServer::start(KEY, Duration::ZERO, (0..answers).map(|_| Scripted::Text("Fine.")).collect()).await;
    let search = SearchServer::start(200, &[]).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, "wiki.lan", ""));
    (model, search, place)
}

fn told(model: &LlmServer, words: &[&str]) -> Vec<bool> {
    let request = model.requests().last().map(Value::to_string).unwrap_or_default();
    words.iter().map(|words| request.contains(words)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn instructions_and_memories_hold_in_a_space_and_nowhere_else() {
    let (model, _search, place) = place(8).await;
    let added = place.run(&["space", "add", "House", "--instructions", "Prices in euros."]);
    assert!(added.status.success(), "{}", stderr(&added));
    for args in [&["memory", "add", "--space", "house", "The roof faces south."][..], &["memory", "add", "I live in Ghent."]] {
        assert!(place.run(args).status.success());
    }
    let words = ["Prices in euros.", "The roof faces south.", "I live in Ghent."];
    let asked = parsed(&place.run(&["ask", "--json", "--space", "HOUSE", "Which roof lasts longest?"]));
    assert_eq!(told(&model, &words), [true; 3]);
    place.run(&["ask", "Which roof lasts longest?"]);
    assert_eq!(told(&model, &words), [false, false, true]);
    // A follow-up is in the space of its thread, without being told so.
    let id = asked["id"].as_str().unwrap();
    place.run(&["ask", "--thread", id, "And on a slope?"]);
    assert_eq!(told(&model, &words), [true; 3]);
    let moved = place.run(&["ask", "--thread", id, "--space", "House", "And on a slope?"]);
    assert!(moved.status.code() == Some(2) && stderr(&moved).contains("space: a follow-up"), "{}", stderr(&moved));
    // What is used counts for the space, and stays under its name.
    let usage = parsed(&place.run(&["usage", "--by", "space", "--json"]));
    let questions =
        |name: &str| usage["rows"].as_array().unwrap().iter().find(|row| row["name"] == name).map(|row| row["questions"].clone());
    assert_eq!((questions("House"), questions("no space")), (Some(json!(2)), Some(json!(1))), "{usage}");
    let shown = stdout(&place.run(&["space", "show", "house"]));
    assert!(shown.contains("House  1 thread") && shown.contains("Prices in euros.") && shown.contains("The roof faces south."), "{shown}");
    let listed = stdout(&place.run(&["memory"]));
    assert!(listed.contains("The roof faces south.  (in House)") && listed.contains("I live in Ghent.\n"), "{listed}");
    // Moved out and in again; the file of a thread knows its space.
    assert!(place.run(&["space", "move", id]).status.success());
    place.run(&["ask", "--thread", id, "And in winter?"]);
    assert_eq!(told(&model, &words), [false, false, true]);
    assert!(place.run(&["space", "move", id, "--to", "House"]).status.success());
    let file = parsed(&place.run(&["history", "export", id, "--format", "json"]));
    assert_eq!(file["space"], "House");
    let removed = place.run(&["space", "remove", "House"]);
    assert!(removed.status.code() == Some(2) && stderr(&removed).contains("--yes"), "{}", stderr(&removed));
    assert!(place.run(&["space", "remove", "House", "--yes"]).status.success());
    assert!(!stdout(&place.run(&["memory"])).contains("The roof"));
    assert!(stdout(&place.run(&["history", "--show", id])).contains("Fine."), "its threads stay");
    let gone = place.run(&["ask", "--space", "House", "Which roof lasts longest?"]);
    assert!(gone.status.code() == Some(2) && stderr(&gone).contains("there is none called \"House\""), "{}", stderr(&gone));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_space_has_documents_and_a_model_of_its_own() {
    let place = Place::new("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n");
    for (folder, text) in [
        ("all", "# Kestrel\n\nThe kestrel of the barn weighs 180 grams.\n"),
        ("house", "# Kestrel\n\nThe kestrel on our roof weighs 210 grams.\n"),
    ] {
        std::fs::create_dir(place.path(folder)).unwrap();
        std::fs::write(place.path(folder).join("kestrel.md"), text).unwrap();
    }
    let all = place.path("all").display().to_string();
    assert!(place.run(&["docs", "add", &all]).status.success());
    let house = place.path("house").display().to_string();
    let added = place.run(&["space", "add", "House", "--docs", &house, "--model", "builtin"]);
    assert!(added.status.success(), "{}", stderr(&added));
    let sources = |args: &[&str]| {
        let asked = parsed(&place.run(&[&["ask", "--json"], args, &["How much does the kestrel weigh?"]].concat()));
        let urls: Vec<String> =
            asked["sources"].as_array().unwrap().iter().map(|source| source["url"].as_str().unwrap().to_owned()).collect();
        (urls.iter().any(|url| url.contains("/all/")), urls.iter().any(|url| url.contains("/house/")))
    };
    assert_eq!(sources(&["--space", "House"]), (false, true));
    assert_eq!(sources(&[]), (true, false));
    // Given along, a folder goes before those of the space.
    assert_eq!(sources(&["--space", "House", "--attach", &all]), (true, false));
    for (args, wanted) in [
        (vec!["space", "add", "x", "--docs", "/nowhere/at/all"], "folders[0]: /nowhere/at/all is not a folder or file"),
        (vec!["space", "add", "house"], "another space is called \"House\""),
        (vec!["space", "add", " "], "name: write a name"),
        (vec!["space", "add", "x", "--model", "nothing"], "nothing"),
        (vec!["space", "set", "nothing", "--no-docs"], "known spaces: House"),
        (vec!["ask", "--space", "House", "--private", "x"], "cannot be used with"),
    ] {
        let refused = place.run(&args);
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(wanted), "{args:?}: {}", stderr(&refused));
    }
    // A folder that is gone is said, and not passed over for the others.
    std::fs::rename(place.path("house"), place.path("moved")).unwrap();
    let gone = place.run(&["ask", "--space", "House", "How much does the kestrel weigh?"]);
    assert!(gone.status.code() == Some(2) && stderr(&gone).contains("no folder of House can be read"), "{}", stderr(&gone));
    assert!(place.run(&["space", "set", "House", "--no-docs", "--rename", "Barn"]).status.success());
    assert_eq!(sources(&["--space", "Barn"]), (true, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_asks_in_a_space() {
    let (model, _search, place) = place(2).await;
    assert!(place.run(&["space", "add", "House", "--instructions", "Prices in euros."]).status.success());
    let mut terminal = Terminal::open(&place, &[]);
    terminal.expect("/help").await;
    terminal.send("/space house\r");
    terminal.expect("Questions are asked in House.").await;
    terminal.send("Which roof lasts longest?\r");
    terminal.expect("Fine.").await;
    assert_eq!(told(&model, &["Prices in euros."]), [true]);
    terminal.send("/space off\r");
    terminal.expect("Questions are asked outside spaces.").await;
    terminal.send("Which roof lasts longest?\r");
    terminal.expect("Fine.").await;
    assert_eq!(told(&model, &["Prices in euros."]), [false]);
}

#[test]
fn what_is_watched_in_a_space_is_looked_for_in_what_the_space_has_then() {
    let place = Place::new("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n");
    for (folder, version, day) in [("old", "3.1", "4 March 2026"), ("new", "3.2", "9 June 2026")] {
        std::fs::create_dir(place.path(folder)).unwrap();
        std::fs::write(place.path(folder).join("kestrel.md"), note(version, day)).unwrap();
        // A word that stands in every document tells nothing.
        for other in ["boats", "bread", "roofs", "trees"] {
            let text =
                format!("# About {other}\n\nThis note is about {other}. It was written in the {folder} house and says nothing else.\n");
            std::fs::write(place.path(folder).join(format!("{other}.md")), text).unwrap();
        }
    }
    let path = |folder: &str| place.path(folder).display().to_string();
    assert!(place.run(&["space", "add", "Barn", "--docs", &path("old")]).status.success());
    let asked = parsed(&place.run(&["ask", "--json", "--space", "Barn", QUESTION]));
    assert!(asked["answer"].as_str().unwrap().contains("3.1"), "{asked}");
    let watched = place.run(&["watch", "add", "--turn", asked["id"].as_str().unwrap(), "--every", "6h"]);
    assert!(watched.status.success(), "{}", stderr(&watched));
    let id = parsed(&place.run(&["watch", "list", "--json"]))[0]["id"].as_str().unwrap().to_owned();
    // Another folder, and the first one is gone.
    assert!(place.run(&["space", "set", "Barn", "--docs", &path("new")]).status.success());
    std::fs::remove_dir_all(place.path("old")).unwrap();
    let checked = parsed(&place.run(&["watch", "run", &id, "--json"]));
    assert_eq!(checked[0]["outcome"]["type"], "changed", "{checked}");
    let statements = checked[0]["change"]["statements"].to_string();
    assert!(statements.contains("3.2"), "{checked}");
    // A space that comes in from elsewhere is made where there is none of its name.
    let file = place.path("thread.json");
    let exported = place.run(&["history", "export", asked["id"].as_str().unwrap(), "--format", "json", "--out", file.to_str().unwrap()]);
    assert!(exported.status.success(), "{}", stderr(&exported));
    let other = Place::new("");
    let imported = other.run(&["history", "import", file.to_str().unwrap()]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    assert_eq!(stdout(&other.run(&["space"])).trim(), "Barn  1 thread");
}

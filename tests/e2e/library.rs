//! `nexi history`.

use std::process::Stdio;

use serde_json::json;

use crate::support::{Place, json as parsed, stderr, stdout};

/// Settings of the built-in researcher.
const DOCUMENTS: &str = "search_backends = [\"documents\"]";

/// A place where two questions were asked, one as a follow-up.
fn place() -> Place {
    let place = Place::new("search_backends = [\"documents\"]");
    for args in [&["ask", "Where does Nexi keep my keys?"][..], &["ask", "--continue", "How do I add a folder of documents?"]] {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    place
}

#[test]
fn past_research_is_listed_shown_and_found() {
    let place = place();
    let all = parsed(&place.run(&["history", "--json"]));
    assert_eq!(all[0]["question"], json!("How do I add a folder of documents?"));
    assert_eq!(all[0]["thread"], all[1]["thread"]);
    let list = stdout(&place.run(&["history", "--last", "1"]));
    let id = all[0]["id"].as_str().unwrap();
    let short = &id[id.len() - 8..];
    assert!(list.starts_with(&format!("{short}  How do I add a folder of documents?  (just now, ")), "{list}");
    assert!(!list.contains("keep my keys"), "only one was wanted");
    let newest = stdout(&place.run(&["history", "--prev"]));
    assert!(newest.starts_with("How do I add a folder of documents?\njust now · turn ") && newest.contains("Sources:\n["), "{newest}");
    for part in [short, id, &id.to_uppercase()] {
        assert_eq!(parsed(&place.run(&["history", "--show", part, "--json"]))["id"], json!(id));
    }
    let output = place.run(&["history", "--show", "ffffffff"]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("ffffffff"), "{}", stderr(&output));
    let found = parsed(&place.run(&["history", "search", "keyring", "--json"]));
    assert_eq!(found["results"][0]["turn"], all[1]["id"], "{found}");
    assert!(stdout(&place.run(&["history", "search", "keyring"])).contains("keyring"));
    assert_eq!(place.run(&["history", "search", "ptarmigan"]).status.code(), Some(1));
    // A turn's id is enough to go on in its thread.
    let output = place.run(&["ask", "--thread", short, "What else?", "--json"]);
    assert_eq!(parsed(&output)["thread"], all[0]["thread"]);
}

#[test]
fn everything_goes_out_and_comes_in_again() {
    let first = place();
    let file = first.path("all.jsonl").display().to_string();
    let output = first.run(&["history", "export", "--out", &file]);
    assert!(output.status.success() && stderr(&output).contains("1 thread written"), "{}", stderr(&output));
    let output = first.run(&["history", "export", "--out", &file]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("is there already"), "{}", stderr(&output));
    let second = Place::new("");
    assert_eq!(stdout(&second.run(&["history", "import", &file])), "1 thread imported\n");
    assert_eq!(stdout(&second.run(&["history", "import", &file])), "0 threads imported, 1 already present\n");
    let exported = |place: &Place| stdout(&place.run(&["history", "export"]));
    assert_eq!(exported(&first), exported(&second), "nothing was lost");
    let id = parsed(&second.run(&["history", "--json"]))[0]["id"].as_str().unwrap().to_owned();
    for (format, wanted) in [("markdown", "**Sources**"), ("html", "<!doctype html>"), ("json", "\"nexi_thread\""), ("text", "Sources:")] {
        let text = stdout(&second.run(&["history", "export", &id, "--format", format]));
        assert!(text.to_lowercase().contains(&wanted.to_lowercase()), "{format}: {text}");
        // The title of the thread is that of its first turn.
        assert!(format == "json" || !text.contains("keep my keys"), "{format}: {text}");
    }
    assert!(stdout(&second.run(&["history", "export", &id, "--thread"])).contains("keep my keys"));
    // A Word document, read again by the reader of documents.
    let document = second.path("answer.docx");
    let made = second.run(&["history", "export", &id, "--format", "docx", "--out", document.to_str().unwrap()]);
    assert!(made.status.success(), "{}", stderr(&made));
    let read = stdout(&second.run(&["read", document.to_str().unwrap()]));
    assert!(read.contains("How do I add a folder of documents?") && read.contains("Sources"), "{read}");
    assert!(stdout(&second.run(&["history", "export", &id, "--style", "footnotes"])).contains("[^"));
    // NEXI's own file, with a broken line, from a pipe.
    let mut child = second.nexi(&["history", "import", "-", "--skip-broken"]).stdin(Stdio::piped()).spawn().unwrap();
    let line = r#"{"id": "a1b2c3", "ts": "2025-03-02T10:00:00Z", "query": "When?", "answer": "In 1931 [1].", "urls": ["https://e.org/a"]}"#;
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), format!("{line}\n{{broken\n").as_bytes()).unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()), "1 thread imported, 1 line skipped\n");
}

#[test]
fn clearing_has_to_be_meant() {
    let place = place();
    let output = place.run(&["history", "clear"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("--yes"), "{}", stderr(&output));
    assert_eq!(parsed(&place.run(&["history", "--json"])).as_array().map(Vec::len), Some(2));
    assert_eq!(stdout(&place.run(&["history", "clear", "--yes"])), "1 thread deleted\n");
    assert_eq!(parsed(&place.run(&["history", "--json"])), json!([]));
    assert!(stdout(&place.run(&["history"])).starts_with("Nothing has been asked yet."));
    let output = place.run(&["history", "--prev"]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("nothing has been asked yet"), "{}", stderr(&output));
}

#[test]
fn ids_that_do_not_fit_are_told_apart() {
    let place = place();
    let id = parsed(&place.run(&["history", "--json"]))[0]["id"].as_str().unwrap().to_owned();
    for (part, wanted) in [(&id[..6], "more than one"), (&id[..3], "too short"), ("", "too short"), ("ffffffff", "There is no")] {
        for args in [["history", "--show", part], ["history", "export", part]] {
            let output = place.run(&args);
            assert!(output.status.code() == Some(1) && stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
        }
    }
    let output = place.run(&["ask", "x", "--private", "--continue"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("private"), "{}", stderr(&output));
    let output = place.run(&["history", "search", " "]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("text"), "{}", stderr(&output));
}

#[test]
fn a_turn_is_deleted_alone() {
    let place = place();
    let all = parsed(&place.run(&["history", "--json"]));
    let (newest, thread) = (all[0]["id"].as_str().unwrap(), all[0]["thread"].clone());
    let refused = place.run(&["history", "delete", newest, "--turn"]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--yes"), "{}", stderr(&refused));
    assert_eq!(stdout(&place.run(&["history", "delete", newest, "--turn", "--yes"])), "1 turn deleted\n");
    let left = parsed(&place.run(&["history", "--json"]));
    assert_eq!(left.as_array().unwrap().len(), all.as_array().unwrap().len() - 1);
    assert_eq!(left[0]["thread"], thread, "the other answer of its thread is there");
    let again = place.run(&["history", "delete", newest, "--turn", "--yes"]);
    assert!(again.status.code() == Some(2) || again.status.code() == Some(1), "{}", stderr(&again));
    assert!(stderr(&again).contains("There is no turn"), "{}", stderr(&again));
}

#[test]
fn an_import_is_whole_or_not_there() {
    let place = place();
    let exported = stdout(&place.run(&["history", "export"]));
    let one: serde_json::Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    let line = |index: usize| {
        let mut thread = one.clone();
        let id = |kind: u32| format!("{kind:08x}{index:024x}");
        thread["id"] = json!(id(1));
        for (at, turn) in thread["turns"].as_array_mut().unwrap().iter_mut().enumerate() {
            turn["id"] = json!(id(2 + at as u32));
        }
        format!("{thread}\n").into_bytes()
    };
    let mut bytes: Vec<u8> = (0..70).flat_map(line).collect();
    let second = Place::new("search_backends = [\"documents\"]");
    let file = second.path("threads.jsonl");
    // A disk that gives other bytes back in the middle of the file.
    let broken: Vec<u8> = bytes.iter().copied().chain([0xff, 0xfe, b'\n']).chain(line(99)).collect();
    std::fs::write(&file, broken).unwrap();
    let refused = second.run(&["history", "import", file.to_str().unwrap()]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("file: cannot be read"), "{}", stderr(&refused));
    assert_eq!(parsed(&second.run(&["history", "--json"])), json!([]), "nothing of it was taken in");
    // A line that is none of ours keeps the others out, too, unless one says otherwise.
    bytes.extend_from_slice(b"{\"a\": 1}\n");
    std::fs::write(&file, bytes).unwrap();
    let refused = second.run(&["history", "import", file.to_str().unwrap()]);
    let message = "file: line 71 is not a thread of Nexi or an entry of NEXI's history. Nothing was imported. \
        Correct the file, or import the rest of it (70 threads) with --skip-broken";
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains(message), "{}", stderr(&refused));
    assert_eq!(parsed(&second.run(&["history", "--json"])), json!([]), "nothing of it was taken in");
    let taken = second.run(&["history", "import", file.to_str().unwrap(), "--skip-broken"]);
    assert_eq!(stdout(&taken), "70 threads imported, 1 line skipped\n", "{}", stderr(&taken));
}

#[test]
fn an_exported_library_holds_what_is_not_a_thread() {
    let (place, other) = (Place::new(DOCUMENTS), Place::new(DOCUMENTS));
    let run = |args: &[&str]| {
        let done = place.run(args);
        assert!(done.status.success(), "{args:?} {}", stderr(&done));
        done
    };
    run(&["space", "add", "House", "--instructions", "Prices in euros."]);
    run(&["memory", "add", "I work with PostgreSQL 16"]);
    run(&["template", "set", "compare", "Compare {a} and {b}"]);
    run(&["watch", "add", "Where are keys kept?", "--every", "1w"]);
    let file = place.path("library.jsonl");
    run(&["history", "export", "--out", file.to_str().unwrap()]);
    let imported = other.run(&["history", "import", file.to_str().unwrap()]);
    assert!(stdout(&imported).contains("1 thread imported, 4 other items"), "{}{}", stdout(&imported), stderr(&imported));
    assert!(stdout(&other.run(&["space"])).contains("House") && stdout(&other.run(&["memory"])).contains("PostgreSQL 16"));
    assert!(stdout(&other.run(&["template"])).contains("compare"));
    // Checks cost something, so nothing begins by itself.
    let watched = parsed(&other.run(&["watch", "list", "--json"]));
    assert_eq!((&watched[0]["paused"], &watched[0]["question"]), (&json!(true), &json!("Where are keys kept?")), "{watched}");
    let again = other.run(&["history", "import", file.to_str().unwrap()]);
    assert!(stdout(&again).starts_with("0 threads imported, 1 already present"), "{}", stdout(&again));
    // A line that cannot be read keeps everything out.
    let broken = std::fs::read_to_string(&file).unwrap().replace("\"nexi_item\":\"memory\"", "\"nexi_item\":\"song\"");
    std::fs::write(&file, broken).unwrap();
    let third = Place::new(DOCUMENTS);
    let refused = third.run(&["history", "import", file.to_str().unwrap()]);
    assert!(
        refused.status.code() == Some(2) && stderr(&refused).contains("line 3 holds something that this Nexi cannot read"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(parsed(&third.run(&["space", "list", "--json"])), json!([]));
}

/// Somebody who asks in the evening, far from Greenwich, has asked on that day.
#[test]
fn days_of_exports_are_those_of_the_clock_on_the_wall() {
    let place = Place::new("search_backends = [\"documents\"]");
    let nexi = |args: &[&str], zone: &str| place.nexi(args).env("TZ", zone).output().unwrap();
    let day = |zone: &str| jiff::Timestamp::now().in_tz(zone).unwrap().date().to_string();
    // One of them has another day than Greenwich at any hour.
    for zone in ["Pacific/Kiritimati", "Etc/GMT+12"] {
        let before = day(zone);
        assert!(nexi(&["ask", "Where does Nexi keep my keys?"], zone).status.success());
        let exported = stdout(&nexi(&["history", "export", "--last", "--format", "markdown"], zone));
        let after = day(zone);
        assert!([before, after].iter().any(|day| exported.contains(day.as_str())), "{zone}: {exported}");
    }
}

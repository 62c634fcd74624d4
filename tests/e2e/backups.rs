//! A library that is backed up, restored, and repaired, by the program itself.

use serde_json::json;

use crate::support::{Place, json as parsed, stderr, stdout};

const BACKUPS: &str = "data/backups";

/// A place with one answer and today's backup of it.
fn backed_up() -> (Place, String) {
    let place = Place::new("search_backends = [\"documents\"]");
    ask(&place, "Where does Nexi keep my keys?");
    // The next command finds something to be kept, and does not end before the copy is there.
    ask(&place, "How do I add a folder of documents?");
    let all = parsed(&place.run(&["restore", "--json"]));
    let name = all[0]["name"].as_str().expect("a backup").to_owned();
    (place, name)
}

fn ask(place: &Place, question: &str) {
    let output = place.run(&["ask", question]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

fn questions(place: &Place) -> Vec<String> {
    let all = parsed(&place.run(&["history", "--json", "--last", "50"]));
    all.as_array().unwrap().iter().map(|turn| turn["question"].as_str().unwrap().to_owned()).collect()
}

/// Overwrites the end of the library, as a broken disk would.
fn damage(place: &Place) {
    overwrite(place, |bytes| bytes.len() / 2..bytes.len());
}

/// Overwrites what SQLite reads first, so that nothing can open the library.
fn damage_so_that_it_cannot_be_opened(place: &Place) {
    overwrite(place, |_| 100..4096);
}

fn overwrite(place: &Place, which: impl Fn(&[u8]) -> std::ops::Range<usize>) {
    let path = place.path("data/nexi.db");
    // The last command may have ended while a backup was being made, which leaves pages in the write-ahead log.
    // Those would stand for the ones that are overwritten here; closing the library puts them where they belong.
    rusqlite::Connection::open(&path).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let range = which(&bytes);
    bytes[range].fill(0x5A);
    std::fs::write(&path, bytes).unwrap();
}

#[test]
fn a_backup_is_listed_and_restored_and_can_be_taken_back() {
    let (place, name) = backed_up();
    let kept = parsed(&place.run(&["restore", "--json"]))[0]["turns"].as_u64().unwrap() as usize;
    ask(&place, "Can I use Nexi without an account?");
    let before = questions(&place).len();
    assert!(before > kept);
    let refused = place.run(&["restore", "2020-01-01", "--yes"]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains(&name), "{}", stderr(&refused));
    let refused = place.run(&["restore", &name]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--yes"), "{}", stderr(&refused));
    let restored = place.run(&["restore", &name, "--yes"]);
    assert!(restored.status.success(), "{}", stderr(&restored));
    assert_eq!(questions(&place).len(), kept, "{}", stdout(&restored));
    let all = parsed(&place.run(&["restore", "--json"]));
    let taken_back = all.as_array().unwrap().iter().find(|one| one["name"].as_str().unwrap().contains("before-restoring")).unwrap();
    assert_eq!(taken_back["turns"], json!(before));
    assert!(place.run(&["restore", taken_back["name"].as_str().unwrap(), "--yes"]).status.success());
    assert_eq!(questions(&place).len(), before);
    assert!(stdout(&place.run(&["restore"])).contains(&name));
}

#[test]
fn a_library_of_a_later_version_is_left_for_an_older_copy_and_kept() {
    let (place, name) = backed_up();
    let library = place.path("data/nexi.db");
    let kept = questions(&place);
    rusqlite::Connection::open(&library).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let refused = place.run(&["history"]);
    assert!(!refused.status.success() && stderr(&refused).contains(" restore"), "{}", stderr(&refused));
    let restored = place.run(&["restore", &name, "--yes"]);
    assert!(restored.status.success() && stdout(&restored).contains("before-going-back"), "{}{}", stdout(&restored), stderr(&restored));
    assert!(questions(&place).iter().all(|question| kept.contains(question)));
    // It is there for the later version, and this one says so.
    let all = parsed(&place.run(&["restore", "--json"]));
    let newer = all.as_array().unwrap().iter().find(|one| one["name"].as_str().unwrap().contains("before-going-back")).unwrap();
    assert_eq!(newer["turns"], json!(kept.len()));
    let refused = place.run(&["restore", newer["name"].as_str().unwrap(), "--yes"]);
    assert!(!refused.status.success() && stderr(&refused).contains("newer version"), "{}", stderr(&refused));
}

#[test]
fn a_damaged_library_is_repaired_or_restored_and_kept() {
    for repair in [true, false] {
        let (place, name) = backed_up();
        let before = questions(&place).len();
        damage(&place);
        if repair {
            let told = place.run(&["doctor", "--repair"]);
            assert!(told.status.success(), "{}", stderr(&told));
            assert!(stdout(&told).contains("The damaged one is kept as"), "{}", stdout(&told));
            assert!(stdout(&place.run(&["doctor", "--repair"])).contains("nothing to repair"));
        } else {
            let restored = place.run(&["restore", &name, "--yes"]);
            assert!(restored.status.success(), "{}", stderr(&restored));
        }
        assert!(!questions(&place).is_empty() && questions(&place).len() <= before);
        let aside = std::fs::read_dir(place.path("data"))
            .unwrap()
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().ends_with(".damaged.db"));
        let kept = aside
            || std::fs::read_dir(place.path(BACKUPS))
                .unwrap()
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().contains("before"));
        assert!(kept, "what was there is not thrown away");
        ask(&place, "Where does Nexi keep my keys?");
    }
}

#[test]
fn a_library_in_use_is_not_replaced() {
    let (place, name) = backed_up();
    // One that can still be opened is restored through SQLite, which others at work do not mind.
    damage_so_that_it_cannot_be_opened(&place);
    // Whoever has the data folder open shows it by a lock, as long as it lives.
    let lock = place.path("data/locks").join("0123456789abcdef0123456789abcdef");
    let file = std::fs::File::create(&lock).unwrap();
    file.lock().unwrap();
    for args in [&["restore", &name, "--yes"][..], &["doctor", "--repair"]] {
        let refused = place.run(args);
        assert!(!refused.status.success(), "{args:?}: {}", stdout(&refused));
        assert!(stderr(&refused).contains("Nexi is running. Close it everywhere"), "{args:?}: {}", stderr(&refused));
    }
    drop(file);
    assert!(place.run(&["doctor", "--repair"]).status.success());
}

#[test]
fn an_empty_file_in_the_place_of_a_library_is_damage() {
    let (place, _) = backed_up();
    let kept = parsed(&place.run(&["restore", "--json"]))[0]["turns"].as_u64().unwrap() as usize;
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(place.path(&format!("data/nexi.db{end}")));
    }
    std::fs::write(place.path("data/nexi.db"), "").unwrap();
    let told = place.run(&["history"]);
    assert!(!told.status.success() && stderr(&told).contains("the file is empty"), "{}{}", stdout(&told), stderr(&told));
    let repaired = place.run(&["doctor", "--repair"]);
    assert!(repaired.status.success(), "{}", stderr(&repaired));
    assert_eq!(questions(&place).len(), kept, "{}", stdout(&repaired));
}

/// How often the library was looked through at a start, by what the logs say.
fn looked_through(place: &Place) -> usize {
    let logs = std::fs::read_dir(place.path("data/logs")).into_iter().flatten().flatten();
    logs.map(|log| std::fs::read_to_string(log.path()).unwrap_or_default().matches("is looked through").count()).sum()
}

#[test]
fn every_command_leaves_the_library_closed() {
    let place = Place::new("search_backends = [\"documents\"]");
    let left = || std::fs::metadata(place.path("data/nexi.db-wal")).map_or(0, |log| log.len());
    // Answers, refusals, mistakes, and what reads alone.
    let all: &[&[&str]] = &[
        &["ask", "Where does Nexi keep my keys?"],
        &["ask", "--model", "none-of-this-name", "Where does Nexi keep my keys?"],
        &["ask", "--deep", "--plan", "/none", "Where?"],
        &["history"],
        &["history", "show", "ffffffffffffffff"],
        &["docs", "status"],
        &["docs", "sync"],
        &["memory", "add", "I live in Hull"],
        &["doctor", "--offline"],
        &["usage"],
        &["watch"],
        &["mcp"],
    ];
    for args in all {
        place.run(args);
        assert_eq!(left(), 0, "{args:?}");
    }
    assert_eq!(looked_through(&place), 0);
    // One that is killed leaves what was written last, and that is looked through.
    let mut session = place.server();
    let other = rusqlite::Connection::open(place.path("data/nexi.db")).unwrap();
    other.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE late (x); DROP TABLE late").unwrap();
    session.kill().unwrap();
    session.wait().unwrap();
    std::mem::forget(other);
    assert!(left() > 0);
    place.run(&["history"]);
    assert_eq!((looked_through(&place), left()), (1, 0));
}

#[test]
fn what_is_deleted_for_good_is_in_no_backup() {
    let (place, name) = backed_up();
    let word = b"Where does Nexi keep my keys?";
    let holds = || {
        let backups = std::fs::read_dir(place.path(BACKUPS)).unwrap().flatten();
        backups.filter(|entry| std::fs::read(entry.path()).unwrap().windows(word.len()).any(|window| window == word)).count()
    };
    assert!(holds() > 0, "{name}");
    let all = parsed(&place.run(&["history", "--json", "--last", "50"]));
    for turn in all.as_array().unwrap().iter().filter(|turn| turn["question"].as_str() == std::str::from_utf8(word).ok()) {
        let deleted = place.run(&["history", "delete", turn["id"].as_str().unwrap(), "--yes"]);
        assert!(deleted.status.success(), "{}", stderr(&deleted));
    }
    assert_eq!(holds(), 0, "it was said to be deleted");
    assert_eq!(questions(&place), ["How do I add a folder of documents?"]);
}

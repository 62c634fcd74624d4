//! What is quoted from texts that are no prose, and from which place: lists, tables, settings, notes of one sentence.

use serde_json::Value;

use crate::support::{Place, json as parsed, stderr, stdout};

/// A place with these files, all in one folder that is searched.
fn with(files: &[(&str, &str)]) -> Place {
    let place = Place::new("");
    let folder = place.path("notes");
    std::fs::create_dir(&folder).unwrap();
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::fs::write(place.path("config.toml"), crate::documents::settings(&folder)).unwrap();
    place
}

fn ask(place: &Place, question: &str) -> Value {
    parsed(&place.run(&["ask", question, "--json"]))
}

/// The first quotation of an answer.
fn first(asked: &Value) -> &str {
    asked["answer"].as_str().unwrap().split('”').next().unwrap()
}

/// The first and last line of the first passage that is cited.
fn lines(asked: &Value) -> [u64; 2] {
    ["start_line", "end_line"].map(|end| asked["sources"][0]["passages"][0][end].as_u64().unwrap())
}

#[test]
fn short_rows_and_items_are_quoted() {
    let place = with(&[
        ("crew.md", "# Crew of the Halvard\n\n- Cook: Mirela\n- Captain: Olaf\n- Pilot: Jun\n"),
        ("guides.md", "# Tour\n\n| Day | Place | Guide |\n|---|---|---|\n| Monday | Hallstatt | Renate |\n| Tuesday | Gosau | Kilian |\n"),
        ("fees.csv", "Artikel;Menge;Preis\nGießkanne;10 l;24,90\nRechen;breit;18,50\nSchubkarre;100 l;119,00\n"),
    ]);
    assert!(first(&ask(&place, "Who is the captain of the Halvard?")).contains("Captain: Olaf"));
    assert!(first(&ask(&place, "Who is the guide in Gosau?")).contains("Kilian"));
    assert!(first(&ask(&place, "Was kostet der Rechen?")).contains("18,50"));
}

#[test]
fn of_settings_and_lists_the_line_that_answers_is_quoted_and_cited() {
    let nodes: String = (1..20).map(|n| format!("node{n}:\n  address: 10.0.0.{n}\n  rack: R{}\n  owner: owner{n}\n", n * 3)).collect();
    let names = ["Ada", "Ben", "Cai", "Dora", "Eli"];
    let members: Vec<String> = (0..25).map(|n| format!("{} Moss{n}, locker {}", names[n % 5], 100 + n)).collect();
    let place = with(&[("cluster.yaml", &nodes), ("members.txt", &format!("Members of the club\n{}\n", members.join("\n")))]);
    let rack = ask(&place, "Which rack is node17 in?");
    assert!(first(&rack).contains("node17: · ") && first(&rack).contains("rack: R51"), "{rack}");
    let [from, to] = lines(&rack);
    assert!(from >= 65 && to <= 68, "node17 has the lines 65 to 68, and not {from} to {to}");
    let locker = ask(&place, "Which locker has Dora Moss13?");
    assert!(first(&locker).contains("locker 113"), "{locker}");
    assert!(first(&locker).matches("locker").count() <= 4, "only what stands beside it: {locker}");
    let shown = stdout(&place.run(&["ask", "Which rack is node17 in?"]));
    assert!(shown.contains(&format!("cluster.yaml (lines 64, {from}-{to})")), "the line of the other quote comes first: {shown}");
}

#[test]
fn what_is_no_mark_is_quoted_as_it_stands() {
    let text = "# Winch\n\nThe torque constant of the winch equals 12*7*3 newtons. Files called `*.tmp` and `cache/**` of the winch are not kept.\n";
    let place = with(&[("winch.md", text)]);
    let constant = ask(&place, "What does the torque constant of the winch equal?");
    assert!(constant["answer"].as_str().unwrap().contains("12\\*7\\*3 newtons"), "{constant}");
    let kept = ask(&place, "Which files of the winch are not kept?");
    let kept = kept["answer"].as_str().unwrap().replace('\\', "");
    assert!(kept.contains("*.tmp and cache/** of the winch"), "{kept}");
}

#[test]
fn one_short_note_is_enough_in_any_language() {
    for (note, question, answer) in [
        ("The anvil weighs 87 kilograms and stands in the smithy.", "How heavy is the anvil?", "87 kilograms"),
        ("회의실 예약은 김민수 대리가 담당합니다.", "회의실 예약은 누가 담당합니까?", "김민수"),
        ("L’ascenseur est révisé tous les six mois par la société Élévatech.", "Qui révise l'ascenseur ?", "Élévatech"),
        ("Die Schubkarre kostet 119 Euro.", "Was kostet die Schubkarre?", "119 Euro"),
    ] {
        let asked = ask(&with(&[("note.txt", note)]), question);
        assert!(first(&asked).contains(answer), "{question}: {asked}");
    }
    // Words that a dictionary tells apart otherwise when they stand alone.
    let place = with(&[("thai.txt", "รหัสไวไฟของร้านคือดอกบัว 42")]);
    for word in ["รหัสไวไฟ", "ไวไฟ"] {
        let found = parsed(&place.run(&["search", word, "-b", "documents", "--json"]));
        assert!(found.to_string().contains("thai.txt"), "{word}: {found}");
    }
}

#[test]
fn documents_of_the_person_come_before_the_handbook() {
    let place = with(&[("film.srt", "1\n00:45:03,000 --> 00:45:06,000\nThe diamonds are in the sewing machine.\n")]);
    let asked = ask(&place, "Where are the diamonds?");
    assert!(first(&asked).contains("sewing machine") && !asked["sources"].to_string().contains("handbook"), "{asked}");
    let about = ask(&place, "Where does Nexi keep my keys?");
    assert!(about["sources"].to_string().contains("handbook"), "{about}");
}

#[test]
fn a_file_that_its_folder_does_not_show_can_be_named() {
    let place = with(&[("noext", "The gander is called Bartok.\n"), ("other.txt", "Nothing about birds.\n")]);
    let file = place.path("notes").join("noext");
    for _ in 0..2 {
        let asked = parsed(&place.run(&["ask", "What is the gander called?", "--docs", file.to_str().unwrap(), "--json"]));
        assert!(first(&asked).contains("Bartok"), "{asked}");
        // Searching the folder alone must not drop the file from the index.
        assert!(!ask(&place, "What about birds?")["sources"].to_string().contains("noext"));
    }
}

#[test]
fn a_search_shows_the_words_that_were_found() {
    let before = "Rent is due on the first of each month, and interest is charged on what is late. ".repeat(6);
    let place = with(&[("lease.txt", &format!("{before}Subletting for more than six weeks needs consent in writing.\n"))]);
    let shown = stdout(&place.run(&["search", "-b", "documents", "subletting six weeks"]));
    assert!(shown.contains("Subletting for more than six weeks"), "{shown}");
}

#[test]
fn what_is_no_file_or_folder_is_refused_by_its_own_reason() {
    let place = with(&[]);
    let pipe = place.path("pipe.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let refused = stderr(&place.run(&["read", pipe.to_str().unwrap()]));
    assert!(refused.contains("not a regular file") && !refused.contains("there is no file"), "{refused}");
    let disk = stderr(&place.run(&["docs", "add", "/"]));
    assert!(disk.contains("the whole disk") && !disk.contains("settings file"), "{disk}");
}

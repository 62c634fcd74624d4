//! The language of the program: chosen by the settings, the environment, or the system.

use serde_json::json;

use crate::support::{Place, json, stderr, stdout};

const GERMAN: &str = "language = \"de\"\nllm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n";

#[test]
fn the_settings_choose_german() {
    let place = Place::new(GERMAN);
    assert!(stdout(&place.run(&["history"])).contains("Es wurde noch nichts gefragt."));

    let answer = place.run(&["ask", "Where does Nexi keep my keys?"]);
    let (answer, told) = (stdout(&answer), stderr(&answer));
    assert!(answer.contains("\nQuellen:\n") && answer.contains("belegt"), "{answer}");
    assert!(told.contains("[Schritt 1") && told.contains("gelesen"), "{told}");

    let report = json(&place.run(&["history", "--prev", "--json"]));
    assert_eq!((&report["state"], &report["statements"][0]["support"]), (&json!("answered"), &json!("supported")), "data has no language");
    let page = stdout(&place.run(&["history", "export", "--last", "--format", "html"]));
    assert!(page.contains("<html lang=\"de\">") && page.contains("<h2>Quellen</h2>"), "{page}");

    let help = stdout(&place.run(&["ask", "--help"]));
    assert!(help.starts_with("Eine Frage stellen") && help.contains("Kostengrenze in US-Dollar") && help.contains("Beispiele:"), "{help}");
    for english in ["Usage:", "Options:", "Arguments:", "Commands:", "[default:", "[possible values:", "Print help"] {
        for command in [&["--help"][..], &["ask", "-h"], &["ask", "--help"], &["history", "export", "--help"]] {
            let help = stdout(&place.run(command));
            assert!(!help.contains(english), "{english} in {help}");
        }
    }
    assert!(stdout(&place.run(&["history", "-V"])).starts_with("nexi"));
    // What settings do, those of an entry of any name, too.
    let words = stdout(&place.run(&["config", "explain", "search.safe_search"]));
    assert!(words.contains("Ob Ergebnisse weggelassen werden") && words.contains("moderate: Weggelassen wird"), "{words}");
    let entry = stdout(&place.run(&["config", "explain", "providers.work.model"]));
    assert!(entry.contains("Die Kennung des Modells."), "{entry}");
    assert!(stdout(&place.run(&["config", "explain"])).contains("Das Land der Ergebnisse"));
    let manual = stdout(&place.run(&["man"]));
    assert!(manual.contains(".SH BEISPIELE") && manual.contains("Eine Sitzung öffnen"), "{manual}");
    assert!(manual.contains(".br\n\\- footnotes: Fußnoten"), "each value has a line of its own");
    for (args, wanted) in [
        (&["ask", "x", "--nosuch"][..], &["Fehler: das Argument --nosuch gibt es hier nicht", "Aufruf: nexi ask"][..]),
        (&["nosuch"], &["Fehler: den Befehl nosuch gibt es nicht", "Um eine Frage zu stellen"]),
        (&["history", "export", "--style", "apax"], &["apax ist kein Wert für --style", "möglich: numbered", "Meinten Sie apa?"]),
        (&["ask", "x", "--max-cost", "abc"], &["abc ist kein Wert für --max-cost", "US-Dollar über 0"]),
        (&["ask", "x", "--model"], &["--model <NAME> braucht einen Wert"]),
        (&["key", "set"], &["Fehler: es fehlt: <"]),
        (&["ask", "x", "--effort", "zz"], &["zz ist kein Wert für --effort", "muss s, m oder l sein"]),
        (&["watch", "every", "x", "5x"], &["muss Stunden, Tage oder Wochen sein"]),
        (&["watch", "every", "x", "0d"], &["muss mindestens eine Stunde"]),
        (&["watch", "every", "x", "6h at 08:00"], &["eine Uhrzeit verlangt ganze Tage"]),
        (&["ask", "x", "--json", "--jsonl"], &["geht nicht zusammen mit"]),
    ] {
        let output = place.run(args);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(wanted.iter().all(|wanted| told.contains(wanted)), "{args:?}: {told}");
        assert!(!told.contains("error:") && !told.contains("Usage:") && !told.contains("try '--help'"), "{args:?}: {told}");
    }
    let wrong = place.run(&["history", "export", "--format", "bibtex"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).starts_with("nexi: format: Die ganze Bibliothek wird als JSON geschrieben"), "{}", stderr(&wrong));
    // The place of the settings may be written in one word, too.
    let file = format!("--config={}", place.path("config.toml").display());
    let joined = std::process::Command::new(env!("CARGO_BIN_EXE_nexi")).args(["history", "--help", &file]).env_clear().output().unwrap();
    assert!(stdout(&joined).starts_with("Frühere Recherchen"), "{}", stdout(&joined));
}

/// Errors are in the language of the program, wherever they come from.
#[test]
fn mistakes_and_failures_are_told_in_german() {
    let unreachable = "search_backends = [\"wikipedia\", \"elsewhere\"]\n[providers.wikipedia]\nbase_url = \"http://127.0.0.1:9\"\n\
        [providers.elsewhere]\ntype = \"searxng\"\nbase_url = \"http://127.0.0.1:9\"\n";
    let place = Place::new(&format!("language = \"de\"\nllm_backends = [\"builtin\"]\n{unreachable}"));
    let answer = stdout(&place.run(&["ask", "Wann wurde die Brücke gebaut?"]));
    assert!(answer.contains("Keine der Suchen ließ sich ausführen."), "{answer}");
    for service in ["Wikipedia", "elsewhere"] {
        assert!(answer.contains(&format!("- {service}: nicht zu erreichen (")), "each service has a line of its own: {answer}");
    }
    for (args, wanted) in [
        (&["config", "set", "max_context", "3"][..], "max_context: muss eine ganze Zahl ab 2000 sein, nicht 3"),
        (&["config", "set", "desktop.hotkey", "Ctrl+C"], "wird von anderen Programmen gebraucht, um zu kopieren"),
        (&["ask", "Was steht darin?", "--attach", "/nope"], "Anhang 1: /nope gibt es nicht"),
        (&["read", "http://10.0.0.1/"], "die Adresse gehört zu einem privaten Netz"),
        (&["search", "Brücke"], "Wikipedia: nicht zu erreichen ("),
    ] {
        let output = place.run(args);
        assert!(!output.status.success() && stderr(&output).contains(wanted), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn the_environment_comes_first_and_the_system_last() {
    let place = Place::new(GERMAN);
    let spoken = |settings: &Place, variables: &[(&str, &str)]| {
        stdout(&settings.nexi(&["history"]).envs(variables.iter().copied()).output().unwrap())
    };
    let (german, english) = ("Es wurde noch nichts gefragt", "Nothing has been asked yet");
    assert!(spoken(&place, &[("NEXI_LANGUAGE", "en")]).starts_with(english));
    let plain = Place::new("llm_backends = [\"builtin\"]\n");
    assert!(spoken(&plain, &[]).starts_with(english));
    assert!(spoken(&plain, &[("LANG", "de_AT.UTF-8")]).starts_with(german));
    assert!(spoken(&plain, &[("LANG", "fi_FI.UTF-8")]).starts_with(english), "a language that Nexi does not speak");
    let fixed = Place::new("language = \"en\"\n");
    assert!(spoken(&fixed, &[("LANG", "de_AT.UTF-8")]).starts_with(english));
}

#[test]
fn an_unknown_language_is_told() {
    let place = Place::new("language = \"nl\"\n");
    let told = stderr(&place.run(&["history"]));
    assert!(told.contains("language: must be en, ") && told.contains(" or system"), "{told}");
}

/// What the container comes with are settings that Nexi understands.
#[test]
fn the_settings_of_the_container_are_understood() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/container/nexi.toml");
    let place = Place::new(&std::fs::read_to_string(file).unwrap());
    let chain = place.run(&["config", "get", "search_backends"]);
    assert!(chain.status.success() && stderr(&chain).is_empty(), "{}", stderr(&chain));
    assert_eq!(json(&chain), json!(["searx", "wikipedia"]));
}

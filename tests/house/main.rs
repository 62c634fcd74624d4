//! Tests that hold the house up: who may import whom, how long a module may be, which commands
//! exist and who may call them.

mod calls;
mod circles;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Lines a module may have; longer ones hold more than one thing.
const MAX_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().expect("the project's folder")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn imports_point_the_right_way() {
    // Each package and the packages of ours that it may use.
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("nexi-core", &[][..]),
        ("nexi-messages", &[][..]),
        ("nexi-formats", &["nexi-core"][..]),
        ("nexi-embed", &["nexi-core"][..]),
        ("nexi-llm", &["nexi-core"][..]),
        ("nexi-web", &["nexi-core", "nexi-formats"][..]),
        ("nexi-store", &["nexi-core", "nexi-messages"][..]),
        ("nexi-tools", &["nexi-core"][..]),
        ("nexi-postgres", &["nexi-core"][..]),
        (
            "nexi-engine",
            &[
                "nexi-core",
                "nexi-embed",
                "nexi-formats",
                "nexi-llm",
                "nexi-messages",
                "nexi-postgres",
                "nexi-web",
                "nexi-store",
                "nexi-tools",
            ][..],
        ),
        ("nexi-cli", &["nexi-core", "nexi-engine", "nexi-messages"][..]),
        ("nexi-desktop", &["nexi-core", "nexi-engine", "nexi-messages"][..]),
        ("nexi-testkit", &["nexi-core"][..]),
    ]);
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let may = allowed.get(name).unwrap_or_else(|| panic!("{name} has no place in the plan; see src-tauri/ARCHITECTURE.md"));
        seen.insert(name);
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let used = dependency["name"].as_str().expect("a name");
            let for_tests = dependency["kind"] == "dev";
            if used.starts_with("nexi-") {
                assert!(may.contains(&used) || (for_tests && matches!(used, "nexi-testkit" | "nexi-store")), "{name} must not use {used}");
            }
            assert!(!used.starts_with("tauri") || name == "nexi-desktop", "only nexi-desktop may name {used}, not {name}");
        }
    }
    assert_eq!(seen.len(), allowed.len(), "{seen:?}");
}

fn files(folder: &Path, endings: &[&str], out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            // What is generated is as long as what it is generated from.
            let is_made =
                matches!(name.as_str(), "target" | "node_modules" | "gen" | ".git" | "permissions") || path.ends_with("ui/js/messages");
            if !is_made {
                files(&path, endings, out);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) && !name.ends_with(".d.ts") {
            out.push(path);
        }
    }
}

#[test]
fn modules_are_short() {
    let mut all = Vec::new();
    files(&root(), &[".rs", ".js", ".css"], &mut all);
    assert!(all.len() > 50);
    for path in all {
        let lines = std::fs::read_to_string(&path).unwrap_or_default().lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines; what are the two things in it?", path.display());
    }
}

/// Longest pause of a loop that looks whether something holds, in milliseconds.
const LONGEST_PAUSE: u64 = 100;

#[test]
fn tests_wait_for_what_they_mean() {
    let mut all = Vec::new();
    files(&root().join("tests"), &[".rs"], &mut all);
    files(&root().join("src-tauri/crates"), &[".rs"], &mut all);
    all.retain(|path| path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests"));
    assert!(all.len() > 100);
    let mut pauses = 0;
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for rest in text.split("sleep(").skip(1) {
            let argument = rest.trim_start_matches("std::time::").trim_start_matches("Duration::from_");
            let Some((unit, number)) = argument.split_once('(') else { continue };
            let number: u64 = number.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
            let pause = if unit == "secs" { number * 1000 } else { number };
            pauses += u64::from(unit == "millis");
            // A writer of its own thread is at work for a second there.
            let is_work = path.ends_with("store/tests/suspended.rs");
            assert!(
                pause <= LONGEST_PAUSE || is_work,
                "{}: wait for what is meant, or `let_pass`: sleep({}",
                path.display(),
                &rest[..40.min(rest.len())]
            );
        }
    }
    assert!(pauses > 10, "{pauses} pauses were found");
}

#[test]
fn every_command_is_listed_handled_and_allowed_to_some_window() {
    let mut sources = Vec::new();
    files(&root().join("src-tauri/src/commands"), &[".rs"], &mut sources);
    let commands: BTreeSet<String> = sources
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap_or_default())
        .flat_map(|source| {
            let found = source.split("#[tauri::command]").skip(1);
            found.filter_map(|rest| rest.split("fn ").nth(1)?.split('(').next().map(str::to_owned)).collect::<Vec<_>>()
        })
        .collect();
    assert!(commands.len() >= 50, "{commands:?}");
    let handler = read("src-tauri/src/lib.rs");
    let host = read("ui/js/host.js");
    let configuration: Value = serde_json::from_str(&read("tauri.conf.json")).expect("JSON");
    let mut permitted: BTreeSet<String> = BTreeSet::new();
    for capability in configuration["app"]["security"]["capabilities"].as_array().expect("capabilities") {
        let window = capability["windows"][0].as_str().expect("a window");
        assert_eq!(capability["windows"].as_array().map(Vec::len), Some(1), "a capability belongs to one window: {capability}");
        assert!(!window.contains('*'));
        for permission in capability["permissions"].as_array().expect("permissions").iter().filter_map(Value::as_str) {
            let writes_a_key = ["allow-set-key", "allow-remove-key", "allow-unlock-keys", "allow-import-settings"].contains(&permission);
            assert!(!writes_a_key || matches!(window, "settings" | "setup"), "{window} must not have {permission}");
            permitted.insert(permission.to_owned());
        }
    }
    let wanted: BTreeSet<String> = commands.iter().map(|command| format!("allow-{}", command.replace('_', "-"))).collect();
    assert_eq!(permitted, wanted, "windows may call our commands and nothing else");
    for command in &commands {
        assert!(handler.contains(&format!("commands::{command},")), "{command} is not handled");
        assert!(host.contains(&format!("call(\"{command}\"")), "{command} is called by no window");
    }
    let csp = configuration["app"]["security"]["csp"].as_str().expect("a policy");
    assert!(csp.starts_with("default-src 'none'") && !csp.contains("unsafe") && !csp.contains("https:"), "{csp}");
}

#[test]
fn the_window_has_no_inline_script_or_style() {
    let mut all = Vec::new();
    files(&root().join("ui"), &[".html", ".js"], &mut all);
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        for bad in [" style=\"", "<style", "eval(", "new Function", "insertAdjacentHTML", "outerHTML =", "document.write"] {
            assert!(!text.contains(bad), "{}: {bad}", path.display());
        }
        let is_dom = path.ends_with("js/dom.js");
        assert!(is_dom || !text.contains("innerHTML"), "{}: HTML enters through dom.js alone", path.display());
        let is_bridge = path.ends_with("js/bridge.js");
        assert!(is_bridge || !text.contains("__TAURI"), "{}: the program is reached through bridge.js alone", path.display());
        let calls = path.ends_with("js/host.js") || path.ends_with("js/first.js") || path.extension().is_some_and(|end| end == "html");
        assert!(calls || !text.contains("/bridge.js\""), "{}: commands are called through host.js", path.display());
    }
}

#[test]
fn http_clients_are_built_in_one_place() {
    let mut all = Vec::new();
    files(&root().join("src-tauri"), &[".rs"], &mut all);
    let builders: BTreeSet<String> = all
        .iter()
        // Tests stand for browsers and other programs.
        .filter(|path| !path.ends_with("tests.rs"))
        .filter(|path| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            text.contains("Client::builder()") || text.contains("reqwest::Client::new") || text.contains("reqwest::get")
        })
        .map(|path| path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/"))
        .collect();
    let wanted = ["src-tauri/crates/web/src/client/mod.rs"];
    assert_eq!(builders.into_iter().collect::<Vec<_>>(), wanted);
}

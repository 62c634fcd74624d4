//! Webhooks and commands that run after research.

use std::time::{Duration, Instant};

use nexi_testkit::{HookServer, Hooked};
use serde_json::{Value, json};

use crate::support::{Place, json as parsed, stderr, stdout};
use crate::watched::{add, note, notes};

fn header(request: &Hooked, name: &str) -> String {
    request.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

fn body(request: &Hooked) -> Value {
    serde_json::from_str(&request.body).unwrap()
}

/// Makes what waits due now.
fn hurry(place: &Place) {
    let database = rusqlite::Connection::open(place.path("data/nexi.db")).unwrap();
    database.execute("UPDATE deliveries SET next_ms = 0 WHERE next_ms IS NOT NULL", []).unwrap();
}

/// What stands behind `--` comes last.
fn add_command(place: &Place, options: &[&str], name: &str, args: &[&str]) -> std::process::Output {
    place.nexi(&[]).args(["hook", "add", name]).args(options).arg("--").args(args).output().unwrap()
}

fn log(place: &Place) -> Vec<Value> {
    parsed(&place.run(&["hook", "log", "--json"])).as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_gets_each_answer_signed() {
    let server = HookServer::start().await;
    let place = Place::new("keys = \"file\"\n");
    let run = |args: &[&str]| place.run_with_keys(args, "");
    let added = run(&["hook", "add", "n8n", "--url", &format!("{}/in", server.base_url)]);
    assert!(added.status.success(), "{}", stderr(&added));
    let asked = run(&["ask", "--json", "Where are keys kept?"]);
    let report = parsed(&asked);
    let requests = server.requests();
    assert_eq!(requests.len(), 1, "{}", stderr(&asked));
    let request = &requests[0];
    assert_eq!((request.path.as_str(), header(request, "content-type").as_str()), ("/in", "application/json"));
    assert!(header(request, "user-agent").starts_with("Nexi/"));
    let told = body(request);
    assert_eq!(
        (&told["type"], &told["data"]["answer"], &told["data"]["id"]),
        (&json!("research.answered"), &report["answer"], &report["id"])
    );
    // As a receiver checks it, with the library of the standard.
    let secret = stdout(&run(&["hook", "secret", "n8n"]));
    let receiver = standardwebhooks::Webhook::new(secret.trim()).unwrap();
    receiver.verify(request.body.as_bytes(), &request.headers).unwrap();
    assert!(receiver.verify(b"{}", &request.headers).is_err());
    // The secret is nowhere but with the keys.
    for file in crate::support::files(&place.path("")) {
        let content = std::fs::read(&file).unwrap();
        assert!(!content.windows(20).any(|part| part == &secret.trim().as_bytes()[..20]), "{}", file.display());
    }
    // Another secret from then on.
    let new = stdout(&run(&["hook", "secret", "n8n", "--new"]));
    assert_ne!(new, secret);
    let tested = run(&["hook", "test", "n8n"]);
    assert!(tested.status.success() && stdout(&tested).contains("n8n: delivered"), "{}{}", stdout(&tested), stderr(&tested));
    let last = server.requests().pop().unwrap();
    assert_eq!(body(&last)["type"], "test");
    standardwebhooks::Webhook::new(new.trim()).unwrap().verify(last.body.as_bytes(), &last.headers).unwrap();
    let wrong = place.run_with_keys(&["hook", "secret", "n8n", "--set"], "whsec_short");
    assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains("secret: must be whsec_"), "{}", stderr(&wrong));
    assert!(run(&["hook", "remove", "n8n"]).status.success());
    assert!(log(&place).is_empty());
    assert!(!std::fs::read_to_string(place.path("config.toml")).unwrap().contains("n8n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_tried_again_and_what_is_gone_is_not() {
    let server = HookServer::start().await;
    let place = Place::new(&format!("[hooks.notes]\nurl = \"{}/notes\"\nsigned = false\n", server.base_url));
    server.reply(500, vec![]);
    server.reply(307, vec![("location", format!("{}/elsewhere", server.base_url))]);
    server.reply(429, vec![("retry-after", "900".into())]);
    let asked = place.run(&["ask", "Where are keys kept?"]);
    assert!(asked.status.success() && stderr(&asked).contains("hook notes: not delivered (it answered with 500)"), "{}", stderr(&asked));
    for wanted in ["answered with 307", "answered with 429"] {
        hurry(&place);
        let tried = place.run(&["hook", "run"]);
        assert!(tried.status.code() == Some(1) && stderr(&tried).contains(wanted), "{}", stderr(&tried));
    }
    assert!(server.requests().iter().all(|request| request.path == "/notes"), "no redirect is followed");
    let waiting = &log(&place)[0];
    let (tried, again) = (waiting["tried_ms"].as_i64().unwrap(), waiting["outcome"]["again_ms"].as_i64().unwrap());
    // The third pause would be half an hour, longer than what the service wants.
    assert!((1_790_000..1_830_000).contains(&(again - tried)), "{waiting}");
    assert!(stdout(&place.run(&["hook", "run"])).contains("Waiting for a later try: 1 delivery."));
    hurry(&place);
    assert!(stdout(&place.run(&["hook", "run"])).contains("1 delivered"));
    let requests = server.requests();
    let id = header(&requests[0], "webhook-id");
    assert!(requests.len() == 4 && id.starts_with("msg_") && header(&requests[0], "webhook-signature").is_empty());
    assert!(
        requests.iter().all(|request| header(request, "webhook-id") == id && request.body == requests[0].body),
        "a receiver knows it again"
    );
    assert_eq!((log(&place)[0]["outcome"]["type"].as_str(), log(&place)[0]["attempts"].as_i64()), (Some("delivered"), Some(4)));
    let secret = place.run(&["hook", "secret", "notes"]);
    assert!(secret.status.code() == Some(2) && stderr(&secret).contains("are not signed"), "{}", stderr(&secret));
    // Nobody there any more.
    server.reply(410, vec![]);
    let asked = place.run(&["ask", "Where are keys kept?"]);
    assert!(stderr(&asked).contains("the hook was turned off"), "{}", stderr(&asked));
    let count = server.requests().len();
    place.run(&["ask", "Where are keys kept?"]);
    assert_eq!(server.requests().len(), count);
    assert!(std::fs::read_to_string(place.path("config.toml")).unwrap().contains("enabled = false"));
    // It can be turned on again, and a test turns it off as well.
    assert!(place.run(&["hook", "on", "notes"]).status.success());
    server.reply(410, vec![]);
    assert!(stdout(&place.run(&["hook", "test", "notes"])).contains("the hook was turned off"));
    assert!(stdout(&place.run(&["hook"])).contains("notes  (turned off)"));
    let listed = stdout(&place.run(&["hook", "log"]));
    assert!(listed.contains("Where are keys kept?"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_hear_of_what_they_are_for_and_of_nothing_private() {
    let server = HookServer::start().await;
    let hook = |name: &str, on: &str| format!("[hooks.{name}]\nurl = \"{}/{name}\"\nsigned = false\non = [\"{on}\"]\n", server.base_url);
    let place = Place::new(&format!("{}{}", hook("good", "answered"), hook("bad", "failed")));
    let paths = || server.requests().into_iter().map(|request| request.path).collect::<Vec<_>>();
    assert!(place.run(&["ask", "--private", "Where are keys kept?"]).status.success());
    assert!(paths().is_empty());
    place.run(&["ask", "What is the airspeed of an unladen swallow in Vladivostok?"]);
    assert_eq!(paths(), ["/bad"]);
    place.run(&["ask", "Where are keys kept?"]);
    assert_eq!(paths(), ["/bad", "/good"]);
    assert_eq!(body(&server.requests()[0])["type"], "research.failed");
    // A thread that is deleted before it could be told of is not told of.
    server.reply(503, vec![]);
    let asked = parsed(&place.run(&["ask", "--json", "Where are backups kept?"]));
    let count = paths().len();
    let deleted = place.run(&["history", "delete", asked["id"].as_str().unwrap(), "--yes"]);
    assert!(deleted.status.success(), "{}", stderr(&deleted));
    hurry(&place);
    place.run(&["hook", "run"]);
    assert_eq!(paths().len(), count);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_watched_question_only_changes_are_told() {
    let server = HookServer::start().await;
    let place = notes("");
    let id = add(&place, &["--model", "builtin"]);
    assert!(place.run(&["hook", "add", "any", "--unsigned", "--url", &server.base_url]).status.success());
    assert!(place.run(&["watch", "run", &id]).status.success());
    assert!(server.requests().is_empty());
    std::fs::write(place.path("notes/kestrel.md"), note("3.2", "9 June 2026")).unwrap();
    assert!(place.run(&["watch", "run", &id]).status.success());
    let told = body(&server.requests()[0]);
    assert_eq!((server.requests().len(), &told["type"]), (1, &json!("research.changed")));
    assert!(told["data"]["change"]["statements"][0]["text"].as_str().unwrap().contains("3.2"), "{told}");
}

#[test]
fn a_command_reads_the_answer_and_runs_once() {
    let place = Place::new("");
    let script = place.path("save.sh");
    let (saved, words) = (place.path("saved.json"), place.path("words"));
    let text =
        format!("cat > '{}'; printf '%s|' \"$@\" >> '{}'; echo no room left >&2; exit \"${{#1}}\"", saved.display(), words.display());
    std::fs::write(&script, text).unwrap();
    let script = script.to_str().unwrap();
    let add = |name: &str, args: &[&str]| add_command(&place, &[], name, args);
    assert!(add("save", &["sh", script, "", "{question}", "--for={state} {event}", "$(id)"]).status.success());
    let asked = place.run(&["ask", "--json", "Where are keys kept?"]);
    let report = parsed(&asked);
    let told: Value = serde_json::from_slice(&std::fs::read(&saved).unwrap()).unwrap();
    assert_eq!(told["data"]["answer"], report["answer"]);
    let said = std::fs::read_to_string(&words).unwrap();
    assert_eq!(said, "|Where are keys kept?|--for=answered research.answered|$(id)|");
    assert!(add("failing", &["sh", script, "x"]).status.success());
    let asked = place.run(&["ask", "Where are keys kept?"]);
    assert!(stderr(&asked).contains("hook failing: not delivered: it ended with code 1: no room left"), "{}", stderr(&asked));
    hurry(&place);
    assert!(stdout(&place.run(&["hook", "run"])).contains("Nothing is due."), "what a program did before it failed is not done twice");
    let listed = stdout(&place.run(&["hook"]));
    assert!(
        listed.contains("failing  (after each answer and when the answer to a watched question changed)")
            && listed.contains("not delivered: it ended"),
        "{listed}"
    );
    for (args, wanted) in [
        (vec!["hook", "add", "save", "--url", "https://example.org/"], "already in use"),
        (vec!["hook", "add", "x"], "url: give the address"),
        (vec!["hook", "add", "x", "--url", "http://example.org/"], "hooks.x.url: must begin with https://"),
        (vec!["hook", "test", "nothing"], "there is no hook \"nothing\""),
        (vec!["hook", "secret", "save"], "only requests to addresses are signed"),
    ] {
        let refused = place.run(&args);
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(wanted), "{args:?}: {}", stderr(&refused));
    }
}

#[test]
fn a_command_that_takes_long_is_ended_and_leaves_nothing_behind() {
    let place = Place::new("");
    assert!(add_command(&place, &["--timeout", "2"], "slow", &["sleep", "4711.25"]).status.success());
    let begun = Instant::now();
    let asked = place.run(&["ask", "Where are keys kept?"]);
    assert!(
        asked.status.success() && stderr(&asked).contains("calling hooks…") && stderr(&asked).contains("within 2 seconds"),
        "{}",
        stderr(&asked)
    );
    assert!(begun.elapsed() < Duration::from_secs(60));
    let left = || !std::process::Command::new("pgrep").args(["-f", "sleep 4711.25"]).output().unwrap().stdout.is_empty();
    // It has a moment to end by itself.
    while left() {
        assert!(begun.elapsed() < Duration::from_secs(90), "the program is still there");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_lost_to_no_slip_in_the_settings_and_to_no_other_settings() {
    let server = HookServer::start().await;
    let place = Place::new(&format!("[hooks.notes]\nurl = \"{}/notes\"\nsigned = false\n", server.base_url));
    let settings = std::fs::read_to_string(place.path("config.toml")).unwrap();
    server.reply(503, vec![]);
    place.run(&["ask", "Where are keys kept?"]);
    let attempts = || log(&place)[0]["attempts"].as_i64();
    assert_eq!((server.requests().len(), attempts()), (1, Some(1)));
    for slip in ["[hooks.notes]\nurl = \"http://example.org/\"\n", "[hooks.notes\n", ""] {
        std::fs::write(place.path("config.toml"), slip).unwrap();
        hurry(&place);
        place.run(&["hook", "run"]);
        assert_eq!((server.requests().len(), attempts()), (1, Some(1)), "{slip}");
    }
    std::fs::write(place.path("config.toml"), settings.replace("signed", "enabled = false\nsigned")).unwrap();
    place.run(&["hook", "run"]);
    assert_eq!((server.requests().len(), attempts()), (1, Some(1)));
    // A copy that was made while it waited brings no second delivery.
    std::fs::write(place.path("config.toml"), &settings).unwrap();
    let backup = stdout(&place.run(&["restore", "--json"]));
    let backup: Value = serde_json::from_str(&backup).unwrap();
    hurry(&place);
    assert!(stdout(&place.run(&["hook", "run"])).contains("1 delivered"));
    if let Some(name) = backup[0]["name"].as_str() {
        let restored = place.run(&["restore", name, "--yes"]);
        assert!(restored.status.success(), "{}", stderr(&restored));
        hurry(&place);
        assert!(stdout(&place.run(&["hook", "run"])).contains("Nothing is due."));
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_key_signs_nothing_and_uses_up_no_try() {
    let server = HookServer::start().await;
    let place = Place::new("keys = \"file\"\n");
    assert!(place.run_with_keys(&["hook", "add", "notes", "--url", &server.base_url], "").status.success());
    place.run(&["ask", "Where are keys kept?"]);
    hurry(&place);
    place.run(&["hook", "run"]);
    assert_eq!((server.requests().len(), log(&place)[0]["attempts"].as_i64()), (0, Some(0)));
    assert!(stdout(&place.run_with_keys(&["hook", "run"], "")).contains("1 delivered"));
    // A hook that was written by hand has no secret yet.
    let settings = std::fs::read_to_string(place.path("config.toml")).unwrap();
    std::fs::write(place.path("config.toml"), format!("{settings}[hooks.other]\nurl = \"{}\"\n", server.base_url)).unwrap();
    let tested = place.run_with_keys(&["hook", "test", "other"], "");
    assert!(stdout(&tested).contains("nexi hook secret other --new") && server.requests().len() == 1, "{}", stdout(&tested));
}

//! Starts and ends: what is found again, and an end that waits for nothing.

use std::hash::{Hash as _, Hasher as _};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use futures::StreamExt as _;
use nexi_testkit::{LlmServer, Scripted, SearchServer};
use serde_json::json;

use crate::support::{BUILT_IN, DONE, Window, press, processes_of, until};

#[tokio::test(flavor = "multi_thread")]
async fn the_window_comes_back_where_it_was_with_what_was_written() {
    let window = Window::open(Some(BUILT_IN)).await;
    let menu = "const prevented = (element) => !element.dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true})); \
        return [prevented(document.body), prevented(document.querySelector('#composer'))]";
    assert_eq!(window.eval(menu).await, json!([true, false]), "a page can be reloaded, an app cannot");
    window.eval("document.querySelector('#composer').focus()").await;
    window.keys("A question that is not sent yet").await;
    window.reload().await;
    window.wait_for("it is still there", "return document.querySelector('#composer')?.value === 'A question that is not sent yet'").await;
    window.client.set_window_rect(60, 70, 900, 640).await.unwrap();
    window.is_as_wide_as(900).await;
    let inner = window.eval("return [innerWidth, innerHeight]").await;
    // Losing the focus writes the place down.
    window.hotkey_works().await;
    press("ctrl+shift+space");
    until("the place is remembered", || {
        let text = std::fs::read_to_string(window.path("data/desktop.json")).unwrap_or_default();
        let memory: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        memory["main"]["width"].as_f64().zip(inner[0].as_f64()).is_some_and(|(kept, now)| (kept - now).abs() < 1.0)
    })
    .await;
    let folder = window.close_and_keep().await;
    let window = Window::open_in(None, folder).await;
    window.wait_for("it has the same size", &format!("return innerWidth === {} && innerHeight === {}", inner[0], inner[1])).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_that_was_not_sent_is_there_after_a_restart() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", DONE).await;
    window.keys("And where on a Mac").await;
    // Written down a moment after the last key: an app may be ended without a word.
    let kept = "return JSON.parse(localStorage.getItem('drafts') ?? '{}').open?.length === 32";
    window.wait_for("it is kept", kept).await;
    let folder = window.close_and_keep().await;
    let window = Window::open_in(None, folder).await;
    let there =
        "return document.querySelector('#composer').value === 'And where on a Mac' && document.querySelectorAll('.turn').length === 1";
    window.wait_for("thread and draft are there", there).await;
    // What is deleted leaves no draft, and what is private none at all.
    window.turn_menu("Delete this answer").await;
    window.wait_for("the thread is gone", "return document.querySelectorAll('.turn').length === 0").await;
    assert!(!window.text("return localStorage.getItem('drafts')").await.contains("Mac"));
    window.eval("document.querySelector('#private').click()").await;
    window.eval("document.querySelector('#composer').focus()").await;
    window.keys("Something secret").await;
    window.eval("dispatchEvent(new Event('pagehide'))").await;
    assert!(!window.text("return localStorage.getItem('drafts')").await.contains("secret"));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_while_the_last_one_dies_opens_a_window() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let mut hasher = std::hash::DefaultHasher::new();
    std::fs::canonicalize(&data).unwrap().hash(&mut hasher);
    let name = format!("app.nexi.desktop.d{:x}.SingleInstance", hasher.finish());
    // One that has the name, and is gone while it is being asked to show itself.
    let dying = zbus::connection::Builder::session().unwrap().name(name).unwrap().build().await.unwrap();
    let asked = tokio::spawn(async move {
        let mut messages = zbus::MessageStream::from(&dying);
        while let Some(message) = messages.next().await {
            if message.is_ok_and(|message| message.header().member().is_some_and(|member| member == "ExecuteCallback")) {
                return;
            }
        }
    });
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    assert!(asked.is_finished(), "it was asked");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_that_is_slow_to_stop_keeps_no_window_on_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let search = SearchServer::start(200, &[("Mill", "https://e.org/mill", "The old mill")]).await;
    let (asked, log) = (search.base_url.rsplit(':').next().unwrap(), place("docker.log"));
    // A container that is stopped when this is gone, and not before.
    let slow = place("slow");
    let script = format!(
        "#!/bin/sh\necho \"$1\" >> '{log}'\ncase \"$1\" in rm) while [ -e '{slow}' ]; do sleep 0.1; done;; run) echo abc;; port) echo '127.0.0.1:{asked}';; esac\n",
        log = log.display(),
        slow = slow.display()
    );
    std::fs::create_dir_all(place("bin")).unwrap();
    std::fs::write(place("bin/docker"), script).unwrap();
    std::fs::set_permissions(place("bin/docker"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let model = LlmServer::start(
        "canary-key",
        Duration::ZERO,
        vec![
            Scripted::Calls(vec![("web_search", json!({"queries": ["mill"]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": "It is old [1]."}))]),
        ],
    )
    .await;
    let settings = format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"mine\"]\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\n\
         model = \"m\"\napi_key_env = \"NEXI_TEST_KEY\"\n[providers.mine]\ntype = \"searxng\"\nmanaged = true\n",
        model.base_url
    );
    let window = Window::open_in(Some(&settings), folder).await;
    window.ask("How old is the mill?").await;
    window.wait_for("the run is over", DONE).await;
    let calls = || std::fs::read_to_string(&log).unwrap_or_default();
    assert!(calls().contains("run"), "{}", calls());
    let stops = || calls().lines().filter(|line| *line == "rm").count();
    let before = stops();
    std::fs::write(&slow, "").unwrap();
    // A crash of the window leaves no dump with keys and private text in it, either.
    for process in processes_of(&window.path("data")) {
        let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        assert_eq!(core.split_whitespace().filter(|word| *word == "0").count(), 2, "{process}: {core}");
    }
    press("alt+F4");
    until("the container is being stopped", || stops() > before).await;
    until("the app has ended", || processes_of(&window.path("data")).is_empty()).await;
    let window = Window::open_in(None, window.keep()).await;
    window.wait_for("what was asked is there", "return document.querySelectorAll('.rail .row').length === 1").await;
    std::fs::remove_file(&slow).unwrap();
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_waits_to_be_asked_and_leads_to_its_thread() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", DONE).await;
    let thread = window.text("return location.hash.slice(1)").await;
    let follow = |link: &str| window.start_again(&[link]);
    follow("nexi://ask?q=How%20do%20I%20add%20a%20folder%3F&mode=deep");
    window.wait_for("it waits in the field", "return document.querySelector('#composer').value === 'How do I add a folder?'").await;
    assert_eq!(window.eval("return document.querySelectorAll('.turn').length").await, json!(0), "nothing was asked");
    assert_eq!(window.text("return document.querySelector('#go').disabled + ''").await, "false");
    window.pictures("link-question").await;
    // A second one does not take the first one's words away.
    follow("nexi://ask?q=And%20a%20file%3F");
    window
        .wait_for("both are there", "return document.querySelector('#composer').value === 'How do I add a folder?\\n\\nAnd a file?'")
        .await;
    follow(&format!("nexi://thread/{thread}"));
    window.wait_for("the thread is shown", "return document.querySelector('.turn .question')?.innerText.includes('keep my keys')").await;
    let wrong = std::process::Command::new(env!("CARGO_BIN_EXE_nexi-desktop")).arg("nexi://settings").output().unwrap();
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("leads nowhere"));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

/// However a person or the system ends the app, the next start need not look through the library.
#[tokio::test(flavor = "multi_thread")]
async fn the_library_is_closed_with_the_app() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", DONE).await;
    let left = |window: &Window| std::fs::metadata(window.path("data/nexi.db-wal")).map_or(0, |log| log.len());
    assert!(left(&window) > 0, "what was written last is in the log");
    press("alt+F4");
    until("the app has ended", || processes_of(&window.path("data")).is_empty()).await;
    assert_eq!(left(&window), 0, "closed by the person");
    let window = Window::open_in(None, window.keep()).await;
    window.wait_for("what was asked is there", "return document.querySelectorAll('.rail .row').length === 1").await;
    window.ask("How do I add a folder?").await;
    window.wait_for("the answer", DONE).await;
    assert!(left(&window) > 0);
    // The session is over.
    for process in processes_of(&window.path("data")) {
        let _ = std::process::Command::new("kill").args(["-TERM", &process.to_string()]).status();
    }
    until("the app has ended", || processes_of(&window.path("data")).is_empty()).await;
    assert_eq!(left(&window), 0, "ended by the system");
    let window = Window::open_in(None, window.keep()).await;
    window.wait_for("what was asked is there", "return document.querySelectorAll('.rail .row').length === 2").await;
    let logs = std::fs::read_dir(window.path("data/logs")).unwrap().flatten();
    let told: String = logs.filter_map(|log| std::fs::read_to_string(log.path()).ok()).collect();
    assert!(!told.is_empty() && !told.contains("is looked through"), "{told}");
    window.close().await;
}

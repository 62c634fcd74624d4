//! Where something is missing: a bus, a tray, a keyring, sound settings.

use std::time::Duration;

use serde_json::json;

use crate::support::{BUILT_IN, DONE, Window, popup_is_shown, until};

#[tokio::test(flavor = "multi_thread")]
async fn without_a_session_bus_everything_else_works() {
    let window = Window::open_without_bus(BUILT_IN).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the run is over", DONE).await;
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("keyring"));
    let ask = "const done = arguments[0]; window.__TAURI__.core.invoke('desktop').then(done)";
    let view = window.client.execute_async(ask, vec![]).await.unwrap();
    assert_eq!((&view["tray"], &view["hotkey"]["state"]), (&json!(false), &json!("works")), "{view}");
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: 'keys'})").await;
    window.switch("settings.html").await;
    window
        .wait_for(
            "the state of the keyring is told",
            "return document.querySelector('#keyring-state')?.innerText.includes('No keyring was found')",
        )
        .await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_keeps_nexi_from_starting_is_told_in_a_window() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("data"), "this is no folder").unwrap();
    let window = Window::open(Some(BUILT_IN)).await;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_nexi-desktop"))
        .arg(format!("--data-dir={}", folder.path().join("data").display()))
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let shown = || {
        let output = std::process::Command::new("xdotool").args(["search", "--name", "Nexi cannot start"]).output();
        output.is_ok_and(|output| !output.stdout.is_empty())
    };
    until("a dialog says what is wrong", shown).await;
    let _ = child.kill();
    let _ = child.wait();
    // While it runs, what is wrong in the settings file has its default, and the settings window says so.
    std::fs::write(window.path("config/nexi/config.toml"), "default_effort = \"xl\"\n").unwrap();
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: null})").await;
    window.switch("settings.html").await;
    window.wait_for("it is told", "return document.querySelector('.reason.bad')?.innerText.includes('effort must be s, m or l')").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wizard_shows_what_is_set_and_takes_nothing_away() {
    let settings = "llm_backends = [\"work\", \"spare\", \"builtin\"]\nsearch_backends = [\"documents\", \"searx\"]\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n\
        [providers.spare]\ntype = \"anthropic\"\nmodel = \"c\"\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"http://127.0.0.1:9\"\n";
    let window = Window::open(Some(settings)).await;
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'setup', part: null})").await;
    window.switch("setup.html").await;
    window.click("#next").await;
    window.wait_for("the way that is set", "return document.querySelector('.ways input:checked')?.value === 'custom' && document.querySelector('#f-p-model')?.value === 'm'").await;
    window.click("#next").await;
    window
        .wait_for("a service that is not there is noticed", "return document.querySelector('#next').innerText === 'Continue anyway'")
        .await;
    window.click("#next").await;
    window.wait_for("the search that is set", "return document.querySelector('.ways input:checked')?.value === 'searxng'").await;
    let text = std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap();
    assert!(text.contains("llm_backends = [\"work\", \"spare\", \"builtin\"]"), "{text}");
    // Closed in the middle, with the hotkey page in mind: the hotkey opens the popup again.
    window.click("#next").await;
    window.wait_for("it is noticed", "return document.querySelector('#next').innerText === 'Continue anyway'").await;
    window.click("#next").await;
    window.wait_for("the hotkey", "return document.querySelector('.inner').dataset.step === 'hotkey'").await;
    crate::support::press("alt+F4");
    tokio::time::sleep(Duration::from_millis(800)).await;
    crate::support::press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.switch("index.html").await;
    window.close().await;
}

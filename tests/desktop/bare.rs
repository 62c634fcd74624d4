//! Where something is missing: a bus, a tray, a keyring, sound settings.

use std::time::Duration;

use serde_json::json;

use crate::support::{BUILT_IN, DONE, Window, is_shown, popup_is_shown, until};

#[tokio::test(flavor = "multi_thread")]
async fn without_a_session_bus_everything_else_works() {
    let window = Window::open_without_bus(BUILT_IN).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the run is over", DONE).await;
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("keyring"));
    window.hotkey_works().await;
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
    window.wait_for("it is told", "return document.querySelector('.reason.bad')?.innerText.includes('must be s, m or l')").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wizard_takes_nothing_away() {
    let model = nexi_testkit::LlmServer::start("canary-key", Duration::ZERO, vec![nexi_testkit::Scripted::Text("ready")]).await;
    let settings = "llm_backends = [\"work\", \"spare\", \"builtin\"]\nsearch_backends = [\"documents\", \"searx\"]\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n\
        [providers.spare]\ntype = \"anthropic\"\nmodel = \"c\"\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"http://127.0.0.1:9\"\n";
    let window = Window::open(Some(settings)).await;
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'setup', part: null})").await;
    window.switch("setup.html").await;
    window.keys("canary-key").await;
    window
        .eval("const service = document.querySelector('#service'); service.value = '*'; service.dispatchEvent(new Event('change'))")
        .await;
    window.click("#setup-address").await;
    window.keys(&model.base_url).await;
    window.wait_for("it works", "return document.querySelector('#key-state').innerText.endsWith('works')").await;
    window.click("#next").await;
    window.wait_for("the question", "return document.querySelector('.inner').dataset.step === 'question'").await;
    let text = std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap();
    assert!(text.contains("llm_backends = [\"custom\", \"work\", \"spare\", \"builtin\"]"), "{text}");
    assert!(text.contains("search_backends = [\"documents\", \"searx\"]") && text.contains("[providers.work]"), "{text}");
    // Closed in the middle, the hotkey still opens the popup.
    crate::support::press("alt+F4");
    until("the setup is closed", || !is_shown("Welcome to Nexi")).await;
    crate::support::press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.switch("index.html").await;
    window.close().await;
}

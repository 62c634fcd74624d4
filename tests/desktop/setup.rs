//! The setup wizard.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};
use serde_json::json;

use crate::support::{ENTER, Window, until};

const SIZE: (u32, u32) = (760, 680);

fn step(name: &str) -> String {
    format!("return document.querySelector('.inner')?.dataset.step === '{name}'")
}

#[tokio::test(flavor = "multi_thread")]
async fn one_click_is_enough() {
    let window = Window::open(None).await;
    assert!(window.text("return location.pathname").await.ends_with("setup.html"));
    assert!(window.text("return document.querySelector('#setup').innerText").await.contains("no AI"));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("setup-welcome", SIZE).await;
    window.eval("document.querySelector('#begin').focus()").await;
    window.last_keys(ENTER).await;
    window.switch("index.html").await;
    window.wait_for("the question field has the focus", "return document.activeElement.id === 'composer'").await;
    assert!(window.path("config/nexi/config.toml").exists(), "the choice is kept");
    assert!(!window.has("setup.html").await, "the wizard is gone");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_tested_kept_in_the_keyring_and_used() {
    let model = LlmServer::start(
        "sk-canary-4711-desktop",
        Duration::ZERO,
        vec![
            Scripted::Status(401, vec![], "{\"error\":{\"message\":\"Incorrect API key\"}}"),
            Scripted::Text("ready"),
            Scripted::Calls(vec![("final_answer", json!({"answer": "From the model of the wizard."}))]),
        ],
    )
    .await;
    let window = Window::open(None).await;
    window.click("#next").await;
    window.wait_for("the first question", &step("model")).await;
    window
        .wait_for(
            "Ollama was looked for",
            "return document.querySelector('.choice').innerText.includes('not found') || !!document.querySelector('#ollama-model')",
        )
        .await;
    window.pictures_of("setup-model", SIZE).await;
    window.click("input[value=custom]").await;
    window.wait_for("fields of a service", "return !!document.querySelector('#f-p-base_url')").await;
    window.click("#f-p-base_url").await;
    window.keys(&model.base_url).await;
    window.click("#f-p-key").await;
    window.keys("sk-wrong-key-000000").await;
    window.click("#f-p-model").await;
    window.keys("small").await;
    window.click("#test-provider").await;
    window.wait_for("a plain verdict", "return document.querySelector('.tests .verdict').innerText.startsWith('Refused')").await;
    window.pictures_of("setup-refused", SIZE).await;
    window.eval("document.querySelector('#f-p-key').value = ''").await;
    window.click("#f-p-key").await;
    window.keys("sk-canary-4711-desktop").await;
    window.click("#test-provider").await;
    window.wait_for("it works", "return document.querySelector('.tests .verdict').innerText.startsWith('Works')").await;
    window.click("#list-models").await;
    window.wait_for("the models are listed", "return document.querySelectorAll('#models option').length === 2").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click("#next").await;
    window.wait_for("the second question", &step("search")).await;
    // Back, and nothing is lost.
    window.click("#back").await;
    window.wait_for("the first question again", &step("model")).await;
    assert_eq!(window.text("return document.querySelector('#f-p-model').value").await, "small");
    assert!(window.text("return document.querySelector('#f-p-base_url').value").await.ends_with("/v1"));
    window.click("#next").await;
    window.wait_for("the second question", &step("search")).await;
    window.pictures_of("setup-search", SIZE).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click("#next").await;
    window.wait_for("the hotkey", &step("hotkey")).await;
    window.wait_for("it is registered", "return document.querySelector('#hotkey-state').innerText === 'Works'").await;
    crate::support::press("ctrl+shift+space");
    window.wait_for("the key is heard", "return document.querySelector('#hotkey-state').innerText.includes('It works')").await;
    window.pictures_of("setup-hotkey", SIZE).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click("#next").await;
    window.wait_for("privacy", &step("privacy")).await;
    window.wait_for("the keyring works", "return document.querySelector('#keyring-state')?.className === 'verdict good'").await;
    window.pictures_of("setup-privacy", SIZE).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click("#next").await;
    window.wait_for("a first question", &step("question")).await;
    window.click("#first-question").await;
    window.keys("Who answers?").await;
    window.pictures_of("setup-question", SIZE).await;
    window.eval("document.querySelector('#next').click()").await;
    window.switch("index.html").await;
    window
        .wait_for("the model has answered", "return document.querySelector('.answer')?.innerText.includes('From the model of the wizard')")
        .await;
    assert_eq!(model.keys_used().last().map(String::as_str), Some("sk-canary-4711-desktop"), "the key came out of the keyring");
    let settings = std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap();
    assert!(settings.contains("[providers.custom]") && !settings.contains("canary"), "{settings}");
    let folder = window.close_and_keep().await;
    let leaked = crate::safety::files_with(folder.path(), "canary-4711");
    assert_eq!(leaked, Vec::<String>::new(), "the key is in no file");
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_survives_closing() {
    let window = Window::open(None).await;
    window.click("#next").await;
    window.wait_for("the first question", &step("model")).await;
    window.click("input[value=custom]").await;
    window.wait_for("fields of a service", "return !!document.querySelector('#f-p-base_url')").await;
    window.click("#f-p-base_url").await;
    window.keys("http://127.0.0.1:9/v1").await;
    until("what was written is remembered", || {
        std::fs::read_to_string(window.path("data/desktop.json")).is_ok_and(|text| text.contains("\"http://127.0.0.1:9/v1\""))
    })
    .await;
    let folder = window.close_and_keep().await;
    let window = Window::open_in(None, folder).await;
    window.wait_for("the same question", &step("model")).await;
    window.wait_for("with what was written", "return document.querySelector('#f-p-base_url')?.value === 'http://127.0.0.1:9/v1'").await;
    window.close().await;
}

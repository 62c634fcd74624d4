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
    assert_eq!(window.text("return document.activeElement.id").await, "setup-key", "a key can be pasted at once");
    window.wait_for("Ollama was looked for", "return !document.querySelector('#local-state').innerText.startsWith('Looking')").await;
    assert_eq!(window.eval("return document.querySelectorAll('.bad').length").await, json!(0), "nothing is wrong before anything was done");
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("setup-model", SIZE).await;
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
            Scripted::Text("ready"),
            Scripted::Calls(vec![("final_answer", json!({"answer": "From the model of the wizard."}))]),
        ],
    )
    .await;
    let window = Window::open(None).await;
    // Some keys tell whose they are.
    window.keys("sk-ant-api03-0000").await;
    window.wait_for("it is recognised", "return document.querySelector('#service').value === 'anthropic'").await;
    window.eval("const input = document.querySelector('#setup-key'); input.value = ''; input.dispatchEvent(new Event('input')); const service = document.querySelector('#service'); service.value = ''; service.dispatchEvent(new Event('change'))").await;
    window.keys("sk-wrong-key-000000").await;
    window
        .wait_for("it is asked whose it is", "return document.querySelector('#key-state').innerText === 'Which service is this key for?'")
        .await;
    window.pictures_of("setup-which", SIZE).await;
    window
        .eval("const service = document.querySelector('#service'); service.value = '*'; service.dispatchEvent(new Event('change'))")
        .await;
    window.wait_for("its address is asked for", "return !document.querySelector('#setup-address').closest('.service-row').hidden").await;
    window.click("#setup-address").await;
    window.keys(&model.base_url).await;
    window.wait_for("a plain verdict", "return document.querySelector('#key-state').innerText.startsWith('Refused')").await;
    assert_eq!(window.eval("return document.querySelector('#next').disabled").await, json!(true));
    window.pictures_of("setup-refused", SIZE).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.eval("document.querySelector('#setup-key').value = ''").await;
    window.click("#setup-key").await;
    window.keys("sk-canary-4711-desktop").await;
    window.wait_for("it works", "return document.querySelector('#key-state').innerText.endsWith('works')").await;
    window.wait_for("its models are listed", "return document.querySelectorAll('.model-row').length === 2").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.eval("document.querySelector('.model-row:last-child input').click()").await;
    // Only what is chosen is filled, in the dark, too.
    let filled = "return [...document.querySelectorAll('.model-row input')].map((input) => getComputedStyle(input).backgroundColor !== 'rgba(0, 0, 0, 0)' && getComputedStyle(input).appearance === 'none')";
    assert_eq!(window.eval(filled).await, json!([false, true]));
    let chosen = window.text("return document.querySelector('.model-row:last-child .id').innerText").await;
    window.pictures_of("setup-works", SIZE).await;
    window.click("#next").await;
    window.wait_for("the first question", &step("question")).await;
    assert!(window.text("return document.querySelector('.connected').innerText").await.contains(&chosen));
    // Back, and nothing is lost.
    window.click("#back").await;
    window.wait_for("the model again", &step("model")).await;
    window.wait_for("it still works", "return document.querySelector('#key-state').innerText.endsWith('works')").await;
    assert_eq!(window.text("return document.querySelector('.model-row:has(input:checked) .id').innerText").await, chosen);
    window.click("#next").await;
    window.wait_for("the first question", &step("question")).await;
    window.click("#first-question").await;
    window.keys("Who answers?").await;
    window.pictures_of("setup-question", SIZE).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.eval("document.querySelector('#next').click()").await;
    window.switch("index.html").await;
    window
        .wait_for("the model has answered", "return document.querySelector('.answer')?.innerText.includes('From the model of the wizard')")
        .await;
    assert_eq!(model.keys_used().last().map(String::as_str), Some("sk-canary-4711-desktop"), "the key came out of the keyring");
    let settings = std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap();
    assert!(settings.contains("[providers.custom]") && settings.contains(&chosen) && !settings.contains("canary"), "{settings}");
    let folder = window.close_and_keep().await;
    let leaked = crate::safety::files_with(folder.path(), "canary-4711");
    assert_eq!(leaked, Vec::<String>::new(), "the key is in no file");
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_on_this_computer_are_found_and_used() {
    let model = LlmServer::start("", Duration::ZERO, vec![Scripted::Text("It answers.")]).await;
    // At another address than usual, so that nothing else that listens here is met.
    let settings = format!(
        "llm_backends = [\"builtin\"]\n[providers.lmstudio]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"large\"\n\
         [providers.ollama]\ntype = \"ollama\"\nbase_url = \"{}\"\nmodel = \"qwen3:8b\"\n",
        model.base_url,
        model.root()
    );
    let window = Window::open(Some(&settings)).await;
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'setup', part: null})").await;
    window.switch("setup.html").await;
    let state = "return document.querySelector('#local-state').innerText";
    window.wait_for("they are found", &format!("{state}.includes('Ollama, LM Studio: 4 models')")).await;
    window.click("#choose-local").await;
    let listed = "return [...document.querySelectorAll('.local-models .id')].map((id) => id.innerText).join()";
    window.wait_for("their models are listed", &format!("{listed} === 'gemma3:4b,qwen3:8b,large,small'")).await;
    window.pictures_of("setup-local", SIZE).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    // One choice in all of them.
    window.eval("document.querySelector('.local-models input[value=\"gemma3:4b\"]').click()").await;
    window.eval("document.querySelector('.local-models input[value=small]').click()").await;
    assert_eq!(window.eval("return document.querySelectorAll('.local-models input:checked').length").await, json!(1));
    window.click("#next").await;
    window.wait_for("the first question", &step("question")).await;
    let kept = std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap();
    assert!(kept.contains("llm_backends = [\"lmstudio\", \"builtin\"]") && kept.contains("model = \"small\""), "{kept}");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_early_it_comes_back_where_it_was() {
    let window = Window::open(None).await;
    window.click("#choose-local").await;
    window
        .wait_for(
            "programs on this computer were looked for",
            "return !!document.querySelector('#other-program') && !document.querySelector('#local-state').innerText.startsWith('Looking')",
        )
        .await;
    window.click("#other-program").await;
    window.wait_for("fields of a service", "return !!document.querySelector('#f-p-base_url')").await;
    window.eval("document.querySelector('#f-p-base_url').value = ''").await;
    window.click("#f-p-base_url").await;
    window.keys("http://127.0.0.1:9/v1").await;
    until("what was written is remembered", || {
        std::fs::read_to_string(window.path("data/desktop.json")).is_ok_and(|text| text.contains("\"http://127.0.0.1:9/v1\""))
    })
    .await;
    let folder = window.close_and_keep().await;
    // Even where the settings were written meanwhile.
    std::fs::create_dir_all(folder.path().join("config/nexi")).unwrap();
    std::fs::write(folder.path().join("config/nexi/config.toml"), "llm_backends = [\"builtin\"]\n").unwrap();
    let window = Window::open_in(None, folder).await;
    assert!(window.text("return location.pathname").await.ends_with("setup.html"));
    window.wait_for("with what was written", "return document.querySelector('#f-p-base_url')?.value === 'http://127.0.0.1:9/v1'").await;
    window.eval("document.querySelector('#begin').focus()").await;
    window.last_keys(ENTER).await;
    window.switch("index.html").await;
    until("it is left for good, and the next start shows the research window", || {
        std::fs::read_to_string(window.path("data/desktop.json")).is_ok_and(|text| text.contains("\"setup\":null"))
    })
    .await;
    assert!(!window.has("setup.html").await, "the wizard is gone");
    window.close().await;
}

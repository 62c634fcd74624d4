//! Webhooks and commands that run after research, in the windows.

use nexi_testkit::HookServer;
use serde_json::{Value, json};

use crate::desk::clipboard;
use crate::support::{BUILT_IN, DONE, Window};

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_added_tried_and_called_after_an_answer() {
    let server = HookServer::start().await;
    let window = Window::open(Some(BUILT_IN)).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=hooks]').click()").await;
    window.wait_for("there are none", "return document.querySelector('#fields').innerText.includes('There are none yet.')").await;
    let fill = |id: &str, text: &str| {
        format!("const field = document.getElementById('{id}'); field.value = {}; field.dispatchEvent(new Event('input'))", json!(text))
    };
    window.eval(&fill("f-hook-name", "Team chat")).await;
    window.eval(&fill("f-hook-target", &format!("{}/in", server.base_url))).await;
    window.click(".tool-add button[type=submit]").await;
    window.wait_for("the name is refused", "return document.querySelector('.tool-add .caution').innerText.includes('lowercase')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.eval(&fill("f-hook-name", "chat")).await;
    window.click(".tool-add button[type=submit]").await;
    window.wait_for("it is listed", "return !!document.querySelector('[data-hook=chat]')").await;
    window.click("[data-hook=chat] .test").await;
    window
        .wait_for("it was delivered", "return document.querySelector('[data-hook=chat] .hook-state').innerText.includes('Delivered')")
        .await;
    assert_eq!(server.requests().len(), 1);
    window.wait_for("the word of it is gone", "return !document.querySelector('#toast')?.innerText").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-hooks", (980, 760)).await;
    // Signed with the secret that a person copies.
    window
        .eval("[...document.querySelectorAll('[data-hook=chat] button')].find((one) => one.innerText === 'Copy signing secret').click()")
        .await;
    window.wait_for("it is copied", "return document.querySelector('#toast').innerText.includes('Copied')").await;
    let secret = clipboard("UTF8_STRING");
    window.switch("index.html").await;
    window.ask("Where are keys kept?").await;
    window.wait_for("the run is over", DONE).await;
    let begun = std::time::Instant::now();
    while server.requests().len() < 2 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "nothing was sent");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let request = server.requests().remove(1);
    standardwebhooks::Webhook::new(secret.trim()).unwrap().verify(request.body.as_bytes(), &request.headers).unwrap();
    let told: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!((&told["type"], &told["data"]["question"]), (&json!("research.answered"), &json!("Where are keys kept?")));
    // Nobody there any more: it is said, and the hook is turned off.
    server.reply(410, vec![]);
    window.ask("Where are backups kept?").await;
    window.wait_for("it is said", "return document.querySelector('#toast').innerText.includes('chat was not called')").await;
    window.switch("settings.html").await;
    window.wait_for("it is off", "return document.querySelector('[data-hook=chat] .hook-state').innerText.includes('turned off')").await;
    window.wait_for("so is the switch", "return !document.querySelector('[data-hook=chat] .switch').checked").await;
    window.pictures_of("settings-hooks-gone", (980, 760)).await;
    window.eval("setTimeout(() => document.querySelector('[data-hook=chat] .remove').click())").await;
    window.wait_for("it asks", "return !!document.querySelector('dialog.ask .go')").await;
    window.click("dialog.ask .go").await;
    window.wait_for("it is gone", "return !document.querySelector('[data-hook=chat]')").await;
    window.close().await;
}

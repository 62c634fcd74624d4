//! Spaces in the windows: made, asked in, moved to, and left.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};
use serde_json::{Value, json};

use crate::support::{DONE, Window, model_settings};

#[tokio::test(flavor = "multi_thread")]
async fn a_space_is_made_asked_in_and_left() {
    let model = LlmServer::answering("canary-key", Duration::ZERO, |_| Scripted::Text("Slate lasts longest.")).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    assert_eq!(window.eval("return document.querySelector('#space-choice')").await, Value::Null, "who has no space sees none of it");
    window.ask("Which bread keeps longest?").await;
    window.wait_for("the run is over", DONE).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=spaces]').click()").await;
    window.wait_for("there is none", "return document.querySelector('#fields').innerText.includes('No spaces yet.')").await;
    let fill = |id: &str, text: &str| format!("document.getElementById('{id}').value = {}", json!(text));
    window.eval(&fill("space-name-new", "Our house")).await;
    window.eval(&fill("space-folders-new", "/nowhere/at/all")).await;
    window.eval(&fill("space-instructions-new", "Prices in euros.\nNo brands.")).await;
    let create = "document.querySelector('#space-name-new').form.querySelector('button[type=submit]').click()";
    window.eval(create).await;
    window
        .wait_for(
            "the folder is refused",
            "return !![...document.querySelectorAll('#fields .caution')].find((one) => one.innerText.includes('folders[0]'))",
        )
        .await;
    window.eval(&fill("space-folders-new", "")).await;
    window.eval(create).await;
    window.wait_for("it is listed", "return !!document.querySelector('[data-space=\"Our house\"]')").await;
    window.wait_for("the word of it is gone", "return !document.querySelector('#toast')?.innerText").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-spaces", (980, 760)).await;
    // A memory of it alone.
    window.eval("document.querySelector('[data-section=memory]').click()").await;
    window.wait_for("there is a choice", "const where = document.querySelector('[data-field=memory] select'); return !!where && !where.hidden && where.options.length === 2").await;
    window.eval("const where = document.querySelector('[data-field=memory] select'); where.value = where.options[1].value; document.querySelector('#f-memory').value = 'The roof faces south.'; document.querySelector('[data-field=memory] form').requestSubmit()").await;
    window.wait_for("it is kept", "return document.querySelector('.memories').innerText.includes('Our house')").await;
    // Asked in it: the list of threads is that of the space.
    window.switch("index.html").await;
    window.wait_for("it can be chosen", "return !!document.querySelector('#space-choice')").await;
    let choose = |name: &str| {
        format!(
            "document.querySelector('#space-choice').click(); [...document.querySelectorAll('.menu-list button')].find((item) => item.innerText.startsWith({})).click()",
            json!(name)
        )
    };
    window.eval(&choose("Our house")).await;
    window.wait_for("its threads are listed: none", "return document.querySelectorAll('.threads .row').length === 0").await;
    window.wait_for("it is said where one asks", "return document.querySelector('#head').innerText.includes('Our house')").await;
    window.ask("Which roof lasts longest?").await;
    window.wait_for("the run is over", DONE).await;
    let request = model.requests().last().map(Value::to_string).unwrap_or_default();
    assert!(request.contains("Prices in euros.") && request.contains("The roof faces south."), "{request}");
    window.wait_for("the thread is of it", "return document.querySelectorAll('.threads .row').length === 1 && document.querySelector('#head .badge').innerText === 'Our house'").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("space").await;
    // What is remembered here is remembered here.
    window.ask("# The cellar is dry.").await;
    window.wait_for("it says where", "return document.querySelector('#toast').innerText.includes('Remembered in Our house')").await;
    window.eval("document.querySelector('#open-library').click()").await;
    window
        .wait_for(
            "the library knows of it",
            "return !!document.querySelector('.entry .badge') && document.querySelector('.filters').innerText.includes('Any space')",
        )
        .await;
    window.eval("document.querySelector('#new').click()").await;
    // It is chosen still when the window comes back.
    window.reload().await;
    window.wait_for("it is there", "return document.querySelector('#space-choice')?.innerText.includes('Our house') && document.querySelectorAll('.threads .row').length === 1").await;
    // The other thread is moved into it.
    window.eval(&choose("All threads")).await;
    window.wait_for("both are listed", "return document.querySelectorAll('.threads .row').length === 2").await;
    window.eval("[...document.querySelectorAll('.threads .row')].find((row) => row.innerText.includes('bread')).click()").await;
    window.wait_for("it is open", "return document.querySelector('.turn')?.innerText.includes('bread')").await;
    window.click("#thread-menu").await;
    window
        .eval("[...document.querySelectorAll('.menu-list button')].find((item) => item.innerText.startsWith('Move to space')).click()")
        .await;
    window.wait_for("it asks where", "return document.querySelectorAll('dialog.ask .space-list button').length === 2").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("space-move").await;
    window
        .eval("[...document.querySelectorAll('dialog.ask .space-list button')].find((one) => one.innerText === 'Our house').click()")
        .await;
    window.wait_for("it is of it", "return document.querySelector('#head .badge')?.innerText === 'Our house'").await;
    // What is private belongs to none.
    window.eval(&choose("Our house")).await;
    window.wait_for("both are listed", "return document.querySelector('#space-choice').innerText.includes('Our house') && document.querySelectorAll('.threads .row').length === 2").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'N', ctrlKey: true, shiftKey: true, bubbles: true}))").await;
    window.wait_for("it says so", "return !document.querySelector('#head').innerText.includes('Our house')").await;
    window.ask("Which nail holds longest?").await;
    window.wait_for("the run is over", DONE).await;
    let request = model.requests().last().map(Value::to_string).unwrap_or_default();
    assert!(request.contains("Which nail") && !request.contains("Prices in euros."), "{request}");
    // Removed: its threads stay.
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=spaces]').click()").await;
    window.wait_for("it is listed", "return !!document.querySelector('[data-space=\"Our house\"] .remove')").await;
    window.eval("document.querySelector('[data-space=\"Our house\"] .remove').click()").await;
    window.wait_for("it asks", "return !!document.querySelector('dialog.ask .go')").await;
    window.click("dialog.ask .go").await;
    window.wait_for("it is gone", "return !document.querySelector('[data-space]')").await;
    window.switch("index.html").await;
    window
        .wait_for(
            "nothing of spaces is left",
            "return !document.querySelector('#space-choice') && document.querySelectorAll('.threads .row').length >= 2",
        )
        .await;
    window.close().await;
}

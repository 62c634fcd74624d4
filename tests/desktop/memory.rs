//! What the person wants remembered, in the windows.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, let_pass};
use serde_json::{Value, json};

use crate::support::{DONE, ENTER, Window, model_settings, popup_is_shown, press, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_line_with_a_hash_is_remembered_told_and_can_be_forgotten() {
    let model = LlmServer::start("canary-key", Duration::ZERO, vec![Scripted::Text("Fine."), Scripted::Text("Fine.")]).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    window.hotkey_works().await;
    window.ask("# I work with PostgreSQL 16.").await;
    window.wait_for("it says so", "return document.querySelector('#toast').innerText.includes('Remembered: I work with')").await;
    window.wait_for("the field is empty", "return document.querySelector('#composer').value === ''").await;
    assert_eq!(model.requests().len(), 0, "it is no question");
    // Undone, and written again.
    window.eval("document.querySelector('#toast button').click()").await;
    window.ask("# I work with PostgreSQL 17.").await;
    window.wait_for("it says so", "return document.querySelector('#toast').innerText.includes('PostgreSQL 17')").await;
    window.ask("Which index is best?").await;
    window.wait_for("the run is over", DONE).await;
    let told = model.requests()[0].to_string();
    assert!(told.contains("PostgreSQL 17") && !told.contains("PostgreSQL 16"), "{told}");
    let shown = "const told = document.querySelector('.turn:last-child .told'); told.open = true; return told.innerText";
    let shown = window.text(shown).await;
    assert!(shown.contains("Used 1 memory") && shown.contains("PostgreSQL 17"), "{shown}");
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("memory-told").await;
    // From an answer.
    window.turn_menu("Remember something…").await;
    window.wait_for("it asks", "return !!document.querySelector('dialog.ask input')").await;
    window.keys("Short answers, please.").await;
    window.keys(ENTER).await;
    window.wait_for("it says so", "return document.querySelector('#toast').innerText.includes('Short answers')").await;
    // From the popup.
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    window.keys("# Metric units.").await;
    window.keys(ENTER).await;
    window.wait_for("it says so", "return document.querySelector('#toast').innerText.includes('Metric units')").await;
    assert_eq!(window.text("return document.querySelector('#question').value").await, "");
    press("Escape");
    // All of it stands in the settings.
    window.switch("index.html").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=memory]').click()").await;
    let listed = "return [...document.querySelectorAll('[data-memory] > span')].map((one) => one.innerText)";
    window.wait_for("all are listed", "return document.querySelectorAll('[data-memory]').length === 3").await;
    assert_eq!(window.eval(listed).await, json!(["Metric units.", "Short answers, please.", "I work with PostgreSQL 17."]));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-memory", (980, 760)).await;
    window.click("[data-memory] .edit").await;
    window.eval("document.activeElement.select()").await;
    window.keys("Nautical miles.").await;
    window.keys(ENTER).await;
    window
        .wait_for("it says something else", "return document.querySelector('[data-memory] > span')?.innerText === 'Nautical miles.'")
        .await;
    window.click("[data-memory] .forget").await;
    window.wait_for("it is gone", "return document.querySelectorAll('[data-memory]').length === 2").await;
    window.click("#f-memory").await;
    window.keys("Cite primary sources.").await;
    window.keys(ENTER).await;
    window.wait_for("a new one", "return document.querySelector('[data-memory] > span')?.innerText === 'Cite primary sources.'").await;
    // A private thread neither keeps nor knows anything.
    window.switch("index.html").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', ctrlKey: true, shiftKey: true, bubbles: true}))").await;
    window.ask("# My secret").await;
    window.wait_for("it says why not", "return document.querySelector('#toast').innerText.includes('keeps nothing')").await;
    window.eval("const field = document.querySelector('#composer'); field.value = ''; field.dispatchEvent(new Event('input'))").await;
    window.ask("What do you know of me?").await;
    window.wait_for("the run is over", DONE).await;
    let told = model.requests().last().unwrap().to_string();
    assert!(!told.contains("PostgreSQL") && !told.contains("primary sources"), "{told}");
    assert!(window.eval("return document.querySelector('.told')").await.is_null());
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_was_asked_before_is_offered_while_it_is_typed() {
    let answers = vec![Scripted::Text("It opened in 1931."), Scripted::Text("Nobody knows.")];
    let model = LlmServer::start("canary-key", Duration::ZERO, answers).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    window.hotkey_works().await;
    window.ask("When was the Aldermoor bridge opened?").await;
    window.wait_for("the run is over", DONE).await;
    let shown_turn = "return document.querySelector('.turn').dataset.turn";
    let turn = window.text(shown_turn).await;
    assert!(!turn.is_empty());
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', ctrlKey: true, bubbles: true}))").await;
    window.wait_for("a new thread", "return document.querySelectorAll('.turn').length === 0").await;
    let top = "return document.querySelector('#composer').getBoundingClientRect().top";
    let before = window.eval(top).await;
    window.click("#composer").await;
    window.keys("opening of aldermoor bridge").await;
    let offered = "return document.querySelector('.dock-inner .asked-before:not([hidden])')?.innerText ?? ''";
    window.wait_for("it is offered", &format!("{} !== ''", offered.replace("return ", "return (") + ")")).await;
    let shown = window.text(offered).await;
    assert!(shown.starts_with("You asked something similar today: ") && shown.contains("When was the Aldermoor bridge opened?"), "{shown}");
    assert_eq!(window.eval(top).await, before, "nothing moves");
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("asked-before").await;
    window.click(".dock-inner .asked-before button").await;
    window.wait_for("it is opened", "return document.querySelectorAll('.turn').length === 1").await;
    assert_eq!(window.text(shown_turn).await, turn);
    // The thread that is open is not offered.
    let asked = |besides: &str| {
        format!("return window.__TAURI__.core.invoke('typed_hints', {{typed: 'When was the Aldermoor bridge opened?', thread: {besides}}})")
    };
    let found = window.eval(&asked("null")).await;
    let found = &found["before"];
    assert_eq!((&found["is_same"], &found["turn"]), (&json!(true), &json!(turn)), "{found}");
    assert!(window.eval(&asked(&found["thread"].to_string())).await["before"].is_null());
    window.eval("const field = document.querySelector('#composer'); field.value = 'When was the Aldermoor bridge opened?'; field.dispatchEvent(new Event('input'))").await;
    let_pass(Duration::from_millis(700)).await;
    assert_eq!(window.text(offered).await, "");
    // The popup offers it, too, and leads to it.
    window.eval("const field = document.querySelector('#composer'); field.value = ''; field.dispatchEvent(new Event('input'))").await;
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    window.keys("opening of aldermoor bridge").await;
    window.wait_for("it is offered", "return !!document.querySelector('#attached .asked-before:not([hidden])')").await;
    window.picture("popup-asked-before").await;
    // By itself, as the popup hides before a driver would hear that its click was heard.
    window.eval("setTimeout(() => document.querySelector('#attached .asked-before button').click())").await;
    until("the popup is hidden", || !popup_is_shown()).await;
    // What was typed and not sent stays.
    assert_eq!(window.text("return document.querySelector('#question').value").await, "opening of aldermoor bridge");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_answer_is_cited_and_opened() {
    let model = LlmServer::answering("canary-key", Duration::ZERO, |request| {
        let said = request["messages"].to_string();
        let found = said
            .split("nexi://private-thread/")
            .nth(1)
            .map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect::<String>());
        match (said.contains("What did I find out"), found) {
            (false, _) => Scripted::Text("The Aldermoor bridge opened in 1931."),
            (true, None) => Scripted::Calls(vec![("library_search", json!({"queries": ["Aldermoor bridge"]}))]),
            (true, Some(thread)) if !said.contains("Answered on") => {
                Scripted::Calls(vec![("library_read", json!({"urls": [format!("nexi://private-thread/{thread}")]}))])
            }
            (true, Some(_)) => Scripted::Calls(vec![("final_answer", json!({"answer": "The Aldermoor bridge opened in 1931 [1]."}))]),
        }
    })
    .await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    window.ask("When was the Aldermoor bridge opened?").await;
    window.wait_for("the run is over", DONE).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', ctrlKey: true, bubbles: true}))").await;
    window.wait_for("a new thread", "return document.querySelectorAll('.turn').length === 0").await;
    window.ask("What did I find out about the bridge?").await;
    window.wait_for("the run is over", DONE).await;
    window.click(".turn .sum").await;
    window.wait_for("the steps name it", "return document.querySelector('.turn .line')?.innerText.includes('your past research')").await;
    window.eval("document.querySelector('.answer .chip').focus()").await;
    window.wait_for("the card is shown", "return !document.querySelector('#card').hidden").await;
    let card = window.text("return document.querySelector('#card').innerText").await;
    for wanted in ["past research", "When was the Aldermoor bridge opened?", "Supported", "open the earlier answer"] {
        assert!(card.contains(wanted), "{wanted}: {card}");
    }
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("earlier-research").await;
    window.eval("document.querySelector('.answer .chip').click()").await;
    let leads = "return document.querySelector('.turn h2, .turn .question')?.innerText.includes('When was the Aldermoor bridge opened?')";
    window.wait_for("it leads to the thread", leads).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn preferences_for_answers_are_set_and_told() {
    let model = LlmServer::start("canary-key", Duration::ZERO, vec![Scripted::Text("Sechs Fuß.")]).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", "check = \"local\"\n"))).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.click("[data-section=answers]").await;
    window.wait_for("the fields", "return !!document.querySelector('[id=\"f-preferences.language\"]')").await;
    window
        .eval("const field = document.querySelector('[id=\"f-preferences.language\"]'); field.value = 'German'; field.dispatchEvent(new Event('change', {bubbles: true}))")
        .await;
    for (field, value) in [("units", "imperial"), ("length", "short")] {
        window.eval(&format!("document.querySelector('[data-field=\"preferences.{field}\"] [data-value={value}]').click()")).await;
    }
    let file = "const done = arguments[0]; window.__TAURI__.core.invoke('settings').then((view) => done(view.settings.preferences))";
    let mut kept = Value::Null;
    for _ in 0..100 {
        kept = window.client.execute_async(file, vec![]).await.unwrap();
        if kept["length"] == "short" && kept["units"] == "imperial" && kept["language"] == "German" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!((&kept["language"], &kept["units"], &kept["length"]), (&json!("German"), &json!("imperial"), &json!("short")), "{kept}");
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures_of("answers", (980, 760)).await;
    window.switch("index.html").await;
    window.ask("How tall is a door?").await;
    window.wait_for("the run is over", DONE).await;
    let told = model.requests()[0].to_string();
    assert!(
        told.contains("Write the answer in German") && told.contains("US customary units") && told.contains("a few sentences"),
        "{told}"
    );
    window.close().await;
}

//! Long threads in the window: that they fill, their summary, and a question about something else.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};
use serde_json::json;

use crate::support::{DONE, Window, model_settings};

const SUMMARY: &str = "The person keeps a ferry called Wren, built in 1931.\n\nIts engine was replaced in 1964.";

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_fills_its_room_is_summarised_and_goes_on() {
    let long = "The ferry carries forty people across the estuary, and its crew of three repairs it in winter. ".repeat(150);
    let model = LlmServer::answering("canary-key", Duration::ZERO, move |request| {
        let said = request["messages"].to_string();
        if said.contains("Summarise the beginning of this conversation") {
            return Scripted::Text(SUMMARY);
        }
        let answer = match () {
            () if said.contains("Wren, built") => "It is called Wren.",
            () if said.contains("its crew do") => "It carries people.",
            () => &long,
        };
        let title = json!({"answer": answer, "title": "Keeping an old ferry", "description": "How a ferry of 1931 is kept running."});
        Scripted::Calls(vec![("final_answer", title)])
    })
    .await;
    let more = "max_context = 10000\n";
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", more))).await;
    window.hotkey_works().await;
    window.ask("How is a ferry of 1931 kept running?").await;
    window.wait_for("the run is over", DONE).await;
    // The first answer names its thread.
    window.wait_for("its name", "return document.querySelector('.thread-title')?.innerText === 'Keeping an old ferry'").await;
    window.ask("What does its crew do?").await;
    window.wait_for("it is asked", "return document.querySelectorAll('.turn').length === 2").await;
    window.wait_for("the run is over", DONE).await;
    window.wait_for("it says how full it is", "return !!document.querySelector('.turn:last-child .filling')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("thread-filling").await;
    window.click(".turn:last-child .filling button").await;
    window.wait_for("there is a summary", "return !!document.querySelector('.turn:last-child .earlier-summary')").await;
    window.wait_for("no word of filling", "return !document.querySelector('.filling')").await;
    let shown = "const told = document.querySelector('.turn:last-child .earlier-summary'); told.open = true; return told.innerText";
    let shown = window.text(shown).await;
    assert!(shown.contains("a summary of 1 earlier question") && shown.contains("called Wren"), "{shown}");
    window.wait_for("the word of it is gone", "return !document.querySelector('#toast').innerText").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("thread-summary").await;
    // The next question starts from it.
    window.ask("What is it called?").await;
    window.wait_for("it is asked", "return document.querySelectorAll('.turn').length === 3").await;
    window.wait_for("the run is over", DONE).await;
    let told = model.requests().last().unwrap().to_string();
    assert!(told.contains("Wren, built") && !told.contains("across the estuary"), "{told}");
    // Something else, in the middle of it.
    window.click("#composer").await;
    window.keys("How do glaciers carve fjords in Patagonia?").await;
    let hint = "return document.querySelector('.dock-inner .asked-before:not([hidden])')?.innerText ?? ''";
    window.wait_for("it says so", &format!("{}.includes('another topic')", hint.replace("return ", "return (") + ")")).await;
    window.pictures("another-topic").await;
    window.click(".dock-inner .asked-before button").await;
    window.wait_for("a new thread", "return document.querySelectorAll('.turn').length === 0").await;
    assert_eq!(window.text("return document.querySelector('#composer').value").await, "How do glaciers carve fjords in Patagonia?");
    assert_eq!(window.text(hint).await, "");
    window.close().await;
}

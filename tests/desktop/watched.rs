//! Questions that are asked again by themselves, in the windows.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};
use serde_json::json;

use crate::support::{DONE, Window, model_settings};

/// Waits until the app, and not only the field, has another pace.
async fn until_kept(window: &Window) {
    let ask = "const done = arguments[0]; window.__TAURI__.core.invoke('watched_questions').then((all) => done(all[0].schedule.minutes))";
    let started = std::time::Instant::now();
    while window.client.execute_async(ask, vec![]).await.ok() != Some(json!(360)) {
        assert!(started.elapsed() < crate::support::APPEARING, "the pace stays as it was");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watched_question_is_checked_by_itself_and_its_change_is_marked() {
    let is_newer = Arc::new(AtomicBool::new(false));
    let newer = is_newer.clone();
    let model = LlmServer::answering("canary-key", Duration::ZERO, move |_| {
        Scripted::Text(if newer.load(Ordering::SeqCst) {
            "The ferry Wren carries forty people. It leaves the northern quay at 9:15 each morning."
        } else {
            "The ferry Wren carries forty people. It leaves the northern quay at 8:40 each morning."
        })
    })
    .await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    window.hotkey_works().await;
    window.ask("When does the ferry Wren leave?").await;
    window.wait_for("the run is over", DONE).await;
    window.turn_menu("Watch this question…").await;
    window.wait_for("it asks", "return !!document.querySelector('dialog.ask #watch-question')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("watch-question").await;
    window.click("dialog.ask .go").await;
    window
        .wait_for("it is watched", "return !document.querySelector('dialog.ask') && !!document.querySelector('#rail .watched-sign')")
        .await;
    // Checked by hand first: nothing new, and nothing is left of it.
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=watched]').click()").await;
    window.wait_for("it is listed", "return document.querySelectorAll('[data-watched]').length === 1").await;
    window.click("[data-watched] .check").await;
    window.wait_for("nothing is new", "return document.querySelector('[data-watched]').innerText.includes('nothing new')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-watched", (980, 760)).await;
    let pace = "const pace = document.querySelector('[data-watched] select'); pace.value = '6h'; pace.dispatchEvent(new Event('change'))";
    window.eval(pace).await;
    until_kept(&window).await;
    window.click("[data-watched] .pause").await;
    window.wait_for("it is paused", "return document.querySelector('[data-watched]').className === 'paused'").await;
    window.click("[data-watched] .pause").await;
    window.wait_for("it is not paused", "return document.querySelector('[data-watched]').className === ''").await;
    // The app was closed when it was due: it is checked soon after the next start.
    is_newer.store(true, Ordering::SeqCst);
    let folder = window.close_and_keep().await;
    let database = rusqlite::Connection::open(folder.path().join("data/nexi.db")).unwrap();
    database.execute("UPDATE watched SET next_ms = 1000", []).unwrap();
    drop(database);
    let window = Window::open_in(None, folder).await;
    window.wait_for("it is told", "return document.querySelector('#toast').innerText.includes('When does the ferry Wren leave?')").await;
    window.click("#toast button").await;
    window.wait_for("the change is shown", "return !!document.querySelector('.turn:last-child .change')").await;
    assert_eq!(window.eval("return document.querySelectorAll('.turn').length").await, json!(2));
    let shown = window.text("return document.querySelector('.turn:last-child .change').innerText").await;
    assert!(shown.contains("Changed since") && shown.contains("9:15") && shown.contains("8:40"), "{shown}");
    let marked = window.text("return [...CSS.highlights.get('new-statement')].map((one) => { const range = new Range(); range.setStart(one.startContainer, one.startOffset); range.setEnd(one.endContainer, one.endOffset); return range.toString(); }).join('|')").await;
    assert_eq!(marked, "It leaves the northern quay at 9:15 each morning.");
    window.wait_for("the word of it is gone", "return !document.querySelector('#toast').innerText").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("watched-change").await;
    let marked = window.text("return [...CSS.highlights.get('new-statement')].map((one) => { const range = new Range(); range.setStart(one.startContainer, one.startOffset); range.setEnd(one.endContainer, one.endOffset); return range.toString(); }).join('|')").await;
    assert_eq!(marked, "It leaves the northern quay at 9:15 each morning.");
    // No longer.
    window.click("#thread-menu").await;
    window.eval("[...document.querySelectorAll('.menu-list button')].find((item) => item.innerText === 'Stop watching').click()").await;
    window.wait_for("it is not watched", "return !document.querySelector('#rail .watched-sign')").await;
    window.close().await;
}

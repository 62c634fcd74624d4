//! A backup that is restored while a window shows what is not in it.

use serde_json::json;

use crate::support::{BUILT_IN, DONE, Window, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_library_is_what_the_window_shows() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where are keys kept?").await;
    window.wait_for("the run is over", DONE).await;
    let folder = window.close_and_keep().await;
    // The next start finds a library without a copy of today.
    let window = Window::open_in(None, folder).await;
    let ask = "const done = arguments[0]; window.__TAURI__.core.invoke('backups').then((all) => done(all[0]?.name ?? ''))";
    let copies = window.path("data/backups");
    until("a copy is made", || {
        std::fs::read_dir(&copies).is_ok_and(|entries| entries.flatten().any(|one| one.path().extension().is_some_and(|end| end == "db")))
    })
    .await;
    window.ask("How do I add a folder of documents?").await;
    window.wait_for("the run is over", DONE).await;
    window.wait_for("both are listed", "return document.querySelectorAll('.rail .row').length === 2").await;
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: null})").await;
    window.switch("settings.html").await;
    let name = window.client.execute_async(ask, vec![]).await.unwrap();
    assert!(name.as_str().is_some_and(|name| !name.is_empty()), "{name}");
    let restore =
        "const [name, done] = arguments; window.__TAURI__.core.invoke('restore_backup', {name}).then(() => done('restored'), done)";
    assert_eq!(window.client.execute_async(restore, vec![name]).await.unwrap(), json!("restored"));
    window.switch("index.html").await;
    window.wait_for("the thread that is not in it is gone", "return document.querySelector('.turn') === null").await;
    window.wait_for("one is listed", "return document.querySelectorAll('.rail .row').length === 1").await;
    window.eval("document.querySelector('.rail .row').click()").await;
    window.wait_for("the other one is there", "return document.querySelector('.answer')?.innerText.includes('keyring')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

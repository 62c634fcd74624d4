//! What is held back because it could carry private text away, in the real window.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::json;

use crate::support::{DONE, Window, model_settings};

#[tokio::test(flavor = "multi_thread")]
async fn a_person_decides_about_what_is_held_back_with_one_click() {
    let site = Site::start(&[("/other", "<h1>Other</h1><p>Another page about vaults and their doors.</p>")]).await;
    let search = SearchServer::start(200, &[]).await;
    let leak = site.url("/other?said=marmalade-4711");
    let model = LlmServer::start(
        "canary-key",
        Duration::ZERO,
        vec![
            Scripted::Calls(vec![("web_search", json!({"queries": ["password of the vault"]}))]),
            Scripted::Calls(vec![("web_get", json!({"urls": [leak]}))]),
            Scripted::Calls(vec![("web_search", json!({"queries": ["who knows marmalade-4711"]}))]),
            Scripted::Text("The vault has a password."),
        ],
    )
    .await;
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    std::fs::create_dir_all(&notes).unwrap();
    std::fs::write(notes.join("vault.md"), "# Vault\n\nThe password of the vault is marmalade-4711.\n").unwrap();
    let more = format!("[documents]\nfolders = [\"{}\"]\n[network]\nallowed_private_hosts = [\"{}\"]\n", notes.display(), site.host);
    let searx = format!("[providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n", search.base_url);
    let settings = model_settings(&model.base_url, "test-model", &more) + &searx;
    let settings = settings.replace("[\"documents\"]", "[\"documents\", \"searx\"]");
    let window = Window::open_in(Some(&settings), folder).await;
    window.ask("What is the password of the vault?").await;
    window
        .wait_for("the address is shown", "return document.querySelector('.held-ask .outgoing')?.innerText.includes('said=marmalade-4711')")
        .await;
    assert_eq!(site.asked("/other"), 0);
    window.pictures("held-back").await;
    window.click(".held-ask .let").await;
    window
        .wait_for("the query is shown", "return document.querySelector('.held-ask .outgoing')?.innerText === 'who knows marmalade-4711'")
        .await;
    assert_eq!(site.targets(), ["/other?said=marmalade-4711"]);
    window.click(".held-ask .keep").await;
    window.wait_for("the run is over", DONE).await;
    assert!(!search.queries().iter().any(|query| query.contains("4711")), "{:?}", search.queries());
    assert_eq!(window.eval("return document.querySelector('.held-ask')").await, json!(null));
    let kept = window.text("return document.querySelector('.held-list').innerText").await;
    assert!(kept.contains("1 request was held back to keep your text private"), "{kept}");
    window.eval("document.querySelector('.held-list').open = true").await;
    window.pictures("held-back-over").await;
    // It is kept with the turn.
    window.reload().await;
    window.wait_for("the thread is there again", "return document.querySelector('.held-list') !== null").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.close().await;
}

//! The settings window.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, let_pass};
use serde_json::json;

use crate::support::{ENTER, ESCAPE, TAB, Window, popup_is_shown, press, until};

const SIZE: (u32, u32) = (940, 720);
const BUILT_IN: &str = "# mine\nllm_backends = [\"builtin\"]   # stays\nsearch_backends = [\"documents\"]\n";

async fn open(settings: &str) -> Window {
    let window = Window::open(Some(settings)).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window
}

async fn section(window: &Window, name: &str) {
    window.eval(&format!("document.querySelector('[data-section={name}]').click()")).await;
    window.wait_for(name, &format!("return document.querySelector('.inner').dataset.section === '{name}'")).await;
}

/// Unfolds the advanced fields, where there are any; they stay so in other parts.
async fn unfold(window: &Window) {
    window.eval("document.querySelector('.advanced:not([open]) > summary')?.click()").await;
}

fn file(window: &Window) -> String {
    std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_part_is_there_and_sound() {
    let window = open(BUILT_IN).await;
    for name in
        ["models", "search", "reading", "documents", "effort", "deep", "prompts", "app", "keys", "network", "privacy", "data", "about"]
    {
        section(&window, name).await;
        assert_eq!(window.faults().await, Vec::<String>::new(), "{name}");
        window.pictures_of(&format!("settings-{name}"), SIZE).await;
        unfold(&window).await;
        let unexplained =
            "return [...document.querySelectorAll('.field')].filter((field) => !field.querySelector('.name').innerText).length";
        assert_eq!(window.eval(unexplained).await, json!(0), "{name}");
    }
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_close_the_window() {
    let window = open(BUILT_IN).await;
    window.eval("document.querySelector('#settings-search').focus()").await;
    window.keys(ESCAPE).await;
    window.wait_for("the field is left", "return document.activeElement === document.body").await;
    press("Escape");
    let mut gone = false;
    for _ in 0..100 {
        gone = !window.has("settings.html").await;
        if gone {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(gone, "Escape closes it");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_is_checked_as_it_is_typed_and_saved_when_it_is_right() {
    let window = open(BUILT_IN).await;
    section(&window, "effort").await;
    let field = "document.querySelector('[data-field=max_context]')";
    assert_eq!(window.eval(&format!("return {field}.checkVisibility()")).await, json!(false), "few people need it");
    unfold(&window).await;
    window.eval(&format!("{field}.querySelector('input').select()")).await;
    window.keys("12").await;
    window.wait_for("what is wrong is said", &format!("return {field}.querySelector('.problem').innerText.includes('2000 or more')")).await;
    window.pictures_of("settings-wrong", SIZE).await;
    window.keys("000").await;
    window.wait_for("it is right", &format!("return {field}.querySelector('.problem').hidden")).await;
    window.keys(TAB).await;
    until("it is written", || file(&window).contains("max_context = 12000")).await;
    assert!(file(&window).contains("# mine") && file(&window).contains("# stays"), "comments stay: {}", file(&window));
    // Emptied, it is the default again.
    window.eval(&format!("const input = {field}.querySelector('input'); input.value = ''; input.dispatchEvent(new Event('change'))")).await;
    until("it is gone", || !file(&window).contains("max_context")).await;
    // Text in a number's place is refused and never written.
    window
        .eval(&format!("const input = {field}.querySelector('input'); input.value = 'many'; input.dispatchEvent(new Event('change'))"))
        .await;
    window.wait_for("it says so", &format!("return {field}.querySelector('.problem').innerText.includes('whole number')")).await;
    assert!(!file(&window).contains("many"));
    // Lists, switches and choices.
    section(&window, "documents").await;
    window.click("#f-documents\\.folders").await;
    window.keys("/no/such/folder").await;
    window.keys(ENTER).await;
    window
        .wait_for(
            "a folder that is none is refused",
            "return document.querySelector('[data-field=\"documents.folders\"] .problem').innerText.includes('not a folder')",
        )
        .await;
    std::fs::create_dir_all(window.path("notes")).unwrap();
    window.eval("document.querySelector('#f-documents\\\\.folders').value = ''").await;
    window.click("#f-documents\\.folders").await;
    window.keys("~/notes").await;
    window.keys(ENTER).await;
    until("the folder is kept", || file(&window).contains("folders = [\"~/notes\"]")).await;
    section(&window, "app").await;
    window.eval("document.querySelector('[data-value=dark]').click()").await;
    until("colours are kept", || file(&window).contains("theme = \"dark\"")).await;
    window.wait_for("and dark", "return matchMedia('(prefers-color-scheme: dark)').matches").await;
    window.eval("document.querySelector('[data-value=light]').click()").await;
    window.wait_for("and light", "return !matchMedia('(prefers-color-scheme: dark)').matches").await;
    window.click("#f-desktop\\.autostart").await;
    // The file is there before its lines are.
    until("it starts with the session", || {
        std::fs::read_to_string(window.path(".config/autostart/Nexi.desktop")).is_ok_and(|entry| entry.contains("--hidden"))
    })
    .await;
    window.click("#f-desktop\\.autostart").await;
    until("and no longer", || !window.path(".config/autostart/Nexi.desktop").exists()).await;
    // One that other programs need is refused, and what was wrong is forgotten with the next one.
    window.click("#hotkey").await;
    window.wait_for("nothing is said of the one before", "return document.querySelector('#hotkey-state').innerText === ''").await;
    window.keys("\u{e009}c").await;
    window.wait_for("it says why", "return document.querySelector('#hotkey-state').innerText.includes('copy')").await;
    assert!(!file(&window).contains("hotkey"), "{}", file(&window));
    // A new hotkey works at once, the old one no more.
    window.click("#hotkey").await;
    window.keys("\u{e009}\u{e00a}k").await;
    until("the hotkey is kept", || file(&window).contains("hotkey = \"Ctrl+Alt+K\"")).await;
    window.wait_for("it works", "return document.querySelector('#hotkey-state').innerText === 'Works'").await;
    press("ctrl+shift+space");
    let_pass(Duration::from_millis(500)).await;
    assert!(!popup_is_shown());
    press("ctrl+alt+k");
    until("the popup is shown", popup_is_shown).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_is_added_tested_and_used_and_its_key_never_comes_back() {
    let model = LlmServer::start(
        "sk-canary-0815-settings",
        Duration::ZERO,
        vec![
            Scripted::Text("ready"),
            Scripted::Status(402, vec![], "{}"),
            Scripted::Calls(vec![("final_answer", json!({"answer": "Used."}))]),
        ],
    )
    .await;
    let window = open(BUILT_IN).await;
    section(&window, "models").await;
    window
        .eval("const select = document.querySelector('.adding select'); select.value = '*'; select.dispatchEvent(new Event('change'))")
        .await;
    window.wait_for("a dialog", "return !!document.querySelector('#f-p-name')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    // A preset knows its address; what has none asks for it.
    window
        .eval("const kind = document.querySelector('#f-p-kind'); kind.value = 'preset:deepseek'; kind.dispatchEvent(new Event('change'))")
        .await;
    window.wait_for("its address", "return document.querySelector('#f-p-base_url').value === 'https://api.deepseek.com/v1'").await;
    window.picture("settings-provider-preset").await;
    window
        .eval("const kind = document.querySelector('#f-p-kind'); kind.value = 'openai_compatible'; kind.dispatchEvent(new Event('change'))")
        .await;
    assert_eq!(window.text("return document.querySelector('#f-p-name').value").await, "custom", "it is none of OpenAI's");
    window.eval("const name = document.querySelector('#f-p-name'); name.value = 'my work'; name.dispatchEvent(new Event('input'))").await;
    window
        .wait_for("a name is checked", "return document.querySelector('[data-field=p-name] .problem').innerText.includes('letters')")
        .await;
    window.eval("const name = document.querySelector('#f-p-name'); name.value = 'work'; name.dispatchEvent(new Event('input'))").await;
    window.eval("document.querySelector('#save-provider').click()").await;
    window
        .wait_for(
            "what is missing is named",
            "return document.querySelector('[data-field=p-base_url] .problem').innerText.includes('missing')",
        )
        .await;
    window.click("#f-p-base_url").await;
    window.keys(&model.base_url).await;
    let told = "return [...document.querySelectorAll('dialog .buttons .problem, dialog [data-field=p-base_url] .problem')].filter((one) => !one.hidden).map((one) => one.innerText).join()";
    assert_eq!(window.text(told).await, "", "what is being mended is no longer held against it");
    window.click("#f-p-key").await;
    window.keys("sk-canary-0815-settings").await;
    // Whoever knows no model is shown those there are.
    window.click("#list-models").await;
    window.wait_for("they are listed", "return document.querySelectorAll('#models option').length === 2").await;
    window.click("#f-p-model").await;
    window.keys("large").await;
    // As Tab does: what is half behind the buttons below comes into sight.
    window.eval("document.querySelector('#test-provider').focus()").await;
    window.click("#test-provider").await;
    window.wait_for("it works", "return document.querySelector('.tests .verdict').innerText.startsWith('Works')").await;
    window.picture("settings-provider").await;
    window.eval("document.querySelector('#save-provider').click()").await;
    window.wait_for("it is first", "return document.querySelector('.link-in-chain')?.dataset.name === 'work'").await;
    window
        .wait_for("its key is in the keyring", "return document.querySelector('.link-in-chain small').innerText.includes('in the keyring')")
        .await;
    window.click(".link-in-chain .choose").await;
    window.wait_for("its models can be chosen", "return document.querySelectorAll('dialog[open] .catalog .pick').length === 2").await;
    window.eval("document.querySelector('dialog[open]').close()").await;
    window.wait_for("the dialog is gone", "return !document.querySelector('dialog[open]')").await;
    window.eval("document.querySelector('.link-in-chain .test').click()").await;
    window.wait_for("another verdict", "return document.querySelector('.link-in-chain .state').innerText === 'No balance' && document.querySelector('.link-in-chain .verdict').innerText.length > 5").await;
    // Nothing that the window can ask for holds the key.
    let everything = "const done = arguments[0]; Promise.all(['settings', 'keys', 'desktop'].map((name) => window.__TAURI__.core.invoke(name))\
        .concat(window.__TAURI__.core.invoke('key_statuses', {providers: ['work']}))).then((all) => done(JSON.stringify(all) + document.documentElement.outerHTML), (error) => done('failed ' + error))";
    let everything = window.client.execute_async(everything, vec![]).await.unwrap();
    let everything = everything.as_str().unwrap();
    assert!(everything.contains("keyring") && !everything.contains("canary-0815"), "the key came back");
    window.switch("index.html").await;
    window.wait_for("the model can be chosen", "return document.querySelector('#model').innerText.includes('large · work')").await;
    window.ask("Who are you?").await;
    window.wait_for("it answers", "return document.querySelector('.answer')?.innerText.includes('Used.')").await;
    let folder = window.close_and_keep().await;
    assert_eq!(crate::safety::files_with(folder.path(), "canary-0815"), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_can_live_in_a_file_with_a_passphrase_and_the_file_is_asked_for() {
    let window = open(BUILT_IN).await;
    section(&window, "keys").await;
    window.eval("document.querySelector('[data-value=file]').click()").await;
    window
        .wait_for("a passphrase is wanted", "return !!document.querySelector('#passphrase') && !document.querySelector('#keyring-state')")
        .await;
    window.pictures_of("settings-keys-file", SIZE).await;
    assert_eq!(window.text("return document.querySelector('#unlock').innerText").await, "Set passphrase");
    window.click("#passphrase").await;
    window.keys("correct horse").await;
    window.click("#passphrase-again").await;
    window.keys("correct house").await;
    window.keys(ENTER).await;
    window
        .wait_for("a slip is told", "return [...document.querySelectorAll('.problem')].some((one) => one.innerText.includes('differ'))")
        .await;
    window.eval("document.querySelector('#passphrase-again').value = ''").await;
    window.keys("correct horse").await;
    window.keys(ENTER).await;
    window.wait_for("the file is open", "return document.querySelector('.keys-state').innerText.includes('is unlocked')").await;
    let keep = "const done = arguments[0]; window.__TAURI__.core.invoke('set_key', {provider: 'brave', key: 'BSA-canary-1234-file'}).then(() => done('kept'), done)";
    assert_eq!(window.client.execute_async(keep, vec![]).await.unwrap(), json!("kept"));
    let folder = window.close_and_keep().await;
    assert!(folder.path().join("data/keys.age").exists());
    assert_eq!(crate::safety::files_with(folder.path(), "canary-1234"), Vec::<String>::new(), "the file is sealed");
    let window = Window::open_in(None, folder).await;
    window
        .wait_for("it says that keys are locked", "return document.querySelector('#empty').innerText.includes('key file is locked')")
        .await;
    window.eval("[...document.querySelectorAll('#empty .link')].find((button) => button.innerText.includes('passphrase')).click()").await;
    window.switch("settings.html").await;
    window.wait_for("the right part", "return !!document.querySelector('#passphrase')").await;
    window.click("#passphrase").await;
    window.keys("wrong").await;
    window.keys(ENTER).await;
    window.wait_for("it is refused", "return document.querySelector('.problem').innerText.includes('not the passphrase')").await;
    window.eval("document.querySelector('#passphrase').value = ''").await;
    window.keys("correct horse").await;
    window.keys(ENTER).await;
    window.wait_for("the file is open", "return document.querySelector('.keys-state').innerText.includes('is unlocked')").await;
    let status = "const done = arguments[0]; window.__TAURI__.core.invoke('key_statuses', {providers: ['brave']}).then((all) => done(all[0].origin), done)";
    assert_eq!(window.client.execute_async(status, vec![]).await.unwrap(), json!("file"));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_of_nexi_are_taken_over() {
    let window = open(BUILT_IN).await;
    section(&window, "data").await;
    let theirs = window.path("nexi-config.json");
    std::fs::write(&theirs, r#"{"base_url": "https://api.e.org/v1", "api_key": "sk-canary-77-import", "model": "m1", "jina_key": "", "default_effort": "l", "max_output_tokens": 4096}"#).unwrap();
    let input = window.client.find(fantoccini::Locator::Css("#f-import-settings")).await.unwrap();
    input.send_keys(&theirs.display().to_string()).await.unwrap();
    window.wait_for("it says so", "return document.querySelector('#toast').innerText.includes('settings imported')").await;
    let text = file(&window);
    assert!(text.contains("[providers.nexi]") && text.contains("default_effort = \"l\"") && !text.contains("canary"), "{text}");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_searxng_of_ones_own_is_looked_for_or_run() {
    let window = open(BUILT_IN).await;
    section(&window, "search").await;
    window
        .eval("const select = document.querySelector('.adding select'); select.value = '*'; select.dispatchEvent(new Event('change'))")
        .await;
    window.wait_for("the dialog", "return document.querySelector('dialog.ask')?.open").await;
    window.eval("const kind = document.querySelector('#f-p-kind'); kind.value = 'searxng'; kind.dispatchEvent(new Event('change'))").await;
    window.wait_for("its fields", "return !!document.querySelector('#find-searxng')").await;
    window.eval("document.querySelector('#find-searxng').click()").await;
    // Whatever runs on this machine: there is a verdict.
    window
        .wait_for(
            "a verdict",
            "return !document.querySelector('dialog .verdict').hidden && document.querySelector('dialog .verdict').innerText.length > 10",
        )
        .await;
    window.click("#f-p-managed").await;
    assert_eq!(window.eval("return document.querySelector('#f-p-base_url').disabled").await, json!(true));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.picture("settings-searxng").await;
    // Saved even though nobody tests it: its container is fetched when it is first needed.
    window.eval("document.querySelector('#save-provider').click()").await;
    window
        .wait_for(
            "it is warned or saved",
            "return !document.querySelector('dialog.ask')?.open || !document.querySelector('dialog .verdict').hidden",
        )
        .await;
    window.eval("document.querySelector('#save-provider')?.click()").await;
    window.wait_for("it is saved", "return !document.querySelector('dialog.ask')").await;
    let file = file(&window);
    assert!(file.contains("managed = true") && file.contains("type = \"searxng\""), "{file}");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_corpus_is_added_and_its_database_may_be_away() {
    let window = open(BUILT_IN).await;
    section(&window, "search").await;
    window
        .eval("const select = document.querySelector('.adding select'); select.value = '*'; select.dispatchEvent(new Event('change'))")
        .await;
    window.wait_for("the dialog", "return document.querySelector('dialog.ask')?.open").await;
    window.eval("const kind = document.querySelector('#f-p-kind'); kind.value = 'postgres'; kind.dispatchEvent(new Event('change'))").await;
    window
        .wait_for("it wants a password", "return document.querySelector('[data-field=p-key] label')?.innerText.includes('Password')")
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    let write = async |address: &str| {
        let set = format!(
            "const field = document.querySelector('#f-p-base_url'); field.value = '{address}'; field.dispatchEvent(new Event('input'))"
        );
        window.eval(&set).await;
    };
    write("postgres://anna:tide@127.0.0.1:1/archive").await;
    window.eval("document.querySelector('#save-provider').click()").await;
    window
        .wait_for(
            "the password is not written down",
            "return document.querySelector('[data-field=p-base_url] .problem').innerText.includes('password')",
        )
        .await;
    window.picture("settings-corpus").await;
    write("postgres://anna@127.0.0.1:1/archive").await;
    window.click("#f-p-key").await;
    window.keys("low tide 0815").await;
    window.click("#test-provider").await;
    window
        .wait_for(
            "it says what is wrong",
            "return document.querySelector('.tests .verdict').innerText.includes('127.0.0.1 could not be reached')",
        )
        .await;
    // Once it is warned of, it is saved all the same.
    window.eval("document.querySelector('#save-provider').click()").await;
    window.eval("document.querySelector('#save-provider')?.click()").await;
    window.wait_for("it is one of the backends", "return document.querySelector('.link-in-chain')?.dataset.name === 'postgres'").await;
    let file = file(&window);
    assert!(file.contains("type = \"postgres\"") && !file.contains("tide"), "{file}");
    window.switch("index.html").await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the handbook is asked", "return document.querySelector('.answer')?.innerText.includes('keyring')").await;
    window
        .wait_for("it is said that the corpus was not", "return document.querySelector('.turn').innerText.includes('could not be reached')")
        .await;
    window.pictures("corpus-away").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_mistakes_starts_nexi_all_the_same() {
    let window = Window::open(Some("max_steps_ahead = 3\nmax_context = \"lots\"\n[desktop]\ntheme = \"purple\"\n")).await;
    window.wait_for("the mistakes are told", "return document.querySelectorAll('.mistakes li').length === 2").await;
    let told = window.text("return document.querySelector('.mistakes').innerText").await;
    assert!(told.contains("max_context") && told.contains("desktop.theme") && told.contains("has mistakes in these settings"), "{told}");
    window.pictures("mistakes").await;
    window.click(".mistakes button").await;
    until("the file is opened", || window.opened().iter().any(|what| what.ends_with("config.toml"))).await;
    // Questions are answered, and the line goes when the file is right.
    window.ask("Where are keys kept?").await;
    window.wait_for("the run is over", crate::support::DONE).await;
    std::fs::write(window.path("config/nexi/config.toml"), "llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n").unwrap();
    window.eval("window.dispatchEvent(new Event('focus'))").await;
    window.wait_for("the line is gone", "return document.querySelector('.mistakes') === null").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hotkey_can_be_changed_back_and_forth_without_a_pause() {
    let window = open(BUILT_IN).await;
    window.hotkey_works().await;
    // Twenty changes at once, and as many looks at how the hotkey stands: neither waits for the other for good.
    let script = "window.answered = 0; \
        for (let turn = 0; turn < 20; turn++) { \
          const value = turn % 2 === 1 ? 'Ctrl+Alt+N' : 'Ctrl+Shift+K'; \
          const changes = [{path: ['desktop', 'hotkey'], value}]; \
          for (const call of [['change_settings', {changes}], ['desktop', {}]]) \
            window.__TAURI__.core.invoke(...call).finally(() => window.answered++); \
        }";
    window.eval(script).await;
    window.wait_for("all of it is answered", "return window.answered === 40").await;
    let text = file(&window);
    let (wanted, keys) = if text.contains("Ctrl+Alt+N") { ("Ctrl+Alt+N", "ctrl+alt+n") } else { ("Ctrl+Shift+K", "ctrl+shift+k") };
    assert!(text.contains(wanted), "{text}");
    window.hotkey_works().await;
    press(keys);
    until("the popup is shown", popup_is_shown).await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.close().await;
}

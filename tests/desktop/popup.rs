//! The popup: hotkey, layers of Escape, and going on in the research window.

use std::time::{Duration, Instant};

use nexi_testkit::{LlmServer, Scripted, let_pass};
use serde_json::json;

use crate::support::{APPEARING, BUILT_IN, ENTER, ESCAPE, Window, focused, model_settings, popup_is_shown, press, until};

#[tokio::test(flavor = "multi_thread")]
async fn the_hotkey_toggles_it_and_escape_peels_its_layers() {
    let answer = "The harbour wall was finished in 1877, after nine years of work and two floods, as the register of the town has it.";
    let model = LlmServer::start(
        "canary-key",
        Duration::from_millis(120),
        vec![
            Scripted::Calls(vec![("final_answer", json!({"answer": answer}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": answer, "follow_ups": ["Who paid for it?"]}))]),
        ],
    )
    .await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    until("the window has its title and the focus", || focused().ends_with("Nexi")).await;
    let before = focused();
    window.hotkey_works().await;
    window.switch("popup.html").await;
    assert!(!popup_is_shown(), "it is made hidden");
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    let took = "const done = arguments[0]; window.__TAURI__.core.invoke('popup_painted').then(done)";
    println!("popup: hotkey to painted {} ms", window.client.execute_async(took, vec![]).await.unwrap());
    window.picture("popup-empty").await;
    // The hotkey closes it, too, although pressing it takes the focus for a moment.
    press("ctrl+shift+space");
    until("the hotkey hides it", || !popup_is_shown()).await;
    let_pass(Duration::from_millis(600)).await;
    assert!(!popup_is_shown(), "it does not come back");
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    // Typed text is cleared first, then the popup goes, and the window used before is in front again.
    window.keys("nothing").await;
    window.keys(ESCAPE).await;
    window.wait_for("the text is cleared", "return document.querySelector('#question').value === ''").await;
    assert!(popup_is_shown());
    window.keys(ESCAPE).await;
    until("the popup is hidden", || !popup_is_shown()).await;
    until("the focus is back", || focused() == before).await;
    // A run is stopped first; what it had is kept, then cleared.
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.wait_for("the question has the focus", "return document.activeElement.id === 'question'").await;
    window.keys("When was the wall finished?").await;
    window.picture("popup-typed").await;
    window.keys(ENTER).await;
    window.wait_for("the answer begins", "return document.querySelector('.answer').innerText.includes('harbour')").await;
    window.picture("popup-running").await;
    window.keys(ESCAPE).await;
    window.wait_for("the run is stopped", "return document.querySelector('.sum')?.innerText.includes('Stopped')").await;
    let partial = window.text("return document.querySelector('.answer').innerText").await;
    assert!(partial.contains("harbour") && !partial.contains("register of the town"), "what was there is kept: {partial}");
    window.keys(ESCAPE).await;
    window.wait_for("it is empty again", "return document.querySelector('#body').hidden").await;
    assert!(popup_is_shown());
    // Asked again, then opened in the research window: the same turn, asked once.
    window.keys("When was the wall finished, in the end?").await;
    window.keys(ENTER).await;
    window.wait_for("the answer is there", "return document.querySelector('.sum')?.innerText.includes('Answered')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.picture("popup-answered").await;
    let requests = model.requests().len();
    press("ctrl+Return");
    window.switch("index.html").await;
    window
        .wait_for("the thread is open there", "return document.querySelector('.turn .answer')?.innerText.includes('finished in 1877')")
        .await;
    assert_eq!(window.text("return document.querySelector('.turn .question').innerText").await, "When was the wall finished, in the end?");
    assert_eq!(model.requests().len(), requests, "nothing was asked twice");
    assert_eq!(window.text("return document.querySelector('.next')?.innerText.trim()").await, "Who paid for it?");
    until("the popup is hidden", || !popup_is_shown()).await;
    assert_eq!(model.problems(), Vec::<String>::new());
    // A second start of the program, as a compositor's shortcut does it, toggles the first one's.
    window.start_again(&["--popup"]);
    until("the popup is shown", popup_is_shown).await;
    until("it has the focus", || focused() == "Ask Nexi").await;
    window.start_again(&["--popup"]);
    until("the popup is hidden", || !popup_is_shown()).await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_hides_when_the_focus_goes_unless_it_is_pinned() {
    let window = Window::open(Some("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n")).await;
    window.hotkey_works().await;
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    // It hides once it had the focus for a moment: window managers give it and take it away again.
    let_pass(Duration::from_millis(400)).await;
    let focus_main = || {
        let _ = std::process::Command::new("xdotool").args(["search", "--name", "^Nexi$", "windowactivate"]).status();
    };
    focus_main();
    until("it hides with the focus", || !popup_is_shown()).await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.click("#pin").await;
    window.wait_for("it is pinned", "return document.querySelector('#pin').getAttribute('aria-pressed') === 'true'").await;
    let_pass(Duration::from_millis(400)).await;
    focus_main();
    let_pass(Duration::from_millis(800)).await;
    assert!(popup_is_shown(), "it stays when it is pinned");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_keeps_what_was_typed_and_its_keys_open_and_copy() {
    let window = Window::open(Some("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n")).await;
    window.hotkey_works().await;
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    // No more of the screen is covered than it needs.
    let spare = "const style = getComputedStyle(document.body); const margin = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom); \
        return innerHeight - document.querySelector('#pop').offsetHeight - margin <= 2";
    window.wait_for("it is as tall as its content", spare).await;
    window.keys("Where does Nexi").await;
    press("ctrl+shift+space");
    until("it is hidden", || !popup_is_shown()).await;
    press("ctrl+shift+space");
    until("it is shown again", popup_is_shown).await;
    window.wait_for("what was typed is there", "return document.querySelector('#question').value === 'Where does Nexi'").await;
    // Everything is selected, so that typing replaces it.
    let selected = "const field = document.querySelector('#question'); return document.hasFocus() && document.activeElement === field && field.selectionStart === 0 && field.selectionEnd === field.value.length";
    window.wait_for("the question has the focus and is selected", selected).await;
    window.eval("document.querySelector('#question').setSelectionRange(99, 99)").await;
    // How tall it is, frame by frame: an answer makes it grow and never shrink.
    window.eval("window.heights = []; new ResizeObserver(() => window.heights.push(document.querySelector('#pop').offsetHeight)).observe(document.querySelector('#pop'))").await;
    window.keys(" keep my keys?").await;
    window.keys(ENTER).await;
    window.wait_for("the answer is there", "return document.querySelector('.sum')?.innerText.includes('Answered')").await;
    let trust = "return document.querySelector('#body .evidence').innerText + '|' + [...document.querySelectorAll('.cited-source .title')].map((one) => one.innerText).join()";
    let trust = window.text(trust).await;
    assert!(trust.contains("statement") && trust.contains("Keys"), "{trust}");
    let place = window.text("return document.querySelector('.cited-source .site').innerText").await;
    assert!(place.contains("line"), "where in the source it stands: {place}");
    let heights = window.eval("return window.heights").await;
    let heights: Vec<i64> = heights.as_array().unwrap().iter().filter_map(serde_json::Value::as_i64).collect();
    assert!(heights.windows(2).all(|pair| pair[1] >= pair[0] - 60), "it does not flicker: {heights:?}");
    assert_eq!(window.faults().await, Vec::<String>::new());
    // Its keys: the first source, and copying.
    press("alt+1");
    window.wait_for("the source is shown", "return !!document.querySelector('dialog[open]')").await;
    window.keys(ESCAPE).await;
    window.wait_for("it is closed", "return !document.querySelector('dialog[open]')").await;
    press("ctrl+c");
    window.wait_for("it says so", "return document.querySelector('#toast').classList.contains('shown')").await;
    assert!(crate::desk::clipboard("UTF8_STRING").contains("Sources:"));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clipboard_is_offered_only_where_it_is_wanted() {
    let set = || {
        let mut clip = arboard::Clipboard::new().expect("a clipboard");
        clip.set_text("Material that was copied.").expect("text in the clipboard");
        clip
    };
    for (wanted, more) in [(false, ""), (true, "[desktop]\noffer_clipboard = true")] {
        let settings = format!("{BUILT_IN}{more}\n");
        let window = Window::open(Some(&settings)).await;
        window.hotkey_works().await;
        window.switch("popup.html").await;
        // Whoever owns the clipboard must live on.
        let _owner = set();
        press("ctrl+shift+space");
        until("the popup is shown", popup_is_shown).await;
        if wanted {
            let offered = "const given = document.querySelector('#given'); return !given.hidden && given.innerText.includes('Material that was copied.')";
            window.wait_for("it is offered", offered).await;
        } else {
            let_pass(Duration::from_millis(500)).await;
            assert_eq!(window.eval("return document.querySelector('#given').hidden").await, json!(true));
        }
        if wanted {
            window.picture("popup-clipboard").await;
            window.keys(ESCAPE).await;
            window.wait_for("it can be taken away", "return document.querySelector('#given').hidden").await;
        }
        window.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hotkey_that_another_program_has_is_named_and_another_one_offered() {
    // Another program takes the key first.
    let first = Window::open(Some("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n")).await;
    let second = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(second.path().join("config/nexi")).unwrap();
    std::fs::write(second.path().join("config/nexi/config.toml"), "llm_backends = [\"builtin\"]\n").unwrap();
    let ask = "const done = arguments[0]; window.__TAURI__.core.invoke('desktop').then((view) => done(view.hotkey))";
    let hotkey = async |window: &Window, state: &str| {
        let started = Instant::now();
        loop {
            let view = window.client.execute_async(ask, vec![]).await.unwrap();
            if view["state"] == state {
                return view;
            }
            assert!(started.elapsed() < APPEARING, "it is not {state}: {view}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    hotkey(&first, "works").await;
    let other = first.beside(second).await;
    other.switch("index.html").await;
    let view = hotkey(&other, "refused").await;
    assert!(view["message"].as_str().unwrap().contains("Ctrl+Shift+Space could not be registered"), "{view}");
    assert!(!view["offers"].as_array().unwrap().is_empty(), "{view}");
    // It is tried again for a while: the first one may have been about to end. Its session is closed here,
    // and not the window given up, which keeps the screen for this test.
    let _ = first.client.clone().close().await;
    hotkey(&other, "works").await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_as_wide_as_its_text_wants_at_every_size() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.hotkey_works().await;
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    window.click("#pin").await;
    window.switch("index.html").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.switch("popup.html").await;
    // Every frame is looked at: what is cut off for a moment only is seen, too.
    window
        .eval(
            "window.cut = []; const look = () => { const root = document.documentElement; \
             if (root.scrollWidth > innerWidth + 1) window.cut.push([innerWidth, root.scrollWidth]); requestAnimationFrame(look); }; look()",
        )
        .await;
    for size in [200, 75, 150, 100, 200, 100] {
        let change = format!(
            "const done = arguments[0]; window.__TAURI__.core.invoke('change_settings', \
             {{changes: [{{path: ['desktop', 'text_size'], value: {size}}}]}}).then(() => done(null), (error) => done(JSON.stringify(error)))"
        );
        window.switch("settings.html").await;
        assert_eq!(window.client.execute_async(&change, vec![]).await.unwrap(), json!(null));
        window.switch("popup.html").await;
        let_pass(Duration::from_millis(1500)).await;
        window.wait_for(&format!("{size} %"), "return Math.abs(innerWidth - 680) < 3").await;
        window.comes_to_rest().await;
        window.wait_for("all of it is seen", "return Math.abs(innerHeight - document.querySelector('#pop').offsetHeight) < 60").await;
    }
    assert_eq!(window.eval("return window.cut").await, json!([]));
    window.close().await;
}

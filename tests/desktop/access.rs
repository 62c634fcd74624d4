//! For everybody: every surface by keyboard, for screen readers, in large text and in other scripts.

use nexi_engine::{Engine, EngineOptions};
use serde_json::{Value, json};

use crate::support::{BUILT_IN, DONE, ENTER, ESCAPE, TAB, Window};

/// Goes on with Tab until a script holds; nothing but the keyboard is used.
async fn tab_until(window: &Window, what: &str, script: &str) {
    for _ in 0..80 {
        if window.eval(script).await == json!(true) {
            return;
        }
        window.keys(TAB).await;
    }
    let focus = window.text("return document.activeElement.outerHTML.slice(0, 200)").await;
    panic!("{what} cannot be reached by Tab; the focus is on {focus}");
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_first_run_to_an_opened_source_by_keyboard_alone() {
    let window = Window::open(None).await;
    tab_until(&window, "the button to begin", "return document.activeElement.id === 'begin'").await;
    window.last_keys(ENTER).await;
    window.switch("index.html").await;
    window.wait_for("the question field has the focus", "return document.activeElement.id === 'composer'").await;
    window.keys("Where does Nexi keep my keys?").await;
    window.keys(ENTER).await;
    window.wait_for("the run is over", DONE).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    tab_until(&window, "a number", "return document.activeElement.classList.contains('chip')").await;
    window.wait_for("its card", "return !document.querySelector('#card').hidden").await;
    let ring = "const style = getComputedStyle(document.activeElement); return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2";
    assert_eq!(window.eval(ring).await, json!(true), "the focus can be seen");
    window.keys(ENTER).await;
    window.wait_for("the source", "return !document.querySelector('#reader').hidden").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.keys(ESCAPE).await;
    window.wait_for("it is closed", "return document.querySelector('#reader').hidden").await;
    window.eval("document.activeElement.blur()").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: '?', bubbles: true}))").await;
    window
        .wait_for("the sheet of keys", "return document.querySelector('dialog.ask')?.innerText.includes('Search threads, documents')")
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("keys").await;
    window.keys(ESCAPE).await;
    window.wait_for("it is closed", "return !document.querySelector('dialog.ask')").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'F1', bubbles: true}))").await;
    window.wait_for("the handbook", "return document.querySelector('.chapter')?.innerText.length > 200").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("help").await;
    window.close().await;
}

fn thread(id: &str, question: &str, answer: &str, title: &str) -> Value {
    let source = json!({"number": 1, "url": "https://example.org/a", "title": title, "site": "example.org", "date": "2025-11-02", "cited": true, "passages": [{"start": 0, "end": 4, "quote": title}]});
    json!({"nexi_thread": 1, "id": format!("{id}0"), "title": question, "created_ms": 1, "updated_ms": 1,
        "turns": [{"id": format!("{id}1"), "thread": format!("{id}0"), "question": question, "effort": "m", "model": "qwen3:8b · ollama", "asked_ms": 1_760_000_000_000_i64, "duration_ms": 9200, "events": [],
            "ending": {"state": "answered", "answer": answer, "steps": 3, "usage": {"prompt": 9000, "completion": 900, "cost": 4100}, "sources": [source], "follow_ups": ["And what comes after that?"],
                "citations": [{"number": 1, "ordinal": 0, "passage": 0, "known": true, "support": "supported"}]}}],
        "sources": [{"number": 1, "read_ms": 1, "page": {"url": "https://example.org/a", "title": title, "text": title}}]})
}

#[tokio::test(flavor = "multi_thread")]
async fn other_scripts_long_words_and_large_text_fit() {
    let folder = tempfile::tempdir().unwrap();
    let long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);
    let code = "```rust\nfn main() {\n    let answer = \"forty-two\"; // from the source\n    println!(\"{answer}\");\n}\n```";
    let cases = [
        (
            "0199aaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "東京タワーの高さはどれくらいですか？いつ建てられましたか？",
            "東京タワーの高さは**333メートル**です。[1] 1958年に完成しました。\n\n| 項目 | 値 |\n|---|---|\n| 高さ | 333 m |".to_owned(),
            "東京タワー公式サイト",
        ),
        (
            "0199bbbbbbbbbbbbbbbbbbbbbbbbbbb",
            "متى تم بناء برج القاهرة، وكم يبلغ ارتفاعه؟",
            "تم الانتهاء من بناء برج القاهرة عام **1961** ويبلغ ارتفاعه 187 متراً. [1]\n\n- بني في جزيرة الزمالك\n- صممه نعوم شبيب"
                .to_owned(),
            "برج القاهرة",
        ),
        (
            "0199ccccccccccccccccccccccccccc",
            long.as_str(),
            format!("{long} [1]\n\nhttps://example.org/{long}\n\n| {long} | {long} |\n|---|---|\n| {long} | b |\n\n`{long}`"),
            long.as_str(),
        ),
        (
            "0199ddddddddddddddddddddddddddd",
            "How do I print an answer, and what is the energy of a kilogram?",
            format!(
                "Like this [1]:\n\n{code}\n\nThe energy is\n\n$$E = mc^2 = \\frac{{1}}{{2}} \\sum_{{i=1}}^{{n}} x_i$$\n\n- [x] read\n- [ ] written\n\nA note.[^1]\n\n[^1]: In small print."
            ),
            "A page",
        ),
    ];
    let lines: Vec<String> = cases.iter().map(|(id, question, answer, title)| thread(id, question, answer, title).to_string()).collect();
    Engine::open(EngineOptions { data: Some(folder.path().join("data")), ..EngineOptions::default() })
        .unwrap()
        .import_threads(std::io::Cursor::new(lines.join("\n")), nexi_engine::import::OnBroken::Refuse)
        .await
        .unwrap();
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    for (index, name) in ["japanese", "arabic", "long-words", "dressed"].into_iter().enumerate() {
        let id = format!("{}0", cases[index].0);
        window.eval(&format!("location.hash = '{id}'")).await;
        window.reload().await;
        window.wait_for("the thread is open", "return document.querySelector('.turn .answer')?.innerText.length > 20").await;
        for width in [1280, 400] {
            window.resize(width, 880).await;
            window.comes_to_rest().await;
            let wide = "return document.documentElement.scrollWidth > innerWidth + 1 || document.querySelector('#flow').scrollWidth > document.querySelector('#flow').clientWidth + 1";
            assert_eq!(window.eval(wide).await, json!(false), "{name} at {width} pixels scrolls sideways");
        }
        window.resize(1280, 880).await;
        assert_eq!(window.faults().await, Vec::<String>::new(), "{name}");
        window.pictures(name).await;
    }
    // The whole window from right to left.
    window.eval("document.documentElement.dir = 'rtl'").await;
    window.picture("right-to-left").await;
    window.eval("document.documentElement.dir = 'ltr'").await;
    // Text of twice the size, by the setting.
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: null})").await;
    window.switch("settings.html").await;
    let larger = "const done = arguments[0]; window.__TAURI__.core.invoke('change_settings', {changes: [{path: ['desktop', 'text_size'], value: 200}]}).then(done, done)";
    assert_eq!(window.client.execute_async(larger, vec![]).await.unwrap(), json!([]));
    window.pictures_of("settings-200", (940, 720)).await;
    window.switch("index.html").await;
    window.wait_for("it is larger", "return devicePixelRatio >= 1.9 || innerWidth < 700").await;
    window.comes_to_rest().await;
    let wide = "return document.querySelector('#flow').scrollWidth > document.querySelector('#flow').clientWidth + 1";
    assert_eq!(window.eval(wide).await, json!(false), "at 200 %");
    window.pictures("large-text").await;
    window.close().await;
}

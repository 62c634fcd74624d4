//! Untrusted text never acts, commands stay with their windows, and private threads with the memory.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use nexi_engine::{Engine, EngineOptions};
use nexi_testkit::{LlmServer, Scripted, Site, let_pass};
use serde_json::{Value, json};

use crate::support::{DONE, Window, model_settings};

/// Our own payloads; the corpora of others are read where they are.
const OWN: [&str; 22] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "![a](x \"onerror=alert(1)\")",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<math><mtext><img src=x onerror=alert(1)></mtext></math>",
    "$\\href{javascript:alert(1)}{x}$",
    "$$\\text{<img src=x onerror=alert(1)>} = 1$$",
    "```\"onmouseover=alert(1) x=\"\ncode\n```",
    "```html\n<img src=x onerror=alert(1)>\n```",
    "<a href=\"https://example.org\" onclick=alert(1)>x</a>",
    "[x](https://example.org \"\\\" onclick=alert(1)\")",
    "<details open ontoggle=alert(1)>",
    "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "<form action=javascript:alert(1)><button>x",
    "<base href=https://example.org/>",
    "<meta http-equiv=refresh content=\"0;url=https://example.org\">",
    "<style>@import 'https://example.org/x.css'</style>",
    "[^1]\n\n[^1]: <img src=x onerror=alert(1)>",
    "| <img src=x onerror=alert(1)> |\n|---|\n| [x](vbscript:x) |",
    "<sup class=\"cite\" data-number=\"1\" onmouseover=alert(1)>1</sup>",
];

fn vectors() -> Vec<String> {
    let mut all: Vec<String> = OWN.iter().map(|text| (*text).to_owned()).collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/xss/vectors.json");
    match std::fs::read_to_string(&corpus).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok()) {
        Some(found) => collect(&found, &mut all),
        None => eprintln!("SKIPPED: the corpora of payloads are not at {}; only our own are tried", corpus.display()),
    }
    all
}

fn collect(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) if !text.trim().is_empty() => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
        Value::Object(map) => match map.get("payload").or(map.get("vector")) {
            Some(payload) => collect(payload, out),
            None => map.values().for_each(|item| collect(item, out)),
        },
        _ => {}
    }
}

/// Files below a folder that hold a text.
pub fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(files_with(&path, text));
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                out.push(path.display().to_string());
            }
        }
    }
    out
}

/// Notes whatever acts: calls of dialogs, and what the policy had to stop.
const WATCH: &str = "window.hits = []; window.alive = true; for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) { try { window[name] = (text) => { window.hits.push(name + ' ' + text); } } catch {} } \
    document.addEventListener('securitypolicyviolation', (event) => window.hits.push('policy ' + event.violatedDirective + ' ' + event.sample)); window.addEventListener('error', (event) => { if (event.target !== window) window.hits.push('load ' + event.target.tagName); }, true);";

/// Elements and attributes that answers may be made of; everything else is a fault.
const STRANGERS: &str = "const tags = new Set('A BLOCKQUOTE BR BUTTON CODE DEL DIV EM H1 H2 H3 H4 H5 H6 HR LI OL P PRE SECTION SPAN STRONG SUP TABLE TBODY TD TH THEAD TR UL'.split(' ')); \
    const attributes = new Set('href rel title class type aria-label data-number data-turn data-ordinal data-passage data-place data-lang data-note tabindex role start dir data-math data-statement data-support aria-busy style'.split(' ')); const out = []; \
    for (const element of document.querySelectorAll('.turn .answer *, .turn .question *, .side *')) { const math = element.namespaceURI.endsWith('MathML'); \
      if (!math && !tags.has(element.tagName)) out.push(element.outerHTML.slice(0, 120)); \
      for (const {name, value} of element.attributes) { if (name.startsWith('on') || (!math && !attributes.has(name)) || (name === 'href' && !/^https?:/.test(value)) || (name === 'style' && element.closest('.answer *'))) out.push(name + '=' + value.slice(0, 80)); } } return out";

const RESOURCES: &str = "return performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith('tauri://localhost/') && !/^(ipc|http):\\/\\/(ipc\\.)?localhost\\/[a-z_]+$/.test(name))";

async fn nothing_acted(window: &Window, what: &str) {
    let_pass(Duration::from_millis(400)).await;
    assert_eq!(window.eval("return window.alive === true").await, json!(true), "{what}: the page was left");
    assert_eq!(window.eval("return window.hits").await, json!([]), "{what}: something ran, or tried to");
    assert_eq!(window.eval(STRANGERS).await, json!([]), "{what}: elements that no answer may hold");
    assert_eq!(window.eval(RESOURCES).await, json!([]), "{what}: something was fetched");
    assert!(window.text("return location.href").await.starts_with("tauri://localhost"), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_payload_acts_in_the_stream_the_history_or_an_export() {
    let all = vectors();
    println!("{} payloads", all.len());
    // Items of a list: whatever one leaves open ends with its item.
    let batches: Vec<String> = all
        .chunks(100)
        .map(|some| {
            let mut text = String::new();
            for (index, vector) in some.iter().enumerate() {
                let _ = writeln!(text, "- {index} {}", vector.replace('\n', "\n  "));
            }
            text
        })
        .collect();
    let script = batches.iter().map(|answer| Scripted::Calls(vec![("final_answer", json!({"answer": answer}))])).collect();
    let model = LlmServer::start("canary-key", Duration::ZERO, script).await;
    // The history holds every payload by itself: as question, answer, title and address of a source.
    let folder = tempfile::tempdir().unwrap();
    let turns: Vec<Value> = all.iter().enumerate().map(|(index, vector)| turn(index, vector)).collect();
    let sources: Vec<Value> = all.iter().enumerate().map(|(index, vector)| source(index, vector)).collect();
    let thread = json!({"nexi_thread": 1, "id": THREAD, "title": "<img src=x onerror=alert(1)>", "created_ms": 1, "updated_ms": 1, "turns": turns, "sources": sources});
    let engine = Engine::open(EngineOptions { data: Some(folder.path().join("data")), ..EngineOptions::default() }).unwrap();
    engine.import_threads(std::io::Cursor::new(thread.to_string()), nexi_engine::import::OnBroken::Refuse).await.unwrap();
    drop(engine);
    let window = Window::open_in(Some(&model_settings(&model.base_url, "m", "")), folder).await;
    window.eval(WATCH).await;
    for number in 0..batches.len() {
        window.eval("document.querySelector('#new').click()").await;
        window.wait_for("an empty thread", "return !!document.querySelector('#empty')").await;
        window.ask("Tell me.").await;
        window.wait_for("the run is over", DONE).await;
        nothing_acted(&window, &format!("stream {number}")).await;
    }
    window.eval(&format!("location.hash = '{THREAD}'")).await;
    window.reload().await;
    window.wait_for("the thread is open", "return document.querySelectorAll('.turn').length > 20").await;
    window.eval(WATCH).await;
    // Every turn comes into sight.
    let down = "const down = () => { const unread = [...document.querySelectorAll('.turn.unread')].at(-1); if (unread) { unread.scrollIntoView(); requestAnimationFrame(down); } }; down()";
    window.eval(down).await;
    window.wait_down("every turn was shown", "return document.querySelectorAll('.turn.unread').length").await;
    assert_eq!(window.eval("return document.querySelectorAll('.turn').length").await, json!(all.len()));
    nothing_acted(&window, "history").await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("the library is shown", "return document.querySelectorAll('.entry').length > 0").await;
    nothing_acted(&window, "library").await;
    // The export, in a browser without any of our protection.
    let call = format!(
        "const done = arguments[0]; window.__TAURI__.core.invoke('export', {{thread: '{THREAD}', turn: null, format: 'html', style: 'numbered'}}).then(done, (error) => done('failed: ' + error))"
    );
    let path = window.client.execute_async(&call, vec![]).await.unwrap();
    let page = std::fs::read_to_string(path.as_str().unwrap()).unwrap();
    let bare = window.path("bare.html");
    // Without its policy, so that only the text itself can be harmless.
    std::fs::write(&bare, page.replace("http-equiv=\"Content-Security-Policy\"", "data-off=\"\"")).unwrap();
    let control = window.path("control.html");
    std::fs::write(&control, format!("<!doctype html><p>{}", all.join("\n<p>"))).unwrap();
    // The negative control: the same payloads without the cleaner are noticed, by the same watch.
    let raw: Vec<&str> = all.iter().map(String::as_str).take(400).collect();
    window.client.execute("const make = Document.prototype.createElement; for (const html of arguments[0]) { const box = make.call(document, 'div'); box.innerHTML = html; (document.querySelector('html > body') ?? document.documentElement).append(box); }", vec![json!(raw)]).await.unwrap();
    window.wait_for("the watch notices what acts", "return window.hits.length > 5").await;
    let browser = crate::desk::Browser::open().await;
    let acted = browser.acted(&bare).await;
    assert_eq!(acted, Vec::<String>::new(), "the export acts");
    let acted = browser.acted(&control).await;
    assert!(!acted.is_empty(), "the watch notices nothing in the browser");
    println!("negative control: {} hits in the browser", acted.len());
    browser.close().await;
    window.close().await;
}

const THREAD: &str = "0197000000000000000000000000000a";

fn turn(index: usize, vector: &str) -> Value {
    let number = index + 1;
    json!({
        "id": format!("0197{index:028x}"), "thread": THREAD, "question": vector, "effort": "m", "model": vector, "asked_ms": number, "duration_ms": 1,
        "ending": {
            "state": "partial", "reason": vector, "answer": format!("{vector}\n\nAnd then [{number}].\n\n{vector}"), "steps": 1, "usage": {"prompt": 0, "completion": 0}, "follow_ups": [vector],
            "sources": [{"number": number, "url": format!("https://example.org/{number}"), "title": vector, "site": vector, "date": "2024-01-01", "cited": true, "passages": [{"start": 0, "end": 1, "quote": vector}]}],
            "citations": [{"number": number, "ordinal": 0, "passage": 0, "known": true, "support": "supported"}],
        },
        "events": [
            {"turn": "x", "seq": 0, "elapsed_ms": 0, "event": {"type": "started", "question": vector, "effort": "m", "max_steps": 8, "model": vector}},
            {"turn": "x", "seq": 1, "elapsed_ms": 0, "event": {"type": "step_started", "step": 1}},
            {"turn": "x", "seq": 2, "elapsed_ms": 0, "event": {"type": "searching", "step": 1, "queries": [vector]}},
            {"turn": "x", "seq": 3, "elapsed_ms": 0, "event": {"type": "notice", "text": vector}},
        ],
    })
}

fn source(index: usize, vector: &str) -> Value {
    let number = index + 1;
    json!({"number": number, "read_ms": 1, "page": {"url": format!("https://example.org/{number}"), "title": vector, "byline": vector, "text": vector}})
}

#[tokio::test(flavor = "multi_thread")]
async fn every_window_may_call_its_own_commands_and_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let configuration: Value = serde_json::from_str(&std::fs::read_to_string(root.join("tauri.conf.json")).unwrap()).unwrap();
    let capabilities = configuration["app"]["security"]["capabilities"].as_array().unwrap();
    let mut all = BTreeSet::new();
    let mut own = std::collections::BTreeMap::new();
    for capability in capabilities {
        let names: BTreeSet<String> = capability["permissions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().replacen("allow-", "", 1).replace('-', "_"))
            .collect();
        all.extend(names.clone());
        own.insert(capability["windows"][0].as_str().unwrap().to_owned(), names);
    }
    let window = Window::open(Some("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n")).await;
    window.switch("index.html").await;
    for which in ["settings", "setup"] {
        let open = format!(
            "const done = arguments[0]; window.__TAURI__.core.invoke('open_window', {{which: '{which}', part: null}}).then(done, done)"
        );
        window.client.execute_async(&open, vec![]).await.unwrap();
    }
    let foreign = [
        "plugin:opener|open_url",
        "plugin:event|listen",
        "plugin:event|emit",
        "plugin:window|create",
        "plugin:webview|create_webview_window",
        "plugin:app|version",
        "plugin:dialog|open",
        "plugin:autostart|enable",
        "plugin:global-shortcut|register",
        "no_such_command",
    ];
    for (page, label) in [("index.html", "main"), ("popup.html", "popup"), ("settings.html", "settings"), ("setup.html", "setup")] {
        window.switch(page).await;
        let strangers: Vec<String> = all.difference(&own[label]).cloned().chain(foreign.iter().map(|name| (*name).to_owned())).collect();
        for command in &strangers {
            let script = "const [command, done] = arguments; window.__TAURI_INTERNALS__.invoke(command, {url: 'https://example.org/', thread: 'x', provider: 'x', key: 'x'}).then(() => done('allowed'), (error) => done('refused: ' + error))";
            let result = window.client.execute_async(script, vec![json!(command)]).await.unwrap();
            let result = result.as_str().unwrap_or_default().to_owned();
            assert!(
                result.starts_with("refused") && (result.contains("not allowed") || result.contains("not found")),
                "{label} calls {command}: {result}"
            );
        }
        println!("{label}: {} commands of its own, {} refused", own[label].len(), strangers.len());
    }
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_thread_leaves_nothing_on_disk_until_it_is_kept() {
    let text = "The zyxwallow canary lighthouse was lit in 1904 by the keeper. It stands on the northern rock, and it is open in summer. "
        .repeat(6);
    let site = Site::start(&[(
        "/light",
        &format!(
            "<html><head><title>Zyxwallow light</title></head><body><article><h1>Zyxwallow light</h1><p>{text}</p></article></body></html>"
        ),
    )])
    .await;
    let url = site.url("/light");
    let model = LlmServer::start(
        "canary-key",
        Duration::ZERO,
        vec![
            Scripted::Calls(vec![("web_get", json!({"urls": [url]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": "The zyxwallow lighthouse was lit in 1904 [1]."}))]),
        ],
    )
    .await;
    let settings = format!("{}\n[network]\nallowed_private_hosts = [\"{}\"]\n", model_settings(&model.base_url, "m", ""), site.host);
    let window = Window::open(Some(&settings)).await;
    window.click("#private").await;
    window.wait_for("it says so", "return document.querySelector('#empty').innerText.includes('in memory only')").await;
    window.pictures("private").await;
    window.ask("When was the zyxwallow lighthouse lit?").await;
    window.wait_for("the run is over", DONE).await;
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("lit in 1904"));
    let_pass(Duration::from_millis(600)).await;
    let folder = window.path("");
    assert_eq!(files_with(&folder, "zyxwallow"), Vec::<String>::new(), "nothing of it is in any file");
    // Kept, it is in the library.
    window.click("#thread-menu").await;
    window.wait_for("a menu", "return !!document.querySelector('.menu-list')").await;
    window.eval("[...document.querySelectorAll('.menu-list button')].find((item) => item.innerText.startsWith('Keep')).click()").await;
    window.wait_for("it is kept", "return !document.querySelector('.badge')").await;
    assert!(!files_with(&folder, "zyxwallow").is_empty());
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("it is in the library", "return document.querySelector('.entry')?.innerText.includes('zyxwallow')").await;
    window.close().await;
}

//! The pictures of the README and the handbook, with questions that we wrote ourselves.

use std::time::Duration;

use nexi_engine::{Engine, EngineOptions};
use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{DONE, ENTER, Window, press};

/// A thread that was asked so many hours ago.
fn thread(number: usize, hours: i64, question: &str, answer: &str, site: &str, tags: &[&str]) -> Value {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64);
    let asked = now - hours * 3_600_000;
    let (id, turn) = (format!("0198{number:028x}"), format!("0199{number:028x}"));
    let url = format!("https://{site}/");
    json!({"nexi_thread": 1, "id": id, "title": question, "created_ms": asked, "updated_ms": asked, "pinned": number == 1, "tags": tags,
        "turns": [{"id": turn, "thread": id, "question": question, "effort": "m", "model": "m", "asked_ms": asked, "duration_ms": 8000 + number * 700, "events": [],
            "ending": {"state": "answered", "answer": answer, "citations": [], "steps": 3, "usage": {"prompt": 9000, "completion": 700, "cost": 3000 + number * 170},
                "sources": [{"number": 1, "url": url, "title": "Records", "site": site, "cited": true, "passages": []}]}}],
        "sources": [{"number": 1, "read_ms": asked, "page": {"url": url, "title": "Records", "text": "t"}}]})
}

fn page(title: &str, date: &str, text: &str) -> String {
    let rest = "The archive of the town keeps the drawings and the letters, and is open on weekdays. ".repeat(5);
    format!(
        "<html><head><title>{title}</title><meta property=\"article:published_time\" content=\"{date}\"></head><body><article><h1>{title}</h1><p>{text}</p><p>{rest}</p></article></body></html>"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn the_three_pictures_of_the_readme() {
    let site = Site::start(&[
        ("/opening", &page("The opening of the Aldermoor Bridge", "2025-05-12", "The Aldermoor Bridge was opened on 12 May 1931 by the mayor, after four years of work and two floods. The toll was given up in 1958.")),
        ("/span", &page("Spans of the river Wend", "2024-09-03", "The main span of the Aldermoor Bridge measures 312 metres. The bridge was painted green in 1978, and has been green ever since.")),
        ("/cost", &page("What bridges cost", "2023-02-20", "The Aldermoor Bridge cost 4.2 million crowns, a third more than the council had planned for it in 1926.")),
    ])
    .await;
    // The site is also the proxy, so that its pages can have real names in the pictures.
    let urls = ["aldermoor.example/opening", "wend-archive.example/span", "ledgers.example/cost"].map(|place| format!("http://{place}"));
    let search = SearchServer::start(
        200,
        &[("The opening", &urls[0], "Opened by the mayor"), ("Spans", &urls[1], "Spans"), ("Costs", &urls[2], "Costs")],
    )
    .await;
    let answer = "The Aldermoor Bridge was opened on **12 May 1931**, after four years of work and two floods.[1] Its main span measures 312 metres.[2]\n\n| | planned | built |\n|---|---|---|\n| Cost | 3.1 million crowns | 4.2 million crowns [3] |\n| Opening | spring 1929 | 12 May 1931 [1] |\n\n- **Toll.** It was given up in 1958.[1]\n- **Colour.** It was painted blue in 1978.[2]";
    let follow_ups = json!(["Why did it cost more than planned?", "Which floods delayed the work?"]);
    let quick = "The main span measures **312 metres**.[2] It has been green since 1978.[2]";
    let model = LlmServer::start(
        "canary-key",
        Duration::from_millis(2),
        vec![
            Scripted::Calls(vec![
                ("web_search", json!({"queries": ["Aldermoor Bridge opening", "Aldermoor Bridge main span", "Aldermoor Bridge cost"]})),
                ("web_get", json!({"urls": [urls[0]]})),
            ]),
            // One by one, because sources are numbered as they arrive.
            Scripted::Calls(vec![("web_get", json!({"urls": [urls[1]]}))]),
            Scripted::Calls(vec![("web_get", json!({"urls": [urls[2]]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": answer, "follow_ups": follow_ups}))]),
            Scripted::Calls(vec![
                ("web_search", json!({"queries": ["Aldermoor Bridge main span"]})),
                ("web_get", json!({"urls": [urls[0]]})),
            ]),
            Scripted::Calls(vec![("web_get", json!({"urls": [urls[1]]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": quick}))]),
        ],
    )
    .await;
    let settings = format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\n[network]\nproxy = \"http://{}\"\n[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"gpt-4.1-mini\"\napi_key_env = \"NEXI_TEST_KEY\"\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n",
        site.host, model.base_url, search.base_url
    );
    let folder = tempfile::tempdir().unwrap();
    let threads = [
        thread(
            1,
            2,
            "Which harbour walls of the northern coast are older than 1880?",
            "The wall of Skerryvoe is the oldest one; it was finished in 1877 after the great storm.[1]",
            "harbours.example",
            &["coast"],
        ),
        thread(
            2,
            5,
            "How are tide tables made today?",
            "From harmonic constants and a year of measurements at the harbour.[1]",
            "tides.example",
            &["coast", "sea"],
        ),
        thread(
            3,
            30,
            "Why did the lighthouse of Skerryvoe change its colour?",
            "Its red bands were added in 1904, so that it could be told from the one at the harbour mouth.[1]",
            "lights.example",
            &[],
        ),
        thread(
            4,
            50,
            "What is the oldest working lift bridge?",
            "The one at Middlemoor, which has been working since 1869.[1]",
            "bridges.example",
            &[],
        ),
        thread(
            5,
            100,
            "How long does sea water take to freeze?",
            "Longer than fresh water, because salt lowers its freezing point.[1]",
            "sea.example",
            &["sea"],
        ),
    ];
    let lines: Vec<String> = threads.iter().map(Value::to_string).collect();
    Engine::open(EngineOptions { data: Some(folder.path().join("data")), ..EngineOptions::default() })
        .unwrap()
        .import_threads(std::io::Cursor::new(lines.join("\n")), nexi_engine::import::OnBroken::Refuse)
        .await
        .unwrap();
    let window = Window::open_in(Some(&settings), folder).await;
    window.ask("When was the Aldermoor Bridge opened, how long is it, and did it cost what was planned?").await;
    window.wait_for("the run is over", DONE).await;
    window.resize(1280, 880).await;
    window.eval("document.querySelector('.answer .chip.partly').focus()").await;
    window.wait_for("the card is shown", "return !document.querySelector('#card').hidden").await;
    let card = window.text("return document.querySelector('#card').innerText").await;
    assert!(card.contains("Partly supported"), "another colour than the source's is noticed: {card}");
    window.picture("readme-research").await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("the library", "return document.querySelectorAll('.entry').length === 6").await;
    window.click("#library-search").await;
    window.keys("harbour").await;
    window.wait_for("hits", "return document.querySelectorAll('.entry mark').length >= 3").await;
    window.picture("readme-library").await;
    window.hotkey_works().await;
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    window.popup_has_focus().await;
    window.keys("How long is the Aldermoor Bridge?").await;
    window.keys(ENTER).await;
    window.wait_for("the answer is there", "return document.querySelector('.sum')?.innerText.includes('Answered')").await;
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("312 metres"));
    window.picture("readme-popup").await;
    assert_eq!(model.problems(), Vec::<String>::new());
    window.close().await;
}

//! What is being read stays where it is, and sources follow what is in sight.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::support::{DONE, ESCAPE, Window, page, web_settings};

/// Notes in every frame where the question field stands, and where each block of each answer does, from its question on.
const WATCH: &str = "window.seen = {field: new Set(), blocks: {}, frames: 0}; \
    const look = () => { window.seen.frames += 1; \
      const field = document.querySelector('#composer').getBoundingClientRect(); window.seen.field.add(field.left + ' ' + field.width); \
      for (const turn of document.querySelectorAll('.turn')) { const question = turn.querySelector('.question').getBoundingClientRect(); \
        [...turn.querySelectorAll('.answer > *')].forEach((block, index) => { const own = block.getBoundingClientRect(); \
          (window.seen.blocks[turn.dataset.turn + ' ' + index] ??= new Set()).add([own.left, own.width, own.top - question.top].join(' ')); }); } \
      requestAnimationFrame(look); }; requestAnimationFrame(look)";
/// The places of the blocks of the last answer.
const SEEN: &str = "const turn = document.querySelector('.turn:last-child').dataset.turn; \
    return {field: [...seen.field], frames: seen.frames, blocks: Object.entries(seen.blocks).filter(([key]) => key.startsWith(turn)).map(([, places]) => [...places])}";

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_stands_still_from_its_first_line_on() {
    let site = Site::start(&[
        ("/bridge", &page("Aldermoor Bridge", "The Aldermoor Bridge was opened on 12 May 1931 by the mayor, after four years of work.")),
        ("/span", &page("Spans of the Wend", "The main span of the Aldermoor Bridge measures 312 metres and was painted green in 1978.")),
    ])
    .await;
    let (bridge, span) = (site.url("/bridge"), site.url("/span"));
    let search = SearchServer::start(200, &[("Aldermoor Bridge", &bridge, "A bridge"), ("Spans", &span, "Spans")]).await;
    let filler = "The archive of the town keeps the drawings of the works, and is open on weekdays.[2] ".repeat(6);
    let answer = format!(
        "The bridge was opened on **12 May 1931**.[1] Its main span measures 312 metres.[2] People like to walk there on Sundays.\n\n{filler}\n\n- It was painted *green* in 1978.[2]\n- It is loved by penguins.[1]"
    );
    let model = LlmServer::start(
        "canary-key",
        Duration::from_millis(15),
        vec![
            Scripted::Calls(vec![("web_search", json!({"queries": ["aldermoor bridge opening"]})), ("web_get", json!({"urls": [bridge]}))]),
            // One by one, because numbers follow the order of arrival.
            Scripted::Calls(vec![("web_get", json!({"urls": [span]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": answer, "follow_ups": ["Who opened it?"]}))]),
            Scripted::Calls(vec![("web_search", json!({"queries": ["aldermoor bridge span"]})), ("web_get", json!({"urls": [span]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": answer, "follow_ups": ["Who painted it?"]}))]),
        ],
    )
    .await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host);
    let window = Window::open_in_layers(&settings, tempfile::tempdir().unwrap()).await;
    window.resize(1280, 880).await;
    for (turn, (asked, width)) in
        [("When was the bridge opened, and how long is it?", 1280), ("And how long is the span?", 420)].into_iter().enumerate()
    {
        window.resize(width, 880).await;
        window.comes_to_rest().await;
        // From before the question on: nothing makes room for it, either.
        window.eval(WATCH).await;
        window.ask(asked).await;
        window.wait_for("the question is shown", &format!("return document.querySelectorAll('.turn').length === {}", turn + 1)).await;
        window.wait_for("the run is over", DONE).await;
        window.comes_to_rest().await;
        let seen = window.eval(SEEN).await;
        println!("layout shift at {width} px, {} frames: field {}, blocks {}", seen["frames"], seen["field"], seen["blocks"]);
        assert!(seen["frames"].as_u64() > Some(5), "{seen}");
        assert_eq!(seen["field"].as_array().unwrap().len(), 1, "the question field stays where it is: {seen}");
        let blocks = seen["blocks"].as_array().unwrap();
        assert!(blocks.len() > 2, "{seen}");
        assert!(
            blocks.iter().all(|places| places.as_array().is_some_and(|places| places.len() == 1)),
            "every block stays where it is: {seen}"
        );
    }
    // What to ask next is offered for the last answer alone.
    let offered =
        "return [...document.querySelectorAll('.next')].filter((list) => list.offsetHeight > 0).map((list) => list.innerText.trim())";
    assert_eq!(window.eval(offered).await, json!(["Who painted it?"]));
    // Statements without a citation are underlined when that is wanted.
    window.resize(1280, 700).await;
    let marked = "return [...(CSS.highlights.get('uncited') ?? [])].map((range) => range.toString()).join('|')";
    assert_eq!(window.text(marked).await, "");
    window.eval("document.querySelector('.turn:last-child .show-uncited').click()").await;
    assert!(window.text(marked).await.contains("walk there on Sundays"));
    window.picture("uncited").await;
    window.eval("document.querySelector('.turn:last-child .show-uncited').click()").await;
    assert_eq!(window.text(marked).await, "");
    // The sources beside it are those of the turn in sight.
    window.eval("document.querySelector('#flow').scrollTop = 0").await;
    window
        .wait_for(
            "the first turn's sources",
            "return document.querySelector('#side .source-row')?.dataset.turn === document.querySelector('.turn').dataset.turn",
        )
        .await;
    // Pointing at a source lights up what cites it, and the other way round.
    let lit = "return [...document.querySelectorAll('.turn:first-child .chip.lit')].map((chip) => chip.dataset.number).join('')";
    window.eval("document.querySelector('#side .source-row[data-number=\"2\"] .source').focus()").await;
    let numbers = window.text(lit).await;
    assert!(numbers.len() > 2 && numbers.bytes().all(|number| number == b'2'), "{numbers}");
    window.picture("lit").await;
    window.eval("document.querySelector('.turn:first-child .chip').focus()").await;
    assert_eq!(window.eval("return document.querySelector('#side .source-row.lit')?.dataset.number").await, json!("1"));
    // Single keys, once the question field is left.
    window.eval("document.querySelector('#composer').focus()").await;
    window.keys(ESCAPE).await;
    window.wait_for("the field is left", "return document.activeElement.id === 'flow'").await;
    window.keys("j").await;
    let second =
        "return document.querySelector('#side .source-row')?.dataset.turn === document.querySelector('.turn:last-child').dataset.turn";
    window.wait_for("the next turn is in sight", second).await;
    window.keys("f").await;
    window.wait_for("its first citation", "return document.activeElement.matches('.turn:last-child .answer .chip')").await;
    window.keys("k").await;
    window.keys("k").await;
    window
        .wait_for(
            "the first turn is in sight",
            "return document.querySelector('#side .source-row')?.dataset.turn === document.querySelector('.turn').dataset.turn",
        )
        .await;
    window.keys("e").await;
    window
        .wait_for("the export is asked for", "return document.querySelector('dialog.ask')?.getAttribute('aria-label') === 'Export'")
        .await;
    window.keys(ESCAPE).await;
    window.wait_for("the dialog is gone", "return !document.querySelector('dialog')").await;
    window.eval("document.querySelector('#flow').focus()").await;
    window.keys("\u{e00a}1\u{e000}").await;
    crate::support::until("the browser is asked", || window.opened().iter().any(|url| url.contains("/bridge"))).await;
    assert_eq!(window.eval("return document.querySelectorAll('.toast.shown').length").await, Value::from(0));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_pressed_is_not_drawn_anew_meanwhile() {
    let window = Window::open(Some("llm_backends = [\"builtin\"]\n")).await;
    window.ask("The first question about the harbour?").await;
    window.wait_for("the run is over", DONE).await;
    let listed = |count: usize| format!("return document.querySelectorAll('.threads .row').length === {count}");
    window.wait_for("the thread is listed", &listed(1)).await;
    let mark = "for (const one of document.querySelectorAll('#rail button, #thread-menu')) one.dataset.mark = one.id || one.className; \
        document.querySelector('#open-documents').focus()";
    window.eval(mark).await;
    // The list gets a thread, moves the other one down, and says how both are; the header gets another name.
    window.eval("document.querySelector('#new').click()").await;
    window.ask("A second question, about the gate?").await;
    window.wait_for("the second run is over", DONE).await;
    window.wait_for("both are listed", &listed(2)).await;
    let kept = window.eval("return [...document.querySelectorAll('[data-mark]')].map((one) => one.dataset.mark)").await;
    let kept: Vec<&str> = kept.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for name in ["new", "open-palette", "open-documents", "open-library", "open-settings", "open-help"] {
        assert!(kept.contains(&name), "{name} is the same element as before: {kept:?}");
    }
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_stands_at_the_top_and_marks_stay_below_dialogs() {
    let model = LlmServer::start(
        "canary-key",
        Duration::ZERO,
        vec![
            Scripted::Text("Nobody knows who paid for the wall."),
            Scripted::Text("Gulls like its eastern end."),
            Scripted::Text("The eastern end of the harbour wall was liked by gulls in 1931."),
        ],
    )
    .await;
    let window = Window::open(Some(&crate::support::model_settings(&model.base_url, "test-model", ""))).await;
    window.resize(1280, 700).await;
    window.ask("Who paid for the wall?").await;
    window.wait_for("the first answer", DONE).await;
    window.ask("And who likes it?").await;
    window.wait_for("the second answer", "return document.querySelectorAll('.turn .acts').length === 2").await;
    // As a person who has read from the beginning would: the last question is asked again by a key.
    window.eval("const flow = document.querySelector('#flow'); flow.scrollTop = 0; flow.focus()").await;
    window.keys("r").await;
    window.wait_for("the third answer", "return document.querySelectorAll('.turn .acts').length === 3").await;
    window.comes_to_rest().await;
    let place = "const flow = document.querySelector('#flow').getBoundingClientRect(); \
        const [question, acts] = ['.question', '.acts'].map((part) => document.querySelector(`.turn:last-child ${part}`).getBoundingClientRect()); \
        return question.top > flow.top && question.top < flow.top + 100 && acts.bottom < flow.bottom";
    assert_eq!(window.eval(place).await, json!(true), "the question is at the upper edge, and all of its answer in sight");
    // WebKit would paint the underlines of the page onto the dialog.
    let marked = "return CSS.highlights.get('uncited')?.size ?? 0";
    window.eval("document.querySelector('.turn:last-child .show-uncited').click()").await;
    assert_eq!(window.eval(marked).await, json!(1));
    window.eval("document.querySelector('#flow').focus()").await;
    window.keys("e").await;
    window.wait_for("a dialog", "return !!document.querySelector('dialog[open]')").await;
    assert_eq!(window.eval(marked).await, json!(0));
    window.keys(ESCAPE).await;
    window.wait_for("the marks are back", "return !document.querySelector('dialog') && CSS.highlights.get('uncited')?.size === 1").await;
    window.close().await;
}

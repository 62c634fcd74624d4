//! The line that says how well an answer is supported, and the ways out of an incident: the same in window and popup.

use std::time::Duration;

use nexi_engine::import::OnBroken;
use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::{Value, json};

use crate::library::{Words, engine, thread};
use crate::support::{BUILT_IN, DONE, ENTER, Window, model_settings, page, popup_is_shown, press, until, web_settings};

/// What the line says, whether it is as grave as a colour can say it, and whether that colour is the one of doubts.
const LINE: &str = "const line = document.querySelector('.evidence'); const sum = line.querySelector('.trust-sum'); \
    const probe = document.createElement('i'); probe.style.color = 'var(--doubt)'; document.body.append(probe); \
    const warns = getComputedStyle(sum).color === getComputedStyle(probe).color; probe.remove(); \
    return [sum.innerText.trim(), line.className, warns, [...document.querySelectorAll('.answer .chip')].every((chip) => getComputedStyle(chip).borderTopStyle === 'dashed')]";

async fn steps_to_a_doubt(window: &Window) {
    window.click(".evidence .trust-sum").await;
    window.wait_for("the first doubt is marked", "return [...(CSS.highlights.get('doubt') ?? [])].length === 1").await;
    let said = window.text("return document.querySelector('.said-now').innerText").await;
    assert!(said.contains("1 of 3"), "{said}");
}

async fn open_popup(window: &Window) {
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_support_looks_like_one_in_window_and_popup() {
    let site =
        Site::start(&[("/bridge", &page("Aldermoor Bridge", "The Aldermoor Bridge was opened by the mayor after four years of work."))])
            .await;
    let bridge = site.url("/bridge");
    let search = SearchServer::start(200, &[("Aldermoor Bridge", &bridge, "A bridge")]).await;
    let answer = "It belongs to an opera singer.[1] Dolphins carried its stones.[1] Violins are stored inside.[1]";
    let once = || {
        [
            Scripted::Calls(vec![("web_search", json!({"queries": ["aldermoor bridge"]})), ("web_get", json!({"urls": [bridge]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": answer}))]),
        ]
    };
    let model = LlmServer::start("canary-key", Duration::ZERO, once().into_iter().chain(once()).collect()).await;
    let settings = format!("check = \"local\"\n{}", web_settings(&model.base_url, &search.base_url, &site.host));
    let window = Window::open(Some(&settings)).await;
    window.hotkey_works().await;
    window.ask("What is known of the bridge?").await;
    window.wait_for("the run is over", DONE).await;
    let in_window = window.eval(LINE).await;
    assert_eq!(in_window, json!(["0 of 3 statements supported (3 not supported)", "evidence poor", true, true]));
    window.pictures("trust-poor").await;
    steps_to_a_doubt(&window).await;
    open_popup(&window).await;
    window.keys("What is known of the bridge?").await;
    window.keys(ENTER).await;
    window.wait_for("the answer is there", "return !!document.querySelector('.evidence')").await;
    assert_eq!(window.eval(LINE).await, in_window);
    assert_eq!(window.text("return document.querySelector('.model').innerText").await, "test-model · work");
    window.picture("popup-poor").await;
    steps_to_a_doubt(&window).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    // The research window lists that thread, and as one that has ended.
    window.switch("index.html").await;
    window.wait_for("both threads are listed", "return document.querySelectorAll('.rail .row').length === 2").await;
    window.wait_for("neither runs", "return document.querySelectorAll('.rail .dot.running').length === 0").await;
    // The card of a citation that has the focus goes with its thread.
    window.eval("document.querySelector('.answer .chip').focus()").await;
    window.wait_for("its card", "return !document.querySelector('#card').hidden").await;
    window.keys("\u{e009}n\u{e000}").await;
    window.wait_for("another thread", "return document.querySelectorAll('.turn').length === 0").await;
    window.wait_for("the card is gone", "return document.querySelector('#card').hidden").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn doubts_are_stepped_through_on_the_spot_and_a_number_lights_its_source_alone() {
    let site = Site::start(&[("/bridge", &page("Aldermoor Bridge", "The Aldermoor Bridge was opened by the mayor."))]).await;
    let bridge = site.url("/bridge");
    let search = SearchServer::start(200, &[("Aldermoor Bridge", &bridge, "A bridge")]).await;
    let claims =
        ["an opera singer", "dolphins from far away", "a thousand violins", "the moon of Jupiter", "green marmalade", "seven kings"];
    let answer: Vec<String> =
        claims.iter().map(|claim| format!("It was built for {claim}.[1] {}", "Nobody knows more of it. ".repeat(40))).collect();
    let script = vec![
        Scripted::Calls(vec![("web_search", json!({"queries": ["aldermoor bridge"]})), ("web_get", json!({"urls": [bridge]}))]),
        Scripted::Calls(vec![("final_answer", json!({"answer": answer.join("\n\n")}))]),
    ];
    let model = LlmServer::start("canary-key", Duration::ZERO, script).await;
    let window = Window::open(Some(&format!("check = \"local\"\n{}", web_settings(&model.base_url, &search.base_url, &site.host)))).await;
    window.ask("What is known of the bridge?").await;
    window.wait_for("the run is over", DONE).await;
    window.eval("document.querySelector('.next-doubt').click()").await;
    let place = "const inner = document.querySelector('#flow').getBoundingClientRect(); const box = document.querySelector('.next-doubt').getBoundingClientRect(); \
        const said = document.querySelector('.said-now'); const line = said.getBoundingClientRect(); \
        return [Math.round(box.left), Math.round(box.top), box.top >= inner.top && line.bottom <= inner.bottom && line.height > 10, said.innerText.slice(0, 4)]";
    let still = "const flow = document.querySelector('#flow'); if (window.last === flow.scrollTop) return true; window.last = flow.scrollTop; return false";
    let mut places = Vec::new();
    for step in 1..=4 {
        window.wait_for("the answer has moved", still).await;
        let now = window.eval(place).await;
        assert_eq!(
            (&now[2], now[3].as_str()),
            (&json!(true), Some(format!("{step} of").as_str())),
            "the button and the reason are in sight: {now}"
        );
        places.push(now);
        window.eval("document.querySelector('.next-doubt').click()").await;
    }
    // The first press may find the line where it stands below the answer.
    let stays = |pair: &[Value]| pair[0][0] == pair[1][0] && pair[0][1] == pair[1][1];
    assert!(places[1..].windows(2).all(stays), "the next press is where the last one was: {places:?}");
    window.wait_for("the answer has moved", still).await;
    window.pictures("doubt-steps").await;
    // The key does it, too.
    window.eval("document.querySelector('#flow').focus()").await;
    window.keys("d").await;
    window.wait_for("the next one", "return document.querySelector('.said-now').innerText.startsWith('6 of')").await;
    // A number lights up its source; the others that cite it stay as they are.
    window.eval("document.querySelector('.answer .chip').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))").await;
    assert_eq!(
        window
            .eval("return [document.querySelectorAll('.chip.lit').length, document.querySelectorAll('#side .source-row.lit').length]")
            .await,
        json!([0, 1])
    );
    window.eval("document.querySelector('.source-row').dispatchEvent(new MouseEvent('mouseenter'))").await;
    assert_eq!(window.eval("return document.querySelectorAll('.chip.lit').length").await, json!(6));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_popup_has_the_same_ways_out_of_an_incident() {
    let model =
        LlmServer::start("canary-key", Duration::ZERO, vec![Scripted::Status(402, vec![], "{}"), Scripted::Text("The vault.")]).await;
    let settings =
        model_settings(&model.base_url, "test-model", "").replace("llm_backends = [\"work\"]", "llm_backends = [\"work\", \"builtin\"]");
    let window = Window::open(Some(&settings)).await;
    window.hotkey_works().await;
    open_popup(&window).await;
    window.keys("Where does Nexi keep my keys?").await;
    window.keys(ENTER).await;
    let ways = "return [...document.querySelectorAll('.incident [data-way]')].map((way) => way.dataset.way)";
    window.wait_for("the incident is told", "return document.querySelectorAll('.incident [data-way]').length > 0").await;
    assert_eq!(window.eval(ways).await, json!(["settings", "other_model"]));
    window.click(".incident [data-way='other_model']").await;
    window.wait_for("models are offered", "return !!document.querySelector('.pick[data-model]')").await;
    window.wait_for("the popup has room for them", "return innerHeight >= 440").await;
    window.picture("popup-models").await;
    let listed = window.eval("return [...document.querySelectorAll('.pick')].map((pick) => pick.dataset.model)").await;
    let first = listed.as_array().and_then(|all| all.iter().find(|name| name.as_str().is_some_and(|name| name.starts_with("work"))));
    let first = first.and_then(Value::as_str).unwrap_or_else(|| panic!("{listed}"));
    window.click(&format!(".pick[data-model='{first}']")).await;
    window.wait_for("it has answered", "return document.querySelector('.answer').innerText.includes('The vault.')").await;
    window.wait_for("the popup is small again", "return innerHeight < 440").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stepping_to_a_statement_far_down_moves_the_answer_and_not_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Words(0x5151_aaaa_0f0f_7777);
    let mut long = thread(1, 1, &mut words);
    let uncited = "Nobody has counted the gulls.";
    let paragraphs: Vec<String> = (0..9).map(|_| words.text(80)).collect();
    let answer = format!("{}\n\n{uncited}", paragraphs.join("\n\n"));
    let start = answer.find(uncited).unwrap();
    let ending = &mut long["turns"][0]["ending"];
    ending["citations"] = json!([]);
    ending["statements"] = json!([{"start": start, "end": start + uncited.len(), "support": "uncited"}]);
    ending["answer"] = json!(answer);
    engine(folder.path()).import_threads(std::io::Cursor::new(long.to_string()), OnBroken::Refuse).await.unwrap();
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    window.wait_for("the thread is listed", "return !!document.querySelector('.rail .row')").await;
    window.eval("document.querySelector('.rail .row').click()").await;
    window.wait_for("it is shown", "return !!document.querySelector('.turn .next-doubt')").await;
    // Moved bit by bit, as most people have it: what is asked for meanwhile finds the statement where it was.
    window.eval("const real = matchMedia; window.matchMedia = (query) => (query.includes('reduced-motion') ? { matches: false } : real.call(window, query))").await;
    window.eval("document.querySelector('.next-doubt').click()").await;
    window
        .wait_for(
            "the statement is in sight",
            "const box = document.querySelector('.said-end').getBoundingClientRect(); return box.top > 0 && box.bottom < innerHeight && document.querySelector('#flow').scrollTop > 0",
        )
        .await;
    let moved =
        "return [document.scrollingElement.scrollTop, document.body.scrollTop, document.querySelector('#app').getBoundingClientRect().top]";
    assert_eq!(window.eval(moved).await, json!([0, 0, 0]));
    window.close().await;
}

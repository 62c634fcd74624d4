//! The research window.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site, let_pass};
use serde_json::{Value, json};

use crate::support::{DONE, ENTER, ESCAPE, TAB, Window, model_settings, page, until, web_settings};

#[tokio::test(flavor = "multi_thread")]
async fn from_first_run_to_the_highlighted_passage_by_keyboard() {
    let window = Window::open(None).await;
    window.eval("document.querySelector('#begin').focus()").await;
    window.last_keys(ENTER).await;
    window.switch("index.html").await;
    // The wizard is gone, and what is typed now goes here.
    window.wait_for("the question field has the focus", "return document.hasFocus() && document.activeElement.id === 'composer'").await;
    window.pictures("empty").await;
    assert!(window.path("config/nexi/config.toml").exists(), "the choice is kept");
    // Everything that a run shows while it goes on is noted, since it is over in a moment.
    window
        .eval(
            "window.seen = []; new MutationObserver(() => { const sum = document.querySelector('.turn .sum'); \
             if (sum) window.seen.push(sum.innerText.replaceAll('\\n', ' ')); }).observe(document.querySelector('#flow'), {childList: true, subtree: true})",
        )
        .await;
    window.keys("Where does Nexi keep my keys?").await;
    window.keys(ENTER).await;
    window.wait_for("the run is over", DONE).await;
    let seen = window.eval("return window.seen.join('|')").await.to_string();
    assert!(seen.contains("Starting") || seen.contains("Thinking") || seen.contains("Searching"), "{seen}");
    let summary = window.text("return document.querySelector('.turn .sum').innerText").await.replace('\n', " ");
    assert!(summary.contains("Answered") && summary.contains("1 search"), "{summary}");
    assert!(window.text("return document.querySelector('.acts').innerText").await.contains("uses no AI"));
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("keyring of your operating system"));
    // The steps fold when the run is over, and open again.
    assert_eq!(window.eval("return document.querySelectorAll('.turn .line').length").await, json!(0));
    window.click(".turn .sum").await;
    window.wait_for("the steps are open", "return document.querySelector('.turn .line')?.innerText.includes('Keys')").await;
    // A chip, by keyboard: its card, then the reader with the passage.
    window.eval("document.querySelector('.answer .chip').focus()").await;
    window.wait_for("the card is shown", "return !document.querySelector('#card').hidden").await;
    let card = window.text("return document.querySelector('#card').innerText").await;
    assert!(card.contains("Keys") && card.contains("line") && card.contains("Supported"), "{card}");
    window.pictures("answer").await;
    // What the window itself scrolls takes no card away, nor does going to a number that has to be scrolled into sight.
    window.eval("document.activeElement.blur(); document.querySelector('.answer .chip').focus()").await;
    window.eval("document.querySelector('#flow').dispatchEvent(new Event('scroll'))").await;
    assert_eq!(window.eval("return document.querySelector('#card').hidden").await, json!(false), "nothing has moved");
    let far = "document.activeElement.blur(); const flow = document.querySelector('#flow'); document.querySelector('.column').style.paddingBottom = '3000px'; flow.scrollTop = 2000";
    window.eval(far).await;
    window.comes_to_rest().await;
    assert_eq!(window.eval("return document.querySelector('#card').hidden").await, json!(true), "no number has the focus");
    window.eval("document.querySelector('.answer .chip').focus()").await;
    window.comes_to_rest().await;
    let beside = "const card = document.querySelector('#card'); const chip = document.querySelector('.answer .chip').getBoundingClientRect(); const box = card.getBoundingClientRect(); \
        return !card.hidden && chip.top > 0 && Math.min(Math.abs(box.top - chip.bottom), Math.abs(chip.top - box.bottom)) < 12";
    assert_eq!(window.eval(beside).await, json!(true), "the card is beside its number");
    window.eval("document.querySelector('.column').style.paddingBottom = ''").await;
    window.eval("document.querySelector('.answer .chip').focus()").await;
    window.keys(ENTER).await;
    window.wait_for("the reader is open", "return !document.querySelector('#reader').hidden").await;
    let passage = window.text("return document.querySelector('#reader #passage').textContent").await;
    assert!(passage.contains("Nexi keeps keys in the keyring of your operating system"), "{passage}");
    let visible = "const mark = document.querySelector('#reader #passage').getBoundingClientRect(); return mark.top >= 0 && mark.bottom <= innerHeight";
    assert_eq!(window.eval(visible).await, Value::Bool(true), "the passage is scrolled into view");
    window.pictures("reader-handbook").await;
    window.keys(ESCAPE).await;
    window.wait_for("the reader is closed", "return document.querySelector('#reader').hidden").await;
    assert_eq!(window.opened(), [] as [&str; 0], "a document opens in the app, not in the browser");
    // The thread is in the list, and a follow-up belongs to it.
    window.keys(TAB).await;
    window.ask("What leaves this computer?").await;
    window.wait_for("a second turn ends", "return document.querySelectorAll('.turn .acts').length === 2").await;
    assert_eq!(window.eval("return document.querySelectorAll('.rail .row').length").await, json!(1));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_on_loopback_streams_and_a_reload_loses_nothing() {
    let site = Site::start(&[
        ("/bridge", &page("Aldermoor Bridge", "The Aldermoor Bridge was opened on 12 May 1931 by the mayor, after four years of work.")),
        ("/span", &page("Spans of the Wend", "The main span of the Aldermoor Bridge measures 312 metres and was painted green in 1978.")),
    ])
    .await;
    let (bridge, span) = (site.url("/bridge"), site.url("/span"));
    let search = SearchServer::start(200, &[("Aldermoor Bridge", &bridge, "A bridge"), ("Spans", &span, "Spans")]).await;
    let answer = "The bridge was opened on **12 May 1931** [1].\n\n| what | how much |\n|---|---|\n| main span | 312 metres [2] |\n| cost | 9 million [8] |\n\nIt was painted green in 1978.[2] It is loved by penguins and marmalade dealers.[1]";
    let model = LlmServer::start(
        "canary-key",
        Duration::from_millis(25),
        vec![
            Scripted::Calls(vec![
                ("web_search", json!({"queries": ["aldermoor bridge opening", "aldermoor bridge span"]})),
                ("web_get", json!({"urls": [bridge]})),
            ]),
            Scripted::Calls(vec![("web_get", json!({"urls": [span, site.url("/gone")]}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": answer}))]),
        ],
    )
    .await;
    let settings = web_settings(&model.base_url, &search.base_url, &site.host);
    let window = Window::open(Some(&settings)).await;
    site.hold("/span");
    window.ask("When was the Aldermoor bridge opened, and how long is it?").await;
    window
        .wait_for(
            "the second page is being read",
            "return [...document.querySelectorAll('.line .tag')].some((tag) => tag.innerText.includes('Spans'))",
        )
        .await;
    assert_eq!(window.text("return document.querySelector('#go').textContent").await, "Stop");
    window.pictures("running").await;
    // Loaded again in the middle: the run goes on and is shown from its first step.
    window.reload().await;
    window.wait_for("the steps are back", "return document.querySelectorAll('.turn .line li').length >= 3").await;
    let lengths = "window.lengths = new Set(); new MutationObserver(() => { const answer = document.querySelector('.answer'); \
        if (answer && !document.querySelector('.turn .acts')) window.lengths.add(answer.innerText.length); }).observe(document.querySelector('#flow'), {childList: true, subtree: true, characterData: true})";
    window.eval(lengths).await;
    site.release();
    window.wait_for("the run is over", DONE).await;
    // How many there are depends on how busy the machine is.
    let partly = window.eval("return [...window.lengths].filter((length) => length > 0 && length < document.querySelector('.answer').innerText.length).length").await;
    assert!(partly.as_u64() > Some(0), "the answer was seen while it grew");
    assert_eq!((model.requests().len(), model.problems(), site.asked("/bridge"), site.asked("/span")), (3, Vec::<String>::new(), 1, 1));
    let kinds = window.eval("return [...document.querySelectorAll('.answer .chip')].map((chip) => chip.className)").await;
    assert_eq!(kinds, json!(["chip", "chip", "chip unknown", "chip", "chip unsupported"]));
    let evidence = window.text("return document.querySelector('.evidence').innerText").await;
    println!("{evidence}");
    assert!(evidence.contains("statements supported") && evidence.contains("1 citation has no source"), "{evidence}");
    // Each doubtful statement can be stepped to.
    window.eval("document.querySelector('.next-doubt').click()").await;
    let step = window.text("return document.querySelector('.said-now').textContent").await;
    assert!(step.starts_with("1 of "), "{step}");
    let marked = window.text("return [...CSS.highlights.get('doubt')].map((range) => range.toString()).join('|')").await;
    assert!(!marked.is_empty(), "its words are marked");
    window.pictures("doubt").await;
    assert!(window.text("return document.querySelector('.side').innerText").await.contains("2 read, 1 failed"));
    window.pictures("web-answer").await;
    // The text as it was read stays, whatever becomes of the page.
    window.eval("document.querySelector('.source-row .kept').click()").await;
    window.wait_for("the text of the page", "return !document.querySelector('#reader').hidden").await;
    let kept = window.text("return document.querySelector('#reader').innerText").await;
    assert!(kept.contains("fetched just now") && kept.contains("Aldermoor"), "{kept}");
    assert!(window.eval("return document.querySelectorAll('#reader mark').length").await.as_u64() > Some(0), "the passage is marked");
    window.pictures("kept-text").await;
    window.eval("document.querySelector('#reader .close').click()").await;
    // A click opens the browser at the passage.
    window.click(".answer .chip").await;
    window.wait_for("nothing else happens to the page", "return location.protocol === 'tauri:'").await;
    until("the browser is asked", || !window.opened().is_empty()).await;
    let opened = window.opened();
    assert!(opened[0].starts_with(&format!("{bridge}#:~:text=The%20Aldermoor%20Bridge%20was")), "{opened:?}");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_cannot_act() {
    let attack = "<img src=x onerror=\"window.hit=1\"> <script>window.hit=1</script> [a](javascript:window.hit=1) <svg onload=window.hit=1> [b](https://example.org/)";
    let model =
        LlmServer::start("canary-key", Duration::from_millis(5), vec![Scripted::Calls(vec![("final_answer", json!({"answer": attack}))])])
            .await;
    let settings = model_settings(&model.base_url, "m", "");
    let window = Window::open(Some(&settings)).await;
    window.ask("<b onmouseover=window.hit=1>x</b>").await;
    window.wait_for("the run is over", DONE).await;
    let_pass(Duration::from_millis(300)).await;
    assert_eq!(window.eval("return window.hit ?? null").await, Value::Null);
    assert_eq!(
        window.eval("return document.querySelectorAll('.turn img, .turn script, .turn svg, .turn b[onmouseover]').length").await,
        json!(0)
    );
    // Leaving the app, opening windows and calling unlisted commands are all refused.
    window.eval("location.href = 'https://example.org/'").await;
    window.eval("window.open('https://example.org/')").await;
    let_pass(Duration::from_millis(500)).await;
    assert!(window.text("return location.href").await.starts_with("tauri://localhost"));
    window.switch("popup.html").await;
    window.switch("index.html").await;
    assert_eq!(window.client.windows().await.unwrap().len(), 2, "the window and the hidden popup");
    for command in ["plugin:opener|open_url", "plugin:event|listen", "plugin:window|create", "plugin:app|version", "no_such_command"] {
        let script = "const [command, done] = arguments; window.__TAURI_INTERNALS__.invoke(command, {url: 'https://example.org/'}).then(() => done('allowed'), (error) => done('refused: ' + error))";
        let result = window.client.execute_async(script, vec![json!(command)]).await.unwrap();
        assert!(result.as_str().unwrap_or_default().starts_with("refused"), "{command}: {result}");
    }
    assert_eq!(window.opened(), [] as [&str; 0]);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_can_be_rewritten_and_threads_branched() {
    let site = Site::start(&[(
        "/bridge",
        &page("Aldermoor Bridge", "The Aldermoor Bridge was opened on 12 May 1931 by the mayor, after four years of work."),
    )])
    .await;
    let bridge = site.url("/bridge");
    let search = SearchServer::start(200, &[("Aldermoor Bridge", &bridge, "A bridge")]).await;
    let model = LlmServer::start(
        "canary-key",
        Duration::from_millis(10),
        vec![
            Scripted::Calls(vec![("web_search", json!({"queries": ["latest aldermoor bridge"]})), ("web_get", json!({"urls": [bridge]}))]),
            Scripted::Thinking(
                "The page gives the day, and the model of the bridge is of no interest here.",
                "It was opened on 12 May 1931 [1]. The mayor opened the Aldermoor Bridge after nine years of work, in 1935 [1].",
            ),
            Scripted::Text("Four years of work [1]."),
            Scripted::Text("By the mayor [1]."),
        ],
    )
    .await;
    let settings = format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\n[models.test-model]\ninput = 2\noutput = 8\n[network]\nallowed_private_hosts = [\"{}\"]\n\
         [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"test-model\"\napi_key_env = \"NEXI_TEST_KEY\"\n\
         [providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n",
        site.host, model.base_url, search.base_url
    );
    let window = Window::open(Some(&settings)).await;
    window.ask("What is the latest on the opening of the Aldermoor bridge?").await;
    window.wait_for("the run is over", DONE).await;
    let summary = window.text("return document.querySelector('.turn .sum').innerText").await.replace('\n', " ");
    assert!(summary.contains("$0.0007") && summary.contains("240 tokens"), "{summary}");
    // Reasoning is beside the answer, never in it, and stays after a reload.
    window.reload().await;
    window.wait_for("the turn is back", DONE).await;
    window.click(".turn .sum").await;
    window
        .wait_for("the reasoning is there", "return document.querySelector('.reasoning p')?.textContent.includes('of no interest here')")
        .await;
    window.eval("document.querySelector('.reasoning').open = true").await;
    assert!(!window.text("return document.querySelector('.answer').innerText").await.contains("interest"));
    assert!(window.text("return document.querySelector('.turn .line').innerText").await.contains("of the past year"));
    assert_eq!(
        window.eval("return [...document.querySelectorAll('.answer .chip')].map((chip) => chip.className)").await,
        json!(["chip", "chip contradicted"])
    );
    window.eval("document.querySelector('.answer .chip.contradicted').focus()").await;
    window.wait_for("the card is shown", "return !document.querySelector('#card').hidden").await;
    assert!(window.text("return document.querySelector('#card').innerText").await.contains("says otherwise"));
    window.pictures("evidence").await;
    let first = window.text("return location.hash").await;
    // Another question in its place: a thread of its own, and the first one is as it was.
    let act = |name: &str| {
        format!("[...document.querySelectorAll('.turn:last-child .acts button')].find((button) => button.textContent === '{name}').click()")
    };
    window.eval(&act("Edit")).await;
    window.wait_for("the question can be changed", "return document.activeElement.className === 'rewrite'").await;
    window.pictures("edit").await;
    window.eval("document.activeElement.value = ''").await;
    window.keys("How long did the work take?").await;
    window.keys(ENTER).await;
    window
        .wait_for(
            "the other question is answered",
            "return document.querySelector('.answer')?.innerText.includes('Four years') && !!document.querySelector('.acts')",
        )
        .await;
    assert_eq!(window.eval("return document.querySelectorAll('.turn').length").await, json!(1));
    assert_ne!(window.text("return location.hash").await, first);
    window.wait_for("both threads are listed", "return document.querySelectorAll('.rail .row').length === 2").await;
    // Branched off: the turn comes along, and what is asked there stays there.
    window.turn_menu("Branch").await;
    window
        .wait_for(
            "a third thread is there",
            "return document.querySelectorAll('.rail .row').length === 3 && document.querySelector('#toast').innerText.includes('Branched')",
        )
        .await;
    window.ask("Who opened it?").await;
    window.wait_for("the follow-up is answered", "return document.querySelectorAll('.turn .acts').length === 2").await;
    assert_eq!(model.problems(), Vec::<String>::new());
    window.close().await;
}

//! Choosing among all models, thinking longer, and what is shown when a model's service makes trouble.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, SearchServer, Site};
use serde_json::json;

use crate::support::{DONE, ESCAPE, Window, model_settings};

const KEY: &str = "canary-key";

/// Clicks the entry of an open menu that holds this text.
async fn choose(window: &Window, text: &str) {
    let script = format!(
        "const item = [...document.querySelectorAll('.menu button, [role^=menuitem]')].find((item) => item.innerText.includes('{text}')); item?.click(); return !!item"
    );
    window.wait_for(text, &script).await;
}

/// What the line of an incident offers.
const WAYS: &str = "return [...document.querySelectorAll('.incident .ways-out button')].map((button) => button.innerText).join()";

#[tokio::test(flavor = "multi_thread")]
async fn every_model_of_a_service_can_be_searched_starred_and_asked() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Thinking("Let me think.", "From the large one.")]).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "small", ""))).await;
    window.click("#model").await;
    choose(&window, "All models").await;
    window.wait_for("the models", "return document.querySelectorAll('.model-dialog .pick').length === 3").await;
    window.wait_for("the focus is in the search", "return document.activeElement.id === 'model-search'").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("models").await;
    window.keys("nothing like it").await;
    window.wait_for("it says so", "return document.querySelector('.model-dialog [role=status]').innerText.includes('No matches')").await;
    window
        .eval("const search = document.querySelector('#model-search'); search.value = 'lar'; search.dispatchEvent(new Event('input'))")
        .await;
    window.eval("document.querySelector('.model-dialog .star').click()").await;
    window
        .wait_for("it is a favourite", "return document.querySelector('.model-dialog .star').getAttribute('aria-pressed') === 'true'")
        .await;
    window.eval("document.querySelector('.model-dialog .pick').click()").await;
    window.wait_for("it is chosen", "return document.querySelector('#model').innerText.includes('large')").await;
    window.click("#thinking").await;
    window.wait_for("it thinks longer", "return document.querySelector('#thinking').getAttribute('aria-pressed') === 'true'").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("think-longer").await;
    window.ask("Who are you?").await;
    window.wait_for("it answers", "return document.querySelector('.answer')?.innerText.includes('From the large one.')").await;
    let request = model.requests().pop().unwrap();
    assert_eq!((&request["model"], &request["reasoning_effort"]), (&json!("large"), &json!("high")), "{request}");
    // The short list has it from now on, and the long one has it first.
    window.click("#model").await;
    choose(&window, "large").await;
    window.click("#model").await;
    choose(&window, "All models").await;
    window.wait_for("the models", "return document.querySelectorAll('.model-dialog .pick').length === 3").await;
    let first = window.text("const first = document.querySelector('.model-dialog section'); return first.querySelector('h3').innerText + ': ' + first.querySelector('.pick').innerText").await;
    assert!(first.starts_with("Favourites: large") && first.contains("work"), "{first}");
    window.keys(ESCAPE).await;
    let settings = std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap();
    assert!(settings.contains("favourite_models = [\"work/large\"]"), "{settings}");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn trouble_is_told_as_it_happens_with_a_way_out() {
    let page = "<html><head><title>Orvik</title></head><body><article><h1>Orvik</h1><p>The lighthouse of Orvik was lit for the first time on 3 October 1877. Its tower of red brick is 41 metres high.</p></article></body></html>";
    let site = Site::start(&[("/a", page)]).await;
    let search = SearchServer::start(200, &[("Orvik", &site.url("/a"), "A lighthouse")]).await;
    let model = LlmServer::start(
        KEY,
        Duration::ZERO,
        vec![
            Scripted::Status(429, vec![("retry-after", "6")], "{\"error\":{\"message\":\"Rate limit reached\"}}"),
            Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/a")]}))]),
            Scripted::Status(401, vec![], "{\"error\":{\"message\":\"Incorrect API key provided\"}}"),
        ],
    )
    .await;
    let settings = model_settings(&model.base_url, "small", "").replace("[\"documents\"]", "[\"searx\"]")
        + &format!(
            "[providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n[network]\nallowed_private_hosts = [\"{}\"]\n",
            search.base_url, site.host
        );
    let window = Window::open(Some(&settings)).await;
    window.ask("When was the lighthouse of Orvik lit?").await;
    window.wait_for("a countdown", "return /again in [1-6] s/.test(document.querySelector('.incident .left')?.innerText ?? '')").await;
    let first = window.text("return document.querySelector('.incident .left').innerText").await;
    window.pictures("incident-waiting").await;
    window
        .wait_for(
            "it counts",
            &format!("const left = document.querySelector('.incident .left'); return !left || left.innerText !== '{first}'"),
        )
        .await;
    // The key is refused after a page was read: what was read becomes the answer, and the first line says why.
    window.wait_for("it is over", DONE).await;
    window.wait_for("the answer quotes the page", "return document.querySelector('.answer').innerText.includes('1877')").await;
    let line = window.text("return document.querySelector('.incident').innerText").await;
    assert!(line.contains("refused the API key") && line.contains("without the model"), "{line}");
    assert_eq!(window.text(WAYS).await, "Open Settings,Use another model");
    let above = "return document.querySelector('.incident').getBoundingClientRect().bottom <= document.querySelector('.answer').getBoundingClientRect().top + 1";
    assert_eq!(window.eval(above).await, json!(true), "the reason stands above the answer");
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("incident-ended").await;
    // Another model: the same question once more, with the one that is chosen.
    window.click(".incident [data-way=other_model]").await;
    window.wait_for("models are listed", "return document.querySelector('.model-dialog .pick') !== null").await;
    window.eval("document.querySelector('.model-dialog [data-model=builtin]').click()").await;
    window.wait_for("it is asked again", "return document.querySelectorAll('.turn').length === 2").await;
    window.wait_for("it is over", DONE).await;
    assert_eq!(
        window.text("return [...document.querySelectorAll('.question')].map((one) => one.innerText).join()").await.matches("Orvik").count(),
        2
    );
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ending_that_no_service_caused_has_a_way_out_too() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text(""), Scripted::Text(""), Scripted::Text("In the vault.")]).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "small", ""))).await;
    window.ask("Where are the plans of the lighthouse of Orvik?").await;
    window.wait_for("it is over", DONE).await;
    let ways = "return [...document.querySelectorAll('.reason .ways-out button')].map((button) => button.dataset.way).join()";
    assert_eq!(window.text(ways).await, "retry,other_model", "{}", window.text("return document.querySelector('.turn').innerText").await);
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("reason-ways").await;
    window.click(".reason [data-way=retry]").await;
    window.wait_for("it is asked again", "return document.querySelectorAll('.turn').length === 2").await;
    window.wait_for("it has answered", "return [...document.querySelectorAll('.answer')].at(-1).innerText.includes('In the vault.')").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_model_can_go_on_without_it() {
    let limited = || Scripted::Status(429, vec![("retry-after", "30")], "{\"error\":{\"message\":\"Rate limit reached\"}}");
    let model =
        LlmServer::start(KEY, Duration::ZERO, vec![limited(), Scripted::Calls(vec![("final_answer", json!({"answer": "At last."}))])])
            .await;
    let window = Window::open(Some(&model_settings(&model.base_url, "small", ""))).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("a countdown", "return /again in/.test(document.querySelector('.incident .left')?.innerText ?? '')").await;
    assert_eq!(window.text(WAYS).await, "Answer without a model,Stop");
    window.click(".incident [data-way=without_model]").await;
    window.wait_for("it is asked again", "return document.querySelectorAll('.turn').length === 2").await;
    window
        .wait_for("the answer comes without it", "return document.querySelector('.turn:last-child .answer')?.innerText.includes('keyring')")
        .await;
    assert_eq!(model.requests().len(), 1, "the model was left alone");
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cost_limit_without_a_price_asks_first() {
    let model = LlmServer::start(KEY, Duration::ZERO, vec![Scripted::Text("Asked.")]).await;
    let settings = model_settings(&model.base_url, "small", "max_cost = 0.5") + "preset = \"together\"\n";
    let window = Window::open(Some(&settings)).await;
    window.ask("Who are you?").await;
    window.wait_for("it asks", "return document.querySelector('dialog.ask')?.innerText.includes('unknown')").await;
    assert_eq!(model.requests().len(), 0, "nothing was spent");
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("price-unknown").await;
    window.keys(ESCAPE).await;
    window
        .wait_for(
            "the question is still there",
            "return !document.querySelector('dialog.ask') && document.querySelector('#composer').value === 'Who are you?'",
        )
        .await;
    window.click("#go").await;
    window.wait_for("it asks again", "return !!document.querySelector('#ask-anyway')").await;
    window.click("#ask-anyway").await;
    window.wait_for("it answers", "return document.querySelector('.answer')?.innerText.includes('Asked.')").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_is_shown_and_a_spent_month_asks_first() {
    let model = LlmServer::answering(KEY, Duration::ZERO, |_| Scripted::Text("Asked.")).await;
    let settings = model_settings(&model.base_url, "small", "max_cost_month = 0.03") + "[models.small]\ninput = 100\noutput = 400\n";
    let window = Window::open(Some(&settings)).await;
    for question in ["How old is it?", "Who built it?"] {
        window.ask(question).await;
        window.wait_for("it answers", DONE).await;
        window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', ctrlKey: true, bubbles: true}))").await;
        window.wait_for("a new thread", "return document.querySelectorAll('.turn').length === 0").await;
    }
    window.ask("And now?").await;
    window
        .wait_for("it asks", "return document.querySelector('dialog.ask')?.innerText.includes('have cost $0.04; your limit is $0.03')")
        .await;
    assert_eq!(model.requests().len(), 2, "nothing was spent");
    window.pictures("month-spent").await;
    window.click("#cost-settings").await;
    window.switch("settings.html").await;
    window.wait_for("the table is there", "return document.querySelectorAll('.usage-table tbody tr').length === 1").await;
    let shown = window.text("return document.querySelector('.usage').innerText").await;
    for wanted in ["This month: $0.04 of $0.03", "200", "40", "Total"] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    window.eval("const by = document.querySelector('#usage-by'); by.value = 'model'; by.dispatchEvent(new Event('change'))").await;
    window.wait_for("by model", "return document.querySelector('.usage-table tbody th')?.innerText === 'small · work'").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-usage", (980, 760)).await;
    window.click("#usage-csv").await;
    window.wait_for("it is saved", "return document.querySelector('#toast').innerText.includes('.csv')").await;
    window.switch("index.html").await;
    window.wait_for("the question is still there", "return document.querySelector('#composer').value === 'And now?'").await;
    window.click("#go").await;
    window.wait_for("it asks again", "return !!document.querySelector('#ask-anyway')").await;
    window.click("#ask-anyway").await;
    window.wait_for("it answers", "return document.querySelector('.answer')?.innerText.includes('Asked.')").await;
    // What happened can be saved.
    window.turn_menu("Save a record of this run").await;
    window.wait_for("it is saved", "return document.querySelector('#toast').innerText.includes('nexi-run-')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

//! What a second look changed and what another model says, in the real window.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted, Site};
use serde_json::json;

use crate::support::{DONE, Window, model_settings};

const BRIDGE: &str = "<!doctype html><html><head><title>Aldermoor Bridge</title></head><body><article><h1>Aldermoor Bridge</h1>\
<p>The Aldermoor Bridge is a steel arch bridge over the river Wend. It was opened on 12 May 1931 by the mayor of the town, after four years of work.</p>\
<p>The main span of the Aldermoor Bridge measures 312 metres, and about 40,000 vehicles cross it every day. It was repainted in green in 1978.</p></article></body></html>";
const DRAFT: &str = "The Aldermoor Bridge was opened on 12 May 1931 [1]. The main span of the Aldermoor Bridge measures 318 metres [1].\n\nPenguins live below the Aldermoor Bridge in great numbers [1].";
const VERDICTS: &str = r#"{"verdicts": [
    {"statement": 1, "verdict": "correct", "text": "The main span of the Aldermoor Bridge measures 312 metres [1]."},
    {"statement": 2, "verdict": "strike"}
]}"#;
const OTHER: &str = "The bridge at Aldermoor was opened on 12 May 1931 [1]. The main span of the Aldermoor Bridge measures 311 metres [1]. It was repainted in green in 1978 [1].";

#[tokio::test(flavor = "multi_thread")]
async fn corrections_and_a_second_opinion_are_shown_in_their_places() {
    let site = Site::start(&[("/bridge", BRIDGE)]).await;
    let read = Scripted::Calls(vec![("web_get", json!({"urls": [site.url("/bridge")]}))]);
    let model = LlmServer::start("canary-key", Duration::ZERO, vec![read, Scripted::Text(DRAFT), Scripted::Text(VERDICTS)]).await;
    let other = LlmServer::start("canary-key", Duration::ZERO, vec![Scripted::Text(OTHER)]).await;
    let more = format!("check = \"model\"\n[network]\nallowed_private_hosts = [\"{}\"]\n", site.host);
    let provider = format!(
        "[providers.other]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"second-model\"\napi_key_env = \"NEXI_TEST_KEY\"\n",
        other.base_url
    );
    let window = Window::open(Some(&(model_settings(&model.base_url, "test-model", &more) + &provider))).await;
    window.ask("When was the Aldermoor Bridge opened, and how long is it?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.answer').innerText").await;
    assert!(answer.contains("312 metres") && !answer.contains("318"), "{answer}");
    assert_eq!(window.eval("return document.querySelector('.answer del').innerText.startsWith('Penguins')").await, json!(true));
    let line = window.text("return document.querySelector('.evidence').innerText").await;
    assert!(line.contains("After a second look: 1 was corrected, 1 was struck out"), "{line}");
    // How it read before is one click away, and goes again.
    let before = "return [...document.querySelectorAll('.read-before')].map((e) => e.getClientRects().length > 0).join()";
    assert_eq!(window.text(before).await, "false,false");
    window.click(".changed.corrected").await;
    assert_eq!(window.text(before).await, "true,false");
    let read = window.text("return document.querySelector('.read-before').innerText").await;
    assert!(read.contains("Before: The main span of the Aldermoor Bridge measures 318 metres"), "{read}");
    assert_eq!(window.text("return document.querySelector('.changed.corrected').getAttribute('aria-expanded')").await, "true");
    window.pictures("second-look").await;
    window.click(".changed.corrected").await;
    assert_eq!(window.text(before).await, "false,false");
    // Another model is chosen from the list of all models.
    window.turn_menu("Second opinion").await;
    window.wait_for("models are listed", "return document.querySelector('.model-dialog .pick') !== null").await;
    window.eval("document.querySelector('.model-dialog [data-model^=other]').click()").await;
    window.wait_for("the comparison is shown", "return document.querySelector('.opinion .compared li') !== null").await;
    let verdicts = window.text("return [...document.querySelectorAll('.compared li')].map((row) => row.className).join()").await;
    assert_eq!(verdicts, "agrees,differs,only_second");
    let rows = window.text("return document.querySelector('.compared').innerText").await;
    assert!(rows.contains("312 metres") && rows.contains("311 metres"), "{rows}");
    window.eval("document.querySelector('.opinion details').open = true").await;
    window.pictures("second-opinion").await;
    // It is kept with the answer.
    window.reload().await;
    window.wait_for("the thread is there again", "return document.querySelector('.opinion .compared li') !== null").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.close().await;
}

//! Tools of the person's own in the real windows: looked at, approved and allowed in the settings, asked about in a research.

use std::path::Path;
use std::time::Duration;

use nexi_testkit::{DeepModel, LlmServer, Scripted, SignInServer, task};
use serde_json::{Value, json};

use crate::support::{BUILT_IN, DONE, ENTER, Window, model_settings, popup_is_shown, press, until};

const ASKED: &str = "return document.querySelector('.call-ask p')?.innerText";

fn call(tool: &'static str, arguments: Value) -> Scripted {
    Scripted::Calls(vec![(tool, arguments)])
}

/// What the server has noted, of this kind.
fn noted(log: &Path, kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).filter_map(|line| line.get(kind).cloned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_approved_in_the_settings_and_its_calls_are_asked_about() {
    let script = vec![
        call("desk__note", json!({"words": "granite"})),
        call("desk__lookup", json!({"word": "harbour"})),
        call("desk__lookup", json!({"word": "mole"})),
        call("desk__survey", json!({})),
        call("desk__long", json!({})),
        Scripted::Text("The word harbour was entered in 1877 by Ada Lund [1]."),
    ];
    let model = LlmServer::start("canary-key", Duration::ZERO, script).await;
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("desk.jsonl");
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/tool-server.mjs");
    let settings = model_settings(&model.base_url, "test-model", "check = \"local\"\n");
    let window = Window::open_in(Some(&settings), folder).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.click("[data-section=tools]").await;
    window.wait_for("there is none", "return document.querySelector('.tool-servers')?.innerText.includes('no tool servers yet')").await;
    // What is wrong is said, and nothing that was typed is lost.
    let fill = |name: &str| {
        format!(
            "const set = (id, value) => {{ document.querySelector(id).value = value; }}; set('#f-tool-name', '{name}'); set('#f-tool-launch', 'node {}'); set('#f-tool-env', 'LOG={}'); document.querySelector('.tool-add').requestSubmit()",
            server.display(),
            log.display()
        )
    };
    window.eval(&fill("My Desk")).await;
    window.wait_for("the fault", "return document.querySelector('.tool-add .caution')?.innerText.includes('lowercase letters')").await;
    window.eval(&fill("desk")).await;
    window.wait_for("it is there", "return !!document.querySelector('[data-server=desk]')").await;
    assert!(noted(&log, "started").is_empty(), "nothing starts by itself");
    window.click("[data-server=desk] .look").await;
    window.wait_for("it asks", "return document.querySelector('dialog.ask .outgoing')?.innerText.includes('tool-server.mjs')").await;
    window.pictures_of("tools-start", (980, 760)).await;
    window.click("dialog.ask .go").await;
    window.wait_for("what it offers", "return document.querySelectorAll('.tool-offer .tool.new').length === 6").await;
    let shown = window.text("return document.querySelector('.tool-offer').innerText").await;
    assert!(shown.contains("Looks a word up in the desk's index.") && shown.contains("May change things"), "{shown}");
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures_of("tools-offer", (980, 760)).await;
    // What may change things is chosen by the person.
    assert_eq!(window.text("return document.querySelector('.tool-offer .approve').innerText").await, "Approve 5 tools");
    window.click(".tool-offer [data-tool=note] input").await;
    assert_eq!(window.text("return document.querySelector('.tool-offer .approve').innerText").await, "Approve 6 tools");
    window.click(".tool-offer .approve").await;
    window.wait_for("they are approved", "return document.querySelectorAll('[data-server=desk] .tool-list .tool').length === 6 && !document.querySelector('.tool-offer')").await;
    // It cannot be allowed for good.
    assert_eq!(window.eval("return document.querySelector('[data-tool=note] select')").await, json!(null));
    window
        .eval("const choice = document.querySelector('[data-tool=long] select'); choice.dataset.old = 'yes'; choice.value = 'always'; choice.dispatchEvent(new Event('change'))")
        .await;
    window
        .wait_for(
            "it is allowed",
            "const choice = document.querySelector('[data-tool=long] select'); return choice?.value === 'always' && !choice.dataset.old && !document.querySelector('.tool-offer')",
        )
        .await;
    window.eval("document.activeElement.blur()").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures_of("tools", (980, 760)).await;

    window.switch("index.html").await;
    window.ask("Who entered the word harbour?").await;
    window.wait_for("it asks about the note", &format!("{ASKED}?.includes('note from desk')")).await;
    assert!(window.text("return document.querySelector('.call-ask').innerText").await.contains("This tool may change things."));
    assert_eq!(window.eval("return document.querySelector('.call-ask .let-always')").await, json!(null));
    window.pictures("tool-changes").await;
    window.click(".call-ask .refuse").await;
    window.wait_for("it asks about the word", &format!("{ASKED}?.includes('lookup from desk')")).await;
    assert_eq!(
        window.text("return document.querySelector('.call-arguments').innerText").await.split_whitespace().collect::<Vec<_>>(),
        ["word", "harbour"]
    );
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures("tool-asks").await;
    window.click(".call-ask .let-research").await;
    // The next call of it goes ahead; the survey is another tool.
    window.wait_for("it asks about the survey", &format!("{ASKED}?.includes('survey from desk')")).await;
    window.click(".call-ask .let").await;
    window.wait_for("the form", "return document.querySelectorAll('.tool-form .form-field').length === 2").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures("tool-form").await;
    window.eval("document.querySelector('.tool-form input').focus()").await;
    window.keys("Ada").await;
    window
        .eval("document.querySelectorAll('.tool-form input')[1].value = 'old'; document.querySelector('.tool-form').requestSubmit()")
        .await;
    window
        .wait_for("what is wrong", "return document.querySelector('.tool-form .caution')?.innerText.includes('Enter a whole number')")
        .await;
    window
        .eval("document.querySelectorAll('.tool-form input')[1].value = '36'; document.querySelector('.tool-form').requestSubmit()")
        .await;
    window.wait_for("the run is over", DONE).await;
    assert_eq!(noted(&log, "call"), ["lookup", "lookup", "survey", "long"]);
    assert_eq!(noted(&log, "form"), [json!({"action": "accept", "content": {"age": 36, "name": "Ada"}})]);
    window.eval("document.querySelector('.steps .sum').click()").await;
    window.wait_for("the steps", "return document.querySelectorAll('.line .tag').length >= 5").await;
    let steps = window.text("return document.querySelector('.steps').innerText").await;
    assert!(steps.contains("lookup") && steps.contains("Used desk") && steps.contains("not allowed"), "{steps}");
    // The number opens what the tool returned.
    window.eval("document.querySelector('.answer .cite, .answer [data-number]').click()").await;
    window.wait_for("the text", "return document.body.innerText.includes('shelf mark is QX-5521')").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures("tool-source").await;
    window.close().await;
}

/// A command of the settings that tells the weather.
const WEATHER: &str = "[commands.weather]\ndescription = \"Tells the weather of a city.\"\nprogram = \"printf\"\nargs = [\"It is 21 degrees in %s today.\", \"{city}\"]\narguments = { city = \"The city\" }\nreads = true\n";

#[tokio::test(flavor = "multi_thread")]
async fn the_popup_asks_about_a_command() {
    let script = vec![call("command__weather", json!({"city": "Orvik"})), Scripted::Text("It is 21 degrees in Orvik [1].")];
    let model = LlmServer::start("canary-key", Duration::ZERO, script).await;
    let settings = model_settings(&model.base_url, "test-model", "check = \"local\"\n") + WEATHER;
    let window = Window::open(Some(&settings)).await;
    window.hotkey_works().await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.switch("popup.html").await;
    window.popup_has_focus().await;
    window.keys("How warm is it in Orvik?").await;
    window.keys(ENTER).await;
    window.wait_for("it asks", &format!("{ASKED} === 'The model wants to run your command weather.'")).await;
    window.wait_for("it waits for the person", "return document.querySelector('.sum')?.innerText.includes('Waiting for you')").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.picture("popup-tool").await;
    window.click(".call-ask .let").await;
    window.wait_for("the answer", "return document.querySelector('.answer')?.innerText.includes('21 degrees')").await;
    let sum = window.text("return document.querySelector('.sum').innerText").await;
    assert!(!sum.contains("Waiting"), "{sum}");
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_of_a_deep_run_names_the_tools() {
    let deep = DeepModel {
        tasks: vec![task("The weather", "Find out how warm it is in Orvik.", "weather of Orvik")],
        more: Vec::new(),
        fails: None,
    };
    let model = LlmServer::answering("canary-key", Duration::ZERO, move |request| deep.reply(request)).await;
    let settings = model_settings(&model.base_url, "test-model", "check = \"local\"\n") + WEATHER;
    let window = Window::open(Some(&settings)).await;
    window.click(".bar [data-value='deep']").await;
    window.ask("How warm is it in Orvik?").await;
    window
        .wait_for(
            "the plan names it",
            "return document.querySelector('.plan-tools')?.innerText.includes('Your command weather, up to 12 calls')",
        )
        .await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures("plan-tools").await;
    // What is left out of the plan is not offered to researchers.
    window.click(".plan-tools input").await;
    window.click(".plan .go").await;
    window.wait_for("the run is over", DONE).await;
    let offered = |request: &Value| request["tools"].to_string().contains("command__weather");
    assert!(!model.requests().iter().any(offered), "it was left out");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_to_a_server_in_the_browser() {
    let server = SignInServer::start().await;
    let settings = format!("{BUILT_IN}[tools.library]\nurl = \"{}/mcp\"\n", server.base_url);
    let window = Window::open(Some(&settings)).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.click("[data-section=tools]").await;
    window.wait_for("the way in", "return document.querySelector('[data-server=library] .sign-in button')?.innerText === 'Sign in'").await;
    // It says so where nobody has signed in.
    window.click("[data-server=library] .look").await;
    window.wait_for("it asks", "return document.querySelector('dialog.ask .outgoing')?.innerText.includes('/mcp')").await;
    window.click("dialog.ask .go").await;
    window.wait_for("it needs a sign-in", "return document.querySelector('.tool-trouble')?.innerText.includes('or a sign-in')").await;
    window.pictures_of("tools-sign-in-needed", (980, 760)).await;
    // In one step: what was found out just now draws the button anew.
    window.eval("document.querySelector('.sign-in button').click()").await;
    window.wait_for("where", "return document.querySelector('dialog.ask .outgoing')?.innerText.endsWith('/authorize')").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures_of("tools-sign-in", (980, 760)).await;
    assert!(window.opened().is_empty(), "nothing is opened before the person wants it");
    window.click("dialog.ask .go").await;
    window.wait_for("it waits", "return document.querySelector('dialog.ask [role=status]')?.innerText.includes('in your browser')").await;
    window.pictures_of("tools-sign-in-waits", (980, 760)).await;
    until("the browser is sent there", || window.opened().iter().any(|address| address.contains("/authorize?"))).await;
    let address = window.opened().into_iter().find(|address| address.contains("/authorize?")).unwrap();
    let page = reqwest::get(&address).await.unwrap().text().await.unwrap();
    assert!(page.contains("You are signed in."), "{page}");
    window
        .wait_for(
            "it is known",
            "return document.querySelector('.sign-in .badge')?.innerText === 'Signed in' && !document.querySelector('dialog.ask')",
        )
        .await;
    window.click("[data-server=library] .look").await;
    window.wait_for("it asks", "return document.querySelector('dialog.ask .outgoing')?.innerText.includes('/mcp')").await;
    window.click("dialog.ask .go").await;
    window.wait_for("what it offers", "return document.querySelector('.tool-offer .tool.new')?.innerText.includes('whoami')").await;
    window.eval("document.querySelector('#toast').classList.remove('shown')").await;
    window.wait_for("no toast is in the way", "return getComputedStyle(document.querySelector('#toast')).opacity === '0'").await;
    assert_eq!(window.faults().await, [] as [&str; 0]);
    window.pictures_of("tools-signed-in", (980, 760)).await;
    // One that is given up leaves no trace.
    window.click(".sign-in button").await;
    window.wait_for("it is over", "return document.querySelector('.sign-in button')?.innerText === 'Sign in'").await;
    window.click(".sign-in button").await;
    window.wait_for("where", "return document.querySelector('dialog.ask .outgoing')?.innerText.endsWith('/authorize')").await;
    window.click("dialog.ask .go").await;
    window.wait_for("it waits", "return !!document.querySelector('dialog.ask [role=status]')").await;
    window.click("dialog.ask .buttons button").await;
    window.wait_for("it can be tried again", "return document.querySelector('.sign-in button')?.innerText === 'Sign in' && !document.querySelector('.sign-in button').disabled").await;
    assert_eq!(window.text("return document.querySelector('.tool-trouble').innerText").await, "");
    window.close().await;
}

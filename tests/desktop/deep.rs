//! Deep runs in the window: the plan, the board of researchers, the report.

use std::path::Path;
use std::time::Duration;

use nexi_testkit::{DeepModel, LlmServer, SearchServer, Site, serve_pages, task};
use serde_json::{Value, json};

use crate::support::{BUILT_IN, DONE, Window, press};

struct World {
    site: Site,
    search: SearchServer,
    model: LlmServer,
}

impl World {
    async fn new() -> Self {
        let page = |title: &str, text: &str| {
            format!("<html><head><title>{title}</title></head><body><article><h1>{title}</h1><p>{text}</p></article></body></html>")
        };
        let pages = [
            (
                "/opening",
                "The opening of the Aldermoor Bridge",
                "The Aldermoor Bridge was opened on 12 May 1931 by the mayor. It took four years of work.",
            ),
            (
                "/span",
                "Spans of the river Wend",
                "The main span of the Aldermoor Bridge measures 312 metres. It was painted green in 1978.",
            ),
            (
                "/cost",
                "What bridges cost",
                "The Aldermoor Bridge cost 4.2 million crowns in the end. The council had planned for 3.1 million.",
            ),
            ("/toll", "Tolls of the county", "The toll of the Aldermoor Bridge was given up in 1958. It had been two pennies for a cart."),
        ];
        let html: Vec<(&str, String)> = pages.iter().map(|(path, title, text)| (*path, page(title, text))).collect();
        let served: Vec<(&str, &str)> = html.iter().map(|(path, html)| (*path, html.as_str())).collect();
        let site = Site::start(&served).await;
        let urls: Vec<String> = pages.iter().map(|(path, ..)| site.url(path)).collect();
        let found: Vec<(&str, &str, &str)> = pages.iter().zip(&urls).map(|((_, title, text), url)| (*title, url.as_str(), *text)).collect();
        let search = SearchServer::ranking(&found).await;
        let deep = DeepModel {
            tasks: vec![
                task("How it was built", "Find out when the Aldermoor Bridge was opened and how long the work took.", "opening mayor"),
                task("Its measures", "Find out how long the main span is and what the bridge looks like.", "spans painted"),
                task("What it cost", "Find out what was planned for the bridge and what it cost in the end.", "cost crowns council"),
            ],
            more: vec![task("The toll", "Nobody has found out yet whether there was a toll, and until when.", "toll pennies")],
            fails: None,
        };
        let model = LlmServer::answering("canary-key", Duration::from_millis(4), move |request| deep.reply(request)).await;
        Self { site, search, model }
    }

    fn settings(&self, more: &str) -> String {
        format!(
            "llm_backends = [\"work\"]\nsearch_backends = [\"searx\"]\npages_ahead = 0\n[deep]\n{more}\n[models.test-model]\ninput = 0.4\noutput = 1.6\n[network]\nallowed_private_hosts = [\"{}\"]\n\
             [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"test-model\"\napi_key_env = \"NEXI_TEST_KEY\"\n\
             [providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n",
            self.site.host, self.model.base_url, self.search.base_url
        )
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_plan_to_the_saved_report() {
    let world = World::new().await;
    let window = Window::open(Some(&world.settings(""))).await;
    window.click(".bar [data-value='deep']").await;
    assert!(window.text("return document.querySelector('#composer-hint').textContent").await.contains("3 researchers"));
    window.ask("What is known of the Aldermoor Bridge?").await;
    window.wait_for("the plan is shown", "return document.querySelectorAll('.plan .tasks li').length === 3").await;
    assert_eq!(window.faults().await, [] as [String; 0]);
    // What can be edited looks like it before it is touched.
    let edged = "return [...document.querySelectorAll('.plan .task :is(input, textarea)')].every((field) => parseFloat(getComputedStyle(field).borderTopWidth) >= 1)";
    assert_eq!(window.eval(edged).await, json!(true));
    window.pictures("deep-plan").await;
    // Edited: a task is renamed, another taken out, one put in.
    window.eval("const title = document.querySelector('.plan .task-title'); title.value = 'The opening'; title.dispatchEvent(new Event('input'))").await;
    window.eval("document.querySelectorAll('.plan .tasks li')[1].querySelector('button').click()").await;
    window.eval("[...document.querySelectorAll('.plan-acts .pill')][0].click()").await;
    window.keys("Spans").await;
    window.eval("const goal = document.querySelector('.plan .tasks li:last-child textarea'); goal.value = 'Find out how long the spans are.'; goal.dispatchEvent(new Event('input'))").await;
    world.site.hold("/cost");
    window.click(".plan-acts .go").await;
    window.wait_for("two have reported, one reads", "return document.querySelectorAll('.researcher').length === 3 && document.querySelectorAll('.researcher.answered').length === 2 && document.querySelector('.researcher.now .doing')?.innerText.includes('Reading') && Number(document.querySelector('.bar-of')?.getAttribute('aria-valuenow')) >= 40").await;
    let board = window.text("return document.querySelector('.board').innerText").await;
    assert!(board.contains("The opening") && board.contains("Spans") && !board.contains("Its measures"), "{board}");
    let costs =
        "return [...document.querySelectorAll('.researcher.answered .facts')].every((facts) => /\\$0\\.\\d+/.test(facts.innerText))";
    assert_eq!(window.eval(costs).await, json!(true), "{board}");
    let summary = window.text("return document.querySelector('.turn .sum').innerText").await.replace('\n', " ");
    assert!(
        summary.contains("Researching")
            && summary.contains('%')
            && summary.contains("round 1 of about 3")
            && summary.contains("3 researchers"),
        "{summary}"
    );
    let bar = "const bar = document.querySelector('.bar-of'); return Number(bar.getAttribute('aria-valuenow'))";
    let at = window.eval(bar).await.as_u64().unwrap();
    assert!((40..100).contains(&at), "{at}");
    assert_eq!(window.faults().await, [] as [String; 0]);
    window.pictures("deep-running").await;
    window.eval("document.querySelector('.researcher.answered details').open = true").await;
    window.picture("readme-deep").await;
    // Loaded again in the middle: nothing is lost.
    window.reload().await;
    window
        .wait_for(
            "the board is back",
            "return document.querySelectorAll('.researcher').length === 3 && document.querySelectorAll('.researcher.answered').length === 2",
        )
        .await;
    window.eval("document.querySelector('.researcher details').open = true").await;
    window.wait_for("steps are shown", "return document.querySelector('.researcher .line')?.innerText.includes('Searched')").await;
    window.eval("document.querySelector('.researcher.answered details').open = true").await;
    window.eval("document.querySelector('.researcher.answered details details:last-of-type').open = true").await;
    window
        .wait_for("its report is shown", "return document.querySelector('.researcher.answered .report')?.innerText.includes('12 May 1931')")
        .await;
    world.site.release();
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.turn > .answer').innerText").await;
    assert!(answer.contains("What is known") && answer.contains("The toll") && answer.contains("1958"), "{answer}");
    assert!(window.eval("return document.querySelectorAll('.turn > .answer .chip').length").await.as_u64() >= Some(4));
    let method = window.text("return document.querySelector('.method').innerText").await;
    assert!(method.contains("2 rounds, 4 researchers") && method.contains("pages read"), "{method}");
    // Contents, and sections that fold; the next question is a quick one unless somebody wants it otherwise.
    let listed = "return [...document.querySelectorAll('.contents li')].map((line) => line.innerText).join('|')";
    assert_eq!(window.text(listed).await, "Key findings|The opening|What it cost|Spans|The toll|What could not be established");
    assert_eq!(window.text("return document.querySelector('.bar [role=radio][aria-checked=true]').dataset.value").await, "quick");
    assert_eq!(window.faults().await, [] as [String; 0]);
    window.pictures("deep-report").await;
    window.click(".contents .fold-all").await;
    assert_eq!(window.eval("return document.querySelectorAll('.part[open]').length").await, json!(0));
    window.picture("deep-report-folded").await;
    window.eval("document.querySelectorAll('.contents li button')[4].click()").await;
    let opened = "return [...document.querySelectorAll('.part[open] h2')].map((heading) => heading.innerText).join()";
    assert_eq!(window.text(opened).await, "The toll");
    assert_eq!(window.text("return document.activeElement.innerText.trim()").await, "The toll");
    window.click(".contents .fold-all").await;
    window.click(".contents .fold-all").await;
    assert_eq!(window.eval("return document.querySelectorAll('.part[open]').length").await, json!(6));
    window.turn_menu("Save report").await;
    window
        .wait_for("the report is saved", "return document.querySelector('#toast').innerText.includes('nexi-research-what-is-known-')")
        .await;
    let saved: Vec<_> = std::fs::read_dir(window.downloads()).unwrap().flatten().collect();
    let text = std::fs::read_to_string(saved[0].path()).unwrap();
    assert!(text.contains("]✓") && text.contains("## How this was researched"), "{text}");
    window.reload().await;
    window.wait_for("the turn is back", DONE).await;
    window.click(".turn .sum").await;
    window.wait_for("the board of a kept turn", "return document.querySelectorAll('.researcher.answered').length === 4").await;
    window.eval("document.querySelector('.researcher details').open = true").await;
    window.pictures("deep-board").await;
    // The library knows it apart.
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("it is listed as deep", "return document.querySelector('.entry .facts')?.innerText.includes('Deep')").await;
    window.click("[data-filter='mode']").await;
    window.wait_for("a menu", "return !!document.querySelector('.menu-list')").await;
    window.eval("[...document.querySelectorAll('.menu-list button')].find((item) => item.innerText.startsWith('Quick') && !item.innerText.includes('deep')).click()").await;
    window.wait_for("no quick one is there", "return document.querySelectorAll('.entry').length === 0").await;
    assert_eq!((world.model.problems(), world.search.problems()), (Vec::new(), Vec::new()));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_can_be_stopped_and_the_rest_finished_now() {
    let world = World::new().await;
    let window = Window::open(Some(&world.settings("parallel = 3\nplan = \"go\""))).await;
    window.click(".bar [data-value='deep']").await;
    for page in ["/cost", "/span"] {
        world.site.hold(page);
    }
    window.ask("What is known of the Aldermoor Bridge?").await;
    window.wait_for("two of three read", "return document.querySelectorAll('.researcher.answered').length === 1 && [...document.querySelectorAll('.researcher.now .doing')].filter((doing) => doing.innerText.includes('Reading')).length === 2").await;
    window.eval("document.querySelector('[data-researcher=\"1.2\"] .stop-one').click()").await;
    window.wait_for("one is stopped", "return document.querySelector('[data-researcher=\"1.2\"]').innerText.includes('Stopped')").await;
    window.click(".board .finish").await;
    window.wait_for("the run is over", DONE).await;
    let reason = window.text("return document.querySelector('.reason').innerText").await;
    assert!(reason.starts_with("You asked for the report now."), "{reason}");
    let turn = window.text("return document.querySelector('.turn').innerText").await;
    assert!(turn.contains("Answered in part") && turn.contains("Not established") && turn.contains("12 May 1931"), "{turn}");
    window.pictures("deep-finished-early").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_popup_researches_deeply_without_a_model() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.hotkey_works().await;
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    window.popup_has_focus().await;
    window.keys("Where are keys kept? What leaves this computer?").await;
    assert!(window.text("return document.querySelector('#keys').innerText").await.contains("Deep"));
    press("alt+Return");
    // The plan waits here as it does in the window.
    window.wait_for("the plan is shown", "return document.querySelectorAll('.plan .tasks li').length === 2").await;
    assert_eq!(window.faults().await, [] as [String; 0]);
    window.picture("popup-deep-plan").await;
    window.click(".plan .go").await;
    window.wait_for("the answer is there", "return document.querySelector('.sum')?.innerText.includes('2 researchers') && document.querySelector('.sum').innerText.includes('Answered')").await;
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("Where are keys kept?"));
    window.picture("popup-deep").await;
    window.click(".sum").await;
    window.wait_for("the board opens", "return document.querySelectorAll('.researcher').length === 2").await;
    assert_eq!(window.faults().await, [] as [String; 0]);
    window.picture("popup-deep-board").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn real_pages_in_the_real_window() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/nq-dev");
    if !folder.exists() {
        eprintln!("SKIPPED: {} is not there", folder.display());
        return;
    }
    let questions: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(folder.join("questions.json")).unwrap()).unwrap();
    let (site, search) = serve_pages(&folder.join("pages")).await;
    let tasks: Vec<(String, String, String)> = questions
        .iter()
        .skip(10)
        .take(4)
        .filter_map(|item| item["question"].as_str())
        .map(|question| task(question, &format!("Find out: {question}?"), question))
        .collect();
    let deep = DeepModel { tasks: tasks[..3].to_vec(), more: tasks[3..].to_vec(), fails: None };
    let model = LlmServer::answering("canary-key", Duration::ZERO, move |request| deep.reply(request)).await;
    let world = World { site, search, model };
    let window = Window::open(Some(&world.settings("parallel = 5\nplan = \"go\""))).await;
    window.click(".bar [data-value='deep']").await;
    window.click(".bar [data-value='l']").await;
    window.ask("Four questions of all kinds").await;
    window.wait_for("the run is over", DONE).await;
    let chips = window.eval("return [...document.querySelectorAll('.turn > .answer .chip')].map((chip) => chip.className)").await;
    let chips: Vec<&str> = chips.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(chips.len() >= 8 && chips.iter().filter(|class| **class == "chip").count() * 10 >= chips.len() * 9, "{chips:?}");
    assert_eq!(window.eval("return document.querySelector('.method').innerText.includes('2 rounds, 4 researchers')").await, json!(true));
    assert_eq!((world.model.problems(), world.search.problems()), (Vec::new(), Vec::new()));
    window.pictures("deep-real").await;
    window.close().await;
}

//! Deep runs by the real program: plan, researchers, one more round, report.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nexi_testkit::{DeepModel, LlmServer, Scripted, SearchServer, Services, Site, serve_pages, task};
use serde_json::{Value, json};

use crate::support::{KEY, Place, journaled, json as parsed, record, stderr, wait_for, web_settings};

fn harbour() -> DeepModel {
    DeepModel {
        tasks: vec![
            task("Mill", "Find out what became of the old mill of Orvik.", "old mill"),
            task("Wall", "Find out when the harbour wall of Orvik was built.", "harbour wall"),
            task("Lighthouse", "Find out when the lighthouse of Orvik was lit.", "lighthouse lit"),
        ],
        more: vec![task("Bridge", "Find out when the bridge of Orvik was opened.", "bridge opened")],
        fails: None,
    }
}

struct World {
    site: Site,
    search: SearchServer,
    model: LlmServer,
    place: Place,
}

impl World {
    async fn new(deep: DeepModel, more: &str) -> Self {
        Self::silent(deep, more, None).await
    }

    /// The model does not answer the first request that holds this text.
    async fn silent(deep: DeepModel, more: &str, part: Option<&'static str>) -> Self {
        let pages: Vec<(String, String, &str)> = [
            ("Mill", "The old mill of Orvik burned down in 1822. Nobody rebuilt it."),
            ("Wall", "The harbour wall of Orvik was built in 1840. It is made of granite."),
            ("Lighthouse", "The lighthouse of Orvik was lit in 1877. It is made of brass."),
            ("Bridge", "The bridge of Orvik was opened in 1931. It is green."),
        ]
        .into_iter()
        .map(|(title, text)| {
            let html =
                format!("<!doctype html><html><head><title>{title}</title></head><body><article><p>{text}</p></article></body></html>");
            (format!("/{title}"), html, text)
        })
        .collect();
        let served: Vec<(&str, &str)> = pages.iter().map(|(path, html, _)| (path.as_str(), html.as_str())).collect();
        let site = Site::start(&served).await;
        let results: Vec<(String, String, &str)> =
            pages.iter().map(|(path, _, text)| (path[1..].to_owned(), site.url(path), *text)).collect();
        let list: Vec<(&str, &str, &str)> = results.iter().map(|(title, url, text)| (title.as_str(), url.as_str(), *text)).collect();
        let search = SearchServer::ranking(&list).await;
        let silent = AtomicBool::new(part.is_some());
        let model = LlmServer::answering(KEY, Duration::ZERO, move |request| {
            let is_it = part.is_some_and(|part| request.to_string().contains(part));
            if is_it && silent.swap(false, Ordering::SeqCst) { Scripted::Silence } else { deep.reply(request) }
        })
        .await;
        let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, more));
        Self { site, search, model, place }
    }

    fn check(&self) {
        assert_eq!(self.model.problems(), Vec::<String>::new());
        assert_eq!(self.search.problems(), Vec::<String>::new());
    }
}

fn quotes(report: &Value) -> Vec<&str> {
    let sources = report["sources"].as_array().unwrap().iter();
    sources.flat_map(|source| source["passages"].as_array().unwrap()).filter_map(|passage| passage["quote"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deep_run_plans_delegates_once_and_reports() {
    let world = World::new(harbour(), "").await;
    let output = world.place.run(&["ask", "--deep", "--effort", "l", "What is known of Orvik?", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = parsed(&output);
    assert_eq!((&report["state"], &report["mode"]), (&json!("answered"), &json!("deep")));
    let method = &report["method"];
    assert_eq!((&method["rounds"], &method["researchers"], &method["title"]), (&json!(2), &json!(4), &json!("What is known")));
    let answer = report["answer"].as_str().unwrap();
    for wanted in ["# What is known", "## Mill", "## Bridge", "1822 [", "1931 [", "## What could not be established"] {
        assert!(answer.contains(wanted), "{wanted}: {answer}");
    }
    assert!(quotes(&report).iter().any(|quote| quote.contains("1877")), "{report}");
    let citations = report["citations"].as_array().unwrap();
    assert!(citations.len() >= 4 && citations.iter().all(|citation| citation["support"] == "supported"), "{citations:?}");
    // Nobody fetches what somebody else has fetched.
    for page in ["/Mill", "/Wall", "/Lighthouse", "/Bridge"] {
        assert_eq!(world.site.asked(page), 1, "{page}");
    }
    assert_eq!(method["pages"], json!(4));
    world.check();
    record(&world.place, "deep-two-rounds");
    // The second round was told what the first had found.
    let last = world.model.requests().into_iter().rev().find(|request| request.to_string().contains("Your task: Bridge")).unwrap();
    assert!(last.to_string().contains("Another researcher has reported on “Mill”"), "{last}");
    // It is in the library as what it was.
    let shown = world.place.run(&["history", "--json"]);
    assert_eq!(parsed(&shown)[0]["mode"], json!("deep"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_of_one_round_and_a_failed_researcher() {
    let world = World::new(DeepModel { more: Vec::new(), ..harbour() }, "").await;
    let report = parsed(&world.place.run(&["ask", "--deep", "What is known of Orvik?", "--json"]));
    assert_eq!((&report["state"], &report["method"]["rounds"]), (&json!("answered"), &json!(1)));
    world.check();
    record(&world.place, "deep-one-round");
    let world = World::new(DeepModel { more: Vec::new(), fails: Some("harbour wall"), ..harbour() }, "").await;
    let output = world.place.run(&["ask", "--deep", "What is known of Orvik?", "--json"]);
    let report = parsed(&output);
    assert_eq!((&report["state"], output.status.code()), (&json!("answered"), Some(0)));
    let open = report["method"]["open"][0].as_str().unwrap();
    assert!(open.starts_with("Wall: ") && open.contains("400"), "{open}");
    assert!(stderr(&output).contains("1.2: "), "{}", stderr(&output));
    world.check();
    record(&world.place, "deep-failed-researcher");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ceiling_leads_to_a_report() {
    // The price is known, the ceiling is near: what there is becomes the report.
    let price = "max_tokens = 22000\n[models.\"test-model\"]\ninput = 1\noutput = 4";
    let world = World::new(harbour(), price).await;
    let report = parsed(&world.place.run(&["ask", "--deep", "--effort", "l", "What is known of Orvik?", "--json"]));
    assert_eq!(report["state"], json!("partial"), "{report}");
    assert!(report["reason"].as_str().unwrap().contains("token limit of 22,000"), "{report}");
    assert!(report["tokens"]["total"].as_u64().unwrap() <= 22_000, "{report}");
    assert!(report["answer"].as_str().unwrap().contains("[1]"), "{report}");
    world.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_9_in_any_phase_costs_nothing_twice() {
    let phases = [
        ("planning", Some("You plan a piece of research")),
        ("researching", None),
        ("evaluating", Some("This was round 1 of")),
        ("second round", Some("Your task: Bridge")),
        ("the report", Some("This was round 2 of")),
    ];
    for (phase, part) in phases {
        // What is fetched ahead is not in the journal, and may be fetched again.
        let world = World::silent(harbour(), "pages_ahead = 0", part).await;
        if part.is_none() {
            world.site.hold("/Lighthouse");
        }
        let child = world.place.nexi(&["ask", "--deep", "--effort", "l", "What is known of Orvik?"]).spawn().unwrap();
        let waited = Instant::now();
        let asked = |part: &str| world.model.requests().iter().any(|request| request.to_string().contains(part));
        while !match part {
            Some(part) => asked(part),
            None => {
                let told =
                    |request: &Value| request.to_string().contains("Your task: Mill") && request.to_string().contains("Sources to cite");
                world.site.asked("/Lighthouse") > 0 && world.model.requests().iter().any(told)
            }
        } {
            assert!(waited.elapsed() < Duration::from_secs(20), "{phase}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let mut child = child;
        child.kill().unwrap();
        child.wait().unwrap();
        world.site.release();
        let before = world.model.requests();
        let output = world.place.run(&["resume", "--json"]);
        let report = parsed(&output);
        assert_eq!((&report["state"], &report["method"]["rounds"]), (&json!("answered"), &json!(2)), "{phase}: {report}");
        assert_eq!(world.site.asked("/Mill"), 1, "{phase}");
        // What had been replied to is not asked again: only what was open at the end may occur twice.
        let requests = world.model.requests();
        let repeated = requests[before.len()..].iter().filter(|request| before.contains(request)).count();
        assert!(repeated <= 3, "{phase}: {repeated} requests were made again");
        world.check();
        if phase == "researching" {
            record(&world.place, "deep-resumed");
        }
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_keeps_what_the_researchers_found() {
    let world = World::new(harbour(), "").await;
    world.site.hold("/Lighthouse");
    let child = world.place.nexi(&["ask", "--deep", "--effort", "l", "What is known of Orvik?", "--json"]).spawn().unwrap();
    let waited = Instant::now();
    let reported =
        || world.model.requests().iter().filter(|request| request.to_string().contains("Another researcher has reported")).count();
    while world.site.asked("/Lighthouse") == 0 || world.model.requests().len() < 11 {
        assert!(waited.elapsed() < Duration::from_secs(20), "{} requests, {}", world.model.requests().len(), reported());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    wait_for("every reply is in the journal", || journaled(&world.place, "replied") == world.model.requests().len());
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report = parsed(&output);
    assert_eq!(report["state"], json!("cancelled"));
    assert!(report["answer"].as_str().unwrap().contains("1822"), "{report}");
    record(&world.place, "deep-cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_every_question_has_a_researcher() {
    let place = Place::new("search_backends = [\"documents\"]");
    let output = place.run(&["ask", "--deep", "Where are keys kept? Which key opens the popup?", "--json"]);
    let report = parsed(&output);
    assert_eq!((&report["state"], output.status.code()), (&json!("answered"), Some(0)), "{}", stderr(&output));
    assert_eq!((&report["method"]["researchers"], &report["tokens"]["total"]), (&json!(2), &json!(0)));
    let answer = report["answer"].as_str().unwrap();
    assert!(
        answer.contains("## Where are keys kept?")
            && answer.contains("## Which key opens the popup?")
            && answer.contains("Ctrl+Shift+Space"),
        "{answer}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_is_saved_with_labels_and_method() {
    let world = World::new(harbour(), "").await;
    let folder = world.place.path("work");
    std::fs::create_dir_all(folder.join("Research")).unwrap();
    let mut command = world.place.nexi(&["ask", "--deep", "--effort", "l", "What is known of Orvik?", "--json", "--save-report"]);
    let output = command.current_dir(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let saved: Vec<_> = std::fs::read_dir(folder.join("Research")).unwrap().flatten().collect();
    let name = saved[0].file_name().to_string_lossy().into_owned();
    assert!(saved.len() == 1 && name.starts_with("nexi-research-what-is-known-") && name.ends_with(".md"), "{name}");
    assert!(stderr(&output).contains(&name), "{}", stderr(&output));
    assert!(parsed(&output)["report_file"].as_str().is_some_and(|file| file.ends_with(&name)), "{}", parsed(&output)["report_file"]);
    let text = std::fs::read_to_string(saved[0].path()).unwrap();
    for wanted in
        ["# What is known", "]✓", "## Sources", "## How this was researched", "2 rounds, 4 researchers, 4 searches, 4 pages read", &name]
    {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn real_pages_are_researched_from_plan_to_report() {
    let Some(folder) = crate::corpus::shared("nq-dev") else { return };
    let questions = crate::corpus::questions_of(&folder);
    let chosen: Vec<(&str, &str)> =
        questions.iter().filter_map(|item| Some((item["question"].as_str()?, item["page"].as_str()?))).take(4).collect();
    let (site, search) = serve_pages(&folder.join("pages")).await;
    let tasks: Vec<(String, String, String)> =
        chosen.iter().map(|(question, _)| task(question, &format!("Find out: {question}?"), question)).collect();
    let deep = DeepModel { tasks: tasks[..3].to_vec(), more: tasks[3..].to_vec(), fails: None };
    let model = LlmServer::answering(KEY, Duration::ZERO, move |request| deep.reply(request)).await;
    let place = Place::new(&web_settings(&model.base_url, &search.base_url, &site.host, ""));
    let report = parsed(&place.run(&["ask", "--deep", "--effort", "l", "Four questions of all kinds", "--json"]));
    assert_eq!(
        (&report["state"], &report["method"]["rounds"], &report["method"]["researchers"]),
        (&json!("answered"), &json!(2), &json!(4))
    );
    let read: Vec<&str> = report["sources"].as_array().unwrap().iter().filter_map(|source| source["url"].as_str()).collect();
    let reached = chosen.iter().filter(|(_, page)| read.iter().any(|url| url.ends_with(page))).count();
    let citations = report["citations"].as_array().unwrap();
    let supported = citations.iter().filter(|citation| citation["support"] == "supported").count();
    println!("{} pages read, {reached} of 4 that hold the answer, {supported} of {} citations supported", read.len(), citations.len());
    assert!(reached >= 2 && read.len() >= 8, "{read:?}");
    assert!(supported * 10 >= citations.len() * 9, "{supported} of {}", citations.len());
    assert_eq!((model.problems(), search.problems()), (Vec::new(), Vec::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn researchers_have_tools_of_their_own() {
    let services = Services::start().await;
    let model = LlmServer::answering(KEY, Duration::ZERO, |request| {
        let text = request.to_string();
        let results = request["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool").count();
        match results {
            _ if text.contains("You plan a piece of research") => {
                Scripted::Text(r#"{"title": "Parser", "tasks": [{"title": "Parser", "goal": "What is known of orvik-parser?"}]}"#)
            }
            _ if text.contains("Researchers have reported") => Scripted::Text(
                "# Parser\n\nNothing of it was read in a page, and so nothing of it is cited here, but it is a report all the same: it has a heading, and it goes on for more than forty words, which is as many as a text must have to be taken for one.",
            ),
            0 => Scripted::Calls(vec![
                ("stackexchange", json!({"queries": ["orvik parser"]})),
                ("security_search", json!({"queries": ["npm orvik-parser"]})),
                ("grep", json!({"queries": ["orvik_parser\\s*="]})),
            ]),
            _ => Scripted::Calls(vec![("final_answer", json!({"answer": "It has a hole, says everybody."}))]),
        }
    })
    .await;
    let feeds: String = ["stackexchange", "nvd", "kev", "github_advisories", "osv"]
        .into_iter()
        .map(|name| format!("[providers.{name}]\ntype = \"{name}\"\nbase_url = \"{}\"\n", services.base(name)))
        .collect();
    let place = Place::new(&format!(
        "llm_backends = [\"work\"]\nsearch_backends = [\"documents\", \"stackexchange\"]\n{feeds}[providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"m\"\napi_key_env = \"TEST_KEY\"\n",
        model.base_url
    ));
    let docs = place.path("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(docs.join("notes.md"), "# Notes\n\nWe use it.\n\norvik_parser = 2.0\n").unwrap();
    let output = place.run(&["ask", "--deep", "Is orvik-parser safe?", "--json", "--docs", docs.to_str().unwrap()]);
    assert_eq!(parsed(&output)["state"], json!("answered"), "{}", stderr(&output));
    let told = model.requests()[2].to_string();
    for wanted in ["The \\\"Bridge\\\"", "CVE-2024-12345 (NVD)", "exploited in the wild", "(GitHub)", "(OSV)", "5: orvik_parser = 2.0"] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
    let offered: Vec<&str> = model.requests()[1]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["function"]["name"].as_str())
        .map(|name| Box::leak(name.to_owned().into_boxed_str()) as &str)
        .collect();
    assert_eq!(offered, ["web_search", "stackexchange", "security_search", "grep", "web_get", "final_answer"]);
    assert_eq!((services.problems(), model.problems()), (Vec::new(), Vec::new()));
    // Where the person does not want the web, nothing is asked there.
    let before = services.asked("nvd").len();
    let output = place.run(&["ask", "--deep", "--focus", "documents", "Is orvik-parser safe?", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(services.asked("nvd").len(), before);
    let told = model
        .requests()
        .into_iter()
        .rev()
        .map(|request| request.to_string())
        .find(|request| request.contains("cannot be used here"))
        .unwrap();
    assert!(told.contains("stackexchange cannot be used here") && told.contains("security_search cannot be used here"), "{told}");
}

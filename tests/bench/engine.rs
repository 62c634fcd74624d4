//! The engine's own speed: whole runs against loopback servers, tokens, streams, evidence. Printed as ratios against what
//! Python programs need for the same work in the same run, or against a stated limit.

#[path = "engine_peer.rs"]
mod peer;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use nexi_core::evidence::Evidence;
use nexi_core::model::{Message, Model, ModelRequest, ToolSet};
use nexi_core::ports::TokenCounter;
use nexi_core::protocol::{Event, EventEnvelope, Mode};
use nexi_core::settings::Route;
use nexi_engine::views::AnswerText;
use nexi_engine::{AskOptions, Engine, EngineOptions};
use nexi_llm::{EndpointConfig, Keys, Registry, open_ai_compatible, tokens::Encoding};
use nexi_testkit::{DeepModel, End, LlmServer, Scripted, SearchServer, Site, task};
use serde_json::json;
use tokio_util::sync::CancellationToken;

struct World {
    /// Each has all pages.
    sites: Vec<Site>,
    search: SearchServer,
    model: LlmServer,
}

impl World {
    /// With pages on so many hosts.
    async fn on(hosts: usize) -> Self {
        let filler = "<p>The quiet harbour has boats, nets and gulls, and in the evening the fishermen mend their nets and talk about the weather.</p>";
        let pages: Vec<(String, String)> = (0..8)
            .map(|index| {
                let fact = format!("<p>The lighthouse number {index} of Orvik was lit in {}.</p>", 1870 + index);
                let body = format!("{}{fact}{}", filler.repeat(40), filler.repeat(40));
                (format!("/{index}"), format!("<html><head><title>Lighthouse {index}</title></head><body><nav>Menu</nav><article><h1>Lighthouse {index}</h1>{body}</article></body></html>"))
            })
            .collect();
        let list: Vec<(&str, &str)> = pages.iter().map(|(path, html)| (path.as_str(), html.as_str())).collect();
        let sites: Vec<Site> = futures::future::join_all((0..hosts).map(|_| Site::start(&list))).await;
        let urls: Vec<String> = (0..8).map(|index| url(&sites, index)).collect();
        let results: Vec<(&str, &str, &str)> = urls.iter().map(|url| ("Lighthouses of Orvik", url.as_str(), "lit in the 1870s")).collect();
        let search = SearchServer::start(200, &results).await;
        Self { sites, search, model: LlmServer::start("key", Duration::ZERO, Vec::new()).await }
    }

    /// Three replies, five queries, this many pages.
    fn script(&self, reader: &str, pages: usize) -> Vec<Scripted> {
        let queries: Vec<String> = (0..5).map(|index| format!("lighthouse {index} orvik")).collect();
        // Services of others are never handed an address of this computer.
        let address = |index| if reader == "builtin" { url(&self.sites, index) } else { format!("https://pages.example/{index}") };
        let urls: Vec<String> = (0..pages).map(address).collect();
        vec![
            Scripted::Calls(vec![("web_search", json!({"queries": queries}))]),
            Scripted::Calls(vec![("web_get", json!({"urls": urls}))]),
            Scripted::Calls(vec![(
                "final_answer",
                json!({"answer": "The lighthouse number 1 of Orvik was lit in 1871 [2]. The lighthouse number 3 was lit in 1873 [4]."}),
            )]),
        ]
    }

    fn settings(&self, ahead: u32, reader: &str) -> String {
        format!(
            "llm_backends = [\"work\"]\ncheck = \"local\"\nsearch_backends = [\"searx\"]\nfetch_backends = [\"{reader}\"]\npages_ahead = {ahead}\n[cache]\nenabled = false\n[network]\nallowed_private_hosts = {:?}\n\
             [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"m\"\napi_key_env = \"NEXI_BENCH_KEY\"\n\
             [providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n\
             [providers.jina]\ntype = \"jina\"\nreader_url = \"{}\"\n",
            self.sites.iter().map(|site| &site.host).collect::<Vec<_>>(),
            self.model.base_url,
            self.search.base_url,
            self.sites[0].url("/reader")
        )
    }

    fn place(&self, folder: &Path, ahead: u32, reader: &str) -> EngineOptions {
        let settings = folder.join(format!("config-{reader}-{ahead}.toml"));
        std::fs::write(&settings, self.settings(ahead, reader)).expect("settings");
        EngineOptions { settings: Some(settings), data: Some(folder.join("data")), verbose: false }
    }

    async fn run(&self, engine: &Engine, reader: &str, pages: usize) -> Duration {
        self.model.set_script(self.script(reader, pages));
        let began = Instant::now();
        let question = AskOptions { question: "When were the lighthouses of Orvik lit?".into(), ..AskOptions::default() };
        let mut run = engine.ask(question).await.expect("a run");
        let mut read = 0;
        while let Some(events) = run.next().await {
            read += events.iter().filter(|event| matches!(event.event, Event::PageRead { .. })).count();
        }
        assert_eq!(read, pages, "a run that reads nothing is no measure");
        began.elapsed()
    }
}

/// Where the page of this number is.
fn url(sites: &[Site], index: usize) -> String {
    sites[index % sites.len()].url(&format!("/{index}"))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // What needs neither servers nor the program can be measured by itself.
    let alone = std::env::args().nth(1);
    if alone.as_deref() == Some("arriving") {
        arriving();
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for hosts in [8, 1] {
        latencies(hosts, folder.path()).await;
    }
    if alone.as_deref() == Some("latencies") {
        return;
    }
    let world = World::on(1).await;
    whole_runs(&world, folder.path(), "jina", "cleaned pages", [8.0, 20.0]).await;
    whole_runs(&world, folder.path(), "builtin", "HTML pages", [12.0, 28.0]).await;
    size_of_a_turn(folder.path()).await;
    deep_runs(folder.path()).await;
    tokens();
    streaming().await;
    arriving();
    evidence();
}

/// The same question as a process and in a program that is running, with how many times as long the peer may be expected to
/// take: warm and as a process.
async fn whole_runs(world: &World, folder: &Path, reader: &str, kind: &str, goals: [f64; 2]) {
    // The bench's own environment is the only place from which the key can come.
    let key = ("NEXI_BENCH_KEY", "key");
    let options = world.place(folder, 0, reader);
    let settings = options.settings.clone().expect("settings");
    let mut times = Vec::new();
    let mut memory: f64 = 0.0;
    for _ in 0..7 {
        world.model.set_script(world.script(reader, 8));
        let began = Instant::now();
        let mut command = tokio::process::Command::new("target/release/nexi");
        command.args(["ask", "When were the lighthouses of Orvik lit?", "--json", "--config"]).arg(&settings).arg("--data-dir");
        let child = command.arg(folder.join("cold")).env(key.0, key.1).stdout(Stdio::null()).spawn().expect("target/release/nexi");
        let (ended, peak) = peer::watched(child).await;
        assert!(ended.success(), "nexi failed");
        memory = memory.max(peak);
        times.push(ms(began.elapsed()));
    }
    assert_eq!(world.model.problems(), Vec::<String>::new());
    let cold = median(times);
    let engine = engine(options);
    world.run(&engine, reader, 8).await;
    let mut times = Vec::new();
    for _ in 0..15 {
        times.push(ms(world.run(&engine, reader, 8).await));
    }
    let warm = median(times);
    let work = format!("a question (3 replies, 5 queries, 8 {kind}, no latency)");
    let Some(peer) = peer::nexi_for_python(world, folder, reader).await else {
        println!(
            "{work}: {warm:.1} ms in a program that is running, {cold:.0} ms as a process, {memory:.0} MB; SKIPPED: NEXI for Python is not there"
        );
        return;
    };
    println!(
        "{work} in a program that is running: {warm:.1} ms, 1/{:.1} of NEXI for Python ({:.0} ms; goal 1/{})",
        peer.warm / warm,
        peer.warm,
        goals[0]
    );
    println!(
        "the same as a process: {cold:.0} ms, 1/{:.1} of NEXI for Python ({:.0} ms; goal 1/{})",
        peer.process / cold,
        peer.process,
        goals[1]
    );
    println!(
        "most memory of that process: {memory:.0} MB, {:.2} of NEXI for Python ({:.0} MB; goal 0.25)",
        memory / peer.memory,
        peer.memory
    );
}

/// What the library grows by with a turn that reads eight pages of twenty kilobytes, journal and texts included.
async fn size_of_a_turn(folder: &Path) {
    const TURNS: usize = 20;
    const LIMIT: f64 = 180.0;
    // Words as frequent as in a language, so that they pack as a language does.
    let mut state = 16_u64;
    let syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "en", "ar", "st", "ly", "qu"];
    let mut word = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let rank = 2.0_f64.powf((state >> 40) as f64 / f64::from(1 << 24) * 14.0) as u64;
        let mut seed = rank.wrapping_mul(2_654_435_761);
        let mut word = String::new();
        for _ in 0..2 + rank.ilog2() / 4 {
            word.push_str(syllables[(seed % 15) as usize]);
            seed /= 61;
        }
        word
    };
    let pages: Vec<(String, String)> = (0..TURNS * 8)
        .map(|index| {
            let mut text = String::new();
            while text.len() < 20_000 {
                let sentence: Vec<String> = (0..14).map(|_| word()).collect();
                text.push_str(&format!("<p>{}.</p>", sentence.join(" ")));
            }
            (
                format!("/{index}"),
                format!("<html><head><title>Page {index}</title></head><body><article><h1>Page {index}</h1>{text}</article></body></html>"),
            )
        })
        .collect();
    let list: Vec<(&str, &str)> = pages.iter().map(|(path, html)| (path.as_str(), html.as_str())).collect();
    let site = Site::start(&list).await;
    let world = World {
        search: SearchServer::start(200, &[]).await,
        model: LlmServer::start("key", Duration::ZERO, Vec::new()).await,
        sites: vec![site],
    };
    let options = EngineOptions { data: Some(folder.join("sizes")), ..world.place(folder, 0, "builtin") };
    let file = folder.join("sizes/nexi.db");
    let size = || std::fs::metadata(&file).map_or(0, |file| file.len()) as f64;
    drop(engine(options.clone()));
    let before = size();
    let running = engine(options);
    for turn in 0..TURNS {
        let urls: Vec<String> = (0..8).map(|index| world.sites[0].url(&format!("/{}", turn * 8 + index))).collect();
        world.model.set_script(vec![
            Scripted::Calls(vec![("web_get", json!({"urls": urls}))]),
            Scripted::Calls(vec![("final_answer", json!({"answer": "The pages say little [1]."}))]),
        ]);
        let question = AskOptions { question: format!("What do the pages {turn} say?"), ..AskOptions::default() };
        let mut run = running.ask(question).await.expect("a run");
        while run.next().await.is_some() {}
    }
    drop(running);
    let each = (size() - before) / TURNS as f64 / 1000.0;
    println!("a turn that reads 8 pages of 20 kB: {each:.0} kB in the library, {:.2} of {LIMIT} (goal 1.00)", each / LIMIT);
}

fn engine(options: EngineOptions) -> Engine {
    Engine::open(options).expect("an engine")
}

/// Reading ahead, where everything takes as long as it does in the open: beside the critical path of two replies, the search,
/// a page on the way while the model thinks, and the last reply.
async fn latencies(hosts: usize, folder: &Path) {
    let world = World::on(hosts).await;
    let (search, page, reply) = (0.6, 1.5, 0.8);
    world.search.set_delay(Duration::from_secs_f64(search));
    world.sites.iter().for_each(|site| site.set_delay(Duration::from_secs_f64(page)));
    world.model.set_delay(Duration::from_secs_f64(reply));
    let critical = reply + search + f64::max(page, reply) + reply;
    for pages in [8, 3] {
        let mut took = Vec::new();
        for ahead in [0, 12] {
            let engine = engine(world.place(folder, ahead, "builtin"));
            took.push(ms(world.run(&engine, "builtin", pages).await) / 1000.0);
        }
        println!(
            "with latencies (search {search} s, page {page} s, first token {reply} s), {pages} pages, hosts: {hosts}: {:.2} s, reading ahead \
             {:.2} s, {:.2} of the critical path{}",
            took[0],
            took[1],
            took[1] / critical,
            match (pages, hosts) {
                (8, 8) => " (limit 1.12)",
                (8, 1) => " (limit 1.48; two rounds on four connections are 1.41)",
                _ => "",
            }
        );
    }
}

/// Three researchers at the same time against one after the other, and what the engine itself takes.
async fn deep_runs(folder: &Path) {
    let topics = ["mill", "wall", "lighthouse"];
    let pages: Vec<(String, String)> = (0..9)
        .map(|index| {
            let topic = topics[index % 3];
            let text = format!("The {topic} number {index} of Orvik was built in {}. ", 1870 + index);
            (
                format!("/{index}"),
                format!(
                    "<html><head><title>The {topic} {index}</title></head><body><article><p>{}</p></article></body></html>",
                    text.repeat(30)
                ),
            )
        })
        .collect();
    let served: Vec<(&str, &str)> = pages.iter().map(|(path, html)| (path.as_str(), html.as_str())).collect();
    let site = Site::start(&served).await;
    let found: Vec<(String, String)> =
        (0..9).map(|index| (format!("The {} {index}", topics[index % 3]), site.url(&format!("/{index}")))).collect();
    let list: Vec<(&str, &str, &str)> = found.iter().map(|(title, url)| (title.as_str(), url.as_str(), "built")).collect();
    let search = SearchServer::ranking(&list).await;
    let about = |topic: &str| task(topic, &format!("When was the {topic} built?"), &format!("the {topic}"));
    let deep = DeepModel { tasks: topics.map(about).to_vec(), more: Vec::new(), fails: None };
    let model = LlmServer::answering("key", Duration::ZERO, move |request| deep.reply(request)).await;
    let engine = |parallel: u32| {
        let settings = folder.join(format!("deep-{parallel}.toml"));
        let text = format!(
            "llm_backends = [\"work\"]\ncheck = \"local\"\nsearch_backends = [\"searx\"]\npages_ahead = 0\n[deep]\nparallel = {parallel}\n[cache]\nenabled = false\n[network]\nallowed_private_hosts = [\"{}\"]\n\
             [providers.work]\ntype = \"openai_compatible\"\nbase_url = \"{}\"\nmodel = \"m\"\napi_key_env = \"NEXI_BENCH_KEY\"\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n",
            site.host, model.base_url, search.base_url
        );
        std::fs::write(&settings, text).expect("settings");
        engine(EngineOptions { settings: Some(settings), data: Some(folder.join("deep")), verbose: false })
    };
    let run = async |engine: &Engine| {
        let began = Instant::now();
        let question = AskOptions { question: "What was built in Orvik?".into(), mode: Mode::Deep, ..AskOptions::default() };
        let mut run = engine.ask(question).await.expect("a run");
        while run.next().await.is_some() {}
        ms(began.elapsed())
    };
    let together = engine(3);
    run(&together).await;
    let before = model.requests().len();
    let mut times = Vec::new();
    for _ in 0..9 {
        times.push(run(&together).await);
    }
    let requests = (model.requests().len() - before) / 9;
    let took = median(times);
    println!(
        "a deep run (plan, 3 researchers, 9 pages, evaluation; {requests} requests, no latency): {took:.1} ms, {:.1} ms a request (limit 25 ms a request: {:.2})",
        took / requests as f64,
        took / requests as f64 / 25.0
    );
    search.set_delay(Duration::from_millis(600));
    site.set_delay(Duration::from_millis(1500));
    model.set_delay(Duration::from_millis(800));
    let (one, three) = (run(&engine(1)).await, run(&together).await);
    println!(
        "with latencies (search 0.6 s, page 1.5 s, first token 0.8 s; all pages on one host, which gets four connections): three researchers one after the other {:.1} s, at the same time {:.1} s, {:.2} of it (goal 0.60)",
        one / 1000.0,
        three / 1000.0,
        three / one
    );
    assert_eq!(model.problems(), Vec::<String>::new());
}

fn tokens() {
    let text = "Nothing is lost when a long text is counted in pieces, however long it may be, and 1931 is a year. ".repeat(10_000);
    for (name, encoding) in [("cl100k_base", Encoding::Cl100kBase), ("o200k_base", Encoding::O200kBase)] {
        encoding.warm_up();
        let began = Instant::now();
        let count = encoding.count(&text);
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "counting tokens, {name}: {:.1} million a second, {:.1} MB/s (limit 5 MB/s)",
            count as f64 / seconds / 1e6,
            text.len() as f64 / seconds / 1e6
        );
        match peer::tiktoken(name, &text) {
            Some((same, peers)) => {
                assert_eq!(count, same, "tiktoken counts otherwise");
                println!("  tiktoken for Python takes {:.2} times as long", peers / seconds);
            }
            None => println!("  SKIPPED: tiktoken for Python with its table is not there"),
        }
    }
}

async fn streaming() {
    const DELTAS: usize = 100_000;
    let mut body = Vec::new();
    for _ in 0..DELTAS {
        body.extend(b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"wo \"},\"finish_reason\":null}]}\n\n");
    }
    body.extend(b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    let pieces: Vec<(Duration, Vec<u8>)> = body.chunks(4096).map(|piece| (Duration::ZERO, piece.to_vec())).collect();
    let script = || vec![Scripted::Wire("text/event-stream", pieces.clone(), End::Close)];
    let server = LlmServer::start("key", Duration::ZERO, script()).await;
    let config = EndpointConfig {
        name: "bench".into(),
        base_url: server.base_url.clone(),
        model: "m".into(),
        keys: Keys::one(Some("key".to_owned().into())),
        timeout: Duration::from_secs(60),
        retries: 0,
        requests_per_minute: None,
        tools: Some(true),
        context: 128_000,
        price: None,
        prompts: nexi_core::prompts::Prompts::default(),
        http: nexi_web::client::service_client(&Route::default()).expect("a client"),
        total: Duration::from_secs(600),
        known: None,
        vendor: None,
        is_local: true,
        api: Default::default(),
        thinking: None,
    };
    let model = open_ai_compatible(config, &std::sync::Arc::new(Registry::default())).expect("a model");
    let request = ModelRequest {
        messages: vec![Message::User { text: "x".into() }],
        tools: ToolSet::None,
        user_tools: Vec::new(),
        max_output_tokens: 1000,
        thinking: Default::default(),
    };
    let seen = std::sync::atomic::AtomicUsize::new(0);
    let began = Instant::now();
    let count = |_| {
        seen.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let reply = model.reply(&request, &count, &CancellationToken::new()).await.expect("a reply");
    let took = began.elapsed();
    assert_eq!(reply.text.len(), DELTAS * 3);
    let micros = took.as_secs_f64() * 1e6 / DELTAS as f64;
    println!("streaming {DELTAS} tiny deltas: {micros:.1} microseconds each with the server's own share");
    server.set_script(script());
    match peer::openai_client(&server).await {
        Some(peers) => println!("  1/{:.0} of openai's client for Python ({peers:.0} microseconds)", peers / micros),
        None => println!("  SKIPPED: openai's client for Python is not there"),
    }
}

/// An answer of 200 KB as the windows get it, in pieces of a frame: what its last tenth costs beside its first, and the
/// same where the whole text is rendered each time.
fn arriving() {
    const SIZE: usize = 200 * 1024;
    let paragraph = "The lighthouse of Orvik was lit in 1877 [1], and **a second one** stands at the cape since 1902 [2].\n\n";
    let section = format!("## The coast\n\n{}- one [1]\n- two [2]\n\n", paragraph.repeat(6));
    let text = section.repeat(SIZE / section.len());
    let pieces: Vec<&str> = text.as_bytes().chunks(60).map(|piece| std::str::from_utf8(piece).expect("plain letters")).collect();
    let event = |text: &str| EventEnvelope {
        turn: nexi_core::ids::TurnId("bench".into()),
        seq: 0,
        elapsed_ms: 0,
        event: Event::AnswerDelta { text: text.to_owned() },
    };
    let mut answer = AnswerText::default();
    let mut times = Vec::with_capacity(pieces.len());
    for piece in &pieces {
        let began = Instant::now();
        std::hint::black_box(answer.message(vec![event(piece)]));
        times.push(began.elapsed().as_secs_f64() * 1e6);
    }
    let tenth = times.len() / 10;
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let began = Instant::now();
    std::hint::black_box(nexi_engine::render::answer(&text));
    let whole = began.elapsed().as_secs_f64() * 1e6;
    let last = mean(&times[times.len() - tenth..]);
    println!(
        "an answer of {} KB as it arrives: a piece of its last tenth costs {:.2} of one of its first (limit 1.5); rendering the whole text each time would cost {:.0} times as much at the end",
        text.len() / 1024,
        last / mean(&times[..tenth]),
        whole / last
    );
}

fn evidence() {
    let sentence = |index: usize| {
        format!(
            "The lighthouse number {index} of Orvik was lit in {} and stands {} metres high above the sea.",
            1800 + index % 200,
            20 + index % 60
        )
    };
    let sources: Vec<String> =
        (0..20).map(|source| (0..200).map(|index| sentence(source * 200 + index)).collect::<Vec<_>>().join(" ")).collect();
    // About 1,000 words: sixty sentences, each with a citation.
    let claims: Vec<(usize, String)> =
        (0..60).map(|index| (index % 20, sentence((index % 20) * 200 + index).replace("stands", "is"))).collect();
    let began = Instant::now();
    let prepared: Vec<Evidence<'_>> = sources.iter().map(|text| Evidence::new("Lighthouses", text)).collect();
    let found = claims.iter().filter(|(source, claim)| prepared[*source].judge(claim).is_some()).count();
    let took = ms(began.elapsed());
    assert!(found > 50);
    println!(
        "judging 60 citations of a 1,000-word answer in 20 sources of 200 sentences: {took:.1} ms, {:.2} of a 50 ms limit",
        took / 50.0
    );
}

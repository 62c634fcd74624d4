//! The library: finding among very many, order, undo, exports and imports.

use std::time::{Duration, Instant};

use nexi_engine::import::{ImportOutcome, Imported, OnBroken};
use nexi_engine::{Engine, EngineOptions};
use serde_json::{Value, json};

use crate::support::{APPEARING, BUILT_IN, DONE, ENTER, Window, model_settings, until, until_within};

pub fn engine(folder: &std::path::Path) -> Engine {
    Engine::open(EngineOptions { data: Some(folder.join("data")), settings: None, ..EngineOptions::default() }).expect("an engine")
}

/// Turns of the library. `NEXI_LIBRARY_TURNS` is another number, such as 100000, which take a minute to make.
fn turns_wanted() -> usize {
    std::env::var("NEXI_LIBRARY_TURNS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

/// Words that are as frequent as words are: few often, many seldom.
pub struct Words(pub u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn text(&mut self, count: usize) -> String {
        let parts = ["ba", "cor", "del", "fin", "gor", "hal", "jun", "kel", "lom", "mir", "nos", "pav", "quen", "ros", "sil", "tor"];
        let mut out = String::new();
        for index in 0..count {
            let rank = (self.next() % 8000).min(self.next() % 8000).min(self.next() % 8000) as usize;
            out.push_str(parts[rank % 16]);
            out.push_str(parts[(rank / 16) % 16]);
            out.push_str(parts[(rank / 256) % 16]);
            out.push_str(if index % 12 == 11 { ". " } else { " " });
        }
        out
    }
}

pub fn thread(number: usize, turns: usize, words: &mut Words) -> Value {
    let asked = 1_600_000_000_000_i64 + number as i64 * 3_600_000;
    let id = format!("0190{number:028x}");
    let turns: Vec<Value> = (0..turns)
        .map(|index| {
            json!({
                "id": format!("0191{:028x}", number * 1000 + index), "thread": id, "question": words.text(9).trim(), "effort": (["s", "m", "l"][index % 3]),
                "model": "m", "asked_ms": asked, "duration_ms": 9000, "events": [],
                "ending": {"state": "answered", "answer": format!("{}[1]\n\n{}", words.text(150), words.text(150)), "citations": [], "steps": 3, "usage": {"prompt": 9, "completion": 9},
                    "sources": [{"number": 1, "url": format!("https://site{}.org/a", number % 400), "title": words.text(5).trim(), "site": format!("site{}.org", number % 400), "cited": true, "passages": []}]},
            })
        })
        .collect();
    let source =
        json!({"number": 1, "read_ms": asked, "page": {"url": format!("https://site{}.org/a", number % 400), "title": "t", "text": "t"}});
    json!({"nexi_thread": 1, "id": id, "title": turns[0]["question"], "created_ms": asked, "updated_ms": asked, "turns": turns, "sources": [source]})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_library_is_searched_as_it_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Words(0x9e37_79b9_7f4a_7c15);
    let started = Instant::now();
    {
        let engine = engine(folder.path());
        for chunk in 0..turns_wanted() / 5000 {
            let lines: Vec<String> = (0..1000).map(|index| thread(chunk * 1000 + index, 5, &mut words).to_string()).collect();
            engine.import_threads(std::io::Cursor::new(lines.join("\n")), OnBroken::Refuse).await.unwrap();
        }
    }
    println!("{} turns made in {:.0} s", turns_wanted(), started.elapsed().as_secs_f64());
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("the first page", "return document.querySelectorAll('.entry').length >= 50").await;
    // Typed letter by letter; measured in the window from the call to the painted rows.
    let measure = "const [texts, done] = arguments; const invoke = window.__TAURI__.core.invoke; (async () => { const times = []; \
        for (const text of texts) for (let end = 1; end <= text.length; end += 1) { const start = performance.now(); \
          const page = await invoke('library', {query: {text: text.slice(0, end), since_ms: null, until_ms: null, effort: null, site: null, pinned: false, tag: null, offset: 0, limit: 50}}); \
          times.push([performance.now() - start, text.slice(0, end), page.rows.length]); } return times; })().then(done, (error) => done('' + error))";
    let texts = json!(["corhalmir baco", "silfin torgor delnos", "kelkelba"]);
    let times = window.client.execute_async(measure, vec![texts]).await.unwrap();
    let mut times: Vec<(f64, String)> = times
        .as_array()
        .unwrap_or_else(|| panic!("{times}"))
        .iter()
        .map(|entry| (entry[0].as_f64().unwrap(), entry[1].as_str().unwrap().to_owned()))
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let worst = times.last().unwrap();
    println!("library of {} turns: median {:.0} ms, slowest {:.0} ms ({:?})", turns_wanted(), times[times.len() / 2].0, worst.0, worst.1);
    window.click("#library-search").await;
    window.keys("corhalmir").await;
    // Who types slowly sees what a part of the word finds first.
    window
        .wait_for(
            "hits are marked",
            "const all = [...document.querySelectorAll('.entry')]; return all.length > 0 && all.every((one) => one.querySelector('mark')?.innerText.toLowerCase().startsWith('corhalmir'))",
        )
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("library").await;
    // Filters narrow it down.
    window
        .eval("const input = document.querySelector('.filter'); input.value = 'www.site7.org'; input.dispatchEvent(new Event('input'))")
        .await;
    window
        .wait_for(
            "fewer",
            "return !/first 50/.test(document.querySelector('.count').innerText) && document.querySelectorAll('.entry').length < 50",
        )
        .await;
    // Without words every thread is reached by scrolling on and on; here the first thousand. Who is at the
    // end before the rows are painted (the End key held down) gets the next ones, too.
    window
        .eval("window.toEnd = new MutationObserver(() => document.querySelector('.end').scrollIntoView()); window.toEnd.observe(document.querySelector('.entries'), {childList: true}); \
            const input = document.querySelector('.filter'); input.value = ''; input.dispatchEvent(new Event('input')); const search = document.querySelector('#library-search'); search.value = ''; search.dispatchEvent(new Event('input'))")
        .await;
    window.wait_long(Duration::from_secs(60), "a thousand rows", "return document.querySelectorAll('.entry').length >= 1000").await;
    let distinct = "return new Set([...document.querySelectorAll('.entry')].map((entry) => entry.dataset.thread)).size === document.querySelectorAll('.entry').length";
    assert_eq!(window.eval(distinct).await, json!(true), "no thread twice");
    // Another search is read from its beginning.
    window
        .eval("window.toEnd.disconnect(); const search = document.querySelector('#library-search'); search.value = 'corhalmir'; search.dispatchEvent(new Event('input'))")
        .await;
    window.wait_for("hits are marked", "return document.querySelectorAll('.entry mark').length > 0").await;
    assert_eq!(window.eval("return document.querySelector('.library').parentElement.scrollTop").await, json!(0));
    let marked = "return [...document.querySelectorAll('.entry')].every((entry) => entry.querySelector('mark'))";
    assert_eq!(window.eval(marked).await, json!(true), "only rows of this search");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_of_five_hundred_turns_opens_at_its_end_and_nothing_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Words(7);
    let long = thread(1, 500, &mut words);
    let id = long["id"].as_str().unwrap().to_owned();
    // Another one with short answers, of which several are in sight at once.
    let mut short = thread(2, 200, &mut words);
    for turn in short["turns"].as_array_mut().unwrap() {
        turn["ending"]["answer"] = json!(format!("{}[1]", words.text(25)));
    }
    let both = std::io::Cursor::new(format!("{long}\n{short}"));
    engine(folder.path()).import_threads(both, OnBroken::Refuse).await.unwrap();
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    window.wait_for("the threads are listed", "return document.querySelectorAll('.rail .row').length === 2").await;
    window.comes_to_rest().await;
    let before = window.memory();
    let open = "const done = arguments[0]; const start = performance.now(); document.querySelectorAll('.rail .row')[1].click(); \
        const look = () => { const last = document.querySelector('.turn:last-child .answer'); if (last && last.innerText.length > 100) requestAnimationFrame(() => done(performance.now() - start)); else requestAnimationFrame(look); }; look()";
    let took = window.client.execute_async(open, vec![]).await.unwrap();
    println!("a thread of 500 turns: open and painted in {:.0} ms", took.as_f64().unwrap());
    assert_eq!(window.eval("return document.querySelectorAll('.turn').length").await, json!(500));
    assert!(window.eval("return document.querySelectorAll('.turn.unread').length").await.as_u64().unwrap() > 400, "old turns wait");
    assert_eq!(window.text("return location.hash").await, format!("#{id}"));
    // Scrolled up, turns are filled in and what is being read stays where it is.
    window.eval("document.querySelector('#flow').scrollTop -= 3000").await;
    window.comes_to_rest().await;
    let jump = jump_while_scrolling(&window).await;
    let after = window.memory();
    println!(
        "memory with a thread of 500 turns, 40 of them shown: {after} MB (PSS), {:.2} times as much as before ({before} MB)",
        after as f64 / before as f64
    );
    assert!(jump < 3.0, "what is being read jumped by {jump} pixels");
    // A turn that comes late, and takes another room than was kept for it, stands above one that is being read. Turns that
    // were asked for before may come meanwhile; then it is the one above them.
    window.eval("document.querySelectorAll('.rail .row')[0].click()").await;
    window.wait_for("the other thread", "return document.querySelectorAll('.turn').length === 200").await;
    window.comes_to_rest().await;
    let late = "const done = arguments[0]; const flow = document.querySelector('#flow'); const send = window.fetch; let release; \
        const held = new Promise((go) => { release = go; }); \
        window.fetch = async (address, ...rest) => { if (String(address).endsWith('/turn_views')) await held; return send(address, ...rest); }; (async () => { \
        const frames = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))); \
        const turn = (id) => document.querySelector(`.turn[data-turn='${id}']`); \
        for (;;) { const read = document.querySelector('.turn:not(.unread)'); const id = read.previousElementSibling.dataset.turn; \
          flow.scrollTop += turn(id).getBoundingClientRect().top - flow.getBoundingClientRect().top - 20; await frames(); \
          if (!turn(id).classList.contains('unread')) continue; \
          const top = () => read.getBoundingClientRect().top; const height = turn(id).offsetHeight; const before = top(); \
          const isInSight = before < flow.getBoundingClientRect().bottom; \
          release(); while (turn(id).classList.contains('unread')) await frames(); await frames(); window.fetch = send; \
          return [isInSight, Math.abs(turn(id).offsetHeight - height), Math.abs(top() - before)]; } })().then(done)";
    let late = window.client.execute_async(late, vec![]).await.unwrap();
    assert_eq!(late[0], json!(true), "what is read is in sight");
    assert!(late[1].as_f64().unwrap() > 3.0 && late[2].as_f64().unwrap() < 3.0, "another height, and what is read jumped: {late}");
    window.close().await;
}

/// By how many pixels the first turn in sight that can be read is moved by what is filled in around it, at most, on a way up.
async fn jump_while_scrolling(window: &Window) -> f64 {
    let way = "const done = arguments[0]; const flow = document.querySelector('#flow'); const jumps = []; (async () => { \
        for (let step = 0; step < 25; step += 1) { flow.scrollTop -= 400; await new Promise((next) => requestAnimationFrame(next)); \
          const top = (id) => document.querySelector(`.turn[data-turn='${id}']`).getBoundingClientRect().top; \
          const edge = flow.getBoundingClientRect(); const isInSight = (box) => box.bottom > edge.top && box.top < edge.bottom; \
          const id = [...document.querySelectorAll('.turn:not(.unread)')].find((turn) => isInSight(turn.getBoundingClientRect()))?.dataset.turn; \
          const before = id && top(id); await new Promise((next) => setTimeout(next, 120)); if (id) jumps.push(Math.abs(top(id) - before)); } \
        return jumps.length > 4 ? Math.max(...jumps) : null; })().then(done)";
    let jump = window.client.execute_async(way, vec![]).await.unwrap();
    jump.as_f64().expect("turns that can be read were in sight")
}

#[tokio::test(flavor = "multi_thread")]
async fn threads_are_named_pinned_tagged_deleted_and_brought_back() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the run is over", DONE).await;
    let choose = |label: &str| {
        format!("[...document.querySelectorAll('.menu-list button')].find((item) => item.innerText.startsWith('{label}')).click()")
    };
    let menu = || async {
        window.eval("document.querySelector('.entry .more').click()").await;
        window.wait_for("a menu", "return !!document.querySelector('.menu-list')").await;
    };
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'l', ctrlKey: true, bubbles: true}))").await;
    window.wait_for("the library", "return document.querySelectorAll('.entry').length === 1").await;
    menu().await;
    window.picture("library-menu").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.eval(&choose("Rename")).await;
    window.wait_for("a field", "return !!document.querySelector('dialog.ask input')").await;
    window.eval("document.querySelector('dialog.ask input').select()").await;
    window.keys("Keys of mine").await;
    window.keys(ENTER).await;
    window.wait_for("the new name", "return document.querySelector('.entry .title').innerText === 'Keys of mine'").await;
    menu().await;
    window.eval(&choose("Tags")).await;
    window.wait_for("a field", "return !!document.querySelector('dialog.ask input')").await;
    window.keys("work, keys").await;
    window.keys(ENTER).await;
    window.wait_for("the tags", "return document.querySelector('.entry .facts').innerText.includes('#keys')").await;
    menu().await;
    window.eval(&choose("Pin")).await;
    window.wait_for("it is pinned", "return !!document.querySelector('.entry .pin')").await;
    window.wait_for("in the list, too", "return document.querySelector('.rail h2').innerText === 'Pinned'").await;
    menu().await;
    window.eval(&choose("Delete")).await;
    window
        .wait_for(
            "it is gone",
            "return document.querySelectorAll('.entry').length === 0 && document.querySelectorAll('.rail .row').length === 0",
        )
        .await;
    window.wait_for("it can be taken back", "return document.querySelector('#toast button')?.innerText === 'Undo'").await;
    window.picture("library-undo").await;
    window.eval("document.querySelector('#toast button').click()").await;
    window.wait_for("it is back", "return document.querySelector('.entry .title')?.innerText.includes('Keys of mine')").await;
    // The same for those who see later what they did.
    menu().await;
    window.eval(&choose("Delete")).await;
    window.wait_for("what was deleted can be looked at", "return !!document.querySelector('[data-filter=deleted]')").await;
    window.click("[data-filter=deleted]").await;
    window.wait_for("it is listed", "return document.querySelector('[data-deleted] .title')?.innerText === 'Keys of mine'").await;
    assert!(
        window.eval("return document.querySelector('[data-deleted] .facts').innerText").await.as_str().unwrap().contains("30 days left")
    );
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("library-deleted").await;
    let look_for = |words: &str| {
        format!(
            "const field = document.querySelector('.library .search input'); field.value = '{words}'; field.dispatchEvent(new Event('input'))"
        )
    };
    window.eval(&look_for("zebra")).await;
    let is_empty = "return !document.querySelector('[data-deleted]') && document.querySelector('.deleted .count').innerText.includes('has these words')";
    window.wait_for("no deleted thread has this word", is_empty).await;
    window.eval(&look_for("MINE")).await;
    window.wait_for("one has that", "return document.querySelectorAll('[data-deleted]').length === 1").await;
    window.eval(&look_for("")).await;
    window.click("[data-deleted] .pill").await;
    window.wait_for("nothing more is there", "return !document.querySelector('[data-deleted]')").await;
    window.click("[data-filter=deleted]").await;
    window.wait_for("it is back once more", "return document.querySelector('.entry .title')?.innerText.includes('Keys of mine')").await;
    window.eval("document.querySelector('.entry .open').click()").await;
    window.wait_for("with its answer", "return document.querySelector('.answer')?.innerText.includes('keyring')").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_threads_are_chosen_exported_tagged_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Words(11);
    let lines: String = (1..=6).map(|number| thread(number, 1, &mut words).to_string() + "\n").collect();
    engine(folder.path()).import_threads(std::io::Cursor::new(lines), OnBroken::Refuse).await.unwrap();
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("all of them", "return document.querySelectorAll('.entry').length === 6").await;
    assert_eq!(window.eval("return document.querySelectorAll('.entries .day').length").await, json!(1), "they are of one day");
    let boxes = "const boxes = document.querySelectorAll('.entry .choose');";
    window
        .eval(&format!("{boxes} boxes[1].click(); boxes[3].dispatchEvent(new MouseEvent('click', {{shiftKey: true, bubbles: true}}))"))
        .await;
    window.wait_for("three are chosen", "return document.querySelector('.chosen-count').innerText === '3 chosen'").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("library-chosen").await;
    window.click("#export-chosen").await;
    window.wait_for("a dialog", "return !!document.querySelector('#export-go')").await;
    window.eval("document.querySelector('dialog [data-value=ris]').click()").await;
    window.click("#export-go").await;
    window.wait_for("they are saved", "return document.querySelector('#toast').innerText.includes('3 files saved')").await;
    let saved = || {
        std::fs::read_dir(window.downloads())
            .unwrap()
            .flatten()
            .filter(|file| file.path().extension().is_some_and(|end| end == "ris"))
            .count()
    };
    assert_eq!(saved(), 3);
    window.click("#tag-chosen").await;
    window.wait_for("a field", "return !!document.querySelector('dialog.ask input')").await;
    window.keys("harbour, walls").await;
    window.keys(ENTER).await;
    window.wait_for("they are tagged", "return [...document.querySelectorAll('.entry')].filter((entry) => entry.innerText.includes('#harbour') && entry.innerText.includes('#walls')).length === 3").await;
    assert_eq!(window.eval("return document.querySelector('.selection').hidden").await, json!(true));
    window.eval(&format!("{boxes} boxes[0].click(); boxes[5].click()")).await;
    window.click("#delete-chosen").await;
    window
        .wait_for(
            "they are gone, and can be brought back",
            "return document.querySelectorAll('.entry').length === 4 && document.querySelector('#toast button')?.innerText === 'Undo'",
        )
        .await;
    window.eval("document.querySelector('#toast button').click()").await;
    window.wait_for("they are back", "return document.querySelectorAll('.entry').length === 6").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_hold_the_answer_and_come_back_without_loss() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.answer').innerText").await;
    let first: String = answer.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
    let export = "[...document.querySelectorAll('.acts button')].find((button) => button.innerText === 'Export').click()";
    for (format, ending) in [("markdown", "md"), ("html", "html"), ("pdf", "pdf"), ("json", "json"), ("bibtex", "bib")] {
        window.eval(export).await;
        window.wait_for("a dialog", "return !!document.querySelector('#export-go')").await;
        if format == "markdown" {
            window.picture("export").await;
            assert_eq!(window.faults().await, Vec::<String>::new());
        }
        window.eval(&format!("document.querySelector('dialog [data-value={format}]').click()")).await;
        window.click("#export-go").await;
        window
            .wait_for(
                "it is done",
                "return !document.querySelector('#export-go') && document.querySelector('#toast').innerText.includes('Saved as')",
            )
            .await;
        let path = window.downloads().join(format!("where-does-nexi-keep-my-keys.{ending}"));
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = String::from_utf8_lossy(&bytes);
        match format {
            "pdf" => {
                assert!(text.starts_with("%PDF-") && bytes.len() > 5000, "{} bytes", bytes.len());
                use std::os::unix::fs::PermissionsExt as _;
                assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "nobody else may read it");
                let out = std::process::Command::new("pdftotext").arg(&path).arg("-").output();
                match out {
                    Ok(out) => assert!(String::from_utf8_lossy(&out.stdout).contains("keep my keys"), "the words are in it as words"),
                    Err(_) => eprintln!("SKIPPED: pdftotext is missing; the text of the PDF was not read"),
                }
            }
            "bibtex" => assert!(text.contains("@misc{") && text.contains("title = {{Keys}}"), "{text}"),
            _ => assert!(text.contains("keyring") && text.contains("Where does Nexi keep my keys?"), "{format}: {text}"),
        }
        if format == "markdown" {
            let plain = text.replace("**", "");
            assert!(plain.split_whitespace().collect::<Vec<_>>().join(" ").contains(&first[..20.min(first.len())]), "{text}\n{first}");
        }
    }
    // Deleted for good in another installation's sense: taken in elsewhere it is the same.
    let json = std::fs::read_to_string(window.downloads().join("where-does-nexi-keep-my-keys.json")).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let other = engine(elsewhere.path());
    let done = other.import_threads(std::io::Cursor::new(json.clone()), OnBroken::Refuse).await.unwrap();
    assert_eq!(done, ImportOutcome::Imported(Imported { threads: 1, ..Imported::default() }));
    let value: Value = serde_json::from_str(&json).unwrap();
    let thread = nexi_engine::core::ids::ThreadId(value["id"].as_str().unwrap().to_owned());
    let again = serde_json::to_value(other.thread_file(&thread, None).await.unwrap()).unwrap();
    assert_eq!(again, value, "nothing is lost on the way");
    // And in the window, by its own import, together with lines of NEXI.
    let lines = "{\"id\": \"a1b2c3\", \"ts\": \"2025-03-02T10:00:00Z\", \"query\": \"An old question of NEXI\", \"answer\": \"Old [1].\", \"urls\": [\"https://e.org/a\"], \"effort\": \"l\", \"iterations\": 3, \"duration_s\": 2.5, \"tokens\": 90}\nbroken\n";
    let file = window.path("history.jsonl");
    std::fs::write(&file, lines).unwrap();
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: null})").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=data]').click()").await;
    window.wait_for("a field for files", "return !!document.querySelector('#f-import-threads')").await;
    let input = window.client.find(fantoccini::Locator::Css("#f-import-threads")).await.unwrap();
    input.send_keys(&file.display().to_string()).await.unwrap();
    window
        .wait_for(
            "it says which line is broken",
            "return document.querySelector('[data-field=import-threads] .problem').innerText.includes('Line 2 is not JSON') \
             && document.querySelector('#import-others').innerText === 'Import the other thread'",
        )
        .await;
    window.eval("document.querySelector('#import-others').click()").await;
    window
        .wait_for(
            "it says what came in",
            "return document.querySelector('#toast').innerText.includes('1 thread imported, 1 broken line skipped')",
        )
        .await;
    window.switch("index.html").await;
    window
        .wait_for(
            "it is listed",
            "return [...document.querySelectorAll('.rail .row')].some((row) => row.innerText.includes('An old question'))",
        )
        .await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_run_that_ends_behind_other_windows_is_announced() {
    let bus = crate::desk::Notifications::serve().await;
    let model = nexi_testkit::LlmServer::start(
        "canary-key",
        Duration::ZERO,
        vec![nexi_testkit::Scripted::Calls(vec![("final_answer", json!({"answer": "At last."}))])],
    )
    .await;
    model.set_delay(Duration::from_secs(21));
    let settings = model_settings(&model.base_url, "m", "model_timeout = 60\n");
    let window = Window::open(Some(&settings)).await;
    window.ask("Is this a slow one?").await;
    window.wait_for("it runs", "return document.querySelector('#go').textContent === 'Stop'").await;
    // Somebody works with another program.
    let mut other = std::process::Command::new("xmessage").arg("another program").spawn().ok();
    let minimise = || std::process::Command::new("xdotool").args(["search", "--name", "Is this a slow one", "windowminimize"]).status();
    until("the window is out of sight", || minimise().is_ok_and(|status| status.success())).await;
    let is_announced = || bus.seen().iter().any(|(summary, body)| summary == "Answered" && body == "Is this a slow one?");
    until_within(Duration::from_secs(21) + APPEARING, "it is announced", is_announced).await;
    if let Some(other) = &mut other {
        let _ = other.kill();
        let _ = other.wait();
    }
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_stand_below_their_days() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Words(0x0dd5_0000_1234_5677);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    let noon = now - now.rem_euclid(86_400_000) + 43_200_000;
    let lines: Vec<String> = [400, 1, 30, 1]
        .into_iter()
        .enumerate()
        .map(|(number, days)| {
            let mut thread = thread(number + 1, 1, &mut words);
            thread["updated_ms"] = json!(noon - days * 86_400_000);
            thread.to_string()
        })
        .collect();
    engine(folder.path()).import_threads(std::io::Cursor::new(lines.join("\n")), OnBroken::Refuse).await.unwrap();
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", DONE).await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("all are listed", "return document.querySelectorAll('.entry').length === 5").await;
    let days = "return [...document.querySelectorAll('.day h2')].map((day) => [day.innerText, /\\d{4}$/.test(day.innerText)])";
    let days = window.eval(days).await;
    let names: Vec<&str> = days.as_array().unwrap().iter().filter_map(|day| day[0].as_str()).collect();
    assert!(names.len() == 4 && names[..2] == ["Today", "Yesterday"], "{days}");
    assert_eq!(days[3][1], json!(true), "another year is named: {days}");
    window.close().await;
}

//! What an answer costs while it arrives, beside the same text that is put into an empty window: measured by `make bench`, with
//! releases of both.

use std::process::{Command, Stdio};
use std::time::Duration;

use fantoccini::wd::Capabilities;
use nexi_testkit::{End, LlmServer, Scripted};
use serde_json::json;

use crate::processes::{family, processor_time};
use crate::support::{DONE, Window, alone, connect, free_port, model_settings};

/// Between two words: a hundred a second.
const PAUSE: Duration = Duration::from_millis(10);
const WORDS: usize = 1400;
const LASTING: Duration = Duration::from_secs(8);
/// Notes how far frames are apart, in milliseconds.
const NOTE_FRAMES: &str = "window.gaps = []; let last = performance.now(); const note = (now) => { window.gaps.push(now - last); last = now; requestAnimationFrame(note); }; requestAnimationFrame(note)";
const SLOW_FRAME: &str =
    "const gaps = window.gaps.slice(1).sort((a, b) => a - b); return [gaps[Math.floor(gaps.length * .99)], gaps.length]";
const ARRIVING: &str = "return document.querySelector('.turn:last-child .answer')?.innerText.length > 50";

/// What one of the two windows needed.
struct Pace {
    /// Percent of a core.
    work: f64,
    /// The 99th of a hundred frames, in milliseconds.
    slow_frame: f64,
}

/// One that does not end before it was measured.
fn answer() -> Scripted {
    let word = |index: usize| {
        if index % 90 == 89 {
            "harbour.\\n\\n"
        } else if index % 15 == 14 {
            "harbour. "
        } else {
            "quiet "
        }
    };
    let mut pieces: Vec<(Duration, Vec<u8>)> = (0..WORDS)
        .map(|index| {
            (
                PAUSE,
                format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{}\"}},\"finish_reason\":null}}]}}\n\n", word(index))
                    .into_bytes(),
            )
        })
        .collect();
    pieces.push((
        Duration::ZERO,
        b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n".to_vec(),
    ));
    Scripted::Wire("text/event-stream", pieces, End::Close)
}

async fn work(data: &std::path::Path) -> f64 {
    let family = family(data);
    let before = processor_time(&family);
    tokio::time::sleep(LASTING).await;
    (processor_time(&family) - before) as f64 / LASTING.as_secs_f64()
}

async fn nexi() -> Pace {
    // What is answered in plain text is asked for once more.
    let model = LlmServer::start("canary-key", Duration::ZERO, vec![answer(); 8]).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    window.ask("What is the harbour like?").await;
    window.wait_for("the answer arrives", ARRIVING).await;
    let work = work(&window.path("data")).await;
    window.wait_long(3 * LASTING, "the first run is over", DONE).await;
    window.eval(NOTE_FRAMES).await;
    window.ask("And what else?").await;
    window.wait_for("the second answer arrives", &format!("{ARRIVING} && document.querySelectorAll('.turn').length === 2")).await;
    window.eval("window.gaps.length = 0").await;
    tokio::time::sleep(LASTING).await;
    let frames = window.eval(SLOW_FRAME).await;
    window.close().await;
    Pace { work, slow_frame: frames[0].as_f64().unwrap_or_default() }
}

async fn empty_window(program: &str) -> Pace {
    let folder = tempfile::tempdir().unwrap();
    let _alone = alone().await;
    let (port, native) = (free_port(), free_port());
    let mut driver = Command::new("tauri-driver")
        .args(["--port", &port.to_string(), "--native-port", &native.to_string()])
        .env("WEBKIT_SKIA_ENABLE_CPU_RENDERING", "1")
        .env("HOME", folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut capabilities = Capabilities::new();
    capabilities.insert("browserName".into(), json!("wry"));
    capabilities
        .insert("tauri:options".into(), json!({"application": program, "args": [format!("--data-dir={}", folder.path().display())]}));
    let client = connect(port, &capabilities).await;
    let append = format!(
        "const place = document.querySelector('p'); let count = 0; window.appending = setInterval(() => place.append(++count % 15 ? 'quiet ' : 'harbour. '), {})",
        PAUSE.as_millis()
    );
    client.execute(&append, Vec::new()).await.unwrap();
    let work = work(folder.path()).await;
    client
        .execute(
            &format!("clearInterval(window.appending); document.querySelector('p').replaceChildren(); {append}; {NOTE_FRAMES}"),
            Vec::new(),
        )
        .await
        .unwrap();
    tokio::time::sleep(LASTING).await;
    let frames = client.execute(SLOW_FRAME, Vec::new()).await.unwrap();
    let _ = client.close().await;
    let _ = driver.kill();
    let _ = driver.wait();
    Pace { work, slow_frame: frames[0].as_f64().unwrap_or_default() }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it measures, and proves nothing; make bench runs it with releases"]
async fn an_answer_arrives_as_lightly_as_bare_text() {
    let program = std::env::var("NEXI_EMPTY_WINDOW").expect("the program of an empty window");
    let (bare, own) = (empty_window(&program).await, nexi().await);
    assert!(bare.work > 0.0 && own.work > 0.0 && bare.slow_frame > 0.0 && own.slow_frame > 0.0);
    println!(
        "a running question, 100 words a second: {:.1} % of a core, {:.2} times bare text in an empty window ({:.1} %; limit 1.3)",
        own.work,
        own.work / bare.work,
        bare.work
    );
    println!(
        "frames of it, p99: {:.1} ms, {:.2} times bare text in an empty window ({:.1} ms; limit 1.3)",
        own.slow_frame,
        own.slow_frame / bare.slow_frame,
        bare.slow_frame
    );
}

//! Finding documents by meaning: chosen in Settings, prepared behind everything else, and asked about.

use nexi_testkit::{EmbeddingServer, FileServer};
use serde_json::json;

use crate::support::{DONE, Window, until};

async fn settings(window: &Window) {
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: 'documents'})").await;
    window.switch("settings.html").await;
    window.wait_for("the field is there", "return document.querySelector('[id=\"f-embeddings.model\"]')?.options.length > 3").await;
}

async fn choose(window: &Window, value: &str) {
    let script = format!(
        "const choice = document.querySelector('[id=\"f-embeddings.model\"]'); choice.value = {value:?}; choice.dispatchEvent(new Event('change'))"
    );
    window.eval(&script).await;
}

fn state(words: &str) -> String {
    format!("return document.querySelector('#meaning-state')?.innerText.includes({words:?})")
}

fn notes() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("notes");
    std::fs::create_dir_all(&docs).unwrap();
    for index in 0..40 {
        std::fs::write(docs.join(format!("note{index}.md")), format!("# Note {index}\n\nThe garden needed water on day {index}.\n"))
            .unwrap();
    }
    std::fs::write(docs.join("drive.md"), "# Purchase\n\nWe chose an inexpensive automobile last spring, and it was delivered in May.\n")
        .unwrap();
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_elsewhere_gets_the_folders_that_are_switched_on() {
    let server = EmbeddingServer::start().await;
    let folder = notes();
    // The name is known to the proxy alone, which is the service.
    let text = format!(
        "llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{:?}]\n[network]\nproxy = \"{}\"\n\
         [providers.work]\ntype = \"openai_compatible\"\nmodel = \"chat\"\nbase_url = \"http://embeddings.example/v1\"\n",
        folder.path().join("notes").to_str().unwrap(),
        server.base_url
    );
    let window = Window::open_in(Some(&text), folder).await;
    settings(&window).await;
    choose(&window, "service").await;
    window.eval("const input = document.querySelector('#embedding-service'); input.value = 'work/embed-1'; input.dispatchEvent(new Event('change'))").await;
    window
        .wait_for("the folder is asked about", "return document.querySelector('.remote-folder .help')?.innerText.includes('41 passages')")
        .await;
    let sent = || server.texts().iter().filter(|text| text.contains("garden needed") || text.contains("last spring")).count();
    assert_eq!(sent(), 0);
    window.pictures_of("settings-meaning-service", (900, 900)).await;
    window.eval("document.querySelector('.remote-folder input').click()").await;
    window.wait_for("all of it is prepared", &state("Ready")).await;
    assert_eq!(sent(), 41);
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-meaning-ready", (900, 900)).await;
    window.switch("index.html").await;
    window.ask("When was the inexpensive car delivered?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.turn').innerText").await;
    assert!(answer.contains("May"), "{answer}");
    assert!(server.texts().iter().any(|text| text.contains("car")), "the question was looked for by meaning, too");
    // Switched off, nothing more is sent.
    settings(&window).await;
    choose(&window, "").await;
    until("it is off", || !std::fs::read_to_string(window.path("config/nexi/config.toml")).unwrap().contains("work/embed-1")).await;
    let before = server.texts().len();
    window.switch("index.html").await;
    window.ask("When was the inexpensive automobile delivered?").await;
    window.wait_for("the second run is over", "return document.querySelectorAll('.turn .acts').length === 2").await;
    assert_eq!(server.texts().len(), before);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_not_there_is_offered_and_a_wrong_file_is_refused() {
    let server = FileServer::start(b"not the model".to_vec(), 0, true).await;
    let text = "llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n";
    let window = Window::open_with(text, &[("HF_ENDPOINT", &server.base_url)]).await;
    settings(&window).await;
    choose(&window, "local/multilingual-e5-small").await;
    window.wait_for("it is offered", "return document.querySelector('#fetch-model')?.innerText === 'Download (488 MB)'").await;
    window.pictures_of("settings-meaning-fetch", (900, 900)).await;
    window.eval("document.querySelector('#fetch-model').click()").await;
    window.wait_for("what arrived is refused", "return document.querySelector('#meaning-state .problem')?.innerText.length > 20").await;
    assert_eq!(window.eval("return document.querySelector('#fetch-model').innerText").await, json!("Try again"));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

//! The command palette, and the search of the settings window.

use crate::support::{BUILT_IN, DONE, ENTER, ESCAPE, Window};

const CONTROL: &str = "\u{e009}";
const RELEASED: &str = "\u{e000}";
const DOWN: &str = "\u{e015}";

const ROWS: &str = "return [...document.querySelectorAll('.palette-row .label')].map((label) => label.textContent).join('|')";

async fn open(window: &Window) {
    window.keys(&format!("{CONTROL}k{RELEASED}")).await;
    window.wait_for("the palette is open", "return document.activeElement.id === 'palette-input'").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_palette_finds_threads_documents_and_actions() {
    let notes = tempfile::tempdir().unwrap();
    std::fs::write(notes.path().join("harbour-minutes.md"), "# Minutes\n\nThe council paid for the wall of the harbour in 1926.\n")
        .unwrap();
    let settings = format!("{BUILT_IN}[documents]\nfolders = [{:?}]\n", notes.path().display().to_string());
    let window = Window::open(Some(&settings)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the run is over", DONE).await;
    window.wait_for("it is listed", "return document.querySelectorAll('.rail .row').length === 1").await;
    open(&window).await;
    let all = window.text(ROWS).await;
    for action in [
        "Where does Nexi keep my keys?",
        "New question",
        "Copy the answer with its sources",
        "Choose a model…",
        "Library",
        "Settings",
        "Privacy",
    ] {
        assert!(all.contains(action), "{action}: {all}");
    }
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("palette-empty").await;
    // A document, which is given along with the next question.
    window.keys("harb").await;
    window.wait_for("the document", "return document.querySelector('.palette-row .label')?.textContent === 'harbour-minutes.md'").await;
    window.pictures("palette").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.keys(ENTER).await;
    window.wait_for("it is attached", "return document.querySelector('.chip-file')?.innerText.includes('harbour-minutes.md')").await;
    assert_eq!(window.text("return document.activeElement.id").await, "composer");
    window.keys("\u{e003}").await;
    // A word of the answer, which no title holds, finds the thread.
    window.eval("document.querySelector('#new').click()").await;
    open(&window).await;
    window.keys("operating").await;
    window.wait_for("the thread", "return [...document.querySelectorAll('.palette-row')].some((row) => row.innerText.includes('keep my keys') && row.innerText.includes('in the text'))").await;
    window.keys(ENTER).await;
    window
        .wait_for("it is opened", "return document.querySelector('.turn .question')?.textContent === 'Where does Nexi keep my keys?'")
        .await;
    // An action, by a few letters; arrows choose.
    open(&window).await;
    window.keys("libr").await;
    window.wait_for("the action", "return document.querySelector('[aria-selected=\"true\"] .label')?.textContent === 'Library'").await;
    window.keys(DOWN).await;
    window
        .wait_for("another is chosen", "return document.querySelector('[aria-selected=\"true\"] .label')?.textContent !== 'Library'")
        .await;
    window.keys("\u{e013}").await;
    window.keys(ENTER).await;
    window.wait_for("the library", "return document.querySelector('#app').dataset.view === 'library'").await;
    window.keys(ESCAPE).await;
    open(&window).await;
    window.keys("mcp").await;
    window
        .wait_for(
            "a chapter of the handbook",
            "return document.querySelector('[aria-selected=\"true\"] .label')?.textContent.includes('other programs')",
        )
        .await;
    window.keys(ENTER).await;
    let chapter = "return document.querySelector('#app').dataset.view === 'help' && document.querySelector('.chapter h1')?.textContent.includes('(MCP)')";
    window.wait_for("the chapter", chapter).await;
    window.keys(ESCAPE).await;
    open(&window).await;
    window.keys("deleted").await;
    window.keys(ENTER).await;
    let deleted =
        "return !document.querySelector('.deleted').hidden && !!document.querySelector('[data-filter=deleted][aria-pressed=true]')";
    window.wait_for("what was deleted", deleted).await;
    window.keys(ESCAPE).await;
    // How the next question is researched, and what stands in menus.
    open(&window).await;
    window.keys("large").await;
    window
        .wait_for("the effort", "return document.querySelector('[aria-selected=\"true\"] .label')?.textContent.startsWith('Large')")
        .await;
    window.keys(ENTER).await;
    window.wait_for("it is chosen", "return document.querySelector('.bar [data-value=l]').getAttribute('aria-checked') === 'true'").await;
    // A setting, by what it can be set to.
    open(&window).await;
    window.keys("dark").await;
    let dark = "return document.querySelector('[aria-selected=\"true\"]')?.innerText.includes('Dark') && document.querySelector('[aria-selected=\"true\"]').innerText.includes('Settings')";
    window.wait_for("how windows look", dark).await;
    window.keys(ENTER).await;
    window.switch("settings.html").await;
    let theme = "return document.querySelectorAll('.fields .field').length === 1 && document.querySelector('.fields .field').dataset.field === 'desktop.theme'";
    window.wait_for("the setting of that choice", theme).await;
    window.switch("index.html").await;
    open(&window).await;
    window.keys("new question").await;
    window
        .wait_for("it has its keys", "return document.querySelector('[aria-selected=\"true\"] .keys-of')?.textContent.includes('N')")
        .await;
    window.keys(ESCAPE).await;
    // Nothing that is known: it can be asked.
    open(&window).await;
    window.keys("What leaves this computer?").await;
    window
        .wait_for(
            "it can be asked",
            "return document.querySelector('.palette-list').innerText.includes('Ask “What leaves this computer?”')",
        )
        .await;
    window.keys(&format!("{CONTROL}{ENTER}{RELEASED}")).await;
    window.wait_for("it is asked", "return document.querySelector('.turn .question')?.textContent === 'What leaves this computer?'").await;
    window.wait_for("the run is over", DONE).await;
    window.wait_for("both are listed", "return document.querySelectorAll('.rail .row').length === 2").await;
    // A part of the settings opens the other window there, where settings can be searched, too.
    open(&window).await;
    window.keys("privacy").await;
    window.wait_for("the part", "return document.querySelector('[aria-selected=\"true\"] .label')?.textContent === 'Privacy'").await;
    window.keys(ENTER).await;
    window.switch("settings.html").await;
    window.wait_for("that part", "return document.querySelector('.inner')?.dataset.section === 'privacy'").await;
    window.eval("document.querySelector('#settings-search').focus()").await;
    window.keys("text size").await;
    window.wait_for("the setting", "return document.querySelectorAll('.fields .field').length === 1 && document.querySelector('.fields .field').dataset.field === 'desktop.text_size'").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-found", (1080, 760)).await;
    // In a narrow window the parts are one line above the fields.
    window.resize(400, 880).await;
    window
        .wait_for(
            "one line",
            "return document.querySelector('#sections').offsetHeight < 90 && document.querySelector('#settings-search').offsetHeight < 50",
        )
        .await;
    window.resize(1080, 760).await;
    window
        .eval("const input = document.querySelector('.fields .field input'); input.value = '120'; input.dispatchEvent(new Event('change'))")
        .await;
    let file = window.path("config/nexi/config.toml");
    crate::support::until("it is saved", || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("text_size = 120"))).await;
    window.eval("document.querySelector('#settings-search').focus()").await;
    window.keys(ESCAPE).await;
    window.wait_for("the part is back", "return document.querySelector('.inner')?.dataset.section === 'privacy'").await;
    window.close().await;
}

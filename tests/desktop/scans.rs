//! Scanned pages and pictures in a real window, and what else can be pasted or looked at beside an answer. Tesseract reads
//! them, which `make setup-test` installs.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::support::{DONE, ESCAPE, Window};

fn museum(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents/museum").join(name)
}

fn settings(docs: &Path) -> String {
    format!("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{:?}]\n", docs.to_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn scanned_pages_are_read_in_the_background_and_shown_with_the_passage_marked() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    for name in ["scan-loxley-letters-1931.pdf", "Screenshot 2024-05-13.png", "key-list.txt"] {
        std::fs::copy(museum(name), docs.join(name)).unwrap();
    }
    let window = Window::open_in(Some(&settings(&docs)), folder).await;
    window.click("#open-documents").await;
    window.wait_for("a scan is named", "return document.querySelector('.documents').innerText.includes('it is scanned')").await;
    window
        .wait_for(
            "pages wait to be read",
            "return document.querySelector('.documents .also')?.innerText.includes('3 scanned pages not read yet')",
        )
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("documents-scans").await;
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: 'documents'})").await;
    window.switch("settings.html").await;
    window.wait_for("the state is told", "return document.querySelector('#ocr-state')?.innerText.includes('3 scanned pages')").await;
    window.eval("document.querySelector('[id=\"f-ocr.enabled\"]').click()").await;
    // Behind everything else that the computer does, a page takes as long as it takes.
    let left = "const text = document.querySelector('#ocr-state')?.innerText ?? ''; const [, read, all] = text.match(/(\\d+) of (\\d+) pages/) ?? [0, -1, 4]; return text.includes('Ready: 4 of 4 pages read') ? 0 : 1 + Number(all) - Number(read)";
    window.wait_down("all pages are read", left).await;
    let chosen =
        "const box = document.querySelector('[id=\"f-ocr.languages-eng\"]'); return [box.checked, box.parentElement.innerText.trim()]";
    assert_eq!(window.eval(chosen).await, json!([true, "English"]));
    // The last language cannot be taken away.
    window.eval("document.querySelector('[id=\"f-ocr.languages-eng\"]').click()").await;
    window
        .wait_for(
            "it says why not",
            "return document.querySelector('[data-field=\"ocr.enabled\"] .problem').innerText.includes('at least one language')",
        )
        .await;
    assert_eq!(window.eval(chosen).await, json!([true, "English"]));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.eval("document.querySelector('[data-field=\"ocr.enabled\"]').scrollIntoView()").await;
    window.pictures_of("settings-scans", (900, 700)).await;

    window.switch("index.html").await;
    window.eval("document.querySelector('#open-documents').click()").await;
    window.ask("Which nephew gets the barometer?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.answer').innerText").await;
    assert!(answer.contains("Percival"), "{answer}");
    window.eval("document.querySelector('.answer .chip').click()").await;
    window
        .wait_for(
            "the scan is shown, with a mark",
            "return document.querySelector('#reader .page-picture img')?.complete && !!document.querySelector('#reader .page-mark')",
        )
        .await;
    let facts = "const page = document.querySelector('#reader img').getBoundingClientRect(); const mark = document.querySelector('.page-mark').getBoundingClientRect(); \
        return [document.querySelector('.page-turn span').innerText, mark.width > 20 && mark.left >= page.left && mark.right <= page.right + 1 && mark.height < page.height / 8]";
    assert_eq!(window.eval(facts).await, json!(["page 2 of 3", true]));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("reader-scan").await;
    window.eval("document.querySelector('#reader .reading').focus()").await;
    window.keys(ESCAPE).await;
    // A picture is shown as it is.
    window.ask("How much does Mr Abernathy want for the dehumidifier?").await;
    window.wait_for("a second turn", "return document.querySelectorAll('.turn').length === 2").await;
    window.wait_for("the run is over", DONE).await;
    window.eval("[...document.querySelectorAll('.turn')].at(-1).querySelector('.answer .chip').click()").await;
    window
        .wait_for(
            "the picture is shown, with a mark",
            "const image = document.querySelector('#reader .page-picture img'); return image?.complete && image.src.startsWith('data:image/png') && !!document.querySelector('#reader .page-mark')",
        )
        .await;
    window.pictures("reader-picture").await;
    window.close().await;
}

/// Puts a file on the clipboard of the desktop as this type. It is held by a process of its own, which may be slow to begin.
async fn put_on_clipboard(kind: &str, file: &Path) {
    assert!(Command::new("xclip").args(["-selection", "clipboard", "-t", kind, "-i"]).arg(file).status().unwrap().success());
    let wanted = std::fs::read(file).unwrap();
    let held = || Command::new("xclip").args(["-selection", "clipboard", "-t", kind, "-o"]).output().unwrap().stdout;
    crate::support::until("the clipboard holds it", || held() == wanted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_and_addresses_can_be_pasted() {
    let window = Window::open(Some("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n")).await;
    put_on_clipboard("image/png", &museum("Screenshot 2024-05-13.png")).await;
    window.eval("document.querySelector('#composer').focus()").await;
    window.keys("\u{e009}v").await;
    window.wait_for("its text is a chip", "return document.querySelector('.chip-file b')?.innerText === 'TXT'").await;
    window.ask("How much does Mr Abernathy want for the dehumidifier?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.answer').innerText").await;
    assert!(answer.contains("685 euros"), "{answer}");
    // An address becomes a chip, and can be taken away again.
    let address = window.path("address.txt");
    std::fs::write(&address, "https://example.org/fees").unwrap();
    put_on_clipboard("UTF8_STRING", &address).await;
    window.eval("document.querySelector('#composer').focus()").await;
    window.keys("\u{e009}v").await;
    window
        .wait_for(
            "the address is a chip",
            "return document.querySelector('.chip-file')?.innerText.startsWith('WEB') && document.querySelector('#composer').value === ''",
        )
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.click(".chip-file button").await;
    window.wait_for("it is gone", "return document.querySelectorAll('.chip-file').length === 0").await;
    // So does one that is dropped, and a long text.
    let drop_text = |text: &str| {
        format!(
            "const data = new DataTransfer(); data.setData('text/plain', {text}); \
             document.querySelector('#composer').dispatchEvent(new DragEvent('drop', {{dataTransfer: data, bubbles: true, cancelable: true}}))"
        )
    };
    window.eval(&drop_text("'https://example.org/rules'")).await;
    window.wait_for("the address is a chip", "return document.querySelector('.chip-file')?.innerText.includes('example.org/rules')").await;
    window.eval(&drop_text("'Rules of the quay. '.repeat(400)")).await;
    window.wait_for("the text is a chip", "return document.querySelectorAll('.chip-file').length === 2").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_tables_and_a_found_file_has_all_its_passages() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    for name in ["collection-register.xlsx", "volunteer-handbook.odt"] {
        std::fs::copy(museum(name), docs.join(name)).unwrap();
    }
    let line = |number: usize| format!("Entry {number}: the lamp burned and the gauge stood at {}.\n", number % 70);
    let text: String =
        (1..=9000).map(|number| if number == 6000 { "The brass key lies below the anvil.\n".to_owned() } else { line(number) }).collect();
    std::fs::write(docs.join("watch.log"), text).unwrap();
    let window = Window::open_in(Some(&settings(&docs)), folder).await;
    window.click("#open-documents").await;
    window.wait_for("the folder is listed", "return document.querySelector('.folder-row .amount')?.innerText === '3 files'").await;
    let kinds = window.text("return document.querySelector('.folder-row .kinds').innerText").await;
    assert!(kinds.contains("1 XLSX") && kinds.contains("1 LOG"), "{kinds}");
    let search = async |typed: &str| {
        window
            .eval(&format!(
                "const field = document.querySelector('#document-search'); field.value = {typed:?}; field.dispatchEvent(new Event('input'))"
            ))
            .await;
    };
    search("sundial lantern").await;
    window.wait_for("rows are found", "return document.querySelectorAll('.passage-row').length > 2").await;
    window
        .eval("document.querySelector('.file-row .passage-row:nth-of-type(2)')?.click() ?? document.querySelector('.passage-row').click()")
        .await;
    window
        .wait_for(
            "a table is shown",
            "return !!document.querySelector('#reader table th') && !!document.querySelector('#reader td #passage, #reader td mark')",
        )
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("reader-table").await;
    let position = "return document.querySelector('#reader .position').innerText";
    let before = window.text(position).await;
    window.eval("document.querySelector('#reader .reading').focus()").await;
    window.keys("n").await;
    window.wait_for("the next passage", &format!("{position} !== {before:?}")).await;
    window.keys("p").await;
    window.wait_for("the one before", &format!("{position} === {before:?}")).await;
    window.keys(ESCAPE).await;
    window.wait_for("the reader is closed", "return document.querySelector('#reader').hidden").await;
    // Of a long text the lines around the passage are shown.
    search("brass key anvil").await;
    window.wait_for("the line is found", "return document.querySelector('.passage-row')?.innerText.includes('brass key')").await;
    window.eval("document.querySelector('.passage-row').click()").await;
    window.wait_for("it is opened", "return document.querySelector('#reader #passage')?.innerText.length > 0").await;
    let facts = "const line = [...document.querySelectorAll('#reader .line-of')].find((one) => one.innerText.includes('anvil')); \
        return [line.dataset.line, document.querySelectorAll('#reader .line-of').length, document.querySelector('#reader .hint').innerText.startsWith('Lines ')]";
    assert_eq!(window.eval(facts).await, json!(["6000", 4000, true]));
    window.close().await;
}

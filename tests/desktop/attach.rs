//! Giving something along with a question, the place for documents, and the reader beside an answer.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::drag_source::{Source, TITLE};
use crate::support::{DONE, ENTER, ESCAPE, Window, popup_is_shown, press, until};

/// A folder of notes and test documents, and settings for it.
fn documents(folder: &Path) -> (PathBuf, String) {
    let docs = folder.join("docs");
    std::fs::create_dir_all(docs.join("minutes")).unwrap();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents/files")).unwrap().flatten() {
        std::fs::copy(entry.path(), docs.join(entry.file_name())).unwrap();
    }
    let notes = "# Minutes of 1926\n\n## Item 7. Harbour works\n\nThe treasurer laid the accounts of the **harbour wall** before the council.\n\n\
        Of the whole sum the town has borne two parts in three, and the Crown the third part, under the agreement of 1927.\n\n\
        The council noted that the wall was opened to traffic on 12 May 1931.\n\n| Planned | Built |\n|---|---|\n| 3.1 million | 4.2 million |\n";
    std::fs::write(docs.join("minutes/minutes-1926.md"), notes).unwrap();
    std::fs::write(docs.join("damaged.docx"), "words").unwrap();
    let settings =
        format!("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{:?}]\n", docs.to_str().unwrap());
    (docs, settings)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_attached_by_its_name_and_read_beside_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (_, settings) = documents(folder.path());
    let window = Window::open_in(Some(&settings), folder).await;
    window.eval("window.__TAURI__.core.invoke('folders')").await;
    window
        .wait_for(
            "the index is there",
            "const done = await window.__TAURI__.core.invoke('attach_suggest', {typed: 'minutes'}); return done.length > 0",
        )
        .await;
    window.eval("document.querySelector('#composer').focus()").await;
    window.keys("Who paid for the wall? @minutes-1926").await;
    window
        .wait_for(
            "the document is offered",
            "return document.querySelector('#composer-at [aria-selected=\"true\"]')?.innerText.includes('minutes-1926.md')",
        )
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("attach-list").await;
    window.keys(ENTER).await;
    window
        .wait_for(
            "it is a chip",
            "return document.querySelectorAll('.chip-file').length === 1 && document.querySelector('#composer-at').hidden",
        )
        .await;
    assert_eq!(window.text("return document.querySelector('#composer').value").await, "Who paid for the wall? ");
    window.pictures("attach-chip").await;
    window.keys(ENTER).await;
    window.wait_for("the run is over", DONE).await;
    assert_eq!(window.eval("return document.querySelectorAll('.chip-file').length").await, json!(0), "it was given with this question");
    let answer = window.text("return document.querySelector('.answer').innerText").await;
    assert!(answer.contains("two parts in three"), "{answer}");
    window.click(".turn .sum").await;
    window.wait_for("the steps tell of it", "return document.querySelector('.turn .line')?.innerText.includes('Attached')").await;
    // The reader stands beside the answer, with the passage marked in a page that is rendered.
    window.eval("document.querySelector('.answer .chip').click()").await;
    window
        .wait_for("the reader is open", "return !document.querySelector('#reader').hidden && !!document.querySelector('#reader #passage')")
        .await;
    let reader = "const mark = document.querySelector('#reader #passage').getBoundingClientRect(); \
        return [document.querySelector('#reader .reading strong')?.innerText, document.querySelector('#reader td')?.innerText, \
        mark.top >= 0 && mark.bottom <= innerHeight, document.querySelector('.answer').getBoundingClientRect().width > 200]";
    assert_eq!(window.eval(reader).await, json!(["harbour wall", "3.1 million", true, true]));
    assert!(window.text("return document.querySelector('#reader .meta').innerText").await.contains("minutes-1926.md"));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("reader").await;
    window.click("#open-file").await;
    crate::support::until("the file is opened", || window.opened().iter().any(|path| path.ends_with("minutes-1926.md"))).await;
    window.eval("document.querySelector('#reader .reading').focus()").await;
    window.keys(ESCAPE).await;
    window.wait_for("the reader is closed", "return document.querySelector('#reader').hidden").await;
    // What was given along is given again with a question that is repeated.
    window.keys("r").await;
    window.wait_for("it is asked again", "return document.querySelectorAll('.turn').length === 2").await;
    window.wait_for("the run is over", DONE).await;
    window.click(".turn:last-child .sum").await;
    window
        .wait_for("the steps tell of it", "return document.querySelector('.turn:last-child .line')?.innerText.includes('Attached')")
        .await;
    // The thread itself is a source for another one.
    window.keys("\u{e009}n").await;
    window.wait_for("nothing is asked yet", "return document.querySelector('.turn') === null").await;
    window.eval("document.querySelector('#composer').focus()").await;
    window.keys("Who bore two parts in three? @who paid").await;
    window
        .wait_for(
            "the thread is offered first",
            "return document.querySelector('#composer-at [aria-selected=\"true\"]')?.innerText.includes('Who paid for the wall?')",
        )
        .await;
    window.keys(ENTER).await;
    window.wait_for("it is a chip", "return document.querySelector('.chip-file b')?.innerText === '@'").await;
    window.keys(ENTER).await;
    window.wait_for("the run is over", DONE).await;
    assert!(
        window.text("return document.querySelector('#side, .below').innerText + document.body.innerText").await.contains("past research")
    );
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_place_for_documents_searches_as_one_types_and_asks_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (docs, settings) = documents(folder.path());
    let window = Window::open_in(Some(&settings), folder).await;
    window.click("#open-documents").await;
    window.wait_for("the folder is listed", "return document.querySelector('.folder-row .amount')?.innerText === '30 files'").await;
    let text = window.text("return document.querySelector('.documents').innerText").await;
    assert!(text.contains("30 files in 1 folder") && text.contains("1 file was skipped") && text.contains("it is damaged"), "{text}");
    window.click("#show-skipped").await;
    window
        .wait_for("what was skipped is named", "return document.querySelector('.skipped-list')?.innerText.includes('damaged.docx')")
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("documents").await;
    window.eval("document.querySelector('#document-search').focus()").await;
    window.keys("treasurer harbour").await;
    let found = "return [...document.querySelectorAll('.passage-row')].some((row) => row.innerText.includes('treasurer') && row.querySelector('mark')) && document.querySelector('.documents .count').innerText.includes('passage')";
    window.wait_for("passages are found", found).await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("documents-found").await;
    window.eval("[...document.querySelectorAll('.passage-row')].find((row) => row.innerText.includes('treasurer')).click()").await;
    window.wait_for("it is opened at the passage", "return document.querySelector('#reader #passage')?.innerText.length > 0").await;
    window.keys(ESCAPE).await;
    window.wait_for("the reader is closed", "return document.querySelector('#reader').hidden").await;
    window.eval("document.querySelector('#document-search').value = ''; document.querySelector('#document-search').dispatchEvent(new Event('input'))").await;
    window.wait_for("the folders are back", "return !!document.querySelector('.folder-row button')").await;
    window.click(".folder-row button").await;
    window.wait_for("the folder is a chip", "return document.querySelector('.chip-file b')?.innerText === 'DIR'").await;
    window.keys("When was the wall opened to traffic?").await;
    window.keys(ENTER).await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.answer').innerText").await;
    assert!(answer.contains("12 May 1931"), "{answer}");
    // What is none of the documents cannot be given by its path alone, and nothing can by a number that was not offered.
    let refused = window
        .eval("try { await window.__TAURI__.core.invoke('attach_document', {path: '/etc/passwd'}); return 'given' } catch (error) { return error.params?.text ?? error.code }")
        .await;
    assert_eq!(refused, json!("not_your_document"));
    let refused = window
        .eval("try { await window.__TAURI__.core.invoke('document', {url: 'file:///etc/passwd'}); return 'read' } catch (error) { return error.params?.text ?? error.code }")
        .await;
    assert!(refused.as_str().unwrap().contains("not in one of the folders"), "{refused}");
    let unknown = "try { await window.__TAURI__.core.invoke('ask', {asked: {question: 'x?', thread: null, effort: 's', attached: [99999]}}); return 'asked' } catch (error) { return error.params?.text ?? error.code }";
    assert_eq!(window.eval(unknown).await, json!("attachment_gone"));
    assert!(docs.exists());
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_pdf_are_pictures_with_the_passage_marked() {
    let folder = tempfile::tempdir().unwrap();
    let (_, settings) = documents(folder.path());
    let window = Window::open_in_layers(&settings, folder).await;
    window.ask("Which key releases the brake after an emergency stop?").await;
    window.wait_for("the run is over", DONE).await;
    window.eval("document.querySelector('.answer .chip').click()").await;
    window
        .wait_for(
            "the page is shown",
            "return document.querySelector('#reader .page-picture img')?.complete && !!document.querySelector('#reader .page-mark')",
        )
        .await;
    let facts = "const image = document.querySelector('#reader img'); const mark = document.querySelector('.page-mark').getBoundingClientRect(); const page = image.getBoundingClientRect(); \
        return [image.naturalWidth > 500, document.querySelector('.page-turn span').innerText, mark.width > 20 && mark.left >= page.left && mark.right <= page.right + 1 && mark.bottom <= page.bottom]";
    assert_eq!(window.eval(facts).await, json!([true, "page 3 of 3", true]));
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("reader-pdf").await;
    window.click("#reader-form").await;
    window.wait_for("it is shown as text", "return !!document.querySelector('#reader .plain #passage')").await;
    // The focus goes back to the citation it was opened from, without showing its card.
    window.keys(ESCAPE).await;
    window.wait_for("the reader is closed", "return document.querySelector('#reader').hidden").await;
    window.eval("document.querySelector('.answer .chip').focus()").await;
    window.wait_for("a number shows its card", "return !document.querySelector('#card').hidden").await;
    window.keys(ENTER).await;
    window.wait_for("it is read", "return !document.querySelector('#reader').hidden").await;
    window.keys(ESCAPE).await;
    let back = "return document.querySelector('#reader').hidden && document.activeElement.matches('.chip')";
    window.wait_for("the number has the focus again", back).await;
    assert_eq!(window.eval("return document.querySelector('#card').hidden").await, json!(true), "its card comes by itself");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_that_is_pasted_becomes_a_chip() {
    let window = Window::open(Some("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n")).await;
    window
        .eval(
            "const data = new DataTransfer(); data.setData('text/plain', 'The ferry to Orvik leaves at 07:45 from pier nine. '.repeat(120)); \
             document.querySelector('#composer').dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))",
        )
        .await;
    window.wait_for("it is a chip", "return document.querySelector('.chip-file b')?.innerText === 'TXT'").await;
    window.ask("From which pier does the ferry to Orvik leave?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.answer').innerText").await;
    assert!(answer.contains("pier nine"), "{answer}");
    window.eval("document.querySelector('.answer .chip').click()").await;
    window.wait_for("its text is shown", "return document.querySelector('#reader #passage')?.innerText.includes('pier nine')").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_copied_is_on_the_clipboard_of_the_desktop() {
    let folder = tempfile::tempdir().unwrap();
    let (_, settings) = documents(folder.path());
    let window = Window::open_in(Some(&settings), folder).await;
    window.ask("Who bore two parts in three of the harbour wall?").await;
    window.wait_for("the run is over", DONE).await;
    window.click(".acts button").await;
    window.wait_for("it says so", "return document.querySelector('#toast').classList.contains('shown')").await;
    let read = crate::desk::clipboard;
    let text = read("UTF8_STRING");
    assert!(text.contains("two parts in three") && text.contains("Sources:"), "{text}");
    let html = read("text/html");
    assert!(html.contains("two parts in three") && !html.contains("<script"), "{html}");
    // The key alone does it, too, where nothing is typed.
    drop(arboard::Clipboard::new().and_then(|mut clipboard| clipboard.set_text("something else")));
    window.eval("document.querySelector('#toast').classList.remove('shown'); document.querySelector('#flow').focus()").await;
    window.keys("c").await;
    window.wait_for("it says so", "return document.querySelector('#toast').classList.contains('shown')").await;
    assert!(read("UTF8_STRING").contains("two parts in three"));
    // So does the link of a thread.
    let copied = async |what: &str| {
        window.wait_for(what, "return document.querySelector('#toast').classList.contains('shown')").await;
        window.eval("document.querySelector('#toast').classList.remove('shown')").await;
        read("UTF8_STRING")
    };
    window.eval("document.querySelector('#toast').classList.remove('shown'); document.querySelector('#thread-menu').click()").await;
    window.eval("[...document.querySelectorAll('.menu-list button')].find((item) => item.innerText.startsWith('Copy link')).click()").await;
    assert!(copied("it says so").await.starts_with("nexi://thread/"));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn code_is_copied_and_tables_keep_their_words_whole() {
    let answer = "```python\nprint(\"mole\")\n```\n\n| Property | Responsibility | Acknowledgement | Correspondence |\n|---|---|---|---|\n| unquestionably | extraordinary | misunderstanding | incomprehensible |";
    let model = nexi_testkit::LlmServer::start(
        "canary-key",
        std::time::Duration::ZERO,
        vec![nexi_testkit::Scripted::Calls(vec![("final_answer", serde_json::json!({"answer": answer}))])],
    )
    .await;
    let window = Window::open(Some(&crate::support::model_settings(&model.base_url, "test-model", ""))).await;
    window.ask("Show me").await;
    window.wait_for("the run is over", DONE).await;
    window.click(".copy-code").await;
    window.wait_for("it says so", "return document.querySelector('#toast').classList.contains('shown')").await;
    assert_eq!(crate::desk::clipboard("UTF8_STRING").trim_end(), "print(\"mole\")");
    window.resize(420, 860).await;
    let whole = "const box = document.querySelector('.table-box'); const cells = [...box.querySelectorAll('th, td')]; \
        const rows = (cell) => { const range = document.createRange(); range.selectNodeContents(cell); return new Set([...range.getClientRects()].filter((line) => line.width > 1).map((line) => line.top)).size; }; \
        return [box.scrollWidth > box.clientWidth, cells.filter((cell) => rows(cell) !== 1).map((cell) => cell.innerText)]";
    assert_eq!(window.eval(whole).await, serde_json::json!([true, []]));
    assert_eq!(window.eval(crate::looks::SIDEWAYS).await, serde_json::json!([]));
    window.close().await;
}

fn xdotool(arguments: &[&str]) -> bool {
    std::process::Command::new("xdotool").args(arguments).status().is_ok_and(|status| status.success())
}

/// Takes hold of a file in another window and moves it over ours, at this place of the screen.
async fn drag(file: &Path, (x, y): (i32, i32)) -> Source {
    let source = Source::with(file);
    let title = format!("^{TITLE}$");
    until("the other window is there", || xdotool(&["search", "--onlyvisible", "--name", &title, "windowmove", "1100", "820"])).await;
    until("it is where it was moved to", || {
        let shown = std::process::Command::new("xdotool")
            .args(["search", "--onlyvisible", "--name", &title, "getwindowgeometry", "--shell"])
            .output();
        shown.is_ok_and(|shown| {
            String::from_utf8_lossy(&shown.stdout)
                .lines()
                .any(|line| line.strip_prefix("X=").is_some_and(|x| x.parse().unwrap_or(0) > 1000))
        })
    })
    .await;
    xdotool(&["mousemove", "1190", "890", "mousedown", "1"]);
    // As a hand does it: a drag begins after some pixels, and every window on the way is asked.
    for step in 1..=20 {
        let at = |from: i32, to: i32| (from + (to - from) * step / 20).to_string();
        xdotool(&["mousemove", &at(1190, x), &at(890, y)]);
        tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    }
    source
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_dropped_on_the_window_and_names_completed_in_the_popup() {
    let folder = tempfile::tempdir().unwrap();
    let (docs, settings) = documents(folder.path());
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let lease = elsewhere.join("lease.rtf");
    std::fs::rename(docs.join("lease.rtf"), &lease).unwrap();
    let window = Window::open_in(Some(&settings), folder).await;
    window.hotkey_works().await;
    window.client.set_window_rect(20, 20, 980, 760).await.unwrap();
    window.is_as_wide_as(980).await;
    let source = drag(&lease, (500, 400)).await;
    window.wait_for("it says what dropping does", "return document.querySelector('.drop-hint').checkVisibility()").await;
    window.picture("drop").await;
    xdotool(&["mouseup", "1"]);
    window.wait_for("it is a chip", "return document.querySelector('.chip-file')?.innerText.includes('lease.rtf')").await;
    drop(source);
    assert_eq!(window.eval("return document.querySelector('.drop-hint').checkVisibility()").await, json!(false));
    window.ask("How high is the annual rent?").await;
    window.wait_for("the run is over", DONE).await;
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("18,400 euros"));
    // What was typed after @ is completed in the popup, too.
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    window.keys("Who paid for the wall? @minutes-1926").await;
    window
        .wait_for(
            "the document is offered",
            "return document.querySelector('#question-at [aria-selected=\"true\"]')?.innerText.includes('minutes-1926.md')",
        )
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.picture("popup-attach-list").await;
    window.keys(ENTER).await;
    window.wait_for("it is a chip", "return document.querySelector('.chip-file')?.innerText.includes('minutes-1926.md')").await;
    window.keys(ENTER).await;
    window.wait_for("it is answered", "return document.querySelector('.sum')?.innerText.includes('Answered')").await;
    assert!(window.text("return document.querySelector('.answer').innerText").await.contains("two parts in three"));
    window.close().await;
}

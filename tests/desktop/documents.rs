//! Documents that are not plain text: cited at their place, and listed in Settings.

use std::path::Path;

use nexi_testkit::SearchServer;
use serde_json::json;

use crate::support::{DONE, Window};

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_cited_at_their_place_and_listed_with_what_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents/files")).unwrap().flatten() {
        std::fs::copy(entry.path(), docs.join(entry.file_name())).unwrap();
    }
    std::fs::write(docs.join("damaged.docx"), "words").unwrap();
    std::fs::write(docs.join("quay.png"), "picture").unwrap();
    let settings =
        format!("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{:?}]\n", docs.to_str().unwrap());
    let window = Window::open_in(Some(&settings), folder).await;
    for (question, place) in [
        ("What is the price of a mooring rope?", "Chandlery!A3:D3"),
        ("Which key releases the brake after an emergency stop?", "p. 3"),
        ("What does the motor of the crane cost?", "slide 2"),
    ] {
        window.keys("\u{e009}n").await;
        window.wait_for("nothing is asked yet", "return document.querySelector('.turn') === null").await;
        window.ask(question).await;
        window.wait_for("the run is over", DONE).await;
        let answer = window.text("return document.querySelector('.turn').innerText").await;
        assert!(window.eval("return !!document.querySelector('.answer .chip')").await == json!(true), "{answer}");
        window.eval("document.querySelector('.answer .chip').focus()").await;
        window.wait_for(place, &format!("return document.querySelector('#card').innerText.includes('{place}')")).await;
    }
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("documents-cited").await;
    window.eval("window.__TAURI__.core.invoke('open_window', {which: 'settings', part: 'documents'})").await;
    window.switch("settings.html").await;
    window.wait_for("the index is shown", "return document.querySelector('#indexed')?.innerText.includes('29 files indexed')").await;
    let text = window.text("return document.querySelector('#indexed').innerText").await;
    assert!(text.contains("1 file could not be read") && text.contains(".png (1)"), "{text}");
    window.eval("document.querySelector('#indexed .unread summary').click()").await;
    let open = "return document.querySelector('#indexed .unread').open && document.querySelector('#indexed li').innerText";
    let line = window.eval(open).await;
    assert!(line.as_str().is_some_and(|line| line.contains("damaged.docx: it is damaged")), "{line}");
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-documents", (900, 700)).await;
    // What is mended is found when it is looked at again.
    std::fs::copy(window.path("docs/fees.docx"), window.path("docs/damaged.docx")).unwrap();
    window
        .wait_for(
            "it is read after all",
            "const done = document.querySelector('#indexed').innerText.includes('30 files indexed'); if (!done) document.querySelector('#index-again:enabled')?.click(); return done",
        )
        .await;
    let left = window.text("return [...document.querySelectorAll('#indexed .unread')].map((list) => list.textContent).join('|')").await;
    assert!(left.starts_with("1 ") && left.contains("complaint.eml: photos.pdf") && !left.contains('|'), "{left}");
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_come_change_and_go_are_followed_while_documents_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(docs.join("first.md"), "# First\n\nThe quay has a crane.\n").unwrap();
    let settings =
        format!("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{:?}]\n", docs.to_str().unwrap());
    let window = Window::open_in(Some(&settings), folder).await;
    window.click("#open-documents").await;
    window.wait_for("one file", "return document.querySelector('.documents .summary').innerText.includes('1 file')").await;
    std::fs::write(window.path("docs/second.md"), "# Second\n\nThe beacon is green.\n").unwrap();
    window.wait_for("two files", "return document.querySelector('.documents .summary').innerText.includes('2 files')").await;
    window.eval("document.querySelector('#document-search').focus()").await;
    window.keys("beacon").await;
    window.wait_for("it is found", "return document.querySelector('.document-list').innerText.includes('green')").await;
    // What is shown changes with the file, and goes with it, without another key.
    std::fs::write(window.path("docs/second.md"), "# Second\n\nThe beacon is white now.\n").unwrap();
    window.wait_for("it has changed", "return document.querySelector('.document-list').innerText.includes('white now')").await;
    std::fs::remove_file(window.path("docs/second.md")).unwrap();
    window.wait_for("it is gone", "return !document.querySelector('.document-list').innerText.includes('beacon')").await;
    assert_eq!(window.eval("return document.activeElement.id").await, json!("document-search"));
    window.close().await;
}

/// A PDF whose pages all show the same drawing and a line: small, and slow to read.
fn slow_pdf(pages: usize) -> Vec<u8> {
    let drawing = "0 0 m 10 10 l S\n".repeat(10_000);
    let text = format!("{drawing}BT /F1 9 Tf 20 20 Td (A chart of the outer pier.) Tj ET\n");
    let kids: String = (0..pages).map(|page| format!("{} 0 R ", page + 5)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {pages} >>"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
    ];
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents 4 0 R >>";
    objects.resize(pages + 4, page.to_owned());
    let (mut out, mut table) = ("%PDF-1.5\n".to_owned(), format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for (index, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", out.len()));
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let start = out.len();
    format!("{out}{table}trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF", objects.len() + 1).into_bytes()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_takes_long_to_read_holds_up_no_question() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    std::fs::create_dir_all(&first).unwrap();
    std::fs::create_dir_all(&second).unwrap();
    std::fs::write(first.join("slow.pdf"), slow_pdf(20_000)).unwrap();
    std::fs::write(second.join("good.md"), "# Good\n\nThe harbour has a red gate.\n").unwrap();
    let settings =
        format!("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{first:?}, {second:?}]\n");
    let window = Window::open_in(Some(&settings), folder).await;
    window.ask("What colour is the gate of the harbour?").await;
    window.wait_for("the run is over", DONE).await;
    let answer = window.text("return document.querySelector('.turn').innerText").await;
    assert!(answer.contains("red gate"), "{answer}");
    // The slow one is still being read, and Documents says so.
    window.click("#open-documents").await;
    window.wait_for("how far it is", r"return /Reading \d+ of \d+/.test(document.querySelector('.documents .summary').innerText)").await;
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_taken_out_and_put_back_where_documents_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs-of-the-harbour");
    std::fs::create_dir_all(docs.join("inner")).unwrap();
    std::fs::write(
        docs.join("a.md"),
        "# Harbour\n\nThe wall was built in 1838. The keeper of the lighthouse is called Halvard. It rains often.\n",
    )
    .unwrap();
    std::fs::write(docs.join("inner/b.md"), "# Inner\n\nNothing else.\n").unwrap();
    let both = [&docs, &docs.join("inner")].map(|folder| format!("{folder:?}")).join(", ");
    let settings = format!("llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\"]\n[documents]\nfolders = [{both}]\n");
    let window = Window::open_in(Some(&settings), folder).await;
    window.keys("\u{e009}d\u{e000}").await;
    // What lies in two folders is one file.
    window
        .wait_for("both are listed", "return document.querySelector('.documents .summary')?.innerText.startsWith('2 files in 2 folders')")
        .await;
    let divided =
        "return [...document.querySelectorAll('.folder-row .folders > span')].filter((part) => part.getClientRects().length > 1).length";
    assert_eq!(window.eval(divided).await, json!(0), "paths break between folders alone");
    window.pictures_of("documents-folders", (760, 600)).await;
    // What was searched is marked where it is read, and not the passage around it.
    window.eval("const field = document.querySelector('#document-search'); field.value = 'lighthouse keeper'; field.dispatchEvent(new Event('input'))").await;
    window.wait_for("it is found", "return !!document.querySelector('.passage-row')").await;
    window.eval("document.querySelector('.passage-row').click()").await;
    window.wait_for("it is open", "return !!document.querySelector('#reader #passage')").await;
    let marked = window.text("return [...document.querySelectorAll('#reader mark')].map((mark) => mark.innerText).join(' ')").await;
    assert!(marked.contains("keeper of the lighthouse") && !marked.contains("1838"), "{marked}");
    window.eval("document.querySelector('#reader .close').click(); const field = document.querySelector('#document-search'); field.value = ''; field.dispatchEvent(new Event('input'))").await;
    window.wait_for("the folders again", "return document.querySelectorAll('.folder-row .more').length === 2").await;
    window.eval("document.querySelectorAll('.folder-row .more')[1].click()").await;
    window.eval("[...document.querySelectorAll('.menu-list button')].at(-1).click()").await;
    window.wait_for("it is gone", "return document.querySelectorAll('.folder-row .more').length === 1").await;
    window.wait_for("it can be taken back", "return document.querySelector('#toast button')?.innerText === 'Undo'").await;
    window.eval("document.querySelector('#toast button').click()").await;
    window.wait_for("it is back", "return document.querySelectorAll('.folder-row .more').length === 2").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_where_documents_are_looked_at_stays_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    std::fs::write(docs.join("wall.md"), "# The harbour wall\n\nThe harbour wall was mended in 1931.\n").unwrap();
    let search = SearchServer::start(200, &[]).await;
    let settings = format!(
        "llm_backends = [\"builtin\"]\nsearch_backends = [\"documents\", \"searx\"]\n[documents]\nfolders = [{:?}]\n[providers.searx]\ntype = \"searxng\"\nbase_url = \"{}\"\n",
        docs.to_str().unwrap(),
        search.base_url
    );
    let window = Window::open_in(Some(&settings), folder).await;
    const CHOSEN: &str = "return document.querySelector('#focus').title";
    let everywhere = window.text(CHOSEN).await;
    window.click("#open-documents").await;
    window.wait_for("the documents are listed", "return document.querySelector('.documents')?.innerText.includes('1 file')").await;
    assert!(
        !window.eval("return document.querySelector('#focus').checkVisibility()").await.as_bool().unwrap(),
        "there is nothing to choose"
    );
    window.ask("When was the harbour wall mended?").await;
    window.wait_for("the answer", DONE).await;
    assert_eq!(search.queries(), Vec::<String>::new(), "nothing of it is sent");
    let narrowed = window.text(CHOSEN).await;
    assert_ne!(narrowed, everywhere, "the next question is meant for them, too");
    window.ask("Who mended the harbour wall?").await;
    window
        .wait_for(
            "the second answer",
            "return document.querySelectorAll('.turn').length === 2 && !!document.querySelector('.turn:last-child .acts')",
        )
        .await;
    assert_eq!(search.queries(), Vec::<String>::new(), "nor is anything of it sent");
    window.click("#new").await;
    window.wait_for("a new question is meant for all", &format!("return document.querySelector('#focus').title === {everywhere:?}")).await;
    window.close().await;
}

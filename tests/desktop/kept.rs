//! What a person keeps of the library and takes out of it: printed reports, searches under names, single answers.

use nexi_engine::import::OnBroken;
use serde_json::json;

use crate::library::{Words, engine, thread};
use crate::support::{BUILT_IN, DONE, ENTER, Window};

#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_several_pages_is_printed_with_margins_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Words(0x1234_5678_9abc_def1);
    let mut long = thread(1, 1, &mut words);
    let sections: Vec<String> = (1..=3)
        .map(|number| {
            let text: Vec<String> = (0..3).map(|_| words.text(90)).collect();
            format!("## Section {number}\n\n{}\n\n- one\n- two", text.join("\n\n"))
        })
        .collect();
    // Judged: supported, contradicted, and a number that no source has.
    let said = ["The wall is old.[1]", "It was never mended.[1]", "Nobody has seen it.[9]"];
    let answer = format!("{}\n\n{}", said.join(" "), sections.join("\n\n"));
    let judged = [("supported", 1, true), ("contradicted", 1, true), ("not_supported", 9, false)];
    let places: Vec<(usize, usize)> = said.iter().map(|text| answer.find(text).map(|start| (start, start + text.len())).unwrap()).collect();
    let ending = &mut long["turns"][0]["ending"];
    ending["citations"] = (0..).zip(judged.iter().zip(&places)).map(|(ordinal, ((support, number, known), (_, end)))| {
        json!({"number": number, "ordinal": ordinal, "start": end - 3, "end": end, "known": known, "support": support})
    }).collect();
    ending["statements"] =
        judged.iter().zip(&places).map(|((support, ..), (start, end))| json!({"start": start, "end": end, "support": support})).collect();
    ending["answer"] = json!(answer);
    engine(folder.path()).import_threads(std::io::Cursor::new(long.to_string()), OnBroken::Refuse).await.unwrap();
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    window.wait_for("the thread is listed", "return !!document.querySelector('.rail .row')").await;
    window.eval("document.querySelector('.rail .row').click()").await;
    window.wait_for("it is shown", "return !!document.querySelector('.turn .acts')").await;
    window.eval("[...document.querySelectorAll('.acts button')].find((button) => button.innerText === 'Export').click()").await;
    window.wait_for("it asks", "return !!document.querySelector('#export-go')").await;
    window.eval("document.querySelector('[data-value=pdf]').click()").await;
    window.click("#export-go").await;
    window.wait_for("it is there", "return document.querySelector('#toast').innerText.includes('Saved as')").await;
    let path = std::fs::read_dir(window.downloads()).unwrap().flatten().next().unwrap().path();
    let size = std::fs::metadata(&path).unwrap().len();
    if let Some(folder) = std::env::var_os("NEXI_SCREENSHOTS") {
        std::fs::copy(&path, std::path::Path::new(&folder).join("report.pdf")).unwrap();
    }
    assert!(size <= 300 * 1024, "{size} bytes");
    let read = |program: &str, args: &[&str]| {
        let output = std::process::Command::new(program).args(args).arg(&path).arg("-").output().expect("poppler is there");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = read("pdftotext", &["-layout"]);
    // What is wrong with the answer is seen on paper, too.
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for wanted in ["[1]≠", "[9]?", "≠Contradicted by the source", "There is no source with this number", "1 of 3 statements"] {
        assert!(flat.contains(wanted) || flat.replace("≠ ", "≠").contains(wanted), "{wanted}: {flat}");
    }
    let pages: Vec<&str> = text.split('\u{c}').filter(|page| !page.trim().is_empty()).collect();
    assert!((3..=6).contains(&pages.len()), "{} pages", pages.len());
    for (number, page) in (1..).zip(&pages) {
        // Blanks between figures are guessed by poppler.
        let foot: String = page.trim_end().lines().last().unwrap_or_default().split_whitespace().collect();
        assert_eq!(foot, format!("{number}/{}", pages.len()));
        // No line of a paragraph stands alone at the end of a page or at its beginning.
        let lines: Vec<&str> = page.trim_end().lines().map(str::trim).collect();
        let body = &lines[..lines.len() - 1];
        let alone = |lines: &mut dyn Iterator<Item = &&str>| {
            let block: Vec<_> = lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
            block.len() == 1 && block[0].len() > 80
        };
        assert!(!alone(&mut body.iter().rev()) && (number == 1 || !alone(&mut body.iter())), "page {number}: {page}");
        // A heading is never the last thing on a page.
        let last = page.trim_end().lines().rev().map(str::trim).filter(|line| !line.is_empty()).nth(1).unwrap_or_default();
        assert!(!last.starts_with("Section "), "page {number} ends with {last:?}");
    }
    // Nothing stands in the margins: 19 mm are 53 points.
    let boxes = read("pdftotext", &["-bbox"]);
    let edges = |name: &str| -> Vec<f64> {
        let cut = format!("{name}=\"");
        boxes
            .lines()
            .filter(|line| line.contains("<word"))
            .filter_map(|line| line.split(cut.as_str()).nth(1)?.split('"').next()?.parse().ok())
            .collect()
    };
    let (left, right) = (edges("xMin"), edges("xMax"));
    assert!(left.iter().all(|edge| *edge > 45.0) && right.iter().all(|edge| *edge < 595.0 - 45.0), "{left:?}");
    println!("a PDF of {} pages has {} KB", pages.len(), size / 1024);
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_kept_under_a_name() {
    let window = Window::open(Some(BUILT_IN)).await;
    for question in ["Where does Nexi keep my keys?", "How do I add a folder of documents?"] {
        window.ask(question).await;
        window.wait_for("the answer", DONE).await;
        window.eval("document.querySelector('#new').click()").await;
    }
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("both are listed", "return document.querySelectorAll('.entry').length === 2").await;
    const TOP: &str = "return Math.round(document.querySelector('.entries').getBoundingClientRect().top)";
    let top = window.eval(TOP).await;
    let beginning = window.text("return document.querySelector('.entry .snippet')?.innerText").await;
    assert!(beginning.len() > 40 && !beginning.contains("[1]") && !beginning.contains("**"), "{beginning}");
    assert!(window.eval("return document.querySelector('#save-search')").await.is_null(), "there is nothing to save");
    window.eval("document.querySelector('#library-search').focus()").await;
    window.keys("keys").await;
    window
        .wait_for("it is searched", "return !!document.querySelector('#save-search') && document.querySelectorAll('.entry').length === 1")
        .await;
    assert_eq!(window.eval(TOP).await, top, "the list stays where it is");
    window.eval("document.querySelector('#save-search').click()").await;
    window.wait_for("it asks for a name", "return document.querySelector('dialog.ask input')?.value === 'keys'").await;
    window.keys("About keys").await;
    window.keys(ENTER).await;
    window.wait_for("it is kept", "return document.querySelector('.saved .pill.on')?.innerText === 'About keys'").await;
    window.pictures("library-saved").await;
    window.reload().await;
    window.wait_for("the window is there", "return !!document.querySelector('#open-library')").await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("it is still there", "return document.querySelector('.saved .pill')?.innerText === 'About keys'").await;
    window.click(".saved .pill").await;
    window
        .wait_for(
            "it is carried out",
            "return document.querySelector('#library-search').value === 'keys' && document.querySelectorAll('.entry').length === 1",
        )
        .await;
    window.click(".saved .forget").await;
    window.wait_for("it is gone", "return !document.querySelector('.saved-search')").await;
    window.eval("document.querySelector('#toast button').click()").await;
    window.wait_for("it is back", "return !!document.querySelector('.saved-search')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_answer_is_deleted_and_comes_back() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the first answer", DONE).await;
    window.ask("How do I add a folder of documents?").await;
    window.wait_for("the second answer", "return document.querySelectorAll('.turn .acts').length === 2").await;
    let questions = "return [...document.querySelectorAll('.turn .question')].map((one) => one.innerText).join('|')";
    let undo = "[...document.querySelectorAll('#toast button')].find((button) => button.innerText === 'Undo').click()";
    window.eval("document.querySelector('.turn:last-child .turn-menu').click()").await;
    window.picture("turn-menu").await;
    window.eval("document.querySelector('.turn:last-child .turn-menu').click()").await;
    window.turn_menu("Delete this answer").await;
    window.wait_for("it is gone", "return document.querySelectorAll('.turn').length === 1").await;
    assert_eq!(window.text(questions).await, "Where does Nexi keep my keys?");
    window.eval(undo).await;
    window.wait_for("it is back", "return document.querySelectorAll('.turn').length === 2").await;
    assert_eq!(window.text(questions).await, "Where does Nexi keep my keys?|How do I add a folder of documents?");
    // The last one that is left takes the thread along, and brings it back.
    window.turn_menu("Delete this answer").await;
    window.wait_for("it is gone", "return document.querySelectorAll('.turn').length === 1").await;
    window.turn_menu("Delete this answer").await;
    window.wait_for("the thread is gone", "return document.querySelectorAll('.turn, .rail .row').length === 0").await;
    window.eval(undo).await;
    window
        .wait_for("the thread is back", "return document.querySelectorAll('.turn').length === 1 && !!document.querySelector('.rail .row')")
        .await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_is_opened_in_a_narrow_window_begins_at_its_question() {
    let folder = tempfile::tempdir().unwrap();
    let mut words = Words(0x0bad_cafe_1234_5679);
    let mut long = thread(1, 1, &mut words);
    long["turns"][0]["ending"]["answer"] = json!((0..8).map(|_| words.text(80)).collect::<Vec<_>>().join("\n\n"));
    engine(folder.path()).import_threads(std::io::Cursor::new(long.to_string()), OnBroken::Refuse).await.unwrap();
    let window = Window::open_in(Some(BUILT_IN), folder).await;
    window.client.set_window_size(420, 800).await.unwrap();
    window.is_as_wide_as(420).await;
    window.eval("document.querySelector('#open-library').click()").await;
    window.wait_for("it is listed", "return document.querySelectorAll('.entry').length === 1").await;
    window.eval("document.querySelector('.entry .open').click()").await;
    window.wait_for("it is shown", "return !!document.querySelector('.turn .acts')").await;
    window
        .wait_for(
            "it is longer than the window",
            "const flow = document.querySelector('#flow'); return flow.scrollHeight > 2 * flow.clientHeight",
        )
        .await;
    // Whatever a change of size would do has happened once the next frames are drawn.
    window.eval("return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))").await;
    assert_eq!(window.eval("return document.querySelector('#flow').scrollTop").await, json!(0));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_stays_when_its_margin_is_clicked_or_something_was_typed() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", DONE).await;
    let open = async || {
        window.eval("[...document.querySelectorAll('.acts button')].find((button) => button.innerText === 'Export').click()").await;
        window.wait_for("it asks", "return !!document.querySelector('dialog[open]')").await;
    };
    // Where the pointer is, from the upper left corner of the dialog.
    let click = async |x: i32, y: i32| {
        let script = format!(
            "const dialog = document.querySelector('dialog[open]'); const box = dialog.getBoundingClientRect();\
             const at = {{ bubbles: true, clientX: box.left + {x}, clientY: box.top + {y} }};\
             dialog.dispatchEvent(new PointerEvent('pointerdown', at)); dialog.dispatchEvent(new MouseEvent('click', at));\
             return dialog.open"
        );
        window.eval(&script).await
    };
    open().await;
    assert_eq!(click(6, 6).await, json!(true), "inside");
    assert_eq!(click(-20, 6).await, json!(false), "beside");
    open().await;
    window.eval("document.querySelector('dialog[open] :is(input, select)').dispatchEvent(new Event('input', { bubbles: true }))").await;
    assert_eq!(click(-20, 6).await, json!(true), "what was chosen is not lost");
    window.close().await;
}

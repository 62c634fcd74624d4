//! A language with longer words, and letters that English lacks: everything that is shown comes from the
//! catalogue, and has room.

use serde_json::{Value, json};

use crate::looks::{ABOVE, SIDEWAYS, SURFACES, THREAD};
use crate::support::{BUILT_IN, Window, press};

/// Words that are shown though they are not in the catalogue: without one accented letter among several that would have one.
/// What people write, documents, names of services and commands are left out.
const FOREIGN: &str = r#"
const data = "code, pre, kbd, textarea, input, select[data-names], .answer, .book, .chapters, .title, .q, .question, .asked, .snippet, .source, .card, .passage, .path, .name, .tool-list, .rail .row, h1.thread, [data-said], option, .value, b, .doc-row, .hit, #settings-file, .folder, nav.contents li";
// Addresses, names of files and commands are the same in every language.
const foreign = (text) => /[aeiou].*[aeiou].*[aeiou]/i.test(text) && !/[áéíóúýçñšžÁÉÍÓÚÇÑŠ]/.test(text) && !/^\S+$|[/~@_]/.test(text);
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = new Set();
while (walk.nextNode()) {
  const text = walk.currentNode.data.trim();
  const parent = walk.currentNode.parentElement;
  if (!parent.checkVisibility() || parent.closest(data)) continue;
  if (foreign(text)) found.add(text.slice(0, 100));
}
for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
  if (!one.checkVisibility() || one.closest(data.replace("input, ", "").replace("textarea, ", ""))) continue;
  for (const name of ["aria-label", "title", "placeholder"]) {
    const text = one.getAttribute(name) ?? "";
    if (foreign(text)) found.add(`${name}: ${text.slice(0, 100)}`);
  }
}
return [...found]"#;

/// Buttons and headings whose words are cut off; but for the line of a run, which is one line until it is unfolded.
const CUT: &str = "return [...document.querySelectorAll('button:not(.sum), th, h1, h2, h3, legend, summary, label')].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && getComputedStyle(one).textOverflow !== 'ellipsis' && getComputedStyle(one).display !== 'inline' && one.clientWidth > 2).slice(0, 4).map((one) => one.outerHTML.slice(0, 120))";

/// A language in which everything is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Pseudo,
    German,
}

async fn look(window: &Window, language: Language, what: &str, wrong: &mut Vec<String>) {
    let mut faults = vec![(SIDEWAYS, "reaches over the edge"), (CUT, "is cut off")];
    if language == Language::Pseudo {
        faults.push((FOREIGN, "is not in the catalogue"));
    }
    window.comes_to_rest().await;
    for (script, fault) in faults {
        let found = window.eval(script).await;
        if found != json!([]) {
            wrong.push(format!("{what}: {fault}: {found}"));
        }
    }
}

/// Every surface of the window, wide and narrow, with what stands above it.
async fn walk(window: &Window, language: Language, wrong: &mut Vec<String>) {
    look(window, language, "first start", wrong).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", "return !!document.querySelector('.turn:last-child .acts')").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    let sections = window.eval("return [...document.querySelectorAll('[data-section]')].map((one) => one.dataset.section)").await;
    let sections: Vec<String> =
        serde_json::from_value::<Vec<Value>>(sections).unwrap().iter().filter_map(Value::as_str).map(str::to_owned).collect();
    for width in [1280, 400] {
        window.switch("settings.html").await;
        window.client.set_window_rect(20, 20, width, 860).await.unwrap();
        window.is_as_wide_as(width).await;
        for section in &sections {
            window.eval(&format!("document.querySelector('[data-section={section}]').click(); for (const one of document.querySelectorAll('details')) one.open = true")).await;
            look(window, language, &format!("settings, {section}, {width}"), wrong).await;
        }
        window.switch("index.html").await;
        window.client.set_window_rect(20, 20, width, 860).await.unwrap();
        window.is_as_wide_as(width).await;
        for (surface, shown) in SURFACES {
            window.eval(&format!("document.querySelector('{surface}').click()")).await;
            window.wait_for("it is shown", shown).await;
            look(window, language, &format!("{surface}, {width}"), wrong).await;
        }
        window.eval("document.querySelector('.rail .row').click(); document.activeElement.blur()").await;
        window.wait_for("the thread is shown", THREAD).await;
        for (name, key) in ABOVE {
            let held = matches!(key, "k" | "m");
            let press = format!("document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', ctrlKey: {held}, bubbles: true}}))");
            window.eval(&press).await;
            window.wait_for(name, "return !!document.querySelector('dialog[open]')").await;
            look(window, language, &format!("{name}, {width}"), wrong).await;
            window.eval("for (const one of document.querySelectorAll('dialog[open]')) one.close()").await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_surface_speaks_a_longer_language() {
    let window = Window::open_with(BUILT_IN, &[("NEXI_LANGUAGE", "en-XA")]).await;
    assert_eq!(window.eval("return document.documentElement.lang").await, "en-XA");
    window.hotkey_works().await;
    let mut wrong = Vec::new();
    walk(&window, Language::Pseudo, &mut wrong).await;
    window.pictures("pseudo-thread").await;
    // The popup, with the plan of a deep question and with its report.
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    window.popup_has_focus().await;
    look(&window, Language::Pseudo, "popup", &mut wrong).await;
    window.keys("Where are keys kept? What leaves this computer?").await;
    press("alt+Return");
    window.wait_for("the plan is shown", "return document.querySelectorAll('.plan .tasks li').length === 2").await;
    look(&window, Language::Pseudo, "popup, plan", &mut wrong).await;
    window.picture("pseudo-popup-plan").await;
    window.click(".plan .go").await;
    window.wait_for("the answer is there", "return !!document.querySelector('.evidence')").await;
    look(&window, Language::Pseudo, "popup, report", &mut wrong).await;
    // The same in the window: the board of researchers and the report.
    window.switch("index.html").await;
    window.wait_for("it is listed", "return document.querySelectorAll('.rail .row').length === 2").await;
    window.eval("document.querySelector('.rail .row').click()").await;
    window.wait_for("the report", "return !!document.querySelector('.turn .method, .turn .board, .turn .acts')").await;
    window.eval("for (const one of document.querySelectorAll('.turn .sum, .turn details > summary')) one.click()").await;
    look(&window, Language::Pseudo, "deep", &mut wrong).await;
    window.picture("pseudo-deep").await;
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wizard_speaks_a_longer_language() {
    let window = Window::open_first_with(&[("NEXI_LANGUAGE", "en-XA")]).await;
    let mut wrong = Vec::new();
    look(&window, Language::Pseudo, "model", &mut wrong).await;
    window.picture("pseudo-wizard").await;
    window.keys("sk-some-key-000000").await;
    window.wait_for("a service has to be chosen", "return !!document.querySelector('#service')?.checkVisibility()").await;
    look(&window, Language::Pseudo, "which service", &mut wrong).await;
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
    window.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_settings_choose_german() {
    let window = Window::open(Some(&format!("language = \"de\"\n{BUILT_IN}"))).await;
    assert_eq!(window.eval("return document.documentElement.lang").await, "de");
    let mut wrong = Vec::new();
    walk(&window, Language::German, &mut wrong).await;
    let turn = window.text("return document.querySelector('.turn:last-child').innerText").await;
    assert!(turn.contains("belegt") && turn.contains("Kopieren"), "{turn}");
    window.pictures("german-thread").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=app]').click()").await;
    assert_eq!(window.eval("return document.querySelector('[data-field=language] [aria-checked=true]')?.dataset.value").await, "de");
    window.picture("german-settings").await;
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
    window.close().await;
}

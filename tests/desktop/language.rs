//! A language with longer words, and letters that English lacks: everything that is shown comes from the
//! catalogue, and has room.

use serde_json::{Value, json};

use crate::looks::{SIDEWAYS, SURFACES};
use crate::support::{BUILT_IN, Window};

/// Words that are shown though they are not in the catalogue: without one accented letter among several that would have one.
/// What people write, documents, names of services and commands are left out.
const FOREIGN: &str = r#"
const data = "code, pre, kbd, textarea, input, select[data-names], .answer, .book, .chapters, .title, .q, .question, .asked, .snippet, .source, .card, .passage, .path, .name, .tool-list, .rail .row, h1.thread, [data-said], option, .value, b, .doc-row, .hit, #settings-file, .folder";
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
const CUT: &str = "return [...document.querySelectorAll('button:not(.sum), th, h1, h2, h3, legend, summary, label')].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && getComputedStyle(one).textOverflow !== 'ellipsis' && getComputedStyle(one).display !== 'inline').slice(0, 4).map((one) => one.outerHTML.slice(0, 120))";

async fn look(window: &Window, what: &str, wrong: &mut Vec<String>) {
    for (script, fault) in [(SIDEWAYS, "reaches over the edge"), (CUT, "is cut off"), (FOREIGN, "is not in the catalogue")] {
        let found = window.eval(script).await;
        if found != json!([]) {
            wrong.push(format!("{what}: {fault}: {found}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_surface_speaks_a_longer_language() {
    let window = Window::open_with(BUILT_IN, &[("NEXI_LANGUAGE", "en-XA")]).await;
    assert_eq!(window.eval("return document.documentElement.lang").await, "en-XA");
    let mut wrong = Vec::new();
    look(&window, "first start", &mut wrong).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", "return !!document.querySelector('.turn:last-child .acts')").await;
    window.pictures("pseudo-thread").await;
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
            look(&window, &format!("settings, {section}, {width}"), &mut wrong).await;
        }
        window.switch("index.html").await;
        window.client.set_window_rect(20, 20, width, 860).await.unwrap();
        window.is_as_wide_as(width).await;
        for (surface, shown) in SURFACES {
            window.eval(&format!("document.querySelector('{surface}').click()")).await;
            window.wait_for("it is shown", shown).await;
            look(&window, &format!("{surface}, {width}"), &mut wrong).await;
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
    window.close().await;
}

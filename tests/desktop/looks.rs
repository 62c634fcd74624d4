//! Every surface in light and dark, wide and narrow, with letters of the usual size and twice that: nothing that axe-core
//! finds, and nothing that has to be scrolled sideways.

use serde_json::json;

use crate::support::{BUILT_IN, DONE, ENTER, ESCAPE, Window, popup_is_shown, press, until};

/// What reaches over the edge of the window.
/// What reaches over the right edge of a page that can be scrolled sideways, with how far; what an element around it cuts off or
/// scrolls by itself does not.
pub const SIDEWAYS: &str = r#"
if (document.documentElement.scrollWidth <= innerWidth + 1) return [];
const cut = (one) => {
  let own = getComputedStyle(one).position;
  for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
    const style = getComputedStyle(around);
    if (own === "fixed" || (own === "absolute" && style.position === "static")) continue;
    if (style.overflowX !== "visible") return true;
    own = style.position;
  }
  return false;
};
const over = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.checkVisibility() && !cut(one));
return [`${document.documentElement.scrollWidth} in ${innerWidth}`, ...over.slice(0, 3).map((one) => `${Math.round(one.getBoundingClientRect().right)}: ${one.outerHTML.slice(0, 120)}`)];"#;
/// Radio buttons and boxes that do not stand out from what is behind them.
const PALE: &str = "return [...document.querySelectorAll('input[type=radio], input[type=checkbox]')].filter((one) => one.checkVisibility() && getComputedStyle(one).colorScheme.includes('light') && matchMedia('(prefers-color-scheme: dark)').matches && getComputedStyle(one).appearance !== 'none').map((one) => one.id)";
/// What is opened above the research window, and how.
pub const ABOVE: [(&str, &str); 4] = [("palette", "k"), ("models", "m"), ("export", "e"), ("shortcuts", "?")];

/// The thread, with its answer.
pub const THREAD: &str =
    "return document.querySelector('#app').dataset.view === 'thread' && !!document.querySelector('.turn:last-child .acts')";
/// What the research window shows, by what is pressed for it, and how that can be told.
pub const SURFACES: [(&str, &str); 4] = [
    (".rail .row", THREAD),
    ("#open-library", "return document.querySelector('#app').dataset.view === 'library' && !!document.querySelector('.entry')"),
    ("#open-documents", "return document.querySelector('#app').dataset.view === 'documents' && !!document.querySelector('.documents')"),
    ("#open-help", "return document.querySelector('#app').dataset.view === 'help' && !!document.querySelector('.book')"),
];

async fn looked_at(window: &Window, what: &str, wrong: &mut Vec<String>) {
    window.comes_to_rest().await;
    for (script, fault) in [(SIDEWAYS, "reaches over the edge"), (PALE, "is drawn for light")] {
        let found = window.eval(script).await;
        if found != json!([]) {
            wrong.push(format!("{what}: {fault}: {found}"));
        }
    }
    wrong.extend(window.faults().await.into_iter().map(|fault| format!("{what}: {fault}")));
}

/// Opens what stands above the page by its key, looks at it, and closes it.
async fn looked_above(window: &Window, dress: &str, wrong: &mut Vec<String>) {
    window.eval("document.querySelector('.rail .row').click(); document.activeElement.blur()").await;
    window.wait_for("the thread is shown", THREAD).await;
    for (name, key) in ABOVE {
        let held = matches!(key, "k" | "m");
        window
            .eval(&format!("document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', ctrlKey: {held}, bubbles: true}}))"))
            .await;
        window.wait_for(name, "return !!document.querySelector('dialog[open]')").await;
        looked_at(window, &format!("{name}, {dress}"), wrong).await;
        window.eval("for (const one of document.querySelectorAll('dialog[open]')) one.close()").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_surface_is_sound_in_every_dress() {
    let window = Window::open_in_layers(BUILT_IN, tempfile::tempdir().unwrap()).await;
    window.hotkey_works().await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", DONE).await;
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    window.click("#pin").await;
    window.wait_for("it is pinned", "return document.querySelector('#pin').getAttribute('aria-pressed') === 'true'").await;
    window.eval("document.querySelector('#question').focus()").await;
    window.keys("Where does Nexi keep my keys?").await;
    window.keys(ENTER).await;
    window.wait_for("the answer is there", "return !!document.querySelector('.evidence')").await;
    window.switch("index.html").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    let sections = window.eval("return [...document.querySelectorAll('[data-section]')].map((one) => one.dataset.section)").await;
    let sections: Vec<String> = serde_json::from_value(sections).unwrap();
    assert!(sections.len() >= 10, "{sections:?}");
    let mut wrong = Vec::new();
    for (theme, size) in [("light", 100), ("dark", 100), ("light", 200), ("dark", 200)] {
        window.switch("settings.html").await;
        let dress = format!(
            "const done = arguments[0]; window.__TAURI__.core.invoke('change_settings', {{changes: [{{path: ['desktop', 'theme'], value: '{theme}'}}, {{path: ['desktop', 'text_size'], value: {size}}}]}}).then(done, done)"
        );
        window.client.execute_async(&dress, vec![]).await.unwrap();
        let colours = format!("return matchMedia('(prefers-color-scheme: {theme})').matches");
        window.wait_for("its colours", &colours).await;
        window.switch("popup.html").await;
        window.wait_for("its colours", &colours).await;
        looked_at(&window, &format!("popup, {theme}, {size} %"), &mut wrong).await;
        for width in [1280, 400] {
            let dress = format!("{theme}, {size} %, {width}");
            window.switch("settings.html").await;
            window.client.set_window_rect(20, 20, width, 860).await.unwrap();
            window.is_as_wide_as(width * 100 / size).await;
            // Where there is room they differ little.
            for section in sections.iter().filter(|name| width == 400 || ["models", "search", "keys"].contains(&name.as_str())) {
                window.eval(&format!("document.querySelector('[data-section={section}]').click(); for (const one of document.querySelectorAll('details')) one.open = true")).await;
                looked_at(&window, &format!("settings, {section}, {dress}"), &mut wrong).await;
            }
            window.switch("index.html").await;
            window.wait_for("its colours", &colours).await;
            window.client.set_window_rect(20, 20, width, 860).await.unwrap();
            window.is_as_wide_as(width * 100 / size).await;
            for (surface, shown) in SURFACES {
                window.eval(&format!("document.querySelector('{surface}').click()")).await;
                window.wait_for("it is shown", shown).await;
                looked_at(&window, &format!("{surface}, {dress}"), &mut wrong).await;
            }
            looked_above(&window, &dress, &mut wrong).await;
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
    window.close().await;
}

/// With viewport units beside container queries WebKitGTK 2.50 followed the first change of a width, and none after it.
#[tokio::test(flavor = "multi_thread")]
async fn columns_fold_and_unfold_as_often_as_the_width_changes() {
    let window = Window::open(Some(BUILT_IN)).await;
    let columns = "return getComputedStyle(document.querySelector('#app')).gridTemplateColumns.split(' ').length";
    for (width, expected) in [(1200, 3), (400, 1), (1200, 3), (900, 2), (400, 1), (1000, 2), (1200, 3)] {
        window.resize(width, 800).await;
        assert_eq!(window.eval(columns).await, json!(expected), "columns at a width of {width}");
    }
    window.close().await;
}

#[tokio::test]
async fn a_source_stands_beside_its_answer_and_moves_no_citation() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.resize(900, 700).await;
    window.ask("How do I add a folder of documents?").await;
    window.wait_for("the run is over", DONE).await;
    window.comes_to_rest().await;
    let place = "const at = document.querySelector('.chip').getBoundingClientRect(); return Math.round(at.top)";
    for width in [900, 1280] {
        window.resize(width, 700).await;
        window.eval("document.querySelector('.chip').scrollIntoView({block: 'center'})").await;
        let before = window.eval(place).await.as_i64().unwrap();
        window.click(".chip").await;
        window.wait_for("the source is open at its passage", "return !!document.querySelector('#reader #passage')").await;
        let covered = "const chip = document.querySelector('.chip').getBoundingClientRect(); const reader = document.querySelector('#reader').getBoundingClientRect(); \
            return [chip.right > reader.left, chip.width === 0, document.querySelectorAll('.chip.open').length]";
        assert_eq!(window.eval(covered).await, json!([false, false, 1]), "at {width}");
        let moved = window.eval(place).await.as_i64().unwrap() - before;
        assert!(moved.abs() <= 2, "the citation moved by {moved} at {width}");
        window.keys(ESCAPE).await;
        window.wait_for("the source is closed", "return document.querySelector('#reader').hidden").await;
        let moved = window.eval(place).await.as_i64().unwrap() - before;
        assert!(moved.abs() <= 2, "the citation moved by {moved} when the source was closed at {width}");
        assert_eq!(window.eval("return document.querySelectorAll('.chip.open').length").await, json!(0));
    }
    window.close().await;
}

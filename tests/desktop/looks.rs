//! Every surface in light and dark, wide and narrow, with letters of the usual size and twice that: nothing that axe-core
//! finds, and nothing that has to be scrolled sideways.

use serde_json::json;

use crate::support::{BUILT_IN, DONE, Window};

/// What reaches over the edge of the window.
const SIDEWAYS: &str = "return document.documentElement.scrollWidth > innerWidth + 1 ? [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.checkVisibility()).slice(0, 3).map((one) => one.outerHTML.slice(0, 120)) : []";

async fn looked_at(window: &Window, what: &str, wrong: &mut Vec<String>) {
    let over = window.eval(SIDEWAYS).await;
    if over != json!([]) {
        wrong.push(format!("{what}: reaches over the edge: {over}"));
    }
    wrong.extend(window.faults().await.into_iter().map(|fault| format!("{what}: {fault}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_surface_is_sound_in_every_dress() {
    let window = Window::open(Some(BUILT_IN)).await;
    window.ask("Where does Nexi keep my keys?").await;
    window.wait_for("the answer", DONE).await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    let mut wrong = Vec::new();
    for (theme, size) in [("light", 100), ("dark", 100), ("dark", 200), ("light", 200)] {
        window.switch("settings.html").await;
        let dress = format!(
            "const done = arguments[0]; window.__TAURI__.core.invoke('change_settings', {{changes: [{{path: ['desktop', 'theme'], value: '{theme}'}}, {{path: ['desktop', 'text_size'], value: {size}}}]}}).then(done, done)"
        );
        window.client.execute_async(&dress, vec![]).await.unwrap();
        window.wait_for("its colours", &format!("return matchMedia('(prefers-color-scheme: {theme})').matches")).await;
        for width in [1280, 420] {
            window.client.set_window_rect(20, 20, width, 860).await.unwrap();
            for section in ["models", "search", "effort", "keys", "data"] {
                window.eval(&format!("document.querySelector('[data-section={section}]').click(); for (const one of document.querySelectorAll('details')) one.open = true")).await;
                looked_at(&window, &format!("settings, {section}, {theme}, {size} %, {width}"), &mut wrong).await;
            }
            window.switch("index.html").await;
            window.client.set_window_rect(20, 20, width, 860).await.unwrap();
            for surface in [".rail .row", "#open-library", "#open-documents", "#open-help"] {
                window.eval(&format!("document.querySelector('{surface}').click()")).await;
                window
                    .wait_for("it is shown", "return !!document.querySelector('.turn .acts, .entry, .documents, .book, #page > *')")
                    .await;
                looked_at(&window, &format!("{surface}, {theme}, {size} %, {width}"), &mut wrong).await;
            }
            window.switch("settings.html").await;
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
    window.close().await;
}

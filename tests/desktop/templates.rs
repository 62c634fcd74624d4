//! Questions that are asked often, in the windows.

use std::time::Duration;

use nexi_testkit::{LlmServer, Scripted};

use crate::support::{DONE, ENTER, Window, model_settings, popup_is_shown, press, until};

const TAB: &str = "\u{e004}";

#[tokio::test(flavor = "multi_thread")]
async fn a_template_is_saved_offered_and_filled_in() {
    let model = LlmServer::answering("canary-key", Duration::ZERO, |_| Scripted::Text("Wren is faster.")).await;
    let window = Window::open(Some(&model_settings(&model.base_url, "test-model", ""))).await;
    window.hotkey_works().await;
    window.ask("Compare Kestrel with Wren.").await;
    window.wait_for("the run is over", DONE).await;
    window.turn_menu("Save as template…").await;
    window.wait_for("it asks", "return document.activeElement?.id === 'template-name'").await;
    window.keys("compare").await;
    window.eval("document.querySelector('#template-text').value = 'Compare {product} with {other} by {what}.'").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("template-save").await;
    window.click("dialog.ask .go").await;
    window.wait_for("it says how it is asked", "return document.querySelector('#toast').innerText.includes('/compare')").await;
    window.wait_for("the word of it is gone", "return !document.querySelector('#toast').innerText").await;
    // Offered behind a slash, filled in field by field.
    window.click("#composer").await;
    window.keys("/co").await;
    window.wait_for("it is offered", "return !!document.querySelector('#composer-templates:not([hidden]) button')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures("template-list").await;
    window.keys(ENTER).await;
    let value = "return document.querySelector('#composer').value";
    assert_eq!(window.text(value).await, "Compare {product} with {other} by {what}.");
    let selected = "const field = document.querySelector('#composer'); return field.value.slice(field.selectionStart, field.selectionEnd)";
    assert_eq!(window.text(selected).await, "{product}");
    window.keys("Kestrel").await;
    window.keys(TAB).await;
    assert_eq!(window.text(selected).await, "{other}");
    window.keys("Wren").await;
    // A field that is left is named, and nothing is asked.
    let asked = model.requests().len();
    window.keys(ENTER).await;
    window.wait_for("the field is named", "return document.querySelector('#toast').innerText.includes('what')").await;
    assert_eq!((window.text(selected).await.as_str(), model.requests().len()), ("{what}", asked));
    window.keys("speed").await;
    window.keys(ENTER).await;
    window.wait_for("it is asked", "return document.querySelectorAll('.turn').length === 2").await;
    window.wait_for("the run is over", DONE).await;
    let question = "return document.querySelector('.turn:last-child .question').innerText";
    assert_eq!(window.text(question).await, "Compare Kestrel with Wren by speed.");
    // Braces that nobody calls a field are asked as they are.
    window.ask("What does {x} mean in a formula?").await;
    window.wait_for("it is asked", &format!("{}.includes('{{x}}')", question.replace("return ", "return (") + ")")).await;
    window.wait_for("the run is over", DONE).await;
    // In the popup, too.
    window.switch("popup.html").await;
    press("ctrl+shift+space");
    until("the popup is shown", popup_is_shown).await;
    window.popup_has_focus().await;
    window.keys("/").await;
    window.wait_for("it is offered", "return !!document.querySelector('#question-templates:not([hidden]) button')").await;
    window.picture("popup-templates").await;
    window.keys(ENTER).await;
    assert_eq!(window.text("return document.querySelector('#question').value").await, "Compare {product} with {other} by {what}.");
    press("Escape");
    // Changed and removed in the settings.
    window.switch("index.html").await;
    window.eval("document.dispatchEvent(new KeyboardEvent('keydown', {key: ',', ctrlKey: true, bubbles: true}))").await;
    window.switch("settings.html").await;
    window.eval("document.querySelector('[data-section=templates]').click()").await;
    window.wait_for("it is listed", "return !!document.querySelector('[data-template=compare]')").await;
    assert_eq!(window.faults().await, Vec::<String>::new());
    window.pictures_of("settings-templates", (980, 760)).await;
    window.click("[data-template] .edit").await;
    window.eval("const name = document.querySelector('[data-template] input'); name.value = 'versus'; name.form.requestSubmit()").await;
    window.wait_for("it has another name", "return !!document.querySelector('[data-template=versus] .edit')").await;
    window.click("[data-template] .remove").await;
    window.wait_for("it is gone", "return !document.querySelector('[data-template]')").await;
    window.close().await;
}

// Small dialogs that ask for one thing.

import { closesOnOutsideClick, h } from "../dom.js";
import { strings } from "../strings.js";

/**
 * @param {string} title @param {(close: () => void) => Node[]} body
 * @returns {HTMLDialogElement}
 */
export function dialog(title, body) {
  const element = /** @type {HTMLDialogElement} */ (h("dialog", { class: "ask", "aria-label": title }));
  const close = () => element.close();
  element.append(h("h2", {}, title), ...body(close));
  element.addEventListener("close", () => element.remove());
  closesOnOutsideClick(element);
  document.body.append(element);
  element.showModal();
  return element;
}

/**
 * Asks for a line of text; null when it was not given.
 * @param {string} title @param {string} value @param {string} help @returns {Promise<string | null>}
 */
export function askText(title, value, help) {
  return new Promise((resolve) => {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", value, "aria-label": title, maxLength: 300 }));
    const made = dialog(title, (close) => [
      h(
        "form",
        {
          method: "dialog",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            resolve(input.value.trim());
            close();
          },
        },
        input,
        h("p", { class: "help" }, help),
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", onclick: close }, strings.window.cancel),
          h("button", { class: "go", type: "submit" }, strings.window.save),
        ),
      ),
    ]);
    made.addEventListener("close", () => resolve(null));
    input.select();
  });
}

/**
 * Whether the person wants this done, which is shown word for word.
 * @param {string} title @param {string} shown @param {string} help @param {string} label @returns {Promise<boolean>}
 */
export function confirmed(title, shown, help, label) {
  return new Promise((resolve) => {
    const made = dialog(title, (close) => [
      h("code", { class: "outgoing", dir: "ltr" }, shown),
      h("p", { class: "help" }, help),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: close }, strings.window.cancel),
        h(
          "button",
          {
            type: "button",
            class: "go",
            onclick: () => {
              resolve(true);
              close();
            },
          },
          label,
        ),
      ),
    ]);
    made.addEventListener("close", () => resolve(false));
  });
}

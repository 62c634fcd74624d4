// Where questions are written.

/** @import { Actions, State } from "../main" */
/** @import { Effort } from "../protocol" */

import { h } from "../dom.js";
import { strings } from "../strings.js";

/** @type {Effort[]} */
const EFFORTS = ["s", "m", "l"];

/**
 * Builds the composer once; `update` follows the state without touching what is being written.
 * @param {Actions} actions
 */
export function composer(actions) {
  const input = /** @type {HTMLTextAreaElement} */ (h("textarea", {
    id: "composer", rows: 1, "aria-label": strings.askFirst, spellcheck: true,
    oninput: () => {
      grow();
      go.disabled = go.dataset.running !== "true" && input.value.trim() === "";
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      // While an input method composes, Enter belongs to it.
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
        event.preventDefault();
        send();
      }
    },
  }));
  const segments = h("span", { class: "segments", role: "radiogroup", "aria-label": strings.effort });
  const pill = h("span", { class: "pill" });
  const go = /** @type {HTMLButtonElement} */ (h("button", { class: "go", type: "button", id: "go", onclick: () => (go.dataset.running === "true" ? actions.stop() : send()) }));
  const element = h("div", { class: "box" }, input, h("div", { class: "bar" }, segments, pill, go));

  function grow() {
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight}px`;
  }

  let sending = false;

  async function send() {
    const question = input.value.trim();
    if (question === "" || go.dataset.running === "true" || sending) return;
    sending = true;
    const taken = await actions.ask(question);
    sending = false;
    if (taken) {
      input.value = "";
      grow();
      go.disabled = true;
    }
  }

  /** @param {State} state @param {boolean} running */
  function update(state, running) {
    input.placeholder = state.turns.length > 0 ? strings.askMore : strings.askFirst;
    const builtin = state.overview?.model === strings.builtinName;
    pill.textContent = builtin ? strings.builtin : (state.overview?.model ?? "");
    pill.title = pill.textContent;
    go.textContent = running ? strings.stop : strings.ask;
    go.dataset.running = String(running);
    go.disabled = !running && input.value.trim() === "";
    if (segments.dataset.effort !== state.effort) {
      segments.dataset.effort = state.effort;
      const focused = segments.contains(document.activeElement);
      segments.replaceChildren(...EFFORTS.map((effort) => h("button", {
        type: "button", role: "radio", "aria-checked": effort === state.effort ? "true" : "false", title: strings.efforts[effort],
        "aria-label": strings.efforts[effort], tabIndex: effort === state.effort ? 0 : -1,
        onclick: () => actions.setEffort(effort),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
          if (by) {
            event.preventDefault();
            actions.setEffort(EFFORTS[(EFFORTS.indexOf(effort) + by + EFFORTS.length) % EFFORTS.length]);
          }
        },
      }, effort.toUpperCase())));
      if (focused) /** @type {HTMLElement | null} */ (segments.querySelector('[aria-checked="true"]'))?.focus();
    }
  }

  return { element, input, update };
}

// The form of a question that is asked often: its name and its text.

/** @import { Template } from "../protocol" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";

const words = strings.templates;

/**
 * @param {{
 *   id: string, one: Template | null, text?: string, buttons: HTMLElement, kept: (kept: Template) => unknown,
 * }} about `id` tells its fields from those of other forms, `one` is what is changed, `text` what a new one begins with
 * @returns {HTMLFormElement}
 */
export function templateForm({ id, one, text, buttons, kept }) {
  const name = /** @type {HTMLInputElement} */ (
    h("input", { id: `template-name${id}`, type: "text", value: one?.name ?? "", maxLength: 41, autocomplete: "off", spellcheck: false })
  );
  const asked = /** @type {HTMLTextAreaElement} */ (h("textarea", { id: `template-text${id}`, rows: 4, dir: "auto" }));
  asked.value = one?.text ?? text ?? "";
  const form = h(
    "form",
    {
      class: "form-column",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        const saved = await attempt(host.keepTemplate(one?.id ?? null, name.value, asked.value));
        if (!saved) return;
        if (!one) {
          name.value = "";
          asked.value = "";
        }
        await kept(saved);
      },
    },
    h("label", { htmlFor: name.id }, words.name),
    name,
    h("p", { class: "help" }, words.nameHelp),
    h("label", { htmlFor: asked.id }, words.text),
    asked,
    h("p", { class: "help" }, words.textHelp),
    buttons,
  );
  return /** @type {HTMLFormElement} */ (form);
}

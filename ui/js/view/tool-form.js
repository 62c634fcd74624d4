// A form that a tool server wants to have filled in during a call.

/** @import { FormField } from "../protocol" */
/** @import { OpenForm, TurnModel } from "../reduce" */

import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { rangeLine } from "../sentences.js";
import { strings } from "../strings.js";

const tools = strings.tools;

const words = tools.form;

/** A place that is drawn anew only when another form is open, so that nothing that was typed is lost. */
export function toolFormView() {
  const element = h("div", { class: "held", hidden: true });
  let shown = "";
  return {
    element,
    /** @param {TurnModel} turn */
    update(turn) {
      const open = turn.forms[0];
      const key = open ? `${turn.id} ${open.id}` : "";
      if (key === shown) return;
      shown = key;
      element.replaceChildren(...(open ? [drawn(turn, open)] : []));
      element.hidden = !open;
    },
  };
}

/** @param {TurnModel} turn @param {OpenForm} open */
function drawn(turn, { id, form }) {
  const fields = form.fields.map((field, index) => ({ field, ...control(field, `form-${id}-${index}`) }));
  const wrong = h("p", { class: "caution", role: "alert", hidden: true });
  /** @param {Record<string, unknown> | null} values */
  const answer = async (values) => {
    wrong.hidden = true;
    const failed = await host.fillForm(turn.id, id, values).then(
      () => null,
      (error) => String(error),
    );
    if (failed === null) return;
    wrong.hidden = false;
    wrong.textContent = failed;
  };
  return h(
    "form",
    {
      class: "held-ask tool-form",
      "aria-label": words.title({ server: form.server }),
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        answer(Object.fromEntries(fields.map(({ field, read }) => [field.name, read()])));
      },
    },
    h("p", { dir: "auto" }, h("b", {}, words.title({ server: form.server })), `: ${form.message}`),
    ...fields.map(({ element }) => element),
    wrong,
    h("p", { class: "help" }, words.note),
    h(
      "div",
      { class: "held-acts" },
      h("button", { type: "button", class: "pill", onclick: () => attempt(answer(null)) }, words.decline),
      h("button", { type: "submit", class: "pill keep" }, words.send),
    ),
  );
}

/** @param {FormField} field @param {string} id @returns {{ element: HTMLElement, read: () => unknown }} */
function control(field, id) {
  const { kind } = field;
  const label = `${field.title === field.name ? field.name.charAt(0).toUpperCase() + field.name.slice(1) : field.title}${field.required ? ` (${words.required})` : ""}`;
  const range = kind.type === "number" ? rangeLine(kind.least, kind.most) : "";
  const help = field.description || range ? h("span", { class: "help" }, [field.description, range].filter(Boolean).join(" ")) : null;
  /** @param {HTMLElement} input @param {() => unknown} read */
  const made = (input, read) => ({
    element: h("div", { class: "form-field" }, h("label", { for: id, dir: "auto" }, label), input, help),
    read,
  });
  switch (kind.type) {
    case "yes_no": {
      const input = /** @type {HTMLInputElement} */ (h("input", { id, type: "checkbox", checked: field.default === true }));
      return made(input, () => input.checked);
    }
    case "choice": {
      const chosen = Array.isArray(field.default) ? field.default : [field.default];
      const options = kind.options.map((option) =>
        h("option", { value: option.value, selected: chosen.includes(option.value) }, option.label),
      );
      const select = /** @type {HTMLSelectElement} */ (
        h(
          "select",
          { id, multiple: kind.several },
          ...(kind.several || field.required ? [] : [h("option", { value: "" }, words.none)]),
          ...options,
        )
      );
      return made(select, () => (kind.several ? [...select.selectedOptions].map((option) => option.value) : select.value || null));
    }
    default: {
      const input = /** @type {HTMLInputElement} */ (
        h("input", {
          id,
          type: "text",
          inputMode: kind.type === "number" ? "decimal" : "text",
          value: field.default === undefined ? "" : String(field.default),
          autocomplete: "off",
          maxLength: 4000,
        })
      );
      return made(input, () => input.value.trim() || null);
    }
  }
}

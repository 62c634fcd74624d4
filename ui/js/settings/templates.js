// Questions that are asked often: made, changed, removed.

/** @import { Template } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { templateForm } from "../view/template-form.js";
import { row } from "./form.js";

const words = strings.templates;

/** @returns {Node[]} */
export function templateFields() {
  const list = h("ul", { class: "watched", "aria-label": words.all });
  const all = row(words.all, "", list, { id: "templates", wide: true });
  const adding = row(
    words.new,
    words.newHelp,
    editor(null, words.add, async () => draw()),
    { id: "template", wide: true },
  );

  async function draw() {
    const known = (await attempt(host.templates())) ?? [];
    list.replaceChildren(...(known.length === 0 ? [h("li", { class: "help" }, words.none)] : known.map(entry)));
  }

  /** @param {Template} one */
  function entry(one) {
    const element = h("li", { "data-template": one.name });
    const show = () =>
      element.replaceChildren(
        h("p", { class: "watched-question" }, h("b", {}, `/${one.name}`)),
        h("p", { class: "help", dir: "auto" }, one.text),
        h(
          "div",
          { class: "watched-acts" },
          h(
            "button",
            {
              type: "button",
              class: "edit plain",
              onclick: () => {
                element.replaceChildren(editor(one, words.keep, async () => draw(), show));
                element.querySelector("input")?.focus();
              },
            },
            words.edit,
          ),
          h(
            "button",
            {
              type: "button",
              class: "remove plain",
              onclick: async () => {
                if ((await attempt(host.removeTemplate(one.id).then(() => true))) === null) return;
                await draw();
                toast(words.removed, {
                  label: words.undo,
                  run: async () => {
                    await attempt(host.keepTemplate(null, one.name, one.text));
                    await draw();
                  },
                });
              },
            },
            words.remove,
          ),
        ),
      );
    show();
    return element;
  }

  void draw();
  return [all.element, adding.element];
}

/** @param {Template | null} one @param {string} label @param {() => Promise<void>} kept @param {() => void} [cancel] */
function editor(one, label, kept, cancel) {
  const buttons = h(
    "div",
    { class: "watched-acts" },
    h("button", { type: "submit", class: "plain" }, label),
    cancel ? h("button", { type: "button", class: "plain", onclick: cancel }, words.cancel) : null,
  );
  return templateForm({ id: `-${one?.name ?? "new"}`, one, buttons, kept });
}

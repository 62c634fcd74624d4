// What is remembered: read, written, changed and forgotten.

/** @import { Memory } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { row } from "./form.js";

const spaces = strings.spaces;
const settings = strings.settings;

const words = settings.memory;

/** @returns {Node[]} */
export function memoryFields() {
  const input = /** @type {HTMLInputElement} */ (h("input", { id: "f-memory", type: "text", maxLength: 900, autocomplete: "off" }));
  const where = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": spaces.where, hidden: true }));
  const adding = row(
    words.new,
    words.newHelp,
    h(
      "form",
      {
        class: "item new-item",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          if (input.value.trim() === "") return;
          if ((await attempt(host.addMemory(input.value, where.value || null))) === null) return;
          input.value = "";
          await draw();
          input.focus();
        },
      },
      input,
      where,
      h("button", { type: "submit" }, words.add),
    ),
    { id: "memory", wide: true },
  );
  const list = h("ul", { class: "memories", "aria-label": words.all });
  const all = row(words.all, "", list, { id: "memories", wide: true });

  /** The names of spaces by their ids. @type {Map<string, string>} */
  let names = new Map();

  async function draw() {
    const memories = (await attempt(host.memories())) ?? [];
    const known = (await attempt(host.spaces())) ?? [];
    names = new Map(known.map((space) => [space.id, space.name]));
    where.hidden = known.length === 0;
    const chosen = where.value;
    where.replaceChildren(
      h("option", { value: "" }, spaces.everywhere),
      ...known.map((space) => h("option", { value: space.id }, spaces.only({ name: space.name }))),
    );
    where.value = names.has(chosen) ? chosen : "";
    list.replaceChildren(...(memories.length === 0 ? [h("li", { class: "help" }, words.none)] : memories.map(entry)));
  }

  /** @param {Memory} memory */
  function entry(memory) {
    const element = h("li", { class: "item", "data-memory": memory.id });
    const show = () =>
      element.replaceChildren(
        h(
          "span",
          { dir: "auto" },
          memory.text,
          memory.space ? h("small", { class: "help", dir: "auto" }, ` · ${names.get(memory.space) ?? ""}`) : null,
        ),
        h("button", { type: "button", class: "edit", "aria-label": `${words.edit}: ${memory.text}`, onclick: edit }, words.edit),
        h(
          "button",
          {
            type: "button",
            class: "forget",
            "aria-label": `${words.forget}: ${memory.text}`,
            onclick: async () => {
              if ((await attempt(host.forgetMemories([memory.id]).then(() => true))) === null) return;
              draw();
              toast(words.forgotten, {
                label: strings.window.thread.undo,
                run: async () => {
                  await attempt(host.addMemory(memory.text, memory.space ?? null));
                  draw();
                },
              });
            },
          },
          words.forget,
        ),
      );
    function edit() {
      const field = /** @type {HTMLInputElement} */ (
        h("input", { type: "text", value: memory.text, maxLength: 900, "aria-label": words.edit })
      );
      element.replaceChildren(
        h(
          "form",
          {
            class: "item new-item",
            onsubmit: async (/** @type {Event} */ event) => {
              event.preventDefault();
              if ((await attempt(host.changeMemory(memory.id, field.value).then(() => true))) !== null) draw();
            },
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
              if (event.key === "Escape") show();
            },
          },
          field,
          h("button", { type: "submit" }, words.save),
          h("button", { type: "button", onclick: show }, words.cancel),
        ),
      );
      field.focus();
    }
    show();
    return element;
  }

  draw();
  return [adding.element, all.element];
}

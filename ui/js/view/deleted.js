// What was deleted and can still be brought back, in the library.

/** @import { Actions } from "../actions" */
/** @import { DeletedItem } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { toggleMenu } from "./menu.js";

const DAY = 86_400_000;
const words = strings.library.deleted;

/** @param {Actions} actions @param {() => void} changed what is there is another list now */
export function deletedList(actions, changed) {
  const element = h("section", { class: "deleted", "aria-label": words.title, hidden: true });
  /** @type {DeletedItem[]} */
  let items = [];
  let wanted = "";

  /** @param {DeletedItem} item */
  async function restore(item) {
    if ((await attempt((item.is_turn ? host.restoreTurn(item.id) : host.restoreThread(item.id)).then(() => true))) === null) return;
    toast(words.restored({ title: item.title }), item.is_turn ? undefined : { label: words.open, run: () => actions.openThread(item.id) });
    await again();
    actions.refresh();
  }

  /** Asks once more: this cannot be undone. @param {HTMLElement} anchor @param {string} label @param {string | null} id */
  function forget(anchor, label, id) {
    toggleMenu(anchor, words.sure, [
      {
        label,
        danger: true,
        run: async () => {
          await attempt(host.forgetDeleted(id));
          await again();
        },
      },
      { label: words.keep, run: () => {} },
    ]);
  }

  /** @param {DeletedItem} item */
  function row(item) {
    const left = Math.max(1, Math.ceil((item.gone_ms - Date.now()) / DAY));
    return h(
      "li",
      { class: "entry gone", "data-deleted": item.id },
      h(
        "span",
        { class: "open" },
        h("span", { class: "title", dir: "auto" }, item.title || strings.window.untitled),
        h(
          "span",
          { class: "facts" },
          [item.is_turn ? words.answer : strings.library.turns({ count: item.turns }), words.left({ days: left })].join(" · "),
        ),
      ),
      h("button", { type: "button", class: "pill", onclick: () => restore(item) }, words.restore),
      h(
        "button",
        {
          type: "button",
          class: "pill",
          "aria-haspopup": "menu",
          "aria-expanded": "false",
          onclick: (/** @type {Event} */ event) => forget(/** @type {HTMLElement} */ (event.currentTarget), words.forget, item.id),
        },
        words.forget,
      ),
    );
  }

  function draw() {
    const parts = wanted.toLocaleLowerCase().split(/\s+/);
    const found = items.filter(({ title }) => parts.every((part) => title.toLocaleLowerCase().includes(part)));
    element.replaceChildren(
      h(
        "p",
        { class: "count", role: "status" },
        items.length === 0 ? words.none : found.length === 0 ? words.nothingFound : words.about,
        " ",
        // All of them, and not those alone that are looked for.
        items.length > 1 && wanted === ""
          ? h(
              "button",
              {
                type: "button",
                class: "link",
                id: "forget-all",
                "aria-haspopup": "menu",
                "aria-expanded": "false",
                onclick: (/** @type {Event} */ event) =>
                  forget(/** @type {HTMLElement} */ (event.currentTarget), words.forgetAll({ count: items.length }), null),
              },
              words.forgetAll({ count: items.length }),
            )
          : null,
      ),
      h("ul", { class: "entries" }, ...found.map(row)),
    );
  }

  async function load() {
    const were = items.length > 0;
    items = (await attempt(host.deleted())) ?? items;
    if (!element.hidden) draw();
    // An open menu loses what it belongs to when its button is drawn anew.
    if (were !== items.length > 0) changed();
  }

  async function again() {
    await load();
    // What was pressed is gone.
    const next = element.querySelector("li button") ?? document.querySelector('[data-filter="deleted"]');
    if (next instanceof HTMLElement) next.focus();
  }

  return {
    element,
    load,
    count: () => items.length,
    /** Shows only what has these words in its title. @param {string} text */
    find(text) {
      wanted = text.trim();
      if (!element.hidden) draw();
    },
    /** @param {boolean} on */
    show(on) {
      element.hidden = !on;
      if (on) draw();
    },
  };
}

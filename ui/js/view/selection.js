// Several threads at once: chosen in the library, then exported, tagged or deleted together.

/** @import { Actions } from "../actions" */
/** @import { LibraryRow, ThreadId } from "../protocol" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { askText } from "./ask.js";
import { showExport } from "./export.js";

/** @param {Actions} actions @param {() => LibraryRow[]} rows those that are listed @param {() => void} changed */
export function selection(actions, rows, changed) {
  const words = strings.window.selection;
  /** @type {Map<ThreadId, LibraryRow>} */
  const chosen = new Map();
  /** The row that was chosen last: with Shift, all up to the next one are. @type {ThreadId | null} */
  let last = null;
  const count = h("span", { class: "chosen-count", role: "status" });
  const bar = h(
    "div",
    { class: "selection", role: "toolbar", "aria-label": words.title, hidden: true },
    count,
    h("button", { type: "button", id: "export-chosen", onclick: () => showExport([...chosen.keys()], null) }, words.export),
    h("button", { type: "button", id: "tag-chosen", onclick: tag }, words.tag),
    h("button", { type: "button", id: "delete-chosen", class: "danger", onclick: remove }, words.delete),
    h("button", { type: "button", id: "choose-none", onclick: clear }, words.none),
  );

  function draw() {
    bar.hidden = chosen.size === 0;
    count.textContent = chosen.size === 0 ? "" : words.count({ count: chosen.size });
    bar.parentElement?.classList.toggle("choosing", chosen.size > 0);
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".entry .choose")))
      box.checked = chosen.has(box.value);
  }

  function clear() {
    chosen.clear();
    last = null;
    draw();
  }

  /** @param {LibraryRow} row @param {boolean} on @param {boolean} upTo */
  function choose(row, on, upTo) {
    const all = rows();
    const [from, to] = [all.findIndex((known) => known.id === last), all.findIndex((known) => known.id === row.id)];
    const range = upTo && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [row];
    for (const one of range) {
      if (on) chosen.set(one.id, one);
      else chosen.delete(one.id);
    }
    last = row.id;
    draw();
  }

  async function tag() {
    const text = await askText(words.tagTitle({ count: chosen.size }), "", words.tagHelp);
    const tags = (text ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    if (tags.length === 0) return;
    for (const row of [...chosen.values()]) {
      if ((await attempt(host.tagThread(row.id, [...new Set([...row.tags, ...tags])]).then(() => true))) === null) break;
    }
    clear();
    changed();
  }

  async function remove() {
    /** @type {ThreadId[]} */
    const gone = [];
    for (const id of [...chosen.keys()]) {
      if ((await attempt(host.deleteThread(id).then(() => true))) === null) break;
      gone.push(id);
    }
    clear();
    for (const id of gone) actions.left(id);
    changed();
    if (gone.length > 0)
      toast(words.deleted({ count: gone.length }), {
        label: strings.window.thread.undo,
        run: async () => {
          for (const id of gone) await attempt(host.restoreThread(id));
          actions.refresh();
        },
      });
  }

  return {
    bar,
    /** The box before a thread. @param {LibraryRow} row */
    box(row) {
      const box = /** @type {HTMLInputElement} */ (
        h("input", {
          type: "checkbox",
          class: "choose",
          value: row.id,
          checked: chosen.has(row.id),
          "aria-label": words.choose({ title: row.title || strings.window.untitled }),
          onclick: (/** @type {MouseEvent} */ event) => choose(row, box.checked, event.shiftKey),
        })
      );
      return box;
    },
    /** Threads that are no longer there are not chosen, either. */
    keep() {
      const known = new Map(rows().map((row) => [row.id, row]));
      for (const id of [...chosen.keys()]) {
        const row = known.get(id);
        if (row) chosen.set(id, row);
        else chosen.delete(id);
      }
      draw();
    },
    clear,
    any: () => chosen.size > 0,
  };
}

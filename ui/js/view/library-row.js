// A thread as the library lists it.

/** @import { Actions } from "../actions" */
/** @import { LibraryRow } from "../protocol" */

import { h } from "../dom.js";
import { cost, seconds } from "../format.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { age } from "./ages.js";
import { marked } from "./marks.js";
import { toggleMenu } from "./menu.js";
import { threadMenu } from "./thread-menu.js";

const words = strings.library;

/** @param {LibraryRow} row @param {Node} box by which it is chosen @param {Actions} actions @param {() => void} refresh */
export function libraryRow(row, box, actions, refresh) {
  const facts = [
    age(row.updated_ms),
    words.sources({ count: row.sources }),
    row.turns > 1 ? words.turns({ count: row.turns }) : "",
    row.mode === "deep" ? strings.window.modeNames.deep : "",
    strings.window.effortNames[row.effort],
    seconds(row.duration_ms),
    row.cost > 0 ? cost(row.cost) : "",
  ];
  const hit = row.hit;
  // A place that says what the title says already is marked in the title.
  const inTitle = hit ? fold(row.title).includes(fold(hit.pieces.map((piece) => piece.text).join(""))) : false;
  const item = h(
    "li",
    { class: "entry", "data-thread": row.id },
    box,
    h(
      "button",
      { type: "button", class: "open", onclick: () => actions.openThread(row.id, hit?.turn ?? null) },
      h(
        "span",
        { class: "title", dir: "auto" },
        row.pinned ? h("span", { class: "pin", role: "img", "aria-label": words.pinned }, "◆ ") : null,
        ...(hit && inTitle
          ? marked(
              row.title,
              hit.pieces.filter((piece) => piece.hit).map((piece) => piece.text),
            )
          : [row.title || strings.window.untitled]),
      ),
      hit && !inTitle
        ? h("span", { class: "snippet", dir: "auto" }, ...hit.pieces.map((piece) => (piece.hit ? h("mark", {}, piece.text) : piece.text)))
        : null,
      (!hit || inTitle) && (row.description || row.beginning)
        ? h("span", { class: "snippet", dir: "auto" }, row.description || row.beginning)
        : null,
      h(
        "span",
        { class: "facts" },
        facts.filter(Boolean).join(" · "),
        ...(row.space ? [h("span", { class: "badge", dir: "auto" }, row.space)] : []),
        ...row.tags.map((tag) => h("span", { class: "tag-name" }, `#${tag}`)),
      ),
    ),
    h(
      "button",
      {
        type: "button",
        class: "more",
        "aria-label": strings.window.more,
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        onclick: async (/** @type {Event} */ event) => {
          const anchor = /** @type {HTMLElement} */ (event.currentTarget);
          const thread = { id: row.id, title: row.title, pinned: row.pinned, tags: row.tags, private: false };
          const sharing = actions.hasTeam() ? await host.threadFacts(row.id).catch(() => null) : null;
          toggleMenu(anchor, strings.window.more, threadMenu(thread, actions, refresh, sharing));
        },
      },
      "⋯",
    ),
  );
  return item;
}

/** Letters and digits alone. @param {string} text */
const fold = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

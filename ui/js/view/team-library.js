// Threads of the team library: some beside one's own where something is searched for, and all of them in their place.

/** @import { Actions } from "../actions" */
/** @import { TeamRow } from "../protocol" */

import { h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { age } from "./ages.js";

const words = strings.team;

/** Threads beside one's own, and of one page. */
const FEW = 3;
const PAGE = 50;

/**
 * @param {Actions} actions @param {() => { text: string, since: number | null, tag: string | null }} wanted what is searched for
 * @param {() => void} showAll
 */
export function teamLibrary(actions, wanted, showAll) {
  const status = h("p", { class: "count", role: "status" });
  const list = h("ul", { class: "entries" });
  const more = h("button", { type: "button", class: "plain", hidden: true, onclick: () => void load(true) }, words.more);
  const all = h("div", { class: "team-all away" }, status, list, more);
  const few = h("section", { class: "team-few", hidden: true, "aria-label": words.found });
  let asked = 0;
  /** @type {TeamRow[]} */
  let rows = [];

  /** What was found, or why nothing could be. @param {number} offset @param {number} limit */
  const find = (offset, limit) => {
    const { text, since, tag } = wanted();
    return host.teamThreads({ text, since_ms: since, tag, offset, limit }).then(
      (page) => ({ page, why: "" }),
      (error) => ({ page: null, why: String(error) }),
    );
  };

  /** @param {boolean} further */
  async function load(further = false) {
    asked += 1;
    const mine = asked;
    const { page, why } = await find(further ? rows.length : 0, PAGE);
    if (mine !== asked) return;
    if (!page) {
      status.textContent = why;
      if (!further) list.replaceChildren();
      more.hidden = true;
      return;
    }
    rows = further ? [...rows, ...page.rows] : page.rows;
    list.replaceChildren(...rows.map(entry));
    more.hidden = !page.more;
    const { text, since, tag } = wanted();
    if (rows.length > 0) status.textContent = (page.more ? words.firstOf : words.count)({ count: rows.length });
    else status.textContent = text.trim() || since !== null || tag ? words.nothing : words.empty;
  }

  /** Shows some of what was found, where anything is searched for. */
  async function beside() {
    asked += 1;
    const mine = asked;
    if (wanted().text.trim() === "") {
      few.hidden = true;
      return;
    }
    const { page, why } = await find(0, 5 * FEW);
    if (mine !== asked) return;
    const foreign = (page?.rows.filter((row) => !row.own) ?? []).slice(0, FEW);
    few.hidden = page !== null && foreign.length === 0;
    few.replaceChildren(
      h(
        "div",
        { class: "team-head" },
        h("h2", {}, words.found),
        page ? h("button", { type: "button", class: "plain", id: "team-show-all", onclick: showAll }, words.showAll) : null,
      ),
      page ? h("ul", { class: "entries" }, ...foreign.map(entry)) : h("p", { class: "help" }, why),
    );
  }

  /** @param {TeamRow} row */
  function entry(row) {
    const facts = [row.own ? words.you : row.author, age(row.updated_ms), strings.library.turns({ count: row.turns })];
    if (row.origin) facts.push(words.origin({ author: row.origin }));
    return h(
      "li",
      { class: "entry shared-entry", "data-share": row.id },
      h(
        "button",
        { type: "button", class: "open", onclick: () => void actions.openShared(row.id) },
        h("span", { class: "title", dir: "auto" }, row.title || strings.window.untitled),
        row.pieces.length > 0
          ? h("span", { class: "snippet", dir: "auto" }, ...row.pieces.map((piece) => (piece.hit ? h("mark", {}, piece.text) : piece.text)))
          : row.description
            ? h("span", { class: "snippet", dir: "auto" }, row.description)
            : null,
        h(
          "span",
          { class: "facts" },
          facts.join(" · "),
          ...(row.role ? [h("span", { class: "badge", dir: "auto" }, row.role)] : []),
          ...row.tags.map((tag) => h("span", { class: "tag-name" }, `#${tag}`)),
        ),
      ),
    );
  }

  return {
    few,
    all,
    load,
    beside,
    /** @param {boolean} on */
    show(on) {
      all.classList.toggle("away", !on);
      if (on) few.hidden = true;
    },
  };
}

// The list of sources beside or below an answer.

/** @import { Source } from "../protocol" */
/** @import { TurnModel } from "../reduce" */
/** @import { Actions } from "../main" */

import { h } from "../dom.js";
import { counts } from "../reduce.js";
import { strings } from "../strings.js";

/** @param {TurnModel} turn @param {Actions} actions @returns {Node[]} */
export function sources(turn, actions) {
  const sums = counts(turn);
  // What the answer rests on comes first.
  const ordered = [...turn.sources].sort((a, b) => Number(b.cited) - Number(a.cited) || a.number - b.number);
  return [
    h("h2", {}, strings.sources, h("span", {}, strings.sourceCount(turn.sources.length, sums.failed))),
    h("ul", { class: "sources" }, ...ordered.map((source) => h("li", {}, row(turn, source, actions)))),
  ];
}

/** @param {TurnModel} turn @param {Source} source @param {Actions} actions */
function row(turn, source, actions) {
  const meta = [source.site, source.date ? shortDate(source.date) : ""].filter(Boolean).join(" · ");
  const cited = source.passages.length;
  const support = turn.state === "running" ? "" : cited > 0 ? strings.passages(cited) : strings.notCited;
  return h("button", { class: "source", type: "button", onclick: () => actions.openSource(turn.id, source.number, cited > 0 ? 0 : null) },
    h("span", { class: "number" }, String(source.number)),
    h("span", {},
      h("div", { class: "title" }, source.title),
      h("div", { class: "meta" }, meta),
      support ? h("div", { class: cited > 0 ? "support ok" : "support" }, support) : null));
}

/** @param {string} date `YYYY-MM-DD` */
export function shortDate(date) {
  const parsed = new Date(`${date}T12:00:00`);
  return Number.isNaN(parsed.getTime()) ? date : parsed.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

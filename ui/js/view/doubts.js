// Going from one doubtful statement of an answer to the next.

/** @import { Statement, Support } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { h } from "../dom.js";
import { strings } from "../strings.js";

const HIGHLIGHT = "doubt";

/**
 * Buttons that step through the statements that are not supported, and what is wrong with the one in sight; null where
 * all are supported.
 * @param {HTMLElement} answer @param {() => TurnModel} turn @returns {HTMLElement | null}
 */
export function doubtsView(answer, turn) {
  const places = doubtful(turn());
  if (places.length === 0) return null;
  let at = -1;
  const said = h("span", { class: "said-now", role: "status" });
  /** @param {number} by */
  const step = (by) => {
    at = at < 0 && by < 0 ? places.length - 1 : (at + by + places.length) % places.length;
    const place = places[at];
    show(answer, place);
    said.textContent = strings.doubtAt(at + 1, places.length, strings.support[turn().statements[place].support], missing(turn(), turn().statements[place]));
  };
  const previous = h("button", { type: "button", "aria-label": strings.previousDoubt, title: strings.previousDoubt, onclick: () => step(-1) }, "‹");
  const next = h("button", { type: "button", class: "next-doubt", title: strings.nextDoubt, onclick: () => step(1) }, `${strings.nextDoubt} ›`);
  return h("span", { class: "doubts" }, places.length > 1 ? previous : null, next, said);
}

/** The statements that are not supported, in the order of the answer. @param {TurnModel} turn @returns {number[]} */
function doubtful(turn) {
  return turn.statements.flatMap((statement, index) => (statement.support === "supported" ? [] : [index]));
}

/** What the sources of a statement lack. @param {TurnModel} turn @param {Statement} statement @returns {string[]} */
function missing(turn, statement) {
  const own = turn.citations.filter((citation) => citation.start >= statement.start && citation.start < statement.end);
  return [...new Set(own.flatMap((citation) => citation.missing ?? []))];
}

/** Scrolls to a statement and marks its words. @param {HTMLElement} answer @param {number} statement */
function show(answer, statement) {
  const from = answer.querySelector(`.said[data-statement="${statement}"]`);
  const to = answer.querySelector(`.said-end[data-statement="${statement}"]`);
  if (!from || !to) return;
  const range = document.createRange();
  range.setStartAfter(from);
  range.setEndBefore(to);
  CSS.highlights.set(HIGHLIGHT, new Highlight(range));
  to.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

// A click elsewhere takes the marks away.
document.addEventListener("pointerdown", (event) => {
  if (!(event.target instanceof Element && event.target.closest(".doubts"))) CSS.highlights?.delete(HIGHLIGHT);
});

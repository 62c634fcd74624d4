// Going from one doubtful statement of an answer to the next.

/** @import { Statement, Support } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { h } from "../dom.js";
import { citationsOf, doubtful } from "../reduce.js";
import { doubtLine } from "../sentences.js";
import { strings } from "../strings.js";
import { mark, marked } from "./highlights.js";
import { between, reveal } from "./spans.js";

/**
 * A button that underlines the statements without a citation; null where there are none.
 * @param {HTMLElement} answer @param {() => TurnModel} turn @returns {HTMLElement | null}
 */
export function uncitedView(answer, turn) {
  const places = () => turn().statements.flatMap((statement, index) => (statement.support === "uncited" ? [index] : []));
  if (places().length === 0) return null;
  const button = h(
    "button",
    {
      type: "button",
      class: "show-uncited",
      "aria-pressed": String(marked("uncited").some((range) => answer.contains(range.startContainer))),
      onclick: () => {
        const shown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(shown));
        const ranges = places()
          .map((place) => rangeOf(answer, place))
          .filter((range) => range !== null);
        const others = marked("uncited").filter((range) => !answer.contains(range.startContainer));
        mark("uncited", [...others, ...(shown ? ranges : [])]);
      },
    },
    strings.window.showUncited,
  );
  return h("span", { class: "doubts" }, button);
}

/**
 * Buttons that step through the statements that are not supported, and what is wrong with the one in sight; null where
 * all are supported.
 * @param {HTMLElement} answer @param {() => TurnModel} turn @returns {{ element: HTMLElement, said: HTMLElement, step: (by: number) => void } | null}
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
    const { support } = turn().statements[place];
    const label = support === "supported" ? strings.window.unknownNumber : strings.window.support[support];
    // It stays at hand while the answer moves. Shown before it says something, so that it is read out.
    said.closest(".evidence")?.classList.add("stepping");
    said.textContent = doubtLine(at + 1, places.length, label, missing(turn(), turn().statements[place]));
    said.title = said.textContent;
  };
  const previous = h(
    "button",
    { type: "button", "aria-label": strings.window.previousDoubt, title: strings.window.previousDoubt, onclick: () => step(-1) },
    "‹",
  );
  const next = h(
    "button",
    { type: "button", class: "next-doubt", title: strings.window.nextDoubt, onclick: () => step(1) },
    `${strings.window.nextDoubt} ›`,
  );
  return { element: h("span", { class: "doubts" }, places.length > 1 ? previous : null, next), said, step };
}

/** What the sources of a statement lack. @param {TurnModel} turn @param {Statement} statement @returns {string[]} */
function missing(turn, statement) {
  return [...new Set(citationsOf(turn, statement).flatMap((citation) => citation.missing ?? []))];
}

/** Scrolls to a statement and marks its words. @param {HTMLElement} answer @param {number} statement */
function show(answer, statement) {
  const range = rangeOf(answer, statement);
  if (!range) return;
  mark("doubt", [range]);
  reveal(answer, `.said-end[data-statement="${statement}"]`);
}

/** The words of a statement. @param {HTMLElement} answer @param {number} statement @returns {Range | null} */
function rangeOf(answer, statement) {
  return between(answer, `.said[data-statement="${statement}"]`, `.said-end[data-statement="${statement}"]`);
}

// A click elsewhere takes the marks away.
document.addEventListener("pointerdown", (event) => {
  if (event.target instanceof Element && event.target.closest(".evidence")) return;
  mark("doubt", []);
  for (const line of document.querySelectorAll(".evidence.stepping")) line.classList.remove("stepping");
});

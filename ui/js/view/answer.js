// An answer: cleaned HTML whose numbers become chips.

/** @import { Detection, Source, Support } from "../protocol" */
/** @import { TurnModel } from "../reduce" */
/** @import { Actions } from "../main" */

import { cleanedNodes, h, patchChildren } from "../dom.js";
import { strings } from "../strings.js";

/**
 * Brings the answer element up to date, block by block.
 * @param {HTMLElement} element @param {TurnModel} turn
 */
export function updateAnswer(element, turn) {
  patchChildren(element, cleanedNodes(turn.html, (fragment) => {
    for (const mark of fragment.querySelectorAll("sup.cite")) mark.replaceWith(chip(/** @type {HTMLElement} */ (mark), turn));
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const links = fragment.querySelectorAll("a[href]");
    links.forEach((link, place) => {
      link.dataset.place = String(place);
      link.title = link.href;
    });
    for (const table of fragment.querySelectorAll("table")) table.tabIndex = 0;
  }));
}

/** @param {HTMLElement} mark @param {TurnModel} turn */
function chip(mark, turn) {
  const found = citation(turn, Number(mark.dataset.number), Number(mark.dataset.ordinal));
  const judged = turn.state !== "running";
  const kind = !judged ? "" : found.source ? { supported: "", weak: "weak", not_found: "missing" }[found.support] : "unknown";
  const support = judged && found.source ? `, ${strings.support[found.support]}` : "";
  const label = found.source ? `${found.number}: ${found.source.title}, ${found.source.site}${support}` : `${found.number}: ${strings.unknownNumber}`;
  return h("button", { class: `chip ${kind} ${found.detected ? "detected" : ""}`.trim().replace("  ", " "), type: "button", "aria-label": label, "data-number": String(found.number), "data-ordinal": mark.dataset.ordinal ?? "" },
    String(found.number));
}

/**
 * What a chip stands for.
 * @param {TurnModel} turn @param {number} number @param {number} ordinal
 * @returns {{ number: number, source: Source | null, passage: number | null, support: Support, detected: Detection | null }}
 */
export function citation(turn, number, ordinal) {
  const source = turn.sources.find((candidate) => candidate.number === number) ?? null;
  const exact = turn.citations.find((candidate) => candidate.ordinal === ordinal && candidate.number === number);
  const found = exact ?? turn.citations.find((candidate) => candidate.number === number);
  return { number, source, passage: found?.passage ?? null, support: found?.support ?? "not_found", detected: found?.detected ?? null };
}

/**
 * Clicks and keys on chips and links.
 * @param {HTMLElement} element @param {() => TurnModel} turn @param {Actions} actions
 */
export function listen(element, turn, actions) {
  element.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const link = /** @type {HTMLElement | null} */ (target.closest("a[href]"));
    if (link) {
      event.preventDefault();
      actions.openAnswerLink(turn().id, Number(link.dataset.place));
    }
    const button = chipOf(target);
    if (button) {
      const found = citation(turn(), Number(button.dataset.number), Number(button.dataset.ordinal));
      if (found.source) actions.openSource(turn().id, found.number, found.passage);
    }
  });
  // A middle click would open a window, which is refused anyway.
  element.addEventListener("auxclick", (event) => event.preventDefault());
  for (const name of ["mouseover", "focusin"]) {
    element.addEventListener(name, (event) => {
      const button = chipOf(event.target);
      if (button) actions.showCard(button, turn());
    });
  }
  for (const name of ["mouseout", "focusout"]) {
    element.addEventListener(name, (event) => {
      if (chipOf(event.target)) actions.hideCard();
    });
  }
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function chipOf(target) {
  return target instanceof HTMLElement ? target.closest(".chip") : null;
}

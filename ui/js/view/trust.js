// The one line under an answer that says how well it is supported.

/** @import { TurnModel } from "../reduce" */

import { h, shortDate } from "../dom.js";
import { evidence, trustLevel } from "../reduce.js";
import { checkedLine, doubtfulLine, newestLine, secondLookLine } from "../sentences.js";
import { strings } from "../strings.js";
import { doubtsView, uncitedView } from "./doubts.js";

/** The parts of the bar, in its order. @type {["supported" | "partly" | "notSupported" | "contradicted" | "uncited", string][]} */
const PARTS = [
  ["supported", "supported"],
  ["partly", "partly"],
  ["notSupported", "unsupported"],
  ["contradicted", "contradicted"],
  ["uncited", "uncited"],
];

/** How many statements are supported, and how the others stand, as a bar; the words beside it say the same. @param {ReturnType<typeof evidence>} found */
function trustBar(found) {
  return h(
    "span",
    { class: "trust-bar", "aria-hidden": "true" },
    ...PARTS.filter(([part]) => found[part] > 0).map(([part, name]) => {
      const element = h("i", { class: `part-${name}` });
      element.style.flexGrow = String(found[part]);
      return element;
    }),
  );
}

/**
 * The line of an answer that has ended; null where it makes no statement. Pressed, it leads to the doubtful statements
 * one after the other.
 * @param {HTMLElement} answer where the answer is shown @param {() => TurnModel} now @returns {HTMLElement | null}
 */
export function trustLine(answer, now) {
  const turn = now();
  const found = evidence(turn);
  if (found.all === 0) return null;
  const doubts = doubtfulLine(found);
  const said = doubts ? `${checkedLine(found.supported, found.all)} (${doubts})` : checkedLine(found.supported, found.all);
  const stepped = doubtsView(answer, now);
  const sum = stepped
    ? h("button", { type: "button", class: "trust-sum", title: strings.window.nextDoubt, onclick: () => stepped.step(1) }, said)
    : h("span", { class: "trust-sum" }, said);
  const looked = secondLookLine(found.secondLook);
  return h(
    "p",
    { class: `evidence ${trustLevel(found)}` },
    trustBar(found),
    sum,
    found.detected > 0 ? h("span", {}, strings.window.addedNumbers({ count: found.detected })) : null,
    looked ? h("span", { class: "looked" }, strings.window.afterSecondLook + looked) : null,
    found.secondLook.failed
      ? h("span", { class: "looked", title: strings.window.secondLookFailedHint }, strings.window.secondLookFailed)
      : null,
    found.newest ? h("span", {}, newestLine(shortDate(found.newest), daysBetween(found.newest, turn.askedMs))) : null,
    stepped?.element ?? null,
    uncitedView(answer, now),
    stepped?.said ?? null,
  );
}

/** @param {string} date `YYYY-MM-DD` @param {number} ms Unix time; 0 means now */
function daysBetween(date, ms) {
  // From one midnight to another; days have 23 to 25 hours.
  const then = new Date(`${date}T00:00:00`).getTime();
  const asked = new Date(ms || Date.now()).setHours(0, 0, 0, 0);
  return Number.isNaN(then) ? 0 : Math.max(0, Math.round((asked - then) / 86_400_000));
}

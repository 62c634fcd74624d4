// What a run holds back, because it could carry private text away or calls a tool: the question to the person, and what became of it.

/** @import { Held, TurnModel } from "../reduce" */

import { changes } from "../changes.js";
import { attempt, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { callQuestion } from "./call.js";

const words = strings.window.held;

/** A place that is drawn anew only when what is held back has changed, so that a click finds what it was meant for. */
export function heldView() {
  const element = h("div", { class: "held", hidden: true });
  const changed = changes();
  return {
    element,
    /** @param {TurnModel} turn */
    update(turn) {
      if (!changed(turn.id, turn.held)) return;
      const focused = element.contains(document.activeElement);
      const waiting = turn.held.find((one) => one.waits);
      // What became of a call stands among the steps.
      const kept = turn.held.filter((one) => !one.waits && one.what.type !== "call");
      element.replaceChildren(...(waiting ? [question(turn, waiting)] : []), ...(kept.length > 0 ? [account(kept)] : []));
      element.hidden = !element.hasChildNodes();
      if (focused) /** @type {HTMLElement | null} */ (element.querySelector("button, summary"))?.focus();
    },
  };
}

/** @param {TurnModel} turn @param {Held} held */
function question(turn, held) {
  if (held.what.type === "call") return callQuestion(turn, held, held.what);
  /** @param {boolean} allowed */
  const decide = (allowed) => async (/** @type {MouseEvent} */ event) => {
    // The second click of a double click was meant for the question before.
    if (event.detail > 1) return;
    for (const button of buttons) button.disabled = true;
    await attempt(host.permit(turn.id, held.id, allowed));
  };
  const isAddress = held.what.type === "address";
  const buttons = /** @type {HTMLButtonElement[]} */ ([
    h("button", { type: "button", class: "pill keep", onclick: decide(false) }, words.keep),
    h("button", { type: "button", class: "pill let", onclick: decide(true) }, isAddress ? words.open : words.send),
  ]);
  return h(
    "section",
    { class: "held-ask", role: "alert", "aria-label": words.title },
    h("p", {}, isAddress ? words.address : words.query),
    outgoing(held),
    h("div", { class: "held-acts" }, ...buttons),
  );
}

/** @param {Held[]} kept */
function account(kept) {
  return h(
    "details",
    { class: "held-list" },
    h("summary", {}, words.kept({ count: kept.length })),
    h("ul", {}, ...kept.map((one) => h("li", {}, outgoing(one)))),
  );
}

/** The whole of it: what is cut off may be what matters. @param {Held} held */
const outgoing = (held) =>
  h(
    "code",
    { class: "outgoing", dir: "ltr" },
    held.what.type === "address" ? held.what.url : held.what.type === "query" ? held.what.text : held.what.tool,
  );

// One turn in the conversation. Its parts are kept and updated in place, so that selection, focus
// and scroll position survive while the answer grows.

/** @import { Actions } from "../main" */
/** @import { TurnModel } from "../reduce" */

import { h } from "../dom.js";
import { strings } from "../strings.js";
import { listen, updateAnswer } from "./answer.js";
import { sources } from "./sources.js";
import { steps } from "./steps.js";

/** @param {TurnModel} first @param {Actions} actions */
export function turnView(first, actions) {
  let turn = first;
  /** @type {boolean | null} Chosen by the person; otherwise open while running. */
  let chosen = null;
  const question = h("h1", { class: "question", dir: "auto" });
  const progress = h("div");
  const answer = h("div", { class: "answer", dir: "auto" });
  const skeleton = h("div", { class: "skeleton", "aria-hidden": "true" }, h("span"), h("span"), h("span"));
  const after = h("div");
  const below = h("div", { class: "below" });
  const element = h("article", { class: "turn", "data-turn": first.id }, question, progress, skeleton, answer, after, below);
  listen(answer, () => turn, actions);

  /** @param {TurnModel} next */
  function update(next) {
    const before = turn;
    turn = next;
    const running = turn.state === "running";
    question.textContent = turn.question;
    const open = chosen ?? running;
    const focused = progress.contains(document.activeElement);
    progress.replaceChildren(steps(turn, open, () => {
      chosen = !(chosen ?? turn.state === "running");
      update(turn);
    }));
    if (focused) /** @type {HTMLElement | null} */ (progress.querySelector(".sum"))?.focus();
    skeleton.hidden = !running || turn.html !== "";
    if (turn.html !== before.html || turn.state !== before.state || turn.citations !== before.citations || !answer.hasChildNodes()) updateAnswer(answer, turn);
    answer.setAttribute("aria-busy", String(running));
    if (!running) {
      const focusedAct = after.contains(document.activeElement);
      after.replaceChildren(...ending());
      if (focusedAct) /** @type {HTMLElement | null} */ (after.querySelector("button"))?.focus();
    } else {
      after.replaceChildren();
    }
    below.replaceChildren(...(turn.sources.length > 0 && !running ? sources(turn, actions) : []));
  }

  function ending() {
    /** @type {Node[]} */
    const out = [];
    if (turn.reason) out.push(h("p", { class: turn.state === "failed" ? "reason bad" : "reason", role: "status" }, turn.reason));
    const acts = [];
    if (turn.answer) acts.push(h("button", { type: "button", onclick: () => actions.copy(turn) }, strings.copy));
    if (turn.state === "interrupted") acts.push(h("button", { type: "button", class: "resume", onclick: () => actions.resume(turn.id) }, strings.resume));
    else acts.push(h("button", { type: "button", onclick: () => actions.ask(turn.question) }, strings.askAgain));
    const label = turn.model === strings.builtinName ? strings.builtin : turn.model;
    out.push(h("div", { class: "acts" }, ...acts, h("span", { class: "label" }, label)));
    return out;
  }

  update(first);
  return { element, update };
}

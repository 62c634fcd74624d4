// The sources of the turn in sight, beside the conversation.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { TurnModel } from "../reduce" */

import { byId, h, onceAFrame } from "../dom.js";
import { counts } from "../reduce.js";
import { strings } from "../strings.js";
import { sources } from "./sources.js";

/** Where a person reads, as a share of the height of the conversation. */
const READING_LINE = 0.35;

/** @param {HTMLElement} flow @param {State} state @param {Actions} actions */
export function side(flow, state, actions) {
  const element = byId("side");
  /** @type {unknown[]} */
  let shown = [];

  /** The turn that stands where a person reads. @returns {TurnModel | null} */
  function inSight() {
    const turns = state.view === "thread" ? state.turns : [];
    const elements = flow.querySelectorAll(".turn");
    // Drawn in the order of the thread; a thread that was just opened may not be drawn yet.
    if (turns.length === 0 || elements.length !== turns.length) return turns.at(-1) ?? null;
    if (flow.scrollHeight - flow.scrollTop - flow.clientHeight < 4) return turns[turns.length - 1];
    const line = flow.getBoundingClientRect().top + flow.clientHeight * READING_LINE;
    let [first, behind] = [0, elements.length];
    while (behind - first > 1) {
      const middle = (first + behind) >> 1;
      if (elements[middle].getBoundingClientRect().top <= line) first = middle;
      else behind = middle;
    }
    return turns[first];
  }

  function render() {
    const turn = inSight();
    // The column is there before the first question, so that nothing moves when it is asked.
    byId("app").classList.toggle("no-side", state.view !== "thread");
    const now = turn ? [turn.id, turn.state, turn.sources, turn.citations, counts(turn).failed] : [state.view];
    if (now.length === shown.length && now.every((part, index) => part === shown[index])) return;
    shown = now;
    const none = !turn
      ? strings.window.sourcesOfAnswer
      : turn.state === "running" || turn.unread !== null
        ? strings.window.sourcesToCome
        : strings.window.noSources;
    const nodes =
      turn && turn.sources.length > 0 ? sources(turn, actions) : [h("h2", {}, strings.window.sources), h("p", { class: "hint" }, none)];
    element.replaceChildren(...nodes);
  }

  const soon = onceAFrame(render);
  flow.addEventListener("scroll", soon, { passive: true });
  window.addEventListener("resize", soon);
  return { render, inSight };
}

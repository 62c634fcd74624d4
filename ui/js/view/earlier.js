// Long threads: the summary that stands in the place of the oldest questions, and how full the room for them is.

/** @import { Actions } from "../actions" */
/** @import { ThreadId } from "../protocol" */
/** @import { TurnModel } from "../reduce" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { fromView } from "../reduce.js";
import { strings } from "../strings.js";

const long = strings.summary;

/** The summary that a turn made or is kept with, to be unfolded; none where there is none. @param {TurnModel} turn @returns {HTMLElement | null} */
function summaryView({ summary, summarised }) {
  if (!summary) return null;
  const paragraphs = summary.text.split(/\n{2,}/).map((text) => h("p", { dir: "auto" }, text));
  return h(
    "details",
    { class: "told earlier-summary" },
    h("summary", {}, summarised ? long.answeredWith({ turns: summary.turns }) : long.next({ turns: summary.turns })),
    ...paragraphs,
  );
}

/** That the thread is nearly too long for the model. @param {TurnModel} turn @param {Actions} actions @returns {HTMLElement | null} */
function fillingView({ filling, summary }, actions) {
  if (filling === 0 || summary) return null;
  return h(
    "p",
    { class: "filling" },
    h("span", {}, long.filling({ percent: filling })),
    " ",
    h("button", { type: "button", onclick: () => actions.summarise() }, long.summarise),
    " ",
    h("button", { type: "button", onclick: () => actions.newThread() }, long.newThread),
  );
}

/** @param {TurnModel} turn @param {Actions} actions @returns {HTMLElement[]} */
export const earlierViews = (turn, actions) => [summaryView(turn), fillingView(turn, actions)].filter((view) => view !== null);

/** Summarises a thread; `changed` gets its last turn. @param {ThreadId} thread @param {(turn: TurnModel) => void} changed */
export async function summariseThread(thread, changed) {
  toast(long.working);
  const view = await attempt(host.summariseThread(thread));
  if (!view) return;
  changed(fromView(view));
  toast(long.done);
}

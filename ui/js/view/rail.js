// The list of threads.

/** @import { State, Actions } from "../main" */
/** @import { ThreadSummary } from "../protocol" */

import { h } from "../dom.js";
import { strings } from "../strings.js";

const DAY = 86_400_000;

/** @param {State} state @param {Actions} actions @returns {Node[]} */
export function rail(state, actions) {
  const groups = grouped(state.threads, Date.now());
  return [
    h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), "Nexi"),
    h("button", { class: "menu", type: "button", "aria-expanded": state.menuOpen ? "true" : "false", onclick: actions.toggleMenu }, strings.menu),
    h("button", { class: "new", type: "button", id: "new", onclick: actions.newThread }, strings.newQuestion, h("kbd", {}, "Ctrl N")),
    h("div", { class: "threads" },
      ...(state.threads.length === 0 ? [h("h2", {}, strings.noThreads)] : []),
      ...groups.map(([name, threads]) => h("section", {}, h("h2", {}, name), h("ul", {}, ...threads.map((thread) => h("li", {}, row(thread, state, actions))))))),
    h("div", { class: "foot", title: state.overview?.settings_file ?? "" }, state.overview ? `${state.overview.model} · ${state.overview.version}` : ""),
  ];
}

/** @param {ThreadSummary} thread @param {State} state @param {Actions} actions */
function row(thread, state, actions) {
  const mark = thread.state === "running" || thread.state === "interrupted"
    ? h("span", { class: `dot ${thread.state}`, role: "img", "aria-label": strings[thread.state] })
    : null;
  const current = thread.id === state.thread;
  return h("button", { class: "row", type: "button", "aria-current": current ? "true" : "false", onclick: () => actions.openThread(thread.id) },
    h("span", {}, thread.title || strings.untitled), mark);
}

/** @param {ThreadSummary[]} threads @param {number} now @returns {[string, ThreadSummary[]][]} */
export function grouped(threads, now) {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  /** @type {Map<string, ThreadSummary[]>} */
  const groups = new Map();
  for (const thread of threads) {
    const at = thread.updated_ms;
    const name = at >= midnight ? strings.today : at >= midnight - DAY ? strings.yesterday : at >= midnight - 6 * DAY ? strings.thisWeek : strings.earlier;
    groups.set(name, [...(groups.get(name) ?? []), thread]);
  }
  return [...groups];
}

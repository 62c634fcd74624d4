// What is shown in an empty thread.

/** @import { Actions, State } from "../main" */

import { h } from "../dom.js";
import { strings } from "../strings.js";

/** @param {State} state @param {Actions} actions */
export function empty(state, actions) {
  const builtin = state.overview?.models[0]?.name === "builtin";
  return h("section", { class: "welcome", id: "empty" },
    h("h1", {}, state.private ? strings.privateTitle : strings.emptyTitle),
    h("p", {}, state.private ? strings.privateText : strings.emptyText),
    h("ul", { class: "examples" }, ...strings.examples.map((question) => h("li", {}, h("button", { type: "button", onclick: () => actions.ask(question) }, question)))),
    builtin ? h("p", { class: "small" }, `${strings.builtin}. `, h("button", { type: "button", class: "link", onclick: () => actions.openSetup() }, strings.addModel)) : null,
    state.overview?.keys_locked ? h("p", { class: "small" }, `${strings.keysLocked} `, h("button", { type: "button", class: "link", onclick: () => actions.openSettings("keys") }, strings.unlock)) : null);
}

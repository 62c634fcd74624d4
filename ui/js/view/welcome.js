// What is shown when there is no turn: the first run, or an empty thread.

/** @import { Actions } from "../main" */

import { h } from "../dom.js";
import { strings } from "../strings.js";

/** @param {Actions} actions */
export function welcome(actions) {
  return h("section", { class: "welcome", id: "welcome" },
    h("span", { class: "logo", "aria-hidden": "true" }),
    h("h1", {}, strings.welcomeTitle),
    h("p", {}, strings.welcomeText),
    h("button", { class: "go", type: "button", id: "begin", onclick: actions.begin }, strings.welcomeButton),
    h("p", { class: "small" }, strings.welcomeSmall));
}

/** @param {Actions} actions */
export function empty(actions) {
  return h("section", { class: "welcome", id: "empty" },
    h("h1", {}, strings.emptyTitle),
    h("p", {}, strings.emptyText),
    h("ul", { class: "examples" }, ...strings.examples.map((question) => h("li", {}, h("button", { type: "button", onclick: () => actions.ask(question) }, question)))));
}

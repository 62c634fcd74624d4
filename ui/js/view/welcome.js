// What is shown in an empty thread.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */

import { h } from "../dom.js";
import { strings } from "../strings.js";

/** Up to so many threads somebody is shown what else there is. */
const NEWCOMER = 4;

/** What the wizard did not ask. @param {State} state @param {Actions} actions */
function offers(state, actions) {
  const words = strings.window.offers;
  const hotkey = state.overview?.hotkey;
  /** @param {string} label @param {() => void} run @param {string} [note] */
  const offer = (label, run, note) =>
    h("li", {}, h("button", { type: "button", class: "link", onclick: run }, label), note ? h("span", {}, note) : null);
  return h(
    "ul",
    { class: "offers", "aria-label": words.title },
    state.overview?.has_folders ? null : offer(words.documents, () => actions.showView("documents"), words.documentsNote),
    offer(words.search, () => actions.openSettings("search"), words.searchNote),
    offer(
      hotkey ? words.shortcut : words.noShortcut,
      () => actions.openSettings("app"),
      hotkey ? words.shortcutNote({ keys: hotkey }) : "",
    ),
    offer(words.privacy, () => actions.openSettings("privacy"), words.privacyNote),
  );
}

/** @param {State} state @param {Actions} actions */
export function empty(state, actions) {
  const builtin = state.overview?.models[0]?.name === "builtin";
  return h(
    "section",
    { class: "welcome", id: "empty" },
    h("h1", {}, state.private ? strings.window.privateTitle : strings.window.emptyTitle),
    h("p", {}, state.private ? strings.window.privateText : strings.window.emptyText),
    h(
      "ul",
      { class: "examples" },
      ...Object.values(strings.window.examples).map((question) =>
        h("li", {}, h("button", { type: "button", onclick: () => actions.ask(question) }, question)),
      ),
    ),
    builtin
      ? h(
          "p",
          { class: "small" },
          `${strings.window.builtin}. `,
          h("button", { type: "button", class: "link", onclick: () => actions.openSetup() }, strings.window.addModel),
        )
      : null,
    state.threads.length < NEWCOMER && !state.private ? offers(state, actions) : null,
    state.overview?.keys_locked
      ? h(
          "p",
          { class: "small" },
          `${strings.window.keysLocked} `,
          h("button", { type: "button", class: "link", onclick: () => actions.openSettings("keys") }, strings.window.unlock),
        )
      : null,
  );
}

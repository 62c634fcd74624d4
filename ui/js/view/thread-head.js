// The line above a conversation: what the thread is called, and what can be done with it.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { ThreadFacts } from "../protocol" */

import { changes, cachedParts } from "../changes.js";
import { byId, h, place } from "../dom.js";
import { strings } from "../strings.js";
import { toggleMenu } from "./menu.js";
import { spaceIn } from "./spaces.js";
import { sharedHelp } from "./team.js";
import { threadMenu } from "./thread-menu.js";

const words = strings.team;

const parts = cachedParts();

/**
 * @param {ThreadFacts} thread @param {boolean} named whether it has a name of its own, or several questions
 * @param {State} state @param {Actions} actions @returns {Node[]}
 */
function header(thread, named, state, actions) {
  return [
    // A single question stands below in full.
    named ? h("span", { class: "thread-title", dir: "auto", title: thread.description }, thread.title || strings.window.untitled) : null,
    thread.private ? h("span", { class: "badge", title: strings.window.privateHelp }, strings.window.private) : null,
    thread.space ? h("span", { class: "badge", dir: "auto" }, thread.space) : null,
    thread.shared ? h("span", { class: "badge shared-badge", title: sharedHelp(thread.shared) }, words.shared) : null,
    thread.team ? h("span", { class: "badge", dir: "auto" }, thread.team.own ? words.you : thread.team.author) : null,
    thread.origin
      ? h(
          "span",
          { class: "badge", dir: "auto", title: words.originHelp({ author: thread.origin }) },
          words.origin({ author: thread.origin }),
        )
      : null,
    ...thread.tags.map((tag) => h("span", { class: "tag-name" }, `#${tag}`)),
    // The same one for as long as there is a thread: it is renamed by itself, perhaps while somebody presses this.
    parts.keep("menu", [], () =>
      h(
        "button",
        {
          type: "button",
          class: "more",
          id: "thread-menu",
          "aria-label": strings.window.more,
          "aria-haspopup": "menu",
          "aria-expanded": "false",
          onclick: (/** @type {Event} */ event) => {
            if (!state.thread) return;
            const items = threadMenu(state.thread, actions, actions.refresh, state.overview?.has_team ? state.thread : null);
            toggleMenu(/** @type {HTMLElement} */ (event.currentTarget), strings.window.more, items);
          },
        },
        "⋯",
      ),
    ),
  ].filter((node) => node !== null);
}

const headChanged = changes();

/** Draws it anew where something in it has changed. @param {State} state @param {Actions} actions */
export function renderHead(state, actions) {
  const { view, thread, turns } = state;
  const space = thread || state.private ? undefined : spaceIn(state)?.name;
  const named = turns.length > 1 || !turns[0]?.question.startsWith(thread?.title.replace(/…$/, "") ?? "");
  if (!headChanged(view, thread, named, space)) return;
  const drawn = parts.round(() => (view === "thread" && thread ? header(thread, named, state, actions) : []));
  const beside = view === "thread" && !thread && space ? [h("span", { class: "badge", dir: "auto" }, space)] : [];
  place(byId("head"), [...drawn, ...beside]);
}

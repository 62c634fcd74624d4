// The list of threads.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { ThreadSummary } from "../protocol" */

import { changes, cachedParts } from "../changes.js";
import { byId, h, place } from "../dom.js";
import { keyNames } from "../format.js";
import { strings } from "../strings.js";
import { spaceChooser } from "./spaces.js";

const documents = strings.documents;
const watched = strings.watched;

const DAY = 86_400_000;
const railChanged = changes();
const parts = cachedParts();

/**
 * Draws what has changed in it; what has not stays the same element, for somebody may be pressing it.
 * @param {State} state @param {Actions} actions
 */
export function renderRail(state, actions) {
  const element = byId("rail");
  element.classList.toggle("open", state.menuOpen);
  if (!railChanged(state.threads, state.spaces, state.space, state.thread?.id, state.menuOpen, state.view, new Date().toDateString()))
    return;
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  place(
    element,
    parts.round(() => rail(state, actions)),
  );
  if (focused && document.activeElement !== focused) {
    const name = focused.id || focused.textContent;
    const same = [...element.querySelectorAll("button")].find((button) => (button.id || button.textContent) === name);
    (same ?? /** @type {HTMLElement | null} */ (element.querySelector("button")))?.focus();
  }
}

/** @param {State} state @param {Actions} actions @returns {Node[]} */
function rail(state, actions) {
  const threads = parts.keep("threads", [], () => h("div", { class: "threads" }));
  place(threads, listed(state, actions));
  return [
    parts.keep("brand", [], () => h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), "Nexi")),
    parts.keep("menu", [state.menuOpen], () =>
      h(
        "button",
        { class: "menu", type: "button", "aria-expanded": state.menuOpen ? "true" : "false", onclick: actions.toggleMenu },
        strings.window.menu,
      ),
    ),
    parts.keep("new", [], () =>
      h(
        "button",
        { class: "new", type: "button", id: "new", onclick: () => actions.newThread() },
        strings.window.newQuestion,
        h("kbd", {}, keyNames("Ctrl N")),
      ),
    ),
    parts.keep("find", [], () =>
      h(
        "button",
        { class: "find", type: "button", id: "open-palette", "aria-haspopup": "dialog", onclick: () => actions.openPalette() },
        h("span", { class: "long" }, strings.window.openPalette),
        h("span", { class: "short" }, strings.window.openPaletteShort),
        h("kbd", {}, keyNames("Ctrl K")),
      ),
    ),
    ...[parts.keep("spaces", [state.spaces, state.space], () => spaceChooser(state, actions))].filter((node) => node !== null),
    threads,
    parts.keep("foot", [state.view], () => foot(state, actions)),
  ];
}

/** The threads, below the names of their days. @param {State} state @param {Actions} actions @returns {Node[]} */
function listed(state, actions) {
  if (state.threads.length === 0) return [parts.keep("none", [], () => h("h2", {}, strings.window.noThreads))];
  return grouped(state.threads, Date.now()).map(([name, threads]) => {
    const section = parts.keep(`section ${name}`, [], () => h("section", {}, h("h2", {}, name), h("ul")));
    place(
      /** @type {HTMLElement} */ (section.lastElementChild),
      threads.map((thread) => {
        const current = thread.id === state.thread?.id && state.view === "thread";
        return parts.keep(`thread ${thread.id}`, [thread, current], () => h("li", {}, row(thread, current, actions)));
      }),
    );
    return section;
  });
}

/** The ways to what is not a thread. @param {State} state @param {Actions} actions */
function foot(state, actions) {
  const current = (/** @type {State["view"]} */ view) => (state.view === view ? "page" : undefined);
  return h(
    "div",
    { class: "foot" },
    h(
      "button",
      {
        type: "button",
        id: "open-documents",
        "aria-current": current("documents"),
        onclick: () => actions.showView("documents"),
      },
      documents.title,
    ),
    h(
      "button",
      {
        type: "button",
        id: "open-library",
        "aria-current": current("library"),
        onclick: () => actions.showView("library"),
      },
      strings.library.title,
    ),
    h("button", { type: "button", id: "open-settings", onclick: () => actions.openSettings() }, strings.window.settings),
    h(
      "button",
      {
        type: "button",
        id: "open-help",
        "aria-current": current("help"),
        "aria-label": strings.help.title,
        title: strings.help.title,
        onclick: () => actions.showView("help"),
      },
      "?",
    ),
  );
}

/** @param {ThreadSummary} thread @param {boolean} current whether it is the one in sight @param {Actions} actions */
function row(thread, current, actions) {
  const mark =
    thread.state === "running" || thread.state === "interrupted"
      ? h("span", { class: `dot ${thread.state}`, role: "img", "aria-label": strings.window.states[thread.state] })
      : null;
  return h(
    "button",
    {
      class: thread.private ? "row private" : "row",
      type: "button",
      "aria-current": current ? "true" : "false",
      onclick: () => actions.openThread(thread.id),
    },
    h("span", { dir: "auto" }, thread.title || strings.window.untitled),
    thread.private
      ? h("small", {}, strings.window.private)
      : thread.watched
        ? h("span", { class: "watched-sign", role: "img", "aria-label": watched.sign, title: watched.sign })
        : null,
    mark,
  );
}

/** @param {ThreadSummary[]} threads @param {number} now @returns {[string, ThreadSummary[]][]} */
export function grouped(threads, now) {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  /** @type {Map<string, ThreadSummary[]>} */
  const groups = new Map();
  for (const thread of [...threads.filter((candidate) => candidate.pinned), ...threads.filter((candidate) => !candidate.pinned)]) {
    const at = thread.updated_ms;
    const time =
      at >= midnight
        ? strings.window.today
        : at >= midnight - DAY
          ? strings.window.yesterday
          : at >= midnight - 6 * DAY
            ? strings.window.thisWeek
            : strings.window.earlier;
    const name = thread.pinned ? strings.window.pinned : time;
    groups.set(name, [...(groups.get(name) ?? []), thread]);
  }
  return [...groups];
}

// The list of threads.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { ThreadSummary } from "../protocol" */

import { changes } from "../changes.js";
import { byId, h } from "../dom.js";
import { keyNames } from "../format.js";
import { strings } from "../strings.js";
import { spaceChooser } from "./spaces.js";

const documents = strings.documents;
const watched = strings.watched;

const DAY = 86_400_000;
const railChanged = changes();

/** Draws the list anew where something in it has changed. @param {State} state @param {Actions} actions */
export function renderRail(state, actions) {
  const element = byId("rail");
  element.classList.toggle("open", state.menuOpen);
  if (!railChanged(state.threads, state.spaces, state.space, state.thread?.id, state.menuOpen, state.view, new Date().toDateString()))
    return;
  const scrolled = element.querySelector(".threads")?.scrollTop ?? 0;
  const focused = element.contains(document.activeElement) ? document.activeElement?.id || document.activeElement?.textContent : null;
  element.replaceChildren(...rail(state, actions));
  const again = element.querySelector(".threads");
  if (again) again.scrollTop = scrolled;
  if (focused) {
    const same = [...element.querySelectorAll("button")].find((button) => (button.id || button.textContent) === focused);
    (same ?? /** @type {HTMLElement | null} */ (element.querySelector("button")))?.focus();
  }
}

/** @param {State} state @param {Actions} actions @returns {Node[]} */
function rail(state, actions) {
  const groups = grouped(state.threads, Date.now());
  return [
    h("div", { class: "brand" }, h("span", { class: "logo", "aria-hidden": "true" }), "Nexi"),
    h(
      "button",
      { class: "menu", type: "button", "aria-expanded": state.menuOpen ? "true" : "false", onclick: actions.toggleMenu },
      strings.window.menu,
    ),
    h(
      "button",
      { class: "new", type: "button", id: "new", onclick: () => actions.newThread() },
      strings.window.newQuestion,
      h("kbd", {}, keyNames("Ctrl N")),
    ),
    h(
      "button",
      { class: "find", type: "button", id: "open-palette", "aria-haspopup": "dialog", onclick: () => actions.openPalette() },
      h("span", { class: "long" }, strings.window.openPalette),
      h("span", { class: "short" }, strings.window.openPaletteShort),
      h("kbd", {}, keyNames("Ctrl K")),
    ),
    ...[spaceChooser(state, actions)].filter((node) => node !== null),
    h(
      "div",
      { class: "threads" },
      ...(state.threads.length === 0 ? [h("h2", {}, strings.window.noThreads)] : []),
      ...groups.map(([name, threads]) =>
        h("section", {}, h("h2", {}, name), h("ul", {}, ...threads.map((thread) => h("li", {}, row(thread, state, actions))))),
      ),
    ),
    h(
      "div",
      { class: "foot" },
      h(
        "button",
        {
          type: "button",
          id: "open-documents",
          "aria-current": state.view === "documents" ? "page" : undefined,
          onclick: () => actions.showView("documents"),
        },
        documents.title,
      ),
      h(
        "button",
        {
          type: "button",
          id: "open-library",
          "aria-current": state.view === "library" ? "page" : undefined,
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
          "aria-current": state.view === "help" ? "page" : undefined,
          "aria-label": strings.help.title,
          title: strings.help.title,
          onclick: () => actions.showView("help"),
        },
        "?",
      ),
    ),
  ];
}

/** @param {ThreadSummary} thread @param {State} state @param {Actions} actions */
function row(thread, state, actions) {
  const mark =
    thread.state === "running" || thread.state === "interrupted"
      ? h("span", { class: `dot ${thread.state}`, role: "img", "aria-label": strings.window.states[thread.state] })
      : null;
  const current = thread.id === state.thread?.id && state.view === "thread";
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

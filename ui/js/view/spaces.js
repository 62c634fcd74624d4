// Spaces: which one is looked at, and moving threads into one.

/** @import { Actions } from "../actions" */
/** @import { State } from "../store" */
/** @import { Space, ThreadId } from "../protocol" */
/** @import { Item } from "./menu" */

import { attempt, h, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { dialog } from "./ask.js";
import { toggleMenu } from "./menu.js";

const words = strings.spaces;

/** @param {State} state @returns {Space | undefined} */
export const spaceIn = (state) => state.spaces.find((space) => space.id === state.space);

/** The space in which the next question is asked: that of the open thread, or the one that is looked at. @param {State} state @returns {Space | undefined} */
export const askedIn = (state) =>
  state.thread ? state.spaces.find((space) => space.name === state.thread?.space) : state.private ? undefined : spaceIn(state);

/** The button that says which threads are listed, where there are spaces. @param {State} state @param {Actions} actions */
export function spaceChooser(state, actions) {
  if (state.spaces.length === 0) return null;
  const chosen = spaceIn(state);
  /** @returns {Item[]} */
  const items = () => [
    { label: words.all, checked: !chosen, run: () => actions.chooseSpace(null) },
    ...state.spaces.map((space) => ({
      label: space.name,
      note: words.threads({ count: space.threads }),
      checked: space.id === chosen?.id,
      run: () => actions.chooseSpace(space.id),
    })),
    { label: words.manage, run: () => attempt(host.openWindow("settings", "spaces")) },
  ];
  return h(
    "button",
    {
      type: "button",
      class: "space-choice",
      id: "space-choice",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": `${words.choose}: ${chosen ? chosen.name : words.all}`,
      title: chosen ? words.inside({ name: chosen.name }) : undefined,
      onclick: (/** @type {Event} */ event) => toggleMenu(/** @type {HTMLElement} */ (event.currentTarget), words.choose, items()),
    },
    h("span", { dir: "auto" }, chosen ? chosen.name : words.all),
    h("span", { class: "chevron", "aria-hidden": "true" }, "▾"),
  );
}

/** Asks where a thread belongs. @param {ThreadId} thread @param {() => void} changed */
export async function moveToSpace(thread, changed) {
  const [spaces, facts] = await Promise.all([attempt(host.spaces()), attempt(host.threadFacts(thread))]);
  if (!spaces || !facts) return;
  if (spaces.length === 0) {
    toast(words.noneYet, { label: strings.palette.settings, run: () => void attempt(host.openWindow("settings", "spaces")) });
    return;
  }
  dialog(words.move.replace("…", ""), (close) => {
    /** @param {string | null} id @param {string} name @param {boolean} current */
    const choice = (id, name, current) =>
      h(
        "button",
        {
          type: "button",
          class: "plain",
          disabled: current,
          dir: "auto",
          onclick: async () => {
            close();
            if ((await attempt(host.moveToSpace(thread, id).then(() => true))) === null) return;
            changed();
            toast(words.moved);
          },
        },
        name,
      );
    return [
      h(
        "div",
        { class: "space-list" },
        choice(null, words.none, !facts.space),
        ...spaces.map((space) => choice(space.id, space.name, space.name === facts.space)),
      ),
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: close }, words.cancel)),
    ];
  });
}

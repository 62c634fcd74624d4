// What the research window shows, in one place. Views read it; it changes by `change` and `set` alone, and what is in
// it is replaced and never altered, so that a change can be told by reference.

/** @import { Effort, Focus, Mode, Overview, Space, Thinking, ThreadFacts, ThreadSummary } from "./protocol" */
/** @import { TurnModel } from "./reduce" */

import { onceAFrame } from "./dom.js";
import { lastSpace } from "./last-space.js";

/**
 * @typedef {"thread" | "library" | "documents" | "help"} View
 * @typedef {{
 *   overview: Overview | null, threads: ThreadSummary[], thread: ThreadFacts | null, turns: TurnModel[], effort: Effort, mode: Mode,
 *   focus: Focus, focusBefore: Focus | null, provider: string | null, thinking: Thinking | null, private: boolean, menuOpen: boolean, view: View, spaces: Space[],
 *   space: string | null,
 * }} State
 * @typedef {ReturnType<typeof createStore>} Store
 */

export function createStore() {
  /** @type {State} */
  const state = {
    overview: null,
    threads: [],
    thread: null,
    turns: [],
    effort: "m",
    mode: "quick",
    focus: "both",
    focusBefore: null,
    provider: null,
    thinking: null,
    private: false,
    menuOpen: false,
    view: "thread",
    spaces: [],
    space: lastSpace(),
  };
  let show = () => {};
  const schedule = onceAFrame(() => show());
  return {
    /** @type {Readonly<State>} */
    state,
    /** Changes a part of it, which is shown in the next frame. @param {Partial<State>} part */
    change(part) {
      Object.assign(state, part);
      schedule();
    },
    /** The same, shown at once: for whoever goes on with what is shown. @param {Partial<State>} part */
    set(part) {
      Object.assign(state, part);
      show();
    },
    /** What shows it. @param {() => void} render */
    shownBy(render) {
      show = render;
    },
  };
}

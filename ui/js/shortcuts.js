// The keys of the research window.

/** @import { Actions } from "./actions" */
/** @import { State } from "./store" */

import { altDigit } from "./dom.js";
import { copyAnswer } from "./view/answer.js";
import { hideCard } from "./view/card.js";
import { closeMenu } from "./view/menu.js";
import { openNumber } from "./view/sources.js";

/** Asks the last question of a thread again, unless it is still being answered. @param {Actions} actions @param {State} state */
export function askAgain(actions, state) {
  const last = state.turns.at(-1);
  if (last && last.state !== "running") void actions.askAgain(last);
}

/** What a single key does where nothing is being written. @type {Record<string, (actions: Actions, state: State) => void>} */
const SINGLE = {
  j: (actions) => actions.stepTurn(1),
  k: (actions) => actions.stepTurn(-1),
  f: (actions) => firstCitation(actions),
  d: (actions) => nextDoubt(actions),
  c: (actions) => {
    const turn = actions.inSight();
    if (turn?.answer) copyAnswer(turn, "with_sources");
  },
  e: (actions) => {
    const turn = actions.inSight();
    if (turn?.answer && turn.state !== "running") actions.exportTurn(turn.id);
  },
  r: askAgain,
};

/** Puts the focus on the first citation of the answer that is being read. @param {Actions} actions */
export function firstCitation(actions) {
  const turn = actions.inSight();
  /** @type {HTMLElement | null} */ (document.querySelector(`.turn[data-turn="${turn?.id}"] .answer .chip`))?.focus();
}

/** Goes to the next statement of the answer that is being read which is not supported. @param {Actions} actions */
export function nextDoubt(actions) {
  const turn = actions.inSight();
  /** @type {HTMLElement | null} */ (document.querySelector(`.turn[data-turn="${turn?.id}"] .next-doubt`))?.click();
}

/**
 * Listens for keys, wherever they are pressed in the window.
 * @param {State} state @param {Actions} actions @param {{ show: () => void }} library @param {{ isOpen: () => boolean, close: () => void, step: (by: number) => void }} pane
 */
export function listenForKeys(state, actions, library, pane) {
  document.addEventListener("keydown", (event) => {
    // Keys of an input method belong to it.
    if (event.isComposing || event.keyCode === 229) return;
    const target = event.target;
    const typing = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    /** @param {() => void} run */
    const take = (run) => {
      event.preventDefault();
      run();
    };
    const digit = altDigit(event);
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "/" && !typing && !command) take(() => (state.view === "library" ? library.show() : actions.showView("thread")));
    else if (event.key === "?" && !typing && !command) take(actions.showKeys);
    else if (command && key === "n") take(() => actions.newThread(event.shiftKey));
    else if (command && key === "k") take(actions.openPalette);
    else if (command && key === "l") take(() => actions.showView("library"));
    else if (command && event.shiftKey && key === "m") take(() => void actions.openSetup());
    else if (command && event.shiftKey && key === "d") take(() => actions.setMode(state.mode === "deep" ? "quick" : "deep"));
    else if (command && key === ".") take(() => actions.stop());
    else if (command && key === "m") take(() => actions.chooseModel());
    else if (command && key === ",") take(() => actions.openSettings());
    else if (pane.isOpen() && !typing && !command && !event.altKey && (key === "n" || key === "p"))
      take(() => pane.step(key === "n" ? 1 : -1));
    else if (event.altKey && !command && key === "f" && state.view === "thread") take(() => firstCitation(actions));
    else if (event.shiftKey && key === "e" && !typing && !command && state.view === "thread")
      take(() => state.turns.every((turn) => turn.state !== "running") && actions.exportTurn(null));
    else if (digit !== null && state.view === "thread") take(() => openNumber(actions.inSight(), digit, actions));
    else if (state.view === "thread" && !typing && !command && !event.altKey && !event.shiftKey && SINGLE[key])
      take(() => SINGLE[key](actions, state));
    else if (command && key === "d") take(() => actions.showView("documents"));
    else if (event.key === "F1") take(() => actions.showView("help"));
    else if (event.key === "Escape") {
      hideCard();
      closeMenu();
      if (pane.isOpen()) pane.close();
      else if (state.menuOpen) actions.toggleMenu();
      else if (state.view !== "thread") actions.showView("thread");
      else if (typing && state.turns.length > 0) actions.leaveField();
    }
  });
}

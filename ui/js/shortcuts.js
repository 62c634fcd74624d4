// The keys of the research window.

/** @import { Actions, State } from "./main" */

import { hideCard } from "./view/card.js";
import { closeMenu } from "./view/menu.js";

/**
 * Listens for keys, wherever they are pressed in the window.
 * @param {State} state @param {Actions} actions @param {{ show: () => void }} library @param {{ isOpen: () => boolean, close: () => void, step: (by: number) => void }} pane
 */
export function listenForKeys(state, actions, library, pane) {
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const typing = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    /** @param {() => void} run */
    const take = (run) => {
      event.preventDefault();
      run();
    };
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "/" && !typing && !command) take(() => (state.view === "library" ? library.show() : actions.showView("thread")));
    else if (event.key === "?" && !typing && !command) take(actions.showKeys);
    else if (command && key === "n") take(() => actions.newThread(event.shiftKey));
    else if (command && key === "k") take(() => actions.showView("library"));
    else if (command && key === ",") take(() => actions.openSettings());
    else if (pane.isOpen() && !typing && !command && !event.altKey && (key === "n" || key === "p")) take(() => pane.step(key === "n" ? 1 : -1));
    else if (command && key === "d") take(() => actions.showView("documents"));
    else if (event.key === "F1") take(() => actions.showView("help"));
    else if (event.key === "Escape") {
      hideCard();
      closeMenu();
      if (pane.isOpen()) pane.close();
      else if (state.menuOpen) actions.toggleMenu();
      else if (state.view !== "thread") actions.showView("thread");
    }
  });
}

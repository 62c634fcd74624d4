// Going from one place of the window to another.

/** @import { Part } from "../protocol" */
/** @import { View } from "../store" */
/** @import { Page } from "../actions" */

import { attempt, byId } from "../dom.js";
import * as host from "../host.js";
import { showKeys } from "../view/help.js";
import { openPalette } from "../view/palette.js";

/** @param {Page} page */
export function viewActions({ store, parts, actions }) {
  const { state } = store;
  return {
    toggleMenu: () => store.set({ menuOpen: !state.menuOpen }),

    /** @param {View} view */
    showView(view) {
      store.set({ menuOpen: false, view });
      // A terminal or another program may have asked while this window kept the focus.
      void actions.refreshThreads();
      if (view === "library") parts.library.show();
      else if (view === "documents") parts.documents.show();
      else if (view === "help") parts.help.show();
      else parts.box.input.focus();
    },

    /** Opens a chapter of the handbook. @param {string} name */
    showChapter(name) {
      store.set({ menuOpen: false, view: "help" });
      void parts.help.show(name);
    },

    showDeleted() {
      store.set({ menuOpen: false, view: "library" });
      void parts.library.showDeleted();
    },

    /** @param {Part} [part] */
    openSettings: (part) => attempt(host.openWindow("settings", part)),
    openSetup: () => attempt(host.openWindow("setup")),
    showKeys: () => showKeys(state.overview?.hotkey ?? ""),
    openPalette() {
      void actions.refreshThreads();
      openPalette(state, actions);
    },
    /** The turn that is being read. */
    inSight: () => parts.beside.inSight(),
    /** Goes to the next turn, or back. @param {number} by */
    stepTurn: (by) => parts.conversation.step(parts.beside.inSight(), by),
    /** From the question field to the conversation, where single keys do things. */
    leaveField: () => byId("flow").focus({ preventScroll: true }),
  };
}

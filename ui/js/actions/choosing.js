// How the next questions are answered.

/** @import { Effort, Focus, Mode } from "../protocol" */
/** @import { Page } from "../actions" */

import { chooseModel } from "../view/models.js";

/** @param {Page} page */
export function choosingActions({ store, actions }) {
  const { state } = store;
  return {
    /** @param {Effort} effort */
    setEffort: (effort) => store.set({ effort }),
    /** @param {Mode} mode */
    setMode: (mode) => store.set({ mode }),
    /** @param {Focus} focus */
    setFocus: (focus) => store.set({ focus, focusBefore: null }),
    setThinking: () => store.set({ thinking: state.thinking ? null : "high" }),
    /** Null asks whoever is usual. @param {string | null} provider */
    setProvider: (provider) => store.set({ provider }),
    /** @param {(name: string) => void} [choose] */
    chooseModel: (choose) => chooseModel(state.provider, choose ?? actions.setProvider, () => actions.openSettings("models")),
  };
}

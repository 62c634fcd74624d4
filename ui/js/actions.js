// What a person can do in the research window. Views, keys and the palette call nothing else.

/** @import { Store } from "./store" */

import { askingActions } from "./actions/asking.js";
import { choosingActions } from "./actions/choosing.js";
import { readingActions } from "./actions/reading.js";
import { threadActions } from "./actions/threads.js";
import { viewActions } from "./actions/views.js";

/**
 * The parts of the window, which exist once the window is put together.
 * @typedef {{
 *   box: ReturnType<typeof import("./view/composer.js").composer>,
 *   library: ReturnType<typeof import("./view/library.js").libraryView>,
 *   help: ReturnType<typeof import("./view/help.js").helpView>,
 *   documents: ReturnType<typeof import("./view/documents.js").documentsView>,
 *   pane: ReturnType<typeof import("./view/reader.js").reader>,
 *   conversation: ReturnType<typeof import("./view/flow.js").flow>,
 *   beside: ReturnType<typeof import("./view/side.js").side>,
 *   runs: ReturnType<typeof import("./following.js").followRuns>,
 * }} Parts
 * @typedef {ReturnType<typeof askingActions> & ReturnType<typeof choosingActions> & ReturnType<typeof readingActions> & ReturnType<typeof threadActions> & ReturnType<typeof viewActions>} Actions
 * @typedef {{ store: Store, parts: Parts, actions: Actions }} Page
 */

/** @param {Store} store @param {Parts} parts @returns {Actions} */
export function createActions(store, parts) {
  const page = { store, parts, actions: /** @type {Actions} */ ({}) };
  return Object.assign(
    page.actions,
    askingActions(page),
    choosingActions(page),
    readingActions(page),
    threadActions(page),
    viewActions(page),
  );
}

// Closing a window from the keyboard.

import { attempt } from "./dom.js";
import * as host from "./host.js";

/** Ctrl+W closes the window, as it does everywhere. @param {boolean} [byEscape] whether Escape does, too, once nothing in the window takes it */
export function closesByKey(byEscape = false) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    const isClose = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "w";
    const isLeft = byEscape && event.key === "Escape" && !document.querySelector("dialog[open], .menu-list");
    if (!isClose && !isLeft) return;
    event.preventDefault();
    const field = document.activeElement;
    const isInField = field instanceof HTMLElement && field.matches("input, textarea, select");
    // What was written in it is saved when it is left.
    if (isInField) field.blur();
    // The first Escape does no more than that.
    if (isClose || !isInField) void attempt(host.closeWindow());
  });
}

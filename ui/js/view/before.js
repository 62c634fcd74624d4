// "You asked this on 3 March": an earlier question of the library that is much like what is being typed.

/** @import { AskedBefore, ThreadId } from "../protocol" */

import { day, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";

/** Milliseconds without a key after which it is looked for. */
const PAUSE = 350;
/** Letters of what is looked for. */
const MOST = 500;

/**
 * Looks for it whenever somebody stops typing into a field.
 * @param {HTMLTextAreaElement} input
 * @param {{ isWanted: () => boolean, besides: () => ThreadId | null, open: (found: AskedBefore) => void, changed: () => void }} options `besides` is the thread that is open
 */
export function askedBefore(input, { isWanted, besides, open, changed }) {
  const element = h("p", { class: "asked-before", role: "status", hidden: true });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** Which look is the last one: an earlier one may come back later. */
  let look = 0;

  /** @param {AskedBefore | null} found */
  function show(found) {
    if (element.hidden && !found) return;
    element.hidden = !found;
    element.replaceChildren(...(found ? [
      strings.askedOn(day(found.asked_ms), found.is_same), " ",
      h("button", { type: "button", dir: "auto", title: strings.askedOpen, onclick: () => open(found) }, found.question),
    ] : []));
    changed();
  }

  function typed() {
    clearTimeout(waiting);
    look += 1;
    const mine = look;
    const text = input.value.trim().slice(0, MOST);
    if (text === "" || text.startsWith("#") || text.startsWith("/") || !isWanted()) {
      show(null);
      return;
    }
    waiting = setTimeout(async () => {
      // It may have become private meanwhile.
      if (!isWanted()) return;
      const found = await host.askedBefore(text, besides()).catch(() => null);
      if (mine === look) show(found);
    }, PAUSE);
  }

  input.addEventListener("input", typed);
  return { element, typed };
}

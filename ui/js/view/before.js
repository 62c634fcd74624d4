// What is noticed while a question is typed: "You asked this on 3 March", and that it is about something else than the
// open thread.

/** @import { AskedBefore, ThreadId, TypedHints } from "../protocol" */

import { day, h } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";

const long = strings.summary;

/** Milliseconds without a key after which it is looked for. */
const PAUSE = 350;
/** Letters of what is looked for. */
const MOST = 500;
const HALF_A_DAY = 43_200_000;

/**
 * Looks for it whenever somebody stops typing into a field.
 * @param {HTMLTextAreaElement} input
 * @param {{ isWanted: () => boolean, besides: () => ThreadId | null, open: (found: AskedBefore) => void, changed: () => void, leave: () => void }} options `besides` is the thread that is open; `leave` takes what is typed into a new one
 */
export function askedBefore(input, { isWanted, besides, open, changed, leave }) {
  const element = h("p", { class: "asked-before", role: "status", hidden: true });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** Which look is the last one: an earlier one may come back later. */
  let look = 0;

  /** @param {TypedHints | null} hints */
  function show(hints) {
    const found = hints?.before;
    const any = Boolean(found) || hints?.new_topic === true;
    if (element.hidden && !any) return;
    element.hidden = !any;
    element.replaceChildren(
      ...(found
        ? [
            strings.window.askedOn({ when: when(found.asked_ms), same: found.is_same }),
            " ",
            h("button", { type: "button", dir: "auto", title: strings.window.askedOpen, onclick: () => open(found) }, found.question),
          ]
        : any
          ? [long.newTopic, " ", h("button", { type: "button", onclick: leave }, long.newThread)]
          : []),
    );
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
      const hints = await host.typedHints(text, besides()).catch(() => null);
      if (mine === look) show(hints);
    }, PAUSE);
  }

  input.addEventListener("input", typed);
  return { element, typed };
}

/** @param {number} ms Unix time */
function when(ms) {
  const said = strings.window.askedWhen;
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (ms >= midnight) return said.today;
  // Days have 23 to 25 hours.
  return ms >= new Date(midnight - HALF_A_DAY).setHours(0, 0, 0, 0) ? said.yesterday : said.on({ day: day(ms) });
}

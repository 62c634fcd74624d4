// Watched questions: how often they are checked, what came of it, and that they are watched no longer.

/** @import { WatchedQuestion } from "../protocol" */

import { SCHEDULES, checkLine, paceLine } from "../sentences.js";
import { clock, cost, listed } from "../format.js";
import { attempt, h, moment, place, toast } from "../dom.js";
import * as host from "../host.js";
import { strings } from "../strings.js";
import { toastWritten } from "../written.js";
import { row } from "./form.js";

const words = strings.watched;

/** @returns {{ elements: Node[], refresh: () => Promise<void> }} */
export function watchedFields() {
  const list = h("ul", { class: "watched", "aria-label": words.all });
  const all = row(words.all, "", list, { id: "watched", wide: true });
  const feed = row(
    words.feed,
    words.feedHelp,
    h(
      "button",
      {
        type: "button",
        class: "plain",
        id: "save-feed",
        onclick: async () => {
          const path = await attempt(host.saveWatchFeed());
          if (path) toastWritten(words.feedSaved({ path }));
        },
      },
      words.saveFeed,
    ),
    { id: "feed" },
  );
  /** Each stays where it is while it is listed: what somebody is about to press must not be put in another's place. @type {Map<string, ReturnType<typeof entry>>} */
  const entries = new Map();

  async function refresh() {
    const known = (await attempt(host.watchedQuestions())) ?? [];
    for (const id of entries.keys()) if (!known.some((one) => one.id === id)) entries.delete(id);
    place(
      list,
      known.length === 0
        ? [h("li", { class: "help" }, words.none)]
        : known.map((one) => {
            const shown = entries.get(one.id) ?? entry(one);
            entries.set(one.id, shown);
            shown.update(one);
            return shown.element;
          }),
    );
  }

  /** @param {Promise<unknown>} work */
  const then = async (work) => {
    await attempt(work);
    await refresh();
  };

  /** @param {WatchedQuestion} first */
  function entry(first) {
    let one = first;
    let offered = "";
    let busy = false;
    const pace = /** @type {HTMLSelectElement} */ (
      h("select", {
        class: "pace",
        "aria-label": `${words.every}: ${one.question}`,
        onchange: () => then(host.scheduleWatched(one.id, pace.value)),
      })
    );
    const last = h("p", { class: "help" });
    const next = h("p", { class: "help" });
    const check = /** @type {HTMLButtonElement} */ (
      h(
        "button",
        {
          type: "button",
          class: "check plain",
          onclick: async () => {
            busy = true;
            update(one);
            await attempt(host.checkWatched(one.id));
            busy = false;
            await refresh();
          },
        },
        words.check,
      )
    );
    const pause = h("button", { type: "button", class: "pause plain", onclick: () => then(host.pauseWatched(one.id, !one.paused)) });
    const stop = h(
      "button",
      {
        type: "button",
        class: "stop plain",
        onclick: async () => {
          if ((await attempt(host.stopWatching(one.id).then(() => true))) !== null) toast(words.stopped);
          await refresh();
        },
      },
      words.remove,
    );
    const element = h(
      "li",
      { "data-watched": one.id },
      h("p", { class: "watched-question", dir: "auto" }, one.question),
      last,
      next,
      h("div", { class: "watched-acts" }, pace, check, pause, stop),
    );

    /** @param {WatchedQuestion} now */
    function update(now) {
      one = now;
      element.className = one.paused ? "paused" : "";
      last.textContent = busy
        ? words.checking
        : one.checked_ms === null
          ? checkLine(null, "")
          : checkLine(one.outcome, moment(one.checked_ms));
      const spent = one.spent > 0 ? cost(one.spent) : "";
      next.textContent = `${one.paused ? words.paused : words.next({ when: moment(one.next_ms) })} · ${listed([words.checks({ count: one.checks }), words.changes({ count: one.changes }), spent])}`;
      check.disabled = busy;
      pause.textContent = one.paused ? words.resume : words.pause;
      const own = paceLine(one.schedule);
      if (offered !== own) pace.replaceChildren(...paces(one).map(([value, label]) => h("option", { value }, label)));
      offered = own;
      // As it is, also where another one was chosen and refused.
      pace.selectedIndex = [...pace.options].findIndex((option) => option.text === own);
    }
    return { element, update };
  }

  void refresh();
  return { elements: [all.element, feed.element], refresh };
}

/** The paces that can be chosen, and the one that it has. @param {WatchedQuestion} one @returns {[string, string][]} */
function paces(one) {
  const at = one.schedule.at;
  const time = at === undefined ? "" : clock(at);
  /** @type {[string, string][]} */
  const offered = SCHEDULES.map(([value, label]) =>
    value.endsWith("h") || time === "" ? [value, label] : [`${value} at ${time}`, words.pace.at({ pace: label, time })],
  );
  const own = paceLine(one.schedule);
  return offered.some(([, label]) => label === own) ? offered : [[`${one.schedule.minutes / 60}h`, own], ...offered];
}
